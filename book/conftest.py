"""How nbval compares: everything that a cell stores, but for pictures.

A picture's bytes depend on the versions of fonts and libraries; the numbers that a figure drew are
tested in ``tests/chapters/test_figures.py``.
"""

from nbval.plugin import IPyNbFile


def pytest_collectstart(collector):
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("image/svg+xml", "application/pdf")
