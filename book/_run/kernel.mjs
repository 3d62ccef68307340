// The worker in which a page runs: Python, its packages, and the kernel of the notebook.
//
// It is told {start} once, with the addresses of what is loaded, and then {code}, cell by cell. It
// answers with {step} while it starts, and in the end with {lacks}, {failed} or what the cell gave.

let python;
const tell = (message) => postMessage({...message, memory: python?._module.HEAP8.length});

// Pyodide waits for ever for its own program, and only logs what it lacks of a package. So a file
// that does not come, or has another hash than its lock says, is told at once.
const fetched = self.fetch;
self.fetch = async (address, options) => {
  const answer = await fetched(address, options).catch(() => null);
  if (answer?.ok) return answer;
  const lacks = `${address}`.split("/").pop().split("-")[0];
  tell({lacks});
  throw Error(`lacks ${lacks}`);
};

const bytes = async (address) => (await fetch(address)).arrayBuffer();

async function start({runtime, packages, wheels, kernel}) {
  tell({step: "Python", share: 0});
  const own = [...wheels, `${kernel}kernel.py`].map(bytes); // come meanwhile
  const {loadPyodide} = await import(`${runtime}pyodide.mjs`);
  const env = {HOME: "/home/pyodide", PYTHONHASHSEED: "0", MPLBACKEND: "svg"};
  python = await loadPyodide({indexURL: runtime, env});
  const loaded = () => Object.keys(python.loadedPackages);
  const timer = setInterval(() => {
    tell({step: loaded().at(-1) ?? "Python", share: loaded().length / packages.length / 2});
  }, 200);
  await python.loadPackage(packages, {messageCallback() {}, errorCallback() {}, checkIntegrity: true});
  clearInterval(timer);
  const program = await own.pop();
  for (const wheel of own) python.unpackArchive(await wheel, "whl");
  python.runPython(new TextDecoder().decode(program));
  tell({});
}

onmessage = async ({data}) => {
  try {
    if (data.start) await start(data.start);
    else tell(JSON.parse(python.globals.get("run_cell")(data.code)));
  } catch ({message}) {
    tell({failed: message.trim().split("\n").pop()});
  }
};
