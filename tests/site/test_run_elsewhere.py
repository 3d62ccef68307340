"""The script that runs the downloads of the site: what it takes from them, and what it hides."""

import re
from pathlib import Path

import nbformat
import pytest
import run_elsewhere
from execute import NEEDS, say_what_it_needs
from nbval.plugin import get_sanitize_patterns

import gelu_lib


def write_notebook(path: Path, last: str | None) -> Path:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(last or "")])
    if last is None:
        say_what_it_needs(notebook)
    nbformat.write(notebook, path)
    return path


def test_what_is_installed_is_what_the_second_cell_says(tmp_path):
    line = run_elsewhere.line_of(write_notebook(tmp_path / "a.ipynb", None))
    library = f"./gelu_lib-{gelu_lib.__version__}-py3-none-any.whl[book]"
    assert line == ["install", library]
    assert f'pip install "{library}"\n' in NEEDS


@pytest.mark.parametrize("last", ["# Sum", "To be read, not `pip install`ed."])
def test_a_notebook_without_the_line_is_refused(tmp_path, last):
    with pytest.raises(SystemExit, match=r"second cell of a\.ipynb does not say"):
        run_elsewhere.line_of(write_notebook(tmp_path / "a.ipynb", last))


def test_the_last_chapter_is_run_first_and_named_ones_in_the_order_given(tmp_path):
    for name in ("01-gelu", "04-taylor", "00-start-here"):
        write_notebook(tmp_path / f"{name}.ipynb", None)

    def chosen(*names):
        return [path.stem for path in run_elsewhere.chosen(tmp_path, list(names))]

    assert chosen() == ["04-taylor", "01-gelu", "00-start-here"]
    assert chosen("gelu", "taylor") == ["01-gelu", "04-taylor"]
    with pytest.raises(SystemExit, match="no notebook tailor; accepted are taylor, gelu, start"):
        chosen("tailor")


@pytest.mark.parametrize(
    ("shown", "in_the_book"),
    [
        ("[a](01-gelu.ipynb), [b](17-x.ipynb#x)", "[a](gelu.ipynb), [b](x.ipynb#x)"),
        ("[a](00-start-here.ipynb)", "[a](index.ipynb)"),
        ("2026-11-05, 01-gelu", "2026-11-05, 01-gelu"),
    ],
)
def test_links_among_notebooks_are_compared_by_their_names_in_the_book(shown, in_the_book):
    for regex, replacement in get_sanitize_patterns(run_elsewhere.NAMES_OF_THE_BOOK):
        shown = re.sub(regex, replacement, shown)
    assert shown == in_the_book
