"""The chapter eight-bits, in plain integers, fractions and mpmath, without the library's tables."""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from functools import cache

import mpmath
import pytest
from reader import glued, prose, table

from gelu_lib.evidence.real_networks import real_network_record

STEPS = {  # bits of the exponent, of the fraction, and the codes that are finite
    "E4M3": (4, 3, range(0x7F)),
    "E5M2": (5, 2, range(0x7C)),
}


def said(name: str) -> float:
    return float(glued("eight-bits")[name].replace("−", "-").replace(",", ""))


@cache
def value(form: str, x: Fraction) -> Fraction:
    """A form at a number, to thirty digits."""
    with mpmath.workdps(30):
        t = mpmath.mpf(x.numerator) / x.denominator
        if form == "exact":
            y = t * mpmath.erfc(-t / mpmath.sqrt(2)) / 2
        elif form == "tanh":
            inner = mpmath.sqrt(2 / mpmath.pi) * (t + mpmath.mpf("0.044715") * t**3)
            y = t / (1 + mpmath.exp(-2 * inner))
        else:
            y = t / (1 + mpmath.exp(-mpmath.mpf("1.702") * t))
        if abs(y) < 1e-60:  # below all codes, and perhaps with an exponent of a million digits
            return Fraction(-1 if x < 0 else 1, 10**60)
        return Fraction(*map(int, mpmath.libmp.to_rational(y._mpf_)))


def integers(form: str, scale: Fraction, low: int = -128, high: int = 127) -> list[int]:
    """The right int8 entries from −128 on, each by Python's round, which takes even at a tie."""
    steps = (round(value(form, scale * q) / scale) for q in range(-128, 128))
    return [min(max(n, low), high) for n in steps]


def floats(kind: str) -> list[Fraction]:
    """The finite numbers of a float8 from 0 up, decoded by hand."""
    wide, short, codes = STEPS[kind]
    bias = 2 ** (wide - 1) - 1
    found = []
    for code in codes:
        exponent, fraction = divmod(code, 2**short)
        whole = Fraction(fraction, 2**short) + (exponent > 0)
        found.append(whole * Fraction(2) ** (max(exponent, 1) - bias))
    return found


def nearest(grid: list[Fraction], size: Fraction) -> int:
    """The place of the float nearest to a size within the range, even at a tie."""
    k = bisect_left(grid, size)
    if k == len(grid) or grid[k] == size:
        return min(k, len(grid) - 1)
    below, above = size - grid[k - 1], grid[k] - size
    return k if above < below or (above == below and k % 2 == 0) else k - 1


def eights(form: str, kind: str, scale: Fraction) -> dict[int, int]:
    """The right entries of a float8, as signed places in its numbers, for its finite inputs."""
    grid, found = floats(kind), {}
    for k in range(1, len(grid)):
        for sign in (1, -1):
            y = value(form, sign * scale * grid[k])
            found[sign * k] = (1 if y > 0 else -1) * nearest(grid, abs(y) / scale)
    return found


def apart(one, other) -> tuple[int, int]:
    off = [abs(a - b) for a, b in zip(one, other, strict=True)]
    return sum(n > 0 for n in off), max(off)


def test_the_two_tables_of_forms_are_those_of_plain_integers_and_fractions():
    rows = table("eight-bits", "type, scale")
    assert len(rows) == 11
    for head, *counts in rows:
        kind, _, scale = head.partition(", ")
        made = (
            {form: integers(form, Fraction(scale)) for form in ("exact", "tanh", "sigmoid")}
            if kind == "int8"
            else {
                form: list(eights(form, kind, Fraction(scale)).values())
                for form in ("exact", "tanh", "sigmoid")
            }
        )
        found = [*apart(made["exact"], made["tanh"]), *apart(made["exact"], made["sigmoid"])]
        assert found == [*map(int, counts)], head
    assert apart(integers("exact", Fraction(1, 32)), integers("tanh", Fraction(1, 32)))[0] == 0
    assert "all 256 entries agree" in prose("eight-bits")


def test_a_table_with_another_rounding_has_other_entries():
    right = integers("exact", Fraction(1, 32))
    cut = [int(32 * value("exact", Fraction(q, 32))) for q in range(-128, 128)]
    assert apart(right, cut) == (127, 1)  # the slip that the page shows
    assert right[128 - 24 :][:1] + right[127:130] + right[-1:] == [-5, 0, 0, 1, 127]
    assert len(set(n for n in right if n < 0)) == 5  # the steps of the figure


def test_ranges_move_few_entries_of_the_tanh_form_and_many_of_the_sigmoid_form():
    moved = [apart(integers("exact", s), integers("tanh", s))[0] for s in scales(8, 513, 16)]
    sampled = set(moved)  # one range in sixteen; the page has them all
    assert sampled <= {0, *range(int(said("most-entries-of-tanh")) + 1)}
    assert moved.count(0) / len(moved) == pytest.approx(
        said("ranges-where-tanh-is-exact") / said("ranges-tried"), abs=0.1
    )
    there = Fraction(glued("eight-bits")["range-with-most-entries"]) / 127
    most = apart(integers("exact", there), integers("tanh", there))[0]
    assert most == said("most-entries-of-tanh") == said("entries-there")
    wide = Fraction(13, 4) / 127
    assert apart(integers("exact", wide), integers("sigmoid", wide))[0] == said(
        "most-entries-of-sigmoid"
    )


def scales(first: int, last: int, step: int) -> list[Fraction]:
    return [Fraction(eighths, 8) / 127 for eighths in range(first, last, step)]


def dip(top: Fraction, asymmetric: bool = False, size: Fraction | None = None) -> int:
    """The negative codes of a table, by its greatest output and the size of its inputs."""
    low = Fraction("-0.16997120747990369")  # the least value of GELU
    out = (top - low) / 255 if asymmetric else top / 127
    steps = {round(value("exact", (size or top) / 127 * q) / out) for q in range(-128, 0)}
    return len(steps - {0})


def test_the_dip_has_the_codes_that_the_page_says():
    assert (dip(Fraction(4)), dip(Fraction(4), True)) == (
        said("codes-at-4"),
        said("codes-at-4-with-zero-point"),
    )
    for name, asymmetric in (("lost-by-int8", False), ("lost-by-uint8", True)):
        end = Fraction(said(name))
        assert dip(end - Fraction(1, 8), asymmetric) == 1
        assert [dip(end + Fraction(n, 8), asymmetric) for n in range(4)] == [0] * 4
    half_a_step = Fraction(said("lost-by-int8")) / 254  # it is lost before this is 0.16997
    assert 0.168 < half_a_step < Fraction("0.1699")


def test_inputs_and_results_of_three_networks_have_their_own_scales():
    rows = [row for row in table("eight-bits", "network") if row[1] == "largest"]
    assert len(rows) == 3
    fewer = 0
    for network, _, sizes, tops, codes in rows:
        sites = real_network_record()["networks"][network]["sites"]
        inputs = [Fraction(max(-site["least"], site["largest"])) for site in sites]
        results = [value("exact", Fraction(site["largest"])) for site in sites]
        found = [dip(top, size=size) for top, size in zip(results, inputs, strict=True)]
        assert codes == f"{min(found)} to {max(found)}"
        assert sizes == f"{float(min(inputs)):.1f} to {float(max(inputs)):.1f}"
        assert tops == f"{float(min(results)):.1f} to {float(max(results)):.1f}"
        shared = [dip(size) for size in inputs]  # what one scale for both sides leaves
        assert all(one <= own for one, own in zip(shared, found, strict=True))
        fewer += sum(one < own for one, own in zip(shared, found, strict=True))
    assert fewer > 5
    whisper = real_network_record()["networks"]["Whisper"]["sites"]
    assert len(whisper) == said("layers-of-Whisper")
    negative = sum(-site["least"] > site["largest"] for site in whisper)
    assert negative == said("layers-with-a-negative-largest-input")


def test_percentiles_are_those_of_the_histograms():
    """999 of 1000 inputs, and as many results, lie within the ranges, and no bin less does."""
    for network, choice, sizes, tops, _ in table("eight-bits", "network"):
        if choice == "999 of 1000":
            found = []
            for site in real_network_record()["networks"][network]["sites"]:
                counts = [int(n) for n in site["counts"].split()]
                step = 2 * site["width"] / len(counts)
                if sum(counts) >= 0.999 * site["inputs"]:
                    found.append([within(site, counts, step), above(site, counts, step)])
            for side, shown in zip(zip(*found, strict=True), (sizes, tops), strict=True):
                assert shown == f"{min(side):.1f} to {max(side):.1f}"


def within(site, counts, step) -> float:
    """The least size with 999 of 1000 inputs within it, from the middle outwards."""
    half = len(counts) // 2
    return next(
        n * step
        for n in range(1, half + 1)
        if sum(counts[half - n : half + n]) >= 0.999 * site["inputs"]
    )


def above(site, counts, step) -> float:
    """GELU of the least edge with at most one of 1000 inputs above it."""
    edge = next(n for n in range(len(counts)) if sum(counts[: n + 1]) >= 0.999 * site["inputs"])
    return float(value("exact", Fraction(step * (edge + 1) - site["width"])))


def test_the_numbers_of_float8_are_those_of_fractions():
    rows = {row[0]: row[1:] for row in table("eight-bits", "type, scale ")}
    assert len(rows) == 6
    for head, (codes, least, relative, greatest) in rows.items():
        kind, scale = head.split(", ")
        scale, grid = Fraction(scale), floats(kind)
        entries = eights("exact", kind, scale)
        assert len({y for y in entries.values() if y < 0}) == int(codes), head
        last = max(-k for k, y in entries.items() if k < 0 and y < 0)
        assert float(least.replace("−", "-")) == pytest.approx(-float(scale * grid[last]))
        errors = []
        for k, y in entries.items():
            true = abs(value("exact", scale * (grid[k] if k > 0 else -grid[-k])))
            if true >= scale * grid[2 ** STEPS[kind][1]]:  # the least normal number
                errors.append(abs(scale * grid[abs(y)] / true - 1))
        assert f"{math.ceil(1000 * max(errors)) / 10:.1f}%" == relative, head  # rounded up
        assert float(greatest.replace(",", "")) == float(scale * grid[-1])


def test_what_overflows_from_one_float8_to_the_other_is_counted():
    top = floats("E4M3")[-1]  # 448; the next number would be 480
    values = [value("exact", x) for x in floats("E5M2")]
    infinity = 1  # an input whose entry is nan, or 448
    assert sum(y > top + 16 for y in values) + infinity == said("entries-that-are-nan")
    assert sum(y >= top - 16 for y in values) + infinity == said("entries-at-448")


def test_the_quadratic_is_off_at_the_entries_that_plain_integers_say():
    a, b = (int(said(f"best-{name}-times-256")) for name in "ab")
    made = []
    for q in range(-128, 128):
        ramp = max(b - 8 * abs(q), 0)  # times 2⁸, as the input has five bits
        below = a * ramp**2
        share = below if q < 0 else 2**24 - below
        made.append((q * share + 2**23) >> 24)
    off, most = apart(integers("exact", Fraction(1, 32)), made)
    assert (off, most) == (
        said("entries-off-by-the-quadratic"),
        said("most-steps-of-the-quadratic"),
    )
    assert apart(integers("exact", Fraction(1, 32)), [*made[:-1], made[-1] - 1])[0] == off + 1


def test_bounds_of_the_kernel_are_rounded_up():
    """The first column of errors is of all inputs in plain floats; the last is never below it."""
    rows = table("eight-bits", "width")
    assert len(rows) == 4
    for width, pair, error, most in rows:
        a, b = (int(n) / 256 for n in pair.split(", "))
        x = [k / 1000 for k in range(1, 6000)]
        of_constants = max(
            abs(t * (a * max(b - t, 0) ** 2 - math.erfc(t / math.sqrt(2)) / 2)) for t in x
        )
        bound = of_constants + 2.0 ** -(6 if width == "8 bits" else 13)
        assert float(error) <= bound <= float(most) < bound + 2e-6


def test_the_constants_of_least_squares_are_a_minimum_near_those_of_ibert():
    def squares(alpha: float, beta: float) -> float:
        x = (k / 500 for k in range(1, 5000))
        errors = (
            t / 2 * (math.erf(t / 2**0.5) - 1 - alpha * max(-beta - t / 2**0.5, 0) ** 2) for t in x
        )
        return math.fsum(e * e for e in errors)

    alpha, beta = (said(f"{name}-of-least-squares") for name in ("alpha", "beta"))
    least = squares(alpha, beta)
    for steps in ((2e-3, 0), (-2e-3, 0), (0, 3e-3), (0, -3e-3)):
        assert squares(alpha + steps[0], beta + steps[1]) > least
    assert least < squares(-0.2888, -1.769) < 1.002 * least
