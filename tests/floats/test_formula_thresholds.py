"""The derived thresholds: their digits by another road, and the floats that are found there."""

from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats import formulas
from gelu_lib.floats import thresholds as formula_thresholds
from gelu_lib.floats.accuracy import first_nan, first_zero, first_zero_of_value
from gelu_lib.floats.arithmetic import as_operand, tanh
from gelu_lib.floats.formulas import GRADIENTS, PRINTED_SCALE, QUOTIENTS, VALUES, sigma
from gelu_lib.floats.thresholds import OVERFLOW, THRESHOLDS, TIE, first_beyond, threshold
from gelu_lib.floats.types import FLOAT_TYPES, first_float, from_ordinal, ordinal
from gelu_lib.register import agreeing_digits, results

ALL = {**VALUES, **GRADIENTS, **QUOTIENTS}

FINE = ["float64", "float32", "float16"]
"""The types in which other thresholds are more than some floats away."""

every_type = pytest.mark.parametrize("dtype", FLOAT_TYPES)
every_threshold = pytest.mark.parametrize("id", THRESHOLDS)
every_end = pytest.mark.parametrize(
    ("id", "formula", "side"), [(id, *end) for id, rule in THRESHOLDS.items() for end in rule.ends]
)


def place(x: float, dtype: str) -> int:
    return int(ordinal(np.array(abs(x), FLOAT_TYPES[dtype].dtype)))


def steps(id: str, found: float, dtype: str) -> int:
    """How many floats lie from the first beyond a threshold to the one that was found."""
    return abs(place(found, dtype) - place(first_beyond(id, dtype), dtype))


def cardano(linear, constant):
    """The real root of t³ + linear·t = constant, where linear > 0."""
    root = mpmath.sqrt(constant**2 / 4 + linear**3 / 27)
    return mpmath.cbrt(constant / 2 + root) - mpmath.cbrt(root - constant / 2)


def by_mpmath(id: str, dtype: str) -> mpf:
    """The same number by a closed form, or by mpmath's search for a root."""
    kind = FLOAT_TYPES[dtype]
    ulp_of_1 = mpf(2) ** -kind.digits
    omega = mpf(kind.greatest) * (1 + ulp_of_1 / 4 / (1 - ulp_of_1 / 2))
    tiny, slope = mpf(kind.smallest) / 2, mpmath.sqrt(2 / mpmath.pi)
    k, c = mpf(44715) / 10**6, mpf(1702) / 1000
    return {
        "gelu-vanishes": lambda: mpmath.findroot(
            lambda t: mpmath.log(t * mpmath.ncdf(-t)) - mpmath.log(tiny),
            mpmath.sqrt(-2 * mpmath.log(tiny)),
        ),
        "erf-form-vanishes": lambda: mpmath.sqrt(2) * mpmath.erfinv(1 - ulp_of_1 / 4),
        "tanh-form-vanishes": lambda: cardano(1 / k, mpmath.atanh(1 - ulp_of_1 / 4) / slope / k),
        "sigmoid-form-vanishes": lambda: mpmath.log(omega) / c,
        "tanh-clamp": lambda: mpmath.atanh(1 - ulp_of_1 / 4),
        "tanh-quotient-overflows": lambda: cardano(1 / k, mpmath.log(omega) / (2 * slope * k)),
        "sinh-cosh-overflows": lambda: cardano(1 / k, mpmath.log(omega) / (slope * k)),
        "cube-overflows": lambda: mpmath.cbrt(omega),
        "tanh-slope-overflows": lambda: cardano(1 / (3 * k), 2 * omega / slope / (3 * k)),
        "sigmoid-slope-term-vanishes": lambda: mpmath.log(mpmath.sqrt(omega) - 1) / c,
        "sigmoid-slope-quotient-overflows": lambda: mpmath.lambertw(omega) / c,
        "sigmoid-slope-product-overflows": lambda: omega / c,
    }[id]()


@every_type
@every_threshold
def test_the_registered_digits_are_those_of_mpmath_and_the_first_float_is_beyond_them(id, dtype):
    entry = results()[id]
    with mpmath.workdps(400):  # Cardano's formula cancels where the cube is 10³⁰⁰ times the rest
        other = mpmath.nstr(by_mpmath(id, dtype).real, 60)
    assert agreeing_digits(other, entry.numbers[dtype]) >= 50
    assert entry.check and entry.status == "certified"
    first = first_beyond(id, dtype)
    before = float(from_ordinal(place(first, dtype) - 1, dtype))
    assert Decimal(before) < Decimal(results()[id].numbers[dtype]) < Decimal(first)


@every_type
def test_overflow_is_half_a_unit_above_the_greatest_float_and_gelu_vanishes_at_the_very_one(dtype):
    kind = FLOAT_TYPES[dtype]
    greatest = np.array(kind.greatest, kind.dtype)
    below = float(from_ordinal(ordinal(greatest) - 1, dtype))
    assert 2 * (kind.overflow - int(kind.greatest)) == int(kind.greatest) - int(below)
    assert steps("gelu-vanishes", first_zero_of_value("gelu", dtype), dtype) == 0


@every_type
@every_end
def test_a_formula_gives_up_where_it_is_derived(id, formula, side, dtype):
    if formula in VALUES:
        found = first_zero(ALL[formula], dtype)
    else:
        found = first_nan(ALL[formula], dtype, side)
    assert np.sign(found) == side
    assert steps(id, found, dtype) <= THRESHOLDS[id].roundings + 1


@every_type
def test_every_formula_that_gives_nan_has_its_threshold_and_its_second_term_vanishes(dtype):
    derived = {end for rule in THRESHOLDS.values() for end in rule.ends if end[0] not in VALUES}
    found = {
        (name, side)
        for name, formula in ALL.items()
        for side in (-1, 1)
        if first_nan(formula, dtype, side) is not None
    }
    assert derived == found
    quotient = GRADIENTS["sigmoid quotient"]
    alone = replace(quotient, function=lambda x: sigma(as_operand(PRINTED_SCALE, x) * x))
    last = place(first_nan(quotient, dtype, side=-1), dtype) - 1
    found = first_float(
        lambda x: bool(quotient(x) == alone(x)), -2.0, float(from_ordinal(-last, dtype)), dtype
    )
    id = "sigmoid-slope-term-vanishes"
    assert steps(id, found, dtype) <= THRESHOLDS[id].roundings + 1


@pytest.mark.parametrize("dtype", FINE)
@every_end
def test_a_threshold_of_half_the_size_would_not_agree(id, formula, side, dtype, monkeypatch):
    """With 2**−p for 2**−(p + 1), or Ω/2 for Ω, the floats found are too far away."""
    rule = THRESHOLDS[id]
    faulty = replace(rule, excess=rule.excess.subs({TIE: 2 * TIE, OVERFLOW: OVERFLOW / 2}))
    monkeypatch.setattr(formula_thresholds, "THRESHOLDS", MappingProxyType({"faulty": faulty}))
    threshold.cache_clear()
    zero = formula in VALUES
    found = first_zero(ALL[formula], dtype) if zero else first_nan(ALL[formula], dtype, side)
    assert steps("faulty", found, dtype) > rule.roundings + 1
    threshold.cache_clear()


# A tanh made from exponentials, in NumPy's own arithmetic, and its limits.

QUOTIENT = {
    "tanh-quotient-overflows": lambda u: (np.exp(2 * u) - 1) / (np.exp(2 * u) + 1),
    "sinh-cosh-overflows": lambda u: (np.exp(u) - np.exp(-u)) / (np.exp(u) + np.exp(-u)),
}


@pytest.mark.parametrize("dtype", FINE)
@pytest.mark.parametrize("id", QUOTIENT)
def test_numpy_meets_the_nan_where_it_is_derived(id, dtype):
    first, room = place(first_beyond(id, dtype), dtype), THRESHOLDS[id].roundings + 1
    x = from_ordinal(np.arange(first - 3 * room, first + 3 * room), dtype)
    s, k = (x.dtype.type(number) for number in (np.sqrt(2 / np.pi), 0.044715))
    with np.errstate(all="ignore"):
        found = np.isnan(x / 2 * (1 + QUOTIENT[id](s * (x + k * x * x * x))))
    turn = int(found.argmax())
    assert not found[:turn].any() and found[turn:].all() and abs(turn - 3 * room) <= room


@every_type
def test_the_least_harmless_limit_changes_no_tanh_and_the_float_before_it_does(dtype):
    at = place(first_beyond("tanh-clamp", dtype), dtype)
    u = from_ordinal(np.arange(at - 300, at + 300), dtype)
    u = np.concatenate([u, -u])
    below, least = from_ordinal(np.arange(at - 1, at + 1), dtype)
    held = [np.clip(u, -c, c).astype(u.dtype) for c in (below, least)]
    assert [np.array_equal(tanh(v), tanh(u)) for v in held] == [False, True]


@dataclass(frozen=True)
class Written:
    """A result of a formula as it is written: the operation, and what it is applied to."""

    operation: str
    of: tuple = ()

    def within(self):
        """Every result that it is made of, and itself."""
        return {self}.union(*(part.within() for part in self.of if isinstance(part, Written)))

    def __neg__(self):
        return Written("-", (self,))


def _operator(name, turned=False):
    return lambda self, other: Written(name, (other, self) if turned else (self, other))


for name in ("add", "sub", "mul", "truediv"):
    setattr(Written, f"__{name}__", _operator(name))
    setattr(Written, f"__r{name}__", _operator(name, turned=True))

_IN_LETTERS = ("exp", "erf", "tanh", "cosh")
ENDS = {
    "erf-form-vanishes": lambda r: r.operation == "erf",
    "tanh-form-vanishes": lambda r: r.operation == "tanh",
    "sigmoid-form-vanishes": lambda r: r.operation == "exp",
    "tanh-quotient-overflows": lambda r: r.operation == "exp",
    "sinh-cosh-overflows": lambda r: r.operation == "exp" and r.of[0].operation != "-",
    "cube-overflows": lambda r: r.operation == "mul" and r.of[0] == Written("mul", r.of[1:] * 2),
    "tanh-slope-overflows": lambda r: r.operation == "mul" and r.of[0].operation == "truediv",
    "sigmoid-slope-term-vanishes": lambda r: r.operation == "mul" and r.of[0] == r.of[1],
    "sigmoid-slope-quotient-overflows": lambda r: (
        r.operation == "mul" and r.of[1].operation == "exp"
    ),
    "sigmoid-slope-product-overflows": lambda r: r.operation == "mul" and r.of[1].operation == "x",
}
"""By which operation a formula gives way; where it is a function, the function's value is the first
to be rounded to what gives way."""
BEYOND = {"sigmoid-slope-term-vanishes": [("sigmoid quotient", -1)]}


def rounded_before(formula, gives_way, monkeypatch):
    """How many results are rounded before the first operation that gives way."""
    for name in _IN_LETTERS:
        monkeypatch.setattr(formulas, name, lambda v, name=name: Written(name, (v,)))
    monkeypatch.setattr(formulas, "as_operand", lambda number, x: Written("constant", (number,)))
    (end,) = {r for r in formula.function(Written("x")).within() if gives_way(r)}
    exact = {"x", "-"}
    before = end.within() - {end}
    return len([r for r in before if r.operation not in exact and r.of[1:] != (2,)])


@pytest.mark.parametrize("id", ENDS)
def test_as_many_results_are_rounded_before_as_is_said(id, monkeypatch):
    for formula, _ in (*THRESHOLDS[id].ends, *BEYOND.get(id, ())):
        if (id, formula) != ("sigmoid-slope-product-overflows", "sigmoid quotient"):
            counted = rounded_before(ALL[formula], ENDS[id], monkeypatch)
            assert counted == THRESHOLDS[id].roundings, formula


def test_thresholds_have_counted_roundings_and_known_names():
    assert set(ENDS) == {id for id, rule in THRESHOLDS.items() if rule.roundings}
    with pytest.raises(KeyError, match="nowhere"):
        threshold("nowhere", "float32")
    with pytest.raises(TypeError, match="accepted are float64, float32, float16, bfloat16"):
        threshold("cube-overflows", "float8")


def test_a_threshold_that_its_digits_do_not_tell_from_a_float_is_said_to_be_so(monkeypatch):
    monkeypatch.setattr(
        formula_thresholds, "threshold", lambda *_: Enclosure(Decimal("1.9"), Decimal("2.1"))
    )
    with pytest.raises(CertificationError, match="does not decide between"):
        first_beyond("cube-overflows", "float64")
