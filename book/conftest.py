"""How the notebooks are compared: what their cells store, and the numbers in their text.

nbval executes the cells and compares all that they store, but for pictures. A picture's bytes
depend on the versions of fonts and libraries; the numbers that a figure drew are tested in
``tests/chapters/test_figures.py``. Beside the cells of each notebook stands one test more: the text
has the numbers that the cells have stored, and no others.
"""

import json

import pytest
from nbval.plugin import IPyNbFile

from gelu_lib.chapters import marks


def pytest_collectstart(collector):
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("image/svg+xml", "application/pdf")


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb" and parent.config.option.nbval:
        return Text.from_parent(parent, path=file_path)


class Text(pytest.File):
    """The text of a notebook."""

    def collect(self):
        yield Numbers.from_parent(self, name="numbers in the text")


class WrongNumbersError(Exception):
    """A number in a text is not what the cells computed, or nobody knows where it comes from."""


class Numbers(pytest.Item):
    """The test of its numbers."""

    def runtest(self):
        faults = marks.faults(json.loads(self.path.read_text(encoding="utf-8")))
        if faults:
            raise WrongNumbersError("\n".join(faults))

    def repr_failure(self, excinfo):
        if excinfo.errisinstance(WrongNumbersError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"{self.path.name}: {self.name}"
