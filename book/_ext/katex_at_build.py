r"""Mathematics rendered while the book is built, so that a page needs no script and no other site.

KaTeX turns TeX into HTML and MathML. It is JavaScript, so it runs in QuickJS here; both come from
pip (``quickjs-ng``, and ``jupyterlab_katex``, whose bundle carries KaTeX, its style sheet and its
fonts), and nothing of KaTeX is committed. Four things follow:

* formulas stand when the page opens: with no network, from a file, with JavaScript off;
* a screen reader gets MathML, which also holds the TeX;
* a long formula can break on a narrow screen, and where it is read best (``formula_rows``);
* TeX that KaTeX cannot read is a Sphinx warning that names the file, the line and the fault, so
  that a strict build fails on it.

No package will do: ``sphinxcontrib-katex`` lets TeX that it cannot read pass a strict build, does
not align rows, and brings neither style sheet nor fonts; the Node that it needs takes 206 MB.
"""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Any

import quickjs
from docutils import nodes
from docutils.utils import get_source_line
from formula_rows import QUADS, SYMBOL, clauses, rows
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

# The fonts that decide where lines break: family, slope, and what a page has that is set in it.
FONTS_OF_LINES = (("KaTeX_Main", "normal", "katex-html"), ("KaTeX_Math", "italic", "mathnormal"))

REASON = re.compile(r"(?:\{\\small)?\\text\{")  # how a cell begins that says why a step is right

# The bundle was made by webpack: every file pushes [ids, {id: module}] on one list, and expects a
# `load` with the helpers d (define exports), n (default export) and p (address of the fonts).
# KaTeX and its style sheet are found by a word that only they contain.
LOADER = r"""
const modules = Object.assign({}, ...webpackChunk_jupyterlab_katex_extension.map(c => c[1]));
const loaded = {};
function load(id) {
  if (!(id in loaded)) {
    const module = loaded[id] = {exports: {}, id};
    modules[id].call(module.exports, module, module.exports, load);
  }
  return loaded[id].exports;
}
load.d = (exports, getters) => {
  for (const name in getters)
    Object.defineProperty(exports, name, {get: getters[name], enumerable: true});
};
load.n = module => () => module;
load.p = "";
globalThis.URL = String;

const place = word => Object.keys(modules).find(id => modules[id].toString().includes(word));
const holder = word => load(place(word));
const katex = holder("renderToString");

// Strings come back as JSON: the binding cannot return one that QuickJS keeps as a rope.
const program = () => JSON.stringify(modules[place("renderToString")].toString());
const styleSheet = () => JSON.stringify(String(Object.values(holder("@font-face"))[0]));
function render(tex, options) {
  try {
    return JSON.stringify({html: katex.renderToString(tex, JSON.parse(options))});
  } catch (error) {
    if (!(error instanceof katex.ParseError)) throw error;
    return JSON.stringify({fault: error.message});
  }
}
"""

# KaTeX 0.12 knows amsmath's inner environments alone; inside display maths they look the same.
INNER = {
    "equation": "aligned",
    "split": "aligned",
    "align": "aligned",
    "alignat": "alignedat",
    "gather": "gathered",
}
# In a line of text: a short number and what it is equal to, which stay together.
EQUAL = re.compile(
    rf"(?:{SYMBOL.pattern}|[^=<>\\]{{1,12}})(?:[=<>]|\\(?:le|ge|ne|approx)\b)"
    r"\s*-?[\d.]{1,12}\s*(?:\\l?dots)?"
)
OPENING = re.compile(r"[(\[“（「《]+\Z")
CLOSING = re.compile(r"[.,;:?!)\]…’”、。，；：？！）」》]+")

PIECE = '<span class="piece">{}</span>'
DRAWN = '<span class="katex-html" aria-hidden="true">'
OUTER_ENVIRONMENT = re.compile(r"\\(begin|end)\{(" + "|".join(INNER) + r")\*?\}")


class TexError(ValueError):
    """TeX that KaTeX cannot read; the message is KaTeX's own."""


@cache
def katex_files() -> dict[str, Path]:
    """The files of ``jupyterlab_katex``, by name, where pip put them."""
    files = metadata.files("jupyterlab_katex") or []
    return {file.name: Path(file.locate()) for file in files}


@cache
def engine() -> quickjs.Context:
    """QuickJS with KaTeX loaded; one serves the whole build."""
    context = quickjs.Context()
    context.eval("globalThis.self = globalThis")
    for name, path in sorted(katex_files().items()):
        if re.fullmatch(r"\d+\.\w+\.js", name):
            context.eval(path.read_text(encoding="utf-8"))
    context.eval(LOADER)
    return context


def render_tex(tex: str, display: bool) -> str:
    """One formula as HTML and MathML.

    Args:
        tex: the formula, without delimiters.
        display: whether it stands on a line of its own.

    Returns:
        HTML: what is drawn, hidden from screen readers, and MathML, hidden from the eye.

    Raises:
        TexError: if KaTeX cannot read it, or LaTeX could not.
    """
    tex = OUTER_ENVIRONMENT.sub(lambda m: f"\\{m[1]}{{{INNER[m[2]]}}}", tex)
    html = checked(tex, display)
    if not display:
        return html
    read, parted = html.partition(DRAWN)[0], rows(tex)
    if len(parted) > 1 or any(len(row) > 1 for row in parted):
        drawn = in_rows(parted)
    else:
        drawn = f"{DRAWN}{in_clauses(tex, PIECE)}</span>"
    return f"{read}{drawn}</span></span>"


def in_rows(parted: list[list[str]]) -> str:
    """The rows of a formula, drawn cell by cell; relations keep the distance of ``aligned``."""
    drawn = []
    for row in parted:
        bodies = [in_clauses(tex, room="{}" * (i % 2)) for i, tex in enumerate(row)]
        # the words of a reason may stand on two lines
        bodies[2:] = [body.replace("\u00a0", " ") for body in bodies[2:]]
        kinds = ["side reason" if REASON.match(tex) else "side" for tex in row]
        inside = "".join(
            f'<span class="{kind}">{body}</span>' for kind, body in zip(kinds, bodies, strict=True)
        )
        drawn.append(f'<span class="row">{inside}</span>')
    columns = max(map(len, parted))
    opening = DRAWN.replace("katex-html", "katex-html rows")
    return f'{opening[:-1]} style="--columns: {columns}">{"".join(drawn)}</span>'


def in_clauses(tex: str, piece: str = "{}", room: str = "") -> str:
    """A formula, drawn piece by piece.

    Args:
        tex: the formula.
        piece: the HTML of a piece and of a clause around what is drawn.
        room: TeX of no width before the formula.
    """
    drawn = []
    for pieces in clauses(tex):
        if pieces[0] in QUADS:  # a space, of which nothing is left at the end of a line
            drawn.append(f'<span class="{pieces[0][1:]}"> </span>')
            continue
        pieces[0], room = room + pieces[0], ""
        drawn.append(piece.format("".join(piece.format(drawn_alone(tex)) for tex in pieces)))
    return "".join(drawn)


def drawn_alone(tex: str) -> str:
    """What KaTeX draws of a cell, without MathML and without the elements around it."""
    if not tex.removeprefix("{}"):
        return ""
    return checked(tex, True).partition(DRAWN)[2].removesuffix("</span></span></span>")


def checked(tex: str, display: bool) -> str:
    """What KaTeX writes.

    Raises:
        TexError: if it cannot read the formula.
    """
    answer = katex_answer(tex, json.dumps({"displayMode": display, "strict": "error"}))
    if "fault" in answer:
        # on one line, without the combining characters with which KaTeX underlines the spot
        raise TexError(" ".join(answer["fault"].replace("\u0332", "").split()))
    return answer["html"]


@cache  # the search page asks for the formulas of all pages once more
def katex_answer(tex: str, options: str) -> dict[str, str]:
    """What KaTeX says: HTML, or the fault that it found."""
    return json.loads(engine().get("render")(tex, options))


def with_rows(tex: str) -> str:
    r"""The body of a display as one formula: Sphinx lets blank lines and ``\\`` part its rows."""
    parts = [part.strip() for part in tex.split("\n\n") if part.strip()]
    if len(parts) < 2 and r"\\" not in tex:
        return tex
    return r"\begin{aligned}" + r"\\".join(parts) + r"\end{aligned}"


def rendered(node: nodes.Node, tex: str, display: bool) -> str:
    """The HTML of a formula; of one that cannot be read, its source and a warning."""
    try:
        return render_tex(tex, display)
    except TexError as fault:
        logger.warning("%s%s", fault, cell(node), location=node, type="katex")
        return f'<code class="katex-error">{escape(tex)}</code>'


def cell(node: nodes.Node) -> str:
    """Which cell of a notebook a node stands in: MyST-NB counts lines as cell·10000 + line."""
    line = get_source_line(node)[1] or 0
    return f" [cell {line // 10_000}]" if line >= 10_000 else ""


class KeepMarks(SphinxPostTransform):
    """Keep a formula and the marks of punctuation that touch it on one line."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for formula in list(self.document.findall(nodes.math)):
            line, i = formula.parent, formula.parent.index(formula)
            before, after = line[:i][-1:], line[i + 1 :][:1]
            opening = OPENING.search(before[0]) if text_alone(before) else None
            closing = CLOSING.match(after[0]) if text_alone(after) else None
            if not opening and not closing:
                continue
            kept = nodes.inline("", "", formula, classes=["with-marks"])
            if opening:
                line[i - 1] = nodes.Text(before[0].removesuffix(opening[0]))
                kept.insert(0, nodes.Text(opening[0]))
            if closing:
                line[i + 1] = nodes.Text(after[0].removeprefix(closing[0]))
                kept.append(nodes.Text(closing[0]))
            line[i] = kept


def text_alone(found: list[nodes.Node]) -> bool:
    return any(isinstance(node, nodes.Text) for node in found)


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a line of text."""
    html = rendered(node, node.astext(), False)
    name = {"role": "math", "aria-label": node["name"]} if "name" in node else {}
    classes = "math notranslate nohighlight" + " unbroken" * bool(EQUAL.fullmatch(node.astext()))
    opening = self.starttag(node, "span", "", CLASS=classes, **name)
    self.body.append(f"{opening}{html}</span>")
    raise nodes.SkipNode


def visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands alone, with its number and permanent link if it has a label."""
    numbered = node.get("number")
    tex = node.astext() if node.get("nowrap") else with_rows(node.astext())
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    self.body.append(rendered(node, tex, True))
    if numbered:
        self.body.append(equation_link(node["ids"][0], get_node_equation_number(self, node)))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def equation_link(id: str, number: str) -> str:
    """The number of an equation as the link to it: always seen, and reached by the keyboard."""
    name = f"Link to equation ({number})"
    return f'<a class="eqno" href="#{id}" title="{name}" aria-label="{name}">({number})</a>'


@cache
def style_sheet() -> str:
    """KaTeX's style sheet, with fonts in the one format that browsers of ten years read."""
    style = json.loads(engine().eval("styleSheet()"))
    return re.sub(r", url\(\S+\) format\('(?:woff|truetype)'\)", "", style)


def for_browsers() -> str:
    """KaTeX as a script that sets ``katex``, for a page that draws formulas anew."""
    program = json.loads(engine().eval("program()"))
    return f"{{const m={{exports:{{}}}};({program})(m,m.exports);globalThis.katex=m.exports}}\n"


def write_style(app: Sphinx) -> None:
    """Put KaTeX's style sheet, the fonts that it names and its licence into the site."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir, "_static", "katex")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "katex.css").write_text(style_sheet(), encoding="utf-8")
    fonts = re.findall(r"url\((\S+)\)", style_sheet())
    for name in [*fonts, "third-party-licenses.json"]:
        shutil.copyfile(katex_files()[name], folder / name)


def link_style(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Load the style sheet on the pages that have mathematics, and on no other.

    The template asks for the fonts of digits and letters before anything is drawn: a line that is
    drawn without them may break elsewhere when they arrive, and move all that is below.
    """
    body = context.get("body", "")
    if 'class="katex' in body:
        # before the book's own style sheet, which may then refine it
        app.builder.add_css_file("katex/katex.css", priority=400)
        context["formula_fonts"] = [
            context["pathto"](f"_static/katex/{font_file(family, slope)}", resource=True)
            for family, slope, mark in FONTS_OF_LINES
            if mark in body
        ]


def font_file(family: str, slope: str) -> str:
    """The file of a font of KaTeX, of normal weight."""
    for face in re.findall(r"@font-face\s*\{[^}]*\}", style_sheet()):
        if all(part in face for part in (f"'{family}'", "weight: normal", f"style: {slope}")):
            return re.search(r"url\((\S+)\)", face)[1]
    raise KeyError(f"{family}, {slope}: no such font in the style sheet of KaTeX")


def setup(app: Sphinx) -> None:
    app.add_post_transform(KeepMarks)
    app.add_html_math_renderer("katex", (visit_math, None), (visit_math_block, None))
    app.connect("builder-inited", write_style)
    app.connect("html-page-context", link_style)
