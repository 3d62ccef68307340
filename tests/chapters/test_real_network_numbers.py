"""The register's numbers of networks that people use follow from their record, and from no more."""

import copy

import numpy as np
import pytest
from scipy.stats import binom

from gelu_lib.evidence import real_network_numbers as numbers
from gelu_lib.evidence.measurements import MEASUREMENTS
from gelu_lib.evidence.real_networks import real_network_record, site_constants, wilson
from gelu_lib.register import result, results
from gelu_lib.show.tables import decimal

IDS = [id for id in results() if id.startswith("real-network-")]


@pytest.fixture
def fresh(monkeypatch):
    """A record that this test alone may change."""
    found = copy.deepcopy(real_network_record())
    monkeypatch.setattr(numbers, "real_network_record", lambda: found)
    return found["networks"]


def changed(id: str, change) -> set[str]:
    """The numbers of an entry that a change of the record changes, or that come or go with it."""
    before = MEASUREMENTS[id]()
    change()
    after = MEASUREMENTS[id]()
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def grown(place, name, factor=2):
    return lambda: place.update({name: place[name] * factor})


def test_every_entry_is_computed():
    assert list(numbers.REAL_NETWORK_NUMBERS) == IDS
    assert {result(id).page for id in IDS} == {"does-it-matter"}


@pytest.mark.parametrize(
    ("id", "name", "arm", "factor", "ratio", "end"),
    [
        ("swap", "MiniLM", "tanh", 1e-3, "weights int8 over swap", "largest"),
        ("sigmoid", "Whisper", "sigmoid", 1e3, "sigmoid over weights int8", "largest"),
        ("digits", "Magika", "digits", 1e-3, "digits over swap", "least"),
    ],
)
def test_another_distance_changes_a_ratio_and_an_end(fresh, id, name, arm, factor, ratio, end):
    change = grown(fresh[name]["arms"][arm], "relative", factor)
    found = changed(f"real-network-{id}-distance", change)
    own = {f"{name}, {'swap' if id == 'swap' else arm}", f"{name}, {ratio}", f"{end}, {ratio}"}
    assert own <= found <= own | {f"least, {ratio}", f"largest, {ratio}"}


def test_a_changed_record_changes_what_is_registered_of_it_alone(fresh):
    magika = fresh["Magika"]
    arms, layers = magika["arms"], "real-network-layer-constants"
    assert changed("real-network-rulers", grown(arms["float32"], "relative")) == {"Magika, float32"}
    fitted = "sigmoid, c by layer"
    assert changed(layers, grown(arms[fitted], "from exact")) == {f"Magika, {fitted}"}
    assert changed(layers, grown(arms[fitted], "relative")) == set()
    batch = {f"largest, batch of 8{of}" for of in ("", " over swap")}
    assert changed("real-network-batch", grown(arms["batch of 8"], "largest")) == batch
    halved = {"leads": [one / 2 for one in magika["leads"]]}
    assert changed("real-network-leads", lambda: magika.update(halved)) == {
        "least lead",
        "second least lead",
    }
    twice = {"twice the largest change"}
    assert changed("real-network-leads", grown(arms["exact"], "largest")) == twice


@pytest.mark.parametrize("name", ["Magika", "MiniLM", "Whisper"])
@pytest.mark.parametrize(
    ("id", "arm"), [("swap", ""), ("sigmoid", "sigmoid"), ("digits", "digits")]
)
def test_changed_decisions_have_a_share_with_its_interval_and_0_is_left_out(fresh, name, id, arm):
    network = fresh[name]
    found = network["arms"][arm or {"exact": "tanh", "tanh": "exact"}[network["form"]]]
    id = f"real-network-{id}-decisions"
    for of, field in (("decisions", "changed"), ("groups", "groups")):
        found[field] = 0
        without = MEASUREMENTS[id]()
        named = {f"{of} changed", f"share of {of}", f"share of {of}, from"}
        assert not {f"{name}, {one}" for one in named} & without.keys()
        assert changed(id, lambda: found.update({field: 1})) == {  # noqa: B023
            f"{name}, {one}" for one in (*named, f"share of {of}, to")
        }


@pytest.mark.parametrize(("m", "n"), [(0, 50), (1, 400), (7, 40), (40, 40)])
def test_an_interval_holds_the_share_and_its_ends_are_as_far_in_standard_deviations(m, n):
    """What Wilson asks: from each end the share is 1.96 standard deviations away."""
    low, high = wilson(m, n)
    for end in {low, high} - {0, 1}:
        assert abs(m / n - end) == pytest.approx(1.959964 * binom.std(n, end) / n)
    assert low <= m / n <= high
    assert (low == 0, high == 1) == (m == 0, m == n)


@pytest.mark.parametrize("name", "kc")
def test_one_site_is_fitted_again_and_another_law_has_another_constant(name):
    site = real_network_record()["networks"]["Magika"]["sites"][0]
    stored = result("real-network-input-constants").numbers[f"Magika, bytes, {name}"]
    (found,) = site_constants(site, name).values()
    assert decimal(found, 4) == stored
    counts = np.roll(np.array(site["counts"].split(), dtype=int), 20)
    (other,) = site_constants(site | {"counts": " ".join(map(str, counts))}, name).values()
    assert decimal(other, 4) != stored
