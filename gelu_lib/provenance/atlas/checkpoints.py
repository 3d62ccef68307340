"""Which form published weights were trained with, and what each framework calls the forms.

The statements stand in ``data/checkpoints.toml``. Each was read in the source that it names, at a
commit or in a release; what was not read is not stated. Which activations the configurations of
transformers name stands in ``data/configurations.json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gelu_lib.activations import FORMS
from gelu_lib.provenance.place import Place
from gelu_lib.rows import DataError, check, contents, data_text, filled, tables

OWN, TRANSFORMERS = "own", "transformers"


@dataclass(frozen=True)
class Seen(Place):
    """What stands in one source.

    Attributes:
        where: ``"own"``, ``"transformers"`` or the name of another program.
        text: what stands there, in the notation of the source.
        form: what it computes, one of ``gelu_lib.activations.FORMS``, or ``"silu"``.
        name: in transformers the name of the activation; empty for a formula of the model's own.
    """

    where: str
    text: str
    form: str
    name: str = ""

    @property
    def program(self) -> str:
        """Whose code it is, in words."""
        return "its own code" if self.where == OWN else self.where

    def check(self, id: str) -> None:
        """Refuse what was seen without a form or without a place, too."""
        if self.form != "silu":
            check(id, self, form=FORMS)
        super().check(id)


@dataclass(frozen=True)
class WeightFamily:
    """A family of published weights.

    Attributes:
        id: its name in the data file.
        name: as users know it.
        form: what the code of those who published them computes.
        seen: what stands in the sources.
        note: what else is worth knowing; Markdown.
        part: what its row is called, if that is no class; several as in ``"a, b"``.
    """

    id: str
    name: str
    form: str
    seen: tuple[Seen, ...]
    note: str = ""
    part: str = ""

    def at(self, where: str) -> tuple[Seen, ...]:
        """What stands in the sources of one kind."""
        return tuple(one for one in self.seen if one.where == where)


@dataclass(frozen=True)
class FormNames(Place):
    """What the forms are called in a framework.

    Attributes:
        id: its name in the data file.
        name: the framework, or a part of it.
        exact: the names of the exact form.
        tanh: those of the tanh form.
        sigmoid: those of the sigmoid form.
        default: the form of the plain name, called without options; or empty.
        note: what else is worth knowing; Markdown.
        url: the documentation, where that was read and no file.
    """

    id: str
    name: str
    exact: tuple[str, ...] = ()
    tanh: tuple[str, ...] = ()
    sigmoid: tuple[str, ...] = ()
    default: str = ""
    note: str = ""
    url: str = ""

    @property
    def source(self) -> str:
        """Where it was read, in Markdown, with a link."""
        return f"[documentation]({self.url})" if self.url else super().source

    def form_of(self, name: str) -> str:
        """The form that a name stands for.

        Raises:
            ValueError: if it is none of the names.
        """
        found = [form for form in FORMS if name in getattr(self, form)]
        if not found:
            known = ", ".join(one for form in FORMS for one in getattr(self, form))
            raise ValueError(f"name is {name!r}; accepted are {known}")
        return found[0]


def families() -> Mapping[str, WeightFamily]:
    """Every family of weights by its ID, in the order of the data file."""
    return _data()[0]


def form_names() -> Mapping[str, FormNames]:
    """What each framework calls the forms, by its ID, in the order of the data file."""
    return _data()[1]


@cache
def configurations() -> Mapping[str, Any]:
    """Which activation each configuration of transformers names unless it is told another.

    Returns:
        ``release`` is the release of transformers that was read, ``models`` a dictionary for each
        model. Its keys are entries, written ``Class.entry``, and its values names of activations.

    Source: the record that ``tools/laboratory/record_configurations.py`` makes.
    """
    return MappingProxyType(contents("configurations.json"))


@cache
def _data() -> tuple[Mapping[str, WeightFamily], Mapping[str, FormNames]]:
    return tuple(
        MappingProxyType(part) for part in parse_checkpoints(data_text("checkpoints.toml"))
    )


def parse_checkpoints(text: str) -> tuple[dict[str, WeightFamily], dict[str, FormNames]]:
    """Read the data file, given as text.

    Returns:
        The families and the names, each by ID.

    Raises:
        DataError: naming the entry, the field and what is accepted.
    """
    data = tables(text)
    found = {id: _names(id, given) for id, given in data.get("name", {}).items()}
    known = found.get(TRANSFORMERS)
    return {id: _family(id, given, known) for id, given in data.get("family", {}).items()}, found


def _family(id: str, given: Mapping[str, Any], known: FormNames | None) -> WeightFamily:
    seen = tuple(_seen(id, one, known) for one in given.get("seen", ()))
    family = filled(WeightFamily, id, {**given, "seen": seen})
    check(id, family, form=FORMS)
    published = family.at(OWN) or family.at(TRANSFORMERS)
    if not published:
        raise DataError(f"{id}: seen has neither {OWN!r} nor {TRANSFORMERS!r}")
    if {one.form for one in published} != {family.form}:
        raise DataError(f"{id}: form is {family.form!r}, and its own code computes another")
    return family


def _seen(id: str, given: Mapping[str, str], known: FormNames | None) -> Seen:
    seen = filled(Seen, id, given)
    seen.check(id)
    if seen.name and (known is None or seen.name not in getattr(known, seen.form)):
        raise DataError(f"{id}: {seen.name} is no name of the {seen.form} form")
    return seen


def _names(id: str, given: Mapping[str, Any]) -> FormNames:
    found = filled(FormNames, id, given)
    if found.default:
        check(id, found, default=FORMS)
    if not found.url:
        found.check(id)
    return found
