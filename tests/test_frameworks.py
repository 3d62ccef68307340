"""The atlas and the record of the frameworks; what is installed is measured again."""

import importlib.metadata
import importlib.util
import json
import os
import re
import warnings
from fractions import Fraction
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from framework_adapters import PACKAGES
from record_frameworks import RECORD, in_its_own_process

from gelu_lib import figures, framework_record, frameworks
from gelu_lib.measuring import TAIL

matplotlib.use("svg")

ROOT = Path(__file__).resolve().parent.parent
STORED = json.loads(RECORD.read_text(encoding="utf-8"))
REQUIRED = "GELU_LIB_NEEDS_FRAMEWORKS"
READ = """
[a]
name = "A"
exact = "x"
default = "exact"
seen = "read"
repository = "o/r"
path = "p"
release = "1"
"""


def test_every_row_was_read_or_states_nothing():
    rows = frameworks.atlas().values()
    assert {row.seen for row in rows} <= set(frameworks.SEEN)
    assert all(row.source for row in rows if row.seen == "read")
    assert not any(row.literals or row.exact for row in rows if row.seen == "not checked")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seen = ", "sen = "), "unknown field 'sen'"),
        (('"read"', '"heard"'), "seen as one of read"),
        (('name = "A"', 'name = ""'), "needs a name"),
        (('default = "exact"', 'default = "erf"'), "default is 'erf'; accepted are exact"),
        (('path = "p"', 'path = ""'), "needs repository, path and a form"),
        (('exact = "x"', ""), "needs repository, path and a form"),
        (('release = "1"', ""), "one of the two"),
        (('release = "1"', f'release = "1"\ncommit = "{"0" * 40}"'), "one of the two"),
        (('release = "1"', 'commit = "main"'), "accepted are 40 hexadecimal digits"),
        (('exact = "x"', 'exact = "x"\nliterals = ["M_PI"]'), "literal 'M_PI'"),
        (('"read"', '"not checked"'), "was not checked and states exact"),
    ],
)
def test_a_row_that_breaks_a_rule_is_refused(change, message):
    assert frameworks.parse(READ)["a"].release == "1"
    with pytest.raises(frameworks.FrameworkError, match=f"a: .*{re.escape(message)}"):
        frameworks.parse(READ.replace(*change))


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0.044715f", Fraction(44715, 10**6)),
        ("0.03567741F", Fraction(3567741, 10**8)),
        ("-1.702", Fraction(-1702, 1000)),
        ("0x3f800000", Fraction(1)),
        ("0x3f4c422a", Fraction("0.79788458347320556640625")),
        ("sqrt(2)", None),
        ("0x3f4c", None),
        ("0x7f800000", None),
        ("1/2", None),
        ("1/0", None),
        ("nan", None),
        (" 1", None),
        ("1fF", None),
        (0.5, None),
    ],
)
def test_a_literal_is_the_number_that_is_written(literal, value):
    assert frameworks.literal_value(literal) == value


def test_the_literals_stand_in_the_formulas_or_in_what_they_are_named_after():
    """A decimal of a formula that looks like one of the constants is among the literals."""
    decimals = re.compile(r"(?<![\w.])0\.\d{4,}|(?<![\w.])1\.\d{3,}")
    for row in frameworks.atlas().values():
        stated = {literal.rstrip("fF").lstrip("-") for literal in row.literals}
        met = set(decimals.findall(f"{row.exact} {row.approximate}"))
        # ONNX writes 2/π itself, which is none of the constants
        assert met - {"0.63661977236"} <= stated, row.id


def test_each_spelling_is_near_its_constant_and_counts_its_users():
    spellings = frameworks.spellings()
    assert all(abs(s.relative) < 1e-4 for s in spellings)
    assert len({s.literal for s in spellings}) == len(spellings)
    rows = frameworks.atlas().values()
    assert sum(len(s.users) for s in spellings) == sum(len(row.literals) for row in rows)
    steps = {s.literal: s.steps for s in spellings}
    assert (steps["0.797885"], steps["0.7978845608"], steps["0x3d372713"]) == (7, 0, 0)
    with pytest.raises(ValueError, match="'pi'; accepted are"):
        frameworks.spelling_table("pi")


def test_the_record_is_read_and_a_broken_one_is_refused():
    assert framework_record.parse(STORED) == framework_record.measured()
    broken = json.loads(json.dumps(STORED))
    del broken["torch"]["versions"]
    with pytest.raises(framework_record.RecordError, match="torch: lacks versions"):
        framework_record.parse(broken)
    broken = json.loads(json.dumps(STORED))
    broken["jax"]["subjects"]["jax-erf"]["form"] = "erf"
    with pytest.raises(framework_record.RecordError, match="jax-erf has the form 'erf'"):
        framework_record.parse(broken)
    broken = json.loads(json.dumps(STORED))
    del broken["jax"]["subjects"]["jax-erf"]["types"]["float32"]["tail"]["windows"][0]
    with pytest.raises(framework_record.RecordError, match="lacks windows"):
        framework_record.parse(broken)


def test_unknown_names_and_types_are_refused():
    with pytest.raises(KeyError, match="torch-cpu-none"):
        framework_record.one("torch", "float32")
    with pytest.raises(ValueError, match="'float8'; accepted are"):
        framework_record.accuracy_table("float8")
    with pytest.raises(ValueError, match="accepted are float16 and bfloat16"):
        framework_record.rounding_table("float32")


def test_rows_that_agree_are_one_row_that_names_all():
    rows = framework_record.accuracy_table("float32").rows
    names = "<br>".join(row[0] for row in rows).split("<br>")
    assert len(names) == sum(e.dtype == "float32" for e in framework_record.measured())
    assert len({tuple(row[1:]) for row in rows}) == len(rows)


def test_the_figure_shows_the_windows_of_the_record():
    drawn = figures.left_tails({"JAX": "jax-erf"}, "float32")
    x, y = drawn.curves["JAX"]
    stored = STORED["jax"]["subjects"]["jax-erf"]["types"]["float32"]["tail"]["windows"]
    assert dict(zip(TAIL, stored, strict=True)) | dict(zip(x, y, strict=True)) == dict(
        zip(TAIL, stored, strict=True)
    )
    assert len(x) == sum(size is not None for size in stored)


def test_exercise_two_inputs_give_the_constants_of_a_tanh_form():
    linear, cubic = 0.797885, 0.035677
    x = np.array([0.5, 1.0])
    y = x * (1 + np.tanh(linear * x + cubic * x**3)) / 2
    found = np.linalg.solve(np.column_stack([x, x**3]), np.arctanh(2 * y / x - 1))
    np.testing.assert_allclose(found, [linear, cubic], rtol=1e-12)


def test_gradients_of_the_tanh_form_turn_nan_in_float16_unless_it_is_computed_in_float32():
    found = [e for e in framework_record.measured() if e.dtype == "float16" and e.gradient]
    tanh = [e for e in found if e.form == "gelu_tanh"]
    once = {e.key for e in tanh if e.accuracy["misrounded"] < 2000}
    assert once == {"torch-cpu-tanh", "transformers-gelu_pytorch_tanh"}
    assert {e.key for e in tanh if e.gradient["nan_from"] == [None, None]} == once
    assert len({tuple(e.gradient["nan_from"]) for e in tanh if e.key not in once}) > 1


def test_two_calls_of_keras_differ_by_default():
    forms = framework_record.defaults()
    assert forms["keras.ops.gelu"] != forms["keras.activations.gelu"]


def test_the_first_row_is_the_file_of_the_authors_with_the_exact_form_in_a_comment():
    first, *others = frameworks.atlas().values()
    assert (first.id, first.default) == ("hendrycks", "tanh")
    assert first.exact.endswith("commented out")
    assert not any("commented out" in row.exact for row in others)


def test_the_record_names_no_package_that_nobody_measures():
    assert set(STORED) <= set(PACKAGES)


def test_the_frameworks_are_there_where_they_must_be():
    missing = [n for n in os.environ.get(REQUIRED, "").split() if not importlib.util.find_spec(n)]
    assert missing == [], f"{REQUIRED} names {', '.join(missing)}, and Python does not find it"


def test_ci_installs_the_versions_of_the_record():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pins = dict(re.findall(r"(\w+)==([\d.]+)", text))
    required = re.search(rf'{REQUIRED}="([^"]+)"', text)[1].split()
    assert {name: pins[name] for name in required} == {
        name: STORED[name]["versions"][name] for name in required
    }


# What depends on the processor is compared within these bounds; the rest must be equal.
FACTOR = 4
"""A largest error may be so many times another, as erf and tanh are evaluated in many ways."""
STEP = 1.0
"""A place in the left tail may move so far."""


def departures(new: dict, old: dict) -> list[str]:
    """Where two records of one package differ by more than a processor may change."""
    found = [key for key in ("defaults",) if new[key] != old[key]]
    for key, subject in old["subjects"].items():
        for dtype, before in subject["types"].items():
            now = new["subjects"].get(key, {}).get("types", {}).get(dtype)
            found += [f"{key} {dtype}: {what}" for what in _differing(now, before)]
    return found


def _differing(now: dict | None, before: dict) -> list[str]:
    if now is None:
        return ["gone"]
    found = [name for name in ("gelu", "form") if not _alike(now, before, "accuracy", name)]
    found += [name for name in ("half_from", "zero_from") if not _near(now, before, name)]
    if now["specials"]["-inf"] != before["specials"]["-inf"]:
        found.append("at -inf")
    if now.get("gradient", {}).get("nan_from") != before.get("gradient", {}).get("nan_from"):
        found.append("nan of the gradient")
    return found


def _alike(now: dict, before: dict, part: str, name: str) -> bool:
    one, other = now[part][name], before[part][name]
    return other / FACTOR <= one <= other * FACTOR


def _near(now: dict, before: dict, name: str) -> bool:
    one, other = now["tail"][name], before["tail"][name]
    return one == other if None in (one, other) else abs(one - other) <= STEP


def test_a_departure_is_found():
    for change in (
        ("accuracy", "gelu", 1.0),
        ("tail", "zero_from", None),
        ("tail", "half_from", -20.0),
        ("specials", "-inf", "-0.0"),
        ("gradient", "nan_from", [None, None]),
    ):
        part, name, value = change
        new = json.loads(json.dumps(STORED["torch"]))
        assert departures(new, STORED["torch"]) == []
        new["subjects"]["torch-cpu-tanh"]["types"]["float32"][part][name] = value
        assert len(departures(new, STORED["torch"])) == 1, change
    new["defaults"] = {}
    assert "defaults" in departures(new, STORED["torch"])
    assert departures({**new, "subjects": {}}, STORED["torch"])


@pytest.mark.parametrize("name", list(STORED))
def test_what_is_installed_gives_what_the_record_says(name):
    """Bits and last digits depend on the processor; what does not is compared."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed; its record is not measured again")
    installed = {n: _version(n) for n in STORED[name]["versions"]}
    if installed != STORED[name]["versions"]:
        pytest.skip(f"{name} is there in another version: {installed}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        new = in_its_own_process(name)
    assert departures(new, STORED[name]) == []


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return "none"
