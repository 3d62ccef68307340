// The chapter on the cheapest GELU: one slider for the degree of a polynomial, the gates that it must
// pass, and the best one of that degree. Where it cannot pass, the gates that forbid it are lit.
//
// A gate is [a, low, high]: what 2^q may be off from Φ(−a), in percent. It is drawn as two posts, from
// the edges of the picture to its ends. A fit has the coefficients of q as a sum of Chebyshev
// polynomials on [0, end], and the largest distance from the middle of a gate, in half gates.

"use strict";

function showGates(root) {
  const part = explorerPictures.partsOf(root, "gates");
  const TOP = 1.6; // percent, the end of the vertical axis
  const {gates, fits, end} = JSON.parse(part("data").textContent);
  const slider = part("slider");

  // A sum of Chebyshev polynomials at u, by Clenshaw's recurrence.
  function summed(coefficients, u) {
    const [first, ...others] = coefficients;
    let [b, c] = [0, 0];
    for (const coefficient of others.reverse()) [b, c] = [coefficient + 2 * u * b - c, b];
    return first + u * b - c;
  }

  // What 2^q is off from Φ(−a), in percent.
  function off({coefficients}, a) {
    const q = summed(coefficients, 2 * a / end - 1);
    return 100 * (2 ** (q - Math.log2(explorerCore.normalTail(a))) - 1);
  }

  const clipped = y => Math.max(-TOP, Math.min(TOP, y));

  function draw(fit) {
    const missed = ([a, low, high]) => off(fit, a) < low || off(fit, a) > high;
    const lit = ([a]) => fit.forbidding.includes(a);
    const kind = gate => (lit(gate) ? "gate lit" : missed(gate) ? "gate missed" : "gate");
    const posts = gate => [[gate[2], TOP], [gate[1], -TOP]]
      .map(heights => ({kind: kind(gate), points: heights.map(y => [gate[0], clipped(y)])}));
    const ordered = [...gates].sort((one, other) => lit(one) - lit(other)); // the lit ones on top
    const width = part("curve").clientWidth;
    const curve = explorerPictures.sampled(a => off(fit, a), 0, end, width);
    explorerPictures.draw(part("curve"), {
      x: {low: 0, high: end, name: "|x|"},
      y: {low: -TOP, high: TOP, name: "off from Φ(−|x|), in percent"},
      curves: [...ordered.flatMap(posts), {kind: "curve", points: curve}],
    });
  }

  function sentence(degree, {distance, forbidding, rises}) {
    if (distance > 1) {
      const far = explorerWords.shown(distance, 3);
      return `The best polynomial of degree ${degree} strays up to ${far} half gates from a gate’s middle; `
        + `1 is the limit. The ${forbidding.length} thick gates stop every polynomial of this degree.`;
    }
    const free = Math.round(100 * (1 - distance));
    return `It leaves ${free} % of each half gate free. `
      + (rises ? `Beyond |x| = ${end} its q turns upward, so a kernel must limit |x|.`
        : "It needs no limit of |x|.");
  }

  function render() {
    const degree = Number(slider.value);
    const fit = fits[degree - 1];
    const passes = fit.distance <= 1;
    draw(fit);
    root.classList.toggle("level", passes);
    part("number").textContent = String(degree);
    slider.setAttribute("aria-valuetext", `degree ${degree}`);
    part("said").textContent = sentence(degree, fit);
    part("success").textContent = passes ? `Degree ${degree} passes every gate${fit.rises ? " up to 14" : ""}.` : "";
  }

  // What waits for a pause: the words for those who do not see the picture.
  function settle() {
    const said = ["success", "said"].map(name => part(name).textContent).join(" ").trim();
    part("curve").setAttribute("aria-label", `The gates of bfloat16 and a curve. ${said}`);
    part("spoken").textContent = said;
  }

  explorerPictures.live(root, part("curve"), render, settle);
}

showGates(document.getElementById("gates-box"));
