"""What a page offers for running it elsewhere, before and after the public address is known."""

import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from downloads import (
    ARCHIVE,
    EXERCISES,
    INSTALL,
    KERNELS,
    MADE,
    VECTORS,
    VECTORS_HERE,
    WHEEL,
    placed,
)
from execute import normalise, say_what_it_needs
from public_address import VARIABLE
from small_site import OWN_THEME, build, page, sound

from gelu_lib.floats.kernels.texts import kernel_file, languages

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = "https://github.com/ann/gelu"
SITE = "https://ann.github.io/gelu/"
SETTINGS = {
    "extensions": ["myst_nb", "public_address", "downloads", "run_links"],
    "nb_execution_mode": "off",
    "html_copy_source": False,
} | OWN_THEME
RUN = f"""# How to run

```{{downloads}}
```

```sh
gelu/bin/{INSTALL}
```

```{{when-public}}
Fetch it by `git clone REPOSITORY`.
```
"""


def texts(with_needs: bool = True) -> dict[str, str]:
    """A book of a page and a notebook."""
    cells = [nbformat.v4.new_markdown_cell("# Sum"), nbformat.v4.new_code_cell("1 + 1")]
    cells += [nbformat.v4.new_code_cell("3 - 1", metadata={"tags": ["solution"]})]
    notebook = nbformat.v4.new_notebook(cells=cells)
    if with_needs:
        say_what_it_needs(notebook)
    normalise(notebook, "sum")
    return {
        "index.md": "# Book\n\n```{toctree}\nbook/sum\nbook/run\n```\n",
        "book/run.md": RUN,
        "book/sum.ipynb": nbformat.writes(notebook),
    }


@pytest.fixture(scope="module")
def sites(tmp_path_factory) -> dict[str, Path]:
    """The site of a small book, built before and after the address is known."""
    made = {}
    for name, address in (("private", ""), ("public", PUBLIC)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, address)
            made[name] = sound(tmp_path_factory.mktemp(name), texts(), **SETTINGS)
    return made


ERRORS = {"Known errors": "errata.html"}


def links(site: Path, name: str) -> dict[str, str]:
    """The links at the end of a page, by their texts."""
    found = page(site, name).select("main > .colophon .run-links a")
    return {link.get_text(): link["href"] for link in found}


def second_cell(text: str) -> str:
    return nbformat.reads(text, as_version=4).cells[1].source


def test_a_notebook_page_offers_its_notebook_at_its_end(sites):
    expected = {"Download notebook": "sum.ipynb", "How to run": "run.html"} | ERRORS
    assert links(sites["private"], "book/sum.html") == expected
    link = page(sites["private"], "book/sum.html").select_one(".run-links a")
    assert link.has_attr("download")


def test_once_it_is_known_the_links_appear_on_the_pages_that_they_suit(sites):
    site = sites["public"]
    everywhere = {"Repository": PUBLIC, "Report an error": f"{PUBLIC}/issues/new/choose"}
    found = links(site, "book/sum.html")
    assert {name: found.get(name) for name in everywhere} == everywhere
    assert found["Binder"].endswith("/ann/gelu/main?urlpath=lab/tree/book/sum.ipynb")
    assert found["Colab"].endswith("/github/ann/gelu/blob/main/book/sum.ipynb")
    assert links(site, "book/run.html") == everywhere | ERRORS
    assert links(site, "genindex.html") == links(site, "search.html") == {}


def offers_of_a_pdf(site: Path) -> list[str]:
    """Where a site offers the book as a PDF, and the file itself."""
    pages = [path for path in sorted(site.rglob("*.html")) if "PDF" in path.read_text("utf-8")]
    found = [path.relative_to(site).as_posix() for path in [*pages, *site.rglob("*.pdf")]]
    return found + [
        link["href"]
        for path in pages
        for link in page(path.parent, path.name).select("a[href$=pdf]")
    ]


def test_the_book_as_a_pdf_is_offered_where_it_is_and_as_long_as_no_page_is_newer(sites, tmp_path):
    stand_in = {MADE: "%PDF-1.7, which LaTeX would have made"}
    pdf = "downloads/gelu-book.pdf"
    site = sound(tmp_path, texts() | stand_in, **SETTINGS)  # written last
    assert offers_of_a_pdf(site) == ["book/run.html", "book/sum.html", pdf, *2 * [f"../{pdf}"]]
    assert (site / pdf).read_text() == stand_in[MADE]
    sound(tmp_path, texts(), **SETTINGS)  # the pages are written anew, and the PDF is not
    assert offers_of_a_pdf(site) == offers_of_a_pdf(sites["private"]) == []


def wheel_urls(wheel: Path) -> dict[str, str]:
    """The addresses that a wheel names."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return dict(re.findall(r"^Project-URL: (\w+), (.*)$", archive.read(name).decode(), re.M))


def test_what_needs_the_address_of_the_site_waits_for_it(sites):
    canonical = page(sites["public"], "book/sum.html").select_one("link[rel=canonical]")
    assert canonical["href"] == f"{SITE}book/sum.html"
    urls = {name: wheel_urls(sites[name] / "downloads" / WHEEL) for name in sites}
    issues = f"{PUBLIC}/issues/new/choose"
    assert urls["public"] == {"Documentation": SITE, "Source": PUBLIC, "Issues": issues}
    assert urls["private"] == {}
    assert f"git clone {PUBLIC}" in page(sites["public"], "book/run.html").get_text()
    assert "git clone" not in page(sites["private"], "book/run.html").get_text()
    for path in sites["private"].rglob("*.html"):
        found = path.read_text(encoding="utf-8")
        for word in ("github", "mybinder", "colab", 'rel="canonical"', "git clone"):
            assert word not in found, path


def test_the_downloaded_notebook_says_what_it_needs_and_where_it_is(sites):
    stored = {name: (sites[name] / "book/sum.ipynb").read_text("utf-8") for name in sites}
    assert INSTALL in second_cell(stored["private"])
    line = f'pip install "gelu_lib[book] @ {SITE}downloads/{WHEEL}"\n'
    assert line in second_cell(stored["public"])
    assert f"./{WHEEL}" not in stored["public"]


def test_the_page_shows_the_lines_and_not_the_cell(sites):
    shown = page(sites["private"], "book/run.html").select_one("pre").get_text()
    assert shown == f"gelu/bin/{INSTALL}\n"
    shown = page(sites["public"], "book/run.html").select_one("pre").get_text()
    assert shown == f'gelu/bin/pip install "gelu_lib[book] @ {SITE}downloads/{WHEEL}"\n'
    assert "To run this notebook" not in page(sites["private"], "book/sum.html").get_text()


@pytest.mark.parametrize("name", ["private", "public"])
def test_what_the_page_offers_is_there_and_the_archive_has_all_that_its_notebooks_need(sites, name):
    offered = {link["href"] for link in page(sites[name], "book/run.html").select("li a")}
    assert offered >= {f"../downloads/{name}" for name in (ARCHIVE, EXERCISES, WHEEL)}
    files = [sites[name] / "book" / address for address in offered if "downloads/" in address]
    assert all(file.resolve().is_file() for file in files)
    names = ["LICENSE", "LICENSE-TEXT.md", "README.md", WHEEL]
    names += ["01-sum.ipynb", "index.md", "run.md"]
    names += [f"{VECTORS}/{path.name}" for path in (ROOT / VECTORS_HERE).iterdir()]
    names += [f"{KERNELS}/{language.file}" for language in languages().values()]
    for file, with_solution in ((ARCHIVE, True), (EXERCISES, False)):
        folder = Path(file).stem
        with zipfile.ZipFile(sites[name] / "downloads" / file) as archive:
            assert sorted(archive.namelist()) == sorted(f"{folder}/{name}" for name in names)
            notebook = archive.read(f"{folder}/01-sum.ipynb").decode()
        assert INSTALL in second_cell(notebook) and ("3 - 1" in notebook) == with_solution


@pytest.mark.parametrize("name", ["private", "public"])
def test_the_kernels_are_offered_in_each_language_as_the_library_prints_them(sites, name):
    offered = {path.name: path.read_bytes() for path in (sites[name] / KERNELS).iterdir()}
    assert list(offered) and offered == {
        language.file: kernel_file(language).encode() for language in languages().values()
    }
    with zipfile.ZipFile(sites[name] / "downloads" / ARCHIVE) as archive:
        assert archive.read(f"gelu-book/{KERNELS}/gelu.h") == offered["gelu.h"]


def pip_finds(line: str, folder: Path) -> bool:
    """Whether pip gets the library by a line in a folder, and asks no index."""
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check"]
    options = ["download", "--no-index", "--no-deps", "--dest", "got"]
    (needed,) = shlex.split(line.removeprefix("pip install "))
    found = subprocess.run([*pip, *options, needed], cwd=folder, capture_output=True, text=True)
    assert ("the file does not exist" in found.stderr) == bool(found.returncode)
    return found.returncode == 0 and (folder / "got" / WHEEL).exists()


def test_pip_finds_the_library_on_the_site_and_beside_the_notebooks(sites, tmp_path):
    site = sites["private"]
    assert not pip_finds(INSTALL, tmp_path)
    assert pip_finds(placed(INSTALL, f"{site.as_uri()}/"), tmp_path)
    with zipfile.ZipFile(site / "downloads" / ARCHIVE) as archive:
        archive.extractall(tmp_path)
    assert pip_finds(INSTALL, tmp_path / "gelu-book")


def test_a_notebook_that_does_not_say_what_is_needed_is_a_warning(tmp_path):
    _, warnings = build(tmp_path, texts(with_needs=False), **SETTINGS)
    assert "sum.ipynb: WARNING: the cell below the title does not say 'pip install" in warnings


def test_the_page_on_running_installs_what_a_notebook_does():
    text = (ROOT / "book" / "run.md").read_text(encoding="utf-8")
    lines = re.findall(rf"pip (?:install|download).*{re.escape(WHEEL)}\[\w+\].*", text)
    assert "[colab]" in lines[-2]  # which leaves the packages of Colab
    lines[-2] = lines[-2].replace("colab", "book")
    assert len(lines) == 5
    needs = INSTALL.removeprefix("pip install ")
    assert [line for line in lines if not line.endswith(f" {needs}")] == []


def test_another_builder_gets_no_downloads(tmp_path):
    site = sound(tmp_path, texts(), "text", **SETTINGS)
    assert not list(site.rglob("*.ipynb"))
    assert INSTALL in (site / "book/run.txt").read_text(encoding="utf-8")
