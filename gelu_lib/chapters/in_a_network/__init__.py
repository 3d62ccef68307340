"""The chapter in-a-network: two small networks, trained and run with each form of GELU.

The modules: ``record`` (what ``tools/record_networks.py`` measured), ``pairs`` (what a few seeds
say of a difference), ``changes`` (what a swap of the form changes), ``inputs`` (what comes into
GELU, and the best constants for it), and ``pictures``. The tables, the numbers in the text and
those of the register stand here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from gelu_lib.chapters.in_a_network.changes import (
    NAMES,
    RULER,
    apart,
    behind,
    between_seeds,
    missed,
    noise,
    outside,
    steps_back,
    swap,
    swapped,
    training,
    typical,
)
from gelu_lib.chapters.in_a_network.inputs import MEMBERS, Spread, best, root_mean_square, spread
from gelu_lib.chapters.in_a_network.pairs import Difference
from gelu_lib.chapters.in_a_network.pictures import (
    ARMS,
    SHOWN,
    after_training,
    after_tuning,
    foresight,
    inputs_of_gelu,
    opening,
)
from gelu_lib.chapters.in_a_network.record import Network, networks
from gelu_lib.fits.optima import MEASURES, stored
from gelu_lib.show.tables import Table, decimal

__all__ = ["after_training", "after_tuning", "foresight", "inputs_of_gelu", "opening"]


TWICE = tuple(f"{form}, twice the rate" for form in ("tanh", "exact"))


def millionths(number: float) -> str:
    """A number in millionths, to two digits, such as ``21``, ``0.45`` or ``200,000``."""
    text = decimal(1e6 * number, 2)
    if "e+" not in text:
        return text
    return f"{float(text.replace('−', '-')):,.0f}".replace("-", "−")


def signed(number: float) -> str:
    """A number in millionths with its sign, as ``+21``."""
    return f"{'+' if number > 0 else ''}{millionths(number)}"


def interval(found: Difference) -> str:
    """The ends of an interval in millionths, as ``−12 to +34``."""
    return f"{signed(found.low)} to {signed(found.high)}"


def plain(number: float) -> str:
    """A number with its sign, to two places; what is rounded to 0 has none."""
    return f"{number:+.2f}".replace("+0.00", "0.00").replace("-0.00", "0.00").replace("-", "−")


def percent(share: float, digits: int = 2) -> str:
    return f"{decimal(100 * share, digits)} %"


# --- tables


def networks_table() -> Table:
    """What the two networks are, and how well they do with the exact form."""
    rows = []
    for network in networks().values():
        loss = network.losses("exact")
        accuracy = float(np.mean(network.trained["exact"]["accuracy"]))
        cells = [
            f"{network.data['training']:,}; {judged_on(network):,}",
            f"{network.plan['steps']:,}",
            str(network.seeds),
            f"{loss.mean():.3f}",
            millionths(between_seeds(network)),
            percent(accuracy, 3),
        ]
        rows.append([network.name, *cells])
    header = ["network", "characters or pictures to train, to judge", "steps", "seeds", "loss"]
    return Table([*header, "sd over seeds, in millionths", "accuracy"], rows)


def judged_on(network: Network) -> int:
    """How many answers the loss is the mean of: those of all windows, or of all pictures."""
    task = network.plan["task"]
    if "windows" in task:
        return task["windows"] * task["shape"]["context"]
    return network.data["validation"]


def drawn_by(network: Network) -> int:
    """How many characters are drawn in the training of a transformer."""
    task = network.plan["task"]
    return network.plan["steps"] * task["batch"] * task["shape"]["context"]


def swap_table(name: str, trained: str = "exact") -> Table:
    """What changes when another form takes the place of the trained one.

    Args:
        name: of the network.
        trained: the form that it was trained with.
    """
    network = networks()[name]
    header = [f"{name}: in place of the {NAMES[trained]}", "distance"]
    header += ["typical change, in millionths", "mean", "95 % for the mean"]
    rows = []
    for other in sorted(swapped(network, trained), key=lambda one: apart(trained, one)):
        found = swap(network, trained, other)
        accuracy = 100 * network.change(trained, other, "accuracy").mean()
        changed = network.change(trained, other, "changed").mean()
        size = typical(network, trained, other)
        sizes = [decimal(apart(trained, other), 2), millionths(size)]
        ends = [signed(found.mean), interval(found)]
        shares = [f"{plain(accuracy)} %", f"{100 * changed:.2f} %"]
        rows.append([NAMES[other], *sizes, *ends, *shares])
    return Table([*header, "change of accuracy", "others chosen"], rows)


def narrow_table() -> Table:
    """What sixteen bits change in the loss: in the activation alone, and in the whole network."""
    rows = []
    for network in networks().values():
        for dtype in ("float16", "bfloat16"):
            alone = [
                typical(network, "exact", f"{form}, {dtype}")
                for form in ("exact", "tanh", "sigmoid")
            ]
            cells = [millionths(change) for change in (*alone, _whole(network, dtype))]
            rows.append([network.name, dtype, *cells])
    header = ["network", "type", "exact form in it", "tanh form in it", "sigmoid form in it"]
    return Table([*header, "the whole network in it"], rows)


def _whole(network: Network, dtype: str) -> float:
    """The typical change of the loss if all of a network is computed in a type."""
    return float(np.sqrt(np.mean(np.square(network.narrow[dtype]["loss"]))))


def training_table(name: str) -> Table:
    """How far the losses of two ways of training are apart, and what would have been seen."""
    network = networks()[name]
    header = [f"{name} trained with", "mean difference, in millionths", "95 %"]
    header += ["chance", "seen from"]
    rows = []
    for arm in (RULER, *ARMS):
        found = training(network, arm)
        cells = [signed(found.mean), interval(found), decimal(found.chance, 2)]
        rows.append([NAMES[arm], *cells, millionths(found.seen)])
    return Table(header, rows)


def rates_table() -> Table:
    """The perceptron once more, with half and with twice the learning rate."""
    network = networks()["perceptron"]
    rows = []
    for rate in ("half", "twice"):
        for form in ("tanh", "sigmoid"):
            found = training(network, *(f"{one}, {rate} the rate" for one in (form, "exact")))
            cells = [signed(found.mean), interval(found), millionths(found.seen)]
            rows.append([rate, NAMES[form], *cells])
    header = ["learning rate", "trained with", "mean difference, in millionths", "95 %"]
    return Table([*header, "seen from"], rows)


def inputs_table() -> Table:
    """For each layer how the inputs of GELU are spread, at the start and at the end."""
    header = ["network", "layer", "mean and sd at the start", "at the end"]
    header += ["from its own normal", "from the standard one"]
    rows = []
    for network in networks().values():
        last = str(network.plan["steps"])
        for layer in range(len(network.inputs[last])):
            first, end = (spread(network, steps, layer) for steps in ("0", last))
            spreads = [f"{plain(one.mean)}, {one.sd:.2f}" for one in (first, end)]
            distances = [f"{end.distance(end.mean, end.sd):.2f}", f"{end.distance():.2f}"]
            rows.append([network.name, str(layer + 1), *spreads, *distances])
    return Table(header, rows)


def at_the_end(network: Network) -> Spread:
    """The inputs of all layers after training."""
    return spread(network, str(network.plan["steps"]))


def layers_at_the_end(network: Network) -> list[Spread]:
    """The inputs of each layer after training."""
    last = str(network.plan["steps"])
    return [spread(network, last, layer) for layer in range(len(network.inputs[last]))]


def constants_table() -> Table:
    """The best constants for the inputs of each network, beside the famous ones."""
    header = ["inputs of", "$k$, slope kept", "$p_1$ and $k$", "$c$"]
    rows = [["the famous", "0.044715", "1.595769 and 0.044715", "1.702"]]
    for network in networks().values():
        k, (p1, p3), c = (best(at_the_end(network), form) for form in MEMBERS)
        cells = [f"{k[0]:.5f}", f"{p1:.5f} and {p3 / p1:.5f}", f"{c[0]:.4f}"]
        rows.append([network.name, *cells])
    return Table(header, rows)


def measures_table(form: str = "tanh-pinned") -> Table:
    """How much more error the best constants of each measure leave than the best for the inputs.

    The measure of the error is its root mean square over the inputs of the network.
    """
    rows = []
    for measure in MEASURES:
        constants = tuple(map(float, _free(form, measure)))
        rows.append([measure, decimal(constants[0], 5), *_excess(form, constants)])
    _, famous = MEMBERS[form]
    rows.append(["the famous", f"{famous[0]}", *_excess(form, famous)])
    return Table(["best by", "constant", *networks()], rows)


def _free(form: str, measure: str) -> Iterable:
    choice = stored(form, "GELU", measure)
    return choice.parameters.values() if form == "tanh-free" else [choice.constant]


def _excess(form: str, constants: tuple[float, ...]) -> list[str]:
    return [f"{ratio:.3f}" for ratio in excess(form, constants)]


def excess(form: str, constants: tuple[float, ...]) -> list[float]:
    """For each network the error of constants, as a multiple of the least possible one."""
    found = []
    for network in networks().values():
        inputs = at_the_end(network)
        least = root_mean_square(inputs, form, best(inputs, form))
        found.append(root_mean_square(inputs, form, constants) / least)
    return found


def foresight_table() -> Table:
    """What the first and the second order foresee, and what was measured, in the mean."""
    header = ["network", "swap", "first order, in millionths", "with the second", "measured"]
    rows = []
    for network in networks().values():
        for trained, other in (
            *(("exact", other) for other in ("tanh", "sigmoid", "silu", "relu")),
            ("sigmoid", "exact"),
        ):
            first = network.foreseen(trained, other)
            second = first + network.change(trained, other, "second")
            means = (first, second, network.change(trained, other))
            names = f"{NAMES[trained]} to {NAMES[other]}"
            rows.append([network.name, names, *(signed(float(one.mean())) for one in means)])
    return Table(header, rows)


def tuning_table() -> Table:
    """The first step with the loss back, for each seed, and where it is at the last step."""
    header = ["network", "swapped to", "first step back (seeds)", "not within at the last"]
    header += ["behind the exact form then, in millionths", "95 %"]
    rows = []
    for network in networks().values():
        for form in network.tuned:
            steps = counted(steps_back(network, form))
            out = f"{outside(network, form)[:, -1].sum()} of {network.seeds}"
            behind = ["—", "—"] if form == "exact" else _behind_cells(network, form)
            rows.append([network.name, NAMES[form], steps, out, *behind])
    return Table(header, rows)


def _behind_cells(network: Network, form: str) -> list[str]:
    found = behind(network, form)
    return [signed(found.mean), interval(found)]


def counted(steps: Iterable[int | None]) -> str:
    """How often each number of steps occurs, as ``0 (4), 8 (1), never (1)``."""
    found = list(steps)
    kinds = sorted({one for one in found if one is not None})
    parts = [f"{one} ({found.count(one)})" for one in kinds]
    return ", ".join(parts + ([f"never ({found.count(None)})"] if None in found else []))


# --- numbers of the text


def numbers() -> dict[str, str]:
    """The numbers in the text; what it says without a number is held here too."""
    _hold_the_words()
    transformer, perceptron = networks().values()
    return {
        **_plan_texts(transformer, perceptron),
        **_swap_texts(transformer),
        **_best_texts(transformer, perceptron),
        **_quick_texts(perceptron),
        **_rounding_texts(transformer, perceptron),
        **_tuning_texts(transformer, perceptron),
        **_input_texts(transformer, perceptron),
        **_training_texts(transformer, perceptron),
        "noise-transformer": millionths(noise(transformer)),
        "noise-perceptron": millionths(noise(perceptron)),
        **_rate_texts(perceptron),
        "drawn": f"{drawn_by(transformer):,}",
        "few": str(transformer.seeds),
        "signed-rank": decimal(2 / 2**transformer.seeds, 2),
        "minutes": f"{(transformer.seconds + perceptron.seconds) / 60:.0f}",
    }


def _plan_texts(transformer: Network, perceptron: Network) -> dict[str, str]:
    plan = transformer.plan
    names = ("rate", "rising", "decay", "tuned_to")
    assert all(plan[name] == perceptron.plan[name] for name in names)
    return {
        "rate": f"{plan['rate']}",
        "rising": f"{plan['rising']}",
        "decay": f"{plan['decay']}",
        "tuned-to": f"{plan['tuned_to'][-1]}",
        "seeds-transformer": millionths(between_seeds(transformer)),
    }


def _best_texts(*both: Network) -> dict[str, str]:
    """What the best constants for GELU do in place of the exact form, beside the famous ones."""
    forms = {"best": "tanh, best k", "both": "tanh, both best", "famous": "tanh"}
    return {
        f"{name}-{network.name}": millionths(typical(network, "exact", form))
        for network in both
        for name, form in forms.items()
    }


def _quick_texts(network: Network) -> dict[str, str]:
    """What the exact form does to perceptrons that were trained with the sigmoid form."""
    found = swap(network, "sigmoid", "exact")
    lower = int((network.change("sigmoid", "exact") < 0).sum())
    return {
        "quick-perceptron": signed(found.mean),
        "quick-perceptron-ends": interval(found),
        "quick-lower": f"{lower} of {network.seeds}",
    }


def _rounding_texts(*both: Network) -> dict[str, str]:
    """Which part of what the exact form in sixteen bits changes the first order misses."""
    forms = ("exact, float16", "exact, bfloat16")
    parts = [missed(network, "exact", form) for network in both for form in forms]
    ends = {"rounding-least": min(parts), "rounding-most": max(parts)}
    return {name: f"{100 * part:.0f} %" for name, part in ends.items()}


def _tuning_texts(transformer: Network, perceptron: Network) -> dict[str, str]:
    learned = -float((transformer.tuned_by("exact")[:, -1] - transformer.losses("exact")).mean())
    left = {
        one.name: f"{outside(one, 'exact').any(axis=1).sum()} of {one.seeds}"
        for one in (transformer, perceptron)
    }
    relu_out = int(outside(perceptron, "relu")[:, -1].sum())
    return {
        "steps-relu": _most(steps_back(transformer, "relu")),
        "steps-silu": _most(steps_back(transformer, "silu")),
        **{
            f"{form}-behind": millionths(behind(transformer, form).mean)
            for form in ("sigmoid", "silu", "relu")
        },
        "relu-behind-ends": interval(behind(transformer, "relu")),
        "sigmoid-behind-perceptron": millionths(behind(perceptron, "sigmoid").mean),
        "kept-left-transformer": left["transformer"],
        "kept-left-perceptron": left["perceptron"],
        "relu-out": f"{relu_out} of {perceptron.seeds}",
        "learned": millionths(learned),
        "learned-seeds": f"{learned / between_seeds(transformer):.0f}",
    }


def _swap_texts(network: Network) -> dict[str, str]:
    tanh, sigmoid = (typical(network, "exact", other) for other in ("tanh", "sigmoid"))
    changed = {
        other: network.change("exact", other, "changed").mean()
        for other in ("tanh", "sigmoid", "relu")
    }
    lower = int((network.change("exact", "sigmoid") < 0).sum())
    back = swap(network, "tanh", "exact")
    return {
        "tanh-transformer": millionths(tanh),
        "tanh-parts": f"{between_seeds(network) / tanh:.0f}",
        "sigmoid-transformer": millionths(sigmoid),
        "relu-transformer": millionths(typical(network, "exact", "relu")),
        "tanh-exact": signed(back.mean),
        "tanh-exact-ends": interval(back),
        "sigmoid-first": signed(float(network.foreseen("exact", "sigmoid").mean())),
        "sigmoid-came": signed(swap(network, "exact", "sigmoid").mean),
        "cut-transformer": millionths(typical(network, "tanh", "tanh, 0.0447")),
        "cut-more": millionths(typical(network, "tanh", "tanh, 0.0447149")),
        **{f"{other}-changed": percent(share) for other, share in changed.items()},
        "lowered": f"{lower} of {network.seeds}",
        "quick-exact": millionths(swap(network, "sigmoid", "exact").mean),
        "bfloat16-exact": millionths(typical(network, "exact", "exact, bfloat16")),
        "bfloat16-whole": millionths(_whole(network, "bfloat16")),
    }


def _input_texts(transformer: Network, perceptron: Network) -> dict[str, str]:
    (k,), (c,) = (best(at_the_end(transformer), form) for form in ("tanh-pinned", "sigmoid"))
    (wide,) = best(at_the_end(perceptron), "sigmoid")
    ends = [layer for one in (transformer, perceptron) for layer in layers_at_the_end(one)]
    worst = excess("tanh-pinned", (float(stored("tanh-pinned", "GELU", "sup").constant),))
    return {
        "beyond": percent(at_the_end(transformer).beyond(2.5)),
        "size-transformer": f"{at_the_end(transformer).size:.2f}",
        "size-perceptron": f"{at_the_end(perceptron).size:.2f}",
        "cubic-off": f"{100 * (k / 0.044715 - 1):.1f}",
        "scale-off": f"{100 * (c / 1.702 - 1):.1f}",
        "scale-off-perceptron": f"{100 * (wide / 1.702 - 1):.1f}",
        "from-normal": f"{max(one.distance(one.mean, one.sd) for one in ends):.3f}",
        "worst": f"{worst[0]:.2f}",
        "worst-perceptron": f"{worst[1]:.2f}",
    }


def _training_texts(transformer: Network, perceptron: Network) -> dict[str, str]:
    tanh = {one.name: training(one, "tanh").mean for one in (transformer, perceptron)}
    less = training(transformer, "tanh", "exact, tanh slope")
    return {
        "trained-transformer": millionths(tanh["transformer"]),
        "trained-perceptron": millionths(tanh["perceptron"]),
        "trained-parts": f"{between_seeds(transformer) / tanh['transformer']:.0f}",
        "trained-parts-perceptron": f"{between_seeds(perceptron) / tanh['perceptron']:.0f}",
        "relu-ends": interval(training(transformer, "relu")),
        "slope-ends": interval(training(transformer, "exact, tanh slope")),
        "slope-perceptron": millionths(training(perceptron, "exact, tanh slope").mean),
        "slope-seen": millionths(training(transformer, "exact, tanh slope").seen),
        "chance-transformer": decimal(training(transformer, "tanh").chance, 2),
        "chance-perceptron": decimal(training(perceptron, "tanh").chance, 2),
        "two": decimal(0.05 / 2, 2),
        "bonferroni": decimal(0.05 / (2 * len(ARMS)), 1),
        "less-slope": millionths(less.mean),
        "less-slope-ends": interval(less),
    }


def _rate_texts(network: Network) -> dict[str, str]:
    """How the tanh form does with twice the learning rate."""
    twice = training(network, *TWICE)
    higher = int((network.losses(TWICE[0]) > network.losses(TWICE[1])).sum())
    return {
        "twice": signed(twice.mean),
        "twice-higher": f"{higher} of {network.seeds}",
        "twice-seen": millionths(twice.seen),
    }


def _most(steps: Iterable[int | None]) -> str:
    """The largest of some numbers of steps, none of which is missing."""
    found = list(steps)
    assert None not in found
    return str(max(found))


def _hold_the_words() -> None:
    """What the text says without a number."""
    transformer, perceptron = networks().values()
    reads = transformer.plan["task"]
    assert (reads["shape"]["layers"], reads["shape"]["context"], reads["windows"]) == (3, 64, 128)
    for network in (transformer, perceptron):
        _hold_swaps(network)
        _hold_training(network)
        _hold_inputs(network)
        _hold_sixteen_bits(network)
        assert all(one == 0 for form in ("tanh", "sigmoid") for one in steps_back(network, form))
        assert noise(network) < 1e-2 * abs(training(network, "tanh").mean)
    assert typical(transformer, "exact", "relu") > between_seeds(transformer)
    assert typical(transformer, "exact", "silu") > between_seeds(transformer)
    assert not training(transformer, "exact, tanh slope").found
    assert training(perceptron, "exact, tanh slope").found
    half = training(perceptron, "tanh, half the rate", "exact, half the rate")
    assert half.found and not training(perceptron, *TWICE).found
    assert drawn_by(transformer) < transformer.data["training"] / 2
    assert steps_back(perceptron, "relu").count(None) == 1
    assert not behind(transformer, "relu").found
    own = perceptron.tuned_by("exact") - perceptron.losses("exact")[:, None]
    assert (own.mean(axis=0)[1:] > 0).all()
    for network in (transformer, perceptron):
        assert behind(network, "sigmoid").found and behind(network, "silu").found
        assert training(network, "exact, tanh slope").mean < between_seeds(network) / 100
    assert training(transformer, "tanh", "exact, tanh slope").low > 0
    assert swap(transformer, "tanh", "exact").high < 0
    assert (transformer.change("sigmoid", "exact") > 0).sum() == transformer.seeds - 1
    judges = {
        measure: excess("tanh-pinned", (float(stored("tanh-pinned", "GELU", measure).constant),))
        for measure in MEASURES
    }
    famous = excess("tanh-pinned", MEMBERS["tanh-pinned"][1])
    assert judges["Gaussian L2"][0] < 1.0005
    assert max(judges, key=lambda one: judges[one][0]) == "sup"
    assert min(judges, key=lambda one: judges[one][1]) == "L1"
    assert all(one < other for one, other in zip(famous, judges["sup"], strict=True))


def _hold_swaps(network: Network) -> None:
    own = between_seeds(network)
    forms = ("exact", "tanh", "sigmoid")
    swaps = [(one, other) for one in forms for other in forms if one != other]
    assert all(typical(network, *pair) < own for pair in swaps)
    assert all(
        typical(network, *pair) < own / 100 for pair in (("exact", "tanh"), ("tanh", "exact"))
    )
    inside = [
        (one, other) for one in forms for other in SHOWN[one] if other not in ("relu", "silu")
    ]
    assert all(np.abs(network.change(*pair)).max() < own for pair in inside)
    assert typical(network, "exact", "tanh, best k") > typical(network, "exact", "tanh")
    cut, more = (
        typical(network, "tanh", other) / apart("tanh", other)
        for other in ("tanh, 0.0447", "tanh, 0.0447149")
    )
    assert abs(cut / more - 1) < 0.02
    near = [(one, other) for one, other in swaps if "sigmoid" not in (one, other)]
    for pair in near:
        assert missed(network, *pair) < 0.005
    for pair in swaps:
        assert (network.change(*pair, "second") > 0).all()
    relative = [typical(network, *pair) / apart(*pair) for pair in inside]
    assert max(relative) < 5 * min(relative)


def _hold_training(network: Network) -> None:
    own = between_seeds(network)
    tanh, sigmoid, silu, relu = (
        training(network, arm) for arm in ("tanh", "sigmoid", "silu", "relu")
    )
    assert tanh.found and tanh.mean > 0
    assert 0.05 / (2 * len(ARMS)) < tanh.chance < 0.05 / 2
    assert sigmoid.found and 0 < sigmoid.mean < own
    assert silu.found and silu.mean > own
    assert not relu.found
    assert tanh.mean < own / 100


def _hold_sixteen_bits(network: Network) -> None:
    tanh, sigmoid = (typical(network, "exact", other) for other in ("tanh", "sigmoid"))
    own = between_seeds(network)
    for dtype in ("float16", "bfloat16"):
        assert abs(typical(network, "exact", f"sigmoid, {dtype}") - sigmoid) < 0.1 * sigmoid
        assert _whole(network, dtype) < 0.05 * own
    alone = typical(network, "exact", "exact, bfloat16")
    assert (alone < tanh) == (network.name == "transformer")
    assert _whole(network, "bfloat16") > tanh


def _hold_inputs(network: Network) -> None:
    last = str(network.plan["steps"])
    for layer in range(len(network.inputs[last])):
        start, end = (spread(network, steps, layer) for steps in ("0", last))
        assert end.distance(end.mean, end.sd) < 0.025 < 0.15 < end.distance()
        assert start.sd < 0.6 < end.sd


# --- numbers of the register


def _means(found: Difference) -> dict[str, str]:
    """The mean and its interval, as the register has them."""
    return {"mean": _four(found.mean), "from": _four(found.low), "to": _four(found.high)}


def _four(number: float) -> str:
    """A number to four significant digits, as the register writes it."""
    return decimal(number, 4).replace("−", "-")


def _named(parts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    return {f"{name}, {of}": one for name, numbers in parts.items() for of, one in numbers.items()}


def swap_numbers() -> dict[str, str]:
    """The change of the loss by each swap of an exact network, with the 95 % interval."""
    return _named(
        {
            f"{network.name}, {NAMES[other]}": _means(swap(network, "exact", other))
            | {"root mean square": _four(typical(network, "exact", other))}
            for network in networks().values()
            for other in ("tanh", "sigmoid", "silu", "relu")
        }
    )


def training_numbers(arm: str) -> dict[str, str]:
    """How far an arm of the training is from the exact form, and what would have been seen."""
    return _named(
        {
            network.name: _means(found) | {"seen from": _four(found.seen)}
            for network in networks().values()
            for found in [training(network, arm)]
        }
    )


def input_numbers() -> dict[str, str]:
    """The best constants for the inputs of each network."""
    parts = {}
    for network in networks().values():
        (k,), (c,) = (best(at_the_end(network), form) for form in ("tanh-pinned", "sigmoid"))
        parts[network.name] = {"k": _four(k), "c": _four(c)}
    return _named(parts)


MEASURED = {
    "network-swap-loss": swap_numbers,
    "network-training-tanh": lambda: training_numbers("tanh"),
    "network-training-slope": lambda: training_numbers("exact, tanh slope"),
    "network-input-constants": input_numbers,
}
