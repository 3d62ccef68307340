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
    if (!text) throw Error(`The box is empty. ${MAGIC_NUMBERS.accepted}`);
    const found = readings(text);
    if (!found.length) {
      const near = suggestion(literal);
      const meant = near ? ` Did you mean ${near}?` : "";
      throw Error(`This is no number that can be read.${meant} ${MAGIC_NUMBERS.accepted}`);
    }
    if (found.some(reading => reading.digits > MAGIC_NUMBERS.longest))
      throw Error(`Accepted are at most ${MAGIC_NUMBERS.longest} digits.`);
    const numbers = found.filter(reading => reading.value.n);
    if (!numbers.length) throw Error("This is 0. Accepted is another number.");
    if (!numbers.some(isHeld))
      throw Error(`This is out of the range of every float type. Accepted are ${MAGIC_NUMBERS.sizes}.`);
    return numbers;
  }

  // ---- Many digits

  const TEN = fraction(10n);
  const negative = a => fraction(-a.n, a.d);
  const whole = n => fraction(BigInt(n));

  // A number in so many significant digits, ties to even.
  function kept(a, digits) {
    if (!a.n) return a;
    const unit = power(10n, floorPower(magnitude(a), 10n) - digits + 1);
    const size = times(fraction(round(over(magnitude(a), unit))), unit);
    return a.n < 0n ? negative(size) : size;
  }

  function integerRoot(n) {
    let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
    for (let next; (next = (root + n / root) >> 1n) < root; ) root = next;
    return root;
  }

  // The functions and constants of formulas to so many digits, each result rounded to them.
  function arithmetic(digits) {
    const more = digits + 15;
    const near = a => kept(a, digits);
    const refused = (why = "a function has no value there") => { throw Error(why); };

    function exp(a, places = more) {
      if (compare(magnitude(a), whole(10 ** 5)) > 0) refused(`it is too ${a.n > 0n ? "large" : "small"}`);
      if (a.n < 0n) return over(fraction(1n), exp(negative(a), places));
      const halvings = Math.max(0, floorPower(plus(a, fraction(1n)), 2n) + 9);
      const one = 10n ** BigInt(places + 15);
      const part = (a.n * one) / (a.d << BigInt(halvings));
      let term = one, sum = one;
      for (let n = 1n; term; n += 1n) {
        term = (term * part) / (one * n);
        sum += term;
      }
      let found = fraction(sum, one);
      for (let i = 0; i < halvings; i += 1) found = kept(times(found, found), places + 15);
      return found;
    }

    function log(a) {
      if (a.n <= 0n) refused();
      const power10 = floorPower(a, 10n);
      const leading = kept(over(a, power(10n, power10)), 15);
      const start = Math.log(Number(leading.n) / Number(leading.d)) + power10 * Math.LN10;
      let found = kept(fraction(BigInt(Math.round(start * 2 ** 40)), 1n << 40n), more);
      for (let right = 12; right < more; right *= 3) { // each step triples the digits
        const at = exp(found, more);
        const change = over(times(whole(2), minus(a, at)), plus(a, at));
        found = kept(plus(found, change), more);
      }
      return found;
    }

    function sqrt(a) {
      if (a.n < 0n) refused();
      if (!a.n) return a;
      const places = Math.max(0, more - Math.floor(floorPower(a, 10n) / 2));
      const scale = 10n ** BigInt(places);
      return fraction(integerRoot((a.n * scale * scale) / a.d), scale);
    }

    function pi() { // Machin's formula
      const one = 10n ** BigInt(more);
      const arctan = inverse => {
        let term = one / inverse, sum = term;
        for (let n = 3n, sign = -1n; term; n += 2n, sign = -sign) {
          term /= inverse * inverse;
          sum += (sign * term) / n;
        }
        return sum;
      };
      return fraction(4n * (4n * arctan(5n) - arctan(239n)), one);
    }

    function raised(a, b) {
      if (!a.n) return b.n > 0n ? a : refused();
      const {n, d} = b;
      if (n % d === 0n && absolute(n / d) <= 400n) {
        let found = fraction(1n);
        for (let i = 0n; i < absolute(n / d); i += 1n) found = kept(times(found, a), more);
        return n < 0n ? over(fraction(1n), found) : found;
      }
      const size = exp(times(b, log(magnitude(a))));
      if (a.n > 0n) return size;
      return n % d ? refused() : (n / d) % 2n ? negative(size) : size;
    }

    const quotient = (a, b) => (b.n ? over(a, b) : refused());
    const functions = {
      sqrt, exp, log, exp2: a => raised(whole(2), a), log2: a => over(log(a), log(whole(2))),
    };
    const rounded = f => (...given) => near(f(...given));
    const all = {"+": plus, "-": minus, "*": times, "/": quotient, "**": raised, ...functions, pi, e: () => exp(fraction(1n))};
    return Object.fromEntries(Object.entries(all).map(([name, f]) => [name, rounded(f)]));
  }

  // ---- Reading a formula

  const MODULES = /\b(?:(?:math|np|numpy|jnp|torch)\.|std::)(?=[a-z])/g;
  const OF_C = /\b(sqrt|exp|exp2|log|log2)[fl](?=\s*\()/g; // sqrtf, of float, and sqrtl
  const SIGNS = {"√": "sqrt", "π": "pi", "·": "*", "×": "*", "−": "-", "^": "**"};
  const FORMULA = /[(*/√π]|[\w.)]\s*[-+−·×^]|\s*[-+−]?(?:pi|e|M_\w+)\s*$/;
  const TOKEN = /\s*(?:(\d[\d_]*\.?(?:\d[\d_]*)?(?:e[+-]?\d+)?|\.\d[\d_]*(?:e[+-]?\d+)?)|([a-z_]\w*)|(\*\*|[-+*/()]))/y;

  const isFormula = text => FORMULA.test(text.replace(/(?<=[\d.])[ep][-+]?\d*/gi, ""));

  // A formula in some arithmetic; the grammar is that of Python.
  function evaluated(formula, use) {
    const tokens = [];
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < formula.length; ) {
      const found = TOKEN.exec(formula);
      if (!found) throw Error("this is no formula");
      tokens.push(found.slice(1));
    }
    const next = () => tokens[0]?.[2];
    const taken = sign => next() === sign && tokens.shift();
    const wanted = sign => { if (!taken(sign)) throw Error(`${sign} is missing in the formula`); };
    const chain = (part, signs) => () => {
      let found = part();
      while (signs.includes(next())) found = use[tokens.shift()[2]](found, part());
      return found;
    };

    function atom() {
      const [number, name] = tokens[0] ?? [];
      if (taken("(")) {
        const inner = sum();
        wanted(")");
        return inner;
      }
      tokens.shift();
      if (number) {
        if (/^0[\d_]*[1-9]/.test(number) && /^[\d_]+$/.test(number)) throw Error(`${number} is no number`);
        const [read] = readings(number.replace(/_/g, ""));
        if (read) return use["+"](read.value, fraction(0n));
      }
      if (["pi", "e"].includes(name)) return use[name]();
      if (["sqrt", "exp", "exp2", "log", "log2"].includes(name) && taken("(")) {
        const inner = sum();
        wanted(")");
        return use[name](inner);
      }
      throw Error(`${number ?? name ?? "this"} is not accepted in a formula`);
    }
    function raised() {
      const base = atom();
      return taken("**") ? use["**"](base, signed()) : base;
    }
    function signed() {
      if (taken("-")) return negative(signed());
      return taken("+") ? signed() : raised();
    }
    const sum = chain(chain(signed, ["*", "/"]), ["+", "-"]);
    const value = sum();
    if (tokens.length) throw Error("this is no formula");
    return value;
  }

  // A formula as a reading.
  function readFormula(text) {
    const {keptDigits, formulaDigits, macros, inFormulas, sizes} = MAGIC_NUMBERS;
    const translated = text.trim().toLowerCase().replace(/[√π·×−^]/g, sign => SIGNS[sign]).replace(MODULES, "");
    const formula = translated
      .replace(/(?<=[\d.])f\b/g, "").replace(OF_C, "$1")
      .replace(/\bm_\w+/g, name => macros[name] ?? macros[name.replace(/[fl]$/, "")] ?? name);
    const refuse = why => { throw Error(`This is no formula that has a value here: ${why}. Accepted are ${inFormulas}.`); };
    let coarse, value;
    try {
      [coarse, value] = [1, 2].map(n => evaluated(formula, arithmetic(keptDigits + n * formulaDigits)));
    } catch (error) {
      refuse(error.message);
    }
    const off = magnitude(minus(coarse, value));
    if (!value.n || compare(off, times(magnitude(value), power(10n, -keptDigits))) > 0) refuse("it is 0, or too many digits cancel");
    const size = kept(magnitude(value), keptDigits);
    if (!isHeld({value: size})) refuse(`it is out of the range of every float type, which have ${sizes}`);
    const unit = power(10n, floorPower(size, 10n) - keptDigits + 1);
    return {kind: "formula", value: size, unit, digits: 0, type: ""};
  }

  // ---- Reading a word of bits

  const WORD = /^[+-]?(?:(\d{1,3})'(s?[bdh])|(0x)?)([\da-f_]+)[ul]*(?:\s+as\s+(u?)q(\d{1,3})\.(\d{1,3}))?$/;
  const DIGITS = {2: /^[01]+$/, 10: /^\d+$/, 16: /^[\da-f]+$/};

  // The readings of a word in fixed point, and of one that is two float16.
  function readWord(text) {
    const {formats, fewestBits} = MAGIC_NUMBERS;
    const found = WORD.exec(plain(text));
    const refuse = why => { throw Error(`${why}. Accepted is ${formats}.`); };
    if (!found && /\sas\b/.test(text)) refuse("This is no word of bits, or its format is none");
    if (!found) return [];
    const [width, kind, prefix, written, marked, before, behind] = found.slice(1);
    if (!(kind || prefix || behind)) return [];
    const base = prefix ? 16 : {b: 2, h: 16}[kind?.at(-1)] ?? 10;
    const digits = written.replace(/_/g, "");
    const wrong = !DIGITS[base].test(digits);
    if (wrong && behind) refuse("This has other digits");
    if (wrong) return [];
    const word = digits.split("").reduce((n, digit) => n * BigInt(base) + BigInt(parseInt(digit, base)), 0n);
    let size = Number(width ?? 4 * digits.length);
    let unsigned = Boolean(kind) && !kind.includes("s");
    let places = kind || size === 32 ? [...Array(size + 1).keys()] : [];
    if (behind) {
      const bits = width || (prefix && digits[0] === "0") ? size : 0;
      unsigned = Boolean(marked);
      size = Number(before) + Number(behind) + (unsigned ? 0 : 1);
      places = [Number(behind)];
      const most = size + (width ? 0 : 3);
      if (bits && (bits < size || bits > most)) refuse(`This is a word of ${bits} bits for a format of ${size}`);
    }
    if (!size || word >> BigInt(size)) refuse(`This has more than ${size} bits`);
    const top = unsigned ? 0n : word >> BigInt(size - 1);
    const number = absolute(word - (top << BigInt(size)));
    const before_ = unsigned ? size : size - 1;
    const known = ({kind: as, value, unit}) =>
      !(as === "fixed" && compare(value, times(whole(2 ** fewestBits), unit)) < 0) &&
      MAGIC_NUMBERS.constants.some(({met, value: theirs}) => met && shortened(value, unit, exact(theirs)));
    let all = places.filter(n => n <= before_ && number).map(n => {
      const unit = power(2n, -n);
      const type = `${unsigned ? "U" : ""}Q${before_ - n}.${n}`;
      return {kind: "fixed", value: times(fraction(number), unit), unit, digits: 0, type};
    });
    if (!behind) all = [...all.filter(known), ...(prefix ? halves(digits, known) : [])];
    if (!all.length && !behind && kind && [16, 32, 64].includes(size)) {
      all = readings(`0x${word.toString(16).padStart(size / 4, "0")}`).filter(({value}) => value.n);
    }
    if (!all.length && behind) refuse("This is 0");
    if (!all.length && kind) refuse("This is no constant in any format");
    return all;
  }

  function halves(digits, known) {
    if (digits.length !== 8) return [];
    const parts = [...new Set([digits.slice(0, 4), digits.slice(4)])];
    const read = parts.flatMap(part => ofBits(part, "float16")).filter(({value}) => value.n);
    const packed = read.map(reading => ({...reading, kind: "packed"}));
    return packed.length === parts.length && (parts.length === 1 || packed.every(known)) ? packed : [];
  }

  // Every reading of a number, a word or a formula.
  function readAll(text) {
    const words = text.length <= MAGIC_NUMBERS.longestText ? readWord(text) : [];
    try {
      return [...read(text), ...words];
    } catch (error) {
      if (words.length) return words;
      if (!isFormula(text) || text.length > MAGIC_NUMBERS.longestText) throw error;
      return [readFormula(text)];
    }
  }

  // ---- From a value to the form

  const NUMBER = "([-+]?(?:\\d+/[1-9]\\d*|(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d{1,2})?))f?";
  const PAIR = new RegExp(`^(?:\\(${NUMBER},([^(),]+)\\)|[a-z_][\\w.]*\\((?:x=)?${NUMBER}\\)(?:==?|≈|:)([^()]+)|([^()]+)at(?:x=)?${NUMBER})$`);
  const MEANT = /^(?:\(.*,.*\)|.*\sat\s.*)$/s;

  // The x, the sign of y and the readings of y; null for another text.
  function readPair(text) {
    const {farthestInput, pairs} = MAGIC_NUMBERS;
    const found = PAIR.exec(text.toLowerCase().replace(/−/g, "-").replace(/\s+/g, ""));
    if (!found && MEANT.test(text.trim())) throw Error(`This cannot be read. Accepted is ${pairs}.`);
    if (!found) return null;
    const [written, y] = [found[1] ?? found[3] ?? found[6], found[2] ?? found[4] ?? found[5]];
    const [size] = readings(written.replace(/^[+-]/, ""));
    const x = written.startsWith("-") ? negative(size.value) : size.value;
    if (compare(magnitude(x), whole(farthestInput)) > 0)
      throw Error(`The input is ${written}. Accepted is -${farthestInput} to ${farthestInput}.`);
    let all;
    try {
      all = read(y);
    } catch (error) {
      throw Error(error.message.replace(/^This/, `In this pair the value ${y}`));
    }
    if (!all[0].unit.n) throw Error(`The value is ${y}. Accepted is one with digits, and no fraction.`);
    return [x, y.startsWith("-") ? -1n : 1n, all];
  }

  // Each function and its derivative, where it has one, by what it is.
  const functionValues = (() => {
    const found = new Map();
    return x => {
      const key = `${x.n}/${x.d}`;
      if (!found.has(key)) found.set(key, computed(x));
      return found.get(key);
    };
  })();

  function computed(x) {
    const digits = MAGIC_NUMBERS.longest + 10 + Number((x.n * x.n) / (4n * x.d * x.d));
    const use = arithmetic(digits);
    const [add, subtract, multiply, divide] = ["+", "-", "*", "/"].map(sign => use[sign]);
    const [one, two, zero] = [whole(1), whole(2), whole(0)];
    const product = (...factors) => factors.reduce(multiply);
    const cubic = exact("44715/1000000"), scale = exact("1702/1000");
    const slope = use.sqrt(divide(whole(8), use.pi()));
    const square = multiply(x, x);
    const density = divide(use.exp(divide(negative(square), two)), use.sqrt(multiply(two, use.pi())));
    let total = zero, term = x;
    for (let n = 3, next; compare((next = add(total, term)), total); n += 2) {
      total = next;
      term = multiply(term, divide(square, whole(n)));
    }
    const phi = add(fraction(1n, 2n), multiply(density, total));
    const gate = v => divide(one, add(one, use.exp(negative(v))));
    const gated = (v, rise) => [
      multiply(x, gate(v)), add(gate(v), product(x, rise, gate(v), gate(negative(v)))),
    ];
    const step = fraction(x.n > 0n ? 1n : 0n);
    const ramp = end => {
      const outside = compare(magnitude(x), end);
      if (outside >= 0) return [x.n > 0n ? x : zero, outside ? step : null];
      const width = multiply(two, end);
      return [divide(multiply(x, add(x, end)), width), divide(add(multiply(two, x), end), width)];
    };
    const cube = multiply(x, square);
    const pairs = {
      "the exact form": [multiply(x, phi), add(phi, multiply(x, density))],
      "the tanh form": gated(
        multiply(slope, add(x, multiply(cubic, cube))),
        multiply(slope, add(one, product(whole(3), cubic, square))),
      ),
      "the sigmoid form": gated(multiply(scale, x), scale),
      SiLU: gated(x, one),
      ReLU: [x.n > 0n ? x : zero, x.n ? step : null],
      "hard-swish": ramp(whole(3)),
      HardGELU: ramp(exact("158/100")),
    };
    const values = Object.entries(pairs).map(([of, [value]]) => [of, value]);
    const slopes = Object.entries(pairs).map(([of, [, rise]]) => [`the derivative of ${of}`, rise]);
    return [...values, ...slopes].filter(([, value]) => value);
  }

  // A number in so many significant digits, with its sign; a small one with an exponent.
  function signed(value, digits) {
    if (!value.n || !digits) return "0";
    const size = magnitude(value);
    let [text] = inDigits(size, digits);
    if (compare(size, fraction(1n, 1000n)) < 0) {
      const all = text.replace(".", "").replace(/^0+/, "").padEnd(digits, "0");
      text = `${all[0]}${digits > 1 ? "." : ""}${all.slice(1, digits)}e${floorPower(decimalOf(text), 10n)}`;
    }
    return value.n < 0n ? `-${text}` : text;
  }

  // How many significant digits reach down to a unit; 0 if the value is less than half of it.
  function digitsDownTo(value, unit) {
    const units = over(magnitude(value), unit);
    return compare(units, fraction(1n, 2n)) < 0 ? 0 : Math.max(1, floorPower(units, 10n) + 1);
  }

  // An input as Python writes it with :g.
  function general(x) {
    const number = Number((Number(x.n) / Number(x.d)).toPrecision(6));
    if (!number || Math.abs(number) >= 1e-4) return String(number);
    return number.toExponential().replace(/e-(\d)$/, "e-0$1");
  }

  function valueSentence({of, x, value, distance, way}, {kind, value: y, unit}) {
    let why = MAGIC_NUMBERS.ways[way].replace("{distance}", signed(distance, 2));
    const written = signed(value, digitsDownTo(value, unit));
    if (!way && kind === "decimal") why = `which would be written ${written}, ${why}`;
    return `${of} at ${general(x)} is ${signed(value, digitsDownTo(y, unit) + 3)}, ${why}`;
  }

  // The float type that makes of a value what is written; empty if none does.
  function byFloatType(of, x, sign, {value: y, unit}) {
    for (const type of Object.keys(MAGIC_NUMBERS.types)) {
      const near = x.n ? nearestFloat(magnitude(x), type) : x;
      const at = x.n < 0n ? negative(near) : near;
      const found = functionValues(at).find(([name]) => name === of)?.[1] ?? fraction(0n);
      const made = found.n * sign > 0n ? nearestFloat(magnitude(found), type) : null;
      if (made?.n && shortened(y, unit, made) === "rounded") return type;
    }
    return "";
  }

  // Each function at x: those that have the value, then the others; of both the nearest first.
  function valuesAt(x, sign, reading) {
    const {value: y, unit} = reading;
    const ways = Object.keys(MAGIC_NUMBERS.ways);
    const found = functionValues(x).map(([of, value]) => {
      const turned = times(fraction(sign), value);
      return {of, x, value, distance: magnitude(minus(turned, y)), way: shortened(y, unit, turned)};
    });
    if (!found.some(({way}) => way)) for (const one of found) one.way = byFloatType(one.of, x, sign, reading);
    return found.sort((a, b) => ways.indexOf(a.way) - ways.indexOf(b.way) || compare(a.distance, b.distance));
  }

  const easyInputs = () => MAGIC_NUMBERS.easy.map(exact);

  // The functions that have a decimal as their value at an easy input, as sentences.
  function valuesOf(reading) {
    const {kind, digits, value: y, unit} = reading;
    if (kind !== "decimal" || digits < MAGIC_NUMBERS.enoughDigits) return [];
    return easyInputs().flatMap(x => functionValues(x)
      .filter(([, value]) => shortened(y, unit, magnitude(value)) === "rounded")
      .map(([of, value]) => valueSentence({of, x, value, way: "rounded", distance: y}, reading)));
  }

  // Where the functions differ: at -3 or, if some are alike there, at -1.5.
  function toldApart(values) {
    const valueAt = (x, of) => functionValues(x).find(([name]) => name === of)?.[1] ?? fraction(0n);
    const told = x => values.map(({of}) => [of, signed(valueAt(x, of), 4)]);
    const inputs = [fraction(-3n), fraction(-3n, 2n)];
    const differ = x => new Set(told(x).map(([, y]) => y)).size === values.length;
    const best = inputs.find(differ) ?? inputs[1];
    return `at ${general(best)} ${told(best).map(([of, y]) => `${of} is ${y}`).join(", ")}`;
  }

  // What is said of a pair, line by line.
  function linesOfPair([x, sign, read]) {
    const found = read.flatMap(reading => valuesAt(x, sign, reading).map(value => [value, reading]));
    const [fits, others] = [found.filter(([value]) => value.way), found.filter(([value]) => !value.way)];
    const told = pairs => pairs.map(([value, reading]) => valueSentence(value, reading));
    const lines = fits.length ? told(fits) : [MAGIC_NUMBERS.noValue];
    if (fits.length > 1) lines.push(toldApart(fits.map(([value]) => value)));
    return [...lines, ...told(others.slice(0, fits.length ? 1 : MAGIC_NUMBERS.nearest))];
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
        const told = how === "rounded" && digits >= MAGIC_NUMBERS.fittedDigits;
        if (how && (told || !constant.fitted)) return [how, ""];
      }
      for (const [kind, name, near] of waysOf(constant)) {
        const how = along(kind, name, near, number, unit);
        if (how) return [how, name];
      }
    }
    if (printed) return ["printed", ""];
    const meant = right >= MAGIC_NUMBERS.meantDigits && right < digits && !constant.fitted;
    return written === "decimal" && meant ? ["wrong", ""] : null;
  }

  const waysOf = constant => constant.ways.map(([kind, name, near]) => [kind, name, exact(near)]);

  // The types in which a literal and a constant are one float, and how many floats apart they are else.
  function floatsOf(reading, constant) {
    const all = MAGIC_NUMBERS.types;
    const same = [], others = [];
    for (const type of reading.type in all ? [reading.type] : Object.keys(all)) {
      const two = [reading.value, exact(constant.value)].map(number => nearestFloat(number, type));
      if (!two.every(near => near?.n)) continue;
      const [ours, theirs] = two.map(near => ordinal(near, type));
      const steps = absolute(ours - theirs);
      if (!steps) same.push(type);
      else if (steps <= BigInt(MAGIC_NUMBERS.mostSteps))
        others.push(`${steps === 1n ? "one" : steps} ${type} ${ours > theirs ? "above" : "below"}`);
    }
    return {same, others};
  }

  // The place of a float among the positive ones of its type.
  function ordinal(number, type) {
    const [digits, least] = MAGIC_NUMBERS.types[type];
    const exponent = Math.max(floorPower(number, 2n), least);
    const units = over(number, power(2n, exponent - digits));
    return units.n / units.d + (BigInt(exponent - least) << BigInt(digits));
  }

  // ---- The look-up

  function matchOf(reading, constant) {
    const value = exact(constant.value);
    const right = rightDigits(reading.value, value);
    const [kind, way] = explain(reading, constant, right) ?? ["", ""];
    return {
      constant, kind, way, right,
      difference: over(magnitude(minus(reading.value, value)), value),
      get floats() { return floatsOf(reading, constant); }, // asked of those that are shown
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
      if (left < 0) return (kept * 10n ** BigInt(-left)).toString();
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
  function slips({kind, value, unit, digits}) {
    if (kind === "fixed") return slipsOfWord(over(value, unit).n / over(value, unit).d, unit);
    if (kind !== "decimal" || digits < MAGIC_NUMBERS.slipDigits) return [];
    return MAGIC_NUMBERS.constants.filter(({met}) => met).flatMap(constant => {
      for (const longer of [0, -1, 1])
        for (const meant of written(constant, digits + longer))
          for (const [slip, made] of slipsOf(meant, longer))
            if (compare(made, value) === 0) return [{constant, meant, kind: slip}];
      return [];
    });
  }

  // The constants whose word in fixed point has one other hexadecimal digit, of three and more.
  function slipsOfWord(word, unit) {
    return MAGIC_NUMBERS.constants.filter(({met}) => met).flatMap(constant => {
      const meant = round(over(exact(constant.value), unit));
      const differ = word ^ meant;
      if (word < 256n || meant < 256n || !differ) return [];
      const place = Math.floor((differ.toString(2).length - 1) / 4) * 4;
      if (differ % (1n << BigInt(place))) return [];
      const text = meant.toString(16).toUpperCase().padStart(word >> 16n ? 8 : 4, "0");
      return [{constant, meant: `0x${text}`, kind: "hexadecimal"}];
    });
  }

  function slipSentence({constant, meant, kind}) {
    const name = meant === constant.name ? "" : ` (${constant.name})`;
    return `may be a slip for ${meant}${name}: ${MAGIC_NUMBERS.slips[kind]}`;
  }

  // For each reading of a literal its matches, the nearest other constants, and what else is to be said.
  function lookup(literal) {
    const {nearDigits, nearResult, slipsTold} = MAGIC_NUMBERS;
    const order = ({kind, constant}) => 4 * (kind !== "exact") + 2 * constant.register + !constant.cited;
    const isRounded = ({kind, constant}) => constant.fitted && kind === "rounded";
    // a coefficient of the register, which stands in no program, must be very near
    const isNear = ({constant, difference, right}) => constant.register
      ? constant.coefficient && compare(difference, exact(nearResult)) <= 0
      : right >= nearDigits;
    const short = literal.length <= MAGIC_NUMBERS.longestText; // else it is refused
    const pair = short && readPair(literal);
    if (pair) return [{lines: linesOfPair(pair)}];
    const answers = readAll(literal).map(reading => {
      const ranked = MAGIC_NUMBERS.constants
        .map(constant => matchOf(reading, constant))
        .sort((a, b) => compare(a.difference, b.difference));
      const found = ranked.filter(match => match.kind).sort((a, b) => order(a) - order(b));
      // a fitted coefficient that was rounded is told only of a number that is no other
      const matches = found.every(({constant}) => constant.register) ? found : found.filter(match => !isRounded(match));
      const near = ranked.filter(match => !match.kind && isNear(match));
      const nearest = isShort(reading) ? [] : near.slice(0, MAGIC_NUMBERS.nearest);
      const subnormal = reading.type === "float32" && compare(reading.value, power(2n, MAGIC_NUMBERS.types.float32[1])) < 0;
      const why = subnormal ? "word" : isShort(reading) ? "short" : nearest.length ? "near" : "alone";
      const unknown = matches.length ? "" : MAGIC_NUMBERS.unknown[why];
      const mayBe = matches.every(match => match.constant.register) ? slips(reading) : [];
      const all = [...accidents(reading, matches), ...matches.filter(({constant}) => constant.met).map(match => asNear(reading, match))];
      if (mayBe.length) all.push(slipsTold[reading.digits]);
      const clauses = [...new Set(all)].filter(clause => clause);
      return {reading, matches, nearest, unknown, slips: mayBe.map(slipSentence), accidents: clauses};
    });
    const stands = answers.some(answer => answer.matches.length || answer.slips.length);
    return answers.map(answer => ({...answer, values: stands ? [] : valuesOf(answer.reading)}));
  }

  function sentence(reading, match) {
    const unit = MAGIC_NUMBERS.units[reading.kind] ?? reading.type;
    return MAGIC_NUMBERS.kinds[match.kind].replace("{way}", match.way).replace("{unit}", unit);
  }

  return {lookup, read, scientific, sentence, suggestion};
})();

// ---- The page

function showNumbers(form) {
  const input = form.querySelector("input");
  const answer = form.querySelector("#number-answer"), forms = form.querySelector("#number-accepted");
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
    const {same, others} = match.floats;
    const floats = [...(same.length ? [`the same ${same.join(", ")}`] : []), ...others].join("; ");
    if (floats) facts.push(`${floats[0].toUpperCase()}${floats.slice(1)}.`);
    const formula = constant.name === constant.digits ? [] : [element("strong", constant.name), " = "];
    const title = element("p", "", ...formula, element("code", constant.digits));
    const text = element("p", `${constant.meaning} ${facts.join(" ")} `); // what it is for comes first
    if (constant.page) text.append(link("Chapter", constant.page), " ");
    if (constant.result) text.append(link("Result", `results.html#${constant.result}`));
    return element("li", "", title, text);
  }

  function describeReading({lines, reading, matches, nearest, unknown, slips, accidents, values}) {
    const full = text => (/[.:]$/.test(text) ? text : `${text}.`);
    const sentence = line => element("p", full(`${line[0].toUpperCase()}${line.slice(1)}`));
    if (lines) return lines.map(sentence);
    const packed = reading.kind === "packed" ? "packed " : "";
    const as = reading.type ? `As ${packed}${reading.type} it` : "It";
    const found = matches.length === 1 ? "one constant" : `${matches.length} constants`;
    const parts = [element("p", full(`${as} ${unknown || `matches ${found}`}`))];
    const shown = (matches.length ? matches : nearest).slice(0, MOST_SHOWN);
    if (shown.length) parts.push(element("ol", "", ...shown.map(match => describe(reading, match))));
    const more = matches.length - MOST_SHOWN;
    if (more > 0) parts.push(element("p", `And ${more} more.`));
    parts.push(...slips.map(slip => element("p", full(`It ${slip}`))));
    parts.push(...values.map(value => sentence(`or a value: ${value}`)));
    return [...parts, ...accidents.map(clause => element("p", full(`A match may be an accident: ${clause}`)))];
  }

  function update() {
    try {
      answer.replaceChildren(...magicNumbers.lookup(input.value).flatMap(describeReading));
      input.removeAttribute("aria-invalid");
    } catch (error) {
      answer.replaceChildren(element("p", error.message));
      forms.open ||= error.message.endsWith(MAGIC_NUMBERS.accepted);
      input.setAttribute("aria-invalid", "true");
    }
  }

  form.addEventListener("submit", event => {
    event.preventDefault();
    update();
  });
  input.value = new URLSearchParams(location.search).get("number") ?? "";
  if (input.value) update(); // the search leads here with a number that it did not find
}

if (typeof document !== "undefined") {
  const form = document.getElementById("number-search");
  if (form) showNumbers(form);
}
