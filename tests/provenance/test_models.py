"""Which form each part of a model needs: names, parts, forms, and who computes another."""

import re
from zipfile import ZipFile

import pytest
import record_configurations

from gelu_lib import form_of
from gelu_lib.provenance.atlas.checkpoints import configurations
from gelu_lib.provenance.atlas.models import model_parts, parse_served, part_of, programs, served
from gelu_lib.rows import DataError


def said(name):
    """The parts, names and forms of what an entry chooses."""
    return [(row.part, row.written, row.form) for row in form_of(name) if row.chosen]


@pytest.mark.parametrize(
    "name",
    ["Qwen3-VL vision", "qwen3_vl  VISION", "Qwen3 VL vision", "Qwen/Qwen3-VL-8B-Instruct vision"],
)
def test_a_model_is_found_as_people_write_it(name):
    assert said(name) == [("vision", "gelu_pytorch_tanh", "tanh")]


def test_the_rows_print_as_a_table_with_those_who_disagree_and_other_families():
    rows = form_of("Gemma 4 vision")
    first, but, *_ = repr(rows).splitlines()
    assert first.startswith("gemma4, vision") and but == "    but sigmoid in llama.cpp, mtmd"
    assert isinstance(rows, tuple) and str(rows[0]) == f"{first}\n{but}"
    assert "    but tanh in its own code" in str(form_of("ViT")[0])
    assert "gate unknown" in repr(form_of("Qwen2-VL vision"))
    rows = form_of("laion/CLIP-ViT-H-14-laion2B-s32B-b79K")
    assert [(row.model, row.part, row.form) for row in rows] == [
        ("openclip", "text", "exact"),
        ("openclip", "vision", "exact"),
    ]
    assert "no model of transformers" in str(rows[0]) and not rows[0].chosen


def test_what_an_entry_chooses_comes_first_and_is_not_taken_for_another_form():
    chosen, merger = form_of("Qwen3-VL vision")[0], form_of("Qwen3-VL vision patch merger")[0]
    assert (chosen.form, chosen.gated, merger.form, merger.chosen) == (
        "tanh",
        False,
        "exact",
        False,
    )
    row = next(row for row in form_of("DeepSeek V4") if row.written == "silu")
    assert row.form == "clamped silu" and "swiglu_limit" in row.note
    assert said("Llama") == [("model", "silu", "silu")]
    (pooler,) = (row for row in form_of("vit") if row.entry.endswith(".pooler_act"))
    assert (pooler.written, pooler.form) == ("tanh", "tanh itself")
    (bloom,) = form_of("BLOOM")
    assert not bloom.chosen and bloom.form == "tanh" and "0.79788456" in bloom.written
    assert said("GPT") == [("model", "gelu", "tanh")]
    assert {row.family for row in (bloom, *form_of("GPT"))} == {"bloom", "gpt"}


@pytest.mark.parametrize("name", ["gpt-oss-20b", "MiniMax-M3 text", "OpenAI-privacy-filter"])
def test_a_silu_that_is_none_says_so(name):
    (row,) = form_of(name)
    assert row.form == "sigmoid" and "swiglu_alpha = 1.702" in row.note and "no SiLU" in row.note
    assert row.gated is True


def test_parts_are_listed_and_disagreement_is_found_by_comparing():
    assert said("T5") == [("model", "relu", "relu"), ("1.1", "gated-gelu", "tanh")]
    assert said("T5 1.1") == [("1.1", "gated-gelu", "tanh")]
    assert said("Qwen2-VL") == [("vision", "quick_gelu", "sigmoid"), ("text", "silu", "silu")]
    assert form_of("Qwen2-VL vision")[0].gated is None
    assert form_of("Gemma 4 vision")[0].gated is form_of("Gemma 3")[0].gated is True
    assert form_of("Qwen3-VL vision")[0].gated is False
    (row,) = (row for row in form_of("Gemma 4 vision") if row.chosen)
    assert [(one.where, one.form) for one in row.disagree] == [("llama.cpp, mtmd", "sigmoid")]
    assert {one.form for one in row.others} == {"sigmoid", "tanh"}
    (neox,) = (row for row in form_of("GPT-NeoX") if row.chosen)
    assert {(one.where, one.form) for one in neox.disagree} == {
        ("mlx-lm", "tanh"),
        ("llama.cpp", "tanh"),
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("moderbert", "no model that is known has it; near are modernbert"),
        ("Qwen3-VL audio", "qwen3_vl has no part audio, its parts are vision, text"),
        ("", "no model that is known has it; look at model_type in config"),
        ("GLM-4.6V", "no model that is known has it; near are glm4_moe, glm4v_moe, glm4v"),
        ("openai whisper", "no model that is known has it; near are whisper"),
        ("dinov2-giant", "the largest DINOv2 has SwiGLU and no GELU; look at"),
        ("gemma-3-4b-a3b", "gemma3 has no experts, and the name has; look at"),
        ("Llama-3.1-11B-Vision", "llama has no part vision, its parts are model; look at"),
        (" ".join(["bert", *13 * ["base"]]), "no model that is known has it; near are bert"),
    ],
)
def test_a_name_that_no_model_has_is_refused_with_what_is_near(name, message):
    with pytest.raises(ValueError, match=f"name is {name!r}.*{message}"):
        form_of(name)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="name is 3; accepted"):
        form_of(3)


@pytest.mark.parametrize(
    ("model", "kind", "part"),
    [
        ("qwen3_vl", "Qwen3VLVisionConfig", "vision"),
        ("qwen3_vl", "Qwen3VLTextConfig", "text"),
        ("kimi_k25", "Kimi_K25VisionConfig", "vision"),
        ("paddleocr_vl", "PaddleOCRTextConfig", "text"),
        ("flava", "FlavaImageConfig", "vision"),
        ("qwen2_5_omni", "Qwen2_5OmniAudioEncoderConfig", "audio"),
        ("voxtral", "VoxtralEncoderConfig", "encoder"),
        ("sam2", "Sam2MaskDecoderConfig", "mask decoder"),
        ("bert", "BertConfig", "model"),
        ("audio_spectrogram_transformer", "ASTConfig", "model"),
        ("openai", "OpenAIGPTConfig", "model"),
    ],
)
def test_the_part_is_told_by_the_name_of_the_class(model, kind, part):
    assert part_of(model, kind) == part


def test_rows_are_whole_parts_are_told_by_names_and_gates_by_configurations():
    rows = model_parts()
    assert all(row.part and row.form for row in rows)
    entries = {(row.model, row.entry) for row in rows if row.chosen}
    assert entries >= {(m, e) for m, at in configurations()["models"].items() for e in at}
    met = {id(one) for row in model_parts() for one in row.others}
    assert [one for *_, one in served() if id(one) not in met] == []
    assert all(bool(one.commit) != bool(one.release) for one in programs().values())
    assert part_of("rt_detr", "RTDetrResNetConfig", alone=False) != "model"
    shared = MODELING.replace("OursVisionMLP", "OursMLP")
    entries = ["OursVisionConfig.hidden_act", "OursTextConfig.hidden_act"]
    assert record_configurations.gates(shared, "ours", entries[:1]) == {entries[0]: True}
    assert record_configurations.gates(shared, "ours", entries) == {}


ROW = """
[a]
name = "A"
repository = "o/r"
release = "1"
computes = [{ of = "bert", form = "tanh", path = "p", text = "t" }]
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"bert"', '"brt"'), "a: of names 'brt', which is no model"),
        (('"tanh"', '"erf"'), "a: form is 'erf'; accepted are exact"),
        (('path = "p", ', ""), "a: needs repository, path and one of commit and release"),
        (('repository = "o/r"\n', ""), "a: needs repository"),
        ((', text = "t"', ""), "a: a field is missing"),
        (('release = "1"', 'release = "1"\ncommit = "x"'), "one of commit and release"),
        (('release = "1"', 'commit = "main"'), "accepted are 40 hexadecimal digits"),
        (("repository", "repo"), "a: repo is no field"),
    ],
)
def test_a_row_of_a_program_that_breaks_a_rule_is_refused(change, message):
    assert parse_served(ROW)[1][0][:3] == ("bert", "model", "")
    with pytest.raises(DataError, match=re.escape(message)):
        parse_served(ROW.replace(*change))


CONFIGURATION = """
class OursVisionConfig(PreTrainedConfig):
    hidden_act: str = "quick_gelu"
    dropout: float = 0.1
    swiglu_limit: float = 7.0

class OursTextConfig(PreTrainedConfig):
    feed_forward_proj: str = "gated-gelu"
    scoring: str = "gelu_of_nobody"
    hidden_act: str | None = None
"""
MODELING = """
def ours_gelu(x):
    return x * erf(x)

def ours_gelu_back(x):
    return 1

class OursVisionMLP(nn.Module):
    def __init__(self, config):
        self.act = ACT2FN[config.hidden_act]
        self.gate_proj = nn.Linear(1, 1)

class OursHead(nn.Module):
    def __init__(self):
        self.gelu = nn.GELU(approximate="tanh")

    def forward(self, x):
        return F.gelu(x) + self.gelu(x) + ACT2FN["gelu"](x) + nn.ReLU(x)
"""


def wheel(tmp_path, release="9.8.7", configuration=CONFIGURATION):
    path = tmp_path / f"transformers-{release}-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        table = 'ACT2CLS = {"gelu": GELU, "quick_gelu": Quick}'
        archive.writestr("transformers/activations.py", table)
        archive.writestr("transformers/models/ours/configuration_ours.py", configuration)
        archive.writestr("transformers/models/ours/modeling_ours.py", MODELING)
    return path


def test_the_record_has_entries_gates_limits_and_formulas_and_nothing_else(tmp_path):
    entries = {
        "OursVisionConfig.hidden_act": "quick_gelu",
        "OursTextConfig.feed_forward_proj": "gated-gelu",
    }
    assert record_configurations.recorded(wheel(tmp_path)) == {
        "release": "9.8.7",
        "models": {"ours": entries},
        "gates": {"ours": {"OursVisionConfig.hidden_act": True}},
        "limits": {"ours": {"OursVisionConfig.swiglu_limit": 7.0}},
        "own": {
            "ours": {
                "ours_gelu": ["x * erf(x)"],
                "OursHead": ["GELU('tanh')", "gelu()", "ACT2FN['gelu']"],
            }
        },
    }


def test_what_moved_in_a_newer_release_is_printed(tmp_path):
    old = record_configurations.recorded(wheel(tmp_path))
    new = CONFIGURATION.replace("quick_gelu", "gelu").replace("hidden_act: str |", "act: str |")
    found = record_configurations.recorded(wheel(tmp_path, "9.9.0", new))
    assert list(record_configurations.moved(old, found)) == [
        "release 9.8.7 -> 9.9.0",
        "models: ours OursVisionConfig.hidden_act: quick_gelu -> gelu",
    ]
