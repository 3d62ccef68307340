// What a term means and what a result says, beside a link to it: when the pointer rests on the link
// or the keyboard reaches it. Escape closes it, and the pointer may go into it.
//
// PREVIEWS, by the address in the site, comes as a script when it is first asked for: it works in a
// page that is opened from a file, and asks no other site.
"use strict";
{
  const REST = 250; // milliseconds: until it opens, and until it closes
  const root = new URL(document.documentElement.dataset.content_root, location.href).href;
  const data = new URL("_static/preview-data.js", root).href;
  const box = document.createElement("div");
  Object.assign(box, {id: "preview", className: "preview", popover: "manual", lang: "en"});
  box.setAttribute("role", "tooltip");
  let shownAt = null, timer = 0, loading = null;

  const load = () => loading ??= new Promise((done) => {
    const script = document.createElement("script");
    Object.assign(script, {src: data, onload: done, onerror: done});
    document.head.append(script);
  });

  // The address of a link within the site; that of a result for ever is its ID alone.
  const key = (link) => link.href.slice(root.length).replace(/^(?:book\/)?results\.html(?=#)/, "");
  const inside = (link) => link.href.startsWith(root)
    && !link.matches(".headerlink, .result-menu a"); // the address in a box is its own

  async function show(link) {
    await load();
    const known = globalThis.PREVIEWS?.[key(link)];
    if (!known || link !== shownAt) return;
    const [title, text] = known;
    const name = document.createElement("strong");
    name.textContent = title;
    box.replaceChildren(name, document.createElement("br"), text);
    if (!box.isConnected) document.body.append(box);
    link.setAttribute("aria-describedby", box.id);
    box.showPopover();
    place();
  }

  function place() {
    const link = shownAt;
    if (!link || !box.matches(":popover-open")) return;
    const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const room = document.documentElement.clientWidth - box.offsetWidth - 8;
    box.style.left = `${Math.max(8, Math.min(at.left, room))}px`;
    const below = at.bottom + 4, above = at.top - box.offsetHeight - 4;
    box.style.top = `${below + box.offsetHeight > innerHeight && above > 0 ? above : below}px`;
  }

  function hide() {
    clearTimeout(timer);
    shownAt?.removeAttribute("aria-describedby");
    shownAt = null;
    if (box.matches(":popover-open")) box.hidePopover();
  }

  const later = (what) => {
    clearTimeout(timer);
    timer = setTimeout(what, REST);
  };
  const open = (link, wait) => {
    if (link === shownAt) return clearTimeout(timer);
    hide();
    shownAt = link;
    if (wait) later(() => show(link));
    else show(link);
  };

  for (const link of document.querySelectorAll("article a[href*='#']")) {
    if (!inside(link)) continue;
    link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && open(link, true));
    link.addEventListener("pointerleave", () => later(hide));
    link.addEventListener("focus", () => link.matches(":focus-visible") && open(link, false));
    link.addEventListener("blur", hide);
  }
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", () => later(hide));
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", place, {passive: true});
}
