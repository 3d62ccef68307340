"""Where something ceases to hold, enclosed by halving."""

from __future__ import annotations

from collections.abc import Callable

from gelu_lib._extras import flint
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, decided, interval
from gelu_lib.precision import CHANGE_DIGITS


def change(
    holds: Callable[[flint.fmpq], bool], low: flint.fmpq, high: flint.fmpq, digits: int
) -> Enclosure:
    """The number between two positive ones up to which a property holds.

    Args:
        holds: whether it holds at a rational number, decided. Once it fails it must fail further
            up, too; only then is there one such number.
        low: a number where it holds.
        high: a number where it does not.
        digits: how many significant digits.

    Returns:
        An enclosure with as many digits, one end with the property and one without, or outside.

    Raises:
        ValueError: if the property fails at ``low``, or holds at ``high``.
    """
    if not (0 < low < high) or not holds(low) or holds(high):
        raise ValueError(f"low = {low} and high = {high} do not bracket a change")
    width = flint.fmpq(1, 10 ** (digits + CHANGE_DIGITS))
    while high - low > low * width:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    with flint.ctx.workprec(2 * bits(digits)):
        return enclosure(interval(flint.arb(low), flint.arb(high)), digits + CHANGE_DIGITS)


def is_positive(value: Callable[[], flint.arb], what: str = "a number") -> bool:
    """Whether a number other than 0 is positive, decided with as many bits as it takes.

    Args:
        value: encloses the number, to the precision that is set.
        what: the number, as the error calls it.

    Raises:
        CertificationError: if no precision decides it; see ``balls.decided``.
    """

    def sign() -> bool | None:
        enclosed = value()
        return True if enclosed > 0 else False if enclosed < 0 else None

    return decided(sign, what=what)
