"""On every formula of the assumptions a check depends, or it is listed with the reason.

One flip that is noticed shows that a check depends on a formula; that it depends on all of it is
tried with a few more, drawn by a seed. ``tools/laboratory/flip_statements.py`` makes every one.
"""

import random

import flips
import pytest
from kinds import slow_but
from points import SEED
from survivors import unexplained, unused
from test_statements import is_slow

from gelu_lib.register import result, results

pytestmark = pytest.mark.usefixtures("known_optima")

FIRST = {entry.assumptions: id for id, entry in reversed(results().items()) if entry.assumptions}
"""Of the entries with the same assumptions the first one."""

UNDECIDED = {*flips.LOST, "same", "narrower", "proved"}


LONG = {
    "mills-series", "sigmoid-slope-product-overflows", "sign-condition", "artanh-erf-radius",
    "least-slots-bfloat16", "least-slots-float16",
}  # fmt: skip
"""The entries whose flips take longest, though their trials do not: they are made at night."""


DRAWN = 2
"""How many flips of each formula must be noticed or explained."""

SOME = set(sorted(FIRST.values())[::3])


def is_short(id):
    return id in SOME and not is_slow(id) and id not in LONG


def is_used(mutants, original):
    """Whether one of the flips of a formula is noticed."""
    return any(flips.outcome(original, mutant)[0] not in UNDECIDED for mutant in mutants)


def rows(id, mutants, original):
    """The outcomes of some flips of a formula, drawn by a seed."""
    rng = random.Random(f"{SEED} {id}")
    for one in rng.sample(mutants, min(DRAWN, len(mutants))):
        outcome = flips.outcome(original, one)[0]
        yield {"id": id, "flip": one.shown, "original": one.original, "outcome": outcome}


@pytest.mark.parametrize("id", slow_but(is_short, sorted(FIRST.values())))
def test_a_check_depends_on_each_formula_that_is_not_listed(id):
    entry = result(id)
    original = flips.checked(entry)
    if original is None:  # what was printed elsewhere, and does not hold or claims nothing
        assert entry.status == "historical"
        return
    parts = flips.parts(entry)
    found = {part for part, own in parts.items() if not is_used(own, original)}
    assert found == set(unused().get(id, ()))
    drawn = [row for own in parts.values() for row in rows(id, own, original)]
    lost, _ = unexplained(drawn)
    assert lost == []


def test_what_is_listed_says_why():
    for id, listed in unused().items():
        assert set(listed) <= set(flips.parts(result(id)))
        assert all(len(why.split()) > 4 for why in listed.values())
