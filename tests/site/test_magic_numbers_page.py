"""The search box: the script in the browser says what the library says, and one page loads it."""

import json
import random
from pathlib import Path

import pytest
import quickjs
from magic_numbers_page import IN_THE_LIST, OTHERWISE, box, data
from markupsafe import escape

from gelu_lib import lookup
from gelu_lib.provenance.literals.bit_words import FORMATS
from gelu_lib.provenance.literals.catalogue import constants
from gelu_lib.provenance.literals.literal import ACCEPTED, LiteralError, Reading, suggestion
from gelu_lib.provenance.literals.lookup import (
    UNKNOWN_KINDS,
    Answer,
    accident_notes,
    scientific,
    unknown,
)

SCRIPT = Path(__file__).resolve().parents[2] / "book" / "_static" / "magic-numbers.js"
ASK = """
function ask(literal) {
  const plain = match => [
    match.constant.id, match.kind, match.way, Math.min(match.right, 1000),
    match.floats.same, match.floats.others,
    magicNumbers.scientific(match.difference),
  ];
  const worded = (reading, match) => [...plain(match), magicNumbers.sentence(reading, match)];
  try {
    return JSON.stringify(magicNumbers.lookup(literal).map(({lines, reading, ...said}) => lines ?? [
      reading.kind, reading.type, reading.digits,
      said.matches.map(match => worded(reading, match)), said.nearest.map(plain),
      said.unknown, said.slips, said.accidents, said.values,
    ]));
  } catch (error) {
    return JSON.stringify("refused: " + error.message);
  }
}
function suggest(literal) { return magicNumbers.suggestion(literal); }
"""


def loaded(script: str) -> quickjs.Context:
    """A script with the data of the site."""
    context = quickjs.Context()
    context.eval(f"globalThis.MAGIC_NUMBERS = {json.dumps(data())}")
    context.eval(script + ASK)
    return context


def asking(script: quickjs.Context, literal: str) -> list | str:
    """What a script answers."""
    return json.loads(script.get("ask")(literal))


def unworded(found: list | str) -> list | str:
    """What a script answers, without the words of a refusal."""
    if isinstance(found, str):
        assert "ccepted" in found
        return "refused"
    return found


@pytest.fixture(scope="module")
def script() -> quickjs.Context:
    """The script of the site."""
    return loaded(SCRIPT.read_text(encoding="utf-8"))


def answered(literal: str) -> list | str:
    """What the library says, in the form of ``ASK``."""
    try:
        answer = lookup(literal)
    except LiteralError:
        return "refused"
    if answer.others is not None:  # of a pair
        return [str(answer).split("\n  ")[1:]]
    return [
        [
            reading.kind,
            reading.type,
            reading.digits,
            [[*plain(m), m.sentence] for m in answer.matches if m.reading == reading],
            [plain(m) for m in answer.nearest if m.reading == reading],
            *said(answer, reading),
            [str(value) for value in answer.values if value.reading == reading],
        ]
        for reading in answer.readings
    ]


def said(answer: Answer, reading: Reading) -> tuple[str, list[str], list[str]]:
    """What the text of an answer says of a reading beside the constants."""
    found, near = (
        [match for match in matches if match.reading == reading]
        for matches in (answer.matches, answer.nearest)
    )
    may_be = [slip for slip in answer.slips if slip.reading == reading]
    why = "" if found else UNKNOWN_KINDS[unknown(reading, bool(near))]
    return why, [str(slip) for slip in may_be], accident_notes(reading, found, may_be)


def plain(match) -> list:
    return [
        match.constant.id,
        match.kind,
        match.way,
        match.right_digits,
        list(match.same_floats),
        list(match.other_floats),
        scientific(match.relative_difference, 2),
    ]


def some_literals() -> list[str]:
    """Literals of every kind: decimals near constants and far from them, floats, bit patterns."""
    chosen = random.Random(6)
    values = [constant.digits for constant in constants().values() if "/" not in constant.digits]
    texts = [value[: chosen.randint(4, 45)] for value in chosen.sample(values, 5)]
    texts += [value[: chosen.randint(4, 12)] + "7" for value in chosen.sample(values, 4)]
    texts += [repr(float(value)) for value in chosen.sample(values, 4)]
    texts += [float(value).hex() for value in chosen.sample(values, 4)]
    texts += [f"0x{chosen.getrandbits(4 * n):0{n}x}" for n in (4, 8, 16) for _ in range(2)]
    texts += [f"{chosen.random():.{chosen.randint(1, 17)}f}" for _ in range(4)]
    return texts


def some_floats() -> list[str]:
    """Floats near constants that were met in programs, of every type, in hexadecimal."""
    near = [
        float(way.value).hex()
        for constant in constants().values()
        for way in constant.ways
        if constant.seen and way.kind in ("float", "spelled")
    ]
    return random.Random(6).sample(near, 8)


ODD = """
0 0x0000 0x7fc0 0x7c00 0xffff 0x0001 1/0 11/123 nan 1e-999 1e999 1e9999 1.7976931348623158e308
1.7976931348623159e308 2.5e-324 2.4e-324 0x1p1024 −1.702F .5 5. 0x1p-1074 0x.8p0 1_000 0x3d37u
0.5 0x1.8p0 0.7991 1.703125 3.14159265 ٣.١٤
"""

MADE_OR_SLIPPED = """
0.035677408145115 0.107032224435345 0.0356772042 0.03567740810040 0.1070322243 7.9788452387e-01
0x3f4c4229 0x3f4c4231 0x3f106eba 0x1.988452p-1 1.7015043497085571 0.44715 0.0447150 1.072 0.4715
4.4715E-1 17.02 0.1702 1.720 1.7702 .04475 0.404715 0.7978854 0.797854 0.0797884561 7.98 1.749
0.7978845680 0.0071354816 22.4 99.99 9.60497 9.604973 1.699 1.128379 0.7071068 0x3f3504f4
"""

FORMULAS = (
    """
sqrt(2/pi)|√(2/π)|1/sqrt(2)|2/sqrt(pi)|3.0*0.044715|2.0*0.7978845608|pi|M_SQRT1_2|1/0.044715
M_2_SQRTPI * M_SQRT1_2|math.sqrt(2.0 / math.pi)|3.0f*0.044715f|2*log2(e)|2/log(2)|M_LOG2E|exp2(0.5)
0.5*M_SQRT1_2|exp(-1)|e|-pi/6**0.5|2**-0.5|2**0.5**2|-2**2|(2)|1e-3*44.715|1_000*0.001702|2 − 0.298
np.sqrt(2/np.pi)*0.044715|exp(1)/pi|log(3)|log(1e-300)|exp(300)|1.702/log(2)|(4-pi)/(6*pi)|3**401
sqrt(2)*sqrt(2) - 2|2 - 2|10**400|1/0|sqrt(-1)|(-2)**0.5|(-2)**3|(-2)**-401|log(0)|0**0|0**2+0.851
sqrtf(2.0f/M_PI)|std::sqrt(2.0/M_PIf)|expf(-0.5f) * logl(2)|exp2f(.5)|2**10**10|exp(-10**7)|M_SQRT2f
sqrt(2, 3)|0.5*x|sqrt(|2(3)|M_SQRT1_3|3pi|007*2|2//3|exp(10**7)|sqrt()|.5*.5|5.*2|m_pi|+-+2*3|"2*3"
""".strip()
    .replace("\n", "|")
    .split("|")
)
WORDS = (
    """
0x002DC6C5 as Q5.26|0x002DC9C5|0x002dc6c5|32'sh002DC9C5|32'sh002DC6C5|16'hCC42|16'hCC42 as UQ0.16
8'sd91 as Q0.7|3000773 as Q5.26|0xFFD2363B as Q5.26|0x3a623a62|0x29b93a62|0x3A623A62u
0x3a623a63|0x7c007c00|0x00003a62|0x3f4c422a|16'b1100_1100_0100_0010|0x1234 as Q3.12|0x12345 as Q3.12
7 as Q0.0|0 as Q1.2|12'hfff|16'd52290|0x80000000 as Q0.31|'h12|16'g12|8'hFFF
0x3d37 as Q0.15|0x0b7271f5|0b11 as Q1.1
0x002DC6C5 as Q9.99|0x0012 as Q0.7|16'h12 as Q0.7|0x0 as Q0.0|0x2DC6C5 as Q9.99|32'h3f4c422a|32'd5
16'd15744|16'h7c00|30'sh002DC6C5|0x002DC9C5 as abc|1.5 as Q5.26
(2, 1) as Q0.7|0x3d37 as|12ab as Q5.26
""".strip()
    .replace("\n", "|")
    .split("|")
)
PAIRS = (
    """
(2, 1.9546)|GELU(2) = 1.9546|gelu(2.0)=1.9545|(2, 1.953)|(2,1.95459771)|(2, 1.9)|(-7/2,-0.0006)
(2, 1.7616)|(1,0.8412)|(0, 0.5)|(3,3)|(-3, -0.0036374)|silu(2.5) = 2.3103536|(41, 2)|(2, abc)|(2, 0)
(-20, -5.5e-88)|(40, 40.0)|(-40, -1e-300)|f(x=0.5) ≈ 0.3457|(.25, 0x3e19)|(2, 0x3ffa2fe3)
(1e3, 2)|(3, 1)|(1.58, 1)|(-1, -0.1588080094)|(-1, -0.158808009395)|(0.1, 11/123)|(2, 1,9)|(1,2,3)
gelu_tanh(−1) = −0.1588|(0.00001, 0.000005)|(1/3, 0.21)|(0.1, 0.05397839)|(-1e-3, 2)
(40, 4e1)|(12.5, 1e1)|(1e-3f, 5e-4)|(1e99, 2)|(2, 1.97)|(-0.75, 0.17)|(-6, -0.00)
(-6, 1)|(0.4997, 0.5)|(2, 1.9545997)
1.9546 at 2|-0.1588 at x = -1|1.9546 at two|(2, )|(nan, 1)|(1e400, 1)|0x3ffa3042 at 2|at 2
""".strip()
    .replace("\n", "|")
    .split("|")
)
HINTS = ["1.9546", "1.9545", "0.0036374", "1.954598", "1.7616", "1.76159", "2.99595", "0.29167"]

SPECIAL = [
    "1+" * 150 + "1",
    *ODD.split(),
    *MADE_OR_SLIPPED.split(),
    "",
    "9" * 50,
    "9" * 51,
    "1" * 201,
]
WRONG = """
0,044715 −1,702 1,702.5 1,000,000 1_000.5 1.702_f32 0,0 0.044715h abc 1.2.3 1e9999 0,5,5 0.5*x
0x1.8 1'000
"""

MISTAKEN = [*WRONG.split(), "0.797 884", "", "9" * 60]


@pytest.mark.parametrize(
    "literals",
    [
        pytest.param(
            [text for c in constants().values() for text in c.seen], marks=pytest.mark.slow
        ),
        some_literals(),
        some_floats(),
        SPECIAL,
        [text for texts in (FORMULAS, WORDS, PAIRS, HINTS) for text in texts[::4]],
        pytest.param([*FORMULAS, *WORDS, *PAIRS, *HINTS], marks=pytest.mark.slow),
    ],
    ids=["seen", "some", "floats", "special", "asked otherwise", "all of these"],
)
def test_the_script_says_what_the_library_says(script, literals):
    for literal in literals:
        assert unworded(asking(script, literal)) == answered(literal), literal


def test_the_script_suggests_what_the_library_suggests(script):
    for literal in MISTAKEN:
        assert script.get("suggest")(literal) == suggestion(literal), literal
    assert f"Did you mean 0.044715? {IN_THE_LIST}" in asking(script, "0,044715")
    assert asking(script, " ") == f"refused: The box is empty. {IN_THE_LIST}"
    above, _, forms = box().partition('<details id="number-accepted">')
    assert 'id="number-answer"' in above
    for accepted in (ACCEPTED, FORMATS, OTHERWISE):  # the list below is the only one, and whole
        assert all(f"<li>{escape(form)}</li>" in forms for form in accepted.split("; "))
    assert (
        asking(script, "(0, 0)")
        == "refused: In this pair the value 0 is 0. Accepted is another number."
    )
    assert "a value here: it is too large. Accepted are numbers" in asking(script, "2**10**10")
    refusal = "out of the range of every float type. Accepted are sizes from 4.9e-324 to 1.8e+308."
    assert asking(script, "1e400").endswith(refusal)


@pytest.mark.parametrize(
    ("sound", "fault", "literal"),
    [
        ("twice > 0 ||", "twice >= 0 ||", "0.798828125"),  # halfway between two floats of bfloat16
        ("match.way !== type", "false", "1.703125"),
        ('made === "made"', "made", "0.035677408145115"),  # counts floats among the products
        (": right >= nearDigits", ": right >= 2", "1.749"),
        ("longer === 1)", "longer === 2)", "0.04475"),
        ('["*", "/"]), ["+", "-"]', '["+", "-"]), ["*", "/"]', "0.702*1+1"),
        ("if (differ % (1n << BigInt(place))) return [];", "", "0x002DC645 as Q5.26"),
        ("packed.every(known)", "true", "0x12343a62"),
        ('shortened(y, unit, made) === "rounded"', "true", "(2, 1.9546000)"),
        ("2 * constant.register + !constant.cited", "2 * constant.register", "1.749"),
        ("(told || !constant.fitted)", "!constant.fitted", "9.60497"),
        ("ours > theirs ?", "ours < theirs ?", "0x3f3504f4"),
        ("gate(negative(v))", "gate(v)", "(1, 1.0830)"),
    ],
)
def test_a_fault_in_the_script_is_found(script, sound, fault, literal):
    text = SCRIPT.read_text(encoding="utf-8")
    assert text.count(sound) == 1
    faulty = loaded(text.replace(sound, fault))
    found, wrong = (unworded(asking(asked, literal)) for asked in (script, faulty))
    assert found == answered(literal) != wrong
