"""The chapter your-own: how the numbers of its results are proved."""

from __future__ import annotations

from decimal import Decimal, Inexact, localcontext

from sympy import Max, Rational

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters.recipes import Certification, Certified
from gelu_lib.fits.quantities import largest
from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.integer_gelu import IBERT, best_fixed_point, certified_error, quadratic_error
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import TANH_CUBIC
from gelu_lib.functions.forms import Form

SIXTEEN = "bfloat16"


def _best_pair(written: str) -> Certification:
    """The pair of bfloat16 that is proved to be the best, and its error for GELU."""

    def pair(digits: int) -> dict[str, Enclosure]:
        best = best_constants("GELU", representable_in=SIXTEEN, written=written)
        if not best.certified or best.tied:
            raise CertificationError("optimality", best.proof)
        error = certified_sup_error(Form(TANH_CUBIC, best.parameters), "GELU", digits).error
        return {**{n: _point(c, digits) for n, c in best.constants.items()}, "error": error}

    return pair


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


CERTIFIED: dict[str, Certification] = {
    "bfloat16-best-pair": _best_pair("expanded"),
    "bfloat16-best-factored": _best_pair("factored"),
    "ibert-error-gelu": Certified(
        lambda: largest(quadratic_error(IBERT["a"], Max(IBERT["b"] - X, 0)), X >= 0),
        lambda digits: {"": certified_error(*IBERT.values(), digits)},
    ),
    "quadratic-eight-bits": _eight_bits,
}
