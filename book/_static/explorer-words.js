// What the explorer reads and says: numbers and addresses, sentences, tasks, and round marks.
//
// Nothing here knows of a page. A state is {p1, p3, of, to, axis, by}: the coefficients, the
// function, the right end of the drawing, the kind of its vertical axis, and by how much the
// difference of the function and its form is magnified. A test runs this file without a browser.

"use strict";

const explorerWords = (() => {
  const {alternations, alternatingLevel, errorAtInfinity, formOf, heights, numberOf} = explorerCore;
  const NAMES = {Phi: "Φ", GELU: "GELU", GELU_derivative: "GELU′"};

  // A text with its parts filled in; in the language of the page, where that is not the book's and
  // WORDS has the text in it.
  const say = (text, parts = {}) =>
    (globalThis.WORDS?.[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  // ---- What a reader may enter, in a field or in the address

  const FIELDS = {
    p1: {label: "p₁", least: 0, greatest: 10},
    p3: {label: "p₃", least: -1, greatest: 1},
    k: {label: "k", least: 0.001, greatest: 0.1},
    c: {label: "c", least: 0.1, greatest: 10},
  };
  const SMALLEST = 1e-12; // a smaller number than this would be lost among the samples
  const RANGES = [2, 3, 5, 8, 20]; // right ends of the drawing
  const AXES = ["linear", "log"];
  const FACTORS = [1, 10, 100, 1000, 10000];
  const USUAL_FACTOR = 1000; // without one the difference is a flat line
  const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

  // The number that a text stands for. Throws an Error that says what is accepted.
  function readNumber(name, text) {
    const {label, least, greatest} = FIELDS[name];
    const accepted = `Accepted is a decimal number from ${least} to ${greatest}.`.replace("-", "−");
    if (!text.trim()) throw Error(`${label} is empty. ${accepted}`);
    if (!DECIMAL.test(text.trim())) throw Error(`${label} is no decimal number. ${accepted}`);
    const number = Number(text) + 0; // + 0 makes 0 of −0
    if (!(number >= least && number <= greatest))
      throw Error(`${label} is out of range. ${accepted}`);
    const isZero = !/[1-9]/.test(text.split(/e/i)[0]); // 1e-400 is not, though its double is
    if (!isZero && Math.abs(number) < SMALLEST)
      throw Error(`${label} is too close to 0. Accepted are 0 and sizes from ${SMALLEST}.`);
    return number;
  }

  // The text with which a state stands in the address. Its first four parts are as in addresses
  // from before there were others, which stand in it only where they are not as usual.
  const writeState = ({p1, p3, of, to, axis, by}) =>
    `p1=${p1}&p3=${p3}&of=${of}&to=${to}` +
    (axis === AXES[0] ? "" : `&axis=${axis}`) + (by === USUAL_FACTOR ? "" : `&by=${by}`);

  const READERS = {
    p1: text => readNumber("p1", text),
    p3: text => readNumber("p3", text),
    of: text => chosen("The function (of)", text, Object.keys(NAMES)),
    to: text => chosen("The end of the drawing (to)", text, RANGES),
    axis: text => chosen("The vertical axis (axis)", text, AXES),
    by: text => chosen("The factor of the difference (by)", text, FACTORS),
  };

  function chosen(what, text, accepted) {
    const found = accepted.find(value => String(value) === text);
    if (found === undefined)
      throw Error(`${what} is unknown. Accepted is one of ${accepted.join(", ")}.`);
    return found;
  }

  // The state that an address asks for, and a sentence for each part of it that cannot be used.
  // Such a part, and one that is missing, is as in the defaults.
  function readState(text, defaults) {
    const state = {...defaults};
    const faults = [];
    const met = new Set();
    for (const part of text.split("&").filter(Boolean)) {
      const [name, value = ""] = part.split(/=(.*)/s);
      const known = Object.keys(READERS).includes(name);
      if (!known) faults.push(`The address has an unknown part, ${name}.`);
      else if (met.has(name)) faults.push(`The address has ${name} twice; the first one counts.`);
      else {
        met.add(name);
        try {
          state[name] = READERS[name](value);
        } catch (fault) {
          faults.push(fault.message);
        }
      }
    }
    return {state, faults};
  }

  // ---- Numbers as they are shown

  const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const superscript = n =>
    (n < 0 ? "⁻" : "") + [...String(Math.abs(n))].map(digit => SUPERSCRIPTS[digit]).join("");

  // Significant digits, as 0.00017892 or 1.2300 · 10⁵⁰; the sign of a negative number is −.
  function shown(number, digits) {
    if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞";
    const [mantissa, exponent] = number.toExponential(digits - 1).split("e").map(String);
    const power = Number(exponent);
    const plain = power >= -5 && power < 6;
    const text = plain
      ? number.toFixed(Math.max(0, digits - 1 - power))
      : `${mantissa} · 10${superscript(power)}`;
    return text.replace("-", "−");
  }

  // The same, rounded down, of a positive number.
  function shownBelow(number, digits) {
    const unit = 10 ** (Math.floor(Math.log10(number)) - digits + 1);
    return shown(Math.floor(number / unit) * unit, digits);
  }

  // ---- Sentences

  const DIGITS = 5;

  // How large the error is, and where.
  function sizeSentence(of, {size, attained, peaks}) {
    if (size === Infinity) return `The error of ${NAMES[of]} grows without bound as x → ∞.`;
    const start = say("Largest error of {name}: {size}", {name: NAMES[of], size: shown(size, DIGITS)});
    if (!attained) return `${start}, approached as x → ∞ and reached nowhere.`;
    const same = ({error}) => shown(Math.abs(error), DIGITS) === shown(size, DIGITS);
    const places = peaks.filter(same).map(({x}) => `±${shown(x, DIGITS)}`);
    const list = places.join(", ").replace(/, (?=[^,]*$)/, say(" and "));
    return say("{start}, at x = {places}.", {start, places: list});
  }

  // What goes wrong at infinity; empty if nothing does.
  function limitSentence(of, member) {
    const {p1, p3} = member;
    if (!errorAtInfinity(of, member)) return "";
    if (!p1 && !p3) return "Both coefficients are 0, so Φ̂ is ½ everywhere.";
    return `${p3 ? "p₃" : "p₁"} is negative, so Φ̂ tends to 0 and not to 1 as x → ∞.`;
  }

  // What the signs of the peaks say of other members.
  function alternationSentence(of, {size, peaks}) {
    const signs = peaks.map(({error}) => (error > 0 ? "+" : "−")).join(" ") || "none";
    const start = `Signs of the extrema for x > 0: ${signs}.`;
    if (of === "GELU_derivative") return `${start} For GELU′ an optimum need not alternate.`;
    const [one, both] = [2, 3].map(count => alternatingLevel(peaks, count));
    const below = level => `below ${shownBelow(level, DIGITS)}${lessThan(level, size)}`;
    if (!one) return `${start} An optimum in one coefficient needs two of alternating sign.`;
    const alone = `Moving p₁ alone or p₃ alone cannot bring the error ${below(one)}.`;
    if (!both) return `${start} ${alone} An optimum in both needs three of alternating sign.`;
    return `${start} ${alone} Moving both cannot bring it ${below(both)}.`;
  }

  // How much less a level is than the size, in brackets.
  function lessThan(level, size) {
    if (size === Infinity) return "";
    const percent = 100 * (1 - level / size);
    return percent < 0.01 ? " (less than 0.01 % less)" : ` (${shown(percent, 2)} % less)`;
  }

  // ---- The number of a form, and whether its peaks are level

  // Two peaks are level where they are 0.48 % apart or less: those of the tanh form then agree in the
  // three digits that are shown, and 1.702, with fewer digits, is level in the sigmoid form.
  const LEVEL = 1 - 0.48 / 100;
  const CLOSE = 0.97; // and almost level where it has this one

  // A number with the decimals that it has where people paste it.
  const written = (number, decimals) =>
    (number >= 10 ** -decimals && number < 1e3 ? number.toFixed(decimals) : shown(number, 4));

  // The same of a number that may be negative or 0, or is too small for these decimals.
  const fixed = (number, decimals) =>
    `${number < 0 ? "−" : ""}${number ? written(Math.abs(number), decimals) : "0"}`;

  // The form as a line of code: what stands before its number, and what stands after it.
  function formula(member, kept) {
    if (formOf(member) === "sigmoid") return ["x*sigmoid(", "*x)"];
    const slope = member.p1 === kept ? "sqrt(2/pi)" : shown(member.p1 / 2, DIGITS);
    return [`0.5*x*(1 + tanh(${slope}*(x + `, "*x**3)))"];
  }

  // The highest crest and the deepest trough of the error, of those that are not too small to be
  // seen beside the other (`measure` leaves them out), and which way they ask the number to move:
  // as it grows, so does Φ̂ at every x > 0, and the error of Φ and of GELU falls there.
  function levelSentence(of, letter, {size, attained, peaks}) {
    if (of === "GELU_derivative" || !attained) return "";
    const [up, down] = heights(peaks);
    const crest = say(up ? "Crest {size} high" : "No visible crest", {size: shown(up, 3)});
    const trough = say(down ? "trough {size} deep" : "no visible trough", {size: shown(down, 3)});
    const share = Math.min(up, down) / size;
    const moves = up > down ? ["Raise {letter}.", "Almost: raise {letter}."]
      : ["Lower {letter}.", "Almost: lower {letter}."];
    const advice = say(
      share >= LEVEL ? "Level to within {percent} %." : moves[Number(share >= CLOSE)],
      {letter, percent: (100 * (1 - LEVEL)).toFixed(1)});
    return say("{crest}, {trough}. {advice}", {crest, trough, advice});
  }

  // Whether a task is done: so many peaks alternate in sign, and the lowest of them is nearly as
  // high as the highest of all. Then nothing that the task leaves free makes the error much smaller.
  const solves = ({of, form, p1, count, share}, state, {size, peaks}) =>
    state.of === of && formOf(state) === form && (p1 === null || state.p1 === p1) &&
    alternatingLevel(peaks, count) >= share * size;

  // What is said when a task is done: where it is done exactly, and why people's number, which is
  // the best one for Φ rounded, is another.
  function doneSentence({of, count, best}, {literal}) {
    if (count > 2) return `Level: ${count} extrema in turn, so no pair does much better.`;
    return say(of === "Phi" ? "Exactly level is {best}…; people paste it rounded, {literal}."
      : "Exactly level is {best}…; people paste {literal}, for Φ.", {best, literal});
  }

  // What to do next in a task, or that nothing is left to do.
  function stepSentence(task, state, letter, measured) {
    if (solves(task, state, measured)) return "Level.";
    if (task.count > 2) return "Raise p₁ a little, then move p₃, in turn.";
    const [up, down] = heights(measured.peaks);
    return `Now ${up > down ? "raise" : "lower"} ${letter}.`;
  }

  // What stands for the two pictures where they are not seen.
  function pictureSentences(state, {size, peaks}, {letter, low, high, decimals}) {
    const name = NAMES[state.of];
    const number = written(numberOf(state), decimals);
    return {
      error: say(
        "The error of {name} for x from 0 to {to}. Extrema of alternating sign for x > 0: {count}.",
        {name, to: state.to, count: alternations(peaks)}),
      vee: say(
        "The largest error of {name} against {letter} from {low} to {high}. With {number} it is {size}.",
        {name, letter, low, high, number, size: shown(size, DIGITS)}),
    };
  }

  // ---- A curve beside the best one: where they cross, whether it is above where they do not, and
  // the signs of the stretches in which it leaves the band

  const sideWords = side => (side > 0 ? "too high" : "too low");

  function bandSentence({best, crossed, above, sides, to}) {
    if (best) return "This is the best pair itself: it touches the band and never leaves it. No other pair can.";
    const beyond = crossed.at(-1) > to ? ", beyond the picture" : "";
    const places = crossed.map(x => shown(x, 3)).join(" and ");
    const where = crossed.length ? `crosses the best one at x = ${places}${beyond}`
      : `lies wholly ${above ? "above" : "below"} the best one`;
    const faults = [1, -1].filter(side => sides.includes(side)).map(sideWords).join(" and ");
    return `Your curve ${where}: ${faults || "inside the band"}.`;
  }

  // What a few tries show. Of the best pair itself nothing is said, and nothing of more crossings.
  function crossingSentence({best, crossed}) {
    if (best || crossed.length > 1) return "";
    const times = crossed.length ? "crosses the best one once" : "does not cross the best one";
    return `Your curve ${times}. To stay inside the band it would have to cross it twice. No other pair can.`;
  }

  // What stands for the picture where it is not seen.
  const bandPictureSentence = (said, to) =>
    `The error of Φ for x from 0 to ${to}: the best curve in its band, and yours. ${said}`;

  const factorWords = factor => `${factor} times the best`;

  // ---- Scales

  // The least of 1, 1.5, 2, 3, 4, 5, 6, 8, 10 times a power of ten that is not below a number.
  function roundUp(number) {
    const unit = 10 ** Math.floor(Math.log10(number));
    const tops = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map(n => n * unit);
    return tops.find(top => top >= number) ?? 10 * unit;
  }

  // Round marks from low to high, about `count` of them.
  function ticks(low, high, count) {
    const rough = (high - low) / count;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(n => n * unit).find(candidate => candidate >= 0.99 * rough);
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
    return Array.from({length: last - first + 1}, (_, i) => (first + i) * step);
  }

  return {
    NAMES, FIELDS, RANGES, AXES, FACTORS, DIGITS, LEVEL, say,
    readNumber, readState, writeState, shown, shownBelow, superscript, written, fixed, formula,
    sizeSentence, limitSentence, alternationSentence, levelSentence,
    doneSentence, stepSentence, pictureSentences, solves, roundUp, ticks,
    sideWords, bandSentence, crossingSentence, bandPictureSentence, factorWords,
  };
})();
