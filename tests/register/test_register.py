"""The register keeps its rules, and its reader rejects every break of them."""

import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from gelu_lib.register import agreeing_digits, parse_results, result, results
from gelu_lib.rows import DataError

ROOT = Path(__file__).resolve().parents[2]
LEDGER = ROOT / "tests" / "ledger.txt"

NUMERIC = """
[half]
title = "One half"
statement = '1/2'
status = "numeric"
page = "gelu"
why_not_certified = "nobody has tried"
"""
LITERAL = """
[printed-half]
title = "One half, printed"
statement = '1/2'
status = "historical"
page = "gelu"
literal = "0.50"
of = "half"
"""
VALUES = '{"half": {"value": "0.5"}}'
PROVED = '{"half": {"value": "0.50", "enclosure": ["0.4999", "0.5001"]}}'
WHY = 'why_not_certified = "nobody has tried"\n'
CERTIFIED = NUMERIC.replace(WHY, "").replace("numeric", "certified")


def published() -> dict[str, str]:
    """The ledger: every ID that was ever published, with its page."""
    lines = LEDGER.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def changed(ledger: dict[str, str], register: dict[str, str]) -> list[str]:
    """What the register does differently from the ledger."""
    vanished = [f"{id} vanished" for id in ledger if id not in register]
    unlisted = [f"{id} is not in the ledger" for id in register if id not in ledger]
    moved = [f"{id} moved" for id in ledger if register.get(id, ledger[id]) != ledger[id]]
    return vanished + unlisted + moved


def test_every_published_id_stands_and_every_id_is_in_the_ledger():
    register = {entry.id: entry.page for entry in results().values()}
    assert changed(published(), register) == []
    register = dict(published())
    gone = register.popitem()[0]
    assert changed(published(), register) == [f"{gone} vanished"]
    register = {**published(), "new-one": "gelu"}
    assert changed(published(), register) == ["new-one is not in the ledger"]
    register = {**published(), gone: "elsewhere"}
    assert changed(published(), register) == [f"{gone} moved"]


@pytest.mark.parametrize(
    ("statements", "values", "message"),
    [
        (NUMERIC + NUMERIC, VALUES, "cannot be read"),
        (NUMERIC.replace("[half]", "[Half]"), "{}", "lower-case"),
        (NUMERIC.replace("'1/2'", "''"), VALUES, "missing statement"),
        (NUMERIC + 'colour = "red"\n', VALUES, "unknown fields colour"),
        (NUMERIC + 'value = "0.5"\n', VALUES, "unknown fields value"),
        (NUMERIC.replace('"numeric"', '"proved"'), VALUES, "status is 'proved'"),
        (NUMERIC, "{}", "needs a value"),
        (NUMERIC.replace(WHY, ""), VALUES, "a numeric entry, and no other, says in why_not"),
        (NUMERIC.replace("nobody has tried", ""), VALUES, "a numeric entry, and no other, says"),
        (CERTIFIED + WHY, PROVED, "a numeric entry, and no other, says"),
        (CERTIFIED.replace("certified", "symbolic"), "{}", "has the claim"),
        (NUMERIC, '{"half": {"value": "0.5", "claim": "1"}}', "has the claim"),
        (
            NUMERIC,
            '{"half": {"value": "0.5"}, "third": {"value": "0.3"}}',
            "unknown results: third",
        ),
        (NUMERIC, '{"half": {"value": "a half"}}', "is not a number"),
        (NUMERIC, '{"half": {"value": "0.0"}}', "is not 0"),
        (NUMERIC + 'literal = "0.5"\n', VALUES, "no other, has a literal"),
        (LITERAL, "{}", "unknown result 'half'"),
        (
            CERTIFIED.replace("certified", "proof") + 'check = "another way"\n',
            "{}",
            "checks a computed number",
        ),
        (
            NUMERIC + LITERAL,
            '{"half": {"value": "0.5"}, "printed-half": {"value": "0.5"}}',
            "never computed",
        ),
        # an enclosure that does not prove its number
        (CERTIFIED, VALUES, "every number of a certified entry"),
        (CERTIFIED.replace("certified", "proof"), VALUES, "every number of a certified entry"),
        (CERTIFIED, '{"half": {"enclosure": ["0.49", "0.51"]}}', "needs a value"),
        (NUMERIC, '{"half": {"value": "0.5", "enclosure": ["0.49", "0.51"]}}', "no other, has"),
        (
            CERTIFIED,
            '{"half": {"numbers": {"one": "0.5", "two": "1.5"},'
            ' "enclosures": {"one": ["0.49", "0.51"]}}}',
            "every number of a certified entry",
        ),
        (CERTIFIED, '{"half": {"value": "0.5", "enclosure": ["0.51", "0.49"]}}', "does not decide"),
        (
            CERTIFIED,
            '{"half": {"value": "0.50", "enclosure": ["0.49", "0.51"]}}',
            "does not decide",
        ),
        (CERTIFIED, '{"half": {"value": "0.5", "enclosure": ["0.6", "0.61"]}}', "does not decide"),
    ],
)
def test_a_broken_register_is_rejected(statements, values, message):
    with pytest.raises(DataError, match=message):
        parse_results(statements, values)


def test_what_is_computed_twice_unknown_or_0_is_refused():
    with pytest.raises(DataError, match="computed twice: half"):
        parse_results(NUMERIC, VALUES, VALUES)
    known = next(iter(results()))
    with pytest.raises(KeyError, match=f"{known}x.*nearest: .*{known}"):
        result(known + "x")
    with pytest.raises(ValueError, match="exact is 0"):
        agreeing_digits("0.1", "0")


@pytest.mark.parametrize("status", ["certified", "proof"])
def test_a_proved_number_has_an_enclosure(status):
    entry = parse_results(CERTIFIED.replace("certified", status), PROVED)["half"]
    assert entry.enclosure == ("0.4999", "0.5001")


def test_a_good_register_is_read_whole():
    assert parse_results(NUMERIC, VALUES)["half"].why_not_certified == "nobody has tried"
    assert parse_results(CERTIFIED, PROVED)["half"].why_not_certified == ""
    assert parse_results(NUMERIC + 'check = "another way"\n', VALUES)["half"].check == "another way"
    register = parse_results(NUMERIC + LITERAL, VALUES)
    assert list(register) == ["half", "printed-half"]
    assert register["half"].number == Fraction(1, 2)
    assert register["printed-half"].value == "0.50"
    entry = parse_results(NUMERIC, '{"half": {"numbers": {"one": "0.5", "two": "1.5"}}}')["half"]
    assert entry.number is None
    assert entry.named_numbers == {"one": Fraction(1, 2), "two": Fraction(3, 2)}
    text = '{"half": {"numbers": {"one": "0.5"}, "enclosures": {"one": ["0.49", "0.51"]}}}'
    assert parse_results(CERTIFIED, text)["half"].enclosures == {"one": ("0.49", "0.51")}


@pytest.mark.parametrize(
    ("numbers", "error", "message"),
    [
        (["1e99999999", "1e-5000", Decimal("1e99999999"), "0x1p-20000"], ValueError, "than three"),
        (["", "abc", "1/0", "nan", "inf", math.nan, math.inf], ValueError, "accepted"),
        ([None, True, 1j, [0.5], np.array(0.5)], TypeError, r"got .* accepted are"),
    ],
)
def test_what_is_no_finite_number_or_has_a_huge_exponent_is_refused(numbers, error, message):
    for number in numbers:
        with pytest.raises(error, match=message):
            agreeing_digits(number, "1")


@pytest.mark.parametrize(
    "number", ["0.50", ".5", "1/2", "0x1p-1", 0.5, np.float32(0.5), Decimal("0.5"), Fraction(1, 2)]
)
def test_every_notation_is_read_exactly(number):
    assert agreeing_digits(number, "0.5") == 1000


@pytest.mark.parametrize(
    ("approximation", "exact", "digits"),
    [
        ("0.044715", "0.0447149112", 5),  # 5 units in the 10th decimal, 0.89 in the 7th
        ("1.702", "1.70174", 4),
        ("0.1", "0.2", 0),
        ("99.96", "100", 4),
        ("100.04", "100", 4),
        ("0.5", "0.5", 1000),
        ("-0.5", "0.5", 0),
    ],
)
def test_agreeing_digits_counts_to_half_a_unit(approximation, exact, digits):
    assert agreeing_digits(approximation, exact) == digits


WITHOUT_NUMBERS = """
import sys
from gelu_lib import register
assert "gelu_lib.evidence.proved" not in sys.modules
register.parse_results = None
import gelu_lib.evidence.proved
try:
    register.results()
except TypeError:
    print("imported, and no number is there")
"""


def test_what_computes_a_new_number_is_imported_before_the_number_is_there():
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMBERS], capture_output=True, text=True)
    assert run.stdout == "imported, and no number is there\n", run.stderr
