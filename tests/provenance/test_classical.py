"""The classical approximations of Φ: their formulas, their errors, what is stated of them."""

import dataclasses
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import mpmath
import nbformat
import numpy as np
import pytest
import sympy as sp
from flint import arb
from kinds import slow_but
from pybtex.database import parse_file
from scipy.special import ndtr
from sympy import Rational, exp, pi, sqrt, tanh

from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import X, mpmath_function, numpy_function
from gelu_lib.functions.families import PAGE, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.provenance.atlas.classical import (
    EXCEEDED,
    HOLDS,
    HOLDS_ROUNDED,
    _tail,
    approximations,
    audit,
    operations,
    verdict,
)
from gelu_lib.register import result, results

ALL = approximations()
BOOK = Path(__file__).resolve().parents[2] / "book"
BIBLIOGRAPHY = parse_file(BOOK / "references.bib")


def sampled(approximation, power):
    """The largest error of Φ̂ as printed, on a fine grid: no bound, but another way."""
    end = 12.0 if approximation.end == sp.oo else float(approximation.end)
    x = np.linspace(1e-9, end, 40_001)
    return np.max(x**power * np.abs(numpy_function(approximation.phi)(x) - ndtr(x)))


@pytest.mark.parametrize("id", ALL)
def test_a_formula_is_one_function_in_three_ways_with_its_sources(id):
    one = ALL[id]
    with mpmath.workdps(60):
        printed, upper, tail = map(mpmath_function, (one.phi, one.upper, one.tail))
        for i in range(1, 40):
            x = mpmath.mpf(i) / 10
            assert abs(1 - printed(x) - upper(x)) < mpmath.mpf(10) ** -50
            assert abs(tail(x) - upper(x)) < mpmath.mpf(10) ** -50
    one = ALL[id]
    assert set(one.source) <= set(BIBLIOGRAPHY.entries)
    assert one.seen
    assert bool(one.stated) == bool(one.of) == bool(one.stated_in)
    if one.stated:
        assert one.stated_in in BIBLIOGRAPHY.entries
        assert one.of in ("Phi", "erf")


LONG = {"hastings-4th", "hastings-16th", "winitzki", "zelen-severo-4th", "zelen-severo-16th"}
"""The formulas whose tails are bounded slowly."""


@pytest.mark.parametrize("id", slow_but(lambda id: id not in LONG, ALL))
def test_the_enclosure_of_the_error_holds_what_samples_find(id):
    for power, of in enumerate(("Phi", "GELU")):
        found, largest = audit(ALL[id], of), sampled(ALL[id], power)
        assert float(found.lower) * (1 - 1e-4) - 1e-14 <= largest
        assert largest <= float(found.upper) + 1e-14


@pytest.mark.parametrize(
    "id", slow_but("page".__eq__, ["page", "zelen-severo-5", "hastings-16th", "polya", "bryc"])
)
@pytest.mark.parametrize("of", ["Phi", "GELU"])
def test_more_digits_agree_with_the_rough_enclosure(id, of):
    rough, fine = audit(ALL[id], of), audit(ALL[id], of, 40)
    assert rough.lower <= fine.lower <= fine.upper <= rough.upper
    assert fine.rounded(30)


@pytest.mark.parametrize("of", ["Phi", "GELU"])
def test_a_family_with_a_certificate_has_the_same_error(of):
    (a, c) = PAGE["p1"], PAGE["p3"]
    known = certified_sup_error(Form(TANH_CUBIC, {"p1": a, "p3": c}), of, 40).error.rounded(35)
    assert audit(ALL["page"], of, 40).rounded(35) == known
    bowling = {"p1": "1.5976", "p3": "0.07056"}
    known = certified_sup_error(Form(TANH_CUBIC, bowling), of, 40).error.rounded(35)
    assert audit(ALL["bowling"], of, 40).rounded(35) == known


def decimals(formula):
    """The printed coefficients: every rational number in a formula that is no simple fraction."""
    return [number for number in formula.atoms(sp.Rational) if number.q > 10]


@pytest.mark.parametrize("id", ALL)
def test_a_wrong_coefficient_is_noticed(id):
    before = sampled(ALL[id], 0)
    for number in decimals(ALL[id].phi):
        wrong = ALL[id].phi.xreplace({number: number * Rational(103, 100)})
        x = np.linspace(1e-9, 4.0, 4001)
        after = np.max(np.abs(numpy_function(wrong)(x) - ndtr(x)))
        assert abs(after / before - 1) > 1e-3, number


def test_a_wrong_stated_error_is_noticed():
    page = ALL["page"]
    for stated, word in {
        "0.000179": HOLDS,
        "0.00018": HOLDS,
        "0.0001789": HOLDS_ROUNDED,
        "0.000178": EXCEEDED,
        "0.0002": HOLDS,
        "0.0001": EXCEEDED,
    }.items():
        assert verdict(dataclasses.replace(page, stated=stated, of="Phi")) == word
    assert verdict(dataclasses.replace(page, stated="0.000358", of="erf")) == HOLDS
    assert verdict(dataclasses.replace(page, stated="0.000357", of="erf")) == EXCEEDED


def test_what_cannot_be_enclosed_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="accepted are Phi, GELU"):
        audit(ALL["page"], "erf")
    endless = dataclasses.replace(ALL["waissi-rossin"], end=sp.oo)
    with pytest.raises(CertificationError, match="tail"):
        audit(endless)
    upper = numpy_function(ALL["waissi-rossin"].upper)
    assert upper(8.0) < 1e-6 < 0.999 < upper(11.0)
    monkeypatch.setattr(
        "gelu_lib.provenance.atlas.classical._tail", lambda tail, power: (8.0, arb(1))
    )
    with pytest.raises(CertificationError, match=r"beyond 8\.0 the error is only below 1"):
        audit.__wrapped__(ALL["page"])


ENDLESS = [id for id in ALL if ALL[id].end == sp.oo]


@pytest.mark.parametrize("id", slow_but(lambda id: id not in LONG, ENDLESS))
@pytest.mark.parametrize("power", [0, 1])
def test_beyond_the_tail_both_terms_of_the_error_are_bounded(id, power):
    end, bound = _tail(ALL[id].tail, power)
    x = np.array([1, 1.01, 1.1, 1.3]) * end
    terms = x**power * (np.abs(numpy_function(ALL[id].tail)(x)) + ndtr(-x))
    assert np.all(terms * (1 - 1e-9) <= float(bound.upper()))


def test_what_the_page_says_of_the_handbook_of_printed_decimals_and_of_0():
    pairs = {
        "hastings-3": "zelen-severo-3",
        "hastings-5": "zelen-severo-5",
        "hastings-4th": "zelen-severo-4th",
        "hastings-16th": "zelen-severo-16th",
    }
    x = np.linspace(0, 8, 8001)
    for one, other in pairs.items():
        gap = np.abs(numpy_function(ALL[one].phi)(x) - numpy_function(ALL[other].phi)(x))
        assert gap.max() < float(audit(ALL[one]).upper) / 8
    # the decimal that is quoted for the article of 2009 agrees with it cut off, and not rounded
    assert "0.070565992".startswith("0.07056")
    assert round(Decimal("0.070565992"), 5) == Decimal("0.07057")
    assert audit(ALL["page-both"]).upper < audit(ALL["bowling"]).lower
    assert Fraction(result("yang-error").value) < Fraction(result("logistic-scale-error").value)
    assert Fraction(result("logistic-scale-error").value) < Fraction(str(audit(ALL["yang"]).lower))
    assert ALL["page"].phi.has(tanh)
    assert result("bowling-linear").value == "1.5976"
    assert result("bowling-cubic").value == "0.07056"
    assert {"bowling-linear", "bowling-cubic", "waissi-rossin-stated"} <= set(results())
    assert result("waissi-rossin-stated").value == ALL["waissi-rossin"].stated
    for id in ("zelen-severo-16th", "hastings-16th"):
        phi = ALL[id].phi
        assert phi.subs(X, 0) == Rational(1, 2)
        assert phi.diff(X, 2).subs(X, 0) != 0  # the continuation has minus that on the left
    at_zero = ALL["choudhury"].phi.subs(X, 0)
    assert (
        sp.simplify(
            at_zero - 1 + 1 / (sqrt(2 * pi) * (Rational("0.226") + Rational("0.33") * sqrt(3)))
        )
        == 0
    )
    miss = Decimal(str(sp.N(sp.Abs(at_zero - Rational(1, 2)), 20)))
    assert miss in audit(ALL["choudhury"])


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        (2 * X, {"mul": 1}),
        (-X, {}),
        (X + 1, {"add": 1}),
        (X * (1 + 3 * X), {"mul": 2, "add": 1}),
        (X**3, {"mul": 2}),
        (1 / (1 + X), {"add": 1, "div": 1}),
        (3 / (1 + X) ** 2, {"add": 1, "mul": 1, "div": 1}),
        (sp.sin(X), {"sin": 1}),
        (1 / sqrt(X), {"sqrt": 1, "div": 1}),
        (exp(-(X**2) / 2) / sqrt(2 * pi), {"mul": 3, "exp": 1}),
        (exp(X) + 1 / (1 + exp(X)), {"exp": 1, "add": 2, "div": 1}),
        ((1 + tanh(sqrt(2 / pi) * X)) / 2, {"mul": 2, "add": 1, "tanh": 1}),
    ],
)
def test_operations_are_counted(expression, count):
    assert dict(operations(expression)) == count


# The years in the tables of the chapter.

DATED = re.compile(r"^\| (\d{4}) \|.*?\]\(bibliography\.md#([a-z0-9-]+)\)", re.MULTILINE)
LATER = {("2020", "hendrycks2016gelu")}  # a later version of the paper, as the row says


def wrong_years(text: str) -> list[tuple[str, str]]:
    """The rows that begin with another year than their source has, by year and source."""
    years = {key: entry.fields.get("year") for key, entry in BIBLIOGRAPHY.entries.items()}
    return [row for row in DATED.findall(text) if years[row[1]] != row[0] and row not in LATER]


def test_a_row_of_the_history_has_the_year_of_its_source():
    notebook = nbformat.read(BOOK / "history.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert len(DATED.findall(text)) > 7
    assert wrong_years(text) == []
    row = "| 1987 | Page ([Page 1977](bibliography.md#page1977)) | a term is added |"
    assert wrong_years(row) == [("1987", "page1977")]
    assert wrong_years(row.replace("1987", "1977")) == []
