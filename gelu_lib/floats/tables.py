"""The table of a form in a type of few codes, right in each entry, and how far another is from it.

Each form is f(x) = x·S(x) with S(x) + S(−x) = 1, so f(x) = x + f(−x) and f′(x) = 1 − f′(−x). The
left half-line is computed in float64. A relative error of x is multiplied there by three times the
logarithm of f at most, so ``ROUNDING`` is more than all that is rounded: many times more, but the
accuracy of ``activations`` is measured there, and not proved. On the right the first
summand is exact, and the second, however small, says on which side of the middle of two codes the
value is. What that leaves open is decided by interval arithmetic. Only f(0) and f′(0) = ½ are
rational numbers, and may be ties. A value that is nearer than ``ROUNDING``, relatively, to the
middle of two codes is a near tie: float64 may not tell on which side it is. The right table has the
nearest code there, too; of another table the other one of the two is off, and not wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import inf, isfinite
from numbers import Real

import numpy as np

from gelu_lib import activations
from gelu_lib._extras import flint
from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import CodedType, coded_type, true_or_false

ROUNDING = Fraction(1, 2**40)
"""No relative error of the left half-line is as large, nor any of a sum or a quotient."""

TURN = 2.0
"""Up to here the derivative may vanish, on the left, and an absolute error counts."""

LISTED = 8
"""So many of the wrong entries are listed."""


@dataclass(frozen=True)
class TableEntry:
    """One entry of a table, and what is right there.

    Attributes:
        code: the input, as codes are written: an integer, or the bits of a float8 in hexadecimal.
        x: what the input stands for.
        value: the entry, likewise.
        right: the right entry.
        steps: how many codes lie from right to value, with the sign; infinite if one is nan, or if
            the sign of a zero counts and is another.
        error: what the entry stands for, less the exact value.
    """

    code: str
    x: float
    value: str
    right: str
    steps: float
    error: float

    def __str__(self) -> str:
        text = f"at {self.code} (x = {self.x:.9g}) {self.value}, right {self.right}"
        if self.steps and isfinite(self.steps):
            text += f"; {self.steps:+g} step{'s' * (abs(self.steps) > 1)}"
        if isfinite(self.error):
            text += f"; {self.error:+.3g} from the exact value"
        return text


@dataclass(frozen=True, repr=False)
class TableReport:
    """How far a table is from the right one. Its text says how many entries, which, and by what.

    Attributes:
        what: the function, and the types of its inputs and entries, in words.
        steps: how many steps an entry may be off.
        entries: how many there are.
        off: how many are not the right code.
        near_ties: how many of these are the other code of a near tie.
        wrong: how many of the rest are off by more than ``steps``.
        most: the entry that is off by the most steps; ``None`` if none is off.
        farthest: the entry that is farthest from the exact value, which clamping may have done.
        listed: the first wrong entries, in the order of the table.
        ascends: whether the table would pass if it did not begin with the least of signed codes.
    """

    what: str
    steps: float
    entries: int
    off: int
    near_ties: int
    wrong: int
    most: TableEntry | None
    farthest: TableEntry
    listed: tuple[TableEntry, ...]
    ascends: bool

    @property
    def passed(self) -> bool:
        """Whether no entry is wrong; every input was looked at."""
        return not self.wrong

    @property
    def first(self) -> TableEntry | None:
        """The first wrong entry of the table."""
        return self.listed[0] if self.listed else None

    def __str__(self) -> str:
        said = "passes" if self.passed else "is refused"
        lines = [f"{self.what}: {said}; {self.off} of {self.entries} entries {_be(self.off)} off"]
        if near := self.near_ties:
            lines[0] += f"; {near} of them {_be(near)} the other side of a near tie"
            lines[0] += ", which float64 does not tell"
        if self.steps:
            lines.append(f"allowed steps: {self.steps:g}; off by more: {self.wrong}")
        lines += [f"most steps: {self.most}"] * (self.most is not None)
        lines.append(f"farthest: {self.farthest}")
        if self.listed:
            lines += ["wrong, in the order of the table:", *(f"  {one}" for one in self.listed)]
            lines += [f"  and {self.wrong - LISTED} more"] * (self.wrong > LISTED)
        if self.ascends:
            lines.append("its codes ascend: np.roll(table, len(table) // 2) passes")
        return "\n".join(lines)

    __repr__ = __str__


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def right_table(
    form: str,
    kind: CodedType | str,
    out: CodedType | str | None = None,
    *,
    derivative: bool = False,
) -> np.ndarray:
    """The right entries of the table of a form, each the code nearest to the exact value.

    Args:
        form: ``"exact"``, ``"tanh"`` or ``"sigmoid"``.
        kind: the type of the inputs, as ``coded_type`` makes or reads it.
        out: the type of the entries; that of the inputs by default.
        derivative: whether it is the derivative of the form.

    Returns:
        A code for each input, in the order of the bit patterns. ``table[q]`` is the entry of q, in
        C ``table[(uint8_t)q]``. It cannot be written.

    Raises:
        TypeError, ValueError: if an argument is not accepted; or if the inputs may be nan, and the
            entries not.
        ImportError: if ``ml_dtypes`` is missing for float8, or python-flint for an entry that
            float64 does not decide.

    Example:
        >>> from gelu_lib.floats.coded_types import coded_type
        >>> from gelu_lib.floats.tables import right_table
        >>> right_table("exact", coded_type("int8", scale=1/32))[[-24, -1, 0, 1, 127]].tolist()
        [-5, 0, 0, 1, 127]
    """
    return tables_of(form, *types_of(form, kind, out, derivative), bool(derivative))[0]


def table_report(
    table: np.ndarray | Sequence[int],
    form: str,
    kind: CodedType | str,
    out: CodedType | str | None = None,
    *,
    derivative: bool = False,
    steps: float = 0,
    signed_zeros: bool = False,
) -> TableReport:
    """How far a table is from the right one, and where. A near tie leaves either of its two codes.

    Args:
        table: the entries in the order of ``right_table``: integers, or floats of the type, or
            their bits as unsigned integers.
        form, kind, out, derivative: as for ``right_table``.
        steps: how many steps an entry may be off and still pass.
        signed_zeros: whether a zero of float8 must have its sign.

    Raises:
        TypeError, ValueError, ImportError: as ``right_table``; or if the table has another length
            or a mask, or entries that are no codes, or ``steps`` is no number from 0 on.
    """
    kind, out = types_of(form, kind, out, derivative)
    function = _function(form, derivative)
    if not (isinstance(steps, Real) and steps >= 0 and isfinite(steps)):
        raise ValueError(f"steps is {steps!r}; accepted are numbers from 0 on")
    given = codes_in(table, len(kind.codes), out)
    right, other = tables_of(form, kind, out, bool(derivative))
    off, near = steps_and_near_ties(given, right, other, out, signed_zeros)
    rolled, tied = steps_and_near_ties(
        np.roll(given, len(given) // 2), right, other, out, signed_zeros
    )
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        error = out.values[_bits(given)] - function(kind.values)
    size, wrong = np.abs(off), np.flatnonzero((np.abs(off) > steps) & ~near)
    far = np.where(np.isfinite(error), np.abs(error), -inf)
    most = [int(np.argmax(size))] if size.any() else []
    shown = [*most, int(np.argmax(far)), *wrong[:LISTED].tolist()]
    entries = [_entry(k, kind, out, given, right, off, error) for k in shown]
    to = f" to {out}" * (kind != out)
    return TableReport(
        f"{'derivative of the ' * bool(derivative)}{form} form, {kind}{to}",
        steps,
        len(given),
        int((size > 0).sum()),
        int(near.sum()),
        len(wrong),
        entries.pop(0) if most else None,
        entries.pop(0),
        (*entries,),
        bool(len(wrong) and np.all((np.abs(rolled) <= steps) | tied)),
    )


def _entry(
    k: int, kind: CodedType, out: CodedType, given: np.ndarray, right: np.ndarray, *far: np.ndarray
) -> TableEntry:
    """Entry k as it is shown; ``far`` are its steps and its error."""
    code, value, true = kind.shown(kind.codes[k]), out.shown(given[k]), out.shown(right[k])
    return TableEntry(code, float(kind.values[k]), value, true, *(float(one[k]) for one in far))


def codes_in(table: np.ndarray | Sequence[int], length: int, out: CodedType) -> np.ndarray:
    """The entries of a table as codes.

    Raises:
        TypeError: if they are no integers, and not of the type; or if they have a mask.
        ValueError: if there are not so many, or one is beyond the type.
    """
    if isinstance(table, np.ma.MaskedArray):
        raise TypeError("the table is a masked array; accepted is one without a mask")
    given = np.asarray(table)
    if given.shape != (length,):
        raise ValueError(f"the table has the shape {given.shape}; accepted are {length} entries")
    if given.dtype == out.dtype:
        return given
    if given.dtype.kind not in "iu":
        raise TypeError(f"the table is of {given.dtype.name}; accepted is {out.dtype.name}")
    ends = np.iinfo(f"u{out.dtype.itemsize}" if out.is_float else out.dtype)
    beyond = (given < ends.min) | (given > ends.max)
    if beyond.any():
        k = int(np.argmax(beyond))
        raise ValueError(f"entry {k} is {given[k]}; accepted are {ends.min} to {ends.max}")
    return given.astype(ends.dtype).view(out.dtype)


def steps_between(given: np.ndarray, right: np.ndarray, out: CodedType) -> np.ndarray:
    """How many codes lie from right to given; infinite if one of them is nan."""
    one, other = out.ordinals[_bits(given)], out.ordinals[_bits(right)]
    return np.where(np.isnan(one) & np.isnan(other), 0, np.nan_to_num(one - other, nan=inf))


def steps_and_near_ties(
    given: np.ndarray, right: np.ndarray, other: np.ndarray, out: CodedType, signed_zeros: bool
) -> tuple[np.ndarray, np.ndarray]:
    """By how many steps entries are off, and which of these are the other code of a near tie."""
    off = steps_between(given, right, out)
    if signed_zeros:
        zero = (off == 0) & (out.values[_bits(given)] == 0)
        off[zero & (_bits(given) != _bits(right))] = inf
    return off, (off != 0) & (steps_between(given, other, out) == 0) & np.isfinite(off)


def types_of(
    form: str, kind: CodedType | str, out: CodedType | str | None, derivative: bool = False
) -> tuple[CodedType, CodedType]:
    """The types of inputs and entries; an error, if they or the function are not accepted."""
    true_or_false("derivative", derivative)
    if form not in tuple(FORMS):
        raise ValueError(f"form is {form!r}; accepted are {', '.join(FORMS)}")
    kind = coded_type(kind)
    out = kind if out is None else coded_type(out)
    if kind.is_float and not out.is_float:
        raise ValueError(f"an input of {kind} may be nan, for which {out} has no code")
    return kind, out


@lru_cache(maxsize=64)
def tables_of(
    form: str, kind: CodedType, out: CodedType, derivative: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The right table, by float64 where it decides, else exactly; and near ties with the other."""
    function, x = _function(form, derivative), kind.values
    y, left = function(x), function(-np.abs(x))
    turning, width = derivative & (np.abs(x) < TURN), float(ROUNDING)
    low, high = (
        out.rounded(np.where(turning, y + 2 * way, y * (1 + way))) for way in (-width, width)
    )
    right = low.copy()
    for k in np.flatnonzero(_bits(low) != _bits(high)):
        if x[k] == 0 or np.isinf(x[k]):  # where the derivative is ½, 1 or 0
            right[k] = low[k] = high[k] = out.nearest(y[k])
        else:
            right[k] = _decided(function, kind.exact(kind.codes[k]), left[k], out)
    other = np.where(_bits(right) == _bits(low), high, low)
    other = np.where(np.abs(steps_between(other, right, out)) == 1, other, right)
    right.setflags(write=False)
    return right, other


def _decided(
    function: Callable[[np.ndarray], np.ndarray], x: Fraction, left: float, out: CodedType
) -> np.ndarray:
    """The code nearest to a value that is near the middle of two; ``left`` is that at −|x|."""
    derivative = function.__name__.endswith("derivative")
    for low, high in _left_ends(function.__name__, -abs(x), left, derivative and abs(x) < TURN):
        if x > 0:
            low, high = (1 - high, 1 - low) if derivative else (x + low, x + high)
        codes = out.nearest(low), out.nearest(high)
        if _bits(codes[0]) == _bits(codes[1]):
            break
    return codes[0]


def _left_ends(
    name: str, x: Fraction, value: float, turns: bool
) -> Iterator[tuple[Fraction, Fraction]]:
    """Ever nearer ends of a value at x < 0, by float64 and then by interval arithmetic."""
    value = Fraction(value) or Fraction(-1, 2**1080)  # below all of float64
    width = ROUNDING * max(abs(value), turns)
    yield value - width, value + width
    from gelu_lib.floats.ulp import ERROR_FUNCTIONS

    for bits in (2**k for k in count(7)):
        with flint.ctx.workprec(bits):
            ball = ERROR_FUNCTIONS[name](flint.arb(flint.fmpq(x.numerator, x.denominator)))
        ends = ball.mid().fmpq() - ball.rad().fmpq(), ball.mid().fmpq() + ball.rad().fmpq()
        yield tuple(Fraction(int(end.p), int(end.q)) for end in ends)


def _function(form: str, derivative: bool) -> Callable[[np.ndarray], np.ndarray]:
    return getattr(activations, FORMS[form].__name__ + "_derivative" * bool(derivative))


def _bits(codes: np.ndarray) -> np.ndarray:
    return codes.view(f"u{codes.dtype.itemsize}")
