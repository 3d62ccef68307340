"""The addresses that follow from the one value that says where the repository is."""

from types import SimpleNamespace

import pytest
from public_address import VARIABLE, Repository, configure, parsed, repository
from sphinx.errors import ConfigError

ADDRESS = "https://github.com/Ann-Lee/gelu.book"


def configured(url="", baseurl="", branch="", environ=None):
    """The configuration of a build, after the extension has read it."""
    options = {"repository_url": url, "repository_branch": branch}
    config = SimpleNamespace(html_theme_options=options, html_baseurl=baseurl)
    configure(None, config, environ or {})
    return config


def test_everything_follows_from_the_repository_and_nothing_without_one():
    for config in (configured(), configured(environ={VARIABLE: ""})):
        assert (repository(config), config.html_baseurl) == (None, "")
    config = configured(ADDRESS)
    found = repository(config)
    assert found == Repository("Ann-Lee", "gelu.book", "main")
    assert found.url == ADDRESS
    assert found.report == ADDRESS + "/issues/new/choose"
    assert config.html_baseurl == found.site == "https://ann-lee.github.io/gelu.book/"
    assert found.on_binder("book/gelu.ipynb") == (
        "https://mybinder.org/v2/gh/Ann-Lee/gelu.book/main?urlpath=lab/tree/book/gelu.ipynb"
    )
    assert found.on_colab("book/gelu.ipynb") == (
        "https://colab.research.google.com/github/Ann-Lee/gelu.book/blob/main/book/gelu.ipynb"
    )


@pytest.mark.parametrize(
    ("place", "site"),
    [
        ("Ann-Lee/ann-lee.github.io", "https://ann-lee.github.io/"),  # served at its root
        ("Ann-Lee/Ann-Lee.github.io/", "https://ann-lee.github.io/"),
        ("ann/ben.github.io", "https://ann.github.io/ben.github.io/"),
    ],
)
def test_the_address_of_the_site_follows_from_that_of_the_repository(place, site):
    assert parsed(f"https://github.com/{place}").site == site


def test_which_address_wins_and_what_it_may_have():
    config = configured(ADDRESS, environ={VARIABLE: "https://github.com/ben/fork"})
    assert repository(config).url == "https://github.com/ben/fork"
    assert config.html_baseurl == "https://ben.github.io/fork/"
    for own in ("https://gelu.example.org/book", "https://gelu.example.org/book/"):
        assert configured(ADDRESS, own).html_baseurl == "https://gelu.example.org/book/"
    found = repository(configured(ADDRESS, branch="next/edition"))
    assert "/gelu.book/next%2Fedition?" in found.on_binder("x.ipynb")
    assert "/blob/next/edition/x.ipynb" in found.on_colab("x.ipynb")


@pytest.mark.parametrize(
    "address",
    [
        "github.com/ann/book",
        "https://gitlab.com/ann/book",
        "https://github.com/ann/book/tree/main",
        "https://github.com/ann/book.git",
        "https://github.com.example.org/ann/book",
        "git@github.com:ann/book.git",
        '"><script>',
    ],
)
def test_another_form_is_refused_and_the_accepted_one_is_named(address):
    with pytest.raises(ConfigError, match=r"accepted is https://github\.com/OWNER/REPO\."):
        configured(address)
    with pytest.raises(ConfigError, match=VARIABLE):
        configured(environ={VARIABLE: address})


@pytest.mark.parametrize(
    ("given", "named"),
    [({"branch": name}, "branch") for name in ("two words", "/main", '"')]
    + [({"baseurl": site}, "baseurl") for site in ("example.org", "ftp://example.org/")],
)
def test_a_branch_or_a_site_that_is_none_is_refused(given, named):
    with pytest.raises(ConfigError, match=named):
        configured(ADDRESS, **given)
