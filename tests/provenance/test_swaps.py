"""The swaps in silence: the rules of a row, and that it agrees with what the other files say."""

import re
from itertools import permutations

import numpy as np
import pytest
from reader import table
from scipy.special import expit

from gelu_lib.activations import FORMS
from gelu_lib.provenance.atlas.model_names import form_of
from gelu_lib.provenance.atlas.models import programs
from gelu_lib.provenance.atlas.swaps import parse_swaps, swaps
from gelu_lib.rows import DataError, contents

ROW = """
[a]
name = "A"
asked = "exact"
computed = "tanh"
status = "stands"
date = "2026-10-01"
repository = "o/r"
path = "p"
release = "1"
text = "t"
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('asked = "exact"', 'asked = "erf"'), "a: asked is 'erf'; accepted are exact"),
        (('asked = "exact"', 'asked = "silu"'), "a: asked is 'silu'; accepted are exact"),
        (
            ('computed = "tanh"', 'computed = "relu"'),
            "computed is 'relu'; accepted are exact, tanh",
        ),
        (('asked = "exact"', 'asked = "tanh"'), "a: asked and computed are both tanh"),
        (('"stands"', '"mended"'), "a: status is 'mended'; accepted are stands"),
        (('"2026-10-01"', '"October"'), "a: date is 'October'"),
        (('date = "2026-10-01"', ""), "a: date is ''"),
        (('text = "t"', 'text = "t"\nsince = "now"'), "since 'now'; needs"),
        (('release = "1"', ""), "one of commit and release"),
        (('release = "1"', 'commit = "main"'), "accepted are 40 hexadecimal digits"),
        (('path = "p"', 'file = "p"'), "a: file is no field"),
        (('text = "t"', ""), "a: a field is missing"),
    ],
)
def test_a_row_that_breaks_a_rule_is_refused(change, message):
    assert parse_swaps(ROW)["a"].source == "[o/r](https://github.com/o/r), release 1"
    with pytest.raises(DataError, match=re.escape(message)):
        parse_swaps(ROW.replace(*change))


@pytest.mark.parametrize(
    ("swap", "model", "program"),
    [
        ("mtmd-gemma-4", "Gemma 4 vision", "llama.cpp, mtmd"),
        ("mtmd-exact", "Llama 4 vision", "llama.cpp, mtmd"),
        ("text-embeddings-inference", "BERT", "text-embeddings-inference"),
        ("mlx-embeddings", "ModernBERT", "mlx-embeddings"),
        ("mlx-lm-neox", "GPT-NeoX", "mlx-lm"),
        ("mlx-lm-starcoder", "StarCoder2", "mlx-lm"),
        ("whisper-cpp", "Whisper", "whisper.cpp"),
        ("vllm-bloom", "BLOOM", "vLLM"),
        ("sglang-siglip", "SigLIP vision", "SGLang"),
        ("sglang-gemma", "Gemma", "SGLang"),
        ("vllm-flashinfer", "Gemma 4 text", "vLLM, experts on FlashInfer"),
        ("candle-gemma-3", "Gemma 3", "candle, weights as GGUF"),
    ],
)
def test_a_swap_is_what_the_comparison_of_the_models_finds(swap, model, program):
    row = form_of(model)[0]
    found = {(row.form, one.form) for one in row.disagree if one.where == program}
    assert found == {(swaps()[swap].asked, swaps()[swap].computed)}


X = np.linspace(-8, 8, 160_001)
VALUES = {name: form(X) for name, form in FORMS.items()} | {"silu": X * expit(X)}
APART = {(a, b): np.abs(VALUES[a] - VALUES[b]).max() for a, b in permutations(VALUES, 2)}
"""How far two forms are from each other on the interval of the page, found on a grid."""


def test_each_row_of_the_page_has_how_far_its_two_forms_are_apart():
    rows = {re.sub(r"<[^>]*>|\*\*", "", row[0]): row[1:] for row in table("frameworks", "where")}
    assert len(rows) == len(swaps())
    for swap in swaps().values():
        form, far, text = rows[swap.name.replace("'", "’")]
        assert form == f"**{swap.computed}**<br>for {swap.asked}"
        assert far == f"{APART[swap.asked, swap.computed]:#.3g}", swap.id
        assert text.startswith(swap.text)
    met = {(one.asked, one.computed) for one in swaps().values()}
    *others, largest = sorted({APART[pair] for pair in met})
    assert largest == APART["tanh", "silu"]
    assert round(largest / others[-1]) == 9  # as the page says
    assert f"{APART['exact', 'silu']:.6f}" == "0.193002"
    assert f"{APART['exact', 'sigmoid']:#.3g}" == "0.0203"


def test_sources_and_programs_are_cited_at_one_place_and_at_one_date():
    places = {(one.repository, one.commit or one.release) for one in programs().values()}
    repositories = {repository for repository, _ in places}
    for swap in swaps().values():
        if swap.repository in repositories:
            assert (swap.repository, swap.commit or swap.release) in places, swap.id
    assert parse_swaps(f"{ROW}thread = 7")["a"].source.endswith(
        "[#7](https://github.com/o/r/issues/7)"
    )
    names = ("frameworks.toml", "served.toml", "swaps.toml", "checkpoints.toml")
    dated = {pair for name in names for pair in sources(contents(name))}
    assert len(dated) == len(dict(dated)) > 30
    assert all(swap.since <= swap.date for swap in swaps().values() if swap.date)


def sources(table):
    """Every source of a file that has a date, with it."""
    if isinstance(table, dict) and {"repository", "date"} <= table.keys():
        yield (table["repository"], table.get("commit") or table["release"]), table["date"]
    for inner in table.values() if isinstance(table, dict) else ():
        yield from sources(inner)


@pytest.mark.parametrize(("program", "row"), contents("served.toml").items())
def test_one_text_of_a_program_computes_one_form(program, row):
    computed = {(one["text"], one["form"]) for one in row["computes"]}
    assert len(computed) == len(dict(computed))
