"""A notebook makes a talk: which cell is what, and what nbconvert makes of it."""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import SlidesExporter
from slides import OPENING, slide_type
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[2]
TEACH = (ROOT / "book" / "teach.md").read_text(encoding="utf-8")
NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))
HEADING = re.compile(r"^##? ", re.MULTILINE)
TALKS = ("index", "minimax", "certificates")
markdown, code, output = (
    nbformat.v4.new_markdown_cell,
    nbformat.v4.new_code_cell,
    nbformat.v4.new_output,
)
FIGURE = [output("display_data", data={"image/png": ""})]
GLUED = [output("display_data", data={"application/papermill.record/text/plain": ""})]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# Title\n\nWords.", "slide"),
        ('<a id="old"></a>\n\n## Part', "slide"),
        ("Words.\n\n## Part", "notes"),
        ("### Small part", "notes"),
        ("Let\n\n$$\nx\n$$", "subslide"),
        ('<a id="fig-one"></a>*Figure.* Words.', "-"),
        ("<!-- level-the-peaks k -->\n*The web version*", "skip"),
        ("## Try it\n\nDo it.", "skip"),
        ("**Exercise 2** (code, ★). Do it.", "skip"),
    ],
)
def test_a_heading_begins_a_slide_and_running_text_is_for_the_speaker(text, kind):
    assert slide_type(markdown(text)) == kind


@pytest.mark.parametrize(
    ("tags", "outputs", "kind"),
    [
        ([], [], "subslide"),
        (["hide-input"], FIGURE, "subslide"),
        (["hide-input"], [], "skip"),
        (["hide-input"], GLUED, "skip"),
        (["remove-input"], FIGURE, "fragment"),
        (["remove-input"], GLUED, "skip"),
        (["remove-cell"], FIGURE, "skip"),
        (["solution"], FIGURE, "skip"),
    ],
)
def test_what_is_shown_is_on_a_slide_and_what_is_folded_is_not(tags, outputs, kind):
    assert slide_type(code("1", metadata={"tags": tags}, outputs=outputs)) == kind


def talk(name: str) -> BeautifulSoup:
    """What the command of the page for teachers makes of a notebook."""
    (command,) = re.findall(r"^jupyter nbconvert (.*?)\n```", TEACH, re.MULTILINE | re.DOTALL)
    options = re.findall(r"--(\w+)\.(\w+)=(\S+)", command)
    assert "--to slides --no-prompt " in command and len(options) == 3
    config = Config()
    for part, key, value in options:
        if part == "TagRemovePreprocessor":
            config[part].setdefault(key, set()).add(value)
        else:
            config[part][key] = value == "True"
    notebook = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4)
    html, _ = SlidesExporter(config=config).from_notebook_node(notebook)
    return BeautifulSoup(html, "html.parser")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_section_begins_a_cell(path):
    cells = nbformat.read(path, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "markdown"]
    texts = [re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in sources]
    begun = [text for text in texts if OPENING.match(text)]
    assert sum(len(HEADING.findall(text)) for text in texts) == len(begun)


@pytest.mark.filterwarnings("ignore:Your element with mimetype")  # what say stores for the text
@pytest.mark.parametrize("name", TALKS)
def test_a_notebook_becomes_a_talk_that_loads_what_the_page_says(name):
    made = talk(name)
    sections = made.select(".slides > section")
    assert len(sections) >= 4 and all(part.select(":scope > section") for part in sections)
    assert sections[0].find(["h1"]) and len(made.select("aside.notes")) >= 5
    told = made.select_one(".slides").get_text()
    for absent in ("import matplotlib", "★)", "pip install", "slider("):
        assert absent not in told
    loaded = [tag.get("src") or tag.get("href") for tag in made.select("script[src], link[href]")]
    hosts = {re.match(r"https://([^/]+)/", place)[1] for place in loaded}
    assert hosts == {"unpkg.com", "cdnjs.cloudflare.com"}
    assert all(host in TEACH for host in hosts)
