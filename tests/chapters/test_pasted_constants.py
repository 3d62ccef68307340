"""The texts of the constants are those of the nearest floats, and a wrong one is noticed."""

import re
import struct
import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files

import mpmath
import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from reader import table
from sympy import Rational, pi, sqrt

from gelu_lib.floats.texts import bit_pattern, hexadecimal, nearest, shortest
from gelu_lib.floats.types import FLOAT_TYPES, from_ordinal, ordinal
from gelu_lib.provenance.literals.formulas import expression, stepwise

DATA = files("gelu_lib") / "data" / "pasted_constants.toml"
CONSTANTS = tomllib.loads(DATA.read_text(encoding="utf-8"))
DIGITS = 60
SIZES = {"float64": 64, "float32": 32, "float16": 16, "bfloat16": 16}


def exact(id: str) -> Fraction:
    """The constant to 60 digits, by mpmath and without the library's formulas."""
    with mpmath.workdps(DIGITS + 5):
        names = {"sqrt": mpmath.sqrt, "pi": mpmath.pi, "log": mpmath.log}
        number = r"(?<![\w.])(\d+(?:\.\d+)?)"
        formula = re.sub(number, r"mpf('\1')", CONSTANTS[id]["formula"])
        return Fraction(mpmath.nstr(eval(formula, {"mpf": mpmath.mpf, **names}), DIGITS))


def is_nearest(value: Fraction, number: Fraction, dtype: str) -> bool:
    """Whether a float of a type, as a fraction, is nearer to a number than both its neighbours."""
    kind = FLOAT_TYPES[dtype]
    try:
        place = ordinal(np.array(float(value), kind.dtype))
    except (OverflowError, ValueError):
        return False
    around = [Fraction(float(from_ordinal(place + step, kind.dtype))) for step in (-1, 0, 1)]
    return around[1] == value and all(
        abs(value - number) < abs(other - number) for other in (around[0], around[2])
    )


def read_bits(text: str, dtype: str) -> float:
    """The float of a type with these bits."""
    raw = bytes.fromhex(text.removeprefix("0x"))
    if dtype == "bfloat16":
        return struct.unpack(">f", raw + b"\0\0")[0]
    return struct.unpack({"float64": ">d", "float32": ">f", "float16": ">e"}[dtype], raw)[0]


def texts(chapter: str) -> list[list[str]]:
    """The texts of the stored table of a chapter, row by row."""
    return [re.findall("`([^`]+)`", "".join(row)) for row in table(chapter, "constant")]


@cache
def rows() -> dict[str, list[str]]:
    """The texts of the full table by the ID of the constant, in their order."""
    return dict(zip(CONSTANTS, texts("kernel"), strict=True))


def right(number: Fraction, texts: list[str]) -> list[bool]:
    """Whether each text of a row stands for the float nearest to a number."""
    wide, single, hexa, raw, half, brain = texts
    floats = {
        "float64": [float(wide)],
        "float32": [float(np.float32(single)), float.fromhex(hexa), read_bits(raw, "float32")],
        "float16": [read_bits(half, "float16")],
        "bfloat16": [read_bits(brain, "bfloat16")],
    }
    return [
        np.isfinite(x) and is_nearest(Fraction(x), number, dtype)
        for dtype, values in floats.items()
        for x in values
    ]


def test_each_text_of_both_tables_is_read_as_the_float_nearest_to_the_constant():
    for id in CONSTANTS:
        assert right(exact(id), rows()[id]) == [True] * 6, id
    of_the_forms = [rows()[id] for id in ("root", "cubic", "scale", "root-half")]
    assert texts("which-one") == [[wide, hexa] for wide, _, hexa, *_ in of_the_forms]


def flipped(text: str, bit: int) -> str:
    return f"0x{int(text, 16) ^ 1 << bit:0{len(text) - 2}x}"


@pytest.mark.parametrize("id", slow_but(set(list(CONSTANTS)[::4]).__contains__, CONSTANTS))
def test_a_wrong_bit_is_noticed(id):
    number = exact(id)
    for place, dtype in ((3, "float32"), (4, "float16"), (5, "bfloat16")):
        for bit in range(SIZES[dtype]):
            wrong = list(rows()[id])
            wrong[place] = flipped(wrong[place], bit)
            assert right(number, wrong).count(False) == 1


@pytest.mark.parametrize(("place", "dtype"), [(0, "float64"), (1, "float32")])
def test_no_shorter_decimal_is_read_as_the_same_float(place, dtype):
    kind = FLOAT_TYPES[dtype].dtype.type
    for texts in rows().values():
        value, places = Fraction(texts[place]), len(texts[place].partition(".")[2]) - 1
        for cut in (int(value * 10**places), int(value * 10**places) + 1):
            assert kind(float(Fraction(cut, 10**places))) != kind(float(value)), texts


@pytest.mark.parametrize("dtype", SIZES)
def test_the_decimal_for_float64_gives_the_right_float_of_every_type(dtype):
    for id, (wide, *_) in rows().items():
        value = expression(CONSTANTS[id]["formula"])
        assert FLOAT_TYPES[dtype].dtype.type(np.float64(wide)) == nearest(value, dtype), id


def test_what_the_page_says_of_pasted_constants_and_their_texts():
    for name, formula in ((one["name"], one["formula"]) for one in CONSTANTS.values()):
        assert ("log(2)" in formula) == (r"\ln 2" in name)
        assert ("sqrt" in formula) == ("sqrt" in name)
        assert ("pi" in formula) == (r"\pi" in name)
        assert all(number in name for number in re.findall(r"\d\.\d{2,}", formula))
    computed = np.sqrt(np.float32(2) / np.float32(np.pi))
    assert computed == np.nextafter(np.float32(rows()["root"][1]), np.float32(0))
    assert stepwise(CONSTANTS["root"]["formula"], "float32") == Fraction(float(computed))
    assert nearest(1 + Rational(1, 2**24), "float32") == 1
    assert nearest(1 + Rational(3, 2**24), "float32") == 1 + 2.0**-22
    assert nearest(1 + Rational(1, 2**24) + pi / 2**900, "float32") == 1 + 2.0**-23
    root = nearest(sqrt(2 / pi), "float32")
    assert shortest(root) == "0.7978846"
    assert hexadecimal(root) == "0x1.988454p-1"
    assert bit_pattern(root) == "0x3f4c422a"
    assert hexadecimal(np.float32(1)) == "0x1p0"
    assert bit_pattern(nearest(sqrt(2 / pi), "bfloat16")) == "0x3f4c"


@pytest.mark.parametrize(
    ("number", "dtype", "error", "message"),
    [
        (sp.S.Zero, "float32", ValueError, "accepted is a positive number"),
        (Rational(1, 2**200), "float16", ValueError, "to 0 or to infinity"),
        (pi, "float8", TypeError, "accepted are float64"),
        (sp.zeta(3), "float32", NotImplementedError, "not evaluated in Arb"),
        (
            1 + Rational(1, 2**24) + sp.exp(-(10**6)),
            "float32",
            ArithmeticError,
            "its distance from the middle of two float32 may be 0",
        ),
    ],
)
def test_what_has_no_nearest_float_is_refused(number, dtype, error, message):
    with pytest.raises(error, match=message):
        nearest(number, dtype)
