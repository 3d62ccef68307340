"""A long formula is taken apart into rows and cells, which a narrow screen can break."""

import pytest
from bs4 import BeautifulSoup
from formula_rows import rows
from katex_at_build import TexError, render_tex

REASONED = r"\begin{aligned} f(x) &= x^2 && {\small\text{by a \& b}} \\[0.4em] &\ge 0 \end{aligned}"
CASES = r"\begin{aligned} f &= \begin{cases} 1 & x \\ 2 & y \end{cases} \end{aligned}"


@pytest.mark.parametrize(
    ("tex", "parted"),
    [
        (REASONED, [["f(x)", "= x^2", "", r"{\small\text{by a \& b}}"], ["", r"\ge 0"]]),
        (CASES, [["f", r"= \begin{cases} 1 & x \\ 2 & y \end{cases}"]]),
        (rf"\begin{{aligned}} {REASONED} \end{{aligned}}", rows(REASONED)),
        (r"\begin{aligned} a_{1 & 2} \\ \end{aligned}", [["a_{1 & 2}"]]),
        (r"\begin{aligned}a\end{aligned} + \begin{aligned}b\end{aligned}", []),
        (rf"x = {CASES}", []),
        ("x = 1", []),
    ],
)
def test_rows_and_cells_are_parted_where_tex_parts_them(tex, parted):
    assert rows(tex) == parted


def drawn(tex: str) -> BeautifulSoup:
    return BeautifulSoup(render_tex(tex, True), "html.parser")


def test_each_cell_is_drawn_for_itself_and_the_formula_is_read_as_a_whole():
    page = drawn(REASONED)
    sides = [[side.get_text() for side in row.select(".side")] for row in page.select(".row")]
    assert [len(row) for row in sides] == [4, 2]
    assert sides[0][0] == "f(x)" and sides[0][3] == "by a & b" and sides[1][0] == ""
    assert all(not side.select(".mtable") for side in page.select(".side"))
    (annotation,) = page.select("annotation")
    assert annotation.get_text() == REASONED
    assert len(page.select("math")) == 1 and page.select_one("math mtable")
    assert page.select_one(".katex-html")["aria-hidden"] == "true"


def test_another_formula_is_drawn_as_ever():
    assert not drawn("x = 1").select(".rows")
    assert drawn(r"\begin{aligned} f &= x \end{aligned}").select(".rows")


def test_a_fault_in_a_cell_is_told():
    with pytest.raises(TexError):
        render_tex(r"\begin{aligned} f &= \frac{1} \\ &= 2 \end{aligned}", True)
