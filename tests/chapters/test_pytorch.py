"""The record of what PyTorch does: its version, and the experiment again where PyTorch is there."""

import importlib
import json
import os
import re
import sys
from pathlib import Path

import pytest
from record_pytorch import RECORD, measure
from records import departures

ROOT = Path(__file__).resolve().parents[2]
STORED = json.loads(RECORD.read_text(encoding="utf-8"))

# one unit in the last place of single-precision numbers from 4 to 8, the largest that occur: a
# processor evaluates tanh and erf in its own way, and so does each of its instruction sets
ROUNDING = 2.0**-21
MEASURES = ("signed", "absolute", "error")
REQUIRED = "GELU_LIB_NEEDS_PYTORCH"


def number(printed: str) -> float:
    """The number in what PyTorch prints."""
    return float(re.fullmatch(r"tensor\((.+)\)", printed)[1])


def is_rounding(place: tuple[str, ...], new: object, old: object) -> bool:
    """Whether no more than rounding differs; versions and places of rounding may be any."""
    if place[0] in ("python", "torch"):
        return True
    if place == ("ranges", place[1], "printed", "Tanh"):
        return 0 <= number(new) <= ROUNDING and 0 <= number(old) <= ROUNDING
    if place[0] == "ranges" and place[2] in MEASURES:
        return abs(new - old) <= ROUNDING
    compared = place[0] in ("options", "erf") or place[2] in ("points", "printed")
    return not compared


def found(new: dict) -> list[str]:
    """Where a record differs from the stored one by more than rounding."""
    return departures(new, STORED, is_rounding)


def test_the_record_is_of_the_version_that_the_command_of_the_checks_asks_for():
    for place in ("requirements-frameworks.txt", "README.md"):
        text = (ROOT / place).read_text(encoding="utf-8")
        assert re.findall(r"torch==([\d.]+)", text) == [STORED["torch"]], place
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    (asked,) = (i for i, line in enumerate(lines) if line == f"export {REQUIRED}=1")
    assert any(line.startswith("python3 tools/run.py tests") for line in lines[asked:])


def test_pytorch_is_there_where_it_must_be():
    if os.environ.get(REQUIRED):
        importlib.import_module("torch")


def test_where_it_must_be_its_absence_is_noticed(monkeypatch):
    monkeypatch.setenv(REQUIRED, "1")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError):
        test_pytorch_is_there_where_it_must_be()


def test_the_record_holds_what_pytorch_does_here():
    pytest.importorskip("torch")
    assert found(measure()) == []


def test_another_python_is_no_departure():
    assert found(STORED | {"python": "3.14"}) == []


SIGNED = STORED["ranges"]["unit"]["signed"]["sigmoid"]


@pytest.mark.parametrize(
    ("place", "value", "is_found"),
    [
        ("unit/signed/sigmoid", SIGNED + 2 * ROUNDING, True),
        ("unit/signed/sigmoid", SIGNED + ROUNDING / 2, False),
        ("post/printed/Original", "tensor(0.0123)", True),
        ("post/printed/Tanh", "tensor(0.0123)", True),
        ("post/printed/Tanh", "tensor(1.1921e-07)", False),
        ("post/points", 7, True),
    ],
)
def test_another_record_is_found_if_it_is_off_by_more_than_rounding(place, value, is_found):
    changed = json.loads(json.dumps(STORED))
    *outer, last = place.split("/")
    part = changed["ranges"]
    for key in outer:
        part = part[key]
    part[last] = value
    assert found(changed) == ([f"ranges/{place}"] if is_found else [])


@pytest.mark.parametrize("interval", ["post", "unit"])
def test_what_is_printed_is_what_was_measured(interval):
    part = STORED["ranges"][interval]
    for form, measured in (("Original", "exact"), ("Tanh", "tanh"), ("Sigmoid", "sigmoid")):
        printed, signed = number(part["printed"][form]), part["signed"][measured]
        if form == "Tanh":
            assert printed == pytest.approx(signed, rel=1e-4)
        else:
            assert abs(printed - signed) <= 0.5e-4
