"""The signatures of the library reference, readable and light.

* A default that is no Python, as ``<factory>``, keeps Sphinx from reading a whole signature. It is
  written as ``...``, which says that there is a default.
* Sphinx puts every word into elements of its own, for styles that this site does not have: half of
  all elements of the longest page. Here a word is a text.

No package will do: there is none for either.
"""

from __future__ import annotations

from typing import Any

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

UNREADABLE_DEFAULT = "= <factory>"


def with_readable_defaults(
    app: Sphinx, what: str, name: str, object: Any, options: Any, signature: str, returned: str
) -> tuple[str, str]:
    """The signature that autodoc found, with defaults that Sphinx can read."""
    return (signature or "").replace(UNREADABLE_DEFAULT, "= ..."), returned


class PlainWords(SphinxPostTransform):
    """Put the words of a signature in place of the elements around them."""

    default_priority = 900  # when links are resolved
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for element in list(self.document.findall(addnodes.desc_sig_element)):
            element.parent.replace(element, element.children)


def visit_signature(self: HTML5Translator, node: addnodes.desc_signature) -> None:
    self.body.append(self.starttag(node, "dt"))


def depart_signature(self: HTML5Translator, node: addnodes.desc_signature) -> None:
    self.add_permalink_ref(node, "Link to this definition")
    self.body.append("</dt>\n")


def setup(app: Sphinx) -> None:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", with_readable_defaults)
    app.add_post_transform(PlainWords)
    app.add_node(addnodes.desc_signature, override=True, html=(visit_signature, depart_signature))
