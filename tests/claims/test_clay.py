"""The statements of Clay's post: definitions, erf in PyTorch, what PyTorch computes."""

import json
from importlib.resources import files

import said_by_several as several
import sympy as sp
from deciding_claims import equal, less, numeral, positive, rounded
from said_by_several import END, RELU
from sympy import Rational, Symbol, erf, sqrt

from gelu_lib.functions.expressions import GELU, Phi, X, phi

W = Symbol("w", positive=True)
RECORD = json.loads((files("gelu_lib") / "data" / "pytorch.json").read_text(encoding="utf-8"))
"""What PyTorch does, as tools/laboratory/record_pytorch.py found it."""


def test_clay_relu(holds):
    assert holds is (equal(RELU.subs(X, -W), 0) and equal(RELU.subs(X, W), W))


def test_clay_gelu_symbol(holds):
    assert holds is equal(X * phi(X), GELU(X))
    assert equal(X * Phi(X), GELU(X))


def test_clay_phi_symbol(holds):
    said = (1 + erf(END)) / 2
    assert holds is equal(phi(X), said)
    assert equal(Phi(X), said, by=("phi-erf",))


def test_clay_erf_values(rounds):
    halves = ("half", "1", "three-halves", "2")
    values = [f"clay-erf-at-{name}" for name in halves]
    assert rounds is all(rounded(id, erf(Rational(i, 2))) for i, id in enumerate(values, 1))
    printed = [numeral(id) for id in values]
    mirrored = [f"-{text}" for text in reversed(printed)]
    assert RECORD["erf"]["repaired"] == [*mirrored, "0.0000", *printed]


def test_clay_erf_negative(holds):
    assert holds is (positive(erf(X).diff(X)) and equal(erf(sp.Integer(0)), 0))


def test_clay_erf_slows(holds):
    assert holds is positive(-erf(W).diff(W, 2))


def test_clay_erf_bounds(holds):
    assert holds is (positive(erf(X).diff(X)) and several.erf_has_the_limits_of_a_sign())


def test_clay_options(holds):
    assert holds is (RECORD["options"]["none"] and RECORD["options"]["tanh"])


def test_clay_no_sigmoid(holds):
    assert holds is not RECORD["options"]["sigmoid"]


def test_clay_own_gelu(holds):
    assert holds is equal(X * (1 + erf(X / sqrt(2))) / 2, GELU(X), by=("phi-erf",))


def test_clay_switch(holds):
    """One formula, evaluated twice, differs by one unit in the last place of 4 to 8 at most."""
    difference = Rational(str(RECORD["ranges"]["post"]["absolute"]["tanh"]))
    assert holds is less(difference, Rational(1, 2**21))


def test_clay_negative_inputs(holds):
    assert holds is positive(-GELU(-W))
