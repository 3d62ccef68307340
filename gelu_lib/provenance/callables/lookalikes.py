"""What else a callable may be that is none of the three forms.

``OTHERS`` are functions that stand in the place of GELU in programs. ``FAMILIES`` are the sigmoid
and the tanh form with another constant: at every x ≠ 0 the value of the form grows with its
constant, so the constants with which one value is within the tolerance are an interval, and those
with which all values are within it are the common part of these intervals. ``clamped`` finds a
form that is cut off: where it stops growing, the values say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.types import round_to
from gelu_lib.provenance.callables.tolerances import Tolerance, tolerance

COMPARED_UP_TO = 8192.0
"""Up to this size of x a callable is compared with what it may be. A table of float16 ends farther
out, and 6x, which hard-swish needs on its way, overflows in float16."""

CLAMP = 10.0
"""Beyond ± this, llama.cpp returns x or 0 and does not look into its table."""

_SLOPE = 2 * np.sqrt(2 / np.pi)

_Function = Callable[[np.ndarray], np.ndarray]
Distance = Callable[[np.ndarray, np.ndarray, Tolerance], np.ndarray]
"""How far values are from a function, in tolerances, from inputs, values and the tolerance."""


def _silu(x: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return x / (1 + np.exp(-x))


def _logit(share: np.ndarray) -> np.ndarray:
    """The u with σ(u) = share, infinite at 0 and at 1."""
    return np.log(share) - np.log1p(-share)


def _from(function: _Function) -> Distance:
    """The distance from a function, in the tolerances of the callable."""

    def distance(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> np.ndarray:
        true = function(x)
        return np.abs(values - true) / allowed.at(x, true)

    return distance


def _from_table(form: _Function, clamp: float = np.inf) -> Distance:
    """The distance from a table of a form that is asked at the nearest float16.

    The entries are float16 themselves, so a value that is none is no entry. They may be wrong by
    what the work of the table's maker in float32 may be wrong by. From ``clamp`` on the table is
    not asked, and the form itself is meant.
    """

    def distance(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> np.ndarray:
        with np.errstate(all="ignore"):
            at = round_to(x, "float16").astype(np.float64)
            is_entry = round_to(values, "float16") == values
            entry = form(at)
            of_table = np.abs(values - entry) / tolerance("float16").at(at, entry)
        inside = np.where(is_entry, of_table, np.inf)
        return np.where(np.abs(x) < clamp, inside, _from(form)(x, values, allowed))

    return distance


def _hard(shift: float, width: float) -> _Function:
    """A ramp in place of σ: x·min(max(x + shift, 0), width)/width."""
    return lambda x: x * np.clip(x + shift, 0, width) / width


OTHERS: Mapping[str, Distance] = MappingProxyType(
    {
        "SiLU, x·σ(x)": _from(_silu),
        "ReLU, max(x, 0)": _from(lambda x: np.maximum(x, 0.0)),
        "hard-swish, x·min(max(x + 3, 0), 6)/6": _from(_hard(3, 6)),
        "HardGELU, x·min(max(x + 1.58, 0), 3.16)/3.16": _from(_hard(1.58, 3.16)),
        **{
            f"the {name} form from a table of float16{beyond}": _from_table(form, clamp)
            for name, form in FORMS.items()
            for beyond, clamp in ((f", with x or 0 from ±{CLAMP:g} on", CLAMP), ("", np.inf))
        },
    }
)
"""Other functions by what they are."""


_NAMED = {
    ("exact", 10.0): ", which transformers calls gelu_10",
    ("sigmoid", 7.0): ", the gate of gpt-oss",
}
"""What a form that is cut off is known as, by the form and where it is cut off."""


@dataclass(frozen=True)
class OneConstant:
    """A form with one constant free: x·σ(u), where u grows with the constant for x > 0.

    Attributes:
        formula: the form, with the letter of the constant.
        letter: the letter.
        constant: the constant, from u and x ≠ 0.
    """

    formula: str
    letter: str
    constant: Callable[[np.ndarray, np.ndarray], np.ndarray]

    def interval(
        self, x: np.ndarray, values: np.ndarray, allowed: Tolerance
    ) -> tuple[float, float] | None:
        """The constants with which the form is within its tolerance of every value.

        Args:
            x: inputs, in float64.
            values: what a callable returns there, in float64.
            allowed: the tolerance.

        Returns:
            The ends, computed in double precision; ``None`` if there is no such constant. An end is
            infinite where the inputs leave it open.
        """
        away = x != 0
        if not np.all(np.abs(values[~away]) <= allowed.underflow):
            return None
        x, values = x[away], values[away]
        # with v = |x|·σ(u) and w, the value with the sign of x taken off, |w − v| ≤ r·v + t
        size, w = np.abs(x), values * np.sign(x)
        t = allowed.at(x, np.zeros_like(x))
        least = (w - t) / (1 + allowed.relative) / size
        most = (w + t) / (1 - allowed.relative) / size
        if not np.all((least < 1) & (most > 0)):  # a value that is nan fails here, too
            return None
        with np.errstate(all="ignore"):
            ends = [self.constant(_logit(np.clip(share, 0, 1)), x) for share in (least, most)]
        open_ = np.isnan(ends[0]) | np.isnan(ends[1])  # x³ is 0
        low = np.max(np.where(open_, -np.inf, np.minimum(*ends)), initial=-np.inf)
        high = np.min(np.where(open_, np.inf, np.maximum(*ends)), initial=np.inf)
        return (float(low), float(high)) if low <= high else None


FAMILIES: Mapping[str, OneConstant] = MappingProxyType(
    {
        "sigmoid": OneConstant("x·σ(c·x)", "c", lambda u, x: u / x),
        "tanh": OneConstant(
            "½x·(1 + tanh(√(2/π)·(x + k·x³)))", "k", lambda u, x: (u / _SLOPE - x) / x**3
        ),
    }
)
"""The forms with a constant, by name."""


def fitting(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> tuple[str, ...]:
    """The other functions within whose tolerance all values are, up to ``COMPARED_UP_TO``.

    Args:
        x: inputs, in float64.
        values: what a callable returns there, in float64.
        allowed: the tolerance.

    Returns:
        Keys of ``OTHERS``; none if no input is left to compare at.
    """
    near = np.abs(x) <= COMPARED_UP_TO
    x, values = x[near], values[near]
    if not len(x):
        return ()
    return tuple(
        name for name, distance in OTHERS.items() if np.all(distance(x, values, allowed) <= 1)
    )


def clamped(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> tuple[str, ...]:
    """The forms of min(x, L), L ≥ 1, within whose tolerance all values are.

    Values are compared up to ``COMPARED_UP_TO``. L is the decimal with the fewest places at which
    the form has the value of the greatest input.

    Args:
        x: inputs, in float64.
        values: what a callable returns there, in float64.
        allowed: the tolerance.

    Returns:
        Which form it is and L, in words; none if the callable grows to the end.
    """
    near = np.abs(x) <= COMPARED_UP_TO
    x, values = x[near], values[near]
    top = values[np.argmax(x)] if len(x) else 0.0
    if not 1 <= top < 0.99 * x.max():
        return ()
    limits = {name: _reaching(form, top, allowed) for name, form in FORMS.items()}
    return tuple(
        f"the {name} form of min(x, {limit:g}){_NAMED.get((name, limit), '')}"
        for name, limit in limits.items()
        if np.all(_from(FORMS[name])(np.minimum(x, limit), values, allowed) <= 1)
    )


def _reaching(form: _Function, top: float, allowed: Tolerance) -> float:
    """The decimal with the fewest places at which a form has a value that is 1 or more."""
    limit = top
    for _ in range(30):  # from 0.75 on the slope of every form is between 0.9 and 1.2
        limit += top - float(form(np.float64(limit)))
    rounded = (round(limit, places) for places in range(17))
    return next(one for one in rounded if abs(form(one) - top) <= allowed.at(one, top))


def fitting_constants(
    x: np.ndarray, values: np.ndarray, allowed: Tolerance
) -> dict[str, tuple[float, float]]:
    """The constants with which a form of a family fits all values, up to ``COMPARED_UP_TO``.

    Args:
        x: inputs, in float64.
        values: what a callable returns there, in float64.
        allowed: the tolerance.

    Returns:
        The two ends by the key of ``FAMILIES``, where both are finite.
    """
    near = np.abs(x) <= COMPARED_UP_TO
    found = {
        name: family.interval(x[near], values[near], allowed)
        for name, family in FAMILIES.items()
        if near.any()
    }
    return {name: ends for name, ends in found.items() if ends and np.isfinite(ends).all()}
