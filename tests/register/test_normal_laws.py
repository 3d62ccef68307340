"""The normal law for which 0.044715 is best: by quadrature in floats, and what is refused."""

import numpy as np
import pytest
from flint import arb, ctx
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, ndtr
from sympy import Rational

from gelu_lib.certificates.engine.balls import number
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence import normal_laws
from gelu_lib.functions.expressions import PAGE_CUBIC
from gelu_lib.precision import PROOF_BITS
from gelu_lib.register import results

SLOPE = 2 * np.sqrt(2 / np.pi)


def mean(power, deviation, k):
    """Half the mean of error² and its slope by k, for the powers 0 and 1, in floats."""

    def product(x):
        inner = expit(-SLOPE * (x + k * x**3))
        error = x * (ndtr(-x) - inner)
        last = error if power == 0 else SLOPE * x**4 * inner * (1 - inner)
        return np.exp(-((x / deviation) ** 2) / 2) * error * last

    return quad(product, 0, 20, epsabs=1e-17, epsrel=1e-12, limit=400)[0]


def test_the_crossing_is_that_of_a_quadrature_and_the_law_prefers_this_constant():
    proved = normal_laws.deviation(PAGE_CUBIC, 12)
    found = brentq(lambda deviation: mean(1, deviation, 0.044715), 1, 3, xtol=1e-13)
    assert found == pytest.approx(float(proved), rel=1e-10)
    best = minimize_scalar(
        lambda k: 1e9 * mean(0, found, k),
        bounds=(0, 0.1),
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert best.x == pytest.approx(0.044715, abs=1e-7)
    narrow, wide = (
        brentq(lambda k, t=t: mean(1, t, k), 0.0445, 0.0456, xtol=1e-13) for t in (0.02, 500)
    )
    assert narrow == pytest.approx((4 - np.pi) / (6 * np.pi), rel=1e-5)
    flat = float(results()["criteria-tanh-pinned-gelu"].numbers["L2, k"])
    assert wide == pytest.approx(flat, rel=1e-6)


def test_a_smaller_constant_has_a_wider_law():
    digits = [normal_laws.deviation(Rational(k), 8) for k in ("0.0448", "0.044715", "0.0446")]
    assert digits[0] < digits[1] < digits[2]


@pytest.mark.parametrize("cubic", ["0.0444", "0.0455403"])
def test_a_constant_beyond_the_limits_is_best_for_no_normal_law(cubic):
    with pytest.raises(CertificationError):
        normal_laws.deviation(Rational(cubic), 8)


@pytest.mark.parametrize(
    ("top", "message"), [(Rational("0.045"), "sign"), (Rational("0.2"), "convex")]
)
def test_each_part_of_the_proof_refuses_a_wrong_end(monkeypatch, top, message):
    monkeypatch.setattr(normal_laws, "TOP", top)
    with ctx.workprec(PROOF_BITS), pytest.raises(CertificationError, match=message):
        normal_laws._prove_one_crossing(number(PAGE_CUBIC))
        normal_laws._prove_convex(arb("0.1635"))
