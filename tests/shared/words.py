"""Words of the register that carry a claim, compared with what the code knows.

What a formula can say, a statement or its assumptions say in a formula, which is tried. What is
left are numerals, signs and names in a sentence: here they are made anew, from the library, from
certificates and from the registered digits, and an entry must have each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
from mpmath import mp, mpf, ncdf
from sympy import Float, S, Symbol, solveset

from gelu_lib.certificates.best.increasing import INCREASING
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.facts.singularities import COUNTED, certified_first_zero
from gelu_lib.evidence.proved import CERTIFICATIONS
from gelu_lib.evidence.real_networks import real_network_record
from gelu_lib.floats.formulas import GRADIENTS
from gelu_lib.floats.kernels.judging import kernels, prices
from gelu_lib.floats.kernels.kernel_forms import KERNEL_FORMS
from gelu_lib.floats.kernels.programs import KernelProgram
from gelu_lib.floats.kernels.refutations import RIVALS
from gelu_lib.floats.thresholds import THRESHOLDS
from gelu_lib.floats.types import FLOAT_TYPES, nearest_float
from gelu_lib.functions.expressions import LOGISTIC_SCALE, PAGE_CUBIC, X
from gelu_lib.functions.forms import FORMS
from gelu_lib.register import Result, results

ROOT = Path(__file__).resolve().parents[2]
NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def wrong(entry: Result) -> str:
    """What an entry does not say, or says in other words than the code makes; empty if nothing."""
    for pattern, phrases in PHRASES.items():
        if re.fullmatch(pattern, entry.id):
            for phrase in phrases(entry):
                if phrase not in entry.assumptions:
                    return f"it is not said that {phrase}"
    return ""


def threshold(entry: Result) -> Iterator[str]:
    """How many results are rounded before, how far away a program is, and on which sides."""
    rule = THRESHOLDS[entry.id]
    before = NUMERALS[rule.roundings]
    yield f"{before.capitalize()} rounding{' comes' if rule.roundings == 1 else 's come'} before"
    sides = {side for _, side in rule.ends} or {-1}
    place = r"\pm t" if len(sides) == 2 else "t" if sides == {1} else "-t"
    away = NUMERALS[rule.roundings + 1]
    yield f"at most {away} floats away from the first float beyond ${place}$"


def factors(entry: Result) -> Iterator[str]:
    """The factors that are printed are those of the formula that gives way there."""
    printed = "".join(GRADIENTS[name].tex for name, _ in THRESHOLDS[entry.id].ends)
    printed += GRADIENTS["sigmoid quotient"].tex if "quotient" in entry.assumptions else ""
    for reason, part in re.findall(r"(because )?\$([^$]*)\$", entry.assumptions):
        if not reason and re.search(r"\\tanh|\\cosh|e\^|x\^3|s\)$", part) and part not in printed:
            yield f"a factor of {printed}"


def bits(entry: Result) -> Iterator[str]:
    yield f"({', '.join(f'{t.digits + 1} in {name}' for name, t in FLOAT_TYPES.items())})"


def roundoff(entry: Result) -> Iterator[str]:
    yield rf"$2^{{-{FLOAT_TYPES['float64'].digits + 1}}}$, the unit roundoff of float64"


def ties(entry: Result) -> Iterator[str]:
    """To which side a tie is rounded: 1 + 2⁻⁸ in bfloat16, between 1 and 1 + 2⁻⁷."""
    below = nearest_float(1 + Fraction(1, 2**8), FLOAT_TYPES["bfloat16"])
    yield "ties to even" if below == 1 else "ties away from 0"


def of_bfloat16(entry: Result) -> Iterator[str]:
    """The type that has the two numbers, and in which none of them is rounded."""
    kind = FLOAT_TYPES["bfloat16"]
    numbers = [Fraction(n) for name, n in entry.numbers.items() if name != "error"]
    others = [t for t in FLOAT_TYPES.values() if t.digits > kind.digits]
    assert all(nearest_float(n, kind) == n for n in numbers) and others
    yield "are bfloat16; the arithmetic is exact"


def sixteen_bits(entry: Result) -> Iterator[str]:
    """The tolerance is the one by which the sigmoid form is told apart."""
    other = results()["variants-sixteen-bits-sigmoid"].statement
    (tolerance,) = re.findall(r"\\tau_V\(x\) = (.*)", other)
    yield f"the tolerances ${tolerance}$ with $s > 0$"


def signs(entry: Result) -> Iterator[str]:
    """The signs of the error of the best cubic at its highest peaks."""
    best = results()["minimax-tanh-free-phi"].numbers
    with mp.workdps(30):
        p1, p3 = mpf(best["p1"]), mpf(best["p3"])
        places = [mpf(best[name]) for name in ("x1", "x2", "x3")]
        errors = [ncdf(x) - 1 / (1 + mp.exp(-p1 * x - p3 * x**3)) for x in places]
    yield f"the alternation signs {', '.join('+' if e > 0 else '−' for e in errors)} is certified"


@cache
def _increasing() -> tuple[int, ...]:
    return minimax(INCREASING, digits=20).signs


def increasing(entry: Result) -> Iterator[str]:
    """How many peaks the certificate has, and that it counts one condition more."""
    count = len(_increasing())
    turns = all(a == -b for a, b in zip(_increasing(), _increasing()[1:], strict=False))
    yield f"{'' if turns else 'no '}alternating signs at {NUMERALS[count]} places $x > 0$"
    yield f"$p'$ has a double zero; these {NUMERALS[count + 1]} conditions cancel with positive"


def sums(entry: Result) -> Iterator[str]:
    """No result says that the sums themselves are not better: none is a least error of theirs."""
    count = NUMERALS[int(entry.id[len("tanh-sum-")])]
    yield f"That no sum of {count} tanh is better is evidence, not proved"


def first_zero(entry: Result) -> Iterator[str]:
    """The disc in which zeros of erfc are counted."""
    certified_first_zero(10)  # refuses if there are others in the disc
    yield rf"the disc $|z| \le {COUNTED}$ holds the zeros $z_1$ and $\bar z_1$, both simple, and no"


def singularities(entry: Result) -> Iterator[str]:
    """The same disc, for x = √2 z, rounded down."""
    reach = (Decimal(COUNTED) * Decimal(2).sqrt()).quantize(Decimal("0.01"), ROUND_FLOOR)
    yield rf"and $|x_0| \le {reach}$; $R = "
    yield rf"any $\rho > 0$ with $R < \rho \le {reach}$. The only singularities with"
    yield rf"$|x| \le {reach}$ are $x_0$, $\bar x_0$, $-x_0$ and $-\bar x_0$"


def opposite(entry: Result) -> Iterator[str]:
    """The other place where the second derivative of the form is 0."""
    second = FORMS["tanh" if entry.id.startswith("page") else "sigmoid"].diff(X, 2)
    is_zero = abs(second.subs(X, -Float(entry.value, 30)).evalf(30)) < 1e-25
    yield f"the other one is ${'-' if is_zero else '?'}x$"


def no_singular_matrix(entry: Result) -> Iterator[str]:
    """Without it the theorem says that 1 = 0 has a solution: no y is a multiple of 0."""
    y, slope = Symbol("y"), S.Zero
    is_empty = solveset(slope * y - 1, y) == S.EmptySet
    yield f"contains {'no' if is_empty else 'a'} singular matrix"


def balanced(entry: Result) -> Iterator[str]:
    """At every best member there is a balance; that one is best needs more, and only nearby."""
    yield "necessary for parameters with the least sup norm of $r$ in which the coefficient"
    yield r"sufficient near them if all $\lambda_i > 0$ and every direction"
    alone = results()["minimax-tanh-pinned-phi"].numbers  # the crest is not balanced by itself
    slope = FORMS["tanh"].diff(X).subs(X, Float(alone["x1"], 30))
    yield f"{'all' if slope else 'some of'} the positive points at which $|r(x)|$ is largest"


def kernel_forms(entry: Result) -> Iterator[str]:
    """The forms of kernels with their slots, as the programs have them."""
    yield from saturation(entry)
    for name in RIVALS:
        slots = KERNEL_FORMS[name].program(["1"]).slots(prices())
        if name == "power 1":
            tex = KERNEL_FORMS["power 2"].tex.replace("{2}", "{2^m}")
            yield f"${tex}$ of $n + m + {slots}$"
        elif not name.startswith("power"):
            yield f"${KERNEL_FORMS[name].tex}$ of $n + {slots}$"
    yield f"an exponential or a reciprocal takes {NUMERALS[prices()['exp2']]}"


def saturation(entry: Result) -> Iterator[str]:
    low, high = KernelProgram.read("y = sat x")(np.float32([-5, 5]))
    yield rf"$\operatorname{{sat}}(u) = \min(\max(u, {low:.0f}), {high:.0f})$"


def exponential(entry: Result) -> Iterator[str]:
    """How far off an exponential may be."""
    kernel = kernels()[CERTIFICATIONS[entry.id].args[0]]
    if kernel.exp2_error is not None:
        yield f"any relative error up to $2^{{{kernel.exp2_error}}}$ before it is rounded"


def measured_again(entry: Result) -> Iterator[str]:
    """The script that measures, and the constants and the batch that it takes."""
    (script,) = ROOT.glob("tools/**/record_real_networks.py")
    yield f"`{script.relative_to(ROOT)}` measures it again"
    if entry.id == "real-network-layer-constants":
        yield f"$k$ is {float(PAGE_CUBIC)} and $c$ is {float(LOGISTIC_SCALE)}"
    if entry.id == "real-network-batch":
        arms = real_network_record()["networks"]["Magika"]["arms"]
        yield f"a {next(arm for arm in arms if arm.startswith('batch'))}"


PHRASES: Mapping[str, Callable[[Result], Iterator[str]]] = {
    "|".join(id for id, rule in THRESHOLDS.items() if rule.roundings): threshold,
    "cube-.*|.*-slope-(overflows|term.*|quotient.*|product.*)": factors,
    "erf-form-vanishes": bits,
    "mills-float64-place": roundoff,
    "same-.*|least-(?!slots-[2t]).*|most-.*|kernel-.*|(erf|tanh)-form-vanishes|tanh-clamp": ties,
    "bfloat16-best-.*": of_bfloat16,
    "variants-sixteen-bits-no-input": sixteen_bits,
    "(positive-terms|quintic)-gains?-nothing": signs,
    "degree-7-increasing-error": increasing,
    r"tanh-sum-\d-(limit-|gelu-|limit-gelu-)?error": sums,
    "artanh-erf-radius": first_zero,
    "artanh-erf-asymptotics": singularities,
    "(page|scale-1702)-inflection": opposite,
    "interval-newton": no_singular_matrix,
    "balance-condition": balanced,
    "least-slots-.*": kernel_forms,
    "kernel-float16-power": saturation,
    "kernel-.*|least-slots-.*": exponential,
    "real-network-.*": measured_again,
}
"""What the assumptions of an entry must say, by its ID."""
