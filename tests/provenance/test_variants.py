"""``identify`` names a form only where it must, and says so where it cannot."""

import copy
import json
import os
import sys
from decimal import Decimal
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, product
from math import inf, nan

import numpy as np
import pytest
from flint import arb, ctx
from framework_adapters import PACKAGES
from kinds import slow_but
from record_variants import RECORD, framework_now, measure_torch
from scipy.special import erf, expit

from gelu_lib.activations import FORMS, gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.floats.formulas import EVALUATIONS, SHORT, returned_range, through_float32
from gelu_lib.floats.types import FLOAT_TYPES, all_finite, float_type, round_to, unit_roundoff
from gelu_lib.floats.ulp import exact
from gelu_lib.functions.forms import APPROXIMATIONS
from gelu_lib.provenance.atlas.frameworks import atlas
from gelu_lib.provenance.callables import tolerances, verdicts
from gelu_lib.provenance.callables.asking import CallableError
from gelu_lib.provenance.callables.identify import identify
from gelu_lib.provenance.callables.inputs import greatest_asked, inputs_between
from gelu_lib.provenance.callables.lookalikes import FAMILIES, OTHERS
from gelu_lib.provenance.callables.tolerances import PAIRS, margins, tolerance, workings
from gelu_lib.provenance.callables.witnesses import (
    COARSE_WITNESS,
    COMMON_WITNESS,
    certified_margins,
    certified_overlap,
    least,
)
from gelu_lib.register import result

WAYS = [(variant, way) for variant, ways in EVALUATIONS.items() for way in ways]
SIXTEEN_BITS = ("float16", "bfloat16")
COARSE_WAYS = [(variant, way) for variant, way in WAYS if way != SHORT]


def in_turn(cases, dtypes):
    """Every case in every type, and in every run each in one of the types, one after the other."""
    kept = [(*case, dtype) for case, dtype in zip(cases, cycle(dtypes), strict=False)]
    return slow_but(kept.__contains__, [(*case, dtype) for case in cases for dtype in dtypes])


def logistic_form(p1, p3=0.0):
    """x·σ(p₁x + p₃x³), computed in float64 and rounded once."""

    def function(x):
        wide = x.astype(np.float64)
        with np.errstate(all="ignore"):
            value = wide / (1 + np.exp(-(p1 * wide + p3 * wide * (wide * wide))))
        return value.astype(x.dtype)

    return function


ROOT = np.sqrt(2 / np.pi)
IMPOSTORS = {
    "SiLU": logistic_form(1.0),
    "ReLU": lambda x: np.maximum(x, x.dtype.type(0)),
    "the Taylor coefficient": logistic_form(2 * ROOT, 2 * ROOT * 0.0455399),
    "the scale 1.773": logistic_form(1.773),
    "the scale 1.7": logistic_form(1.7),
    "0.7988 and 0.04417": logistic_form(2 * 0.7988, 2 * 0.7988 * 0.04417),
    "shifted to the right": lambda x: gelu((x - x.dtype.type(0.01)).astype(x.dtype)),
    "clamped beyond 10": lambda x: gelu(np.clip(x, -10, 10).astype(x.dtype)),
    "without the tail": lambda x: np.where(x < -3, x.dtype.type(0), gelu(x)),
    "twice": lambda x: gelu(x) * x.dtype.type(2),
}


# each variant, type and usual evaluation


@pytest.mark.parametrize(("variant", "way", "dtype"), in_turn(WAYS, FLOAT_TYPES))
def test_every_usual_evaluation_in_float32_is_identified(variant, way, dtype):
    verdict = identify(through_float32(EVALUATIONS[variant][way]), dtype)
    assert (verdict.outcome, verdict.variant, verdict.working) == ("identified", variant, "float32")
    assert verdict.nearest == variant
    assert verdict.departure is None


@pytest.mark.parametrize(("variant", "way"), slow_but(WAYS[::3].__contains__, WAYS))
def test_every_usual_evaluation_in_float64_is_identified(variant, way):
    assert identify(EVALUATIONS[variant][way], "float64").variant == variant


@pytest.mark.parametrize(("variant", "way", "dtype"), in_turn(COARSE_WAYS, SIXTEEN_BITS))
def test_in_16_bit_arithmetic_the_sigmoid_form_alone_is_identified(variant, way, dtype):
    verdict = identify(EVALUATIONS[variant][way], dtype)
    assert verdict.working == dtype
    if variant == "sigmoid":
        assert (verdict.outcome, verdict.variant) == ("identified", "sigmoid")
    else:
        assert (verdict.outcome, verdict.candidates) == ("undecidable", ("exact", "tanh"))
        assert verdict.variant is None
    assert worst_reach(variant, way, dtype, dtype) < 1


# the tolerances, held against what evaluations can do


def inputs_for_proofs(dtype):
    """Floats of the type up to 32: in bfloat16 all that are not tiny, else a part of them."""
    x = inputs_between(float_type("float16" if dtype == "float16" else "bfloat16"), 2.0**-12, 32)
    x = x[:: 16 if dtype == "float16" else 4]
    return [float(value) for value in np.concatenate([-x, x])]


def worst_reach(variant, way, working, dtype, tolerance_of=tolerance):
    """The largest error that an evaluation may have, in tolerances, over many inputs."""
    allowed, afterwards, worst = tolerance_of(dtype, working), 0.0, 0.0
    if working != dtype and dtype in SIXTEEN_BITS:
        afterwards = unit_roundoff(dtype)
    for x in inputs_for_proofs(dtype):
        true = exact(FORMS[variant].__name__, x)
        ball = returned_range(EVALUATIONS[variant][way], x, working) * (1 + arb(0, afterwards))
        error = abs(ball - true).upper() - allowed.underflow
        worst = max(worst, float(error / (float(allowed.at(x, float(true))) - allowed.underflow)))
    return worst


@pytest.mark.parametrize(("variant", "way", "dtype"), in_turn(WAYS, ["float32", *SIXTEEN_BITS]))
def test_no_rounding_takes_a_usual_evaluation_in_float32_out_of_its_tolerance(variant, way, dtype):
    assert worst_reach(variant, way, "float32", dtype) < 1


def test_the_short_erf_and_the_overlap_need_their_tolerances(monkeypatch):
    assert worst_reach("exact", SHORT, "bfloat16", "bfloat16") > 1
    monkeypatch.setattr(tolerances, "IN_FLOAT32", (8, 1))
    assert worst_reach("exact", SHORT, "float32", "float32") > 1
    assert identify(EVALUATIONS["exact"][SHORT], "float32").outcome == "none"
    with pytest.raises(ValueError, match="accepted for float32 is float32"):
        tolerance("float32", "bfloat16")
    monkeypatch.setattr(tolerances, "IN_16_BITS", (8, 0.1))
    assert certified_overlap("float16").lower > 1


# one input is enough, and none is


@pytest.mark.parametrize("dtype", FLOAT_TYPES)
def test_one_input_tells_the_forms_apart_by_the_margins_that_identify_uses(dtype):
    proved = least(certified_margins(COMMON_WITNESS, tolerance(dtype), 20))
    assert proved.lower > 1
    assert Decimal(result("variants-one-input").numbers[dtype]) in proved
    for working in workings(dtype):
        for x in (COMMON_WITNESS, COARSE_WITNESS, 0.75, -9.0):
            allowed = tolerance(dtype, working)
            proved, used = certified_margins(x, allowed), margins(np.float64(x), allowed)
            for pair in PAIRS:
                assert float(proved[pair].lower) == pytest.approx(float(used[pair]), rel=1e-10)


@pytest.mark.parametrize("dtype", SIXTEEN_BITS)
def test_in_16_bit_arithmetic_the_sigmoid_form_alone_has_a_witness(dtype):
    found = certified_margins(COARSE_WITNESS, tolerance(dtype, dtype))
    assert all(found[pair].lower > 1 for pair in PAIRS if "sigmoid" in pair)
    assert found["exact", "tanh"].upper < 1
    assert certified_overlap(dtype).upper < 1
    every = inputs_between(float_type(dtype), -inf, inf)
    sampled = margins(every, tolerance(dtype, dtype))["exact", "tanh"].max()
    assert sampled < float(certified_overlap(dtype).upper)


def test_witnesses_are_floats_of_every_type_and_other_inputs_are_none():
    for dtype in FLOAT_TYPES:
        for x in (COMMON_WITNESS, COARSE_WITNESS):
            assert float(np.array(x, float_type(dtype).dtype)) == x
    assert r"x = -\tfrac72" in result("variants-one-input").statement
    assert COMMON_WITNESS == -7 / 2
    assert r"x = -\tfrac{139}{64}" in result("variants-sixteen-bits-sigmoid").statement
    assert COARSE_WITNESS == -139 / 64
    assert least(certified_margins(-0.1, tolerance("float32"))).upper < 1
    assert least(certified_margins(3.5, tolerance("bfloat16"))).upper < 1


# none of them


@pytest.mark.parametrize(("name", "dtype"), in_turn([(name,) for name in IMPOSTORS], FLOAT_TYPES))
def test_every_impostor_is_rejected_where_it_differs_most_in_shape(name, dtype):
    verdict = identify(IMPOSTORS[name], dtype, working="float32")
    assert (verdict.outcome, verdict.candidates, verdict.variant) == ("none", (), None)
    shown, nearest = verdict.departure, verdict.nearest
    x = inputs_between(float_type(dtype), verdict.low, verdict.high)
    values = IMPOSTORS[name](x.astype(float_type(dtype).dtype)).astype(np.float64)
    inside, areas = np.abs(x) <= 12, {}
    for variant, form in FORMS.items():
        allowed = tolerance(dtype).at(x, form(x))
        excess = np.maximum(np.abs(values - form(x)) - allowed, 0)
        areas[variant] = np.trapezoid(excess[inside], x[inside])
        beyond = excess > 0
        assert verdict.farthest[variant] == (np.abs(values - form(x)) / allowed).max() > 1
        assert verdict.outside[variant] == beyond.sum()
        assert abs(verdict.first[variant]) == np.abs(x[beyond]).min()
        at = verdict.departures[variant].x
        assert excess[x == at] == excess[inside].max() > 0
    assert verdict.areas == areas
    assert areas[nearest] == min(areas.values())
    assert shown == verdict.departures[nearest]
    assert shown.value == values[list(x).index(shown.x)]


def test_an_overflow_far_out_hides_no_shape_and_is_shown_where_there_is_nothing_else():
    def hard_swish(x):
        return x * np.minimum(np.maximum(x + 3, 0), 6) / 6  # overflows beyond 5.67e37

    def overflowing(x):
        return np.where(x > 1e30, np.float32(inf), gelu(x))

    shape = identify(hard_swish)
    assert shape.departure.value == pytest.approx(-0.3634, abs=1e-4)
    assert abs(shape.departure.x) < 3
    beyond = identify(overflowing)
    assert (beyond.nearest, beyond.departure.value) == ("exact", inf)
    assert 1e30 < beyond.departure.x < 1.01e30
    assert "up to ±12 it is within its tolerance\nit leaves the tolerance" in str(beyond)


def test_one_wrong_value_and_an_overflow_that_is_asked_for_are_found():
    wrong = all_finite("bfloat16")[20_000]

    def function(x):
        return np.where(x == wrong, x, gelu(x)).astype(x.dtype)

    assert identify(gelu, "bfloat16").variant == "exact"
    verdict = identify(function, "bfloat16")
    assert verdict.outcome == "none"
    assert verdict.departure.x == float(wrong)

    def function(x):
        return x * (1 + erf(x / np.float32(np.sqrt(2)))) / 2

    assert identify(function).variant == "exact"
    verdict = identify(function, high=inf)
    assert verdict.outcome == "none"
    assert verdict.departure.x > greatest_asked(FLOAT_TYPES["float32"])


@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_a_value_that_is_not_finite_departs_from_every_form(bad):
    def function(x):
        return np.where(x == x.dtype.type(-2.5), x.dtype.type(bad), gelu(x))

    verdict = identify(function)
    assert (verdict.outcome, verdict.nearest, verdict.departure.x) == ("none", "exact", -2.5)
    assert verdict.departure.distance("exact") == inf
    assert verdict.summary()["value"] == str(bad)
    json.dumps(verdict.summary(), allow_nan=False)


# what else it may be


def looked_up(form, x):
    """A form as llama.cpp has the tanh form: the entry of a table for the nearest float16."""
    with np.errstate(over="ignore"):
        return form(x.astype(np.float16)).astype(x.dtype)


def clamped(form, x):
    """The same with x or 0 from ±10 on."""
    inside = looked_up(form, np.clip(x, -10, 10))
    return np.select([x >= 10, x <= -10], [x, x.dtype.type(0)], inside)


OTHER_CALLABLES = {
    "SiLU, x·σ(x)": lambda x: x * expit(x),
    "ReLU, max(x, 0)": lambda x: (x + np.abs(x)) / 2,
    "hard-swish, x·min(max(x + 3, 0), 6)/6": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "HardGELU, x·min(max(x + 1.58, 0), 3.16)/3.16": lambda x: x * np.clip(x / 3.16 + 0.5, 0, 1),
    "the tanh form from a table of float16": lambda x: looked_up(gelu_tanh, x),
    "the sigmoid form from a table of float16": lambda x: looked_up(gelu_sigmoid, x),
    "the exact form from a table of float16": lambda x: looked_up(gelu, x),
    "the tanh form from a table of float16, with x or 0 from ±10 on": lambda x: clamped(
        gelu_tanh, x
    ),
    "the sigmoid form from a table of float16, with x or 0 from ±10 on": lambda x: clamped(
        gelu_sigmoid, x
    ),
    "the exact form from a table of float16, with x or 0 from ±10 on": lambda x: clamped(gelu, x),
}
TABLES = [name for name in OTHER_CALLABLES if "table" in name]


def test_other_functions_are_asked_at_their_tolerance_and_at_every_input():
    assert set(OTHER_CALLABLES) == set(OTHERS)

    def silu(x):
        with np.errstate(over="ignore"):
            return x / (x.dtype.type(1) + np.exp(-x))

    assert identify(silu, "float16").others == ("SiLU, x·σ(x)",)
    assert identify(silu, "float16", working="float32").others == ()

    def nearly(x):
        return np.where(x == -2.5, x.dtype.type(-0.19), x * expit(x))

    verdict = identify(nearly)
    assert (verdict.others, verdict.constants) == ((), {})
    assert "and no other function that is known here" in str(verdict)


@pytest.mark.parametrize(
    ("name", "dtype"),
    slow_but(
        [(name, "float32") for name in list(OTHER_CALLABLES)[::2]].__contains__,
        product(OTHER_CALLABLES, ["float32", "float64"]),
    ),
)
def test_another_function_is_named(name, dtype):
    function = OTHER_CALLABLES[name]
    verdict = identify(lambda x: function(x).astype(x.dtype), dtype)
    assert (verdict.outcome, verdict.variant, verdict.others) == ("none", None, (name,))
    assert f"within the tolerance at every input up to ±8192:\n  {name}\n" in str(verdict)


@pytest.mark.parametrize(
    ("name", "dtype"),
    in_turn([(name,) for name in OTHER_CALLABLES if name not in TABLES], SIXTEEN_BITS),
)
def test_another_function_is_named_in_16_bits_too(name, dtype):
    function = OTHER_CALLABLES[name]
    once = identify(lambda x: round_to(function(x.astype(np.float64)), x.dtype), dtype)
    assert once.others == (name,)


NEAR_TABLES = ["a table with a wrong entry", "no float16 behind"]


@pytest.mark.parametrize(
    "name",
    slow_but(
        ["SiLU", "shifted to the right", *NEAR_TABLES].__contains__, [*IMPOSTORS, *NEAR_TABLES]
    ),
)
def test_what_is_near_another_function_is_not_called_it(name):
    def wrong_entry(x):
        return np.where(x == -1.5, x, clamped(gelu_tanh, x))

    def no_table(x):  # asked at float16, answered in float32
        return np.where(np.abs(x) < 10, gelu_tanh(x.astype(np.float16).astype(x.dtype)), gelu(x))

    made = {"a table with a wrong entry": wrong_entry, "no float16 behind": no_table}
    known = {"SiLU": ("SiLU, x·σ(x)",), "ReLU": ("ReLU, max(x, 0)",)}
    # up to the clamp at −10, where what is clamped is below 1e-22
    known["clamped beyond 10"] = ("the exact form of min(x, 10), which transformers calls gelu_10",)
    known["0.7988 and 0.04417"] = ("exact, with Φ by 1.5976, 0.070566",)  # doubled, multiplied out
    verdict = identify({**IMPOSTORS, **made}[name])
    assert verdict.others == known.get(name, ())


def test_a_scale_gets_its_interval_unless_the_inputs_leave_it_open():
    verdict = identify(logistic_form(1.7017))
    assert verdict.outcome == "none" and list(verdict.constants) == ["sigmoid"]
    low, high = verdict.constants["sigmoid"]
    assert low < 1.7017 < high < low + 1e-4
    x = np.array([0.0, 50.0])
    family = FAMILIES["sigmoid"]
    low, high = family.interval(x, gelu_sigmoid(x), tolerance("float32"))
    assert 0 < low < 1.702 < high == inf
    assert family.interval(x[:1], x[:1], tolerance("float32")) == (-inf, inf)
    assert FAMILIES["tanh"].interval(np.array([1e-200]), np.array([5e-201]), tolerance("float64"))
    assert identify(gelu_sigmoid, low=20, high=50).constants == {}
    assert identify(gelu, low=1e6, high=1e7).others == ()


@pytest.mark.parametrize(
    ("variant", "constant"), [("sigmoid", 1.702), ("tanh", 0.044715), ("sigmoid", 2.5)]
)
@pytest.mark.parametrize(
    ("dtype", "working"), [("float32", "float32"), ("float16", "float16"), ("bfloat16", "bfloat16")]
)
def test_the_interval_is_of_the_constants_whose_forms_are_within_tolerance(
    variant, constant, dtype, working
):
    def form(k, x):
        return logistic_form(*((k,) if variant == "sigmoid" else (2 * ROOT, 2 * ROOT * k)))(x)

    x = inputs_between(float_type(dtype), -8192, 8192)
    allowed = tolerance(dtype, working)
    values = form(constant, x.astype(float_type(dtype).dtype)).astype(np.float64)
    low, high = FAMILIES[variant].interval(x, values, allowed)

    def fits(k):
        return np.all(np.abs(values - form(k, x)) <= allowed.at(x, form(k, x)))

    assert low < constant < high
    width = high - low
    assert all(fits(low + share * width) for share in (1e-6, 0.3, 0.7, 1 - 1e-6))
    assert not fits(low - 1e-6 * width)
    assert not fits(high + 1e-6 * width)


@pytest.mark.parametrize("bad", [nan, inf, -inf, 3.0])
def test_a_value_that_no_constant_gives_leaves_no_interval(bad):
    x = np.array([-2.0, 0.0, 2.0])
    values = gelu_sigmoid(x)
    family, allowed = FAMILIES["sigmoid"], tolerance("float32")
    assert family.interval(x, values, allowed)
    for place in range(3):
        broken = values.copy()
        broken[place] = bad
        assert family.interval(x, broken, allowed) is None


# undecidable


@pytest.mark.parametrize(
    ("low", "high", "left"),
    [
        (0.0, 0.0, ("exact", "tanh", "sigmoid")),
        (-1e-6, 1e-6, ("exact", "tanh", "sigmoid")),
        (-0.1, 0.1, ("exact", "tanh")),
        (20.0, 50.0, ("exact", "tanh", "sigmoid")),
    ],
)
def test_a_narrow_range_leaves_forms_undecided(low, high, left):
    for form in (gelu, gelu_tanh):
        verdict = identify(form, low=low, high=high)
        assert (verdict.outcome, verdict.candidates) == ("undecidable", left)


def test_narrow_ranges_decide_only_what_an_input_tells_apart():
    assert identify(gelu_tanh, low=-1, high=1).variant == "tanh"
    assert identify(gelu_tanh, low=-3.5, high=-3.5).variant == "tanh"
    assert identify(gelu_sigmoid, low=-0.1, high=0.1).variant == "sigmoid"

    # Within the tolerance of one form, just outside that of another which meets it everywhere.
    def function(x):
        form = np.maximum(gelu(x.astype(np.float64)), gelu_tanh(x.astype(np.float64)))
        allowed = tolerance("bfloat16", "bfloat16").at(x.astype(np.float64), form)
        return (form + 0.995 * allowed).astype(x.dtype)

    for low in (-2.3, -1.9):
        verdict = identify(function, "bfloat16", low=low, high=low + 0.01, working="bfloat16")
        assert verdict.outcome == "undecidable"
        assert {"exact", "tanh"} <= set(verdict.candidates)


# callables that cannot be judged


def raising(x):
    if np.any(x == 2):
        raise ZeroDivisionError("no twos")
    return gelu(x)


def raising_on_many(x):
    if len(x) > 10:
        raise MemoryError("too many")
    return gelu(x)


def changing(x):
    x *= 2
    return gelu(x)


class Drifting:
    """Another value at 1.5 each time."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return np.where(x == 1.5, np.float32(self.calls), gelu(x))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (raising, r"function raised ZeroDivisionError at x = 2\.0: no twos"),
        (raising_on_many, r"raised MemoryError at x = .* to .*, asked together \((1[1-9]|2\d) inp"),
        (changing, "changed its argument"),
        (Drifting(), r"not deterministic: at x = 1\.5 it returned 1\.0, and 2\.0"),
        (lambda x: gelu(x)[:-1], r"returned the shape \(\d+,\) for an argument of \(\d+,\)"),
        (lambda x: gelu(x)[None], r"returned the shape \(1, \d+\)"),
        (lambda x: gelu(x).astype(np.float64), "returned float64 for an argument of float32"),
        (lambda x: gelu(x).tolist(), "returned list; expected is an array of the library"),
        (lambda x: np.ma.masked_less(gelu(x), 0), "returned MaskedArray; expected is an array"),
        (lambda x: None, "returned NoneType"),
    ],
)
def test_a_callable_that_cannot_be_judged_is_an_error(function, message):
    with pytest.raises(CallableError, match=message):
        identify(function)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dtype": "int32"}, TypeError, "dtype is 'int32'; accepted are float64"),
        ({"dtype": None}, TypeError, "dtype is None; accepted are float64"),
        ({"library": "cupy"}, ValueError, "library is 'cupy'; accepted are numpy, torch, jax"),
        ({"working": "float16"}, ValueError, "working is 'float16'; accepted for float32 is"),
        ({"low": 1, "high": 0}, ValueError, "low must be at most high"),
        ({"low": nan}, ValueError, "low must be at most high"),
        ({"low": 1e39}, ValueError, "low must be at most high"),
        ({"low": 1e39, "high": 1e40}, ValueError, "have no float32 between them"),
        ({"low": "a"}, TypeError, "low is 'a'; accepted are None and real numbers"),
        ({"high": True}, TypeError, "high is True; accepted are None and real numbers"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        identify(gelu, **arguments)


def of_torch(x):
    raise TypeError("gelu(): argument 'input' (position 1) must be Tensor, not numpy.ndarray")


@pytest.mark.parametrize("function", [of_torch, lambda x: x * (1.702 * x).sigmoid()])
def test_a_callable_that_wants_a_tensor_is_told_how_to_get_one(function):
    with pytest.raises(CallableError, match=r"needs library='torch'$"):
        identify(function)


def test_a_type_may_be_given_as_pytorch_has_it_and_what_is_not_callable_is_refused():
    def named(name):
        return type("dtype", (), {"__module__": "torch", "__str__": lambda self: name})()

    assert identify(gelu, named("torch.float16")).dtype == "float16"
    with pytest.raises(TypeError, match="accepted are float64, float32, float16, bfloat16"):
        identify(gelu, named("torch.int32"))
    with pytest.raises(TypeError, match="function is 'gelu'; accepted is a callable"):
        identify("gelu")
    way = "0.5·x·(1 + tanh(0.7978…·(x + 0.044715·x³)))"
    with np.errstate(over="raise"):
        assert identify(EVALUATIONS["tanh"][way]).variant == "tanh"
    with pytest.raises(CallableError) as caught:
        identify(raising)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_a_missing_library_is_named(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"library is '{library}', which needs the package"):
        identify(gelu, library=library)


# what is said


def test_a_verdict_reads_as_a_sentence_on_all_floats_of_16_bits():
    text = str(identify(gelu_tanh))
    assert text.startswith("tanh: within its tolerance at every input asked, and neither of the")
    assert "\nat x = -2.59375 the value is -0.0118" in text
    narrow = str(identify(gelu, low=-0.1, high=0.1))
    assert narrow.startswith("undecidable between exact and tanh: no input asked tells them apart")
    assert str(identify(IMPOSTORS["SiLU"])).startswith("none of the three forms; within the")
    assert repr(identify(gelu)) == str(identify(gelu))
    for dtype in SIXTEEN_BITS:
        every = all_finite(dtype).astype(np.float64)
        np.testing.assert_array_equal(inputs_between(float_type(dtype), -inf, inf), every)


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        ((1.7019921, 1.7020078), ("1.701993", "1.702007")),
        ((0.5, 31.7), ("1", "31")),
        ((-3.0, 250.4), ("-3", "250")),
        ((2.5, 2.5), ("2.5", "2.5")),
    ],
)
def test_an_interval_is_shown_rounded_inward(ends, shown):
    assert verdicts._inside(*ends) == shown


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_in_the_wide_types_inputs_are_floats_and_no_overlap_is_asked_for(dtype):
    x = inputs_between(float_type(dtype), -inf, inf)
    np.testing.assert_array_equal(x.astype(dtype).astype(np.float64), x)
    assert x[-1] == -x[0] == FLOAT_TYPES[dtype].greatest
    assert COMMON_WITNESS in x
    assert len(inputs_between(float_type(dtype), 0.3, 0.301)) > 4000
    with pytest.raises(ValueError, match=f"dtype is '{dtype}'; accepted are float16 and bfloat16"):
        certified_overlap(dtype)


# the largest difference of two forms on a range


@pytest.mark.parametrize("variant", ["tanh", "sigmoid"])
@pytest.mark.parametrize("half_width", [0.5, 1.0, 3.0])
def test_the_largest_difference_on_a_range_is_that_of_samples(variant, half_width):
    x = np.linspace(-half_width, half_width, 400_001)
    place = float(x[np.argmax(np.abs(FORMS[variant](x) - gelu(x)))])
    found = certified_sup_error(
        APPROXIMATIONS[variant], "GELU", 7, interval=(-half_width, half_width)
    ).error
    with ctx.workprec(200):  # in double precision the difference itself has too few digits
        sampled = abs(exact("gelu", place, 200) - exact(FORMS[variant].__name__, place, 200))
        assert sampled <= arb(str(found.upper))
        # the place is half a step away from the peak at most, which costs the square of that
        assert sampled >= arb(str(found.lower)) * (1 - arb("1e-10"))
    assert found.upper / found.lower < Decimal("1.000001")


# PyTorch and JAX


def test_the_record_of_the_frameworks_is_of_the_pinned_version_and_tells_verdicts_apart():
    pytorch = json.loads(RECORD.with_name("pytorch.json").read_text(encoding="utf-8"))
    assert json.loads(RECORD.read_text(encoding="utf-8"))["torch"] == pytorch["torch"]
    recorded = rows_of(ASKED["torch"])
    for name, value in (("outcome", "none"), ("candidates", ["tanh"]), ("working", "bfloat16")):
        other = copy.deepcopy(recorded)
        other["torch-cpu-none"]["bfloat16"][name] = value
        assert told(other) != told(recorded)


def told(rows):
    """What a record says by callable and type; values, and who is nearest, depend on processors."""
    names = ("outcome", "candidates", "working")
    return {
        (key, dtype): [entry[name] for name in names]
        for key, row in rows.items()
        for dtype, entry in row.items()
    }


@pytest.mark.slow
def test_the_record_holds_what_pytorch_does_here():
    if not os.environ.get("GELU_LIB_NEEDS_PYTORCH"):
        pytest.importorskip("torch")
    stored, here = json.loads(RECORD.read_text(encoding="utf-8")), measure_torch()
    assert told(here["verdicts"]) == told(stored["verdicts"])
    assert [here[key] for key in ("torch", "assert_close")] == [
        stored[key] for key in ("torch", "assert_close")
    ]


# the record of the frameworks

ASKED = json.loads(RECORD.read_text(encoding="utf-8"))["frameworks"]
MEASURED = json.loads(RECORD.with_name("frameworks_measured.json").read_text(encoding="utf-8"))
CUT_OFF = {"transformers-gelu_10"}
"""What is none of the forms: the exact one, cut off at ±10."""


def entries(record):
    """Each implementation in each type: the package, its name, the type, its form, the entry."""
    for package, kept in record.items():
        for key, subject in kept["subjects"].items():
            for dtype, entry in subject["types"].items():
                yield package, key, dtype, subject["form"], entry


def shape(record):
    """What of a record must be as in the measurements of the same implementations."""
    return {
        package: (
            kept["versions"],
            list(kept["defaults"]),
            {
                key: (subject["call"], subject["form"], list(subject["types"]))
                for key, subject in kept["subjects"].items()
            },
        )
        for package, kept in record.items()
    }


def test_measured_frameworks_compute_the_forms_that_they_name_and_the_atlas_read():
    assert shape(ASKED) == shape(MEASURED)
    assert list(ASKED) == [name for name in PACKAGES if name in ASKED]
    other = copy.deepcopy(ASKED)
    del other["mlx"]["subjects"]["mlx-erf"]["types"]["float16"]
    assert shape(other) != shape(MEASURED)
    for _, key, dtype, form, entry in entries(ASKED):
        if dtype not in SIXTEEN_BITS and key not in CUT_OFF:
            assert entry["candidates"] == [form], (key, dtype)
    assert {key for _, key, _, _, entry in entries(ASKED) if entry["outcome"] == "none"} == CUT_OFF
    # the row of ONNX Runtime is about Gelu and FastGelu
    assert unstated(ASKED) == {"onnxruntime-quickgelu"}
    wrong = copy.deepcopy(ASKED)
    wrong["jax"]["subjects"]["jax-erf"]["types"]["float32"]["nearest"] = "sigmoid"
    assert unstated(wrong) == {"onnxruntime-quickgelu", "jax-erf"}
    for package, kept in ASKED.items():
        found = {call: entry["candidates"] for call, entry in kept["defaults"].items()}
        measured = MEASURED[package]["defaults"]
        assert found == {call: [form] for call, form in measured.items()}
        plain = kept["subjects"].get(f"{package}-gelu")  # where a form is asked for by its name
        if plain:
            found["gelu"] = plain["types"]["float32"]["candidates"]
        if row_of(package).default != "named":
            assert [row_of(package).default] in found.values()


def row_of(package):
    return atlas()[{"torch": "torch-cpu", "flax": "jax"}.get(package, package)]


def unstated(record):
    """The implementations whose form, as it was found, the row of the atlas does not have."""
    signs = {
        "exact": ("exact", ""),
        "tanh": ("approximate", "tanh"),
        "sigmoid": ("approximate", "1.702"),
    }
    found = set()
    for package, key, dtype, _, entry in entries(record):
        if dtype == "float32":
            column, sign = signs[entry["nearest"]]
            text = getattr(row_of(package), column)
            found |= set() if text and sign in text else {key}
    return found


def rows_of(kept):
    """The verdicts on a package's calls and implementations, by these."""
    subjects = {key: subject["types"] for key, subject in kept["subjects"].items()}
    return {"defaults": kept["defaults"]} | subjects


def is_here(package):
    """Whether all that a package's record was made with is installed, in the same versions."""
    try:
        found = {name: version(name).partition("+")[0] for name in ASKED[package]["versions"]}
    except PackageNotFoundError:
        return False
    return found == ASKED[package]["versions"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_what_is_installed_gets_the_recorded_verdicts(name):
    # where a package must be there in that version, test_frameworks.py fails if it is not
    if not is_here(name):
        pytest.skip(f"{name} is not installed in the recorded version; it is not asked again")
    assert told(rows_of(framework_now(name))) == told(rows_of(ASKED[name]))


@pytest.mark.slow  # PyTorch takes long to load; test_pytorch.py asks it in every run
def test_tensors_are_asked_and_errors_of_tensors_are_found():
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional
    assert identify(functional.gelu, "bfloat16", library="torch").variant == "exact"
    for function, message in (
        (lambda x: functional.gelu(x).float(), "returned float32 for an argument of bfloat16"),
        (lambda x: functional.gelu(x).double().numpy(), "returned ndarray"),
        (lambda x: x.mul_(2), "changed its argument"),
        (lambda x: functional.gelu(x)[1:], "returned the shape"),
        (lambda x: functional.gelu(x) + torch.rand_like(x), "not deterministic"),
    ):
        with pytest.raises(CallableError, match=message):
            identify(function, "bfloat16", library="torch")


def test_arrays_of_jax_are_asked():
    jax = pytest.importorskip("jax")
    assert identify(jax.nn.gelu, library="jax").variant == "tanh"
    if not jax.config.jax_enable_x64:
        with pytest.raises(ValueError, match="dtype is float64, which JAX has only after"):
            identify(jax.nn.gelu, "float64", library="jax")
