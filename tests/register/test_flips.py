"""A statement that is changed in one place is noticed; a sample of all such changes.

``tools/laboratory/flip_statements.py`` makes every one of them.
"""

import random
from dataclasses import replace
from functools import cache

import flips
import pytest
from kinds import slow_but

from gelu_lib.register import result, results

pytestmark = pytest.mark.usefixtures("known_optima")

SEED = 44715
SAMPLED = [
    "gelu-derivative-erf", "logistic-order", "form-inflection-ratio", "mills-bounds",  # symbolic
    "sigmoid-form-least-value", "mills-smallest-term", "taylor-cubic",  # proofs
    "silu-distance", "page-tail-half", "gelu-vanishes", "logistic-scale",  # certified
]  # fmt: skip
"""Entries of each kind: identities, inequalities, extrema, roots, types, coefficients."""


@pytest.mark.parametrize(
    ("kind", "tex", "expected"),
    [
        ("sign", "a - b", {"-a - b", "a + b"}),
        ("sign", "e^{-x}", {"-e^{-x}", "e^{ x}"}),
        ("sign", r"\lim_{x\to-\infty} x", {r"-\lim_{x\to-\infty} x", r"\lim_{x\to \infty} x"}),
        ("sign", r"\Phi(\pm x)", {r"-\Phi(\pm x)", r"\Phi(+ x)", r"\Phi(- x)"}),
        ("factor", "3x", {"6x", r"2\cdot 3x"}),
        ("factor", r"\tfrac12", {r"\tfrac{2}2", r"\tfrac1{4}", r"\tfrac1{1}", r"\tfrac1{\sqrt2}",
                                 r"2\cdot \tfrac12"}),
        ("factor", r"\sqrt\pi", {r" \pi", r"\sqrt{2\pi}", r"2\cdot \sqrt\pi"}),
        ("factor", r"0.044719\,x", {r"0.044718\,x", r"2\cdot 0.044719\,x"}),
        ("factor", "a_2", {r"2\cdot a_2"}),
        ("exponent", "x^2 + x^{2n} + x^*", {"x^{3} + x^{2n} + x^*", "x^2 + x^{2n + 1} + x^*"}),
        ("swap", r"\frac{x - \mu}{s}", {r"\frac{\mu - x}{s}", r"\frac{x - s}{\mu}",
                                         r"\frac{{s}}{{x - \mu}}"}),
        ("swap", "x = y", set()),
        ("swap", "p_1 x", {"x p_1"}),
        ("relation", r"a \le b < c", {r"a \ge b < c", r"a < b < c", r"a \le b > c"}),
        ("relation", r"\max_{|x|\le8} x", {r"\min_{|x|\le8} x", r"\max_{|x|\ge8} x"}),
        ("function", r"\Phi'(\sigma x)", {r"\varphi'(\sigma x)", r"\sigma'(\sigma x)",
                                          r"\Phi(\sigma x)"}),
    ],
)  # fmt: skip
def test_the_flips_of_a_formula(kind, tex, expected):
    assert {flip.tex for flip in flips.flips(tex) if flip.kind == kind} == expected


def test_every_formula_has_flips_and_one_that_no_check_sees_is_told():
    without = [
        id for id, entry in results().items() if entry.status != "historical"
        and not flips.mutants(entry)
    ]  # fmt: skip
    assert not without
    known = original("phi-at-1")
    blind = Blind(known.entry, known.said, proved=False)
    wrong = next(m for m in flips.mutants(known.entry) if m.shown == r"\Phi(-1)")
    assert flips.outcome(blind, wrong) == ("survived", "")


FALSE = "FalseStatement"
LEAST = r"\operatorname{GELU}(x^*)"
TAIL = result("tail-bounds").statement
ONE_INPUT = result("variants-one-input").statement
LARGEST = result("mills-float64-place").statement.replace(r"\min\Bigl", r"\max\Bigl")
TWICE_AS_LOW = result("gelu-minimum").statement.replace(LEAST, rf"2\cdot {LEAST}", 1)


TRIED_LONG = {
    "tail-bounds", "positive-terms-gain-nothing", "criteria-tanh-free-phi", "mills-float64-place",
}  # fmt: skip
"""The entries whose trials take seconds."""

TOO_LARGE = TAIL.replace(r"\Phi(-b)", r"2\cdot \Phi(-b)", 1)
TOO_LITTLE = TAIL.replace("b \\ge 1", "b \\ge -1")


def assumed(id, words):
    """The formula of the assumptions that has some words."""
    (found,) = (part for part in flips.parts(result(id)) if words in part)
    return found


IN_TAIL = assumed("page-tail-half", r"\iff")
WRONG_LIMIT = assumed("waissi-rossin-error", r"\lim")
AT_PEAKS = assumed("balance-theorem", r"\sup")
INCREASES = assumed("sigmoid-form-slope-sign", r"\iff")

original = cache(lambda id: flips.checked(result(id)))


def outcome(id, tex):
    (mutant,) = (m for m in flips.mutants(result(id)) if m.shown == tex)
    return flips.outcome(original(id), mutant)[0]


def is_ordinary(case):
    return case[0] not in TRIED_LONG


@pytest.mark.parametrize(
    ("id", "tex", "expected"),
    slow_but(is_ordinary, [
        ("erf-derivative", r"\operatorname{erf}'(x) = \frac{2}{\sqrt\pi}\,e^{ x^2}", "not proved"),
        ("gelu-derivative", r"\operatorname{GELU}'(x) = \Phi(x) - x\,\varphi(x)", "not proved"),
        ("phi-at-1", r"\Phi(-1)", "not proved"),
        (
            "mills-smallest-term",
            r"\frac{(2n+1)!!}{x^{2n+3}} > \frac{(2n-1)!!}{x^{2n+1}}"
            r" \quad\Longleftrightarrow\quad 2n + 1 < x^2",
            "FalseStatement",
        ),
        ("coth-fixed-point", r"\kappa = \coth\kappa, \qquad \kappa > 2\cdot 0", "same"),
        ("gelu-minimum-value", r"-\min_{x\in\mathbb{R}}\ x\,\Phi(x)", "not proved"),
        # where the sides come together, where they must not be equal, and what must be excluded
        ("gelu-minimum", TWICE_AS_LOW, FALSE),
        ("positive-terms-gain-nothing", r"r(x) = \sum_{j=2}^{-m} c_j\,x^{2j+1}", FALSE),
        ("sigmoid-slope-floor", r"c = u_*/ 2", FALSE),
        ("tails-of-the-forms", r"\sum_{j=0}^{m} (2j+2)\,a_j \ne 0", FALSE),
        ("degree-7-dip", r"-x_5 = \max\{x > 0 : |\Phi(x) - \sigma(p(x))| = E\}", FALSE),
        # a bound that is too large, and conditions that ask for too little, too much, or elsewhere
        ("tail-bounds", TOO_LARGE, FALSE),
        ("tail-bounds", TAIL.replace(r"b\,P'(b)", r"2\cdot b\,P'(b)"), FALSE),
        ("tail-bounds", TAIL.replace("P''(t)", r"P''(2\cdot t)"), FALSE),
        ("tail-bounds", TAIL.replace("- P'(t)", "- P(t)"), FALSE),
        ("tail-bounds", TOO_LITTLE, FALSE),
        ("tail-bounds", TAIL.replace("b \\ge 1", "b > 1"), FALSE),
        ("tail-bounds", TAIL.replace(r"\inf_{t\ge b} P'(t)", r"\sup_{t\ge b} P'(t)"), FALSE),
        ("tail-bounds", r"a = \sigma(2\cdot P(b))", FALSE),
        # what only assumptions say
        ("tail-ratio-slope", r"g(x) = x\,\Phi(p_1 x + p_3 x^3)", FALSE),
        ("criteria-tanh-free-phi", "-k = p_3/p_1", FALSE),
        (
            "taylor-slope",
            r"-a_j = [x^j]\,\operatorname{artanh}(\operatorname{erf}(x/\sqrt2))",
            FALSE,
        ),
        ("minimax-sigmoid-phi", r"w(-x_i)\,|r(x_i)| = E", FALSE),
        ("minimax-sigmoid-phi", r"w(x)\,|r(x)| < 2\cdot E", FALSE),
        ("minimax-sigmoid-phi", r"w(2\cdot x) \in \{1, e^{-x^2/2}\}", FALSE),
        ("alternation-theorem", r"s \in \{1, -2\}", FALSE),
        ("tanh-powers-alternation", r"x_1 < \cdots < x_{n+1} < \infty", FALSE),
        ("tanh-powers-alternation", r"x_1 < \cdots < x_{n-1} \le \infty", FALSE),
        ("balance-theorem", AT_PEAKS.replace("r_p(x_i)", r"r_p(2\cdot x_i)"), FALSE),
        ("quadratic-eight-bits", "-2^{-8}", FALSE),
        # what a reason says close to a number, on one side of which there is nothing, or besides
        ("page-tail-half", IN_TAIL.replace("0.044715", "0.044716"), FALSE),
        ("page-tail-half", IN_TAIL.replace(r"\pi}\,(y", r"y}\,(\pi"), "Untried"),
        ("waissi-rossin-error", WRONG_LIMIT.replace("0.9", "0.8"), FALSE),
        ("gelu-vanishes", "t > -1", FALSE),
        ("sigmoid-form-slope-sign", INCREASES.replace("e^s", "e^{s + 1}"), "unused"),
        # where a number is, which number was printed, and the largest of what has none
        ("variants-one-input", ONE_INPUT.replace("x = -", r"2\cdot x = -"), FALSE),
        ("hello-phi-at-1", r"\Phi(1) = 0.85", FALSE),
        ("mills-float64-place", LARGEST, "NoValue"),
        ("gelu-reflection", r"\operatorname{GELU}(x) - \Phi(-x) = x", "not proved"),
    ]),
)  # fmt: skip
def test_how_a_flip_is_noticed(id, tex, expected):
    assert outcome(id, tex) == expected


class Blind(flips.Checked):
    tried = False


def test_a_flip_that_is_proved_as_well_is_told_apart(monkeypatch):
    entry = result("tanh-pinned-error")
    said = entry.statement.replace(r"\Phi(x) - ", r"-\Phi(x) + ")
    assert said != entry.statement
    mutant = flips.Mutant(replace(entry, statement=said), "factor", "statement", said)
    assert flips.outcome(original(entry.id), mutant)[0] == "same"
    monkeypatch.setattr(flips, "same", lambda *_: False)
    assert flips.outcome(original(entry.id), mutant)[0] == "proved"


LONG = (
    "least-steps-",
    "mills-float64-place",
    "least-ulp-",
    "quadratic-",
    "bfloat16-",
    "alternation-",
    "degree-7-",
    "quintic-",
)
"""How the IDs of entries begin whose trials take long."""


def is_short(case):
    return not case[0].startswith(LONG)


REPLACED = [
    # ends of intervals, radii, exponents and conditions
    ("artanh-erf-asymptotics", r"\rho \le 4.89", r"\rho \le 48.9"),
    ("artanh-erf-asymptotics", r"$|x| \le 4.89$", r"$|x| \le 5.89$"),
    ("artanh-erf-asymptotics", r"$|x_0| \le 4.89$", r"$|x_0| \le 4.88$"),
    ("artanh-erf-radius", r"$|z| \le 3.46$", r"$|z| \le 3.56$"),
    ("sigmoid-form-vanishes", r"x \le -t", r"x \ge -t"),
    ("cube-overflows", r"|x| \ge t", r"|x| \le t"),
    ("least-steps-cubic", r"x \ge -2", r"x \ge -3"),
    ("quadratic-eight-bits", "2^{-8}", "2^{-7}"),
    ("quadratic-eight-bits", "2^{-8}", "2^{-9}"),
    ("waissi-rossin-stated", "-8 < x < 8", "-12 < x < 8"),
    ("relu-limit", "t > 0", "t < 0"),
    ("sigmoid-form-slope-sign", "s > -1", "s > 1"),
    # words that carry a claim, and what was made of them
    ("page-tail-half", r"< \tfrac12", r"> \tfrac12"),
    ("scale-1702-tail-crossing", r"> \Phi(y)", r"< \Phi(y)"),
    ("page-tail-crossing", r"y < x", r"y > x"),
    ("erf-form-vanishes", "53 in float64", "52 in float64"),
    ("erf-form-vanishes", "Two roundings", "Three roundings"),
    ("cube-overflows", "at most two floats", "at most one float"),
    ("sigmoid-slope-quotient-overflows", "at most four floats", "at most three floats"),
    ("sigmoid-slope-quotient-overflows", "beyond $-t$", r"beyond $\pm t$"),
    ("same-results-cubic", "ties to even", "ties away from 0"),
    ("minimax-sigmoid-phi", r"|r(x)| < E$", r"|r(x)| > E$"),
    ("quintic-gains-nothing", "−, +, −", "+, −, +"),
    ("degree-7-increasing-error", "at four places", "at five places"),
    ("degree-7-increasing-error", "these five", "these four"),
    ("tanh-sum-2-error", "is evidence, not proved", "is proved"),
    ("relu-distance-place", r"arg\,min", r"arg\,max"),
    ("erf-probability", r"\tfrac12", "1"),
    ("bfloat16-best-pair", "are bfloat16", "are float16"),
    # what grows far out, how many terms a sum has, and a number that no peaks make the best
    ("ibert-error-gelu", "min(|z|, 1.769)", "min(|z|, 1.768)"),
    ("mills-float64-place", "{N-1}", "{N-2}"),
    ("minimax-sigmoid-phi", "E = ", "-E = "),
    ("degree-7-dip", r"\{x > 0", r"\{2\cdot x > 0"),
    (
        "tanh-grid-coefficient",
        r"\frac{x}{\sqrt2} - \tanh\bigl(\sqrt{2/\pi}",
        r"\frac{\pi}{\sqrt2} - \tanh\bigl(\sqrt{2/x}",
    ),
    # theorems, and what was measured
    ("alternation-theorem", "n+1", "n"),
    ("alternation-any-degree", "|e_q(x)| >", "|e_q(x)| <"),
    ("last-sign-rule", "e(x_{n+1}) < 0", "e(x_{n+1}) > 0"),
    ("last-sign-rule", "e(x_{n+1}) < 0", r"e(2\cdot x_{n+1}) < 0"),
    ("last-sign-rule", r"c\,x^m)\bigr| =", r"c\,x^{m + 1})\bigr| ="),
    ("line-best-exists", "by a } p", "by a } -p"),
    ("tanh-sums-merge", r"\inf", r"\sup"),
    ("tanh-sums-merge", r"\le", "<"),
    ("interval-newton", "F(z)", "F(-z)"),
    ("interval-newton", "F(m)", "F(-m)"),
    ("interval-newton", "no singular matrix", "a singular matrix"),
    ("balance-condition", "necessary for", "sufficient for"),
    ("balance-condition", r"\sum_{i=1}^{m} \lambda_i\, s_i", r"\sum_{i=1}^{-m} \lambda_i\, s_i"),
    ("balance-condition", "(x_i)", "(-x_i)"),
    ("balance-condition", r"\lambda_i \ge 0", r"\lambda_i > 0"),
    ("balance-condition", r", and the weight is $w(x) \in \{1, e^{-x^2/2}\}$", ""),
    ("balance-condition", "are all the", "are some of the"),
    ("sign-condition", "w(x)", "w(-x)"),
    ("sign-condition", r", and the weight is $w(x) \in \{1, \varphi(x)\}$", ""),
    ("sign-condition", r"\int_{-\infty}", r"\int_{\infty}"),
    ("sign-condition", "free } p_j", "free } -p_j"),
    ("network-swap-loss", "L(g) - L(f)", "L(f) - L(g)"),
    ("network-training-tanh", "0.95", "0.99"),
    ("network-training-slope", "at least $0.8$", "at least $0.9$"),
    # the same of networks that people use: forms, constants, types, and how it is measured again
    ("real-network-swap-distance", "(g_i - f_i)^2", "(g_i + f_i)^2"),
    ("real-network-swap-distance", "record_real_networks", "record_networks"),
    ("real-network-swap-decisions", "0.975", "0.95"),
    ("real-network-sigmoid-distance", "1.702", "1.703"),
    ("real-network-sigmoid-decisions", "(1 - q)", "(1 + q)"),
    ("real-network-digits-distance", r"0.0447\,", r"0.0448\,"),
    ("real-network-digits-decisions", r"\frac{m}{n}", r"\frac{n}{m}"),
    ("real-network-rulers", "f_i^2", "g_i^2"),
    ("real-network-input-constants", "2^{-7}", "2^{-8}"),
    ("real-network-layer-constants", "$k$ is 0.044715", "$k$ is 0.0447"),
    ("real-network-layer-constants", r"\sigma\bigl(2s", r"\sigma\bigl(s"),
    ("real-network-batch", "batch of 8", "batch of 16"),
    ("real-network-batch", r"\max", r"\min"),
    ("real-network-leads", r"2\,d", "d"),
    ("real-network-leads", r"|g_j - f_j| \le d", r"|g_j - f_j| \le 2\,d"),
    # kernels: what they cost, how they are computed, and which inputs forbid a degree
    ("least-slots-bfloat16", "n + 6", "n + 5"),
    ("least-slots-tanh-error", "takes four", "takes three"),
    ("least-slots-2e-3", "0.002", "0.001"),
    ("least-degrees-exponential", r"\min(|x|, c)", r"\max(|x|, c)"),
    ("kernel-bfloat16-faithful", "$2^{-10}$", "$2^{-9}$"),
    ("kernel-bfloat16-nearest", "14", "13"),
    ("kernel-derivative-float16", "t > 0", "t < 0"),
    ("seven-inputs", "x_3 = -2.5625", "x_3 = -2.546875"),
    ("seven-inputs", r"\{0, 1, \dots, 5\}", r"\{0, 1, \dots, 6\}"),
]
"""An entry, a part of what it says, and what would be false in its place."""


@pytest.mark.parametrize(("id", "said", "false"), slow_but(is_short, REPLACED))
def test_what_is_false_in_the_place_of_a_part_is_noticed(id, said, false):
    entry = result(id)
    changed = {
        name: getattr(entry, name).replace(said, false) for name in ("statement", "assumptions")
    }
    assert changed != {"statement": entry.statement, "assumptions": entry.assumptions}
    mutant = flips.Mutant(replace(entry, **changed), "words", "assumptions", said)
    assert flips.outcome(original(id), mutant)[0] not in {*flips.LOST, "same", "narrower"}


@pytest.mark.parametrize(
    ("tex", "than", "narrower"),
    [
        ("x > 1", "x > 0", True),
        ("|x| < 1", r"|x| < \pi/2", True),
        ("c_j > 1", r"c_j \ge 0", True),
        ("x < 0", "x > 0", False),
        (r"x \ge 0", "x > 0", False),
        ("y > 1", "x > 0", False),
        ("x < 0,\\ x > 0", "x > 0", False),
        (r"R < \rho", r"\rho > 0", False),
    ],
)
def test_a_condition_that_asks_for_more(tex, than, narrower):
    assert flips.is_narrower(tex, than) is narrower


@pytest.mark.parametrize("kind", flips.KINDS)
@pytest.mark.parametrize("id", SAMPLED)
def test_a_flip_of_each_kind_is_noticed(id, kind):
    found = [m for m in flips.mutants(result(id)) if m.kind == kind and m.part == "statement"]
    random.Random(f"{SEED} {id} {kind}").shuffle(found)
    outcomes = (flips.outcome(original(id), mutant)[0] for mutant in found)
    told = next((one for one in outcomes if one not in {"same", "narrower", "proved"}), "none")
    assert told not in flips.LOST
