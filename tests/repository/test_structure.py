"""The library's floors: what each module may import, and what importing the package loads."""

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from kinds import slow_but

import gelu_lib
from gelu_lib._extras import INSTALL, PROOF_PACKAGES

LIBRARY = Path(gelu_lib.__file__).parent
FLOORS = (
    "register activations functions derivations fits certificates floats provenance show evidence"
)
WINGS = FLOORS.split()
"""What stands at the top of the library, from the ground up."""


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


def loads_early(source: str) -> set[str]:
    """What is not everywhere, of what a module imports: python-flint, and ml_dtypes at its top."""
    top = "\n".join(ast.unparse(node) for node in ast.parse(source).body if is_import(node))
    names = {name for name in imported(source) if name.startswith("flint")} | imported(top)
    return {name.partition(".")[0] for name in names} & {"flint", "ml_dtypes"}


def is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


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


def test_the_library_has_its_wings_and_some_cases_of_a_test_run_always():
    rooms = {path.relative_to(LIBRARY).parts[0] for path in LIBRARY.rglob("*.py")}
    face = "__init__ __main__ _extras _proofs precision pytest_plugin rows"
    assert {name.removesuffix(".py") for name in rooms} - set(face.split()) == set(WINGS)
    page = (LIBRARY.parent / "book" / "library.md").read_text(encoding="utf-8")
    assert re.findall(r"^## gelu_lib\.(\w+)$", page, flags=re.MULTILINE) == WINGS
    marked = slow_but(lambda number: number < 2, iter([1, 2, 3]))
    assert [bool(one.marks) for one in marked] == [False, True, True]
    with pytest.raises(ValueError, match="no parameter is kept"):
        slow_but(lambda number: number > 3, [1, 2, 3])


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_imports_only_from_those_below_it(wing):
    mine = f"gelu_lib.{wing}"
    for module, source in modules().items():
        if f"{module}.".startswith(f"{mine}."):
            assert climbing(wing, source) == set(), module


@pytest.mark.parametrize(
    "source",
    [
        "from gelu_lib.fits.start import start",
        "from gelu_lib import fits",
        "import gelu_lib.fits.start",
        "def late():\n    from gelu_lib.fits.start import start",
    ],
)
def test_an_import_that_climbs_is_found(source):
    assert climbing("functions", source) == {"fits"}
    assert climbing("certificates", source) == climbing("fits", source) == set()


def test_no_modules_import_one_another_in_a_circle_and_the_register_none():
    assert circle(modules()) == []
    sources = {"one": "from two import b", "two": "import three", "three": "from one import a"}
    assert set(circle(sources)) == {"one", "two", "three"}
    needed = imported(modules()["gelu_lib.register"]) | imported(modules()["gelu_lib.rows"])
    others = {name for name in needed if not name.startswith("gelu_lib.rows.")}
    assert {name.split(".")[0] for name in others} <= sys.stdlib_module_names


DOUBLED = """
FORMS GELU GELU_DERIVATIVE Grid LINE S TANH U gelu_sigmoid gelu_tanh grid is_positive logistic
places
"""
"""The public names with two meanings, of which one is in functions, fits or certificates."""


def public_names(source: str) -> set[str]:
    """What a module defines by a name without a leading underscore.

    The builder of a derivation is left out: its name is the ID of a result.
    """
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            built = any(getattr(by, "id", "") == "identity" for by in node.decorator_list)
            names |= set() if built else {node.name}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = (part for target in targets for part in ast.walk(target))
            names |= {part.id for part in parts if isinstance(part, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def doubled(sources: Iterable[str]) -> set[str]:
    """The public names that more than one of these modules defines."""
    homes = Counter(name for source in sources for name in public_names(source))
    return {name for name, count in homes.items() if count > 1}


def test_a_public_name_has_one_meaning():
    found = doubled(path.read_text("utf-8") for path in LIBRARY.rglob("*.py"))
    assert found == set(DOUBLED.split())
    sources = [
        "A = B = 1",
        "def A(): C = 2",
        "class B: C = 3",
        "D: int = 4",
        "_D = D = 5",
        "_D = 6",
    ]
    assert doubled(sources) == {"A", "B", "D"}
    assert doubled(["@identity\ndef a(): 1", "a, b = 1, 2"]) == set()


WITHOUT = f"import sys; sys.modules |= dict.fromkeys({(*PROOF_PACKAGES, 'ml_dtypes')}, None)\n"
"""A Python in which the packages of the extra ``proofs`` are not installed."""


def run_without_proofs(program: str) -> str:
    """What a program prints that ends in an error where NumPy alone is installed."""
    command = [sys.executable, "-c", WITHOUT + program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else "fine"


ACTIVATIONS = gelu_lib.FACE["activations"]
PROGRAMS = {
    "computes": "; ".join(f"gelu_lib.{name}(1.0)" for name in ACTIVATIONS),
    "identifies": "gelu_lib.identify(gelu_lib.gelu)",
    "looks up": "str(gelu_lib.lookup('1.7016'))",
    "knows results": "gelu_lib.result('page-cubic')",
    "has all its names": "from gelu_lib import *; gelu(1.0); lookup('1.702')",
    "helps": "import pydoc; assert 'identify' in pydoc.render_doc(gelu_lib)",
    "is looked into": "import inspect; inspect.getmembers(gelu_lib)",
    "has no more": "assert hasattr(gelu_lib, 'gelu') and not hasattr(gelu_lib, 'minimax')",
    "has none of others": "assert not hasattr(gelu_lib, 'gelu_new')",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_with_numpy_alone_the_library(program):
    bare = "sys.modules |= dict.fromkeys(('matplotlib', 'IPython')); import gelu_lib"
    assert run_without_proofs(f"{bare}; {program}") == "fine"


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
        print(module, gelu_lib._extras.INSTALL in str(error))
"""
    command = [sys.executable, "-c", WITHOUT + program]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) > 50 and [line for line in said if line.endswith("False")] == []


def test_no_module_imports_what_is_not_everywhere():
    sources = {path: path.read_text("utf-8") for path in LIBRARY.rglob("*.py")}
    found = {path.stem: names for path, source in sources.items() if (names := loads_early(source))}
    assert found == {"_extras": {"flint"}}
    assert loads_early("from flint import arb") == {"flint"}
    assert loads_early("def late():\n    import flint.types") == {"flint"}
    assert loads_early("import ml_dtypes as m") == {"ml_dtypes"}
    assert loads_early("def late():\n    import ml_dtypes") == set()


def test_the_extra_is_told_as_the_project_has_it():
    project = tomllib.loads((LIBRARY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    extra = project["project"]["optional-dependencies"]["proofs"]
    assert shlex.split(INSTALL) == ["pip", "install", *extra]


def test_what_stands_for_flint_can_be_copied_and_tells_another_package(tmp_path):
    (tmp_path / "flint.py").write_text("is_another = True")
    program = """
import copy, inspect, pickle, sys
from gelu_lib._extras import flint
inspect.unwrap(copy.deepcopy(pickle.loads(pickle.dumps(flint))))
sys.modules.pop("flint")
sys.path.insert(0, sys.argv[1])
flint.arb
"""
    command = [sys.executable, "-c", WITHOUT + program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "the flint found here has no arb, as python-flint has; run: pip" in done.stderr


def test_only_a_proof_asks_for_python_flint():
    program = f"""
import gelu_lib
for module in {sorted(modules())}:
    __import__(module)
assert str(gelu_lib.minimax(gelu_lib.LOGISTIC).error).startswith("0.0094573")
form = gelu_lib.tanh_form("0.044715")
ball = lambda: gelu_lib.floats.ulp.correctly_rounded("gelu", 1.0, "float32")
for prove in (lambda: gelu_lib.certified_sup_error(form), ball):
    try:
        prove()
    except ModuleNotFoundError as error:
        assert error.name == "flint" and gelu_lib._extras.INSTALL in str(error)
    else:
        raise AssertionError
"""
    missing = "import sys; sys.modules |= dict.fromkeys(('flint', 'ml_dtypes'))\n"
    command = [sys.executable, "-c", missing + program]
    assert subprocess.run(command, capture_output=True, check=False).stderr == b""
