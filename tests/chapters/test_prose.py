"""What the chapters say in words, and no cell of theirs computes."""

import json
from importlib.resources import files
from itertools import permutations

import numpy as np
import pytest
import sympy as sp
from reader import prose, word_count
from scipy.special import ndtr

from gelu_lib.activations import gelu, gelu_derivative
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import sampled_sup_error
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    X,
    logistic,
    numpy_function,
    phi,
)
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import local_match
from gelu_lib.register import results

PINNED = {"p1": 2 * LOCAL_SLOPE}


PATH = ("gelu", "taylor", "minimax", "tanh-constant", "which-one")


@pytest.mark.parametrize("chapter", PATH)
def test_a_page_of_the_story_has_at_most_1200_words(chapter):
    told, _, _ = prose(chapter).partition("**To run this notebook**")
    assert 600 < word_count(told) <= 1200


def test_formulas_code_addresses_and_closed_solutions_are_no_words():
    text = "One [word](a b c.md) and $x + y$ `two`\n```\nno\n```\n<details>\nnot this\n</details>"
    assert word_count(text) == 4


def number(id):
    """A number of the register with all its digits."""
    return sp.Rational(results()[id].number)


def taylor_parameters():
    """The tanh form with the Taylor coefficient, as a member of the cubic family."""
    return dict(zip(("p1", "p3"), (2 * a for a in local_match(3).coefficients), strict=True))


def test_gelu_exercise_gelu_is_convex_between_minus_and_plus_root_two():
    second = sp.diff(GELU(X), X, 2)
    assert sp.expand(second - (2 - X**2) * phi(X)) == 0
    assert sp.solveset(2 - X**2 > 0, X, sp.Reals) == sp.Interval.open(-sp.sqrt(2), sp.sqrt(2))


def test_gelu_exercise_gelu_lies_between_its_tangent_and_relu():
    x = np.linspace(-30, 30, 60_001)
    assert np.all(x / 2 <= gelu(x))
    assert np.all(gelu(x) <= np.maximum(x, 0))


def test_derivatives_exercise_the_slope_of_gelu_exceeds_one_right_of_the_mirrored_minimum():
    x = np.linspace(-30, 30, 60_001)
    steep = gelu_derivative(x) > 1 + 1e-15  # far right it is 1 up to rounding
    assert np.array_equal(steep[x < 8], (x > -float(number("gelu-minimum-place")))[x < 8])


def test_derivatives_exercise_the_least_value_is_minus_x_squared_times_the_density():
    place, value = (number(f"gelu-minimum-{part}") for part in ("place", "value"))
    assert abs(sp.N(-(place**2) * phi(place) - value, 30, maxn=100)) < 1e-28


def test_derivatives_exercise_any_odd_function_inside_has_the_reflection():
    slope = sp.diff(X * logistic(sp.sinh(X) + sp.sin(3 * X)), X)
    assert abs(sp.N(slope.subs(X, 2) + slope.subs(X, -2) - 1, 20)) < 1e-18
    even = sp.diff(X * logistic(X**2), X)
    assert abs(sp.N(even.subs(X, 2) + even.subs(X, -2) - 1, 20)) > 0.1


def test_derivatives_the_tanh_form_is_the_steepest_and_deepest_and_the_sigmoid_form_the_least():
    steepest = [number(f"{form}-largest-slope") for form in ("page", "gelu", "sigmoid-form")]
    deepest = [number(f"{form}-minimum-value") for form in ("page", "gelu", "scale-1702")]
    assert steepest == sorted(steepest, reverse=True) and steepest[-1] > 1
    assert deepest == sorted(deepest)


def test_derivatives_the_square_overflows_at_minus_300_and_the_exponential_at_minus_500():
    with np.errstate(over="ignore"):
        decay = np.exp(-1.702 * np.array([-300.0, -500.0]))
        assert list(np.isinf(decay)) == [False, True]
        assert np.all(np.isinf(decay**2))
        assert np.isinf(np.float64(-1e120) ** 3)


@pytest.mark.parametrize(("share", "signs"), [(0, [1]), (0.3, [1, -1]), (0.99, [1, -1]), (1, [-1])])
def test_index_between_zero_and_taylor_there_are_a_crest_and_a_trough(share, signs):
    taylor = taylor_parameters()
    found = sampled_sup_error(Form(TANH_CUBIC, {**taylor, "p3": share * taylor["p3"]}))
    assert [np.sign(extremum.error) for extremum in found.extrema] == signs


def test_taylor_orders_in_the_end_every_order_is_worse_than_the_cubic():
    """What is said of the floor Φ(−R) that the errors of high orders approach."""
    cubic, radius = (
        float(results()[id].number) for id in ("taylor-cubic-error", "artanh-erf-radius")
    )
    assert ndtr(-radius) > 1.04 * cubic


def test_minimax_the_taylor_member_touches_both_levels_of_the_line_and_is_not_the_best():
    taylor = taylor_parameters()
    level = sampled_sup_error(Form(TANH_CUBIC, taylor)).error
    x = np.linspace(-6, 6, 120_001)
    error = Form(TANH_CUBIC, taylor).error_at(x)
    assert error.max() == pytest.approx(level, rel=1e-6)
    assert error.min() == pytest.approx(-level, rel=1e-6)
    assert minimax(TANH_CUBIC, fixed=PINNED).error < 0.6 * level


def test_tanh_constant_the_taylor_coefficient_is_better_near_zero_until_the_sizes_agree():
    best = minimax(TANH_CUBIC, fixed=PINNED)
    taylor = Form(TANH_CUBIC, taylor_parameters())
    x = np.linspace(0.2, 4, 381)
    better = np.abs(taylor.error_at(x)) < np.abs(best.error_at(x))
    assert better[0]
    assert not better[x > 2].all()


def test_logistic_constant_the_best_scale_starts_above_phi_and_ends_below():
    error = minimax(LOGISTIC).error_at(np.array([0.1, 5.0]))
    assert error[0] < 0 < error[1]


def test_logistic_constant_the_local_slope_has_one_peak():
    assert len(sampled_sup_error(Form(LOGISTIC, PINNED)).extrema) == 1


def test_logistic_constant_exercise_the_local_slope_has_one_peak_because_g_crosses_0_once():
    c = sp.Symbol("c", positive=True)
    fall = c / 4 / sp.cosh(c * X / 2) ** 2
    assert sp.simplify((sp.diff(logistic(c * X), X) - fall).rewrite(sp.exp)) == 0
    g = 2 * sp.log(sp.cosh(c * X / 2)) - X**2 / 2
    bend = c**2 / 2 / sp.cosh(c * X / 2) ** 2 - 1  # it falls for x > 0, so g′ is concave
    assert g.subs(X, 0) == 0
    assert sp.simplify((sp.diff(g, X) - (c * sp.tanh(c * X / 2) - X)).rewrite(sp.exp)) == 0
    assert sp.simplify((sp.diff(g, X, 2) - bend).rewrite(sp.exp)) == 0
    kept = {c: 2 * LOCAL_SLOPE}
    assert sp.simplify(bend.subs(X, 0).subs(kept) - (4 / sp.pi - 1)) == 0
    assert abs(sp.N((c / 4).subs(kept) - phi(0), 20)) < 1e-18
    # e′ = φ(0)·(e^(−x²/2) − 1/cosh²(cx/2)) has the sign of g: e^g is the quotient of the two
    x = np.linspace(0.05, 6, 120)
    rise = numpy_function(phi(X) - fall.subs(kept))(x)
    assert np.array_equal(np.sign(rise), np.sign(numpy_function(g.subs(kept))(x)))


def test_logistic_constant_its_slope_is_a_quarter_of_the_scale():
    c = sp.Symbol("c", positive=True)
    assert sp.diff(logistic(c * X), X).subs(X, 0) == c / 4
    assert sp.solve(c / 4 - 1 / sp.sqrt(2 * sp.pi), c) == [2 * LOCAL_SLOPE]


def test_logistic_constant_the_second_peak_of_gelu_is_the_larger_with_1702():
    first, second = sampled_sup_error(Form(LOGISTIC, {"p1": LOGISTIC_SCALE}), of="GELU").extrema
    assert abs(second.error) > 2 * abs(first.error)


@pytest.mark.parametrize("network", ["transformer", "perceptron"])
def test_which_one_another_seed_moves_the_loss_more_than_another_of_the_three_forms(network):
    record = json.loads((files("gelu_lib") / "data" / "networks.json").read_text("utf-8"))
    trained, swaps = (record["networks"][network][part] for part in ("trained", "swaps"))
    losses = {form: np.array(trained[form]["loss"]) for form in ("exact", "tanh", "sigmoid")}
    luck = np.std(losses["exact"], ddof=1)
    moved = {
        pair: np.sqrt(np.mean(np.square(swaps[pair[0]][pair[1]]["loss"])))
        for pair in permutations(losses, 2)
        if pair[1] in swaps.get(pair[0], ())
    }
    least = max(moved.pop(pair) for pair in permutations(("exact", "tanh")))
    assert moved and 10 * least < min(moved.values()) and max(moved.values()) < luck
    apart = np.sqrt(np.mean((losses["exact"] - losses["tanh"]) ** 2))
    assert apart < np.sqrt(2) * luck  # two trainings with one form are this far apart


def test_every_literal_stands_in_its_statement_as_it_was_printed():
    for entry in results().values():
        if entry.status == "historical":
            fraction = entry.value.replace("11/123", r"\tfrac{11}{123}")
            assert entry.value in entry.statement or fraction in entry.statement, entry.id
