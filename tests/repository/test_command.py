"""What ``python -m gelu_lib`` answers, and how it refuses."""

import subprocess
import sys

import pytest

from gelu_lib import identify, lookup, result
from gelu_lib.__main__ import FOUND, NOT_ASKED, NOTHING, main
from gelu_lib.register import results


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ("lookup 0.1070322243", FOUND, str(lookup("0.1070322243"))),
        ("lookup -1.702", FOUND, str(lookup("-1.702"))),
        ("lookup sqrt(2/pi)", FOUND, str(lookup("sqrt(2/pi)"))),
        ("lookup 0.123456", NOTHING, str(lookup("0.123456"))),
        ("identify gelu_lib:gelu_tanh --dtype float16", FOUND, "tanh: within"),
        ("identify numpy:tanh --dtype float16", NOTHING, "none of the three forms"),
    ],
)
def test_a_question_is_answered(capsys, arguments, status, said):
    assert main(arguments.split()) == status
    out, error = capsys.readouterr()
    assert error == "" and (out.startswith(said) if "identify" in arguments else out == f"{said}\n")


def test_a_function_of_pytorch_is_asked_with_its_tensors(capsys):
    torch = pytest.importorskip("torch")
    assert main(["identify", "torch.nn.functional:gelu"]) == FOUND
    said = identify(torch.nn.functional.gelu, library="torch")
    assert capsys.readouterr().out == f"{said}\n"


def test_a_result_is_told(capsys):
    assert main(["result", "tanh-pinned-cubic"]) == FOUND
    lines = capsys.readouterr().out.splitlines()
    assert f"value: {result('tanh-pinned-cubic').value}" in lines and "status: certified" in lines


def test_a_result_says_what_its_letters_stand_for(capsys):
    main(["result", "mills-continued-fraction"])
    lines, entry = capsys.readouterr().out.splitlines(), result("mills-continued-fraction")
    assert lines[2].startswith("where: $x > 0$, ") and "$R(x) = " in lines[2]
    assert lines[1:3] == [entry.statement, f"where: {entry.assumptions}"]
    bare = next(entry for entry in results().values() if not entry.assumptions)
    main(["result", bare.id])
    assert "where: " not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("lookup abc", "literal is 'abc'; accepted is a decimal"),
        ("lookup sqrt(x)", "sqrt(x): x is not accepted"),
        ("result tanh-pined", "no result has the ID 'tanh-pined'; nearest: tanh-"),
        ("identify nowhere.x:y", "function is 'nowhere.x:y', but nowhere.x is no module"),
        ("identify numpy:no.such", "function is 'numpy:no.such', but numpy has no no.such"),
        ("identify numpy:ndarray", "function is 'numpy:ndarray', which is a class; accepted"),
        ("identify gelu_lib:quick_gelu", "the same function is gelu_sigmoid"),
        ("identify numpy:sum", "function returned float32; expected is an array"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(capsys, arguments, said):
    assert main(arguments.split()) == NOT_ASKED
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1
    assert error.startswith(f"gelu_lib {arguments.split()[0]}: ") and said in error


@pytest.mark.parametrize(
    "arguments", [[], ["ask"], ["lookup"], ["identify", "m:f", "--steps", "x"]]
)
def test_a_question_of_another_shape_is_told_the_usage(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == NOT_ASKED
    line = capsys.readouterr().err
    assert "; usage: python -m gelu_lib" in line and line.count("\n") == 1


WITHOUT = "import sys, runpy; sys.modules |= dict.fromkeys(['scipy', 'sympy', 'mpmath', 'flint'])"


@pytest.mark.parametrize(
    "question",
    ["lookup exp(1)/pi", "identify numpy:sin", "conform numpy:sin --form tanh", "--help"],
)
def test_numpy_is_enough(question):
    program = f"{WITHOUT}; runpy.run_module('gelu_lib', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-c", program, *question.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (FOUND if question == "--help" else NOTHING, "")
