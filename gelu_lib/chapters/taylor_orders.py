"""The chapter taylor-orders: the local matches of higher orders, and where their series ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import matplotlib.pyplot as plt
import mpmath
import numpy as np
import sympy as sp
from flint import acb, fmpq
from mpmath import mpf
from scipy.special import erf, expit, ndtr
from sympy import Expr, Rational, Symbol, exp, pi, sqrt, tanh

from gelu_lib.certificates.certificate import certify
from gelu_lib.certificates.singularities import (
    COUNTED,
    artanh_erf_radius,
    certified_first_zero,
    erfc_zero,
    nearest_from_coefficients,
    nearest_singularity,
)
from gelu_lib.certificates.sup_errors import CertifiedSupError, certified_sup_error
from gelu_lib.certificates.zeros import zero_count
from gelu_lib.chapters.taylor import local_member
from gelu_lib.derivations.chain import Derivation
from gelu_lib.derivations.notation import tex
from gelu_lib.derivations.rules import Algebra, Definition
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions import series
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import SLOPE_KEPT, TANH_CUBIC, WrongLimitError
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import artanh_erf_coefficients, local_match
from gelu_lib.register import agreeing_digits
from gelu_lib.show.style import GREY, INK, Drawn, draw, key_above
from gelu_lib.show.tables import Table, decimal

FINE = np.arange(1, 1401) / 100
"""Where the error on the whole line is sampled, 0.01 to 14. Beyond, Φ is 1 to double precision."""


def local_approximation(order: int, x: np.ndarray) -> np.ndarray:
    """σ(2u(x)), the local match of Φ, in double precision.

    Args:
        order: the degree of u, an odd integer.
        x: where it is wanted.

    Returns:
        Its values, an array of the shape of ``x``.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    x = np.asarray(x, dtype=float)
    coefficients = artanh_erf_coefficients(order, 17)
    powers = range(1, order + 1, 2)
    return expit(2 * sum(float(a) * x**k for a, k in zip(coefficients, powers, strict=True)))


def sampled_local_error(order: int, high: float) -> float:
    """The largest error of the local match of Φ among points of [0, ``high``], 1/1000 apart.

    Args:
        order: the degree of the match, an odd integer.
        high: the right end of the interval, at least 1/1000.

    Returns:
        The largest size of Φ(x) − σ(2u(x)) at those points, in double precision.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1, or ``high`` too small or not finite.
    """
    if not 0.001 <= high < np.inf:
        raise ValueError(f"high is {high!r}; accepted is a finite number >= 0.001")
    x = np.arange(1, round(1000 * high) + 1) / 1000
    return float(np.abs(ndtr(x) - local_approximation(order, x)).max())


# --- figures


def partial_sums(name: str, orders: Sequence[int], high: float) -> Drawn:
    """A function and the partial sums of its Taylor series, with the radius if it is reached.

    Args:
        name: ``"erf"`` or ``"tanh"``.
        orders: the highest power in each partial sum.
        high: the right end of the horizontal axis.

    Returns:
        The function and one curve for each order.
    """
    known = {
        "erf": (erf, series.erf_partial_sum, series.erf_radius()),
        "tanh": (np.tanh, series.tanh_partial_sum, series.tanh_radius()),
    }
    if name not in known:
        raise ValueError(f"name is {name!r}; accepted are {', '.join(known)}")
    function, partial, radius = known[name]
    x = np.linspace(0, high, 401)
    curves = {name: (x, function(x))}
    for order in orders:
        curves[f"to $x^{{{order}}}$"] = (x, numpy_function(partial(order))(x))
    drawn = draw(curves, ylabel="value")
    key_above(plt.gca())
    plt.ylim(-0.5, 2)
    if radius < high:
        plt.axvline(float(radius), color=GREY, linestyle=":")
    return drawn


def local_matches_far_out(orders: Sequence[int]) -> Drawn:
    """Local matches of Φ up to x = 100, on a logarithmic axis.

    Args:
        orders: their degrees, odd integers.

    Returns:
        One curve for each.
    """
    x = np.geomspace(0.1, 100, 1200)
    curves = {f"order {order}": (x, local_approximation(order, x)) for order in orders}
    drawn = draw(curves, ylabel=r"approximation of $\Phi$")
    plt.xscale("log")
    return drawn


def errors_by_order(highest: int) -> Drawn:
    """The largest error of Φ on the whole line, for the local match of each order.

    An order whose last coefficient is negative has the supremum 1, because the match tends to 0.
    That of another is sampled at 0.01, 0.02, …, 14, in double precision.

    Args:
        highest: the last order, an odd integer.

    Returns:
        The orders whose error is below 1/2 and the others as points, the height Φ(−R) as a curve.

    Raises:
        TypeError: if ``highest`` is not an integer.
        ValueError: if ``highest`` is even or less than 1.
    """
    coefficients = artanh_erf_coefficients(highest, 17)
    orders = np.arange(1, highest + 1, 2)
    terms = np.array(
        [float(a) * FINE ** float(k) for a, k in zip(coefficients, orders, strict=True)]
    )
    sampled = np.abs(ndtr(FINE) - expit(2 * np.cumsum(terms, axis=0))).max(axis=1)
    errors = np.where([a > 0 for a in coefficients], sampled, 1.0)
    works = errors < 0.5
    level = np.full(2, ndtr(-float(artanh_erf_radius(17))))
    drawn = draw(
        {r"$\Phi(-R)$": (orders[[0, -1]], level)},
        {
            "orders that work": (orders[works], errors[works]),
            "orders that fail": (orders[~works], errors[~works]),
        },
        xlabel="order",
        ylabel="largest error of Φ",
    )
    plt.yscale("log")
    plt.legend(loc="center right")
    shift = {"textcoords": "offset points", "fontsize": "small"}
    for order in (3, 9, 15):
        if order <= highest and works[order // 2]:
            place = (order, errors[order // 2])
            plt.annotate(str(order), place, (0, -13), ha="center", **shift)
    plt.ylim(bottom=3e-6)
    return drawn


def singularity_map(zeros: int = 2) -> Drawn:
    """The points of the complex plane where erf(x/√2) is 1 or −1, and the disc of convergence.

    Args:
        zeros: how many zeros of erfc are used, an integer >= 1; each gives four points.

    Returns:
        The circle as a curve; the points where erf(x/√2) is −1, and those where it is 1.

    Raises:
        ValueError: if ``zeros`` is no such integer.
    """
    if type(zeros) is not int or zeros < 1:
        raise ValueError(f"zeros is {zeros!r}; accepted is an integer >= 1")
    angle = np.linspace(0, 2 * np.pi, 361)
    radius = float(artanh_erf_radius(17))
    upper = -np.sqrt(2) * np.array([complex(erfc_zero(n, 17)) for n in range(1, zeros + 1)])
    minus = np.concatenate([upper, upper.conj()])
    axes = plt.figure(figsize=(5.0, 5.0)).add_subplot()
    drawn = draw(
        {"$|x| = R$": (radius * np.cos(angle), radius * np.sin(angle))},
        {
            r"$\mathrm{erf}(x/\sqrt{2}) = -1$": (minus.real, minus.imag),
            r"$\mathrm{erf}(x/\sqrt{2}) = 1$": (-minus.real, minus.imag),
        },
        xlabel="real part of $x$",
        ylabel="imaginary part of $x$",
        axes=axes,
    )
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.fill(*drawn.curves["$|x| = R$"], color=GREY, alpha=0.12, linewidth=0)
    axes.set_aspect("equal")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return drawn


def coefficients_on_their_cosine(order: int) -> Drawn:
    """j·aⱼ·Rʲ for the coefficients aⱼ of artanh(erf(x/√2)), and the curve −2·cos(jθ).

    Args:
        order: the highest power j, an odd integer.

    Returns:
        The curve, and one point for each coefficient.
    """
    radius, angle = float(artanh_erf_radius(17)), np.angle(complex(nearest_singularity(17)))
    powers = np.arange(1, order + 1, 2)
    coefficients = np.array([float(a) for a in artanh_erf_coefficients(order, 17)])
    j = np.linspace(1, order, 40 * order)
    return draw(
        {r"$-2\cos(j\theta)$": (j, -2 * np.cos(j * angle))},
        {r"$j\,a_j\,R^j$": (powers, powers * coefficients * radius ** powers.astype(float))},
        xlabel="$j$",
        ylabel="scaled coefficient",
    )


# --- derivations


def _bernoulli(t: Expr) -> Expr:
    """The function t/(exp(t) − 1), whose Taylor series has the Bernoulli numbers."""
    return t / (exp(t) - 1)


def bernoulli_reflection() -> Derivation:
    """What g(−x) − g(x) is for the function g of the Bernoulli numbers."""
    x = Symbol("x", positive=True)
    return Derivation("bernoulli-reflection", _bernoulli(-x) - _bernoulli(x)).step(Algebra(), x)


def tanh_by_bernoulli() -> Derivation:
    """How x·tanh(x) is made of the function of the Bernoulli numbers."""
    x = Symbol("x", positive=True)
    return (
        Derivation("tanh-by-g", x * tanh(x))
        .step(Definition(tanh), x * (exp(x) - exp(-x)) / (exp(x) + exp(-x)))
        .step(Algebra(), x - 2 * x / (exp(2 * x) + 1))
        .step(Algebra(), x - _bernoulli(2 * x) + _bernoulli(4 * x))
    )


# --- tables


def side_by_side() -> Table:
    """The coefficients of erf and of tanh up to x¹¹, with the Bernoulli numbers of the second."""
    rows = [
        [
            f"${tex(X**j)}$",
            f"${tex(series.erf_coefficient(j) * sqrt(pi) / 2)}$",
            f"${tex(series.tanh_coefficient(j))}$",
            f"$B_{{{j + 1}}} = {tex(sp.bernoulli(j + 1))}$",
        ]
        for j in range(1, 12, 2)
    ]
    erf_scaled = r"$\frac{\sqrt\pi}{2}\operatorname{erf}(x)$"
    return Table(["power", erf_scaled, r"$\tanh x$", "Bernoulli number"], rows)


def radii(ratio: Expr, pole: Expr) -> Table:
    """How far the two series reach, and why.

    Args:
        ratio: of a term of erf to the one before.
        pole: where cosh is 0.
    """
    erf_reason = f"each term is ${sp.latex(ratio)}$ times the one before"
    tanh_reason = rf"$\cosh({sp.latex(pole)}) = {sp.cosh(pole)}$"
    rows = [
        ["erf", erf_reason, f"${sp.latex(series.erf_radius())}$"],
        ["tanh", tanh_reason, f"${sp.latex(series.tanh_radius())}$"],
    ]
    return Table(["series", "reason", "radius"], rows)


def ratios() -> Table:
    """The coefficients of the match up to x⁹, relative to the first, as the text has them."""
    ninth = local_match(9)
    septic = (5760 - 3360 * pi + 532 * pi**2 - 15 * pi**3) / (5040 * pi**3)
    nonic = 645120 - 483840 * pi + 116928 * pi**2 - 9328 * pi**3 + 105 * pi**4
    assert sp.expand(ninth.ratio(7) - septic) == 0
    assert sp.expand(ninth.ratio(9) - nonic / (362880 * pi**4)) == 0
    assert series.first_mismatch(ninth.coefficients, 11) == 11
    rows = [
        [str(j), f"${sp.latex(ninth.ratio(j), order='old')}$", decimal(ninth.ratio(j), 8)]
        for j in ninth.powers
    ]
    return Table(["$j$", "$a_j/a_1$", "value"], rows)


def zeros_of_erfc(count: int) -> Table:
    """The first zeros of erfc in the upper half-plane, and their distance from 0, times √2."""
    rows = []
    for n in range(1, count + 1):
        z = erfc_zero(n, digits=30)
        numbers = (z.real, z.imag, mpmath.sqrt(2) * abs(z))
        rows.append([str(n), *(decimal(number, 8) for number in numbers)])
    header = ["$n$", "real part of $z_n$", "imaginary part", r"$\sqrt2\,\lvert z_n\rvert$"]
    return Table(header, rows)


def zeros_within(radius: Rational) -> int:
    """How many zeros erfc has in the disc around 0 with this radius, proved."""
    return zero_count(acb.erfc, fmpq(radius.p, radius.q))


def cosine_law(powers: Sequence[int]) -> list[mpf]:
    """−cos(jθ) for each power j: the sign that the coefficient of xʲ has far out."""
    return [-mpmath.cos(j * _angle()) for j in powers]


def _angle() -> mpf:
    """The angle θ of the nearest singularity."""
    with mpmath.workdps(50):
        return mpmath.arg(nearest_singularity(60))


def radius_from_coefficients(coefficients: Sequence[mpf], orders: Sequence[int]) -> Table:
    """The radius of convergence as the coefficients up to each order tell it, in two ways.

    Args:
        coefficients: those of artanh(erf(x/√2)), to 65 digits.
        orders: how far they are used; the last one decides 50 digits.
    """
    rows = []
    for order in orders:
        head = coefficients[: order // 2 + 1]
        with mpmath.workdps(65):
            root_test = abs(head[-1]) ** (-mpf(1) / order)
            found = abs(nearest_from_coefficients(head))
            both = [mpmath.nstr(r, 60) for r in (found, artanh_erf_radius(60))]
        digits = min(agreeing_digits(*both), 50)
        rows.append([str(order), decimal(root_test, 5), decimal(found, 12), str(digits)])
    assert digits == 50
    return Table(["order", "root test", "from four coefficients", "digits of $R$"], rows)


def refusals(orders: Sequence[int]) -> Table:
    """What the library says of local matches that do not tend to 1."""
    rows = []
    for order in orders:
        try:
            certified_sup_error(Form(*local_member(order)))
        except WrongLimitError as error:
            rows.append([str(order), str(error)])
    return Table(["order", "error"], rows)


def errors_by_interval(whole_line: Mapping[int, CertifiedSupError]) -> Table:
    """The largest error of Φ near 0 and on the whole line, for each order up to 15.

    Args:
        whole_line: what is proved of the orders whose match tends to 1.
    """
    rows = []
    for order in range(1, 16, 2):
        sampled = [sampled_local_error(order, high) for high in (1, 2, 3)]
        line = whole_line.get(order)
        proved = f"{line.error.rounded(3):f}" if line else "1, not attained"
        rows.append([str(order), *(decimal(error, 3) for error in sampled), proved])
    header = ["order", "on $[0, 1]$", "on $[0, 2]$", "on $[0, 3]$", r"on $\mathbb{R}$"]
    return Table(header, rows)


# --- numbers of the text


def radius() -> dict[str, str]:
    """The radius of convergence, the singularity that sets it, and the zeros that were counted."""
    found, x0 = artanh_erf_radius(60), nearest_singularity(60)
    assert decimal(found, 30) == f"{certified_first_zero(30).radius.rounded(30)}"
    with mpmath.workdps(50):
        assert abs(x0 + mpmath.sqrt(2) * mpmath.conj(erfc_zero(1, 60))) < mpf(10) ** -48
    reach = mpmath.floor(100 * mpf(COUNTED) * mpmath.sqrt(2)) / 100
    return {
        "radius": decimal(found, 8),
        "radius-short": decimal(found, 5),
        "x0-real": decimal(x0.real, 8),
        "x0-imag": decimal(x0.imag, 8),
        "angle": decimal(mpmath.degrees(_angle()), 6),
        "counted": COUNTED,
        "reach": decimal(reach, 3),
        "first-modulus": decimal(abs(erfc_zero(1, 20)), 6),
        "second-modulus": decimal(abs(erfc_zero(2, 20)), 6),
    }


def runs_of_signs(coefficients: Sequence[mpf]) -> dict[str, str]:
    """How many signs stand in pairs and how many alone."""
    runs = [len(list(run)) for _, run in groupby(coefficients, key=lambda a: a > 0)]
    assert set(runs) == {1, 2}
    return {"sign-pairs": str(runs.count(2)), "sign-singles": str(runs.count(1))}


def best_orders(whole_line: Mapping[int, CertifiedSupError]) -> dict[str, str]:
    """The orders 9 and 15, which are better than the best cubic, and the height Φ(−R)."""
    coefficients = artanh_erf_coefficients(13, 17)
    assert all(coefficients[order // 2] < 0 for order in (5, 7, 13))
    ninth, fifteenth = whole_line[9], whole_line[15]
    assert fifteenth.error.upper < ninth.error.lower
    assert ninth.error.upper < min(
        certify(minimax(TANH_CUBIC, fixed=SLOPE_KEPT)).error.lower, whole_line[11].error.lower
    )
    numbers = {}
    for order, found in (("ninth", ninth), ("fifteenth", fifteenth)):
        numbers[f"{order}-error"] = f"{found.error.rounded(4):f}"
        numbers[f"{order}-place"] = f"{found.points[0].rounded(4):f}"
    return numbers | {"floor": decimal(mpmath.ncdf(-artanh_erf_radius(60)), 3)}


def orders_that_work(drawn: Drawn, fifteenth: CertifiedSupError) -> dict[str, str]:
    """How many of the orders in the figure fail; the best of those that work is 15."""
    (works, errors), (fails, _) = drawn.points.values()
    positive = [a > 0 for a in artanh_erf_coefficients(int(max(*works, *fails)), 17)]
    best = np.argmin(errors)
    assert works[best] == 15 and abs(errors[best] - float(fifteenth.error.lower)) < 1e-8
    assert min(np.delete(errors, best)) > fifteenth.error.upper
    assert all(positive[order // 2] for order in works)
    return {
        "failing": str(len(fails)),
        "orders": str(len(works) + len(fails)),
        "sign-right": ", ".join(str(order) for order in fails if positive[order // 2]),
    }
