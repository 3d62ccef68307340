"""Checks of a page that a browser shows. Each returns the faults that it found, one line each.

They take a page of Playwright that is loaded; an empty list is a pass. What goes wrong while a
page loads (the console, requests) is collected by ``browser.watch``.
"""

from __future__ import annotations

from typing import Any

PATIENCE = 60_000  # milliseconds
SHIFT_LIMIT = 0.1  # the sum of layout shifts up to which Core Web Vitals calls a page good

# Part of every script below: a short name of an element for the eye of who reads the fault.
NAME = """
const named = e => (e.outerHTML.match(/^<[^>]*>/) || [""])[0].slice(0, 120) + " "
  + e.textContent.trim().slice(0, 40);
"""

SIDEWAYS = """() => {
  const root = document.scrollingElement, wide = root.scrollWidth, room = root.clientWidth;
  if (wide <= room) return [];
  const out = [...document.body.querySelectorAll("*")].filter(
    e => e.getBoundingClientRect().right + scrollX > room + 0.5);
  const inmost = out.filter(e => !out.some(other => other !== e && e.contains(other)));
  const culprits = inmost.slice(0, 3).map(named).join("; ");
  return [`scrolls sideways: ${wide} px in ${room} px: ${culprits}`];
}"""

MATHEMATICS = """async () => {
  const faults = [];
  for (const e of document.querySelectorAll(".katex-error"))
    faults.push(`formula marked as faulty: ${named(e)}`);
  for (const e of document.querySelectorAll(".math"))
    if (!e.querySelector(".katex, .katex-error")) faults.push(`formula not rendered: ${named(e)}`);
  const drawn = [...document.querySelectorAll(".katex-html")].filter(e => e.checkVisibility());
  for (const e of drawn) {
    const box = e.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) faults.push(`formula without size: ${named(e)}`);
  }
  await document.fonts.ready;
  const faces = [...document.fonts].filter(face => /^["']?KaTeX_/.test(face.family));
  if (drawn.length && !faces.some(face => face.status === "loaded"))
    faults.push("no font of KaTeX is loaded");
  for (const face of faces)
    if (face.status === "error") faults.push(`font not loaded: ${face.family}`);
  return faults;
}"""

MARKS = """() => {
  const faults = [];
  for (const kept of document.querySelectorAll(".with-marks")) {
    const mark = kept.lastChild, [last] = [...kept.querySelectorAll(".base")].slice(-1);
    if (mark.nodeType !== Node.TEXT_NODE || !last) continue;
    const text = document.createRange();
    text.selectNodeContents(mark);
    const ends = [...last.getClientRects()].at(-1), begins = text.getBoundingClientRect();
    if (begins.left < ends.left || begins.top >= ends.bottom)
      faults.push(`a line begins with a mark: ${mark.data} after ${last.textContent}`);
  }
  return faults;
}"""

FIGURES = """async () => {
  const faults = [];
  for (const image of document.images) {
    image.loading = "eager";
    try { await image.decode(); } catch { /* the size says it */ }
    if (!image.naturalWidth) faults.push(`picture not loaded: ${named(image)}`);
    if (!image.alt.trim()) faults.push(`picture without alt text: ${named(image)}`);
  }
  return faults;
}"""

SHIFTS = """() => document.fonts.ready.then(() => new Promise(answer => {
  let sum = 0;
  const moved = new Set();
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      sum += entry.value;
      for (const source of entry.sources) if (source.node?.outerHTML) moved.add(named(source.node));
    }
  }).observe({type: "layout-shift", buffered: true});
  setTimeout(() => answer([sum, [...moved].slice(0, 3).join("; ")]), 100);
}))"""

# What scrolls inside itself has to be seen as a whole, or its end cannot be reached.
CUT_OFF = """() => {
  const hides = e => ["hidden", "clip"].includes(getComputedStyle(e).overflowX);
  const faults = [];
  for (const e of document.querySelectorAll(".scrolls")) {
    const right = e.getBoundingClientRect().right;
    for (let outer = e.parentElement; outer; outer = outer.parentElement)
      if (hides(outer) && right > outer.getBoundingClientRect().right + 0.5) {
        faults.push(`cut off by ${named(outer)}: ${named(e)}`);
        break;
      }
  }
  for (const e of document.querySelectorAll("pre, .bibtex, .katex-display"))
    if (e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
      faults.push(`wider than its place: ${named(e)}`);
  return faults;
}"""

# What a table says in one word stands in one piece: code, and a number, with its exponent or as a
# date. What is folded is unfolded, for the look.
BROKEN_WORDS = """() => {
  const NUMBER = /\\d[\\d.]*(?:e?[-+]\\d+)*/g, faults = [], range = document.createRange();
  const closed = [...document.querySelectorAll("details:not([open])")];
  for (const fold of closed) fold.open = true;
  for (const cell of document.querySelectorAll("td, th")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
      const inside = text.parentElement;
      if (inside.closest(".katex-mathml, .visually-hidden") || !inside.checkVisibility()) continue;
      const whole = [{0: text.data, index: 0}];
      for (const {0: word, index} of inside.closest("code") ? whole : text.data.matchAll(NUMBER)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(box => Math.round(box.bottom)));
        if (lines.size > 1) faults.push(`broken in a table: ${word} of ${named(cell)}`);
      }
    }
  }
  for (const fold of closed) fold.open = false;
  return faults;
}"""

# The cells of a row stand on one line, below that of the row before, and each in its column, so
# that reasons stand in the last one; and no cell begins left of where the formula may. On a
# telephone a row is a block.
ROWS = """() => {
  const faults = [];
  const marks = new Map(); // an empty box at the beginning of each cell stands on its line
  for (const cell of document.querySelectorAll(".rows > .row > .side")) {
    marks.set(cell, document.createElement("span"));
    marks.get(cell).style.cssText = "display: inline-block; width: 0; height: 0";
    cell.prepend(marks.get(cell));
  }
  const baseline = cell => marks.get(cell).getBoundingClientRect().bottom;
  for (const formula of document.querySelectorAll(".katex-html.rows")) {
    const {display} = getComputedStyle(formula.firstElementChild);
    if (!formula.checkVisibility() || display === "block") continue;
    const rows = [...formula.children].map(row => [...row.children]);
    const left = cell => cell.getBoundingClientRect().left;
    const longest = rows.reduce((a, b) => (b.length > a.length ? b : a));
    const edges = longest.map(left);
    let above = -Infinity;
    const torn = rows.find(row => {
      const lines = row.filter(cell => cell.textContent).map(baseline);
      const shifted = row.some((cell, i) => Math.abs(left(cell) - edges[i]) > 1);
      const below = lines[0] > above;
      above = lines[0];
      return shifted || !below || lines.some(line => Math.abs(line - lines[0]) > 1);
    });
    if (torn) faults.push(`a row is torn: ${torn.map(cell => cell.textContent).join(" | ")}`);
    const start = left(formula.closest(".katex-display"));
    if ([...formula.querySelectorAll(".base")].some(base => left(base) < start - 1))
      faults.push(`a formula begins where nobody can scroll to: ${named(formula)}`);
  }
  for (const mark of marks.values()) mark.remove();
  return faults;
}"""

# A line of a displayed formula begins with a relation, and does not end with one, nor in brackets.
LINE_ENDS = """() => {
  const faults = [];
  for (const formula of document.querySelectorAll(".katex-display .katex-html")) {
    const bases = [...formula.querySelectorAll(".base")];
    const boxes = bases.map(base => base.getBoundingClientRect());
    const ends = bases.filter((_, i) => boxes[i + 1] && (boxes[i + 1].left < boxes[i].right - 1));
    for (const base of ends)
      if (base.querySelector(":scope > :nth-last-child(1 of :not(.mspace)).mrel"))
        faults.push(`a line ends with a relation: ${base.textContent}`);
    let open = 0;
    for (const base of bases) {
      const signs = base.querySelectorAll(":is(.mopen, .mclose):not(:has(.mclose))");
      for (const {textContent: sign} of signs)
        open += /[([{]/.test(sign) - /[)\\]}]/.test(sign);
      if (open && ends.includes(base)) faults.push(`a line ends in brackets: ${base.textContent}`);
    }
  }
  return faults;
}"""

# What a reader is told by the scroll bar: how long the page is, before all of it was seen.
GROWS = """async () => {
  const page = document.scrollingElement, before = page.scrollHeight;
  for (let y = 0; y < page.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
  }
  const after = page.scrollHeight;
  scrollTo(0, 0);
  return Math.abs(after - before) > 50 ? [`grows while one scrolls: ${before} to ${after} px`] : [];
}"""


def asked(page: Any, script: str) -> Any:
    """What a script says of a page; an error if it does not answer."""
    return page.evaluate(f"""() => {{
      {NAME}
      const silent = fail => setTimeout(() => fail(Error("no answer")), {PATIENCE});
      return Promise.race([({script})(), new Promise((_, fail) => silent(fail))]);
    }}""")


def sideways(page: Any) -> list[str]:
    """Whether the page as a whole scrolls sideways, and what sticks out."""
    return asked(page, SIDEWAYS)


def cut_off(page: Any) -> list[str]:
    """Programs and formulas that neither break nor shrink enough, and what scrolls inside itself,
    but beyond the edge of a part of the page that hides the rest."""
    return asked(page, CUT_OFF)


def broken_words(page: Any) -> list[str]:
    """Numbers and pieces of code in tables that stand on two lines."""
    return asked(page, BROKEN_WORDS)


def rows(page: Any) -> list[str]:
    """Rows of derivations whose cells do not stand on one line, each in its column."""
    return asked(page, ROWS)


def line_ends(page: Any) -> list[str]:
    """Lines of displayed formulas that end with a relation or in brackets."""
    return asked(page, LINE_ENDS)


def mathematics(page: Any) -> list[str]:
    """Formulas that are marked as faulty, not rendered, of no size or torn from their mark, and
    fonts that lack."""
    return asked(page, MATHEMATICS) + asked(page, MARKS)


def growth(page: Any) -> list[str]:
    """Whether the page becomes longer or shorter while it is read."""
    return asked(page, GROWS)


def figures(page: Any) -> list[str]:
    """Pictures that are not loaded or have no text in their place."""
    return asked(page, FIGURES)


def shifts(page: Any, limit: float = SHIFT_LIMIT) -> list[str]:
    """Whether what stood already was moved, while the page loaded, by more than the limit."""
    total, moved = asked(page, SHIFTS)
    return [f"layout shift of {total:.3f}: {moved}"] if total > limit else []


# ---- Accessibility, by axe-core ----

# A formula is thousands of elements, hidden from screen readers, of one size and one colour. For
# axe each becomes one box of the same size, in the same colour.
FORMULAS_AS_BOXES = """() => {
  // the script that fits long formulas to their line would measure the boxes
  for (const e of document.querySelectorAll(".katex-display[style*='--fit'] > .katex"))
    e.style.fontSize = getComputedStyle(e).fontSize;
  const drawn = [...document.querySelectorAll(".katex-html")];
  const sizes = drawn.map(e => {
    const box = e.getBoundingClientRect();
    return [Math.max(box.width, e.scrollWidth), Math.max(box.height, e.scrollHeight)];
  });
  drawn.forEach((e, i) => {
    const box = document.createElement("span");
    box.textContent = "x";
    // the text at the far corner, where axe looks for what is scrolled away
    box.style.cssText = `display: inline-flex; justify-content: end; align-items: end;
      overflow: hidden; vertical-align: top;
      width: ${sizes[i][0]}px; height: ${sizes[i][1]}px`;
    e.replaceChildren(box);
  });
  for (const e of document.querySelectorAll(".katex-mathml semantics"))
    e.replaceChildren(e.querySelector("annotation"));
}"""

# The contrast of a text depends on its colour, on what is behind it, on its size, its weight and
# how transparent it is. A site repeats few such kinds of text many thousands of times.
KINDS_OF_TEXT = """() => {
  const grounds = new Map();
  const ground = e => {
    if (!e) return "";
    if (!grounds.has(e)) {
      const style = getComputedStyle(e);
      const clear = /^rgba\\(.*, 0\\)$/.test(style.backgroundColor);
      const own = [clear ? "" : style.backgroundColor, style.backgroundImage.replace("none", ""),
        style.opacity.replace(/^1$/, ""), style.filter.replace("none", "")].join("");
      grounds.set(e, ground(e.parentElement) + own);
    }
    return grounds.get(e);
  };
  const written = e => e.matches("input, select, textarea")
    || [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const kinds = new Set();
  for (const e of document.body.querySelectorAll("*")) {
    if (!written(e) || !e.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(e);
    e.dataset.textKind = [e.tagName, style.color, style.fontSize, style.fontWeight,
      style.textDecorationLine, ground(e)].join();
    kinds.add(e.dataset.textKind);
  }
  return [...kinds];
}"""

# Two texts of each kind that is asked for are left, with all that they stand in. Of anything else
# an empty element is left, which the selectors of the style sheet take for the whole one.
LEAVE_TWO_OF_EACH = """kinds => {
  const left = Object.fromEntries(kinds.map(kind => [kind, 2]));
  const kept = new Set();
  for (const e of document.querySelectorAll("[data-text-kind]"))
    if (left[e.dataset.textKind]-- > 0)
      for (let outer = e; outer; outer = outer.parentElement) kept.add(outer);
  window.emptied = [];
  const empty = e => {
    for (const part of [...e.children]) {
      if (kept.has(part)) empty(part);
      else window.emptied.push([part, part.cloneNode(false)]);
    }
  };
  empty(document.body);
  for (const [part, shell] of window.emptied) part.replaceWith(shell);
}"""

RESTORE = """() => {
  for (const [part, shell] of window.emptied ?? []) shell.replaceWith(part);
  delete window.emptied;
  for (const e of document.querySelectorAll("[data-text-kind]")) delete e.dataset.textKind;
}"""

BY_COLOUR = ("color-contrast", "link-in-text-block")
VIOLATIONS = {"resultTypes": ["violations"], "preload": False}


def axe_rules(page: Any) -> list[str]:
    """What axe-core finds by every rule that is on by default, but for those about colour.

    The formulas of the page are replaced by boxes of their size.
    """
    asked(page, FORMULAS_AS_BOXES)
    return violations(page, {"rules": {rule: {"enabled": False} for rule in BY_COLOUR}})


def axe_colours(page: Any, sound: set[str]) -> list[str]:
    """What axe-core finds by its rules about colour. The formulas are replaced, as above.

    Args:
        page: the page.
        sound: the kinds of text that were found to be sound; they are not judged again, and new
            ones are added.
    """
    asked(page, FORMULAS_AS_BOXES)
    # a change of theme may still fade
    page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
    new = set(asked(page, KINDS_OF_TEXT)) - sound
    found = []
    if new:
        page.evaluate(LEAVE_TWO_OF_EACH, sorted(new))
        lost = new.difference(asked(page, KINDS_OF_TEXT))
        assert not lost, f"the parts that are left out change the look of the others: {lost}"
        found = violations(page, {"runOnly": list(BY_COLOUR)})
    asked(page, RESTORE)
    if not found:
        sound |= new
    return found


def violations(page: Any, options: dict[str, Any]) -> list[str]:
    """The violations that axe-core finds with the options, with the first elements of each."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=VIOLATIONS | options).response["violations"]
    return [
        f"axe {rule['id']}: {rule['help']}: {len(rule['nodes'])} elements: "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in rule["nodes"][:3])
        for rule in found
    ]
