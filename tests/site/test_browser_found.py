"""Tests in a browser are skipped with a reason where there is none, and fail where one must be."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import browser
import pytest

ROOT = Path(__file__).resolve().parents[2]
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
PINNED = (ROOT / "requirements-browser.txt").read_text(encoding="utf-8")
PINS = re.findall(r"^([\w-]+)==([\d.]+) ", PINNED, re.M)
EXAMPLE = """import pytest
@pytest.mark.browser
def test_example(chromium):
    assert chromium.is_connected()
"""


def test_a_browser_is_there_where_it_must_be():
    if os.environ.get(browser.REQUIRED):
        assert browser.missing() == ""


@pytest.mark.parametrize(
    ("required", "outcome"),
    [("", "SKIPPED .* no Chromium among chromium"), ("1", "(?s)ERROR at setup.* no Chromium")],
)
def test_its_absence_is_said_in_the_summary(tmp_path, required, outcome):
    for name in ("conftest.py", "shared/browser.py", "shared/built_site.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -rs\nmarkers = browser\n")
    (tmp_path / "test_example.py").write_text(EXAMPLE)
    # packages that are found, with nothing in them, and no program on the path
    for package in ("playwright", "axe_playwright_python"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", tmp_path]
    environment = {**os.environ, browser.REQUIRED: required, "PATH": "", browser.PROGRAM: ""}
    environment |= {"PYTHONPATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert re.search(outcome, run.stdout), run.stdout + run.stderr


def test_the_command_of_the_checks_installs_and_asks_for_it():
    before, _, after = CI.partition("\npython3 tools/run.py tests ")
    required = f"export {browser.REQUIRED}=1", f"export {browser.RUNTIME}=tested"
    for line in (*required, "--no-install-recommends chromium"):
        assert line in before
    assert "-r requirements-browser.txt" in before and after


def test_a_set_that_must_be_there_fails_and_another_is_skipped(monkeypatch):
    monkeypatch.setenv(browser.RUNTIME, "published")
    for name, outcome in (("published", pytest.fail), ("tested", pytest.skip)):
        with pytest.raises(outcome.Exception, match="no such files"):
            browser.without_runtime(name, "no such files")


@pytest.mark.browser
def test_what_is_installed_is_what_is_pinned():
    from axe_playwright_python.base import AXE_SCRIPT

    assert PINS and [(name, version(name)) for name, _ in PINS] == PINS
    assert f"axe v{re.search(r'axe-core ([0-9.]+)', PINNED)[1]}" in AXE_SCRIPT[:200]


def test_a_driver_that_does_not_end_is_stopped_and_nothing_else():
    wait = "import sys, time; time.sleep(60)"
    driver = subprocess.Popen([sys.executable, "-c", wait, "a-driver-that-stays"])
    other = subprocess.Popen([sys.executable, "-c", wait, "something-else"])
    try:
        browser.watch_the_end("a-driver-that-stays", 0.1)
        assert driver.wait(timeout=20) != 0
        assert other.poll() is None
    finally:
        for process in (driver, other):
            process.kill()
            process.wait()
