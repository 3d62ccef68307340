"""Every script explains itself and starts nothing, and every script runs, on a small case."""

import contextlib
import gzip
import importlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import command_line
import nbformat
import numpy as np
import pytest
from kinds import slow_but

from gelu_lib.floats.kernels.judging import kernels, meets_demand

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tools", "tools/laboratory", "benchmarks")
SCRIPTS = {
    path.stem: path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).glob("*.py"))
    if '\nif __name__ == "__main__":' in path.read_text(encoding="utf-8")
}

# --- what --help does

ASKING = """
import runpy, sys

for script in sys.argv[1:]:
    sys.argv = [script, "--help"]
    sys.stdout.reconfigure(errors="strict")
    sys.path.insert(0, script.rpartition("/")[0])
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        print("status", end.code, end=chr(0))
print("loaded", *sys.modules)
"""


def test_help_explains_every_script_and_starts_nothing():
    before, environment = repository(), os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-B", "-c", ASKING, *SCRIPTS.values()]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *said, loaded = run.stdout.split("\0")
    for path, text in zip(SCRIPTS.values(), said, strict=True):
        first = path.read_text(encoding="utf-8").splitlines()[0].strip('"')
        assert ascii(first)[1:-1] in text and text.endswith(("status 0", "status None")), path
    assert not {"sympy", "matplotlib", "torch"} & set(loaded.split())
    assert repository() == before


@pytest.mark.parametrize(
    "given", [["--no-such-option"], ["no such thing"]], ids=["option", "argument"]
)
def test_what_is_not_known_is_refused_in_one_line(given, capsys, monkeypatch):
    for arguments in ({}, {"largest": {"nargs": "?", "type": float}}):
        monkeypatch.setattr(sys, "argv", ["tools/some.py", *given])
        with pytest.raises(SystemExit) as stopped:
            command_line.read("Do it.", **arguments)
        said = capsys.readouterr().err
        assert stopped.value.code == 2
        assert said.startswith("some.py: ") and said.count("\n") == 1
        assert given[0] in said and "--help says what is accepted" in said


def test_a_name_that_is_not_known_is_refused_with_those_that_are():
    assert command_line.known([], ["one", "two"], "number") == ["one", "two"]
    assert command_line.known(["two"], ["one", "two"], "number") == ["two"]
    with pytest.raises(SystemExit, match="no number three; accepted are one, two"):
        command_line.known(["one", "three"], ["one", "two"], "number")


# --- a small case of each

Case = Callable[[pytest.MonkeyPatch, Path], None]
SMALL: dict[str, Case] = {}
"""For each script what runs it on a case that is small, and looks at what it wrote."""

ELSEWHERE = {
    "run": "test_run_commands.py",
    "execute": "test_notebooks.py",
    "make_exercises": "test_exercise_set.py",
    "fetch_runtime": "test_runtime.py",
    "write_teach": "test_teach.py",
    "count_instructions": "../floats/test_instructions.py",
    "record_real_networks": "../provenance/test_real_record.py",
}
"""The files that run the scripts of which nothing is said here."""

AT_NIGHT = {
    "draw_figures",
    "flip_statements",
    "minimax_against_powell",
    "mutate_certificates",
    "record_networks",
    "record_pytorch",
    "record_trajectories",
    "run_elsewhere",
    "record_degrees",
    "search_tanh_sums",
    "write_bibliography",
    "write_choices",
}
"""What takes more than some seconds even then."""

WRITTEN = (
    "gelu_lib/data/*",
    "gelu_lib/activations/coefficients.py",
    "book/*.*",
    "book/_static/**/*",
    "benchmarks/records/*",
    "tests/*.txt",
    "_build/exercises/*",
    "_build/flips/*",
    "_build/networks/**/*",
    "_build/trajectories/**/*",
    "_build/latex/*",
)
"""What the scripts write."""


def small(case: Case) -> Case:
    SMALL[case.__name__] = case
    return case


def repository() -> dict[Path, int]:
    """When each file that a script could write was last written."""
    return {path: path.stat().st_mtime_ns for name in WRITTEN for path in ROOT.glob(name)}


def copied(monkeypatch, folder: Path, module, name: str) -> tuple[Path, bytes]:
    """Let a script write into a copy of its file; the copy, and what stands in the file."""
    original = getattr(module, name)
    monkeypatch.setattr(module, name, folder / original.name)
    shutil.copy(original, folder)
    return folder / original.name, original.read_bytes()


WHOLE = {
    "write_bibliography": ("PAGE", "CITATIONS"),
    "write_constants": ("RECORD",),
    "write_contents": ("README",),
    "write_results": ("RESULTS",),
}
"""The scripts that write all of their files in some seconds, and the names of these."""


def writes_again(script: str) -> Case:
    def case(monkeypatch, folder):
        module = importlib.import_module(script)
        both = [copied(monkeypatch, folder, module, name) for name in WHOLE[script]]
        for copy, _ in both:  # what is left is the frame of the page, where a script needs it
            text = copy.read_text("utf-8").replace("**Withdrawn:**", "**Gone:**")
            copy.write_text(text if script == "write_results" else "", "utf-8")
        module.main()
        assert [copy.read_bytes() for copy, _ in both] == [stored for _, stored in both]

    return case


SMALL |= {script: writes_again(script) for script in WHOLE}

ENTRY = "taylor-slope"


def without(entry: str, path: Path) -> None:
    """Empty the record of an entry, as it is before it is computed."""
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(record | {entry: {}}), encoding="utf-8")


@small
def write_values(monkeypatch, folder):
    import write_values as script

    copy, stored = copied(monkeypatch, folder, script, "RECORD")
    without(ENTRY, copy)
    script.main([ENTRY])
    assert copy.read_bytes() == stored
    with pytest.raises(SystemExit, match=r"nothing computes taylor-slop$"):
        script.main([ENTRY, "taylor-slop"])


@small
def publish_result(monkeypatch, folder):
    import publish_result as script

    values, stored = copied(monkeypatch, folder, script.write_values, "RECORD")
    without(ENTRY, values)
    copied(monkeypatch, folder, script.write_results, "RESULTS")
    ledger, _ = copied(monkeypatch, folder, script, "LEDGER")
    addresses, _ = copied(monkeypatch, folder, script, "ADDRESSES")
    lines = ledger.read_text("utf-8").splitlines()
    ledger.write_text("\n".join(one for one in lines if not one.startswith(f"{ENTRY} ")) + "\n")
    addresses.write_text("")
    monkeypatch.setattr(script.execute, "BOOK", folder)
    shown = [nbformat.v4.new_code_cell(f'# derivation("{ENTRY}")')]
    nbformat.write(nbformat.v4.new_notebook(cells=shown), folder / "taylor.ipynb")
    script.main([ENTRY])
    assert values.read_bytes() == stored
    assert ledger.read_text("utf-8").splitlines()[-1] == f"{ENTRY} taylor"
    assert addresses.read_text("utf-8").split() == [f"book/taylor.html#equation-{ENTRY}"]
    written = nbformat.read(folder / "taylor.ipynb", as_version=4).cells
    assert len([c for c in written if "colab" not in c.metadata.get("tags", ())]) == 2
    script.main(["yang-scale"])  # which no chapter derives
    with pytest.raises(SystemExit, match=r"no entry of results\.toml taylor-slop;"):
        script.main(["taylor-slop"])


@small
def write_choices(monkeypatch, folder):
    import write_choices as script

    copy, stored = copied(monkeypatch, folder, script, "RECORD")
    monkeypatch.setattr(script, "FORMS", {"sigmoid": script.FORMS["sigmoid"]})
    monkeypatch.setattr(script, "TARGETS", ["Phi"])
    script.main()
    (entry,) = json.loads(copy.read_text(encoding="utf-8")).items()
    assert entry in json.loads(stored).items()


@small
def write_test_vectors(monkeypatch, folder):
    import write_test_vectors as script

    from gelu_lib.floats.types import float_type
    from gelu_lib.provenance.callables.vectors import read_columns

    monkeypatch.setattr(script, "FOLDER", folder / "vectors")
    monkeypatch.setattr(script, "SUMS", folder / "vectors" / "SHA256SUMS")
    monkeypatch.setattr(
        script, "inputs", lambda dtype: np.array([-1, 0, 1], float_type(dtype).dtype)
    )
    script.main()
    assert len((folder / "vectors" / "SHA256SUMS").read_text().splitlines()) == 4
    text = gzip.decompress(script.file_of("float16").read_bytes()).decode()
    assert len(read_columns(text, "float16")["x"]) == 3


@small
def write_activation_coefficients(monkeypatch, folder):
    import write_activation_coefficients as script

    remez = script.remez
    monkeypatch.setattr(script, "FILE", folder / "coefficients.py")
    monkeypatch.setattr(script, "remez", lambda f, low, high, degree: remez(f, low, high, 1))
    monkeypatch.setattr(script, "relative_error", lambda *fitted: script.mpf(0.1))
    script.main()
    made: dict = {}
    exec(script.FILE.read_text(encoding="utf-8"), made)
    assert len(made["NEAR_SLOPE"]) == 2
    assert made["TABLE_END"] == 8


@small
def find_kernels(monkeypatch, folder):
    import find_kernels as script

    lin = kernels()["tanh-error-exponential"]
    monkeypatch.setattr(script, "kernels", lambda: {lin.id: lin})
    monkeypatch.setattr(script, "CHEAPEST", ())
    monkeypatch.setattr(script, "LEAST", (lin.id,))
    (folder / "found.toml").write_text(printed(script.main), encoding="utf-8")
    found = tomllib.loads((folder / "found.toml").read_text(encoding="utf-8"))
    again = script.fitted(lin)
    assert meets_demand(again) and len(found["kernels"][lin.id]["coefficients"]) == 3
    (refutation,) = found["refuted"][lin.id]
    assert (refutation["form"], refutation["degree"]) == ("exponential", 1)


def printed(function):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        function()
    return text.getvalue()


@small
def record_degrees(monkeypatch, folder):
    import record_degrees as script

    monkeypatch.setattr(script, "RECORD", folder / "degrees.json")
    monkeypatch.setattr(script, "RECORDED", (13,))
    monkeypatch.setattr(script, "DIGITS", 12)
    script.main()
    assert json.loads(script.RECORD.read_text("utf-8"))["13"]["error"] == ["2.88777419292e-8"]


@small
def search_tanh_sums(monkeypatch, folder):
    import search_tanh_sums as script

    monkeypatch.setattr(script, "RECORD", folder / "sums.json")
    monkeypatch.setattr(script, "STARTS", 1)
    monkeypatch.setattr(script, "COUNTS", (2,))
    monkeypatch.setattr(script, "CRITERIA", (("Phi", False),))
    script.main()
    (search,) = json.loads(script.RECORD.read_text(encoding="utf-8"))["searches"]
    ((error, scales),) = search["found"]
    assert 0 < error < 0.01 and len(scales) == 2


@small
def draw_figures(monkeypatch, folder):
    import draw_figures as script

    script.main(folder)
    assert {path.name for path in folder.iterdir()} <= {p.name for p in script.STATIC.iterdir()}
    assert len(list(folder.iterdir())) == 3


@small
def make_pdf(monkeypatch, folder):
    import make_pdf as script

    def typeset(place, name):
        (place / f"{name}.pdf").write_bytes(b"pages")
        return found

    found: list[str] = []
    for name, path in (
        ("ROOT", folder),
        ("FOLDER", folder),
        ("TARGET", folder / "out" / "gelu-book.pdf"),
    ):
        monkeypatch.setattr(script, name, path)
    monkeypatch.setattr(script, "missing", lambda: [])
    monkeypatch.setattr(script.subprocess, "call", lambda command, cwd: 0)
    monkeypatch.setattr(script, "typeset", typeset)
    text = folder / "gelu-book.tex"
    text.write_text(r"\ref{one}", encoding="utf-8")
    assert script.main() == 1  # nothing is labelled so, and nothing is typeset
    text.write_text(r"\label{one} \ref{one}", encoding="utf-8")
    assert script.main() == 0
    assert script.TARGET.read_bytes() == b"pages"
    found.append("Missing character: Ω")
    assert script.main() == 1


@small
def mutate_certificates(monkeypatch, folder):
    import mutate_certificates as script

    for name in ("gelu_lib/certificates", "tests/shared", *(f"tests/{w}" for w in script.WINGS)):
        (folder / name).mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (folder / "gelu_lib" / "certificates" / "toy.py").write_text("def one():\n    return 3 - 2\n")
    toy = folder / "tests" / "certificates" / "test_toy.py"
    toy.write_text(
        "from gelu_lib.certificates.toy import one\n\n\ndef test_one():\n    assert one() == 1\n"
    )
    caught = script.Mutant("toy", "3 - 2", "3 + 2", "one is five")
    same = script.Mutant("toy", "3 - 2", "4 - 3", "one is another difference")
    monkeypatch.setattr(script, "ROOT", folder)
    monkeypatch.setattr(script, "OWN_TESTS", {"toy": ("tests/certificates/test_toy.py",)})
    monkeypatch.setattr(script, "MUTANTS", [caught])
    assert script.main(["toy"]) == 0
    monkeypatch.setattr(script, "MUTANTS", [same])
    assert script.main([]) == 1
    with pytest.raises(SystemExit, match="no module toys; accepted are toy"):
        script.main(["toys"])


@small
def flip_statements(monkeypatch, folder):
    import flip_statements as script

    monkeypatch.setattr(script, "KEPT", folder)
    assert script.main([ENTRY], 1) == 0
    kept = {path.name for path in folder.iterdir()}
    assert kept == {f"{ENTRY}.1.json", f"equation-{ENTRY}.1.json"}
    with pytest.raises(SystemExit, match="no ID has taylor-slopp in it"):
        script.main(["taylor-slopp"], 1)


@small
def run_elsewhere(monkeypatch, folder):
    import run_elsewhere as script
    from execute import normalise, say_what_it_needs

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    notebook.cells[0].execution_count = 1
    say_what_it_needs(notebook)
    normalise(notebook, "sum")
    monkeypatch.setattr(script, "ARCHIVE", folder / "gelu-book.zip")
    monkeypatch.setattr(script, "environment", lambda *_: Path(sys.executable))
    for result, status in (("2", 0), ("3", 1)):
        output = nbformat.v4.new_output("execute_result", {"text/plain": result}, execution_count=1)
        notebook.cells[0].outputs = [output]
        with zipfile.ZipFile(script.ARCHIVE, "w") as archive:
            archive.writestr("gelu-book/01-sum.ipynb", nbformat.writes(notebook))
        assert script.main([]) == status


# --- the records of what others compute


def needs(package: str, required: str) -> None:
    """Skip a case whose package is not installed, unless it is to be there."""
    if importlib.util.find_spec(package) is None and not os.environ.get(required):
        pytest.skip(f"{package} is not installed")


@small
def record_pytorch(monkeypatch, folder):
    needs("torch", "GELU_LIB_NEEDS_PYTORCH")
    import record_pytorch as script

    monkeypatch.setattr(script, "RECORD", folder / "pytorch.json")
    monkeypatch.setattr(script, "RANGES", {"small": (-0.01, 0.01)})
    script.main()
    assert json.loads(script.RECORD.read_text())["ranges"]["small"]["points"] == 20


@small
def record_networks(monkeypatch, folder):
    needs("torch", "GELU_LIB_NEEDS_PYTORCH")
    needs("sklearn", "GELU_LIB_NEEDS_PYTORCH")
    script = importlib.import_module("record_networks")

    copy, stored = copied(monkeypatch, folder, script, "RECORD")
    plans = {"perceptron": script.SMALL["perceptron"]}
    monkeypatch.setattr(script, "PARTS", folder / "parts")
    for name, small_one in (("PLANS", plans), ("SMALL", plans), ("SEEDS", {"perceptron": 1})):
        monkeypatch.setattr(script, name, small_one)
    monkeypatch.setattr(script, "TRAINED", {"perceptron": script.ARMS})
    # in this process: others would write where the repository has its parts
    monkeypatch.setattr(script, "make_all", lambda wanted: [script.part(*one) for one in wanted])
    script.main(small=False)
    made, known = json.loads(copy.read_text("utf-8")), json.loads(stored)
    assert set(made) == set(known)
    assert set(made["networks"]["perceptron"]) == set(known["networks"]["perceptron"])


@small
def record_trajectories(monkeypatch, folder):
    needs("torch", "GELU_LIB_NEEDS_PYTORCH")
    needs("sklearn", "GELU_LIB_NEEDS_PYTORCH")
    script = importlib.import_module("record_trajectories")

    copy, stored = copied(monkeypatch, folder, script, "RECORD")
    plans = {"perceptron": script.SMALL["perceptron"]}
    monkeypatch.setattr(script, "PARTS", folder / "parts")
    for name, small_one in (("PLANS", plans), ("SMALL", plans), ("SEEDS", {"perceptron": 2})):
        monkeypatch.setattr(script, name, small_one)
    script.main(small=False)
    made, known = json.loads(copy.read_text("utf-8")), json.loads(stored)
    assert set(made) == set(known)
    found, whole = (one["networks"]["perceptron"] for one in (made, known))
    assert set(found) == set(whole) and set(found["arms"]) == set(whole["arms"])
    assert set(found["arms"]["bfloat16"]["20"]) == set(whole["arms"]["bfloat16"]["25"])
    before = {path: path.stat().st_mtime_ns for path in (folder / "parts").rglob("*.json")}
    script.main(small=False)  # goes on where it was, and makes nothing twice
    assert {
        path: path.stat().st_mtime_ns for path in (folder / "parts").rglob("*") if path.is_file()
    } == before
    assert len(before) == 2 * len(script.ARMS)
    assert json.loads(copy.read_text("utf-8")) == made


def own_package():
    """The library's own activation as if it were a package of others."""
    from framework_adapters import Package, Subject

    from gelu_lib.activations import gelu

    return Package(("numpy",), {"own": Subject("gelu(x)", "exact", gelu, ("float16",))})


def record_of_packages(monkeypatch, folder, script, measure):
    monkeypatch.setattr(script, "RECORD", folder / "record.json")
    script.RECORD.write_text("{}")
    monkeypatch.setattr(script, "PACKAGES", {"own": own_package})
    monkeypatch.setattr(script, "in_its_own_process", lambda name, *_: measure(name))
    with pytest.raises(SystemExit, match="no package torsh; accepted are own"):
        script.main(["torsh"])
    script.main(["own"])
    return json.loads(script.RECORD.read_text(encoding="utf-8"))


@small
def record_frameworks(monkeypatch, folder):
    import record_frameworks as script

    made = record_of_packages(monkeypatch, folder, script, script.measure)
    assert made["own"]["subjects"]["own"]["types"]["float16"]["accuracy"]


@small
def record_variants(monkeypatch, folder):
    import record_variants as script

    made = record_of_packages(monkeypatch, folder, script, script.measure_framework)
    found = made["frameworks"]["own"]["subjects"]["own"]["types"]["float16"]
    assert found["outcome"] == "identified"


@small
def reread_frameworks(monkeypatch, folder):
    import reread_frameworks as script

    path = folder / "activation.h"
    path.write_text("0.7978845608028654 0.044715", encoding="utf-8")
    script.main([f"cutlass={path}"])


@small
def record_onnx(monkeypatch, folder):
    for package in ("torch", "onnx", "onnxscript", "onnxruntime"):
        needs(package, "GELU_LIB_NEEDS_FRAMEWORKS")
    import record_onnx as script

    monkeypatch.setattr(script, "RECORD", folder / "onnx.json")
    monkeypatch.setattr(script, "PATTERNS", {script.MEASURED: script.PATTERNS[script.MEASURED]})
    monkeypatch.setattr(script, "exported", lambda name: name)  # it takes seconds to import torch
    script.main()
    made = json.loads(script.RECORD.read_text(encoding="utf-8"))
    assert made["patterns"][script.MEASURED]["float32"]["17"]["ENABLE_ALL"] == "com.microsoft.Gelu"


@small
def record_configurations(monkeypatch, folder):
    import record_configurations as script

    wheel = folder / "transformers-0.1-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr("transformers/activations.py", "ACT2CLS = {'gelu': 1}")
        one = "class OneConfig:\n    hidden_act: str = 'gelu'\n    name: str = 'one'"
        archive.writestr("transformers/models/one/configuration_one.py", one)
    monkeypatch.setattr(script, "RECORD", folder / "configurations.json")
    script.main(wheel)
    made = json.loads(script.RECORD.read_text(encoding="utf-8"))
    assert made["models"] == {"one": {"OneConfig.hidden_act": "gelu"}}
    assert made["release"] == "0.1"


# --- the benchmarks


@small
def activation_speed(monkeypatch, folder):
    import activation_speed as script

    monkeypatch.setattr(script, "RECORD", folder / "speed.json")
    monkeypatch.setattr(script, "SECONDS", 0)
    monkeypatch.setattr(script, "NEW", 3000)
    monkeypatch.setattr(script, "with_torch", lambda: script.WAYS)  # to import it takes seconds
    script.main(1000)
    times = json.loads(script.RECORD.read_text("utf-8"))["float32"]["normal"]["1000"]["times"]
    assert {"gelu", "gelu_sigmoid_derivative", script.NDTR} <= set(times)
    assert "FORMS" not in times
    with pytest.raises(SystemExit, match="LARGEST is 100; accepted is 1000 or more"):
        script.main(100)


@small
def kernel_speed(monkeypatch, folder):
    import kernel_speed as script

    with pytest.raises(SystemExit, match="LARGE is 100; accepted is more than 4096"):
        script.main(100)
    if not shutil.which("gcc"):
        pytest.skip("there is no gcc to compile the loops")
    monkeypatch.setattr(script, "RECORD", folder / "kernels.json")
    monkeypatch.setattr(script, "SECONDS", 0)
    monkeypatch.setattr(script, "TURNS", 1)
    monkeypatch.setattr(script, "TOGETHER", 4096)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # torch takes seconds
    script.main(5000)
    record = json.loads(script.RECORD.read_text("utf-8"))
    assert record["5000"].keys() == record["4096"].keys()
    ways = set(record["4096"])
    assert {"strict: ReLU", "fast: float32-power", "fast: PyTorch, tanh", script.SCIPY} < ways
    assert not {"fast: CUTLASS", script.TORCH} & ways
    kept = {"2e-3-clipped", "tanh-error-square", "float16-faithful-power", "ReLU", "a copy"}
    assert not kept & set(record["other results by -ffast-math"])
    assert "PyTorch, tanh" in record["other results by -ffast-math"]


@small
def minimax_against_powell(monkeypatch, folder):
    import minimax_against_powell as script

    monkeypatch.setattr(script, "RECORD", folder / "powell.json")
    monkeypatch.setattr(script, "GRID", np.arange(0, 4, 0.25))
    monkeypatch.setattr(script, "REPEATS", 1)
    script.main()
    constants = json.loads(script.RECORD.read_text("utf-8"))["constants"]
    assert constants["1.702"]["50 digits proved, anew"]["digits right"] >= 50
    assert constants["0.044715"]["start, first call"]["digits right"] >= 9


@small
def certificates(monkeypatch, folder):
    # by its path: a package of the library has the same name
    found = importlib.util.spec_from_file_location("speed_of_proofs", SCRIPTS["certificates"])
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    monkeypatch.setattr(script, "RECORD", folder / "certificates.json")
    monkeypatch.setattr(script, "DIGITS", (20,))
    monkeypatch.setattr(script, "REPEATS", 1)
    script.main()
    made = json.loads(script.RECORD.read_text("utf-8"))
    row = made["digits"]["0.044715"]["20"]
    assert 0 < row["with the proof kept"] < row["anew"]


@small
def float_accuracy(monkeypatch, folder):
    import float_accuracy as script

    for name, small_one in (("COUNT", 200), ("CLIMBERS", 20), ("ROUNDS", {"left": 5, "right": 5})):
        monkeypatch.setattr(script, name, small_one)
    monkeypatch.setattr(script, "RECORD", folder / "accuracy.json")
    monkeypatch.setattr(script, "SPAN", 64)
    monkeypatch.setattr(script, "FLOAT32_BITS", range(0x3F800000, 0x3F800001))
    monkeypatch.setattr(script, "NARROW_BITS", range(0x3C00, 0x3C10))
    script.main(["gelu"])
    made = json.loads(script.RECORD.read_text("utf-8"))
    assert made["float64"]["gelu"]["left"]["largest ULP"] < 3.5
    assert made["float16"]["gelu"] == {"inputs": 16, "not correctly rounded": 0}
    assert set(script.PARTS) <= set(made)
    with pytest.raises(SystemExit, match="no part or function gelo;"):
        script.main(["gelo"])


# --- all of them


def test_every_script_is_run():
    assert set(SMALL) | set(ELSEWHERE) == set(SCRIPTS)
    for script, file in ELSEWHERE.items():
        assert f"{script}.main(" in (Path(__file__).parent / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("script", slow_but(lambda name: name not in AT_NIGHT, sorted(SMALL)))
def test_a_script_runs_on_a_small_case_and_leaves_the_repository_alone(
    script, monkeypatch, tmp_path
):
    before = repository()
    SMALL[script](monkeypatch, tmp_path)
    assert repository() == before
