"""How each number that was measured follows from its record, by the ID of its result."""

from __future__ import annotations

from gelu_lib.evidence import measured, real_network_numbers, trajectories

MEASUREMENTS = {
    **measured.NETWORK_NUMBERS,
    **trajectories.TRAJECTORY_NUMBERS,
    **real_network_numbers.REAL_NETWORK_NUMBERS,
}
