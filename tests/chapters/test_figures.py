"""Figures show what they say: their numbers, not their pixels."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sp
from draw_figures import (
    MARGIN,
    SIDE,
    STATIC,
    draw_alternation,
    draw_icon,
    draw_social_picture,
    icon_curve,
)

from gelu_lib import certified_sup_error, tanh_form
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import TANH_CUBIC
from gelu_lib.show.curves import plot_errors, sketch_error

matplotlib.use("svg")
PINNED = {"p1": 2 * LOCAL_SLOPE}


@pytest.fixture(scope="module")
def fit():
    return minimax(TANH_CUBIC, fixed=PINNED)


def test_an_optimum_is_drawn_with_its_points_on_the_levels(fit):
    axes = plot_errors({"best": fit}, points=fit)
    _, curve, low, high, points = axes.lines
    places, heights = points.get_data()
    np.testing.assert_array_equal([line.get_ydata()[0] for line in (low, high)], sorted(heights))
    np.testing.assert_allclose(np.abs(heights), float(fit.error))
    np.testing.assert_allclose(np.interp(places, *curve.get_data()), heights, rtol=1e-4)
    assert np.max(np.abs(curve.get_ydata())) <= float(fit.error) * (1 + 1e-9)


def test_a_sketch_marks_the_peaks_that_there_are_and_gives_the_largest_size(fit):
    local = tanh_form((4 - sp.pi) / (6 * sp.pi))
    for form, signs in ((fit, [1, -1]), (local, [-1])):
        axes = plt.figure().add_subplot()
        size = sketch_error(axes, form, name="a sketch")
        assert size == pytest.approx(float(certified_sup_error(form).error), rel=1e-3)
        assert list(np.sign(axes.lines[1].get_ydata())) == signs
        assert not axes.axison and axes.get_title() == "a sketch"


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
    assert drawn.shape[:2] == (630, 1200)


def test_the_icon_is_the_error_curve_between_its_levels(fit, tmp_path):
    x, y = icon_curve(fit, high=4.0)
    error = fit.error_at(np.linspace(0, 4, x.size))
    np.testing.assert_allclose((SIDE / 2 - y) / (SIDE / 2 - MARGIN), error / float(fit.error))
    assert MARGIN <= y.min() < MARGIN + 0.1 and SIDE - MARGIN - 0.1 < y.max() <= SIDE - MARGIN
    assert x.min() > 0 and x.max() < SIDE
    points = " ".join(f"{a:.2f},{b:.2f}" for a, b in zip(x, y, strict=True))
    draw_icon(tmp_path / "icon.svg")
    assert f'points="{points}"' in (tmp_path / "icon.svg").read_text(encoding="utf-8")
