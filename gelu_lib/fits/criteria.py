"""What "best" may mean: a norm, the function whose error it measures, and a weight.

With r(x) for the error of a member of a family and w(x) for the weight, the size of an error is

- ``"sup"``: the largest w(x)·\\|r(x)\\|,
- ``"L1"``: the integral of w(x)·\\|r(x)\\|,
- ``"L2"``: the square root of the integral of w(x)·r(x)²,

each over the whole real line. With the weight φ the two integrals are the mean absolute error and
the root of the mean squared error of an input that is normally distributed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from types import MappingProxyType

import sympy as sp
from sympy import Expr, Float, Symbol

from gelu_lib.functions.expressions import GELU, Phi, X, logistic, phi
from gelu_lib.functions.families import (
    TARGETS,
    Family,
    Value,
    WrongLimitError,
    check_target,
    exact_values,
    without_floats,
)
from gelu_lib.functions.forms import Form
from gelu_lib.functions.tanh_forms import TanhForm

NORMS = ("sup", "L1", "L2")
"""The norms that a criterion may have."""


WEIGHTS = ("Phi", "GELU")
"""The functions whose error is e = Φ − Φ̂ under a weight that is positive for x > 0."""

LARGEST = 1e15
"""The greatest size of a fixed value; with greater ones no linear program is solved."""

_NOT_SMOOTH = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise, sp.floor, sp.ceiling)


@dataclass(frozen=True)
class Criterion:
    """A way to measure the error of an approximation by one number.

    Attributes:
        norm: ``"sup"``, ``"L1"`` or ``"L2"``.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        weight: a positive, even and smooth function of ``expressions.X``, as a SymPy
            expression. It must not vary faster than φ does, because the samples and steps are
            placed for Φ and Φ̂; this is not checked.

    Raises:
        ValueError: if ``norm`` or ``of`` is not one of these, or ``weight`` is not known to be
            a real, positive and even function of x alone, or has a kink or a jump.
    """

    norm: str
    of: str
    weight: Expr = sp.S.One

    def __post_init__(self) -> None:
        if not isinstance(self.norm, str) or self.norm not in NORMS:
            raise ValueError(f"norm must be one of {NORMS}, got {self.norm!r}")
        check_target(self.of)
        object.__setattr__(self, "weight", checked_weight(self.weight))


def checked_weight(weight: Expr) -> Expr:
    """A weight as an exact SymPy expression, if it is known to be positive, even and smooth.

    Args:
        weight: an expression in ``expressions.X`` alone, or a number.

    Raises:
        ValueError: if it is not known to be so.
    """
    try:
        weight = sp.sympify(weight)
    except (sp.SympifyError, TypeError):
        raise ValueError(f"weight must be an expression in x, got {weight!r}") from None
    if not isinstance(weight, Expr) or weight.free_symbols - {X}:
        raise ValueError(f"weight must be an expression in X alone, got {weight!r}")
    weight = without_floats(weight)
    if weight.has(*_NOT_SMOOTH):
        raise ValueError(f"weight must be smooth, got {weight!r}")
    if not _is_even(weight):
        raise ValueError(f"weight must be known to be even in x, got {weight!r}")
    if not weight.is_positive:
        raise ValueError(f"weight must be known to be positive for every real x, got {weight!r}")
    return weight


def _is_even(function: Expr) -> bool:
    """Whether f(−x) = f(x), as far as the two are alike once products are multiplied out."""
    mirrored = function.xreplace({X: -X})
    return mirrored == function or sp.expand(mirrored - function) == 0


@lru_cache
def _far_out(function: Expr) -> Expr:
    """The limit of a function of x at +∞; not a number where SymPy finds none."""
    # of functions that it does not know SymPy takes another limit than the right one
    function = function.rewrite([phi, logistic], sp.exp).rewrite([Phi, GELU], sp.erf)
    try:
        return sp.limit(function, X, sp.oo)
    except NotImplementedError:
        return sp.nan


def fades(criterion: Criterion) -> bool:
    """Whether a weight is known to make the error tend to 0 far out even if Φ̂ tends to 0.

    Then the last coefficient of a best member may be negative.
    """
    weight = criterion.weight
    return weight.has(X) and _far_out(weight * X if criterion.of == "GELU" else weight) == 0


@dataclass(frozen=True)
class Problem:
    """A family, a criterion, and the exact values of the parameters that are not free.

    A form that is built from tanh takes the place of a family where the error of Φ or GELU is
    measured in the sup norm.
    """

    family: Family | TanhForm
    criterion: Criterion
    fixed: Mapping[Symbol, Expr]

    @cached_property
    def free(self) -> tuple[Symbol, ...]:
        """The symbols of the parameters that are to be found."""
        return tuple(symbol for symbol in self.family.symbols if symbol not in self.fixed)

    def complete(self, free: Iterable, fixed: Iterable) -> list:
        """Values of all parameters in the order of the family, out of the free and fixed ones."""
        values = dict(zip(self.free, free, strict=True)) | dict(zip(self.fixed, fixed, strict=True))
        return [values[symbol] for symbol in self.family.symbols]


def check_growth(made: Problem) -> None:
    """Check that a weight lets the error of a family tend to 0 far out.

    The errors of Φ, GELU and GELU′ fall there no faster than φ(x)/x, φ(x) and x·φ(x), and those of
    σ(p₁x) no faster than exp(−p₁x).

    Args:
        made: a problem in the sup norm.

    Raises:
        ValueError: if the weight grows too fast for that, or it is not known that it does not.
    """
    weight, of = made.criterion.weight, made.criterion.of
    if not weight.has(X):  # a limit takes SymPy long, and here φ decides it
        return
    tail = X ** TARGETS.index(of) / X * sp.exp(-(X**2) / 2)
    left = _far_out(weight * tail)
    if made.family.exponents[-1] == 1 and left == 0:
        left = _far_out(weight * sp.exp(-int(LARGEST) * X))
    if left == 0:
        return
    reason = "is not known to be finite"
    if left == sp.oo:
        reason = "is infinite for every member"
    elif left.is_positive:
        least = (left / sp.sqrt(2 * sp.pi)).n(6)
        reason = f"is {least} or more for every member, and many may share the least"
    raise ValueError(
        f"weight is {weight}, under which the largest error of {of} {reason}; accepted is one that "
        f"grows so slowly that weight*{tail} is known to tend to 0 for large x, and for σ(p1*x) "
        "weight*exp(-c*x) for some c, too"
    )


def problem(
    family: Family | TanhForm, criterion: Criterion, fixed: Mapping[str, Value] | None = None
) -> Problem:
    """A problem with checked parts.

    Raises:
        TypeError: if ``criterion`` is no criterion, or as ``families.exact_values``.
        ValueError: as that function, if no parameter is free, if a fixed one is larger in size
            than ``LARGEST``, or a form of tanh is asked for what it does not have: a norm, a
            weight, a fixed parameter or the slope of GELU; or for the error of GELU where its
            limit is not 1, since that error is infinite.
    """
    if not isinstance(criterion, Criterion):
        raise TypeError(f"criterion must be a Criterion, got {criterion!r}")
    if isinstance(family, TanhForm):
        return _problem_of_form(family, criterion, fixed)
    made = Problem(family, criterion, exact_values(family, {} if fixed is None else fixed))
    if not made.free:
        raise ValueError(f"all parameters {family.names} are fixed; at least one must be free")
    for symbol, value in made.fixed.items():
        if not abs(value) <= LARGEST:
            raise ValueError(
                f"{symbol} = {value.evalf(8)} is beyond the range of floats in which fits are "
                f"searched; accepted are sizes up to {LARGEST:.0e}"
            )
    return made


def require_limit(made: Problem) -> None:
    """Raise a ``WrongLimitError`` if the fixed values let no Φ̂ tend to 1 at +∞."""
    for symbol in reversed(made.family.symbols):
        value = made.fixed.get(symbol)
        if value is None or value.is_positive:
            return
        if value.is_negative:
            raise WrongLimitError(
                f"{symbol} = {value.evalf(8)} is fixed, so that Φ̂ tends to 0 at +∞; accepted are "
                "positive numbers, and 0 where a lower coefficient is positive or free"
            )


def _problem_of_form(
    form: TanhForm, criterion: Criterion, fixed: Mapping[str, Value] | None
) -> Problem:
    if criterion not in [Criterion("sup", of) for of in WEIGHTS] or fixed:
        raise ValueError(
            f"criterion is {criterion} and fixed is {fixed}; of a form of tanh all parameters are "
            f"free, and its error is that of one of {WEIGHTS} in the sup norm without weight"
        )
    if criterion.of == "GELU" and form.limit != 1:
        raise ValueError("the error of GELU is infinite if the limit of g is not 1; use limit_one")
    return Problem(form, criterion, {})


class NotAnOptimumError(ArithmeticError):
    """The parameters do not satisfy the condition that makes them the best."""


@dataclass(frozen=True)
class Optimum(Form):
    """The best form by a criterion, with what the condition speaks of that makes them so.

    The numbers are SymPy floats: each carries its own digits, so that a ratio of two of them is
    right to as many, whatever precision is set elsewhere.

    Attributes:
        family: the family, or the form that is built from tanh.
        criterion: what is made small.
        digits: how many significant digits of every number are meant to hold; they carry some
            guard digits more.
        fixed: the exact values that were given, by name.
        parameters: the value of every parameter, by name.
        error: the norm of the error over the real line, positive.
        points: the x > 0 that the optimality condition speaks of, increasing. For the sup norm
            the places where the weighted error is largest, for L1 those where the error changes
            its sign, for L2 none. The last is ``oo`` if the error of a form of tanh is largest in
            the limit.
        signs: for the sup norm, the sign of the error at each point.
        multipliers: for the sup norm, the weight of each point in the condition: positive
            numbers of sum 1 with which the gradients of the size of the error cancel.
    """

    criterion: Criterion
    digits: int
    fixed: Mapping[str, Expr]
    error: Float
    points: tuple[Expr, ...] = ()
    signs: tuple[int, ...] = ()
    multipliers: tuple[Float, ...] = ()

    def __post_init__(self) -> None:
        """The parameters stay SymPy floats, which carry their digits."""

    @property
    def of(self) -> str:
        """The function that is approximated."""
        return self.criterion.of

    @property
    def free(self) -> tuple[str, ...]:
        """The names of the parameters that were fitted."""
        return tuple(name for name in self.parameters if name not in self.fixed)

    @property
    def alternates(self) -> bool:
        """Whether the error alternates at one point more than there are free parameters.

        If these are the places where the weighted error of Φ or GELU is largest on the whole
        line, no other parameters are as good (``alternation-any-degree``).
        """
        return alternating(self.signs, len(self.free) + 1)


def alternating(signs: Sequence[int], count: int) -> bool:
    """Whether there are ``count`` signs, each 1 or −1 and the opposite of the one before."""
    opposite = all(a == -b for a, b in pairwise(signs))
    return len(signs) == count and set(signs) <= {1, -1} and opposite


def by_name(symbols: Iterable[Symbol], values: Iterable) -> Mapping:
    """A read-only mapping from the names of symbols."""
    pairs = zip(symbols, values, strict=True)
    return MappingProxyType({symbol.name: value for symbol, value in pairs})
