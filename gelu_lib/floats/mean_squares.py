r"""The mean square of an error under a law of inputs, and where it is least.

It is a finite sum of squares of r(x), so its derivatives by the parameters are enclosed as those of
an integral are (``least_integrals``). Of one free parameter p more is known: for Φ and GELU, r(x)
is monotone in p. So for all p between two numbers, \|r(x)\| is at least the distance from 0 of the
errors with these two. This bounds the mean square on cells, each twice as long as the one before
and the last without end, that leave out an interval alone on which it is convex.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf

import gelu_lib._proofs

from gelu_lib._extras import flint
from gelu_lib.certificates.best.integrals import Terms, integrand
from gelu_lib.certificates.best.least_integrals import Squares
from gelu_lib.certificates.engine.balls import interval
from gelu_lib.certificates.engine.solutions import Box
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats.laws import InputLaw

CONVEX = 2.0**-4
"""The mean square is shown to be convex so far from the best parameter, as a part of that."""

CELLS_BESIDE = 8
"""How many cells there are on either side, but for the last one."""


@dataclass(frozen=True)
class MeanSquare(Squares):
    """Half the mean square of the error of a ``problem``, in place of half the integral.

    Attributes:
        law: the law of the inputs.
    """

    law: InputLaw

    @cached_property
    def shares(self) -> dict[float, flint.fmpq]:
        """The share of each size of an input; sizes of errors are alike at x and −x, and 0 at 0."""
        return {x: share for x, share in self.law.shares(abs).items() if x}

    def total(self, unknowns: Box, terms: Terms) -> flint.arb:
        """Half the mean of a sum of products, on a box of free parameters."""
        return self._half(self._values(unknowns, terms))

    def prove_alone(self, found: Box) -> None:
        """Prove that no other parameter has a mean square as small as that of a minimum.

        Args:
            found: a ball for each free parameter, in which the derivatives are 0.

        Raises:
            CertificationError: if it was not shown; of two parameters and of GELU′ it never is.
        """
        if len(found) > 1 or self.problem.target.derivative:
            raise CertificationError("optimality", "it is not one constant, for Φ or GELU")
        level, middle = self.total(found, (((), ()),)).upper(), found[0].mid()
        reach = abs(middle) * CONVEX
        self.prove_convex([flint.arb(middle, reach)])
        for side in (-1, 1):
            steps = [*(2**n for n in range(CELLS_BESIDE + 1)), inf]
            errors = [self._values([middle + side * reach * n], (((),),)) for n in steps]
            for pair in pairwise(errors):
                sizes = [abs(interval(*ends)).lower() for ends in zip(*pair, strict=True)]
                if not self._half(size**2 for size in sizes) > level:
                    raise CertificationError("optimality", "other constants may be as good")

    def _half(self, values: Iterable[flint.arb]) -> flint.arb:
        """Half the mean of the values at each input."""
        pairs = zip(values, self.shares.values(), strict=True)
        return sum((value * share for value, share in pairs), flint.arb(0)) / 2

    def _values(self, unknowns: Box, terms: Terms) -> list[flint.arb]:
        """A sum of products at each input; with a parameter at ±∞ its limit."""
        function, parameters = integrand(self.problem, terms), self.parameters(unknowns)
        return [flint.arb(function(flint.arb(x), *parameters)) for x in self.shares]
