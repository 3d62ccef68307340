"""A statement as data says what the statement says, and is the same in every run."""

import json
import os
import subprocess
import sys

import pytest
import sympy as sp
from kinds import slow_but

from gelu_lib.derivations.meaning import statement
from gelu_lib.derivations.reading import ReadingError
from gelu_lib.derivations.semantic import NAMES, semantic
from gelu_lib.functions.expressions import X
from gelu_lib.register import result, results


def written(id):
    entry = result(id)
    return semantic(statement(entry.statement, entry.assumptions))


def test_sides_are_read_back_and_kinds_and_dots_are_named():
    (claim,) = written("gelu-derivative")["claims"]
    said = statement(result("gelu-derivative").statement).claims[0]
    sides = [sp.sympify(side, locals={**NAMES, "x": X}) for side in claim["sides"]]
    assert sides == list(said.sides)
    assert written("mills-series-step")["domain"] == {"n": "nonnegative integer", "t": "positive"}
    assert written("logistic-order")["domain"] == {"p": "real", "q": "real"}
    short, whole = r"x^2 + x^5 + \cdots + x^{11}", "x^2 + x^5 + x^8 + x^{11}"
    assert statement(f"y = {short}").claims == statement(f"y = {whole}").claims


ENTRIES = list(results())


@pytest.mark.parametrize("id", slow_but(set(ENTRIES[::4]).__contains__, ENTRIES))
def test_every_side_of_the_register_is_read_back(id):
    for claim in written(id)["claims"]:
        for chain in [claim, *claim.get("premises", ()), *claim.get("conclusions", ())]:
            for side in chain.get("sides", ()):
                assert isinstance(sp.sympify(side, locals=dict(NAMES)), sp.Basic)


def test_two_runs_write_the_same():
    ids = ("gelu-derivative-reflection", "tanh-grid-coefficient", "tanh-pinned-cubic")
    here = json.dumps([written(id) for id in ids])
    program = (
        "import json\n"
        "from gelu_lib.derivations.meaning import statement\n"
        "from gelu_lib.derivations.semantic import semantic\n"
        "from gelu_lib.register import result\n"
        f"said = [statement(result(id).statement, result(id).assumptions) for id in {ids}]\n"
        "print(json.dumps([semantic(one) for one in said]))"
    )
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    there = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert there == here + "\n"
    assert "Supremum" in here


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (r"a_1 x + a_3 x^3 + \cdots + a_8 x^8", "no step of 2 leads from 1 to 8"),
        (r"x^5 + x^3 + \cdots + x^9", "no step of -2 leads from 5 to 9"),
        (r"x + x^3 + \cdots + x^9", "have no number that grows"),
    ],
)
def test_dots_that_no_step_leads_over_are_refused(terms, reason):
    with pytest.raises(ReadingError, match=reason):
        statement(f"y = {terms}")
