"""Every digit of the register, computed again."""

import pytest

from gelu_lib.register import agreeing_digits, results
from gelu_lib.values import COMPUTATIONS, compute


def computed() -> dict[str, str]:
    return {
        entry.id: entry.value
        for entry in results().values()
        if entry.value is not None and entry.status != "historical"
    }


def test_every_number_of_the_register_has_a_computation_and_no_other():
    assert set(computed()) == set(COMPUTATIONS)


@pytest.mark.parametrize("id", COMPUTATIONS)
def test_the_stored_digits_are_those_that_are_computed(id):
    stored = computed()[id]
    assert len(stored.replace(".", "").lstrip("-0")) == 50
    assert compute(id, 50) == stored
    assert agreeing_digits(stored, compute(id, 80)) >= 50


def test_a_wrong_digit_is_noticed():
    stored = computed()["tanh-pinned-cubic"]
    wrong = stored[:-1] + str((int(stored[-1]) + 5) % 10)
    assert compute("tanh-pinned-cubic", 50) != wrong
    assert agreeing_digits(wrong, compute("tanh-pinned-cubic", 80)) < 50


def test_digits_on_demand():
    assert compute("phi-at-1", 5) == "0.84134"
    assert agreeing_digits(compute("logistic-scale", 200), compute("logistic-scale", 220)) == 200


@pytest.mark.parametrize("digits", [0, -3, 1.5, "20", True])
def test_a_bad_number_of_digits_is_refused(digits):
    with pytest.raises(ValueError, match="digits is"):
        compute("phi-at-1", digits)


def test_an_unknown_number_is_refused():
    with pytest.raises(KeyError, match="no number has the ID 'phi-erf'"):
        compute("phi-erf", 20)
