"""The archive's notebooks: their numbers, and that their links lead to files that are there."""

import re
from collections.abc import Container, Iterator
from hashlib import sha256
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

import nbformat
import pytest
from bs4 import BeautifulSoup
from downloads import ARCHIVE
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from reading_order import START, relinked

NAMES = {
    "index.ipynb": START,
    "gelu.ipynb": "01-gelu.ipynb",
    "results.md": "results.md",
    "../results.json": "results.json",
    "../data/SUMS": "SUMS",
}
SITE = "https://ann.github.io/gelu/book/"


@pytest.mark.parametrize(
    ("text", "expected", "site"),
    [
        ("[back](index.ipynb#how)", "[back](00-start-here.ipynb#how)", ""),
        ("[a](gelu.ipynb), [b](results.md#x-1)", "[a](01-gelu.ipynb), [b](results.md#x-1)", ""),
        ("[on $[0, 1]$](gelu.ipynb)", "[on $[0, 1]$](01-gelu.ipynb)", ""),
        ("a [file](_static/vectors/README.txt).", "a file.", ""),
        ("[sums](../data/SUMS) and [more](../data/MORE)", "[sums](SUMS) and more", ""),
        ('the <a href="../genindex.html#A">index</a>', "the index", ""),
        ("[a page](run.md#windows)", "a page", ""),
        ("[a](run.md#w)", f"[a]({SITE}run.html#w)", SITE),
        ("[a](_static/R.txt)", f"[a]({SITE}_static/R.txt)", SITE),
        *((text, text, SITE) for text in ("[a](https://example.org/gelu.ipynb)", "[a](#here)")),
        *((text, text, SITE) for text in ("$f[g](x)$", "gelu.ipynb", "[x](y z.md)")),  # no links
    ],
)
def test_a_link_leads_to_a_file_of_the_archive_or_to_the_site_or_is_words(text, expected, site):
    assert relinked(text, NAMES, site) == expected


MARKDOWN = MarkdownIt().use(dollarmath_plugin)


def prose(name: str, text: str) -> Iterator[str]:
    """The Markdown and the HTML of a file: of a notebook, what it says and what its cells show."""
    if not name.endswith(".ipynb"):
        yield text
        return
    for cell in nbformat.reads(text, as_version=4).cells:
        if cell.cell_type == "markdown":
            yield cell.source
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            yield from (data[kind] for kind in ("text/markdown", "text/html") if kind in data)


def addresses(text: str) -> Iterator[str]:
    """What a text of Markdown links to and shows, in Markdown and in HTML."""
    page = BeautifulSoup(MARKDOWN.render(text), "html.parser")
    for element in page.find_all(["a", "img"]):
        yield element.get("href") or element.get("src", "")


def dead_links(texts: dict[str, str], files: Container[str]) -> list[str]:
    """The relative links of an archive's texts to files that it lacks."""
    found = (
        (name, urlsplit(address))
        for name, text in texts.items()
        for part in prose(name, text)
        for address in addresses(part)
    )
    return [
        f"{name}: {link.path}"
        for name, link in found
        if link.path and not link.scheme and unquote(link.path) not in files
    ]


def test_a_dead_link_is_found():
    html = '<p>See <a href="../results.json">it</a>.</p>'
    cells = [nbformat.v4.new_markdown_cell("[a](gelu.ipynb#x), $f[g](x)$, [b](README.md), [c](#d)")]
    cells.append(nbformat.v4.new_code_cell("'[a](b.md)'"))
    shown = {"text/markdown": "[c](_static/SUMS), [d](https://example.org/e.md)"}
    cells[1].outputs = [nbformat.v4.new_output("display_data", data=shown)]
    notebook = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    texts = {"01-gelu.ipynb": notebook, "README.md": f"![p](p.svg)\n\n{html}\n"}
    assert dead_links(texts, texts) == [
        "01-gelu.ipynb: gelu.ipynb",
        "01-gelu.ipynb: _static/SUMS",
        "README.md: p.svg",
        "README.md: ../results.json",
    ]


@pytest.fixture(scope="module")
def files(site) -> dict[str, bytes]:
    """The files in the archive that the site offers."""
    with ZipFile(site / "downloads" / ARCHIVE) as opened:
        return {name.partition("/")[2]: opened.read(name) for name in opened.namelist()}


@pytest.fixture(scope="module")
def archive(files) -> dict[str, str]:
    """The pages among them."""
    named = files.items()
    return {name: text.decode() for name, text in named if name.endswith((".ipynb", ".md"))}


def test_the_archive_begins_with_a_start_page_and_has_the_order_of_the_contents(archive):
    notebooks = [name for name in sorted(archive) if name.endswith(".ipynb")]
    assert sorted(archive)[0] == notebooks[0] == START
    assert [name[:2] for name in notebooks] == [f"{n:02}" for n in range(len(notebooks))]
    listed = re.findall(r"^(\d+)\. \[.*\]\((.*\.ipynb)\)", archive["README.md"], re.MULTILINE)
    assert [name for _, name in listed] == notebooks[1:]
    assert [int(number) for number, _ in listed] == [int(name[:2]) for name in notebooks[1:]]


def test_the_archive_has_its_data_and_no_dead_link(archive, files):
    assert dead_links(archive, files) == []
    assert {"results.json", "results.bib", "_static/test-vectors/SHA256SUMS"} < set(files)
    for line in files["_static/test-vectors/SHA256SUMS"].decode().splitlines():
        digest, name = line.split()
        assert sha256(files[f"_static/test-vectors/{name}"]).hexdigest() == digest
