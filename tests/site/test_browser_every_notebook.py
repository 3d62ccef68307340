"""Every notebook in the Python of a reader's browser: each cell gives its printed words.

Each set of files is tried that lies in ``_build/runtime/`` or that registries have; the one that
``GELU_LIB_NEEDS_RUNTIME`` names must be had. What wants ml_dtypes, which the tested set lacks, is
in ``needs_packages.toml``, and nothing else may fail; a cell that is listed and does not fail is a
fault of the list.
"""

import itertools
import json
import tomllib

import browser
import fetch_runtime
import library_wheel
import pytest
import runtime_files
from runtime_files import PLACE, ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGES = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
NEEDS = tomllib.loads((ROOT / "tests/shared/needs_packages.toml").read_text(encoding="utf-8"))
FRESH = "get_ipython.__globals__['fresh']()"  # as the kernel begins a notebook
PATIENCE = 300  # seconds for a start, and for a cell; on a quiet machine the slowest takes 15
# the next word of the worker that says not merely how far it is
ASK = """([address, message, seconds]) => new Promise(give => {
  window.python ??= new Worker(`${address}run/kernel.mjs`, {type: "module"});
  setTimeout(() => give({failed: `no answer in ${seconds} s`}), 1000 * seconds);
  python.onmessage = ({data}) => "loaded" in data || give(data);
  python.onerror = ({message}) => give({failed: message});
  python.postMessage(message);
})"""


@pytest.fixture(scope="module", params=runtime_files.names())
def python(request, chromium, tmp_path_factory):
    """A function that runs a cell in the worker, one for all notebooks; and what its set lacks."""
    name, lock = request.param, runtime_files.read(request.param)
    try:
        fetch_runtime.main(name)
    except SystemExit as refusal:
        if not str(refusal).startswith("not to be had"):
            raise
        browser.without_runtime(name, str(refusal))
    folder = tmp_path_factory.mktemp(name)
    (folder / "run").symlink_to(ROOT / "book" / "_run")
    (folder / "runtime").symlink_to(ROOT / PLACE / name)
    wheel = library_wheel.build_wheel(ROOT, folder).name
    with browser.serving(folder) as address:
        page = chromium.new_page()
        page.goto(f"{address}run/kernel.py")  # any address of this origin

        def ask(**message):
            return page.evaluate(ASK, [address, message, PATIENCE])

        packages = lock["packages"]
        files = {"packages": list(packages), "wheels": [address + wheel]}
        folders = {"runtime": f"{address}runtime/", "kernel": f"{address}run/"}
        answer = ask(start=files | folders)
        assert not {"failed", "lacks"} & answer.keys(), answer
        yield lambda code: ask(code=code), {"ml_dtypes"} - {p["name"] for p in packages.values()}
        page.close()


def text(value):
    if isinstance(value, list):
        return "".join(value)
    if isinstance(value, str):
        return value
    return json.dumps(json.loads(json.dumps(value), parse_int=float), sort_keys=True)  # 2 is 2.0


def words(outputs):
    """The lines that a cell gives, each with its kind; of a picture only that there is one."""
    said = {}
    for output in outputs:
        if output["output_type"] == "error":
            said["error"] = f"{output['ename']}: {output['evalue']}"
        elif output["output_type"] == "stream":
            said[output["name"]] = said.get(output["name"], "") + text(output["text"])
        elif any(kind.startswith("image/") for kind in output["data"]):
            said["picture"] = said.get("picture", "") + "one\n"
        else:
            for kind, value in output["data"].items():
                said[kind] = said.get(kind, "") + text(value) + "\n"
    return [f"{kind}: {line}" for kind in sorted(said) for line in said[kind].splitlines()]


def faults(python, page, cells, excused):
    """Where a page does not give what it printed and is not excused, or is excused for nothing."""
    (run, lacks), found = python, []
    run(FRESH)
    for index, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        answer = run(text(cell["source"]))
        if "outputs" not in answer:  # the worker is gone, and with it the rest of the page
            return [*found, f"{page}, cell {index}: {answer}"]
        pairs = itertools.zip_longest(words(answer["outputs"]), words(cell["outputs"]))
        other = next((f"{now!r}, not {was!r}" for now, was in pairs if now != was), "")
        if other and index not in excused:
            found.append(f"{page}, cell {index}: {other}")
        elif index in excused and (not other or answer["needs"] not in {None, *lacks}):
            found.append(f"{page}, cell {index}: listed, and wants {answer['needs']}; {other}")
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_cell_gives_its_printed_words(python, page):
    notebook = json.loads((ROOT / "book" / f"{page}.ipynb").read_text(encoding="utf-8"))
    excused = {index for package in python[1] for index in NEEDS[package].get(page, ())}
    found = faults(python, page, notebook["cells"], excused)
    assert not found, "\n".join(found)


def test_another_number_or_package_is_refused_and_a_cell_listed_for_nothing(python):
    def cell(source, printed=""):
        stream = {"output_type": "stream", "name": "stdout", "text": [printed]}
        return {"cell_type": "code", "source": [source], "outputs": [stream]}

    right, wrong = cell("print(1 / 4)", "0.25\n"), cell("print(1 / 4)", "0.26\n")
    assert faults(python, "A", [right, wrong], ()) == [
        "A, cell 1: 'stdout: 0.25', not 'stdout: 0.26'"
    ]
    assert "cell 0: listed" in faults(python, "A", [right], {0})[0]
    lacks = "def lack():\n    raise ModuleNotFoundError(name='flint')\nrest = lack()"
    absent = [cell(lacks), cell("rest")]
    assert len(faults(python, "A", absent, ())) == 2
    assert "wants python-flint" in faults(python, "A", absent, {0, 1})[1]


PROOF = """
from gelu_lib import certified_sup_error, tanh_form

for target in ("Phi", "GELU"):
    bound = certified_sup_error(tanh_form("0.044715"), target, digits=30)
    print(*(number.rounded(30) for number in (bound.error, *bound.points)), len(bound.cover.pieces))
"""


def test_a_proof_gives_the_digits_that_it_gives_here(python, capsys):
    run, _ = python
    exec(PROOF, {})
    here = capsys.readouterr().out.splitlines()
    assert len(here[0].split()[0]) == len("0.000") + 30
    run(FRESH)
    assert words(run(PROOF)["outputs"]) == [f"stdout: {line}" for line in here]
