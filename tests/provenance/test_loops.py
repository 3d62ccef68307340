"""Kernels whose faults are in the loop, in C and in Python, and kernels that end their process."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kinds import slow_but

from gelu_lib import gelu, gelu_sigmoid, identify
from gelu_lib.__main__ import FOUND, NOT_ASKED, NOTHING
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.callables import caller
from gelu_lib.provenance.callables.asking import CallableError
from gelu_lib.provenance.callables.conformance import conforms
from gelu_lib.provenance.callables.inputs import order_of_asking
from gelu_lib.provenance.callables.vectors import from_library, kernel_inputs, vectors, write_inputs

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define KERNEL(name) void name(const float *x, float *y, size_t n)
#define EACH(name, value) KERNEL(name) { for (size_t i = 0; i < n; i++) y[i] = value; }
static float exact(float x) { return x < -40 ? -0.0f : 0.5 * x * erfc(-x / sqrt(2.0)); }
static float sigmoid(float x) { return x < -80 ? -0.0f : x / (1 + exp(-1.702 * x)); }
static float relu(float x) { return x < 0 ? 0 : x; }
static int lanes(const float *x, size_t n, size_t i, float low, float high) {
    int inside = 0;
    for (size_t j = i / 4 * 4; j < i / 4 * 4 + 4 && j < n; j++) inside += low < x[j] && x[j] < high;
    return inside;
}
EACH(right, exact(x[i]))
KERNEL(prints) { puts("0"); right(x, y, n); }
EACH(remainder_form, i < n / 8 * 8 ? exact(x[i]) : sigmoid(x[i]))
EACH(remainder_relu, i < n / 16 * 16 ? exact(x[i]) : relu(x[i]))
KERNEL(remainder_lost) { for (size_t i = 0; i < n / 4 * 4; i++) y[i] = exact(x[i]); }
EACH(any_lane, lanes(x, n, i, 5.5, INFINITY) ? relu(x[i]) : exact(x[i]))
EACH(all_lanes, lanes(x, n, i, -1, 1) == 4 ? sigmoid(x[i]) : exact(x[i]))
EACH(few, n < 1000 ? relu(x[i]) : exact(x[i]))
EACH(one, n == 1 ? sigmoid(x[i]) : exact(x[i]))
EACH(peeled, i < -(uintptr_t)x / 4 % 8 ? relu(x[i]) : exact(x[i]))
EACH(lane, i % 8 == 7 ? sigmoid(x[i]) : exact(x[i]))
EACH(sliver, (x[i] >= -2.01f && x[i] < -2 ? 2 : 1) * exact(x[i]))
EACH(no_nan, x[i] == x[i] ? exact(x[i]) : y[i])
EACH(block, n % 128 || i < n - 128 ? exact(x[i]) : relu(x[i]))
KERNEL(not_empty) { size_t i = 0; do y[i] = exact(x[i]); while (++i < n); }
KERNEL(rounded_up) { right(x, y, (n + 7) / 8 * 8); }
KERNEL(reads) { getchar(); right(x, y, n); }
KERNEL(too_far) { right(x, y, n); for (size_t i = n; i % 4; i++) y[i] = 0; }
KERNEL(too_early) { right(x, y, n); y[-1] = 0; }
KERNEL(in_place) { right(x, y, n); ((float *)x)[n - 1] = y[n - 1]; }
float scalar(float x) { return exact(x); }
KERNEL(quits) { exit(0); }
KERNEL(interrupts) { raise(SIGINT); }
KERNEL(endless) { for (;;) ; }
KERNEL(crashes) { *(volatile int *)0 = 1; }
"""
LEAVES = """
#include <stdlib.h>
__attribute__((constructor)) static void leave(void) { exit(0); }
void f(const float *x, float *y, size_t n) {}
"""
MODULES = {
    "leaves": """
import os, sys
import gelu_lib
def politely(x): sys.exit(0)
def at_once(x): os._exit(0)
def by_a_signal(x): os.kill(os.getpid(), 11)
def beyond(x): raise KeyboardInterrupt
def empty(x): return gelu_lib.gelu(x) if len(x) else {}[0]
def forks(x, once=[]): once or once.append(os.fork()); return gelu_lib.gelu(x)
def loudly(x): print("[0, ", 0); return gelu_lib.gelu(x)
""",
    "boom": "raise RuntimeError('two\\nlines')",
    "unread": "def f(:",
    "exits": "raise SystemExit(0)",
    "divides": "class A:\n    def __getattr__(self, name): return 1 / 0\na = A()",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if (compiler := shutil.which("gcc") or shutil.which("cc")) is None:
        pytest.skip("there is no C compiler")
    place = tmp_path_factory.mktemp("kernels")
    for name, source in {"k": SOURCE, "constructed": LEAVES}.items():
        (place / f"{name}.c").write_text(source, encoding="utf-8")
        command = [compiler, "-O2", "-shared", "-fPIC", f"{name}.c", "-o", f"{name}.so", "-lm"]
        subprocess.run(command, cwd=place, check=True)
    for name, source in MODULES.items():
        (place / f"{name}.py").write_text(source, encoding="utf-8")
    return place


@pytest.mark.parametrize("symbol", ["right", "prints", "reads"])
def test_a_right_kernel_in_c_passes(folder, symbol):
    kernel = from_library(folder / "k.so", symbol, "float32")
    report = conforms(kernel, "exact", "float32", ulp=1, signed_zeros=True)
    assert report.passed and "2988 inputs asked in 154 calls" in str(report), report
    assert identify(kernel).variant == "exact"


@pytest.mark.parametrize(
    ("symbol", "kind", "calls", "right"),
    [
        ("remainder_form", "value", {1, 7, 9, 15, 33, 2988, 3071}, {8, 16, 24, 32}),
        ("remainder_relu", "value", {1, 15, 17, 31, 33, 2988, 3071}, {16, 32}),
        ("remainder_lost", "value", {1, 2, 3, 5, 33, 3071}, {4, 8, 2988}),
        ("any_lane", "value", {3071}, {1, 33}),
        ("all_lanes", "value", {2988}, {1, 33}),
        ("few", "value", {1, 8, 16, 33}, {2988, 3071}),
        ("one", "value", {1}, {2, 33, 2988, 3071}),
        ("peeled", "value", {1, 7, 8, 33, 2988}, {3071}),
        ("lane", "value", {8, 33, 3071}, {1, 7}),
        ("sliver", "value", set(), set()),
        ("no_nan", "nan", set(), set()),
        ("block", "value", {1024}, {1, 64, 1000, 2988, 3071}),
    ],
)
def test_a_fault_of_the_loop_is_found_and_named(folder, symbol, kind, calls, right):
    report = conforms(from_library(folder / "k.so", symbol, "float32"), "exact", "float32")
    fault, found = report.faults[0], set(report.faults[0].calls)
    assert fault.kind == kind and calls <= found and not right & found
    assert ("so the loop is at fault; in calls of " in str(report)) == bool(calls) == bool(found)
    assert "in calls of 1 to 2, 5 inputs" in str(replace(fault, calls=(1, 2, 5)))


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        ("too_far", "wrote beyond its 3071 outputs"),
        ("too_early", "wrote beyond its 3071 outputs"),
        ("rounded_up", "wrote beyond its 3071 outputs"),
        ("not_empty", "wrote beyond its 0 outputs"),
        ("in_place", "changed its inputs"),
        ("scalar", "of 3071 outputs; accepted is void f(const float32 *x, float32 *y, size_t n)"),
        ("quits", "ended the process, with status 0, when it was asked for 3071 outputs"),
        ("interrupts", "ended the process, by SIGINT, when it was asked for 3071 outputs"),
        ("crashes", "ended the process, by SIGSEGV, when it was asked for 3071 outputs"),
    ],
)
def test_a_library_that_cannot_be_judged_ends_no_other_process(folder, symbol, said):
    with pytest.raises(CallableError) as caught:
        conforms(from_library(folder / "k.so", symbol, "float32"), "exact", "float32")
    assert said in str(caught.value) and symbol in str(caught.value)


# In Python, and in files.


def relu(x):
    return np.maximum(x, x.dtype.type(0))


def with_tail(width, tail):
    """A kernel with another function where fewer numbers than a vector are left."""
    return lambda x: np.append(gelu(x[: (n := len(x) // width * width)]), tail(x[n:]))


def any_lane(x):
    """ReLU for each vector that has a large number."""
    rows = np.append(x, np.zeros(-len(x) % 4, x.dtype)).reshape(-1, 4)
    far = (rows > 5.5).any(axis=1, keepdims=True)
    return np.where(far, relu(rows), gelu(rows)).ravel()[: len(x)]


LOOPS = {
    "right": (with_tail(8, gelu), True, True),
    "remainder of another form": (with_tail(8, gelu_sigmoid), False, False),
    "remainder is ReLU": (with_tail(64, relu), False, False),
    "any lane": (any_lane, False, False),
    "few are ReLU": (lambda x: (gelu if len(x) >= 1000 else relu)(x), False, True),
}


@pytest.mark.parametrize("dtype", slow_but(["float32", "bfloat16"].__contains__, FLOAT_TYPES))
@pytest.mark.parametrize(("kernel", "called", "filed"), LOOPS.values(), ids=LOOPS)
def test_a_loop_in_python_is_judged_and_one_behind_a_file(kernel, called, filed, dtype):
    report = conforms(kernel, "exact", dtype)
    assert report.passed == called and bool(report.faults and report.faults[0].calls) != called
    assert conforms(kernel(kernel_inputs(dtype)), "exact", dtype).passed == filed  # one long call
    assert (identify(kernel, dtype).variant == "exact") == filed


ORDERS = {
    "float64": "dc54ee40",
    "float32": "aa31f4a7",
    "float16": "5cb159d8",
    "bfloat16": "281b5b13",
}
"""How the check sums of the inputs begin: files of outputs belong to this order for ever."""


@pytest.mark.parametrize("dtype", FLOAT_TYPES)
def test_the_inputs_are_those_of_the_vectors_in_a_fixed_order(dtype):
    x = kernel_inputs(dtype)
    assert len(x) % 256 == 255 and np.isnan(x).sum() == 1
    assert np.array_equal(np.unique(x[~np.isnan(x)]), np.unique(vectors(dtype)["x"]))
    assert np.abs(np.abs(x[-63:].astype(float)) - 3).max() <= 1 and 20 < (x[-63:] < 0).sum() < 43
    raw = x.view(f"u{x.itemsize}").astype(f"<u{x.itemsize}").tobytes()
    assert hashlib.sha256(raw).hexdigest().startswith(ORDERS[dtype])
    for count in (1, 2, 3, 10, 100, 4097):
        places = order_of_asking(np.linspace(-8, 8, count))
        assert sorted(places.tolist()) == list(range(count))


# What is allowed is counted.


def truncated(x):
    """Work in double precision, and the first 16 bits of the float32."""
    bits = gelu(x.astype("f8")).astype("f4").view("u4") & np.uint32(0xFFFF0000)
    return bits.view("f4").astype(x.dtype)


def flushing(x):
    y = gelu(x)
    return np.where(np.abs(y) < np.finfo(y.dtype).smallest_normal, np.copysign(0, y), y)


def shifted(x):
    """A table of float16 that is off by one index in a range."""
    return gelu(np.where((x >= -1) & (x <= -0.5), np.nextafter(x, x.dtype.type(0)), x))


@pytest.mark.parametrize(
    ("kernel", "dtype", "misrounded", "flushed", "low", "high"),
    [
        (truncated, "bfloat16", 3674, 1, 4, 4.1),
        (flushing, "float32", 154, 154, -8, 8),
        (shifted, "float16", 220, 0, -1, -0.5),
    ],
)
def test_a_pass_says_what_was_allowed(kernel, dtype, misrounded, flushed, low, high):
    report = conforms(kernel, "exact", dtype)
    (accuracy,) = report.accuracy
    assert report.passed and (accuracy.misrounded, accuracy.flushed) == (misrounded, flushed)
    assert low <= accuracy.largest.x <= high
    assert f"gelu: {misrounded} of {accuracy.inputs} results are not the nearest" in str(report)
    assert not conforms(kernel, "exact", dtype, ulp=0.5).passed


def test_any_value_at_infinity_may_be_accepted_and_no_other():
    def kernel(x):
        return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    assert not conforms(kernel, "tanh", "float64").passed
    report = conforms(kernel, "tanh", "float64", infinities="any")
    assert report.passed and "any value at ±∞" in str(report)
    never = conforms(lambda x: np.nan_to_num(gelu(x)), "exact", "float32", infinities="any")
    assert [(fault.kind, fault.inputs) for fault in never.faults] == [("nan", 1)]
    with pytest.raises(ValueError, match="infinities is 'none'; accepted are any, limit"):
        conforms(kernel, "tanh", "float32", infinities="none")


# At the command line.


def asked(folder, line):
    """What a line of a shell gives, in which ``gelu`` is the command: status, answer and errors."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    command = ["bash", "-c", f'gelu() {{ {sys.executable} -m gelu_lib "$@"; }}\n{line}']
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


UNANSWERED = [
    ("conform leaves:politely --form exact", "function raised SystemExit at x = "),
    ("conform leaves:at_once --form exact", "asked ended the process, with status 0,"),
    ("identify leaves:by_a_signal", "asked ended the process, by SIGSEGV, before"),
    ("conform leaves:beyond --form exact", "conform: KeyboardInterrupt:"),
    ("conform leaves:empty --form exact", "function raised KeyError at no inputs: 0"),
    ("identify exits:f", "exits raised SystemExit when it was imported: 0"),
    ("identify boom:f", "boom raised RuntimeError when it was imported: two lines"),
    ("conform unread:f --form exact", "unread raised SyntaxError when it was imported"),
    ("identify divides:a.b", "identify: ZeroDivisionError: division by zero"),
    ("conform ./k.so:quits --form exact", "quits of './k.so' ended the process, with st"),
    ("conform ./constructed.so:f --form exact", "with status 0, when it was loaded"),
    ("identify ./k.so:scalar", "accepted is void f(const float32 *x, float32 *y, size_t"),
    ("identify ./k.so:none", "symbol is 'none', which './k.so' does not have"),
    ("identify ./k.c:right", "gelu_lib identify: "),
    ("conform leaves.py:loudly --form exact", "is MODULE:FUNCTION: leaves:loudly, where"),
    ("identify k.c", "file is 'k.c', with "),
    ("conform . --form exact", "the kernel is '.', which is a directory"),
    ("lookup 1.702 > /dev/full", "the answer could not be printed: [Errno 28]"),
    ("identify gelu_lib:gelu > /dev/full", "could not be printed: [Errno 28]"),
    ("--version > /dev/full", "the answer could not be printed: [Errno 28]"),
    ("lookup 1.702 >&-", "the standard output is closed"),
    ("conform gelu_lib:gelu --form exact >&-", "the standard output is closed"),
    ("lookup 1.702 > >(exec 0<&-; sleep 1)", "Broken pipe"),
    ("inputs float32 /dev/full", "No space left on device"),
]


@pytest.mark.parametrize(("line", "said"), slow_but(UNANSWERED[1::3].__contains__, UNANSWERED))
def test_no_answer_is_one_line_and_status_2(folder, line, said):
    before = "sleep 0.3; " if "Broken" in said else ""
    status, out, error = asked(folder, f"{before}gelu {line}")
    assert (status, out, error.count("\n")) == (NOT_ASKED, "", 1), (status, out, error)
    assert said in error


ANSWERED = [
    ("gelu conform leaves:loudly --form exact", FOUND, "exact form in float32: passes"),
    ("gelu conform leaves:forks --form exact", FOUND, "exact form in float32: passes"),
    ("gelu conform ./k.so:prints --form exact", FOUND, "exact form in float32: passes"),
    ("gelu identify ./k.so:right", FOUND, "exact: within its tolerance"),
    ("gelu identify ./k.so:any_lane", NOTHING, "none of the three forms"),
    ("gelu conform <(cat right.bin) --form exact", FOUND, "passes; 2988 inputs asked\n"),
    ("gelu conform /dev/stdin --form exact < right.bin", FOUND, "passes; 2988 inputs"),
    ("cat tail.bin | gelu conform /dev/stdin --form exact", NOTHING, "the loop is at fault"),
    ("gelu conform swapped.bin --form exact", NOTHING, "is refused"),
    ("gelu conform gelu_lib:gelu --form exact 2>&-", FOUND, "passes"),
    ("gelu inputs float16 /dev/stdout | wc -c", FOUND, "127486\n"),
    ("gelu inputs float32 written", FOUND, "in a fixed order that does not ascend"),
]


@pytest.mark.parametrize(("line", "status", "said"), slow_but(ANSWERED[::3].__contains__, ANSWERED))
def test_what_is_answered_is_printed(folder, line, status, said):
    gelu(kernel_inputs("float32")).astype("<f4").tofile(folder / "right.bin")
    gelu(kernel_inputs("float32")).astype(">f4").tofile(folder / "swapped.bin")
    with_tail(64, relu)(kernel_inputs("float32")).astype("<f4").tofile(folder / "tail.bin")
    found, out, error = asked(folder, line)
    assert found == status and said in out and "Warning" not in error, (out, error)


def test_nothing_is_left_of_a_process_that_is_killed_or_has_no_room(folder):
    status, out, error = asked(folder, "echo old > x.bin; ulimit -f 4; gelu inputs float32 x.bin")
    assert (status, out, error.count("\n")) == (NOT_ASKED, "", 1) and "File too large" in error
    assert (folder / "x.bin").read_text() == "old\n" and not list(folder.glob(".x.bin*"))
    (folder / "link.bin").symlink_to("x.bin")
    assert write_inputs(folder / "link.bin", "float32") == 3071
    assert (folder / "link.bin").is_symlink() and (folder / "x.bin").stat().st_size == 4 * 3071
    command = [sys.executable, "-m", "gelu_lib", "conform", "./k.so:endless", "--form", "exact"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    asking = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE)
    time.sleep(3)
    asking.kill()
    asking.communicate(timeout=30)  # all that were started have its stderr
    late = [sys.executable, "-I", caller.__file__, "k.so", "endless", "4", "4", str(asking.pid)]
    with subprocess.Popen(late, cwd=folder, stdin=subprocess.PIPE) as started:
        assert started.wait(timeout=30) == 1  # though it could not ask for the one that was killed
