"""That no polynomial passes through gates: the divided difference, and what it must refuse."""

from fractions import Fraction

import pytest
from flint import arb
from proofs import fails

from gelu_lib.certificates.facts.differences import prove_impassable, weights

PLACES = [Fraction(n, 7) for n in (-9, -2, 1, 4, 30)]
STEP = [(arb(1), None), (None, arb(0)), (arb(1), None)]
"""At −1, 0 and 1: too bent for a straight line."""


def test_the_weighted_sum_of_a_power_is_0_below_the_highest_and_1_there():
    for power in range(5):
        pairs = zip(weights(PLACES), PLACES, strict=True)
        assert sum(weight * place**power for weight, place in pairs) == (power == 4)


def test_three_gates_that_no_straight_line_passes():
    assert prove_impassable([Fraction(n) for n in (-1, 0, 1)], STEP) > 0
    upside_down = [(None, arb(-1)), (arb(0), None), (None, arb(-1))]
    assert prove_impassable([Fraction(n) for n in (-1, 0, 1)], upside_down) > 0


@pytest.mark.parametrize(
    "bounds",
    [
        [STEP[0], (None, arb(1)), STEP[2]],  # y = 1 touches all three
        [(arb(1), arb(1))] * 3,  # and it alone passes
        [STEP[0], (arb(0), None), STEP[2]],  # nothing from above
        [(None, None), *STEP[1:]],
        [STEP[0], (None, arb(1, 0.1)), (arb(1.05, 0.1), None)],  # too wide to decide
        [(arb("nan"), None), *STEP[1:]],
    ],
)
def test_gates_that_do_not_contradict_each_other_prove_nothing(bounds):
    with fails("claim"):
        prove_impassable([Fraction(n) for n in (-1, 0, 1)], bounds)


def test_a_parabola_passes_where_a_line_does_not():
    places = [Fraction(n) for n in (-1, 0, 1, 2)]
    through = [(arb(n * n) - 0.25, arb(n * n) + 0.25) for n in (-1, 0, 1, 2)]
    prove_impassable(places[:3], through[:3])
    with fails("claim"):
        prove_impassable(places, through)


@pytest.mark.parametrize(
    ("places", "bounds"),
    [([0, 0, 1], STEP), ([0, 1], STEP), ([0], STEP[:1]), ([], [])],
)
def test_what_is_no_divided_difference_is_refused(places, bounds):
    with pytest.raises(ValueError, match="accepted are"):
        prove_impassable([Fraction(n) for n in places], bounds)
