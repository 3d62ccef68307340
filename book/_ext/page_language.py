"""Pages in another language than the book's: a short one for readers of the posts in it.

``lang`` in the metadata of a notebook, as Pandoc has it, names the language of its text:
``"lang": "zh-Hans"``. The page says so of its article, and of its title wherever that stands; so a
browser takes the letters of that language and breaks lines by its rules, and a voice reads it by
them. Where the public address is known, the landing page and these pages name one another as the
same in other languages.

A heading without a Latin letter, which Sphinx counts, has its own words as its address. The words
of menus, buttons, moving pictures and captions stand for each of these languages in
``book/other-languages.toml``, by the English ones: templates and extensions ask ``say`` for them,
scripts find them in ``WORDS``. A word that is not there fails the build.

No package will do: Sphinx translates a book as a whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

OTHERS = Path(__file__).resolve().parents[1] / "other-languages.toml"
WORDS = tomllib.loads(OTHERS.read_text(encoding="utf-8"))  # by language, then by the English ones
LINKS_TO = ("Link to this heading", "Link to this image")  # titles that Sphinx writes
COUNTED = re.compile(r"id\d+")


class HeadingAddresses(SphinxTransform):
    """Give a heading that is only counted an address of its words."""

    default_priority = 320

    def apply(self, **kwargs: Any) -> None:
        for section in self.document.findall(nodes.section):
            name = re.sub(r"\W+", "-", section.next_node(nodes.title).astext()).strip("-")
            if COUNTED.fullmatch(section["ids"][0]) and name and name not in self.document.ids:
                del self.document.ids[section["ids"][0]]
                section["ids"][0] = name
                self.document.ids[name] = section


def language_of(env: BuildEnvironment, page: str) -> str:
    """The language of a page's text where it is not the book's; else nothing."""
    return env.metadata.get(page, {}).get("lang", "")


def say_on(env: BuildEnvironment, page: str) -> Callable[[str], str]:
    """What says an English word in the language of a page."""
    language = language_of(env, page)
    return WORDS[language].__getitem__ if language else str


def in_other_languages(env: BuildEnvironment) -> dict[str, str]:
    """The pages in other languages, by language."""
    found = {language_of(env, page): page for page in sorted(env.found_docs)}
    return {language: page for language, page in found.items() if language}


def give_languages(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Give the template the language of a page and of its neighbours, and its other languages."""
    language = context["page_language"] = language_of(app.env, page)
    if language:
        context |= {"say": say_on(app.env, page), "words": WORDS[language]}
        for title in LINKS_TO:
            own = f'title="{WORDS[language][title]}"'
            context["body"] = context["body"].replace(f'title="{title}"', own)
    _, *neighbours = app.builder.relations.get(page, (None, None, None))
    for name, neighbour in zip(("prev", "next"), neighbours, strict=True):
        if neighbour:
            context[name]["language"] = language_of(app.env, neighbour)
    pages = {app.config.language: app.config.root_doc} | in_other_languages(app.env)
    if len(pages) > 1 and page in pages.values():
        uris = {language: app.builder.get_target_uri(other) for language, other in pages.items()}
        context["in_languages"] = uris


def setup(app: Sphinx) -> None:
    app.add_transform(HeadingAddresses)
    app.connect("html-page-context", give_languages)
