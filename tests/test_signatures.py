"""Signatures of the library reference: defaults that can be read, and few elements."""

from __future__ import annotations

import pytest
from bs4 import Tag
from small_site import OWN_THEME, page, sound

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
    folder = tmp_path_factory.mktemp("signatures")
    text = "Names\n=====\n\nAll.\n\n.. automodule:: objects_of_the_test\n   :members:\n"
    files = {"objects_of_the_test.py": MODULE, "index.rst": text}
    settings = {
        "extensions": ["katex_at_build", "page_head", "signatures"],
        "html_use_index": False,
        "html_domain_indices": False,
        "autodoc_typehints_format": "short",
        "autodoc_preserve_defaults": True,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder / "source")
        soup = page(sound(folder, files, **OWN_THEME, **settings))
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
        assert not signature.select(".pre, .w, .n, .p, .o")
    assert reference["called"].select_one(".sig-name").text == "called"
