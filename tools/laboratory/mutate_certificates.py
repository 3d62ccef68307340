"""Weaken the proofs one edit at a time, and see that the tests notice each.

    .venv/bin/python tools/laboratory/mutate_certificates.py            every mutant
    .venv/bin/python tools/laboratory/mutate_certificates.py tails      those of one module, by name

A mutant is one edit after which a proof would accept what is false, or report a number that was not
proved, or a search let through what has no start; ``mutants.toml`` has them. It is applied to a
copy of the library, on which the tests of its module are run until one fails. The status is 1 if a
mutant survives, or if its text is no longer found exactly once. It takes about an hour; continuous
integration does not run it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

ROOT = Path(__file__).resolve().parents[2]
WINGS = ("certificates", "fits", "functions", "floats")
"""Where the modules with mutants lie."""

STEPS, WHOLE = (f"tests/certificates/test_certificate{name}.py" for name in ("_steps", "s"))
TANH, LEAST, SUPREMA, OWN, ZEROS, SINGULAR, INCREASING = (
    f"tests/certificates/test_{name}.py"
    for name in (
        *("tanh_optima", "least_integrals", "suprema", "bring_your_own", "zeros"),
        *("singularities", "increasing"),
    )
)
START, CRITERIA = "tests/fits/test_exchange.py", "tests/fits/test_criteria.py"
TESTS = (STEPS, WHOLE)
OWN_TESTS = {
    "zeros": (ZEROS, SINGULAR),
    "suprema": (SUPREMA,),
    "sup_errors": ("tests/certificates/test_sup_errors.py", SUPREMA, WHOLE),
    "balance": ("tests/certificates/test_balance.py", STEPS),
    "bounds": (STEPS, SUPREMA),
    "signs": (LEAST,),
    "integrals": (LEAST,),
    "least_integrals": (LEAST,),
    "certificate": (WHOLE, STEPS, TANH),
    "theorem": (STEPS, WHOLE, OWN),
    "minimax": (WHOLE,),
    "results": (WHOLE,),
    "tanh_errors": (TANH,),
    "tanh_optima": (TANH,),
    "merging": (TANH,),
    "increasing": (INCREASING,),
    "links": ("tests/functions/test_families.py",),
    "differences": ("tests/certificates/test_differences.py",),
    "gates": ("tests/floats/test_gates.py",),
    "kernel_forms": ("tests/floats/test_kernels.py",),
    "refutations": ("tests/floats/test_kernels.py",),
    "judging": ("tests/floats/test_kernels.py",),
    "exact": ("tests/floats/test_exact_kernels.py",),
    "criteria": (CRITERIA, START, WHOLE),
    "exchange": (START,),
    "start": (START, WHOLE),
}
"""The tests of the modules that have tests of their own; ``TESTS`` are those of the others."""

LONGEST = 900
"""The seconds after which a mutant that does not end counts as noticed."""


@dataclass(frozen=True)
class Mutant:
    """One edit, and why it weakens the proof."""

    module: str
    old: str
    new: str
    why: str

    @property
    def path(self) -> Path:
        wings = (ROOT / "gelu_lib" / wing for wing in WINGS)
        (path,) = (path for wing in wings for path in wing.rglob(f"{self.module}.py"))
        return path.relative_to(ROOT)

    @property
    def tests(self) -> tuple[str, ...]:
        return OWN_TESTS.get(self.module, TESTS)

    def applied(self, source: str) -> str:
        """The source with the edit.

        Raises:
            ValueError: if its text does not stand there exactly once.
        """
        if source.count(self.old) != 1:
            raise ValueError(f"{self.path} has {source.count(self.old)} times: {self.old}")
        return source.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    """Every mutant of ``mutants.toml``."""
    modules = tomllib.loads((Path(__file__).parent / "mutants.toml").read_text(encoding="utf-8"))
    return [Mutant(module, **edit) for module, edits in modules.items() for edit in edits]


MUTANTS = mutants()


def main(names: list[str]) -> int:
    modules = list(dict.fromkeys(mutant.module for mutant in MUTANTS))
    names = command_line.known(names, modules, "module")
    chosen = [mutant for mutant in MUTANTS if mutant.module in names]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copied(copy)
        if not all(tests_pass(copy, tests) for tests in {mutant.tests for mutant in chosen}):
            print("the tests fail without a mutant")
            return 1
        outcomes = [outcome(copy, mutant) for mutant in chosen]
    print({kind: outcomes.count(kind) for kind in sorted(set(outcomes))})
    return int(set(outcomes) != {"caught"})


def copied(folder: Path) -> None:
    """Copy the library and the tests of what has mutants to a folder."""
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "gelu_lib", folder / "gelu_lib", ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in (*WINGS, "shared"):
        shutil.copytree(ROOT / "tests" / name, folder / "tests" / name, ignore=left_out)


def outcome(folder: Path, mutant: Mutant) -> str:
    """Whether the tests notice a mutant: ``caught``, ``survived`` or ``not applied``."""
    path = folder / mutant.path
    source = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.applied(source), encoding="utf-8")
        found = "survived" if tests_pass(folder, mutant.tests) else "caught"
    except ValueError as problem:
        found = "not applied"
        print(problem)
    finally:
        path.write_text(source, encoding="utf-8")
    print(f"{found:11} {mutant.module:12} {mutant.why}", flush=True)
    return found


def tests_pass(folder: Path, tests: tuple[str, ...]) -> bool:
    """Whether the tests of the ordinary run pass in a folder; they stop at the first that fails."""
    ordinary = ["-o", "addopts=", "-m", "not slow"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *ordinary, *tests]
    # without bytecode, which is not renewed for two edits within a second
    settings = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            [*command, "-p", "no:cacheprovider"],
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if run.returncode not in (0, 1):  # interrupted, or no test was found
        raise RuntimeError(run.stdout.decode() + run.stderr.decode())
    return run.returncode == 0


if __name__ == "__main__":
    sys.exit(main(command_line.read(__doc__, modules={"nargs": "*"}).modules))
