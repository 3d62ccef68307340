"""Python for the reader's browser: its locks, how it is fetched, and what a build makes of it."""

import hashlib
import json
import re
import zipfile
from pathlib import Path

import browser
import fetch_runtime
import pytest
import run_page
import runtime_files
from execute import normalise
from nbformat import v4
from runtime_files import PLACE, ROOT, faults, files, read
from small_site import OWN_THEME, build, page, scripts
from sphinx.errors import ConfigError

FIRST, SECOND = "python.wasm", "sums-1.0-py3-none-any.whl"
EXTENSIONS = ["myst_nb", "katex_at_build", "notebook_pages", "page_head", "page_parts"]


@pytest.fixture
def source(tmp_path, monkeypatch) -> Path:
    """A folder with the two files of a lock that stands in the place of those of the book."""
    folder, locks = tmp_path / "source", tmp_path / "locks"
    (locks / "licences").mkdir(parents=True)
    (locks / "licences" / "MPL.txt").write_text("Share alike.")
    folder.mkdir()
    (folder / FIRST).write_bytes(b"\0asm")
    with zipfile.ZipFile(folder / SECOND, "w") as wheel:
        wheel.writestr("sums-1.0.dist-info/LICENSE", "As you like.")
    same = {"licence": "MPL-2.0", "source": "https://example.org/", "from": ["cdn"]}
    first, second = (
        {"file_name": name, "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()}
        for name in (FIRST, SECOND)
    )
    lock = {
        "info": {"python": "3.12.7"},
        "cdn": (tmp_path / "cdn").as_uri() + "/",
        "core": {FIRST: first | same | {"texts": ["MPL.txt"]}},
        "packages": {"sums": second | same},
    }
    (locks / "small.json").write_text(json.dumps(lock))
    monkeypatch.setattr(runtime_files, "LOCKS", locks)
    monkeypatch.setenv(fetch_runtime.VARIABLE, str(folder))
    return folder


def lacking(lock: dict) -> list[str]:
    """What a lock does not say of its files, and the packages that it needs and has not."""
    found, packages = [], lock["packages"]
    for file in files(lock):
        hashed = re.fullmatch(r"[0-9a-f]{64}", file["sha256"])
        known = "size" in file or file["from"] == ["cdn"]
        texts = (runtime_files.LOCKS / "licences" / name for name in file.get("texts", ()))
        said = hashed and known and file["licence"] and file["source"]
        found += [] if said and all(path.exists() for path in texts) else [file["file_name"]]
    needed = {name for package in packages.values() for name in package["depends"]}
    return found + sorted(needed - packages.keys())


@pytest.mark.parametrize("name", runtime_files.names())
def test_a_lock_names_hash_licence_and_source_of_each_file_and_lacks_no_package(name):
    lock = read(name)
    assert lacking(lock) == []
    assert all(package["version"] in package["file_name"] for package in lock["packages"].values())
    first = next(iter(lock["core"].values()))
    for key, wrong in (("sha256", "0"), ("licence", ""), ("source", ""), ("texts", ["no.txt"])):
        core = lock["core"] | {"wrong": first | {key: wrong}}
        assert lacking(lock | {"core": core}) == [first["file_name"]]
    assert "mpmath" in lacking(lock | {"packages": {"sympy": lock["packages"]["sympy"]}})


def test_what_readers_get_is_what_was_tested_and_one_file_more():
    tested, published = read("tested"), read("published")
    more = {name: published["packages"].pop(name) for name in ["ml-dtypes"]}
    assert published == tested and [file["from"] for file in more.values()] == [["cdn"]]
    assert all(file["from"][0] != "cdn" for file in files(tested))


def test_the_tested_set_is_that_of_its_lock_with_a_text_of_each_licence(tmp_path):
    folder, lock, made = ROOT / PLACE / "tested", read("tested"), tmp_path / "licences"
    if not folder.exists():
        browser.without_runtime("tested", "python3 tools/fetch_runtime.py tested fetches it")
    assert faults(folder, lock) == []
    assert all((folder / file["file_name"]).stat().st_size == file["size"] for file in files(lock))
    runtime_files.write_licences(folder, lock, made)
    lines = re.findall("  texts: (.+)", (made / "index.txt").read_text(encoding="utf-8"))
    assert len(lines) == len(files(lock))
    assert all((made / text).is_file() for line in lines for text in line.split(", "))


def test_files_come_from_a_folder_once_and_then_are_there(source, tmp_path, capsys):
    made = tmp_path / "made"
    fetch_runtime.main("small", place=made)
    assert {path.name for path in (made / "small").iterdir()} == {FIRST, SECOND, runtime_files.LOCK}
    (source / FIRST).unlink()
    (source / SECOND).unlink()
    fetch_runtime.main("small", place=made)
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["has", "is"]
    (made / "small" / FIRST).write_bytes(b"\0ASM")  # damaged, and to be fetched again
    with pytest.raises(SystemExit, match=f"^not to be had: {FIRST}; --cdn would ask the network"):
        fetch_runtime.main("small", place=made)
    (made / "small.part" / "sums-0.9.whl").touch()  # of an older lock
    (source / FIRST).write_bytes(b"\0asm")
    fetch_runtime.main("small", place=made)
    assert {path.name for path in made.rglob("*.*")} == {FIRST, SECOND, runtime_files.LOCK}


@pytest.mark.parametrize("data", [b"\0aSm", b"\0as"], ids=["wrong byte", "cut off"])
def test_a_file_that_is_not_that_of_the_lock_is_refused(source, tmp_path, data, capsys):
    (tmp_path / "cdn").mkdir()
    for folder in (source, tmp_path / "cdn"):
        (folder / FIRST).write_bytes(data)
    with pytest.raises(SystemExit, match=rf"cdn: {FIRST} has the sha256 \w+, .*; it is refused$"):
        fetch_runtime.main("small", True, tmp_path / "made")
    assert [path.name for path in (tmp_path / "made").rglob("*.*")] == ["small.part", SECOND]
    (tmp_path / "cdn" / FIRST).write_bytes(b"\0asm")
    fetch_runtime.main("small", True, tmp_path / "made")
    assert capsys.readouterr().err.count("passed over") == 2


def test_what_cannot_be_written_or_is_no_folder_made_here_is_told(source, tmp_path, monkeypatch):
    made = tmp_path / "made"
    made.mkdir()
    (made / "small").symlink_to(source)
    with pytest.raises(SystemExit, match="is left as it is; move it away"):
        fetch_runtime.main("small", place=made)
    (made / "small").unlink()

    def full(path, data):
        raise OSError("no space left")

    with monkeypatch.context() as disk, pytest.raises(SystemExit, match="cannot be written: no sp"):
        disk.setattr(Path, "write_bytes", full)
        fetch_runtime.main("small", place=made)
    fetch_runtime.main("small", place=made)
    assert faults(made / "small", read("small")) == []


def test_two_runs_at_once_do_not_hinder_each_other(source, tmp_path, monkeypatch):
    keep = fetch_runtime.keep

    def kept(part, file, data, place):
        monkeypatch.setattr(fetch_runtime, "keep", keep)
        with monkeypatch.context() as other:
            other.setattr(fetch_runtime.os, "getpid", lambda: 0)
            fetch_runtime.main("small", place=tmp_path)
        keep(part, file, data, place)

    monkeypatch.setattr(fetch_runtime, "keep", kept)
    fetch_runtime.main("small", place=tmp_path)
    assert {path.name for path in tmp_path.glob("small*")} == {"small"}


def test_a_lock_names_no_file_elsewhere():
    with pytest.raises(ValueError, match=r"names '\.\./escaped', which is no name of a file"):
        files({"core": {"escaped": {"file_name": "../escaped"}}, "packages": {}})


def test_what_cannot_be_had_is_named_with_the_reason_and_a_later_run_goes_on(
    source, tmp_path, monkeypatch
):
    with pytest.raises(SystemExit, match="no set called large; accepted are small"):
        fetch_runtime.main("large", place=tmp_path)
    (source / FIRST).rename(tmp_path / FIRST)
    with pytest.raises(SystemExit, match=f"had: {FIRST}; cdn: .*No such file"):  # and no network
        fetch_runtime.main("small", cdn=True, place=tmp_path)
    assert not (tmp_path / "small").exists()
    (tmp_path / "cdn").mkdir()
    (tmp_path / FIRST).rename(tmp_path / "cdn" / FIRST)
    monkeypatch.setenv(fetch_runtime.VARIABLE, str(tmp_path / "none"))
    with pytest.raises(SystemExit, match=f"had: {FIRST}; .*none: {fetch_runtime.VARIABLE} names"):
        fetch_runtime.main("small", place=tmp_path)
    fetch_runtime.main("small", cdn=True, place=tmp_path)
    assert faults(tmp_path / "small", read("small")) == []


def notebook() -> str:
    """Two cells that are joined, one that only shows something, one left out, and an open one."""
    tags = ["hide-input", "hide-input", "remove-input", "remove-cell", "open"]
    shown = [v4.new_output("stream", text="shown")]
    cells = [
        v4.new_code_cell(text, metadata={"tags": [tag]}, outputs=shown * (tag == "remove-input"))
        for tag, text in zip(tags, ("import math", "a = 1", "b = 2", "c = 3", "d = 4"), strict=True)
    ]
    language = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    made = v4.new_notebook(cells=[v4.new_markdown_cell("# Cells"), *cells], metadata=language)
    normalise(made, "cells")
    return v4.writes(made)


def made_site(folder: Path, more=(), name="small") -> dict[str, bytes]:
    """The files of a site with a notebook in a folder, by their addresses."""
    pages = {
        "index.md": "# Book\n\n```{toctree}\nbook/cells\n```\n",
        "book/cells.ipynb": notebook(),
    }
    settings = OWN_THEME | ({"run_page_runtime": name} if more else {})
    given = {
        "extensions": [*EXTENSIONS, *more],
        "nb_execution_mode": "off",
        "html_use_index": False,
    }
    site, _ = build(folder, pages, **settings, **given)
    return {str(p.relative_to(site)): p.read_bytes() for p in site.rglob("*") if p.is_file()}


def test_with_the_files_pages_have_the_script_and_without_them_no_byte_changes(source, tmp_path):
    place, run = tmp_path / "with", ["run_page"]
    lying, site = place / "source" / PLACE, place / "site"
    assert made_site(place, run) == made_site(tmp_path / "without")
    fetch_runtime.main("small", place=lying)
    assert made_site(place, run) == made_site(place, run)
    assert "run-page.js" in scripts(site, "book/cells.html") and "run-page.js" not in scripts(site)
    cells = page(site, "book/cells.html")
    told = json.loads(cells.find(id="run-page").string)
    assert [told[key] for key in ("set", "python", "packages")] == ["small", "3.12.7", ["sums"]]
    assert told["notebook"] == "cells.ipynb"  # from the page, as are the others
    for address in (told["katex"], told["kernel"] + "kernel.py", told["runtime"] + FIRST):
        assert (site / "book" / address).is_file()
    assert faults(site / "book" / told["runtime"], read("small")) == []
    assert (site / "_static/runtime/licences/MPL.txt").read_text() == "Share alike."
    # the second of those that are joined, what only shows something, and the open one
    assert [cell["data-cell"] for cell in cells.select("div.cell")] == ["2", "3", "5"]
    (lying / "small" / FIRST).write_bytes(b"\0ASM")
    (lying / "small" / SECOND).unlink()
    said = rf"{FIRST} has the sha256 .*; {SECOND} is missing; .*fetch_runtime.py small mends it"
    with pytest.raises(ConfigError, match=said):
        made_site(place, run)
    with pytest.raises(ConfigError, match="no set of files is called 'large'; there are small"):
        made_site(place, run, "large")


def test_another_lock_makes_the_pages_anew_and_a_set_that_was_asked_for_must_be_there(
    source, tmp_path, monkeypatch
):
    fetch_runtime.main("small", place=tmp_path / "source" / PLACE)
    made_site(tmp_path, ["run_page"])
    path = runtime_files.LOCKS / "small.json"
    path.write_text(path.read_text().replace("3.12.7", "3.14.0"))
    made = made_site(tmp_path, ["run_page"])["book/cells.html"].decode()
    assert '"python": "3.14.0"' in made and "3.12.7" not in made
    monkeypatch.setenv(run_page.VARIABLE, "small")
    with pytest.raises(ConfigError, match=r"is missing; .* mends it"):
        made_site(tmp_path / "empty", ["run_page"], "")
