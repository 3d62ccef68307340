"""A strict build of the book from nothing, and how processes of one test run share one.

The pages show the outputs that are stored in the notebooks. That these are what the notebooks
compute is tested by nbval, which executes each of them.

The build takes minutes, and pytest runs the tests in several processes. The first one that asks
for the site builds it; the others wait for it. The folder that they agree on is new in every run,
so nothing is left over from an earlier one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STRICT = ["-W", "-n", "--keep-going"]
LONGEST_BUILD = 15 * 60  # seconds
COPY = "a copy of the book"
RUNTIME = "_build/runtime"  # Python for the browser, with which the copy is built

# what is no source of the book, or is made by a tool
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "_build", "*.egg-info", ".*_cache")


def build(output: Path) -> Path:
    """Build a copy of the book and return the folder of the site.

    Args:
        output: a folder for the copy, and in which jupyter-book makes its own, ``_build``.

    Raises:
        RuntimeError: if the build fails or warns; the message says of what.
    """
    source = output / COPY
    shutil.copytree(ROOT, source, ignore=LEFT_OUT)
    (source / RUNTIME).parent.mkdir()
    (source / RUNTIME).symlink_to(ROOT / RUNTIME)  # leads nowhere where nothing was fetched
    program = Path(sysconfig.get_path("scripts"), "jupyter-book")
    command = [program, "build", source, "--path-output", output, *STRICT]
    # the library of the copy, whichever one is installed
    environment = {**os.environ, "PYTHONPATH": str(source)}
    built = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if built.returncode != 0:
        raise RuntimeError(faults(built.stdout + built.stderr))
    return output / "_build" / "html"


def faults(log: str) -> str:
    """The lines of a build's log that say what went wrong, then its end."""
    lines = [line for line in log.splitlines() if re.search("WARNING|ERROR|Error", line)]
    return "\n".join([*lines, log[-2000:]])


def made_once(
    folder: Path, make: Callable[[Path], object], patience: float = LONGEST_BUILD
) -> Path:
    """A folder that the first process to ask fills; every other process waits until it is full.

    Args:
        folder: where; its parent is there, and it is not before the first process asks.
        make: fills the folder that it is given.
        patience: how many seconds a process waits for another.

    Raises:
        RuntimeError: if filling it failed, in whichever process, or took longer than that.
    """
    outcome = folder.with_name(folder.name + "-outcome")
    try:
        folder.mkdir()  # succeeds in one process alone
    except FileExistsError:
        return finished(folder, outcome, patience)
    message = "the process that filled it was stopped"
    try:
        make(folder)
        message = ""
    except Exception as error:
        message = str(error)
    finally:
        # written elsewhere and moved, so that nobody reads half a message
        draft = outcome.with_name(outcome.name + "-draft")
        draft.write_text(message, encoding="utf-8")
        draft.replace(outcome)
    return finished(folder, outcome, patience)


def finished(folder: Path, outcome: Path, patience: float) -> Path:
    """Wait for the outcome of filling a folder; the text of a failure is raised."""
    end = time.monotonic() + patience
    while not outcome.exists():
        if time.monotonic() > end:
            raise RuntimeError(f"{folder.name}: not filled within {patience} s")
        time.sleep(0.2)
    message = outcome.read_text(encoding="utf-8")
    if message:
        raise RuntimeError(message)
    return folder
