"""The best parameters in the sup norm: in double precision, or proved to any number of digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, overload

import sympy as sp
from sympy import Expr

from gelu_lib._extras import need
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import LINE, Criterion, problem
from gelu_lib.fits.start import Start
from gelu_lib.functions.families import Approximant, Value
from gelu_lib.functions.targets import Target
from gelu_lib.precision import check_digits

if TYPE_CHECKING:
    from gelu_lib.certificates.best.results import Best


@overload
def minimax(
    family: Approximant,
    target: Target | str = ...,
    fixed: Mapping[str, Value] | None = ...,
    digits: None = ...,
    weight: Expr = ...,
    interval: tuple = ...,
) -> Start: ...
@overload
def minimax(
    family: Approximant,
    target: Target | str,
    fixed: Mapping[str, Value] | None,
    digits: int,
    weight: Expr = ...,
    interval: tuple = ...,
) -> Best: ...
def minimax(
    family: Approximant,
    target: Target | str = "Phi",
    fixed: Mapping[str, Value] | None = None,
    digits: int | None = None,
    weight: Expr = sp.S.One,
    interval: tuple = LINE,
) -> Start | Best:
    """The member of a family with the least largest error.

    Without ``digits`` it is found in double precision, in about a millisecond for a family of one
    or two parameters, and nothing is proved of it. With ``digits`` the equations of the optimum are
    solved in balls from there, and what is returned is proved: an increasing link of given terms
    and a rational are the best of all, another kind of family is the best among all nearby, and the
    result says so.

    Args:
        family: a ``Family``, a ``RationalFamily``, a ``TanhForm`` or a ``Nonlinear``.
        target: ``"Phi"``, ``"GELU"``, ``"GELU_derivative"``, or a ``Target`` of one's own. For
            ``"GELU"`` a member approximates Φ, and the error is that of x times the member; where
            it approximates GELU itself, that is ``Target(X * Phi(X))``.
        fixed: the values of parameters that are not free, by name; see ``families.exact_value``.
        digits: how many significant digits of every number shall be proved; without it, none.
        weight: what the error is multiplied by, a positive smooth function of ``X``.
        interval: two numbers, or ±∞, between which x lies. On the line the error must be even or
            odd.

    Returns:
        A ``Start`` without ``digits``, a ``Best`` with them: the parameters, the error, and the
        points where it is largest. If the error is even or odd, these are the points x ≥ 0.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if a name, a value, a weight or an interval is not accepted, if no parameter is
            free, if terms of the family are not independent, or if the target is not defined on the
            interval.
        StartError: if no start was found; the message says why.
        NotAnOptimumError: if the best member is one whose last coefficient is 0.
        CertificationError: if a step of the proof fails; nothing is returned then.
        ModuleNotFoundError: if ``digits`` are asked for and python-flint is not installed.

    Example:
        >>> from gelu_lib import LOGISTIC, minimax
        >>> minimax(LOGISTIC)
        Start(p1=1.70174, error=0.00945731, not proved)
        >>> best = minimax(LOGISTIC, digits=20)
        >>> best.parameters["p1"].n(12), best.error < 0.01, best.signs
        (1.70174492534, True, (-1, 1))

    Source: the theorem of alternation is in L. N. Trefethen, Approximation Theory and Approximation
    Practice, Extended Edition, SIAM 2019, https://doi.org/10.1137/1.9781611975949; how it is used
    here is said in ``gelu_lib.certificates.best.theorem``.
    """
    if digits is not None:
        check_digits(digits)
    made = problem(family, target, Criterion("sup", weight, interval), fixed)
    if digits is None:
        return begin(made)
    need("flint")
    from gelu_lib.certificates.best.certificate import proved

    return proved(made).best(digits)
