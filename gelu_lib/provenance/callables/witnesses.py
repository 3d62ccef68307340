"""Which inputs tell the three forms apart, proved.

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

from fractions import Fraction

import gelu_lib._proofs

from gelu_lib._extras import flint
from gelu_lib.activations import FORMS
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits
from gelu_lib.floats.ulp import exact
from gelu_lib.functions.forms import APPROXIMATIONS
from gelu_lib.precision import DECIDED_DIGITS, PEAK_DIGITS
from gelu_lib.provenance.callables.tolerances import PAIRS, REACH, Tolerance, tolerance, workings

COMMON_WITNESS = -3.5
"""One input for all four types, if callables work in float32 or better. It is not the best one for
any of them, and is easy to remember."""

COARSE_WITNESS = -2.171875
"""One input that tells the sigmoid form from the other two if every operation rounds to 16 bits."""

_TANH = APPROXIMATIONS["tanh"]
"""The tanh form, as a member of its family."""

SHARED = {"Phi": 2, "GELU": 2 * int(REACH)}
"""How many a the tolerances of two forms have together, by the function in whose error they count:
a for each 1 of the size of x, and no more than 8a for each form."""


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
    working = bits(digits + PEAK_DIGITS)
    values = {name: exact(form.__name__, x, working) for name, form in FORMS.items()}
    with flint.ctx.workprec(working):
        widths = {name: _width(allowed, x, value) for name, value in values.items()}
        return {
            (one, other): enclosure(
                abs(values[one] - values[other]) / (widths[one] + widths[other]),
                digits + DECIDED_DIGITS,
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
    errors = {
        target: certified_sup_error(_TANH, target, digits + PEAK_DIGITS).error for target in SHARED
    }
    with flint.ctx.workprec(bits(digits + PEAK_DIGITS)):
        unit = flint.arb(flint.fmpq(absolute.numerator, absolute.denominator))
        quotients = [error.ball / (SHARED[target] * unit) for target, error in errors.items()]
        ends = [enclosure(quotient, digits + DECIDED_DIGITS) for quotient in quotients]
    return Enclosure(max(e.lower for e in ends), max(e.upper for e in ends))


def _width(allowed: Tolerance, x: float, value: flint.arb) -> flint.arb:
    return (
        flint.arb(allowed.relative) * abs(value)
        + flint.arb(allowed.absolute) * min(abs(x), REACH)
        + flint.arb(allowed.underflow)
    )
