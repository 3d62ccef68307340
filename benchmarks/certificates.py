"""Time of a proof as the number of digits grows, in one run.

    python benchmarks/certificates.py

asks for more and more digits of a best constant, anew and with the proof kept, and compares the
time to that of one evaluation of Φ and of σ with as many digits, and to that of one multiplication.
It prints the tables and writes ``benchmarks/records/certificates.json``. How a proof compares to
the script of the sources is measured by ``minimax_against_powell.py``.
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
from minimax_against_powell import CONSTANTS, anew, timed

from gelu_lib.certificates.engine.balls import bits, logistic, normal

RECORD = Path(__file__).parent / "records" / "certificates.json"
DIGITS = (20, 50, 100, 300, 1000, 3000, 10_000)
REPEATS = 10


def evaluation(digits: int) -> None:
    """Φ and σ at one point each."""
    with ctx.workprec(bits(digits)):
        root = arb(2).sqrt()
        normal(-root), logistic(-root)


def growth(name: str) -> dict[str, dict]:
    """Seconds by digits, and how many evaluations of Φ and σ could be had in that time."""
    way, rows = CONSTANTS[name][2], {}
    for digits in DIGITS:
        repeats = REPEATS if digits <= 1000 else 3
        times = {
            "anew": timed(partial(anew, way, digits), repeats)[0],
            "with the proof kept": timed(partial(way, digits), repeats)[0],
        }
        once, _ = timed(partial(evaluation, digits), repeats)
        rows[str(digits)] = {
            **{name: float(f"{seconds:.3g}") for name, seconds in times.items()},
            "evaluations of Φ and σ": round(times["anew"] / once, 1),
            "multiplications": round(times["anew"] / product_seconds(digits)),
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
        "repeats": f"least of {REPEATS} calls, of 3 beyond 1000 digits",
        "digits": {name: growth(name) for name in CONSTANTS},
    }
    RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, rows in record["digits"].items():
        print(f"{name}: {', '.join(next(iter(rows.values())))}")
        for row, numbers in rows.items():
            print(f"  {row:8}" + "".join(f"{number:12}" for number in numbers.values()))


if __name__ == "__main__":
    main()
