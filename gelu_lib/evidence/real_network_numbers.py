"""The register's numbers of three networks that people use, as they follow from the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gelu_lib.evidence.measured import Network, four
from gelu_lib.evidence.real_networks import real_network_record, site_constants, wilson

Numbers = dict[str, float]


def arm(network: Network, name: str) -> Mapping[str, float]:
    """What an arm changed; ``swap`` is the one of exact and tanh that its file does not name."""
    other = {"exact": "tanh", "tanh": "exact"}[network["form"]]
    return network["arms"][other if name == "swap" else name]


def _of_each(numbers: Callable[[Network], Numbers], *ends: str) -> Numbers:
    """The numbers of each network, and the least and the largest of some of the same name."""
    networks = real_network_record()["networks"]
    found = {f"{name}, {of}": n for name in networks for of, n in numbers(networks[name]).items()}
    for end in ends:
        alike = [n for of, n in found.items() if of.endswith(f", {end}")]
        found |= {f"least, {end}": min(alike), f"largest, {end}": max(alike)}
    return found


def _ratio(network: Network, over: str, under: str, what: str = "relative") -> Numbers:
    a, b = (arm(network, name)[what] for name in (over, under))
    return {over: a, under: b, f"{over} over {under}": a / b}


def _distances(over: str, under: str) -> Numbers:
    return _of_each(lambda one: _ratio(one, over, under), f"{over} over {under}")


def _share(of: str, m: int, n: int) -> Numbers:
    """A share with its interval; what is 0 is left out, since the register has no 0."""
    low, high = wilson(m, n)
    found = {f"{of} changed": m, f"share of {of}": m / n, f"share of {of}, from": low} if m else {}
    return {of: n, **found, f"share of {of}, to": high}


def _decisions(network: Network, name: str) -> Numbers:
    of, n = arm(network, name), network["groups"]
    return _share("decisions", of["changed"], of["decisions"]) | _share("groups", of["groups"], n)


def _rulers(network: Network) -> Numbers:
    fewer = [a for a in network["arms"] if a.startswith(("float32", "activations", "weights"))]
    return {name: arm(network, name)["relative"] for name in fewer}


def _site_constants(network: Network) -> Numbers:
    fits = {(s["site"], name): site_constants(s, name) for s in network["sites"] for name in "kc"}
    return {f"{site}, {name}": next(iter(fit.values())) for (site, name), fit in fits.items()}


def _from_exact(network: Network) -> Numbers:
    ends = ("0.0447", "best k", "best c", "by layer", "sigmoid")
    arms = {name: found for name, found in network["arms"].items() if name.endswith(ends)}
    found = {name: one.get("from exact", one["relative"]) for name, one in arms.items()}
    return {"tanh": arm(network, "swap")["relative"], **found}


def _batch(magika: Network) -> Numbers:
    parts = {what: _ratio(magika, "batch of 8", "swap", what) for what in ("relative", "largest")}
    return {f"{what}, {name}": n for what, part in parts.items() for name, n in part.items()}


def _leads(magika: Network) -> Numbers:
    least, second, *_ = magika["leads"]
    twice = 2 * arm(magika, "swap")["largest"]
    return {"least lead": least, "second least lead": second, "twice the largest change": twice}


_COMPUTED: Mapping[str, Callable[[], Numbers]] = {
    "real-network-swap-distance": lambda: _distances("weights int8", "swap"),
    "real-network-swap-decisions": lambda: _of_each(lambda one: _decisions(one, "swap")),
    "real-network-sigmoid-distance": lambda: _distances("sigmoid", "weights int8"),
    "real-network-sigmoid-decisions": lambda: _of_each(lambda one: _decisions(one, "sigmoid")),
    "real-network-digits-distance": lambda: _distances("digits", "swap"),
    "real-network-digits-decisions": lambda: _of_each(lambda one: _decisions(one, "digits")),
    "real-network-rulers": lambda: _of_each(_rulers),
    "real-network-input-constants": lambda: _of_each(_site_constants, "k", "c"),
    "real-network-layer-constants": lambda: _of_each(_from_exact),
    "real-network-batch": lambda: _batch(real_network_record()["networks"]["Magika"]),
    "real-network-leads": lambda: _leads(real_network_record()["networks"]["Magika"]),
}
REAL_NETWORK_NUMBERS = {id: lambda id=id: four(**_COMPUTED[id]()) for id in _COMPUTED}
