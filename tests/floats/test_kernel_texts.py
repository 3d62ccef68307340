"""Kernels as text: what each language prints is the program, line by line."""

import re

import pytest

from gelu_lib.floats.kernel_texts import LANGUAGES, file_text, function_text
from gelu_lib.floats.programs import Program, float32
from gelu_lib.rows import DataError

EVERY_STEP = Program.read("""
    a = abs x
    b = min a 14
    q = fma -0x1.a3b7bep-22 b 0.1
    e = exp2 q
    s = sat q
    t = step x
    g = ge a 1 s t
    d = div g a
    m = mul e d
    r = relu x
    w = sub m r
    u = add w 0.5
    v = max u e
    y = fnma b v r
""")


def numerals(text: str) -> list[str]:
    """The literals of lines of a function, with a digit in front."""
    return re.findall(r"(?<![\w.])-?\d[\w.+-]*", text)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_function_has_a_line_a_step_and_its_constants_to_the_last_bit(name):
    language = LANGUAGES[name]
    text = function_text(EVERY_STEP, "gelu_try", language, "First line.\n\nThird line.")
    lines = text.splitlines()
    assert lines[:3] == [f"{language.comment} First line.", language.comment, lines[2]]
    assert sum(" = " in line for line in lines) == len(EVERY_STEP.steps)
    line = next(line for line in lines if " q = " in line)
    first, second = (found.removesuffix("f") for found in numerals(line.partition("= ")[2]))
    assert [float32(first), float32(second)] == [float32("-0x1.a3b7bep-22"), float32("0.1")]
    assert lines[-1 if name == "Triton" else -2].strip().startswith("return y")


def test_what_a_language_cannot_do_is_refused():
    program = Program.read("c = erfc x\ny = mul x c")
    assert "erfcf(x)" in function_text(program, "f", LANGUAGES["C"])
    for name in set(LANGUAGES) - {"C"}:
        with pytest.raises(
            DataError, match=f"f: erfc is not in {LANGUAGES[name].file}; it has abs"
        ):
            function_text(program, "f", LANGUAGES[name])


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_file_names_licence_and_version(name):
    text = file_text({"f": (EVERY_STEP, "One."), "g": (EVERY_STEP, "")}, LANGUAGES[name])
    head = text.splitlines()[:2]
    assert re.search(r"gelu_lib \d+\.\d+", head[0]) and "MIT" in head[1]
    assert text.count("return y") == 2
