"""The pages and files for those who report, add and release: their form, and that they are true."""

import re
import textwrap
from datetime import date
from pathlib import Path

import citation
import nbformat
import pytest
import yaml
from publish_result import address, append, shows_derivation

import gelu_lib
from gelu_lib.register import STATUSES, result, results

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / ".github" / "ISSUE_TEMPLATE"
ERRATA = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
UNRELEASED = "\nNo version has been released yet.\n"


# ---- Errata


def errata_faults(text: str, released: bool, withdrawn: list[str]) -> list[str]:
    """What the page of errata says that is not so, or leaves out."""
    faults = [f"{id} is withdrawn" for id in withdrawn if f"](results.md#{id})" not in text]
    if (UNRELEASED in text) == released:
        faults.append("whether a version has been released")
    return faults


def test_the_errata_are_true():
    # a version in preparation has no date; the changelog knows whether an earlier one had
    released = bool(citation.released()) or len(versions(CHANGELOG)) > 1
    withdrawn = [entry.id for entry in results().values() if entry.withdrawn and released]
    assert errata_faults(ERRATA, released, withdrawn) == []


@pytest.mark.parametrize(
    ("text", "released", "faults"),
    [
        (UNRELEASED, True, ["gelu-erf is withdrawn", "whether a version has been released"]),
        ("Wrong was [GELU](results.md#gelu-erf).", True, []),
    ],
)
def test_errata_that_are_not_true_are_found(text, released, faults):
    assert errata_faults(text, released, ["gelu-erf"]) == faults


# ---- Changelog

HEADING = re.compile(r"## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def versions(text: str) -> list[tuple[str, str]]:
    """The versions of a changelog and their dates, the newest first."""
    return [found.groups(default="") for found in HEADING.finditer(text)]


def changelog_faults(text: str, version: str, released: date | None) -> list[str]:
    """What breaks the form of a changelog, or contradicts the version and its date."""
    faults = [
        line for line in re.findall(r"^## .*", text, re.MULTILINE) if not HEADING.fullmatch(line)
    ]
    faults += [kind for kind in re.findall(r"^### (.*)", text, re.MULTILINE) if kind not in KINDS]
    found = versions(text)
    if not found or found[0] != ("Unreleased", ""):
        faults.append("no place for what is unreleased")
    if any(not when for _, when in found[1:]):
        faults.append("a version has no date")
    numbers = [tuple(map(int, name.split("."))) for name, _ in found[1:]]
    if numbers != sorted(set(numbers), reverse=True):
        faults.append("the newest is not first")
    if ((version, str(released)) in found) != (released is not None):
        faults.append("the release of this version")
    return faults


def test_the_changelog_has_its_form_and_knows_this_version():
    released = citation.stated().get("date-released")
    assert changelog_faults(CHANGELOG, gelu_lib.__version__, released) == []


DAY, LATER = date(2031, 5, 4), date(2031, 6, 1)
GOOD = "# Changelog\n## [Unreleased]\n## [0.2.0] - 2031-05-04\n### Added\n## [0.1.0] - 2031-04-01\n"


@pytest.mark.parametrize(
    ("text", "version", "released", "faults"),
    [
        (GOOD, "0.2.0", DAY, []),
        (GOOD, "0.3.0", None, []),
        (GOOD.replace("## [Unreleased]\n", ""), "0.2.0", DAY, ["no place for what is unreleased"]),
        (GOOD.replace(" - 2031-04-01", ""), "0.2.0", DAY, ["a version has no date"]),
        (GOOD + "## Older\n", "0.2.0", DAY, ["## Older"]),
        (GOOD, "0.2.0", LATER, ["the release of this version"]),
    ],
)
def test_a_changelog_that_breaks_its_form_is_found(text, version, released, faults):
    assert changelog_faults(text, version, released) == faults


# ---- The form for a mathematical error

NEEDED = {"result", "version", "says", "right", "because"}


def required(form: dict) -> set[str]:
    """What a form does not let one leave out."""
    asked = [part for part in form["body"] if part.get("validations", {}).get("required") is True]
    return {part["id"] for part in asked}


def test_the_form_asks_for_the_id_the_version_and_the_reason():
    form = yaml.safe_load((TEMPLATES / "mathematical-error.yml").read_text(encoding="utf-8"))
    assert required(form) >= NEEDED
    form["body"][1]["validations"] = {}
    assert not required(form) >= NEEDED


# ---- What the guides name

FIELD = re.compile(r"`((?:\.?[\w-]+/)+[\w.-]*|[\w-]+\.(?:md|toml|cff))`")


def missing_places(text: str) -> list[str]:
    """The files and folders that a guide names and that are not there."""
    return [place for place in FIELD.findall(text) if not (ROOT / place).exists()]


@pytest.mark.parametrize("guide", ["CONTRIBUTING.md", "RELEASING.md"])
def test_a_guide_names_what_exists(guide):
    text = (ROOT / guide).read_text(encoding="utf-8")
    assert len(FIELD.findall(text)) >= 5
    assert missing_places(text) == []
    assert missing_places(text + "`NEWS.md`, `gelu_lib/data/result.toml`, `tests/`") == [
        "NEWS.md",
        "gelu_lib/data/result.toml",
    ]


def test_the_guide_says_what_each_status_needs():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [status for status in STATUSES if f"*{status}*" not in guide] == []


BLOCK = re.compile(r"^ *(`{3,})(toml|python|text)\n(.*?)^ *\1\n", re.DOTALL | re.MULTILINE)
EXAMPLE = {
    "toml": "gelu_lib/data/results.toml",
    "python": "gelu_lib/evidence/proved.py",
    "text": "book/logistic-constant.ipynb",
}


def example_faults(guide: str) -> list[str]:
    """The files whose lines the guide quotes otherwise than they stand."""
    blocks = {kind: textwrap.dedent(lines).strip() for _, kind, lines in BLOCK.findall(guide)}
    texts = {kind: (ROOT / path).read_text(encoding="utf-8") for kind, path in EXAMPLE.items()}
    cells = nbformat.reads(texts["text"], as_version=4).cells
    texts["text"] = "\n".join(cell.source for cell in cells)
    return [EXAMPLE[kind] for kind in EXAMPLE if blocks[kind] not in texts[kind]]


def test_the_example_of_the_guide_is_how_the_result_stands():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert example_faults(guide) == []
    wrong = guide.replace(
        "certified_first_zero(digits).radius", "certified_first_zero(digits).real"
    )
    assert example_faults(wrong) == ["gelu_lib/evidence/proved.py"]


def test_what_follows_from_a_result_is_listed_once(tmp_path, capsys):
    listed = tmp_path / "ledger.txt"
    listed.write_text("one gelu\n", encoding="utf-8")
    append(listed, ["one gelu", "two taylor"])
    append(listed, ["two taylor"])
    assert listed.read_text(encoding="utf-8") == "one gelu\ntwo taylor\n"
    assert capsys.readouterr().out == "ledger.txt: two taylor\n"
    assert shows_derivation(result("gelu-erf")) and not shows_derivation(result("phi-at-1"))
    assert address(result("gelu-erf")) == "book/gelu.html#equation-gelu-erf"
