"""Write the results into book/results.md, for those who read the book in a clone.

    .venv/bin/python tools/write_results.py

The site makes its list of results out of the register. GitHub and Jupyter Lab show the page as it
is stored, and links of the notebooks lead to its addresses: so each result stands there too, with
its ID as its address, its statement and a link to where it is derived. A number that others printed
stands there alone, as a cell would show it. A test compares.
"""

from __future__ import annotations

import tomllib

import command_line
from write_contents import PAGE, ROOT, notebook_or_page, title

from gelu_lib.register import Result, results
from gelu_lib.show.results import at_a_glance, box, in_rows

MAIN = ROOT / "book" / "main-results.toml"
RESULTS = ROOT / "book" / "results.md"
NOTE = "<!-- Written by tools/write_results.py out of the register. -->"


def main() -> None:
    RESULTS.write_text(written(RESULTS.read_text(encoding="utf-8")), encoding="utf-8")


def written(text: str) -> str:
    """The page with its lists, each between the two comments that name it."""
    for name, made in (("result-list", by_chapter()), ("printed-numbers", printed())):
        before, opening, rest = text.partition(f"<!-- {name} -->\n")
        _, closing, after = rest.partition(f"<!-- /{name} -->")
        text = f"{before}{opening}{NOTE}\n\n{made}\n\n{closing}{after}"
    return text


def by_chapter() -> str:
    """The main results, then the others under their chapters, in the order of the book."""
    first = [results()[id] for id in tomllib.loads(MAIN.read_text("utf-8"))["main"]]
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8").splitlines()
    pages = [notebook_or_page(found[1]) for line in toc if (found := PAGE.search(line))]
    others = [e for e in results().values() if e.status != "historical" and e not in first]
    sections = ((page, [e for e in others if e.page == page.stem]) for page in pages)
    parts = ([f"## {title(page)}", *map(derived, found)] for page, found in sections if found)
    made = [["## The main results", *map(derived, first)], *parts]
    return "\n\n".join(text for part in made for text in part)


def derived(entry: Result) -> str:
    """A result, which its chapter derives, with a link that leads there."""
    value = "" if entry.value is None else "{}\u00a0`{}`".format(*at_a_glance(entry.value))
    name = f'<a id="{entry.id}"></a>**[{entry.title}]({entry.page}.ipynb#{entry.id})**'
    parts = [
        " · ".join([f"{name} {value}".rstrip(), f"*{entry.status}*", f"`{entry.id}`"]),
        f"$$\n{in_rows(entry.statement)}\n$$",
        f"For {entry.assumptions}." if entry.assumptions else "",
        f"**Withdrawn:** {entry.withdrawn}" if entry.withdrawn else "",
    ]
    return "\n\n".join(filter(None, parts))


def printed() -> str:
    """The numbers that others printed, which no chapter derives: here are their boxes."""
    entries = (entry for entry in results().values() if entry.status == "historical")
    return "\n\n".join(box(entry, statement=False) for entry in entries)


if __name__ == "__main__":
    command_line.read(__doc__)
    main()
