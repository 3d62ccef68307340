"""The page for teachers: its table and picture are those of the chapters, its solution runs."""

import re

import nbformat
import pytest
import write_teach
from arrows import misprinted
from reader import chapters as notebooks
from reader import prose
from write_teach import PAGE, PICTURE, Chapter

TEXT = PAGE.read_text(encoding="utf-8")
STALE = "run: .venv/bin/python tools/write_teach.py"


def test_the_table_and_the_picture_are_those_of_the_chapters(monkeypatch, tmp_path):
    found = write_teach.chapters()
    (tmp_path / PAGE.name).write_text(write_teach.page(TEXT, found[:1]), encoding="utf-8")
    for name in ("PAGE", "PICTURE"):
        monkeypatch.setattr(write_teach, name, tmp_path / getattr(write_teach, name).name)
    write_teach.main()
    for path in (PAGE, PICTURE):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), STALE
    assert len(found) > 30 and {*write_teach.STORY} < {one.name for one in found}
    assert write_teach.page(TEXT, found[1:]) != TEXT


def test_a_chapter_is_read():
    text = """# One

A finding.

*You should know:* [two](two.ipynb#part),
[three](three.ipynb) and [a term](glossary.md#term).

*After this page you can*

- do $|x|$;
- do
  more.

And so on.
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    one = write_teach.chapter("one", notebook)
    assert (one.title, one.before, one.goals) == ("One", ["two", "three"], ["do $|x|$", "do more"])
    page = write_teach.page("<!-- chapters -->\nold\n<!-- /chapters -->", [one])
    assert page.splitlines()[-3].endswith(" | do $\\|x\\|$; do more |") and "old" not in page


def chapters(**needs: str) -> list[Chapter]:
    """Chapters by name, each with the names that it needs."""
    links = {
        name: " ".join(f"[x]({n}.ipynb)" for n in said.split()) for name, said in needs.items()
    }
    return [Chapter(name, name, text or "nothing", []) for name, text in links.items()]


def test_a_line_is_drawn_to_what_no_other_need_implies():
    found = chapters(a="", b="a", c="a b index", d="a c")
    assert write_teach.levels(found) == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert write_teach.direct(found) == {"a": [], "b": ["a"], "c": ["b"], "d": ["c"]}
    with pytest.raises(ValueError, match="in a circle: a, b"):
        write_teach.levels(chapters(a="b", b="a", c=""))


def test_what_a_course_names_in_italics_is_a_section_of_the_page_or_a_chapter():
    headings = {name: re.findall(r"^#+ (.*)", prose(name), re.MULTILINE) for name in notebooks()}
    titles = {lines[0] for lines in headings.values()}
    rows = [row for row in TEXT.splitlines() if row.startswith("| ") and "](" in row]
    named = [
        (name, write_teach.LINK.findall(row))
        for row in rows
        for name in re.findall(r"(?<!\w)\*([A-Z][^*]+)\*", row)
    ]
    assert len(named) > 8
    lost = [
        name
        for name, pages in named
        if name not in titles and not any(name in headings[page] for page in pages)
    ]
    assert lost == []


def test_the_solution_of_the_assignment_gives_what_it_says():
    _, _, solution = TEXT.partition("<summary>Solution of the assignment")
    blocks = re.findall(r"```python\n(.*?)```", solution, re.DOTALL)
    space = {}
    assert [line for block in blocks for line in misprinted(block, space)] == []
    assert sum(block.count("→") for block in blocks) == 7


def test_the_points_of_the_assignment_are_those_of_the_scheme():
    tasks = re.findall(r"^(\d)\. \((?:paper|code), ★+, (\d) points\)", TEXT, re.MULTILINE)
    scheme = re.findall(r"^\| (\d) \| (\d) \|", TEXT, re.MULTILINE)
    assert tasks == scheme and sum(int(points) for _, points in tasks) == 20


def test_the_sessions_take_the_time_that_the_course_has():
    spans = re.findall(r"^\| (\d+)–(\d+) \|", TEXT, re.MULTILINE)
    assert spans[0][0] == "0" and spans[-1][1] == "90"
    assert [end for _, end in spans[:-1]] == [begin for begin, _ in spans[1:]]
