"""The symbols of more than one subject; a symbol of one alone stands with its derivations."""

from sympy import Rational, Symbol

HALF = Rational(1, 2)
S, U = Symbol("s", real=True), Symbol("u", real=True)
P1, P3 = Symbol("p_1", real=True), Symbol("p_3", real=True)
SCALE = Symbol("c", positive=True)
AHEAD = Symbol("x", positive=True)
