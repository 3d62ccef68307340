"""What the chapters say in words, and no cell of theirs computes."""

import json
from importlib.resources import files
from itertools import permutations

import numpy as np
import pytest
import sympy as sp
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import sampled_sup_error
from reader import prose, word_count
from scipy.special import ndtr

from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE
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
