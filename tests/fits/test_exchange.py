"""Starts by exchange: how near they are to what is proved, and what has none."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from sympy import oo

from gelu_lib.certificates.best.certificate import proved
from gelu_lib.fits import exchange
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import Criterion, NotAnOptimumError, problem
from gelu_lib.fits.exchange import (
    LinkSamples,
    RationalSamples,
    alternating_places,
    forbidding,
    grid,
    in_band,
    usual,
)
from gelu_lib.fits.start import StartError
from gelu_lib.functions.expressions import Phi, X, logistic
from gelu_lib.functions.families import (
    LOGISTIC,
    SLOPE_KEPT,
    TANH_CUBIC,
    Family,
    RationalFamily,
    odd_logistic,
)
from gelu_lib.functions.links import EXP2, IDENTITY, TANH, even_power
from gelu_lib.functions.targets import Target

SOFTPLUS = sp.log(1 + sp.exp(X))
BELL = sp.exp(-(X**2) / 2)
LIN = Family(EXP2, (1, sp.Abs(X), X**2), factor=-sp.Abs(X), base=sp.Max(X, 0))
LINE = (-oo, oo)


def asked(family, target="Phi", interval=LINE, weight=1, fixed=None):
    return problem(family, target, Criterion("sup", sp.sympify(weight), interval), fixed)


LINES = {
    f"{name} {target}": (family, target, LINE, 1, fixed)
    for target in ("Phi", "GELU")
    for name, family, fixed in (
        ("scale", LOGISTIC, None),
        ("slope kept", TANH_CUBIC, SLOPE_KEPT),
        ("both free", TANH_CUBIC, None),
        ("p3 fixed", TANH_CUBIC, {"p3": "0.2"}),
        ("degree 7", odd_logistic(7), None),
        ("degree 9", odd_logistic(9), None),
        ("degrees 1, 3, 7, 9", odd_logistic((1, 3, 7, 9)), None),
    )
}
CASES = LINES | {
    "falling at 0": (TANH_CUBIC, "GELU", LINE, 1, {"p3": 2}),
    "degree 7, slope kept": (odd_logistic(7), "Phi", LINE, 1, SLOPE_KEPT),
    "a bell": (TANH_CUBIC, "Phi", LINE, BELL),
    "a quintic that fades": (odd_logistic(5), "Phi", LINE, BELL),
    "degree 7 that fades": (odd_logistic(7), "Phi", LINE, BELL),
    "1 + x\u00b2": (TANH_CUBIC, "Phi", LINE, 1 + X**2),
    "an interval": (TANH_CUBIC, "GELU", (-6, 6)),
    "a quintic on an interval": (odd_logistic(5), "Phi", (-6, 6)),
    "p(x\u00b2)": (Family(IDENTITY, (1, X**2, X**4, X**6)), Target(X * Phi(X) - X / 2), (-4, 4)),
    "2^q": (LIN, Target(X * Phi(X))),
    "2^q on an interval": (LIN, Target(X * Phi(X)), (-12, 12)),
    "SiLU": (RationalFamily(3, 2), Target(X * logistic(X)), (0, 4)),
    "SiLU, exact at 0": (RationalFamily(2, 2, factor=X), Target(X * logistic(X)), (0, 4)),
    "mish": (RationalFamily(3, 2), Target(X * sp.tanh(SOFTPLUS)), (0, 4)),
    "softplus by a square": (Family(even_power(1), (1, X, X**2)), Target(SOFTPLUS), (-3, 3)),
    "exp": (RationalFamily(2, 2), Target(sp.exp(X)), (0, 1)),
    "exp far out": (RationalFamily(1, 2), Target(sp.exp(-X)), (0, oo)),
    "tanh": (RationalFamily(1, 2, power=2, factor=X), Target(sp.tanh(X)), (-4, 4)),
    "tanh x and tanh 2x": (
        Family(IDENTITY, (sp.tanh(X), sp.tanh(2 * X))),
        Target(2 * Phi(X) - 1),
        (-6, 6),
    ),
    "tanh of a cubic": (Family(TANH, (X, X**3)), Target(2 * Phi(X) - 1), (-6, 6)),
    "a factor that changes its sign": (
        Family(IDENTITY, (1, X), factor=X),
        Target(sp.exp(X) - 1),
        (-1, 2),
    ),
    "to the left": (LOGISTIC, "Phi", (-oo, 0)),
}
KEPT = (
    *("scale Phi", "slope kept GELU", "degree 7 GELU", "a quintic that fades", "2^q", "SiLU"),
    *(
        "softplus by a square",
        "exp far out",
        "tanh",
        "a factor that changes its sign",
        "to the left",
    ),
)


@pytest.mark.parametrize("name", slow_but(KEPT.__contains__, CASES))
def test_a_start_is_right_to_nine_digits(name):
    made = asked(*CASES[name])
    start, best = begin(made), proved(made).best(20)
    assert start.error == pytest.approx(float(best.error), rel=1e-8)
    assert start.points == pytest.approx([float(x) for x in best.points], rel=2e-3, abs=1e-9)
    assert start.signs == best.signs and list(start.parameters) == [*best.parameters]
    sizes = [abs(float(v)) for v in best.parameters.values()]
    for found, right in zip(start.parameters.values(), best.parameters.values(), strict=True):
        assert found == pytest.approx(float(right), rel=1e-3, abs=1e-5 * max(sizes))


LINEAR, EXP = Family(IDENTITY, (1, X)), Target(sp.exp(X))
REFUSED = [
    ((Family(IDENTITY, (1, X, 2 * X)), EXP, (-1, 1)), ValueError, "terms that are not independent"),
    (
        (LINEAR, Target(2 + X), (-1, 1)),
        StartError,
        "below 1e-13 of the target, .* lost in rounding",
    ),
    (
        (LINEAR, Target(sp.log(X)), (-1, 1)),
        ValueError,
        r"target log\(x\) is not defined near x = -1",
    ),
    ((RationalFamily(1, 1), Target(1 / X), (0, 1)), ValueError, "1/x is not defined near x = 0"),
    ((TANH_CUBIC, "Phi", (-4, 4), 1 - X**2 / 10), ValueError, "weight is negative near x = 3.1"),
    ((TANH_CUBIC, "Phi", (-4, 4), 0), ValueError, "weight must be positive, got 0"),
    ((TANH_CUBIC, "Phi", (-4, 4), sp.Abs(X)), ValueError, "weight must be smooth"),
    ((TANH_CUBIC, "Phi", (4, -4)), ValueError, r"interval is \(4, -4\); accepted are a left end"),
    ((TANH_CUBIC, "Phi", (1, 1)), ValueError, r"interval is \(1, 1\)"),
    ((TANH_CUBIC, "Phi", (1, 2, 3)), ValueError, "interval must be two numbers"),
    ((LINEAR, Target(sp.exp(X - X**2))), ValueError, "is the whole line, and the error .* or odd"),
    (
        (LINEAR, Target(sp.Abs(X)), (-1, 2)),
        ValueError,
        r"Abs\(x\) has a kink or a jump for -1 < x < 2",
    ),
    ((RationalFamily(1, 1), Target(X**2), (-1, 1)), StartError, "3 points forbid .*; 4 are needed"),
    ((RationalFamily(6, 6), EXP, (0, 1)), StartError, "e-13, which double precision does not show"),
    ((Family(IDENTITY, (X, X**3)), EXP, (-1, 2)), StartError, "2 points forbid .*; 3 are needed"),
    (
        (odd_logistic(5), "Phi"),
        NotAnOptimumError,
        "last coefficient of .* is 0 as .* leave it out$",
    ),
    ((odd_logistic(5), "GELU"), NotAnOptimumError, "last coefficient .* is 0 as far as"),
    ((odd_logistic(11), "Phi"), StartError, "exchanges do not settle"),
    (
        (TANH_CUBIC, "Phi", LINE, 1, {"p1": 2}),
        NotAnOptimumError,
        "last coefficient .* is 0 as far as",
    ),
    ((TANH_CUBIC, "Phi", LINE, 1, {"p1": 3}), StartError, "as large at the end of the samples"),
    ((TANH_CUBIC, "Phi", LINE, 1, {"p1": 1, "p3": 1}), ValueError, "at least one must be free"),
    ((TANH_CUBIC, "Phi", LINE, 1, {"a": 1}), ValueError, r"none named \['a'\]"),
    ((TANH_CUBIC, "Phi", LINE, 1, {"p1": 1e300}), ValueError, r"p1 = 1\.0.* sizes up to 1e\+15"),
    ((TANH_CUBIC, "erf"), ValueError, "target must be one of"),
]


@pytest.mark.parametrize(("arguments", "error", "reason"), REFUSED, ids=[r for *_, r in REFUSED])
def test_what_has_no_start_is_refused_within_a_second_by_name(arguments, error, reason):
    before = process_time()
    with pytest.raises(error, match=reason):
        begin(asked(*arguments))
    assert process_time() - before < 1


# --- what a start is made of ----------------------------------------------------------------

SAMPLED = {
    "slope kept GELU": LinkSamples,
    "2^q on an interval": LinkSamples,
    "p(x\u00b2)": LinkSamples,
    "SiLU": RationalSamples,
    "tanh": RationalSamples,
}


def samples_of(name):
    made = asked(*CASES[name])
    return SAMPLED[name](made, grid(made))


@pytest.mark.parametrize("name", SAMPLED)
def test_at_a_reference_the_errors_have_one_size_and_alternate(name):
    samples = samples_of(name)
    at = usual(samples, 6.0)
    free, error = samples.level(at)
    errors = samples.errors(free)[at]
    np.testing.assert_allclose(np.abs(errors), error, rtol=1e-7, atol=1e-15)
    assert error > 0 and len(at) == samples.count
    _, again = samples.level(at, error * 1.5)
    assert again == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("name", SAMPLED)
def test_linear_programs_and_exchanges_end_alike(name):
    """What forbids a smaller error is where the errors of the best are largest."""
    samples, start = samples_of(name), begin(asked(*CASES[name]))
    at = forbidding(samples)
    _, error, _ = exchange.exchange(samples, at)
    assert error == pytest.approx(start.error, rel=1e-3)
    assert samples.x[at] == pytest.approx(start.points, rel=0.05, abs=0.05)
    assert in_band(samples, 0.999 * start.error) is None
    free, _ = in_band(samples, 1.001 * start.error)
    assert np.abs(samples.errors(free)).max() <= 1.0011 * start.error


def test_programs_begin_where_exchanges_do_not(monkeypatch):
    made, calls = asked(*CASES["slope kept GELU"]), []
    start = begin(made)

    def lost(samples, reach):
        calls.append(reach)
        raise StartError("lost")

    monkeypatch.setattr(exchange, "usual", lost)
    again = begin.__wrapped__(made)
    assert calls == [*exchange.REACHES] and again.error == pytest.approx(start.error, rel=1e-9)


@pytest.mark.parametrize(
    ("errors", "count", "places"),
    [
        ([0.0, 1, 0, -1, 0, 3], 2, [3, 5]),
        ([0.0, 1, 0, -1, 0, 3], 3, [1, 3, 5]),
        ([5.0, 4, -1, 2, -9, 8], 3, [3, 4, 5]),
        ([5.0, -1, 4, -3], 3, [0, 1, 2]),
    ],
)
def test_the_highest_of_each_sign_is_taken_and_the_lowest_end_left_out(errors, count, places):
    assert alternating_places(np.array(errors), count).tolist() == places
    with pytest.raises(StartError, match="times; 7 are needed"):
        alternating_places(np.array(errors), 7)


@pytest.mark.parametrize("ends", [(0, 3), (-2, 5), (-oo, 1), (0, oo), (sp.sqrt(2), 3)])
def test_a_grid_increases_from_end_to_end(ends):
    made = asked(Family(IDENTITY, (1, X)), Target(SOFTPLUS), ends)
    x = grid(made)
    assert (np.diff(x) > 0).all() and x[0] == float(made.ends[0])
    assert x[-1] == float(made.ends[1]) if made.ends[1] < oo else x[-1] > 1e3


def test_a_start_is_kept_and_says_that_it_proves_nothing():
    made = asked(TANH_CUBIC, "Phi", LINE, 1, SLOPE_KEPT)
    assert begin(made) is begin(asked(TANH_CUBIC, "Phi", LINE, 1, SLOPE_KEPT))
    start = begin(made)
    assert start.free == (start.parameters["p3"],) and "not proved" in repr(start)
    assert start.parameters["p1"] == float(SLOPE_KEPT["p1"].n(20))
    assert start.target is made.target and start.criterion is made.criterion
    np.testing.assert_allclose(
        np.abs(start.error_at(np.array(start.points))), start.error, rtol=1e-6
    )
