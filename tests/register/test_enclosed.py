"""What is stated of a certified number is what its certificate encloses, as an object.

A room says of each certification what it encloses; the object is made of what the proof was handed.
"""

import pytest
from flips import require_enclosed
from kinds import slow_but

from gelu_lib.chapters.forms_rivals import last_place
from gelu_lib.chapters.numbers import CERTIFICATIONS
from gelu_lib.chapters.recipes import Certified, certified_error, certified_fit, parameter
from gelu_lib.derivations.meaning import statement
from gelu_lib.derivations.stated import NotStated
from gelu_lib.functions.families import LOGISTIC, PAGE, SLOPE_KEPT, TANH_CUBIC, odd_logistic
from gelu_lib.register import result

OBJECTS = [id for id, proof in CERTIFICATIONS.items() if isinstance(proof, Certified)]
WITHOUT = {
    # x is any float of a type, which is said in words; without them it would be a real number
    "same-results-cubic", "same-results-scale", "least-steps-cubic", "least-steps-scale",
    "least-ulp-cubic", "least-ulp-scale", "most-agreeing-cubic", "most-agreeing-scale",
    "same-number",
    # the least of several quotients, one for each two forms, which words name
    "variants-one-input", "variants-sixteen-bits-sigmoid",
    # the constants are of a type, or multiples of a step, in words
    "bfloat16-best-pair", "bfloat16-best-factored", "quadratic-eight-bits",
}  # fmt: skip
"""The results that are compared with their certificates by their digits alone."""


def stated(id, change=("", ""), proof=None):
    """Compare a statement, after a change of its TeX, with a certification, or with its own."""
    entry = result(id)
    assert change[0] in entry.statement + entry.assumptions
    tex, assumed = (text.replace(*change, 1) for text in (entry.statement, entry.assumptions))
    require_enclosed(entry, statement(tex, assumed), proof or CERTIFICATIONS[id])


def test_what_has_no_object_is_named_here():
    assert set(CERTIFICATIONS) - set(OBJECTS) == WITHOUT


LONG = {
    "sigmoid-slope-floor-value", "scale-1702-inflection", "relu-distance-place",
    "scale-1702-minimum-place", "page-inflection",
}  # fmt: skip
TABLES = ("criteria-", "minimax-", "tanh-sum-")
"""The beginnings of entries that are alike and compared slowly; one of each runs always."""

OF_TABLES = {"criteria-sigmoid-gelu", "minimax-tanh-free-phi", "tanh-sum-2-rate"}


def is_ordinary(id):
    return id in OF_TABLES or not (id in LONG or id.startswith(TABLES))


@pytest.mark.parametrize("id", slow_but(is_ordinary, OBJECTS))
def test_what_is_printed_is_what_is_enclosed(id):
    stated(id)


RENAMED = tuple(
    rf"{t}\to0}}\frac{{E({t}) - E_0}}{{\tfrac12\sum_{{i=1}}^{{2}} ({t} d_i)" for t in "tu"
)
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
        ("scale-1702-error-gelu", (r"x\,\Phi(x) - x\,", r"\Phi(x) - ")),
        ("scale-1702-place", ("x > 0", "x > 1")),
        ("page-error-unit-interval", (r"-1\le x\le1", r"-1\le x\le2")),
        ("page-error-unit-interval", (r"-1\le x\le1", r"-2\le x\le1")),
        ("waissi-rossin-error", (r"|x|\le8", r"|x|\le9")),
        ("waissi-rossin-error", (r"0.0418198", r"0.0418199")),
        ("hastings-error-phi", ("p|x|", "p|x|^2")),
        ("erf-ratio-pi-over-35-error", ("x>0", r"x>1")),
        ("logistic-grid-scale", (r"3.999", r"4")),
        ("degree-7-increasing-error", (r"p'(x) \ge 0", r"p'(x) \ge 1")),
        ("tanh-powers-limit-error", ("= 1", "= 2")),
        ("tanh-powers-error", ("a_5", "a_3")),
        ("tanh-powers-scaled-limit-s", ("s > 0", r"s \in \mathbb{R}")),
        ("tanh-sum-2-limit-error", ("c_0 = 1", r"c_0 \in \mathbb{R}")),
        ("tanh-sum-3-c2", (r"\partial s^2", r"\partial x^2")),
        ("criteria-sigmoid-gelu", (r"r(x)^2", r"r(x)^3")),
        ("criteria-sigmoid-gelu", (r"e^{-x^2/2}\,|r(x)|", r"e^{-x^2}\,|r(x)|")),
        ("criteria-sigmoid-gelu", (r"\int_{-\infty}^{\infty} |r(x)|", r"\int_0^{\infty} |r(x)|")),
        ("minimax-tanh-free-phi", (r"e^{-x^2/2}", r"e^{-x^2}")),
        ("minimax-tanh-free-phi", (r"\{1, e", r"\{2, e")),
        ("minimax-tanh-free-phi", (r"w(x)\,|r(x)|", r"(-w(x))\,|r(x)|")),
        ("gelu-vanishes", (r"\tfrac12", "2")),
        ("coth-fixed-point", (r"\coth", r"\tanh")),
        ("lambert-w-of-inverse-e", (r"(1/e), \qquad w\,e^w = \frac1e", r"(1), \qquad w\,e^w = 1")),
        ("page-tail-half", (r"\tfrac12", r"\tfrac13")),
        ("sigmoid-slope-scale", (r"\sqrt2", "2")),
        ("sigmoid-form-largest-slope", (r"1+\kappa", r"2+\kappa")),
        ("page-largest-slope", (r"\max_{x\in\mathbb{R}} g'", r"\max_{x\in\mathbb{R}} g''")),
        ("phi-at-1", ("(1)", "(-1)")),
        ("taylor-cubic", ("4 - ", "3 - ")),
        ("taylor-nonic-error", ("[x^j]", "[x^{j+2}]")),
        ("erfc-zero-real", (r"\operatorname{Re}", r"\operatorname{Im}")),
        ("erfc-zero-real", (r"\operatorname{erfc}(z)", r"\operatorname{erf}(z)")),
        ("erfc-zero-imaginary", (r"\operatorname{erfc}(z_1)", r"\operatorname{erfc}(-z_1)")),
        ("erfc-zero-imaginary", (r"\min", r"\max")),
        ("erfc-zero-imaginary", ("> 0", "< 0")),
        ("artanh-erf-radius", (r"\sqrt2\,", r"2\,")),
        ("artanh-erf-radius", (r"z, z_1 \in", r"z \in \mathbb{R}$ and $z_1 \in")),
        ("degree-7-dip", (r"\max", r"\min")),
        ("degree-7-dip", ("x > 0", r"x > 1")),
        ("degree-7-dip", ("= E", "= 2E")),
        ("degree-7-dip", (r"|\Phi(x) - \sigma(p(x))|", r"\Phi(x) - \sigma(p(x))")),
        ("degree-7-dip", (r"p_7 x^7$", r"p_7 x^9$")),
        ("eleven-over-123-convergent", ("2k", "3k")),
        ("eleven-over-123-convergent", ("2k", "2k + 1")),
        ("tanh-erf-distance", (r"\tanh(x)", r"\tanh(2x)")),
        ("tanh-erf-distance", (r"x\in\mathbb{R}", r"x<1")),
        ("ibert-error-gelu", ("1.769)^2", "1.768)^2")),
        ("mills-float64-place", ("t > 0", "t > 1")),
        ("mills-float64-place", (r"\le 2^{-53}", r"\le 2^{-52}")),
        ("mills-float64-place", (r"N\ge1", r"N\ge2")),
        ("mills-float64-place", ("(2n-1)!!", "(2n+1)!!")),
        ("variants-sixteen-bits-no-input", (r"{2u}", r"{4u}")),
        ("variants-sixteen-bits-no-input", (r"\max", r"\min")),
        ("variants-sixteen-bits-no-input", ("0.044715", "0.044714")),
        ("ibert-error-gelu", (r"\min(|z|", r"\max(|z|")),
        ("ibert-error-gelu", (r"\operatorname{sgn}(z)", r"(-\operatorname{sgn}(z))")),
        ("tanh-sum-2-rate", (r"t\to0", r"t\to1")),
        ("tanh-sum-2-rate", (r"\tfrac12\sum", r"\sum")),
        ("tanh-sum-2-rate", ("d_1 + d_2", "d_1 - d_2")),
        ("tanh-sum-2-rate", ("d_1 + d_2 = 0", "d_1 + d_2 = 1")),
        ("tanh-sum-2-rate", (r"a_i\tanh((s + t", r"a_i\tanh((s + 2t")),
        ("tanh-sum-2-limit-rate", ("c_0 = 1", "c_0 = 2")),
        ("tanh-sum-2-limit-rate", ("a_1 + a_2 = 1", "a_1 + a_2 = 2")),
        ("tanh-sum-3-rate", (r"c_2\tfrac{\partial^2}", r"c_2 \tanh sx \tfrac{\partial^2}")),
    ],
)  # fmt: skip
def test_another_quantity_is_refused(id, change):
    with pytest.raises(NotStated):
        stated(id, change)


@pytest.mark.parametrize(
    ("id", "proof"),
    [
        ("tanh-pinned-error", certified_fit(TANH_CUBIC, "GELU", SLOPE_KEPT, parameter("p3"))),
        ("tanh-pinned-cubic", certified_fit(TANH_CUBIC, "Phi", SLOPE_KEPT, parameter("p3"))),
        ("tanh-free-linear", certified_fit(TANH_CUBIC, "Phi", SLOPE_KEPT, parameter("p1"))),
        ("logistic-scale", certified_fit(TANH_CUBIC, "Phi", {"p3": 0.1}, parameter("p1"))),
        ("page-error-phi", certified_error(TANH_CUBIC, PAGE, "GELU")),
        ("scale-1702-error-phi", certified_error(LOGISTIC, {"p1": 1.702}, "Phi")),  # a float
        ("degree-7-dip", last_place(odd_logistic(7), "GELU")),
        ("tanh-sum-3-rate", CERTIFICATIONS["tanh-sum-2-rate"]),
        ("tanh-sum-2-limit-rate", CERTIFICATIONS["tanh-sum-2-limit-gelu-rate"]),
        ("tanh-sum-2-rate", CERTIFICATIONS["tanh-sum-2-limit-rate"]),
    ],
)
def test_another_certificate_is_refused(id, proof):
    with pytest.raises(NotStated):
        stated(id, proof=proof)


def test_a_name_that_stands_for_another_number_is_refused(monkeypatch):
    monkeypatch.setitem(CERTIFICATIONS, "tanh-pinned-cubic", CERTIFICATIONS["tanh-gelu-cubic"])
    with pytest.raises(NotStated):
        stated("eleven-over-123-convergent")


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("tanh-pinned-error", (r"\Phi(x) - " + FIT, FIT + r" - \Phi(x)")),
        ("tanh-pinned-error", (FIT, FIT.replace("k", "2k"))),
        ("tanh-gelu-cubic", (r"x\,\Phi(x) - x\," + FIT, rf"x\,\bigl(\Phi(x) - {FIT}\bigr)")),
        ("scale-1702-error-phi", (r"x\in\mathbb{R}", "x>0")),
        ("scale-1702-error-phi", (r"\sigma(1.702\,x)", r"\tfrac12(1 + \tanh(0.851\,x))")),
        ("page-minimum-value", (r"x\,\sigma", r"x \cdot \sigma")),
        ("tanh-sum-2-rate", RENAMED),
        ("degree-7-dip", (r"\Phi(x) - \sigma(p(x))", r"\sigma(p(x)) - \Phi(x)")),
    ],
)
def test_the_same_quantity_in_other_words_is_known(id, change):
    stated(id, change)
