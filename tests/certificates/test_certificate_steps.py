"""Each step of a certificate alone: what it encloses, what it proves, and what it must refuse."""

from __future__ import annotations

import operator
import random
import re
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb, arb_mat, arb_series, ctx
from kinds import slow_but
from mpmath import mpf
from proofs import fails

from gelu_lib.certificates.best.balance import (
    PROBES,
    balances,
    bend,
    contracted,
    drift,
    height,
    prove_balance,
)
from gelu_lib.certificates.best.bounds import parameter_box
from gelu_lib.certificates.best.certificate import prove_cover, proved
from gelu_lib.certificates.best.results import GLOBAL, NEARBY
from gelu_lib.certificates.best.tails import ENDS, falls, prove_tail, tail_bound, weight_at
from gelu_lib.certificates.best.theorem import prove_best
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled, interval, logistic, number
from gelu_lib.certificates.engine.enclosures import ErrorCurve, Function
from gelu_lib.certificates.engine.multipliers import cancel_positively, cofactors
from gelu_lib.certificates.engine.pieces import (
    SMALLEST,
    Peak,
    cut,
    float_end,
    prove_below,
    prove_bound,
    prove_end_peak,
    prove_first_sign,
    prove_peak,
    prove_sign,
)
from gelu_lib.certificates.engine.solutions import (
    Equations,
    accuracy,
    newton_image,
    polished,
    prove_solution,
    refine,
)
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.criteria_table import FORMS, MEASURES, load_cell
from gelu_lib.fits.criteria import LINE, Criterion, problem
from gelu_lib.functions.expressions import LOCAL_SLOPE, Phi, X, mpmath_function, numpy_function, phi
from gelu_lib.functions.expressions import logistic as sigma
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    Family,
    RationalFamily,
    odd_logistic,
)
from gelu_lib.functions.links import EXP2, IDENTITY, TANH, even_power
from gelu_lib.functions.targets import TARGETS, Target

WEIGHTS = {
    "1": (sp.S.One, lambda x: mpf(1)),
    "bell": (sp.exp(-(X**2) / 2), lambda x: mpmath.exp(-x * x / 2)),
    "hill": (1 / (1 + X**2), lambda x: 1 / (1 + x * x)),
    "raised": (2 + sp.exp(-(X**2) / 2), lambda x: 2 + mpmath.exp(-x * x / 2)),
}
"""Weights that do not grow, as expressions and as functions of mpmath numbers."""

SEPTIC = (1.59542, 0.073624, -0.000644242, 1.34175e-6)
"""Coefficients near the best ones of degree 7; the polynomial falls from x = 10 to x = 15."""


@cache
def curve_of(family, target="Phi", weight=sp.S.One, interval=LINE):
    """The error of a family under a weight."""
    return ErrorCurve(problem(family, target, Criterion("sup", weight, interval)))


def called(curve):
    """The target and the weight of a curve, for the names of tests."""
    return f"{curve.problem.target} {curve.problem.weight}"


CURVES = [curve_of(TANH_CUBIC, name, weight) for name in TARGETS for weight, _ in WEIGHTS.values()]
BALANCED = [("tanh-free", "sup"), ("tanh-free", "Gaussian sup"), ("tanh-pinned", "Gaussian sup")]
SINGLE = [("tanh-pinned", "sup"), ("sigmoid", "sup")]
SEEDS = range(5)
SIGMOID = curve_of(LOGISTIC)
FAMOUS = [arb(1.702)]


@pytest.fixture(autouse=True)
def proof_precision():
    """Every test runs at the precision of a proof, and leaves all settings as it found them."""
    before = (ctx.prec, ctx.cap, mpmath.mp.prec)
    with ctx.workprec(128), mpmath.workdps(50):
        yield
    assert (ctx.prec, ctx.cap, mpmath.mp.prec) == before


def error_at(curve, x, parameters):
    """The weighted error by a formula of its own, in mpmath."""
    made, x = curve.problem, mpf(x)
    weight = next(w for expr, w in WEIGHTS.values() if expr == made.weight)
    terms = [mpf(p) * x**n for p, n in zip(parameters, made.family.exponents, strict=True)]
    right = 1 / (1 + mpmath.exp(mpmath.fsum(terms)))
    error = right - mpmath.ncdf(-x)
    if made.target.derivative:
        steep = mpmath.fsum(n * t for t, n in zip(terms, made.family.exponents, strict=True))
        error += x * mpmath.npdf(x) - steep * right * (1 - right)
    return weight(x) * (x * error if made.target == TARGETS["GELU"] else error)


def coefficient(curve, x, parameters, order):
    """A Taylor coefficient of the weighted error in x, by numerical differentiation."""
    slope = mpmath.diff(lambda t: error_at(curve, t, parameters), mpf(x), order)
    return slope / mpmath.factorial(order)


def near(value, slack="1e-25"):
    """A ball around an mpmath number."""
    return arb(mpmath.nstr(value, 45)) + arb(0, arb(slack))


def floats(curve):
    """The weighted error as a function of NumPy arrays."""
    return numpy_function(curve.expression, X, *curve.symbols)


def inside(rng, ball):
    """A random float in a ball, often one of its ends."""
    at = rng.choice((-1, 1, rng.uniform(-1, 1)))
    return float(ball.mid()) + at * float(ball.rad()) * (1 - 2**-40)


def band_of(equations, level):
    """The parameters for which the error of GELU′ may be at most a level on the whole line."""
    return parameter_box(equations.problem, level, PROBES)


def made_of(form, target, measure):
    """The problem of a cell of the table."""
    kind = FORMS[form]
    return problem(kind.family, target, Criterion(*MEASURES[measure]), kind.fixed)


def solved(form, target, measure, digits=30):
    """The equations of a cell of the table, and the box with their solution."""
    cell = load_cell(form, target, measure)
    equations = Equations(made_of(form, target, measure), cell.signs)
    free = [cell.parameters[symbol.name] for symbol in equations.problem.free]
    numbers = [number(value) for value in (*free, cell.error, *cell.points)]
    return equations, prove_solution(
        equations, [arb(n.mid(), abs(n.mid()) * arb(10) ** -digits) for n in numbers]
    )


# --- numbers --------------------------------------------------------------------------------

EXACT = {
    "√2": (sp.sqrt(2), lambda: mpmath.sqrt(2)),
    "√(2/π)": (LOCAL_SLOPE, lambda: mpmath.sqrt(2 / mpmath.pi)),
    "1/√π": (1 / sp.sqrt(sp.pi), lambda: 1 / mpmath.sqrt(mpmath.pi)),
    "√(5/2)": (sp.sqrt(sp.Rational(5, 2)), lambda: mpmath.sqrt(mpf(5) / 2)),
    "π/35": (sp.pi / 35, lambda: mpmath.pi / 35),
    "−1/3": (sp.Rational(-1, 3), lambda: -mpf(1) / 3),
    "e²/π³": (sp.E**2 / sp.pi**3, lambda: mpmath.e**2 / mpmath.pi**3),
    "exp(−1/3)": (sp.exp(-sp.Rational(1, 3)), lambda: mpmath.exp(-mpf(1) / 3)),
    "1/(1 + √3)": (1 / (1 + sp.sqrt(3)), lambda: 1 / (1 + mpmath.sqrt(3))),
    "an integer": (sp.Integer(10) ** 40 + 1, lambda: mpf(10) ** 40 + 1),
    "zero": (sp.S.Zero, lambda: mpf(0)),
    "a float": (sp.Float(0.1), lambda: mpf(0.1)),
    "a long float": (sp.Float("0.1", 60), lambda: mpf("0.1")),
    "unevaluated": (sp.Mul(2, sp.Pow(3, -1, evaluate=False), evaluate=False), lambda: mpf(2) / 3),
    "Φ(1/3)": (Phi(sp.Rational(1, 3)), lambda: mpmath.ncdf(mpf(1) / 3)),
    "erf(1)": (sp.erf(1), lambda: mpmath.erf(1)),
    "log 2": (sp.log(2), lambda: mpmath.log(2)),
    "atan(1/3)": (sp.atan(sp.Rational(1, 3)), lambda: mpmath.atan(mpf(1) / 3)),
    "tanh(1)": (sp.tanh(1), lambda: mpmath.tanh(1)),
    "−|−φ(1)|": (-sp.Abs(-phi(1), evaluate=False), lambda: -mpmath.npdf(1)),
    "∛2": (sp.cbrt(2), lambda: mpmath.cbrt(2)),
    "2^√2": (2 ** sp.sqrt(2), lambda: 2 ** mpmath.sqrt(2)),
    "σ(π)": (sigma(sp.pi), lambda: 1 / (1 + mpmath.exp(-mpmath.pi))),
}


@pytest.mark.parametrize("name", EXACT)
def test_a_number_is_enclosed_as_narrowly_as_its_precision_allows(name):
    expression, value = EXACT[name]
    with ctx.workprec(200), mpmath.workdps(59):
        found = number(expression)
        assert found.overlaps(arb(mpmath.nstr(value(), 59)) + arb(0, arb("1e-56")))
        assert found.rad() <= abs(found) * arb(2) ** -190
        assert number(expression).contains(found) and arb(found.mid()).rad() == 0
    coarse, fine = number(expression), None
    with ctx.workprec(400):
        fine = number(expression)
    assert coarse.contains(fine)


@pytest.mark.parametrize(
    "expression",
    [
        sp.erfi(1),
        sp.tan(1),
        sp.asin(sp.Rational(1, 2), evaluate=False),
        sp.cbrt(-2),
        sp.EulerGamma,
        sp.GoldenRatio,
        sp.sqrt(2) * sp.sinh(1),
    ],
)
def test_a_number_that_arb_would_not_compute_is_refused(expression):
    with pytest.raises(NotImplementedError):
        number(expression)


@pytest.mark.parametrize("digits", [1, 16, 300])
def test_so_many_bits_hold_so_many_digits(digits):
    assert 2 ** bits(digits) >= 10**digits * 2**63


def test_an_interval_holds_both_ends_and_what_is_around_them():
    ball = interval(0.1, 0.3)
    assert all(ball.contains(arb(x)) for x in (0.1, 0.2, 0.3))
    assert interval(arb(1, 0.5), arb(3, 0.25)).contains(arb(0.5))
    assert interval(arb(1, 0.5), arb(3, 0.25)).contains(arb(3.25))


# --- decimals -------------------------------------------------------------------------------


def ends_of(ball):
    """The exact ends of a ball."""
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    return [Fraction(int(x.p), int(x.q)) for x in (middle - radius, middle + radius)]


def test_decimals_are_rounded_outward_and_no_farther_than_needed():
    rng = random.Random(44715)
    for _ in range(300):
        middle = rng.uniform(-1, 1) * 10.0 ** rng.randrange(-12, 12)
        ball = arb(middle, abs(middle) * 10.0 ** rng.randrange(-20, 1))
        digits = rng.randrange(1, 25)
        lower, upper = ends_of(ball)
        found = enclosure(ball, digits)
        assert Fraction(found.lower) <= lower and upper <= Fraction(found.upper)
        assert Fraction(found.lower) == lower or Fraction(after(found.lower, 1, digits)) > lower
        assert Fraction(found.upper) == upper or Fraction(after(found.upper, -1, digits)) < upper


def after(value, direction, digits):
    """The next decimal with as many digits, above or below."""
    context = Context(prec=digits)
    return context.next_plus(value) if direction > 0 else context.next_minus(value)


@pytest.mark.parametrize("power", [-30, -1, 0, 1, 30])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_exact_power_of_ten_keeps_its_value(power, sign):
    exact = sign * Decimal(10) ** power
    if power >= 0:
        assert enclosure(arb(sign * 10**power), 3) == Enclosure(exact, exact)
    nearby = enclosure(sign * arb(10) ** power, 40)
    assert exact in nearby and nearby.lower <= exact <= nearby.upper


@pytest.mark.parametrize("ball", [arb.nan(), arb("inf"), arb(1, arb("inf"))])
def test_what_is_not_finite_has_no_decimals(ball):
    with fails("digits", "not finite"):
        enclosure(ball, 5)


@pytest.mark.parametrize(
    ("lower", "upper", "digits", "rounded"),
    [
        ("0.0447149", "0.0447150", 3, "0.0447"),
        ("0.0447149", "0.0447151", 6, None),
        ("0.999996", "1.000004", 5, "1.0000"),  # the carry changes the exponent
        ("0.99994", "1.00001", 4, None),
        ("9.96", "10.04", 2, "10"),
        ("0.12499", "0.12501", 2, None),  # half-way between two
        ("0.125", "0.125", 2, "0.12"),  # to even
        ("0.135", "0.1350001", 2, "0.14"),
        ("-0.0014001", "-0.0013999", 2, "-0.0014"),
        ("-0.00145001", "-0.00144999", 2, None),
        ("-0.1", "0.1", 1, None),
        ("1", "2", 1, None),
        ("0", "0", 3, "0"),
    ],
)
def test_an_enclosure_is_rounded_only_if_it_leaves_no_choice(lower, upper, digits, rounded):
    found = Enclosure(Decimal(lower), Decimal(upper))
    if rounded is None:
        with fails("digits", "does not decide"):
            found.rounded(digits)
    else:
        assert found.rounded(digits) == Decimal(rounded)


OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


@pytest.mark.parametrize("sign", OPERATIONS)
def test_a_result_is_rounded_outward_and_no_farther_than_needed(sign):
    rng, operation = random.Random(f"1702{sign}"), OPERATIONS[sign]
    for _ in range(200):
        one, other = (random_enclosure(rng) for _ in "ab")
        if sign == "/" and other.lower <= 0 <= other.upper:
            continue
        ends = [
            operation(Fraction(a), Fraction(b))
            for a in (one.lower, one.upper)
            for b in (other.lower, other.upper)
        ]
        found = operation(one, other)
        digits = max(len(end.as_tuple().digits) for one in (one, other) for end in ends_in(one))
        assert Fraction(found.lower) <= min(ends) <= max(ends) <= Fraction(found.upper)
        assert Fraction(after(found.lower, 1, digits)) > min(ends)
        assert Fraction(after(found.upper, -1, digits)) < max(ends)
    third = Enclosure(Decimal("1.0000"), Decimal("1.0000")) / 3
    assert (str(third.lower), str(third.upper)) == ("0.33333", "0.33334")
    nothing = Enclosure(Decimal(0), Decimal(0)) + Fraction(1, 3)
    assert Fraction(nothing.lower) < Fraction(1, 3) < Fraction(nothing.upper)


def ends_in(enclosed):
    return enclosed.lower, enclosed.upper


def random_enclosure(rng):
    """An enclosure of any sign, now and then of a single number."""
    a, b = (Decimal(rng.randrange(-(10**6), 10**6)).scaleb(rng.randrange(-9, 3)) for _ in "ab")
    return Enclosure(min(a, b), max(a, b)) if rng.random() < 0.8 else Enclosure(a, a)


ROOT = Enclosure(Decimal("1.4142135623"), Decimal("1.4142135624"))


def test_what_numbers_mean_beside_an_enclosure():
    """They are exact: a float stands for its binary fraction, √2 for itself."""
    tenth = 1 - (1 - ROOT)
    assert tenth.lower <= ROOT.lower and ROOT.upper <= tenth.upper
    assert ROOT < 1.5 and Fraction(7, 5) < ROOT and ROOT.upper >= ROOT and ROOT.lower <= ROOT
    assert not sp.sqrt(2) > ROOT and not sp.sqrt(2) < ROOT
    assert ROOT * 2 == ROOT + ROOT and abs(-ROOT) == ROOT
    assert Fraction((ROOT * 0.1).lower) <= Fraction(ROOT.lower) * Fraction(0.1)
    assert abs(Enclosure(Decimal(-3), Decimal(2))) == Enclosure(Decimal(0), Decimal(3))
    assert (2 / ROOT).lower <= Decimal("1.41421356238") <= (2 / ROOT).upper
    with pytest.raises(TypeError):
        ROOT + "1"
    with pytest.raises(TypeError):
        sp.Symbol("y") > ROOT  # noqa: B015


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (-1, 0)])
def test_nothing_is_divided_by_what_may_be_0(low, high):
    with pytest.raises(ZeroDivisionError, match="may be 0"):
        1 / Enclosure(Decimal(low), Decimal(high))


@pytest.mark.parametrize(("low", "high"), [(2, 1), ("nan", 1), (1, "nan")])
def test_ends_that_are_not_in_order_enclose_nothing(low, high):
    with pytest.raises(ValueError, match="accepted are ends in order"):
        Enclosure(Decimal(low), Decimal(high))


def test_an_enclosure_shows_no_digit_that_it_does_not_decide():
    assert ROOT.n(9) == sp.Float("1.41421356", 9) and f"{ROOT:.8f}" == "1.41421356"
    assert f"{ROOT}" == str(ROOT) == "[1.4142135623, 1.4142135624]"
    assert float(ROOT) == pytest.approx(2**0.5, abs=1e-10)
    assert ROOT.decides(9) and not ROOT.decides(11)
    for ask in (lambda: ROOT.n(11), lambda: f"{ROOT:.10f}"):
        with fails("digits", "does not decide"):
            ask()


def test_0_is_divided_and_a_multiple_is_exact():
    nothing, some = (Enclosure(Decimal(0), Decimal(end)) for end in (0, 2))
    by = Enclosure(Decimal(1), Decimal(2))
    assert nothing / by == nothing and some / by == some
    found = 7 * Enclosure(Decimal("0.1234567890123456789012345678901"), Decimal("0.2"))
    assert found == Enclosure(Decimal("0.8641975230864197523086419752307"), Decimal("1.4"))


@pytest.mark.parametrize("expression", [sp.Float("0.1", 60) * sp.pi, sp.Max(X, 1)])
def test_a_float_that_would_be_rounded_and_a_maximum_are_refused(expression):
    with pytest.raises(NotImplementedError, match="not evaluated in Arb"):
        compiled((X,), expression)


@pytest.mark.parametrize("ends", [(-60, -9), (-1e6, -10), (-12, -8.5), (-3, 2), (-30, 30)])
def test_the_logistic_function_of_a_wide_ball_is_enclosed_and_far_left_it_is_small(ends):
    with ctx.workprec(128):
        found = logistic(interval(*ends))
        for x in np.linspace(*ends, 21):
            assert found.overlaps(logistic(arb(float(x))))
        if ends[1] <= -8.5:
            assert found.upper() < 1.01 * logistic(arb(ends[1])).upper()
            series = logistic(arb_series([interval(*ends), 1], prec=3))
            assert series[2].is_finite() and abs(series[2]) < logistic(arb(ends[1])).upper()


def test_what_an_enclosure_and_its_ball_hold():
    rng = random.Random(12)
    for _ in range(100):
        a, b = (Decimal(rng.randrange(-(10**30), 10**30)).scaleb(-25) for _ in "ab")
        found = Enclosure(min(a, b), max(a, b))
        lower, upper = ends_of(found.ball)
        assert lower <= Fraction(found.lower) and Fraction(found.upper) <= upper
        assert upper - lower <= Fraction(found.upper - found.lower) * Fraction("1.0001")
    found = Enclosure(Decimal("0.1"), Decimal("0.3"))
    assert "0.1" in found and "0.3" in found and Decimal("0.2") in found
    assert "0.09999" not in found and "0.30001" not in found


@pytest.mark.parametrize("step", ["claims", "", None])
def test_a_failure_names_a_step_that_exists(step):
    with pytest.raises(ValueError, match="step must be one of"):
        CertificationError(step, "")


# --- the error as a function of enclosures ------------------------------------------------------


@pytest.mark.parametrize("curve", CURVES, ids=called)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_the_enclosure_of_a_piece_holds_the_error_everywhere(curve, order):
    rng = random.Random(f"{called(curve)} {order}")
    for _ in range(6):
        centre, width = rng.uniform(0.3, 7), 10 ** rng.uniform(-3, 0)
        piece = interval(centre - min(width, centre) / 2, centre + width / 2)
        spread = rng.choice((0, 1e-3, 3e-2))
        balls = [arb(rng.uniform(1.2, 2), spread), arb(rng.uniform(0.03, 0.1), spread / 10)]
        found = curve.enclose(piece, balls, order)
        for _ in range(4):
            x, parameters = inside(rng, piece), [inside(rng, ball) for ball in balls]
            assert found.overlaps(near(coefficient(curve, x, parameters, order)))


@pytest.mark.parametrize(
    "curve",
    slow_but(CURVES[::5].__contains__, CURVES),  # each function, with a weight of its own
    ids=called,
)
def test_the_derivatives_by_parameters_are_enclosed(curve):
    rng, (p1, p3) = random.Random(3), curve.symbols
    x, a, b = rng.uniform(0.3, 4), rng.uniform(1.3, 1.9), rng.uniform(0.03, 0.1)
    orders = {(): (0, 0), (p1,): (1, 0), (p3,): (0, 1), (p1, p3): (1, 1), (p3, p3): (0, 2)}
    jets = curve.jets(arb(x, 0.01), [arb(a, 1e-3), arb(b, 1e-3)], 3, tuple(orders))
    for jet, (m, n) in zip(jets, orders.values(), strict=True):
        for order, found in enumerate(jet):
            wanted = mpmath.diff(
                lambda t, p, q: error_at(curve, t, (p, q)),
                (mpf(x) + 0.009, mpf(a) - 9e-4, mpf(b) + 9e-4),
                (order, m, n),
            )
            assert found.overlaps(near(wanted / mpmath.factorial(order), "1e-15"))


@pytest.mark.parametrize("target", TARGETS)
def test_a_weight_with_floats_means_their_exact_values(target):
    def at(place, factor):
        weight = sp.exp(-factor * X**2)
        return weight_at(problem(LOGISTIC, target, Criterion("sup", weight)), arb(place))

    for place in (1.0, 3.0, 6.0, 7.0):
        assert at(place, sp.Float(0.1)).overlaps(at(place, sp.Rational(0.1)))


@pytest.mark.parametrize("target", TARGETS)
def test_a_divisor_that_may_be_zero_gives_an_enclosure_that_proves_nothing(target):
    curve = curve_of(TANH_CUBIC, target, WEIGHTS["hill"][0])
    found = curve.enclose(interval(0.0, 6.0), [arb(1.6), arb(0.07)])
    assert not found < 1e9 and not found > -1e9


def test_a_ball_too_wide_for_the_logistic_function_proves_nothing():
    for x, p in ((arb(1), arb(0, 400)), (arb(0, 400), arb(1.7))):
        found = SIGMOID.taylor(x, [p], 3)
        assert len(found) == 3 and not any(abs(c) < 1e300 for c in found)
    assert not abs(logistic(arb(0, 400))) < 1e300


@pytest.mark.parametrize("cap", [1, 2, 5, 8])
def test_a_series_that_was_cut_off_is_not_taken_for_complete(monkeypatch, cap):
    monkeypatch.setattr(ctx, "cap", cap)
    with pytest.raises(ArithmeticError, match=f"{cap} known coefficients, not"):
        curve_of(LOGISTIC).enclose(arb(1, 0.1), [arb(1.7)])


# --- step 1: the solution -------------------------------------------------------------------


def root_of(*squares):
    """The system xᵢ² = cᵢ."""

    def system(box):
        rows = [[2 * x * (i == j) for j, _ in enumerate(box)] for i, x in enumerate(box)]
        return [x * x - c for x, c in zip(box, squares, strict=True)], arb_mat(rows)

    return system


@pytest.mark.parametrize(("form", "measure"), BALANCED + SINGLE)
@pytest.mark.parametrize("target", ["Phi", "GELU_derivative"])
def test_the_matrix_holds_every_slope_between_two_points_of_the_box(form, target, measure):
    rng, made = random.Random(f"{form} {target} {measure}"), made_of(form, target, measure)
    count = len(made.free)
    signs = (-1,) if (form, measure) in SINGLE else (1, -1, 1)[: count + 1]
    equations = Equations(made, signs)
    start = {"p1": 1.6, "p3": 0.07}
    values = [*(start[s.name] for s in equations.problem.free), 0.1, 0.6, 1.7, 3][
        : count + 1 + len(signs)
    ]
    box = [arb(value, value * 0.02) for value in values]
    _, matrix = equations(box)
    for _ in range(8):
        a, b = ([arb(inside(rng, ball)) for ball in box] for _ in "ab")
        steps = matrix * arb_mat([[x - y] for x, y in zip(a, b, strict=True)])
        changes = [x - y for x, y in zip(equations(a)[0], equations(b)[0], strict=True)]
        assert all(s.contains(c.mid()) for s, c in zip(steps.entries(), changes, strict=True))


def test_a_solution_in_the_box_is_shown_and_kept():
    image = prove_solution(root_of(2, 3), [arb(1.4, 0.1), arb(1.7, 0.1)])
    assert image[0].contains(arb(2).sqrt()) and image[1].contains(arb(3).sqrt())
    assert all(ball.rad() < 0.1 for ball in image)


@pytest.mark.parametrize(
    ("box", "reason"),
    [
        ([arb(1.4, 0.01), arb(1.7, 0.1)], "there is none in the box"),  # √2 is outside
        ([arb(1.4, 0.0142), arb(1.7, 0.1)], "there is none|none is shown"),  # just outside
        ([arb(1.4, 0.0142136), arb(1.7, 0.1)], "none is shown"),  # just inside
        ([arb(1.414213562373095), arb(1.7, 0.1)], "none"),  # a point
        ([arb(-1.4, 0.01), arb(1.7, 0.1)], "there is none in the box"),
        ([arb(0, 2), arb(1.7, 0.1)], "may be singular"),  # two solutions
        ([arb(0.1, 0.1), arb(1.7, 0.1)], "may be singular"),
    ],
)
def test_a_box_that_is_wrong_or_too_narrow_or_too_wide_is_refused(box, reason):
    with fails("solution", reason):
        prove_solution(root_of(2, 3), box)


def test_a_double_zero_is_not_a_solution_that_is_shown():
    with fails("solution"):
        prove_solution(root_of(0), [arb(0, 0.1)])
    with fails("solution"):
        prove_solution(root_of(-1), [arb(0.5, 0.4)])


@pytest.mark.parametrize("seed", SEEDS)
def test_newton_keeps_every_solution_of_the_box(seed):
    rng = random.Random(seed)
    for _ in range(40):
        roots = [rng.uniform(0.9, 3) for _ in "ab"]
        radii = [rng.uniform(0.01, 0.4) for _ in "ab"]
        box = [
            arb(r + rng.uniform(-1, 1) * s * 0.999, s) for r, s in zip(roots, radii, strict=True)
        ]
        image = newton_image(root_of(*(arb(r) ** 2 for r in roots)), box)
        assert all(ball.contains(arb(r)) for ball, r in zip(image, roots, strict=True))


@pytest.mark.parametrize("digits", [5, 40, 500])
def test_refinement_reaches_the_digits_and_keeps_the_solution(digits):
    box = refine(root_of(2, 3), [arb(1.4, 0.1), arb(1.7, 0.1)], digits)
    assert accuracy(box) >= bits(digits)
    with ctx.workprec(2 * bits(digits)):
        assert box[0].contains(arb(2).sqrt()) and box[1].contains(arb(3).sqrt())


def test_refinement_that_stops_is_told():
    def noisy(box):
        residuals, matrix = root_of(2)(box)
        return [residuals[0] + arb(0, 1e-9)], matrix

    with fails("digits", r"stop at \d+ bits, not"):
        refine(noisy, [arb(1.4, 0.1)], 30)


def test_a_rough_start_is_polished_and_proves_nothing():
    box = polished(root_of(2, 3), [1.3, 1.9])
    assert box[0].contains(arb(2).sqrt()) and box[1].contains(arb(3).sqrt())
    assert prove_solution(root_of(2, 3), box)
    with fails("solution", "does not settle"):
        polished(root_of(-1), [0.7])
    with fails("solution", "may be singular"):
        polished(root_of(2), [0.0])


def test_the_accuracy_is_that_of_the_least_known_number():
    assert accuracy([arb(1, 2**-40), arb(1, 2**-10)]) < 13
    assert accuracy([arb(0, 1), arb(1)]) == 2


# --- step 2: pieces and peaks ---------------------------------------------------------------


def covers(found, left, right):
    """Whether pieces follow one another from one end to the other."""
    return (
        found[0][0] == left
        and found[-1][1] == right
        and all(a[1] == b[0] for a, b in pairwise(found))
    )


def test_a_place_where_nothing_can_be_shown_is_told():
    found, doubtful = cut(lambda piece: not piece.contains(arb(1.5)), 0.0, 4.0)
    assert doubtful.contains(arb(1.5)) and doubtful.rad() < SMALLEST
    assert covers(found, 0.0, found[-1][1]) and found[-1][1] <= 1.5
    found, doubtful = cut(lambda piece: False, 2.0**20, 2.0**20 + 2.0**-32)  # neighbouring floats
    assert found == [] and doubtful.contains(2**20)


def highest(curve, parameters, end=12):
    """The largest absolute error on a grid, and where it is."""
    x = np.linspace(1e-3, end, 20001)
    size = np.abs(floats(curve)(x, *map(float, parameters)))
    return float(size.max()), float(x[size.argmax()])


@pytest.mark.parametrize("curve", CURVES, ids=called)
def test_the_error_is_below_a_level_above_it_and_not_below_one_under_it(curve):
    parameters = [arb(1.59), arb(0.072)]
    size, place = highest(curve, parameters)
    found = prove_below(curve, parameters, arb(1.0001 * size), 0.25, 7.5)
    assert covers(found, 0.25, 7.5)
    with fails("bound", "is exceeded at x = "):
        prove_below(curve, parameters, arb(0.9999 * size), 0.25, 7.5)
    with fails("bound", "is exceeded"):
        prove_below(curve, parameters, arb(0.9 * size), place - 0.01, place + 0.01)


@pytest.mark.parametrize("target", TARGETS)
def test_where_a_level_is_exceeded_is_said_rightly(target):
    curve, parameters = curve_of(LOGISTIC, target), [arb(1.65)]
    level = 0.8 * highest(curve, parameters)[0]
    with pytest.raises(CertificationError) as caught:
        prove_below(curve, parameters, arb(level), 0.0, 8.0)
    place, size = map(float, re.search(r"x = (\S+), .* is (\S+)", str(caught.value)).groups())
    assert abs(error_at(curve, place, (1.65,))) == pytest.approx(size, rel=1e-6)
    assert size > level


def test_a_level_that_is_reached_or_exceeded_is_not_shown():
    equations, box = solved("sigmoid", "Phi", "sup")
    with fails("bound", "not shown to hold near x = 0.57"):
        prove_below(SIGMOID, box[:1], equations.level(box), 0.5, 0.6)
    bell, height = Function(X * sp.exp(-(X**2) / 2)), arb(-0.5).exp()
    assert prove_below(bell, (), height, 1.5, 8.0)
    with fails("bound", "is exceeded at x = 1.0000"):
        prove_below(bell, (), height * (1 - arb(10) ** -9), 0.0, 8.0)


@pytest.mark.parametrize(("function", "sign"), [(X - 1, 1), (1 - X, -1), ((X - 2) ** 2 - 1, -1)])
def test_a_sign_is_shown_where_it_holds_and_nowhere_else(function, sign):
    """It changes at 1, and the last function is 0 again at 3."""
    prove_sign(Function(function), (), sign, 1.0625, 2.875)
    for left, right in ((0.0, 2.5), (1.0, 2.5), (0.9375, 1.0625)):
        with fails("bound", "a sign is not shown near x = "):
            prove_sign(Function(function), (), sign, left, right)
    with fails("bound", "a sign is not shown near x = "):
        prove_sign(Function(function), (), -sign, 1.0625, 2.875)


def test_the_sign_of_a_slope_is_shown_where_it_holds():
    arch = Function(X * (2 - X))
    prove_sign(arch, (), 1, 0.0, 0.9375, order=1)
    with fails("bound"):
        prove_sign(arch, (), 1, 0.0, 1.0625, order=1)


def test_close_to_a_zero_the_first_coefficient_decides_as_far_as_it_keeps_its_sign():
    late = Function(X - 1000 * X**9)  # 0 again at x = 0.4217
    assert 0.1 < prove_first_sign(late, (), 1, 0.0, 1.0, 1) < 0.4217
    cubic = Function(X**3 - X**5)
    assert 0 < prove_first_sign(cubic, (), 1, 0.0, 1.0, 3) < 1
    for sign, order in ((-1, 3), (1, 1)):
        with fails("bound", "a sign is not shown close to x = 0"):
            prove_first_sign(cubic, (), sign, 0.0, 1.0, order)


def test_parameters_that_are_not_known_well_enough_prove_nothing():
    size, _ = highest(SIGMOID, [1.702])
    assert prove_below(SIGMOID, [arb(1.702)], arb(1.01 * size), 0.0, 8.0)
    with fails("bound"):
        prove_below(SIGMOID, [arb(1.702, 0.01)], arb(1.01 * size), 0.0, 8.0)


@pytest.mark.parametrize(("form", "measure"), [*BALANCED, *SINGLE])
@pytest.mark.parametrize("target", TARGETS)
def test_a_peak_is_the_only_one_of_its_neighbourhood(form, target, measure):
    equations, box = solved(form, target, measure)
    level, parameters = equations.level(box).lower(), equations.parameters(box)
    error = floats(equations.curve)
    for x, sign in zip(equations.places(box), equations.signs, strict=True):
        peak = prove_peak(equations.curve, parameters, x, sign, level)
        left, right = peak.neighbourhood
        assert interval(left, right).contains_interior(x) and right - left > 0.01 * x
        grid = np.linspace(left, right, 1001)
        values = sign * error(grid, *(float(p.mid()) for p in parameters))
        assert (np.diff(values, 2) < 1e-14).all() and (values > -float(level)).all()
        with fails("peaks", "not shown to curve"):
            prove_peak(equations.curve, parameters, x, -sign, level)


def test_a_neighbourhood_must_hold_the_whole_enclosure_of_its_peak():
    equations, box = solved("sigmoid", "Phi", "sup")
    with fails("peaks"):
        prove_peak(SIGMOID, box[:1], arb(equations.places(box)[0].mid(), 0.2), -1, arb(1))
    place = equations.places(box)[0]
    off = arb(place.mid(), 0.05)
    left, right = prove_peak(SIGMOID, box[:1], off, -1, arb(1)).neighbourhood
    assert interval(left, right).contains_interior(off)


@pytest.mark.parametrize(("place", "sign"), [(4.0, 1), (1.35, -1), (0.6, 1)])
def test_a_place_where_the_error_does_not_curve_like_a_peak_is_refused(place, sign):
    # positive and convex, near 0 and concave, negative and convex
    with fails("peaks", "not shown to curve like a peak of its sign"):
        prove_peak(SIGMOID, FAMOUS, arb(place), sign, arb(0.1))


def test_the_error_curves_like_a_peak_in_the_whole_neighbourhood():
    x = np.linspace(0.3, 4, 75)
    value = floats(SIGMOID)
    bent = value(x + 1e-3, 1.702) - 2 * value(x, 1.702) + value(x - 1e-3, 1.702)
    for place, sign in zip(x, -np.sign(bent), strict=True):
        ends = prove_peak(SIGMOID, FAMOUS, arb(place), int(sign), arb(0.1)).neighbourhood
        inner = np.linspace(*ends, 201)
        assert (sign * np.diff(value(inner, 1.702), 2) < 1e-13).all()


def test_a_place_where_the_error_bends_away_from_zero_is_no_peak():
    # concave though negative, or convex though positive: of the wrong side and too large
    curve, parameters = curve_of(LOGISTIC, "GELU_derivative"), [arb(1.702)]
    x = np.linspace(0.1, 5, 2001)
    value = floats(curve)(x, 1.702)
    bent = np.gradient(np.gradient(value, x), x)
    size = np.where(value * bent > 0, np.abs(value), 0)
    place, sign = float(x[size.argmax()]), int(-np.sign(bent[size.argmax()]))
    assert prove_peak(curve, parameters, arb(place), sign, arb(2 * size.max()))
    with fails("peaks"):
        prove_peak(curve, parameters, arb(place), sign, arb(0.9 * size.max()))


def peaks_of(form, target):
    equations, box = solved(form, target, "sup")
    level, parameters = equations.level(box).lower(), equations.parameters(box)
    pairs = zip(equations.places(box), equations.signs, strict=True)
    found = [prove_peak(equations.curve, parameters, x, s, level) for x, s in pairs]
    return equations.curve, parameters, found, level


@pytest.mark.parametrize("form", FORMS)
def test_what_is_shown_is_below_every_error_that_the_box_allows(form):
    equations, box = solved(form, "Phi", "sup")
    assert prove_cover(equations, box)
    count = len(equations.problem.free)
    wide = [*box[:count], arb(box[count].mid(), box[count].mid() / 2), *box[count + 1 :]]
    with fails("bound", "is exceeded"):
        prove_cover(equations, wide)
    zero = [*box[:count], arb(0, 1), *box[count + 1 :]]
    with fails("claim", "is not positive"):
        prove_cover(equations, zero)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("missing", [0, 1, -1])
def test_a_peak_that_is_left_out_is_found(form, missing):
    curve, parameters, peaks, level = peaks_of(form, "Phi")
    del peaks[missing]
    with fails("bound", "is exceeded|not shown to hold"):
        prove_bound(curve, parameters, peaks, level, 6.0)


def test_an_end_is_a_peak_where_the_error_falls_inwards():
    arch = Function(X * (2 - X))  # it rises from 0 to 2 on the left of its top at 1
    for place, sign, inwards in ((0, -1, 0.5), (3, -1, -0.5)):
        peak = prove_end_peak(arch, (), arb(place), sign, arb(5), inwards)
        assert place in peak.neighbourhood and abs(np.diff(peak.neighbourhood)[0]) > 0.1
        with fails("peaks", "is not shown to fall"):
            prove_end_peak(arch, (), arb(place), -sign, arb(5), inwards)
        with fails("peaks", "is not shown to fall"):
            prove_end_peak(arch, (), arb(place), sign, arb(-5), inwards)
    assert prove_end_peak(arch, (), arb(1), 1, arb(5), 0.5, flat=True)
    with fails("peaks", "is not shown to fall"):
        prove_end_peak(arch, (), arb(1), -1, arb(5), 0.5, flat=True)
    late = Function((X - 1) ** 3 - X / 100)  # near 0.94 and 1.06 its slope changes its sign
    left, right = prove_end_peak(late, (), arb(1), 1, arb(5), 0.5).neighbourhood
    assert left == 1 and right < 1.0578


def test_an_end_is_rounded_outward_unless_a_peak_lies_there():
    for end, outwards in ((sp.sqrt(2), 1), (sp.sqrt(2), -1), (sp.sqrt(3), 1), (sp.sqrt(3), -1)):
        found = float_end(end, outwards, [])
        assert (sp.Rational(found) - end) * outwards > 0 and abs(found - float(end)) < 1e-15
        here = Peak(arb(1), 1, (0.5, float(end)))
        assert float_end(end, outwards, [here]) == float(end)
    assert float_end(sp.Rational(1, 2), 1, []) == 0.5


@pytest.mark.parametrize("kind", ["swapped", "twice", "beyond the end", "overlapping"])
def test_neighbourhoods_must_follow_one_another_before_the_end(kind):
    curve, parameters, (first, last), level = peaks_of("sigmoid", "Phi")
    wide = Peak(first.place, first.sign, (0.1, last.neighbourhood[0] + 0.01))
    doctored = {
        "swapped": ([last, first], 6.0),
        "twice": ([first, first, last], 6.0),
        "beyond the end": ([first, last], float(last.place.mid())),
        "overlapping": ([wide, last], 6.0),
    }
    peaks, end = doctored[kind]
    with fails("peaks", "overlap or lie outside"):
        prove_bound(curve, parameters, peaks, level, end)


# --- step 3: the tail -----------------------------------------------------------------------

x = sp.Symbol("x", positive=True)
P = sp.Function("P", real=True)(x)


def same(left, right):
    """Whether two expressions are equal by SymPy, with σ written by exponentials."""
    rewritten = (left - right).replace(sigma, lambda u: 1 / (1 + sp.exp(-u)))
    return sp.simplify(rewritten) == 0


def test_the_algebra_behind_the_tail_of_the_slope():
    # Φ(x) = 1 − Φ(−x) and σ(P) = 1 − σ(−P), so that e = σ(−P) − Φ(−x)
    assert same(sigma(P) + sigma(-P), sp.S.One)
    slope, a = P.diff(x), sigma(P)
    first, second = x * slope * sigma(-P) * a - sigma(-P), x * phi(x) - Phi(-x)
    assert same(sp.diff(x * (sigma(-P) - Phi(-x)), x), second - first)
    term = x * slope * sigma(-P)
    last = 1 / x + slope.diff(x) / slope - slope * a
    assert same(sp.diff(term, x) / term, last)
    assert same(x * slope * last, slope + x * slope.diff(x) - a * x * slope**2)
    gap = phi(x) / x - Phi(-x)
    assert same(sp.diff(gap, x), -phi(x) / x**2)  # it falls
    assert sp.limit(gap.rewrite(sp.exp).rewrite(sp.erf), x, sp.oo) == 0  # to 0, so it is positive
    assert same(sp.diff(x * phi(x), x), (1 - x**2) * phi(x))


GROWING = {"square": 1 + X**2, "power": 2 ** (X**2 / 9), "cosh": sp.cosh(X / 4)}
"""Weights that grow; those that grow for ever are no weights of GELU′."""


def weight_called(name):
    return WEIGHTS[name][0] if name in WEIGHTS else GROWING[name]


FADING, FALLING = sp.exp(-X), Target(1 / (1 + X) ** 2)
TAILS = {
    "2^q": lambda rng, weight: curve_of(
        Family(EXP2, (1, sp.Abs(X), X**2), factor=-sp.Abs(X), base=sp.Max(X, 0)),
        Target(X * Phi(X)),
        weight,
    ),
    "2^q below 0": lambda rng, weight: curve_of(
        Family(EXP2, (1, X)), Target(-sp.exp(-X)), weight * FADING, (0, sp.oo)
    ),
    "tanh": lambda rng, weight: curve_of(
        Family(TANH, (X, X**3)), Target(sp.atan(X)), weight * sp.exp(-(X**2))
    ),
    "polynomial": lambda rng, weight: curve_of(
        Family(IDENTITY, (1, X, X**3)), FALLING, weight * FADING, (0, sp.oo)
    ),
    "square": lambda rng, weight: curve_of(
        Family(even_power(1), (1, X)), FALLING, weight * FADING, (0, sp.oo)
    ),
    "rational": lambda rng, weight: curve_of(
        RationalFamily(1, 2), FALLING, 1 / (1 + X) if weight == 1 else weight * FADING, (0, sp.oo)
    ),
    "rational to the left": lambda rng, weight: curve_of(
        RationalFamily(1, 2), Target(1 / (1 + X**2)), weight * sp.exp(X), (-sp.oo, 0)
    ),
    "x·rational": lambda rng, weight: curve_of(
        RationalFamily(0, 1, power=2, factor=X), Target(sp.tanh(X) * sp.exp(-(X**2))), weight
    ),
} | {
    name: lambda rng, weight, name=name: curve_of(
        rng.choice((LOGISTIC, TANH_CUBIC, *map(odd_logistic, (5, (3,), (1, 5))))), name, weight
    )
    for name in TARGETS
}
"""Families far out, each with a target for which a bound exists."""

OWN_TAILS = [*((kind, "1") for kind in TAILS if kind not in TARGETS)]


@pytest.mark.parametrize(
    ("kind", "name"),
    slow_but(
        [
            ("Phi", "1"),
            ("GELU", "hill"),
            ("GELU_derivative", "raised"),
            ("GELU", "cosh"),
            *OWN_TAILS,
        ].__contains__,
        [*product(TARGETS, WEIGHTS), *product(("Phi", "GELU", "2^q"), GROWING), *OWN_TAILS],
    ),
)
def test_no_error_beyond_an_end_exceeds_the_bound(kind, name):
    rng, accepted = random.Random(f"{kind} {name}"), 0
    for _ in range(30):
        curve = TAILS[kind](rng, weight_called(name))
        made = curve.problem
        falling = -1 if kind.startswith("2^q") else 1
        sizes = [10 ** rng.uniform(-2.5, 0.3) for _ in curve.symbols]
        values = [falling * rng.choice((1, 1, 1, -1)) * size for size in sizes]
        error = mpmath_function(curve.expression, X, *curve.symbols)
        for end in (0.25, 0.5, 1.0, 1.5, *ENDS[:6]):
            try:
                bound = tail_bound(made.family, made, [arb(value) for value in values], end)
            except CertificationError:
                continue
            accepted += 1
            grid = [end * (1 + step) for step in (0, 0.01, 0.1, 0.3, 0.7, 1.5, 3, 6)]
            largest = max(abs(error(mpf(x), *values)) for x in grid)
            assert not bound < near(largest * (1 - mpf("1e-30")), "1e-40")
    assert accepted > 30


RISES = [
    ("Phi", LOGISTIC, [-1.7], 6.0),
    ("Phi", TANH_CUBIC, [1.6, -0.001], 6.0),
    ("Phi", odd_logistic(5), [1, -1, 0.05], 2.0),
    ("GELU", LOGISTIC, [1.7], 0.5),
    ("GELU", LOGISTIC, [0.1], 2.0),
    ("GELU", LOGISTIC, [0.6], 2.0),  # x·P′ is above 1 alone
]


@pytest.mark.parametrize(("target", "family", "values", "end"), RISES)
def test_terms_that_may_rise_are_not_bounded_by_what_they_are_at_the_end(
    target, family, values, end
):
    made = problem(family, target)
    try:
        assert tail_bound(family, made, [arb(value) for value in values], end) >= 1
    except CertificationError as refused:
        assert refused.step == "tail"
    assert tail_bound(family, made, [arb(abs(v)) for v in values], 64.0) < 1


@pytest.mark.parametrize(
    ("family", "values", "end", "reason"),
    [
        (LOGISTIC, [-1.7], 6.0, "P′"),
        (odd_logistic(5), [1, -1, 0.05], 2.0, "P′"),
        (LOGISTIC, [1.7], 0.99, "begins at 1 or later"),
        (LOGISTIC, [0.1], 2.0, r"x·P′·σ\(P\) − 1"),
        (LOGISTIC, [0.6], 2.0, r"x·P′·σ\(P\) − 1"),  # x·P′ is above 1 alone
        (odd_logistic((3,)), [0.1], 2.0, r"x·P′²·σ\(P\)"),
        (odd_logistic((3,)), [0.15], 2.0, r"x·P′²·σ\(P\)"),  # x·P′² suffices alone
        (odd_logistic((1, 7)), [0.9, 0.0005], 2.0, r"x·P′²·σ\(P\)"),
    ],
)
def test_a_tail_of_the_slope_whose_terms_may_rise_is_refused(family, values, end, reason):
    made = problem(family, "GELU_derivative")
    with fails("tail", reason):
        tail_bound(family, made, [arb(value) for value in values], end)
    assert tail_bound(family, made, [arb(abs(v)) for v in values], 64.0) < 1


@pytest.mark.parametrize(
    ("family", "target", "weight", "interval"),
    [
        (Family(TANH, (X,)), "Phi", 1, (0, sp.oo)),
        (Family(IDENTITY, (1, X)), FALLING, 1, (0, sp.oo)),
        (Family(EXP2, (sp.exp(-X),)), FALLING, 1, (0, sp.oo)),
        (RationalFamily(2, 1), FALLING, 1, (0, sp.oo)),
        (LOGISTIC, "Phi", 1 + sp.sin(X) ** 2 / 2, LINE),
    ],
    ids=str,
)
def test_what_is_not_known_far_out_is_refused_or_large(family, target, weight, interval):
    made = problem(family, target, Criterion("sup", weight, interval))
    with fails("tail"):
        prove_tail(made, [arb(1)] * len(family.symbols), arb("0.01"))


def test_a_tail_is_refused_where_a_hypothesis_holds_for_some_parameters_only():
    made = problem(TANH_CUBIC)
    assert tail_bound(TANH_CUBIC, made, [arb(1.6), arb(0)], 6.0) < 1e-4
    assert not tail_bound(TANH_CUBIC, made, [arb(1.6), arb(0, 1e-9)], 6.0) < 1
    rational, below = RationalFamily(0, 1), [arb(1), arb(0, 1e-9)]
    made = problem(rational, FALLING, Criterion("sup", FADING, (0, sp.oo)))
    with fails("tail", "denominator may be 0"):
        tail_bound(rational, made, below, 6.0)


def test_a_product_falls_where_its_logarithmic_derivative_says():
    for product_, place in ((X * Phi(-X), 1), (X**3 * sp.exp(-X), 3), (sp.cosh(X) * Phi(-X), 1)):
        assert falls(product_, arb(place))
    for product_, place in ((X**3 * sp.exp(-X), 2.9), (X**2 * Phi(-X), 1.2), (X, 1), (2**X, 1)):
        assert not falls(product_, arb(place))


@pytest.mark.parametrize("target", TARGETS)
def test_a_tail_must_not_begin_before_the_dip_of_degree_7(target):
    made, parameters = problem(odd_logistic(7), target), [arb(p) for p in SEPTIC]
    polynomial = np.polynomial.Polynomial([0, *(c for p in SEPTIC for c in (p, 0))])
    dips = [end for end in ENDS if polynomial.deriv()(end) < 0]
    assert dips
    for end in (end for end in ENDS if end <= max(dips)):
        try:
            assert not tail_bound(made.family, made, parameters, end) < 1
        except CertificationError as refused:
            assert refused.step == "tail"
    assert prove_tail(made, parameters, arb(0.01))[0] > max(dips)


@pytest.mark.parametrize("weight", [*GROWING.values(), 1 + X**2 * sp.exp(-(X**2))])
def test_a_weight_that_grows_is_refused_for_the_slope(weight):
    made = problem(LOGISTIC, "GELU_derivative", Criterion("sup", weight))
    with fails("tail", "is not known to fall"):
        tail_bound(LOGISTIC, made, FAMOUS, 6.0)
    with fails("tail", "is not known to fall"):
        prove_tail(made, FAMOUS, arb(1))


@pytest.mark.parametrize("target", TARGETS)
def test_the_tail_begins_beyond_what_it_is_told_and_stays_below_the_level(target):
    made = problem(LOGISTIC, target)
    for after_, level in ((0.0, "1e-3"), (4.0, "0.1"), (5.999, "1e-9"), (6.0, "1e-2")):
        end, bound = prove_tail(made, FAMOUS, arb(level), after_)
        assert end > after_ and bound < arb(level)
        assert abs(error_at(ErrorCurve(made), end, (1.702,))) < mpf(level)
    with fails("tail", "only below"):
        prove_tail(made, FAMOUS, arb("1e-300"))
    with fails("tail", "no end beyond"):
        prove_tail(made, FAMOUS, arb(1), ENDS[-1])


# --- step 4: no other parameters ------------------------------------------------------------


def at_points(signs, places, family=LOGISTIC, parameters=None, held=None, **criterion):
    """The equations of a claim, and a box with these places; the error does not count."""
    target = criterion.pop("target", "Phi")
    made = problem(family, target, Criterion("sup", **criterion))
    parameters = parameters or [1] * len(made.free)
    box = [*map(arb, parameters), arb(1), *map(arb, places)]
    return made.family, Equations(made, signs, held or {}), box, 16.0


@pytest.mark.parametrize(
    ("signs", "places", "reason"),
    [
        ((1, 1), (1, 2), "no positive multipliers"),
        ((-1, -1), (1, 2), "no positive multipliers"),
        ((1,), (1,), "no positive multipliers"),
        ((1, -1), (2, 1), "do not increase"),
        ((1, -1), (1, 1), "do not increase"),
        ((1, -1), (0, 1), "do not increase"),
        ((1, -1), (-1, 1), "do not increase"),
        ((1, -1), (arb(1, 0.6), arb(2, 0.6)), "do not increase"),
        ((1, -1), (arb(1, 1), 3), "do not increase"),
    ],
)
def test_points_that_do_not_alternate_are_refused(signs, places, reason):
    with fails("optimality", reason):
        prove_best(*at_points(signs, places))
    assert prove_best(*at_points((1, -1), (1, 2))) == (GLOBAL, "alternation-any-degree")


def test_three_points_of_two_parameters_must_alternate_throughout():
    for signs in ((1, -1, -1), (1, 1, -1), (-1, -1, -1)):
        with fails("optimality", "no positive multipliers"):
            prove_best(*at_points(signs, (1, 2, 3), TANH_CUBIC))
    assert prove_best(*at_points((-1, 1, -1), (1, 2, 3), TANH_CUBIC))


def test_points_lie_between_the_ends_or_are_held_there():
    bounded = {"family": Family(IDENTITY, (1, X)), "interval": (-1, 3), "target": FALLING}
    signs, held = (1, -1, 1), {0: sp.Integer(-1), 2: sp.Integer(3)}
    assert prove_best(*at_points(signs, (0,), held=held, **bounded))
    assert prove_best(*at_points(signs, (-0.5, 0, 2), **bounded))
    for places in ((-1.5, 0, 2), (-0.5, 0, 3.5), (-1, 0, 2)):
        with fails("optimality", "do not increase between the ends"):
            prove_best(*at_points(signs, places, **bounded))
    with fails("optimality", "do not increase between the ends"):
        prove_best(*at_points(signs, (3.5,), held=held, **bounded))


def test_where_the_factor_changes_its_sign_the_errors_have_one_sign_there():
    through = {"family": Family(IDENTITY, (1,), factor=X), "target": Target(X * FALLING.function)}
    there = {**through, "interval": (sp.Rational(-1, 2), 3)}
    assert prove_best(*at_points((1, 1), (-0.25, 2), **there))
    with fails("optimality", "no positive multipliers"):
        prove_best(*at_points((1, -1), (-0.25, 2), **there))
    with fails("optimality", "may be 0 at a point"):
        prove_best(*at_points((1, -1), (arb(0, 0.1), 2), **there))
    with fails("optimality", "may be 0 at a point"):
        prove_best(*at_points((1, -1), (1, 2), weight=(X - 1) ** 2, interval=(0, 5)))


def test_members_of_a_power_are_compared_where_it_increases():
    square = {"family": Family(even_power(1), (1, X)), "target": FALLING, "interval": (0, 2)}
    places, signs = (0.5, 1, 1.5), (1, -1, 1)
    found, _ = prove_best(*at_points(signs, places, parameters=(1, -0.25), **square)[:3], 2.0)
    assert found == f"{GLOBAL} among those with u > 0"
    with fails("optimality", "may be below 0 at a point"):
        prove_best(*at_points(signs, places, parameters=(1, -0.75), **square)[:3], 2.0)
    with fails("bound", "a sign is not shown"):  # below 0 beyond the points
        prove_best(*at_points(signs, places, parameters=(1, -0.6), **square)[:3], 2.0)
    line = {**square, "interval": (0, sp.oo), "weight": FADING}
    assert prove_best(*at_points(signs, places, parameters=(1, 0.25), **line))
    with fails("optimality", "not shown to be positive far out"):
        prove_best(*at_points(signs, places, parameters=(1, -0.01), **line))


def test_rationals_alternate_and_have_a_denominator_without_zeros():
    some = {"family": RationalFamily(0, 1), "target": FALLING, "interval": (0, 2)}
    places, signs = (0.5, 1, 1.5), (1, -1, 1)
    right = at_points(signs, places, parameters=(1, -0.25), **some)
    assert prove_best(*right[:3], 2.0) == (GLOBAL, None)
    with fails("optimality", "do not alternate"):
        prove_best(*at_points((1, -1, -1), places, **some))
    with fails("bound", "a sign is not shown"):
        prove_best(*at_points(signs, places, parameters=(1, -0.6), **some)[:3], 2.0)
    with fails("optimality", "may not be positive at a point"):
        prove_best(*at_points(signs, places, parameters=(1, -0.75), **some)[:3], 2.0)
    line = {**some, "interval": (0, sp.oo), "weight": FADING}
    with fails("optimality", "denominator is not shown to be positive far out"):
        prove_best(*at_points(signs, places, parameters=(1, -0.01), **line))
    even = {**some, "family": RationalFamily(0, 1, power=2), "interval": (-1, 2)}
    with fails("optimality", "is the same at x and at"):
        prove_best(*at_points(signs, places, **even))
    made = problem(some["family"], FALLING, Criterion(interval=(0, 2)), {"q1": 1})
    with fails("optimality", "have no theorem"):
        prove_best(made.family, Equations(made, (1, -1)), [arb(1), arb(1), arb(1), arb(1.5)], 2.0)


def test_without_a_theorem_the_peaks_balance_nearby():
    bounded = {"target": "GELU_derivative", "interval": (-4, 4)}
    equations, box = solved("tanh-free", "GELU_derivative", "sup")
    family, there, _, end = at_points(equations.signs, (), TANH_CUBIC, **bounded)
    assert prove_best(family, there, box, end) == (NEARBY, None)
    for i, _ in enumerate(equations.signs):
        flipped = tuple(-s if i == j else s for j, s in enumerate(equations.signs))
        with fails("optimality", "are not shown to balance nearby"):
            prove_best(family, Equations(there.problem, flipped), box, end)
    equations, box = solved("sigmoid", "GELU_derivative", "sup")
    single = at_points(equations.signs, (), LOGISTIC, **bounded)
    assert prove_best(*single[:2], box, end) == (NEARBY, None)
    other = Target((1 + sp.erf(X)) / 2, factor=X, derivative=True)
    near = proved(problem(LOGISTIC, other, Criterion(interval=(-4, 4))))
    line = Equations(problem(LOGISTIC, other), near.equations.signs)
    assert prove_best(LOGISTIC, line, near.box, end) == (NEARBY, None)
    highest = [(-1.6966, 1e-4), (1.22874, 1e-4), (1.41421, 1e-4)]  # with a negative p1
    equations = at_points((1,), (), LOGISTIC, **bounded)[1]
    box = prove_solution(equations, [arb(m, r) for m, r in highest])
    with fails("optimality", "are not shown to balance nearby"):
        prove_best(LOGISTIC, equations, box, end)


@pytest.mark.parametrize(("form", "measure"), [*BALANCED, *SINGLE])
def test_the_band_holds_whatever_is_within_the_level_at_the_probes(form, measure):
    equations, box = solved(form, "GELU_derivative", measure)
    rng, made = random.Random(form + measure), equations.problem
    level = mpf(float(equations.level(box).lower())) * (1 - mpf(2) ** -40)
    band = band_of(equations, equations.level(box))
    fixed = {s: mpmath.mpmathify(v.evalf(50)) for s, v in made.fixed.items()}
    weight = next(w for e, w in WEIGHTS.values() if e == made.weight)
    for _ in range(20):
        rows, sides = [], []
        for x in PROBES[: len(made.free)]:
            at = mpmath.ncdf(x) + rng.choice((-1, 1, rng.uniform(-1, 1))) * level / weight(mpf(x))
            powers = dict(zip(made.family.symbols, made.family.exponents, strict=True))
            known = sum(v * mpf(x) ** powers[s] for s, v in fixed.items())
            rows.append([mpf(x) ** powers[s] for s in made.free])
            sides.append(mpmath.log(at / (1 - at)) - known)
        found = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(sides))
        assert all(
            ball.contains(near(v, "1e-40").mid()) for ball, v in zip(band, found, strict=True)
        )


def as_good(equations, box, level, count):
    """Parameters whose sup norm is just below a level, by bisection from the best ones."""
    error = floats(equations.curve)
    fixed = [float(v) for v in equations.problem.fixed.values()]
    best = np.array([float(p.mid()) for p in box[: len(equations.problem.free)]])
    grid, rng = np.linspace(0.005, 9, 3001), np.random.default_rng(count)

    def sup(free):
        return np.abs(error(grid, *equations.problem.complete(free, fixed))).max()

    for _ in range(count):
        direction = rng.normal(size=len(best)) * best
        low, high = 0.0, 1.0
        while sup(best + high * direction) < level:
            high *= 2
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if sup(best + middle * direction) < level else (low, middle)
        yield (best + low * direction).tolist()


@pytest.mark.parametrize(
    ("form", "measure", "times"),
    slow_but(
        [(*BALANCED[0], 1.05), (*SINGLE[1], 3)].__contains__,
        [(*cell, times) for cell in (*BALANCED, *SINGLE) for times in (1.05, 3)],
    ),
)
def test_no_parameters_as_good_as_a_level_are_left_out(form, measure, times):
    equations, box = solved(form, "GELU_derivative", measure)
    count = len(equations.problem.free)
    level = times * float(equations.level(box))
    raised = [*box[:count], arb(level), *box[count + 1 :]]
    good = list(as_good(equations, box, level * (1 - 1e-4), 12))
    band = band_of(equations, arb(level))
    for _ in range(3):
        for free in good:
            assert all(ball.contains(arb(p)) for ball, p in zip(band, free, strict=True))
        band = contracted(equations, raised, band)


@pytest.mark.parametrize(
    ("form", "measure"), slow_but((BALANCED[0], SINGLE[1]).__contains__, [*BALANCED, *SINGLE])
)
def test_the_height_is_that_of_some_point_whatever_the_parameters(form, measure):
    equations, box = solved(form, "GELU_derivative", measure)
    rng, count = random.Random(form), len(equations.problem.free)
    fixed = [float(v) for v in equations.problem.fixed.values()]
    error, grid = floats(equations.curve), np.linspace(0.001, 12, 12001)
    for _ in range(20):
        part = [
            arb(p.mid() * rng.uniform(0.7, 1.4), p.mid() * 10 ** rng.uniform(-4, -0.7))
            for p in box[:count]
        ]
        found = height(equations, box, part)
        for _ in range(6):
            free = [inside(rng, ball) for ball in part]
            sup = np.abs(error(grid, *equations.problem.complete(free, fixed))).max()
            assert found.lower() <= arb(sup * (1 + 1e-5))


def test_a_contraction_leaves_a_part_out_only_where_the_error_exceeds_the_level():
    equations, box = solved("sigmoid", "GELU_derivative", "sup")
    band = band_of(equations, equations.level(box))
    smaller = contracted(equations, box, band)
    assert smaller[0].rad() < band[0].rad() and smaller[0].contains(box[0])
    beyond = [box[0], equations.level(box) * 1000, *equations.places(box)]
    assert contracted(equations, beyond, band)[0].contains(band[0])
    nothing = [box[0], arb(0), *equations.places(box)]  # no error is as small, the solution stays
    assert contracted(equations, nothing, [box[0] + 1])[0].contains(box[0])


def test_vectors_cancel_with_their_cofactors():
    rng = random.Random(8)
    for size in (1, 2, 3):
        rows = [[arb(rng.randint(-9, 9)) for _ in range(size)] for _ in range(size + 1)]
        multipliers = cofactors(rows)
        for j in range(size):
            assert sum((m * row[j] for m, row in zip(multipliers, rows, strict=True)), arb(0)) == 0
    assert cancel_positively([[arb(1)], [arb(-2)]]) and not cancel_positively([[arb(1)], [arb(2)]])
    assert not cancel_positively([[arb(1)], [arb(-1, 2)]]) and not cancel_positively([[arb(1)]])


@pytest.mark.parametrize(("form", "measure"), BALANCED)
def test_gradients_that_do_not_balance_are_not_taken_for_balanced(form, measure):
    equations, box = solved(form, "GELU_derivative", measure)
    band = box[: len(equations.problem.free)]
    assert balances(equations, box, band)
    for i, _ in enumerate(equations.signs):
        flipped = tuple(-s if i == j else s for j, s in enumerate(equations.signs))
        assert not balances(Equations(equations.problem, flipped), box, band)
    wide = [arb(p.mid(), 0.5 * p.mid()) for p in band]
    assert not balances(equations, box, wide)


@pytest.mark.parametrize("form", ["tanh-pinned", "sigmoid"])
def test_the_bend_is_the_second_derivative_along_the_path_of_the_peak(form):
    equations, box = solved(form, "GELU_derivative", "sup")
    made, rng = equations.problem, random.Random(form)
    fixed = [mpmath.mpmathify(v.evalf(40)) for v in made.fixed.values()]
    place, best = (mpf(float(ball.mid())) for ball in (box[2], box[0]))
    path = mpf(float(drift(equations, box)))

    def height_along(p):
        along = place + path * (p - best)
        return equations.signs[0] * error_at(equations.curve, along, made.complete([p], fixed))

    band = arb(box[0].mid(), 0.02 * box[0].mid())
    found = bend(equations, box, band)
    for _ in range(8):
        assert found.overlaps(near(mpmath.diff(height_along, mpf(inside(rng, band)), 2), "1e-9"))
    assert bend(equations, box, box[0]).overlaps(near(mpmath.diff(height_along, best, 2), "1e-9"))


@pytest.mark.parametrize(("form", "measure"), SINGLE)
def test_a_single_peak_must_bend_upward_on_the_whole_band(form, measure):
    equations, box = solved(form, "GELU_derivative", measure)
    assert balances(equations, box, box[:1])
    far = box[0].mid() * arb("1.3")  # where the error no longer bends upward along the path
    assert bend(equations, box, far) < 0
    assert not balances(equations, box, [box[0].union(far)])


def test_a_peak_that_is_highest_at_its_parameter_does_not_balance():
    # with a negative p1 the peak of the slope is stationary in p1, too, and is largest there
    made = problem(LOGISTIC, "GELU_derivative")
    equations = Equations(made, (1,))
    start = [(-1.6966, 1e-4), (1.22874, 1e-4), (1.41421, 1e-4)]
    box = prove_solution(equations, [arb(m, r) for m, r in start])
    assert bend(equations, box, box[0]) < 0
    assert not balances(equations, box, box[:1])
    with fails("optimality"):
        prove_balance(equations, box)


def test_a_band_that_does_not_hold_the_solution_is_refused():
    equations, box = solved("sigmoid", "GELU_derivative", "sup")
    with fails("optimality", "does not hold the solution"):
        prove_balance(equations, [box[0] + 1, *box[1:]])


@pytest.mark.parametrize("level", [0.16, 0.5, 2])
def test_a_level_that_leaves_no_finite_band_is_refused(level):
    equations, _ = solved("sigmoid", "GELU_derivative", "sup")
    with fails("optimality", "no finite box"):
        band_of(equations, arb(level))


def test_the_band_needs_a_weight_that_falls_and_a_probe_for_each_free_parameter():
    made = problem(LOGISTIC, "GELU_derivative", Criterion("sup", 1 + X**2))
    with fails("tail", "is not known to fall"):
        band_of(Equations(made, (1,)), arb(0.01))
    made = problem(odd_logistic(7), "GELU_derivative")
    with fails("optimality", "4 places up to inf are needed"):
        band_of(Equations(made, (1, -1, 1, -1, 1)), arb(1e-4))
    with fails("optimality", "1 places up to 0.5 are needed"):
        short = Criterion(interval=(-0.5, 0.5))
        parameter_box(problem(LOGISTIC, criterion=short), arb(1e-4), PROBES)
