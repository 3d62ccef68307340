"""How little is enough for GELU: the least slots and degrees, and what cheap kernels return."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy as sp

from gelu_lib._extras import flint
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.kinds import Certification, whole
from gelu_lib.floats.kernels.exact import meets_demand_exactly
from gelu_lib.floats.kernels.judging import (
    SIXTEEN_BITS,
    PolynomialKernel,
    judged,
    kernels,
    meets_demand,
)
from gelu_lib.floats.kernels.refutations import Refutation, prove_refuted, theorems
from gelu_lib.floats.types import round_to
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import Family
from gelu_lib.functions.links import EXP2
from gelu_lib.functions.targets import Target
from gelu_lib.precision import DECIDED_DIGITS

LIN = Family(EXP2, (1, sp.Abs(X), X**2), factor=-sp.Abs(X), base=sp.Max(X, 0))
"""Lin's formula of 1989 with free constants, max(x, 0) − abs(x)·2^q(abs(x)) with q of degree 2."""

SEVEN = 7
"""How many inputs refute degree 5, which is two less."""


def _require_exact(kernel: PolynomialKernel) -> None:
    if not meets_demand_exactly(kernel):
        raise CertificationError("claim", f"{kernel.id} may miss its demand in exact arithmetic")


def _least_slots(id: str, digits: int) -> dict[str, Enclosure]:
    """With how many slots a demand is met, in float32 and in exact arithmetic, and with no less."""
    theorem = theorems()[id]
    _require_exact(theorem.kernel)
    if theorem.kernel.dtype == "float32":  # then the kernel serves every type, and so do the inputs
        x = np.array([x for one in theorem.refutations for x in (*one.inputs, *one.beyond)])
        if any(np.any(round_to(x, dtype).astype(float) != x) for dtype in SIXTEEN_BITS):
            raise CertificationError("claim", f"not each type has every input of {id}")
    return {"": whole(theorem.prove())}


LEAST_DEGREES = {
    "error of the tanh form": "tanh-error-exponential",
    "float16, faithful": "float16-faithful",
    "float16, nearest": "float16-nearest",
    "bfloat16, faithful": "bfloat16-faithful-limited",
    "bfloat16, faithful, no limit": "bfloat16-faithful",
    "bfloat16, nearest": "bfloat16-nearest",
}
"""For each demand the kernel that meets it with the least degree."""


def _against(kernel: PolynomialKernel, degree: int) -> list[Refutation]:
    """What refutes an exponential of a polynomial of a degree, for the demand of a kernel."""
    return [
        one
        for theorem in theorems().values()
        if (theorem.kernel.dtype, theorem.kernel.demand) == (kernel.dtype, kernel.demand)
        for one in theorem.refutations
        if one.form == "exponential" and one.degree == degree
    ]


def _least_degrees(digits: int) -> dict[str, Enclosure]:
    found = {}
    for name, id in LEAST_DEGREES.items():
        kernel = kernels()[id]
        degree = kernel.degree
        limited = not name.endswith("no limit")
        refuted = [one for one in _against(kernel, degree - 1) if one.beyond or not limited]
        if kernel.form != "exponential" or not (refuted and meets_demand(kernel)):
            raise CertificationError("claim", f"{degree} is not shown to be the least: {name}")
        if kernel.clamp and not limited:
            raise CertificationError("claim", f"{id} limits abs(x)")
        _require_exact(kernel)
        prove_refuted(refuted[0], kernel.dtype, kernel.demand)
        found[name] = whole(degree)
    return found


def _seven_inputs(digits: int) -> dict[str, Enclosure]:
    """The divided difference that would be 0, of the ends of gates at seven inputs."""
    kernel = kernels()["bfloat16-faithful"]
    (refutation,) = (one for one in _against(kernel, SEVEN - 2) if len(one.inputs) == SEVEN)
    kept = digits + DECIDED_DIGITS
    with flint.ctx.workprec(2 * bits(kept)):
        return {"": enclosure(prove_refuted(refutation, kernel.dtype, kernel.demand), kept)}


def _results(id: str, digits: int) -> dict[str, Enclosure]:
    """How good the results of a kernel are at all inputs, and how many normal ones are nearest."""
    kernel = kernels()[id]
    whole_type, normal = (
        judged(
            kernel.program,
            kernel.dtype,
            *kernel.machines,
            name=kernel.name,
            normal_only=normal_only,
        )
        for normal_only in (False, True)
    )
    found = {name: getattr(whole_type, name) for name in ("inputs", "faithful", "nearest", "steps")}
    if kernel.demand == "nearest":
        found |= {"normal results": normal.inputs, "normal, nearest": normal.nearest}
    return {name: whole(number) for name, number in found.items()}


def _lin(digits: int) -> dict[str, Enclosure]:
    best = minimax(LIN, Target(X * Phi(X)), digits=digits)
    names = (f"c{i}" for i in range(len(best.parameters)))
    return {"E": best.error, **dict(zip(names, best.parameters.values(), strict=True))}


CHEAPEST_PROOFS: dict[str, Certification] = {
    "least-slots-2e-3": partial(_least_slots, "2e-3-clipped"),
    "least-slots-tanh-error": partial(_least_slots, "tanh-error-saturated"),
    "least-slots-float16": partial(_least_slots, "float16-faithful"),
    "least-slots-bfloat16": partial(_least_slots, "bfloat16-faithful"),
    "least-degrees-exponential": _least_degrees,
    "seven-inputs": _seven_inputs,
    "kernel-bfloat16-faithful": partial(_results, "bfloat16-faithful"),
    "kernel-bfloat16-nearest": partial(_results, "bfloat16-nearest"),
    "kernel-float16-faithful": partial(_results, "float16-faithful"),
    "kernel-float16-nearest": partial(_results, "float16-nearest"),
    "kernel-float16-power": partial(_results, "float16-faithful-power"),
    "kernel-derivative-bfloat16": partial(_results, "bfloat16-derivative-faithful"),
    "kernel-derivative-float16": partial(_results, "float16-derivative-faithful"),
    "lin-refitted": _lin,
}
