"""The lines for PyTorch on the page of outputs that differ find the form of a layer."""

import json
import os
import re
from functools import partial
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "book" / "outputs-differ.ipynb"
REQUIRED = "GELU_LIB_NEEDS_PYTORCH"


def lines() -> str:
    """The block of Python in the text of the page."""
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return block


@pytest.mark.skipif(not os.environ.get(REQUIRED), reason="PyTorch is tried where CI has it")
@pytest.mark.parametrize("form", ["exact", "tanh", "sigmoid"])
def test_the_smallest_number_is_that_of_the_form(form, capsys):
    torch = pytest.importorskip("torch")
    gelu = torch.nn.functional.gelu
    forms = {
        "exact": gelu,
        "tanh": partial(gelu, approximate="tanh"),
        "sigmoid": lambda a: a * torch.sigmoid(1.702 * a),
    }
    torch.manual_seed(0)
    first, second = torch.nn.Linear(8, 512), torch.nn.Linear(512, 8)
    names = {
        "first": first,
        "second": second,
        "model": lambda x: second(forms[form](first(x))),
        "inputs": 4 * torch.randn(64, 8),
    }
    exec(lines(), names)
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert min(printed, key=lambda name: float(printed[name])) == form
    assert float(printed[form]) < 1e-5
    assert min(float(printed[name]) for name in printed if name != form) > 1e-4
