"""What the PDF prints of the pages, seen in the LaTeX of a small book, and what its log tells."""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import built_site
import citation
import make_pdf
import nbformat
import pytest
import yaml
from latex_book import LONG_NAME, MARK, marked
from small_site import build

from gelu_lib.register import results
from gelu_lib.show import show_results
from gelu_lib.show.marks import FORM_CONSTANTS
from gelu_lib.show.results import box

ROOT = make_pdf.ROOT
ID = "gelu-derivative"  # its box belongs on the page book/gelu
STRAY = "erf-odd"  # its box does not
PRINTED = [entry for entry in results().values() if entry.status == "historical"]
QUOTED = next(entry for entry in PRINTED if entry.value not in FORM_CONSTANTS)

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
[{QUOTED.value}](results.md#{QUOTED.id}) and [1.702](results.md#gelu-paper-scale), as
[somebody](bibliography.md#page1977) says, by [the sum](#equation-named), [below](#below) and in
[a row](#a-row).

<a id="below"></a>

## A heading of another name

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
| <span id="a-row"></span>one<br>two | [{results()[ID].title}](results.md#{ID}) |

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


def test_captions_become_parts_and_the_landing_page_a_chapter_without_a_number(tex):
    chapter = r"\chapter{%s}".__mod__
    parts = [r"\BookUnnumbered", chapter("A small book"), r"\BookNumbered"]
    parts += [r"\part{Part \& parcel}", chapter("Chapter"), chapter("Results")]
    places = [tex.index(part) for part in parts]
    assert places == sorted(places)


PRINTED_TEX = [
    rf"\label{{{place('bibliography', 'page1977')}}}",
    rf"\hyperref[{place('bibliography', 'page1977')}]",
    rf"\hyperref[{place('results', QUOTED.id)}]",
    rf"\hyperref[{place('logistic-constant', 'logistic-scale')}]",  # its answer
    r"\hyperref[equation:book/gelu:named]{the sum}",
    r"\BookFold{Solution \& more}",
    "It is 2.",
    r"\BookFormula{\begin{aligned}y &= x && {\text{\small reason}}",
    r"\BookFormula[equation:book/gelu:named]{1 + 1}",
    r"one\BookLine{}two}",
    "seen",
    "printed by the folded cell",
    "what is left out",  # a link to a page that is left out is plain text
    "that say more.",
]
LEFT_OUT = ["Not in the PDF", "book/library", "中文", "folded}", "copied"]


def test_what_is_printed_and_what_is_not(tex):
    assert [written for written in PRINTED_TEX if written not in tex] == []
    assert [left_out for left_out in LEFT_OUT if left_out in tex] == []


def test_a_result_is_framed_on_its_page_and_listed_on_the_results_page(tex):
    framed = [box for box in boxes(tex) if place("gelu", ID) in box]
    assert len(framed) == 1 and rf"\label{{{place('gelu', ID)}}}" in framed[0]
    assert tex.count(rf"\BookResultLine{{{place('gelu', ID)}}}") == 1
    # on a page that the register does not name it is only listed
    assert tex.count(rf"\BookResultLine{{{place('erf-and-phi', STRAY)}}}") == 2
    (box,) = framed
    for printed in (r"gelu\sphinxhyphen{}derivative", r"= \Phi(x) + x\,\varphi(x)", "by machine"):
        assert printed in box
    for on_site in ("hyperref", "More", "gelubook"):
        assert on_site not in box


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


def test_a_reference_without_its_label_is_found_and_the_version_is_printed(tex):
    lost = {label.removeprefix("book/") for label in make_pdf.undefined(tex)}
    assert "logistic-constant:logistic-scale" in lost  # a chapter that the small book does not have
    assert lost.isdisjoint({"gelu:below", "gelu:a-row", f"gelu:{ID}"})
    written = r"\label{a}\ref{a}\eqref{b}\BookFormula[c]{1}\hyperref[c]{i}"
    assert make_pdf.undefined(written) == ["b"]
    assert re.search(r"\\newcommand\{\\BookVersion\}\{\d+\.\d+\.\d+", tex)
    assert rf"\newcommand{{\BookDay}}{{{citation.day()}}}" in tex


def test_long_numbers_and_names_may_be_broken():
    broken = [("1" * 20, False), ("0." + "7" * 30, True), ("a-" * LONG_NAME, True)]
    for text, is_code in [*broken, ("a" * 30, False)]:
        result = marked(text, is_code=is_code)
        assert (MARK in result) == ((text, is_code) in broken)
        assert result.replace(MARK, "") == text and f".{MARK}" not in result


FAULTS = r"""! Undefined control sequence.
Missing character: There is no ∎ (U+220E) in font [texgyrepagella-regular.otf]
LaTeX Warning: Reference `book/library::doc' on page 3 undefined on input line 7.
Overfull \hbox (5.1pt too wide) in paragraph at lines 7--7
Overfull \vbox (90.0pt too high) has occurred while \output is active []"""
UNSEEN = r"""Overfull \hbox (4.9pt too wide) in paragraph at lines 7--7
Underfull \hbox (badness 10000) in paragraph at lines 7--7
LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.
"""


@pytest.mark.parametrize("line", FAULTS.splitlines())
def test_a_fault_in_the_log_is_found(line):
    assert make_pdf.faults(f"(./a.tex\n{UNSEEN}{line}\n[1]") == [line]


def test_what_is_missing_is_named_with_the_line_that_brings_it_as_in_the_readme(monkeypatch):
    monkeypatch.setattr(make_pdf.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"apt-get install .* latexmk librsvg2-bin "):
        make_pdf.main()
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    stated = re.search(r"apt-get install --no-install-recommends (.*)", readme)[1].split()
    assert set(stated) == {*make_pdf.PROGRAMS.values(), *make_pdf.FILES.values()}


@pytest.mark.skipif(bool(make_pdf.missing()), reason="needs LaTeX; make_pdf.py names the packages")
def test_the_small_book_is_typeset_and_its_undefined_reference_is_found(folder):
    found = make_pdf.typeset(folder, "small")
    assert (folder / "small.pdf").read_bytes().startswith(b"%PDF")
    # its results stand in chapters that the small book does not have
    assert all("undefined" in fault for fault in found) and found


@pytest.mark.slow  # writes the whole book a second time; of a small one it is asked above
def test_every_reference_of_the_whole_book_has_its_label(site, tmp_path):
    """Of the pages as the site has read them, but for the results, which read otherwise."""
    copied, trees = site.parents[1] / built_site.COPY, tmp_path / "_build" / ".doctrees"
    shutil.copytree(site.parent / ".doctrees", trees)
    (trees / "book" / "results.doctree").unlink()
    book = copied if copied.exists() else ROOT  # where another site was named
    jupyter_book = Path(sysconfig.get_path("scripts"), "jupyter-book")
    command = [jupyter_book, "build", book, "--builder", "latex", "--path-output", tmp_path]
    subprocess.run(command, capture_output=True)  # it fails where no rsvg-convert turns figures
    tex = (tmp_path / "_build" / "latex" / f"{make_pdf.NAME}.tex").read_text(encoding="utf-8")
    assert make_pdf.undefined(tex) == [] and len(make_pdf.LABEL.findall(tex)) > 1000
