"""Numbers as the results page shows them."""

import re
from dataclasses import replace

import pytest

from gelu_lib.register import results
from gelu_lib.show.results import check_of, enclosure_text


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        ("0.0447149", "0.0447152", "0.04471[49, 52]"),
        ("-1.25", "-1.23", "-1.2[5, 3]"),
        ("4.51e+102", "4.53e+102", "4.5[1, 3]e+102"),
        ("9.9", "10.1", "[9.9, 10.1]"),
        ("-0.01", "0.01", "[-0.01, 0.01]"),
    ],
)
def test_an_enclosure_is_written_by_the_digits_that_its_ends_share(lower, upper, text):
    assert enclosure_text(lower, upper) == text
    assert ends(text) == (lower, upper)


def ends(text: str) -> tuple[str, str]:
    """The ends of an interval, from how it is written."""
    found = re.fullmatch(r"([^\[]*)\[(.*), ([^\]]*)\](.*)", text)
    if not found:
        return text, text
    shared, lower, upper, exponent = found.groups()
    return shared + lower + exponent, shared + upper + exponent


def test_what_stands_behind_the_digits_is_said():
    proof, numeric = results()["gelu-largest-slope"], dict(status="numeric", enclosure=None)
    assert check_of(proof).startswith("50 digits, each proved, by an enclosure. A second method")
    assert check_of(results()["gelu-erf"]) == ""
    unproved = replace(proof, **numeric, check="", why_not_certified="nobody has tried")
    assert check_of(unproved) == (
        "50 digits, computed at two precisions that agree. By one method. "
        "Not certified: nobody has tried."
    )
    measured = replace(unproved, value=None, numbers={"mean": "0.00125", "low": "-0.25"})
    assert check_of(measured) == (
        "2 digits, measured in an experiment that can be repeated. Not certified: nobody has tried."
    )
    assert check_of(results()["page-cubic"]) == ""


def test_every_enclosure_of_the_register_can_be_read_back():
    found = [e.enclosure for e in results().values() if e.enclosure]
    found += [pair for e in results().values() for pair in e.enclosures.values()]
    assert len(found) > 100
    assert [ends(enclosure_text(*pair)) for pair in found] == found
