"""The chapter on networks: its record, the numbers of the register, and the words of its page."""

import json
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from reader import Session
from scipy.special import ndtr
from scipy.stats import ttest_1samp

from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.evidence import measured as chapter
from gelu_lib.evidence.criteria_table import load_cell
from gelu_lib.evidence.measured import best_constant, least_seen
from gelu_lib.functions.forms import APPROXIMATIONS

RECORD = Path(chapter.__file__).parents[1] / "data" / "networks.json"
GENERATOR = np.random.default_rng(seed=44715)
EDGES = np.linspace(-12, 12, 769)
MIDDLES = (EDGES[1:] + EDGES[:-1]) / 2
FLAT, NORMAL = np.ones(768) / 768, np.diff(ndtr(EDGES))


@pytest.fixture
def fresh():
    """The record, read for this test alone."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def ragged(record: dict) -> list[str]:
    """The lists of a record that have not one entry for each seed."""
    return [
        f"{name}, {where}"
        for name, network in record["networks"].items()
        for where, values in {
            **{arm: one["loss"] for arm, one in network["trained"].items()},
            **{
                f"{arm} as {other}": one["loss"]
                for arm, others in network["swaps"].items()
                for other, one in others.items()
            },
            **{f"tuned {form}": rows for form, rows in network["tuned"].items()},
        }.items()
        if len(values) != network["seeds"]
    ]


def test_the_record_has_an_entry_for_each_seed(fresh):
    assert ragged(fresh) == []
    transformer, perceptron = fresh["networks"].values()
    transformer["trained"]["tanh"]["loss"].pop()
    transformer["swaps"]["tanh"]["exact"]["loss"].append(0)
    perceptron["tuned"]["relu"].pop()
    expected = ["transformer, tanh", "transformer, tanh as exact", "perceptron, tuned relu"]
    assert ragged(fresh) == expected


def grid(numbers):
    """The unit of the last decimal place that some numbers have."""
    return 10.0 ** -max(len(np.format_float_positional(one).partition(".")[2]) for one in numbers)


def test_the_grid_of_the_record_is_fine_and_wide_enough():
    """Else the ruler would be the rounding of the record; eight digits would not do."""
    for network in chapter.networks().values():
        exact, moved = (chapter.losses(network, arm) for arm in ("exact", "exact, moved"))
        ruler = (moved - exact).std(ddof=1) / 1000
        assert grid(exact) < ruler and grid(moved) < ruler
        assert not grid([float(f"{one:.8g}") for one in exact]) < ruler
        *_, layers = network["inputs"].values()
        counted = sum(sum(map(int, one["counts"].split())) for one in layers)
        assert sum(one["below"] + one["above"] for one in layers) <= 1e-4 * counted


@pytest.mark.parametrize("count", [3, 6, 20])
def test_the_least_difference_that_is_seen_is_found_in_80_of_100_experiments(count):
    sample = GENERATOR.normal(size=count)
    shift, runs = least_seen(2 * sample / sample.std(ddof=1)), 20_000
    drawn = GENERATOR.normal(shift, 2, size=(runs, count))
    found, fewer = (
        (ttest_1samp(one, 0, axis=1).pvalue < 0.05).mean() for one in (drawn, drawn - 0.1 * shift)
    )
    assert found == pytest.approx(0.8, abs=5 * np.sqrt(0.16 / runs))
    assert fewer < 0.8 - 5 * np.sqrt(0.16 / runs)


@pytest.mark.parametrize(("form", "name"), [("tanh-pinned", "k"), ("sigmoid", "c")])
@pytest.mark.parametrize(("shares", "measure"), [(NORMAL, "Gaussian L2"), (FLAT, "L2")])
def test_for_inputs_of_a_known_kind_the_best_constants_are_those_of_the_table(
    form, name, shares, measure
):
    known = float(load_cell(form, "GELU", measure).constant)
    assert best_constant(MIDDLES, shares, name) == pytest.approx(known, rel=2e-4)
    narrow = np.diff(ndtr(EDGES / 0.3))
    assert best_constant(MIDDLES, narrow, name) != pytest.approx(known, rel=2e-3)


def test_a_changed_record_changes_what_is_registered(fresh, monkeypatch):
    before = chapter.NETWORK_NUMBERS["network-swap-loss"]()
    fresh["networks"]["transformer"]["swaps"]["exact"]["tanh"]["loss"][0] += 1e-3
    monkeypatch.setattr(chapter, "networks", lambda: fresh["networks"])
    after = chapter.NETWORK_NUMBERS["network-swap-loss"]()
    assert {name for name in before if before[name] != after[name]} == {
        f"transformer, tanh form, {end}" for end in ("mean", "from", "to", "root mean square")
    }


@cache
def page():
    """What the cells of the notebook define."""
    return Session("in-a-network", {}).names


@pytest.mark.parametrize("form", APPROXIMATIONS)
def test_the_distance_of_a_form_from_gelu_is_the_proved_one(form):
    proved = float(certified_sup_error(APPROXIMATIONS[form], "GELU").error.rounded(12))
    values = page()["values"]
    found = abs(values["exact"] - values[form]).max()
    assert proved * (1 - 1e-6) < found <= proved * (1 + 1e-11)


def test_the_page_and_the_room_agree_and_its_intervals_hold():
    for network in chapter.networks().values():
        differences = chapter.losses(network, "tanh") - chapter.losses(network, "exact")
        assert page()["seen"](differences) == pytest.approx(least_seen(differences))
    _, low, high = np.transpose([page()["spread"](one) for one in GENERATOR.normal(size=(4000, 6))])
    assert ((low < 1) & (high > 1)).mean() == pytest.approx(0.95, abs=5 * np.sqrt(0.0475 / 4000))


def test_what_the_text_says_of_the_swaps_without_a_number():
    change, typical, values = (page()[name] for name in ("change", "typical", "values"))
    for name, network in chapter.networks().items():
        own = chapter.losses(network, "exact").std(ddof=1)
        near = [swap for swap in page()["swaps"] if swap[1] not in ("relu", "silu")]
        assert len(near) == len(page()["swaps"]) - 2
        assert all(abs(change(name, *swap)).max() < own for swap in near)
        distances = [abs(values[one] - values[other]).max() for one, other in near]
        rates = [
            typical(change(name, *swap)) / far for swap, far in zip(near, distances, strict=True)
        ]
        assert max(rates) < 5 * min(rates)
        among = permutations(("exact", "tanh", "sigmoid"), 2)
        assert min(change(name, *pair, "second").min() for pair in among) > 0


def test_what_the_text_says_without_a_number_of_the_training():
    apart, change, ends = (*(page()[name] for name in ("apart", "change")), chapter._interval)
    for name, network in chapter.networks().items():
        own, least, _ = page()["spread"](chapter.losses(network, "exact"))
        tanh, sigmoid, silu, relu = (apart(name, a) for a in ("tanh", "sigmoid", "silu", "relu"))
        assert ends(tanh)[0] > 0 and ends(sigmoid)[0] > 0 and ends(silu)[0] > 0
        assert sigmoid.mean() < own < silu.mean()
        assert ends(relu)[0] < 0 < ends(relu)[1]
        put_in = [change(name, *pair) for pair in permutations(("exact", "tanh"))]
        assert max(ends(tanh)[1], *map(page()["typical"], put_in)) < least / 50
        back = page()["first_back"]
        assert [back(name, form, least) for form in ("exact", "tanh", "sigmoid")] == [0, 0, 0]
    slope = {name: ends(apart(name, "exact, tanh slope")) for name in chapter.networks()}
    assert slope["transformer"][0] < 0 < slope["perceptron"][0]
    for form, found in {"tanh": [True, False], "sigmoid": [True, True]}.items():
        rates = (f"{form}, {rate} the rate" for rate in ("half", "twice"))
        assert [ends(apart("perceptron", arm))[0] > 0 for arm in rates] == found


def test_what_bfloat16_does_lies_below_the_sigmoid_form_and_around_the_tanh_form():
    for name, network in chapter.networks().items():
        alone, tanh, sigmoid = (
            page()["typical"](page()["change"](name, "exact", other))
            for other in ("exact, bfloat16", "tanh", "sigmoid")
        )
        whole = page()["typical"](np.array(network["narrow"]["bfloat16"]["loss"]))
        assert tanh < whole < sigmoid
        assert alone < sigmoid and (alone < tanh) == (name == "transformer")
