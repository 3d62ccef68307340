"""Plain Markdown as the site shows it: numbers, remarks, folds, addresses, links; and notebooks."""

from copy import deepcopy

import nbformat
import pytest
from notebook_pages import as_read
from small_site import build, page

from gelu_lib.register import results
from gelu_lib.show import show_results
from gelu_lib.show.marks import RECORD

EXTENSIONS = ["myst_nb", "plain_markdown", "page_links", "register_pages"]
SETTINGS = {
    "extensions": EXTENSIONS,
    "nb_execution_mode": "off",
    "myst_enable_extensions": ["dollarmath"],
    "nitpicky": True,
}
TEXT = """# A page

A number is <!--=half-->0.500<!--/-->, see [the sum](#equation-sum), [here](#here),
[a term](b.md#term-thing), [a row](b.md#row-of-b) and [a file](_static/a.txt).

<a id="equation-sum"></a>

$$
1 + 1
$$

> **A *bold* remark**
>
> It is said.

> **In one sentence**
>
> This.

> **Bold** words that go on.

<a id="here"></a>Here, and [in a section](b.md#a-section).

<details>
<summary>Solution</summary>

It is *two*.

</details>

<a id="own"></a>

## Own

```{toctree}
b
```
"""
OTHER = """# B

## A section

```{glossary}
thing
  What it is.
```

<span id="row-of-b"></span>A row.
"""


def built(folder, text, other=OTHER):
    files = {"index.md": text, "b.md": other, "_static/a.txt": "text"}
    return build(folder, files, **SETTINGS, html_static_path=["_static"])


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    site, warnings = built(tmp_path_factory.mktemp("plain"), TEXT)
    # the register misses its boxes, which this small site has not
    assert [line for line in warnings.splitlines() if "belongs on" not in line] == []
    return page(site).find(class_="body")


def test_comments_anchors_and_quotations_become_parts_of_a_page(shown):
    assert "A number is 0.500, see" in shown.text and "<!--" not in str(shown)
    assert shown.find(id="equation-sum").select_one(".eqno").text.startswith("(1)")
    assert [(" ".join(e["class"]), e.p.text) for e in shown.select(".admonition")] == [
        ("admonition-a-bold-remark admonition", "A bold remark"),
        ("tip admonition", "In one sentence"),
    ]
    assert shown.find("blockquote").text.strip() == "Bold words that go on."
    assert shown.find(id="here").parent.text.startswith("Here")
    assert len(shown.select("#own")) == 1 and shown.find(id="own").name == "section"


def test_links_lead_to_every_kind_of_address(shown):
    links = {link.text: link["href"] for link in shown.select("p > a.reference")}
    assert links == {
        "the sum": "#equation-sum",
        "here": "#here",
        "a term": "b.html#term-thing",
        "a row": "b.html#row-of-b",
        "a file": "_static/a.txt",
        "in a section": "b.html#a-section",
    }


FAULTY = {
    "[x](b.md#nowhere)": "b has no address #nowhere",
    "[x](#nowhere)": "'myst' cross-reference target not found: 'nowhere'",
    '<a id="x">words</a>': "an anchor that is not closed at once: x",
    "<details>\n<summary>Open</summary>\n\nx": "a <details> without its end: Open",
}


def test_what_leads_nowhere_or_does_not_end_is_a_warning(tmp_path):
    text = "\n\n".join(["# A page", "```{toctree}\nb\n```", *FAULTY])
    _, warnings = built(tmp_path, text)
    assert [warning for warning in FAULTY.values() if warning not in warnings] == []


# ---- Notebooks


def markdown(text):
    return nbformat.v4.new_markdown_cell(text)


def code(source, *outputs, **metadata):
    made = [nbformat.v4.new_output("execute_result", data=data) for data in outputs]
    return nbformat.v4.new_code_cell(source, outputs=made, metadata=metadata)


def read(*cells):
    return [(cell["cell_type"], cell["source"]) for cell in as_read(deepcopy(list(cells)))]


def test_what_stands_for_a_part_of_the_site_gives_way_to_it():
    assert read(markdown("<!-- explorer -->\nA sentence.")) == [("markdown", "```{explorer}\n```")]
    assert read(markdown("<!-- note -->")) == [("markdown", "<!-- note -->")]


@pytest.mark.parametrize(
    "asked", [{"ids": ["erf-odd"]}, {"ids": ["erf-odd"], "fold": "T"}, {"chapter": "gelu"}]
)
def test_results_stand_in_the_text_as_the_cell_stored_them(asked):
    text = show_results(*asked.pop("ids", ()), **asked)._repr_markdown_()
    assert read(code("show_results(...)", {"text/markdown": text})) == [("markdown", text)]
    other = {"text/markdown": "A table"}
    assert read(code("table()", other)) == [("code", "table()")]


BOXES = f"""# Results

{show_results("gelu-erf", "tanh-pinned-cubic", fold="Both & more")._repr_markdown_()}

{show_results(chapter="gelu")._repr_markdown_()}

<!-- result no-result -->

x
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    extensions = [*EXTENSIONS, "page_parts"]
    settings = SETTINGS | {"html_baseurl": "https://example.org/", "extensions": extensions}
    site, warnings = build(tmp_path_factory.mktemp("boxes"), {"index.md": BOXES}, **settings)
    assert "no result no-result, or nothing that folds" in warnings
    return page(site).find(class_="body")


def test_a_box_is_what_was_stored_and_the_menu(stored):
    assert len(stored.select("ul.chapter-results > li")) > 10
    assert "<!-- chapter-results" not in str(stored)
    boxes = stored.select("details details")
    assert [box.parent["id"] for box in boxes] == ["gelu-erf", "tanh-pinned-cubic"]
    assert stored.find("details").find("summary").text == "Both & more"
    folded, seen = (box.parent for box in boxes)
    assert folded["class"][:2] == ["result-box", "status-symbolic"]
    assert folded.find("summary").text == "GELU by the error function symbolic gelu-erf"
    assert folded.select("details .math") and not folded.select(".result-box > .math")
    assert seen.find("summary").text == "≈ 0.044714911 certified tanh-pinned-cubic"
    assert seen.select(".result-box > .math")
    assert seen.select_one(".exact").text == results()["tanh-pinned-cubic"].value
    for box in (folded, seen):
        assert box.select_one(".result-menu a")["href"].endswith(f"results.html#{box['id']}")
        assert box.select_one(".bibtex").text.strip().startswith(f"@misc{{gelubook:{box['id']},")


def test_a_caption_goes_to_its_figure_without_the_word_for_one():
    drawn = code("draw()", {"image/svg+xml": "<svg/>"}, mystnb={"image": {"alt": "A line"}})
    caption = markdown('<a id="fig-line"></a>*Figure.* A line of *two* words.')
    (cell,) = as_read([drawn, caption])
    assert cell["metadata"]["mystnb"] == {
        "image": {"alt": "A line"},
        "figure": {"name": "fig-line", "caption": "A line of *two* words."},
    }
    drawn = code("draw()", {"image/svg+xml": "<svg/>"})
    (cell,) = as_read([drawn, markdown('<a id="fig-line"></a>**图**：一条线。')])
    assert cell["metadata"]["mystnb"]["figure"]["caption"] == "一条线。"


def test_a_folded_cell_that_shows_nothing_joins_the_folded_one_behind_it():
    imports, draw = code("import numpy", tags=["hide-input"]), code("draw()", tags=["hide-input"])
    assert read(imports, draw) == [("code", "import numpy\n\ndraw()")]
    assert len(read(imports, code("draw()"))) == 2
    assert len(read(code("import numpy"), draw)) == 2
    assert len(read(draw, imports)) == 1
    shown = code("draw()", {"image/svg+xml": "<svg/>"}, tags=["hide-input"])
    assert len(read(shown, draw)) == 2
    assert len(read(draw, code("draw()", tags=["hide-input", "explorer-off"]))) == 2


def test_a_folded_cell_takes_along_what_it_prints_and_no_figure():
    printed = nbformat.v4.new_output("stream", name="stdout", text="best: 1\n")
    handed = nbformat.v4.new_output("display_data", {RECORD: "1"})
    drawn = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"})
    for outputs, tag in (([printed, handed], "hide-cell"), ([printed, drawn], "hide-input")):
        cell = code("say(best=1)", tags=["hide-input"])
        cell["outputs"] = outputs
        (cell,) = as_read([cell])
        assert cell["metadata"]["tags"] == [tag]


def test_the_code_of_a_solution_folds_under_a_title_of_its_own():
    (cell,) = as_read([code("1 + 1", tags=["solution"])])
    assert cell["metadata"]["mystnb"]["code_prompt_show"] == "Show the solution in code"


def test_an_open_cell_begins_with_the_folded_imports_that_it_is_the_first_to_use():
    longest = ", ".join(f"name_{i}" for i in range(12))
    folded = code(f"import numpy as np, math\nfrom b import {longest}", tags=["hide-input"])
    made = read(folded, code("math.pi"), code(f"math, np, ({longest})"), code("np"))
    lines = made[2][1].splitlines()
    assert made[1] == ("code", "import math\n\nmath.pi") and made[3] == ("code", "np")
    assert lines[:2] == ["import numpy as np", "from b import ("] and lines[-2] == ""
    assert max(map(len, lines[:-1])) <= 76 and "math" not in "".join(lines[:-1])
