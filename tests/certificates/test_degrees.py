"""The record of the best odd polynomials of higher degrees: found again, proved, and refused."""

import json
from dataclasses import replace
from decimal import Decimal
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import mpmath
import pytest
import record_degrees
from kinds import slow_but
from mpmath import mpf

from gelu_lib.certificates.best.certificate import certify
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.degrees import GAINING, RECORDED, best_of_degree, recorded

RECORD = json.loads((files("gelu_lib") / "data" / "degrees.json").read_text("utf-8"))
BOOK = Path(__file__).resolve().parents[2] / "book"


def off(kept, x):
    """Φ − σ(p), in mpmath and by a formula of its own."""
    p = mpmath.fsum(mpf(c) * x ** (2 * j + 1) for j, c in enumerate(kept["parameters"]))
    return (mpmath.erf(x / mpmath.sqrt(2)) - mpmath.tanh(p / 2)) / 2


@pytest.mark.parametrize("degree", RECORDED)
def test_the_least_error_lies_between_the_least_and_the_largest_error_of_the_record(degree):
    kept = RECORD[str(degree)]
    with mpmath.workdps(90):
        error, points = mpf(kept["error"][0]), [mpf(x) for x in kept["points"]]
        assert all(a < b for a, b in pairwise(points))
        assert len(points) == len(kept["parameters"]) + 1
        assert all(a == -b for a, b in pairwise(kept["signs"]))
        # no member is better than the least of these (de la Vallée Poussin)
        sizes = [s * off(kept, x) for s, x in zip(kept["signs"], points, strict=True)]
        assert min(sizes) > error * (1 - mpf(10) ** -40)
        grid = [mpf(i) / 100 for i in range(1, 900)] + [9 * mpf("1.2") ** i for i in range(60)]
        assert max(abs(off(kept, x)) for x in grid) < error * (1 + mpf(10) ** -40)
    proved = best_of_degree(degree).error
    assert proved.lower <= Decimal(kept["error"][0]) <= proved.upper


@pytest.mark.parametrize("degree", slow_but((13).__eq__, RECORDED))
def test_another_coefficient_or_error_is_refused(degree):
    claim = recorded(degree)
    name, value = list(claim.parameters.items())[-1]
    wrong = Enclosure(value.lower * Decimal("1.001"), value.upper * Decimal("1.001"))
    with pytest.raises(CertificationError):
        certify(replace(claim, parameters=dict(claim.parameters) | {name: wrong}), 10)
    smaller = Enclosure(claim.error.lower / 2, claim.error.upper / 2)
    with pytest.raises(CertificationError):
        certify(replace(claim, error=smaller), 10)


def test_the_next_degree_gains_where_the_last_sign_is_positive():
    errors = [best_of_degree(degree).error for degree in GAINING]
    assert all(b.upper < a.lower for a, b in pairwise(errors))
    for degree in GAINING:
        best = best_of_degree(degree)
        assert best.alternates and best.theorem == "alternation-any-degree"
        assert (degree + 2 in GAINING) == (best.signs[-1] > 0)
    nothing = sorted({*range(1, 26, 2)} - {*GAINING})
    with pytest.raises(ValueError, match="degree is 5"):
        best_of_degree(nothing[0])
    words = f"{', '.join(map(str, nothing[:-1]))} and {nothing[-1]}"
    for page, said in (("forms", f"degrees {words} ["), ("forms-rivals", f"Degrees {words} gain")):
        assert said in (BOOK / f"{page}.ipynb").read_text(encoding="utf-8")


@pytest.mark.parametrize("degree", slow_but((9).__eq__, (9, 11, *RECORDED)))
def test_the_exchange_finds_the_record_and_nothing_where_nothing_is_gained(degree, monkeypatch):
    monkeypatch.setattr(record_degrees, "DIGITS", 12)
    start = {"points": [*record_degrees.START, "5"][: 6 + (degree == 11)]}
    with mpmath.workdps(50):
        points = [mpf(x) + mpf("0.001") for x in RECORD.get(str(degree), start)["points"]]
        if degree == 11:
            with pytest.raises(ArithmeticError, match="no optimum"):
                record_degrees.exchanged(points)
            return
        error = record_degrees.exchanged(points)[1]
    assert abs(float(error) / float(best_of_degree(degree).error) - 1) < 1e-9
