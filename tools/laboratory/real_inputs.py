"""What the networks of ``record_real_networks.py`` are asked: files, texts and speech.

All of it is pinned: what the wheels of ``requirements.txt`` contain for every system, and a package
of Debian. Of doubles the first is kept, and what comes first is decided by hashes. Each input has a
group, within which inputs are alike: its package, its module, or the window of speech.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import shutil
import subprocess
import tarfile
import wave
from collections import Counter
from importlib import metadata

import numpy as np
from packaging.version import Version
from real_packages import DOWNLOADS, ROOT, checked
from scipy.signal import resample_poly

PINS = ROOT / "requirements.txt"
PER_SUFFIX = 40
LEAST_BYTES, NO_BYTE, PART = 8, 256, 1024
"""What Magika's settings say: of shorter files its program does not ask the network."""
DOCUMENTED = ("numpy", "scipy", "sympy", "matplotlib")
SPEECH = "asterisk-core-sounds-en-wav=1.6.1-1"
SPEECH_SHA256 = "2be3ea287d83299d143815fa804f11179a75b7affd4a758b98b55f5afc18a35d"
RATE, WINDOW, FRAMES = 16_000, 480_000, 3000


def pinned() -> list[metadata.Distribution]:
    """The distributions of requirements.txt, each as it is pinned there."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    found = [re.match(r"([\w.-]+)==([\w.]+)", line) for line in lines]
    distributions = []
    for name, version in (one.groups() for one in found if one):
        one = metadata.distribution(name)
        if Version(one.version) != Version(version):
            raise SystemExit(f"{name} {one.version} is installed; requirements.txt has {version}")
        distributions.append(one)
    return distributions


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


# --- files, for Magika


def files() -> list[tuple[str, bytes]]:
    """Up to ``PER_SUFFIX`` different files of each suffix, each with its package.

    They are of wheels that are the same on all systems, as they were packed.
    """
    seen = {}
    for distribution in pinned():
        if "-none-any" not in (distribution.read_text("WHEEL") or ""):
            continue
        for path in distribution.files or ():
            if path.hash is None or ".dist-info" in str(path) or ".." in path.parts:
                continue
            content = path.locate().read_bytes()
            if long_enough(content):
                seen.setdefault(digest(content), (path.suffix, distribution.name, content))
    taken, kept = Counter(), []
    for _, (suffix, package, content) in sorted(seen.items()):
        taken[suffix] += 1
        if taken[suffix] <= PER_SUFFIX:
            kept.append((package, content))
    return kept


def long_enough(content: bytes) -> bool:
    return len(content[: 4 * PART].lstrip()) >= LEAST_BYTES


def bytes_seen(content: bytes) -> np.ndarray:
    """What Magika looks at: the first and the last bytes that are no space, 1,024 of each."""
    first = content[: 4 * PART].lstrip()[:PART]
    last = content[-4 * PART :].rstrip()[-PART:]
    seen = np.full(2 * PART, NO_BYTE)
    seen[: len(first)] = list(first)
    seen[2 * PART - len(last) :] = list(last)
    return seen


# --- texts, for MiniLM


def texts() -> list[tuple[str, str, str]]:
    """Docstrings: the module, the first sentence or two, and the beginning of the rest."""
    found = [pair for one in pinned() if one.name in DOCUMENTED for pair in docstrings(one)]
    first, rest, kept = set(), set(), []
    for pair in sorted(found, key=lambda pair: digest(*(part.encode() for part in pair))):
        if pair[1] not in first and pair[2] not in rest:
            kept.append(pair)
            first.add(pair[1])
            rest.add(pair[2])
    return kept


def docstrings(distribution: metadata.Distribution) -> list[tuple[str, str, str]]:
    found = []
    for path in distribution.files or ():
        if path.suffix != ".py" or path.hash is None or "tests" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.locate().read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                first, _, rest = (ast.get_docstring(node) or "").partition("\n\n")
                first, rest = " ".join(first.split()), " ".join(rest.split())[:600]
                if 20 <= len(first) <= 120 and len(rest) >= 120:
                    found.append((path.as_posix(), first, rest))
    return found


# --- speech, for Whisper


def windows() -> list[np.ndarray] | None:
    """Prompts of one speaker, joined to windows of 30 seconds; ``None`` without Debian's tools."""
    archive = speech_archive()
    if archive is None:
        return None
    recordings = sorted(archive.items(), key=lambda one: digest(one[0].encode()))
    found, current = [], np.zeros(0)
    for _, content in recordings:
        with wave.open(io.BytesIO(content)) as file:
            sound = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 2**15
        sound = np.concatenate([resample_poly(sound, 2, 1), np.zeros(RATE * 2 // 5)])
        if not RATE // 2 <= len(sound) <= WINDOW - RATE:
            continue
        if len(current) + len(sound) > WINDOW - RATE:
            found.append(current)
            current = np.zeros(0)
        current = np.concatenate([current, sound])
    return [*found, current]


def speech_archive() -> dict[str, bytes] | None:
    """The recordings of Debian's package, by name."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return None
    if not (path := next(DOWNLOADS.glob("asterisk*.deb"), None)):
        subprocess.run(["apt-get", "download", SPEECH], cwd=DOWNLOADS, capture_output=True)
        if not (path := next(DOWNLOADS.glob("asterisk*.deb"), None)):
            return None
    checked(path.name, path.read_bytes(), SPEECH_SHA256)
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(unpacked.stdout)) as tar:
        return {
            member.name: tar.extractfile(member).read()
            for member in tar
            if member.name.endswith(".wav") and member.isfile()
        }


def mel(hertz: np.ndarray) -> np.ndarray:
    """The scale of Slaney, linear up to 1,000 hertz."""
    above = 15 + np.log(np.maximum(hertz, 1e-9) / 1000) / (np.log(6.4) / 27)
    return np.where(hertz >= 1000, above, hertz * 3 / 200)


def mel_filters(count: int = 80, size: int = 400) -> np.ndarray:
    """Triangles on the mel scale, each of area 1."""
    marks = np.linspace(0, mel(np.array(RATE / 2)), count + 2)
    hertz = np.where(marks >= 15, 1000 * np.exp(np.log(6.4) / 27 * (marks - 15)), marks * 200 / 3)
    away = hertz[:, None] - np.linspace(0, RATE / 2, size // 2 + 1)
    widths = np.diff(hertz)[:, None]
    triangles = np.maximum(0, np.minimum(-away[:-2] / widths[:-1], away[2:] / widths[1:]))
    return triangles * (2 / (hertz[2:] - hertz[:-2]))[:, None]


def spectrogram(sound: np.ndarray, size: int = 400, hop: int = 160) -> np.ndarray:
    """What Whisper hears: the logarithm of the loudness, for 80 pitches and 3,000 moments."""
    padded = np.pad(np.pad(sound, (0, WINDOW - len(sound))), size // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:FRAMES]
    power = abs(np.fft.rfft(frames * np.hanning(size + 1)[:-1], axis=1)) ** 2
    loud = np.log10(np.maximum(mel_filters() @ power.T, 1e-10))
    return (np.maximum(loud, loud.max() - 8) + 4) / 4
