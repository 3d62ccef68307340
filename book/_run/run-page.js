// "Run this page": Python in a worker computes every cell again, and then the reader edits them.
//
// The first pass after a start runs the notebook's own code, whatever was edited: it checks the
// page, and its pictures are those with which later ones are compared. What is printed stays as
// long as a cell gives the same; what differs is drawn in its place. kernel.mjs and kernel.py run
// the cells, and words.toml has the words.

"use strict";
{
  const config = JSON.parse(document.getElementById("run-page").textContent);
  const at = (address) => new URL(address, location).href;
  const joined = (text) => Array.isArray(text) ? text.join("") : text;
  const LONGEST = 20000; // letters that are drawn of one output

  const say = (key, parts = {}) => config.words[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  function element(tag, given = {}, ...children) {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...children);
    return made;
  }

  // The second click of a double one does nothing: it would stop what the first began.
  const button = (key, does) => element("button",
    {type: "button", textContent: say(key), onclick: ({detail}) => detail < 2 && does()});

  // ---- What a cell gave: as words to compare, as pictures to compare, and drawn

  const isPicture = ({data = {}}) => Object.keys(data).some((kind) => kind.startsWith("image/") && data[kind]);

  // Beside a picture plain text only describes it.
  function wordsOf(outputs) {
    return JSON.stringify(outputs.map((output) => {
      const {output_type: type, name, text, ename, evalue, data = {}} = output, picture = isPicture(output);
      const kinds = Object.keys(data).sort()
        .filter((kind) => !picture || !(kind.startsWith("image/") || kind === "text/plain"));
      return [type, name, joined(text), ename, evalue, picture, kinds.map((kind) => [kind, joined(data[kind])])];
    }));
  }

  // Without the names of parts, which Matplotlib makes of where they lie in memory.
  const picturesOf = (outputs) => outputs.map(({data}) => data?.["image/svg+xml"] ?? "").join("")
    .replace(/(?<=id="|href="#|url\(#)[^")]+/g, "");

  // Markdown as the tables of the book have it.
  function line(markdown) {
    const made = element("span");
    let end = 0;
    const parts = /\$([^$]+)\$|\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\((\S+?)\)|<[/a-z!][^>]*>/g;
    for (const found of markdown.matchAll(parts)) {
      const [all, tex, bold, textContent, text, to] = found;
      made.append(markdown.slice(end, found.index));
      end = found.index + all.length;
      if (tex) made.append(formula(tex));
      if (bold) made.append(element("strong", {}, line(bold)));
      if (textContent) made.append(element("code", {textContent}));
      if (text) made.append(link(text, to));
    }
    made.append(markdown.slice(end));
    return made;
  }

  // To a page, and to nothing that would run.
  function link(text, to) {
    if (!/^(https?:|#|[^:]*$)/i.test(to)) return line(text);
    return element("a", {href: to.replace(/\.(ipynb|md)(?=#|$)/, ".html")}, line(text));
  }

  // The book needs no KaTeX until a formula is drawn anew.
  let katex;
  function formula(tex, displayMode = false) {
    const made = element("span", {textContent: tex});
    katex ??= new Promise((onload) => document.head.append(element("script", {src: config.katex, onload})));
    katex.then(() => globalThis.katex.render(tex, made, {displayMode, throwOnError: false}));
    return made;
  }

  function block(text) {
    const [head, , ...rows] = text.split("\n").filter((row) => row.startsWith("|"));
    const tex = /^\$\$?(?:\\displaystyle)?([^$]+)\$\$?$/.exec(text.trim())?.[1];
    if (!rows.length) return tex ? formula(tex, true) : element("p", {}, line(text));
    const row = (text, tag) => element("tr", {}, ...text.slice(1, -1).split("|")
      .map((cell) => element(tag, {}, line(cell.trim()))));
    const body = rows.map((text) => row(text, "td"));
    return element("table", {}, element("thead", {}, row(head, "th")), element("tbody", {}, ...body));
  }

  function render({data = {}, text, traceback, ename, evalue}, alt) {
    const svg = data["image/svg+xml"], marked = data["text/markdown"] ?? data["text/latex"];
    if (svg) return [element("img", {alt, src: `data:image/svg+xml,${encodeURIComponent(svg)}`})];
    if (marked) return marked.split(/\n{2,}/).map(block);
    const plain = ename ? [...traceback, `${ename}: ${evalue}`].join("\n") : text ?? data["text/plain"];
    const rest = plain?.length > LONGEST ? `\n… + ${plain.length - LONGEST}` : "";
    return plain ? [element("pre", {textContent: plain.slice(0, LONGEST) + rest})] : [];
  }

  // ---- The cells

  let cells = []; // of the notebook, in order, and then those of the reader
  let worker, receiver, queue, prepared, memory;

  // What is in a cell. A browser may write the end of a line as an element.
  function typed({pre}) {
    const copy = pre.cloneNode(true);
    for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
    return copy.textContent.replace(/^(\s*\n)+|\s+$/g, "");
  }

  const isEdited = (cell) => cell.pre && typed(cell) !== cell.print;

  // The code to run. Above that of the notebook a page may repeat imports; their lines are counted.
  function code(cell) {
    const above = cell.pre ? cell.print.slice(0, -cell.source.length).split("\n").length - 1 : 0;
    return "\n".repeat(above) + cell.source;
  }

  const codeNow = (cell) => isEdited(cell) ? typed(cell) : code(cell);

  function cellOf({source, outputs}, index) {
    const box = document.querySelector(`[data-cell="${index}"]`);
    const cell = {outputs, box, pre: box?.querySelector(".cell_input pre"), source: joined(source).trim()};
    cell.print = cell.pre && typed(cell);
    if (cell.pre && !cell.print.endsWith(cell.source)) throw say("stale");
    return cell;
  }

  // An empty cell below each exercise with code, above its solution.
  function ownCells() {
    const titles = [...document.querySelectorAll("p > strong:first-child")];
    const isCode = ({parentElement: p}) => /^Exercise \d+.? \(code/.test(p.textContent);
    return titles.filter(isCode).map(({parentElement: last, textContent: name}) => {
      const ends = (next) => !next || next.matches("details, .cell, p:has(> strong:first-child)");
      while (!ends(last.nextElementSibling)) last = last.nextElementSibling;
      const pre = element("pre"), highlight = element("div", {className: "highlight"}, pre);
      const box = element("div", {className: "cell run-own"}, element("div", {className: "cell_input"}, highlight));
      last.after(box);
      return {source: "", outputs: [], box, pre, print: "", name};
    });
  }

  // Let the reader edit a cell, and give it buttons. Shift and Enter never stop it.
  function open(cell) {
    const {pre, name} = cell;
    const label = name ? say("own", {name}) : say("code", {n: cells.indexOf(cell) + 1});
    const print = [...pre.cloneNode(true).childNodes];
    const showEdit = () => {
      pre.classList.toggle("run-edited", isEdited(cell));
      if (!cell.busy) setState(cell, isEdited(cell) ? say("changed") : "");
    };
    const reset = () => {
      pre.replaceChildren(...print.map((node) => node.cloneNode(true)));
      showEdit();
      if (worker && !cell.busy) runSoon([cell]);
    };
    Object.assign(pre, {role: "textbox", ariaMultiLine: "true", ariaLabel: label, tabIndex: 0,
      spellcheck: false, autocapitalize: "off"});
    pre.contentEditable = "true";
    try { pre.contentEditable = "plaintext-only"; } catch { /* an older browser pastes types, too */ }
    pre.addEventListener("input", showEdit);
    pre.addEventListener("keydown", (event) => { // Tab leads to the buttons as well
      if (event.key === "Escape") cell.run.focus();
      if (event.key !== "Enter" || !event.shiftKey) return;
      event.preventDefault();
      if (!cell.busy) runSoon([cell]);
    });
    cell.run = button("cell", () => cell.busy ? cell.busy === "works" && stop(say("stopped")) : runSoon([cell]));
    cell.state = element("span");
    const below = button("below", () => runSoon(cells.slice(cells.indexOf(cell))
      .filter((one) => one === cell || !one.name || typed(one))));
    cell.tools = element("div", {className: "run-tools", role: "group", ariaLabel: label}, cell.run,
      ...name ? [] : [below, button("reset", reset)], cell.state);
    pre.closest(".cell_input").after(cell.tools);
  }

  // Say how a cell is. Only the one that runs can be stopped, and one that waits does just that.
  function setState(cell, words, busy = "") {
    cell.busy = busy;
    if (!cell.tools) return;
    cell.run.textContent = say(busy === "works" ? "stop" : "cell");
    cell.run.ariaDisabled = busy === "waits";
    cell.state.replaceChildren(...[busy ? say(busy) : words].flat());
  }

  // ---- Running

  const bar = document.querySelector(".run-page");
  const main = button("run", () => worker && queue ? stop(say("stopped")) : start());
  const step = element("span", {textContent: say("offer", config)}); // seen, and not spoken
  const progress = element("progress", {hidden: true});
  const status = element("p", {role: "status"}); // of the page
  const news = element("p", {role: "status"}); // of what the reader runs

  // What the worker answers in the end. Faults are thrown as sentences.
  const ask = (message) => new Promise((done, failed) => {
    receiver = {done, failed};
    worker.postMessage(message);
  });

  function receive({data}) {
    const {loaded: n, lacks, failed: reason} = data, of = config.packages.length;
    if (n >= 0) return show(say("loads", {n, of}), n / of / 2);
    if (lacks) return receiver.failed(say("lacks", {name: lacks}));
    if (reason) return receiver.failed(say("failed", {reason}));
    memory = data.memory;
    receiver.done(data);
  }

  function show(text, share) {
    progress.hidden = false;
    progress.value = share;
    step.textContent = progress.ariaLabel = text;
  }

  // When all is done, or Python has ended.
  function settle() {
    queue = null;
    main.textContent = say(worker ? "again" : "run");
    progress.hidden = true;
    step.textContent = "";
  }

  function stop(fault) {
    worker?.terminate();
    worker = null;
    for (const cell of cells) if (cell.busy) setState(cell, isEdited(cell) ? say("changed") : "");
    settle();
    news.textContent = "";
    status.replaceChildren(typeof fault === "string" ? fault : say("failed", {reason: fault.message}), say("kept"));
  }

  // One piece of work after another. What waits for a worker that was stopped waits for ever.
  function inTurn(work) {
    main.textContent = say("stop");
    const turn = queue = (queue ?? Promise.resolve()).then(work);
    turn.then(() => turn === queue && settle(), stop);
  }

  function start() {
    worker?.terminate();
    queue = null;
    status.textContent = news.textContent = "";
    const [runtime, kernel, ...wheels] = [config.runtime, config.kernel, ...config.wheels].map(at);
    worker = new Worker(`${kernel}kernel.mjs`, {type: "module"});
    worker.onmessage = receive;
    worker.onerror = () => receiver.failed(say("lacks", {name: "kernel.mjs"}));
    show(say("loads", {n: 0, of: config.packages.length}), 0);
    inTurn(() => firstPass({runtime, kernel, wheels, packages: config.packages}));
  }

  async function firstPass(files) {
    const began = performance.now(), passed = () => (performance.now() - began) / 1000, ours = worker;
    await Promise.all([ask({start: files}), prepared ??= prepare()]);
    if (worker !== ours) return new Promise(() => {});
    const python = passed(), printed = cells.filter(({name}) => !name);
    for (const [index, cell] of printed.entries()) {
      show(say("runs", {n: index + 1, of: printed.length}), (1 + index / printed.length) / 2);
      await run(cell, code(cell), true);
    }
    status.replaceChildren(...summary(printed, python, passed() - python));
  }

  async function prepare() {
    try {
      const notebook = await fetch(config.notebook).then((file) => file.ok && file.json()).catch(() => null);
      if (!notebook) throw say("lacks", {name: config.notebook});
      const isOurs = ({cell_type: type, metadata: {tags}}) => type === "code" && !tags?.includes("colab");
      const ours = notebook.cells.map((cell, index) => isOurs(cell) && cellOf(cell, index)).filter(Boolean);
      cells = [...ours, ...ownCells()];
      for (const cell of cells) if (cell.pre) open(cell);
    } catch (fault) {
      prepared = null; // another try may do
      throw fault;
    }
  }

  // What a reader asks for. Without Python that begins with a pass over the page.
  function runSoon(some) {
    if (!worker) start();
    for (const {state} of cells) if (state) state.ariaLive = state === some[0].state ? "polite" : "off";
    for (const cell of some) setState(cell, "", "waits");
    inTurn(async () => {
      for (const cell of some) await run(cell, codeNow(cell));
      news.textContent = some.length > 1 ? say("ran", {n: some.length, failed: failing(some)}) : "";
    });
  }

  async function run(cell, asked, isFirst = false) {
    setState(cell, "", "works");
    const {outputs, needs} = await ask({code: asked});
    const picture = picturesOf(outputs), isPrinted = asked === code(cell);
    if (cell.ran !== asked && "ran" in cell) markBelow(cell);
    if (isFirst) cell.picture = picture;
    Object.assign(cell, {needs, ran: asked, fault: outputs.find(({ename}) => ename)});
    cell.same = wordsOf(outputs) === wordsOf(cell.outputs) && picture === (cell.picture ?? "");
    draw(cell, cell.same || (needs && isPrinted) ? null : outputs);
    setState(cell, codeNow(cell) === asked ? verdict(cell, isPrinted) : say("changed"));
  }

  // What the cells below say was said before this one changed.
  function markBelow(cell) {
    for (const one of cells.slice(cells.indexOf(cell) + 1)) {
      if (!one.busy && one.pre && one.ran === codeNow(one)) setState(one, say("older"));
    }
  }

  function verdict({needs, fault, same, outputs}, isPrinted) {
    const href = config.kernel.replace("_static/run/", "book/run.html#from-a-clone");
    if (needs) return [say("needs", {package: needs}), element("a", {href, textContent: say("clone")})];
    if (fault && !same) return fault.ename;
    if (!same) return say(isPrinted ? "other" : "edited");
    const pictures = outputs.filter(isPicture), said = [];
    if (outputs.length > pictures.length) said.push(say("same"));
    if (pictures.length) said.push(say("figure")); // nobody compared it with the print
    return said.join("; ") || say(isPrinted ? "done" : "edited");
  }

  function draw(cell, outputs) {
    cell.fresh?.remove();
    const old = cell.box?.querySelector(".cell_output");
    old?.classList.toggle("run-replaced", !!outputs);
    if (!outputs || !cell.box) return;
    const alt = old?.querySelector("img")?.alt ?? cell.tools?.ariaLabel;
    const region = {className: "run-new", role: "group", tabIndex: 0, ariaLabel: say("other")};
    cell.fresh = element("div", region, ...outputs.flatMap((output) => render(output, alt)));
    if (!cell.tools) cell.fresh.prepend(element("p", {textContent: say("other")}));
    if (old) old.before(cell.fresh);
    else cell.tools.after(cell.fresh);
  }

  const failing = (some) => some.filter(({fault, same, needs}) => fault && !same && !needs)
    .map((cell) => say("failing", {n: cells.indexOf(cell) + 1, reason: `${cell.fault.ename}: ${cell.fault.evalue}`}))
    .join(" ");

  function summary(printed, python, ran) {
    const needing = printed.filter(({needs}) => needs), of = printed.length - needing.length;
    const same = printed.filter((cell) => cell.same && !cell.needs).length;
    const packages = [...new Set(needing.map(({needs}) => needs))].join(", ");
    const cost = {start: python.toFixed(1), cells: ran.toFixed(1), memory: Math.round(memory / 2 ** 20)};
    return [
      element("strong", {textContent: say("all", {same, of})}),
      needing.length ? say("more", {more: needing.length, packages}) : "", say("cost", cost), " ", failing(printed),
    ];
  }

  // ---- The bar

  const able = globalThis.WebAssembly && globalThis.Worker && "noModule" in HTMLScriptElement.prototype;
  const why = location.protocol === "file:" ? "file" : able ? "" : "old";
  bar.ariaLabel = say("run");
  bar.append(...why ? [say(why)] : [main, step, progress, status, news]);
}
