// The shell of a page: the choice of colours, the menus, and which regions take the keyboard.
"use strict";
{
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const modes = document.querySelectorAll('input[name="mode"]');

  const stored = () => {
    try {
      return localStorage.getItem("mode") ?? "auto";
    } catch {
      return "auto"; // storage is forbidden
    }
  };

  const show = (mode) => {
    const system = dark.matches ? "dark" : "light";
    root.dataset.theme = mode === "auto" ? system : mode;
    for (const button of modes) button.checked = button.value === mode;
  };

  const choose = (event) => {
    show(event.target.value);
    try {
      localStorage.setItem("mode", event.target.value);
    } catch {
      // the choice then holds for this page
    }
  };

  for (const button of modes) button.addEventListener("change", choose);
  dark.addEventListener("change", () => show(stored()));
  show(stored());

  // A link within the page leaves its menu open otherwise.
  for (const menu of document.querySelectorAll("[popover]"))
    menu.addEventListener("click", (event) => {
      if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
    });

  // What scrolls takes the keyboard and has a name; where all of it is seen, it need not.
  const NAMES = {"table-frame": "Table", "figure-frame": "Figure", "katex-display": "Equation"};
  const nameOf = (region) =>
    region.querySelector("caption")?.textContent ?? NAMES[region.classList[0]] ?? "Code";
  const settle = (regions) => {
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
  for (const region of document.querySelectorAll(".scrolls, .katex-display, pre")) observer.observe(region);
}
