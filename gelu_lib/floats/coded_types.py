"""Types of few codes: integers with a scale and a zero point, fixed point, and float8.

A code stands for a real number, for nan or for an infinity. 8 or 16 bits have so few codes that a
function of such a type is a table. The codes come in the order of their bit patterns: signed ones
from 0 up, then the negative ones, the least first. So the entry of q is ``table[(uint8_t)q]`` in C,
and ``table[q]`` in NumPy, where a negative index counts from the end.

A number gets the nearest code, ties to even. For an integer that is round(number/scale) + zero
point, clamped, as in ONNX's QuantizeLinear: what is even is the rounded quotient. float8 overflows
as in ``ml_dtypes``, to infinity, or to nan where it has none; or it saturates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from math import isfinite, isnan
from numbers import Integral, Rational, Real

import numpy as np

from gelu_lib.floats.types import FLOAT_TYPES, FloatType, float_type

INTEGERS = ("int8", "uint8", "int16", "uint16")
"""The integer types by their names."""

FLOAT8 = ("float8_e4m3", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")
"""The floats of 8 bits by their names in ``ml_dtypes``; those with fn have no infinity."""

_SCALES = Fraction(1, 2**100), Fraction(2**100)  # then no value vanishes or overflows in float64
_SCALE = re.compile(r"\s*\+?(\d+/\d+|(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?)\s*", re.ASCII | re.I)


@dataclass(frozen=True)
class CodedType:
    """A type whose code c stands for scale·(c − zero point), where c is an integer or a float8.

    Attributes:
        name: of the codes, as NumPy or ``ml_dtypes`` has it.
        scale: the scale, exactly.
        zero_point: the code of 0; 0 for float8.
        saturating: whether the greatest number stands for all beyond it.
        written: how the type was written, if by another name, as q3.4.
    """

    name: str
    scale: Fraction
    zero_point: int = 0
    saturating: bool = True
    written: str = ""

    @cached_property
    def codes(self) -> np.ndarray:
        """Every code, in the order of the bit patterns.

        Raises:
            ImportError: if ``ml_dtypes`` is not installed, for float8.
        """
        if self.is_float:
            try:
                import ml_dtypes  # noqa: F401  # makes the name known to NumPy
            except ImportError as error:
                needs = "needs the package ml_dtypes, which the extra bfloat16 brings"
                raise ImportError(f"{self.name} {needs}") from error
        size = np.dtype(self.name).itemsize
        return np.arange(2 ** (8 * size), dtype=f"u{size}").view(self.name)

    @property
    def dtype(self) -> np.dtype:
        """The type of arrays of codes."""
        return self.codes.dtype

    @property
    def is_float(self) -> bool:
        """Whether it is a float8, which has nan."""
        return self.name in FLOAT8

    @cached_property
    def values(self) -> np.ndarray:
        """What each code stands for, in float64."""
        return (self.codes.astype(np.float64) - self.zero_point) * float(self.scale)

    @cached_property
    def ordinals(self) -> np.ndarray:
        """The place of each code in the order of the values, alike for both zeros; nan for nan."""
        known = ~np.isnan(self.values)
        places = np.full(len(known), np.nan)
        places[known] = np.unique(self.values[known], return_inverse=True)[1]
        return places

    @cached_property
    def _order(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The codes by value, with what overflows; which are even; the edges between them."""
        numbers = self.codes.astype(np.float64) - self.zero_point
        finite = np.flatnonzero(np.isfinite(numbers))
        ascending, first = np.unique(numbers[finite], return_index=True)  # 0 before −0
        places = finite[first]
        even = (places - self.zero_point) % 2 == 0
        beyond = np.array([-np.inf, np.inf])
        over = self.codes[places[[0, -1]]] if self.saturating else beyond.astype(self.dtype)
        end = ascending[[0, -1]] + (ascending[[0, -1]] - ascending[[1, -2]]) / 2
        edges = np.concatenate([end[:1], (ascending[1:] + ascending[:-1]) / 2, end[1:]])
        order = np.concatenate([over[:1], self.codes[places], over[1:]])
        return order, np.concatenate([~even[:1], even, ~even[-1:]]), edges

    def rounded(self, values: np.ndarray) -> np.ndarray:
        """The codes of float64 values, but that the quotient of value and scale is rounded."""
        numbers = np.asarray(values, np.float64) / float(self.scale)
        edges = self._order[2]
        place = np.searchsorted(edges, numbers)
        tie = edges[np.minimum(place, len(edges) - 1)] == numbers
        return self._at(place, tie, numbers)

    def nearest(self, number: Real) -> np.ndarray:
        """The code of a number, exactly decided, in an array of no dimension.

        Raises:
            ValueError: if it is nan or infinite, and the type has no code for that.
        """
        if not isfinite(number):
            if self.saturating or (isnan(number) and not self.is_float):
                raise ValueError(f"number is {number}, for which {self} has no code")
            return self.rounded(number)
        exact = min(max(Fraction(number) / self.scale, -(2**20)), 2**20)  # beyond every code
        edges = self._order[2]
        place = np.searchsorted(edges, float(exact))  # right, unless it is rounded to an edge
        above, tie = (exact > edges[place], exact == edges[place]) if place < len(edges) else (0, 0)
        return self._at(np.array(place + above), tie, np.array(-1.0 if number < 0 else 1.0))

    def _at(self, place: np.ndarray, tie: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The codes at places, or behind a tie; a zero has the sign of its number, nan is nan."""
        order, even, _ = self._order
        codes = order[place + (tie & ~even[place])]
        if not self.is_float:
            return codes
        own = np.isnan(numbers) | (codes.astype(np.float64) == 0)
        zeros = np.copysign(np.where(np.isnan(numbers), np.nan, 0.0), numbers)
        return np.where(own, zeros.astype(self.dtype), codes)

    def exact(self, code: np.generic | int) -> Fraction:
        """The finite number that a code stands for."""
        return self.scale * (Fraction(float(code)) - self.zero_point)

    def shown(self, code: np.generic) -> str:
        """A code as it is written: an integer, or the bits of a float8 in hexadecimal."""
        return f"0x{int(code.view(np.uint8)):02x}" if self.is_float else str(code)

    def __str__(self) -> str:
        if self.written:
            return self.written
        short = self.scale.denominator <= 2**16
        scale = str(self.scale) if short else repr(float(self.scale))
        if not self.is_float:
            return f"{self.name} (scale {scale}, zero point {self.zero_point})"
        scaled = f" times {scale}" * (self.scale != 1)
        return f"{self.name}{scaled}{', saturating' * self.saturating}"


def coded_type(
    name: str | CodedType,
    *,
    scale: Real | str | None = None,
    zero_point: int | str | None = None,
    saturating: bool = False,
) -> CodedType:
    """A type of few codes by its name, as it is written in a program or on the command line.

    Args:
        name: one of ``INTEGERS`` or ``FLOAT8``; or signed fixed point, as ``"q3.4"``, with three
            bits before the point, four behind it, and one for the sign. A type stands for itself.
        scale: of an integer, or what a float8 is multiplied by, 1 by default. A number counts
            exactly as it is, text, as ``"1/32"`` or ``"0.05"``, as it is written.
        zero_point: the code of 0 among integers, 0 by default; it may be text, too.
        saturating: whether a float8 saturates; the others always do.

    Raises:
        TypeError: if there is no such type, or ``zero_point`` is no integer, or ``saturating`` is
            neither true nor false.
        ValueError: if an argument is not accepted for it.

    Example:
        >>> from gelu_lib.floats.coded_types import coded_type
        >>> str(coded_type("int8", scale=1/32, zero_point=-5)), coded_type("q3.4").exact(-24)
        ('int8 (scale 1/32, zero point -5)', Fraction(-3, 2))
    """
    true_or_false("saturating", saturating)
    given = {"scale": scale, "zero_point": zero_point, "saturating": saturating}
    accepted: tuple[str, ...] = ()
    if isinstance(name, CodedType):
        kind = name
    elif name in FLOAT8:
        kind = CodedType(name, _scale(1 if scale is None else scale), 0, bool(saturating))
        accepted = ("scale", "saturating")
    elif name in INTEGERS:
        if scale is None:
            raise ValueError(f"{name} needs a scale, as 1/32")
        kind = CodedType(name, _scale(scale), _zero_point(zero_point, np.iinfo(name)))
        accepted = ("scale", "zero_point")
    elif isinstance(name, str) and name[:1] in ("q", "Q"):
        kind = _fixed_point(name)
    else:
        if name in (*FLOAT_TYPES,):
            raise TypeError(f"dtype is {name!r}; accepted here are {_OF_FEW_CODES}")
        near = get_close_matches(str(name), (*FLOAT_TYPES, *INTEGERS, *FLOAT8))
        hint = f"; near are {', '.join(near)}" * bool(near)
        raise TypeError(
            f"dtype is {name!r}; accepted are {', '.join(FLOAT_TYPES)}, {_OF_FEW_CODES}{hint}"
        )
    not_taken(kind, **{key: value for key, value in given.items() if key not in accepted})
    return kind


def not_taken(kind: CodedType | FloatType | str, but: str = "", **given: object) -> None:
    """Refuse the first argument that is given; ``but`` says what is taken in its place.

    Raises:
        ValueError: if one is neither ``None`` nor false.
    """
    for name, value in given.items():
        if value is not None and value is not False:
            raise ValueError(f"{name} is {value!r}, which {kind} does not take{but and '; '}{but}")


def true_or_false(name: str, value: object) -> None:
    """A TypeError, if an argument is neither true nor false."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is {value!r}; accepted are True and False")


def number_type(dtype: CodedType | FloatType | np.dtype | type | str) -> CodedType | FloatType:
    """A type of few codes, by a name that says all, or one of the four float types.

    Raises:
        TypeError, ValueError: if it is none.
    """
    if isinstance(dtype, CodedType | FloatType):
        return dtype
    few = isinstance(dtype, str) and dtype not in FLOAT_TYPES
    return coded_type(dtype) if few else float_type(dtype)


_OF_FEW_CODES = f"{', '.join(INTEGERS)}, qM.N as q3.4, {', '.join(FLOAT8)}"


def _scale(scale: Real | str | None) -> Fraction:
    try:
        text = str(scale) if isinstance(scale, Rational | Decimal | str) else ""
        readable = len(text) <= 200 and _SCALE.fullmatch(text)  # what it means is not huge
        exact = Fraction(text if readable else 0 if text else float(scale))
        if _SCALES[0] <= exact <= _SCALES[1] and not isinstance(scale, bool):
            return exact
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        pass
    raise ValueError(f"scale is {scale!r}; accepted is a positive number from 2**-100 to 2**100")


def _zero_point(given: int | str | None, ends: np.iinfo) -> int:
    is_text = isinstance(given, str) and re.fullmatch(r"[-+]?\d{1,9}", given, re.ASCII)
    zero_point = int(given) if is_text else given or 0
    is_integer = isinstance(zero_point, Integral) and not isinstance(given, bool)
    if not (is_integer and ends.min <= zero_point <= ends.max):
        said = f"zero_point is {given!r}; accepted is an integer from {ends.min} to {ends.max}"
        raise (ValueError if is_integer else TypeError)(said)
    return int(zero_point)


def _fixed_point(name: str) -> CodedType:
    bits = re.fullmatch(r"q(0|[1-9]\d?)\.(0|[1-9]\d?)", name.lower(), re.ASCII)
    width = 1 + sum(map(int, bits.groups())) if bits else 0
    if width not in (8, 16):
        has = f", {width} bits with the sign" * bool(bits)
        raise ValueError(f"type is {name!r}{has}; accepted is qM.N where 1 + M + N is 8 or 16")
    return CodedType(f"int{width}", Fraction(1, 2 ** int(bits[2])), written=name.lower())
