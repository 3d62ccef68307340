"""The scripts of the results: numbers are rounded as Python rounds, entries are filtered."""

import json
import random
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal, localcontext
from pathlib import Path

import pytest
import quickjs
from result_list import claims_form, results_form

from gelu_lib.provenance.atlas.claims import VERDICTS, claims
from gelu_lib.register import STATUSES, results
from gelu_lib.show.results import significant_digits

STATIC = Path(__file__).resolve().parents[2] / "book" / "_static"
LENGTHS = (10, 20, 50)
ASK = """
const ask = (module, name, ...given) => JSON.stringify(module[name](...given.map(JSON.parse)));
const number = (name, ...given) => ask(resultNumbers, name, ...given);
const filter = (name, ...given) => ask(entriesFilter, name, ...given);
"""


def asking(source: str, function: str):
    """A function of a script, with Python's values in and out."""
    context = quickjs.Context()
    context.eval(source + ASK)
    asked = context.eval(function)
    return lambda *given: json.loads(asked(given[0], *map(json.dumps, given[1:])))


COPY = (STATIC / "result-copy.js").read_text(encoding="utf-8")
number = asking(COPY, "number")
answer = asking(COPY + (STATIC / "filter.js").read_text(encoding="utf-8"), "filter")


def rounded(decimal: str, length: int) -> Decimal:
    return Context(prec=length, rounding=ROUND_HALF_EVEN).create_decimal(decimal)


def registered() -> list[tuple[str, Decimal, Decimal]]:
    """Every computed decimal of the register, with the ends between which the number lies.

    A number without proof lies within half a unit of its last digit, by its two computations.
    """
    found = []
    for entry in results().values():
        enclosures = {"": entry.enclosure, **entry.enclosures}
        for name, digits in {"": entry.value, **entry.numbers}.items():
            if digits is None or "." not in digits or entry.status == "historical":
                continue
            value = Decimal(digits)
            half = Decimal((0, (5,), value.as_tuple().exponent - 1))
            with localcontext(prec=100):
                least, most = enclosures.get(name) or (value - half, value + half)
            found.append((digits, Decimal(least), Decimal(most)))
    return found


def test_every_registered_number_is_copied_as_the_nearest_decimal():
    assert len(registered()) > 400
    for digits, least, most in registered():
        assert number("lengths", digits) == [n for n in LENGTHS if n <= significant_digits(digits)]
        for length in number("lengths", digits):
            copied = number("rounded", digits, length)
            if length == significant_digits(digits):
                assert copied == digits
                continue
            # the nearest decimal to every number that it may be, not only to its digits
            assert Decimal(copied) == rounded(least, length) == rounded(most, length)
            assert significant_digits(copied) == length


def some_decimals() -> list[str]:
    """Decimals of every size and sign, among them ties and those that carry."""
    chosen = random.Random(7)
    texts = ["0.99999999995000000000", "-0.12345678905000000000", "9.99999999995e+102"]
    texts += ["12345678905.000000000", "12345678915.000000000", "99999999999.5", "1.0000000000"]
    for _ in range(300):
        whole = str(chosen.randrange(10 ** chosen.randrange(1, 40)))
        decimals = "".join(chosen.choices("0123456789", k=chosen.randrange(11, 60)))
        exponent = chosen.choice(["", "", f"e{chosen.randrange(-99, 99):+d}"])
        texts.append(chosen.choice(["", "-"]) + whole + "." + decimals + exponent)
    return texts


def test_a_decimal_is_rounded_as_python_rounds():
    for decimal in some_decimals():
        for length in number("lengths", decimal):
            copied = number("rounded", decimal, length)
            assert Decimal(copied) == rounded(decimal, length)
            assert significant_digits(copied) == length


@pytest.mark.parametrize("text", ["197", "11/123", "0.5", "1.702", "2.44e-05"])
def test_what_has_fewer_digits_is_copied_as_it_stands(text):
    assert number("lengths", text) == []


def test_every_registered_number_is_found_by_its_first_digits_and_by_each_rounding():
    for digits, _, _ in registered():
        for length in (2, 3, 6, 12, significant_digits(digits)):
            for how in (ROUND_HALF_EVEN, ROUND_DOWN):
                asked = str(Context(prec=length, rounding=how).create_decimal(digits)).lower()
                assert "." not in asked or number("agrees", digits, asked), asked


@pytest.mark.parametrize(
    ("digits", "asked", "agrees"),
    [
        ("0.044714911", "0.044715", True),
        ("0.044714911", ".04471", True),
        ("0.044714911", "0.044716", False),
        ("0.044714911", "0.44715", False),
        ("0.044714911", "0.0447149112", False),
        ("0.99996", "1.000", True),
        ("1.7889531e-4", "0.000178895", True),
        ("-3.5e-3873965", "0.000", False),
        ("11/123", "0.089", False),
    ],
)
def test_a_number_is_found_by_what_it_begins_with_or_is_rounded_to(digits, asked, agrees):
    assert number("agrees", digits, asked) == agrees


def test_a_fault_of_the_rounding_is_found():
    faulty = COPY.replace("twice > d ||", "twice >= d ||")
    assert faulty != COPY
    tie = "0.12345678905000000000"
    assert Decimal(asking(faulty, "number")("rounded", tie, 10)) != rounded(tie, 10)


def entry(id: str, words: str, kind: str, group: str, *numbers: str) -> dict:
    return {"id": id, "words": words, "kind": kind, "group": group, "numbers": numbers}


ENTRIES = [
    entry("phi-at-1", "Φ(1)", "numeric", "gelu", "0.8413"),
    entry("tanh-error", "The least Error", "certified", "tanh", "0.00017889", "0.044714911"),
    entry("su-b", "From 0.1 on", "historical", "", "0.2"),
]
ALL = {"kinds": [], "group": "", "text": ""}


@pytest.mark.parametrize(
    ("chosen", "passing"),
    [
        ({}, ["phi-at-1", "tanh-error", "su-b"]),
        ({"group": "tanh"}, ["tanh-error"]),
        ({"text": " ERROR  least "}, ["tanh-error"]),
        ({"text": "tanh-err"}, ["tanh-error"]),
        ({"kinds": ["numeric"], "group": "tanh"}, []),
        ({"text": "certified error"}, ["tanh-error"]),
        ({"text": "error 0.044715"}, ["tanh-error"]),
        ({"text": "0.1"}, ["su-b"]),
        ({"text": "0.044715 0.2"}, []),
    ],
)
def test_the_filter_passes_what_was_chosen(chosen, passing):
    filter = {**ALL, **chosen}
    assert [entry["id"] for entry in ENTRIES if answer("passes", entry, filter)] == passing
    assert answer("count", ENTRIES, ALL, chosen) == len(passing)


def test_what_is_shown_is_said():
    assert answer("summary", 3, 3, "claims", "") == "All 3 claims."
    assert answer("summary", 3, 3, "results", "", True) == "3 results, the main ones first."
    said = "0 of 3 results. Also su-b, which the address names."
    assert answer("summary", 0, 3, "results", "su-b") == said


FOUND = [entry.status for entry in results().values()]
VERDICTS_FOUND = [claim.verdict for claim in claims().values()]


@pytest.mark.parametrize(
    ("form", "kinds", "found"),
    [(results_form(), STATUSES, FOUND), (claims_form(), VERDICTS, VERDICTS_FOUND)],
)
def test_the_form_offers_every_kind_and_is_hidden_without_its_script(form, kinds, found):
    html = form.astext()
    for kind in kinds:
        assert f'value="{kind}">\n<span>{kind} ({found.count(kind)})</span>' in html
    assert 'class="tool entries-filter needs-script"' in html
