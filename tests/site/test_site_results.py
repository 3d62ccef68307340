"""The boxes, the list of results and the data files of the built site are the register, whole."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, SoupStrainer
from site_checks import parsed

from gelu_lib.register import Result, results
from gelu_lib.show.results import enclosure_text

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "book/results.html"


@pytest.fixture(scope="module")
def boxes(site) -> dict:
    """The boxes of all pages, by ID."""
    pages = sorted({f"book/{entry.page}.html" for entry in results().values()})
    only = SoupStrainer(class_=re.compile(r"\bresult-box\b"))
    soups = (
        BeautifulSoup((site / page).read_bytes(), "html.parser", parse_only=only) for page in pages
    )
    return {box["id"]: box for soup in soups for box in soup.select(".result-box")}


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


def test_every_result_has_a_box_with_its_digits_enclosures_and_links(boxes):
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
    soup = parsed((site / RESULTS).read_text(encoding="utf-8"))
    rows = {row["id"]: row for row in soup.select("li.result-row")}
    for entry in results().values():
        if entry.status == "historical":
            continue
        row = rows[entry.id]
        assert row.a["href"] == f"{entry.page}.html#{entry.id}"
        assert row.find_parent("section")["id"] == f"of-{entry.page}"
        for text in (entry.title, entry.status, entry.id):
            assert text in row.get_text()


def test_the_page_on_citing_has_no_empty_block(site):
    soup = parsed((site / "book/cite.html").read_text(encoding="utf-8"))
    blocks = [block.get_text() for block in soup.select("div.highlight-bibtex")]
    assert len(blocks) == 5
    assert all("{gelubook" in block.strip().splitlines()[0] for block in blocks)


def test_the_program_on_the_page_evaluates_a_statement(site):
    page = (ROOT / "book" / "cite.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.S)
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=True
    )
    signs, values = run.stdout.split("] [")
    below, ratio, above = map(float, values.rstrip("]\n").split(", "))
    assert signs == "['<', '<'"
    assert below < ratio < above
