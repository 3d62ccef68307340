"""book/README.md is what tools/write_contents.py makes of _toc.yml and the pages."""

import re

import pytest
from write_contents import README, ROOT, contents

TOC = (ROOT / "_toc.yml").read_text(encoding="utf-8")


def test_the_stored_text_is_that_of_the_table_of_contents_with_every_page_once():
    written = README.read_text(encoding="utf-8")
    assert written == contents(TOC), "run: .venv/bin/python tools/write_contents.py"
    for there, instead in (("# what an unexplained", "# which unexplained"), (": Machines", ": M")):
        assert there in TOC
        assert contents(TOC.replace(there, instead)) != README.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="says nothing of book/gelu; write a comment"):
        contents(re.sub(r"(book/gelu) #.*", r"\1", TOC))
    linked = re.findall(r"\]\(([\w-]+\.(?:ipynb|md))\)", README.read_text(encoding="utf-8"))
    pages = {path.name for end in ("ipynb", "md") for path in README.parent.glob(f"*.{end}")}
    assert len(linked) == len(set(linked))
    assert set(linked) == pages - {README.name}
