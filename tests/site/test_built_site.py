"""One site for all processes of a test run, and the words of a build that fails."""

import multiprocessing
from pathlib import Path

import pytest
from built_site import faults, made_once


def test_an_early_fault_is_reported_however_long_the_log_is():
    assert "a.md:1: WARNING: lost" in faults("a.md:1: WARNING: lost\n" + "copying images\n" * 9999)


def note(folder: Path) -> None:
    """Leave a mark for each time that the folder is filled."""
    (folder / "note").write_text("full")
    with folder.with_name("times").open("a") as times:
        times.write("once\n")


def test_of_several_processes_one_fills_the_folder_and_nobody_waits_for_ever(tmp_path):
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        folders = pool.starmap(made_once, [(tmp_path / "site", note)] * 6)
    assert {(folder / "note").read_text() for folder in folders} == {"full"}
    assert (tmp_path / "times").read_text() == "once\n"
    (tmp_path / "other").mkdir()  # as if another process were filling it
    with pytest.raises(RuntimeError, match=r"not filled within 0\.1 s"):
        made_once(tmp_path / "other", note, patience=0.1)


def test_who_asks_later_hears_of_the_failure_too(tmp_path):
    def fail(folder: Path) -> None:
        raise RuntimeError("a page is broken")

    for make in (fail, note):
        with pytest.raises(RuntimeError, match="a page is broken"):
            made_once(tmp_path / "site", make)
