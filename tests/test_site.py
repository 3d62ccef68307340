"""A strict build of the book from nothing, and what its pages must be."""

import json
from pathlib import Path

import pytest
from site_checks import (
    broken_links,
    citable_addresses,
    duplicate_ids,
    missing_results,
    third_party_requests,
    unrendered_tex,
    vanished_addresses,
)

import gelu_lib
from gelu_lib.register import results

LEDGERS = Path(__file__).parent


@pytest.fixture(scope="module")
def records(site) -> list[dict]:
    return json.loads((site / "results.json").read_text(encoding="utf-8"))


def test_no_link_is_broken(site):
    assert broken_links(site) == []


def test_nothing_is_asked_of_a_third_party(site):
    assert third_party_requests(site) == []


def test_all_mathematics_is_rendered(site):
    assert unrendered_tex(site) == []


def test_no_id_stands_twice_on_a_page(site):
    assert duplicate_ids(site) == []


def test_every_result_has_its_anchor_where_the_register_says(site, records):
    assert missing_results(site, records) == []


def test_every_result_has_its_permanent_entry(site):
    entries = [{"id": id, "page": "book/results.html", "anchor": id} for id in results()]
    assert missing_results(site, entries) == []


def test_the_short_address_keeps_the_fragment_and_the_filter(site):
    page = (site / "results.html").read_text(encoding="utf-8")
    assert 'location.replace("book/results.html" + location.search + location.hash)' in page


def test_results_json_is_the_register(records):
    assert [record["id"] for record in records] == list(results())
    for record in records:
        entry = results()[record["id"]]
        for name in ("title", "statement", "assumptions", "status", "value", "claim"):
            assert record[name] == getattr(entry, name)
        assert record["source"] == list(entry.source)
        assert record["version"] == gelu_lib.__version__


def test_results_bib_has_every_result_once(site):
    bib = (site / "results.bib").read_text(encoding="utf-8")
    citable = [entry for entry in results().values() if entry.status != "historical"]
    assert [bib.count(f"@misc{{gelubook:{entry.id},") for entry in citable] == [1] * len(citable)
    assert bib.count("@misc") == len(citable)


def lines(ledger: str) -> list[str]:
    """The entries of a ledger, which lists everything of a kind that was ever published."""
    text = (LEDGERS / ledger).read_text(encoding="utf-8")
    return [line.split()[0] for line in text.splitlines() if line and not line.startswith("#")]


def test_every_published_address_stands(site):
    results = [f"book/results.html#{id}" for id in lines("ledger.txt")]
    claims = [f"book/claims.html#claim-{id}" for id in lines("claims.txt")]
    published = lines("addresses.txt") + results + claims
    assert vanished_addresses(site, published) == [], "a published address never changes"


def test_every_address_is_in_the_ledger(site):
    unlisted = [a for a in citable_addresses(site) if a not in lines("addresses.txt")]
    assert not unlisted, "append to tests/addresses.txt:\n" + "\n".join(unlisted)
