"""What ``record_real_networks.py`` keeps of outputs and of inputs: sums, counts, histograms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from real_models import exact, tanh

BINS, WIDE, NARROW = 384, 12.0, 1.5
"""Bins from −12 to 12, or from −1.5 to 1.5 where a site sees nothing but a byte."""


class Laws:
    """What comes into each site of a network, counted while it runs."""

    def __init__(self, sites: Sequence[str]):
        self.widths = [NARROW if site == "bytes" else WIDE for site in sites]
        self.counts = np.zeros((len(sites), BINS), dtype=np.int64)
        self.sums = np.zeros((len(sites), 4))  # of 1, x, x², and the tanh form's squared error
        self.ends = np.tile([np.inf, -np.inf], (len(sites), 1))

    def see(self, site: int, x: np.ndarray) -> None:
        wide, width = x.astype(float), self.widths[site]
        self.counts[site] += np.histogram(x, BINS, (-width, width))[0]
        error = tanh()(wide) - exact(wide)
        self.sums[site] += [x.size, wide.sum(), (wide**2).sum(), (error**2).sum()]
        self.ends[site] = [min(self.ends[site, 0], x.min()), max(self.ends[site, 1], x.max())]

    def arrays(self) -> dict[str, np.ndarray]:
        return {"counts": self.counts, "sums": self.sums, "ends": self.ends}


def recorded(laws: Sequence[dict[str, np.ndarray]], sites: Sequence[str]) -> list[dict]:
    """The laws that ``Laws.arrays`` gave for parts of the inputs, together, site by site."""
    counts, sums = (sum(part[name] for part in laws) for name in ("counts", "sums"))
    low, high = (
        end([part["ends"][:, i] for part in laws], 0) for i, end in ((0, np.min), (1, np.max))
    )
    found = []
    for site, width in enumerate(Laws(sites).widths):
        inputs, total, squares, errors = sums[site]
        found.append(
            {
                "site": sites[site],
                "inputs": int(inputs),
                "mean": total / inputs,
                "rms": np.sqrt(squares / inputs),
                "error": np.sqrt(errors / inputs),
                "least": low[site],
                "largest": high[site],
                "width": width,
                "counts": " ".join(map(str, counts[site])),
            }
        )
    return found


def margins(scores: np.ndarray) -> np.ndarray:
    """By how much the first choice leads at each place."""
    second, first = np.partition(scores, -2, axis=-1)[:, -2:].T
    return first - second


def compared(before: np.ndarray, after: np.ndarray, scores: tuple, groups: Sequence) -> dict:
    """What an arm changed.

    Args:
        before: the outputs of the baseline.
        after: those of the arm.
        scores: of both; the decision of a row is its highest score.
        groups: to which group each decision belongs.

    Returns:
        Sums of squares, and each changed decision by its group and by what the first choice led.
    """
    moved, (old, new) = after - before, scores
    changed = np.flatnonzero(old.argmax(-1) != new.argmax(-1))
    return {
        "largest": float(abs(moved).max()),
        "squares": float((moved**2).sum()),
        "of": float((before**2).sum()),
        "decisions": len(old),
        "changed": [[str(groups[i]), float(margins(old[i : i + 1])[0])] for i in changed],
    }


def centred(scores: np.ndarray) -> np.ndarray:
    """Log-odds less their mean, row by row; those that are forbidden, −∞, are left out."""
    rows = [row[np.isfinite(row)] for row in scores]
    return np.concatenate([row - row.mean() for row in rows])


def together(parts: Sequence[dict]) -> dict:
    """The record of an arm, from what ``compared`` found in parts of the inputs."""
    changed = [one for part in parts for one in part["changed"]]
    squares, of, decisions = (sum(p[n] for p in parts) for n in ("squares", "of", "decisions"))
    return {
        "relative": np.sqrt(squares / of),
        "largest": max(part["largest"] for part in parts),
        "decisions": decisions,
        "changed": len(changed),
        "groups": len({group for group, _ in changed}),
        "widest lead": max((lead for _, lead in changed), default=None),
    }
