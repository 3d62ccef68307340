"""The colours of programs: those of the palette, so that they turn with the page."""

from __future__ import annotations

from pygments.style import Style
from pygments.token import Comment, Error, Generic, Keyword, Literal, Name, Number, Operator, String


class BookStyle(Style):
    """Few colours: what a reader looks for are words of the language, texts and remarks."""

    background_color = "var(--book-tint)"
    styles = {  # noqa: RUF012 (pygments reads a plain dictionary)
        Comment: "italic var(--book-grey)",
        Keyword: "var(--book-violet)",
        Operator.Word: "var(--book-violet)",
        Name.Decorator: "var(--book-violet)",
        Name.Function: "var(--book-blue)",
        Name.Class: "var(--book-blue)",
        Number: "var(--book-green)",
        Literal: "var(--book-green)",
        String: "var(--book-orange)",
        Generic.Prompt: "var(--book-grey)",
        Generic.Error: "var(--book-orange)",
        Error: "var(--book-orange)",
    }
