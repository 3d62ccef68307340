"""How nbval compares: everything that a cell stores, but for pictures; and code with its outputs.

A picture's bytes depend on the versions of fonts and libraries; the numbers that a figure drew are
tested in ``tests/chapters/test_figures.py``. An edit of the code that nobody executed is found even
where it computes the same: the site would show it beside the outputs of other code.
"""

import pytest
from nbval.plugin import IPyNbFile

from gelu_lib.chapters import stored


class ExecutedAsItStands(pytest.Item):
    """The stored outputs of a notebook are those of its code."""

    def runtest(self):
        fault = stored.fault(self.parent.nb, self.path.stem)
        if fault:
            raise AssertionError(fault)

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}: executed as it stands"


def pytest_collectstart(collector):
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("image/svg+xml", "application/pdf")
        cells = collector.collect  # reads the notebook
        collector.collect = lambda: [
            *cells(),
            ExecutedAsItStands.from_parent(collector, name="executed as it stands"),
        ]
