"""The usual formulas against exact expressions, against another rounding, and at the ends."""

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq

from gelu_lib.floats import arithmetic
from gelu_lib.floats import formulas as usual_formulas
from gelu_lib.floats.formulas import (
    EVALUATIONS,
    GRADIENTS,
    QUOTIENTS,
    VALUES,
    Formula,
    returned_range,
    through_float32,
)
from gelu_lib.floats.types import (
    FLOAT_TYPES,
    all_finite,
    from_ordinal,
    ordinal,
    round_to,
    unit_roundoff,
)
from gelu_lib.floats.ulp import round_ball
from gelu_lib.functions import expressions as functions
from gelu_lib.functions.expressions import GELU, X, mpmath_function

ALL = {**VALUES, **GRADIENTS}
EXPRESSIONS = {
    "gelu": GELU(X),
    "gelu_tanh": functions.gelu_tanh(X),
    "gelu_sigmoid": functions.gelu_sigmoid(X),
}
EXPRESSIONS |= {f"{name}_derivative": e.diff(X) for name, e in EXPRESSIONS.items()}
SHORT_ERF = usual_formulas.SHORT
SHORT = ["float16", "bfloat16"]

every_formula = pytest.mark.parametrize("formula", ALL.values(), ids=list(ALL))
every_type = pytest.mark.parametrize("dtype", FLOAT_TYPES)


def floats(dtype: str, *numbers: float) -> np.ndarray:
    return np.array(numbers).astype(FLOAT_TYPES[dtype].dtype)


def spread(dtype: str, count: int = 20_000) -> np.ndarray:
    """Floats of every magnitude, evenly among all finite ones of a type."""
    last = int(ordinal(floats(dtype, FLOAT_TYPES[dtype].greatest))[0])
    return from_ordinal([*range(-last, last, 2 * last // (count - 1)), last], dtype)


def departure(formula: Formula, expression, dtype: str = "float64") -> float:
    """The largest relative difference from an expression, where nothing is near 0."""
    x = floats(dtype, -2.5, -1.25, -0.5, -0.125, 0.3, 1.0, 1.75, 3.0)
    exact = mpmath_function(expression)
    with mpmath.workdps(40):
        true = np.array([float(exact(mpmath.mpf(value))) for value in x.astype(float).tolist()])
    return float(np.max(np.abs(formula(x).astype(float) / true - 1)))


@every_formula
def test_in_float64_a_formula_is_the_expression_that_it_names(formula):
    assert departure(formula, EXPRESSIONS[formula.value]) < 2e-14


SPELLINGS = {way: f for ways in (*EVALUATIONS.values(), QUOTIENTS) for way, f in ways.items()}


@every_type
@pytest.mark.parametrize("way", SPELLINGS)
def test_in_every_type_a_spelling_is_near_its_form(way, dtype):
    """Half a unit of erf is 40 of 1 + erf at −2.5, and an error of 1.5e-7 is 1.2e-5."""
    cut = 1.3e-5 if way == SHORT_ERF else 3e-8
    found = departure(SPELLINGS[way], EXPRESSIONS[SPELLINGS[way].value], dtype)
    assert found < cut + 100 * unit_roundoff(dtype)


CURE = "x/(1 + exp(−1.5957691216·(x + 0.044715·x³)))"


@every_type
def test_the_tanh_form_by_sigma_is_finite_wherever_a_quotient_is_nan(dtype):
    x = spread(dtype)
    finite = [np.isfinite(SPELLINGS[way](x).astype(float)).all() for way in (CURE, *QUOTIENTS)]
    assert finite == [True, False, False]


def test_each_formula_is_held_against_its_aim_and_every_rounding_counts():
    assert {f.value for f in VALUES.values()} == {"gelu", "gelu_tanh", "gelu_sigmoid"}
    assert {f.aim for f in VALUES.values()} == {"gelu"}
    assert {f.aim for f in GRADIENTS.values()} == {"gelu_derivative"}
    x = round_to(np.random.default_rng(5).uniform(-6, 4, size=150), "bfloat16")
    wide = through_float32(VALUES["erf"])
    assert (wide(x) != VALUES["erf"](x)).sum() > 20
    u = np.random.default_rng(3).uniform(-19.2, -2, size=400)
    with ctx.workprec(200):
        exact = [float(arb(v).tanh()) for v in u.tolist()]
    steps = np.abs(ordinal(arithmetic.tanh(u)) - ordinal(np.array(exact)))
    assert steps.max() <= 1 and (steps == 0).mean() > 0.9


# How they round.

CONSTANTS = {
    "ROOT_2": lambda: arb(2).sqrt(),
    "ROOT_2_OVER_PI": lambda: (2 / arb.pi()).sqrt(),
    "ONE_OVER_ROOT_2_PI": lambda: 1 / (2 * arb.pi()).sqrt(),
    "CUBIC": lambda: arb(fmpq(44715, 10**6)),
    "PRINTED_SCALE": lambda: arb(fmpq(1702, 1000)),
}


@every_type
@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_is_the_float_nearest_to_the_real_number(name, dtype):
    used = arithmetic.as_operand(getattr(usual_formulas, name), floats(dtype, 0))
    with ctx.workprec(200):
        assert float(used) == round_ball(CONSTANTS[name](), dtype)


@pytest.mark.parametrize("dtype", ["float32", *SHORT])
def test_three_times_the_cubic_is_rounded_once(dtype):
    used = arithmetic.as_operand(3 * usual_formulas.CUBIC, floats(dtype, 0))
    with ctx.workprec(200):
        assert float(used) == round_ball(arb(fmpq(134145, 10**6)), dtype)


class Rounded:
    """A number whose every operation is done in interval arithmetic and rounded to a type."""

    def __init__(self, value, dtype):
        self.dtype = dtype
        with ctx.workprec(1200):
            self.value = arb(round_ball(arb(value), dtype))

    def of(self, function):
        with ctx.workprec(1200):
            return Rounded(function(self.value), self.dtype)

    def __add__(self, other):
        return self.of(lambda a: a + _value(other))

    def __mul__(self, other):
        return self.of(lambda a: a * _value(other))

    def __truediv__(self, other):
        return self.of(lambda a: a / _value(other))


def _value(number):
    return number.value if isinstance(number, Rounded) else number


def rounded_erf(x, constant):
    return x / 2 * ((x / constant("ROOT_2")).of(lambda z: z.erf()) + 1)


def rounded_tanh(x, constant):
    u = constant("ROOT_2_OVER_PI") * (x + constant("CUBIC") * (x * x * x))
    return x / 2 * (u.of(lambda u: u.tanh()) + 1)


def rounded_sigmoid(x, constant):
    e = (constant("PRINTED_SCALE") * x).of(lambda v: (-v).exp())
    return x * (e + 1).of(lambda s: 1 / s)


@pytest.mark.parametrize("dtype", SHORT)
@pytest.mark.parametrize(
    ("name", "second"), [("erf", rounded_erf), ("tanh", rounded_tanh), ("sigmoid", rounded_sigmoid)]
)
def test_every_operation_is_rounded_to_the_type(name, second, dtype):
    def constant(number):
        return Rounded(CONSTANTS[number](), dtype)

    x = round_to(np.random.default_rng(5).uniform(-6, 4, size=150), dtype)
    expected = [float(second(Rounded(v, dtype), constant).value) for v in x.astype(float).tolist()]
    assert VALUES[name](x).astype(float).tolist() == expected


@every_formula
@pytest.mark.parametrize("dtype", SHORT)
def test_through_float32_rounds_once_at_the_end(formula, dtype):
    x = spread(dtype, 2000)
    inner = formula(x.astype(np.float32)).astype(np.float64)
    found = through_float32(formula)(x)
    assert found.dtype == x.dtype
    assert np.array_equal(found.astype(float), round_to(inner, dtype).astype(float), equal_nan=True)


# The other arithmetic.

PLAIN = {
    **VALUES,
    **GRADIENTS,
    **{way: f for ways in EVALUATIONS.values() for way, f in ways.items()},
}
PLACES = (-3.0, -1.5, -0.75, 0.25, 1.0, 2.5)


@pytest.mark.parametrize("dtype", ["float32", *SHORT])
@pytest.mark.parametrize("name", PLAIN)
def test_what_a_formula_returns_is_within_its_reach(name, dtype):
    found = PLAIN[name](floats(dtype, *PLACES)).astype(float).tolist()
    for x, y in zip(PLACES, found, strict=True):
        assert returned_range(PLAIN[name], x, dtype).contains(arb(y)), x


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_rounded_more_coarsely_is_out_of_reach(name):
    coarse = PLAIN[name](floats("bfloat16", *PLACES)).astype(float).tolist()
    reached = [returned_range(PLAIN[name], x, "float32") for x in PLACES]
    assert not all(ball.contains(arb(y)) for ball, y in zip(reached, coarse, strict=True))


@every_formula
@every_type
def test_type_and_shape_are_kept_in_silence(formula, dtype):
    x = spread(dtype)[:60].reshape(3, 20)
    with np.errstate(all="raise"):
        y = formula(x)
    assert y.dtype == x.dtype and y.shape == x.shape
    assert formula(x[0, 0]).shape == () and formula(x[0, 0]).dtype == x.dtype


@pytest.mark.parametrize("x", [np.arange(3), np.ones(2, complex), np.ones(2, np.longdouble)])
def test_other_types_are_refused(x):
    with pytest.raises(TypeError, match="accepted are float64, float32, float16, bfloat16"):
        VALUES["erf"](x)


@every_type
@pytest.mark.parametrize("name", GRADIENTS)
def test_a_printed_slope_is_nan_at_infinity_on_the_left(name, dtype):
    assert np.isnan(GRADIENTS[name](floats(dtype, -np.inf)).astype(float)).all()


@every_type
@pytest.mark.parametrize("name", VALUES)
def test_every_formula_of_gelu_is_nan_at_infinity_on_the_left_only(name, dtype):
    ends = VALUES[name](floats(dtype, -np.inf, np.inf)).astype(float)
    assert np.isnan(ends[0]) and ends[1] == np.inf
    x = all_finite(dtype) if dtype in SHORT else spread(dtype)
    assert np.isfinite(VALUES[name](x).astype(float)).all()
