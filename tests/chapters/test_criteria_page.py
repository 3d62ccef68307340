"""What the chapter on other measures says of narrow weights, and does not compute."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
import sympy as sp
from reader import Session, glued

from gelu_lib import TANH_CUBIC, minimax, result, tanh_form
from gelu_lib.evidence.criteria_table import MEASURES, load_cell
from gelu_lib.functions.expressions import X, logistic
from gelu_lib.functions.families import SLOPE_KEPT
from gelu_lib.register import agreeing_digits


def best_cubic(weight):
    """The cubic coefficient with the least largest weighted error of GELU, the slope kept."""
    best = minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, 20, weight).parameters
    return best["p3"] / best["p1"]


def test_criteria_a_narrower_weight_moves_the_best_constant_from_the_first_to_taylors():
    sup, local = load_cell("tanh-pinned", "GELU", "sup").constant, (4 - sp.pi) / (6 * sp.pi)
    ks = [sup, *(best_cubic(sp.exp(-(X**2) / T)) for T in (100, sp.Rational("7.05"), 1)), local]
    assert all(one < other for one, other in pairwise(ks))
    assert agreeing_digits(str(ks[2].n(20)), result("tanh-gelu-weighted-cubic").number) == 20
    assert f"{ks[2]:.6f}" == "0.044715"
    assert str(best_cubic(sp.S.One).n(20)) == str(sup.n(20))


def test_criteria_the_widths_that_give_the_printed_digits_are_proved():
    made = Session("criteria", {}).names
    sides, ends = (made["around"][:2], made["around"][2:]), ("0.0447155", "0.0447145")
    for found, end, (low, high) in zip(made["fits"], ends, sides, strict=True):
        assert float(low) < found < float(high)
        assert made["proved_level"](high).upper < Decimal(end) < made["proved_level"](low).lower


def test_criteria_what_the_proof_of_the_line_rests_on():
    """The error near 0, the order of the crest for small T, and C − D at both ends of T."""
    k, x = sp.Symbol("k", positive=True), np.linspace(0, 8, 8001)
    form = sp.expand(sp.series(logistic(SLOPE_KEPT["p1"] * (X + k * X**3)), X, 0, 5).removeO())
    exact = sp.series(sp.Rational(1, 2) * (1 + sp.erf(X / sp.sqrt(2))), X, 0, 5).removeO()
    local = (4 - sp.pi) / (6 * sp.pi)
    assert sp.simplify(exact - form - (local - k) * X**3 / sp.sqrt(2 * sp.pi)) == 0

    def crest_and_trough(k, width):
        error = np.exp(-(x**2) / width) * tanh_form(k).error_at(x, "GELU")
        return error.max(), -error.min()

    crests = [crest_and_trough(sp.Rational("0.0454"), width)[0] / width**2 for width in (0.1, 0.05)]
    assert crests[0] == pytest.approx(crests[1], rel=0.3)
    for k in ("0.0444", "0.0447", "0.0455"):  # between the two ends
        for width, larger in ((0.02, True), (1e4, False)):
            crest, trough = crest_and_trough(sp.Rational(k), width)
            assert (crest > trough) == larger
    crest, trough = crest_and_trough(sp.Rational("0.0456"), 0.02)  # beyond Taylor's
    assert crest < trough


def test_criteria_what_is_said_of_the_tables_of_digits():
    def column(form, error, quantity=lambda cell: cell.constant):
        return {name: float(quantity(load_cell(form, error, name))) for name in MEASURES}

    for error in ("Phi", "GELU", "GELU_derivative"):
        k, c = column("tanh-pinned", error), column("sigmoid", error)
        assert k["Gaussian L1"] > k["L1"] and c["Gaussian L1"] < c["L1"]
        p1 = column("tanh-free", error, lambda cell: cell.parameters["p1"])
        assert min(p1.values()) > float(SLOPE_KEPT["p1"])
        pinned, free, sigmoid = (
            column(form, error, lambda cell: cell.error)
            for form in ("tanh-pinned", "tanh-free", "sigmoid")
        )
        for name in MEASURES:
            assert free[name] < pinned[name] < 2 * free[name] < sigmoid[name] / 10


@pytest.mark.slow
def test_criteria_the_weight_of_exercise_3_is_put_in_at_one_place():
    names = Session("criteria", {"sp.exp(-X**2 / T)": "(1 + X**2 / T) ** -2"}).names
    limit = float(glued("criteria")["limit-of-a-power"])
    assert min(names["costs"].values()) > 1
    assert names["level"](1e-5) == pytest.approx(limit, abs=1e-6)
    assert float(names["around"][0]) < names["fits"][0] < float(names["around"][1])
