"""The formulas that programs have in place of erf: copied rightly, found again, named."""

import dataclasses
import re
from decimal import Decimal
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from kinds import slow_but
from reader import prose
from scipy.special import expit, ndtr

from gelu_lib import identify, lookup
from gelu_lib.activations import gelu, gelu_tanh
from gelu_lib.floats.integer_gelu import IBERT
from gelu_lib.floats.types import round_to
from gelu_lib.provenance.atlas.classical import audit_program
from gelu_lib.provenance.atlas.erf_programs import classical_programs, erf_programs
from gelu_lib.provenance.literals.catalogue import constants
from gelu_lib.provenance.place import Place

ALL = erf_programs()
DOUBLE = ["eigen-double", "cephes-double"]
BOUNDS = {
    "eigen-2019": 7e-8,
    "eigen-erf": 1.2e-7,  # it says 3 ulp
    "eigen-erfc": 3.3e-8,
    "cephes-single": 6e-8,
    "mlas": 3.1e-8,
    "xnnpack-float32": 2.5e-7,
    "xnnpack-tanh-float32": 2.7e-7,
    "xnnpack-float16": 6.2e-4,
    "xnnpack-tanh-float16": 1.2e-3,
    "onednn": 3e-8,
    "numerical-recipes": 1.2e-7,  # as it says
    "puma": 1.992e-2,
    "tt-table": 2.35e-2,
    "tt-cdf": 7e-3,
    "tt-bfloat16": 7.54e-3,
    "tt-float32": 6e-8,  # it says 1 ulp
    "arm": 4.7e-4,  # the handbook says 5e-4
    "ibert": 0.097,  # at 0, where the printed constants give 1 − 0.2888·1.769²
}
"""How wrong what is inside may be, or GELU as a whole; of a program for float32 about an ulp."""
X = np.linspace(1 / 512, 8, 8191)


def largest(program):
    """The largest error of erf, tanh, Φ or GELU, on a grid."""
    x = np.concatenate([-X, X]) if program.inside == "GELU" else X
    error = np.abs(program.gelu(x)[0] - (gelu_tanh if program.inside == "tanh" else gelu)(x))
    return float(np.max(error * {"GELU": 1, "Φ": 1 / x}.get(program.inside, 2 / x)))


def slipped(program, name, place, times=1.02):
    """A program with one coefficient another."""
    lists = {n: [repr(float(program.held(t))) for t in texts] for n, texts in program.lists.items()}
    lists[name][place] = repr(float(lists[name][place]) * times)
    return dataclasses.replace(program, lists=lists, type="float64")


@pytest.mark.parametrize("id", slow_but("onednn".__ne__, BOUNDS))
def test_a_formula_is_as_near_as_its_program_makes_it_and_a_slip_is_noticed(id):
    program = ALL[id]
    assert largest(program) < BOUNDS[id]
    if program.inside in ("erf", "tanh"):
        for name, texts in program.lists.items():
            for place in range(len(texts) * (name != "limit")):
                noticed = largest(slipped(program, name, place)) > BOUNDS[id]
                assert noticed or (id == "onednn" and name in ("p1", "p2", "p3", "p4"))


def test_every_formula_says_where_it_was_read():
    assert {*BOUNDS, *DOUBLE} == set(ALL)
    for id, program in ALL.items():
        Place(repository=program.repository, path=program.path, commit=program.commit).check(id)
        for place in program.also:
            assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}:\S+", place)
    labels = [one.label for one in (*ALL.values(), *classical_programs().values())]
    assert len(labels) == len(set(labels))


def tail(program, x):
    """Φ(−x) by a program's formula, in mpmath."""
    functions = {"exp": mpmath.exp, "sqrt": mpmath.sqrt}
    as_mpf = lambda f: mpmath.mpf(f.numerator) / f.denominator  # noqa: E731
    *pieces, (_, last) = program.values(x, as_mpf, functions, mpmath.pi)
    return 1 - next((value for end, value in pieces if x <= end), last) / x


@pytest.mark.parametrize("id", DOUBLE)
def test_a_formula_for_float64_keeps_the_tail_to_all_its_digits(id):
    program = ALL[id]
    with mpmath.workdps(400):
        points = [mpmath.mpf(k) / 3 for k in (1, 2, 3, 4, 5, 9, 17, 26, 33, 36, 60, 90)]

        def error(program):
            return max(abs(tail(program, x) / mpmath.ncdf(-x) - 1) for x in points)

        assert error(program) < 2e-15
        for name, texts in program.lists.items():
            for place in range(0, len(texts), 4):
                assert error(slipped(program, name, place)) > 2e-15


def test_the_polynomials_of_puma_and_of_tenstorrent_have_the_values_that_were_met():
    (at_3, at_0, left), at_end = ALL["puma"].gelu(np.array([3, 0, np.nextafter(-1.95, 0)]))
    assert (at_3, at_0) == pytest.approx((3.0158635394, 0.0085263215), abs=5e-11)
    assert at_3 - gelu(np.array(3.0)) == pytest.approx(0.0199132335, abs=5e-11)
    assert 3 - at_3 == pytest.approx(-0.01586, abs=5e-6)
    assert left - gelu(np.array(-1.95)) == pytest.approx(7.98e-3, abs=5e-6)
    assert [*at_end] == [True, False, True]
    values, _ = ALL["tt-table"].gelu(np.array([-4, -0.0, 0.25, 7]))
    assert [*values] == pytest.approx([0, -1.0443e-4, 0.173083, 7], abs=1e-6)
    values, _ = ALL["tt-cdf"].gelu(np.array([-2.6, 1e-9, 2.6]))
    assert [*values] == pytest.approx([0, 0.49866379e-9, 2.6], rel=1e-7)
    x = np.linspace(-5.4, -3.2, 500)  # an ulp of bfloat16, as it says
    for program, good in ((ALL["tt-bfloat16"], 1), (slipped(ALL["tt-bfloat16"], "H", 0), 0)):
        assert np.all(np.abs(program.gelu(x)[0] / (x * ndtr(x)) - 1) < 2.0**-8) == good


@pytest.mark.parametrize(
    ("id", "error", "place"),
    [
        ("puma", "0.0199132335", "3"),
        ("tt-table", "0.023411", "-0.2465"),
        ("tt-cdf", "0.0155242", "2.5"),
        ("tt-bfloat16", "0.0075302", "2.78125"),
        ("arm", "0.00068791", "3.008"),
        ("ibert", "0.018151911", "2.3503"),
        ("xnnpack-float16", "0.00089278", "3.207"),
        ("xnnpack-tanh-float16", "0.00149416", "3.2637"),
    ],
)
def test_the_largest_error_of_a_program_is_proved(id, error, place):
    found = audit_program(ALL[id])
    assert abs(found.error.upper / Decimal(error) - 1) < Decimal("2e-5")
    assert abs(found.points[0].upper - Decimal(place)) < Decimal("4e-3")
    x = np.linspace(-8, 8, 200_001)
    form = gelu_tanh if ALL[id].inside == "tanh" else gelu
    sampled = np.max(np.abs(ALL[id].gelu(x)[0] - form(x)))
    assert 0.998 * float(found.error.upper) < sampled <= float(found.error.upper)
    assert id != "tt-bfloat16" or found.error.upper < 2.0**-7  # half a unit from 2 to 4


# the literals


def test_every_printed_coefficient_is_looked_up():
    fitted = {constant.value for constant in constants().values() if constant.group == "fitted"}
    assert len(fitted) > 300
    texts = [text for one in ALL.values() for texts in one.lists.values() for text in texts]
    for text in texts[::37]:
        if text.strip("-0.1e+"):
            match, *_ = lookup(text).matches
            assert match.constant.group != "fitted" or match.kind == "exact"


def test_a_fitted_coefficient_is_told_from_the_constant_beside_it():
    fitted, root = lookup("7.9788452387e-01").matches
    assert (fitted.constant.group, fitted.kind) == ("fitted", "exact")
    assert "no constant that was rounded: alpha of XNNPACK in float32" in str(fitted)
    assert (root.constant.id, root.kind) == ("slope", "steps")
    assert [match.kind for match in lookup("0x3f4c4229").matches] == ["truncated", "exact-float"]
    # one that is shorter than six digits is near, so that such decimals match no more than before
    assert [match.constant.id for match in lookup("0.797885").matches] == ["slope"]
    (rounded,), answer = lookup("9.60497").matches, lookup("9.605")
    assert rounded.kind == "rounded" and answer.matches == ()
    assert rounded.constant == answer.nearest[0].constant
    assert "T of Cephes in float64 (scipy/scipy, openxla/xla, " in str(rounded)
    for text in (
        "-2.72614225801306e-10",
        "-0.5054031199708174",
        "1.26551223",
        "0x3f4c421f",
        "5.1638283730",
    ):
        (match,) = lookup(text).matches
        assert match.constant.group == "fitted"
    assert lookup("0x3f4c422a").matches[0].constant.id == "slope"
    assert lookup("7.9788452386e-01").matches[0].constant.group != "fitted"


# ``identify``


ROOT = np.float32(np.sqrt(0.5))
FOURTH = (0.278393, 0.230389, 0.000972, 0.078108)
THIRD = (0.47047, 0.3480242, -0.0958798, 0.7478556)


def by_the_fourth_power(x, a=FOURTH):
    """A&S 7.1.27 in float32."""
    y, of = np.abs(x) * ROOT, np.float32
    base = 1 + y * (of(a[0]) + y * (of(a[1]) + y * (of(a[2]) + y * of(a[3]))))
    with np.errstate(over="ignore"):
        return x / 2 * (1 + np.sign(x) * (1 - 1 / base**4))


def by_three_terms(x, a=THIRD):
    """A&S 7.1.25 in float32."""
    y, of = np.abs(x) * ROOT, np.float32
    t = 1 / (1 + of(a[0]) * y)
    with np.errstate(over="ignore"):
        e = 1 - t * (of(a[1]) + t * (of(a[2]) + t * of(a[3]))) * np.exp(-y * y)
    return x / 2 * (1 + np.sign(x) * e)


def puma(x, first=-0.011034134030615728):
    a = [first, -0.11807612951181953, -0.42226581151983866, -0.5054031199708174]
    b = [0.0018067462606141187, 0, -0.037688200365904236, 0, 0.3603292692789629, 0.5]
    with np.errstate(all="ignore"):
        left, middle = np.polyval(a, x), np.polyval([*b, 0.008526321541038084], x)
    return np.select([x < -4, x < -1.95, x <= 3], [0 * x, left, middle], x).astype(x.dtype)


def by_a_quadratic(x, a=float(IBERT["a"]), b=float(IBERT["b"])):
    """I-BERT's, by its constants for Φ."""
    tail = a * np.maximum(b - np.abs(x.astype(np.float64)), 0) ** 2
    return (x * np.where(x < 0, tail, 1 - tail)).astype(x.dtype)


NAMED = {
    "exact, with erf by Abramowitz–Stegun 7.1.27": (by_the_fourth_power, FOURTH),
    "exact, with erf by Abramowitz–Stegun 7.1.25": (by_three_terms, THIRD),
}


@pytest.mark.parametrize("label", NAMED)
def test_a_formula_for_erf_is_named_and_one_with_a_slip_is_not(label):
    function, printed = NAMED[label]
    assert label in identify(function).others
    for place in range(4):
        head, digits = re.fullmatch(r"(-?0\.0*)(\d+)", str(printed[place])).groups()
        wrong = float(head + digits[0] + digits[2] + digits[1] + digits[3:])
        if wrong == printed[place]:
            wrong = float(head + digits[1] + digits[0] + digits[2:])
        a = (*printed[:place], wrong, *printed[place + 1 :])
        assert identify(lambda x, a=a: function(x, a)).others == ()


@pytest.mark.parametrize("dtype", slow_but("float32".__eq__, ["float16", "float32", "float64"]))
def test_the_quadratic_is_named_and_another_one_is_not(dtype):
    (label,) = identify(by_a_quadratic, dtype).others
    assert label == "exact, with erf by I-BERT’s quadratic"
    for slip in product((1, 1.01, 0.99), repeat=2):
        a, b = (by * float(IBERT[name]) for by, name in zip(slip, "ab", strict=True))
        found = identify(lambda x, a=a, b=b: by_a_quadratic(x, a, b), dtype).others
        assert found == ((label,) if slip == (1, 1) else ())


def test_the_formula_of_the_arm_compute_library_has_the_value_that_was_met():
    (value,), _ = classical_programs()["hastings-4th"].gelu(np.array([-3.006]))
    assert value == pytest.approx(-4.66648e-3, abs=5e-9)


def test_pieces_are_named_and_what_is_as_good_as_exact_is_exact():
    assert identify(puma).others == ("GELU by PUMA’s polynomials",)
    assert identify(lambda x: puma(x, -0.011034134030615728 * 1.01)).others == ()
    table = ALL["tt-table"]
    wide = lambda x: table.gelu(x.astype(np.float64))[0].astype(x.dtype)  # noqa: E731
    assert identify(wide).others == ("GELU by Tenstorrent’s six lines",)
    of_16 = identify(lambda x: round_to(puma(x.astype(np.float64)), x.dtype), "float16")
    assert of_16.others == ("GELU by PUMA’s polynomials",)
    for id in ("eigen-2019", "mlas", "cephes-single", "onednn", "xnnpack-float32", "tt-float32"):
        program = ALL[id]
        ours = lambda x, p=program: p.gelu(x.astype(np.float64))[0].astype(x.dtype)  # noqa: E731
        assert identify(ours).variant == "exact"


def test_the_chapter_names_each_program_that_is_as_good_as_its_form():
    (sentence,) = re.findall(r"In a dense scan (.*?) are off their form", prose("history"))
    x, fine, coarse = np.linspace(-8, 8, 1601), set(), set()
    for one in ALL.values():
        form = gelu_tanh if one.inside == "tanh" else gelu
        small = np.max(np.abs(one.gelu(x)[0] - form(x))) < 1e-6
        (fine if small else coarse).add(re.search(r"by (?:the )?([\w-]+)", one.label)[1])
    assert len(fine) == 7 and all(name in sentence for name in fine)
    assert coarse - fine == {"PUMA", "Arm", "I-BERT"}
    assert not any(name in sentence for name in coarse - fine)


@pytest.mark.parametrize(
    "id", slow_but({"zelen-severo-5", "bryc", "winitzki-0147"}.__contains__, classical_programs())
)
def test_every_formula_of_the_literature_is_named_or_as_good_as_exact(id):
    program = classical_programs()[id]
    verdict = identify(lambda x: program.gelu(x.astype(np.float64))[0].astype(x.dtype))
    small = largest(program) < 1e-6
    assert (verdict.variant == "exact") == small
    assert verdict.variant in ("exact", "tanh") or program.label in verdict.others
    assert verdict.variant != "tanh" or id == "eleven-over-123"  # 11/246 is 0.0447154…


# clamped arguments


def tanh_argument(x, type=np.float32):
    with np.errstate(over="ignore"):
        return type(np.sqrt(2 / np.pi)) * (x + type(0.044715) * x * x * x)


def tanh_clamped(limit, type=np.float32):
    return lambda x: x / 2 * (1 + np.tanh(np.clip(tanh_argument(x, type), -limit, limit)))


def sigma_clamped(limit):
    return lambda x: (
        x * expit(np.clip(np.float32(1.702) * x, -np.float32(limit), np.float32(limit)))
    )


@pytest.mark.parametrize(
    "limit", slow_but({5, 8, 4.97}.__contains__, [5, 8, 9, 4.97, 3, 2.25, 7.6])
)
def test_a_clamped_argument_of_tanh_is_named_with_its_clamp(limit):
    label = f"the tanh form, argument of tanh clamped at ±{limit}"
    assert identify(tanh_clamped(np.float32(limit))).others == (label,)
    wide = identify(tanh_clamped(limit, np.float64), "float64")
    assert wide.others == (label,)


@pytest.mark.parametrize("limit", slow_but({8, 3.3}.__contains__, [8, 10, 3.3, 6.25, 17.3]))
def test_a_clamped_argument_of_sigma_is_named_with_its_clamp(limit):
    label = f"the sigmoid form, argument of σ clamped at ±{limit}"
    assert label in identify(sigma_clamped(limit)).others


def test_the_clamp_at_5_has_the_values_that_were_met():
    assert tanh_clamped(5, np.float64)(np.array([-12.0, -100.0])) == pytest.approx(
        [-5.447744e-4, -4.53978687e-3], rel=2e-7
    )
    x = np.array([-3.8044124, -3.8044122])
    clamped, free = tanh_clamped(5, np.float64)(x), tanh_clamped(99, np.float64)(x)
    assert clamped[0] != free[0] and clamped[1] == free[1]


SATURATING = {
    "a leak": lambda x: np.where(x < -6, x * np.float32(1e-5), gelu_tanh(x)),
    "clamped on the left alone": lambda x: x / 2 * (1 + np.tanh(np.maximum(tanh_argument(x), -5))),
    "at 1.044": lambda x: (
        x / 2 * (1 + np.clip(np.float32(1.044) * np.tanh(tanh_argument(x)), -1, 1))
    ),
    "the input clamped": lambda x: gelu_tanh(np.clip(x, -3.8, 3.8)),
    "a line on the left alone, late": lambda x: np.where(
        x < -500, x * np.float32(1.1e-7), gelu_tanh(x)
    ),
    "a clamp of many places": tanh_clamped(np.float32(3.14159)),
}


@pytest.mark.parametrize("name", SATURATING)
def test_what_saturates_otherwise_is_not_called_clamped(name):
    verdict = identify(lambda x: SATURATING[name](x).astype(x.dtype))
    assert not [other for other in verdict.others if "clamped" in other]
    assert verdict.outcome == "none"


def test_a_clamp_that_changes_nothing_is_not_seen_and_one_side_tells_none():
    assert identify(tanh_clamped(np.float32(5)), low=0).others == ()
    assert identify(tanh_clamped(np.float32(10))).variant == "tanh"


# tanh made of exponentials


def by_quotient(exponents, type=np.float32):
    def function(x):
        with np.errstate(all="ignore"):
            u = tanh_argument(x, type)
            above, below = (np.exp(type(k) * u) if k else type(1) for k in exponents)
            return (x / 2 * (1 + (above - below) / (above + below))).astype(x.dtype)

    return function


@pytest.mark.parametrize(
    ("exponents", "dtype", "told"),
    [
        ((2, 0), "float32", "(e²ᵘ − 1)/(e²ᵘ + 1) in float32: nan from 10.06"),
        ((1, -1), "float32", "(eᵘ − e⁻ᵘ)/(eᵘ + e⁻ᵘ) in float32: nan from 13"),
        ((2, 0), "float64", "(e²ᵘ − 1)/(e²ᵘ + 1) in float64: nan from 21.2"),
        ((2, 0), "float16", "(e²ᵘ − 1)/(e²ᵘ + 1) in float16: nan from 4.03"),
    ],
)
def test_a_tanh_of_exponentials_is_named_by_where_it_is_nan(exponents, dtype, told):
    type = np.dtype(dtype).type
    (other,) = identify(by_quotient(exponents, type), dtype).others
    assert other.startswith(f"the tanh form, tanh made as {told}")


def test_another_nan_is_not_called_a_quotient():
    for first in (9.0, 14.0):
        verdict = identify(lambda x, first=first: np.where(x > first, x * np.nan, gelu_tanh(x)))
        assert verdict.others == ()
    right_of_13 = lambda x: np.where(x > 13, x * np.nan, gelu_tanh(x))  # noqa: E731
    assert identify(right_of_13).others == ()
    assert Fraction(10.0625) > Fraction("10.0609662572")
