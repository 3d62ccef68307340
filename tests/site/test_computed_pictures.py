"""What a notebook hands to a picture of its page: refused where it is not what is drawn."""

import json

import pytest
from bs4 import BeautifulSoup
from computed_pictures import KIND, PICTURES, SIZES, computed, markup

DATA = {
    "sigmas": [0.1, 1, 10],
    "best": [0.0455, 0.0449, 0.0445],
    "loss": [300, 2, 1.1],
    "sites": [
        {"network": "One </script>", "site": "a", "rms": 1, "k": 0.045, "width": 4, "shares": [1]}
    ],
    "k": 0.0447,
    "crossing": 1.749,
}


def showing(*outputs):
    """A notebook whose one cell shows these as JSON, behind one that shows a text."""
    shown = [{"data": {KIND: each}} for each in outputs]
    return {"cells": [{"outputs": [{"data": {"text/plain": "1"}}]}, {}, {"outputs": shown}]}


def test_what_a_cell_shows_as_json_is_handed_over():
    assert computed(showing(DATA), "laws-of-inputs") == DATA


@pytest.mark.parametrize("outputs", [[], [DATA, DATA]], ids=["nothing", "two"])
def test_a_notebook_that_hands_over_nothing_or_more_than_one_is_refused(outputs):
    with pytest.raises(ValueError, match="unpack"):
        computed(showing(*outputs), "laws-of-inputs")


@pytest.mark.parametrize("name", DATA)
def test_what_lacks_a_part_or_belongs_to_another_picture_is_refused(name):
    part = {key: value for key, value in DATA.items() if key != name}
    with pytest.raises(ValueError, match=f"laws-of-inputs is drawn of .*'{name}'"):
        computed(showing(part), "laws-of-inputs")
    with pytest.raises(ValueError, match="thread-the-gates is drawn of"):
        computed(showing(DATA), "thread-the-gates")
    assert set(DATA) == PICTURES["laws-of-inputs"].names


def test_the_slider_of_the_sizes_begins_at_the_crossing_where_its_steps_and_buttons_lead():
    page = BeautifulSoup(markup(DATA, "laws-of-inputs"), "html.parser")
    slider = page.select_one("#laws-slider")
    low, high, step, start = (float(slider[name]) for name in ("min", "max", "step", "value"))
    steps = (start - low) / step
    assert start == 0
    assert steps == pytest.approx(round(steps))
    nudges = [float(button["data-nudge"]) for button in page.select("[data-nudge]")]
    assert nudges == [-step, step]
    assert [DATA["crossing"] * 10**end for end in (low, high)] == pytest.approx(SIZES, rel=0.02)
    assert page.select_one("#laws-number").text == "1.75"
    assert json.loads(page.select_one("#laws-data").string) == DATA
