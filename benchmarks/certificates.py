"""Time of a proof: against the sources' search, and as the number of digits grows, in one run.

    python benchmarks/certificates.py

compares ``certify`` with 50 digits to the script of the sources and to the same search
with arrays, which ``minimax_against_powell.py`` holds. Then it asks for more and more digits, and
compares the time to that of one evaluation of Φ and of σ with as many digits, and to that of one
multiplication. It prints both tables and writes ``benchmarks/records/certificates.json``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json
import platform
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version

from flint import arb, ctx
from minimax_against_powell import (
    array_cubic,
    array_logistic,
    scalar_cubic,
    scalar_logistic,
    timed,
)

from gelu_lib.certificates.best.certificate import Certificate, certify
from gelu_lib.certificates.engine.balls import bits, logistic, normal
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.register import agreeing_digits

RECORD = Path(__file__).parent / "records" / "certificates.json"
DIGITS = (20, 50, 100, 300, 1000, 3000, 10_000)
REPEATS = 10


def cubic(digits: int) -> Certificate:
    """The certificate of 0.044715."""
    return certify(minimax(TANH_CUBIC, fixed=SLOPE_KEPT), digits)


def scale(digits: int) -> Certificate:
    """The certificate of 1.702."""
    return certify(minimax(LOGISTIC), digits)


def cubic_value(certificate: Certificate) -> str:
    """k = p3/p1 as a decimal."""
    ratio = certificate.parameters["p3"] / certificate.parameters["p1"]
    return str(ratio.rounded(certificate.digits))


def scale_value(certificate: Certificate) -> str:
    """c = p1 as a decimal."""
    return str(certificate.parameters["p1"].rounded(certificate.digits))


CONSTANTS = {
    "0.044715": (scalar_cubic, array_cubic, cubic, cubic_value),
    "1.702": (scalar_logistic, array_logistic, scale, scale_value),
}


def against_the_search(name: str) -> dict[str, dict]:
    """Seconds and right digits of the search, of the search with arrays, and of the proof."""
    scalar, array, prove, value = CONSTANTS[name]
    ways = {
        "certificate, 50 digits, first call": (lambda: value(prove(50)), 1),
        "certificate, 50 digits": (lambda: value(prove(50)), REPEATS),
        "grid with arrays": (lambda: repr(float(array())), REPEATS),
        "scalar script": (lambda: repr(float(scalar())), 1),
    }
    results = {way: timed(*how) for way, how in ways.items()}
    slowest, exact = results["scalar script"][0], value(prove(80))
    return {
        way: {
            "seconds": round(seconds, 5),
            "faster than the scalar script": round(slowest / seconds, 1),
            "digits right": agreeing_digits(found, exact),
        }
        for way, (seconds, found) in results.items()
    }


def evaluation(digits: int) -> None:
    """Φ and σ at one point each."""
    with ctx.workprec(bits(digits)):
        root = arb(2).sqrt()
        normal(-root), logistic(-root)


def growth(name: str) -> dict[str, dict]:
    """Seconds by digits, and how many evaluations of Φ and σ could be had in that time."""
    prove, rows = CONSTANTS[name][2], {}
    for digits in DIGITS:
        repeats = REPEATS if digits <= 1000 else 3
        seconds, _ = timed(partial(prove, digits), repeats)
        once, _ = timed(partial(evaluation, digits), repeats)
        rows[str(digits)] = {
            "seconds": round(seconds, 5),
            "evaluations of Φ and σ": round(seconds / once, 1),
            "multiplications": round(seconds / product_seconds(digits)),
        }
    return rows


def product_seconds(digits: int) -> float:
    """The time of one product of two numbers with so many digits."""
    with ctx.workprec(bits(digits)):
        a, b = arb(2).sqrt(), arb(3).sqrt()
        return timed(lambda: [a * b for _ in range(100)], REPEATS)[0] / 100


def main() -> None:
    """Measure, print and write the record."""
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "python-flint")},
        "repeats": f"least of {REPEATS} calls, of 3 beyond 1000 digits; one scalar script",
        "constants": {name: against_the_search(name) for name in CONSTANTS},
        "digits": {name: growth(name) for name in CONSTANTS},
    }
    RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for part in ("constants", "digits"):
        for name, rows in record[part].items():
            print(f"{name}: {', '.join(next(iter(rows.values())))}")
            for row, numbers in rows.items():
                print(f"  {row:36}" + "".join(f"{number:12}" for number in numbers.values()))


if __name__ == "__main__":
    main()
