// The worker in which a page runs: Python, its packages, and the kernel of the notebook.
//
// It is told {start} once, with the addresses of all that is loaded, and then {code}, cell by cell.
// It answers {step} while it starts, {ready} or {failed}, and {outputs, needs, memory, seconds}.

let python;
const tell = (message) => postMessage({memory: python?._module.HEAP8.length, ...message});
const lacking = (name) => Object.assign(Error(), {lacks: name});

async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw lacking(address.split("/").pop());
  return answer;
}

// A file of a package that is not there, or not as the lock says, is only logged by Pyodide.
async function loadPackages(names) {
  let failed = "";
  const progress = () => {
    const loaded = Object.keys(python.loadedPackages);
    tell({step: loaded.at(-1) ?? names[0], share: loaded.length / names.length / 2});
  };
  const messageCallback = (text) => { failed ||= /^Failed to load (.*)/.exec(text)?.[1] ?? ""; };
  const timer = setInterval(progress, 200);
  await python.loadPackage(names, {messageCallback, errorCallback: () => {}, checkIntegrity: true});
  clearInterval(timer);
  if (failed) throw lacking(failed);
}

async function start({runtime, packages, wheels, kernel}) {
  tell({step: "Python", share: 0});
  const {loadPyodide} = await import(`${runtime}pyodide.mjs`).catch(() => { throw lacking("Python"); });
  const env = {HOME: "/home/pyodide", PYTHONHASHSEED: "0", MPLBACKEND: "svg"};
  python = await loadPyodide({indexURL: runtime, env});
  await loadPackages(packages);
  for (const wheel of wheels) python.unpackArchive(await (await fetched(wheel)).arrayBuffer(), "whl");
  python.runPython(await (await fetched(`${kernel}kernel.py`)).text());
  tell({});
}

onmessage = async ({data}) => {
  try {
    if (data.start) await start(data.start);
    else tell(JSON.parse(python.globals.get("run_cell")(data.code)));
  } catch ({message, lacks}) {
    tell(lacks ? {lacks} : {failed: message.trim().split("\n").pop()});
  }
};
