"""Which form each part of a model needs: what transformers says, and what others compute.

Three files meet here. ``data/configurations.json`` has what the source of transformers says of
every model, and ``tools/laboratory/record_configurations.py`` makes it. ``data/checkpoints.toml``
has what the publishers' own code computes, where that was read, and ``data/served.toml`` what other
programs compute for the same weights. Whether they disagree is found by comparing the forms.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from gelu_lib.activations import FORMS
from gelu_lib.provenance.atlas import checkpoints
from gelu_lib.provenance.atlas.checkpoints import Seen
from gelu_lib.provenance.place import Place
from gelu_lib.rows import DataError, data_text, filled, tables

GATED = "gated-"
"""What T5 and its kin put before the name of an activation."""

_PARTS = {"image": "vision", "visual": "vision", "vit": "vision", "speech": "audio"}
_KNOWN = {"vision", "text", "audio", "video", "encoder", "decoder", "qformer", "talker"}
_IDLE = {"encoder", "model", "module"}
_WORDS = re.compile(r"ViT|QFormer|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_OTHERS = {"swish": "silu", "tanh": "tanh itself", "sigmoid": "sigmoid itself"}
"""Names of other functions, two of which are names of forms of GELU too."""
_MADE = {
    "GELU()": "exact",
    "GELU('none')": "exact",
    "GELU('tanh')": "tanh",
    "GELUActivation()": "exact",
    "NewGELUActivation()": "tanh",
    "PytorchGELUTanh()": "tanh",
    "QuickGELUActivation()": "sigmoid",
    "gelu()": "exact",
}
"""What the calls compute that the record has; ``gelu`` is the function of PyTorch or its table."""


@dataclass(frozen=True)
class Part:
    """One activation of one part of a model.

    Attributes:
        model: the folder of the model in transformers, such as ``"qwen3_vl"``.
        part: ``"vision"``, ``"text"``, ``"audio"`` or other words of its class; ``"model"`` where
            the model has one configuration.
        entry: the class and the entry, ``"Qwen3VLVisionConfig.hidden_act"``; where no entry
            chooses, the class or the function of the model's code.
        written: the name in the configuration, or what stands in the code.
        form: one of ``gelu_lib.activations.FORMS``, or for another function its name.
        gated: whether the activation is multiplied by a second linear map, as in GEGLU; ``None``
            where the source was not understood.
        note: what the name does not tell, such as a scale or a limit; or empty.
        family: the ID of the family of ``checkpoints.families`` that speaks of it; or empty.
        others: what the publishers' code and other programs compute for the same weights.
    """

    model: str
    part: str
    entry: str
    written: str
    form: str
    gated: bool | None = None
    note: str = ""
    family: str = ""
    others: tuple[Seen, ...] = ()

    @property
    def chosen(self) -> bool:
        """Whether an entry of the configuration chooses the activation."""
        return "." in self.entry and "/" not in self.entry  # and no repository

    @property
    def disagree(self) -> tuple[Seen, ...]:
        """Those of the others that compute another form."""
        return tuple(one for one in self.others if one.form != self.form)

    def __str__(self) -> str:
        return repr(Parts([self]))


class Parts(tuple[Part, ...]):
    """A tuple of parts whose ``repr`` is a table, with who disagrees below each row."""

    def __repr__(self) -> str:
        gates = {True: "gated", False: "no gate", None: "gate unknown"}
        rows = [(f"{one.model}, {one.part}", one.form, gates[one.gated]) for one in self]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for one, row in zip(self, rows, strict=True):
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("  ".join([*cells, f"{one.entry}: {one.written}"]))
            lines += [f"    {line}" for line in textwrap.wrap(one.note, 72)]
            lines += [f"    but {other.form} in {other.program}" for other in one.disagree]
        return "\n".join(lines)


def part_of(model: str, kind: str, alone: bool = True) -> str:
    """Which part of a model a class is about, told by its name.

    What the name shares with the folder is left out, and so is ``Config``; the words that stay are
    the part. A picture is ``vision`` by any of its names.

    Args:
        model: the folder in transformers, such as ``"qwen3_vl"``.
        kind: the name of the class, such as ``"Qwen3VLVisionConfig"``.
        alone: whether it is the only class of the model, so that a rest that is no part's name is
            the rest of the model's own.

    Returns:
        The words in lower case, such as ``"vision"`` or ``"mask decoder"``; ``"model"`` if none.
    """
    stem, folder = kind.removesuffix("Config"), model.replace("_", "")
    starts = (i for i in range(len(stem), -1, -1) if _begins_a_word(stem, i))
    at = next(i for i in starts if folder.startswith(re.sub(r"\W|_", "", stem[:i]).lower()))
    words = [word.lower() for word in _WORDS.findall(stem[at:])]
    words = [_PARTS.get(word, word) for word in words]
    if alone and not _KNOWN.intersection(words):
        return "model"
    return " ".join(word for word in words if word not in _IDLE) or " ".join(words) or "model"


def _begins_a_word(stem: str, i: int) -> bool:
    if i in (0, len(stem)):
        return True
    small = not stem[i - 1].isupper() or stem[i + 1 : i + 2].islower()
    return stem[i] == "_" or (stem[i].isupper() and small)


@cache
def model_parts() -> tuple[Part, ...]:
    """Every activation of every model of the record; those that an entry chooses come first."""
    found = []
    record = checkpoints.configurations()
    for model in sorted(_models(record)):
        chosen = list(_chosen(record, model))
        rows = [*chosen, *_set_by_family(chosen), *_own(record, model)]
        found += [_joined(row, first) for row, first in zip(rows, _firsts(rows), strict=True)]
    return tuple(sorted([*found, *_outside()], key=lambda row: row.model))


def _outside() -> Iterator[Part]:
    """The families that no model of transformers is."""
    for family in checkpoints.families().values():
        if not family.at(checkpoints.TRANSFORMERS):
            own = family.at(checkpoints.OWN)[0]
            note = f"{family.name}: no model of transformers; read in the publishers' code."
            for part in (family.part or "model").split(", "):
                said = own.repository, own.text, own.form
                yield Part(family.id, part, *said, None, note, family.id)


_WRITTEN = re.compile(r'(\w+) = "([\w-]+)"')


def _models(record: Mapping[str, Any]) -> set[str]:
    return {*record["models"], *record["own"], *record["limits"]}


def _chosen(record: Mapping[str, Any], model: str) -> Iterator[Part]:
    entries = record["models"].get(model, {})
    kinds = {entry.split(".")[0] for entry in entries}
    for entry, written in entries.items():
        kind = entry.split(".")[0]
        form = _form(written)
        gated = True if written.startswith(GATED) else record["gates"].get(model, {}).get(entry)
        beside = record["limits"].get(model, {})
        limits = {k.split(".")[1]: v for k, v in beside.items() if k.split(".")[0] == kind}
        part = Part(model, part_of(model, kind, len(kinds) == 1), entry, written, form, gated)
        yield _limited(part, limits) if form == "silu" else part
    for entry, number in record["limits"].get(model, {}).items():
        if not entries and entry.endswith("_alpha"):
            row = Part(model, "model", entry, str(number), "silu")
            yield _limited(row, {entry.split(".")[1]: number})


def _set_by_family(rows: list[Part]) -> Iterator[Part]:
    """What the configuration of a family says, where that is not the default."""
    for row in rows:
        for family in checkpoints.families().values():
            for one in family.at(checkpoints.TRANSFORMERS):
                found = _WRITTEN.fullmatch(one.text)
                if f"/models/{row.model}/" in one.path and found:
                    key, value = found.groups()
                    if row.entry.endswith(f".{key}") and row.written != value:
                        note = f"So in the configuration of {family.name}; the default is another."
                        gated = value.startswith(GATED)
                        changed = {"written": value, "form": _form(value), "gated": gated}
                        yield replace(row, **changed, note=note, part=family.part or row.part)


def _limited(part: Part, limits: Mapping[str, float]) -> Part:
    """A part whose ``silu`` has a scale or a limit beside it, and so is none."""
    if not limits:
        return part
    said = " and ".join(f"`{name} = {value}`" for name, value in limits.items())
    scale = limits.get("swiglu_alpha")
    form = "sigmoid" if scale == 1.702 else "clamped silu"
    what = "the gate is `x * sigmoid(1.702 * x)`, clamped, and" if scale == 1.702 else "the gate is"
    rest = "no SiLU" if scale == 1.702 else "clamped"
    gated = True if scale else part.gated  # the scale is that of a gate
    note = f"Beside the name stand {said}: {what} {rest}."
    return replace(part, form=form, gated=gated, note=note)


def _own(record: Mapping[str, Any], model: str) -> Iterator[Part]:
    places = record["own"].get(model, {})
    for where, written in ((at, text) for at, texts in places.items() for text in texts):
        part = "model" if where.islower() else part_of(model, where, False)
        yield Part(model, part, where, written, _made(written))


def _form(written: str) -> str:
    name = written.removeprefix(GATED)
    if written.startswith(GATED) and name == "gelu":
        name = "gelu_new"  # so T5's configuration reads it
    for form in FORMS:
        if name in getattr(checkpoints.form_names()[checkpoints.TRANSFORMERS], form):
            return form
    return _OTHERS.get(name, name)


def _made(written: str) -> str:
    """The form of a call or of a formula."""
    if written in _MADE:
        return _MADE[written]
    if written.startswith("ACT2FN['"):
        return _form(written[8:-2])
    for sign, form in (("erf(", "exact"), ("tanh(", "tanh"), ("sigmoid(1.702", "sigmoid")):
        if sign in written:
            return form
    raise DataError(f"{written!r} is no GELU that is known; accepted are {', '.join(_MADE)}")


def _firsts(rows: list[Part]) -> Iterator[bool]:
    """Whether each row is the first of its part: what is said of the part is said of that."""
    known = set()
    for row in rows:
        yield row.part not in known
        known.add(row.part)


def _joined(row: Part, first: bool) -> Part:
    """A row with what its family and other programs say."""
    others = [one for of, part, entry, one in served() if _means(row, first, of, part, entry)]
    for family in checkpoints.families().values():
        for one in family.at(checkpoints.TRANSFORMERS):
            if f"/models/{row.model}/" in one.path and _says(row, one.text):
                only = family.at(checkpoints.OWN) if row.part != "model" else family.seen
                others = [*(s for s in only if s.where != one.where), *others]
                row = replace(row, form=one.form, family=family.id)
    kept = {(one.where, one.path, one.text): one for one in others}
    return replace(row, others=tuple(kept.values()))


def _means(row: Part, first: bool, of: str, part: str, entry: str) -> bool:
    key = row.entry.rpartition(".")[2]
    return row.model == of and row.part == part and (key == entry if entry else first)


def _says(row: Part, text: str) -> bool:
    """Whether a text of a family is about this row: its entry and value, or its code."""
    key = row.entry.rpartition(".")[2]
    quoted = f'{key} = "{row.written}"'
    return text in (quoted, row.entry)


@dataclass(frozen=True)
class Program(Place):
    """A program that runs published weights; each row of it has a file of its own.

    Attributes:
        id: its name in the data file.
        name: as users know it.
        date: of the commit or release, where the source says it; or empty.
        note: what else is worth knowing; Markdown.
    """

    id: str
    name: str
    date: str = ""
    note: str = ""


@cache
def programs() -> Mapping[str, Program]:
    """The programs of ``data/served.toml``, by ID."""
    return MappingProxyType(_served()[0])


@cache
def served() -> tuple[tuple[str, str, str, Seen], ...]:
    """What other programs compute: the model, the part, the entry or nothing, and what was seen."""
    return _served()[1]


@cache
def _served() -> tuple[dict[str, Program], tuple[tuple[str, str, str, Seen], ...]]:
    return parse_served(data_text("served.toml"))


def parse_served(text: str) -> tuple[dict[str, Program], tuple[tuple[str, str, str, Seen], ...]]:
    """Read the file of the programs, given as text.

    Raises:
        DataError: naming the program, the field and what is accepted.
    """
    programs, rows = {}, []
    for id, table in tables(text).items():
        seen = table.pop("computes", [])
        program = filled(Program, id, table)
        if not program.repository:
            raise DataError(f"{id}: needs repository")
        programs[id] = program
        rows += [_served_row(program, one) for one in seen]
    return programs, tuple(rows)


def _served_row(program: Program, given: dict[str, str]) -> tuple[str, str, str, Seen]:
    of, _, part = given.pop("of", "").partition(" ")
    entry = given.pop("entry", "")
    place = {field: getattr(program, field) for field in ("repository", "commit", "release")}
    one = filled(Seen, program.id, {"where": program.name, **place, **given})
    one.check(program.id)
    record = checkpoints.configurations()
    if of not in _models(record):
        raise DataError(f"{program.id}: of names {of!r}, which is no model of transformers")
    return of, part or "model", entry, one
