"""Data for the scripts of a page, as a script that sets them.

A page that is opened from a file may fetch nothing, so that no package that fetches JSON will do.
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
