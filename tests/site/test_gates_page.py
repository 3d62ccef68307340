"""The picture of the gates: what its notebook hands to the page, and what the script draws."""

import json
from fractions import Fraction

import numpy as np
import pytest
from bs4 import BeautifulSoup
from built_site import ROOT
from computed_pictures import computed, markup
from flint import arb
from numpy.polynomial import Chebyshev
from scipy.special import log_ndtr

from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts.differences import prove_impassable
from gelu_lib.floats.gates import gates, share_gates

PAGE, PICTURE = "book/cheapest.html", "thread-the-gates"
LOG_ERROR = arb(0, 1e-12)  # of a logarithm in float64 of a size below 200
NOTEBOOK = json.loads((ROOT / "book" / "cheapest.ipynb").read_text("utf-8"))


@pytest.fixture(scope="module")
def data():
    return computed(NOTEBOOK, PICTURE)


def shares():
    """The sizes of inputs, and between what Φ(−size) must lie."""
    given = gates("bfloat16", "faithful")
    return share_gates(given, np.maximum(given.x, 0), -np.abs(given.x))


def off(fit, a, end):
    """What 2^q is off from Φ(−a), in percent."""
    q = Chebyshev(fit["coefficients"], domain=[0, end])(a)
    return 100 * (2 ** (q - log_ndtr(-a) / np.log(2)) - 1)


def missed(data, fit):
    """How many of the drawn gates a polynomial misses, or are marked since they forbid it."""
    a, low, high = np.array(data["gates"]).T
    found = off(fit, a, data["end"])
    return int(((found < low) | (found > high) | np.isin(a, fit["forbidding"])).sum())


def test_a_gate_is_what_the_library_says(data):
    a, low, high = shares()
    drawn = np.array(data["gates"])
    places = np.searchsorted(a, drawn[:, 0])
    assert (a[places] == drawn[:, 0]).all() and (np.diff(places) > 0).all()
    exact = np.exp(log_ndtr(-a[places]))
    ends = 100 * (np.maximum([low[places], high[places]], 0) / exact - 1)
    np.testing.assert_allclose(drawn[:, 1:].T, ends, rtol=1e-3)
    assert (drawn[:, 1] < 0).all() and (drawn[:, 2] > 0).all()


def forbid(sizes):
    """Whether the gates at these sizes admit no polynomial of two degrees less than they are."""
    a, low, high = shares()
    bounds = []
    for place in np.searchsorted(a, sizes):
        logs = [arb(float(np.log2(end))) + LOG_ERROR if end > 0 else None
                for end in (low[place], high[place])]  # fmt: skip
        bounds.append(tuple(logs))
    try:
        return bool(prove_impassable([Fraction(size) for size in sizes], bounds) > 0)
    except CertificationError:
        return False


def test_the_gates_that_forbid_a_degree_do_and_a_degree_with_none_passes(data):
    for degree, fit in enumerate(data["fits"], 1):
        found = fit["forbidding"]
        assert len(found) == (degree + 2 if fit["distance"] > 1 else 0)
        assert forbid(found) if found else missed(data, fit) == 0
    five = data["fits"][4]["forbidding"]
    assert not forbid([0.5, *five[1:]])


def test_the_slider_begins_at_the_last_degree_that_cannot_pass(data):
    page = BeautifulSoup(markup(data, PICTURE), "html.parser")
    slider = page.select_one("#gates-slider")
    assert [slider[name] for name in ("min", "max", "value")] == ["1.0", "9.0", "5"]
    assert json.loads(page.select_one("#gates-data").string) == data
    every = {**data, "fits": [{**fit, "distance": 0.5} for fit in data["fits"]]}
    page = BeautifulSoup(markup(every, PICTURE), "html.parser")
    assert page.select_one("#gates-slider")["value"] == "1"


@pytest.mark.browser
def test_the_script_draws_each_gate_that_is_missed_and_the_curve_as_it_is(page_at, data):
    page = page_at()
    page.goto(PAGE)
    posts = page.locator("#gates-curve .gate")
    for degree, fit in enumerate(data["fits"], 1):
        page.locator("#gates-slider").fill(str(degree))
        page.wait_for_function(f"document.getElementById('gates-number').innerText == {degree}")
        lit, others = page.locator(".gate.lit"), page.locator(".gate.missed")
        assert posts.count() == 2 * len(data["gates"])
        assert lit.count() == 2 * len(fit["forbidding"])
        assert lit.count() + others.count() == 2 * missed(data, fit)
    last = page.evaluate("""() => document.querySelector("#gates-curve path.curve")
        .getAttribute("d").slice(1).split("L").map(point => point.split(" ").map(Number))""")
    heights = np.array(last)[:, 1]
    percent = off(fit, np.linspace(0, data["end"], heights.size), data["end"])
    slope, start = np.polyfit(percent, heights, 1)
    assert slope < 0 and np.abs(slope * percent + start - heights).max() < 0.1  # pixels
