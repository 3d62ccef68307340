"""Each chapter is a lesson: what one should know, three goals, exercises of two kinds."""

import ast
import re

import matplotlib.pyplot as plt
import nbformat
import pytest
from execute import ENCRYPTED, SOLUTION
from kinds import slow_but
from nbclient import NotebookClient
from notebook_pages import STANDS_FOR
from reader import BOOK, Session, chapters, prose
from write_teach import STORY, chapter

from gelu_lib.show import sliders

NO_LESSON = {"index", "explorer", "magic-numbers", "claims", "zh", "ja"}
"""The chapters without goals: what one looks up, tries or reads first."""

EXERCISE = re.compile(r"^(?:<a id=[^>]*></a>)*\*\*Exercise (\d+)\*\*(.*)", re.MULTILINE)
FORM = re.compile(r" \((paper|code), ★{1,3}\)\. \S.*")
WORDS = re.compile(
    r"<details>\n<summary>Solution(?: \d+)?</summary>\n\n.*\n\n</details>", re.DOTALL
)
PARAMETERS = "parameters"  # the tag behind whose cell papermill puts its own
NO_SLIDER = {"own-gpu", "number-search"}  # parts of the site that are no figures to move
WITH_SLIDER = sorted(
    {*STORY, "index", "explorer", "criteria", "cheapest", "does-it-matter"} - {"which-one"}
)


def read(name: str) -> nbformat.NotebookNode:
    return nbformat.read(BOOK / f"{name}.ipynb", as_version=4)


def tagged(cell: nbformat.NotebookNode, tag: str) -> bool:
    return tag in cell.metadata.get("tags", ())


def exercise_faults(text: str, code: int, paper: int) -> list[str]:
    """What is wrong with the exercises of a text, which needs so many of each kind at least."""
    found = EXERCISE.findall(text)
    faults = [f"Exercise {number}{rest[:20]}" for number, rest in found if not FORM.match(rest)]
    if [int(number) for number, _ in found] != list(range(1, len(found) + 1)):
        faults.append("numbers")
    kinds = [form[1] for _, rest in found if (form := FORM.match(rest))]
    short = {"code": code, "paper": paper}
    return faults + [kind for kind, least in short.items() if kinds.count(kind) < least]


def solution_faults(notebook: nbformat.NotebookNode) -> list[str]:
    """The cells that have words of a solution and others, or are no solution and say so."""
    cells, faults = notebook.cells, []
    for before, cell in zip([None, *cells], cells, strict=False):
        if cell.cell_type == "markdown":
            if tagged(cell, SOLUTION) != ("<summary>Solution" in cell.source) or (
                tagged(cell, SOLUTION) and not WORDS.fullmatch(cell.source.strip())
            ):
                faults.append(cell.source[:40])
        elif tagged(cell, SOLUTION) and not (before and tagged(before, SOLUTION)):
            faults.append(cell.source[:40])
    return faults


@pytest.mark.parametrize("name", sorted({*chapters()} - NO_LESSON))
def test_a_chapter_says_what_one_should_know_and_three_goals(name):
    one = chapter(name, read(name))
    assert one.needs and len(one.goals) == 3


@pytest.mark.parametrize("name", chapters())
def test_exercises_have_a_kind_a_level_and_a_solution_of_their_own(name):
    lesson = name not in NO_LESSON
    least = 3 if name in STORY else int(lesson)
    text = prose(name)
    assert exercise_faults(text, code=least, paper=int(lesson)) == []
    assert solution_faults(read(name)) == []
    solved = sum(tagged(c, SOLUTION) for c in read(name).cells if c.cell_type == "markdown")
    assert solved == len(EXERCISE.findall(text))


def test_a_faulty_exercise_is_found():
    good = "**Exercise 1** (paper, ★). Why?\n\n**Exercise 2** (code, ★★★). How?"
    assert exercise_faults(good, code=1, paper=1) == []
    assert exercise_faults(good, code=2, paper=1) == ["code"]
    for there, instead, fault in [
        ("(paper, ★)", "(paper)", "Exercise 1 (paper)"),
        ("(paper, ★)", "(pen, ★)", "Exercise 1 (pen"),
        ("**Exercise 1**", "**Exercise 1.**", "numbers"),
        ("Exercise 2", "Exercise 3", "numbers"),
        ("(code", "(paper", "code"),
    ]:
        faults = exercise_faults(good.replace(there, instead), code=1, paper=1)
        assert any(one.startswith(fault) for one in faults), (instead, faults)


def test_a_solution_that_cannot_be_left_out_is_found():
    words = "<details>\n<summary>Solution</summary>\n\nSo.\n\n</details>"
    text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    tag = {"metadata": {"tags": [SOLUTION]}}
    cells = [text("Why?"), text(words, **tag), code("1", **tag)]
    assert solution_faults(nbformat.v4.new_notebook(cells=cells)) == []
    for wrong in (
        [text(words), code("1")],
        [text(f"Why?\n\n{words}", **tag)],
        [text("Why?", **tag)],
        [text("Why?"), code("1", **tag)],
    ):
        assert len(solution_faults(nbformat.v4.new_notebook(cells=wrong))) == 1


@pytest.mark.parametrize("name", sorted({*chapters()} - {"zh", "ja"}))
def test_where_the_site_has_a_live_figure_lab_has_a_slider(name):
    cells = read(name).cells
    live = [found[1] for cell in cells if (found := STANDS_FOR.match(cell.source))]
    moved = [cell for cell in cells if re.search(r"^slider\(", cell.source, re.MULTILINE)]
    assert len(moved) == len([part for part in live if part not in NO_SLIDER])
    assert all(tagged(cell, "remove-cell") for cell in moved)
    assert bool(moved) == (name in WITH_SLIDER)


@pytest.mark.parametrize("name", slow_but("index".__eq__, WITH_SLIDER))
def test_a_slider_draws_at_its_start_and_ends_when_all_cells_have_run(name, monkeypatch):
    moved = []
    monkeypatch.setattr(sliders, "slider", lambda draw, **ranges: moved.append((draw, ranges)))
    Session(name, {})
    ((draw, ranges),) = moved
    for values in ({}, *({key: end} for key, (*ends, _) in ranges.items() for end in ends)):
        draw(**values)
        (figure,) = map(plt.figure, plt.get_fignums())
        assert any(axes.lines for axes in figure.axes)
        plt.close(figure)


# ---------------------------------------------------------------------------- parameters

INJECTED = {
    "index": {"number": 0.0443},
    "cheapest": {"degree": 6},
    "your-own": {"dtype": "float16"},
}
"""What papermill might put behind the tagged cell of a chapter."""


def parameters(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if tagged(cell, PARAMETERS)]


@pytest.mark.parametrize("name", chapters())
def test_a_cell_of_parameters_has_nothing_but_plain_assignments(name):
    cells = parameters(read(name))
    assert len(cells) == (name in INJECTED)
    names = set()
    for line in (line for cell in cells for line in ast.parse(cell.source).body):
        assert isinstance(line, ast.Assign)
        ast.literal_eval(line.value)
        names |= {node.id for node in ast.walk(line) if isinstance(node, ast.Name)}
    assert names >= set(INJECTED.get(name, ()))


@pytest.mark.slow
@pytest.mark.parametrize("name", INJECTED)
def test_a_chapter_runs_with_other_parameters(name):
    notebook = read(name)
    (cell,) = parameters(notebook)
    lines = [f"{key} = {value!r}" for key, value in INJECTED[name].items()]
    place = notebook.cells.index(cell) + 1
    notebook.cells.insert(place, nbformat.v4.new_code_cell("\n".join(lines)))
    stored = [output for one in notebook.cells for output in one.get("outputs", ())]
    NotebookClient(notebook, kernel_name="python3", config=ENCRYPTED).execute()
    assert stored != [output for one in notebook.cells for output in one.get("outputs", ())]
