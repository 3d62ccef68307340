"""The table of criteria: every stored cell proved anew, and found again by other means."""

from decimal import Context, Decimal
from itertools import product

import mpmath
import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from scipy.optimize import minimize, minimize_scalar
from sympy import Rational, floor

from gelu_lib.evidence.criteria import best, prove_cell
from gelu_lib.evidence.criteria_table import FORMS, MEASURES, load_cell
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.grid import Grid
from gelu_lib.functions.expressions import X, logistic
from gelu_lib.functions.targets import TARGETS
from gelu_lib.register import agreeing_digits

CELLS = list(product(FORMS, TARGETS, MEASURES))
SUP_CELLS = [cell for cell in CELLS if MEASURES[cell[2]][0] == "sup"]
ONE_COEFFICIENT = [cell for cell in CELLS if cell[0] != "tanh-free"]
FIELDS = {"size": "error", "famous_size": "famous_error"}
"""Fields of a cell with another name than the record has."""


def rounded(proved, digits):
    """The numbers of a record, rounded; signs stay as they are."""
    if isinstance(proved, int):
        return proved
    context = Context(prec=digits)
    if hasattr(proved, "rounded"):
        return context.plus(proved.rounded(digits))
    if isinstance(proved, sp.Float):
        return context.create_decimal(Decimal(str(proved)))
    values = proved.values() if hasattr(proved, "values") else proved
    return [rounded(value, digits) for value in values]


# one of each norm always, the others at night
@pytest.mark.parametrize(
    ("form", "target", "measure"),
    slow_but(
        [("sigmoid", "GELU", measure) for measure in ("L1", "Gaussian L2", "sup")].__contains__,
        CELLS,
    ),
)
def test_a_stored_cell_is_what_is_proved(form, target, measure):
    kept = load_cell(form, target, measure)
    for name, proved in prove_cell(form, target, measure, 20).items():
        assert rounded(proved, 20) == rounded(getattr(kept, FIELDS.get(name, name)), 20), name


def equations(form, target, measure):
    """What the unknowns p, E, xᵢ and λᵢ of a sup norm satisfy, as written in the chapter."""
    kind, cell, weight = FORMS[form], load_cell(form, target, measure), MEASURES[measure][1]
    free = [p for p in kind.family.symbols if p.name not in kind.fixed]
    fixed = {p: kind.fixed[p.name] for p in kind.family.symbols if p.name in kind.fixed}
    polynomial = sum(p * X**n for p, n in zip(kind.family.symbols, (1, 3), strict=False))
    error = (1 / (1 + sp.exp(polynomial)) - sp.erfc(X / sp.sqrt(2)) / 2).subs(fixed)
    r = weight.rewrite(sp.exp) * {
        "Phi": error, "GELU": X * error, "GELU_derivative": sp.diff(X * error, X)
    }[target]  # fmt: skip
    jet = sp.lambdify((X, *free), [r, r.diff(X), *map(r.diff, free)], "mpmath")
    k, m = len(free), len(cell.points)

    def residuals(*unknowns):
        p, level, places, multipliers = (
            unknowns[:k], unknowns[k], unknowns[k + 1 : k + 1 + m], unknowns[k + 1 + m :]
        )  # fmt: skip
        jets = [jet(x, *p) for x in places]
        signed = [m * s for m, s in zip(multipliers, cell.signs, strict=True)]
        return [
            *(s * j[0] - level for s, j in zip(cell.signs, jets, strict=True)),
            *(j[1] for j in jets),
            *(sum(f * j[2 + i] for f, j in zip(signed, jets, strict=True)) for i in range(k)),
            sum(multipliers) - 1,
        ]

    known = [*(cell.parameters[p.name] for p in free), cell.error, *cell.points, *cell.multipliers]
    return residuals, known


@pytest.mark.parametrize(
    ("form", "target", "measure"),
    slow_but((SUP_CELLS[:1] + SUP_CELLS[-2:]).__contains__, SUP_CELLS),
)
def test_the_balance_of_the_highest_peaks_solved_with_mpmath_has_fifty_digits(
    form, target, measure
):
    residuals, known = equations(form, target, measure)
    with mpmath.workdps(70):
        start = list(map(float, known))
        found = mpmath.findroot(residuals, start, tol=mpmath.mpf(10) ** -120, maxsteps=30)
        for one, other in zip(found, known, strict=True):
            assert agreeing_digits(mpmath.nstr(one, 60), str(other)) >= 50


def grid(form, target, measure):
    kind = FORMS[form]
    made = problem(kind.family, target, Criterion(*MEASURES[measure]), kind.fixed)
    return Grid(made, np.linspace(0, 24, 4801))


@pytest.mark.parametrize(
    ("form", "target", "measure"), slow_but(lambda cell: cell[1] == "GELU", ONE_COEFFICIENT)
)
def test_a_scan_of_one_coefficient_finds_one_optimum_and_it_is_the_stored_one(
    form, target, measure
):
    """By other means than Newton's method, on a grid in double precision."""
    kept, sampled = load_cell(form, target, measure), grid(form, target, measure)
    name = sampled.problem.free[0].name
    scan = np.geomspace(*((0.02, 0.2) if name == "p3" else (0.8, 4.0)), 81)
    sizes = np.array([sampled.size([value]) for value in scan])
    bottoms = np.flatnonzero((sizes[1:-1] < sizes[:-2]) & (sizes[1:-1] < sizes[2:])) + 1
    assert len(bottoms) == 1
    around = scan[bottoms[0] - 1], scan[bottoms[0] + 1]
    found = minimize_scalar(lambda value: sampled.size([value]), bounds=around,
                            method="bounded", options={"xatol": 1e-9})  # fmt: skip
    assert found.fun == pytest.approx(float(kept.error), rel=2e-5)
    # at a smooth bottom a relative error of the size moves the place by about its square root
    assert found.x == pytest.approx(float(kept.parameters[name]), rel=2e-3)


@pytest.mark.parametrize(
    ("target", "measure", "start"),
    slow_but(
        lambda case: case[0] == "GELU" and case[2] == (1.7, 0.1),
        product(TARGETS, MEASURES, [(1.45, 0.05), (1.7, 0.1)]),
    ),
)
def test_a_search_from_afar_for_two_coefficients_finds_no_better_ones(target, measure, start):
    found = minimize(grid("tanh-free", target, measure).size, start, method="Nelder-Mead",
                     options={"xatol": 1e-8, "fatol": 1e-12})  # fmt: skip
    kept = load_cell("tanh-free", target, measure)
    assert found.fun == pytest.approx(float(kept.error), rel=1e-4)


@pytest.mark.parametrize("cell", CELLS, ids=" ".join)
def test_the_famous_constants_are_never_better_than_the_best(cell):
    assert load_cell(*cell).famous_ratio > 1


def rounds_to_the_literal(cell):
    literal = FORMS[cell[0]].literal
    places = len(literal.partition(".")[2])
    scaled = load_cell(*cell).constant * 10**places + Rational(1, 2)
    return floor(scaled) == Rational(literal) * 10**places


def test_which_cells_round_to_the_famous_constants():
    assert set(filter(rounds_to_the_literal, CELLS)) == {
        ("tanh-pinned", "Phi", "sup"),
        ("sigmoid", "Phi", "sup"),
        ("sigmoid", "GELU_derivative", "L2"),
        ("sigmoid", "GELU_derivative", "Gaussian sup"),
    }


@pytest.mark.parametrize(
    "cell", [("tanh", "Phi", "sup"), ("sigmoid", "erf", "sup"), ("sigmoid", "Phi", "L3")]
)
def test_a_cell_outside_the_table_is_refused(cell):
    for function in (load_cell, lambda *cell: best(*cell, 10)):
        with pytest.raises(ValueError, match=r"must be one of .* got '(tanh|erf|L3)'"):
            function(*cell)


def test_balance_exercise_the_smallest_slopes_are_mirror_images_of_the_largest():
    u = sp.Symbol("u", real=True)
    slope = sp.diff(u * logistic(u), u)
    total = slope + slope.subs(u, -u) - 1
    assert sp.simplify(total.rewrite(sp.exp)) == 0
