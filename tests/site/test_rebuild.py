"""A second build of the book, from nothing, elsewhere and at another hour, gives the same bytes.

The whole book is built twice each night.
"""

from pathlib import Path

import built_site
import pytest

SHOWN = 80  # characters around a difference


def differences(first: Path, second: Path) -> list[str]:
    """The files that one of two folders lacks, and where the others first differ."""
    here, there = files(first), files(second)
    lacking = [f"{name}: only in the first" for name in sorted(here - there)]
    lacking += [f"{name}: only in the second" for name in sorted(there - here)]
    both = ((name, first / name, second / name) for name in sorted(here & there))
    return lacking + [
        f"{name}: {first_difference(one.read_bytes(), other.read_bytes())}"
        for name, one, other in both
        if one.read_bytes() != other.read_bytes()
    ]


def files(folder: Path) -> set[str]:
    """The addresses of all files in a folder, hidden ones too."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def first_difference(one: bytes, other: bytes) -> str:
    """The line and the byte at which two texts begin to differ, and what stands there in each."""
    pairs = enumerate(zip(one, other, strict=False))
    common = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
    line = one.count(b"\n", 0, common) + 1
    start = max(common - SHOWN // 2, 0)
    parts = [text[start : common + SHOWN // 2] for text in (one, other)]
    return f"line {line}, byte {common}: {parts[0]!r} against {parts[1]!r}"


ELSEWHERE = "Pacific/Auckland"


@pytest.mark.slow
def test_a_second_build_gives_the_same_bytes(site, monkeypatch, tmp_path):
    monkeypatch.setenv("TZ", ELSEWHERE)
    found = differences(site, built_site.build(tmp_path))
    assert not found, "\n".join(found)


def test_the_same_files_do_not_differ(tmp_path):
    for name in ("one", "other"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / ".page").write_bytes(b"same\n")
    assert differences(tmp_path / "one", tmp_path / "other") == []


def test_a_difference_is_named_with_its_place(tmp_path):
    for name, page in (("one", b"a\nb 2025\n"), ("other", b"a\nb 2026\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page").write_bytes(page)
        (tmp_path / name / f".{name}").touch()
    assert differences(tmp_path / "one", tmp_path / "other") == [
        ".one: only in the first",
        ".other: only in the second",
        r"page: line 2, byte 7: b'a\nb 2025\n' against b'a\nb 2026\n'",
    ]


def test_a_file_that_ends_early_differs_where_it_ends():
    assert first_difference(b"a\nb", b"a\n") == r"line 2, byte 2: b'a\nb' against b'a\n'"
