r"""Wrong versions of what is printed, made from its TeX, and whether the checks notice them.

A flip changes one place of a formula: a sign, a factor, an exponent, two neighbouring symbols that
change places, a relation or a function. ``flips`` makes all those of a formula, from its tokens, so
that each place is exact. ``noticed`` says what becomes of a statement with one of them: it is no
longer read, no longer what its derivation proves, or its trial fails. A flip that leaves the
meaning as it is, as far as that can be decided, is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations, pairwise

import mpmath
import optima_values as optima
import trials
import words
from stated import NotStated, check_stated, unfolded
from sympy import Abs, And, Basic, Equality, Expr, Ge, Gt, Le, Lt, S, Set, Symbol, sqrt, true
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.deciding import are_equal
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.meaning import Statement, statement
from gelu_lib.derivations.quantities import (
    ArgMax,
    ArgMin,
    Binding,
    Chain,
    Inference,
    Infimum,
    Proposition,
    Supremum,
)
from gelu_lib.derivations.reading import BIG, INFERENCES, RELATIONS, Token, tokens
from gelu_lib.evidence.kinds import OfBest, OfLargest
from gelu_lib.evidence.proved import READ, proof
from gelu_lib.evidence.stated import read_statement
from gelu_lib.register import Result, results

KINDS = ("sign", "factor", "exponent", "swap", "relation", "function")

_ORDERED = {"<": Lt, ">": Gt, "≤": Le, "≥": Ge}
_OF_FAMILY = Symbol("member", real=True)

DIGITS = 20
"""To how many digits a number is enclosed to see whether it is another one."""

LOST = {"survived", "unused"}
"""The outcomes of flips that nothing notices."""

SIGNS = {"+": ["-"], "-": ["+"], r"\pm": ["+", "-"]}
COMPARED = {"<": [">"], ">": ["<"], r"\le": [r"\ge", "<"], r"\ge": [r"\le", ">"]}
OPERATORS = {
    r"\max": [r"\min"],
    r"\min": [r"\max"],
    r"\sup": [r"\inf"],
    r"\inf": [r"\sup"],
    r"\operatorname*{arg\,min}": [r"\operatorname*{arg\,max}"],
    r"\operatorname*{arg\,max}": [r"\operatorname*{arg\,min}"],
}
FUNCTIONS = {
    r"\Phi": [r"\varphi", r"\sigma"],
    r"\varphi": [r"\Phi"],
    r"\sigma": [r"\Phi"],
    r"\tanh": [r"\operatorname{erf}"],
    r"\operatorname{erf}": [r"\tanh"],
    r"\operatorname{erfc}": [r"\operatorname{erf}"],
    r"\operatorname{GELU}": [r"\Phi"],
    r"\sinh": [r"\cosh"],
    r"\cosh": [r"\sinh"],
    r"\coth": [r"\tanh"],
    r"\cos": [r"\sin"],
    r"\sin": [r"\cos"],
    r"\log": [r"\exp"],
    r"\exp": [r"\log"],
    "'": [""],
}
_GREEK = r"\\(?:alpha|beta|gamma|theta|kappa|lambda|mu|pi|rho|sigma|tau|Omega|omega)"
_SYMBOL = re.compile(rf"[A-Za-z]|{_GREEK}")
_FRACTIONS = {r"\frac", r"\tfrac"}
_WORDS = {r"\mathrm", r"\mathbb", r"\mathcal"}
_OPENING = {"", "(", "[", "{", r"\{", "|(", ",", ";", ":", r"\quad", r"\qquad", r"\ "}
_NO_FACTOR = {
    "",
    "}",
    ")",
    r"\{",
    r"\}",
    ",",
    "*",
    ".",
    ";",
    "|",
    r"\dots",
    r"\cdots",
    r"\mathrm",
    r"\mathbb",
    r"\partial",
}
_NAME = re.compile(
    rf"(?:\\(?:hat|bar) ?)?(?:{_SYMBOL.pattern}|\\Phi)(?:[_^](?:\w|\*|\{{[^}}]*\}}))*'*(?:\(\w\))?"
)
_DECLARED = re.compile(r"\\in \\mathbb|\\dots, ")
_BETWEEN_SIDES = {*RELATIONS, *INFERENCES, r"\quad", r"\qquad", r"\ "}


@dataclass(frozen=True)
class Flip:
    """A formula with one place changed.

    Attributes:
        kind: one of ``KINDS``.
        place: where in the original formula.
        tex: the changed formula.
    """

    kind: str
    place: int
    tex: str


def flips(tex: str) -> list[Flip]:
    """Every flip of a formula, each changed formula once, in the order of the kinds."""
    formula = _Formula(tex)
    made = {
        flip.tex: flip
        for kind in reversed(KINDS)
        for flip in reversed([Flip(kind, *found) for found in getattr(formula, kind)()])
        if flip.tex != tex
    }
    return list(made.values())[::-1]


# ---------------------------------------------------------------------------- places


class _Formula:
    """A formula by its tokens; each kind of flip is a method that yields places and formulas."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = tokens(tex)[:-1]
        self.within = self._within()

    def text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _end(self, token: Token) -> int:
        return token.place + (1 if token.text.startswith("|") else len(token.text))

    def put(self, start: int, end: int, *new: str) -> tuple[int, str]:
        """The formula with other texts from one place to another; commands keep their ends."""
        joined = self.tex[:start]
        for part in (*new, self.tex[end:]):
            runs_on = re.search(r"\\[A-Za-z]+$", joined) and re.match("[A-Za-z]", part)
            joined += f" {part}" if runs_on else part
        return start, joined

    def instead(self, at: int, new: str) -> tuple[int, str]:
        token = self.tokens[at]
        return self.put(token.place, self._end(token), new)

    def _within(self) -> list[str]:
        """In what each token stands: a word, an index, below an operator, an exponent, or ''."""
        found, open_ = [], [""]
        for at, token in enumerate(self.tokens):
            own = self._as_argument(at)
            found.append(open_[-1] if open_[-1] and own not in {"word", "index"} else own)
            if token.text in {"{", r"\{"}:
                open_.append(found[-1])
            elif token.text in {"}", r"\}"} and len(open_) > 1:
                open_.pop()
        return found

    def _as_argument(self, at: int) -> str:
        before = self.text(at - 1)
        if before in _WORDS:
            return "word"
        if before == "_":
            return "below" if self.text(at - 2) in {*BIG, r"\int"} else "index"
        return "exponent" if before == "^" else ""

    def closing(self, at: int) -> int:
        """The token that closes the group that one opens."""
        depth = 0
        for place in range(at, len(self.tokens)):
            depth += {"{": 1, "}": -1}.get(self.text(place), 0)
            if depth == 0:
                return place
        raise ValueError(f"a group is not closed in {self.tex}")

    def argument(self, at: int, place: int) -> tuple[int, int, int]:
        """Where an argument of TeX ends: the next token and place; and where it begins.

        Args:
            at: the token in which it begins.
            place: where in the formula.
        """
        token = self.tokens[at]
        if token.text == "{":
            last = self.closing(at)
            return last + 1, self.tokens[last].place + 1, token.place
        start = max(place, token.place)
        if token.text.isdigit() and start + 1 < self._end(token):  # TeX takes one digit
            return at, start + 1, start
        return at + 1, self._end(token), start

    def begins(self, at: int) -> bool:
        """Whether a sum begins at a token."""
        before = self.text(at - 1)
        if before == "|":
            return [self.text(i) for i in range(at)].count("|") % 2 == 1
        opened = before in _OPENING or before in RELATIONS or before in INFERENCES
        return opened or before.startswith((r"\text{", r"\\"))

    def free(self, at: int) -> bool:
        """Whether a token stands in mathematics where a factor or a sign can be put before it."""
        text, within = self.text(at), self.within[at]
        if within in {"word", "index"} or (within == "below" and _SYMBOL.fullmatch(text)):
            return False
        return not (
            text in _NO_FACTOR or text in SIGNS or text in _BETWEEN_SIDES
            or text.startswith((r"\text{", r"\\")) or self.text(at - 1) == "_"
        )  # fmt: skip

    # ------------------------------------------------------------------ kinds of flips

    def sign(self) -> Iterator[tuple[int, str]]:
        """+ ↔ −; a sign at the beginning of a sum is dropped, or put there."""
        for at, token in enumerate(self.tokens):
            if token.text in SIGNS:
                for new in SIGNS[token.text]:
                    unary = new == "+" and token.text == "-" and self.begins(at)
                    yield self.instead(at, " " if unary else new)
            elif self.begins(at) and self.free(at) and not self._after_operator(at):
                yield self.put(token.place, token.place, "-")

    def _after_operator(self, at: int) -> bool:
        """Whether a gap separates a token from an operator such as min before it."""
        return self.text(at - 1) == r"\ " and self.text(at - 2) != ","

    def factor(self) -> Iterator[tuple[int, str]]:
        """Numbers are changed, roots drawn or not, π doubled, and terms doubled."""
        for at, token in enumerate(self.tokens):
            if token.text == r"\pi":
                yield self.instead(at, r"{2\pi}")
            elif token.text == r"\sqrt":
                yield self.instead(at, " ")
            elif token.text[0].isdigit() and self.within[at] != "index":
                yield from self._numbers(at)
            if (self.begins(at) or self.text(at - 1) in SIGNS) and self.free(at):
                yield self.put(token.place, token.place, r"2\cdot ")

    def _numbers(self, at: int) -> Iterator[tuple[int, str]]:
        token = self.tokens[at]
        if self.text(at - 1) == "^" or self._is_whole_exponent(at):
            return
        if "." in token.text:
            last = "8" if token.text[-1] == "9" else str(int(token.text[-1]) + 1)
            yield self.instead(at, token.text[:-1] + last)
            return
        before, earlier = self.text(at - 1), self.text(at - 2)
        single = before in {*_FRACTIONS, r"\sqrt"} or earlier in _FRACTIONS
        parts = list(token.text) if single else [token.text]
        for i, number in enumerate(parts):
            start = token.place + i
            for new in [str(2 * int(number) or 1), *(["1", r"\sqrt2"] if number == "2" else [])]:
                yield self.put(start, start + len(number), f"{{{new}}}" if single else new)

    def _is_whole_exponent(self, at: int) -> bool:
        around = [self.text(at - 2), self.text(at - 1), self.text(at + 1)]
        return around == ["^", "{", "}"]

    def exponent(self) -> Iterator[tuple[int, str]]:
        """An exponent, or what stands above an operator, grows by 1."""
        for at, token in enumerate(self.tokens):
            after = self.text(at + 1)
            inner = self.text(at + 2) if after == "{" else after
            if token.text != "^" or inner in {"*", r"\prime", r"\infty"}:
                continue
            _, end, start = self.argument(at + 1, self._end(token))
            old = self.tex[start + 1 : end - 1] if after == "{" else self.tex[start:end]
            yield self.put(start, end, "{" + _grown(old) + "}")

    def swap(self) -> Iterator[tuple[int, str]]:
        """Neighbouring symbols of one side change places, and numerator and denominator."""
        for (start, end, last), (following, stop, _) in pairwise(self._symbols()):
            one, other = self.tex[start:end], self.tex[following:stop]
            between = range(last, self._token_at(following))
            apart = any(
                self.text(i) in _BETWEEN_SIDES or self.text(i).startswith((r"\text{", r"\\"))
                for i in between
            )
            if one != other and not apart:
                inner = self.tex[end:following]
                first, second = self._fit(other, start), self._fit(one, following)
                yield self.put(start, stop, first, inner, second)
        for at, token in enumerate(self.tokens):
            marks = {self.text(at + 1), self.text(at + 2)} & {r"\mathrm", r"\partial"}
            if token.text in _FRACTIONS and not marks:
                after, end, start = self.argument(at + 1, self._end(token))
                _, stop, second = self.argument(after, end)
                one, other = self.tex[start:end], self.tex[second:stop]
                yield self.put(start, stop, f"{{{other}}}{{{one}}}")

    def _fit(self, symbol: str, place: int) -> str:
        """A symbol with an index, in braces where TeX takes one sign."""
        at = self._token_at(place)
        single = {*_FRACTIONS, r"\sqrt", "^", "_"} & {self.text(at - 1)} or self.text(
            at - 2
        ) in _FRACTIONS
        return f"{{{symbol}}}" if "_" in symbol and single else symbol

    def _token_at(self, place: int) -> int:
        return next(i for i, token in enumerate(self.tokens) if token.place == place)

    def _symbols(self) -> Iterator[tuple[int, int, int]]:
        """Where each symbol begins and ends, with its index, and the token after it."""
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            at += 1
            if not _SYMBOL.fullmatch(token.text) or self.within[at - 1] in {"word", "index"}:
                continue
            end = self._end(token)
            while self.text(at) == "_" or (self.text(at) == "^" and self._starred(at)):
                at, end, _ = self.argument(at + 1, self._end(self.tokens[at]))
            called = self.text(at) == "(" and not self.tokens[at].spaced
            if not called and self.text(at) != "'":
                yield token.place, end, at

    def _starred(self, at: int) -> bool:
        return "*" in {self.text(at + 1), self.text(at + 2)}

    def relation(self) -> Iterator[tuple[int, str]]:
        """< ↔ >, strict for not strict, and the least for the largest.

        Below an operator a strict relation in place of one that is not makes no other extremum.
        """
        for at, token in enumerate(self.tokens):
            for new in COMPARED.get(token.text, []):
                if not (self.within[at] == "below" and len(token.text) > len(new)):
                    yield self.instead(at, new)
            for new in OPERATORS.get(token.text, []):
                yield self.instead(at, new)

    def function(self) -> Iterator[tuple[int, str]]:
        """A function for another one, and a derivative less."""
        for at, token in enumerate(self.tokens):
            if token.text == r"\sigma" and (self.text(at + 1) not in {"(", "'"}):
                continue
            for new in FUNCTIONS.get(token.text, []):
                yield self.instead(at, new)


def _grown(exponent: str) -> str:
    return str(int(exponent) + 1) if exponent.isdigit() else f"{exponent} + 1"


# ---------------------------------------------------------------------------- entries


@dataclass(frozen=True)
class Mutant:
    """An entry of the register in which one place is changed.

    Attributes:
        entry: the changed entry.
        kind: the kind of the flip.
        part: ``"statement"`` or ``"assumptions"``.
        shown: the changed formula.
        original: the formula of the assumptions that is changed.
    """

    entry: Result
    kind: str
    part: str
    shown: str
    original: str = ""


def mutants(entry: Result) -> list[Mutant]:
    """An entry with each flip of its statement and of what its assumptions say in formulas."""
    found = [
        Mutant(replace(entry, statement=flip.tex), flip.kind, "statement", flip.tex)
        for flip in flips(entry.statement)
    ]
    return found + [mutant for part in parts(entry).values() for mutant in part]


def parts(entry: Result) -> dict[str, list[Mutant]]:
    """The formulas of the assumptions that say something, each with its flips.

    A name that is mentioned says nothing, and neither does a declaration such as x ∈ ℝ: without it
    nothing could be tried.
    """
    text, found = entry.assumptions, {}
    for part in re.finditer(r"\$([^$]*)\$", text):
        start, end = part.span(1)
        if _NAME.fullmatch(part[1]) or _DECLARED.search(part[1]):
            continue
        found.setdefault(part[1], []).extend(
            Mutant(
                replace(entry, assumptions=text[:start] + flip.tex + text[end:]),
                flip.kind,
                "assumptions",
                flip.tex,
                part[1],
            )
            for flip in flips(part[1])
        )
    return found


@dataclass(frozen=True)
class Checked:
    """An entry and the checks that it passes.

    Attributes:
        entry: an entry of the register.
        said: what it states.
        proved: whether what it states is what its derivation proves, or is handed to its proof.
    """

    entry: Result
    said: Statement
    proved: bool

    @cached_property
    def tried(self) -> bool:
        """Whether its trial passes, which is asked only where what is proved leaves it open."""
        return not failure(self.entry, self.said)


def checked(entry: Result) -> Checked | None:
    """An entry with the checks that it passes; ``None`` if it passes none."""
    try:
        said = statement(entry.statement, entry.assumptions)
    except Exception:  # whatever ends the reading of a formula
        return None
    found = Checked(entry, said, not refusal(entry, said))
    return found if found.proved or found.tried else None


def refusal(entry: Result, said: Statement) -> str:
    """Why a statement is not what is proved, by a derivation or as it is read; empty if it is."""
    try:
        if entry.status == "symbolic":
            check_stated(said, derivation(entry.id))
        elif entry.id in READ:
            require_proved(entry, said)
        else:
            return "what is proved is not read from it"
    except Exception as error:  # a check that ends in any other way fails as well
        return in_short(error)
    return ""


def require_proved(entry: Result, said: Statement) -> None:
    """Require that a statement asks for the number that is proved of its entry.

    What is asked of a family or of a form must be the same; anything else is enclosed to see it.

    Raises:
        NotStated: if it asks for another one.
        NotRead: if nothing is proved that it asks for.
    """
    asked = read_statement(said, {name: proof(other) for name, other in entry.where.items()})
    if asked != proof(entry.id):
        if isinstance(asked, OfBest | OfLargest):
            raise NotStated(f"{asked} is asked for, and not {proof(entry.id)}")
        found = asked(DIGITS)[""]
        if not found.lower <= Decimal(entry.value) <= found.upper:
            raise NotStated(f"{found} is asked for, and not {entry.value}")


def failure(entry: Result, said: Statement) -> str:
    """Why the trial of a statement fails; empty if it passes."""
    try:
        with mpmath.workdps(40), _registered(entry, said):
            trials.tried(entry, said)
    except Exception as error:
        return in_short(error)
    return ""


@contextmanager
def _registered(entry: Result, said: Statement) -> Iterator[None]:
    """Let the trials take an entry's number for the optimum of the problem that is stated."""
    before = {key: dict(known) for key, known in optima.OPTIMA.items()}
    trials.register_optima({entry.id: said})
    try:
        yield
    finally:
        optima.OPTIMA.clear()
        optima.OPTIMA.update(before)


def in_short(error: Exception) -> str:
    """What ended a check, in short."""
    return f"{type(error).__name__}: {str(error)[:200]}"


def outcome(original: Checked, mutant: Mutant) -> tuple[str, str]:
    """How a flip is noticed, and why.

    Returns:
        ``unread``, ``not proved``, or the name of the error that ends the trial; ``survived`` if
        nothing notices it, and ``unused`` if what is claimed does not depend on the definition
        or assumption that is changed, which then nothing compares; ``same`` if it says what the
        original says, ``narrower`` if it asks for more than the original does, and ``proved`` if
        the proof of the original proves all of it too.
    """
    try:
        said = statement(mutant.entry.statement, mutant.entry.assumptions)
    except Exception as error:
        return "unread", in_short(error)
    if wrong := words.wrong(mutant.entry):
        return "other words", wrong
    if said == original.said:
        return "same", ""
    if original.proved and (why := refusal(mutant.entry, said)):
        return "not proved", why
    why = failure(mutant.entry, said) if original.tried else ""
    kind = why.partition(":")[0]
    if kind != "FalseStatement" and same(original.said, said):
        return "same", ""
    if not kind and mutant.part == "assumptions" and is_narrower(mutant.shown, mutant.original):
        return "narrower", ""
    if not kind and said.claims == original.said.claims and said.domains == original.said.domains:
        return "unused", ""
    if not kind and original.proved and _is_proved_whole(mutant.entry, said):
        return "proved", ""
    return kind or "survived", why


def _is_proved_whole(entry: Result, said: Statement) -> bool:
    """Whether a statement that passes ``refusal`` has no part besides what that compares."""
    if entry.status == "symbolic":
        return True
    (claim, *more) = said.claims
    alone = isinstance(claim, Chain) and len([s for s in claim.sides if not s.is_Symbol]) == 1
    return alone and not more


def is_narrower(tex: str, original: str) -> bool:
    """Whether a condition on one symbol is shown to ask for no less than another one."""
    try:
        found = [_allowed(one) for one in (tex, original)]
        return len({symbol for symbol, _ in found}) == 1 and bool(
            found[0][1].is_subset(found[1][1]) and found[0][1] != S.EmptySet
        )
    except Exception:  # whatever SymPy has no set of
        return False


def _allowed(tex: str) -> tuple[str, Set]:
    """The symbol of a condition, and which numbers it allows."""
    (chain,) = statement(tex).claims
    sides = [side.replace(AppliedUndef, lambda *_: _OF_FAMILY) for side in chain.sides]
    (symbol,) = set().union(*(side.free_symbols for side in sides))
    plain = Symbol("x", real=True)
    ordered = [
        _ORDERED[sign](left, right).xreplace({symbol: plain})
        for (left, right), sign in zip(pairwise(sides), chain.signs, strict=True)
    ]
    return str(symbol), And(*ordered).as_set()


# ---------------------------------------------------------------------------- what means the same


def same(left: Statement, right: Statement) -> bool:
    """Whether two statements are proved to say the same; False also if it is not decided."""
    try:
        return (
            _all(_same_claim, left.assumed, right.assumed)
            and _all(_same_claim, left.claims, right.claims)
            and _all(_same_claim, left.reasons, right.reasons)
            and (left.definitions == right.definitions or left.claims != right.claims)
        )
    except Exception:  # whatever SymPy cannot put into another form
        return False


def _all(same: Callable[..., bool], left: tuple, right: tuple) -> bool:
    return len(left) == len(right) and all(map(same, left, right))


def _same_claim(left: Proposition, right: Proposition) -> bool:
    if left == right:
        return True
    if isinstance(left, Inference) and isinstance(right, Inference):
        parts = ((one.premises, one.conclusions) for one in (left, right))
        before, after = zip(*parts, strict=True)
        return left.sign == right.sign and _all(_same_claim, *before) and _all(_same_claim, *after)
    if not (isinstance(left, Chain) and isinstance(right, Chain)) or left.signs != right.signs:
        return False
    if not _all(_same_claim, left.given, right.given):
        return False
    return _all(_same_side, left.sides, right.sides) or _is_multiple(left, right)


def _is_multiple(left: Chain, right: Chain) -> bool:
    """Whether a comparison with 0 is one of a positive multiple, or an equation one of any."""
    if len(left.sides) != 2 or left.sides[1] != 0 or right.sides[1] != 0 or left.sides[0] == 0:
        return False
    ratio = _ratio(left.sides[0], right.sides[0])
    return ratio > 0 or (left.signs == ("=",) and ratio < 0)


def _ratio(left: Expr, right: Expr) -> Expr:
    """By which number the second is a multiple of the first; 0 if it is not known to be one."""
    for ratio in (S.One, S(2), S.Half, S.NegativeOne):
        if right == ratio * left or are_equal(unfolded(right), unfolded(ratio * left)):
            return ratio
    return S.Zero


def _same_side(left: object, right: object) -> bool:
    if left == right:
        return True
    if not (isinstance(left, Expr) and isinstance(right, Expr)):
        return False
    if isinstance(left, Binding) and type(left) is type(right):
        return set(left.variables) == set(right.variables) and _same_extremum(left, right)
    if left.has(Binding):
        return left.func == right.func and _all(_same_side, left.args, right.args)
    return are_equal(unfolded(left), unfolded(right))


def _same_extremum(left: Binding, right: Binding) -> bool:
    """Whether two bodies are the same, also as mirror images or after a change of a parameter."""
    if _same_domain(left.domain, right.domain) and _same_body(left.body, right.body):
        return True
    if isinstance(left, Supremum | Infimum) and _are_mirrored(left, right):
        return True
    changes = []
    if left.domain == right.domain == true and len(left.variables) == 1:
        (x,) = left.variables
        if isinstance(left, ArgMin | ArgMax):
            return _ratio(left.body, right.body) > 0
        body = unfolded(right.body)
        if not left.body.has(Binding) and any(
            _same_body(left.body, body.subs(x, f * x)) for f in (-1, 2, S.Half)
        ):
            return True
    if isinstance(left, Infimum) and left.body.has(Supremum):
        changes = [{v: f * v} for v in left.variables for f in (-1, 2, S.Half, sqrt(2))]
        changes += [{v: w, w: v} for v, w in combinations(left.variables, 2)]
    return any(
        _same_body(left.body.xreplace(change), right.body)
        and left.domain.xreplace(change) == right.domain
        for change in changes
    )


def _are_mirrored(left: Binding, right: Binding) -> bool:
    """Whether one extremum is the other with −x in the place of x."""
    turned = {v: -v for v in left.variables}
    return (
        len(turned) == 1
        and _same_domain(left.domain.xreplace(turned), right.domain)
        and _same_body(unfolded(left.body).xreplace(turned), right.body)
    )


def _same_domain(left: Basic, right: Basic) -> bool:
    """Whether two conditions are the same, or equations of multiples with 0."""
    if left == right:
        return True
    equations = isinstance(left, Equality) and isinstance(right, Equality)
    return equations and left.rhs == right.rhs == 0 and _ratio(left.lhs, right.lhs) != 0


def _same_body(left: Expr, right: Expr) -> bool:
    """Whether two bodies are the same, or of the same size where their size is taken."""
    if isinstance(left, Abs) and isinstance(right, Abs):
        one, other = (unfolded(side.args[0]) for side in (left, right))
        return are_equal(one, other) or are_equal(one, -other)
    return _same_side(left, right)


def know_optima() -> None:
    """Let the trials know the parameters that the register has for each problem."""
    entries = results().items()
    trials.register_optima({id: statement(e.statement, e.assumptions) for id, e in entries})
