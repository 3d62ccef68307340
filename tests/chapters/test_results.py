"""Results and links as a cell shows them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gelu_lib.register import result, results
from gelu_lib.show.links import linked, worded
from gelu_lib.show.results import (
    at_a_glance,
    box,
    enclosure_text,
    in_rows,
    show_results,
    show_theorem,
)
from gelu_lib.show.tables import Table

SHOWN = [entry for entry in results().values() if entry.status != "historical"]


def parts(shown) -> tuple[str, str, str]:
    """What is seen at once, the line of the mark, and what a click opens."""
    seen, more = shown._repr_markdown_().split("<details>\n<summary>")
    mark, _, more = more.partition("</summary>\n\n")
    assert more.endswith("\n\n</details>")
    return seen, mark, more


def test_a_result_is_its_statement_and_a_mark_with_eight_digits():
    shown = show_results("tanh-pinned-cubic")
    entry = result("tanh-pinned-cubic")
    seen, mark, more = parts(shown)
    assert seen == (
        f'<!-- result {entry.id} --><a id="{entry.id}"></a>\n\n$$\n{entry.statement}\n$$\n\n'
    )
    assert mark == f"≈ 0.044714911 · certified · {entry.id}"
    assert more.startswith(f"**{entry.title}**\n\nValue: `{entry.value}`\n\nEnclosure: `")
    assert repr(shown) == f"{entry.id} (certified): {entry.title} ≈ 0.044714911"


def test_a_statement_that_the_page_has_derived_is_folded():
    symbolic, proof = result("gelu-erf"), result("relu-limit")
    for statement, entry, seen in [
        (None, symbolic, False),
        (True, symbolic, True),
        (None, proof, True),
        (False, proof, False),
    ]:
        at_once, mark, more = parts(show_results(entry.id, statement=statement))
        assert (entry.statement in at_once, entry.statement in more) == (seen, not seen)
        assert (entry.title in mark, entry.title in more) == (not seen, seen)


def test_a_mark_alone_says_what_it_is_of_whatever_status():
    _, mark, more = parts(show_results("phi-at-1", statement=False))
    assert mark == "Φ(1) ≈ 0.84134475 · certified · phi-at-1"
    assert f"Value: `{result('phi-at-1').value}`" in more
    entry = replace(result("phi-at-1"), title="A & S < 1")
    assert "<summary>A &amp; S &lt; 1 ≈ 0.84134475 · certified" in box(entry, statement=False)
    text = box(replace(result("phi-at-1"), withdrawn="It was wrong."), statement=False)
    assert "**Withdrawn:** It was wrong." in text.partition("<details>")[0]
    entry = next(e for e in results().values() if e.status == "historical" and e.of and e.source)
    text = box(entry, statement=False)
    assert f"<summary>{entry.title} = {entry.value} · historical · {entry.id}</summary>" in text
    assert f"For [{result(entry.of).title}](results.md#{entry.of}). Source: [" in text
    assert f"](bibliography.md#{entry.source[0]})" in text


def not_shown(entry, text: str) -> list[str]:
    """What the register says of an entry and a text does not."""
    said = [entry.title, entry.status, entry.statement, entry.assumptions, entry.value]
    said += [*entry.numbers, *entry.numbers.values()]
    ends = filter(None, (entry.enclosure, *entry.enclosures.values()))
    said += ["exactly" if low == high else enclosure_text(low, high) for low, high in ends]
    return [part for part in said if part and part not in text]


def test_all_that_the_register_says_is_shown_with_the_digits_of_its_enclosure():
    for entry in SHOWN:
        text = show_results(entry.id)._repr_markdown_()
        assert not_shown(entry, text) == [], entry.id
        lines = [line for line in text.splitlines() if line.startswith("| ")]
        assert len(lines) == (len(entry.numbers) + 2 if entry.numbers else 0)
    assert not_shown(result("phi-at-1"), show_results("phi-at-2")._repr_markdown_())
    pairs = [pair for e in SHOWN for pair in (e.enclosure, *e.enclosures.values()) if pair]
    assert len(pairs) > 100
    wrong = [pair for pair in pairs if at_a_glance(pair[0]) != at_a_glance(pair[1])]
    assert wrong == []


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("0.044714911227632", ("≈", "0.044714911")),
        ("-0.99999999951", ("≈", "-1.0000000")),
        ("0.123456785", ("≈", "0.12345678")),
        ("1.99930881234e+38", ("≈", "1.9993088e+38")),
        ("12345678", ("=", "12345678")),
        ("11/123", ("=", "11/123")),
    ],
)
def test_eight_digits_are_shown_at_once_and_whether_there_are_more(value, shown):
    assert at_a_glance(value) == shown


def test_several_results_stand_in_their_order_and_those_of_a_chapter_are_links():
    both = show_results("gelu-erf gelu-tangent", "phi-at-1")._repr_markdown_()
    assert [both.index(id) for id in ("gelu-erf", "gelu-tangent", "phi-at-1")] == sorted(
        both.index(id) for id in ("gelu-erf", "gelu-tangent", "phi-at-1")
    )
    folded = show_results("gelu-erf", fold="A title")._repr_markdown_()
    assert folded.startswith("<details>\n<summary>A title</summary>\n\n<!-- result gelu-erf -->")
    assert folded.endswith("\n\n</details>")
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


def test_a_theorem_is_what_its_results_say_and_none_is_typed():
    entry = results()["mills-truncation"]
    text = show_theorem("a name", "alternation-theorem", entry.id)._repr_markdown_()
    assert all(line == ">" or line.startswith("> ") for line in text.split("\n"))
    read = "\n".join(line[2:] for line in text.split("\n"))
    assert read.startswith("**Theorem (a name)**\n\nFor $e(x) = ")
    for one in (results()["alternation-theorem"], entry):
        given, _, more = one.assumptions.partition(". ")
        formula = " ".join(in_rows(one.statement).split())
        assert f"For {given}:\n\n$$ {formula} $$\n" in read
        assert more in read
    with pytest.raises(KeyError, match="no-result"):
        show_theorem("a name", "no-result")
    for path in sorted((Path(__file__).resolve().parents[2] / "book").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                assert not THEOREM.search("".join(cell["source"])), path.name


THEOREM = re.compile(r"\*\*Theorem")
