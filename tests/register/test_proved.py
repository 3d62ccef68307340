"""What a statement says is what is proved: one that is changed gives another number, or none."""

from dataclasses import replace
from functools import cache

import pytest
from flips import require_proved
from stated import NotStated

from gelu_lib.derivations.meaning import statement
from gelu_lib.evidence.kinds import AtRoot, ClosedForm, FormCrossing, OfBest, OfLargest
from gelu_lib.evidence.proved import CERTIFICATIONS, FUNCTIONS, READ, WRITTEN_OUT, proof
from gelu_lib.evidence.stated import NotRead, read_statement
from gelu_lib.register import result


def asked(id, change=("", ""), where=None):
    """Require that a statement, after a change of its TeX, asks for the number of its entry."""
    entry = result(id)
    assert change[0] in entry.statement + entry.assumptions
    tex, assumed = (text.replace(*change, 1) for text in (entry.statement, entry.assumptions))
    entry = replace(entry, where=entry.where if where is None else where)
    require_proved(entry, statement(tex, assumed))


@cache
def readable(id):
    try:
        proof(id)
    except NotRead:
        return False
    return True


def test_every_proved_number_is_read_or_has_a_function_and_none_both():
    assert set(CERTIFICATIONS) == set(FUNCTIONS) | set(READ) and not set(FUNCTIONS) & set(READ)
    assert all(map(readable, READ))
    kinds = {type(proof(id)) for id in READ}
    assert kinds == {AtRoot, ClosedForm, FormCrossing, OfBest, OfLargest}
    assert {result(id).status for id in WRITTEN_OUT} == {"proof"}
    assert {id for id in FUNCTIONS if readable(id)} == IN_WORDS


IN_WORDS = {"bfloat16-best-pair"}
"""Results whose formula says less than the words beside it, which limit the constants to a type."""


FIT = r"\sigma\bigl(2\sqrt{2/\pi}\,(x + k x^3)\bigr)"


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("tanh-pinned-error", (r"\Phi(x)", r"\sigma(2x)")),  # another target
        ("tanh-pinned-error", (FIT, FIT.replace("x^3", "x^5"))),  # another family
        ("tanh-pinned-error", (r"\min_{k}", r"\max_{k}")),
        ("tanh-pinned-error", (r"\sup", r"\inf")),
        ("tanh-pinned-error", (r"E =", r"E <")),
        ("tanh-pinned-error", (r"E =", r"2E =")),
        ("tanh-pinned-error", (r"\in\mathbb{R}", r">0, x<3")),  # another interval
        ("tanh-pinned-cubic", (r"2\sqrt{2/\pi}", r"\sqrt{2/\pi}")),  # another fixed coefficient
        ("tanh-pinned-cubic", (r"x + k x^3", r"x + 2 k x^3")),  # another unit of what is stated
        ("tanh-free-linear", (r"p_1 \text{ of }", r"p_3 \text{ of }")),
        ("tanh-free-linear", (r"p_3 x^3", r"x^3")),
        ("tanh-free-linear", (r"p_3 x^3", r"p_3 x^2")),
        ("scale-1702-error-gelu", (r"x\,\Phi(x) - x\,", r"\Phi(x) - ")),
        ("scale-1702-place", ("x > 0", "x > 1")),
        ("scale-1702-error-phi", ("1.702", "1.703")),
        ("tanh-powers-limit-error", ("= 1", "= 2")),
        ("tanh-powers-error", ("a_5", "a_3")),
        ("tanh-powers-scaled-limit-s", ("s > 0", r"s \in \mathbb{R}")),
        ("tanh-sum-2-limit-error", ("c_0 = 1", r"c_0 \in \mathbb{R}")),
        ("tanh-sum-3-c2", (r"\partial s^2", r"\partial x^2")),
        ("coth-fixed-point", (r"\coth", r"\tanh")),
        ("coth-fixed-point", (r"\kappa > 0", r"\kappa < 0")),
        ("lambert-w-of-inverse-e", ("(1/e)", "(1)")),
        ("page-tail-half", (r"\tfrac12", r"\tfrac13")),
        ("page-tail-half", ("x < 0", "x > 0")),
        ("sigmoid-slope-scale", (r"\sqrt2", "2")),
        ("sigmoid-slope-scale", ("(u_*/2) = 2", "(u_*/2) = 3")),
        ("sigmoid-form-largest-slope", (r"1+\kappa", r"2+\kappa")),
        ("page-minimum-value", (r"\min", r"\max")),
        ("page-smallest-slope", (r"\min", r"\max")),
        ("page-minimum-place", (r"x\,\sigma", r"\Phi(x)\,\sigma")),  # of another shape
        ("page-minimum-place", ("0.044715", "(-0.044715)")),
        ("relu-distance-place", ("x > 0", "x < 0")),
        ("phi-at-1", ("(1)", "(-1)")),
        ("taylor-cubic", ("4 - ", "3 - ")),
        ("taylor-nonic-error", ("[x^j]", "[x^{j+2}]")),
        ("taylor-nonic-error", (r"= [x^j]\,\operatorname{artanh}", r"= [x^j]\,\tanh")),
        ("eleven-over-123-convergent", ("2k", "3k")),
        ("eleven-over-123-convergent", ("2k", "2k + 1")),
        ("tanh-erf-distance", (r"\tanh(x)", r"\tanh(2x)")),
        ("tanh-erf-distance", (r"x\in\mathbb{R}", r"x<1")),
    ],
)  # fmt: skip
def test_another_quantity_gives_another_number_or_none(id, change):
    with pytest.raises((NotRead, NotStated)):
        asked(id, change)


def test_another_number_in_a_name_is_refused_and_digits_follow_from_the_statement():
    with pytest.raises(NotStated):
        asked("eleven-over-123-convergent", where={"k": "tanh-gelu-cubic"})
    entry = result("scale-1702-error-phi")
    own, other = (
        read_statement(statement(entry.statement.replace("1.702", scale)), {})(20)[""]
        for scale in ("1.702", "1.703")
    )
    assert entry.value in own and entry.value not in other


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("tanh-pinned-error", (r"\Phi(x) - " + FIT, FIT + r" - \Phi(x)")),
        ("tanh-pinned-error", (r"2\sqrt{2/\pi}", r"\sqrt{8/\pi}")),
        ("tanh-gelu-cubic", (r"x\,\Phi(x) - x\," + FIT, rf"x\,\bigl(\Phi(x) - {FIT}\bigr)")),
        ("scale-1702-error-phi", (r"\sigma(1.702\,x)", r"\tfrac12(1 + \tanh(0.851\,x))")),
        ("page-minimum-value", (r"x\,\sigma", r"x \cdot \sigma")),
        ("taylor-cubic", (r"\frac{4 - \pi}{6\pi}", r"\frac{2}{3\pi} - \frac16")),
    ],
)
def test_the_same_quantity_in_other_words_is_known(id, change):
    asked(id, change)


@pytest.mark.parametrize(
    "tex",
    [
        r"\max_{x\in\mathbb{R}} |\Phi(x) - \operatorname{erf}(x)|",
        r"\max_{x\in\mathbb{R}} x\,e^{-x^2}",  # of another shape
        r"x^2 - 3x + 2 = 0, \qquad x > 0",  # two roots
        r"\min_{p_1}\ \sup_{x\in\mathbb{R}} 2\,|\Phi(x) - \sigma(p_1 x)|\,e^{-x^2}",
        r"\Phi(x)",
        r"\Phi(1) > 0",
    ],
)
def test_what_nothing_proves_is_not_read(tex):
    with pytest.raises(NotRead):
        read_statement(statement(tex), {})
