r"""What it costs when the merged scales of a form of tanh move apart, with a proof.

Let f be tanh(bx) as a function of b, Tⱼ its j-th derivative at b = s, and g = Σ cⱼTⱼ, j < K,
the best merged form: with K + 2 alternation points, K + 1 if the limit is 1. Let the scales of
a sum of K terms be σ + t·dᵢ with Σ dᵢ = 0 and different dᵢ. The sum is a combination Σ cⱼDⱼ of
the divided differences Dⱼ of f at the first j + 1 scales, times j!. By the series of f at σ,
with the complete symmetric polynomials hₘ of d₁, …, dⱼ₊₁,

    Dⱼ = Tⱼ + t·h₁/(j + 1)·Tⱼ₊₁ + t²·h₂/((j + 1)(j + 2))·Tⱼ₊₂ + O(t³),

so that it is smooth in σ and t, t = 0 included. For j = K − 1 the sum h₁ is 0, and h₂ = ½·Σ
dᵢ². The equations of the alternation points have a regular solution at t = 0. So near it there
are a smooth solution c(t), σ(t) and a smooth level E(t), the least error of such sums with a
centre near s.

With positive weights λᵢ of sum 1 at the alternation points Σ λᵢsᵢTⱼ(xᵢ) = 0 for j ≤ K (with the
limit 1, c₀ is not free, and j = 0 is left out). To first order in t the sum changes by a
combination w₁ of these Tⱼ, as c₍K−1₎ ≠ 0. Its values −w₁(xᵢ)/2 are sᵢE′(0), so that E′(0) = 0
by the weights, and w₁ = 0: the matrix of the Tⱼ(xᵢ) has full rank. Its coefficient of T_K is
c₍K−1₎·σ′(0), because the term of D₍K−1₎ is missing; so σ′(0) = 0. To second order the sum then
changes by t²·w₂, which is a combination of T₀, …, T_K plus c₍K−1₎·½·Σ dᵢ²/(K(K + 1))·T₍K+1₎,
since all other parts with T₍K+1₎ have the factor σ′(0). The points move by O(t²) only, and
there the slope is 0. So by the weights

    E(t) = E − h²·c₍K−1₎/(2K(K + 1))·Σ λᵢsᵢT₍K+1₎(xᵢ) + O(t³), h² = ½·Σ (t·dᵢ)².

For GELU every Tⱼ has the factor x besides.
"""

from __future__ import annotations

import sympy as sp
from sympy import tanh

from gelu_lib._extras import flint
from gelu_lib.certificates.best.results import Best
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import X
from gelu_lib.functions.tanh_forms import S, TanhForm, merged_tanh_sum
from gelu_lib.precision import ENCLOSED_DIGITS


def certified_splitting_rate(best: Best) -> Enclosure:
    """How fast the least error grows when the scales of a merged form move apart.

    Args:
        best: the proved best member of a form made by ``merged_tanh_sum``.

    Returns:
        An enclosure of the limit of (E(t) − E)/h² as t tends to 0.

    Raises:
        ValueError: if it is of another form.
        CertificationError: if the weights are not shown to be positive.
    """
    form = best.family
    count = len(form.terms) if isinstance(form, TanhForm) else 0
    if not count or form != merged_tanh_sum(count, limit_one=form.limit_one):
        raise ValueError(f"best must be of a form made by merged_tanh_sum, got {form}")
    factor = best.target.factor
    terms = [factor * sp.diff(tanh(S * X), S, order) for order in range(count + 2)]
    at_infinity = [flint.arb(order == 0) for order in range(count + 2)]
    with flint.ctx.workprec(2 * bits(best.digits + ENCLOSED_DIGITS)):
        scale = best.parameters[S.name].ball
        last = best.parameters[f"a{count}"].ball if f"a{count}" in best.parameters else flint.arb(1)
        if last.contains(0):
            raise CertificationError("claim", "the last coefficient may be 0")
        values = compiled((X, S), terms)
        rows = [[flint.arb(value) for value in values(x.ball, scale)] for x in best.points]
        rows += [at_infinity] * (len(best.signs) - len(rows))
        signed = [[s * value for value in row] for s, row in zip(best.signs, rows, strict=True)]
        first = 1 if form.limit_one else 0
        matrix = [[row[j] for row in signed] for j in range(first, count + 1)]
        matrix.append([flint.arb(1)] * len(signed))
        sides = [[flint.arb(0)]] * (len(matrix) - 1) + [[flint.arb(1)]]
        weights = flint.arb_mat(matrix).solve(flint.arb_mat(sides)).entries()
        if not all(weight > 0 for weight in weights):
            raise CertificationError("optimality", f"the weights {weights} may not be positive")
        drop = sum(weight * row[-1] for weight, row in zip(weights, signed, strict=True))
        return enclosure(-last * drop / (2 * count * (count + 1)), best.digits)
