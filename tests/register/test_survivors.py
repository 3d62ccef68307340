"""What no check notices of all flips is explained, and nothing else is."""

import flips
import pytest
from survivors import EQUATION, explained, reason, text, unexplained

from gelu_lib.register import result

NOTES = {"phi-at-1": {"2": "a reason"}}


def row(flip, outcome="survived", id="phi-at-1"):
    return {"id": id, "flip": flip, "outcome": outcome}


def test_a_survivor_without_a_reason_is_told_and_a_part_of_the_entry_is_none():
    assert unexplained([row(r"\Phi(2)"), row(r"\Phi(-1)")], NOTES) == ([row(r"\Phi(-1)")], [])
    assert unexplained([row(r"\Phi(-1)", "unread")], {}) == ([], [])
    assert reason("phi-at-1", r"\Phi(1) + 2", {"phi-at-1": {"1": ""}}) == ""


@pytest.mark.parametrize("untold", ["left out", "slow"])
def test_a_reason_that_explains_nothing_is_told(untold):
    rows = [row(r"\Phi(2)", "not proved")]
    assert unexplained(rows, NOTES) == ([], [("phi-at-1", "2")])
    assert unexplained([*rows, row(r"\Phi(4)", untold)], NOTES) == ([], [])


@pytest.mark.parametrize("id", explained())
def test_every_part_stands_in_a_flip_of_its_entry(id):
    if id.startswith(EQUATION):
        shown = [flip.tex for flip in flips.flips(text(id))]
    else:
        shown = [mutant.shown for mutant in flips.mutants(result(id))]
    for part, why in explained()[id].items():
        assert any(reason(id, flip, {id: {part: why}}) for flip in shown), part
        assert len(why.split()) > 3, part
