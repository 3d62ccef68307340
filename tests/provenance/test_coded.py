"""``conforms``, ``identify`` and the command line for types of few codes, with planted faults."""

import json
import math
import shutil
import subprocess

import ml_dtypes  # noqa: F401  # makes the names of float8 known to NumPy
import numpy as np
import pytest

from gelu_lib import identify
from gelu_lib.__main__ import FOUND, NOT_ASKED, NOTHING, main
from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import FLOAT8, coded_type
from gelu_lib.floats.tables import right_table
from gelu_lib.provenance.callables.asking import CallableError
from gelu_lib.provenance.callables.conformance import conforms
from gelu_lib.provenance.callables.reports import runs
from gelu_lib.provenance.callables.vectors import from_file, kernel_inputs, write_inputs

INT8 = coded_type("int8", scale=1 / 32)
WIDE = coded_type("int16", scale="1/8192", zero_point=-7)


def kernel(q, scale=1 / 32, zero=0):
    """A kernel of int8 as it is written: dequantise, compute, quantise."""
    x = (q.astype(np.float64) - zero) * scale
    y = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.tolist()]
    return np.clip(np.rint(np.array(y) / scale) + zero, -128, 127).astype(np.int8)


def float8(x):
    y = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.astype(np.float64).tolist()]
    return np.array(y, np.float32).astype(x.dtype)


def with_fault(f, code, value):
    """A kernel that gives another code at one, both as they are written in bits."""

    def faulty(q):
        y = f(q)
        y.view(f"u{y.itemsize}")[q.view(f"u{q.itemsize}") == code] = value
        return y

    return faulty


# What passes, and what does not.


@pytest.mark.parametrize(
    ("f", "kind"),
    [
        (kernel, INT8),
        (lambda q: kernel(q, 1 / 16, -30), coded_type("int8", scale=1 / 16, zero_point=-30)),
        (lambda q: kernel(q, 1 / 16), "q3.4"),
        (float8, "float8_e4m3fn"),
    ],
)
def test_kernels_as_they_are_written_pass(f, kind):
    report = conforms(f, "exact", kind)
    assert report.passed and report.first is None and report.calls > 100, report
    assert "exact" in report.candidates
    assert "0 of 256 entries are off" in str(report)


@pytest.mark.parametrize("code", [0x00, 0x01, 0x7F, 0x80, 0xE8])
def test_one_wrong_output_is_found_wherever_it_is(code):
    right = right_table("exact", INT8).view(np.uint8)[code]
    report = conforms(with_fault(kernel, code, right ^ 1), "exact", INT8)
    assert not report.passed and report.claimed[0].off == 1 and report.loops == ()
    assert report.first.code == str(np.array(code, np.uint8).view(np.int8))
    assert abs(report.first.steps) == 1 and report.first.right == str(right.view(np.int8))
    assert conforms(with_fault(kernel, code, right ^ 1), "exact", INT8, steps=1).passed


@pytest.mark.parametrize(
    ("f", "first"),
    [
        (lambda q: kernel(q, zero=1), "0"),
        (lambda q: np.trunc(FORMS["exact"](q / 32) * 32).astype(np.int8), "1"),
        (lambda q: np.rint(FORMS["exact"](q / 16) * 32).astype(np.int64).astype(np.int8), None),
    ],
)
def test_a_zero_point_a_truncation_and_a_wrap_are_refused(f, first):
    kind, out = INT8, None
    if first is None:  # twice the range, so that it must saturate
        kind, out = coded_type("int8", scale=1 / 16), INT8
    report = conforms(f, "exact", kind, out=out)
    assert not report.passed
    assert report.first.code == (first or "64") and (first or report.first.right == "127")


@pytest.mark.parametrize(
    ("code", "value", "name"),
    [
        (0x02, 0x00, "float8_e4m3fn"),  # a subnormal flushed
        (0x7F, 0x7E, "float8_e4m3fn"),  # nan
        (0x7C, 0x7B, "float8_e5m2"),  # infinity
    ],
)
def test_a_fault_of_float8_is_refused_at_its_code(code, value, name):
    report = conforms(with_fault(float8, code, value), "exact", name, infinities="any")
    if code == 0x7C:  # which may be any there
        assert report.passed
        report = conforms(with_fault(float8, code, value), "exact", name)
        assert [one.code for one in report.claimed[0].listed] == ["0x7c", "0xfc"]  # −∞·0 is nan
    assert not report.passed and report.first.code == f"0x{code:02x}"


def test_a_lost_sign_of_zero_is_refused_where_signs_count():
    lost = with_fault(float8, 0x80, 0x00)
    assert conforms(lost, "exact", "float8_e4m3fn").passed
    report = conforms(lost, "exact", "float8_e4m3fn", signed_zeros=True)
    assert not report.passed and report.first.code == "0x80"
    assert "exact" in report.candidates  # identify asks for no sign
    assert conforms(float8, "exact", "float8_e4m3fn", signed_zeros=True).passed


def test_of_a_near_tie_a_kernel_may_have_either_code():
    kind, out = coded_type("int8", scale="1/4"), coded_type("int8", scale="1/2")
    table = np.clip(np.rint(FORMS["exact"](kind.values) * 2), -128, 127).astype(np.int8)
    report = conforms(lambda q: table[q.view(np.uint8)], "exact", kind, out=out)
    assert report.passed and report.claimed[0].near_ties == 24 and "exact" in report.candidates
    assert "the other side of a near tie" in str(identify(table, kind, out=out))
    inputs, right = kernel_inputs(kind), right_table("exact", kind, out)
    codes, counts = np.unique(inputs, return_counts=True)
    often = codes[counts > 1]
    code = next(q for q in often if table[q] != right[q])  # an input that comes again at the end
    places = np.flatnonzero(inputs == code)
    for first, passes in ((right[code], True), (2 * right[code] - table[code], False)):
        outputs = table[inputs.view(np.uint8)]
        outputs[places[:-1]] = first
        report = conforms(outputs, "exact", kind, out=out)
        assert report.passed is passes and report.loops == (() if passes else (len(inputs),))
    report = conforms(with_fault(lambda q: table[q.view(np.uint8)], 35, 16), "exact", kind, out=out)
    assert not report.passed and report.first.code == "35" and report.claimed[0].near_ties == 23


def test_saturating_or_not_is_asked_for():
    kind = coded_type("float8_e5m2", saturating=True)
    saturating = with_fault(with_fault(float8, 0x7C, 0x7B), 0xFC, 0x80)
    assert conforms(saturating, "exact", kind).passed
    assert not conforms(saturating, "exact", "float8_e5m2").passed
    wide, narrow = coded_type("float8_e5m2"), coded_type("float8_e4m3fn")
    table = right_table("exact", wide, narrow)
    assert table.view(np.uint8)[0x60] == 0x7F  # 512 is beyond 448
    clamped = right_table("exact", wide, coded_type("float8_e4m3fn", saturating=True))
    assert conforms(clamped, "exact", wide, out=narrow).first.code == "0x60"


def test_a_fault_of_the_loop_is_found_and_said():
    def last_of_a_call(q):
        y = kernel(q)
        y[len(y) // 16 * 16 :] = q[len(y) // 16 * 16 :]
        return y

    report = conforms(last_of_a_call, "exact", INT8)
    assert not report.passed and {1, 15, 17} < set(report.loops) and 16 not in report.loops
    assert "so the loop is at fault; in calls of 1 to 15, 17" in str(report)
    assert (runs((1,)), runs((1, 2, 5)), runs((2,))) == ("1 input", "1 to 2, 5 inputs", "2 inputs")


def test_other_types_of_outputs_derivatives_and_tables():
    table, slope = (right_table("tanh", INT8, WIDE, derivative=d) for d in (False, True))
    as_kernel = [lambda q, t=t: t[q.view(np.uint8)] for t in (table, slope)]
    report = conforms(as_kernel[0], "tanh", INT8, out=WIDE, derivative=as_kernel[1])
    assert report.passed and len(report.claimed) == 2 and report.candidates == ("tanh",)
    assert conforms(table, "tanh", INT8, out=WIDE, derivative=slope).passed
    wrong = conforms(as_kernel[0], "tanh", INT8, out=WIDE, derivative=as_kernel[0])
    assert wrong.claimed[0].passed and not wrong.claimed[1].passed and not wrong.passed
    assert "derivative of the tanh form" in str(wrong)
    ascending = np.roll(table, 128)
    assert conforms(ascending, "tanh", INT8, out=WIDE).claimed[0].ascends
    with pytest.raises(CallableError, match="returned int16 for an argument of int8"):
        conforms(as_kernel[0], "tanh", INT8)
    with pytest.raises(CallableError, match=r"returned int8 .* expected is int16"):
        conforms(kernel, "tanh", INT8, out=WIDE)


# Which form it is.


def test_int8_may_be_too_coarse_to_tell_exact_from_tanh():
    verdict = identify(kernel, INT8)
    assert verdict.outcome == "undecidable" and verdict.candidates == ("exact", "tanh")
    assert "undecidable between exact and tanh" in str(verdict)
    # both forms round to the same 256 codes there, and not with a finer step
    assert np.array_equal(right_table("exact", INT8), right_table("tanh", INT8))
    fine = coded_type("int8", scale=1 / 32), coded_type("int8", scale=1 / 1024)
    for form in FORMS:
        table = right_table(form, *fine)
        assert identify(table, fine[0], out=fine[1]).candidates == (form,)
        assert identify(lambda q, t=table: t[q.view("u1")], fine[0], out=fine[1]).candidates == (
            form,
        )


def test_at_infinity_a_form_may_give_anything_and_is_named_all_the_same():
    report = conforms(float8, "exact", "float8_e5m2")  # −∞·0 is nan
    assert not report.passed and report.first.code == "0xfc"
    assert "these outputs, if what is infinite is left out" in str(report)
    assert identify(float8, "float8_e5m2").candidates == ("exact",) == report.candidates


def test_a_tolerance_in_steps_leaves_more_candidates():
    table = right_table("sigmoid", INT8)
    assert identify(table, INT8).candidates == ("sigmoid",)
    assert set(identify(table, INT8, steps=1).candidates) == set(FORMS)
    relu = np.maximum(np.arange(256).astype(np.uint8).view(np.int8), 0)
    verdict = identify(relu, INT8)
    assert verdict.outcome == "none" and verdict.candidates == ()
    assert "none of the three forms" in str(verdict) and "the first at" in str(verdict)


# The order of asking, files and libraries.


def test_the_inputs_are_every_code_in_an_order_that_hides_no_loop():
    for kind in (INT8, coded_type("uint8", scale=0.05, zero_point=128), coded_type("q7.8")):
        codes = kernel_inputs(kind)
        assert codes.dtype == kind.dtype and len(np.unique(codes)) == len(kind.codes)
        assert len(codes) % 256 == 255
        steps = np.abs(np.diff(codes[:200].astype(int)))
        assert steps.min() > len(kind.codes) / 8
    last = np.abs(kernel_inputs(INT8)[-64:] / 32)
    assert last.min() >= 2


SOURCE = """
#include <math.h>
#include <stddef.h>
#include <stdint.h>
static double value(int q) { double x = q / 32.0; return x * 0.5 * (1 + erf(x / sqrt(2))); }
void same(const int8_t *x, int8_t *y, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = nearbyint(value(x[i]) * 32);
}
void wider(const int8_t *x, int16_t *y, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = nearbyint(value(x[i]) * 8192) - 7;
}
void beyond(const int8_t *x, int16_t *y, size_t n) {
    wider(x, y, n);
    y[n] = 0;
}
void half(const int8_t *x, int8_t *y, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] = value(x[i]) * 32;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not shutil.which("cc"):
        pytest.skip("there is no compiler")
    folder = tmp_path_factory.mktemp("coded")
    (folder / "k.c").write_text(SOURCE)
    made = folder / "libk.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", folder / "k.c", "-o", made, "-lm"], check=True)
    return made


def asked(capsys, *arguments):
    status = main([*map(str, arguments)])
    return status, capsys.readouterr()


def test_a_library_is_asked_from_the_command_line(library, capsys):
    flags = ["--form", "exact", "--dtype", "int8", "--scale", "1/32"]
    status, said = asked(capsys, "conform", f"{library}:same", *flags)
    assert status == FOUND and "int8 (scale 1/32, zero point 0): passes" in said.out
    status, said = asked(capsys, "conform", f"{library}:half", *flags)
    assert status == NOTHING and "at 3 (x = 0.09375) 1, right 2; -1 step" in said.out
    status, said = asked(capsys, "conform", f"{library}:half", *flags, "--steps", 1, "--json")
    assert status == FOUND and json.loads(said.out)["claimed"][0]["off"] > 99
    out = ["--out-dtype", "int16", "--out-scale", "1/8192", "--out-zero-point", "-7"]
    status, said = asked(capsys, "conform", f"{library}:wider", *flags, *out)
    assert status == FOUND and "identify says: exact: its right table alone" in said.out
    status, said = asked(capsys, "conform", f"{library}:beyond", *flags, *out)
    assert status == NOT_ASKED and "wrote beyond its" in said.err
    status, said = asked(capsys, "identify", f"{library}:same", *flags[2:])
    assert status == NOTHING and "undecidable between exact and tanh" in said.out


@pytest.mark.parametrize("way", ["outputs", "table", "npy", "words"])
def test_files_of_outputs_and_tables_are_read(tmp_path, capsys, way):
    inputs, file = tmp_path / "x.bin", tmp_path / "y"
    flags = ["--dtype", "float8_e4m3fn", "--scale", "1/2", "--saturating"]
    kind = coded_type("float8_e4m3fn", scale="1/2", saturating=True)
    status, said = asked(capsys, "inputs", "float8_e4m3fn", inputs, "--scale", "1/2")
    assert status == FOUND and f"{len(kernel_inputs(kind))} inputs" in said.out
    table = right_table("sigmoid", kind)
    bits = table.view(np.uint8)
    if way == "outputs":
        file.write_bytes(bits[np.frombuffer(inputs.read_bytes(), np.uint8)].tobytes())
    elif way == "table":
        file.write_bytes(bits.tobytes())
    elif way == "words":
        file.write_text(" ".join(f"{one:02x}" for one in bits))
    else:
        np.save(tmp_path / "y.npy", table)
        file = tmp_path / "y.npy"
    status, said = asked(capsys, "conform", file, "--form", "sigmoid", *flags)
    assert status == FOUND and "float8_e4m3fn times 1/2, saturating: passes" in said.out
    status, said = asked(capsys, "identify", file, *flags)
    assert status == FOUND and said.out.startswith("sigmoid: ")
    assert asked(capsys, "conform", file, "--form", "exact", *flags)[0] == NOTHING


def test_inputs_and_outputs_of_16_bits_are_little_endian(tmp_path):
    count = write_inputs(tmp_path / "x.bin", WIDE)
    raw = (tmp_path / "x.bin").read_bytes()
    assert len(raw) == 2 * count and np.frombuffer(raw, "<i2").tolist() == [*kernel_inputs(WIDE)]
    table = right_table("exact", INT8, WIDE)
    (tmp_path / "y.bin").write_bytes(table.astype("<i2").tobytes())
    assert np.array_equal(from_file(tmp_path / "y.bin", INT8, WIDE), table)


@pytest.mark.parametrize("gap", [" ", "\n", ", ", ",\n"])
def test_integers_of_a_text_are_decimals_or_have_0x(tmp_path, gap):
    kind = coded_type("uint8", scale="0.05", zero_point=128)
    out = coded_type("int8", scale="0.1", zero_point=20)  # whose table has two digits each
    table, file = right_table("exact", kind, out), tmp_path / "table.txt"
    words = [f"{one:02d}" for one in table.tolist()]
    assert {len(word) for word in words} == {2}
    bits = [f"0x{one:02X}" for one in table.view(np.uint8).tolist()]
    for text in (gap.join(words), gap.join(bits), f"{{{gap.join(words)},}}"):
        file.write_text(text)
        assert np.array_equal(from_file(file, kind, out), table)
        assert conforms(from_file(file, kind, out), "exact", kind, out=out).passed
    wide = right_table("exact", kind, WIDE)
    file.write_text(gap.join(f"0x{one:04x}" for one in wide.view(np.uint16).tolist()))
    assert np.array_equal(from_file(file, kind, WIDE), wide) and wide.min() < 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1a"] * 256, "256 words, of which '1a' is no such integer; accepted are 511 bytes"),
        (["1"] * 255, "255 words; accepted are 511 bytes"),
        (["0x1"] * 256, "of which '0x1' is no such integer"),
        (["0.5"] * 256, "of which '0.5' is no such integer"),
        (["200"] * 256, "entry 0 is 200; accepted are -128 to 127"),
    ],
)
def test_a_text_that_has_no_integers_is_refused(tmp_path, capsys, words, said):
    file = tmp_path / "table.txt"
    file.write_text("\n".join(words))
    flags = ["--form", "exact", "--dtype", "int8", "--scale", "1/32"]
    status, printed = asked(capsys, "conform", file, *flags)
    assert status == NOT_ASKED and said in printed.err and printed.err.count("\n") == 1


def test_decimals_for_float8_are_no_outputs_of_an_earlier_version(tmp_path):
    file = tmp_path / "y.txt"
    file.write_text("0.5 " * 256)
    with pytest.raises(ValueError, match="with 256 decimal numbers, which may be others than were"):
        from_file(file, "float8_e5m2")


@pytest.mark.parametrize("name", FLOAT8)
def test_float8_of_ml_dtypes_is_read_from_numpy_save(tmp_path, name):
    table, file = right_table("exact", name), tmp_path / "table.npy"
    np.save(file, table)
    assert from_file(file, name).view(np.uint8).tolist() == table.view(np.uint8).tolist()
    assert conforms(from_file(file, name), "exact", name).passed


def test_what_numpy_does_not_read_is_refused_with_the_name_of_the_file(tmp_path, capsys):
    file, whole = tmp_path / "y.npy", right_table("exact", INT8)
    flags = ["--form", "exact", "--dtype", "int8", "--scale", "1/32"]
    np.save(file, whole)
    raw = file.read_bytes()
    contents = [raw[:-1], raw[:40], raw.replace(b"'|i1'", b"'<f1'"), raw.replace(b"256,", b"{}{,")]
    np.save(file, whole.astype(object), allow_pickle=True)
    for content in (*contents, file.read_bytes()):
        file.write_bytes(content)
        status, said = asked(capsys, "conform", file, *flags)
        assert status == NOT_ASKED and said.err.count("\n") == 1
        assert f"file is {str(file)!r}" in said.err and "accepted is a whole array of" in said.err


@pytest.mark.parametrize("file", ["no/x.bin", "/dev/full", "", "."])
def test_a_file_that_cannot_be_written_is_named_as_it_was_given(capsys, file):
    status, said = asked(capsys, "inputs", "float16", file)
    assert status == NOT_ASKED and said.err.count("\n") == 1
    assert said.err.startswith(f"gelu_lib inputs: file is {file!r}, which cannot be written: ")


# Bad input.


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("--dtype int8", "int8 needs a scale, as 1/32"),
        *((f"--dtype int8 --scale={s}", "scale is") for s in ("0", "-1", "nan", "inf", "1/0", "x")),
        (
            "--dtype int8 --scale 1 --zero-point 128",
            "is '128'; accepted is an integer from -128 to 127",
        ),
        ("--dtype int8 --scale 1 --saturating", "saturating is True, which int8"),
        ("--dtype q3.4 --scale 1", "scale is '1', which q3.4 does not take"),
        (
            "--dtype float32 --scale 1",
            "scale is '1', which float32 does not take; types of few codes do",
        ),
        ("--dtype float32 --out-scale 1", "out_scale is '1', which float32 does not"),
        ("--dtype float32 --steps 1", "steps is 1.0, which float32 does not take"),
        ("--dtype int8 --scale 1 --ulp 1", "ulp is 1.0, which int8 (scale 1, zero point 0)"),
        ("--dtype int8 --scale 1 --working float16", "working is 'float16', which int8"),
        ("--dtype int8 --scale 1 --signed-zeros", "signed_zeros is True, which int8"),
        ("--dtype int8 --scale 1e999999999", "scale is '1e999999999'; accepted"),
        ("--dtype int8 --scale 1 --zero-point 3.5", "accepted is an integer from -128 to 127"),
        ("--dtype float32 --ulp inf", "ulp is inf; accepted are None and numbers from 0 on"),
        ("--dtype int8 --scale 1 --steps -1", "steps is -1"),
        ("--dtype float8_e5m2 --out-dtype int8 --out-scale 1", "may be nan"),
        ("--dtype int8 --scale 1", "with 255 bytes; accepted are 511 bytes, or 256 of a table"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(tmp_path, capsys, flags, said):
    file = tmp_path / "table.bin"
    file.write_bytes(bytes(255))
    kernel = file if "bytes" in said else "numpy:negative"
    status, printed = asked(capsys, "conform", kernel, "--form", "exact", *flags.split())
    assert status == NOT_ASKED and said in printed.err and printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "near"),
    [("int4", "int8"), ("q3.5", "9 bits"), ("float8_e4m3f", "float8_e4m3"), ("flaot32", "float32")],
)
def test_a_name_of_no_type_names_those_near(capsys, name, near):
    status, said = asked(capsys, "conform", "x.bin", "--form", "exact", "--dtype", name)
    assert status == NOT_ASKED and near in said.err and said.err.count("\n") == 1


def test_arguments_that_do_not_belong_to_a_type_are_refused():
    with pytest.raises(ValueError, match="every code is asked"):
        identify(kernel, INT8, low=0.0)
    with pytest.raises(ValueError, match="steps is 1, which float32 does not take"):
        identify(np.tanh, "float32", steps=1)
    with pytest.raises(ValueError, match="shape"):
        conforms(np.zeros(300, np.int8), "exact", INT8)
