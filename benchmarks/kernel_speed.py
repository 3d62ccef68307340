"""Time of the cheap kernels in C, against what programs ship, a copy and ReLU, in one thread.

    python benchmarks/kernel_speed.py [LARGE]

compiles, with gcc, loops over the functions of gelu.h and over shipped formulas. It takes an array
of a few thousand standard normal numbers, which stays in the first cache, and one of LARGE, 10⁷ if
it is not given, which stays in none. Each loop is compiled twice. With ``-O3 -march=native`` alone
gcc makes vectors of what calls no function of the C library, and calls that library for each number
otherwise. With ``-ffast-math`` it calls the vector functions of libmvec, which it is for. That
takes nan and infinities for what does not occur; the record names the functions that have other
results then.

The ways take turns, in another order each time. It prints a table of medians, with ratios to a copy
and to ReLU, and writes ``benchmarks/records/kernel_speed.json``. A processor learns the branches of
a short array by heart, so what branches, as the C library does, takes longer for numbers that it
has not seen: the long array shows that. SciPy's ``x * ndtr(x)`` and PyTorch, which is measured
where it is installed, make an array for each result.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    LARGE = {"nargs": "?", "type": float, "default": 1e7, "metavar": "LARGE"}
    GIVEN = command_line.read(__doc__, large=LARGE)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"

import ctypes
import importlib.util
import json
import platform
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import median

import numpy as np
from activation_speed import processor
from scipy import special

from gelu_lib.floats.kernels.judging import kernels
from gelu_lib.floats.kernels.shipped import shipped
from gelu_lib.floats.kernels.texts import (
    function_name,
    function_text,
    kernel_file,
    languages,
    usual_forms,
)

RECORD = Path(__file__).parent / "records" / "kernel_speed.json"
SEED = 20160627
SMALL = 4096  # with its results, two thirds of a first cache of 48 KiB
TOGETHER = 2**20  # numbers in a turn: a short array is taken several times
SECONDS = 40.0  # for each size
TURNS = 3  # at least
OPTIONS = {"strict": ["-O3", "-march=native"], "fast": ["-O3", "-march=native", "-ffast-math"]}
"""How gcc compiles the loops."""
COPY, RELU, SCIPY, TORCH = "a copy", "ReLU", "SciPy, x·ndtr(x)", "PyTorch itself"
BASES = """
static inline float copy(float x) { return x; }
static inline float relu(float x) { return x > 0.0f ? x : 0.0f; }
"""
LOOP = """
__attribute__((noinline)) void loop_{0}(const float *restrict x, float *restrict y, long n) {{
  for (long i = 0; i < n; i++) y[i] = {0}(x[i]);
}}
void run_{0}(const float *x, float *y, long n, long times) {{
  while (times--) {{
    loop_{0}(x, y, n);
    __asm__ volatile("" ::: "memory");
  }}
}}
"""
Way = Callable[[np.ndarray, np.ndarray, int], object]
"""What takes inputs, an array for the results, and how many times it is done."""


def functions() -> dict[str, str]:
    """The functions in C by what they are called in the record."""
    c = languages()["C"].operations
    return {
        COPY: "copy",
        RELU: "relu",
        **{one.id: function_name(one) for one in kernels().values() if one.name == "gelu"},
        **{name: name for name in usual_forms()},
        **{
            one.name: f"shipped_{i}"
            for i, one in enumerate(shipped().values())
            if all(step.operation in c for step in one.program.steps)
        },
    }


def compiled(options: list[str], folder: Path) -> dict[str, Way]:
    """The functions, compiled."""
    c, named = languages()["C"], functions()
    programs = {
        f"shipped_{i}": one.program
        for i, one in enumerate(shipped().values())
        if f"shipped_{i}" in named.values()
    }
    texts = [kernel_file(c), BASES]
    texts += [function_text(program, name, c) for name, program in programs.items()]
    texts += map(LOOP.format, named.values())
    source, compiled_source = folder / "loops.c", folder / "loops.o"
    library = folder / f"loops{len(options)}.so"
    source.write_text("".join(texts), encoding="utf-8")
    # two steps: a library linked with -ffast-math makes its process flush subnormal numbers
    for command in (
        ["gcc", *options, "-fPIC", "-c", "-o", compiled_source, source],
        ["gcc", "-shared", "-o", library, compiled_source, "-lmvec", "-lm"],
    ):
        subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))

    def way(name: str) -> Way:
        run = loaded[f"run_{name}"]
        run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_long]
        return lambda x, y, times: run(x.ctypes.data, y.ctypes.data, x.size, times)

    return {label: way(name) for label, name in named.items()}


def ways(folder: Path) -> dict[str, Way]:
    """All ways; those in C as ``"strict: NAME"`` and ``"fast: NAME"``."""
    every = {
        f"{kind}: {name}": way
        for kind, options in OPTIONS.items()
        for name, way in compiled(options, folder).items()
    }
    every[SCIPY] = lambda x, y, times: [x * special.ndtr(x) for _ in range(times)]
    if importlib.util.find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)
        gelu = torch.nn.functional.gelu

        def with_torch(x: np.ndarray, times: int, form: str) -> None:
            inputs = torch.from_numpy(x)
            for _ in range(times):
                gelu(inputs, approximate=form)

        every[TORCH] = lambda x, y, times: with_torch(x, times, "none")
        every[f"{TORCH}, tanh"] = lambda x, y, times: with_torch(x, times, "tanh")
    return every


def changed(every: dict[str, Way], x: np.ndarray) -> list[str]:
    """The functions whose results ``-ffast-math`` changes."""

    def results(name: str) -> np.ndarray:
        y = np.empty_like(x)
        every[name](x, y, 1)
        return y

    return [
        name
        for name in functions()
        if not np.array_equal(results(f"strict: {name}"), results(f"fast: {name}"))
    ]


def nanoseconds(every: dict[str, Way], x: np.ndarray) -> dict[str, float]:
    """The median time per element of each way."""
    y, repeats, order = np.empty_like(x), max(1, TOGETHER // x.size), list(every)
    times: dict[str, list[float]] = {name: [] for name in every}
    shuffled, start, turn = random.Random(SEED), time.perf_counter(), 0
    while turn < TURNS or time.perf_counter() - start < SECONDS:
        shuffled.shuffle(order)
        for name in order:
            every[name](x[:SMALL], y[:SMALL], 1)  # its code and its first numbers are at hand
            begin = time.thread_time()  # without what other processes take
            every[name](x, y, repeats)
            times[name].append(time.thread_time() - begin)
        turn += 1
    return {name: 1e9 * median(each) / repeats / x.size for name, each in times.items()}


def main(large: float) -> None:
    """Measure, print and write the record."""
    if large <= SMALL:
        sys.exit(f"LARGE is {large:g}; accepted is more than {SMALL}")
    packages = ["numpy", "scipy"] + ["torch"] * (importlib.util.find_spec("torch") is not None)
    gcc = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True)
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "gcc": gcc.stdout.strip(),
        "C library": " ".join(platform.libc_ver()),
        **{package: version(package) for package in packages},
        "options": {kind: " ".join(options) for kind, options in OPTIONS.items()},
        "unit": "ns of the processor for each element, median of the calls",
        "seed": SEED,
    }
    x = np.random.default_rng(SEED).standard_normal(int(large)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        every = ways(Path(folder))
        record["other results by -ffast-math"] = changed(every, x[:SMALL])
        for size in (SMALL, x.size):
            times = nanoseconds(every, x[:size])
            print(f"{size:,} numbers: ns, and times as long as {COPY} and as {RELU}")
            record[str(size)] = {}
            for name, took in times.items():
                kind = "strict" if name.startswith("strict") else "fast"
                bases = {base: times[f"{kind}: {base}"] for base in (COPY, RELU)}
                ratios = {f"to {base}": round(took / one, 2) for base, one in bases.items()}
                record[str(size)][name] = {"ns": round(took, 4), **ratios}
                print(f"  {name:50}{took:9.4f}" + "".join(f"{r:9.2f}" for r in ratios.values()))
    RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(GIVEN.large)
