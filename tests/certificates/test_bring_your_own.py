"""What a reader brings: own targets, families and weights, against a program of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from types import MappingProxyType

import mpmath
import pytest
import sympy as sp
from own_levels import Own
from proofs import fails

from gelu_lib.certificates.best.certificate import certify
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.results import GLOBAL, NEARBY
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.evidence.cheapest import LIN
from gelu_lib.fits.criteria import LINE
from gelu_lib.functions.expressions import Phi, X, logistic
from gelu_lib.functions.families import (
    TANH_CUBIC,
    Family,
    Nonlinear,
    RationalFamily,
    odd_logistic,
)
from gelu_lib.functions.links import IDENTITY, even_power
from gelu_lib.functions.targets import Target


@dataclass(frozen=True)
class Brought:
    """What the library is asked, and the same for a program of its own."""

    family: object
    target: Target | str
    own: Own
    interval: tuple = LINE
    weight: sp.Expr = sp.S.One
    optimal: str = GLOBAL


def powers(p, x):
    return sum(c * x**i for i, c in enumerate(p))


def ratio(degree, p, x):
    return powers(p[: degree + 1], x) / (1 + x * powers(p[degree + 1 :], x))


def normal(m, x):
    return m.erfc(-x / m.sqrt(2)) / 2


def soft(m, x):
    return m.log(1 + m.exp(x))


def odd(weight):
    """The error of σ of an odd polynomial, as it is looked at from the left, with a weight."""
    return lambda m, x, p: weight(m, x) * (1 / (1 + m.exp(x * powers(p, x * x))) - normal(m, -x))


SOFTPLUS, BELL = sp.log(1 + sp.exp(X)), sp.exp(-(X**2) / 2)
SILU, MISH = Target(X * logistic(X)), Target(X * sp.tanh(SOFTPLUS))
LINS = Own(
    lambda m, x, p: x * (2 ** powers(p, x) - normal(m, -x)),
    (0, 12),
    (-1.0219, -1.0518, -0.5824),
)
EXACT = Target(X * Phi(X))
HALF = Target(X * Phi(X) - X / 2)
QUINTIC = (1.5957, 0.0731, -0.00046)
SEPTIC = (1.59575, 0.07276, -0.00019, -5.62e-5)

BROUGHT = {
    "GELU − x/2 by p(x²)": Brought(
        Family(IDENTITY, (1, X**2, X**4, X**6)),
        HALF,
        Own(
            lambda m, x, p: x * normal(m, x) - x / 2 - powers(p, x * x),
            (0, 4),
            (0.03, 0.31, -0.022, 0.00066),
        ),
        (-4, 4),
    ),
    "max(x, 0) − |x|·2^q": Brought(LIN, EXACT, LINS),
    "max(x, 0) − |x|·2^q, bounded": Brought(LIN, EXACT, LINS, (-12, 12)),
    "SiLU by (3, 2)": Brought(
        RationalFamily(3, 2),
        SILU,
        Own(
            lambda m, x, p: x / (1 + m.exp(-x)) - ratio(3, p, x),
            (0, 4),
            (-0.000239, 0.5058, 0.28515, 0.13342, 0.11485, 0.14945),
        ),
        (0, 4),
    ),
    "SiLU by x·(2, 2)": Brought(
        RationalFamily(2, 2, factor=X),
        SILU,
        Own(
            lambda m, x, p: x * (1 / (1 + m.exp(-x)) - ratio(2, p, x)),
            (0, 4),
            (0.50403, 0.29069, 0.13061, 0.11903, 0.14684),
        ),
        (0, 4),
    ),
    "mish by (3, 2)": Brought(
        RationalFamily(3, 2),
        MISH,
        Own(
            lambda m, x, p: x * m.tanh(soft(m, x)) - ratio(3, p, x),
            (0, 4),
            (-0.001086, 0.63163, 0.15386, 0.54343, -0.03393, 0.5679),
        ),
        (0, 4),
    ),
    "softplus by a square": Brought(
        Family(even_power(1), (1, X, X**2)),
        Target(SOFTPLUS),
        Own(lambda m, x, p: soft(m, x) - powers(p, x) ** 2, (-3, 3), (0.856, 0.28, 0.007)),
        (-3, 3),
        optimal="global among those with u > 0",
    ),
    "a quintic, fading": Brought(
        odd_logistic(5),
        "Phi",
        Own(odd(lambda m, x: m.exp(-x * x / 2)), (0, 8), QUINTIC),
        weight=BELL,
    ),
    "degree 7, fading": Brought(
        odd_logistic(7),
        "Phi",
        Own(odd(lambda m, x: m.exp(-x * x / 2)), (0, 8), SEPTIC),
        weight=BELL,
    ),
    "the cubic, 1 + x²": Brought(
        TANH_CUBIC,
        "Phi",
        Own(odd(lambda m, x: 1 + x * x), (0, 9), (1.6, 0.069)),
        weight=1 + X**2,
    ),
    "the cubic, cosh(x/4)": Brought(
        TANH_CUBIC,
        "Phi",
        Own(odd(lambda m, x: m.cosh(x / 4)), (0, 9), (1.6, 0.07)),
        weight=sp.cosh(X / 4),
    ),
}

EACH = pytest.mark.parametrize("name", BROUGHT)


@cache
def proved(name, digits=30):
    one = BROUGHT[name]
    return minimax(one.family, one.target, None, digits, one.weight, one.interval)


@EACH
def test_the_proof_and_a_program_of_its_own_agree_in_every_number(name):
    best, (parameters, error, points) = proved(name), BROUGHT[name].own.solve()
    assert best.optimal == BROUGHT[name].optimal
    found = [*best.parameters.values(), best.error, *best.points]
    for enclosed, own in zip(found, [*parameters, error, *points], strict=True):
        with mpmath.workdps(50):
            assert abs(own - mpmath.mpf(str(enclosed.lower))) <= abs(error) * mpmath.mpf(10) ** -30
        assert enclosed.rounded(30) is not None


def units(best, step):
    """Claims of ten digits that are off by a unit of the eighth, one for each parameter."""
    for name, value in best.parameters.items():
        eighth = Decimal(step).scaleb(value.lower.adjusted() - 7)
        off = Enclosure(value.lower + eighth, value.upper + eighth)
        yield replace(best, digits=10, parameters=MappingProxyType({**best.parameters, name: off}))


@EACH
@pytest.mark.parametrize("step", [1, -1])
def test_a_coefficient_that_is_off_in_its_eighth_digit_is_refused(name, step):
    best = proved(name)
    for claim in units(best, step):
        with fails("solution", "there is none in the box"):
            certify(claim, 20)
    assert certify(replace(best, digits=10), 20).error == proved(name, 20).error


def test_what_fades_admits_a_last_coefficient_that_is_negative():
    quintic, septic = (minimax(odd_logistic(n), "Phi", None, 20, BELL) for n in (5, 7))
    cubic = minimax(TANH_CUBIC, "Phi", None, 20, BELL)
    assert quintic.parameters["p5"] < 0 and septic.parameters["p7"] < 0
    assert cubic.error > 5 * quintic.error > 25 * septic.error


def test_the_same_is_best_on_the_line_and_where_the_error_is_not_larger():
    line, bounded = proved("max(x, 0) − |x|·2^q"), proved("max(x, 0) − |x|·2^q, bounded")
    assert line.parameters == bounded.parameters and line.error == bounded.error
    assert line.cover.tail is not None and bounded.cover.tail is None


def test_what_is_exact_at_0_is_worse_elsewhere_than_what_is_not():
    free, exact = proved("SiLU by (3, 2)"), proved("SiLU by x·(2, 2)")
    assert free.points[0] == Enclosure(Decimal(0), Decimal(0)) and free.error < exact.error
    assert abs(free.parameters["p0"]).rounded(25) == free.error.rounded(25)


def test_what_has_no_theorem_is_the_best_among_all_nearby():
    c = sp.Symbol("c", positive=True)
    squareplus = Nonlinear((X + sp.sqrt(X**2 + c)) / 2, {"c": 1.5})
    best = minimax(squareplus, Target(SOFTPLUS), digits=20, interval=(0, 30))
    assert best.optimal == NEARBY and best.theorem is None
    own = Own(lambda m, x, p: soft(m, x) - (x + m.sqrt(x * x + p[0])) / 2, (0, 30), (1.5238,))
    (value,), error, _ = own.solve()
    with mpmath.workdps(30):
        assert abs(value - mpmath.mpf(str(best.parameters["c"].n(20)))) < 1e-18
        assert abs(error - mpmath.mpf(str(best.error.n(20)))) < 1e-20
