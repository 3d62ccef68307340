"""The names of ``hub_names.txt``: how each is written, the model or "refused", and its forms."""

from pathlib import Path

_TEXT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
HUB = [[*line.split(" | "), ""][:3] for line in _TEXT.splitlines() if line[:1] != "#"]
