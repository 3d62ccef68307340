"""The laws of the inputs: what their notebook hands to the page, and what the script draws."""

import json

import numpy as np
import pytest
from built_site import ROOT
from computed_pictures import SIZES, computed
from scipy.optimize import brentq
from scipy.special import expit, ndtr

from gelu_lib.functions.families import SLOPE_KEPT
from gelu_lib.register import result

PAGE = "book/does-it-matter.html"
NOTEBOOK = json.loads((ROOT / "book" / "does-it-matter.ipynb").read_text("utf-8"))
X = np.linspace(0, 12, 24_001)
NETWORKS = ["Magika", "MiniLM", "Whisper"]


@pytest.fixture(scope="module")
def data():
    return computed(NOTEBOOK, "laws-of-inputs")


def falling(k, sigma):
    """The mean square of the error of GELU for normal inputs, and its slope in k, to a factor."""
    kept = float(SLOPE_KEPT["p1"])
    form = expit(-kept * (X + k * X**3))
    error = X * (form - ndtr(-X))
    weight = np.exp(-((X / sigma) ** 2) / 2)
    return (weight * error**2).sum(), -(weight * error * X**4 * form * (1 - form)).sum()


def best(sigma):
    """Where the slope is 0."""
    return brentq(lambda k: falling(k, sigma)[1] / falling(0.044, sigma)[1], 0.04, 0.05, xtol=1e-12)


def test_the_best_k_and_what_the_printed_one_leaves_are_those_of_normal_inputs(data):
    sigmas, ks, losses = (np.array(data[name]) for name in ("sigmas", "best", "loss"))
    assert str(data["k"]) == result("page-cubic").value
    assert np.ptp(np.diff(np.log(sigmas))) < 1e-3  # between them the script interpolates
    assert sigmas[0] <= SIZES[0] < SIZES[1] <= sigmas[-1]
    assert (np.diff(ks) < 0).all()
    for sigma, k, loss in list(zip(sigmas, ks, losses, strict=True))[::20]:
        assert best(sigma) == pytest.approx(k, abs=1e-7)
        left = falling(data["k"], sigma)[0] / falling(best(sigma), sigma)[0]
        assert np.sqrt(left) == pytest.approx(loss, rel=1e-2)
    assert best(data["crossing"]) == pytest.approx(data["k"], abs=1e-7)
    assert best(data["crossing"] * 1.01) != pytest.approx(data["k"], abs=1e-7)


def test_the_shares_of_a_site_have_its_size(data):
    sites = data["sites"]
    assert list(dict.fromkeys(site["network"] for site in sites)) == NETWORKS
    assert len({(site["network"], site["site"]) for site in sites}) == len(sites)
    (far,) = (site for site in sites if site["rms"] > site["width"])
    second = sorted(site["rms"] for site in sites)[-2]
    assert np.sqrt(far["rms"] * second) > data["crossing"] * 10**0.66  # the slider's end is nearer
    for site in sites:
        if site is far:  # most of its inputs are left out, and it is never drawn
            continue
        shares, width = np.array(site["shares"]), site["width"]
        middles = (np.arange(shares.size) + 0.5) * 2 * width / shares.size - width
        inside = np.sqrt((shares * middles**2).sum())
        assert 0.9 < shares.sum() < 1.001, site
        assert 0.7 * site["rms"] < inside < 1.05 * site["rms"], site  # what is far out, is left out


def points(page, path):
    """The points of a path in pixels."""
    found = page.locator(path).get_attribute("d").removeprefix("M").split("L")
    return np.array([[float(number) for number in point.split()] for point in found]).T


def off_a_scale(values, pixels):
    """How far pixels are from a linear scale of values, at most, where they are not cut off."""
    slope, start = np.polyfit(values, pixels, 1)
    return np.abs(slope * np.asarray(values) + start - pixels).max()


@pytest.mark.browser
def test_the_script_draws_the_curve_the_sites_and_the_nearest_of_them(page_at, data):
    page = page_at()
    page.goto(PAGE)
    sites = data["sites"]
    for value in (-0.9, -0.35, 0, 0.1, 0.6):
        sigma = data["crossing"] * 10**value
        site = min(sites, key=lambda one: abs(np.log(one["rms"] / sigma)))
        page.locator("#laws-slider").fill(str(value))
        page.get_by_text(f"Nearest mark: {site['network']}, {site['site']}: ").first.wait_for()
        assert f"the best k is {best(sigma):.6f}" in page.locator("#laws-said").inner_text()
        bars = points(page, "#laws-inputs .area")[1, 1:-1:2]
        assert len(bars) == len(site["shares"])
        assert off_a_scale(site["shares"], bars) < 0.1
        bell = points(page, "#laws-inputs .curve")
        x = np.linspace(-site["width"], site["width"], bell.shape[1])
        assert off_a_scale(x, bell[0]) < 0.1
        assert off_a_scale(np.exp(-((x / sigma) ** 2) / 2), bell[1]) < 0.1
    line = points(page, "#laws-line .curve")
    assert off_a_scale(np.log(data["sigmas"]), line[0]) < 0.1
    assert off_a_scale(data["best"], line[1]) < 0.1
    for i, network in enumerate(NETWORKS):  # and one in the legend
        own = sum(site["network"] == network for site in sites)
        assert page.locator(f"#laws-line .site.n{i}").count() == own + 1
