"""Which constants give the same rounded results, and which one is best for a type.

That inside a registered interval the results are as stated, and outside they are not, is tried
with the statements, in ``tests/shared/named_trials.py``.
"""

from dataclasses import replace
from decimal import Decimal
from itertools import product

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx
from kinds import slow_but
from scipy.special import expit

from gelu_lib import activations
from gelu_lib.activations import gelu
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats.agreement import agreeing, rounded, steps_apart
from gelu_lib.floats.best_rounded import (
    MostAgreeing,
    _prove_end,
    binding_inputs,
    least_steps,
    most_agreeing,
    prove_most_agreeing,
    reach,
)
from gelu_lib.floats.gates import Gates, rounding_gates
from gelu_lib.floats.rounded_constants import (
    SIGMOID_BY_SCALE,
    SLACK,
    TANH_BY_CUBIC,
    ConstantInterval,
    End,
    EndArrays,
    intersection,
    prove,
    same_results,
)
from gelu_lib.floats.types import FLOAT_TYPES, all_finite, from_ordinal, ordinal, round_to
from gelu_lib.functions.expressions import LOCAL_SLOPE, X, gelu_sigmoid, gelu_tanh
from gelu_lib.functions.families import TANH_CUBIC, odd_logistic
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form

TYPES = ["float16", "bfloat16"]
FORMS = {"tanh": TANH_BY_CUBIC, "sigmoid": SIGMOID_BY_SCALE}
EXPRESSIONS = {"tanh": lambda k: gelu_tanh(cubic=k), "sigmoid": lambda c: gelu_sigmoid(scale=c)}
in_each_type = pytest.mark.parametrize("dtype", TYPES)
of_each_form = pytest.mark.parametrize("form", FORMS)


def of_each_form_and_type(*kept):
    """Every form in every type, and in every run those that are kept."""
    kinds = slow_but(kept.__contains__, product(FORMS, TYPES))
    return pytest.mark.parametrize(("form", "dtype"), kinds)


of_tanh_mostly = of_each_form_and_type(("tanh", "float16"))
of_sigmoid_mostly = of_each_form_and_type(("sigmoid", "bfloat16"))
in_bfloat16_mostly = pytest.mark.parametrize("dtype", slow_but("bfloat16".__eq__, TYPES))


def results_with(form, constant, inputs):
    """The rounded results of a form with any constant."""
    made = sigmoid_form if form == "sigmoid" else tanh_form
    return rounded(inputs, made(sp.Rational(constant)))


# The closed form.


@of_each_form
def test_a_value_increases_with_the_constant_that_gives_it(form):
    constant = sp.Symbol("c", real=True)
    slope = sp.diff(EXPRESSIONS[form](constant), constant)
    x = sp.Symbol("x", real=True, nonzero=True)
    if form == "tanh":
        factor = LOCAL_SLOPE * x**4 / (2 * sp.cosh(LOCAL_SLOPE * (x + constant * x**3)) ** 2)
    else:
        factor = x**2 / (4 * sp.cosh(constant * x / 2) ** 2)
    assert factor.is_positive
    quotient = (slope.subs(X, x) / factor).rewrite(sp.exp)
    assert sp.simplify(quotient) == 1
    rng = np.random.default_rng(5)
    x = rng.uniform(-9, 9, size=40)
    y = x * rng.uniform(1e-9, 1 - 1e-9, size=40)
    in_float64 = FORMS[form].constants(x, y)
    for i in range(x.size):
        with ctx.workprec(200):
            ball = FORMS[form].ball(float(x[i]), float(y[i]))
        exact = sp.Rational(*map(int, (ball.mid().fmpq().p, ball.mid().fmpq().q)))
        value = EXPRESSIONS[form](exact).subs(X, sp.Rational(float(x[i])))
        assert abs(sp.N(value, 60) / sp.Rational(float(y[i])) - 1) < 1e-40
        assert abs(in_float64[i] - float(ball)) < 1e-12 * max(1, abs(float(ball)))


@pytest.mark.parametrize(("x", "y", "sign"), [(2.0, 0.0, -1), (2.0, 2.0, 1), (-2.0, -2.0, -1)])
def test_a_value_out_of_reach_has_an_infinite_constant(x, y, sign):
    for form in (TANH_BY_CUBIC, SIGMOID_BY_SCALE):
        assert form.constants(np.array([x]), np.array([y])).tolist() == [sign * np.inf]
        assert float(form.ball(x, y)) == sign * np.inf
    assert float(TANH_BY_CUBIC.ball(-2.0, 0.0)) == np.inf


@of_sigmoid_mostly
def test_the_slack_covers_float64_at_every_input(form, dtype):
    inputs = all_finite(dtype)
    demand = rounding_gates(inputs, gelu(inputs))
    for y in (demand.low, demand.high):
        found = FORMS[form].constants(demand.x, y)
        with ctx.workprec(96):
            pairs = zip(demand.x.tolist(), y.tolist(), strict=True)
            exact = np.array([float(FORMS[form].ball(*pair)) for pair in pairs])
        assert not np.isnan(found).any()
        finite = np.abs(exact) < 1e100  # float64 takes larger ones for infinite
        error = np.abs(found[finite] - exact[finite]) / np.maximum(1, np.abs(exact[finite]))
        assert np.max(error) < SLACK / 100
        assert np.array_equal(np.sign(found)[~finite], np.sign(exact)[~finite])


# What is asked for.


@pytest.mark.parametrize("dtype", [*TYPES, "float32"])
def test_the_ends_of_a_demand_are_where_rounding_changes(dtype):
    last = int(ordinal(np.array(FLOAT_TYPES[dtype].greatest, FLOAT_TYPES[dtype].dtype)))
    places = np.random.default_rng(2).integers(-last, last, size=3000, endpoint=True)
    places[:5] = [last, -last, 1, -1, 2]
    targets = from_ordinal(places, dtype)
    demand = rounding_gates(np.ones(places.size, targets.dtype), targets, 3)
    for y, closed, outward, edge in (
        (demand.low, demand.low_closed, -np.inf, places - 3),
        (demand.high, demand.high_closed, np.inf, places + 3),
    ):
        edge = np.clip(edge, -last - 1, last + 1)
        inside = ordinal(round_to(np.nextafter(y, -outward), dtype))
        outside = ordinal(round_to(np.nextafter(y, outward), dtype))
        kept = np.abs(edge) <= last
        assert np.array_equal(inside[kept], edge[kept])
        assert np.all((outside - edge)[kept] == np.sign(outward))
        assert np.array_equal((ordinal(round_to(y, dtype)) == edge)[kept], closed[kept])


def test_what_a_demand_leaves_out():
    inputs = all_finite("float16")
    assert rounding_gates(inputs, gelu(inputs)).x.size == inputs.size - 1
    inputs = all_finite("bfloat16")
    demand = rounding_gates(inputs, gelu(inputs)).from_left_end(-3.0)
    assert demand.x[0] == -3.0 and demand.x[-1] == float(inputs[-1])


@pytest.mark.parametrize("steps", [-1, 1.5, "2", True])
def test_a_bad_number_of_steps_is_refused(steps):
    inputs = all_finite("float16")
    with pytest.raises(ValueError, match="steps is"):
        rounding_gates(inputs, gelu(inputs), steps)


SHORT = all_finite("bfloat16")[-9:]


@pytest.mark.parametrize(
    ("inputs", "targets", "error", "message"),
    [
        (np.ones(2), np.ones(2), TypeError, "inputs are float64"),
        (SHORT, SHORT.astype(np.float16), TypeError, "targets float16"),
        (np.arange(3), np.arange(3), TypeError, "dtype is dtype"),
        (SHORT[::-1], SHORT[::-1], ValueError, "in ascending order"),
        (SHORT, SHORT[1:], ValueError, r"targets of shape \(8,\)"),
        (SHORT, np.full_like(SHORT, np.inf), ValueError, "accepted are finite"),
        (np.full_like(SHORT, np.nan), SHORT, ValueError, "accepted are finite"),
        (SHORT[None], SHORT[None], ValueError, "in one dimension"),
    ],
)
def test_what_makes_no_demand_is_refused(inputs, targets, error, message):
    with pytest.raises(error, match=message):
        rounding_gates(inputs, targets)


# The intersection.


def demand_of(*rows):
    """A demand from rows of x, low, high, low_closed, high_closed."""
    return Gates(*(np.array(column) for column in zip(*rows, strict=True)))


def test_a_demand_is_met_by_an_interval_by_one_constant_or_by_none():
    one, other = End(TANH_BY_CUBIC, 0.75, 0.5, True), End(TANH_BY_CUBIC, -0.75, -0.25, False)
    assert one.mirrored == other.mirrored
    assert one.ball(80).overlaps(other.ball(80))
    rows = [(0.75, 0.5, 0.7, True, True), (-0.75, -0.25, -0.05, False, True)]
    for demand in (demand_of(*rows), demand_of(*rows[::-1])):
        assert not intersection(TANH_BY_CUBIC, demand).lower.closed
    closed = [rows[0], (-0.75, -0.25, -0.05, True, True)]
    assert intersection(TANH_BY_CUBIC, demand_of(*closed)).lower.closed
    touching = [(0.75, 0.25, 0.5, True, True), (-0.75, -0.25, -0.125, True, True)]
    assert intersection(TANH_BY_CUBIC, demand_of(*touching)) is not None
    touching[0] = (0.75, 0.25, 0.5, True, False)
    assert intersection(TANH_BY_CUBIC, demand_of(*touching)) is None
    apart = demand_of((1.0, 0.8, 0.85, True, True), (2.0, 1.1, 1.2, True, True))
    assert intersection(SIGMOID_BY_SCALE, apart) is None
    assert intersection(SIGMOID_BY_SCALE, demand_of((1.0, 1.0, 1.5, True, True))) is None
    assert intersection(SIGMOID_BY_SCALE, demand_of((1.0, -0.5, 0.0, True, True))) is None


# The constants that give the same results.


@of_tanh_mostly
def test_the_interval_is_proved_in_interval_arithmetic(form, dtype):
    inputs = all_finite(dtype)
    demand = rounding_gates(inputs, FORMS[form].rounded(inputs))
    found = same_results(FORMS[form], inputs)
    prove(found, demand)
    i = int(np.argmax(demand.x > 1))
    ends = EndArrays(FORMS[form], demand.x, demand.low, demand.low_closed)
    others = EndArrays(FORMS[form], demand.x, demand.high, demand.high_closed)
    for wider in (ConstantInterval(ends[i], found.upper), ConstantInterval(found.lower, others[i])):
        with pytest.raises(ArithmeticError, match="less is allowed"):
            prove(wider, demand)
    reverse = Gates(demand.x, demand.high, demand.low, demand.high_closed, demand.low_closed)
    with pytest.raises(ArithmeticError, match="not in this order"):
        prove(ConstantInterval(found.upper, found.lower), reverse)


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_an_interval_that_is_too_narrow_or_has_an_end_of_another_kind_is_not_proved(end):
    inputs = all_finite("bfloat16")
    demand = rounding_gates(inputs, TANH_BY_CUBIC.rounded(inputs))
    found = same_results(TANH_BY_CUBIC, inputs)
    right = getattr(found, end)
    inward = np.inf if end == "lower" else -np.inf
    for wrong in (
        replace(right, y=float(np.nextafter(right.y, inward))),
        replace(right, closed=not right.closed),
    ):
        with pytest.raises(ArithmeticError, match="the demand does not have the end"):
            prove(replace(found, **{end: wrong}), demand)


def test_what_is_wrongly_rounded_or_of_another_type_or_family_is_refused():
    wrong = replace(TANH_BY_CUBIC, rounded=lambda x: rounded(x, tanh_form("0.04474")))
    with pytest.raises(ArithmeticError, match="not correctly rounded"):
        same_results(wrong, all_finite("float16"))
    with pytest.raises(TypeError, match="inputs are float64"):
        rounded(np.zeros(3), sigmoid_form(1))
    quintic = Form(odd_logistic(5), {"p1": 1, "p3": 1, "p5": 1})
    with pytest.raises(ValueError, match="members of LOGISTIC and TANH_CUBIC"):
        rounded(np.zeros(3, np.float32), quintic)
    with pytest.raises(TypeError, match="float32 and float16; accepted is one type"):
        steps_apart(np.float32([1]), np.float16([1]))


def test_an_end_is_enclosed_told_from_a_constant_and_not_from_itself():
    end = same_results(TANH_BY_CUBIC, all_finite("float16")).lower
    found = end.enclosure(50)
    assert isinstance(found, Enclosure) and found.upper - found.lower < Decimal("1e-60")
    with mpmath.workdps(90):
        x, y = mpmath.mpf(end.x), mpmath.mpf(end.y)
        logit = mpmath.log(y / (x - y))
        again = (logit / (2 * mpmath.sqrt(2 / mpmath.pi)) - x) / x**3
        assert mpmath.mpf(str(found.lower)) < again < mpmath.mpf(str(found.upper))
    found = ConstantInterval(
        End(SIGMOID_BY_SCALE, 1.0, 0.5, True), End(SIGMOID_BY_SCALE, 1.0, 0.75, True)
    )
    assert 1 in found and -1 not in found and 2 not in found
    with pytest.raises(
        CertificationError, match=r"the distance of the constant from the end at x = 1\.0"
    ):
        assert 0 not in found
    low = np.array([0.5, 1.0])  # half of the inputs, where the constant is 0
    demand = Gates(2 * low, low, 1.5 * low, *np.full((2, 2), True))
    with pytest.raises(CertificationError, match=r"the ends at x = 1\.0 and 2\.0"):
        intersection(SIGMOID_BY_SCALE, demand)


# The best constant for a type.


@of_sigmoid_mostly
def test_the_constants_of_least_steps_are_proved_and_one_step_less_is_not_possible(form, dtype):
    inputs = all_finite(dtype)
    (best,) = least_steps(FORMS[form], inputs)
    prove(best.constants, rounding_gates(inputs, gelu(inputs), best.steps))
    less = rounding_gates(inputs, gelu(inputs), best.steps - 1)
    assert intersection(FORMS[form], less) is None


def test_a_left_end_between_two_floats_and_zero_count_if_they_are_there():
    inputs = all_finite("bfloat16")
    between, at = least_steps(TANH_BY_CUBIC, inputs, [-3.01, -3.0])
    assert (between.steps, between.constants) == (at.steps, at.constants)
    with pytest.raises(ValueError, match="no input but 0 is as large"):
        least_steps(TANH_BY_CUBIC, all_finite("float16"), [1e6])
    inputs = all_finite("bfloat16")
    inputs = inputs[np.abs(inputs.astype(float)) < 3]
    found, fewer = (most_agreeing(TANH_BY_CUBIC, some) for some in (inputs, inputs[inputs != 0]))
    assert found.count == fewer.count + 1 and found.constants == fewer.constants
    prove_most_agreeing(fewer, inputs[inputs != 0])
    inputs = np.linspace(-2, 2, 9, dtype=np.float32)
    for search in (binding_inputs, least_steps, most_agreeing):
        with pytest.raises(TypeError, match="inputs are float32; accepted are float16 and bfloat"):
            search(TANH_BY_CUBIC, inputs)


def test_a_search_that_leaves_out_what_binds_is_noticed(monkeypatch):
    inputs = all_finite("bfloat16")
    monkeypatch.setattr(
        "gelu_lib.floats.best_rounded.binding_inputs",
        lambda form, inputs: inputs[inputs.astype(float) > -1],
    )
    with pytest.raises(ArithmeticError, match="not confirmed"):
        least_steps(TANH_BY_CUBIC, inputs)


@in_bfloat16_mostly
def test_so_many_steps_reach_as_far_as_the_least_steps_say(dtype):
    inputs = all_finite(dtype)
    (best,) = least_steps(TANH_BY_CUBIC, inputs, [-3.0])
    ends, (lower, upper) = reach(TANH_BY_CUBIC, inputs, best.steps)
    assert ends < -3.0 and reach(TANH_BY_CUBIC, inputs, best.steps - 1)[0] >= -3.0
    (there,) = least_steps(TANH_BY_CUBIC, inputs, [ends])
    assert there.steps > best.steps
    assert (lower + upper) / 2 in best.constants
    assert reach(TANH_BY_CUBIC, inputs, 2**15)[0] is None


def test_a_wrong_count_or_an_end_that_float64_does_not_tell_apart_is_not_proved():
    inputs = all_finite("bfloat16")
    found = most_agreeing(TANH_BY_CUBIC, inputs)
    with pytest.raises(ArithmeticError, match="is not proved"):
        prove_most_agreeing(MostAgreeing(found.count + 1, found.constants), inputs)
    with pytest.raises(ArithmeticError, match="2 pieces are not proved, but 3"):
        prove_most_agreeing(MostAgreeing(found.count, found.constants[1:]), inputs)
    ends = EndArrays(
        TANH_BY_CUBIC, *(np.array(part) for part in ([1.0, 2.0], [0.75, 1.5], [True, True]))
    )
    none = np.array([], int)
    _prove_end(ends[0], np.array([0]), none, ends)
    for same, opposite in (([0, 1], none), ([1], none), (none, none), ([0], np.array([1]))):
        with pytest.raises(ArithmeticError, match="is not proved"):
            _prove_end(ends[0], np.array(same, int), opposite, ends)


@pytest.mark.parametrize(
    ("form", "dtype", "end"),
    slow_but(("sigmoid", "bfloat16", "upper").__eq__, product(FORMS, TYPES, ["lower", "upper"])),
)
def test_an_end_of_most_agreement_that_is_another_one_is_not_proved(form, dtype, end):
    inputs = all_finite(dtype)
    found = most_agreeing(FORMS[form], inputs)
    first, *others = found.constants
    right = getattr(first, end)
    elsewhere = getattr(same_results(FORMS[form], inputs), end)
    for wrong in (
        replace(right, y=right.y * (1 + 1e-15)),
        replace(right, closed=not right.closed),
        elsewhere,
    ):
        pieces = (replace(first, **{end: wrong}), *others)
        with pytest.raises(ArithmeticError, match="is not proved"):
            prove_most_agreeing(MostAgreeing(found.count, pieces), inputs)


# The same number.


@in_each_type
def test_rounded_results_are_those_of_the_activations_and_agree_at_the_ends(dtype):
    inputs = all_finite(dtype)
    for form in FORMS:
        found = results_with(form, FORMS[form].famous, inputs)
        assert np.array_equal(ordinal(found), ordinal(FORMS[form].rounded(inputs)))
    special = np.array([-0.0, np.inf, -np.inf, np.nan]).astype(FLOAT_TYPES[dtype].dtype)
    for function in activations.FORMS.values():
        values = function(special).astype(float)
        assert values[:3].tolist() == [0, np.inf, 0] and np.isnan(values[3])
        assert np.signbit(values[[0, 2]]).all()


@pytest.mark.parametrize("dtype", [*TYPES, "float32"])
def test_no_float_is_nearer_than_the_rounded_one(dtype):
    rng = np.random.default_rng(11)
    inputs = round_to(rng.uniform(-9, 9, size=300), dtype)
    places = ordinal(rounded(inputs, Form(TANH_CUBIC, {"p1": "1.6", "p3": "0.0711"})))
    near = [from_ordinal(places + side, dtype).astype(float).tolist() for side in (-1, 0, 1)]
    with ctx.workprec(120):
        p1, p3 = arb("1.6"), arb("0.0711")
        for x, low, found, high in zip(inputs.astype(float).tolist(), *near, strict=True):
            value = arb(x) / (1 + (-(p1 * x + p3 * arb(x) ** 3)).exp())
            assert abs(value - found) < abs(value - low)
            assert abs(value - found) < abs(value - high)


def test_ties_that_float64_cannot_see_are_decided_as_far_as_they_can_be():
    x = from_ordinal([3, -3, 1, -1], "bfloat16")  # x/2 is a tie; the value is a little above it
    found = ordinal(rounded(x, sigmoid_form()))
    assert found.tolist() == [2, -1, 1, 0]
    values = x.astype(float)
    in_float64 = round_to(values * expit(1.702 * values), "bfloat16")
    assert ordinal(in_float64).tolist() != found.tolist()
    least = from_ordinal([1], "float16")
    assert rounded(least, sigmoid_form("1e-400")) == least
    with pytest.raises(CertificationError, match=r"the value from the middle of .* may be 0"):
        rounded(least, sigmoid_form("1e-100000"))


@pytest.mark.parametrize(
    ("x", "p1", "p3", "message"),
    [
        (1.0, -(10**17), 10**17 + 2, "coefficients are float64 that are finite, from 0"),
        (1.0, 10**400, 0, "coefficients are float64 that are finite, from 0"),
        (np.inf, 1, 0, "inputs have an infinity or nan"),
        (np.nan, 1, 0, "inputs have an infinity or nan"),
    ],
)
def test_what_float64_would_round_wrongly_is_refused(x, p1, p3, message):
    with pytest.raises(ValueError, match=message):
        rounded(np.array([x], np.float16), Form(TANH_CUBIC, {"p1": p1, "p3": p3}))


@pytest.mark.parametrize("names", [(), ("exact",), ("exact", "relu")])
def test_what_cannot_agree_is_refused(names):
    with pytest.raises(ValueError, match="accepted are two or more of exact"):
        agreeing("float16", *names)
