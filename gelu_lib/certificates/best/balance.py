"""No other parameters are as good for GELU′, where the error need not alternate.

For the error r = (xe)′ of GELU′, ∂r/∂p changes its sign along the line. Suppose that w·r stays
within ±E for other parameters, with a weight w that does not grow for x > 0. Then
x·e(x) = ∫₀ˣ r stays within ±xE/w(x), so that Φ̂(x) lies within E/w(x) of Φ(x). At n places this
leaves a box of parameters, the band. Parts of it for which the error exceeds E at some point are
left out. The smallest box that holds the rest, and the solution, takes the place of the band; it is
convex, and so holds the way from the solution to every other candidate. On it:

- With n + 1 peaks, let Gᵢ be the gradients of sᵢwr at the peaks. Every choice of them, each
  anywhere on the band, cancels with positive multipliers, unique up to a factor. By the mean value
  theorem sᵢwr(xᵢ) − E = Gᵢ·d, where d ≠ 0 is the difference of the parameters. Not all Gᵢ·d are
  ≤ 0, because the Gᵢ have rank n; so the error exceeds E at a peak.
- With a single peak and one parameter p, the error is followed along a line x* + τ(p − p*). There
  swr is E at p*, its derivative is 0, and its second derivative is positive on the whole band; so
  it exceeds E at every other p (``balance-theorem``).
"""

from __future__ import annotations

from itertools import pairwise, product

from gelu_lib._extras import flint
from gelu_lib.certificates.best.bounds import parameter_box
from gelu_lib.certificates.engine.multipliers import cancel_positively
from gelu_lib.certificates.engine.solutions import Box, Equations
from gelu_lib.certificates.errors import CertificationError

PROBES = (1.0, 2.0, 3.0)
"""Where the band that holds Φ̂ is computed, one place for each free parameter."""

PARTS = 8
"""Into how many parts the band of each parameter is cut."""

ROUNDS = 12
"""How often the band is contracted before the proof is given up."""


def prove_balance(equations: Equations, box: Box) -> None:
    """Prove that no parameters in the band around Φ have an error as small.

    Raises:
        CertificationError: if the peaks are not shown to balance on what is left of the band.
    """
    band = parameter_box(equations.problem, equations.level(box), PROBES)
    if not all(wide.contains(p) for wide, p in zip(band, box, strict=False)):
        raise CertificationError("optimality", f"the band {band} does not hold the solution")
    for _ in range(ROUNDS):
        if balances(equations, box, band):
            return
        band = contracted(equations, box, band)
    raise CertificationError(
        "optimality", f"the peaks are not shown to balance for all parameters in {band}"
    )


def balances(equations: Equations, box: Box, band: Box) -> bool:
    """Whether the peaks of the solution are shown to balance for all parameters of a band."""
    if len(equations.signs) == 1:
        return bool(bend(equations, box, band[0]) > 0)
    pairs = zip(equations.signs, equations.places(box), strict=True)
    rows = [[sign * g for g in gradient(equations, x, band)] for sign, x in pairs]
    return cancel_positively(rows)


def contracted(equations: Equations, box: Box, band: Box) -> Box:
    """The box of the solution and of every part of a band whose errors may be as small.

    A part is left out if at some point the error exceeds E for all its parameters.
    """
    level, hull = equations.level(box), box[: len(band)]
    for part in product(*map(parts, band)):
        if not height(equations, box, list(part)) > level:
            hull = [a.union(b) for a, b in zip(hull, part, strict=True)]
    return hull


def parts(ball: flint.arb) -> list[flint.arb]:
    """Equal parts that cover a ball."""
    lower, upper = ball.mid() - ball.rad(), ball.mid() + ball.rad()
    ends = [lower + (upper - lower) * flint.fmpq(j, PARTS) for j in range(PARTS + 1)]
    return [a.union(b) for a, b in pairwise(ends)]


def height(equations: Equations, box: Box, part: Box) -> flint.arb:
    """An enclosure of the absolute error at some point, for all parameters of a part.

    The point is the one among some trials where the error in the middle of the part is largest;
    whatever point were taken, the enclosure would be right. It comes from the mean value theorem.
    """
    middle = [ball.mid() for ball in part]
    complete, curve = equations.parameters(middle), equations.curve
    trials = [x.mid() for x in equations.places(box)]
    if len(trials) == 1:  # a single peak moves, and others rise
        moved = trials[0] + drift(equations, box) * (middle[0] - box[0].mid())
        trials = [moved.mid(), *(flint.arb(j) / 4 for j in range(1, 17))]
    place = max(trials, key=lambda x: abs(float(curve.taylor(x, complete, 1)[0].mid())))
    value = curve.taylor(place, complete, 1)[0]
    changes = gradient(equations, place, part)
    steps = zip(changes, part, middle, strict=True)
    return abs(value + sum((g * (p - m) for g, p, m in steps), flint.arb(0)))


def drift(equations: Equations, box: Box) -> flint.arb:
    """How fast a single peak moves with the parameter, about −r_xp/r_xx; an exact number."""
    jets = _single_jets(equations, equations.places(box)[0], box[0])
    return (-jets[1][1] / (2 * jets[0][2])).mid()


def bend(equations: Equations, box: Box, parameter: flint.arb) -> flint.arb:
    """The second derivative of sr by the one free parameter along the path of a single peak."""
    (place,), path = equations.places(box), drift(equations, box)
    along = place + path * (parameter - box[0])
    error, change, second = _single_jets(equations, along, parameter)
    return equations.signs[0] * (2 * error[2] * path**2 + 2 * change[1] * path + second[0])


def _single_jets(equations: Equations, place: flint.arb, free: flint.arb) -> list[list[flint.arb]]:
    (p,) = equations.problem.free
    return equations.curve.jets(place, equations.parameters([free]), 3, ((), (p,), (p, p)))


def gradient(equations: Equations, place: flint.arb, band: Box) -> Box:
    """The derivatives of r by each free parameter at one point."""
    by = tuple((p,) for p in equations.problem.free)
    jets = equations.curve.jets(place, equations.parameters(band), 1, by)
    return [derivative[0] for derivative in jets]
