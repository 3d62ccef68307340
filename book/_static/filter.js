// The filter of the results, by status, chapter, words and numbers, of the claims, by verdict, post
// and words, of the models, by form, letter and words, and of the programs, by form, kind and words.
// A decimal finds each number that begins with it or is rounded to it.
//
// The address keeps the filter, as ?status=proof,certified&chapter=gelu&text=error, so that a view
// can be shared. An entry that the address names after # is always shown.

"use strict";

const entriesFilter = (() => {
  const words = text => text.toLowerCase().split(/\s+/).filter(Boolean);

  // A name of a model without hyphens, underscores and points, since people write them or leave them out.
  const plain = text => text.toLowerCase().replace(/[-_.]/g, "");

  // Whether an entry {id, words, numbers, kind, group} passes a filter {kinds, group, text}. No kind
  // means all of them, and so does no group.
  function passes(entry, {kinds, group, text, places}) {
    const named = `${entry.id} ${entry.kind} ${entry.words}`.toLowerCase();
    const found = word =>
      named.includes(word) ||
      entry.plain?.includes(plain(word)) ||
      entry.numbers.some(number => resultNumbers.agrees(number, word));
    return (
      (!kinds.length || kinds.includes(entry.kind)) &&
      (!group || entry.group === group) &&
      (places ? places.includes(entry.place) : words(text).every(found))
    );
  }

  // How many entries would pass if a part of the filter were another.
  const count = (entries, filter, changed) =>
    entries.filter(entry => passes(entry, {...filter, ...changed})).length;

  // A filter that asks for a model by its name, with the places of the rows that the name means, and
  // what to say of it. Any other filter stays as it is.
  function named(filter, data) {
    const rows = modelNames.meant(filter.text, data);
    if (!rows.length) return filter;
    const models = [...new Set(rows.map(({model}) => model))].join(" and ");
    const forms = [...new Set(rows.map(({form}) => form))].join(", ");
    const says = `“${echo(filter.text.trim())}” is ${models}: ${forms}.`;
    return {...filter, places: rows.map(({model, part}) => `${model}, ${part}`), says};
  }

  // What is shown, in words.
  function summary(shown, all, noun, named, folded) {
    if (folded) return `${all} ${noun}, the main ones first.`;
    const found = shown === all ? `All ${all} ${noun}.` : `${shown} of ${all} ${noun}.`;
    return named ? `${found} Also ${named}, which the address names.` : found;
  }

  // A text as it is said again, which may be long.
  const LONGEST = 60;
  const echo = text => (text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text);

  return {passes, count, named, summary, plain, echo};
})();

// ---- The page

// The entries of the page: their place, ID, kind, and the words and the numbers that they are found by.
const ENTRIES = {
  results: () => [...document.querySelectorAll(".result-row, .result-box")].map(box => {
    const line = box.querySelector(".result-title") ?? box.querySelector("a");
    const statement = box.querySelector("data, .katex-mathml"), number = box.querySelector(".exact");
    return {
      box,
      id: box.id,
      group: line.getAttribute("href")?.split(".html")[0], // the chapter
      kind: box.querySelector(".status").textContent,
      words: `${line.firstChild.textContent} ${statement.textContent}`,
      numbers: (statement.value ?? number.textContent).split(" "),
    };
  }),
  claims: () => [...document.querySelectorAll("tr [id^='claim-']")].map(anchor => {
    const box = anchor.closest("tr");
    const kind = box.querySelector("strong").textContent;
    return {box, id: anchor.id, kind, words: box.textContent, numbers: []};
  }),
  models: foldedRows,
  entries: foldedRows,
};

const FEW = 3; // entries that pass a filter, beside which the search of the book is offered

function foldedRows() {
  return [...document.querySelectorAll(".entries-fold tbody tr")].map(box => {
    const [id, kind] = [...box.querySelectorAll("strong")].map(word => word.textContent);
    const words = box.textContent;
    const place = box.querySelector("td").textContent.trim();
    return {box, id, kind, place, words, plain: entriesFilter.plain(words), numbers: []};
  });
}

function filterEntries(form) {
  const noun = form.dataset.entries;
  const checkboxes = [...form.querySelectorAll("input[type=checkbox]")];
  const select = form.querySelector("select"), field = form.querySelector("input[type=search]");
  const shown = document.getElementById("entries-shown");
  const entries = ENTRIES[noun]().map(entry => {
    const section = entry.box.closest("details.entries-fold, section");
    return {...entry, section, group: entry.group ?? section.id.replace(/^of-/, "")};
  });
  const data = document.getElementById("model-names");
  const names = data && JSON.parse(data.textContent);
  const sections = [...new Set(entries.map(({section}) => section))];
  const fold = sections.map(section => section.parentElement).find(around => around.matches("details"));
  for (const section of sections) {
    if (!entries.some(({group}) => section.id.endsWith(group))) continue; // no chapter
    const title = section.querySelector("h2, summary").firstChild.textContent.trim();
    select.append(new Option(title, section.id.replace(/^of-/, "")));
  }

  const chosen = () => ({
    kinds: checkboxes.filter(box => box.checked).map(box => box.value),
    group: select.value,
    text: field.value,
  });

  function readAddress() {
    const asked = new URLSearchParams(location.search);
    const kinds = (asked.get(checkboxes[0].name) ?? "").split(",");
    for (const box of checkboxes) box.checked = kinds.includes(box.value);
    select.value = asked.get(select.name) ?? "";
    if (select.selectedIndex < 0) select.value = ""; // no such group
    field.value = asked.get("text") ?? "";
  }

  function writeAddress({kinds, group, text}) {
    const parts = [
      kinds.length && `${checkboxes[0].name}=${kinds.map(encodeURIComponent).join(",")}`,
      group && `${select.name}=${group}`,
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
      const found = entriesFilter.count(entries, filter, {kinds: [box.value]});
      box.nextElementSibling.textContent = `${box.value} (${found})`;
    }
    for (const option of select.options) {
      option.dataset.title ??= option.textContent;
      const found = entriesFilter.count(entries, filter, {group: option.value});
      option.textContent = `${option.dataset.title} (${found})`;
    }
  }

  // Where else to look for what no entry has.
  function searchLink(text) {
    const link = document.createElement("a");
    const root = document.documentElement.dataset.content_root;
    link.href = `${root}search.html?q=${encodeURIComponent(text)}`;
    link.textContent = `Search the book for “${entriesFilter.echo(text)}”.`;
    return link;
  }

  function show() {
    const typed = chosen(), named = location.hash.slice(1);
    const filter = names ? entriesFilter.named(typed, names) : typed;
    let passing = 0;
    let extra = "";
    for (const section of sections) section.hidden = true;
    for (const {box, section, ...entry} of entries) {
      const passes = entriesFilter.passes(entry, filter);
      if (passes) passing += 1;
      else if (entry.id === named) extra = named;
      box.hidden = !passes && entry.id !== named;
      section.hidden &&= box.hidden;
    }
    // what is folded is opened if something is asked for, or the address names something in it
    const asked = filter.kinds.length || filter.group || filter.text.trim();
    for (const section of sections.filter(section => section.matches("details"))) {
      const meant = section.contains(document.getElementById(named));
      section.open = Boolean(asked) || meant || "open" in section.dataset;
      const found = section.querySelectorAll("tbody tr:not([hidden])").length;
      section.querySelector("summary span").textContent = `(${found})`;
    }
    if (fold) {
      fold.open ||= Boolean(asked);
      fold.hidden = !fold.querySelector(".result-row:not([hidden])");
    }
    showCounts(filter);
    shown.textContent = entriesFilter.summary(passing, entries.length, noun, extra, fold && !fold.open);
    if (filter.says) shown.append(` ${filter.says}`);
    else if (passing <= FEW && filter.text.trim()) shown.append(" ", searchLink(filter.text.trim()));
    writeAddress(typed);
  }

  // The address of a result leads on to its box; of what has its box here, to this.
  function showNamed() {
    const named = document.getElementById(location.hash.slice(1));
    if (named?.classList.contains("result-row")) location.replace(named.querySelector("a").href);
    show();
    named?.scrollIntoView();
  }

  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(() => { // after the fields are empty
    if (fold) fold.open = true;
    show();
  }));
  window.addEventListener("hashchange", showNamed);
  readAddress();
  showNamed();
}

if (typeof document !== "undefined") {
  const form = document.getElementById("entries-filter");
  if (form) filterEntries(form);
}
