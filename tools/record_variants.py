"""Ask PyTorch's GELUs which form they compute, and write gelu_lib/data/variants.json.

    .venv/bin/python tools/record_variants.py

It needs PyTorch, which the book does not; the README says how to install it. Beside the functions
of the library it asks formulas that are written in its operations, as many models do: there every
operation rounds to the type of its argument. No clock or machine is read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gelu_lib.floats import FLOAT_TYPES
from gelu_lib.variants import Verdict, identify

RECORD = Path(__file__).resolve().parent.parent / "gelu_lib" / "data" / "variants.json"


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


def measure() -> dict[str, Any]:
    """Everything that the record holds, measured now."""
    found = verdicts(torch_functions(), "torch")
    return {
        "torch": version("torch").partition("+")[0],
        "assert_close": comparison_tolerances(),
        "verdicts": {
            name: {dtype: verdict.summary() for dtype, verdict in row.items()}
            for name, row in found.items()
        },
    }


def main() -> None:
    RECORD.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    print(RECORD.name)


if __name__ == "__main__":
    main()
