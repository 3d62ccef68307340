"""A formula that is typed has the value that mpmath gives it; what is no arithmetic is refused."""

from fractions import Fraction

import mpmath
import pytest

from gelu_lib import lookup
from gelu_lib.provenance.literals.catalogue import constants
from gelu_lib.provenance.literals.formula_input import KEPT_DIGITS, is_formula, read_formula
from gelu_lib.provenance.literals.literal import LiteralError

FORMULAS = {
    "sqrt(2/pi)": lambda m: m.sqrt(2 / m.pi),
    "math.sqrt(2.0 / math.pi)": lambda m: m.sqrt(2 / m.pi),
    "√(2/π)·3×0.044715": lambda m: m.sqrt(2 / m.pi) * 3 * m.mpf("0.044715"),
    "e**-1.5 + log(7)": lambda m: m.exp(m.mpf("-1.5")) + m.log(7),
    "-(4 - pi)/(6*pi)": lambda m: (4 - m.pi) / (6 * m.pi),
    "2^0.5 − exp(+1e-3)": lambda m: m.sqrt(2) - m.exp(m.mpf("1e-3")),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_has_75_digits_by_another_route(text):
    with mpmath.workdps(90):
        expected = FORMULAS[text](mpmath)
        found = read_formula(text).value
        difference = abs(mpmath.mpf(found.numerator) / found.denominator - expected)
        assert difference < expected * mpmath.mpf("1e-74")


def test_no_constant_is_known_to_as_many_digits():
    known = [constant for constant in constants().values() if constant.uncertainty]
    assert all(one.uncertainty / one.value > Fraction(1, 10**KEPT_DIGITS) for one in known)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("sqrt(2/pi)", ["slope"]),
        ("(4 - pi)/(6*pi)", ["taylor-coefficient", "taylor-cubic"]),
        ("1.702/2", ["half-scale"]),
        ("M_SQRT2 * M_2_SQRTPI * 0.5", ["slope"]),  # so PyTorch
        ("-M_SQRT1_2", ["root-half"]),
        ("sqrtf(2.0f/M_PI)", ["slope"]),
        ("std::sqrt(2.0/M_PIf)", ["slope"]),
        ("1/M_SQRT2f", ["root-half"]),
        ("1.702f/logf (2.f)", ["scale-base-two"]),
        ("sqrt(2/3)", []),
        ("pi", []),
    ],
)
def test_a_formula_is_looked_up(text, ids):
    assert [match.constant.id for match in lookup(text).matches] == ids


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5*x", "x is not accepted"),
        ("M_SQRT1_3", "m_sqrt1_3 is not accepted"),
        ("__import__('os').system('true')", "is not accepted"),
        ("sqrt((1e400, 3))", "(1e400, 3) is not accepted"),
        ("sqrt(2, 3)", "is not accepted"),
        ("True + 1", "true is not accepted"),
        ("1j*2", "1j is not accepted"),
        ("0x10*2", "no real number"),
        ("sqrt(", "is no formula"),
        ("(" * 150 + "1", "is no formula"),
        ("9**9**9", "9**9**9 is too large;"),
        ("sqrt(-1)", "sqrt(-1) is no real number;"),
        ("1/0", "1/0 is no real number;"),
        ("exp(log(0))", "a logarithm of 0"),
        ("2 - 2", "is 0"),
        ("10**400", "is out of the range"),
        ("sqrt(2)*sqrt(2) - 2", "too many digits cancel"),
        ("1+" * 150 + "1", "a text of 301 characters"),
    ],
)
def test_what_is_no_formula_is_refused_and_the_message_says_why(text, said):
    with pytest.raises(LiteralError, match="literal is no formula that has a value") as caught:
        lookup(text)
    assert said in str(caught.value) and "accepted are" in str(caught.value)


@pytest.mark.parametrize("text", ["0.5", "-1e-3", "−1.702", "1.5e+2", "0x1p-3", "abc", "--1", ""])
def test_a_literal_and_a_word_are_no_formula(text):
    assert not is_formula(text)
