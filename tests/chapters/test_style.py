"""The narrow drawing of a figure, which the site shows on a phone, and the face of its words."""

import logging
import re

import matplotlib
import matplotlib.pyplot as plt
import pytest
from IPython.core.pylabtools import print_figure
from narrow_figures import GROUND, without_ground

from gelu_lib.show.style import NARROW_WIDTH, PAPER, STYLE, narrow, put_axes, use_text_face

matplotlib.use("svg")


def points(drawing: str) -> tuple[float, float]:
    """The width and the height that a drawing states."""
    sizes = re.search(r'<svg[^>]* height="([\d.]+)pt"[^>]* width="([\d.]+)pt"', drawing) or (
        re.search(r'<svg[^>]* width="([\d.]+)pt" height="([\d.]+)pt"', drawing)
    )
    return tuple(float(size) for size in sizes.groups())


def test_a_narrow_drawing_is_as_wide_as_a_phone_and_the_figure_stays():
    plt.figure().add_subplot().set_ylabel("height")
    width, height = points(narrow(plt.gcf()))
    assert 0.9 * 72 * NARROW_WIDTH < width < 1.05 * 72 * NARROW_WIDTH
    assert 0.9 * 72 * 3.2 < height < 1.05 * 72 * 3.2
    plt.figure(figsize=(5.4, 3)).subplots(1, 2)
    assert points(narrow(plt.gcf()))[1] > 72 * 5
    plt.figure(figsize=(5.4, 3)).subplots(2, height_ratios=(2, 1))
    assert points(narrow(plt.gcf()))[1] < 72 * 3.2
    figure = plt.figure(figsize=(5.4, 3))
    panels = figure.subplots(1, 2, width_ratios=(3, 2))
    before = [tuple(figure.get_size_inches()), *(axes.get_position().bounds for axes in panels)]
    narrow(figure)
    after = [tuple(figure.get_size_inches()), *(axes.get_position().bounds for axes in panels)]
    assert after == before


def test_axes_go_to_their_other_place_in_a_narrow_drawing():
    figure, axes = plt.subplots()
    put_axes(axes, wide=(0, 0, 1, 1), narrow=(0, 0, 1, 0.5))
    shown = []
    figure.canvas.mpl_connect("draw_event", lambda _: shown.append(axes.get_position().bounds))
    narrow(figure)
    figure.canvas.draw()
    assert [bounds[3] for bounds in (shown[0], shown[-1])] == [0.5, 1]


def test_a_figure_stands_on_paper_in_a_notebook_and_on_the_page_that_shows_it_there():
    figure = plt.figure()
    figure.add_subplot().bar([1], [2], facecolor=PAPER)
    stored, phone = print_figure(figure, "svg"), narrow(figure)
    page = without_ground(stored)
    assert [bool(GROUND.search(drawing)) for drawing in (stored, page, phone)] == [
        True,
        False,
        False,
    ]
    assert page.count(f"fill: {PAPER}") == stored.count(f"fill: {PAPER}") - 1 == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("package", "drawn_in"),
    [("fontpkg_source_sans_3", [True, False]), ("no_such_package", [False, True])],
)
def test_words_have_the_face_of_live_figures_where_it_is_installed(package, drawn_in, caplog):
    with matplotlib.rc_context(), caplog.at_level(logging.WARNING):
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        use_text_face(package)
        figure = plt.figure()
        axes = figure.add_subplot(xlabel=r"error of GELU′, $\max\,|\Phi-\hat\Phi|$", title="½x")
        axes.semilogy([1, 2], [1e-9, 1], label=r"$\mathrm{erf}(x/\sqrt{2}),\ \sigma(-R)$")
        axes.legend()
        drawing = narrow(figure)
    assert [f'id="{name}' in drawing for name in ("SourceSans3-Regular", "DejaVuSans")] == drawn_in
    assert caplog.messages == []
