"""How long a cold build of the book takes, beside the floor below which no build can go.

    .venv/bin/python benchmarks/cold_build.py

The floor is a build of the same pages from stored outputs, plus one kernel start with the
library's imports for each notebook. All is measured in one run; the ratio is what counts. The
record goes to benchmarks/records/cold_build.json.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import shutil
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "benchmarks" / "records" / "cold_build.json"
PROGRAM = Path(sysconfig.get_path("scripts"), "jupyter-book")
STRICT = ["-W", "-n", "--keep-going"]
IMPORTS = "from gelu_lib.chapters import curves, tables, tanh_constant"


def seconds(action) -> float:
    start = time.perf_counter()
    action()
    return round(time.perf_counter() - start, 2)


def build(source: Path) -> None:
    with tempfile.TemporaryDirectory() as output:
        command = [PROGRAM, "build", source, "--path-output", output, *STRICT]
        subprocess.run(command, check=True, capture_output=True)


def without_execution(folder: Path) -> Path:
    """A copy of the book whose configuration executes nothing."""
    for name in ("_toc.yml", "_config.yml"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "book", folder / "book")
    config = folder / "_config.yml"
    text = config.read_text(encoding="utf-8")
    changed = text.replace("execute_notebooks: force", 'execute_notebooks: "off"')
    assert changed != text
    config.write_text(changed, encoding="utf-8")
    return folder


def run_cells(notebook: nbformat.NotebookNode) -> None:
    resources = {"metadata": {"path": ROOT / "book"}}
    NotebookClient(notebook, kernel_name="python3", resources=resources).execute()


def main() -> None:
    notebooks = sorted((ROOT / "book").glob("*.ipynb"))
    imports = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(IMPORTS)])
    with tempfile.TemporaryDirectory() as folder:
        plain = without_execution(Path(folder))
        pages = seconds(lambda: build(plain))
    starts = seconds(lambda: [run_cells(imports) for _ in notebooks])
    cold = seconds(lambda: build(ROOT))
    chapters = {
        path.stem: seconds(lambda path=path: run_cells(nbformat.read(path, as_version=4)))
        for path in notebooks
    }
    record = {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "cold build, s": cold,
        "pages without execution, s": pages,
        "kernel starts with imports, s": starts,
        "ratio to the floor": round(cold / (pages + starts), 2),
        "chapters executed one by one, s": chapters,
    }
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
