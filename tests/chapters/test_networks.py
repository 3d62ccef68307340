"""The record of the networks: a small part of the experiment again, where PyTorch is there.

What trains or asks a network runs at night.
"""

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from records import departures

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "gelu_lib" / "data" / "networks.json"
STORED = json.loads(RECORD.read_text(encoding="utf-8"))
REQUIRED = "GELU_LIB_NEEDS_PYTORCH"
NEEDED = ("torch", "sklearn")

# another processor rounds otherwise; in the few steps of the small part that grows to less than
# this part of a loss, and of the changes by a swap
LOSSES, CHANGES = 1e-4, 2e-2


@pytest.fixture(scope="module")
def record_networks():
    for name in NEEDED:
        pytest.importorskip(name)
    return importlib.import_module("record_networks")


def is_rounding(place: tuple[str, ...], new: float | list, old: float | list) -> bool:
    """Whether numbers of two small parts differ by no more than rounding."""
    allowed = CHANGES if "swaps" in place else LOSSES
    return bool(np.all(np.abs(np.subtract(new, old)) <= allowed * np.abs(old)))


def test_what_the_record_needs_is_there_where_it_must_be():
    if os.environ.get(REQUIRED):
        assert [name for name in NEEDED if not importlib.util.find_spec(name)] == []


@pytest.mark.parametrize("name", NEEDED)
def test_its_absence_is_noticed_there(monkeypatch, name):
    monkeypatch.setenv(REQUIRED, "1")
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(AssertionError, match=name):
        test_what_the_record_needs_is_there_where_it_must_be()


@pytest.mark.slow
def test_a_small_part_of_the_record_is_measured_again(record_networks):
    assert departures(record_networks.measure_small(), STORED["small"], is_rounding) == []


def test_another_small_part_is_found_and_versions_are_those_of_the_record():
    changed = json.loads(json.dumps(STORED["small"]))
    changed["transformer"]["tanh"] *= 1.05
    changed["perceptron"]["swaps"]["sigmoid"]["loss"] *= 1.05
    changed["perceptron"]["tuned"][-1] *= 1.05
    found = departures(changed, STORED["small"], is_rounding)
    assert sorted(found) == [
        "perceptron/swaps/sigmoid/loss",
        "perceptron/tuned",
        "transformer/tanh",
    ]
    for place in ("requirements-frameworks.txt", "README.md"):
        text = (ROOT / place).read_text(encoding="utf-8")
        assert re.findall(r"torch==([\d.]+)", text) == [STORED["versions"]["torch"]], place
        assert re.findall(r"scikit-learn==([\d.]+)", text) == [STORED["versions"]["sklearn"]], place
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert f"sympy=={STORED['versions']['sympy']} " in pinned


@pytest.mark.slow
def test_the_plan_of_the_script_is_that_of_the_record(record_networks):
    for kind, found in STORED["networks"].items():
        plan = json.loads(json.dumps(record_networks.asdict(record_networks.PLANS[kind])))
        assert found["plan"] == plan
        assert found["seeds"] == record_networks.SEEDS[kind]
        assert list(found["trained"]) == list(record_networks.TRAINED[kind])
        assert {
            arm: list(others) for arm, others in found["swaps"].items()
        } == record_networks.SWAPS
        assert list(found["tuned"]) == list(record_networks.TUNED)


@pytest.mark.slow
def test_arms_of_a_seed_have_the_same_weights_and_the_same_data(record_networks):
    """Before the first step two forms differ in nothing else; a moved arm differs in rounding."""
    import torch
    from network_runs import move

    task = record_networks.runs.task_of("perceptron", record_networks.SMALL["perceptron"])
    made = []
    for moved in (False, False, True):
        torch.manual_seed(3)
        network = task.network()
        if moved:
            move(network, 3)
        made.append(torch.cat([weights.flatten() for weights in network.parameters()]))
    assert torch.equal(made[0], made[1])
    apart = ((made[2] - made[0]) / made[0]).abs()
    assert 0 < apart.max() < 2.5e-7
    (one, _), (other, _) = (task.draw(torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(one, other)
    assert not torch.equal(one, task.draw(torch.Generator().manual_seed(4))[0])


@pytest.mark.slow
def test_a_slope_that_is_not_that_of_its_forward(record_networks):
    import torch
    from network_models import forms

    x = torch.linspace(-4, 4, 81, dtype=torch.float64)

    def value_and_slope(name):
        at = x.clone().requires_grad_()
        value = forms()[name](at)
        (slope,) = torch.autograd.grad(value.sum(), at)
        return value, slope

    mixed, exact, tanh = map(value_and_slope, ("exact, tanh slope", "exact", "tanh"))
    assert torch.equal(mixed[0], exact[0]) and torch.equal(mixed[1], tanh[1])
    assert not torch.equal(mixed[1], exact[1])


@pytest.mark.slow
def test_what_is_foreseen_is_the_derivative_of_what_happens(record_networks):
    """The two terms are those of the loss with a small part of the swap."""
    import torch
    from network_models import forms, use
    from network_runs import double, foreseen, judged, log_odds

    task = record_networks.runs.task_of("perceptron", record_networks.SMALL["perceptron"])
    torch.manual_seed(0)
    network, known = double(task.network()), forms()
    exact, other = known["exact"], known["silu"]
    found = foreseen(network, task, exact, other, "silu")

    def loss(part):
        use(network, lambda x: exact(x) + part * (other(x) - exact(x)))
        return judged(log_odds(network, task), task)["loss"]

    step = 1e-2
    first = (loss(step) - loss(-step)) / (2 * step)
    second = (loss(step) - 2 * loss(0) + loss(-step)) / (2 * step**2)
    assert sum(found["first"]) == pytest.approx(first, rel=1e-4)
    assert found["second"] == pytest.approx(second, rel=1e-3)
    assert sum(found["first"]) != pytest.approx(2 * first, rel=1e-2)
