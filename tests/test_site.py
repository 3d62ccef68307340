"""A strict build of the book from nothing, and what its pages must be."""

import json
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
from load_checks import heavy_pages, idle_files, silent_heads, unreached_files
from site_checks import (
    broken_links,
    duplicate_ids,
    missing_results,
    third_party_requests,
    unrendered_tex,
)

import gelu_lib
from gelu_lib.register import results

ROOT = Path(__file__).resolve().parent.parent
STRICT = ["-W", "-n", "--keep-going"]


def faults(log: str) -> str:
    """The lines of a build's log that say what went wrong, then its end."""
    lines = [line for line in log.splitlines() if re.search("WARNING|ERROR|Error", line)]
    return "\n".join([*lines, log[-2000:]])


def test_an_early_fault_is_reported_however_long_the_log_is():
    assert "a.md:1: WARNING: lost" in faults("a.md:1: WARNING: lost\n" + "copying images\n" * 9999)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The folder of the built site."""
    output = tmp_path_factory.mktemp("site")
    program = Path(sysconfig.get_path("scripts"), "jupyter-book")
    command = [program, "build", ROOT, "--path-output", output, *STRICT]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, faults(built.stdout + built.stderr)
    return output / "_build" / "html"


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


def test_the_short_address_keeps_the_fragment(site):
    page = (site / "results.html").read_text(encoding="utf-8")
    assert 'location.replace("book/results.html" + location.hash)' in page


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


def test_a_page_with_mathematics_is_light(site):
    assert heavy_pages(site) == []


def test_no_page_loads_what_it_does_not_use(site):
    assert idle_files(site) == []


def test_no_file_is_without_a_page(site):
    assert unreached_files(site) == []


def test_every_page_says_what_it_is(site):
    assert silent_heads(site) == []
