"""The append-only register of results and of historical literals.

Data files make the register. ``data/results.toml`` holds the statements and is written by hand.
``data/values.json`` holds the digits, and the claims that derivations have proved; it is written
by ``tools/write_values.py`` alone. ``data/choices.json`` holds the numbers of the table of
criteria and is written by ``tools/write_choices.py`` alone. An entry is never removed and its ID
never changes: a result that turns out wrong keeps its ID and says why it was withdrawn.

The module needs ``gelu_lib.rows`` and the standard library only.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

from gelu_lib.rows import DataError, data_text, filled, tables

STATUSES = ("symbolic", "proof", "certified", "numeric", "historical")
"""What can stand behind a result. In this order it is a checked chain of equalities, a proof in
words whose computations are checked, an interval proof, a computation without proof, or somebody's
printed literal."""

# in a hexadecimal float e is a digit and p begins the exponent
_HUGE_EXPONENT = re.compile(r"^[^x]*e[+-]?0*\d{4,}|p[+-]?0*\d{4,}", re.IGNORECASE)
_ID = re.compile(r"[a-z][a-z0-9-]*")
_REQUIRED = ("title", "statement", "status", "page")
_FILES = ("results.toml", "values.json", "choices.json")
_KEPT = ("assumptions", "where", "of", "check", "why_not_certified", "untried", "withdrawn")
_TYPED = {*_REQUIRED, "source", "literal", *_KEPT}
_COMPUTED = ("value", "numbers", "enclosure", "enclosures", "claim")
_PROVED = ("proof", "certified")


@dataclass(frozen=True)
class Result:
    """One entry of the register.

    Attributes:
        id: the permanent ID, lower-case letters, digits and hyphens.
        title: a short name, plain text.
        statement: what holds, in TeX.
        assumptions: under which conditions, text with TeX between dollar signs; may be empty.
        status: one of ``STATUSES``.
        page: the chapter that derives it, by file name without ending.
        source: keys of the bibliography.
        value: the number as a decimal string with all the digits that hold, or ``None`` where the
            result is not a number. For a historical literal: exactly as it was printed.
        numbers: decimal strings by name, with all the digits that hold, where a result states
            several numbers; empty where it does not.
        enclosure: for the number of a certified entry or of a proof, the decimal ends of an
            interval that is proved to hold it; ``None`` otherwise.
        enclosures: the same for each of ``numbers``, by name.
        claim: what the derivation of a symbolic result proves, in TeX as the machine writes it;
            empty if the result has none.
        of: for a historical literal, the ID of the result that it approximates.
        check: for a number, the second method that its digits agree with; empty if they were
            computed by one method, at two precisions.
        why_not_certified: for a numeric entry, why its digits are not proved; empty otherwise.
        untried: why no test compares the sides of the statement; empty where one does.
        withdrawn: empty, or the reason why the result no longer holds.
        where: the IDs of the results whose numbers names in the statement stand for, by name.
    """

    id: str
    title: str
    statement: str
    status: str
    page: str
    assumptions: str = ""
    source: tuple[str, ...] = ()
    value: str | None = None
    numbers: Mapping[str, str] = field(default_factory=dict)
    enclosure: tuple[str, str] | None = None
    enclosures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    claim: str = ""
    of: str | None = None
    check: str = ""
    why_not_certified: str = ""
    untried: str = ""
    withdrawn: str = ""
    where: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_measured(self) -> bool:
        """Whether its numbers come from an experiment, as the named ones of a numeric entry do."""
        return self.status == "numeric" and bool(self.numbers)

    @property
    def number(self) -> Fraction | None:
        """The value as an exact rational, also that of a fraction such as 11/123."""
        return None if self.value is None else Fraction(self.value)

    @property
    def named_numbers(self) -> Mapping[str, Fraction]:
        """Every number of the entry as an exact rational, by name; that of ``value`` is empty."""
        named = {name: Fraction(digits) for name, digits in self.numbers.items()}
        return named if self.number is None else {"": self.number, **named}


@cache
def results() -> Mapping[str, Result]:
    """Every entry of the register by its ID, in the order of registration."""
    return parse_results(*_texts())


@cache
def result(id: str) -> Result:
    """The entry with this ID. Its own rules are checked, and not those of the others.

    So what computes the number of a new entry can be imported before the number is there.

    Raises:
        KeyError: if no entry has it; the message names the nearest IDs.
        DataError: if the entry breaks a rule of the register.

    Example:
        >>> from gelu_lib import result
        >>> found = result("tanh-pinned-cubic")
        >>> found.status, found.value[:20], found.page
        ('certified', '0.044714911227632494', 'tanh-constant')
    """
    entries, computed = _stored()
    if id not in entries:
        near = ", ".join(difflib.get_close_matches(str(id), entries, n=3)) or "none is near"
        raise KeyError(f"no result has the ID {id!r}; nearest: {near}")
    return _entry(id, entries[id], computed.get(id, {}))


def source_fields() -> Mapping[str, Mapping[str, Any]]:
    """The fields of every entry that are typed, by ID, before any number is computed."""
    return _stored()[0]


def clear_cache() -> None:
    """Read the data files again when they are asked for next: they were written meanwhile."""
    for read in (results, result, _stored):
        read.cache_clear()


def _texts() -> list[str]:
    return [data_text(name) for name in _FILES]


@cache
def _stored() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return _read(*_texts())


def agreeing_digits(
    approximation: str | float | Decimal | Fraction, exact: str | Decimal | Fraction
) -> int:
    """How many significant digits of an approximation are right.

    The count is the largest n for which the two differ by at most half a unit of the n-th
    significant digit of the exact number. Two equal numbers agree to 1000 digits, the largest
    count that is ever returned.

    Raises:
        TypeError: if an argument is not a number or a numeral.
        ValueError: if an argument is not finite, or ``exact`` is 0.
    """
    given, true = _exact(approximation), _exact(exact)
    if true == 0:
        raise ValueError("exact is 0; significant digits need a number other than 0")
    twice_the_gap, unit = 2 * abs(given - true), Fraction(10) ** _decimal_exponent(abs(true))
    count = 0
    while count < 1000 and twice_the_gap <= unit:
        count, unit = count + 1, unit / 10
    return count


def parse_results(statements: str, *computed: str) -> Mapping[str, Result]:
    """Read the data files, given as text, and check every rule of the register.

    Args:
        statements: the text of ``results.toml``.
        *computed: the texts of the files that scripts write, in JSON.

    Returns:
        The entries by ID.

    Raises:
        DataError: naming the entry and the rule: a malformed or duplicate ID, a missing or
            unknown field, an unknown status, a value without a result, a numeric result without
            a value or without a reason why it is not certified, a literal that is not a number, a
            proved number whose enclosure is missing or leaves its digits open.
    """
    entries, found = _read(statements, *computed)
    register = {id: _entry(id, fields, found.get(id, {})) for id, fields in entries.items()}
    for entry in register.values():
        if entry.of is not None and entry.of not in register:
            raise DataError(f"{entry.id}: of names the unknown result {entry.of!r}")
    return MappingProxyType(register)


def _read(statements: str, *computed: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The fields of each entry that are typed, and those that are computed, by ID."""
    entries = tables(statements)
    found: dict[str, Mapping[str, Any]] = {}
    for text in computed:
        for id, record in json.loads(text).items():
            if id in found or id not in entries:
                kind = "computed twice" if id in found else "unknown results"
                raise DataError(f"computed data have {kind}: {id}")
            found[id] = record
    return entries, found


def _entry(id: str, fields: Mapping[str, Any], computed: Mapping[str, Any]) -> Result:
    broken = _broken_rule(id, fields, computed)
    if broken:
        raise DataError(f"{id}: {broken}")
    known = {**fields, "statement": fields["statement"].strip()}
    known |= {name: computed[name] for name in _COMPUTED if name in computed}
    if "literal" in known:
        known["value"] = known.pop("literal")
    return filled(Result, id, known)


def _broken_rule(id: str, fields: Mapping[str, Any], computed: Mapping[str, Any]) -> str:
    """The first rule that an entry breaks, in words; empty if it keeps all."""
    if not _ID.fullmatch(id):
        return "an ID is lower-case letters, digits and hyphens, a letter first"
    missing = [name for name in _REQUIRED if not fields.get(name)]
    if missing:
        return f"missing {', '.join(missing)}"
    unknown = sorted(fields.keys() - _TYPED)
    if unknown:
        return f"unknown fields {', '.join(unknown)}"
    status, literal = fields["status"], fields.get("literal")
    if status not in STATUSES:
        return f"status is {status!r}; accepted are {', '.join(STATUSES)}"
    if (status == "historical") != (literal is not None):
        return "a historical entry, and no other, has a literal"
    if literal is not None and computed:
        return "a literal is typed as it was printed, never computed"
    if status in ("numeric", "certified") and not computed.keys() & {"value", "numbers"}:
        return f"status {status} needs a value; run tools/publish_result.py with its ID"
    if (status == "numeric") != bool(fields.get("why_not_certified")):
        return "a numeric entry, and no other, says in why_not_certified why it is not certified"
    if "check" in fields and not computed.keys() & {"value", "numbers"}:
        return "a second method checks a computed number, and there is none"
    if (status == "symbolic") != ("claim" in computed):
        return "a symbolic entry, and no other, has the claim of a derivation"
    broken = _broken_enclosure(status, computed)
    if broken:
        return broken
    values = [literal, computed.get("value"), *computed.get("numbers", {}).values()]
    for value in values:
        try:
            if value is not None and _exact(value) == 0:
                return "a registered number is not 0"
        except (TypeError, ValueError):
            return f"value {value!r} is not a number"
    return ""


def _broken_enclosure(status: str, computed: Mapping[str, Any]) -> str:
    """The first rule of enclosures that an entry breaks, in words; empty if it keeps all."""
    numbers = dict(computed.get("numbers", {}))
    enclosures = dict(computed.get("enclosures", {}))
    if "value" in computed:
        numbers[""] = computed["value"]
    if "enclosure" in computed:
        enclosures[""] = computed["enclosure"]
    if enclosures.keys() != (numbers.keys() if status in _PROVED else set()):
        return "every number of a certified entry or of a proof, and no other, has an enclosure"
    for name, (lower, upper) in enclosures.items():
        if not _decides(Decimal(lower), Decimal(upper), numbers[name]):
            return f"the enclosure [{lower}, {upper}] does not decide the digits {numbers[name]}"
    return ""


def _decides(lower: Decimal, upper: Decimal, value: str) -> bool:
    """Whether every number of an interval, rounded to as many digits, is the value."""
    rounding = Context(prec=len(Decimal(value).as_tuple().digits), rounding=ROUND_HALF_EVEN)
    ends = {rounding.create_decimal(end) for end in (lower, upper)}
    return lower <= upper and ends == {Decimal(value)}


def _exact(number: object) -> Fraction:
    """A number or numeral as an exact rational."""
    if isinstance(number, str):
        text = number.strip()
        if _HUGE_EXPONENT.search(text):
            raise ValueError(f"{number!r} has an exponent of more than three digits")
        try:
            return Fraction(float.fromhex(text)) if "0x" in text.lower() else Fraction(text)
        except (ValueError, ZeroDivisionError, OverflowError) as error:
            raise ValueError(
                f"{number!r} is not a number; accepted are a decimal, a fraction such as "
                "11/123, or a hexadecimal float"
            ) from error
    if isinstance(number, bool) or not isinstance(number, Real | Decimal):
        raise TypeError(
            f"got {number!r} of type {type(number).__name__}; accepted are a numeral in a "
            "string, int, float, Decimal, Fraction and NumPy's real scalars"
        )
    if isinstance(number, Decimal) and number.is_finite() and abs(number.adjusted()) > 999:
        raise ValueError(f"{number!r} has an exponent of more than three digits")
    try:
        return Fraction(int(number)) if isinstance(number, Integral) else _ratio(number)
    except (ValueError, OverflowError, InvalidOperation) as error:
        raise ValueError(f"{number!r} is not finite; accepted is a finite number") from error


def _ratio(number: Real | Decimal) -> Fraction:
    return Fraction(*number.as_integer_ratio())


def _decimal_exponent(number: Fraction) -> int:
    """The n with 10ⁿ ≤ number < 10ⁿ⁺¹, in exact arithmetic."""
    exponent = len(str(number.numerator)) - len(str(number.denominator))
    return exponent if number >= Fraction(10) ** exponent else exponent - 1
