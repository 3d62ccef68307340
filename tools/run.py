"""Set up the environment where that is still to be done, then build the book or test it.

    python3 tools/run.py book     build the book into _build/html from the stored outputs
    python3 tools/run.py execute  execute the notebooks, or those named, and store their outputs
    python3 tools/run.py pdf      make the book as one PDF, _build/latex/gelu-book.pdf
    python3 tools/run.py tests    run the tests; -m slow those marked so; all arguments go to pytest
    python3 tools/run.py lint     check format and lint
    python3 tools/run.py lab      open the notebooks in Jupyter Lab

The environment is the folder .venv. It is made once and made again when requirements.txt or
pyproject.toml changes. This script needs nothing but Python; its syntax is old on purpose, so
that an unsupported Python can still say that it is not supported.
"""

import glob
import hashlib
import os
import subprocess
import sys
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENVIRONMENT = os.path.join(ROOT, ".venv")
SCRIPTS = os.path.join(ENVIRONMENT, "Scripts" if os.name == "nt" else "bin")
STAMP = os.path.join(ENVIRONMENT, "installed-from")
SUPPORTED = ((3, 11), (3, 12), (3, 13))


def main(arguments):
    require_supported_python()
    named = (book, execute, pdf, tests, lint, lab)
    commands = {command.__name__: command for command in named}
    if not arguments or arguments[0] not in commands:
        given = arguments[0] if arguments else "nothing"
        sys.exit(f"run.py got {given}; accepted are {', '.join(commands)}")
    install_once()
    sys.exit(commands[arguments[0]](arguments[1:]))


def require_supported_python():
    if sys.version_info[:2] not in SUPPORTED:
        version = "{}.{}".format(*sys.version_info[:2])
        sys.exit(
            f"gelu_lib needs Python 3.11, 3.12 or 3.13; {sys.executable} is Python {version}. "
            "Run the same line with a supported one, for example python3.12 (on Windows py -3.12)."
        )


def install_once():
    """Make .venv unless the one that stands was made from the same requirements."""
    wanted = fingerprint()
    if os.path.exists(STAMP):
        with open(STAMP) as stamp:
            if stamp.read() == wanted:
                return
    print("Installing into .venv; this happens once and takes a minute or two.", flush=True)
    venv.EnvBuilder(clear=True, with_pip=True).create(ENVIRONMENT)
    # uv takes seconds and pip a minute, but pip alone knows the mirrors that are set for it
    if not with_uv("requirements.txt") and not with_pip("-r", "requirements.txt"):
        sys.exit("The installation failed; see the lines above.")
    # Matplotlib looks for fonts once; done here, it does not say so in the cell that draws first
    call([program("python"), "-c", "import matplotlib.font_manager"])
    with open(STAMP, "w") as stamp:  # written last: an interrupted installation starts again
        stamp.write(wanted)


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
    return subprocess.call(command, cwd=ROOT, env=variables)


def program(name):
    """The path of a program of the environment."""
    return os.path.join(SCRIPTS, name)


def book(arguments):
    print("Building the book; nothing is executed, and it takes less than a minute.", flush=True)
    # quiet: not a line for each page; warnings and errors are shown all the same
    options = ["-W", "-n", "--keep-going", "-q"]
    return call([program("jupyter-book"), "build", ".", *options, *arguments])


def execute(arguments):
    script = os.path.join("tools", "execute.py")
    # two notebooks at a time: threads of NumPy's algebra would only wait for each other
    return call([program("python"), script, *arguments], OPENBLAS_NUM_THREADS="1")


def pdf(arguments):
    return call([program("python"), os.path.join("tools", "make_pdf.py"), *arguments])


def tests(arguments):
    # every core has a test of its own; threads of NumPy's algebra would only wait for each other
    return call([program("pytest"), *arguments], OPENBLAS_NUM_THREADS="1")


def lint(arguments):
    ruff = program("ruff")
    return call([ruff, "format", "--check", "."]) or call([ruff, "check", ".", *arguments])


def lab(arguments):
    # of a notebook that is not trusted, the figures are not shown before it is run
    call([program("jupyter-trust"), *sorted(glob.glob(os.path.join(ROOT, "book", "*.ipynb")))])
    # a kernel warns, on the terminal, of a connection that anybody on the machine could read
    encrypted = "--KernelManager.transport_encryption=auto"
    return call([program("jupyter-lab"), "book", encrypted, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
