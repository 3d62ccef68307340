"""Results and links as a cell shows them."""

import pytest

from gelu_lib.chapters.links import linked, worded
from gelu_lib.chapters.results import in_rows, show_results
from gelu_lib.chapters.tables import Table
from gelu_lib.register import result, results

SHOWN = [entry for entry in results().values() if entry.status != "historical"]


def test_a_result_is_shown_with_its_statement_digits_and_status():
    shown = show_results("tanh-pinned-cubic")
    text = shown._repr_markdown_()
    entry = result("tanh-pinned-cubic")
    assert text.startswith('<!-- result tanh-pinned-cubic -->\n\n<a id="tanh-pinned-cubic"></a>**')
    assert f"$$\n{entry.statement}\n$$" in text
    assert "`0.0447149112276324949562981868505…`" in text
    assert "(results.md#tanh-pinned-cubic)" in text and entry.status in text
    assert repr(shown).startswith("tanh-pinned-cubic (certified): ")


@pytest.mark.parametrize("entry", SHOWN, ids=lambda entry: entry.id)
def test_of_every_result_all_that_the_register_says_is_shown(entry):
    text = show_results(entry.id)._repr_markdown_()
    said = [entry.title, entry.status, entry.statement, entry.assumptions, *entry.numbers]
    assert [part for part in said if part and part not in text] == []
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(lines) == (len(entry.numbers) + 2 if entry.numbers else 0)


def test_several_results_stand_in_their_order_folded_or_not():
    both = show_results("gelu-erf gelu-tangent", "phi-at-1")._repr_markdown_()
    assert [both.index(id) for id in ("gelu-erf", "gelu-tangent", "phi-at-1")] == sorted(
        both.index(id) for id in ("gelu-erf", "gelu-tangent", "phi-at-1")
    )
    folded = show_results("gelu-erf", fold="A title")._repr_markdown_()
    assert folded.startswith("<details>\n<summary>A title</summary>\n\n<!-- result gelu-erf -->")
    assert folded.endswith("\n\n</details>")


def test_the_results_of_a_chapter_are_listed_with_links():
    text = show_results(chapter="gelu")._repr_markdown_()
    assert text.startswith("<!-- chapter-results -->\n\n- [")
    assert text.count("](results.md#") == sum(entry.page == "gelu" for entry in SHOWN)


@pytest.mark.parametrize(
    "asked", [{"ids": ()}, {"ids": ("gelu-erf",), "chapter": "gelu"}, {"chapter": "no-chapter"}]
)
def test_what_names_no_result_is_refused(asked):
    with pytest.raises(ValueError, match=r"ids are|no result belongs"):
        show_results(*asked.pop("ids", ()), **asked)
    with pytest.raises(KeyError, match="no-result"):
        show_results("no-result")


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("x", "x"),
        (r"x \\ y", r"\begin{aligned}x \\ y\end{aligned}"),
        (r"\begin{aligned}x \\ y\end{aligned}", r"\begin{aligned}x \\ y\end{aligned}"),
    ],
)
def test_rows_of_a_formula_stand_in_an_environment(tex, shown):
    assert in_rows(tex) == shown


@pytest.mark.parametrize(
    ("text", "links", "words"),
    [
        ("a {literal}`page-cubic`", "a [0.044715](results.md#page-cubic)", "a 0.044715"),
        ("{result}`phi-at-1`", "[Φ(1)](results.md#phi-at-1)", "Φ(1)"),
        ("{result}`it <phi-at-1>`", "[it](results.md#phi-at-1)", "it"),
        (
            "{cite}`page1977,tocher1963`",
            "([Page 1977](bibliography.md#page1977), [Tocher 1963](bibliography.md#tocher1963))",
            "(Page 1977, Tocher 1963)",
        ),
    ],
)
def test_what_a_text_names_becomes_links(text, links, words):
    assert linked(text) == links
    assert worded(text) == words
    table = Table(["a"], [[text]])
    assert links in table._repr_markdown_() and words in repr(table)


def test_a_result_that_was_not_printed_is_no_literal():
    with pytest.raises(ValueError, match="phi-at-1 is certified"):
        linked("{literal}`phi-at-1`")
    with pytest.raises(KeyError):
        linked("{cite}`nobody`")
