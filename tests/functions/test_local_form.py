"""The forms that match Φ at 0 to an order."""

import numpy as np
import pytest
import sympy as sp
from scipy.special import ndtr
from sympy import pi

from gelu_lib.functions.families import WrongLimitError
from gelu_lib.functions.forms import local_form, right_limit, tanh_form
from gelu_lib.functions.series import first_mismatch


def halves(form):
    """The coefficients of u in σ(2u)."""
    return tuple(value / 2 for value in form.parameters.values())


@pytest.mark.parametrize("order", [1, 3, 9, 15])
def test_it_matches_phi_to_its_order_and_no_farther(order):
    assert first_mismatch(halves(local_form(order)), order + 2) == order + 2


@pytest.mark.parametrize("order", [1, 3, 9, 21])
def test_in_floats_it_is_phi_at_0_and_close_to_it_beside(order):
    x = np.array([0.0, 0.3])
    form = local_form(order)
    error = form.error_at(x)
    np.testing.assert_allclose(error, ndtr(x) - form(x), atol=1e-15)
    assert error[0] == 0 and abs(error[1]) < 0.3 ** (order + 2) + 1e-15


def test_what_the_orders_three_five_and_seven_are():
    taylor = tanh_form((4 - pi) / (6 * pi)).parameters
    for name, value in local_form(3).parameters.items():
        assert sp.simplify(value - taylor[name]) == 0
    x = np.geomspace(2, 100, 400)
    values = {order: local_form(order)(x) for order in (3, 5, 7, 9)}
    assert [v[-1] for v in values.values()] == pytest.approx([1, 0, 0, 1], abs=1e-12)
    assert np.argmax(values[7] < 0.5) < np.argmax(values[5] < 0.5)
    for order in (5, 7):
        with pytest.raises(WrongLimitError, match=f"p{order} = -"):
            right_limit(local_form(order))


@pytest.mark.parametrize("order", [0, -1, 2, 3.0, "3", None, True])
def test_an_order_that_is_no_odd_integer_is_refused(order):
    error = ValueError if type(order) is int else TypeError
    with pytest.raises(error, match="order must be an odd integer >= 1"):
        local_form(order)
