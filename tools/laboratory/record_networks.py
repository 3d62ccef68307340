"""Train two small networks with each form of GELU and write gelu_lib/data/networks.json.

    .venv/bin/python tools/laboratory/record_networks.py

It needs PyTorch and scikit-learn, which the book does not; the README says how to install them. It
takes less than half an hour on two cores, prints how far it is, and goes on where it was when it
was stopped: each part is kept in _build/networks. A graphics processor is used where PyTorch finds
one.

What was fixed before the results that it is about:

- The question of the training is whether the tanh form and the exact form lead to another loss on
  the validation data. All other comparisons are beside it.
- Arms with the same seed have the same initial weights and the same data in the same order, so they
  are compared in pairs: the mean of the differences over the seeds, with a t-interval of 95 %.
- The ruler is the exact form once more, with every initial weight moved by one part in 2²³. What
  this changes is nothing but rounding that has grown, and no difference below it counts.
- The number of seeds, the steps and the learning rates were fixed before, and no run is left out.
  The perceptron is also trained with half and twice the learning rate.
- After a swap nothing is random any more. The baseline is the network as it was trained, evaluated
  in float64.
- A network is back, after a swap and so many steps of fine-tuning, when its loss on the validation
  data is at most what it was before the swap, plus the standard deviation of the loss from seed to
  seed: then another seed would have changed it as much. If that does not happen within the steps,
  it is said. A network that keeps its form is trained on for as many steps, for comparison.
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
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, replace
from itertools import chain
from multiprocessing import get_context
from typing import Any

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # CUDA is deterministic only with it

import network_parts as parts_of
import network_runs as runs
import torch
from network_parts import r, versions, written
from network_runs import Arm, Plan
from record_frameworks import processor

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "gelu_lib" / "data" / "networks.json"
PARTS = ROOT / "_build" / "networks"
PROCESSES = 2

PLANS = {
    "transformer": Plan(
        task={
            "shape": {"width": 96, "heads": 4, "layers": 3, "context": 64},
            "batch": 16,
            "windows": 128,
        },
        steps=400,
        rate=3e-3,
        rising=50,
        decay=0.01,
        looked_at=(0, 50, 200, 400),
        tuned_to=(0, 1, 2, 4, 8, 16, 32, 64, 128),
    ),
    "perceptron": Plan(
        task={"shape": {"width": 64}, "batch": 32},
        steps=800,
        rate=3e-3,
        rising=50,
        decay=0.01,
        looked_at=(0, 100, 400, 800),
        tuned_to=(0, 1, 2, 4, 8, 16, 32, 64, 128),
    ),
}
SEEDS = {"transformer": 6, "perceptron": 12}

FORMS = ("exact", "tanh", "sigmoid", "exact, tanh slope", "relu", "silu")
ARMS = {form: Arm(form) for form in FORMS} | {"exact, moved": Arm("exact", moved=True)}
RATES = {
    f"{form}, {rate} the rate": Arm(form, faster=factor)
    for rate, factor in (("half", 0.5), ("twice", 2.0))
    for form in FORMS[:3]
}
TRAINED = {"transformer": ARMS, "perceptron": ARMS | RATES}

SWAPS = {
    "exact": [
        *("tanh", "sigmoid", "tanh, best k", "tanh, both best", "sigmoid, best c"),
        *("tanh, 0.0447", "tanh, 0.0447149", "relu", "silu"),
        *(f"{form}, {t}" for form in FORMS[:3] for t in ("float16", "bfloat16")),
    ],
    "tanh": ["exact", "sigmoid", "tanh, best k", "tanh, 0.0447", "tanh, 0.0447149"],
    "sigmoid": ["exact", "tanh", "sigmoid, best c"],
}
"""For each form that networks were trained with, the forms that take its place."""
TUNED = ("exact", "tanh", "sigmoid", "silu", "relu")
"""What networks that were trained with the exact form are tuned to; the first is for comparison."""

SMALLER = {"steps": 20, "rising": 10, "looked_at": (0,), "tuned_to": (0, 1, 2)}
SMALL = {
    "transformer": replace(
        PLANS["transformer"],
        task={
            "shape": {"width": 32, "heads": 2, "layers": 2, "context": 32},
            "batch": 8,
            "windows": 32,
        },
        **SMALLER,
    ),
    "perceptron": replace(
        PLANS["perceptron"], task={"shape": {"width": 16}, "batch": 32}, **SMALLER | {"steps": 40}
    ),
}
"""A part of the experiment so small that a test repeats it."""


# --- parts, which are kept


def place(*part: Any) -> Path:
    """Where a part is kept."""
    return parts_of.place(PARTS, *part)


def kept(kind: str, plan: Plan, name: str, seed: int, make: Callable[[], dict]) -> dict:
    """A part: read if it is there, else made."""
    return parts_of.kept(place(kind, plan, name, seed).with_suffix(".json"), make)


def trained(kind: str, plan: Plan, arm: str, seed: int) -> dict:
    """Train a network; its weights are kept beside the part."""

    def make() -> dict:
        task = runs.task_of(kind, plan)
        look = runs.inputs if TRAINED[kind][arm] == Arm("exact") else None
        network, seen = runs.train(task, plan, TRAINED[kind][arm], seed, look)
        weights = place(kind, plan, arm, seed).with_suffix(".pt")
        weights.parent.mkdir(parents=True, exist_ok=True)
        torch.save(network.state_dict(), weights)
        odds = runs.log_odds(runs.double(network), task)
        return {**runs.judged(odds, task), "inputs": seen}

    return kept(kind, plan, arm, seed, make)


def after(kind: str, plan: Plan, arm: str, seed: int) -> dict:
    """What happens to a trained network: swaps, sixteen bits, fine-tuning."""

    def network():
        made = task.network()
        path = place(kind, plan, arm, seed).with_suffix(".pt")
        made.load_state_dict(torch.load(path, weights_only=True))
        return made.to(runs.device())

    task = runs.task_of(kind, plan)
    found = {"swaps": runs.swapped(network(), task, arm, SWAPS[arm])}
    if arm == "exact":
        found["narrow"] = runs.narrowed(network(), task, arm)
        found["tuned"] = {form: runs.tuned(network(), task, plan, form, seed) for form in TUNED}
    return found


def part(kind: str, plan: Plan, name: str, seed: int) -> dict:
    """One part, by its name: an arm, or ``after`` an arm."""
    runs.prepare()
    arm = name.removeprefix("after ")
    made = trained(kind, plan, arm, seed)
    if arm == name:
        return made
    return kept(kind, plan, name, seed, lambda: after(kind, plan, arm, seed))


def parts(plans: Mapping[str, Plan], seeds: Mapping[str, int]) -> list[tuple]:
    """Every part, those of a seed together, and each after what it needs."""
    return [
        (kind, plans[kind], name, seed)
        for kind in plans
        for seed in range(seeds[kind])
        for name in chain(TRAINED[kind], (f"after {arm}" for arm in SWAPS))
    ]


def make_all(wanted: list[tuple]) -> None:
    """Make what is missing, in two processes, and say how far it is."""
    start = time.monotonic()
    # what comes after an arm begins when all arms are there
    for group in (
        [p for p in wanted if "after" not in p[2]],
        [p for p in wanted if "after" in p[2]],
    ):
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
            running = {pool.submit(part, *one): one for one in group}
            for done, future in enumerate(as_completed(running), 1):
                kind, _, name, seed = running[future]
                future.result()
                minutes = (time.monotonic() - start) / 60
                print(f"{done} of {len(group)}, {minutes:.1f} min: {kind}, {name}, {seed}")
                sys.stdout.flush()


# --- the record


def recorded(plans: Mapping[str, Plan], seeds: Mapping[str, int]) -> dict:
    """Everything about all networks, from the parts."""
    return {kind: _recorded(kind, plan, seeds[kind]) for kind, plan in plans.items()}


def _recorded(kind: str, plan: Plan, seeds: int) -> dict:
    def over_seeds(name: str) -> list[dict]:
        return [part(kind, plan, name, seed) for seed in range(seeds)]

    arms = {arm: over_seeds(arm) for arm in TRAINED[kind]}
    later = {arm: over_seeds(f"after {arm}") for arm in SWAPS}
    every = [*chain.from_iterable(arms.values()), *chain.from_iterable(later.values())]
    return {
        "plan": asdict(plan),
        "data": runs.task_of(kind, plan).said,
        "seeds": seeds,
        "seconds": round(sum(one["seconds"] for one in every)),
        "trained": {arm: merged(found, ("loss", "accuracy")) for arm, found in arms.items()},
        "swaps": {arm: swaps([one["swaps"] for one in found]) for arm, found in later.items()},
        "narrow": swaps([one["narrow"] for one in later["exact"]]),
        "tuned": {form: [r(one["tuned"][form]) for one in later["exact"]] for form in TUNED},
        "inputs": spreads([one["inputs"] for one in arms["exact"]]),
    }


def merged(found: list[dict], names: tuple[str, ...]) -> dict[str, list]:
    """Lists over the seeds in place of a list of records."""
    return {name: [r(one[name]) for one in found] for name in names}


def swaps(found: list[dict]) -> dict[str, dict]:
    return {
        other: merged([one[other] for one in found], tuple(found[0][other])) for other in found[0]
    }


def spreads(found: list[dict]) -> dict[str, list]:
    """The inputs of the activations after numbers of steps, the counts of all seeds together."""
    return {
        step: [_spread([one[step][layer] for one in found]) for layer in range(len(layers))]
        for step, layers in found[0].items()
    }


def _spread(found: list[dict]) -> dict:
    counts = [sum(bins) for bins in zip(*(one["counts"] for one in found), strict=True)]
    return {
        **merged(found, ("mean", "sd")),
        "below": sum(one["below"] for one in found),
        "above": sum(one["above"] for one in found),
        "counts": " ".join(map(str, counts)),
    }


def measure_small() -> dict:
    """The small part, made anew: arms of one seed, and what comes after them."""
    runs.prepare()
    return {kind: _small(kind, plan) for kind, plan in SMALL.items()}


def _small(kind: str, plan: Plan) -> dict:
    task, found = runs.task_of(kind, plan), {}
    for name in ("exact", "tanh", "exact, moved"):
        network, _ = runs.train(task, plan, ARMS[name], seed=0)
        found[name] = r(runs.judged(runs.log_odds(runs.double(network), task), task)["loss"])
        if name == "exact":
            changes = runs.swapped(network, task, "exact", ["tanh", "sigmoid", "tanh, float16"])
            found["swaps"] = {
                other: {"loss": r(one["loss"]), "first": r(sum(one["first"]))}
                for other, one in changes.items()
            }
            found["tuned"] = r(runs.tuned(network, task, plan, "relu", seed=0))
    return found


def main(small: bool) -> None:
    if small:
        known = json.loads(RECORD.read_text(encoding="utf-8"))
    else:
        make_all(parts(PLANS, SEEDS))
        known = {
            "versions": versions(),
            "processor": processor(),
            "device": runs.device().type,
            "processes": PROCESSES,
            "edges": [runs.EDGES[0], runs.EDGES[-1]],
            "networks": recorded(PLANS, SEEDS),
        }
    parts_of.write(RECORD, written(known | {"small": measure_small()}))
    print(RECORD.name)


if __name__ == "__main__":
    main(GIVEN.small)
