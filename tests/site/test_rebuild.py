"""A second build of the book, from nothing, elsewhere and at another hour, gives the same bytes.

The whole book is built twice each night.
"""

from pathlib import Path

import built_site
import pytest


def differences(first: Path, second: Path) -> list[str]:
    """The files of two folders that one of them lacks, or that are not the same in both."""
    here, there = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in everything(folder)}
        for folder in (first, second)
    )
    return sorted(name for name in here | there if here.get(name) != there.get(name))


def everything(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


ELSEWHERE = "Pacific/Auckland"


@pytest.mark.slow
def test_a_second_build_gives_the_same_bytes(site, monkeypatch, tmp_path):
    monkeypatch.setenv("TZ", ELSEWHERE)
    assert differences(site, built_site.build(tmp_path)) == []


def test_a_difference_is_found(tmp_path):
    for name, page in (("one", b"2025\n"), ("other", b"2026\n")):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "page").write_bytes(page)
        (tmp_path / name / "inner" / ".same").write_bytes(b"same\n")
        (tmp_path / name / f".{name}").touch()
    assert differences(tmp_path / "one", tmp_path / "other") == [".one", ".other", "page"]
