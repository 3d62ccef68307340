"""*Run this page* in Firefox, as Debian has it.

Playwright drives a Firefox of its own alone, and no registry has geckodriver for Linux; Firefox
itself speaks Marionette, which is a length, a colon and JSON.
"""

import itertools
import json
import re
import shutil
import socket
import subprocess
import time

import browser
import pytest

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="no Firefox: apt-get install firefox-esr"),
]
NUMBER = 17  # a cell of the landing page
ALL = "\ue009a"  # Ctrl and A
PRESS = """const [done] = arguments, said = document.querySelector(".run-page [role=status]");
document.querySelector(".run-page button").click();
setInterval(() => said.textContent && done(said.textContent), 100);"""
RUN = """const [n, name, done] = arguments, cell = document.querySelector(`[data-cell="${n}"]`);
[...cell.querySelectorAll("button")].find(button => button.textContent == name).click();
setInterval(() => {
  const states = [...document.querySelectorAll(".run-tools > span")].map(one => one.textContent);
  const fresh = document.querySelector(`[data-cell="${n + 1}"] .run-new`);
  if (!states.some(state => /waiting|running/.test(state))) done(fresh?.innerText ?? "as printed");
}, 100);"""


@pytest.fixture
def firefox(tmp_path):
    """A function that sends a command and returns the value of its answer."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (tmp_path / "user.js").write_text(f'user_pref("marionette.port", {port});')
    options = ["--headless", "--marionette", "--no-remote", "--profile", tmp_path]
    quiet = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    program = subprocess.Popen([PROGRAM, *options], **quiet)
    while True:
        try:
            line = socket.create_connection(("127.0.0.1", port))
            break
        except ConnectionRefusedError:
            assert program.poll() is None, "Firefox ended"
            time.sleep(0.1)
    numbers = itertools.count(1)
    with line, line.makefile("rb") as answers:

        def read():
            return json.loads(answers.read(int(b"".join(iter(lambda: answers.read(1), b":")))))

        def send(command, **given):
            message = json.dumps([0, next(numbers), f"WebDriver:{command}", given]).encode()
            line.sendall(b"%d:%s" % (len(message), message))
            *_, error, answer = read()
            assert not error, error
            return answer.get("value")

        read()  # a greeting
        send("NewSession")
        send("SetTimeouts", script=300_000)
        yield send
    program.kill()
    program.wait()


def test_a_page_runs_is_edited_and_reset(firefox, address, site):
    if not (site / "_static" / "run").is_dir():
        browser.without_runtime("tested", "the site has no Python for the browser")
    firefox("Navigate", url=f"{address}book/index.html")
    said = firefox("ExecuteAsyncScript", script=PRESS, args=[])
    assert re.match(r"(\d+) of \1 cells gave the printed words and numbers", said), said
    place = f'[data-cell="{NUMBER}"] [role=textbox]'
    (box,) = firefox("FindElement", using="css selector", value=place).values()
    for keys in (ALL, "number = 0.046"):
        firefox("ElementSendKeys", id=box, text=keys)
    below = firefox("ExecuteAsyncScript", script=RUN, args=[NUMBER, "Run all below"])
    assert "with 0.046: crest" in below
    firefox("ExecuteAsyncScript", script=RUN, args=[NUMBER, "Reset"])
    again = firefox("ExecuteAsyncScript", script=RUN, args=[NUMBER, "Run all below"])
    assert again == "as printed"
