"""Optima in the L1 and L2 norms: proved to be the best of all near them, or refused."""

from dataclasses import replace
from functools import cache, reduce
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb, arb_mat, ctx
from kinds import slow_but
from proofs import fails, require_derivatives
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, ndtr
from sympy import Rational

from gelu_lib.certificates.best import least_integrals
from gelu_lib.certificates.best.certificate import certify
from gelu_lib.certificates.best.integrals import integral, rest, tail_integral
from gelu_lib.certificates.best.least_integrals import (
    AbsoluteError,
    Squares,
    integral_norm,
    least_integral,
    require_positive_definite,
)
from gelu_lib.certificates.best.signs import _crossing, _keeps_its_sign, prove_signs
from gelu_lib.certificates.engine.balls import number
from gelu_lib.certificates.engine.enclosures import ErrorCurve
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.start import StartError
from gelu_lib.functions.expressions import LOCAL_SLOPE, X, mpmath_function, numpy_function, phi
from gelu_lib.functions.families import (
    LOGISTIC,
    SLOPE_KEPT,
    TANH_CUBIC,
    RationalFamily,
    WrongLimitError,
    odd_logistic,
)
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form
from gelu_lib.functions.targets import GELU, GELU_DERIVATIVE, PHI, TARGETS, Target
from gelu_lib.register import agreeing_digits

pytestmark = pytest.mark.usefixtures("proof_precision")

CASES = {
    "least squares, one free": (TANH_CUBIC, "GELU_derivative", SLOPE_KEPT, 20, phi(X), "L2"),
    "least squares, both free": (TANH_CUBIC, "Phi", {}, 20, 1, "L2"),
    "absolute, one free": (LOGISTIC, "GELU", {}, 20, phi(X), "L1"),
    "absolute, both free": (TANH_CUBIC, "Phi", {}, 20, phi(X), "L1"),
}
ONE_FREE = [name for name in CASES if name.endswith("one free")]


@cache
def best(name):
    return least_integral(*CASES[name])


def proved_anew(name):
    """The best member, with nothing known of it from before."""
    least_integrals._proved.cache_clear()
    return least_integral(*CASES[name])


@pytest.fixture
def forgetting():
    yield
    least_integrals._proved.cache_clear()


# the whole proof: what the table of criteria has is compared in test_choices


@pytest.mark.parametrize("name", slow_but(ONE_FREE.__contains__, CASES))
def test_no_corner_of_the_box_has_a_smaller_norm(name):
    family, target, fixed, digits, weight, norm = CASES[name]
    found = best(name)
    assert found.optimal == "among all nearby"
    sides = [[ends.lower, ends.upper] for ends in found.box.values()]
    for corner in product(*sides):
        moved = Form(family, {**fixed, **dict(zip(found.box, corner, strict=True))})
        assert integral_norm(moved, target, digits, weight, norm) > found.error


@pytest.mark.parametrize("digits", [1, 20])
def test_the_box_lies_inside_what_is_proved(digits):
    found = least_integral(LOGISTIC, digits=digits)
    (ball, *_), (ends,) = least_integrals._proved(found.problem)[1], found.box.values()
    assert ball.contains(ends.ball) and float(ends.upper - ends.lower) > 1e-13
    with pytest.raises(ValueError, match="norm is 'L2'"):
        certify(found)
    with pytest.raises(ValueError, match="norm is 'L2'"):
        certify(least_integral(LOGISTIC))


def test_a_zero_too_few_or_too_many_is_refused(monkeypatch, forgetting):
    near = begin(best("absolute, one free").problem)
    for points in ((), (*near.points, 4.0)):
        changed = replace(near, points=points)
        monkeypatch.setattr(least_integrals, "begin", lambda _, changed=changed: changed)
        with pytest.raises(CertificationError):
            proved_anew("absolute, one free")


@pytest.mark.parametrize(
    ("name", "check", "step"),
    [
        ("absolute, one free", "prove_signs", "bound"),
        ("absolute, one free", "require_positive_definite", "optimality"),
        ("least squares, one free", "require_positive_definite", "optimality"),
        ("absolute, one free", "prove_solution", "solution"),
        ("least squares, one free", "prove_solution", "solution"),
    ],
)
def test_each_check_is_asked(monkeypatch, forgetting, name, check, step):
    def refuse(*_):
        raise CertificationError(step, "asked")

    monkeypatch.setattr(least_integrals, check, refuse)
    with fails(step, "asked"):
        proved_anew(name)


@pytest.mark.parametrize("name", ONE_FREE)
def test_what_is_shown_positive_is_the_second_derivative_of_the_norm(monkeypatch, forgetting, name):
    seen = []
    monkeypatch.setattr(least_integrals, "require_positive_definite", seen.append)
    found, (family, target, fixed, _, weight, norm) = proved_anew(name), CASES[name]
    (p,), step = found.problem.free, Rational(1, 1000)
    middle, power = found.exact[p], int(norm[1])  # the norm is 2F for L1, its square 4F for L2
    low, at, high = (
        integral_norm(Form(family, {**fixed, p.name: x}), target, 25, weight, norm).ball ** power
        for x in (middle - step, middle, middle + step)
    )
    quotient = (high - 2 * at + low) / (2 * power * number(step) ** 2)
    assert float(seen[0][0, 0]) == pytest.approx(float(quotient), rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"norm": "sup"}, "norm must be one of .* got 'sup'"),
        ({"digits": 0}, "digits must be at least 1"),
        ({"weight": 2 + sp.cos(X)}, "not known to be positive"),
        ({"target": Target(PHI.function, X**2)}, "accepted are families of odd_logistic"),
        ({"family": RationalFamily(1, 2)}, "not shown to be even or odd"),
        ({"fixed": {"p1": 1.7}}, "at least one must be free"),
    ],
)
def test_other_arguments_are_refused(arguments, fault):
    with pytest.raises(ValueError, match=fault):
        least_integral(**{"family": LOGISTIC, "digits": 10} | arguments)


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_a_best_member_with_the_wrong_limit_is_refused(norm):
    with fails("tail", "not negligible"):
        least_integral(odd_logistic(5), "Phi", None, 10, phi(X), norm)
    with pytest.raises(StartError, match="at the end of the samples"):
        least_integral(TANH_CUBIC, "Phi", {"p3": -1e-5}, 10, norm=norm)


# the norm of a form

CRITERIA = list(product(["L1", "L2"], TARGETS, [1, phi(X)]))


@pytest.mark.parametrize(
    ("norm", "target", "weight"), slow_but((CRITERIA[::4] + CRITERIA[3::4]).__contains__, CRITERIA)
)
def test_the_norm_agrees_with_scipys_quadrature(norm, target, weight):
    form, power = sigmoid_form(), int(norm[1])
    error = numpy_function(TARGETS[target].error(form.expression))
    at = numpy_function(sp.sympify(weight))
    pieces = [
        quad(lambda x: at(x) * abs(error(x)) ** power, a, a + 0.5, epsabs=1e-13)[0]
        for a in np.arange(0, 20, 0.5)
    ]
    expected = (2 * sum(pieces)) ** (1 / power)
    found = integral_norm(form, target, weight=weight, norm=norm)
    assert float(found) == pytest.approx(expected, rel=1e-8)


def test_the_norms_agree_with_the_variation_and_with_another_quadrature():
    error = mpmath_function(GELU.error(tanh_form().expression))
    slope = mpmath_function(GELU_DERIVATIVE.error(tanh_form().expression))
    x = np.linspace(0.1, 6, 600)
    signs = np.sign(numpy_function(GELU_DERIVATIVE.error(tanh_form().expression))(x))
    with mpmath.workdps(50):
        # between the zeros of (x·e)′ its integral is a difference of x·e, here at the extrema
        extrema = [mpmath.findroot(slope, x[i]) for i in np.flatnonzero(np.diff(signs))]
        heights = [0, *map(error, extrema), 0]
        variation = mpmath.nstr(2 * sum(abs(b - a) for a, b in pairwise(heights)), 40)
        squares = mpmath.quad(lambda x: error(x) ** 2, [-14, -7, -3, 0, 3, 7, 14])
        expected = mpmath.nstr(mpmath.sqrt(squares), 40)
    absolute = integral_norm(tanh_form(), "GELU_derivative", 30, norm="L1")
    assert agreeing_digits(str(absolute.rounded(30)), variation) >= 29
    assert agreeing_digits(str(integral_norm(tanh_form(), "GELU", 30).rounded(30)), expected) >= 29


@pytest.mark.parametrize("name", slow_but(ONE_FREE.__contains__, CASES))
def test_the_size_of_an_optimum_is_the_norm_of_its_form(name):
    _, target, _, digits, weight, norm = CASES[name]
    again = integral_norm(best(name), target, digits, weight, norm)
    assert again.rounded(digits) == best(name).error.rounded(digits)


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_an_error_of_one_sign_has_a_norm_too(norm):
    same_slope, x = Form(LOGISTIC, {"p1": 2 * LOCAL_SLOPE}), np.linspace(0, 40, 400_001)
    error = np.abs(same_slope.error_at(x)) ** int(norm[1])
    expected = (2 * np.trapezoid(error, x)) ** (1 / int(norm[1]))
    assert float(integral_norm(same_slope, norm=norm)) == pytest.approx(expected, rel=1e-8)


DIP = {"p1": Rational(3, 2), "p3": Rational(-3, 10**4), "p5": Rational(15, 10**9)}


def test_a_dip_far_out_and_a_step_are_part_of_the_norm_or_it_is_refused():
    """The polynomial is large before it touches 0 at x = 100; the other is steep at 0."""
    dip, step = Form(odd_logistic(5), DIP), Form(LOGISTIC, {"p1": 10**4})
    x = np.linspace(0, 300, 3_000_001)
    for form in (dip, step):
        expected = np.sqrt(2 * np.trapezoid(form.error_at(-x) ** 2, x))
        assert float(integral_norm(form)) == pytest.approx(expected, rel=1e-4)
        with fails("tail", "far out"):
            integral_norm(form, norm="L1")


@pytest.mark.parametrize("norm", ["L1", "L2"])
@pytest.mark.parametrize("weight", [sp.exp(X**2 / 2), sp.cosh(Rational("1.69") * X)])
def test_a_weight_that_grows_is_refused(norm, weight):
    with fails("tail", "not known to fall"):
        integral_norm(sigmoid_form(), weight=weight, norm=norm)


def test_what_has_no_norm_is_refused():
    with pytest.raises(WrongLimitError):
        integral_norm(Form(TANH_CUBIC, {"p1": 1.6, "p3": -0.01}))
    with pytest.raises(TypeError, match="form must be a Form"):
        integral_norm("tanh")
    with pytest.raises(ValueError, match="'sup'"):
        integral_norm(sigmoid_form(), norm="sup")
    with pytest.raises(ValueError, match="digits must be at least 1"):
        integral_norm(sigmoid_form(), digits=0)


# the parts


@pytest.mark.parametrize(
    "rows", [[[0]], [[-1]], [[1, 2], [2, 1]], [[0, 1], [1, 0]], [[arb(0, 1)]]], ids=str
)
def test_what_is_not_positive_definite_is_refused(rows):
    with fails("optimality", "not shown positive definite"):
        require_positive_definite(arb_mat(rows))


def test_a_ball_that_only_meets_where_the_zeros_may_be_is_refused(monkeypatch):
    """The zeros may lie up to 3.5e-12 away, and the slope is known on balls below 2e-12 alone."""
    monkeypatch.setattr(ErrorCurve, "taylor", lambda *_: [arb(2e-12, 1.5e-12)])
    monkeypatch.setattr(
        ErrorCurve, "enclose", lambda _, x, *__: arb(1) if x.rad() < 2e-12 else arb(0, 1)
    )
    norm = AbsoluteError(problem(LOGISTIC, "Phi", Criterion("L1")))
    with fails("solution", "no zero is shown near"):
        norm._wherever(arb(1), [arb(1.7)])


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_the_derivatives_of_the_equations_are_those_of_their_values(norm):
    """By difference quotients, which need no solution."""
    made = problem(TANH_CUBIC, "Phi", Criterion(norm))
    equations = AbsoluteError(made) if norm == "L1" else Squares(made)
    unknowns = [arb(v) for v in ((1.6, 0.07, 0.9, 2.1) if norm == "L1" else (1.6, 0.07))]
    require_derivatives(equations, unknowns, 20)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("weight", [sp.S.One, phi(X)])
def test_an_integral_holds_what_scipy_finds(target, weight):
    made = problem(TANH_CUBIC, target, Criterion("L2", weight))
    values = (1.6, 0.07)
    parameters, terms = [arb(v) for v in values], (((0,), (1,)), ((), (0, 1)))
    error = made.plain_error
    p1, p3 = TANH_CUBIC.symbols
    wanted = weight * (error.diff(p1) * error.diff(p3) + error * error.diff(p1, p3))
    function = numpy_function(wanted.subs(dict(zip((p1, p3), values, strict=True))))
    found = integral(made, parameters, terms, arb(0.5), arb(3))
    assert float(found) == pytest.approx(quad(function, 0.5, 3, epsabs=1e-13)[0], abs=1e-10)
    widened = integral(made, parameters, terms, arb(0.5, 0.01), arb(3, 0.01))
    for left, right in product((0.49, 0.51), (2.99, 3.01)):
        assert widened.overlaps(arb(quad(function, left, right)[0], 1e-9))


MEMBERS = [(1.7, 0.0), (1.6, 0.07), (1.1, 0.2)]
TERMS = [(((),),), (((), ()),), (((0,), (1,)), ((), (0, 1)))]
TOGETHER = [(name, MEMBERS[i], TERMS[j]) for i, name in enumerate(TARGETS) for j in range(3)]


@pytest.mark.parametrize(
    ("target", "parameters", "terms"),
    slow_but(TOGETHER.__contains__, product(TARGETS, MEMBERS, TERMS)),
    ids=str,
)
def test_what_is_not_integrated_is_within_its_bound(target, parameters, terms):
    made = problem(TANH_CUBIC, target, Criterion("L1"))
    error = made.plain_error

    def derivative(entry):
        return reduce(sp.diff, (made.free[j] for j in entry), error)

    whole = sp.Add(*(sp.Mul(*map(derivative, product)) for product in terms))
    function = numpy_function(whole.subs(dict(zip(TANH_CUBIC.symbols, parameters, strict=True))))
    for end in (2.0, 4.0):
        bound = tail_integral(made, [arb(p) for p in parameters], terms, end)
        x = np.linspace(end, end + 40, 200_001)
        assert 0 < np.trapezoid(np.abs(function(x)), x) < float(bound)


def test_what_falls_or_is_too_heavy_in_the_tail_is_refused():
    made = problem(TANH_CUBIC, "Phi", Criterion("L2"))
    with fails("tail", "not negligible"):
        rest(made, [arb(2), arb(-0.001)], (((), ()),))
    made = problem(LOGISTIC, "Phi", Criterion("L1"))
    with ctx.workprec(4000), fails("tail", "not negligible"):
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


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("free", [1, 2])
def test_the_signs_of_an_error_are_proved_and_no_others(target, free):
    values = ZEROS[target][free - 1]
    family = LOGISTIC if free == 1 else TANH_CUBIC
    made, parameters = problem(family, target, Criterion("L1")), [arb(v) for v in values]
    exact = dict(zip(family.symbols, values, strict=True))
    places, first = sampled_zeros(
        numpy_function(TARGETS[target].error(family.expression).subs(exact))
    )
    balls = [arb(x + 5e-5, 2e-4) for x in places]
    assert balls
    prove_signs(made, parameters, balls, first)
    wide = [arb(p.mid(), 0.2) for p in parameters]
    for wrong in (
        (parameters, balls, -first),
        (parameters, balls[:-1], first),
        (parameters, [*balls, balls[-1] + 1], first),
        (wide, balls, first),
    ):
        with pytest.raises(CertificationError):
            prove_signs(made, *wrong)


def test_the_slope_of_phi_kept_moves_the_first_coefficient():
    found = least_integral(TANH_CUBIC, "Phi", SLOPE_KEPT, 15, norm="L1")
    parameters = [number(SLOPE_KEPT["p1"]), arb(float(found.parameters["p3"]))]
    places = [arb(float(x), 1e-12) for x in found.points]
    prove_signs(found.problem, parameters, places, 1)
    with fails("bound", "close to x = 0"):
        prove_signs(problem(TANH_CUBIC, "Phi", Criterion("L1")), parameters, places, 1)


def test_a_ball_that_is_too_wide_for_a_crossing_is_refused():
    made, parameters = problem(LOGISTIC, "Phi", Criterion("L1")), [arb(1.7)]
    exact = PHI.error(sigmoid_form(1.7).expression)
    (place,), first = sampled_zeros(numpy_function(exact))
    prove_signs(made, parameters, [arb(place, 1e-3)], first)
    with fails("peaks", "not shown to cross"):
        prove_signs(made, parameters, [arb(place, place / 3)], first)
    with fails("peaks", "not shown to cross"):  # in the other direction
        _crossing(ErrorCurve(made), parameters, arb(place, 1e-3), -first)


def test_an_error_that_touches_zero_or_nearly_is_refused():
    """With p₁ = 1.6 two zeros of the error of Φ meet where p₃ is about 0.0705."""
    made = problem(TANH_CUBIC, "Phi", Criterion("L1"))

    def highest(p3):
        x = np.linspace(1, 3, 20_001)
        return np.max(expit(-(1.6 * x + p3 * x**3)) - ndtr(-x))

    touching = brentq(highest, 0.07, 0.072)
    prove_signs(made, [arb(1.6), arb(touching + 1e-4)], [], -1)
    with fails("bound", "a sign is not shown near"):
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
    curve = ErrorCurve(problem(family, "Phi", Criterion("L1")))
    assert not _keeps_its_sign(curve, [arb(p) for p in parameters], arb(end), sign)


def test_the_tail_of_another_family_is_not_known():
    made = problem(odd_logistic((1, 5)), "Phi", Criterion("L1"))
    with fails("tail", "far out"):
        prove_signs(made, [arb(1.5), arb(0.01)], [], 1)
