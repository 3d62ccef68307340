"""Parts of a page that scripts bring to life: their HTML from a template, their data as a script.

A page that is opened from a file may fetch nothing, so that no package that fetches JSON will do.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "_theme"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def rendered(template: str, say: Callable[[str], str] = str, **given: Any) -> str:
    """What a template of ``book/_theme`` makes of what it is given.

    Args:
        template: its name, without the ending.
        say: says an English word in the language of the page.
        given: the names that the template knows; their texts are escaped.
    """
    return TEMPLATES.get_template(f"{template}.html").render(given, say=say)


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
