"""Small sites that Sphinx builds of a few texts, for the tests of one extension."""

from __future__ import annotations

from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

BOOK = Path(__file__).resolve().parents[2] / "book"
OWN_THEME = {"html_theme": "_theme", "html_theme_path": [str(BOOK)]}


def build(
    folder: Path, files: dict[str, str], builder: str = "html", **settings: Any
) -> tuple[Path, str]:
    """Write texts to a folder and build a site of them.

    Args:
        folder: where everything is put; what an earlier build left there is built upon.
        files: the texts by their paths, ``index.rst`` or ``index.md`` among them.
        builder: the name of Sphinx's builder.
        settings: what a ``conf.py`` would say; the theme is Sphinx's basic one if none is named.

    Returns:
        The folder of the site and the warnings of the build.
    """
    source, site, warnings = folder / "source", folder / "site", StringIO()
    for name, text in files.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    settings = {"html_theme": "basic"} | deepcopy(settings)  # extensions write into them
    with docutils_namespace():  # so that one build leaves nothing to the next
        app = Sphinx(
            source, None, site, folder / "trees", builder, settings, status=None, warning=warnings
        )
        app.build()
    return site, warnings.getvalue()


def sound(folder: Path, files: dict[str, str], builder: str = "html", **settings: Any) -> Path:
    """The site of ``build``, which has no warning."""
    site, warnings = build(folder, files, builder, **settings)
    assert warnings == ""
    return site


def page(site: Path, name: str = "index.html") -> BeautifulSoup:
    return BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")


def scripts(site: Path, name: str = "index.html") -> list[str]:
    """The names of the scripts that a page loads, in their order."""
    loaded = page(site, name).find_all("script", src=True)
    return [Path(tag["src"].partition("?")[0]).name for tag in loaded]
