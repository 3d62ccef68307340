// The filter of the results page: by status, by chapter, by words of the ID and the title.
//
// The address keeps the filter, as ?status=proof,certified&chapter=gelu&text=error, so that a view
// can be shared. An entry that the address names after # is always shown.

"use strict";

const resultsFilter = (() => {
  const words = text => text.toLowerCase().split(/\s+/).filter(Boolean);

  // Whether an entry {id, title, status, chapter} passes a filter {statuses, chapter, text}. No
  // status means all of them, and so does no chapter.
  function passes(entry, {statuses, chapter, text}) {
    const named = `${entry.id} ${entry.title}`.toLowerCase();
    return (
      (!statuses.length || statuses.includes(entry.status)) &&
      (!chapter || entry.chapter === chapter) &&
      words(text).every(word => named.includes(word))
    );
  }

  // How many entries would pass if a part of the filter were another.
  const count = (entries, filter, changed) =>
    entries.filter(entry => passes(entry, {...filter, ...changed})).length;

  // What is shown, in words.
  function summary(shown, all, named) {
    const found = shown === all ? `All ${all} results.` : `${shown} of ${all} results.`;
    return named ? `${found} Also ${named}, which the address names.` : found;
  }

  return {passes, count, summary};
})();

// ---- The page

function filterResults(form) {
  const {status: checkboxes, chapter: select, text: field} = form.elements;
  const shown = document.getElementById("results-shown");
  const entries = Array.from(document.querySelectorAll(".result-box"), box => {
    const link = box.querySelector(".result-chapter a");
    return {
      box,
      id: box.id,
      title: box.querySelector(".result-title").firstChild.textContent.trim(),
      status: box.querySelector(".status").textContent,
      chapter: link ? link.getAttribute("href").replace(/\.html.*/, "") : "",
      chapterTitle: link?.textContent,
    };
  });

  for (const {chapter, chapterTitle} of entries) {
    if (chapter && !select.querySelector(`[value="${chapter}"]`)) {
      select.append(new Option(chapterTitle, chapter));
    }
  }

  const chosen = () => ({
    statuses: Array.from(checkboxes).filter(box => box.checked).map(box => box.value),
    chapter: select.value,
    text: field.value,
  });

  function readAddress() {
    const asked = new URLSearchParams(location.search);
    const statuses = (asked.get("status") ?? "").split(",");
    for (const box of checkboxes) box.checked = statuses.includes(box.value);
    select.value = asked.get("chapter") ?? "";
    if (select.selectedIndex < 0) select.value = ""; // no such chapter
    field.value = asked.get("text") ?? "";
  }

  function writeAddress({statuses, chapter, text}) {
    const parts = [
      statuses.length && `status=${statuses.join(",")}`,
      chapter && `chapter=${chapter}`,
      text.trim() && `text=${encodeURIComponent(text.trim())}`,
    ].filter(Boolean);
    const query = parts.length ? `?${parts.join("&")}` : "";
    try {
      history.replaceState(null, "", location.pathname + query + location.hash);
    } catch {
      // a browser may forbid this to a page that is opened from a file; the filter works
    }
  }

  function showCounts(filter) {
    for (const box of checkboxes) {
      const found = resultsFilter.count(entries, filter, {statuses: [box.value]});
      box.nextElementSibling.textContent = `${box.value} (${found})`;
    }
    for (const option of select.options) {
      option.dataset.title ??= option.textContent;
      const found = resultsFilter.count(entries, filter, {chapter: option.value});
      option.textContent = `${option.dataset.title} (${found})`;
    }
  }

  function show() {
    const filter = chosen();
    const named = location.hash.slice(1);
    let passing = 0;
    let extra = "";
    for (const {box, ...entry} of entries) {
      const passes = resultsFilter.passes(entry, filter);
      if (passes) passing += 1;
      else if (entry.id === named) extra = named;
      box.hidden = !passes && entry.id !== named;
    }
    showCounts(filter);
    shown.textContent = resultsFilter.summary(passing, entries.length, extra);
    writeAddress(filter);
  }

  // An entry that was hidden, or moved as others were, has to be looked up once more; and again while
  // what stands above it, whose height is a guess until it comes near the window, is laid out.
  const frame = () => new Promise(requestAnimationFrame);
  const position = entry => entry.getBoundingClientRect().top;

  async function showNamed() {
    show();
    const entry = document.getElementById(location.hash.slice(1));
    const named = () => entry && entry.id === location.hash.slice(1); // until another one is
    for (let tries = 0, there; named() && tries < 10 && there !== position(entry); tries += 1) {
      entry.scrollIntoView();
      there = position(entry);
      await frame();
      await frame();
    }
  }

  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show)); // after the fields are empty
  window.addEventListener("hashchange", showNamed);
  window.addEventListener("load", showNamed); // the browser has gone to the entry itself, too early
  readAddress();
  showNamed();
}

if (typeof document !== "undefined") {
  const form = document.getElementById("results-filter");
  if (form) filterResults(form);
}
