"""The reverse look-up names no constant falsely, and its digits hold by a second route."""

import ast
import dataclasses
import decimal
import math
import tomllib
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files

import ml_dtypes
import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kinds import slow_but
from write_constants import record

from gelu_lib import lookup
from gelu_lib.floats.types import FLOAT_TYPES, floor_power, nearest_float
from gelu_lib.provenance.literals import catalogue
from gelu_lib.provenance.literals.catalogue import constants, sources
from gelu_lib.provenance.literals.chance import matching_share, matching_share_of_bits
from gelu_lib.provenance.literals.formulas import FormulaError, decimal_digits, expression, stepwise
from gelu_lib.provenance.literals.literal import LiteralError, Reading, read_literal
from gelu_lib.provenance.literals.lookup import _match, _same_floats, abridged, scientific
from gelu_lib.provenance.literals.origin import explain
from gelu_lib.provenance.literals.slips import slips
from gelu_lib.register import result, results
from gelu_lib.rows import DataError, contents

settings.register_profile("catalogue", derandomize=True, deadline=None, database=None)
settings.load_profile("catalogue")
DATA = files("gelu_lib") / "data"
STATEMENTS = tomllib.loads((DATA / "constants.toml").read_text(encoding="utf-8"))["constant"]
OF_PROGRAMS = [c for c in constants().values() if c.group in catalogue.OF_PROGRAMS]
SEEN = [(text, constant.id) for constant in OF_PROGRAMS for text in constant.seen]
SHARE_OF_8 = matching_share_of_bits(7)
NUMPY_TYPES = {
    "float64": np.float64,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
}


def own_match(text, constant):
    """What the look-up of a literal says of the constant that it was met for."""
    return next(match for match in lookup(text).matches if match.constant == constant)


# ---- the digits


def enclosed(formula: str) -> arb:
    """A formula in interval arithmetic, by another reader than the library's."""

    def value(node: ast.expr) -> arb:
        if isinstance(node, ast.Constant):
            exact = Fraction(ast.get_source_segment(formula, node))
            return arb(fmpq(exact.numerator, exact.denominator))
        if isinstance(node, ast.Name):
            return arb.pi()
        if isinstance(node, ast.Call):
            return getattr(value(node.args[0]), node.func.id)()
        left, right = value(node.left), value(node.right)
        name = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv"}
        return getattr(left, f"__{name[type(node.op).__name__]}__")(right)

    return value(ast.parse(formula, mode="eval").body)


def holds(formula: str, digits: str) -> bool:
    """Whether digits are a formula's value, to half a unit of the last place or exactly."""
    ctx.prec = 400
    try:
        stated = Fraction(digits)
        unit = Fraction(10) ** (Decimal(digits).as_tuple().exponent if "/" not in digits else -80)
        difference = enclosed(formula) - arb(fmpq(stated.numerator, stated.denominator))
        return bool(abs(difference) <= arb(fmpq(unit.numerator, 2 * unit.denominator)))
    finally:
        ctx.prec = 53


@pytest.mark.parametrize("id", STATEMENTS)
def test_the_digits_hold_by_interval_arithmetic(id):
    stored = record(STATEMENTS[id])
    assert holds(stored["formula"], stored["value"])
    assert all(holds(*way) for way in stored["ways"].items())


@pytest.mark.parametrize(
    ("formula", "digits"),
    [
        ("sqrt(2/3)", decimal_digits("sqrt(2/pi)")),
        ("3*0.044715*sqrt(2/pi)", decimal_digits("3*0.044716*sqrt(2/pi)")),
        ("sqrt(2/pi)", decimal_digits("sqrt(2/pi)")[:-1] + "0"),
        ("11/246", "11/247"),
    ],
)
def test_a_wrong_formula_or_a_wrong_digit_is_found(formula, digits):
    assert not holds(formula, digits)


def test_the_stored_digits_are_those_of_the_script_and_of_no_other_formula():
    computed = {id: record(fields) for id, fields in STATEMENTS.items()}
    assert dict(catalogue.parse_catalogue(contents("constants.toml"), computed)) == {
        constant.id: constant for constant in OF_PROGRAMS
    }
    computed = {id: record(fields) for id, fields in STATEMENTS.items()}
    computed["slope"] = record({"formula": "sqrt(2/3)"})
    with pytest.raises(DataError, match="slope: the digits are of another"):
        catalogue.parse_catalogue(contents("constants.toml"), computed)
    del computed["slope"]
    with pytest.raises(DataError, match="slope: run tools"):
        catalogue.parse_catalogue(contents("constants.toml"), computed)


@pytest.mark.parametrize(
    ("field", "value"), [("group", "tan"), ("colour", "red"), ("seen", {"1": ["nowhere"]})]
)
def test_a_broken_entry_is_refused(field, value):
    statements = {**contents("constants.toml")}
    statements["constant"] = {"one": {**STATEMENTS["cubic"], field: value}}
    with pytest.raises(DataError, match="one: unknown field, group or source"):
        catalogue.parse_catalogue(statements, {"one": record(STATEMENTS["cubic"])})


@pytest.mark.parametrize(
    "formula", ["2**3", "exp(1)", "__import__('os')", "x", "1 if pi else 2", "(", "'1'"]
)
def test_a_formula_with_something_else_in_it_is_refused(formula):
    with pytest.raises(FormulaError):
        decimal_digits(formula)


def test_a_formula_or_a_literal_out_of_every_range_is_refused():
    assert stepwise("1" + "0" * 30, "float32")
    with pytest.raises(FormulaError, match="overflows in float32"):
        stepwise("1" + "0" * 30 + "*1" + "0" * 30, "float32")
    with pytest.raises(FormulaError, match="accepted is a positive number"):
        decimal_digits("3-pi")
    for text in HELD:
        assert read_literal(text)
    for text in NOT_HELD:
        with pytest.raises(LiteralError, match=r"out of the range .* sizes from 4.9e-324 to 1.8e"):
            read_literal(text)
    assert all(0 < float(text) < math.inf for text in HELD if "p" not in text)
    assert {float(text) for text in NOT_HELD if "p" not in text} == {0, math.inf}


def test_constants_and_sources_are_those_of_the_register_and_of_what_was_seen():
    named = [constant for constant in OF_PROGRAMS if constant.result]
    assert len(named) >= 5
    for constant in named:
        digits = result(constant.result).value
        unit = Fraction(10) ** Decimal(digits).as_tuple().exponent
        assert abs(constant.value - Fraction(digits)) <= unit / 2, constant.id
    assert {constant.id for constant in OF_PROGRAMS}.isdisjoint(results())
    assert list(STATEMENTS) == [constant.id for constant in OF_PROGRAMS]
    for source in sources().values():
        assert (source.status == "seen") == bool(source.url), source.id
        assert "/blob/" not in source.url or len(source.url.split("/")[6]) == 40
    values = [f"{float(c.value):.14e}" for c in constants().values() if not c.seen]
    assert len(values) == len(set(values))


@pytest.mark.parametrize("type", ["float64", "float32"])
def test_the_steps_are_those_of_numpy(type):
    of = NUMPY_TYPES[type]
    slope = np.sqrt(of(2) / of(np.pi))
    expected = {
        "3*0.044715*sqrt(2/pi)": of(3) * of(0.044715) * slope,
        "1/(2*sqrt(pi))": of(1) / (of(2) * np.sqrt(of(np.pi))),
        "(4-pi)/(6*pi)": (of(4) - of(np.pi)) / (of(6) * of(np.pi)),
        "1.702/log(2)": of(1.702) / of(np.log(2)),
    }
    for formula, number in expected.items():
        assert stepwise(formula, type) == Fraction(float(number)), formula


# ---- reading and rounding


@pytest.mark.parametrize("type", slow_but(["float32", "float16"].__contains__, FLOAT_TYPES))
@given(st.floats(min_value=1e-320, max_value=1e300))
def test_the_nearest_float_is_that_of_numpy(type, number):
    with np.errstate(over="ignore"):
        theirs = float(np.array(number).astype(NUMPY_TYPES[type]))
    if type in ("float64", "float32") or np.isfinite(theirs):
        ours = nearest_float(Fraction(number), FLOAT_TYPES[type])
        assert (ours is None) == np.isinf(theirs)
        # ml_dtypes rounds a float64 by way of float32; the library rounds once
        if type != "bfloat16" and ours is not None:
            assert float(ours) == theirs


@given(st.integers(0, 2**16 - 1))
def test_bits_of_16_are_read_as_both_types(bits):
    text = f"0x{bits:04x}"
    expected = {
        type: abs(float(np.array(bits, np.uint16).view(NUMPY_TYPES[type])))
        for type in ("bfloat16", "float16")
    }
    finite = {type: x for type, x in expected.items() if np.isfinite(x) and x}
    try:
        readings = read_literal(text)
    except LiteralError:
        assert not finite
        return
    assert {reading.type: float(reading.value) for reading in readings} == finite
    for reading in readings:
        value = np.array(float(reading.value), NUMPY_TYPES[reading.type])
        assert float(np.nextafter(value, NUMPY_TYPES[reading.type](0))) <= float(
            reading.value - reading.unit / 2
        )


@given(st.floats(allow_nan=False, allow_infinity=False).filter(bool))
def test_bits_of_64_and_hexadecimal_floats_are_read_exactly(number):
    bits = int(np.array(number).view(np.uint64))
    assert read_literal(f"0x{bits:016X}")[0].value == abs(Fraction(number))
    assert read_literal(number.hex())[0].value == abs(Fraction(number))


@given(st.decimals(min_value="1e-200", max_value="1e200", allow_nan=False).filter(bool))
def test_a_decimal_is_read_exactly_with_its_unit(number):
    text = str(number)
    digits = number.as_tuple().digits
    if len(digits) > 50:
        with pytest.raises(LiteralError, match=r"accepted are at most (50 digits|200)"):
            read_literal(text)
        return
    (reading,) = read_literal(text)
    assert reading.value == Fraction(number)
    assert reading.unit == Fraction(10) ** number.as_tuple().exponent
    assert reading.digits == len(digits)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" +0.044715F ", "0.044715"),
        ("−1.702f", "1.702"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e-3", "0.001"),
        ("11/123", "11/123"),
        ("0x1p-1f", "0.5"),
        ("0X3F000000u", "0.5"),
    ],
)
def test_other_spellings_are_read(text, value):
    assert read_literal(text)[0].value == Fraction(value)


def test_where_winitzkis_a_and_the_gain_come_from():
    x, a = sp.symbols("x a", positive=True)
    # of the square, whose series is the simpler one: up to x⁴, so that the root is right up to x³
    square = 1 - sp.exp(-(x**2) * (4 / sp.pi + a * x**2) / (1 + a * x**2))
    difference = sp.series(square, x, 0, 5).removeO() - sp.series(sp.erf(x) ** 2, x, 0, 5).removeO()
    (found,) = sp.solve(difference.expand().coeff(x, 4), a)
    assert difference.expand().coeff(x, 2) == 0
    assert sp.simplify(found - expression(STATEMENTS["winitzki-at-0"]["formula"])) == 0
    first, second = (
        mpmath.quad(lambda x, n=n: (x * mpmath.ncdf(x)) ** n * mpmath.npdf(x), [-12, 0, 12])
        for n in (1, 2)
    )
    known = constants()["gelu-gain"].value
    assert abs(1 / mpmath.sqrt(second - first**2) - float(known)) < 1e-14


LONG = ("9" * 5000, "1/" + "9" * 5000, "0x" + "1" * 300)
REFUSED = {
    r"literal is .* accepted": "0x|0x12345|1,5|1/0|0x0000|0x7fc00000|nan|-+1.702f|٣.١٤",
    # nothing is near, so nothing is suggested
    r"literal is (?!.*did you mean).* accepted": "abc|1.2.3|1e9999|0,0|0,5,5|0.5*x",
    r'an empty text; accepted is a decimal such as "0\.04': "|  ",
    **{f"of {len(text)} characters; accepted are at most 200": text for text in LONG},
}


@pytest.mark.parametrize(("said", "texts"), REFUSED.items())
def test_what_is_no_literal_is_refused_and_the_message_says_what_is_accepted(said, texts):
    for text in texts.split("|"):
        with pytest.raises(LiteralError, match=said):
            lookup(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("0,044715", "0.044715"),
        ("−1,702", "-1.702"),
        ("1,702.5", "1702.5"),
        ("1,000,000", "1000000"),
        ("1_000.5", "1000.5"),
        ("0.797 884 560 8", "0.7978845608"),
        ("1.702_f32", "1.702"),
        ("0.044715h", "0.044715"),
    ],
)
def test_what_may_be_meant_is_said(text, meant):
    with pytest.raises(LiteralError, match=f"accepted is .*; did you mean {meant!r}"):
        lookup(text)
    assert read_literal(meant)


HELD = ["1.7976931348623158e308", "4.9e-324", "2.5e-324", "0x1p1023", "0x1p-1074"]
NOT_HELD = ["1.7976931348623159e308", "2.4e-324", "0x1p1024", "0x1p-1075", "1e400", "1e-9999"]


@pytest.mark.parametrize("literal", [0.5, None, 1, b"0.5", np.float32(0.5)])
def test_what_is_no_string_is_refused(literal):
    with pytest.raises(TypeError, match="accepted is a string"):
        lookup(literal)


@settings(max_examples=30)
@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40), st.sampled_from([2, 10]))
def test_the_power_below_a_number(number, base):
    exponent = floor_power(number, base)
    assert Fraction(base) ** exponent <= number < Fraction(base) ** (exponent + 1)


@pytest.mark.parametrize("number", [0, -1])
def test_what_is_not_positive_has_no_power_below_it(number):
    with pytest.raises(ValueError, match=f"number is {number}; accepted is a positive"):
        floor_power(Fraction(number), 2)
    with pytest.raises(ValueError, match="positive"):
        stepwise(f"1-{1 - number}", "float32")


@pytest.mark.parametrize(
    ("number", "text"), [("0", "0"), ("1", "1.0e0"), ("0.0999", "1.0e-1"), ("12340", "1.2e4")]
)
def test_two_digits_are_written(number, text):
    assert scientific(Fraction(number), 2) == text


# ---- the look-up


@pytest.mark.parametrize(("text", "id"), slow_but(SEEN[::4].__contains__, SEEN))
def test_every_literal_that_was_seen_is_found(text, id):
    assert own_match(text, constants()[id]).kind


@pytest.mark.parametrize(
    ("text", "id", "kind", "way"),
    [
        ("0.044715", "cubic", "exact", ""),
        ("0.7978845608", "slope", "rounded", ""),
        ("0.797884", "slope", "truncated", ""),
        ("0.7978845608028654", "slope", "rounded", ""),
        ("0.7978845605", "slope", "wrong", ""),
        ("0.797884560804236", "slope", "made", "√(2/3.141592653579)"),
        ("0.1070322243", "three-slope-cubics", "made", "3·0.044715·0.79788456"),
        ("0.1070322244", "three-slope-cubics", "rounded", ""),
        ("0.107032224435345", "three-slope-cubics", "made-exact", "3·0.044715·0.797884561"),
        ("0.035677408145115", "slope-cubic", "made-exact", "0.044715·0.797884561"),
        ("0.0356772042", "slope-cubic", "made-exact", "0.044715·0.79788"),
        ("0.03567740810040", "slope-cubic", "made-exact", "0.044715·0.79788456"),
        ("0.0535161121506", "half-three-slope-cubics", "made-exact", "3·0.044715·0.79788456/2"),
        ("0.035677383", "slope-cubic", "made", "0.044715·0.797884"),
        ("0.03567740988", "slope-cubic", "made-truncated", "0.044715·0.7978846"),
        ("0.214064448870690", "six-slope-cubics", "made-exact", "6·0.044715·0.797884561"),
        ("2.45546689", "scale-base-two", "made-exact", "1.702·1.442695"),
        ("0.7071067811", "root-half", "truncated", ""),
        ("1.7015043497085571", "gelu-gain", "printed", ""),
        ("2.885390082", "tanh-base-two", "rounded", ""),
        ("1.4142135623730951", "root-two", "shortest", "float64"),
        ("1.41421356237309515", "root-two", "float", "float64"),
        ("0.79688", "slope", "float", "bfloat16"),
        ("0.796875", "slope", "exact-float", "bfloat16"),
        ("0x3f3504f3", "root-half", "rounded", ""),
        ("0x3f3504f4", "root-half", "", ""),
        ("0x3f106eba", "one-over-root-pi", "truncated", ""),
        ("0x3f106ebb", "one-over-root-pi", "rounded", ""),
        ("0x1.988453p-1", "slope", "rounded", ""),
        ("0x1.6e4e26p-5", "cubic", "exact-float", "float32"),  # and cut off to these digits, too
        ("0x1.6e4e26p-5", "tanh-pinned-cubic", "spelled", "float32 nearest to 0.044715"),
        ("0x1.6e4e27p-5", "cubic", "rounded", ""),
        ("0x3f4c4231", "slope", "spelled", "float32 nearest to 0.797885"),
        ("0x3f4c4232", "slope", "", ""),
        ("0x3d3726f9", "tanh-pinned-cubic", "spelled", "float32 nearest to 0.0447149"),
        ("0.63661977236", "squared-slope", "truncated", ""),
        ("0.070565992", "product-cubic", "exact", ""),
        ("0.7988", "half-of-akka-linear", "exact", ""),
        ("0.7988", "minimax-tanh-free-phi: p1/2", "rounded", ""),
        ("0.0535161122", "half-three-slope-cubics", "rounded", ""),
        ("-1.769", "ibert-end", "exact", ""),
        ("0.147", "winitzki-0147: 0.147", "exact", ""),
        ("1.703125", "scale", "exact-float", "bfloat16"),
        ("0x1.988454p-1", "slope", "exact-float", "float32"),
        ("1.773", "logistic-gelu-scale", "rounded", ""),
        ("11/246", "eleven-over-246", "exact", ""),
        ("1/0.044715", "one-over-cubic", "rounded", ""),
        ("9.60497", "cephes-double: T, 9.60497373987051638749E0", "rounded", ""),
        ("9.6049", "cephes-double: T, 9.60497373987051638749E0", "", ""),  # five digits are few
        ("9.604973", "cephes-double: T, 9.60497373987051638749E0", "", ""),  # cut off
    ],
)
def test_how_a_literal_was_made(text, id, kind, way):
    answer = lookup(text)
    found = [m for m in (*answer.matches, *answer.nearest) if m.constant.id == id]
    assert [(match.kind, match.way) for match in found] == [(kind, way)]


FEW_DIGITS = catalogue.Constant(
    "few", "register", "few", "", "1.234", Fraction("1.234"), Fraction("0.0005")
)


NEAR = Reading("bits", Fraction(1264, 1024), Fraction(1, 1024), type="float16")
EXPLAINED = [  # what is read; the value, and how far it may be off; right digits; what is found
    ("1.2346", "1.234", "0.0005", 3, "undecided"),  # it may be 1.2345, and this one unit more
    ("1.2347", "1.234", "0.0005", 3, None),
    ("1.2333", "1.234", "0.0005", 3, None),
    ("1.234", "1.234", "0.0005", 3, "rounded"),
    ("1.23", "1.234", "0.0005", 3, "rounded"),
    ("1.235", "1.234", "0.0005", 3, None),
    (NEAR, "1.234", "0.0005", 3, "undecided"),
    (NEAR, "1.234", "0", 3, "rounded"),
    *(("1.23400042", "1.234", "0", n, w) for n, w in ((6, None), (7, "wrong"), (8, "wrong"))),
    ("1.23400042", "1.234", "0", 9, None),
    ("1.00", "1.005", "0", 0, "rounded"),  # to the even one
    ("1.01", "1.005", "0", 0, "rounded"),  # up
    ("1.01", "1.015", "0", 0, "truncated"),
    ("1.02", "1.015", "0", 0, "rounded"),
    ("1.02", "1.025", "0", 0, "rounded"),
    ("1.03", "1.025", "0", 0, "rounded"),
    ("1.03", "1.02", "0", 0, None),
    ("0.99", "0.994", "0", 0, None),  # two digits are close to too many numbers
    ("100", "100.4", "0", 0, "rounded"),
]


@pytest.mark.parametrize(("text", "value", "off", "right", "kind"), EXPLAINED)
def test_how_a_reading_is_explained_by_a_constant(text, value, off, right, kind):
    reading = text if text is NEAR else read_literal(text)[0]
    constant = dataclasses.replace(FEW_DIGITS, value=Fraction(value), uncertainty=Fraction(off))
    found = explain(reading, constant, right)
    assert (found and found[0]) == kind and (not found or text is NEAR or found[1] == "")


NOTHING = {  # how many are near, and how the second line ends
    "0.7991": (1, "; the nearest:"),
    "0.123456 3.14159265 1.23e300": (0, ", and none is near"),
    "0.6 3.0 2 1e300 0.99 0x1.8p0": (0, "has too few digits to tell a constant by"),
}


@pytest.mark.parametrize(("texts", "near"), NOTHING.items())
def test_a_number_that_stands_for_nothing_has_no_match_but_near_ones(texts, near):
    for text in texts.split():
        answer = lookup(text)
        assert answer.matches == () and len(answer.nearest) == near[0]
        assert all(match.right_digits >= 3 for match in answer.nearest)
        first, second, *_ = str(answer).splitlines()
        assert first == text and second.endswith(near[1]) and "accident" not in str(answer)
        assert ("is no number known here from GELU code" in second) == ("few" not in second)


def test_few_digits_are_found_with_the_accident_and_near_ones_are_not_called_exact():
    (match,) = lookup("0.5").matches
    assert (match.constant.id, match.kind) == ("half", "exact")
    assert lookup("0.5").nearest == ()
    assert "decimals of 1 digit from 0.01 to 10, more than every second is" in str(lookup("0.5"))
    assert "Φ(−1)" in str(lookup("0.16"))
    assert "of the decimals of 2 digits from 0.01 to 10, more than every second is" in str(
        lookup("0.16")
    )
    for text in ("0.04472", "0.0447", "0.0447150001", "0.044714", "0.0447160"):
        assert all(match.kind != "exact" for match in lookup(text).matches)


def test_what_is_a_constant_what_is_none_and_which_floats_they_share():
    for id in ("su-b", "note-en-fraction", "clay-tanh", "question-cubic"):
        assert catalogue._is_report(result(id)) is False
        assert id in constants()
    generator = np.random.default_rng(seed=6)
    for places in generator.integers(10**9, 10**10, size=20):
        assert lookup(f"0.{places}").matches == ()
    reported = [f"clip-feature-difference{which}" for which in ("", "-largest")]
    reported += ["speech-output-difference"]
    assert not set(reported) & set(constants())
    for text in ("0.1467", "1.3157", "0.35", "0.147"):
        for match in (*lookup(text).matches, *lookup(text).nearest):
            assert match.constant.result not in reported
    (match,) = lookup("0.797885").matches
    assert match.same_floats == ("float16", "bfloat16")
    (match,) = lookup("0.797884560804236f").matches
    assert match.same_floats == ("float32", "float16", "bfloat16")
    small = dataclasses.replace(FEW_DIGITS, value=Fraction("1.2e-9"))
    large = dataclasses.replace(FEW_DIGITS, value=Fraction("1.2e5"))
    for text, constant in (("1.2e-9", small), ("1.2e5", large)):
        shared = _same_floats(read_literal(text)[0], constant)
        assert shared == ("float64", "float32", "bfloat16")
    (match,) = (m for m in lookup("0x3f4c422a").matches if m.constant.id == "slope")
    assert match.same_floats == ("float32",)


@pytest.mark.parametrize(
    "rounding",
    slow_but(
        decimal.ROUND_HALF_EVEN.__eq__,
        [decimal.ROUND_HALF_EVEN, decimal.ROUND_DOWN, decimal.ROUND_UP],
    ),
)
@settings(max_examples=34)
@given(id=st.sampled_from(sorted(constants())), digits=st.integers(3, 40))
@example(id="tanh-pinned-cubic", digits=4)  # 0.044715 lies between two of 4 digits
def test_what_a_match_says_of_the_digits_is_true(rounding, id, digits):
    constant = constants()[id]
    context = decimal.Context(prec=digits, rounding=rounding)
    exact = Decimal(constant.value.numerator), Decimal(constant.value.denominator)
    literal = context.divide(*exact)
    text = f"{literal:f}" if literal.as_tuple().exponent <= 0 else str(literal)
    matches = lookup(text).matches
    for match in matches:
        for kind, how in (("rounded", decimal.ROUND_HALF_UP), ("truncated", decimal.ROUND_DOWN)):
            if match.kind == kind:
                value = match.constant.value
                written = decimal.Context(prec=80).divide(
                    Decimal(value.numerator), Decimal(value.denominator)
                )
                unit = Decimal((0, (1,), literal.as_tuple().exponent))
                context = decimal.Context(prec=80)
                shortened = {
                    written.quantize(unit, rounding=r, context=context)
                    for r in (how, decimal.ROUND_HALF_EVEN if kind == "rounded" else how)
                }
                assert literal in shortened
        if match.kind == "exact":
            assert match.constant.value == Fraction(literal)
    rounded = rounding != decimal.ROUND_UP and constant.group != "fitted"
    if rounded and not constant.uncertainty:
        assert id in {match.constant.id for match in matches}


def test_matches_come_in_order_and_are_not_the_nearest():
    nearer = 0
    for text, _ in SEEN:
        for reading in read_literal(text):
            found = [m for m in lookup(text).matches if m.reading == reading]
            order = [
                (m.kind != "exact", m.constant.group in catalogue.ASIDE, not m.constant.cited)
                for m in found
            ]
            assert order == sorted(order), text
            nearer += found != sorted(found, key=lambda m: m.relative_difference)
    assert nearer
    for text in ("0.044715", "0x3f3504f4", "0.7991"):
        answer = lookup(text)
        assert all(match.kind for match in answer.matches)
        assert not any(match.kind for match in answer.nearest)
        assert answer.matches or answer.nearest


def test_what_has_a_source_comes_first_and_a_rounded_fit_only_where_nothing_else_is_known():
    first, second = lookup("1.749").matches
    assert (first.constant.id, first.constant.cited) == ("logistic-scale-kl", True)
    assert first.relative_difference > second.relative_difference and not second.constant.cited
    assert [match.constant.id for match in lookup("1.128379").matches] == ["erf-slope"]
    assert "by accident: of the decimals of 6 digits" in str(lookup("9.60497"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.7071068", "the same float16, bfloat16; one float32 above"),
        ("0x3f3504f4", "one float32 above"),
        ("0x3f3504f2", "one float32 below"),
        ("0x3f4c4231", "7 float32 above"),  # 0.797885, against √(2/π)
        ("0.7978845608", "the same float32, float16, bfloat16"),
    ],
)
def test_how_many_floats_a_literal_is_from_a_constant(text, said):
    answer = lookup(text)
    match = next(m for m in (*answer.matches, *answer.nearest) if m.constant.name[0] == "√")
    assert str(match).splitlines()[-1].strip() == said
    ours, theirs = (
        np.float32(x).view(np.int32) for x in (match.reading.value, match.constant.value)
    )
    apart = {0: None, 1: "one"}.get(abs(ours - theirs), str(abs(ours - theirs)))
    steps = [step.split() for step in match.other_floats if "float32" in step]
    assert steps == ([[apart, "float32", "above" if ours > theirs else "below"]] if apart else [])


def test_no_sentence_ends_in_the_middle():
    for text in (
        "1/0.044715",
        "0.797884",
        "0x3f106eba",
        "0x1.988453p-1",
        "32'sh002DC9C5",
        "0x3d37",
    ):
        for match in lookup(text).matches:
            assert match.sentence == match.sentence.strip() and not match.sentence.endswith(" to")


@pytest.mark.parametrize("text", ["0.44715", "2.8853", "1.9546", "1.749", "1.2894", "0.0095"])
def test_places_and_errors_are_not_named_as_near(text):
    near = [match.constant for match in lookup(text).nearest]
    assert all(constant.group != "register" for constant in near)
    assert not {"minimax-tanh-pinned-phi: x1", "page-minimum-place"} & {c.id for c in near}


def test_what_is_near_is_told_by_its_digits_or_its_print():
    (near,) = lookup("0.044381").nearest
    assert near.constant.id == "tanh-gelu-cubic"
    assert near.relative_difference < Fraction("1e-4")
    assert lookup("0.04440").nearest == ()
    places = {id for id, constant in constants().items() if not constant.coefficient}
    for id in ("page-minimum-place", "silu-distance", "minimax-tanh-free-phi: x1", "mlx-bound"):
        assert id in places
    for id in ("logistic-scale", "minimax-tanh-free-phi: p1/2", "criteria-sigmoid-phi: L1, p1"):
        assert id not in places
    far = dataclasses.replace(FEW_DIGITS, uncertainty=Fraction(0), seen={"9.9": ("somebody",)})
    (reading,) = read_literal("9.9")
    assert _match(reading, far).kind == "printed"
    assert _match(reading, dataclasses.replace(far, seen={})).kind == ""


@pytest.mark.parametrize(
    ("digits", "short"),
    [
        ("0.044715", "0.044715"),
        ("0." + "1" * 30, "0." + "1" * 30),
        ("0." + "1" * 31, "0." + "1" * 30 + "…"),
        ("0.00" + "1" * 31, "0.00" + "1" * 30 + "…"),
        ("12." + "1" * 29, "12." + "1" * 28 + "…"),
        ("1." + "2" * 40 + "e-7", "1." + "2" * 29 + "…e-7"),
        ("11/246", "11/246"),
    ],
)
def test_thirty_digits_of_a_constant_are_shown(digits, short):
    assert abridged(digits) == short


def constants_and_products():
    """The numbers that decimals match by accident; fitted ones only to six digits, rounded."""
    for constant in constants().values():
        if constant.group == "fitted":
            continue
        yield constant.value
        yield from (way.value for way in constant.ways if way.kind == "made")


@pytest.mark.parametrize("digits", [2, 3, 6])
def test_the_share_that_matches_by_accident_by_counting(digits):
    found = set()
    wide = decimal.Context(prec=80)
    numbers = [(number, False) for number in constants_and_products()]
    if digits >= 6:
        fits = (c.value for c in constants().values() if c.group == "fitted")
        numbers += [(value, True) for value in fits]
    for number, fitted in numbers:
        value = wide.divide(*map(Decimal, number.as_integer_ratio()))
        for decade in (-2, -1, 0):
            unit = Decimal((0, (1,), decade - digits + 1))
            for rounding in (decimal.ROUND_HALF_UP, decimal.ROUND_DOWN)[: 1 if fitted else 2]:
                short = value.quantize(unit, rounding=rounding, context=wide)
                if len(short.as_tuple().digits) == digits:
                    found.add(short)
    assert matching_share(digits) == Fraction(len(found), 3 * 9 * 10 ** (digits - 1))


@pytest.mark.parametrize("bits", [7, 10])
def test_the_share_of_bits_that_match_by_accident_by_counting(bits):
    found = set()
    for number in constants_and_products():
        mantissa, exponent = math.frexp(number)  # mantissa from 1/2 to below 1
        if -6 <= exponent <= 3:
            units = mantissa * 2 ** (bits + 1)
            found |= {math.ldexp(f(units), exponent) for f in (math.floor, round)}
    inside = {number for number in found if number < 8 * 2 ** (bits + 1)}
    assert matching_share_of_bits(bits) == Fraction(len(inside), 10 * 2**bits)


def test_an_answer_tells_the_share_of_what_the_match_rests_on():
    decimal, bits = (f"1 in {round(1 / share)} is" for share in (matching_share(4), SHARE_OF_8))
    both, float_alone, number = (str(lookup(text)) for text in ("1.703", "1.703125", "0.7988"))
    assert f"decimals of 4 digits from 0.01 to 10, {decimal}" in number
    assert "numbers of 8 bits" not in number
    assert f"numbers of 8 bits from 1/128 to 8, {bits}" in float_alone
    assert "decimals of" not in float_alone
    assert decimal in both
    assert bits in both
    assert bits in str(lookup("0x3d37"))
    assert "accident" not in str(lookup("0x3d372713")) + str(lookup("11/246"))


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("7.9788452387e-01", "2 float32 no farther from √(2/π), 1 is made so"),
        ("0x3f106eba", "2 float32 no farther from 1/√(π), 1 is made so"),
        ("0.1070322243", "3 numbers with as many places no farther from 3·0.044715·√(2/π), 2 are"),
        ("0.035677408145115", "17,630 numbers with as many places no farther from 0.044715·√(2/π)"),
    ],
)
def test_what_is_made_of_the_few_numbers_as_near_is_told(text, clause):
    assert f"by accident: of the {clause}" in str(lookup(text))
    assert "no farther" not in str(lookup("0x3f4c422a")) + str(lookup("0.7978845608"))


def test_the_products_among_the_decimals_as_near_by_counting():
    constant = constants()["slope-cubic"]
    (reading,) = read_literal("0.0356772042")
    distance, unit = abs(reading.value - constant.value), reading.unit
    first, last = (int((constant.value + s * distance) / unit) for s in (-1, 1))
    near = [Reading("decimal", n * unit, unit, 9) for n in range(first, last + 2)]
    near = [each for each in near if abs(each.value - constant.value) <= distance]
    elsewhere = dataclasses.replace(constant, value=Fraction(1))  # no rounding is as good
    kinds = [(explain(each, elsewhere, 0) or ("", ""))[0] for each in near]
    made = sum(kind.startswith("made") for kind in kinds)
    assert f"of the {len(near):,} numbers" in str(lookup("0.0356772042"))
    assert f"√(2/π), {made} are made so" in str(lookup("0.0356772042"))


# ---- slips


@pytest.mark.parametrize(
    ("text", "meant", "kind"),
    [
        ("0.44715", "0.044715", "ten"),
        ("4.4715e-1f", "0.044715", "ten"),
        ("0.0044715", "0.044715", "tenth"),
        ("17.02", "1.702", "ten"),
        ("0.1702", "1.702", "tenth"),
        ("1.072", "1.702", "exchanged"),
        ("-7.102", "1.702", "exchanged"),
        ("0.044175", "0.044715", "exchanged"),
        ("1.7702", "1.702", "doubled"),
        ("0.0447715", "0.044715", "doubled"),
        ("0.04475", "0.044715", "lost"),
        ("0.797884506", "0.797884560", "exchanged"),
        ("0.0797884561", "0.797884561", "tenth"),
    ],
)
def test_a_slip_is_named_as_one_that_may_be(text, meant, kind):
    answer = lookup(text)
    assert (meant, kind) in [(slip.meant, slip.kind) for slip in answer.slips]
    assert not any(match.constant.is_met for match in answer.matches)
    assert f"may be a slip for {meant}" in str(answer)


@pytest.mark.parametrize(
    "text", ["1.749", "1.705", "172", "0.123456", "0x3f4c", "1.702", "0.797885", "0.797854"]
)
def test_no_slip_is_named_for_too_few_digits_or_for_a_number_that_is_known(text):
    assert lookup(text).slips == ()


def test_the_share_of_slips_by_counting():
    texts = [f"{n / 10**places:.{places}f}" for places in (3, 4, 5) for n in range(1000, 10_000)]
    named = sum(bool(slips(read_literal(text)[0])) for text in texts)
    told = (
        f"of the decimals of 4 digits from 0.01 to 10, 1 in {round(len(texts) / named)} is a slip"
    )
    assert told in str(lookup("1.072"))
    assert "accident" not in str(lookup("0.797884506080"))


@pytest.mark.parametrize(
    ("share", "name", "number"),
    [(matching_share_of_bits, "bits", 61), (matching_share, "digits", 21)],
)
def test_a_number_of_bits_or_digits_outside_is_refused(share, name, number):
    for bad in (-1, number, 2.0, True):
        with pytest.raises(ValueError, match=f"{name} is"):
            share(bad)


# ---- what the chapter says in words


def test_what_the_page_and_its_search_box_say_of_literals():
    value = constants()["one-over-root-pi"].value
    below, above = (read_literal(bits)[0].value for bits in ("0x3f106eba", "0x3f106ebb"))
    assert below < value < above
    assert above - value < value - below
    constant = constants()["double-slope-cubic"]
    assert constant.digits.startswith("0.0713548162726002")
    assert own_match("0.0713548162726009f", constant).reading.digits == 15
    assert own_match("0.7071067811865475", constants()["root-half"]).kind == "rounded"
    for id in ("taylor-coefficient", "eleven-over-246", "pi-over-35"):
        constant = constants()[id]
        assert not constant.seen
        text = constant.digits if "/" in constant.digits else constant.digits[:20]
        assert id in {match.constant.id for match in lookup(text).matches}
