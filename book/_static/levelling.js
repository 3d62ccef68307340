// One slider for k of the tanh form, its error curve, and the largest error: on the landing page, on
// those in other languages, and in the chapter on this constant.
// What is said follows the state: it is level, or which way to move the number.

"use strict";

function showLevelling(root) {
  const {kept, start, tasks: [task]} = EXPLORER;
  const {withNumber, measure} = explorerCore;
  const part = explorerPictures.partsOf(root, "levelling");
  const QUIET = 600; // milliseconds after a change, until it is spoken
  const slider = part("slider");
  const [low, high] = [slider.min, slider.max].map(Number);
  const tanh = {...EXPLORER.forms.tanh, letter: slider.labels[0].textContent, low, high};
  let state = {...start};
  let frame = 0;
  let pause = 0;
  let solved = false;

  const drawPair = explorerPair.pair(
    {error: part("error"), vee: part("vee")}, {...EXPLORER, forms: {tanh}}, number => change(number));

  // A new k. What somebody is dragging stays as it is.
  function change(number, mover = null) {
    state = {...state, ...withNumber("tanh", number, kept)};
    if (mover !== slider) slider.value = String(number);
    solved ||= explorerWords.solves(task, state, measure(state.of, state));
    drawSoon();
  }

  function drawSoon() {
    frame = frame || requestAnimationFrame(render);
  }

  function render() {
    frame = 0;
    if (!part("error").clientWidth) return; // nothing is seen of it
    const measured = measure(state.of, state);
    const level = explorerWords.solves(task, state, measured);
    drawPair(state, measured, {revealed: solved});
    const number = explorerWords.written(explorerCore.numberOf(state), tanh.decimals);
    part("number").textContent = number;
    slider.setAttribute("aria-valuetext", number);
    root.classList.toggle("level", level);
    part("level").textContent = explorerWords.levelSentence(state.of, tanh.letter, measured);
    part("success").textContent = level ? explorerWords.doneSentence(task, tanh) : "";
    clearTimeout(pause);
    pause = setTimeout(() => settle(measured, level), QUIET);
  }

  // What waits for a pause: the words for those who do not see the pictures.
  function settle(measured, level) {
    const pictures = explorerWords.pictureSentences(state, measured, tanh);
    for (const name of ["error", "vee"]) part(name).setAttribute("aria-label", pictures[name]);
    const size = explorerWords.sizeSentence(state.of, measured);
    part("spoken").textContent = `${size} ${part(level ? "success" : "level").textContent}`;
  }

  slider.addEventListener("input", () => change(Number(slider.value), slider));
  explorerPictures.nudging(root, step => {
    const moved = explorerCore.nudged(explorerCore.numberOf(state), step);
    change(Math.max(low, Math.min(high, Number(moved.toFixed(tanh.decimals)))));
  });
  new ResizeObserver(drawSoon).observe(part("error"));
  drawSoon();
}

showLevelling(document.getElementById("levelling-box"));
