"""Run the notebooks that the built site offers, where there is no repository.

    .venv/bin/python tools/run_elsewhere.py                every notebook, the last chapter first
    .venv/bin/python tools/run_elsewhere.py taylor gelu    these, in this order

What a reader does is done in a temporary folder: the archive of ``_build/html`` is unpacked, an
environment is made, and the line in the second cell of a notebook is run in it. That line needs a
package index for everything but the library. Each notebook is executed there, one after another,
and compared with the outputs that it was downloaded with. The status is 0 if all agree.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

import command_line
import nbformat

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT / "_build" / "html" / "downloads" / "gelu-book.zip"
# what of an output is compared, and which numerals of the text are typed
COMPARISON = ("conftest.py", "typed-numerals.toml")
KERNEL = "elsewhere"
# links among the notebooks lead to other names in the archive; what a cell shows here does not
NAMES_OF_THE_BOOK = r"""
[start page]
regex: 00-start-here(?=\.ipynb)
replace: index

[numbers]
regex: \b\d\d-([a-z-]+\.ipynb)
replace: \1
"""
LINE = re.compile(r"^pip (install .*)$", re.MULTILINE)


def main(names: list[str]) -> int:
    if not ARCHIVE.exists():
        sys.exit("there is no built site; build it first: python3 tools/run.py book")
    with tempfile.TemporaryDirectory() as place:
        with zipfile.ZipFile(ARCHIVE) as archive:
            archive.extractall(place)
        folder = Path(place, ARCHIVE.stem)
        notebooks = chosen(folder, names)
        python = environment(Path(place, "environment"), folder, line_of(notebooks[0]))
        kernels = kernel(python, Path(place, "kernel"))
        return replay(folder, notebooks, ["--nbval-kernel-name", KERNEL], JUPYTER_PATH=kernels)


def chosen(folder: Path, names: list[str]) -> list[Path]:
    """The notebooks with these names, or all in the reverse of the reading order."""
    paths = {path.stem[len("01-") :]: path for path in sorted(folder.glob("*.ipynb"), reverse=True)}
    return [paths[name] for name in command_line.known(names, list(paths), "notebook")]


def line_of(notebook: Path) -> list[str]:
    """What the cell below the title of a notebook tells pip."""
    cells = nbformat.read(notebook, as_version=4).cells
    found = LINE.search("".join(cell.source for cell in cells[1:2]))
    if not found:
        sys.exit(f"the second cell of {notebook.name} does not say what to install")
    return shlex.split(found[1])


def environment(place: Path, folder: Path, line: list[str]) -> Path:
    """The Python of a new environment in which the line was run."""
    venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run([python, "-m", "pip", *line], cwd=folder, env=stripped(), check=True)
    return python


def kernel(python: Path, place: Path) -> str:
    """A folder of kernels that holds that of this Python, named KERNEL."""
    command = [python, "-m", "ipykernel", "install", "--prefix", place, "--name", KERNEL]
    subprocess.run(command, env=stripped(), check=True)
    return str(place / "share" / "jupyter")


def stripped() -> dict[str, str]:
    """The environment's variables without those that would show it the repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def replay(folder: Path, notebooks: list[Path], options: list[str], **variables: str) -> int:
    """Execute notebooks in a folder and compare them with their outputs; the status of pytest."""
    for name in COMPARISON:
        shutil.copy(ROOT / "book" / name, folder)
    names = folder / "names-of-the-book.cfg"
    names.write_text(NAMES_OF_THE_BOOK, encoding="utf-8")
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--rootdir={folder}"]
    command = [*pytest, "--nbval", "--nbval-sanitize-with", names, *options, *notebooks]
    return subprocess.run(command, cwd=folder, env=stripped() | variables).returncode


if __name__ == "__main__":
    sys.exit(main(command_line.read(__doc__, names={"nargs": "*"}).names))
