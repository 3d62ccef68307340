"""The floats of a type, against NumPy's own functions and against counting."""

import numpy as np
import pytest
from flint import arb

from gelu_lib.floats.types import (
    FLOAT_TYPES,
    all_finite,
    first_float,
    float_type,
    from_ordinal,
    ordinal,
    round_to,
    unit,
)
from gelu_lib.floats.ulp import unit_exponent

NUMPY_TYPES = ["float64", "float32", "float16"]
NAMES = list(FLOAT_TYPES)


def samples(name: str, count: int = 4000) -> np.ndarray:
    """Finite floats of a type with random bits."""
    kind = float_type(name)
    bits = np.random.default_rng(7).integers(0, 256, size=(count, kind.dtype.itemsize), dtype="u1")
    floats = bits.view(kind.dtype).reshape(-1)
    with np.errstate(all="ignore"):
        return floats[np.isfinite(floats.astype(np.float64))]


@pytest.mark.parametrize("name", NAMES)
def test_extremes_and_ordinals(name):
    kind = FLOAT_TYPES[name]
    step = from_ordinal([1], name).astype(np.float64)[0]
    assert step == kind.smallest
    last = np.array([kind.greatest], kind.dtype)
    beyond = from_ordinal(ordinal(last) + 1, name)
    assert np.isfinite(last.astype(np.float64)) and np.isinf(beyond.astype(np.float64))
    floats = samples(name)
    places = ordinal(floats)
    assert np.array_equal(from_ordinal(places, name), floats)
    order = np.argsort(places, kind="stable")
    assert (np.diff(floats[order].astype(np.float64)) >= 0).all()
    assert np.array_equal(ordinal(-floats), -places)
    assert ordinal(np.array([0.0, -0.0], floats.dtype)).tolist() == [0, 0]
    edge = -1.0 / 3
    found = first_float(lambda x: float(x) < edge, 0.0, -4.0, name)
    place = ordinal(np.array(found, FLOAT_TYPES[name].dtype))
    assert found < edge <= float(from_ordinal(place + 1, name))


@pytest.mark.parametrize("name", NUMPY_TYPES)
def test_ordinals_and_units_are_those_of_numpy_however_the_floats_lie(name):
    floats = samples(name)[:3600].reshape(60, 60)
    places = ordinal(floats)
    assert np.array_equal(ordinal(floats.astype(floats.dtype.newbyteorder())), places)
    assert np.array_equal(ordinal(floats[::-2, 1::3]), places[::-2, 1::3])
    assert np.array_equal(ordinal(np.asfortranarray(floats).T), places.T)
    assert ordinal(floats[2, 3]) == places[2, 3] and ordinal(floats[:0]).shape == (0, 60)
    floats = samples(name)
    upward = np.nextafter(floats, floats.dtype.type(np.inf))
    assert np.array_equal(ordinal(upward) - ordinal(floats), np.ones(floats.size))
    floats = np.abs(samples(name))
    floats = floats[floats < FLOAT_TYPES[name].greatest]
    assert np.array_equal(unit(floats, name), np.spacing(floats).astype(np.float64))


@pytest.mark.parametrize("bad", [[1, 2], [True], ["1"], [1j], np.array(["2020"], "M8[s]")])
def test_other_numbers_have_no_place(bad):
    with pytest.raises(TypeError, match="accepted are float64, float32, float16, bfloat16"):
        ordinal(bad)


@pytest.mark.parametrize("bad", [1.5, "1", [True], 2**70])
def test_a_place_is_an_integer(bad):
    with pytest.raises(TypeError, match="accepted are integers of at most 64 bits"):
        from_ordinal(bad, "float32")


@pytest.mark.parametrize(("name", "count"), [("float16", 63_487), ("bfloat16", 65_279)])
def test_all_finite(name, count):
    floats = all_finite(name).astype(np.float64)
    assert floats.size == count and (np.diff(floats) > 0).all() and np.isfinite(floats).all()


def test_what_has_no_place_or_no_answer_is_refused():
    with pytest.raises(ValueError, match="dtype is float32; accepted are float16 and bfloat16"):
        all_finite("float32")
    with pytest.raises(ValueError, match="do not bracket a change"):
        first_float(lambda x: float(x) > 1, 2.0, 3.0, "float32")
    assert unit(0.0, "float32") == 2.0**-149
    assert np.isnan(unit(np.inf, "float32")) and np.isnan(unit(np.nan, "bfloat16"))
    values = np.full((2, 3), 1 / 3)
    assert round_to(values, "bfloat16").shape == (2, 3) and (values == 1 / 3).all()


@pytest.mark.parametrize("name", NAMES)
def test_units_and_places_of_all_that_has_one(name):
    values = np.concatenate(
        [
            samples(name, 500).astype(np.float64),
            np.random.default_rng(1).normal(size=200),
            [1.0, np.nextafter(1.0, 0), np.nextafter(2.0, 3), 2.0, FLOAT_TYPES[name].smallest],
        ]
    )
    values = values[values != 0]
    dtype = FLOAT_TYPES[name].dtype.type
    expected = [2.0 ** unit_exponent(arb(v), dtype) for v in values.tolist()]
    assert unit(values, name).tolist() == expected
    kind = FLOAT_TYPES[name]
    with pytest.raises(ValueError, match="nan, which has no place"):
        ordinal(np.array([1, np.nan]).astype(kind.dtype))
    last = int(ordinal(np.array(np.inf, kind.dtype)))
    assert from_ordinal([last, -last], name).astype(float).tolist() == [np.inf, -np.inf]
    for n in (last + 1, -last - 1):
        with pytest.raises(ValueError, match=f"from {-last} to {last}, those of {name}"):
            from_ordinal(n, name)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_rounding_is_to_the_nearest_and_done_once_up_to_the_last_float(name):
    floats = np.abs(samples(name).astype(np.float64))
    floats = floats[floats < FLOAT_TYPES[name].greatest / 2]
    half = unit(floats, name) / 2
    assert np.array_equal(round_to(floats, name).astype(np.float64), floats)
    for sign in (1, -1):
        near = np.nextafter(floats + half, 0)  # a little less than half a unit above
        assert np.array_equal(round_to(sign * near, name).astype(np.float64), sign * floats)
        ties = ordinal(round_to(sign * (floats + half), name))
        assert (ties % 2 == 0).all()
    kind = FLOAT_TYPES[name]
    edges = np.array([np.nextafter(float(kind.overflow), 0), kind.overflow])
    assert round_to(edges, name).astype(np.float64).tolist() == [kind.greatest, np.inf]


@pytest.mark.parametrize("bad", ["float8", np.int32, "int16"])
def test_other_types_are_refused(bad):
    with pytest.raises(TypeError, match="accepted are float64, float32, float16, bfloat16"):
        float_type(bad)
