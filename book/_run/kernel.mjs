// The worker in which a page runs: Python, its packages, and the kernel of the notebook.
//
// It is told {start} once, with the addresses of what is loaded, and then {code}, cell by cell. It
// answers with {loaded} while it starts, and in the end with {lacks}, {failed} or what a cell gave.

let python;
const answer = (message) => postMessage({...message, memory: python?._module.HEAP8.length});

// Pyodide waits for ever for its own program, and only logs what it lacks of a package. So a file
// that does not come is told at once, and so is a page of words that a server sends in its place.
// Of packages, Pyodide itself compares the hash with its lock; its own files are not compared.
const fetchAny = self.fetch;
self.fetch = async (address, options) => {
  const file = await fetchAny(address, options).catch(() => null);
  if (file?.ok && !file.headers.get("content-type")?.includes("html")) return file;
  const lacks = `${address}`.split("/").pop().split("-")[0];
  answer({lacks});
  throw Error(`lacks ${lacks}`);
};

const bytes = async (address) => (await fetch(address)).arrayBuffer();

async function start({runtime, packages, wheels, kernel}) {
  const own = [...wheels, `${kernel}kernel.py`].map(bytes); // come meanwhile
  const {loadPyodide} = await import(`${runtime}pyodide.mjs`);
  const env = {HOME: "/home/pyodide", PYTHONHASHSEED: "0", MPLBACKEND: "svg"};
  python = await loadPyodide({indexURL: runtime, env});
  const timer = setInterval(() => answer({loaded: Object.keys(python.loadedPackages).length}), 200);
  await python.loadPackage(packages, {messageCallback() {}, errorCallback() {}, checkIntegrity: true});
  clearInterval(timer);
  const program = await own.pop();
  for (const wheel of own) python.unpackArchive(await wheel, "whl");
  python.runPython(new TextDecoder().decode(program));
  answer({});
}

onmessage = async ({data}) => {
  try {
    if (data.start) await start(data.start);
    else answer(JSON.parse(python.globals.get("run_cell")(data.code)));
  } catch ({message}) {
    answer(data.start ? {lacks: "Python"} : {failed: message.trim().split("\n").pop()});
  }
};
