"""The statements of Clay's post: definitions, erf in PyTorch, a comparison of three forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import sympy as sp
from sympy import Rational, Symbol, erf, sqrt

from gelu_lib.chapters.claims import programs
from gelu_lib.chapters.claims.checks import (
    All,
    Below,
    Digits,
    Equal,
    Largest,
    Less,
    Not,
    Positive,
    Told,
)
from gelu_lib.chapters.claims.common import (
    END,
    ERF_AS_AN_INTEGRAL,
    ERF_HAS_LIMITS,
    GELU_IS_SMOOTH,
    HALF,
    IS_THE_SIGMOID_FORM,
    IS_THE_TANH_FORM,
    RELU,
    RELU_HAS_A_CORNER,
)
from gelu_lib.chapters.claims.programs import Prints, Recorded
from gelu_lib.chapters.claims.statements import Checks
from gelu_lib.functions.expressions import GELU, Phi, X, gelu_sigmoid, gelu_tanh, phi
from gelu_lib.register import result
from gelu_lib.show.tables import Table, decimal

ROUNDING = Rational(1, 2**21)
"""One unit in the last place of single-precision numbers from 4 to 8, the largest that occur.

By so much two evaluations of one formula may differ, on one machine or on two.
"""

ROUNDED_STEPS = 4
"""From the exact GELU a good evaluation may differ by some such units, as it has several steps."""

POST_END, UNIT_END = sp.Integer(6), sp.S.One
"""The post looks at inputs from −6 to 6, and once more from −1 to 1."""

BETWEEN = Rational("0.002")
"""From −1 to 1 the sigmoid form is farther off than this, and the tanh form not a tenth of it."""

W = Symbol("w", positive=True)
FORM = HALF * (1 + erf(END))
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


def signed_is_absolute(interval: str) -> Equal:
    """The largest signed difference of the exact form is the largest absolute one."""
    return Equal(*(recorded(interval, kind, "exact") for kind in ("signed", "absolute")))


def is_rounding(form: str) -> Less:
    """The recorded error of a form is a few units in the last place."""
    return Less(recorded("post", "error", form), ROUNDED_STEPS * ROUNDING)


def printed(id: str) -> str:
    """How PyTorch prints a number of the post."""
    return f"tensor({result(id).value})"


def erf_printed() -> list[str]:
    """The nine values of erf that the post prints; the negative ones mirror the positive ones."""
    values = [result(id).value for id in ERF]
    return [*(f"-{value}" for value in reversed(values)), "0.0000", *values]


FORMS = {
    "torch default": ("PyTorch, default", ()),
    "exact": ("the post's exact form", ()),
    "torch tanh": ("PyTorch, tanh", ("page-error-gelu", "page-error-unit-interval")),
    "tanh": ("the post's tanh form", ("page-error-gelu", "page-error-unit-interval")),
    "sigmoid": (
        "the post's sigmoid form",
        ("scale-1702-error-gelu", "scale-1702-error-unit-interval"),
    ),
}
"""For each form in the record its name, and the results with its exact errors on both ranges."""


def largest_errors() -> Table:
    """The largest absolute errors of the forms, as recorded, beside those of the formulas.

    Returns:
        One row for each form. The formula of the exact form has no error; what is measured there
        is rounding.
    """

    def cell(interval: str, form: str, which: int) -> str:
        measured = decimal(recorded(interval, "error", form), 3)
        exact = FORMS[form][1]
        if not exact:
            return f"{measured}, rounding"
        return f"{measured} ({decimal(Rational(result(exact[which]).value), 6)})"

    header = [
        "form",
        "largest error on $[-6, 6)$ (of the formula)",
        "on $[-1, 1)$ (of the formula)",
    ]
    rows = [[FORMS[f][0], cell("post", f, 0), cell("unit", f, 1)] for f in FORMS]
    return Table(header, rows)


DEFINITIONS = {
    "clay-relu": Checks(All(Equal(RELU.subs(X, -W), 0), Equal(RELU.subs(X, W), W))),
    "clay-gelu-symbol": Checks(
        printed=Equal(X * phi(X), GELU(X)), repaired=Equal(X * Phi(X), GELU(X))
    ),
    "clay-phi-symbol": Checks(
        printed=Equal(phi(X), FORM), repaired=Equal(Phi(X), FORM, by=("phi-erf",))
    ),
    "clay-erf-definition": Checks(ERF_AS_AN_INTEGRAL),
    "clay-erf-negative": Checks(All(Positive(erf(X).diff(X)), Equal(erf(sp.S.Zero), 0))),
    "clay-erf-falls": Checks(Positive(erf(X).diff(X))),
    "clay-erf-slows": Checks(Positive(-erf(W).diff(W, 2))),
    "clay-erf-bounds": Checks(All(Positive(erf(X).diff(X)), ERF_HAS_LIMITS)),
    "clay-erf-zero": Checks(Equal(erf(sp.S.Zero), 0)),
    "clay-tanh-form": Checks(IS_THE_TANH_FORM),
    "clay-sigmoid-form": Checks(IS_THE_SIGMOID_FORM),
    "clay-own-gelu": Checks(Equal(X * (1 + erf(X / sqrt(2))) / 2, GELU(X), by=("phi-erf",))),
}

EXPERIMENT = {
    "clay-program-runs": Checks(
        Recorded(
            record(),
            ("ranges", "post", "printed"),
            {
                "Original": printed("clay-original"),
                "Tanh": printed("clay-tanh"),
                "Sigmoid": printed("clay-sigmoid"),
            },
        )
    ),
    "clay-erf-code": Checks(
        printed=Prints(programs.erf_of_a_name_without_value, " ".join(erf_printed())),
        repaired=Prints(programs.erf_of_the_inputs, " ".join(erf_printed())),
    ),
    "clay-erf-values": Checks(
        All(
            *(Digits(id, erf(x)) for id, x in ERF.items()),
            Recorded(record(), ("erf", "repaired"), erf_printed()),
        )
    ),
    "clay-options": Checks(
        All(
            Recorded(record(), ("options", "none"), True),
            Recorded(record(), ("options", "tanh"), True),
        )
    ),
    "clay-no-sigmoid": Checks(Recorded(record(), ("options", "sigmoid"), False)),
    "clay-reference": Checks(
        printed=Told("error of the reference", is_rounding("torch tanh")),
        repaired=Told("error of the default", is_rounding("torch default")),
    ),
    "clay-signed": Checks(
        printed=Told("signed and absolute, on $[-1, 1)$", signed_is_absolute("unit")),
        repaired=Told("signed and absolute, on $[-6, 6)$", signed_is_absolute("post")),
    ),
    "clay-original": Checks(
        All(
            Digits("clay-original", "page-error-gelu"),
            Recorded(record(), ("ranges", "post", "printed", "Original"), printed("clay-original")),
        )
    ),
    "clay-tanh": Checks(
        All(
            Digits("clay-tanh", Rational(1, 2**22)),
            Recorded(record(), ("ranges", "post", "printed", "Tanh"), printed("clay-tanh")),
        )
    ),
    "clay-sigmoid": Checks(
        All(
            Largest("clay-sigmoid", gelu_tanh() - gelu_sigmoid(), -POST_END, POST_END),
            Recorded(record(), ("ranges", "post", "printed", "Sigmoid"), printed("clay-sigmoid")),
        )
    ),
    "clay-switch": Checks(
        Told("largest difference", Less(recorded("post", "absolute", "tanh"), ROUNDING))
    ),
    "clay-unit-interval": Checks(
        printed=Below(GELU(X) - gelu_sigmoid(), Rational("0.00005"), -UNIT_END, UNIT_END),
        repaired=All(
            Recorded(record(), ("ranges", "unit", "printed", "Sigmoid"), "tensor(0.)"),
            Told("tanh form", Below(GELU(X) - gelu_tanh(), BETWEEN / 10, -UNIT_END, UNIT_END)),
            Told(
                "sigmoid form",
                Not(Below(GELU(X) - gelu_sigmoid(), BETWEEN, -UNIT_END, UNIT_END)),
            ),
        ),
    ),
}

PROPERTIES = {
    "clay-negative-inputs": Checks(Positive(-GELU(-W))),
    "clay-gelu-smooth": Checks(GELU_IS_SMOOTH),
    "clay-relu-corner": Checks(RELU_HAS_A_CORNER),
}

CHECKS = {**DEFINITIONS, **EXPERIMENT, **PROPERTIES}
"""What decides each statement of the post that is not editorial, by its ID."""
