"""A build refuses a notebook whose code was edited and not executed again."""

from pathlib import Path

import nbformat
import small_site
from execute import normalise

BOOK = Path(__file__).resolve().parents[2] / "book"
INDEX = "# Book\n\n```{toctree}\nsum\n```\n"
EXTENSIONS = {"extensions": ["myst_nb", "notebook_pages"], "nb_execution_mode": "off"}
SENTENCE = (
    "sum.ipynb: WARNING: the code of sum was edited and not executed again; "
    "run: python3 tools/run.py execute sum"
)


def stored() -> str:
    """A notebook as it is stored when it was executed."""
    cell = nbformat.v4.new_code_cell("1 + 1", execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Sum"), cell])
    normalise(notebook, "sum")
    return nbformat.writes(notebook)


def test_an_edited_notebook_is_refused_in_every_build_until_it_is_executed(tmp_path):
    small_site.sound(tmp_path, {"index.md": INDEX, "sum.ipynb": stored()}, **EXTENSIONS)
    edited = stored().replace("1 + 1", "1 + 2")
    files = {"index.md": INDEX, "sum.ipynb": edited}
    for _ in range(2):  # the second build reads no page again
        _, warnings = small_site.build(tmp_path, files, **EXTENSIONS)
        assert SENTENCE in warnings
    small_site.sound(tmp_path, {"sum.ipynb": stored()}, **EXTENSIONS)


def test_the_build_of_the_book_refuses_such_a_notebook():
    assert "      - notebook_pages\n" in (BOOK.parent / "_config.yml").read_text(encoding="utf-8")
