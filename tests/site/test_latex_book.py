"""What the PDF prints of the pages, seen in the LaTeX of a small book, and what its log tells."""

import re

import make_pdf
import nbformat
import pytest
import yaml
from docutils import nodes
from latex_book import LONG_NAME, MARK, marked, small_inside
from latex_tables import NEXT_LINE, column_specs, stack_headings, stack_lines, width
from small_site import build

from gelu_lib.register import results
from gelu_lib.show import show_results
from gelu_lib.show.results import box

ROOT = make_pdf.ROOT
ID = "gelu-derivative"  # its box belongs on the page book/gelu
STRAY = "erf-odd"  # its box does not
PRINTED = [entry for entry in results().values() if entry.status == "historical"]

INDEX = """# A small book

What it says first, with {doc}`what is left out <book/library>`.

[中文](book/zh.md) · [Library](book/library.md)

[Words](book/library.md) that say more.

```{toctree}
:caption: Part & parcel
book/gelu
book/bibliography
book/results
book/library
book/zh
```
"""
CHAPTER = f"""# Chapter

{show_results(ID, STRAY)._repr_markdown_()}

See [{results()[ID].title}](results.md#{ID}) and
[{PRINTED[0].value}](results.md#{PRINTED[0].id}), as
[somebody](bibliography.md#page1977) says, by [the sum](#equation-named).

$$
y &= x && {{\\small\\text{{reason}}}} \\\\
z &= x
$$

<a id="equation-named"></a>

$$
1 + 1
$$

| a | b |
| :-- | :-- |
| one<br>two | [{results()[ID].title}](results.md#{ID}) |

<details>
<summary>Solution & more</summary>

It is 2.

</details>

<details>
<summary>To be copied</summary>

```python
copied = 1
```

</details>
"""
PAGES = {
    "index.md": INDEX,
    "book/bibliography.md": '# References\n\n- <a id="page1977"></a>**Page 1977.** A title.\n',
    "book/results.md": "\n\n".join(
        ["# Results", "```{result-list}\n```", "## Printed", *(box(e, False) for e in PRINTED)]
    ),
    "book/library.md": "# Library\n\nNot in the PDF.\n",
    "book/zh.md": "# 中文\n\nNot in the PDF.\n",
}


def notebook() -> str:
    """The chapter as a notebook, with a cell whose code is seen and one whose code is folded."""
    output = nbformat.v4.new_output("stream", text="printed by the folded cell")
    folded = {"metadata": {"tags": ["hide-input"]}, "outputs": [output]}
    cells = [
        nbformat.v4.new_markdown_cell(CHAPTER),
        nbformat.v4.new_code_cell("seen = 1"),
        nbformat.v4.new_code_cell("folded = 1", **folded),
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


def settings() -> dict:
    """The book's own settings of LaTeX, and no more of the others than a small book needs."""
    stated = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    own = {name: value for name, value in stated.items() if name.startswith("latex_")}
    own["latex_additional_files"] = [str(ROOT / file) for file in own["latex_additional_files"]]
    extensions = ["myst_nb", "plain_markdown", "page_links", "register_pages"]
    return own | {
        "extensions": [*extensions, "latex_book"],
        "myst_enable_extensions": ["amsmath", "colon_fence", "dollarmath"],
        "nb_execution_mode": "off",
        "latex_engine": "lualatex",
        "latex_documents": [("index", "small.tex", "A small book", "Nobody", "manual", False)],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder with the LaTeX of a small book."""
    files = PAGES | {"book/gelu.ipynb": notebook()}
    return build(tmp_path_factory.mktemp("small"), files, "latex", **settings())[0]


@pytest.fixture(scope="module")
def tex(folder):
    return (folder / "small.tex").read_text(encoding="utf-8")


def place(page: str, id: str) -> str:
    return rf"\detokenize{{book/{page}:{id}}}"


def boxes(tex: str) -> list[str]:
    return re.findall(r"\\begin\{bookresult\}.*?\\end\{bookresult\}", tex, re.S)


def in_order(tex: str, parts: tuple[str, ...]) -> bool:
    places = [tex.index(part) for part in parts]
    return places == sorted(places)


def test_captions_become_parts_and_the_landing_page_a_chapter_without_a_number(tex):
    parts = (
        r"\BookUnnumbered",
        r"\chapter{A small book}",
        r"\BookNumbered",
        r"\part{Part \& parcel}",
        r"\chapter{Chapter}",
        r"\chapter{Results}",
    )
    assert in_order(tex, parts)


def test_what_is_cited_leads_to_its_entry(tex):
    assert rf"\label{{{place('bibliography', 'page1977')}}}" in tex
    assert rf"\hyperref[{place('bibliography', 'page1977')}]" in tex


def test_a_link_to_an_equation_leads_to_it(tex):
    assert r"\hyperref[equation:book/gelu:named]{the sum}" in tex


def test_a_result_is_framed_on_its_page_and_listed_on_the_results_page(tex):
    framed = [box for box in boxes(tex) if place("gelu", ID) in box]
    assert len(framed) == 1 and rf"\label{{{place('gelu', ID)}}}" in framed[0]
    assert tex.count(rf"\BookResultLine{{{place('gelu', ID)}}}") == 1


def test_a_box_on_a_page_that_the_register_does_not_name_is_only_listed(tex):
    assert not any(rf":{STRAY}}}" in box for box in boxes(tex))
    assert tex.count(rf"\BookResultLine{{{place('erf-and-phi', STRAY)}}}") == 2


def test_what_stands_on_no_other_page_is_printed_on_the_results_page(tex):
    labels = [rf"\label{{{place('results', entry.id)}}}" for entry in PRINTED]
    assert [sum(label in box for box in boxes(tex)) for label in labels] == [1] * len(labels)
    assert len(boxes(tex)) == 1 + len(labels)


def test_a_link_leads_to_the_box_and_names_its_page_but_in_a_table(tex):
    link = rf"\hyperref[{place('gelu', ID)}]"
    assert tex.count(link) == 2
    assert tex.count(rf"(\autopageref*{{{place('gelu', ID)}}})") == 1
    in_table = tex[tex.index(r"\BookTable") :]
    assert link in in_table and r"\autopageref*" not in in_table[: in_table.index("Solution")]


def test_a_box_prints_its_id_and_has_no_link_to_itself(tex):
    (box,) = (box for box in boxes(tex) if place("gelu", ID) in box)
    assert "hyperref" not in box
    assert r"gelu\sphinxhyphen{}derivative" in box


def test_what_the_site_folds_of_a_box_is_printed_and_what_is_there_to_copy_is_not(tex):
    (box,) = (box for box in boxes(tex) if place("gelu", ID) in box)
    assert r"\operatorname{GELU}'(x) = \Phi(x) + x\,\varphi(x)" in box
    assert "checked by machine" in box
    assert "More" not in box and "gelubook" not in box


def test_a_literal_leads_to_its_entry(tex):
    link = rf"\hyperref[{place('results', PRINTED[0].id)}]"
    assert link in tex


def test_a_link_to_a_page_that_is_left_out_is_plain_text(tex):
    assert "what is left out" in tex and "Not in the PDF" not in tex
    assert "book/library" not in tex


def test_a_line_that_only_leads_to_pages_that_are_left_out_goes_with_them(tex):
    assert "中文" not in tex
    assert "that say more." in tex


def test_folded_code_is_left_out_and_what_it_prints_is_not(tex):
    assert "seen" in tex and "printed by the folded cell" in tex
    assert "folded}" not in tex and "copied" not in tex


def test_a_fold_is_opened_under_its_title(tex):
    assert r"\BookFold{Solution \& more}" in tex and "It is 2." in tex


def test_rows_of_a_formula_are_aligned_and_a_label_is_kept(tex):
    assert "\\BookFormula{\\begin{aligned}y &= x && {\\text{\\small reason}}" in tex
    assert "\\BookFormula[equation:book/gelu:named]{1 + 1}" in tex


def test_lines_of_a_cell_are_stacked(tex):
    assert r"\BookStack{one\BookLine{}two}" in tex


def test_the_title_page_has_the_version(tex):
    assert re.search(r"\\newcommand\{\\BookVersion\}\{\d+\.\d+\.\d+", tex)


def test_a_size_goes_into_the_text_and_nowhere_else():
    assert small_inside(r"{\small\text{a}} {\small b}") == r"{\text{\small a}} {\small b}"


@pytest.mark.parametrize(
    ("text", "is_code", "broken"),
    [
        ("1" * 19 + " " + "2" * 19, False, False),
        ("1" * 20, False, True),
        ("a" * 30, False, False),
        ("a-" * (LONG_NAME // 2), True, False),
        ("a-" * LONG_NAME, True, True),
        ("a" * 30, True, False),
    ],
)
def test_long_numbers_and_names_may_be_broken(text, is_code, broken):
    result = marked(text, is_code=is_code)
    assert (MARK in result) == broken
    assert result.replace(MARK, "") == text


def test_a_number_is_not_broken_at_its_point():
    assert f".{MARK}" not in marked("0." + "7" * 30, is_code=True)


def table(*texts: tuple[str, ...], head: tuple[str, ...] = ()) -> nodes.table:
    body = nodes.tbody("", *map(row, texts))
    parts = [nodes.thead("", row(head)), body] if head else [body]
    return nodes.table("", nodes.tgroup("", *parts, cols=len(texts[0])))


def row(texts: tuple[str, ...]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in texts))


def test_long_columns_wrap_and_share_the_room():
    long = "A sentence that is too long for a column."
    assert column_specs(table(("a", long), ("b", "c"))) == ("ll", "lZ{1.000}")
    _, wrapped = column_specs(table((long, long * 3, "c")))
    shares = [float(share) for share in re.findall(r"Z\{([\d.]+)\}", wrapped)]
    assert wrapped.endswith("l") and sum(shares) == pytest.approx(2, abs=1e-3)
    assert 1 < shares[1] / shares[0] < 3


def test_of_short_columns_the_longest_wraps():
    assert column_specs(table(("short", "longer"))) == ("ll", "lZ{1.000}")


def test_a_cell_is_as_wide_as_its_longest_line():
    html = nodes.raw("", "<br>", format="html")
    cell = nodes.entry("", nodes.paragraph("", "", nodes.Text("one"), html, nodes.Text("three")))
    stack_lines(cell)
    assert NEXT_LINE in cell.astext() and width(cell) == len("three")


def test_a_heading_wider_than_its_column_is_offered_in_lines():
    made = table(("abc",), head=("first and second",))
    stack_headings(made)
    stacked = NEXT_LINE.join(("first and", "second"))
    assert made.astext().startswith(rf"\BookHeading{{first and second}}{{{stacked}}}")


@pytest.mark.parametrize("heading", ["word", "in one line"])
def test_a_heading_that_fits_or_has_one_word_is_left_alone(heading):
    made = table(("in one line" if " " in heading else "a",), head=(heading,))
    stack_headings(made)
    assert made.astext().startswith(heading)


def test_a_heading_with_a_formula_is_left_alone():
    made = table(("abc",), head=("one two",))
    next(made.findall(nodes.paragraph)).append(nodes.math("", "x"))
    stack_headings(made)
    assert "BookHeading" not in made.astext()


def test_another_tag_is_no_line():
    html = nodes.raw("", "<b>", format="html")
    cell = nodes.entry("", nodes.paragraph("", "", nodes.Text("one"), html))
    stack_lines(cell)
    assert NEXT_LINE not in cell.astext() and width(cell) == 3


@pytest.mark.parametrize(
    "line",
    [
        "! Undefined control sequence.",
        "Missing character: There is no ∎ (U+220E) in font [texgyrepagella-regular.otf]",
        "LaTeX Warning: Reference `book/library::doc' on page 3 undefined on input line 7.",
        "LaTeX Warning: Label `a' multiply defined.",
        r"Overfull \hbox (5.1pt too wide) in paragraph at lines 7--7",
        r"Overfull \vbox (90.0pt too high) has occurred while \output is active []",
    ],
)
def test_a_fault_in_the_log_is_found(line):
    assert make_pdf.faults(f"(./a.tex\n{line}\n[1]") == [line]


@pytest.mark.parametrize(
    "line",
    [
        r"Overfull \hbox (4.9pt too wide) in paragraph at lines 7--7",
        r"Underfull \hbox (badness 10000) in paragraph at lines 7--7",
        "LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.",
    ],
)
def test_what_no_reader_sees_is_no_fault(line):
    assert make_pdf.faults(line) == []


def test_what_is_missing_is_named_with_the_line_that_brings_it(monkeypatch):
    monkeypatch.setattr(make_pdf.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"apt-get install .* latexmk librsvg2-bin "):
        make_pdf.main()


def test_the_readme_has_that_line():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    stated = re.search(r"apt-get install --no-install-recommends (.*)", readme)[1].split()
    assert set(stated) == {*make_pdf.PROGRAMS.values(), *make_pdf.FILES.values()}


@pytest.mark.skipif(bool(make_pdf.missing()), reason="needs LaTeX; make_pdf.py names the packages")
def test_the_small_book_is_typeset_and_its_undefined_reference_is_found(folder):
    found = make_pdf.typeset(folder, "small")
    assert (folder / "small.pdf").read_bytes().startswith(b"%PDF")
    # its results stand in chapters that the small book does not have
    assert all("undefined" in fault for fault in found) and found
