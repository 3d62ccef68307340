"""Where the search for best parameters ends in double precision: a start, which promises nothing.

How one is found depends on the kind of family, and ``start`` is open to others: an exchange for an
increasing link of given terms and for rationals (``exchange``), a search over scales for sums of
tanh (``tanh_starts``), linear programs for anything else (``sequential``). Where an integral or the
error of GELU′ is to be small, a search on a grid goes on from there (``grid``). ``begin`` chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import singledispatch

from gelu_lib.fits.criteria import Criterion, Problem, alternating, by_name
from gelu_lib.functions.families import Approximant
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import Target


class StartError(ArithmeticError):
    """No start was found in double precision; nothing is said about the optimum."""


@dataclass(frozen=True, repr=False)
class Found(Form):
    """A member of a family that was found for a problem; a subclass has its error and its points.

    Attributes:
        family: the family.
        parameters: the value of every parameter, by name, as it was found.
        problem: what was asked.
    """

    parameters: Mapping[str, object] = field(hash=False)
    problem: Problem

    def __post_init__(self) -> None:
        """The parameters stay what they are, floats or enclosures."""

    @property
    def target(self) -> Target:
        """What is approximated."""
        return self.problem.target

    @property
    def criterion(self) -> Criterion:
        """What is made small."""
        return self.problem.criterion

    @property
    def alternates(self) -> bool:
        """Whether the error alternates at one point more than there are free parameters."""
        return alternating(self.signs, len(self.problem.free) + 1)


@dataclass(frozen=True, repr=False)
class Start(Found):
    """A member of a family that is about the best, in double precision. Nothing is proved of it.

    Attributes:
        family: the family.
        parameters: the value of every parameter, by name, as floats.
        problem: what was asked.
        error: the norm of the error, about.
        points: where the weighted error is largest, about, increasing; for L1 where it is 0.
        signs: the sign of the error at each point, for the sup norm.
    """

    error: float
    points: tuple[float, ...] = ()
    signs: tuple[int, ...] = ()

    @property
    def free(self) -> tuple[float, ...]:
        """The values of the parameters that are not fixed, in their order."""
        return tuple(self.parameters[symbol.name] for symbol in self.problem.free)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.6g}" for name, value in self.parameters.items())
        return f"Start({values}, error={self.error:.6g}, not proved)"

    def _repr_markdown_(self) -> str:
        values = ", ".join(f"{name} ≈ {value:.6g}" for name, value in self.parameters.items())
        return f"{values}; error ≈ {self.error:.6g} (found in floats, not proved)"


def made_start(
    problem: Problem, free: object, error: float, points: object = (), signs: object = ()
) -> Start:
    """A start out of float arrays: the free parameters, the error, the points and the signs."""
    values = problem.complete(map(float, free), problem.float_fixed)
    return Start(
        family=problem.family,
        parameters=by_name(problem.family.symbols, values),
        problem=problem,
        error=float(error),
        points=tuple(map(float, points)),
        signs=tuple(map(int, signs)),
    )


@singledispatch
def start(family: Approximant, problem: Problem) -> Start:
    """A start for a problem in the sup norm, whose error is not that of a derivative.

    Args:
        family: the family of the problem, by whose class the way is chosen.
        problem: the problem; its interval and its weight are those of ``problem.criterion``.

    Returns:
        The start, as ``made_start`` makes it.

    Raises:
        TypeError: if no way is known for the family, and it has no rough parameters ``near``.
        StartError: if none was found; the message says why.
        NotAnOptimumError: if it is seen that the best member is one with fewer parameters.
        ValueError: if the target or the weight is not defined on the interval, or the terms of the
            family are not independent there.
    """
    raise NotImplementedError("import gelu_lib.fits.begin, where the ways register")
