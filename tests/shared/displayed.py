r"""The displayed formulas of the chapters: where they stand, and how each is tried.

A displayed formula is a ``{math}`` directive with a label, or stands between double dollars with
an anchor ``<a id="equation-LABEL"></a>`` before it, or is an environment of amsmath. It has no
entry in the register. What its letters are is said by the sentences around it, and for the trial
by ``tests/chapters/displayed.toml``, which has a table for each formula, by its label:

* ``domain``: what is assumed, as in the register: text with formulas between dollar signs.
* ``where``: the results whose numbers letters stand for.
* ``defines``: the names that the formula itself defines, of which it then says something.
* ``between``: letters that are only known to lie between two numbers, which are given.
* ``sentence``: what the words around make of the formula, in TeX; ``⟨⟩`` is the formula.
* ``reads``: parts of the formula, and what they say in TeX: dots, and words.
* ``compared``: instead of all that, the test that compares the formula with the library.
* ``untried``: why no trial is possible.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import flips
import sympy as sp
import trials
from flint import arb
from points import SEED
from sympy import Expr, Symbol

from gelu_lib.derivations.meaning import Statement, statement
from gelu_lib.derivations.notation import DEFINITIONS, LogisticCDF, LogisticForm
from gelu_lib.derivations.quantities import Chain
from gelu_lib.derivations.reading import ReadingError
from gelu_lib.functions.expressions import LOCAL_SLOPE, X
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC, odd_logistic
from gelu_lib.functions.tanh_forms import tanh_powers, tanh_sum
from gelu_lib.register import Result

BOOK = Path(__file__).resolve().parents[2] / "book"
NOTES = BOOK.parent / "tests" / "chapters" / "displayed.toml"
FIELDS = {"domain", "where", "defines", "between", "sentence", "reads", "compared", "untried"}

_DISPLAYED = re.compile(
    r"```\{math\}\n(?P<options>(?::\w+:[^\n]*\n)*)(?P<directive>.*?)```"
    r'|(?:<a id="equation-(?P<anchor>[^"]*)"></a>\s*)?\$\$(?P<dollars>.*?)\$\$'
    r"|(?P<environment>\\begin\{(?P<kind>(?:align|equation|gather)\*?)\}.*?\\end\{(?P=kind)\})"
    r"|```.*?```|`[^`]*`",  # code, in which nothing is displayed
    re.S,
)
_QUOTED = re.compile(r"^>(?: |$)", re.M)  # theorems stand in quotes
_LABEL = re.compile(r":label: *(\S+)")


@dataclass(frozen=True)
class Displayed:
    """A displayed formula.

    Attributes:
        id: its label, or its first characters if it has none.
        page: the file in which it stands.
        tex: its TeX.
    """

    id: str
    page: str
    tex: str


def texts(book: Path) -> Iterable[tuple[str, str]]:
    """The texts of a book, cell by cell, each with the name of its file."""
    for path in sorted(book.glob("*.md")):
        if path.name != "results.md":  # a list of the register's own statements
            yield path.name, path.read_text(encoding="utf-8")
    for path in sorted(book.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield path.name, "".join(cell["source"])


def displayed(text: str, page: str = "") -> list[Displayed]:
    """The displayed formulas of a text, in order."""
    found = []
    for match in _DISPLAYED.finditer(_QUOTED.sub("", text)):
        tex = next(filter(None, match.group("directive", "dollars", "environment")), "").strip()
        if not tex:
            continue
        label = match["anchor"] or "".join(_LABEL.findall(match["options"] or ""))
        found.append(Displayed(label or tex[:24], page, tex))
    return found


@cache
def formulas() -> Mapping[str, Displayed]:
    """The displayed formulas of the book, by label."""
    found = [formula for page, text in texts(BOOK) for formula in displayed(text, page)]
    labels = [formula.id for formula in found]
    twice = {label for label in labels if labels.count(label) > 1}
    assert not twice, f"two displayed formulas have one label: {sorted(twice)}"
    return dict(zip(labels, found, strict=True))


@cache
def notes() -> Mapping[str, Mapping[str, Any]]:
    """What is noted of each formula, by label."""
    return tomllib.loads(NOTES.read_text(encoding="utf-8"))


def _member(expression: Expr, **values: Expr) -> Callable[[Expr], Expr]:
    """A function of x that the library has, with its parameters as a formula calls them."""
    names = {symbol: values[symbol.name] for symbol in expression.free_symbols - {X}}
    return lambda x: expression.subs(names).subs(X, x)


_a, _c, _e, _k = (Symbol(name, real=True) for name in "acek")
_b, _d, _f = sp.Rational(1, 2), 1, 2  # the library's sums of tanh have scales that are numbers


def _bernoulli(j: Expr) -> Expr:
    """Bernoulli's number with B₁ = −1/2; SymPy's has the other sign there, and is fast."""
    return (-1) ** j * sp.bernoulli(j)


LIBRARY: Mapping[str, Mapping[str, Callable[..., Expr]]] = {
    "one-form": {"g": DEFINITIONS[LogisticForm]},
    "logistic-distribution": {"F": DEFINITIONS[LogisticCDF]},
    "sigmoid-form": {"hatPhi": _member(LOGISTIC.expression, p1=_c)},
    "tanh-form": {
        "hatPhi": _member(TANH_CUBIC.expression, p1=2 * LOCAL_SLOPE, p3=2 * LOCAL_SLOPE * _k)
    },
    "forms-candidates": {
        "A": _member(2 * odd_logistic(5).expression - 1, p1=2 * _a, p3=2 * _b, p5=2 * _c),
        "B": _member(tanh_powers((1, 3, 5)).g, a1=_a, a2=_b, a3=_c),
        "C": _member(tanh_sum((_b, _d, _f)).g, a1=_a, a2=_c, a3=_e),
    },
    "bernoulli-numbers": {"B_": _bernoulli},
    "tanh-series": {"B_": _bernoulli},
}
"""What the library calls by the names that a formula defines; the formula is compared with it."""


def reading(formula: Displayed, note: Mapping[str, Any]) -> str:
    """The TeX of a formula, with what its dots and words say in TeX.

    Raises:
        ValueError: if a part of which the note says what it reads is not in the formula.
    """
    tex = formula.tex
    for part, read in note.get("reads", {}).items():
        if part not in tex:
            raise ValueError(f"{formula.id} does not have {part}")
        tex = tex.replace(part, read)
    return tex


def stated(id: str, tex: str, note: Mapping[str, Any]) -> Statement:
    """What a formula says where it stands.

    Raises:
        ReadingError: if it is not in the book's notation.
        ValueError: if it does not have what is compared with the library, or defines other names
            than its note says, of which nothing would be tried.
    """
    used, functions = set(), LIBRARY.get(id, {})

    def of_library(name: str) -> Callable[..., Expr]:
        return lambda *values: used.add(name) or functions[name](*values)

    if sentence := note.get("sentence"):
        tex = sentence.replace("⟨⟩", tex.rstrip(" .,"))
    said = statement(tex, note.get("domain", ""), {name: of_library(name) for name in functions})
    if missing := set(functions) - used:
        raise ValueError(f"{id} does not have {', '.join(sorted(missing))}")
    own = set(said.definitions) - set(statement("1 = 1", note.get("domain", "")).definitions)
    if own != set(note.get("defines", ())):
        raise ValueError(f"{id} defines {', '.join(sorted(own))}")
    return said


def tried(id: str, tex: str, note: Mapping[str, Any]) -> int:
    """Try a formula; how many comparisons were made. Raises what ``trials.tried`` does."""
    said = stated(id, tex, note)
    ends = {name: tuple(given) for name, given in note.get("between", {}).items()}
    where = note.get("where", {})
    entry = Result(f"equation-{id}", id, tex, "proof", "", where=where, enclosures=ends)
    return trials.tried(entry, said)


def is_tried(note: Mapping[str, Any]) -> bool:
    """Whether a formula is tried as it stands, as its note says."""
    return not {"compared", "untried"} & set(note)


def outcome(formula: Displayed, note: Mapping[str, Any], tex: str) -> tuple[str, str]:
    """What becomes of a formula with other TeX, and why, as ``flips.outcome`` says of an entry."""
    original = stated(formula.id, reading(formula, note), note)
    said, why = None, ""
    try:
        changed = reading(replace(formula, tex=tex), note)
        said = stated(formula.id, changed, note)
        if said == original:
            return "same", ""
        tried(formula.id, changed, note)
    except Exception as error:  # whatever ends a trial
        why = flips.in_short(error)
    kind = why.partition(":")[0]
    if said is not None and kind != "FalseStatement" and flips.same(original, said):
        return "same", ""
    return kind or "survived", why


def flipped(tex: str) -> list[str]:
    """A formula with each sign of its flipped, and with a sign before a side that has none."""
    other = {"+": "-", "-": "+"}
    signs = [
        f"{tex[: found.start()]}{other[found[0]]}{tex[found.end() :]}"
        for found in re.finditer(r"[+-]", tex)
    ]
    return signs or [re.sub(r"(=|<|\\le\b)", r"\1 -", tex, count=1)]


# ---------------------------------------------------------------------------- formulas in lines

_INLINE = re.compile(r"(?<![\\$])\$([^$]+)\$")
_LETTER = re.compile(r"(?<![\\A-Za-z{])[A-Za-z](?![A-Za-z])")


def inline(text: str) -> list[str]:
    """The formulas of a text that stand in a line."""
    return _INLINE.findall(_DISPLAYED.sub("", text))


def closed(tex: str) -> Chain | None:
    """What a formula of a line says of numbers alone; ``None`` if it does not, or is not read."""
    if _LETTER.search(tex):
        return None
    try:
        claims = statement(tex).claims
    except (ReadingError, TypeError, ValueError):
        return None
    (claim,) = claims if len(claims) == 1 else (None,)
    if not isinstance(claim, Chain) or not claim.signs:
        return None
    numbers = all(isinstance(side, Expr) and not side.free_symbols for side in claim.sides)
    return claim if numbers else None


def identity(tex: str) -> bool | None:
    """Whether an equation of a line holds for all values of its letters, tried at some.

    ``None`` if it is no equation between expressions, or is not evaluated: one side is a letter or
    a number, which the equation may define or determine, or something is not known.
    """
    try:
        said = statement(tex)
    except Exception:  # whatever ends the reading of a formula
        return None
    (claim,) = said.claims if len(said.claims) == 1 else (None,)
    if not isinstance(claim, Chain) or {*claim.signs} != {"="} or said.definitions or claim.given:
        return None
    if any(not isinstance(side, Expr) or side.is_Symbol or side.is_Number for side in claim.sides):
        return None
    letters = sorted(set().union(*(side.free_symbols for side in claim.sides)), key=str)
    rng = random.Random(SEED)
    places = [{s: arb(rng.randint(3, 40)) / 16 for s in letters} for _ in range(4)]
    found = [trials.decided(claim, place) for place in places if letters]
    return None if None in found or not found else all(found)
