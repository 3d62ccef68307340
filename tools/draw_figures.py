"""Draw the figure of README.md, which is also the one of the landing page.

.venv/bin/python tools/draw_figures.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

from gelu_lib import figures
from gelu_lib.families import LOGISTIC, TANH_CUBIC
from gelu_lib.fits import minimax
from gelu_lib.functions import LOCAL_SLOPE

TARGET = Path(__file__).resolve().parent.parent / "book" / "_static" / "alternation.svg"


def main(target: Path = TARGET) -> None:
    matplotlib.use("svg")
    figures.use_house_style()
    fits = {
        "tanh form": minimax(TANH_CUBIC, of="Phi", fixed={"p1": 2 * LOCAL_SLOPE}),
        "sigmoid form": minimax(LOGISTIC, of="Phi"),
    }
    figures.alternations(fits)
    # white, because the page that shows it may be dark
    plt.savefig(target, bbox_inches="tight", facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    main()
