"""The largest size of a function on an interval, and what an expression does beyond an end."""

import dataclasses
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
import sympy as sp
from flint import arb
from scipy.special import ndtr
from sympy import Rational, atan, exp, log, pi, sqrt

from gelu_lib.certificates.best.sup_errors import certified_error_within
from gelu_lib.certificates.engine.decay import Ends, beyond, bound_beyond, normal_beyond
from gelu_lib.certificates.engine.suprema import (
    certified_supremum,
    refined_supremum,
    supremum_at_end,
)
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import Phi, X, numpy_function, phi
from gelu_lib.functions.forms import tanh_form

pytestmark = pytest.mark.usefixtures("proof_precision")

BELL = X * exp(-(X**2) / 2)
"""Its largest value is exp(−1/2), at x = 1."""


@pytest.mark.parametrize(
    ("function", "start", "end", "size"),
    [
        (BELL, 0.0, 8.0, exp(-Rational(1, 2))),
        (-BELL, 0.0, 8.0, exp(-Rational(1, 2))),
        (X, 0.0, 2.0, sp.Integer(2)),
        (1 - X, 0.0, 1.0, sp.Integer(1)),
        (sqrt(X) - X, 0.0, 1.0, Rational(1, 4)),
        (sqrt(1 - exp(-(X**2))), 0.0, 1.0, sqrt(1 - exp(-1))),
        (atan(X) - log(1 + X), 0.0, 1.0, pi / 4 - log(2)),
        (1 / (1 + X), 0.0, 3.0, sp.Integer(1)),
        (sp.S.One * 3 + 0 * X, 0.0, 1.0, sp.Integer(3)),
    ],
)
def test_the_enclosure_holds_the_largest_size_and_is_narrow(function, start, end, size):
    found = certified_supremum(function, start, end)
    assert Decimal(str(sp.N(size, 30))) in found.size
    assert found.size.upper <= found.size.lower * (1 + Decimal("2e-6"))
    assert start <= found.place <= end


@pytest.mark.parametrize("of", ["Phi", "GELU"])
@pytest.mark.parametrize("end", [5e-324, 1e-323, 1e-320, 1e-300, 1e-20])
def test_where_the_error_is_lost_in_rounding_the_search_ends_and_says_so(end, of):
    with pytest.raises(CertificationError, match=r"only shown to stay below .* found is 0$"):
        certified_error_within(end, tanh_form(), of)


@pytest.mark.parametrize(("start", "end"), [(1e16, 1e16 + 64), (1e300, 1e308), (-1.7e308, 1.7e308)])
def test_pieces_between_which_no_float_lies_are_not_halved(start, end):
    with pytest.raises(CertificationError, match="only shown to stay below"):
        certified_supremum(Phi(X) - Phi(X + 1), start, end)


def test_of_two_peaks_the_higher_one_counts_and_is_known_to_its_digits():
    spike = exp(-((1000 * (X - Rational(1, 3))) ** 2)) + BELL
    found = certified_supremum(spike, 0.0, 8.0)
    assert abs(found.place - 1 / 3) < 1e-3
    assert found.size.lower > 1
    size = refined_supremum(BELL, 0.0, 8.0, 30).size
    exact = Decimal(str(sp.N(exp(-Rational(1, 2)), 60)))
    assert exact in size and size.upper - size.lower < exact * Decimal("1e-30")


@pytest.mark.parametrize(
    ("function", "step"),
    [(X, "solution"), (0 * X, "bound"), (sp.Abs(X - 1) + exp(-X) / 9, "solution")],
)
def test_what_has_no_interior_peak_has_no_more_digits(function, step):
    with pytest.raises((CertificationError, NotImplementedError)) as caught:
        refined_supremum(function, 0.0, 1.0, 20)
    if caught.type is CertificationError:
        assert caught.value.step in (step, "peaks")


@pytest.mark.parametrize(("start", "end"), [(0.0, 0.99), (1.01, 3.0)])
def test_a_peak_outside_the_interval_is_not_taken_for_the_highest(start, end):
    assert certified_supremum(BELL, start, end).size.upper < Decimal("0.60653")
    with pytest.raises(CertificationError):
        refined_supremum(BELL, start, end, 20)


@pytest.mark.parametrize("lower_one", [Rational(2, 5), Rational(8, 5)])
def test_a_higher_peak_elsewhere_is_not_overlooked(monkeypatch, lower_one):
    """Both peaks are polished, whichever the rough search names."""
    two = 4 * exp(-20 * (X - 1) ** 2) + 3 * exp(-20 * (X - lower_one) ** 2)
    assert refined_supremum(two, 0.0, 2.0, 20).size.lower > 4
    rough = dataclasses.replace(certified_supremum(two, 0.0, 2.0), place=float(lower_one))
    monkeypatch.setattr("gelu_lib.certificates.engine.suprema.certified_supremum", lambda *_: rough)
    with pytest.raises(CertificationError, match=r"level .* is exceeded at"):
        refined_supremum(two, 0.0, 2.0, 20)


@pytest.mark.parametrize(
    ("function", "size"),
    [
        (X**2, sp.Integer(4)),
        (-X, sp.Integer(2)),
        (atan(X) - 3 / (1 + X) / 9, atan(2) - sp.S(1) / 9),
    ],
)
def test_a_function_that_is_largest_at_its_end_is_enclosed_there(function, size):
    found = supremum_at_end(function, 0.0, 2.0, 40)
    assert Decimal(str(sp.N(size, 60))) in found
    assert found.upper - found.lower < Decimal("1e-45")


@pytest.mark.parametrize(
    ("function", "match"),
    [
        (BELL, "a sign is not shown"),  # falls before the end
        ((X - Rational(11, 10)) ** 2, "is exceeded|not shown to hold"),  # rises, was higher
        (1 - X, "is exceeded|not shown to hold"),  # was as high
        (0 * X, "a sign is not shown"),
    ],
)
def test_a_function_that_is_larger_before_its_end_is_refused(function, match):
    with pytest.raises(CertificationError, match=match):
        supremum_at_end(function, 0.0, 2.0, 20)


@pytest.mark.parametrize(("start", "end"), [(1.0, 1.0), (2.0, 1.0), (0.0, float("inf"))])
def test_bad_ends_are_refused(start, end):
    for search in (certified_supremum, partial(supremum_at_end, digits=20)):
        with pytest.raises(ValueError, match="start < end"):
            search(BELL, start, end)


def test_an_unknown_function_is_refused():
    with pytest.raises(NotImplementedError, match="sin"):
        certified_supremum(sp.sin(X), 0.0, 1.0)


# ------------------------------------------------------------------ beyond an end

HALF_LINE = [
    X**2 - X,
    -(X**3) + 1,
    1 / (1 + X),
    exp(-X),
    exp(-(X**2)) * (1 + 1 / X),
    sqrt(X**2 + 3),
    1 / (Rational(1, 5) + X + sqrt(X**2 + 3)),
    3 + 1 / X - 2 / X**2,
    atan(X) - 2,
    1 / (1 + exp(-X)),
    (X**2 + 1) / (X**2 + 2),
]


@pytest.mark.parametrize("expression", HALF_LINE, ids=str)
@pytest.mark.parametrize("end", [1.0, 8.0])
def test_the_ends_hold_every_sample(expression, end):
    found = beyond(expression, arb(end))
    samples = numpy_function(expression)(end * np.geomspace(1, 1e4, 4001))
    if not (found.low.is_nan() or found.high.is_nan()):
        assert float(found.low) <= samples.min() + 1e-12
        assert float(found.high) >= samples.max() - 1e-12


def test_the_ends_of_a_product():
    for low, high in ((-5, 7), (-7, -5), (5, 7)):
        found = Ends(arb(-2), arb(3)) * Ends(arb(low), arb(high))
        products = [a * b for a in (-2, 3) for b in (low, high)]
        assert (found.low, found.high) == (arb(min(products)), arb(max(products)))
    found = beyond(sp.sin(X), arb(1))
    assert not found.low > -100
    assert not found.high < 100
    assert not (Ends(arb(-1), arb(1)).inverse().high < 100)


CASES = {
    "a bell": (exp(-(X**2) / 2) / (1 + X), (0, 1, 2)),
    "a logistic tail": (exp(-2 * X) / (1 + exp(-2 * X)), (0, 1)),
    "a root": (exp(-X) / (1 + sqrt(1 - exp(-X))), (0, 1)),
    "one less an exponential": (1 - exp(-exp(-(X**2))), (0, 1)),
    "a negative factor that is larger at the near end": (exp(-X) * (atan(X) - 2), (0, 1)),
    "one more an exponential": (1 - exp(exp(-X)), (0,)),
    "a slow exponential": (3 * exp(-X / 4), (0, 1, 2)),
    "a power": (1 / (2 * (1 + X / 10 + X**2) ** 4), (0, 1, 7)),
}


@pytest.mark.parametrize("case", CASES)
def test_the_bound_beyond_an_end_is_kept_by_every_sample(case):
    function, powers = CASES[case]
    x = 8 * np.geomspace(1, 50, 2001)
    values = np.abs(numpy_function(function)(x))
    for power in powers:
        bound = float(bound_beyond(function, 8.0, power).upper())
        assert np.all(x**power * values <= bound * (1 + 1e-9))


@pytest.mark.parametrize(
    ("function", "power"),
    [
        (1 / (1 + X), 2),  # x²/(1 + x) grows
        (1 / (2 * (1 + X**2)), 3),
        (exp(-1 / X), 1),
        (1 / (X - 20) ** 2, 0),  # has a pole beyond the end
        (exp(-X / 10), 1),  # grows up to x = 10
        (1 / (1 + X**2) * (2 - X), 0),  # unknown, for nothing bounds the second factor
        (exp(X), 0),
        (1 + exp(-X), 1),
        (sp.sin(X) * exp(-X), 0),  # true, but nothing is known of sin
    ],
)
def test_what_may_grow_is_refused(function, power):
    with pytest.raises(CertificationError):
        bound_beyond(function, 8.0, power)


def test_the_normal_tail_is_bounded():
    x = np.linspace(3, 12, 1000)
    for power in (0, 1):
        assert np.all(x**power * ndtr(-x) <= float(normal_beyond(3.0, power).upper()))
    assert sp.expand((X * Phi(-X)).diff(X) - (Phi(-X) - X * phi(X))) == 0
    with pytest.raises(ValueError, match="end ≥ 1"):
        normal_beyond(0.5, 1)
    with pytest.raises(ValueError, match="power = 2"):
        normal_beyond(3.0, 2)
