"""Every displayed formula of the chapters that no cell made is read back and tried in numbers.

``displayed.toml`` says what its letters are. A formula that cannot be tried is listed there with
the reason; ``tests/shared/displayed.py`` says how the formulas are found.
"""

from dataclasses import replace

import numpy as np
import pytest
from displayed import (
    BOOK,
    FIELDS,
    LIBRARY,
    Displayed,
    closed,
    displayed,
    flipped,
    formulas,
    identity,
    inline,
    is_tried,
    notes,
    outcome,
    reading,
    texts,
    tried,
)
from flint import arb
from kinds import slow_but
from quantities_values import NoValue, value
from sympy import Function, Symbol
from trials import FalseStatement, Untried, check

from gelu_lib.derivations.meaning import statement
from gelu_lib.functions.expressions import X
from gelu_lib.functions.forms import FORMS
from gelu_lib.provenance.atlas.classical import approximations
from gelu_lib.provenance.callables.tolerances import PAIRS, margins, tolerance

pytestmark = pytest.mark.usefixtures("known_optima")

TRIED = [id for id, note in notes().items() if is_tried(note)]
REFUSED = (FalseStatement, NoValue, Untried, ValueError)  # a ReadingError is a ValueError
SAME = {  # with these signs flipped a formula says nothing false
    "mills-series": [r"(-1)^{N+1}"],
    "right-constant-bound": [r"+ \frac32", r"+ 3\ln"],  # which make the bound larger
    "artanh-erf-pole": [r"- \cdots"],  # a rest has no sign
    "minimax-problem": [r"- p_3"],  # of all parameters
    "mean-of-gelu": [r"\mu - \sigma z"],  # z has a symmetric law
    "mean-of-gelu-squared": [r"\mu - \sigma z"],
    "artanh-erf-recurrence": [r"\sum_{m=0}^{n+1}"],  # s has no further terms
    "artanh-erf-asymptotics": [r"- O(\rho^{-j})", r"O(\rho^{+j})"],
}
LONG = {
    "poles-taken-out", "erf-termwise", "minimax-problem", "tanh-series", "artanh-erf-asymptotics",
    "artanh-erf-recurrence", "artanh-erf-pole",
}  # fmt: skip
"""The formulas that take long to evaluate, which are tried at night."""

OF_EACH_LENGTH = slow_but(lambda id: id not in LONG, TRIED)


def test_each_displayed_formula_is_tried_or_listed_with_the_reason():
    assert set(notes()) == set(formulas())
    assert set(LIBRARY) <= set(formulas())
    for id, note in notes().items():
        assert set(note) <= FIELDS, id
        for alone in {"compared", "untried"} & set(note):
            assert set(note) == {alone}, id
            assert note[alone].strip(), id
        assert callable(globals()[note.get("compared", "tried")]), id


@pytest.mark.parametrize("id", OF_EACH_LENGTH)
def test_a_displayed_formula_holds(id):
    assert tried(id, reading(formulas()[id], notes()[id]), notes()[id]) > 0


@pytest.mark.parametrize("id", OF_EACH_LENGTH)
def test_a_flipped_sign_is_noticed(id):
    formula, note = formulas()[id], notes()[id]
    for tex in flipped(formula.tex):
        if not any(part in tex for part in SAME.get(id, ())):
            with pytest.raises(REFUSED):
                tried(id, reading(replace(formula, tex=tex), note), note)


def test_the_tolerance_and_the_margin_are_those_of_the_library():
    allowed = tolerance("float16")
    symbols = (Symbol(name, real=True) for name in "ras")
    parts = (allowed.relative, allowed.absolute, allowed.underflow)
    given = {symbol: arb(part) for symbol, part in zip(symbols, parts, strict=True)}
    forms = {name: lambda x, form=form: form.subs(X, x) for name, form in FORMS.items()}

    def width(form):
        names = {"tauV": Function("tau"), "V": form}
        return lambda x: said("tolerance-of-a-form", names).sides[1].subs(X, x)

    def said(id, names):
        (claim,) = statement(formulas()[id].tex.replace(r"\min_{V \ne W}\ ", ""), "", names).claims
        return claim

    for x in (-9.5, -3.5, -0.25, 1.0, 30.0):
        at, here = {**given, X: arb(x)}, np.array([x])
        for form in forms.values():
            expected = allowed.at(here, np.array([float(value(form(X), at))]))
            assert float(value(width(form)(X), at)) == pytest.approx(expected[0], rel=1e-12)
        found = []
        for one, other in PAIRS:
            names = {"V": forms[one], "tauV": width(forms[one])}
            names |= {"W": forms[other], "tauW": width(forms[other])}
            claim = said("witness-condition", {**names, "m": Function("m")})
            assert claim.signs == ("=", ">")
            assert claim.sides[2] == 1
            found.append(float(value(claim.sides[1], at)))
        expected = min(map(float, np.concatenate(list(margins(here, allowed).values()))))
        assert min(found) == pytest.approx(expected, rel=1e-9)


def test_lins_formula_as_gelu_is_that_of_the_data():
    (claim,) = statement(formulas()["lin-as-gelu"].tex.rstrip("."), "").claims
    assert claim.signs == ("≈",)
    upper = approximations()["lin-1989"].upper
    for x in (-6.5, -1.0, 0.0, 0.25, 3.0):
        expected = max(x, 0) - abs(x) * float(upper.subs(X, abs(x)))
        assert float(value(claim.sides[1], {X: arb(x)})) == pytest.approx(expected, rel=1e-12)


def test_displayed_formulas_are_found_in_each_spelling():
    text = r"""
One $x = 1$ in a line, and
```{math}
:label: first
x = 1
```
then <a id="equation-second"></a>

$$
y = 2
$$

> <a id="equation-third"></a>
>
> $$z = 3$$

and $$z = 4$$ and \begin{align*} u &= 4 \end{align*} and `$$no$$` so."""
    found = displayed(text)
    assert [(one.id, one.tex) for one in found[:-1]] == [
        ("first", "x = 1"),
        ("second", "y = 2"),
        ("third", "z = 3"),
        ("z = 4", "z = 4"),
    ]
    assert found[-1].tex == r"\begin{align*} u &= 4 \end{align*}"
    assert inline(text) == ["x = 1"]


def test_a_note_that_the_formula_does_not_bear_out_is_refused_and_flips_are_told():
    with pytest.raises(ValueError, match="does not have"):
        reading(Displayed("some", "", "x = 1"), {"reads": {r"\cdots": "2"}})
    tex = formulas()["tanh-form"].tex.replace("x^3", "x^5")
    with pytest.raises(FalseStatement):
        tried("tanh-form", tex, notes()["tanh-form"])
    tex = formulas()["tanh-form"].tex.replace(r"\hat\Phi", r"\hat\varphi")
    with pytest.raises(ValueError, match="does not have hatPhi"):
        tried("tanh-form", tex, notes()["tanh-form"])
    tex = formulas()["quadratic-form"].tex.replace(r"\hat\Phi(x)", r"\hat\sigma(x)", 1)
    with pytest.raises(ValueError, match="defines hatsigma"):
        tried("quadratic-form", tex, notes()["quadratic-form"])
    formula, note = formulas()["gelu-definition"], notes()["gelu-definition"]
    assert outcome(formula, note, formula.tex) == ("same", "")
    assert outcome(formula, note, "-" + formula.tex)[0] in {"FalseStatement", "NoValue"}


@pytest.mark.parametrize("tex", [r"\tanh^{-1}(x)", r"\int_0^x t^2"])
def test_what_may_mean_two_things_is_refused(tex):
    with pytest.raises(ValueError, match=r"may be its inverse|without its differential"):
        statement(f"y = {tex}")


def test_equations_in_the_lines_hold_or_are_conditions():
    found = {tex: closed(tex) for _, text in texts(BOOK) for tex in inline(text)}
    compared = [check(claim, {}, None) for claim in found.values() if claim is not None]
    assert len(compared) > 0
    assert closed("x = 1") is None
    with pytest.raises(FalseStatement):
        check(closed(r"\sqrt\pi/(2\pi) = 1/\sqrt\pi"), {}, None)
    found = {tex: identity(tex) for _, text in texts(BOOK) for tex in inline(text)}
    assert {tex for tex, holds in found.items() if holds is False} == CONDITIONS
    identities = [tex for tex, holds in found.items() if holds]
    assert len(identities) > 20
    assert not any(identity(tex) for one in identities for tex in flipped(one))


CONDITIONS = {
    r"e = \Phi - \hat\Phi", r"e = \Phi - \sigma(cx)", "e = -E",
    r"\Phi(x^*) = -x^*\varphi(x^*)",
    r"\tfrac c4 = \varphi(0)", r"a_1^2 = 2/\pi",
    r"\tanh u = \operatorname{erf}(x/\sqrt2)",
    r"q - p = d_3x^3 + c_5x^5 = x^3(d_3 + c_5x^2)", "q - p = d_j x^j", "q - p = d_1 x + d_3 x^3",
    r"p - p_1x = x^3(p_3 - \delta u + \varepsilon u^2)",
    r"e - e_q = w\,\bigl(\sigma(q) - \sigma(p)\bigr)",
    r"x\,(e - e_q) = x\,(\sigma(q) - \sigma(p))", r"x_2^2 = \lambda x_1^2 + (1 - \lambda)\,x_3^2",
    r"\Phi(x) = 2^{-(d+3)}", r"\sigma(2u) = 2^{-(d+3)}", r"2u = -(d+3)\ln 2",
    r"-x_0^{-j} - \bar x_0^{-j} = -2R^{-j}\cos j\theta",
    "(1 - f^2)\\,y'' - 2f f' y' = (1 - f^2)(y'' - 2f y'^2)",
}  # fmt: skip
"""The equations of the lines that do not hold for all values: each defines, or is a condition."""


@pytest.mark.parametrize(
    ("tex", "expected"),
    [(r"\sigma(-u) = 1 - \sigma(u)", True), (r"\sigma(u) = 1 - \sigma(u)", False),
     ("x = y^2", None), (r"\Phi(x) > 0", None), (r"f(x) = x^2", None), ("2 = 3", None)],
)  # fmt: skip
def test_an_identity_is_told_from_what_may_be_a_definition(tex, expected):
    assert identity(tex) is expected
