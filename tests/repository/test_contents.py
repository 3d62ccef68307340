"""book/README.md is what tools/write_contents.py makes of _toc.yml and the pages."""

import re

import pytest
from write_contents import README, ROOT, contents

TOC = (ROOT / "_toc.yml").read_text(encoding="utf-8")


def test_the_stored_text_is_that_of_the_table_of_contents():
    written = README.read_text(encoding="utf-8")
    assert written == contents(TOC), "run: .venv/bin/python tools/write_contents.py"


def test_it_names_every_page_once():
    linked = re.findall(r"\]\(([\w-]+\.(?:ipynb|md))\)", README.read_text(encoding="utf-8"))
    pages = {path.name for end in ("ipynb", "md") for path in README.parent.glob(f"*.{end}")}
    assert len(linked) == len(set(linked))
    assert set(linked) == pages - {README.name}


@pytest.mark.parametrize(
    "edit",
    [
        lambda toc: toc.replace("# what an unexplained number", "# which unexplained number"),
        lambda toc: toc.replace("caption: Machines", "caption: Computers"),
        lambda toc: (
            toc.replace("book/forms ", "book/x ")
            .replace("book/taylor ", "book/forms ")
            .replace("book/x ", "book/taylor ")
        ),
    ],
)
def test_another_line_part_or_order_is_another_text(edit):
    assert edit(TOC) != TOC
    assert contents(edit(TOC)) != README.read_text(encoding="utf-8")


def test_a_notebook_of_which_nothing_is_said_is_refused():
    with pytest.raises(ValueError, match="says nothing of book/gelu; write a comment"):
        contents(re.sub(r"(book/gelu) #.*", r"\1", TOC))
