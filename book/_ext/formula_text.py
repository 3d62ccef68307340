"""A formula in one line of plain text, for places that hold text alone, as the search page.

KaTeX's MathML says which characters a formula has and how they stand; so there is no table of TeX
commands here. ``\\frac{x_1^2}{2}`` becomes ``x₁²/2``.

No package will do: ``pylatexenc`` writes (a + b)/2 as a+b/2, ``unicodeit`` leaves most commands.
"""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from katex_at_build import TexError, render_tex

MATHML = re.compile(r"<math.*?</math>", re.DOTALL)
SPACED = set("=<>≤≥≠≈∼→+−±∓⋅×∈≪≫⟶")
RAISED = str.maketrans("0123456789+−()n∗⋆′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ**′")
LOWERED = str.maketrans("0123456789+−()", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎")
LARGE = {"∫", "∑"}
INVISIBLE = "\u2061"  # between a function and its argument
APPLIED = re.compile(rf"{INVISIBLE}(?=[^\W_]|√)")  # where the argument is in no parentheses
SIGN = re.compile(r"(^|[(\[{=<>≤≥≈∼→;,^_∣])(\s*)([−+±∓])\s+")  # in front of a number
EDGES = re.compile(r"(?<=[(\[])\s+|\s+(?=[)\],;])")  # spaces within parentheses, before a mark
DOUBLE_STRUCK = {"R": "ℝ", "N": "ℕ", "E": "𝔼"}
HATS = {"^": "\u0302", "ˉ": "\u0304", "¯": "\u0304", "~": "\u0303"}


@cache
def formula_text(tex: str, display: bool = False) -> str:
    """A formula as text.

    Args:
        tex: the formula, without delimiters.
        display: whether it stands on a line of its own.

    Returns:
        One line; of TeX that KaTeX cannot read, the TeX.
    """
    try:
        html = render_tex(tex, display)
    except TexError:
        return tex
    # without a namespace its names are short
    mathml = MATHML.search(html)[0].replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1)
    text = text_of(ElementTree.fromstring(mathml))
    text = APPLIED.sub(" ", text).replace(INVISIBLE, "")
    text = EDGES.sub("", SIGN.sub(r"\1\2\3", text))
    return " ".join(text.split())


def text_of(node: Element) -> str:
    """The text of an element of MathML."""
    if node.tag in ("annotation", "mphantom"):
        return ""
    if node.tag == "mspace":
        return " "
    if node.tag in ("mi", "mn", "mo", "mtext") and not len(node):
        return character(node)
    parts = [text_of(child) for child in node]
    write = WRITTEN.get(node.tag)
    return write(*parts) if write else "".join(parts)


def character(node: Element) -> str:
    """The text of an element that has no parts."""
    text = node.text or ""
    if node.get("mathvariant") == "double-struck":
        return DOUBLE_STRUCK.get(text, text)
    return f" {text} " if text in SPACED else text


def bracketed(text: str) -> str:
    """An operand, in parentheses if it is more than one number or name."""
    text = text.strip()
    return text if re.fullmatch(r"√?[\w.′]*|\([^()]*\)", text) else f"({text})"


def shifted(base: str, mark: str, small: str, alphabet: dict[int, int]) -> str:
    """A base with an exponent or an index, in small characters where there are all of them."""
    base, small = base.rstrip(), "".join(small.split())
    if base in LARGE:
        return f"{base}{mark}{bracketed(small)} "
    if set(map(ord, small)) <= alphabet.keys():
        return base + small.translate(alphabet)
    return f"{base}{mark}{bracketed(small)}"


def raised(base: str, exponent: str) -> str:
    return shifted(base, "^", exponent, RAISED)


def lowered(base: str, index: str) -> str:
    return shifted(base, "_", index, LOWERED)


WRITTEN = {
    "mfrac": lambda above, below: f" {bracketed(above)}/{bracketed(below)} ",
    "msqrt": lambda *inside: f"√{bracketed(''.join(inside))}",
    "mroot": lambda inside, degree: f"{bracketed(inside)}^(1/{degree})",
    "msup": raised,
    "msub": lowered,
    "msubsup": lambda base, index, exponent: raised(lowered(base, index).rstrip(), exponent) + " ",
    "mover": lambda base, above: base + HATS.get(above.strip(), f" {above}"),
    "munder": lambda base, below: f"{base}_({below.strip()}) ",
    "munderover": lambda base, below, above: f"{base}_({below.strip()})^({above.strip()}) ",
    "mtr": lambda *cells: " ".join(cells) + "; ",
}
"""How the text of an element is made of the texts of its children."""
