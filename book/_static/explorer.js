// The page "Explorer": what is drawn and said of Φ̂(x) = σ(p₁x + p₃x³), and its controls.
//
// The mathematics stands in explorer-core.js, the members that have a name in EXPLORER, which
// explorer-data.js sets. The state {p1, p3, of, to} is everything that the page shows; each change
// of it draws the next frame anew.

"use strict";

// ---- A drawing: axes, levels, curves and marks in an <svg>

const drawing = (() => {
  const MARGIN = {left: 50, right: 14, top: 30, bottom: 38};

  function element(name, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  const path = points => "M" + points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
  const line = (kind, points) => element("path", {class: kind, d: path(points)});

  // The marks of an axis in one unit, and the name of the unit: "" or ", in units of 10⁻⁴".
  function labels(marks, top) {
    const power = Math.floor(Math.log10(top));
    const unit = power < -2 || power > 3 ? 10 ** power : 1;
    const written = mark => String(Number((mark / unit).toPrecision(6))).replace("-", "−");
    const name = unit === 1 ? "" : `, in units of 10${explorerCore.superscript(power)}`;
    return {texts: marks.map(written), unit: name};
  }

  // Where a point of the plane lies in the drawing. Everything is placed in pixels of the page, so
  // that letters keep their size on a telephone.
  function frameOf(svg, {low, high, bottom, top}) {
    const [left, right] = [MARGIN.left, svg.clientWidth - MARGIN.right];
    const [ceiling, floor] = [MARGIN.top, svg.clientHeight - MARGIN.bottom];
    const across = x => left + (x - low) / (high - low) * (right - left);
    const up = y => floor - (y - bottom) / (top - bottom) * (floor - ceiling);
    return {left, right, ceiling, floor, across, up};
  }

  // The grid, its marks and the names of the axes.
  function axes({left, right, ceiling, floor, across, up}, {low, high, bottom, top, name}) {
    const xMarks = explorerCore.ticks(low, high, right < 480 ? 4 : 8);
    const yMarks = explorerCore.ticks(bottom, top, 3);
    const horizontal = labels(xMarks, high);
    const {texts, unit} = labels(yMarks, top);
    return [
      ...yMarks.map(y => line(y ? "grid" : "zero", [[left, up(y)], [right, up(y)]])),
      ...xMarks.map(x => line("grid", [[across(x), ceiling], [across(x), floor]])),
      ...yMarks.map((y, i) => element("text", {class: "y", x: left - 7, y: up(y) + 4}, texts[i])),
      ...xMarks.map((x, i) =>
        element("text", {class: "x", x: across(x), y: floor + 18}, horizontal.texts[i])),
      element("text", {class: "name", x: 4, y: 16}, name + unit),
      element("text", {class: "name end", x: right, y: floor + 34}, "x"),
    ];
  }

  // Axes, horizontal levels, curves as lists of points, and marks at points.
  function draw(svg, {levels, curves, marks, ...ranges}) {
    const frame = frameOf(svg, ranges);
    const {left, right, across, up} = frame;
    const shownLevels = levels.filter(y => Math.abs(y) <= ranges.top);
    svg.setAttribute("viewBox", `0 0 ${svg.clientWidth} ${svg.clientHeight}`);
    svg.replaceChildren(
      ...axes(frame, ranges),
      ...shownLevels.map(y => line("level", [[left, up(y)], [right, up(y)]])),
      ...curves.map(({kind, points}) => line(kind, points.map(([x, y]) => [across(x), up(y)]))),
      ...marks.map(({x, y, kind}) =>
        element("circle", {class: kind, cx: across(x), cy: up(y), r: 5})),
    );
  }

  // A function at places that are dense for a drawing of this width.
  function sampled(f, low, high, width) {
    const count = Math.max(120, Math.min(500, Math.round(width / 2)));
    const places = Array.from({length: count + 1}, (_, i) => low + (high - low) * i / count);
    return places.map(x => [x, f(x)]);
  }

  return {draw, sampled};
})();

// ---- The page

function showExplorer(root) {
  const {NAMES, DIGITS, shown} = explorerCore;
  const part = name => root.querySelector(`#explorer-${name}`);
  const choices = root.querySelectorAll("[name=explorer-of]");
  const buttons = root.querySelectorAll("[data-member]");
  const DEFAULTS = {...EXPLORER.start};
  const QUIET = 600; // milliseconds after a change, until it is spoken and put in the address
  const LEVEL = 0.99; // a peak of at least this share of the largest is drawn filled
  let state = {...DEFAULTS};
  let top = 0; // the height of the vertical axis of the error
  let frame = 0;
  let pause = 0;

  // ---- Drawing a frame

  function drawError(measured) {
    const svg = part("error");
    const {of, to} = state;
    const error = x => explorerCore.error(of, state, x)[0];
    const points = drawing.sampled(error, 0, to, svg.clientWidth);
    const reached = Math.max(...points.map(([, y]) => Math.abs(y)));
    top = explorerCore.calmTop(top, reached);
    const highest = Math.max(...measured.peaks.map(peak => Math.abs(peak.error)));
    const marks = measured.peaks.filter(peak => peak.x <= to).map(({x, error}) => ({
      x, y: error, kind: Math.abs(error) >= LEVEL * highest ? "peak highest" : "peak",
    }));
    drawing.draw(svg, {
      low: 0, high: to, bottom: -top, top, name: `error of ${NAMES[of]}`,
      levels: [measured.size, -measured.size], curves: [{kind: "curve", points}], marks,
    });
  }

  function drawFunction() {
    const svg = part("function");
    const {of, to} = state;
    const value = i => x => explorerCore.values(of, state, x)[i];
    const curve = i => drawing.sampled(value(i), -to, to, svg.clientWidth);
    const curves = [{kind: "curve", points: curve(1)}, {kind: "exact", points: curve(0)}];
    const heights = curves.flatMap(({points}) => points.map(([, y]) => y));
    const [bottom, top] = [1.1 * Math.min(0, ...heights), 1.1 * Math.max(...heights)];
    const ranges = {low: -to, high: to, bottom, top, name: NAMES[of]};
    drawing.draw(svg, {...ranges, levels: [], curves, marks: []});
  }

  function writeNumbers(measured) {
    const {of} = state;
    const best = EXPLORER.least[of];
    part("size").textContent = explorerCore.sizeSentence(of, measured);
    part("alternation").textContent = [
      explorerCore.limitSentence(of, state), explorerCore.alternationSentence(of, measured),
    ].join(" ").trim();
    part("best").textContent = `${explorerCore.shownBelow(best, DIGITS)}.`;
    const highest = Math.max(...measured.peaks.map(peak => Math.abs(peak.error)));
    part("peaks").replaceChildren(...measured.peaks.map(({x, error}) => {
      const row = document.createElement("tr");
      const share = `${shown(100 * Math.abs(error) / highest, 4)} %`;
      for (const text of [`±${shown(x, DIGITS)}`, shown(error, DIGITS), share])
        row.append(Object.assign(document.createElement("td"), {textContent: text}));
      return row;
    }));
  }

  function render() {
    frame = 0;
    const measured = explorerCore.measure(state.of, state);
    drawError(measured);
    drawFunction();
    writeNumbers(measured);
    clearTimeout(pause);
    pause = setTimeout(() => settle(measured), QUIET);
  }

  // Several changes within a frame are drawn once.
  function drawSoon() {
    frame = frame || requestAnimationFrame(render);
  }

  // What waits for a pause: the words for those who do not see the drawing, and the address.
  function settle(measured) {
    const size = explorerCore.sizeSentence(state.of, measured);
    const said = `p₁ = ${state.p1}, p₃ = ${state.p3}. ${size}`;
    const count = explorerCore.alternations(measured.peaks);
    part("error").setAttribute("aria-label",
      `The error of ${NAMES[state.of]} for x from 0 to ${state.to}. ${said} ` +
      `Extrema of alternating sign for x > 0: ${count}.`);
    part("function").setAttribute("aria-label",
      `${NAMES[state.of]} and its approximation for x from −${state.to} to ${state.to}.`);
    part("spoken").textContent = said;
    writeAddress();
  }

  // ---- The address

  const ownPart = () => explorerCore.writeState(state);
  const asked = () => location.hash.slice(1);

  function writeAddress() {
    const untouched = explorerCore.writeState(DEFAULTS) === ownPart() && !asked().includes("=");
    if (untouched || asked() === ownPart()) return;
    history.replaceState(history.state, "", `#${ownPart()}`);
  }

  // A fragment without "=" is a heading of the page, and none of ours.
  function readAddress() {
    if (!asked().includes("=") || asked() === ownPart()) return;
    const read = explorerCore.readState(asked(), DEFAULTS);
    change(read.state);
    complain(read.faults.join(" "));
  }

  async function copyAddress() {
    const address = `${location.href.split("#")[0]}#${ownPart()}`;
    try {
      await navigator.clipboard.writeText(address);
      part("copied").textContent = "The address of this view is copied.";
    } catch {
      const field = part("address");
      field.value = address;
      field.hidden = false;
      field.select();
      part("copied").textContent = "The browser does not let this page copy. Here is the address:";
    }
  }

  // ---- Controls

  function complain(text) {
    part("fault").textContent = text;
  }

  // A new state. It is drawn on a scale of its own, unless it is one step of a movement that some
  // control has made.
  function change(changes, mover = null) {
    state = {...state, ...changes};
    if (!mover) top = 0;
    part("copied").textContent = "";
    part("address").hidden = true;
    complain("");
    for (const name of Object.keys(explorerCore.FIELDS)) showParameter(name, mover);
    for (const choice of choices) choice.checked = choice.value === state.of;
    part("to").value = String(state.to);
    for (const button of buttons) {
      const {p1, p3} = EXPLORER.members[button.dataset.member];
      button.setAttribute("aria-pressed", String(p1 === state.p1 && p3 === state.p3));
    }
    drawSoon();
  }

  // A coefficient in its field and on its two sliders: the coarse one to a step, the fine one the
  // rest. What somebody is typing or dragging stays as it is.
  function showParameter(name, mover) {
    const [field, coarse, fine] = parameter(name);
    if (field !== mover) field.value = String(state[name]);
    field.removeAttribute("aria-invalid");
    if (mover !== coarse && mover !== fine) {
      coarse.value = String(state[name]);
      fine.value = String(state[name] - Number(coarse.value));
    }
    const spoken = String(Number(state[name].toPrecision(7)));
    for (const slider of [coarse, fine]) slider.setAttribute("aria-valuetext", spoken);
  }

  const parameter = name => [part(name), part(`${name}-coarse`), part(`${name}-fine`)];

  function moveSlider(name, slider) {
    const [, coarse, fine] = parameter(name);
    const {least, greatest} = explorerCore.FIELDS[name];
    const sum = Number((Number(coarse.value) + Number(fine.value)).toFixed(9)); // of two decimals
    change({[name]: Math.max(least, Math.min(greatest, sum))}, slider);
  }

  function typeNumber(name, field) {
    try {
      change({[name]: explorerCore.readNumber(name, field.value)}, field);
    } catch (fault) {
      field.setAttribute("aria-invalid", "true");
      complain(`${fault.message} The drawing still has ${state[name]}.`);
    }
  }

  for (const [name, {least, greatest}] of Object.entries(explorerCore.FIELDS)) {
    const [field, ...sliders] = parameter(name);
    Object.assign(field, {min: least, max: greatest});
    field.addEventListener("input", () => typeNumber(name, field));
    for (const slider of sliders) slider.addEventListener("input", () => moveSlider(name, slider));
  }
  part("to").append(...explorerCore.RANGES.map(end => new Option(end)));
  for (const choice of choices)
    choice.addEventListener("change", () => change({of: choice.value}));
  for (const button of buttons)
    button.addEventListener("click", () => {
      const {p1, p3} = EXPLORER.members[button.dataset.member];
      change({p1, p3});
    });
  part("to").addEventListener("change", () => change({to: Number(part("to").value)}));
  part("reset").addEventListener("click", () => change(DEFAULTS));
  part("copy").addEventListener("click", copyAddress);
  addEventListener("hashchange", readAddress);
  new ResizeObserver(drawSoon).observe(part("error"));

  change({});
  readAddress();
}

if (typeof document !== "undefined") {
  const root = document.getElementById("explorer-box");
  if (root) {
    document.documentElement.classList.add("explorer-on");
    showExplorer(root);
  }
}
