"""Python for the reader's browser: its locks, how it is fetched, and what a build makes of it."""

import hashlib
import json
import re
import zipfile
from pathlib import Path

import fetch_runtime
import nbformat
import pytest
import run_page
import runtime_files
from execute import normalise
from small_site import OWN_THEME, build, page, scripts
from sphinx.errors import ConfigError

from gelu_lib.show import stored

ROOT = Path(__file__).resolve().parents[2]
FIRST, SECOND = "python.wasm", "sums-1.0-py3-none-any.whl"
code = nbformat.v4.new_code_cell


@pytest.fixture
def source(tmp_path, monkeypatch) -> Path:
    """A folder with the two files of a lock, which stands in the place of those of the book."""
    folder, locks = tmp_path / "source", tmp_path / "locks"
    (locks / "licences").mkdir(parents=True)
    (locks / "licences" / "MPL.txt").write_text("Share alike.")
    folder.mkdir()
    (folder / FIRST).write_bytes(b"\0asm")
    with zipfile.ZipFile(folder / SECOND, "w") as wheel:
        wheel.writestr("sums-1.0.dist-info/LICENSE", "As you like.")
    first, second = (
        {
            "file_name": name,
            "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest(),
            "licence": "MPL-2.0",
            "source": "https://example.org/",
            "from": ["cdn"],
        }
        for name in (FIRST, SECOND)
    )
    lock = {
        "info": {"python": "3.12.7"},
        "cdn": (tmp_path / "cdn").as_uri() + "/",
        "core": {FIRST: first | {"texts": ["MPL.txt"]}},
        "packages": {"sums": second},
    }
    (locks / "small.json").write_text(json.dumps(lock))
    for module in (runtime_files, fetch_runtime, run_page):
        monkeypatch.setattr(module, "LOCKS", locks)
    monkeypatch.setenv(fetch_runtime.VARIABLE, str(folder))
    return folder


# --- the locks


def lacking(lock: dict) -> list[str]:
    """What a lock does not say of its files."""
    found = []
    for file in runtime_files.files(lock):
        told = re.fullmatch(r"[0-9a-f]{64}", file["sha256"]) and file["licence"] and file["source"]
        known = "size" in file or file["from"] == ["cdn"]
        texts = (runtime_files.LOCKS / "licences" / name for name in file.get("texts", ()))
        if not (told and known and file["from"] and all(path.exists() for path in texts)):
            found.append(file["file_name"])
    packages = lock["packages"]
    needed = {name for package in packages.values() for name in package["depends"]}
    return found + sorted(needed - packages.keys())


@pytest.mark.parametrize("name", runtime_files.names())
def test_a_lock_names_hash_licence_and_source_of_each_file_and_lacks_no_package(name):
    lock = runtime_files.read(name)
    assert lacking(lock) == []
    assert all(package["version"] in package["file_name"] for package in lock["packages"].values())
    first = next(iter(lock["core"].values()))
    for key, wrong in (("sha256", "0"), ("licence", ""), ("source", ""), ("texts", ["no.txt"])):
        core = lock["core"] | {"wrong": first | {key: wrong}}
        assert lacking(lock | {"core": core}) == [first["file_name"]]
    assert "mpmath" in lacking(lock | {"packages": {"sympy": lock["packages"]["sympy"]}})


def test_the_tested_set_is_that_of_its_lock_with_a_text_of_each_licence(tmp_path):
    folder, lock = ROOT / runtime_files.PLACE / "tested", runtime_files.read("tested")
    if not folder.exists():
        pytest.skip("no Python for the browser: python3 tools/fetch_runtime.py tested")
    assert runtime_files.faults(folder, lock) == []
    assert all(
        (folder / f["file_name"]).stat().st_size == f["size"] for f in runtime_files.files(lock)
    )
    runtime_files.write_licences(folder, lock, tmp_path / "licences")
    index = (tmp_path / "licences" / "index.txt").read_text(encoding="utf-8")
    texts = re.findall(r"  texts: (.+)", index)
    assert len(texts) == len(runtime_files.files(lock))
    assert all((tmp_path / "licences" / t).is_file() for line in texts for t in line.split(", "))


# --- fetching


def test_files_come_from_a_folder_once_and_then_are_there(source, tmp_path, capsys):
    fetch_runtime.main("small", place=tmp_path / "made")
    assert {path.name for path in (tmp_path / "made" / "small").iterdir()} == {
        FIRST,
        SECOND,
        "pyodide-lock.json",
    }
    for path in source.iterdir():
        path.unlink()
    fetch_runtime.main("small", place=tmp_path / "made")
    assert "has the 2 files" in capsys.readouterr().out.splitlines()[0]
    (tmp_path / "made" / "small" / FIRST).write_bytes(b"\0ASM")  # damaged since, and gone here
    with pytest.raises(SystemExit, match=f"not to be had: {FIRST}; --cdn would ask"):
        fetch_runtime.main("small", place=tmp_path / "made")


@pytest.mark.parametrize("data", [b"\0aSm", b"\0as"], ids=["wrong byte", "cut off"])
def test_a_file_that_is_not_that_of_the_lock_is_refused(source, tmp_path, data):
    (source / FIRST).write_bytes(data)
    with pytest.raises(SystemExit, match=rf"{FIRST} has the sha256 \w+, .*; it is refused$"):
        fetch_runtime.main("small", place=tmp_path / "made")
    assert [*(tmp_path / "made").rglob("*.wasm"), *(tmp_path / "made").rglob("new")] == []


def test_what_no_place_has_is_named_with_the_reason_and_a_second_run_goes_on(source, tmp_path):
    (tmp_path / "cdn").mkdir()
    (source / FIRST).rename(tmp_path / "cdn" / FIRST)
    with pytest.raises(SystemExit, match=f"^not to be had: {FIRST}; --cdn would ask the network"):
        fetch_runtime.main("small", place=tmp_path / "made")
    assert not (tmp_path / "made" / "small").exists()
    (source / SECOND).unlink()
    fetch_runtime.main("small", cdn=True, place=tmp_path / "made")
    assert runtime_files.faults(tmp_path / "made" / "small", runtime_files.read("small")) == []


def test_a_set_a_folder_and_a_network_that_are_not_there(source, tmp_path, monkeypatch):
    with pytest.raises(SystemExit, match=r"no set called large; accepted are small"):
        fetch_runtime.main("large", place=tmp_path)
    monkeypatch.setenv(fetch_runtime.VARIABLE, str(tmp_path / "none"))
    with pytest.raises(SystemExit, match=r"none: GELU_BOOK_RUNTIME_FILES names no folder; cdn: .*"):
        fetch_runtime.main("small", cdn=True, place=tmp_path)


# --- what a build makes of it


def notebook() -> str:
    """Cells that stay, that are joined, that show something alone, and that are left out."""
    tagged = [("hide-input",), ("hide-input",), ("remove-input",), ("remove-cell",), ()]
    sources = ["import math", "a = 1", "b = 2", "c = 3", "d = 4"]
    shown = [nbformat.v4.new_output("stream", text="shown")]
    cells = [
        code(text, metadata={"tags": list(tags)}, outputs=shown if tags == tagged[2] else [])
        for text, tags in zip(sources, tagged, strict=True)
    ]
    head = nbformat.v4.new_markdown_cell("# Cells\n\nSome.")
    language = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    made = nbformat.v4.new_notebook(cells=[head, *cells], metadata=language)
    normalise(made, "cells")
    made.metadata[stored.KEY] = stored.digest(made)
    return nbformat.writes(made)


EXTENSIONS = ["myst_nb", "katex_at_build", "notebook_pages", "page_head", "page_parts"]


def made_site(folder: Path, **settings) -> Path:
    files = {
        "index.md": "# Book\n\n```{toctree}\nbook/cells\n```\n",
        "book/cells.ipynb": notebook(),
    }
    settings = {"extensions": EXTENSIONS, "nb_execution_mode": "off", **OWN_THEME} | settings
    return build(folder, files, html_use_index=False, **settings)[0]


def bytes_of(site: Path) -> dict[str, bytes]:
    return {str(p.relative_to(site)): p.read_bytes() for p in site.rglob("*") if p.is_file()}


def test_with_the_files_pages_have_the_script_and_without_them_no_byte_changes(source, tmp_path):
    offering = {"extensions": [*EXTENSIONS, "run_page"], "run_page_runtime": "small"}
    without, place = made_site(tmp_path / "without"), tmp_path / "with"
    assert bytes_of(made_site(place, **offering)) == bytes_of(without)
    fetch_runtime.main("small", place=place / "source" / runtime_files.PLACE)
    first = bytes_of(made_site(place, **offering))
    assert bytes_of(made_site(place, **offering)) == first
    site, cells = place / "site", page(place / "site", "book/cells.html")
    assert "run-page.js" in scripts(site, "book/cells.html") and "run-page.js" not in scripts(site)
    told = json.loads(cells.find(id="run-page").string)
    assert {told["set"], told["python"], told["language"]} == {"small", "3.12.7", "en"}
    assert told["packages"] == ["sums"] and told["notebook"] == "cells.ipynb"
    for address in (told["runtime"] + FIRST, told["kernel"] + "kernel.py", told["katex"]):
        assert (site / "book" / address).is_file()
    lying = runtime_files.faults(site / "book" / told["runtime"], runtime_files.read("small"))
    assert lying == [] and "Share alike" in (site / "_static/runtime/licences/MPL.txt").read_text()
    assert [(cell["data-cell"], cell["class"][0]) for cell in cells.select("[data-cell]")] == [
        ("2", "cell"),  # with the imports before it
        ("3", "cell"),
        ("5", "cell"),
    ]
    (place / "source" / runtime_files.PLACE / "small" / FIRST).write_bytes(b"\0ASM")
    with pytest.raises(
        ConfigError, match=rf"{FIRST} has the sha256 .*fetch_runtime.py small mends"
    ):
        made_site(place, **offering)
    (place / "source" / runtime_files.PLACE / "small" / SECOND).unlink()
    with pytest.raises(ConfigError, match=f"{SECOND} is missing"):
        made_site(place, **offering)
    with pytest.raises(ConfigError, match="no set of files is called 'large'; there are small"):
        made_site(place, **offering | {"run_page_runtime": "large"})
