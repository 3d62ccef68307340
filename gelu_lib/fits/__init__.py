"""Which parameters are best, by any criterion, at any number of digits.

What may be asked: ``criteria`` (a norm, a function, a weight; the value that every search returns).
In the sup norm: ``minimax`` (the best parameters, and the check that they are), which starts from
``bands``, ``starts`` and ``tanh_starts`` (convex problems on a grid) and solves the equations of
``alternation`` or, where the error need not alternate, of ``balance``; on a bounded interval
``interval``. In the norms L1 and L2: ``integral``. The size of any error curve, sampled:
``sup_norm``. ``solving`` is Newton's method at rising precision, ``optima`` the stored table of the
best constants by every measure.
"""

import gelu_lib._proofs
