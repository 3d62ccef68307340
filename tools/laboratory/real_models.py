"""The three networks of ``record_real_networks.py``, written anew in NumPy.

Each is what its file describes, and computes in the type of its weights, a mapping from names to
arrays whose first axis is the output's. It is run with one form of GELU for each of its ``sites``,
the first nearest to the input; ``watch``, if there is one, sees what goes into each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import ml_dtypes
import numpy as np
from scipy.special import erfc, expit

Form = Callable[[np.ndarray], np.ndarray]
Watch = Callable[[int, np.ndarray], None]
Weights = Mapping[str, np.ndarray]

# --- forms, which keep the type of their input


def exact(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * erfc(-math.sqrt(0.5) * x)


def tanh(k: float = 0.044715, s: float = math.sqrt(2 / math.pi)) -> Form:
    return lambda x: 0.5 * x * (1 + np.tanh(s * (x + k * (x * x * x))))


def sigmoid(p1: float) -> Form:
    return lambda x: x * expit(p1 * x)


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def in_float16(form: Form) -> Form:
    """A form whose input and result are rounded to float16."""
    return lambda x: to_float16(form(to_float16(x)))


def table(x: np.ndarray) -> np.ndarray:
    """The table of ggml, with which whisper.cpp and llama.cpp compute on a processor."""
    return np.where(abs(x) < 10, in_float16(tanh())(x), relu(x))


# --- weights of fewer bits


def to_float16(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float16).astype(x.dtype)


def to_bfloat16(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(x.dtype)


def to_int8(x: np.ndarray) -> np.ndarray:
    """A matrix on 255 levels, symmetric about 0 for each output; what is no matrix stays."""
    if x.ndim < 2:
        return x
    step = abs(x).max(tuple(range(1, x.ndim)), keepdims=True) / 127
    step[step == 0] = 1
    return np.round(x / step) * step


# --- parts of networks


def layer_norm(x: np.ndarray, scale: np.ndarray, shift: np.ndarray, small: float) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + small) * scale + shift


def softmax(x: np.ndarray) -> np.ndarray:
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def attention(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    heads: int,
    hidden: np.ndarray | float = 0,
) -> np.ndarray:
    """What each place takes from the others; ``hidden`` is −∞ where it must not look."""

    def split(x: np.ndarray) -> np.ndarray:  # (…, places, width) to (…, head, places, width)
        return np.moveaxis(x.reshape(*x.shape[:-1], heads, -1), -2, -3)

    query, key, value = split(query), split(key), split(value)
    taken = softmax(query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1]) + hidden) @ value
    return np.moveaxis(taken, -3, -2).reshape(*taken.shape[:-3], taken.shape[-2], -1)


class Network:
    """Weights, and one form for each site."""

    sites: tuple[str, ...]

    def __init__(self, weights: Weights, forms: Sequence[Form] | Form, watch: Watch | None = None):
        self.weights = weights
        self.forms = [forms] * len(self.sites) if callable(forms) else forms
        self.watch = watch

    def activated(self, site: int, x: np.ndarray) -> np.ndarray:
        if self.watch:
            self.watch(site, x)
        return self.forms[site](x)

    def linear(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x: np.ndarray, name: str, small: float) -> np.ndarray:
        return layer_norm(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"], small)


class Magika(Network):
    """Google's file-type detector: 2,048 bytes, or 256 where there is none, to 214 log-odds."""

    sites = ("bytes", "convolution")
    SMALL = 1e-6

    def __call__(self, given: np.ndarray) -> np.ndarray:
        seen = (self.weights["bytes.weight"].T + self.weights["bytes.bias"])[given]
        places = len(self.weights["places.weight"])  # of four bytes each; normalised over them
        x = self.norm(self.activated(0, seen).reshape(places, -1).T, "places", self.SMALL).T
        kernel = self.weights["convolution.weight"]  # output, channel, offset
        windows = np.lib.stride_tricks.sliding_window_view(x, kernel.shape[-1], 0)
        flat = windows.reshape(len(windows), -1) @ kernel.reshape(len(kernel), -1).T
        highest = self.activated(1, flat + self.weights["convolution.bias"]).max(0)
        return self.linear(self.norm(highest, "highest", self.SMALL), "types")


class MiniLM(Network):
    """all-MiniLM-L6-v2: tokens of texts of one length to vectors of length 1."""

    sites = tuple(f"layer {layer}" for layer in range(1, 7))
    SMALL, HEADS = 1e-12, 12

    def __call__(self, tokens: np.ndarray) -> np.ndarray:
        words, places, kinds = (
            self.weights[f"embeddings.{kind}_embeddings.weight"]
            for kind in ("word", "position", "token_type")
        )
        x = words[tokens] + places[: tokens.shape[1]] + kinds[0]
        x = self.norm(x, "embeddings.LayerNorm", self.SMALL)
        for site in range(len(self.sites)):
            x = self.layer(x, site, f"encoder.layer.{site}.")
        mean = x.mean(1)
        return mean / np.sqrt((mean**2).sum(-1, keepdims=True))

    def layer(self, x: np.ndarray, site: int, at: str) -> np.ndarray:
        parts = (self.linear(x, f"{at}attention.self.{of}") for of in ("query", "key", "value"))
        taken = self.linear(attention(*parts, self.HEADS), f"{at}attention.output.dense")
        x = self.norm(taken + x, f"{at}attention.output.LayerNorm", self.SMALL)
        inner = self.activated(site, self.linear(x, f"{at}intermediate.dense"))
        return self.norm(
            self.linear(inner, f"{at}output.dense") + x, f"{at}output.LayerNorm", self.SMALL
        )


class Whisper(Network):
    """Whisper tiny.en: a spectrogram of 30 seconds, then tokens one after the other."""

    sites = (
        *("convolution 1", "convolution 2"),
        *(f"{part} {layer}" for part in ("encoder", "decoder") for layer in range(1, 5)),
    )
    SMALL, HEADS, LAYERS = 1e-5, 6, 4
    START, END, LONGEST = (50257, 50362), 50256, 220

    def listen(self, spectrogram: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """What the decoder's layers see of a spectrogram: a key and a value for each place."""
        x = spectrogram
        for site in range(2):
            x = self.activated(site, self.convolved(x, f"encoder/conv{site + 1}", 1 + site))
        x = x.T + self.weights["encoder/position_encodings/encodings"]
        for layer in range(self.LAYERS):
            at = f"encoder/layer_{layer}/"
            own = attention(*self.split(x, at), self.HEADS)
            x = x + self.after(own, f"{at}self_attention", 1)
            x = x + self.inner(x, 2 + layer, at)
        x = self.norm(x, "encoder/layer_norm", self.SMALL)
        return [
            tuple(np.split(self.linear(x, f"decoder/layer_{n}/attention/linear_1"), 2, -1))
            for n in range(self.LAYERS)
        ]

    def convolved(self, x: np.ndarray, name: str, step: int) -> np.ndarray:
        """A convolution of width 3, with a place of zeros at each end."""
        weight, places = self.weights[f"{name}.weight"], x.shape[1]
        x = np.pad(x, ((0, 0), (1, 1)))
        parts = (weight[..., i] @ x[:, i : places + i : step] for i in range(3))
        return sum(parts) + self.weights[f"{name}.bias"][:, None]

    def before(self, x: np.ndarray, part: str) -> np.ndarray:
        """The layer norm and the first linear map of a part of a layer."""
        return self.linear(self.norm(x, f"{part}/layer_norm", self.SMALL), f"{part}/linear_0")

    def after(self, x: np.ndarray, part: str, number: int) -> np.ndarray:
        return self.linear(x, f"{part}/linear_{number}")

    def split(self, x: np.ndarray, at: str) -> list[np.ndarray]:
        return np.split(self.before(x, f"{at}self_attention"), 3, -1)

    def inner(self, x: np.ndarray, site: int, at: str) -> np.ndarray:
        return self.after(self.activated(site, self.before(x, f"{at}ffn")), f"{at}ffn", 1)

    def scores(self, tokens: Sequence[int], heard: list, cache: dict | None = None) -> np.ndarray:
        """The log-odds of all next tokens; with a cache ``tokens`` follow those of other calls."""
        cache = {} if cache is None else cache
        before, count = len(cache[0][0]) if cache else 0, len(tokens)
        x = self.weights["decoder/embeddings.weight"][list(tokens)]
        x = x + self.weights["decoder/position_encodings/encodings"][before : before + count]
        hidden = np.triu(np.full((count, before + count), -np.inf, x.dtype), 1 + before)
        for layer in range(self.LAYERS):
            at = f"decoder/layer_{layer}/"
            query, *own = self.split(x, at)
            if layer in cache:
                own = [np.concatenate(pair) for pair in zip(cache[layer], own, strict=True)]
            cache[layer] = own
            x = x + self.after(attention(query, *own, self.HEADS, hidden), f"{at}self_attention", 1)
            asked = self.before(x, f"{at}attention")
            x = x + self.after(attention(asked, *heard[layer], self.HEADS), f"{at}attention", 2)
            x = x + self.inner(x, 2 + self.LAYERS + layer, at)
        x = self.norm(x, "decoder/layer_norm", self.SMALL)
        return x @ self.weights["decoder/projection.weight"].T

    def transcript(
        self, heard: list, allowed: Callable[[np.ndarray, int], np.ndarray]
    ) -> list[int]:
        """Always the likeliest token that is allowed, up to the end or ``LONGEST``."""
        said, cache, given = [], {}, self.START
        while len(said) < self.LONGEST and self.END not in said:
            said.append(int(allowed(self.scores(given, heard, cache)[-1:], len(said)).argmax()))
            given = said[-1:]
        return said
