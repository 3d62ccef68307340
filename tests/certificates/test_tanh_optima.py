"""The best forms made of tanh: proved to be the best at every scale, or refused."""

import dataclasses
from functools import cache

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx
from kinds import slow_but
from proofs import require_derivatives
from sympy import oo

from gelu_lib.certificates.best import tanh_errors, tanh_optima
from gelu_lib.certificates.best.certificate import certify, prove_error
from gelu_lib.certificates.best.tanh_errors import (
    _prove_limit_is_not_passed,
    _prove_tail,
    multipliers,
    prove_coefficients,
)
from gelu_lib.certificates.best.tanh_optima import (
    _bound_on_piece,
    _prove_above_for_gelu,
    prove_scale,
)
from gelu_lib.certificates.engine.balls import interval
from gelu_lib.certificates.engine.errors import CertificationError
from gelu_lib.certificates.engine.solutions import Equations, polished, prove_solution
from gelu_lib.certificates.facts.merging import certified_splitting_rate
from gelu_lib.evidence.rivals import MERGED
from gelu_lib.fits.alternation import error_curve, solve_level, start_level
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import tail_form
from gelu_lib.fits.tanh_starts import _grid, _linear, best_points, valleys
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.functions.tanh_forms import S, merged_tanh_sum, tanh_powers
from gelu_lib.register import agreeing_digits, result

pytestmark = pytest.mark.usefixtures("proof_precision")

FORMS = {
    "powers": (tanh_powers((1, 3, 5)), "Phi"),
    "powers for GELU": (tanh_powers((1, 3, 5), limit_one=True), "GELU"),
    "scaled powers": (tanh_powers((1, 3, 5), scaled=True, limit_one=True), "Phi"),
    "two merged": (merged_tanh_sum(2), "Phi"),
    "two merged for GELU": (merged_tanh_sum(2, limit_one=True), "GELU"),
    "three merged": (merged_tanh_sum(3), "Phi"),
    "three merged for GELU": (merged_tanh_sum(3, limit_one=True), "GELU"),
}
SCALED = [name for name in FORMS if S in FORMS[name][0].symbols]
OF_EACH_KIND = ["powers", "scaled powers", "two merged for GELU"]
EVERY_FORM = pytest.mark.parametrize("name", slow_but(OF_EACH_KIND.__contains__, FORMS))


@cache
def proved(name):
    return certify(minimax(*FORMS[name]), 30)


def solved(best):
    """The equations of an optimum, and the box of their solution."""
    places = [x for x in best.points if x != oo]
    made = problem(best.family, best.criterion)
    equations = Equations(made, best.signs, infinite=len(places) < len(best.points))
    start = map(float, (*best.parameters.values(), best.error, *places))
    with ctx.workprec(128):
        return equations, prove_solution(equations, polished(equations, [*start]))


@cache
def solution(name):
    return solved(minimax(*FORMS[name]))


@pytest.mark.parametrize("name", slow_but("two merged for GELU".__eq__, FORMS))
def test_the_enclosures_hold_what_mpmath_computes_and_decide_the_digits(name):
    found, best = proved(name), minimax(*FORMS[name], digits=50)
    numbers = [*best.parameters.values(), best.error, *(x for x in best.points if x != oo)]
    ends = [*found.parameters.values(), found.error, *found.points]
    for number, enclosure in zip(numbers, ends, strict=True):
        assert agreeing_digits(str(number.n(50)), enclosure.lower) >= 38
        assert agreeing_digits(enclosure.rounded(30), enclosure.upper) >= 30
    assert found.signs == best.signs


@EVERY_FORM
def test_the_derivatives_of_the_equations_are_those_of_their_values(name):
    equations, box = solution(name)
    require_derivatives(equations, [ball.mid() for ball in box], 40)


@EVERY_FORM
def test_the_multipliers_cancel_and_have_the_signs_of_the_error(name):
    equations, box = solution(name)
    form, parameters = equations.problem.family, equations.parameters(box)
    places = equations.places(box)[: len(form.coefficients) + 1]
    if len(places) < len(form.coefficients) + 1:
        places = [*places, None]
    found = [float(m) for m in multipliers(equations, places, parameters)]
    values = [float(p) for p in parameters]
    for symbol in form.coefficients:
        function = numpy_function(
            tail_form(form, equations.curve.of).diff(symbol), X, *form.symbols
        )
        at = [-0.5 if x is None else float(function(float(x), *values)) for x in places]
        assert abs(np.dot(found, at)) < 1e-12 * np.dot(np.abs(found), np.abs(at))
    signs = np.sign(found) * equations.signs[: len(found)]
    assert abs(signs.sum()) == len(signs)


# what is refused


@EVERY_FORM
def test_a_larger_error_than_the_level_is_refused(name):
    equations, box = solution(name)
    count = len(equations.problem.family.symbols)
    lower = [*box[:count], box[count] / 2, *box[count + 1 :]]
    with pytest.raises(CertificationError):
        prove_error(equations, lower)


@EVERY_FORM
def test_points_whose_multipliers_do_not_alternate_are_refused(name):
    equations, box = solution(name)
    turned = dataclasses.replace(equations, signs=(*equations.signs[:-1], -equations.signs[-1]))
    with pytest.raises(CertificationError, match="not shown to alternate with the error"):
        prove_coefficients(turned, box)


def test_a_claim_of_the_wrong_shape_is_refused():
    fit = minimax(*FORMS["powers"])
    fewer = dataclasses.replace(fit, points=fit.points[1:], signs=fit.signs[1:])
    unlike = dataclasses.replace(fit, signs=(1,) * len(fit.signs))
    limit_alone = dataclasses.replace(fit, points=fit.points[-1:], signs=fit.signs[-1:])
    assert limit_alone.points == (oo,)
    for claim in (fewer, unlike, limit_alone):
        with pytest.raises(CertificationError, match="do not alternate at enough points"):
            certify(claim)
    with pytest.raises(CertificationError, match="claim: 3 points with the signs"):
        certify(dataclasses.replace(fewer, signs=fit.signs))
    with pytest.raises(CertificationError, match="solution: there is none in the box"):
        certify(dataclasses.replace(fit, error=fit.error * sp.Float("1.0000001", 30)))


def test_the_error_of_a_member_of_the_family_is_not_largest_in_the_limit():
    best = minimax(LOGISTIC)
    with pytest.raises(CertificationError, match="claim: oo is not a finite SymPy number"):
        certify(dataclasses.replace(best, points=(best.points[0], oo)))


def test_beyond_the_end_the_error_stays_within_the_tail():
    for name in ("powers", "two merged for GELU"):
        found, best = proved(name), minimax(*FORMS[name])
        assert (found.family, found.criterion) == (best.family, best.criterion)
        error = numpy_function(tail_form(*FORMS[name]), X, *best.family.symbols)
        x = np.linspace(found.end, found.end + 20, 2001)
        size = np.abs(error(x, *map(float, best.parameters.values())))
        assert np.max(size) <= float(found.tail.upper)
    assert proved("powers").tail.lower <= proved("powers").error.upper  # it is the limit


def test_no_step_of_the_proof_is_left_out(monkeypatch):
    fit = minimax(*FORMS["powers"])
    with monkeypatch.context() as patched:
        patched.setattr(tanh_errors, "multipliers", lambda _, places, __: [arb(0) for _ in places])
        with pytest.raises(CertificationError, match="not shown to alternate with the error"):
            certify(fit)
    monkeypatch.setattr(tanh_errors, "ENDS", ())
    with pytest.raises(CertificationError, match="tail: no end beyond"):
        certify(fit)


def second_best(form, of):
    """A fit whose error alternates, at the second of the local minima by the scale."""
    valley = valleys(form, of)[1]
    _, free = _linear(form, of, valley.scale)
    values, x = [*free, valley.scale], _grid(form, valley.scale)
    error = numpy_function(tail_form(form, of), X, *form.symbols)(x, *values)
    level = solve_level(
        error_curve(problem(form, Criterion("sup", of))),
        start_level(form.symbols, values, x, error),
        16,
    )
    fit = minimax(form, of)
    return dataclasses.replace(
        fit,
        parameters=dict(zip((p.name for p in form.symbols), map(sp.Float, level.parameters))),  # noqa: B905
        error=sp.Float(level.error),
        points=tuple(map(sp.Float, level.points)),
        signs=level.signs,
    )


def test_a_scale_that_is_best_only_nearby_is_refused():
    """For GELU and two terms there is another scale whose error is larger by a half percent."""
    form, of = FORMS["two merged for GELU"]
    other, best = second_best(form, of), minimax(form, of)
    assert 1 < other.error / best.error < 1.01
    with pytest.raises(CertificationError, match="not shown to be worse than the best"):
        certify(other)


@pytest.mark.parametrize("name", slow_but("two merged for GELU".__eq__, SCALED))
def test_a_level_that_some_other_scale_reaches_is_refused(name):
    equations, box = solution(name)
    count = len(equations.problem.family.symbols)
    higher = [*box[:count], box[count] * 2, *box[count + 1 :]]
    with pytest.raises(CertificationError, match="not shown to be worse"):
        prove_scale(equations, higher)


def test_a_far_end_that_comes_too_early_is_refused(monkeypatch):
    equations, box = solution("two merged for GELU")
    best = float(equations.parameters(box)[-1])
    monkeypatch.setattr(tanh_optima, "HIGHEST", best * 1.003)
    with pytest.raises(CertificationError, match="scales above"):
        prove_scale(equations, box)
    monkeypatch.setattr(tanh_optima, "HIGHEST", 4.0)
    monkeypatch.setattr(tanh_optima, "LOWEST", best * 0.997)
    with pytest.raises(CertificationError, match="scales below"):
        prove_scale(equations, box)


def test_bounds_that_turn_or_both_rise_do_not_separate_the_scales(monkeypatch):
    equations, box = solution("two merged for GELU")
    monkeypatch.setattr(tanh_optima, "CLOSE", 0.6)
    with pytest.raises(CertificationError, match="not shown to be monotone"):
        prove_scale(equations, box)
    equations, box = solution("two merged for GELU")
    monkeypatch.setattr(tanh_optima, "_trend", lambda *_: 1)
    with pytest.raises(CertificationError, match="do not cross"):
        prove_scale(equations, box)


def test_what_holds_for_the_highest_scale_alone_is_no_proof_for_all_above(monkeypatch):
    equations, box = solution("three merged for GELU")
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


@pytest.mark.parametrize(
    "name", slow_but(["scaled powers", "three merged for GELU"].__contains__, SCALED)
)
def test_no_coefficients_are_better_than_the_bound_of_their_scale(name):
    equations, _ = solution(name)
    form, of = equations.problem.family, equations.curve.of
    generator = np.random.default_rng(5)
    for scale in np.exp(generator.uniform(np.log(0.1), np.log(3.5), 12)):
        places = best_points(form, of, float(scale))
        if len(places) < len(form.coefficients) + 1:
            continue
        piece = interval(float(scale) * 0.999, float(scale) * 1.001)
        bound = float(_bound_on_piece(equations, places, piece))
        for near in (0.999, 1.0, 1.001):
            least, _ = _linear(form, of, float(scale) * near)
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


@EVERY_FORM
def test_a_tail_that_is_larger_than_the_level_is_refused(name):
    equations, box = solution(name)
    parameters = equations.parameters(box)
    _prove_tail(equations, parameters, equations.level(box), arb(32))
    with pytest.raises(CertificationError, match="is only near"):
        _prove_tail(equations, parameters, arb(10) ** -40, arb(32))


def test_a_tail_that_begins_where_its_terms_still_grow_is_refused():
    equations, box = solution("two merged for GELU")
    with pytest.raises(CertificationError, match="not shown to fall"):
        _prove_tail(equations, equations.parameters(box), arb(100), arb(0.5))


# merging


MERGING = {
    name: next(id for id in MERGED if MERGED[id] == FORMS[name])
    for name in FORMS
    if "merged" in name
}


@pytest.mark.parametrize("name", slow_but("two merged for GELU".__eq__, MERGING))
def test_the_rate_is_the_registered_one(name):
    """That is tried by differences of the least errors, in tests/shared/named_trials.py."""
    rate = certified_splitting_rate(proved(name))
    assert agreeing_digits(result(f"{MERGING[name]}-rate").value, rate.lower) >= 25


def test_a_rate_of_another_form_or_without_positive_weights_is_refused():
    with pytest.raises(ValueError, match="merged_tanh_sum"):
        certified_splitting_rate(proved("powers"))
    best = proved("two merged for GELU")
    turned = dataclasses.replace(best, signs=(1, 1, 1))
    with pytest.raises(CertificationError, match="may not be positive"):
        certified_splitting_rate(turned)
