"""Results and glossary, stored as plain Markdown, and what the site makes of them."""

import re

import pytest
from plain_pages import LIST, directive, glossary
from site_checks import parsed
from small_site import page, sound
from write_results import RESULTS, derived, written

from gelu_lib.register import results

STORED = RESULTS.read_text(encoding="utf-8")
GLOSSARY = RESULTS.with_name("glossary.md").read_text(encoding="utf-8")
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
TERMS = """
<a id="term-one"></a><a id="term-L1"></a>**one**, **L1**

The *first*,
of **two**.

<a id="term-two"></a>**two**

See [one](#term-one).

"""


def test_the_stored_results_are_those_of_the_register_each_once():
    assert written(STORED) == STORED, "run: .venv/bin/python tools/write_results.py"
    line = next(line for line in STORED.splitlines() if "tanh-pinned-cubic" in line)
    for other in (line.replace("certified", "numeric"), f"{line}\n\n{line}", ""):
        assert other != line
        assert written(STORED.replace(line, other)) == STORED
    assert sorted(ANCHOR.findall(STORED)) == sorted(results())
    for entry in results().values():
        assert entry.statement in STORED


def test_an_entry_and_a_term_say_what_there_is_to_say():
    entry = results()["phi-at-1"]
    assert derived(entry) == (
        '<a id="phi-at-1"></a>**[Φ(1)](gelu.ipynb#phi-at-1)** ≈ `0.84134475`'
        " · *certified* · `phi-at-1`\n\n$$\n\\Phi(1)\n$$"
    )
    assert glossary(TERMS) == (
        "one\nL1\n\n  The *first*,\n  of **two**.\n\ntwo\n\n  See [one](#term-one).\n"
    )


def test_a_list_gives_way_to_its_directive():
    text = "A\n\n<!-- result-list -->\n<!-- Written. -->\n\nB\n\n<!-- /result-list -->\n"
    text += "\n<!-- note -->\n"
    assert LIST.sub(directive, text) == "A\n\n```{result-list}\n```\n\n<!-- note -->\n"
    text = "<!-- include ../A.md -->\n\nIt is [A](../A.md).\n\n<!-- /include -->\n"
    assert LIST.sub(directive, text) == "```{include} ../A.md\n```\n"
    assert LIST.findall("<!-- a -->\n\nB\n\n<!-- /b -->\n") == []
    assert LIST.findall("<!-- printed-numbers -->\n\nB\n\n<!-- /printed-numbers -->\n") == []


def test_what_is_for_the_site_alone_is_a_comment(tmp_path):
    text = "# A\n\n<!-- note\nThere is *one*.\n-->\n\n<!-- two -->\n"
    extensions = ["myst_nb", "plain_pages"]
    enabled = ["colon_fence"]
    site = sound(
        tmp_path, {"index.md": text}, extensions=extensions, myst_enable_extensions=enabled
    )
    assert page(site).select_one(".admonition.note em").text == "one"


def test_the_page_has_the_addresses_of_the_text(tmp_path):
    text = f"# Glossary\n\n<!-- glossary -->\n{TERMS}<!-- /glossary -->\n"
    extensions = ["myst_nb", "plain_pages", "plain_markdown", "page_links"]
    shown = page(sound(tmp_path, {"index.md": text}, extensions=extensions))
    assert [term.text.strip("¶") for term in shown.select("dl.glossary dt")] == ["one", "L1", "two"]
    assert [id for id in ANCHOR.findall(TERMS) if not shown.find("dt", id=id)] == []
    assert shown.find("dd").find_next("a", href="#term-one").text == "one"


@pytest.mark.parametrize("text", [STORED, GLOSSARY], ids=["results", "glossary"])
def test_the_site_has_the_addresses_of_the_text(site, text):
    title = text.partition("\n")[0].removeprefix("# ")
    shown = parsed((site / f"book/{title.lower()}.html").read_text(encoding="utf-8"))
    assert [id for id in ANCHOR.findall(text) if not shown.find(id=id)] == []
