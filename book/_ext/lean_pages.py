"""A page loads the scripts and style sheets that it uses, and the site has no file without use.

Extensions of Sphinx put their files on every page. Here each such file is kept on the pages that
show what it serves, and what no page names is taken out of the site.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

Use = Callable[[str, str], bool]  # whether a page, given by its name and its body, uses a file


def copies(page: str, body: str) -> bool:
    return '<div class="highlight">' in body


def looks_up(page: str, body: str) -> bool:
    return page in ("genindex", "search")


def has_designed_parts(page: str, body: str) -> bool:
    return re.search(r'class="(?:[^"]* )?sd-', body) is not None


def explores(page: str, body: str) -> bool:
    return 'class="explorer' in body


def cites(page: str, body: str) -> bool:
    return re.search(r'class="(?:[^"]* )?(?:result-|status|results-)', body) is not None


def has_tabs(page: str, body: str) -> bool:
    return "sd-tab-set" in body


def never(page: str, body: str) -> bool:
    return False


# The files that would be loaded on every page. The style sheet of the book stands in for those
# that are never used.
USES: dict[str, Use] = {
    "clipboard.min.js": copies,
    "copybutton.js": copies,
    "documentation_options.js": copies,
    "doctools.js": never,  # of Sphinx's search, as the next
    "sphinx_highlight.js": never,
    "sphinx-design.min.css": has_designed_parts,
    "design-tabs.js": has_tabs,
    "copybutton.css": never,
    "mystnb.*.css": never,
    "pygments.css": never,
    "explorer.css": explores,
    "reference.css": looks_up,
    "citing.css": cites,
}

# What is copied into the site besides, and stays only where a page names it.
COPIED = [
    "alternation.svg",  # the figure of the README
    "basic.css",
    "check-solid.svg",
    "copy-button.svg",
    "copybutton_funcs.js",
    "file.png",
    "minus.png",
    "plus.png",
]


def used(file: Any, page: str, body: str) -> bool:
    """Whether a page uses a script or style sheet; the book's own are loaded where they are."""
    name = Path(str(file.filename or "")).name
    return all(use(page, body) for pattern, use in USES.items() if fnmatch(name, pattern))


def keep_what_is_used(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Drop the files that this page does not use from those that the template loads."""
    body = context.get("body", "")
    for kind in ("css_files", "script_files"):
        context[kind] = [file for file in context[kind] if used(file, page, body)]


def take_out_unnamed(app: Sphinx, exception: Exception | None) -> None:
    """Delete those files of extensions that no page of the finished site names."""
    if exception is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    pages = [page.read_text(encoding="utf-8") for page in site.rglob("*.html")]
    for pattern in [*USES, *COPIED]:
        for file in site.joinpath("_static").glob(pattern):
            if not any(f"_static/{file.name}" in page for page in pages):
                file.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    # after every extension that adds a file to a page, or to the site
    app.connect("html-page-context", keep_what_is_used, priority=900)
    app.connect("build-finished", take_out_unnamed, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
