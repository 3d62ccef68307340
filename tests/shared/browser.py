"""Chromium for the tests: where it is, the server that it asks, and what goes wrong in a page.

The tests need Playwright and a Chromium. Without them they are skipped, and the reason is in the
summary; where the variable ``GELU_LIB_NEEDS_BROWSER`` is set, as in ``.ci/run``, they fail. And so
it is with Python for the browser, of which ``GELU_LIB_NEEDS_RUNTIME`` names the set.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NoReturn

import psutil
import pytest

REQUIRED = "GELU_LIB_NEEDS_BROWSER"
RUNTIME = "GELU_LIB_NEEDS_RUNTIME"
PROGRAM = "GELU_LIB_CHROMIUM"
# The first is Debian's Chromium without windows: it opens a page with a third of the work.
PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# Nothing of Chromium's own may ask the network or draw with a graphics card; as root it has no
# sandbox.
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
# The site is served from a folder, as it is on GitHub Pages: an address that starts at the root
# of the server is lost.
SUB_PATH = "/some/sub-path/"
# An address of the site that runs nothing.
WITHOUT_SCRIPTS = "results.schema.json"
THEMES = ("light", "dark")


def chromium() -> str | None:
    """The program of Chromium; a variable may name one that is elsewhere."""
    named = os.environ.get(PROGRAM)
    return named or next(filter(None, map(shutil.which, PROGRAMS)), None)


def missing() -> str:
    """What the tests in a browser lack here, and how to have it; empty if nothing."""
    if not all(map(importlib.util.find_spec, ("playwright", "axe_playwright_python"))):
        return "no Playwright: pip install -r requirements-browser.txt"
    if not chromium():
        return f"no Chromium among {', '.join(PROGRAMS)}; {PROGRAM} may name one"
    return ""


def without_runtime(name: str, reason: str) -> NoReturn:
    """A set of Python for the browser is not there: fail where it has to be, else skip."""
    (pytest.fail if os.environ.get(RUNTIME) == name else pytest.skip)(reason)


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder under a sub-path, and nothing elsewhere."""

    def __init__(self, *arguments: Any, sub_path: str, directory: str) -> None:
        self.sub_path = sub_path
        super().__init__(*arguments, directory=directory)

    def translate_path(self, path: str) -> str:
        if not path.startswith(self.sub_path):
            return os.path.join(self.directory, "nothing-is-served-outside-the-sub-path")
        return super().translate_path(path.removeprefix(self.sub_path))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: what goes wrong in a page is collected from the page."""


@contextmanager
def serving(folder: Path, sub_path: str = SUB_PATH) -> Iterator[str]:
    """Serve a folder to this machine alone; gives its address, which ends in a slash."""
    handler = partial(Handler, sub_path=sub_path, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{sub_path}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def watch(page: Any, origins: tuple[str, ...]) -> list[str]:
    """A list to which everything that goes wrong in a page is added, from now on.

    That is: an error that a script throws or writes to the console, a request that fails, and a
    request to an address that starts with none of the origins.
    """
    found: list[str] = []
    allowed = (*origins, "data:", "blob:")

    def note(what: str) -> None:
        found.append(f"{page.url}: {what}")

    def said(message: Any) -> None:
        if message.type == "error":
            note(f"console: {message.text} ({message.location['url']})")

    def asked(request: Any) -> None:
        if not request.url.startswith(allowed):
            note(f"asks {request.url}")

    def failed(request: Any) -> None:
        # the page was left or closed meanwhile, or scripts are switched off
        if request.failure not in ("net::ERR_ABORTED", "csp"):
            note(f"{request.failure}: {request.url}")

    page.on("console", said)
    page.on("pageerror", lambda error: note(f"script: {error}"))
    page.on("request", asked)
    page.on("requestfailed", failed)
    page.on("response", lambda r: r.status >= 400 and note(f"status {r.status}: {r.url}"))
    return found


def forget(page: Any) -> None:
    """Leave the site, with nothing in the page that a new visitor would not have."""
    page.context.clear_permissions()
    page.goto(WITHOUT_SCRIPTS)  # what a page writes when it is left, it has written now
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto("about:blank")
    page.mouse.move(0, 0)


DRIVER, PATIENCE = "playwright", 3.0  # seconds


def watch_the_end(driver: str = DRIVER, patience: float = PATIENCE) -> threading.Timer:
    """Stop the driver of Playwright if it has not ended after a time; to be cancelled if it has.

    It was once asked to end, after every test had passed, and did not; the test run then waited
    for it without end.
    """
    watch = threading.Timer(patience, stop_children, [driver])
    watch.daemon = True
    watch.start()
    return watch


def stop_children(word: str) -> None:
    """Kill the processes that this one has started with a word in their command."""
    for child in psutil.Process().children():
        if any(word in part for part in child.cmdline()):
            child.kill()
