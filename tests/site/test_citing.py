"""BibTeX, results.json and CITATION.cff are what others can read, and say what is so."""

import json
import re
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import citation
import jsonschema
import pytest
from docutils import nodes
from pybtex.database import parse_string
from pybtex.scanner import PybtexSyntaxError
from result_files import SCHEMA, fields, record, results_bib

import gelu_lib
from gelu_lib.register import results

BASE = "https://example.org/book-of-gelu/"
ENTRIES = list(results().values())
CITABLE = [entry.id for entry in ENTRIES if entry.status != "historical"]
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.fixture
def released(monkeypatch):
    """As if this version had a date and a DOI."""
    stated = {**citation.stated(), "date-released": date(2031, 5, 4), "doi": "10.1234/5"}
    monkeypatch.setattr(citation, "stated", lambda: stated)


# ---- BibTeX


def test_the_file_of_all_results_is_valid_bibtex_in_ascii():
    text = results_bib(ENTRIES, "")
    text.encode("ascii")
    parsed = parse_string(text, "bibtex").entries
    assert list(parsed) == [f"gelubook:{id}" for id in CITABLE]
    for id, entry in zip(CITABLE, parsed.values(), strict=True):
        assert f"Version {gelu_lib.__version__}" in entry.fields["note"]
        assert f"results.html\\#{id}" in entry.fields["note"]
        assert "url" not in entry.fields


def test_the_address_is_in_the_bibtex_once_it_is_known():
    for id, entry in zip(
        CITABLE, parse_string(results_bib(ENTRIES, BASE), "bibtex").entries.values(), strict=True
    ):
        assert entry.fields["url"] == f"{BASE}results.html#{id}"
        assert "results.html" not in entry.fields["note"]


def test_a_spoilt_file_is_rejected():
    with pytest.raises(PybtexSyntaxError):
        parse_string(results_bib(ENTRIES, "").replace("}},", "},", 1), "bibtex")


@pytest.fixture
def in_preparation(monkeypatch):
    """As if this version had no date yet."""
    stated = {k: v for k, v in citation.stated().items() if k not in ("date-released", "doi")}
    monkeypatch.setattr(citation, "stated", lambda: stated)


def the_entry(text: str):
    (entry,) = parse_string(text, "bibtex").entries.values()
    return entry


def test_without_a_date_and_an_address_an_entry_is_of_a_type_that_needs_no_year(in_preparation):
    for text in (citation.book(), citation.library(), citation.bibtex(ENTRIES[0])):
        entry = the_entry(text)
        assert entry.type == "unpublished"
        # what BibTeX requires of this type, and nothing that it does not know
        assert {"title", "note"} <= set(entry.fields) and entry.persons["author"]
        assert not {"year", "url", "howpublished"} & set(entry.fields)
        assert f"Version {gelu_lib.__version__}, in preparation" in entry.fields["note"]
    assert the_entry(citation.bibtex(ENTRIES[0])).fields["note"].startswith("Why 0.044715?")


def test_an_entry_on_a_public_site_has_year_version_and_address(in_preparation, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1900000000")  # in 2030
    for text in (citation.book(BASE), citation.library(BASE), citation.bibtex(ENTRIES[0], BASE)):
        entry = the_entry(text)
        assert (entry.type, entry.fields["year"]) == ("misc", "2030")
        assert entry.fields["url"].startswith(BASE)
        assert f"Version {gelu_lib.__version__}, in preparation" in entry.fields["note"]
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert citation.year(BASE) >= "2026"


def test_a_released_version_has_its_year_and_its_doi(released):
    for text in (citation.book(), citation.library(BASE), citation.bibtex(ENTRIES[0])):
        (entry,) = parse_string(text, "bibtex").entries.values()
        assert (entry.fields["year"], entry.fields["doi"]) == ("2031", "10.1234/5")
        assert "in preparation" not in text


def test_the_bibtex_of_a_withdrawn_result_says_so():
    entry = replace(ENTRIES[0], withdrawn="The sign was wrong.")
    assert "withdrawn}" in citation.bibtex(entry)
    assert "withdrawn" not in citation.bibtex(ENTRIES[0])


def test_plain_text_becomes_latex_or_is_refused():
    assert citation.tex("Φ(−1) & GELU′ of gelu_lib") == r"$\Phi$($-$1) \& GELU' of gelu\_lib"
    with pytest.raises(UnicodeEncodeError):
        citation.tex("p₃")


# ---- The page on citing


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
        (
            ["library"],
            ":library",
            r"{gelu\_lib: the library of the GELU book}",
            "book/library.html",
        ),
        (
            ["result", "gelu-erf"],
            ":gelu-erf",
            "{GELU by the error function}",
            "results.html#gelu-erf",
        ),
        (["chapter", "gelu"], ":gelu", "{What GELU is}", "book/gelu.html"),
        (
            ["equation", "sum"],
            ":equation-sum",
            "{Equation (3) of ``What GELU is''}",
            "book/gelu.html#equation-sum",
        ),
    ],
)
def test_everything_can_be_cited(app, what, key, title, address):
    ((found, entry),) = parse_string(citation.cited(app, *what), "bibtex").entries.items()
    assert found == "gelubook" + key
    assert entry.fields["title"] == title
    assert entry.fields["url"] == BASE + address
    assert gelu_lib.__version__ in entry.fields["note"]


@pytest.mark.parametrize(
    "what", ["result no-such", "chapter no-such", "equation no-such", "page gelu", "book 2 3", ""]
)
def test_what_does_not_exist_is_warned_of(app, what, monkeypatch):
    warnings = []
    monkeypatch.setattr(citation.logger, "warning", lambda *said, **_: warnings.append(said))
    document = nodes.container("", citation.citation_place(what=what))
    citation.fill_citations(app, document, "book/cite")
    assert len(warnings) == 1


# ---- results.json


def test_the_schema_is_one_and_describes_every_field():
    VALIDATOR.check_schema(VALIDATOR.schema)
    assert set(fields()) == set(record(ENTRIES[0]))
    assert all(field["description"].endswith(".") for field in fields().values())
    assert set(VALIDATOR.schema["$defs"]["result"]["required"]) == set(fields())


def test_every_record_keeps_to_the_schema():
    VALIDATOR.validate([record(entry) for entry in ENTRIES])


@pytest.mark.parametrize(
    "change",
    [
        {"id": "Half"},
        {"status": "proved"},
        {"value": 0.5},
        {"numbers": {"k": "half"}},
        {"enclosure": ["0.4"]},
        {"enclosure": ["0.4", "0.5", "0.6"]},
        {"address": "book/results.html#gelu-erf"},
        {"page": "/book/gelu.html"},
        {"source": "page1977"},
    ],
)
def test_a_record_that_breaks_the_schema_is_rejected(change):
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate([{**record(ENTRIES[0]), **change}])


def test_a_record_that_lacks_a_field_is_rejected():
    lacking = record(ENTRIES[0])
    del lacking["withdrawn"]
    with pytest.raises(jsonschema.ValidationError, match="withdrawn"):
        VALIDATOR.validate([lacking])


# ---- CITATION.cff


def citation_faults(stated: dict) -> list[str]:
    """What a citation file breaks of the parts of the format 1.2.0 that it uses."""
    required = ("cff-version", "message", "title", "authors")
    known = {
        *required,
        "type",
        "version",
        "license",
        "abstract",
        "keywords",
        "date-released",
        "doi",
    }
    faults = [f"{name} is missing" for name in required if not stated.get(name)]
    faults += [f"{name} is unknown" for name in stated if name not in known]
    faults += [
        f"{name} is no text"
        for name in ("version", "title", "message", "abstract")
        if not isinstance(stated.get(name, ""), str)
    ]
    faults += [
        "an author has no name"
        for author in stated.get("authors", [])
        if not author.keys() & {"name", "family-names", "given-names", "alias"}
    ]
    if stated.get("cff-version") != "1.2.0":
        faults.append("cff-version is another")
    if stated.get("type", "software") not in ("software", "dataset"):
        faults.append("type is unknown")
    if "date-released" in stated and not isinstance(stated["date-released"], date):
        faults.append("date-released is no date")
    if not re.fullmatch(
        r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+", stated.get("doi", "10.1234/5")
    ):
        faults.append("doi is none")
    return faults


def test_the_citation_file_keeps_its_format():
    assert citation_faults(dict(citation.stated())) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"authors": []}, "authors is missing"),
        ({"authors": [{"affiliation": "x"}]}, "an author has no name"),
        ({"message": ""}, "message is missing"),
        ({"version": 0.1}, "version is no text"),
        ({"cff-version": "1.1.0"}, "cff-version is another"),
        ({"type": "book"}, "type is unknown"),
        ({"date-released": "soon"}, "date-released is no date"),
        ({"doi": "https://doi.org/10.1234/5"}, "doi is none"),
        ({"year": 2031}, "year is unknown"),
    ],
)
def test_a_citation_file_that_breaks_its_format_is_found(change, fault):
    assert citation_faults({**citation.stated(), **change}) == [fault]


# ---- The record of the archive

ARCHIVE = json.loads((citation.CITATION.parent / ".zenodo.json").read_text(encoding="utf-8"))


def archive_faults(record: dict) -> list[str]:
    """Where the metadata of the archive differ from those of the citation file."""
    stated = citation.stated()
    wanted = {
        "title": stated["title"],
        "creators": [{"name": author["name"]} for author in stated["authors"]],
        "description": f"<p>{stated['abstract'].strip()}</p>",
        "keywords": stated["keywords"],
        "license": stated["license"][0],
        "upload_type": stated["type"],
    }
    faults = [name for name, value in wanted.items() if record.get(name) != value]
    unsaid = (one for one in stated["license"] if one.replace("-", " ") not in record["notes"])
    return faults + [f"{one} is not in the notes" for one in unsaid]


def test_the_archive_is_told_what_the_citation_file_says():
    assert archive_faults(ARCHIVE) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"title": "GELU"}, "title"),
        ({"creators": []}, "creators"),
        ({"license": "other"}, "license"),
        ({"notes": "Code: MIT."}, "CC-BY-4.0 is not in the notes"),
    ],
)
def test_an_archive_that_is_told_something_else_is_found(change, fault):
    assert archive_faults({**ARCHIVE, **change}) == [fault]
