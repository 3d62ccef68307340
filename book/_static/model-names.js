// What a name of a model means, as a hub or a reader writes it: the same answer as form_of of the
// library gives, from the data that the page brings along.

"use strict";

const modelNames = (() => {
  const MOST = 12; // words that choose no model; with more, nothing is tried
  const plain = words => (words.join(" ").match(/[a-z]+|[0-9]+/g) ?? []).join(" ")
    .replace(/(?<=[0-9]) (?=[0-9])/g, ".").replaceAll(" ", "");
  const fits = (pattern, word) => RegExp(`^(?:${pattern})$`).test(word);

  function combinations(of, count) {
    if (!count) return [[]];
    return of.flatMap((first, at) =>
      combinations(of.slice(at + 1), count - 1).map(rest => [first, ...rest]));
  }

  // What may be a known name, and the words that it leaves out: the fewest and shortest first.
  function readings(words, data) {
    const idle = `${data.understood}|${data.share}`;
    const free = [...words.keys()].slice(1)
      .filter(i => fits(idle, words[i]) || data.partWords.includes(words[i]));
    if (free.length > MOST) return [];
    return [...free, 0].flatMap((_, left) => combinations(free, left)
      .map(out => ({out, kept: [...words.keys()].filter(i => !out.includes(i))}))
      .map(({out, kept}) => ({
        called: plain(kept.map(i => words[i])),
        rest: out.map(i => words[i]),
        torn: kept.some(i => /^\d/.test(words[i]) && out.includes(i - 1)),
      }))
      .filter(({called, torn}) => !torn || Object.hasOwn(data.refused, called))
      .sort((one, other) => other.called.length - one.called.length));
  }

  // The model, or model and part, that the rest of a name leads to; none where the rest does not fit it.
  function asked(of, rest, data) {
    if (rest.some(word => fits(data.share, word)) && !data.mixtures.includes(of) && !of.includes("moe")) {
      of = [`${of}_moe`, `${of}moe`].find(model => model in data.parts);
      if (!of) return [];
    }
    const rows = of.split(" + ").flatMap(one => {
      const [model, ...part] = one.split(" ");
      const has = part.length ? [part.join(" ")] : Object.keys(data.parts[model]);
      return has.map(name => ({model, part: name, form: data.parts[model][name]}));
    });
    const said = rest.filter(word => data.partWords.includes(word) && !fits(data.understood, word));
    const found = rows.map(row => row.part).filter(part => ` ${said.join(" ")} `.includes(` ${part} `));
    if (said.some(word => !found.some(part => part.split(" ").includes(word)))) return [];
    const most = found.reduce((one, other) => (other.length > one.length ? other : one), "");
    return rows.filter(row => !most || row.part === most);
  }

  // The rows {model, part, form} that a name means; none where form_of refuses it.
  function meant(name, data) {
    const last = name.toLowerCase().replace(/\/+$/, "").split("/").at(-1).replace(/\bi?q\d(_[0-9klmnsx]+)*\b/g, "");
    const words = last.match(/[a-z0-9]+(?:\.\d[a-z0-9]*)*/g) ?? [];
    for (const {called, rest} of readings(words, data)) {
      if (Object.hasOwn(data.refused, called)) return [];
      if (Object.hasOwn(data.known, called)) return asked(data.known[called], rest, data);
    }
    return [];
  }

  return {meant};
})();
