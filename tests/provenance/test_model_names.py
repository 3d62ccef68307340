"""What names mean: as hubs have them, beside what is known of each from elsewhere."""

import re

import pytest
from hub_names import HUB

from gelu_lib import form_of
from gelu_lib.provenance.atlas.model_names import names, parse_names
from gelu_lib.provenance.atlas.models import model_parts
from gelu_lib.rows import DataError, contents


@pytest.mark.parametrize(("name", "model", "forms"), HUB)
def test_no_name_of_a_hub_gets_a_wrong_answer(name, model, forms):
    if model == "refused":
        with pytest.raises(ValueError, match=r"; look at model_type in config\.json$"):
            form_of(name)
        return
    rows = form_of(name)
    assert sorted({row.model for row in rows}) == model.split()
    for said in forms.split():
        part, _, form = said.rpartition("=")
        first = next(row for row in rows if row.part == (part or rows[0].part))
        assert first.form == form, said


def test_names_are_many_and_belong_to_the_model_of_their_class():
    assert len({name for name, *_ in HUB}) == len(HUB) >= 250
    assert len({alias.name for alias in names().aliases}) >= 100
    # an owner; a name of another model too; one whose weights need not have the default
    taken = {"openai", "ministral3", "pixtral"}
    for model in {row.model for row in model_parts()} - taken:
        assert {row.model for row in form_of(model)} == {model}
    rows = contents("names.toml")["read"]
    named = [
        (CLASS.match(as_it_stands), of) for row in rows for _, of, as_it_stands in row["names"]
    ]
    pairs = {(found[1].lower().replace("_", ""), of.split()[0]) for found, of in named if found}
    assert len(pairs) > 40
    others = {(name, of) for name, of in pairs if not name.startswith(of.replace("_", ""))}
    assert others == {("paligemma", "siglip")}  # a row for each of its two parts


@pytest.mark.parametrize("word", ["omni", "V", "moe", "4.5", "v9", "a3b", "laion2b", "moderbert"])
@pytest.mark.parametrize("name", ["BERT", "gemma-3", "facebook/opt-1.3b"])
def test_a_word_that_is_not_understood_is_refused(name, word):
    assert form_of(name)
    with pytest.raises(ValueError, match="look at model_type"):
        form_of(f"{name}-{word}")


GIVEN = """
understood = 'big'
share = 'a3b'
mixtures = []
refused = { "bert big" = "it is no BERT" }
[[read]]
repository = "o/r"
path = "MODEL.py"
release = "1"
names = [["bertram", "bert model", "o/Bertram"]]
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"bert model"', '"brt"'), "bertram: of is 'brt', which has no row"),
        (('"bert model"', '"bert vision"'), "which has no row"),
        (('"bertram", "bert model"', '"Bert", "bert"'), "understood without this entry"),
        (('"bertram"', '"big-bert"'), ""),
        (('"bertram"', '"bert-big"'), "bert-big: is refused"),
        (('release = "1"', ""), "needs repository, path and one of commit and release"),
        (("mixtures = []", "mixture = []"), "mixture"),
    ],
)
def test_an_entry_that_breaks_a_rule_is_refused(change, message):
    assert parse_names(GIVEN).aliases[0].path == "bert.py"
    if not message:
        assert parse_names(GIVEN.replace(*change))
        return
    with pytest.raises((DataError, KeyError), match=re.escape(message)):
        parse_names(GIVEN.replace(*change))


CLASS = re.compile(r"(\w+)(?:For\w+|Model): ")
