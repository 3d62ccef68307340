"""Signatures of the library reference that can be read.

A default that is no Python, as ``<factory>``, keeps Sphinx from reading a whole signature. It is
written as ``...``, which says that there is a default. No package does it.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

UNREADABLE_DEFAULT = "= <factory>"


def with_readable_defaults(
    app: Sphinx, what: str, name: str, object: Any, options: Any, signature: str, returned: str
) -> tuple[str, str]:
    """The signature that autodoc found, with defaults that Sphinx can read."""
    return (signature or "").replace(UNREADABLE_DEFAULT, "= ..."), returned


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-signature", with_readable_defaults)
