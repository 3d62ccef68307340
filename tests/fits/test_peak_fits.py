"""Optima of weighted sup norms: the balance of their peaks, and claims that must be rejected."""

from dataclasses import replace
from functools import cache
from itertools import product

import mpmath
import pytest
import sympy as sp
from kinds import slow_but
from sympy import Float

from gelu_lib.fits import minimax as minimax_module
from gelu_lib.fits.alternation import Level, error_curve
from gelu_lib.fits.balance import _equations, balanced, check_balance
from gelu_lib.fits.criteria import Criterion, NotAnOptimumError, problem
from gelu_lib.fits.minimax import check_optimum, minimax
from gelu_lib.fits.solving import newton
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import numerical
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC, odd_logistic
from gelu_lib.register import agreeing_digits

BELL = sp.exp(-(X**2) / 2)
SLOPE = Criterion("sup", "GELU_derivative")


def best_by(family, criterion, fixed=None, digits=16):
    return minimax(family, criterion.of, fixed, digits, criterion.weight)


FAMILIES = [(LOGISTIC, {}), (TANH_CUBIC, SLOPE_KEPT), (TANH_CUBIC, {})]
IN_TURN = [(*FAMILIES[0], "GELU", 1), (*FAMILIES[1], "GELU", BELL), (*FAMILIES[2], "Phi", 1)]


@pytest.mark.parametrize(
    ("family", "fixed", "of", "weight"),
    slow_but(
        IN_TURN.__contains__,
        [(*kind, *rest) for kind in FAMILIES for rest in product(["Phi", "GELU"], [1, BELL])],
    ),
)
def test_the_balance_of_the_peaks_and_the_alternation_are_one(family, fixed, of, weight):
    found = balanced(problem(family, Criterion("sup", of, weight), fixed), 30)
    fit = minimax(family, of, fixed, 30, weight)
    assert found.alternates and found.signs == fit.signs
    numbers = (
        (*one.parameters.values(), one.error, *one.points, *one.multipliers) for one in (found, fit)
    )
    for one, other in zip(*numbers, strict=True):
        assert agreeing_digits(str(one), str(other)) >= 30


@cache
def one_peak():
    return best_by(TANH_CUBIC, SLOPE, SLOPE_KEPT)


@cache
def two_peaks():
    return best_by(LOGISTIC, Criterion("sup", "GELU"))


@cache
def three_peaks():
    return best_by(TANH_CUBIC, SLOPE)


def off(optimum, name, factor):
    """The optimum with one parameter changed by a factor."""
    changed = {**optimum.parameters, name: optimum.parameters[name] * factor}
    return replace(optimum, parameters=changed)


@pytest.mark.parametrize(
    ("best", "change", "fault"),
    [
        (three_peaks, lambda o: off(o, "p1", 1 + 1e-9), "the error at x"),
        (three_peaks, lambda o: off(o, "p3", 1 - 1e-9), "the error at x"),
        (three_peaks, lambda o: replace(o, error=o.error * (1 + Float("1e-12"))), "the error at x"),
        (three_peaks, lambda o: replace(o, signs=(1, -1, 1)), "the error at x"),
        (three_peaks, lambda o: replace(o, points=(*o.points[:2], Float("3.3"))), "the error at x"),
        (three_peaks, lambda o: replace(o, multipliers=o.multipliers[::-1]), "balance"),
        (one_peak, lambda o: replace(o, multipliers=(Float("0.9"),)), "the sum of"),
        (one_peak, lambda o: off(o, "p1", 1 + 1e-4), "p1 is .* but fixed at"),
        (two_peaks, lambda o: replace(o, error=o.error * (1 + Float("1e-13"))), "the error at x"),
        (two_peaks, lambda o: replace(o, digits=3, error=o.error * Float("1.9")), "the error at x"),
        (one_peak, lambda o: replace(o, multipliers=(Float(-1),)), "not positive"),
        (two_peaks, lambda o: replace(o, multipliers=o.multipliers[::-1]), "balance"),
        (three_peaks, lambda o: replace(o, multipliers=()), "3 points, 3 signs and 0 multipliers"),
    ],
)
def test_a_false_claim_is_rejected(best, change, fault):
    false = change(best())
    with pytest.raises(NotAnOptimumError, match=fault):
        check_optimum(false)


def balanced_at(start, places, signs):
    """Parameters of the free tanh form whose slope error is balanced at these peaks."""
    made, count = problem(TANH_CUBIC, SLOPE), len(places)
    unknowns = [*start, 5e-4, *places, *[1 / count] * count]
    found = [
        Float(value, 36) for value in newton(_equations(error_curve(made), signs), unknowns, 16)
    ]
    return replace(
        three_peaks(),
        parameters=dict(zip(TANH_CUBIC.names, found[:2], strict=True)),
        error=found[2],
        points=tuple(found[3 : 3 + count]),
        signs=tuple(signs),
        multipliers=tuple(found[3 + count :]),
    )


def test_a_balance_below_a_higher_peak_or_with_a_negative_multiplier_is_rejected():
    claim = balanced_at([1.599, 0.0711], [1.23, 2.06, 3.21], [1, -1, 1])
    assert all(weight > 0 for weight in claim.multipliers)
    with pytest.raises(NotAnOptimumError, match=r"is exceeded at x = 0\.44"):
        check_optimum(claim)
    with pytest.raises(NotAnOptimumError, match="a multiplier is not positive"):
        check_optimum(balanced_at([1.599, 0.0711], [0.446, 1.23, 2.06], [-1, 1, -1]))


def test_the_curvature_is_part_of_the_check(monkeypatch):
    def refuse(*_):
        raise NotAnOptimumError("asked")

    monkeypatch.setattr(minimax_module, "check_balance", refuse)
    with pytest.raises(NotAnOptimumError, match="asked"):
        check_optimum(one_peak())


def test_a_peak_that_every_step_lowers_is_rejected_by_its_second_derivatives():
    """A stationary peak that falls whichever way the scale moves; only its sign is turned here."""
    best = best_by(LOGISTIC, SLOPE)
    made = problem(LOGISTIC, SLOPE)
    with mpmath.workdps(40):
        points, scales = numerical(best.points), numerical(best.parameters.values())
        curve, one = error_curve(made), [mpmath.mpf(1)]
        check_balance(curve, Level(tuple(scales), one[0], tuple(points), (1,)), one)
        with pytest.raises(NotAnOptimumError, match="do not rise"):
            check_balance(curve, Level(tuple(scales), one[0], tuple(points), (-1,)), one)


@pytest.mark.parametrize("digits", [0, -5])
def test_a_claim_of_no_digits_is_refused(digits):
    with pytest.raises(ValueError, match="digits must be at least 1"):
        check_optimum(replace(two_peaks(), digits=digits))


def test_a_family_without_a_best_member_and_a_norm_without_peaks_are_refused():
    with pytest.raises(ConvergenceError, match="no highest peak on the grid"):
        balanced(problem(odd_logistic(5), Criterion("sup", "Phi")), 16)
    with pytest.raises(ValueError, match="norm is 'L2'; accepted is 'sup'"):
        check_optimum(replace(two_peaks(), criterion=Criterion("L2", "Phi")))
