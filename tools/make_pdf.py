"""Make the book as one PDF: LaTeX by Sphinx, typeset by LuaLaTeX, and its log read.

    .venv/bin/python tools/make_pdf.py

It needs LaTeX, rsvg-convert, xindy and some fonts, and says which of them are missing and how to
get them. It needs no network. A character without a glyph, a reference that leads nowhere and a
line that stands out of its margin are faults: the log is read for them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import command_line

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "_build" / "pdf"  # apart from the site, whose pages as read are not those of the PDF
FOLDER = WORK / "_build" / "latex"
NAME = "gelu-book"
TARGET = ROOT / "_build" / "latex" / f"{NAME}.pdf"
WIDEST = 5.0  # points that a line may stand out without being noticed

# What is needed, with the package of Debian and Ubuntu that has it: programs, and files of TeX.
PROGRAMS = {
    "latexmk": "latexmk",
    "lualatex": "texlive-luatex",
    "kpsewhich": "texlive-luatex",
    "rsvg-convert": "librsvg2-bin",
    "xindy": "xindy",  # sorts the index, Greek letters too
}
FILES = {
    "unicode-math.sty": "texlive-latex-recommended",
    "tcolorbox.sty": "texlive-latex-extra",
    "texgyrepagella-regular.otf": "fonts-texgyre",
    "texgyrepagella-math.otf": "fonts-texgyre-math",
    "DejaVuSansMono.ttf": "fonts-dejavu-core",
    "DroidSansFallbackFull.ttf": "fonts-droid-fallback",
}
# What the files that Sphinx writes beside the LaTeX take from the environment.
SETTINGS = {
    "LATEXOPTS": "",
    "XINDYOPTS": "-L english -C utf8 -M sphinx.xdy",
    "max_print_line": "9999",  # lines of the log as long as they are
    "SOURCE_DATE_EPOCH": "0",  # the same date in every build
}
FAULTS = (
    re.compile(r"^! .*"),
    re.compile(r"^Missing character: .*"),
    re.compile(r"^LaTeX Warning: .*(?:undefined|multiply defined).*"),
)
LABEL = re.compile(r"\\(?:label\{|BookFormula\[)(?:\\detokenize\{)?([^][{}]+)")
REFERENCE = re.compile(
    r"\\(?:hyperref\[|(?:eq|page|autopage)?ref\*?\{|BookResultLine\{)(?:\\detokenize\{)?([^][{}]+)"
)
OVERFULL = re.compile(r"^Overfull \\[hv]box \(([0-9.]+)pt too (?:wide|high)\).*")


def main() -> int:
    lacking = missing()
    if lacking:
        sys.exit(advice(lacking))
    jupyter_book = Path(sysconfig.get_path("scripts"), "jupyter-book")
    where = ["--path-output", WORK, "--builder", "latex"]
    strict = ["-W", "-n", "--keep-going"]
    status = subprocess.call([jupyter_book, "build", ROOT, *where, *strict], cwd=ROOT)
    if status:
        return status
    text = (FOLDER / f"{NAME}.tex").read_text(encoding="utf-8")
    found = [f"nothing is labelled {label}" for label in undefined(text)] or typeset(FOLDER, NAME)
    if found:
        print(f"\nThe PDF has {len(found)} faults:", *found, sep="\n", file=sys.stderr)
        return 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(FOLDER / TARGET.name, TARGET)
    print(f"\nThe book is one PDF: {TARGET.relative_to(ROOT)}")
    return 0


def missing() -> list[str]:
    """The packages without which no PDF can be made."""
    lacking = [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if "texlive-luatex" not in lacking:
        lacking += [package for file, package in FILES.items() if not tex_finds(file)]
    else:
        lacking += FILES.values()
    return sorted(set(lacking))


def tex_finds(file: str) -> bool:
    return subprocess.run(["kpsewhich", file], capture_output=True, check=False).returncode == 0


def advice(packages: list[str]) -> str:
    return (
        "The PDF needs programs or fonts that are not installed. On Debian and Ubuntu:\n"
        f"    apt-get install --no-install-recommends {' '.join(packages)}"
    )


def typeset(folder: Path, name: str) -> list[str]:
    """Run LuaLaTeX as often as it takes, and return what is wrong with the PDF."""
    command = ["latexmk", "-lualatex", "-silent", "-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run(
        [*command, f"{name}.tex"], cwd=folder, env=os.environ | SETTINGS, check=False
    )
    log = folder / f"{name}.log"
    found = faults(log.read_text(encoding="utf-8", errors="replace")) if log.exists() else []
    if done.returncode:
        found.append(f"latexmk ended with {done.returncode}; its log is {log}")
    return found


def undefined(tex: str) -> list[str]:
    """The labels to which a text refers and that it does not define."""
    return sorted(set(REFERENCE.findall(tex)).difference(LABEL.findall(tex)))


def faults(log: str) -> list[str]:
    """The lines of a log of TeX that say what a reader would see or miss."""
    found = []
    for line in log.splitlines():
        wide = OVERFULL.match(line)
        if any(fault.match(line) for fault in FAULTS) or (wide and float(wide[1]) > WIDEST):
            found.append(line)
    return found


if __name__ == "__main__":
    command_line.read(__doc__)
    sys.exit(main())
