"""Set up the environment where that is still to be done, then build the book or test it.

    python3 tools/run.py book       build the book into _build/html from the stored outputs
    python3 tools/run.py execute    execute the notebooks, or those named; store their outputs
    python3 tools/run.py exercises  write the notebooks without solutions into _build/exercises
    python3 tools/run.py pdf        make the book as one PDF, _build/latex/gelu-book.pdf
    python3 tools/run.py tests      run the tests; -m slow those marked so; the rest goes to pytest
    python3 tools/run.py lint       check format and lint
    python3 tools/run.py lab        open the list of the notebooks in Jupyter Lab

The environment is the folder .venv. It is made once and made again when requirements.txt or
pyproject.toml changes. Of two runs that would write into the same folder, one waits. This script
needs nothing but Python; its syntax is old on purpose, so that an unsupported Python can still say
that it is not supported.
"""

import contextlib
import glob
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import venv

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENVIRONMENT = os.path.join(ROOT, ".venv")
SCRIPTS = os.path.join(ENVIRONMENT, "Scripts" if os.name == "nt" else "bin")
STAMP = os.path.join(ENVIRONMENT, "installed-from")
SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))
PATIENCE = 5  # seconds that a program has to end after it was interrupted
INTERRUPTED = 130  # the status, as shells have it
DAMAGED = "The environment .venv is damaged: delete the folder .venv and run the same line again."

LINKED = (
    "The folder .venv is a link to {}, which an installation would empty: "
    "delete the link alone and run the same line again."
)


def main(arguments):
    require_supported_python()
    named = (book, execute, exercises, pdf, tests, lint, lab)
    commands = {command.__name__: command for command in named}
    if arguments[:1] in (["--help"], ["-h"]):
        print(__doc__.strip())
        sys.exit()
    if not arguments or arguments[0] not in commands:
        given = arguments[0] if arguments else "nothing"
        sys.exit(f"run.py got {given}; accepted are {', '.join(commands)}, and --help")
    try:
        install_once()
        status = commands[arguments[0]](arguments[1:])
        sys.exit(DAMAGED if status and damaged() else status)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except FileNotFoundError as error:
        if not str(error.filename).startswith(ENVIRONMENT):
            raise
        sys.exit(DAMAGED)


def require_supported_python():
    if sys.version_info[:2] not in SUPPORTED:
        version = "{}.{}".format(*sys.version_info[:2])
        sys.exit(
            "gelu_lib needs Python 3.11, 3.12, 3.13 or 3.14; "
            f"{sys.executable} is Python {version}. "
            "Run the same line with a supported one, for example python3.12 (on Windows py -3.12)."
        )


def install_once():
    """Make .venv unless the one that stands was made from the same requirements."""
    if installed():
        return
    with alone("environment"):
        if not installed():  # by the run that this one waited for
            install()


def installed():
    if not os.path.exists(STAMP):
        return False
    with open(STAMP) as stamp:
        return stamp.read() == fingerprint()


def install():
    if os.path.realpath(ENVIRONMENT) != os.path.join(os.path.realpath(ROOT), ".venv"):
        sys.exit(LINKED.format(os.path.realpath(ENVIRONMENT)))
    print("Installing into .venv; this happens once and takes a minute or two.", flush=True)
    venv.EnvBuilder(clear=True, with_pip=True).create(ENVIRONMENT)
    # uv takes seconds and pip a minute, but pip alone knows the mirrors that are set for it
    if not with_uv("requirements.txt") and not with_pip("-r", "requirements.txt"):
        sys.exit("The installation failed; see the lines above.")
    # Matplotlib looks for fonts once; done here, it does not say so in the cell that draws first
    call([program("python"), "-c", "import matplotlib.font_manager"])
    with open(STAMP, "w") as stamp:  # written last: an interrupted installation starts again
        stamp.write(fingerprint())


def damaged():
    """Whether the environment lacks what every command needs, though it was installed once."""
    needed = "gelu_lib", "jupyter_book", "nbclient", "pytest"
    look = f"import sys, importlib.util as u; sys.exit(not all(map(u.find_spec, {needed})))"
    return call([program("python"), "-c", look]) != 0


@contextlib.contextmanager
def alone(what):
    """Do something in one run at a time; the system frees the lock of a run that ends, however."""
    folder = os.path.join(ROOT, "_build")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, what + ".lock"), "w") as file:
        if not locked(file):
            print(f"Another run makes the {what}; this one waits for it.", flush=True)
            while not locked(file):
                time.sleep(0.2)
        yield


def locked(file):
    """Whether the lock of a file is this run's now."""
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):  # another run has it
        return False
    return True


def with_uv(requirements):
    uv = [program("uv"), "pip", "install", "--quiet", "--python", program("python")]
    return with_pip("uv==0.13.9") and call([*uv, "-r", requirements]) == 0


def with_pip(*what):
    # not compiled: most of it is never imported, and Python compiles the rest when it is
    pip = [program("python"), "-m", "pip", "--disable-pip-version-check", "install"]
    # not told: that an installation from this folder is one from this folder
    return call([*pip, "--quiet", "--no-compile", *what], PYTHONWARNINGS="ignore") == 0


def fingerprint():
    """What the environment depends on: requirements, package metadata, Python and folder."""
    # the folder too: a copied or moved environment still leads to the place where it was made
    digest = hashlib.sha256((sys.version + ROOT).encode())
    for name in ("requirements.txt", "pyproject.toml"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def call(command, **more):
    """Run a command in the repository with the environment's programs first, return its status."""
    variables = dict(os.environ, PATH=SCRIPTS + os.pathsep + os.environ.get("PATH", ""), **more)
    # set in many containers; every process would then compile every module that it imports
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    running = subprocess.Popen(command, cwd=ROOT, env=variables)
    try:
        return running.wait()
    except KeyboardInterrupt as interruption:
        end(running, interruption)
        raise


class Terminated(KeyboardInterrupt):
    """The system, or a program, asked this run to end; the terminal did not."""


def terminate(*_):
    raise Terminated


def end(running, interruption):
    """Give a program time to end, which the terminal interrupted too; then ask it, then kill it."""
    patient = contextlib.suppress(subprocess.TimeoutExpired)
    try:
        if not isinstance(interruption, Terminated):
            with patient:
                running.wait(PATIENCE)
        signal_all(running, "terminate")
        with patient:
            running.wait(PATIENCE)
    finally:  # after another Ctrl-C too
        signal_all(running, "kill")


# of a program that a signal ended, the programs that it had started would go on for ever
SIGNAL_ALL = """
import psutil, sys
first = psutil.Process(int(sys.argv[2]))
for process in [first, *first.children(recursive=True)]:
    getattr(process, sys.argv[1])()
"""


def signal_all(running, how):
    """Terminate or kill a program, and all that it started."""
    if running.poll() is None:
        with contextlib.suppress(OSError):  # psutil, and Python, may not be installed yet
            command = [program("python"), "-c", SIGNAL_ALL, how, str(running.pid)]
            subprocess.call(command, stderr=subprocess.DEVNULL)
        getattr(running, how)()


def program(name):
    """The path of a program of the environment."""
    return os.path.join(SCRIPTS, name)


def book(arguments):
    print("Building the book; nothing is executed, and it takes less than a minute.", flush=True)
    # quiet: not a line for each page; warnings and errors are shown all the same
    options = ["-W", "-n", "--keep-going", "-q"]
    with alone("book"):
        status = call([program("jupyter-book"), "build", ".", *options, *arguments])
        if status:  # of a page that is not read again Sphinx would not warn again
            shutil.rmtree(os.path.join(ROOT, "_build", ".doctrees"), ignore_errors=True)
        return status


def execute(arguments):
    script = os.path.join("tools", "execute.py")
    # two notebooks at a time: threads of NumPy's algebra would only wait for each other
    return call([program("python"), script, *arguments], OPENBLAS_NUM_THREADS="1")


def exercises(arguments):
    return call([program("python"), os.path.join("tools", "make_exercises.py"), *arguments])


def pdf(arguments):
    with alone("PDF"):
        return call([program("python"), os.path.join("tools", "make_pdf.py"), *arguments])


def tests(arguments):
    # every core has a test of its own; threads of NumPy's algebra would only wait for each other
    return call([program("pytest"), *arguments], OPENBLAS_NUM_THREADS="1")


def lint(arguments):
    ruff = program("ruff")
    return call([ruff, "format", "--check", "."]) or call([ruff, "check", ".", *arguments])


def lab(arguments):
    # of a notebook that is not trusted, the figures are shown in pixels before it is run
    call([program("jupyter-trust"), *sorted(glob.glob(os.path.join(ROOT, "book", "*.ipynb")))])
    # a kernel warns, on the terminal, of a connection that anybody on the machine could read
    encrypted = "--KernelManager.transport_encryption=auto"
    # tools/jupyter shows pages as text and hides what is no page; Jupyter asks for no news there
    settings = [os.path.join(ROOT, "tools", "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH")]
    path = os.pathsep.join(filter(None, settings))
    command = [program("jupyter-lab"), "book/README.md", encrypted, *arguments]
    return call(command, JUPYTER_CONFIG_PATH=path)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, terminate)
    main(sys.argv[1:])
