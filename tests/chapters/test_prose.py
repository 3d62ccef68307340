"""What the chapters say in words, and no cell of theirs computes."""

import json
import re
from fractions import Fraction
from importlib.resources import files
from itertools import permutations

import numpy as np
import pytest
import sympy as sp
from extrema import extrema
from reader import prose, table, word_count
from scipy.special import expit, ndtr
from write_teach import STORY

from gelu_lib import certified_sup_error
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE
from gelu_lib.functions.families import PAGE, TANH_CUBIC, WrongLimitError
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import local_match
from gelu_lib.register import results

PINNED = {"p1": 2 * LOCAL_SLOPE}


@pytest.mark.parametrize("chapter", STORY)
def test_a_page_of_the_story_has_at_most_1200_words(chapter):
    assert 600 < word_count(prose(chapter)) <= 1200


def test_each_page_of_the_path_leads_to_the_next_one():
    for step, chapter in enumerate(("index", *STORY[:-1]), 1):
        (way,) = re.findall(r"^\*\*Next on the path\*\* (.*)", prose(chapter), re.MULTILINE)
        assert re.match(rf"\({step} of 5\): \[[^]]+\]\({STORY[step - 1]}\.ipynb\)\.? \S", way)
    assert len(STORY) == 5 and "Next on the path" not in prose(STORY[-1])


def test_words_are_counted_and_literals_are_printed_as_they_stand():
    text = "One [word](a b c.md) and $x + y$ `two`\n```\nno\n```\n<details>\nnot this\n</details>"
    assert word_count(text) == 4
    for entry in results().values():
        if entry.status == "historical":
            fraction = entry.value.replace("11/123", r"\tfrac{11}{123}")
            assert entry.value in entry.statement or fraction in entry.statement, entry.id


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ("*After this page you can*\n\n- compute it,\n- prove it,\n- decide.", 0),
        ("*After this page you can*\n\n- compute it.\n\nThree more words.", 3),
        ("<!-- level-the-peaks -->\n*The web version has a slider here.*", 0),
        ("<!-- a remark --> of two", 2),
        (
            '<a id="x"></a>**Exercise 1** (code, ★).\nDo.\n\n- twice\n\n**Exercise 2.** Why?',
            0,
        ),
        ("**Exercise 1.** Why?\n\n## One", 1),
        ("**Exercise 1.** Why?\n\n<details>\nso\n</details>\n\n**Next on** the path", 4),
        ("An **Exercise** is counted", 4),
    ],
)
def test_what_stands_beside_the_text_is_not_counted(beside, words):
    assert word_count(f"One two.\n\n{beside}\n") == 2 + words
    assert word_count(f"{beside}\n\n## One two\n") == 2 + words


def number(id):
    """A number of the register with all its digits."""
    return sp.Rational(results()[id].number)


def taylor_parameters():
    """The tanh form with the Taylor coefficient, as a member of the cubic family."""
    return dict(zip(("p1", "p3"), (2 * a for a in local_match(3).coefficients), strict=True))


def test_where_exponentials_overflow_and_which_peak_is_the_larger():
    with np.errstate(over="ignore"):
        decay = np.exp(-1.702 * np.array([-300.0, -500.0]))
        assert list(np.isinf(decay)) == [False, True]
        assert np.all(np.isinf(decay**2))
        assert np.isinf(np.float64(-1e120) ** 3)
    (_, first), (_, second) = extrema({"p1": LOGISTIC_SCALE}, "GELU")
    assert abs(second) > 2 * abs(first)


@pytest.mark.parametrize(("share", "signs"), [(0, [1]), (0.3, [1, -1]), (0.99, [1, -1]), (1, [-1])])
def test_index_between_zero_and_taylor_there_are_a_crest_and_a_trough(share, signs):
    taylor = taylor_parameters()
    found = extrema({**taylor, "p3": share * taylor["p3"]})
    assert [np.sign(error) for _, error in found] == signs


def test_on_the_way_to_the_best_coefficient_what_the_taylor_member_is_worth():
    # What is said of the floor Φ(−R) that the errors of high orders approach.
    cubic, radius = (
        float(results()[id].number) for id in ("taylor-cubic-error", "artanh-erf-radius")
    )
    assert ndtr(-radius) > 1.04 * cubic
    taylor = taylor_parameters()
    level = float(certified_sup_error(Form(TANH_CUBIC, taylor)))
    x = np.linspace(-6, 6, 120_001)
    error = Form(TANH_CUBIC, taylor).error_at(x)
    assert error.max() == pytest.approx(level, rel=1e-6)
    assert error.min() == pytest.approx(-level, rel=1e-6)
    assert minimax(TANH_CUBIC, fixed=PINNED).error < 0.6 * level
    best = minimax(TANH_CUBIC, fixed=PINNED)
    taylor = Form(TANH_CUBIC, taylor_parameters())
    x = np.linspace(0.2, 4, 381)
    better = np.abs(taylor.error_at(x)) < np.abs(best.error_at(x))
    assert better[0]
    assert not better[x > 2].all()


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


def test_minimax_the_heights_of_the_rivals_are_those_of_their_peaks():
    pair = minimax(TANH_CUBIC)
    moved = {"p1": Fraction("0.9992"), "p3": Fraction("1.0055")}  # as the notebook has them
    moved = {name: pair.parameters[name] * float(by) for name, by in moved.items()}
    forms = {"imagined": (0.6, PAGE), "real": (1, moved)}
    for name, _, *printed in table("minimax", "rival"):
        factor, parameters = forms[name]
        peaks = [error for _, error in extrema(parameters)]
        exact = [factor * peak / float(pair.error) for peak in (max(peaks), min(peaks))]
        assert [f"{x:#.4g}".replace("-", "−") for x in exact] == printed


def test_balance_at_the_slope_1_8_the_best_cubic_coefficient_is_0_and_does_not_balance():
    (found,) = certified_sup_error(Form(TANH_CUBIC, {"p1": "1.8", "p3": 0}), "Phi", 10).points
    peak = float(found.rounded(10))
    kept, more, less = (ndtr(peak) - expit(1.8 * peak + p3 * peak**3) for p3 in (0.0, 1e-6, -1e-6))
    assert more < kept < less < 0  # a larger p3 raises the peak, a smaller one would lower it
    assert "with $p_1 = 1.8$ kept, the best $p_3$ is 0" in prose("balance")
    with pytest.raises(WrongLimitError):
        certified_sup_error(Form(TANH_CUBIC, {"p1": "1.8", "p3": "-1e-6"}), "Phi", 5)
