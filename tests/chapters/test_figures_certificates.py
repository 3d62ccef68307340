"""The figures of proofs draw what the proofs say."""

from itertools import product

import matplotlib
import numpy as np
import pytest
from flint import arb, ctx

from gelu_lib.certificates.certificate import certify
from gelu_lib.certificates.optimality import balances
from gelu_lib.certificates.solutions import Equations
from gelu_lib.chapters import certificates as chapter
from gelu_lib.fits.criteria import problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.optima import optimum
from gelu_lib.functions.expressions import LOCAL_SLOPE, PAGE_CUBIC
from gelu_lib.functions.families import TANH_CUBIC

matplotlib.use("svg")
PINNED = {"p1": 2 * LOCAL_SLOPE}
PAGE = {**PINNED, "p3": 2 * LOCAL_SLOPE * PAGE_CUBIC}


@pytest.fixture(
    scope="module",
    params=[
        lambda: minimax(TANH_CUBIC, fixed=PINNED),
        lambda: optimum("tanh-free", "GELU_derivative", "Gaussian sup"),
    ],
    ids=["Phi", "GELU_derivative-weighted"],
)
def certificate(request):
    return certify(request.param(), digits=20)


def boxes(drawn):
    (lefts, lower), (rights, upper) = (
        drawn.points[name] for name in ("lower left corners", "upper right corners")
    )
    return lefts, rights, lower, upper


def test_there_is_a_box_for_every_piece(certificate):
    lefts, rights, _, _ = boxes(chapter.opening(certificate))
    assert list(zip(lefts, rights, strict=True)) == list(certificate.pieces)


def test_no_box_reaches_the_levels(certificate):
    _, _, lower, upper = boxes(chapter.opening(certificate))
    assert max(np.max(upper), -np.min(lower)) < certificate.error.lower


def test_the_curve_runs_inside_the_boxes_and_the_bound_of_the_tail(certificate):
    drawn = chapter.opening(certificate)
    x, error = drawn.curves["error"]
    seen = np.zeros(len(x), dtype=int)
    for left, right, low, high in zip(*boxes(drawn), strict=True):
        inside = (left <= x) & (x <= right)
        assert np.all((low <= error[inside]) & (error[inside] <= high))
        seen += inside
    (end,), (bound,) = drawn.points["tail"]
    assert x[-1] > end == certificate.end
    assert np.all(np.abs(error[x >= end]) <= bound)
    uncovered = x[(seen == 0) & (x < end)]
    assert len(uncovered) > 0
    assert all(any(a < u < b for a, b in certificate.neighbourhoods) for u in uncovered)


def test_the_peaks_are_drawn_at_the_ends_of_the_curve(certificate):
    drawn = chapter.opening(certificate)
    x, error = drawn.curves["error"]
    places, heights = drawn.points["peaks"]
    np.testing.assert_allclose(np.interp(places, x, error), heights, rtol=2e-3)
    assert np.max(np.abs(error)) <= float(certificate.error.upper)


def test_both_enclosures_are_wider_than_the_range_of_the_error():
    drawn = chapter.enclosure_widths()
    (lengths, plain), (_, taylor), (_, own) = drawn.curves.values()
    assert np.all((plain > taylor) & (taylor > own) & (own > 0))
    assert np.all(taylor[1:] < 1.1 * own[1:])  # by the eighth power; not yet on the longest piece
    assert taylor[0] > 10 * own[0]
    np.testing.assert_allclose(plain[-1] / lengths[-1], plain[-2] / lengths[-2], rtol=0.05)
    assert np.all(plain > 100 * own)


def test_the_function_lies_in_the_fan_and_its_zero_in_the_image():
    with ctx.workprec(128):
        drawn = chapter.newton_step(chapter.slope_of_the_error, 1.2, 1.3)
    x, y = drawn.curves["function"]
    (_, low), (_, high) = drawn.curves["lowest line"], drawn.curves["highest line"]
    assert np.all((low <= y + 1e-18) & (y - 1e-18 <= high))
    assert np.max(high - low) > 1e-6
    (left, right), (first, last) = drawn.points["interval"][0], drawn.points["its image"][0]
    assert left == x[0] < first < last < x[-1] == right
    zero = np.interp(0, -y, x)
    assert first < zero < last


def test_the_image_is_where_the_fan_meets_the_axis():
    with ctx.workprec(128):
        drawn = chapter.newton_step(chapter.slope_of_the_error, 1.2, 1.3)
    met = [np.interp(0, -y, x) for x, y in list(drawn.curves.values())[1:]]
    np.testing.assert_allclose(drawn.points["its image"][0], sorted(met), atol=1e-5)


@pytest.fixture(scope="module")
def three_peaks():
    """The equations of three peaks, their solution in a box, and a band on which they balance."""
    proof = certify(optimum("tanh-free", "GELU_derivative", "sup"), digits=20)
    equations = Equations(problem(proof.family, proof.criterion, proof.fixed), proof.signs)
    enclosed = [*proof.parameters.values(), proof.error, *proof.points]
    with ctx.workprec(128):
        box = [arb(str(found.lower)).union(arb(str(found.upper))) for found in enclosed]
        band = [arb(p.mid(), 5e-4) for p in box[:2]]
        assert balances(equations, box, band)
    return equations, box, band


def holds_zero(triangle):
    """Whether 0 lies inside a triangle: on the same side of its three sides."""
    (x, y), (next_x, next_y) = triangle.T, np.roll(triangle, -1, axis=0).T
    return len(set(np.sign(x * next_y - y * next_x))) == 1


def test_zero_lies_in_the_triangle_whichever_gradients_are_taken(three_peaks):
    with ctx.workprec(128):
        drawn = chapter.gradients_on(*three_peaks)
    rectangles = [list(product(*drawn.points[f"gradient {j}"])) for j in (1, 2, 3)]
    assert all(holds_zero(np.array(triangle)) for triangle in product(*rectangles))
    tips = np.transpose(drawn.curves["triangle"])
    np.testing.assert_array_equal(tips[0], tips[-1])
    for tip, rectangle in zip(tips, rectangles, strict=False):
        assert np.all((np.min(rectangle, 0) <= tip) & (tip <= np.max(rectangle, 0)))


def test_a_triangle_beside_zero_does_not_hold_it():
    assert holds_zero(np.array([(1, 0), (-1, 1), (-1, -1)]))
    assert not holds_zero(np.array([(1, 0), (2, 1), (2, -1)]))
