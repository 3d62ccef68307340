"""Write gelu_lib/data/configurations.json: which activation each configuration of transformers has.

    .venv/bin/python tools/record_configurations.py transformers-5.23.0-py3-none-any.whl

The argument is a wheel of transformers, which ``pip download --no-deps`` brings. Nothing of it is
run. In every ``configuration_*.py`` the defaults of the classes are read from the syntax tree, and
those are kept that name an activation.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import command_line

RECORD = Path(__file__).resolve().parent.parent / "gelu_lib" / "data" / "configurations.json"
GATED = "gated-"
"""What T5 and its kin put before the name of an activation."""


def defaults(source: str) -> Iterator[tuple[str, str]]:
    """The defaults of a module's classes that are texts: ``Class.entry``, and the text."""
    for node in ast.walk(ast.parse(source)):
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            default = getattr(line, "value", None) if isinstance(line, ast.AnnAssign) else None
            if isinstance(default, ast.Constant) and isinstance(default.value, str):
                yield f"{node.name}.{line.target.id}", default.value


def activations(source: str) -> set[str]:
    """The keys of the table ``ACT2CLS`` in the source of ``transformers/activations.py``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ACT2CLS":
            return {ast.literal_eval(key) for key in node.value.keys}
    raise ValueError("the source has no table ACT2CLS")


def recorded(wheel: Path) -> dict:
    """The release, and for each model its entries with the names of their activations."""
    with ZipFile(wheel) as archive:
        known = activations(archive.read("transformers/activations.py").decode())
        models: dict[str, dict[str, str]] = {}
        for name in sorted(archive.namelist()):
            path = PurePosixPath(name)
            if path.match("transformers/models/*/configuration_*.py"):
                for entry, text in defaults(archive.read(name).decode()):
                    if text.removeprefix(GATED) in known:
                        models.setdefault(path.parent.name, {})[entry] = text
    return {"release": wheel.name.split("-")[1], "models": models}


def main(wheel: Path) -> None:
    """Write the record of a wheel."""
    RECORD.write_text(json.dumps(recorded(wheel), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(command_line.read(__doc__, wheel={"type": Path}).wheel)
