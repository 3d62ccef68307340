// The mathematics of the page "Explorer": Φ̂(x) = σ(p₁x + p₃x³) beside Φ, GELU and GELU′.
//
// Nothing here knows of a page. Numbers are doubles, a member of the family is {p1, p3}, and an
// error is exact less approximate. With e = Φ − Φ̂ the errors are e, x·e and (x·e)′. The first and
// the last are odd functions of x and the second is even, so x ≥ 0 tells all. A test holds this
// file to the Python library.

"use strict";

const explorerCore = (() => {
  const NAMES = {Phi: "Φ", GELU: "GELU", GELU_derivative: "GELU′"};

  // ---- Φ, σ and their densities

  const UNDERFLOW = 39; // beyond it φ is below every double
  const SERIES_END = 1.5; // up to here the series of Φ − ½, beyond it the continued fraction

  // φ(x). The square is split, because exp magnifies its rounding error.
  function density(x) {
    if (Math.abs(x) > UNDERFLOW) return 0;
    const head = Math.trunc(16 * x) / 16;
    const tail = Math.exp(-(x - head) * (x + head) / 2);
    return Math.exp(-head * head / 2) * tail / Math.sqrt(2 * Math.PI);
  }

  // Φ(−x) for x ≥ 0, to a relative error below 4e-15 as long as it is no subnormal number.
  function normalTail(x) {
    if (x < SERIES_END) {
      let term = x;
      let sum = x;
      for (let odd = 3; term > sum * 1e-17; odd += 2) sum += term *= x * x / odd;
      return 0.5 - density(x) * sum;
    }
    let fraction = x; // of Laplace: φ(x)/Φ(−x) = x + 1/(x + 2/(x + 3/(x + …)))
    // cut off after n steps it is off by about exp(−2x√n), and by less where x is large
    for (let n = Math.ceil((19 / x) ** 2) + 9; n > 0; n -= 1) fraction = x + n / fraction;
    return density(x) / fraction;
  }

  const Phi = x => (x < 0 ? normalTail(-x) : 1 - normalTail(x));

  // σ(q), which overflows nowhere.
  const logistic = q => (q < 0 ? Math.exp(q) / (1 + Math.exp(q)) : 1 / (1 + Math.exp(-q)));

  // ---- A member of the family

  const polynomial = ({p1, p3}, x) => x * (p1 + p3 * x * x);

  // The exact function and its approximation at any x.
  function values(of, member, x) {
    const q = polynomial(member, x);
    const exact = Phi(x);
    const approximate = logistic(q);
    if (of === "Phi") return [exact, approximate];
    if (of === "GELU") return [x * exact, x * approximate];
    const flank = approximate * logistic(-q);
    const slope = member.p1 + 3 * member.p3 * x * x;
    return [exact + x * density(x), approximate + x * slope * flank];
  }

  // e, e′ and e″ at x ≥ 0. Far out e = Φ̂(−x) − Φ(−x) keeps its digits, and Φ − Φ̂ would not.
  function deviation(member, x) {
    const {p1, p3} = member;
    const q = polynomial(member, x);
    const [below, above] = [logistic(-q), logistic(q)];
    const flank = below * above; // σ′
    const slope = p1 + 3 * p3 * x * x; // of the polynomial
    const phi = density(x);
    return [
      below - normalTail(x),
      phi - slope * flank,
      -x * phi - 6 * p3 * x * flank + slope * slope * flank * (above - below),
    ];
  }

  // The error of a function and the derivative of the error, at x ≥ 0.
  function error(of, member, x) {
    const [e, slope, bend] = deviation(member, x);
    if (of === "Phi") return [e, slope];
    if (of === "GELU") return [x * e, e + x * slope];
    return [e + x * slope, 2 * slope + x * bend];
  }

  // What the error tends to as x → ∞, in size.
  function errorAtInfinity(of, {p1, p3}) {
    const leading = p3 || p1;
    const gap = leading > 0 ? 0 : leading < 0 ? 1 : 1 / 2; // 1 less the limit of Φ̂
    return gap && of === "GELU" ? Infinity : gap;
  }

  // ---- Extrema: samples that are dense where Φ or Φ̂ varies, then bisection of the slope

  const STEP = 0.05;
  const HALVINGS = 5; // of the first step, towards 0; closer to it an extremum is tiny
  const PHI_END = 12; // Φ(−12) is below 1e-32
  const LOGISTIC_END = 80; // σ(−80) is below 1e-34
  const FAR = 1000; // where the polynomial is larger than this, σ no longer varies

  // Where Φ is in its tail, and the polynomial has turned and has left what σ tells apart.
  function samplingEnd(member) {
    const {p1, p3} = member;
    let end = p3 < 0 ? Math.max(PHI_END, 2 * Math.sqrt(-p1 / p3)) : PHI_END;
    while ((p1 || p3) && Math.abs(polynomial(member, end)) < LOGISTIC_END) end *= 2;
    return end;
  }

  function samples(member) {
    const {p1, p3} = member;
    const clipped = q => Math.max(-FAR, Math.min(FAR, q));
    const height = x => Math.asinh(clipped(polynomial(member, x)));
    const points = [];
    for (let k = HALVINGS; k > 0; k -= 1) points.push(STEP / 2 ** k);
    for (let k = 1; k * STEP <= PHI_END; k += 1) points.push(k * STEP);
    if (p3 < 0) points.push(Math.sqrt(-p1 / (3 * p3))); // where the polynomial turns
    points.push(samplingEnd(member));
    const filled = [];
    function fill(left, right) {
      const middle = (left + right) / 2;
      if (Math.abs(height(right) - height(left)) > 2 * STEP && left < middle && middle < right) {
        fill(left, middle);
        fill(middle, right);
      } else filled.push(right);
    }
    points.sort((a, b) => a - b).reduce((left, right) => (fill(left, right), right), 0);
    return filled;
  }

  // A zero between two places; at the left one the sign is given, at the right one it is another.
  function bisected(slope, sign, left, right) {
    for (;;) {
      const middle = (left + right) / 2;
      if (middle <= left || middle >= right) return middle;
      const here = Math.sign(slope(middle));
      if (!here) return middle;
      if (here === sign) left = middle;
      else right = middle;
    }
  }

  // The places x > 0 of the extrema that the samples show, increasing.
  function extrema(of, member) {
    const slope = x => error(of, member, x)[1];
    const found = [];
    let [left, sign] = [0, 0];
    for (const x of samples(member)) {
      const next = Math.sign(slope(x));
      if (!next) continue;
      if (sign && next !== sign) found.push(bisected(slope, sign, left, x));
      [left, sign] = [x, next];
    }
    return found;
  }

  const PEAK_SHARE = 1e-3; // a smaller extremum, compared to the largest, is left out

  // The largest error over the whole line as samples show it, and its extrema for x > 0, called
  // peaks. `size` is that of the highest, or the limit at infinity if none exceeds it.
  function measure(of, member) {
    const all = extrema(of, member).map(x => ({x, error: error(of, member, x)[0]}));
    const highest = Math.max(0, ...all.map(peak => Math.abs(peak.error)));
    const atInfinity = errorAtInfinity(of, member);
    return {
      size: Math.max(highest, atInfinity),
      attained: highest > atInfinity,
      atInfinity,
      peaks: all.filter(peak => Math.abs(peak.error) >= PEAK_SHARE * highest),
    };
  }

  // ---- Alternation

  // How many peaks of a list alternate in sign, where neighbours of one sign count once.
  const alternations = peaks =>
    peaks.filter((peak, i) => !i || Math.sign(peak.error) !== Math.sign(peaks[i - 1].error)).length;

  // The largest size that `count` peaks with alternating signs reach; 0 if there are too few. By
  // de la Vallée-Poussin's argument no choice of count − 1 coefficients makes the largest error of
  // Φ or GELU smaller. Of GELU′ it says nothing.
  function alternatingLevel(peaks, count) {
    const levels = peaks.map(peak => Math.abs(peak.error)).sort((a, b) => b - a);
    const reached = level => peaks.filter(peak => Math.abs(peak.error) >= level);
    return levels.find(level => alternations(reached(level)) >= count) ?? 0;
  }

  // ---- What a reader may enter, in a field or in the address

  const FIELDS = {
    p1: {label: "p₁", least: 0, greatest: 10},
    p3: {label: "p₃", least: -1, greatest: 1},
  };
  const SMALLEST = 1e-12; // a smaller number than this would be lost among the samples
  const RANGES = [2, 3, 5, 8, 20]; // right ends of the drawing
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

  // The text with which a state stands in the address.
  const writeState = ({p1, p3, of, to}) => `p1=${p1}&p3=${p3}&of=${of}&to=${to}`;

  const READERS = {
    p1: text => readNumber("p1", text),
    p3: text => readNumber("p3", text),
    of: text => chosen("The function (of)", text, Object.keys(NAMES)),
    to: text => chosen("The end of the drawing (to)", text, RANGES),
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
    const start = `Largest error of ${NAMES[of]}: ${shown(size, DIGITS)}`;
    if (!attained) return `${start}, approached as x → ∞ and reached nowhere.`;
    const same = ({error}) => shown(Math.abs(error), DIGITS) === shown(size, DIGITS);
    const places = peaks.filter(same).map(({x}) => `±${shown(x, DIGITS)}`);
    return `${start}, at x = ${places.join(", ").replace(/, (?=[^,]*$)/, " and ")}.`;
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

  // ---- Scales

  // The least of 1, 1.5, 2, 3, 4, 5, 6, 8, 10 times a power of ten that is not below a number.
  function roundUp(number) {
    const unit = 10 ** Math.floor(Math.log10(number));
    const tops = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map(n => n * unit);
    return tops.find(top => top >= number) ?? 10 * unit;
  }

  // The height of an axis that must reach `needed`. It stays as it was unless that is too low, or
  // four times too high: a scale that follows every movement hides what moves.
  const calmTop = (previous, needed) =>
    needed <= previous && needed >= previous / 4 ? previous : roundUp(1.05 * needed);

  // Round marks from −top to top or from 0 to top, about `count` on each side of 0.
  function ticks(low, top, count) {
    const rough = top / count;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(n => n * unit).find(candidate => candidate >= 0.99 * rough);
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(top / step + 1e-9)];
    return Array.from({length: last - first + 1}, (_, i) => (first + i) * step);
  }

  return {
    FIELDS, RANGES, NAMES, DIGITS,
    density, normalTail, logistic, values, error, extrema, measure,
    alternations, alternatingLevel, readNumber, readState, writeState,
    shown, shownBelow, superscript, sizeSentence, limitSentence, alternationSentence,
    calmTop, ticks,
  };
})();
