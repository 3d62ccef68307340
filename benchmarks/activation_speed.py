"""Time of the activations per element, against the usual formulas, in one run and one thread.

    python benchmarks/activation_speed.py [LARGEST]

takes arrays of 10³ elements up to LARGEST, 10⁸ if it is not given, of standard normal numbers and
of numbers uniform on (−6, 6): the time of SciPy's functions depends on them. For each size it gives
the median time of three calls or more. The ways take turns, so each finds the caches as another
left them, and each goes first in its turn. Up to 10⁵ elements a turn has other numbers than the
last, because a processor learns the branches of a short array by heart: a column shows how much
less ``ndtr`` takes where it is given the same numbers again. It prints a table and writes
``benchmarks/records/activation_speed.json``. PyTorch is measured where it is installed. A copy of
the array reads it and writes as much, as every evaluation has to: it is the limit that memory sets.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    LARGEST = {"nargs": "?", "type": float, "default": 1e8, "metavar": "LARGEST"}
    GIVEN = command_line.read(__doc__, largest=LARGEST)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"

import importlib.util
import itertools
import json
import platform
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import median

import numpy as np
from scipy import special

from gelu_lib import activations

RECORD = Path(__file__).parent / "records" / "activation_speed.json"
SEED = 20160627
SECONDS = 2.5  # for each size, but at least three turns
TURNS = 3
NEW = 10**6  # numbers before the first come again
NDTR, ERF, COPY, TORCH = "x·ndtr(x)", "½x(1 + erf(x/√2))", "a copy", "PyTorch"
AGAIN = f"{NDTR} again"
WAYS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    NDTR: lambda x: x * special.ndtr(x),
    ERF: lambda x: x.dtype.type(0.5) * x * (1 + special.erf(x / x.dtype.type(np.sqrt(2)))),
    COPY: np.copy,
    **{name: way for name in activations.__all__ if callable(way := getattr(activations, name))},
}
INPUTS = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "uniform": lambda rng, size: rng.uniform(-6, 6, size),
}


def with_torch() -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """The ways, and PyTorch's two if it is installed."""
    if importlib.util.find_spec("torch") is None:
        return WAYS
    import torch

    torch.set_num_threads(1)
    gelu = torch.nn.functional.gelu
    return WAYS | {
        TORCH: lambda x: gelu(torch.from_numpy(x)),
        f"{TORCH}, tanh": lambda x: gelu(torch.from_numpy(x), approximate="tanh"),
    }


def nanoseconds(rows: np.ndarray, ways: dict[str, Callable]) -> dict[str, float]:
    """The median time per element of each way; each turn has another row, and begins one later."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    order, start = deque(ways.items()), time.perf_counter()
    for turn, x in enumerate(itertools.cycle(rows)):
        if turn >= TURNS and (time.perf_counter() - start > SECONDS or turn == 2000):
            break
        for name, way in order:
            begin = time.perf_counter()
            way(x)
            times[name].append(time.perf_counter() - begin)
        order.rotate(-1)
    return {name: round(1e9 * median(each) / rows.shape[1], 2) for name, each in times.items()}


def processor() -> str:
    """The processor by name, as far as the system tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def main(largest: float) -> None:
    """Measure, print and write the record."""
    packages = ["numpy", "scipy"] + ["torch"] * (importlib.util.find_spec("torch") is not None)
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
        "unit": "ns for each element, median of the calls",
        "seed": SEED,
    }
    ways, sizes = with_torch(), [10**k for k in range(3, 9) if 10**k <= largest]
    if not sizes:
        sys.exit(f"LARGEST is {largest:g}; accepted is 1000 or more")
    against = [way for way in (NDTR, ERF, TORCH, COPY) if way in ways]
    for dtype in ("float64", "float32"):
        for inputs, draw in INPUTS.items():
            columns = ", ".join([*ways, AGAIN])
            print(f"{dtype}, {inputs}: {columns}; gelu against {', '.join(against)}")
            for size in sizes:
                x = draw(np.random.default_rng(SEED), max(size, NEW)).astype(dtype)
                rows = x.reshape(-1, size)
                again = {AGAIN: lambda _, same=rows[0]: WAYS[NDTR](same)}
                times = nanoseconds(rows, ways | again)
                ratios = {way: round(times["gelu"] / times[way], 2) for way in against}
                results = record.setdefault(dtype, {}).setdefault(inputs, {})
                results[str(size)] = {"times": times, "gelu against": ratios}
                numbers = [*times.values(), *ratios.values()]
                print(f"  {size:11,}" + "".join(f"{number:9}" for number in numbers), flush=True)
    RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(GIVEN.largest)
