"""The library's floors: what each module may import, and what importing the package loads."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from kinds import slow_but

import gelu_lib
from gelu_lib._extras import PROOFS

LIBRARY = Path(gelu_lib.__file__).parent
FLOORS = (
    "register activations functions derivations fits certificates floats provenance show evidence"
)
WINGS = FLOORS.split()
"""What stands at the top of the library, from the ground up."""

HEAVY = {"sympy", "mpmath", "flint", "matplotlib", "IPython", "scipy", "ml_dtypes"}


@cache
def modules() -> dict[str, str]:
    """The source text of every module, by its full name."""
    return {
        ".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts): path.read_text("utf-8")
        for path in sorted(LIBRARY.rglob("*.py"))
        if path.name != "__init__.py"
    }


@cache
def imported(source: str) -> set[str]:
    """The full names of everything that a source text imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def climbing(wing: str, source: str) -> set[str]:
    """The wings that a module of a wing imports though they do not stand below it."""
    above = WINGS[WINGS.index(wing) + 1 :]
    names = imported(source)
    return {
        other for other in above for name in names if f"{name}.".startswith(f"gelu_lib.{other}.")
    }


def circle(sources: dict[str, str]) -> list[str]:
    """Modules that import one another in a circle, or an empty list."""
    needs = {
        module: {
            other
            for name in imported(source)
            for other in (name, name.rpartition(".")[0])
            if other in sources
        }
        for module, source in sources.items()
    }
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_the_library_and_its_reference_have_these_wings():
    rooms = {path.relative_to(LIBRARY).parts[0] for path in LIBRARY.rglob("*.py")}
    face = {"__init__.py", "__main__.py", "_extras.py", "_proofs.py", "rows.py"}
    assert {name.removesuffix(".py") for name in rooms - face} == set(WINGS)
    page = (LIBRARY.parent / "book" / "library.md").read_text(encoding="utf-8")
    assert re.findall(r"^## gelu_lib\.(\w+)$", page, flags=re.MULTILINE) == WINGS


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_imports_only_from_those_below_it(wing):
    mine = f"gelu_lib.{wing}"
    for module, source in modules().items():
        if f"{module}.".startswith(f"{mine}."):
            assert climbing(wing, source) == set(), module


@pytest.mark.parametrize(
    "source",
    [
        "from gelu_lib.fits.minimax import minimax",
        "from gelu_lib import fits",
        "import gelu_lib.fits.minimax",
        "def late():\n    from gelu_lib.fits.minimax import minimax",
    ],
)
def test_an_import_that_climbs_is_found(source):
    assert climbing("functions", source) == {"fits"}
    assert climbing("certificates", source) == climbing("fits", source) == set()


def test_no_modules_import_one_another_in_a_circle():
    assert circle(modules()) == []
    sources = {"one": "from two import b", "two": "import three", "three": "from one import a"}
    assert set(circle(sources)) == {"one", "two", "three"}


def heavy_modules(program: str) -> set[str]:
    """The packages beside NumPy that a program has loaded when it ends."""
    command = [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "numpy" in loaded
    return HEAVY.intersection(loaded)


@pytest.mark.parametrize(
    "program",
    [
        "import gelu_lib, gelu_lib.activations",
        "import gelu_lib; gelu_lib.identify(gelu_lib.gelu)",
        "import gelu_lib; gelu_lib.lookup('0.044715')",
    ],
)
def test_numpy_alone_is_loaded(program):
    assert heavy_modules(program) == set()


WITHOUT = "import sys; sys.modules |= dict.fromkeys({proofs}, None)\n"
"""A Python in which the packages of the extra ``proofs`` are not installed."""


def run_without_proofs(program: str) -> str:
    """What a program prints that ends in an error where NumPy alone is installed."""
    command = [sys.executable, "-c", WITHOUT.format(proofs=PROOFS) + program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else "fine"


def test_the_base_install_computes_identifies_looks_up_and_knows_results():
    calls = "; ".join(f"{name}(1.0)" for name in gelu_lib.FACE["activations"])
    others = "identify(gelu); lookup('0.044715'); result('page-cubic')"
    imported = ", ".join([*gelu_lib.FACE["activations"], "identify", "lookup", "result"])
    assert run_without_proofs(f"from gelu_lib import {imported}; {calls}; {others}") == "fine"


@pytest.mark.parametrize(
    "program",
    [
        "from gelu_lib import *; gelu(1.0); lookup('1.702')",
        "import gelu_lib, pydoc; assert 'identify' in pydoc.render_doc(gelu_lib)",
        "import gelu_lib, inspect; inspect.getmembers(gelu_lib)",
        "import gelu_lib; assert hasattr(gelu_lib, 'gelu') and not hasattr(gelu_lib, 'minimax')",
        "import gelu_lib; assert not hasattr(gelu_lib, 'gelu_new')",
    ],
)
def test_with_numpy_alone_python_can_ask_for_all_that_there_is(program):
    assert run_without_proofs(program) == "fine"


@pytest.mark.parametrize("name", ["minimax", "certify", "best_constants", "derivation", "Form"])
def test_what_needs_more_names_the_extra(name):
    said = run_without_proofs(f"from gelu_lib import {name}")
    assert said.splitlines()[-1] in run_without_proofs(f"import gelu_lib; gelu_lib.{name}").replace(
        "AttributeError", "ImportError"
    )
    assert re.search(rf"gelu_lib\.{name} needs (scipy|sympy|mpmath|flint); run: pip install", said)


def test_every_module_that_needs_more_names_the_extra():
    program = f"""
import gelu_lib
for module in {sorted(modules())}:
    try:
        __import__(module)
    except ModuleNotFoundError as error:
        print(module, "pip install 'gelu_lib[proofs]'" in str(error))
"""
    command = [sys.executable, "-c", WITHOUT.format(proofs=PROOFS) + program]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) > 50 and [line for line in said if line.endswith("False")] == []


def test_the_register_needs_the_standard_library_alone_and_what_else_is_loaded_is_found():
    assert {"sympy", "mpmath"} <= heavy_modules("import numpy, gelu_lib; gelu_lib.TANH_CUBIC")
    needed = imported(modules()["gelu_lib.register"]) | imported(modules()["gelu_lib.rows"])
    others = {name for name in needed if not name.startswith("gelu_lib.rows.")}
    assert {name.split(".")[0] for name in others} <= sys.stdlib_module_names


def test_of_the_cases_of_a_test_some_run_always():
    marked = slow_but(lambda number: number < 2, iter([1, 2, 3]))
    assert [bool(one.marks) for one in marked] == [False, True, True]
    with pytest.raises(ValueError, match="no parameter is kept"):
        slow_but(lambda number: number > 3, [1, 2, 3])
