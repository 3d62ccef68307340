"""A long formula is taken apart into rows, cells, clauses and pieces for a narrow screen."""

import pytest
from bs4 import BeautifulSoup
from formula_rows import clauses, rows
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


NO = r"\nobreak "


@pytest.mark.parametrize(
    ("tex", "parted"),
    [
        ("x_{1}' = 1", [[f"x_{{1}}' ={NO} 1"]]),
        ("f(x)=y\\le1", [["f(x)", f"{{}}={NO}y", rf"{{}}\le{NO}1"]]),
        (r"k=\frac{a=b}{2},\quad x>0", [[rf"k={NO}\frac{{a=b}}{{2}},"], [r"\quad"], [f" x>{NO}0"]]),
        (r"f\bigl\{x=y\bigr\}", [[rf"f\bigl\{{x={NO}y\bigr\}}"]]),
        (r"\{k:x\}", [[rf"\{{k:{NO}x\}}"]]),
        ("f(x)(1-(2)(x))", [[rf"f(x)\allowbreak (1-{NO}(2)(x))"]]),
        (r"f(x)\left(1-x\right)", [[r"f(x)\allowbreak \left(1-x\right)"]]),
        (r"a+\tanh(b-c\cdot d)", [[rf"a+\tanh(b-{NO}c\cdot{NO} d)"]]),
        (r"\text{if }b=1", [[rf"\text{{if }}b={NO}1"]]),
        (r"\{x,y\in Z\}", [[rf"\{{x,y\in{NO} Z\}}"]]),
        (r"g\quad\iff\quad h", [["g"], [r"\quad"], [rf"\iff{NO}\quad{NO} h"]]),
        (r"f\left[x=y\right)", [[r"f\left[x=y\right)"]]),
        ("f(x)=(0, 1", [["f(x)=(0, 1"]]),
        ("f)x(=1", [["f)x(=1"]]),
    ],
)
def test_a_formula_is_parted_between_clauses_and_before_relations(tex, parted):
    assert clauses(tex) == parted


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


def test_a_formula_of_one_line_is_drawn_piece_by_piece_with_the_space_between():
    page = drawn(r"f(x) = x - 1, \qquad x > 0")
    whole = [one for one in page.select(".piece") if one.select(".piece")]
    assert [one.get_text() for one in whole] == ["f(x)=x−1,", "x>0"]
    assert [one.get_text() for one in whole[0].select(".piece")] == ["f(x)", "=x−1,"]
    assert page.select_one(".qquad").get_text() == " "
    assert len(page.contents) == 1 and not page.select_one(".katex-display").find_next_sibling()


def test_what_has_rows_and_where_they_break():
    assert not drawn("x = 1").select(".rows")
    assert drawn(r"\begin{aligned} f &= x \end{aligned}").select(".rows")
    with pytest.raises(TexError):
        render_tex(r"\begin{aligned} f &= \frac{1} \\ &= 2 \end{aligned}", True)
    page = drawn(r"\begin{aligned} f &= x\ \text{or}\ y && \text{by a b} \end{aligned}")
    formula, reason = [page.select(".side")[i].get_text() for i in (1, 3)]
    assert formula == "=x\u00a0or\u00a0y" and reason == "by a b"
