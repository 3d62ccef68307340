"""The table of Φ, node by node, and the step from a node, proved on whole intervals by Arb."""

from __future__ import annotations

import math
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from flint import arb, arb_series, ctx
from test_activation_polynomials import BITS, ORDER, piece_is_good

from gelu_lib.activations import coefficients as c
from gelu_lib.activations import gaussian, gelu, table

LEFT_OUT = 2.0**-57
"""More than the step leaves out, relative to Φ(−a)."""


def phi(a: arb | arb_series) -> arb | arb_series:
    """Φ(−a)."""
    return (a / arb(2).sqrt()).erfc() / 2


def wrong_nodes(nodes: np.ndarray) -> list[int]:
    """The nodes that are not the float nearest to Φ there."""
    wrong = []
    with ctx.workprec(BITS):
        for i, node in enumerate(nodes.tolist()):
            low, high = (math.nextafter(node, end) for end in (0.0, 1.0))
            true = phi(arb(i) * table.SPACING)
            if not (arb(low) + node) / 2 <= true <= (arb(high) + node) / 2:
                wrong.append(i)
    return wrong


def test_each_node_is_the_float_nearest_to_phi_and_stays_so():
    nodes = table.left_half()
    assert nodes.shape == (table.NODES,) and (table.NODES - 1) * table.SPACING == c.TABLE_END
    assert wrong_nodes(nodes) == []
    nodes = table.left_half().copy()
    for i, end in ((1, 0.0), (4096, 1.0), (8192, 0.0)):
        nodes[i] = np.nextafter(nodes[i], end)
    assert wrong_nodes(nodes) == [1, 4096, 8192]
    for nodes in (table.left_half(), gaussian._below_one_half()):
        with pytest.raises(ValueError, match="read-only"):
            nodes[0] = 0.0


def test_with_one_half_itself_ties_would_be_broken_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = 2.0**-133  # the smallest bfloat16
    x = np.array([unit, -3 * unit], ml_dtypes.bfloat16)
    # of 0.5 units and a little more, and of −1.5 units, in size a little less
    right = [unit, -unit]
    assert gelu(x).astype(float).tolist() == right
    monkeypatch.setattr(gaussian, "_below_one_half", table.left_half)
    assert gelu(x).astype(float).tolist() == [0.0, -2 * unit]


def stepped(h: float, mean: tuple[float, ...]) -> Callable[[arb_series], arb_series]:
    """Φ(−a) as the kernel takes it from the node at h, with nothing rounded."""

    def value(a: arb_series) -> arb_series:
        d, twice_m = a - h, a + h
        p4 = d * d * (twice_m * twice_m - 4)
        square, slope, constant = map(arb, mean)
        density = (-twice_m * twice_m / 8).exp() / (2 * arb.pi()).sqrt()
        return phi(arb(h)) - d * density * ((square * p4 + slope) * p4 + constant)

    return value


def step_is_good(i: int, limit: float, mean: tuple[float, ...]) -> bool:
    """Whether it is, relatively, within the limit wherever the i-th node is the nearest one."""
    h, reach = i * table.SPACING, table.SPACING / 2
    old_cap, ctx.cap = ctx.cap, ORDER + 2
    try:
        with ctx.workprec(BITS):
            return piece_is_good(stepped(h, mean), phi, h - reach, h + reach, arb(limit))
    finally:
        ctx.cap = old_cap


MEAN = (arb(2) ** -15, arb(1) / 96, arb(1))


def test_the_step_of_the_kernel_and_what_it_leaves_out_are_as_small_as_it_says():
    for used, exact in zip(gaussian._MEAN, MEAN, strict=True):
        assert float(used) == pytest.approx(float(exact) * c.DENSITY_AT_0, rel=2.0**-51)
    assert "less than 2⁻⁵⁷ of Φ(−a)" in gaussian._gelu.__doc__
    assert all(step_is_good(i, LEFT_OUT, MEAN) for i in range(table.NODES))
    said = " ".join(gaussian._gelu.__doc__.split())
    assert "The integral is less than 2⁻⁷ of it" in said
    with ctx.workprec(BITS):
        largest = largest_step(table.NODES)
        assert largest < arb(2) ** -7
        assert not largest < arb(2) ** -8


def largest_step(nodes: int) -> arb:
    """More than the largest integral between a node and an input, relative to Φ(−a)."""
    largest, reach = arb(0), arb(table.SPACING) / 2
    for i in range(nodes):
        h = arb(i) * table.SPACING
        # right of a node the step grows with a while Φ(−a) falls; on the left Φ(−a) is larger
        right = (phi(h) - phi(h + reach)) / phi(h + reach)
        left = (phi(h - reach) - phi(h)) / phi(h)
        largest = max(largest, right, left, key=lambda ball: float(ball.upper()))
    return largest


@pytest.mark.parametrize(
    ("limit", "mean"),
    [
        (LEFT_OUT / 2, MEAN),
        (LEFT_OUT, (arb(0), *MEAN[1:])),
        (LEFT_OUT, (arb(1) / (16 * 1920), *MEAN[1:])),
        (LEFT_OUT, (MEAN[0], arb(1) / 95, MEAN[2])),
    ],
)
def test_a_smaller_limit_or_another_coefficient_is_not_proved(limit: float, mean: tuple) -> None:
    assert not all(step_is_good(i, limit, mean) for i in range(0, table.NODES, 64))
