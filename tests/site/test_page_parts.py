"""The parts of a page: regions that scroll, figures of known size, folded parts, files in use."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from page_parts import svg_size
from small_site import BOOK, OWN_THEME, page, sound

DRAWING = '<?xml version="1.0"?>\n<svg xmlns="x" width="360pt" height="180.4pt"><path/></svg>'
PAGES = {
    "index.md": """# Parts

Every part.

| | $k$ | $k$ too |
| --- | --- | --- |
| x | $\\frac12$ | 1 |
| $p_1$ | 1 | $c$ |

| a | b |
| --- | --- |
| 1 | 2 |
| three are not | four words are several |

```python
x = 1
```

![A drawing](drawing.svg)

![Again](drawing.svg)

[$\\tanh u$](other.md) and [the form $k$](other.md)

<details>
<summary>More of it</summary>

Folded.

</details>

On 2024-03-02, **1e-05** of `1e-05`, LAION-2B, 1.5e+10 and 16-bit.

Then x = 0.14, |x| ≈ 2.3., ax ≈ -1e-05, a = b and 1 = 1.702x.
Formulas: $k_1 = 0.14\\dots$ and $k = m$ and $f(k) \\le 1$ and $k^2 + 1 = m + 2$ too.

Marks: ($k$), then $k$. A word $l$ and $m$. 数（$n$），为$n$。

$$ k $$

```{toctree}
other
bare
cells
```
""",
    "other.md": "# Other\n\nText.\n",
    "bare.md": "# Bare\n\nNothing.\n",
}


def cells() -> str:
    """A notebook whose code folds, alone and with what it shows."""
    shown = nbformat.v4.new_output("stream", text="shown")
    folded = [
        nbformat.v4.new_code_cell(f"x = {n}", metadata={"tags": [tag]}, outputs=[shown])
        for n, tag in enumerate(("hide-input", "hide-cell"))
    ]
    head = nbformat.v4.new_markdown_cell("# Cells\n\nBoth fold.")
    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    return nbformat.writes(nbformat.v4.new_notebook(cells=[head, *folded], metadata=metadata))


OWN = ["katex_at_build", "page_head", "page_parts"]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A small site with every part."""
    settings = {
        "extensions": ["sphinx_copybutton", "myst_nb", "plain_markdown", *OWN],
        "html_use_index": False,  # its page is of subject_index
        "html_static_path": [str(BOOK / "_static")],
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
        "myst_update_mathjax": False,
        "nb_execution_mode": "off",
    }
    files = PAGES | {"drawing.svg": DRAWING, "cells.ipynb": cells()}
    return sound(tmp_path_factory.mktemp("parts"), files, **OWN_THEME, **settings)


@pytest.fixture(scope="module")
def parts(site) -> Tag:
    return page(site).find("article")


def test_a_figure_states_its_size_for_the_style_sheet(parts, tmp_path):
    frame = parts.select_one(".figure-frame.scrolls")
    assert frame["style"] == "--width: 480; --height: 241"
    assert frame.img["alt"] == "A drawing"
    for name, size in (("a.svg", (480, 241)), ("a.png", None)):  # of a drawing, in points
        (tmp_path / name).write_text(DRAWING, encoding="utf-8")
        assert svg_size(tmp_path / name) == size


def test_code_folds_alone_or_with_what_it_shows(site):
    alone, whole = page(site, "cells.html").select("details.hide")
    assert [fold.find("summary").find_next_sibling().name for fold in (alone, whole)] == 2 * ["div"]
    assert "shown" not in alone.text and "x = 0" in alone.text
    assert "shown" in whole.text and "x = 1" in whole.text


def test_under_an_empty_corner_the_first_cells_name_the_rows(parts):
    named, plain = parts.select(".table-frame.scrolls > table")
    assert named.select_one("thead th").get_text(strip=True) == "Row"
    assert [cell.name for cell in named.select("tbody tr > *")] == 2 * ["th", "td", "td"]
    assert not plain.select("tbody th")


def test_what_is_kept_on_one_line(parts):
    assert [cell.text for cell in parts.select(".several-words")] == ["four words are several"]
    kept = [kept.text for kept in parts.select("span.unbroken:not(.math)")]
    assert kept[:3] == ["2024-03-02", "1e-05", "1.5e+10"]
    line = next(p.get_text() for p in parts.select("p") if "LAION" in p.get_text())
    assert line == "On 2024-03-02, 1e-05 of 1e-05, LAION-2B, 1.5e+10 and 16-bit."
    kept = [kept.text for kept in parts.select("span.unbroken:not(.math)")]
    assert kept[3:] == ["x = 0.14", "|x| ≈ 2.3.", "≈ -1e-05"]
    formulas = [m.select_one("annotation").text for m in parts.select(".math.unbroken")]
    assert formulas == [r"k_1 = 0.14\dots", r"f(k) \le 1"]


def test_a_formula_that_alone_names_something_has_its_name_in_words(parts):
    assert {m["aria-label"] for m in parts.select("[role=math]")} == {"k", "tanh u", "p₁"}
    assert not parts.select_one("td [role=math]")
    other = parts.select("p > a")[1]
    assert not other.select_one("[role=math]")


def files(soup: BeautifulSoup) -> set[str]:
    """The names of the scripts and style sheets of a page."""
    named = (
        e.get("src") or e.get("href") for e in soup.select("script[src], link[rel=stylesheet]")
    )
    return {Path(address.partition("?")[0]).name for address in named}


def test_a_page_loads_the_button_that_copies_code_and_its_formulas_style(site):
    copying = {"copybutton.js", "clipboard.min.js", "documentation_options.js"}
    assert files(page(site)) == {*copying, "katex.css"}
    assert files(page(site, "bare.html")) == copying


def test_marks_of_punctuation_stay_with_the_formula_that_they_touch(parts):
    kept = [line.get_text() for line in parts.select(".with-marks")]
    ends = [("(", ","), ("k", "."), ("m", "."), ("（", "，"), ("n", "。")]
    assert [(text[0], text[-1]) for text in kept] == ends
    whole = next(p for p in parts.find_all("p") if "Marks" in p.text)
    for formula in whole.select(".katex"):
        formula.string = formula.annotation.text
    assert whole.get_text() == "Marks: (k), then k. A word l and m. 数（n），为n。"
