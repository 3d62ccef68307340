"""Pages of plain Markdown as MyST shall read them: parts give way to the directives that make them.

The results and the glossary are stored as Markdown that every program shows, with an address before
each entry. What stands between ``<!-- NAME -->`` and ``<!-- /NAME -->`` there gives way to the
directive NAME. That of results makes its list out of the register; that of the glossary gets the
terms and what they mean, and gives each term the address that it has in the text. The numbers that
others printed, and the table of chapters, stand on the page as they are stored. What is for the
site alone stands in a comment, with the NAME of its directive on the first line.

No package will do: MyST has directives alone, which other programs show as they are written.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

HIDDEN = re.compile(r"^<!-- ([a-z-]+)\n(.*?)^-->$", re.MULTILINE | re.DOTALL)
LIST = re.compile(
    r"^<!-- (?!printed-numbers|chapters)([a-z-]+)( \S+)? -->$(.*?)^<!-- /\1 -->$",
    re.MULTILINE | re.DOTALL,
)
TERMS = re.compile(r'(?:<a id="term-[^"]+"></a>)+(\*\*.*)')
TERM = re.compile(r"\*\*(.+?)\*\*")


def prepare(app: Sphinx, docname: str, source: list[str]) -> None:
    """Change the text of a page, in place."""
    if str(app.env.doc2path(docname)).endswith(".md"):
        source[0] = LIST.sub(directive, HIDDEN.sub(r"::::{\1}\n\2::::", source[0]))


def directive(found: re.Match[str]) -> str:
    name, argument, text = found.groups(default="")
    content = glossary(text) if name == "glossary" else ""
    return f"```{{{name}}}{argument}\n{content}```"


def glossary(text: str) -> str:
    """The terms, a line for each, with what they mean below them, as Sphinx's directive has it."""
    lines = []
    for line in text.strip().splitlines():
        terms = TERMS.fullmatch(line)
        lines += TERM.findall(terms[1]) if terms else [f"  {line}".rstrip()]
    return "\n".join(lines) + "\n"


def setup(app: Sphinx) -> None:
    app.connect("source-read", prepare)
