"""Write the notebooks without their solutions, for a class: _build/exercises.

    python3 tools/run.py exercises

A folder and the same as gelu-book-exercises.zip; the site offers one that has its data too. The
notebooks are numbered in reading order, and the library lies beside them, so that a student needs
the two lines of its README.md. An exercise in code has an empty cell in the place of its solution.
The outputs of other cells stay as they are stored.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import shutil
import sys
from pathlib import Path

import yaml

# what the site makes its archives with
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book" / "_ext"))
from downloads import CHAPTERS, EXERCISES, LICENCES, ROOT, numbered_pages
from exercise_set import without_solutions
from library_wheel import build_wheel

FOLDER = ROOT / "_build" / "exercises"


def main() -> None:
    folder = FOLDER / Path(EXERCISES).stem
    shutil.rmtree(FOLDER, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in texts().items():
        (folder / name).parent.mkdir(exist_ok=True)
        made = without_solutions(name, text)
        (folder / name).write_text(made, encoding="utf-8", newline="\n")
    for name in LICENCES:
        shutil.copy(ROOT / name, folder)
    build_wheel(ROOT, folder)
    print(shutil.make_archive(str(folder), "zip", FOLDER, folder.name))


def texts() -> dict[str, str]:
    """The pages of the book, numbered in reading order, and the picture of one."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    names = [toc["root"], *(page["file"] for part in toc["parts"] for page in part["chapters"])]
    ends = (".ipynb", ".md")
    paths = [path for n in names for end in ends if (path := ROOT / f"{n}{end}").exists()]
    picture = {CHAPTERS: (ROOT / "book" / CHAPTERS).read_text(encoding="utf-8")}
    return picture | numbered_pages(paths, dict.fromkeys(picture, CHAPTERS))


if __name__ == "__main__":
    main()
