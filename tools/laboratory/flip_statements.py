"""Change every statement one place at a time, and see that the checks notice each.

    .venv/bin/python tools/laboratory/flip_statements.py             statements, displayed formulas
    .venv/bin/python tools/laboratory/flip_statements.py tail mills  with one of these in their ID
    .venv/bin/python tools/laboratory/flip_statements.py --each 5    five of each, drawn by a seed

A flip changes a sign, a factor, an exponent, a pair of symbols, a relation or a function in the
TeX that is printed (``tests/shared/flips.py``). It is noticed if the statement is no longer read,
no longer what its derivation proves, no longer asks for the number that is proved, or if its
trial fails. The displayed formulas of the chapters are changed as well
(``tests/shared/displayed.py``); their IDs begin with ``equation-``. One that survives leaves the
statement true, as ``tests/register/survivors.toml`` explains, or changes what no check depends on,
which ``tests/register/unused.toml`` lists: the status is 1 if one is not explained there, or if an
explanation is of none any more. Continuous integration does not run it. What is done is kept in
``_build/flips``, until a module or the entry changes, so that a run that was stopped goes on where
it was.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    EACH = {"type": int, "default": 0, "help": "how many flips of each entry; 0: all"}
    GIVEN = command_line.read(__doc__, patterns={"nargs": "*"}, **{"--each": EACH})

import hashlib
import json
import multiprocessing
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "shared")]

import displayed  # noqa: E402
import flips  # noqa: E402
from survivors import EQUATION, unexplained  # noqa: E402

from gelu_lib.register import STATUSES, results  # noqa: E402

KEPT = ROOT / "_build" / "flips"
LONGEST = 60
"""The seconds of a core after which a flip is given up, neither noticed nor not noticed."""

BUDGET = 600
"""The seconds of a core for one entry; extrema of what is slow to evaluate need more."""

PARTS = ("statement", "assumptions", "displayed")

UNDECIDED = {"same", "narrower", "proved", "left out", "slow"}
"""The outcomes that say nothing: the flip is no change, is true, or was not tried to its end."""

PROCESSES = 2
SEED = 44715


class Slow(BaseException):
    """A trial took too long."""


def main(patterns: list[str], each: int) -> int:
    all_ids = [*results(), *(f"{EQUATION}{label}" for label in displayed.formulas())]
    ids = [id for id in all_ids if any(p in id for p in patterns or [""])]
    if not ids:
        sys.exit(f"no ID has {' or '.join(patterns)} in it; the IDs stand in results.toml")
    rows, unchecked, start = [], [], time.monotonic()
    tasks = [[(id, each, fingerprint(id)) for id in group] for group in grouped(ids)]
    done = 0
    with multiprocessing.Pool(PROCESSES, initializer=flips.know_optima) as pool:
        for outcomes in pool.imap_unordered(of_group, tasks):
            for id, found in outcomes:
                rows.extend(found or [])
                unchecked.extend([] if found is not None else [id])
            done += len(outcomes)
            minutes = (time.monotonic() - start) / 60
            lost = sum(row["outcome"] in flips.LOST for row in rows)
            print(
                f"\r{done} of {len(ids)} entries, {len(rows)} flips, {lost} not noticed, "
                f"{minutes:.1f} min, last {outcomes[-1][0]:40.40}",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(file=sys.stderr)
    return report(rows, unchecked, whole=not each)


# ---------------------------------------------------------------------------- one entry


def grouped(ids: list[str]) -> list[list[str]]:
    """The entries, those together whose numbers are coordinates of one optimum."""
    groups: dict[str, list[str]] = {}
    for id in ids:
        statement = "" if id.startswith(EQUATION) else results()[id].statement
        groups.setdefault(statement.partition(r"\text{ of }")[2] or id, []).append(id)
    return list(groups.values())


def fingerprint(id: str) -> str:
    """What the outcomes of an entry's flips depend on, in short."""
    own = formula_of(id) if id.startswith(EQUATION) else results()[id]
    return hashlib.sha256((_modules() + repr(own)).encode()).hexdigest()[:20]


def formula_of(id: str) -> tuple[displayed.Displayed, dict]:
    """A displayed formula, and what is noted of it."""
    label = id.removeprefix(EQUATION)
    return displayed.formulas()[label], displayed.notes()[label]


@cache
def _modules() -> str:
    folders = ("gelu_lib/derivations", "gelu_lib/functions", "tests/shared")
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def of_group(tasks: list[tuple[str, int, str]]) -> list[tuple[str, list[dict] | None]]:
    return [of_entry(task) for task in tasks]


def of_entry(task: tuple[str, int, str]) -> tuple[str, list[dict] | None]:
    """The outcomes of the flips of an entry; ``None`` if it passes no check as it is."""
    id, each, mark = task
    kept = KEPT / f"{id}.{each}.json"
    if kept.exists():
        known = json.loads(kept.read_text("utf-8"))
        if known["mark"] == mark:
            return id, known["rows"]
    flipped = cases(id)
    rows = None if flipped is None else list(outcomes(id, flipped, each))
    KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"mark": mark, "rows": rows}, ensure_ascii=False), "utf-8")
    return id, rows


@dataclass(frozen=True)
class Case:
    """A flip, and what tells how it is noticed and why."""

    kind: str
    part: str
    flip: str
    outcome: Callable[[], tuple[str, str]]
    original: str = ""


def cases(id: str) -> list[Case] | None:
    """Every flip of an entry or of a displayed formula; ``None`` if it passes no check as it is."""
    if id.startswith(EQUATION):
        formula, note = formula_of(id)
        return [
            Case(one.kind, "displayed", one.tex, partial(displayed.outcome, formula, note, one.tex))
            for one in (flips.flips(formula.tex) if displayed.is_tried(note) else ())
        ] or None
    original = flips.checked(results()[id])
    return original and [
        Case(one.kind, one.part, one.shown, partial(flips.outcome, original, one), one.original)
        for one in flips.mutants(original.entry)
    ]


def outcomes(id: str, flipped: list[Case], each: int) -> Iterator[dict]:
    """The outcomes in a seeded order; after ``BUDGET`` seconds the other flips are left out."""
    random.Random(f"{SEED} {id}").shuffle(flipped)
    start = time.process_time()
    for case in flipped[: each or None]:
        described = {"id": id, "kind": case.kind, "part": case.part, "flip": case.flip}
        described["original"] = case.original
        if time.process_time() - start > BUDGET:
            yield described | {"outcome": "left out", "why": "", "seconds": 0}
        else:
            yield described | timed(case)


def timed(case: Case) -> dict:
    start = time.process_time()
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        outcome, why = case.outcome()
    except Slow:
        outcome, why = "slow", ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = round(time.process_time() - start, 2)
    return {"outcome": outcome, "why": why, "seconds": seconds}


def _stop(*_: object) -> None:
    raise Slow


# ---------------------------------------------------------------------------- report


def report(rows: list[dict], unchecked: list[str], whole: bool) -> int:
    """Print the shares and what survived; 1 if a survivor is not explained."""
    print(f"{len(unchecked)} entries pass no check as they are: {', '.join(unchecked)}\n")
    for part in PARTS:
        print(f"Flips of {part}: ")
        for kind in flips.KINDS:
            print("  ", line(kind, [r for r in rows if r["kind"] == kind and r["part"] == part]))
        print("  ", line("all", [r for r in rows if r["part"] == part]), "\n")
    for status in STATUSES:
        own = [r for r in rows if r["id"] in results() and results()[r["id"]].status == status]
        print("  ", line(status, own))
    lost, stale = unexplained(rows)
    for r in lost:
        print(f"{r['id']}, {r['part']}, {r['kind']}, {r['outcome']}: {r['flip']}")
    for id, part in stale if whole else ():
        print(f"{id}: no flip with {part} survives any more; tests/register/survivors.toml")
    return int(bool(lost or (whole and stale)))


def line(name: str, rows: list[dict]) -> str:
    counts = Counter(r["outcome"] for r in rows)
    count = sum(counts.values()) - sum(counts[kind] for kind in UNDECIDED)
    noticed = count - sum(counts[kind] for kind in flips.LOST)
    share = f"{noticed / count:7.2%}" if count else "      –"
    details = ", ".join(f"{kind} {n}" for kind, n in counts.most_common())
    return f"{name:9} {noticed:5} of {count:5} {share}   ({details})"


if __name__ == "__main__":
    sys.exit(main(GIVEN.patterns, GIVEN.each))
