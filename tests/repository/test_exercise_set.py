"""The notebooks without their solutions: what goes, what waits in its place, and that they run."""

import symtable
from pathlib import Path

import execute
import make_exercises
import nbformat
import pytest
from cell_names import defined, used
from exercise_set import SOLUTION, without_solutions
from nbclient import NotebookClient

from gelu_lib.show import stored

BOOK = Path(__file__).resolve().parents[2] / "book"
NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
TAGGED = {"tags": [SOLUTION]}


def of_solutions(cell) -> bool:
    return SOLUTION in cell.metadata.get("tags", ())


def lacking(notebook) -> list[str]:
    """The names that a cell uses, and that no cell before it makes but one of a solution."""
    there, gone, found = set(), set(), []
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        source = "\n".join(line for line in cell.source.splitlines() if line.strip()[:1] != "%")
        names = symtable.symtable(source, str(cell.get("id")), "exec")
        if of_solutions(cell):
            gone |= defined(names)
        else:
            found += sorted(used(names) & (gone - there))
            there |= defined(names)
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_cell_needs_a_name_of_a_solution(path):
    assert lacking(nbformat.read(path, as_version=4)) == []


def test_a_cell_that_needs_a_name_of_a_solution_is_found():
    solved = [code("a = b = 1"), code("b, c = 2, 3\n(a, b, c)", metadata=TAGGED)]
    for source, found in {"a + b": [], "a + c": ["c"], "def f():\n    return c": ["c"]}.items():
        assert lacking(nbformat.v4.new_notebook(cells=[*solved, code(source)])) == found


def test_the_words_go_and_an_empty_cell_waits_for_code():
    words = "<details>\n<summary>Solution</summary>\n\nSo.\n\n</details>"
    cells = [
        markdown("# Title"),
        code("1 + 1", metadata={"tags": ["hide-input"]}),
        markdown("**Exercise 1** (paper, ★). Why?"),
        markdown(words, metadata=TAGGED),
        code("print(1)", metadata=TAGGED),
        markdown("**Exercise 2** (code, ★★). How?"),
        markdown(words, metadata=TAGGED),
        code("print(2)", id="answer", metadata=TAGGED),
        markdown("The end."),
    ]
    metadata = {"lang": "en", stored.KEY: "digest"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    made = nbformat.reads(without_solutions("a.ipynb", nbformat.writes(notebook)), as_version=4)
    assert made.metadata == {"lang": "en"}
    assert made.cells == [*cells[:3], cells[5], code("", id="answer"), cells[8]]


def test_the_folder_for_a_class_is_whole_and_in_order(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(make_exercises, "FOLDER", tmp_path / "exercises")
    make_exercises.main()
    zipped = Path(capsys.readouterr().out.strip())
    folder = zipped.with_suffix("")
    notebooks = sorted(folder.glob("*.ipynb"))
    assert [path.name for path in notebooks][:2] == ["00-start-here.ipynb", "01-gelu.ipynb"]
    assert len(notebooks) == len(NOTEBOOKS) and zipped.stat().st_size < 9_000_000
    for path in notebooks:
        cells = nbformat.read(path, as_version=4).cells
        assert not any(map(of_solutions, cells))
        assert not any("<summary>Solution" in cell.source for cell in cells)
    teach = (folder / "teach.md").read_text(encoding="utf-8")
    assert "Prove by interval arithmetic" in teach and "cosh" not in teach
    assert "the place of the trough as the answer" not in teach  # of the marking scheme
    assert "(_static/chapters.svg)" in teach and (folder / "_static" / "chapters.svg").exists()
    (certificates,) = (path.name for path in notebooks if path.stem.endswith("-certificates"))
    assert f"({certificates})" in (folder / "README.md").read_text(encoding="utf-8")
    assert list(folder.glob("gelu_lib-*.whl")) and (folder / "results.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize("chapter", ["gelu", "certificates"])
def test_a_notebook_without_solutions_runs(chapter):
    name = f"{chapter}.ipynb"
    text = without_solutions(name, (BOOK / name).read_text(encoding="utf-8"))
    notebook = nbformat.reads(text, as_version=4)
    NotebookClient(notebook, kernel_name="python3", config=execute.ENCRYPTED).execute()
