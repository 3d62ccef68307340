"""Measure GELU in the frameworks that are installed; write gelu_lib/data/frameworks_measured.json.

    .venv/bin/python tools/laboratory/record_frameworks.py [PACKAGE ...]

Packages are named as they are imported; without names, all that are installed are measured. What
is not measured keeps its old record. Each package is measured in a process of its own, because the
libraries that they load do not always agree. What changed is printed.

The inputs are fixed and nothing is timed. The results depend on the versions, which are recorded,
and on the processor, of which the widest vectors are recorded, as each package may choose its code
by them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(__doc__, **command_line.PACKAGES)

import importlib.util
import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from framework_adapters import PACKAGES

from gelu_lib.floats import measuring

RECORD = Path(__file__).resolve().parents[2] / "gelu_lib" / "data" / "frameworks_measured.json"
VECTORS = ("AVX512F", "AVX2", "AVX", "SVE", "ASIMD")


def processor() -> str:
    """The instruction set, and the widest vectors among ``VECTORS`` that NumPy finds."""
    import platform

    from numpy._core._multiarray_umath import __cpu_features__ as found

    wide = next((name for name in VECTORS if found.get(name)), "no vectors that NumPy knows")
    return f"{platform.machine()}, {wide}"


def measure(name: str) -> dict[str, Any]:
    """The record of one package.

    Args:
        name: a key of ``framework_adapters.PACKAGES``.

    Returns:
        A dictionary ready for JSON.

    Raises:
        ModuleNotFoundError: if the package is not installed.
    """
    package = PACKAGES[name]()
    return {
        "versions": package.versions,
        "processor": processor(),
        "defaults": {call: measuring.nearest_form(f) for call, f in package.defaults.items()},
        "subjects": {key: measure_subject(subject) for key, subject in package.subjects.items()},
    }


def measure_subject(subject) -> dict[str, Any]:
    """The record of one implementation, in each of its types."""
    types = {}
    for dtype in subject.types:
        evaluate, form = subject.evaluate, subject.form
        types[dtype] = {
            "accuracy": measuring.form_accuracy(evaluate, form, dtype),
            "tail": measuring.left_tail(evaluate, form, dtype),
            "specials": measuring.specials(evaluate, dtype),
            "layout": measuring.layout(evaluate, dtype, subject.strided),
        }
        if subject.derivative:
            types[dtype]["gradient"] = measuring.gradient_accuracy(subject.derivative, form, dtype)
    return {"call": subject.call, "form": subject.form, "types": types}


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def in_its_own_process(name: str, script: str = __file__) -> dict[str, Any]:
    """What a script of this folder prints of a package, from a process that imports it alone."""
    command = [sys.executable, "-W", "ignore", script, "--print", name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return json.loads(done.stdout.splitlines()[-1])


def changes(new: Mapping[str, Any], old: Mapping[str, Any], path: Sequence[str] = ()) -> list[str]:
    """Where two records of numbers, strings and further records differ, one line for each."""
    found = []
    for key in [*new, *(key for key in old if key not in new)]:
        place = (*path, key)
        if isinstance(new.get(key), Mapping) and isinstance(old.get(key), Mapping):
            found += changes(new[key], old[key], place)
        elif new.get(key) != old.get(key):
            found.append(f"{'/'.join(place)}: {old.get(key)} -> {new.get(key)}")
    return found


def main(names: list[str]) -> None:
    chosen = command_line.known(names, list(PACKAGES), "package")
    old = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    new = dict(old)
    for name in chosen if names else filter(installed, chosen):
        new[name] = in_its_own_process(name)
        lines = changes(new[name], old.get(name, {}), (name,))
        print(f"{name}: {len(lines)} changes", *lines[:40], sep="\n  ")
    ordered = {name: new[name] for name in PACKAGES if name in new}
    RECORD.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if GIVEN.print:
        print(json.dumps(measure(GIVEN.print)))
    else:
        main(GIVEN.packages)
