"""Python looks for garbage less often while the book is built.

The trees of the pages are many and live to the end. To look through them again and again for what
could be thrown away takes an eighth of a build; so rarely, it costs 40 MB more at most.
"""

import gc

from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    gc.set_threshold(100_000, 50, 100)
