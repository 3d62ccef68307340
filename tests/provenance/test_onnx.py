"""GELU in ONNX: the record, and what PyTorch and ONNX Runtime do where they are installed."""

import copy
import os
import platform

import pytest
from records import departures
from test_frameworks import REQUIRED, is_of_the_processor

from gelu_lib.provenance.atlas.records import framework_record, onnx_record

RECORD = onnx_record()
PATTERNS = RECORD["patterns"]
LEVELS = ("DISABLE_ALL", "ENABLE_BASIC", "ENABLE_EXTENDED", "ENABLE_ALL")


def script(*packages):
    """The script that records, where these packages are installed in the recorded versions."""
    if not os.environ.get(REQUIRED):
        for name in packages:
            pytest.importorskip(name)
    import record_onnx

    found = {name: record_onnx.version(name).partition("+")[0] for name in packages}
    if found != {name: RECORD["versions"][name] for name in packages}:
        assert not os.environ.get(REQUIRED), f"{REQUIRED} is set, and here are {found}"
        pytest.skip(f"installed in other versions: {found}")
    return record_onnx


def one_node(name, opset="17", dtype="float32"):
    """Whether ONNX Runtime, at its default level, makes a pattern a single node."""
    return " " not in PATTERNS[name][dtype][opset]["ENABLE_ALL"]


def test_the_record_has_the_versions_and_patterns_of_the_others():
    measured = framework_record()
    for name in ("torch", "onnxruntime"):
        assert RECORD["versions"][name] == measured[name]["versions"][name]
    assert set(RECORD["negative_zero"]) - {"onnxruntime-pattern"} == set(
        measured["onnxruntime"]["subjects"]
    )
    expressions = {pattern["expression"] for pattern in PATTERNS.values()}
    for written in RECORD["exports"].values():
        assert set(written["17"].values()) <= expressions
        assert written["default"] == written["20"]
        assert list(written["20"].values()) == [
            'Gelu(x, approximate="none")',
            'Gelu(x, approximate="tanh")',
        ]
    assert [one_node(f"erf, half {place}") for place in ("last", "first", "inside")] == [1, 1, 0]
    assert [one_node(f"tanh, half {place}") for place in ("last", "first", "inside")] == [0, 1, 0]
    assert not one_node("erf, half last", dtype="float16")


def first_level(name, opset):
    """The level from which on a pattern is one node, or ``None``."""
    nodes = PATTERNS[name]["float32"][opset]
    return next((level for level in LEVELS if " " not in nodes[level]), None)


def test_what_the_page_says_of_levels_and_operators():
    assert first_level("erf, half last", "17") == "ENABLE_EXTENDED"
    assert first_level("erf, half last", "20") == "ENABLE_BASIC"
    for name in ("erf, half inside", "erf, times 1/sqrt(2)", "tanh, half inside", "tanh, products"):
        assert {first_level(name, opset) for opset in ("17", "20")} == {None}, name
    found = RECORD["double"]
    assert found["onnxruntime"].startswith("NOT_IMPLEMENTED : Could not find an implementation")
    single = RECORD["measured"]["types"]["float32"]["tail"]["zero_from"]
    assert found["onnx.reference"] == pytest.approx(single, abs=0.01)
    nodes = PATTERNS["erf, half last"]["float32"]
    assert nodes["17"]["approximate"] == "com.microsoft.FastGelu"
    assert nodes["20"]["approximate"] == "Gelu"
    silu = PATTERNS["SiLU"]["float32"]["20"]["ENABLE_ALL"]
    assert silu == "com.microsoft.QuickGelu(alpha=1)"
    for name, pattern in PATTERNS.items():
        for opset, nodes in pattern["float32"].items():
            counts = [nodes[level].count(" ") for level in LEVELS]
            assert counts == sorted(counts, reverse=True), (name, opset)


def test_what_onnx_runtime_does_with_each_pattern_is_what_the_record_says():
    tool = script("onnx", "onnxruntime")
    if platform.machine() != RECORD["processor"].partition(",")[0]:
        pytest.skip("kernels for float16 are there on some processors only")
    assert tool.patterns() == PATTERNS
    assert tool.at_negative_zero() == RECORD["negative_zero"]
    assert tool.in_double() == RECORD["double"]
    assert tool.erf_operators() == RECORD["erf_operators"] == ["Erf"]


def test_a_pattern_that_is_written_otherwise_has_another_expression_and_other_nodes():
    tool = script("onnx", "onnxruntime")
    right = tool.PATTERNS[tool.MEASURED]
    wrong = right.replace("Div(x, root)", "Div(x, half)")
    one, other = (tool.expression(tool.model(body, "float32", 17)) for body in (right, wrong))
    assert one == PATTERNS[tool.MEASURED]["expression"] != other
    assert tool.fused(wrong, "float32")["17"]["ENABLE_ALL"] == "Div Erf Add Mul Mul"


def test_the_pattern_gives_what_the_record_says():
    tool = script("onnx", "onnxruntime")
    new = tool.measure_subject(tool.pattern())
    assert departures(new, RECORD["measured"], is_of_the_processor) == []
    planted = copy.deepcopy(new)
    planted["types"]["float32"]["tail"]["zero_from"] = -13.0
    found = departures(planted, RECORD["measured"], is_of_the_processor)
    assert found == ["types/float32/tail/zero_from"]


@pytest.mark.slow
def test_what_pytorch_exports_is_what_the_record_says():
    tool = script("torch", "onnx", "onnxscript")
    assert {name: tool.exported(name) for name in tool.EXPORTERS} == RECORD["exports"]
