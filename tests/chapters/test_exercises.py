"""Every "Try it" is tried, and every solution is held, for all notebooks of the book.

The code of a solution is a folded cell behind its words, and nbval compares what it shows.
``solutions.toml`` pairs what the words say with what the code shows, so that what changes on one
side alone is found. ``TRIED`` has what the tasks ask to change, and what is seen then.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from reader import (
    Session,
    chapters,
    code_blocks,
    code_cells,
    prose,
    solutions,
    solved,
    task,
)
from scipy.optimize import minimize_scalar
from scipy.special import expit, ndtr

from gelu_lib import result
from gelu_lib.show import marks

# ---------------------------------------------------------------------------- the solutions

SAID = tomllib.loads((Path(__file__).parent / "solutions.toml").read_text("utf-8"))
"""By chapter and number of a solution, words of its text, each with what its code shows for it."""


def unheld(said: str, shown: str, pairs: Mapping[str, str]) -> list[str]:
    """What a solution no longer says, or its code no longer shows."""
    said, shown = (" ".join(text.split()) for text in (said, shown))
    lost = [words for words in pairs if words not in said]
    return lost + [words for words in pairs.values() if words not in shown]


@pytest.mark.parametrize("chapter", chapters())
def test_each_solution_has_a_program_that_shows_what_it_says(chapter):
    said, shown = solutions(prose(chapter)), solved(chapter)
    pairs = {n: SAID.get(chapter, {}).get(str(n), {}) for n in said}
    assert list(said) == list(shown) and set(SAID.get(chapter, {})) <= {*map(str, said)}
    assert {n: unheld(said[n], shown[n], pairs[n]) for n in said} == {n: [] for n in said}
    for n in said:  # a number between marks is that of the program behind it
        marked = [mark["name"] for mark in marks.MARKED.finditer(said[n])]
        assert marked or pairs[n], n
        assert [name for name in marked if f"{name.replace('-', ' ')}: " not in shown[n]] == []


def test_a_solution_that_says_or_shows_something_else_is_found():
    pairs = {"at $-\\sqrt2$": "at -1.4142"}
    assert unheld("It is\nat $-\\sqrt2$.", "at -1.4142\n", pairs) == []
    assert unheld("It is at $-\\sqrt3$.", "at -1.4142\n", pairs) == ["at $-\\sqrt2$"]
    assert unheld("It is at $-\\sqrt2$.", "at -1.7321\n", pairs) == ["at -1.4142"]


def test_a_task_and_its_solutions_are_found():
    text = """# Title
<details>
<summary>The derivation</summary>

Not one.

</details>

## Try it

Do *this*.

**Exercise 1.** Why?

<details>
<summary>Solution</summary>

So.

```python
1 + 1
```

</details>

<details>
<summary>Solution 3</summary>

Thus.

</details>
"""
    assert task(text).strip() == "Do *this*."
    assert task("# Title\n") is None
    assert {n: body.split()[0] for n, body in solutions(text).items()} == {1: "So.", 3: "Thus."}
    assert code_blocks(solutions(text)[1]) == ["1 + 1\n"]


# ---------------------------------------------------------------------------- the tasks


@dataclass(frozen=True)
class Trial:
    """What a task asks for, and what is seen then.

    Attributes:
        chapter: the name of the notebook.
        words: what the text of the task says.
        shows: a pattern of what the changed cells show, then the code of the text, then ``asked``.
        changes: the code that goes, which the notebook has once, and the code that comes.
        asked: code that is run at the end.
        slow: whether it runs at night: the notebook takes long, or others of its kind are tried.
    """

    chapter: str
    words: tuple[str, ...]
    shows: str
    changes: Mapping[str, str] = field(default_factory=dict)
    asked: str = ""
    slow: bool = False


TRIED = [
    Trial(
        "as-printed",
        ("Change `step` to 0.01", "How many digits of Powell's constants are right now?"),
        "7",
        {"end, step = 4, 0.001": "end, step = 4, 0.01"},
        "agreeing_digits(best_on_grid(step), str(optimum.n(50)))",
    ),
    Trial(
        "balance",
        ('replace `"GELU_derivative"` by `"GELU"`', "How do the signs look now"),
        r"− \+  yes\n.*\+ −  yes\n.*− \+ −  yes.*\[\(1, 2\), \(1, 2\), \(2, 3\)\]$",
        {'"GELU_derivative", fixed': '"GELU", fixed'},
        "[(len(one.problem.free), len(multipliers(one))) for one in proved.values()]",
    ),
    Trial(
        "cheapest",
        ("write `5` for `7`", "how many results are still faithful?"),
        r"distance 1\.6495, 11 slots\nfaithful: 64,\d+ of 65,278",
        {'"bfloat16", 7, "faithful"': '"bfloat16", 5, "faithful"'},
        'print(f"distance {fit.distance:.4f}, {program.slots(data.prices())} slots")\n'
        'print(f"faithful: {verdict.faithful:,} of {verdict.inputs:,}")',
        slow=True,
    ),
    Trial(
        "cheapest",
        ("write `8` for `4`", "which kernel is the cheapest that is faithful in bfloat16?"),
        r"\(15, 'bfloat16-faithful-power'\)",
        {"special = 4 ": "special = 8 "},
        "min((cost[id], id) for id in ours if not found[id][0])",
        slow=True,
    ),
    *(
        Trial(
            "certificates",
            (f'`1 + sp.Rational("1e-{digits}")`',),
            shows,
            {
                'linear * sp.Rational(result("su-cubic").value)': (
                    f'fit.parameters["p3"] * (1 + sp.Rational("1e-{digits}"))'
                )
            },
            slow=True,
        )
        for digits, shows in ((15, r"^\[0\.00017892131094521972"), (14, "there is none in the box"))
    ),
    Trial(
        "claims",
        ("the rounding of the best coefficient for GELU, `tanh-gelu-cubic`", "`rounds`"),
        "False",
        asked='rounds("0.044715", "tanh-gelu-cubic")',
    ),
    Trial(
        "criteria",
        ("`sp.exp(-X**2 / 8)`", "Does $k$ land between"),
        r"yes.*\[True, False\]",
        {"1 / (1 + X**2))": "sp.exp(-X**2 / 8))"},
        'of = [load_cell("tanh-pinned", "GELU", name) for name in ("sup", "Gaussian sup")]\n'
        "[float(cell.constant) < float(best.k) for cell in of]",
        slow=True,
    ),
    Trial(
        "derivatives",
        ("replace `sigmoid_form()` by `sigmoid_form(1)`", "become 1.702 times as large?"),
        r"\[1\.702, 1\.702, 1\.702, 1\.0, 1\.0\]",
        {"sigmoid_form().expression": "sigmoid_form(1).expression"},
        "before = landmarks(X * sigmoid_form().expression)\n"
        'now = found["sigmoid form"]\n'
        "[round(float(two / one), 9) for one, two in zip(before, now)]",
    ),
    Trial(
        "does-it-matter",
        ("Put the last layer of MiniLM", "Is 0.044715 too large for it, or too small?"),
        r"k = 0\.0450\d+, proved: True",
        {'site_law(minilm["sites"][0])': 'site_law(minilm["sites"][5])'},
    ),
    Trial(
        "erf-and-phi",
        ("try other variances. Only one variance goes through.",),
        "^.* is false",
        {"variance=Rational(1, 4)": "variance=Rational(1, 2)"},
        "try:\n    erf_probability(variance=Rational(1))\n"
        "except DerivationError as refused:\n    print(refused)",
    ),
    Trial(
        "eight-bits",
        ("`derivative=True`, in `entries_off`", "still agree at the scale 1/32?"),
        r"\(0, 0\) \(108, 1\)",
        {
            'right, other = right_table("exact", kind), right_table(form, kind)': "right, other = "
            '(right_table(f, kind, derivative=True) for f in ("exact", form))'
        },
        'print(entries_off("tanh", int8), entries_off("sigmoid", int8))',
        slow=True,
    ),
    Trial(
        "floating-point",
        ("$-3.5$, then to $-4$ and to $-6$", "the next to return 0, each time"),
        r"\nfloat16 [^\n]*\(1\)\nbfloat16 [^\n]* -0 \(0\)\n"
        r".*\nfloat32 [^\n]*\(4\)\nfloat16 [^\n]* -0\.0 \(0\)\n"
        r".*\nfloat64 [^\n]*\(9\)\nfloat32 [^\n]* -0\.0 \(0\)",
        {"digit_table(-3)": "digit_table(-3.5)"},
        "print(digit_table(-4))\nprint(digit_table(-6))",
    ),
    Trial(
        "forms-rivals",
        ("Replace `(1, 3, 7, 9)` by `(1, 3, 5, 9)`", "closer to that of degree 7"),
        r"1, 3, 5, 9  [^\n]*, 13\.66 .*True$",
        {"odd_logistic((1, 3, 7, 9))": "odd_logistic((1, 3, 5, 9))"},
        'near, far = seventh.error, result("sparse-error").number\n'
        "abs(float(sparse.error) - float(near)) < abs(float(sparse.error) - float(far))",
        slow=True,
    ),
    Trial(
        "frameworks",
        ("Write the function `mine` with `erfc` from `scipy.special`",),
        r"0 too early from -14\.\d; nan at 0 inputs",
        {
            "def mine(x):": "from scipy.special import erfc\n\n\ndef mine(x):",
            "    return x / 2 * (1 + erf(x * root))": "    return x / 2 * erfc(-x * root)",
        },
    ),
    Trial(
        "gated",
        ("Change the 7 in `of_a_kernel` to 6.5",),
        r"the sigmoid form of min\(x, 6\.5\)\n",
        {"g = np.minimum(x, np.float32(7))": "g = np.minimum(x, np.float32(6.5))"},
    ),
    Trial(
        "gated",
        ("or 1.702 to 1.7: what does the verdict say",),
        "^none of the three forms, and no other function",
        {"np.float32(-1.702)": "np.float32(-1.7)"},
    ),
    Trial(
        "gelu",
        ("`at = np.array([-2.0, -1.0, 1.0, 2.0])`", "why less than at $-1$"),
        r"−2  \S+  −0\.0455\d+\n−1  \S+  −0\.1586",
        {"at = np.array([-1.0, 1.0, 2.0])": "at = np.array([-2.0, -1.0, 1.0, 2.0])"},
        slow=True,
    ),
    Trial(
        "gelu",
        ("write `X / 2 + half_erf` for the last `half_erf`", "Does the step hold now?"),
        "^the step holds$",
        {'"phi-erf")), half_erf)': '"phi-erf")), X / 2 + half_erf)'},
    ),
    Trial(  # of 46 about two; more than eight have a chance below one in a thousand
        "gelu-family",
        ("how many dots leave the band",),
        "True",
        {
            "default_rng(seed=1)": "default_rng(seed=2)",
            "for draws in (20, 2000)}": "for draws in (50, 5000)}",
        },
        "max(beyond.values()) <= 8",
        slow=True,
    ),
    Trial(
        "history",
        ("as little as four additions, or as much as forty",),
        "^3$",
        asked='len({tuple(one.name for one in unbeaten(WEIGHTS | dict.fromkeys(("exp", "tanh",'
        ' "atan"), price))) for price in (4, 10, 40)})',
        slow=True,
    ),
    Trial(
        "in-a-network",
        ("first `gelu(x) + 0.001`",),
        r"foreseen -3\.3\S+e-05, measured -3\.1\S+e-05",
        {"    return gelu_tanh(x)": "    return gelu(x) + 0.001"},
    ),
    Trial(
        "in-a-network",
        ("then `np.maximum(x, 0)`. From which function on",),
        r"foreseen -5\.\S+e-03, measured \+2\.\S+e-02",
        {"    return gelu_tanh(x)": "    return np.maximum(x, 0)"},
    ),
    Trial(
        "kernel",
        ("`at = np.float32(-6)`", "the two spellings that add erf or tanh to 1?"),
        r"1 \+ erf  -0\.00e\+00,.*erfc     -5\.\S+e-09,.*1 \+ tanh -0\.00e\+00,.*sigma    -8\.",
        {"at = np.float32(-5)": "at = np.float32(-6)"},
    ),
    Trial(
        "left-tail",
        ("add 12 to `places`", "choose other `counts`", "correct the sign"),
        r"the step holds.*\n4  .*\n16  .*\n12  72  3\.83e-32",
        {
            "edge - rest": "edge + rest",
            "places = (2, 4, 6, 8, 38)": "places = (2, 4, 6, 8, 12, 38)",
            "counts = (1, 3, 10, 30)": "counts = (4, 16)",
        },
    ),
    Trial(
        "logistic-constant",
        ("Add a scale of your own", "Which line does it resemble"),
        r"same slope at 0  1\.59\d+  0\.0176.*8/5  1\.6\d+  0\.0172",
        slow=True,
    ),
    Trial(
        "magic-numbers",
        ("Put a number from your own code into the box", "change its last digit"),
        r"\[True, False\]",
        asked='[bool(lookup(text).matches) for text in ("0.044715", "0.044716")]',
        slow=True,
    ),
    Trial(
        "moments",
        ("4096 rows of 64 numbers, or 16 of 16,384", "does the middle move?"),
        r"\[True, False\]",
        asked="[bool(np.median([sampled_gain(*size) for _ in range(40)]) > exact + 0.005) "
        "for size in ((4096, 64), (16, 16384))]",
        slow=True,
    ),
    Trial(
        "minimax",
        (
            "Does any such rival stay inside the band, or cross twice?",
            'fixed={"p1": 1.6}',
            "Where do the two dots go, and what signs do they have now?",
        ),
        r"real  1  0\.7653  −1\.9.*0\.000344\d+ \(0\.514\d+, 1\.647\d+\) \(-1, 1\)",
        {"p1 * 0.9992": "p1 * 1.0008", "p3 * 1.0055": "p3 * 0.9945"},
    ),
    Trial(
        "models",
        ('`("clip", "siglip")`', "for words and for pictures"),
        r"CLIPText\S+ +quick_gelu\nCLIPVision\S+ +quick_gelu\n"
        r"SiglipText\S+ +gelu_pytorch_tanh\nSiglipVision\S+ +gelu_pytorch_tanh$",
        {'("qwen2_vl", "qwen3_vl")': '("clip", "siglip")'},
    ),
    Trial(
        "onnx",
        ('`level` to `"ENABLE_BASIC"`', '`dtype = "float16"` change'),
        # at opset 17 no pattern is one node; half a unit of float16 near 2 is 9.8e-4
        r"opset 20\n([^\n]+  (\d nodes|–)  [^\n]+\n){12}"
        r"way[^\n]*(\n[^\n]+?  0\.00(09[78]|1)\d*  [^\n]+){5}",
        {
            'level = "ENABLE_ALL"': 'level = "ENABLE_BASIC"',
            'dtype = "float32"  ': 'dtype = "float16"  ',
        },
    ),
    Trial(  # the numbers of the solution
        "outputs-differ",
        ("three times as wide", "which one rises?"),
        "'tanh': 0.83, 'sigmoid': 0.77, 'bfloat16': 1.64",
        {"up = rng.normal": "up = 3 * rng.normal"},
        "narrow = outputs(lambda x: gelu(x / 3))\n"
        "def before(form):\n"
        "    pairs = zip(outputs(lambda x: form(x / 3)), narrow)\n"
        "    return [norm(x - y) / norm(y) for x, y in pairs]\n"
        "{name: round(float(np.divide(curves[name], before(form)).max()), 2)\n"
        " for name, form in swaps.items()}",
        slow=True,
    ),
    Trial(
        "probit-logit",
        ("sqrt(2 * pi) * log(2))` into `purposes`", "between which rows does its error lie?"),
        r"0\.0096\), \('mean deviation', 0\.0136\), \('Kullback",
        {
            "purposes = [": "from sympy import log\n\npurposes = [\n"
            '    ("mean deviation", sqrt(2 * pi) * log(2)),'
        },
        asked="sorted(((r[0], round(float(r[2]), 4)) for r in rows), key=lambda r: r[1])",
        slow=True,
    ),
    Trial(
        "sixteen-bits",
        ("add a constant of your own", "Which input is the first, going left from 0?"),
        r"mine  `0x\w+`  `0x\w+`  `0x\w+`  `0x3d38`.*-1\.28906,\s+-1\.28125, 0\.523438\]",
        {'"0.045": Rational("0.045"),': '"0.045": Rational("0.045"), "mine": Rational("0.0448"),'},
        'all_finite("bfloat16")[moved(Rational("0.0448"), "bfloat16") > 0]',
        slow=True,
    ),
    Trial(
        "tanh-constant",
        ("keep the cubic one at 0 instead. Which constant comes out?",),
        "True$",
        asked="from gelu_lib import LOGISTIC\n\nscale = minimax(LOGISTIC, digits=20)\n"
        'abs(float(plain.parameters["p1"]) - float(scale.parameters["p1"])) < 1e-15',
        slow=True,
    ),
    Trial(
        "taylor",
        ('`"11/246": sp.Rational(11, 246)`', "Why must every fraction differ there?"),
        # one that agreed would make π a fraction
        r"11/246  \$x\^3\$.*\[4/\(6\*q \+ 1\)\]",
        {'"π/70": pi / 70,': '"π/70": pi / 70, "11/246": sp.Rational(11, 246),'},
        'sp.solve((4 - X) / (6 * X) - sp.Symbol("q"), X)',
    ),
    Trial(
        "taylor-orders",
        ("orders 11, 15, 21 and 31", "How few real coefficients determine four of its digits?"),
        r"\n11 [^\n]*  2\n15 [^\n]*  2\n21 [^\n]*  4\n31 [^\n]*  4",
        {"(41, 101, 201, 321)": "(11, 15, 21, 31)"},
    ),
    Trial(
        "telling-them-apart",
        ("Round the constant `0.79788456` in `claimed` to `0.7979`",),
        r"none of the three forms, and.*the tanh form: up to ±12 it differs most at x = -",
        {"inner = 0.79788456 * x": "inner = 0.7979 * x"},
        slow=True,
    ),
    Trial(
        "which-one",
        ("uses ReLU?", "end up with nothing in common", r"deviate by $\sqrt2$"),
        "True$",
        asked="bool(3 * relu[0] < relu[-1] < np.sqrt(2) / 2)",
    ),
    Trial(
        "your-own",
        ("Replace `(2, 4, 6, 8)` by `(2, 3, 4, 6)`", "what does each bit gain?"),
        r"^2 bits:[^\n]* 0\.01579 proved\n3 bits:[^\n]* 0\.009627 proved\n"
        r"4 bits:[^\n]* 0\.002567 proved\n6 bits:[^\n]* 0\.001618 proved\n\S+ \S+$",
        {"for n in (2, 4, 6, 8):": "for n in (2, 3, 4, 6):"},
        slow=True,
    ),
]


@cache
def tasks() -> dict[str, str]:
    """The tasks of the book, by notebook."""
    found = {chapter: task(prose(chapter)) for chapter in chapters()}
    return {chapter: " ".join(text.split()) for chapter, text in found.items() if text is not None}


def test_every_task_is_tried_and_says_what_is_tried():
    assert set(tasks()) == {trial.chapter for trial in TRIED} | {"explorer"}  # tried below
    for trial in TRIED:
        assert [words for words in trial.words if words not in tasks()[trial.chapter]] == []


def test_what_the_tasks_change_stands_in_the_notebooks_once():
    for trial in TRIED:
        code = "\n\n".join(code_cells(trial.chapter))
        assert [old for old in trial.changes if code.count(old) != 1] == [], trial.chapter
    for old in ("no such code", "derivation("):
        with pytest.raises(ValueError, match="unpack"):
            Session("gelu", {old: ""})


@pytest.mark.parametrize(
    "trial",
    [pytest.param(t, id=t.chapter, marks=[pytest.mark.slow] * t.slow) for t in TRIED],
)
def test_who_does_what_a_task_asks_sees_what_is_said(trial):
    opened = Session(trial.chapter, trial.changes)
    opened.names["result"] = result
    asked = [*code_blocks(task(prose(trial.chapter))), trial.asked]
    seen = "\n".join(filter(None, [opened.shown, *map(opened.run, asked)])).strip()
    assert re.search(trial.shows, seen, re.DOTALL), seen


def test_explorer_two_moves_in_turn_lead_from_the_sigmoid_form_to_a_smaller_error():
    assert "Raise $p_3$ a little from 0: the error grows" in tasks()["explorer"]
    assert "the error is smaller than it was at first" in tasks()["explorer"]
    x = np.linspace(0, 8, 4001)

    def largest(p1, p3):
        return np.max(np.abs(ndtr(-x) - expit(-p1 * x - p3 * x**3)))

    def levelled(p3):
        return minimize_scalar(largest, bounds=(1.5, 1.8), args=(p3,), method="bounded").x

    places = [(levelled(p3), p3) for p3 in np.linspace(0, 0.07, 8)]
    for (p1, before), (other, p3) in pairwise(places):
        assert largest(p1, p3) > largest(p1, before) > largest(other, p3)


def test_minimax_with_another_slope_the_equations_find_what_the_library_finds():
    names = Session("minimax", {'kept = {"p1": 2 * sqrt(2 / pi)}': 'kept = {"p1": 1.6}'}).names
    assert names["ok"] == 1 and names["signs"] == names["best"].signs == (-1, 1)
    assert abs(names["k"] - float(names["best_k"])) < 1e-9


@pytest.mark.slow
def test_tanh_constant_the_cell_with_another_part_kept_runs_too():
    names = Session(
        "tanh-constant", {"=slope_kept, digits=50)\nproof": '={"p3": 0}, digits=50)\nproof'}
    ).names
    assert names["best_k"].lower == names["best_k"].upper == 0
