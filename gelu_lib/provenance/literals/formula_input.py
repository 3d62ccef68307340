"""A formula that somebody types, such as ``sqrt(2/pi)``, to many digits.

Python's parser reads it and nothing runs it. What is not named here is refused. The standard
library is enough; the formulas of the catalogue, which ``formulas`` has, need SymPy.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException, Overflow, localcontext
from fractions import Fraction
from typing import TypeVar

from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.precision import FORMULA_DIGITS
from gelu_lib.provenance.literals.literal import LONGEST_TEXT, SIZES, Reading

IN_FORMULAS = (
    "numbers, + - * / **, brackets, sqrt, exp, exp2, log (the natural one), log2, as sqrtf or "
    "std::sqrt too, pi, e, and of C "
    "M_PI, M_SQRT2, M_SQRT1_2, M_2_SQRTPI, M_LOG2E, M_LN2, M_1_PI and M_2_PI"
)
"""What a formula may be made of, in words."""

KEPT_DIGITS = 75
"""Significant digits that are kept of a formula, more than any constant has."""

_Number = TypeVar("Number")

ARITHMETIC: Mapping[type, Callable] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
"""The four operations, by the nodes of Python's parser."""

_OPERATIONS = {
    **ARITHMETIC,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_FUNCTIONS = {
    "sqrt": Decimal.sqrt,
    "exp": Decimal.exp,
    "exp2": lambda x: Decimal(2) ** x,
    "log": Decimal.ln,
    "log2": lambda x: x.ln() / Decimal(2).ln(),
}
_SIGNS = {"√": "sqrt", "π": "pi", "·": "*", "×": "*", "−": "-", "^": "**"}
_MODULES = re.compile(r"\b(?:(?:math|np|numpy|jnp|torch)\.|std::)(?=[a-z])")
_OF_C = re.compile(rf"\b({'|'.join(_FUNCTIONS)})[fl](?=\s*\()")  # sqrtf, of float, and sqrtl
MACROS_OF_C = {
    "m_pi": "pi",
    "m_sqrt2": "sqrt(2)",
    "m_sqrt1_2": "sqrt(1/2)",
    "m_2_sqrtpi": "(2/sqrt(pi))",
    "m_log2e": "(1/log(2))",
    "m_ln2": "log(2)",
    "m_1_pi": "(1/pi)",
    "m_2_pi": "(2/pi)",
}
"""The macros of C, in lower case, as formulas."""
_MACROS = re.compile(rf"\b({'|'.join(MACROS_OF_C)})[fl]?\b")
_SUFFIX = re.compile(r"(?<=[\d.])f\b")  # of float in C
_EXPONENT = re.compile(r"(?<=[\d.])[ep][-+]?\d*", re.IGNORECASE)
_FORMULA = re.compile(r"[(*/√π]|[\w.)]\s*[-+−·×^]|\s*[-+−]?(?:pi|e|M_\w+)\s*$")


class FormulaError(ValueError):
    """A formula with something else in it; the message names it."""


def evaluated(
    formula: str,
    number: Callable[[str], _Number],
    names: Mapping[str, _Number],
    functions: Mapping[str, Callable[[_Number], _Number]],
    operations: Mapping[type, Callable],
    rounded: Callable[[_Number], _Number],
) -> _Number:
    """The value of a formula in some arithmetic.

    Args:
        formula: the text.
        number: makes a number of a literal in it.
        names: the numbers that have names.
        functions: the functions of one argument, by name.
        operations: what each node of Python's parser stands for.
        rounded: what is done to the value of each function and operation.

    Raises:
        FormulaError: if there is anything else in it.
    """

    def value(node: ast.AST) -> _Number:
        match node:
            case ast.BinOp(left, operation, right) if type(operation) in operations:
                return rounded(operations[type(operation)](value(left), value(right)))
            case ast.UnaryOp(operation, operand) if type(operation) in operations:
                return rounded(operations[type(operation)](value(operand)))
            case ast.Call(ast.Name(name), [argument], []) if name in functions:
                return rounded(functions[name](value(argument)))
            case ast.Name(name) if name in names:
                return names[name]
            case ast.Constant(int() | float()):
                return rounded(number(ast.get_source_segment(formula, node)))
        part = ast.get_source_segment(formula, node)
        raise FormulaError(f"{formula}: {part} is not accepted in a formula")

    try:
        return value(ast.parse(formula, mode="eval").body)
    except SyntaxError as error:
        raise FormulaError(f"{formula} is no formula") from error


def is_formula(text: str) -> bool:
    """Whether a text that is no literal is meant as a formula: it has an operation or a name."""
    return bool(_FORMULA.search(_EXPONENT.sub("", text)))


def read_formula(text: str) -> Reading:
    """A formula as a number of ``KEPT_DIGITS`` significant digits; its sign is dropped.

    Args:
        text: made of ``IN_FORMULAS``, as Python, C or mathematics write it: ``M_SQRT1_2``,
            ``sqrtf(2.0f / M_PI)``, ``math.sqrt(2 / math.pi)`` or ``√(2/π)``. A decimal stands for
            itself, not for a float.

    Raises:
        FormulaError: if there is something else in it, or its value is 0, not real, or out of the
            range of every float type, or too many digits cancel.
    """
    if len(text) > LONGEST_TEXT:
        raise FormulaError(f"a text of {len(text)} characters; accepted are at most {LONGEST_TEXT}")
    formula = _MODULES.sub("", text.strip().lower().translate(str.maketrans(_SIGNS)))
    formula = _OF_C.sub(r"\1", _SUFFIX.sub("", formula))
    formula = _MACROS.sub(lambda found: MACROS_OF_C[found[1]], formula)
    coarse, value = (_decimal(formula, KEPT_DIGITS + times * FORMULA_DIGITS) for times in (1, 2))
    if abs(coarse - value) > abs(value).scaleb(-KEPT_DIGITS):
        raise FormulaError(f"{formula}: too many digits cancel")
    widest, size = FLOAT_TYPES["float64"], Context(prec=KEPT_DIGITS).abs(value)
    if not widest.smallest <= size <= widest.greatest:
        found = "out of the range of every float type" if size else "0"
        raise FormulaError(f"{formula} is {found}; accepted are {SIZES}")
    unit = Fraction(10) ** (size.adjusted() - KEPT_DIGITS + 1)
    return Reading("formula", Fraction(size), unit)


def _decimal(formula: str, digits: int) -> Decimal:
    """A formula in decimal arithmetic with so many digits."""
    with localcontext(Context(prec=digits)):
        names = {"pi": decimal_pi(), "e": Decimal(1).exp()}
        try:
            return evaluated(formula, Decimal, names, _FUNCTIONS, _OPERATIONS, _finite)
        except DecimalException as error:
            what = "too large" if isinstance(error, Overflow) else "no real number"
            raise FormulaError(f"{formula} is {what}") from error


def _finite(number: Decimal) -> Decimal:
    if not number.is_finite():
        raise FormulaError("a logarithm of 0 is not accepted in a formula")
    return number


def decimal_pi() -> Decimal:
    """π in the precision at hand, by the arithmetic-geometric mean: a round doubles the digits."""
    a, b, rest, power = Decimal(1), Decimal("0.5").sqrt(), Decimal("0.25"), 1
    for _ in range(9):  # good to 2⁹ digits and more
        a, b, step = (a + b) / 2, (a * b).sqrt(), (a - b) / 2
        rest, power = rest - power * step * step, 2 * power
    return (a + b) ** 2 / (4 * rest)
