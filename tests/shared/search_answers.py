"""What the search answers, by its own script, run by QuickJS on the data of a built site.

    python tests/shared/search_answers.py questions.json [_build/html]

The questions are a list of ``{"q": "what somebody types", "accept": ["page", "page#section"]}``. A
page alone is met by each of its places. Printed is whether the first answer of each is accepted;
the exit status is 1 if one is not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import quickjs

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "book" / "_static" / "search.js"
DATA, CODE = "_static/search-data.js", "_static/search.js"
ASK = """
bookSearch.load(SEARCH_DATA);
const shownOf = ({parts, block}) => (block ? `code ${block}: ` : "")
  + parts.map(({text, hit}) => (hit ? `[${text}]` : text)).join("");
function ask(question, most, reader) {
  const {places, complete} = bookSearch.search(question, reader);
  const shown = places.slice(0, most).map(place => [place.address, place.title,
    shownOf(bookSearch.excerpt(place, question))]);
  return JSON.stringify({number: places.length, complete, shown});
}
"""


def searching(data_script: str, script: str | None = None) -> Callable[..., dict[str, Any]]:
    """The search of ``search.js`` on the data of a site."""
    context = quickjs.Context()
    context.eval(data_script)
    context.eval((script or SCRIPT.read_text(encoding="utf-8")) + ASK)
    function = context.get("ask")
    return lambda question, most=5, reader="en": json.loads(function(question, most, reader))


def accepts(accepted: Iterable[str], address: str) -> bool:
    """Whether an address is one of these pages, or one of these places."""
    page, _, anchor = address.removeprefix("book/").partition("#")
    page = page.removesuffix(".html")
    wanted = {place.removeprefix("book/").replace(".html", "") for place in accepted}
    return bool(wanted & {page, f"{page}#{anchor}"})


def answered(ask: Callable[..., dict[str, Any]], entry: dict[str, Any]) -> tuple[bool, str]:
    """Whether the first place for a question is accepted, and which it is."""
    shown = ask(entry["q"], 1)["shown"]
    if not shown:
        return False, "nothing"
    address, title, _ = shown[0]
    return accepts(entry["accept"], address), f"{address} ({title})"


def report(ask: Callable[..., dict[str, Any]], questions: list[dict[str, Any]]) -> int:
    """Print what comes first for each question, and return how many are answered."""
    answers = [answered(ask, entry) for entry in questions]
    for entry, (right, place) in zip(questions, answers, strict=True):
        print(f"{'yes' if right else 'NO '} {entry['q']!r}: {place}")
    met = sum(right for right, _ in answers)
    print(f"{met} of {len(questions)} answered by the first place")
    return met


def main(questions: str, site: str = str(ROOT / "_build" / "html")) -> bool:
    """Ask the search of a site the questions of a file; whether all are answered."""
    data, script = (Path(site, name).read_text(encoding="utf-8") for name in (DATA, CODE))
    asked = json.loads(Path(questions).read_text(encoding="utf-8"))
    return report(searching(data, script), asked) == len(asked)


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
