"""Fields of the register that no formula binds: the second method, the title and the sources."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from gelu_lib.evidence.criteria_table import load_cell
from gelu_lib.functions.forms import tanh_form
from gelu_lib.provenance.atlas.claims import claims, myths
from gelu_lib.register import agreeing_digits, results

ROOT = Path(__file__).resolve().parents[2]

METHODS = tomllib.loads((Path(__file__).parent / "second_methods.toml").read_text("utf-8"))
CHECKS = {entry.id: entry.check for entry in results().values() if entry.check}


def unfounded(checks):
    """Pairs of an ID and a second method for which no function is listed."""
    for id, check in checks.items():
        if not any(re.fullmatch(pattern, id) for pattern in METHODS.get(check, ())):
            yield id, check


def test_every_second_method_is_a_function_that_stands():
    assert not list(unfounded(CHECKS))
    assert set(CHECKS.values()) == set(METHODS)
    for place in {place for found in METHODS.values() for place in found.values()}:
        file, _, name = place.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    "check",
    ["mpmath's quadrature of the density", CHECKS["tanh-radius"], CHECKS["page-inflection"]],
)
def test_another_second_method_is_noticed(check):
    assert list(unfounded({"phi-at-1": check})) == [("phi-at-1", check)]


CELLS = {
    "tanh-pinned-cubic": ("tanh-pinned", "Phi", "constant"),
    "tanh-pinned-error": ("tanh-pinned", "Phi", "error"),
    "tanh-gelu-cubic": ("tanh-pinned", "GELU", "constant"),
    "tanh-free-linear": ("tanh-free", "Phi", "p1"),
    "tanh-free-cubic": ("tanh-free", "Phi", "p3"),
    "tanh-free-error": ("tanh-free", "Phi", "error"),
    "logistic-scale": ("sigmoid", "Phi", "constant"),
    "logistic-scale-error": ("sigmoid", "Phi", "error"),
    "logistic-gelu-scale": ("sigmoid", "GELU", "constant"),
    "sigmoid-slope-scale": ("sigmoid", "GELU_derivative", "constant"),
    "sigmoid-slope-floor-value": ("sigmoid", "GELU_derivative", "error"),
}


@pytest.mark.parametrize("id", [id for id, check in CHECKS.items() if "table of" in check])
def test_a_cell_of_the_table_of_criteria_has_the_same_digits(id):
    form, of, kind = CELLS[id]
    cell = load_cell(form, of, "sup")
    number = cell.parameters[kind] if kind in cell.parameters else getattr(cell, kind)
    assert agreeing_digits(str(number), results()[id].number) >= 49


def test_the_crest_and_the_trough_are_level_on_a_grid():
    x = np.linspace(0, 8, 200_001)

    def gap(k, width):
        error = x * np.exp(-(x**2) / width) * tanh_form(k).error_at(x)
        return error.max() + error.min()

    number = results()["tanh-gelu-weighted-cubic"].number
    for width, right in ((7.05, True), (7.06, False)):
        level = brentq(gap, 0.0443, 0.0455, args=(width,), xtol=1e-12)
        assert (agreeing_digits(repr(level), number) >= 7) is right


NUMERAL = re.compile(r"(?<![\w.])[-−]?\d+(?:[./]\d+)*")
NAMED = {
    "hastings-error-phi": {"7.1.26"},  # a formula of Abramowitz and Stegun
    "hastings-error-gelu": {"7.1.26"},
    "monahan-stefanski-scale": {"1989"},
    "yang-scale": {"2014"},
    "yang-error": {"2014"},
    "answer-cubic": {"20"},  # samples
}
"""Numerals of titles that are names, or are told nowhere else."""


def unsaid(title, entry):
    """Numerals of a title that neither the statement nor the literal has."""
    said = " ".join((entry.statement, entry.assumptions, entry.value or "", *entry.numbers))
    said = re.sub(r"\\[td]?frac\{?(\d+)\}?\{?(\d+)\}?", r"\1/\2", said)
    numerals = {numeral.replace("−", "-") for numeral in NUMERAL.findall(title)}
    return {n for n in numerals if not re.search(rf"(?<![\d.]){re.escape(n)}(?![\d.]*\d)", said)}


def test_titles_and_sources_are_those_of_the_statement_and_of_the_page():
    assert {id: found for id, e in results().items() if (found := unsaid(e.title, e))} == NAMED
    assert unsaid("Φ(3)", results()["phi-at-2"]) == {"3"}
    named = {(id, source) for id, entry in results().items() for source in entry.source}
    assert {pair for pair in named if not is_cited(*pair)} == ELSEWHERE
    assert not is_cited("gelu-derivative", "choudhury2014")
    assert not is_cited("johnson-kotz-scale", "polya1949")


@pytest.mark.parametrize(
    "id", [id for id in results() if re.search("-(?:largest|smallest)-slope", id)]
)
def test_a_title_says_of_which_end_its_number_is(id):
    assert re.search("largest|smallest", id)[0] in results()[id].title.lower()


@cache
def pages():
    left_out = {"results", "README", "bibliography"}
    found = (path for end in ("ipynb", "md") for path in (ROOT / "book").glob(f"*.{end}"))
    return {path.stem: path.read_text("utf-8") for path in found if path.stem not in left_out}


ELSEWHERE = {
    ("artanh-erf-radius", "dlmf"),
    ("erfc-zero-real", "dlmf"),
    ("erfc-zero-real", "fettis1973"),
    ("erfc-zero-imaginary", "dlmf"),
    ("erfc-zero-imaginary", "fettis1973"),
    ("page-cubic", "hendrycks2016gelu"),
    ("waissi-rossin-stated", "waissi1996"),
    ("johnson-kotz-scale", "tfp"),
}
"""Results and sources that the book names in two lines of one page."""


def is_cited(id, source):
    """Whether a claim of the source names a result, or its page or a line that has it cites it."""
    has, link = re.compile(rf"(?<![\w-]){id}(?![\w-])"), f"bibliography.md#{source}"
    claimed = any(one.post == source and has.search(str(one)) for one in said())
    derived = link in pages().get(results()[id].page, "")
    return claimed or derived or any(link in line and has.search(line) for line in citing())


def said():
    return (*claims().values(), *myths().values())


@cache
def citing():
    lines = (line for text in pages().values() for line in re.split(r"\\n|\n", text))
    return [line for line in lines if "bibliography.md#" in line]


QUANTIFIER = re.compile(
    r"\b(?:the one|exactly one|the only|only|each|every|any|all|some|no|none|not|at most|at least|"
    r"never|both|either|(?:in)?finitely|unless|alone|once|two|three|four|five|six|seven|eight|"
    r"(?<![-−.])[2-9])\b",
    re.IGNORECASE,
)
QUANTIFIED = tomllib.loads((Path(__file__).parent / "quantifiers.toml").read_text("utf-8"))


def quantified(assumptions):
    """The words of assumptions that say for how many something holds, and how many there are."""
    return " ".join(QUANTIFIER.findall(re.sub(r"\$[^$]*\$", " ", assumptions))).lower()


def test_the_quantifiers_of_each_entry_are_those_that_were_thought_through():
    found = {entry.id: quantified(entry.assumptions) for entry in results().values()}
    patterns = [(pattern, said) for said, ids in QUANTIFIED.items() for pattern in ids]
    for id, said in found.items():
        listed = [words for pattern, words in patterns if re.fullmatch(pattern, id)]
        assert listed == ([said] if said else []), id
    assert all(any(re.fullmatch(pattern, id) for id in found) for pattern, _ in patterns)
    assert quantified("at each $t > 0$ with") != quantified(results()["relu-limit"].assumptions)
