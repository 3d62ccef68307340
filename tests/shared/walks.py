"""Walks: what a reader does in a page, and what the page then shows, a row for each step.

    open book/explorer.html | level = ...Lower k. | c hidden
    fill k-typed = 0.04473  | success = | now changes | {scrollY} = 0

A row is an action and what is expected when its frame is drawn; a line that begins with ``|`` goes
on with the row before. An action is one of ``Walk`` or a method of Playwright's ``Locator``. A
place is a selector of Playwright, ``url``, a word, which is the end of an ID in the part of the
page that moves, or JavaScript in braces, where ``$`` finds an element and ``at`` its box;
behind ``@`` is an attribute. In a text ``...`` stands for any text.
"""

from __future__ import annotations

import json
import re
from typing import Any

import page_checks
import pytest

PATIENCE = 5000  # milliseconds
LOOK = 50  # milliseconds from one look to the next
EXPECTED = re.compile(
    r"(\{.+\}|.+?) (?:=(?: (.*))?|× (\d+)|(seen|hidden|noted|stays|changes))", re.S
)
READ = """(all, name) => !all.length ? null : all.map(e => name ? e.getAttribute(name) ?? ""
  : e.matches("input, select, textarea") ? e.value : e.innerText || e.textContent).join(" / ")"""
NAMES = "const $ = s => document.querySelector(s), at = s => $(s).getBoundingClientRect();"


def walks(text: str) -> list[Any]:
    """The walks of a text, each below a line with ``#`` and its title, as parameters of a test."""
    _, *parts = re.split(r"^# (.+)\n", text, flags=re.M)
    return [
        pytest.param(rows, id=title) for title, rows in zip(parts[::2], parts[1::2], strict=True)
    ]


def settled(page: Any) -> None:
    """Wait until the frames that are due have been drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def matches(text: str, pattern: str) -> bool:
    return bool(re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), text, re.S))


class Walk:
    """A page on which somebody walks, and what was read of its places.

    ``names`` is JavaScript that defines more names for the expressions.
    """

    def __init__(self, page: Any, names: str = "") -> None:
        self.page, self.names = page, NAMES + names
        self.known: dict[str, str | None] = {}

    def go(self, rows: str) -> None:
        """Do what the rows say; an AssertionError where something else is seen."""
        for row in re.split(r"\n(?!\s*\|)", rows.strip()):
            action, *expected = (part.strip() for part in re.split(r"(?:^|\s)\|(?:\s|$)", row))
            verb, _, rest = action.partition(" ")
            if own := getattr(self, verb, None):
                own(*filter(None, [rest]))
            else:
                place, *text = rest.split(" = ", 1)
                getattr(self.found(place), verb)(*text)
            if expected:  # or else the action may lead to another page
                settled(self.page)
            faults = list(filter(None, map(self.fault, expected)))
            assert not faults, f"{row}\n{'; '.join(faults)}"

    def found(self, place: str) -> Any:
        """The locator of a place."""
        word = re.fullmatch(r"[\w-]+", place)
        return self.page.locator(f".explorer [id$='-{place}']" if word else place)

    def read(self, place: str) -> str | None:
        """The text of a place, of several, an attribute, or what an expression gives."""
        if place == "url":
            return self.page.url
        if place.startswith("{"):
            value = self.page.evaluate(f"() => {{ {self.names} return {place[1:-1]}; }}")
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        selector, _, attribute = place.partition("@")
        text = self.found(selector).evaluate_all(READ, attribute)
        return text and re.sub(r"[ \n\t]+", " ", text).strip()

    def fault(self, expected: str) -> str:
        """What is seen in the place of what was expected; nothing if it is that."""
        place, text, count, state = EXPECTED.fullmatch(expected).groups()
        if count or state in ("seen", "hidden"):
            every = self.found(place)
            seen = every.count() if count else every.is_visible()
            return (
                "" if seen == (int(count) if count else state == "seen") else f"{expected}: {seen}"
            )
        before, seen = self.known.get(place), self.read(place)
        self.known[place] = seen
        alike = (seen == before) == (state == "stays") or state == "noted"
        right = seen is not None and (alike if state else matches(seen, text or ""))
        return "" if right else f"{expected}: {seen!r}"

    # ---- Actions

    def open(self, address: str) -> None:
        self.page.goto(address)

    def reload(self) -> None:
        self.page.reload()

    def window(self, width: str) -> None:
        self.page.set_viewport_size({"width": int(width), "height": 900})

    def media(self, kind: str) -> None:
        self.page.emulate_media(media=kind)

    def press(self, keys: str) -> None:
        """A key, as often as the number behind it says."""
        key, _, times = keys.partition(" ")
        for _ in range(int(times or 1)):
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def run(self, script: str) -> None:
        self.page.evaluate(f"() => {{ {self.names} {script}; }}")

    def rest(self, milliseconds: str) -> None:
        self.page.wait_for_timeout(int(milliseconds))

    def wait(self, expected: str) -> None:
        """Until a place has a text."""
        for _ in range(PATIENCE // LOOK):
            if not (fault := self.fault(expected)):
                return
            self.page.wait_for_timeout(LOOK)
        raise AssertionError(fault)

    def audit(self) -> None:
        """Ask axe-core, and whether the page scrolls sideways."""
        rules = page_checks.axe_rules(self.page) + page_checks.axe_colours(self.page, set())
        assert page_checks.sideways(self.page) + rules == []
