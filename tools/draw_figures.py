"""Draw what is a picture before any page is built: the README's figure and the face of the site.

.venv/bin/python tools/draw_figures.py
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

from gelu_lib.chapters import index as chapter
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC

STATIC = Path(__file__).resolve().parent.parent / "book" / "_static"
TITLE, SUBTITLE = "Why 0.044715?", "A research book on GELU, checked step by step"


def tanh_fit() -> Optimum:
    return minimax(TANH_CUBIC, of="Phi", fixed={"p1": 2 * LOCAL_SLOPE})


def draw_alternation(target: Path) -> None:
    """The figure of README.md, which is also the one of the landing page."""
    matplotlib.use("svg")
    chapter.opening({"tanh form": tanh_fit(), "sigmoid form": minimax(LOGISTIC, of="Phi")})
    # white, because the page that shows it may be dark
    plt.savefig(target, bbox_inches="tight", facecolor="white", metadata={"Date": None})
    plt.close()


def draw_icon(target: Path) -> None:
    """The icon of the pages."""
    target.write_text(chapter.icon(tanh_fit()), encoding="utf-8")


def draw_social_picture(target: Path) -> None:
    """The picture of a link to the book; a page names it once the public address is known."""
    matplotlib.use("agg")
    chapter.social_picture(tanh_fit(), TITLE, SUBTITLE)
    plt.savefig(target, metadata={"Software": None})
    plt.close()


def main(folder: Path = STATIC) -> None:
    draw_alternation(folder / "alternation.svg")
    draw_icon(folder / "favicon.svg")
    draw_social_picture(folder / "social.png")


if __name__ == "__main__":
    main()
