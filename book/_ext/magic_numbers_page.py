"""The search box of the magic numbers, which works in the browser, without a server.

``{number-search}``    the box, on one page

A page that has the box loads two scripts: the catalogue of ``gelu_lib.provenance`` as
JavaScript, which is written here, and ``magic-numbers.js``, which searches it.

No package will do: what is searched are reals within their uncertainty, and not words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from page_scripts import directive, rendered, write_data
from sphinx.application import Sphinx

from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.precision import FORMULA_DIGITS
from gelu_lib.provenance.literals.bit_words import FEWEST_BITS, FORMATS
from gelu_lib.provenance.literals.catalogue import ASIDE, Constant, constants, sources
from gelu_lib.provenance.literals.chance import (
    MOST_BITS,
    MOST_DECIMALS,
    REPORT_FROM,
    bit_accident_note,
    decimal_accident_note,
    slip_accident_note,
)
from gelu_lib.provenance.literals.formula_input import IN_FORMULAS, KEPT_DIGITS, MACROS_OF_C
from gelu_lib.provenance.literals.literal import ACCEPTED, LONGEST, LONGEST_TEXT, SIZES
from gelu_lib.provenance.literals.lookup import (
    MOST_STEPS,
    NEAR_DIGITS,
    NEAR_RESULT,
    NEAREST,
    NO_VALUE,
    UNKNOWN_KINDS,
    abridged,
)
from gelu_lib.provenance.literals.origin import (
    BY_FLOAT,
    FEWEST_PLACES,
    FITTED_DIGITS,
    KINDS,
    MEANT_DIGITS,
    UNITS,
)
from gelu_lib.provenance.literals.slips import FEWEST_DIGITS, SLIPS
from gelu_lib.provenance.literals.values import (
    ACCEPTED_PAIRS,
    EASY,
    ENOUGH_DIGITS,
    FARTHEST_INPUT,
    WAYS,
)

DATA_SCRIPT = "magic-numbers-data.js"

OTHERWISE = 'a formula such as "sqrt(2/pi)"; an input with its value, such as "gelu(2) = 1.9546"'
"""What the box takes that is no number as it is written."""


IN_THE_LIST = "Accepted is what the list below names."
"""What is said of a text that is nothing of the list, which the box then opens."""


def box() -> str:
    """The box as HTML."""
    return rendered("number-search", accepted=f"{ACCEPTED}; {FORMATS}; {OTHERWISE}".split("; "))


def data() -> dict[str, Any]:
    """Everything that the script in the browser needs, with exact numbers as strings."""
    return {
        "accepted": IN_THE_LIST,
        "longest": LONGEST,
        "longestText": LONGEST_TEXT,
        "sizes": SIZES,
        "fewestPlaces": FEWEST_PLACES,
        "fittedDigits": FITTED_DIGITS,
        "units": dict(UNITS),
        "mostSteps": MOST_STEPS,
        "meantDigits": MEANT_DIGITS,
        "nearDigits": NEAR_DIGITS,
        "nearest": NEAREST,
        "nearResult": str(NEAR_RESULT),
        "slips": dict(SLIPS),
        "slipDigits": FEWEST_DIGITS,
        "told": str(REPORT_FROM),
        "unknown": UNKNOWN_KINDS,
        "kinds": dict(KINDS),
        "byFloat": list(BY_FLOAT),
        "keptDigits": KEPT_DIGITS,
        "formulaDigits": FORMULA_DIGITS,
        "macros": MACROS_OF_C,
        "inFormulas": IN_FORMULAS,
        "formats": FORMATS,
        "pairs": ACCEPTED_PAIRS,
        "fewestBits": FEWEST_BITS,
        "farthestInput": FARTHEST_INPUT,
        "enoughDigits": ENOUGH_DIGITS,
        "easy": [str(x) for x in EASY],
        "ways": WAYS,
        "noValue": NO_VALUE,
        "decimalsTold": told(decimal_accident_note, range(1, MOST_DECIMALS + 1)),
        "bitsTold": told(bit_accident_note, range(MOST_BITS + 1)),
        "slipsTold": told(slip_accident_note, range(FEWEST_DIGITS, MOST_DECIMALS + 1)),
        "types": {
            name: [kind.digits, kind.least_exponent, str(int(kind.greatest))]
            for name, kind in FLOAT_TYPES.items()
        },
        "constants": [record(constant) for constant in constants().values()],
    }


def told(clause: Callable[[int], str], lengths: range) -> dict[str, str]:
    """What is said of an accident, by the length of a number, where anything is."""
    return {str(length): text for length in lengths if (text := clause(length))}


def record(constant: Constant) -> dict[str, Any]:
    """One constant for the browser."""
    return {
        "id": constant.id,
        "name": constant.name,
        "digits": abridged(constant.digits),
        "meaning": constant.meaning,
        "value": str(constant.value),
        "uncertainty": str(constant.uncertainty),
        "register": constant.group in ASIDE,
        "fitted": constant.group == "fitted",
        "cited": constant.cited,
        "coefficient": constant.coefficient,
        "decimal": constant.decimal,
        "met": constant.is_met,
        "ways": [[way.kind, way.name, str(way.value)] for way in constant.ways],
        "printed": sorted(map(str, constant.printed)),
        "seen": {text: [where(id) for id in ids] for text, ids in constant.seen.items()},
        "page": f"{constant.page}.html" if constant.page else "",
        "result": constant.result,
    }


def where(source: str) -> str:
    """The name of a source; of a literal of the register, its ID."""
    return sources()[source].name if source in sources() else f"the register, {source}"


def write_catalogue(app: Sphinx) -> None:
    """Put the catalogue into the site."""
    if app.builder.format == "html":
        write_data(app, DATA_SCRIPT, "MAGIC_NUMBERS", data())


def setup(app: Sphinx) -> None:
    app.add_directive("number-search", directive(box))
    app.connect("builder-inited", write_catalogue)
