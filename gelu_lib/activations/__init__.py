"""GELU, its tanh form, its sigmoid form and their derivatives, on NumPy arrays.

Each form is f(x) = x·S(x) with S(x) + S(−x) = 1. Hence f(x) = x + f(−x) and f′(x) = 1 − f′(−x),
and the right half-line follows from the left one without loss (``blocks``). There GELU takes Φ from
a table and a step, as far as −8 (``table``). Farther out, and in the other functions, a result is a
moderate factor times exp(−v). An absolute error of v is a relative error of the result, so v is
taken as a float without rounding and a small rest (``gaussian``, ``logistic``). Each derivative has
one zero, near −0.75; the factor that vanishes there is taken out, so the digits are kept.

The constants 0.044715, 1.702 and √(2/π) are exact real numbers here, not the floats near them. The
result is the exact value of the formula, rounded. How far a formula is from GELU is another matter.

float16, bfloat16 and float32 are computed in float64, the derivative of GELU with a shorter
polynomial, and rounded once at the end. bfloat16 is that of the package ``ml_dtypes``, which
the extra ``bfloat16`` brings.

Work is done in blocks that fit the cache: beside the result at most 1 MiB is taken, however large
the array, and half as much more once, when the first call makes the table, in some hundredths of a
second. A float costs the same in an array of any size, but for a fixed cost of each call. An
element beyond ±8 costs several times as much. In arrays of 10⁸ numbers GELU takes 6 to 11 times as
long as a copy of the array: arithmetic sets its speed, not memory.

A unit in the last place (ULP) is the spacing of the floats in the binade of the exact value, or the
smallest subnormal. The errors stated below count in it at the zeros of the derivatives, too. They
are measured by ``benchmarks/float_accuracy.py``, with NumPy 2.4.6 on x86-64 with AVX-512: against
interval arithmetic, but in float32 against the float64 results wherever these tell which float32 is
nearest. With the exp of the GNU C library instead, at a fifth as many inputs, no largest error
found in float64 was greater.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from numpy.typing import ArrayLike

from gelu_lib.activations import gaussian, logistic
from gelu_lib.activations.arrays import Real, evaluate

__all__ = [
    "FORMS",
    "gelu",
    "gelu_derivative",
    "gelu_sigmoid",
    "gelu_sigmoid_derivative",
    "gelu_tanh",
    "gelu_tanh_derivative",
]


def gelu(x: ArrayLike, approximate: str | bool = "none") -> Real:
    """GELU(x) = xΦ(x), where Φ is the standard normal distribution function.

    Elsewhere this is ``torch.nn.functional.gelu(x)``, ``gelu`` and ``gelu_python`` of transformers,
    ``jax.nn.gelu(x, approximate=False)``, and ``Gelu`` of ONNX with ``approximate="none"``.

    The left tail is kept: a result is zero only where the exact value is nearer to zero than to
    the smallest subnormal number, which in float64 begins left of −38.5.

    Args:
        x: real numbers: a Python number, a NumPy scalar, an array or nested lists. Memory layout
            and byte order are free. A subclass such as ``np.matrix`` counts as a plain array, and
            so does a tensor of PyTorch that NumPy can read.
        approximate: ``"none"``, as PyTorch calls this form, or ``False``, as JAX does: what a call
            written for them says of it. The other forms are functions of their own.

    Returns:
        A new array of the shape of ``x``; a NumPy scalar for a NumPy scalar or a 0-d array; a
        Python float for a Python number. float16, bfloat16, float32 and float64 are kept, in
        native byte order. Integers and bools become float64. The value at −∞ and at −0.0 is −0.0,
        at +∞ it is +∞, at nan it is nan. No finite input gives nan, and no input gives a
        floating-point warning, whatever error state is set.

    Raises:
        TypeError: if ``x`` is complex, longdouble, text, a date, a masked array or an object that
            makes itself one, a ragged list, or an object such as ``None`` or an integer that does
            not fit 64 bits; or a tensor that NumPy cannot read, as one that has a gradient.
        ValueError: if ``approximate`` asks for another form; the message names its function.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import gelu
        >>> gelu(np.array([-1.0, 0.0, 2.0])).round(6)
        array([-0.158655,  0.      ,  1.9545  ])

    In float64 the largest error found is 3.27 ULP, at ``x = -0x1.2ab5d5e2993bep+5``, by a hill
    climb over 2,359,994 inputs (seed 20160627), subnormal results included. It is the largest
    found, not a bound. Over all float32 the largest error is 0.5000 ULP, at
    ``x = 0x1.6148de0000000p-16``; 2 results are not the nearest float32. Every float16 and every
    bfloat16 result is the nearest one.

    Source: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, arXiv:1606.08415, section 2.
    """
    is_none = isinstance(approximate, str) and approximate == "none"  # an array compares otherwise
    if not is_none and approximate is not False:
        raise ValueError(
            f"approximate is {approximate!r}; gelu is the exact form, so accepted are 'none' and "
            "False; the tanh form is gelu_tanh(x), the sigmoid form gelu_sigmoid(x)"
        )
    return evaluate(x, gaussian.GELU_VALUE)


def gelu_tanh(x: ArrayLike) -> Real:
    """The tanh form of GELU, x(1 + tanh(√(2/π)(x + 0.044715x³)))/2.

    Elsewhere this is ``torch.nn.functional.gelu(x, approximate="tanh")``, ``gelu_new``,
    ``gelu_pytorch_tanh``, ``gelu_fast``, ``gelu_accurate`` and ``gelu_python_tanh`` of
    transformers, ``jax.nn.gelu(x)``, and ``Gelu`` of ONNX with ``approximate="tanh"``.

    Left of about −21.5 it is −0.0 in float64, as the exact value of the formula is below half the
    smallest subnormal number there.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        As ``gelu``, with shape and float dtype kept and the same limits and signs of zero.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import gelu_tanh
        >>> gelu_tanh(np.array([-1.0, 0.0, 2.0])).round(6)
        array([-0.158808,  0.      ,  1.954598])

    In float64 the largest error found is 4.17 ULP, at ``x = -0x1.dcd07ea47bc22p+1``, by a hill
    climb over 2,359,994 inputs (seed 20160627), subnormal results included. It is the largest
    found, not a bound. Over all float32 the largest error is 0.5000 ULP, at
    ``x = 0x1.faf3860000000p-16``; 129 results are not the nearest float32. Every float16 and every
    bfloat16 result is the nearest one.

    Source: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, arXiv:1606.08415, section 2.
    """
    return evaluate(x, logistic.TANH_VALUE)


def gelu_sigmoid(x: ArrayLike) -> Real:
    """The sigmoid form of GELU, xσ(1.702x) with the logistic function σ.

    Elsewhere this is ``quick_gelu`` of transformers, and ``gelu_fast_approx`` of MLX.

    Left of about −441 it is −0.0 in float64, as the exact value of the formula is below half the
    smallest subnormal number there.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        As ``gelu``, with shape and float dtype kept and the same limits and signs of zero.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import gelu_sigmoid
        >>> gelu_sigmoid(np.array([-1.0, 0.0, 2.0])).round(6)
        array([-0.154204,  0.      ,  1.935659])

    In float64 the largest error found is 4.28 ULP, at ``x = -0x1.034f52cb94795p+1``, by a hill
    climb over 2,359,994 inputs (seed 20160627), subnormal results included. It is the largest
    found, not a bound. Over all float32 the largest error is 0.5000 ULP, at
    ``x = 0x1.fefe3e0000000p-18``; 146 results are not the nearest float32. Every float16 and every
    bfloat16 result is the nearest one.

    Source: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, arXiv:1606.08415, section 2.
    """
    return evaluate(x, logistic.SIGMOID_VALUE)


def gelu_derivative(x: ArrayLike) -> Real:
    """The derivative of GELU, Φ(x) + xφ(x), where φ is the standard normal density.

    It has one zero, near −0.75, where its two terms cancel. Elsewhere it is what a backward pass
    multiplies by: in PyTorch ``torch.ops.aten.gelu_backward(one, x)`` with ``one`` full of ones.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        Shape and float dtype kept, as by ``gelu``. The limit at −∞ is 0, given as −0.0 because it
        is approached from below; at +∞ it is 1. The value at nan is nan. No finite input gives
        nan, and no input gives a floating-point warning.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import gelu_derivative
        >>> gelu_derivative(np.array([-1.0, 0.0, 2.0])).round(6)
        array([-0.083315,  0.5     ,  1.085232])

    In float64 the largest error found is 5.26 ULP, at ``x = -0x1.3fe952d36470cp-1``, by a hill
    climb over 2,359,994 inputs (seed 20160627), subnormal results included. It is the largest
    found, not a bound. Over all float32 the largest error is 0.5053 ULP, at
    ``x = -0x1.3d6b620000000p-26``; 1,566,743 results are not the nearest float32. Every float16 and
    every bfloat16 result is the nearest one.

    Source: the product rule.
    """
    return evaluate(x, gaussian.GELU_DERIVATIVE)


def gelu_tanh_derivative(x: ArrayLike) -> Real:
    """The derivative of the tanh form, σ(v) + x·v′·σ(v)σ(−v) with v = 2√(2/π)(x + 0.044715x³).

    The usual way to write it multiplies 1 − tanh² by a polynomial: 0·∞ far out on either side.
    This evaluation does not. In PyTorch it is
    ``torch.ops.aten.gelu_backward(one, x, approximate="tanh")``.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        Shape and float dtype kept, limits as for ``gelu_derivative``.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import gelu_tanh_derivative
        >>> gelu_tanh_derivative(np.array([-1.0, 0.0, 2.0])).round(6)
        array([-0.082964,  0.5     ,  1.086099])

    In float64 the largest error found is 8.27 ULP, at ``x = -0x1.6f114533af3c2p+2``, by a hill
    climb over 2,359,994 inputs (seed 20160627), subnormal results included. It is the largest
    found, not a bound. Over all float32 the largest error is 0.5000 ULP, at
    ``x = -0x1.40d9320000000p-26``; 2 results are not the nearest float32. Every float16 and every
    bfloat16 result is the nearest one.

    Source: the product rule, and (1 + tanh u)/2 = σ(2u).
    """
    return evaluate(x, logistic.TANH_DERIVATIVE)


def gelu_sigmoid_derivative(x: ArrayLike) -> Real:
    """The derivative of the sigmoid form, σ(v) + v·σ(v)σ(−v) with v = 1.702x.

    The usual way to write it, with exp(−v)/(1 + exp(−v))², is ∞/∞ on the left; this evaluation is
    not.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        Shape and float dtype kept, limits as for ``gelu_derivative``.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import gelu_sigmoid_derivative
        >>> gelu_sigmoid_derivative(np.array([-1.0, 0.0, 2.0])).round(6)
        array([-0.06778 ,  0.5     ,  1.073815])

    In float64 the largest error found is 7.56 ULP, at ``x = -0x1.68332f5de3d76p+1``, by a hill
    climb over 2,359,994 inputs (seed 20160627), subnormal results included. It is the largest
    found, not a bound. Over all float32 the largest error is 0.5000 ULP, at
    ``x = -0x1.55bedc0000000p+2``; 3 results are not the nearest float32. Every float16 and every
    bfloat16 result is the nearest one.

    Source: the product rule, and σ′(v) = σ(v)σ(−v).
    """
    return evaluate(x, logistic.SIGMOID_DERIVATIVE)


FORMS: Mapping[str, Callable[[ArrayLike], Real]] = MappingProxyType(
    {"exact": gelu, "tanh": gelu_tanh, "sigmoid": gelu_sigmoid}
)
"""The three forms by the names that every table has for them.

``gelu_lib.functions.forms.FORMS`` has the same forms as exact expressions.

:meta hide-value:
"""
