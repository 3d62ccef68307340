"""What is approximated: Φ, GELU, GELU′, or a function of one's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import sympy as sp
from sympy import Expr

from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import in_x


@dataclass(frozen=True)
class Target:
    """A function f that is approximated, and what a member F of a family has to do with it.

    The error is f − F. Where F approximates one function and what is made of it another one, as Φ
    and GELU = xΦ, the error is that of the latter, c·(f − F), or its derivative.

    Args:
        function: the function f that a member approximates, an expression in ``X``.
        factor: what the error f − F is multiplied by, an expression in ``X``: x for GELU.
        derivative: whether the error is differentiated after that, as for GELU′.
        name: what messages call it; without it, the expression itself.

    Raises:
        ValueError: if one has other symbols than ``X``, an imaginary or an infinite part.
        TypeError: if ``derivative`` is no truth value.

    Example:
        >>> import sympy as sp
        >>> from gelu_lib import Target, X
        >>> from gelu_lib.functions.expressions import Phi, logistic
        >>> silu = Target(X * logistic(X))
        >>> Target(Phi(X), factor=X).expression        # GELU, as it is built in
        x*Phi(x)
    """

    function: Expr
    factor: Expr = sp.S.One
    derivative: bool = False
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if type(self.derivative) is not bool:
            raise TypeError(f"derivative must be True or False, got {self.derivative!r}")
        for part in ("function", "factor"):
            object.__setattr__(self, part, in_x(getattr(self, part), part))

    @cached_property
    def expression(self) -> Expr:
        """The function whose error is measured."""
        return self.error(sp.S.Zero)

    def error(self, member: Expr) -> Expr:
        """The error of a member of a family, which approximates ``function``.

        Args:
            member: an expression in ``X`` and parameters.

        Returns:
            The exact value minus the approximation.
        """
        error = self.factor * (self.function - member)
        return sp.diff(error, X) if self.derivative else error

    def __str__(self) -> str:
        return self.name or str(self.expression)


PHI = Target(Phi(X), name="Phi")
"""Φ, which a member approximates itself."""

GELU = Target(Phi(X), factor=X, name="GELU")
"""GELU = xΦ, which x times a member approximates."""

GELU_DERIVATIVE = Target(Phi(X), factor=X, derivative=True, name="GELU_derivative")
"""GELU′ = (xΦ)′, which the derivative of x times a member approximates."""

TARGETS = {target.name: target for target in (PHI, GELU, GELU_DERIVATIVE)}
"""The targets that have names."""


def target_of(target: Target | str) -> Target:
    """A target, or the one that has a name.

    Args:
        target: a target, ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``.

    Raises:
        TypeError: if it is neither a target nor a string; an expression becomes one by ``Target``.
        ValueError: if there is no target of that name.
    """
    if isinstance(target, Target):
        return target
    if not isinstance(target, str):
        raise TypeError(f"target must be a Target or one of {tuple(TARGETS)}, got {target!r}")
    if target not in TARGETS:
        raise ValueError(f"target must be one of {tuple(TARGETS)}, or a Target, got {target!r}")
    return TARGETS[target]
