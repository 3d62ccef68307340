"""The library's floors: what each module may import, and what importing the package loads."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gelu_lib

LIBRARY = Path(gelu_lib.__file__).parent
FLOORS = {
    "gelu_lib": [
        "register",
        "activations",
        "floats",
        "magic_numbers",
        "functions",
        "derivations",
        "series",
        "families",
        "criteria",
        "norms",
        "starts",
        "newton",
        "alternation",
        "bands",
        "fits",
        "integral_fits",
        "peak_fits",
        "choices",
        "named_members",
        "tanh_forms",
        "tanh_starts",
        "rivals",
        "splitting",
        "growth",
        "sum_search",
        "certificates",
        "singularities",
        "float_texts",
        "classical",
        "float_errors",
        "usual_formulas",
        "formula_errors",
        "halving",
        "formula_thresholds",
        "mills",
        "tail_ratios",
        "same_numbers",
        "constant_intervals",
        "best_for_type",
        "best_in_ulp",
        "measuring",
        "variants",
        "your_own",
        "values",
        "tables",
        "classical_tables",
        "pasted_constants",
        "frameworks",
        "checkpoints",
        "framework_record",
        "number_tables",
        "claims",
        "figures",
    ],
    "gelu_lib.activations": [
        "coefficients",
        "pairs",
        "passes",
        "blocks",
        "gaussian",
        "logistic",
        "arrays",
    ],
    "gelu_lib.derivations": [
        "notation",
        "deciding",
        "growth",
        "existence",
        "rules",
        "counterexamples",
        "chain",
        "identities",
        "slopes",
        "stochastic",
        "tails",
        "catalogue",
    ],
    "gelu_lib.certificates": [
        "errors",
        "balls",
        "enclosures",
        "pieces",
        "tails",
        "solutions",
        "decay",
        "suprema",
        "optimality",
        "certificate",
        "sup_errors",
        "zeros",
        "signs",
        "integrals",
        "least_integrals",
        "tanh_errors",
        "tanh_optima",
        "merging",
        "increasing",
    ],
    "gelu_lib.claims": [
        "intervals",
        "numbers",
        "checks",
        "experiments",
        "statements",
        "programs",
        "common",
        "note_en",
        "note_zh",
        "hello_statisticians",
        "su",
        "clay",
        "myths",
    ],
    "gelu_lib.magic_numbers": [
        "literals",
        "roundings",
        "catalogue",
        "making",
        "chance",
        "search",
        "formulas",
    ],
    "gelu_lib.values": [
        "recipes",
        "derivatives",
        "gelu",
        "taylor",
        "forms",
        "tanh_constant",
        "logistic_constant",
        "criteria",
        "floating_point",
        "left_tail",
        "sixteen_bits",
        "claims",
        "telling_them_apart",
        "history",
        "your_own",
    ],
    "gelu_lib.variants": [
        "tolerances",
        "inputs",
        "evaluations",
        "others",
        "callables",
        "verdicts",
        "identification",
        "witnesses",
        "ranges",
    ],
    "gelu_lib.your_own": [
        "grids",
        "search",
        "bounds",
        "cases",
        "intervals",
        "rounding",
        "constants",
        "quadratic",
    ],
    "gelu_lib.figures": [
        "style",
        "tails",
        "slopes",
        "activation",
        "distributions",
        "singularities",
        "errors",
        "face",
        "local_matches",
        "forms",
        "certificates",
        "choices",
        "claims",
        "decision",
        "floats",
        "constants",
        "variants",
        "literals",
        "history",
        "frameworks",
        "your_own",
    ],
}
"""The modules of each package from the ground up; a package in the list is one floor."""

HEAVY = {
    "sympy",
    "mpmath",
    "flint",
    "matplotlib",
    "IPython",
    "scipy",
    "ml_dtypes",
}


def folder(package: str) -> Path:
    return LIBRARY.joinpath(*package.split(".")[1:])


def imported(source: str) -> set[str]:
    """The full names of everything that a source text imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def climbing(package: str, module: str, source: str) -> set[str]:
    """The floors that a module imports though they do not stand below it."""
    floors = FLOORS[package]
    above = floors[floors.index(module) :]
    names = imported(source)
    return {
        floor
        for floor in above
        for name in names
        if f"{name}.".startswith(f"{package}.{floor}.") and floor != module
    }


@pytest.mark.parametrize("package", FLOORS)
def test_every_module_has_its_floor(package):
    inside = folder(package)
    modules = {path.stem for path in inside.glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in inside.glob("*/__init__.py")}
    assert modules | packages == set(FLOORS[package])


@pytest.mark.parametrize("package", FLOORS)
def test_a_module_imports_only_from_the_floors_below(package):
    for path in sorted(folder(package).rglob("*.py")):
        module = path.relative_to(folder(package)).parts[0].removesuffix(".py")
        if module != "__init__":
            source = path.read_text(encoding="utf-8")
            assert climbing(package, module, source) == set(), path


@pytest.mark.parametrize(
    "source",
    [
        "from gelu_lib.fits import minimax",
        "from gelu_lib import fits",
        "import gelu_lib.fits",
        "def late():\n    from gelu_lib.fits import minimax",
    ],
)
def test_an_import_that_climbs_is_found(source):
    assert climbing("gelu_lib", "norms", source) == {"fits"}


def listed(page: str) -> list[str]:
    """The modules that the library reference lists, in its order."""
    return re.findall(r"^## gelu_lib\.(\w+)$", page, flags=re.MULTILINE)


def out_of_order(modules: list[str]) -> set[tuple[str, str]]:
    """The pairs of a module and one listed below it that it uses."""
    pairs = set()
    for place, module in enumerate(modules):
        path = LIBRARY / module
        files = path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]
        names = {name for file in files for name in imported(file.read_text(encoding="utf-8"))}
        below = modules[place + 1 :]
        pairs |= {
            (module, other)
            for other in below
            if any(f"{name}.".startswith(f"gelu_lib.{other}.") for name in names)
        }
    return pairs


def test_a_module_uses_only_those_above_it_in_the_library_reference():
    page = LIBRARY.parent / "book" / "library.md"
    assert out_of_order(listed(page.read_text(encoding="utf-8"))) == set()


def test_a_reference_out_of_order_is_found():
    assert listed("## gelu_lib.fits\n\ntext\n\n## gelu_lib.bands\n") == ["fits", "bands"]
    assert out_of_order(["fits", "bands"]) == {("fits", "bands")}


def test_importing_the_package_loads_numpy_alone():
    program = "import sys, gelu_lib.activations; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "numpy" in loaded
    assert HEAVY.intersection(loaded) == set()


def test_the_register_needs_the_standard_library_alone():
    source = (LIBRARY / "register.py").read_text(encoding="utf-8")
    assert {name.split(".")[0] for name in imported(source)} <= sys.stdlib_module_names
