"""What the site offers for running the book elsewhere: its notebooks and the wheel of the library.

Beside each page that is a notebook lies the notebook itself, ``book/NAME.ipynb``. ``downloads/``
holds the wheel and one archive of everything, its notebooks numbered in reading order, with the
pages to which they lead, and a second one for a class, without solutions.
``_static/test-vectors/`` has the test vectors, which are data of the library, and
``_static/kernels/`` the kernels of GELU in each language, which the library prints.
``{downloads}``, on the page that says how to run it, lists what there is.

If ``tools/run.py pdf`` has made the book as one PDF since a page of it was changed, the site offers
that too: on the page that says how to run it, and at the end of each notebook (``run_links``).
Without LaTeX there is none, and nothing speaks of it.

When the public address is known, the notebooks and the lines of that page name it as the place of
the wheel; before that, and in the archive, the place is the folder of the notebook, where the
archive has it.

No package will do: those that offer a page for download change neither its last cell nor add a
library to it.
"""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from docutils import nodes
from exercise_set import without_solutions
from library_wheel import build_wheel
from nbformat import v4
from notebook_pages import notebooks
from public_address import repository
from reading_order import in_order, numbered, relinked, relinked_notebook
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import gelu_lib
from gelu_lib.floats.kernels.texts import kernel_file, languages

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent.parent
RUN_PAGE = "book/run"
FOLDER = "downloads"
ARCHIVE = "gelu-book.zip"
EXERCISES = "gelu-book-exercises.zip"
WHEEL = f"gelu_lib-{gelu_lib.__version__}-py3-none-any.whl"
PDF = "gelu-book.pdf"
MADE = f"_build/latex/{PDF}"  # where tools/make_pdf.py puts it
PRINTED = ("book/*.*", "gelu_lib/data/*.*", "CHANGELOG.md")  # of what it is made
LICENCES = ("LICENSE", "LICENSE-TEXT.md")
CONTENTS = ROOT / "book" / "README.md"  # what to read in which order
CHANGELOG = ROOT / "CHANGELOG.md"  # a page of the book has its text
VECTORS = "_static/test-vectors"
VECTORS_HERE = "gelu_lib/data/vectors"
KERNELS = "_static/kernels"
CHAPTERS = "_static/chapters.svg"  # the picture of the page for teachers
DATA = ("results.json", "results.bib", "results.schema.json", "models.csv")  # of the site
# the file and not the name, for which pip would ask an index, and take a stranger's from there
INSTALL = f'pip install "./{WHEEL}[book]"'
PLACE = re.compile(rf'"\./{re.escape(WHEEL)}\[(\w+)\]"')
AFTER_THE_DATA = 600  # the other files of the site are written at 500
START_OF_1980 = (1980, 1, 1, 0, 0, 0)  # the earliest time that an archive can say


def look_for_pdf(app: Sphinx, config: Config) -> None:
    """Offer the PDF if there is one, and nothing in it was changed since it was made."""
    made = Path(app.srcdir, MADE)
    sources = (path for pattern in PRINTED for path in Path(app.srcdir).glob(pattern))
    config.offers_pdf = made.exists() and all(
        path.stat().st_mtime <= made.stat().st_mtime for path in sources
    )


def pdf_address(app: Sphinx, page: str) -> str:
    """Where the PDF lies, from a page; empty if it is not offered."""
    offered = "offers_pdf" in app.config and app.config.offers_pdf and app.builder.format == "html"
    return "../" * page.count("/") + f"{FOLDER}/{PDF}" if offered else ""


def placed(text: str, site: str) -> str:
    """A text whose lines name the wheel of the site as its place, if that has an address."""
    return PLACE.sub(rf'"gelu_lib[\1] @ {site}{FOLDER}/{WHEEL}"', text) if site else text


def project_urls(config: Config) -> dict[str, str]:
    """What the wheel names as its addresses: none before the book is public."""
    urls = {"Documentation": config.html_baseurl} if config.html_baseurl else {}
    if found := repository(config):
        urls |= {"Source": found.url, "Issues": found.report}
    return urls


def warn_of_missing_lines(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of every notebook whose second cell does not say what the notebook needs."""
    for docname, path in notebooks(env).items():
        below = v4.reads(path.read_text(encoding="utf-8")).cells[1:2]
        if not any(INSTALL in cell.source for cell in below):
            message = "the cell below the title does not say %r; run tools/execute.py"
            logger.warning(message, INSTALL, location=docname)


def offered(path: Path, site: str) -> str:
    """A notebook as the site offers it: its second cell names the place of the wheel."""
    text = path.read_text(encoding="utf-8")
    if not site:
        return text
    notebook = v4.reads(text)
    for cell in notebook.cells[1:2]:
        cell.source = placed(cell.source, site)
    return v4.writes(notebook) + "\n"


def write(app: Sphinx, exception: Exception | None) -> None:
    """Put the notebooks, the wheel and the archive into the site."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    pages = notebooks(app.env)
    for docname, path in pages.items():
        target = site / f"{docname}.ipynb"
        target.write_text(offered(path, app.config.html_baseurl), encoding="utf-8", newline="\n")
    shutil.copytree(ROOT / VECTORS_HERE, site / VECTORS, dirs_exist_ok=True)
    (site / KERNELS).mkdir(parents=True, exist_ok=True)
    for language in languages().values():
        text = kernel_file(language)
        (site / KERNELS / language.file).write_text(text, encoding="utf-8", newline="\n")
    wheel = build_wheel(ROOT, site / FOLDER, project_urls(app.config))
    pdf = site / FOLDER / PDF
    pdf.unlink(missing_ok=True)
    if app.config.offers_pdf:
        shutil.copyfile(Path(app.srcdir, MADE), pdf)
    files = {path.name: path.read_bytes() for path in (wheel, *(ROOT / name for name in LICENCES))}
    files |= book_files(app)
    write_archive(site / FOLDER / ARCHIVE, files)
    pages = {name: data for name, data in files.items() if name.endswith((".ipynb", ".md"))}
    tasks = {name: without_solutions(name, data.decode()).encode() for name, data in pages.items()}
    write_archive(site / FOLDER / EXERCISES, files | tasks)


def book_files(app: Sphinx) -> dict[str, bytes]:
    """The pages of the book and its data by their names in the archive, with links among them.

    The pages of the library are made of its docstrings, and have no text of their own.
    """
    site = Path(app.outdir)
    found = {name: (site / name).read_bytes() for name in DATA if (site / name).exists()}
    for path in sorted(
        path for name in (f"{VECTORS}/*", f"{KERNELS}/*", CHAPTERS) for path in site.glob(name)
    ):
        found[path.relative_to(site).as_posix()] = path.read_bytes()
    stored_pages = (Path(app.env.doc2path(page)) for page in in_order(app.env))
    paths = [path for path in stored_pages if path.parent.name != "library"]
    names = {name: name for name in found} | {f"../{name}": name for name in DATA if name in found}
    names |= {name.replace(VECTORS, f"../{VECTORS_HERE}"): name for name in found}
    base = app.config.html_baseurl
    pages = f"{base}{RUN_PAGE.rpartition('/')[0]}/" if base else ""
    texts = numbered_pages(paths, names, pages)
    return found | {name: text.encode() for name, text in texts.items()}


def numbered_pages(paths: list[Path], names: Mapping[str, str], site: str = "") -> dict[str, str]:
    """The texts of the pages by their names in an archive, with links among them.

    Args:
        paths: the pages in reading order.
        names: of what else the archive has, the name by that in the book.
        site: the address of the book's folder on the site, if it has one.
    """
    names = {**names, **numbered([path.name for path in paths], paths[0].name)}
    found = {}
    for path in [*paths, CONTENTS]:
        relink = relinked_notebook if path.suffix == ".ipynb" else relinked
        stored = CHANGELOG if path.name == CHANGELOG.name.lower() else path
        found[names.get(path.name, path.name)] = relink(stored.read_text("utf-8"), names, site)
    return found


def write_archive(archive: Path, files: dict[str, bytes]) -> None:
    """Write files into one folder of a zip archive, the same bytes for the same files."""
    with zipfile.ZipFile(archive, "w") as made:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{archive.stem}/{name}", START_OF_1980)
            entry.create_system = 3  # Unix, whatever this machine is
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(entry, files[name])


class DownloadsDirective(SphinxDirective):
    """``{downloads}``: links to the archive, to the wheel and to the PDF."""

    def run(self) -> list[nodes.Node]:
        items = [
            self.item(ARCHIVE, "all notebooks of the book, and the library"),
            self.item(EXERCISES, "the same without the solutions, for a class"),
            self.item(WHEEL, "the library alone"),
        ]
        if pdf_address(self.env.app, self.env.docname):
            items.append(self.item(PDF, "the book as a PDF, without the library reference"))
        return [nodes.bullet_list("", *items)]

    def item(self, name: str, what: str) -> nodes.list_item:
        up = "../" * self.env.docname.count("/")
        link = nodes.reference("", name, refuri=f"{up}{FOLDER}/{name}")
        return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(f": {what}")))


def name_the_place(app: Sphinx, docname: str, source: list[str]) -> None:
    """Let the lines of the page that says how to run it name the place of the wheel."""
    if docname == RUN_PAGE:
        source[0] = placed(source[0], app.config.html_baseurl)


def setup(app: Sphinx) -> None:
    app.add_config_value("offers_pdf", False, "env", bool)
    app.connect("config-inited", look_for_pdf)
    app.add_directive("downloads", DownloadsDirective)
    app.connect("source-read", name_the_place)
    app.connect("env-check-consistency", warn_of_missing_lines)
    app.connect("build-finished", write, priority=AFTER_THE_DATA)
