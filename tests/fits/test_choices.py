"""The table of criteria: every stored cell computed again, by the same and by other means."""

from itertools import product

import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from scipy.optimize import minimize, minimize_scalar
from sympy import Rational, floor

from gelu_lib.fits.criteria import problem
from gelu_lib.fits.optima import FORMS, MEASURES, compute, criterion, size, stored
from gelu_lib.fits.starts import grid_size
from gelu_lib.functions.expressions import logistic
from gelu_lib.functions.families import TARGETS
from gelu_lib.register import agreeing_digits

CELLS = [(form, of, measure) for form in FORMS for of in TARGETS for measure in MEASURES]
ONE_COEFFICIENT = [cell for cell in CELLS if cell[0] != "tanh-free"]


# one of each norm always, the others at night
@pytest.mark.parametrize(
    ("form", "of", "measure"),
    slow_but(
        [("tanh-free", "GELU", measure) for measure in ("L1", "Gaussian L2", "sup")].__contains__,
        CELLS,
    ),
)
def test_a_stored_cell_is_what_is_computed(form, of, measure):
    kept = stored(form, of, measure)
    again = compute(form, of, measure, digits=10)
    for name in ("constant", "error", "famous_error", "worst", "worst_error"):
        assert agreeing_digits(str(getattr(again, name)), str(getattr(kept, name))) >= 10, name
    for name in ("points", "multipliers"):
        for one, other in zip(getattr(again, name), getattr(kept, name), strict=True):
            assert agreeing_digits(str(one), str(other)) >= 10, name
    assert again.signs == kept.signs


@pytest.mark.parametrize(
    ("form", "of", "measure"), slow_but(lambda cell: cell[1] == "GELU", ONE_COEFFICIENT)
)
def test_a_scan_of_one_coefficient_finds_one_optimum_and_it_is_the_stored_one(form, of, measure):
    """By other means than Newton's method, on a grid in double precision."""
    kept, kind = stored(form, of, measure), FORMS[form]
    made = problem(kind.family, criterion(of, measure), kind.fixed)
    name = made.free[0].name
    low, high = (0.02, 0.2) if name == "p3" else (0.8, 4.0)
    scan = np.geomspace(low, high, 81)
    sizes = np.array([grid_size(made, [value]) for value in scan])
    bottoms = np.flatnonzero((sizes[1:-1] < sizes[:-2]) & (sizes[1:-1] < sizes[2:])) + 1
    assert len(bottoms) == 1
    around = scan[bottoms[0] - 1], scan[bottoms[0] + 1]
    found = minimize_scalar(lambda value: grid_size(made, [value]), bounds=around,
                            method="bounded", options={"xatol": 1e-9})  # fmt: skip
    assert found.fun == pytest.approx(float(kept.error), rel=2e-5)
    # at a smooth bottom a relative error of the size moves the place by about its square root
    assert found.x == pytest.approx(float(kept.parameters[name]), rel=2e-3)


@pytest.mark.parametrize(
    ("of", "measure", "start"),
    slow_but(
        lambda case: case[0] == "GELU" and case[2] == (1.7, 0.1),
        product(TARGETS, MEASURES, [(1.45, 0.05), (1.7, 0.1)]),
    ),
)
def test_a_search_from_afar_for_two_coefficients_finds_no_better_ones(of, measure, start):
    made = problem(FORMS["tanh-free"].family, criterion(of, measure))
    found = minimize(lambda free: grid_size(made, free), start, method="Nelder-Mead",
                     options={"xatol": 1e-8, "fatol": 1e-12})  # fmt: skip
    assert found.fun == pytest.approx(float(stored("tanh-free", of, measure).error), rel=1e-4)


@pytest.mark.parametrize("cell", CELLS, ids=" ".join)
def test_the_famous_constants_are_never_better_than_the_best(cell):
    assert stored(*cell).famous_ratio > 1


def rounds_to_the_literal(cell):
    literal = FORMS[cell[0]].literal
    places = len(literal.partition(".")[2])
    return (
        floor(stored(*cell).constant * 10**places + Rational(1, 2))
        == Rational(literal) * 10**places
    )


def test_which_cells_round_to_the_famous_constants():
    assert set(filter(rounds_to_the_literal, CELLS)) == {
        ("tanh-pinned", "Phi", "sup"),
        ("sigmoid", "Phi", "sup"),
        ("sigmoid", "GELU_derivative", "L2"),
        ("sigmoid", "GELU_derivative", "Gaussian sup"),
    }


@pytest.mark.parametrize(
    "arguments",
    [("tanh", "Phi", "sup"), ("sigmoid", "erf", "sup"), ("sigmoid", "Phi", "L3")],
)
def test_a_cell_outside_the_table_is_refused(arguments):
    for function in (stored, compute):
        with pytest.raises(ValueError, match=r"must be one of .* got '(tanh|erf|L3)'"):
            function(*arguments)


def test_the_size_at_other_parameters():
    best = stored("sigmoid", "Phi", "L2")
    assert agreeing_digits(
        str(size(best.best, "Phi", "L2", 20)), str(best.error)
    ) >= 19  # fmt: skip


def test_balance_exercise_the_smallest_slopes_are_mirror_images_of_the_largest():
    u = sp.Symbol("u", real=True)
    slope = sp.diff(u * logistic(u), u)
    total = slope + slope.subs(u, -u) - 1
    assert sp.simplify(total.rewrite(sp.exp)) == 0
