"""How the notebooks are compared: what their cells store, their code and the numbers in their text.

nbval executes the cells and compares all that they store, but for pictures. A picture's bytes
depend on the versions of fonts and libraries; the numbers that a figure drew are tested in
``tests/chapters/test_figures.py``. Its plain text is stored as the words of its cell that describe
it, where Matplotlib has its size. Besides the cells two things are tested. The outputs are those
of the code that stands there: an edit that nobody executed is found even where it computes the
same, because the site would show it beside the outputs of other code. And the text has the numbers
that the cells have stored, and no others.
"""

import re
import tomllib
from pathlib import Path

import pytest
from nbval.plugin import IPyNbFile

from gelu_lib.show import marks, stored
from gelu_lib.show.style import NARROW

TYPED = tomllib.loads((Path(__file__).parent / "typed-numerals.toml").read_text("utf-8"))
"""The phrases of each notebook with numerals that people typed."""

AT_NIGHT = {"cheapest", "criteria", "does-it-matter", "forms-rivals", "in-a-network"}
"""Whose cells take longest: tests of the chapters run them anyway, or those of kin."""


class Whole(pytest.Item):
    """What is asked of a notebook as a whole; ``faults`` answers with sentences."""

    def __init__(self, *, faults, **named):
        super().__init__(**named)
        self.faults = faults

    def runtest(self):
        if found := self.faults(self.parent.nb):
            raise AssertionError("\n".join(found))

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}: {self.name}"


def pytest_collectstart(collector):
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("image/svg+xml", NARROW, "image/png", "application/pdf")
        cells = collector.collect
        collector.collect = lambda: collected(collector, cells)


def collected(collector, cells):
    for cell in cells():  # reads the notebook
        if collector.path.stem in AT_NIGHT:
            cell.add_marker("slow")
        yield cell
    described = (cell["metadata"].get("mystnb", {}) for cell in collector.nb.cells)
    words = [re.escape(shown["image"]["alt"]) for shown in described if "image" in shown]
    same = dict.fromkeys([r"<Figure size .*>", *words], "a picture")
    collector.sanitize_patterns.update(same)
    yield from wholes(collector)


def wholes(collector):
    def stale(notebook):
        return list(filter(None, [stored.fault(notebook, collector.path.stem)]))

    def wrong(notebook):
        name = re.sub(r"^\d\d-", "", collector.path.stem)  # as the archive has it
        return marks.faults(notebook, TYPED.get(name, ()))

    asked = {"executed as it stands": stale, "numbers in the text": wrong}
    return [
        Whole.from_parent(collector, name=name, faults=faults) for name, faults in asked.items()
    ]
