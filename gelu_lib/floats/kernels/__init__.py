"""Kernels of GELU in float32: what they compute, how good they are, and that none is cheaper.

``programs`` (a kernel, line by line), ``kernel_forms`` (forms with a free polynomial), ``judging``
(the cheap kernels of the data, at every input), ``exact`` (the same without rounding),
``refutations`` (proofs that none is cheaper), ``texts`` (in other languages), ``shipped`` (what
others ship).
"""
