"""What the PDF prints of the pages, in the LaTeX of a small book; and of the real ones, its parts."""

import make_pdf
import nbformat
import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from gelu_lib.register import results

ID = "gelu-derivative"  # its box belongs on the page book/gelu
ELSEWHERE = "gelu-erf"  # so does this one's
PRINTED = next(entry for entry in results().values() if entry.status == "historical")

INDEX = """# A small book

What it says first, as in {doc}`book/library`.

```{toctree}
:caption: Part & parcel
book/gelu
book/results
book/library
```
"""
RESULTS = """# Results

```{register}
```
"""
CHAPTER = f"""# Chapter

```{{result}} {ID}
```

See {{result}}`{ID}` and {{literal}}`{PRINTED.id}`.

$$
y &= x && {{\\small\\text{{reason}}}} \\\\
z &= x
$$

```{{math}}
:label: named
1 + 1
```

| a | b |
| :-- | :-- |
| one<br>two | {{result}}`{ID}` |

:::{{dropdown}} Solution
It is 2.
:::

:::{{dropdown}} To be copied
```python
copied = 1
```
:::
"""


def notebook(text: str) -> str:
    """The chapter as a notebook, with one cell whose code is seen and one whose code is folded."""
    output = nbformat.v4.new_output("stream", text="printed by the folded cell")
    cells = [
        nbformat.v4.new_markdown_cell(text),
        nbformat.v4.new_code_cell("seen = 1"),
        nbformat.v4.new_code_cell(
            "folded = 1", metadata={"tags": ["hide-input"]}, outputs=[output]
        ),
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the LaTeX of a small book."""
    source = tmp_path_factory.mktemp("source")
    (source / "book").mkdir()
    (source / "index.md").write_text(INDEX, encoding="utf-8")
    (source / "book" / "gelu.ipynb").write_text(notebook(CHAPTER), encoding="utf-8")
    (source / "book" / "results.md").write_text(RESULTS, encoding="utf-8")
    (source / "book" / "library.md").write_text("# Library\n\nLeft out.\n", encoding="utf-8")
    style = make_pdf.ROOT / "book" / "_latex" / "book.sty"
    settings = {
        "extensions": [
            "myst_nb",
            "sphinx_design",
            "sphinxcontrib.bibtex",
            "register_pages",
            "latex_book",
        ],
        "bibtex_bibfiles": [str(make_pdf.ROOT / "book" / "references.bib")],
        "suppress_warnings": ["*"],
        "myst_enable_extensions": ["amsmath", "colon_fence", "dollarmath"],
        "nb_execution_mode": "off",
        "latex_documents": [("index", "small.tex", "A small book", "Nobody", "manual", False)],
        "latex_engine": "lualatex",
        "latex_additional_files": [str(style)],
        "latex_elements": {
            "preamble": "\\usepackage{book}",
            "fontpkg": "",
            "fncychap": "",
            "polyglossia": "",
            "babel": "\\usepackage{babel}",
        },
        "latex_pages_left_out": ["book/library"],
        "latex_show_pagerefs": True,
    }
    output = tmp_path_factory.mktemp("output")
    with docutils_namespace():
        Sphinx(source, None, output, output / "read", "latex", settings, status=None).build()
    return output


@pytest.fixture(scope="module")
def tex(folder):
    return (folder / "small.tex").read_text(encoding="utf-8")
