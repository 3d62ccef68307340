"""Φ, φ, σ and GELU as SymPy expressions, and numerical evaluation made from them.

Every number that the library computes about a formula comes from the expression that stands
here: ``numpy_function`` and ``mpmath_function`` turn one expression into an evaluation, so that
what is proved and what is plotted cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import mpmath
import numpy as np
import scipy.special
import sympy as sp
from sympy import Expr, Function, Rational, Symbol, erf, exp, oo, pi, sqrt, tanh

X = Symbol("x", real=True)
"""The variable of every expression in this library."""

T = Symbol("t", real=True)
"""The variable of integration."""

LOCAL_SLOPE = sqrt(2 / pi)
"""√(2/π), the slope of erf(x/√2) at 0, and the inner factor with which the tanh form keeps it."""

PAGE_CUBIC = Rational("0.044715")
"""The cubic coefficient of the tanh form, as an exact decimal."""

LOGISTIC_SCALE = Rational("1.702")
"""The scale of the sigmoid form, as an exact decimal."""

_STEP = {sp.S.Zero: sp.S.Half, oo: sp.S.One, -oo: sp.S.Zero}
"""The values of a distribution function that is symmetric about 0."""


class _RealFunction(Function):
    """What the functions below have in common: they are real on the line, and TeX names them."""

    nargs = 1
    tex: ClassVar[str]
    values: ClassVar[Mapping[Expr, Expr]]

    @classmethod
    def eval(cls, x: Expr) -> Expr | None:
        return cls.values.get(x)

    def _eval_is_real(self) -> bool | None:
        return True if self.args[0].is_extended_real else None

    def _latex(self, printer: sp.printing.latex.LatexPrinter, exp: str | None = None) -> str:
        power = f"^{{{exp}}}" if exp else ""
        return rf"{self.tex}{power}\left({printer._print(self.args[0])}\right)"


class _PositiveFunction(_RealFunction):
    """One that is positive on the line, too."""

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None


class phi(_PositiveFunction):  # the field writes the density as a lower-case φ
    """The density of the standard normal distribution, φ(x) = exp(−x²/2)/√(2π)."""

    tex = r"\varphi"

    @classmethod
    def eval(cls, x: Expr) -> Expr | None:
        if x in (oo, -oo):
            return sp.S.Zero
        return cls(-x) if x.could_extract_minus_sign() else None

    def fdiff(self, argindex: int = 1) -> Expr:
        (x,) = self.args
        return -x * phi(x)

    def _eval_rewrite_as_exp(self, x: Expr, **_: object) -> Expr:
        return exp(-(x**2) / 2) / sqrt(2 * pi)

    def _eval_evalf(self, prec: int) -> Expr:
        return self.rewrite(exp)._eval_evalf(prec)


class Phi(_PositiveFunction):
    """The distribution function of the standard normal distribution, Φ(x) = ∫₋∞ˣ φ(t) dt."""

    tex = r"\Phi"
    values = _STEP

    def fdiff(self, argindex: int = 1) -> Expr:
        return phi(self.args[0])

    def _eval_rewrite_as_erf(self, x: Expr, **_: object) -> Expr:
        return (1 + erf(x / sqrt(2))) / 2

    def _eval_evalf(self, prec: int) -> Expr:
        # erfc, not 1 + erf, which cancels in the left tail
        return (sp.erfc(-self.args[0] / sqrt(2)) / 2)._eval_evalf(prec)


class logistic(_PositiveFunction):
    """The logistic function σ(x) = 1/(1 + exp(−x))."""

    tex = r"\sigma"
    values = _STEP

    def fdiff(self, argindex: int = 1) -> Expr:
        # σ(x)σ(−x), not σ(x)(1 − σ(x)), which cancels on the right
        (x,) = self.args
        return logistic(x) * logistic(-x)

    def _eval_rewrite_as_exp(self, x: Expr, **_: object) -> Expr:
        return 1 / (1 + exp(-x))

    def _eval_rewrite_as_tanh(self, x: Expr, **_: object) -> Expr:
        return (1 + tanh(x / 2)) / 2

    def _eval_evalf(self, prec: int) -> Expr:
        return self.rewrite(exp)._eval_evalf(prec)


class GELU(_RealFunction):
    """The Gaussian error linear unit, GELU(x) = xΦ(x)."""

    tex = r"\operatorname{GELU}"
    values: ClassVar = {sp.S.Zero: sp.S.Zero, oo: oo, -oo: sp.S.Zero}

    def fdiff(self, argindex: int = 1) -> Expr:
        (x,) = self.args
        return Phi(x) + x * phi(x)

    def _eval_rewrite_as_Phi(self, x: Expr, **_: object) -> Expr:
        return x * Phi(x)

    def _eval_rewrite_as_erf(self, x: Expr, **_: object) -> Expr:
        return x * (1 + erf(x / sqrt(2))) / 2

    def _eval_evalf(self, prec: int) -> Expr:
        return self.rewrite(Phi)._eval_evalf(prec)


def gelu_tanh(x: Expr = X, cubic: Expr = PAGE_CUBIC, slope: Expr = LOCAL_SLOPE) -> Expr:
    """The tanh form of GELU, x(1 + tanh(slope·(x + cubic·x³)))/2; ``slope`` is its inner factor."""
    return x * (1 + tanh(slope * (x + cubic * x**3))) / 2


def gelu_sigmoid(x: Expr = X, scale: Expr = LOGISTIC_SCALE) -> Expr:
    """The sigmoid form of GELU, x·σ(scale·x)."""
    return x * logistic(scale * x)


def another_x(expression: object) -> str:
    """What a message adds where an x is not ``X``, which prints alike."""
    others = getattr(expression, "free_symbols", set()) - {X}
    return ", whose x is not gelu_lib.X" if any(s.name == X.name for s in others) else ""


def canonical(expression: Expr) -> Expr:
    """An expression in which Φ and σ have no argument with a minus sign in front.

    Φ(−x) is 1 − Φ(x) and σ(−x) is 1 − σ(x), so that sums of them can be compared.
    """

    def of(function: type[Expr]) -> Callable[[Expr], Expr]:
        return lambda u: 1 - function(-u) if u.could_extract_minus_sign() else function(u)

    plain = expression.replace(GELU, lambda x: x * Phi(x))
    return plain.replace(Phi, of(Phi)).replace(logistic, of(logistic))


def parity(expression: Expr) -> int:
    """1 for a function of ``X`` that is shown to be even, −1 for an odd one, and else 0.

    It is compared with its mirror image for x > 0, where \\|x\\| is x, after ``canonical``.
    """
    x = Symbol("x", positive=True)
    right, left = (canonical(expression.xreplace({X: place})) for place in (x, -x))
    for sign in (1, -1):
        if _may_vanish(left - sign * right) and sp.expand(left - sign * right) == 0:
            return sign
    return 0


def _may_vanish(expression: Expr) -> bool:
    """Whether an expression is 0 at one place, as far as a number shows; that is soon told."""
    symbols = sorted(expression.free_symbols, key=str)
    number = sp.N(expression.xreplace({s: Rational(i + 3, 7) for i, s in enumerate(symbols)}))
    return not number.is_Float or abs(number) < 1e-6


def numpy_function(expression: Expr, *variables: Symbol) -> Callable[..., np.ndarray]:
    """A float64 evaluation of ``expression`` on NumPy arrays.

    Args:
        expression: a SymPy expression in ``variables``.
        *variables: the arguments of the returned function, in order; ``X`` alone if none is given.

    Returns:
        A function of as many arrays, which broadcast. Φ is SciPy's ``ndtr``, σ its ``expit``; the
        accuracy is that of the formula as it is written.

    Raises:
        ValueError: if ``expression`` has a symbol that is not among ``variables``.
    """
    density = numpy_density
    functions = {
        "Phi": scipy.special.ndtr,
        "phi": density,
        "logistic": scipy.special.expit,
        "GELU": lambda x: x * scipy.special.ndtr(x),
    }
    return sp.lambdify(_checked(expression, variables), expression, [functions, "scipy", "numpy"])


def mpmath_function(
    expression: Expr | list[Expr], *variables: Symbol
) -> Callable[..., mpmath.mpf | list[mpmath.mpf]]:
    """An evaluation of ``expression`` in mpmath, at whatever precision is set when it is called.

    Args:
        expression: a SymPy expression in ``variables``, or a list of them.
        *variables: the arguments of the returned function, in order; ``X`` alone if none is given.

    Returns:
        A function of mpmath numbers; of a list it returns a list, and what several expressions
        have in common is computed once. Exact rationals and constants in ``expression`` are
        evaluated at the precision of the call, never rounded before.

    Raises:
        ValueError: if ``expression`` has a symbol that is not among ``variables``.
    """
    functions = {
        "Phi": mpmath.ncdf,
        "phi": mpmath.npdf,
        "logistic": mpmath_logistic,
        "GELU": lambda x: x * mpmath.ncdf(x),
    }
    arguments = _checked(expression, variables)
    return sp.lambdify(arguments, expression, [functions, "mpmath"], cse=True)


def numpy_density(x: np.ndarray) -> np.ndarray:
    """φ at each element of a float64 array."""
    return np.exp(-np.square(x) / 2) / np.sqrt(2 * np.pi)


def mpmath_logistic(x: mpmath.mpf) -> mpmath.mpf:
    """σ at an mpmath number, without overflow on the left."""
    return 1 / (1 + mpmath.exp(-x)) if x >= 0 else mpmath.exp(x) / (1 + mpmath.exp(x))


def _checked(expression: Expr | list[Expr], variables: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    variables = variables or (X,)
    expressions = expression if isinstance(expression, list) else [expression]
    unknown = sp.Tuple(*expressions).free_symbols - set(variables)
    if unknown:
        names = ", ".join(sorted(str(symbol) for symbol in unknown))
        accepted = ", ".join(str(symbol) for symbol in variables)
        raise ValueError(f"expression has the symbols {names}; accepted are {accepted}")
    return variables
