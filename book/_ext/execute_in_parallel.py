"""Execute the notebooks of a build side by side, before its pages are read one after another.

The notebooks that are about to be read are executed with as many processes as there are
processors, into a cache that is emptied first. So nothing in it is older than the build, and a
change of the library, which a cache alone would not notice, cannot leave stale outputs. A notebook
that fails is not cached: reading its page executes it again and reports the error. Where the
configuration says that nothing is executed, the pages show the stored outputs.
"""

from __future__ import annotations

import logging
import shutil
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def execute(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Fill the cache with the notebooks among the pages that will be read."""
    settings = env.mystnb_config
    if settings.execution_mode == "off":
        return
    pages = [env.doc2path(docname) for docname in docnames]
    notebooks = [page for page in pages if str(page).endswith(".ipynb")]
    folder = settings.execution_cache_path
    shutil.rmtree(folder, ignore_errors=True)
    if not notebooks:
        return
    cache = get_cache(folder)
    for notebook in notebooks:
        cache.add_nb_to_project(str(notebook))
    executor = load_executor("local-parallel", cache, logger=logging.getLogger(__name__))
    executor.run_and_cache(timeout=settings.execution_timeout)
    cache.db.dispose()  # closes the connections of its database


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-before-read-docs", execute)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
