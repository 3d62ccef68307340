"""How the notebooks are compared: what their cells store, and the numbers in their text.

nbval executes the cells and compares all that they store, but for pictures. A picture's bytes
depend on the versions of fonts and libraries; the numbers that a figure drew are tested in
``tests/chapters/test_figures.py``. Besides the cells the text is tested: it has the numbers that
the cells have stored, and no others.
"""

import pytest
from nbval.plugin import IPyNbFile

from gelu_lib.chapters import marks


class NumbersInTheText(pytest.Item):
    """The numbers in the text of a notebook are those that its cells computed."""

    def runtest(self):
        faults = marks.faults(self.parent.nb)
        if faults:
            raise AssertionError("\n".join(faults))

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}: numbers in the text"


def pytest_collectstart(collector):
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("image/svg+xml", "application/pdf")
        cells = collector.collect  # reads the notebook
        collector.collect = lambda: [
            *cells(),
            NumbersInTheText.from_parent(collector, name="numbers in the text"),
        ]
