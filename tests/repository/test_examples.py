"""Each name that a user calls has an example in its docstring, and the example runs."""

import doctest
import inspect
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from types import FunctionType

import matplotlib.pyplot as plt
import pytest
from arrows import misprinted

import gelu_lib
from gelu_lib.provenance.callables.conformance import conforms

BOOK = Path(gelu_lib.__file__).parents[1] / "book"
NAMED = {name: getattr(gelu_lib, name) for name in gelu_lib.__all__}
PUBLIC = {name: one for name, one in NAMED.items() if isinstance(one, type | FunctionType)}
PUBLIC["conforms"] = conforms


def faults(name: str, text: str) -> str:
    """What is wrong with the example of a name in a docstring; empty if nothing is."""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    if not any(re.search(rf"\b{name}\b", line.source) for line in example.examples):
        return f"no example has {name}"
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=told.append)
    return "".join(told)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_example_runs_and_gives_what_stands_below_it(name):
    assert faults(name, inspect.getdoc(PUBLIC[name])) == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("No example.", "no example has gelu"),
        (">>> abs(-1)\n1", "no example has gelu"),
        (">>> from gelu_lib import gelu\n>>> gelu(0.0)\n1.0", "Expected:"),
        (">>> gelu(0.0)\n0.0", "NameError"),
    ],
)
def test_an_example_that_is_missing_or_wrong_is_found(text, fault):
    assert fault in faults("gelu", text)


@pytest.mark.parametrize(("name", "here"), gelu_lib.ELSEWHERE.items())
def test_a_name_of_another_library_is_told_what_it_is_called_here(name, here):
    with pytest.raises(ImportError, match=f"has no {name}; the same function is {here}$"):
        exec(f"from gelu_lib import {name}")
    assert f"``{name}``" in inspect.getdoc(PUBLIC[here])


def test_the_names_of_other_libraries_are_those_of_the_records():
    records = tomllib.loads((files("gelu_lib") / "data" / "frameworks.toml").read_text("utf-8"))
    transformers = records["transformers"]
    for form, here in (("exact", {"gelu"}), ("approximate", {"gelu_tanh", "gelu_sigmoid"})):
        named = set(re.findall(r"\b(?:quick_)?gelu\w*", transformers[form]))
        ours = {name for name, function in gelu_lib.ELSEWHERE.items() if function in here}
        assert named - {"gelu", "gelu_10"} == ours - {"gelu_fast_approx"}


def test_a_tensor_that_numpy_cannot_read_is_told_the_way():
    torch = pytest.importorskip("torch")
    assert gelu_lib.gelu(torch.tensor([1.0])).dtype == "float32"
    for tensor in (torch.ones(2, requires_grad=True), torch.ones(2, dtype=torch.bfloat16)):
        with pytest.raises(TypeError, match=r"x came as Tensor, .* as x\.detach\(\)\.cpu\(\)"):
            gelu_lib.gelu(tensor)


@pytest.mark.parametrize("name", ["minimax", "certify"])
def test_the_sources_of_a_docstring_stand_in_the_bibliography(name):
    bibliography = (BOOK / "references.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"\bdoi = \{(.+?)\}", bibliography))
    named = set(re.findall(r"https://doi\.org/(\S+)\b", inspect.getdoc(PUBLIC[name])))
    assert named and named <= known


SHEET = (BOOK / "library.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]


def test_each_line_of_the_sheet_runs_and_gives_what_stands_behind_its_arrow():
    assert misprinted(SHEET) == []
    assert SHEET.count("→ ") > 12 and max(map(len, SHEET.splitlines())) <= 100
    plt.close("all")


def test_a_line_that_gives_something_else_is_found():
    code = "def f():\n    return 2\n\na = f()\na + 1  # → 3\na  # two → 3…\n1 / 3  # → 0.33…"
    assert misprinted(code) == ["a  # two → 3…"]
    with pytest.raises(NameError):
        misprinted("no_such_name  # nothing")
