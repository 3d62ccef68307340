"""The wheel of the library: what it holds, that it is the same bytes each time, and alone."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest
from library_wheel import WheelError, build_wheel

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


def sources() -> set[str]:
    """The files of the library that git would commit, by their names in the repository."""
    if not (ROOT / ".git").exists():  # an unpacked archive, which has what git had
        files = [path for path in (ROOT / "gelu_lib").rglob("*") if path.is_file()]
        return {path.relative_to(ROOT).as_posix() for path in files if path.suffix != ".pyc"}
    # an owner that git does not trust is no obstacle to a question
    git = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "--cached", "--others"]
    command = [*git, "--exclude-standard", "gelu_lib"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in found.stdout.splitlines() if (ROOT / name).exists()}


def metadata(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return archive.read(name).decode()


def test_the_wheel_holds_the_library_a_description_and_the_extra_for_the_book(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == sources()
    assert {"gelu_lib/py.typed", "gelu_lib/data/values.json"} < held
    stated = metadata(wheel)
    assert "\n# gelu_lib\n" in stated and "pip install ." in stated
    assert re.findall(r"\]\((?!https?:)", stated) == []
    for package in ("ipykernel", "jupyterlab", "numpy=="):
        assert re.search(rf'Requires-Dist: {package}.*; extra == "book"\n', stated)
    assert "Requires-Dist: numpy<3,>=2.1\n" in stated
    urls = {"Source": "https://github.com/someone/gelu-book"}  # known where the book is public
    known = metadata(build_wheel(ROOT, tmp_path, urls))
    assert "\nProject-URL: Source, https://github.com/someone/gelu-book\n" in known
    assert "Project-URL" not in stated


def copied(place: Path) -> Path:
    """A copy of what the wheel is built from."""
    shutil.copytree(ROOT / "gelu_lib", place / "gelu_lib")
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, place)
    return place


def test_elsewhere_the_same_bytes_are_made_and_nothing_beside_the_sources(wheel, tmp_path):
    root = copied(tmp_path / "elsewhere")
    for path in root.rglob("*.py"):
        path.chmod(0o600)
        os.utime(path, (1e9, 1e9))
    (root / "gelu_lib" / "__pycache__" / "left.pyc").parent.mkdir(exist_ok=True)
    (root / "gelu_lib" / "__pycache__" / "left.pyc").write_bytes(b"")
    before = sorted(root.rglob("*"))
    mask = os.umask(0o077)
    try:
        again = build_wheel(root, tmp_path / "made")
    finally:
        os.umask(mask)
    assert again.read_bytes() == wheel.read_bytes()  # other permissions and times change none
    assert sorted(root.rglob("*")) == before


def test_a_failure_says_what_the_backend_said(tmp_path):
    root = copied(tmp_path / "elsewhere")
    (root / "pyproject.toml").write_text("[project]\nname = 7\n")
    with pytest.raises(WheelError, match="must contain"):
        build_wheel(root, tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []


EVALUATIONS = """
import json
import numpy as np
import gelu_lib
from gelu_lib import activations

x = np.linspace(-40, 10, 20_001)
single = [-3, True, -1.5, np.float32(-1.5), np.array(-1, "f2"), np.array(2.0, ">f8")]
names = [name for name in activations.__all__ if name.startswith("gelu")]
results = {}
for function in [getattr(activations, name) for name in names]:
    given = [x, x.astype("f4"), x.astype("f2"), x[::-3].astype(">f8"), *single]
    results[function.__name__] = [np.asarray(function(one), float).tolist() for one in given]
print(json.dumps({"from": gelu_lib.__file__, "numpy": np.__version__, "results": results}))
"""


def evaluations(python: Path | str, place: Path) -> dict:
    """What the activations give where this Python runs, of arrays and of single numbers."""
    command = [python, "-W", "error", "-c", EVALUATIONS]
    run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.slow
def test_with_the_oldest_numpy_that_is_admitted_the_activations_are_the_same(wheel, tmp_path):
    least = re.search(r'"numpy>=([\d.]+),', (ROOT / "pyproject.toml").read_text("utf-8"))[1]
    venv.create(tmp_path / "oldest", with_pip=True)
    (python,) = (tmp_path / "oldest").glob("*/python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"numpy=={least}.*", wheel], check=True)
    old, new = evaluations(python, tmp_path), evaluations(sys.executable, ROOT)
    assert old["numpy"].startswith(f"{least}.") and str(tmp_path) in old["from"]
    for name, results in new["results"].items():
        for here, there in zip(results, old["results"][name], strict=True):
            np.testing.assert_array_max_ulp(np.array(here), np.array(there), maxulp=4)
