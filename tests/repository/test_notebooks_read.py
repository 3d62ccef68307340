"""What a notebook stores can be read as it stands, in every program that shows notebooks.

Its text is CommonMark with formulas, and so is what its cells show: no syntax of the site reaches a
reader, every figure is there without scripts, and every link leads somewhere in a clone.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from downloads import KERNELS
from execute import BOOK
from kinds import slow_but
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbconvert import HTMLExporter, ScriptExporter
from reading_order import relinked_notebook
from result_boxes import MARK
from traitlets.config import Config, PyFileConfigLoader

from gelu_lib.floats.kernels.texts import languages

NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
LISTS = [BOOK / f"{name}.md" for name in ("results", "glossary", "bibliography")]
"""Pages of the site to whose entries the notebooks lead; stored as plain Markdown too."""
READER = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
MADE = {f"{KERNELS}/{language.file}" for language in languages().values()}
"""The files of the site and of the archive to which a notebook leads, and a clone has not."""
RAW = re.compile(
    r"\{[a-zA-Z][\w:.+-]*\}$|:::|```|^\([a-z0-9-]+\)=|^:\w+:|\*\*|\$|\\[a-zA-Z]{2,}|`", re.MULTILINE
)
"""A role, a directive, a target, an option; what opens and does not close."""
FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
HTML = re.compile(
    r"<!--[^>]*-->|</?details>|<details class=\"steps\">|<br>|<summary>[^<$*`]*</summary>"
    r"|<(a|span) (id|lang)=\"[\w.-]+\">"
    r"|<a href=\"(#|\.\./)[\w.-]+\">|</(a|span)>|\s+"
)
ADDRESS = re.compile(r'<(?:a|span) id="([^"]+)">')
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def texts(path: Path) -> Iterator[str]:
    """The Markdown of a page; of a notebook, its cells and what they show."""
    if path.suffix == ".md":
        yield path.read_text(encoding="utf-8")
        return
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            yield cell.source
        for output in cell.get("outputs", ()):
            yield from filter(None, [output.get("data", {}).get("text/markdown")])


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield from [token, *(token.children or ())]


def raw_syntax(text: str) -> list[str]:
    """What a reader of CommonMark with formulas would see as it is written."""
    faults = []
    for token in tokens(text):
        if token.type in ("html_block", "html_inline") and (rest := HTML.sub("", token.content)):
            faults.append(f"HTML: {rest[:60]}")
        if token.type == "fence" and token.info.startswith("{"):
            faults.append(f"a directive: {token.info}")
        if token.type == "text" and (found := RAW.search(token.content)):
            faults.append(f"{found[0]!r} in {token.content[:60]!r}")
    # Jupyter Lab takes the > of a quotation for a part of a formula of several lines
    return faults + [f"> in {one}" for one in FORMULA.findall(text) if re.search("^ *>", one, re.M)]


@cache
def addresses(path: Path) -> frozenset[str]:
    """The places in a file that a link may name."""
    pieces = list(texts(path))
    found = {id for text in pieces for id in ADDRESS.findall(text)}
    found |= {title.lower().replace(" ", "-") for text in pieces for title in HEADING.findall(text)}
    return frozenset(found)


def broken_links(path: Path, text: str) -> list[str]:
    """The links of a text that lead nowhere in a clone, nor to a file that the site makes."""
    faults = []
    for token in tokens(text):
        address = str(token.attrs.get("href", ""))
        if token.type != "link_open" or "://" in address:
            continue
        name, _, place = address.partition("#")
        target = path.parent / name if name else path
        if address in MADE:
            continue
        if not target.is_file() or (place and place not in addresses(target)):
            faults.append(address)
    return faults


@pytest.mark.parametrize("path", [*NOTEBOOKS, *LISTS], ids=lambda path: path.stem)
def test_the_text_and_what_cells_show_are_plain_markdown_whose_links_lead_somewhere(path):
    assert [fault for text in texts(path) for fault in raw_syntax(text)] == []
    assert [link for text in texts(path) for link in broken_links(path, text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "is {glue:text}`x`",
        "```{result} gelu-erf\n```",
        ":::{admonition} A\nb\n:::",
        "(here)=\n",
        "costs $5",
        '<div class="x">\n',
        "> So\n>\n> $$\n> 1 + 1\n> $$",
        "<!--=a-->0.1<!--/--> begins a block, so this is **not bold**",
    ],
)
def test_syntax_that_is_not_plain_is_found(text):
    assert raw_syntax(text) != []


def test_plain_markdown_is_let_through():
    text = """<a id="equation-a"></a>

$$
\\Phi(x) = 1
$$

> **In one sentence**
>
> It is $x$, or **<!--=a-->0.1<!--/-->**, by `code`.

<details>
<summary>Solution</summary>

In <span lang="ja">日本語</span>:

| a | b |
| --- | --- |
| <span id="row"></span>1 | [2](gelu.ipynb)<br>3 |

</details>
"""
    assert raw_syntax(text) == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](gelu.ipynb), [b](results.md#page-cubic), [c](#equation-tanh-form)", []),
        ("[a](bibliography.md#page1977), [b](glossary.md#term-sup-norm), [c](http://a.b)", []),
        ("[a](gel.ipynb)", ["gel.ipynb"]),
        ("[a](#fig-none)", ["#fig-none"]),
        ("[a](_static/kernels/gelu.h)", []),
        ("[a](_static/kernels/gelu.c)", ["_static/kernels/gelu.c"]),
        ("[a](glossary.md#sup-norm)", ["glossary.md#sup-norm"]),
    ],
)
def test_broken_links_are_found(text, broken):
    assert broken_links(BOOK / "tanh-constant.ipynb", text) == broken


def shown(notebook: nbformat.NotebookNode) -> BeautifulSoup:
    html, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    return BeautifulSoup(html, "html.parser")


def faults_of(page: BeautifulSoup) -> list[str]:
    """What a reader of a converted notebook sees that is no text of a book."""
    for code in page.select("pre, code, style, script"):
        code.decompose()
    text = re.sub(r"\$\$.*?\$\$|\$[^$]+\$", " ", page.get_text(), flags=re.DOTALL)
    return [found[0] for found in re.finditer(r"\{[a-z:]+\}|:::|<Figure|<!--|:label:|\*\*", text)]


OF_EACH_KIND = ("gelu", "zh")
"""A chapter of the story, and a page in another script."""


# what is kept for the text is of a kind of its own, and stands in the text
@pytest.mark.filterwarnings("ignore:Your element with mimetype")
@pytest.mark.parametrize("path", slow_but(lambda path: path.stem in OF_EACH_KIND, NOTEBOOKS))
def test_nbconvert_shows_everything(path):
    notebook = nbformat.read(path, as_version=4)
    page = shown(notebook)
    data = [o.get("data", {}) for c in notebook.cells for o in c.get("outputs", ())]
    pictures = sum("image/svg+xml" in kinds for kinds in data)
    assert len(page.select("img, svg")) == pictures > 0
    named = {id for text in texts(path) for id in MARK.findall(text)}
    assert [id for id in named if not page.find(id=id)] == []
    opened = sum(text.count('<details class="steps">') for text in texts(path))
    assert len(page.select("details.steps pre")) == opened
    numbers = {t for text in texts(path) for t in re.findall(r"-->([^<]+)<!--/-->", text)}
    assert [number for number in numbers if number not in page.get_text()] == []
    assert faults_of(page) == []


PIXELS_FIRST = Config({"NbConvertBase": {"display_data_priority": ["image/png", "text/plain"]}})


@pytest.mark.filterwarnings("ignore:Your element with mimetype")
def test_nbconvert_finds_the_words_for_a_picture():
    # of a drawing it takes none, and its newer template takes none at all
    notebook = nbformat.read(BOOK / "tanh-constant.ipynb", as_version=4)
    html, _ = HTMLExporter(PIXELS_FIRST, template_name="basic").from_notebook_node(notebook)
    shown = [picture["alt"] for picture in BeautifulSoup(html, "html.parser").select("img")]
    images = [cell.metadata.get("mystnb", {}).get("image") for cell in notebook.cells]
    assert shown == [image.alt for image in images if image]


@pytest.mark.filterwarnings("error:Your element with mimetype")
@pytest.mark.parametrize("name", ["jupyter_nbconvert_config.py", "jupyter_server_config.py"])
@pytest.mark.parametrize("stem", ["taylor", "index"])
def test_an_export_with_the_configuration_of_the_book_keeps_the_words(stem, name, caplog):
    config = PyFileConfigLoader(name, str(BOOK.parent / "tools" / "jupyter")).load_config()
    notebook = nbformat.read(BOOK / f"{stem}.ipynb", as_version=4)
    with caplog.at_level("WARNING"):
        html, _ = HTMLExporter(config=config).from_notebook_node(notebook)
    assert "Alternative text" not in caplog.text
    images = [cell.metadata.get("mystnb", {}).get("image") for cell in notebook.cells]
    pictures = BeautifulSoup(html, "html.parser").select("img")
    assert [picture["alt"] for picture in pictures] == [image.alt for image in images if image]
    assert all(picture["src"].startswith("data:image/svg+xml") for picture in pictures)
    assert "image/svg+xml" in str(notebook)  # which is left as it was


def test_nbconvert_makes_a_script_and_what_it_does_not_show_is_found():
    cells = [nbformat.v4.new_markdown_cell(":::{tip} A\nb\n:::\n\n{cite}`x` <!-- a -->")]
    assert faults_of(shown(nbformat.v4.new_notebook(cells=cells))) == [
        ":::",
        "{tip}",
        ":::",
        "{cite}",
    ]
    stored = (BOOK / "gelu.ipynb").read_text(encoding="utf-8")  # all have the same metadata
    for text in (stored, relinked_notebook(stored, {})):
        script, kept = ScriptExporter().from_notebook_node(nbformat.reads(text, as_version=4))
        assert kept["output_extension"] == ".py"
        assert "\n# # " in f"\n{script}"  # the title: prose too, and not the code alone
