"""The finding of each page: its first paragraph, which is also what a search or a link shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from math import inf

import pytest
from reader import chapters, glued, prose, table

LONGEST, MOST_WORDS = 250, 40  # characters, and words of a language that parts them by spaces


def finding(chapter: str) -> str:
    return " ".join(prose(chapter).split("\n\n")[1].split())


def unfit(text: str) -> list[str]:
    """Why a paragraph cannot stand alone."""
    found = {
        "long": len(text) > LONGEST or len(text.split()) > MOST_WORDS,
        "a link": "](" in text,
        "leads on": text.endswith(":"),
        "no sentence": not text.endswith((".", "。")),
    }
    return [fault for fault, is_there in found.items() if is_there]


@pytest.mark.parametrize("chapter", chapters())
def test_a_page_begins_with_a_finding_that_stands_alone(chapter):
    assert unfit(finding(chapter)) == []


def test_a_paragraph_that_cannot_stand_alone_is_found():
    assert unfit("Short.") == []
    assert unfit("word " * 41 + ".") == ["long"] == unfit("w" * 250 + ".")
    assert unfit("See [there](a.md).") == ["a link"]
    assert unfit("Here it is:") == ["leads on", "no sentence"]


# ---------------------------------------------------------------- what the findings say in words


def said(chapter: str, name: str) -> float:
    """A number that a cell hands to the text."""
    return float(glued(chapter)[name].replace("−", "-").replace(",", ""))


def rivals() -> float:
    """The least factor by which powers and sums of tanh are worse, with two to five numbers."""
    errors = {row[0]: [float(cell or inf) for cell in row[2:]] for row in table("forms", "form")}
    ours = errors["σ(odd polynomial)"]
    others = [errors[name] for name in errors if name.startswith(("powers of", "sums of"))]
    assert len(others) == 5
    return min(theirs / best for other in others for theirs, best in zip(other, ours, strict=True))


def nodes(formula: str) -> int:
    """The operations of a formula as an exporter writes it."""
    tree = ast.parse(formula.strip("`").replace("^", "**"), mode="eval")
    return sum(isinstance(node, ast.BinOp | ast.Call) for node in ast.walk(tree))


def from_gate(column: int) -> float:
    (row,) = (row for row in table("gated", "scale $c$") if row[0] == "1.702")
    return float(row[column])


HELD: list[tuple[str, str, Callable[[], float], float, float]] = [
    ("taylor", "three quarters larger", lambda: said("taylor", "Taylor-error-by-least-error"),
     1.745, 1.755),
    ("forms", "several times worse", rivals, 3, 10),
    ("outputs-differ", "hundredths of a percent", lambda: said("outputs-differ", "tanh-1"),
     0.01, 0.05),
    ("outputs-differ", "hundredths of a percent", lambda: said("outputs-differ", "tanh-12"),
     0.01, 0.05),
    ("outputs-differ", "about one percent", lambda: said("outputs-differ", "sigmoid-1"), 0.5, 1.5),
    ("outputs-differ", "about one percent", lambda: said("outputs-differ", "sigmoid-12"), 0.5, 1.5),
    ("taylor-orders", "about half of the Taylor orders fail",
     lambda: said("taylor-orders", "orders-that-fail") / said("taylor-orders", "orders-tried"),
     0.4, 0.6),
    ("gated", "far closer to GELU than to SiLU", lambda: from_gate(1) / from_gate(2), 5, 20),
    ("logistic-constant", "a larger scale is clearly better",
     lambda: said("logistic-constant", "percent-gained"), 20, 50),
    ("logistic-constant", "1.702 is almost the best again",
     lambda: said("logistic-constant", "percent-lost-for-the-derivative"), 0, 0.1),
    ("your-own", "a smaller largest error of GELU",
     lambda: said("your-own", "least-error") / said("your-own", "error-of-the-tanh-form"), 0.5, 1),
]  # fmt: skip
"""A chapter, words of its finding, the number that they tell, and what it must be for them."""


@pytest.mark.parametrize(("chapter", "words", "number", "least", "most"), HELD)
def test_what_a_finding_says_in_words_is_what_the_page_computes(
    chapter, words, number, least, most
):
    assert words in finding(chapter)
    assert least < number() < most
    assert not least < 10 * number() < most  # another number would not do


def test_an_exported_gelu_has_as_many_nodes_as_the_finding_says():
    written = [row[2] for row in table("onnx", "exporter")]
    assert sorted({nodes(formula) for formula in written}) == [1, 5, 8, 9]
    assert "is one node, or five, eight or nine" in finding("onnx")
    merged = [row[1:] for row in table("onnx", "pattern")]
    left = {int(found[0]) for row in merged for cell in row if (found := re.findall(r"\d+", cell))
            and "nodes" in cell}  # fmt: skip
    assert left == {5, 8, 9}
