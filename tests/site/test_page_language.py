"""Pages in another language: what a page says of it, and that the book's pages say it truly."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import page_language
import pytest
from small_site import BOOK, page

from gelu_lib.provenance.atlas.claims import claims
from gelu_lib.show.marks import MARKED, computed

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
VERDICTS = ["right", "right to the digits given", "slip", "misleading", "wrong"]
VERDICTS += ["not verifiable here"]
CALLED = {  # for each language, what its page calls the verdicts
    "zh-Hans": "正确 按所给位数正确 笔误 有误导 错误 此处无法核实",
    "ja": "正しい 示された桁まで正しい 誤記 誤解を招く 誤り ここでは確かめられない",
}
WORDS = {
    language: dict(zip(VERDICTS, called.split(), strict=True))
    for language, called in CALLED.items()
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


def test_a_text_in_another_language_says_which():
    assert [path for path in NOTEBOOKS if is_foreign(text(path))] == IN_ANOTHER
    assert {language(path) for path in IN_ANOTHER} == set(WORDS)


@pytest.mark.parametrize("path", IN_ANOTHER, ids=lambda path: path.stem)
def test_its_verdicts_are_those_of_the_claims(path):
    prose, words = text(path), WORDS[language(path)]
    assert len(ROW.findall(prose)) == prose.count("#claim-") > 5
    assert wrong_verdicts(prose, words) == []
    other = {verdict: word + "?" for verdict, word in words.items()}
    assert len(wrong_verdicts(prose, other)) == len(ROW.findall(prose))


def test_the_verdict_of_another_claim_is_found():
    row, words = "| a | **[{}](claims.ipynb#claim-{})**。b |", WORDS["zh-Hans"]
    for id, right, wrong in (
        ("su-match", "按所给位数正确", "笔误"),
        ("su-no-weight", "有误导", "按所给位数正确"),
    ):
        assert wrong_verdicts(row.format(right, id), words) == []
        assert wrong_verdicts(row.format(wrong, id), words) == [id]


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


def test_a_sign_of_another_script_is_found():
    assert all(map(FOREIGN.search, ["误差, 近似", "近似(erf)", "*误差*很小", "誤差?"]))
    assert not FOREIGN.search("误差，近似（erf）。**误差**很小：0")


@pytest.mark.parametrize("path", IN_ANOTHER, ids=lambda path: path.stem)
def test_the_built_page_says_its_language(site, path):
    name = f"book/{path.stem}.html"
    soup = page(site, name)
    assert soup.html["lang"] == language(path) and not soup.article.get("lang")
    (cited,) = soup.select("meta[name=citation_language]")
    assert cited["content"] == language(path)
    parts = ".skip-link, .book-header, .kicker, .byline, .neighbours, #page-menu, .book-footer"
    parts += ", .colophon > section"
    assert all(CJK.search(part.get_text()) for part in soup.select(parts))
    captions = [caption.get_text().strip() for caption in soup.article.select("figcaption")]
    assert captions and all(CJK.match(caption) for caption in captions)  # no "Fig. 1"
    # a heading without a Latin letter has its words as its address, and no count
    addresses = [section["id"] for section in soup.article.select("section[id]")]
    assert not [address for address in addresses if re.fullmatch(r"id\d+", address)]
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
    words = {
        "a": {"One {x}": "1 {x}", "Two": "2", "Three": "3"},
        "b": {"One {x}": "I", "Two": "II"},
    }
    assert unsound(words, "One {x} Three") == ["One {x}", "Three", "Two"]
