"""The public address of the book, out of the one value that says where its repository is.

``repository: url:`` in ``_config.yml`` is empty until the book is public. When it is filled in with
``https://github.com/OWNER/REPO``, everything that needs an address follows: the address of the site
on GitHub Pages (``html: baseurl:`` overrides it), the repository, the page that reports an error,
and the notebooks on Binder and Colab. The environment variable ``GELU_BOOK_REPOSITORY`` gives the
same value and wins, so that a fork can publish without an edit.

``{when-public}``   text that stands on a page once the address is known; in it the word REPOSITORY
                    stands for the address of the repository

No package will do: each has an option of its own for the one address.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.util.docutils import SphinxDirective

VARIABLE = "GELU_BOOK_REPOSITORY"
FORM = "https://github.com/OWNER/REPO"
GITHUB = re.compile(r"https://github\.com/([A-Za-z0-9](?:-?[A-Za-z0-9])*)/([\w.-]+)/?", re.ASCII)
BRANCH = re.compile(r"[\w.-]+(?:/[\w.-]+)*", re.ASCII)


@dataclass(frozen=True)
class Repository:
    """A repository on GitHub and the addresses that follow from it."""

    owner: str
    name: str
    branch: str

    @property
    def url(self) -> str:
        return f"https://github.com/{self.owner}/{self.name}"

    @property
    def report(self) -> str:
        """Where a reader reports an error."""
        return f"{self.url}/issues/new/choose"

    @property
    def site(self) -> str:
        """The address at which GitHub Pages serves the site."""
        host = f"{self.owner.lower()}.github.io"
        return f"https://{host}/" if self.name.lower() == host else f"https://{host}/{self.name}/"

    def on_binder(self, path: str) -> str:
        """A file of the repository, opened in Jupyter Lab on Binder."""
        place = f"{self.owner}/{self.name}/{self.branch.replace('/', '%2F')}"
        return f"https://mybinder.org/v2/gh/{place}?urlpath=lab/tree/{path}"

    def on_colab(self, path: str) -> str:
        """A notebook of the repository, opened on Colab."""
        place = f"{self.owner}/{self.name}/blob/{self.branch}/{path}"
        return f"https://colab.research.google.com/github/{place}"


def parsed(address: str, branch: str = "main") -> Repository:
    """The repository at an address.

    Raises:
        ConfigError: if the address or the branch has not the form that is accepted.
    """
    found = GITHUB.fullmatch(address)
    if not found or found[2] in (".", "..") or found[2].endswith(".git"):
        raise ConfigError(
            f"the repository is given as {address!r}; accepted is {FORM}. "
            f"It stands in _config.yml as repository: url:, or in the variable {VARIABLE}."
        )
    if not BRANCH.fullmatch(branch):
        raise ConfigError(f"repository: branch: is {branch!r}, which is no name of a branch")
    return Repository(found[1], found[2], branch)


def repository(config: Config) -> Repository | None:
    """The repository that a build knows of; None before the book is public."""
    options = config.html_theme_options
    address = options.get("repository_url")
    return parsed(address, options.get("repository_branch") or "main") if address else None


def checked_site(address: str) -> str:
    """The address of a site as it was given, with a slash at its end.

    Raises:
        ConfigError: if it is no address of a web site.
    """
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ConfigError(
            f"html: baseurl: is {address!r}; accepted is an address such as https://example.org/book/"
        )
    return address.rstrip("/") + "/"


def configure(app: Sphinx, config: Config, environ: Mapping[str, str] = os.environ) -> None:
    """Take the value from the environment if it is there, and derive the address of the site."""
    if given := environ.get(VARIABLE):
        config.html_theme_options["repository_url"] = given
    found = repository(config)
    if config.html_baseurl:
        config.html_baseurl = checked_site(config.html_baseurl)
    elif found:
        config.html_baseurl = found.site
    config.published = f"{found and found.url} {config.html_baseurl}"  # what pages are read with


class WhenPublicDirective(SphinxDirective):
    """``{when-public}``: its content, if the address is known."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        found = repository(self.config)
        if not found:
            return []
        lines = [line.replace("REPOSITORY", found.url) for line in self.content]
        container = nodes.container()
        source = StringList(lines, self.env.docname)
        self.state.nested_parse(source, self.content_offset, container)
        return container.children


def setup(app: Sphinx) -> None:
    app.add_config_value("published", "", "env", str)
    app.add_directive("when-public", WhenPublicDirective)
    app.connect("config-inited", configure, priority=100)  # before anything uses the address
