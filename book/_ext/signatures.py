"""The signatures of the library reference: a default that is no Python is written as ``...``.

No package does it: ``<factory>``, which Python itself gives for a default that a dataclass makes,
keeps Sphinx from reading the whole signature.
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


def setup(app: Sphinx) -> dict[str, Any]:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", with_readable_defaults)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
