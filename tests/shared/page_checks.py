"""Checks of a page that a browser shows. Each returns the faults that it found, one line each.

They take a page of Playwright that is loaded; an empty list is a pass. What goes wrong while a
page loads (the console, requests) is collected by ``browser.watch``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PATIENCE = 60_000  # milliseconds
SHIFT_LIMIT = 0.1  # the sum of layout shifts up to which Core Web Vitals calls a page good

# What every script below may use: the elements of a selector, the box of one, and a short name of
# it for the eye of who reads the fault.
NAMES = """
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const box = e => e.getBoundingClientRect();
const named = e => (e.outerHTML.match(/^<[^>]*>/) || [""])[0].slice(0, 120) + " "
  + e.textContent.trim().slice(0, 40);
"""


def asked(page: Any, body: str, given: Any = None) -> Any:
    """The ``faults`` that a script finds in a page, or what it returns; an error if it hangs."""
    script = f"""given => {{
      {NAMES}
      const said = async faults => {{ {body}; return faults; }};
      const silent = fail => setTimeout(() => fail(Error("no answer")), {PATIENCE});
      return Promise.race([said([]), new Promise((_, fail) => silent(fail))]);
    }}"""
    return page.evaluate(script, given)


def check(body: str) -> Callable[[Any], list[str]]:
    return lambda page: asked(page, body)


# Whether the page as a whole scrolls sideways, and what sticks out.
sideways = check("""
  const root = document.scrollingElement, wide = root.scrollWidth, room = root.clientWidth;
  if (wide <= room) return [];
  const out = all("body *").filter(e => box(e).right + scrollX > room + 0.5);
  const inmost = out.filter(e => !out.some(other => other !== e && e.contains(other)));
  const culprits = inmost.slice(0, 3).map(named).join("; ");
  return [`scrolls sideways: ${wide} px in ${room} px: ${culprits}`];
""")

# Formulas that are marked as faulty, not rendered, of no size or torn from the mark behind them,
# and fonts that lack.
mathematics = check("""
  for (const e of all(".katex-error")) faults.push(`formula marked as faulty: ${named(e)}`);
  for (const e of all(".math"))
    if (!e.querySelector(".katex, .katex-error")) faults.push(`formula not rendered: ${named(e)}`);
  const drawn = all(".katex-html").filter(e => e.checkVisibility());
  for (const e of drawn)
    if (box(e).width < 1 || box(e).height < 1) faults.push(`formula without size: ${named(e)}`);
  await document.fonts.ready;
  const faces = [...document.fonts].filter(face => /^["']?KaTeX_/.test(face.family));
  if (drawn.length && !faces.some(face => face.status === "loaded"))
    faults.push("no font of KaTeX is loaded");
  for (const face of faces)
    if (face.status === "error") faults.push(`font not loaded: ${face.family}`);
  for (const kept of all(".with-marks").filter(e => e.checkVisibility())) {
    const mark = kept.lastChild, last = all(".base", kept).at(-1), text = document.createRange();
    if (mark.nodeType !== Node.TEXT_NODE || !last) continue;
    text.selectNodeContents(mark);
    const ends = [...last.getClientRects()].at(-1);
    if (box(text).left < ends.left || box(text).top >= ends.bottom)
      faults.push(`a line begins with a mark: ${mark.data} after ${last.textContent}`);
  }
""")

# Pictures that are not loaded or have no text in their place.
figures = check("""
  for (const image of document.images) {
    image.loading = "eager";
    try { await image.decode(); } catch { /* the size says it */ }
    if (!image.naturalWidth) faults.push(`picture not loaded: ${named(image)}`);
    if (!image.alt.trim()) faults.push(`picture without alt text: ${named(image)}`);
  }
""")

# Programs and formulas that neither break nor shrink enough, and what scrolls inside itself, but
# beyond the edge of a part of the page that hides the rest, so that its end cannot be reached.
cut_off = check("""
  const hides = e => ["hidden", "clip"].includes(getComputedStyle(e).overflowX);
  for (const e of all(".scrolls"))
    for (let outer = e.parentElement; outer; outer = outer.parentElement)
      if (hides(outer) && box(e).right > box(outer).right + 0.5) {
        faults.push(`cut off by ${named(outer)}: ${named(e)}`);
        break;
      }
  for (const e of all("pre, .bibtex, .katex-display"))
    if (e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
      faults.push(`wider than its place: ${named(e)}`);
""")

# Code in a table, and numbers, with their exponent or as a date, that stand on two lines. What is
# folded is unfolded, for the look.
broken_words = check(r"""
  const NUMBER = /\d[\d.]*(?:e?[-+]\d+)*/g, range = document.createRange();
  const closed = all("details:not([open])");
  for (const fold of closed) fold.open = true;
  for (const cell of all("td, th")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
      const inside = text.parentElement;
      if (inside.closest(".katex-mathml, .visually-hidden") || !inside.checkVisibility()) continue;
      const whole = [{0: text.data, index: 0}];
      for (const {0: word, index} of inside.closest("code") ? whole : text.data.matchAll(NUMBER)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(line => Math.round(line.bottom)));
        if (lines.size > 1) faults.push(`broken in a table: ${word} of ${named(cell)}`);
      }
    }
  }
  for (const fold of closed) fold.open = false;
""")

# The cells of a row stand on one line, below that of the row before, and each in its column, so
# that reasons stand in the last one; and no cell begins left of where the formula may. On a
# telephone a row is a block.
rows = check("""
  const marks = new Map(); // an empty box at the beginning of each cell stands on its line
  for (const cell of all(".rows > .row > .side")) {
    marks.set(cell, document.createElement("span"));
    marks.get(cell).style.cssText = "display: inline-block; width: 0; height: 0";
    cell.prepend(marks.get(cell));
  }
  const baseline = cell => box(marks.get(cell)).bottom, left = cell => box(cell).left;
  for (const formula of all(".katex-html.rows")) {
    const {display} = getComputedStyle(formula.firstElementChild);
    if (!formula.checkVisibility() || display === "block") continue;
    const rows = [...formula.children].map(row => [...row.children]);
    const edges = rows.reduce((a, b) => (b.length > a.length ? b : a)).map(left);
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
    if (all(".base", formula).some(base => left(base) < start - 1))
      faults.push(`a formula begins where nobody can scroll to: ${named(formula)}`);
  }
  for (const mark of marks.values()) mark.remove();
""")

# Lines of displayed formulas that end with a relation, which begins the next one, or in brackets.
line_ends = check(r"""
  for (const formula of all(".katex-display .katex-html")) {
    const bases = all(".base", formula), boxes = bases.map(box);
    const ends = bases.filter((_, i) => boxes[i + 1] && (boxes[i + 1].left < boxes[i].right - 1));
    for (const base of ends)
      if (base.querySelector(":scope > :nth-last-child(1 of :not(.mspace)).mrel"))
        faults.push(`a line ends with a relation: ${base.textContent}`);
    let open = 0;
    for (const base of bases) {
      for (const {textContent: sign} of all(":is(.mopen, .mclose):not(:has(.mclose))", base))
        open += /[([{]/.test(sign) - /[)\]}]/.test(sign);
      if (open && ends.includes(base)) faults.push(`a line ends in brackets: ${base.textContent}`);
    }
  }
""")

# Whether the page becomes longer or shorter while it is read: the scroll bar tells how long it is.
growth = check("""
  const page = document.scrollingElement, before = page.scrollHeight;
  for (let y = 0; y < page.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
  }
  const after = page.scrollHeight, grown = Math.abs(after - before);
  scrollTo(0, 0);
  if (grown > 50) faults.push(`grows while one scrolls: ${before} to ${after} px`);
""")

MOVED = """
  const moved = new Set();
  let sum = 0;
  await document.fonts.ready;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries().filter(entry => !entry.hadRecentInput)) {
      sum += entry.value;
      for (const source of entry.sources) if (source.node?.outerHTML) moved.add(named(source.node));
    }
  }).observe({type: "layout-shift", buffered: true});
  await new Promise(answer => setTimeout(answer, 100));
  return [sum, [...moved].slice(0, 3).join("; ")];
"""


def shifts(page: Any, limit: float = SHIFT_LIMIT) -> list[str]:
    """Whether what stood already was moved, while the page loaded, by more than the limit."""
    total, moved = asked(page, MOVED)
    return [f"layout shift of {total:.3f}: {moved}"] if total > limit else []


# ---- Accessibility, by axe-core ----

BY_COLOUR = ("color-contrast", "link-in-text-block")
SIZE = "target-size"
# A formula is thousands of elements, hidden from screen readers, of one size and one colour. For
# axe each becomes one box of the same size, in the same colour, with a text at the far corner,
# where axe looks for what is scrolled away.
FORMULAS_AS_BOXES = """
  // the script that fits long formulas to their line would measure the boxes
  for (const e of all(".katex-display[style*='--fit'] > .katex"))
    e.style.fontSize = getComputedStyle(e).fontSize;
  const drawn = all(".katex-html");
  const sizes = drawn.map(e => [Math.max(box(e).width, e.scrollWidth),
    Math.max(box(e).height, e.scrollHeight)]);
  drawn.forEach((e, i) => {
    e.innerHTML = `<span style="display: inline-flex; justify-content: end; align-items: end;
      overflow: hidden; vertical-align: top; width: ${sizes[i][0]}px; height: ${sizes[i][1]}px"
      >x</span>`;
  });
  for (const e of all(".katex-mathml semantics")) e.replaceChildren(e.querySelector("annotation"));
"""
# The contrast of a text depends on its colour, on what is behind it, on its size, its weight and
# how transparent it is. A site repeats few such kinds of text many thousands of times: two texts of
# each kind that is not known are marked, and the kinds returned.
KINDS_OF_TEXT = r"""
  const grounds = new Map([[null, ""]]);
  const ground = e => {
    if (!grounds.has(e)) {
      const style = getComputedStyle(e);
      const clear = /^rgba\(.*, 0\)$/.test(style.backgroundColor);
      const own = [clear ? "" : style.backgroundColor, style.backgroundImage.replace("none", ""),
        style.opacity.replace(/^1$/, ""), style.filter.replace("none", "")].join("");
      grounds.set(e, ground(e.parentElement) + own);
    }
    return grounds.get(e);
  };
  const written = e => e.matches("input, select, textarea")
    || [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const kinds = new Map(given.map(kind => [kind, 2]));
  for (const e of all("[data-sample]")) delete e.dataset.sample;
  for (const e of all("body *")) {
    if (!written(e) || !e.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(e);
    const kind = [e.tagName, style.color, style.fontSize, style.fontWeight,
      style.textDecorationLine, ground(e)].join();
    const met = kinds.get(kind) ?? 0;
    if (met < 2) e.dataset.sample = "";
    kinds.set(kind, met + 1);
  }
  return [...kinds.keys()].slice(given.length);
"""


def axe_rules(page: Any) -> list[str]:
    """What axe-core finds by every rule that is on by default, but for those about colour.

    And by that of the size of what a finger hits, of WCAG 2.2, which is off by default. The
    formulas of the page are replaced by boxes of their size.
    """
    rules = {"rules": {rule: {"enabled": rule == SIZE} for rule in (*BY_COLOUR, SIZE)}}
    asked(page, FORMULAS_AS_BOXES)
    page.evaluate("scrollTo(0, 0)")  # the bar that stays covers nothing there
    return violations(page, rules)


def axe_colours(page: Any, sound: set[str]) -> list[str]:
    """What axe-core finds by its rules about colour. The formulas are replaced, as above.

    Args:
        page: the page.
        sound: the kinds of text that were found to be sound; they are not judged again, and new
            ones are added.
    """
    # a change of theme may still fade
    page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
    asked(page, FORMULAS_AS_BOXES)
    new = asked(page, KINDS_OF_TEXT, sorted(sound))
    rules, parts = {"runOnly": list(BY_COLOUR)}, {"include": [["[data-sample]"]]}
    found = violations(page, rules, parts) if new else []
    if not found:
        sound |= set(new)
    return found


def violations(page: Any, options: dict[str, Any], parts: Any = None) -> list[str]:
    """The violations that axe-core finds in parts of the page, with the first elements of each."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"], "preload": False} | options
    return [
        f"axe {rule['id']}: {rule['help']}: {len(rule['nodes'])} elements: "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in rule["nodes"][:3])
        for rule in Axe().run(page, parts, options).response["violations"]
    ]
