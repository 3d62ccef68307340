"""The entries on cheap kernels: a wrong number or a proof that lacks a part is noticed."""

from dataclasses import replace

import numpy as np
import own_kernels
import pytest
import trials
from proofs import fails

from gelu_lib.evidence import cheapest
from gelu_lib.evidence.cheapest import CHEAPEST_PROOFS
from gelu_lib.floats.kernels.judging import kernels
from gelu_lib.floats.kernels.programs import fused
from gelu_lib.floats.kernels.refutations import cheaper, theorems
from gelu_lib.register import result

WHOLE = [id for id in CHEAPEST_PROOFS if id not in ("seven-inputs", "lin-refitted")]


def refuted(entry):
    with pytest.raises(trials.FalseStatement):
        trials.tried(entry)


@pytest.mark.parametrize("id", WHOLE)
@pytest.mark.parametrize("step", [-1, 1])
def test_a_number_that_is_off_by_1_is_refuted(id, step):
    entry = result(id)
    if entry.enclosure:
        number = str(int(entry.value) + step)
        refuted(replace(entry, enclosure=(number, number)))
    for name, value in entry.numbers.items():
        number = str(int(value) + step)
        refuted(replace(entry, enclosures={**entry.enclosures, name: (number, number)}))


@pytest.mark.parametrize("id", ["seven-inputs", "lin-refitted"])
def test_another_tenth_digit_is_refuted(id):
    entry = result(id)
    name, value = next(iter({"": entry.value, **entry.numbers}.items()))
    if value is None:
        (name, value), *_ = entry.numbers.items()
    number = repr(float(value) * (1 + 1e-10))
    changed = (
        {"enclosure": (number, number)}
        if entry.enclosure
        else {"enclosures": {**entry.enclosures, name: (number, number)}}
    )
    with pytest.raises((trials.FalseStatement, trials.NoValue)):
        trials.tried(replace(entry, **changed))


def without(theorem, chosen):
    kept = tuple(one for one in theorem.refutations if not chosen(one))
    assert len(kept) < len(theorem.refutations)
    return replace(theorem, refutations=kept)


@pytest.mark.parametrize("degree", [5, 6])
def test_a_least_degree_without_its_refutation_is_not_proved(degree, monkeypatch):
    cut = without(
        theorems()["bfloat16-faithful"],
        lambda one: (one.form, one.degree) == ("exponential", degree),
    )
    monkeypatch.setattr(cheapest, "theorems", lambda: {**theorems(), "bfloat16-faithful": cut})
    with fails("claim", "not shown to be the least: bfloat16, faithful"):
        CHEAPEST_PROOFS["least-degrees-exponential"](50)


@pytest.mark.parametrize(
    ("id", "changes", "reason"),
    [
        ("bfloat16-faithful", {"clamp": "14"}, "limits abs"),
        ("bfloat16-faithful-limited", {"clamp": ""}, "not shown to be the least"),
        ("float16-nearest", {"form": "power 16"}, "not shown to be the least"),
        ("bfloat16-nearest", {"demand": "faithful"}, "not shown to be the least"),
    ],
)
def test_a_least_degree_of_another_kernel_is_not_proved(id, changes, reason, monkeypatch):
    other = replace(kernels()[id], **changes)
    monkeypatch.setattr(cheapest, "kernels", lambda: {**kernels(), id: other})
    with fails("claim", reason):
        CHEAPEST_PROOFS["least-degrees-exponential"](50)


@pytest.mark.parametrize("id", ["least-slots-bfloat16", "least-degrees-exponential"])
def test_what_is_not_exact_is_not_proved(id, monkeypatch):
    monkeypatch.setattr(cheapest, "meets_demand_exactly", lambda kernel: False)
    with fails("claim", "in exact arithmetic"):
        CHEAPEST_PROOFS[id](50)


def test_an_input_that_only_one_type_has_refutes_for_no_type(monkeypatch):
    theorem = theorems()["2e-3-clipped"]
    first, *others = theorem.refutations
    inputs = (1 / 1024 + 2.0**-20, *first.inputs[1:])  # in float16 alone
    moved = replace(theorem, refutations=(replace(first, inputs=inputs), *others))
    moved.prove()
    monkeypatch.setattr(cheapest, "theorems", lambda: {"2e-3-clipped": moved})
    with fails("claim", "not each type"):
        CHEAPEST_PROOFS["least-slots-2e-3"](50)


def test_a_kernel_that_costs_more_than_the_highest_power_has_no_list_of_cheaper_ones():
    kernel = kernels()["bfloat16-nearest"]
    assert list(cheaper(replace(kernel, coefficients=kernel.coefficients[:8])))
    with fails("claim", "a higher power 4096"):
        list(cheaper(kernel))


def test_two_programs_round_a_sum_of_a_product_alike():
    rng = np.random.default_rng(7)
    a, b, c = (np.float32(rng.standard_normal(3000) * 2.0 ** rng.integers(-75, 20, 3000))
               for _ in range(3))  # fmt: skip
    a[:1000] = b[:1000] = np.float32(1 + 2.0**-12)  # the product is a middle
    c[:1000] = np.float32(2.0**-60) * np.sign(c[:1000])
    own = own_kernels.fused(*(np.float64(part) for part in (a, b, c)))
    assert np.array_equal(own, np.float64(fused(a, b, c)))
    twice = own_kernels.single(np.float64(a) * np.float64(b) + np.float64(c))
    assert np.any(own != twice), "no case tells one rounding from two"
