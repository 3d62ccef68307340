"""The pages and files for those who report, add and release: that what they say is true."""

import re
import textwrap
import tomllib
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import citation
import nbformat
import pytest
from publish_result import address, append, shows_derivation
from result_files import fields, models_csv

import gelu_lib
from gelu_lib.register import STATUSES, result, results

ROOT = Path(__file__).resolve().parents[2]
ERRATA = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# ---- Changelog and errata

HEADING = re.compile(r"## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?")


def untold(changelog: str, errata: str, released: date | None) -> list[str]:
    """What changelog and errata do not say of the versions, this one released then or not yet."""
    lines = re.findall(r"^## .*", changelog, re.MULTILINE)
    first, *others = [HEADING.fullmatch(line).groups() for line in lines]
    numbers = [tuple(map(int, name.split("."))) for name, _ in others]
    in_order = numbers == sorted(set(numbers), reverse=True) and all(when for _, when in others)
    known = dict(others).get(gelu_lib.__version__) == (released and str(released))
    found = ["order"] * (first != ("Unreleased", None) or not in_order) + ["date"] * (not known)
    listed = re.findall(r"^\*\*Version ([\d.]+)\*\*, ", errata, re.MULTILINE)
    found += ["errata"] * (sorted(listed) != sorted(name for name, _ in others))
    withdrawn = [entry.id for entry in results().values() if entry.withdrawn and others]
    return found + [id for id in withdrawn if f"](results.md#{id})" not in errata]


def test_changelog_and_errata_know_what_is_released():
    assert untold(CHANGELOG, ERRATA, citation.stated().get("date-released")) == []
    day, now = date(2031, 5, 4), gelu_lib.__version__
    after, errata = f"## [Unreleased]\n\n## [{now}] - {day}\n", f"**Version {now}**, then: none.\n"
    assert untold("## [Unreleased]\n", "", None) == untold(after, errata, day) == []
    assert untold("## [Unreleased]\n", errata, day) == ["date", "errata"]
    assert untold(after, errata, None) == untold(after, errata, date(2031, 5, 5)) == ["date"]
    assert untold(f"{after}\n## [99.0.0] - {day}\n", errata, day) == ["order", "errata"]


def test_the_form_to_which_the_errata_lead_is_there():
    (form,) = re.findall(r"\(REPOSITORY/issues/new\?template=([\w.-]+)\)", ERRATA)
    assert (ROOT / ".github" / "ISSUE_TEMPLATE" / form).exists()


# ---- What a version promises


def broken(names: Iterable[str], results: Iterable[str], models: str) -> set[str]:
    """What was promised and is there no longer."""
    promised = tomllib.loads((ROOT / "tests" / "promised.toml").read_text(encoding="utf-8"))
    gone = set(promised["names"].split()) - set(names)
    gone |= set(promised["results"].split()) - set(results)
    return gone | set(promised["models"].strip().split(",")) - set(models.split(","))


def test_what_a_version_promises_is_there():
    models = models_csv().splitlines()[0]
    assert broken(gelu_lib.__all__, fields(), models) == set()
    assert broken({*gelu_lib.__all__, "more"} - {"lookup"}, fields(), models) == {"lookup"}
    assert broken(gelu_lib.__all__, ["id", "title"], "model") >= {"status", "other forms"}


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


def test_the_guide_names_each_status_and_its_example_is_how_the_result_stands():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert example_faults(guide) == []
    wrong = guide.replace(
        "certified_first_zero(digits).radius", "certified_first_zero(digits).real"
    )
    assert example_faults(wrong) == ["gelu_lib/evidence/proved.py"]
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [status for status in STATUSES if f"*{status}*" not in guide] == []


def test_what_follows_from_a_result_is_listed_once(tmp_path, capsys):
    listed = tmp_path / "ledger.txt"
    listed.write_text("one gelu\n", encoding="utf-8")
    append(listed, ["one gelu", "two taylor"])
    append(listed, ["two taylor"])
    assert listed.read_text(encoding="utf-8") == "one gelu\ntwo taylor\n"
    assert capsys.readouterr().out == "ledger.txt: two taylor\n"
    assert shows_derivation(result("gelu-erf")) and not shows_derivation(result("phi-at-1"))
    assert address(result("gelu-erf")) == "book/gelu.html#equation-gelu-erf"
