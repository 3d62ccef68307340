"""Follow the inputs of GELU along training and write gelu_lib/data/trajectories.json.

    .venv/bin/python tools/laboratory/record_trajectories.py

It needs PyTorch and scikit-learn, which the book does not; the README says how to install them. It
takes less than half an hour on one core, prints how far it is, and goes on where it was when it was
stopped: each part is kept in _build/trajectories.

What was fixed before the run:

- The *best k* of some inputs makes the mean square error of x·σ(2√(2/π)(x + kx³)) against GELU
  least. For normal inputs with mean 0 it is a function k* of their standard deviation, which falls
  from Taylor's constant by 0.00102 in all. The *law* says that the best k is k* of the root mean
  square of the inputs, whatever else they are like.
- Two networks made the law: in networks.json, eight marks to 400 and 800 steps, the transformer is
  off by 0.00003 at most, and the perceptron, whose inputs have means far from 0, by 0.00011.
- The law is *right* at a mark if it is off by at most 0.0001, a tenth of that fall. A mark pools
  all layers and seeds of an arm; layers are looked at, too, but not judged.
- Predicted for the transformer: right at every mark. For the perceptron: wrong at some, and nowhere
  off by more than 0.0002. In bfloat16, for every network and mark: within 0.00005 of the best k of
  the same arm in float32.
- The test is a network of another kind, two convolutions on pictures whose background is 0; only
  20 steps of a smaller one were run before. Its arms run last. The law passes if it is right at 7
  of 8 of its marks or more, and if the root mean square by which it is off is below half of the
  standard deviation of the best k over these marks, so that it says more than one constant could.
- Every arm has 8 marks to 1,600 steps, the first before training. The rates are the book's and a
  third of it; the arm in bfloat16 has the book's rate. There PyTorch's autocast takes the products
  of matrices in bfloat16, forward and backward, and so GELU's inputs and outputs; the weights and
  AdamW are in float32, and as in every arm one looks into the network in float64. Seeds, steps
  and rates were fixed before, and nothing is left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    SMALL_ONLY = {"action": "store_true", "help": "only the part that a test repeats"}
    GIVEN = command_line.read(__doc__, **{"--small": SMALL_ONLY})

import json
import time
from dataclasses import asdict, replace
from itertools import product

import numpy as np

try:
    import network_parts as parts_of
    import network_runs as runs
    import sklearn  # noqa: F401  (before an hour is spent)
except ModuleNotFoundError as missing:
    raise SystemExit(f"{missing.name} is not installed; the README says how") from None
from network_models import WrongTextError
from network_parts import r
from network_runs import Arm, Plan
from record_frameworks import processor

from gelu_lib.evidence.trajectories import best_k

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "gelu_lib" / "data" / "trajectories.json"
PARTS = ROOT / "_build" / "trajectories"

MARKS = (0, 25, 50, 100, 200, 400, 800, 1600)
PLAN = Plan(task={}, steps=1600, rate=3e-3, rising=50, decay=0.01, looked_at=MARKS, tuned_to=())
PLANS = {
    "transformer": replace(
        PLAN,
        task={
            "shape": {"width": 96, "heads": 4, "layers": 3, "context": 64},
            "batch": 16,
            "windows": 128,
        },
    ),
    "perceptron": replace(PLAN, task={"shape": {"width": 64}, "batch": 32}),
    "convolutional": replace(PLAN, task={"shape": {"channels": 16}, "batch": 32}),
}
"""In the order of the run; the last is the one that is tested."""
SEEDS = {"transformer": 3, "perceptron": 6, "convolutional": 6}
ARMS = {
    "the rate": Arm("exact"),
    "a third of it": Arm("exact", faster=1 / 3),
    "bfloat16": Arm("exact", narrow=True),
}

SMALLER = {"steps": 20, "rising": 10, "looked_at": (0, 20)}
SMALL_TASKS = {
    "transformer": {
        "shape": {"width": 32, "heads": 2, "layers": 2, "context": 32},
        "batch": 8,
        "windows": 32,
    },
    "perceptron": {"shape": {"width": 16}, "batch": 32},
    "convolutional": {"shape": {"channels": 4}, "batch": 32},
}
SMALL = {kind: replace(PLAN, task=task, **SMALLER) for kind, task in SMALL_TASKS.items()}
"""A part of the experiment so small that a test repeats it."""

FINE, STORED = np.linspace(0, 8, 2049), np.linspace(0, 6, 97)
"""The edges of the bins of a part, and of the record; beyond, the forms agree with GELU."""
TOGETHER = 16
"""So many bins of a part make one of the record."""


def look(network, task) -> dict:
    """The loss and, as the errors of forms are even, the sizes of the inputs of each layer."""
    layers, loss = runs.reached(network, task)
    return {"loss": loss, "layers": [sizes(x) for x in layers]}


def sizes(x: np.ndarray) -> dict:
    counts, _ = np.histogram(abs(x), FINE)
    return {
        "inputs": x.size,
        "sum": float(x.sum()),
        "squares": float(x @ x),
        "counts": counts.tolist(),
    }


def part(kind: str, plan: Plan, arm: str, seed: int) -> dict:
    """What was seen at the marks of one training."""

    def make() -> dict:
        _, seen = runs.train(runs.task_of(kind, plan), plan, ARMS[arm], seed, look)
        return {"marks": seen}

    runs.prepare()
    return parts_of.kept(parts_of.place(PARTS, kind, plan, arm, seed).with_suffix(".json"), make)


def pooled(layers: list[dict]) -> dict:
    """Some layers as if they were one."""
    total = {name: sum(one[name] for one in layers) for name in ("inputs", "sum", "squares")}
    counts = np.sum([one["counts"] for one in layers], axis=0)
    return {
        "mean": round(total["sum"] / total["inputs"], 6),
        "rms": round(np.sqrt(total["squares"] / total["inputs"]), 6),
        "k": round(best_k((FINE[1:] + FINE[:-1]) / 2, counts), 8),
        "counts": counts,
        "inputs": total["inputs"],
    }


def mark(found: list[dict]) -> dict:
    """What the record says of a mark: all layers and seeds, and each layer with all seeds.

    The counts are shares, in hundred-thousandths of all inputs.
    """
    whole = pooled([layer for one in found for layer in one["layers"]])
    layers = [pooled(list(same)) for same in zip(*(one["layers"] for one in found), strict=True)]
    counts = whole.pop("counts").reshape(-1, TOGETHER).sum(axis=1)[: len(STORED) - 1]
    shares = np.round(1e5 * counts / whole.pop("inputs")).astype(int)
    return {
        "loss": r([float(f"{one['loss']:.6g}") for one in found]),
        **whole,
        "layers": {name: [one[name] for one in layers] for name in ("rms", "k")},
        "counts": " ".join(map(str, np.trim_zeros(shares, "b"))),
    }


def recorded(kind: str, plan: Plan, seeds: int) -> dict:
    arms = {arm: [part(kind, plan, arm, seed) for seed in range(seeds)] for arm in ARMS}
    return {
        "plan": asdict(plan),
        "data": runs.task_of(kind, plan).said,
        "seeds": seeds,
        "seconds": round(sum(one["seconds"] for found in arms.values() for one in found)),
        "arms": {
            arm: {
                str(step): mark([one["marks"][str(step)] for one in found])
                for step in plan.looked_at
            }
            for arm, found in arms.items()
        },
    }


def make_all() -> None:
    """Make what is missing, and say how far it is."""
    start = time.monotonic()
    for kind, plan in PLANS.items():
        for seed, arm in product(range(SEEDS[kind]), ARMS):
            last = part(kind, plan, arm, seed)["marks"][str(plan.steps)]
            minutes = (time.monotonic() - start) / 60
            print(f"{minutes:.1f} min: {kind}, {arm}, {seed}: loss {last['loss']:.4f}", flush=True)


def measure_small() -> dict:
    """The small part, made anew: one seed of each network, at the last of its marks."""
    runs.prepare()
    found = {}
    for kind, plan in SMALL.items():
        for arm in ARMS:
            _, seen = runs.train(runs.task_of(kind, plan), plan, ARMS[arm], 0, look)
            last = mark([seen[str(plan.steps)]])
            found[f"{kind}, {arm}"] = {name: last[name] for name in ("loss", "mean", "rms", "k")}
    return found


def main(small: bool) -> None:
    try:
        if small:
            known = json.loads(RECORD.read_text(encoding="utf-8"))
        else:
            make_all()
            known = {
                "versions": parts_of.versions(),
                "processor": processor(),
                "device": runs.device().type,
                "edges": [STORED[0], STORED[-1], len(STORED)],
                "networks": {kind: recorded(kind, PLANS[kind], SEEDS[kind]) for kind in PLANS},
            }
        parts_of.write(RECORD, parts_of.written(known | {"small": measure_small()}))
    except (OSError, WrongTextError) as error:
        raise SystemExit(f"{RECORD.name} was not written: {error}") from None
    print(RECORD.name)


if __name__ == "__main__":
    main(GIVEN.small)
