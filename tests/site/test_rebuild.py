"""A second build: of a book that did not change it reads nothing, and from nothing it is the same.

The whole book is built twice each night, elsewhere and at another hour.
"""

from pathlib import Path

import built_site
import pytest
import register_pages
from small_site import OWN_THEME, build


def differences(first: Path, second: Path) -> list[str]:
    """The files of two folders that one of them lacks, or that are not the same in both."""
    here, there = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in everything(folder)}
        for folder in (first, second)
    )
    return sorted(name for name in here | there if here.get(name) != there.get(name))


def everything(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


ELSEWHERE = "Pacific/Auckland"


@pytest.mark.slow
def test_a_second_build_gives_the_same_bytes(site, monkeypatch, tmp_path):
    monkeypatch.setenv("TZ", ELSEWHERE)
    assert differences(site, built_site.build(tmp_path)) == []


def test_a_difference_is_found(tmp_path):
    for name, page in (("one", b"2025\n"), ("other", b"2026\n")):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "page").write_bytes(page)
        (tmp_path / name / "inner" / ".same").write_bytes(b"same\n")
        (tmp_path / name / f".{name}").touch()
    assert differences(tmp_path / "one", tmp_path / "other") == [".one", ".other", "page"]


SETTINGS = {
    "extensions": ["myst_nb", "navigation", "page_head", "register_pages", "section_search"]
} | OWN_THEME
PAGES = {"index.md": "# Book\n\nText.\n\n```{toctree}\none\ntwo\n```\n"}
PAGES |= {f"{name}.md": f"# Chapter {name}\n\nText of {name}.\n" for name in ("one", "two")}


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A function that builds a small book again; the pages that it read, and the site."""
    monkeypatch.setattr(register_pages, "ROOT", tmp_path / "made with")
    before: dict[str, int] = {}

    def again(pages: dict[str, str]) -> tuple[set[str], Path]:
        site, _ = build(tmp_path, pages, **SETTINGS)
        now = {path.stem: path.stat().st_mtime_ns for path in tmp_path.glob("trees/*.doctree")}
        read = {page for page, time in now.items() if before.get(page) != time}
        before.update(now)
        return read, site

    return again


def test_a_build_reads_only_what_changed_and_finds_everything(built):
    read, site = built(PAGES)
    assert read == {"index", "one", "two"}
    found = (site / "_static" / "search-data.js").read_bytes()
    assert built({}) == (set(), site)
    assert (site / "_static" / "search-data.js").read_bytes() == found
    assert built({"one.md": "# Another title\n\nText.\n"})[0] == {"one"}
    assert b"Another title" in (site / "_static" / "search-data.js").read_bytes()
    assert "Another title" in (site / "two.html").read_text(encoding="utf-8")  # in the menu


def test_what_all_pages_are_made_with_makes_all_of_them_new(built, tmp_path):
    built(PAGES)
    (tmp_path / "made with").mkdir()
    (tmp_path / "made with" / "_toc.yml").write_text("root: two")
    assert built({})[0] == {"index", "one", "two"}
    assert built({})[0] == set()
