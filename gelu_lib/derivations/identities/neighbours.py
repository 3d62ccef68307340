"""The random input, moments, the (μ, σ) family and SiLU: identities about GELU's neighbours."""

from __future__ import annotations

from sympy import Expr, Integral, Limit, Symbol, exp, oo, pi, sqrt

from gelu_lib.derivations.chain import Derivation, Known
from gelu_lib.derivations.identities import identity
from gelu_lib.derivations.identities.phi_erf import (
    gaussian_half_line,
    gelu_reflection,
    phi_reflection,
)
from gelu_lib.derivations.identities.symbols import SCALE, S, U
from gelu_lib.derivations.notation import BernoulliMean, ordered_product, ordered_sum
from gelu_lib.derivations.rules import (
    Algebra,
    Antiderivative,
    Definition,
    Limits,
    Split,
    Substitution,
)
from gelu_lib.functions.expressions import GELU, Phi, X, logistic, phi

_MEAN = Symbol("mu", real=True)
_DEVIATION = Symbol("sigma", positive=True)


@identity
def gelu_variance() -> Derivation:
    """The variance of x·B is x²Φ(x)Φ(−x): the mean of the square, less the square of the mean."""
    square = BernoulliMean(X, Phi(X)) ** 2
    terms = [
        ordered_product(X**2, 1, Phi(X)),
        ordered_product(X**2, 0, 1 - Phi(X)),
        -((X * Phi(X)) ** 2),
    ]
    return (
        Derivation("gelu-variance", ordered_sum(BernoulliMean(X**2, Phi(X)), -square))
        .step(Definition(BernoulliMean), ordered_sum(*terms), "the two values of $B$")
        .step(Algebra(), ordered_product(X**2, Phi(X), 1 - Phi(X)))
        .step(Known(phi_reflection()), ordered_product(X**2, Phi(X), Phi(-X)))
    )


def _normal_mean(of: Expr) -> Integral:
    """The mean of a function of x, whose law is the standard normal one."""
    return Integral(of * phi(X), (X, -oo, oo))


def _bells(weight: Expr, *parts: tuple[Symbol, Expr, Expr]) -> Expr:
    """The weighted sum of integrals of exp(−t²), each over its part of the line."""
    integrals = [Integral(exp(-(part[0] ** 2)), part) for part in parts]
    return ordered_product(weight, ordered_sum(*integrals))


@identity
def gelu_normal_mean() -> Derivation:
    """The mean of GELU at standard normal inputs is 1/(2√π): by parts, with xφ = −φ′."""
    weight = 1 / (2 * pi)
    return (
        Derivation("gelu-normal-mean", _normal_mean(GELU(X)))
        .step(Definition(GELU), _normal_mean(X * Phi(X)))
        .step(Antiderivative(X, -Phi(X) * phi(X)), _normal_mean(phi(X)))
        .step(Definition(phi), _bells(weight, (X, -oo, oo)))
        .step(Split(X, 0), _bells(weight, (S, -oo, 0), (U, 0, oo)))
        .step(Substitution(U, -S), _bells(2 * weight, (S, -oo, 0)))
        .step(Known(gaussian_half_line()), 1 / (2 * sqrt(pi)))
    )


@identity
def gelu_mu_sigma() -> Derivation:
    """The mean of x·B is xΦ((x − μ)/σ) if B is 1 with probability Φ((x − μ)/σ), else 0."""
    kept = Phi((X - _MEAN) / _DEVIATION)
    return (
        Derivation("gelu-mu-sigma", BernoulliMean(X, kept))
        .step(Definition(BernoulliMean), X * kept, "the two values of $B$")
    )  # fmt: skip


@identity
def gelu_scaling() -> Derivation:
    """xΦ(x/σ) = σ·GELU(x/σ)."""
    ratio = X / _DEVIATION
    return (
        Derivation("gelu-scaling", X * Phi(ratio))
        .step(Algebra(), ordered_product(_DEVIATION, ordered_product(ratio, Phi(ratio))))
        .step(Definition(GELU), ordered_product(_DEVIATION, GELU(ratio)))
    )


@identity
def gelu_asymptotes() -> Derivation:
    """GELU(x) tends to 0 as x → −∞, and x − GELU(x) to 0 as x → ∞."""
    return (
        Derivation("gelu-asymptotes", Limit(GELU(X), X, -oo))
        .step(Definition(GELU), Limit(X * Phi(X), X, -oo))
        .step(Limits(), 0, r"$\Phi$ vanishes faster than any power")
        .then(ordered_sum(X, -GELU(X)))
        .step(Known(gelu_reflection()), -GELU(-X))
        .then(Limit(-GELU(-X), X, oo))
        .step(Definition(GELU), Limit(X * Phi(-X), X, oo))
        .step(Limits(), 0, r"$\Phi$ vanishes faster than any power")
    )


@identity
def silu_rescaling() -> Derivation:
    """xσ(cx) = (1/c)·cx·σ(cx): the sigmoid form is SiLU in another unit."""
    inner = ordered_product(SCALE, X)
    rescaled = ordered_product(1 / SCALE, ordered_product(inner, logistic(inner)))
    return (
        Derivation("silu-rescaling", ordered_product(X, logistic(inner)))
        .step(Algebra(), rescaled, "times $c/c$")
    )  # fmt: skip
