// The chapter on Taylor's series: one slider for k, a level line across the constants that are right at
// each x. Where that curve is above the line, the formula is too small; where it is below, too large.

"use strict";

function showRightAt(root) {
  const {kept, forms: {tanh}} = EXPLORER;
  const {error, measure, rightAt, rightPlace, withNumber} = explorerCore;
  const {roundUp, shown} = explorerWords;
  const part = explorerPictures.partsOf(root, "right");
  const END = 4; // of the drawings
  const HANDLE = 3.2; // where the line is held
  const UNIT = 1000; // of k on its axis, where 0.0447 is 44.7
  const ROOM = 1.35; // of the axis of the error, over the largest with Taylor's coefficient
  const DIGITS = 3;
  const slider = part("slider");
  const [low, high] = [slider.min, slider.max].map(Number);
  const right = x => UNIT * (x ? rightAt(x, kept) : tanh.local);
  const memberWith = k => withNumber("tanh", k, kept);
  const top = roundUp(ROOM * measure("Phi", memberWith(tanh.local)).size);
  let lines = null; // where the points of the plane lie in the first picture

  function drawLines(k, place) {
    const width = part("curve").clientWidth;
    const points = explorerPictures.sampled(right, 0, END, width);
    lines = explorerPictures.draw(part("curve"), {
      x: {low: 0, high: END, name: "x"},
      y: {low: UNIT * low, high: UNIT * high, name: "constant that is right at x, in 10⁻³"},
      curves: [
        {kind: "exact whole", points},
        {kind: "curve", points: [[0, UNIT * k], [END, UNIT * k]]},
      ],
      texts: [{kind: "printed", at: [HANDLE, UNIT * k], right: 12, side: "above", text: "your k"}],
      marks: [
        ...(place < END ? [{x: place, y: UNIT * k, kind: "peak"}] : []),
        {x: HANDLE, y: UNIT * k, kind: "peak dot", grip: HANDLE},
      ],
    });
  }

  function drawError(k, place) {
    const member = memberWith(k);
    const at = x => error("Phi", member, x)[0];
    const {size, peaks} = measure("Phi", member);
    explorerPictures.draw(part("error"), {
      x: {low: 0, high: END, name: "x"},
      y: {low: -top, high: top, name: "error of Φ"},
      levels: [size, -size],
      curves: [{kind: "curve", points: explorerPictures.sampled(at, 0, END, part("error").clientWidth)}],
      texts: peaks.map(({x, error: e}) => ({
        kind: "height", at: [x, e], side: e > 0 ? "above" : "below",
        text: e > 0 ? "too small" : "too large",
      })),
      marks: place < END ? [{x: place, y: 0, kind: "peak"}] : [],
    });
    return size;
  }

  function sentence(k, place) {
    if (!place) return "Right at 0 alone, and too large everywhere else.";
    if (place === END) return `Too small up to ${END} and farther.`;
    return `Right at x = ${shown(place, DIGITS)}: too small before, too large after.`;
  }

  function render() {
    const k = Number(slider.value);
    const isTaylor = k >= Number(tanh.local.toFixed(tanh.decimals));
    const place = isTaylor ? 0 : rightPlace(k, kept, END);
    drawLines(k, place);
    const size = drawError(k, place);
    const written = k.toFixed(tanh.decimals);
    part("number").textContent = written;
    slider.setAttribute("aria-valuetext", written);
    part("said").textContent = `${sentence(k, place)} Largest error of Φ: ${shown(size, DIGITS)}.`;
  }

  // What waits for a pause: the words for those who do not see the pictures.
  function settle() {
    const said = part("said").textContent;
    part("curve").setAttribute("aria-label", `For each x the constant that is right there. ${said}`);
    part("error").setAttribute("aria-label", `The error of Φ. ${said}`);
    part("spoken").textContent = said;
  }

  function change(k) {
    slider.value = String(k); // which it puts on a step, and between its ends
    drawSoon();
  }

  const drawSoon = explorerPictures.live(root, part("curve"), render, settle);
  explorerPictures.draggable(part("curve"), ".grip", {
    begin: (grip, [, pixel]) => Number(grip.getAttribute("cy")) - pixel,
    move: (offset, [, pixel]) => change(lines.yAt(pixel + offset) / UNIT),
  });
}

showRightAt(document.getElementById("right-box"));
