"""``identify``: the values of a callable against the three forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from gelu_lib.floats.coded_types import CodedType, not_taken, number_type
from gelu_lib.provenance.callables.asking import answers, library_named
from gelu_lib.provenance.callables.coded import CodedReport, coded_report
from gelu_lib.provenance.callables.inputs import (
    BENDS,
    greatest_asked,
    inputs_between,
    order_of_asking,
)
from gelu_lib.provenance.callables.inside import inside
from gelu_lib.provenance.callables.lookalikes import clamped, fitting, fitting_constants
from gelu_lib.provenance.callables.tolerances import (
    PAIRS,
    Tolerance,
    forms,
    margins_between,
    tolerance,
    workings,
)
from gelu_lib.provenance.callables.vectors import places
from gelu_lib.provenance.callables.verdicts import Evidence, Verdict


def identify(
    function: Callable[[Any], Any] | np.ndarray,
    dtype: CodedType | np.dtype | type | str = "float32",
    *,
    library: str = "numpy",
    low: float | None = None,
    high: float | None = None,
    working: str | None = None,
    out: CodedType | str | None = None,
    steps: float = 0,
) -> Verdict | CodedReport:
    """Which form of GELU a callable computes: exact, tanh, sigmoid, or none of them.

    A form is named only if the callable is within its tolerance at every input asked, and the
    inputs hold one for each other form where no value is within both tolerances. So a form is
    never guessed: if the range is too narrow, or the arithmetic too coarse, the verdict is
    ``"undecidable"``. That a callable is one of the three is known for the inputs asked alone:
    in float16 and bfloat16 these are all floats between ``low`` and ``high``, in float32 and
    float64 at most some 70,000. A name means that no other of the three is possible. How near to
    the form the callable is then, ``working`` and ``tolerance`` of the verdict say, and
    ``constants``, which other constants pass as well: with work in 16 bits 1.7 does for 1.702.

    A callable that is none of the three is compared with what else stands in the place of GELU:
    SiLU, ReLU, hard-swish, HardGELU, each of the three from a table of float16 or cut off at an
    input, and the sigmoid and the tanh form with other constants; and with forms that have
    something of their own inside: a formula for erf or Φ, a clamped argument of tanh or σ, a tanh
    of exponentials that is nan. ``others`` and ``constants`` say what fits. A formula for erf
    within the tolerance, such as Abramowitz–Stegun 7.1.26, is exact here. The verdict shows where
    the callable differs most, where the forms bend, from the form that is nearest in shape.

    Args:
        function: takes a one-dimensional array and returns a new array of the same shape and
            type, element by element. It is called at least twice with all inputs, in a fixed
            order in which neighbours are far apart.
        dtype: the type of the array: float64, float32, float16 or bfloat16, by its name or as
            NumPy, PyTorch or JAX has it. Or a type of few codes, as for ``conforms``: every code
            is asked, a table may come in place of a callable, and the forms are named whose right
            table allows the outputs.
        library: whose arrays they are: ``"numpy"``, ``"torch"`` or ``"jax"``.
        low: the least input that the callable may be asked for. By default a quarter of the
            least float of the type, or of float32 if that is nearer to 0, since intermediate
            results may overflow beyond; −∞ for all.
        high: the greatest input, likewise.
        working: the precision that the callable claims to work in, one of ``workings(dtype)``.
            ``"float32"`` for a type of 16 bits means that it rounds at the end alone. By default
            all are tried, the finest first; coarser work leaves more undecidable.
        out: the type of the outputs, if few codes come and others go.
        steps: how many codes from the right one such an output may be.

    Returns:
        The verdict with its evidence. A value that is infinite or nan at a finite input departs
        from every form.

    Raises:
        TypeError: if ``dtype`` is none of the four types, ``function`` is not callable, or ``low``
            or ``high`` is no number.
        ValueError: if another argument is not accepted.
        ImportError: if the library, or ``ml_dtypes`` for bfloat16 without PyTorch, is missing.
        CallableError: if the callable raises, returns something of another shape or type or a
            masked array, changes its argument, or answers differently the second time.

    Example:
        >>> import numpy as np
        >>> from gelu_lib import identify
        >>> mine = lambda x: x / (1 + np.exp(-1.702 * x.astype("f8"))).astype(x.dtype)
        >>> identify(mine).variant
        'sigmoid'
        >>> identify(np.tanh).outcome
        'none'

    A function of PyTorch is asked with tensors:
    ``identify(torch.nn.functional.gelu, library="torch")``.
    """
    kind = number_type(dtype)
    if isinstance(kind, CodedType):
        not_taken(kind, "every code is asked", low=low, high=high, working=working)
        calls = [(places(kind), 0)]
        return coded_report([function], (kind, out), calls, library=library, steps=steps)
    not_taken(kind.name, out=out, steps=steps or None)
    if not callable(function):
        raise TypeError(f"function is {function!r}; accepted is a callable")
    for name, end in (("low", low), ("high", high)):
        if not (end is None or (isinstance(end, Real) and not isinstance(end, bool))):
            raise TypeError(f"{name} is {end!r}; accepted are None and real numbers")
    arrays, limit = library_named(library), greatest_asked(kind)
    inputs = inputs_between(kind, -limit if low is None else low, limit if high is None else high)
    tried = workings(kind.name) if working is None else (working,)
    limits = {name: tolerance(kind.name, name) for name in tried}
    values, order = np.empty(len(inputs)), order_of_asking(inputs)
    values[order] = answers(function, inputs[order], kind, arrays)
    return _judged(inputs, values, kind.name, limits, complete=kind.digits < 23)


def _judged(
    inputs: np.ndarray,
    values: np.ndarray,
    dtype: str,
    limits: Mapping[str, Tolerance],
    complete: bool,
) -> Verdict:
    """The verdict by the finest precision of work that leaves a form, else by the coarsest."""
    true = forms(inputs)
    for working, limit in limits.items():  # noqa: B007
        widths = {name: limit.at(inputs, form) for name, form in true.items()}
        distances = {name: _distance(values, true[name], widths[name]) for name in true}
        apart = margins_between(true, widths)
        left = _left(distances, apart)
        if left:
            break
    best = np.argmax(np.min(list(apart.values()), axis=0))
    others, members = _known(inputs, values, [limit] if left else [*limits.values()], bool(left))
    return Verdict(
        outcome={0: "none", 1: "identified"}.get(len(left), "undecidable"),
        candidates=left,
        dtype=dtype,
        working=working,
        tolerance=limit,
        inputs=len(inputs),
        low=float(inputs[0]),
        high=float(inputs[-1]),
        complete=complete,
        witness=_evidence(inputs[best], values[best], limit),
        outside={form: int((distance > 1).sum()) for form, distance in distances.items()},
        farthest={form: float(distance.max()) for form, distance in distances.items()},
        first={form: _nearest_to_0(inputs[distance > 1]) for form, distance in distances.items()},
        areas={name: _area(inputs, values, true[name], widths[name]) for name in true},
        departures={
            name: _evidence(inputs[k], values[k], limit)
            for name in true
            for k in [_departure(inputs, values, distances[name], true[name], widths[name])]
        },
        others=others,
        constants=members,
    )


def _known(
    inputs: np.ndarray, values: np.ndarray, limits: Iterable[Tolerance], is_form: bool
) -> tuple[tuple[str, ...], dict[str, tuple[float, float]]]:
    """What fits by the finest of some tolerances: other functions, and members of the families."""
    for limit in limits:
        others = ()
        if not is_form:
            kinds = (fitting, inside, clamped)
            others = tuple(name for kind in kinds for name in kind(inputs, values, limit))
        members = fitting_constants(inputs, values, limit)
        if others or members:
            return others, members
    return (), {}


def _distance(values: np.ndarray, form: np.ndarray, width: np.ndarray) -> np.ndarray:
    """How far the values are from a form, in tolerances; infinite where a value is nan."""
    return np.nan_to_num(np.abs(values - form) / width, nan=inf, posinf=inf)


def _nearest_to_0(inputs: np.ndarray) -> float | None:
    return float(inputs[np.argmin(np.abs(inputs))]) if len(inputs) else None


def _area(inputs: np.ndarray, values: np.ndarray, form: np.ndarray, width: np.ndarray) -> float:
    """The area between the values and a form beyond its tolerance; values not finite have none."""
    near = (np.abs(inputs) <= BENDS) & np.isfinite(values)
    x, excess = inputs[near], np.abs(values - form)[near] - width[near]
    return float(np.trapezoid(np.maximum(excess, 0.0), x))


def _departure(
    inputs: np.ndarray,
    values: np.ndarray,
    distance: np.ndarray,
    form: np.ndarray,
    width: np.ndarray,
) -> int:
    """Where a callable leaves a form most plainly, as ``Verdict.departures`` says."""
    size, outside = np.abs(inputs), distance > 1
    inside = outside & (size <= BENDS)
    if inside.any():
        excess = np.abs(values - form) - width
        excess = np.where(inside, np.nan_to_num(excess, nan=inf, posinf=inf), -inf)
        return int(np.argmin(np.where(excess == excess.max(), size, inf)))
    if outside.any():
        return int(np.argmin(np.where(outside, size, inf)))
    return int(np.argmax(distance))


def _left(
    distances: Mapping[str, np.ndarray], apart: Mapping[tuple[str, str], np.ndarray]
) -> tuple[str, ...]:
    """The forms within tolerance at every input, and those that no input tells from one of them."""
    fitting = {name for name, distance in distances.items() if distance.max() <= 1}
    told_apart = {pair for pair, margin in apart.items() if margin.max() > 1}
    doubtful = {
        name for pair in PAIRS if pair not in told_apart and fitting & set(pair) for name in pair
    }
    return tuple(name for name in distances if name in fitting | doubtful)


def _evidence(x: np.float64, value: np.float64, limit: Tolerance) -> Evidence:
    expected = {name: float(form) for name, form in forms(np.float64(x)).items()}
    return Evidence(
        x=float(x),
        value=float(value),
        expected=expected,
        tolerance={name: float(limit.at(x, form)) for name, form in expected.items()},
    )
