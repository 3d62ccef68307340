"""Both constants proved again, and everything that the second proof must refuse."""

import ast
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import count, product
from math import ceil, floor
from pathlib import Path

import independent_route
import mpmath
import pytest
from independent_route import (
    LOGISTIC,
    TANH_CUBIC,
    Curve,
    Interval,
    Undecided,
    arctan_of_inverse,
    bracket_holds,
    cdf,
    compare_sups,
    density,
    exp,
    find_peak,
    number,
    require_below,
    require_below_in_tail,
    require_below_near_peak,
    root,
    root_of_two_pi,
    series,
    taylor_bound,
)
from kinds import slow_but

from gelu_lib.register import result

IDS = ["logistic", "tanh cubic"]
FORMS = pytest.mark.parametrize("form", [LOGISTIC, TANH_CUBIC], ids=IDS)
COARSE = pytest.mark.parametrize("bits", slow_but([8, 24].__contains__, [8, 12, 24, 53]))
"""Word lengths at which every rounding and every remainder shows."""


def use_bits(monkeypatch, bits):
    monkeypatch.setattr(independent_route, "BITS", bits)


def encloses(interval, exact):
    """Whether an mpmath number lies in an interval; mpmath must run with digits to spare."""
    unit = mpmath.mpf(2) ** -independent_route.BITS
    return interval.lo * unit <= exact <= interval.hi * unit


def point(x):
    return Interval(number(x).lo, number(x).lo)


def real(x):
    """The number that a point interval stands for, in mpmath."""
    return mpmath.ldexp(x.lo, -independent_route.BITS)


def hull(lo, hi):
    return Interval(number(lo).lo, number(hi).hi)


def moved(text, by):
    return str(Fraction(text) + Fraction(by))


# The constants


@FORMS
def test_the_bracket_is_proved_and_one_unit_of_the_sixtieth_decimal_wide(form):
    assert bracket_holds(form, *form.bracket)
    lo, hi = map(Fraction, form.bracket)
    assert hi - lo == Fraction(1, 10**60)


@pytest.mark.parametrize(
    ("id", "form"), [("logistic-scale", LOGISTIC), ("tanh-pinned-cubic", TANH_CUBIC)]
)
def test_the_register_has_the_constant_rounded_to_its_last_digit(id, form):
    """The whole bracket rounds to the registered digits."""
    value = result(id).value
    half_a_unit = Fraction(Decimal((0, (5,), Decimal(value).as_tuple().exponent - 1)))
    lo, hi = map(Fraction, form.bracket)
    assert Fraction(value) - half_a_unit < lo < hi < Fraction(value) + half_a_unit


@pytest.mark.parametrize(
    ("form", "by"),
    slow_but(
        [(LOGISTIC, "-1e-60"), (TANH_CUBIC, "1e-60")].__contains__,
        product([LOGISTIC, TANH_CUBIC], ["1e-60", "-1e-60"]),
    ),
)
def test_a_bracket_beside_the_constant_is_refused(form, by):
    assert not bracket_holds(form, *(moved(end, by) for end in form.bracket))


def test_a_bracket_with_its_ends_exchanged_is_refused():
    assert not bracket_holds(LOGISTIC, *reversed(LOGISTIC.bracket))


# What each part of the proof must refuse


@pytest.mark.parametrize(
    ("form", "tail", "level"),
    [(LOGISTIC, "3", "0.003"), (TANH_CUBIC, "4", "2.5e-5")],
    ids=["the logistic term is too large", "the normal term is too large"],
)
def test_both_terms_of_the_tail_must_be_below_the_level(form, tail, level):
    e, start = Curve(*form.coefficients(number(form.bracket[0]))), number(tail).lo
    terms = [float(mpmath.ncdf(-float(tail))), 1 - float(real(e.logistic(Interval(start, start))))]
    assert min(terms) < float(level) < max(terms)
    with pytest.raises(Undecided, match="the tail starts too early"):
        require_below_in_tail(e, start, number(level).lo)
    require_below_in_tail(e, start, number(str(1.01 * max(terms))).lo)


@pytest.mark.parametrize("coefficients", [("2", "-0.001"), ("-0.001", "1")])
def test_a_tail_where_the_polynomial_may_fall_is_refused(coefficients):
    with pytest.raises(Undecided, match="rise"):
        require_below_in_tail(Curve(*map(number, coefficients)), number(4).lo, number(1).lo)


@FORMS
@pytest.mark.parametrize("radius", ["3", "30"])
def test_a_neighbourhood_that_leaves_the_half_line_is_refused(form, radius):
    with pytest.raises(Undecided, match="too wide"):
        compare_sups(form, form.bracket[0], radius=radius)


@pytest.mark.parametrize(("sign", "guess"), [(1, "1.2"), (-1, "0.01")])
def test_an_iteration_that_leaves_the_half_line_or_reaches_the_tail_is_stopped(sign, guess):
    """Close to a point of inflection the first step is long."""
    with pytest.raises(Undecided, match="no peak was found"):
        find_peak(Curve(number("1.702"), number(0), sign), guess, "4")


@pytest.mark.parametrize(
    ("curve", "at", "between", "above"),
    [
        (("1.599", "0.0704", -1), "2.662", "1.5e-4", "3e-4"),  # 2.90e-4 at 0.576
        (("1.595", "0.12", 1), "2.5", "9e-6", "1e-5"),  # 9.40e-6 at 0.073
    ],
    ids=["on the left", "near zero"],
)
def test_a_higher_peak_elsewhere_is_found(curve, at, between, above):
    """At the point the curve is concave and low; its highest peak is somewhere else."""
    p1, p3, sign = curve
    f, m = Curve(number(p1), number(p3), sign), number(at).lo
    with pytest.raises(Undecided, match="a statement fails near"):
        require_below(f, m, number(between).lo, "1/32", "6")
    require_below(f, m, number(above).lo, "1/32", "6")


@pytest.mark.parametrize("side", [1, -1])
def test_beside_the_peak_the_tangent_rises_over_it(side):
    """The value at the point is below the level, and the value at the peak is not."""
    curve = Curve(number("1.702"), number(0))
    peak = find_peak(curve, "2.04", "4")
    step = number("1/32").lo
    near, beside = Interval(peak - 2 * step, peak + 2 * step), peak + side * step
    level = curve.value(Interval(peak, peak)).lo
    assert curve.value(Interval(beside, beside)).hi < level
    with pytest.raises(Undecided, match="the peak is not proved lower"):
        require_below_near_peak(curve, near, beside, level)
    require_below_near_peak(curve, near, beside, level + number("0.0002").lo)


@pytest.mark.parametrize("at", ["0", "0.2", "0.5", "0.9", "1"])
@pytest.mark.parametrize("length", ["0.6", "0.02"], ids=["wide", "narrow"])
def test_the_taylor_bound_holds_around_any_point(length, at):
    """From 0.56 on, −e rises to its peak and falls, and e falls and rises."""
    points = [Fraction("0.56") + Fraction(length) * Fraction(n, 10) for n in range(11)]
    piece = hull(points[0], points[-1])
    m = number(points[int(10 * Fraction(at))]).lo
    for sign in (1, -1):
        f = Curve(number("1.702"), number(0), sign)
        bound = taylor_bound(f, piece, m, max(0, f.curvature(piece).hi))
        assert all(f.value(point(x)).hi <= bound for x in points)


# Intervals and functions


@pytest.mark.parametrize("end", slow_but((3).__eq__, [3, 5]))
def test_arithmetic_is_rounded_outwards_by_less_than_a_unit(monkeypatch, end):
    """Every interval with ends of at most so many quarters, against fractions."""
    use_bits(monkeypatch, 2)
    intervals = [Interval(a, b) for a in range(-end, end + 1) for b in range(a, end + 1)]
    for x, y in product(intervals, repeat=2):
        ends = [(Fraction(a, 4), Fraction(b, 4)) for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
        assert x + y == outwards(a + b for a, b in ends)
        assert x - y == outwards(a - b for a, b in ends)
        assert x * y == outwards(a * b for a, b in ends)
        if y.lo > 0:
            assert x / y == outwards(a / b for a, b in ends)
        else:
            with pytest.raises(Undecided):
                x / y


def outwards(values):
    values = [4 * value for value in values]
    return Interval(floor(min(values)), ceil(max(values)))


@pytest.mark.parametrize("text", ["1/3", "-1/3", "0.1", "-0.1", "1e-30", "-1e-30"])
def test_a_number_lies_inside_its_interval(text, monkeypatch):
    use_bits(monkeypatch, 64)
    x = number(text)
    assert Fraction(x.lo, 2**64) < Fraction(text) < Fraction(x.hi, 2**64)
    assert x.hi - x.lo == 1


def test_ends_in_the_wrong_order_are_refused():
    with pytest.raises(ValueError, match="order"):
        Interval(1, 0)


def test_the_remainder_of_a_series_counts():
    """1 + 1/2 + 1/4 + … = 2, where the omitted terms are as large as they may be."""
    one = number(1).lo
    total = series(Interval(one >> n, one >> n) for n in count())
    assert total.hi >= 2 * one
    negative = series(Interval(-(one >> n), -(one >> n)) for n in count())
    assert negative.lo <= -2 * one


def test_a_series_goes_on_behind_small_terms_and_may_not_end():
    one = number(1).lo
    terms = [Interval(1, 1), *(Interval(one >> n, one >> n) for n in range(300))]
    assert series(iter(terms), halving_from=1).hi >= 2 * one
    with pytest.raises(ValueError, match="finite"):
        series([number(1)])


@COARSE
def test_functions_enclose_their_values_at_coarse_units(bits, monkeypatch):
    use_bits(monkeypatch, bits)
    with mpmath.workdps(50):
        assert encloses(root_of_two_pi(), mpmath.sqrt(2 * mpmath.pi))
        for n in (2, 3, 5, 239):
            assert encloses(arctan_of_inverse(n), mpmath.atan(mpmath.mpf(1) / n))
        for n in range(257):
            x = Interval(*[(n << bits) // 64] * 2)  # from 0 to 4
            assert encloses(root(x), mpmath.sqrt(real(x)))
            assert encloses(exp(x), mpmath.exp(real(x)))
            assert encloses(exp(-x), mpmath.exp(-real(x)))
            assert encloses(density(x), mpmath.npdf(real(x)))
            assert encloses(cdf(x), mpmath.ncdf(real(x)))


@pytest.mark.parametrize("function", [exp, cdf, root])
def test_a_rising_function_of_an_interval_reaches_from_end_to_end(function):
    lo, hi = point("1/3"), point("2/3")
    whole = function(Interval(lo.lo, hi.lo))
    assert whole.lo <= function(lo).lo < function(hi).hi <= whole.hi


@pytest.mark.parametrize("sign", [1, -1])
@FORMS
def test_value_slope_and_curvature_are_those_of_the_error(form, sign):
    """By difference quotients, right to 120 digits, at points and over a wide piece around each."""
    p = number(form.bracket[0])
    curve = Curve(*form.coefficients(p), sign)
    with mpmath.workdps(300):
        step = mpmath.mpf(10) ** -75
        p1, p3 = (mpmath.ldexp(c.lo, -independent_route.BITS) for c in (curve.p1, curve.p3))
        thin = Curve(*(Interval(c.lo, c.lo) for c in (curve.p1, curve.p3)), sign)

        def error(x):
            return sign * (mpmath.ncdf(x) - 1 / (1 + mpmath.exp(-(p1 * x + p3 * x**3))))

        for text in ("1/7", "0.57", "1.3", "2.04", "3.9"):
            x = point(text)
            left, middle, right = (error(real(x) + n * step) for n in (-1, 0, 1))
            exact = middle, (right - left) / (2 * step), (right - 2 * middle + left) / step**2
            piece = Interval(x.lo - number("1/8").lo, x.lo + number("1/16").lo)
            for name, derivative in zip(("value", "slope", "curvature"), exact, strict=True):
                narrow = getattr(thin, name)(x)
                assert encloses(narrow, derivative)
                assert (narrow.hi - narrow.lo) << 220 < 1 << independent_route.BITS
                for wide in (getattr(curve, name)(x), getattr(curve, name)(piece)):
                    assert wide.lo <= narrow.lo <= narrow.hi <= wide.hi


def test_the_second_proof_uses_the_standard_library_alone():
    tree = ast.parse(Path(independent_route.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert names <= sys.stdlib_module_names | {"collections.abc"}
