"""Compute the constants of the activation kernels and write them into the library.

    .venv/bin/python tools/write_activation_coefficients.py

writes ``gelu_lib/activations/coefficients.py``: polynomials with the least largest relative error
(Remez' exchange), the zeros of the derivatives, and the constants of the exponents, split. Each
polynomial is written with the relative error of its rounded coefficients. It takes a minute.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import wrap

import mpmath
from mpmath import mpf

import gelu_lib

FILE = Path(gelu_lib.__file__).parent / "activations" / "coefficients.py"
mpmath.mp.prec = 240

Function = Callable[[mpf], mpf]

TABLE_END = mpf(8)
POLE, NARROW_POLE = mpf("5.5"), mpf("4.5")
FAR = mpf(40)


# The functions that are approximated.

DENSITY_AT_0 = 1 / mpmath.sqrt(2 * mpmath.pi)
LINEAR = 2 * mpmath.sqrt(2 / mpmath.pi)
CUBIC = LINEAR * mpf("0.044715")
SCALE = mpf("1.702")


def ratio(a: mpf) -> mpf:
    """Φ(−a)·exp(a²/2)."""
    return mpmath.erfc(a / mpmath.sqrt(2)) * mpmath.exp(a * a / 2) / 2


@cache
def zero(a_slope: Function, start: float) -> mpf:
    """Where 1 + exp(−v) = a·v′, the point −a being the zero of a derivative."""
    return mpmath.findroot(a_slope, mpf(start))


def far_ratio(s: mpf) -> mpf:
    """a·Φ(−a)·exp(a²/2) with a = 1/√s."""
    return ratio(1 / mpmath.sqrt(s)) / mpmath.sqrt(s)


def gelu_balance(a: mpf) -> mpf:
    """(Φ(−a) − aφ(a))·exp(a²/2)."""
    return ratio(a) - a * DENSITY_AT_0


def tanh_exponent(a: mpf) -> mpf:
    return LINEAR * a + CUBIC * a**3


def tanh_balance(a: mpf) -> mpf:
    return 1 + mpmath.exp(-tanh_exponent(a)) - LINEAR * a - 3 * CUBIC * a**3


def sigmoid_balance(a: mpf) -> mpf:
    return 1 + mpmath.exp(-SCALE * a) - SCALE * a


GELU_ZERO = zero(gelu_balance, 0.75)
TANH_ZERO = zero(tanh_balance, 0.75)
SIGMOID_ZERO = zero(sigmoid_balance, 0.75)


def slope(a: mpf) -> mpf:
    """GELU′(−a)·exp(a²/2)/(a − a₀), which has no zero."""
    if abs(a - GELU_ZERO) < mpf(2) ** -100:
        return mpmath.diff(gelu_balance, GELU_ZERO)
    return gelu_balance(a) / (a - GELU_ZERO)


# Polynomials with the least largest relative error.


def remez(f: Function, low: mpf, high: mpf, degree: int) -> list[mpf]:
    """The coefficients, lowest first, of the polynomial p with the least largest |p/f − 1|."""
    count = 40 * (degree + 2)
    nodes = [(low + high) / 2 - (high - low) / 2 * mpmath.cospi(mpf(i) / count)
             for i in range(count + 1)]  # fmt: skip
    values = [f(t) for t in nodes]
    chosen = [round(mpf(i) * count / (degree + 1)) for i in range(degree + 2)]
    while True:
        coefficients = levelled(nodes, values, chosen, degree)
        errors = [mpmath.polyval(coefficients[::-1], t) / v - 1
                  for t, v in zip(nodes, values, strict=True)]  # fmt: skip
        peaks = alternating_peaks(errors, degree + 2)
        if peaks == chosen:
            return coefficients
        chosen = peaks


def levelled(nodes: list[mpf], values: list[mpf], chosen: list[int], degree: int) -> list[mpf]:
    """The polynomial whose relative errors at the chosen nodes are ±e, with one e."""
    rows = [[nodes[i] ** j for j in range(degree + 1)] + [(-1) ** row * values[i]]
            for row, i in enumerate(chosen)]  # fmt: skip
    solution = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix([values[i] for i in chosen]))
    return list(solution)[: degree + 1]


def alternating_peaks(errors: list[mpf], count: int) -> list[int]:
    """The places of the largest errors of alternating signs, so many of them."""
    peaks: list[int] = []
    for i, error in enumerate(errors):
        if peaks and error * errors[peaks[-1]] > 0:
            if abs(error) > abs(errors[peaks[-1]]):
                peaks[-1] = i
        else:
            peaks.append(i)
    while len(peaks) > count:
        del peaks[0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1]
    return peaks


def relative_error(coefficients: list[float], f: Function, low: mpf, high: mpf) -> mpf:
    """The largest |p/f − 1| found on a grid for a polynomial with float coefficients."""
    points = [low + (high - low) * i / mpf(2000) for i in range(2001)]
    return max(abs(mpmath.polyval(coefficients[::-1], t) / f(t) - 1) for t in points)


def fit(f: Function, low: mpf, high: mpf, degree: int) -> tuple:
    """The coefficients as floats, lowest first, and their largest relative error."""
    coefficients = [float(c) for c in remez(f, low, high, degree)]
    return coefficients, relative_error(coefficients, f, low, high)


def lessened(f: Function, constant: mpf, low: mpf, high: mpf, degree: int) -> tuple:
    """A fit of f from which the float next to a constant is taken, to be added back at the end."""
    taken = mpf(float(constant))
    first, *rest = remez(f, low, high, degree)
    coefficients = [float(first - taken), *map(float, rest)]
    whole = [coefficients[0] + taken, *coefficients[1:]]
    return coefficients, relative_error(whole, f, low, high)


# What is written.


def split(value: mpf, bits: int) -> tuple[float, float]:
    """A multiple of 2**−bits, and the rest as a float."""
    top = mpmath.nint(mpmath.ldexp(value, bits)) / mpf(2) ** bits
    return float(top), float(value - top)


def pair(value: mpf) -> tuple[float, float]:
    """The float nearest to a number, and the rest as a float."""
    return float(value), float(value - mpf(float(value)))


def written(name: str, value: float | tuple | list, meaning: str) -> str:
    """The assignment of a constant, with its meaning as the docstring."""
    if isinstance(value, float):
        body = f"{name} = {hexadecimal(value)}"
    else:
        body = f"{name} = (\n" + "".join(f"    {hexadecimal(v)},\n" for v in value) + ")"
    lines = wrap(meaning, 94)
    close = '"""' if len(lines) == 1 else '\n"""'
    return f'{body}\n"""' + "\n".join(lines) + close + "\n"


def hexadecimal(value: float) -> str:
    return f'float.fromhex("{value.hex()}")'


def polynomial(name: str, fitted: tuple, meaning: str, drop: float = 0.0) -> str:
    """A fitted polynomial, highest coefficient first, with ``drop`` taken from the constant."""
    coefficients, error = fitted
    exponent = mpmath.nstr(mpmath.log(error, 2), 3)
    return written(
        name,
        [*coefficients[:0:-1], coefficients[0] - drop],
        f"{meaning} The largest relative error is 2**{exponent}.",
    )


def main() -> None:
    """Compute everything and write the file."""

    def from_t(t: mpf) -> mpf:
        return POLE * (1 + t) / (1 - t)

    t_range = mpf(-1), (TABLE_END - POLE) / (TABLE_END + POLE)
    q_range = 1 / (TABLE_END + NARROW_POLE), 1 / NARROW_POLE
    parts = [
        HEADER,
        written("TABLE_END", float(TABLE_END), "Beyond TABLE_END another kernel is used."),
        written("POLE", float(POLE), "t = (a − POLE)/(a + POLE)."),
        written("NARROW_POLE", float(NARROW_POLE), "q = 1/(a + NARROW_POLE)."),
        polynomial(
            "FAR_RATIO",
            lessened(far_ratio, DENSITY_AT_0, FAR**-2, TABLE_END**-2, 10),
            "a·Φ(−a)·exp(a²/2) − DENSITY_AT_0 by powers of 1/a², for TABLE_END ≤ a ≤ 40, its error "
            "relative to the sum.",
        ),
        polynomial(
            "NEAR_SLOPE",
            fit(lambda t: slope(from_t(t)), *t_range, 16),
            "GELU′(−a)·exp(a²/2)/(a − a₀) by powers of t, a₀ being GELU_ZERO.",
        ),
        polynomial(
            "NARROW_SLOPE",
            fit(lambda q: slope(1 / q - NARROW_POLE), *q_range, 9),
            "GELU′(−a)·exp(a²/2)/(a − a₀) by powers of q, for narrow types.",
        ),
        written("DENSITY_AT_0", float(DENSITY_AT_0), "1/√(2π)."),
        written("GELU_ZERO", pair(GELU_ZERO), "GELU′ vanishes at minus this sum."),
        written("TANH_ZERO", pair(TANH_ZERO), "The slope of the tanh form vanishes at minus it."),
        written("TANH_ZERO_POWER", float(mpmath.exp(-tanh_exponent(TANH_ZERO))), "exp(−v) there."),
        written("SIGMOID_ZERO", pair(SIGMOID_ZERO), "The same for the sigmoid form."),
        written("SIGMOID_ZERO_POWER", float(mpmath.exp(-SCALE * SIGMOID_ZERO)), "exp(−v) there."),
        written("TANH_LINEAR_PAIR", pair(LINEAR), "2√(2/π) as a sum of two floats."),
        written("TANH_CUBIC_PAIR", pair(CUBIC), "2√(2/π)·0.044715 as a sum of two floats."),
        written("SIGMOID_SCALE", pair(SCALE), "1.702 as a sum of two floats."),
        written("TANH_LINEAR_SPLIT", split(LINEAR, 37), "2√(2/π), split at 2**−37."),
        written("TANH_CUBIC_SPLIT", split(CUBIC, 17), "2√(2/π)·0.044715, split at 2**−17."),
        written("SIGMOID_SCALE_SPLIT", split(SCALE, 27), "1.702, split at 2**−27."),
    ]
    FILE.write_text("\n".join(parts), encoding="utf-8")
    print(FILE.read_text(encoding="utf-8"))


HEADER = '''"""Constants of the kernels, written by ``tools/write_activation_coefficients.py``.

The polynomials have the least largest relative error; coefficients stand highest first. A pair is
the sum of its two floats.
"""
'''


if __name__ == "__main__":
    main()
