"""The pages in other languages: the book in short, its pictures without words, its numbers."""

from __future__ import annotations

import matplotlib.pyplot as plt
from sympy import Rational

from gelu_lib.chapters import curves, index
from gelu_lib.functions.families import GELU_PAPER, LOGISTIC, PAGE, TANH_CUBIC
from gelu_lib.provenance.claims import RIGHT, ROUNDED, claims
from gelu_lib.register import result
from gelu_lib.show.style import Drawn, key_above
from gelu_lib.show.tables import decimal

SHOWN = {
    "cubic": ("tanh-pinned-cubic", 8),
    "least-error": ("tanh-pinned-error", 4),
    "local": ("taylor-cubic", 8),
    "local-error": ("taylor-cubic-error", 4),
    "scale": ("logistic-scale", 8),
    "scale-error": ("scale-1702-error-phi", 4),
    "gelu-cubic": ("tanh-gelu-cubic", 8),
    "gelu-scale": ("logistic-gelu-scale", 8),
    "tanh-error": ("page-error-gelu", 4),
    "sigmoid-error": ("scale-1702-error-gelu", 4),
}
"""The results that the text quotes, and to how many digits."""

FORMULA = 14  # points, for a label that is a formula


def level_peaks() -> dict[str, Drawn]:
    """The still picture of the landing page, one panel above the other, labelled with formulas."""
    error, largest = plt.figure(figsize=(5.4, 5.4), layout="constrained").subplots(2)
    drawn = index.levelling(panels=(error, largest))
    error.set_ylabel(r"$\Phi - \hat\Phi$", fontsize=FORMULA)
    largest.set_xlabel("$k$", fontsize=FORMULA)
    largest.set_ylabel(r"$\max\,|\Phi - \hat\Phi|$", fontsize=FORMULA)
    return drawn


def errors_of_gelu() -> Drawn:
    """What both famous constants leave of GELU, on one scale."""
    members = {"0.044715": (TANH_CUBIC, PAGE), "1.702": (LOGISTIC, GELU_PAPER)}
    drawn = curves.error_curves(members, of="GELU", high=6)
    key_above(plt.gca())
    plt.ylabel(r"$x\,\Phi - x\,\hat\Phi$", fontsize=FORMULA)
    return drawn


def numbers(*posts: str) -> dict[str, str]:
    """The numbers in the text of a page.

    Args:
        posts: the posts in its language, as in ``provenance.claims.POSTS``. Of each the text says
            how many of its statements were checked, and how many are right, exactly or to the
            digits given.
    """
    exact = {name: Rational(result(id).value) for name, (id, _) in SHOWN.items()}
    found = {name: decimal(exact[name], digits) for name, (_, digits) in SHOWN.items()}
    found["local-cost"] = decimal(100 * (exact["local-error"] / exact["least-error"] - 1), 2)
    found["times"] = decimal(exact["sigmoid-error"] / exact["tanh-error"], 2)
    for post in posts:
        verdicts = [claim.verdict for claim in claims().values() if claim.post == post]
        found[f"{post}-claims"] = str(len(verdicts))
        found[f"{post}-right"] = str(verdicts.count(RIGHT) + verdicts.count(ROUNDED))
    return found
