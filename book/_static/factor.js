// The chapter on what GELU is: one slider for x. The area under the bell curve left of x is Φ(x), and
// GELU is that share of the line y = x.

"use strict";

function showFactor(root) {
  const {Phi, density} = explorerCore;
  const {shown} = explorerWords;
  const part = explorerPictures.partsOf(root, "factor");
  const TOP = 0.45; // of the bell curve's axis
  const LABELS = -2.4; // where the names of curve and line stand
  const DIGITS = 3;
  const slider = part("slider");
  const [low, high] = [slider.min, slider.max].map(Number);
  const decimals = slider.step.length - "0.".length;
  const gelu = x => x * Phi(x);
  let graph = null; // where the points of the plane lie in it

  function drawBell(x) {
    const width = part("bell").clientWidth;
    const area = explorerPictures.sampled(density, low, x, width);
    explorerPictures.draw(part("bell"), {
      x: {low, high, name: "x"},
      y: {low: 0, high: TOP, name: "bell curve"},
      curves: [
        {kind: "area", points: [[low, 0], ...area, [x, 0]]},
        {kind: "curve", points: explorerPictures.sampled(density, low, high, width)},
      ],
    });
  }

  // The height of the line at x, and over it the part of it that GELU is.
  function drawGraph(x) {
    graph = explorerPictures.draw(part("graph"), {
      x: {low, high, name: "x"},
      y: {low, high, name: "activation"},
      curves: [
        {kind: "arm", points: [[low, low], [high, high]]},
        {kind: "curve", points: explorerPictures.sampled(gelu, low, high, part("graph").clientWidth)},
        {kind: "level", points: [[x, 0], [x, x]]},
        {kind: "curve thick", points: [[x, 0], [x, gelu(x)]]},
      ],
      texts: [
        {kind: "name", at: [LABELS, LABELS], right: 10, side: "below", text: "y = x"},
        {kind: "name", at: [LABELS, gelu(LABELS)], side: "above", text: "GELU"},
      ],
      marks: [{x, y: x, kind: "peak"}, {x, y: gelu(x), kind: "peak dot"}],
    });
  }

  function render() {
    const x = Number(slider.value);
    drawBell(x);
    drawGraph(x);
    const written = x.toFixed(decimals).replace("-", "−");
    part("number").textContent = written;
    slider.setAttribute("aria-valuetext", written);
    const percent = (100 * Phi(x)).toFixed(1);
    part("said").textContent = `The area left of ${written} is ${percent} % of the whole, so GELU is `
      + `${percent} % of ${written}, which is ${shown(gelu(x), DIGITS)}.`;
  }

  // What waits for a pause: the words for those who do not see the pictures.
  function settle() {
    const said = part("said").textContent;
    part("bell").setAttribute("aria-label", `The bell curve, and the area under it. ${said}`);
    part("graph").setAttribute("aria-label", `GELU and the line y = x. ${said}`);
    part("spoken").textContent = said;
  }

  function change(x) {
    slider.value = String(x); // which it puts on a step, and between its ends
    drawSoon();
  }

  const drawSoon = explorerPictures.live(root, part("bell"), render, settle);
  const moveTo = ([pixel]) => change(graph.xAt(pixel));
  explorerPictures.draggable(part("graph"), "svg", {
    begin: (_, place) => moveTo(place), move: (_, place) => moveTo(place),
  });
}

showFactor(document.getElementById("factor-box"));
