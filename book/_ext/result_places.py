"""Where a result stands: the chapter with its box."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from gelu_lib import register
from gelu_lib.register import Result

logger = logging.getLogger(__name__)

FOLDER = "book/"
RESULTS_PAGE = "book/results"


def page_of(entry: Result) -> str:
    """The document that holds the entry's anchor."""
    return RESULTS_PAGE if entry.status == "historical" else FOLDER + entry.page


BOXES = "result boxes"
"""What Sphinx keeps of a page that has been read: the IDs of the boxes on it."""


def check_boxes(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of every result whose box is missing, repeated, or on another page than promised."""
    for entry in register.results().values():
        if entry.status == "historical":
            continue
        known = env.metadata.items()
        pages = [page for page, kept in known for id in kept.get(BOXES, ()) if id == entry.id]
        if pages != [page_of(entry)]:
            where = ", ".join(pages) or "no page"
            logger.warning("result %s belongs on %s, has boxes on %s", entry.id, entry.page, where)
