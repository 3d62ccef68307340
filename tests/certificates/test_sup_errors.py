"""The largest error of any form: no point is worse, some are almost as bad, and what is refused."""

from decimal import Decimal
from itertools import cycle, product

import numpy as np
import pytest
from kinds import slow_but
from proofs import errors, fails
from sympy import exp

from gelu_lib.certificates.best.sup_errors import certified_sup_error, prove_error_below
from gelu_lib.functions.expressions import X, logistic
from gelu_lib.functions.families import LOGISTIC, PAGE, TANH_CUBIC, WrongLimitError, odd_logistic
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import TARGETS

TWIN_ROOTS = {"p1": 1e6 * 0.5**2 * 0.51**2, "p3": -1e6 * (0.5**2 + 0.51**2), "p5": 1e6}
FORMS = {
    "1.702": Form(LOGISTIC, {"p1": "1.702"}),
    "steep": Form(LOGISTIC, {"p1": 1e6}),
    "Page": Form(TANH_CUBIC, PAGE),
    "rounded slope": Form(TANH_CUBIC, {name: float(value) for name, value in PAGE.items()}),
    "no cubic": Form(TANH_CUBIC, {"p1": 1, "p3": 0}),
    "huge cubic": Form(TANH_CUBIC, {"p1": 1, "p3": 1e8}),
    "falling at 0": Form(TANH_CUBIC, {"p1": -1, "p3": 1}),
    "jump at 1": Form(TANH_CUBIC, {"p1": -1000, "p3": 1000}),
    "dip from 0.5 to 0.51": Form(odd_logistic(5), TWIN_ROOTS),
}
CASES = list(product(FORMS, TARGETS))


@pytest.mark.parametrize(
    ("name", "target"),
    slow_but(lambda case: case in zip(FORMS, cycle(TARGETS), strict=False), CASES),
)
def test_no_point_of_a_fine_grid_is_worse_and_some_are_almost_as_bad(name, target):
    form, found = FORMS[name], certified_sup_error(FORMS[name], target, 12)
    wide, finer = np.linspace(1e-3, 12, 100_000), np.linspace(0.49, 1.01, 100_000)
    x = np.concatenate([np.geomspace(1e-8, 1e8, 100_000), wide, finer])
    worst = np.max(np.abs(errors(form.family, target, form.parameters.values(), x)))
    assert 1 - 1e-5 <= worst / float(found.error) <= 1 + 1e-12
    for place, sign in zip(found.points, found.signs, strict=True):
        there = errors(form.family, target, form.parameters.values(), np.array([float(place)]))
        assert sign * there[0] == pytest.approx(float(found.error), rel=1e-9)


def test_more_digits_refine_the_same_value():
    few, more = (certified_sup_error(FORMS["Page"], "GELU", digits) for digits in (50, 80))
    for one, other in ((few.error, more.error), *zip(few.points, more.points, strict=True)):
        assert one.rounded(50) == other.rounded(50)
        assert not one.decides(75)


def test_a_bound_holds_a_little_above_the_error_and_not_below_it():
    error = certified_sup_error(FORMS["Page"], "GELU").error
    assert prove_error_below(FORMS["Page"], error.upper * Decimal("1.0001"), "GELU").cover
    with fails("bound", "is exceeded at x"):
        prove_error_below(FORMS["Page"], error.lower * Decimal("0.9999"), "GELU")


def test_what_has_no_largest_error_or_none_that_is_shown_is_refused():
    for parameters in ({"p1": 1.6, "p3": -1e-5}, {"p1": 0, "p3": 0}):
        with pytest.raises(WrongLimitError):
            certified_sup_error(Form(TANH_CUBIC, parameters))
    with fails("tail"):
        certified_sup_error(Form(LOGISTIC, {"p1": 1e-6}), "GELU")


def test_a_sigma_that_is_written_out_is_refused_with_what_to_write():
    with fails("tail", r"; write 1/\(1 \+ exp\(-u\)\) as logistic\(u\)"):
        certified_sup_error(X / (1 + exp(-1.702 * X)), "GELU")
    assert certified_sup_error(X * logistic(1.702 * X), "GELU").error < 0.0204


def test_other_targets_and_digits_are_refused():
    with pytest.raises(ValueError, match="target must be one of"):
        certified_sup_error(FORMS["1.702"], "erf")
    with pytest.raises(ValueError, match="digits must be at least 1"):
        certified_sup_error(FORMS["1.702"], digits=0)
    with pytest.raises(TypeError, match="digits must be an integer"):
        certified_sup_error(FORMS["1.702"], digits=16.0)
