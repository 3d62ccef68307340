"""Where a form is a given multiple of GELU, left of 0: what is proved, and what is refused."""

import mpmath
import pytest
import sympy as sp
from sympy import Rational

from gelu_lib import TANH_CUBIC, Form, odd_logistic, result, sigmoid_form, tanh_form
from gelu_lib.certificates.engine.enclosures import Function
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts import tail_ratios
from gelu_lib.certificates.facts.tail_ratios import place
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.register import agreeing_digits

TANH, SIGMOID = tanh_form(), sigmoid_form()


def cubic(p1, p3):
    return Form(TANH_CUBIC, {"p1": p1, "p3": p3})


@pytest.mark.parametrize(
    ("form", "ratio"), [(TANH, 1), (TANH, "0.01"), (SIGMOID, 1), (SIGMOID, 99)]
)
def test_a_place_has_the_ratio_between_its_ends(form, ratio):
    found = place(form, ratio, 30)
    with mpmath.workdps(60):
        exact = (form.parameters.get(name, sp.S.Zero) for name in ("p1", "p3"))
        p1, p3 = (mpmath.mpmathify(sp.N(value, 60)) for value in exact)
        ends = [mpmath.mpf(str(end)) for end in (found.lower, found.upper)]
        ratios = [1 / (1 + mpmath.exp(-p1 * x - p3 * x**3)) / mpmath.ncdf(x) for x in ends]
        assert (ratios[0] < ratios[1]) == bool(p3)
        assert min(ratios) < mpmath.mpf(ratio) < max(ratios)


def test_the_ratio_of_another_constant_is_elsewhere():
    other = tanh_form("0.04472")
    found = place(other, 1, 20).rounded(15)
    assert agreeing_digits(str(found), result("page-tail-crossing").value) < 5


@pytest.mark.parametrize(
    ("form", "ratio", "step"),
    [
        (TANH, 2, "claim"),  # never met
        (SIGMOID, Rational(1, 2), "claim"),
        (SIGMOID, Rational(98, 100), "claim"),  # met twice
        (TANH, Rational(1001, 1000), "claim"),  # met twice
        (TANH, "1e-9", "claim"),  # met left of −8
        (cubic(Rational(8, 5), Rational(1, 14)), 1, "claim"),  # starts on the other side
        (SIGMOID, Rational(998, 1000), "bound"),  # met a first time next to 0
        (cubic("1.62", "0.067"), "0.982", "bound"),  # not monotone from 7/8 of the place on
        (cubic(9, "0.001"), Rational(1, 2), "tail"),  # the ratio rises beyond −8
    ],
)
def test_a_place_that_is_not_proved_is_refused(form, ratio, step):
    with pytest.raises(CertificationError) as caught:
        place(form, ratio)
    assert caught.value.step == step


def test_each_step_of_the_proof_can_fail():
    (p1, p3), scale = TANH.parameters.values(), SIGMOID.parameters["p1"]
    gap = Function(TANH.expression.subs(X, -X) - Phi(-X))
    tail_ratios._prove_gap(p1, sp.S.One, gap, 1, 1.5)
    with pytest.raises(CertificationError, match=r"bound: a sign is not shown near x = 1\.88"):
        tail_ratios._prove_gap(p1, sp.S.One, gap, 1, 2.0)
    with pytest.raises(CertificationError, match="bound: a sign is not shown close to x = 0"):
        tail_ratios._prove_gap(p1, sp.S.One, gap, -1, 1.5)
    tail_ratios._prove_monotone(p1, p3, 1, 1.75)
    with pytest.raises(CertificationError, match="bound: a sign is not shown near x = 1"):
        tail_ratios._prove_monotone(p1, p3, 1, 1.0)
    with pytest.raises(CertificationError, match="bound: a sign is not shown"):
        tail_ratios._prove_monotone(scale, sp.S.Zero, 1, 1.75)
    tail_ratios._prove_beyond(p1, p3)
    with pytest.raises(CertificationError, match="tail: the ratio is not shown to fall"):
        tail_ratios._prove_beyond(sp.S.One, Rational(1, 1000))
    tail_ratios._prove_beyond(sp.Integer(8), sp.S.Zero)
    with pytest.raises(CertificationError, match="tail: p1 = 9 is greater than the end"):
        tail_ratios._prove_beyond(sp.Integer(9), sp.S.Zero)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: place(cubic(0, 1), 1), "p1 = 0 and p3 = 1; accepted are p1 > 0 and p3 >= 0"),
        (lambda: place(cubic(1, -1), 1), "p1 = 1 and p3 = -1"),
        (
            lambda: place(Form(odd_logistic((1, 5)), {"p1": 1, "p5": 1}), 1),
            "a member of LOGISTIC or",
        ),
        (lambda: place(TANH, 0), "ratio is 0; accepted is a positive number"),
        (lambda: place(TANH, 1, 0), "digits is 0; accepted is a positive integer"),
    ],
)
def test_bad_arguments_of_the_ratios_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_is_no_form_is_refused():
    with pytest.raises(TypeError, match=r"form is 1\.702; accepted is a Form"):
        place(1.702, 1)
