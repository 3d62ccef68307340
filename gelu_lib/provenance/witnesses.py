"""Which inputs tell the three forms apart, proved, and which tests pass the wrong form.

Let τ(x, V) be the tolerance of a form V at x. If \\|V(x) − W(x)\\| > τ(x, V) + τ(x, W), no value is
within the tolerance of both. An input where this holds for each two of the three forms is a
*witness*: a callable that is one of the forms to within its tolerance is told by its one value
there. Fewer than one input tell nothing, so a set of one witness is a smallest set. Here the
margin, the quotient of both sides, is enclosed by interval arithmetic.

In the other direction, a callable that rounds every operation to 16 bits is allowed
a·min(\\|x\\|, 8) and more. Let e be the largest error of Φ in the tanh form, and E that of GELU.
The exact and the tanh form differ by e·\\|x\\| and by E at most. If e < 2a and E < 16a, their
tolerances meet at every real x. No set of inputs, however large, then tells the two apart.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf

import numpy as np
from flint import arb, ctx, fmpq
from scipy.special import ndtri

from gelu_lib.activations import FORMS, gelu
from gelu_lib.certificates.balls import bits
from gelu_lib.certificates.enclosures import Enclosure, enclosure
from gelu_lib.certificates.sup_errors import certified_error_within, certified_sup_error
from gelu_lib.floats.types import float_type, round_to
from gelu_lib.floats.ulp import exact
from gelu_lib.functions.forms import APPROXIMATIONS
from gelu_lib.provenance.inputs import inputs_between
from gelu_lib.provenance.tolerances import PAIRS, REACH, Tolerance, margins, tolerance, workings

COMMON_WITNESS = -3.5
"""One input for all four types, if callables work in float32 or better. It is not the best one for
any of them, and is easy to remember."""

COARSE_WITNESS = -2.171875
"""One input that tells the sigmoid form from the other two if every operation rounds to 16 bits."""

TANH = APPROXIMATIONS["tanh"]
"""The tanh form, as a member of its family."""

SHARED = {"Phi": 2, "GELU": 2 * int(REACH)}
"""How many a the tolerances of two forms have together, by the function in whose error they count:
a for each 1 of the size of x, and no more than 8a for each form."""

GUARD_DIGITS = 10
"""Digits computed beyond those that are asked for."""


def best_witness(
    dtype: str, working: str = "float32", pairs: tuple[tuple[str, str], ...] = PAIRS
) -> float:
    """The bfloat16 or float16 number between −8 and 8 with the largest margin.

    Every bfloat16 in that range with a size of at least 2⁻¹⁰ is a float of each of the four types,
    so these are searched; for float16 its own floats are.

    Args:
        dtype: one of the four types.
        working: one of ``workings(dtype)``.
        pairs: which forms are to be told apart.

    Returns:
        The input where the least margin of the pairs is the largest. It is found in float64;
        ``certified_margins`` proves what is claimed of it.
    """
    searched = "float16" if dtype == "float16" else "bfloat16"
    x = inputs_between(float_type(searched), -8.0, 8.0)
    found = margins(x, tolerance(dtype, working))
    return float(x[np.argmax(np.min([found[pair] for pair in pairs], axis=0))])


def certified_margins(
    x: float, allowed: Tolerance, digits: int = 10
) -> dict[tuple[str, str], Enclosure]:
    """How clearly each two forms differ at an input, proved.

    Args:
        x: the input.
        allowed: the tolerance.
        digits: how many digits the enclosures shall have.

    Returns:
        For each two forms an enclosure of \\|V(x) − W(x)\\| / (τ(x, V) + τ(x, W)). Above 1 no value
        is within both tolerances.
    """
    working = bits(digits + GUARD_DIGITS)
    values = {name: exact(form.__name__, x, working) for name, form in FORMS.items()}
    with ctx.workprec(working):
        widths = {name: _width(allowed, x, value) for name, value in values.items()}
        return {
            (one, other): enclosure(
                abs(values[one] - values[other]) / (widths[one] + widths[other]),
                digits + GUARD_DIGITS // 2,
            )
            for one, other in PAIRS
        }


def least(found: dict[tuple[str, str], Enclosure]) -> Enclosure:
    """The enclosure of the least of enclosed numbers."""
    return Enclosure(
        min(enclosure.lower for enclosure in found.values()),
        min(enclosure.upper for enclosure in found.values()),
    )


def certified_overlap(dtype: str, digits: int = 10) -> Enclosure:
    """How much of the tolerance the exact and the tanh form may differ by in 16-bit arithmetic.

    Args:
        dtype: ``"float16"`` or ``"bfloat16"``.
        digits: how many digits the enclosure shall have.

    Returns:
        The greater of e/(2a) and E/(16a). Below 1 the tolerances of both forms meet at every
        real x, so that no inputs tell the two apart.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if callables of the type are not judged by arithmetic of 16 bits.
        CertificationError: if a proof fails.
    """
    if len(workings(dtype)) == 1:
        raise ValueError(f"dtype is {dtype!r}; accepted are float16 and bfloat16")
    absolute = Fraction(tolerance(dtype, dtype).absolute)
    errors = {of: certified_sup_error(TANH, of, digits + GUARD_DIGITS).error for of in SHARED}
    with ctx.workprec(bits(digits + GUARD_DIGITS)):
        unit = arb(fmpq(absolute.numerator, absolute.denominator))
        quotients = [error.ball / (SHARED[of] * unit) for of, error in errors.items()]
        ends = [enclosure(quotient, digits + GUARD_DIGITS // 2) for quotient in quotients]
    return Enclosure(max(e.lower for e in ends), max(e.upper for e in ends))


def is_proved_witness(x: float, allowed: Tolerance) -> bool:
    """Whether it is proved that no value at ``x`` is within the tolerances of two forms."""
    return least(certified_margins(x, allowed)).lower > Decimal(1)


def _width(allowed: Tolerance, x: float, value: arb) -> arb:
    return (
        arb(allowed.relative) * abs(value)
        + arb(allowed.absolute) * min(abs(x), REACH)
        + arb(allowed.underflow)
    )


# Which tests pass the wrong form: how far it is from the exact one on the inputs that they take. A
# test asks |y − GELU(x)| ≤ atol + rtol·|GELU(x)| at some inputs. It passes a wrong form if its
# inputs lie where the forms are near, or its tolerance exceeds their distance.

DIFFERENCE_DIGITS = 7
"""To how many digits a largest difference is enclosed."""

QUANTILES = 100_000
"""How many normal inputs stand for the distribution, evenly spaced in probability."""


def largest_difference(variant: str, half_width: float) -> Enclosure:
    """The largest \\|GELU(x) − form(x)\\| for \\|x\\| up to a number, between two proved ends.

    Args:
        variant: ``"tanh"`` or ``"sigmoid"``.
        half_width: where the range ends; infinite for the whole line.

    Raises:
        ValueError: if ``variant`` is something else, or ``half_width`` is not positive.
        CertificationError: if the proof fails.
    """
    if variant not in APPROXIMATIONS:
        raise ValueError(f"variant is {variant!r}; accepted are {', '.join(APPROXIMATIONS)}")
    if not half_width > 0:
        raise ValueError(f"half_width is {half_width!r}; accepted is a positive number")
    form = APPROXIMATIONS[variant]
    return certified_error_within(half_width, form, "GELU", DIFFERENCE_DIGITS)


def passing_half_width(
    function: Callable[[np.ndarray], np.ndarray], rtol: float, atol: float, dtype: str
) -> float:
    """How far from 0 a test must reach to fail a callable.

    Args:
        function: what is tested against the exact form, on float64.
        rtol: the relative tolerance of the test.
        atol: the absolute one.
        dtype: float16 or bfloat16, the floats at which the test is tried.

    Returns:
        The size of the smallest float at which the test fails, on either side of 0; infinite if it
        passes at every finite float. Other inputs were not tried.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if it has more than 16 bits, or a tolerance is negative or nan.
    """
    if len(workings(dtype)) == 1:
        raise ValueError(f"dtype is {dtype!r}; accepted are float16 and bfloat16")
    x = inputs_between(float_type(dtype), -inf, inf)
    return float(np.min(np.abs(x[_fails(function, x, rtol, atol)]), initial=inf))


def failing_share(
    function: Callable[[np.ndarray], np.ndarray], rtol: float, atol: float, dtype: str
) -> float:
    """The share of normally distributed inputs, rounded to a type, at which a test fails.

    Args:
        function: what is tested against the exact form, on float64.
        rtol: the relative tolerance of the test.
        atol: the absolute one.
        dtype: one of the four types.

    Returns:
        The share among so many quantiles of the normal distribution; an estimate.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if a tolerance is negative or nan.
    """
    x = ndtri((np.arange(QUANTILES) + 0.5) / QUANTILES)
    return float(np.mean(_fails(function, round_to(x, dtype).astype(np.float64), rtol, atol)))


def _fails(
    function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, rtol: float, atol: float
) -> np.ndarray:
    if not (rtol >= 0 and atol >= 0):
        raise ValueError(f"rtol is {rtol!r} and atol is {atol!r}; accepted are numbers from 0")
    exact = gelu(x)
    return np.abs(function(x) - exact) > atol + rtol * np.abs(exact)
