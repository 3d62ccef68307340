"""The record of what PyTorch does: its version, and the experiment again where PyTorch is there."""

import json
import re
from pathlib import Path

import pytest
from record_pytorch import RECORD, measure

ROOT = Path(__file__).resolve().parent.parent
STORED = json.loads(RECORD.read_text(encoding="utf-8"))

# a processor evaluates tanh and erf in its own way: four units in the last place of the largest
# numbers that occur, single-precision ones from 4 to 8
ROUNDING = 4 * 2.0**-21
MEASURES = ("signed", "absolute", "error")


def departures(found: dict, stored: dict) -> list[str]:
    """Where two records differ by more than rounding; versions and places of rounding may."""
    differing = [key for key in ("options", "erf") if found[key] != stored[key]]
    for interval, old in stored["ranges"].items():
        new = found["ranges"][interval]
        if new["points"] != old["points"]:
            differing.append(f"{interval}: points")
        for kind in MEASURES:
            differing += [
                f"{interval}: {kind} of {form}"
                for form, value in old[kind].items()
                if abs(new[kind][form] - value) > ROUNDING
            ]
    return differing


def test_the_record_is_of_the_version_that_is_installed_for_it():
    for place in (".ci/run", "README.md"):
        text = (ROOT / place).read_text(encoding="utf-8")
        assert re.findall(r"torch==([\d.]+)", text) == [STORED["torch"]], place


def test_the_record_holds_what_pytorch_does_here():
    pytest.importorskip("torch")
    assert departures(measure(), STORED) == []


@pytest.mark.parametrize("kind", MEASURES)
def test_a_record_that_is_off_by_more_than_rounding_is_found(kind):
    changed = json.loads(json.dumps(STORED))
    changed["ranges"]["unit"][kind]["sigmoid"] += 2 * ROUNDING
    assert departures(changed, STORED) == [f"unit: {kind} of sigmoid"]


def test_a_record_with_other_options_is_found():
    assert departures({**STORED, "options": {"none": True}}, STORED) == ["options"]


def test_the_record_has_no_trace_of_a_machine():
    assert set(STORED) == {"torch", "python", "options", "erf", "ranges"}
