"""The code that a page shows runs when it is pasted, cell after cell, without what is folded."""

import builtins
import subprocess
import sys
from pathlib import Path
from symtable import SymbolTable, symtable

import pytest
from kinds import slow_but
from reader import chapters
from site_checks import parsed

BOOK = Path(__file__).resolve().parents[2] / "book"


def open_cells(html: str) -> list[str]:
    """The programs of the cells of a page that no click opens."""
    programs = parsed(html).select(".cell_input pre")
    return [program.get_text() for program in programs if not program.find_parent("details")]


def tables(table: SymbolTable) -> list[SymbolTable]:
    """Those of a program and of all functions, classes and comprehensions in it."""
    return [table, *(inner for child in table.get_children() for inner in tables(child))]


def unknown(cells: list[str]) -> list[str]:
    """The names that a cell uses and neither it nor a cell before it defines."""
    known, found = {*dir(builtins)}, []
    for cell in cells:
        own, *inner = tables(symtable(cell, "cell", "exec"))
        known |= {symbol.get_name() for symbol in own.get_symbols() if symbol.is_local()}
        used = [symbol for symbol in own.get_symbols() if symbol.is_referenced()]
        used += [symbol for table in inner for symbol in table.get_symbols() if symbol.is_global()]
        found += sorted({symbol.get_name() for symbol in used} - known)
    return found


def pasted(cells: list[str]) -> str:
    """What a fresh Python says of an error that the cells raise, in the folder of the book."""
    command, setting = [sys.executable, "-"], {"MPLBACKEND": "agg"}
    done = subprocess.run(
        command, input="\n".join(cells), cwd=BOOK, env=setting, capture_output=True, text=True
    )
    return done.stderr if done.returncode else ""


def test_every_page_shows_what_its_open_cells_use(site):
    cells = {name: open_cells((site / f"book/{name}.html").read_text()) for name in chapters()}
    assert min(map(len, cells.values())) > 1
    assert {name: lost for name in cells if (lost := unknown(cells[name]))} == {}


@pytest.mark.parametrize("name", slow_but("index".__eq__, chapters()))
def test_the_open_cells_of_a_page_run_when_pasted(site, name):
    assert pasted(open_cells((site / f"book/{name}.html").read_text())) == ""


FOLDED = "<details><div class=cell_input><pre>import math\nu = 1</pre></div></details>"
OPEN = "<div class=cell_input><pre>v = [math.pi + u for u in ()]\n[f for f in (w,)]</pre></div>"


def test_a_program_that_needs_what_is_folded_is_found():
    cells = open_cells(FOLDED + OPEN)
    assert len(cells) == 1 and unknown(cells) == ["math", "w"]
    assert "name 'w' is not defined" in pasted(["import math", *cells])
    assert unknown(["w = 1", "import math", *cells]) == [] == [*pasted(["math = w = 1"])]
