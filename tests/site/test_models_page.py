"""The table of every model: folded whole, with a form that counts it, filtered, and as a file."""

import csv
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import quickjs
from docutils import nodes
from docutils.core import publish_doctree
from folded_rows import folded, rows_of
from hub_names import HUB
from models_page import MODELS, MODELS_PAGE, ModelsFilter, name_data
from reader import table
from result_files import MODEL_FIELDS, models_csv
from result_list import CLAIMS_PAGE, PLACE, ClaimsFilter
from walks import Walk

from gelu_lib import form_of
from gelu_lib.provenance.atlas.checkpoints import families
from gelu_lib.provenance.atlas.models import model_parts

TABLE = """
================ ========= =======
model and part   form      another
================ ========= =======
**albert**       **tanh**  none
**aria**, vision **exact** none
**bert**         **exact** none
================ ========= =======
"""


def document(text: str, page: str = MODELS_PAGE) -> nodes.document:
    """A page after the transform."""
    made = publish_doctree(text)
    made.settings.env = SimpleNamespace(docname=page)
    ModelsFilter(made).run()
    return made


def test_the_table_is_folded_by_letters_and_loses_no_row():
    (table,) = publish_doctree(TABLE).findall(nodes.table)
    whole = [row.astext() for row in rows_of(table)]
    found = folded(table, lambda row: row.astext()[0].upper())
    assert [part.astext() for part in found if isinstance(part, nodes.raw)][::2] == [
        '<details class="entries-fold" id="of-A"><summary>A <span>(2)</span></summary>',
        '<details class="entries-fold" id="of-B"><summary>B <span>(1)</span></summary>',
    ]
    tables = [part for part in found if isinstance(part, nodes.table)]
    assert [row.astext() for part in tables for row in rows_of(part)] == whole


def test_the_form_counts_the_rows_and_stands_in_front():
    form = next(document(TABLE).findall(nodes.raw)).astext()
    assert 'data-entries="models"' in form
    assert "exact (2)" in form and "tanh (1)" in form and "sigmoid (0)" in form


@pytest.mark.parametrize(("page", "words"), [(MODELS_PAGE, TABLE), (CLAIMS_PAGE, "Words.\n")])
def test_a_comment_has_the_place_of_the_form(page, words):
    made = publish_doctree(f"Above.\n\nBetween.\n\n{words}")
    made.insert(1, nodes.raw("", PLACE, format="html"))
    made.settings.env = SimpleNamespace(docname=page)
    for transform in (ModelsFilter, ClaimsFilter):
        transform(made).run()
    kinds = [type(part) for part in made]
    assert kinds[:2] == [nodes.paragraph, nodes.raw] and 'id="entries-filter"' in made[1].astext()
    assert sum('id="entries-filter"' in raw.astext() for raw in made.findall(nodes.raw)) == 1
    letters = [raw for raw in made.findall(nodes.raw) if "entries-fold" in raw.astext()]
    assert all(made.index(raw) < kinds.index(nodes.paragraph, 1) for raw in letters)
    assert len(letters) == (2 if page == MODELS_PAGE else 0)


@pytest.mark.parametrize(
    ("text", "page"),
    [(TABLE, "book/forms"), (TABLE.replace("model and part", "model, or part"), MODELS_PAGE)],
)
def test_another_table_or_page_stays(text, page):
    assert not list(document(text, page).findall(nodes.raw))


def test_the_file_has_every_row_of_the_library():
    head, *lines = csv.reader(models_csv().splitlines())
    assert tuple(head) == MODEL_FIELDS
    assert [line[:5] for line in lines] == [
        [row.model, row.part, row.entry, row.written, row.form] for row in model_parts()
    ]
    gemma = next(line for line in lines if line[:2] == ["gemma4", "vision"])
    assert gemma[5:] == ["yes", "", "llama.cpp, mtmd: sigmoid"]


def test_the_first_table_and_the_table_of_every_model_agree():
    first = {name: set(others.split("<br>")) for name, _, others in table("models", "weights")}
    rows = table("models", MODELS)
    every = {(model, re.sub("<br>|`", "", said).split(": ")[0]): form for model, form, said in rows}
    met = set()
    for part in model_parts():
        if not part.family:
            continue
        family = families()[part.family]
        others = re.findall(
            r"but \*\*(\w+)\*\* in (.+?)(?:<br>|$)",
            every[f"**{part.model}**, {part.part}", part.entry],
        )
        said = {f"{where}: {form}" for form, where in others if form != family.form}
        assert said <= first[family.name], part
        assert others or part.form == family.form
        met.update(said)
    assert {"mlx-lm: exact", "vLLM: exact", "text-embeddings-inference: tanh"} <= met


SCRIPT = Path(__file__).resolve().parents[2] / "book" / "_static" / "model-names.js"
PARTS = [
    "Qwen3-VL vision",
    "Qwen3-VL audio",
    "Gemma 4 vision patch merger",
    "T5 1.1",
    "",
    "a/",
    "/",
]
LONG = "bert" + 13 * " base"


def test_the_filter_means_by_a_name_what_the_library_means():
    page = quickjs.Context()
    page.eval(f"{SCRIPT.read_text(encoding='utf-8')}; const data = {json.dumps(name_data())};")
    meant = page.eval("name => JSON.stringify(modelNames.meant(name, data))")
    models = [row.model for row in model_parts()]
    refused = 0
    hub, versions = [name for name, *_ in HUB], [f"{model}-9 text" for model in models]
    for name in [*hub, *PARTS, LONG, *models, *versions]:
        try:
            found = {(row.model, row.part): row.form for row in reversed(form_of(name))}
        except ValueError:
            found, refused = {}, refused + 1
        rows = json.loads(meant(name))
        assert {(row["model"], row["part"]): row["form"] for row in rows} == found, name
    assert refused > 500


FILTERED = """
rest 1 | .entries-fold[open] × 0 | {document.querySelectorAll(".entries-fold").length > 20} = true
fill SEARCH = gpt-oss | ROWS seen | {$("#entries-shown").innerText.startsWith("All")} = false
fill SEARCH = Qwen3-VL | ROWS seen | {$("#entries-shown").innerText.startsWith("All")} = false
fill SEARCH = gemma-3 | ROWS seen | {$("#entries-shown").innerText.startsWith("All")} = false
fill SEARCH = gpt-foo | ROWS hidden
fill SEARCH = openai/gpt-oss-20b | #entries-shown = ...“openai/gpt-oss-20b” is gpt_oss: sigmoid.
| EVERY × 1 | .entries-fold[open] summary:visible = G (1)
fill SEARCH = laion/CLIP-ViT-H-14-laion2B-s32B-b79K | EVERY × 2
| #entries-shown = ...is openclip: exact....
fill SEARCH = Qwen2.5-7B | EVERY × 0 | #entries-shown = ...“Qwen2.5-7B” is qwen2: silu.
fill SEARCH = openai/no-such-model | EVERY × 0 | #entries-shown = ...Search the book...
fill SEARCH = gemma4 vision | EVERY = ...sigmoid... | EVERY × 1 | #entries-shown = 1 of ...
click #entries-filter button[type=reset]
wait {document.querySelectorAll(".entries-fold[open]").length} = 0
rest 1 | #entries-shown = All ...
""".replace("ROWS", "EVERY >> nth=0")
FILTERED = FILTERED.replace("EVERY", ".entries-fold[open] tbody tr:visible")
FILTERED = FILTERED.replace("SEARCH", "#entries-filter input[type=search]")


@pytest.mark.browser
def test_the_filter_opens_the_letters_that_have_what_is_asked_for(tab):
    page, wrong = tab
    page.goto("book/models.html")
    Walk(page).go(FILTERED)
    assert not wrong
