"""Ask the GELUs of the frameworks which form they compute; write gelu_lib/data/variants.json.

    .venv/bin/python tools/laboratory/record_variants.py [PACKAGE ...]

Packages are named as they are imported; without names, all that are installed are asked, each in a
process of its own. What is not asked keeps its old record, and what changed is printed. Of PyTorch,
formulas that are written in its operations are asked too, as many models have them: there every
operation rounds to the type of its argument. No clock or machine is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(__doc__, **command_line.PACKAGES)

import json
import math
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import numpy as np
from framework_adapters import PACKAGES, Subject
from record_frameworks import changes, in_its_own_process, installed

from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.callables.identify import identify
from gelu_lib.provenance.callables.verdicts import Verdict

RECORD = Path(__file__).resolve().parents[2] / "gelu_lib" / "data" / "variants.json"


def verdicts(
    functions: Mapping[str, Callable[[Any], Any]], library: str
) -> dict[str, dict[str, Verdict]]:
    """The verdict on each function for each of the four types, by name and type.

    Args:
        functions: callables by the names that the record shows.
        library: whose arrays they take, as for ``identify``.
    """
    return {
        name: {dtype: identify(function, dtype, library=library) for dtype in FLOAT_TYPES}
        for name, function in functions.items()
    }


def torch_functions() -> dict[str, Callable[[Any], Any]]:
    """What is asked of PyTorch.

    Raises:
        ModuleNotFoundError: if it is not installed.
    """
    import torch

    functional = torch.nn.functional
    return {
        "gelu(x)": functional.gelu,
        "gelu(x, approximate='tanh')": lambda x: functional.gelu(x, approximate="tanh"),
        "0.5*x*(1 + erf(x/sqrt(2)))": lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2))),
        "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))": lambda x: (
            0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
        ),
        "x*sigmoid(1.702*x)": lambda x: x * torch.sigmoid(1.702 * x),
        "silu(x)": functional.silu,
    }


def comparison_tolerances() -> dict[str, dict[str, float]]:
    """The default tolerances of PyTorch's comparison for each type."""
    import torch
    from torch.testing._comparison import default_tolerances  # no public name has them

    found = {name: default_tolerances(getattr(torch, name)) for name in FLOAT_TYPES}
    return {name: {"rtol": rtol, "atol": atol} for name, (rtol, atol) in found.items()}


def measure_torch() -> dict[str, Any]:
    """What the record holds of PyTorch's operations and of its comparison, measured now."""
    found = verdicts(torch_functions(), "torch")
    return {
        "torch": version("torch").partition("+")[0],
        "assert_close": comparison_tolerances(),
        "verdicts": {
            name: {dtype: verdict.summary() for dtype, verdict in row.items()}
            for name, row in found.items()
        },
    }


def brief(verdict: Verdict) -> dict[str, Any]:
    """What is kept of a verdict on a framework."""
    summary = verdict.summary()
    kept = ("outcome", "candidates", "nearest", "working", "x", "value", "others")
    return {key: summary[key] for key in kept}


def asked(subject: Subject, dtype: str) -> dict[str, Any]:
    """The verdict on one implementation in one type.

    Where it needs the tolerance of arithmetic in 16 bits, ``in_float32`` holds the verdict on it if
    it were to work in float32. Elsewhere the two are the same.
    """
    verdict = identify(subject.evaluate, dtype)
    found = brief(verdict)
    if verdict.working != "float32":
        found["in_float32"] = brief(identify(subject.evaluate, dtype, working="float32"))
    return found


def measure_framework(name: str) -> dict[str, Any]:
    """The verdicts on one package; its calls without options are asked in float32.

    Args:
        name: a key of ``framework_adapters.PACKAGES``.

    Raises:
        ModuleNotFoundError: if the package is not installed.
    """
    package = PACKAGES[name]()
    return {
        "versions": package.versions,
        "defaults": {
            call: brief(identify(lambda x, f=f: np.asarray(f(x)), "float32"))
            for call, f in package.defaults.items()
        },
        "subjects": {
            key: {
                "call": subject.call,
                "form": subject.form,
                "types": {dtype: asked(subject, dtype) for dtype in subject.types},
            }
            for key, subject in package.subjects.items()
        },
    }


def framework_now(name: str) -> dict[str, Any]:
    """What ``measure_framework`` returns, from a process that imports this package alone."""
    return in_its_own_process(name, __file__)


def main(names: list[str]) -> None:
    accepted = command_line.known(names, list(PACKAGES), "package")
    chosen = accepted if names else list(filter(installed, accepted))
    old = json.loads(RECORD.read_text(encoding="utf-8"))
    new = {**old, **(measure_torch() if "torch" in chosen else {})}
    verdicts_now = old.get("frameworks", {}) | {name: framework_now(name) for name in chosen}
    new["frameworks"] = {name: verdicts_now[name] for name in PACKAGES if name in verdicts_now}
    lines = changes(new, old)
    print(f"{len(lines)} changes", *lines[:40], sep="\n  ")
    RECORD.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if GIVEN.print:
        print(json.dumps(measure_framework(GIVEN.print)))
    else:
        main(GIVEN.packages)
