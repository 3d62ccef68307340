"""The errors of the activations: at hard float64, at every float32, and at every 16-bit float.

    python benchmarks/float_accuracy.py [PART ...] [NAME ...]

measures the parts and functions that are named, or all of them, prints a table and writes each
result into ``gelu_lib/data/float_accuracy.json``. The parts are

- ``float64``: a hill climb from 200,000 hard inputs, at more than two million inputs for each
  function, every error measured by Arb; a quarter or half a minute for each;
- ``float64-libm``: the same at a fifth as many inputs, with the exp and the expm1 of the C library
  in the place of those that NumPy has in vector instructions;
- ``float32``: all inputs, some minutes for each function. The errors are those against the float64
  results, of the same kernel in ``gelu``, whose own errors are known by then; what lies too close
  to a midpoint is decided by Arb;
- ``float16`` and ``bfloat16``: all inputs, decided by Arb. bfloat16 needs ``ml_dtypes``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(__doc__, wanted={"nargs": "*", "metavar": "PART|NAME"})

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np

import gelu_lib
from gelu_lib import activations
from gelu_lib.floats.ulp import (
    ERROR_FUNCTIONS,
    error_in_ulp,
    errors_in_ulp,
    is_correctly_rounded,
)

RECORD = Path(gelu_lib.__file__).parent / "data" / "float_accuracy.json"
SEED = 20160627
COUNT = 200_000  # hard inputs, from which the climb starts
LIBM_SHARE = 5  # of which so many are taken, and of the rounds, with the C library
PIECE = 50_000  # inputs between two steps of the progress bar
CLIMBERS, TRIES = 1500, 8  # so many inputs try so many steps in a round
ROUNDS = {"left": 150, "right": 30}  # on the right the errors are those of the left, and smaller
SCALES = 2.0 ** -np.arange(4.0, 48.0, 4.0)  # relative sizes of the steps
FOUND_ELSEWHERE = {
    "gelu": ["-0x1.2745af5129d6ap+5"],
    "gelu_tanh": ["-0x1.dcd07ea47bc22p+1"],
    "gelu_sigmoid": ["-0x1.cd25e4872692dp+1"],
    "gelu_derivative": ["-0x1.3fe952d36470cp-1"],
    "gelu_tanh_derivative": ["-0x1.6f11453309c0ep+2"],
    "gelu_sigmoid_derivative": ["-0x1.68332f5de3d76p+1"],
}
"""Inputs with large errors that another search brought to light; the climb has them, too."""
SPAN = 2**15  # float32 that are evaluated at once
FLOAT32_BITS, NARROW_BITS = range(2**32), range(2**16)
# A float64 that is no nearer to the midpoint of two float32 than so many of its own units decides
# between them; it is a multiple of the largest error found in float64.
DOUBT = 32

# Inputs at which an evaluation is most likely to fail.

WHERE_IT_VANISHES = {
    "gelu": (-38.59, -37.6),
    "gelu_tanh": (-21.55, -21.1),
    "gelu_sigmoid": (-441.4, -419.0),
    "gelu_derivative": (-38.68, -37.7),
    "gelu_tanh_derivative": (-21.6, -21.2),
    "gelu_sigmoid_derivative": (-441.7, -420.0),
}
"""From the last subnormal result to the first normal one."""


def hard_inputs(name: str, count: int, seed: int) -> np.ndarray:
    """About so many float64: all magnitudes, the left tail, zeros, subnormal results, and seams.

    Seams are where another kernel begins, and halfway between the numbers of which exponents are
    taken.

    Args:
        name: a key of ``ERROR_FUNCTIONS``.
        count: how many, within a few.
        seed: of the generator.

    Returns:
        An array without infinities, most of it left of 0, where the digits are harder to keep.
    """
    rng = np.random.default_rng(seed)
    part = count // 20
    low, _ = WHERE_IT_VANISHES[name]
    bits = rng.integers(0, 2**64, size=part, dtype=np.uint64).view(np.float64)
    coarse = rng.integers(1, 2**26, size=2 * part) + 0.5  # halfway between two multiples of 2⁻²³
    return np.concatenate(
        [
            bits[np.isfinite(bits)],
            np.exp(rng.uniform(-40, 4, size=2 * part)) * rng.choice([-1.0, 1.0], size=2 * part),
            rng.uniform(-0.76, -0.74, size=part),  # where the derivatives vanish
            rng.uniform(-1, 0, size=3 * part),
            rng.uniform(-4, -1, size=4 * part),
            rng.uniform(-8.01, -4, size=2 * part),
            rng.uniform(low, -7.99, size=2 * part),
            rng.uniform(*WHERE_IT_VANISHES[name], size=part),
            rng.uniform(0, 8, size=2 * part),
            -np.nextafter(coarse * 2.0**-23, rng.choice([-1.0, 1e9], size=2 * part)),
        ]
    )


def measured_float64(name: str) -> dict:
    """The largest errors that the climb finds."""
    return largest_errors(name, getattr(activations, name))


def measured_with_libm(name: str) -> dict:
    """The largest errors found with the exp and the expm1 of the C library."""
    return largest_errors(name, lambda x: results_with_libm(name, x), LIBM_SHARE)


EVALUATION = """
import sys
import numpy
from gelu_lib import activations
from gelu_lib.floats import types as floats

inputs = numpy.frombuffer(sys.stdin.buffer.read(), floats.float_type(sys.argv[2]).dtype)
sys.stdout.buffer.write(getattr(activations, sys.argv[1])(inputs).tobytes())
"""


def results_with_libm(name: str, inputs: np.ndarray) -> np.ndarray:
    """The results of a function where NumPy may use no vector instructions.

    NumPy chooses its loops when it is imported, so that they come from a process of its own.
    """
    instructions = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    results = subprocess.run(
        [sys.executable, "-c", EVALUATION, name, inputs.dtype.name],
        env=os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join(instructions)},
        input=inputs.tobytes(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return np.frombuffer(results.stdout, inputs.dtype)


def largest_errors(name: str, function: Callable[[np.ndarray], np.ndarray], share: int = 1) -> dict:
    """The largest errors of float64 results that are found on either half-line, and where.

    A unit is relatively smallest where the result lies just below a power of two, and how the
    operations round depends on the last bits of x. So the search goes on from the worst inputs.
    """
    known = [float.fromhex(x) for x in FOUND_ELSEWHERE[name]]
    start = np.append(hard_inputs(name, COUNT // share, SEED), known)
    result = {"inputs": 0, "seed": SEED}
    for side, inputs in (("left", start[start < 0]), ("right", start[start >= 0])):
        worst, error, tried = climbed(name, inputs, ROUNDS[side] // share, function)
        result["inputs"] += tried
        result[side] = {"largest ULP": round(error, 4), "at": worst.hex()}
    return result


def climbed(
    name: str, inputs: np.ndarray, rounds: int, function: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, float, int]:
    """The worst input that a hill climb reaches, its error, and how many inputs were tried.

    In each round every climber tries steps of all sizes, since the first bits of x decide how large
    the errors can be, and the last bits how they add up. The worst of all that are known go on.
    """
    rng = np.random.default_rng(SEED)
    climbers, errors = np.empty(0), np.empty(0)
    tried, near = 0, inputs
    for _ in range(rounds + 1):
        tried += near.size
        inputs = np.append(climbers, near)
        errors = np.append(errors, sizes(name, near, function(near)))
        inputs, once = np.unique(inputs, return_index=True)
        worst = np.argsort(-errors[once], kind="stable")[:CLIMBERS]
        climbers, errors = inputs[worst], errors[once][worst]
        scales = rng.choice(SCALES, (TRIES, climbers.size))
        near = (climbers * (1 + scales * rng.uniform(-1, 1, scales.shape))).ravel()
        near = near[np.isfinite(near)]
    return float(climbers[0]), float(errors[0]), tried


def sizes(name: str, inputs: np.ndarray, results: np.ndarray) -> np.ndarray:
    """The sizes of the errors of float64 results, in units in the last place."""
    pieces = np.array_split(np.stack([inputs, results]), max(1, inputs.size // PIECE), axis=1)
    errors = [errors_in_ulp(name, *piece.tolist()) for piece in with_progress(pieces, name)]
    return np.abs(np.concatenate(errors))


def measured_float32(name: str) -> dict:
    """The largest error over all float32, and how many results are not rounded correctly."""
    worst, witness, wrong, doubtful, finite = 0.0, 0.0, 0, 0, 0
    for bits in with_progress(list(FLOAT32_BITS[::SPAN]), name):
        inputs = np.arange(bits, bits + SPAN, dtype=np.uint64).astype(np.uint32).view(np.float32)
        inputs = inputs[np.isfinite(inputs)]
        if inputs.size:
            errors, unsure = float32_errors(name, inputs)
            doubtful += unsure.size
            wrong += np.count_nonzero(np.delete(errors, unsure) > 0.5)
            for i in unsure:
                pair = result_of(name, inputs[i])
                errors[i] = abs(error_in_ulp(name, *pair, np.float32))
                wrong += not is_correctly_rounded(name, *pair, np.float32)
            finite += inputs.size
            place = errors.argmax()
            if errors[place] > worst:
                worst, witness = float(errors[place]), float(inputs[place])
    return {
        "inputs": finite,
        "largest ULP": round(worst, 6),
        "at": witness.hex(),
        "not correctly rounded": int(wrong),
        "decided by Arb": int(doubtful),
    }


def result_of(name: str, x: np.floating) -> tuple[float, float]:
    """An input and the result of the function under test."""
    return float(x), float(getattr(activations, name)(x))


def float32_errors(name: str, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The errors by the float64 results, and the places where these cannot tell a midpoint."""
    function, x = getattr(activations, name), inputs.astype(np.float64)
    computed = function(inputs)
    simple = simple_values(name, x)
    if simple is not None and np.array_equal(computed, simple.astype(np.float32)):
        return np.full(1, 0.5), np.array([], int)  # at most half a unit
    true = function(x)
    power = (true.view(np.uint64) & np.uint64(0x7FF << 52)).view(np.float64)
    per_unit = 2.0**23 / np.maximum(power, 2.0**-126)
    errors = np.abs(computed.astype(np.float64) - true) * per_unit
    doubt = DOUBT * 2.0**-52 * np.maximum(power, 2.0**-1000) * per_unit
    return errors, np.flatnonzero(np.abs(errors - 0.5) <= doubt)


def simple_values(name: str, x: np.ndarray) -> np.ndarray | None:
    """Float64 that decide every float32 where all inputs are tiny or beyond ±512, or None."""
    slope = "derivative" in name
    if np.abs(x).max() < 2.0**-60:
        if slope:
            return np.full_like(x, 0.5)
        # The value is x/2 and a little above it, by less than a unit of float64.
        return np.where(x == 0, x, np.nextafter(x / 2, np.inf))
    if np.abs(x).min() > 512:
        return (x > 0).astype(float) if slope else np.maximum(x, 0)
    return None


def measured_narrow(name: str, dtype: np.dtype) -> dict:
    """How many of the 65,536 inputs of a 16-bit type are not rounded correctly."""
    inputs = np.array(NARROW_BITS, np.uint16).view(dtype)
    with np.errstate(all="ignore"):  # signalling nan
        inputs = inputs[np.isfinite(inputs.astype(np.float64))]
    computed = getattr(activations, name)(inputs).astype(np.float64).tolist()
    pairs = list(zip(inputs.astype(np.float64).tolist(), computed, strict=True))
    wrong = sum(
        not is_correctly_rounded(name, x, y, dtype.type) for x, y in with_progress(pairs, name)
    )
    return {"inputs": inputs.size, "not correctly rounded": wrong}


def with_progress(parts: list, label: str) -> Iterator:
    """The parts one by one, with a bar on the terminal."""
    start = time.monotonic()
    for i, part in enumerate(parts):
        if i % max(1, len(parts) // 100) == 0:
            left = (time.monotonic() - start) / max(i, 1) * (len(parts) - i)
            bar = "█" * (30 * i // len(parts))
            print(f"\r{label:24} {bar:30} {left:5.0f} s left", end="", file=sys.stderr, flush=True)
        yield part
    print("\r" + 70 * " " + "\r", end="", file=sys.stderr)


def bfloat16() -> np.dtype:
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16)


PARTS = {
    "float64": measured_float64,
    "float64-libm": measured_with_libm,
    "float32": measured_float32,
    "float16": lambda name: measured_narrow(name, np.dtype(np.float16)),
    "bfloat16": lambda name: measured_narrow(name, bfloat16()),
}


def stored() -> dict:
    """The record so far."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def store(part: str, name: str, result: dict) -> None:
    """Put one result into the record."""
    record = stored()
    record |= {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "python-flint")},
        "exp of NumPy": exp_target(),
        "C library": " ".join(platform.libc_ver()),
    }
    record.setdefault(part, {})[name] = result
    RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def exp_target() -> str:
    """The instructions that NumPy's exp uses here, on which the errors of single inputs depend."""
    from numpy.lib import introspect

    found = introspect.opt_func_info(func_name="^exp$")
    loops = found.get("exp", {}).get("dd", {})  # missing where NumPy has no such instructions
    return loops.get("current", "none")


def main(wanted: list[str]) -> None:
    """Measure what is asked for, print it and store it."""
    command_line.known(wanted, [*PARTS, *ERROR_FUNCTIONS], "part or function")
    parts = [part for part in PARTS if part in wanted] or list(PARTS)
    names = [name for name in ERROR_FUNCTIONS if name in wanted] or list(ERROR_FUNCTIONS)
    for part in parts:
        for name in names:
            result = PARTS[part](name)
            store(part, name, result)
            print(part, name, json.dumps(result), flush=True)


if __name__ == "__main__":
    main(GIVEN.wanted)
