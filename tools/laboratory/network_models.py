"""The networks of the records: their data, their layers and their activations.

A transformer predicts the next character of SymPy's source, a perceptron and a convolutional
network read the digits of scikit-learn. Both packages carry their data with them, so nothing is
downloaded. No network drops anything out: what it computes depends on its weights and its input
alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import sympy
import torch
from torch import Tensor, nn
from torch.nn import functional

from gelu_lib.register import result

Form = Callable[[Tensor], Tensor]

# --- activations


def logistic(linear: float, cubic: float = 0.0) -> Form:
    """The form x·σ(p1·x + p3·x³)."""
    if cubic == 0:
        return lambda x: x * torch.sigmoid(linear * x)
    return lambda x: x * torch.sigmoid(linear * x + cubic * x**3)


def slope_kept(cubic: float) -> Form:
    """The tanh form with another number in place of 0.044715."""
    linear = 2 * math.sqrt(2 / math.pi)
    return logistic(linear, linear * cubic)


class ExactWithTanhSlope(torch.autograd.Function):
    """The exact form forward, and backward the slope of the tanh form."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return functional.gelu(x)

    @staticmethod
    def backward(ctx, upstream: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return torch.ops.aten.gelu_backward(upstream, x, approximate="tanh")


def rounded(form: Form, dtype: torch.dtype) -> Form:
    """A form whose input and result are rounded to a type; between them nothing is rounded."""
    return lambda x: form(x.to(dtype).to(x.dtype)).to(dtype).to(x.dtype)


def _registered(id: str) -> float:
    return float(result(id).value)


def forms() -> dict[str, Form]:
    """Every activation by its name in the record."""
    exact, tanh = functional.gelu, partial(functional.gelu, approximate="tanh")
    sigmoid = logistic(1.702)
    free = {name: float(p) for name, p in result("criteria-tanh-free-gelu").numbers.items()}
    return {
        "exact": exact,
        "tanh": tanh,
        "sigmoid": sigmoid,
        "exact, tanh slope": ExactWithTanhSlope.apply,
        "relu": functional.relu,
        "silu": functional.silu,
        "tanh, best k": slope_kept(_registered("tanh-gelu-cubic")),
        "tanh, both best": logistic(free["sup, p1"], free["sup, p3"]),
        "tanh, 0.0447": slope_kept(0.0447),
        "tanh, 0.0447149": slope_kept(0.0447149),
        "sigmoid, best c": logistic(_registered("logistic-gelu-scale")),
        **{
            f"{name}, {dtype}": rounded(form, getattr(torch, dtype))
            for name, form in (("exact", exact), ("tanh", tanh), ("sigmoid", sigmoid))
            for dtype in ("float16", "bfloat16")
        },
    }


def is_rounded(name: str) -> bool:
    """Whether a form is a staircase, which has no slope that foresees anything."""
    return name.endswith("float16")


class Activation(nn.Module):
    """The activation of one layer; ``form`` may be exchanged at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.form: Form = functional.gelu

    def forward(self, x: Tensor) -> Tensor:
        return self.form(x)


def activations(network: nn.Module) -> list[Activation]:
    """The activations of a network, the one nearest to its input first."""
    return [part for part in network.modules() if isinstance(part, Activation)]


def use(network: nn.Module, form: Form) -> None:
    """Exchange the activations of all layers."""
    for part in activations(network):
        part.form = form


# --- the transformer and its text


class Block(nn.Module):
    """Attention and a perceptron, each after a normalisation and added to what comes in."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.asked, self.attended = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.activation = Activation()

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attended(self.attention(self.before(x)))
        return x + self.down(self.activation(self.up(self.between(x))))

    def attention(self, x: Tensor) -> Tensor:
        """Causal attention, written out: it is differentiated twice."""
        batch, length, width = x.shape
        parted = self.asked(x).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parted.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-2, -1) / math.sqrt(width // self.heads)
        later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(later, -math.inf).softmax(-1)
        return (weights @ value).transpose(1, 2).reshape(batch, length, width)


class Transformer(nn.Module):
    """A pre-norm transformer on characters, with the initial weights of GPT-2 for its width."""

    def __init__(self, symbols: int, width: int, heads: int, layers: int, context: int) -> None:
        super().__init__()
        self.symbol, self.place = nn.Embedding(symbols, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last, self.head = nn.LayerNorm(width), nn.Linear(width, symbols)
        for name, weights in self.named_parameters():
            if weights.dim() == 2:  # GPT-2's 0.02 belongs to its width, 768
                shrunk = math.sqrt(2 * layers) if "attended" in name or "down" in name else 1.0
                nn.init.normal_(weights, std=0.02 * math.sqrt(768 / width) / shrunk)
            elif "bias" in name:
                nn.init.zeros_(weights)

    def forward(self, symbols: Tensor) -> Tensor:
        places = torch.arange(symbols.shape[1], device=symbols.device)
        x = self.symbol(symbols) + self.place(places)
        for block in self.blocks:
            x = block(x)
        return self.head(self.last(x))


SYMBOLS = 97
"""The printable characters of ASCII, the end of a line, and one for all others."""
TEXT_SHA256 = "6c59d1636426db94901c5e4f1c383c01152b08443aeb598144a925f478efd6b7"


class WrongTextError(RuntimeError):
    """The text is not the one of the record."""


@cache
def text() -> tuple[Tensor, Tensor, dict]:
    """The source files of sympy.core as symbols: for training, for validation, and what they are.

    Every fifth file, in the order of their names, is kept for validation.

    Raises:
        WrongTextError: if the files are not those of the record.
    """
    paths = sorted((Path(sympy.__file__).parent / "core").glob("*.py"))
    contents = [path.read_bytes() for path in paths]
    digest = hashlib.sha256(b"".join(contents)).hexdigest()
    if digest != TEXT_SHA256:
        found = f"SymPy {sympy.__version__} has {len(paths)} files with SHA-256 {digest}"
        raise WrongTextError(f"{found}; accepted is {TEXT_SHA256}, of SymPy 1.14.0")
    kept = b"".join(contents[4::5])
    used = b"".join(content for i, content in enumerate(contents) if i % 5 != 4)
    said = {"files": len(paths), "sha256": digest, "training": len(used), "validation": len(kept)}
    return _symbols(used), _symbols(kept), said


def _symbols(content: bytes) -> Tensor:
    codes = torch.tensor(list(content))
    printable = (codes >= 32) & (codes < 127)
    other = torch.where(codes == ord("\n"), SYMBOLS - 2, SYMBOLS - 1)
    return torch.where(printable, codes - 32, other)


class Characters:
    """The task of the transformer: which character comes next?"""

    def __init__(self, shape: dict[str, int], batch: int, windows: int) -> None:
        self.shape, self.batch = shape, batch
        self.used, kept, self.said = text()
        starts = torch.linspace(0, len(kept) - shape["context"] - 1, windows).long()
        self.validation = self._windows(kept, starts)

    def network(self) -> nn.Module:
        return Transformer(SYMBOLS, **self.shape)

    def draw(self, order: torch.Generator) -> tuple[Tensor, Tensor]:
        """The inputs and the answers of one step."""
        end = len(self.used) - self.shape["context"]
        return self._windows(self.used, torch.randint(end, (self.batch,), generator=order))

    def _windows(self, symbols: Tensor, starts: Tensor) -> tuple[Tensor, Tensor]:
        places = starts[:, None] + torch.arange(self.shape["context"] + 1)
        windows = symbols[places]
        return windows[:, :-1], windows[:, 1:]


# --- the perceptron and its digits


class Perceptron(nn.Module):
    """Two hidden layers, with PyTorch's own initial weights."""

    def __init__(self, width: int) -> None:
        super().__init__()
        widths = [64, width, width]
        hidden = [(nn.Linear(a, b), Activation()) for a, b in pairwise(widths)]
        self.layers = nn.Sequential(*(part for pair in hidden for part in pair))
        self.head = nn.Linear(width, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.layers(x))


class Digits:
    """The task of the perceptron: which digit was written?

    Every third image, in the order of the data, is kept for validation.
    """

    def __init__(self, shape: dict[str, int], batch: int) -> None:
        from sklearn.datasets import load_digits

        found = load_digits()
        images = torch.tensor(found.data / 16, dtype=torch.float32)
        answers = torch.tensor(found.target).long()
        digest = hashlib.sha256(images.numpy().tobytes()).hexdigest()
        self.shape, self.batch = shape, batch
        kept = torch.arange(len(images)) % 3 == 1
        self.used = images[~kept], answers[~kept]
        self.validation = images[kept], answers[kept]
        sizes = {"training": int((~kept).sum()), "validation": int(kept.sum())}
        self.said = {"sha256": digest, **sizes}

    def network(self) -> nn.Module:
        return Perceptron(**self.shape)

    def draw(self, order: torch.Generator) -> tuple[Tensor, Tensor]:
        """The inputs and the answers of one step."""
        images, answers = self.used
        chosen = torch.randint(len(images), (self.batch,), generator=order)
        return images[chosen], answers[chosen]


# --- the convolutional network and its digits


class Convolutional(nn.Module):
    """Two convolutions, of which the second halves the picture, with PyTorch's initial weights."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1),
            Activation(),
            nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1),
            Activation(),
        )
        self.head = nn.Linear(2 * channels, 10)

    def forward(self, x: Tensor) -> Tensor:
        picture = x.unflatten(-1, (1, 8, 8))
        return self.head(self.layers(picture).mean((-2, -1)))


class Pictures(Digits):
    """The task of the perceptron, for a network that sees which pixels are neighbours."""

    def network(self) -> nn.Module:
        return Convolutional(**self.shape)


TASKS = {"transformer": Characters, "perceptron": Digits, "convolutional": Pictures}
