"""``identify``: the values of a callable against the three forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

import numpy as np

from gelu_lib.floats import float_type
from gelu_lib.variants.callables import answers, library_named
from gelu_lib.variants.inputs import greatest_asked, inputs_between
from gelu_lib.variants.tolerances import (
    PAIRS,
    Tolerance,
    forms,
    margins,
    tolerance,
    workings,
)
from gelu_lib.variants.verdicts import Evidence, Verdict

NEARLY = 0.9
"""A departure of so much of the largest one, in tolerances, counts as no less."""


def identify(
    function: Callable[[Any], Any],
    dtype: np.dtype | type | str = "float32",
    *,
    library: str = "numpy",
    low: float | None = None,
    high: float | None = None,
    working: str | None = None,
) -> Verdict:
    """Which form of GELU a callable computes: exact, tanh, sigmoid, or none of them.

    A form is named only if the callable is within its tolerance at every input asked, and the
    inputs hold one for each other form where no value is within both tolerances. So a form is
    never guessed: if the range is too narrow, or the arithmetic too coarse, the verdict is
    ``"undecidable"``. That a callable is one of the three is known for the inputs asked alone:
    in float16 and bfloat16 these are all floats between ``low`` and ``high``, in float32 and
    float64 some 70,000. A name means that no other of the three is possible. How near to the form
    the callable is then, ``working`` of the verdict says: with work in 16 bits a constant of 1.7
    passes for 1.702.

    Args:
        function: takes a one-dimensional array and returns a new array of the same shape and
            type, element by element. It is called twice with all inputs.
        dtype: the type of the array: float64, float32, float16 or bfloat16.
        library: whose arrays they are: ``"numpy"``, ``"torch"`` or ``"jax"``.
        low: the least input that the callable may be asked for. By default a quarter of the
            least float of the type, or of float32 if that is nearer to 0, since intermediate
            results may overflow beyond; −∞ for all.
        high: the greatest input, likewise.
        working: the precision that the callable claims to work in, one of ``workings(dtype)``.
            ``"float32"`` for a type of 16 bits means that it rounds at the end alone. By default
            all are tried, the finest first; coarser work leaves more undecidable.

    Returns:
        The verdict with its evidence. A value that is infinite or nan at a finite input departs
        from every form.

    Raises:
        TypeError: if ``dtype`` is none of the four types, or ``function`` is not callable.
        ValueError: if another argument is not accepted.
        ImportError: if the library, or ``ml_dtypes`` for bfloat16 without PyTorch, is missing.
        CallableError: if the callable raises, returns something of another shape or type, changes
            its argument, or is not deterministic.
    """
    if not callable(function):
        raise TypeError(f"function is {function!r}; accepted is a callable")
    kind = float_type(dtype)
    arrays, limit = library_named(library), greatest_asked(kind)
    inputs = inputs_between(kind, -limit if low is None else low, limit if high is None else high)
    tried = workings(kind.name) if working is None else (working,)
    limits = {name: tolerance(kind.name, name) for name in tried}
    return _judged(inputs, answers(function, inputs, kind, arrays), kind.name, limits)


def _judged(
    inputs: np.ndarray, values: np.ndarray, dtype: str, limits: Mapping[str, Tolerance]
) -> Verdict:
    """The verdict by the finest precision of work that leaves a form, else by the coarsest."""
    *finer, coarsest = limits
    working = next((name for name in finer if _left(inputs, values, limits[name])), coarsest)
    limit = limits[working]
    left, distances = _left(inputs, values, limit), _distances(inputs, values, limit)
    expected = forms(inputs)
    best = np.argmax(np.min(list(margins(inputs, limit).values()), axis=0))
    return Verdict(
        outcome={0: "none", 1: "identified"}.get(len(left), "undecidable"),
        candidates=left,
        dtype=dtype,
        working=working,
        inputs=len(inputs),
        low=float(inputs[0]),
        high=float(inputs[-1]),
        witness=_evidence(inputs[best], values[best], limit),
        outside={form: int((distance > 1).sum()) for form, distance in distances.items()},
        farthest={form: float(distance.max()) for form, distance in distances.items()},
        departures={
            form: _evidence(inputs[k], values[k], limit)
            for form, distance in distances.items()
            for k in [_farthest(distance, np.abs(values - expected[form]))]
        },
    )


def _distances(inputs: np.ndarray, values: np.ndarray, limit: Tolerance) -> dict[str, np.ndarray]:
    """How far the values are from each form, in tolerances; infinite where a value is nan."""
    return {
        name: np.nan_to_num(np.abs(values - form) / limit.at(inputs, form), nan=inf, posinf=inf)
        for name, form in forms(inputs).items()
    }


def _farthest(distance: np.ndarray, size: np.ndarray) -> int:
    """Where a departure is the largest: in tolerances, and among the nearly largest in size."""
    nearly = distance >= NEARLY * distance.max()
    return int(np.argmax(np.where(nearly, np.nan_to_num(size, nan=inf, posinf=inf), -1.0)))


def _left(inputs: np.ndarray, values: np.ndarray, limit: Tolerance) -> tuple[str, ...]:
    """The forms within tolerance at every input, and those that no input tells from one of them."""
    distances = _distances(inputs, values, limit)
    fitting = {name for name, distance in distances.items() if distance.max() <= 1}
    told_apart = {pair for pair, margin in margins(inputs, limit).items() if margin.max() > 1}
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
