// Two pictures that show one movement: the error curve, and beside it the largest error against the
// number of the form, with a dot where the number is. A peak, the dot and the slider are one thing.
//
// The landing page and the explorer both draw them by this file. The axis of the error is fixed for
// each form and function, so that a bad number looks bad; the logarithmic axis is one for all.

"use strict";

const explorerPair = (() => {
  const {error, formOf, measure, numberOf, numberThrough, vee, withNumber} = explorerCore;
  const {LEVEL, NAMES, roundUp, say, shown} = explorerWords;
  const LOG = {low: 1e-6, high: 1, log: true};
  const ROOM = 1.35; // of the fixed axis, over the largest error of the local match
  const LABELLED = 0.85; // of the axis: a name stands over its point
  const LEAST_SLOPE = 0.1; // below it p₁ is too small for a k, and the one of the local match is used

  // Where a member's number is looked at: its form, the range of the slider, and the p₁ that stays.
  function viewOf(data, member) {
    const form = formOf(member);
    const p1 = form === "tanh" && member.p1 >= LEAST_SLOPE ? member.p1 : data.kept;
    return {form, p1, ...data.forms[form]};
  }

  // The last answer of a function of one text, and a new one for another text.
  function remembering(compute) {
    let [known, answer] = [null, null];
    return (key, ...rest) => {
      if (key !== known) [known, answer] = [key, compute(...rest)];
      return answer;
    };
  }

  // The pair in the parts error and vee. `move` is called with each number that a pointer asks for.
  function pair({error: errorPicture, vee: veePicture}, data, move) {
    const arms = remembering((of, view) => vee(of, view.form, view.p1, view));
    const usual = remembering((of, form) =>
      roundUp(ROOM * measure(of, withNumber(form, data.forms[form].local, data.kept)).size));
    let shownState = null;
    let frames = {};

    const fixedTop = (of, form) => usual(`${of} ${form}`, of, form);

    // ---- The error curve

    function drawError(state, measured, notes) {
      const {of, to, axis} = state;
      const {form} = viewOf(data, state);
      const log = axis === "log";
      const name = say(log ? "size of the error of {name}" : "error of {name}", {name: NAMES[of]});
      const top = fixedTop(of, form);
      const height = log ? Math.abs : value => value;
      const points = explorerPictures.sampled(
        x => error(of, state, x)[0], 0, to, errorPicture.clientWidth);
      const peaks = measured.peaks.filter(({x}) => x <= to);
      const highest = Math.max(...measured.peaks.map(peak => Math.abs(peak.error)));
      const filled = peak => Math.abs(peak.error) >= LEVEL * highest;
      frames.error = explorerPictures.draw(errorPicture, {
        x: {low: 0, high: to, name: "x"},
        y: log ? {...LOG, name} : {low: -top, high: top, name},
        levels: log ? [measured.size] : [measured.size, -measured.size],
        curves: log ? bySign(points) : [{kind: "curve", points}],
        notes,
        texts: peaks.map(peak => peakLabel(peak, height, log)),
        marks: peaks.map(peak => ({
          x: peak.x, y: height(peak.error), kind: filled(peak) ? "peak highest" : "peak",
          grip: peak.x,
        })),
      });
      return !log && Math.max(measured.size, ...points.map(([, e]) => Math.abs(e))) > top;
    }

    const peakLabel = ({x, error}, height, log) => ({
      kind: "height", at: [x, height(error)], side: error > 0 || log ? "above" : "below",
      text: shown(Math.abs(error), 3),
    });

    // On a logarithmic axis the sign is told by the line: below zero it is dashed.
    function bySign(points) {
      const part = (kind, keep) => ({
        kind, points: points.map(([x, e]) => [x, keep(e) ? Math.abs(e) : 0]),
      });
      return [part("curve", e => e > 0), part("curve below", e => e < 0)];
    }

    // ---- The largest error against the number

    function drawVee(state, measured, revealed) {
      const view = viewOf(data, state);
      const {of} = state;
      const log = state.axis === "log";
      const points = arms(`${of} ${view.form} ${view.p1}`, of, view);
      const number = numberOf(state);
      const arm = (kind, heightOf) =>
        ({kind, points: points.map(point => [point.number, heightOf(point)])});
      const y = log ? LOG : {low: 0, high: fixedTop(of, view.form)};
      frames.vee = explorerPictures.draw(veePicture, {
        x: {low: view.low, high: view.high, name: view.letter},
        y: {...y, name: say("largest error of {name}", {name: NAMES[of]})},
        levels: [measured.size],
        curves: [
          arm("arm", ({up}) => up), arm("arm below", ({down}) => down), arm("curve", ({size}) => size),
          ...(revealed ? [upright("printed", view.printed, y)] : []),
        ],
        texts: [
          ...armNames(points, LABELLED * y.high),
          ...(revealed ? [{
            kind: "printed", at: [view.printed, y.high], right: 6, side: "below", text: view.literal,
          }] : []),
        ],
        marks: [{x: number, y: measured.size, kind: "peak dot", grip: number}],
      });
    }

    // The names of the heights, each inside the V, beside the arm on which it is the largest error,
    // where its point is not too high to be named.
    function armNames(points, highest) {
      const corner = points.reduce((one, other) => (other.size < one.size ? other : one)).number;
      const [low, high] = [points[0].number, points.at(-1).number];
      const seen = points.filter(({size}) => size < highest);
      const left = seen.find(({number}) => number >= low + 0.2 * (corner - low));
      const right = seen.findLast(({number}) => number <= high - 0.08 * (high - corner));
      const name = (kind, near, right, text) =>
        (near ? [{kind, at: [near.number, near.size], right, side: "above", text}] : []);
      return [
        ...name("name", left?.number < corner && left, 8, say("crest")),
        ...name("name end", right?.number > corner && right, -8, say("trough")),
      ];
    }

    const upright = (kind, number, {low, high}) => ({kind, points: [[number, low], [number, high]]});

    // ---- What a pointer moves

    // A number as people paste it, which is also a step of the slider.
    const onStep = (view, number) => Number(number.toFixed(view.decimals));

    const clamped = (view, number) => Math.max(view.low, Math.min(view.high, number));

    // Of the peaks, the one nearest to where the dragged one was; it may have gone.
    function dragPeak(held, [, pixel]) {
      const {of, axis} = shownState;
      const view = viewOf(data, shownState);
      const peaks = measure(of, shownState).peaks.filter(({error}) => Math.sign(error) === held.sign);
      const distance = ({x}) => Math.abs(x - held.x);
      held.x = peaks.sort((a, b) => distance(a) - distance(b))[0]?.x ?? held.x;
      const size = frames.error.yAt(pixel + held.offset);
      const wanted = axis === "log" ? held.sign * size : size;
      const member = {p1: view.form === "tanh" ? view.p1 : shownState.p1, p3: shownState.p3};
      move(onStep(view, numberThrough(of, member, held.x, wanted, view)));
    }

    function dragDot([pixel]) {
      const view = viewOf(data, shownState);
      move(onStep(view, clamped(view, frames.vee.xAt(pixel))));
    }

    explorerPictures.draggable(errorPicture, ".grip", {
      begin: (grip, [, pixel]) => {
        const x = Number(grip.dataset.grip);
        const sign = Math.sign(error(shownState.of, shownState, x)[0]);
        return {x, sign, offset: Number(grip.getAttribute("cy")) - pixel};
      },
      move: dragPeak,
    });
    explorerPictures.draggable(veePicture, "svg", {
      begin: (_, place) => dragDot(place), move: (_, place) => dragDot(place),
    });

    // Draw a state {p1, p3, of, to, axis}; `revealed` shows where the printed constant is, and the
    // notes stand beside the curve. Answers whether the fixed axis is too low for something.
    return function drawPair(state, measured, {revealed, notes = []}) {
      shownState = state;
      drawVee(state, measured, revealed);
      return drawError(state, measured, notes);
    };
  }

  return {pair, viewOf};
})();
