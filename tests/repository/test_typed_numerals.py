"""Numerals that people type into docstrings and descriptions: compared with what they count.

What a numeral counts is computed where that can be done at once; the others are listed, so that
one that changes, or comes, is looked at twice.
"""

import ast
import json
import re
import tomllib
from pathlib import Path

import mpmath
import pytest
import run
from mpmath import mpf
from test_structure import WINGS

from gelu_lib.evidence.criteria_table import MEASURES
from gelu_lib.floats.types import all_finite, float_type
from gelu_lib.provenance.atlas.claims import claims
from gelu_lib.register import results
from gelu_lib.show.marks import LEFT_OUT, read_as_words, text_of, unbound

ROOT = Path(__file__).resolve().parents[2]
LISTED = tomllib.loads((Path(__file__).parent / "typed_numerals.toml").read_text("utf-8"))
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def versions(word):
    *others, last = (".".join(map(str, version)) for version in run.SUPPORTED)
    return f"Python {', '.join(others)} {word} {last}"


def place(function, near, digits):
    """Where a function is 0, cut off after so many decimals: the function is 0 left of that."""
    with mpmath.workdps(30):
        cut = int(mpmath.findroot(function, near) * 10**digits) / 10**digits
    return f"{cut:.{digits}f}".replace("-", "−")


def tail(form, least):
    """The function that is 0 where a form is as small as a power of two."""
    return lambda x: mpmath.log(-form(x), 2) - least


def tanh_form(x):
    return x / (1 + mpmath.exp(-2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpf("0.044715") * x**3)))


def sigmoid_form(x):
    return x / (1 + mpmath.exp(-mpf("1.702") * x))


def exact(x):
    return x * mpmath.ncdf(x)


def power(exponent):
    return "2" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def brought():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {"numpy": "NumPy"}
    return " and ".join(names[re.match(r"\w+", one)[0]] for one in project["dependencies"])


def facts():
    """Phrases with what they count, by the file that has them."""
    needs = versions("or").replace("Python ", "")
    part = round(1 / mpmath.diff(lambda x: 1 / (1 + mpmath.exp(-x)), 0))
    smallest = float(results()["gelu-minimum-place"].number)
    finite = {dtype: f"{len(all_finite(dtype)):,}" for dtype in ("float16", "bfloat16")}
    return {
        "README.md": [
            f"You need {versions('or')}",
            f"{WORDS[len(MEASURES) - 1]} measures of the error",
            f"{WORDS[len({claim.post for claim in claims().values()}) - 1]} posts",
            f"are {WORDS[len(WINGS) - 1]} wings",
        ],
        "gelu_lib/README.md": [f"It brings {brought()} and nothing else"],
        "book/run.md": [f"You need {versions('or')}", f"gelu_lib needs {versions('or')}"],
        "book/library.md": [f"{WORDS[len(WINGS) - 1]} wings"],
        "tools/execute.py": [f"you need Python {needs} and the library"],
        "gelu_lib/activations/table.py": [
            f"Φ(−8), is above {power(int(mpmath.floor(mpmath.log(mpmath.ncdf(-8), 2))))}"
        ],
        "gelu_lib/activations/__init__.py": [
            f"begins left of {place(tail(exact, -1075), -38, 1)}",
            f"Left of about {place(tail(tanh_form, -1075), -21, 1)} it is −0.0",
            f"Left of about {place(tail(sigmoid_form, -1075), -440, 0)} it is −0.0",
            f"one zero, near {f'{smallest:.2f}'.replace('-', '−')}",
        ],
        "book/glossary.md": [
            f"precision](#term-precision) of {float_type(name).digits + 1} bits"
            for name in ("bfloat16", "float16")
        ]
        + [f"slope of this function at 0 is $p_1/{part}$"],
        "gelu_lib/floats/types.py": [
            f"{finite['float16']} in float16 and {finite['bfloat16']} in bfloat16"
        ],
    }


FACTS = [(file, phrase) for file, phrases in facts().items() for phrase in phrases]


@pytest.mark.parametrize(("file", "phrase"), FACTS)
def test_what_is_counted_is_what_is_said(file, phrase):
    assert phrase in " ".join((ROOT / file).read_text(encoding="utf-8").split())


def docstrings(path):
    """The docstrings of a module and of all that it defines, without code and its outputs."""
    defining = ast.Module | ast.ClassDef | ast.FunctionDef
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    texts = (ast.get_docstring(node) for node in nodes if isinstance(node, defining))
    text = "\n\n".join(filter(None, texts))
    text = re.sub(r"^ *>>>.*\n(?:.+\n?)*", "\n", text, flags=re.MULTILINE)
    # what was measured is compared with its record in tests/activations
    measured = r"In float64 the largest error found is.*?nearest float"
    return re.sub(rf"``.*?``|https?://\S+|{measured}", LEFT_OUT, text, flags=re.DOTALL)


MODULES = sorted(
    path for part in ("gelu_lib", "tools", "benchmarks") for path in (ROOT / part).rglob("*.py")
)
FACT = re.compile(r"\d[.,/]?\d|\d[⁰¹²³⁴-⁹⁻]|1e|'")
"""How a fault begins that speaks of more than a small whole number, or of the list."""


def test_a_decimal_or_a_large_number_of_a_docstring_is_listed():
    listed, found = dict(LISTED["docstrings"]), {}
    for path in MODULES:
        name = path.relative_to(ROOT).as_posix().removeprefix("gelu_lib/")
        faults = filter(FACT.match, unbound(docstrings(path), listed.pop(name, ())))
        found |= {name: told} if (told := list(faults)) else {}
    assert not found
    assert not listed  # of a module that is no more


COUNTS = "|".join([*WORDS[1:], "twice"])


@pytest.mark.parametrize("file", LISTED["counts"])
def test_a_count_in_a_description_is_listed(file):
    text = re.sub(r"```.*?```", "", (ROOT / file).read_text(encoding="utf-8"), flags=re.DOTALL)
    text = " ".join(text.split())
    for phrase in [*LISTED["counts"][file], *dict.fromkeys(facts().get(file, ()))]:
        assert phrase in text
        text = text.replace(phrase, LEFT_OUT)
    assert not re.findall(rf".{{0,30}}\b(?:{COUNTS})\b.{{0,30}}", text, re.IGNORECASE)
    assert not list(unbound(text))


@pytest.mark.parametrize(
    ("text", "typed", "fault"),
    [
        ("It is 3 times as large.", (), "3 is bound to nothing"),
        ("最大误差是 0.0123。", (), "0.0123 is bound to nothing"),
        ("Φ(−8) is above 2⁻⁴¹.", ("above 2⁻⁵¹",), "listed and stands nowhere"),
        ("It is 1.71, not 1.702.", (), "1.71 is bound to nothing"),
        ("There it is forty-seven times as large.", (), "forty-seven is bound to nothing"),
        ("Two thirds of the models take it.", (), "Two thirds is bound to nothing"),
        ("およそ四十倍、つまり４３倍です。", ("四十倍",), "４３ is bound to nothing"),
        ("前者大约大百分之四十。", (), "百分之四十 is bound to nothing"),
        ("四舍五入到六位有效数字。", (), "六位 is bound to nothing"),
        ("Its error is 0.57, as a literal is.", (), "0.57 is bound to nothing"),
        ("It is within $10^{-13}$ of it.", (), "1e-13 is bound to nothing"),
        ("Its crest is at $x = 1.44$.", (), "1.44 is bound to nothing"),
    ],
)
def test_a_numeral_that_is_not_listed_is_noticed(text, typed, fault):
    assert any(fault in found for found in unbound(text, typed))


def test_names_and_literals_are_no_numerals():
    text = "In 2016 GPT-2 had 0.044715 (exercise 3, [1.702](results.md#x)), order 5 and 7."
    assert not list(unbound(f"{text} It has 16 bits, in words sixteen bits."))


YEAR = re.compile(r"(?<![\d#])(?:1[789]|20)\d\d(?!\d)")


def test_a_year_in_a_notebook_is_that_of_a_source():
    book = ROOT / "book"
    known = {*YEAR.findall((book / "references.bib").read_text("utf-8")), *LISTED["years"]}
    for path in sorted(book.glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        texts = (text_of(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        assert not set(YEAR.findall(read_as_words("\n\n".join(texts)))) - known, path.stem
