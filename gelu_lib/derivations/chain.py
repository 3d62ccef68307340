r"""Derivations: chains of equations whose every step is checked when it is written.

A derivation reads like the mathematics that it is::

    (
        Derivation("an-example", Phi(X))
        .step(Definition(Phi), Integral(phi(T), (T, -oo, X)))
        .step(Definition(phi), Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi))
    )

A step is a rule with its hint, the new expression and a reason. ``step`` returns a new derivation,
or raises ``DerivationError`` if the step is false or cannot be decided. In a notebook a derivation
displays as aligned TeX, a reason beside each step.

The rules stand in ``rules``, but for ``Known``, which uses another derivation; the derivations of
the book stand in ``identities``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from inspect import getsource

from sympy import Expr, Symbol

from gelu_lib.derivations.counterexamples import Counterexample, counterexample
from gelu_lib.derivations.deciding import (
    Equation,
    NotProven,
    plain,
    prove_equal,
    prove_nonnegative,
    prove_positive,
)
from gelu_lib.derivations.existence import prove_defined, substituted
from gelu_lib.derivations.notation import tex
from gelu_lib.derivations.rules import Inequality, Rule, as_expression, prove_used
from gelu_lib.functions.expressions import X

_ID = re.compile(r"[a-z][a-z0-9-]*")

# what may be assumed of a free symbol, and how a claim says so
_DOMAINS = [
    (Symbol("x", **assumed).assumptions0, text)
    for assumed, text in (
        ({"real": True}, ""),
        ({"nonnegative": True}, r"\ge 0"),
        ({"positive": True}, "> 0"),
        ({"integer": True}, r"\in \mathbb{Z}"),
        ({"integer": True, "nonnegative": True}, r"\in \mathbb{N}_0"),
        ({"integer": True, "positive": True}, r"\in \mathbb{N}"),
    )
]

# a left side with more signs than this stands on a line of its own, for narrow screens
_LONG = 16


class DerivationError(ValueError):
    """A step of a derivation is false, or it cannot be decided.

    Attributes:
        id: the ID of the derivation.
        number: the number of the step, counted from 1; 0 stands for the expression it starts with.
        reason: the reason that the step gives.
        before: the expression before the step.
        after: the expression after the step.
        counterexample: a point where the step is false, found by seeded sampling; None if none
            was found.
    """

    def __init__(
        self,
        id: str,
        number: int,
        reason: str,
        before: Expr,
        after: Expr,
        why: str,
        counterexample: Counterexample | None = None,
    ) -> None:
        self.id, self.number, self.reason = id, number, reason
        self.before, self.after, self.counterexample = before, after, counterexample
        verdict = f"false {counterexample}" if counterexample else "not proven"
        super().__init__(
            f"derivation {id!r}, step {number} ({reason}) is {verdict}: {why}\n"
            f"  before: {plain(before)}\n  after:  {plain(after)}"
        )


@dataclass(frozen=True)
class Step:
    """One step of a derivation: where it leads, by which rule, and for what reason.

    Attributes:
        rule: the kind of step, with its hint; it contains the checker.
        expression: the expression after the step.
        note: the reason in words, text with TeX between dollar signs; empty for the rule's own.
    """

    rule: Rule
    expression: Expr
    note: str = ""

    @property
    def relation(self) -> str:
        """``"="``, ``"<"`` or ``">"``: how the expression before stands to the one after."""
        return self.rule.relation

    @property
    def reason(self) -> str:
        """The reason that is printed beside the step."""
        return self.note or self.rule.reason


@dataclass(frozen=True, repr=False)
class Derivation:
    """A chain of equations, or one that ends in an inequality, with every step checked.

    There is no unchecked derivation: the constructor proves each step. The equations hold for
    every value of the symbols that their assumptions allow.

    Attributes:
        id: the permanent ID of the result, ``[a-z][a-z0-9-]*``.
        start: the expression that the chain starts with.
        steps: the steps of the chain.
        previous: the part before this one, if the result has more than one chain; see ``then``.
        builder: the function of the book that built it; None for one that was written elsewhere.

    Raises:
        DerivationError: if a step is false or cannot be decided, or an expression is not a real
            number for every value of its symbols.
        ValueError: if ``id`` is not an ID; if a claim could not name what is assumed of a symbol,
            or two symbols have one name.
        TypeError: if an expression is not one.
    """

    id: str
    start: Expr
    steps: tuple[Step, ...] = ()
    previous: Derivation | None = None
    builder: Callable[..., Derivation] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not (isinstance(self.id, str) and _ID.fullmatch(self.id)):
            raise ValueError(f"id is {self.id!r}; accepted are small letters, digits and hyphens")
        object.__setattr__(self, "start", as_expression("start", self.start))
        self._check_symbols()
        self._check()

    def _check(self) -> None:
        offset = len(self.previous.all_steps) if self.previous else 0
        before = self.start
        try:
            _prove_start(before)
        except NotProven as error:
            raise DerivationError(self.id, offset, "start", before, before, str(error)) from None
        for number, step in enumerate(self.steps, offset + 1):
            try:
                _prove_step(before, step)
            except NotProven as error:
                found = counterexample(before, step.expression, step.rule)
                raise DerivationError(
                    self.id, number, step.reason, before, step.expression, str(error), found
                ) from None
            before = step.expression
        if len({step.relation for step in self.steps} - {"="}) > 1:
            raise ValueError(f"derivation {self.id!r} mixes < and >, so it compares no two ends")

    def _check_symbols(self) -> None:
        """Refuse a symbol for which the claim, as it is printed, would say something else."""
        expressions = [p.start for p in self.parts] + [s.expression for s in self.all_steps]
        known: dict[str, Symbol] = {}
        for symbol in set().union(*(expression.free_symbols for expression in expressions)):
            if not any(symbol.assumptions0 == assumed for assumed, _ in _DOMAINS):
                raise ValueError(
                    f"derivation {self.id!r} has the symbol {symbol} with assumptions that its "
                    "claim cannot name; accepted are real, nonnegative, positive, integer, "
                    "nonnegative integer and positive integer"
                )
            if known.setdefault(tex(symbol), symbol) != symbol:
                raise ValueError(f"derivation {self.id!r} has two symbols of the name {symbol}")

    # ------------------------------------------------------------------ what it states

    @property
    def end(self) -> Expr:
        """The expression that the chain ends with."""
        return self.steps[-1].expression if self.steps else self.start

    @property
    def relation(self) -> str:
        """How ``start`` stands to ``end``: ``"="``, ``"<"`` or ``">"``."""
        relations = {step.relation for step in self.steps} - {"="}
        return relations.pop() if relations else "="

    @property
    def parts(self) -> tuple[Derivation, ...]:
        """The chains of the result, in order; this one is the last."""
        return (*(self.previous.parts if self.previous else ()), self)

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps of all parts, in the order in which they are numbered."""
        return tuple(step for part in self.parts for step in part.steps)

    @property
    def claim(self) -> str:
        """What is derived, "start = end" in TeX; the claims of several parts stand in a row."""
        claims = []
        for part in self.parts:
            where = rf" \text{{ for }} {', '.join(part._domains)}" if part._domains else ""
            claims.append(f"{tex(part.start)} {part.relation} {tex(part.end)}{where}")
        named = ", ".join(self._assumptions)
        return r", \quad ".join(claims) + (rf" \quad ({named})" if named else "")

    @property
    def tex(self) -> str:
        """The chain as an ``aligned`` environment, for use between two dollar signs."""
        parts = [" \\\\[0.4em]\n".join(part._rows()) for part in self.parts]
        return "\\begin{aligned}\n" + " \\\\[1.2em]\n".join(parts) + "\n\\end{aligned}"

    @property
    def conditions(self) -> tuple[str, ...]:
        """For which values of the symbols the claim is made, in TeX; real numbers go unsaid."""
        return (*self._assumptions, *(domain for part in self.parts for domain in part._domains))

    @property
    def _assumptions(self) -> tuple[str, ...]:
        symbols = set().union(*(p.start.free_symbols | p.end.free_symbols for p in self.parts))
        return tuple(filter(None, (_condition(symbol) for symbol in sorted(symbols, key=str))))

    @property
    def _domains(self) -> tuple[str, ...]:
        """Where the inequalities of this part hold, if not for every value of the symbols."""
        rules = (step.rule for step in self.steps if isinstance(step.rule, Inequality))
        return tuple(filter(None, (rule.domain() for rule in rules)))

    def _rows(self) -> list[str]:
        left = tex(self.start)
        # a fraction within a text would be tiny
        reasons = [step.reason.replace(r"\frac", r"\dfrac") for step in self.steps]
        rows = [
            f"&{step.relation} {tex(step.expression)} && {{\\small\\text{{{reason}}}}}"
            for step, reason in zip(self.steps, reasons, strict=True)
        ]
        if not rows or (_signs(left) > _LONG and len(rows) > 1):
            return [f"&\\phantom{{=}}\\ {left}", *rows]
        return [f"{left} {rows[0]}", *rows[1:]]

    @property
    def source(self) -> str:
        """The Python of the function that built it, as it was run; empty if none of the book did.

        Raises:
            OSError: if Python cannot find the source of that function.
        """
        return getsource(self.builder) if self.builder else ""

    def _repr_markdown_(self) -> str:
        shown = [f'<a id="equation-{self.id}"></a>', f"$$\n{self.tex}\n$$"]
        if self.source:  # of another one the steps stand in the cell that shows it
            title = f"{self.id} · the steps as they were checked"
            opening = f'<details class="steps">\n<summary>{title}</summary>'
            shown += [opening, f"```python\n{self.source}```", "</details>"]
        return "\n\n".join(shown)

    def __repr__(self) -> str:
        count = len(self.all_steps)
        return f"<Derivation {self.id}: {count} step{'s' * (count != 1)}, each checked>"

    # ------------------------------------------------------------------ how it is written

    def step(self, rule: Rule, expression: Expr, reason: str = "") -> Derivation:
        """Append a step.

        Args:
            rule: the kind of step with its hint, one of those in ``rules``.
            expression: the expression after the step.
            reason: the reason in words, text with TeX between dollar signs; the rule's own if it
                is empty.

        Returns:
            The longer derivation.

        Raises:
            DerivationError: if the step is false or cannot be decided.
            TypeError: if ``expression`` is none.
        """
        step = Step(rule, as_expression("expression", expression), reason)
        return Derivation(self.id, self.start, (*self.steps, step), self.previous)

    def then(self, start: Expr) -> Derivation:
        """Begin the next part of a result that consists of more than one chain.

        Args:
            start: the expression that the next chain starts with.

        Returns:
            A derivation with the same ID, whose ``previous`` is this one.

        Raises:
            DerivationError: if ``start`` is not a real number for every value of its symbols.
        """
        return Derivation(self.id, start, previous=self)


@dataclass(frozen=True)
class Known(Rule):
    """A result that is derived already, each of its parts an equation.

    Without ``at`` its equations are used as they stand. One that holds for all real values of its
    symbols holds for what an operator binds, so its left side is replaced wherever it occurs, in
    an integral or a limit, too. With ``at`` they are used at one value or several values of their
    variable, which is their one symbol, or x if they have several.
    """

    derivation: Derivation
    at: Expr | tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        values = self.at if isinstance(self.at, tuple) else (self.at,)
        object.__setattr__(self, "at", tuple(as_expression("at", value) for value in values))

    @property
    def reason(self) -> str:
        return rf"by \texttt{{{self.derivation.id}}}"

    def prove(self, before: Expr, after: Expr) -> None:
        parts = self.derivation.parts
        given = [equation for part in parts for equation in self._equations(part)]
        prove_used([(part.start, part.end) for part in parts], before, after)
        if not self.at:
            for left, right in given:
                symbols = left.free_symbols | right.free_symbols
                if left.args and all(symbol.assumptions0 == X.assumptions0 for symbol in symbols):
                    before = before.xreplace({left: right})
        prove_equal(before, after, given)

    def _equations(self, part: Derivation) -> list[Equation]:
        if part.relation != "=":
            raise NotProven("{} is not an equation", part.id)
        symbols = part.start.free_symbols | part.end.free_symbols
        if not self.at:
            return [(part.start, part.end)]
        if len(symbols) != 1 and X not in symbols:
            raise NotProven("{} has {} symbols, so a value cannot be put in", part.id, len(symbols))
        (symbol,) = {X} & symbols or symbols
        for value in self.at:
            _prove_allowed(symbol, value)
        return [
            tuple(substituted(side, symbol, v) for side in (part.start, part.end)) for v in self.at
        ]


def _prove_allowed(symbol: Symbol, value: Expr) -> None:
    """Prove that a value satisfies every assumption that a result makes about its symbol."""
    prove_defined(value)
    if symbol.is_positive:
        prove_positive(value)
    elif symbol.is_nonnegative:
        prove_nonnegative(value)
    if symbol.is_integer and not value.is_integer:
        raise NotProven("{} is not shown to be an integer, as {} is", value, symbol)


@cache
def _prove_start(expression: Expr) -> None:
    prove_defined(expression)


@cache
def _prove_step(before: Expr, step: Step) -> None:
    prove_defined(step.expression)
    step.rule.prove(before, step.expression)


def _condition(symbol: Symbol) -> str:
    (condition,) = (text for assumed, text in _DOMAINS if symbol.assumptions0 == assumed)
    return f"{tex(symbol)} {condition}" if condition else ""


def _signs(text: str) -> int:
    """How many signs a piece of TeX puts on the page, roughly."""
    return len(re.sub(r"\\[a-zA-Z]+|[{}_^\\ ]", "", text)) + text.count("\\")
