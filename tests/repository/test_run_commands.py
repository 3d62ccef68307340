"""The commands of the README: what each runs, on every system, and when the environment is made."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import run

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "book": ["jupyter-book", "build", ".", "-W", "-n", "--keep-going", "-q"],
    "execute": ["python", os.path.join("tools", "execute.py")],
    "tests": ["pytest"],
    "lab": ["jupyter-lab", "book", "--KernelManager.transport_encryption=auto"],
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
    return commands


def finish(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as stopped:
        run.main(arguments)
    return stopped.value.code


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_runs_its_program_with_the_further_arguments(called, name):
    assert finish([name, "--version"]) == 0
    assert called[-1] == [*COMMANDS[name], "--version"]
    assert called[:-1] == ([["jupyter-trust", *NOTEBOOKS]] if name == "lab" else [])


@pytest.mark.parametrize("name", ["tests", "execute"])
def test_processes_side_by_side_have_one_thread_each_for_numpy(monkeypatch, name):
    given = {}
    monkeypatch.setattr(run, "install_once", lambda: None)
    monkeypatch.setattr(run, "call", lambda command, **variables: given.update(variables) or 0)
    assert finish([name]) == 0
    assert given == {"OPENBLAS_NUM_THREADS": "1"}


def test_what_python_compiles_is_kept_where_the_system_says_otherwise(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert run.call([sys.executable, "-c", "import sys; exit(sys.dont_write_bytecode)"]) == 0


def test_lint_formats_and_lints(called):
    assert finish(["lint"]) == 0
    assert called == [["ruff", "format", "--check", "."], ["ruff", "check", "."]]


def test_lint_stops_at_the_first_fault(monkeypatch, called):
    monkeypatch.setattr(run, "call", lambda command: called.append(command) or 3)
    assert finish(["lint"]) == 3
    assert len(called) == 1


def test_a_build_says_that_nothing_is_executed(called, capsys):
    assert finish(["book"]) == 0
    assert "nothing is executed" in capsys.readouterr().out


def test_the_programs_of_windows_are_in_another_folder():
    program = "import os, subprocess, venv, hashlib; os.name = 'nt'; import run; print(run.SCRIPTS)"
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, cwd=ROOT / "tools", capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()) == ROOT / ".venv" / "Scripts"
    assert Path(run.SCRIPTS) == ROOT / ".venv" / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture
def place(monkeypatch, tmp_path) -> Path:
    """A folder in which run.py would make its environment; nothing is installed."""
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(run, "ROOT", str(tmp_path))
    monkeypatch.setattr(run, "ENVIRONMENT", str(tmp_path / ".venv"))
    monkeypatch.setattr(run, "STAMP", str(tmp_path / ".venv" / "installed-from"))
    monkeypatch.setattr(
        run.venv.EnvBuilder, "create", lambda self, folder: Path(folder).mkdir(exist_ok=True)
    )
    return tmp_path


def test_the_environment_is_made_once_and_again_after_a_change(monkeypatch, place):
    installed = []
    monkeypatch.setattr(run, "call", lambda command, **_: installed.append(command) or 0)
    run.install_once()
    run.install_once()
    assert len(installed) == 3
    assert installed[0][-1].startswith("uv==")
    assert installed[1][-2:] == ["-r", "requirements.txt"]
    assert installed[2][-1] == "import matplotlib.font_manager"
    (place / "pyproject.toml").write_text("[project]\n")
    run.install_once()
    assert len(installed) == 6


@pytest.mark.parametrize("fails", ["uv==", "--python"])
def test_pip_installs_what_uv_does_not(monkeypatch, place, fails):
    called = []
    monkeypatch.setattr(
        run, "call", lambda c, **_: called.append(c) or any(part.startswith(fails) for part in c)
    )
    run.install_once()
    assert called[-2][1:3] == ["-m", "pip"] and called[-2][-2:] == ["-r", "requirements.txt"]


def test_an_installation_that_failed_is_begun_again(monkeypatch, place):
    monkeypatch.setattr(run, "call", lambda command, **_: 1)
    for _ in range(2):
        with pytest.raises(SystemExit, match="The installation failed"):
            run.install_once()


def test_every_line_of_the_texts_names_a_command_that_there_is():
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "book/run.md")]
    named = {word for text in texts for word in re.findall(r"tools[/\\]run\.py (\w+)", text)}
    assert named >= {"book", "tests", "lab"}
    assert [name for name in named if not callable(getattr(run, name, None))] == []
