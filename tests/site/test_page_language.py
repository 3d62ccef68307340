"""Pages in another language: what a page says of it, and that the book's pages say it truly."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import page_language
import pytest
from bs4 import BeautifulSoup
from execute import METADATA
from small_site import BOOK, OWN_THEME, page, sound

from gelu_lib.provenance.claims import claims
from gelu_lib.show.marks import MARKED, computed

ADDRESS = "https://owner.github.io/repo/"
FIGURE = '<a id="fig-{}"></a>{} Drawn.'
INDEX = "# The book\n\nText.\n\n```{toctree}\na\nzh\nb\n```\n"


def notebook(title: str, caption: str, **metadata: str) -> str:
    """A notebook with a section and a figure."""
    drawn = {"image/svg+xml": "<svg width='9pt' height='9pt'/>"}
    output = nbformat.v4.new_output("display_data", data=drawn)
    cells = [
        nbformat.v4.new_markdown_cell(f"# {title}\n\nText.\n\n## 第一，{title}\n\n## One"),
        nbformat.v4.new_code_cell("draw()", outputs=[output]),
        nbformat.v4.new_markdown_cell(caption),
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=METADATA | metadata))


FILES = {
    "index.md": INDEX,
    "a.ipynb": notebook("A", FIGURE.format("a", "*Figure.*")),
    "zh.ipynb": notebook("中文", FIGURE.format("zh", "**图**：线"), lang="zh-Hans"),
    "b.ipynb": notebook("B", FIGURE.format("b", "*Figure.*")),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    extensions = ["myst_nb", "notebook_pages", "plain_markdown", "navigation", "page_head"]
    settings = {
        "extensions": [*extensions, "page_language", "run_links"],
        "nb_execution_mode": "off",
        "numfig": True,
        "html_baseurl": ADDRESS,
    } | OWN_THEME
    return sound(folder, FILES, **settings)


def marked(soup: BeautifulSoup) -> set[str]:
    """What a page says to be in Chinese: the names of the elements, and the words of links."""
    found = soup.select("[lang=zh-Hans]")
    return {tag.get_text(" ", strip=True) if tag.name == "a" else tag.name for tag in found}


def test_a_page_says_its_language_and_so_do_the_places_of_its_title(small):
    assert marked(page(small, "zh.html")) == {"html", "span", "2 中文"}
    assert marked(page(small, "a.html")) == {"2 中文", "Next 中文"}
    assert marked(page(small, "b.html")) == {"2 中文", "Previous 中文"}
    assert marked(page(small, "genindex.html")) == {"2 中文"}


def in_english(soup: BeautifulSoup) -> str:
    """What a page in Chinese shows or says in Latin letters without a word that it is English."""
    for part in soup.select("body [lang=en], script, style, code, article section"):
        part.extract()
    names = [
        tag[name] for name in ("aria-label", "placeholder") for tag in soup.select(f"[{name}]")
    ]
    return " ".join(re.findall(r"[A-Za-z]{3,}", " ".join([soup.body.get_text(" "), *names])))


def test_what_is_english_on_such_a_page_is_said_to_be_and_the_menus_are_not(small):
    soup = page(small, "zh.html")
    links = [link.get_text() for link in soup.select("article .run-links a")]
    assert links == ["下载笔记本", "如何运行"]
    assert {link["title"] for link in soup.select("article h2 .headerlink")} == {"本节链接"}
    assert in_english(soup) == "One Author name not set MIT"  # a heading, a name and a licence
    english = page(small, "a.html")
    assert english.html["lang"] == "en" and not english.select(".book-title[lang]")
    assert "Chapters" in in_english(english)  # what is English is found
    assert {word["lang"] for word in page(small, "a.html").select(".neighbours span")} == {"en"}


def test_it_is_cited_in_its_language(small):
    for name, language in (("zh.html", "zh-Hans"), ("a.html", "en")):
        (meta,) = page(small, name).select("meta[name=citation_language]")
        assert meta["content"] == language


def test_the_landing_page_and_it_name_one_another(small):
    expected = {"en": f"{ADDRESS}index.html", "zh-Hans": f"{ADDRESS}zh.html"}
    for name, links in (("index.html", expected), ("zh.html", expected), ("a.html", {})):
        found = page(small, name).select("link[rel=alternate][hreflang]")
        assert {link["hreflang"]: link["href"] for link in found} == links


def test_its_figures_have_no_number_with_an_english_word(small):
    pages = ("a.html", "zh.html", "b.html")
    captions = [page(small, name).find("figcaption").get_text().strip() for name in pages]
    assert [text.rstrip("#¶") for text in captions] == [
        "Fig. 1 Drawn.",
        "图：线 Drawn.",
        "Fig. 3 Drawn.",
    ]


def test_a_heading_without_a_latin_letter_has_its_words_as_its_address(small):
    found = [section["id"] for section in page(small, "zh.html").select("section")]
    assert found == ["中文", "第一-中文", "one"]
    links = page(small, "zh.html").select("#page-menu a")
    assert [link["href"] for link in links] == ["#", "#第一-中文", "#one"]


# ---- The pages of the book

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
WORDS = {  # for each language, what its page calls the verdicts
    "zh-Hans": {
        "right": "正确",
        "right to the digits given": "按所给位数正确",
        "slip": "笔误",
        "misleading": "有误导",
        "wrong": "错误",
        "not verifiable here": "此处无法核实",
    },
    "ja": {
        "right": "正しい",
        "right to the digits given": "示された桁まで正しい",
        "slip": "誤記",
        "misleading": "誤解を招く",
        "wrong": "誤り",
        "not verifiable here": "ここでは確かめられない",
    },
}
ROW = re.compile(r"\| \*\*\[([^]*]+)\]\(claims\.ipynb#claim-([\w-]+)\)\*\*")
# A cell that counts the statements of a post, and the names of the two counts.
COUNTED = re.compile(r'checked_and_right\("([\w-]+)"\)\nsay\((\w+)=checked, (\w+)=right\)')
# Beside a letter of Chinese or Japanese: a comma of Latin script, or words in italics.
FOREIGN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]\s*[,;:?!(]|(?<!\*)\*[\u3040-\u30ff\u3400-\u9fff]"
)


def text(path: Path) -> str:
    """The prose of a notebook."""
    cells = nbformat.read(path, as_version=4).cells
    texts = (cell.source for cell in cells if cell.cell_type == "markdown")
    return "\n\n".join(MARKED.sub(r"\g<text>", text) for text in texts)


def is_foreign(prose: str) -> bool:
    """Whether a text is for the most part in Chinese or Japanese."""
    return len(CJK.findall(prose)) > len(prose) / 5


def language(path: Path) -> str:
    return nbformat.read(path, as_version=4).metadata.get("lang", "")


NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
IN_ANOTHER = [path for path in NOTEBOOKS if language(path)]


def wrong_verdicts(prose: str, words: dict[str, str]) -> list[str]:
    """The rows of a text that give a claim another verdict than the page of claims."""
    return [id for word, id in ROW.findall(prose) if word != words[claims()[id].verdict]]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_text_in_another_language_says_which(path):
    assert is_foreign(text(path)) == bool(language(path))


def test_there_is_a_page_for_each_language():
    assert {language(path) for path in IN_ANOTHER} == set(WORDS)


@pytest.mark.parametrize("path", IN_ANOTHER, ids=lambda path: path.stem)
def test_its_verdicts_are_those_of_the_claims(path):
    prose, words = text(path), WORDS[language(path)]
    assert len(ROW.findall(prose)) == prose.count("#claim-") > 5
    assert wrong_verdicts(prose, words) == []
    other = {verdict: word + "?" for verdict, word in words.items()}
    assert len(wrong_verdicts(prose, other)) == len(ROW.findall(prose))


def test_the_verdict_of_another_claim_is_found():
    row = "| a | **[{}](claims.ipynb#claim-{})**。b |"
    words = WORDS["zh-Hans"]
    for id, word, found in (
        ("su-match", "按所给位数正确", []),
        ("su-match", "笔误", ["su-match"]),
        ("su-no-weight", "有误导", []),
        ("su-no-weight", "按所给位数正确", ["su-no-weight"]),
    ):
        assert wrong_verdicts(row.format(word, id), words) == found


def wrong_counts(notebook: nbformat.NotebookNode) -> list[str]:
    """The posts of which a page counts other statements than the claims, in all or as right."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    counted, wrong = computed(notebook), []
    for post, total, right in COUNTED.findall(code):
        found = [claim.verdict for claim in claims().values() if claim.post == post]
        sound = sum(verdict.startswith("right") for verdict in found)
        if (counted[total], counted[right]) != (str(len(found)), str(sound)):
            wrong.append(post)
    return wrong


@pytest.mark.parametrize("path", IN_ANOTHER, ids=lambda path: path.stem)
def test_its_counts_are_those_of_the_claims(path):
    notebook = nbformat.read(path, as_version=4)
    posts = [post for post, *_ in COUNTED.findall("\n".join(c.source for c in notebook.cells))]
    assert len(posts) == (2 if path.stem == "zh" else 1) and wrong_counts(notebook) == []
    for cell in notebook.cells:
        cell.source = cell.source.replace(posts[0], "gelunote-en")
    assert wrong_counts(notebook) == ["gelunote-en"]  # the counts of another post


@pytest.mark.parametrize("path", IN_ANOTHER, ids=lambda path: path.stem)
def test_its_signs_are_those_of_its_language(path):
    assert FOREIGN.findall(re.sub(r"\]\([^)]*\)", "]", text(path))) == []


@pytest.mark.parametrize("prose", ["误差, 近似", "近似(erf)", "*误差*很小", "誤差?"])
def test_a_sign_of_another_script_is_found(prose):
    assert FOREIGN.search(prose)
    assert not FOREIGN.search("误差，近似（erf）。**误差**很小：0")


@pytest.mark.parametrize("path", IN_ANOTHER, ids=lambda path: path.stem)
def test_the_built_page_says_its_language(site, path):
    name = f"book/{path.stem}.html"
    soup = page(site, name)
    assert soup.html["lang"] == language(path) and not soup.article.get("lang")
    assert soup.article.select(".caption-number") == []
    for other in ("book/index.html", "book/gelu.html"):
        links = page(site, other).select(f'a[href="{path.stem}.html"]')
        assert {link["lang"] for link in links if link.get("lang")} == {language(path)}
    lines = page(site, "book/index.html").select(f'article a[href="{path.stem}.html"]')
    assert [line.find(lang=language(path)) is not None for line in lines] == [True]


# ---- The words of menus and moving pictures

PLACE = re.compile(r"\{\w+\}")


def sources() -> str:
    """What writes these words: templates, scripts, extensions and the table of contents."""
    kinds = ("_theme/*.html", "_static/*.js", "_ext/*.py")
    files = [path for kind in kinds for path in sorted(BOOK.glob(kind))]
    texts = [path.read_text(encoding="utf-8") for path in [*files, BOOK.parent / "_toc.yml"]]
    return re.sub(r'"\n\s+"', "", "\n".join(texts))  # of a text in two lines


def unsound(words: dict[str, dict[str, str]], written: str) -> list[str]:
    """Words that nobody writes or one language lacks, and those that lose a part."""
    every = sorted({text for table in words.values() for text in table})
    return [
        text
        for text in every
        if text not in written
        or any(
            sorted(PLACE.findall(table.get(text, ""))) != sorted(PLACE.findall(text))
            or not table.get(text)
            for table in words.values()
        )
    ]


def test_each_language_has_every_word_with_its_parts_and_no_other():
    assert set(page_language.WORDS) == set(WORDS)
    assert unsound(page_language.WORDS, sources()) == []


def test_a_word_that_is_lacking_lost_or_not_used_is_found():
    words = {
        "a": {"One {x}": "1 {x}", "Two": "2", "Three": "3"},
        "b": {"One {x}": "I", "Two": "II"},
    }
    assert unsound(words, "One {x} Three") == ["One {x}", "Three", "Two"]
