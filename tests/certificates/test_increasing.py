"""The best member of degree 7 that does not fall: proved, or refused."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import ndtr

from gelu_lib.certificates.best.certificate import certify, prove_cover, proved
from gelu_lib.certificates.best.increasing import FAMILY, INCREASING, coefficients, prove_least
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.theorem import prove_best
from gelu_lib.certificates.engine.solutions import Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import problem

pytestmark = pytest.mark.usefixtures("proof_precision")

X = np.concatenate([np.linspace(0.01, 6, 600), np.linspace(6, 30, 241)[1:], [1e2, 1e3]])
N = np.array(FAMILY.exponents)


@pytest.fixture(scope="module")
def best():
    return minimax(INCREASING, digits=50)


def solution():
    found = proved(problem(INCREASING))
    return found.equations, found.box


def exists(level):
    """Whether samples leave room for a polynomial that rises, with errors up to a level."""
    width, powers = np.full_like(X, level), (X[:, None] / 6) ** N
    # log-odds of Φ − E and Φ + E, of which the second does not exist far out
    low = np.log(ndtr(X) - width) - np.log(ndtr(-X) + width)
    near = ndtr(-X) > width
    high = np.log(ndtr(X) + width)[near] - np.log((ndtr(-X) - width)[near])
    rows = np.vstack([-powers, powers[near], -powers * N])
    right = np.concatenate([-low, high, np.zeros_like(X)])
    size = np.abs(rows).max(axis=1)
    found = linprog(np.zeros(4), rows / size[:, None], right / size, bounds=[(None, None)] * 4)
    return found.status == 0


def test_the_member_increases_and_a_linear_program_finds_hardly_a_smaller_error(best):
    p = np.array([float(number) for number in coefficients(best).values()])
    slope = (X[:, None] ** (N - 1) * N) @ p
    assert np.min(slope) > -1e-9
    assert abs(X[np.argmin(slope[X > 6]) + np.sum(X <= 6)] - float(best.parameters["t"])) < 0.06
    error = ndtr(-X) - np.exp(-np.logaddexp(0, X[:, None] ** N @ p))
    assert np.max(np.abs(error)) == pytest.approx(float(best.error), rel=1e-3)
    assert exists(float(best.error) * 1.001)
    assert not exists(float(best.error) * 0.99)


def test_the_result_says_among_which_members_it_is_the_best(best):
    assert best.optimal == "global among those that do not fall"
    assert best.signs == (1, -1, 1, -1)
    assert [*coefficients(best)] == ["p1", "p3", "p5", "p7"]


def test_other_signs_and_points_have_no_positive_multipliers():
    equations, box = solution()
    touch, places = box[1], equations.places(box)
    prove_least(touch, places, equations.signs)
    for signs in ((1, 1, 1, 1), (1, -1, 1, 1), (1, 1, -1, -1)):
        with pytest.raises(CertificationError, match="not all positive"):
            prove_least(touch, places, signs)
    with pytest.raises(CertificationError, match="positive and increasing"):
        prove_least(touch, [-x for x in places], tuple(-s for s in equations.signs))


def test_every_step_is_asked(best, monkeypatch):
    equations, box = solution()
    with pytest.raises(CertificationError, match="a, t and c are not all positive"):
        prove_best(INCREASING, equations, [*box[:2], -box[2], *box[3:]], 16.0)
    of_gelu = Equations(problem(INCREASING, "GELU"), equations.signs)
    with pytest.raises(CertificationError, match="only the plain error of Φ"):
        prove_best(INCREASING, of_gelu, box, 16.0)
    with pytest.raises(CertificationError, match="is exceeded at x"):
        prove_cover(equations, [*box[:3], box[3] / 2, *box[4:]])
    turned = replace(best, signs=tuple(-sign for sign in best.signs))
    with pytest.raises(CertificationError, match="there is none in the box"):
        certify(turned)
    monkeypatch.setattr("gelu_lib.certificates.best.increasing.cancel_positively", lambda _: False)
    with pytest.raises(CertificationError, match="not all positive"):
        certify(best)
