// The chapter on what best means: a curve that two sliders move, beside the best one in its band.
//
// What is said is what is seen: where the curves cross is sought in their values, and no theorem is
// used to count. The theorem stands on the page, which says why the reader fails.

"use strict";

function showBand(root) {
  const {best} = EXPLORER;
  const {crossings, error, measure, outside} = explorerCore;
  const {bandSentence, bandPictureSentence, crossingSentence, factorWords} = explorerWords;
  const part = explorerPictures.partsOf(root, "band");
  const TO = 4.5; // the right end of the picture
  const ROOM = 2.5; // of the axis, over the height of the band
  const QUIET = 600; // milliseconds after a change, until it is spoken, and is a try
  const TRIES = 3; // so many, until it is said why they fail
  const sliders = {p1: part("p1"), p3: part("p3")};
  const {size: level, peaks: touched} = measure("Phi", best);
  const top = explorerWords.roundUp(ROOM * level);
  let [tries, frame, pause] = [0, 0, 0];

  const errorOf = member => x => error("Phi", member, x)[0];

  // The coefficients of the reader, with what is to be drawn and said of them.
  function state() {
    const factor = name => Number(sliders[name].value);
    const mine = {p1: factor("p1") * best.p1, p3: factor("p3") * best.p3};
    const points = curve(mine);
    const leaving = outside(points, level);
    return {
      points, leaving, to: TO, sides: leaving.map(({side}) => side),
      best: mine.p1 === best.p1 && mine.p3 === best.p3,
      crossed: crossings(mine, best), above: errorOf(mine)(1) > errorOf(best)(1),
    };
  }

  // An error curve with its extrema, which a drawing must not cut off.
  function curve(member) {
    const places = explorerPictures.sampled(errorOf(member), 0, TO, part("error").clientWidth);
    const peaks = measure("Phi", member).peaks.filter(({x}) => x < TO);
    return [...places, ...peaks.map(({x, error: e}) => [x, e])].sort(([a], [b]) => a - b);
  }

  function draw({points, leaving, crossed}) {
    const clipped = e => Math.max(-top, Math.min(top, e));
    explorerPictures.draw(part("error"), {
      x: {low: 0, high: TO, name: "x"},
      y: {low: -top, high: top, name: "error of Φ"},
      levels: [level, -level],
      curves: [
        {kind: "band", points: [[0, level], [TO, level], [TO, -level], [0, -level]]},
        {kind: "curve thick", points: curve(best)},
        {kind: "curve rival", points},
        ...leaving.map(stretch => ({kind: "lit", points: stretch.points})),
      ],
      texts: leaving.map(({side, farthest: [x, e]}) => ({
        kind: "height", at: [x, clipped(e)], side: side > 0 ? "above" : "below",
        text: explorerWords.sideWords(side),
      })),
      marks: [
        ...touched.map(({x, error: e}) => ({x, y: e, kind: "dot"})),
        ...crossed.map(x => ({x, y: errorOf(best)(x), kind: "crossing"})),
      ],
    });
  }

  function render() {
    frame = 0;
    if (!part("error").clientWidth) return; // nothing is seen of it
    const now = state();
    draw(now);
    for (const [name, slider] of Object.entries(sliders)) {
      const factor = Number(slider.value).toFixed(4);
      part(`${name}-factor`).textContent = factor;
      slider.setAttribute("aria-valuetext", factorWords(factor));
    }
    part("said").textContent = bandSentence(now);
    part("hint").textContent = tries < TRIES ? "" : crossingSentence(now);
    part("error").setAttribute("aria-label", bandPictureSentence(bandSentence(now), TO));
  }

  const drawSoon = () => {
    frame = frame || requestAnimationFrame(render);
  };

  function change() {
    drawSoon();
    clearTimeout(pause);
    pause = setTimeout(settle, QUIET);
  }

  // A pause ends a try, and is when it is spoken of.
  function settle() {
    tries += 1;
    render();
    part("spoken").textContent = `${part("said").textContent} ${part("hint").textContent}`;
  }

  explorerPictures.sliding(root, change);
  new ResizeObserver(drawSoon).observe(part("error"));
  drawSoon();
}

showBand(document.getElementById("band-box"));
