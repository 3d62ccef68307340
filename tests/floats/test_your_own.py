"""The best constants for a case of one's own: what is proved, and what is refused."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx
from kinds import slow_but
from scipy.special import expit, ndtr
from sympy import Rational

from gelu_lib.activations import gelu
from gelu_lib.certificates.best.bounds import PointBounds, alternation_bound, parameter_box
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.engine.balls import number
from gelu_lib.certificates.engine.search import ascending, best_places, halves
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.start import StartError
from gelu_lib.floats import best_constants as constants
from gelu_lib.floats.cases import WRITTEN
from gelu_lib.floats.grids import FixedPoint, grid
from gelu_lib.floats.integer_gelu import (
    IBERT,
    best_fixed_point,
    best_quadratic,
    certified_error,
    float_error,
    integer_gelu,
    quadratic_error_floor,
)
from gelu_lib.functions.expressions import LOCAL_SLOPE, PAGE_CUBIC, X, numpy_function
from gelu_lib.functions.families import (
    LOGISTIC,
    SLOPE_KEPT,
    TANH_CUBIC,
    odd_logistic,
)
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import TARGETS
from gelu_lib.precision import PROOF_BITS
from gelu_lib.register import result

DENSE = np.linspace(0, 8, 8001)
FOUND = {}


def best_constants(*case, **named):
    """Those of the library, searched once for each case; ``constants.best_constants`` each time."""
    key = repr((case, named))
    if key not in FOUND:
        FOUND[key] = constants.best_constants(*case, **named)
    return FOUND[key]


def sampled(parameters, of="GELU", family=TANH_CUBIC, end=8.0):
    x = DENSE[end >= DENSE]
    return float(np.max(np.abs(Form(family, parameters).error_at(x, of))))


def exact(best):
    return {name: float(value) for name, value in best.parameters.items()}


# real constants


@pytest.mark.parametrize("of", slow_but("GELU_derivative".__ne__, TARGETS))
def test_on_the_line_without_a_type_the_certificate_of_the_line_is_taken(of):
    best = best_constants(of)
    id = {"Phi": "minimax-tanh-free-phi", "GELU": "minimax-tanh-free-gelu"}.get(of)
    assert best.certified and kept(best.error, best.least, digits=10)
    assert sampled(exact(best), of) == pytest.approx(float(best.error.lower), rel=1e-4)
    if id is not None:
        assert any(abs(n - Fraction(best.error.lower)) < 1e-12 for n in numbers(id))


def kept(error, least, digits):
    """Whether an error is the least one to so many digits, and is not less."""
    most = Fraction(least.upper) * (1 + Fraction(1, 10**digits))
    return least.lower <= error.upper and Fraction(error.upper) <= most


@pytest.mark.parametrize("digits", [1, 3, 40])
@pytest.mark.parametrize(
    ("of", "written"), slow_but(("GELU", "expanded").__eq__, product(TARGETS, WRITTEN))
)
def test_the_error_on_the_line_is_that_of_the_constants_that_are_given(of, written, digits):
    best = constants.best_constants(of, written=written, digits=digits)
    assert all(value.is_Rational for value in best.constants.values())
    own = certified_sup_error(Form(TANH_CUBIC, best.parameters), of, digits + 5).error
    assert best.error.lower <= own.upper and own.lower <= best.error.upper
    assert kept(best.error, best.least, digits)


def test_the_error_is_kept_by_enough_digits_and_not_by_few():
    least = best_constants("GELU").least
    coarse = {"p1": Rational(2), "p3": Rational(7, 100)}
    assert not kept(certified_sup_error(Form(TANH_CUBIC, coarse), "GELU", 5).error, least, digits=1)
    best = best_constants("Phi", LOGISTIC, digits=4400)
    assert best.error.upper - best.error.lower < best.error.upper.scaleb(-4400)
    with ctx.workprec(15_000):
        assert number(Rational(Fraction(best.error.lower))) < number(Rational(1, 100))


def numbers(id):
    return [Fraction(n) for n in result(id).named_numbers.values()]


@pytest.mark.parametrize(
    ("of", "end"),
    slow_but([("GELU_derivative", 1), ("GELU", 2)].__contains__, product(TARGETS, [1, 2])),
)
def test_on_an_interval_both_ends_of_the_least_error_are_proved(of, end):
    best = best_constants(of, interval=(-end, end), digits=20)
    assert best.certified and kept(best.error, best.least, digits=20)
    assert best.least.lower >= best.error.upper * Decimal("0.998")
    assert sampled(exact(best), of, end=end) == pytest.approx(float(best.error.upper), rel=1e-4)


@pytest.mark.parametrize("cells", slow_but([1, 16].__contains__, [1, 2, 16, 256]))
def test_cells_too_coarse_to_decide_prove_nothing(monkeypatch, cells):
    monkeypatch.setattr("gelu_lib.floats.best_constants.CELLS", cells)
    best = constants.best_constants("GELU_derivative", interval=(-2, 2), digits=6)
    assert best.least is None and "too coarse" in best.proof


def test_the_search_is_the_same_on_both_sides():
    one, other = (best_constants(interval=ends) for ends in ((-2, 1), (0, 2)))
    assert one.constants == other.constants and one.error == other.error


def test_what_is_asked_for_changes_what_is_best():
    free = best_constants(interval=(-2, 2))
    kept = best_constants(interval=(-2, 2), fixed=SLOPE_KEPT)
    assert list(kept.constants) == ["p3"] and kept.certified
    assert kept.parameters["p1"] == SLOPE_KEPT["p1"]
    assert kept.least.lower > free.error.upper
    weight = sp.exp(-(X**2) / 2)
    line = best_constants(weight=weight)
    near = best_constants(weight=weight, interval=(-6, 6))
    assert line.certified and near.certified
    assert near.least.lower <= line.least.upper and line.least.lower <= near.least.upper
    assert line.constants["p3"] > best_constants().constants["p3"] + Rational(1, 1000)


@pytest.mark.parametrize(
    ("degree", "of", "end"),
    slow_but(
        lambda case: case[0] < 7,
        [(1, "Phi", 2.0), (3, "GELU", 2.0), (5, "GELU", 0.5), (7, "Phi", 8.0)],
    ),
)
def test_an_error_that_alternates_is_nowhere_larger(degree, of, end):
    start = begin(between(end, of, odd_logistic(degree)))
    size = np.abs(start.error_at(np.linspace(0, end, 20001), of))
    assert np.max(size) == pytest.approx(start.error, rel=1e-4)
    assert start.alternates and start.points[0] > 0 and start.points[-1] <= end


# lower bounds


def between(end, target="GELU", family=TANH_CUBIC, weight=sp.S.One):
    """The problem on [−end, end]."""
    return problem(family, target, Criterion("sup", weight, (-end, end)))


MADE = problem(TANH_CUBIC, "GELU")
POINTS = (Rational(3, 4), Rational(7, 4), Rational(29, 10))
NEAR_BEST = (Rational("1.6003"), Rational("0.0694"))


def test_any_alternation_bounds_the_least_error_where_the_argument_holds():
    least = best_constants("GELU").error
    with ctx.workprec(PROOF_BITS):
        good = alternation_bound(MADE, NEAR_BEST, POINTS)
        poor = alternation_bound(MADE, NEAR_BEST, (Rational(1, 2), Rational(7, 4), Rational(4)))
    assert float(least.lower) * 0.9 < float(good) < float(least.upper)
    assert float(poor) < float(good)
    slope = problem(TANH_CUBIC, "GELU_derivative")
    fixed = problem(TANH_CUBIC, "GELU", fixed={"p1": "1.6"})
    with pytest.raises(CertificationError, match="derivative"):
        alternation_bound(slope, NEAR_BEST, POINTS)
    with pytest.raises(CertificationError, match="not kept"):
        alternation_bound(fixed, NEAR_BEST, POINTS[:2])


@pytest.mark.parametrize(
    ("parameters", "points", "end"),
    [
        (NEAR_BEST, POINTS[:2], 8),  # too few
        (NEAR_BEST, (Rational(1, 2), Rational(3, 4), Rational(7, 4)), 8),  # equal signs
        (NEAR_BEST, POINTS[::-1], 8),  # not increasing
        (NEAR_BEST, POINTS, 2),  # beyond the interval
        ((Rational(2), Rational(0)), POINTS, 8),  # an error of one sign
    ],
)
def test_what_does_not_alternate_bounds_nothing(parameters, points, end):
    with ctx.workprec(PROOF_BITS), pytest.raises(CertificationError):
        alternation_bound(between(end), parameters, points)


@pytest.mark.parametrize("of", TARGETS)
def test_no_member_of_a_box_is_below_its_bound(of):
    made = problem(TANH_CUBIC, of)
    bounds = PointBounds(made, (0.5, 1.0, 1.8, 2.6))
    random = np.random.default_rng(5)
    for _ in range(20):
        low = np.array([1.5, 0.05]) + random.random(2) * [0.2, 0.05]
        wide = 10.0 ** -random.integers(1, 5)
        with ctx.workprec(PROOF_BITS):
            box = [arb(a).union(arb(a + wide)) for a in low.tolist()]
            bound = bounds.lower(box)
        for corner in product((0, 0.3, 1), repeat=2):
            p1, p3 = low + np.array(corner) * wide
            assert sampled({"p1": p1, "p3": p3}, of) >= bound * (1 - 1e-9)


@pytest.mark.parametrize("weight", [sp.S.One, sp.exp(-(X**2))], ids=str)
@pytest.mark.parametrize("end", [0.4, 0.8])
@pytest.mark.parametrize("of", ["Phi", "GELU"])
def test_members_with_large_errors_of_both_signs_lie_in_the_box_of_their_error(of, end, weight):
    made = between(end, of, weight=weight)
    x = np.linspace(0, end, 2001)[1:]
    by_x = numpy_function(weight, X)(x) * (x if of == "GELU" else 1) + 0 * x
    probes = np.array([end / 2, end])
    near = np.interp(probes, x, by_x)
    for signs in product((-1, 1), repeat=2):
        target = ndtr(probes) + 1e-3 * np.array(signs) / near
        free = np.linalg.solve(probes[:, None] ** [1, 3], np.log(target / (1 - target)))
        error = by_x * (1 / (1 + np.exp(-(free[0] * x + free[1] * x**3))) - ndtr(x))
        with ctx.workprec(PROOF_BITS):
            box = parameter_box(made, arb(float(np.max(np.abs(error))) * (1 + 1e-9)))
            assert all(
                ball.contains(arb(value)) for ball, value in zip(box, free.tolist(), strict=True)
            )


# the search


PLACES = (Fraction, Fraction)  # the number at a place is the place


def enclosed(value):
    return Enclosure(Decimal(value) - Decimal("0.25"), Decimal(value) + Decimal("0.25"))


def bowl(box):
    """The least of (m − 3)² + (n + 2)² on a box."""
    nearest = [min(max(c, low), high) for c, (low, high) in zip((3, -2), box, strict=True)]
    return float((nearest[0] - 3) ** 2 + (nearest[1] + 2) ** 2)


def value(place):
    return enclosed((place[0] - 3) ** 2 + (place[1] + 2) ** 2)


def test_the_search_finds_the_least_place_that_is_admitted_and_all_that_may_be_as_good():
    box = ((-50, 50), (-50, 50))
    assert list(best_places(bowl, value, PLACES, box)) == [(3, -2)]
    tied = best_places(bowl, lambda place: Enclosure(Decimal(0), Decimal(2)), PLACES, box)
    assert len(tied) > 1
    box = ((0, 9), (-9, 0))
    found = best_places(bowl, lambda p: None if p == (3, -2) else value(p), PLACES, box)
    assert set(found) == {(2, -2), (4, -2), (3, -1), (3, -3)}
    errors = {0: ("1.0", "1.2"), 1: ("1.1", "1.5"), 2: ("1.3", "1.4")}

    def error(place):
        return Enclosure(*map(Decimal, errors[place[0]]))

    assert list(best_places(lambda box: 0.0, error, PLACES[:1], ((0, 2),))) == [(0,), (1,)]


def test_boxes_come_by_increasing_bound_are_cut_where_they_are_widest_and_end():
    bounds, places = [], set()
    for bound, box in ascending(bowl, PLACES, ((0, 6), (-4, 1))):
        bounds.append(bound)
        if all(low == high for low, high in box):
            places.add(tuple(low for low, _ in box))
    assert bounds == sorted(bounds)
    assert places == set(product(range(7), range(-4, 2)))
    floats = grid("bfloat16").value
    box = ((16_000, 16_003), (-16_000, 16_000))  # around 0 floats are dense
    assert halves((floats, floats), (Fraction(1, 100), Fraction(10)), box) == [
        ((16_000, 16_001), box[1]),
        ((16_002, 16_003), box[1]),
    ]
    assert halves((floats, floats), (Fraction(1), Fraction(0)), ((1, 1), (2, 2))) == []
    with pytest.raises(CertificationError, match="boxes"):
        best_places(lambda box: 0.0, lambda place: None, PLACES, ((0, 10**6), (0, 10**6)))
    with pytest.raises(CertificationError, match="places"):
        one = Enclosure(Decimal(1), Decimal(1))
        best_places(lambda box: 0.0, lambda place: one, PLACES[:1], ((0, 500),))


# constants that a type holds


def sizes_of_all_pairs(held, of, end, written):
    """Every pair of multiples up to 4 in size, and the largest sampled error with each."""
    n = 2**held.fraction_bits
    pairs = np.array([*product(np.arange(1, 4 * n + 1) / n, np.arange(-4 * n, 4 * n + 1) / n)])
    linear, cubic = pairs.T
    if written == "factored":
        linear, cubic = 2 * linear, 2 * linear * cubic
    x = np.linspace(0, end, 201)[1:, np.newaxis]
    phi = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    form = expit(linear * x + cubic * x**3)
    error = ndtr(x) - form
    if of == "GELU":
        error = x * error
    if of == "GELU_derivative":
        error += x * (phi - form * (1 - form) * (linear + 3 * cubic * x**2))
    return pairs, cubic, np.max(np.abs(error), axis=0)


@pytest.mark.parametrize(
    ("end", "written"),
    slow_but(
        [(None, "expanded"), (0.5, "factored")].__contains__,
        product([0.5, 1, 3, None], ["expanded", "factored"]),
    ),
)
@pytest.mark.parametrize("of", slow_but(lambda of: of == "GELU", TARGETS))
@pytest.mark.parametrize(
    "held", slow_but(lambda held: held.fraction_bits == 2, [FixedPoint(2), FixedPoint(4)]), ids=str
)
def test_among_all_pairs_of_a_small_type_none_is_better(held, of, end, written):
    interval = None if end is None else (-end, end)
    best = best_constants(of, TANH_CUBIC, None, interval, held, written, digits=6)
    pairs, cubic, sizes = sizes_of_all_pairs(held, of, end or 8, written)
    sizes[(cubic < 0) & (end is None)] = np.inf  # Φ̂ tends to 0
    here = np.all(pairs == [float(value) for value in best.constants.values()], axis=1)
    assert sizes[here].item() == pytest.approx(sizes.min(), rel=1e-12)
    # the samples see a little less than the whole error, and they are rounded
    assert sizes.min() * (1 - 1e-12) <= float(best.error.upper) <= sizes.min() * 1.01
    if (held, of, written) == (FixedPoint(2), "GELU_derivative", "factored") and end in (3, None):
        assert not best.certified and "no finite range" in best.proof
    else:
        assert best.least.lower <= best.error.lower <= best.error.upper == best.least.upper


@pytest.mark.parametrize(
    ("of", "found"),
    [("GELU", "3.6907e-4"), pytest.param("Phi", "1.2505e-3", marks=pytest.mark.slow)],
)
def test_on_a_short_interval_the_cubic_coefficient_may_be_negative(of, found):
    best = best_constants(of, interval=(-0.5, 0.5), representable_in=FixedPoint(4))
    assert dict(best.constants) == {"p1": Rational(13, 8), "p3": Rational(-1, 16)}
    assert best.certified and best.error.upper < Decimal(found)


def test_intervals_and_types_end_where_they_end():
    steep = best_constants("GELU", fixed={"p1": "1.7"}, interval=(-1, 1))
    assert steep.certified and steep.constants["p3"] < 0
    quintic = best_constants("GELU", odd_logistic(5), interval=(-3, 3))
    assert quintic.certified and quintic.constants["p5"] < 0
    assert quintic.error.upper * 5 < best_constants("GELU", interval=(-3, 3)).least.lower
    best = best_constants("Phi", interval=(-0.05, 0.05), representable_in="float16", digits=6)
    assert best.error.upper > 0
    kind = grid("float16")
    last = kind.nearest(np.inf)
    assert kind.kept(last + 5) == last and kind.kept(-last - 5) == -last
    assert kind.value(last) == 65504 and FixedPoint(3).kept(10**9) == 10**9


@pytest.mark.parametrize(
    ("weight", "decided"),
    slow_but(
        lambda case: not case[1],
        [(sp.S.One, True), (sp.exp(-(X**2) / 2), True), ((1 + 2 * X**2) / (1 + X**2), False)],
    ),
)
def test_a_wrong_limit_excludes_constants_unless_a_weight_rises(monkeypatch, weight, decided):
    # with a bound this weak the search looks at constants for which Φ̂ tends to 0
    monkeypatch.setattr(
        constants, "_point_bounds", lambda case, _: PointBounds(case.problem, (0.2,))
    )
    best = constants.best_constants("Phi", weight=weight, representable_in=FixedPoint(1), digits=6)
    assert best.certified == decided and ("are not excluded" in best.proof) != decided


@pytest.mark.parametrize("of", slow_but("GELU".__eq__, ["Phi", "GELU"]))
def test_constants_are_rounded_in_turn_so_that_the_others_answer(of):
    apart = best_constants(of, interval=(-0.1, 0.1))
    kind = grid("bfloat16")
    alone = {n: float(kind.value(kind.nearest(float(v)))) for n, v in apart.constants.items()}
    best = best_constants(of, interval=(-0.1, 0.1), representable_in="bfloat16")
    assert best.certified
    assert float(best.error.upper) * 2 < sampled(alone, of, end=0.1)


def test_a_search_that_does_not_decide_is_told(monkeypatch):
    monkeypatch.setattr("gelu_lib.certificates.engine.search.MOST_CANDIDATES", 5)
    best = constants.best_constants("GELU_derivative", LOGISTIC, representable_in="float32")
    assert not best.certified and "not proved" in best.proof
    assert best.error.lower > 0


# what the chapter says in words


def test_the_famous_constants_rounded_are_in_another_column_and_not_the_best_of_theirs():
    kind = grid("bfloat16")
    s, k = (kind.nearest(float(c)) for c in (LOCAL_SLOPE, PAGE_CUBIC))
    best = best_constants("GELU", representable_in="bfloat16", written="factored")
    assert best.constants["s"] != Rational(kind.value(s))
    slope = 2 * float(kind.value(s))
    here, above = (
        sampled({"p1": slope, "p3": slope * float(kind.value(place))}) for place in (k, k + 1)
    )
    assert above < 0.9 * here


def test_a_few_hundred_boxes_decide_among_more_than_ten_thousand_million_pairs(monkeypatch):
    asked, sizes = [], []

    def watched(lower_bound, certified_error, values, box):
        sizes.append(np.prod([float(high - low + 1) for low, high in box]))
        return best_places(
            lambda part: asked.append(part) or lower_bound(part), certified_error, values, box
        )

    monkeypatch.setattr("gelu_lib.floats.best_constants.best_places", watched)
    assert constants.best_constants("GELU", representable_in="float32").certified
    assert sizes[0] > 1e10 and 100 < len(asked) < 1000


@pytest.mark.slow
def test_the_best_pair_for_the_slope_is_two_floats_from_that_for_gelu():
    kind = grid("bfloat16")
    one, other = (
        [
            kind.nearest(float(c))
            for c in best_constants(of, representable_in="bfloat16").constants.values()
        ]
        for of in ("GELU", "GELU_derivative")
    )
    assert one[0] == other[0] and other[1] - one[1] == 2


# what is refused


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"target": "gelu"}, ValueError, "target must be"),
        ({"family": "tanh"}, TypeError, "family must be"),
        ({"fixed": {"p5": 1}}, ValueError, "p5"),
        ({"interval": 3}, TypeError, "interval is 3"),
        ({"interval": (1, 3)}, ValueError, "with 0 between"),
        ({"interval": (0, 0)}, ValueError, "increasing"),
        ({"interval": (-1, np.inf)}, ValueError, "finite"),
        ({"representable_in": "int8"}, ValueError, "representable_in is 'int8'"),
        ({"written": "horner"}, ValueError, "written is 'horner'"),
        ({"target": np.array(["Phi"])}, TypeError, "target must be"),
        ({"written": np.array([1, 2])}, ValueError, "written is"),
        ({"interval": (-1, 10**400)}, TypeError, "interval is"),
        ({"interval": "01"}, TypeError, "interval is '01'; accepted are None or two numbers"),
        ({"interval": (-1e300, 1e300)}, ValueError, r"term x\*\*3 .* not finite in floats"),
        ({"fixed": {"p3": -1}}, StartError, "0 points forbid a smaller error"),
        ({"interval": (-1, sp.Symbol("a"))}, TypeError, "interval is"),
        ({"interval": (0, 0.01)}, StartError, "lost in rounding"),
        ({"written": "factored", "family": LOGISTIC}, ValueError, "TANH_CUBIC"),
        ({"written": "factored", "fixed": {"k": 1}}, ValueError, "only 's'"),
        ({"written": "factored", "fixed": {"s": -1}}, ValueError, "positive"),
        ({"written": "factored", "fixed": 1}, TypeError, "mapping"),
        ({"weight": "x"}, ValueError, "weight"),
        ({"digits": 0}, ValueError, "digits"),
        ({"digits": 2.5}, TypeError, "digits"),
    ],
)
def test_what_is_not_accepted_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        constants.best_constants(**arguments)


@pytest.mark.parametrize("bits", [0, 25, 1.5, True, "8"])
def test_fixed_point_has_a_sensible_number_of_bits(bits):
    with pytest.raises(ValueError, match="fraction_bits is"):
        FixedPoint(bits)


# without exponentials


def test_iberts_constants_are_rescaled_and_the_best_quadratic_beats_them():
    a, b = (float(value) for value in IBERT.values())
    z = np.linspace(0, 4, 81)
    erf_form = 1 - 0.2888 * (np.minimum(z, 1.769) - 1.769) ** 2
    x = z * np.sqrt(2)
    np.testing.assert_allclose(
        1 - a * np.maximum(b - x, 0) ** 2, (1 + erf_form) / 2, rtol=0, atol=1e-15
    )
    best = best_quadratic()
    assert best.least.lower <= best.least.upper == best.error.upper
    assert float(best.least.upper / best.least.lower) - 1 < 1e-6
    assert certified_error(*IBERT.values()).lower > best.error.upper * Decimal("1.2")
    a, b = float(best.a), float(best.b)
    for da, db in product(np.linspace(-1, 1, 7), repeat=2):
        error = np.max(np.abs(float_error(a + 1e-3 * da, b + 1e-2 * db, DENSE)))
        assert error >= float(best.least.lower) * (1 - 1e-5)


def test_the_bound_of_the_quadratic_asks_for_an_alternation():
    best = best_quadratic()
    with pytest.raises(CertificationError, match="signs"):
        quadratic_error_floor(Rational(1, 16), Rational(5, 2), [0.1, 0.2, 0.3])
    with ctx.workprec(PROOF_BITS):
        points = [0.4, 1.3, 2.5]
        bound = quadratic_error_floor(best.a, best.b, points)
        errors = [abs(float_error(float(best.a), float(best.b), np.array(x))) for x in points]
        assert float(bound) == pytest.approx(min(errors), rel=1e-9)
        assert float(bound) < float(best.least.lower)
        for wrong in (points[::-1], [-0.4, 1.3, 2.5], [0.4, 1.3, 1.3]):
            with pytest.raises(CertificationError, match="do not increase"):
                quadratic_error_floor(best.a, best.b, wrong)
        with pytest.raises(CertificationError, match="3 must alternate"):
            quadratic_error_floor(best.a, best.b, points[:2])


@pytest.mark.parametrize("bits", slow_but((4).__ne__, [2, 3, 4]))
def test_among_all_coarse_multiples_none_are_better_for_the_quadratic(bits):
    best, n = best_fixed_point(bits), 2**bits
    x = np.linspace(0, 6, 3001)
    errors = {
        (Fraction(i, n), Fraction(j, n)): np.max(np.abs(float_error(i / n, j / n, x)))
        for i, j in product(range(1, n + 1), range(n, 5 * n))
    }
    assert min(errors, key=errors.get) == (best.a, best.b)
    assert min(errors.values()) == pytest.approx(float(best.error.upper), rel=1e-5)


def test_too_few_bits_for_the_quadratic_are_refused_and_the_kernel_ends_where_it_may():
    with pytest.raises(CertificationError, match="no finite box"):
        best_fixed_point(1)
    with pytest.raises(ValueError, match="a > 0"):
        certified_error(0, 2)
    with pytest.raises(ValueError, match="b ≥ 1"):
        certified_error(1, "0.5")
    q = np.array([-(2**15), -1, 0, 1, 2**15 - 1])
    out = integer_gelu(q, 2**12 - 1, 2**14 - 1, 12, 14)
    for x, y in zip(q.tolist(), out.tolist(), strict=True):
        place = Fraction(x, 2**14)
        below = Fraction(2**12 - 1, 2**12) * max(Fraction(2**14 - 1, 2**12) - abs(place), 0) ** 2
        assert y == (x * (below if x < 0 else 1 - below) + Fraction(1, 2)) // 1


def test_a_tail_that_is_not_smaller_is_refused(monkeypatch):
    monkeypatch.setattr("gelu_lib.floats.integer_gelu.normal_beyond", lambda end, power: arb(1))
    with pytest.raises(CertificationError, match="beyond"):
        certified_error(*IBERT.values())


@pytest.mark.parametrize(("input_bits", "width"), [(5, 8), (12, 16)])
def test_integers_compute_the_quadratic_and_round_once(input_bits, width):
    best, bits = best_fixed_point(8), 8
    a, b = int(best.a * 2**bits), int(best.b * 2**bits)
    q = np.arange(-(2 ** (width - 1)), 2 ** (width - 1))
    out = integer_gelu(q, a, b, bits, input_bits)
    x = q / 2.0**input_bits
    half = 0.5 / 2**input_bits
    assert np.max(np.abs(out / 2.0**input_bits - gelu(x))) <= float(best.error.upper) + half
    for i in range(0, len(q), max(1, len(q) // 256)):
        place = Fraction(int(q[i]), 2**input_bits)
        below = Fraction(best.a) * max(Fraction(best.b) - abs(place), 0) ** 2
        phi = below if place < 0 else 1 - below
        assert int(out[i]) == (place * phi * 2**input_bits + Fraction(1, 2)) // 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([0.5], 17, 659, 8, 5), TypeError, "integers"),
        (([1], 17.5, 659, 8, 5), TypeError, "a is 17.5"),
        (([1], 17, True, 8, 5), TypeError, "b is True"),
        (([1], 17, 659, 8.0, 5), TypeError, "fraction_bits is 8.0"),
        (([1], 17, 659, 8, "5"), TypeError, "input_bits is '5'"),
        (([2**15], 17, 659, 8, 5), ValueError, "16 bits"),
        (([1], 17, 659, 13, 5), ValueError, "fraction_bits is 13"),
        (([1], 17, 659, 8, 15), ValueError, "input_bits 15"),
        (([1], 256, 659, 8, 5), ValueError, "a is 256"),
        (([1], 17, 0, 8, 5), ValueError, "b is 0"),
    ],
)
def test_what_would_overflow_in_the_kernel_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        integer_gelu(np.array(arguments[0]), *arguments[1:])
