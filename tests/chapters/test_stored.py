"""A notebook whose outputs are not those of its code is told from one whose outputs are."""

import nbformat
import pytest

from gelu_lib.show.stored import KEY, digest, fault


def executed():
    """A notebook as it is stored after its execution."""
    cells = [nbformat.v4.new_markdown_cell("# Sum"), nbformat.v4.new_code_cell("a = 1\na + 1")]
    cells += [nbformat.v4.new_code_cell("a")]
    for count, cell in enumerate(cells[1:], 1):
        cell.execution_count = count
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata[KEY] = digest(notebook)
    return notebook


def edited_code(notebook):
    notebook.cells[1].source = "a = 1\na + 2"


def added_cell(notebook):
    notebook.cells.append(nbformat.v4.new_code_cell("a", execution_count=3))


def no_digest(notebook):
    del notebook.metadata[KEY]


def cleared_outputs(notebook):
    for cell in notebook.cells[1:]:
        cell.execution_count = None


def one_cell_run_again(notebook):
    notebook.cells[1].execution_count = 3


@pytest.mark.parametrize("edit", [edited_code, added_cell, no_digest])
def test_code_that_was_not_executed_is_found_and_the_command_is_named(edit):
    notebook = executed()
    edit(notebook)
    assert fault(notebook, "sum") == (
        "the code of sum was edited and not executed again; run: python3 tools/run.py execute sum"
    )


@pytest.mark.parametrize("edit", [cleared_outputs, one_cell_run_again])
def test_outputs_that_are_not_of_one_run_are_found(edit):
    notebook = executed()
    edit(notebook)
    assert fault(notebook, "sum").startswith("the outputs of sum are not those of one run")


def test_prose_may_change():
    notebook = executed()
    assert fault(notebook, "sum") == ""
    notebook.cells[0].source = "# A sum"
    notebook.cells.append(nbformat.v4.new_markdown_cell("The end."))
    assert fault(notebook, "sum") == ""
