// The page "Explorer": what is drawn and said of Φ̂(x) = σ(p₁x + p₃x³), and its controls.
//
// The mathematics stands in explorer-core.js, the words in explorer-words.js, the pictures in
// explorer-pictures.js and explorer-pair.js, and what comes from the library in EXPLORER, which
// explorer-data.js sets. The state {p1, p3, of, to, axis, by} is everything that the page shows;
// each change of it draws the next frame anew.

"use strict";

function showExplorer(root) {
  const {formOf, measure, numberOf, withNumber} = explorerCore;
  const {DIGITS, NAMES, shown} = explorerWords;
  const {forms, kept, members, tasks} = EXPLORER;
  const part = explorerPictures.partsOf(root, "explorer");
  const radios = name => root.querySelectorAll(`[name=explorer-${name}]`);
  const buttons = root.querySelectorAll("[data-member]");
  const taskButtons = root.querySelectorAll("[data-task]");
  const DEFAULTS = {...EXPLORER.start};
  const BEGINNINGS = {
    tanh: withNumber("tanh", forms.tanh.local, kept),
    sigmoid: withNumber("sigmoid", forms.sigmoid.local, kept),
  };
  const COEFFICIENTS = ["p1", "p3"];
  const DECIMALS = 6; // of the coefficients at the picture: those of the sliders
  const QUIET = 600; // milliseconds after a change, until it is spoken and put in the address
  const SAME = 1e-12; // coefficients closer than this, in relation to 1, are those of a member
  const done = new Set(); // the tasks that were solved by hand
  let chosen = tasks[0]; // the task that was asked for last
  let state = {...DEFAULTS};
  let frame = 0;
  let pause = 0;

  const view = () => explorerPair.viewOf(EXPLORER, state);
  const drawPair = explorerPair.pair(
    {error: part("error"), vee: part("vee")}, EXPLORER, number => moveNumber(number, part("vee")));

  // ---- Drawing a frame

  // The function, its form and their difference one under the other, all on one scale, so that the
  // difference is a flat line until it is magnified.
  function drawFunction() {
    const svg = part("function");
    const {of, to, by} = state;
    const both = explorerPictures.sampled(
      x => explorerCore.values(of, state, x), -to, to, svg.clientWidth);
    const curve = heightOf => both.map(([x, values]) => [x, heightOf(values)]);
    const heights = both.map(([, [exact]]) => exact);
    const [least, most] = [Math.min(0, ...heights), Math.max(...heights)];
    const room = 0.15 * (most - least);
    const span = most - least + 2 * room;
    explorerPictures.stack(svg, {low: -to, high: to, name: "x"}, span, [
      {name: NAMES[of], kind: "exact", low: least - room, points: curve(([exact]) => exact)},
      {name: "its form", kind: "curve", low: least - room, points: curve(([, form]) => form)},
      {name: by === 1 ? "difference" : `difference × ${by}`, kind: "difference", low: -span / 2,
        points: curve(([exact, form]) => by * (exact - form))},
    ]);
  }

  function writeNumbers(measured) {
    const {of} = state;
    part("size").textContent = explorerWords.sizeSentence(of, measured);
    part("alternation").textContent = [
      explorerWords.limitSentence(of, state), explorerWords.alternationSentence(of, measured),
    ].join(" ").trim();
    part("best").textContent = `${explorerWords.shownBelow(EXPLORER.least[of], DIGITS)}.`;
    const highest = Math.max(...measured.peaks.map(peak => Math.abs(peak.error)));
    part("peaks").replaceChildren(...measured.peaks.map(({x, error}) => {
      const row = document.createElement("tr");
      const share = `${shown(100 * Math.abs(error) / highest, 4)} %`;
      for (const text of [`±${shown(x, DIGITS)}`, shown(error, DIGITS), share])
        row.append(Object.assign(document.createElement("td"), {textContent: text}));
      return row;
    }));
  }

  const coefficients = () => COEFFICIENTS.map(name =>
    `${explorerWords.FIELDS[name].label} = ${explorerWords.fixed(state[name], DECIMALS)}`);

  function writeFormula() {
    const [before, after] = explorerWords.formula(state, kept);
    part("before").textContent = before;
    part("number").textContent = explorerWords.written(numberOf(state), view().decimals);
    part("after").textContent = after;
  }

  // The tasks that this state solves, with a mark on each that was solved by hand.
  function showTasks(measured) {
    const solved = tasks.filter(task => explorerWords.solves(task, state, measured));
    const level = solved.find(task => done.has(task));
    root.classList.toggle("level", Boolean(level));
    part("success").textContent = level ? explorerWords.doneSentence(level, view()) : "";
    // a task is left by looking at another form or function
    const asked = formOf(state) === chosen.form && state.of === chosen.of ? chosen : null;
    taskButtons.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(tasks[i] === asked));
      button.classList.toggle("done", done.has(tasks[i]));
      part(`task-${i}`).textContent = done.has(tasks[i]) ? "done ✓" : "open";
    });
    const step = asked && explorerWords.stepSentence(asked, state, view().letter, measured);
    part("now").textContent = asked ? `${asked.text} ${step}` : "Choose what to level, or move what you like.";
    return level;
  }

  function render() {
    frame = 0;
    if (!part("error").clientWidth) return; // nothing is seen of it
    const measured = measure(state.of, state);
    writeFormula();
    writeNumbers(measured);
    const level = showTasks(measured);
    const revealed = tasks.some(task =>
      done.has(task) && task.form === formOf(state) && task.of === state.of);
    const tooLow = drawPair(state, measured, {revealed, notes: coefficients()});
    part("level").textContent =
      explorerWords.levelSentence(state.of, view().letter, measured) +
      (tooLow ? " What leaves this axis has room on the logarithmic one." : "");
    drawFunction();
    clearTimeout(pause);
    pause = setTimeout(() => settle(measured), QUIET);
  }

  // Several changes within a frame are drawn once.
  function drawSoon() {
    frame = frame || requestAnimationFrame(render);
  }

  // What waits for a pause: the words for those who do not see the drawing, and the address.
  function settle(measured) {
    const size = explorerWords.sizeSentence(state.of, measured);
    const pictures = explorerWords.pictureSentences(state, measured, view());
    const {letter} = view();
    const guide = part("success").textContent || part("level").textContent;
    const said = `${letter} = ${part("number").textContent}. ${size} ${guide}`.trim();
    part("error").setAttribute("aria-label",
      `${pictures.error} p₁ = ${state.p1}, p₃ = ${state.p3}. ${size}`);
    part("vee").setAttribute("aria-label", pictures.vee);
    part("function").setAttribute("aria-label",
      `${NAMES[state.of]}, its form and ${state.by} times their difference, ` +
      `for x from −${state.to} to ${state.to}.`);
    part("spoken").textContent = said;
    writeAddress();
  }

  // ---- The address

  const ownPart = () => explorerWords.writeState(state);
  const asked = () => location.hash.slice(1);

  function writeAddress() {
    const untouched = explorerWords.writeState(DEFAULTS) === ownPart() && !asked().includes("=");
    if (untouched || asked() === ownPart()) return;
    history.replaceState(history.state, "", `#${ownPart()}`);
  }

  // A fragment without "=" is a heading of the page, and none of ours.
  function readAddress() {
    if (!asked().includes("=") || asked() === ownPart()) return;
    const read = explorerWords.readState(asked(), DEFAULTS);
    change(read.state);
    complain(read.faults.join(" "));
    openMore();
  }

  // What the big sliders alone do not reach is explained by what stands under More.
  function openMore() {
    if (formOf(state) === "tanh" && state.p1 !== kept) part("more").open = true;
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

  // A new state. `mover` is the control that somebody is moving by hand, if it is one of those that
  // can solve a task; it stays as it is.
  function change(changes, mover = null) {
    state = {...state, ...changes};
    part("copied").textContent = "";
    part("address").hidden = true;
    complain("");
    for (const form of Object.keys(forms)) showNumber(form, mover);
    for (const name of COEFFICIENTS) showParameter(name, mover);
    choose("form", formOf(state));
    for (const name of ["of", "axis", "by"]) choose(name, state[name]);
    part("to").value = String(state.to);
    for (const button of buttons) {
      const isHere = COEFFICIENTS.every(name =>
        Math.abs(members[button.dataset.member][name] - state[name]) < SAME);
      button.setAttribute("aria-pressed", String(isHere));
    }
    if (mover) noteSolved();
    drawSoon();
  }

  // A task that was open and is done now; it is spoken of once.
  function noteSolved() {
    const measured = measure(state.of, state);
    const found = tasks.filter(task => !done.has(task) && explorerWords.solves(task, state, measured));
    for (const task of found) done.add(task);
    if (found.length) part("told").textContent = `Done: ${found.map(({name}) => name).join(", ")}.`;
  }

  function choose(name, value) {
    for (const radio of radios(name)) radio.checked = radio.value === String(value);
  }

  // The big slider of a form, and its number as text; those of the other form are hidden.
  function showNumber(form, mover) {
    const {letter, decimals} = forms[form];
    const [slider, field] = [part(letter), part(`${letter}-typed`)];
    slider.parentElement.hidden = form !== formOf(state);
    if (slider.parentElement.hidden) return;
    const number = numberOf(state);
    if (slider !== mover) slider.value = String(number);
    if (field !== mover) field.value = Number.isFinite(number) ? String(Number(number.toPrecision(8))) : "";
    field.removeAttribute("aria-invalid");
    slider.setAttribute("aria-valuetext", explorerWords.written(number, decimals));
  }

  const moveNumber = (number, mover) => change(withNumber(view().form, number, view().p1), mover);

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
    const {least, greatest} = explorerWords.FIELDS[name];
    const sum = Number((Number(coarse.value) + Number(fine.value)).toFixed(9)); // of two decimals
    change({[name]: Math.max(least, Math.min(greatest, sum))}, slider);
  }

  // What somebody types: `use` gets the number if it is one, and else the page says what it accepts.
  function typeNumber(name, field, use) {
    try {
      use(explorerWords.readNumber(name, field.value));
    } catch (fault) {
      const drawn = name in state ? state[name] : numberOf(state);
      field.setAttribute("aria-invalid", "true");
      complain(`${fault.message} The drawing still has ${drawn}.`);
    }
  }

  function listenToNumber({letter, decimals, low, high}) {
    const [slider, field] = [part(letter), part(`${letter}-typed`)];
    explorerPictures.nudging(slider.parentElement, (step, button) => {
      const number = Number(explorerCore.nudged(numberOf(state), step).toFixed(decimals));
      moveNumber(Math.max(low, Math.min(high, number)), button);
    });
    slider.addEventListener("input", () => moveNumber(Number(slider.value), slider));
    field.addEventListener("input", () =>
      typeNumber(letter, field, number => moveNumber(number, field)));
  }

  function listenToCoefficient(name) {
    const {least, greatest} = explorerWords.FIELDS[name];
    const [field, ...sliders] = parameter(name);
    Object.assign(field, {min: least, max: greatest});
    field.addEventListener("input", () =>
      typeNumber(name, field, number => change({[name]: number}, field)));
    for (const slider of sliders) slider.addEventListener("input", () => moveSlider(name, slider));
  }

  function listenToChoices(name, changesOf) {
    for (const radio of radios(name))
      radio.addEventListener("change", () => change(changesOf(radio.value)));
  }

  Object.values(forms).forEach(listenToNumber);
  COEFFICIENTS.forEach(listenToCoefficient);
  part("to").append(...explorerWords.RANGES.map(end => new Option(end)));
  part("to").addEventListener("change", () => change({to: Number(part("to").value)}));
  listenToChoices("form", form => BEGINNINGS[form]);
  listenToChoices("of", of => ({of}));
  listenToChoices("axis", axis => ({axis}));
  listenToChoices("by", by => ({by: Number(by)}));
  for (const button of buttons)
    button.addEventListener("click", () => {
      const {p1, p3} = members[button.dataset.member];
      change({p1, p3});
    });
  for (const button of taskButtons)
    button.addEventListener("click", () => {
      chosen = tasks[button.dataset.task];
      const {form, of, count} = chosen;
      change({...BEGINNINGS[form], of});
      if (count > 2) part("more").open = true;
    });
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
    showExplorer(root);
  }
}
