"""Where in somebody's code a statement was read: the file, at a commit or in a release."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gelu_lib.rows import DataError

_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, kw_only=True)
class Place:
    """A file that was read, at a commit or in a release.

    Attributes:
        repository: owner and name on GitHub.
        path: the file.
        commit: 40 digits, or empty.
        release: the release that was read, if it was no commit.
    """

    repository: str = ""
    path: str = ""
    commit: str = ""
    release: str = ""

    @property
    def address(self) -> str:
        """Where the file stands at the commit; of a release, where the repository does."""
        home = f"https://github.com/{self.repository}"
        return f"{home}/blob/{self.commit}/{self.path}" if self.commit else home

    @property
    def source(self) -> str:
        """Where it was read, in Markdown, with a link."""
        read = f" at `{self.commit[:10]}`" if self.commit else f", release {self.release}"
        return f"[{self.repository}]({self.address}){read}"

    def check(self, id: str) -> None:
        """Refuse an entry that does not say where it was read.

        Raises:
            DataError: naming the entry and what it needs.
        """
        if not (self.repository and self.path) or bool(self.commit) == bool(self.release):
            raise DataError(f"{id}: needs repository, path and one of commit and release")
        if self.commit and not _COMMIT.fullmatch(self.commit):
            said = f"commit is {self.commit!r}; accepted are 40 hexadecimal digits"
            raise DataError(f"{id}: {said}")
