// The page on measures: one slider for the width T of the weight exp(−x²/T). The best k for GELU
// under it moves along its line, and crest and trough of the weighted error stay level.

"use strict";

function showWeighing(root) {
  const {kept, forms: {tanh}} = EXPLORER;
  const part = explorerPictures.partsOf(root, "weighing");
  const END = 5; // of the drawing
  const ROOM = 2; // of its axis, in units of the level
  const UNIT = 1000; // of k on its axis, where 0.0447 is 44.7
  const slider = part("slider");
  const [low, high] = [slider.min, slider.max].map(Number); // of the power of ten
  const [least, most] = [low, high].map(power => 10 ** power);
  const STRETCHES = 50; // of the line of all k
  const line = Array.from({length: STRETCHES + 1}, (_, i) => {
    const width = 10 ** (low + (high - low) * i / STRETCHES);
    return [width, UNIT * explorerCore.levelled(width, kept).k];
  });

  // The weighted error in units of its level, and faintly the error itself, which leaves the frame.
  function drawError({k, level}, width) {
    const member = explorerCore.withNumber("tanh", k, kept);
    const size = x => explorerCore.error("GELU", member, x)[0] / level;
    const points = explorerPictures.sampled(size, 0, END, part("error").clientWidth);
    explorerPictures.draw(part("error"), {
      x: {low: 0, high: END, name: "x"},
      y: {low: -ROOM, high: ROOM, name: "error under the weight, 1 is its level"},
      levels: [1, -1],
      curves: [
        {kind: "arm", points},
        {kind: "curve", points: points.map(([x, e]) => [x, e * Math.exp(-x * x / width)])},
      ],
    });
  }

  function drawLine({k}, width) {
    const ks = line.map(([, best]) => best);
    const room = (ks[0] - ks.at(-1)) / 10;
    const printed = UNIT * tanh.printed;
    explorerPictures.draw(part("line"), {
      x: {low: least, high: most, log: true, name: "T"},
      y: {low: ks.at(-1) - room, high: ks[0] + room, name: "best k, in 10⁻³"},
      curves: [
        {kind: "curve", points: line},
        {kind: "printed", points: [[least, printed], [most, printed]]},
      ],
      texts: [{kind: "printed end", at: [most, printed], side: "above", text: tanh.literal}],
      marks: [{x: width, y: UNIT * k, kind: "peak dot"}],
    });
  }

  function render() {
    const width = 10 ** Number(slider.value);
    const found = explorerCore.levelled(width, kept);
    drawError(found, width);
    drawLine(found, width);
    const written = explorerWords.shown(width, 3);
    const [k, level] = [found.k.toFixed(tanh.decimals), explorerWords.shown(found.level, 3)];
    part("number").textContent = written;
    slider.setAttribute("aria-valuetext", `T = ${written}`);
    part("level").textContent = `The best k is ${k}. Crest and trough are ${level} under the weight.`;
    part("success").textContent = k === tanh.literal ? "That is the printed constant." : "";
  }

  // What waits for a pause: the words for those who do not see the pictures.
  function settle() {
    const said = ["level", "success"].map(name => part(name).textContent).join(" ");
    part("error").setAttribute("aria-label", `The weighted error of GELU. ${said}`);
    part("line").setAttribute("aria-label", `The best k against T. ${said}`);
    part("spoken").textContent = said;
  }

  explorerPictures.live(root, part("error"), render, settle);
}

showWeighing(document.getElementById("weighing-box"));
