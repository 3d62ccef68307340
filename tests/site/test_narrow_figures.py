"""A figure of a notebook has two drawings on its page, without a ground: one is for a phone."""

from pathlib import Path

import nbformat
import pytest
from execute import normalise
from narrow_figures import SMALL, drawing_name
from small_site import BOOK, page, sound

from gelu_lib.show.style import NARROW

SETTINGS = {
    "extensions": ["myst_nb", "notebook_pages", "page_parts", "narrow_figures"],
    "nb_execution_mode": "off",
}
WIDE = """<svg width="360pt" height="180pt">
<g id="patch_1">
<path d="M 0 9 L 9 0 z" style="fill: none"/>
</g>
<g id="patch_2">
<path d="M 0 9 L 9 0 z" style="fill: #ffffff"/>
</g>
</svg>"""
ON_WHITE = WIDE.replace("none", "#ffffff")
SLIM = '<svg width="240pt" height="210pt"/>'


def notebook(data: dict[str, str]) -> str:
    image = {"mystnb": {"image": {"alt": "A line"}}}
    drawn = nbformat.v4.new_code_cell("draw()", execution_count=1, metadata=image)
    drawn.outputs = [nbformat.v4.new_output("display_data", data=data)]
    cells = [nbformat.v4.new_markdown_cell("# T"), drawn]
    made = nbformat.v4.new_notebook(cells=cells)
    normalise(made, "figure")
    return nbformat.writes(made)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    both = notebook({"image/svg+xml": ON_WHITE, NARROW: SLIM})
    one = notebook({"image/svg+xml": ON_WHITE.replace("180", "190")})
    files = {"index.ipynb": both, "a/one.ipynb": one, "a/both.ipynb": both}
    files["index.ipynb"] = both.replace("# T", "# T\\n\\n```{toctree}\\na/one\\na/both\\n```")
    return sound(tmp_path_factory.mktemp("narrow"), files, **SETTINGS)


@pytest.mark.parametrize("name", ["index.html", "a/both.html"])
def test_a_small_screen_gets_the_narrow_drawing(site, name):
    frame = page(site, name).select_one(".figure-frame")
    source, image = frame.picture.find_all(["source", "img"])
    assert source["media"] == SMALL
    for element, address, drawing in ((source, "srcset", SLIM), (image, "src", WIDE)):
        path = (site / name).parent / element[address]
        assert path.read_text(encoding="utf-8").strip() == drawing
    assert image["alt"] == "A line"
    assert "has-narrow" in frame["class"]
    assert frame["style"].split("; ")[2:] == ["--narrow-width: 320", "--narrow-height: 280"]


def test_a_figure_with_one_drawing_stays_an_image_and_the_screens_are_the_same(site):
    frame = page(site, "a/one.html").select_one(".figure-frame")
    assert frame.picture is None and "has-narrow" not in frame["class"]
    assert frame.img["src"].endswith(drawing_name(WIDE.replace("180", "190")))
    assert f"@media {SMALL} {{" in (BOOK / "_static" / "book.css").read_text(encoding="utf-8")
