"""The search: what the pages give it, and which place it puts first."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kinds import slow_but
from search_answers import DATA, SCRIPT, accepts, answered, report, searching
from section_search import WORDS_FILE, words_asked
from small_site import sound
from sphinx.search.en import SearchEnglish

from gelu_lib.register import results

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = Path(__file__).with_name("search_questions.json")
STEMMER = f"{SearchEnglish.js_stemmer_code.strip()}\n"


def found(answer: dict) -> list[str]:
    return [address for address, *_ in answer["shown"]]


# ---- A site of two pages


PAGE = """
.. index:: ! single: alternation

Errors
======

The largest error is 0.044715 here, or 1.702.

.. code-block:: python

   certified_minimax("Phi")

.. index:: ! single: equioscillation

Where it alternates
-------------------

An error may alternate. :math:`x^2` is even: ``f(kind="square")``.
For x = 2 the 044715 is cut.

=========  =====
framework  error
=========  =====
Tablefind  1.5
=========  =====

You should know: what a limit is.


.. glossary::

   witness
      An input that tells the forms apart.

.. py:function:: lookup(text)

   Finds a constant.

.. raw:: html

   <p>invisible</p>
"""
CHINESE = (
    ":lang: zh-Hans\n\nGELU的近似\n==========\n\n激活函数有很多。误差函数erf的近似！第三句话。\n"
)
WORDS = """
ignored = ["vs"]
same = [["oracle", "witness"], ["0.044715", "large fault"]]
"""
OTHER = "Other\n=====\n\nNothing but an error, and Pólya's formula.\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    toctree = "\n.. toctree::\n   :hidden:\n\n   other\n   zh\n"
    files = {"index.rst": PAGE + toctree, "other.rst": OTHER, "zh.rst": CHINESE}
    files[WORDS_FILE] = WORDS
    for _ in range(2):  # the second build writes no page, and must not lose any
        site = sound(folder, files, extensions=["katex_at_build", "section_search"])
    return site


def on(*pages: list, **words: list):
    """The search on pages that are written here."""
    data = {"pages": pages, "stopwords": [], **words}
    return searching(f"{STEMMER}var SEARCH_DATA = {json.dumps(data)};")


def first_of(*texts: str, **words: list):
    """The title of the first answer among sections, each a title, a colon and its text."""
    others = (f"Filler {number}: {text}" for number, text in enumerate(FILLERS))
    places = [["section", *text.split(": ", 1), "", []] for text in (*texts, *others)]
    numbered = [[kind, title, f"s{n}", *rest] for n, (kind, title, *rest) in enumerate(places)]
    page = ["page", "A page", "", "", "", []]
    asked = on(["a.html", "A page", [page, *numbered], "en"], **words)
    return lambda question: (asked(question, 1)["shown"] or [["", ""]])[0][1]


FILLERS = [
    f"{words}, with many more to read" for words in ("a gelu", "fast trains", "hard stones")
] * 4


@pytest.fixture(scope="module")
def ask(small):
    return searching((small / DATA).read_text(encoding="utf-8"))


SMALL = {
    "0.044715": "index.html",  # not the section, which has the digits without their point
    "044715": "index.html#where-it-alternates",
    "equioscillation": "index.html#where-it-alternates",
    "lookup": "index.html#lookup",
    "certified_minimax": "index.html",
    "polya": "other.html",
    "Pólya’s": "other.html",
    "x²": "index.html#where-it-alternates",
    "invisible": "",
    "激活函数": "zh.html",
    "误差函数erf": "zh.html",
    "数有": "zh.html",
    "活": "zh.html",
    "左": "",
    ".044715": "index.html",
    "0,044715": "index.html",
    "oracle": "index.html#term-witness",
    "constructor": "",
    "oracle vs witness": "index.html#term-witness",
    'kind = "square"': "index.html#where-it-alternates",
    "faults, the largest": "index.html",
    "tablefind": "index.html#where-it-alternates",
    "": "",
}
"""What is asked of the small site, and the address of the one answer, if there is one."""


def test_a_word_is_found_where_it_stands_and_all_words_must(ask):
    answers = {question: "".join(found(ask(question))) for question in SMALL}
    assert answers == SMALL
    assert found(ask("alternation"))[0] == "index.html"
    assert "index.html#where-it-alternates" in found(ask("alternation"))
    both, neither = ask("largest error"), ask("largest witness")
    assert (both["complete"], found(both)) == (True, ["index.html"])
    assert not neither["complete"]
    assert set(found(neither)) == {"index.html", "index.html#term-witness"}
    assert ask("the largest")["complete"]  # a word that says nothing is not asked for


def test_the_excerpt_shows_the_words_that_were_found(ask):
    ((_, title, text),) = ask("even")["shown"]
    assert title == "Where it alternates"
    assert (
        text
        == 'An error may alternate. x² is [even]: f(kind="square"). For x = 2 the 044715 is cut.'
    )
    ((_, title, text),) = ask("误差函数")["shown"]
    assert title == "GELU的近似"
    assert text == "激活[函数]有很多。[误差函数]erf的近似！第三句话。"
    ((_, _, text),) = ask("tablefind")["shown"]
    assert text == "[Tablefind] · 1.5"
    ((_, _, text),) = ask("even tablefind")["shown"]  # no line has more of them than the sentences
    assert (
        text
        == 'An error may alternate. x² is [even]: f(kind="square"). For x = 2 the 044715 is cut.'
    )
    ((_, _, text),) = ask("certified_minimax")["shown"]
    assert text == 'code 1: [certified_minimax]("Phi")'


ENGLISH = "Sentence {} says nothing at all. ", "The zebra stands. ", "zebra"
CHINESE_TEXT = "第{}句话里没有那个词也没有别的什么。", "斑马在这里。", "斑马"


@pytest.mark.parametrize(
    ("around", "said", "asked", "shown"),
    [(*CHINESE_TEXT, "。[斑马]在这里。"), (*ENGLISH, ". The [zebra] stands.")],
)
def test_of_a_long_text_whole_sentences_are_shown(around, said, asked, shown):
    long = "".join(map(around.format, range(30)))
    place = ["section", "A title", "long", long + said + long, "", []]
    ((_, _, text),) = on(["a.html", "A", [place], "zh"])(asked)["shown"]
    assert shown in f"{around[-2:].strip()}{text}" and len(text) < 260
    assert text.startswith("… ") and text.rstrip(" …").endswith((".", "。"))


def test_the_language_of_the_reader_comes_first_and_english_before_others():
    place = ["section", "Title", "", "The number 7.25 stands here.", "", []]
    often = [*place[:3], "7.25, 7.25 and 7.25.", "", []]
    others = [
        [f"{name}.html", name, [often], lang] for name, lang in (("zh", "zh-Hans"), ("ja", "ja"))
    ]
    asked = on(others[0], ["en.html", "en", [place], "en"], others[1])
    for reader, order in (
        ("en-US", "en zh ja"),
        ("fr", "en zh ja"),
        ("ja", "ja en zh"),
        ("zh-CN", "zh en ja"),
    ):
        assert found(asked("7.25", reader=reader)) == [f"{name}.html" for name in order.split()]


JOINED = ["Names: gelu_fast and gelu_new", "Nodes: HardGELU", "Models: GPT-2 and I-BERT"]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("fast gelu", "Names"),
        ("fastgelu", "Names"),
        ("gelu fast", "Names"),
        ("gelu_fast", "Names"),
        ("hard gelu", "Nodes"),
        ("hardgelu", "Nodes"),
        ("gpt2", "Models"),
        ("gpt-2", "Models"),
        ("ibert", "Models"),
        ("i-bert", "Models"),
        ("fast trains", "Filler 1"),
        ("faststones", ""),
    ],
)
def test_words_that_touch_are_one_and_one_is_two(question, title):
    assert first_of(*JOINED)(question) == title


SPELLED = {
    "quantisation": "quantization",
    "normalize": "normalised",
    "colour": "colors",
    "behavior": "behaviour",
    "centre": "center",
    "modeling": "modelling",
    "analyse": "analyzes",
    "catalog": "catalogue",
    "licence": "license",
}


@pytest.mark.parametrize("asked", SPELLED)
def test_american_and_british_spelling_are_one(asked):
    said = first_of(f"Said: there is {SPELLED[asked]} here", "Other: four prizes of a size")
    assert said(asked) == "Said"
    assert (said("for"), said("size"), said("prize")) == ("", "Other", "Other")


SAME = [["slope", "derivative", "backward pass"], ["nan", "not a number"], ["cdf", "Phi", "ndtr"]]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("backward pass", "The derivative"),
        ("pass backward", "The derivative"),
        ("backward", "Backward"),
        ("ndtr", "The function Phi"),
        ("not a number", "It is nan"),
        ("a number", "A number"),
        ("slope of the cdf", "Both"),
    ],
)
def test_what_means_the_same_will_do(question, title):
    texts = [
        "The derivative: of gelu",
        "Backward: and forward, a pass",
        "The function Phi: for you",
    ]
    texts += ["It is nan: here", "A number: of gelu", "Both: the derivative of Phi"]
    ask = first_of(*texts, same=SAME, stopwords=["a", "of", "the", "not"])
    assert ask(question) == title
    if question == "ndtr":
        assert first_of(*texts)(question) == ""


def test_a_heading_with_all_words_comes_before_a_text_that_has_them_often():
    said = "error bounds, " * 9
    ask = first_of(f"Often: {said}", "Bounds of an error: nothing else", "Error: one of its bounds")
    assert ask("error bounds") == "Bounds of an error"


def test_the_library_comes_after_the_chapters_unless_one_of_its_names_is_asked_for():
    chapter = ["section", "A chapter", "c", "The best of all, and fit_best does it.", "", []]
    function = ["library", "fits.fit_best", "f", "The best of all, best of all.", "", []]
    asked = on(
        ["a.html", "A", [chapter, ["section", "B", "b", "C", "", []]], "en"],
        ["l.html", "L", [["library", "fits", "", "of", "", []], function], "en"],
    )
    assert found(asked("best of all"))[0] == "a.html#c"
    assert found(asked("fit_best"))[0] == "l.html#f"
    assert found(asked("fits.fit_best"))[0] == "l.html#f"


def test_a_program_is_shown_only_where_neither_text_nor_table_has_a_word():
    beside = "\t\tx = only_here(1)\n\ty = both(x)\nrow\tboth of them\n\t\tz = last(y)\n\tprinted"
    place = ["section", "Title", "t", "The text says text.", beside, []]
    asked = on(["a.html", "A", [place], "en"])
    shown = {word: asked(word)["shown"][0][2] for word in ("text", "both", "only_here", "last")}
    assert shown == {
        "text": "The [text] says [text].",
        "both": "row · [both] of them",
        "only_here": "code 1: x = [only_here](1)",
        "last": "code 2: z = [last](y)",
    }
    assert asked("printed")["shown"][0][2] == "code 2: [printed]"


def test_kana_say_that_japanese_is_meant():
    text = ["section", "題", "", "近似 7.25", "", []]
    pages = [
        [f"{name}.html", name, [text], lang] for name, lang in (("zh", "zh-Hans"), ("ja", "ja"))
    ]
    asked = on(["en.html", "en", [["section", "T", "", "7.25, 7.25", "", []]], "en"], *pages)
    assert found(asked("なぜ 7.25"))[0] == "ja.html"
    assert found(asked("近似 7.25", reader="ja")) == ["zh.html", "ja.html"]


FAULTY = [
    "ignored = []",
    "ignored = []\nsame = []\nmore = []",
    "ignored = []\nsame = ['one text']",
]


@pytest.mark.parametrize("text", FAULTY)
def test_a_list_of_words_with_a_fault_is_refused(text):
    with pytest.raises(ValueError, match="accepted are ignored"):
        words_asked(text)


def test_a_fault_in_the_order_is_noticed(small):
    faulty = SCRIPT.read_text(encoding="utf-8").replace("b.score - a.score", "a.score - b.score")
    data = (small / DATA).read_text(encoding="utf-8")
    assert found(searching(data, faulty)("alternation"))[0] != "index.html"


# ---- The book

CERTIFIED_SUP_ERROR = "gelu_lib.certificates.best.sup_errors.certified_sup_error"


@pytest.fixture(scope="module")
def ask_book(site):
    return searching((site / DATA).read_text(encoding="utf-8"))


FIRST = {
    "0.044715": "tanh-constant.html",
    "1.702": "logistic-constant.html",
    "0.1070322243": "magic-numbers.html#the-tanh-form",
    "11/123": "as-printed.html#and-35-are-close-to-the-optimum",
    "alternation": "minimax.html#a-better-rival-would-cross-once-too-often",
    "Mills": "left-tail.html#two-simple-functions-enclose-mills-ratio",
    "erf": "erf-and-phi.html",
    "error function": "erf-and-phi.html",
    "ULP": "floating-point.html#an-error-is-counted-in-the-spacing-of-the-floats",
    "interval Newton": "certificates.html#step-1-exactly-one-solution",
    "Lipschitz constant": "derivatives.html#gelu-can-move-two-inputs-further-apart",
    "bfloat16": "sixteen-bits.html",
    "quintic": "forms.html#the-quintic-gains-nothing",
    "Taylor": "taylor.html",
    "certified_sup_error": f"library/certificates.html#{CERTIFIED_SUP_ERROR}",
    "tanh-pinned-cubic": "tanh-constant.html#tanh-pinned-cubic",
    "page-cubic": "results.html#page-cubic",
    "Bounds of Mills' ratio": "left-tail.html#mills-bounds",
    "bf16": "sixteen-bits.html",
    "half precision": "sixteen-bits.html",
    "quick gelu": "logistic-constant.html",
    "why tanh": "forms.html",
    "pytorch gelu": "frameworks.html",
    "pytorch gelu tanh": "frameworks.html",
    "激活函数": "zh.html",
    "活性化関数": "ja.html",
    # as people say it, and the book does not
    "fp16": "sixteen-bits.html",
    "int8": "eight-bits.html",
    "phi": "gelu.html#the-definition",
    "openai gelu": "models.html#programs-disagree-about-the-same-weights",
    "erf approximation": "history.html#a-formula-of-1964-was-far-more-accurate",
    "inverse erf": "notation.html#gelu-and-the-functions-in-it",
    "erfinv": "notation.html#gelu-and-the-functions-in-it",
    "gelu vs silu": "gelu-family.html#silu-a-neighbour",
    "swish": "gelu-family.html#silu-a-neighbour",
    "tanh approximation": "tanh-constant.html",
    "sigmoid approximation": "logistic-constant.html",
    # names of a call
    "approximate='tanh'": "models.html#one-form-many-names",
    'F.gelu(x, approximate="tanh")': "models.html#one-form-many-names",
    "gelu_pytorch_tanh": "models.html#one-form-many-names",
    "gelu_new": "models.html#one-form-many-names",
    "nn.GELU": "models.html#one-form-many-names",
    # numbers as they are typed, first in the language of the reader
    ".044715": "tanh-constant.html",
    "0,044715": "tanh-constant.html",
    "1.7017449": "logistic-constant.html#logistic-scale",
    "logistic 1.7": "history.html#is-the-best-scale-for-rounded",
    "Page 1977": "bibliography.html#page1977",
    "gelu derivative": "derivatives.html",
    "derivative minimum": "derivatives.html",
    "nan": "frameworks.html#at-everything-measured-is-nan",
    # a fault as it is met on a device
    "nan shader": "kernel.html#mind-the-tanh-of-the-device",
    "nan metal": "kernel.html#mind-the-tanh-of-the-device",
    "webgpu": "kernel.html#mind-the-tanh-of-the-device",
    "post-training quantization": "eight-bits.html",
    "int8 accuracy drop": "eight-bits.html",
    "erf coefficients": "history.html#what-stands-inside-an-exact-form",
    "0.44715": "magic-numbers.html#the-same-in-python",
    "vulkan": "kernel.html#mind-the-tanh-of-the-device",
    "clamp tanh": "floating-point.html#a-tanh-made-from-exponentials-overflows",
}
"""What readers ask, and what comes first."""


def test_the_best_place_of_the_book_comes_first(ask_book):
    assert {question: found(ask_book(question))[0] for question in FIRST} == {
        question: f"book/{address}" for question, address in FIRST.items()
    }


LEAST_ANSWERED = 58
"""How many of the questions that practitioners, statisticians and students ask, as they type them,
the first place answers; the others stay in the list as well."""


def test_questions_as_they_are_typed_are_answered(ask_book):
    asked = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    missed = [entry["q"] for entry in asked if not answered(ask_book, entry)[0]]
    assert len(asked) >= 60
    assert len(asked) - len(missed) >= LEAST_ANSWERED, missed


def test_an_answer_is_accepted_by_its_page_or_its_place(ask, capsys):
    assert accepts(["a"], "book/a.html#b") and accepts(["a#b"], "book/a.html#b")
    assert accepts(["book/a.html"], "book/a.html") and not accepts(["a#b"], "book/a.html")
    assert not accepts(["b"], "book/a.html#b") and not accepts(["a#c"], "book/a.html#b")
    asked = [{"q": "equioscillation", "accept": ["index"]}, {"q": "zzzz", "accept": ["index"]}]
    assert report(ask, asked) == 1
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "NO  'zzzz': nothing",
        "1 of 2 answered by the first place",
    ]


def test_a_short_word_that_the_book_has_is_no_beginning():
    asked = first_of("Wang: Wang and Yang", "Models: the model Wan has one", "Other: quadrature")
    assert asked("wan") == "Models" and asked("quad") == "Other"


def test_a_number_with_a_sign_is_an_input():
    first = first_of("Slots: a kernel of 13 slots, trained 13 times", "Far: inf at both ends")
    assert first("inf 13") == "Slots" and first("inf -13") == "Far"


def test_what_means_the_same_and_says_nothing_must_touch():
    words = {"same": [["nan", "not a number"]], "stopwords": ["a", "not"]}
    place = ["section", "Far", "s", "A big number is not a small number.", "", []]
    page = ["a.html", "A page", [["page", "A page", "", "", "", []], place], "en"]
    assert not on(page, **words)("nan")["shown"]
    place[3] = "A number that is not a number."
    (shown,) = on(page, **words)("nan")["shown"]
    assert shown[2] == "A number that is [not] [a] [number]."


IN_THEIR_WORDS = {
    "zh": ["误差函数", "泰勒展开", "极小化极大", "GELU 近似", "峰", "谷"],
    "ja": ["誤差関数", "テイラー展開", "ミニマックス近似", "tanh 近似", "山"],
}


@pytest.mark.parametrize("page", IN_THEIR_WORDS)
def test_a_word_of_another_language_leads_to_its_page(ask_book, page):
    for question in IN_THEIR_WORDS[page]:
        answer = ask_book(question)
        assert answer["complete"], question
        assert found(answer)[0].partition("#")[0] == f"book/{page}.html", question


def test_the_row_of_a_name_is_shown(ask_book):
    rows = {name: ask_book(name, 1)["shown"][0][2] for name in ("approximate='tanh'", "gelu_new")}
    for name, part in (("approximate='tanh'", "PyTorch"), ("gelu_new", "[gelu_new]")):
        assert part in rows[name]
    assert '[approximate]="[tanh]"' in rows["approximate='tanh'"]
    assert all(" · " in row and len(row) < 320 for row in rows.values())


@pytest.mark.parametrize("reader", ["en", "zh-CN", "ja"])
def test_the_reader_of_a_language_finds_its_page_first(ask_book, reader):
    page = {"en": "tanh-constant", "zh-CN": "zh", "ja": "ja"}[reader]
    assert found(ask_book("0.044715", reader=reader))[0].partition("#")[0] == f"book/{page}.html"


@pytest.mark.slow  # that such words are looked for is seen on the small site
def test_every_group_of_words_changes_an_answer(site, ask_book):
    data = (site / DATA).read_text(encoding="utf-8")
    groups = words_asked((ROOT / WORDS_FILE).read_text(encoding="utf-8"))["same"]
    without = searching(f"{data}SEARCH_DATA.same = [];")
    for group in groups:
        assert any(ask_book(text)["shown"] != without(text)["shown"] for text in group), group


@pytest.mark.parametrize("every", slow_but(lambda every: every == 100, [1, 100]))
def test_a_result_is_found_by_its_title_and_by_its_id(ask_book, every):
    for result in list(results().values())[::every]:
        page = "results" if result.status == "historical" else result.page
        address = f"book/{page}.html#{result.id}"
        assert address in found(ask_book(result.title)), result.title
        assert address in found(ask_book(f"ID {result.id}")), result.id


def test_every_address_of_the_search_exists(site):
    script = (site / DATA).read_text(encoding="utf-8")
    data = json.loads(script.partition("globalThis.SEARCH_DATA = ")[2].rstrip().removesuffix(";"))
    assert len(data["pages"]) > 20
    for address, _, places, _ in data["pages"]:
        known = set(re.findall(r'\sid="([^"]+)"', (site / address).read_text(encoding="utf-8")))
        anchors = [anchor for _, _, anchor, *_ in places]
        assert len(set(anchors)) == len(anchors), address
        assert set(anchors) - known <= {""}, address
