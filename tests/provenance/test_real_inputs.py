"""What ``record_real_networks.py`` asks its networks: files, texts, speech."""

import cmath
import hashlib
import io
import math
import subprocess
import tarfile
import wave
from importlib import metadata

import numpy as np
import pytest
import real_inputs as inputs

SPACES = b" \t\n\r\x0b\f"
LONG = bytes(np.random.default_rng(46).integers(0, 256, 9000, dtype=np.uint8))


def sha256(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def packed(folder, name, members, tag="py3-none-any", hashed=True):
    """A distribution with these files, as pip leaves one; those with None have no hash."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nTag: {tag}\n")
    rows = [f"{info.name}/METADATA,sha256=x,1", f"{info.name}/RECORD,,"]
    for path, content in members.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        rows.append(f"{path},{'sha256=x' * (not path.endswith('.pyc'))},1")
    (info / "RECORD").write_text("\n".join(rows) + "\n")
    return metadata.PathDistribution(info)


# --- bytes, as Magika's program takes them


def slowly_seen(content):
    """By Magika's description: blocks of 4,096, stripped, cut to 1,024, filled up with 256."""
    first, last = list(content[:4096]), list(content[max(len(content) - 4096, 0) :])
    while first and first[0] in SPACES:
        del first[0]
    while last and last[-1] in SPACES:
        del last[-1]
    del first[1024:], last[: max(len(last) - 1024, 0)]
    return first + [256] * (1024 - len(first)) + [256] * (1024 - len(last)) + last


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"a", b"short file", b" \n\tround \x0b\f\r ", b"\0 \0", 5000 * b" "),
        *(LONG[:1023], LONG[:1024], LONG[:1025], LONG[:4096], LONG[:4097], LONG),
        *(SPACES * 3 + LONG[:1024] + SPACES, 4000 * b"\n" + LONG, LONG + 4000 * b" "),
        *(4096 * b" " + b"behind what is read", b"before it" + 4096 * b" "),
    ],
    ids=lambda content: f"{len(content)} bytes",
)
def test_the_bytes_seen_are_those_of_magikas_description(content):
    found = inputs.bytes_seen(content)
    assert found.tolist() == slowly_seen(content)
    assert found.shape == (2048,) and 0 <= found.min() <= found.max() <= 256


def test_what_is_seen_of_a_short_file_and_of_one_of_1024_bytes():
    short = inputs.bytes_seen(b"\n short ").tolist()
    assert short == [*b"short ", *[256] * 1018, *[256] * 1017, *b"\n short"]
    full = inputs.bytes_seen(b"a" + LONG[:1022] + b"z").tolist()
    assert full[:1024] == full[1024:] == [*b"a", *LONG[:1022], *b"z"]


def test_a_file_is_long_enough_by_what_is_left_of_its_first_block():
    eight = b"12345678"
    assert inputs.long_enough(eight) and inputs.long_enough(b" \n" + eight)
    assert not inputs.long_enough(eight[:7]) and not inputs.long_enough(b" " + eight[:7])
    assert inputs.long_enough(4088 * b" " + eight) and not inputs.long_enough(4089 * b" " + eight)
    for content in (eight, eight[:7], b" " + eight[:7], 4089 * b" " + eight):
        assert inputs.long_enough(content) == (inputs.bytes_seen(content)[7] != 256)


# --- which files


def test_doubles_and_what_is_no_file_of_the_wheel_are_left_out(tmp_path, monkeypatch):
    same = b"the same in both"
    ones = packed(
        tmp_path / "one",
        "one",
        {
            "one/a.txt": same,
            "one/double.txt": same,
            "one/short.txt": b"7 bytes",
            "one/a.pyc": b"made when it was installed",
            "../program.txt": b"a program that pip wrote",
            **{f"one/{i}.md": b"markdown %d" % i for i in range(9)},
        },
    )
    others = packed(tmp_path / "two", "two", {"two/same.css": same, "two/own.txt": b"its own text"})
    built = packed(
        tmp_path / "three", "three", {"three/c.txt": b"of a system"}, "cp312-cp312-linux"
    )
    monkeypatch.setattr(inputs, "pinned", lambda: [ones, others, built])
    monkeypatch.setattr(inputs, "PER_SUFFIX", 4)
    found = inputs.files()
    texts = [("one", same), ("two", b"its own text")]
    marks = sorted((sha256(b"markdown %d" % i), b"markdown %d" % i) for i in range(9))[:4]
    wanted = [*texts, *(("one", content) for _, content in marks)]
    assert found == sorted(wanted, key=lambda one: sha256(one[1]))
    monkeypatch.setattr(inputs, "pinned", lambda: [others, ones])
    assert inputs.files() == [("two" if one[1] == same else one[0], one[1]) for one in found]


def test_a_distribution_must_be_the_pinned_one(tmp_path, monkeypatch):
    pins = tmp_path / "requirements.txt"
    monkeypatch.setattr(inputs, "PINS", pins)
    pins.write_text(f"# all\n-e .\n\nnumpy=={np.__version__}  # arrays\n")
    assert [one.name for one in inputs.pinned()] == ["numpy"]
    pins.write_text("numpy==1.0.1\n")
    with pytest.raises(SystemExit) as refused:
        inputs.pinned()
    said = f"numpy {np.__version__} is installed; requirements.txt has 1.0.1"
    assert str(refused.value) == said


# --- texts

FIRST, REST = "What this function computes.", "word " * 30
MODULE = f'''
def taken():
    """{FIRST}

    {REST}
    """

class Taken:
    """Another class   of
    two lines.

    {REST}{300 * "long "}"""

    def inner(self):
        """A method, which is taken.

        {REST}of it"""

    def _private(self):
        """{FIRST} {FIRST}

        {REST}"""

async def other():
    """{FIRST} {FIRST}

    {REST}"""

def short():
    """Nineteen characters

    {REST}"""

def long():
    """{121 * "x"}

    {REST}"""

def alone():
    """{FIRST} {FIRST}"""

def without():
    def within():
        """Twenty characters ok

        {119 * "x"}"""
'''


def test_docstrings_are_public_and_have_a_first_sentence_and_a_rest(tmp_path):
    again = f'def tested():\n    """{FIRST} {FIRST}\n\n    {REST}"""\n'
    one = packed(
        tmp_path,
        "one",
        {
            "one/a.py": MODULE.encode(),
            "one/tests/b.py": again.encode(),
            "one/c.txt": again.encode(),
            "../d.pyc": again.encode(),
        },
    )
    rest = REST.strip()
    assert sorted(inputs.docstrings(one)) == sorted(
        [
            ("one/a.py", FIRST, rest),
            ("one/a.py", "Another class of two lines.", (REST + 300 * "long ")[:600]),
            ("one/a.py", "A method, which is taken.", rest + " of it"),
        ]
    )


@pytest.mark.parametrize(
    ("first", "rest", "taken"),
    [(19, 120, 0), (20, 120, 1), (120, 120, 1), (121, 120, 0), (20, 119, 0)],
)
def test_the_lengths_of_texts_have_limits(tmp_path, first, rest, taken):
    module = f'def one():\n    """{"f" * first}\n\n    {"r" * rest}"""\n'
    one = packed(tmp_path, "one", {"one.py": module.encode()})
    assert inputs.docstrings(one) == [("one.py", "f" * first, "r" * rest)] * taken


def test_of_texts_that_are_the_same_the_first_by_its_hash_is_kept(monkeypatch, tmp_path):
    pairs = [(f"m{i}", f"first {i}", f"rest {i}") for i in range(30)]
    pairs += [("n", "first 3", "other rest"), ("n", "other first", "rest 7"), ("k", *pairs[9][1:])]
    monkeypatch.setattr(inputs, "DOCUMENTED", ("one",))
    one, two = (packed(tmp_path / name, name, {}) for name in ("one", "two"))
    monkeypatch.setattr(inputs, "pinned", lambda: [one, two])
    monkeypatch.setattr(
        inputs, "docstrings", lambda which: pairs if which is one else [("x", "y", "z")]
    )

    def place(pair):
        return sha256(*(part.encode() for part in pair))

    doubles = [(pairs[3], pairs[30]), (pairs[7], pairs[31]), (pairs[9], pairs[32])]
    lost = [max(double, key=place) for double in doubles]
    wanted = sorted((pair for pair in pairs if pair not in lost), key=place)
    assert inputs.texts() == wanted and len(wanted) == 30
    pairs.reverse()
    assert inputs.texts() == wanted


def test_a_double_that_is_left_out_keeps_nothing_else_out(monkeypatch, tmp_path):
    chain = [("a", "first", "rest"), ("c", "first", "other rest"), ("g", "else", "other rest")]
    digests = [sha256(*(part.encode() for part in pair)) for pair in chain]
    assert digests == sorted(digests)  # else the middle one would not be the double
    monkeypatch.setattr(inputs, "DOCUMENTED", ("one",))
    one = packed(tmp_path, "one", {})
    monkeypatch.setattr(inputs, "pinned", lambda: [one])
    monkeypatch.setattr(inputs, "docstrings", lambda _: chain)
    assert inputs.texts() == [chain[0], chain[2]]


# --- speech


def recording(samples):
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(8000)
        out.writeframes(np.asarray(samples, "<i2").tobytes())
    return file.getvalue()


def tone(seconds, height):
    return np.round(height * np.sin(np.arange(int(8000 * seconds)) * 0.3))


def test_recordings_are_joined_to_windows_in_the_order_of_their_hashes(monkeypatch):
    lengths = {"a": 9, "b": 11.3, "c": 6, "d": 0.05, "e": 29, "f": 11, "g": 28.6, "h": 0.11}
    sounds = {name: tone(each, 1000 + 100 * i) for i, (name, each) in enumerate(lengths.items())}
    monkeypatch.setattr(
        inputs, "speech_archive", lambda: {name: recording(one) for name, one in sounds.items()}
    )
    found = inputs.windows()
    order = sorted((sha256(name.encode()), name) for name in lengths)
    kept = [
        name for _, name in order if name not in ("d", "e")
    ]  # 0.45 and 29.4 seconds, with the pause
    filled, groups = 0, []
    for name in kept:
        seconds = lengths[name] + 0.4
        if not groups or filled + seconds > 29:
            groups.append([])
            filled = 0
        groups[-1].append(name)
        filled += seconds
    assert 3 <= len(groups) < len(kept)
    assert [len(one) for one in found] == [
        sum(2 * len(sounds[name]) + 6400 for name in group) for group in groups
    ]
    for window, group in zip(found, groups, strict=True):
        at = 0
        for name in group:
            sound = window[at : at + 2 * len(sounds[name]) : 2] * 2**15
            middle = slice(40, -40)  # where the filter sees no end
            assert abs(sound - sounds[name])[middle].max() < 0.002 * abs(sounds[name]).max()
            at += 2 * len(sounds[name]) + 6400
            assert not window[at - 6400 : at].any()


def test_without_debians_tools_or_its_package_there_is_no_speech(monkeypatch, tmp_path):
    monkeypatch.setattr(inputs, "DOWNLOADS", tmp_path)
    monkeypatch.setattr(inputs.shutil, "which", lambda name: name == "apt-get" or None)
    assert inputs.windows() is None
    monkeypatch.setattr(inputs.shutil, "which", lambda name: name)
    asked = []
    monkeypatch.setattr(inputs.subprocess, "run", lambda command, **_: asked.append(command))
    assert inputs.windows() is None
    assert asked == [["apt-get", "download", inputs.SPEECH]]


def test_a_package_of_speech_is_checked_and_read(monkeypatch, tmp_path):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, content in {"./a.wav": b"sound", "./copyright": b"text"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("./link.wav")
        link.type, link.linkname = tarfile.SYMTYPE, "a.wav"
        tar.addfile(link)
    (tmp_path / "asterisk-core.deb").write_bytes(b"packed")
    monkeypatch.setattr(inputs, "DOWNLOADS", tmp_path)
    monkeypatch.setattr(inputs.shutil, "which", lambda name: name)
    done = subprocess.CompletedProcess([], 0, stdout=file.getvalue())
    monkeypatch.setattr(inputs.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(SystemExit) as refused:
        inputs.windows()
    said = str(refused.value)
    assert "\n" not in said
    assert all(
        part in said for part in ("asterisk-core.deb", sha256(b"packed"), inputs.SPEECH_SHA256)
    )
    monkeypatch.setattr(inputs, "SPEECH_SHA256", sha256(b"packed"))
    assert inputs.speech_archive() == {"./a.wav": b"sound"}


# --- what Whisper hears of it


def hertz(pitch):
    """A place on Slaney's scale: 200/3 hertz a step, from 1,000 on a 27th of log 6.4."""
    return pitch * 200 / 3 if pitch < 15 else 1000 * 6.4 ** ((pitch - 15) / 27)


def slow_filter(number, frequency):
    """A triangle of area 1 between three neighbouring of 82 pitches from 0 to 8,000 hertz."""
    highest = 15 + 27 * math.log(8) / math.log(6.4)
    low, middle, high = (hertz(highest * (number + i) / 81) for i in range(3))
    if low < frequency <= middle:
        height = (frequency - low) / (middle - low)
    else:
        height = (high - frequency) / (high - middle) if middle < frequency < high else 0
    return height * 2 / (high - low)


def test_the_filters_are_triangles_on_the_mel_scale():
    found = inputs.mel_filters()
    assert found.shape == (80, 201)
    wanted = [[slow_filter(i, 40 * k) for k in range(201)] for i in range(80)]
    assert abs(found - wanted).max() < 1e-15
    pitches = np.array([0.0, 3, 14.9, 15, 20, 45])
    assert inputs.mel(np.array([hertz(each) for each in pitches])) == pytest.approx(pitches)
    assert abs(inputs.mel_filters()[::-1] - wanted).max() > 1e-3


def slow_spectrogram(sound, window, frames):
    def sample(at):
        at = abs(at) if at < window else 2 * (window - 1) - at  # mirrored at both ends
        return sound[at] if at < len(sound) else 0.0

    powers = []
    for frame in range(frames):
        shaped = [
            sample(160 * frame - 200 + i) * (0.5 - 0.5 * math.cos(2 * math.pi * i / 400))
            for i in range(400)
        ]
        turns = [cmath.exp(-2j * math.pi * i / 400) for i in range(400)]
        power = []
        for k in range(0, 201):
            power.append(abs(sum(x * turns[i * k % 400] for i, x in enumerate(shaped))) ** 2)
        powers.append(power)
    filters = [[slow_filter(i, 40 * k) for k in range(201)] for i in range(80)]
    loud = [
        [
            math.log10(max(sum(f * p for f, p in zip(row, power, strict=True)), 1e-10))
            for power in powers
        ]
        for row in filters
    ]
    highest = max(map(max, loud))
    return [[(max(each, highest - 8) + 4) / 4 for each in row] for row in loud]


def test_a_spectrogram_is_what_the_formula_gives_for_a_short_sine(monkeypatch):
    monkeypatch.setattr(inputs, "WINDOW", 800)
    monkeypatch.setattr(inputs, "FRAMES", 5)
    sound = 0.3 * np.sin(2 * np.pi * 1000 * np.arange(500) / 16_000 + 1)
    found = inputs.spectrogram(sound)
    assert found.shape == (80, 5)
    wanted = np.array(slow_spectrogram(sound.tolist(), 800, 5))
    assert abs(found - wanted).max() < 1e-9
    assert (wanted == wanted.min()).sum() > 3  # cut at 8 below the loudest
    loudest = found[:, 1].argmax()
    assert slow_filter(loudest, 1000) == max(slow_filter(i, 1000) for i in range(80))
    assert abs(inputs.spectrogram(sound * 1.01) - wanted).max() > 1e-3


def test_a_window_of_30_seconds_has_3000_moments():
    found = inputs.spectrogram(np.zeros(480_000))
    assert found.shape == (80, 3000) and set(found.ravel()) == {-1.5}
