"""The kernel that runs a page in the browser, here in a process of its own under CPython."""

import json
import re
import subprocess
import sys

import pytest
from run_page import SOURCES, WORDS

KERNEL = SOURCES / "kernel.py"
DRIVER = f"""
import json, sys
sys.modules["flint"] = None  # as if it were not installed
exec(compile(open({str(KERNEL)!r}, encoding="utf-8").read(), "kernel.py", "exec"))
print(json.dumps([json.loads(run_cell(code)) for code in json.load(sys.stdin)]))
"""
CELLS = {
    "prints": "import sys\nprint('a')\ndisplay({'text/plain': 'x'}, raw=True)\nprint('b')\n"
    "print('c', file=sys.stderr)",
    "value": "from math import tau as t\nt",
    "hushed": "t;  # ; a comment",
    "not hushed": "'t;'",
    "indented": "  indented = 2\n  indented",
    "defines": "def fraction(n):\n    return 1 / n",
    "fails": "\n\nprint('so far')\nfraction(0)",
    "unread": "x = 1\ny = (",
    "elsewhere": "import json\njson.loads('{')",
    "lacks": "import flint\nproof = [inner for inner in ()]\ndef decide():\n    local = 1",
    "follows": "decimal = str(proof)",
    "follows that": "print(decimal, decide)",
    "mistyped": "print(prof)",
    "of a list": "print(inner)",
    "of a function": "print(local)",
    "unknown": "import nump",
    "hidden": "try:\n    import flint\nexcept ImportError:\n    1 / 0",
    "magic": "%timeit 1",
    "shell": "files = !ls",
    "waits": "await t",
    "asks": "input()",
    "nan": "display({'application/json': {'x': float('nan')}}, raw=True)",
    "wordless": "class Odd(Exception):\n    def __str__(self):\n        1 / 0\nraise Odd",
    "cycle": "error = ImportError('round')\nraise error from error",
    "removes": "import builtins\ndel builtins.len, builtins.print",
    "goes on": "print(len('abc'))",
    "draws": "import matplotlib.pyplot as plt\nplt.figure(figsize=(1, 1))\nplt.show()\n"
    "print('between')\nplt.figure(figsize=(2, 1));",
    "draws nothing": "plt.get_fignums()",
}


@pytest.fixture(scope="module")
def answers():
    given = json.dumps(list(CELLS.values()))
    command = [sys.executable, "-c", DRIVER]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return dict(zip(CELLS, json.loads(done.stdout), strict=True))


def texts(answer):
    """What a cell put out, in order: words, or the kind of what is none."""
    return [
        one.get("text") or one.get("ename") or next(iter(one["data"].values()))
        for one in answer["outputs"]
    ]


def test_what_is_printed_is_one_output_as_a_notebook_stores_it(answers):
    assert texts(answers["prints"]) == ["a\nb\n", "x", "c\n"]
    assert [one.get("name") for one in answers["prints"]["outputs"]] == ["stdout", None, "stderr"]


def test_the_value_of_the_last_line_is_shown_unless_it_ends_in_a_semicolon(answers):
    assert texts(answers["value"]) == ["6.283185307179586"]
    assert texts(answers["hushed"]) == texts(answers["defines"]) == []
    assert texts(answers["not hushed"]) == ["'t;'"]
    assert texts(answers["indented"]) == ["2"]


def test_an_error_names_the_lines_of_cells_and_where_it_ended(answers):
    def traced(name):
        return answers[name]["outputs"][-1]["traceback"]

    assert texts(answers["fails"]) == ["so far\n", "ZeroDivisionError"]
    assert traced("fails") == ["line 4: fraction(0)", "another cell, line 2: return 1 / n"]
    assert traced("unread") == ["line 2: y = ("]
    first, last = traced("elsewhere")
    assert first == "line 2: json.loads('{')"
    assert last.startswith("decoder.py, line ")


def test_a_cell_that_lacks_a_package_says_which_and_so_does_one_that_misses_its_names(answers):
    needs = {name: answer["needs"] for name, answer in answers.items() if answer["needs"]}
    assert needs == dict.fromkeys(["lacks", "follows", "follows that"], "python-flint")
    for name in ("mistyped", "of a list", "of a function"):
        assert texts(answers[name]) == ["NameError"]
    assert texts(answers["unknown"]) == ["ModuleNotFoundError"]
    assert texts(answers["hidden"]) == ["ZeroDivisionError"]


def test_what_a_cell_does_to_python_is_an_error_of_the_cell(answers):
    assert texts(answers["nan"]) == ["ValueError"]
    assert texts(answers["wordless"]) == ["Odd"]
    assert texts(answers["cycle"]) == ["ImportError"]
    assert texts(answers["removes"]) == []
    assert texts(answers["goes on"]) == ["3\n"]


@pytest.mark.parametrize(
    ("name", "what"),
    {"magic": "%timeit", "shell": "!ls", "waits": "await", "asks": "input()"}.items(),
)
def test_what_only_a_notebook_or_a_terminal_has_gets_a_sentence(answers, name, what):
    (error,) = answers[name]["outputs"]
    assert error["evalue"].startswith(what) and "does not" in error["evalue"]


def test_figures_stand_where_they_are_shown_the_last_at_the_end(answers):
    first, between, last = texts(answers["draws"])
    assert between == "between\n"
    assert all("<svg" in figure for figure in (first, last))
    assert first != last
    assert texts(answers["draws nothing"]) == ["[]"]


def test_the_script_has_each_of_its_words_in_each_language_and_no_others():
    script = (SOURCES / "run-page.js").read_text(encoding="utf-8")
    asked = set(re.findall(r"""(?:say|button)\(\s*"(\w+)\"""", script))
    by_condition = set(re.findall(r"""[?:] "(\w+)"(?=\)|;| :)""", script)) | {"waits", "works"}
    for language, words in WORDS.items():
        assert asked <= words.keys() <= asked | by_condition, language
        for key, text in words.items():
            filled = [set(re.findall(r"\{\w+\}", one)) for one in (text, WORDS["en"][key])]
            assert filled[0] == filled[1], f"{language}: {key}"
    assert set(WORDS) == {"en", "zh-Hans", "ja"}
