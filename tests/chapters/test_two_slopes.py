"""The slopes of the V of Φ, and what the constants between two optima cost, by other routes."""

from itertools import pairwise

import mpmath
import pytest
import sympy as sp
from reader import Session, glued

from gelu_lib import TANH_CUBIC, certified_sup_error, minimax, result, tanh_form
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.families import SLOPE_KEPT

STEP = sp.Rational(1, 10**8)


def largest(k, of="Phi"):
    return certified_sup_error(tanh_form(k), of, digits=25).error.middle


@pytest.mark.parametrize(("arm", "side"), [("crest", -1), ("trough", 1)])
def test_the_v_has_the_slopes_that_the_chapter_states(arm, side):
    k, least = (sp.Rational(result(f"tanh-pinned-{part}").number) for part in ("cubic", "error"))
    shown = {name: glued("tanh-constant")[f"rate-at-the-{name}"] for name in ("crest", "trough")}
    slope = float((largest(k + side * STEP) - least) / STEP)
    assert f"{slope:.5f}" == shown.pop(arm)
    assert f"{slope:.5f}" not in shown.values()  # the arms differ


def test_between_the_two_optima_one_error_grows_and_the_other_falls():
    ends = [float(minimax(TANH_CUBIC, of, SLOPE_KEPT).k) for of in ("GELU", "GELU_derivative")]
    found = {}
    with mpmath.workdps(30):
        for n in range(-1, 5):
            k = mpmath.mpf(ends[0]) + (ends[1] - ends[0]) * mpmath.mpf(n) / 3

            def error(x, k=k):
                u = mpmath.sqrt(2 / mpmath.pi) * (x + k * x**3)
                return x * (mpmath.ncdf(x) - (1 + mpmath.tanh(u)) / 2)

            grid = [mpmath.mpf(i) / 50 for i in range(1, 250)]
            slopes = (mpmath.diff(error, x) for x in grid)
            found[n] = max(abs(error(x)) for x in grid), max(map(abs, slopes))
    assert all(found[n][0] < found[n + 1][0] for n in range(4))
    assert all(found[n][1] > found[n + 1][1] for n in range(-1, 3))
    assert found[-1][0] > found[0][0] and found[4][1] > found[3][1]  # both grow beyond


@pytest.mark.slow
def test_the_proof_of_the_front_is_refused_beyond_its_end():
    end = "np.linspace(0.0437, 0.04547418, 46)"
    with pytest.raises(CertificationError):
        Session("criteria", {end: end.replace("0.04547418", "0.0475")})


def test_what_the_chapter_says_of_the_even_constant_and_of_the_printed_one():
    said = glued("criteria")
    kept = ("GELU", "GELU_derivative")
    least = [minimax(TANH_CUBIC, of, SLOPE_KEPT, digits=10).error for of in kept]
    for k, percents in (
        (said["even-constant"], ["even-percent"] * 2),
        ("0.044715", ["value-percent", "slope-percent"]),
    ):
        for of, low, name in zip(kept, least, percents, strict=True):
            more = 100 * (float(largest(sp.Rational(k), of)) / float(low) - 1)
            assert f"{more:.2g}" == said[name]
    assert all(a < b for a, b in pairwise((said["front-from"], "0.044715", said["front-to"])))
