"""Figures of GELU beside ReLU, the identity and its tangent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelu_lib.activations import gelu
from gelu_lib.figures.style import Drawn, draw


def relu_beside_gelu(low: float = -2.5, high: float = 2.5) -> Drawn:
    """ReLU and GELU on one pair of axes."""
    x = np.linspace(low, high, 501)
    return draw({"GELU": (x, gelu(x)), "ReLU": (x, np.maximum(x, 0))}, ylabel="activation")


def gelu_over_identity(at: Sequence[float] = (-1.0, 1.0, 2.0)) -> Drawn:
    """GELU beside the line y = x, with the points where the ratio Φ(x) is read off."""
    marked = np.asarray(at, dtype=float)
    x = np.linspace(min(-1.5, marked.min() - 0.5), max(2.5, marked.max() + 0.5), 401)
    curves = {"GELU": (x, gelu(x)), "$y = x$": (x, x)}
    return draw(curves, {r"$x\,\Phi(x)$": (marked, gelu(marked))}, ylabel="activation")


def tangent_at_zero() -> Drawn:
    """GELU and its tangent at 0, the line y = x/2."""
    x = np.linspace(-1, 2, 301)
    curves = {"GELU": (x, gelu(x)), "tangent $y = x/2$": (x, x / 2)}
    origin = np.zeros(1)
    return draw(curves, {"point of contact": (origin, origin)}, ylabel="activation")
