"""The bibliography: what an entry must say of where it is found, and of what was seen."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
NOT_FOUND = {
    "tocher1963",
    "haley1952",
    "gelunote-zh",
    "clay2024gelu",
    "polya1949",
    "beta-handbook",
    "birnbaum1968",
    "wangyang2014",
    "hamaker1978",
    "lin1990",
    "robin1997",
}
"""Entries for which neither a DOI nor an address was found."""
MANY = {"publicprograms"}
"""An entry for many programs at once has no address."""


def entries(text):
    """The text of each entry, by its key."""
    parts = re.split(r"^@\w+\{", text, flags=re.M)[1:]
    return {part.split(",", 1)[0]: part for part in parts}


def without_an_address(text):
    """The keys of the entries that have neither a DOI nor an address."""
    return {
        key
        for key, entry in entries(text).items()
        if not re.search(r"^\s*(?:doi|url)\s*=", entry, re.M)
    }


def test_the_entries_without_an_address_are_those_for_which_none_was_found():
    assert without_an_address(TEXT) == NOT_FOUND | MANY
    assert without_an_address(TEXT.replace("  doi = {10.2307/2347681},\n", "")) == (
        NOT_FOUND | MANY | {"lin1989"}
    )


@pytest.mark.parametrize("key", ["hendrycks2016gelu", "hendryckscode", "tocher1963", "mlxcode"])
def test_an_entry_on_which_the_history_rests_says_what_was_seen(key):
    note = re.search(r"^\s*note = \{(.+)\}$", entries(TEXT)[key], re.M)[1]
    assert re.search(r"\bseen\b|\bread\b", note, re.I)


def test_a_handbook_is_not_linked_to_the_manual_that_quotes_it():
    handbook, manual = (entries(TEXT)[key] for key in ("beta-handbook", "greptimedb"))
    assert "greptimedb.rs" in manual
    assert "greptimedb.rs" not in handbook
