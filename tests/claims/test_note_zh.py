"""The statements of the note in Chinese: the split integral, both approximations, both searches."""

import said_by_several as several
import sympy as sp
from deciding_claims import begins, ends, equal, less, lines_of, registered, rounded
from said_by_several import BELL, END, GAUSS, A, B, C, erf_taylor, tanh_taylor
from sympy import Integral, Rational, erf, oo, pi, sqrt, tanh

from gelu_lib.derivations.identities.symbols import S, U
from gelu_lib.derivations.notation import BernoulliMean
from gelu_lib.functions.expressions import GELU, LOCAL_SLOPE, Phi, T, X, logistic
from gelu_lib.functions.series import local_match


def test_zh_regulariser(holds):
    assert holds is lines_of("gelu-expectation", BernoulliMean(X, Phi(X)), GELU(X))


def test_zh_definition(holds):
    assert holds is (
        several.gelu_is_x_times_phi() and several.phi_is_the_standard_normal_probability()
    )


def test_zh_split_first(holds):
    split = Integral(BELL.subs(T, U), (U, -oo, 0)) + Integral(BELL, (T, 0, X))
    rest = Integral(GAUSS, (S, 0, END))
    assert holds is lines_of(
        "phi-erf-split-first",
        Integral(BELL, (T, -oo, X)) / sqrt(2 * pi),
        split / sqrt(2 * pi),
        (sqrt(pi / 2) + sqrt(2) * rest) / sqrt(2 * pi),
        Rational(1, 2) + rest / sqrt(pi),
        (1 + erf(END)) / 2,
    )


# ------------------------------------------------------------------ the local fit

ERF_TERMS = {1: sqrt(2 / pi), 3: -1 / (3 * sqrt(2 * pi))}
TANH_TERMS = {1: A, 3: -(A**3 - 3 * B) / 3}


def test_zh_erf_terms(holds):
    assert holds is begins(ERF_TERMS, erf_taylor, 4)


def test_zh_erf_remainder(holds):
    """A remainder o(x⁵) would mean that there is no term with x⁵."""
    assert holds is begins(ERF_TERMS, erf_taylor, 5)
    assert begins(ERF_TERMS, erf_taylor, 4)


def test_zh_tanh_terms(holds):
    assert holds is begins(TANH_TERMS, tanh_taylor, 4)


def test_zh_tanh_remainder(holds):
    assert holds is begins(TANH_TERMS, tanh_taylor, 5)
    assert begins(TANH_TERMS, tanh_taylor, 4)


def test_zh_local_coefficients(holds):
    slope, b = local_match(3).coefficients
    first = 2 * sqrt(2) / (3 * pi ** Rational(3, 2)) - 1 / (3 * sqrt(2 * pi))
    second = sqrt(2 / pi) * (2 / (3 * pi) - Rational(1, 6))
    assert holds is (equal(slope, sqrt(2 / pi)) and equal(b, first, second))


def test_zh_range(holds):
    """Beyond 4 no error exceeds what one of the functions is short of 1 there."""
    cubic, scale = (Rational(str(ends(id)[0])) for id in ("tanh-pinned-cubic", "logistic-scale"))
    inner = LOCAL_SLOPE * (4 + cubic * 4**3)  # constants rounded down: 1 − tanh is not smaller
    tanh_error = registered("tanh-pinned-error", times=sp.Integer(2))
    of_tanh = less(1 - erf(4 / sqrt(2)), tanh_error) and less(1 - tanh(inner), tanh_error)
    error = "logistic-scale-error"
    assert holds is (of_tanh and less(Phi(-4), error) and less(logistic(-4 * scale), error))


def test_zh_min_over_b(holds):
    difference = Phi(X) - logistic(C * X)
    assert holds is (difference.diff(B) != 0)
    assert not equal(difference.diff(C), 0)


def test_zh_best_for_gelu(rounds):
    assert rounds is (
        rounded("note-zh-cubic", "tanh-pinned-cubic") and rounded("note-zh-scale", "logistic-scale")
    )
    assert less(registered("criteria-tanh-pinned-gelu", "sup, error"), "page-error-gelu")
    assert less(registered("criteria-sigmoid-gelu", "sup, error"), "scale-1702-error-gelu")
