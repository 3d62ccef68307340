"""Forms of kernels with a free polynomial: their programs, and what their gates become.

Each form of GELU is y = max(x, 0) − a·s with a = abs(x), where a share s that depends on a alone
stands for Φ(−a). A form makes the share of the value of a polynomial in a, or in a². As the one is
monotone in the other, a gate of the share is a gate of the polynomial, and the question whether a
kernel of this form passes all gates is one about a polynomial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import gelu_lib._proofs

from gelu_lib._extras import flint
from gelu_lib.certificates.facts.differences import Bounds
from gelu_lib.floats.kernels.programs import KernelProgram


@dataclass(frozen=True)
class KernelForm:
    """How a kernel makes its share of a polynomial.

    Attributes:
        tex: the formula of the kernel, in TeX.
        end: the last lines of its program; ``{p}`` is the value of the polynomial, ``{a}`` abs(x),
            limited if there is a clamp.
        polynomial: the value of the polynomial from the share and a.
        limited: what the form limits by a saturation or by the range of a function, from the share
            and a; by default it is the share.
        reach: between which numbers it can be. What is demanded at or beyond an end demands
            nothing of the polynomial.
        falls: whether the share falls when the polynomial grows.
        name: the function that it is for, as a name of ``gelu_lib.activations``.
        even: whether the polynomial is one in x².
    """

    tex: str
    end: str
    polynomial: Callable[[flint.arb, flint.arb], flint.arb]
    limited: Callable[[flint.arb, flint.arb], flint.arb] | None = None
    reach: tuple[float | None, float | None] = (0, 1)
    falls: bool = False
    even: bool = False
    name: str = "gelu"

    def program(
        self, coefficients: Sequence[str], clamp: str = "", scheme: str = ""
    ) -> KernelProgram:
        """A kernel of this form, as it is computed in float32.

        Args:
            coefficients: those of the polynomial as numerals, ascending, for Horner's rule.
            clamp: the number at which abs(x) is limited, as a numeral; empty if it is not.
            scheme: lines that compute the polynomial from ``a`` in another way, without
                coefficients; empty for Horner's rule.

        Raises:
            ValueError: if there are both or neither, or a scheme in which a is limited or squared.
        """
        if bool(coefficients) == bool(scheme) or (scheme and (clamp or self.even)):
            raise ValueError(
                f"coefficients are {coefficients}, clamp is {clamp!r}, scheme is {scheme!r}; "
                "accepted are coefficients, or a scheme alone, of which the place is a"
            )
        lines, a = ["a = abs x"], "a"
        if clamp:
            lines, a = [*lines, f"z = min a {clamp}"], "z"
        place = a
        if self.even:
            lines, place = [*lines, f"t = mul {a} {a}"], "t"
        inner, value = (scheme.split("\n"), "p") if scheme else _by_horner(coefficients, place)
        return KernelProgram.read("\n".join([*lines, *inner, self.end.format(p=value, a=a)]))

    def bounds(self, low: flint.arb, high: flint.arb, a: flint.arb) -> Bounds:
        """What the polynomial is at least and at most if the share is between two numbers.

        Args:
            low: the least share.
            high: the greatest share.
            a: the size of the input, positive.

        Returns:
            Balls; ``None`` where nothing is demanded.
        """
        least, greatest = self.reach
        limited = self.limited or (lambda share, a: share)
        asks = (
            least is None or bool(limited(low, a) > least),
            greatest is None or bool(limited(high, a) < greatest),
        )
        ends = [
            self.polynomial(share, a) if asked else None
            for share, asked in zip((low, high), asks, strict=True)
        ]
        return (ends[1], ends[0]) if self.falls else (ends[0], ends[1])


def _by_horner(coefficients: Sequence[str], place: str) -> tuple[list[str], str]:
    """The lines of Horner's rule, a product and a sum for each degree, and the last result."""
    lines = []
    *others, value = coefficients
    for degree in reversed(range(len(others))):
        lines.append(f"p{degree} = fma {value} {place} {others[degree]}")
        value = f"p{degree}"
    return lines, value


def _powers(squarings: int) -> KernelForm:
    squares = [f"s{n + 1} = mul s{n} s{n}" for n in range(squarings)]
    lines = ["s0 = sat {p}", *squares, "r = relu x", f"y = fnma {{a}} s{squarings} r"]
    power = 2**squarings
    inner = r"\operatorname{sat}(p(|x|))"
    return KernelForm(
        rf"\max(x, 0) - |x|\,{inner}^{{{power}}}" if power > 1 else rf"\max(x, 0) - |x|\,{inner}",
        "\n".join(lines),
        lambda share, a: share.root(power),
    )


def _log2(number: flint.arb) -> flint.arb:
    return number.log() / flint.arb(2).log()


_SATURATED = KernelForm(
    r"x\operatorname{sat}\bigl(\tfrac12 + x\,p(|x|)\bigr)",
    "h = fma x {p} 0.5\ns = sat h\ny = mul x s",
    lambda share, a: (flint.arb(1) / 2 - share) / a,
    falls=True,
)
_LOGISTIC = KernelForm(
    r"x\big/\bigl(1 + 2^{x\,p(|x|)}\bigr)",
    "u = mul x {p}\ne = exp2 u\nd = add e 1\ni = rcp d\ny = mul x i",
    lambda share, a: _log2(share / (1 - share)) / a,
)
_EXPONENTIAL = KernelForm(
    r"\max(x, 0) - |x|\,2^{q(|x|)}",
    "e = exp2 {p}\nr = relu x\ny = fnma {a} e r",
    lambda share, a: _log2(share),
    reach=(0, None),
)

KERNEL_FORMS: Mapping[str, KernelForm] = MappingProxyType(
    {
        "clipped": KernelForm(
            r"\max(x, 0) - \operatorname{sat}(p(|x|))",
            "c = sat {p}\nr = relu x\ny = sub r c",
            lambda share, a: share * a,
            limited=lambda share, a: share * a,
        ),
        **{f"power {2**m}": _powers(m) for m in range(13)},
        "exponential": _EXPONENTIAL,
        "exponential, scaled": replace(
            _EXPONENTIAL,
            tex=r"\max(x, 0) - \tfrac1{16}\,|x|\,2^{q(|x|)}",
            end="e = exp2 {p}\nk = mul {a} e\nr = relu x\ny = fnma k 0.0625 r",
            polynomial=lambda share, a: _log2(16 * share),
        ),
        "Gaussian": KernelForm(
            r"\max(x, 0) - |x|\,e^{-x^2/2}\,p(|x|)",
            "g = mul {a} {a}\nh = mul g -0x1.715476p-1\ne = exp2 h\nk = mul {p} {a}\n"
            "r = relu x\ny = fnma e k r",
            lambda share, a: share * (a * a / 2).exp(),
            reach=(None, None),
        ),
        "saturated": _SATURATED,
        "saturated, even": replace(
            _SATURATED,
            tex=r"x\operatorname{sat}\bigl(\tfrac12 + x\,p(x^2)\bigr)",
            even=True,
        ),
        "logistic": _LOGISTIC,
        "logistic, even": replace(_LOGISTIC, tex=r"x\big/\bigl(1 + 2^{x\,p(x^2)}\bigr)", even=True),
        "derivative": replace(
            _EXPONENTIAL,
            tex=r"[x > 0] + \bigl(x - \operatorname{sgn}(x)\,a_0\bigr)\,2^{q(|x|)}",
            end="j = step x\nk = fma j 0x1.80ead2p0 -0x1.80ead2p-1\nd = sub x k\n"
            "e = exp2 {p}\ny = fma d e j",
            name="gelu_derivative",
        ),
    }
)
"""The forms by name. sat u is the number of [0, 1] next to u, a₀ the zero of GELU′ as float32."""
