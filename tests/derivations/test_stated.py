"""Every symbolic statement, as printed, is what its derivation proved; flipped ones are not."""

import pytest
from kinds import slow_but
from stated import NotStated, check_stated

from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.meaning import statement
from gelu_lib.register import result, results

SYMBOLIC = [id for id, entry in results().items() if entry.status == "symbolic"]


def stated(id, change=("", ""), assumptions=None):
    """Check the statement of a result after a change of its TeX."""
    entry = result(id)
    assert change[0] in entry.statement
    tex = entry.statement.replace(*change, 1) if change[0] else entry.statement
    assumed = entry.assumptions if assumptions is None else assumptions
    check_stated(statement(tex, assumed), derivation(id))


LONG = {"logistic-mean", "logistic-variance"}
"""Those whose derivations take long to build."""


@pytest.mark.parametrize("id", slow_but(lambda id: id not in LONG, SYMBOLIC))
def test_what_is_printed_is_what_is_proved(id):
    stated(id)


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("erf-derivative", ("-x^2", "x^2")),
        ("gelu-derivative", ("+", "-")),
        ("phi-erf", (r"\sqrt2", "2")),
        pytest.param("logistic-variance", (r"\pi^2 s^2", r"\pi^2 s^3"), marks=pytest.mark.slow),
        ("mills-bounds", ("x^2 + 1", "x^2 - 1")),
        ("mills-bounds", ("<", ">")),
        ("erf-limit", ("-1", "1")),
        ("gelu-slope-at-inflections", (r"\pm \frac{1}{e", r"+ \frac{1}{e")),
        ("cubic-tail-bound", ("x^2/2", "x^2")),
        ("cubic-tail-bound", (r"\longrightarrow 0", r"\longrightarrow 1")),
        ("tanh-form-derivative-printed", ("0.044715", "0.044716")),
        ("gelu-condition", ("1 - x^2", "1 - 2x^2")),
    ],
)
def test_a_flipped_statement_is_refused(id, change):
    with pytest.raises(NotStated):
        stated(id, change)


@pytest.mark.parametrize(
    ("id", "assumptions"),
    [
        ("mills-bounds", r"$x \in \mathbb{R}$"),
        ("form-derivative-limits", r"$g(x) = x\,\sigma(p_1 x + p_3 x^3)$ with $p_1 > 0$"),
        ("form-derivative-limits", r"$g(x) = x\,\sigma(p_1 x + p_3 x^5)$, $p_1 > 0$, $p_3 \ge 0$"),
    ],
)
def test_a_statement_that_assumes_less_or_defines_otherwise_is_refused(id, assumptions):
    with pytest.raises(NotStated):
        stated(id, assumptions=assumptions)


@pytest.mark.parametrize(
    "change", [(r"\sqrt2,", "2,"), (r"> 0 \iff", r"< 0 \iff"), ("2 - x^2", "1 - x^2")]
)
def test_a_false_equivalence_is_refused(change):
    with pytest.raises(NotStated):
        stated("gelu-second-derivative", change)
