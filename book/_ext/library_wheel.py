"""The wheel of the library, built from the sources, the same bytes for the same sources.

The build backend is asked directly, in a copy of what it needs: nothing is written beside the
sources, nothing is downloaded, and no time, user or folder gets into the archive.

No package will do: ``build`` and ``pip wheel`` write beside the sources, with the rights of this
checkout.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

PACKAGE = "gelu_lib"
BESIDE = ("pyproject.toml", "LICENSE")  # what the backend reads beside the package
UNTRACKED = shutil.ignore_patterns("__pycache__", "*.py[cod]", ".*")
EPOCH = "315532800"  # the start of 1980, the earliest time that a zip archive can say
BACKEND = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


class WheelError(RuntimeError):
    """The build backend did not make the wheel."""


def build_wheel(root: Path, folder: Path, urls: Mapping[str, str] | None = None) -> Path:
    """Build the wheel of the library at ``root`` into a folder, which is made if need be.

    ``urls`` are what the metadata name as Project-URL, which is known where the book is public.

    Raises:
        WheelError: with what the backend said, if it failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        sources, made = Path(place, "sources"), Path(place, "made")
        made.mkdir()
        copy_sources(root, sources, urls or {})
        command = [sys.executable, "-c", BACKEND, str(made)]
        built = subprocess.run(
            command,
            cwd=sources,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
            umask=0o022,
            capture_output=True,
            text=True,
        )
        wheels = list(made.glob("*.whl"))
        if built.returncode != 0 or len(wheels) != 1:
            raise WheelError(f"setuptools built no wheel of {PACKAGE}:\n{built.stderr}")
        return Path(shutil.copy(wheels[0], folder))


def copy_sources(root: Path, place: Path, urls: Mapping[str, str]) -> None:
    """Copy what the backend needs, with the permissions that every checkout shall have."""
    shutil.copytree(root / PACKAGE, place / PACKAGE, ignore=UNTRACKED)
    for name in BESIDE:
        shutil.copy(root / name, place)
    lines = [f"{json.dumps(name)} = {json.dumps(url)}\n" for name, url in urls.items()]
    with Path(place, "pyproject.toml").open("a", encoding="utf-8") as project:
        project.writelines(["\n[project.urls]\n", *lines] if urls else [])
    for path in place.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
