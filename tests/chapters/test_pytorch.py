"""The record of what PyTorch does: its version, and the experiment again where PyTorch is there."""

import importlib
import json
import os
import re
import sys
from pathlib import Path

import pytest
from record_pytorch import RECORD, measure

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


def same_print(form: str, new: str, old: str) -> bool:
    """Whether two prints agree: to the letter, but where the number is nothing but rounding."""
    if form != "Tanh":
        return new == old
    return 0 <= number(new) <= ROUNDING and 0 <= number(old) <= ROUNDING


def departures(found: dict, stored: dict) -> list[str]:
    """Where two records differ by more than rounding; versions and places of rounding may."""
    differing = [key for key in ("options", "erf") if found[key] != stored[key]]
    for interval, old in stored["ranges"].items():
        new = found["ranges"][interval]
        if new["points"] != old["points"]:
            differing.append(f"{interval}: points")
        differing += [
            f"{interval}: printed {form}"
            for form, text in old["printed"].items()
            if not same_print(form, new["printed"][form], text)
        ]
        for kind in MEASURES:
            differing += [
                f"{interval}: {kind} of {form}"
                for form, value in old[kind].items()
                if abs(new[kind][form] - value) > ROUNDING
            ]
    return differing


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
    assert departures(measure(), STORED) == []


def test_a_record_that_is_off_by_more_than_rounding_is_found():
    changed = json.loads(json.dumps(STORED))
    changed["ranges"]["unit"]["signed"]["sigmoid"] += 2 * ROUNDING
    assert departures(changed, STORED) == ["unit: signed of sigmoid"]


@pytest.mark.parametrize("form", ["Original", "Tanh"])
def test_a_record_with_another_print_is_found(form):
    changed = json.loads(json.dumps(STORED))
    changed["ranges"]["post"]["printed"][form] = "tensor(0.0123)"
    assert departures(STORED, changed) == [f"post: printed {form}"]


def test_another_rounding_of_what_is_only_rounding_is_none():
    changed = json.loads(json.dumps(STORED))
    changed["ranges"]["post"]["printed"]["Tanh"] = "tensor(1.1921e-07)"
    changed["ranges"]["post"]["signed"]["tanh"] = 2.0**-23
    assert departures(changed, STORED) == []


@pytest.mark.parametrize("interval", ["post", "unit"])
def test_what_is_printed_is_what_was_measured(interval):
    part = STORED["ranges"][interval]
    for form, measured in (("Original", "exact"), ("Tanh", "tanh"), ("Sigmoid", "sigmoid")):
        printed, signed = number(part["printed"][form]), part["signed"][measured]
        if form == "Tanh":
            assert printed == pytest.approx(signed, rel=1e-4)
        else:
            assert abs(printed - signed) <= 0.5e-4
