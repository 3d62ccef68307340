"""What the chapters forms and forms-rivals say in words."""

import re
from decimal import Decimal
from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from reader import glued, table
from scipy.special import ndtr
from sympy import oo

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.evidence.kinds import OfBest
from gelu_lib.evidence.proved import READ, compute_digits, proof
from gelu_lib.evidence.rivals import MERGED
from gelu_lib.fits.criteria import NotAnOptimumError
from gelu_lib.functions.expressions import LOCAL_SLOPE, X, numpy_function
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC, Family, odd_logistic
from gelu_lib.functions.shape import increases
from gelu_lib.functions.tanh_forms import merged_tanh_sum, tanh_powers
from gelu_lib.functions.targets import GELU
from gelu_lib.register import agreeing_digits, result, results
from gelu_lib.show.tables import decimal

BOOK = Path(__file__).resolve().parents[2] / "book"
PINNED = {"p1": 2 * LOCAL_SLOPE}


def number(id):
    return float(result(id).number)


ODD = (1, 3, 5, 7, 9, 11)


def rivals_with(count, of):
    """The rival forms with so many free parameters, of every kind that the chapter has."""
    yield merged_tanh_sum(count, limit_one=True)
    yield tanh_powers(ODD[: count + 1], limit_one=True)
    if count > 1:
        yield tanh_powers(ODD[:count], scaled=True, limit_one=True)
    if of == "Phi":  # with another limit than 1 the error of GELU is infinite
        yield tanh_powers(ODD[:count])
        if count > 1:
            yield merged_tanh_sum(count - 1)
            yield tanh_powers(ODD[: count - 1], scaled=True)


def least_error_of_rivals(count, of, which=lambda form: True):
    """The least error of the rival forms, or of some, with so many free parameters."""
    tried = list(rivals_with(count, of))
    assert {len(form.symbols) for form in tried} == {count}
    return min(float(minimax(form, of).error) for form in tried if which(form))


def is_scaled_power(form):
    return (
        len(form.terms) > 1 and form.terms == tanh_powers(ODD[: len(form.terms)], scaled=True).terms
    )


ERRORS = slow_but("GELU".__eq__, ["Phi", "GELU"])
OURS = {2: TANH_CUBIC, 3: TANH_CUBIC, 4: odd_logistic(7), 5: odd_logistic(9)}


@pytest.mark.parametrize("of", ERRORS)
def test_a_rival_wins_at_one_parameter(of):
    rival = least_error_of_rivals(1, of)
    assert rival < float(minimax(LOGISTIC, of).error)
    assert rival > 5 * float(minimax(TANH_CUBIC, of, PINNED).error)


@pytest.mark.parametrize("of", ERRORS)
@pytest.mark.parametrize("count", slow_but(lambda count: count == 2, OURS))
def test_a_rival_wins_at_none_of_two_to_five_parameters(count, of):
    rival = least_error_of_rivals(count, of)
    assert float(minimax(OURS[count], of).error) < rival


ERRATA = (BOOK / "errata.md").read_text(encoding="utf-8")
PRINTED = {2: "0.00181", 4: "0.0000928"}


@pytest.mark.parametrize("count", slow_but((4).__eq__, range(2, 6)))
def test_powers_with_a_free_scale_need_four_numbers_to_be_as_good_as_the_cubic(count):
    scaled = least_error_of_rivals(count, "Phi", is_scaled_power)
    assert (scaled < float(minimax(TANH_CUBIC).error)) == (count >= 4)
    if count in PRINTED:  # on the page of errata
        assert PRINTED[count] in ERRATA
        assert f"{Decimal(scaled):.3g}" == PRINTED[count]
    drawn = least_error_of_rivals(count, "Phi", lambda form: not is_scaled_power(form))
    assert scaled < drawn


def test_what_powers_gain_and_where_the_dip_is():
    fit = minimax(tanh_powers((1, 3, 5)))
    assert sum(map(float, fit.parameters.values())) > 1
    assert fit.signs[-1] == -1
    ratio = number("tanh-powers-limit-error") / number("tanh-powers-two-limit-error")
    assert 0.95 < ratio < 1
    assert number("tanh-powers-scaled-limit-error") < number("tanh-powers-limit-error") / 5
    assert ndtr(number("degree-7-dip")) == 1


@pytest.mark.parametrize("count", slow_but(lambda count: count == 2, [2, 3]))
def test_merged_forms_with_the_limit_1_exceed_1_and_fall_again(count):
    fit = minimax(merged_tanh_sum(count, limit_one=True))
    values = map(float, fit.parameters.values())
    g = numpy_function(fit.family.g, X, *fit.family.symbols)(np.linspace(0, 15, 301), *values)
    assert g.max() > 1
    assert not increases(fit)


@pytest.mark.parametrize("id", slow_but(lambda id: "sum-3" not in id, MERGED))
def test_a_merged_form_tends_to_its_limit_from_its_side_at_the_registered_rate(id):
    form, of = MERGED[id]
    count = len(form.terms)
    best = minimax(form, of, digits=30)
    parameters = best.parameters
    values = {symbol: parameters[symbol.name].middle for symbol in form.symbols}
    last = values[form.coefficients[-1]]
    x = 12 / values[form.symbols[-1]]
    left = (form.limit - form.g).subs(values).subs(X, x).evalf(60) / 2
    tail = last * (-2 * x) ** (count - 1) * sp.exp(-24).evalf(60)
    assert 0.7 < left / tail < 1.3
    if of == "Phi":
        assert tail < 0 and not increases(best)
    # In the table of the merged forms stand scale, error and rate, as they are registered.
    page = (BOOK / "forms-rivals.ipynb").read_text(encoding="utf-8")
    numbers = zip(("s", "error", "rate"), (6, 6, 3), strict=True)
    shown = " | ".join(decimal(number(f"{id}-{part}"), digits) for part, digits in numbers)
    assert page.count(f"| {shown} |") == 1


def test_the_rates_of_the_table_are_between_those_that_the_text_has():
    rates = [float(row[-1]) for row in table("forms-rivals", "degree") if row[-1]]
    said = glued("forms-rivals")
    low, high = float(said["rates-from"]), float(said["rates-to"])
    assert len(rates) == 8 and low < min(rates) and max(rates) < high
    assert max(rates) > high - 0.1 and min(rates) < low + 0.1  # no wider than a digit


def test_the_last_sign_decides_beside_a_kept_part_and_one_merged_form_increases():
    with pytest.raises(NotAnOptimumError, match="last coefficient"):
        minimax(odd_logistic(5), fixed=PINNED)
    kept = {"p1": sp.Rational("1.6")}
    cubic = minimax(TANH_CUBIC, fixed=kept)
    assert cubic.signs == (-1, 1)
    assert minimax(odd_logistic(5), fixed=kept).error < 0.9 * cubic.error
    form = merged_tanh_sum(2, limit_one=True)
    grows = {of: increases(minimax(form, of)) for of in ("Phi", "GELU")}
    assert grows == {"Phi": False, "GELU": True}


# --- the numbers of the chapter, found again by a general solver ------------------------------


def sigma_terms(exponents, x, p):
    """Φ̂ and its slope for a member of a family."""
    v = mpmath.fsum(c * x**n for c, n in zip(p, exponents, strict=True))
    rise = mpmath.fsum(n * c * x ** (n - 1) for c, n in zip(p, exponents, strict=True))
    member = 1 / (1 + mpmath.exp(-v))
    return member, rise * member * (1 - member)


def power_terms(exponents, x, a, s):
    """g and its slope for powers of tanh(s·x)."""
    t = mpmath.tanh(s * x)
    g = mpmath.fsum(c * t**n for c, n in zip(a, exponents, strict=True))
    rise = mpmath.fsum(n * c * t ** (n - 1) for c, n in zip(a, exponents, strict=True))
    return g, rise * s * (1 - t**2)


def merged_terms(x, c, s):
    """g and its slope for tanh(s·x) and its first two derivatives by s."""
    t = mpmath.tanh(s * x)
    q = 1 - t**2
    terms = (t, x * q, -2 * x**2 * t * q)
    slopes = (s * q, q - 2 * s * x * q * t, -4 * x * t * q - 2 * s * x**2 * q * (q - 2 * t**2))
    return [mpmath.fsum(a * b for a, b in zip(c, parts, strict=False)) for parts in (terms, slopes)]


FAMILIES = ("degree-7", "degree-9", "sparse")
TANH_FORMS = [
    id.removesuffix("-error") for id in READ if re.fullmatch("tanh-(?:powers|sum).*error", id)
]
"""The forms, by the first part of their IDs."""


def problem(id):
    """A form, the function that it approximates, and its parameters' names in the register."""
    best = proof(f"{id}-error")
    named = {name: proof(name) for name in READ if name.startswith(f"{id}-")}
    own = {
        one.part: name.removeprefix(f"{id}-") for name, one in named.items()
        if isinstance(one, OfBest) and (one.family, one.target) == (best.family, best.target)
    }  # fmt: skip
    return best.family, best.target, [own[symbol.name] for symbol in best.family.symbols]


def approximation(id, values):
    """x ↦ Φ̂ and Φ̂′, and the limit, for a form of the chapter and values of its parameters."""
    form, _, names = problem(id)
    if isinstance(form, Family):
        return lambda x: sigma_terms(form.exponents, x, values), 1
    scale = values[-1] if names[-1] == "s" else mpmath.mpf(1)
    free = list(values[: len(form.coefficients)])
    merged = id in MERGED
    if form.limit_one:
        free.insert(0, 1 if merged else 1 - mpmath.fsum(free))

    def at(x):
        exponents = range(1, 2 * len(free), 2)
        terms = merged_terms(x, free, scale) if merged else power_terms(exponents, x, free, scale)
        return (1 + terms[0]) / 2, terms[1] / 2

    return at, (1 + (free[0] if merged else mpmath.fsum(free))) / 2


def solved_again(id, fit):
    """Parameters, error and places by findroot, from the double-precision part of a fit."""
    count, signs = len(fit.parameters), fit.signs
    finite = [float(x) for x in fit.points if x != oo]
    gelu = fit.target == GELU

    def equations(*unknowns):
        at, limit = approximation(id, unknowns[:count])
        residuals = []
        for x, sign in zip(unknowns[count + 1 :], signs, strict=False):
            member, slope = at(x)
            error, fall = mpmath.ncdf(x) - member, mpmath.npdf(x) - slope
            residuals.append((x if gelu else 1) * error - sign * unknowns[count])
            residuals.append(error + x * fall if gelu else fall)
        if len(finite) < len(signs):
            residuals.append(1 - limit - signs[-1] * unknowns[count])
        return residuals

    start = [*map(float, fit.parameters.values()), float(fit.error), *finite]
    return list(mpmath.findroot(equations, start, tol=mpmath.mpf(10) ** -140, maxsteps=20))


def places(id, of):
    """The IDs of the numbers that a case finds again, and where its solution has them."""
    names = problem(id)[2]
    kind = "-gelu" if id in FAMILIES and of == "GELU" else ""
    found = {f"{id}{kind}-error": len(names)}
    if not kind:
        found |= {f"{id}-{name}": place for place, name in enumerate(names)}
    if (id, of) == ("degree-7", "Phi"):
        found["degree-7-dip"] = -1
    return found


def found_again(id, of):
    form, own, _ = problem(id)
    fit = minimax(form, of or own)
    with mpmath.workdps(80):
        solution = solved_again(id, fit)
        return {name: mpmath.nstr(solution[place], 70) for name, place in places(id, of).items()}


CASES = [(id, of) for id in FAMILIES for of in ("Phi", "GELU")]
CASES += [(id, None) for id in TANH_FORMS]


@pytest.mark.parametrize(("id", "of"), slow_but(lambda case: case in CASES[::6], CASES))
def test_a_general_solver_confirms_fifty_digits_and_the_register_says_so(id, of):
    for name, text in found_again(id, of).items():
        assert agreeing_digits(text, compute_digits(name, 60)) >= 50, name
        assert result(name).check


def test_the_general_solver_covers_every_number_that_names_a_check():
    found = {name for case in CASES for name in places(*case)}
    named = {entry.id for entry in results().values() if entry.page == "forms" and entry.check}
    assert found == named
