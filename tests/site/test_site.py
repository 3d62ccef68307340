"""A strict build of the book from nothing, and what its pages must be."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import built_site
import nbformat
import pytest
from bs4 import BeautifulSoup, NavigableString, Tag
from downloads import ARCHIVE, WHEEL
from execute import normalise
from fontTools.ttLib import TTFont
from pybtex.database import parse_file
from run_elsewhere import replay
from site_checks import (
    broken_links,
    citable_addresses,
    duplicate_ids,
    missing_results,
    of_class,
    pages,
    parsed,
    silent_heads,
    third_party_requests,
    unrendered_source,
    vanished_addresses,
)
from text_face import FACES

import gelu_lib
from gelu_lib.register import Result, results
from gelu_lib.show.marks import FORM_CONSTANTS
from gelu_lib.show.results import enclosure_text
from gelu_lib.show.stored import KEY, digest

FEW = ("frameworks", "telling-them-apart")  # read recorded data; all: tools/run_elsewhere.py
LEDGERS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def records(site) -> list[dict]:
    return json.loads((site / "results.json").read_text(encoding="utf-8"))


def test_no_page_has_a_fault(site):
    assert broken_links(site) == []
    assert third_party_requests(site) == []
    assert unrendered_source(site) == []
    assert duplicate_ids(site) == []
    assert silent_heads(site) == []


def test_a_constant_that_names_a_form_leads_to_its_answer(site):
    words = [link for _, page in pages(site) for link in page.select("a.reference[href*='#']")]
    ends = {
        (link.text, link["href"].partition("#")[2]) for link in words if link.text in FORM_CONSTANTS
    }
    assert ends == {("0.044715", "tanh-pinned-cubic"), ("1.702", "logistic-scale")}


def test_every_result_has_its_anchor_its_address_and_its_entry_in_the_file(site, records):
    assert missing_results(site, records) == []
    page = parsed((site / "results.html").read_text(encoding="utf-8"))
    leads = {line["id"]: line.a["href"] for line in page.find_all("li")}
    assert leads == {entry["id"]: f"{entry['page']}#{entry['anchor']}" for entry in records}
    assert [record["id"] for record in records] == list(results())
    for record in records:
        entry = results()[record["id"]]
        for name in ("title", "statement", "assumptions", "status", "value", "claim"):
            assert record[name] == getattr(entry, name)
        assert record["source"] == list(entry.source)
        assert record["version"] == gelu_lib.__version__


# ---- The results


def box_faults(box, entry: Result) -> list[str]:
    """What the box of an entry leaves out."""
    text, squeezed = box.get_text(), lambda text: "".join(text.split())
    tex = box.select_one("annotation").get_text()
    wanted = [entry.title, entry.status, entry.value, *entry.numbers, *entry.numbers.values()]
    ends = [entry.enclosure, *entry.enclosures.values()]
    wanted += [enclosure_text(*pair) for pair in ends if pair and pair[0] != pair[1]]
    wanted += ["exactly" for pair in ends if pair and pair[0] == pair[1]]
    faults = [f"no {what}" for what in wanted if what and what not in text]
    links = {link["href"] for link in box.find_all("a", href=True)}
    page = "" if entry.status == "historical" else "results.html"
    needed = {f"{page}#{entry.id}"}  # its permanent address
    if entry.status != "historical":
        faults += [] if f"{{gelubook:{entry.id}," in text else ["no BibTeX"]
    faults += [f"no link to {address}" for address in sorted(needed - links)]
    return faults + ([] if squeezed(entry.statement) in squeezed(tex) else ["no statement"])


def test_every_result_has_a_box_with_its_digits_enclosures_and_links(site):
    known = dict(pages(site))
    named = sorted({f"book/{entry.page}.html" for entry in results().values()})
    boxes = {box["id"]: box for page in named for box in of_class(known[page], "result-box")}
    assert set(boxes) == set(results())
    faults = {id: box_faults(boxes[id], entry) for id, entry in results().items()}
    assert {id: found for id, found in faults.items() if found} == {}


def test_what_a_box_leaves_out_is_found():
    entry = results()["tanh-pinned-cubic"]
    link = f'<a href="#{entry.id}"></a>'
    text = f"<div><annotation>k</annotation>{entry.title} {entry.status}{link}</div>"
    assert box_faults(BeautifulSoup(text, "html.parser").div, entry) == [
        f"no {entry.value}",
        f"no {enclosure_text(*entry.enclosure)}",
        "no BibTeX",
        f"no link to results.html#{entry.id}",
        "no statement",
    ]


def test_the_list_of_results_names_each_with_its_chapter(site):
    soup = parsed((site / "book" / "results.html").read_text(encoding="utf-8"))
    rows = {row["id"]: row for row in soup.select("li.result-row")}
    for entry in results().values():
        if entry.status == "historical":
            continue
        row = rows[entry.id]
        assert row.a["href"] == f"{entry.page}.html#{entry.id}"
        assert row.find_parent("section")["id"] in ("main-results", f"of-{entry.page}")
        assert (row.find_parent("details") is None) == (
            row.find_parent(id="main-results") is not None
        )
        if entry.value:  # = or ≈ ends no line
            assert re.fullmatch("[=≈] .+", row.select_one(".unbroken").text)
        for text in (entry.title, entry.status, entry.id):
            assert text in row.get_text()
    main = tomllib.loads((built_site.ROOT / "book" / "main-results.toml").read_text("utf-8"))[
        "main"
    ]
    assert [row["id"] for row in soup.select("#main-results li")] == main
    assert len(set(main)) == 30


def test_the_program_on_the_page_evaluates_a_statement(site):
    page = (built_site.ROOT / "book" / "cite.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.S)
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=True
    )
    signs, values = run.stdout.split("] [")
    below, ratio, above = map(float, values.rstrip("]\n").split(", "))
    assert signs == "['<', '<'"
    assert below < ratio < above


def test_results_bib_has_every_result_once(site):
    keys = list(parse_file(str(site / "results.bib"), "bibtex").entries)
    assert keys == [f"gelubook:{e.id}" for e in results().values() if e.status != "historical"]


# ---- The archive


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


def test_the_library_of_the_archive_is_enough_and_one_without_its_data_is_found(elsewhere):
    write_question(elsewhere)
    assert replayed(elsewhere, "where") == 0
    (elsewhere / "library" / "gelu_lib" / "data" / "results.toml").unlink()
    assert replayed(elsewhere, "where") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_a_downloaded_notebook_runs_without_the_repository(elsewhere, name):
    assert replayed(elsewhere, name) == 0


def lines(ledger: str) -> list[str]:
    """The entries of a ledger, which lists everything of a kind that was ever published."""
    text = (LEDGERS / ledger).read_text(encoding="utf-8")
    return [line.split()[0] for line in text.splitlines() if line and not line.startswith("#")]


def test_every_published_address_stands_and_every_address_is_in_the_ledger(site):
    results = [f"book/results.html#{id}" for id in lines("ledger.txt")]
    claims = [f"book/claims.html#claim-{id}" for id in lines("claims.txt")]
    published = lines("addresses.txt") + results + claims
    assert vanished_addresses(site, published) == [], "a published address never changes"
    unlisted = [a for a in citable_addresses(site) if a not in lines("addresses.txt")]
    assert not unlisted, "append to tests/addresses.txt:\n" + "\n".join(unlisted)


EXPLORER = [f"explorer-{part}.js" for part in ("data", "core", "words", "pictures", "pair")]
LEVELLING = ("index", "zh", "ja")
SCRIPTS_OF = {f"book/{page}.html": [*EXPLORER, "levelling.js"] for page in LEVELLING} | {
    "book/explorer.html": [*EXPLORER, "explorer.js"],
    "book/gelu.html": [*EXPLORER[1:-1], "factor.js"],
    "book/taylor.html": [*EXPLORER[:-1], "right-at.js"],
    "book/minimax.html": [*EXPLORER[:-1], "band.js"],
    "book/tanh-constant.html": [*EXPLORER[:-1], "weighing.js"],
    "book/criteria.html": [*EXPLORER[:-1], "weighing.js"],
    "book/cheapest.html": [*EXPLORER[1:-1], "gates.js", "own-gpu-data.js", "own-gpu.js"],
    "book/does-it-matter.html": [*EXPLORER[1:-1], "laws.js"],
    "book/magic-numbers.html": ["magic-numbers-data.js", "magic-numbers.js"],
    "search.html": ["search-data.js", "search.js"],
    "book/results.html": ["filter.js"],
    "book/claims.html": ["filter.js"],
    "book/frameworks.html": ["filter.js"],
    "book/models.html": ["model-names.js", "filter.js"],
}
EVERYWHERE = {"shell.js", "preview.js", "preview-data.js", "result-copy.js", "library.js"}
"""What every page may load; the button that copies a result stands where one is."""


def test_every_signature_of_the_library_can_be_read(site):
    library = [soup for page, soup in pages(site) if page.startswith("book/library/")]
    signatures = [line.get_text() for soup in library for line in soup.select("dt.sig")]
    assert len(signatures) > 900
    assert [line for line in signatures if re.search(r"<factory>|~\w", line)] == []
    assert any("...," in line for line in signatures)  # a default that is no Python


def test_each_script_is_loaded_where_it_is_needed_in_order_and_nowhere_else(site):
    own = {path.name for path in OWN_SCRIPTS}.difference(EVERYWHERE)
    own |= {name for names in SCRIPTS_OF.values() for name in names}
    for page, soup in pages(site):
        sources = [tag["src"].partition("?")[0] for tag in soup.find_all("script", src=True)]
        loaded = [Path(source).name for source in sources]
        assert [name for name in loaded if name in own] == SCRIPTS_OF.get(page, []), page
        assert not {"searchtools.js", "language_data.js"}.intersection(loaded), page
        pasted = page in ("book/which-one.html", "book/kernel.html")
        copies = pasted or any(of_class(soup, "result-box"))
        assert ("result-copy.js" in loaded) == copies, page
    assert not list(site.rglob("searchindex.js"))


OWN_SCRIPTS = sorted((built_site.ROOT / "book" / "_static").glob("*.js"))


def test_no_script_fetches_anything():
    asking = re.compile(r"fetch\(|XMLHttp|import\(|https?:(?!//www\.w3\.org/2000/svg)")
    assert [path.name for path in OWN_SCRIPTS if asking.search(path.read_text("utf-8"))] == []


def test_every_numbered_equation_has_a_named_link_to_itself(site):
    found = 0
    for page, soup in pages(site):
        for equation in soup.select("div.math[id^=equation-]"):
            link = equation.select_one("a.eqno")
            assert link["href"] == f"#{equation['id']}", page
            assert link.get_text() in link["aria-label"], page
            found += 1
    assert found > 50


# ---- The face of the text

APART = {"script", "style", "head", "pre", "code"}
"""What is not running text; formulas, and words in Chinese and Japanese, stand in other faces."""


def running_text(tree: Tag) -> set[str]:
    """The characters of a page that are set in the face of the text or might be."""
    found = set()
    for part in tree.children:
        if isinstance(part, NavigableString):
            found.update(part)
        elif not (
            part.name in APART
            or "katex" in part.get("class", ())
            or part.get("lang", "").startswith(("zh", "ja"))
        ):
            found |= running_text(part)
    return found


def lost(text: set[str], face: TTFont, whole: TTFont) -> set[str]:
    """The characters of a text that the whole font has, and the face that was cut from it not."""
    return {c for c in text if ord(c) in whole.getBestCmap() and ord(c) not in face.getBestCmap()}


@pytest.fixture(scope="module")
def fonts(site) -> list[tuple[TTFont, TTFont]]:
    """Each face of the site, and the whole font from which it was cut."""
    faces = {name: TTFont(site / "_static" / "text" / f"{name}.woff2") for name in FACES}
    return [(face, TTFont(FACES[name].source)) for name, face in faces.items()]


def test_no_character_of_the_running_text_is_lost(site, fonts):
    text = {page: running_text(soup) for page, soup in pages(site)}
    for face, whole in fonts:
        found = {page: lost(characters, face, whole) for page, characters in text.items()}
        assert {page: characters for page, characters in found.items() if characters} == {}
    soup = BeautifulSoup("<p>Ж é <code>Я</code> <span lang=zh>中</span></p>", "html.parser")
    assert running_text(soup) == set("Ж é")
    assert lost(running_text(soup), *fonts[0]) == {"Ж"}
