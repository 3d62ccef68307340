r"""The grammar of the book's formulas: from the TeX that is printed to a tree.

What is printed, copied and cited is TeX. It must say what was proved, so it is read back, by a
grammar without guesses: what the book's notation does not have is an error that shows the place.
``meaning`` turns the tree into SymPy objects.

* A product is written by juxtaposition. An operator (sup, lim, a sum, an integral, a derivative)
  takes the rest of its term.
* A name directly before a parenthesis is a function of what stands in it; ``\,`` between them
  makes a product.
* A function without parentheses takes what follows up to the next space, function or parenthesis:
  ``\tanh sx``.
* Clauses are separated by a comma before ``\qquad``, ``\quad`` or ``\ ``, by a new row, and by
  words in ``\text``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Rational


class ReadingError(ValueError):
    """A formula is not in the book's notation; the message shows the place."""


@dataclass(frozen=True)
class Node:
    """A node of the tree.

    Attributes:
        kind: what it is; the reader's methods say which kinds there are.
        parts: its parts, nodes, texts or numbers.
    """

    kind: str
    parts: tuple

    def __iter__(self):
        return iter(self.parts)


def node(kind: str, *parts: object) -> Node:
    return Node(kind, parts)


@dataclass(frozen=True)
class Token:
    text: str
    place: int
    spaced: bool  # whether a space of TeX stands before it


_TOKEN = re.compile(
    r"\s*(?:\\text(?:tt)?\{(?P<printed>\d[\d.e+-]*)\}|(?P<word>\\text\{[^{}]*\})|(?P<name>\\operatorname\*?\{[^{}]*\})"
    r"|(?P<row>\\\\(?:\[[^\]]*\])?)|(?P<command>\\[A-Za-z]+|\\.)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>.))",
    re.S,
)
_SPACES = {r"\,", r"\;", r"\:", r"\>", "~"}
_GAPS = {r"\quad", r"\qquad", r"\ "}
_SIZES = {r"\left", r"\right"} | {
    rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("l", "r", "")
}
_IGNORED = {"&", r"\!", r"\textstyle", r"\displaystyle"}
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{aligned\}")
_OPENING, _CLOSING = (
    {r"\left", r"\bigl", r"\Bigl", r"\biggl"},
    {r"\right", r"\bigr", r"\Bigr", r"\biggr"},
)


def tokens(tex: str) -> list[Token]:
    """The tokens of a formula; what only sets space or size is left out."""
    tex = _ENVIRONMENT.sub(lambda found: " " * len(found[0]), tex)
    found, place, spaced, sized = [], 0, False, ""
    while place < len(tex) and (match := _TOKEN.match(tex, place)):
        text, start = match[match.lastgroup], match.start(match.lastgroup)
        place = match.end()
        if text.isspace() or text in _IGNORED:
            continue
        if text in _SPACES:
            spaced = True
        elif text in _SIZES:
            sized = text
        else:
            if text == r"\lvert" or (text == "|" and sized in _OPENING):
                text = "|("
            elif text == r"\rvert" or (text == "|" and sized in _CLOSING):
                text = "|)"
            if not (sized and text == "."):
                found.append(Token(text, start, spaced))
            spaced, sized = False, ""
    return [*found, Token("", len(tex), False)]


RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\le": "≤", r"\leq": "≤", r"\ge": "≥", r"\geq": "≥", r"\ne": "≠",
    r"\in": "∈", r"\subset": "⊂", r"\sim": "~", r"\approx": "≈", r"\longrightarrow": "→",
    r"\to": "→",
}  # fmt: skip
INFERENCES = {r"\iff": "⇔", r"\Longleftrightarrow": "⇔", r"\Longrightarrow": "⇒"}
BIG = {
    r"\sum": "sum", r"\lim": "lim", r"\sup": "sup", r"\inf": "inf", r"\max": "max", r"\min": "min",
    r"\operatorname*{arg\,min}": "argmin", r"\operatorname*{arg\,max}": "argmax",
}  # fmt: skip
_FUNCTIONS = {
    r"\Phi", r"\varphi", r"\sigma", r"\tanh", r"\sinh", r"\cosh", r"\coth", r"\cos", r"\sin",
    r"\log", r"\ln", r"\exp", r"\arg",
}  # fmt: skip
_GREEK = re.compile(
    r"\\(alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|tau"
    r"|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Omega|ell)"
)
_DIFFERENTIAL = re.compile(
    r"\\t?frac\{\s*(?P<d>\\mathrm\{d\}|\\partial)(?:\^\{?(?P<order>\d|\w)\}?)?\s*(?P<body>[^{}]*)\}"
    r"\{\s*(?:\\mathrm\{d\}|\\partial)\s*(?P<variable>[A-Za-z](?:_\w)?)(?:\^\{?(?P<times>\w)\}?)?\s*\}"
)
_ALONE = {
    r"\dots": "dots",
    r"\cdots": "dots",
    r"\infty": "infinity",
    r"\pi": "pi",
}
"""What a sign says that takes no argument."""

_SIGNS = {"+", "-", r"\pm", r"\mp"}
_ENDS = {"", ")", "]", "}", r"\}", ",", "|)", ":", r"\;"} | set(RELATIONS) | set(INFERENCES)


class Reader:
    """Reads one formula."""

    def __init__(self, tex: str) -> None:
        self.tex, self.tokens, self.at = tex, tokens(tex), 0
        self._bars = 0

    # ------------------------------------------------------------------ tokens

    @property
    def next(self) -> str:
        return self.tokens[self.at].text

    def take(self, *expected: str) -> str:
        if expected and self.next not in expected:
            raise self.error(f"expected {' or '.join(expected)}")
        self.at += 1
        return self.tokens[self.at - 1].text

    def skip(self, *texts: str) -> bool:
        if self.next in texts:
            self.at += 1
            return True
        return False

    def gaps(self, *more: str) -> None:
        while self.next in _GAPS or (more and self.next.startswith(more)):
            self.take()

    def error(self, why: str) -> ReadingError:
        place = self.tokens[self.at].place
        return ReadingError(f"{why} at ⟨here⟩: {self.tex[:place]}⟨here⟩{self.tex[place:]}")

    # ------------------------------------------------------------------ claims

    def claims(self) -> list[Node]:
        """All clauses: ``chain`` (sides, signs), ``infer`` (sides, sign), ``text`` (words)."""
        found: list[Node] = []
        while self.next:
            if self.next in _GAPS or self.next in {",", ";", "."} or self.next.startswith(r"\\"):
                self.take()
            elif self.next.startswith(r"\text{"):
                found.append(node("text", self.take()[6:-1].strip()))
            else:
                found.append(self.clause())
        return found

    def clause(self) -> Node:
        """One clause, or the clauses on both sides of ⇔ or ⇒."""
        premises = self.conjunction()
        at = self.at
        self.gaps(r"\\")
        if self.next in INFERENCES:
            sign = INFERENCES[self.take()]
            self.gaps()
            return node("infer", premises, sign, self.conjunction())
        self.at = at
        return premises[0] if len(premises) == 1 else node("all", premises)

    def conjunction(self) -> tuple[Node, ...]:
        """Chains between which a comma and a narrow space stand."""
        chains = [self.chain()]
        while self.next == "," and self.tokens[self.at + 1].text == r"\ ":
            self.at += 2
            chains.append(self.chain())
        return tuple(chains)

    def chain(self) -> Node:
        """Sides with relations between them; j = 1, 3, 5, … says that j is one of these."""
        sides, signs = [self.expression()], []
        while True:
            at = self.at
            self.gaps(r"\\")
            if self.next not in RELATIONS:
                self.at = at
                return node("chain", tuple(sides), tuple(signs))
            signs.append(RELATIONS[self.take()])
            sides.append(self.expression())
            if signs[-1] == "=" and (elements := self.listed(sides[-1])):
                signs[-1], sides[-1] = "∈", elements

    def listed(self, first: Node) -> Node | None:
        """The elements of 1, 3, 5, … or 1, …, n whose first one is read; ``None`` without dots."""
        at, elements = self.at, [first]
        try:
            while self.skip(","):
                elements.append(self.expression())
        except ReadingError:
            pass
        if node("dots") in elements:
            return node("elements", *elements)
        self.at = at
        return None

    # ------------------------------------------------------------------ sums and products

    def expression(self) -> Node:
        """A sum; its terms with their signs."""
        terms = [self.signed()]
        while self.next in _SIGNS:
            terms.append(self.signed())
        return terms[0][1] if len(terms) == 1 and terms[0][0] == "+" else node("add", *terms)

    def signed(self) -> tuple[str, Node]:
        sign = self.take() if self.next in _SIGNS else "+"
        return sign, self.term()

    def term(self) -> Node:
        """A product, with ``\\cdot`` and the quotients that are set with a slash."""
        product = self.factor()
        factors = [product]
        while not self.ends_term():
            if self.skip("/"):
                factors.append(node("over", self.factor()))
            else:
                self.skip(r"\cdot")
                factors.append(self.factor())
        return factors[0] if len(factors) == 1 else node("product", *factors)

    def ends_term(self) -> bool:
        text = self.next
        if text == "|":
            return self._bars > 0
        return (
            text in _ENDS or text in _SIGNS or text in {";", "."} or text in _GAPS
            or text.startswith((r"\text{", r"\\")) or self.at_differential()
        )  # fmt: skip

    def factor(self) -> Node:
        """A primary with what follows it: primes, powers, factorials."""
        spot = self.tokens[self.at]
        if found := _DIFFERENTIAL.match(self.tex, spot.place):
            return self.differential(found)
        if spot.text in BIG:
            return self.big()
        if spot.text == r"\int":
            return self.integral()
        return self.powers(self.primary())

    def powers(self, base: Node) -> Node:
        while True:
            if self.next == "'":
                base = node("prime", base, self.primes())
            elif self.next == "^":
                self.take()
                base = node("power", base, self.argument())
            elif self.next == "!":
                self.take()
                base = node("factorial", base, 2 if self.skip("!") else 1)
            elif self.next == "_" and base.kind == "abs":
                self.take()
                base = node("measured", base, self.argument())
            else:
                return base

    def primes(self) -> int:
        count = 0
        while self.skip("'"):
            count += 1
        return count

    def order(self) -> Node | int:
        """The order of a derivative, as in f^{(j)}(x); 0 if what follows is something else."""
        at = self.at
        if [token.text for token in self.tokens[at : at + 3]] == ["^", "{", "("]:
            self.at += 3
            order = self.expression()
            if [token.text for token in self.tokens[self.at : self.at + 3]] == [")", "}", "("]:
                self.at += 2
                return order
        self.at = at
        return 0

    # ------------------------------------------------------------------ operators

    def differential(self, found: re.Match[str]) -> Node:
        """A derivative d/dx of the rest of the term, or ∂r/∂p at a place."""
        while self.tokens[self.at].place < found.end():
            self.at += 1
        if found["order"] != found["times"]:
            raise self.error("a derivative with two orders")
        variable = Reader(found["variable"]).primary()
        order = (
            Rational(found["order"])
            if (found["order"] or "1").isdigit() and found["order"]
            else (Reader(found["order"]).primary() if found["order"] else Rational(1))
        )
        if found["body"].strip():
            body = Reader(found["body"]).expression()
            self.take("(")
            place = self.expression()
            self.take(")")
            return node("slope", body, variable, place)
        if self.next == r"\left" or self.ends_term():
            raise self.error("a derivative of nothing")
        return node("derivative", variable, order, self.term())

    def big(self) -> Node:
        """An operator with what stands below and above it; it takes the rest of the term."""
        kind = BIG[self.take()]
        below, above = None, None
        while self.next in {"_", "^"}:
            if self.take() == "_":
                below = self.below()
            else:
                above = self.argument()
        if below is None and kind in {"max", "min"}:
            if self.skip("("):
                return node("call", node("name", kind, None), self.arguments(")"), 0, None)
            if self.next == r"\{":
                return node(kind + "imum", self.primary())
        self.gaps()
        return node("big", kind, below, above, self.term())

    def below(self) -> tuple[Node, ...]:
        """What stands under an operator: names, and the conditions on them."""
        if not self.skip("{"):
            return (node("chain", (self.bare(),), ()),)
        chains = [self.chain()]
        while self.skip(","):
            chains.append(self.chain())
        self.take("}")
        return tuple(chains)

    def integral(self) -> Node:
        self.take(r"\int")
        lower = upper = None
        while self.next in {"_", "^"}:
            if self.take() == "_":
                lower = self.argument()
            else:
                upper = self.argument()
        factors: list[Node] = []
        while not self.at_differential():
            if factors and self.ends_term():  # of a function without its argument, as in ∫|r|
                return node("integral", None, lower, upper, _product(factors))
            factors.append(self.factor())
        self.at += 4  # \mathrm { d }
        return node("integral", self.primary(), lower, upper, _product(factors))

    def at_differential(self) -> bool:
        return self.tex.startswith(r"\mathrm{d}", self.tokens[self.at].place)

    # ------------------------------------------------------------------ primaries

    def primary(self) -> Node:
        text = self.take()
        if text[:1].isdigit():
            return node("number", Rational(text))
        if text in _ALONE:
            return node(_ALONE[text])
        if found := self.opened(text) or self.command(text) or self.named(text):
            return found
        self.at -= 1
        raise self.error(f"{text or 'the end'} does not begin a factor")

    def opened(self, text: str) -> Node | None:
        """What a bracket, a brace or a bar begins; nothing if it is none."""
        if text == "{":
            inner = self.expression()
            self.take("}")
            return inner
        if text in {"(", "["}:
            return self.parenthesis(text)
        if text in {"|", "|("}:
            return self.bars(text)
        return self.collection() if text == r"\{" else None

    def command(self, text: str) -> Node | None:
        """What a command with arguments says; nothing if it is none."""
        if text in {r"\frac", r"\tfrac"}:
            return node("fraction", self.argument(), self.argument())
        if text == r"\sqrt":
            return node("root", self.argument())
        if text == r"\#":
            return node("count", self.primary())
        if text == r"\mathrm":
            return node("constant", self.word())
        if text == r"\mathbb":
            return node("numbers", self.word() + ("_0" if self.zero() else ""))
        if text == r"\mathcal" and self.word() == "N":
            self.take("(")
            return node("normal", *self.arguments(")"))
        return None

    def named(self, text: str) -> Node | None:
        """What a name stands for, of a function or of a number; nothing if it is none."""
        if text in {r"\bar", r"\hat"}:
            inner = self.argument()
            return self.name(text.strip("\\") + inner.parts[0])
        if text.startswith(r"\operatorname") or text in _FUNCTIONS:
            return self.function(re.sub(r"\\operatorname\*?\{(.*)\}", r"\1", text).lstrip("\\"))
        if re.fullmatch("[A-Za-z]", text) or _GREEK.fullmatch(text):
            return self.name(text.lstrip("\\"))
        return None

    def word(self) -> str:
        self.take("{")
        word = ""
        while not self.skip("}"):
            word += self.take()
        return word

    def zero(self) -> bool:
        if self.next == "_" and self.tokens[self.at + 1].text == "0":
            self.at += 2
            return True
        return False

    def argument(self) -> Node:
        """An argument of TeX: a group, or one sign."""
        if self.skip("{"):
            if self.next == "-" and self.tokens[self.at + 1].text == "}":
                raise self.error("a sign alone")
            inner = self.expression()
            self.take("}")
            return inner
        spot = self.tokens[self.at]
        if spot.text.isdigit() and len(spot.text) > 1:  # TeX takes one digit
            rest = Token(spot.text[1:], spot.place + 1, False)
            self.tokens[self.at : self.at + 1] = [Token(spot.text[0], spot.place, False), rest]
        if self.next == "*":
            self.take()
            return node("star")
        return self.bare()

    def bare(self) -> Node:
        """One sign or command, without subscripts or arguments in parentheses."""
        if self.next in _FUNCTIONS | {r"\kappa", r"\theta"} or re.fullmatch("[A-Za-z]", self.next):
            return node("name", self.take().lstrip("\\"), None)
        return self.primary()

    def name(self, name: str) -> Node:
        """A name with its subscript and star; a function if a parenthesis follows directly."""
        index = None
        if self.next == "_":
            self.take()
            index = self.argument()
        named = node("name", name, index)
        if self.next == "^" and self.tokens[self.at + 1].text == "*":
            self.at += 2
            named = node("name", name, node("star"))
        at = self.at
        primes = self.primes() or self.order()
        if self.next == "(" and not self.tokens[self.at].spaced:
            self.take()
            return node("call", named, self.arguments(")"), primes, None)
        self.at = at
        return named

    def function(self, name: str) -> Node:
        """A function by its own name, with parentheses or without."""
        named = node("name", name, None)
        if name in {"sigma", "Phi", "varphi"}:
            return self.name(name)
        primes, power = self.primes(), None
        if self.next == "^":
            self.take()
            power = self.argument()
        if self.next in {"(", "["}:
            closing = ")" if self.take() == "(" else "]"
            return node("call", named, self.arguments(closing), primes, power)
        return node("call", named, (self.tight(),), primes, power)

    def tight(self) -> Node:
        """The argument of a function without parentheses."""
        first = self.tokens[self.at].text
        if first.startswith(r"\operatorname") or first in _FUNCTIONS:
            return self.factor()
        factors = [self.powers(self.primary())]
        while not self.ends_term() and not self.tokens[self.at].spaced:
            text = self.next
            if text in {"(", "/", r"\cdot", "|", "|("} or text in _FUNCTIONS or text in BIG:
                break
            if text.startswith(r"\operatorname") or text in {r"\frac", r"\tfrac", r"\int"}:
                break
            factors.append(self.powers(self.primary()))
        return factors[0] if len(factors) == 1 else node("product", *factors)

    def arguments(self, closing: str) -> tuple[Node, ...]:
        found = [self.relations()]
        while self.skip(",", ";"):
            self.gaps()
            found.append(self.relations())
        self.take(closing)
        return tuple(found)

    def relations(self) -> Node:
        """An argument: an expression, or a chain as in P(−x ≤ T ≤ x)."""
        chain = self.chain()
        return chain if chain.parts[1] else chain.parts[0][0]

    def parenthesis(self, opening: str) -> Node:
        bars, self._bars = self._bars, 0
        inner = [self.expression()]
        while opening == "[" and self.skip(",", ";"):
            inner.append(self.expression())
        self.take(")" if opening == "(" else "]")
        self._bars = bars
        if opening == "[":
            if len(inner) == 1 and inner[0].kind in {"name", "power"}:
                return node("coefficient", inner[0], self.term())
            return node("continued", *inner)
        return node("group", inner[0])

    def bars(self, opening: str) -> Node:
        self._bars += 1
        inner = self.expression()
        self._bars -= 1
        self.take("|)" if opening == "|(" else "|")
        return node("abs", inner)

    def collection(self) -> Node:
        """A set, by its elements or by a condition."""
        first = self.chain()
        if self.skip(":"):
            conditions = [self.chain()]
            while self.next != r"\}":
                if not self.next.startswith(r"\text{"):
                    self.take(",")
                    self.gaps()
                    conditions.append(self.chain())
                elif self.take() and self.next != r"\}":
                    conditions.append(self.chain())
            self.take(r"\}")
            return node("collection", first, node("all", tuple(conditions)))
        elements = [first.parts[0][0]]
        while self.skip(","):
            elements.append(self.expression())
        self.take(r"\}")
        return node("elements", *elements)


def _product(factors: Sequence[Node]) -> Node:
    return factors[0] if len(factors) == 1 else node("product", *factors)


def read_tex(tex: str) -> Sequence[Node]:
    """The clauses of a formula, as trees.

    Args:
        tex: TeX of mathematics mode, without delimiters.

    Raises:
        ReadingError: if it is not in the book's notation.
    """
    return Reader(tex).claims()
