"""No word of a figure covers another, in any figure that a notebook stores, wide or narrow."""

import nbformat
import pytest
from execute import BOOK
from kinds import slow_but

from gelu_lib.show.style import NARROW

pytestmark = pytest.mark.browser

TOUCHING = 1  # pixel: boxes of words may touch
COVERED = f"""() => {{
  const texts = [...document.querySelectorAll("g[id^=text_]")]
    .map(e => ({{id: e.id, box: e.getBoundingClientRect()}})).filter(text => text.box.width);
  const common = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  const covers = (a, b) => common(a, b, "left", "right") > {TOUCHING}
    && common(a, b, "top", "bottom") > {TOUCHING};
  return texts.flatMap((a, i) => texts.slice(i + 1)
    .filter(b => covers(a.box, b.box))
    .map(b => `${{a.id}} and ${{b.id}}`));
}}"""


@pytest.fixture(scope="module")
def sheet(chromium):
    """An empty page."""
    page = chromium.new_page()
    yield page
    page.close()


def covered(sheet, drawing: str) -> list[str]:
    """The pairs of words of a drawing of Matplotlib of which one covers the other."""
    sheet.set_content(drawing[drawing.index("<svg") :])
    return sheet.evaluate(COVERED)


def drawings(path) -> list[str]:
    """The drawings that a notebook stores."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    data = [output.get("data", {}) for output in outputs]
    kinds = ("image/svg+xml", NARROW)
    return [shown[kind] for shown in data for kind in kinds if kind in shown]


NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
DENSEST = ("criteria", "floating-point", "gelu", "in-a-network")  # most words, in all or in one


@pytest.mark.parametrize(
    "path", slow_but(lambda path: path.stem in DENSEST, NOTEBOOKS), ids=lambda path: path.stem
)
def test_no_word_of_a_figure_covers_another(sheet, path):
    faults = {i: covered(sheet, drawing) for i, drawing in enumerate(drawings(path), 1)}
    assert faults, "no drawing was found"
    assert {i: found for i, found in faults.items() if found} == {}


def test_a_word_that_covers_another_is_found(sheet):
    words = [f'<g id="text_{i}"><text x="{9 * i}" y="20">word</text></g>' for i in range(3)]
    assert covered(sheet, f"<svg>{words[0]}{words[1]}</svg>") == ["text_0 and text_1"]
    assert covered(sheet, f"<svg>{words[0]}</svg>") == []
