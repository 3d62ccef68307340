"""Code of a page whose comments say what a line gives: behind an arrow, ``x + 1  # → 3``."""

from __future__ import annotations

import ast
from typing import Any


def misprinted(code: str, space: dict[str, Any] | None = None) -> list[str]:
    """The statements of which the value is not what stands behind their arrow.

    Args:
        code: as it stands on the page; a value that is cut short ends in ``…``.
        space: the names of earlier code, which gets those of this.
    """
    space, wrong = {} if space is None else space, []
    lines = code.splitlines()
    for node in ast.parse(code).body:
        text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        _, arrow, said = text.partition("→ ")
        if not arrow:
            exec(text, space)
        else:
            value, cut = str(eval(ast.unparse(node), space)), said.endswith("…")
            if value[: len(said) - 1 if cut else None] != said.removesuffix("…"):
                wrong.append(text)
    return wrong
