"""Which parameters are about the best, in double precision: starts, of which nothing is proved.

What may be asked: ``criteria`` (a norm, a weight, an interval, and the problem that they make with
a family and a target). ``begin`` answers. ``start`` is what every search returns, and is open to
other kinds of family: ``exchange`` for an increasing link of given terms and for rationals,
``tanh_starts`` for sums of tanh, ``sequential`` for anything else. ``grid`` goes on from there for
the error of GELU′ and the norms L1 and L2.
``optima`` is the stored table of the best constants by every measure. That a member is the best is
proved in ``gelu_lib.certificates.best``, where ``minimax`` stands.
"""

import gelu_lib._proofs
