"""The commands, the pins and the files around the book agree with one another."""

import ast
import builtins
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distributions, metadata
from pathlib import Path

import flint
import pytest
import run
import yaml
from mutate_certificates import MUTANTS
from packaging.specifiers import SpecifierSet

import gelu_lib

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PINNED = [
    line.partition("#")[0].strip()
    for path in ROOT.glob("requirements*.txt")
    for line in path.read_text(encoding="utf-8").splitlines()
]
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
PIN = re.compile(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*")


def unpinned(lines: list[str]) -> list[str]:
    """The requirements that do not name one exact version, but for the library itself."""
    stated = [line.partition("#")[0].strip() for line in lines]
    return [line for line in stated if line and line != "-e ." and not PIN.fullmatch(line)]


def test_every_requirement_and_what_is_installed_is_pinned():
    assert unpinned(PINNED) == []
    assert "-e ." in REQUIREMENTS
    assert unpinned(["numpy>=2", "scipy", "sympy==1.*"]) == ["numpy>=2", "scipy", "sympy==1.*"]
    assert not_pinned(found.name for found in distributions()) == set()
    assert not_pinned(["NumPy", "Left.Pad", "pip", "mdit_py_plugins"]) == {"left-pad"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def not_pinned(installed: Iterable[str]) -> set[str]:
    """The packages that no list of requirements pins."""
    pinned = {canonical(line.partition("==")[0]) for line in PINNED}
    # pip comes with Python, uv is pinned in tools/run.py, the last ones by PyTorch
    others = re.compile("gelu-lib|pip|uv|nvidia-.*|cuda-.*|triton")
    return {n for n in map(canonical, installed) if n not in pinned and not others.fullmatch(n)}


def names(requirements: list[str]) -> set[str]:
    """The packages that a list of requirements names."""
    return {re.match(r"[\w-]+", line)[0] for line in requirements}


def pins_apart(extra: list[str], pins: list[str]) -> set[str]:
    """The exact versions that an extra asks for and that are not those of the pins."""
    return {line for line in extra if "==" in line} - set(pins)


def test_what_runs_elsewhere_has_the_versions_that_made_its_outputs_for_every_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    pins = [line.partition("#")[0].strip() for line in REQUIREMENTS]
    assert pins_apart(extras["book"], pins) == set()
    assert pins_apart(["numpy==2.0", "jupyterlab>=4"], ["numpy==2.1"]) == {"numpy==2.0"}
    exact = names([line for line in extras["book"] if "==" in line])
    assert exact == names(project["dependencies"]) | names(
        extras["proofs"] + extras["bfloat16"]
    ) | {"matplotlib"}
    lines = [line.split("==")[0].strip() for line in REQUIREMENTS if "==" in line]
    stated = {name: metadata(name).get("Requires-Python", "") for name in lines}
    assert {name: python for name, python in stated.items() if excluded(python)} == {}
    assert excluded(">=3.11.5") == ["3.11.0"]
    extras = metadata("gelu_lib").get_all("Requires-Dist")
    asked = [line.partition(";")[0] for line in extras if 'extra == "colab"' in line]
    assert len(asked) == 2
    assert [line for line in asked if "==" in line or "jupyter" in line or "book" in line] == []


def excluded(requires_python: str) -> list[str]:
    """The supported Pythons that a package's Requires-Python leaves out."""
    versions = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
    return [version for version in versions if version not in SpecifierSet(requires_python)]


@pytest.mark.parametrize("version", [(3, 10), (3, 15), (2, 7)])
def test_another_python_stops_with_one_sentence_that_names_it(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", (*version, 0))
    needs = r"3\.11, 3\.12, 3\.13 or 3\.14"
    with pytest.raises(SystemExit, match=rf"{needs}; .* is Python {version[0]}\."):
        run.require_supported_python()


def test_versions_and_the_settings_of_the_build_are_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.15"
    assert run.SUPPORTED == ((3, 11), (3, 12), (3, 13), (3, 14))
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {gelu_lib.__version__}\n" in citation
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    # a cache would be older than the library; nbval compares the stored outputs with fresh ones
    assert config["execute"] == {"execute_notebooks": "off", "stderr_output": "error"}


def evaluated(script: str) -> list[str]:
    """The lines of a script that make a command of a text."""
    return [line for line in script.splitlines() if re.search(r"\beval\b|\| *(ba)?sh\b", line)]


def test_ci_runs_the_command_of_the_readme_and_an_unknown_one_is_refused():
    (command,) = re.findall(r"<!-- test command -->\n```sh\n(.*)\n```", README)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.splitlines()[-1] == f'{command} "$@"'
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    assert [line for w in workflows for line in evaluated(w.read_text("utf-8"))] == []
    assert evaluated(script) == []
    assert len(evaluated('eval "$(cat README.md)"\ngrep sh README.md | sh\nbash .ci/run')) == 2
    command = [sys.executable, "tools/run.py", "bok"]
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "got bok; accepted are book, execute, exercises, pdf, tests" in refused.stderr


def test_what_the_readme_and_the_mutants_name_exists():
    places = re.findall(r"^\| `([^`]+)`", README, re.MULTILINE) + re.findall(
        r"\]\((\w[^)]*)\)", README
    )
    tools = re.findall(r"`(\w+\.py)`", README)
    missing = [place for place in places if not (ROOT / place).exists() and "·" not in place]
    assert missing == []
    assert [tool for tool in tools if not (ROOT / "tools" / tool).exists()] == []
    for mutant in MUTANTS:
        source = (ROOT / mutant.path).read_text(encoding="utf-8")
        assert (edited := mutant.applied(source)) != source, mutant
        assert unknown(source, edited) == set(), mutant
    assert unknown("a = arb(1)", "a = b + flint.flint.arb(1)") == {"b", "flint.flint"}


def unknown(source: str, edited: str) -> set[str]:
    """What an edit names, and neither it nor the source binds or imports."""
    before, after = (list(ast.walk(ast.parse(text))) for text in (source, edited))
    known = {node.id for node in before if isinstance(node, ast.Name)} | {"flint", *dir(builtins)}
    new = [node for node in after if isinstance(node, ast.Name) and node.id not in known]
    stored = {node.id for node in new if isinstance(node.ctx, ast.Store)}
    balls = re.findall(r"\bflint\.(\w+)", edited)
    return {node.id for node in new} - stored | {
        f"flint.{name}" for name in balls if not hasattr(flint, name)
    }


def shown_in_readme(text: str) -> dict[str, str]:
    """The expressions of a README's example and the numbers in the comments beside them."""
    code = text.split("```python\n")[1].split("```")[0]
    return dict(re.findall(r"^(\S.*?) +# proved: between ([\d.]+)…", code, flags=re.MULTILINE))


def test_the_examples_of_the_readmes_run_and_give_the_numbers_beside_them():
    exec(README.split("```python\n")[1].split("```")[0], {})
    text = (ROOT / "gelu_lib" / "README.md").read_text(encoding="utf-8")
    space: dict[str, object] = {}
    exec(text.split("```python\n")[1].split("```")[0], space)
    (expression, digits), *others = shown_in_readme(text).items()
    assert others == []
    enclosure = eval(expression, space)
    assert str(enclosure.lower).startswith(digits) and str(enclosure.upper).startswith(digits)
