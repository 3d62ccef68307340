"""``conforms``: what it lets pass, the first float of each planted fault, libraries and files."""

import json
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import gelu_lib
from gelu_lib import activations
from gelu_lib.__main__ import FOUND, NOT_ASKED, NOTHING, main
from gelu_lib.activations import FORMS
from gelu_lib.floats.formulas import GRADIENTS, VALUES
from gelu_lib.floats.types import FLOAT_TYPES, float_type
from gelu_lib.provenance.callables.conformance import conforms
from gelu_lib.provenance.callables.tolerances import workings
from gelu_lib.provenance.callables.vectors import from_file, kernel_inputs, vectors, write_inputs

CASES = list(product(FORMS, FLOAT_TYPES))
WORKS = [(dtype, working) for dtype in FLOAT_TYPES for working in workings(dtype)]


def slope(form):
    return getattr(activations, f"{FORMS[form].__name__}_derivative")


def planted(x, wrong, form="tanh"):
    """A kernel that is right but at one float, where it returns something else."""

    def kernel(asked):
        values = FORMS[form](asked)
        same = (asked == x) & (np.signbit(asked) == np.signbit(x)) | np.isnan(asked) & np.isnan(x)
        values[same] = wrong
        return values

    return kernel


# What passes.


@pytest.mark.parametrize(("form", "dtype"), CASES)
def test_the_functions_of_the_library_pass(form, dtype):
    near = 6 if dtype == "float64" else 1  # where the derivatives vanish in float64
    report = conforms(FORMS[form], form, dtype, derivative=slope(form), ulp=near, signed_zeros=True)
    assert report.passed and report.first is None, report
    assert report.inputs == len(vectors(dtype)["x"]) + 1
    assert conforms(FORMS[form], form, dtype, derivative=slope(form)).passed


USUAL = {
    "exact": (VALUES["erf"], GRADIENTS["gelu"]),
    "tanh": (VALUES["tanh"], GRADIENTS["tanh square"]),
    "sigmoid": (VALUES["sigmoid"], GRADIENTS["sigmoid product"]),
}


def in_type(formula, dtype, working):
    """A formula with each operation rounded to a type, as programs have it, then to the dtype."""
    own, inner = float_type(dtype).dtype, float_type(working).dtype
    return lambda x: formula(x.astype(inner)).astype(own)


@pytest.mark.parametrize(("dtype", "working"), WORKS)
@pytest.mark.parametrize("form", FORMS)
def test_usual_evaluations_fail_only_where_something_overflows(form, dtype, working):
    value, derivative = (in_type(formula, dtype, working) for formula in USUAL[form])
    report = conforms(value, form, dtype, derivative=derivative, working=working)
    assert {fault.kind for fault in report.faults} <= {"nan", "infinity"}, report
    assert report.faults and abs(report.first.x) > 20  # −∞·0, or x³ that overflows


# Planted faults.


@pytest.mark.parametrize(
    ("x", "dtype", "off"),
    [(-1.0, "float32", 100), (1.0, "float16", 3), (0.5, "bfloat16", -3), (-20.0, "float64", 9)],
)
def test_one_float_that_is_some_units_off_is_found(x, dtype, off):
    floats = vectors(dtype)["x"]
    k = int(np.argmin(np.abs(floats.astype("f8") - x)))
    right = vectors(dtype)["gelu_tanh"][k : k + 1]
    wrong = (right.view(f"i{right.itemsize}") + (off if right > 0 else -off)).view(right.dtype)[0]
    bound = {"ulp": 8} if dtype == "float64" else {}  # whose tolerance is that of float32
    report = conforms(planted(floats[k], wrong), "tanh", dtype, **bound)
    (fault,) = report.faults
    assert (fault.kind, fault.of, fault.inputs) == ("value", "gelu_tanh", 1)
    assert fault.x == floats[k] and fault.value == wrong and fault.right == right[0]
    assert abs(fault.ulp - off) <= 1  # the library's own value may be next to the right one
    assert f"0x{fault.bits}" in str(report) and f"{off:+d} ulp" in str(report)
    (accuracy,) = report.accuracy
    most = accuracy.farthest
    assert (most.x, most.value, most.ulp) == (fault.x, fault.value, fault.ulp)
    assert (
        fault.bits == f"{int(floats[k : k + 1].view(f'u{floats.itemsize}')[0]):0{len(fault.bits)}x}"
    )


@pytest.mark.parametrize(
    ("x", "wrong", "kind"),
    [
        (-np.inf, np.nan, "nan"),
        (np.nan, 0.0, "nan"),
        (0.0, np.nan, "nan"),
        (np.inf, 65504.0, "infinity"),
        (-np.inf, -np.inf, "infinity"),
        (-1.0, np.inf, "infinity"),
    ],
)
def test_nan_and_infinity_in_the_wrong_place_are_named(x, wrong, kind):
    report = conforms(planted(x, wrong), "tanh", "float16", ulp=1e9)
    (fault,) = report.faults
    assert fault.kind == kind and repr(fault.x) == repr(float(x))
    assert np.isnan(fault.ulp) and "ulp" not in str(fault)


@pytest.mark.parametrize(("x", "wrong"), [(-0.0, 0.0), (0.0, -0.0), (-np.inf, 0.0)])
def test_a_zero_of_the_other_sign_is_refused_if_asked(x, wrong):
    kernel = planted(x, wrong)
    assert conforms(kernel, "tanh", "float16").passed
    fault = conforms(kernel, "tanh", "float16", signed_zeros=True).first
    assert fault.kind == "sign of zero" and repr(fault.x) == repr(x)


def test_what_passes_says_how_far_it_is_off():
    x = np.float32(0.125)
    assert x in vectors("float32")["x"]
    wrong = np.nextafter(FORMS["tanh"](x), np.float32(1))
    report = conforms(planted(x, wrong), "tanh", "float32", derivative=slope("tanh"))
    assert report.passed
    off = sum(FORMS["tanh"](vectors("float32")["x"]) != vectors("float32")["gelu_tanh"]) + 1
    at = f"at x = {x!s} (0x3e000000)"
    for said in (
        f"gelu_tanh: {off} of 2988 results are not the nearest float; 0 of these are flushed to 0",
        f"gelu_tanh: finite values are off by at most 1 ulp, {at}",
        f"gelu_tanh: up to ±8 the largest absolute error is 7.45e-09, {at}",
    ):
        assert said in str(report)
    (right,) = conforms(FORMS["tanh"], "tanh", "float16").accuracy
    assert str(right) == "gelu_tanh: each of 63491 results is the nearest float"
    (never,) = conforms(lambda x: x * np.nan, "tanh", "float16").accuracy
    assert (never.misrounded, never.farthest, never.largest) == (63490, None, None)


def test_an_overflow_inside_and_what_identify_adds_are_found():
    report = conforms(lambda x: x * (1 + np.tanh(x * 40)) / 2, "sigmoid", "float16", ulp=1e9)
    (fault,) = (one for one in report.faults if one.kind == "infinity")
    assert fault.x == 2.0**15 and fault.value == np.inf and fault.bits == "7800"
    report = conforms(gelu_lib.gelu_tanh, "exact", "float32")
    assert [fault.kind for fault in report.faults] == ["value", "identify"]
    assert report.verdict.variant == "tanh"
    assert str(report).endswith("\nidentify says: tanh")
    x = np.float32(2.8125 + 2.0**-6)  # a bfloat16, and no input of the vectors
    assert x not in vectors("float32")["x"]
    (fault,) = conforms(planted(x, np.float32(2.5)), "tanh", "float32").faults
    assert (fault.kind, fault.x, fault.value, fault.inputs) == ("identify", x, 2.5, 1)
    assert fault.right == gelu_lib.gelu_tanh(x)


@pytest.mark.parametrize("dtype", FLOAT_TYPES)
def test_a_gradient_with_a_wrong_sign_or_of_another_form_is_refused(dtype):
    def gradient(x):
        s = 1 / (1 + np.exp(-1.702 * x.astype("f8")))
        return (s - 1.702 * x.astype("f8") * s * (1 - s)).astype(x.dtype)

    with np.errstate(all="ignore"):
        for wrong in (gradient, slope("exact")):
            report = conforms(FORMS["sigmoid"], "sigmoid", dtype, derivative=wrong)
            assert {fault.of for fault in report.faults} == {"gelu_sigmoid_derivative"}
            (k,) = np.flatnonzero(vectors(dtype)["x"] == report.first.x)
            assert report.first.right == vectors(dtype)["gelu_sigmoid_derivative"][k]
            assert report.first.value == wrong(vectors(dtype)["x"][k : k + 1])[0]


# Files.


@pytest.mark.parametrize("dtype", FLOAT_TYPES)
def test_a_file_of_bits_is_read_raw_and_as_text(tmp_path, dtype):
    kind, file = float_type(dtype).dtype, tmp_path / "file"
    assert write_inputs(file, dtype) == len(kernel_inputs(dtype))
    words = np.frombuffer(file.read_bytes(), f"<u{kind.itemsize}")
    assert words.tolist() == kernel_inputs(dtype).view(f"u{kind.itemsize}").tolist()
    y = gelu_lib.gelu(words.astype(f"u{kind.itemsize}").view(kind)).view(f"u{kind.itemsize}")
    file.write_bytes(y.astype(f"<u{kind.itemsize}").tobytes())
    raw = from_file(file, dtype)
    for mark in ("", "0x"):
        file.write_text("\n".join(f"{mark}{word:0{2 * kind.itemsize}X}" for word in y.tolist()))
        assert raw.tobytes() == from_file(file, dtype).tobytes() == y.tobytes()
    assert conforms(raw, "exact", dtype).passed
    assert conforms(raw, "tanh", dtype, ulp=1).first.kind == "value"


def test_a_file_is_asked_from_the_command_line(tmp_path, capsys):
    x, y = str(tmp_path / "x.bin"), tmp_path / "y.bin"
    assert main(["inputs", "float16", x]) == FOUND
    y.write_bytes(gelu_lib.gelu_sigmoid(np.fromfile(x, "<f2")).astype("<f2").tobytes())
    command = ["conform", str(y), "--dtype", "float16", "--form", "sigmoid"]
    assert main([*command, "--ulp", "0", "--signed-zeros"]) == FOUND
    assert main([*command, "--derivative", str(y)]) == NOTHING
    assert "gelu_sigmoid_derivative: value, at" in capsys.readouterr().out


# The command and the fixture.


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ("gelu_lib:gelu --form exact --dtype float16 --ulp 0", FOUND, "passes; 63491 inputs"),
        ("gelu_lib:gelu_tanh --form exact --dtype float16", NOTHING, "is refused; 63491 inputs"),
        ("numpy:sum --form exact", NOT_ASKED, "expected is an array of the library"),
        ("nowhere.x:y --form exact", NOT_ASKED, "but nowhere.x is no module"),
        ("numpy:no.such --form exact", NOT_ASKED, "numpy has no no.such"),
        ("./no.so:f --form exact", NOT_ASKED, "there is no file ./no.so, and ./no.so:f is no"),
        ("y.bin --form exact", NOT_ASKED, "there is no file y.bin"),
        ("tests --form exact", NOT_ASKED, "the kernel is 'tests', which is a directory; accepted"),
        ("gelu_lib:gelu --form exact --ulp inf", NOT_ASKED, "ulp is inf; accepted are None and"),
        (
            "gelu_lib:gelu --form exact --working float16",
            NOT_ASKED,
            "accepted for float32 is float32",
        ),
        ("gelu_lib:gelu --form exact --ulp -1", NOT_ASKED, "ulp is -1.0; accepted are None and"),
    ],
)
def test_the_command_answers_by_its_status_and_text(capsys, arguments, status, said):
    assert main(["conform", *arguments.split()]) == status
    out, error = capsys.readouterr()
    assert said in (error if status == NOT_ASKED else out)


def test_an_empty_text_is_no_kernel(capsys):
    for arguments in (["conform", ""], ["conform", "gelu_lib:gelu", "--derivative", ""]):
        assert main([*arguments, "--form", "exact"]) == NOT_ASKED
        assert "the kernel is '', no file; accepted is MODULE:" in capsys.readouterr().err


def test_a_file_that_is_no_library_and_one_of_another_length_are_refused(tmp_path, capsys):
    file = tmp_path / "y.bin"
    for content, said in {
        b"1234": "with 4 bytes",
        b"zz" * 3071: "with 6142 bytes",
        b"3f80 3f80 bf8": "with 13 bytes",
        b"0.5 -0.0 nan": "with 3 decimal numbers, which may be others than were computed",
        b"1234" * 2988: "with 2988 outputs as for ascending inputs of an earlier version",
        "½ ½".encode(): "with 5 bytes",
    }.items():
        file.write_bytes(content)
        assert main(["conform", str(file), "--form", "exact"]) == NOT_ASKED
        line = capsys.readouterr().err
        assert f"{said}; accepted are 12284 bytes, 3071 float32" in line and line.count("\n") == 1
    assert main(["conform", f"{file}:f", "--form", "exact"]) == NOT_ASKED
    assert capsys.readouterr().err.startswith("gelu_lib conform: ")


@pytest.mark.parametrize("dtype", FLOAT_TYPES)
def test_an_array_of_numpy_is_read_in_either_byte_order(tmp_path, capsys, dtype):
    file, y = tmp_path / "y.npy", activations.gelu(kernel_inputs(dtype))
    orders = [y] if dtype == "bfloat16" else [y, y.astype(y.dtype.newbyteorder(">"))]
    for array in orders:
        np.save(file, array)
        read = from_file(file, dtype)
        assert read.dtype == y.dtype and np.array_equal(read, y, equal_nan=True)
    form = ["conform", str(file), "--form", "exact", "--dtype", dtype, "--json"]
    assert main(form) == FOUND and json.loads(capsys.readouterr().out)["passed"]
    wrong = {
        f"the outputs are {y.dtype} of shape (2988,)": y[:2988],
        "the outputs are int64 of shape": np.arange(len(y)),
        "the outputs are complex128 of shape": np.zeros(len(y), complex),
        f"the outputs are {y.dtype} of shape ({len(y)}, 1)": y[:, None],
        "Object arrays cannot be loaded": np.array([None]),
        "": b"\x93NUMPY" + bytes(len(y) * y.itemsize - 6),
    }
    for said, array in wrong.items():
        if isinstance(array, bytes):
            file.write_bytes(array)
        else:
            np.save(file, array)
        assert main(form) == NOT_ASKED
        line = capsys.readouterr().err
        assert said in line and line.startswith("gelu_lib conform: ") and line.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((gelu_lib.gelu, "quick", "float32"), ValueError, "form is 'quick'; accepted are exact, t"),
        ((gelu_lib.gelu, ["exact"], "float32"), ValueError, r"form is \['exact'\]; accepted are"),
        ((gelu_lib.gelu, "exact", "int4"), TypeError, "dtype is 'int4'.* near are int8"),
        ((gelu_lib.gelu, "exact", "int8"), ValueError, "int8 needs a scale"),
        ((3, "exact", "float32"), TypeError, "a kernel is 3; accepted are a callable and an array"),
        ((np.zeros(7, "f4"), "exact", "float32"), ValueError, r"float32 of shape \(7,\); accepted"),
        ((np.zeros(3071), "exact", "float32"), ValueError, "the outputs are float64 of shape"),
        (
            (np.ma.zeros(3071, "f4"), "exact", "float32"),
            TypeError,
            "accepted is one without a mask",
        ),
    ],
)
def test_other_arguments_are_refused(arguments, error, said):
    with pytest.raises(error, match=said):
        conforms(*arguments)


@pytest.mark.parametrize("ulp", ["1", -1.0, np.nan, np.inf])
def test_a_bound_that_is_no_number_from_0_on_is_refused(ulp):
    with pytest.raises(ValueError, match=f"ulp is {ulp!r}; accepted are None and numbers from 0"):
        conforms(gelu_lib.gelu, "exact", "float16", ulp=ulp)


TESTS = """
import gelu_lib

def test_right(gelu_conformance):
    assert gelu_conformance(gelu_lib.gelu_tanh, "tanh", "float16", ulp=0).passed

def test_wrong(gelu_conformance):
    gelu_conformance(gelu_lib.gelu, "tanh", "float16")
"""


def test_pytest_has_the_fixture_where_the_library_is_installed(tmp_path):
    (tmp_path / "test_kernel.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_kernel.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "tanh form in float16: is refused; 63491 inputs asked" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_tensor_of_pytorch_is_asked():
    torch = pytest.importorskip("torch")
    gelu = torch.nn.functional.gelu
    (fault,) = conforms(gelu, "exact", "float16", library="torch").faults
    assert (fault.kind, fault.x) == ("nan", -np.inf)
    assert conforms(gelu, "exact", "float16", library="torch", infinities="any").passed

    def mine(x):
        return torch.where(x < -200, -0.0, gelu(x))

    assert conforms(mine, "exact", "float16", library="torch").passed
    assert main(["conform", "torch.nn.functional:silu", "--form", "sigmoid"]) == NOTHING
