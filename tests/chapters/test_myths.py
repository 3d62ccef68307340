"""What is said of the constants in other places than the posts, and its verdicts."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import erf as scipy_erf
from test_claims import holding, is_noticed, mutants

from gelu_lib.chapters.claims import myth_assessments, myth_table
from gelu_lib.chapters.claims.myths import CHECKS
from gelu_lib.register import result, results

ROOT = Path(__file__).resolve().parents[2]
DATA = (ROOT / "gelu_lib" / "data" / "myths.toml").read_text(encoding="utf-8")
LEDGER = Path(__file__).parents[1] / "myths.txt"


def test_every_published_row_stands():
    assert list(myth_assessments()) == LEDGER.read_text(encoding="utf-8").split()


def test_every_verdict_is_computed():
    assert all(found.computed for found in myth_assessments().values())


@pytest.mark.parametrize("id", CHECKS)
def test_each_part_of_a_row_that_is_changed_is_noticed(id):
    made = mutants(holding(CHECKS[id]))
    assert made
    for mutant in made:
        assert is_noticed(mutant), mutant


def test_what_the_rows_refer_to_exists():
    bibliography = (ROOT / "book/references.bib").read_text("utf-8")
    keys = set(re.findall(r"^@\w+\{([^,]+),", bibliography, re.M))
    for id in re.findall(r"\{(?:result|literal)\}`([^`]+)`", DATA):
        assert id in results()
    for cited in re.findall(r"\{cite\}`([^`]+)`", DATA) + re.findall(r'^post = "(.+)"', DATA, re.M):
        assert cited in keys
    for ids in re.findall(r'^see = "(.+)"$', DATA, re.M):
        assert set(ids.split()) <= set(results())


def test_no_number_is_typed_in_the_rows():
    decimals = re.findall(r"(?<![\w./])\d+\.\d{2,}(?![\w.])", re.sub(r"`[^`]*`", "", DATA))
    assert set(decimals) <= {"0.044715", "1.702", "1606.08415"}


def test_the_table_has_every_row_with_its_source():
    rows = myth_table().rows
    assert len(rows) == len(myth_assessments())
    for (head, told), found in zip(rows, myth_assessments().values(), strict=True):
        assert head.endswith(f"{{cite}}`{found.claim.post}`")
        assert told.endswith(".")


@pytest.mark.parametrize("half_width", [6.0, 12.0])
def test_more_samples_from_a_wider_range_tend_to_the_mean_square_optimum(half_width):
    x = np.linspace(-half_width, half_width, 20_001)
    target, slope = scipy_erf(x / np.sqrt(2)), np.sqrt(2 / np.pi)
    found = least_squares(
        lambda k: np.tanh(slope * (x + k * x**3)) - target, 0.045, xtol=1e-15, ftol=1e-15
    )
    optimum = float(result("criteria-tanh-pinned-phi").numbers["L2, k"])
    assert found.x[0] == pytest.approx(optimum, abs=2e-7)
    assert abs(found.x[0] - 0.044715) > 1e-4
