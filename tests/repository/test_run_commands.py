"""The commands of the README: what each runs, on every system, and when the environment is made."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from fnmatch import fnmatch
from pathlib import Path

import nbformat
import psutil
import pytest
import run
from jupyter_server.services.contents.manager import ContentsManager
from kinds import slow_but

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "book": ["jupyter-book", "build", ".", "-W", "-n", "--keep-going", "-q"],
    "execute": ["python", os.path.join("tools", "execute.py")],
    "tests": ["pytest"],
    "lab": ["jupyter-lab", "book/README.md", "--KernelManager.transport_encryption=auto"],
}
NOTEBOOKS = sorted(map(str, (ROOT / "book").glob("*.ipynb")))


@pytest.fixture
def called(monkeypatch) -> list[list[str]]:
    """The commands that run.py gives to the system, which are not carried out."""
    commands = []

    def record(command, **variables):
        commands.append([os.path.basename(command[0]), *command[1:]])
        return 0

    monkeypatch.setattr(run, "call", record)
    monkeypatch.setattr(run, "install_once", lambda: None)
    monkeypatch.setattr(run, "damaged", lambda: False)
    return commands


def finish(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as stopped:
        run.main(arguments)
    return stopped.value.code


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_runs_its_program_with_the_further_arguments(called, capsys, name):
    assert finish([name, "--version"]) == 0
    assert called[-1] == [*COMMANDS[name], "--version"]
    assert called[:-1] == ([["jupyter-trust", *NOTEBOOKS]] if name == "lab" else [])
    assert ("nothing is executed" in capsys.readouterr().out) == (name == "book")


def test_lint_and_lab_run_what_they_should(monkeypatch, called):
    assert finish(["lint"]) == 0
    assert called == [["ruff", "format", "--check", "."], ["ruff", "check", "."]]
    monkeypatch.setattr(run, "call", lambda command: called.append(command) or 3)
    assert finish(["lint"]) == 3
    assert len(called) == 3
    given = {}
    monkeypatch.setattr(run, "call", lambda command, **variables: given.update(variables))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "of-the-user")
    finish(["lab"])
    own, users = given["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    asked = Path(own, "labconfig", "page_config.json").read_text(encoding="utf-8")
    assert json.loads(asked) == {
        "disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}
    }
    asked = Path(own, "labconfig", "default_setting_overrides.json").read_text(encoding="utf-8")
    viewers = json.loads(asked)["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"]
    assert viewers == {"markdown": "Markdown Preview"}  # in which the links of the list lead on
    asked = Path(own, "jupyter_server_config.json").read_text(encoding="utf-8")
    hidden = json.loads(asked)["ContentsManager"]["hide_globs"]
    assert set(hidden) > set(ContentsManager.hide_globs.default_args[0])
    listed = [path for path in (ROOT / "book").iterdir() if path.name[0] != "."]
    left = [path for path in listed if not any(fnmatch(path.name, glob) for glob in hidden)]
    pages = [path.name for path in left if path.suffix in (".md", ".ipynb")]
    assert sorted(path.name for path in left) == sorted([*pages, "library"])
    assert len(pages) == len([*NOTEBOOKS, *(ROOT / "book").glob("*.md")])
    assert users == "of-the-user"


@pytest.mark.parametrize("status", [0, 1])
def test_after_a_warning_the_next_build_warns_again(monkeypatch, called, tmp_path, status):
    pages = tmp_path / "_build" / ".doctrees"
    pages.mkdir(parents=True)
    monkeypatch.setattr(run, "ROOT", str(tmp_path))
    monkeypatch.setattr(run, "call", lambda command: status)
    assert finish(["book"]) == status
    assert pages.exists() == (status == 0)  # what is not there is read again


@pytest.fixture
def place(monkeypatch, tmp_path) -> Path:
    """A folder in which run.py would make its environment; nothing is installed."""
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(run, "ROOT", str(tmp_path))
    monkeypatch.setattr(run, "ENVIRONMENT", str(tmp_path / ".venv"))
    monkeypatch.setattr(run, "SCRIPTS", str(tmp_path / ".venv" / Path(run.SCRIPTS).name))
    monkeypatch.setattr(run, "STAMP", str(tmp_path / ".venv" / "installed-from"))
    monkeypatch.setattr(
        run.venv.EnvBuilder, "create", lambda self, folder: Path(folder).mkdir(exist_ok=True)
    )
    return tmp_path


def failing(part, called):
    """What stands for ``call``, and fails where a command has an argument that begins so."""
    return lambda c, **_: called.append(c) or any(text.startswith(part) for text in c)


def test_the_environment_is_made_once_and_again_after_a_change(monkeypatch, place):
    installed = []
    monkeypatch.setattr(run, "call", lambda command, **_: installed.append(command) or 0)
    run.install_once()
    run.install_once()
    assert len(installed) == 3
    assert installed[0][-1].startswith("uv==")
    assert installed[1][-2:] == ["-r", "requirements.txt"]
    assert installed[2][-1] == "import matplotlib.font_manager"
    for fails in ("uv==", "--python"):  # pip installs what uv does not
        (place / "pyproject.toml").write_text(f"[{fails}]\n")
        called = []
        monkeypatch.setattr(run, "call", failing(fails, called))
        run.install_once()
        assert called[-2][1:3] == ["-m", "pip"] and called[-2][-2:] == ["-r", "requirements.txt"]
    monkeypatch.setattr(run, "call", lambda command, **_: installed.append(command) or 0)
    (place / "pyproject.toml").write_text("[project]\n")
    run.install_once()
    assert len(installed) == 6
    (place / "pyproject.toml").write_text("[other]\n")
    monkeypatch.setattr(run, "call", lambda command, **_: 1)
    for _ in range(2):  # one that failed is begun again
        with pytest.raises(SystemExit, match="The installation failed"):
            run.install_once()


@pytest.mark.skipif(os.name == "nt", reason="Windows lets no ordinary user make a link")
def test_an_environment_that_is_a_link_is_refused_and_not_emptied(monkeypatch, place):
    monkeypatch.setattr(run, "call", lambda *_, **__: pytest.fail("something is installed"))
    monkeypatch.setattr(run.venv.EnvBuilder, "create", lambda *_: pytest.fail("it is emptied"))
    other = place / "other"
    other.mkdir()
    (place / ".venv").symlink_to(other)
    with pytest.raises(SystemExit, match=f"is a link to {other}, .* delete the link alone"):
        run.install_once()


@pytest.fixture
def stamped(place) -> Path:
    """An environment that was installed, and of which nothing is left but the stamp."""
    (place / ".venv").mkdir()
    (place / ".venv" / "installed-from").write_text(run.fingerprint())
    return place


@pytest.mark.skipif(os.name == "nt", reason="the program that fails is a script of the shell")
def test_without_a_program_or_with_an_empty_library_it_says_what_to_do(monkeypatch, stamped):
    assert "delete the folder .venv" in run.DAMAGED
    assert finish(["book"]) == finish(["tests"]) == run.DAMAGED
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", stamped / ".venv"], check=True)
    program = Path(run.program("pytest"))
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    assert finish(["tests"]) == run.DAMAGED

    def gone(*_, **__):
        raise FileNotFoundError(2, "No such file or directory", "notes.txt")

    monkeypatch.setattr(run, "call", gone)  # another file than one of the environment
    with pytest.raises(FileNotFoundError, match=r"notes\.txt"):
        finish(["lint"])


def test_an_installation_waits_for_another_and_is_not_done_twice(place, monkeypatch, capsys):
    monkeypatch.setattr(run, "install", lambda: pytest.fail("it is installed twice"))
    waiting = threading.Thread(target=run.install_once)
    with run.alone("environment"):
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        assert "Another run makes the environment" in capsys.readouterr().out
        (place / ".venv").mkdir()
        (place / ".venv" / "installed-from").write_text(run.fingerprint())
    waiting.join(10)
    assert not waiting.is_alive()


# --- interrupted

SLOW = "import time\nopen('begun', 'w').close()\ntime.sleep(1000)"
START = f"""
import os, signal, sys
sys.path.insert(0, "tools")
import run
run.SCRIPTS, run.install_once = {str(Path(sys.executable).parent)!r}, lambda: None
signal.signal(signal.SIGTERM, run.terminate)
run.main(["execute"])
"""


@pytest.fixture
def executing(tmp_path):
    """run.py in a group of its own, while it executes two notebooks that do not end."""
    for folder in ("tools", "book"):
        (tmp_path / folder).mkdir()
    for name in ("run.py", "execute.py", "colab_cell.py", "command_line.py", "slides.py"):
        (tmp_path / "tools" / name).write_bytes((ROOT / "tools" / name).read_bytes())
    (tmp_path / "_config.yml").write_text("repository: {url: '', branch: ''}\n")
    for name in ("one", "two"):
        cells = [nbformat.v4.new_code_cell(SLOW.replace("begun", f"{name}.begun"))]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "book" / f"{name}.ipynb")
    process = subprocess.Popen(
        [sys.executable, "-c", START],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    while len(list((tmp_path / "book").glob("*.begun"))) < 2:
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.05)
    yield process
    process.kill()
    process.stdout.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups of this kind")
@pytest.mark.parametrize(
    ("send", "number"),
    slow_but(
        lambda case: case == ("killpg", signal.SIGINT),  # what Ctrl-C does in a terminal
        [("killpg", signal.SIGINT), ("killpg", signal.SIGTERM), ("kill", signal.SIGTERM)],
    ),
)
def test_an_execution_that_is_interrupted_leaves_nothing(executing, send, number):
    started = psutil.Process(executing.pid).children(recursive=True)
    assert len(started) == 3  # execute.py and two kernels
    getattr(os, send)(executing.pid, number)
    said, _ = executing.communicate(timeout=60)
    assert (executing.returncode, said) == (130, b"")
    _, left = psutil.wait_procs(started, timeout=5)
    assert left == []


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_ends_every_command_with_the_status_of_shells(monkeypatch, called, command):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "call", interrupted)
    assert finish([command]) == 130


DEAF = "import signal; signal.signal(2, signal.SIG_IGN); signal.signal(15, signal.SIG_IGN); "


@pytest.mark.parametrize("word", ["", DEAF], ids=["asked", "deaf"])
@pytest.mark.parametrize("interruption", [run.Terminated, KeyboardInterrupt])
def test_a_program_ends_with_what_it_has_started(monkeypatch, word, interruption):
    monkeypatch.setattr(run, "PATIENCE", 0.2)
    child = f"{word}import time; print(1, flush=True); time.sleep(1000)"
    parent = f"import subprocess, sys; subprocess.call([sys.executable, '-c', {child!r}])"
    with subprocess.Popen([sys.executable, "-c", word + parent], stdout=subprocess.PIPE) as first:
        first.stdout.readline()
        kin = psutil.Process(first.pid).children(recursive=True)
        assert len(kin) == 1
        run.end(first, interruption())
        _, left = psutil.wait_procs(kin, timeout=5)
    assert left == []


def test_every_line_of_the_texts_names_a_command_that_there_is():
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "book/run.md")]
    named = {word for text in texts for word in re.findall(r"tools[/\\]run\.py (\w+)", text)}
    assert named >= {"book", "tests", "lab"}
    assert [name for name in named if not callable(getattr(run, name, None))] == []
