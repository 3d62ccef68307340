"""The best constants under a law of inputs: by a second method, what is proved, what is refused."""

from decimal import Decimal
from itertools import product

import numpy as np
import pytest
import scipy.optimize
from flint import arb, ctx
from kinds import slow_but
from scipy.special import expit, ndtr
from sympy import Rational

from gelu_lib.activations import gelu
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.criteria_table import load_cell
from gelu_lib.fits.criteria import problem
from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.best_rounded import most_agreeing
from gelu_lib.floats.laws import InputLaw
from gelu_lib.floats.mean_squares import MeanSquare
from gelu_lib.floats.rounded_constants import SIGMOID_BY_SCALE, TANH_BY_CUBIC
from gelu_lib.floats.types import round_to, unit
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.precision import PROOF_BITS

GENERATOR = np.random.default_rng(seed=46)
EDGES = np.linspace(-12, 12, 401)
NORMAL = InputLaw.of_histogram(EDGES, np.diff(ndtr(EDGES)))
SKEWED = InputLaw.of_histogram(
    np.linspace(-570, 20, 401), np.exp(-(np.abs(np.linspace(-570, 20, 400)) ** 0.4))
)
NARROW = InputLaw(GENERATOR.uniform(-0.819, 1.022, 50), GENERATOR.integers(1, 9, 50))
LAWS = {"normal": NORMAL, "skewed": SKEWED, "narrow": NARROW}
K = {"written": "factored", "fixed": {"s": LOCAL_SLOPE}}
C = {"family": LOGISTIC}
SLOPE = 2 * np.sqrt(2 / np.pi)
INNER = {"k": lambda x, k: SLOPE * (x + k * x**3), "c": lambda x, c: c * x}
CASES = {"k": (K, 0.03, 0.06), "c": (C, 1.3, 2.2)}


def root_mean_square(law, of, inner):
    """In plain sums, nothing shared."""
    x, w = np.array(law.points), np.array(law.weights)
    error = (ndtr(x) - expit(inner(x))) * (x if of == "GELU" else 1)
    return np.sqrt(w @ error**2 / w.sum())


@pytest.mark.parametrize(
    ("law", "of", "name"),
    slow_but(lambda case: case[0] != "narrow", product(LAWS, ("GELU", "Phi"), CASES)),
)
def test_one_constant_is_that_of_another_search_and_no_other_is_as_good(law, of, name):
    law, (case, *ends) = LAWS[law], CASES[name]
    best = best_constants(of, inputs=law, **case)
    found = scipy.optimize.minimize_scalar(
        lambda value: root_mean_square(law, of, lambda x: INNER[name](x, value)),
        bounds=ends,
        method="bounded",
        options={"xatol": 1e-12},
    )
    (constant,) = best.constants.values()
    assert float(constant) == pytest.approx(found.x, rel=1e-6)
    assert float(best.error) == pytest.approx(found.fun, rel=1e-9)
    assert best.certified and best.least.lower <= best.error.upper
    assert float(best.error.upper / best.least.upper) < 1 + 2e-10
    assert isinstance(constant, Rational)


@pytest.mark.parametrize("law", ["normal", "skewed"])
def test_both_constants_of_the_tanh_form_are_a_minimum_and_no_more_is_claimed(law):
    best = best_constants(inputs=LAWS[law])
    factored = best_constants(inputs=LAWS[law], written="factored")
    p1, p3 = map(float, best.constants.values())
    s, k = map(float, factored.constants.values())
    assert 2 * s == pytest.approx(p1, rel=1e-6) and 2 * s * k == pytest.approx(p3, rel=1e-6)
    assert not best.certified and "nothing is proved of others" in best.proof

    def size(p):
        return root_mean_square(LAWS[law], "GELU", lambda x: p[0] * x + p[1] * x**3)

    assert float(best.error) == pytest.approx(size((p1, p3)), rel=1e-9)
    for around in np.array([p1, p3]) * (1 + 1e-4 * GENERATOR.normal(size=(50, 2))):
        assert size(around) > float(best.error)


@pytest.mark.parametrize("of", ["GELU", "GELU_derivative"])
def test_for_a_fine_normal_law_they_are_the_cell_of_the_table(of):
    cell = load_cell("tanh-pinned", of, "Gaussian L2")
    best = best_constants(of, inputs=NORMAL, **K)
    assert float(best.constants["k"]) == pytest.approx(float(cell.constant), rel=2e-4)
    assert float(best.error) == pytest.approx(float(cell.error), rel=2e-3)
    wider = InputLaw(1.5 * np.array(NORMAL.points), NORMAL.weights)
    assert best_constants(of, inputs=wider, **K).constants["k"] < best.constants["k"] * (1 - 4e-4)


def test_an_input_and_its_negative_are_one_and_only_ratios_of_weights_matter():
    law = InputLaw([2, -1, 1, 0, -3, 5], [3, 1, 4, 7, 2, 0])
    other = InputLaw([1, -2, 3, 0], [50, 30, 20, 70])
    assert law.shares(abs) == other.shares(abs) and sum(law.shares(abs).values()) == 1
    assert best_constants(inputs=law, **K).error == best_constants(inputs=other, **K).error


def test_what_is_no_minimum_or_has_a_rival_is_not_called_the_only_one():
    with ctx.workprec(PROOF_BITS):
        squares = MeanSquare(problem(LOGISTIC, "GELU"), NORMAL)
        (best,) = best_constants(inputs=NORMAL, **C).parameters.values()
        squares.prove_alone([arb(float(best))])
        with pytest.raises(CertificationError, match="other constants may be as good"):
            squares.prove_alone([arb(float(best) * 1.05)])
        slope = MeanSquare(problem(TANH_CUBIC, "GELU_derivative", fixed=SLOPE_KEPT), NORMAL)
        with pytest.raises(CertificationError, match="not one constant"):
            slope.prove_alone([arb("0.0715")])
    rivals = InputLaw([0.1, 5, 6, 7], [1, 1, 1, 1])  # flat far out, where nothing depends on c
    best = best_constants(inputs=rivals, **C)
    assert not best.certified and "positive definite" in best.proof


# judged by rounded results


def losses(law, dtype, judged_by, inner):
    """The mean over the law with NumPy's rounding."""
    x = round_to(law.points, dtype).astype(float)
    right, share = gelu(x), np.array(law.weights) / sum(law.weights)
    result = round_to(x * expit(inner(x)), dtype).astype(float)
    if judged_by == "agreement":
        return share @ (result != round_to(right, dtype).astype(float))
    return share @ (np.abs(result - right) / unit(right, dtype))


@pytest.mark.parametrize(
    ("law", "dtype", "judged_by", "name"),
    slow_but(
        lambda case: case[1] != "float16",
        product(LAWS, ("bfloat16", "float16", "float32"), ("ulp", "agreement"), CASES),
    ),
)
def test_by_rounded_results_no_constant_tried_is_better(law, dtype, judged_by, name):
    law, (case, low, high) = LAWS[law], CASES[name]
    best = best_constants(inputs=law, judged_by=judged_by, rounded_to=dtype, **case)
    (constant,) = (float(value) for value in best.constants.values())
    tried = [*np.linspace(low / 10, high * 1.5, 300), *(constant * np.linspace(0.999, 1.001, 300))]
    found = [losses(law, dtype, judged_by, lambda x, c=c: INNER[name](x, c)) for c in tried]
    own = losses(law, dtype, judged_by, lambda x: INNER[name](x, constant))
    assert best.least.lower <= best.error.lower <= own <= best.error.upper == best.least.upper
    assert (
        min(found) >= float(best.least.lower)
        and float(best.error.upper) < min(found) * (1 + 1e-6) + 1e-6
    )
    assert best.least.upper - best.least.lower <= best.least.upper / 10 + Decimal("1e-6")


@pytest.mark.parametrize(
    ("points", "dtype", "case", "tried"),
    [
        ([-14], "float32", C, lambda x: 7.25 * x),
        ([-0.3, 0.2, 0.1], "bfloat16", {"fixed": {"p1": "0.1"}}, lambda x: 0.1 * x + 16.67 * x**3),
    ],
    ids=["far out", "a slope that does not fit"],
)
@pytest.mark.parametrize("judged_by", ["ulp", "agreement"])
def test_a_constant_far_from_that_with_the_least_largest_error_is_found(
    points, dtype, case, tried, judged_by
):
    law = InputLaw(points, [1] * len(points))
    best = best_constants(inputs=law, judged_by=judged_by, rounded_to=dtype, **case)
    found = losses(law, dtype, judged_by, tried)
    assert float(best.least.lower) <= found
    assert float(best.error.upper) <= found * (1 + 1e-6) + 1e-6


def test_nothing_is_nearer_than_the_nearest_float():
    law = InputLaw([1], [1])  # at the best constant the result goes from one float to the next
    best = best_constants(inputs=law, judged_by="ulp", rounded_to="bfloat16", **C)
    nearest = round_to(gelu(np.ones(1)), "bfloat16").astype(float)
    wanted = abs(nearest - gelu(1.0)) / unit(gelu(np.ones(1)), "bfloat16")
    assert float(best.least.lower) == pytest.approx(float(wanted[0]), rel=1e-6)


@pytest.mark.parametrize(("name", "form"), [("k", TANH_BY_CUBIC), ("c", SIGMOID_BY_SCALE)])
def test_the_share_that_agrees_is_that_of_the_intervals_of_constants(name, form):
    inputs = np.unique(np.float16(GENERATOR.normal(size=1500)))
    law = InputLaw(inputs, np.ones(inputs.size))
    best = best_constants(inputs=law, judged_by="agreement", rounded_to="float16", **CASES[name][0])
    share = 1 - most_agreeing(form, inputs).count / inputs.size
    assert float(best.least.lower) - 1e-6 <= share <= float(best.error.upper)
    (constant,) = best.constants.values()
    assert float(best.error) == pytest.approx(share, abs=1e-6)
    assert constant in most_agreeing(form, inputs).constants[0]


# what is refused


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"inputs": NORMAL, "interval": (-1, 1)}, ValueError, "beside it: interval"),
        ({"inputs": NORMAL, "weight": 2}, ValueError, "beside it: weight"),
        ({"inputs": NORMAL, "representable_in": "float16"}, ValueError, "representable_in"),
        ({"inputs": ([1], [1])}, TypeError, "InputLaw"),
        ({"judged_by": "ulp", "rounded_to": "float16"}, ValueError, "inputs is None"),
        ({"rounded_to": "float16"}, ValueError, "'mean square' accepted are"),
        ({"inputs": NORMAL, "judged_by": "mode"}, ValueError, "'mean square', 'ulp', 'agreement'"),
        ({"inputs": NORMAL, "judged_by": ["ulp"]}, ValueError, "judged_by"),
        ({"inputs": NORMAL, "judged_by": "ulp"}, ValueError, "'float32', 'float16', 'bfloat16'"),
        ({"inputs": NORMAL, "judged_by": "ulp", "rounded_to": "float64"}, ValueError, "float64"),
        ({"inputs": NORMAL, "judged_by": "ulp", "rounded_to": "float16"}, ValueError, "one free"),
        (
            {"inputs": NORMAL, "judged_by": "ulp", "rounded_to": "float16", "target": "Phi", **C},
            ValueError,
            "target Phi",
        ),
        (
            {
                "inputs": NORMAL,
                "judged_by": "ulp",
                "rounded_to": "float16",
                "fixed": {"p3": "-0.001"},
            },
            ValueError,
            "others from 0",
        ),
        (
            {"inputs": InputLaw([7e4], [1]), "judged_by": "ulp", "rounded_to": "float16", **C},
            ValueError,
            "beyond the range of float16",
        ),
        ({"inputs": InputLaw([-1, 1, 0], [1, 1, 1]), **C}, ValueError, "1 sizes other than 0"),
        ({"inputs": NORMAL, "family": "tanh"}, TypeError, "family must be"),
    ],
)
def test_what_makes_no_sense_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        best_constants(**arguments)


@pytest.mark.parametrize(
    ("make", "given", "error", "message"),
    [
        (InputLaw, ([1, 2], [1]), ValueError, "2 points and 1 weights"),
        (InputLaw, ([1, np.inf], [1, 1]), ValueError, "points must be finite"),
        (InputLaw, ([1, 2], [1, np.nan]), ValueError, "weights must be finite"),
        (InputLaw, ([1, 2], [1, -1]), ValueError, "a negative number"),
        (InputLaw, ([1, 2], [0, 0]), ValueError, "none but 0"),
        (InputLaw, ([0, 2], [3, 0]), ValueError, "none but 0"),
        (InputLaw, ([], []), ValueError, "none but 0"),
        (InputLaw, ([[1, 2]], [1, 1]), ValueError, "one dimension"),
        (InputLaw, ("12", [1, 1]), TypeError, "points is of dtype"),
        (InputLaw, (np.ma.array([1, 2, 3], mask=[0, 1, 0]), [1, 1, 1]), TypeError, "a mask"),
        (InputLaw, ([1, 2], [True, False]), TypeError, "weights is of dtype bool"),
        (InputLaw.of_histogram, ([0, 1, 1], [1, 1]), ValueError, "3 edges .* increasing"),
        (InputLaw.of_histogram, ([0, 1, 2], [1, 1, 1]), ValueError, "3 edges .* 3 counts"),
        (InputLaw.of_histogram, ([-np.inf, 0, 2], [1, 1]), ValueError, "edges must be finite"),
        (InputLaw.of_histogram, ([-1, 1], [1]), ValueError, "none but 0"),
    ],
)
def test_what_is_no_law_is_refused(make, given, error, message):
    with pytest.raises(error, match=message):
        make(*given)
