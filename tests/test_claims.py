"""Verdicts follow from checks, and every kind of check rejects what is false."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import erf as scipy_erf
from scipy.special import expit, ndtr
from sympy import Derivative, Integral, Rational, Symbol, erf, exp, oo, pi, sqrt, tanh

from gelu_lib.activations import gelu_sigmoid, gelu_tanh
from gelu_lib.claims import (
    CHECKS,
    POSTS,
    VERDICTS,
    Checks,
    Claim,
    ClaimError,
    Undecided,
    assessments,
    counts,
    faults,
    programs,
    table,
)
from gelu_lib.claims.checks import (
    All,
    Below,
    BestOnTheLine,
    Chain,
    Closer,
    Coefficients,
    Depends,
    Digits,
    Equal,
    Less,
    Not,
    NotElementary,
    Positive,
    Prints,
    Recorded,
    Registered,
    Within,
)
from gelu_lib.claims.statements import assess, parse
from gelu_lib.families import LOGISTIC, TANH_CUBIC
from gelu_lib.figures import verdict_bars
from gelu_lib.fits import minimax
from gelu_lib.functions import LOCAL_SLOPE, Phi, T, X, phi
from gelu_lib.register import result, results
from gelu_lib.series import erf_coefficient

ROOT = Path(__file__).resolve().parent.parent
DATA = (ROOT / "gelu_lib" / "data" / "claims.toml").read_text(encoding="utf-8")
LEDGER = Path(__file__).with_name("claims.txt")
W = Symbol("w", positive=True)
Y, Z = Symbol("y", real=True), Symbol("z", real=True)
RECORD = {"torch": "0", "a": {"b": 1}}

KINDS = {
    "equal": (
        Equal((tanh(X).diff(X), 1 - tanh(X) ** 2)),
        Equal((tanh(X).diff(X), 1 + tanh(X) ** 2)),
    ),
    "equal by a derivation": (
        Equal((Phi(X), (1 + erf(X / sqrt(2))) / 2), by=("phi-erf",)),
        Equal((Phi(X), (1 + erf(X)) / 2), by=("phi-erf",)),
    ),
    "equal, a line in the middle": (Equal((X, 2 * X - X, X)), Equal((X, 2 * X, X))),
    "equal, a derivative": (
        Equal((Derivative(erf(X), X), 2 / sqrt(pi) * exp(-(X**2))), by=("erf-derivative",)),
        Equal((erf(X).diff(X), 2 / sqrt(pi) * exp(-(X**2) / 2))),
    ),
    "chain": (
        Chain("phi-erf", (Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi),)),
        Chain("logistic-tanh", (sp.S.Zero,)),
    ),
    "positive": (Positive(phi(X)), Positive(-X)),
    "digits": (Digits("0.044715", "tanh-pinned-cubic"), Digits("0.044716", "tanh-pinned-cubic")),
    "digits of an expression": (Digits("3.142", pi), Digits("3.141", pi)),
    "within": (
        Within("3.1416", pi, Rational(1, 10**5)),
        Within("3.1416", pi, Rational(1, 10**6)),
    ),
    "less": (Less("page-error-phi", "page-error-gelu"), Less("page-error-gelu", "page-error-phi")),
    "closer": (Closer(Rational(22, 7), pi, 3), Closer(3, 4, pi)),
    "coefficients": (
        Coefficients({1: 2 / sqrt(pi)}, erf_coefficient, 2),
        Coefficients({1: 2 / sqrt(pi)}, erf_coefficient, 3),
    ),
    "below": (
        Below(erf(X), 1, Rational(0), Rational(2)),
        Below(erf(X), Rational(9, 10), Rational(0), Rational(2)),
    ),
    "depends": (Depends(X * Y, Y), Depends(X * Y - Y * X + X, Y)),
    "not elementary": (NotElementary(exp(-(X**2))), NotElementary(X * exp(-(X**2)))),
    "prints": (Prints(partial(print, "1"), "1"), Prints(partial(print, "1"), "2")),
    "prints, stops": (Prints(lambda: None, ""), Prints(lambda: 1 / 0, "")),
    "recorded": (Recorded(RECORD, ("a", "b"), 1), Recorded(RECORD, ("a", "b"), 2)),
    "all": (All((Less(1, 2), Less(2, 3))), All((Less(1, 2), Less(3, 2)))),
    "not": (Not(Less(2, 1)), Not(Less(1, 2))),
}
"""For each kind of check a statement that holds and one that is false."""

UNDECIDED = {
    "equal, but by no algebra that is known": Equal((sp.sin(X) ** 2, 1 - sp.cos(X) ** 2)),
    "positive, but not proved": Positive(2 + sp.sin(X)),
    "half a unit away": Digits("0.5", Rational(55, 100)),
    "one and the same number": Less(pi, pi + Rational(1, 10**20)),
    "equally close": Closer(1, 0, 2),
    "too few extrema": BestOnTheLine(
        lambda: minimax(TANH_CUBIC, fixed={"p1": 2 * LOCAL_SLOPE}), free=4
    ),
}

CLAIM = Claim("a-claim", "su2020gelu", "here", "something")
HOLDS, FAILS, ROUNDS = Less(1, 2), Less(2, 1), Digits("3.14", pi)


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_accepts_what_is_true_and_rejects_what_is_false(kind):
    true, false = KINDS[kind]
    assert true.outcome().holds
    assert not false.outcome().holds


def test_every_kind_of_check_that_decides_a_claim_has_its_mutant():
    used = {
        type(check) for checks in CHECKS.values() for check in (checks.printed, checks.repaired)
    }
    tried = {type(check) for pair in KINDS.values() for check in pair}
    assert used - {type(None)} - tried == {BestOnTheLine}  # which is tried below


def test_a_best_fit_is_best_on_the_line_only_with_enough_extrema():
    assert BestOnTheLine(lambda: minimax(LOGISTIC), free=2).outcome().holds
    assert BestOnTheLine(lambda: minimax(LOGISTIC), free=3).outcome().holds
    with pytest.raises(Undecided):
        BestOnTheLine(lambda: minimax(LOGISTIC), free=4).outcome()


@pytest.mark.parametrize("case", UNDECIDED)
def test_what_is_not_decided_has_no_verdict(case):
    with pytest.raises(Undecided):
        UNDECIDED[case].outcome()


def test_a_chain_that_leaves_the_derivation_is_refuted_or_undecided():
    line = Integral(exp(-(T**2) / 2), (T, -oo, 2 * X)) / sqrt(2 * pi)
    assert not Chain("phi-erf", (line,)).outcome().holds


def test_a_number_may_be_a_multiple_of_a_registered_one_or_have_a_name():
    twice = Registered("tanh-pinned-cubic", factor=sp.Integer(2))
    assert Digits("0.0894298", twice).outcome().holds
    assert Digits("0.044846", Registered("criteria-tanh-pinned-phi", "L2, k")).outcome().holds


@pytest.mark.parametrize(
    ("checks", "severity", "verdict"),
    [
        (Checks(HOLDS), "", "right"),
        (Checks(ROUNDS), "", "right to the digits given"),
        (Checks(FAILS, HOLDS), "slip", "slip"),
        (Checks(FAILS, HOLDS), "wrong", "wrong"),
        (Checks(FAILS, HOLDS), "misleading", "misleading"),
    ],
)
def test_a_verdict_follows_from_the_check(checks, severity, verdict):
    claim = Claim("a-claim", "su2020gelu", "here", "x", severity=severity, correct="y")
    found = assess(claim, checks)
    assert (found.verdict, found.computed) == (verdict, True)


@pytest.mark.parametrize(
    ("checks", "fields", "message"),
    [
        (Checks(FAILS, HOLDS), {}, "the statement fails"),
        (Checks(FAILS, HOLDS), {"severity": "right", "correct": "y"}, "the statement fails"),
        (Checks(HOLDS, HOLDS), {"severity": "wrong", "correct": "y"}, "the statement holds"),
        (Checks(HOLDS, HOLDS), {"severity": "slip", "correct": "y"}, "the statement holds"),
        (Checks(HOLDS, HOLDS), {"severity": "misleading", "correct": "y"}, "the statement holds"),
        (Checks(FAILS), {"severity": "wrong", "correct": "y"}, "stated, and checked"),
        (Checks(FAILS, HOLDS), {"severity": "wrong"}, "stated, and checked"),
        (Checks(FAILS, FAILS), {"severity": "wrong", "correct": "y"}, "in its place fails"),
        (Checks(HOLDS, HOLDS), {}, "needs no repair"),
        (Checks(HOLDS), {"editorial": "right", "correct": "y"}, "no editorial verdict"),
        (None, {}, "needs an editorial verdict"),
        (None, {"editorial": "right"}, "and a reason"),
        (None, {"editorial": "fine", "correct": "y"}, "needs an editorial verdict"),
        (None, {"severity": "slip", "correct": "y"}, "needs an editorial verdict"),
    ],
)
def test_a_verdict_that_contradicts_its_check_is_refused(checks, fields, message):
    with pytest.raises(ClaimError, match=message):
        assess(Claim("a-claim", "su2020gelu", "here", "x", **fields), checks)


@pytest.mark.parametrize(
    "text", ['[a]\npost = "x"\nwhere = "y"', '[a]\npost = "x"\nwhere = "y"\nclaim = "z"\nb = "c"']
)
def test_data_with_a_missing_or_an_unknown_field_are_refused(text):
    with pytest.raises(ClaimError, match="missing"):
        parse(text)


def test_no_verdict_in_the_data_contradicts_its_check():
    for id, found in assessments().items():
        assert found.verdict in VERDICTS, id
        assert found.computed == (id in CHECKS) == (not found.claim.editorial), id


def test_a_check_that_is_turned_round_is_noticed():
    """Negate each check in turn: the data then contradict it."""
    for id, checks in CHECKS.items():
        claim = assessments()[id].claim
        turned = Checks(Not(checks.printed), checks.repaired)
        with pytest.raises(ClaimError):
            assess(claim, turned)


def test_every_published_claim_stands():
    published = LEDGER.read_text(encoding="utf-8").split()
    assert list(assessments()) == published


def test_an_id_says_which_post_it_is_from():
    prefixes = dict(zip(POSTS, ("en", "zh", "ja", "su", "clay"), strict=True))
    for id, found in assessments().items():
        assert re.fullmatch(rf"{prefixes[found.claim.post]}(-[a-z0-9]+)+", id)


def test_what_the_claims_refer_to_exists():
    for id in re.findall(r"\{(?:result|literal)\}`([^`]+)`", DATA):
        assert id in results()
    keys = re.findall(r"^@\w+\{([^,]+),", (ROOT / "book/references.bib").read_text("utf-8"), re.M)
    for cited in re.findall(r"\{cite\}`([^`]+)`", DATA):
        assert set(cited.split(",")) <= set(keys)
    for id in re.findall(r"\(`((?:en|zh|ja|su|clay)-[a-z-]+)`\)", DATA):
        assert id in assessments()


def test_no_number_is_typed_in_the_claims():
    decimals = re.findall(r"(?<![\w./])\d+\.\d{2,}(?![\w.])", re.sub(r"`[^`]*`", "", DATA))
    assert set(decimals) <= {"0.044715", "1.702", "1606.08415"}


@pytest.mark.parametrize("post", POSTS)
def test_every_row_has_its_anchor_and_its_evidence(post):
    rows = table(post).rows
    assert len(rows) == sum(counts()[post].values())
    for cell, known in rows:
        anchored = r'<span id="claim-([a-z0-9-]+)"></span>\*\*([a-z ]+)\*\*( \(editorial\))? · `'
        id, verdict, editorial = re.match(anchored, cell).groups()
        assert verdict == assessments()[id].verdict
        assert (editorial is None) == assessments()[id].computed
        assert known.endswith(".") and len(known) > 10


def test_the_faults_are_what_is_not_right_and_not_open():
    fine = ("right", "right to the digits given", "not verifiable here")
    named = [re.search(r'href="#claim-([a-z0-9-]+)"', row[0])[1] for row in faults().rows]
    assert named == [id for id, found in assessments().items() if found.verdict not in fine]


def test_a_table_of_an_unknown_post_is_refused():
    with pytest.raises(ValueError, match="accepted are gelunote-en"):
        table("somebody")


def test_the_bars_are_the_counts():
    drawn = verdict_bars(counts())
    total = sum(lengths.sum() for _, lengths in drawn.curves.values())
    assert total == len(assessments())
    assert list(drawn.curves) == list(VERDICTS)


def test_bars_of_different_verdicts_are_refused():
    with pytest.raises(ValueError, match="same verdicts"):
        verdict_bars({"a": {"right": 1}, "b": {"wrong": 1}})


def test_between_minus_1_and_1_the_difference_of_the_forms_is_negative_but_at_0():
    x = np.linspace(0.001, 1, 1000)
    assert np.all(gelu_tanh(x) < gelu_sigmoid(x))
    assert gelu_tanh(0.0) == gelu_sigmoid(0.0) == 0
    np.testing.assert_allclose(
        gelu_tanh(x) - gelu_sigmoid(x), gelu_tanh(-x) - gelu_sigmoid(-x), atol=1e-15
    )


# ------------------------------------------------------------------ what the programs do


def scalar_cubic(b: float) -> float:
    slope = np.sqrt(2 / np.pi)
    sizes = [
        np.abs(scipy_erf(x / np.sqrt(2)) - np.tanh(slope * x + b * x**3)) for x in programs.GRID
    ]
    return np.max(sizes)


def scalar_scale(c: float) -> float:
    return np.max([np.abs(ndtr(x) - expit(c * x)) for x in programs.GRID])


@pytest.mark.parametrize(
    ("point_by_point", "at_once", "at"),
    [
        (scalar_cubic, programs.cubic_on_grid, (0.03, 0.0357, 0.04)),
        (scalar_scale, programs.scale_on_grid, (1.6, 1.7, 1.8)),
    ],
)
def test_the_error_at_once_is_the_error_point_by_point_up_to_rounding(point_by_point, at_once, at):
    for parameter in at:
        assert abs(point_by_point(parameter) - at_once(parameter)) <= 2**-52


@pytest.mark.parametrize(
    ("function", "id"),
    [
        (programs.cubic_on_grid, "tanh-grid-coefficient"),
        (programs.scale_on_grid, "logistic-grid-scale"),
    ],
)
def test_the_search_ends_at_the_optimum_on_the_grid(function, id):
    found = programs.search(function).item()
    assert abs(found - float(result(id).value)) <= programs.TOLERANCE


def test_the_optimum_on_the_grid_is_confirmed_by_balancing_both_ends():
    x = programs.GRID

    def imbalance(b: float) -> float:
        error = scipy_erf(x / np.sqrt(2)) - np.tanh(np.sqrt(2 / np.pi) * x + b * x**3)
        return error.max() + error.min()

    balanced = brentq(imbalance, 0.03, 0.04, xtol=1e-16)
    assert abs(balanced - float(result("tanh-grid-coefficient").value)) < 1e-14
