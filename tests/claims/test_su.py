"""The statements of Su's post: the forms, the local, the global and the mixed fit."""

import said_by_several as several
import sympy as sp
from deciding_claims import (
    N,
    begins,
    below,
    closer,
    equal,
    less,
    lines_of,
    positive,
    registered,
    rounded,
    within,
)
from said_by_several import END, A, B, C, erf_taylor, tanh_taylor
from sympy import Rational, erf, exp, pi, sin, sqrt, tan, tanh

from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.series import local_match


def odd(*functions):
    return all(equal(function.subs(X, -X), -function) for function in functions)


def test_su_definition(holds):
    by_erf = lines_of("phi-erf", Phi(X), (1 + erf(END)) / 2)
    assert holds is (several.gelu_is_x_times_phi() and by_erf)


def test_su_odd_functions(holds):
    assert holds is odd(X ** (2 * N + 1), sin(X), tan(X), tanh(X), sin(X + X**3))


def test_su_tanh(holds):
    f = tanh(X).rewrite(exp)
    assert holds is (odd(f) and positive(f.diff(X)) and positive(1 - f) and positive(1 + f))


def test_su_tanh_resembles(holds):
    """They differ by less than a tenth: up to 8 by intervals, beyond as both are close to 1."""
    far, tenth = sp.Integer(8), Rational(1, 10)
    beyond = less(1 - erf(far), tenth) and less(1 - tanh(far), tenth)
    assert holds is (below(tanh(X) - erf(X), tenth, 0, far) and beyond)


def test_su_candidates(holds):
    d, e, f = sp.symbols("d e f", real=True)
    sum_of_powers = A * tanh(X) + B * tanh(X) ** 3 + C * tanh(X) ** 5
    sum_of_scales = A * tanh(B * X) + C * tanh(d * X) + e * tanh(f * X)
    assert holds is odd(tanh(A * X + B * X**3 + C * X**5), sum_of_powers, sum_of_scales)


def test_su_residual(holds):
    printed = {1: sqrt(2 / pi) - A, 3: A**3 / 3 - B - 1 / (3 * sqrt(2 * pi))}
    assert holds is begins(printed, lambda k: erf_taylor(k) - tanh_taylor(k), 4)


def test_su_local_solution(holds):
    slope, b = local_match(3).coefficients
    printed = (4 - pi) / (3 * sqrt(2) * pi ** Rational(3, 2))
    assert holds is (equal(sqrt(2 / pi), slope) and equal(printed, b))


def test_su_weights(holds):
    plain, gaussian = (
        registered("criteria-tanh-pinned-phi", name) for name in ("L2, k", "Gaussian L2, k")
    )
    assert holds is less(plain, gaussian)


def test_su_no_weight(rounds):
    assert rounds is rounded("page-cubic", "tanh-gelu-cubic")
    assert rounded("page-cubic", "tanh-pinned-cubic")


def test_su_best_for_gelu(holds):
    assert holds is closer("su-cubic", "tanh-pinned-cubic", "tanh-gelu-cubic")
    assert less(registered("criteria-tanh-pinned-gelu", "sup, error"), "page-error-gelu")


def test_su_scale_optimum(holds):
    """It is as near to the optimum as the grid allows: next to a crest the error falls off by the
    square of the distance, here of half a step."""
    near = within("su-scale", "logistic-scale", Rational("0.0005") ** 2)
    assert holds is (near and not rounded("su-scale", "logistic-scale"))
