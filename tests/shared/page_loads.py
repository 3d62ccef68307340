"""The pages of the site, each loaded as a phone shows it and as a desk does, and turned dark.

The theme changes colours and no more, so a page is turned dark where it stands. axe-core's rules
are asked on the phone and at the desk, but those about colour only at the desk, in either theme, of
every kind of text once. The ordinary run loads one page of each kind, and the nightly run every
page.
"""

from pathlib import Path
from typing import Any

import page_checks
import yaml

ROOT = Path(__file__).resolve().parents[2]
PHONE, TABLET, DESK = 360, 768, 1440
MADE_BY_SPHINX = ["genindex.html", "py-modindex.html", "search.html"]


def chapters() -> list[str]:
    """The addresses of the pages that the table of contents names."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    files += [section for chapter in files for section in chapter.get("sections", ())]
    return [f"{file}.html" for file in [toc["root"], *(entry["file"] for entry in files)]]


PAGES = chapters() + MADE_BY_SPHINX
# The landing page, two chapters, one with figures and one with tables and code, a page with a part
# of its own, and one that Sphinx makes.
ONE_OF_EACH = [
    "book/index.html",
    "book/gelu.html",
    "book/which-one.html",
    "book/explorer.html",
    "search.html",
]

# A frame in which the page is laid out, one in which its script answers, and what that waits for.
ANSWERED = """() => new Promise(answer => requestAnimationFrame(() => requestAnimationFrame(
    () => document.fonts.ready.then(() => setTimeout(answer)))))"""


def resize(page: Any, width: int) -> None:
    """Give the window another width, and wait until the script of the page has answered."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate(ANSWERED)


def turn(page: Any, theme: str) -> None:
    """Have the reader's system say light or dark, and wait for the page to follow."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")


def load(page: Any, name: str, width: int) -> list[str]:
    """Show a page in the light theme, and return what is wrong with its shape."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="light")
    page.mouse.move(0, 0)  # where no link is, whose preview would be loaded and weighed
    page.goto(name)
    found = page_checks.shifts(page) + page_checks.sideways(page)
    found += page_checks.cut_off(page) + page_checks.growth(page)
    return found + page_checks.mathematics(page) + page_checks.figures(page)
