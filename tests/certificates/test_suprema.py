"""How far mine is: any function, any interval, two proved ends; and what falls beyond an end."""

from decimal import Decimal
from functools import partial

import numpy as np
import pytest
import sympy as sp
from flint import arb
from scipy.special import ndtr
from sympy import Max, Rational, S, atan, exp, log, oo, pi, sqrt

from gelu_lib.certificates.best import sup_errors
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.sup_errors import certified_sup_error, prove_error_below
from gelu_lib.certificates.engine.decay import Ends, beyond, bound_beyond, normal_beyond
from gelu_lib.certificates.engine.suprema import Top
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.sampled import sampled_sup_error
from gelu_lib.functions.expressions import (
    GELU,
    LOGISTIC_SCALE,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    numpy_function,
    phi,
)
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    Family,
    RationalFamily,
    WrongLimitError,
)
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form
from gelu_lib.functions.links import EXP2, SIGMA
from gelu_lib.functions.targets import TARGETS, Target

pytestmark = pytest.mark.usefixtures("proof_precision")

ZERO = Target(S.Zero)
BELL = X * exp(-(X**2) / 2)
"""Its largest value is exp(−1/2), at x = 1."""


def exactly(number, digits=60):
    return Decimal(str(sp.N(number, digits)))


@pytest.mark.parametrize("digits", [None, 30])
@pytest.mark.parametrize(
    ("function", "interval", "size", "places"),
    [
        (BELL, (0, 8), exp(-Rational(1, 2)), [1]),
        (-BELL, (-8, 8), exp(-Rational(1, 2)), [1]),
        (BELL, (-3, 8), exp(-Rational(1, 2)), [-1, 1]),
        (BELL, (-oo, 0), exp(-Rational(1, 2)), [-1]),
        (X, (0, 2), S(2), [2]),
        (1 - X, (0, 1), S.One, [0]),
        (X**2, (-sqrt(2), 1), S(2), [-sqrt(2)]),
        (exp(-(X**2)), (-1, 1), S.One, [0]),  # flat at an end, after reflection
        (exp(-(X**2)), (-1, 2), S.One, [0]),
        (sqrt(X) - X, (0, 1), Rational(1, 4), [Rational(1, 4)]),
        (sqrt(1 - exp(-(X**2))), (0, 1), sqrt(1 - exp(-1)), [1]),
        (atan(X) - log(1 + X), (0, 1), pi / 4 - log(2), [1]),
        (atan(X) - 3 / (1 + X) / 9, (0, 2), atan(2) - Rational(1, 9), [2]),
        (Max(X, 0) + exp(X), (-1, 1), 1 + exp(1), [1]),
        (exp(-((1000 * (X - Rational(1, 3))) ** 2)) + X / 9, (0, 2), None, [Rational(1, 3)]),
    ],
)
def test_the_enclosures_hold_the_largest_size_and_its_places(
    function, interval, size, places, digits
):
    found = certified_sup_error(function, ZERO, digits, interval=interval)
    width = Decimal("2e-6") if digits is None else Decimal(10) ** -digits
    assert found.error.upper - found.error.lower <= width * found.error.lower
    assert size is None or exactly(size) in found.error
    assert len(found.points) == len(found.signs) == len(places)
    for known, sign, place in zip(found.points, found.signs, places, strict=True):
        if size is not None:
            assert exactly(place) in known
        assert known.upper - known.lower < (Decimal("0.01") if digits is None else width * 10)
        assert sign == sp.sign(-function.subs(X, place))


@pytest.mark.parametrize("target", TARGETS)
def test_a_form_and_its_expression_and_its_balls_are_as_far(target):
    form, of = tanh_form(), TARGETS[target]
    mine = of.expression - of.error(form.expression)
    digits, interval = 20, (-9, 9)
    found = certified_sup_error(form, target, digits)
    assert certified_sup_error(mine, target, digits).error == found.error  # on the line
    assert certified_sup_error(mine, target, digits, interval=interval).error == found.error

    def balls(x):
        u = (8 / arb.pi()).sqrt() * (x + arb("0.044715") * x**3)
        return x / (1 + (-u).exp())

    if target == "GELU":
        rough = certified_sup_error(balls, target, None, interval=interval)
        assert rough.error.lower <= found.error.lower <= found.error.upper <= rough.error.upper
        assert len(rough.points) == 2  # nothing is known of its symmetry


@pytest.mark.parametrize(
    ("one", "other", "interval", "size"),
    [
        (X * logistic(X), X * Phi(X), (-oo, oo), "0.19300"),
        (gelu_tanh(), gelu_sigmoid(), (-oo, oo), "0.020659"),
        (Max(X, 0), X * Phi(X), (-oo, oo), "0.16997"),
        ((1 + sp.erf(X / sqrt(2))) / 2, Phi(X), (-oo, oo), "0"),
    ],
)
def test_two_functions_on_the_line(one, other, interval, size):
    found = certified_sup_error(one, Target(other), 10, interval=interval)
    assert str(found.error.lower).startswith(size) and str(found.error.upper).startswith(size)
    if size != "0":
        far = np.linspace(-20, 20, 40001)
        largest = np.abs(numpy_function(one - other)(far)).max()
        assert largest == pytest.approx(float(found.error), rel=1e-6)


def test_the_family_need_not_be_odd_nor_the_weight_even():
    form = Form(Family(SIGMA, (1, X)), {"p0": "0.1", "p1": "1.7"})
    weight = exp(-((X - 1) ** 2))
    x = np.linspace(-12, 12, 240001)
    for of in (S.One, weight):
        found = certified_sup_error(form, "Phi", 10, of)
        errors = np.abs(numpy_function(of)(x) * form.error_at(x))
        assert errors.max() == pytest.approx(float(found.error), rel=1e-7)
        assert x[errors.argmax()] == pytest.approx(float(found.points[0]), abs=1e-3)


# what a wrong proof would pass over


TWO = 3 * exp(-50 * (X - 1) ** 2) + 4 * exp(-50 * (X - Rational(13, 10)) ** 2)


@pytest.mark.parametrize(
    ("function", "interval", "top", "reason"),
    [
        (TWO, (0, 2), Top(arb("1.0000000148")), "is exceeded at"),  # the higher one is near
        (TWO, (0, 4), Top(arb(0), S.Zero), "not shown to fall"),
        (BELL, (0, Rational(5, 4)), Top(arb("1.25"), Rational(5, 4)), "not shown to fall"),
        (BELL, (0, 8), Top(arb("2.5")), "not shown to curve"),
    ],
)
def test_a_place_that_was_missed_makes_the_proof_fail(monkeypatch, function, interval, top, reason):
    search = partial(certified_sup_error, function, ZERO, 20, interval=interval)
    assert search().error.lower > Decimal("0.6")
    monkeypatch.setattr(sup_errors, "tops", lambda *_: [top])
    with pytest.raises(CertificationError, match=reason):
        search()


@pytest.mark.parametrize("step", ["proved_peaks", "proved_below", "prove_tail", "bounded"])
def test_every_step_is_asked(monkeypatch, step):
    def refuse(*_):
        raise CertificationError("claim", step)

    monkeypatch.setattr(sup_errors, step, refuse)
    with pytest.raises(CertificationError, match=step):
        certified_sup_error(BELL, ZERO)


@pytest.mark.parametrize(
    ("mine", "interval", "reason"),
    [
        (Phi(X) + 0 * X + Rational(1, 10**9), (-oo, oo), "may grow|only below|no bound"),
        (X + 1, (0, oo), "tail"),
        (Phi(X) + exp(X) - 1, (-oo, 0), "tail: beyond .* only below"),  # the limit is not attained
        (1 / (X - Rational(1, 3)), (0, 3), "only shown to stay below"),
        (S(3) + Phi(X), (0, 1), "not shown to"),
        (tanh_form(), (0, 5e-324), "largest value found is 0$"),
        (tanh_form(), (0, 1e-20), "largest value found is 0$"),
    ],
)
def test_what_is_not_shown_is_refused(mine, interval, reason):
    with pytest.raises(CertificationError, match=reason):
        certified_sup_error(mine, "Phi", interval=interval)


@pytest.mark.parametrize(
    ("call", "error", "reason"),
    [
        (lambda ask: ask("x"), ValueError, "approximation must be an expression in X alone"),
        (lambda ask: ask(sp.Symbol("y")), ValueError, r"approximation .* got y"),
        (lambda ask: ask(X, "gelu"), ValueError, "target must be one of"),
        (lambda ask: ask(X, interval=(3, 1)), ValueError, r"interval is \(3, 1\)"),
        (lambda ask: ask(X, interval=(1, 1)), ValueError, "below the right one"),
        (lambda ask: ask(X, interval=3), ValueError, "interval must be two numbers"),
        (lambda ask: ask(log(X), interval=(-1, 1)), ValueError, r"log\(x\).* not defined near"),
        (lambda ask: ask(sqrt(X - 1), interval=(0, 3)), ValueError, "not defined near x = 0"),
        (lambda ask: ask(abs(X - 1), interval=(0, 3)), ValueError, "has a kink or a jump"),
        (lambda ask: ask(sp.sin(X), interval=(0, 1)), NotImplementedError, "sin"),
        (lambda ask: ask(lambda x: x), ValueError, "accepted are bounded ones"),
        (lambda ask: ask(lambda x: 0.5, interval=(0, 1)), TypeError, "must return balls"),
        (lambda ask: ask(lambda x: 1 / x, interval=(0, 1)), ValueError, "not defined near x = 0"),
        (lambda ask: ask(X, interval=(0, 1), digits=0), ValueError, "at least 1"),
        (lambda ask: ask(X, interval=(0, 1), weight=X - 2), ValueError, "negative on"),
        (lambda ask: ask(Form(LOGISTIC, {"p1": -1})), WrongLimitError, "must be positive"),
    ],
)
def test_what_is_wrong_is_named(call, error, reason):
    with pytest.raises(error, match=reason):
        call(certified_sup_error)


def test_with_any_limit_the_error_is_known_on_a_bounded_interval():
    wrong = Form(LOGISTIC, {"p1": -1})
    found = certified_sup_error(wrong, "GELU", 12, interval=(-1, 1))
    assert found.error.n(6) == pytest.approx(float(abs(GELU(1) - logistic(-1)).evalf()), rel=1e-5)
    assert prove_error_below(wrong, 1, "GELU", interval=(-1, 1)).error.upper == 1


# how much there is to gain


QUADRATIC = Family(EXP2, (1, X, X**2), factor=-abs(X), base=Max(X, 0))


@pytest.mark.parametrize(
    ("family", "target", "interval", "rounding", "share"),
    [
        (TANH_CUBIC, "Phi", (-oo, oo), 4, 0.9),
        (LOGISTIC, "GELU", (-oo, oo), 3, 0.95),
        (QUADRATIC, Target(X * Phi(X)), (-oo, 0), 4, 0.95),
        (RationalFamily(3, 2), Target(X * logistic(X)), (0, 4), 5, 0.8),
    ],
)
def test_an_error_that_alternates_bounds_the_best(family, target, interval, rounding, share):
    best = minimax(family, target, digits=12, interval=interval)
    near = {name: str(round(float(value), rounding)) for name, value in best.parameters.items()}
    for digits in (None, 12):
        found = certified_sup_error(Form(family, near), target, digits, interval=interval)
        assert share * float(best.error) < float(found.least.lower)
        assert found.least.upper < best.error < found.error


@pytest.mark.parametrize(
    ("form", "target"),
    [
        (tanh_form(), "Phi"),  # too few peaks
        (sigmoid_form(), "GELU_derivative"),  # no theorem
        (logistic(LOGISTIC_SCALE * X), "Phi"),  # no family
    ],
)
def test_without_a_theorem_or_an_alternation_nothing_is_said_of_the_best(form, target):
    assert certified_sup_error(form, target, None, interval=(-6, 6)).least is None


# samples


@pytest.mark.parametrize("interval", [(-oo, oo), (-oo, -1), (1, oo), (-2, 3)])
def test_samples_come_near_the_proved_error(interval):
    found = sampled_sup_error(lambda x: np.maximum(x, 0), "GELU", interval)
    proved = certified_sup_error(Max(X, 0), "GELU", 12, interval=interval)
    assert float(proved.error) * (1 - 1e-9) <= found.error <= float(proved.error) * (1 + 1e-12)
    assert min(abs(abs(found.place) - abs(float(place))) for place in proved.points) < 1e-5


@pytest.mark.parametrize(
    ("function", "error", "reason"),
    [
        (3, TypeError, "function of arrays, got 3"),
        (lambda x: x[:-1], ValueError, "returns the shape"),
        (lambda x: x / (x > 1), ValueError, "not finite at x = -8"),
    ],
)
def test_samples_of_what_is_no_function_are_refused(function, error, reason):
    with pytest.raises(error, match=reason), np.errstate(all="ignore"):
        sampled_sup_error(function, "GELU", (-8, 8))


@pytest.mark.parametrize("target", [sqrt(X), 1 / (X + 8), sp.log(X + 8)])
def test_samples_of_a_target_that_has_no_value_there_are_refused(target):
    with pytest.raises(ValueError, match="target is not finite at x = -8"):
        sampled_sup_error(lambda x: x, Target(target), (-8, 8))


def test_the_largest_sample_is_kept_and_a_constant_is_a_target():
    seen = []
    found = sampled_sup_error(lambda x: seen.append(x) or 0 * x, Target(sp.S.One), (0, 2))
    assert found.error == 1
    place = seen[0][300]  # which none of the closer samples has
    found = sampled_sup_error(lambda x: 1.0 * (x == place), Target(sp.S.Zero), (0, 2))
    assert found == (1, place)


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
