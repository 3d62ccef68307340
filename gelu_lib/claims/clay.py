"""The statements of Clay's post: definitions, erf in PyTorch, a comparison of three forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import sympy as sp
from sympy import Derivative, Rational, Symbol, erf, exp, pi, sqrt, tanh

from gelu_lib.claims import programs
from gelu_lib.claims.checks import All, Digits, Equal, Less, Positive, Prints, Recorded
from gelu_lib.claims.hello_statisticians import RELU, STEP
from gelu_lib.claims.statements import Checks
from gelu_lib.functions import (
    GELU,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    phi,
)
from gelu_lib.register import result

HALF = Rational(1, 2)
ROUNDING = Rational(1, 2**17)
"""Sixteen units in the last place of single-precision numbers from 4 to 8."""

W = Symbol("w", positive=True)
FORM = HALF * (1 + erf(X / sqrt(2)))
ERF = {
    "clay-erf-at-half": HALF,
    "clay-erf-at-1": sp.S.One,
    "clay-erf-at-three-halves": Rational(3, 2),
    "clay-erf-at-2": sp.Integer(2),
}


@cache
def record() -> Mapping:
    """What PyTorch does with the experiment of the post, as tools/record_pytorch.py found it."""
    path = files("gelu_lib") / "data" / "pytorch.json"
    return json.loads(path.read_text(encoding="utf-8"))


def recorded(interval: str, measure: str, form: str) -> Rational:
    """A number of the record, as the decimal that stands there."""
    return Rational(str(record()["ranges"][interval][measure][form]))


def printed(id: str) -> str:
    """How PyTorch prints a number of the post."""
    return f"tensor({result(id).value})"


def erf_printed() -> list[str]:
    """The nine values of erf that the post prints; the negative ones mirror the positive ones."""
    values = [result(id).value for id in ERF]
    return [*(f"-{value}" for value in reversed(values)), "0.0000", *values]


DEFINITIONS = {
    "clay-relu": Checks(
        All((Equal((RELU.subs(X, -W), 0)), Equal((RELU.subs(X, W), sp.Max(0, W)))))
    ),
    "clay-gelu-symbol": Checks(
        printed=Equal((X * phi(X), GELU(X))), repaired=Equal((X * Phi(X), GELU(X)))
    ),
    "clay-phi-symbol": Checks(
        printed=Equal((phi(X), FORM)), repaired=Equal((Phi(X), FORM), by=("phi-erf",))
    ),
    "clay-erf-definition": Checks(
        All(
            (
                Equal((Derivative(erf(X), X), 2 / sqrt(pi) * exp(-(X**2))), by=("erf-derivative",)),
                Equal((erf(sp.S.Zero), 0)),
            )
        )
    ),
    "clay-erf-negative": Checks(All((Positive(erf(X).diff(X)), Equal((erf(sp.S.Zero), 0))))),
    "clay-erf-falls": Checks(Positive(erf(X).diff(X))),
    "clay-erf-slows": Checks(Positive(-erf(W).diff(W, 2))),
    "clay-erf-bounds": Checks(All((Positive(1 + erf(X)), Positive(1 - erf(X))))),
    "clay-erf-zero": Checks(Equal((erf(sp.S.Zero), 0))),
    "clay-tanh-form": Checks(
        Equal((HALF * X * (1 + tanh(sqrt(2 / pi) * (X + PAGE_CUBIC * X**3))), gelu_tanh()))
    ),
    "clay-sigmoid-form": Checks(Equal((X * logistic(LOGISTIC_SCALE * X), gelu_sigmoid()))),
    "clay-own-gelu": Checks(Equal((X * (1 + erf(X / sqrt(2))) / 2, GELU(X)), by=("phi-erf",))),
}

EXPERIMENT = {
    "clay-erf-code": Checks(
        printed=Prints(programs.erf_of_a_name_without_value, " ".join(erf_printed())),
        repaired=Prints(programs.erf_of_the_inputs, " ".join(erf_printed())),
    ),
    "clay-erf-values": Checks(
        All(
            (
                *(Digits(id, erf(x)) for id, x in ERF.items()),
                Recorded(record(), ("erf", "repaired"), erf_printed()),
            )
        )
    ),
    "clay-options": Checks(
        All(
            (
                Recorded(record(), ("options", "none"), True),
                Recorded(record(), ("options", "tanh"), True),
            )
        )
    ),
    "clay-no-sigmoid": Checks(Recorded(record(), ("options", "sigmoid"), False)),
    "clay-reference": Checks(
        printed=Less(recorded("post", "error", "torch tanh"), ROUNDING),
        repaired=Less(recorded("post", "error", "torch default"), ROUNDING),
    ),
    "clay-signed": Checks(
        printed=Equal((recorded("unit", "signed", "exact"), recorded("unit", "absolute", "exact"))),
        repaired=Equal(
            (recorded("post", "signed", "exact"), recorded("post", "absolute", "exact"))
        ),
    ),
    "clay-original": Checks(
        All(
            (
                Digits("clay-original", "page-error-gelu"),
                Recorded(
                    record(), ("ranges", "post", "printed", "Original"), printed("clay-original")
                ),
            )
        )
    ),
    "clay-tanh": Checks(
        All(
            (
                Digits("clay-tanh", Rational(1, 2**22)),
                Recorded(record(), ("ranges", "post", "printed", "Tanh"), printed("clay-tanh")),
            )
        )
    ),
    "clay-sigmoid": Checks(
        All(
            (
                Digits("clay-sigmoid", "tanh-sigmoid-gap"),
                Recorded(
                    record(), ("ranges", "post", "printed", "Sigmoid"), printed("clay-sigmoid")
                ),
            )
        )
    ),
    "clay-switch": Checks(Less(recorded("post", "absolute", "tanh"), ROUNDING)),
    "clay-unit-interval": Checks(
        printed=Less("scale-1702-error-unit-interval", Rational("0.00005")),
        repaired=Recorded(record(), ("ranges", "unit", "printed", "Sigmoid"), "tensor(0.)"),
    ),
}

PROPERTIES = {
    "clay-negative-inputs": Checks(Positive(-GELU(-W))),
    "clay-gelu-smooth": Checks(
        Equal((Derivative(GELU(X), X), Phi(X) + X * phi(X)), by=("gelu-derivative",))
    ),
    "clay-relu-corner": Checks(
        Equal(
            (
                sp.limit(RELU.subs(X, STEP) / STEP, STEP, 0)
                - sp.limit(RELU.subs(X, -STEP) / -STEP, STEP, 0),
                1,
            )
        )
    ),
}

CHECKS = {**DEFINITIONS, **EXPERIMENT, **PROPERTIES}
"""What decides each statement of the post that is not editorial, by its ID."""
