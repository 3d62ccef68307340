"""The room of the chapter on networks: its statistics, its inputs, and that it reads its record."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import ttest_rel

from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters import in_a_network as chapter
from gelu_lib.chapters.in_a_network import record as record_module
from gelu_lib.chapters.in_a_network.changes import (
    RULER,
    apart,
    behind,
    missed,
    noise,
    outside,
    steps_back,
    swapped,
    typical,
)
from gelu_lib.chapters.in_a_network.inputs import (
    MEMBERS,
    Spread,
    best,
    root_mean_square,
    spread,
)
from gelu_lib.chapters.in_a_network.pairs import least_seen, paired
from gelu_lib.chapters.in_a_network.pictures import SHOWN
from gelu_lib.chapters.in_a_network.record import (
    Network,
    RecordError,
    checked,
    networks,
    record,
)
from gelu_lib.fits.optima import stored
from gelu_lib.functions.forms import APPROXIMATIONS
from gelu_lib.register import result

EDGES = np.linspace(-12, 12, 769)
GENERATOR = np.random.default_rng(seed=44715)


def normal(mean=0.0, sd=1.0):
    """As many inputs in each bin as a normal distribution has."""
    return Spread(EDGES, np.diff(ndtr((EDGES - mean) / sd)), 0)


FLAT = Spread(EDGES, np.ones(EDGES.size - 1), 0)


def test_the_interval_of_pairs_is_that_of_student():
    ones, others = GENERATOR.normal(size=(2, 7))
    found, known = paired(ones, others), ttest_rel(ones, others)
    interval = known.confidence_interval(0.95)
    assert found.mean == pytest.approx(np.mean(ones - others))
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.chance == pytest.approx(known.pvalue)
    assert found.found == (known.pvalue < 0.05)


def test_the_order_of_the_pairs_counts():
    ones, others = GENERATOR.normal(size=(2, 7))
    assert paired(ones, others[::-1]).sd != pytest.approx(paired(ones, others).sd)


@pytest.mark.parametrize("count", [3, 6, 20])
def test_the_least_difference_that_is_seen_is_found_in_80_of_100_experiments(count):
    shift, runs = least_seen(2.0, count), 20_000
    drawn = GENERATOR.normal(shift, 2.0, size=(runs, count))
    found = ttest_rel(drawn, np.zeros_like(drawn), axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=5 * np.sqrt(0.16 / runs))
    weaker = drawn - 0.1 * shift
    missed = ttest_rel(weaker, np.zeros_like(drawn), axis=1).pvalue < 0.05
    assert missed.mean() < 0.8 - 5 * np.sqrt(0.16 / runs)


@pytest.mark.parametrize(
    ("ones", "others", "said"),
    [
        ([1.0, 2.0], [1.0], "2 and 1 numbers"),
        ([1.0], [2.0], "1 and 1 numbers"),
        ([1.0, 2.0], [0.0, 1.0], "all differences are the same"),
    ],
)
def test_what_is_no_pair_is_refused(ones, others, said):
    with pytest.raises(ValueError, match=said):
        paired(ones, others)


@pytest.mark.parametrize(
    ("inputs", "measure"), [(normal(), "Gaussian L2"), (FLAT, "L2")], ids=["normal", "flat"]
)
@pytest.mark.parametrize("form", MEMBERS)
def test_for_inputs_of_a_known_kind_the_best_constants_are_those_of_the_table(
    inputs, measure, form
):
    known = stored(form, "GELU", measure)
    free = [known.parameters[name] for name in known.parameters]
    expected = {
        "tanh-pinned": [known.constant],
        "tanh-free": free,
        "sigmoid": free,
    }[form]
    assert best(inputs, form) == pytest.approx([float(one) for one in expected], rel=2e-4)


def test_for_other_inputs_other_constants_are_the_best():
    narrow, wide = best(normal(sd=0.3), "sigmoid"), best(normal(sd=3), "sigmoid")
    assert narrow[0] < 1.65 < 1.72 < wide[0]


@pytest.mark.parametrize("form", MEMBERS)
def test_no_constants_nearby_are_better(form):
    inputs = normal(-0.5, 1.5)
    constants = best(inputs, form)
    least = root_mean_square(inputs, form, constants)
    for i in range(len(constants)):
        for factor in (0.999, 1.001):
            moved = [c * (factor if i == j else 1) for j, c in enumerate(constants)]
            assert root_mean_square(inputs, form, tuple(moved)) > least


def test_what_is_known_of_normal_inputs():
    inputs = normal(0.5, 2)
    assert (inputs.mean, inputs.sd) == pytest.approx((0.5, 2), abs=1e-3)
    assert inputs.distance(0.5, 2) < 1e-8
    assert inputs.distance(0, 2) == pytest.approx(2 * ndtr(0.125) - 1, abs=1e-3)
    assert root_mean_square(inputs, "sigmoid", (1.702,)) > 0.01


# --- the record


def test_the_record_is_whole():
    assert set(networks()) == {"transformer", "perceptron"}
    for network in networks().values():
        assert len(network.losses("exact")) == network.seeds >= 5
        layers = [one for steps in network.inputs.values() for one in steps]
        assert all(len(one["counts"].split()) == EDGES.size - 1 for one in layers)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda r: r.pop("device"), "the record lacks device"),
        (lambda r: r["networks"]["perceptron"].pop("inputs"), "perceptron lacks inputs"),
        (
            lambda r: r["networks"]["transformer"]["trained"]["tanh"]["loss"].pop(),
            "transformer, trained tanh: 5 entries for 6 seeds",
        ),
        (
            lambda r: r["networks"]["transformer"]["swaps"]["tanh"]["exact"]["loss"].append(0),
            "transformer, tanh as exact: 7 entries for 6 seeds",
        ),
        (
            lambda r: r["networks"]["perceptron"]["tuned"]["relu"].pop(),
            "perceptron, tuned relu: 11 entries for 12 seeds",
        ),
    ],
)
def test_a_record_that_is_not_whole_is_refused(spoil, said):
    found = json.loads(json.dumps(dict(record())))
    checked(found)
    spoil(found)
    with pytest.raises(RecordError, match=said):
        checked(found)


def test_the_inputs_of_all_layers_are_those_of_each_together():
    network = networks()["transformer"]
    last = str(network.plan["steps"])
    layers = [spread(network, last, i) for i in range(len(network.inputs[last]))]
    assert np.array_equal(spread(network, last).counts, sum(one.counts for one in layers))
    for layer, one in zip(layers, network.inputs[last], strict=True):
        assert layer.mean == pytest.approx(np.mean(one["mean"]), abs=0.02)


def grid(numbers):
    """The unit of the last decimal place that some numbers have."""
    return 10.0 ** -max(len(np.format_float_positional(one).partition(".")[2]) for one in numbers)


def rounded(numbers, digits):
    return [float(f"{one:.{digits}g}") for one in numbers]


def test_the_grid_of_the_record_is_finer_than_its_ruler():
    """Else the ruler would be the rounding of the record; eight digits would not do."""
    for network in networks().values():
        for arm in ("exact", RULER):
            losses = network.losses(arm)
            assert grid(losses) < noise(network) / 1000
            assert not grid(rounded(losses, 8)) < noise(network) / 1000


def test_hardly_an_input_lies_outside_the_bins():
    for network in networks().values():
        found = spread(network, str(network.plan["steps"]))
        assert found.outside <= 1e-4 * found.counts.sum()


def test_what_a_network_is_judged_on_and_what_it_draws():
    windows, context, batch, steps = 5, 7, 3, 11
    task = {"shape": {"context": context}, "batch": batch, "windows": windows}
    text = invented(plan={"task": task, "steps": steps}, data={"validation": 1000})
    assert chapter.judged_on(text) == 35
    assert chapter.drawn_by(text) == 231
    pictures = invented(plan={"task": {"batch": 2}}, data={"validation": 1000})
    assert chapter.judged_on(pictures) == 1000


# --- swaps


@pytest.mark.parametrize("form", APPROXIMATIONS)
def test_the_distance_of_a_form_from_gelu_is_the_proved_one(form):
    proved = float(certified_sup_error(APPROXIMATIONS[form], of="GELU").error.rounded(12))
    assert proved * (1 - 1e-6) < apart("exact", form) <= proved * (1 + 1e-11)


def test_the_best_constants_are_nearer_than_the_famous_ones():
    assert apart("exact", "tanh, both best") < apart("exact", "tanh, best k")
    assert apart("exact", "tanh, best k") < apart("exact", "tanh")
    assert apart("exact", "sigmoid, best c") < apart("exact", "sigmoid")


def invented(**parts):
    """A network of which nothing is known but two seeds and what is given."""
    empty = {name: {} for name in ("data", "swaps", "narrow", "inputs")}
    own = {"exact": {"loss": [1.0, 2.0]}}
    kept = {"plan": {"tuned_to": [0, 1, 4]}, "seeds": 2, "seconds": 1, "trained": own}
    return Network("invented", **{**empty, "tuned": {}, **kept, **parts})


def test_a_loss_is_back_when_it_is_within_one_standard_deviation_of_what_it_was():
    spread_of_seeds = np.sqrt(0.5)
    rows = [[3.0, 1 + spread_of_seeds + 0.01, 1 + spread_of_seeds - 0.01], [2.0, 9.0, 9.0]]
    assert steps_back(invented(tuned={"relu": rows}), "relu") == [4, 0]
    found = outside(invented(tuned={"relu": rows}), "relu")
    assert found.tolist() == [[True, True, False], [False, True, True]]
    rows[0][2] = 3.0
    assert steps_back(invented(tuned={"relu": rows}), "relu") == [None, 0]


def test_how_far_a_form_is_behind_at_the_last_step():
    tuned = {
        "exact": [[0.0, 9.0, 1.0], [0.0, 9.0, 2.0]],
        "relu": [[5.0, 5.0, 2.0], [5.0, 5.0, 5.0]],
    }
    assert behind(invented(tuned=tuned), "relu").mean == 2.0


def test_the_part_that_the_first_order_misses():
    swaps = {"exact": {"relu": {"loss": [3.0, 4.0], "first": [[1.0, 2.0], [3.0, 1.0]]}}}
    assert missed(invented(swaps=swaps), "exact", "relu") == 0.0
    swaps["exact"]["relu"]["first"] = [[1.0, -1.0], [0.0, 0.0]]
    assert missed(invented(swaps=swaps), "exact", "relu") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("steps", "words"),
    [([0, 0, 8], "0 (2), 8 (1)"), ([None, 4, None], "4 (1), never (2)"), ([None], "never (1)")],
)
def test_steps_are_counted_in_words(steps, words):
    assert chapter.counted(steps) == words


# --- what the chapter shows follows from the record


def test_a_changed_record_changes_what_is_registered(monkeypatch):
    before = chapter.swap_numbers()
    networks()["transformer"].swaps["exact"]["tanh"]["loss"][0] += 1e-3
    try:
        after = chapter.swap_numbers()
    finally:
        networks.cache_clear()
        record.cache_clear()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {
        f"transformer, tanh form, {end}" for end in ("mean", "from", "to", "root mean square")
    }
    assert chapter.swap_numbers() == before


@pytest.mark.parametrize("id", chapter.MEASURED)
def test_what_is_registered_is_what_the_record_says(id):
    assert dict(result(id).numbers) == chapter.MEASURED[id]()


def test_a_mean_of_the_register_is_the_mean_of_the_record():
    """By the plainest way, without the functions of the room."""
    path = Path(record_module.__file__).parents[2] / "data" / "networks.json"
    found = json.loads(path.read_text(encoding="utf-8"))["networks"]
    for name, network in found.items():
        trained = network["trained"]
        differences = np.subtract(trained["tanh"]["loss"], trained["exact"]["loss"])
        registered = float(result("network-training-tanh").numbers[f"{name}, mean"])
        assert registered == pytest.approx(np.mean(differences), rel=1e-3)
        swap = network["swaps"]["exact"]["relu"]["loss"]
        registered = float(result("network-swap-loss").numbers[f"{name}, ReLU, mean"])
        assert registered == pytest.approx(np.mean(swap), rel=1e-3)


@pytest.mark.parametrize(
    ("number", "words"),
    [(2.14e-5, "21"), (0.1973, "200,000"), (-0.0113, "−11,000"), (4.5e-7, "0.45"), (1e-4, "100")],
)
def test_a_number_in_millionths(number, words):
    assert chapter.millionths(number) == words


@pytest.mark.parametrize(
    ("number", "words"), [(0.001, "0.00"), (-0.001, "0.00"), (-0.3, "−0.30"), (1.0, "+1.00")]
)
def test_what_is_rounded_to_zero_has_no_sign(number, words):
    assert chapter.plain(number) == words


# --- pictures


def test_the_first_picture_has_the_typical_change_of_each_swap():
    drawn = chapter.opening()
    assert set(drawn) == set(networks())
    for name, network in networks().items():
        for trained, others in SHOWN.items():
            sizes, changes = drawn[name].points[trained]
            assert list(sizes) == [apart(trained, other) for other in others]
            assert list(changes) == [typical(network, trained, other) for other in others]


def test_the_picture_of_the_training_has_every_seed():
    for name, panel in chapter.after_training().items():
        network = networks()[name]
        for arm, (differences, _) in panel.points.items():
            expected = network.losses(arm) - network.losses("exact")
            assert np.array_equal(differences, expected)


def test_the_picture_of_the_foresight_has_every_swap_and_seed():
    for name, (foreseen, measured) in chapter.foresight().points.items():
        network = networks()[name]
        swaps = [(one, other) for one in network.swaps for other in swapped(network, one)]
        assert len(swaps) == 17
        assert foreseen.size == measured.size == len(swaps) * network.seeds
        i = swaps.index(("tanh", "exact")) * network.seeds
        of_one = slice(i, i + network.seeds)
        assert list(measured[of_one]) == list(network.change("tanh", "exact"))
        assert list(foreseen[of_one]) == list(network.foreseen("tanh", "exact"))


def test_the_densities_of_the_inputs_hold_all_of_them():
    for name, panel in chapter.inputs_of_gelu().items():
        assert len(panel.curves) == len(next(iter(networks()[name].inputs.values())))
        for x, density in panel.curves.values():
            assert density.sum() * (x[1] - x[0]) == pytest.approx(1)


def test_the_picture_of_the_tuning_begins_at_the_change_by_the_swap():
    for name, panel in chapter.after_tuning().items():
        for form, (steps, losses) in panel.curves.items():
            assert steps[0] == 0
            if form != "exact":
                change = networks()[name].change("exact", form).mean()
                assert losses[0] == pytest.approx(change, abs=1e-7)
