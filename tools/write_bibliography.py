"""Write the bibliography as the book prints it, and how its sources are cited.

    .venv/bin/python tools/write_bibliography.py

From ``book/references.bib`` come the entries of ``book/bibliography.md``, plain Markdown that every
program shows, each with its key as its address; and ``gelu_lib/data/citations.json``, which has
author and year for each key, so that cells can cite. A test compares both with what this writes.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from string import ascii_lowercase

import command_line
from pybtex.backends.markdown import Backend
from pybtex.database import Entry, parse_file
from pybtex.style.formatting.unsrt import Style

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "book" / "references.bib"
PAGE = ROOT / "book" / "bibliography.md"
CITATIONS = ROOT / "gelu_lib" / "data" / "citations.json"
SPECIAL = re.compile(r"([\\`*_\[\]<>$])")
HEAD = """\
# Bibliography

Each entry says whether the original was seen while the book was written. What was not seen is
marked, and what the book says of it is what a source that was seen says of it. Where an entry has
neither a DOI nor an address, none was found.

<!-- The entries are written by tools/write_bibliography.py from references.bib. -->
"""


class Markdown(Backend):
    """Text of an entry as Markdown; pybtex's own escapes every full stop."""

    def format_str(self, text: str) -> str:
        return SPECIAL.sub(r"\\\1", text)


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


def files() -> dict[Path, str]:
    """What this script writes, by its place."""
    entries = dict(parse_file(str(SOURCES), "bibtex").entries)
    named = labels(entries)
    listed = Style().format_entries(entries.values())
    texts = {entry.key: in_a_line(entry.text.render(Markdown("utf-8"))) for entry in listed}
    order = sorted(entries, key=lambda key: (plain(named[key]), key))
    items = [f'- <a id="{key}"></a>**{named[key]}.** {texts[key]}' for key in order]
    citations = json.dumps(dict(sorted(named.items())), indent=1, ensure_ascii=False)
    return {PAGE: "\n".join([HEAD, *items]) + "\n", CITATIONS: citations + "\n"}


def in_a_line(text: str) -> str:
    return " ".join(text.split())


def labels(entries: dict[str, Entry]) -> dict[str, str]:
    """Author and year of each entry; a letter tells those apart that have the same."""
    found = {key: label(entry) for key, entry in entries.items()}
    times, seen = Counter(found.values()), Counter()
    for key, text in found.items():
        if times[text] > 1:
            found[key] = f"{text}{'' if text[-1].isdigit() else ' '}{ascii_lowercase[seen[text]]}"
            seen[text] += 1
    return found


def label(entry: Entry) -> str:
    """The last names of the authors, of more than two only the first, and the year if known."""
    people = entry.persons.get("author") or entry.persons["editor"]
    names = [" ".join(person.rich_last_names[0].render_as("text").split()) for person in people]
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return " ".join(filter(None, (who, entry.fields.get("year", ""))))


def plain(text: str) -> str:
    """A text without accents and in small letters, as an alphabet has it."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(c for c in letters if not unicodedata.combining(c)).casefold()


if __name__ == "__main__":
    command_line.read(__doc__)
    main()
