"""The signatures of the library reference, readable and light.

* A default that is no Python, as ``<factory>``, keeps Sphinx from reading a whole signature. It is
  written as ``...``, which says that there is a default.
* Sphinx puts every word into elements of its own, for styles that this site does not have: half of
  all elements of the reference. They are taken out again.
* A signature of several lines is, for Sphinx, a list without terms, which a page may not have. Its
  lines become plain elements.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

UNREADABLE_DEFAULT = "= <factory>"
SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
WORD = re.compile(r'<span class="(?:pre|w|n|p|o)">([^<]*)</span>')


def with_readable_defaults(
    app: Sphinx, what: str, name: str, object: Any, options: Any, signature: str, returned: str
) -> tuple[str, str]:
    """The signature that autodoc found, with defaults that Sphinx can read."""
    return (signature or "").replace(UNREADABLE_DEFAULT, "= ..."), returned


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Write the signatures of a page anew."""
    if tree is not None:
        context["body"] = SIGNATURE.sub(lambda found: slim(found[0]), context["body"])


def slim(signature: str) -> str:
    """A signature without the elements around its words, and with lines in place of a list."""
    while (slimmer := WORD.sub(r"\1", signature)) != signature:
        signature = slimmer  # elements stand inside elements
    lines = re.sub(r"<(/?)dd>", r"<\1span>", signature)
    return lines.replace("<dl>", '<span class="sig-lines">').replace("</dl>", "</span>")


def setup(app: Sphinx) -> dict[str, Any]:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", with_readable_defaults)
    app.connect("html-page-context", mend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
