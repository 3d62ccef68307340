"""Where the search for a best member begins and ends in double precision, whatever is asked."""

from __future__ import annotations

from functools import lru_cache

from gelu_lib.fits import (  # each way to a start registers
    exchange,  # noqa: F401
    sequential,  # noqa: F401
    tanh_starts,  # noqa: F401
)
from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.grid import searched
from gelu_lib.fits.start import Start, start


@lru_cache(maxsize=256)
def begin(problem: Problem) -> Start:
    """The start of a problem, looked for once.

    In the sup norm the error of a best member alternates, as a rule, and the kind of its family
    decides how it is found. An integral norm and the error of GELU′, which need not alternate, are
    made small on a grid.

    Raises:
        StartError, NotAnOptimumError, ValueError: as ``start.start`` and ``grid.searched``.
    """
    alternates = problem.criterion.norm == "sup" and not problem.target.derivative
    return start(problem.family, problem) if alternates else searched(problem)
