"""Numbers, tables and results as a chapter shows them: every digit is rounded, none is typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import gelu_lib._proofs

import mpmath
import numpy as np
import sympy as sp

from gelu_lib.certificates.best.results import Bound
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.show.links import linked, worded
from gelu_lib.show.marks import RECORD
from gelu_lib.show.results import SHOWN_DIGITS, shared_digits
from gelu_lib.show.results import show_results as show_results
from gelu_lib.show.results import show_theorem as show_theorem

PLACE_DIGITS = 4  # of the place where an error is largest
BOLD_DIGITS = re.compile(r"\*\*(−?[\d.]+)\*\*")


def decimal(number: float | mpmath.mpf | sp.Expr, digits: int = SHOWN_DIGITS) -> str:
    """A number rounded to significant digits, as a decimal string.

    Args:
        number: a Python or mpmath number, or a SymPy number, which is evaluated first.
        digits: how many significant digits are written, trailing zeros included; 0 is ``0.0``.

    Returns:
        A plain decimal such as ``0.00017892``, with the sign of a negative number as ``−``;
        below 1e-5 and from 10 to the power of ``digits`` with an exponent, such as ``3.1e-07``.

    Raises:
        TypeError: if ``number`` is not a real number of one of these kinds.
        ValueError: if the number is not finite, or ``digits`` is not a positive integer.
    """
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is an integer from 1")
    if not isinstance(number, int | float | mpmath.mpf | sp.Expr) or (
        isinstance(number, sp.Expr) and number.is_real is False and number.is_finite
    ):
        raise TypeError(f"number is {number!r}; accepted is a real number")
    with mpmath.workdps(digits + 15):
        value = sp.N(number, digits + 15) if isinstance(number, sp.Expr) else number
        if not (value.is_finite if isinstance(value, sp.Expr) else mpmath.isfinite(value)):
            raise ValueError(f"number is {number}; accepted is a finite number")
        value = mpmath.mpmathify(value)
        text = mpmath.nstr(value, digits, strip_zeros=False).removesuffix(".")
        return text.replace("-", "−", value < 0)


def end_cells(found: Enclosure) -> list[str]:
    """The two ends of an enclosure as cells of a table, the digits that they share in bold."""
    texts = [str(end).lower().replace("-", "−", end < 0) for end in (found.lower, found.upper)]
    shared = shared_digits(*texts).rstrip(".")  # Markdown ends no bold type between . and a digit
    return [f"**{shared}**{text[len(shared) :]}" if shared else text for text in texts]


# words, a count, a number, a proved one, a proved largest error with its places
_Cell = str | int | float | mpmath.mpf | sp.Expr | Enclosure | Bound


def shown(value: _Cell, digits: int = SHOWN_DIGITS) -> str:
    """A value as a table or a text has it.

    Args:
        value: words, which stay; an integer, written out with commas; a number, see ``decimal``;
            an enclosure, rounded if it leaves no choice; or a largest error, with its places.
        digits: how many significant digits a number gets; the places of an error get 4.

    Raises:
        TypeError: if ``value`` is none of these, or a truth value.
        ValueError: as ``decimal``.
        CertificationError: if an enclosure does not decide so many digits.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"value is {value!r}; accepted is a real number or words")
    if isinstance(value, Integral):
        return f"{int(value):,}".replace("-", "−")
    if isinstance(value, Bound):
        places = " and ".join(f"±{shown(place, PLACE_DIGITS)}" for place in value.points)
        return f"{shown(value.error, digits)} at {places}"
    if isinstance(value, Enclosure):
        return decimal(sp.Rational(str(value.rounded(digits))), digits)
    return decimal(float(value) if isinstance(value, np.floating) else value, digits)


@dataclass(frozen=True)
class Table:
    """A table, which a notebook and the site show as a table.

    Attributes:
        header: the names of the columns.
        rows: the cells, row by row. Words are Markdown with TeX between dollar signs, and what
            they name as in ``links`` is shown as a link; the rest is shown as ``shown`` does.
        digits: how many significant digits numbers get: one number, or one for each column.
        fold: the title under which a long one is folded away; empty if it is seen at once.

    Raises:
        TypeError: if a cell is nothing that ``shown`` takes.
        ValueError: if a row has another length than the header, or a cell has a line break or a
            vertical bar, which Markdown would take for the end of the cell.
    """

    header: Sequence[str]
    rows: Iterable[Sequence[_Cell]]
    digits: int | Sequence[int] = SHOWN_DIGITS
    fold: str = ""

    def __post_init__(self) -> None:
        many = [self.digits] * len(self.header) if isinstance(self.digits, int) else self.digits
        rows = list(self.rows)
        for row in rows:
            if len(row) != len(self.header):
                raise ValueError(f"row {row!r} has {len(row)} cells; the header {len(self.header)}")
        rows = [list(map(shown, row, many)) for row in rows]
        for cell in [*self.header, *(cell for row in rows for cell in row)]:
            if "\n" in cell or "|" in cell:
                raise ValueError(f"cell {cell!r} has a line break or a vertical bar")
        object.__setattr__(self, "rows", rows)

    @classmethod
    def of_digits(
        cls,
        numbers: Mapping[str, float | mpmath.mpf | sp.Expr | Enclosure],
        digits: int = SHOWN_DIGITS,
    ) -> Table:
        """Numbers by their names, each rounded to as many significant digits."""
        rows = [[name, shown(number, digits)] for name, number in numbers.items()]
        return cls(["", f"{digits} digits"], rows)

    @classmethod
    def of_ends(cls, enclosures: Mapping[str, Enclosure]) -> Table:
        """Proved enclosures by their names, each with its two ends; see ``end_cells``."""
        return cls(["", "from", "to"], [[name, *end_cells(f)] for name, f in enclosures.items()])

    def _repr_markdown_(self) -> str:
        lines = [self.header, ["---"] * len(self.header), *self.rows]
        table = linked("\n".join(f"| {' | '.join(line)} |" for line in lines))
        if not self.fold:
            return table
        return f"<details>\n<summary>{self.fold}</summary>\n\n{table}\n\n</details>"

    def __repr__(self) -> str:
        text = "\n".join("  ".join(row) for row in [self.header, *self.rows])
        return worded(BOLD_DIGITS.sub(r"\1", text))


def glue(name: str, text: str) -> None:
    """Keep a text in a notebook under a name, so that its prose can show it.

    The prose has it between two comments with the name; see ``marks``. The notebook needs no more
    than IPython to run.

    Args:
        name: the name, unique in the notebook.
        text: what is shown, ready to read.

    Raises:
        TypeError: if ``text`` is not a string; numbers are rounded with ``decimal`` first.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {text!r}; accepted is a string")
    from IPython.display import display  # only a notebook calls this

    scrap = {"scrapbook": {"name": name, "mime_prefix": RECORD.removesuffix("text/plain")}}
    display({RECORD: repr(text)}, raw=True, metadata=scrap)


def say(digits: int = SHOWN_DIGITS, /, **values: _Cell) -> None:
    """Hand numbers to the text of a notebook, and print each on a line of its own.

    The text has the numbers of the stored run; after an edit look for the new ones in these lines.

    Args:
        digits: how many significant digits numbers get.
        **values: by names that are words, with ``_`` between them; see ``shown``. The text has
            ``-`` between them.

    Raises:
        TypeError: as ``shown``; so ``ValueError`` and ``CertificationError``.
    """
    texts = {name: shown(value, digits) for name, value in values.items()}
    for name, text in texts.items():
        glue(name.replace("_", "-"), text)
        print(f"{name.replace('_', ' ')}: {text}")
