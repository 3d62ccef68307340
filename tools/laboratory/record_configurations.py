"""Write gelu_lib/data/configurations.json: which activation each model of transformers has.

    .venv/bin/python tools/laboratory/record_configurations.py transformers-5.23.0-py3-none-any.whl
    .venv/bin/python tools/laboratory/record_configurations.py --compare another.whl

The argument is a wheel of transformers, which ``pip download --no-deps`` brings. Nothing of it is
run: syntax trees are read. With ``--compare`` nothing is written, and what moved is printed. The
record has

- ``models``: the defaults of the classes in ``configuration_*.py`` that name an activation
- ``gates``: whether the class of ``modeling_*.py`` that asks such an entry, has a gate; an entry
  that no class of its part asks, or whose classes differ, is left out
- ``limits``: the numbers beside an entry whose names begin with ``swiglu_``
- ``own``: what ``modeling_*.py`` calls by a name of its own, and asks no configuration
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

from gelu_lib.provenance.atlas.models import GATED, part_of

RECORD = Path(__file__).resolve().parents[2] / "gelu_lib" / "data" / "configurations.json"
GATE = re.compile(r"(?<![a-z])gate(?![a-z]*ment)|wi_0|chunk\(2")
"""What the source of a class has whose activation is multiplied by a second map."""
CALLS = ("GELU", "GELUActivation", "QuickGELUActivation", "NewGELUActivation", "PytorchGELUTanh")
"""Classes of PyTorch and of transformers whose name says that they are a GELU."""


def defaults(source: str, kind: type = str) -> Iterator[tuple[str, str]]:
    """The defaults of a module's classes that are of one kind: ``Class.entry``, and the value."""
    for node in ast.walk(ast.parse(source)):
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            default = getattr(line, "value", None) if isinstance(line, ast.AnnAssign) else None
            if isinstance(default, ast.Constant) and isinstance(default.value, kind):
                yield f"{node.name}.{line.target.id}", default.value


def activations(source: str) -> set[str]:
    """The keys of the table ``ACT2CLS`` in the source of ``transformers/activations.py``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ACT2CLS":
            return {ast.literal_eval(key) for key in node.value.keys}
    raise ValueError("the source has no table ACT2CLS")


def gates(source: str, model: str, entries: list[str]) -> dict[str, bool]:
    """Whether the classes that ask an entry, those of its part, multiply by a gate."""
    asking: dict[tuple[str, str], set[bool]] = {}
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            gated = bool(GATE.search(text))
            for entry in entries:
                if f"ACT2FN[config.{entry.split('.')[1]}]" in text:
                    words = part_of(model, node.name, alone=False).split()
                    for part in ("vision", "text", "audio", "model"):
                        if part in words or part == "model":
                            asking.setdefault((part, entry.split(".")[1]), set()).add(gated)
                            break
    found = {}
    alone = len({entry.partition(".")[0] for entry in entries}) == 1
    for entry in entries:
        kind, _, key = entry.partition(".")
        part = part_of(model, kind, alone=False)
        # a class that names no part is of this one only where there is no other configuration
        said = asking.get((part, key)) or (alone and asking.get(("model", key))) or set()
        if len(said) == 1:
            found[entry] = said.pop()
    return found


def own(source: str) -> Iterator[tuple[str, list[str]]]:
    """The GELUs that a module computes and no entry chooses: where, and what stands there."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and "gelu" in node.name and "back" not in node.name:
            last = node.body[-1]
            if isinstance(last, ast.Return):
                yield node.name, [ast.unparse(last.value)]
        elif isinstance(node, ast.ClassDef):
            texts = [text for text in dict.fromkeys(map(_call, ast.walk(node))) if text]
            if texts:
                yield node.name, texts


def _call(node: ast.AST) -> str:
    """A call of a GELU without its input, or an activation by a fixed name; empty if it is none."""
    if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "ACT2FN":
        name = node.slice.value if isinstance(node.slice, ast.Constant) else ""
        return f"ACT2FN[{name!r}]" if "gelu" in name else ""
    if not isinstance(node, ast.Call):
        return ""
    if (
        getattr(getattr(node.func, "value", None), "id", "") == "self"
    ):  # what the class has made, and that is found
        return ""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name not in (*CALLS, "gelu"):
        return ""
    given = [*node.args[name == "gelu" :], *(k.value for k in node.keywords)]
    return f"{name}({', '.join(map(ast.unparse, given))})"


def recorded(wheel: Path) -> dict:
    """The release, and for each model what the head of this file lists."""
    with ZipFile(wheel) as archive:
        known = activations(archive.read("transformers/activations.py").decode())
        found: dict = {"models": {}, "gates": {}, "limits": {}, "own": {}}
        for name in sorted(archive.namelist()):
            path = PurePosixPath(name)
            model = path.parent.name
            source = archive.read(name).decode() if path.match("transformers/models/*/*.py") else ""
            if path.match("configuration_*.py") and source:
                for entry, text in defaults(source):
                    if text.removeprefix(GATED) in known:
                        found["models"].setdefault(model, {})[entry] = text
                for entry, number in defaults(source, float):
                    if entry.split(".")[1].startswith("swiglu_"):
                        found["limits"].setdefault(model, {})[entry] = number
            elif path.match("modeling_*.py") and source:
                for kind, said in (
                    ("gates", gates(source, model, list(found["models"].get(model, {})))),
                    ("own", dict(own(source))),
                ):
                    if said:
                        found[kind].setdefault(model, {}).update(said)
    return {"release": wheel.name.split("-")[1], **found}


def moved(old: dict, new: dict) -> Iterator[str]:
    """What differs between two records, a line each; the release first."""
    yield f"release {old['release']} -> {new['release']}"
    for kind in ("models", "gates", "limits", "own"):
        flat = [
            {
                (model, entry): value
                for model, at in one[kind].items()
                for entry, value in at.items()
            }
            for one in (old, new)
        ]
        for key in sorted({*flat[0], *flat[1]}):
            before, now = (one.get(key, "none") for one in flat)
            if before != now:
                yield f"{kind}: {' '.join(key)}: {before} -> {now}"


def main(wheel: Path, compare: bool = False) -> None:
    """Write the record of a wheel, or print what moved against the one that stands."""
    new = recorded(wheel)
    if compare:
        print(*moved(json.loads(RECORD.read_text(encoding="utf-8")), new), sep="\n")
    else:
        RECORD.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    given = command_line.read(
        __doc__, wheel={"type": Path}, **{"--compare": {"action": "store_true"}}
    )
    main(given.wheel, given.compare)
