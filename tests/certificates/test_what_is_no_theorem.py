"""Problems for which a rule almost holds: what it would say is false, and must not be said."""

import pytest
import sympy as sp
from flint import arb
from proofs import fails
from sympy import Rational, oo

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.sup_errors import certified_sup_error, prove_error_below
from gelu_lib.certificates.engine.decay import bound_beyond
from gelu_lib.certificates.engine.suprema import real_root
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import LOGISTIC, Family, Nonlinear, RationalFamily
from gelu_lib.functions.forms import Form
from gelu_lib.functions.links import EXP2, IDENTITY, Link, U, V, even_power
from gelu_lib.functions.targets import Target

A, B = sp.symbols("a b", real=True)
BUMP = sp.exp(-((X - 205) ** 2))
"""A bump far out, between the samples: only a proof notices it."""


def largest(form, target, **problem):
    return certified_sup_error(form, target, digits=None, **problem)


def test_a_power_does_not_outweigh_an_exponential_that_grows():
    rising = sp.exp(X / 1000)
    with fails("tail", "may grow"):
        bound_beyond(rising, 1.0, -2)
    assert bound_beyond(1 / rising, 1.0, -2) <= 1
    with fails("tail"):
        largest(sp.S.Zero, Target(rising / X**2), interval=(1, oo))


def test_a_power_with_x_in_its_exponent_has_a_slope():
    family, bumpy = Family(EXP2, (1, X)), 2 ** (400 * BUMP) * sp.exp(-X)
    with fails("tail"):
        largest(Form(family, {"p0": 0, "p1": -1}), Target(bumpy), interval=(0, oo))
    with fails("tail"):
        minimax(family, Target(2 ** (400 * BUMP) * sp.exp(-(X**2) / 2)), digits=5, interval=(0, oo))
    halves = largest(Form(family, {"p0": -1, "p1": -1}), Target(2**-X), interval=(0, oo))
    assert "0.5" in halves.error


def test_what_is_known_of_the_derivative_of_gelu_is_not_said_of_another():
    bumpy = Target(Phi(X) + BUMP - BUMP.xreplace({X: -X}), factor=X, derivative=True)
    assert float(largest(Form(LOGISTIC, {"p1": "1.7"}), bumpy)) > 175
    with fails("tail", "nothing is known of"):
        minimax(LOGISTIC, bumpy, digits=5)


def test_errors_of_a_derivative_need_not_alternate():
    parabola = Target(sp.S.One, factor=X**2 - X, derivative=True)
    there = {"interval": (Rational(1, 10), Rational(9, 10))}
    found = largest(Form(RationalFamily(0, 0), {"p0": 0}), parabola, **there)
    assert "0.8" in found.error and found.least is None  # with p0 = 1 there is no error at all


def test_a_square_may_have_a_negative_root():
    square = Form(Family(even_power(1), (1, X)), {"p0": "0.7", "p1": "0.01"})
    assert largest(square, Target(X**2), interval=(-1, 1)).least is None  # (0 + 1·x)² is x²
    line = Form(Family(IDENTITY, (1, X)), {"p0": "0.5", "p1": 0})
    assert largest(line, Target(X**2), interval=(-1, 1)).least is not None


def test_a_link_has_its_range_only_where_it_is_used():
    bounded = Link(1 - sp.exp(-U), -sp.log(1 - V), lowest=0)
    dip = {"p0": 203**2 - 9, "p1": -406, "p2": 1}  # u is −9 at 203
    form = Form(Family(bounded, (1, X, X**2)), dip)
    found = largest(form, Target(0 * X), weight=1 / (1 + X), interval=(0, oo))
    assert float(found) > 39


def test_all_terms_of_a_polynomial_link_count_far_out():
    root = sp.sqrt(81 * V**2 + 12)
    cubic = Link(U**3 + U, sp.cbrt((9 * V + root) / 18) - sp.cbrt((root - 9 * V) / 18))
    member = Form(Family(cubic, (1,)), {"p0": "0.01"})
    found = certified_sup_error(member, Target(0 * X), 5, weight=1 / (1 + X), interval=(0, oo))
    assert found.cover.tail > Rational(1, 100) / (1 + Rational(found.cover.end))


@pytest.mark.parametrize("value", [sp.atan(-1 / U), sp.atan(U - 1 / U), U + sp.atan(sp.tan(U))])
def test_a_link_has_no_jump(value):
    inverse = {sp.atan(-1 / U): -1 / sp.tan(V)}.get(value, V)
    with pytest.raises(ValueError, match=r"value is .*, which is not shown to"):
        Link(value, inverse)


def test_the_order_of_rough_values_is_that_of_the_parameters():
    one, other = (Nonlinear(A + B * X, dict.fromkeys(names, 1)) for names in ("ab", "ba"))
    assert one != other
    sizes = [
        float(largest(Form(f, {"a": 5, "b": 1}), Target(0 * X), interval=(0, 1)))
        for f in (one, other)
    ]
    assert sizes == pytest.approx([6, 6])


def test_two_parameters_of_one_name_are_refused():
    positive = sp.Symbol("a", positive=True)
    for expression, name in ((A * X + positive, "a"), (sp.Symbol("x") * X, "x")):
        with pytest.raises(ValueError, match="must be the symbols of"):
            Nonlinear(expression, {name: 1})


def test_a_weight_is_positive_up_to_the_exact_end():
    tenth = Rational(1, 10)
    below = X - tenth - Rational(1, 10**18)  # negative at 1/10, positive at the float 0.1
    with pytest.raises(ValueError, match="not shown to be positive on the interval"):
        minimax(LOGISTIC, digits=5, weight=below, interval=(tenth, 2))


def test_a_root_has_a_slope_and_a_constant_its_power():
    assert sp.diff(real_root(X), X) == 1 / (2 * real_root(X))
    found = certified_sup_error(sp.S.Zero, Target(sp.sqrt(X)), 5, interval=(0, 4))
    assert arb(2).overlaps(found.error.ball)
    member = Form(Family(EXP2, (1,)), {"p0": Rational(6, 7)})
    assert "1.8114" < str(largest(member, Target(0 * X), interval=(0, 1)).error.upper) < "1.8115"


@pytest.mark.parametrize("terms", [(0, X), (sp.I, X), (1, 1 / X), (1, sp.log(X))])
def test_terms_that_are_not_defined_are_refused(terms):
    with pytest.raises(ValueError, match=r"term.*(other than 0|must be|is not finite)"):
        minimax(Family(IDENTITY, terms), Target(sp.exp(X)), interval=(0, 2))


def test_what_is_proved_to_be_below_a_bound_is_not_said_to_be_above_it():
    found = prove_error_below(Form(LOGISTIC, {"p1": "1.702"}), "0.02").error
    assert (str(found.lower), str(found.upper)) == ("0", "0.02")


@pytest.mark.parametrize(
    "function", [sp.I * X, sp.zoo, sp.nan, sp.oo, sp.DiracDelta(X), sp.KroneckerDelta(X, 0)]
)
def test_what_is_no_real_function_is_no_target(function):
    with pytest.raises(ValueError, match="function must be an expression in X alone"):
        Target(function)
