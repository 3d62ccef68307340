"""The names of ``hub_names.txt``: how each is written, the model or "refused", and its forms."""

import re
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
_ROWS = [re.split(r"\s+\| ", row) for row in re.findall(r"^[^#\s].*(?:\n .*)*", _TEXT, re.M)]
HUB = [(name, *answer.partition(", ")[::2]) for answer, *names in _ROWS for name in names]
