"""The local matches on the whole line: what their figures draw, and what is said about them."""

import matplotlib
import numpy as np
import pytest
from scipy.special import ndtr

from gelu_lib.certificates.singularities import artanh_erf_radius
from gelu_lib.chapters import curves
from gelu_lib.chapters import taylor_orders as chapter
from gelu_lib.chapters.taylor import local_member
from gelu_lib.fits.sup_norm import sampled_sup_error
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import artanh_erf_coefficients

matplotlib.use("svg")


@pytest.fixture(scope="module")
def by_order():
    return chapter.errors_by_order(101)


# values


@pytest.mark.parametrize("order", [1, 3, 9, 21])
def test_a_local_match_touches_phi_at_zero_and_another_order_does_not(order):
    x = np.array([0.0, 0.3, 0.6])
    error = np.abs(chapter.local_approximation(order, x) - ndtr(x))
    assert error[0] == 0
    assert error[1] < 0.3 ** (order + 2) + 1e-15
    if order < 9:
        assert error[2] > 1e-6


def test_a_local_match_is_the_member_of_its_family():
    x = np.linspace(0.1, 5, 50)
    for order in (3, 9, 15):
        error = ndtr(x) - chapter.local_approximation(order, x)
        np.testing.assert_allclose(error, curves.error_on(x, *local_member(order)), atol=1e-14)


def test_the_sampled_error_is_that_of_the_search_on_the_whole_line():
    for order in (3, 9, 11, 15):
        error = float(sampled_sup_error(Form(*local_member(order))).error)
        assert chapter.sampled_local_error(order, 14) == pytest.approx(error, rel=1e-5)
    assert chapter.sampled_local_error(3, 1) < chapter.sampled_local_error(3, 2)


@pytest.mark.parametrize("high", [0, -1, float("nan"), float("inf")])
def test_an_interval_has_a_right_end(high):
    with pytest.raises(ValueError, match="high is"):
        chapter.sampled_local_error(3, high)


@pytest.mark.parametrize("order", [0, 2, -1])
def test_an_order_is_odd(order):
    for call in (
        lambda: chapter.local_approximation(order, np.zeros(1)),
        lambda: chapter.errors_by_order(order),
        lambda: local_member(order),
    ):
        with pytest.raises(ValueError, match="odd integer"):
            call()


# by order


def test_every_order_is_drawn_once(by_order):
    orders = np.concatenate([points[0] for points in by_order.points.values()])
    np.testing.assert_array_equal(np.sort(orders), np.arange(1, 102, 2))


def test_a_negative_last_coefficient_has_the_supremum_one(by_order):
    fails = dict(zip(*by_order.points["orders that fail"], strict=True))
    for n, a in enumerate(artanh_erf_coefficients(101, 17)):
        if a < 0:
            assert fails[2 * n + 1] == 1.0
    assert all(0.5 <= error <= 1 for error in fails.values())
    assert 0.4 < len(fails) / 51 < 0.6  # about half of them


def test_order_fifteen_is_lowest_and_the_later_ones_go_up_and_down_below_the_line(by_order):
    errors = dict(zip(*by_order.points["orders that work"], strict=True))
    _, (level, _) = by_order.curves[r"$\Phi(-R)$"]
    assert level == pytest.approx(ndtr(-float(artanh_erf_radius(17))))
    assert min(errors, key=errors.get) == 15
    assert errors[9] < errors[11] and errors[37] > errors[41] and errors[95] > errors[99]
    assert errors[17] < errors[23] < errors[101]
    assert all(error < level for order, error in errors.items() if order >= 3)
    assert errors[1] > level


# the other figures


def test_far_out_the_orders_five_and_seven_fall_to_zero():
    curves = chapter.local_matches_far_out((3, 5, 7, 9)).curves
    ends = [values[-1] for _, values in curves.values()]
    np.testing.assert_allclose(ends, [1, 0, 0, 1], atol=1e-12)
    falls = [x[np.argmax((x > 2) & (y < 0.5))] for x, y in (curves["order 5"], curves["order 7"])]
    assert falls[1] < falls[0]
