"""How many digits: what may be asked for, and what is carried beyond it, by the name of its use."""

MOST_DIGITS = 10_000
"""More digits are refused; so many take about a second for one parameter."""

ENCLOSED_DIGITS = 10
"""Digits that an enclosure has beyond those that are asked for, so that these are decided."""

PEAK_DIGITS = 20
"""Digits carried beyond those that are asked for, where the height of a peak is computed."""

INTEGRAL_DIGITS = 20
"""Digits carried beyond those of an enclosure, for what cancels in an integral."""

DECIMAL_DIGITS = 20
"""The most digits beyond those that are asked for, that a decimal in place of an optimum gets."""

TAIL_DIGITS = 5
"""The digits of a bound beyond the last piece."""

DECIDED_DIGITS = 5
"""Digits that the evidence of a number encloses beyond those that are printed."""

CHANGE_DIGITS = 3
"""Digits by which a bracket is narrowed beyond those that are asked for."""

ZERO_DIGITS = 20
"""Digits carried beyond those that are asked for, while a complex zero is solved for."""

SERIES_DIGITS = 20
"""Digits carried beyond those that are asked for, for what cancels in a recurrence."""

FORMULA_DIGITS = 30
"""Digits carried beyond those of a formula in text, of which twice as many must agree."""

CANCELLED_BITS = 64
"""Bits carried beyond the accuracy of a box, for what cancels in its equations."""

PROOF_BITS = 128
"""The precision of a proof, which needs no more whatever digits are asked for."""


def check_digits(digits: int) -> None:
    """Raise unless ``digits`` is a positive integer that is not too large to be served.

    Raises:
        TypeError: if it is no integer.
        ValueError: if it is below 1 or above ``MOST_DIGITS``.
    """
    if type(digits) is not int:
        raise TypeError(f"digits must be an integer, got {digits!r}")
    if digits < 1:
        raise ValueError(f"digits must be at least 1, got {digits}")
    if digits > MOST_DIGITS:
        raise ValueError(f"digits must be at most {MOST_DIGITS}, got a greater number")
