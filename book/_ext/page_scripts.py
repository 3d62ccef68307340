"""Parts of a page that scripts bring to life: their HTML, and their data as a script.

A page that is opened from a file may fetch nothing, so that no package that fetches JSON will do.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def directive(markup: Callable[[], str]) -> type[SphinxDirective]:
    """A directive without arguments that puts HTML into its page."""

    class Part(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return [nodes.raw("", markup(), format="html")]

    return Part


def write_data(app: Sphinx, script: str, variable: str, data: Any, before: str = "") -> None:
    """Put a script that sets a variable into the site, after other text if there is any."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / script).write_text(f"{before}globalThis.{variable} = {text};\n", encoding="utf-8")
