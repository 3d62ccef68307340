"""Signatures of the library reference: defaults that can be read, few elements, no false lists."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from signatures import slim
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

BOOK = Path(__file__).resolve().parent.parent / "book"
MODULE = '''"""Objects."""
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Made:
    """Made of two."""

    first: int
    second: Mapping[str, int] = field(default_factory=dict)


def called(first: int = 1, *, kind: type = float) -> int:
    """Calls."""


CONSTANT = 1  #: No signature.
'''


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> dict[str, Tag]:
    """The signatures of a small module, by name."""
    folder, warnings = tmp_path_factory.mktemp("signatures"), StringIO()
    (folder / "objects_of_the_test.py").write_text(MODULE, encoding="utf-8")
    text = "Names\n=====\n\nAll.\n\n.. automodule:: objects_of_the_test\n   :members:\n"
    (folder / "index.rst").write_text(text, encoding="utf-8")
    settings = {
        "extensions": ["katex_at_build", "page_head", "signatures"],
        "html_theme": "_theme",
        "html_theme_path": [str(BOOK)],
        "html_use_index": False,
        "html_domain_indices": False,
        "autodoc_typehints_format": "short",
        "autodoc_preserve_defaults": True,
        "python_maximum_signature_line_length": 30,
    }
    site = folder / "site"
    with pytest.MonkeyPatch.context() as patch, docutils_namespace():
        patch.syspath_prepend(folder)
        Sphinx(
            folder, None, site, folder / "trees", "html", settings, status=None, warning=warnings
        ).build()
    assert warnings.getvalue() == ""
    soup = BeautifulSoup((site / "index.html").read_text(encoding="utf-8"), "html.parser")
    return {part["id"].rpartition(".")[2]: part for part in soup.select("dt.sig[id]")}


def said(signature: Tag) -> str:
    return " ".join(signature.get_text().removesuffix("¶\n").split())


def test_a_default_that_is_no_python_does_not_spoil_a_signature(reference):
    made = said(reference["Made"])
    assert "second: Mapping[str, int] = ..." in made
    assert "factory" not in made and "~" not in made


def test_a_default_stands_as_it_is_written(reference):
    assert "kind: type = float" in said(reference["called"])


def test_no_element_stands_around_a_word(reference):
    for signature in reference.values():
        assert not signature.select(".pre, .w, .n:not(:has(a)), .p, .o")
    assert reference["called"].select_one(".sig-name").text == "called"


def test_a_signature_of_several_lines_is_no_list(reference):
    signature = reference["Made"]
    assert not signature.select("dl, dd")
    assert [len(s.select(".sig-param")) for s in signature.select(".sig-lines > span")] == [1, 1]


def test_only_words_and_lists_are_changed():
    assert slim("<dl><dd><em>x</em>,</dd></dl>") == (
        '<span class="sig-lines"><span><em>x</em>,</span></span>'
    )
    assert slim('<span class="n"><span class="pre">x</span></span><a href="#">y</a>') == (
        'x<a href="#">y</a>'
    )
