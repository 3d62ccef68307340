// The pictures of the explorer: axes, levels, curves and marks in an <svg>, and what can be dragged.
//
// Everything is placed in pixels of the page, so that letters keep their size on a telephone.

"use strict";

const explorerPictures = (() => {
  const {say, ticks, superscript} = explorerWords;
  const MARGIN = {left: 58, right: 20, top: 30, bottom: 36};
  const NARROW = 420; // pixels; a picture of less width has fewer marks
  const COLUMNS = {narrow: 4, wide: 8}; // about so many marks of the axes
  const ROWS = {whole: 6, band: 2};
  const MARK = 5; // the radius of a mark
  const SHAPES = {square: "M-4.5-4.5H4.5V4.5H-4.5Z", diamond: "M0-6.5 6.5 0 0 6.5-6.5 0Z"};
  const [ABOVE, BELOW] = [-11, 20]; // from a mark to the line of its text
  const LETTERS = 10; // how high letters stand over their line
  const DEPTH = 4; // how deep they hang under it
  const BESIDE = 10; // from a mark to a text to its right
  const WORD = 70; // how wide the text of a mark may be
  const NOTE = 16; // from one line of the notes to the next
  const GRIP = 20; // the radius in which a finger meets one that can be dragged

  function element(name, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  const path = points => "M" + points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
  const line = (kind, points) => element("path", {class: kind, d: path(points)});
  const label = (kind, x, y, text) => element("text", {class: kind, x, y}, text);

  // What a picture keeps from one drawing to the next, so that a finger does not lose what it holds.
  const layer = (svg, kind) =>
    svg.querySelector(`:scope > .${kind}`) ?? svg.appendChild(element("g", {class: kind}));

  // ---- Axes: {low, high, name}, and log: true where equal steps are equal factors, at: [marks]

  const place = ({low, high, log}, value) =>
    (log ? Math.log(Math.max(value, low / 10) / low) / Math.log(high / low)
      : (value - low) / (high - low)); // what lies below a logarithmic axis is put just below it

  const valueAt = ({low, high, log}, share) =>
    (log ? low * (high / low) ** share : low + (high - low) * share);

  // The marks of an axis with their texts, and the name of their unit: "" or ", in 10⁻⁶".
  function marksOf(axis, count) {
    if (axis.at) return {marks: axis.at.map(value => ({value, text: String(value)})), unit: ""};
    if (axis.log) return {marks: powers(axis), unit: ""};
    const largest = Math.max(Math.abs(axis.low), Math.abs(axis.high));
    const power = Math.floor(Math.log10(largest));
    const scaled = power < -5 || power > 3; // the texts of marks are plain decimals too
    const text = value => String(Number((value / (scaled ? 10 ** power : 1)).toPrecision(6)));
    const values = ticks(axis.low, axis.high, count);
    const marks = values.map(value => ({value, text: text(value).replace("-", "−")}));
    return {marks, unit: scaled ? say(", in {power}", {power: `10${superscript(power)}`}) : ""};
  }

  function powers({low, high}) {
    const [first, last] = [low, high].map(end => Math.round(Math.log10(end)));
    return Array.from({length: last - first + 1}, (_, i) =>
      ({value: 10 ** (first + i), text: `10${superscript(first + i)}`}));
  }

  // Where a point of the plane lies in the picture, and back.
  function frameOf(svg, xAxis, yAxis, box = {}) {
    const [left, right] = [MARGIN.left, svg.clientWidth - MARGIN.right];
    const {ceiling, floor} = {ceiling: MARGIN.top, floor: svg.clientHeight - MARGIN.bottom, ...box};
    return {
      left, right, ceiling, floor,
      across: x => left + place(xAxis, x) * (right - left),
      up: y => floor - place(yAxis, y) * (floor - ceiling),
      xAt: pixel => valueAt(xAxis, (pixel - left) / (right - left)),
      yAt: pixel => valueAt(yAxis, (floor - pixel) / (floor - ceiling)),
    };
  }

  // The grid, its marks and the names of the axes.
  function axes(frame, xAxis, yAxis, rows) {
    const {left, right, ceiling, floor, across, up} = frame;
    const columns = right < NARROW ? COLUMNS.narrow : COLUMNS.wide;
    const [wide, high] = [marksOf(xAxis, columns), marksOf(yAxis, rows)];
    return [
      ...high.marks.map(({value}) => line(value ? "grid" : "zero",
        [[left, up(value)], [right, up(value)]])),
      ...wide.marks.map(({value}) => line("grid", [[across(value), ceiling], [across(value), floor]])),
      ...high.marks.map(({value, text}) => label("y", left - 6, up(value) + 4, text)),
      ...wide.marks.map(({value, text}) =>
        label("x", across(value), floor + 16, xAxis.bare ? "" : text)),
      label("name", 2, ceiling - 16, yAxis.name + high.unit),
      label("name end", right, floor + 31, xAxis.name + wide.unit),
    ];
  }

  // What lies inside the frame, cut off at its edges.
  function inside({left, right, ceiling, floor}, parts) {
    const [width, height] = [right - left, floor - ceiling];
    const made = element("svg", {
      x: left, y: ceiling, width, height, viewBox: `${left} ${ceiling} ${width} ${height}`,
    });
    made.append(...parts);
    return made;
  }

  const within = ({left, right, ceiling, floor}, x, y) =>
    x >= left - 1 && x <= right + 1 && y >= ceiling - 1 && y <= floor + 1;

  // The text of a mark, beside, above or below it. Where it would run into the texts of an axis there, it
  // stands to the right of the mark, away from the curve, and without room there on the other side.
  function textAt({right: edge, ceiling, floor}, x, y, {kind, right = 0, side, text}) {
    const [own, other] = side === "above" ? [ABOVE, BELOW] : [BELOW, ABOVE];
    const fits = y + own + DEPTH < floor && y + own - LETTERS > ceiling - LETTERS / 2;
    if (side === "beside") return label(`${kind} beside`, x + BESIDE, y + DEPTH, text);
    if (fits) return label(kind, x + right, y + own, text);
    if (x + BESIDE + WORD > edge) return label(kind, x + right, y + other, text);
    return label(`${kind} beside`, x + BESIDE, y + (side === "above" ? 0 : LETTERS), text);
  }

  // A mark with its shape, a circle where it has none.
  const symbol = ({kind, shape}, x, y) => (SHAPES[shape]
    ? element("path", {class: kind, d: SHAPES[shape], transform: `translate(${x} ${y})`})
    : element("circle", {class: kind, cx: x, cy: y, r: MARK}));

  // Axes, horizontal levels, curves as lists of points, texts, marks at points, and notes as lines in
  // the upper right corner. A mark that has a `grip` can be dragged, see `draggable`.
  function draw(svg, {x, y, levels = [], curves = [], texts = [], marks = [], notes = []}) {
    const frame = frameOf(svg, x, y);
    const {left, right, ceiling, across, up} = frame;
    const drawnLevels = levels.filter(Number.isFinite);
    const seen = marks.filter(mark => within(frame, across(mark.x), up(mark.y)));
    const read = texts.filter(({at: [a, b]}) => within(frame, across(a), up(b)));
    svg.setAttribute("viewBox", `0 0 ${svg.clientWidth} ${svg.clientHeight}`);
    layer(svg, "picture").replaceChildren(
      ...axes(frame, x, y, ROWS.whole),
      inside(frame, [
        ...drawnLevels.map(height => line("level", [[left, up(height)], [right, up(height)]])),
        ...curves.map(({kind, points}) => line(kind, points.map(([a, b]) => [across(a), up(b)]))),
      ]),
      ...notes.map((text, i) => label("note", right - 6, ceiling + NOTE * (i + 1), text)),
      ...read.map(text => textAt(frame, across(text.at[0]), up(text.at[1]), text)),
      ...seen.map(mark => symbol(mark, across(mark.x), up(mark.y))),
    );
    const grips = seen.filter(mark => mark.grip !== undefined);
    placeGrips(layer(svg, "grips"), grips.map(({x, y, grip}) => [across(x), up(y), grip]));
    return frame;
  }

  // Curves one under the other, each in a band of its own, which shows `span` units from its low
  // end: one scale for all. What leaves a band is cut off.
  function stack(svg, x, span, bands) {
    const GAP = 22;
    const height = (svg.clientHeight - MARGIN.bottom - GAP * bands.length) / bands.length;
    svg.setAttribute("viewBox", `0 0 ${svg.clientWidth} ${svg.clientHeight}`);
    layer(svg, "picture").replaceChildren(...bands.flatMap(({name, kind, low, points}, i) => {
      const y = {low, high: low + span, name};
      const ceiling = GAP + i * (GAP + height);
      const frame = frameOf(svg, x, y, {ceiling, floor: ceiling + height});
      const isLast = i === bands.length - 1;
      const curve = points.map(([a, b]) => [frame.across(a), frame.up(b)]);
      return [
        ...axes(frame, isLast ? x : {...x, name: "", bare: true}, y, ROWS.band),
        inside(frame, [line(kind, curve)]),
      ];
    }));
  }

  // One pale circle for each mark that can be dragged; those that stand are moved, and one whose
  // mark is gone has no size, since a finger may still hold it.
  function placeGrips(group, grips) {
    while (group.children.length < grips.length)
      group.append(element("circle", {class: "grip"}));
    [...group.children].forEach((circle, i) => {
      const [cx, cy, grip, r] = grips[i] ? [...grips[i], GRIP] : [0, 0, "", 0];
      for (const [key, value] of Object.entries({cx, cy, r, "data-grip": grip}))
        circle.setAttribute(key, value);
    });
  }

  // Have a pointer drag what matches `selector` in a picture. `begin` gets the element and the place
  // of the pointer in pixels of the picture, and `move` what `begin` answered and each next place.
  function draggable(svg, selector, {begin, move}) {
    let held = null;
    const placeOf = event => {
      const box = svg.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    // Chrome does not heed touch-action on a part of a picture, and a finger that holds a mark would
    // scroll the page after a few pixels. Beside the marks it scrolls, as everywhere.
    svg.addEventListener("touchstart", event => {
      if (event.target.closest(".grip")) event.preventDefault();
    }, {passive: false});
    svg.addEventListener("pointerdown", event => {
      const target = event.target.closest(selector);
      if (!target || event.button !== 0) return;
      event.preventDefault();
      svg.setPointerCapture(event.pointerId);
      held = {pointer: event.pointerId, answer: begin(target, placeOf(event))};
    });
    svg.addEventListener("pointermove", event => {
      if (held?.pointer === event.pointerId) move(held.answer, placeOf(event));
    });
    for (const end of ["pointerup", "pointercancel"])
      svg.addEventListener(end, event => {
        if (held?.pointer === event.pointerId) held = null;
      });
  }

  const [HELD, EVERY] = [400, 60]; // milliseconds until a button that is held repeats, and from then on

  const WAYS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1};

  // With Shift an arrow moves a slider by a hundredth of its range: a goal is not 700 presses away.
  function stride(event) {
    const {min, max, step} = event.target, way = WAYS[event.key];
    if (!way || !event.shiftKey) return;
    event.preventDefault();
    event.target.value -= -way * Math.max(step, (max - min) / 100);
    event.target.dispatchEvent(new Event("input"));
  }

  // Have the buttons beside the sliders call `move` with their step and themselves: once for a click,
  // and again and again while a pointer holds one.
  function nudging(root, move) {
    for (const slider of root.querySelectorAll("[type=range]")) slider.addEventListener("keydown", stride);
    for (const button of root.querySelectorAll("[data-nudge]")) {
      const nudge = () => move(Number(button.dataset.nudge), button);
      let [timer, repeated] = [0, false];
      const again = () => {
        repeated = true;
        nudge();
        timer = setTimeout(again, EVERY);
      };
      button.addEventListener("pointerdown", event => {
        repeated = false;
        if (event.button === 0) timer = setTimeout(again, HELD);
      });
      for (const end of ["pointerup", "pointercancel", "pointerleave"])
        button.addEventListener(end, () => clearTimeout(timer));
      button.addEventListener("contextmenu", event => event.preventDefault()); // a finger that holds
      button.addEventListener("click", event => {
        if (!repeated || !event.detail) nudge(); // the detail of a click by a key is 0
        repeated = false;
      });
    }
  }

  // Call `changed` when a slider of the box was moved, by itself or by a button beside it.
  function sliding(root, changed) {
    for (const slider of root.querySelectorAll("[type=range]")) slider.addEventListener("input", changed);
    nudging(root, (step, button) => {
      const slider = document.getElementById(button.getAttribute("aria-controls"));
      slider.value = String(explorerCore.nudged(Number(slider.value), step)); // between its ends
      changed();
    });
  }

  const QUIET = 600; // milliseconds after a drawing, until it is spoken of

  // Have a box drawn when a slider of it was moved or the picture got another width, and spoken of
  // after a pause. Answers what has it drawn soon.
  function live(root, picture, draw, speak) {
    let [frame, pause] = [0, 0];
    const drawSoon = () => {
      frame = frame || requestAnimationFrame(render);
    };
    function render() {
      frame = 0;
      if (!picture.clientWidth) return; // nothing is seen of it
      draw();
      clearTimeout(pause);
      pause = setTimeout(speak, QUIET);
    }
    sliding(root, drawSoon);
    new ResizeObserver(drawSoon).observe(picture);
    drawSoon();
    return drawSoon;
  }

  // A function at places that are dense for a drawing of this width.
  function sampled(f, low, high, width) {
    const count = Math.max(120, Math.min(500, Math.round(width / 2)));
    const places = Array.from({length: count + 1}, (_, i) => low + (high - low) * i / count);
    return places.map(x => [x, f(x)]);
  }

  // What finds the parts of a root by their IDs, which begin with a prefix; each is sought once.
  function partsOf(root, prefix) {
    const found = new Map();
    return name => {
      if (!found.has(name)) found.set(name, root.querySelector(`#${prefix}-${name}`));
      return found.get(name);
    };
  }

  return {partsOf, draw, stack, draggable, nudging, sliding, live, sampled};
})();
