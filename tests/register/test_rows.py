"""The one reader of the data files: what it makes of a table, and what it refuses."""

import re
from dataclasses import dataclass

import pytest

from gelu_lib.rows import DataError, check, contents, filled, tables


@dataclass(frozen=True)
class Bird:
    id: str
    colours: tuple[str, ...]
    size: str = "small"


def test_a_table_becomes_an_object_that_nobody_can_change_by_the_ending_of_its_file():
    bird = filled(Bird, "wren", {"colours": ["brown", ["grey", {"of": "wing"}]]})
    assert (bird.id, bird.size) == ("wren", "small")
    assert bird.colours == ("brown", ("grey", {"of": "wing"}))
    with pytest.raises(TypeError):
        bird.colours[1][1]["of"] = "tail"
    check("wren", bird, size={"small", "large"})
    assert contents("claims.toml").keys() & {"en-definition"} and contents("networks.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colours = []\ncolour = 1", "wren: colour is no field; accepted are colours, size"),
        ("id = 'finch'\ncolours = []", "wren: id is no field"),
        ("size = 'small'", "wren: a field is missing: "),
        ("colours = []\nsize = 'huge'", "wren: size is 'huge'; accepted are small, large"),
        ("colours = []\nsize = {is = 'small'}", "wren: size is mappingproxy({'is': 'small'});"),
        ("colours = []\ncolours = []", "the data cannot be read: "),
    ],
)
def test_what_breaks_a_rule_is_refused(text, message):
    with pytest.raises(DataError, match=re.escape(message)):
        check("wren", filled(Bird, "wren", tables(text)), size=("small", "large"))
