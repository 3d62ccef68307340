"""The explorer: its mathematics is that of the library, and two pages load it."""

import json
import random
import re
from itertools import product
from pathlib import Path

import mpmath
import numpy as np
import pytest
import quickjs
import sympy as sp
from bs4 import BeautifulSoup
from explorer_page import (
    AXES,
    BAND_FACTORS,
    FACTORS,
    LEVEL,
    NAMES,
    SLIDERS,
    TASKS,
    WIDTH,
    band_markup,
    data,
    factor_markup,
    line_markup,
    markup,
    named_members,
    one_numbers,
    small_markup,
    weight_markup,
)
from extrema import extrema
from kinds import slow_but
from reader import table
from scipy.special import expit
from sympy import Rational

from gelu_lib.certificates.best.bounds import alternation_bound
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.evidence.criteria_table import load_cell
from gelu_lib.fits.criteria import problem
from gelu_lib.functions.expressions import Phi, X, mpmath_function, numpy_function
from gelu_lib.functions.families import PAGE, SLOPE_KEPT, TANH_CUBIC, WrongLimitError
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import TARGETS
from gelu_lib.register import result
from gelu_lib.show.tables import decimal

STATIC = Path(__file__).resolve().parents[2] / "book" / "_static"
OTHERS = ("levelling", "band", "weighing", "factor", "right-at", "gates", "laws")
LOADED = [*STATIC.glob("explorer*.js"), *(STATIC / f"{name}.js" for name in OTHERS)]
READ = {path.name: path.read_text("utf-8") for path in LOADED}
CORE = READ["explorer-core.js"] + READ["explorer-words.js"]
CALL = """
const everything = {...explorerCore, ...explorerWords};
function call(name, text) {
  const finite = value => typeof value !== "number" || Number.isFinite(value);
  const plain = value => (finite(value) ? value : String(value));
  try {
    const answer = everything[name](...JSON.parse(text));
    return JSON.stringify(answer, (key, value) => plain(value));
  } catch (error) {
    return JSON.stringify({refused: error.message});
  }
}
"""
ACCURACY = 4e-15
SHARE = 1e-3  # the page leaves out smaller extrema, compared to the largest


class Core:
    """The functions of both scripts that need no page; what throws answers ``{"refused": …}``."""

    def __init__(self, script: str = CORE) -> None:
        context = quickjs.Context()
        context.eval(script + CALL)
        self._call = context.get("call")

    def __getattr__(self, name):
        return lambda *arguments: json.loads(self._call(name, json.dumps(arguments)))


@pytest.fixture(scope="module")
def core():
    return Core()


def altered(text: str, other: str) -> Core:
    """The core with one fault in it."""
    assert CORE.count(text) == 1, text
    return Core(CORE.replace(text, other))


# ---- Φ and σ


def worst(function, exact) -> float:
    """The largest relative error at places in both parts of the formula and far into the tail."""
    places = [*np.linspace(0, 37, 1481).tolist(), 1e-300, 1e-9, 1.5, 1.5 - 2**-52]
    with mpmath.workdps(40):
        return max(abs(float(mpmath.mpf(function(x)) / exact(mpmath.mpf(x)) - 1)) for x in places)


def test_the_tail_of_phi_is_as_accurate_as_it_says(core):
    tail, faulty = (lambda x: mpmath.ncdf(-x)), altered("(19 / x)", "(9 / x)")
    assert worst(core.normalTail, tail) < ACCURACY < worst(faulty.normalTail, tail)
    assert worst(core.density, mpmath.npdf) < 1e-15


def test_far_out_nothing_overflows_and_the_logistic_function_has_its_tail(core):
    for x in (1e3, 500197.2293705927, 1e150, 1e308):
        assert core.normalTail(x) == core.density(x) == core.density(-x) == 0
        assert (core.logistic(x), core.logistic(-x)) == (1, 0)
    for q in (0, 1e-3, 0.7, 5, 30, 700):
        exact = mpmath.exp(-q) / (1 + mpmath.exp(-q))
        assert core.logistic(-q) == pytest.approx(float(exact), rel=4e-16)
        assert core.logistic(q) == pytest.approx(1 - float(exact), rel=4e-16)


# ---- The error and its extrema


def members(count: int, seed: int = 7) -> list[dict[str, float]]:
    chosen = random.Random(seed)
    return [{"p1": chosen.uniform(0.3, 3), "p3": chosen.uniform(0, 0.3)} for _ in range(count)]


@pytest.mark.parametrize("of", TARGETS)
def test_the_error_and_its_slope_are_those_of_the_library(core, of):
    chosen = random.Random(5)
    error = TARGETS[of].error(TANH_CUBIC.expression)
    exact = [mpmath_function(e, X, *TANH_CUBIC.symbols) for e in (error, sp.diff(error, X))]
    target = numpy_function(TARGETS[of].expression)
    for member in members(40):
        x = chosen.uniform(0, 9)
        with mpmath.workdps(40):
            numbers = [mpmath.mpf(value) for value in (x, *member.values())]
            wanted = [float(function(*numbers)) for function in exact]
        assert core.error(of, member, x) == pytest.approx(wanted, rel=1e-12, abs=4e-15)
        for side in (x, -x):  # the stacked view draws both
            function, form = core.values(of, member, side)
            assert function == pytest.approx(float(target(side)), rel=1e-12, abs=1e-15)
            error = float(exact[0](mpmath.mpf(side), *numbers[1:]))
            assert form == pytest.approx(function - error, rel=1e-12, abs=1e-15)


def differences(core: Core, of: str, member: dict[str, float]) -> list[str]:
    """In what the extrema of the page are not those of the library."""
    known, found = extrema(member, of), core.measure(of, member)
    size = max(abs(error) for _, error in known)
    peaks = [(x, error) for x, error in known if abs(error) >= SHARE * size]
    if len(peaks) != len(found["peaks"]):
        return [f"{len(found['peaks'])} peaks, and not {len(peaks)}"]
    same = [("size", found["size"], size)]
    for peak, (x, error) in zip(found["peaks"], peaks, strict=True):
        same += [("place", peak["x"], x), ("error", peak["error"], error)]
    tolerance = {"size": 1e-9, "place": 1e-6, "error": 1e-9}
    wrong = [
        f"{name} {ours}, and not {theirs}"
        for name, ours, theirs in same
        if not abs(ours - theirs) <= tolerance[name] * abs(theirs)
    ]
    return wrong + ([] if found["attained"] else ["the largest error is said not to be attained"])


EXTREME = [(10, 1), (10, 0), (0, 1), (0, 1e-12), (1e-12, 0), (10, 1e-12), (1e-12, 1), (1.6, 0.9)]
BUTTONS = [(made["p1"], made["p3"]) for made in data()["members"]]
ANYWHERE = [tuple(member.values()) for member in members(6, seed=11)]


@pytest.mark.parametrize("of", TARGETS)
@pytest.mark.parametrize("every", slow_but((6).__eq__, [1, 6]))
def test_the_extrema_are_those_of_the_library(core, of, every):
    for p1, p3 in [*BUTTONS, *ANYWHERE, *EXTREME][::every]:
        assert differences(core, of, {"p1": p1, "p3": p3}) == [], (p1, p3)


def test_a_fault_in_the_extrema_is_found():
    hidden = altered("const STEP = 0.05", "const STEP = 2")  # two hide between samples
    for faulty in (hidden, altered("-x * phi - 6 * p3", "-x * phi - 3 * p3")):
        assert any(differences(faulty, of, {"p1": 1.5976, "p3": 0.0706}) for of in TARGETS)


def on_a_grid(of: str, p1: float, p3: float) -> float:
    """The largest error on a fine grid, for members that the library refuses."""
    x = np.concatenate([np.linspace(0, 20, 200_001), np.geomspace(20, 1e8, 400_001)])
    if p3 < 0:  # where the form turns back, more quickly than the grid above shows
        x = np.append(x, np.sqrt(-p1 / p3) + np.linspace(-2, 2, 200_001))
    parameters = TANH_CUBIC.symbols
    error = Phi(X) - TANH_CUBIC.expression
    error = {"Phi": error, "GELU": X * error, "GELU_derivative": sp.diff(X * error, X)}[of]
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.nanmax(np.abs(numpy_function(error, X, *parameters)(x, p1, p3))))


@pytest.mark.parametrize(("p1", "p3"), [(1.6, -0.01), (10, -1e-12), (1e-12, -1e-12)])
def test_where_the_limit_is_wrong_the_error_is_what_a_grid_shows(core, p1, p3):
    with pytest.raises(WrongLimitError):
        certified_sup_error(Form(TANH_CUBIC, {"p1": p1, "p3": p3}))
    phi, gelu, slope = (core.measure(of, {"p1": p1, "p3": p3}) for of in TARGETS)
    assert (phi["size"], phi["attained"], phi["atInfinity"]) == (1, False, 1)
    assert (gelu["size"], gelu["attained"]) == ("Infinity", False)
    assert (slope["size"] > 1, slope["attained"], slope["atInfinity"]) == (True, True, 1)
    assert slope["size"] == pytest.approx(on_a_grid("GELU_derivative", p1, p3), rel=1e-4)


def test_without_coefficients_the_form_is_one_half(core):
    phi, gelu, slope = (core.measure(of, {"p1": 0, "p3": 0}) for of in TARGETS)
    assert (phi["size"], phi["attained"]) == (0.5, False)
    assert gelu["size"] == "Infinity"
    # the largest slope of GELU less ½, at √2
    assert slope["size"] == pytest.approx(on_a_grid("GELU_derivative", 0, 0), rel=1e-9)
    assert slope["peaks"][0]["x"] == pytest.approx(np.sqrt(2), rel=1e-9)


# ---- Alternation


@pytest.mark.parametrize("of", ["Phi", "GELU"])
def test_no_level_of_alternation_exceeds_what_can_be_reached(core, of):
    least = float(load_cell("tanh-free", of, "sup").error)
    for member in [*members(12), {"p1": 1.5976, "p3": 0.0706}, {"p1": 1.6, "p3": 0.0695}]:
        peaks = core.measure(of, member)["peaks"]
        one, both = (core.alternatingLevel(peaks, count) for count in (2, 3))
        assert both <= min(one, least * (1 + 1e-9))
        if both > 0:  # it is the bound that the library proves
            places = [sp.Rational(peak["x"]) for peak in peaks if abs(peak["error"]) >= both]
            exact = [sp.Rational(value) for value in member.values()]
            made = problem(TANH_CUBIC, of)
            bound = float(alternation_bound(made, exact, places))
            assert both == pytest.approx(bound, rel=1e-10)


def test_for_one_coefficient_the_level_is_below_the_least_error_at_that_slope(core):
    for p1 in (1.55, 1.6, 1.65):
        least = float(minimax(TANH_CUBIC, fixed={"p1": p1}).error)
        for p3 in (0.06, 0.07, 0.08):
            peaks = core.measure("Phi", {"p1": p1, "p3": p3})["peaks"]
            assert 0 <= core.alternatingLevel(peaks, 2) <= least * (1 + 1e-9)


@pytest.mark.parametrize(("form", "count"), [("tanh-pinned", 2), ("tanh-free", 3), ("sigmoid", 2)])
@pytest.mark.parametrize("of", ["Phi", "GELU"])
def test_at_an_optimum_the_level_is_the_largest_error(core, form, count, of):
    parameters = load_cell(form, of, "sup").parameters
    member = {"p1": float(parameters["p1"]), "p3": float(parameters.get("p3", 0))}
    found = core.measure(of, member)
    assert core.alternatingLevel(found["peaks"], count) == pytest.approx(found["size"], rel=1e-9)
    assert core.alternatingLevel(found["peaks"], count + 1) < 0.9 * found["size"]


# ---- What a reader enters


READ_AS_PYTHON = ["1.702", "10", ".07e0", "+5.E-2", "-0", "0e-400", "1.5957691216057308"]
REFUSED = {
    "is empty": ["", "  "],
    "no decimal number": ["NaN", "0x10", "1,6", "1.6.0", "1 6", "e5"],
    "out of range": ["1e999", "1" * 400, "10.000001", "-0.001"],
    "too close to 0": ["1e-13", "1e-400"],
}


def test_a_decimal_within_its_range_is_read_and_anything_else_refused_with_what_is_accepted(core):
    for text in READ_AS_PYTHON:
        assert core.readNumber("p1", text) == float(text), text
    assert core.readNumber("p3", " -1 ") == -1
    for why, text in ((why, text) for why, texts in REFUSED.items() for text in texts):
        message = core.readNumber("p1", text)["refused"]
        assert message.startswith("p₁ is") and why in message and "Accepted" in message, text


START = {"p1": 1.5, "p3": 0.05, "of": "Phi", "to": 5, "axis": "linear", "by": 1000}


def test_the_address_keeps_every_bit_of_a_state(core):
    chosen = random.Random(3)
    for of in TARGETS:
        for to in (2, 3, 5, 8, 20):
            p1, p3 = chosen.uniform(0, 10), chosen.choice([0, 1e-12, chosen.uniform(-1, 1)])
            axis, by = chosen.choice(["linear", "log"]), chosen.choice([1, 10, 10000])
            state = {"p1": p1, "p3": p3, "of": of, "to": to, "axis": axis, "by": by}
            written = core.writeState(state)
            assert re.fullmatch(r"[\w.&=-]+", written)
            assert core.readState(written, START) == {"state": state, "faults": []}


def test_an_address_from_before_there_were_axes_is_read_and_written_as_it_was(core):
    old = "p1=1.6003141570962072&p3=0.06940178686466211&of=GELU&to=3"
    read = core.readState(old, data()["start"])
    member = {"p1": 1.6003141570962072, "p3": 0.06940178686466211}
    shown = {"of": "GELU", "to": 3, "axis": "linear", "by": 1000}
    assert read == {"state": member | shown, "faults": []}
    assert core.writeState(read["state"]) == old


@pytest.mark.parametrize(
    ("text", "changed", "faults"),
    [
        ("axis=log&by=100", {"axis": "log", "by": 100}, []),
        ("axis=Log&by=7", {}, ["(axis) is unknown", "(by) is unknown"]),
        ("p1=1.7&p3=x", {"p1": 1.7}, ["p₃ is no decimal number"]),
        ("p1=&p3=0.1", {"p3": 0.1}, ["p₁ is empty"]),
        ("p1=99&p3=99", {}, ["p₁ is out of range", "p₃ is out of range"]),
        ("of=ReLU", {}, ["(of) is unknown. Accepted is one of Phi, GELU, GELU_derivative."]),
        ("p1=1&p1=2", {"p1": 1}, ["p1 twice"]),
        ("p5=1&constructor=1", {}, ["unknown part, p5", "unknown part, constructor"]),
    ],
)
def test_what_an_address_gets_wrong_is_named_and_is_as_at_the_start(core, text, changed, faults):
    read = core.readState(text, START)
    assert read["state"] == {**START, **changed}
    assert len(read["faults"]) == len(faults)
    assert all(part in said for part, said in zip(faults, read["faults"], strict=True))


# ---- What is shown


@pytest.mark.parametrize(
    ("name", "number", "digits", "text"),
    [
        ("shown", 0.00017893258, 5, "0.00017893"),
        ("shown", -0.5, 3, "−0.500"),
        ("shown", 12345.678, 5, "12346"),
        ("shown", 278464542761.07, 5, "2.7846 · 10¹¹"),
        ("shown", -1.26e-12, 2, "−1.3 · 10⁻¹²"),
        ("written", 0.044715, 6, "0.044715"),  # as it is pasted
        ("written", float(one_numbers()["tanh"].local), 6, "0.045540"),
        ("written", 1.702, 3, "1.702"),
        ("written", -0.000625, 6, "−0.0006250"),
    ],
)
def test_numbers_are_rounded_to_their_digits(core, name, number, digits, text):
    assert getattr(core, name)(number, digits) == text


def test_a_bound_is_rounded_down(core):
    chosen = random.Random(2)
    for _ in range(200):
        number = 10 ** chosen.uniform(-5, 0)
        text = core.shownBelow(number, 5)
        assert float(text) <= number * (1 + 1e-15)
        assert float(text) > number * (1 - 2e-4)


def said(core: Core, of: str, p1: float, p3: float) -> list[str]:
    member = {"p1": p1, "p3": p3}
    # infinite sizes do not pass through JSON, so the sentences are made where the measure is
    inner = Core(
        CORE.replace("return {\n    NAMES", "return {\n    sentences, NAMES", 1).replace(
            "  // ---- Scales",
            "  const {measure} = explorerCore;"
            "  const sentences = (of, member) => [sizeSentence(of, measure(of, member)),"
            " limitSentence(of, member), alternationSentence(of, measure(of, member)),"
            " levelSentence(of, 'k', measure(of, member))];\n",
            1,
        )
    )
    return inner.sentences(of, member)


KEPT = float(SLOPE_KEPT["p1"])
TAYLOR_CUBIC = float(one_numbers()["tanh"].local)
BEST_PAIR = tuple(map(float, load_cell("tanh-free", "GELU", "sup").parameters.values()))
ALONE = "Moving p₁ alone or p₃ alone cannot bring the error below"
ONE = f"x > 0: + −. {ALONE} 0.00017889 (0.021 % less). An optimum in both needs three of "
BOTH = f"x > 0: − + −. {ALONE} 0.00027072 (less than 0.01 % less). Moving both cannot bring it "
ALTERNATIONS = {
    "one": f"{ONE}alternating sign.",
    "both": f"{BOTH}below 0.00027072 (less than 0.01 % less).",
    "none": "x > 0: −. An optimum in one coefficient needs two of alternating sign.",
    "slope": "x > 0: − + − +. For GELU′ an optimum need not alternate.",
}
LEVEL_SAID = "Crest 0.000179 high, trough 0.000179 deep. Level to within 0.5 %."
TAYLOR_SAID = "No visible crest, trough 0.000313 deep. Lower k."
FLAT = "Φ̂ is ½ everywhere"


@pytest.mark.parametrize(
    ("of", "pair", "size", "limit", "alternation", "level"),
    [
        ("Phi", tuple(map(float, PAGE.values())), "at x = ±2.5921.", None, "one", LEVEL_SAID),
        ("Phi", (KEPT, TAYLOR_CUBIC * KEPT), "0.00031347", None, "none", TAYLOR_SAID),
        ("Phi", (KEPT, 0.0445 * KEPT), "0.00024328", None, "", "Raise k."),
        ("GELU", BEST_PAIR, "at x = ±0.75412, ±1.7422 and ±2.9232.", None, "both", "Level"),
        ("GELU_derivative", (1.6, 0.07), "0.00064480", None, "slope", None),
        ("Phi", (1.6, -0.01), "Φ: 1.0000, approached as x → ∞", "p₃ is negative", "", None),
        ("GELU", (1.6, -0.01), "grows without bound", "p₃ is negative", "", None),
        ("Phi", (0, 0), "Φ: 0.50000, approached", FLAT, "", None),
        ("GELU_derivative", (0, 0), "GELU′: 0.62890, at x = ±1.4142.", FLAT, "", None),
    ],
)
def test_the_sentences_say_what_is_known_and_no_more(
    core, of, pair, size, limit, alternation, level
):
    *sentences, turns, last = said(core, of, *pair)
    for part, sentence in zip((size, limit, level), (*sentences, last), strict=True):
        assert sentence == "" if part is None else part in sentence
    assert turns.endswith(ALTERNATIONS.get(alternation, "."))
    assert "NaN" not in " ".join([*sentences, turns, last])


def test_the_line_of_code_is_the_form_with_its_number(core):
    before, after = core.formula({"p1": KEPT, "p3": 0.07}, KEPT)
    assert f"{before}0.044715{after}" == "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))"
    assert core.formula({"p1": 1.6, "p3": 0.07}, KEPT)[0].startswith("0.5*x*(1 + tanh(0.80000*")
    assert "1.702".join(core.formula({"p1": 1.702, "p3": 0}, KEPT)) == "x*sigmoid(1.702*x)"


# ---- The number of a form, the V, and what is dragged

RANGE = {"low": 0.043, "high": 0.046}


def test_a_member_and_its_number_belong_together(core):
    for member in members(10):
        assert core.formOf(member) == "tanh"
        back = core.withNumber("tanh", core.numberOf(member), member["p1"])
        assert back == pytest.approx(member, rel=1e-15)
    assert core.formOf({"p1": 1.7, "p3": 0}) == "sigmoid"
    assert core.numberOf(core.withNumber("sigmoid", 1.702, KEPT)) == 1.702


def vee_faults(core: Core, of: str, form: str) -> list[str]:
    """In what the V is not the largest error, or its corner is not the best number."""
    ends = data()["forms"][form]
    points = core.vee(of, form, KEPT, ends)
    key = {"tanh": "tanh-pinned", "sigmoid": "sigmoid"}[form]
    best = load_cell(key, of, "sup")
    faults = []
    for point in points[::8]:
        member = core.withNumber(form, point["number"], KEPT)
        errors = [error for _, error in extrema(member, of)]
        sizes = [max([0, *(s * error for error in errors)]) for s in (1, -1)]
        wanted = [max(sizes), *(size if size > SHARE * max(sizes) else 0 for size in sizes)]
        if [point["size"], point["up"], point["down"]] != pytest.approx(wanted, rel=1e-9):
            faults.append(f"the point at {point['number']}")
    least = min(points, key=lambda point: point["size"])
    if abs(least["size"] / float(best.error) - 1) > 1e-3:
        faults.append(f"the least is {least['size']}, and not {float(best.error)}")
    if not ends["low"] < float(best.constant) < ends["high"]:
        faults.append("the best number is not on the slider")
    return faults


@pytest.mark.parametrize("of", TARGETS)
@pytest.mark.parametrize("form", ["tanh", "sigmoid"])
def test_the_v_is_the_largest_error_and_its_corner_the_best_number(core, form, of):
    assert vee_faults(core, of, form) == []
    cut_off = altered("points.push(at(corner(before, point)));", ";")
    assert vee_faults(cut_off, of, form) or (of, form) != ("Phi", "tanh")


@pytest.mark.parametrize("of", TARGETS)
def test_a_dragged_peak_moves_the_number_so_that_the_curve_follows(core, of):
    member = {"p1": KEPT, "p3": 0.0450 * KEPT}
    for peak in core.measure(of, member)["peaks"]:
        for share in (0.8, 0.95, 1, 1.1):
            wanted = share * peak["error"]
            number = core.numberThrough(of, member, peak["x"], wanted, RANGE)
            there = core.withNumber("tanh", number, KEPT)
            if number not in RANGE.values():
                assert core.error(of, there, peak["x"])[0] == pytest.approx(wanted, rel=1e-6)
            else:  # no number of the range reaches so far
                here = abs(core.error(of, there, peak["x"])[0] - wanted)
                assert here < abs(peak["error"] - wanted)


# ---- The tasks


def solved(core: Core, state: dict) -> list[int]:
    """Which tasks a state solves."""
    found = core.measure(state["of"], state)
    tasks = data()["tasks"]
    return [i for i, task in enumerate(tasks) if core.solves(task, state, found)]


def state_of(of: str, member: dict) -> dict:
    return START | {"of": of} | {name: float(value) for name, value in member.items()}


def test_each_task_is_solved_by_its_optimum_and_not_where_it_starts(core):
    keys = {"sigmoid": "sigmoid", True: "tanh-pinned", False: "tanh-free"}
    for i, task in enumerate(TASKS):
        key = keys["sigmoid" if task.form == "sigmoid" else task.kept]
        best = {"p1": KEPT, "p3": 0} | dict(load_cell(key, task.of, "sup").parameters)
        assert i in solved(core, state_of(task.of, best)), task
        start = core.withNumber(task.form, data()["forms"][task.form]["local"], KEPT)
        assert solved(core, state_of(task.of, start)) == [], task
        other = "GELU" if task.of == "Phi" else "Phi"
        assert i not in solved(core, state_of(other, best)), task


def test_a_task_knows_level_from_nearly_level(core):
    for k in (0.044712, 0.044713, 0.044715, 0.044716, 0.044717, -0.044715):
        level = k in (0.044713, 0.044715, 0.044716)
        assert solved(core, state_of("Phi", {"p1": KEPT, "p3": k * KEPT})) == [0] * level, k


def test_a_task_that_is_done_too_easily_is_found(core):
    elsewhere = minimax(TANH_CUBIC, fixed={"p1": 1.5}, digits=20).parameters["p3"]
    states = [
        state_of("Phi", {"p1": KEPT, "p3": 0.0450 * KEPT}),
        state_of("GELU", {"p1": load_cell("sigmoid", "GELU", "sup").constant, "p3": 0}),
        state_of("Phi", {"p1": 1.5, "p3": elsewhere}),
    ]
    assert not any(solved(core, state) for state in states)
    for text, other in (
        ("alternatingLevel(peaks, count) >= share * size", "peaks.length >= count"),
        ("state.of === of && formOf(state) === form", "formOf(state) === form"),
        ("(p1 === null || state.p1 === p1)", "true"),
    ):
        assert any(solved(altered(text, other), state) for state in states), text


def test_what_is_said_at_the_end_tells_the_best_number_from_the_printed_one(core):
    made = data()
    tanh, sigmoid = (made["forms"][form] for form in ("tanh", "sigmoid"))
    said = [core.doneSentence(task, tanh) for task in made["tasks"]]
    assert said[0] == "Exactly level is 0.0447149…; people paste it rounded, 0.044715."
    assert said[1] == "Exactly level is 0.0443829…; people paste 0.044715, for Φ."
    assert "rounded, 1.702." in core.doneSentence(made["tasks"][2], sigmoid)
    assert "3 extrema in turn" in said[3]


def test_the_digits_of_the_best_number_are_cut_off_and_round_to_the_printed_one():
    for task, made in zip(TASKS[:3], data()["tasks"], strict=False):
        best = load_cell("tanh-pinned" if task.kept else "sigmoid", task.of, "sup").constant
        number = one_numbers()[task.form]
        unit = Rational(10) ** -(number.decimals + 1)
        assert 0 <= best - Rational(made["best"]) < unit
        rounded = f"{float(best):.{number.decimals}f}"
        assert (rounded == number.literal) == (task.of == "Phi")


def test_the_next_step_of_a_task_is_the_one_that_lowers_the_error(core):
    task = data()["tasks"][0]

    def step(k: float) -> str:
        state = state_of("Phi", {"p1": KEPT, "p3": k * KEPT})
        return core.stepSentence(task, state, "k", core.measure("Phi", state))

    best = float(load_cell("tanh-pinned", "Phi", "sup").constant)
    for k in (0.0435, 0.0445, 0.0449, 0.0458):
        assert step(k) == f"Now {'raise' if k < best else 'lower'} k."
    assert step(best) == "Level."


# ---- Two members, and a band

BEST = data()["best"]


def moved(p1: float, p3: float) -> dict[str, float]:
    """The best pair with its coefficients multiplied."""
    return {"p1": p1 * BEST["p1"], "p3": p3 * BEST["p3"]}


def factors(name: str, stride: int) -> list[float]:
    """Places of a slider of the band, its ends among them."""
    low, high = BAND_FACTORS[name].low, BAND_FACTORS[name].high
    steps = range(0, int((high - low) * 10**4) + 1, stride)
    return [float(low + Rational(i, 10**4)) for i in steps]


def wrong_crossings(core: Core) -> list[dict[str, float]]:
    """The places of both sliders where the page sees other crossings than NumPy does."""
    x = np.linspace(0, 20, 40_001)[1:]

    def wrong(mine: dict[str, float]) -> bool:
        gap = np.subtract(*(expit(-x * (m["p1"] + m["p3"] * x**2)) for m in (mine, BEST)))
        known = x[np.flatnonzero(np.diff(np.sign(gap)))]
        return core.crossings(mine, BEST) != pytest.approx(known.tolist(), abs=1e-3)

    pairs = product(factors("p1", 3), factors("p3", 23))
    return [mine for mine in (moved(*pair) for pair in pairs) if wrong(mine)]


def test_the_crossings_are_those_that_numpy_counts_at_every_place_of_the_sliders(core):
    assert wrong_crossings(core) == []
    counts = [len(core.crossings(moved(*pair), BEST)) for pair in ((0.9992, 1.0055), (0.9992, 1))]
    assert (counts, core.crossings(BEST, BEST)) == ([1, 0], [])
    assert len(core.crossings({"p1": 1.7, "p3": 0}, BEST)) == 1
    assert wrong_crossings(altered("const MEETING_END = 20", "const MEETING_END = 2"))


def leaving(core: Core, member: dict[str, float]) -> list[int]:
    """The signs of the stretches in which the curve of a member leaves the band."""
    x = np.linspace(0, 4.5, 251)
    peaks = [(peak["x"], peak["error"]) for peak in core.measure("Phi", member)["peaks"]]
    points = sorted([(at, core.error("Phi", member, at)[0]) for at in x.tolist()] + peaks)
    found = core.outside(points, core.measure("Phi", BEST)["size"])
    for part in found:
        heights = [part["side"] * error for _, error in part["points"]]
        assert part["side"] * part["farthest"][1] == max(heights) >= min(heights) > 0
    return [part["side"] for part in found]


def test_only_the_best_pair_stays_in_the_band(core):
    assert leaving(core, BEST) == []
    assert leaving(core, moved(0.9992, 1.0055)) == [1, -1]
    assert leaving(core, moved(1.001, 1)) == [-1, -1]
    for pair in product(factors("p1", 3), factors("p3", 75)):
        assert (leaving(core, moved(*pair)) == []) == (pair == (1, 1)), pair
    assert not leaving(altered("TOUCHING = 1 + 1e-9", "TOUCHING = 9"), moved(0.9992, 1.0055))


TWICE = "To stay inside the band it would have to cross it twice. No other pair can."


@pytest.mark.parametrize(
    ("crossed", "sides", "said", "hint"),
    [
        ([], [1], "lies wholly above the best one: too high.", "does not cross the best one. "),
        ([1.8], [1, -1], "crosses the best one at x = 1.80: too high and too low.", "once. "),
        ([7.1], [-1], "at x = 7.10, beyond the picture: too low.", "once. "),
        ([1, 2], [], "at x = 1.00 and 2.00: inside the band.", None),
    ],
)
def test_what_is_said_of_a_curve_is_what_was_seen(core, crossed, sides, said, hint):
    state = {"best": False, "crossed": crossed, "above": True, "sides": sides, "to": 4.5}
    assert core.bandSentence(state).endswith(said)
    told = core.crossingSentence(state)
    assert told.endswith(hint + TWICE) if hint else told == ""
    itself = state | {"best": True}
    assert "best pair itself" in core.bandSentence(itself)
    assert core.crossingSentence(itself) == ""


# ---- The named members


def test_the_chapter_computes_what_each_button_sets():
    rows = [row[1:3] for row in table("explorer", "button | $p_1$")]
    exact = [member.parameters.values() for member in named_members()]
    assert rows == [[decimal(p, 8) if p else "0" for p in pair] for pair in exact]


# ---- The page


def test_the_data_are_those_of_the_library(core):
    made = data()
    assert [(m["p1"], m["p3"]) for m in made["members"]] == [
        tuple(map(float, m.parameters.values())) for m in named_members()
    ]
    for of in TARGETS:
        best = next(
            m for m in made["members"] if m["name"] == f"Best for {NAMES[of]}: tanh form, both free"
        )
        assert made["least"][of] == pytest.approx(core.measure(of, best)["size"], rel=1e-9)
    assert core.readState(core.writeState(made["start"]), START)["state"] == made["start"]


def constants(name: str):
    context = quickjs.Context()
    context.eval(CORE)
    return json.loads(context.eval(f"JSON.stringify(explorerWords.{name})"))


def test_script_and_markup_have_the_same_names_and_ranges():
    assert constants("NAMES") == NAMES
    assert constants("LEVEL") == LEVEL
    assert constants("AXES") == list(AXES)
    assert list(map(str, constants("FACTORS"))) == list(FACTORS)
    soup = BeautifulSoup(markup(), "html.parser")
    for name, (symbol, coarse, fine) in SLIDERS.items():
        field = constants("FIELDS")[name]
        assert field["label"] == symbol
        assert field["least"] <= coarse[0] < coarse[1] <= field["greatest"]
        assert fine[1] == -fine[0] == coarse[2]  # the fine one reaches a step of the coarse one
        number = soup.find(id=f"explorer-{name}")
        assert float(number["step"]) == fine[2]
    for form, number in one_numbers().items():
        field = constants("FIELDS")[number.letter]
        assert field["label"] == number.letter
        assert field["least"] < number.low < number.local < number.high < field["greatest"]
        assert number.low < Rational(number.literal) < number.high
        assert len(number.literal.partition(".")[2]) == number.decimals
        slider = soup.find(id=f"explorer-{number.letter}")
        assert (slider["min"], slider["max"]) == (str(float(number.low)), str(float(number.high)))
        numbers = [m for m in data()["members"] if (m["p3"] == 0) == (form == "sigmoid")]
        own = [m["p3"] / m["p1"] if m["p3"] else m["p1"] for m in numbers]
        assert all(number.low <= value <= number.high for value in own)
    start = data()["start"]
    for name, (_, coarse, _) in SLIDERS.items():
        assert all(coarse[0] <= m[name] <= coarse[1] for m in [*data()["members"], start])


def test_the_buttons_go_to_round_numbers_the_printed_one_and_its_width_among_them(core):
    tanh, faulty = one_numbers()["tanh"], altered(") + 1) * step", ")) * step")
    for k, step, wanted in (
        (0.04554, -1, 0.045535),
        (0.044713, 1, 0.044715),
        (0.044713, -1, 0.04471),
    ):
        assert core.nudged(k, 5e-6 * step) == pytest.approx(wanted, abs=1e-12)
        assert faulty.nudged(k, 5e-6 * step) != pytest.approx(wanted)
    assert Rational(tanh.literal) % tanh.nudge == 0
    widths = [int(n) * WIDTH.nudge for n in range(200, 230)]
    ks = [core.levelled(10 ** float(power), KEPT)["k"] for power in widths]
    assert f"{tanh.literal}" in [f"{k:.6f}" for k in ks]


# ---- The best k under a weight


def off_the_line(core) -> float:
    """How far the k of the page are from those that the library finds, at most."""

    def best(width):
        weight = sp.exp(-(X**2) / sp.Rational(width))
        found = minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, weight=weight).parameters
        return float(found["p3"] / found["p1"])

    kept = float(SLOPE_KEPT["p1"])
    widths = ("1000", "7.05", "1", "0.2")
    return max(abs(core.levelled(float(width), kept)["k"] - best(width)) for width in widths)


def test_the_best_k_under_a_weight_is_that_of_the_library_and_between_its_limits(core):
    ks = [core.levelled(10**power, KEPT)["k"] for power in (3, 0.848, -1)]
    ends = [load_cell("tanh-pinned", "GELU", "sup").constant, (4 - np.pi) / (6 * np.pi)]
    assert ends[0] < ks[0] < ks[1] < ks[2] < ends[1]
    assert off_the_line(core) < 5e-8  # the page shows six decimals
    found = core.levelled(7.05, float(SLOPE_KEPT["p1"]))
    assert f"{found['k']:.6f}" == result("page-cubic").value
    weighted = minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, weight=sp.exp(-(X**2) / sp.Rational("7.05")))
    assert found["level"] == pytest.approx(float(weighted.error), rel=1e-4)
    assert off_the_line(altered("x * Math.exp(-x * x / width)", "Math.exp(-x * x / width)")) > 1e-5


def off_the_right_constant(core) -> float:
    """How far from 0 the errors are, at most, where their constants are said to be right."""
    kept = float(SLOPE_KEPT["p1"])
    places = (0.05, 0.3, 1.0, 1.9, 4.0, 6.0)
    right = [core.rightAt(x, kept) for x in places]
    errors = [
        float(Form(TANH_CUBIC, {"p1": kept, "p3": k * kept}).error_at(np.array(x)))
        for k, x in zip(right, places, strict=True)
    ]
    found = [core.rightPlace(k, kept, 8) for k in right]
    return max(*map(abs, errors), *(abs(x - y) / 1e4 for x, y in zip(found, places, strict=True)))


def test_the_constant_that_is_right_at_a_place_leaves_no_error_there(core):
    assert off_the_right_constant(core) < 1e-11
    kept = float(SLOPE_KEPT["p1"])
    assert core.rightPlace(0.05, kept, 4) < 1e-4  # none is right; close to 0 digits cancel
    assert core.rightPlace(0.01, kept, 4) == 4
    assert off_the_right_constant(altered("(p1 * x) - 1) / x ** 2", "(p1 * x) - 1) / x")) > 1e-5


def test_who_speaks_what_they_see_is_understood():
    first = factor_markup() + line_markup()
    every = markup() + small_markup() + first + band_markup() + weight_markup()
    buttons = BeautifulSoup(every, "html.parser").find_all("button")
    named = [b for b in buttons if b.has_attr("aria-label") and b.text not in "−+"]
    assert len(named) == len(named_members())
    assert all(button.text in button["aria-label"] for button in named)


def typed_constants(script: str) -> list[str]:
    """Numbers in a script with so many digits that somebody computed them."""
    return re.findall(r"\d*\.\d{4,}", re.sub(r"//.*", "", script))


def test_no_computed_number_is_typed_in_a_script():
    assert typed_constants("const best = 0.0447149; // near 0.0447150") == ["0.0447149"]
    assert [number for script in READ.values() for number in typed_constants(script)] == []


# ---- What the chapter says


def test_explorer_what_the_text_says_of_peaks():
    phi, gelu = (load_cell("tanh-pinned", of, "sup").parameters for of in ("Phi", "GELU"))
    assert gelu["p3"] < phi["p3"]
    (_, first), (_, second) = extrema(phi, "GELU")
    assert abs(second) > 1.5 * abs(first)
    signs = load_cell("tanh-free", "GELU_derivative", "sup").signs
    assert len(signs) == 3
    assert signs[0] == signs[1] != signs[2]
