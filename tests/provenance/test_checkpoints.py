"""The table of published weights and of the names of the forms: its rules, and that it agrees."""

import re

import pytest
import record_configurations

from gelu_lib.activations import FORMS
from gelu_lib.provenance.atlas.checkpoints import (
    configurations,
    families,
    form_names,
    parse_checkpoints,
)
from gelu_lib.provenance.atlas.frameworks import atlas
from gelu_lib.rows import DataError

SOURCE = f'repository = "a/b"\npath = "c.py"\ncommit = "{"0" * 40}"\n'
NAME = f"[name.transformers]\nname = \"T\"\nexact = ['gelu']\ntanh = ['gelu_new']\n{SOURCE}"
SEEN = '[[family.x.seen]]\nwhere = "{where}"\ntext = \'f\'\nform = "{form}"\n'
ENTRY = (
    f'{NAME}[family.x]\nname = "X"\nform = "exact"\n'
    f"{SEEN.format(where='own', form='exact')}{SOURCE}"
    f'{SEEN.format(where="transformers", form="exact")}name = "gelu"\n{SOURCE}'
)
IN_THE_ATLAS = {
    "torch": "torch-cpu",
    "tensorflow": "tensorflow",
    "keras-ops": "keras",
    "jax": "jax",
    "tinygrad": "tinygrad",
    "onnx": "onnx",
}
"""The names and the rows of the atlas that speak of the same call."""


def test_an_entry_is_read_and_one_without_what_it_needs_is_refused():
    found, called = parse_checkpoints(ENTRY)
    assert [one.where for one in found["x"].seen] == ["own", "transformers"]
    assert called["transformers"].form_of("gelu_new") == "tanh"
    assert found["x"].seen[0].source.startswith("[a/b](https://github.com/a/b/blob/000")
    lone = f'[family.x]\nname = "X"\nform = "exact"\n{SEEN.format(where="timm", form="exact")}'
    with pytest.raises(DataError, match="x: seen has neither 'own' nor 'transformers'"):
        parse_checkpoints(lone + SOURCE)
    with pytest.raises(ValueError, match="name is 'gelu_old'; accepted are gelu"):
        form_names()["transformers"].form_of("gelu_old")
    with pytest.raises(ValueError, match="no table ACT2CLS"):
        record_configurations.activations("ACT2FN = {}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('form = "exact"\n[[', 'form = "erf"\n[['), "x: form is 'erf'; accepted are exact, tanh"),
        (('form = "exact"\n[[', 'form = "tanh"\n[['), "x: form is 'tanh', and its own code"),
        (('name = "gelu"', 'name = "gelu_new"'), "x: gelu_new is no name of the exact form"),
        (('name = "gelu"', 'name = "gelu_old"'), "x: gelu_old is no name of the exact form"),
        (('name = "gelu"', 'colour = "gelu"'), "x: colour is no field; accepted are repository"),
        (("text = 'f'\n", ""), "x: a field is missing"),
        (("0" * 40, "0" * 39), "commit is '0000000"),
        (('path = "c.py"\n', ""), "needs repository, path and one of commit and release"),
        (('path = "c.py"', 'path = "c.py"\nrelease = "1"'), "one of commit and release"),
        (("tanh = ['gelu_new']", "default = \"new\"\ntanh = ['gelu_new']"), "default is 'new'"),
    ],
)
def test_an_entry_that_breaks_a_rule_is_refused(change, message):
    assert change[0] in ENTRY
    with pytest.raises(DataError, match=re.escape(message)):
        parse_checkpoints(ENTRY.replace(*change))


def test_names_and_releases_agree_with_the_atlas_and_the_record():
    for one in form_names().values():
        called = [name for form in FORMS for name in getattr(one, form)]
        assert len(called) == len(set(called)), one.id
    for id, row in IN_THE_ATLAS.items():
        assert form_names()[id].default == atlas()[row].default, id
    for family in families().values():
        assert family.at("transformers") or "we have not seen it" in family.note, family.id
    releases = {s.release for f in families().values() for s in f.at("transformers")}
    assert releases == {configurations()["release"]}
    named = [name for model in configurations()["models"].values() for name in model.values()]
    others = {name for name in named if "gelu" not in name} - {"swish"}
    most = max(named.count(name) + (name == "silu") * named.count("swish") for name in others)
    assert sum("gelu" in name for name in named) > most
