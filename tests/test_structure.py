"""The library's floors: what each module may import, and what importing the package loads."""

import ast
import subprocess
import sys
from pathlib import Path

import gelu_lib

LIBRARY = Path(gelu_lib.__file__).parent
FLOORS = [
    "register",
    "activations",
    "functions",
    "notation",
    "deciding",
    "existence",
    "rules",
    "derivations",
    "identities",
    "series",
    "families",
    "norms",
    "fits",
    "values",
    "tables",
    "figures",
]
HEAVY = ("sympy", "mpmath", "matplotlib", "IPython")


def modules_of_ours(source: str) -> set[str]:
    """The modules of gelu_lib that a source text imports."""
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
    ours = {name.split(".")[1] for name in imported if name.startswith("gelu_lib.")}
    return ours & set(FLOORS)


def climbing(module: str, source: str) -> set[str]:
    """The modules that a module imports though they do not stand below it."""
    return modules_of_ours(source) - set(FLOORS[: FLOORS.index(module)])


def test_every_module_has_its_floor():
    assert {path.stem for path in LIBRARY.glob("*.py")} - {"__init__"} == set(FLOORS)


def test_a_module_imports_only_from_the_floors_below():
    for module in FLOORS:
        source = (LIBRARY / f"{module}.py").read_text(encoding="utf-8")
        assert climbing(module, source) == set(), module


def test_an_import_that_climbs_is_found():
    assert climbing("norms", "from gelu_lib.fits import minimax") == {"fits"}
    assert climbing("norms", "from gelu_lib import fits") == {"fits"}
    assert climbing("norms", "import gelu_lib.fits") == {"fits"}


def test_importing_the_package_loads_numpy_and_scipy_special_alone():
    program = "import sys, gelu_lib.activations; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(loaded.stdout.split())
    assert "scipy.special" in loaded
    assert not [name for name in HEAVY if name in loaded]
    assert not {"scipy.optimize", "scipy.stats", "scipy.integrate"} & loaded


def test_the_register_needs_the_standard_library_alone():
    source = (LIBRARY / "register.py").read_text(encoding="utf-8")
    names = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert names <= sys.stdlib_module_names
