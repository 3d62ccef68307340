"""The kernel that runs a page in the browser, here in a process of its own under CPython."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = Path(__file__).parents[2] / "book" / "_run" / "kernel.py"
DRIVER = f"""
import json, sys
exec(compile(open({str(KERNEL)!r}, encoding="utf-8").read(), "kernel.py", "exec"))
print(json.dumps([json.loads(run_cell(code)) for code in json.load(sys.stdin)]))
"""
CELLS = {
    "prints": "import sys\nprint('a')\ndisplay({'text/plain': 'x'}, raw=True)\nprint('b')\n"
    "print('c', file=sys.stderr)",
    "value": "from math import tau as t\nt",
    "hushed": "t;",
    "defines": "def fraction(n):\n    return 1 / n",
    "fails": "\n\nprint('so far')\nfraction(0)",
    "unread": "x = 1\ny = (",
    "elsewhere": "import json\njson.loads('{')",
    "lacks": "try:\n    import no_such_wing\nexcept ImportError as error:\n"
    "    raise ValueError('no proof') from error\nproof = no_such_wing.proof",
    "follows": "decimal = str(proof)",
    "follows that": "print(decimal)",
    "mistyped": "print(prof)",
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
    assert needs == dict.fromkeys(["lacks", "follows", "follows that"], "no_such_wing")
    assert texts(answers["mistyped"]) == ["NameError"]


def test_figures_stand_where_they_are_shown_the_last_at_the_end(answers):
    first, between, last = texts(answers["draws"])
    assert between == "between\n"
    assert all("<svg" in figure for figure in (first, last))
    assert first != last
    assert texts(answers["draws nothing"]) == ["[]"]
