"""The right tables of types of few codes, by an independent route, and reports of faulty ones."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from kinds import slow_but
from mpmath import erfc, exp, mpf, sqrt

from gelu_lib.activations import FORMS
from gelu_lib.floats import tables
from gelu_lib.floats.coded_types import FLOAT8, coded_type
from gelu_lib.floats.tables import right_table, table_report
from gelu_lib.floats.ulp import exact

INT8 = coded_type("int8", scale=1 / 32)
E4M3FN, E5M2 = coded_type("float8_e4m3fn"), coded_type("float8_e5m2")


def exactly(form, x, derivative=False):
    """The value at a fraction by mpmath: 60 digits of what it is short of x, 1 or 0."""
    with mpmath.workdps(60):
        z = -abs(mpf(x.numerator) / x.denominator)
        if form == "exact":
            tail, slope = erfc(-z / sqrt(2)) / 2, exp(-z * z / 2) / sqrt(2 * mpmath.pi)
        else:
            root, k = (
                (sqrt(2 / mpmath.pi), mpf("0.044715")) if form == "tanh" else (mpf("0.851"), 0)
            )
            tail = 1 / (1 + exp(-2 * root * (z + k * z**3)))
            slope = tail * (1 - tail) * 2 * root * (1 + 3 * k * z**2)
        sign, man, exponent, _ = (tail + z * slope if derivative else z * tail)._mpf_
    # what is far below every step is as good as another number of that sign
    left = Fraction((-1) ** sign * int(man)) * Fraction(2) ** max(exponent, -3000)
    return left if x <= 0 else 1 - left if derivative else x + left


# Right values.


def test_the_right_values_of_a_public_case():
    table = right_table("exact", INT8)
    assert table[[-24, -15, -1, 0, 1, 127]].tolist() == [-5, -5, 0, 0, 1, 127]
    scaled = [float(32 * exactly("exact", Fraction(q, 32))) for q in (-24, -15, -1, 1)]
    assert scaled == pytest.approx([-5.4390565, -4.7943626, -0.48753508, 0.51246492], abs=1e-7)


TYPES = {
    "int8": (INT8, None),
    "int8, zero points": (
        coded_type("int8", scale="0.0471", zero_point=-3),
        coded_type("int8", scale=0.023, zero_point=-120),
    ),
    "uint8": (
        coded_type("uint8", scale="0.05", zero_point=121),
        coded_type("uint8", scale="0.03", zero_point=6),
    ),
    "fixed point": (coded_type("q3.4"), coded_type("q2.13")),
    "coarse": (coded_type("int8", scale=2), coded_type("int8", scale=4, zero_point=1)),
}


@pytest.mark.parametrize(
    ("form", "kinds", "derivative"),
    slow_but(
        lambda case: case[0] == "exact" or case == ("tanh", "int8, zero points", True),
        [*product(FORMS, TYPES, (False, True))],
    ),
)
def test_each_entry_of_an_integer_table_is_the_nearest_code(form, kinds, derivative):
    kind, out = TYPES[kinds][0], TYPES[kinds][1] or TYPES[kinds][0]
    table, ends = right_table(form, kind, out, derivative=derivative), np.iinfo(out.dtype)
    first = np.iinfo(kind.dtype).min
    assert len(table) == 256 and table.dtype == out.dtype
    for q in range(first, first + 256):
        value = exactly(form, kind.scale * (q - kind.zero_point), derivative)
        code = round(value / out.scale) + out.zero_point
        assert table[q] == min(max(code, ends.min), ends.max), q


def test_a_table_of_16_bits_is_right_where_its_type_bends_and_at_its_ends():
    kind = coded_type("int16", scale="1/4096", zero_point=100)
    table = right_table("exact", kind)
    for q in [*range(-32768, 32768, 997), 32767, 99, 100, 101]:
        code = round(exactly("exact", kind.exact(q)) * 4096) + 100
        assert table[q] == min(max(code, -32768), 32767), q


@pytest.mark.slow
@pytest.mark.parametrize("derivative", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_every_entry_of_a_table_of_16_bits_is_right_by_intervals(form, derivative):
    kind, out = coded_type("q3.12"), coded_type("int16", scale="0.00021", zero_point=9)
    table = right_table(form, kind, out, derivative=derivative)
    name = FORMS[form].__name__ + "_derivative" * derivative
    for q in range(-32768, 32768):
        steps = exact(name, q / 4096).mid().fmpq() / Fraction("0.00021").numerator
        code = round(Fraction(int(steps.p), int(steps.q)) * Fraction("0.00021").denominator) + 9
        assert table[q] == min(max(code, -32768), 32767), q


QUICK = ("exact", "float8_e4m3fn", False, False), ("tanh", "float8_e5m2", True, True)


@pytest.mark.parametrize(
    ("form", "name", "derivative", "saturating"),
    slow_but(lambda case: case in QUICK, [*product(FORMS, FLOAT8, (False, True), (False, True))]),
)
def test_each_entry_of_a_float8_table_is_the_nearest(form, name, derivative, saturating):
    kind = coded_type(name, saturating=saturating)
    table, numbers = right_table(form, kind, derivative=derivative), kind.values
    finite = [(Fraction(v), k) for k, v in enumerate(numbers.tolist()) if np.isfinite(v)]
    for k, x in enumerate(numbers.tolist()):
        bits = int(table[k : k + 1].view(np.uint8)[0])
        if not np.isfinite(x):
            limit = np.nan if np.isnan(x) else (x > 0) * (1.0 if derivative else x or 0)
            right = 0.0 if x == -np.inf else limit
            if right == np.inf and saturating:
                right = np.nanmax(numbers[np.isfinite(numbers)])
            assert np.array_equal(numbers[bits], right, equal_nan=True), x
            continue
        value = exactly(form, Fraction(x), derivative)
        distance = abs(value - Fraction(float(numbers[bits])))
        assert all(distance <= abs(value - number) for number, _ in finite), x
        tied = {k for number, k in finite if abs(value - number) == distance}
        assert len({numbers[k] for k in tied}) == 1 or bits % 2 == 0
        if numbers[bits] == 0 and "uz" not in name:
            assert (bits == 0x80) == (value < 0 or str(x) == "-0.0")


def test_ties_go_to_the_even_quotient_before_the_zero_point(monkeypatch):
    # GELU'(0) is ½ exactly; with the scale 1 that is a tie, and 0 is even
    monkeypatch.delattr(tables, "_left_ends")  # and nothing of it is to be decided
    tables.tables_of.cache_clear()
    near = coded_type("int8", scale=8)
    for zero in (0, 1, -7):
        out = coded_type("int16", scale=1, zero_point=zero)
        assert right_table("exact", near, out, derivative=True)[0] == zero
    out = coded_type("int16", scale="1/3")  # 3/2 of a step, and 2 is even
    assert right_table("tanh", near, out, derivative=True)[0] == 2


def test_far_out_the_value_is_below_x_and_the_slope_above_1():
    # float64 does not tell them apart, and x or 1 is the middle of two codes
    kind, out = coded_type("int8", scale=64), coded_type("int16", scale=128)
    table = right_table("exact", kind, out)
    assert table[[101, 103, 125, 127, -1, -128]].tolist() == [50, 51, 62, 63, 0, 0]
    shifted = right_table("exact", kind, coded_type("int16", scale=128, zero_point=1))
    assert np.array_equal(shifted, table + 1)
    out = coded_type("int8", scale=2)
    slopes = right_table("exact", kind, out, derivative=True)
    assert slopes[[0, 1, 2, 127, -1, -128]].tolist() == [0, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("side", [-1, 1])
def test_a_value_next_to_the_middle_of_two_codes_is_decided_by_intervals(side, monkeypatch):
    value = exactly("exact", Fraction(1, 2))
    scale = value / Fraction(5, 2) * (1 - side * Fraction(1, 2**70))  # 2½ steps, and a bit
    scale = Fraction(round(scale * 2**90), 2**90)
    kind, out = coded_type("int8", scale="1/32"), coded_type("int8", scale=str(scale))
    assert right_table("exact", kind, out)[16] == (3 if side > 0 else 2)
    asked = []
    ends = tables._left_ends

    def first_ends(*arguments):
        found = ends(*arguments)
        asked.append(next(found))
        yield asked[-1]
        raise LookupError

    monkeypatch.setattr(tables, "_left_ends", first_ends)
    tables.tables_of.cache_clear()
    with pytest.raises(LookupError):  # float64 alone does not decide it
        right_table("exact", kind, out)


def test_the_other_side_of_a_near_tie_is_off_and_not_wrong():
    kind, out = coded_type("int8", scale="1/4"), coded_type("int8", scale="1/2")
    right = right_table("exact", kind, out)
    x = np.arange(256).astype(np.uint8).view(np.int8) / 4
    y = np.clip(np.rint(FORMS["exact"](x) * 2), -128, 127).astype(np.int8)  # as a kernel has it
    other = np.flatnonzero(y != right)
    assert right[35] == 17 < 2 * 8.75 - float(2 * exactly("exact", Fraction(-35, 4))) == 17.5
    report = table_report(y, "exact", kind, out)
    assert report.passed and report.off == report.near_ties == len(other) == 24 and y[35] == 18
    assert all(abs(2 * x[k] - 17.5) % 2 == 0 for k in other)
    said = "24 of 256 entries are off; 24 of them are the other side of a near tie, which float64"
    assert said in str(report) and report.most.steps == 1
    for value in (16, 19):
        report = table_report(changed(y, q35=value), "exact", kind, out)
        assert (report.off, report.near_ties, report.wrong) == (24, 23, 1), value
    one = table_report(changed(right, q35=18), "exact", kind, out)
    assert "1 of 256 entries is off; 1 of them is the other side" in str(one)
    ascends = table_report(np.roll(y, 128), "exact", kind, out)
    assert ascends.ascends and not ascends.passed


@pytest.mark.parametrize(
    ("off", "passes"), [(2.0**-43, True), (-(2.0**-43), True), (2.0**-38, False)]
)
def test_a_near_tie_is_as_near_as_is_said(off, passes):
    value = exactly("exact", Fraction(1, 2))
    scale = Fraction(value / Fraction(5, 2) * (1 + Fraction(off)))  # 2½ steps, and a bit
    kind, out = (
        coded_type("int8", scale="1/32"),
        coded_type("int8", scale=Fraction(round(scale * 2**90), 2**90)),
    )
    right = right_table("exact", kind, out)
    report = table_report(changed(right, q16=5 - right[16]), "exact", kind, out)
    assert report.passed is passes and report.near_ties == passes


def test_many_codes_within_the_rounding_of_a_slope_that_vanishes_are_no_near_tie():
    kind, out = coded_type("int8", scale=0.7517915246935645), coded_type("int16", scale=2.0**-42)
    right = right_table("exact", kind, out, derivative=True)
    assert abs(right[-1]) < 2  # at the minimum of GELU
    for code in (-8, 8):
        report = table_report(changed(right, q255=code), "exact", kind, out, derivative=True)
        assert (report.near_ties, report.wrong) == (0, 1)


def test_a_true_tie_has_one_right_code():
    near, out = coded_type("int8", scale=8), coded_type("int16", scale=1)
    right = right_table("exact", near, out, derivative=True)
    report = table_report(changed(right, q0=1), "exact", near, out, derivative=True)
    assert right[0] == 0 and report.wrong == 1 and not report.near_ties


# Reports of planted faults.


def changed(table, **entries):
    table = table.copy()
    for code, value in entries.items():
        table[int(code[1:])] = value
    return table


def test_one_wrong_entry_is_found_with_what_is_right():
    table = right_table("exact", INT8).copy()
    table[-24] = -6
    report = table_report(table, "exact", INT8)
    assert not report.passed and (report.off, report.wrong, report.entries) == (1, 1, 256)
    entry = report.first
    assert (entry.code, entry.x, entry.value, entry.right, entry.steps) == (
        "-24",
        -0.75,
        "-6",
        "-5",
        -1,
    )
    assert entry.error == pytest.approx(-6 / 32 - float(exactly("exact", Fraction(-3, 4))))
    assert report.most == entry and "at -24 (x = -0.75) -6, right -5; -1 step" in str(report)
    assert table_report(table, "exact", INT8, steps=1).passed
    table[-24] = -7
    assert not table_report(table, "exact", INT8, steps=1).passed


def faulty(fault):
    """A table of int8, its output with a zero point, with a fault that a program may have."""
    out = coded_type("int8", scale=1 / 64, zero_point=-100)
    right = right_table("exact", INT8, out)
    x = np.arange(-128, 128) / 32
    steps = np.array([float(exactly("exact", Fraction(v)) * 64) for v in x])
    made = {
        "index off by one": np.roll(right, 1),
        "zero point": np.clip(np.rint(steps) - 99, -128, 127),
        "truncated": np.clip(np.trunc(steps) - 100, -128, 127),
        "floor": np.clip(np.floor(steps) - 100, -128, 127),
        "wraps": (np.rint(steps) - 100 + 128) % 256 - 128,
        "ascending": right[np.arange(-128, 128)],
    }[fault]
    if fault in ("index off by one", "ascending"):
        return made, right, out
    return np.roll(made, 128).astype(np.int8), right, out


@pytest.mark.parametrize(
    ("fault", "first"),
    [
        ("index off by one", "0"),
        ("zero point", "0"),
        ("truncated", "5"),
        ("floor", "5"),
        ("wraps", "114"),
        ("ascending", "1"),
    ],
)
def test_a_planted_fault_is_refused_at_its_first_entry(fault, first):
    table, right, out = faulty(fault)
    report = table_report(table, "exact", INT8, out)
    wrong = np.flatnonzero(table != right)
    assert not report.passed and report.off == len(wrong)
    assert report.first.code == str(np.arange(256).astype(np.uint8).view(np.int8)[wrong[0]])
    assert report.first.code == first
    most = np.max(np.abs(table.astype(int) - right))
    assert abs(report.most.steps) == most
    assert report.ascends == (fault == "ascending")


def test_float8_subnormals_flushed_and_wrong_codes_of_nan_and_infinity_are_found():
    right = right_table("exact", E4M3FN)
    flushed = np.where(np.abs(right.astype(float)) < 2.0**-6, 0, right.view(np.uint8))
    report = table_report(flushed.astype(np.uint8), "exact", E4M3FN)
    assert report.first.code == "0x01" == report.first.right
    assert report.off == int(np.sum((flushed & 0x7F) != (right.view(np.uint8) & 0x7F)))
    bits = right.view(np.uint8).copy()
    bits[0x7F] = 0x7E
    report = table_report(bits, "exact", E4M3FN)
    assert report.off == 1 and report.first.code == "0x7f" and report.first.steps == np.inf
    bits = right_table("exact", E5M2).view(np.uint8).copy()
    bits[0x7C] = 0x7B
    report = table_report(bits, "exact", E5M2)
    assert (report.off, report.first.code, report.first.steps) == (1, "0x7c", -1)
    assert table_report(bits, "exact", E5M2, coded_type("float8_e5m2", saturating=True)).passed


def test_zeros_and_nans_of_either_sign_are_alike():
    bits = right_table("exact", E4M3FN).view(np.uint8).copy()
    bits[0x80], bits[0x7F] = 0x00, 0xFF
    assert table_report(bits, "exact", E4M3FN).passed
    report = table_report(bits, "exact", E4M3FN, signed_zeros=True)
    assert (report.wrong, report.first.code, report.first.steps) == (1, "0x80", np.inf)
    bits[0x80] = 0x80
    assert table_report(bits, "exact", E4M3FN, signed_zeros=True).passed


def test_the_report_says_how_far_clamping_and_rounding_are_from_the_exact_value():
    kind, out = coded_type("int8", scale=1 / 16), coded_type("int8", scale=1 / 32)
    report = table_report(right_table("exact", kind, out), "exact", kind, out)
    assert report.passed and report.most is None and report.first is None
    assert report.farthest.code == "127"  # clamped at 127/32
    assert report.farthest.error == pytest.approx(127 / 32 - 127 / 16)


# Types and bad input.


def test_types_read_as_they_are_written():
    assert str(INT8) == "int8 (scale 1/32, zero point 0)" == str(coded_type(INT8))
    assert coded_type("Q3.4") == coded_type("q3.4") and str(coded_type("q3.4")) == "q3.4"
    assert coded_type("q5.10").dtype == np.int16
    assert coded_type("int8", scale="0.1").exact(3) == Fraction(3, 10)
    assert coded_type("int8", scale=0.1).exact(3) == 3 * Fraction(0.1)
    assert coded_type("int8", scale=" +1E-1", zero_point="-3").exact(0) == Fraction(3, 10)
    assert coded_type("int8", scale=Fraction(1, 2**100)).scale == Fraction(1, 2**100)
    assert coded_type("int8", scale=np.float32(0.1)).exact(3) == 3 * Fraction(
        float(np.float32(0.1))
    )
    assert coded_type("int8", scale=Decimal("0.1")).exact(3) == Fraction(3, 10)
    assert str(coded_type("float8_e5m2", scale=0.5, saturating=True)) == (
        "float8_e5m2 times 1/2, saturating"
    )


@pytest.mark.parametrize("name", ["float8_e4m3", "float8_e4m3fn", "float8_e5m2"])
def test_float8_is_rounded_as_by_ml_dtypes(name):
    kind = coded_type(name)
    numbers = np.unique(kind.values[np.isfinite(kind.values)])
    middles = (numbers[1:] + numbers[:-1]) / 2
    end = numbers[-1] + (numbers[-1] - numbers[-2]) / 2
    values = np.concatenate([numbers, middles, middles * (1 + 2**-20), [end, end * 1.01, 1e30]])
    values = np.concatenate([values, -values])
    theirs = values.astype(np.float32).astype(kind.dtype).view(np.uint8)
    assert np.array_equal(kind.rounded(values).view(np.uint8), theirs)
    ours = [int(kind.nearest(v).view(np.uint8)) for v in values if v]
    assert ours == theirs[values != 0].tolist()


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"name": "int8"}, ValueError, "int8 needs a scale"),
        *(
            ({"name": "int8", "scale": scale}, ValueError, "scale is")
            for scale in (0, -0.5, np.nan, np.inf, "0", "-1/32", "nan", "1/0", "x", True, 1e-300)
        ),
        *(
            ({"name": "int8", "scale": scale}, ValueError, "scale is")
            for scale in ("1e999999999", "1e-999999999", Decimal("1e999999999"), "٣", "1_0")
        ),
        ({"name": "int8", "scale": 1, "zero_point": 128}, ValueError, "from -128 to 127"),
        ({"name": "uint8", "scale": 1, "zero_point": -1}, ValueError, "from 0 to 255"),
        ({"name": "int8", "scale": 1, "zero_point": 0.5}, TypeError, "an integer"),
        ({"name": "int8", "scale": 1, "zero_point": "3.5"}, TypeError, "from -128 to 127"),
        ({"name": "int8", "scale": 1, "zero_point": "٣"}, TypeError, "from -128 to 127"),
        ({"name": "float8_e5m2", "saturating": "yes"}, TypeError, "accepted are True and False"),
        ({"name": "q03.4"}, ValueError, "qM.N"),
        ({"name": "q٣.4"}, ValueError, "qM.N"),
        ({"name": "int8", "scale": 1, "saturating": True}, ValueError, "does not take"),
        ({"name": "q3.4", "scale": 1}, ValueError, "does not take"),
        ({"name": "float8_e5m2", "zero_point": 0}, ValueError, "does not take"),
        *(({"name": name}, ValueError, "qM.N") for name in ("q3", "q3.x", "q-1.8", "q", "q3.40")),
        ({"name": "q3.5"}, ValueError, "9 bits with the sign"),
        ({"name": "float8_e4m3f"}, TypeError, "near are float8_e4m3"),
        ({"name": "int4"}, TypeError, "near are int8"),
        ({"name": np.int8}, TypeError, "int8, uint8"),
        ({"name": ["int8"]}, TypeError, "int8, uint8"),
        ({"name": "int8", "scale": np.array([1.0, 2.0])}, ValueError, "scale is"),
        ({"name": "float32"}, TypeError, "'float32'; accepted here are int8, uint8"),
    ],
)
def test_a_type_that_is_none_is_refused_in_one_line(arguments, error, said):
    with pytest.raises(error, match=said) as refused:
        coded_type(**arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "number"),
    [(INT8, np.inf), (INT8, np.nan), (coded_type("float8_e5m2", saturating=True), -np.inf)],
)
def test_a_saturating_type_has_no_code_for_infinity(kind, number):
    with pytest.raises(ValueError, match="has no code"):
        kind.nearest(number)
    assert E5M2.nearest(np.inf).astype(float) == np.inf


@pytest.mark.parametrize(
    ("table", "error", "said"),
    [
        (np.zeros(255, np.int8), ValueError, "accepted are 256 entries"),
        (np.zeros((16, 16), np.int8), ValueError, "accepted are 256 entries"),
        (np.zeros(256), TypeError, "accepted is int8"),
        (np.ma.zeros(256, np.int8), TypeError, "without a mask"),
        ([*range(256)], ValueError, "entry 128 is 128; accepted are -128 to 127"),
    ],
)
def test_a_table_that_is_none_is_refused_in_one_line(table, error, said):
    with pytest.raises(error, match=said):
        table_report(table, "exact", INT8)


def test_a_form_a_pair_and_steps_that_are_none_are_refused():
    with pytest.raises(ValueError, match="form is 'erf'"):
        right_table("erf", INT8)
    with pytest.raises(ValueError, match="may be nan"):
        right_table("exact", E4M3FN, INT8)
    for function in (right_table, lambda *a, **k: table_report(np.zeros(256, np.int8), *a, **k)):
        with pytest.raises(TypeError, match="derivative is 2; accepted are True and False"):
            function("exact", INT8, derivative=2)
    for steps in (-1, np.nan, np.inf, "a"):
        with pytest.raises(ValueError, match="steps is"):
            table_report(right_table("exact", INT8), "exact", INT8, steps=steps)
