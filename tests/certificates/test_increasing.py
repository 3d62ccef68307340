"""The best member of degree 7 that does not fall: proved, or refused."""

from dataclasses import replace

import numpy as np
import pytest
from flint import ctx
from proofs import require_derivatives

from gelu_lib.certificates.best.increasing import (
    PROBLEM,
    certify_increasing,
    increasing_start,
    prove_error,
    prove_least,
)
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.engine.solutions import Equations, polished, prove_solution
from gelu_lib.fits.alternation import Level
from gelu_lib.fits.bands import band_minimax
from gelu_lib.functions.families import odd_logistic

pytestmark = pytest.mark.usefixtures("proof_precision")

START = Level(
    (1.1275e-05, 146.698, 6.57527),
    1.93087e-05,
    (0.34993, 1.07133, 1.8727, 2.92759),
    (1, -1, 1, -1),
)


@pytest.fixture(scope="module")
def proved():
    return certify_increasing(increasing_start(), 50)


@pytest.fixture(scope="module")
def solution():
    equations = Equations(PROBLEM, START.signs)
    with ctx.workprec(128):
        start = [*START.parameters, START.error, *START.points]
        return equations, prove_solution(equations, polished(equations, start))


def test_the_member_increases_and_a_linear_program_finds_hardly_a_smaller_error(proved):
    p = np.array([float(e.lower) for e in proved.parameters.values()])
    x = np.linspace(0, 40, 400_001)
    slope = sum(n * c * x ** (n - 1) for n, c in zip((1, 3, 5, 7), p, strict=True))
    assert np.min(slope) > -1e-9
    assert abs(x[np.argmin(slope)] - float(proved.touch.lower)) < 1e-3
    found = band_minimax(odd_logistic(7), increasing=True)
    assert float(proved.error.lower) * 0.995 < found.error < float(proved.error.upper) * 1.001


def test_the_equations_have_their_derivatives_and_their_signs(solution):
    equations, box = solution
    require_derivatives(equations, [ball.mid() for ball in box], 40)
    _, box = solution
    for signs in ((1, 1, 1, 1), (1, -1, 1, 1), (-1, 1, -1, 1)):
        with pytest.raises(CertificationError, match="not all positive"):
            prove_least(Equations(PROBLEM, signs), box)


def test_what_is_no_optimum_is_refused(solution):
    equations, box = solution
    with pytest.raises(CertificationError):
        prove_error(equations, [*box[:3], box[3] / 2, *box[4:]])
    with pytest.raises(CertificationError, match="not all positive"):
        prove_error(equations, [*box[:2], -box[2], *box[3:]])
    with pytest.raises(CertificationError):
        certify_increasing(replace(START, parameters=(*START.parameters[:2], 600.0)), 20)
    with pytest.raises(ValueError, match="digits must be at least 1"):
        certify_increasing(START, 0)
