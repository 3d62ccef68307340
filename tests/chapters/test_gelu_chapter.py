"""The chapter gelu: the random input, the (μ, σ) family, ReLU as a limit, SiLU as a neighbour."""

import numpy as np
from scipy.special import ndtr

from gelu_lib.activations import gelu
from gelu_lib.derivations.identities.neighbours import gelu_variance
from gelu_lib.derivations.notation import BernoulliMean, tex
from gelu_lib.functions.expressions import Phi, X

# the random input


def test_what_a_mean_and_a_variance_do():
    x = np.array([-1.0, 0.5, 0.999, 1.001, 2.0])
    np.testing.assert_allclose(x * ndtr((x - 1) / 1e-5), [0, 0, 0, 1.001, 2], atol=1e-300)
    x = np.array([-2.0, -1.001, -0.999, 2.0])
    np.testing.assert_allclose(x * ndtr((x + 1) / 1e-5), [0, 0, -0.999, 2], atol=1e-300)
    x = np.linspace(-8, 8, 16_001)
    dips = [(x * ndtr(x - mu)).min() for mu in (-1, 0, 0.5, 1, 2)]
    assert dips == sorted(dips) and dips[-1] < 0
    assert np.all((x * ndtr(x - 1) < gelu(x))[(x > 0) & (x < 6)])
    assert gelu(x).min() < 4 * (x * ndtr(x - 1)).min() < 0
    assert tex(BernoulliMean(X, Phi(X)) ** 2) == r"(\mathbb{E}[x B_{\Phi(x)}])^{2}"
    assert tex(Phi(X) ** 2) == r"\Phi^{2}(x)"
    x = np.array([-3.0, -2.0, -0.1, 0.1, 2.0])
    ratio = np.sqrt(np.array([float(gelu_variance().end.subs(X, v)) for v in x])) / abs(gelu(x))
    np.testing.assert_array_equal(ratio > 1, x < 0)
    assert np.all(np.diff(ratio) < 0)
    x = np.linspace(-5, 5, 1001)
    for sigma in (10.0, 1000.0):
        difference = np.abs(x * ndtr(x / sigma) - x / 2)
        assert np.all(difference <= x**2 / (sigma * np.sqrt(2 * np.pi)) + 1e-15)
        assert sigma * ndtr(1) - sigma / 2 > 0.3 * sigma
