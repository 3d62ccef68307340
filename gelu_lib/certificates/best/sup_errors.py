"""How far an approximation is from its target: the largest error, between two proved ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache, reduce

import numpy as np
from sympy import Expr, Rational, S, expand, oo

from gelu_lib._extras import flint
from gelu_lib.certificates.best.bounds import alternation_bound, real_curve
from gelu_lib.certificates.best.results import Bound, Cover
from gelu_lib.certificates.best.tails import prove_tail, with_small_functions
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import Ball, bits, compiled, interval, is_ball, number
from gelu_lib.certificates.engine.enclosures import Curve
from gelu_lib.certificates.engine.pieces import Peak, Piece
from gelu_lib.certificates.engine.suprema import (
    RealCurve,
    Stretch,
    bounded,
    proved_below,
    proved_peaks,
    tops,
)
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import LINE, Criterion, Problem
from gelu_lib.fits.exchange import alternating_places
from gelu_lib.fits.start import StartError
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Given, Value, exact_value
from gelu_lib.functions.forms import Form, right_limit
from gelu_lib.functions.targets import Target, target_of
from gelu_lib.precision import ENCLOSED_DIGITS, PEAK_DIGITS, PROOF_BITS, TAIL_DIGITS, check_digits

BOUNDED_DIGITS = 6
"""The digits that branch and bound decides, about."""

BallFunction = Callable[[Ball], Ball]
"""A function of balls and of power series."""


def certified_sup_error(
    approximation: Form | Expr | BallFunction,
    target: Target | str = "Phi",
    digits: int | None = 16,
    weight: Expr = S.One,
    interval: tuple = LINE,
) -> Bound:
    """How far an approximation is from its target: the largest absolute error, with a proof.

    A form is a member of its family: for ``"GELU"`` the error is that of x times the member, as
    ``targets.Target`` says. Anything else is compared with the target itself.

    A jump or a kink at 0 counts with its limits on both sides; a value at 0 alone does not.

    With ``digits`` the peaks are solved for, and it is proved that the error is attained there and
    nowhere exceeded. Without, branch and bound encloses the error to about six digits, in some
    milliseconds.

    Args:
        approximation: a form of any family; an expression in ``X``, with
            ``expressions.logistic(u)`` for 1/(1 + exp(−u)); or a function that takes balls and
            power series of python-flint and returns the like, on a bounded interval.
        target: ``"Phi"``, ``"GELU"``, ``"GELU_derivative"``, or a ``Target`` of one's own.
        digits: how many significant digits the enclosures shall have, or ``None``.
        weight: what the error is multiplied by, a positive smooth function of ``X``.
        interval: two numbers, or ±∞, between which x lies.

    Returns:
        The enclosures of the error and of places of which at least one attains it, and no place
        elsewhere. If the error is even or odd, these are the places x ≥ 0. If the error of a form
        alternates at one point more than its family has parameters, ``least`` is an enclosure of
        what no member can undercut, as far as that shows.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if an argument is not accepted; if the error is not defined on the interval, or
            has a kink elsewhere than at 0.
        WrongLimitError: if σ of an odd polynomial does not tend to 1 at +∞, on the line.
        CertificationError: if a step of the proof fails; the message names it.
        NotImplementedError: if an expression has a part that is not evaluated in Arb.

    Example:
        >>> from gelu_lib import X, certified_sup_error, tanh_form
        >>> found = certified_sup_error(tanh_form(), digits=10)
        >>> print(found.error.rounded(10), found.points[0].rounded(6))
        0.0001789325838 2.59214
        >>> certified_sup_error(1 / 2 + X / 4, digits=None, interval=(-1, 1))
        Bound(error=0.091478, at x = 0.97)
    """
    if digits is not None:
        check_digits(digits)
    kept = ENCLOSED_DIGITS if digits is None else digits + PEAK_DIGITS
    with flint.ctx.workprec(max(PROOF_BITS, bits(kept))):
        parts = _parts(approximation, target_of(target), weight, interval)
        low = _largest(part.stretch.top[1] for part in parts)
        if low == 0 and all(part.vanishes for part in parts):
            return Bound(enclosure(low, 1))
        with flint.ctx.workprec(PROOF_BITS):
            stretches = [part.stretch.stopped(low) for part in parts]
            found = bounded(stretches, low)
            least = _least(parts[0]) if len(parts) == 1 else None
        if digits is None:
            return _rough(stretches, *found, least)
        return _exact(stretches, found[2], digits, least)


def prove_error_below(
    approximation: Form | Expr | BallFunction,
    bound: Value,
    target: Target | str = "Phi",
    weight: Expr = S.One,
    interval: tuple = LINE,
) -> Bound:
    """Prove that the largest absolute error is below a bound, and say where it is not.

    Args:
        approximation: as ``certified_sup_error`` has it, as the other arguments.
        bound: the bound, a positive number.
        target: what is approximated.
        weight: what the error is multiplied by.
        interval: between which ends x lies.

    Returns:
        A ``Bound`` with 0 and the bound as the two ends, and the pieces of the proof.

    Raises:
        TypeError, ValueError, WrongLimitError: as ``certified_sup_error``, or if ``bound`` is no
            positive number.
        CertificationError: if the bound is exceeded, or was not shown to hold.
        NotImplementedError: if an expression has a part that is not evaluated in Arb.
    """
    level = exact_value(bound, "bound")
    if not level > 0:
        raise ValueError(f"bound must be positive, got {bound!r}")
    with flint.ctx.workprec(PROOF_BITS):
        ball = number(level)
        parts = _parts(approximation, target_of(target), weight, interval)
        stretches = [part.stretch.stopped(ball) for part in parts]
        pieces = [proved_below(stretch, (), ball) for stretch in stretches]
        zero = Enclosure(Decimal(0), Decimal(0))
        ends = Enclosure(zero.lower, (zero + level).upper)
    return Bound(ends, cover=_cover(stretches, [()], pieces))


@dataclass(frozen=True)
class _Part:
    """A stretch on which an error is looked at; ``problem`` and ``form`` say whose, if known."""

    stretch: Stretch
    problem: Problem | None = None
    form: Form | None = None

    @property
    def vanishes(self) -> bool:
        """Whether the error is seen to be 0 everywhere."""
        if self.problem is None:
            return False
        error = self.problem.error.xreplace(dict(self.form.exact))
        return expand(with_small_functions(error)) == 0


def _parts(
    approximation: Form | Expr | BallFunction, target: Target, weight: Expr, interval: tuple
) -> list[_Part]:
    """The stretches of an interval, on which the error has no kink."""
    criterion = Criterion("sup", weight, interval)
    form, bounded = approximation, criterion.interval[0] > -oo and criterion.interval[1] < oo
    if not isinstance(form, Form):
        if callable(form) and not isinstance(form, Expr):
            return [_Part(_of_balls(form, target, criterion))]
        form, target = Form(Given(form), {}), Target(target.expression, name=target.name)
    whole = _problem(form.family, target, criterion)
    left, right = criterion.interval
    if left < 0 < right and not whole.symmetric and not (bounded and whole.smooth):
        halves = (Criterion("sup", weight, ends) for ends in ((left, 0), (0, right)))
        return [_part(form, _problem(form.family, target, half)) for half in halves]
    return [_part(form, whole)]


_problem = lru_cache(Problem)
"""A problem, of which everything is found out once."""


def _part(form: Form, problem: Problem) -> _Part:
    """The stretch that a problem looks at."""
    with flint.ctx.workprec(
        2 * flint.ctx.prec
    ):  # a place is refined with more bits than its height
        parameters = [number(value) for value in form.exact.values()]

    def tail(level: flint.arb, after: float) -> tuple[float, flint.arb]:
        try:
            return prove_tail(problem, parameters, level, after)
        except CertificationError:
            if getattr(form.family, "is_odd_logistic", False):
                right_limit(form)  # a plainer reason, if that is it
            if not problem.free:
                raise
        plain = _problem(Given(form.expression), problem.target, problem.criterion)
        return prove_tail(plain, (), level, after)  # what is known of the expression

    side = -1 if problem.flipped else 1
    stretch = Stretch(real_curve(problem), parameters, problem.ends, side, tail)
    if (_weight(problem).floats(stretch.samples[0]) < 0).any():
        raise ValueError(f"weight {problem.criterion.weight} is negative on the interval")
    return _Part(stretch, problem, form)


@lru_cache
def _weight(problem: Problem) -> RealCurve:
    return RealCurve(problem.weight)


@dataclass(frozen=True, eq=False)
class BallCurve(Curve):
    """The weighted error of a function of balls.

    Attributes:
        function: the function.
        target: what it approximates, an expression in ``X``.
        weight: the weight, another one.
    """

    function: BallFunction
    target: Expr
    weight: Expr

    @cached_property
    def _known(self) -> Callable[[Ball], list[Ball]]:
        return compiled((X,), [self.target, self.weight])

    def _compiled(self, derivatives: object) -> Callable[[Ball], list[Ball]]:
        def error(x: Ball) -> list[Ball]:
            value, (target, weight) = self.function(x), self._known(x)
            if not is_ball(value):
                raise TypeError(f"approximation must return balls or series, got {value!r}")
            return [weight * (target - value)]

        return error

    def floats(self, x: np.ndarray, parameters: object = ()) -> np.ndarray:
        """The middles of the values at floats, as ``RealCurve`` has them."""
        balls = [self.at(flint.arb(place)) for place in x.tolist()]
        for place, ball in zip(x, balls, strict=True):
            if not ball.is_finite():
                raise ValueError(f"approximation {self.function} is not defined near x = {place}")
        return np.array([float(ball) for ball in balls])

    def is_flat(self, x: Expr) -> bool:
        """Nothing is known of its slope at an end."""
        return False


def _of_balls(function: BallFunction, target: Target, criterion: Criterion) -> Stretch:
    """The stretch of a function of balls."""
    if oo in map(abs, criterion.interval):
        raise ValueError(
            f"interval is {criterion.interval}; for a function of balls accepted are bounded ones"
        )
    curve = BallCurve(function, target.expression, criterion.weight)
    return Stretch(curve, [], criterion.interval)


def _largest(sizes: Iterable[flint.arb]) -> flint.arb:
    """The largest of exact numbers, at least 0."""
    return reduce(lambda most, size: size if size > most else most, sizes, flint.arb(0))


def _rough(
    stretches: list[Stretch],
    low: flint.arb,
    high: flint.arb,
    places: list[list[Piece]],
    least: Enclosure | None,
) -> Bound:
    """What branch and bound has proved."""
    found = []
    for stretch, pieces in zip(stretches, places, strict=True):
        for ends in pieces:
            ball = interval(*ends)
            height = stretch.curve.at(ball.mid(), stretch.parameters)
            found.append((stretch.side * ball, 1 if height > 0 else -1))
    found.sort(key=lambda pair: float(pair[0].mid()))
    return Bound(
        error=enclosure(low.union(high), ENCLOSED_DIGITS),
        points=tuple(enclosure(ball, ENCLOSED_DIGITS) for ball, _ in found),
        signs=tuple(sign for _, sign in found),
        least=least,
    )


def _exact(
    stretches: list[Stretch], places: list[list[Piece]], digits: int, least: Enclosure | None
) -> Bound:
    """The peaks at some places, and the proof that there are no higher ones."""
    kept, found, peaks, pieces = digits + ENCLOSED_DIGITS, [], [], []
    made = [tops(stretch, near, kept) for stretch, near in zip(stretches, places, strict=True)]
    for stretch, here in zip(stretches, made, strict=True):
        heights = [stretch.curve.at(top.place, stretch.parameters) for top in here]
        found += [(stretch.side * top.place, h) for top, h in zip(here, heights, strict=True)]
    level = _largest(abs(height).lower() for _, height in found)
    highest = sorted((pair for pair in found if not abs(pair[1]) < level), key=_place)
    with flint.ctx.workprec(PROOF_BITS):
        for stretch, here in zip(stretches, made, strict=True):
            peaks.append(proved_peaks(stretch, here, level))
            pieces.append(proved_below(stretch, peaks[-1], level))
    return Bound(
        error=enclosure(reduce(flint.arb.union, (abs(height) for _, height in highest)), kept),
        points=tuple(enclosure(place, kept) for place, _ in highest),
        signs=tuple(1 if height > 0 else -1 for _, height in highest),
        least=least,
        cover=_cover(stretches, peaks, pieces),
    )


def _place(pair: tuple[flint.arb, flint.arb]) -> float:
    return float(pair[0].mid())


def _cover(
    stretches: list[Stretch], peaks: Sequence[Sequence[Peak]], pieces: list[list[Piece]]
) -> Cover | None:
    """The cover of a single stretch; of two there is none."""
    if len(stretches) > 1:
        return None
    (stretch,), (here,) = stretches, peaks
    return Cover(
        neighbourhoods=tuple(peak.neighbourhood for peak in here),
        pieces=tuple(pieces[0]),
        end=stretch.edges(here)[1],
        tail=None if stretch.beyond is None else enclosure(stretch.beyond, TAIL_DIGITS),
    )


def _least(part: _Part) -> Enclosure | None:
    """What no member of the family can undercut, if the errors on the samples alternate so."""
    problem = part.problem
    if problem is None or not problem.free:
        return None
    x, errors = part.stretch.samples
    sides = np.where(_factor(problem).floats(x) < 0, -1.0, 1.0)
    try:
        at = alternating_places(errors * sides, len(problem.free) + 1)
        points = [Rational(float(place)) for place in x[at]]
        bound = alternation_bound(problem, tuple(part.form.exact.values()), points)
    except (StartError, CertificationError):  # too few, or no theorem says what they mean
        return None
    return enclosure(bound, ENCLOSED_DIGITS)


@lru_cache
def _factor(problem: Problem) -> RealCurve:
    return RealCurve(problem.parts[1])
