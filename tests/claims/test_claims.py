"""Every claim has one check, which fails if the verdict is another one; what the data must obey."""

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import deciding_claims
import nbformat
import numpy as np
import pytest
import said_by_several
import sympy as sp
from deciding_claims import (
    N,
    Undecided,
    begins,
    below,
    closer,
    elementary,
    ends,
    equal,
    every_term,
    less,
    lines_of,
    numeral,
    positive,
    registered,
    rounded,
    within,
)
from kinds import slow_but
from scipy.special import erf as scipy_erf
from sympy import Derivative, Integral, Rational, erf, exp, oo, pi, sqrt, tanh

from gelu_lib.activations import gelu_sigmoid, gelu_tanh
from gelu_lib.derivations.deciding import NotProven
from gelu_lib.functions.expressions import LOGISTIC_SCALE, PAGE_CUBIC, Phi, T, X, phi
from gelu_lib.functions.series import erf_coefficient
from gelu_lib.provenance.atlas.claims import (
    EDITORIAL,
    FAULTS,
    OPEN,
    POSTS,
    RIGHT,
    ROUNDED,
    VERDICTS,
    claims,
    myths,
)
from gelu_lib.register import result, results

HERE = Path(__file__).parent
BOOK = HERE.parents[1] / "book"
EVERY = {**claims(), **myths()}
DATA = "".join(
    (HERE.parents[1] / f"gelu_lib/data/{name}.toml").read_text("utf-8")
    for name in ("claims", "myths")
)
BIBLIOGRAPHY = (BOOK / "references.bib").read_text("utf-8")


# ------------------------------------------------------------------ every claim has its check


@cache
def of_claims() -> dict:
    """The tests of claims, by their names; each asks the data for the verdict of its claim."""
    found = {}
    for path in HERE.glob("test_*.py"):
        for name, one in vars(import_module(path.stem)).items():
            asked = inspect.signature(one).parameters if name.startswith("test_") else ()
            if "holds" in asked or "rounds" in asked:
                assert name not in found, name
                found[name] = one
    return found


@cache
def notebook():
    return nbformat.read(BOOK / "claims.ipynb", as_version=4)


def printed() -> list[tuple[str, bool, bool]]:
    """The claims that cells print: ID, whether it says "to the digits given", whether it holds."""
    outputs = [out for cell in notebook().cells for out in cell.get("outputs", ())]
    text = "\n".join(out.text for out in outputs if out.output_type == "stream")
    said = re.findall(r"([a-z]+-[a-z0-9-]+)(, to the digits given)?: (True|False)$", text, re.M)
    return [(id, bool(digits), held == "True") for id, digits, held in said if id in EVERY]


def test_every_claim_with_a_computed_verdict_has_one_check():
    in_cells = [id for id, claim in EVERY.items() if claim.checked.startswith("#")]
    assert sorted(id for id, *_ in printed()) == sorted(in_cells)
    tested = [claim.checked for claim in EVERY.values() if claim.checked.startswith("test_")]
    rows = [f"test_{id.replace('-', '_')}" for id in {**SAID, **said_by_several.ROUNDED}]
    assert sorted(tested) == sorted([*of_claims(), *rows])
    judged = [id for id, claim in EVERY.items() if claim.checked == EDITORIAL]
    assert len(in_cells) + len(tested) + len(judged) == len(EVERY)


SAID = {id: holds for holds, ids in said_by_several.SAID.items() for id in ids.split()}


@pytest.mark.parametrize("id", SAID)
def test_what_several_posts_say(id):
    assert EVERY[id].verdict != ROUNDED
    assert SAID[id]() is (EVERY[id].verdict == RIGHT)


@pytest.mark.parametrize("id", said_by_several.ROUNDED)
def test_a_number_is_another_one_rounded(id):
    printed, exact = said_by_several.ROUNDED[id]
    assert EVERY[id].verdict != RIGHT
    assert rounded(printed, exact) is (EVERY[id].verdict == ROUNDED)


def test_a_claim_in_a_cell_has_the_verdict_that_it_prints_and_its_anchor():
    expected = {(True, True): (ROUNDED,), (False, True): (RIGHT,), (False, False): FAULTS}
    for id, digits, held in printed():
        assert EVERY[id].verdict in expected[digits, held], id
    place = ""
    for cell in notebook().cells:
        anchors = re.findall(r'<a id="(check-\w+)">', cell.source)
        place = f"#{anchors[-1]}" if anchors else place
        for id, claim in EVERY.items():
            if cell.cell_type == "code" and f"{id}:" in str(cell.get("outputs", "")):
                assert claim.checked == place, id


@pytest.mark.parametrize("name", of_claims())
def test_another_verdict_fails(name):
    (claim,) = (claim for claim in EVERY.values() if claim.checked == name)
    true = claim.verdict in (RIGHT, ROUNDED)
    with pytest.raises(AssertionError):
        of_claims()[name](not true)


def test_every_row_of_the_page_has_its_anchor_its_verdict_and_its_check():
    outputs = [out for cell in notebook().cells for out in cell.get("outputs", ())]
    lines = "\n".join(out.get("data", {}).get("text/markdown", "") for out in outputs).splitlines()
    rows = [re.match(r'\| <span id="claim-([\w-]+)"></span>(.*)', line) for line in lines]
    found = dict(row.groups() for row in rows if row)
    assert list(found) == list(EVERY) and len(found) == sum(map(bool, rows))
    for id, claim in EVERY.items():
        editorial = " (editorial)" if claim.checked == EDITORIAL else ""
        assert found[id].startswith(f"**{claim.verdict}**{editorial} · `{id}`")
        on_the_page = f'<a href="{claim.checked}">on this page</a>' in found[id]
        by_test = "test of its name" in found[id]
        assert on_the_page == claim.checked.startswith("#"), id
        assert by_test == claim.checked.startswith("test_"), id


# ------------------------------------------------------------------ each check has its point

SEVERAL = {
    name: one
    for name, one in vars(said_by_several).items()
    if inspect.isfunction(one) and one.__module__ == "said_by_several" and "_taylor" not in name
}
NOTICED = (AssertionError, NotProven, Undecided, IndexError, ValueError)

LOOSE = {
    1: """
        test_en_which_normal test_en_fraction_origin test_en_tanh_series test_en_index
        the_bell_has_no_elementary_integral test_clay_switch
        test_zh_erf_remainder test_zh_tanh_remainder
        test_zh_min_over_b test_myth_root test_myth_fraction_bound test_myth_lowest
        test_myth_gap relu_has_a_corner the_tanh_form_is_nearer_than_relu
        the_sigmoid_form_is_nearer_than_relu the_slope_is_kept
    """,
    2: """
        test_en_erf_sigma test_su_tanh test_myth_fraction the_local_fit_is_local
    """,
    3: "test_en_same_centre",
    4: """
        test_su_tanh_resembles test_myth_stale_bound
    """,
    6: """
        test_en_tanh_form_derivative_everywhere test_myth_samples
    """,
    8: """
        test_zh_range
    """,
}
"""Checks by how many of their numbers may be others: they stand in an inequality, at a point, on a
side that is refuted in any case, or say how many digits are asked for."""

LONG = {"test_en_phi_by_substitution", "test_zh_split_first", "test_en_which_normal"}
"""Their altered lines are integrals that SymPy takes long to find."""

TOLD = {**of_claims(), **SEVERAL}
SOME = slow_but((set(list(TOLD)[::4]) - LONG).__contains__, TOLD)
"""Every check, of which one in four is altered in every run."""


def altered(function) -> list:
    """The function again and again, each time with another one of its numbers increased by 1."""
    tree = ast.parse(inspect.getsource(function))
    tree.body[0].decorator_list = []
    made = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            value, node.value = node.value, node.value + 1
            space = dict(function.__globals__)
            exec(compile(tree, f"line {node.lineno}, {value} increased", "exec"), space)
            made.append(space[function.__name__])
            node.value = value
    return made


def unnoticed(function, *given) -> list[str]:
    """The numbers of a check that it does not need."""
    found = []
    for other in altered(function):
        try:
            if other(*given) is not False:
                found.append(other.__code__.co_filename)
        except NOTICED:
            continue
    return found


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", SOME)
def test_each_number_of_a_check_that_is_changed_is_noticed(name):
    if name in SEVERAL:
        found = unnoticed(SEVERAL[name])
    else:
        (claim,) = (claim for claim in EVERY.values() if claim.checked == name)
        found = unnoticed(of_claims()[name], claim.verdict in (RIGHT, ROUNDED))
    loose = (count for count, names in LOOSE.items() if name in names.split())
    assert len(found) == next(loose, 0), found


def idle(holds):
    assert holds is (equal(2 * X, X + X) and 1 < 7)


def test_a_number_that_a_check_does_not_need_is_found():
    found = [place.partition(", ")[2] for place in unnoticed(idle, True)]
    assert found == ["1 increased", "7 increased"]


# ------------------------------------------------------------------ what decides


HALF = Rational(1, 2)
DECIDED = {
    "equal": (
        lambda: equal(tanh(X).diff(X), 1 - tanh(X) ** 2),
        lambda: equal(tanh(X).diff(X), 1 + tanh(X) ** 2),
    ),
    "equal by a derivation": (
        lambda: equal(Phi(X), (1 + erf(X / sqrt(2))) / 2, by=("phi-erf",)),
        lambda: equal(Phi(X), (1 + erf(X)) / 2, by=("phi-erf",)),
    ),
    "a line in the middle": (lambda: equal(X, 2 * X - X, X), lambda: equal(X, 2 * X, X)),
    "a derivative": (
        lambda: equal(Derivative(erf(X), X), 2 / sqrt(pi) * exp(-(X**2)), by=("erf-derivative",)),
        lambda: equal(erf(X).diff(X), 2 / sqrt(pi) * exp(-(X**2) / 2)),
    ),
    "positive": (lambda: positive(phi(X)), lambda: positive(-X)),
    "lines of a derivation": (
        lambda: lines_of("phi-erf", Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi)),
        lambda: lines_of("logistic-tanh", sp.S.Zero),
    ),
    "coefficients": (
        lambda: begins({1: 2 / sqrt(pi)}, erf_coefficient, 2),
        lambda: begins({1: 2 / sqrt(pi)}, erf_coefficient, 3),
    ),
    "every term": (
        lambda: every_term(1 / sp.factorial(N), 1, 1 / (N + 1)),
        lambda: every_term(1 / sp.factorial(N), 1, 1 / (N + 2)),
    ),
    "the first term": (
        lambda: every_term(2 / sp.factorial(N), 2, 1 / (N + 1)),
        lambda: every_term(2 / sp.factorial(N), 1, 1 / (N + 1)),
    ),
    "elementary": (lambda: elementary(X * exp(-(X**2))), lambda: elementary(exp(-(X**2)))),
    "rounded": (
        lambda: rounded("0.044715", "tanh-pinned-cubic"),
        lambda: rounded("0.044716", "tanh-pinned-cubic"),
    ),
    "within": (
        lambda: within("3.1416", pi, Rational(1, 10**5)),
        lambda: within("3.1416", pi, Rational(1, 10**6)),
    ),
    "less": (
        lambda: less("page-error-phi", "page-error-gelu"),
        lambda: less("page-error-gelu", "page-error-phi"),
    ),
    "closer": (lambda: closer(Rational(22, 7), pi, 3), lambda: closer(3, 4, pi)),
    "below": (lambda: below(erf(X), 1, 0, 2), lambda: below(erf(X), Rational(9, 10), 0, 2)),
    "a size below": (
        lambda: below(-erf(X), 1, -2, 2),
        lambda: below(-erf(X), Rational(9, 10), -2, 2),
    ),
    "at the end too": (
        lambda: below(2 * X, Rational(201, 100), 0, 1),
        lambda: below(2 * X, Rational(199, 100), 0, 1),
    ),
    "a relative error below": (
        lambda: below(X**2, Rational(3, 2), 0, 1, unit=X),
        lambda: below(X**2, HALF, 0, 1, unit=X),
    ),
}
"""For each way to decide a statement that holds and one that is false."""

UNDECIDED = {
    "equal, by no algebra that is known": lambda: equal(sp.sin(X) ** 2, 1 - sp.cos(X) ** 2),
    "positive, but not proved": lambda: positive(2 + sp.sin(X)),
    "half a unit away": lambda: rounded("0.5", (Rational(55, 100) - HALF / 10**60, HALF)),
    "one number": lambda: less(pi, pi + Rational(1, 10**60)),
    "equally close": lambda: closer(1, 0, 2),
    "reached between two samples": lambda: below(1 - (X - sqrt(2)) ** 2, 1, 0, 2),
    "both vanish with one slope": lambda: below(X - X**3, 1, 0, 1, unit=X),
    "an equal line that is none of those that are left": lambda: lines_of(
        "phi-erf", (1 + erf(X / sqrt(2))) / 2, Phi(X)
    ),
}


@pytest.mark.parametrize("way", DECIDED)
def test_what_is_true_holds_and_what_is_false_does_not(way):
    true, false = DECIDED[way]
    assert true() is True
    assert false() is False


def test_every_way_to_decide_is_tried():
    ways = {
        name
        for name, one in vars(deciding_claims).items()
        if inspect.isfunction(one) and inspect.signature(one).return_annotation == "bool"
    }
    tried = {name for pair in DECIDED.values() for name in pair[1].__code__.co_names}
    assert ways - {"prove_equal", "is_positive", "are_equal"} <= tried


@pytest.mark.parametrize("case", UNDECIDED)
def test_what_is_not_decided_is_neither_true_nor_false(case):
    with pytest.raises(Undecided):
        UNDECIDED[case]()


def test_the_ends_of_a_registered_number_are_proved_or_one_unit_apart():
    with pytest.raises(ValueError, match="accepted is a historical literal"):
        numeral("tanh-pinned-cubic")
    low, high = registered("tanh-pinned-cubic")
    assert low < high < low + Rational(1, 10**40)
    assert registered("page-cubic") == ends(PAGE_CUBIC)
    named = registered("criteria-tanh-pinned-phi", "L2, k")
    assert rounded("0.044846", named) and not rounded("0.044847", named)
    doubled = registered("tanh-pinned-cubic", times=sp.Integer(2))
    assert doubled == (2 * low, 2 * high)


# ------------------------------------------------------------------ the data


@pytest.mark.parametrize(("name", "found"), [("claims", claims()), ("myths", myths())])
def test_every_published_claim_stands(name, found):
    published = (HERE.parent / f"{name}.txt").read_text(encoding="utf-8").split()
    assert sorted(found) == sorted(published)


def test_the_data_of_the_claims_obey_their_rules():
    prefixes = dict(zip(POSTS, ("en", "zh", "ja", "su", "clay"), strict=True))
    for id, claim in claims().items():
        assert re.fullmatch(rf"{prefixes[claim.post]}(-[a-z0-9]+)+", id)
    for id, claim in EVERY.items():
        assert claim.verdict in VERDICTS, id
        assert claim.correct or (claim.checked != EDITORIAL and claim.verdict not in FAULTS), id
        assert claim.verdict != OPEN or claim.checked == EDITORIAL, id
        assert claim.checked != EDITORIAL or id in claims(), id
    keys = set(re.findall(r"^@\w+\{([^,]+),", BIBLIOGRAPHY, re.M))
    assert set(re.findall(r"\{(?:result|literal)\}`([^`]+)`", DATA)) <= set(results())
    cited = re.findall(r"\{cite\}`([^`]+)`", DATA) + [claim.post for claim in EVERY.values()]
    assert {key for one in cited for key in one.split(",")} <= keys
    assert {id for claim in EVERY.values() for id in claim.see.split()} <= set(results())
    named = re.findall(r"`((?:en|zh|ja|su|clay)-[a-z0-9-]+)`", DATA)
    assert set(named) <= {*EVERY, *results()}
    decimals = re.findall(r"(?<![\w./])\d+\.\d{2,}(?![\w.])", re.sub(r"`[^`]*`", "", DATA))
    assert set(decimals) <= {"0.044715", "1.702", "1606.08415"}
    assert numeral("page-cubic") == str(float(PAGE_CUBIC))
    assert numeral("gelu-paper-scale") == str(float(LOGISTIC_SCALE))


def test_what_rows_say_of_sources_is_what_the_bibliography_says():
    said, written = (
        int(re.search(rf"@\w+{{{key},.*?year\s*=\s*{{(\d+)}}", BIBLIOGRAPHY, re.S)[1])
        for key in ("su2020gelu", "page1977")
    )
    assert said - written > 40
    assert "wikipedia-erf" in claims()["en-fraction-source"].correct
    entry = re.search(r"@misc\{wikipedia-erf,(.*?)\n\}", BIBLIOGRAPHY, re.S)[1]
    assert "seen in a copy" in entry


# ------------------------------------------------------------------ what the page says


def test_the_picture_of_the_verdicts_shows_what_its_words_say():
    tallies = [
        [claim.verdict for claim in claims().values() if claim.post == post] for post in POSTS
    ]
    for found in tallies:
        assert found.count(RIGHT) + found.count(ROUNDED) > 2 * len(found) / 3
    slips, misleading, wrong = (sum(f.count(fault) for f in tallies) for fault in FAULTS)
    assert slips > misleading + wrong and 0 < misleading < 10
    assert [found.count("wrong") for found in tallies] == [1, 0, 0, 0, 1]


def test_what_the_page_says_of_searches_arches_and_crests():
    printed = [one.value for one in results().values() if "gelunote-zh" in one.source]
    historical = [text for text in printed if text and len(text) < 20]
    assert max(len(text.partition(".")[2]) for text in historical) == 8
    for number, exact in (("su-b", "tanh-grid-coefficient"), ("su-scale", "logistic-grid-scale")):
        assert within(number, exact, Rational(1, 10**13))
        assert not within(number, exact, Rational(1, 10**16))
    x, found = np.linspace(0.01, 4, 2000), []
    bound = float(result("note-en-bound").number)
    for cubic in ((4 / np.pi - 1) / 3, np.pi / 35, 11 / 123):  # derived, printed, quoted
        size = np.abs(1 - scipy_erf(x) / np.tanh(2 / np.sqrt(np.pi) * (x + cubic * x**3)))
        crests = (size[1:-1] > size[:-2]) & (size[1:-1] > size[2:]) & (size[1:-1] > 1e-6)
        found.append((int(crests.sum()), bool(size.max() < bound)))
    assert found == [(1, False), (2, True), (2, True)]
    x = np.linspace(-3.5, 3.5, 7001)
    difference = gelu_tanh(x) - gelu_sigmoid(x)
    assert 2.5 < difference.max() / -difference.min() < 3.5
    assert np.abs(x[np.argmax(difference)]) > 1 > np.abs(x[np.argmin(difference)])
