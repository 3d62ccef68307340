"""Execute the notebooks and store their outputs and the numbers in their text.

    python3 tools/run.py execute            every notebook of the book, two at a time
    python3 tools/run.py execute taylor     one chapter, by name

What is stored is what this script got from a fresh kernel, the same bytes on every machine; no
output is edited by hand, and no computed number in the text (``gelu_lib.show.marks``). Metadata
that differs from run to run or from machine to machine (times, versions, cell IDs) is replaced. The
cell below the title is written here too. It says what the notebook needs, for a reader who has it
without the book; the pages of the book leave it out.
"""

from __future__ import annotations

import signal

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(__doc__, names={"nargs": "*"})
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends the imports without a traceback

import asyncio
import os
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from contextlib import suppress
from itertools import count
from pathlib import Path

import colab_cell
import nbformat
import psutil
import slides
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets.config import Config

import gelu_lib
from gelu_lib.show import marks, stored

BOOK = Path(__file__).resolve().parent.parent / "book"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {  # as the kernel says it, without its version; nbconvert needs it
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
AT_A_TIME = 2  # notebooks; more would wait for memory on a small machine
# a kernel warns, on the terminal, of a connection that anybody on the machine could read
ENCRYPTED = Config({"KernelManager": {"transport_encryption": "auto"}})
# a figure is stored in more forms than a reader who runs the notebook needs
STORED_FIGURES = "from gelu_lib.show import style; style.draw_for_storing(); del style"
KEPT_METADATA = ("lang",)  # the language of the text, where it is not the book's
KEPT_CELL_METADATA = ("jupyter", "mystnb", "tags")
DRAWING = re.compile(r"image/.*svg.*")  # a kind of output
PATH = re.compile(r'(?<= d=")[^"]*')
LEFT_OUT = "remove-cell"  # the tag of a cell that is not on the page
FOLDED = "hide-input"  # of a cell whose code is folded on the page
UNSEEN = "remove-input"  # of one whose code the page leaves out, as it only shows a result
SOLUTION = "solution"  # of the words and of the code of a solution; the page folds both
NEEDS = f"""\
**To run this notebook** you need Python 3.11, 3.12, 3.13 or 3.14 and the library of the book,
whose wheel lies beside the notebooks that were downloaded ([How to run](run.md) says more):

```sh
pip install "./gelu_lib-{gelu_lib.__version__}-py3-none-any.whl[book]"
```

The text quotes numbers of the stored run. A cell hands them to the text with `say`, which prints
them too, each after its name. If you edit a cell, look there: the text keeps the old values."""


def main(names: list[str]) -> None:
    """Execute notebooks, two at a time, and say of each when it is stored.

    Interrupted, it ends the process with status 130; what is not stored by then stays as it was.

    Raises:
        SystemExit: if a name is unknown or a cell raises; the other notebooks are stored.
    """
    paths, failed = chosen(names), []
    # threads are enough, because every kernel is a process
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        started = {pool.submit(timed, path): path for path in paths}
        try:
            for number, done in enumerate(as_completed(started), 1):
                name = started[done].stem
                try:
                    print(f"{number:2} of {len(paths)}  {name}: {done.result():.0f} s", flush=True)
                except CellExecutionError as error:
                    failed.append(name)
                    print(f"{number:2} of {len(paths)}  {name} FAILED\n{error}", flush=True)
        except KeyboardInterrupt:
            answer_interruptions(signal.SIG_IGN)  # once is enough
            pool.shutdown(wait=False, cancel_futures=True)
            end_kernels(list(started))
            os._exit(130)  # nbclient would end the kernels again, with a traceback
    if failed:
        sys.exit(f"not stored, since a cell raised: {', '.join(failed)}")


def answer_interruptions(handler: Callable | signal.Handlers) -> None:
    """What Ctrl-C does, and the system's wish that this process ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def end_kernels(started: list[Future]) -> None:
    """End every kernel, which no Ctrl-C reaches, until no notebook waits for one any more."""
    while wait(started, timeout=0.1).not_done:
        for kernel in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                kernel.kill()


def timed(path: Path) -> float:
    """Execute and store one notebook; the seconds that it took."""
    start = time.monotonic()
    execute(path)
    return time.monotonic() - start


def execute(path: Path) -> None:
    """Execute one notebook and store it."""
    notebook = nbformat.read(path, as_version=4)
    say_what_it_needs(notebook)
    colab_cell.put(notebook, colab_cell.place())
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        shell_timeout_interval=1,  # seconds until a kernel that was ended is missed
        coalesce_streams=True,  # a busy machine sends what a cell prints in pieces
        resources={"metadata": {"path": BOOK}},
        config=ENCRYPTED,
        extra_arguments=[f"--IPKernelApp.exec_lines={STORED_FIGURES}"],
    )
    asyncio.run(
        client.async_execute()
    )  # which closes the loop of this thread, as execute() does not
    write_numbers(notebook, path.stem)
    normalise(notebook, path.stem)
    nbformat.write(notebook, path)


def chosen(names: list[str]) -> list[Path]:
    """The notebooks with these names, or all of them."""
    paths = {path.stem: path for path in sorted(BOOK.glob("*.ipynb"))}
    return [paths[name] for name in command_line.known(names, list(paths), "chapter")]


def write_numbers(notebook: nbformat.NotebookNode, stem: str) -> None:
    """Write what the cells computed into the text, in place."""
    numbers = marks.computed(notebook)
    try:
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = marks.written(cell.source, numbers)
    except KeyError as error:
        sys.exit(f"{stem}: the text has a mark for {error}, which no cell computes")


def say_what_it_needs(notebook: nbformat.NotebookNode) -> None:
    """Make the cell below the title the one that says what the notebook needs, in place."""
    cell = nbformat.v4.new_markdown_cell(NEEDS, metadata={"tags": [LEFT_OUT]})
    title, *others = (c for c in notebook.cells if not says_needs(c))
    notebook.cells = [title, cell, *others]


def says_needs(cell: nbformat.NotebookNode) -> bool:
    # told by its tag: an editor may change the ID, and another version the text
    return cell.cell_type == "markdown" and LEFT_OUT in cell.metadata.get("tags", ())


def normalise(notebook: nbformat.NotebookNode, stem: str) -> None:
    """Replace everything that is not the notebook's content by fixed values, in place."""
    kept = {key: notebook.metadata[key] for key in KEPT_METADATA if key in notebook.metadata}
    fixed = METADATA | kept | {stored.KEY: stored.digest(notebook)}
    notebook.metadata = nbformat.from_dict(fixed)
    places = count()
    for cell in notebook.cells:
        cell.id = f"{stem}-needs" if says_needs(cell) else f"{stem}-{next(places):02d}"
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata}
        )
        tags = set(cell.metadata.get("tags", ()))
        if cell.cell_type == "code" and {FOLDED, UNSEEN, SOLUTION} & tags:  # and so in Jupyter Lab
            cell.metadata["jupyter"] = {"source_hidden": True}
            if SOLUTION in tags:
                cell.metadata["jupyter"]["outputs_hidden"] = True
        cell.metadata["slideshow"] = {"slide_type": slides.slide_type(cell)}
        for output in cell.get("outputs", ()):
            output.get("metadata", {}).pop("execution", None)
            for kind in filter(DRAWING.fullmatch, output.get("data", {})):
                output.data[kind] = on_few_lines(output.data[kind])
        describe_pictures(cell)


def on_few_lines(drawing: str) -> str:
    """A drawing with each path on one line: a notebook pays for every line, and for its indent."""
    flat = PATH.sub(lambda found: " ".join(found[0].split()), drawing)
    return re.sub(r"\n +", "\n", flat)


def describe_pictures(cell: nbformat.NotebookNode) -> None:
    """Put the words for a picture where programs look for them, in place.

    The site has them from the metadata of the cell. For nbconvert they stand beside the PNG; Visual
    Studio Code, and what shows no pictures, takes the plain text.
    """
    words = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
    for output in cell.get("outputs", ()):
        if words and "image/png" in output.get("data", {}):
            output.data["text/plain"] = words
            output.metadata["image/png"] = {"alt": words}


if __name__ == "__main__":
    answer_interruptions(signal.default_int_handler)
    main(GIVEN.names)
