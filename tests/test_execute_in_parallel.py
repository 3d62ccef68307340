"""The notebooks of a build are executed into a cache that holds nothing older than the build."""

from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from execute_in_parallel import execute
from jupyter_cache import get_cache


@pytest.fixture
def build(tmp_path):
    """A function that executes a page as a build would, and returns its first output."""
    settings = SimpleNamespace(execution_cache_path=str(tmp_path / "cache"), execution_timeout=60)

    def run(name, mode="cache"):
        settings.execution_mode = mode
        path = tmp_path / name
        env = SimpleNamespace(mystnb_config=settings, doc2path=lambda docname: path)
        execute(None, env, [path.stem])
        cache = get_cache(settings.execution_cache_path)
        try:
            if path.suffix != ".ipynb":
                return cache.list_cache_records()
            _, notebook = cache.merge_match_into_notebook(nbformat.read(path, as_version=4))
            return notebook.cells[0].outputs[0]["text"]
        finally:
            cache.db.dispose()

    return run


def write_notebook(path: Path, source: str) -> None:
    cells = [nbformat.v4.new_code_cell(source)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)


def test_a_change_that_the_notebook_does_not_show_is_executed_again(tmp_path, build):
    write_notebook(tmp_path / "page.ipynb", "print(open('value.txt').read())")
    (tmp_path / "value.txt").write_text("before")
    assert build("page.ipynb") == "before\n"
    (tmp_path / "value.txt").write_text("after")
    assert build("page.ipynb") == "after\n"


def test_a_notebook_that_fails_is_not_cached(tmp_path, build):
    write_notebook(tmp_path / "page.ipynb", "1 / 0")
    with pytest.raises(KeyError):
        build("page.ipynb")


def test_a_page_that_is_no_notebook_is_left_alone(tmp_path, build):
    (tmp_path / "page.md").write_text("# Page")
    assert build("page.md") == []


def test_nothing_is_executed_where_the_configuration_says_so(tmp_path, build):
    write_notebook(tmp_path / "page.ipynb", "open('trace.txt', 'w')")
    with pytest.raises(KeyError):
        build("page.ipynb", mode="off")
    assert not (tmp_path / "trace.txt").exists()
