"""Whether the outputs of a stored notebook are those of its code.

``tools/execute.py`` keeps a digest of the code that it executed in the metadata of the notebook.
Who edits a cell and executes nothing leaves the old digest; then the build of the site and the
replay by nbval refuse the notebook. Whether the outputs are right is told by nbval alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

KEY = "executed"
"""The name of the digest in the metadata of a notebook."""


def digest(notebook: Mapping[str, Any]) -> str:
    """What stands for the code of a notebook, cell by cell; prose does not change it.

    Args:
        notebook: as ``nbformat`` or ``json`` reads it.
    """
    # a file keeps a source as one string or as a list of lines
    sources = ["".join(cell["source"]) for cell in _code(notebook)]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()


def fault(notebook: Mapping[str, Any], name: str) -> str:
    """A sentence on why the outputs of a notebook are not those of its code; empty if they are.

    Args:
        notebook: as ``nbformat`` or ``json`` reads it.
        name: the name of its chapter.
    """
    mend = f"run: python3 tools/run.py execute {name}"
    if notebook["metadata"].get(KEY) != digest(notebook):
        return f"the code of {name} was edited and not executed again; {mend}"
    counts = [cell["execution_count"] for cell in _code(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        return f"the outputs of {name} are not those of one run from its start; {mend}"
    return ""


def _code(notebook: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
