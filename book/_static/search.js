// The search of the site: ranks the places of SEARCH_DATA, which search-data.js sets.
//
// A place is a section, a result, a term, a reference or a name of the library. It is found by the
// words of its text, of its title and of the index entries that lead to it, and for less by those of
// the page around it. Words are compared by their stems, in American or British spelling; a decimal is
// one word; words that touch may be one, as in gelu_fast; the beginning of a word finds the word, for
// less. A place that lacks words comes after those that have them, the farther the rarer they are.
// Chinese and Japanese put no spaces between words: there every two letters that touch are one, and a
// letter alone finds what has it. Groups of words that mean the same, and Sphinx's stemmer, stand in
// the data. Tests hold the first places of known questions.

"use strict";

const bookSearch = (() => {
  const UNPARTED = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー"; // letters of words without spaces
  const WORD = new RegExp(
    `\\p{Nd}+(?:[./]\\p{Nd}+)+|[${UNPARTED}]+|(?:(?![${UNPARTED}])[\\p{L}\\p{Nd}_])+`, "gu");
  const HYPHENED = /(?<![\w-])(?:[a-z]+-\d+|[a-z]-[a-z]{2,})(?![\w-])/gi;
  const ARGUMENT = /([a-z]\w*)=["'“”‘’]?(\w+)/gi; // of a call, as in approximate="tanh"
  const HAS_UNPARTED = new RegExp(`[${UNPARTED}]`, "u");
  const ALL_UNPARTED = new RegExp(`^[${UNPARTED}]{2,}$`, "u");
  const ONE_UNPARTED = new RegExp(`^[${UNPARTED}]$`, "u");
  const KINDS = {
    page: 1.15, section: 1, term: 0.8, result: 0.7, printed: 0.5,
    reference: 0.4, aside: 0.25, library: 0.25,
  };
  const NAME = /^\w+[_.][\w.]+$/; // a question that may be the name of something in the library
  const IN_TITLE = 2.5, IN_INDEX = 1.5; // beside at most 1 for the text
  const TITLE_ASKED = 1, MAIN_ASKED = 1.5, ENTRY_ASKED = 0.7; // of the words of it, if all were asked
  const TITLED = 0.4; // of all words, when the title has each
  const APART = 0.5; // when words that mean something together do not touch
  const MOST_LONG = 4; // times the average length
  const LENGTH = 0.5, USUAL_TITLE = 4; // a word counts less in a longer title
  const IN_MAIN = 4.5, IN_ENTRY = 3; // when it is all of an entry, whose main place this is or not
  const ENOUGH = 0.4; // what a word must count to be there, and not in part
  const MOST_RARE = 4.5;
  const IN_PAGE = 0.8; // in the title or the index entries of the page around a section
  const ON_PAGE = 0.35; // somewhere else on the page
  const OF_LIBRARY = 0.2; // of a place, where words are counted
  // When the question is all of it, or means the same.
  const WHOLE_TITLE = 36, SAME_TITLE = 4, WHOLE_ENTRY = 6, MAIN_ENTRY = 45, ID = 90;
  const JOINED = 2.2; // what a name counts that joins words of the question
  const SAME = 0.85; // what a word counts that means the same as the one that was asked,
  const ALSO = 0.6; // and where the book has that one too
  const BEGINNING = 0.4; // what a word counts that only begins with the one that was asked
  const SHORTEST_BEGINNING = 2, SHORTEST_PART = 3, LONGEST_RUN = 4;
  const SHORT = 4; // letters of a word that, where the book has it, is no beginning: Wan is not Wang
  const INPUT = 0.2; // of its rarity, what a whole number with a sign counts, which is no name
  const SIGNED = /(?<!\S)[-−–+]\p{Nd}{1,3}(?![\w.,/-])/gu;
  const FEW_DIGITS = /^[\d.]{1,4}$/, MANY_DIGITS = /^\d+\.\d{5,}$/; // cut off, it is the same number
  const SATURATION = 1; // how soon further occurrences stop counting
  const BESIDE = 0.25; // what an occurrence in a table, a program or an output counts
  const LONGEST_CODE = 100; // characters of a line of a program that are shown
  const LEAST_SHARE = 0.6; // of the weight of the words asked, that a place must have to be shown
  const LACK = 2.5; // how much it costs a place to lack some of it

  let places = [], stopwords = new Set(), averageLength = 1, number = 0;
  let postings = new Map(), frequency = new Map(), vocabulary = [], values = new Map();
  let entered = new Map();
  let same = new Map();
  const stems = new Map();

  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // The words of a text with their places; accents and the s of a genitive do not count. What a
  // hyphen joins to a number is also one word, and to a letter only one: GPT-2 is gpt, 2 and gpt2, and
  // I-BERT is ibert. The argument of a call is its name, its value, and both.
  function* words(text) {
    for (const {0: chunk, index} of text.matchAll(/\S+/gu))
      for (const {word, start, end, joint} of wordsOf(chunk))
        yield {word, start: index + start, end: index + end, joint};
  }

  // The same of a text without a space; most of them come again, so that each is parted once.
  const parted = new Map();
  function wordsOf(chunk) {
    if (!parted.has(chunk)) {
      const bare = chunk.replace(/[’']s(?!\p{L})/u, match => " ".repeat(match.length));
      const found = [...bare.normalize("NFC").matchAll(WORD)].flatMap(inPairs);
      const joint = chunk.includes("-") ? [...bare.matchAll(HYPHENED)] : [];
      const apart = found.filter(({index}) => !joint.some(({0: word, index: from}) =>
        word[1] === "-" && index >= from && index < from + word.length));
      const named = [...bare.matchAll(ARGUMENT)].map(({1: name, 2: value, index}) =>
        ({word: `${name}=${value}`, index, length: name.length, joint: true}));
      const all = [...apart, ...joint].map(match => (
        {word: match[0].replace("-", ""), index: match.index, length: match[0].length,
          joint: joint.includes(match)}));
      parted.set(chunk, [...all, ...named].map(({word, index, length, joint}) =>
        ({word: plain(word), start: index, end: index + length, joint})));
    }
    return parted.get(chunk);
  }

  function inPairs(found) {
    const {0: word, index} = found;
    if (!ALL_UNPARTED.test(word)) return [found];
    return [...word.slice(1)].map((_, i) => ({0: word.slice(i, i + 2), index: index + i}));
  }

  // American and British spelling become one; which one does not matter.
  const SPELLINGS = [
    [/(?<=\w{3})iz(?=[aei]|$)/, "is"], [/(?<=\w{3})yz(?=[ei])/, "ys"],
    [/(?<=\w{2})our(?=$|s|ed|ing|al|able)/, "or"], [/(?<=\w{2}[bt])re(?=s?$)/, "er"],
    [/(?<=[aeiou][^aeiou]+[aeiou])ll(?=ed$|ing$)/, "l"], [/(?<=\w{2})ogue(?=s?$)/, "og"],
    [/(?<=\w{2})enc(?=e[sd]?$|ing$)/, "ens"],
  ];

  const OTHERWISE = /[iy]z|our|[bt]re|ll|ogue|enc/; // what may be spelled otherwise

  function stem(word) {
    if (!/^[a-z]{3,}$/.test(word)) return word;
    if (!stems.has(word)) {
      const spelled = !OTHERWISE.test(word) ? word
        : SPELLINGS.reduce((all, [from, to]) => all.replace(from, to), word);
      stems.set(word, new Stemmer().stemWord(spelled));
    }
    return stems.get(word);
  }

  const wordsIn = text => [...words(text)].map(({word}) => word);
  const stemsOf = text => wordsIn(text).map(stem);

  // A question, a title or an entry as a whole, in any order of its words. What means the same is
  // one: "the backward of GELU" is "GELU; derivative".
  const whole = text => keyOf(keysOf(text));
  const keysOf = text => [...new Set(runs(wordsIn(text)).map(unitKey))];
  const unitKey = ({group, run}) => (group ? `=${group.id}` : keyOf(run.map(stem)));
  const literally = text => keyOf(runs(wordsIn(text)).flatMap(({run}) => run.map(stem)));

  const keyOf = all => [...all].sort().join(" ");

  // The words parted into the longest runs that have a group of the same meaning, and single words,
  // without those that say nothing, unless there are no others.
  function runs(all) {
    const found = [];
    for (let i = 0; i < all.length;) {
      let length = Math.min(LONGEST_RUN, all.length - i);
      const key = () => keyOf(all.slice(i, i + length).map(stem));
      while (length > 1 && !same.has(key())) length -= 1;
      found.push({run: all.slice(i, i + length), group: same.get(key())});
      i += length;
    }
    const telling = found.filter(({run}) => run.length > 1 || !stopwords.has(run[0]));
    return telling.length ? telling : found;
  }

  // The words of a question: numbers as the book writes them, and what is joined as one word where
  // the book has it so, otherwise apart.
  function questioned(question) {
    const written = question
      .replace(/(?<![\p{L}\p{Nd}.])\.(?=\p{Nd})/gu, "0.")
      .replace(/(?<![\p{L}\p{Nd}.,])(\p{Nd}+),(\p{Nd}+)(?![\p{L}\p{Nd}.,])/gu, "$1.$2")
      .replace(/(\w)\s*=\s*(?=["'‘’“”]?\w)/g, "$1=");
    return [...written.matchAll(/\S+/gu)].flatMap(({0: chunk}) => {
      const all = wordsOf(chunk), known = all.filter(({word, joint}) => joint && frequency.has(word));
      const apart = all.filter(({word, start, joint}) => !joint && !known.some(
        one => one.word.split("=").includes(word) || start >= one.start && start < one.end));
      return [...apart, ...known].map(({word}) => word);
    });
  }

  function load(data) {
    stopwords = new Set(data.stopwords.flatMap(wordsIn));
    same = new Map();
    for (const [id, group] of (data.same ?? []).entries()) {
      const members = group.map(stemsOf);
      for (const key of members.map(keyOf)) {
        const known = same.get(key) ?? {id, members: []}; // of its first group
        same.set(key, {id: known.id, members: [...known.members, ...members]});
      }
    }
    places = data.pages.flatMap(([address, page, found, language]) => {
      const read = found.map(([kind, title, anchor, text, beside, entries]) => {
        const [inTitle, inText, inBeside, ...inEntries] =
          [title, text, beside, ...entries].map(stemsOf);
        return {
          kind, title, page, language, anchor, text, beside,
          address: anchor ? `${address}#${anchor}` : address,
          counts: counted(inText, inBeside),
          inTitle: new Set(inTitle),
          inIndex: new Set(inEntries.flat()),
          titleRoom: 1 - LENGTH + LENGTH * runs(wordsIn(title)).length / USUAL_TITLE,
          literal: literally(title),
          whole: whole(title),
          entries: entries.map(entry =>
            ({main: entry.startsWith("!"), keys: keysOf(entry), literal: literally(entry)})),
          titleKeys: keysOf(title),
          sequence: ` ${[inTitle, inText, inBeside, ...inEntries].flat().join(" ")} `,
        };
      });
      const [top] = read, all = counted(read.flatMap(place => [...new Set(stemsAt(place))]), []);
      top.places = read;
      for (const place of read) place.top = top;
      if (top.kind === "page") top.share = one => (all.get(one) ?? 0) / read.length;
      return read;
    });
    postings = new Map();
    for (const place of places)
      for (const one of new Set(stemsAt(place)))
        if (postings.has(one)) postings.get(one).push(place);
        else postings.set(one, [place]);
    // the reference of the library is long, and says little of what is common in the book
    const many = all => sum(all.map(({kind}) => (kind === "library" ? OF_LIBRARY : 1)));
    frequency = new Map([...postings].map(([one, all]) => [one, many(all)]));
    number = many(places);
    vocabulary = [...frequency.keys()].sort();
    values = new Map();
    entered = new Map();
    for (const place of places)
      for (const {main, keys, literal} of place.entries)
        for (const key of [`=${keyOf(keys)}`, literal])
          entered.set(key, [...entered.get(key) ?? [], [place, main ? IN_MAIN : IN_ENTRY]]);
    const lengths = places.map(({counts}) => sum(counts.values()));
    places.forEach((place, i) => { place.length = lengths[i]; });
    averageLength = sum(lengths) / places.length;
  }

  const sum = numbers => [...numbers].reduce((a, b) => a + b, 0);

  function counted(read, beside) {
    const counts = new Map();
    for (const [all, weight] of [[read, 1], [beside, BESIDE]])
      for (const one of all) counts.set(one, (counts.get(one) ?? 0) + weight);
    return counts;
  }

  const stemsAt = place => [...place.counts.keys(), ...place.inTitle, ...place.inIndex];

  const rarity = often => Math.min(MOST_RARE, Math.log((number + 2) / (often + 1)));

  // What a question asks for: for each run of its words the choices that will do, each some stems
  // that a place must have together, what the choice counts, and how rare it is.
  function asked(question) {
    const all = [...new Set(questioned(question))];
    const joint = joined(all);
    const inputs = (question.match(SIGNED) ?? []).map(text => text.slice(1));
    return runs(all).map(({run, group}) => {
      const own = run.map(stem);
      const choices = [{stems: own, weight: 1}];
      const also = own.every(one => frequency.has(one)) ? ALSO : SAME;
      for (const member of group?.members ?? [])
        if (keyOf(member) !== keyOf(own))
          choices.push({stems: member, weight: also, together: member.some(one => stopwords.has(one))});
      if (run.length === 1) choices.push(...begun(run[0]), ...split(run[0]));
      if (own[0].includes("=")) choices.push({stems: own[0].split("=").map(stem), weight: SAME});
      const known = choices.filter(({stems}) => stems.every(one => frequency.has(one)));
      const often = Math.max(0, ...known.filter(({weight}) => weight >= ALSO)
        .map(({stems}) => Math.min(...stems.map(one => frequency.get(one)))));
      const isInput = run.every(word => inputs.includes(word));
      const rare = rarity(often) * (isInput ? INPUT : 1);
      for (const choice of known) choice.rare = rare;
      for (const word of run) // what was written as one word counts as a rare one
        for (const one of joint.get(word) ?? [])
          known.push({stems: [one], weight: JOINED, rare: rarity(frequency.get(one))});
      return {choices: known, rare, isInput, also, key: unitKey({group, run}), literal: keyOf(own)};
    });
  }

  // For each word the names in which it is joined with its neighbours: fast gelu is gelu_fast.
  function joined(all) {
    const found = new Map(all.map(word => [word, new Set()]));
    for (let from = 0; from < all.length; from += 1)
      for (let to = from + 2; to <= Math.min(all.length, from + LONGEST_RUN); to += 1)
        for (const one of names(all.slice(from, to)))
          for (const word of all.slice(from, to)) found.get(word).add(one);
    return found;
  }

  const names = parts => [parts, [...parts].reverse()]
    .flatMap(some => ["", "_", "="].map(mark => stem(some.join(mark))))
    .filter(one => frequency.has(one));

  // A word that is two words of the book: fastgelu is fast gelu, and gelu_fast; llama4 is llama 4.
  function split(word) {
    const found = [];
    const bounds = /^[a-z]{5,}$/.test(word)
      ? [...word].map((_, i) => i).slice(SHORTEST_PART, 1 - SHORTEST_PART)
      : [word.search(/(?<=^[a-z]+)\d+$/)];
    for (const at of bounds.filter(at => at > 0)) {
      const parts = [word.slice(0, at), word.slice(at)];
      if (!parts.every(part => frequency.has(stem(part)) && !stopwords.has(part))) continue;
      if (!frequency.has(stem(word))) found.push({stems: parts.map(stem), weight: SAME});
      for (const one of names(parts)) found.push({stems: [one], weight: SAME});
    }
    return found;
  }

  // The words of the book that begin with one, or have a letter of those that need no spaces.
  function begun(word) {
    const own = stem(word), found = [];
    if (ONE_UNPARTED.test(word)) {
      for (const other of frequency.keys())
        if (other !== word && other.includes(word)) found.push({stems: [other], weight: 1});
    } else if (word.length >= SHORTEST_BEGINNING && !FEW_DIGITS.test(word) && !known(word)) {
      for (const other of new Set([...beginning(word), ...beginning(own)]))
        if (other !== own) {
          const part = BEGINNING * word.length / Math.max(word.length, other.length);
          found.push({stems: [other], weight: MANY_DIGITS.test(word) ? 1 : part});
        }
    }
    return found;
  }

  const known = word => word.length <= SHORT && frequency.has(stem(word));

  // The words of the book, in their order, that begin so.
  function beginning(text) {
    let low = 0, high = vocabulary.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (vocabulary[middle] < text) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (vocabulary[end]?.startsWith(text)) end += 1;
    return vocabulary.slice(low, end);
  }

  // What one stem counts at each place where it counts.
  function valuesOf(one) {
    if (!values.has(one)) {
      const all = new Map();
      for (const place of postings.get(one)) {
        const times = place.counts.get(one) ?? 0;
        const room = SATURATION * (0.4 + 0.6 * Math.min(MOST_LONG, place.length / averageLength));
        all.set(place, times / (times + room)
          + IN_TITLE / place.titleRoom * place.inTitle.has(one) + IN_INDEX * place.inIndex.has(one));
      }
      for (const top of new Set([...all.keys()].map(({top}) => top))) {
        if (top.inTitle.has(one) || top.inIndex.has(one))
          for (const place of top.places) all.set(place, Math.max(all.get(place) ?? 0, IN_PAGE));
        if (top.share)
          all.set(top, Math.max(all.get(top) ?? 0, ON_PAGE * Math.sqrt(top.share(one))));
      }
      values.set(one, all);
    }
    return values.get(one);
  }

  // What the choices of one run count at each place where they count.
  function worths({choices, rare, also, key, literal}) {
    const best = new Map();
    for (const [all, weight] of [[`=${key}`, also], [literal, 1]])
      for (const [place, value] of entered.get(all) ?? []) best.set(place, weight * rare * value);
    for (const {stems, weight, rare, together} of choices) {
      const [first, ...others] = stems.map(valuesOf);
      for (const [place, value] of first) {
        const least = Math.min(value, ...others.map(all => all.get(place) ?? 0));
        const touching = !others.length || place.sequence.includes(` ${stems.join(" ")} `);
        const apart = touching ? 1 : together ? 0 : APART;
        if (least && apart) best.set(place, Math.max(best.get(place) ?? 0, apart * weight * rare * least));
      }
    }
    return best;
  }

  // Whether a place has one of the choices itself, and not only its page.
  const hasOwn = (place, {choices}) => choices.some(({stems, together}) => (together
    ? place.sequence.includes(` ${stems.join(" ")} `)
    : stems.every(one => place.counts.has(one) || place.inTitle.has(one) || place.inIndex.has(one))));

  // What it counts that the question is all of a title, of an entry or of an address.
  function exactly(place, id, question, literal) {
    if (place.anchor && place.anchor === id) return ID;
    const entries = place.entries.filter(({keys}) => keyOf(keys) === question).map(entry =>
      (entry.main ? MAIN_ENTRY : WHOLE_ENTRY) * (entry.literal === literal ? 1 : ALSO));
    const title = place.literal === literal ? WHOLE_TITLE : place.whole === question ? SAME_TITLE : 0;
    return title + Math.max(0, ...entries);
  }

  // Whether the title has words for each that was asked.
  const titled = (place, units) => units.every(({choices}) => choices.some(({stems, weight}) =>
    weight >= ALSO && stems.every(one => place.inTitle.has(one))));

  // What it counts that the question has all words of the title, or of an entry.
  function contained(place, units) {
    const asked = new Map(units.map(({key, rare}) => [key, rare]));
    const all = keys => (keys.every(key => asked.has(key)) ? sum(keys.map(key => asked.get(key))) : 0);
    const entries = place.entries.map(({keys, main}) => (main ? MAIN_ASKED : ENTRY_ASKED) * all(keys));
    return Math.max(TITLE_ASKED * all(place.titleKeys), ...entries);
  }

  // The places that have the words of the question, or most of their weight, the best first. Those in
  // the language of the reader come before the English ones, and these before others; but letters of
  // words without spaces say themselves which languages are meant, and kana that it is Japanese.
  function search(question, reader = "en") {
    const units = asked(question);
    const id = question.trim().replace(/^ID:?\s+/i, ""); // as a box names its ID
    const text = questioned(question).join(" "), all = whole(text), literal = literally(text);
    const isName = places.some(({kind, title}) =>
      kind === "library" && NAME.test(id) && `.${title}`.endsWith(`.${id}`));
    const kana = /[\p{sc=Hira}\p{sc=Kana}]/u.test(question);
    const languages = kana ? ["ja", "zh"] : HAS_UNPARTED.test(question) ? ["zh ja"]
      : [reader, "en"].map(language => language.split("-")[0]);
    const foreign = ({language}) =>
      (languages.findIndex(some => some.includes(language.split("-")[0])) + 3) % 3;
    const total = sum(units.map(({rare}) => rare));
    const found = new Map();
    for (const unit of units)
      for (const [place, worth] of worths(unit)) {
        const so = found.get(place) ?? {worth: 0, rare: 0};
        const there = Math.min(unit.rare, worth / ENOUGH);
        found.set(place, {worth: so.worth + worth, rare: so.rare + there});
      }
    const own = [...found].filter(([place]) => units.some(unit => hasOwn(place, unit)));
    const ranked = own.map(([place, {worth, rare}]) => {
      const share = rare / total;
      const kind = isName ? Math.max(1, KINDS[place.kind]) : KINDS[place.kind];
      const heading = TITLED * total * titled(place, units) + exactly(place, id, all, literal);
      return {place, share, score: kind * ((worth + contained(place, units)) * share ** LACK + heading)};
    });
    const main = ranked.filter(({place}) => KINDS[place.kind] > KINDS.reference);
    const most = Math.max(0, ...(main.length ? main : ranked).map(({share}) => share));
    const shown = ranked.filter(({share}) => share >= LEAST_SHARE * most);
    shown.sort((a, b) => foreign(a.place) - foreign(b.place) || b.score - a.score);
    const complete = shown.some(({place}) =>
      units.every(unit => unit.isInput || hasOwn(place, unit)));
    return {places: shown.map(({place}) => place), complete};
  }

  // Where the sentences of a text begin, and its end.
  function ends(text) {
    const inside = [...text.matchAll(/[.!?:;][”’")]*\s+(?=[\p{Lu}“"(])|[。！？]/gu)];
    return [0, ...inside.map(({0: mark, index}) => index + mark.length), text.length];
  }

  // The sentences of a place that have the rarest words of the question, in parts that are hits or
  // not; of a sentence that is too long, the piece around them. Where a line of a table has rarer
  // ones, that line; and only where neither has any, a line of a program, with the number of its block.
  function excerpt(place, question, size = 230) {
    const units = asked(question);
    const letters = questioned(question).filter(word => ONE_UNPARTED.test(word));
    // the words of a choice among those of a text, as their places in the list; none if one lacks
    const placesOf = ({stems, together}, here) => {
      if (!together) {
        const at = stems.map(one => here.flatMap((other, i) => (other === one ? [i] : [])));
        return at.every(some => some.length) ? at.flat() : [];
      }
      const begins = here.flatMap((_, i) => (stems.every((one, j) => here[i + j] === one) ? [i] : []));
      return begins.flatMap(i => stems.map((_, j) => i + j));
    };
    const worthOf = found => {
      const here = found.map(({word}) => stem(word));
      return sum(units.map(({choices}) => Math.max(0, ...choices.map(choice =>
        (placesOf(choice, here).length ? choice.weight * choice.rare : 0)))));
    };
    const hitsOf = text => {
      const found = [...words(text)], here = found.map(({word}) => stem(word));
      const seen = new Set(units.flatMap(({choices}) => choices.flatMap(one => placesOf(one, here))));
      return found.filter((_, i) => seen.has(i)).map(each => aroundLetter(each, letters));
    };
    const lines = place.beside.split("\n"), isCode = line => line.startsWith("\t");
    const rarest = (best, text) => {
      const hits = hitsOf(text), worth = worthOf(hits);
      return worth > best.worth ? {text, hits, worth} : best;
    };
    const rows = lines.filter(line => !isCode(line)).map(row => row.replaceAll("\t", " · "));
    const none = {text: place.text, hits: [], worth: 0};
    const {text, hits, worth} = [place.text, ...rows].reduce(rarest, none);
    if (!worth) {
      const code = lines.filter(isCode).reduce(rarest, {worth: 0});
      if (code.worth) {
        const before = lines.slice(0, lines.indexOf(code.text) + 1);
        const block = before.filter(line => line.startsWith("\t\t")).length;
        const from = code.text.search(/\S/), to = cut(code.text, from + LONGEST_CODE);
        return {parts: marked(code.text, inside(code.hits, from, to), from, to, from), block};
      }
    }
    return {parts: around(text, hits, text === place.text ? ends(text) : [0, text.length])};

    function around(text, hits, starts) {
      const last = text.length;
      const reach = from => starts.findLast(end => end > from && end <= from + size) ?? from;
      const scores = starts.slice(0, -1).map(from => worthOf(inside(hits, from, reach(from))));
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

  function marked(text, hits, from, to, begin = 0) {
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
    if (from > begin) parts.unshift({text: "… ", hit: false});
    if (to < text.length) parts.push({text: " …", hit: false});
    return parts;
  }

  // Whether a question is a number with digits enough to be looked up among the constants of programs.
  const isNumber = question => {
    const digits = /^[-+−]?([\d.,]*\d[\d.,]*)(?:e[-+−]?\d+)?f?$|^0x([\da-f.p+-]+)$/i.exec(question);
    return (digits?.[1] ?? digits?.[2] ?? "").replace(/^[0.,]+|\D/g, "").length >= 3;
  };

  // Whether a page has it in its text, and not only the changelog or the library's reference.
  const inChapters = (all, number) => all.some(({kind, counts}) =>
    KINDS[kind] > KINDS.aside && questioned(number).some(word => counts.has(word)));

  return {load, search, excerpt, isNumber, inChapters};
})();

// ---- What a reader sees: the field, what it found, and how many places there are

function showSearch(form, status, list, {most, more, asked = () => {}}) {
  const NAMES = {
    result: "Result", printed: "As printed", term: "Term", reference: "Reference", library: "Library",
  };
  const LONGEST = 60; // characters of a question that are said again
  const PAUSE = 120; // milliseconds without a key until the question is answered
  const input = form.querySelector("input");

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function described(place, question) {
    const link = element("a", "", place.title);
    link.href = new URL(place.address, form.action).href; // as seen from the search page
    const heading = element("p", "search-title", link);
    if (place.kind in NAMES) heading.append(" ", element("span", "search-kind", NAMES[place.kind]));
    if (place.kind !== "page") heading.append(element("span", "search-page", place.page));
    const {parts, block} = bookSearch.excerpt(place, question);
    const text = parts.map(({text, hit}) => (hit ? element("mark", "", text) : text));
    const shown = block ? [`In the code, block ${block}: `, element("code", "", ...text)] : text;
    const item = element("li", "", heading, element("p", "search-excerpt", ...shown));
    item.lang = place.language;
    return item;
  }

  const echo = text => (text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text);

  // Where a number that no page has may be known.
  function numberLink(number) {
    const link = element("a", "", "Look it up among the constants of programs.");
    link.href = new URL(`book/magic-numbers.html?number=${encodeURIComponent(number)}`, form.action).href;
    return link;
  }

  function update(shown = most) {
    clearTimeout(due);
    const question = input.value.trim();
    const {places, complete} = question
      ? bookSearch.search(question, navigator.language) : {places: [], complete: true};
    list.replaceChildren(...places.slice(0, shown).map(place => described(place, question)));
    const many = places.length === 1 ? "One place" : `${places.length} places`;
    status.textContent = !question ? ""
      : !places.length ? `Nothing in the book has “${echo(question)}”.`
      : complete ? `${many} found.` : `No place has all of these words. ${many} with some of them:`;
    const looked = bookSearch.isNumber(question) && !bookSearch.inChapters(places, question);
    if (looked) status.append(" ", numberLink(question));
    asked(question);
    if (!more) return;
    more.hidden = places.length <= shown;
    more.onclick = () => {
      update(shown + most);
      list.children[shown].querySelector("a").focus();
    };
  }

  // The arrows lead from the field through the places and back, Escape back at once.
  function walk(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    const inList = list.contains(event.target);
    if (event.key === "Escape" && inList) input.focus();
    else if (step && (inList || event.target === input)) {
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(event.target) + step; // −1 is the field
      if (at >= links.length || at < -1) return;
      (links[at] ?? input).focus();
    } else return;
    event.preventDefault();
  }

  let due = 0;
  input.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(update, PAUSE);
  });
  for (const part of [input, list]) part.addEventListener("keydown", walk);
  update();
  return update;
}

if (typeof document !== "undefined") {
  const form = document.getElementById("search-form");
  if (form) {
    bookSearch.load(SEARCH_DATA);
    const input = form.querySelector("input");
    const [status, list, more] = ["status", "results", "more"]
      .map(name => document.getElementById(`search-${name}`));
    const inAddress = () => new URLSearchParams(location.search).get("q") ?? "";
    // The address keeps what is asked, so that the way back from a place leads to the list.
    const asked = question => {
      if (question === inAddress().trim()) return;
      const query = question ? `?q=${encodeURIComponent(question)}` : "";
      try {
        history.replaceState(null, "", location.pathname + query + location.hash);
      } catch {
        // a browser may forbid this to a page that is opened from a file; the search works
      }
    };
    input.value = inAddress();
    form.hidden = false;
    const update = showSearch(form, status, list, {most: 20, more, asked});
    window.addEventListener("pageshow", () => { // a browser may put what was typed before into the field
      if (input.value.trim() === inAddress().trim()) return;
      input.value = inAddress();
      update();
    });
    if (!input.value) input.focus();
  }
}
