"""The numbers of GELU code and the reverse look-up: from the digits back to the formula.

The rooms: ``literals`` (reading a literal exactly), ``roundings`` (exact rounding), ``catalogue``
(the constants and where they were seen), ``making`` (how a literal comes from a constant),
``chance`` (how much a match proves), ``search`` (the look-up) and ``formulas`` (the digits, by
SymPy).
"""

from gelu_lib.magic_numbers.catalogue import Constant, Source, constants, sources
from gelu_lib.magic_numbers.literals import LiteralError, Reading
from gelu_lib.magic_numbers.search import Answer, Match, lookup

__all__ = [
    "Answer",
    "Constant",
    "LiteralError",
    "Match",
    "Reading",
    "Source",
    "constants",
    "lookup",
    "sources",
]
