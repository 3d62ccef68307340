// "Run this page": Python in a worker computes every cell again, and then the reader edits them.
//
// What is printed stays as long as a cell gives the same words, and the picture of its first run in
// this browser; what differs is drawn in its place. kernel.mjs and kernel.py run the cells.

"use strict";
{
  // In English, Chinese and Japanese.
  const LANGUAGES = ["en", "zh-Hans", "ja"];
  const WORDS = {
    run: ["Run this page", "运行本页", "このページを実行"],
    offer: [
      "in your browser, and edit its code. It loads {megabytes} MB from this site once; nothing leaves your machine.",
      "在浏览器中运行并修改代码。首次从本站下载 {megabytes} MB；数据不会离开您的电脑。",
      "ブラウザーで実行し、コードを変更できます。初回に {megabytes} MB を読み込みます。データは外へ送られません。",
    ],
    file: [
      "Opened from a site and not as a file, this page can run in your browser.",
      "从网站打开本页（而非本地文件），即可在浏览器中运行。",
      "ファイルではなくサイトから開くと、このページをブラウザーで実行できます。",
    ],
    old: ["To run this page, a browser needs WebAssembly and module workers.",
      "运行本页需要支持 WebAssembly 和模块 Worker 的浏览器。",
      "実行には WebAssembly とモジュール Worker に対応したブラウザーが必要です。"],
    stop: ["Stop", "停止", "停止"],
    cell: ["Run", "运行", "実行"],
    below: ["Run all below", "运行以下全部", "以下をすべて実行"],
    reset: ["Reset", "还原", "元に戻す"],
    code: ["Code of cell {n}", "单元 {n} 的代码", "セル {n} のコード"],
    own: ["Your code for {name}"],
    loads: ["Loading {name}", "正在下载 {name}", "{name} を読み込み中"],
    runs: ["Cell {n} of {of}", "单元 {n} / {of}", "セル {n} / {of}"],
    waits: ["waiting", "等待中", "待機中"],
    works: ["running", "运行中", "実行中"],
    done: ["done", "已运行", "実行済み"],
    same: ["same as printed", "与印出的相同", "掲載と同じ"],
    edited: ["edited", "已修改", "変更済み"],
    other: ["not as printed", "与印出的不同", "掲載と異なる"],
    needs: ["needs {package}: ", "需要 {package}：", "{package} が必要："],
    clone: ["run it in a clone", "请在克隆中运行", "クローンで実行"],
    all: ["{same} of {of} cells gave the printed words and numbers on your machine",
      "{of} 个单元中有 {same} 个在您的电脑上给出了印出的文字和数字",
      "{of} 個中 {same} 個のセルが、掲載と同じ文字と数値を出しました"],
    more: ["; {more} more cannot run without {packages}", "；另有 {more} 个需要 {packages}", "。ほかに {more} 個は {packages} が必要です"],
    cost: [". Python {start}\u00a0s, cells {cells}\u00a0s, {memory}\u00a0MB. Now edit the code.",
      "。Python {start} 秒，单元 {cells} 秒，{memory} MB。现在可以修改代码。",
      "。Python {start} 秒、セル {cells} 秒、{memory} MB。コードを変更できます。"],
    unseen: [" A cell that is not shown failed: {reason}", "未显示的单元出错：{reason}", "表示されないセルが失敗：{reason}"],
    stopped: ["Stopped. ", "已停止。", "停止しました。"],
    lacks: ["The runtime lacks {name}, or has it damaged. ", "缺少 {name}，或文件已损坏。", "{name} がないか、壊れています。"],
    failed: ["Python ended: {reason}. ", "Python 已结束：{reason}。", "Python が終了しました：{reason}。"],
    stale: ["The notebook is not the one of this page: load the page anew. ", "笔记本与本页不符，请重新载入。",
      "ノートブックがこのページと異なります。再読み込みしてください。"],
    again: ["“Run this page” begins again, with what you edited.", "按“运行本页”重新开始，您的修改会保留。",
      "「このページを実行」で再開します。変更は残ります。"],
  };
  const PACKAGES = {flint: "python-flint"}; // by what they are imported as
  const config = JSON.parse(document.getElementById("run-page").textContent);
  const language = Math.max(LANGUAGES.indexOf(document.documentElement.lang), 0);
  const at = (address) => new URL(address, location).href;
  const joined = (text) => Array.isArray(text) ? text.join("") : text;

  const say = (key, parts = {}) => WORDS[key][language].replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  function element(tag, given = {}, ...children) {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...children);
    return made;
  }

  const button = (key, onclick) => element("button", {type: "button", textContent: say(key), onclick});

  // ---- What a cell gave: as words to compare, as pictures to compare, and drawn

  function words(outputs) {
    return JSON.stringify(outputs.map(({output_type: type, name, text, ename, evalue, data = {}}) => {
      const kinds = Object.keys(data).sort();
      const said = kinds.some((kind) => kind.startsWith("image/")) ? [] : kinds;
      return [type, name, joined(text), ename, evalue, said.map((kind) => [kind, joined(data[kind])])];
    }));
  }

  // Without the names of parts, which Matplotlib makes of where they lie in memory.
  const pictures = (outputs) => outputs.map(({data}) => data?.["image/svg+xml"] ?? "").join("")
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
      if (text) made.append(element("a", {href: to.replace(/\.(ipynb|md)(?=#|$)/, ".html")}, line(text)));
    }
    made.append(markdown.slice(end));
    return made;
  }

  function formula(tex, displayMode = false) {
    const made = element("span", {textContent: tex});
    globalThis.katex?.render(tex, made, {displayMode, throwOnError: false});
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

  function drawn({data = {}, text, traceback, ename, evalue}, alt) {
    const svg = data["image/svg+xml"], marked = data["text/markdown"] ?? data["text/latex"];
    if (svg) return [element("img", {alt, src: `data:image/svg+xml,${encodeURIComponent(svg)}`})];
    if (marked) return marked.split(/\n{2,}/).map(block);
    const plain = ename ? [...traceback, `${ename}: ${evalue}`].join("\n") : text ?? data["text/plain"];
    return plain ? [element("pre", {textContent: plain})] : [];
  }

  // ---- The cells

  let cells = []; // of the notebook, in order, and then those of the reader
  let worker, answer, queue, memory, katex;

  // What stands in a cell. A browser may write the end of a line as an element.
  function typed({pre}) {
    const copy = pre.cloneNode(true);
    for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
    return copy.textContent.trim();
  }

  const isEdited = (cell) => cell.pre && typed(cell) !== cell.print;

  // The code to run. Above that of the notebook a page may repeat imports; their lines are counted.
  function code(cell) {
    if (isEdited(cell)) return typed(cell);
    const above = cell.pre ? cell.print.slice(0, -cell.source.length).split("\n").length - 1 : 0;
    return "\n".repeat(above) + cell.source;
  }

  function cellOf({source, outputs}, n) {
    const box = document.querySelector(`[data-cell="${n}"]`);
    const cell = {n, outputs, box, pre: box?.querySelector(".cell_input pre"), source: joined(source).trim()};
    cell.print = cell.pre && typed(cell);
    if (cell.pre && !cell.print.endsWith(cell.source)) throw say("stale");
    return cell;
  }

  // An empty cell below each exercise, above its solution.
  function ownCells() {
    const titles = [...document.querySelectorAll("p > strong:first-child")];
    return titles.filter(({textContent}) => /^Exercise \d+$/.test(textContent)).map((title) => {
      let last = title.parentElement;
      const ends = (next) => !next || next.matches("details, .cell, p:has(> strong:first-child)");
      while (!ends(last.nextElementSibling)) last = last.nextElementSibling;
      const pre = element("pre");
      const input = element("div", {className: "cell_input"}, element("div", {className: "highlight"}, pre));
      last.after(element("div", {className: "cell run-own"}, input));
      return {source: "", outputs: [], box: input.parentElement, pre, print: "", name: title.textContent};
    });
  }

  // Let the reader edit a cell, and give it buttons.
  function open(cell) {
    const {pre, n, name} = cell;
    const label = name ? say("own", {name}) : say("code", {n});
    const print = [...pre.cloneNode(true).childNodes];
    const changed = () => {
      pre.classList.toggle("run-edited", isEdited(cell));
      tell(cell, isEdited(cell) ? say("edited") : "");
    };
    const reset = () => {
      pre.replaceChildren(...print.map((node) => node.cloneNode(true)));
      changed();
      soon([cell]);
    };
    Object.assign(pre, {role: "textbox", ariaMultiLine: "true", ariaLabel: label, tabIndex: 0,
      spellcheck: false, autocapitalize: "off"});
    pre.contentEditable = "true";
    try { pre.contentEditable = "plaintext-only"; } catch { /* an older browser pastes types, too */ }
    pre.addEventListener("input", changed);
    pre.addEventListener("keydown", (event) => { // Tab leads to the buttons as well
      if (event.key === "Escape") cell.run.focus();
      if (event.key !== "Enter" || !event.shiftKey) return;
      event.preventDefault();
      cell.run.click();
    });
    cell.run = button("cell", () => cell.busy ? stop(say("stopped")) : soon([cell]));
    cell.state = element("span");
    const row = {className: "run-tools", disabled: true, ariaLabel: label};
    cell.tools = element("fieldset", row, cell.run,
      button("below", () => soon(cells.slice(cells.indexOf(cell)))), button("reset", reset), cell.state);
    pre.closest(".cell_input").after(cell.tools);
  }

  // Say how a cell is, and let its own button stop Python while it runs.
  function tell(cell, words, busy = false) {
    cell.busy = busy;
    if (!cell.tools) return;
    cell.run.textContent = say(busy ? "stop" : "cell");
    cell.state.replaceChildren(...[words].flat());
  }

  // ---- Running

  const bar = document.querySelector(".run-page");
  const main = button("run", () => worker ? stop(say("stopped")) : start());
  const step = element("span", {textContent: say("offer", config)}); // seen, and not spoken
  const progress = element("progress", {hidden: true, ariaLabel: say("run")});
  const status = element("p", {role: "status"});

  // What the worker answers in the end. Faults are thrown as sentences.
  const ask = (message) => new Promise((done, failed) => {
    answer = {done, failed};
    worker.postMessage(message);
  });

  function heard({data}) {
    if (data.step) return show(say("loads", {name: data.step}), data.share);
    if (data.lacks) return answer.failed(say("lacks", {name: data.lacks}));
    if (data.failed) return answer.failed(say("failed", {reason: data.failed}));
    memory = data.memory;
    answer.done(data);
  }

  function show(text, share) {
    main.textContent = say("stop");
    progress.hidden = false;
    progress.value = share;
    step.textContent = text;
  }

  // What the bar says when all is done, or Python has ended.
  function settle(...words) {
    main.textContent = say(worker ? "stop" : "run");
    progress.hidden = true;
    step.textContent = "";
    status.replaceChildren(...words);
    for (const {tools} of cells) if (tools) tools.disabled = !worker;
  }

  function stop(fault) {
    worker?.terminate();
    worker = null;
    for (const cell of cells) if (cell.busy) tell(cell, "");
    settle(typeof fault === "string" ? fault : say("failed", {reason: fault.message}), say("again"));
  }

  async function start() {
    const began = performance.now();
    const passed = () => (performance.now() - began) / 1000;
    const [runtime, kernel, ...wheels] = [config.runtime, config.kernel, ...config.wheels].map(at);
    worker = new Worker(`${kernel}kernel.mjs`, {type: "module"});
    worker.onmessage = heard;
    worker.onerror = () => answer.failed(say("lacks", {name: "kernel.mjs"}));
    queue = Promise.resolve();
    status.textContent = "";
    try {
      const files = {runtime, kernel, wheels, packages: config.packages};
      await Promise.all([ask({start: files}), prepare()]);
      const python = passed();
      for (const [n, cell] of cells.entries()) {
        show(say("runs", {n: n + 1, of: cells.length}), (1 + n / cells.length) / 2);
        await run(cell);
      }
      settle(...summary(python, passed() - python));
    } catch (fault) {
      stop(fault);
    }
  }

  async function prepare() {
    if (cells.length) return;
    const file = await fetch(config.notebook).catch(() => null);
    if (!file?.ok) throw say("lacks", {name: config.notebook});
    const isOurs = ({cell_type: type, metadata: {tags}}) => type === "code" && !tags?.includes("colab");
    const ours = (await file.json()).cells.map((cell, n) => isOurs(cell) && cellOf(cell, n));
    cells = [...ours.filter(Boolean), ...ownCells()];
    for (const cell of cells) if (cell.pre) open(cell);
  }

  function soon(some) {
    for (const cell of some) tell(cell, say("waits"), true);
    queue = queue.then(async () => {
      for (const cell of some) await run(cell);
      status.textContent = `${some[0].tools.ariaLabel}: ${some[0].state.textContent}.${unseen()}`;
    }).catch(stop);
  }

  async function run(cell) {
    const asked = code(cell);
    if (!asked) return tell(cell, "");
    tell(cell, say("works"), true);
    const {outputs, needs} = await ask({code: asked});
    const edited = isEdited(cell), picture = pictures(outputs);
    if (!cells.some(isEdited)) cell.picture ??= picture;
    cell.needs = needs;
    cell.fault = outputs.find(({ename}) => ename);
    cell.same = words(outputs) === words(cell.outputs);
    const stays = (needs && !edited) || (cell.same && picture === (cell.picture ?? picture));
    await draw(cell, stays ? null : outputs);
    tell(cell, verdict(cell, stays, edited));
  }

  const packageOf = ({needs}) => PACKAGES[needs] ?? needs;

  function verdict(cell, stays, edited) {
    const href = config.kernel.replace("_static/run/", "book/run.html");
    const way = element("a", {href, textContent: say("clone")});
    if (cell.needs) return [say("needs", {package: packageOf(cell)}), way];
    if (cell.fault) return cell.fault.ename;
    if (!stays) return say(edited ? "edited" : "other");
    return say(cell.outputs.length ? "same" : "done");
  }

  async function draw(cell, outputs) {
    cell.fresh?.remove();
    const old = cell.box?.querySelector(".cell_output");
    old?.classList.toggle("run-replaced", !!outputs);
    if (!outputs || !cell.box) return;
    katex ??= new Promise((done) => { // the book needs none until a formula is drawn anew
      document.head.append(element("script", {src: config.katex, onload: done, onerror: done}));
    });
    await katex;
    const alt = old?.querySelector("img")?.alt ?? cell.tools?.ariaLabel;
    const region = {className: "run-new", role: "group", tabIndex: 0, ariaLabel: say("other")};
    cell.fresh = element("div", region, ...outputs.flatMap((output) => drawn(output, alt)));
    if (!cell.tools) cell.fresh.prepend(element("p", {textContent: say("other")}));
    if (old) old.before(cell.fresh);
    else cell.tools.after(cell.fresh);
  }

  // What failed of the cells that the page does not show.
  const unseen = () => cells.filter(({box, fault, needs}) => !box && fault && !needs)
    .map(({fault}) => say("unseen", {reason: `${fault.ename}: ${fault.evalue}`})).join("");

  function summary(python, ran) {
    const ours = cells.filter(({name}) => !name), needing = ours.filter(({needs}) => needs);
    const same = ours.filter((cell) => cell.same && !cell.needs).length;
    const packages = [...new Set(needing.map(packageOf))].join(", ");
    const cost = {start: python.toFixed(1), cells: ran.toFixed(1), memory: Math.round(memory / 2 ** 20)};
    return [
      element("strong", {textContent: say("all", {same, of: ours.length - needing.length})}),
      needing.length ? say("more", {more: needing.length, packages}) : "", say("cost", cost), unseen(),
    ];
  }

  // ---- The bar

  const able = globalThis.WebAssembly && globalThis.Worker && "noModule" in HTMLScriptElement.prototype;
  const why = location.protocol === "file:" ? "file" : able ? "" : "old";
  bar.ariaLabel = say("run");
  bar.append(...why ? [say(why)] : [main, step, progress, status]);
}
