"""What a result's box and the data files say of its numbers, as text."""

from __future__ import annotations

from itertools import takewhile

from gelu_lib.register import Result

SHOWN_DIGITS = 30
STATUS_MEANING = {
    "symbolic": "a chain of equalities or inequalities, checked by machine from what it assumes",
    "proof": "a proof in words, whose computations are checked by machine",
    "certified": "proved with interval arithmetic",
    "numeric": "computed to the digits shown, not proved",
    "historical": "a literal as somebody printed it",
}


def check_of(entry: Result) -> str:
    """How many digits of a number hold, by what check or proof, and why not by a proof.

    It is empty without a number.
    """
    if entry.status == "historical" or not entry.named_numbers:
        return ""
    values = filter(None, (entry.value, *entry.numbers.values()))
    digits = [significant_digits(value) for value in values if "." in value]
    many = f"{min(digits)} digits" if digits else "Whole numbers"
    if entry.enclosure or entry.enclosures:
        how, second = "each proved, by an enclosure", ""
    else:
        how, second = "computed at two precisions that agree", "By one method."
    if entry.check:
        second = f"A second method agrees: {entry.check}."
    why = f"Not certified: {entry.why_not_certified}." if entry.why_not_certified else ""
    return " ".join(filter(None, (f"{many}, {how}.", second, why)))


def significant_digits(decimal: str) -> int:
    return len(decimal.partition("e")[0].replace(".", "").lstrip("-0"))


def shortened(value: str, digits: int = SHOWN_DIGITS) -> str:
    """At most this many significant digits of a decimal, cut, with … where it was cut."""
    mantissa, e, exponent = value.partition("e")
    whole, point, decimals = mantissa.partition(".")
    leading_zeros = len(decimals) - len(decimals.lstrip("0")) if whole.strip("-0") == "" else 0
    room = digits + leading_zeros - len(whole.strip("-0"))
    if len(decimals) <= room:
        return value
    return whole + point + decimals[: max(room, 0)] + "…" + e + exponent


def enclosure_text(lower: str, upper: str) -> str:
    """An enclosure as its digits that are certain, then in brackets how its ends go on.

    ``1.23[45, 51]`` is the interval from 1.2345 to 1.2351. Ends that begin differently
    are written out, and an interval of one point is that number.
    """
    if lower == upper:
        return lower
    (low, _, exponent), (high, e, other) = lower.partition("e"), upper.partition("e")
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(low, high, strict=False))
    common = "".join(digit for digit, _ in pairs)
    if exponent != other or len(low) != len(high) or not common.strip("-0."):
        return f"[{lower}, {upper}]"
    return f"{common}[{low[len(common) :]}, {high[len(common) :]}]{e}{other}"
