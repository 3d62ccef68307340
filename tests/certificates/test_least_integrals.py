"""Optima in the L1 and L2 norms: proved to be the best of all near them, or refused."""

import dataclasses
from functools import cache, reduce
from itertools import product

import numpy as np
import pytest
import sympy as sp
from flint import arb, arb_mat, ctx
from kinds import slow_but
from proofs import require_derivatives
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, ndtr

from gelu_lib.certificates.best import least_integrals
from gelu_lib.certificates.best.least_integrals import (
    AbsoluteError,
    Squares,
    certify_integral,
    require_positive_definite,
)
from gelu_lib.certificates.engine.balls import number
from gelu_lib.certificates.engine.enclosures import ErrorCurve
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.engine.integrals import bound_beyond, integral, rest
from gelu_lib.certificates.engine.signs import _keeps_its_sign, prove_signs
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.integral import integral_norm, integral_optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import tail_form
from gelu_lib.functions.expressions import X, numpy_function, phi
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC, Family, error_expression
from gelu_lib.functions.forms import Form
from gelu_lib.register import agreeing_digits

pytestmark = pytest.mark.usefixtures("proof_precision")

TARGETS = ("Phi", "GELU", "GELU_derivative")
CASES = {
    "least squares, one free": (TANH_CUBIC, Criterion("L2", "GELU_derivative", phi(X)), SLOPE_KEPT),
    "least squares, both free": (TANH_CUBIC, Criterion("L2", "Phi"), {}),
    "absolute, one free": (LOGISTIC, Criterion("L1", "GELU", phi(X)), {}),
    "absolute, both free": (TANH_CUBIC, Criterion("L1", "Phi", phi(X)), {}),
}


@cache
def optimum(name):
    return integral_optimum(*CASES[name])


@cache
def certificate(name):
    return certify_integral(optimum(name), 20)


# the whole proof


@pytest.mark.parametrize("name", slow_but(lambda name: name.endswith("one free"), CASES))
def test_the_enclosures_hold_what_mpmath_computes_and_decide_the_digits(name):
    proved, best = certificate(name), integral_optimum(*CASES[name], digits=30)
    numbers = {**best.parameters, "size": best.error}
    ends = {**proved.parameters, "size": proved.error}
    for key, value in numbers.items():
        assert agreeing_digits(str(value.n(30)), ends[key].lower) >= 28
        assert agreeing_digits(ends[key].rounded(20), ends[key].upper) >= 20
    assert len(proved.points) == len(best.points)
    for ends, x in zip(proved.points, best.points, strict=True):
        assert agreeing_digits(str(x.n(30)), ends.lower) >= 28


@pytest.mark.parametrize("name", slow_but(lambda name: name.endswith("one free"), CASES))
def test_no_corner_of_the_box_has_a_smaller_norm(name):
    family, criterion, fixed = CASES[name]
    proved = certificate(name)
    sides = [(key, (ends.lower, ends.upper)) for key, ends in proved.box.items()]
    for corner in product(*(values for _, values in sides)):
        moved = dict(zip((key for key, _ in sides), corner, strict=True))
        size = integral_norm(Form(family, {**fixed, **moved}), criterion, digits=30)
        assert size > sp.Float(str(proved.error.upper), 30)


def test_what_a_box_is_around_is_not_what_was_claimed_but_what_is_proved():
    best = optimum("least squares, one free")
    p1, p3 = best.parameters.values()
    rough = dataclasses.replace(best, parameters={"p1": p1, "p3": p3 * sp.Float("1.001")})
    assert certify_integral(rough, 20).error == certificate("least squares, one free").error


def test_a_claim_without_its_zero_is_refused():
    best = optimum("absolute, one free")
    with pytest.raises(CertificationError, match="no change of sign is claimed"):
        certify_integral(dataclasses.replace(best, points=()), 20)
    with pytest.raises(CertificationError):
        certify_integral(dataclasses.replace(best, points=(*best.points, sp.Float(4))), 20)


def test_an_absolute_error_needs_the_proof_of_its_signs(monkeypatch):
    def refuse(made, parameters, zeros, first):
        raise CertificationError("bound", f"{len(zeros)} zeros, {first} before")

    monkeypatch.setattr(least_integrals, "prove_signs", refuse)
    best = optimum("absolute, one free")
    with pytest.raises(CertificationError, match="1 zeros, -1 before"):
        certify_integral(best, 20)


@pytest.mark.parametrize("name", ["absolute, one free", "least squares, one free"])
def test_a_stationary_point_needs_the_proof_that_it_is_a_minimum(monkeypatch, name):
    def refuse(matrix):
        raise CertificationError("optimality", f"{matrix.nrows()} rows")

    monkeypatch.setattr(least_integrals, "require_positive_definite", refuse)
    with pytest.raises(CertificationError, match="1 rows"):
        certify_integral(optimum(name), 20)


def test_a_sup_norm_and_another_object_are_refused():
    sup = minimax(LOGISTIC)
    with pytest.raises(ValueError, match="accepted are 'L1' and 'L2'"):
        certify_integral(sup)
    with pytest.raises(TypeError, match="must be an Optimum"):
        certify_integral("L2")
    best = optimum("least squares, one free")
    with pytest.raises(ValueError, match="digits must be at least 1"):
        certify_integral(best, 0)


# the parts


@pytest.mark.parametrize(
    "rows", [[[0]], [[-1]], [[1, 2], [2, 1]], [[0, 1], [1, 0]], [[arb(0, 1)]]], ids=str
)
def test_what_is_not_positive_definite_is_refused(rows):
    with pytest.raises(CertificationError, match="not shown positive definite"):
        require_positive_definite(arb_mat(rows))


def test_a_ball_that_only_meets_where_the_zeros_may_be_is_refused(monkeypatch):
    """The zeros may lie up to 3.5e-12 away, and the slope is known on balls below 2e-12 alone."""

    class Curve:
        def __init__(self, family, of):
            pass

        def taylor(self, x, parameters, length):
            return [arb(2e-12, 1.5e-12)]

        def enclose(self, ball, parameters, order):
            return arb(1) if ball.rad() < 2e-12 else arb(0, 1)

    monkeypatch.setattr(least_integrals, "ErrorCurve", Curve)
    norm = AbsoluteError(problem(LOGISTIC, Criterion("L1", "Phi")), 1)
    with pytest.raises(CertificationError, match="no zero is shown near"):
        norm._wherever(arb(1), [arb(1.7)])


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_the_derivatives_of_the_equations_are_those_of_their_values(norm):
    """By difference quotients, which need no solution."""
    made = problem(TANH_CUBIC, Criterion(norm, "Phi"))
    equations = AbsoluteError(made, 2) if norm == "L1" else Squares(made)
    unknowns = [arb(v) for v in ((1.6, 0.07, 0.9, 2.1) if norm == "L1" else (1.6, 0.07))]
    require_derivatives(equations, unknowns, 20)


@pytest.mark.parametrize("of", TARGETS)
@pytest.mark.parametrize("weight", [sp.S.One, phi(X)])
def test_an_integral_holds_what_scipy_finds(of, weight):
    made = problem(TANH_CUBIC, Criterion("L2", of, weight))
    values = (1.6, 0.07)
    parameters, terms = [arb(v) for v in values], (((0,), (1,)), ((), (0, 1)))
    error = tail_form(TANH_CUBIC, of)
    p1, p3 = TANH_CUBIC.symbols
    wanted = weight * (error.diff(p1) * error.diff(p3) + error * error.diff(p1, p3))
    function = numpy_function(wanted.subs(dict(zip((p1, p3), values, strict=True))))
    found = integral(made, parameters, terms, arb(0.5), arb(3))
    assert float(found) == pytest.approx(quad(function, 0.5, 3, epsabs=1e-13)[0], abs=1e-10)
    widened = integral(made, parameters, terms, arb(0.5, 0.01), arb(3, 0.01))
    for left, right in product((0.49, 0.51), (2.99, 3.01)):
        assert widened.contains(arb(quad(function, left, right)[0], 1e-9)) or widened.overlaps(
            arb(quad(function, left, right)[0], 1e-9)
        )


MEMBERS = [(1.7, 0.0), (1.6, 0.07), (1.1, 0.2)]
TERMS = [(((),),), (((), ()),), (((0,), (1,)), ((), (0, 1)))]
TOGETHER = [(of, MEMBERS[i], TERMS[j]) for i, of in enumerate(TARGETS) for j in range(3)]


@pytest.mark.parametrize(
    ("of", "parameters", "terms"),
    slow_but(TOGETHER.__contains__, product(TARGETS, MEMBERS, TERMS)),
    ids=str,
)
def test_what_is_not_integrated_is_within_its_bound(of, parameters, terms):
    made = problem(TANH_CUBIC, Criterion("L1", of))
    error = tail_form(TANH_CUBIC, of)

    def derivative(entry):
        return reduce(sp.diff, (made.free[j] for j in entry), error)

    whole = sp.Add(*(sp.Mul(*map(derivative, product)) for product in terms))
    function = numpy_function(whole.subs(dict(zip(TANH_CUBIC.symbols, parameters, strict=True))))
    for end in (2.0, 4.0):
        bound = bound_beyond(made, [arb(p) for p in parameters], terms, end)
        x = np.linspace(end, end + 40, 200_001)
        assert 0 < np.trapezoid(np.abs(function(x)), x) < float(bound)


def test_what_falls_or_is_too_heavy_in_the_tail_is_refused():
    made = problem(TANH_CUBIC, Criterion("L2", "Phi"))
    with pytest.raises(CertificationError, match="not negligible"):
        rest(made, [arb(2), arb(-0.001)], (((), ()),))
    made = problem(LOGISTIC, Criterion("L1", "Phi"))
    with ctx.workprec(4000), pytest.raises(CertificationError, match="not negligible"):
        rest(made, [arb(1.7)], (((),),))


# signs

ZEROS = {
    "Phi": ((1.6,), (1.5, 0.1)),
    "GELU": ((1.75,), (1.63, 0.06)),
    "GELU_derivative": ((1.7,), (1.5, 0.1)),
}


def sampled_zeros(error):
    x = np.linspace(1e-3, 6, 60_001)
    signs = np.sign(error(x))
    return x[np.flatnonzero(signs[1:] != signs[:-1])], int(signs[0])


@pytest.mark.parametrize("of", TARGETS)
@pytest.mark.parametrize("free", [1, 2])
def test_the_signs_of_an_error_are_proved_and_no_others(of, free):
    values = ZEROS[of][free - 1]
    family = LOGISTIC if free == 1 else TANH_CUBIC
    made, parameters = problem(family, Criterion("L1", of)), [arb(v) for v in values]
    exact = dict(zip(family.symbols, values, strict=True))
    places, first = sampled_zeros(numpy_function(error_expression(family, of).subs(exact)))
    balls = [arb(x + 5e-5, 2e-4) for x in places]
    assert balls
    prove_signs(made, parameters, balls, first)
    with pytest.raises(CertificationError):
        prove_signs(made, parameters, balls, -first)
    with pytest.raises(CertificationError):
        prove_signs(made, parameters, balls[:-1], first)
    with pytest.raises(CertificationError):
        prove_signs(made, parameters, [*balls, balls[-1] + 1], first)
    with pytest.raises(CertificationError):
        prove_signs(made, [arb(p.mid(), 0.2) for p in parameters], balls, first)


def test_the_slope_of_phi_kept_moves_the_first_coefficient():
    criterion = Criterion("L1", "Phi")
    best = integral_optimum(TANH_CUBIC, criterion, SLOPE_KEPT)
    parameters = [number(SLOPE_KEPT["p1"]), arb(float(best.parameters["p3"]))]
    places = [arb(float(x), 1e-12) for x in best.points]
    prove_signs(problem(TANH_CUBIC, criterion, SLOPE_KEPT), parameters, places, 1)
    with pytest.raises(CertificationError, match="close to x = 0"):
        prove_signs(problem(TANH_CUBIC, criterion), parameters, places, 1)


def test_a_ball_that_is_too_wide_for_a_crossing_is_refused():
    made, parameters = problem(LOGISTIC, Criterion("L1", "Phi")), [arb(1.7)]
    exact = error_expression(LOGISTIC, "Phi").subs(LOGISTIC.symbols[0], 1.7)
    (place,), first = sampled_zeros(numpy_function(exact))
    prove_signs(made, parameters, [arb(place, 1e-3)], first)
    with pytest.raises(CertificationError, match="not shown to cross"):
        prove_signs(made, parameters, [arb(place, place / 3)], first)


def test_an_error_that_touches_zero_or_nearly_is_refused():
    """With p₁ = 1.6 two zeros of the error of Φ meet where p₃ is about 0.0705."""
    made = problem(TANH_CUBIC, Criterion("L1", "Phi"))

    def highest(p3):
        x = np.linspace(1, 3, 20_001)
        return np.max(expit(-(1.6 * x + p3 * x**3)) - ndtr(-x))

    touching = brentq(highest, 0.07, 0.072)
    prove_signs(made, [arb(1.6), arb(touching + 1e-4)], [], -1)
    with pytest.raises(CertificationError, match="a sign is not shown near"):
        prove_signs(made, [arb(1.6), arb(touching, 1e-7)], [], -1)


@pytest.mark.parametrize(
    ("parameters", "end", "sign"),
    [
        ((0.05, 0.104), 4, -1),  # P rises fast enough, but σ(−P) is the larger still
        ((3.2, 0.001), 4, -1),  # Φ is the larger, but not for long
        ((0.7,), 1, 1),  # d is positive there, and not known to rise
        ((1.7,), 4, -1),
        ((1.6, 0.07), 4, 1),
        ((-1.6, 0.5), 4, -1),
    ],
)
def test_a_sign_that_is_not_kept_for_ever_is_not_shown(parameters, end, sign):
    family = LOGISTIC if len(parameters) == 1 else TANH_CUBIC
    balls = [arb(p) for p in parameters]
    assert not _keeps_its_sign(ErrorCurve(family, "Phi"), balls, arb(end), sign)


def test_the_tail_of_another_family_is_not_known():
    family = Family((1, 5))
    made = problem(family, Criterion("L1", "Phi"))
    with pytest.raises(CertificationError, match="far out"):
        prove_signs(made, [arb(1.5), arb(0.01)], [], 1)
