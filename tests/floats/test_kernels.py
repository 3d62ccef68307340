"""Cheap kernels: each meets its demand, every cheaper one is refuted, and what is false is not."""

import re
from dataclasses import replace
from fractions import Fraction
from math import isnan

import numpy as np
import pytest
from flint import arb
from proofs import fails

from gelu_lib.floats.gates import DEMANDS
from gelu_lib.floats.kernels import refutations as module
from gelu_lib.floats.kernels.judging import judged, kernels, largest_error, meets_demand, prices
from gelu_lib.floats.kernels.kernel_forms import KERNEL_FORMS
from gelu_lib.floats.kernels.programs import IEEE, KernelProgram, Machine, fused
from gelu_lib.floats.kernels.refutations import RIVALS, Refutation, cheaper, prove_refuted, theorems
from gelu_lib.floats.texts import hexadecimal
from gelu_lib.rows import DataError

LEAST_SLOTS = {
    "2e-3-clipped": 6,
    "tanh-error-saturated": 7,
    "float16-faithful": 11,
    "bfloat16-faithful": 13,
}
OF_16_BITS = [id for id, kernel in kernels().items() if kernel.dtype != "float32"]
SMALLEST_LEFT = 2.0**-124
"""Where GELU is hardly a normal number, and x²/2 is none."""
FLUSHED = {"bfloat16-faithful": 14, "bfloat16-nearest": 17}


def constants(kernel):
    """The constants of its polynomial, as they stand in the data."""
    return kernel.coefficients or re.findall(r"-?0x\S+", kernel.scheme)


def another(kernel, i, change):
    """A kernel with another constant, which ``change`` makes of its float32."""
    given = constants(kernel)
    moved = hexadecimal(change(np.float32(float.fromhex(given[i]))))
    if kernel.scheme:
        return replace(kernel, scheme=kernel.scheme.replace(given[i], moved))
    return replace(kernel, coefficients=(*given[:i], moved, *given[i + 1 :]))


def last_bit(number):
    return (number.view(np.int32) ^ np.int32(1)).view(np.float32)


def third_digit(number):
    digits = f"{number:.7e}"
    turned = "5" if digits.lstrip("-")[3] < "5" else "0"
    place = 4 if digits[0] == "-" else 3
    return np.float32(digits[:place] + turned + digits[place + 1 :])


@pytest.mark.parametrize("id", kernels())
def test_each_kernel_meets_its_demand(id):
    assert meets_demand(kernels()[id])


@pytest.mark.parametrize("id", kernels())
def test_at_both_zeros_each_kernel_has_the_exact_value_or_nearly(id):
    kernel, zeros = kernels()[id], np.float32([0.0, -0.0])
    right = 0.5 if kernel.name == "gelu_derivative" else 0.0
    error = 1.1e-3 if kernel.form == "clipped" else 2.0**-10 if right else 0.0
    assert np.all(np.abs(kernel.program(zeros) - right) <= error)


@pytest.mark.parametrize("id", [id for id in OF_16_BITS if kernels()[id].demand == "nearest"])
def test_another_last_bit_changes_how_many_results_are_the_nearest(id):
    """Of three coefficients at least: the others reach no result with so little."""
    kernel = kernels()[id]
    counts = [
        judged(another(kernel, i, last_bit).program, kernel.dtype).nearest
        for i in range(len(constants(kernel)))
    ]
    nearest = judged(kernel.program, kernel.dtype).nearest
    assert sum(count != nearest for count in counts) >= 3, counts


@pytest.mark.parametrize("id", OF_16_BITS)
def test_with_another_third_digit_no_kernel_meets_its_demand(id):
    kernel = kernels()[id]
    others = [another(kernel, i, third_digit) for i in range(len(constants(kernel)))]
    assert not any(map(meets_demand, others))


@pytest.mark.parametrize("id", [id for id in kernels() if kernels()[id].demand not in DEMANDS])
def test_an_error_is_reached_by_no_smaller_demand(id):
    kernel, (error, place) = kernels()[id], largest_error(kernels()[id].program, np.float32([1.0]))
    assert error > 0 and place == 1.0
    assert not meets_demand(replace(kernel, demand=f"{error / 2!r}"))


def test_an_error_is_allowed_with_every_admitted_exp2():
    lin = kernels()["tanh-error-exponential"]
    assert meets_demand(replace(lin, exp2_error=None))
    assert not meets_demand(replace(lin, exp2_error=lin.exp2_error + 1))


@pytest.mark.parametrize("id", LEAST_SLOTS)
def test_no_kernel_of_the_forms_is_cheaper_by_horners_rule(id):
    assert theorems()[id].prove() == LEAST_SLOTS[id]


@pytest.mark.parametrize(("dtype", "degree"), [("float16", 7), ("bfloat16", 11)])
def test_with_adapted_coefficients_a_higher_degree_costs_a_slot_less(dtype, degree):
    kernel = kernels()[f"{dtype}-faithful-adapted"]
    assert kernel.degree == degree
    slots = kernel.program.slots(prices())
    assert slots == LEAST_SLOTS[f"{dtype}-faithful"] - 1


def test_every_cheaper_kernel_is_counted():
    """The largest degrees are those with fewer slots, by prices that are counted by hand."""
    found = list(cheaper(kernels()["bfloat16-faithful"]))
    by_hand = {"clipped": 2, "exponential": 6, "Gaussian": 9, "saturated": 2, "logistic": 11}
    for form, fixed in by_hand.items():
        assert (form, 12 - fixed, False) in found
        assert ((form, 11 - fixed, True) in found) == (11 - fixed >= 0)
    for m in range(11):
        assert (f"power {2**m}", 10 - m, False) in found
    assert {form for form, _, _ in found} <= set(RIVALS)


@pytest.mark.parametrize("id", theorems())
def test_each_stored_refutation_is_a_proof(id):
    kernel = kernels()[id]
    for refutation in theorems()[id].refutations:
        assert prove_refuted(refutation, kernel.dtype, kernel.demand) > 0


def test_what_there_is_cannot_be_refuted():
    """The inputs against degree 5, and one more, do not forbid the polynomial of degree 6."""
    inputs = (0.01513671875, -0.734375, -2.5625, -6.09375, -9.25, -11.9375, -13.125)
    refutation = Refutation("exponential", 5, inputs)
    assert prove_refuted(refutation, "bfloat16", "faithful") > 0
    for more in (-0.25, -4.5, -12.5, 8.0):
        longer = tuple(sorted((*inputs, more), key=abs))
        with fails("claim"):
            prove_refuted(Refutation("exponential", 6, longer), "bfloat16", "faithful")


@pytest.mark.parametrize(
    ("changes", "demand"),
    [
        ({"inputs": (0.01513671875, -0.734375, -2.5625, -6.09375, -9.25, -11.9375, -12.0)}, ""),
        ({"inputs": (0.01513671875, -0.734375, -2.5625, -6.09375, -9.25, -11.9375, -13.13)}, ""),
        ({"form": "logistic"}, ""),
        ({}, "nearest, twice as wide"),
        ({"beyond": (-13.0, -40.0)}, ""),
        ({"beyond": (-40.0, -80.0)}, ""),
        ({"beyond": (-13.125,)}, ""),
    ],
)
def test_a_changed_refutation_is_refused(changes, demand, monkeypatch):
    inputs = (0.01513671875, -0.734375, -2.5625, -6.09375, -9.25, -11.9375, -13.125)
    good = Refutation("exponential", 5, inputs, (-13.125, -40.0))
    prove_refuted(good, "bfloat16", "faithful")
    if demand:  # gates that are twice as wide around the same middles
        share = module._share

        def wider(x, dtype, asked):
            low, high = share(x, dtype, asked)
            return low - (high - low) / 2, high + (high - low) / 2

        monkeypatch.setattr(module, "_share", wider)
    with fails("claim"):
        prove_refuted(replace(good, **changes), "bfloat16", "faithful")


def test_a_refutation_needs_as_many_inputs_as_its_degree_asks_for():
    with pytest.raises(ValueError, match="accepted are 7"):
        prove_refuted(Refutation("exponential", 5, (-1.0, -2.0)), "bfloat16", "faithful")


def test_a_theorem_without_one_of_its_refutations_is_not_proved():
    theorem = theorems()["2e-3-clipped"]
    for i in range(len(theorem.refutations)):
        kept = (*theorem.refutations[:i], *theorem.refutations[i + 1 :])
        with fails("claim", "is not refuted"):
            replace(theorem, refutations=kept).prove()


def test_nothing_is_refuted_by_inputs_of_which_nothing_is_demanded():
    far = Refutation("exponential", 0, (-13.25, -13.3125))
    assert prove_refuted(far, "bfloat16", "faithful") > 0
    with fails("claim", "nothing is demanded"):  # GELU is subnormal there
        prove_refuted(far, "bfloat16", "nearest")


def test_where_a_form_saturates_the_polynomial_is_free_beyond():
    half, tenth = arb(0.5), arb(0.1)
    saturated, clipped = KERNEL_FORMS["saturated"], KERNEL_FORMS["clipped"]
    assert saturated.bounds(-tenth, half, arb(2))[1] is None
    assert saturated.bounds(tenth, 1 + tenth, arb(2))[0] is None
    least, most = saturated.bounds(tenth, half, arb(2))
    assert least <= 0 <= most and abs(most - arb(0.2)) < 1e-9
    assert clipped.bounds(half, half, arb(4))[1] is None  # 4 times a half is beyond 1
    assert clipped.bounds(half, half, arb(1))[1] == half
    assert KERNEL_FORMS["exponential"].bounds(arb(0), half, arb(4))[0] is None


@pytest.mark.parametrize("id", KERNEL_FORMS)
def test_a_form_takes_back_what_its_program_makes_of_the_polynomial(id):
    """From the program's value to the share, and from the share to the polynomial."""
    form, power = KERNEL_FORMS[id], int(id.split()[1]) if id.startswith("power") else 0
    first, second = (1 - 1 / (2 * power), -1 / (8 * power)) if power else {
        "clipped": (0.3, -0.05), "Gaussian": (0.4, -0.05), "saturated": (0.25, -0.02),
        "logistic": (-1.5, -0.25)}.get(id.split(",")[0], (-1.0, -0.25))  # fmt: skip
    program = form.program([repr(first), repr(second)])
    x = np.float32([-1.5, -0.5, 0.25, 1.25])
    base, factor = np.maximum(x, 0), -np.abs(x)
    if form.name == "gelu_derivative":
        base, factor = x > 0, x - np.copysign(np.float32(0.75179154), x)
    shares = (program(x).astype(float) - base) / factor
    for size, share in zip(np.abs(x).astype(float), shares, strict=True):
        expected = first + second * (size**2 if form.even else size)
        found = float(form.polynomial(arb(share), arb(size)))
        assert found == pytest.approx(expected, rel=1e-5)
        lower, upper = form.bounds(arb(share) - 1e-3, arb(share) + 1e-3, arb(size))
        assert lower is None or lower < found
        assert upper is None or found < upper


@pytest.mark.parametrize(
    ("coefficients", "clamp", "scheme"),
    [((), "", ""), (("1",), "", "p = fma a a 1"), ((), "14", "p = fma a a 1")],
)
def test_a_polynomial_is_given_in_one_way(coefficients, clamp, scheme):
    with pytest.raises(ValueError, match="accepted are coefficients, or a scheme alone"):
        KERNEL_FORMS["exponential"].program(coefficients, clamp, scheme)
    with pytest.raises(ValueError, match="accepted are coefficients, or a scheme alone"):
        KERNEL_FORMS["saturated, even"].program((), "", "p = fma a a 1")


@pytest.mark.parametrize("form", ["derivative", "exponential, scaled", "rational"])
def test_a_form_that_is_no_rival_is_not_refuted(form):
    with pytest.raises(ValueError, match=f"form is '{form}'; accepted are clipped, power 1"):
        prove_refuted(Refutation(form, 0, (-1.0, -2.0)), "bfloat16", "faithful")


def test_a_result_counts_as_the_worst_of_several_machines():
    kernel = kernels()["bfloat16-faithful"]
    coarse = Machine(exp2_error=2.0**-6)
    both = judged(kernel.program, "bfloat16", coarse, IEEE)
    assert both.faithful <= judged(kernel.program, "bfloat16", coarse).faithful < both.inputs


def test_a_theorem_of_a_kernel_that_does_not_meet_its_demand_is_not_proved(monkeypatch):
    kernel = kernels()["bfloat16-faithful"]
    worse = another(kernel, 2, third_digit)
    monkeypatch.setattr(module, "kernels", lambda: {"bfloat16-faithful": worse})
    with fails("claim", "does not meet its demand"):
        theorems()["bfloat16-faithful"].prove()


@pytest.mark.parametrize("id", [id for id in OF_16_BITS if kernels()[id].demand == "faithful"])
def test_faithful_kernels_need_no_fused_operation(id):
    kernel = kernels()[id]
    verdict = judged(kernel.program, kernel.dtype, Machine(fused=False), name=kernel.name)
    assert verdict.faithful == verdict.inputs


@pytest.mark.parametrize("id", FLUSHED)
def test_a_scaled_exponential_keeps_the_tail_where_subnormals_are_flushed(id):
    plain, scaled = kernels()[id], kernels()[f"{id}-scaled"]
    flushing = Machine(flushes=True)
    assert judged(plain.program, "bfloat16", flushing, normal_only=True).steps > 100
    verdict = judged(scaled.program, "bfloat16", flushing, normal_only=True)
    assert verdict.inputs - verdict.faithful <= 2
    assert verdict.steps == 1 or abs(verdict.worst) <= SMALLEST_LEFT
    assert scaled.program.slots(prices()) == FLUSHED[id]


def test_fused_rounds_once():
    rng = np.random.default_rng(3)
    a, b, c = (np.float32(rng.standard_normal(4000) * 2.0 ** rng.integers(-20, 20, 4000))
               for _ in range(3))  # fmt: skip
    c[:2000] = np.float32(-(a[:2000].astype(float) * b[:2000]))  # where nearly all cancels
    a[2000:3000] = b[2000:3000] = np.float32(1 + 2.0**-12)  # the product is a middle
    c[2000:3000] = np.float32(2.0**-60) * np.sign(c[2000:3000])
    results = fused(a, b, c)
    for x, y, z, found in zip(a, b, c, results, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        near = [np.nextafter(found, np.float32(end)) for end in (-np.inf, np.inf)]
        off = abs(Fraction(float(found)) - exact)
        assert all(off <= abs(Fraction(float(other)) - exact) for other in near)
    twice = np.float32(a.astype(float) * b.astype(float) + c)
    assert np.any(twice != results), "no case tells one rounding from two"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one line"),
        ("y = square x", "'y = square x'"),
        ("y = fma x x", "'y = fma x x'"),
        ("y = relu z", "'z' is neither a float32 nor computed yet"),
        ("y = mul x inf", "'inf' is neither"),
        ("x = relu x", "'x' is no new name"),
        ("a b = relu x", "'a b' is no new name"),
    ],
)
def test_a_text_that_is_no_program_is_refused(text, words):
    with pytest.raises(DataError, match=words):
        KernelProgram.read(text)


def test_a_program_is_read_as_it_is_written_and_priced_line_by_line():
    text = "a = abs x\nq = fma 0x1p-1 a -1\ne = exp2 q\nr = relu x\ny = fnma a e r"
    assert str(KernelProgram.read(text)) == text
    assert KernelProgram.read(text).slots(prices()) == 7
    with pytest.raises(KeyError, match="tanh"):
        KernelProgram.read("y = tanh x").slots(prices())


def test_a_nan_or_an_infinity_is_no_faithful_result():
    nowhere = KernelProgram.read("d = sub x x\ny = div d d")
    verdict = judged(nowhere, "float16")
    assert (verdict.faithful, verdict.steps) == (0, 2**16)
    assert isnan(nowhere(np.float32([1.0]), IEEE)[0])
