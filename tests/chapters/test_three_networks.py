"""The chapter on three real networks: its record, and what its text says without a number."""

import copy
from functools import cache

import numpy as np
import pytest
from ml_dtypes import bfloat16
from reader import Session, prose, word_count
from scipy.special import erf, erfc, expit, ndtr

from gelu_lib.evidence.real_networks import (
    real_network_record,
    site_constants,
    site_law,
    wilson,
)
from gelu_lib.register import result
from gelu_lib.rows import contents

SWAP = {"Magika": "exact", "MiniLM": "tanh", "Whisper": "tanh"}


@cache
def page():
    """What the cells of the notebook define."""
    return Session("does-it-matter", {}).names


def networks():
    return copy.deepcopy(real_network_record()["networks"])


def moved(found, name, arm):
    return found[name]["arms"][SWAP[name] if arm == "swap" else arm]["relative"]


def test_the_page_has_at_most_1400_words():
    assert 800 < word_count(prose("does-it-matter")) <= 1400


def test_a_histogram_says_of_the_tanh_form_what_all_inputs_said():
    for network in networks().values():
        for site in network["sites"]:
            law = site_law(site)
            x, w = np.array(law.points), np.array(law.weights)
            assert w.sum() == site["inputs"] and x[-1] == 24
            assert abs(x[-1] * (ndtr(x[-1]) - expit(1.5 * x[-1]))) < 1e-13  # of all forms
            assert w[-1] == 0 or site["width"] == 12
            exact = x * erfc(-x / np.sqrt(2)) / 2
            tanh = x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2
            error = np.sqrt(w @ (tanh - exact) ** 2 / w.sum())
            wide = 0.03 if site["site"] == "convolution" else 0.003  # a bin is wide beside its peak
            assert error == pytest.approx(site["error"], rel=wide), site["site"]
            assert error != pytest.approx(1.1 * site["error"], rel=wide)


def test_the_quick_constants_of_the_page_are_the_proved_ones():
    sites = page()["sites"]
    assert len(sites) == 18
    for site in (sites[0], sites[4], sites[12]):
        proved = site_constants(site, "k")["k"]
        assert site["k"] == pytest.approx(proved, abs=1e-7)
        assert site["k"] != pytest.approx(0.044715, abs=1e-6)
    crossing = float(result("normal-law-cubic-crossing").value)
    assert page()["best_k"](page()["x"], np.exp(-((page()["x"] / crossing) ** 2) / 2)) == (
        pytest.approx(0.044715, abs=1e-8)
    )


def said_wrongly(found):
    """Words of the page that a record does not bear out."""
    arms = {name: found[name]["arms"] for name in SWAP}
    swaps = [arms[name][arm] for name, arm in SWAP.items()]
    by_int8 = {a: [moved(found, n, a) / moved(found, n, "weights int8") for n in SWAP]
               for a in ("swap", "sigmoid", "weights bfloat16")}  # fmt: skip
    exact = {
        n: {a: arm.get("from exact", arm["relative"]) for a, arm in arms[n].items()} for n in SWAP
    }
    exact["Magika"]["tanh"] = arms["Magika"]["exact"]["relative"]  # up to the size of the outputs
    best_k, best_c = (
        [exact[n][best] / exact[n][form] for n in SWAP]
        for form, best in (("tanh", "tanh, best k"), ("sigmoid", "sigmoid, best c"))
    )
    alone = [arm["relative"] for name, arm in arms["MiniLM"].items() if name.endswith("alone")]
    root = np.sqrt(np.sum(np.square(alone)))
    said = {
        "some five thousand decisions": 4500 < sum(a["decisions"] for a in swaps) < 5500,
        "changed five": sum(a["changed"] for a in swaps) == 5,
        "all near ties": all(
            arms[n][SWAP[n]]["widest lead"] <= found[n]["leads"][9] for n in ("MiniLM", "Whisper")
        ),
        "far less than int8 weights do": max(by_int8["swap"]) < 0.05,
        "less than bfloat16 weights do": all(
            2 * moved(found, n, "swap") < moved(found, n, "weights bfloat16") for n in SWAP
        ),
        "The sigmoid form changed far more": sum(arms[n]["sigmoid"]["changed"] for n in SWAP) > 100,
        "left Magika's types alone": arms["Magika"]["sigmoid"]["changed"] == 0,
        "most transcripts": arms["Whisper"]["sigmoid"]["groups"] > found["Whisper"]["groups"] / 2,
        "Dropping the last digits of 0.044715 changed none": not any(
            arms[n]["digits"]["changed"] for n in SWAP
        ),
        "bring Whisper closer": best_k[2] < 0.9 and best_c[2] < 0.9,
        "take Magika farther away": best_k[0] > 1.2 and best_c[0] > 1.2,
        "hardly move MiniLM": all(abs(r - 1) < 0.05 for r in (best_k[1], best_c[1])),
        "MiniLM no nearer": exact["MiniLM"]["tanh, k by layer"] > 0.99 * exact["MiniLM"]["tanh"],
        "all three come closer": all(
            exact[n]["tanh, k and s by layer"] < 0.8 * exact[n]["tanh"] for n in SWAP
        ),
        "and not near the sum": sum(alone) > 1.8 * arms["MiniLM"]["tanh"]["relative"],
        "Errors add up like random ones": 0.7 < root / arms["MiniLM"]["tanh"]["relative"] < 1.3,
        "with either form": found["MiniLM"]["right"] == arms["MiniLM"]["tanh"]["right"],
        "A batch can move a file more than": arms["Magika"]["batch of 8"]["largest"]
        > 3 * arms["Magika"]["exact"]["largest"],
    }
    assert all(words in prose("does-it-matter") for words in said), [
        words for words in said if words not in prose("does-it-matter")
    ]
    return [words for words in said if not said[words]]


def test_what_the_text_says_in_words_is_what_the_record_has():
    assert said_wrongly(networks()) == []


@pytest.mark.parametrize(
    ("network", "arm", "field", "value", "words"),
    [
        ("Magika", "exact", "changed", 1, "changed five"),
        ("MiniLM", "tanh", "widest lead", 0.1, "all near ties"),
        ("Whisper", "tanh", "relative", 0.05, "far less than int8 weights do"),
        ("Magika", "sigmoid", "changed", 2, "left Magika's types alone"),
        ("Whisper", "sigmoid", "groups", 12, "most transcripts"),
        ("Whisper", "digits", "changed", 1, "Dropping the last digits of 0.044715 changed none"),
        ("MiniLM", "tanh, k by layer", "relative", 1e-3, "MiniLM no nearer"),
        (
            "Magika",
            "batch of 8",
            "largest",
            0.003,
            "A batch can move a file more than",
        ),
        (
            "Whisper",
            "tanh, k and s by layer",
            "relative",
            0.01,
            "all three come closer",
        ),
    ],
)
def test_another_record_is_noticed(network, arm, field, value, words):
    changed = networks()
    changed[network]["arms"][arm][field] = value
    assert words in said_wrongly(changed)


def small(site):
    """The share of inputs between −1 and 1, and that of a normal law of their size."""
    law = site_law(site)
    x, w = np.array(law.points), np.array(law.weights)
    return w[abs(x) < 1].sum() / w.sum(), erf(1 / site["rms"] / np.sqrt(2))


def test_most_layers_of_whisper_lie_below_the_curve_and_those_of_minilm_on_it():
    below, fewer = ({name: [] for name in SWAP} for _ in range(2))
    for site in page()["sites"]:
        normal = page()["best_k"](page()["x"], np.exp(-((page()["x"] / site["rms"]) ** 2) / 2))
        below[site["network"]].append(normal - site["k"])
        share, of_normal = small(site)
        fewer[site["network"]].append(share < of_normal)
    assert np.median(below["Whisper"]) > 2 * np.median(np.abs(below["MiniLM"]))
    assert max(map(abs, below["MiniLM"])) < 1e-4 < max(below["Whisper"])
    assert sum(one > 0 for one in below["Whisper"]) == 9 and len(below["Whisper"]) == 10
    assert all(fewer["Whisper"][2:]) and not all(fewer["Whisper"])  # behind its convolutions
    assert "Nine of Whisper's ten lie below" in prose("does-it-matter")


def test_the_agreement_in_bfloat16_is_that_of_the_first_layer_of_minilm():
    """By rounding each middle of a bin, and both forms there, to bfloat16."""
    law = site_law(networks()["MiniLM"]["sites"][0])
    x, w = np.array(law.points).astype(bfloat16).astype(float), np.array(law.weights)
    exact = x * erfc(-x / np.sqrt(2)) / 2
    form = x * expit(2 * np.sqrt(2 / np.pi) * (x + page()["k"] * x**3))
    differ = exact.astype(bfloat16) != form.astype(bfloat16)
    assert 100 * w[differ].sum() / w.sum() == pytest.approx(page()["missed"], abs=0.05)
    assert abs(page()["k"] - page()["sites"][2]["k"]) > 5e-5  # another one than by mean square


def test_the_intervals_are_wilsons():
    """By the formula, and for nothing changed of n by the one that is left of it."""
    z = 1.959963984540054
    for changed, decisions in ((0, 909), (1, 700), (140, 3713), (9, 9)):
        share = changed / decisions
        middle = (share + z**2 / (2 * decisions)) / (1 + z**2 / decisions)
        reach = (
            z
            / (1 + z**2 / decisions)
            * np.sqrt(share * (1 - share) / decisions + (z / (2 * decisions)) ** 2)
        )
        assert wilson(changed, decisions) == pytest.approx((middle - reach, middle + reach))
    assert wilson(0, 909)[1] == pytest.approx(z**2 / (909 + z**2))


def unread(listed):
    """What the page says of programs that a list of swaps does not have."""
    said = {
        "text-embeddings-inference computes the tanh form": ("text-embeddings-inference", "tanh"),
        "So is Whisper in whisper.cpp": ("whisper-cpp", "tanh"),
        "llama.cpp's vision tower for Gemma 4": ("mtmd-gemma-4", "sigmoid"),
        "in ggml on Hexagon": ("ggml-hexagon", "sigmoid"),
    }
    asked = {"tanh": "exact", "sigmoid": "tanh"}
    assert all(words in prose("does-it-matter") for words in said)
    return [
        words
        for words, (name, form) in said.items()
        if (listed[name]["asked"], listed[name]["computed"]) != (asked[form], form)
    ]


def test_the_swaps_in_use_are_those_that_were_read():
    listed = copy.deepcopy(contents("swaps.toml"))
    assert unread(listed) == []
    listed["ggml-hexagon"]["computed"] = "tanh"
    assert unread(listed) == ["in ggml on Hexagon"]


def test_a_bounded_layer_has_a_third_of_the_largest_error_and_so_many_gelus_follow():
    share = float(result("bounded-inputs-error-gelu").value) / float(
        result("page-error-gelu").value
    )
    assert 0.32 < share < 0.35 and "is a third of its largest one" in prose("does-it-matter")
    layers = [len(network["sites"]) for network in networks().values()]
    assert f"weights and {min(layers)} to {max(layers)} GELUs" in prose("does-it-matter")
