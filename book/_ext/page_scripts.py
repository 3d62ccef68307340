"""Scripts that a page needs, and their data, which are scripts too.

A page that is opened from a file may fetch nothing. So data are not fetched: a script sets them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx


def write_data(app: Sphinx, script: str, variable: str, data: Any, before: str = "") -> None:
    """Put a script that sets a variable into the site, after other text if there is any."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / script).write_text(f"{before}globalThis.{variable} = {text};\n", encoding="utf-8")


def load_where(app: Sphinx, context: dict[str, Any], mark: str, *scripts: str) -> None:
    """Load scripts, in this order, on a page that has a mark."""
    if mark in context.get("body", ""):
        for script in scripts:
            app.add_js_file(script, loading_method="defer")
