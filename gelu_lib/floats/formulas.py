"""GELU as programs write it: the usual formulas, with each operation rounded to one type.

A formula takes an array of float64, float32, float16 or bfloat16 and keeps to that type: each
constant and the result of each operation is rounded to it. The functions erf, erfc, ndtr, exp,
tanh and cosh are granted to be good: SciPy or NumPy evaluates them in float64, and the value is
rounded once. So what is lost, the formula has lost. A library's own float32 or float16 function may
lose more.

``VALUES`` holds five ways to evaluate GELU, ``GRADIENTS`` the printed formulas of the slopes, and
``FACTORED`` the same slopes in a shape that no finite input turns into nan. The library's own
evaluation, ``gelu_lib.activations``, is made of none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import scipy.special

from gelu_lib.floats.types import float_type, round_to

__all__ = ["FACTORED", "GRADIENTS", "VALUES", "Formula", "erf_steps", "through_float32"]

Floats = np.ndarray

ROOT_2 = np.sqrt(2.0)
ROOT_2_OVER_PI = np.sqrt(2 / np.pi)
DENSITY_AT_0 = 1 / np.sqrt(2 * np.pi)
CUBIC = 0.044715
SCALE = 1.702


@dataclass(frozen=True)
class Formula:
    """A formula, which is called with an array of floats.

    The error of a formula and the error of its evaluation are two things. The evaluation is held
    against ``value``, the same formula in exact arithmetic; the formula is held against ``aim``.

    Attributes:
        name: the key in ``VALUES``, ``GRADIENTS`` or ``FACTORED``.
        tex: the formula as it is printed.
        function: the operations, in their order.
        value: the exact value of the formula, as a name of ``float_errors.ERROR_FUNCTIONS``.
        aim: what the formula is used for, ``gelu`` or ``gelu_derivative``.
    """

    name: str
    tex: str
    function: Callable[[Floats], Floats]
    value: str
    aim: str

    def __call__(self, x: Floats) -> Floats:
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
        The formula with the same names, which takes and returns arrays of the same types.
    """

    def function(x: Floats) -> Floats:
        return round_to(formula.function(x.astype(np.float32)), x.dtype)

    return replace(formula, function=function)


# The functions that are granted.


def _granted(function: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """A function of float64 as one of every type, rounded once."""
    return lambda x: round_to(function(x.astype(np.float64)), x.dtype)


def _good_tanh(u: Floats) -> Floats:
    """tanh by its distance to ±1 far out: NumPy's own may round that distance away too early."""
    far = np.copysign(1 - 2 / (np.exp(2 * np.abs(u)) + 1), u)
    return np.where(np.abs(u) < 2, np.tanh(u), far)


erf, erfc, ndtr = map(_granted, (scipy.special.erf, scipy.special.erfc, scipy.special.ndtr))
exp, cosh, tanh = map(_granted, (np.exp, np.cosh, _good_tanh))


def constant(number: float, x: Floats) -> Floats:
    """A constant of the type of x."""
    return round_to(number, x.dtype)


def sigma(v: Floats) -> Floats:
    """The logistic function as it is printed, 1/(1 + e^(−v))."""
    return 1 / (1 + exp(-v))


# GELU. Products are taken from left to right, as written.


def erf_steps(x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Every intermediate result of ½x(1 + erf(x/√2)).

    Args:
        x: an array of one of the four types.

    Returns:
        Four arrays of the same type, which hold x/√2, its erf, 1 + erf, and the value.
    """
    z = x / constant(ROOT_2, x)
    e = erf(z)
    s = 1 + e
    return z, e, s, x / 2 * s


def erf_form(x: Floats) -> Floats:
    return erf_steps(x)[-1]


def ndtr_form(x: Floats) -> Floats:
    return x * ndtr(x)


def erfc_form(x: Floats) -> Floats:
    return x / 2 * erfc(-x / constant(ROOT_2, x))


def tanh_argument(x: Floats) -> Floats:
    """√(2/π)(x + 0.044715x³)."""
    return constant(ROOT_2_OVER_PI, x) * (x + constant(CUBIC, x) * (x * x * x))


def tanh_form(x: Floats) -> Floats:
    return x / 2 * (1 + tanh(tanh_argument(x)))


def sigmoid_form(x: Floats) -> Floats:
    return x * sigma(constant(SCALE, x) * x)


# The slopes as they are printed.


def gelu_slope(x: Floats) -> Floats:
    density = constant(DENSITY_AT_0, x) * exp(-(x * x) / 2)
    return (1 + erf(x / constant(ROOT_2, x))) / 2 + x * density


def tanh_slope_square(x: Floats) -> Floats:
    t = tanh(tanh_argument(x))
    rise = constant(ROOT_2_OVER_PI, x) * (1 + constant(3 * CUBIC, x) * (x * x))
    return (1 + t) / 2 + x / 2 * rise * (1 - t * t)


def tanh_slope_cube(x: Floats) -> Floats:
    t = tanh(tanh_argument(x))
    spread = x + constant(3 * CUBIC, x) * (x * x * x)
    return (1 + t) / 2 + constant(DENSITY_AT_0, x) * spread * (1 - t * t)


def tanh_slope_cosh(x: Floats) -> Floats:
    u = tanh_argument(x)
    c = cosh(u)
    spread = x + constant(3 * CUBIC, x) * (x * x * x)
    return (1 + tanh(u)) / 2 + constant(DENSITY_AT_0, x) * spread * (1 / (c * c))


def sigmoid_slope_quotient(x: Floats) -> Floats:
    c = constant(SCALE, x)
    e = exp(-(c * x))
    return 1 / (1 + e) + c * x * e / ((1 + e) * (1 + e))


def sigmoid_slope_product(x: Floats) -> Floats:
    v = constant(SCALE, x) * x
    s = sigma(v)
    return s + v * s * (1 - s)


# The same slopes, factored. The argument is held where the result has long been 0 or 1, so that
# nothing overflows that is multiplied by 0; exp has no positive argument, so it cannot overflow.


def held(x: Floats, limit: int) -> Floats:
    """x, or ±limit beyond; not by np.clip, which makes float32 of bfloat16."""
    return np.maximum(np.minimum(x, limit), -limit)


def gelu_slope_factored(x: Floats) -> Floats:
    x = held(x, 40)
    density = constant(DENSITY_AT_0, x) * exp(-(x * x) / 2)
    return erfc(-x / constant(ROOT_2, x)) / 2 + x * density


def tanh_slope_factored(x: Floats) -> Floats:
    x = held(x, 32)
    rise = 2 * constant(ROOT_2_OVER_PI, x) * (1 + constant(3 * CUBIC, x) * (x * x))
    ahead, behind = both_sigmas(2 * tanh_argument(x))
    return ahead * (1 + x * rise * behind)


def sigmoid_slope_factored(x: Floats) -> Floats:
    v = constant(SCALE, x) * held(x, 1024)
    ahead, behind = both_sigmas(v)
    return ahead * (1 + v * behind)


def both_sigmas(v: Floats) -> tuple[Floats, Floats]:
    """σ(v) and σ(−v), through the exponential of −\\|v\\| alone."""
    t = exp(-np.abs(v))
    return np.where(v < 0, t, 1) / (1 + t), np.where(v < 0, 1, t) / (1 + t)


def _named(*formulas: Formula) -> Mapping[str, Formula]:
    return MappingProxyType({formula.name: formula for formula in formulas})


_U = r"\sqrt{2/\pi}\,(x + 0.044715\,x^3)"

VALUES: Mapping[str, Formula] = _named(
    Formula("erf", r"\tfrac12 x\,(1 + \operatorname{erf}(x/\sqrt2))", erf_form, "gelu", "gelu"),
    Formula("ndtr", r"x\,\Phi(x)", ndtr_form, "gelu", "gelu"),
    Formula("erfc", r"\tfrac12 x\operatorname{erfc}(-x/\sqrt2)", erfc_form, "gelu", "gelu"),
    Formula("tanh", rf"\tfrac12 x\,(1 + \tanh({_U}))", tanh_form, "gelu_tanh", "gelu"),
    Formula("sigmoid", r"x\,\sigma(1.702\,x)", sigmoid_form, "gelu_sigmoid", "gelu"),
)
"""The five evaluations of GELU that are met most.

:meta hide-value:
"""


def _slope(name: str, tex: str, function: Callable[[Floats], Floats], value: str) -> Formula:
    return Formula(name, tex, function, f"{value}_derivative", "gelu_derivative")


_HALVES = r"\tfrac12 + \tfrac12\tanh u"
_SPREAD = r"\tfrac{1}{\sqrt{2\pi}}(x + 3\cdot 0.044715\,x^3)"
_RISE = r"\tfrac12 x\sqrt{2/\pi}\,(1 + 3\cdot 0.044715\,x^2)"
_E = r"e^{-1.702x}"

GRADIENTS: Mapping[str, Formula] = _named(
    _slope("gelu", r"\Phi(x) + x\,\varphi(x)", gelu_slope, "gelu"),
    _slope("tanh square", rf"{_HALVES} + {_RISE}(1 - \tanh^2 u)", tanh_slope_square, "gelu_tanh"),
    _slope("tanh cube", rf"{_HALVES} + {_SPREAD}(1 - \tanh^2 u)", tanh_slope_cube, "gelu_tanh"),
    _slope("tanh cosh", rf"{_HALVES} + {_SPREAD}/\cosh^2 u", tanh_slope_cosh, "gelu_tanh"),
    _slope(
        "sigmoid quotient",
        rf"\frac{{1}}{{1 + {_E}}} + \frac{{1.702\,x\,{_E}}}{{(1 + {_E})^2}}",
        sigmoid_slope_quotient,
        "gelu_sigmoid",
    ),
    _slope("sigmoid product", r"s + 1.702\,x\,s\,(1 - s)", sigmoid_slope_product, "gelu_sigmoid"),
)
"""The printed formulas of the slopes, with u = √(2/π)(x + 0.044715x³) and s = σ(1.702x).

:meta hide-value:
"""

_V = r"\sigma(v)\,(1 + x\,v'\,\sigma(-v))"

FACTORED: Mapping[str, Formula] = _named(
    _slope(
        "gelu factored",
        r"\tfrac12\operatorname{erfc}(-x/\sqrt2) + x\,\varphi(x)",
        gelu_slope_factored,
        "gelu",
    ),
    _slope("tanh factored", _V, tanh_slope_factored, "gelu_tanh"),
    _slope("sigmoid factored", _V, sigmoid_slope_factored, "gelu_sigmoid"),
)
"""The slopes in a shape that gives nan for nan alone, and the limits 0 and 1 at ∓∞.

Here v = 2u or v = 1.702x, and x is held within ±40, ±32 or ±1024.

:meta hide-value:
"""
