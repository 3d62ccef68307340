"""GELU′: the best members by their highest peaks, which balance, and claims that are refused."""

from dataclasses import replace
from decimal import Context, Decimal
from functools import cache
from itertools import product

import numpy as np
import pytest
from proofs import fails

from gelu_lib.certificates.best import theorem
from gelu_lib.certificates.best.balance import prove_balance
from gelu_lib.certificates.best.certificate import certify, multipliers, proved
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.engine.solutions import Equations, polished, prove_solution
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.criteria_table import FORMS, MEASURES, load_cell
from gelu_lib.fits import grid
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import problem
from gelu_lib.fits.grid import Grid
from gelu_lib.fits.start import StartError, made_start
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC

DIGITS = 40
CELLS = list(product(FORMS, ["sup", "Gaussian sup"]))


@cache
def best(form, measure="sup"):
    kind, (_, weight) = FORMS[form], MEASURES[measure]
    return minimax(kind.family, "GELU_derivative", kind.fixed, DIGITS, weight)


@pytest.mark.parametrize(("form", "measure"), CELLS)
def test_the_best_of_all_has_the_digits_of_the_table(form, measure):
    found, cell = best(form, measure), load_cell(form, "GELU_derivative", measure)
    context = Context(prec=DIGITS)
    numbers = [*found.parameters.values(), found.error, *found.points, *multipliers(found)]
    stored = [*cell.parameters.values(), cell.error, *cell.points, *cell.multipliers]
    for number, digits in zip(numbers, stored, strict=True):
        assert number.rounded(DIGITS) == context.create_decimal(Decimal(str(digits)))
    assert (found.signs, found.optimal) == (cell.signs, "global")
    assert found.theorem == "balance-theorem"


@pytest.mark.parametrize(("form", "measure"), CELLS)
def test_a_start_is_near_and_no_point_of_a_grid_says_more(form, measure):
    found, near = best(form, measure), begin(best(form, measure).problem)
    assert near.signs == found.signs
    assert near.error == pytest.approx(float(found.error), rel=2e-4)
    assert near.points == pytest.approx([float(x) for x in found.points], abs=0.02)
    middle = [float(found.parameters[p.name]) for p in found.problem.free]
    assert Grid(found.problem, np.linspace(0, 24, 48_001)).size(middle) <= float(found.error) * (
        1 + 1e-9
    )


def test_on_an_interval_an_end_may_be_the_highest_peak():
    found = minimax(TANH_CUBIC, "GELU_derivative", digits=20, interval=(0, 3))
    assert [float(x) for x in found.points][-1] == 3
    assert found.optimal == "among all nearby"
    x = np.linspace(0, 3, 30_001)
    size = np.abs(found.error_at(x, "GELU_derivative"))
    assert size.max() == pytest.approx(float(found.error), rel=1e-7)


def test_a_search_that_does_not_settle_says_so(monkeypatch):
    monkeypatch.setitem(grid.SEARCH, "maxiter", 3)
    begin.cache_clear()
    with pytest.raises(StartError, match="did not settle"):
        begin(problem(LOGISTIC, "GELU_derivative"))
    begin.cache_clear()


# what is refused


def off(claim, name, factor):
    """The claim with one parameter changed by a factor, in exact arithmetic."""
    ends = claim.parameters[name]
    changed = replace(ends, lower=ends.lower * Decimal(factor), upper=ends.upper * Decimal(factor))
    return replace(claim, parameters={**claim.parameters, name: changed})


@pytest.mark.parametrize(
    ("form", "change", "step"),
    [
        ("tanh-free", lambda o: off(o, "p1", "1.000000001"), "solution"),
        ("tanh-free", lambda o: off(o, "p3", "0.999999999"), "solution"),
        ("tanh-free", lambda o: replace(o, error=o.error * 2), "solution"),
        ("tanh-free", lambda o: replace(o, signs=(1, -1, 1)), "solution"),
        ("tanh-free", lambda o: replace(o, points=(*o.points[:2], o.points[2] + 1)), "solution"),
        ("tanh-free", lambda o: replace(o, points=o.points[:2], signs=o.signs[:2]), "claim"),
        ("tanh-pinned", lambda o: off(o, "p1", "1.0001"), "claim"),
        ("tanh-pinned", lambda o: replace(o, signs=(-o.signs[0],)), "solution"),
    ],
)
def test_a_false_claim_is_refused(form, change, step):
    with fails(step):
        certify(change(best(form)), 20)


def balanced(places, signs):
    """Equations of highest peaks of the free tanh form at these places, and a solution near."""
    made = problem(TANH_CUBIC, "GELU_derivative")
    equations = Equations(made, signs)
    return equations, polished(equations, [1.599, 0.0711, 5e-4, *places])


def test_a_balance_below_a_higher_peak_is_refused():
    equations, box = balanced([1.23, 2.06, 3.21], (1, -1, 1))
    *free, error = map(float, box[:3])
    start = made_start(equations.problem, free, error, map(float, box[3:]), equations.signs)
    with fails("bound", r"is exceeded at x = 0\.\d"):
        certify(start)


@pytest.mark.usefixtures("proof_precision")
def test_peaks_that_do_not_balance_are_refused():
    equations, box = balanced([0.446, 1.23, 2.06], (-1, 1, -1))
    with fails("optimality", "not shown to balance"):
        prove_balance(equations, prove_solution(equations, box))


@pytest.mark.usefixtures("proof_precision")
@pytest.mark.parametrize("sign", [1, -1])
def test_a_peak_that_every_step_lowers_is_refused_by_its_second_derivatives(sign):
    """A stationary peak that falls whichever way the scale moves; only its sign is turned here."""
    found = best("sigmoid")
    place, scale = (ends.ball for ends in (found.points[0], found.parameters["p1"]))
    equations = Equations(found.problem, (sign * found.signs[0],))
    box = [scale, sign * found.error.ball, place]
    if sign == 1:
        prove_balance(equations, box)
    else:
        with fails("optimality", "not shown to balance"):
            prove_balance(equations, box)


def test_the_balance_is_part_of_the_proof(monkeypatch):
    def refuse(*_):
        raise CertificationError("optimality", "asked")

    monkeypatch.setattr(theorem, "prove_balance", refuse)
    proved.cache_clear()
    with fails("optimality", "asked"):
        minimax(TANH_CUBIC, "GELU_derivative", SLOPE_KEPT, 10)
    proved.cache_clear()
