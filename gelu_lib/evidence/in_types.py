"""Numbers that each floating-point type has of its own, by the name of the type."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, Inexact, localcontext
from functools import partial
from itertools import combinations
from math import inf

from sympy import Rational

from gelu_lib.activations import FORMS, gelu
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.kinds import Certification, whole
from gelu_lib.floats.agreement import agreeing
from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.best_rounded import (
    least_steps,
    least_ulp,
    most_agreeing,
    prove_least_ulp,
    prove_most_agreeing,
)
from gelu_lib.floats.gates import rounding_gates
from gelu_lib.floats.integer_gelu import best_fixed_point, certified_error
from gelu_lib.floats.rounded_constants import (
    SIGMOID_BY_SCALE,
    TANH_BY_CUBIC,
    ConstantForm,
    ConstantInterval,
    prove,
    same_results,
)
from gelu_lib.floats.thresholds import THRESHOLDS, threshold
from gelu_lib.floats.types import FLOAT_TYPES, all_finite
from gelu_lib.floats.ulp import is_correctly_rounded
from gelu_lib.functions.families import TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.precision import DECIDED_DIGITS
from gelu_lib.provenance.callables.tolerances import tolerance
from gelu_lib.provenance.callables.witnesses import (
    COARSE_WITNESS,
    COMMON_WITNESS,
    certified_margins,
    certified_overlap,
    least,
)

_NARROW = ("float16", "bfloat16")


def equation(forms: Iterable[str]) -> str:
    """That some of the three forms are the same number, as ``exact = tanh form``."""
    return " = ".join(form if form == "exact" else f"{form} form" for form in forms)


def _ends(found: ConstantInterval, begin: str, digits: int) -> dict[str, Enclosure]:
    return {
        f"{begin}from": found.lower.enclosure(digits + DECIDED_DIGITS),
        f"{begin}to": found.upper.enclosure(digits + DECIDED_DIGITS),
    }


def _same_results(form: ConstantForm, digits: int) -> dict[str, Enclosure]:
    """The constants that round to the results of the famous one, in each type."""
    numbers: dict[str, Enclosure] = {}
    for dtype in _NARROW:
        inputs = all_finite(dtype)
        found = same_results(form, inputs)
        prove(found, rounding_gates(inputs, form.rounded(inputs)))
        numbers |= _ends(found, f"{dtype}, ", digits)
    return numbers


LEFT_ENDS = {"": -inf, "x ≥ −2, ": -2.0}
"""The inputs that count, by the words that the names of the numbers have for them."""


def _least_steps(form: ConstantForm, digits: int) -> dict[str, Enclosure]:
    """How near to the rounded GELU a form can be kept, and with which constants."""
    numbers: dict[str, Enclosure] = {}
    for dtype in _NARROW:
        inputs = all_finite(dtype)
        answers = least_steps(form, inputs, LEFT_ENDS.values())
        for begin, best in zip(LEFT_ENDS, answers, strict=True):
            demand = rounding_gates(inputs, gelu(inputs), best.steps)
            prove(best.constants, demand.from_left_end(best.left))
            numbers[f"{dtype}, {begin}n"] = whole(best.steps)
            numbers |= _ends(best.constants, f"{dtype}, {begin}", digits)
    return numbers


def _least_ulp(form: ConstantForm, digits: int) -> dict[str, Enclosure]:
    """How small the largest error in units in the last place can be, and with which constants."""
    numbers: dict[str, Enclosure] = {}
    for dtype in _NARROW:
        inputs = all_finite(dtype)
        answers = least_ulp(form, inputs, LEFT_ENDS.values())
        prove_least_ulp(answers, inputs)
        for begin, best in zip(LEFT_ENDS, answers, strict=True):
            error = best.enclosure(inputs.dtype, digits + DECIDED_DIGITS)
            numbers[f"{dtype}, {begin}E"] = error
            numbers |= _ends(best.constants, f"{dtype}, {begin}", digits)
    return numbers


def _most_agreeing(form: ConstantForm, digits: int) -> dict[str, Enclosure]:
    """How many results can be the rounded GELU, and with which constants."""
    numbers: dict[str, Enclosure] = {}
    for dtype in _NARROW:
        found = most_agreeing(form, all_finite(dtype))
        prove_most_agreeing(found, all_finite(dtype))
        numbers[f"{dtype}, n"] = whole(found.count)
        for i, piece in enumerate(found.constants, 1):
            begin = f"{dtype}, {i}, " if len(found.constants) > 1 else f"{dtype}, "
            numbers |= _ends(piece, begin, digits)
    return numbers


def _agreements(digits: int) -> dict[str, Enclosure]:
    """How often GELU and its forms are the same number; every result is proved to be rounded."""
    numbers: dict[str, Enclosure] = {}
    for dtype in _NARROW:
        inputs = all_finite(dtype)
        for form in (TANH_BY_CUBIC, SIGMOID_BY_SCALE):
            prove(same_results(form, inputs), rounding_gates(inputs, form.rounded(inputs)))
        for x, y in zip(inputs.astype(float), gelu(inputs).astype(float), strict=True):
            if not is_correctly_rounded("gelu", float(x), float(y), inputs.dtype.type):
                raise ArithmeticError(f"GELU of {x!r} is not rounded to the nearest {dtype}")
        numbers[f"{dtype}, floats"] = whole(inputs.size)
        for forms in (*combinations(FORMS, 2), tuple(FORMS)):
            numbers[f"{dtype}, {equation(forms)}"] = whole(int(agreeing(dtype, *forms).sum()))
    return numbers


def _threshold(id: str, digits: int) -> dict[str, Enclosure]:
    """From where on a formula gives up."""
    return {dtype: threshold(id, dtype, digits + DECIDED_DIGITS) for dtype in FLOAT_TYPES}


# --- constants that are numbers of a type


def _best_pair(written: str, digits: int) -> dict[str, Enclosure]:
    """The pair of bfloat16 that is proved to be the best, and its error for GELU."""
    best = best_constants("GELU", representable_in="bfloat16", written=written)
    if not best.certified or best.tied:
        raise CertificationError("optimality", best.proof)
    error = certified_sup_error(Form(TANH_CUBIC, best.parameters), "GELU", digits).error
    return {**{n: _point(c, digits) for n, c in best.constants.items()}, "error": error}


def _eight_bits(digits: int) -> dict[str, Enclosure]:
    best = best_fixed_point(8)
    error = certified_error(best.a, best.b, digits)
    return {"a": _point(best.a, digits), "b": _point(best.b, digits), "error": error}


def _point(value: Rational, digits: int) -> Enclosure:
    """A binary fraction as an enclosure of no width, written with as many digits as the others."""
    with localcontext(prec=digits + 20, traps=[Inexact]):
        exact = Decimal(int(value.p)) / int(value.q)
        padded = exact.quantize(Decimal((0, (1,), exact.adjusted() - digits - 19)))
    return Enclosure(padded, padded)


# --- margins of callables in each type


def _one_input(digits: int) -> dict[str, Enclosure]:
    """The least margins at the common witness, for callables that round once."""
    return {
        dtype: least(certified_margins(COMMON_WITNESS, tolerance(dtype), digits))
        for dtype in FLOAT_TYPES
    }


def _sigmoid_alone(digits: int) -> dict[str, Enclosure]:
    """The least margins of the sigmoid form, for callables that round every operation."""
    found = {}
    for dtype in _NARROW:
        margins = certified_margins(COARSE_WITNESS, tolerance(dtype, dtype), digits)
        found[dtype] = least({pair: ends for pair, ends in margins.items() if "sigmoid" in pair})
    return found


def _no_input(digits: int) -> dict[str, Enclosure]:
    return {dtype: certified_overlap(dtype, digits) for dtype in _NARROW}


TYPE_PROOFS: dict[str, Certification] = {
    **{id: partial(_threshold, id) for id in THRESHOLDS},
    "same-results-cubic": partial(_same_results, TANH_BY_CUBIC),
    "same-results-scale": partial(_same_results, SIGMOID_BY_SCALE),
    "least-steps-cubic": partial(_least_steps, TANH_BY_CUBIC),
    "least-steps-scale": partial(_least_steps, SIGMOID_BY_SCALE),
    "least-ulp-cubic": partial(_least_ulp, TANH_BY_CUBIC),
    "least-ulp-scale": partial(_least_ulp, SIGMOID_BY_SCALE),
    "most-agreeing-cubic": partial(_most_agreeing, TANH_BY_CUBIC),
    "most-agreeing-scale": partial(_most_agreeing, SIGMOID_BY_SCALE),
    "same-number": _agreements,
    "bfloat16-best-pair": partial(_best_pair, "expanded"),
    "bfloat16-best-factored": partial(_best_pair, "factored"),
    "quadratic-eight-bits": _eight_bits,
    "variants-one-input": _one_input,
    "variants-sixteen-bits-sigmoid": _sigmoid_alone,
    "variants-sixteen-bits-no-input": _no_input,
}
