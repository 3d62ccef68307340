"""Figures show what they say: their numbers, not their pixels."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from draw_figures import STATIC, draw_alternation, draw_icon, draw_social_picture

from gelu_lib.activations import gelu, gelu_tanh
from gelu_lib.chapters import curves
from gelu_lib.chapters import index as index_chapter
from gelu_lib.chapters import languages as languages_chapter
from gelu_lib.chapters import taylor_orders as orders_chapter
from gelu_lib.chapters.index import MARGIN, SIDE, icon_curve
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC
from gelu_lib.show.style import Drawn

matplotlib.use("svg")
PINNED = {"p1": 2 * LOCAL_SLOPE}


@pytest.fixture(scope="module")
def fit():
    return minimax(TANH_CUBIC, fixed=PINNED)


def test_partial_sums_are_close_near_zero_and_leave_far_out():
    drawn = orders_chapter.partial_sums("tanh", [3, 9], high=2.5)
    (x, exact), (_, cubic), (_, ninth) = drawn.curves.values()
    near = (x > 0.2) & (x < 0.8)
    assert np.all(np.abs(ninth - exact)[near] < np.abs(cubic - exact)[near])
    assert abs(ninth[-1] - exact[-1]) > 1


def test_an_alternation_is_drawn_with_its_points_on_the_levels(fit):
    drawn = curves.alternation(fit)
    places, heights = drawn.points["alternation points"]
    x, error = drawn.curves["error"]
    np.testing.assert_allclose(np.abs(heights), float(fit.error))
    np.testing.assert_allclose(np.interp(places, x, error), heights, rtol=1e-4)
    assert np.max(np.abs(error)) <= float(fit.error) * (1 + 1e-9)


def test_panels_have_the_names_of_their_fits(fit):
    drawn = index_chapter.opening({"tanh form": fit, "sigmoid form": minimax(LOGISTIC)})
    assert list(drawn) == ["tanh form", "sigmoid form"]
    assert [axes.get_title(loc="left") for axes in plt.gcf().axes] == list(drawn)


def levelling_faults(drawn) -> list[str]:
    """In what the still picture does not show two level peaks, and the corner of the V."""
    faults = []
    numbers, sizes = drawn["largest"].curves["largest error"]
    for name, (number, size) in drawn["largest"].points.items():
        _, error = drawn["error"].curves[name]
        if size != pytest.approx([np.max(np.abs(error))], rel=1e-3):
            faults.append(f"the dot of {name} is not at the height of its error")
        if name == "Taylor" and np.max(error) > 0.01 * size:
            faults.append("the error of Taylor's number has a crest")
        if name != "Taylor" and np.max(error) != pytest.approx(-np.min(error), rel=1e-3):
            faults.append("the peaks are not level")
        if name != "Taylor" and abs(numbers[np.argmin(sizes)] - number) > 1e-5:
            faults.append("the printed number is not in the corner")
    return faults


def test_the_still_picture_of_the_landing_page_shows_two_level_peaks_and_the_corner():
    drawn = index_chapter.levelling()
    assert list(drawn["error"].curves) == list(drawn["largest"].points) == ["Taylor", "0.044715"]
    assert levelling_faults(drawn) == []


def test_the_pictures_of_the_pages_in_other_languages_show_the_same_without_words():
    assert levelling_faults(languages_chapter.level_peaks()) == []
    x, tanh = languages_chapter.errors_of_gelu().curves["0.044715"]
    np.testing.assert_allclose(tanh, gelu(x) - gelu_tanh(x), atol=1e-15)
    panels = [axes for number in plt.get_fignums() for axes in plt.figure(number).axes]
    labels = [label for axes in panels[-3:] for label in (axes.get_xlabel(), axes.get_ylabel())]
    assert all(label == "x" or label.startswith("$") for label in labels), labels


def test_a_still_picture_of_another_number_is_found():
    drawn = index_chapter.levelling()
    curves = drawn["error"].curves
    swapped = dict(zip(curves, reversed(curves.values()), strict=True))
    assert levelling_faults(drawn | {"error": Drawn(swapped)})


def test_error_curves_are_the_errors_of_their_members(fit):
    best = {"best": (TANH_CUBIC, fit.parameters)}
    (_, error), *_ = curves.error_curves(best).curves.values()
    (x, weighted), *_ = curves.error_curves(best, of="GELU").curves.values()
    np.testing.assert_allclose(weighted, x * error, atol=1e-15)


def test_bad_names_are_refused():
    with pytest.raises(ValueError, match="name is 'cos'; accepted are erf, tanh"):
        orders_chapter.partial_sums("cos", [3], high=1)


@pytest.mark.parametrize(
    ("draw", "stored"),
    [(draw_alternation, "_static/alternation.svg"), (draw_icon, "_static/favicon.svg")],
)
def test_a_stored_drawing_is_the_one_that_is_drawn(draw, stored, tmp_path):
    draw(tmp_path / "drawn.svg")
    assert (tmp_path / "drawn.svg").read_bytes() == (STATIC.parent / stored).read_bytes()


def test_the_stored_social_picture_is_the_one_that_is_drawn(tmp_path):
    draw_social_picture(tmp_path / "drawn.png")
    drawn, stored = plt.imread(tmp_path / "drawn.png"), plt.imread(STATIC / "social.png")
    np.testing.assert_array_equal(drawn, stored)  # pixels: machines may pack them differently


def test_the_icon_is_the_error_curve_between_its_levels(fit):
    x, y = icon_curve(fit, high=4.0)
    error = fit.error_at(np.linspace(0, 4, x.size))
    np.testing.assert_allclose((SIDE / 2 - y) / (SIDE / 2 - MARGIN), error / float(fit.error))
    assert MARGIN <= y.min() < MARGIN + 0.1 and SIDE - MARGIN - 0.1 < y.max() <= SIDE - MARGIN
    assert x.min() > 0 and x.max() < SIDE
    points = " ".join(f"{a:.2f},{b:.2f}" for a, b in zip(x, y, strict=True))
    assert f'points="{points}"' in index_chapter.icon(fit)


def test_the_social_picture_shows_the_fit_under_the_title(fit):
    drawn = index_chapter.social_picture(fit, "A title", "A subtitle")
    assert [text.get_text() for text in plt.gcf().texts] == ["A title", "A subtitle"]
    assert (plt.gcf().get_size_inches() * plt.gcf().dpi).tolist() == [1200, 630]
    _, heights = drawn.points["alternation points"]
    np.testing.assert_array_equal(np.abs(heights), float(fit.error))
