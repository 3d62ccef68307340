"""Exchange the forms of GELU in three networks that people use; write real_networks.json.

    .venv/bin/python tools/laboratory/record_real_networks.py

It downloads 210 MB by pip and apt-get, whose hashes are pinned, into _build/real_networks, and
imports nothing of it. It takes some ten minutes on two cores, prints how far it is, and goes on
where it was when it was stopped. What it needs beside the book, the README says.

What was fixed before the run:

- The networks are those used by many that were found inside packages of PyPI: Magika 1.0.3,
  all-MiniLM-L6-v2, Whisper tiny.en. None that was run is left out.
- The baseline is the form that the file names: tanh in Magika, exact in the two others (in Whisper
  for the decoder; the encoder is taken to have the same). Magika and MiniLM are computed in
  float64, so that a change is that of the form; Whisper in float32.
- A decision is what a program does with the outputs. Magika: which of 214 types is the likeliest
  for a file. MiniLM: which of all rests of docstrings is nearest to a first sentence, by cosine.
  Whisper: which token comes next, after the tokens that the baseline has written; and whether the
  transcript of a window stays, which it does where no token of it changes. Changed is not wrong.
- All inputs count. Doubles are removed before, for MiniLM texts with the same tokens; what is drawn
  is decided by hashes, not by results.
- The distance of two outputs is the root mean square of their difference, divided by that of the
  outputs: log-odds less their mean (Magika, Whisper), vectors of length 1 (MiniLM).
- The rulers: float32 for float64; weights rounded to float16, bfloat16 and int8 (symmetric, a scale
  for each output; for MiniLM another maker's export, which rounds activations too); input and
  output of GELU in float16; for Magika a batch of 8 files in place of 1, in ONNX Runtime.
- An interval is Wilson's, of 95 %, as if decisions were independent. They are not: so it is also
  counted in how many groups anything changes, which are packages, modules and windows.
- Constants by layer are those with the least mean square error for the inputs of that layer, as
  the baseline has them.

Before these rules a trial had been run with the same networks and speech, on other files and
texts. After a first run under them two were mended: texts with the same tokens were not yet
doubles, and 0.0447 was compared with the exact form alone, not with 0.044715. The table of ggml
came in then, too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    SMALL_ONLY = {"action": "store_true", "help": "only the part that a test repeats"}
    GIVEN = command_line.read(__doc__, **{"--small": SMALL_ONLY})
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy; two processes share the work

import hashlib
import json
import platform
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache, lru_cache
from importlib import metadata
from importlib.util import find_spec
from multiprocessing import get_context
from typing import IO, Any

import numpy as np
import real_inputs as inputs
import real_models as models
import real_packages as packages
import real_statistics as statistics
from record_frameworks import processor

from gelu_lib.evidence.real_networks import site_constants
from gelu_lib.register import result

RECORD = packages.ROOT / "gelu_lib" / "data" / "real_networks.json"
PARTS = packages.ROOT / "_build" / "real_networks"
PROCESSES = 2
NEEDED = ("onnx", "onnxruntime", "safetensors", "tokenizers")
LONGEST_TEXT, PAIRS = 32, 700  # tokens, and pairs of texts
NEAR_TIES = 20
SENSELESS = 8
"""So many windows get the forms that write nothing sensible."""

ONE_K, ONE_C = (float(result(id).value) for id in ("tanh-gelu-cubic", "logistic-gelu-scale"))
FORMS = {
    "exact": models.exact,
    "tanh": models.tanh(),
    "tanh, 0.0447": models.tanh(0.0447),
    "tanh, best k": models.tanh(ONE_K),
    "tanh, table": models.table,
    "sigmoid": models.sigmoid(1.702),
    "sigmoid, best c": models.sigmoid(ONE_C),
    "silu": models.sigmoid(1),
    "relu": models.relu,
}
"""The forms that are the same in all layers; best is what has the least largest error."""
ROUNDINGS = {
    "weights float16": models.to_float16,
    "weights bfloat16": models.to_bfloat16,
    "weights int8": models.to_int8,
}
LAYER_FITS = {
    "tanh, k by layer": "k",
    "tanh, k and s by layer": "k and s",
    "sigmoid, c by layer": "c",
}
NETWORKS = {"Magika": models.Magika, "MiniLM": models.MiniLM, "Whisper": models.Whisper}
BASELINES = {"Magika": "tanh", "MiniLM": "exact", "Whisper": "exact"}
ALONE = ("relu, convolution alone", *(f"tanh, {site} alone" for site in models.MiniLM.sites))
"""A form at one site, and at the others that of the baseline."""
RULERS = ("activations float16", "weights bfloat16", "weights int8")
ARMS = {
    "Magika": (
        *(*FORMS, *LAYER_FITS, ALONE[0], *RULERS),
        *("weights float16", "float32", "batch of 8"),
    ),
    "MiniLM": (*FORMS, *LAYER_FITS, *ALONE[1:], *RULERS, "weights float16", "float32"),
    "Whisper": (*FORMS, *LAYER_FITS, *RULERS),  # whose file has float16
}
NARROW = {"silu", "relu", "float32", *ALONE, *ROUNDINGS}
"""What is computed in float32 in MiniLM."""


# --- networks, as an arm has them


@cache
def forms_of(network: str, arm: str) -> list[models.Form]:
    """The form of each site."""
    sites, base = NETWORKS[network].sites, FORMS[BASELINES[network]]
    if arm in FORMS:
        return [FORMS[arm]] * len(sites)
    if arm in LAYER_FITS:
        found = [site_constants(site, LAYER_FITS[arm]) for site in laws(network)]
        fitted = models.tanh if "k" in LAYER_FITS[arm] else models.sigmoid
        return [fitted(**one) for one in found]
    if arm in ALONE:
        form, only = arm.removesuffix(" alone").split(", ")
        return [FORMS[form] if site == only else base for site in sites]
    return [models.in_float16(base) if arm == "activations float16" else base] * len(sites)


def made(network: str, arm: str) -> models.Network:
    narrow = {"Magika": False, "MiniLM": arm in NARROW, "Whisper": True}[network]
    weights = weights_of(network, arm if arm in ROUNDINGS else "", narrow)
    return NETWORKS[network](weights, forms_of(network, arm))


@lru_cache(maxsize=4)
def weights_of(network: str, rounding: str, narrow: bool) -> models.Weights:
    to, dtype = ROUNDINGS.get(rounding, np.asarray), np.float32 if narrow else np.float64
    return {name: to(one).astype(dtype) for name, one in packages.READERS[network]().items()}


# --- what the networks give


def magika(arm: str) -> dict[str, np.ndarray]:
    """Log-odds for each file; from the baseline also the laws of its inputs."""
    seen = np.array([inputs.bytes_seen(content) for _, content in inputs.files()])
    if arm in ("float32", "batch of 8"):
        return {"outputs": in_onnxruntime(seen, 8 if arm == "batch of 8" else 1)}
    network, laws = made("Magika", arm), statistics.Laws(models.Magika.sites)
    network.watch = laws.see if arm == BASELINES["Magika"] else None
    return {"outputs": np.array([network(one) for one in seen]), **laws.arrays()}


def in_onnxruntime(seen: np.ndarray, batch: int) -> np.ndarray:
    """Magika's log-odds by the program that runs it, so many files at once."""
    import onnx

    model = onnx.load_from_string(packages.weights_file("Magika"))
    scores = next(n.input[0] for n in model.graph.node if n.op_type == "ReduceMax")
    model.graph.output.append(onnx.helper.make_tensor_value_info(scores, 1, None))
    session, given = session_of(model.SerializeToString()), seen.astype(np.int32)
    parts = [given[i : i + batch] for i in range(0, len(given), batch)]
    return np.concatenate([session.run([scores], {"bytes": one})[0] for one in parts]).astype(float)


def session_of(model: bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])


def minilm(arm: str) -> dict[str, np.ndarray]:
    """A vector for each text; from the baseline also the laws of its inputs."""
    _, tokens = asked()
    if arm == "weights int8":
        return {"outputs": by_export(tokens)}
    network, laws = made("MiniLM", arm), statistics.Laws(models.MiniLM.sites)
    network.watch = laws.see if arm == BASELINES["MiniLM"] else None
    vectors = np.empty((len(tokens), 384))
    for places in batches(tokens):
        vectors[places] = network(np.array([tokens[place] for place in places]))
    return {"outputs": vectors, **laws.arrays()}


@cache
def asked() -> tuple[list[str], list[list[int]]]:
    """The modules of pairs of texts, and their tokens: a first sentence, its rest, the next pair.

    Texts that are the same once they are cut are doubles, too.
    """
    found, modules, tokens, seen = inputs.texts()[: 2 * PAIRS], [], [], set()
    every = iter(tokens_of([text for _, *pair in found for text in pair]))
    for (module, *_), *pair in zip(found, every, every, strict=True):
        if seen.isdisjoint(map(tuple, pair)) and len(modules) < PAIRS:
            modules.append(module)
            tokens += pair
            seen.update(map(tuple, pair))
    return modules, tokens


def tokens_of(texts: list[str]) -> list[list[int]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(packages.beside("MiniLM", "tokenizer.json").decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST_TEXT)
    return [one.ids for one in tokenizer.encode_batch(texts)]


def batches(tokens: list[list[int]], size: int = 32) -> Iterator[list[int]]:
    """Places of texts of one length, so that none is padded."""
    for length in sorted({len(one) for one in tokens}):
        places = [place for place, one in enumerate(tokens) if len(one) == length]
        yield from (places[at : at + size] for at in range(0, len(places), size))


def by_export(tokens: list[list[int]]) -> np.ndarray:
    """The vectors of the other maker's export to int8."""
    session, vectors = session_of(packages.weights_file("MiniLM, int8")), []
    for one in tokens:
        given = np.array([one])
        named = {"input_ids": given, "attention_mask": given**0, "token_type_ids": 0 * given}
        mean = session.run(None, named)[0][0].astype(float).mean(0)
        vectors.append(mean / np.sqrt(mean @ mean))
    return np.array(vectors)


@cache
def windows() -> list[np.ndarray]:
    return [inputs.spectrogram(one).astype(np.float32) for one in inputs.windows() or ()]


def permitted(scores: np.ndarray, place: int = 0) -> np.ndarray:
    """Log-odds from a place on, −∞ for tokens that Whisper's program does not let through there."""
    settings, found = packages.whisper_settings(), scores.astype(float)
    found[:, [token for token in settings["suppress_ids"] if token >= 0]] = -np.inf
    if place == 0:
        found[0, settings["suppress_ids_begin"]] = -np.inf
    return found


def whisper(part: str) -> dict[str, np.ndarray]:
    """For one window what the baseline says, or what each arm makes of it."""
    what, window = part.split()
    return {"said": said, "arms": compared_arms}[what](windows()[int(window)], window)


def said(sound: np.ndarray, _: str) -> dict[str, np.ndarray]:
    laws, network = statistics.Laws(models.Whisper.sites), made("Whisper", "exact")
    network.watch = laws.see  # the encoder's inputs once,
    heard = network.listen(sound)
    network.watch = None
    transcript = network.transcript(heard, permitted)
    network.watch = laws.see  # and the decoder's
    network.scores([*network.START, *transcript[:-1]], heard)
    return {"transcript": np.array(transcript), **laws.arrays()}


def compared_arms(sound: np.ndarray, window: str) -> dict[str, np.ndarray]:
    """All arms are given the tokens of the baseline."""
    transcript = kept("Whisper", f"said {window}")["transcript"].tolist()

    def scores(arm: str) -> np.ndarray:
        network = made("Whisper", arm)
        given = [*network.START, *transcript[:-1]]
        return permitted(network.scores(given, network.listen(sound))[1:])

    few = int(window) >= SENSELESS
    of = {arm: scores(arm) for arm in ARMS["Whisper"] if not (few and arm in ("silu", "relu"))}
    if of["exact"].argmax(-1).tolist() != transcript:
        raise ArithmeticError(f"window {window}: without a cache another token is the likeliest")
    found = {
        name: log_odds_compared(of[before], of[after], [window] * len(transcript))
        for name, (before, after) in comparisons("Whisper").items()
        if after in of
    }
    return {"arms": np.array(json.dumps(found)), "leads": statistics.margins(of["exact"])}


def comparisons(network: str) -> dict[str, tuple[str, str]]:
    """What is compared with what: each arm with the baseline, and two that have other bases."""
    base = BASELINES[network]
    found = {arm: (base, arm) for arm in ARMS[network] if arm != base}
    found["digits"] = ("tanh", "tanh, 0.0447")
    if network == "Magika":
        found["batch of 8"] = ("float32", "batch of 8")
    return found


def log_odds_compared(before: np.ndarray, after: np.ndarray, groups: list) -> dict:
    ends = statistics.centred(before), statistics.centred(after)
    return statistics.compared(*ends, (before, after), groups)


# --- parts, which are kept

MAKERS = {"Magika": magika, "MiniLM": minilm, "Whisper": whisper}


@cache
def code() -> str:
    """A digest of the modules and the pins on which the parts depend."""
    own = Path(__file__).parent
    evidence = packages.ROOT / "gelu_lib" / "evidence" / "real_networks.py"
    files = [Path(__file__), *sorted(own.glob("real_*.py")), packages.PINS, evidence, inputs.PINS]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def kept(network: str, name: str) -> dict[str, np.ndarray]:
    """A part: read if it is there, else made."""
    path = PARTS / code() / f"{network}, {name}.npz".replace(" ", "_")
    if not path.exists():
        found = MAKERS[network](name)
        store(path, lambda file: np.savez_compressed(file, **found))
    with np.load(path) as file:
        return dict(file)


def store(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file whole, or not at all.

    Raises:
        SystemExit: if that fails, as on a full disk.
    """
    unfinished = path.with_suffix(".unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as file:
            write(file)
        unfinished.rename(path)
    except OSError as failed:
        unfinished.unlink(missing_ok=True)
        raise SystemExit(f"{path.name} was not written: {failed.strerror}") from None


def parts() -> Iterator[list[tuple[str, str]]]:
    """All parts; those of the second list need those of the first."""
    spoken = range(len(windows()))
    if not spoken:
        print("no apt-get, dpkg-deb or package of speech: Whisper stays as it was recorded")
    yield [*BASELINES.items()][:2] + [("Whisper", f"said {one}") for one in spoken]
    arms = [(network, arm) for network in ("MiniLM", "Magika") for arm in ARMS[network]]
    yield arms + [("Whisper", f"arms {one}") for one in spoken]


def make(parts: list[tuple[str, str]]) -> None:
    """Make what is missing, in two processes, and say how far it is.

    Raises:
        SystemExit: in one line, if a part cannot be made; those that are made are kept.
    """
    start, deaf = time.monotonic(), (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), signal.signal, deaf) as pool:
        running = {pool.submit(kept, *one): one for one in parts}
        for done, future in enumerate(finished(pool, running), 1):
            name = ", ".join(running[future])
            if failed := future.exception():
                pool.shutdown(cancel_futures=True)
                raise SystemExit(f"{name}: {failed}; nothing was recorded") from failed
            minutes = (time.monotonic() - start) / 60
            print(f"{done} of {len(parts)}, {minutes:.1f} min: {name}", flush=True)


def finished(pool: ProcessPoolExecutor, running: Iterable[Future]) -> Iterator[Future]:
    """What is done, until somebody stops it."""
    try:
        yield from as_completed(running)
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)
        raise SystemExit("stopped; what is made is kept, and nothing was recorded") from None


# --- the record


@cache
def laws(network: str) -> list[dict]:
    """The laws of the inputs of a network's baseline."""
    names = [f"said {one}" for one in range(len(windows()))]
    found = [kept(network, n) for n in (names if network == "Whisper" else [BASELINES[network]])]
    return statistics.recorded(found, NETWORKS[network].sites)


def of_magika() -> dict:
    """All comparisons, and of all forms also those with the exact one."""
    outputs = {arm: kept("Magika", arm)["outputs"] for arm in ARMS["Magika"]}
    groups = [package for package, _ in inputs.files()]

    def between(before: str, after: str) -> dict:
        return statistics.together([log_odds_compared(outputs[before], outputs[after], groups)])

    arms = {name: between(*pair) for name, pair in comparisons("Magika").items()}
    for arm in {*FORMS, *LAYER_FITS} & arms.keys():
        arms[arm]["from exact"] = between("exact", arm)["relative"]
    leads = statistics.margins(outputs["tanh"])
    return {"groups": len(set(groups)), "leads": near_ties(leads), "arms": arms}


def of_minilm() -> dict:
    groups, _ = asked()
    outputs = {arm: kept("MiniLM", arm)["outputs"] for arm in ARMS["MiniLM"]}
    near = {arm: vectors[::2] @ vectors[1::2].T for arm, vectors in outputs.items()}
    arms = {}
    for name, (before, after) in comparisons("MiniLM").items():
        ends = outputs[before], outputs[after]
        found = statistics.compared(*ends, (near[before], near[after]), groups)
        right = int((near[after].argmax(-1) == np.arange(len(groups))).sum())
        arms[name] = {**statistics.together([found]), "right": right}
    leads = near_ties(statistics.margins(near["exact"]))
    right = int((near["exact"].argmax(-1) == np.arange(len(groups))).sum())
    return {"groups": len(set(groups)), "leads": leads, "right": right, "arms": arms}


def of_whisper() -> dict:
    each = [kept("Whisper", f"arms {one}") for one in range(len(windows()))]
    found = [json.loads(str(one["arms"])) for one in each]
    arms = {
        name: statistics.together([one[name] for one in found if name in one])
        for name in comparisons("Whisper")
    }
    leads = near_ties(np.concatenate([one["leads"] for one in each]))
    return {"groups": len(each), "leads": leads, "arms": arms}


def near_ties(leads: np.ndarray) -> list[float]:
    """The least margins by which a first choice of the baseline leads."""
    return np.sort(leads)[:NEAR_TIES].tolist()


def rounded(found: Any) -> Any:
    """Numbers to seven digits, in whatever they stand."""
    if isinstance(found, Mapping):
        return {name: rounded(one) for name, one in found.items()}
    if isinstance(found, list):
        return [rounded(one) for one in found]
    return float(f"{found:.7g}") if isinstance(found, float) else found


def measured() -> dict:
    """Everything, from the parts."""
    record = {
        "versions": {"python": platform.python_version()}
        | {name: metadata.version(name) for name in ("numpy", "scipy", *NEEDED)},
        "processor": processor(),
        "bytes": packages.four_bytes(),
        "networks": {},
    }
    makers = {"Magika": of_magika, "MiniLM": of_minilm, "Whisper": of_whisper}
    for network in BASELINES:
        if network == "Whisper" and not windows():
            record["networks"][network] = known_record()["networks"][network]
            continue
        source = packages.SOURCES[network]
        said = {"file": source.file, "sha256": source.sha256, "licence": source.licence}
        found = {"form": BASELINES[network], **makers[network](), "sites": laws(network)}
        record["networks"][network] = said | found
    return rounded(record)


def main(small: bool) -> None:
    packages.fetch()
    if small:
        record = known_record()
    else:
        for some in parts():
            make(some)
        record = measured()
    text = json.dumps(record | {"small": measure_small()}, indent=1, ensure_ascii=False) + "\n"
    store(RECORD, lambda file: file.write(text.encode()))
    print(RECORD.name)


def known_record() -> dict:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def measure_small() -> dict:
    """A part that a test repeats: four files, and four pairs of texts."""
    files = [inputs.bytes_seen(content) for _, content in inputs.files()[:4]]
    tokens = asked()[1][:8]
    found = {}
    for arm in ("exact", "tanh", "sigmoid"):
        network, other = made("Magika", arm), made("MiniLM", arm)
        scores = np.array([network(one) for one in files])
        vectors = np.array([other(np.array([one]))[0] for one in tokens])
        found[arm] = {"Magika": scores.max(-1).tolist(), "MiniLM": vectors[:, 0].tolist()}
    return rounded(found)


if __name__ == "__main__":
    if missing := [name for name in NEEDED if not find_spec(name)]:
        raise SystemExit(f"not installed: {', '.join(missing)}; the README says how")
    main(GIVEN.small)
