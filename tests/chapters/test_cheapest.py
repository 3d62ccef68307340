"""The page on the cheapest GELU: what it says in words, and the names in its picture of costs."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from reader import Session, prose, word_count

from gelu_lib.floats.kernels.judging import judged, kernels, prices
from gelu_lib.show.style import NARROW_WIDTH

TEXT = prose("cheapest")
RECORD = Path(__file__).resolve().parents[2] / "benchmarks/records/kernel_speed.json"
WIDTHS = (5.4, NARROW_WIDTH)  # inches, on a desk and on a phone


@pytest.fixture(scope="module")
def names():
    return Session("cheapest", {}).names


def test_it_has_at_most_1200_words():
    assert 600 < word_count(TEXT) <= 1200


def test_the_seven_inputs_are_those_that_the_linear_program_names(names):
    assert sorted(map(abs, names["seven"])) == list(names["fits"][5].tight)


def below_the_staircase(names) -> list[tuple[str, int]]:
    """The shipped formulas that none of our kernels beats in both, and in which panel."""
    found = []
    for id, faulty in names["theirs"].items():
        for panel, fault in enumerate(faulty):
            cost = names["cost"][id]
            ours = (names["found"][own][panel] for own in names["ours"]
                    if cost and names["cost"][own] <= cost)  # fmt: skip
            if cost and not min(ours) <= fault:
                found.append((id, panel))
    return found


def test_only_cutlass_lies_below_the_staircase_and_only_in_float16(names):
    assert "Only CUTLASS in float16 lies below the staircase" in TEXT
    assert "## All shipped formulas but one cost more" in TEXT
    assert below_the_staircase(names) == [("cutlass", 1)]
    cheaper = {**names, "cost": {**names["cost"], "xla-erfc": 10}}
    assert ("xla-erfc", 0) in below_the_staircase(cheaper)


def test_what_is_said_of_degrees_six_seven_and_nine():
    six, seven, nine = (kernels()[f"bfloat16-{id}"] for id in (
        "faithful-limited", "faithful", "nearest"))  # fmt: skip
    assert [len(one.coefficients) - 1 for one in (six, seven, nine)] == [6, 7, 9]
    assert six.clamp and not seven.clamp
    assert six.program.slots(prices()) == seven.program.slots(prices())
    found = judged(nine.program, "bfloat16", normal_only=True)
    assert found.nearest == found.inputs > judged(six.program, "bfloat16", normal_only=True).nearest


def test_the_derivative_costs_two_slots_more():
    assert "## The derivative costs two slots more" in TEXT
    for dtype in ("bfloat16", "float16"):
        value, slope = (kernels()[f"{dtype}-{id}faithful"].program.slots(prices())
                        for id in ("", "derivative-"))  # fmt: skip
        assert slope == value + 2


def test_what_is_said_of_large_arrays_is_what_the_record_has():
    assert "at most a quarter longer than a copy in large arrays, as some shipped rat" in TEXT
    large = json.loads(RECORD.read_text(encoding="utf-8"))["10000000"]
    ratios = {name: row["to a copy"] for name, row in large.items()}
    recorded = [id for id in kernels() if f"strict: {id}" in ratios]
    without = {id for id in recorded if "exp2" not in str(kernels()[id].program)}
    assert len(without) > 5 and set(recorded) - without
    for way in ("strict", "fast"):
        assert max(ratios[f"{way}: {id}"] for id in (*without, "XNNPACK")) <= 1.25
    assert min(ratios[f"strict: {id}"] for id in set(recorded) - without) > 1.25


def touching(figure, width) -> list[tuple[str, str]]:
    """The names of a figure of this width that cover each other, or leave the picture."""
    figure.set_size_inches(width, figure.get_size_inches()[1])
    figure.draw_without_rendering()
    texts = [text for axes in figure.axes for text in axes.texts if text.get_text()]
    boxes = {text.get_text() + str(n): text.get_window_extent() for n, text in enumerate(texts)}
    pairs = combinations(boxes, 2)
    found = [(a, b) for a, b in pairs if boxes[a].overlaps(boxes[b])]
    inside = figure.bbox
    return found + [(a, "the edge") for a, box in boxes.items() if not (
        inside.x0 <= box.x0 and box.x1 <= inside.x1)]  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
def test_no_name_in_the_picture_of_costs_touches_another(names, width):
    figure = names["fig"]
    assert touching(figure, width) == []
    name = figure.axes[0].texts[0]
    word = name.get_text()
    name.set_text(5 * word)
    assert touching(figure, width) != []
    name.set_text(word)


def test_the_solution_speaks_of_the_narrowest_half_gate(names):
    _, low, high = names["inner_gates"]("bfloat16", "faithful", "exponential")
    free = (1 - names["fits"][7].distance) * np.min(high - low) / 2
    assert np.log2(1 + 2.0**-10) < free < np.log2(1 + 2.0**-9)
