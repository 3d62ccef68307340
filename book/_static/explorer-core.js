// The mathematics of the explorer: Φ̂(x) = σ(p₁x + p₃x³) beside Φ, GELU and GELU′.
//
// Nothing here knows of a page, and what is said of it stands in explorer-words.js. Numbers are doubles, a member of the family is {p1, p3}, and an
// error is exact less approximate. With e = Φ − Φ̂ the errors are e, x·e and (x·e)′. The first and
// the last are odd functions of x and the second is even, so x ≥ 0 tells all. A test holds this
// file to the Python library.

"use strict";

const explorerCore = (() => {
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

  // ---- Two members, and a band

  const MEETING_END = 20; // beyond it σ of members near the best pair underflows

  // Where the errors of two members cross for x > 0, as samples of their difference show it. Both
  // have Φ in them, which cancels; what is left keeps its sign far out.
  function crossings(one, other) {
    const gap = x => logistic(-polynomial(one, x)) - logistic(-polynomial(other, x));
    const found = [];
    let [left, sign] = [0, 0];
    for (let k = 1; k * STEP <= MEETING_END; k += 1) {
      const next = Math.sign(gap(k * STEP));
      if (!next) continue;
      if (sign && next !== sign) found.push(bisected(gap, sign, left, k * STEP));
      [left, sign] = [k * STEP, next];
    }
    return found;
  }

  const TOUCHING = 1 + 1e-9; // of the level; what rises no higher does not leave the band

  // The stretches of a curve that are outside the band from −level to level: the sign of each, its
  // points, and the farthest of them.
  function outside(points, level) {
    const found = [];
    let before = 0;
    for (const point of points) {
      const side = Math.abs(point[1]) > level * TOUCHING ? Math.sign(point[1]) : 0;
      if (side && side !== before) found.push({side, points: [], farthest: point});
      if (side) found.at(-1).points.push(point);
      if (side && side * point[1] > side * found.at(-1).farthest[1]) found.at(-1).farthest = point;
      before = side;
    }
    return found;
  }

  // ---- The two forms, each with one number: k = p₃/p₁ of the tanh form, c = p₁ of the sigmoid form

  const formOf = ({p3}) => (p3 ? "tanh" : "sigmoid");
  const numberOf = ({p1, p3}) => (p3 ? p3 / p1 : p1);

  // The member with that number. Of the tanh form p₁ stays as it is given.
  const withNumber = (form, number, p1) =>
    form === "tanh" ? {p1, p3: number * p1} : {p1: number, p3: 0};

  // How high the error rises above 0 and how deep it falls below, at its peaks for x > 0.
  const heights = peaks =>
    [1, -1].map(sign => Math.max(0, ...peaks.map(({error}) => sign * error)));

  // The next multiple of a step beyond a number: above it, or below it where the step is negative.
  // So a number that is no multiple is moved to one, and a round number is not missed.
  const nudged = (number, step) => (Math.floor(number / step + 1e-6) + 1) * step;

  const STRETCHES = 40; // of the range of a number, for the picture of the largest error

  // The heights and the largest error against the number of a form, from low to high. The largest
  // error is the higher of two smooth curves, so where they cross it has a corner, and a point.
  function vee(of, form, p1, {low, high}) {
    const at = number => {
      const {size, peaks} = measure(of, withNumber(form, number, p1));
      const [up, down] = heights(peaks);
      return {number, up, down, size};
    };
    const points = [];
    for (let i = 0; i <= STRETCHES; i += 1) {
      const point = at(low + (high - low) * i / STRETCHES);
      const before = points.at(-1);
      if (before && (before.up - before.down) * (point.up - point.down) < 0)
        points.push(at(corner(before, point)));
      points.push(point);
    }
    return points;
  }

  // Where straight lines through the heights at two numbers cross.
  function corner(left, right) {
    const [a, b] = [left.up - left.down, right.up - right.down];
    return left.number + (right.number - left.number) * a / (a - b);
  }

  // The number with which the error at x has the height that is wanted, as Newton's method finds
  // it, or the end of the range on the way there.
  function numberThrough(of, member, x, wanted, {low, high}) {
    const form = formOf(member);
    const height = number => error(of, withNumber(form, number, member.p1), x)[0];
    let number = Math.max(low, Math.min(high, numberOf(member)));
    for (let i = 0; i < 4; i += 1) {
      const step = 1e-5 * number;
      const slope = (height(number + step) - height(number - step)) / (2 * step);
      if (!slope) return number;
      const next = number + (wanted - height(number)) / slope;
      number = Math.max(low, Math.min(high, next));
    }
    return number;
  }

  // ---- The best k for GELU under the weight exp(−x²/width)

  const PLACES = Array.from({length: 801}, (_, i) => i / 100);
  const tails = PLACES.map(normalTail);
  const [LEAST_K, MOST_K] = [0.043, 0.047]; // between them every width has its best

  // The k that makes crest and trough level under the weight, and their size. A larger k lowers the
  // error at every x > 0, so bisection finds it.
  function levelled(width, p1) {
    const weights = PLACES.map(x => x * Math.exp(-x * x / width));
    const heightsOf = k => {
      const weighted = PLACES.map((x, i) =>
        weights[i] * (logistic(-p1 * (x + k * x ** 3)) - tails[i]));
      return [Math.max(...weighted), -Math.min(...weighted)];
    };
    let [low, high] = [LEAST_K, MOST_K];
    for (let halving = 0; halving < 30; halving += 1) {
      const k = (low + high) / 2;
      const [crest, trough] = heightsOf(k);
      if (crest > trough) low = k;
      else high = k;
    }
    return {k: (low + high) / 2, level: Math.max(...heightsOf((low + high) / 2))};
  }

  // ---- The k of the tanh form that is right at x > 0: σ(p₁(x + kx³)) = Φ(x), solved for k

  function rightAt(x, p1) {
    const tail = normalTail(x);
    return (Math.log((1 - tail) / tail) / (p1 * x) - 1) / x ** 2;
  }

  // The x up to an end at which k is right: 0 or the end if there is none. `rightAt` falls.
  function rightPlace(k, p1, end) {
    let [left, right] = [0, end];
    for (let halving = 0; halving < 40; halving += 1) {
      const middle = (left + right) / 2;
      if (rightAt(middle, p1) > k) left = middle;
      else right = middle;
    }
    return right === end ? end : left;
  }

  return {
    density, normalTail, Phi, logistic, values, error, errorAtInfinity, extrema, measure,
    alternations, alternatingLevel, crossings, outside,
    formOf, numberOf, withNumber, nudged, heights, vee, numberThrough, levelled,
    rightAt, rightPlace,
  };
})();
