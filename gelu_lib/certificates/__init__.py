"""Is it proved: enclosures, suprema, optimality, by interval arithmetic.

What is returned is proved as far as python-flint with its library Arb, and SymPy with its rules of
signs, are right. A proof may fail, and says where.

A best approximation is proved in this order: ``errors`` (the steps, and how a failure is told),
``balls`` (expressions as functions of intervals), ``enclosures`` (numbers between decimals, error
curves), ``solutions`` (the equations have one solution), ``pieces`` (the error on a bounded
interval), ``tails`` (the error beyond), ``theorem`` (no other parameters are as good),
``certificate`` and ``sup_errors`` (the whole). For a form made of tanh, ``tanh_errors`` has the
error beyond, and with ``tanh_optima`` that no other parameters are as good; ``merging`` has what it
costs when its scales move apart. Where the constants are finitely many, or the
interval is bounded: ``bounds`` (what none can undercut) and ``search`` (among boxes).

Who decides that an enclosure is narrow enough: ``balls.decided`` asks again with more bits,
``solutions.refine`` narrows a box, ``pieces`` halves an interval, and ``Enclosure.rounded`` gives
no digit that is not decided.

Other questions: ``suprema`` with ``decay`` (the largest size of any function), ``positive`` (a
sign), ``roots`` and ``zeros`` (of real and of complex functions), ``left_tail`` and
``tail_ratios`` (Mills' ratio, and what the forms make of it), ``least_integrals`` with ``signs``
and ``integrals`` (the L1 and the L2 norm), ``increasing`` (degree 7, if it must not fall).
"""

import gelu_lib._proofs
