"""The best forms made of tanh: proved to be the best at every scale, or refused."""

from dataclasses import replace
from decimal import Decimal
from functools import cache

import numpy as np
import pytest
from flint import arb
from kinds import slow_but
from mpmath import mp, mpf, ncdf
from proofs import require_derivatives

from gelu_lib.certificates.best import tanh_errors, tanh_optima
from gelu_lib.certificates.best.certificate import certify, prove_cover, proved
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.tails import far_out
from gelu_lib.certificates.best.tanh_errors import (
    _prove_limit_is_not_passed,
    prove_coefficients,
    prove_form_tail,
)
from gelu_lib.certificates.best.tanh_optima import (
    _bound_on_piece,
    _prove_above_for_gelu,
    prove_scale,
)
from gelu_lib.certificates.best.theorem import prove_best
from gelu_lib.certificates.engine.balls import interval
from gelu_lib.certificates.engine.solutions import Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts.merging import certified_splitting_rate
from gelu_lib.evidence.rivals import MERGED
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.tanh_starts import _linear, best_points, valleys
from gelu_lib.functions.expressions import X, mpmath_function
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.functions.tanh_forms import S, merged_tanh_sum, tanh_powers, tanh_sum
from gelu_lib.register import agreeing_digits, result

pytestmark = pytest.mark.usefixtures("proof_precision")

FORMS = {
    "tanh-powers": (tanh_powers((1, 3, 5)), "Phi"),
    "tanh-powers-limit-gelu": (tanh_powers((1, 3, 5), limit_one=True), "GELU"),
    "tanh-powers-scaled-limit": (tanh_powers((1, 3, 5), scaled=True, limit_one=True), "Phi"),
    **MERGED,
}
"""Forms and what they approximate, by the first part of the IDs of their numbers."""

PLAIN, MERGED_FREE, TWO, THREE = (
    "tanh-powers", "tanh-sum-2", "tanh-sum-2-limit-gelu", "tanh-sum-3-limit-gelu"
)  # fmt: skip
SCALED = [name for name in FORMS if S in FORMS[name][0].symbols]
OF_EACH_KIND = [PLAIN, "tanh-powers-scaled-limit", TWO]
EVERY_FORM = pytest.mark.parametrize("name", slow_but(OF_EACH_KIND.__contains__, FORMS))


@cache
def best(name):
    return minimax(*FORMS[name], digits=40)


@cache
def solution(name):
    """The equations of an optimum, and the box of their solution."""
    found = proved(problem(*FORMS[name]))
    return found.equations, found.box


def with_level(box, equations, factor):
    """A box with another level."""
    count = len(equations.problem.family.symbols)
    return [*box[:count], box[count] * factor, *box[count + 1 :]]


def error_by_mpmath(name):
    """The error of the best member at x > 0, by the formula of the form and mpmath's Φ."""
    form, target = FORMS[name]
    values = [mpf(str(number.lower)) for number in best(name).parameters.values()]
    g = mpmath_function(form.g, X, *form.symbols)
    return lambda x: (x if target == "GELU" else 1) * ((1 - g(x, *values)) / 2 - ncdf(-x))


@EVERY_FORM
def test_the_numbers_are_the_registered_ones_and_mpmath_finds_the_error_at_the_points(name):
    found, form = best(name), FORMS[name][0]
    assert found.optimal == "global"
    assert len(found.signs) - len(found.points) == (form.limit != 1)
    assert agreeing_digits(result(f"{name}-error").value, found.error.rounded(40)) >= 40
    if S in form.symbols:
        assert agreeing_digits(result(f"{name}-s").value, found.parameters["s"].rounded(40)) >= 40
    with mp.workdps(40):
        error, places = error_by_mpmath(name), [mpf(str(x.lower)) for x in found.points]
        size = mpf(str(found.error.lower))
        for x, sign in zip([*places, mpf(1000)], found.signs, strict=False):
            assert abs(error(x) / (sign * size) - 1) < mpf(10) ** -30
        assert all(abs(mp.diff(error, x)) < mpf(10) ** -15 for x in places)


@EVERY_FORM
def test_the_equations_have_their_derivatives_and_every_run_of_points_is_looked_at(
    name, monkeypatch
):
    equations, box = solution(name)
    require_derivatives(equations, [ball.mid() for ball in box], 40)
    runs, count = [], len(FORMS[name][0].coefficients) + 1
    monkeypatch.setattr(tanh_errors, "cancel_positively", lambda rows: runs.append(rows) or True)
    prove_coefficients(equations, box)
    assert len(runs) == len(equations.signs) - count + 1
    for rows in runs:
        matrix = np.array([[float(g) for g in row] for row in rows])
        assert matrix.shape == (count, count - 1)
        assert abs(np.sign(np.linalg.svd(matrix.T)[2][-1]).sum()) == count


# what is refused


@EVERY_FORM
def test_a_smaller_level_other_signs_and_a_larger_tail_are_refused(name):
    equations, box = solution(name)
    parameters, level = equations.parameters(box), equations.level(box)
    with pytest.raises(CertificationError, match=r"exceeded|tail"):
        prove_cover(equations, with_level(box, equations, 0.5))
    turned = replace(equations, signs=(*equations.signs[:-1], -equations.signs[-1]))
    with pytest.raises(CertificationError, match="not shown to alternate with the error"):
        prove_coefficients(turned, box)
    prove_form_tail(equations, parameters, level, arb(32))
    with pytest.raises(CertificationError, match="is only near"):
        prove_form_tail(equations, parameters, arb(10) ** -40, arb(32))


def test_a_tail_that_begins_where_its_terms_still_grow_is_refused():
    equations, box = solution(TWO)
    with pytest.raises(CertificationError, match="not shown to fall"):
        prove_form_tail(equations, equations.parameters(box), arb(100), arb(0.5))


def test_a_claim_of_the_wrong_shape_is_refused():
    found = best(PLAIN)
    for change, reason in (
        ({"points": found.points[1:], "signs": found.signs[1:]}, "3 peaks; 3 free parameters"),
        ({"signs": (1,) * len(found.signs)}, "there is none in the box"),
        ({"points": (), "signs": found.signs[-1:]}, "1 peaks; 3 free parameters"),
        ({"points": found.points[1:]}, "2 points with the signs"),
        ({"error": found.error * Decimal("1.0000001")}, "there is none in the box"),
    ):
        with pytest.raises(CertificationError, match=reason):
            certify(replace(found, **change))
    plain = minimax(LOGISTIC, digits=20)
    with pytest.raises(CertificationError, match="claim: 1 points with the signs"):
        certify(replace(plain, points=plain.points[:1]))  # the limit of its error is 0


def test_beyond_the_end_the_error_stays_within_the_tail():
    for name in (PLAIN, TWO):
        cover, error = best(name).cover, error_by_mpmath(name)
        places = (mpf(cover.end) + mpf(i) / 10 for i in range(201))
        assert max(abs(error(x)) for x in places) <= mpf(str(cover.tail.upper))
    assert best(PLAIN).cover.tail.lower <= best(PLAIN).error.upper  # it is the limit


@pytest.mark.parametrize(
    ("place", "name", "form"),
    [
        (tanh_errors, "prove_coefficients", PLAIN),
        (tanh_errors, "prove_form_tail", PLAIN),
        (tanh_errors, "_prove_limit_is_not_passed", PLAIN),
        (tanh_errors, "prove_scale", TWO),
        (tanh_optima, "_prove_close", TWO),
        (tanh_optima, "_prove_middle", TWO),
        (tanh_optima, "_prove_beyond", TWO),
        (tanh_optima, "_prove_above_for_gelu", TWO),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_step_of_the_proof_is_left_out(place, name, form, monkeypatch):
    def refuse(*_, **__):
        raise CertificationError("optimality", "refused")

    claim = best(form)
    monkeypatch.setattr(place, name, refuse)
    with pytest.raises(CertificationError, match="optimality: refused"):
        certify(claim)


def test_beyond_the_highest_scale_another_argument_serves_each_target(monkeypatch):
    sides, asked = [], [solution("tanh-sum-2"), solution(TWO)]
    for step in ("_prove_close", "_prove_middle"):
        monkeypatch.setattr(tanh_optima, step, lambda *_: None)
    monkeypatch.setattr(tanh_optima, "_prove_beyond", lambda *_, below: sides.append(below))
    monkeypatch.setattr(tanh_optima, "_prove_above_for_gelu", lambda *_: sides.append("GELU"))
    for equations, box in asked:
        prove_scale(equations, box)
    assert sides == [True, False, True, "GELU"]


def test_what_is_asked_beside_the_plain_error_is_refused_by_each_step():
    (_, box), (form, _) = solution(TWO), FORMS[TWO]
    for other in (
        problem(form, "GELU", Criterion(weight=1 / (1 + X**2))),
        problem(form, "GELU_derivative"),
        problem(form, "GELU", fixed={"a2": -1}),
        problem(merged_tanh_sum(2), "GELU"),
    ):
        asked = Equations(other, (1,) * (len(other.free) + 1))
        for step in (far_out, prove_best):
            with pytest.raises(ValueError, match=r"of a form of tanh|is infinite"):
                step(form, asked, box, *([arb(1)] if step is far_out else []), 4.0)


def test_a_form_with_two_scales_has_no_proof_of_its_tail():
    with pytest.raises(CertificationError, match=r"tail: the form has the scales .*accepted is"):
        minimax(tanh_sum(["0.57", "0.67"]), digits=10)


def test_a_scale_that_is_best_only_nearby_is_refused():
    """For GELU and two terms there is another scale whose error is larger by a half percent."""
    least, other = valleys(problem(*FORMS[TWO]))[:2]
    assert 1 < other.error / least.error < 1.01
    with pytest.raises(CertificationError, match="not shown to be worse than the best"):
        certify(other)


@pytest.mark.parametrize("name", slow_but(TWO.__eq__, SCALED))
def test_a_level_that_some_other_scale_reaches_is_refused(name):
    equations, box = solution(name)
    with pytest.raises(CertificationError, match="not shown to be worse"):
        prove_scale(equations, with_level(box, equations, 2))


SCALE = float(Decimal(result(f"{TWO}-s").value))


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("HIGHEST", SCALE * 1.003, "scales above"),
        ("LOWEST", SCALE * 0.997, "scales below"),
        ("CLOSE", 0.6, "not shown to be monotone"),
        ("_trend", lambda *_: 1, "do not cross"),
    ],
)
def test_ends_that_come_too_early_and_bounds_that_turn_are_refused(
    name, value, reason, monkeypatch
):
    monkeypatch.setattr(tanh_optima, name, value)
    with pytest.raises(CertificationError, match=reason):
        prove_scale(*solution(TWO))


def test_what_holds_for_the_highest_scale_alone_is_no_proof_for_all_above(monkeypatch):
    equations, box = solution(THREE)
    _prove_above_for_gelu(equations, box)
    monkeypatch.setattr(tanh_optima, "HIGHEST", 3.5)
    with pytest.raises(CertificationError, match="scales above"):
        _prove_above_for_gelu(equations, box)


@pytest.mark.parametrize("name", slow_but(OF_EACH_KIND.__contains__, SCALED))
def test_no_scale_is_left_out(name, monkeypatch):
    equations, box = solution(name)
    best, parts = equations.parameters(box)[-1], []
    for step in ("_prove_close", "_prove_middle"):
        monkeypatch.setattr(tanh_optima, step, lambda *args: parts.append(args[2:]))
    prove_scale(equations, box)
    (first, low), (middle, high), (last, end) = sorted(parts)
    assert (first, low, high, end) == (tanh_optima.LOWEST, middle, last, tanh_optima.HIGHEST)
    assert low < best < high


# the bound for other scales


@pytest.mark.parametrize("name", slow_but(["tanh-powers-scaled-limit", THREE].__contains__, SCALED))
def test_no_coefficients_are_better_than_the_bound_of_their_scale(name):
    equations, _ = solution(name)
    made = equations.problem
    generator = np.random.default_rng(5)
    for scale in np.exp(generator.uniform(np.log(0.1), np.log(3.5), 12)):
        places = best_points(made, float(scale))
        assert len(places) == len(made.family.coefficients) + 1
        piece = interval(float(scale) * 0.999, float(scale) * 1.001)
        bound = float(_bound_on_piece(equations, places, piece))
        for near in (0.999, 1.0, 1.001):
            least = _linear(made, float(scale) * near)[0]
            assert bound < least * 1.01  # the linear program knows a grid alone
        assert bound > 0.5 * least


def test_a_limit_that_is_passed_is_refused():
    """(1 − t)·Q with Q = 1: the error lies below its limit, which may then not be −E."""
    for quotient, sign in (({(0, 0): arb(1)}, 1), ({(0, 0): arb(-1)}, -1), ({(1, 1): arb(-1)}, -1)):
        with pytest.raises(CertificationError, match="not shown to bound it"):
            _prove_limit_is_not_passed(quotient, arb(1), arb(8), sign)
        _prove_limit_is_not_passed(quotient, arb(1), arb(8), -sign)
    with pytest.raises(CertificationError, match="not shown to bound it"):  # Φ falls more slowly
        _prove_limit_is_not_passed({(0, 0): arb(1)}, arb(4), arb(6), -1)
    with pytest.raises(CertificationError, match="not shown to bound it"):  # Φ is larger so far
        _prove_limit_is_not_passed({(0, 0): arb(10) ** -9}, arb(1), arb(4), -1)


# merging


@pytest.mark.parametrize("name", slow_but(TWO.__eq__, MERGED))
def test_the_rate_is_the_registered_one(name):
    """That is tried by differences of the least errors, in tests/shared/named_trials.py."""
    rate = certified_splitting_rate(best(name))
    assert agreeing_digits(result(f"{name}-rate").value, rate.lower) >= 35


def test_a_rate_of_another_form_or_without_positive_weights_is_refused():
    with pytest.raises(ValueError, match="merged_tanh_sum"):
        certified_splitting_rate(best(PLAIN))
    turned = replace(best(TWO), signs=(1, 1, 1))
    with pytest.raises(CertificationError, match="may not be positive"):
        certified_splitting_rate(turned)
    with pytest.raises(CertificationError, match="the last coefficient may be 0"):
        none = best(TWO).parameters["a2"] * 0
        certified_splitting_rate(
            replace(best(TWO), parameters={**best(TWO).parameters, "a2": none})
        )
