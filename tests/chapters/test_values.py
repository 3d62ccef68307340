"""The digits of the register, computed again: of most kinds one always, all of them if slow."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from kinds import slow_but

from gelu_lib.evidence.criteria import SUP_MEASURES, TABLE
from gelu_lib.evidence.criteria_table import FORMS, load_cell, minimax_id
from gelu_lib.evidence.kinds import OfBest, numeral
from gelu_lib.evidence.measurements import MEASUREMENTS
from gelu_lib.evidence.proved import CERTIFICATIONS, READ, compute_digits, enclose, proof
from gelu_lib.functions.targets import TARGETS
from gelu_lib.register import agreeing_digits, results


def measured() -> dict[str, dict[str, str]]:
    """The numbers that were measured, by ID."""
    return {e.id: dict(e.numbers) for e in results().values() if e.is_measured}


def proved() -> set[str]:
    """The entries whose numbers have enclosures."""
    return {e.id for e in results().values() if e.enclosure or e.enclosures}


def digits_of(number: str) -> int:
    return len(number.partition("e")[0].replace(".", "").lstrip("-0"))


def kind(id: str) -> tuple[str, str]:
    """What encloses a number: two numbers with the same are proved by the same lines."""
    if id in READ:
        found = proof(id)
        solved = type(found.family).__name__ if isinstance(found, OfBest) else ""
        return type(found).__name__, solved
    function = getattr(CERTIFICATIONS[id], "func", CERTIFICATIONS[id])  # of a partial one
    return function.__module__, function.__qualname__


LONG = set(map(kind, ["same-number", "least-ulp-cubic", "tanh-sum-2-rate"]))
"""The kinds whose proofs take seconds: they are repeated at night alone."""


def with_one_of_each_kind(ids: Sequence[str]) -> list[Any]:
    """The parameters of a test: of each kind that is not long one ID runs always."""
    first = {kind(id): id for id in reversed(ids)}
    return slow_but(lambda id: first[kind(id)] == id and kind(id) not in LONG, ids)


FITTED = {"real-network-input-constants"}
"""What was measured and takes more than a second to compute: a site of it is fitted always, in
test_real_network_numbers."""


def test_every_number_has_a_computation_or_a_certificate_and_one_of_each_kind_runs_always():
    unproved = {e.id for e in results().values() if e.status == "numeric"}
    assert unproved == set(measured()) == set(MEASUREMENTS)
    assert proved() == set(CERTIFICATIONS)
    assert {e.id for e in results().values() if e.status == "certified"} <= proved()
    parameters = with_one_of_each_kind(["phi-at-1", "phi-at-2", "logistic-scale"])
    assert [bool(one.marks) for one in parameters] == [False, True, False]
    assert {
        kind(one.values[0]) for one in with_one_of_each_kind(list(CERTIFICATIONS)) if not one.marks
    } == {kind(id) for id in CERTIFICATIONS} - LONG


@pytest.mark.parametrize("id", with_one_of_each_kind(sorted(set(CERTIFICATIONS) - set(TABLE))))
def test_the_stored_enclosures_are_those_that_are_proved(id):
    entry, proved = results()[id], enclose(id, 50)
    numbers = {"": entry.value} if entry.value else dict(entry.numbers)
    ends = {"": entry.enclosure} if entry.value else dict(entry.enclosures)
    assert numbers == {name: numeral(found.rounded(50)) for name, found in proved.items()}
    assert ends == {name: (numeral(e.lower), numeral(e.upper)) for name, e in proved.items()}
    whole = {name for name, number in numbers.items() if "." not in number}
    assert {digits_of(number) for name, number in numbers.items() if name not in whole} <= {50}
    assert all(ends[name] == (numbers[name], numbers[name]) for name in whole)


@pytest.mark.slow
@pytest.mark.parametrize("id", TABLE)
def test_the_stored_enclosures_of_the_table_lie_in_wider_ones_that_are_proved(id):
    """The proofs of the integrals take long with many digits."""
    entry, wider = results()[id], enclose(id, 12)
    assert entry.enclosures.keys() == wider.keys()
    for name, ends in entry.enclosures.items():
        lower, upper = map(Decimal, ends)
        assert wider[name].lower <= lower <= upper <= wider[name].upper
        assert upper - lower < abs(lower) * Decimal("1e-55")


@pytest.mark.slow
def test_one_entry_of_the_table_to_all_digits():
    entry, proved = results()["criteria-sigmoid-gelu"], enclose("criteria-sigmoid-gelu", 50)
    assert dict(entry.numbers) == {name: numeral(e.rounded(50)) for name, e in proved.items()}
    assert dict(entry.enclosures) == {
        name: (numeral(e.lower), numeral(e.upper)) for name, e in proved.items()
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("of", TARGETS)
def test_the_certified_sup_norms_are_those_of_the_table_of_criteria(form, of):
    numbers = results()[minimax_id(form, of)].numbers
    for measure, begin in SUP_MEASURES.items():
        cell = load_cell(form, of, measure)
        free = [name for name in cell.parameters if name not in FORMS[form].fixed]
        found = {f"{begin}E": cell.error} | {
            f"{begin}{name}": cell.parameters[name] for name in free
        }
        found |= {f"{begin}x{i}": x for i, x in enumerate(cell.points, 1)}
        if form != "sigmoid":
            found[f"{begin}k"] = cell.constant
        assert found.keys() == {name for name in numbers if name.startswith("G") == bool(begin)}
        for name, value in found.items():
            assert agreeing_digits(numbers[name], str(value)) >= 49


@pytest.mark.parametrize("id", slow_but(lambda id: id not in FITTED, MEASUREMENTS))
def test_what_was_measured_follows_from_its_record(id):
    assert measured()[id] == MEASUREMENTS[id]()


def test_a_wrong_digit_is_noticed_more_are_given_and_an_unknown_number_is_refused():
    stored = results()["tanh-pinned-cubic"].value
    wrong = stored[:-1] + str((int(stored[-1]) + 5) % 10)
    assert wrong not in enclose("tanh-pinned-cubic", 50)[""]
    assert compute_digits("tanh-pinned-cubic", 50) != wrong
    assert agreeing_digits(wrong, compute_digits("tanh-pinned-cubic", 80)) < 50
    assert compute_digits("phi-at-1", 5) == "0.84134"
    assert (
        agreeing_digits(
            compute_digits("logistic-scale", 200), compute_digits("logistic-scale", 220)
        )
        == 200
    )
    with pytest.raises(KeyError, match="no number has the ID 'phi-erf'"):
        compute_digits("phi-erf", 20)
    with pytest.raises(KeyError, match="no result with proved numbers has the ID 'phi-erf'"):
        enclose("phi-erf", 20)


@pytest.mark.parametrize("digits", [0, -3, 1.5, "20", True])
def test_a_bad_number_of_digits_is_refused(digits):
    with pytest.raises(ValueError, match="digits is"):
        compute_digits("phi-at-1", digits)
    with pytest.raises(ValueError, match="digits is"):
        enclose("logistic-scale", digits)
