"""What the chapter forms says in words, and what its figures show."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.special import ndtr

from gelu_lib import figures
from gelu_lib.bands import minimax_on_line
from gelu_lib.families import LOGISTIC, TANH_CUBIC, Family, odd_logistic
from gelu_lib.fits import minimax
from gelu_lib.functions import LOCAL_SLOPE, X, numpy_function
from gelu_lib.register import result
from gelu_lib.rivals import merged_tanh_sum, minimax_tanh, slope_and_growth, tanh_powers

matplotlib.use("svg")
PINNED = {"p1": 2 * LOCAL_SLOPE}


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def number(id):
    return float(result(id).number)


def errors_of_rivals(of):
    """The errors of the rival forms by their number of free parameters."""
    best = {}
    for limit_one in (True,) if of == "GELU" else (True, False):
        for count in (1, 2, 3):
            forms = [merged_tanh_sum(count, limit_one=limit_one)]
            if count > 1 or not limit_one:
                forms.append(tanh_powers((1, 3, 5)[:count], limit_one=limit_one))
            if count > 1:
                forms.append(tanh_powers((1, 3, 5)[:count], scaled=True, limit_one=limit_one))
            for form in forms:
                error = float(minimax_tanh(form, of).error)
                best.setdefault(len(form.symbols), []).append(error)
    return {count: min(errors) for count, errors in best.items()}


@pytest.mark.parametrize("of", ["Phi", "GELU"])
def test_a_rival_wins_at_one_parameter_and_nowhere_else(of):
    rivals = errors_of_rivals(of)
    assert rivals[1] < float(minimax(LOGISTIC, of).error)
    assert rivals[1] > 5 * float(minimax(TANH_CUBIC, of, PINNED).error)
    ours = {2: TANH_CUBIC, 3: TANH_CUBIC, 4: odd_logistic(7)}
    for count, family in ours.items():
        if count in rivals:
            assert float(minimax_on_line(family, of).error) < rivals[count]


def test_powers_with_the_limit_free_overshoot_1_and_stay_there():
    fit = minimax_tanh(tanh_powers((1, 3, 5)))
    assert sum(map(float, fit.parameters.values())) > 1
    assert fit.extrema[-1][1] == -1


def test_the_fifth_power_gains_almost_nothing_with_the_limit_1():
    ratio = number("tanh-powers-limit-error") / number("tanh-powers-two-limit-error")
    assert 0.95 < ratio < 1


def test_the_free_scale_makes_powers_much_better():
    assert number("tanh-powers-scaled-limit-error") < number("tanh-powers-limit-error") / 5


def test_merged_forms_with_the_limit_1_exceed_1_and_fall_again():
    for count in (2, 3):
        fit = minimax_tanh(merged_tanh_sum(count, limit_one=True))
        values = map(float, fit.parameters.values())
        g = numpy_function(fit.form.expression, X, *fit.form.symbols)(
            np.linspace(0, 15, 301), *values
        )
        assert g.max() > 1
        assert not slope_and_growth(fit.form, fit.parameters)[1]


def test_the_dip_is_where_phi_is_1_in_double_precision():
    assert ndtr(number("degree-7-dip")) == 1


def test_try_it_another_sparse_family_dips_again_and_is_close_to_degree_7():
    fit = minimax_on_line(Family((1, 3, 5, 9)))
    assert fit.extrema[-1][0] > 10
    seven, sparse = number("degree-7-error"), number("sparse-error")
    assert abs(float(fit.error) - seven) < abs(float(fit.error) - sparse)


def test_exercise_the_signs_with_the_slope_kept():
    assert [sign for _, sign in minimax(TANH_CUBIC, fixed=PINNED).extrema] == [1, -1]


def test_exercise_the_best_pair_of_powers_increases():
    cubed = float(minimax_tanh(tanh_powers((1, 3), limit_one=True)).parameters["a2"])
    assert -0.5 <= cubed <= 1
    form = tanh_powers((1, 3), limit_one=True)
    for a, grows in ((-0.5, True), (1.0, True), (-0.51, False), (1.01, False)):
        assert slope_and_growth(form, {"a2": a})[1] == grows


def test_exercise_a_small_seventh_coefficient_keeps_the_polynomial_positive():
    u = np.linspace(0, 1e4, 100_001)
    for delta in (1e-3, 1e-2):
        assert np.all(0.07 - delta * u + 1.001 * delta**2 / (4 * 0.07) * u**2 > 0)
        assert np.any(0.07 - delta * u + 0.99 * delta**2 / (4 * 0.07) * u**2 < 0)


def test_the_errors_are_drawn_at_their_numbers_of_parameters():
    drawn = figures.errors_by_parameters(
        {1: 1e-2, 2: 1e-4},
        {"rival": ({1: 1e-3}, {2: 2e-3}), "other": ({1: 3e-3},)},
        {"mark": (2, 1e-5)},
    )
    assert set(drawn.curves) == {
        "σ(odd polynomial)",
        "rival, limit 1",
        "rival, limit free",
        "other, limit 1",
    }
    np.testing.assert_array_equal(drawn.curves["rival, limit free"][0], [2])
    np.testing.assert_array_equal(drawn.points["mark"][1], [1e-5])


def test_every_found_sum_is_drawn_with_its_scales_in_one_heap():
    for count, drawn in figures.searched_sums({2: 2e-3, 3: 7e-4}).items():
        scales, errors = drawn.points["found"]
        sums = scales.reshape(-1, count)
        assert len(errors) == len(scales)
        assert np.median(np.ptp(sums, axis=1)) < 0.1


def test_log_odds_are_those_of_the_forms():
    cubic = minimax(TANH_CUBIC).parameters
    fit = minimax_tanh(tanh_powers((1, 3, 5), limit_one=True))
    drawn = figures.log_odds({"cubic": {1: cubic["p1"], 3: cubic["p3"]}}, {"powers": fit})
    x, phi = drawn.curves["Φ"]
    np.testing.assert_allclose(1 / (1 + np.exp(-phi)), ndtr(x), rtol=1e-12)
    near = x < 3
    assert np.max(np.abs(drawn.curves["cubic"][1] - phi)[near]) < 0.2
    far, powers = drawn.curves["powers"]
    slope = np.diff(powers[far > 5]) / np.diff(far[far > 5])
    np.testing.assert_allclose(slope, 2, atol=1e-2)
