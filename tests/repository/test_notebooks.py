"""The stored notebooks are what tools/execute.py stores, and nbval notices if they are not."""

import ast
import copy
import json
import re
import shutil
import subprocess
import symtable
import sys
from itertools import pairwise
from pathlib import Path

import colab_cell
import execute
import nbformat
import pytest
import run
from cell_names import defined, used
from execute import (
    BOOK,
    FOLDED,
    LEFT_OUT,
    NEEDS,
    SOLUTION,
    UNSEEN,
    normalise,
    say_what_it_needs,
    write_numbers,
)
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from notebook_pages import CAPTION

from gelu_lib.show import marks, stored
from gelu_lib.show.style import NARROW

NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
RUN_PAGE = (BOOK / "_run" / "run-page.js").read_text(encoding="utf-8")
TAUGHT, FOLDED_LINES, COLUMNS = 15, 25, 76
"""How many lines a cell that is seen has at most, and one that is folded, and how wide they are."""
PACKAGES = {"flint", "gelu_lib", "matplotlib", "ml_dtypes", "mpmath", "numpy", "scipy", "sympy"}
PACKAGES |= sys.stdlib_module_names


def machine_traces(text: str) -> list[str]:
    """Absolute paths of a user's machine in a file."""
    return re.findall(r"/(?:home|root|Users|tmp|work)/\w+|[A-Z]:\\\\Users", text)


def unwieldy_cells(notebook) -> list[str]:
    """The IDs of code cells that are too long or too wide; one that is folded may be longer."""
    wrong = []
    for cell in notebook.cells:
        lines = cell.source.splitlines() if cell.cell_type == "code" else []
        most = FOLDED_LINES if FOLDED in cell.metadata.get("tags", ()) else TAUGHT
        if len(lines) > most or any(len(line) > COLUMNS for line in lines):
            wrong.append(cell.id)
    return wrong


def wrong_imports(notebook) -> list[str]:
    """What a notebook imports too late, or from a package that is not at hand.

    python-flint is imported where it is first used: a reader without it runs what comes before.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    first, *others = [c.source for c in code if colab_cell.TAG not in c.metadata.get("tags", ())]
    late = [line for source in others for line in import_lines(source)]
    wrong = [line for line in late if not line.startswith("from flint ")]
    for node in ast.walk(ast.parse(first)):
        names = [alias.name for alias in node.names] if isinstance(node, IMPORT) else []
        module = getattr(node, "module", None)
        for name in names:
            if (module or name).partition(".")[0] not in PACKAGES:
                wrong.append(ast.unparse(node))
    return wrong


def hidden_names(notebook) -> list[str]:
    """The names that an open cell uses and only folded ones define; imports are counted as seen."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    (_, seen), *rest = [
        (cell, symtable.symtable(cell.source, cell.id, "exec"))
        for cell in code
        if colab_cell.TAG not in cell.metadata.get("tags", ())
    ]
    known, folded, wrong = defined(seen), set(), []
    for cell, names in rest:
        if set(cell.metadata.get("tags", ())) & {FOLDED, SOLUTION, UNSEEN, LEFT_OUT}:
            folded |= defined(names)
        else:
            known |= defined(names)
            wrong += sorted(used(names) & folded - known)
    return wrong


IMPORT = (ast.Import, ast.ImportFrom)


def import_lines(source: str) -> list[str]:
    """The lines of a cell that import something."""
    lines = source.splitlines()
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, IMPORT)]
    return [line for node in nodes for line in lines[node.lineno - 1 : node.end_lineno]]


def torn_outputs(notebook) -> list[str]:
    """The IDs of cells that printed into one stream in pieces, as a busy machine sends them."""
    named = [
        (cell.id, [output.get("name", output.output_type) for output in cell.get("outputs", ())])
        for cell in notebook.cells
    ]
    streams = ("stdout", "stderr")
    return [id for id, names in named if any(a == b in streams for a, b in pairwise(names))]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_stored_notebook_is_normalised_whole_readable_and_of_no_machine(path):
    notebook = nbformat.read(path, as_version=4)
    again = copy.deepcopy(notebook)
    say_what_it_needs(again)  # in the second cell, which stands once
    normalise(again, path.stem)
    assert notebook == again
    assert [cell.source for cell in notebook.cells].count(NEEDS) == 1
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert machine_traces(path.read_text(encoding="utf-8")) == []
    assert torn_outputs(notebook) == unwieldy_cells(notebook) == wrong_imports(notebook) == []


def test_a_fault_of_a_cell_is_found():
    one, other = (nbformat.v4.new_output("stream", name=name) for name in ("stdout", "stderr"))
    cells = [nbformat.v4.new_code_cell(id="sound", outputs=[one, other, one])]
    cells += [nbformat.v4.new_code_cell(id="torn", outputs=[one, other, other])]
    assert torn_outputs(nbformat.v4.new_notebook(cells=cells)) == ["torn"]
    assert machine_traces("File /home/ann/book.py") == ["/home/ann"]
    cell, folded = nbformat.v4.new_code_cell, {"tags": [FOLDED]}
    cells = [cell("1\n" * 15, id="short"), cell("1\n" * 16, id="long")]
    cells += [cell("1\n" * 25, id="folded", metadata=folded)]
    cells += [cell("1\n" * 26, id="folded-long", metadata=folded)]
    cells += [cell("x = " + "1" * 72, id="narrow"), cell("x = " + "1" * 73, id="wide")]
    cells += [nbformat.v4.new_markdown_cell("a\n" * 26)]
    wrong = unwieldy_cells(nbformat.v4.new_notebook(cells=cells))
    assert wrong == ["long", "folded-long", "wide"]


@pytest.mark.parametrize(
    "cells",
    [
        ["import numpy", "import sympy"],
        ["import numpy", "def f():\n    import sympy"],
        ["import requests"],
    ],
)
def test_an_import_that_is_late_or_of_elsewhere_is_found(cells):
    def found(sources):
        code = [nbformat.v4.new_code_cell(source) for source in sources]
        return wrong_imports(nbformat.v4.new_notebook(cells=code))

    assert found(["import numpy as np\nfrom gelu_lib.show import say", "say(one=1)"]) == []
    assert found(["import numpy as np", "from flint import arb"]) == []
    assert found(cells) != []


def test_who_goes_back_to_a_cell_finds_what_a_reader_has_seen():
    found = {path.stem: hidden_names(nbformat.read(path, as_version=4)) for path in NOTEBOOKS}
    assert {notebook: names for notebook, names in found.items() if names} == {}
    cell, folded = nbformat.v4.new_code_cell, {"tags": [FOLDED]}
    cells = [cell("import numpy as np"), cell("y, z = 1, 2", metadata=folded), cell("z = 3")]
    cells += [cell("def f(y):\n    return np.exp(y + z)"), cell("[f(y) for x in (1, 2)]")]
    assert hidden_names(nbformat.v4.new_notebook(cells=cells)) == ["y"]
    assert rebound(YOUR_OWN) == set()
    cells = [nbformat.v4.new_code_cell(c) for c in ("a = 1", "print(a)", "for n in (1, 2): a = n")]
    assert rebound(nbformat.v4.new_notebook(cells=cells)) == {"a"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_picture_has_words_a_finding_and_a_copy_in_pixels(path):
    cells = nbformat.read(path, as_version=4).cells
    for cell, following in pairwise(cells):
        for output in cell.get("outputs", ()):
            if "image/svg+xml" in output.get("data", {}):
                assert len(cell.metadata.mystnb.image.alt) > 40
                assert CAPTION.fullmatch(following.source)
                assert "\n\n" not in following.source  # the page takes the whole cell for it
                words = cell.metadata.mystnb.image.alt
                assert output.metadata["image/png"].alt == output.data["text/plain"] == words
                assert NARROW in output.data


SAID = "A half is <!--=half-->0.500<!--/-->, a tenth <!--=tenth-->0.100<!--/-->."
ALTERED = (
    "A half is <!--=half-->0.501<!--/-->. It is 0.123, or <!--=third-->0.333<!--/-->.",
    "half is 0.500, and the text has 0.501",
    "0.123 is bound to nothing",
    "third is computed by no cell",
    "tenth is computed and stands nowhere",
    "mismatch 'stdout'",
)


def printing(printed: str) -> nbformat.NotebookNode:
    """A cell that adds two numbers, with what is stored as its output."""
    stream = nbformat.v4.new_output("stream", name="stdout", text=printed)
    return nbformat.v4.new_code_cell("print(1 + 1)", outputs=[stream])


def gluing() -> nbformat.NotebookNode:
    """A cell that keeps two numbers for the text."""
    source = (
        "from gelu_lib.show.tables import glue\n\nglue('half', '0.500')\nglue('tenth', '0.100')"
    )
    outputs = [kept("half", "0.500"), kept("tenth", "0.100")]
    return nbformat.v4.new_code_cell(source, outputs=outputs)


def drawing(drawn: str) -> nbformat.NotebookNode:
    """A cell with a picture as its stored output, which may draw none."""
    data = {"image/png": "", "text/plain": "<Figure size 640x480 with 1 Axes>"}
    return nbformat.v4.new_code_cell(
        f"import matplotlib.pyplot as plt\n\n{drawn}\nplt.show()",
        metadata={"mystnb": {"image": {"alt": "A line (that rises)"}}},
        outputs=[nbformat.v4.new_output("display_data", data=data)],
    )


def test_nbval_rejects_altered_outputs_a_missing_picture_altered_numbers_and_edited_code(tmp_path):
    """As the book has it; that it passes what is sound each notebook of the book shows."""
    for name in ("conftest.py", "typed-numerals.toml"):
        shutil.copy(BOOK / name, tmp_path)
    cells = [printing("3\n"), gluing(), drawing("'no picture'"), printing("2\n")]
    for count, cell in enumerate(cells, 1):
        cell.execution_count = count
    cells.append(nbformat.v4.new_markdown_cell(ALTERED[0]))
    notebook = nbformat.v4.new_notebook(cells=cells)
    normalise(notebook, "altered")
    notebook.cells[3].source = "print(2 * 1)"  # which computes the same
    nbformat.write(notebook, tmp_path / "altered.ipynb")
    options = ["--nbval", "--nbval-current-env", "-n", "0", "-p", "no:cacheprovider", "-rA"]
    command = [sys.executable, "-m", "pytest", *options, f"--rootdir={tmp_path}", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 1, run.stderr
    line = r"^(PASSED|FAILED) altered\.ipynb::(.*?)(?: - .*)?$"
    outcomes = {part: outcome for outcome, part in re.findall(line, run.stdout, re.MULTILINE)}
    passed = {part for part, outcome in outcomes.items() if outcome == "PASSED"}
    assert passed == {"Cell 1", "Cell 3"}, run.stdout
    assert outcomes.keys() - passed == {
        "Cell 0",
        "Cell 2",
        "executed as it stands",
        "numbers in the text",
    }
    for fault in (*ALTERED[1:], "the code of altered was edited and not executed again"):
        assert fault in run.stdout


def test_the_older_name_of_an_option_of_nbval_is_taken(tmp_path):
    names = tmp_path / "names.cfg"
    names.write_text("[one]\nregex: a\nreplace: b\n", encoding="utf-8")
    options = ["-n", "0", "--collect-only", "--sanitize-with", str(names), "book/kernel.ipynb"]
    command = [sys.executable, "-m", "pytest", *options]
    assert subprocess.run(command, cwd=BOOK.parent, capture_output=True).returncode == 0


def kept(name: str, text: str) -> nbformat.NotebookNode:
    """The output by which a cell keeps a text for the prose."""
    scrap = {"name": name, "mime_prefix": "application/papermill.record/"}
    data = {marks.RECORD: repr(text)}
    return nbformat.v4.new_output("display_data", data=data, metadata={"scrapbook": scrap})


def test_the_script_writes_the_numbers_into_the_text():
    half = nbformat.v4.new_code_cell("", outputs=[kept("half", "0.500")])
    text = nbformat.v4.new_markdown_cell("It is <!--=half--><!--/-->, or\n<!--=half-->1/2<!--/-->.")
    notebook = nbformat.v4.new_notebook(cells=[half, text])
    write_numbers(notebook, "sum")
    assert text.source == "It is <!--=half-->0.500<!--/-->, or\n<!--=half-->0.500<!--/-->."
    text.source = "It is <!--=third-->1/3<!--/-->."
    with pytest.raises(SystemExit, match="sum: the text has a mark for 'third'"):
        write_numbers(notebook, "sum")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("`0.123`, $1.702$, $x_1$ and version 1.234.5", []),
        ("[0.044715](results.md#page-cubic), or 0.044715", []),
        ("[1.702](results.md#page-cubic)", ["page-cubic is 0.044715, and the text has 1.702"]),
        ("[1.702](results.md#logistic-scale)", ["logistic-scale is no literal, and the text has"]),
        ("It is 0.04471.", ["0.04471 is bound to nothing"]),
        ("数0.04471は", ["0.04471 is bound to nothing"]),
        ("It is $0.04471$.", ["0.04471 is bound to nothing"]),
        ("It is 3 times as large.", ["3 is bound to nothing"]),
        ("It is <!--=a-->1.", ["a mark without its other half"]),
        ("It is\n<!--=half-->0.500<!--/-->.", ["a mark at the start of a line"]),
        ("> <!--=half-->0.500<!--/-->", ["a mark at the start of a line"]),
    ],
)
def test_wrong_numbers_of_a_text_are_found(text, faults):
    cell = nbformat.v4.new_code_cell("", outputs=[kept("half", "0.500"), kept("tenth", "0.100")])
    cells = [cell, nbformat.v4.new_markdown_cell(SAID), nbformat.v4.new_markdown_cell(text)]
    found = marks.faults(nbformat.v4.new_notebook(cells=cells))
    assert len(found) == len(faults)
    assert all(one.startswith(start) for one, start in zip(found, faults, strict=True))
    cell.metadata = {"mystnb": {"image": {"alt": "A curve up to 0.1234"}}}
    typed = marks.faults(nbformat.v4.new_notebook(cells=cells))
    assert any("0.1234 is bound to nothing" in fault for fault in typed)


@pytest.fixture
def two_notebooks(monkeypatch, tmp_path) -> Path:
    """A book of two notebooks that tools/execute.py is to execute."""
    for name, source in (("one", "print(1)"), ("two", "print(2)")):
        cells = [nbformat.v4.new_code_cell(source)]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    monkeypatch.setattr(execute, "BOOK", tmp_path)
    return tmp_path


def test_a_notebook_that_a_reader_runs_has_pictures_for_who_does_not_trust_it():
    cells = [nbformat.v4.new_code_cell("from gelu_lib.show import style")]
    cells.append(nbformat.v4.new_code_cell("import matplotlib.pyplot as plt\nplt.plot([1, 2]);"))
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", config=execute.ENCRYPTED).execute()
    assert {"image/svg+xml", "image/png"} <= cells[1].outputs[0].data.keys()


YOUR_OWN = nbformat.read(BOOK / "your-own.ipynb", as_version=4)


def rebound(notebook) -> set[str]:
    """The names that a cell takes from earlier ones and a later one assigns anew."""
    found, taken = set(), set()
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        own = set()
        for statement in ast.parse(cell.source).body:
            names = symtable.symtable(ast.unparse(statement), cell.id, "exec")
            taken |= used(names) - defined(names) - own
            own |= defined(names)
        found |= taken & own
        taken -= own
    return found


@pytest.mark.slow
def test_the_first_line_of_your_own_decides_the_type_everywhere():
    notebook = copy.deepcopy(YOUR_OWN)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[1].source.startswith('dtype = "bfloat16"')
    code[1].source = 'dtype = "float16"'
    NotebookClient(notebook, kernel_name="python3", config=execute.ENCRYPTED).execute()
    shown = [cell.outputs for cell in code if UNSEEN not in cell.metadata.get("tags", ())]
    texts = re.sub(r"'image/\S+': '[^']*'", "", str(shown))
    assert "bfloat16" not in texts and "best in float16" in texts


def test_all_are_executed_and_one_that_raises_is_not_stored(two_notebooks, capfd):
    one, two = (two_notebooks / f"{name}.ipynb" for name in ("one", "two"))
    one.write_text(one.read_text("utf-8").replace("print(1)", "1 / 0"), encoding="utf-8")
    before = one.read_bytes()
    with pytest.raises(SystemExit, match="not stored, since a cell raised: one"):
        execute.main([])
    said = capfd.readouterr()
    assert said.err == ""  # of a connection without encryption, for one
    assert "ZeroDivisionError" in said.out
    assert re.search(r"^ [12] of 2  one FAILED$", said.out, re.MULTILINE)
    assert re.search(r"^ [12] of 2  two: \d+ s$", said.out, re.MULTILINE)
    assert one.read_bytes() == before
    notebook = nbformat.read(two, as_version=4)
    assert stored.fault(notebook, "two") == ""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [output.name for output in code[0].outputs] == ["stdout"]


def test_a_stored_drawing_has_each_path_on_one_line():
    drawing = '<svg>\n <g>\n  <path d="M 0 9 \nL 9 0 \nz\n" style="x"/>\n </g>\n</svg>'
    flat = '<svg>\n<g>\n<path d="M 0 9 L 9 0 z" style="x"/>\n</g>\n</svg>'
    data = {"image/svg+xml": drawing, NARROW: drawing, "text/plain": drawing}
    output = nbformat.v4.new_output("display_data", data=data)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=[output])])
    normalise(notebook, "drawn")
    normalise(notebook, "drawn")
    (made,) = notebook.cells[0].outputs
    assert made.data == {"image/svg+xml": flat, NARROW: flat, "text/plain": drawing}


def test_normalising_removes_what_differs_between_runs():
    cell = nbformat.v4.new_code_cell("1")
    cell.id, cell.metadata = "x7f3", {"execution": {"iopub.status.busy": "now"}, "tags": ["a"]}
    metadata = {"language_info": {"name": "python", "version": "9"}, "lang": "ja", "author": "Ann"}
    shown, folded, solved = (
        nbformat.v4.new_code_cell("1", metadata={"tags": [tag]})
        for tag in (UNSEEN, FOLDED, SOLUTION)
    )
    cells = [cell, drawing("plt.plot([1, 2])"), shown, folded, solved]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    normalise(notebook, "one")
    assert [cell.id for cell in notebook.cells] == [f"one-0{n}" for n in range(5)]
    slide = {"slide_type": "subslide"}
    assert notebook.cells[0].metadata == {"tags": ["a"], "slideshow": slide}
    assert notebook.cells[1].outputs[0].data["text/plain"] == "A line (that rises)"
    hidden = [cell.metadata.get("jupyter") for cell in notebook.cells]
    closed = {"source_hidden": True}  # what a page does not show open
    assert hidden == [None, None, closed, closed, closed | {"outputs_hidden": True}]
    assert notebook.metadata.pop("lang") == "ja"  # the language of a text stays
    assert "version" not in json.dumps(notebook.metadata) and "author" not in notebook.metadata


PLACE = "https://github.com/ann/gelu@main"


def test_the_cell_for_colab_stands_once_and_goes_with_the_address():
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        kept = [(cell.cell_type, cell.source) for cell in notebook.cells]
        colab_cell.put(notebook, colab_cell.place())
        assert kept == [(cell.cell_type, cell.source) for cell in notebook.cells], path.stem
    cells = [nbformat.v4.new_markdown_cell("# Sum"), nbformat.v4.new_code_cell("1 + 1")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    for place in ("https://github.com/ben/old@main", PLACE):
        colab_cell.put(notebook, place)
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "code", "code"]
    assert f'book = "git+{PLACE}"' in notebook.cells[1].source
    assert unwieldy_cells(notebook) == wrong_imports(notebook) == []
    assert (
        f'includes("{colab_cell.TAG}")' in RUN_PAGE
    )  # a page that runs in a browser leaves it out
    colab_cell.put(notebook, "")
    assert notebook.cells == cells


@pytest.mark.parametrize("where", ["here", "colab"])
def test_the_cell_installs_the_library_on_colab_and_nothing_elsewhere(monkeypatch, where):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    colab_cell.put(notebook, PLACE)
    shell, lines = InteractiveShell(), []
    shell.register_magic_function(lines.append, magic_name="pip")
    if where == "colab":
        monkeypatch.setitem(sys.modules, "google.colab", sys)
    shell.run_cell(notebook.cells[0].source).raise_error()
    installed = [f'install "gelu_lib[colab] @ git+{PLACE}"']
    assert lines == (installed if where == "colab" else [])


def test_the_last_cell_is_put_there_once_renewed_and_names_the_pythons():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Sum")])
    say_what_it_needs(notebook)
    normalise(notebook, "sum")
    once = copy.deepcopy(notebook)
    notebook.cells.reverse()
    notebook.cells[0].source = "of another version"
    notebook.cells[0].id = "given-by-an-editor"
    say_what_it_needs(notebook)
    normalise(notebook, "sum")
    assert notebook == once
    assert [cell.id for cell in once.cells] == ["sum-00", "sum-needs"]
    assert once.cells[1].source == NEEDS
    *first, last = (".".join(map(str, version)) for version in run.SUPPORTED)
    assert f"Python {', '.join(first)} or {last}" in NEEDS
