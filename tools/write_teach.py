"""Write which chapter needs which into the page for teachers, as a table and as a picture.

    .venv/bin/python tools/write_teach.py

What a chapter needs stands in its paragraph "You should know", what one can do after it in the list
below that. Both are copied into the table of book/teach.md; book/_static/chapters.svg draws the
links of those paragraphs. A test compares.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import re
import textwrap
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import yaml
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from gelu_lib.show.style import BLUE, GREY, INK, PAPER, SAVED

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "teach.md"
PICTURE = ROOT / "book" / "_static" / "chapters.svg"
TABLE = re.compile(r"(?<=<!-- chapters -->\n).*?(?=<!-- /chapters -->)", re.DOTALL)
NEEDS = re.compile(r"^\*You should know:\* (.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
GOALS = re.compile(r"^\*After this page you can\*\n\n((?:- .*\n(?: .*\n)*)*)", re.MULTILINE)
LINK = re.compile(r"\]\(([\w-]+)\.ipynb")
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
STORY = tuple(Path(page).name for page in CONFIG["sphinx"]["config"]["book_start"])
"""The chapters of the path."""
COLUMN, ROW, GAP, WIDEST = 1.46, 0.5, 0.05, 19  # inches, and characters of a line
BEHIND = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.5}  # a line that passes


@dataclass(frozen=True)
class Chapter:
    """A chapter, what it says that one should know, and what one can do after it."""

    name: str
    title: str
    needs: str
    goals: list[str]

    @property
    def before(self) -> list[str]:
        """The chapters to which the first of these leads."""
        return list(dict.fromkeys(LINK.findall(self.needs)))


def main() -> None:
    found = chapters()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    draw(found, PICTURE)


def chapters() -> list[Chapter]:
    """The chapters that say what one should know, in reading order."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    names = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    paths = [path for name in names if (path := ROOT / f"{name}.ipynb").exists()]
    read = [chapter(path.stem, nbformat.read(path, as_version=4)) for path in paths]
    return [one for one in read if one.needs]


def chapter(name: str, notebook: nbformat.NotebookNode) -> Chapter:
    cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    text = "\n\n".join(cell.source for cell in cells) + "\n\n"
    needs, goals = NEEDS.search(text), GOALS.search(text)
    listed = re.split(r"^- ", goals[1] if goals else "", flags=re.MULTILINE)[1:]
    return Chapter(
        name,
        text.partition("\n")[0].removeprefix("# "),
        " ".join(needs[1].split()) if needs else "",
        [" ".join(goal.split()).rstrip(".;,") for goal in listed],
    )


def page(text: str, found: list[Chapter]) -> str:
    """The text of the page with the table of chapters renewed."""
    head = ["| chapter | you should know | after it you can |", "| :-- | :-- | :-- |"]
    rows = [[f"[{c.title}]({c.name}.ipynb)", c.needs, "; ".join(c.goals)] for c in found]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return TABLE.sub(lambda _: "\n".join(["", *head, *lines, "", ""]), text)


def levels(found: list[Chapter]) -> dict[str, int]:
    """How many chapters in a row stand before each, at most.

    Raises:
        ValueError: if a chapter needs itself in the end.
    """
    before = {one.name: [name for name in one.before if name != "index"] for one in found}
    level: dict[str, int] = {}
    while len(level) < len(before):
        ready = [n for n in before if n not in level and all(b in level for b in before[n])]
        if not ready:
            raise ValueError(f"in a circle: {', '.join(n for n in before if n not in level)}")
        level |= {n: max((level[b] + 1 for b in before[n]), default=0) for n in ready}
    return level


def direct(found: list[Chapter]) -> dict[str, list[str]]:
    """Of the chapters before each, those that none of the others has before it too."""
    before = {one.name: [name for name in one.before if name != "index"] for one in found}
    every: dict[str, set[str]] = {}
    for name in sorted(before, key=levels(found).get):
        every[name] = {*before[name], *(far for near in before[name] for far in every[near])}
    return {
        name: [near for near in some if not any(near in every[other] for other in some)]
        for name, some in before.items()
    }


def places(found: list[Chapter]) -> dict[str, tuple[float, float]]:
    """Where each chapter is drawn: a column for a level, each near the chapters that it needs."""
    level, place = levels(found), {}
    ordered = sorted(found, key=lambda one: level[one.name])  # stable: in reading order
    tallest = max(list(level.values()).count(one) for one in level.values())
    for number, group in groupby(ordered, key=lambda one: level[one.name]):
        column = list(group)

        def height(one: Chapter) -> float:
            heights = [place[name][1] for name in one.before if name in place]
            return -sum(heights) / len(heights) if heights else 0

        column.sort(key=height)
        for row, one in enumerate(column):
            gap = tallest / len(column)
            place[one.name] = COLUMN * number, -ROW * gap * (row + 0.5)
    return place


def draw(found: list[Chapter], target: Path) -> None:
    """Draw the chapters and the links of what one should know before them."""
    matplotlib.use("svg")  # another measures text otherwise
    place, needed = places(found), direct(found)
    wide = max(x for x, _ in place.values()) + 0.8 * COLUMN
    high = -min(y for _, y in place.values()) + ROW
    axes = plt.figure(figsize=(wide, high)).add_axes((0, 0, 1, 1))
    axes.set(xlim=(-0.05, wide), ylim=(-high, 0))
    axes.set_axis_off()
    ends = {}
    for one in found:
        words = textwrap.fill(one.title, WIDEST)
        colour = BLUE if one.name in STORY else INK
        text = axes.text(
            *place[one.name], words, color=colour, fontsize=9, va="center", bbox=BEHIND
        )
        ends[one.name] = text.get_window_extent().transformed(axes.transData.inverted()).x1
    for name, after in [(name, after) for after, names in needed.items() for name in names]:
        a, b, (x, y) = ends[name] + GAP, place[name][1], place[after]
        half = (a + x - GAP) / 2
        curve = Curve([(a, b), (half, b), (half, y), (x - GAP, y)], [1, 4, 4, 4])  # a cubic one
        told = {name, after} <= set(STORY)
        look = {"color": BLUE, "lw": 2} if told else {"color": GREY, "lw": 0.8}
        axes.add_patch(PathPatch(curve, fill=False, zorder=1, **look))
    plt.savefig(target, facecolor="none", metadata=SAVED["metadata"])
    plt.close()


if __name__ == "__main__":
    main()
