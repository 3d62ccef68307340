"""The atlas and the record of the frameworks; what is installed is measured again."""

import dataclasses
import importlib.metadata
import importlib.util
import json
import os
import re
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from framework_adapters import PACKAGES
from kinds import slow_but
from record_frameworks import RECORD, in_its_own_process
from records import departures

from gelu_lib.provenance.atlas import checkpoints, frameworks, records
from gelu_lib.rows import DataError

ROOT = Path(__file__).resolve().parents[2]
STORED = json.loads(RECORD.read_text(encoding="utf-8"))
REQUIRED = "GELU_LIB_NEEDS_FRAMEWORKS"
READ = """
[a]
name = "A"
group = "kernels"
writes = { exact = ["gelu"] }
exact = "x"
default = "exact"
seen = "read"
repository = "o/r"
path = "p"
release = "1"
read = "2026-11-24"
date = "2026-10-01"
"""


def test_every_row_was_read_or_says_what_was_tried_and_one_that_does_not_is_refused():
    rows = frameworks.atlas().values()
    assert {row.seen for row in rows} <= set(frameworks.SEEN)
    assert all(row.source for row in rows if row.seen != "not checked")
    assert all(row.tried for row in rows if row.seen == "not checked")
    assert not any(row.literals or row.exact for row in rows if row.seen == "not checked")
    by_comments = frameworks.atlas()["tensorrt"]
    assert by_comments.source.startswith("documentation alone: [NVIDIA/TensorRT]")
    row = '[a]\nname = "A"\ngroup = "kernels"\nseen = "not checked"\n'
    assert frameworks.parse_frameworks(f'{row}tried = "x"')["a"].tried == "x"
    with pytest.raises(DataError, match="a: was not checked and needs tried"):
        frameworks.parse_frameworks(row)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seen = ", "sen = "), "sen is no field"),
        (('"read"', '"heard"'), "seen is 'heard'; accepted are read"),
        (('name = "A"', 'name = ""'), "needs a name"),
        (('"kernels"', '"nuts"'), "group is 'nuts'; accepted are frameworks"),
        (("{ exact", "{ erf"), "writes or names has 'erf'"),
        (('writes = { exact = ["gelu"] }', 'names = ["torch", "torche"]'), "'torche'"),
        (('default = "exact"', 'default = "erf"'), "default is 'erf'; accepted are exact"),
        (('path = "p"', 'path = ""'), "needs repository, path and one of commit and release"),
        (('exact = "x"', ""), "needs a form"),
        (('release = "1"', ""), "one of commit and release"),
        (('release = "1"', f'release = "1"\ncommit = "{"0" * 40}"'), "one of commit and release"),
        (('release = "1"', 'commit = "main"'), "accepted are 40 hexadecimal digits"),
        (('exact = "x"', 'exact = "x"\nliterals = ["M_PI"]'), "literal 'M_PI'"),
        (('"read"', '"not checked"'), "was not checked and states exact"),
        (('read = "2026-11-24"', ""), "read is ''"),
        (('read = "2026-11-24"', 'read = "today"'), "read is 'today'"),
        (('date = "2026-10-01"', 'date = "2026"'), "date '2026'"),
        (('date = "2026-10-01"', 'date = "2026-12-01"'), "was read on 2026-11-24, before"),
        (('seen = "read"', 'seen = "read"\ntried = "x"'), "tried is for rows"),
    ],
)
def test_a_row_that_breaks_a_rule_is_refused(change, message):
    row = frameworks.parse_frameworks(READ)["a"]
    assert (row.release, row.age) == ("1", 54)
    with pytest.raises(DataError, match=f"a: .*{re.escape(message)}"):
        frameworks.parse_frameworks(READ.replace(*change))


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
        (" 1", None),
        ("1fF", None),
        (0.5, None),
    ],
)
def test_a_literal_is_the_number_that_is_written(literal, value):
    assert frameworks.literal_value(literal) == value


def test_the_literals_are_those_of_the_formulas_and_of_another_reading():
    # A decimal of a formula that looks like one of the constants is among the literals.
    decimals = re.compile(r"(?<![\w.])0\.\d{4,}|(?<![\w.])1\.\d{3,}")
    for row in frameworks.atlas().values():
        stated = {literal.rstrip("fF").lstrip("-") for literal in row.literals}
        met = set(decimals.findall(f"{row.exact} {row.approximate}"))
        assert met <= stated, row.id
    # Another reading, by a search of the files, in which nothing was copied from the atlas.
    lines = (Path(__file__).parents[1] / "framework_literals.txt").read_text("utf-8").splitlines()
    found = {id: set(literals) for id, *literals in map(str.split, lines)}
    assert {
        row.id: {bare(literal) for literal in row.literals} for row in frameworks.atlas().values()
    } == found


def bare(literal):
    """A literal without the ending of its type and without a sign."""
    return literal if literal.startswith("0x") else literal.rstrip("fF").lstrip("-")


LOOSE = {
    "0.797884560804236": "so it stands in gemma.cpp",
    "0.79788452": "so it stands in ncnn, one float32 below the nearest",
    "0.03567740813636141": "its product with 0.044715",
    "0.1070322243": "three times 0.044715 times 0.79788456, which stands beside it in Megatron-LM",
}
"""Literals that are farther from their constants than one unit of the last digit, and why."""


def is_close(literal, constant):
    """Whether a literal is a number rounded or cut off, or the float32 nearest to it."""
    value = frameworks.literal_value(literal)
    nearest = value == Fraction(float(np.float32(float(constant))))
    if nearest or literal.startswith("0x"):
        return nearest
    return abs(value - constant) < Fraction(1, 10 ** len(literal.partition(".")[2]))


def test_each_literal_is_its_constant_to_the_last_digit_and_each_spelling_counts_its_users():
    for s in frameworks.spellings():
        constant = frameworks.CONSTANTS[s.constant]
        assert is_close(s.literal, constant) == (s.literal not in LOOSE), s.literal
    root = frameworks.CONSTANTS[r"$\sqrt{2/\pi}$"]
    assert not is_close("0.79788465", root)  # two digits swapped
    assert not is_close("0x3f4c422b", root)
    megatron = 3 * Fraction("0.79788456") * Fraction("0.044715")
    assert Fraction("0.1070322243") == round(megatron, 10)
    gemma = Fraction("0.797884560804236") * Fraction("0.044715")
    assert Fraction("0.03567740813636141") == round(gemma, 17)
    spellings = frameworks.spellings()
    assert all(abs(s.relative) < 1e-4 for s in spellings)
    assert len({s.literal for s in spellings}) == len(spellings)
    rows = frameworks.atlas().values()
    assert sum(len(s.users) for s in spellings) == sum(len(row.literals) for row in rows)
    steps = {s.literal: s.steps for s in spellings}
    assert (steps["0.797885"], steps["0.7978845608"], steps["0x3d372713"]) == (7, 0, 0)
    assert (steps["0.79788452"], steps["0.79788456"]) == (-1, 0)


def test_the_record_is_read_a_broken_one_is_refused_and_no_unknown_name_is_there():
    assert records.parse_records(STORED) == records.measured()
    broken = json.loads(json.dumps(STORED))
    del broken["torch"]["versions"]
    with pytest.raises(DataError, match="torch: lacks versions"):
        records.parse_records(broken)
    broken = json.loads(json.dumps(STORED))
    broken["jax"]["subjects"]["jax-erf"]["form"] = "erf"
    with pytest.raises(DataError, match="jax-erf has the form 'erf'"):
        records.parse_records(broken)
    broken = json.loads(json.dumps(STORED))
    del broken["jax"]["subjects"]["jax-erf"]["types"]["float32"]["tail"]["windows"][0]
    with pytest.raises(DataError, match="lacks windows"):
        records.parse_records(broken)
    with pytest.raises(KeyError, match="torch-cpu-none"):
        records.one("torch", "float32")
    assert set(STORED) <= set(PACKAGES)


def test_what_the_page_says_of_gradients_of_keras_and_of_the_file_of_the_authors():
    found = [e for e in records.measured() if e.dtype == "float16" and e.gradient]
    tanh = [e for e in found if e.form == "tanh"]
    once = {e.key for e in tanh if e.accuracy["misrounded"] < 2000}
    assert once == {"torch-cpu-tanh", "transformers-gelu_pytorch_tanh"}
    assert {e.key for e in tanh if e.gradient["nan_from"] == [None, None]} == once
    assert len({tuple(e.gradient["nan_from"]) for e in tanh if e.key not in once}) > 1
    forms = STORED["keras"]["defaults"]
    assert forms["keras.ops.gelu"] != forms["keras.activations.gelu"]
    first, *others = frameworks.atlas().values()
    assert (first.id, first.default) == ("hendrycks", "tanh")
    assert first.exact.endswith("commented out")
    assert not any("commented out" in row.exact for row in others)


def contradictions(rows):
    """Where what one writes contradicts the default, or what was measured."""
    named, record = checkpoints.form_names(), records.framework_record()
    for row in rows:
        default = {named[id].default for id in row.names} or {row.default}
        if row.default != "named" and row.calls and row.default not in row.calls:
            yield f"{row.id}: no call of the default form"
        if row.default not in default:
            yield f"{row.id}: {row.default} is none of the defaults"
        for package in row.run:
            found = record[package]["defaults"].values()
            if found and row.default not in {*found, "named"}:
                yield f"{row.id}: {package} was measured to be {sorted(found)}"


def test_what_one_writes_agrees_with_the_default_and_with_what_was_measured():
    rows = frameworks.atlas()
    assert not list(contradictions(rows.values()))
    assert {name for row in rows.values() for name in row.run} == {*records.framework_record()}
    assert rows["mlx"].calls["tanh"][1:] == ('nn.GELU(approx="precise")', 'nn.GELU(approx="tanh")')
    assert rows["diffusers"].calls["sigmoid"] == ("geglu-approximate",)
    wrong = {"jax": "exact", "mlx": "tanh", "cutlass": "sigmoid", "paddle": "tanh"}
    changed = [dataclasses.replace(rows[id], default=default) for id, default in wrong.items()]
    assert {found.split(":")[0] for found in contradictions(changed)} == {*wrong}


def test_the_frameworks_are_there_where_they_must_be_in_the_versions_of_the_record():
    missing = [n for n in os.environ.get(REQUIRED, "").split() if not importlib.util.find_spec(n)]
    assert missing == [], f"{REQUIRED} names {', '.join(missing)}, and Python does not find it"
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    listed = (ROOT / "requirements-frameworks.txt").read_text(encoding="utf-8")
    pins = dict(re.findall(r"(\w+)==([\d.]+)", listed))
    required = re.search(rf'{REQUIRED}="([^"]+)"', text)[1].split()
    assert {name: pins[name] for name in required} == {
        name: STORED[name]["versions"][name] for name in required
    }


# What depends on the processor is compared within these bounds; the rest must be equal.
FACTOR = 4
"""A largest error may be so many times another, as erf and tanh are evaluated in many ways."""
STEP = 1.0
"""A place in the left tail may move so far."""


def is_of_the_processor(place: tuple[str, ...], new: object, old: object) -> bool:
    """Whether a processor may make such a difference of two records of one package."""
    part, name = place[-2:] if len(place) > 2 else ("", place[0])
    if (part, name) in {("accuracy", "gelu"), ("accuracy", "form")}:
        return old / FACTOR <= new <= old * FACTOR
    if (part, name) in {("tail", "half_from"), ("tail", "zero_from")}:
        return None not in (new, old) and abs(new - old) <= STEP
    compared = {("specials", "-inf"), ("gradient", "nan_from")}
    return (part, name) not in compared and place[0] != "defaults" and new is not None


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
        assert departures(new, STORED["torch"], is_of_the_processor) == []
        new["subjects"]["torch-cpu-tanh"]["types"]["float32"][part][name] = value
        assert len(departures(new, STORED["torch"], is_of_the_processor)) == 1, change
    for gone in ("defaults", "subjects"):
        assert departures({**STORED["torch"], gone: {}}, STORED["torch"], is_of_the_processor)


# PyTorch takes twice as long as ONNX Runtime, and test_pytorch.py asks it in every run
@pytest.mark.parametrize("name", slow_but("torch".__ne__, STORED))
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
    assert departures(new, STORED[name], is_of_the_processor) == []


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return "none"
