"""The constants that the reverse look-up knows, with their literals and where these were seen.

Three lists make the catalogue. ``data/constants.toml`` has the constants of programs, each with an
exact formula; its digits stand in ``data/constants.json``. ``data/classical.toml`` has the
classical approximations of Φ, and with them the decimals in their formulas. The register has the
results of the book, and what others printed for them.

Not every number of the register is one that a literal may stand for: what somebody reported of a
measurement is none, and neither are the counts and ends of intervals of one float type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, reduce
from types import MappingProxyType
from typing import Any

from gelu_lib.floats.types import FLOAT_TYPES, nearest_float
from gelu_lib.provenance.atlas.erf_programs import erf_programs
from gelu_lib.provenance.literals.literal import Reading, read_literal
from gelu_lib.provenance.literals.products import FACTORS, PRINTED, decimal_spellings
from gelu_lib.provenance.place import Place
from gelu_lib.register import Result, results
from gelu_lib.rows import DataError, check, contents, filled

OF_PROGRAMS = ("tanh", "sigmoid", "erf", "other")
"""The tanh form, the sigmoid form, the error function, other forms."""

ASIDE = ("fitted", "register")
"""What comes after the rest, namely coefficients that programs fitted for erf, and the results."""

GROUPS = (*OF_PROGRAMS, "classical", *ASIDE)
"""Those of programs, the classical approximations of Φ, and what comes after."""

SOURCE_STATUSES = ("seen", "excerpt", "not seen")
"""Seen is the file at a commit; an excerpt is of unknown origin; otherwise nothing was seen."""

_CONSTANT_FIELDS = {"group", "formula", "meaning", "ways", "result", "page", "seen"}
_ABOUT_TYPES = ("floating-point", "sixteen-bits", "telling-them-apart")
"""Chapters whose numbers belong to a type or a test of programs: counts, places, ends of
intervals. They are no constants of a formula."""

_WITH_SIGMA, _HALVED = "minimax-tanh-", ("p1", "p3")
"""Optima that are registered as coefficients of x and x³ in the argument of σ. Half of each is the
coefficient in the argument of tanh, and programs have either."""

_COEFFICIENT = re.compile(r"(?:.*, )?[abckps]\d?")
_BEST = re.compile(r"\\operatorname\*\{arg\\,min\}_\{(?!x)")
"""How the register names a coefficient, and how it states that one is the best."""

_SAME = 20  # two numbers of the register that agree to so many digits are one number

_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_SHORTEST = 3  # of fewer digits are the exponents and factors of any formula


@dataclass(frozen=True)
class Source:
    """Where a literal was seen.

    Attributes:
        id: short name.
        name: what the source is called.
        status: one of ``SOURCE_STATUSES``.
        url: the file at the commit that was read, or the page; empty if neither is known.
    """

    id: str
    name: str
    status: str
    url: str


@dataclass(frozen=True)
class Way:
    """A number near a constant, from which literals of the constant come.

    Attributes:
        kind: ``"float"``, the float nearest to the constant; ``"steps"``, what a program computes
            in a float type; ``"made"``, a formula with rounded constants; ``"spelled"``, the float
            nearest to a decimal that was met for the constant, where it is another one.
        name: the type of the float, or the formula; of ``"spelled"`` the type and the decimal.
        value: the number, exactly or to more digits than a literal has.
    """

    kind: str
    name: str
    value: Fraction


@dataclass(frozen=True)
class Constant:
    """A number that literals stand for.

    Attributes:
        id: the permanent ID; for a number of the register, the ID of the result.
        group: one of ``GROUPS``.
        name: the formula as it is read, or the title of the result.
        meaning: what the number does, one sentence.
        digits: the value, in full or to as many digits as are known.
        value: the same as an exact fraction.
        uncertainty: the number is no further than this from ``value``; 0 if it is exact.
        ways: numbers near it that literals come from.
        seen: the literals that were met, with the IDs of the sources, or of their entries in the
            register.
        printed: the values of these literals.
        result: the ID of a result with this value; empty if there is none.
        page: the chapter that explains it; empty if there is none.
        cited: whether it is a number of the register for which the register names a source.
        coefficient: whether it is a number that somebody writes into a program, and not the place
            or the size of an error.
    """

    id: str
    group: str
    name: str
    meaning: str
    digits: str
    value: Fraction
    uncertainty: Fraction = Fraction(0)
    ways: tuple[Way, ...] = ()
    seen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    result: str = ""
    page: str = ""
    cited: bool = False
    coefficient: bool = True
    printed: frozenset[Fraction] = field(init=False)

    def __post_init__(self) -> None:
        # of two readings of bits the one that is meant is the nearer one
        readings = (min(read_literal(text), key=self._distance) for text in self.seen)
        values = {reading.value for reading in readings}
        object.__setattr__(self, "printed", frozenset(values))

    @property
    def decimal(self) -> str:
        """The number as a decimal in full; empty if it is none."""
        return "" if self.uncertainty or "/" in self.digits else self.digits

    @property
    def is_met(self) -> bool:
        """Whether it is a constant of programs that was met in one."""
        return self.group in OF_PROGRAMS and bool(self.seen)

    def _distance(self, reading: Reading) -> Fraction:
        return abs(reading.value - self.value)


@cache
def sources() -> Mapping[str, Source]:
    """Every source by its ID."""
    return MappingProxyType(
        {id: _source(id, data) for id, data in contents("constants.toml")["source"].items()}
    )


@cache
def constants() -> Mapping[str, Constant]:
    """Every constant by its ID: those of programs, of the classical approximations, the register's.

    A number stands once, in the first of these lists that has it to 20 digits. Only a number of the
    register for which others printed literals stands beside an equal one, since these belong to it.

    """
    found = dict(parse_catalogue(contents("constants.toml"), contents("constants.json")))
    known = {_leading(constant.value) for constant in found.values()}
    for constant in (*_of_classical(), *_fitted(found.values()), *_of_register()):
        if constant.seen or _leading(constant.value) not in known:
            known.add(_leading(constant.value))
            found[constant.id] = constant
    return MappingProxyType(found)


def parse_catalogue(
    statements: Mapping[str, Any], computed: Mapping[str, Any]
) -> Mapping[str, Constant]:
    """The constants of programs, from the contents of the two data files.

    Raises:
        DataError: naming the constant and the rule: an unknown field, group or source, a
            formula without digits, digits without a formula.
    """
    entries = statements["constant"]
    if entries.keys() != computed.keys():
        different = ", ".join(sorted(entries.keys() ^ computed.keys()))
        raise DataError(f"{different}: run tools/write_constants.py")
    for id, fields in entries.items():
        unknown = fields.keys() - _CONSTANT_FIELDS
        named = {source for names in fields["seen"].values() for source in names}
        if unknown or fields["group"] not in OF_PROGRAMS or named - statements["source"].keys():
            raise DataError(f"{id}: unknown field, group or source {unknown or named}")
        if fields["formula"] != computed[id]["formula"]:
            raise DataError(f"{id}: the digits are of another formula")
    found = {id: _constant(id, entries[id], computed[id]) for id in entries}
    irrational = [constant for constant in found.values() if constant.uncertainty]
    return found | {number.id: _with_products(number, irrational) for number in irrational}


def _with_products(constant: Constant, known: Iterable[Constant]) -> Constant:
    """A constant with the products that it may have been made from as further ways."""
    others, made = {way.value for way in constant.ways}, {}
    for formula, value in _products(constant, known):
        if value not in others:
            made.setdefault(value, Way("made", formula, value))
    return replace(constant, ways=(*constant.ways, *made.values()))


def _products(constant: Constant, known: Iterable[Constant]) -> Iterator[tuple[str, Fraction]]:
    """The products of ``FACTORS`` and spellings of irrational numbers that lead to another."""
    found = [
        (name, factor, other)
        for other in known
        for name, factor in FACTORS.items()
        if abs(constant.value - factor * other.value) <= 10 * constant.uncertainty
    ]
    # told first is what is simple: a printed constant alone, then what the formula itself has
    found.sort(key=lambda of: (of[0] not in PRINTED, of[2].name not in constant.name))
    for name, factor, other in found:
        for text in decimal_spellings(other.value, other.seen):
            formula = constant.name.replace(other.name, text)
            yield formula if formula != constant.name else f"{name}·{text}", factor * Fraction(text)


def _source(id: str, table: Mapping[str, str]) -> Source:
    place = {name: table[name] for name in ("repository", "commit", "path") if name in table}
    url = Place(**place).address if place else ""
    rest = {name: value for name, value in table.items() if name not in place}
    source = filled(Source, id, {"url": url, **rest})
    check(id, source, status=SOURCE_STATUSES)
    return source


def _constant(id: str, fields: Mapping[str, Any], computed: Mapping[str, Any]) -> Constant:
    digits = computed["value"]
    value = Fraction(digits)
    ways = [Way("made", _readable(text), Fraction(near)) for text, near in computed["ways"].items()]
    ways += [Way("steps", type, Fraction(near)) for type, near in computed["steps"].items()]
    seen = {text: tuple(names) for text, names in fields["seen"].items()}
    return Constant(
        id=id,
        group=fields["group"],
        name=_readable(fields["formula"]),
        meaning=fields["meaning"],
        digits=digits,
        value=value,
        uncertainty=Fraction(0) if computed["exact"] else _half_unit(digits),
        ways=(*_floats(value), *ways, *_spelled(value, seen)),
        seen=seen,
        result=fields.get("result", ""),
        page=fields.get("page", ""),
    )


def _readable(formula: str) -> str:
    """A formula in the signs of mathematics."""
    signs = {"sqrt": "√", "log": "ln", "pi": "π", "*": "·", "-": "−"}
    return reduce(lambda text, sign: text.replace(sign, signs[sign]), signs, formula)


def _floats(value: Fraction) -> tuple[Way, ...]:
    """The nearest float of each type, but for a type in which the number is a float or none."""
    near = {name: nearest_float(value, kind) for name, kind in FLOAT_TYPES.items()}
    return tuple(Way("float", name, x) for name, x in near.items() if x and x != value)


def _spelled(value: Fraction, literals: Iterable[str]) -> Iterator[Way]:
    """The floats nearest to the decimals that were met for a number, where they are others."""
    for text in literals:
        reading, *_ = read_literal(text)
        if reading.kind != "decimal":
            continue
        for name, kind in FLOAT_TYPES.items():
            near = nearest_float(reading.value, kind)
            if near and near != nearest_float(value, kind):
                yield Way("spelled", f"{name} nearest to {text}", near)


def _half_unit(digits: str) -> Fraction:
    """Half a unit of the last place of a decimal."""
    return Fraction(10) ** Decimal(digits).as_tuple().exponent / 2


def _leading(value: Fraction) -> Decimal:
    """The leading digits of a number, to tell whether two are the same."""
    context = Context(prec=_SAME)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _of_classical() -> Iterator[Constant]:
    """The decimals in the formulas of the classical approximations, of ``_SHORTEST`` digits on."""
    for id, fields in contents("classical.toml").items():
        formulas = " ".join([fields["phi"], *fields.get("where", {}).values()])
        for digits in dict.fromkeys(_DECIMAL.findall(formulas)):
            (reading,) = read_literal(digits)
            if reading.digits >= _SHORTEST:
                yield Constant(
                    id=f"{id}: {digits}",
                    group="classical",
                    name=digits,
                    meaning=f"As printed in a formula for Φ: {fields['name']}.",
                    digits=digits,
                    value=reading.value,
                    ways=_floats(reading.value),
                    page="history",
                )


def _fitted(known: Iterable[Constant]) -> Iterator[Constant]:
    """The coefficients in ``erf_programs`` that are no float nearest to a known constant.

    So few numbers are float16 that being one says nothing.
    """
    nearest = {
        way.value
        for constant in known
        for way in constant.ways
        if way.kind == "float" and way.name in ("float32", "float64")
    }
    for program in erf_programs().values():
        read = [program.repository, *(place.partition("@")[0] for place in program.also)]
        for name, text in ((n, text) for n, texts in program.lists.items() for text in texts):
            if len(text) > _SHORTEST and abs(program.held(text)) not in {0, 1, *nearest}:
                (reading,) = read_literal(text)
                yield Constant(
                    id=f"{program.id}: {name}, {text}",
                    group="fitted",
                    name=text.lstrip("-"),
                    meaning="A fitted coefficient, and no constant that was rounded: "
                    f"{name} of {program.name} ({', '.join(read)}).",
                    digits=text.lstrip("-"),
                    value=reading.value,
                    ways=tuple(way for way in _floats(reading.value) if way.name == program.type),
                    page="history",
                )


def _of_register() -> Iterator[Constant]:
    """The numbers of the register; a literal that somebody printed for one belongs to it."""
    entries = results()
    for entry in entries.values():
        if entry.withdrawn or (entry.status == "historical" and entry.of):
            continue
        if entry.page in _ABOUT_TYPES or _is_report(entry):
            continue
        printed = [e for e in entries.values() if e.of == entry.id and e.status == "historical"]
        for name, value in entry.named_numbers.items():
            digits = entry.numbers[name] if name else str(entry.value)
            if entry.status != "historical" and "." not in digits:
                continue  # a count
            seen = {e.value: (e.id,) for e in printed if e.value} if not name else {}
            number = _registered(entry, name, digits, abs(value), seen)
            yield number
            if name in _HALVED and entry.id.startswith(_WITH_SIGMA):
                yield _half(number)


def _is_report(entry: Result) -> bool:
    """Whether an entry says nothing but its number: what somebody measured, and no constant."""
    return entry.statement == rf"\text{{{entry.value}}}"


def _half(number: Constant) -> Constant:
    """Half of a number of the register."""
    value = number.value / 2
    return replace(
        number,
        id=f"{number.id}/2",
        name=f"{number.name}/2",
        meaning="Half of a number of this result, for the form with tanh.",
        digits=str(Context(prec=len(number.digits)).divide(Decimal(number.digits), Decimal(2))),
        value=value,
        uncertainty=number.uncertainty / 2,
        ways=_floats(value),
    )


def _registered(
    entry: Result, name: str, digits: str, value: Fraction, seen: Mapping[str, tuple[str, ...]]
) -> Constant:
    exact = entry.status == "historical"
    best = _BEST.search(entry.statement or "")
    return Constant(
        id=f"{entry.id}: {name}" if name else entry.id,
        group="register",
        name=f"{entry.title}: {name}" if name else entry.title,
        meaning="As printed." if exact else f"A result of this book, {entry.status}.",
        digits=digits.lstrip("-"),
        value=value,
        uncertainty=Fraction(0) if exact else _half_unit(digits),
        ways=(*_floats(value), *_spelled(value, seen)),
        seen=seen,
        result=entry.id,
        page=entry.page,
        cited=bool(entry.source),
        coefficient=bool(seen or _COEFFICIENT.fullmatch(name) or (not name and best)),
    )
