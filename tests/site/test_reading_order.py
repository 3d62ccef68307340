"""The archive's notebooks: their numbers, and that their links lead to files that are there."""

import re
from types import SimpleNamespace
from zipfile import ZipFile

import nbformat
import pytest
from downloads import ARCHIVE
from reading_order import START, in_order, numbered, relinked, relinked_notebook

NAMES = {"index.ipynb": START, "gelu.ipynb": "01-gelu.ipynb", "results.md": "results.md"}
SITE = "https://ann.github.io/gelu/book/"


def test_pages_come_in_the_order_of_the_contents_parts_within_parts():
    tree = {"index": ["gelu", "part"], "part": ["taylor", "forms"]}
    env = SimpleNamespace(config=SimpleNamespace(root_doc="index"), toctree_includes=tree)
    assert list(in_order(env)) == ["index", "gelu", "part", "taylor", "forms"]


def test_notebooks_are_numbered_and_other_pages_are_not():
    files = ["index.ipynb", "gelu.ipynb", "results.md", "taylor.ipynb"]
    assert numbered(files, "index.ipynb") == {
        "index.ipynb": "00-start-here.ipynb",
        "gelu.ipynb": "01-gelu.ipynb",
        "results.md": "results.md",
        "taylor.ipynb": "02-taylor.ipynb",
    }


def test_the_names_sort_in_reading_order_beyond_nine():
    files = ["index.ipynb", *(f"{letter}.ipynb" for letter in "zyxwvutsrqpon")]
    assert list(numbered(files, files[0]).values()) == sorted(numbered(files, files[0]).values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[it](gelu.ipynb)", "[it](01-gelu.ipynb)"),
        ("[back](index.ipynb#how)", "[back](00-start-here.ipynb#how)"),
        ("[a](gelu.ipynb), [b](results.md#x-1)", "[a](01-gelu.ipynb), [b](results.md#x-1)"),
        ("[on $[0, 1]$](gelu.ipynb)", "[on $[0, 1]$](01-gelu.ipynb)"),
        ("a [file](_static/vectors/README.txt).", "a file."),
        ("[a page](run.md#windows)", "a page"),
    ],
)
def test_a_link_leads_to_a_file_of_the_archive_or_is_words(text, expected):
    assert relinked(text, NAMES) == expected


def test_with_an_address_a_link_out_of_the_archive_leads_to_the_site():
    assert relinked("[a](run.md#w)", NAMES, SITE) == f"[a]({SITE}run.html#w)"
    assert relinked("[a](_static/R.txt)", NAMES, SITE) == f"[a]({SITE}_static/R.txt)"


@pytest.mark.parametrize(
    "text",
    ["[a](https://example.org/gelu.ipynb)", "[a](#here)", "$f[g](x)$", "gelu.ipynb", "[x](y z.md)"],
)
def test_what_leads_elsewhere_or_is_no_link_stays(text):
    assert relinked(text, NAMES, SITE) == text


def test_what_a_cell_shows_leads_there_too_and_its_code_stays():
    code = nbformat.v4.new_code_cell("'[it](gelu.ipynb)'")
    shown = {kind: "[it](gelu.ipynb)" for kind in ("text/markdown", "text/plain")}
    alone = {"text/plain": "'[it](gelu.ipynb)'"}
    code.outputs = [nbformat.v4.new_output("display_data", data=d) for d in (shown, alone)]
    prose = nbformat.v4.new_markdown_cell("[it](gelu.ipynb)")
    notebook = nbformat.v4.new_notebook(cells=[prose, code])
    found = nbformat.reads(relinked_notebook(nbformat.writes(notebook), NAMES), as_version=4)
    assert found.cells[0].source == "[it](01-gelu.ipynb)"
    assert found.cells[1].source == code.source
    first, second = (output.data for output in found.cells[1].outputs)
    assert set(first.values()) == {"[it](01-gelu.ipynb)"}
    assert second == alone


def dead_links(texts: dict[str, str]) -> list[str]:
    """The links of an archive's files to files that it lacks."""
    linked = re.compile(r"\]\(([\w./-]+\.(?:ipynb|md|txt))(?:#[^)]*)?\)")
    found = ((name, link) for name, text in texts.items() for link in linked.findall(text))
    return [f"{name}: {link}" for name, link in found if link not in texts]


def test_a_dead_link_is_found():
    texts = {"01-gelu.ipynb": "[a](gelu.ipynb), [b](README.md)", "README.md": ""}
    assert dead_links(texts) == ["01-gelu.ipynb: gelu.ipynb"]


@pytest.fixture
def archive(site) -> dict[str, str]:
    """The pages in the archive that the site offers."""
    with ZipFile(site / "downloads" / ARCHIVE) as opened:
        names = [name for name in opened.namelist() if name.endswith((".ipynb", ".md"))]
        return {name.partition("/")[2]: opened.read(name).decode() for name in names}


def test_the_archive_begins_with_a_start_page_and_has_the_order_of_the_contents(archive):
    notebooks = [name for name in sorted(archive) if name.endswith(".ipynb")]
    assert sorted(archive)[0] == notebooks[0] == START
    assert [name[:2] for name in notebooks] == [f"{n:02}" for n in range(len(notebooks))]
    listed = re.findall(r"^(\d+)\. \[.*\]\((.*\.ipynb)\)", archive["README.md"], re.MULTILINE)
    assert [name for _, name in listed] == notebooks[1:]
    assert [int(number) for number, _ in listed] == [int(name[:2]) for name in notebooks[1:]]


def test_no_link_in_the_archive_is_dead(archive):
    assert dead_links(archive) == []
