"""Repeat the PyTorch experiment of one source and write gelu_lib/data/pytorch.json.

    .venv/bin/python tools/laboratory/record_pytorch.py

It needs PyTorch, which the book does not; the README says how to install it. The source compares
three forms of GELU with PyTorch's tanh form and takes the largest signed difference. Here the same
numbers are measured, and beside them the largest absolute difference from the exact GELU:
``gelu_lib.activations.gelu`` in double precision, at the single-precision inputs. Nothing is
random, and no clock or machine is read.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line
import numpy as np

from gelu_lib.activations import gelu

RECORD = Path(__file__).resolve().parents[2] / "gelu_lib" / "data" / "pytorch.json"
RANGES = {"post": (-6, 6), "unit": (-1, 1)}
STEP = 0.001
ERF_INPUTS = [-2.0, -1.5, -1.0, -0.5, 0, 0.5, 1.0, 1.5, 2.0]
DIGITS = 8


def measure() -> dict:
    """Everything that the record holds, measured now.

    Returns:
        A dictionary of strings, numbers and further dictionaries, ready for JSON.

    Raises:
        ModuleNotFoundError: if PyTorch is not installed.
    """
    import torch

    return {
        "torch": torch.__version__.partition("+")[0],
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "options": {name: accepts(torch, name) for name in ("none", "tanh", "sigmoid")},
        "erf": {"as printed": erf_as_printed(torch), "repaired": erf_repaired(torch)},
        "ranges": {name: compare(torch, *ends) for name, ends in RANGES.items()},
    }


def accepts(torch, approximate: str) -> bool:
    """Whether torch.nn.functional.gelu knows this value of ``approximate``."""
    try:
        torch.nn.functional.gelu(torch.zeros(1), approximate=approximate)
    except RuntimeError:
        return False
    return True


def erf_as_printed(torch) -> str:
    """What happens when erf is taken of a name that was never given a value."""
    program = "x = torch.tensor(inputs)\nprint(torch.erf(y))\n"
    try:
        exec(program, {"torch": torch, "inputs": ERF_INPUTS})
    except NameError as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def erf_repaired(torch) -> list[str]:
    """erf of the inputs, to the four decimals that PyTorch prints."""
    return [f"{value:.4f}" for value in torch.erf(torch.tensor(ERF_INPUTS)).tolist()]


def compare(torch, low: float, high: float) -> dict:
    """The forms on a grid: as the source compares them, and against the exact GELU."""
    x = torch.arange(low, high, STEP)
    values = forms(torch, x)
    reference = values["torch tanh"]
    exact = gelu(x.numpy().astype(np.float64))
    differences = {name: (reference - value).double().numpy() for name, value in values.items()}
    errors = {name: value.double().numpy() - exact for name, value in values.items()}
    return {
        "points": len(x),
        "printed": {
            name: str(max(reference - values[form]))
            for name, form in (("Original", "exact"), ("Tanh", "tanh"), ("Sigmoid", "sigmoid"))
        },
        "signed": {name: rounded(max(value)) for name, value in differences.items()},
        "absolute": {name: rounded(max(abs(value))) for name, value in differences.items()},
        "error": {name: rounded(max(abs(value))) for name, value in errors.items()},
        "place": {
            name: rounded(abs(float(x[int(np.argmax(abs(value)))])))
            for name, value in errors.items()
        },
    }


def forms(torch, x) -> dict:
    """PyTorch's two functions on the whole array, and three formulas one number at a time."""
    functional = torch.nn.functional

    def exact(number):
        return number * (1 + torch.erf(number / math.sqrt(2))) / 2

    def tanh(number):
        inner = math.sqrt(2 / math.pi) * (number + 0.044715 * number**3)
        return number * (1 + torch.tanh(inner)) / 2

    def sigmoid(number):
        return number * torch.sigmoid(1.702 * number)

    own = {"exact": exact, "tanh": tanh, "sigmoid": sigmoid}
    return {
        "torch tanh": functional.gelu(x, approximate="tanh"),
        "torch default": functional.gelu(x),
        **{name: torch.tensor([form(number) for number in x]) for name, form in own.items()},
    }


def rounded(number: float) -> float:
    return float(f"{float(number):.{DIGITS}g}")


def main() -> None:
    RECORD.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    print(RECORD.name)


if __name__ == "__main__":
    command_line.read(__doc__)
    main()
