"""Cheap kernels of GELU, what is proved of each over all inputs, and proofs that none is cheaper.

``data/kernels.toml`` has the kernels, with the demand that each meets, prices of operations, and
for each demand the inputs by which every cheaper kernel of some forms is refuted. Nothing here is
believed: a kernel is judged at every input, and a refutation is proved, whenever they are asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np
from flint import arb, ctx, fmpq

from gelu_lib import activations
from gelu_lib.certificates.engine.balls import normal
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts.divided_differences import Bounds, prove_impassable
from gelu_lib.floats.gates import DEMANDS, Gates, gates, neighbours
from gelu_lib.floats.kernel_forms import KERNEL_FORMS, KernelForm
from gelu_lib.floats.programs import IEEE, Machine, Program
from gelu_lib.floats.types import FLOAT_TYPES, all_finite, ordinal, round_to
from gelu_lib.register import result
from gelu_lib.rows import DataError, check, contents, filled

REFUTATION_BITS = 300
"""Least working precision of a refutation, whose weights may be as large as 2¹⁰⁰."""

SIXTEEN_BITS = ("float16", "bfloat16")

RIVALS = tuple(
    form for form in KERNEL_FORMS if form not in ("exponential, scaled", "derivative")
)  # fmt: skip
"""The forms among which a kernel is the cheapest."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of the data file.

    Attributes:
        id: its name there.
        dtype: the type of its inputs and results; float32 if it serves every type.
        demand: ``"nearest"`` or ``"faithful"``, or the largest error that it may have, as a decimal
            or as the ID of the result that is this error.
        form: the name of its form.
        coefficients: those of its polynomial as hexadecimal float32, ascending.
        clamp: where abs(x) is limited, as a numeral; empty if it is not.
        exp2_error: the n for which the demand is met with every exp2 whose relative error is at
            most 2ⁿ; ``None`` if it has none.
    """

    id: str
    dtype: str
    demand: str
    form: str
    coefficients: tuple[str, ...]
    clamp: str = ""
    exp2_error: int | None = None

    @property
    def name(self) -> str:
        """The function that it computes, as a name of ``gelu_lib.activations``."""
        return "gelu_derivative" if self.form == "derivative" else "gelu"

    @property
    def program(self) -> Program:
        """What it computes, in float32."""
        return KERNEL_FORMS[self.form].program(self.coefficients, self.clamp)

    @property
    def machines(self) -> tuple[Machine, ...]:
        """Two machines between whose values those with every admitted exp2 are; or one."""
        if self.exp2_error is None:
            return (IEEE,)
        return tuple(Machine(exp2_error=sign * 2.0**self.exp2_error) for sign in (-1, 1))


@dataclass(frozen=True)
class Verdict:
    """How good results are at every finite input of a type of 16 bits.

    Attributes:
        inputs: how many inputs there are, 0 left out.
        faithful: how many results are one of the two floats around the exact value.
        nearest: how many are the nearest float.
        steps: how many floats a result is away from the nearest at most; nan counts as 2¹⁶.
        worst: the input of the least size where one is as far away.
    """

    inputs: int
    faithful: int
    nearest: int
    steps: int
    worst: float


def judged(
    program: Program, dtype: str, *machines: Machine, name: str = "gelu", normal_only: bool = False
) -> Verdict:
    """What a program returns at every finite input of a type, rounded once at the end.

    Args:
        program: a program of x in float32.
        dtype: ``"float16"`` or ``"bfloat16"``.
        machines: how it is evaluated; by default as IEEE 754 has it. If several are given, a result
            counts as the worst of them.
        name: the function that it shall compute.
        normal_only: whether inputs whose exact value lies among the subnormal numbers are left out.
    """
    x = all_finite(dtype)
    right = ordinal(getattr(activations, name)(x))
    below, above = neighbours(dtype, name)
    kept = has_normal_value(dtype, name) if normal_only else x != 0
    x, below, above, right = x[kept], below[kept], above[kept], right[kept]
    away, faithful = np.zeros(x.size, np.int64), np.ones(x.size, bool)
    for machine in machines or (IEEE,):
        results = round_to(program(x, machine), dtype)
        nan = np.isnan(results)
        places = np.where(nan, 2**16, ordinal(np.where(nan, 0, results)))
        away = np.maximum(away, np.where(nan, 2**16, np.abs(places - right)))
        faithful &= (places == below) | (places == above)
    worst = np.flatnonzero(away == away.max())
    at = worst[np.argmin(np.abs(x[worst].astype(float)))]
    return Verdict(
        x.size, int(faithful.sum()), int((away == 0).sum()), int(away.max()), float(x[at])
    )


@cache
def has_normal_value(dtype: str, name: str = "gelu") -> np.ndarray:
    """At which inputs of a type the exact value is among the normal numbers, 0 left out."""
    least = ordinal(round_to(2.0 ** FLOAT_TYPES[dtype].least_exponent, dtype))
    return np.min(np.abs(neighbours(dtype, name)), axis=0) >= least


def largest_error(program: Program, x: np.ndarray, name: str = "gelu") -> tuple[float, float]:
    """The largest error of a program in float32, before its value is rounded to a narrower type.

    Args:
        program: a program of x.
        x: finite float32, or floats of 16 bits.
        name: the function that it shall compute; it is taken in float64.

    Returns:
        The error in size, and an input where it is as large.
    """
    right = getattr(activations, name)(np.asarray(x, np.float64))
    off = np.abs(program(x).astype(np.float64) - right)
    worst = int(np.argmax(off))
    return float(off[worst]), float(x[worst])


def meets_demand(kernel: Kernel) -> bool:
    """Whether a kernel meets its demand at every input of its type; of both narrow types, if it
    serves every type. The nearest float is demanded where it is a normal number.
    """
    if kernel.demand not in DEMANDS:
        most = float(allowed_error(kernel.demand).lower())
        inputs = np.concatenate([all_finite(dtype).astype(np.float32) for dtype in SIXTEEN_BITS])
        return largest_error(kernel.program, inputs, kernel.name)[0] <= most * (1 - 2.0**-40)
    verdict = judged(
        kernel.program,
        kernel.dtype,
        *kernel.machines,
        name=kernel.name,
        normal_only=kernel.demand == "nearest",
    )
    return getattr(verdict, kernel.demand) == verdict.inputs


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


def prove_refuted(refutation: Refutation, dtype: str, demand: str) -> arb:
    """Prove that no kernel of a form and a degree meets a demand, in exact arithmetic.

    Args:
        refutation: the inputs by which it is proved.
        dtype: the type of the inputs, as for ``Kernel``.
        demand: what is demanded, as for ``Kernel``.

    Returns:
        How far the divided difference would have to be from 0.

    Raises:
        ValueError: if the refutation does not have as many inputs as it needs.
        CertificationError: if the inputs do not prove it.
    """
    form = KERNEL_FORMS[refutation.form]
    if len(refutation.inputs) != refutation.degree + 2:
        raise ValueError(f"inputs are {refutation.inputs}; accepted are {refutation.degree + 2}")
    with ctx.workprec(max(ctx.prec, REFUTATION_BITS)):
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


def _share(x: float, dtype: str, demand: str) -> tuple[arb, arb]:
    """What (max(x, 0) − y)/abs(x) may be, if y may be what is demanded."""
    low, high = _allowed(x, dtype, demand)
    return (max(x, 0.0) - high) / abs(x), (max(x, 0.0) - low) / abs(x)


def _allowed(x: float, dtype: str, demand: str) -> tuple[arb, arb]:
    if demand not in DEMANDS:
        size = allowed_error(demand)
        value = x * normal(arb(x))
        return value - size, value + size
    every, asked = _gates(dtype, demand)
    place = int(np.searchsorted(every.x, x))
    if place == every.x.size or every.x[place] != x or not asked[place]:
        raise CertificationError("claim", f"nothing is demanded of {dtype} at x = {x!r}")
    return arb(every.low[place]), arb(every.high[place])


@cache
def _gates(dtype: str, demand: str) -> tuple[Gates, np.ndarray]:
    """All gates of GELU, and which of them a kernel must pass that meets a demand."""
    asked = has_normal_value(dtype)[all_finite(dtype) != 0]
    return gates(dtype, demand), asked | (demand != "nearest")


def allowed_error(demand: str) -> arb:
    """The error that a demand allows: the number of the result of this ID, or a decimal."""
    try:
        low, high = result(demand).enclosure
    except KeyError:
        return arb(demand)
    return arb(low).union(arb(high))


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


@dataclass(frozen=True)
class Theorem:
    """That a kernel is the cheapest that meets its demand, among those of the forms ``RIVALS``.

    Attributes:
        id: its name in the data file, which is that of the kernel.
        refutations: what refutes the cheaper ones.
    """

    id: str
    refutations: tuple[Refutation, ...]

    @property
    def kernel(self) -> Kernel:
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
        return kernel.program.slots(prices("GPU"))


def cheaper(kernel: Kernel) -> Iterator[tuple[str, int, bool]]:
    """All kernels of the rival forms with fewer slots than a kernel has.

    Yields:
        A form, the largest degree with fewer slots, and whether abs(x) is limited.

    Raises:
        CertificationError: if the highest power among the forms costs less than the kernel, so that
            a power that is none of them may do so, too.
    """
    slots = kernel.program.slots(prices("GPU"))
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
    return KERNEL_FORMS[form].program(["1"] * (degree + 1), clamp).slots(prices("GPU"))


def prices(machine: str) -> Mapping[str, int]:
    """The price of each operation on a machine, ``"GPU"`` or ``"CPU"``, in issue slots."""
    return contents("kernels.toml")["prices"][machine]


@cache
def kernels() -> Mapping[str, Kernel]:
    """The kernels by ID.

    Raises:
        DataError: if an entry has an unknown form, type or field.
    """
    found = {}
    for id, fields in contents("kernels.toml")["kernels"].items():
        found[id] = filled(Kernel, id, fields)
        check(id, found[id], dtype=("float32", *SIXTEEN_BITS), form=KERNEL_FORMS)
    return MappingProxyType(found)


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
