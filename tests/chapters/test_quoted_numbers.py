"""The look-up knows what the book quotes: a walk over the register, the data and every page.

A page *quotes* a number where it gives it as one that stands in a program or a formula:

- as a literal of the register, by a link to its entry;
- in the type of code, alone or within a formula, in text and in stored outputs: decimals,
  fractions, hexadecimal floats and bits;
- in a string of code that is shown;
- with the name of a coefficient, as in k = 0.044715;
- as a coefficient of x;
- in a stored table, in a column or a row that has the name of a coefficient.

A number of fewer than three significant digits is no quote: by so few, nothing can be told. Errors,
places and counts that a page computes are none either; where they are results, the register has
them. What is left, a number that is quoted and stands for nothing, is listed here with a reason.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import nbformat
import pytest
from kinds import slow_but

from gelu_lib import lookup
from gelu_lib.provenance.literals import catalogue
from gelu_lib.provenance.literals.catalogue import constants
from gelu_lib.provenance.literals.literal import LiteralError, read_literal
from gelu_lib.provenance.literals.lookup import is_short
from gelu_lib.register import results

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGES = sorted([*BOOK.glob("*.ipynb"), *BOOK.glob("*.md")])
WITHOUT_QUOTES = {
    "bibliography": "it has the titles of others",
    "changelog": "it speaks of the library",
    "errata": "it quotes what was wrong",
    "results": "it is written from the register, whose numbers are looked up below",
    "run": "it speaks of versions",
}

DECIMAL = r"(?:\d+\.\d+|(?<![\d.])\.\d{3,})(?:e[+-]?\d+)?"
BITS = r"0x(?:[0-9a-f]{16}|[0-9a-f]{8}|[0-9a-f]{4})"
NUMBER = re.compile(
    rf"(?<![\w.])(0x[0-9a-f]+(?:\.[0-9a-f]*)?p[+-]?\d+|{BITS}|\d+/\d{{3,}}|{DECIMAL})f?(?![\w.]|/\d)",
    re.IGNORECASE,
)
NAME = r"(?:[abcks]|[ap]_?\{?\d\}?|[ap][₁₃₅₇₉])"
# A letter of Chinese or Japanese may touch a number: \w is one of ASCII.
NAMED = re.compile(
    rf"(?<![A-Za-z\\]){NAME}\$?`?\s*(?:=|≈|\\approx)\s*[$`]*[-−]?({DECIMAL})(?!\w)", re.ASCII
)
OF_X = re.compile(rf"(?<![\w.])({DECIMAL})f?\s*(?:\\,|·|\*|\\cdot)?\s*x(?![\w(])", re.ASCII)
OF_THE_REGISTER = re.compile(r"(<details>\n.*\n\n)?<!-- (result|chapter-results)\b")
HEADING = re.compile(rf"[$`]*(?:{NAME}|k = p_3/p_1)[$`]*|constant|printed|literal|as written")

IN_A_SEARCH = "an interval of constants, or one constant of a search, that the page computes"
NOT_OF_PROGRAMS = {
    ("forms", "coefficient"): "the best on an interval of the page",
    ("forms", "$h$"): IN_A_SEARCH,
    ("as-printed", "convergent of $2k$"): "a row of fractions that the page computes",
    ("telling-them-apart", "type"): "inputs of a test",
    ("your-own", "$L$"): "the best on an interval of the page",
    ("eight-bits", "constants"): "the best real numbers, of which those of the type are registered",
}
"""Tables whose numbers stand for nothing, by page and first heading."""

EXAMPLES = {
    "0.044716": "a wrong coefficient, which a check refuses",
    "0.00197323": "a stated error of a formula for Φ",
    "0.7890625": "a float beside that of the solution",
    "0.795": "a decimal of a solution, which rounds to that float",
    "0.796": "a decimal of a solution, which rounds to that float",
    "1.072": "a slip for 1.702",
    "1.23": "how a search is written",
    "1.9545": "GELU at 2, rounded",
    "1.9546": "the tanh form at 2, rounded",
    "3.14159": "a number that no GELU code is known to have",
    "3.141593": "π rounded, as ExecuTorch writes it",
    "3.141592653579": "π with a wrong digit, of which a constant was made",
    "0x002DC6C5": "0.044715 in fixed point, with a wrong digit",
    "0x3d371759": "0.0447, which nobody printed",
    "0x3fa6e2eb1c432ca5": "0.0447, which nobody printed",
    "0x3d3851ec": "0.045, which nobody printed",
    "0x3fa70a3d70a3d70a": "0.045, which nobody printed",
    "0.000073961474": "of a Taylor member that is refused, in the message",
    "0.00010432000": "of a Taylor member that is refused, in the message",
}
"""Quoted numbers that stand for no constant, and why."""


def cells(path: Path) -> Iterator[tuple[str, str]]:
    """What a page shows: kinds and texts, where a kind is ``text``, ``code`` or ``output``."""
    if path.suffix == ".md":
        yield "text", path.read_text(encoding="utf-8")
        return
    for cell in nbformat.read(path, as_version=4).cells:
        tags = set(cell.metadata.get("tags", ()))
        if cell.cell_type == "markdown" and "remove-cell" not in tags:
            yield "text", cell.source
        elif cell.cell_type == "code" and "remove-cell" not in tags:
            if "remove-input" not in tags:
                yield "code", cell.source
            for output in cell.outputs:
                data = output.get("data", {})
                text = output.get("text") or data.get("text/markdown") or data.get("text/plain", "")
                if not OF_THE_REGISTER.match(text):
                    yield "output", text


def quoted(kind: str, text: str) -> set[str]:
    """The numbers that a text of a page quotes, outside of its tables."""
    if kind == "code":
        strings = [node.value for node in ast.walk(ast.parse(text)) if is_string(node)]
        return {*NUMBER.findall("\n".join(strings)), *OF_X.findall(text)}
    in_code = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    ids = re.compile(r"\b[a-z0-9]+(?:-[a-z0-9]+)+\b")
    code = "\n".join(ids.sub("", part) for part in in_code)
    return {*NUMBER.findall(code), *NAMED.findall(text), *OF_X.findall(text)}


def is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of a text, each as rows of cells, the heading first."""
    for block in re.findall(r"(?:^\|.*\|$\n?)+", text, flags=re.MULTILINE):
        heading, _, *rows = block.strip().split("\n")
        yield [[cell.strip() for cell in row[1:-1].split(" | ")] for row in (heading, *rows)]


def tabled(rows: list[list[str]]) -> set[str]:
    """The numbers that a table quotes: in columns and rows that are headed by a coefficient."""
    heading, *body = rows
    columns = {i for i, name in enumerate(heading) if HEADING.fullmatch(name)}
    found = set()
    for row in body:
        whole = bool(HEADING.fullmatch(row[0]))
        for i, cell in enumerate(row):
            if whole or i in columns:
                found |= set(NUMBER.findall(cell))
    return found


def quotes(path: Path) -> set[str]:
    """Every number that a page quotes, without those of the tables that have none."""
    found = set()
    for kind, text in cells(path):
        rest = text
        for rows in tables(text):
            if (path.stem, rows[0][0] or rows[0][1]) in NOT_OF_PROGRAMS:
                rest = "\n".join(line for line in rest.split("\n") if not line.startswith("|"))
            else:
                found |= tabled(rows)
        found |= quoted(kind, rest)
    return found


@cache
def is_known(literal: str) -> bool:
    """Whether the look-up finds it, or it has too few digits to ask for."""
    try:
        readings = read_literal(literal)
    except LiteralError:
        return False
    return bool(lookup(literal).matches) or any(map(is_short, readings))


def unknown(literals: set[str]) -> list[str]:
    return sorted(text for text in literals if text not in EXAMPLES and not is_known(text))


LONG = {"criteria", "kernel"}
"""Pages with a hundred numbers each, of kinds that other pages have too."""


@pytest.mark.parametrize(
    "path", slow_but(lambda path: path.stem not in LONG, PAGES), ids=lambda path: path.stem
)
def test_what_a_page_quotes_is_known(path):
    if path.stem not in WITHOUT_QUOTES:
        assert unknown(quotes(path)) == []


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("text", "is `0.123457`, or `Sqrt(0.1234)`, or `0x3d3720ff`, `11/1234`", 4),
        ("text", "by $k$ = `0.123457` and $p_1 = -1.2345$, `x**2`, 0.777", 2),
        ("text", r"$\sigma(0.987654\,x + 0.0712345\,x^3)$ at x = 2.5", 2),
        ("text", "係数k = 0.123457は、式0.987654xの", 2),
        ("text", "see `scale-1702-error-phi` and `page-1.5-note`, ```\n0.123457\n```", 0),
        ("output", "p5 = -0.98765: refused at 3.14159", 1),
        ("code", "Fraction('0.123457') + f'{0.98765:.3f}' + 0.5555 * x", 2),
    ],
)
def test_quotes_are_found_and_nothing_else(kind, text, found):
    assert len(quoted(kind, text)) == found


def test_an_unknown_number_on_a_page_or_in_a_table_is_noticed(tmp_path):
    rows = [["form", "$p_1$", "error"], ["best", "1.2345", "0.012"], ["$k$", "0.111", "0.222"]]
    text = "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ["---"] * 3, *rows[1:]))
    assert list(tables(f"before\n\n{text}\nafter")) == [rows]
    assert tabled(rows) == {"1.2345", "0.111", "0.222"}
    cell = nbformat.v4.new_markdown_cell("A kernel multiplies by `0.1070399`, or by `0.044715`.")
    path = tmp_path / "page.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    assert unknown(quotes(path)) == ["0.1070399"]


def test_every_exception_is_one():
    """What is listed as unknown is quoted, and is still unknown."""
    every = {path.stem: quotes(path) for path in PAGES}
    for text in EXAMPLES:
        assert any(text in found for found in every.values()), text
        assert not is_known(text), text
    tables_of = {
        (path.stem, rows[0][0] or rows[0][1])
        for path in PAGES
        for _, text in cells(path)
        for rows in tables(text)
    }
    assert set(NOT_OF_PROGRAMS) <= tables_of


@pytest.mark.parametrize("every", slow_but(lambda every: every == 24, [1, 24]))
def test_a_number_of_the_register_is_known_but_reports_and_numbers_of_a_type(every):
    of_catalogue = {constant.result for constant in constants().values()}
    for entry in list(results().values())[::every]:
        if entry.page in catalogue._ABOUT_TYPES or catalogue._is_report(entry):
            assert entry.id not in of_catalogue
            continue
        for name, number in entry.named_numbers.items():
            digits = entry.numbers[name] if name else entry.value
            if entry.status != "historical" and "." not in digits:
                continue  # a count, which nobody pastes
            text = entry.value if entry.status == "historical" else f"{float(number):.11e}"
            found = [match.constant.value for match in lookup(text).matches]
            same = [value for value in found if abs(value - abs(number)) * 10**19 <= value]
            assert same or (entry.of and found), (entry.id, name)


@pytest.mark.parametrize(
    ("name", "others"),
    [("frameworks", []), ("classical", ["8.75"]), ("claims", []), ("myths", [])],  # an end of x
)
def test_every_number_in_the_data_of_the_pages_is_known(name, others):
    text = (files("gelu_lib") / "data" / f"{name}.toml").read_text(encoding="utf-8")
    assert unknown(set(NUMBER.findall(text))) == others
