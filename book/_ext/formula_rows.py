r"""Where a displayed formula breaks on a narrow screen: in rows, in clauses and before relations.

KaTeX draws ``aligned`` as columns, one stack of all rows each, and such a stack cannot break: on a
telephone a derivation of four steps would be four screens wide. Here the formula is taken apart
into its rows and their cells. Each cell is drawn for itself, and the style sheet puts the cells
into a grid, in which a long cell breaks as a formula in one line does.

A formula of one line breaks in KaTeX after any relation, so that a line may end in ``k =``, and
after any sign in brackets. Here it is taken apart into the clauses between its ``\quad`` and each
clause before its relations. The style sheet keeps a clause on one line if it fits, then a piece.

No package will do: KaTeX breaks formulas at the top level alone, and where it likes.
"""

from __future__ import annotations

import re

OPENING, CLOSING = r"\begin{aligned}", r"\end{aligned}"
# A row's end with the room that it asks for, the mark between cells, and what encloses others.
TOKEN = re.compile(r"\\\\(?:\s*\[[^\]]*\])?|\\(?:begin|end)\{\w+\*?\}|\\.|[&{}]", re.DOTALL)

RELATIONS = {"=", "<", ">", r"\le", r"\ge", r"\ne", r"\approx", r"\sim", r"\in", r"\subset"}
RELATIONS |= {r"\iff", r"\implies", r"\Longleftrightarrow", r"\Longrightarrow", r"\longrightarrow"}
NO_BREAK = r"\nobreak"
# After these KaTeX lets a line end.
OPERATORS = {
    "+",
    "-",
    r"\cdot",
    r"\times",
    r"\pm",
    r"\mp",
    r"\cup",
    r"\cap",
    r"\setminus",
    r"\circ",
}
OPERATORS |= {r"\wedge", r"\vee", r"\land", r"\lor", r"\oplus", r"\ast", "*", ":", r"\mid", r"\to"}
QUADS = {r"\quad", r"\qquad"}
SIGN = r"(?:\\(?:[A-Za-z]+|.)|.)"
FENCE = r"\\(?:left|right)(?![A-Za-z])"
WORD = re.compile(rf"{FENCE}\s*{SIGN}|\\(?:begin|end)\{{\w+\*?\}}|{SIGN}", re.DOTALL)
# What encloses a part of a formula, in which nothing breaks, and brackets, in which it might.
GROUPS = re.compile(r"\{|\\left\W|\\begin\{"), re.compile(r"\}|\\right\W|\\end\{")
BRACKETS = re.compile(r"[(\[]|\\\{"), re.compile(r"[)\]]|\\\}")
OPENS = re.compile(r"(?:\\left\s*)?\(")
# Nothing, a number or one letter with what stands at it: no line ends between it and its relation.
SYMBOL = re.compile(
    r"\s*([-+]?(?:[A-Za-z]|\\[A-Za-z]+|[\d.]+)"
    r"(?:[_^](?:[\w*]|\\[A-Za-z]+|\{[^{}]*\})|['\s])*)?"
)
SEPARATOR = re.compile(r"[,;:]|\\text\{[^{}]*\}")


def rows(tex: str) -> list[list[str]]:
    r"""The cells of each row of a formula that is one ``aligned``; of any other, nothing.

    Of ``aligned`` in ``aligned`` with nothing beside it, as Sphinx writes it, the inner one counts.
    """
    parted = None
    while (body := body_of(tex)) is not None:
        parted = cells(body)
        tex = parted[0][0] if len(parted) == len(parted[0]) == 1 else ""
    return parted or []


def body_of(tex: str) -> str | None:
    """What stands in the ``aligned`` that is all of a formula, or None."""
    tex = tex.strip()
    if not (tex.startswith(OPENING) and tex.endswith(CLOSING)):
        return None
    body = tex[len(OPENING) : -len(CLOSING)]
    inside = 0
    for token in TOKEN.findall(body):
        inside += step(token, *GROUPS)
        if inside < 0:  # the environment that begins the formula ends before the last one begins
            return None
    return body


def step(token: str, opens: re.Pattern[str], closes: re.Pattern[str]) -> int:
    """How much deeper a token leads."""
    return bool(opens.match(token)) - bool(closes.match(token))


def cells(body: str) -> list[list[str]]:
    """The body of an environment, parted at the ends of its rows and between its cells."""
    found, depth, start = [[]], 0, 0
    for mark in TOKEN.finditer(body):
        depth += step(mark[0], *GROUPS)
        if depth == 0 and mark[0].startswith(("&", "\\\\")):
            found[-1].append(body[start : mark.start()].strip())
            start = mark.end()
            if mark[0] != "&":
                found.append([])
    found[-1].append(body[start:].strip())
    return [row for row in found if any(row)]


def clauses(tex: str) -> list[list[str]]:
    r"""The clauses of a formula of one line, each as its pieces; a quad is a clause of its own.

    A clause ends at ``\quad``; a piece, before a relation, if more than a symbol stands there. A
    line may end between brackets that are multiplied, but none in brackets or after a relation.
    """
    found, groups, brackets = [[""]], 0, 0
    for word in WORD.findall(tex):
        groups += step(word, *GROUPS)
        brackets += step(word, *BRACKETS)
        if min(groups, brackets) < 0:
            return [[tex]]
        before = found[-1][-1].rstrip()
        if word in QUADS and before.endswith(NO_BREAK):
            word = f"{word}{NO_BREAK} "
        elif word in QUADS and groups == brackets == 0:
            found += [[word], [""]]
            continue
        elif word in RELATIONS and groups == 0:
            if not brackets and not SYMBOL.fullmatch(SEPARATOR.split(before)[-1]):
                found[-1].append("{}")  # before which the relation has its room
            word = f"{word}{NO_BREAK} "
        elif word in OPERATORS and groups == 0 < brackets:
            word = f"{word}{NO_BREAK} "
        elif OPENS.match(word) and groups + brackets == 1 and before.endswith(")"):
            word = rf"\allowbreak {word}"  # a product
        found[-1][-1] += word
    return found if groups == brackets == 0 else [[tex]]
