"""``conforms``: a kernel against the correctly rounded values of a form and of its derivative.

A kernel is a callable, a function of a shared library (``vectors.from_library``), or the outputs
that a program anywhere has left in a file (``vectors.from_file``). It is asked at the inputs of the
test vectors, which are chosen where evaluations of GELU fail, and at nan.

The order is fixed and not ascending (``inputs.order_of_asking``). A callable is asked in ascending
order as well, for 0 to 33 inputs and for as many as fill blocks, which start at several places of
a vector register: the loop of a kernel may treat its first, its last and its few inputs otherwise
than the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from gelu_lib import activations
from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import CodedType, not_taken, number_type
from gelu_lib.floats.types import FloatType, float_type, from_ordinal, ordinal, unit
from gelu_lib.provenance.callables.asking import answers, asked, library_named
from gelu_lib.provenance.callables.coded import CodedReport, coded_report
from gelu_lib.provenance.callables.identify import identify
from gelu_lib.provenance.callables.inputs import LAST, order_of_asking
from gelu_lib.provenance.callables.reports import Accuracy, Fault, Report, Span
from gelu_lib.provenance.callables.tolerances import REACH, Tolerance, tolerance
from gelu_lib.provenance.callables.vectors import (
    ascending_inputs,
    ascending_values,
    places,
    vectors,
)
from gelu_lib.provenance.callables.verdicts import Verdict

Kernel = Callable[[Any], Any] | np.ndarray

_LENGTHS, _STARTS = (*range(34), 64, 100, 1000, 1024), (0, 1, 3, 7)
"""A callable is asked for so many inputs, too, and they start so many floats behind a register."""

IN_A_CALL, SPANS = 2**20, 5
"""Of every float a call asks for so many; and so many spans of wrong values are told."""

MIDST = -3.5
"""The ascending call starts there."""


@dataclass(frozen=True)
class Answers:
    """What a kernel returned for a function and a type, value behind value, call behind call."""

    of: str
    kind: FloatType
    place: np.ndarray  # where the input of each value stands among the ascending ones
    x: np.ndarray
    value: np.ndarray
    right: np.ndarray
    length: np.ndarray  # of how many inputs the call was


@dataclass(frozen=True)
class KernelTerms:
    """How kernels are asked and judged, as the arguments of ``conforms`` say."""

    kind: FloatType
    library: str
    allowed: Tolerance | float
    signed_zeros: bool
    infinities: str
    every: bool
    progress: Callable[[str, int, int], None] | None


def conforms(
    function: Kernel,
    form: str,
    dtype: CodedType | np.dtype | type | str,
    *,
    derivative: Kernel | None = None,
    library: str = "numpy",
    working: str = "float32",
    ulp: float | None = None,
    signed_zeros: bool = False,
    infinities: str = "limit",
    every: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
    out: CodedType | str | None = None,
    steps: float = 0,
) -> Report | CodedReport:
    """Whether a kernel computes a form of GELU, and its derivative another kernel.

    Args:
        function: takes a one-dimensional array and returns a new one, as for ``identify``; or the
            outputs themselves, in the order of ``vectors.kernel_inputs``.
        form: the form that it claims to compute: ``"exact"``, ``"tanh"`` or ``"sigmoid"``.
        dtype: one of the four types; or one of few codes, of which every one is asked, as
            ``coded_type`` makes it, or its name where that says all. The outputs may then be a
            table, too; ``steps`` says how near is near enough, and of a near tie either code is;
            ``working`` and ``ulp`` are not accepted; and nan of either sign are alike.
        derivative: the derivative of that form, likewise; by default none is asked.
        library: whose arrays they are: ``"numpy"``, ``"torch"`` or ``"jax"``.
        working: the precision in which the kernel works, as for ``identify``: ``"float32"`` means
            float32 or better, and rounding at the end alone.
        ulp: the largest distance from what is right, in units in the last place of that. By
            default it is the tolerance of ``identify`` for ``working``, and the half unit by which
            what is right was rounded. For a derivative the absolute part of that tolerance is the
            one of an input twice as large, and of 2 at least: terms of the size of 1 cancel.
        signed_zeros: whether a zero must have its sign, too; not accepted for integers.
        infinities: ``"limit"`` if the values at ±∞ must be the limits; ``"any"`` if they may be
            any: the frameworks give nan at −∞.
        every: whether a callable of float32 is asked for every finite float, too, in minutes; of
            smaller types it is anyway. There what is right is the value of ``activations``; of a
            near tie it may be the other neighbour, and with 1 ulp allowed neither is refused.
        progress: is told the function, how many of all floats were asked, and how many there are.
        out: the type of the outputs, if few codes come and others go.
        steps: how many codes from the right one such an output may be.

    Returns:
        The report. nan and infinity must stand where they do in the vectors and nowhere else, at
        nan, ±∞ and all finite inputs, in every call. Unless ``ulp`` says how near is near enough,
        a callable has to be within the tolerance at the inputs of ``identify``, too.

    Raises:
        TypeError: if ``dtype`` is none of the four types, or a kernel no callable and no array.
        ValueError: if another argument is not accepted, or an array has not one output for each
            input.
        ImportError: if the library, or ``ml_dtypes`` for bfloat16, is missing.
        CallableError: if a callable misbehaves, as for ``identify``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib.provenance.callables.conformance import conforms
        >>> mine = lambda x: x * 0.5 * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))
        >>> report = conforms(mine, "tanh", "float32")
        >>> report.passed, report.first.x, report.first.value
        (False, -inf, nan)
    """
    _check(form, ulp, infinities)
    if isinstance(coded := number_type(dtype), CodedType):
        other = None if working == "float32" else working
        not_taken(coded, "it takes steps", ulp=ulp, working=other)
        both = [function] if derivative is None else [function, derivative]
        more = {"steps": steps, "infinities": infinities, "signed_zeros": signed_zeros}
        return coded_report(both, (coded, out), _calls(coded), form=form, library=library, **more)
    kind, name = float_type(dtype), FORMS[form].__name__
    not_taken(kind.name, out=out, steps=steps or None)
    limit = tolerance(kind.name, working) if ulp is None else ulp
    kernels = {name: function} | ({} if derivative is None else {f"{name}_derivative": derivative})
    everywhere = _is_beyond_vectors(every, kind, kernels.values())
    terms = KernelTerms(kind, library, limit, signed_zeros, infinities, everywhere, progress)
    judged = [_judged(kernel, column, terms) for column, kernel in kernels.items()]
    faults, accuracy, spans = zip(*judged, strict=True)
    faults, verdict = [*chain(*faults)], None
    if callable(function):
        verdict = identify(function, kind.name, library=library, working=working)
        if ulp is None and form not in verdict.candidates:
            shown = {fault.x for fault in faults if fault.of == name}
            faults += _beside(form, kind, verdict, shown)
    allowed = _allowed(working, ulp, signed_zeros, infinities)
    inputs, calls = accuracy[0].inputs, len(_calls(kind.name)) if callable(function) else 1
    calls += -(-inputs // IN_A_CALL) if everywhere else 0
    tuples = (*faults,), accuracy, (*chain(*spans),)
    return Report(form, kind.name, inputs, calls, allowed, verdict, *tuples)


def _check(form: str, ulp: float | None, infinities: str) -> None:
    """A ValueError, if one of these is not accepted."""
    if form not in tuple(FORMS):  # which compares; it may be of a kind that no mapping can look up
        raise ValueError(f"form is {form!r}; accepted are {', '.join(FORMS)}")
    if not (ulp is None or (isinstance(ulp, Real) and 0 <= ulp < inf)):
        raise ValueError(f"ulp is {ulp!r}; accepted are None and numbers from 0 on")
    if infinities not in ("any", "limit"):
        raise ValueError(f"infinities is {infinities!r}; accepted are any, limit")


def _is_beyond_vectors(every: bool, kind: FloatType, kernels: Iterable[Kernel]) -> bool:
    """Whether every float is to be asked, and the vectors have not every one; or a ValueError."""
    if every and (kind.digits > 23 or not all(map(callable, kernels))):
        accepted = "callables and types up to float32"
        raise ValueError(f"every is {every!r} for {kind.name}; accepted are {accepted}")
    return every and kind.dtype.itemsize > 2


def _judged(
    kernel: Kernel, of: str, terms: KernelTerms
) -> tuple[list[Fault], Accuracy, list[Span]]:
    """What is wrong in the calls, and at every finite float if that is asked."""
    said = _answers(kernel, of, terms.kind, terms.library)
    if terms.infinities == "any":
        said.value[np.isinf(said.x)] = said.right[np.isinf(said.x)]
    with np.errstate(all="ignore"):  # values may be anything
        found, far = [*_faults(said, terms)], _accuracy(said)
    if not terms.every:
        return found, far, []
    more, far, spans = _everywhere(kernel, of, terms)
    beyond = {fault.kind for fault in more}
    return [f for f in found if f.calls or f.kind not in beyond] + more, far, spans


def _everywhere(
    kernel: Callable, of: str, terms: KernelTerms
) -> tuple[list[Fault], Accuracy, list[Span]]:
    """What is wrong at every finite float, asked once each in blocks, of which little is kept."""
    kind, progress = terms.kind, terms.progress or (lambda *_: None)
    last, right_of = int(ordinal(np.array(kind.greatest, kind.dtype))), getattr(activations, of)
    arrays, word = library_named(terms.library), f"u{kind.dtype.itemsize}"
    counts, runs = Counter(), np.empty((0, 2), np.int64)
    kept = [[np.full(1, -np.ldexp(1, 40)), *[np.zeros(1)] * 4]]  # right, at the place of no float
    for begin in range(-last, last + 1, IN_A_CALL):
        x = from_ordinal(np.arange(begin, min(begin + IN_A_CALL, last + 1)), kind.dtype)
        values, right = asked(kernel, x.astype(np.float64), kind, arrays), right_of(x)
        progress(of, begin + len(x) + last, 2 * last + 1)
        k = np.flatnonzero(values.astype(kind.dtype).view(word) != right.view(word))
        if not k.size:
            continue
        x, right, one = x[k].astype(np.float64), right[k].astype(np.float64), np.ones(k.size)
        said = Answers(of, kind, begin + k, x, values[k], right, one)
        with np.errstate(all="ignore"):
            kinds = _wrong(said, terms)
            off, flushed, *sizes = _distances(said)
        counts.update({"off": int(off.sum()), "flushed": int(flushed.sum())})
        counts.update({way: int(wrong.sum()) for way, wrong in kinds.items()})
        runs = _longest(runs, said.place[np.any([*kinds.values()], axis=0)])
        sizes += [wrong / (1 + np.abs(x)) for wrong in kinds.values()]  # the nearest to 0
        few = np.unique([np.argmax(size) for size in sizes])
        kept.append([part[few] for part in (said.place, x, said.value, right, one)])
    said = Answers(of, kind, *map(np.concatenate, zip(*kept, strict=True)))
    with np.errstate(all="ignore"):
        found = [replace(f, inputs=counts[f.kind]) for f in _faults(said, terms)]
        off = {"misrounded": counts["off"], "flushed": counts["flushed"]}
        far = replace(_accuracy(said), inputs=2 * last + 1, **off)
    runs = sorted(runs.tolist(), key=lambda run: run[0] - run[1])[:SPANS]
    ends = [from_ordinal(np.array(run), kind.dtype).tolist() for run in runs]
    return found, far, [Span(of, *x, n[1] - n[0] + 1) for x, n in zip(ends, runs, strict=True)]


def _longest(runs: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The longest runs of neighbours, and behind them the last, to which the next block may add."""
    breaks = np.flatnonzero(np.diff(places) > 1)
    new = places[np.stack([np.append(0, breaks + 1), np.append(breaks, -1)], 1)[: len(places)]]
    if len(runs) and len(new) and runs[-1, 1] + 1 == new[0, 0]:
        new[0, 0], runs = runs[-1, 0], runs[:-1]
    runs = np.concatenate([runs, new])
    order = np.argsort(runs[:-1, 0] - runs[:-1, 1], kind="stable")[:SPANS]
    return np.concatenate([runs[:-1][order], runs[-1:]])


def _allowed(working: str, ulp: float | None, signed_zeros: bool, infinities: str) -> str:
    """How far from what is right a value may be, in words."""
    near = f"the tolerance of work in {working}" if ulp is None else f"{ulp:g} ulp"
    sign = "the right" if signed_zeros else "either"
    anything = "; any value at ±∞" if infinities == "any" else ""
    return f"{near}; zeros of {sign} sign{anything}"


@cache
def _calls(dtype: CodedType | str) -> tuple[tuple[np.ndarray, int], ...]:
    """In which calls a callable is asked: the places of the inputs, and how far behind a register.

    The first and the last of each call, and all of a short one, are inputs where the forms are far
    from one another and from x: what ascends starts at one of these, and ends there.
    """
    x = ascending_values(dtype)
    upward = np.roll(np.arange(len(x)), -np.searchsorted(x, MIDST))
    calls, begun = [(places(dtype), 0), (upward, _STARTS[1])], 0
    few = order_of_asking(x)[-LAST:]
    for length, start in product(_LENGTHS, _STARTS):
        calls.append((few.take(range(begun, begun + length), mode="wrap"), start))
        begun += length
    return (*calls,)


def _answers(kernel: Kernel, of: str, kind: FloatType, library: str) -> Answers:
    x = ascending_inputs(kind.name).astype(np.float64)
    right = np.append(vectors(kind.name)[of].astype(np.float64), np.nan)
    calls = _calls(kind.name)
    if callable(kernel):
        arrays = library_named(library)
        values = [answers(kernel, x[place], kind, arrays, start) for place, start in calls]
    else:
        calls = calls[:1]
        values = [_outputs(kernel, kind)]
    place, lengths = np.concatenate([place for place, _ in calls]), [*map(len, values)]
    length = np.repeat(lengths, lengths)
    return Answers(of, kind, place, x[place], np.concatenate(values), right[place], length)


def _outputs(kernel: Kernel, kind: FloatType) -> np.ndarray:
    if isinstance(kernel, np.ma.MaskedArray):
        raise TypeError("the outputs are a masked array; accepted is one without a mask")
    if not isinstance(kernel, np.ndarray):
        raise TypeError(f"a kernel is {kernel!r}; accepted are a callable and an array of outputs")
    shape = places(kind.name).shape
    if kernel.shape != shape or kernel.dtype != kind.dtype:
        given = f"the outputs are {kernel.dtype.name} of shape {kernel.shape}"
        raise ValueError(f"{given}; accepted is {kind.name} of shape {shape}, as vectors.inputs")
    with np.errstate(invalid="ignore"):  # a nan may be one that signals
        return kernel.astype(np.float64)


def _width(said: Answers, allowed: Tolerance | float) -> np.ndarray:
    """How far from what is right a value may be; a tolerance speaks of the exact value."""
    x, last_place = said.x, unit(said.right, said.kind.name)
    if not isinstance(allowed, Tolerance):
        return allowed * last_place
    if said.of.endswith("derivative"):
        x = np.maximum(2 * np.minimum(np.abs(x), REACH), 2.0)
    return allowed.at(x, said.right) + last_place / 2


def _wrong(said: Answers, terms: KernelTerms) -> dict[str, np.ndarray]:
    """Where the values are wrong, by the kind of fault; a place has one kind at most."""
    values, right, width = said.value, said.right, _width(said, terms.allowed)
    nan = np.isnan(values) != np.isnan(right)
    infinite = np.isinf(values) | np.isinf(right)
    zeros = (values == 0) & (right == 0) & (np.signbit(values) != np.signbit(right))
    off = ~nan & ~infinite & (np.abs(values - right) > width)
    return {
        "nan": nan,
        "infinity": ~nan & infinite & (values != right),
        "value": off,
        "sign of zero": zeros & terms.signed_zeros,
    }


def _faults(said: Answers, terms: KernelTerms) -> Iterator[Fault]:
    """What is wrong, by kind, and whether the same input has a right value elsewhere."""
    kinds = _wrong(said, terms)
    good = said.place[~np.any([*kinds.values()], axis=0)]
    for way, wrong in kinds.items():
        if wrong.any():
            calls = np.unique(said.length[wrong & np.isin(said.place, good)])
            yield replace(_fault(way, said, wrong), calls=tuple(calls.tolist()))


def _distances(said: Answers) -> tuple[np.ndarray, ...]:
    """Where values are not the nearest, where flushed, by how many units, by how much up to ±8."""
    off = (said.value != said.right) & ~(np.isnan(said.value) & np.isnan(said.right))
    # what is right may be infinite, and has no unit
    size = np.nan_to_num(np.abs(said.value - said.right), posinf=0)
    steps = np.nan_to_num(size / unit(said.right, said.kind.name))
    return off, off & (said.value == 0), steps, np.where(np.abs(said.x) <= REACH, size, 0)


def _accuracy(said: Answers) -> Accuracy:
    off, flushed, steps, near = _distances(said)
    return Accuracy(
        of=said.of,
        inputs=int(said.place.max()) + 1,
        misrounded=np.unique(said.place[off]).size,
        flushed=np.unique(said.place[flushed]).size,
        farthest=_most("farthest", said, steps),
        largest=_most("largest", said, near),
    )


def _most(way: str, said: Answers, size: np.ndarray) -> Fault | None:
    return _fault(way, said, size == size.max()) if size.any() else None


def _fault(way: str, said: Answers, chosen: np.ndarray) -> Fault:
    """One kind of fault, from all values that have it."""
    x, place = said.x[chosen], said.place[chosen]
    k = np.lexsort((place, np.abs(x), np.isnan(x)))[0]
    value, right = said.value[chosen][k], said.right[chosen][k]
    bits = x[k : k + 1].astype(said.kind.dtype).view(f"u{said.kind.dtype.itemsize}")
    off = (value - right) / unit(right, said.kind.name)
    return Fault(
        kind=way,
        of=said.of,
        inputs=np.unique(place).size,
        x=float(x[k]),
        bits=f"{int(bits[0]):0{2 * bits.itemsize}x}",
        value=float(value),
        right=float(right),
        ulp=float(off) if np.isfinite(off) else np.nan,
    )


def _beside(form: str, kind: FloatType, verdict: Verdict, shown: set[float]) -> list[Fault]:
    """What ``identify`` finds wrong, unless that input is shown already; the library says so."""
    if verdict.first[form] in shown:
        return []
    most, one = verdict.departures[form], np.array([True])
    x, value = np.array([most.x]), np.array([most.value])
    right = FORMS[form](x.astype(kind.dtype)).astype(np.float64)
    said = Answers(FORMS[form].__name__, kind, one, x, value, right, one)
    with np.errstate(all="ignore"):
        return [replace(_fault("identify", said, one), inputs=verdict.outside[form])]
