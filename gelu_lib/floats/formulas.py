"""GELU as programs write it: the usual formulas, with each operation rounded to one type.

A formula takes an array of float64, float32, float16 or bfloat16 and keeps to that type: each
constant and the result of each operation is rounded to it, as ``gelu_lib.floats.arithmetic`` says.

``VALUES`` holds five ways to evaluate GELU, ``GRADIENTS`` the printed formulas of the slopes.
``EVALUATIONS`` has the ways in which programs spell the three forms; ``returned_range`` encloses
what one of these may return at worst. ``QUOTIENTS`` has the tanh form where tanh is made from
exponentials. The library's own evaluation, ``gelu_lib.activations``, is made of none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np

from gelu_lib._extras import flint
from gelu_lib.activations import FORMS
from gelu_lib.floats.arithmetic import (
    Operand,
    Widened,
    as_operand,
    cosh,
    erf,
    erfc,
    exp,
    ndtr,
    tanh,
    with_sign,
)
from gelu_lib.floats.types import float_type, round_to, unit_roundoff

REACH_BITS = 100
"""Working precision of the enclosures."""

ROOT_2 = np.sqrt(2.0)
ROOT_2_OVER_PI = np.sqrt(2 / np.pi)
ONE_OVER_ROOT_2_PI = 1 / np.sqrt(2 * np.pi)
CUBIC = 0.044715
PRINTED_SCALE = 1.702


@dataclass(frozen=True)
class Formula:
    """A formula, which is called with an array of floats.

    The error of a formula and the error of its evaluation are two things. The evaluation is held
    against ``value``, the same formula in exact arithmetic; the formula is held against ``aim``.

    Attributes:
        function: the operations, in their order.
        value: the exact value of the formula, as a name of ``gelu_lib.floats.ulp.ERROR_FUNCTIONS``.
        tex: the formula as it is printed, if it is.
    """

    function: Callable[[Operand], Operand]
    value: str
    tex: str = ""

    @property
    def aim(self) -> str:
        """What the formula is used for, ``gelu`` or ``gelu_derivative``."""
        return "gelu_derivative" if self.value.endswith("derivative") else "gelu"

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The formula at each float, silently, with the nan and the infinities that come out.

        Args:
            x: an array of one of the four types, of any shape.

        Returns:
            An array of the same type and shape.

        Raises:
            TypeError: if ``x`` is of another type.
        """
        x = np.asarray(x)
        float_type(x.dtype)
        with np.errstate(all="ignore"):
            return self.function(np.atleast_1d(x)).reshape(x.shape)


def through_float32(formula: Formula) -> Formula:
    """A formula as it is often run on 16 bits: in float32, and rounded once at the end.

    Args:
        formula: one of this module.

    Returns:
        The same formula, which takes and returns arrays of the same types.
    """

    def function(x: np.ndarray) -> np.ndarray:
        return round_to(formula.function(x.astype(np.float32)), x.dtype)

    return replace(formula, function=function)


def returned_range(formula: Formula, x: float, dtype: str) -> flint.arb:
    """All that a formula may return at an input, as far as ``Widened`` says.

    Each operation may be wrong by a unit roundoff, in either direction. Overflow and underflow are
    left out of account.

    Args:
        formula: one of this module.
        x: the input.
        dtype: the type in which every operation rounds.
    """
    with flint.ctx.workprec(REACH_BITS):
        return formula.function(Widened(flint.arb(x), unit_roundoff(dtype))).ball


def sigma(v: Operand) -> Operand:
    """The logistic function as it is printed, 1/(1 + e^(−v))."""
    return 1 / (1 + exp(-v))


# GELU. Products are taken from left to right, as written.


def erf_form(x: Operand) -> Operand:
    return x / 2 * (1 + erf(x / as_operand(ROOT_2, x)))


def ndtr_form(x: Operand) -> Operand:
    return x * ndtr(x)


def erfc_form(x: Operand) -> Operand:
    return x / 2 * erfc(-x / as_operand(ROOT_2, x))


def tanh_argument(x: Operand) -> Operand:
    """√(2/π)(x + 0.044715x³)."""
    return as_operand(ROOT_2_OVER_PI, x) * (x + as_operand(CUBIC, x) * (x * x * x))


def tanh_formula(x: Operand) -> Operand:
    return x / 2 * (1 + tanh(tanh_argument(x)))


def sigmoid_formula(x: Operand) -> Operand:
    return x * sigma(as_operand(PRINTED_SCALE, x) * x)


# The slopes as they are printed.


def gelu_slope(x: Operand) -> Operand:
    density = as_operand(ONE_OVER_ROOT_2_PI, x) * exp(-(x * x) / 2)
    return (1 + erf(x / as_operand(ROOT_2, x))) / 2 + x * density


def tanh_slope_square(x: Operand) -> Operand:
    t = tanh(tanh_argument(x))
    rise = as_operand(ROOT_2_OVER_PI, x) * (1 + as_operand(3 * CUBIC, x) * (x * x))
    return (1 + t) / 2 + x / 2 * rise * (1 - t * t)


def tanh_slope_cube(x: Operand) -> Operand:
    t = tanh(tanh_argument(x))
    spread = x + as_operand(3 * CUBIC, x) * (x * x * x)
    return (1 + t) / 2 + as_operand(ONE_OVER_ROOT_2_PI, x) * spread * (1 - t * t)


def tanh_slope_cosh(x: Operand) -> Operand:
    u = tanh_argument(x)
    c = cosh(u)
    spread = x + as_operand(3 * CUBIC, x) * (x * x * x)
    return (1 + tanh(u)) / 2 + as_operand(ONE_OVER_ROOT_2_PI, x) * spread * (1 / (c * c))


def sigmoid_slope_quotient(x: Operand) -> Operand:
    c = as_operand(PRINTED_SCALE, x)
    e = exp(-(c * x))
    return 1 / (1 + e) + c * x * e / ((1 + e) * (1 + e))


def sigmoid_slope_product(x: Operand) -> Operand:
    v = as_operand(PRINTED_SCALE, x) * x
    s = sigma(v)
    return s + v * s * (1 - s)


_U = r"\sqrt{2/\pi}\,(x + 0.044715\,x^3)"

VALUES: Mapping[str, Formula] = MappingProxyType(
    {
        "erf": Formula(erf_form, "gelu", r"\tfrac12 x\,(1 + \operatorname{erf}(x/\sqrt2))"),
        "ndtr": Formula(ndtr_form, "gelu", r"x\,\Phi(x)"),
        "erfc": Formula(erfc_form, "gelu", r"\tfrac12 x\operatorname{erfc}(-x/\sqrt2)"),
        "tanh": Formula(tanh_formula, "gelu_tanh", rf"\tfrac12 x\,(1 + \tanh({_U}))"),
        "sigmoid": Formula(sigmoid_formula, "gelu_sigmoid", r"x\,\sigma(1.702\,x)"),
    }
)
"""The five evaluations of GELU that are met most.

:meta hide-value:
"""

_EXACT, _TANH, _SIGMOID = (f"{form.__name__}_derivative" for form in FORMS.values())
_HALVES = r"\tfrac12 + \tfrac12\tanh u"
_SPREAD = r"\tfrac{1}{\sqrt{2\pi}}(x + 3\cdot 0.044715\,x^3)"
_RISE = r"\tfrac12 x\sqrt{2/\pi}\,(1 + 3\cdot 0.044715\,x^2)"
_E = r"e^{-1.702x}"
_QUOTIENT = rf"\frac{{1}}{{1 + {_E}}} + \frac{{1.702\,x\,{_E}}}{{(1 + {_E})^2}}"

GRADIENTS: Mapping[str, Formula] = MappingProxyType(
    {
        "gelu": Formula(gelu_slope, _EXACT, r"\Phi(x) + x\,\varphi(x)"),
        "tanh square": Formula(tanh_slope_square, _TANH, rf"{_HALVES} + {_RISE}(1 - \tanh^2 u)"),
        "tanh cube": Formula(tanh_slope_cube, _TANH, rf"{_HALVES} + {_SPREAD}(1 - \tanh^2 u)"),
        "tanh cosh": Formula(tanh_slope_cosh, _TANH, rf"{_HALVES} + {_SPREAD}/\cosh^2 u"),
        "sigmoid quotient": Formula(sigmoid_slope_quotient, _SIGMOID, _QUOTIENT),
        "sigmoid product": Formula(sigmoid_slope_product, _SIGMOID, r"s + 1.702\,x\,s\,(1 - s)"),
    }
)
"""The printed formulas of the slopes, with u = √(2/π)(x + 0.044715x³) and s = σ(1.702x).

:meta hide-value:
"""

# The forms as programs spell them. What is cut here is cut there.


def erf_product(x: Operand) -> Operand:
    return x / 2 * (1 + erf(x * as_operand(0.7071067811865476, x)))


def erf_halved_last(x: Operand) -> Operand:
    return (x * (1 + erf(x / as_operand(ROOT_2, x)))) / 2


def erfc_product(x: Operand) -> Operand:
    return x / 2 * erfc(-x * as_operand(0.70710678, x))


def short_erf(x: Operand) -> Operand:
    """erf by formula 7.1.26 of Abramowitz and Stegun, with an error of at most 1.5e-7."""
    z = abs(x * as_operand(0.70710678, x))
    t = 1 / (1 + as_operand(0.3275911, x) * z)
    rest = as_operand(1.061405429, x)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        rest = rest * t + as_operand(coefficient, x)
    return x / 2 * (1 + with_sign(1 - rest * t * exp(-(z * z)), x))


def tanh_by_factors(x: Operand) -> Operand:
    slope = as_operand(0.79788456, x) * x
    return x / 2 * (1 + tanh(slope * (1 + as_operand(CUBIC, x) * x * x)))


def tanh_by_square(x: Operand) -> Operand:
    slope = as_operand(0.79788456, x) + as_operand(0.0356774081, x) * (x * x)
    return x / 2 * (1 + tanh(x * slope))


def tanh_by_sigma(x: Operand) -> Operand:
    return x * sigma(as_operand(1.5957691216, x) * (x + as_operand(CUBIC, x) * (x * x * x)))


def sigmoid_quotient(x: Operand) -> Operand:
    return x / (1 + exp(-(as_operand(PRINTED_SCALE, x) * x)))


def sigmoid_by_tanh(x: Operand) -> Operand:
    return x / 2 * (1 + tanh(as_operand(0.851, x) * x))


SHORT = "erf by Abramowitz and Stegun 7.1.26"
"""The evaluation that is not used with 16 bits, as its constants have ten digits for a reason."""


_SPELLINGS: dict[str, dict[str, Callable[[Operand], Operand]]] = {
    "exact": {
        "0.5·x·(1 + erf(x·0.7071…))": erf_product,
        "x·(1 + erf(x/1.4142…))·0.5": erf_halved_last,
        "0.5·x·erfc(−x·0.70710678)": erfc_product,
        SHORT: short_erf,
    },
    "tanh": {
        "0.5·x·(1 + tanh(0.7978…·(x + 0.044715·x³)))": tanh_formula,
        "0.5·x·(1 + tanh(0.79788456·x·(1 + 0.044715·x²)))": tanh_by_factors,
        "0.5·x·(1 + tanh(x·(0.79788456 + 0.0356774081·x²)))": tanh_by_square,
        "x/(1 + exp(−1.5957691216·(x + 0.044715·x³)))": tanh_by_sigma,
    },
    "sigmoid": {
        "x·(1/(1 + exp(−1.702·x)))": sigmoid_formula,
        "x/(1 + exp(−1.702·x))": sigmoid_quotient,
        "0.5·x·(1 + tanh(0.851·x))": sigmoid_by_tanh,
    },
}

EVALUATIONS: Mapping[str, Mapping[str, Formula]] = MappingProxyType(
    {
        form: {way: Formula(function, FORMS[form].__name__) for way, function in ways.items()}
        for form, ways in _SPELLINGS.items()
    }
)
"""The usual spellings of each form, by the form and by what they write.

:meta hide-value:
"""

# The tanh form of a device whose tanh is a quotient of exponentials.


def by_one_exponential(x: Operand) -> Operand:
    e = exp(tanh_argument(x) * 2)
    return x / 2 * (1 + (e - 1) / (e + 1))


def by_sinh_and_cosh(x: Operand) -> Operand:
    u = tanh_argument(x)
    up, down = exp(u), exp(-u)
    return x / 2 * (1 + (up - down) / (up + down))


_ONE = r"\frac{e^{2u} - 1}{e^{2u} + 1}"
_TWO = r"\frac{e^u - e^{-u}}{e^u + e^{-u}}"

QUOTIENTS: Mapping[str, Formula] = MappingProxyType(
    {
        "one exponential": Formula(by_one_exponential, "gelu_tanh", rf"\tfrac12 x\,(1 + {_ONE})"),
        "sinh and cosh": Formula(by_sinh_and_cosh, "gelu_tanh", rf"\tfrac12 x\,(1 + {_TWO})"),
    }
)
"""The tanh form with two quotients by which shading languages have their tanh, of an argument u.

:meta hide-value:
"""
