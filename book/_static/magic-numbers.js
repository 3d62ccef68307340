// The reverse look-up of the page "Magic numbers": gelu_lib.provenance, in the browser.
//
// All arithmetic is exact: a number is a fraction {n, d} of two BigInts, d > 0. The catalogue
// stands in MAGIC_NUMBERS, which magic-numbers-data.js sets. A test holds this file to the
// Python library.

"use strict";

const magicNumbers = (() => {
  // ---- Fractions

  const absolute = n => (n < 0n ? -n : n);
  const fraction = (n, d = 1n) => (d < 0n ? {n: -n, d: -d} : {n, d});
  const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
  const minus = (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
  const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
  const over = (a, b) => fraction(a.n * b.d, a.d * b.n);
  const magnitude = a => fraction(absolute(a.n), a.d);
  const compare = (a, b) => {
    const difference = a.n * b.d - b.n * a.d;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  };
  const floor = a => a.n / a.d; // of a number that is not negative
  const power = (base, exponent) =>
    exponent < 0 ? fraction(1n, base ** BigInt(-exponent)) : fraction(base ** BigInt(exponent));

  // A fraction "3/7" as the data have it, which is read once.
  const fractionsRead = new Map();
  function exact(text) {
    if (!fractionsRead.has(text)) {
      const [n, d = "1"] = text.split("/");
      fractionsRead.set(text, fraction(BigInt(n), BigInt(d)));
    }
    return fractionsRead.get(text);
  }

  // The n with baseⁿ ≤ number < baseⁿ⁺¹.
  function floorPower(number, base) {
    const digits = value => value.toString(Number(base)).length;
    const exponent = digits(number.n) - digits(number.d);
    return compare(number, power(base, exponent)) < 0 ? exponent - 1 : exponent;
  }

  // The nearest integer, ties to even.
  function round(number) {
    const below = floor(number);
    const twice = compare(times(minus(number, fraction(below)), fraction(2n)), fraction(1n));
    return twice > 0 || (twice === 0 && below % 2n === 1n) ? below + 1n : below;
  }

  // The nearest float of a type; null where it overflows.
  function nearestFloat(number, type) {
    const [digits, leastExponent, greatest] = MAGIC_NUMBERS.types[type];
    const unit = power(2n, Math.max(floorPower(number, 2n), leastExponent) - digits);
    const rounded = times(fraction(round(over(number, unit))), unit);
    return compare(rounded, exact(greatest)) > 0 ? null : rounded;
  }

  // Two significant digits, as "1.0e-9".
  function scientific(number) {
    if (number.n === 0n) return "0";
    let exponent = floorPower(number, 10n);
    const scaled = over(number, power(10n, exponent - 1));
    let whole = floor(fraction(2n * scaled.n + scaled.d, 2n * scaled.d));
    if (whole === 100n) [whole, exponent] = [10n, exponent + 1];
    return `${whole / 10n}.${whole % 10n}e${exponent}`;
  }

  // ---- Reading a literal

  const DECIMAL = /^(\d+\.?\d*|\.\d+)(?:e([+-]?\d{1,4}))?[fl]?$/;
  const FRACTION = /^(\d+)\/(\d+)$/;
  const HEXADECIMAL = /^0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d{1,4})[fl]?$/;
  const BITS = /^0x([0-9a-f]{16}|[0-9a-f]{8}|[0-9a-f]{4})[ul]*$/;
  const TYPES_BY_LENGTH = {4: ["bfloat16", "float16"], 8: ["float32"], 16: ["float64"]};

  function positional(kind, whole, decimals, scale, base) {
    const written = (whole + decimals).replace(/^0+/, "");
    const integer = BigInt((base === 16n ? "0x0" : "0") + written);
    const unit = over(scale, power(base, decimals.length));
    return {kind, value: times(fraction(integer), unit), unit, digits: written.length, type: ""};
  }

  // The float with these bits, in a list; an empty list if it is not finite.
  function ofBits(hexadecimal, type) {
    const bits = BigInt("0x" + hexadecimal);
    const [digits, leastExponent] = MAGIC_NUMBERS.types[type];
    const behind = BigInt(digits);
    const allOnes = (1n << BigInt(4 * hexadecimal.length - 1 - digits)) - 1n;
    const exponent = (bits >> behind) & allOnes;
    if (exponent === allOnes) return [];
    const significand = (bits & ((1n << behind) - 1n)) + (exponent > 0n ? 1n << behind : 0n);
    const unit = power(2n, leastExponent - digits + Math.max(Number(exponent), 1) - 1);
    return [{kind: "bits", value: times(fraction(significand), unit), unit, digits: 0, type}];
  }

  const plain = literal => literal.trim().toLowerCase().replace(/−/g, "-");

  // Every way to read a plain text; none if it is no number.
  function readings(text) {
    const unsigned = text.replace(/^[+-]/, "");
    let found;
    if ((found = BITS.exec(unsigned))) return TYPES_BY_LENGTH[found[1].length].flatMap(type => ofBits(found[1], type));
    if ((found = HEXADECIMAL.exec(unsigned))) {
      return [positional("hexadecimal", found[1], found[2] ?? "", power(2n, Number(found[3])), 16n)];
    }
    if ((found = FRACTION.exec(unsigned)) && BigInt(found[2])) {
      const value = fraction(BigInt(found[1]), BigInt(found[2]));
      return [{kind: "fraction", value, unit: fraction(0n), digits: 0, type: ""}];
    }
    if ((found = DECIMAL.exec(unsigned))) {
      const [whole, decimals = ""] = found[1].split(".");
      return [positional("decimal", whole, decimals, power(10n, Number(found[2] ?? 0)), 10n)];
    }
    return [];
  }

  // Whether the widest float type rounds a number neither to 0 nor to infinity.
  const isHeld = ({value}) => Boolean(value.n && nearestFloat(value, "float64")?.n);

  // What may be meant by a text that cannot be read; empty if nothing is near.
  function suggestion(literal) {
    let text = plain(literal).replace(/(\d)[ _'’](?=\d)/g, "$1");
    let found;
    if ((found = /^([+-]?\d+),(\d+)$/.exec(text))) text = `${found[1]}.${found[2]}`;
    else if (/^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) text = text.replace(/,/g, "");
    else if ((found = /^([+-]?[\d.]+(?:e[+-]?\d+)?)_?[a-df-z]\w*$/.exec(text))) text = found[1];
    const readable = reading => reading.digits <= MAGIC_NUMBERS.longest && isHeld(reading);
    return readings(text).some(readable) ? text : "";
  }

  // Every reading of a literal. Throws an Error that says what is accepted.
  function read(literal) {
    if (literal.length > MAGIC_NUMBERS.longestText)
      throw Error(`Accepted are at most ${MAGIC_NUMBERS.longestText} characters.`);
    const text = plain(literal);
    if (!text) throw Error(`The box is empty. Accepted is ${MAGIC_NUMBERS.accepted}.`);
    const found = readings(text);
    if (!found.length) {
      const near = suggestion(literal);
      const meant = near ? ` Did you mean ${near}?` : "";
      throw Error(`This is no number that can be read.${meant} Accepted is ${MAGIC_NUMBERS.accepted}.`);
    }
    if (found.some(reading => reading.digits > MAGIC_NUMBERS.longest))
      throw Error(`Accepted are at most ${MAGIC_NUMBERS.longest} digits.`);
    const numbers = found.filter(reading => reading.value.n);
    if (!numbers.length) throw Error("This is 0. Accepted is another number.");
    if (!numbers.some(isHeld))
      throw Error(`This is out of the range of every float type. Accepted are ${MAGIC_NUMBERS.sizes}.`);
    return numbers;
  }

  // ---- Explaining it

  // Whether a number is a value rounded or cut off to a unit; empty if it is neither.
  function shortened(number, unit, value) {
    const below = minus(value, number);
    const toHalf = compare(times(fraction(2n), magnitude(below)), unit);
    const units = over(number, unit);
    // a value in the middle of two units may have been rounded up or to the even one
    const tie = toHalf === 0 && (below.n < 0n || units.n % (2n * units.d) === 0n);
    if (toHalf < 0 || tie) return "rounded";
    return below.n >= 0n && compare(below, unit) < 0 ? "truncated" : "";
  }

  // The kind of a literal that comes along a way; empty if it does not.
  function along(kind, name, value, number, unit) {
    if (kind === "spelled") return compare(number, value) === 0 ? kind : "";
    const how = shortened(number, unit, value);
    if (kind === "made") {
      if (compare(number, value) === 0) return "made-exact";
      return {rounded: "made", truncated: "made-truncated"}[how] ?? "";
    }
    const near = nearestFloat(number, name);
    if (how !== "rounded" || !near || compare(near, value) !== 0) return "";
    if (kind === "float" && compare(number, value) === 0) return "exact-float";
    const ten = times(fraction(10n), unit);
    const fewerDigits = times(fraction(round(over(value, ten))), ten);
    const back = fewerDigits.n ? nearestFloat(fewerDigits, name) : null;
    const needed = kind === "float" && (!back || compare(back, value) !== 0);
    return needed ? "shortest" : kind;
  }

  function rightDigits(number, value) {
    const leading = floorPower(value, 10n);
    const twice = times(fraction(2n), magnitude(minus(number, value)));
    let count = 0;
    while (count < 1000 && compare(twice, power(10n, leading - count)) <= 0) count += 1;
    return count;
  }

  // The simplest way from a constant to a literal, as [kind, name of the way]; null if none is known.
  function explain({kind: written, value: number, unit, digits}, constant, right) {
    const value = exact(constant.value);
    const uncertainty = exact(constant.uncertainty);
    if (compare(number, value) === 0 && !uncertainty.n) return ["exact", ""];
    const places = times(unit, fraction(BigInt(MAGIC_NUMBERS.fewestPlaces)));
    const printed = constant.printed.some(text => compare(exact(text), number) === 0);
    if (unit.n && (printed || compare(number, places) >= 0)) {
      // a hexadecimal float is written to give a float exactly
      const isFloat = ([kind, , near]) => kind === "float" && compare(near, number) === 0;
      const float = written === "hexadecimal" && waysOf(constant).find(isFloat);
      if (float) return ["exact-float", float[1]];
      if (compare(times(fraction(2n), uncertainty), unit) > 0) {
        const most = minus(uncertainty, fraction(-unit.n, unit.d));
        if (compare(magnitude(minus(number, value)), most) <= 0) return ["undecided", ""];
      } else {
        const how = shortened(number, unit, value);
        if (how) return [how, ""];
      }
      for (const [kind, name, near] of waysOf(constant)) {
        const how = along(kind, name, near, number, unit);
        if (how) return [how, name];
      }
    }
    if (printed) return ["printed", ""];
    return written === "decimal" && right >= MAGIC_NUMBERS.meantDigits && right < digits ? ["wrong", ""] : null;
  }

  const waysOf = constant => constant.ways.map(([kind, name, near]) => [kind, name, exact(near)]);

  function sameFloats(reading, constant) {
    const types = reading.type ? [reading.type] : Object.keys(MAGIC_NUMBERS.types);
    return types.filter(type => {
      const ours = nearestFloat(reading.value, type);
      const theirs = nearestFloat(exact(constant.value), type);
      return ours && theirs && ours.n && compare(ours, theirs) === 0;
    });
  }

  // ---- The look-up

  function matchOf(reading, constant) {
    const value = exact(constant.value);
    const right = rightDigits(reading.value, value);
    const [kind, way] = explain(reading, constant, right) ?? ["", ""];
    return {
      constant, kind, way, right,
      difference: over(magnitude(minus(reading.value, value)), value),
      get sameFloats() { return sameFloats(reading, constant); }, // asked of those that are shown
    };
  }

  // Whether a literal has too few digits to be called a rounding of anything.
  function isShort({value, unit}) {
    return unit.n !== 0n && compare(value, times(unit, fraction(BigInt(MAGIC_NUMBERS.fewestPlaces)))) < 0;
  }

  // How often numbers such as this one match by accident, as clauses; none where none matches.
  function accidents({kind, value, unit, digits, type}, matches) {
    if (!matches.length) return [];
    const {decimalsTold, bitsTold} = MAGIC_NUMBERS;
    const bits = () => bitsTold[floorPower(over(value, unit), 2n)];
    const own = kind === "decimal" ? decimalsTold[digits] : unit.n ? bits() : "";
    const byFloat = matches.filter(match => MAGIC_NUMBERS.byFloat.includes(match.kind) && match.way !== type);
    const theirs = byFloat.map(match => bitsTold[MAGIC_NUMBERS.types[match.way][0]]);
    return [...new Set([own, ...theirs])].filter(clause => clause);
  }

  // How many numbers are as near to a constant as a literal, and how many of these are made like it.
  function asNear(reading, {constant, kind, way}) {
    const {types, told} = MAGIC_NUMBERS;
    let {value: number, unit} = reading;
    let those = reading.type || "numbers with as many places";
    let similar = [["", "", number]];
    if (kind.startsWith("made")) {
      similar = waysOf(constant).filter(([made]) => made === "made");
    } else if (kind === "steps") {
      similar = waysOf(constant).filter(([made, name]) => made === kind && name === way);
      [number, those] = [similar[0][2], way];
      const [digits, leastExponent] = types[way];
      unit = power(2n, Math.max(floorPower(number, 2n), leastExponent) - digits);
    } else if (kind !== "truncated" || !reading.type) {
      return "";
    }
    const middle = over(exact(constant.value), unit);
    const within = magnitude(minus(over(number, unit), middle));
    const least = minus(middle, within); // which is not negative
    const ceiling = floor(least) + (least.n % least.d ? 1n : 0n);
    const allNear = floor(plus(middle, within)) - ceiling + 1n;
    const halves = similar.map(([, , value]) => times(fraction(2n), over(value, unit)));
    const whole = new Set(halves.flatMap(twice => [floor(twice) / 2n, (floor(twice) + 1n) / 2n]));
    const near = [...whole].filter(n => compare(magnitude(minus(fraction(n), middle)), within) <= 0).length;
    if (compare(fraction(BigInt(near), allNear), exact(told)) < 0) return "";
    const all = allNear.toString().replace(/\B(?=(\d{3})+$)/g, ",");
    return `of the ${all} ${those} no farther from ${constant.name}, ${near} ${near === 1 ? "is" : "are"} made so`;
  }

  // ---- Slips

  // A number in so many significant digits, rounded half up and cut off.
  function inDigits(value, digits) {
    const places = digits - 1 - floorPower(value, 10n);
    const twice = times(fraction(2n), times(value, power(10n, places)));
    return [(floor(twice) + 1n) / 2n, floor(twice) / 2n].map(number => {
      const carried = number === 10n ** BigInt(digits);
      const [kept, left] = carried ? [number / 10n, places - 1] : [number, places];
      const text = kept.toString().padStart(left + 1, "0");
      return left ? `${text.slice(0, -left)}.${text.slice(-left)}` : text;
    });
  }

  // How programs have a constant in so many digits; a decimal stands in full.
  function written({decimal, value}, digits) {
    if (!decimal) return [...new Set(inDigits(exact(value), digits))];
    return decimal.replace(".", "").replace(/^0+/, "").length === digits ? [decimal] : [];
  }

  // A decimal, exactly.
  const decimalOf = text => readings(text)[0].value;

  // Each slip that takes so many digits from a decimal, as [kind, value].
  function slipsOf(meant, longer) {
    const value = decimalOf(meant);
    const places = [...meant].map((_, i) => i).filter(i => meant[i] !== "." && /[1-9]/.test(meant.slice(0, i + 1)));
    if (longer === -1) return places.map(i => ["doubled", decimalOf(meant.slice(0, i) + meant[i] + meant.slice(i))]);
    if (longer === 1) return places.map(i => ["lost", decimalOf(`0${meant.slice(0, i)}${meant.slice(i + 1)}`)]);
    const ten = fraction(10n);
    const exchanged = places.slice(1).flatMap((j, k) => {
      const i = places[k];
      const text = meant.slice(0, i) + meant[j] + meant.slice(i + 1, j) + meant[i] + meant.slice(j + 1);
      return meant[i] === meant[j] ? [] : [["exchanged", decimalOf(text)]];
    });
    return [["ten", times(ten, value)], ["tenth", over(value, ten)], ...exchanged];
  }

  // The numbers of programs that a decimal is one slip away from.
  function slips({kind, value, digits}) {
    if (kind !== "decimal" || digits < MAGIC_NUMBERS.slipDigits) return [];
    return MAGIC_NUMBERS.constants.filter(({met}) => met).flatMap(constant => {
      for (const longer of [0, -1, 1])
        for (const meant of written(constant, digits + longer))
          for (const [slip, made] of slipsOf(meant, longer))
            if (compare(made, value) === 0) return [{constant, meant, kind: slip}];
      return [];
    });
  }

  function slipSentence({constant, meant, kind}) {
    const name = meant === constant.name ? "" : ` (${constant.name})`;
    return `may be a slip for ${meant}${name}: ${MAGIC_NUMBERS.slips[kind]}`;
  }

  // For each reading of a literal its matches, the nearest other constants, and what else is to be said.
  function lookup(literal) {
    const {nearDigits, nearResult, slipsTold} = MAGIC_NUMBERS;
    const order = match => 2 * (match.kind !== "exact") + match.constant.register;
    // a coefficient of the register, which stands in no program, must be very near
    const isNear = ({constant, difference, right}) => constant.register
      ? constant.coefficient && compare(difference, exact(nearResult)) <= 0
      : right >= nearDigits;
    return read(literal).map(reading => {
      const ranked = MAGIC_NUMBERS.constants
        .map(constant => matchOf(reading, constant))
        .sort((a, b) => compare(a.difference, b.difference));
      const matches = ranked.filter(match => match.kind).sort((a, b) => order(a) - order(b));
      const near = ranked.filter(match => !match.kind && isNear(match));
      const nearest = isShort(reading) ? [] : near.slice(0, MAGIC_NUMBERS.nearest);
      const why = isShort(reading) ? "short" : nearest.length ? "near" : "alone";
      const unknown = matches.length ? "" : MAGIC_NUMBERS.unknown[why];
      const mayBe = matches.every(match => match.constant.register) ? slips(reading) : [];
      const all = [...accidents(reading, matches), ...matches.filter(({constant}) => constant.met).map(match => asNear(reading, match))];
      if (mayBe.length) all.push(slipsTold[reading.digits]);
      const clauses = [...new Set(all)].filter(clause => clause);
      return {reading, matches, nearest, unknown, slips: mayBe.map(slipSentence), accidents: clauses};
    });
  }

  function sentence(reading, match) {
    const units = {decimal: "the digits written", hexadecimal: "the hexadecimal digits written"};
    const unit = units[reading.kind] ?? reading.type;
    return MAGIC_NUMBERS.kinds[match.kind].replace("{way}", match.way).replace("{unit}", unit);
  }

  return {lookup, read, scientific, sentence, suggestion};
})();

// ---- The page

function showNumbers(form) {
  const input = form.querySelector("input");
  const answer = form.querySelector("#number-answer");
  const MOST_SHOWN = 6;

  function element(name, text, ...children) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    made.append(...children);
    return made;
  }

  function link(text, address) {
    const made = element("a", text);
    made.href = address;
    return made;
  }

  // The sources in which a constant was seen as this very number.
  function seenAs({value}, constant) {
    const same = text => magicNumbers.read(text).some(({value: theirs}) => theirs.n * value.d === value.n * theirs.d);
    return Object.keys(constant.seen).filter(same).flatMap(text => constant.seen[text]);
  }

  function describe(reading, match) {
    const {constant} = match;
    const facts = [];
    if (match.kind) facts.push(`The literal is ${magicNumbers.sentence(reading, match)}.`);
    if (match.difference.n) {
      const right = Math.min(match.right, reading.digits);
      const digits = reading.kind === "decimal" ? `; ${right} of ${reading.digits} digits are right` : "";
      facts.push(`Relative difference ${magicNumbers.scientific(match.difference)}${digits}.`);
    }
    const sources = match.kind ? seenAs(reading, constant) : [];
    if (sources.length) facts.push(`Seen in: ${sources.join("; ")}.`);
    if (match.sameFloats.length) facts.push(`The same ${match.sameFloats.join(", ")}.`);
    const formula = constant.name === constant.digits ? [] : [element("strong", constant.name), " = "];
    const title = element("p", "", ...formula, element("code", constant.digits));
    const text = element("p", `${facts.join(" ")} ${constant.meaning} `);
    if (constant.page) text.append(link("Chapter", constant.page), " ");
    if (constant.result) text.append(link("Result", `results.html#${constant.result}`));
    return element("li", "", title, text);
  }

  function describeReading({reading, matches, nearest, unknown, slips, accidents}) {
    const as = reading.type ? `As ${reading.type} it` : "It";
    const found = matches.length === 1 ? "one constant" : `${matches.length} constants`;
    const full = text => (/[.:]$/.test(text) ? text : `${text}.`);
    const parts = [element("p", full(`${as} ${unknown || `matches ${found}`}`))];
    const shown = (matches.length ? matches : nearest).slice(0, MOST_SHOWN);
    if (shown.length) parts.push(element("ol", "", ...shown.map(match => describe(reading, match))));
    const more = matches.length - MOST_SHOWN;
    if (more > 0) parts.push(element("p", `And ${more} more.`));
    parts.push(...slips.map(slip => element("p", full(`It ${slip}`))));
    return [...parts, ...accidents.map(clause => element("p", full(`A match may be an accident: ${clause}`)))];
  }

  function update() {
    try {
      answer.replaceChildren(...magicNumbers.lookup(input.value).flatMap(describeReading));
      input.removeAttribute("aria-invalid");
    } catch (error) {
      answer.replaceChildren(element("p", error.message));
      input.setAttribute("aria-invalid", "true");
    }
  }

  form.addEventListener("submit", event => {
    event.preventDefault();
    update();
  });
}

if (typeof document !== "undefined") {
  const form = document.getElementById("number-search");
  if (form) showNumbers(form);
}
