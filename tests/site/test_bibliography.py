"""The bibliography: what an entry must say of where it is found, and of what was seen."""

import re
from pathlib import Path

import pytest
from pybtex.database import parse_string
from write_bibliography import files, labels

from gelu_lib.show.links import cited_as

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "book").glob("*.ipynb"), *(ROOT / "book").glob("*.md")])
CITED = re.compile(r"\[([^][]+)\]\(bibliography\.md#([\w-]+)\)")
TEXT = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
KEYS = """
tocher1963 haley1952 gelunote-zh clay2024gelu polya1949 beta-handbook birnbaum1968 wangyang2014
hamaker1978 lin1990 robin1997 chebyshev1859 valleepoussin1911 haar1918 remez1934 rice1961
meinardus1964 cox1970 johnsonkotz1970 maehly1960 dunham1967 kaufman1971
"""
NOT_FOUND = set(KEYS.split())
"""Entries for which neither a DOI nor an address was found."""
MANY = {"publicprograms"}
"""An entry for many programs at once has no address."""


ENTRIES = parse_string(TEXT, "bibtex").entries


def test_the_entries_without_an_address_are_those_for_which_none_was_found():
    found = {key for key, entry in ENTRIES.items() if not {"doi", "url"} & set(entry.fields)}
    assert found == NOT_FOUND | MANY


@pytest.mark.parametrize("key", ["hendrycks2016gelu", "hendryckscode", "tocher1963", "mlxcode"])
def test_an_entry_on_which_the_history_rests_says_what_was_seen(key):
    assert re.search(r"\bseen\b|\bread\b", ENTRIES[key].fields["note"], re.I)


def test_the_page_and_the_data_are_what_the_script_writes_with_author_and_year():
    for path, text in files().items():
        assert path.read_text(encoding="utf-8") == text
    found = {path.stem: wrong_citations(path.read_text(encoding="utf-8")) for path in PAGES}
    assert {page: wrong for page, wrong in found.items() if wrong} == {}


def wrong_citations(text):
    return [(words, key) for words, key in CITED.findall(text) if cited_as().get(key) != words]


def test_a_wrong_citation_is_found():
    text = "[Page 1977](bibliography.md#page1977), [Page 1978](bibliography.md#page1977)"
    assert wrong_citations(text) == [("Page 1978", "page1977")]
    assert wrong_citations("[A 1](bibliography.md#none)") == [("A 1", "none")]


def test_a_label_has_at_most_two_names_and_a_letter_where_another_has_the_same():
    entry = "@misc{{{}, author = {{{}}}, {}}}\n".format
    bib = entry("a", "Ann One", "year=2000") + entry("b", "Ben One", "year=2000")
    bib += entry("c", "Al Two and Bo Three", "") + entry("d", "A X and B Y and C Z", "year=1999")
    bib += entry("e", "{Some Firm}", "") + entry("f", "{Some Firm}", "")
    found = labels(dict(parse_string(bib, "bibtex").entries))
    wanted = "One 2000a, One 2000b, Two and Three, X et al. 1999, Some Firm a, Some Firm b"
    assert ", ".join(found.values()) == wanted
