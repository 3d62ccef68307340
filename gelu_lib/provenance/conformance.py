"""``conforms``: a kernel against the correctly rounded values of a form and of its derivative.

A kernel is a callable, a function of a shared library (``vectors.from_library``), or the outputs
that a program anywhere has left in a file (``vectors.from_file``). It is asked at the inputs of the
test vectors, which are chosen where evaluations of GELU fail, and at nan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.types import FloatType, float_type, unit
from gelu_lib.provenance.callables import answers, library_named
from gelu_lib.provenance.identify import identify
from gelu_lib.provenance.tolerances import REACH, Tolerance, tolerance
from gelu_lib.provenance.vectors import inputs, vectors
from gelu_lib.provenance.verdicts import Verdict

Kernel = Callable[[Any], Any] | np.ndarray


@dataclass(frozen=True)
class Fault:
    """What a kernel returns in place of the right value, shown at the input nearest to 0.

    Attributes:
        kind: ``"nan"``, ``"infinity"``, ``"sign of zero"`` or ``"value"`` at the inputs of the
            vectors; or ``"identify"`` for what is beyond the tolerance at its inputs. In
            ``Report.farthest`` it is ``"farthest"``, which need be no fault.
        of: the function, as ``"gelu_tanh_derivative"``.
        inputs: at how many inputs it does that.
        x: the input.
        bits: the bits of the input in hexadecimal.
        value: what the kernel returned.
        right: the correctly rounded value; for ``"identify"`` what the library has.
        ulp: value − right in units in the last place of what is right; nan unless both are finite.
    """

    kind: str
    of: str
    inputs: int
    x: float
    bits: str
    value: float
    right: float
    ulp: float

    def __str__(self) -> str:
        off = f", off by {self.ulp:+.6g} ulp" if abs(self.ulp) > 0 else ""
        many = "s"[: self.inputs - 1]
        head = f"{self.of}: {self.kind}, at {self.inputs} input{many}; nearest to 0:"
        x = f"{self.x!r} (0x{self.bits})"
        return f"{head}\n  x     {x}\n  value {self.value!r}\n  right {self.right!r}{off}"


@dataclass(frozen=True, repr=False)
class Report:
    """What ``conforms`` has found. Its text says what was asked, and what failed.

    Attributes:
        form: the form that the kernel claims to compute.
        dtype: the type of its inputs and outputs.
        inputs: how many inputs were asked.
        allowed: how far from what is right a value may be, in words.
        verdict: what ``identify`` says of a callable.
        faults: what it does wrong, by kind; first of the function, then of the derivative.
        farthest: for each function where its finite values are off by the most units in the last
            place, allowed or not; none for a function that is right everywhere.
    """

    form: str
    dtype: str
    inputs: int
    allowed: str
    verdict: Verdict | None
    faults: tuple[Fault, ...]
    farthest: tuple[Fault, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong at the inputs asked; of others nothing is known."""
        return not self.faults

    @property
    def first(self) -> Fault | None:
        """The fault whose input is the nearest to 0; nan is farther than infinity."""
        return min(self.faults, key=lambda fault: _remoteness(fault.x), default=None)

    def __str__(self) -> str:
        said = "passes" if self.passed else "is refused"
        head = f"{self.form} form in {self.dtype}: {said}; {self.inputs} inputs asked"
        lines = [head, f"allowed: {self.allowed}", *map(str, self.faults)]
        for one in self.farthest:
            most = f"{abs(one.ulp):.6g} ulp, at x = {one.x!r} (0x{one.bits})"
            lines.append(f"{one.of}: finite values are off by at most {most}")
        if self.verdict is not None:
            lines.append(f"identify says: {self.verdict.variant or self.verdict.outcome}")
        return "\n".join(lines)

    __repr__ = __str__


def conforms(
    function: Kernel,
    form: str,
    dtype: np.dtype | type | str,
    *,
    derivative: Kernel | None = None,
    library: str = "numpy",
    working: str = "float32",
    ulp: float | None = None,
    signed_zeros: bool = False,
) -> Report:
    """Whether a kernel computes a form of GELU, and its derivative another kernel.

    Args:
        function: takes a one-dimensional array and returns a new one, as for ``identify``; or the
            outputs themselves, in the order of ``inputs``.
        form: the form that it claims to compute: ``"exact"``, ``"tanh"`` or ``"sigmoid"``.
        dtype: one of the four types.
        derivative: the derivative of that form, likewise; by default none is asked.
        library: whose arrays they are: ``"numpy"``, ``"torch"`` or ``"jax"``.
        working: the precision in which the kernel works, as for ``identify``: ``"float32"`` means
            float32 or better, and rounding at the end alone.
        ulp: the largest distance from what is right, in units in the last place of that. By
            default it is the tolerance of ``identify`` for ``working``, and the half unit by which
            what is right was rounded. For a derivative the absolute part of that tolerance is the
            one of an input twice as large, and of 2 at least: terms of the size of 1 cancel.
        signed_zeros: whether a zero must have its sign, too.

    Returns:
        The report. nan and infinity must stand where they do in the vectors and nowhere else, at
        nan, ±∞ and all finite inputs. Unless ``ulp`` says how near is near enough, a callable has
        to be within the tolerance at the inputs of ``identify``, too.

    Raises:
        TypeError: if ``dtype`` is none of the four types, or a kernel no callable and no array.
        ValueError: if another argument is not accepted, or an array has not one output for each
            input.
        ImportError: if the library, or ``ml_dtypes`` for bfloat16, is missing.
        CallableError: if a callable misbehaves, as for ``identify``.

    Example:
        >>> import numpy as np
        >>> from gelu_lib.provenance.conformance import conforms
        >>> mine = lambda x: x * 0.5 * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))
        >>> report = conforms(mine, "tanh", "float32")
        >>> report.passed, report.first.x, report.first.value
        (False, -inf, nan)
    """
    if form not in tuple(FORMS):  # which compares; it may be of a kind that no mapping can look up
        raise ValueError(f"form is {form!r}; accepted are {', '.join(FORMS)}")
    if not (ulp is None or (isinstance(ulp, Real) and ulp >= 0)):
        raise ValueError(f"ulp is {ulp!r}; accepted are None and numbers from 0 on")
    kind, name = float_type(dtype), FORMS[form].__name__
    limit, x = tolerance(kind.name, working), inputs(kind.name).astype(np.float64)
    kernels = {name: function} | ({} if derivative is None else {f"{name}_derivative": derivative})
    faults: list[Fault] = []
    farthest: list[Fault] = []
    for column, kernel in kernels.items():
        values = _outputs(kernel, x, kind, library)
        right = np.append(vectors(kind.name)[column].astype(np.float64), np.nan)
        width = _width(x, right, kind.name, limit if ulp is None else ulp, column)
        for way, wrong in _wrong(values, right, width, signed_zeros).items():
            if wrong.any():
                faults.append(_fault(way, column, kind, x[wrong], values[wrong], right[wrong]))
        if (most := _farthest(values, right, kind.name)).any():
            farthest.append(_fault("farthest", column, kind, x[most], values[most], right[most]))
    verdict = None
    if callable(function):
        verdict = identify(function, kind.name, library=library, working=working)
        if ulp is None and form not in verdict.candidates:
            shown = {fault.x for fault in faults if fault.of == name}
            faults += _beside(function, form, kind, library, verdict, shown)
    allowed = f"the tolerance of work in {working}" if ulp is None else f"{ulp:g} ulp"
    allowed += f"; zeros of {'the right' if signed_zeros else 'either'} sign"
    return Report(form, kind.name, len(x), allowed, verdict, tuple(faults), tuple(farthest))


def _outputs(kernel: Kernel, x: np.ndarray, kind: FloatType, library: str) -> np.ndarray:
    if callable(kernel):
        return answers(kernel, x, kind, library_named(library))
    if not isinstance(kernel, np.ndarray):
        raise TypeError(f"a kernel is {kernel!r}; accepted are a callable and an array of outputs")
    if kernel.shape != x.shape or kernel.dtype != kind.dtype:
        given = f"the outputs are {kernel.dtype.name} of shape {kernel.shape}"
        raise ValueError(f"{given}; accepted is {kind.name} of shape {x.shape}, as the inputs")
    return kernel.astype(np.float64)


def _width(
    x: np.ndarray, right: np.ndarray, dtype: str, allowed: Tolerance | float, of: str
) -> np.ndarray:
    """How far from what is right a value may be; a tolerance speaks of the exact value."""
    last_place = unit(right, dtype)
    if not isinstance(allowed, Tolerance):
        return allowed * last_place
    if of.endswith("derivative"):
        x = np.maximum(2 * np.minimum(np.abs(x), REACH), 2.0)
    return allowed.at(x, right) + last_place / 2


def _wrong(
    values: np.ndarray, right: np.ndarray, width: np.ndarray, signed_zeros: bool
) -> dict[str, np.ndarray]:
    """Where the values are wrong, by the kind of fault; a place has one kind at most."""
    nan = np.isnan(values) != np.isnan(right)
    infinite = np.isinf(values) | np.isinf(right)
    zeros = (values == 0) & (right == 0) & (np.signbit(values) != np.signbit(right))
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        off = ~nan & ~infinite & (np.abs(values - right) > width)
    return {
        "nan": nan,
        "infinity": ~nan & infinite & (values != right),
        "value": off,
        "sign of zero": zeros & signed_zeros,
    }


def _farthest(values: np.ndarray, right: np.ndarray, dtype: str) -> np.ndarray:
    """Where finite values are off by the most units in the last place; nowhere if none is off."""
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        off = np.where(np.isfinite(values), np.abs(values - right) / unit(right, dtype), np.nan)
    off = np.nan_to_num(off)  # what is right may be infinite, and has no unit
    return (off == off.max()) & (off > 0)


def _fault(
    way: str, of: str, kind: FloatType, x: np.ndarray, values: np.ndarray, right: np.ndarray
) -> Fault:
    """One kind of fault, from all inputs that have it."""
    k = min(range(len(x)), key=lambda place: _remoteness(x[place]))
    bits = x[k : k + 1].astype(kind.dtype).view(f"u{kind.dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        off = (values[k] - right[k]) / unit(right[k], kind.name)
    return Fault(
        kind=way,
        of=of,
        inputs=len(x),
        x=float(x[k]),
        bits=f"{int(bits[0]):0{2 * bits.itemsize}x}",
        value=float(values[k]),
        right=float(right[k]),
        ulp=float(off) if np.isfinite(off) else np.nan,
    )


def _beside(
    function: Kernel, form: str, kind: FloatType, library: str, verdict: Verdict, shown: set[float]
) -> list[Fault]:
    """What ``identify`` finds wrong, unless that input is shown already; the library says so."""
    x = np.array([verdict.first[form]])
    if float(x[0]) in shown:
        return []
    values = answers(function, x, kind, library_named(library))
    right = FORMS[form](x.astype(kind.dtype)).astype(np.float64)
    found = _fault("identify", FORMS[form].__name__, kind, x, values, right)
    return [replace(found, inputs=verdict.outside[form])]


def _remoteness(x: float) -> tuple[bool, float]:
    """How far from 0 an input is; nan is farther than infinity."""
    return bool(np.isnan(x)), abs(x)
