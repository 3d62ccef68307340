"""The picture that a link to a page shows: its first figure and its title, alike in each build."""

import base64
import io
import json

import pytest
from PIL import Image
from share_pictures import SIZE, card
from small_site import OWN_THEME, page, sound

ADDRESS = "https://owner.github.io/repo/"
SETTINGS = {
    "extensions": ["myst_nb", "page_head", "page_language", "share_pictures"],
    "nb_execution_mode": "off",
    "project": "Book",
    "html_title": "Book and more",
    "html_baseurl": ADDRESS,
} | OWN_THEME


def figure(colour: str, size: tuple[int, int] = (300, 200)) -> Image.Image:
    return Image.new("RGBA", size, colour)


def notebook(colour: str = "", **metadata: object) -> str:
    """A notebook with a figure of one colour and one of another, or without any."""
    cells = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A page\n\nText."}]
    for shown in (colour, "black") if colour else ():
        file = io.BytesIO()
        figure(shown).save(file, "PNG")
        data = {"image/png": base64.b64encode(file.getvalue()).decode()}
        alt = {"image/png": {"alt": f"It is {shown}."}}
        output = {"output_type": "display_data", "data": data, "metadata": alt}
        code = {"execution_count": 1, "source": "draw()", "outputs": [output], "metadata": {}}
        cells.append({"cell_type": "code", "id": shown, **code})
    metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    book = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book)


FILES = {
    "index.md": "# Book\n\nText.\n\n```{toctree}\nred\nbare\nzh\n```\n",
    "red.ipynb": notebook("red"),
    "bare.ipynb": notebook(),
    "zh.ipynb": notebook("red", lang="zh-Hans"),
}


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """The same site, built twice."""
    return [sound(tmp_path_factory.mktemp("share"), FILES, **SETTINGS) for _ in range(2)]


def named(site, name: str) -> tuple[str, str]:
    soup = page(site, f"{name}.html")
    found = [
        soup.select_one(f"meta[property='og:image{part}']")["content"] for part in ("", ":alt")
    ]
    return found[0].removeprefix(ADDRESS), found[1]


def test_a_page_with_a_figure_has_it_on_its_picture_and_another_that_of_the_book(sites):
    assert named(sites[0], "red") == ("_static/share/red.png", "It is red.")
    for name in ("index", "bare", "zh"):  # the faces have no letters of Chinese
        assert named(sites[0], name) == ("_static/social.png", "Book and more")
    picture = Image.open(sites[0] / "_static" / "share" / "red.png").convert("RGB")
    assert picture.size == SIZE
    counts = {colour: count for count, colour in picture.getcolors()}
    assert counts[(255, 0, 0)] > 300 * 200 and (0, 0, 0) not in counts


def test_two_builds_make_the_same_bytes(sites):
    first, second = [(site / "_static" / "share" / "red.png").read_bytes() for site in sites]
    assert first == second


def test_a_wide_figure_stands_below_the_title_and_another_beside_it():
    for size, free in (((1180, 498), (900, 100)), ((300, 300), (300, 500))):
        picture = card(figure("blue", size), "A title", "Book").convert("RGB")
        assert picture.getpixel(free) == (255, 255, 255)
        assert picture.getpixel((900, 400)) == (0, 0, 255)
