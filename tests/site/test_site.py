"""A strict build of the book from nothing, and what its pages must be."""

import json
import shutil
import zipfile
from pathlib import Path

import built_site
import nbformat
import pytest
from downloads import ARCHIVE, WHEEL
from execute import normalise
from kinds import slow_but
from load_checks import heavy_pages, silent_heads
from run_elsewhere import replay
from site_checks import (
    broken_links,
    citable_addresses,
    duplicate_ids,
    missing_results,
    of_class,
    pages,
    parsed,
    third_party_requests,
    unrendered_source,
    vanished_addresses,
)

import gelu_lib
from gelu_lib.register import results
from gelu_lib.show.stored import KEY, digest

FEW = ("frameworks", "telling-them-apart")  # read recorded data; all: tools/run_elsewhere.py
LEDGERS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def records(site) -> list[dict]:
    return json.loads((site / "results.json").read_text(encoding="utf-8"))


def test_no_link_is_broken(site):
    assert broken_links(site) == []


def test_nothing_is_asked_of_a_third_party(site):
    assert third_party_requests(site) == []


def test_no_source_is_left_on_a_page(site):
    assert unrendered_source(site) == []


def test_no_id_stands_twice_on_a_page(site):
    assert duplicate_ids(site) == []


def test_every_result_has_its_anchor_where_the_register_says(site, records):
    assert missing_results(site, records) == []


def test_every_result_has_its_permanent_entry(site):
    entries = [{"id": id, "page": "book/results.html", "anchor": id} for id in results()]
    assert missing_results(site, entries) == []


def test_the_permanent_address_of_a_result_leads_to_its_box_without_a_script_too(site, records):
    page = parsed((site / "results.html").read_text(encoding="utf-8"))
    leads = {line["id"]: line.a["href"] for line in page.find_all("li")}
    assert leads == {entry["id"]: f"{entry['page']}#{entry['anchor']}" for entry in records}


def test_results_json_is_the_register(records):
    assert [record["id"] for record in records] == list(results())
    for record in records:
        entry = results()[record["id"]]
        for name in ("title", "statement", "assumptions", "status", "value", "claim"):
            assert record[name] == getattr(entry, name)
        assert record["source"] == list(entry.source)
        assert record["version"] == gelu_lib.__version__


def test_results_bib_has_every_result_once(site):
    bib = (site / "results.bib").read_text(encoding="utf-8")
    citable = [entry for entry in results().values() if entry.status != "historical"]
    assert [bib.count(f"{{gelubook:{entry.id},") for entry in citable] == [1] * len(citable)
    assert bib.count("\n@") + 1 == len(citable)


@pytest.fixture
def elsewhere(site, tmp_path) -> Path:
    """The archive of the site, unpacked, with its library in the folder ``library``."""
    with zipfile.ZipFile(site / "downloads" / ARCHIVE) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "gelu-book"
    with zipfile.ZipFile(folder / WHEEL) as wheel:
        wheel.extractall(folder / "library")
    return folder


def replayed(folder: Path, *names: str) -> int:
    """Run notebooks with the library of the folder; 0 if all outputs are those that are stored."""
    notebooks = [next(folder.glob(f"*{name}.ipynb")) for name in names]
    return replay(folder, notebooks, ["--nbval-current-env"], PYTHONPATH=str(folder / "library"))


def write_question(folder: Path) -> None:
    """A notebook that expects the library to be that of the folder, and to have its register."""
    source = "import gelu_lib\nfrom pathlib import Path\nfrom gelu_lib.register import results\n"
    source += "here = Path(gelu_lib.__file__).parents[1] == Path('library').resolve()\n"
    source += "print(here and len(results()) > 0)"
    cell = nbformat.v4.new_code_cell(source, execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="True\n")]
    notebook = nbformat.v4.new_notebook(cells=[cell])
    normalise(notebook, "where")
    nbformat.write(notebook, folder / "where.ipynb")


def test_the_archive_has_every_notebook_with_the_code_that_its_page_offers(site, elsewhere):
    offered = {path.stem: path for path in (site / "book").glob("*.ipynb")}
    numbered = {path.stem[len("01-") :]: path for path in elsewhere.glob("*.ipynb")}
    numbered["index"] = numbered.pop("start-here")
    assert offered.keys() == numbered.keys()
    assert offered.keys() == {path.stem for path in (built_site.ROOT / "book").glob("*.ipynb")}
    for stem, path in numbered.items():
        here, there = (nbformat.read(file, as_version=4) for file in (path, offered[stem]))
        assert digest(here) == digest(there) == there.metadata[KEY]


@pytest.mark.parametrize("name", slow_but(lambda name: name == FEW[0], FEW))
def test_a_downloaded_notebook_runs_without_the_repository(elsewhere, name):
    write_question(elsewhere)
    assert replayed(elsewhere, "where", name) == 0


def test_a_notebook_whose_data_were_left_behind_is_found(elsewhere):
    write_question(elsewhere)
    (elsewhere / "library" / "gelu_lib" / "data" / "results.toml").unlink()
    assert replayed(elsewhere, "where") == 1


def test_the_repository_is_not_taken_for_the_library_of_the_folder(elsewhere):
    write_question(elsewhere)
    shutil.rmtree(elsewhere / "library")
    assert replayed(elsewhere, "where") == 1


def lines(ledger: str) -> list[str]:
    """The entries of a ledger, which lists everything of a kind that was ever published."""
    text = (LEDGERS / ledger).read_text(encoding="utf-8")
    return [line.split()[0] for line in text.splitlines() if line and not line.startswith("#")]


def test_every_published_address_stands(site):
    results = [f"book/results.html#{id}" for id in lines("ledger.txt")]
    claims = [f"book/claims.html#claim-{id}" for id in lines("claims.txt")]
    published = lines("addresses.txt") + results + claims
    assert vanished_addresses(site, published) == [], "a published address never changes"


def test_every_address_is_in_the_ledger(site):
    unlisted = [a for a in citable_addresses(site) if a not in lines("addresses.txt")]
    assert not unlisted, "append to tests/addresses.txt:\n" + "\n".join(unlisted)


def test_a_page_with_mathematics_is_light(site):
    assert heavy_pages(site) == []


def test_every_page_says_what_it_is(site):
    assert silent_heads(site) == []


def test_each_script_is_loaded_where_it_is_needed_and_nowhere_else(site):
    for page, soup in pages(site):
        sources = [tag["src"].partition("?")[0] for tag in soup.find_all("script", src=True)]
        loaded = {Path(source).name for source in sources}
        copies = any(of_class(soup, "result-box")) or page in (
            "book/which-one.html",
            "book/kernel.html",
        )
        assert ("result-copy.js" in loaded) == copies, page
        assert ("filter.js" in loaded) == (page in ("book/results.html", "book/claims.html")), page


def test_every_numbered_equation_has_a_named_link_to_itself(site):
    found = 0
    for page, soup in pages(site):
        for equation in soup.select("div.math[id^=equation-]"):
            link = equation.select_one("a.eqno")
            assert link["href"] == f"#{equation['id']}", page
            assert link.get_text() in link["aria-label"], page
            found += 1
    assert found > 50
