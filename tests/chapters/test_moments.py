"""The chapter moments: by quadrature, by simulation, and by what a network of such layers does."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from reader import code_cells, glued, prose, table
from scipy.special import ndtr, ndtri, owens_t

from gelu_lib.evidence.proved import enclose
from gelu_lib.register import agreeing_digits, result

PRINTED = 1.7015043497085571
ENDS = (-14, -5, -1, 0, 1, 5, 14)


def of_normal(f, mu=0, sigma=1):
    return mpmath.quad(lambda z: f(mu + sigma * z) * mpmath.npdf(z), ENDS)


def gelu(x):
    return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def said(name: str) -> float:
    return float(glued("moments")[name].replace("−", "-"))


def closed(mu, sigma):
    """The function of the page, which needs none of its other cells."""
    (cell,) = (cell for cell in code_cells("moments") if "def closed(" in cell)
    names = {"np": np, "ndtr": ndtr, "owens_t": owens_t}
    exec(cell, names)
    return names["closed"](mu, sigma)


def test_quadrature_gives_the_moments_of_the_register():
    with mpmath.workdps(40):
        first, second = of_normal(gelu), of_normal(lambda x: gelu(x) ** 2)
        gain = 1 / mpmath.sqrt(second - first**2)
        assert abs(first - 1 / (2 * mpmath.sqrt(mpmath.pi))) < 1e-32
        for id, value in (("gelu-normal-second-moment", second), ("gelu-normal-gain", gain)):
            (proved,) = enclose(id, 36).values()
            assert agreeing_digits(mpmath.nstr(value, 36), str(proved.lower)) >= 30, id
            assert agreeing_digits(str(PRINTED), str(proved.lower)) < 5, id


@pytest.mark.parametrize(("mu", "sigma"), [(0, 1), (0.3, 1.7), (-2, 0.4), (1, 3)])
def test_the_closed_forms_hold_for_other_laws(mu, sigma):
    found = [float(v) for v in closed(mu, sigma)]
    asked = (gelu, lambda x: x * gelu(x), lambda x: gelu(x) ** 2)
    assert found == pytest.approx([float(of_normal(f, mu, sigma)) for f in asked], rel=1e-12)
    other = [float(of_normal(f, mu, sigma * 1.001)) for f in asked]
    assert found != pytest.approx(other, rel=1e-5)


def test_gains_are_those_of_a_simulation_and_the_printed_ones_are_near():
    x = np.random.default_rng(seed=3).standard_normal(2_000_000)
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    values = {
        "GELU": x * ndtr(x),
        "its tanh form": x / 2 * (1 + np.tanh(inner)),
        "its sigmoid form": x / (1 + np.exp(-1.702 * x)),
        "SiLU": x / (1 + np.exp(-x)),
        "ReLU": np.maximum(x, 0),
    }
    rows = {row[0]: row[1:] for row in table("moments", "activation")}
    assert list(rows) == list(values)
    for name, y in values.items():
        mean, second, gain = map(float, rows[name][:3])
        assert (y.mean(), (y**2).mean()) == pytest.approx((mean, second), abs=2e-3), name
        assert 1 / y.std() == pytest.approx(gain, rel=3e-3), name
    printed = {name: float(row[3]) for name, row in rows.items() if row[3]}
    assert set(printed) == {"GELU", "SiLU", "ReLU"}
    for name, value in printed.items():  # all of them too large, as the recipe's bias has it
        assert 3e-4 < value / float(rows[name][2]) - 1 < 1 / 512, name


def test_the_printed_gains_are_float32_and_neither_exact_nor_of_one_sample():
    (cell,) = (cell for cell in code_cells("moments") if "in_nfnets = {" in cell)
    exec(cell, names := {"np": np})
    printed = names["in_nfnets"]
    assert len(printed) == 6 and all(float(np.float32(v)) == v for v in printed.values())
    assert float(np.float32(float(result("gelu-normal-gain").number))) != pytest.approx(PRINTED)
    assert float(np.float32(1.7009262433633331)) != 1.7009262433633331  # not every double is one

    def gain(f):
        return float((of_normal(lambda x: f(x) ** 2) - of_normal(f) ** 2) ** -0.5)

    assert gain(lambda x: min(max(x, 0), 1.5)) > gain(lambda x: max(x, 0))  # clipped earlier
    x = np.random.default_rng(seed=4).standard_normal((64, 256))
    clipped, whole = (np.var(np.clip(x, 0, top), axis=1) for top in (2, np.inf))
    assert np.all(clipped <= whole) and np.any(clipped < whole)
    assert printed["ReLU6"] < printed["ReLU"] and printed["CELU"] != printed["ELU"]
    elu = gain(lambda x: x if x > 0 else mpmath.expm1(x))
    assert all(abs(printed[name] / elu - 1) < 0.003 for name in ("ELU", "CELU"))


def test_the_standard_error_is_the_spread_of_samples():
    rng = np.random.default_rng(seed=5)
    x = rng.standard_normal((40, 1024, 256))
    y = x * ndtr(x)
    rows, whole = y.var(axis=2).mean(axis=1) ** -0.5, y.reshape(40, -1).std(axis=1) ** -1.0
    error = said("standard-error")
    assert whole.std() == pytest.approx(error, rel=0.3)
    assert rows.mean() == pytest.approx(said("expected-gain-of-rows"), abs=4 * error / 40**0.5)
    assert whole.mean() < rows.mean() - 0.001
    exact = float(result("gelu-normal-gain").number)
    assert said("off-in-standard-errors") == pytest.approx((PRINTED - exact) / error, abs=0.01)
    assert f"{PRINTED:.3g}" == f"{exact:.3g}" and f"{PRINTED:.4g}" != f"{exact:.4g}"
    assert "its first three digits are right" in prose("moments")


def test_a_chain_of_layers_leaves_the_variance_as_the_page_says():
    """Wide layers, with weights that add up to 0, or with independent ones."""
    x = ndtri((np.arange(20_000) + 0.5) / 20_000)  # a sample without chance

    def after(layers, sigma, factor, centred):
        for _ in range(layers):
            y = sigma * x * ndtr(sigma * x)
            sigma = factor * (y.std() if centred else np.sqrt(np.mean(y**2)))
        return sigma

    gain = float(result("gelu-normal-gain").number)
    other = said("factor-by-second-moment")
    for factor, centred, name in ((gain, True, "variance"), (other, False, "second-moment")):
        still, high = (after(1, s, factor, centred) ** 2 for s in (1.0, np.sqrt(1.01)))
        assert (high - still) / 0.01 == pytest.approx(said(f"growth-by-{name}"), abs=0.01)
        assert after(60, 0.9, factor, centred) < 0.2
    assert after(600, 1.2, gain, True) == pytest.approx(said("second-fixed-point"), rel=0.02)
    assert after(60, 1.2, other, False) > 20
    top = said("second-fixed-point")
    near, nearer = (after(n, top * 1.05, gain, True) ** 2 / top**2 - 1 for n in (0, 1))
    assert nearer / near == pytest.approx(said("growth-at-the-second"), abs=0.02)
    assert after(1500, said("greatest-start"), gain, True) == pytest.approx(top, rel=0.02)
    wide = after(1, 1000.0, other, False) ** 2 / 1000.0**2
    assert wide == pytest.approx(said("last-growth"), abs=0.01)
