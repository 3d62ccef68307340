// The shell of a page: light or dark, the menus, and which regions take the keyboard.
"use strict";
{
  const root = document.documentElement;
  const words = globalThis.WORDS; // of a page in another language than the book's
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const mode = document.querySelector("#mode");

  const stored = () => {
    try {
      return localStorage.getItem("mode");
    } catch {
      return null; // storage is forbidden
    }
  };

  // Until the reader presses the button, the system decides.
  const show = (chosen) => {
    const system = dark.matches ? "dark" : "light";
    root.dataset.theme = ["light", "dark"].includes(chosen) ? chosen : system;
    mode.ariaPressed = root.dataset.theme === "dark";
  };
  mode.addEventListener("click", () => {
    show(root.dataset.theme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("mode", root.dataset.theme);
    } catch {
      // the choice then holds for this page
    }
  });
  dark.addEventListener("change", () => show(stored()));
  show(stored());

  // A link within the page leaves its menu open otherwise.
  for (const menu of document.querySelectorAll("[popover]"))
    menu.addEventListener("click", (event) => {
      if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
    });

  // The key / leads to the search, where nothing else is being typed.
  const question = document.querySelector("#search-query, .search-field input");
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing || !question) return;
    event.preventDefault();
    const menu = question.closest("[popover]");
    if (menu && !question.checkVisibility()) menu.showPopover();
    question.focus();
    question.select();
  });

  // Where the menu has the field, what it finds is shown below it while one types. The data of the
  // search are large, so that they come with the first letter.
  const loaded = (name, base) => new Promise((done, failed) => {
    const src = new URL(`_static/${name}`, base).href;
    document.head.append(Object.assign(
      document.createElement("script"), {src, onload: done, onerror: failed}));
  });
  const menuField = document.querySelector("#book-menu .search-field");
  menuField?.addEventListener("input", async () => {
    for (const name of ["search-data.js", "search.js"]) await loaded(name, menuField.action);
    bookSearch.load(SEARCH_DATA);
    const [status, list] = ["status", "places"].map((name) => document.querySelector(`.found-${name}`));
    showSearch(menuField, status, list, {most: 6});
  }, {once: true});

  // The section that is being read is marked in the list of sections.
  const places = [...document.querySelectorAll("#page-menu a[href^='#']")]
    .map((link) => [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))
      ?? document.querySelector("article h1")])
    .filter(([, place]) => place);
  const mark = () => {
    const line = innerHeight / 4;
    const [read] = places.findLast(([, place]) => place.getBoundingClientRect().top <= line) ?? [];
    for (const [link] of places)
      if (link !== read) link.removeAttribute("aria-current");
    if (!read || read.ariaCurrent) return;
    read.setAttribute("aria-current", "true");
    const list = read.closest("#page-menu"), {top, bottom} = read.getBoundingClientRect();
    const box = list.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - box.height / 2;
  };
  let asked = 0;
  addEventListener("scroll", () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      mark();
    });
  }, {passive: true});
  mark();

  // The rows of a formula that is too wide have their reasons below them. If it still is, although it
  // has broken, it shrinks until it fits, but not below a size that can be read; then it scrolls.
  const LEAST = 0.5;
  const fit = (formulas) => {
    for (const formula of formulas) {
      formula.style.removeProperty("--fit");
      formula.classList.remove("stacked");
    }
    const wide = formulas.filter((formula) => formula.scrollWidth > formula.clientWidth);
    for (const formula of wide) formula.classList.add("stacked");
    let sizes = new Map(formulas.map((formula) => [formula, 1]));
    while (sizes.size) { // a smaller font may break lines elsewhere, so that it is tried again
      const next = new Map();
      for (const [formula, now] of sizes) {
        const share = formula.clientWidth / formula.scrollWidth;
        if (share < 1 && now > LEAST) next.set(formula, Math.max(0.98 * share * now, LEAST));
      }
      for (const [formula, then] of next) formula.style.setProperty("--fit", then);
      sizes = next;
    }
  };

  // The buttons that copy code, of a package which does not know these languages by these names.
  if (words) {
    const [copy, copied, failed] = ["Copy", "Copied!", "Failed to copy"].map((text) => words[text]);
    const titled = (icon, text) => icon.replace(/(?<=<title>).*(?=<\/title>)/, text);
    Object.assign(messages[locale], {copy, copy_success: copied, copy_failure: failed});
    [iconCopy, iconCheck] = [titled(iconCopy, copy), titled(iconCheck, copied)];
    for (const button of document.querySelectorAll(".copybtn")) {
      button.dataset.tooltip = copy;
      button.innerHTML = iconCopy;
    }
  }

  // What scrolls takes the keyboard and has a name; where all of it is seen, it need not.
  const NAMES = {"table-frame": "Table", "figure-frame": "Figure", "katex-display": "Equation"};
  const nameOf = (region) => {
    const name = NAMES[region.classList[0]];
    return region.querySelector("caption")?.textContent ?? words?.[name] ?? name;
  };
  const settle = (regions) => {
    fit(regions.filter((region) => region.classList.contains("katex-display")));
    const scrolls = regions.map((region) => region.scrollWidth > region.clientWidth);
    regions.forEach((region, i) => {
      const attributes = {tabindex: "0", role: "group", "aria-label": nameOf(region)};
      for (const [name, value] of Object.entries(attributes))
        if (scrolls[i]) region.setAttribute(name, value);
        else region.removeAttribute(name);
    });
  };
  const observer = new ResizeObserver((entries) => {
    // What was just laid out may have asked for fonts in which it is wider.
    document.fonts.ready.then(() => settle(entries.map(({ target }) => target)));
  });
  for (const region of document.querySelectorAll(".scrolls, .katex-display")) observer.observe(region);
}
