"""BibTeX, results.json and CITATION.cff are what others can read, and say what is so."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any

import citation
import jsonschema
import pytest
import yaml
from docutils import nodes
from public_address import parsed
from pybtex.database import parse_file, parse_string
from result_files import SCHEMA, fields, record, results_bib

import gelu_lib
from gelu_lib.register import results

BASE = "https://example.org/book-of-gelu/"
BIBLIOGRAPHY = citation.CITATION.parent / "book" / "references.bib"
ENTRIES = list(results().values())
CITABLE = [entry.id for entry in ENTRIES if entry.status != "historical"]
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


# ---- BibTeX


@pytest.fixture
def dated(monkeypatch):
    """A function that gives this version a date and a DOI, or takes them away."""

    def give(**stated):
        known = {k: v for k, v in citation.stated().items() if k not in ("date-released", "doi")}
        monkeypatch.setattr(citation, "stated", lambda: known | stated)

    return give


def the_entry(text: str):
    (entry,) = parse_string(text, "bibtex").entries.values()
    return entry


def each(base: str = "") -> list[str]:
    return [citation.book(base), citation.library(base), citation.bibtex(ENTRIES[0], base)]


@pytest.mark.parametrize("base", ["", BASE])
def test_the_file_of_all_results_is_bibtex_in_ascii_with_the_address_once(base):
    text = results_bib(ENTRIES, base)
    text.encode("ascii")
    parsed = parse_string(text, "bibtex").entries
    assert list(parsed) == [f"gelubook:{id}" for id in CITABLE]
    for id, entry in zip(CITABLE, parsed.values(), strict=True):
        assert f"Version {gelu_lib.__version__}" in entry.fields["note"]
        assert (f"results.html\\#{id}" in entry.fields["note"]) == (not base)
        assert entry.fields.get("url") == (f"{BASE}results.html#{id}" if base else None)


def test_without_a_date_and_an_address_an_entry_is_of_a_type_that_needs_no_year(dated):
    dated()
    for entry in map(the_entry, each()):
        assert entry.type == "unpublished"
        # what BibTeX requires of this type, and nothing that it does not know
        assert {"title", "note"} <= set(entry.fields) and entry.persons["author"]
        assert not {"year", "url", "howpublished"} & set(entry.fields)
        assert f"Version {gelu_lib.__version__}, in preparation" in entry.fields["note"]
    assert the_entry(citation.bibtex(ENTRIES[0])).fields["note"].startswith("Why 0.044715?")


def test_an_entry_on_a_public_site_has_year_version_and_address(dated, monkeypatch):
    dated()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1900000000")  # in 2030
    for entry in map(the_entry, each(BASE)):
        assert (entry.type, entry.fields["year"]) == ("misc", "2030")
        assert entry.fields["url"].startswith(BASE)
        assert f"Version {gelu_lib.__version__}, in preparation" in entry.fields["note"]
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert citation.year(BASE) >= "2026"


def test_a_released_version_has_its_year_and_its_doi_and_a_withdrawn_result_says_so(dated):
    dated(**{"date-released": date(2031, 5, 4), "doi": "10.1234/5"})
    assert citation.day() == "4 May 2031"
    for text in each():
        entry = the_entry(text)
        assert (entry.fields["year"], entry.fields["doi"]) == ("2031", "10.1234/5")
        assert "in preparation" not in text and "withdrawn" not in text
    assert "withdrawn}" in citation.bibtex(replace(ENTRIES[0], withdrawn="The sign was wrong."))


def test_plain_text_becomes_latex_or_is_refused():
    assert citation.tex("Φ(−1) & GELU′ of gelu_lib") == r"$\Phi$($-$1) \& GELU' of gelu\_lib"
    with pytest.raises(UnicodeEncodeError):
        citation.tex("p₃")


# ---- The page on citing

LIBRARY, RESULT = r"{gelu\_lib: the library of the GELU book}", "{GELU by the error function}"
EQUATION = "{Equation (3) of ``What GELU is''}"


@pytest.fixture
def app():
    """As much of Sphinx as the page needs: one chapter with one equation."""
    math = SimpleNamespace(equations={"sum": ("book/gelu", 3)})
    titles = {"book/gelu": nodes.title("", "What GELU is")}
    env = SimpleNamespace(titles=titles, get_domain=lambda name: math)
    return SimpleNamespace(config=SimpleNamespace(html_baseurl=BASE), env=env)


@pytest.mark.parametrize(
    ("what", "key", "title", "address"),
    [
        (["book"], "", "{Why 0.044715? A research book on GELU}", ""),
        (["library"], ":library", LIBRARY, "book/library.html"),
        (["result", "gelu-erf"], ":gelu-erf", RESULT, "results.html#gelu-erf"),
        (["chapter", "gelu"], ":gelu", "{What GELU is}", "book/gelu.html"),
        (["equation", "sum"], ":equation-sum", EQUATION, "book/gelu.html#equation-sum"),
    ],
)
def test_everything_can_be_cited(app, what, key, title, address):
    ((found, entry),) = parse_string(citation.cited(app, *what), "bibtex").entries.items()
    assert found == "gelubook" + key
    assert entry.fields["title"] == title
    assert entry.fields["url"] == BASE + address
    assert gelu_lib.__version__ in entry.fields["note"]


def test_what_does_not_exist_is_warned_of(app, monkeypatch):
    warnings = []
    monkeypatch.setattr(citation.logger, "warning", lambda *said, **_: warnings.append(said))
    lacking = ["result no-such", "chapter no-such", "equation no-such", "page gelu"]
    for count, what in enumerate(lacking, 1):
        document = nodes.container("", citation.citation_place(what=what))
        citation.fill_citations(app, document, "book/cite")
        assert len(warnings) == count, what


# ---- results.json


def test_every_record_keeps_to_the_schema_which_describes_every_field():
    VALIDATOR.check_schema(VALIDATOR.schema)
    VALIDATOR.validate([record(entry) for entry in ENTRIES])
    assert set(fields()) == set(record(ENTRIES[0]))
    assert all(field["description"].endswith(".") for field in fields().values())
    required = VALIDATOR.schema["$defs"]["result"]["required"]
    assert set(required) == set(fields())  # so that a record that lacks a field is rejected
    changes = {"value": 0.5, "enclosure": ["0.4", "0.5", "0.6"], "source": "page1977"}
    for name, value in {**changes, "address": "book/results.html#gelu-erf"}.items():
        assert not VALIDATOR.is_valid([{**record(ENTRIES[0]), name: value}]), name


# ---- CITATION.cff, of the format 1.2.0, and what the archive is told

TEXT = {"type": "string", "minLength": 1}
NAMED = [{"required": [name]} for name in ("name", "family-names", "given-names", "alias")]
FORMAT = {
    "required": ["cff-version", "message", "title", "authors"],
    "additionalProperties": False,
    "properties": dict.fromkeys(["license", "keywords", "repository-code", "url"], True)
    | dict.fromkeys(["version", "title", "message", "abstract"], TEXT)
    | {
        "cff-version": {"const": "1.2.0"},
        "type": {"enum": ["software", "dataset"]},
        "authors": {"minItems": 1, "items": {"anyOf": NAMED}},
        "date-released": {"format": "day"},
        "doi": {"pattern": r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$"},
    },
}
FORMATS = jsonschema.FormatChecker(formats=())
FORMATS.checks("day")(lambda value: isinstance(value, date))
CITATION = jsonschema.Draft202012Validator(FORMAT, format_checker=FORMATS)


def test_the_citation_file_keeps_its_format():
    stated = citation.stated()
    released = {"doi": "10.1234/5", "date-released": date(2031, 5, 4)}
    assert CITATION.is_valid(stated) and CITATION.is_valid(stated | released)
    for wrong in ({"authors": [{"affiliation": "x"}]}, {"date-released": "soon"}, {"year": 2031}):
        assert not CITATION.is_valid(stated | wrong), wrong


def test_the_archive_is_told_what_the_citation_file_says():
    told = json.loads((citation.CITATION.parent / ".zenodo.json").read_text(encoding="utf-8"))
    stated = citation.stated()
    wanted = {
        "title": stated["title"],
        "creators": [{"name": author["name"]} for author in stated["authors"]],
        "description": f"<p>{stated['abstract'].strip()}</p>",
        "keywords": stated["keywords"],
        "license": stated["license"][0],
        "upload_type": stated["type"],
        "version": stated["version"],
        "publication_date": str(stated["date-released"]) if citation.released() else None,
    }
    assert {name: told.get(name) for name in wanted} == wanted
    assert all(one.replace("-", " ") in told["notes"] for one in stated["license"])
    (paper,) = told["related_identifiers"]  # the one that the book is about
    references = parse_file(BIBLIOGRAPHY, "bibtex").entries
    assert paper["identifier"] == references["hendrycks2016gelu"].fields["doi"]


def addresses(stated: Mapping[str, Any]) -> tuple[str | None, ...]:
    return tuple(stated.get(name) for name in ("repository-code", "url"))


def of_the_build(url: str, site: str = "") -> tuple[str | None, ...]:
    """What the citation file should say of the addresses that the configuration knows."""
    return (url, site or parsed(url).site) if url else (None, None)


def test_the_citation_file_has_the_addresses_of_the_configuration():
    config = yaml.safe_load((citation.CITATION.parent / "_config.yml").read_text(encoding="utf-8"))
    known = of_the_build(config["repository"]["url"], config["html"].get("baseurl", ""))
    assert addresses(citation.stated()) == known
    made_up = {
        "repository-code": "https://github.com/ann/gelu",
        "url": "https://ann.github.io/gelu/",
    }
    assert CITATION.is_valid(citation.stated() | made_up)
    assert addresses(made_up) == of_the_build(made_up["repository-code"])
    assert addresses(citation.stated() | made_up) != of_the_build("")
