"""Refutations of kernels: inputs by which none of some forms is cheaper, and the proof.

``data/kernels.toml`` has the inputs. A gate of the result is a gate of the polynomial in a form, so
a divided difference shows that no polynomial of a degree passes some gates. What is limited at a
number is constant beyond it, and two gates show that this does not do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import normal
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts.differences import Bounds, prove_impassable
from gelu_lib.floats.gates import DEMANDS, Gates, gates
from gelu_lib.floats.kernels.judging import (
    PolynomialKernel,
    allowed_error,
    has_normal_value,
    kernels,
    meets_demand,
    prices,
)
from gelu_lib.floats.kernels.kernel_forms import KERNEL_FORMS, KernelForm
from gelu_lib.floats.types import all_finite
from gelu_lib.rows import DataError, contents, filled

REFUTATION_BITS = 300
"""Least working precision of a refutation, whose weights may be as large as 2¹⁰⁰."""

RIVALS = tuple(
    id for id, form in KERNEL_FORMS.items() if form.name == "gelu" and id != "exponential, scaled"
)
"""The forms among which a kernel is the cheapest."""


@dataclass(frozen=True)
class Refutation:
    """Inputs by which no kernel of a form and a degree, or of a lesser one, meets a demand.

    Attributes:
        form: one of ``RIVALS``.
        degree: the degree of the polynomial.
        inputs: as many inputs as the degree and two more.
        beyond: inputs at least as large in size as all of ``inputs``. If abs(x) is limited at a
            number below these, what the form makes of it is the same at all. Empty if the
            refutation does not speak of kernels that limit abs(x).
    """

    form: str
    degree: int
    inputs: tuple[float, ...]
    beyond: tuple[float, ...] = ()


def prove_refuted(refutation: Refutation, dtype: str, demand: str) -> flint.arb:
    """Prove that no kernel of a form and a degree meets a demand, in exact arithmetic.

    Args:
        refutation: the inputs by which it is proved.
        dtype: the type of the inputs, as for ``PolynomialKernel``.
        demand: what is demanded, as for ``PolynomialKernel``.

    Returns:
        How far the divided difference would have to be from 0.

    Raises:
        ValueError: if the form is no rival, or the inputs are not as many as they must be.
        CertificationError: if the inputs do not prove it.
    """
    if refutation.form not in RIVALS:
        raise ValueError(f"form is {refutation.form!r}; accepted are {', '.join(RIVALS)}")
    form = KERNEL_FORMS[refutation.form]
    if len(refutation.inputs) != refutation.degree + 2:
        raise ValueError(f"inputs are {refutation.inputs}; accepted are {refutation.degree + 2}")
    with flint.ctx.workprec(max(flint.ctx.prec, REFUTATION_BITS)):
        shares = [_share(x, dtype, demand) for x in refutation.inputs]
        sizes = [Fraction(abs(x)) for x in refutation.inputs]
        places = [size**2 for size in sizes] if form.even else sizes
        bounds = [form.bounds(*share, _ball(a)) for share, a in zip(shares, sizes, strict=True)]
        least = prove_impassable(places, bounds)
        if refutation.beyond:
            _prove_not_constant(form, refutation, dtype, demand)
    return least


def _prove_not_constant(form: KernelForm, given: Refutation, dtype: str, demand: str) -> None:
    """That beyond the inputs the polynomial is not constant.

    Where the form has abs(x) in other places, too, which may be limited or not: nor the share, nor
    abs(x) times the share.
    """
    sizes = [Fraction(abs(x)) for x in given.beyond]
    if min(sizes) < max(Fraction(abs(x)) for x in given.inputs):
        raise CertificationError("claim", f"{given.beyond} are not beyond {given.inputs}")
    kinds: list[list[Bounds]] = [[], [], []]
    for x, size in zip(given.beyond, sizes, strict=True):
        low, high = _share(x, dtype, demand)
        a = _ball(size)
        kinds[0].append(form.bounds(low, high, a))
        kinds[1].append((low, high))
        kinds[2].append((low * a, high * a))
    for bounds in kinds if "{a}" in form.end else kinds[:1]:
        lows, highs = (
            [end for end in ends if end is not None] for ends in zip(*bounds, strict=True)
        )
        if not any(low > high for low in lows for high in highs):
            raise CertificationError("claim", f"a constant may do at {given.beyond}")


def _share(x: float, dtype: str, demand: str) -> tuple[flint.arb, flint.arb]:
    """What (max(x, 0) − y)/abs(x) may be, if y may be what is demanded."""
    low, high = _allowed(x, dtype, demand)
    return (max(x, 0.0) - high) / abs(x), (max(x, 0.0) - low) / abs(x)


def _allowed(x: float, dtype: str, demand: str) -> tuple[flint.arb, flint.arb]:
    if demand not in DEMANDS:
        size = allowed_error(demand)
        value = x * normal(flint.arb(x))
        return value - size, value + size
    every, asked = _gates(dtype, demand)
    place = int(np.searchsorted(every.x, x))
    if place == every.x.size or every.x[place] != x or not asked[place]:
        raise CertificationError("claim", f"nothing is demanded of {dtype} at x = {x!r}")
    return flint.arb(every.low[place]), flint.arb(every.high[place])


@cache
def _gates(dtype: str, demand: str) -> tuple[Gates, np.ndarray]:
    """All gates of GELU, and which of them a kernel must pass that meets a demand."""
    asked = has_normal_value(dtype)[all_finite(dtype) != 0]
    return gates(dtype, demand), asked | (demand != "nearest")


def _ball(number: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


@dataclass(frozen=True)
class Theorem:
    """That a kernel is the cheapest of the forms ``RIVALS`` by Horner's rule that meets its demand.

    Attributes:
        id: its name in the data file, which is that of the kernel.
        refutations: what refutes the cheaper ones.
    """

    id: str
    refutations: tuple[Refutation, ...]

    @property
    def kernel(self) -> PolynomialKernel:
        """The cheapest kernel."""
        return kernels()[self.id]

    def prove(self) -> int:
        """Prove the theorem: the kernel meets its demand, and each cheaper one is refuted.

        Returns:
            The least number of issue slots.

        Raises:
            CertificationError: if a step is not proved.
        """
        kernel, proved = self.kernel, set()
        if not meets_demand(kernel):
            raise CertificationError("claim", f"{kernel.id} does not meet its demand")
        for form, degree, limited in cheaper(kernel):
            fits = [
                one
                for one in self.refutations
                if one.form == form and one.degree >= degree and bool(one.beyond) >= limited
            ]
            if not fits:
                raise CertificationError("claim", f"{form} of degree {degree} is not refuted")
            if not proved & set(fits):
                prove_refuted(fits[0], kernel.dtype, kernel.demand)
                proved.add(fits[0])
        return kernel.program.slots(prices())


def cheaper(kernel: PolynomialKernel) -> Iterator[tuple[str, int, bool]]:
    """All kernels of the rival forms by Horner's rule with fewer slots than a kernel has.

    Another way to compute a polynomial may cost less; the data have two such kernels.

    Yields:
        A form, the largest degree with fewer slots, and whether abs(x) is limited.

    Raises:
        CertificationError: if the highest power among the forms costs less than the kernel, so that
            a power that is none of them may do so, too.
    """
    slots = kernel.program.slots(prices())
    highest = [form for form in RIVALS if form.startswith("power")][-1]
    if _slots(highest, 0, "") < slots:
        raise CertificationError("claim", f"a higher {highest} may cost less than {kernel.id}")
    for form in RIVALS:
        for clamp in ("", "1"):
            degree = -1
            while _slots(form, degree + 1, clamp) < slots:
                degree += 1
            if degree >= 0:
                yield form, degree, bool(clamp)


def _slots(form: str, degree: int, clamp: str) -> int:
    return KERNEL_FORMS[form].program(["1"] * (degree + 1), clamp).slots(prices())


@cache
def theorems() -> Mapping[str, Theorem]:
    """The theorems by the ID of their kernel."""
    found = {}
    for id, rows in contents("kernels.toml")["refuted"].items():
        if id not in kernels():
            raise DataError(f"{id}: it is no kernel")
        refutations = [filled(Refutation, f"{id} {i}", row) for i, row in enumerate(rows)]
        found[id] = Theorem(id, tuple(refutations))
    return MappingProxyType(found)
