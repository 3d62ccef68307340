"""The best constants for a case of one's own: another interval, another type, another form.

``best_constants`` chooses the error, the interval, the free constants and the type that must hold
them, and says what is proved. ``FixedPoint`` is the type of an integer kernel. The rooms, from the
ground up: ``grids`` (the numbers of a type), ``search`` (boxes by their lower bound), ``bounds``
(what no constants can undercut), ``intervals`` (the best fit on a bounded interval), ``constants``
(the whole), ``quadratic`` (a form without exponentials, for integers).
"""

from gelu_lib.your_own.constants import BestConstants, best_constants
from gelu_lib.your_own.grids import FixedPoint

__all__ = ["BestConstants", "FixedPoint", "best_constants"]
