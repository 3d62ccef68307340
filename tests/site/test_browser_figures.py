"""No word of a figure covers another, in any figure that a notebook stores, wide or narrow."""

import pytest
from kinds import slow_but
from reader import chapters, drawings

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


DENSEST = ("criteria", "floating-point", "gelu", "in-a-network")  # most words, in all or in one


@pytest.mark.parametrize("chapter", slow_but(DENSEST.__contains__, chapters()))
def test_no_word_of_a_figure_covers_another(sheet, chapter):
    faults = {i: covered(sheet, drawing) for i, drawing in enumerate(drawings(chapter), 1)}
    assert faults, "no drawing was found"
    assert {i: found for i, found in faults.items() if found} == {}


def test_a_word_that_covers_another_is_found(sheet):
    words = [f'<g id="text_{i}"><text x="{9 * i}" y="20">word</text></g>' for i in range(3)]
    assert covered(sheet, f"<svg>{words[0]}{words[1]}</svg>") == ["text_0 and text_1"]
    assert covered(sheet, f"<svg>{words[0]}</svg>") == []
