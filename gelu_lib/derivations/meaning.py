r"""What a formula of the book means: from the tree that ``reading`` makes to SymPy objects.

A formula is read together with its assumptions. These say what each symbol is (:math:`c > 0`,
:math:`n \in \mathbb{N}_0`) and what local names mean (:math:`g(x) = x\,\sigma(cx)`). A symbol of
which nothing is said is a real number. The words between the formulas are not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import sympy as sp
from sympy import Dummy, Expr, Integral, Limit, Sum, Symbol

from gelu_lib.derivations.notation import Coefficient, NormalProbability
from gelu_lib.derivations.quantities import (
    ArgMax,
    ArgMin,
    Cardinality,
    Chain,
    Collection,
    Component,
    Inference,
    Infimum,
    Member,
    Proposition,
    Supremum,
)
from gelu_lib.derivations.reading import Node, ReadingError, node, read_tex
from gelu_lib.functions.expressions import GELU, Phi, logistic, phi

_FUNCTIONS: Mapping[str, Callable[..., Expr]] = {
    "Phi": Phi,
    "varphi": phi,
    "sigma": logistic,
    "W": sp.LambertW,
    "tanh": sp.tanh,
    "sinh": sp.sinh,
    "cosh": sp.cosh,
    "coth": sp.coth,
    "sech": sp.sech,
    "cos": sp.cos,
    "sin": sp.sin,
    "exp": sp.exp,
    "log": sp.log,
    "ln": sp.log,
    "GELU": GELU,
    "erf": sp.erf,
    "erfc": sp.erfc,
    "artanh": sp.atanh,
    "sgn": sp.sign,
    "sign": sp.sign,
    "Re": sp.re,
    "Im": sp.im,
    "arg": sp.arg,
    "max": sp.Max,
    "min": sp.Min,
}
"""The functions that the book writes by a name of their own."""

_INVERSES = {"erfc": sp.erfcinv}
"""What the book writes as a function to the power −1."""
_CONDITIONS = {"for", "for every", "and any points", "if", "if also", "where"}
"""The words behind which conditions stand."""

_WORDED = re.compile(r"(so that |equality at |only for |because |namely |)\$([^$]*)\$")
"""A formula of the assumptions, and the words before it that say what it is."""

_EXTREMA = {
    "sup": Supremum,
    "max": Supremum,
    "inf": Infimum,
    "min": Infimum,
    "argmax": ArgMax,
    "argmin": ArgMin,
}
_SETS: Mapping[str, Mapping[str, bool]] = {
    "R": {"real": True},
    "Z": {"integer": True},
    "N": {"integer": True, "positive": True},
    "N_0": {"integer": True, "nonnegative": True},
    "C": {"complex": True},
}
_SIGNED = {">": "positive", "≥": "nonnegative", "<": "negative"}
_ORDERED = {
    "<": sp.StrictLessThan,
    ">": sp.StrictGreaterThan,
    "≤": sp.LessThan,
    "≥": sp.GreaterThan,
    "=": sp.Equality,
    "≠": sp.Unequality,
}


@dataclass(frozen=True)
class Statement:
    """What a result states, as objects.

    Attributes:
        claims: what holds, in the order of the page.
        domains: the symbols about which the assumptions say something, by name.
        assumed: the formulas of the assumptions that are neither that nor definitions.
        definitions: what local names stand for, by name; functions as ``Lambda``.
        equality: where alone the sides of an inequality that is claimed are equal, first the
            place at which a supremum on one side is attained.
        reasons: what the assumptions give as a reason or a meaning of their words.
    """

    claims: tuple[Proposition, ...]
    domains: Mapping[str, Symbol]
    assumed: tuple[Proposition, ...]
    definitions: Mapping[str, Expr] = field(default_factory=dict)
    equality: tuple[Proposition, ...] = ()
    reasons: tuple[Proposition, ...] = ()


def statement(
    tex: str, assumptions: str = "", functions: Mapping[str, Callable[..., Expr]] | None = None
) -> Statement:
    r"""What a formula and its assumptions say.

    Args:
        tex: a formula in TeX, without delimiters.
        assumptions: text with TeX between dollar signs; what stands behind "so that" is claimed,
            where the sides of an inequality are equal behind "equality at … only for", and what
            holds besides behind "because" and "namely".
        functions: what further names mean, by name; ``B_`` is the family of B₀, B₁, ….

    Returns:
        The statement as objects.

    Raises:
        ReadingError: if a formula is not in the book's notation.
    """
    scope = Scope(functions={**_FUNCTIONS, **(functions or {})})
    parts = _clauses_by_keyword(assumptions)
    said, printed = parts.get("", []), [*read_tex(tex), *parts.get("so that", [])]
    said += [clause for clause in _chains(printed) if _listed(clause)]
    assumed = [_strip_definition(clause, scope) for clause in _domains(said, scope)]
    claimed = [
        _strip_definition(clause, scope, calls=True) for clause in printed if not _listed(clause)
    ]
    claimed = _components([clause for clause in claimed if clause is not None])
    signs = (1, -1) if re.search(r"\\pm|\\mp", tex) else (1,)
    claims = [claim for sign in signs for claim in replace(scope, sign=sign).claims(claimed)]
    conditions = tuple(scope.claims(filter(None, assumed)))
    claims = [_constrain_domain(claim, conditions) for claim in claims]
    equality = tuple(scope.claims([*parts.get("equality at", []), *parts.get("only for", [])]))
    reasons = tuple(scope.claims([*parts.get("because", []), *parts.get("namely", [])]))
    domains = dict(scope.domains)
    return Statement(tuple(claims), domains, conditions, scope.defined(), equality, reasons)


def _clauses_by_keyword(assumptions: str) -> dict[str, list[Node]]:
    """The clauses of a text, by the words before them; the empty one stands for any others."""
    found: dict[str, list[Node]] = {}
    for words, part in _WORDED.findall(assumptions):
        found.setdefault(words.strip(), []).extend(read_tex(part))
    return found


# ---------------------------------------------------------------------------- names


def key(named: Node) -> str:
    """The name of a symbol: p1 for p₁, x_star for x*, xi for xᵢ."""
    name, index = named
    if index is None:
        return name
    if index.kind == "star":
        return f"{name}_star"
    return name + (str(index.parts[0]) if index.kind in {"number", "name"} else "_" + repr(index))


def family(named: Node) -> bool:
    """Whether a name is one of a family: its subscript is a letter or an expression."""
    return named.parts[1] is not None and named.parts[1].kind not in {"number", "star"}


def _names(tree: object) -> Iterable[str]:
    """The names of symbols in a tree, in order."""
    if isinstance(tree, Node):
        if tree.kind == "name":
            yield key(tree)
        if tree.kind == "call":
            tree = tree.parts[1]
        for part in tree:
            yield from _names(part)
    elif isinstance(tree, tuple):
        for part in tree:
            yield from _names(part)


def _chains(clauses: Iterable[Node]) -> Iterable[Node]:
    """The chains of clauses, those within an inference included."""
    for clause in clauses:
        if clause.kind == "infer":
            yield from _chains((*clause.parts[0], *clause.parts[2]))
        elif clause.kind == "all":
            yield from _chains(clause.parts[0])
        elif clause.kind == "chain":
            yield clause


def _listed(clause: Node) -> bool:
    """Whether a clause says which values a name has, as in j = 1, 3, 5, …"""
    return clause.kind == "chain" and clause.parts[0][-1].kind == "elements"


def _domains(clauses: Sequence[Node], scope: Scope) -> list[Node]:
    """Note what clauses say of the kind of symbols and families; the others are returned."""
    others: list[Node] = []
    waiting: list[Node] = []
    for clause in clauses:
        sides, signs = clause.parts if clause.kind == "chain" else ((), ())
        named = bool(sides) and sides[0].kind == "name"
        if not signs and sides and (named or sides[0].kind == "dots"):
            waiting += sides if named else ()
            continue
        kind = _kind(sides, signs) if named and not _of_one(sides[0], scope) else None
        if kind is None or _listed(clause):
            others.append(clause)
        for one in [*waiting, sides[0]] if kind else []:
            if family(one):
                scope.families.setdefault(one.parts[0], {}).update(kind)
            else:
                scope.kinds.setdefault(key(one), {}).update(kind)
        waiting = []
    for name, kind in scope.kinds.items():
        scope.domains[name] = Symbol(name, **_real(kind))
    return others


def _of_one(named: Node, scope: Scope) -> bool:
    """Whether a subscript is one number and does not run, as in pₘ > 0 where m is declared."""
    index = named.parts[1]
    return index is not None and index.kind == "name" and key(index) in scope.kinds


def _real(kind: Mapping[str, bool]) -> Mapping[str, bool]:
    """What is assumed of a symbol: that it is real, unless it is complex or an integer."""
    return kind if "complex" in kind or "integer" in kind else {"real": True, **kind}


def _kind(sides: Sequence[Node], signs: Sequence[str]) -> Mapping[str, bool] | None:
    if len(sides) != 2:
        return None
    if signs[0] == "∈" and sides[1].kind == "numbers":
        return _SETS[sides[1].parts[0]]
    if signs[0] == "∈" and sides[1].kind == "elements":
        return _SETS["Z"]
    if sides[1] == node("number", sp.Integer(0)) and signs[0] in _SIGNED:
        return {_SIGNED[signs[0]]: True}
    return None


def _defines(clause: Node, scope: Scope, calls: bool = False) -> bool:
    """Whether a clause defines a local name; then the scope gets it.

    In a statement itself only functions and families are defined (``calls``); a symbol that stands
    alone on the left is what the result is about.
    """
    if clause.kind != "chain" or clause.parts[1][:1] not in {("=",), ("~",)}:
        return False
    head, right = clause.parts[0][:2]
    if right.kind == "normal":
        scope.definitions[key(head)] = (), right
        return True
    if (chance := _chance(head)) is not None:
        scope.definitions.setdefault("B", ((), node("chances")))
        weights = (*scope.definitions["B"][1].parts, (chance, right))
        scope.definitions["B"] = (), Node("chances", weights)
        return True
    if clause.parts[1][0] == "~":
        return False
    named, arguments = (head, ()) if head.kind == "name" else (None, ())
    if head.kind == "call" and head.parts[2] == 0 and head.parts[3] is None:
        named, arguments = head.parts[:2]
    if named is None or not all(a.kind == "name" and a.parts[1] is None for a in arguments):
        return False
    name, index = named
    if key(named) in scope.functions or (calls and not arguments and not family(named)):
        return False
    parameters = tuple(map(key, arguments))
    if index is not None and family(named):
        if index.kind != "name":
            return False
        name, parameters = f"{name}_", (key(index), *parameters)
    else:
        name = key(named)
    if name in scope.definitions or (not parameters and name in _names(right)):
        return False  # defined already, or an equation for the symbol such as κ = coth κ
    scope.definitions[name] = parameters, right
    return True


def _chance(head: Node) -> sp.Rational | None:
    """The value whose probability a side is, as in P(B = 1)."""
    if head.kind != "call" or head.parts[0] != node("name", "P", None):
        return None
    inside = head.parts[1][0]
    if inside.kind != "chain" or inside.parts[1] != ("=",):
        return None
    if inside.parts[0][0] != node("name", "B", None):
        raise ReadingError("a probability is declared of B = 1 and of B = 0")
    return inside.parts[0][1].parts[0]


def _strip_definition(clause: Node, scope: Scope, calls: bool = False) -> Node | None:
    """What a clause claims besides a definition, as in f(x) = a = b."""
    if not _defines(clause, scope, calls):
        return clause
    sides, signs = clause.parts
    return node("chain", sides[1:], signs[1:]) if len(sides) > 2 else None


def _components(clauses: Sequence[Node]) -> list[Node]:
    """Put "p₁ of arg min …" together, which words separate."""
    found = list(clauses)
    for place in [i for i, clause in enumerate(found) if clause == node("text", "of")][::-1]:
        before, after = found[place - 1], found[place + 1]
        (symbol,), (whole,) = before.parts[0], after.parts[0]
        found[place - 1 : place + 2] = [node("chain", (node("component", whole, symbol),), ())]
    return found


def _constrain_domain(claim: Proposition, assumed: Sequence[Proposition]) -> Proposition:
    """Best approximations are sought among the parameters that satisfy what is assumed of them."""

    def restrict(part: Infimum | ArgMin) -> Expr:
        own = [_condition(c, part.variables) for c in assumed if isinstance(c, Chain)]
        domain = sp.And(part.domain, *(condition for condition in own if condition is not None))
        return part.func(part.body, part.variables, domain)

    if isinstance(claim, Inference):
        return claim
    best = [
        part.replace(lambda p: isinstance(p, Infimum | ArgMin) and p.body.has(Supremum), restrict)
        for part in claim.sides
    ]
    return replace(claim, sides=tuple(best))


def _condition(chain: Chain, parameters: Sequence[Symbol]) -> Expr | None:
    """What a chain says of parameters; a symbol besides stands for every real number."""
    if chain.signs not in {("=",), ("≥",)}:
        return None
    left, right = chain.sides
    symbols = left.free_symbols | right.free_symbols
    others = symbols - set(parameters)
    if not symbols & set(parameters) or (others and chain.signs == ("=",)):
        return None
    if others:
        left, right = Infimum(left - right, others), sp.S.Zero
    return _ORDERED[chain.signs[0]](left, right, evaluate=False)


# ---------------------------------------------------------------------------- meaning


@dataclass
class Scope:
    """What names mean where a formula stands.

    Attributes:
        kinds: what is assumed of symbols.
        families: what is assumed of families, which are declared with a letter as subscript.
        domains: the symbols.
        definitions: local names, each with its parameters and the tree of its right side.
        bound: what parameters and bound symbols stand for.
        sign: the sign that ± stands for.
        functions: what the names of functions mean.
        argument: what functions are taken at that stand without an argument, as in ∫|r|.
    """

    kinds: dict[str, dict[str, bool]] = field(default_factory=dict)
    families: dict[str, dict[str, bool]] = field(default_factory=dict)
    domains: dict[str, Symbol] = field(default_factory=dict)
    definitions: dict[str, tuple[tuple[str, ...], Node]] = field(default_factory=dict)
    bound: Mapping[str, Expr] = field(default_factory=dict)
    sign: int = 1
    functions: Mapping[str, Callable[..., Expr]] = field(default_factory=lambda: _FUNCTIONS)
    argument: Expr | None = None

    def claims(self, clauses: Sequence[Node]) -> list[Proposition]:
        """The claims of clauses; what stands after "for", "if" or "with" are conditions."""
        found: list[Proposition] = []
        condition, before = False, ()
        for clause in clauses:
            if clause.kind == "text":
                condition = clause.parts[0] in _CONDITIONS
                before = found[-2].given if clause.parts[0] == "if also" else ()
            elif condition and found and isinstance(found[-1], Chain):
                found[-1] = replace(found[-1], given=(*before, *self.chains(clause)))
                condition = False
            elif clause.kind == "infer":
                premises, sign, conclusions = clause
                left, right = (
                    tuple(c for part in side for c in self.chains(part))
                    for side in (premises, conclusions)
                )
                found.append(Inference(left, sign, right))
            else:
                found.extend(self.chains(clause))
        return found

    def defined(self) -> dict[str, Expr]:
        """The definitions as objects."""
        found = {}
        for name, (parameters, right) in self.definitions.items():
            if right.kind in {"normal", "chances"}:
                continue
            symbols = {own: self.symbol(own) for own in parameters}
            body = self.binding(**symbols).of(right)
            found[name] = sp.Lambda(tuple(symbols.values()), body) if parameters else body
        return found

    def chains(self, clause: Node) -> tuple[Chain, ...]:
        if clause.kind == "all":
            return tuple(chain for part in clause.parts[0] for chain in self.chains(part))
        sides, signs = clause.parts
        return (Chain(tuple(self.side(side) for side in sides), signs),)

    def side(self, tree: Node) -> Expr:
        if tree.kind == "numbers":
            return {"R": sp.S.Reals, "C": sp.S.Complexes, "Z": sp.S.Integers}.get(
                tree.parts[0], sp.S.Naturals0 if "_0" in tree.parts[0] else sp.S.Naturals
            )
        return self.of(tree)

    def of(self, tree: Node) -> Expr:
        """The SymPy object of a tree."""
        method = getattr(self, f"_{tree.kind}", None)
        if method is None:
            raise ReadingError(f"{tree.kind} has no meaning where it stands")
        return method(*tree.parts)

    def binding(self, **names: Expr) -> Scope:
        return replace(self, bound={**self.bound, **names})

    def symbol(self, name: str) -> Expr:
        found = self.bound.get(name, self.domains.get(name))
        return Symbol(name, real=True) if found is None else found

    # ------------------------------------------------------------------ names

    def _name(self, name: str, index: Node | None) -> Expr:
        named = node("name", name, index)
        own = key(named)
        if own in self.bound:
            return self.bound[own]
        if family(named) and f"{name}_" in self.definitions:
            return self.applied(f"{name}_", [self.of(index)], 0)
        if index is not None and index.kind == "number" and f"{name}_" in self.definitions:
            return self.applied(f"{name}_", [self.of(index)], 0)
        if own in self.definitions and not self.definitions[own][0]:
            return self.of(self.definitions[own][1])
        if own in self.definitions and self.argument is not None:
            return replace(self, argument=None).applied(own, [self.argument], 0)
        if family(named) and f"{name}_" in self.functions:
            return self.functions[f"{name}_"](self.of(index))
        if own == "e" and own not in self.domains:
            return sp.E
        if index is not None and (name in self.families or self.counts(named)):
            return self.member(name, index)
        return self.symbol(own)

    def counts(self, named: Node) -> bool:
        """Whether the subscript of a name is a number that is computed or runs."""
        index = named.parts[1]
        return family(named) and (index.kind != "name" or self.symbol(key(index)).is_integer)

    def member(self, name: str, index: Node) -> Expr:
        """One of a family."""
        return sp.Function(name, **_real(self.families.get(name, {})))(self.of(index))

    def _call(
        self, named: Node, arguments: Sequence[Node], primes: Node | int, power: Node | None
    ) -> Expr:
        if isinstance(self.bound.get(key(named)), Symbol):  # a name that stands for a function
            named = node("name", str(self.bound[key(named)]), None)
        name, index = named
        if name == "P" and arguments[0].kind == "chain":
            return self.probability(arguments)
        if name == "E" and "B" in self.definitions:
            return self.mean(arguments)
        values = [self.of(argument) for argument in arguments]
        numbered = family(named) or (index is not None and index.kind == "number")
        own = f"{name}_" if numbered and f"{name}_" in self.definitions else key(named)
        if index is not None and own == f"{name}_":
            values = [self.of(index), *values]
        if own in self.definitions:
            value = self.applied(own, values, primes)
        elif own in self.functions:
            if power == node("add", ("-", node("number", sp.S.One))):
                return self.inverse(own)(*values)
            value = _derivative_at(self.functions[own], values, primes)
        elif family(named):
            value = _derivative_at(sp.Function(name), [self.of(index), *values], primes)
        else:
            value = _derivative_at(sp.Function(own), values, primes)
        return value if power is None else value ** self.of(power)

    def inverse(self, name: str) -> Callable[..., Expr]:
        if name not in _INVERSES:
            raise ReadingError(f"the power −1 of {name} may be its inverse or one over it")
        return _INVERSES[name]

    def applied(self, name: str, values: Sequence[Expr], primes: Node | int) -> Expr:
        """A local function at its arguments; primes differentiate by the last of them."""
        parameters, right = self.definitions[name]
        if len(parameters) != len(values):
            raise ReadingError(f"{name} is defined for {len(parameters)} arguments")
        inside = {own: value for own, value in zip(parameters, values, strict=True)}
        if not primes and (str(values[-1]) == parameters[-1] or not _differentiates(right)):
            return self.binding(**inside).of(right)
        variable = Symbol(parameters[-1], real=True)
        body = self.binding(**{**inside, parameters[-1]: variable}).of(right)
        if isinstance(primes, Node):
            order = self.of(primes)
            return sp.Subs(sp.Derivative(body, (variable, order)), variable, values[-1])
        return sp.diff(body.doit(), variable, primes).subs(variable, values[-1])

    def probability(self, arguments: Sequence[Node]) -> Expr:
        """P(a ≤ T ≤ b) for a normal T that the assumptions declare."""
        ((lower, named, upper), signs) = arguments[0].parts
        if signs != ("≤", "≤") or key(named) not in self.definitions:
            raise ReadingError("P is read of a ≤ T ≤ b, with a normal T that is declared")
        mean, variance = map(self.of, self.definitions[key(named)][1].parts)
        return NormalProbability(self.of(lower), self.of(upper), mean, variance)

    def mean(self, arguments: Sequence[Node]) -> Expr:
        """The mean of an expression in B, which is 1 or 0 with declared probabilities."""
        weights = {value: self.of(weight) for value, weight in self.definitions["B"][1].parts}
        if sp.expand(sum(weights.values())) != 1:
            raise ReadingError("the probabilities of the values of B do not add up to 1")
        return sum(
            self.binding(B=value).of(arguments[0]) * weight for value, weight in weights.items()
        )

    # ------------------------------------------------------------------ arithmetic

    def _number(self, value: sp.Rational) -> Expr:
        return value

    def _pi(self) -> Expr:
        return sp.pi

    def _infinity(self) -> Expr:
        return sp.oo

    def _dots(self) -> Expr:
        return sp.Function("dots")()

    def _constant(self, name: str) -> Expr:
        if name == "i":
            return sp.I
        raise ReadingError(f"{name} is no constant")

    def _add(self, *terms: tuple[str, Node]) -> Expr:
        if any(term.kind == "dots" for _, term in terms):
            return self.of(node("add", *expanded(terms)))
        signs = {"+": 1, "-": -1, r"\pm": self.sign, r"\mp": -self.sign}
        return sp.Add(*(signs[sign] * self.of(term) for sign, term in terms))

    def _product(self, *factors: Node) -> Expr:
        value: Expr = sp.S.One
        for factor in factors:
            if factor.kind == "over":
                value = value / self.of(factor.parts[0])
            else:
                value = value * self.of(factor)
        return value

    def _fraction(self, above: Node, below: Node) -> Expr:
        return self.of(above) / self.of(below)

    def _power(self, base: Node, exponent: Node) -> Expr:
        return self.of(base) ** self.of(exponent)

    def _root(self, inner: Node) -> Expr:
        return sp.sqrt(self.of(inner))

    def _group(self, inner: Node) -> Expr:
        return self.of(inner)

    def _abs(self, inner: Node) -> Expr:
        return sp.Abs(self.of(inner), evaluate=False)

    def _measured(self, inner: Node, unit: Node) -> Expr:
        return sp.Function(unit.parts[0])(self.of(inner))

    def _factorial(self, inner: Node, times: int) -> Expr:
        return (sp.factorial2 if times == 2 else sp.factorial)(self.of(inner))

    # ------------------------------------------------------------------ operators

    def _prime(self, inner: Node, times: int) -> Expr:
        body = self.of(inner).doit()
        symbols = {str(symbol): symbol for symbol in body.free_symbols}
        variable = symbols.get("x") or (next(iter(symbols.values())) if len(symbols) == 1 else None)
        if variable is None:
            raise ReadingError("a prime needs one variable, or x")
        return sp.diff(body, variable, times)

    def _derivative(self, variable: Node, order: object, body: Node) -> Expr:
        by = self._name(*variable)
        times = order if isinstance(order, sp.Rational) else self.of(order)
        return sp.Derivative(self.of(body), (by, times))

    def _slope(self, body: Node, variable: Node, place: Node) -> Expr:
        by = "∂" + key(variable)
        return sp.Function(f"{key(body)}{by}")(self.of(place))

    def _integral(self, variable: Node | None, lower: Node, upper: Node, body: Node) -> Expr:
        if lower is None or upper is None:
            raise ReadingError("an integral without its ends")
        if variable is None:
            if not set(_names(body)) & {n for n, (own, _) in self.definitions.items() if own}:
                raise ReadingError("an integral without its differential")
            bound = Dummy("t", real=True)
            inside = replace(self, argument=bound)
        else:
            bound = Symbol(key(variable), real=True)
            inside = self.binding(**{key(variable): bound})
        return Integral(inside.of(body), (bound, self.of(lower), self.of(upper)))

    def _coefficient(self, power: Node, body: Node) -> Expr:
        variable, degree = (
            power.parts if power.kind == "power" else (power, node("number", sp.S.One))
        )
        x = Symbol(key(variable), real=True)
        return Coefficient(self.binding(**{key(variable): x}).of(body), x, self.of(degree))

    def _continued(self, *terms: Node) -> Expr:
        return sp.Function("continued_fraction")(*map(self.of, terms))

    def _component(self, whole: Node, symbol: Node) -> Expr:
        place = self.of(whole)
        return Component(place, Symbol(key(symbol), real=True))

    def _big(self, kind: str, below: Sequence[Node] | None, above: Node | None, body: Node) -> Expr:
        if kind == "sum":
            return self.total(below, above, body)
        if kind == "lim":
            ((variable, point), _) = below[0].parts
            x = self.symbol(key(variable))
            return Limit(self.of(body), x, self.of(point), "-" if self.of(point) == sp.oo else "+")
        return self.extremum(_EXTREMA[kind], below or (), body)

    def total(self, below: Sequence[Node] | None, above: Node | None, body: Node) -> Expr:
        if below is None:
            raise ReadingError("a sum without its index")
        sides, signs = below[0].parts
        index = Symbol(key(sides[0]), integer=True)
        inside = self.binding(**{key(sides[0]): index})
        if signs not in {("=",), ("≥",)}:
            raise ReadingError("a sum without the ends of its index")
        if above is not None and above.kind == "number" and _subscripts(body, sides[0]):
            first, last = sides[1].parts[0], above.parts[0]
            terms = (_at(body, sides[0], n) for n in range(int(first), int(last) + 1))
            return sp.Add(*map(self.of, terms))
        upper = sp.oo if above is None else self.of(above)
        return Sum(inside.of(body), (index, self.of(sides[1]), upper))

    def extremum(self, kind: type, below: Sequence[Node], body: Node) -> Expr:
        """An extremum over the names that stand under the operator, with their conditions."""
        names = [key(next(_bare(chain))) for chain in below]
        functions = {name for name, (own, _) in self.definitions.items() if own}
        inside = self.binding(**{n: self.free(n) for n in names if n not in functions})
        value = inside.of(body)
        symbols = []
        for name in names:
            family_members = [
                s
                for s in sorted(value.free_symbols, key=str)
                if re.fullmatch(rf"{name}\d+", str(s))
            ]
            own = inside.symbol(name)
            symbols += [own] if own in value.free_symbols or not family_members else family_members
        conditions = [inside.condition(chain) for chain in below]
        return kind(value, symbols, sp.And(*conditions))

    def free(self, name: str) -> Symbol:
        """A symbol over which an operator runs: an integer where it is one elsewhere."""
        known = self.domains.get(name)
        return known if known is not None and known.is_integer else Symbol(name, real=True)

    def condition(self, chain: Node) -> Expr:
        """A chain as a condition of SymPy's."""
        if chain.kind == "all":
            return sp.And(*map(self.condition, chain.parts[0]))
        sides, signs = chain.parts
        found = []
        for (left, right), sign in zip(pairwise(sides), signs, strict=True):
            if sign == "∈":
                found.append(self.element(left, right))
            elif sign in _ORDERED:
                found.append(_ORDERED[sign](self.of(left), self.of(right), evaluate=False))
            else:
                raise ReadingError(f"{sign} is no condition")
        return sp.And(*found)

    def element(self, left: Node, right: Node) -> Expr:
        if right.kind == "numbers":
            return sp.true
        if right.kind == "elements":
            return sp.Contains(self.of(left), self.grid(*right.parts))
        return Member(self.of(left), self.of(right))

    def _elements(self, *elements: Node) -> sp.Set:
        return self.grid(*elements)

    def grid(self, *elements: Node) -> sp.Set:
        """{a, b, …, z} or {a, b, c, …}, whose elements have equal distances; {1, …, n}."""
        kinds = [element.kind == "dots" for element in elements]
        if not any(kinds):
            return sp.FiniteSet(*map(self.of, elements))
        *before, last = (self.of(e) for e in elements if e.kind != "dots")
        if kinds[-1]:
            return sp.Range(before[0], sp.oo, before[1] - before[0])
        if len(before) == 1:
            return sp.Range(before[0], last + 1)
        start, step = before[0], before[1] - before[0]
        count = (last - start) / step
        if not (count.is_Integer and count > 1):
            raise ReadingError("the elements of a set do not have equal distances")
        index = Symbol("i", integer=True)  # no Dummy: what is read twice is equal
        return sp.ImageSet(sp.Lambda(index, start + step * index), sp.Range(count + 1))

    def _minimum(self, collection: Node) -> Expr:
        return self.among(Infimum, collection)

    def _maximum(self, collection: Node) -> Expr:
        return self.among(Supremum, collection)

    def _collection(self, first: Node, condition: Node) -> Expr:
        return self.among(Collection, node("collection", first, condition))

    def _count(self, collection: Node) -> Expr:
        return self.among(Cardinality, collection)

    def among(self, kind: type, collection: Node) -> Expr:
        """What an operator makes of a set that is given by a condition."""
        first, condition = collection.parts
        body = first.parts[0][0]
        names = list(dict.fromkeys(_names(body)))
        inside = self.binding(**{name: self.symbol(name) for name in names})
        found = sp.And(inside.condition(first), inside.condition(condition))
        return kind(inside.of(body), [inside.symbol(name) for name in names], found)


def _differentiates(tree: object) -> bool:
    """Whether a derivative is taken in a tree."""
    if isinstance(tree, Node):
        return tree.kind in {"prime", "derivative"} or _differentiates(tree.parts)
    return isinstance(tree, tuple) and any(map(_differentiates, tree))


def _bare(chain: Node) -> Iterable[Node]:
    """The bare names among the sides of a chain, or in them."""
    for side in chain.parts[0]:
        if side.kind == "name":
            yield side
        elif side.kind == "abs" and side.parts[0].kind == "name":
            yield side.parts[0]


def _derivative_at(function: Callable[..., Expr], values: Sequence[Expr], primes: int) -> Expr:
    """A function at its arguments, or a derivative of it there."""
    if not primes:
        return function(*values)
    (value,) = values
    if value.is_Symbol:
        return sp.Derivative(function(value), (value, primes))
    variable = Symbol("at", real=True)
    return sp.Subs(sp.Derivative(function(variable), (variable, primes)), variable, value)


def expanded(terms: Sequence[tuple[str, Node]]) -> list[tuple[str, Node]]:
    """The terms that dots stand for: between a₁x + a₃x³ and a₉x⁹ those with 5 and 7."""
    place = next(i for i, (_, term) in enumerate(terms) if term.kind == "dots")
    if place < 2 or place + 1 != len(terms) - 1 or {sign for sign, _ in terms} != {"+"}:
        raise ReadingError("dots stand between the first two terms and the last")
    first, second, last = (terms[i][1] for i in (place - 2, place - 1, place + 1))
    start, step, end = _progression(first, second, last)
    if step <= 0 or (end - start) % step:
        raise ReadingError(f"no step of {step} leads from {start} to {end}")
    middle = [_shifted(first, second, n) for n in range(2, (end - start) // step)]
    return [*terms[:place], *(("+", term) for term in middle), terms[-1]]


def _subscripts(tree: object, index: Node) -> bool:
    """Whether a name in a tree has an index as its subscript, as in a sum of aᵢ xᵢ."""
    if isinstance(tree, Node):
        return (tree.kind == "name" and tree.parts[1] == index) or _subscripts(tree.parts, index)
    return isinstance(tree, tuple) and any(_subscripts(part, index) for part in tree)


def _at(tree: object, index: Node, n: int) -> object:
    """A tree where an index has a value: a₁ for aᵢ."""
    if tree == index:
        return node("number", sp.Integer(n))
    if isinstance(tree, Node):
        return Node(tree.kind, _at(tree.parts, index, n))
    return tuple(_at(part, index, n) for part in tree) if isinstance(tree, tuple) else tree


def _leaves(tree: object) -> list[sp.Rational]:
    if isinstance(tree, Node):
        return [leaf for part in tree for leaf in _leaves(part)]
    return [tree] if isinstance(tree, sp.Rational) else []


def _progression(first: Node, second: Node, last: Node) -> tuple[int, int, int]:
    # a₁x is printed without its exponent
    leaves = zip(*map(_leaves, (first, second, last)), strict=False)
    grown = [numbers for numbers in leaves if numbers[0] != numbers[1]]
    if not grown:
        raise ReadingError("the terms beside the dots have no number that grows")
    start, following, end = map(int, grown[0])
    return start, following - start, end


def _shifted(first: Node, second: Node, n: int) -> Node:
    """The term after n steps from the first; numbers that grow from the second on grow on."""
    start, step, _ = _progression(first, second, second)
    grown = sp.Integer(start + n * step)
    was = sp.Integer(start + step)

    def change(tree: object) -> object:
        if isinstance(tree, Node):
            return Node(tree.kind, tuple(change(part) for part in tree.parts))
        return grown if tree == was else tree

    return change(second)
