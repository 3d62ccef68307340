// The search of the site: ranks the places of SEARCH_DATA, which search-data.js sets.
//
// A place is a section, a result, a term, a reference or a name of the library. It is found by the
// words of its text, of its title and of the index entries that lead to it. Words are compared by
// their stems; a decimal is one word; the beginning of a word finds the word, for less. Chinese and
// Japanese put no spaces between words: there every two letters that touch are one, and a letter
// alone finds what has it. Words that mean the same, and Sphinx's stemmer, stand in the data. Tests
// hold the first places of known questions.

"use strict";

const bookSearch = (() => {
  const UNPARTED = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー"; // letters of words without spaces
  const WORD = new RegExp(
    `\\p{Nd}+(?:[./]\\p{Nd}+)+|[${UNPARTED}]+|(?:(?![${UNPARTED}])[\\p{L}\\p{Nd}_])+`, "gu");
  const ALL_UNPARTED = new RegExp(`^[${UNPARTED}]{2,}$`, "u");
  const ONE_UNPARTED = new RegExp(`^[${UNPARTED}]$`, "u");
  const KINDS = {
    page: 1.1, section: 1, term: 1.05, result: 0.8, reference: 0.6, aside: 0.4, library: 0.3,
  };
  const IN_TITLE = 2.5, IN_INDEX = 2; // beside at most 1 for the text
  const WHOLE_TITLE = 24, WHOLE_ENTRY = 6, MAIN_ENTRY = 30, ID = 60; // when the question is all of it
  const BEGINNING = 0.4; // what a word counts that only begins with the one that was asked
  const SHORTEST_BEGINNING = 2;
  const SATURATION = 1.2; // how soon further occurrences stop counting

  let places = [], stopwords = new Set(), frequency = new Map(), averageLength = 1;
  let synonyms = new Map(), questions = new Map(), keywords = [];
  const stems = new Map();

  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // The words of a text with their places; accents and the s of a genitive do not count.
  function* words(text) {
    for (const {0: chunk, index} of text.matchAll(/\S+/gu))
      for (const {word, start, end} of wordsOf(chunk))
        yield {word, start: index + start, end: index + end};
  }

  // The same of a text without a space; most of them come again, so that each is parted once.
  const parted = new Map();
  function wordsOf(chunk) {
    if (!parted.has(chunk)) {
      const bare = chunk.replace(/[’']s(?!\p{L})/u, match => " ".repeat(match.length));
      const found = [...bare.normalize("NFC").matchAll(WORD)].flatMap(inPairs);
      parted.set(chunk, found.map(({0: word, index}) =>
        ({word: plain(word), start: index, end: index + word.length})));
    }
    return parted.get(chunk);
  }

  function inPairs(found) {
    const {0: word, index} = found;
    if (!ALL_UNPARTED.test(word)) return [found];
    return [...word.slice(1)].map((_, i) => ({0: word.slice(i, i + 2), index: index + i}));
  }

  function stem(word) {
    if (!/^[a-z]{3,}$/.test(word)) return word;
    if (!stems.has(word)) stems.set(word, new Stemmer().stemWord(word));
    return stems.get(word);
  }

  const stemsOf = text => [...words(text)].map(({word}) => stem(word));

  // The words of a text without those that say nothing, unless there are no others.
  function telling(text) {
    const all = [...words(text)].map(({word}) => word);
    const some = all.filter(word => !stopwords.has(word));
    return some.length ? some : all;
  }

  // The question, a title or an entry as a whole; "why tanh" is "tanh; why".
  const whole = text => telling(text).map(stem).sort().join(" ");

  // A question as it is answered: numbers as the book writes them, a keyword without quotes, and
  // another question that means the same.
  function rewritten(question) {
    const written = question
      .replace(/(?<![\p{L}\p{Nd}.])\.(?=\p{Nd})/gu, "0.")
      .replace(/(?<![\p{L}\p{Nd}.,])(\p{Nd}+),(\p{Nd}+)(?![\p{L}\p{Nd}.,])/gu, "$1.$2")
      .replace(/(\w)\s*=\s*["'’“”]?(\w+)["'’“”]?/g, "$1=$2");
    const text = keywords.reduce((all, [one, other]) => all.replaceAll(one, other), written);
    return questions.get(whole(text)) ?? text;
  }

  function load(data) {
    stopwords = new Set(data.stopwords);
    synonyms = new Map(Object.entries(data.words ?? {}));
    keywords = Object.entries(data.keywords ?? {});
    const asked = Object.entries(data.questions ?? {});
    questions = new Map(asked.map(([text, other]) => [whole(text), other]));
    places = data.pages.flatMap(([address, page, found, language]) =>
      found.map(([kind, title, anchor, text, beside, entries]) => ({
        kind, title, page, language, anchor, text, beside,
        address: anchor ? `${address}#${anchor}` : address,
        counts: counted(stemsOf(`${text} ${beside}`)),
        inTitle: new Set(stemsOf(title)),
        whole: whole(title),
        entries: entries.map(entry => ({
          main: entry.startsWith("!"), stems: stemsOf(entry), whole: whole(entry),
        })),
      })));
    frequency = counted(places.flatMap(place => [...new Set(stemsAt(place))]));
    const lengths = places.map(({counts}) => sum(counts.values()));
    places.forEach((place, i) => { place.length = lengths[i]; });
    averageLength = sum(lengths) / places.length;
  }

  const sum = numbers => [...numbers].reduce((a, b) => a + b, 0);

  function counted(all) {
    const counts = new Map();
    for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
    return counts;
  }

  const stemsAt = place =>
    [...place.counts.keys(), ...place.inTitle, ...place.entries.flatMap(entry => entry.stems)];

  // The stems that a word of the question stands for, each with what it counts.
  function meant(word) {
    const own = stem(word);
    if (ONE_UNPARTED.test(word))
      return [...frequency.keys()].filter(other => other.includes(word)).map(other => [other, 1]);
    const same = [own, ...stemsOf(synonyms.get(word) ?? "")].filter(one => frequency.has(one));
    const found = same.map(one => [one, 1]);
    if (word.length < SHORTEST_BEGINNING) return found;
    for (const other of frequency.keys())
      if (!same.includes(other) && (other.startsWith(word) || other.startsWith(own)))
        found.push([other, BEGINNING * word.length / Math.max(word.length, other.length)]);
    return found;
  }

  const rarity = one => Math.log(1 + places.length / frequency.get(one));

  // What one word of the question, by its stems, counts at a place.
  function worth(place, choices) {
    let best = 0;
    for (const [one, weight] of choices) {
      const times = place.counts.get(one) ?? 0;
      const room = SATURATION * (0.4 + 0.6 * place.length / averageLength);
      const indexed = place.entries.some(entry => entry.stems.includes(one));
      const here = times / (times + room) + IN_TITLE * place.inTitle.has(one) + IN_INDEX * indexed;
      best = Math.max(best, weight * rarity(one) * here);
    }
    return best;
  }

  // What it counts that the question is all of a title, of an entry or of an address.
  function exactly(place, asked, question) {
    if (place.anchor && place.anchor === asked) return ID;
    const entries = place.entries.filter(entry => entry.whole === question);
    const entry = entries.some(({main}) => main) ? MAIN_ENTRY : entries.length ? WHOLE_ENTRY : 0;
    return entry + (place.whole === question ? WHOLE_TITLE : 0);
  }

  // The places that have all words of the question, the best first; if none has, those that have
  // the most of them. Those in the language of the reader come first, and then the English ones; but
  // letters of words without spaces say themselves which language is meant.
  function search(question, reader = "en") {
    const meaning = rewritten(question);
    const choices = [...new Set(telling(meaning))].map(meant);
    const asked = question.trim().replace(/^ID:?\s+/i, ""); // as a box names its ID
    const all = whole(meaning);
    const languages = [reader, "en"].map(language => language.split("-")[0]);
    const isOpen = !new RegExp(`[${UNPARTED}]`, "u").test(question);
    const foreign = ({language}) => isOpen && (languages.indexOf(language.split("-")[0]) + 3) % 3;
    const ranked = places.map(place => {
      const worths = choices.map(choice => worth(place, choice));
      const score = KINDS[place.kind] * (sum(worths) + exactly(place, asked, all));
      return {place, score, matched: worths.filter(one => one > 0).length};
    });
    const most = Math.max(0, ...ranked.map(({matched}) => matched));
    const found = ranked.filter(({matched}) => most && matched === most);
    found.sort((a, b) => foreign(a.place) - foreign(b.place) || b.score - a.score);
    return {places: found.map(({place}) => place), complete: most === choices.length};
  }

  // Where the sentences of a text begin, and its end.
  function ends(text) {
    const inside = [...text.matchAll(/[.!?:;][”’")]*\s+(?=[\p{Lu}“"(])|[。！？]/gu)];
    return [0, ...inside.map(({0: mark, index}) => index + mark.length), text.length];
  }

  // The sentences of a place that have the most words of the question, in parts that are hits or not;
  // of a sentence that is too long, the piece around them. Where a line of a table or a program has
  // more of the words, that line.
  function excerpt(place, question, size = 230) {
    const asked = telling(rewritten(question));
    const choices = asked.map(word => new Map(meant(word)));
    const letters = asked.filter(word => ONE_UNPARTED.test(word));
    const which = ({word}) => choices.flatMap((c, i) => (c.has(stem(word)) ? [i] : []));
    const distinct = found => new Set(found.flatMap(which)).size;
    const hitsOf = text => [...words(text)].filter(found => which(found).length)
      .map(found => aroundLetter(found, letters));
    const rows = place.beside.split("\n").map(row => row.replaceAll("\t", " · "));
    const [text, hits] = [place.text, ...rows].map(each => [each, hitsOf(each)])
      .reduce((best, other) => (distinct(other[1]) > distinct(best[1]) ? other : best));
    const starts = text === place.text ? ends(text) : [0, text.length], last = text.length;
    const reach = from => starts.findLast(end => end > from && end <= from + size) ?? from;
    const scores = starts.slice(0, -1).map(from => distinct(inside(hits, from, reach(from))));
    const best = Math.max(...scores), first = starts[Math.max(0, scores.indexOf(best))];
    if (best > 0 || !hits.length) {
      const to = reach(first);
      return marked(text, inside(hits, first, to), first, to > first ? to : cut(text, first + size));
    }
    const wish = Math.max(0, hits[0].start - size / 3);
    const from = wish && text.indexOf(" ", wish) + 1;
    const to = from + size >= last ? last : Math.max(cut(text, from + size), hits[0].end);
    return marked(text, inside(hits, from, to), from, to);
  }

  // Of two letters that are a word, the one that was asked for alone.
  function aroundLetter(found, letters) {
    const place = Math.max(-1, ...letters.map(letter => found.word.indexOf(letter)));
    const start = found.start + place;
    return place < 0 ? found : {...found, start, end: start + 1};
  }

  const inside = (hits, from, to) => hits.filter(({start, end}) => start >= from && end <= to);

  // The end of the last word before a place of a text.
  const cut = (text, to) => (to >= text.length ? text.length : Math.max(0, text.lastIndexOf(" ", to)));

  function marked(text, hits, from, to) {
    const parts = [];
    let done = from;
    const add = (end, hit) => {
      if (end <= done) return;
      const last = parts.at(-1), piece = text.slice(done, end); // hits may touch, and share a letter
      if (hit && last?.hit) last.text += piece;
      else parts.push({text: piece, hit});
      done = end;
    };
    for (const {start, end} of hits) {
      add(start, false);
      add(end, true);
    }
    add(to, false);
    if (from > 0) parts.unshift({text: "… ", hit: false});
    if (to < text.length) parts.push({text: " …", hit: false});
    return parts;
  }

  return {load, search, excerpt};
})();

// ---- The page

function showSearch(form) {
  const MOST_SHOWN = 20;
  const NAMES = {result: "Result", term: "Term", reference: "Reference", library: "Library"};
  const input = form.querySelector("input");
  const status = document.getElementById("search-status");
  const list = document.getElementById("search-results");
  const more = document.getElementById("search-more");

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function described(place, question) {
    const link = element("a", "", place.title);
    link.href = place.address;
    const heading = element("p", "search-title", link);
    if (place.kind in NAMES) heading.append(" ", element("span", "search-kind", NAMES[place.kind]));
    if (place.kind !== "page") heading.append(element("span", "search-page", place.page));
    const parts = bookSearch.excerpt(place, question);
    const text = parts.map(({text, hit}) => (hit ? element("mark", "", text) : text));
    const item = element("li", "", heading, element("p", "search-excerpt", ...text));
    item.lang = place.language;
    return item;
  }

  function update(shown = MOST_SHOWN) {
    const question = input.value.trim();
    const {places, complete} = question
      ? bookSearch.search(question, navigator.language) : {places: [], complete: true};
    list.replaceChildren(...places.slice(0, shown).map(place => described(place, question)));
    const many = places.length === 1 ? "One place" : `${places.length} places`;
    status.textContent = !question ? ""
      : !places.length ? `Nothing in the book has “${question}”.`
      : complete ? `${many} found.` : `No place has all of these words. ${many} with some of them:`;
    more.hidden = places.length <= shown;
    more.onclick = () => {
      update(shown + MOST_SHOWN);
      list.children[shown].querySelector("a").focus();
    };
  }

  bookSearch.load(SEARCH_DATA);
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.addEventListener("input", () => update());
  form.hidden = false;
  update();
  if (!input.value) input.focus();
}

if (typeof document !== "undefined") {
  const form = document.getElementById("search-form");
  if (form) showSearch(form);
}
