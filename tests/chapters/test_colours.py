"""One colour for one form: in what the library draws, in every stored figure, and on every page."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from execute import BOOK
from matplotlib.colors import to_rgb
from reader import chapters, drawings
from sympy import pi

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC
from gelu_lib.functions.forms import local_form, sigmoid_form, tanh_form
from gelu_lib.functions.tanh_forms import merged_tanh_sum
from gelu_lib.show.curves import plot_errors
from gelu_lib.show.style import COLOURS, EXACT, GREY, INK, SIGMOID, TANH, TAYLOR

matplotlib.use("svg")
NAMED = {
    EXACT: r"GELU′?|Φ|erf|½x.*|.*exact form|\$.Phi\(x\)\$",
    TANH: r".*tanh form|0\.0447\d*|\$k\$ = .*",
    SIGMOID: r".*sigmoid form|1\.702|best scale|SiLU.*",
    TAYLOR: r"Taylor.*|derived.*",
}
"""What a figure calls the forms."""
CSS = (BOOK / "_static" / "book.css").read_text(encoding="utf-8")
LEAST = 3  # times the luminance, of a line against its ground: WCAG 2.2, 1.4.11


@pytest.mark.parametrize(
    ("form", "colour"),
    [
        (tanh_form("0.0455399"), TANH),  # Taylor's to some digits is another one
        (minimax(TANH_CUBIC), TANH),
        (minimax(merged_tanh_sum(1)), INK),
        (tanh_form((4 - pi) / (6 * pi)), TAYLOR),
        (local_form(5), TAYLOR),
        (minimax(LOGISTIC), SIGMOID),
        (local_form(1), SIGMOID),
    ],
)
def test_a_form_is_drawn_in_its_colour(form, colour):
    _, curve = plot_errors({"form": form}).lines
    assert curve.get_color() == colour


def test_two_of_one_form_differ_in_the_dash():
    _, *curves = plot_errors({c: sigmoid_form(c) for c in ("1.6", "1.7", "1.8")}).lines
    assert len({str(curve._unscaled_dash_pattern) for curve in curves}) == len(curves)


# ---- Stored figures: Matplotlib draws words as outlines, and keeps each text in a remark.


def colour_of(element: ET.Element) -> str:
    """The first colour in which something of an element is drawn, or that of ink."""
    styles = "; ".join(part.get("style", "") for part in element.iter())
    return next(iter(re.findall(r"(?:stroke|fill): (#\w{6})", styles)), INK)


def words_of(text: ET.Element) -> str:
    return next(part.text.strip() for part in text.iter(ET.Comment))


def read(drawing: str) -> ET.Element:
    return ET.fromstring(drawing, ET.XMLParser(target=ET.TreeBuilder(insert_comments=True)))


def named(drawing: str) -> list[tuple[str, str]]:
    """Each name of a drawing with its colour, in a key with that of what stands before it."""
    texts = (g for g in read(drawing).iter() if g.get("id", "")[:5] == "text_")
    found = [(words_of(text), colour_of(text)) for text in texts]
    found += [line for key in keys(drawing) for line in key]
    return [(words, colour) for words, colour in found if form_colour(words)]


def keys(drawing: str) -> list[list[tuple[str, str]]]:
    """The lines of each key of a drawing, as words and the colour of what stands before them."""
    found = []
    for key in (g for g in read(drawing).iter() if g.get("id", "")[:7] == "legend_"):
        parts = [(g.get("id", "").split("_")[0], g) for g in key]
        pairs = pairwise(parts)
        found.append([(words_of(g), colour_of(h)) for (_, h), (kind, g) in pairs if kind == "text"])
    return found


def form_colour(words: str) -> str | None:
    """The colour that a name of a form asks for, None if the words name no form."""
    fitting = [colour for colour, names in NAMED.items() if re.fullmatch(names, words)]
    return fitting[0] if fitting else None


def wrong(drawing: str) -> list[tuple[str, str]]:
    """The names of forms in a colour that is neither ink nor that of the form."""
    return [
        (words, colour)
        for words, colour in named(drawing)
        if colour not in (INK, GREY, form_colour(words))
    ]


def test_a_form_has_its_colour_in_every_stored_figure_and_is_named_in_some():
    stored = [(chapter, drawing) for chapter in chapters() for drawing in drawings(chapter)]
    assert [(page, wrong(drawing)) for page, drawing in stored if wrong(drawing)] == []
    assert {colour for _, drawing in stored for _, colour in named(drawing)} >= set(NAMED)


def out_of_order(drawing: str) -> list[list[str]]:
    """The keys in which the forms do not come in the order of their colours.

    A line has its dash from its place, so a form that is moved has another dash than elsewhere.
    """
    found = []
    for key in keys(drawing):
        forms = [COLOURS.index(form_colour(words)) for words, _ in key if form_colour(words)]
        first = list(dict.fromkeys(forms))  # two of a form may stand apart
        if first != sorted(first):
            found.append([words for words, _ in key])
    return found


def test_the_forms_come_in_one_order_in_every_key(tmp_path):
    stored = [(chapter, drawing) for chapter in chapters() for drawing in drawings(chapter)]
    assert [
        (page, out_of_order(drawing)) for page, drawing in stored if out_of_order(drawing)
    ] == []
    axes = plt.figure().add_subplot()
    for words, colour in (("GELU", EXACT), ("sigmoid form", SIGMOID), ("tanh form", TANH)):
        axes.plot([0, 1], color=colour, label=words)
    axes.legend()
    plt.savefig(tmp_path / "drawn.svg")
    drawing = (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    assert out_of_order(drawing) == [["GELU", "sigmoid form", "tanh form"]]


def drawn_with(colour: str, words: str, in_key: bool, tmp_path) -> str:
    axes = plt.figure().add_subplot()
    axes.plot([0, 1], color=colour, label=words if in_key else None)
    axes.legend() if in_key else axes.annotate(words, (0, 0), color=colour)
    plt.savefig(tmp_path / "drawn.svg")
    return (tmp_path / "drawn.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("in_key", [True, False])
def test_a_form_in_the_colour_of_another_is_seen(in_key, tmp_path):
    for words, right, other in (("GELU", EXACT, TANH), ("0.044715", TANH, SIGMOID)):
        assert (words, right) in named(drawn_with(right, words, in_key, tmp_path))
        assert wrong(drawn_with(right, words, in_key, tmp_path)) == []
        assert wrong(drawn_with(other, words, in_key, tmp_path)) == [(words, other)]


# ---- Contrast, on the light page and on the dark one, whose figures are turned


def luminance(rgb) -> float:
    rgb = np.asarray(rgb)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def turned(colour: str) -> np.ndarray:
    """A colour after the filter of the dark page: turned by 180 degrees, all but the grey part."""
    (share,) = set(re.findall(r"invert\(([\d.]+)\) hue-rotate\(180deg\)", CSS))
    inverted = float(share) + (1 - 2 * float(share)) * np.array(to_rgb(colour))
    return np.clip(2 * inverted @ [0.213, 0.715, 0.072] - inverted, 0, 1)


def palette(name: str) -> tuple[str, str]:
    """A colour of the pages, on a light and on a dark one."""
    return re.search(rf"--book-{name}: light-dark\((#\w+), (#\w+)\)", CSS).groups()


@pytest.mark.parametrize("colour", [*COLOURS, GREY, INK])
def test_a_line_of_a_figure_stands_out_on_both_pages(colour):
    light, dark = map(to_rgb, palette("paper"))
    assert min(contrast(to_rgb(colour), light), contrast(turned(colour), dark)) >= LEAST


@pytest.mark.parametrize("name", ["ink", "blue", "orange", "green", "violet", "grey"])
def test_a_line_of_a_live_picture_stands_out_on_both_pages(name):
    for colour, paper in zip(palette(name), palette("paper"), strict=True):
        assert contrast(to_rgb(colour), to_rgb(paper)) >= LEAST


def test_a_pale_line_does_not_stand_out():
    light, dark = map(to_rgb, palette("paper"))
    assert contrast(to_rgb("#b4b4b4"), light) < LEAST
    assert contrast(turned("#b4b4b4"), dark) < LEAST
