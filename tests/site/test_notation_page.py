"""The list of symbols: complete for the formulas of the chapters, and true where it leads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tex_symbols import INLINE, display_formulas, markdown_cells, symbols

from gelu_lib.register import results

BOOK = Path(__file__).resolve().parents[2] / "book"
CHAPTERS = sorted(path.stem for path in BOOK.glob("*.ipynb"))
EVERYWHERE = "Signs and letters that mean the same everywhere"
FUNCTIONS = "GELU and the functions in it"
AMBIGUOUS = "Letters that stand for several things"
Row = tuple[str, list[set[str]], set[str]]


def rows(page: str) -> Iterator[Row]:
    """The rows of the tables: section, symbols of each formula, chapters that are named."""
    section = ""
    for line in page.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith(("| symbol", "| letter", "| :--")):
            named, *rest = line.strip("| ").split(" | ")
            formulas = [symbols(tex) for tex in INLINE.findall(named)]
            yield section, formulas, set(re.findall(r"\]\(([\w-]+)\.ipynb\)", " ".join(rest)))


ALL_ROWS = list(rows((BOOK / "notation.md").read_text(encoding="utf-8")))
LISTED = [row for row in ALL_ROWS if row[0] != AMBIGUOUS]


@cache
def displayed(chapter: str) -> frozenset[str]:
    """The symbols of the displayed formulas of a chapter, those of its results included."""
    formulas = [*display_formulas(BOOK / f"{chapter}.ipynb")]
    formulas += [r.statement for r in results().values() if r.page == chapter]
    return frozenset().union(*map(symbols, formulas))


@cache
def used(chapter: str) -> frozenset[str]:
    """The symbols of all formulas of a chapter."""
    texts = markdown_cells(BOOK / f"{chapter}.ipynb")
    texts += [r.assumptions for r in results().values() if r.page == chapter and r.assumptions]
    lines = (symbols(tex) for text in texts for tex in INLINE.findall(text))
    return displayed(chapter).union(*lines)


def unlisted(chapter: str, listed: list[Row], found: frozenset[str]) -> set[str]:
    """The symbols of a chapter that no row has, whether for every chapter or for this one."""
    known: set[str] = set()
    for section, formulas, chapters in listed:
        if section in (EVERYWHERE, FUNCTIONS) or chapter in chapters:
            known = known.union(*formulas)
    return set(found - known)


def test_every_symbol_of_a_displayed_formula_is_listed_for_its_chapter():
    found = {chapter: unlisted(chapter, LISTED, displayed(chapter)) for chapter in CHAPTERS}
    assert {chapter: symbols for chapter, symbols in found.items() if symbols} == {}
    page = "## A\n| $y$ | a number | | [B](minimax.ipynb) |\n"
    found = frozenset("xy")
    assert unlisted("minimax", list(rows(page)), found) == {"x"}
    assert unlisted("forms", list(rows(page)), found) == {"x", "y"}
    assert unlisted("forms", list(rows(page.replace("## A", f"## {EVERYWHERE}"))), found) == {"x"}


def wrong_row(row: Row) -> list[str]:
    """What a row has that its chapters have not, and the chapters that have nothing of it."""
    section, formulas, chapters = row
    if chapters - set(CHAPTERS) or not (chapters or section == EVERYWHERE):
        return ["it does not say which chapters"]
    where = chapters or CHAPTERS
    lost = [f for f in formulas if not any(f <= used(chapter) for chapter in where)]
    others = [c for c in chapters if formulas and not any(f <= used(c) for f in formulas)]
    return [f"{formula} stands nowhere" for formula in lost] + others


def test_a_listed_symbol_stands_in_the_chapters_that_its_row_names():
    assert [(row, wrong_row(row)) for row in LISTED if wrong_row(row)] == []
    assert wrong_row(("A", [{r"\Omega", "q"}], {"minimax"}))[-1] == "minimax"
    assert wrong_row(("A", [{"x"}], {"none"})) == wrong_row(("A", [{"x"}], set())) != []


MEANINGS = Counter(letter for _, formulas, _ in LISTED for letter in set().union(*formulas))
GATHERED = [f for section, formulas, _ in ALL_ROWS if section == AMBIGUOUS for f in formulas]
ONE_MEANING = {"i", "j", "k", "t", r"\Phi", r"\pi", r"\mathcalN", r"\operatornameerfc"}
"""They stand in several lines, as a part of another symbol or in a form of their own."""


def test_a_letter_that_stands_for_several_things_has_a_row_for_each():
    assert len(GATHERED) > 10
    for formula in GATHERED:
        assert any(MEANINGS[letter] > 1 for letter in formula), formula
    several = {letter for letter, lines in MEANINGS.items() if lines > 1}
    assert several.difference(*GATHERED) == ONE_MEANING


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\operatorname{erf}\left(\frac{x}{\sqrt{2}}\right)", {r"\operatornameerf", "x"}),
        (r"\int_0^x \varphi(t)\,\mathrm{d}t", {"x", r"\varphi", "t"}),
        (r"y && {\small\text{by \texttt{phi-erf} and $t = 1$}} \\[0.4em] z", {"y", "z"}),
        (r"\mathbb{E}[x B_{\Phi(x)}]'", {r"\mathbbE", "x", "B", r"\Phi"}),
    ],
)
def test_the_symbols_of_a_formula(tex, expected):
    assert symbols(tex) == expected
