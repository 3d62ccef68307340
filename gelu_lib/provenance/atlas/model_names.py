"""Which model a name means, as a hub or a reader writes it: ``form_of``.

A name is understood if it is that of a model, or of an entry of ``data/names.toml``, once words
that choose no model are left out: sizes, dates, formats, tunings and parts. A word that is not
understood makes it a refusal, because it may be what tells another model.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from gelu_lib.provenance.atlas.models import Part, Parts, model_parts
from gelu_lib.provenance.place import Place
from gelu_lib.rows import DataError, data_text, filled, tables

_WORD = re.compile(r"[a-z0-9]+(?:\.\d[a-z0-9]*)*")
_QUANTISED = re.compile(r"\bi?q\d(_[0-9klmnsx]+)*\b")
_ADVICE = "look at model_type in config.json"
_MOST = 12  # words that choose no model; more would take long, and no name has them


@dataclass(frozen=True)
class Alias(Place):
    """A name that is not the folder of its model.

    Attributes:
        name: the name, without what chooses no model.
        of: the model, or model and part; several are joined by ``" + "``.
        seen: what stands in the source.
    """

    name: str
    of: str
    seen: str


@dataclass(frozen=True)
class Names:
    """What is known of names; the first four fields are explained in the data file.

    Attributes:
        aliases: the names that have a source.
        known: every name as ``_plain`` has it, and the model, or model and part, that it means.
    """

    understood: str
    share: str
    mixtures: tuple[str, ...]
    refused: Mapping[str, str]
    aliases: tuple[Alias, ...]
    known: Mapping[str, str]


@cache
def names() -> Names:
    """What ``data/names.toml`` says, and the names of the models."""
    return parse_names(data_text("names.toml"))


def parse_names(text: str) -> Names:
    """Read the data file, given as text.

    Raises:
        DataError: naming the name, and what is wrong with it.
    """
    data = tables(text)
    found = []
    for place in data.pop("read"):
        for name, of, seen in place.pop("names"):
            path = place["path"].replace("MODEL", of.split()[0])
            row = {**place, "path": path, "name": name, "of": of, "seen": seen}
            found.append(filled(Alias, name, row))
            found[-1].check(name)
            if not all(_rows(one) for one in of.split(" + ")):
                raise DataError(f"{name}: of is {of!r}, which has no row")
    refused = {_plain(name): why for name, why in data.pop("refused").items()}
    known = {_plain(row.model): row.model for row in model_parts()}
    for alias in found:
        if _plain(alias.name) in refused or known.get(_plain(alias.name)) == alias.of:
            raise DataError(f"{alias.name}: is refused, or understood without this entry")
        known[_plain(alias.name)] = alias.of
    rest = {"refused": refused, "aliases": found, "known": known}
    return filled(Names, "names.toml", data | rest)


def form_of(name: str) -> Parts:
    """Which form of GELU a model needs, by its name as people write it.

    Args:
        name: a model, such as ``"Qwen3-VL"``, ``"openai/gpt-oss-20b"`` or ``"laion/CLIP-ViT-…"``.
            Case, signs and an owner do not count, and neither do words that choose no model, such
            as a size, a date, ``"instruct"`` or ``"GGUF"``. If a word names a part, as in
            ``"Qwen3-VL vision"``, it is that part.

    Returns:
        A row for each activation of the part, or of every part of the model if none was named. It
        is a tuple, and prints as a table.

    Raises:
        TypeError: if the name is no text.
        ValueError: if a word of the name is not understood, with the models whose names are near;
            if its size or version changes what is computed; or if the model has no such part.

    What stands here are the defaults of one release of transformers, whose number is
    ``checkpoints.configurations()["release"]``. The configuration beside the weights may say
    something else, and then that holds. Weights as GGUF have no configuration: there the program
    that runs them decides.

    >>> from gelu_lib import form_of
    >>> [row.form for row in form_of("Qwen3-VL vision") if row.chosen]
    ['tanh']
    """
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r}; accepted is the name of a model as a text")
    words = _WORD.findall(_QUANTISED.sub("", name.rstrip("/").rpartition("/")[2].lower()))
    for called, rest in _readings(words):
        if called in names().refused:
            raise ValueError(f"name is {name!r}; {names().refused[called]}; {_ADVICE}")
        if called in names().known:
            return _asked(name, names().known[called], rest)
    raise ValueError(f"name is {name!r}; no model that is known has it{_near(words)}; {_ADVICE}")


def _readings(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What may be a known name, and the words that it leaves out: the fewest and shortest first."""
    free = [i for i, word in enumerate(words) if i and _is_free(word)]
    for left in range(len(free) + 1) if len(free) <= _MOST else ():
        found = []
        for out in combinations(free, left):
            kept = [i for i in range(len(words)) if i not in out]
            called = _plain(" ".join(words[i] for i in kept))
            # a number belongs to the word that it follows: Mistral-Large-3 is no Mistral 3
            torn = any(words[i][0].isdigit() and i - 1 in out for i in kept)
            if not torn or called in names().refused:
                found.append((called, [words[i] for i in out]))
        yield from sorted(found, key=lambda reading: -len(reading[0]))


def _is_free(word: str) -> bool:
    """Whether a word may be left out."""
    chooses_none = re.fullmatch(f"{names().understood}|{names().share}", word)
    return bool(chooses_none) or word in _part_words()


def _asked(name: str, of: str, rest: list[str]) -> Parts:
    """The rows that a name speaks of, when some words are left out."""
    if any(re.fullmatch(names().share, word) for word in rest):
        of = _mixture(name, of)
    rows = [row for one in of.split(" + ") for row in _rows(one)]
    idle = names().understood
    said = [w for w in rest if w in _part_words() and not re.fullmatch(idle, w)]
    has = dict.fromkeys(row.part for row in rows)
    found = [part for part in has if f" {part} " in f" {' '.join(said)} "]
    if missing := set(said) - {word for part in found for word in part.split()}:
        lacks = ", ".join(sorted(missing))
        says = f"{of} has no part {lacks}, its parts are {', '.join(has)}"
        raise ValueError(f"name is {name!r}; {says}; {_ADVICE}")
    part = max(found, key=len, default="")
    return Parts(row for row in rows if part in ("", row.part))


def _mixture(name: str, of: str) -> str:
    """The model with experts, for a name that has a word such as ``"a3b"``."""
    if of in names().mixtures or "moe" in of:
        return of
    for model in (f"{of}_moe", f"{of}moe"):
        if _rows(model):
            return model
    raise ValueError(f"name is {name!r}; {of} has no experts, and the name has; {_ADVICE}")


def _near(words: list[str]) -> str:
    """The models whose names are near to some words, as the end of a message."""
    known, hard = names().known, [word for word in words if not _is_free(word)]
    near = difflib.get_close_matches(_plain(" ".join(hard)), known, n=5)
    return f"; near are {', '.join(dict.fromkeys(known[one] for one in near))}" if near else ""


def _rows(of: str) -> list[Part]:
    model, _, part = of.partition(" ")
    return [row for row in model_parts() if row.model == model and part in ("", row.part)]


@cache
def _part_words() -> frozenset[str]:
    return frozenset(word for row in model_parts() for word in row.part.split())


def _plain(name: str) -> str:
    """A name without signs, but for the dot between numbers: Qwen2.5 7B is no Qwen2 57B."""
    tokens = " ".join(re.findall("[a-z]+|[0-9]+", name.lower()))
    return re.sub("(?<=[0-9]) (?=[0-9])", ".", tokens).replace(" ", "")
