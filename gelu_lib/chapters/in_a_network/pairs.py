"""Comparing in pairs: what a few seeds say of a difference, and what they could have said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import ncf, t

LEVEL, POWER = 0.95, 0.8


@dataclass(frozen=True)
class Difference:
    """The mean of paired differences.

    Attributes:
        count: how many pairs.
        mean: their mean difference.
        sd: the standard deviation of the differences.
        low: the lower end of the t-interval of 95 % for the mean.
        high: its upper end.
        chance: the probability, if the true mean is 0 and the differences are normal, of a mean
            at least as far from 0.
        seen: the true mean that such pairs find to differ from 0, at the level of 5 %, in 80 of
            100 experiments.
    """

    count: int
    mean: float
    sd: float
    low: float
    high: float
    chance: float
    seen: float

    @property
    def found(self) -> bool:
        """Whether the interval leaves 0 out."""
        return not self.low <= 0 <= self.high


def paired(ones: Sequence[float], others: Sequence[float]) -> Difference:
    """The mean difference of pairs, ones − others.

    Args:
        ones: a number for each pair.
        others: the other number of each pair, in the same order.

    Returns:
        The mean with Student's interval, which holds if the differences are normal.

    Raises:
        ValueError: if there are fewer than two pairs, they are not pairs, or all differences
            are the same, so that nothing can be said of their spread.
    """
    if len(ones) != len(others) or len(ones) < 2:
        counts = f"{len(ones)} and {len(others)} numbers"
        raise ValueError(f"ones and others are {counts}; accepted are two pairs or more")
    differences = np.subtract(ones, others)
    count, mean, sd = differences.size, float(differences.mean()), float(differences.std(ddof=1))
    if sd == 0:
        raise ValueError("all differences are the same; accepted are those that vary")
    error = sd / sqrt(count)
    reach = float(t.ppf((1 + LEVEL) / 2, count - 1)) * error
    chance = 2 * float(t.sf(abs(mean) / error, count - 1))
    seen = least_seen(sd, count)
    return Difference(count, mean, sd, mean - reach, mean + reach, chance, seen)


def least_seen(sd: float, count: int) -> float:
    """The least true mean that a paired t-test finds with a probability of 80 %.

    Args:
        sd: the standard deviation of the differences.
        count: how many pairs.

    Returns:
        The mean; the test is two-sided, at the level of 5 %.
    """
    freedom = count - 1
    critical = t.ppf((1 + LEVEL) / 2, freedom)

    def missing(shift: float) -> float:
        """The power that is missing; the square of the statistic is of a noncentral F."""
        return POWER - ncf.sf(critical**2, 1, freedom, shift**2)

    return brentq(missing, 0.1, 10 * critical) * sd / sqrt(count)
