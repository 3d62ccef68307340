"""The script that reads rows of the atlas again: what moved is printed, and nothing else is."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import reread_frameworks

from gelu_lib.provenance.atlas.frameworks import atlas

CUTLASS = atlas()["cutlass"]
TEXT = "k0 = float(0.7978845608028654); k1 = 0.044715; 3 * k1 * k0; 0.1070322243f; beta = 0.044;"


def test_what_moved_is_named():
    assert list(reread_frameworks.moved(CUTLASS, TEXT)) == []
    changed = TEXT.replace("0.044715", "0.0447151").replace("0.1070322243f", "three")
    assert list(reread_frameworks.moved(CUTLASS, changed)) == [
        "gone: 0.044715",
        "gone: 0.1070322243",
        "new: 0.0447151",
    ]
    row = replace(CUTLASS, literals=("0x3f4c422a", "-1.702f"))
    assert list(reread_frameworks.moved(row, "x * -1.702f; mov eax, 0x3f4c422a")) == []
    assert list(reread_frameworks.moved(row, "x")) == ["gone: 0x3f4c422a", "gone: -1.702f"]


def test_a_clone_is_read_at_its_newest_commit_and_a_file_that_is_gone_is_refused(tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    path = tmp_path / CUTLASS.path
    path.parent.mkdir(parents=True)
    path.write_text(TEXT, encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], check=True)
    path.write_text("later", encoding="utf-8")
    what, text = reread_frameworks.text_of(CUTLASS, tmp_path)
    assert text == TEXT and len(what.split()[0]) == 40
    with pytest.raises(SystemExit, match=r"mlx: python/mlx/nn/layers/activations[.]py is gone"):
        reread_frameworks.text_of(atlas()["mlx"], tmp_path)


def test_a_file_is_read_and_an_unknown_row_is_refused(tmp_path, capsys):
    path = Path(tmp_path) / "activation.h"
    path.write_text(TEXT, encoding="utf-8")
    reread_frameworks.main([f"cutlass={path}"])
    assert capsys.readouterr().out == "cutlass: read activation.h\n"
    with pytest.raises(SystemExit, match="no row of the atlas nobody"):
        reread_frameworks.main([f"nobody={path}"])
