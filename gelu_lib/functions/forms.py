"""A form: one approximation, a family with a value for each of its parameters.

``tanh_form`` and ``sigmoid_form`` make the two that programs use, ``local_form`` those that match
Φ at 0 to an order. What measures, certifies or draws an approximation takes a form; ``minimax``
returns one, with more that is known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType

import numpy as np
from sympy import Expr, Symbol

from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    X,
    numpy_function,
)
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    Approximant,
    Value,
    check_right_limit,
    complete_parameters,
    exact_value,
    odd_logistic,
)
from gelu_lib.functions.series import local_match
from gelu_lib.functions.targets import Target, target_of


@dataclass(frozen=True)
class Form:
    """A member of a family of approximations.

    Called with an array of float64, it computes its values there, as exactly as the formula does.

    Attributes:
        family: the family of approximations.
        parameters: a value for each parameter, by name; what is given is made exact, as
            ``families.exact_value`` does.

    Raises:
        TypeError: if ``family`` is no family, or a value is of a type that is not accepted.
        ValueError: if a parameter is missing or unknown, or a value is not a real number.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import LOGISTIC, Form
        >>> form = Form(LOGISTIC, {"p1": "1.7"})
        >>> form.expression, form(np.array([1.0])).round(6)
        (logistic(17*x/10), array([0.845535]))
    """

    family: Approximant
    parameters: Mapping[str, Expr] = field(hash=False)

    def __post_init__(self) -> None:
        values = {symbol.name: value for symbol, value in self.exact.items()}
        object.__setattr__(self, "parameters", MappingProxyType(values))

    @cached_property
    def exact(self) -> Mapping[Symbol, Expr]:
        """The exact value of each parameter, by its symbol; that of a float is a fraction."""
        return MappingProxyType(complete_parameters(self.family, self.parameters))

    @property
    def expression(self) -> Expr:
        """The member as a SymPy expression in ``expressions.X``, with exact parameters."""
        return self.family.expression.xreplace(dict(self.exact))

    @property
    def k(self) -> Expr:
        """The cubic coefficient p3/p1 of a tanh form, such as 0.044715."""
        if self.family != TANH_CUBIC:
            raise AttributeError(f"{self.family.name} has no k; {TANH_CUBIC.name} has one")
        return self.parameters["p3"] / self.parameters["p1"]

    @property
    def c(self) -> Expr:
        """The scale p1 of a sigmoid form, such as 1.702."""
        if self.family != LOGISTIC:
            raise AttributeError(f"{self.family.name} has no c; {LOGISTIC.name} has one")
        return self.parameters["p1"]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return _in_floats(self.family, None)(x, *map(float, self.exact.values()))

    def error_at(self, x: np.ndarray, target: Target | str = "Phi") -> np.ndarray:
        """The exact value minus the approximation at the points x, in float64: no bound.

        Args:
            x: an array of float64.
            target: what is approximated; see ``targets.target_of``.

        Raises:
            TypeError, ValueError: as that function.
        """
        return _in_floats(self.family, target_of(target))(x, *map(float, self.exact.values()))


def right_limit(form: Form) -> Mapping[Symbol, Expr]:
    """The exact parameters of a member σ(p) with an odd polynomial p that tends to 1 at +∞.

    Raises:
        TypeError: if ``form`` is no form, or of another family.
        WrongLimitError: if it has another limit.
    """
    if not isinstance(form, Form) or not getattr(form.family, "is_odd_logistic", False):
        raise TypeError(f"form must be a Form of a family of odd_logistic, got {form!r}")
    check_right_limit(form.exact)
    return form.exact


@cache
def _in_floats(family: Approximant, target: Target | None) -> Callable[..., np.ndarray]:
    value = family.expression
    return numpy_function(value if target is None else target.error(value), X, *family.symbols)


def tanh_form(k: Value = PAGE_CUBIC, slope: Value = LOCAL_SLOPE) -> Form:
    """The tanh form (1 + tanh(slope·(x + k·x³)))/2.

    It is ``approximate="tanh"`` of PyTorch and ``gelu_pytorch_tanh``, ``gelu_new`` of transformers
    with the values that are taken where none are given.

    Args:
        k: the cubic coefficient; 0.044715 as programs have it.
        slope: what stands before the bracket; √(2/π), which gives Φ̂ the slope of Φ at 0.

    Returns:
        The member σ(p1 x + p3 x³) of ``TANH_CUBIC`` with p1 = 2·slope and p3 = p1·k.

    Raises:
        TypeError: if an argument is of a type that ``families.exact_value`` does not accept.
        ValueError: if it is not a real number.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import tanh_form
        >>> tanh_form().error_at(np.array([1.0, 2.0])).round(6)  # Φ less its approximation
        array([ 1.53e-04, -4.90e-05])
    """
    p1 = 2 * exact_value(slope, "slope")
    return Form(TANH_CUBIC, {"p1": p1, "p3": p1 * exact_value(k, "k")})


def sigmoid_form(c: Value = LOGISTIC_SCALE) -> Form:
    """The sigmoid form σ(c·x), ``quick_gelu`` of transformers with c = 1.702.

    Args:
        c: the scale.

    Returns:
        The member of ``LOGISTIC``.

    Raises:
        TypeError: if ``c`` is of a type that ``families.exact_value`` does not accept.
        ValueError: if it is not a real number.

    Example:
        >>> from gelu_lib import sigmoid_form
        >>> sigmoid_form().expression, sigmoid_form("1.7").expression
        (logistic(851*x/500), logistic(17*x/10))
    """
    return Form(LOGISTIC, {"p1": exact_value(c, "c")})


def local_form(order: int) -> Form:
    """The form σ(2u) that matches Φ at 0 to an order, with u = ``series.local_match(order)``.

    Its Taylor series at 0 is that of Φ up to x^order, and no other member of the family has that.
    Where the last coefficient of u is negative, as for the orders 5 and 7, Φ̂ tends to 0 at +∞.

    Args:
        order: the degree of u, an odd integer >= 1.

    Returns:
        The member of ``odd_logistic(order)``, with exact parameters; ``local_form(3)`` is the tanh
        form with the Taylor coefficient (4 − π)/(6π).

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    coefficients = local_match(order).coefficients
    family = odd_logistic(order)
    return Form(family, {name: 2 * a for name, a in zip(family.names, coefficients, strict=True)})


APPROXIMATIONS: Mapping[str, Form] = MappingProxyType(
    {"tanh": tanh_form(), "sigmoid": sigmoid_form()}
)
"""The two forms that are not exact, with the constants that programs have."""

FORMS: Mapping[str, Expr] = MappingProxyType(
    {"exact": GELU(X), **{name: X * form.expression for name, form in APPROXIMATIONS.items()}}
)
"""The three forms of GELU as expressions in ``X``, by the names of ``gelu_lib.activations.FORMS``.

The tanh form is written with the logistic function, so that nothing cancels on the left.
"""
