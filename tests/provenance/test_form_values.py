"""From a value to the form, words in fixed point, packed float16, and the macros of C."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mp

from gelu_lib import lookup
from gelu_lib.__main__ import FOUND, NOT_ASKED, NOTHING, main
from gelu_lib.floats.types import FLOAT_TYPES, round_to
from gelu_lib.provenance.literals.catalogue import constants
from gelu_lib.provenance.literals.literal import LiteralError
from gelu_lib.provenance.literals.values import FARTHEST_INPUT, function_values, signed

DERIVATIVE = "the derivative of "


def gated(argument):
    return lambda x: x / (1 + mp.exp(-argument(x)))


def ramp(end):
    return lambda x: x * mp.mpf(min(max(x + end(), 0), 2 * end())) / (2 * end())


BY_MPMATH = {
    "the exact form": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "the tanh form": lambda x: (
        x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3)))
    ),
    "the sigmoid form": gated(lambda x: mp.mpf("1.702") * x),
    "SiLU": gated(lambda x: x),
    "ReLU": lambda x: max(x, mp.mpf(0)),
    "hard-swish": ramp(lambda: 3),
    "HardGELU": ramp(lambda: mp.mpf("1.58")),
}
SOME = ["2", "-7/2", "0.1", "-0.75", "1/3", "-12.5", "5", "-1.57", "3.01", "-39", "40", "1e-9"]


@pytest.mark.parametrize("x", SOME)
def test_values_and_slopes_are_those_of_mpmath(x):
    found = function_values(Fraction(x))
    with mp.workdps(2700):  # tanh is −1 but for the 1864th digit, and a quotient loses 500
        at, step = mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator, mp.mpf(10) ** -500
        for of, function in BY_MPMATH.items():
            slope = (function(at + step) - function(at - step)) / (2 * step)
            for name, true in ((of, function(at)), (DERIVATIVE + of, slope)):
                mine = mp.mpf(found[name].numerator) / found[name].denominator
                assert abs(mine - true) <= mp.mpf(10) ** -55 * abs(true), name
    assert len(found) == 2 * len(BY_MPMATH)


def test_at_a_corner_there_is_no_slope():
    assert {
        x: [
            of.removeprefix(DERIVATIVE)
            for of in BY_MPMATH
            if DERIVATIVE + of not in function_values(x)
        ]
        for x in map(Fraction, ("0", "3", "-3", "1.58", "2"))
    } == {0: ["ReLU"], 3: ["hard-swish"], -3: ["hard-swish"], Fraction("1.58"): ["HardGELU"], 2: []}


def fits(text):
    return [(value.of, value.way) for value in lookup(text).values]


@pytest.mark.parametrize("places", [4, 7, 16, 40])
def test_what_is_printed_of_a_function_is_found_to_be_its_value(places):
    drawn = random.Random(places)
    for of, function in BY_MPMATH.items():
        x = f"{drawn.uniform(-3, 3):.3f}"
        with mp.workdps(80):
            y = function(mp.mpf(x))
            text = mp.nstr(y, places, min_fixed=-9, strip_zeros=False)
            if not y:
                continue
            assert (of, "rounded") in fits(f"({x}, {text})"), (of, x)
            # half a unit and more away it is another number
            unit = mp.mpf(10) ** (mp.floor(mp.log10(abs(y))) - places + 1)
            off = mp.nstr(
                mp.mpf(text) + (1 if y > 0 else -1) * unit, places, min_fixed=-9, strip_zeros=False
            )
            assert (of, "rounded") not in fits(f"f({x}) = {off}")


def test_the_answer_to_the_question_on_precision():
    assert fits("(2, 1.9546)") == fits("GELU(2) = 1.9546") == [("the tanh form", "rounded")]
    said = str(lookup("gelu(2.0)=1.9546"))
    assert "the exact form at 2 is 1.9544997, which would be written 1.9545, 1.0e-4 away" in said
    # with the last digit of the other both are left, one of them cut off
    both = [("the exact form", "rounded"), ("the tanh form", "truncated")]
    assert fits("(2, 1.9545)") == both
    assert "at -3 the exact form is -0.004050" in str(lookup("(2, 1.9545)"))
    assert fits("(-3, -0.0036)") == [("the tanh form", "rounded")]


@pytest.mark.parametrize("type", FLOAT_TYPES)
def test_what_a_type_makes_of_a_value_is_told(type):
    with mp.workdps(60):
        exact = BY_MPMATH["the tanh form"](
            mp.mpf(0.7 if type == "float64" else float(round_to(0.7, type)))
        )
    made = round_to(float(exact), type)
    text = {"float64": "{:.17g}", "float32": "{:.9g}", "float16": "{:.5g}", "bfloat16": "{:.5g}"}[
        type
    ]
    answer = lookup(f"(0.7, {text.format(float(made))})")
    assert ("the tanh form", type) in [(value.of, value.way) for value in answer.values]
    assert f"which {type} makes what is written" in str(answer)


def test_where_several_fit_or_none_the_answer_says_so():
    half = lookup("(0, 0.5)")
    assert len(half.values) == 6 and "at -1.5 the derivative of the" in str(half)
    none = lookup("(2, 1.97)")
    assert not none.values and len(str(none).splitlines()) == 5
    assert "no function known here has this value" in str(none) and "0.015 away" in str(none)
    assert fits("(2, -1.9546)") == [] != fits("(2, 0x3ffa3042)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(41, 2)", f"x is 41; accepted is -{FARTHEST_INPUT} to {FARTHEST_INPUT}"),
        ("(2, abc)", r"in the pair '\(2, abc\)' the value is 'abc'; accepted is a decimal"),
        ("(2, 0)", "which is 0"),
        ("(0, 0)", r"in the pair '\(0, 0\)' the value is '0', which is 0; accepted is another"),
        ("(2, 1/2)", "the value is 1/2; accepted is one with digits"),
        ("gelu(2) = ", "sqrt|no formula"),
        *(
            (text, "accepted is a pair of an input and a value, such as")
            for text in ("(2, )", "(nan, 1)", "(1e400, 1)", "(1/0, 2)", "(1,2,3)", "1.9546 at two")
        ),
        (f"(1.{'0' * 200}, 2)", "at most 200"),
        (f"0x{'1' * 200} as Q1.2", "at most 200"),
    ],
)
def test_other_pairs_are_refused_in_one_line(text, said):
    with pytest.raises(LiteralError, match=said) as caught:
        lookup(text)
    assert "\n" not in str(caught.value)


def test_a_value_at_an_input_is_a_pair():
    for text in ("1.9546 at 2", "1.9546 at x = 2.0", "0x3ff.a3p-9 at 2e0"):
        assert lookup(text).others is not None, text
    assert str(lookup("1.9546 at 2")).split("\n")[1:] == str(lookup("(2, 1.9546)")).split("\n")[1:]
    assert lookup("-0.1588 at -1").values == lookup("(-1, -0.1588)").values


def test_a_number_that_is_nothing_else_may_be_a_value():
    (value,) = lookup("1.9546").values
    assert (value.of, value.x) == ("the tanh form", 2)
    assert [v.of for v in lookup("0.0036374").values] == ["the tanh form"]
    assert not lookup("1.954").values and not lookup("0.044715").values
    assert not lookup("0.44715").values  # a slip


def test_small_numbers_are_shown_with_an_exponent_and_all_with_their_digits():
    shown = {
        "1/2": "0.500",
        "-1/3": "-0.333",
        "1/1001": "9.99e-4",
        "2": "2.00",
        "12345": "12345",
        "0": "0",
    }
    assert {text: signed(Fraction(text), 3) for text in shown} == shown | {"12345": "12300"}


# Words of bits.


def read(text):
    return [(r.type, r.value) for r in lookup(text).readings]


def test_a_word_is_read_in_the_format_asked_for():
    assert read("0x002DC6C5 as Q5.26") == [("Q5.26", Fraction(3000005, 2**26))]
    assert lookup("0x002DC6C5", "Q5.26") == lookup("0x002DC6C5 as Q5.26")
    assert read("32'sh002DC6C5 as q5.26") == read("3000005 as Q5.26") == read("0x2DC6C5 as Q5.26")
    assert read("0xFFD2393B as Q5.26") == read("0x002DC6C5 as Q5.26")  # the sign is dropped
    assert read("16'hCC42 as UQ0.16") == [("UQ0.16", Fraction(0xCC42, 2**16))]
    assert read("16'b1100_1100_0100_0010 as UQ0.16") == read("16'd52290 as UQ0.16")
    assert read("8'sd91 as Q0.7") == [("Q0.7", Fraction(91, 128))]
    draw = random.Random(26)
    for _ in range(40):
        before, behind = draw.randint(0, 12), draw.randint(4, 30)
        word = draw.getrandbits(1 + before + behind) | 1
        signed_word = word - 2 ** (1 + before + behind) * (word >> before + behind)
        said = read(f"0x{word:X} as Q{before}.{behind}")
        assert said == [(f"Q{before}.{behind}", abs(Fraction(signed_word, 2**behind)))]


def test_the_slip_of_one_hexadecimal_digit_is_named():
    answer = lookup("0x002DC6C5 as Q5.26")
    assert not answer.matches and [slip.meant for slip in answer.slips] == ["0x002DC9C5"]
    assert Fraction(0x2DC9C5, 2**26) == round(Fraction("0.044715") * 2**26) / Fraction(2**26)
    assert "0x002DC9C5 (0.044715): one hexadecimal digit" in str(answer)
    (match, *_) = lookup("0x002DC9C5 as Q5.26").matches
    assert (match.constant.id, match.kind) == ("cubic", "rounded")
    for wrong in ("0x002DC6C6", "0x002D0905", "0x012DC6C5"):  # two digits are other ones
        assert not lookup(f"{wrong} as Q5.26").slips
    scale = round(Fraction("1.702") * 2**12)
    for place in range(4):
        found = lookup(f"0x{scale ^ 5 << 4 * place:04X} as Q3.12").slips
        assert ("scale", f"0x{scale:04X}") in [(slip.constant.id, slip.meant) for slip in found]


def test_without_a_format_those_are_told_in_which_a_word_is_a_constant():
    assert [type for type, _ in read("32'sh002DC9C5")] == ["Q5.26"]
    assert [type for type, _ in read("0x002DC9C5")] == ["float32", "Q5.26"]
    assert {type for type, _ in read("16'hCC42")} == {"UQ0.16", "UQ1.15"}
    for id in ("slope", "scale", "as-p", "free-cubic"):
        for behind in (20, 24, 28):
            word = round(constants()[id].value * 2**behind)
            assert f"Q{31 - behind}.{behind}" in dict(read(f"32'sh{word:08x}")), id
    with pytest.raises(LiteralError, match="no constant in any format; accepted is a word of bits"):
        lookup("30'sh002DC6C5")
    for prefix in ("32'sh", "32'h"):  # a word of Verilog is told as one with 0x is
        said, same = (str(lookup(f"{p}002DC6C5")).split("\n")[1:] for p in (prefix, "0x"))
        assert said == same
    assert read("32'h3f4c422a") == read("0x3f4c422a") and read("16'd15744") == read("0x3d80")
    assert 'has to have a format, as in "0x002DC6C5 as Q5.26"' in str(lookup("0x002DC6C5"))
    assert "format" not in str(lookup("0x3f4c422a"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0x12345 as Q3.12", "of more than 16 bits"),
        ("8'hFFF", "of more than 8 bits"),
        ("7 as Q0.0", "of more than 1 bits"),
        ("0x3d37 as Q", "accepted is"),
        ("0x3d37 as float32", "accepted is"),
        ("16'hXY", "accepted is"),
        ("0 as Q1.2", "which is 0; accepted is a word of bits"),
        ("0x0 as Q0.0", "which is 0"),
        ("0x002DC6C5 as Q9.99", "a word of 32 bits for a format of 109; accepted is a word"),
        ("0x0012 as Q0.7", "a word of 16 bits for a format of 8"),
        ("16'h0012 as Q0.7", "a word of 16 bits for a format of 8"),
        ("8'h12 as Q0.10", "a word of 8 bits for a format of 11"),
        ("12ab as Q5.26", "of other digits; accepted is a word of bits"),
    ],
)
def test_other_words_are_refused_in_one_line(text, said):
    with pytest.raises(LiteralError, match=said) as caught:
        lookup(text)
    assert "\n" not in str(caught.value)


def test_two_packed_float16_are_read_where_both_are_constants_or_equal():
    half = {
        text: float(np.uint16(int(text, 16)).view(np.float16)) for text in ("3a62", "29b9", "1234")
    }
    assert read("0x3a623a62")[1:] == [("float16", half["3a62"])]
    assert read("0x29b93a62")[1:] == [("float16", half["29b9"]), ("float16", half["3a62"])]
    assert read("0x12341234")[1:] == [("float16", half["1234"])]
    assert "as packed float16 0.7978515625" in str(lookup("0x3A623A62u"))
    for text in ("0x12343a62", "0x00003a62", "0x7c003a62", "0x3f4c422a"):
        assert len(read(text)) == 1, text


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        ("M_LOG2E", "1/log(2)"),
        ("M_LN2*M_1_PI", "log(2)/pi"),
        ("sqrt(M_2_PI)", "sqrt(2/pi)"),
        ("2*log2(e)", "2/log(2)"),
        ("exp2(0.5)", "sqrt(2)"),
        ("log2(3)", "log(3)/log(2)"),
        ("3.0f*0.044715f", "3*0.044715"),
    ],
)
def test_binary_functions_macros_and_the_suffix_of_c_are_read(formula, same):
    (one,), (two,) = lookup(formula).readings, lookup(same).readings
    assert abs(one.value - two.value) <= one.unit


def test_the_command_asks_for_a_type_and_for_a_value(capsys):
    assert main(["lookup", "0x002DC9C5", "--as", "Q5.26"]) == FOUND
    assert capsys.readouterr().out == f"{lookup('0x002DC9C5 as Q5.26')}\n"
    assert main(["lookup", "(2, 1.9546)"]) == FOUND and main(["lookup", "(2, 1.97)"]) == NOTHING
    assert main(["lookup", "0x002DC9C5", "--as", "Q2.3"]) == NOT_ASKED
    assert "of more than 6 bits" in capsys.readouterr().err
    no_words = ("0x002DC9C5", "abc"), ("0x002DC9C5", "Q-1.26"), ("0.5", "Q5.26"), ("(2, 1)", "Q0.7")
    for number, format in no_words:
        assert main(["lookup", number, "--as", format]) == NOT_ASKED
        said = "with a format (as_type, --as) accepted is a word of bits and its format, such as"
        assert said in capsys.readouterr().err
    assert main(["lookup", "32'sh002DC6C5"]) == main(["lookup", "0x002DC6C5"]) == NOTHING
