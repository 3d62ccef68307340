"""What the register prints is read back, and tried in numbers.

Every statement and every formula of its assumptions is in the book's notation. Every statement is
tried: at seeded points, at its optimum, against its digits; or its entry says why no trial can.
"""

import re
from functools import cache

import pytest
import trials
from kinds import slow_but
from points import Untried

from gelu_lib.derivations.meaning import statement
from gelu_lib.derivations.reading import ReadingError
from gelu_lib.register import Result, results

pytestmark = pytest.mark.usefixtures("known_optima")

FALSE = "It does not hold as it was printed, and the trial refutes it"
TRIED = [id for id, entry in results().items() if not entry.untried]
SLOW = {
    "taylor-nonic-error", "taylor-order-15-error", "mills-float64-place", "tail-bounds",
    "positive-terms-gain-nothing", "quadratic-eight-bits", "bfloat16-best-pair",
    "bfloat16-best-factored", "tanh-grid-coefficient", "degree-7-gelu-error",
    "degree-9-gelu-error", "degree-7-increasing-error", "sparse-gelu-error", "logistic-variance",
    "hastings-error-phi", "hastings-error-gelu", "bowling-printed-error-phi",
    "erf-ratio-taylor-error", "erf-ratio-11-over-123-error", "erf-ratio-pi-over-35-error",
    "form-shape", "taylor-cubic-error", "logistic-mean", "tanh-series", "mills-truncation",
    "quintic-gains-nothing", "tails-of-the-forms", "tanh-powers-scaled-limit-error",
    "tanh-powers-limit-gelu-error", "page-error-gelu-derivative", "degree-9-error",
    "alternation-theorem", "tanh-powers-alternation",
    "sparse-error", "same-results-scale", "degree-7-error", "tanh-powers-scaled-limit-s",
    "alternation-any-degree", "balance-theorem", "tanh-sums-merge", "tanh-powers-error",
    "artanh-erf-asymptotics",
}  # fmt: skip
"""Those whose trials take longest, where shorter ones of their kind are tried in every run."""

SLOW_KINDS = (
    "criteria-", "minimax-", "least-steps-", "least-ulp-", "most-", "tanh-sum-2-", "tanh-sum-3-",
)  # fmt: skip
COEFFICIENT = re.compile(r"(degree-\d|sparse|tanh-powers).*-(p|a)\d")
"""Those whose problem is that of an error, which is tried; the certificate has both."""


def is_slow(id: str) -> bool:
    return id in SLOW or id.startswith(SLOW_KINDS) or bool(COEFFICIENT.match(id))


@cache
def said() -> dict[str, object]:
    """What every entry states."""
    return {id: statement(entry.statement, entry.assumptions) for id, entry in results().items()}


def test_every_statement_is_read_and_what_is_untried_says_why():
    assert len(said()) == len(results())
    assert [id for id, one in said().items() if not (one.claims or one.definitions)] == []
    untried = {id: entry for id, entry in results().items() if entry.untried}
    assert {entry.status for entry in untried.values()} == {"historical"}
    assert all(len(entry.untried.split()) > 5 for entry in untried.values())


@pytest.mark.parametrize("id", slow_but(lambda id: not is_slow(id), TRIED))
def test_a_statement_holds_where_it_is_tried(id):
    assert trials.tried(results()[id], said()[id]) > 0


REFUTED = [id for id, entry in results().items() if entry.untried == FALSE]


@pytest.mark.parametrize("id", REFUTED)
def test_what_was_printed_elsewhere_and_is_false_is_refuted(id):
    with pytest.raises(trials.FalseStatement):
        trials.tried(results()[id], said()[id])


def entry(tex: str, assumptions: str = "") -> Result:
    return Result("x", "a title", tex, "symbolic", "gelu", assumptions)


REAL = r"$x \in \mathbb{R}$"


@pytest.mark.parametrize(
    ("tex", "assumptions"),
    [
        (r"\operatorname{erf}'(x) = \frac{2}{\sqrt\pi}\,e^{+x^2}", REAL),
        (r"\operatorname{GELU}'(x) = \Phi(x) - x\,\varphi(x)", REAL),
        (r"\operatorname{GELU}(x) \le 0", REAL),
        (r"\Phi(x) < \varphi(x)\,\frac1x", r"$x > 0$"),
        (r"\sum_{k=0}^{K} a_k = 1", r"$K \in \mathbb{N}_0$ and $a_k > 0$"),
        (r"\kappa = \frac{6}{5}", r"$\kappa > 0$ with $\kappa = \coth\kappa$"),
        (r"a_3 = \frac16", r"$a_j = [x^j]\,\operatorname{artanh}(x)$"),
        (r"|z| = 2", r"$z \in \mathbb{C}$, $\operatorname{erfc}(z) = 0$ and $|z| \le 3$"),
        (r"1 - \Phi(x) \sim \frac{e^{-x^2/2}}{x}", r"$x > 0$ and $x \to \infty$"),
        (r"2 = \min\{t > 0 : \min_{N\ge1} \frac{N}{t} \le 1\}", r"$N \in \mathbb{N}$"),
        (r"\frac1n = O(n^{-2}), \qquad n = 1, 3, 5, \dots", ""),
        (r"g''(x) > 0 \iff |x| < 2", r"$x \in \mathbb{R}$ and $g(x) = x\,\Phi(x)$"),
    ],
)  # fmt: skip
def test_a_false_statement_is_refuted(tex, assumptions):
    with pytest.raises(trials.FalseStatement):
        trials.tried(entry(tex, assumptions))


@pytest.mark.parametrize(
    ("tex", "assumptions", "why"),
    [
        (r"\Phi(y) + \Phi(-y) = 1", REAL, "nothing says what y is"),
        (r"\Phi(x) + \Phi(-x) = 1", "", "nothing says what x is"),
        (r"\Phi(x)", REAL, "has no number"),
        (r"\Phi(x) > 0", r"$x > 0$ and $x \in \mathbb{R}$ with $x < -1$", "no point"),
        (r"x^2 + 1 > 0 \iff x^2 > -1", REAL, "where it does not"),
    ],
)
def test_a_statement_of_which_nothing_can_be_compared_is_not_passed_over(tex, assumptions, why):
    with pytest.raises(Untried, match=why):
        trials.tried(entry(tex, assumptions))


@pytest.mark.parametrize(
    "tex", [r"\Phi(x) + ", r"\unknown x^2 = \{", r"\int_0^1 x", r"\sum x = 1", r"x \mapsto x"]
)
def test_what_is_not_in_the_notation_is_not_read(tex):
    with pytest.raises(ReadingError):
        statement(tex, REAL)


def test_an_unknown_name_has_no_value():
    with pytest.raises(Exception, match="not evaluated"):
        trials.tried(entry(r"x\,\Phi(x) = \operatorname{gelu}(x)", REAL))
