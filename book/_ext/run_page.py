"""The button *Run this page*: every page that is a notebook computes in the reader's browser.

The button is there only if the build was given Python for the browser: ``tools/fetch_runtime.py``
puts it into ``_build/runtime/``, and ``run_page_runtime`` in ``_config.yml`` says which set of
files. The variable ``GELU_BOOK_RUNTIME`` overrides it, and that set must be there. Without that
folder no page has the button, and what an earlier build gave the site for it is removed. With it,

* each cell of code on a page has ``data-cell``, its index in the notebook that the page offers; of
  cells that were joined for the page it is that of the last one;
* the page has, as JSON, where everything lies and what the script says in its language, and the
  style and the script of ``book/_run``;
* the site gets ``book/_run``, KaTeX, the files of the set and their licences.

No package will do: thebe-lite and jupyterlite load Python from another site by default, have
styles of their own, know nothing of the cells that a page leaves out, and weigh 15 to 21 MB more.
"""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import runtime_files
from docutils import nodes
from downloads import AFTER_THE_DATA, FOLDER, WHEEL
from katex_at_build import for_browsers
from page_language import language_of
from page_parts import element
from runtime_files import PLACE, ROOT
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.transforms.post_transforms import SphinxPostTransform

VARIABLE = "GELU_BOOK_RUNTIME"
SOURCES = ROOT / "book" / "_run"
WORDS_FILE = "words.toml"
WORDS = tomllib.loads((SOURCES / WORDS_FILE).read_text(encoding="utf-8"))  # by language
SCRIPTS, RUNTIME = "_static/run", "_static/runtime"  # in the site
INDEX = "cell_of_the_notebook"  # in the metadata of a cell, while the page is made
BEFORE_THE_PAGE, AFTER_ALL = 400, 950


def look_for_runtime(app: Sphinx, config: Config, environ: Mapping[str, str] = os.environ) -> None:
    """Which set this build was given, if any; a folder that is not as its lock fails the build."""
    name = environ.get(VARIABLE) or config.run_page_runtime
    if name and name not in (known := runtime_files.names()):
        raise ConfigError(f"no set of files is called {name!r}; there are {', '.join(known)}")
    folder = Path(app.srcdir, PLACE, name)
    if not name or not (folder.exists() or environ.get(VARIABLE)):
        return
    config.given_runtime, config.given_lock = name, runtime_files.read(name)
    if said := runtime_files.faults(folder, config.given_lock):
        again = f"python3 tools/fetch_runtime.py {name} mends it"
        raise ConfigError(
            f"{PLACE}/{name} is not what its lock says: {'; '.join(said[:2])}; {again}"
        )


def number_cells(app: Sphinx, docname: str, source: list[str]) -> None:
    """Tell each cell its index in the notebook, before cells are joined or left out."""
    if app.config.given_runtime and str(app.env.doc2path(docname)).endswith(".ipynb"):
        notebook = json.loads(source[0])
        for index, cell in enumerate(notebook["cells"]):
            cell["metadata"][INDEX] = index
        source[0] = json.dumps(notebook)


class NumberedCells(SphinxPostTransform):
    """Write the index of each cell into its page."""

    default_priority = AFTER_ALL
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for cell in list(self.document.findall(nodes.container)):
            if (index := cell.get("cell_metadata", {}).get(INDEX)) is not None:
                shown = {"CLASS": "docutils container", "data-cell": str(index)}
                numbered = element("div", *cell.children, **shown)
                numbered.update_basic_atts(cell)
                cell.replace_self(numbered)


def say_where(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Tell the template of a notebook's page where everything lies."""
    name = app.config.given_runtime
    if not name or tree is None or not str(app.env.doc2path(page)).endswith(".ipynb"):
        return
    lock = app.config.given_lock
    up = "../" * page.count("/")
    context["runtime"] = {
        "set": name,
        "python": lock["info"]["python"],
        "runtime": f"{up}{RUNTIME}/",
        "packages": list(lock["packages"]),
        "wheels": [f"{up}{FOLDER}/{WHEEL}"],
        "kernel": f"{up}{SCRIPTS}/",
        "katex": f"{up}{SCRIPTS}/katex.js",
        "notebook": f"{page.rpartition('/')[2]}.ipynb",
        "words": WORDS[language_of(app.env, page) or "en"],
        "megabytes": megabytes(Path(app.srcdir, PLACE, name), lock),
    }


def megabytes(folder: Path, lock: dict[str, Any]) -> int:
    """What a first run loads from a server that compresses what is not compressed yet."""
    files = runtime_files.files(lock)
    sizes = (file.get("gzip") or (folder / file["file_name"]).stat().st_size for file in files)
    return round(sum(sizes) / 1e6) + 1  # the library itself


def write(app: Sphinx, exception: Exception | None) -> None:
    """Put the script, the kernel, the files of the set and their licences into the site."""
    if exception is not None or app.builder.format != "html":
        return
    site, name = Path(app.outdir), app.config.given_runtime
    for part in (SCRIPTS, RUNTIME):  # what another set left
        shutil.rmtree(site / part, ignore_errors=True)
    if not name:
        return
    shutil.copytree(SOURCES, site / SCRIPTS, ignore=shutil.ignore_patterns(WORDS_FILE))
    (site / SCRIPTS / "katex.js").write_text(for_browsers(), encoding="utf-8")
    folder, lock = Path(app.srcdir, PLACE, name), app.config.given_lock
    (site / RUNTIME).mkdir(parents=True)
    for file in runtime_files.files(lock):
        shutil.copyfile(folder / file["file_name"], site / RUNTIME / file["file_name"])
    runtime_files.write(lock, site / RUNTIME)
    runtime_files.write_licences(folder, lock, site / RUNTIME / "licences")


def setup(app: Sphinx) -> None:
    app.add_config_value("run_page_runtime", "", "", str)
    app.add_config_value("given_runtime", "", "env", str)
    app.add_config_value("given_lock", {}, "env", dict)  # a page made with another one is made anew
    app.connect("config-inited", look_for_runtime)
    app.connect("source-read", number_cells, priority=BEFORE_THE_PAGE)
    app.add_post_transform(NumberedCells)
    app.connect("html-page-context", say_where)
    app.connect("build-finished", write, priority=AFTER_THE_DATA)
