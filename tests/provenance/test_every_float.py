"""``conforms`` at every float: merged blocks say what one call says, and a sliver is found."""

import json
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gelu_lib.__main__ import NOT_ASKED, main
from gelu_lib.activations import FORMS, gelu_tanh, gelu_tanh_derivative
from gelu_lib.floats.coded_types import coded_type
from gelu_lib.floats.tables import right_table
from gelu_lib.floats.types import FLOAT_TYPES, all_finite, from_ordinal, ordinal
from gelu_lib.floats.ulp import measured_errors
from gelu_lib.provenance.callables import conformance
from gelu_lib.provenance.callables.conformance import conforms

HALF = FLOAT_TYPES["float16"]


def swept(kernel, of="gelu_tanh", kind=HALF, signed_zeros=False, ulp=1.0):
    """What the machinery of every float says of a type of 16 bits, where one call can say it."""
    told = []
    terms = kind, "numpy", ulp, signed_zeros, "limit", True, lambda *said: told.append(said)
    found = conformance._everywhere(kernel, of, conformance.KernelTerms(*terms))
    assert told[-1][1] == told[-1][2] == 2 * int(ordinal(np.array(kind.greatest, kind.dtype))) + 1
    return found


def faulty(x):
    """The tanh form with a sliver, some single floats, a hole of nan and an infinity."""
    y = gelu_tanh(x)
    y[(x >= -1.2345) & (x < -1.21)] *= 2
    y[np.isin(x, [0.5, 3.0, -3.0])] += x.dtype.type(0.25)
    y[(x > 100) & (x < 101)] = np.nan
    y[x == -70.0] = -np.inf
    y[(x < -4) & (x > -4.5)] = 0
    y[x == 0] = 1e-4
    return y


def by_one_call(kernel, ulp):
    """The same by plain arrays: how many values are wrong by kind, and the runs of wrong ones."""
    x = all_finite("float16")
    value, right = (f(x.copy()).astype(np.float64) for f in (kernel, gelu_tanh))
    binade = np.floor(np.log2(np.maximum(np.abs(right), 2.0**-14)))
    kinds = {
        "nan": np.isnan(value),
        "infinity": np.isinf(value),
        "value": np.isfinite(value) & (np.abs(value - right) > ulp * 2.0 ** (binade - 10)),
    }
    wrong, runs = np.any([*kinds.values()], axis=0), []
    for k in np.flatnonzero(wrong):
        if runs and runs[-1][-1] == k - 1:
            runs[-1].append(k)
        else:
            runs.append([k])
    spans = [(len(run), float(x[run[0]]), float(x[run[-1]])) for run in runs]
    return {way: int(is_.sum()) for way, is_ in kinds.items()}, spans, (value, right)


@pytest.mark.parametrize("block", [700, 4096, 2**20])
def test_blocks_are_merged_into_what_one_call_says(monkeypatch, block):
    monkeypatch.setattr(conformance, "IN_A_CALL", block)
    faults, accuracy, spans = swept(faulty)
    counts, runs, (value, right) = by_one_call(faulty, 1.0)
    assert {fault.kind: fault.inputs for fault in faults} == counts and min(counts.values()) > 0
    assert {f.kind: f.x for f in faults} == {"nan": 100.0625, "infinity": -70.0, "value": 0.0}
    assert not any(fault.calls for fault in faults)
    assert [(s.inputs, s.low, s.high) for s in spans] == sorted(runs, key=lambda r: -r[0])[:5]
    assert accuracy.inputs == len(all_finite("float16"))
    assert accuracy.misrounded == np.sum(value != right)
    assert accuracy.flushed == np.sum((value == 0) & (right != 0)) > 100
    assert accuracy.largest.value - accuracy.largest.right == 0.25
    assert abs(accuracy.farthest.ulp) > 1000


def test_what_is_right_everywhere_has_no_fault_and_each_zero_its_sign():
    faults, accuracy, spans = swept(gelu_tanh)
    assert (faults, accuracy.misrounded, accuracy.farthest, spans) == ([], 0, None, [])

    def unsigned(x):
        return gelu_tanh(x) + x.dtype.type(0)  # −0 becomes +0

    (fault,), accuracy, spans = swept(unsigned, signed_zeros=True)
    assert fault.kind == "sign of zero" and accuracy.misrounded == 0 == accuracy.flushed
    assert sum(span.inputs for span in spans) == fault.inputs and spans[0].low == -65504
    assert max(span.high for span in spans) == fault.x == -(2.0**-24)
    assert swept(unsigned)[0] == []


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(st.sets(st.integers(0, 60), min_size=1), st.integers(1, 70))
def test_runs_are_joined_over_the_ends_of_blocks(places, block):
    runs = np.empty((0, 2), np.int64)
    for begin in range(0, 61, block):
        runs = conformance._longest(
            runs, np.array(sorted(places & {*range(begin, begin + block)}), int)
        )
    expected, ordered = [], sorted(places)
    for place in ordered:
        if place - 1 in places:
            expected[-1] += 1
        else:
            expected.append(1)
    found = sorted((high - low + 1 for low, high in runs.tolist()), reverse=True)
    assert found[:5] == sorted(expected, reverse=True)[:5]


def sliver(x):
    """The tanh form, twice as large on so few float32 that none of the vectors is one of them."""
    y = gelu_tanh(x)
    y[(x >= np.float32(-1.2345)) & (x < np.float32(-1.2344))] *= 2
    return y


@pytest.fixture
def near(monkeypatch):
    """Every float means those next to −1.2345, since all of them take minutes."""
    middle = int(ordinal(np.float32(-1.2345)))
    monkeypatch.setattr(conformance, "from_ordinal", lambda n, kind: from_ordinal(n + middle, kind))
    # as many as two blocks, the middle of which is no end of a block
    kind = replace(FLOAT_TYPES["float32"], greatest=float(from_ordinal(2**20 // 2, "float32")))
    monkeypatch.setattr(conformance, "float_type", lambda dtype: kind)
    return 2**20 + 1


@pytest.mark.parametrize("tool", ["numpy", "json"])
def test_a_sliver_that_the_vectors_do_not_have_is_found_by_every_float(near, capsys, tool):
    assert conforms(sliver, "tanh", "float32").passed
    report = conforms(sliver, "tanh", "float32", every=True)
    (fault,), (span,) = report.faults, report.spans
    first, last = (int(ordinal(np.float32(end))) for end in (-1.2345, -1.2344))
    assert fault.inputs == span.inputs == last - first == 839
    assert (span.low, span.high) == (np.float32(-1.2345), fault.x) and fault.x < -1.2344
    assert f"wrong from {span.low!r} to {span.high!r}, 839 in a row" in str(report)
    assert report.inputs == near and not report.passed
    said = json.loads(json.dumps(report.summary()))
    assert said["spans"][0]["low_bits"] == f"{np.float32(-1.2345).view(np.uint32):08x}"
    assert said["faults"][0]["value"] == 2 * said["faults"][0]["right"] and not said["passed"]
    bits = bytes.fromhex(said["faults"][0]["value_bits"])
    assert np.frombuffer(bits, ">f4")[0] == said["faults"][0]["value"]


def test_of_a_derivative_every_float_is_asked_too(near):
    def slope(x):
        return gelu_tanh_derivative(x) * np.where(x == np.float32(-1.2345), np.float32(2), 1)

    report = conforms(gelu_tanh, "tanh", "float32", derivative=slope, every=True)
    (fault,), (one, two) = report.faults, report.accuracy
    assert (fault.of, fault.x, fault.inputs) == ("gelu_tanh_derivative", np.float32(-1.2345), 1)
    assert one.inputs == two.inputs == near and one.misrounded == 0 and two.misrounded == 1


def test_a_fault_of_the_loop_and_one_at_infinity_stay_beside_those_of_every_float(near):
    def kernel(x):
        y = sliver(x)
        y[len(x) // 16 * 16 :] = 1  # what fills no vector
        return np.where(x == -np.inf, np.float32(np.nan), y)

    report = conforms(kernel, "tanh", "float32", ulp=100, every=True)
    kinds = [(fault.kind, bool(fault.calls)) for fault in report.faults]
    assert kinds == [("nan", False), ("value", True), ("value", False)]


def test_of_16_bits_every_float_is_asked_anyway():
    asked = [conforms(faulty, "tanh", "float16", every=every) for every in (False, True)]
    assert str(asked[0]) == str(asked[1]) and asked[0].inputs > len(all_finite("float16"))


def test_of_few_codes_every_one_is_asked_anyway():
    kind = coded_type("int8", scale=1 / 32)
    table = right_table("tanh", kind).copy()
    for wrong in (0, 1):
        table[3] += wrong
        asked = [conforms(lambda q: table[q], "tanh", kind, every=every) for every in (False, True)]
        assert str(asked[0]) == str(asked[1]) and asked[0].passed == asked[1].passed == (not wrong)


def test_of_64_bits_and_of_a_file_every_float_is_refused(capsys):
    said = "accepted are callables and types up to float32"
    for kernel, dtype in ((gelu_tanh, "float64"), (np.zeros(3071, "f4"), "float32")):
        with pytest.raises(ValueError, match=said):
            conforms(kernel, "tanh", dtype, every=True)
    assert main([*ALL[3:], "--dtype", "float64"]) == NOT_ASKED and said in capsys.readouterr().err


def test_what_is_right_is_known_nearly_to_half_a_unit():
    record = measured_errors()["float32"]
    assert record.keys() == {f.__name__ + d for f in FORMS.values() for d in ("", "_derivative")}
    for of in record.values():
        assert of["inputs"] == 4278190080 and of["largest ULP"] < 0.506
        assert of["not correctly rounded"] < 2e6


@pytest.mark.parametrize("to", [-np.inf, np.inf])
def test_of_a_near_tie_neither_neighbour_is_refused_from_one_unit_on(to):
    def other(x):
        y = gelu_tanh(x)
        return np.where(np.abs(y) >= 65504, y, np.nextafter(y, x.dtype.type(to)))

    assert swept(other, ulp=1)[0] == [] != swept(other, ulp=0.4)[0]


ALL = [sys.executable, "-m", "gelu_lib", "conform", "gelu_lib:gelu_tanh", "--form", "tanh", "--all"]


def test_it_says_how_far_it_is_and_can_be_interrupted():
    with subprocess.Popen(ALL, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asked:
        assert asked.stderr.readline() == "gelu_tanh: 0% of 4278190079 floats\n"
        asked.send_signal(signal.SIGINT)
        out, error = asked.communicate(timeout=60)
    assert (asked.returncode, out) == (NOT_ASKED, "")
    assert error.splitlines()[-1] == "gelu_lib: interrupted before there was an answer"


@pytest.mark.slow
def test_every_float32_is_asked_and_a_sliver_found(capsys):
    report = conforms(sliver, "tanh", "float32", every=True)
    assert report.inputs == 4278190079 and report.accuracy[0].misrounded == 839
    (fault,), (span,) = report.faults, report.spans
    assert fault.inputs == span.inputs == 839 and span.low == np.float32(-1.2345)
