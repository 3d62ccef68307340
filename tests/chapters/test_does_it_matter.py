"""What pages say in words of three networks that people use, held against the record."""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from reader import prose

from gelu_lib.evidence.measured import networks as trained
from gelu_lib.evidence.real_networks import real_network_record

SWAP = {"Magika": "exact", "MiniLM": "tanh", "Whisper": "tanh"}
"""The arm that exchanges the exact and the tanh form, by network."""

Record = dict[str, Any]


def moved(record: Record, name: str, arm: str) -> float:
    """How far an arm moves the outputs of a network, relative to their size."""
    return record["networks"][name]["arms"][arm]["relative"]


def changed(record: Record, arm: str | Mapping[str, str]) -> list[float]:
    """The share of the decisions that an arm changes, network by network."""
    arms = dict.fromkeys(SWAP, arm) if isinstance(arm, str) else arm
    found = [record["networks"][name]["arms"][arms[name]] for name in SWAP]
    return [one["changed"] / one["decisions"] for one in found]


def far_below_int8(record: Record) -> bool:
    """In each network the swap, and ggml's table in place of the exact form, below a tenth."""
    arms = [*SWAP.items(), ("Whisper", "tanh, table")]
    return all(10 * moved(record, *one) < moved(record, one[0], "weights int8") for one in arms)


def hardly_a_choice(record: Record) -> bool:
    return max(changed(record, SWAP)) < 0.002


def sigmoid_above_int8_in_two(record: Record) -> bool:
    above = [moved(record, name, "sigmoid") > moved(record, name, "weights int8") for name in SWAP]
    return above.count(True) == 2


def sigmoid_does_harm(record: Record) -> bool:
    """More than ten times as many changed decisions as by the swap, in two networks."""
    pairs = zip(changed(record, SWAP), changed(record, "sigmoid"), strict=True)
    return sum(many > 10 * few for few, many in pairs) == 2


def sigmoid_changes_more_than_in_the_toy(record: Record) -> bool:
    toy = np.mean(trained()["transformer"]["swaps"]["exact"]["sigmoid"]["changed"])
    return sum(share > toy for share in changed(record, "sigmoid")) == 2


def most_transcripts(record: Record) -> bool:
    whisper = record["networks"]["Whisper"]
    return 2 * whisper["arms"]["sigmoid"]["groups"] > whisper["groups"]


def gains_differ(record: Record) -> bool:
    """Whether the constants with the least largest error help here and hurt there."""

    def from_exact(name: str, arm: str) -> float:
        of = record["networks"][name]
        found = of["arms"]["exact" if arm == of["form"] else arm]
        return (
            found["relative"] if arm == of["form"] else found.get("from exact", found["relative"])
        )

    def closer(name: str, arm: str, best: str) -> bool:
        return from_exact(name, best) < from_exact(name, arm)

    pairs = [("tanh", "tanh, best k"), ("sigmoid", "sigmoid, best c")]
    return all({closer(name, *pair) for name in SWAP} == {True, False} for pair in pairs)


def below_0_in_two(record: Record) -> bool:
    """Most inputs of all layers; an input outside of the histogram counts as positive."""

    def below(sites: list[dict[str, Any]]) -> float:
        counts = [np.array(one["counts"].split(), dtype=int) for one in sites]
        negative = sum(one[: one.size // 2].sum() for one in counts)
        return negative / sum(one["inputs"] for one in sites)

    return sum(below(record["networks"][name]["sites"]) > 0.5 for name in SWAP) == 2


def table_adds_hardly_anything(record: Record) -> bool:
    tanh, table = (moved(record, "Whisper", arm) for arm in ("tanh", "tanh, table"))
    return abs(table / tanh - 1) < 0.05


@dataclass
class Said:
    """What pages say, each in words of its own, what must hold, and a false record."""

    holds: Callable[[Record], bool]
    pages: dict[str, str]
    falsify: Callable[[dict[str, Any]], Any]


def arm(networks: dict[str, Any], name: str, arm: str) -> dict[str, Any]:
    return networks[name]["arms"][arm]


SAID = [
    Said(
        far_below_int8,
        {
            "does-it-matter": "moves the outputs far less than int8 weights do",
            "which-one": "can change places, moving outputs far less than int8 weights",
            "index": "can change places, moving the outputs far less than int8 weights do",
            "models": "can change places, moving the outputs far less than int8 weights do",
            "frameworks": "was measured: far less than int8 weights",
            "zh": "影响远小于把权重改成 int8",
            "ja": "重みをint8にした影響よりはるかに小さな",
        },
        lambda of: arm(of, "Whisper", "tanh, table").update(relative=0.02),
    ),
    Said(
        hardly_a_choice,
        {
            "frameworks": "exchanging the exact form and the tanh form hardly changed a choice",
        },
        lambda of: arm(of, "MiniLM", "tanh").update(changed=30),
    ),
    Said(
        sigmoid_above_int8_in_two,
        {
            "which-one": "in two it does more than int8",
            "models": "The sigmoid form does more than int8 in two of the three",
        },
        lambda of: arm(of, "Magika", "weights int8").update(relative=0.001),
    ),
    Said(
        sigmoid_does_harm,
        {"which-one": "still changes it less (yet is not harmless)"},
        lambda of: arm(of, "MiniLM", "sigmoid").update(changed=3),
    ),
    Said(
        sigmoid_changes_more_than_in_the_toy,
        {"in-a-network": "In two of the three networks of Does it matter? the share is larger"},
        lambda of: arm(of, "MiniLM", "sigmoid").update(changed=1),
    ),
    Said(
        most_transcripts,
        {"models": "changes most transcripts of Whisper"},
        lambda of: arm(of, "Whisper", "sigmoid").update(groups=0),
    ),
    Said(
        gains_differ,
        {"which-one": "Whether another constant helps depends on the network"},
        lambda of: [
            arm(of, name, "tanh, best k").update({"relative": 1.0, "from exact": 1.0})
            for name in SWAP
        ],
    ),
    Said(
        below_0_in_two,
        {"gelu": "in two of three real ones most lie below 0"},
        lambda of: of["MiniLM"]["sites"][0].update(inputs=10**12),
    ),
    Said(
        table_adds_hardly_anything,
        {"frameworks": "the table adds hardly anything to what it does"},
        lambda of: arm(of, "Whisper", "tanh, table").update(relative=0.005),
    ),
]


def words(chapter: str) -> str:
    """The text of a page without the addresses of its links."""
    return re.sub(r"\[([^][]+)\]\([^)]*\)", r"\1", prose(chapter))


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.holds.__name__)
def test_what_the_pages_say_of_the_three_networks_holds(said):
    for page, phrase in said.pages.items():
        assert phrase in words(page), page
    record = deepcopy(real_network_record())
    assert said.holds(record)
    said.falsify(record["networks"])
    assert not said.holds(record)
