"""A notebook whose code was edited and not executed again is refused.

The pages show stored outputs. Those of other code than the page shows are a warning, which a strict
build makes an error; the sentence says which command mends it.

No package will do: MyST-NB executes notebooks or does not; with a cache it forgets the library.
"""

from __future__ import annotations

import json

from downloads import notebooks
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from gelu_lib.show import stored

logger = logging.getLogger(__name__)


def refuse(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Warn of every stale notebook, in each build, also of those that it does not read again."""
    for docname, path in notebooks(env).items():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if fault := stored.fault(notebook, path.stem):
            logger.warning("%s", fault, location=docname)


def setup(app: Sphinx) -> None:
    app.connect("env-before-read-docs", refuse)
