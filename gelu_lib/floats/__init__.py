"""What does rounding do to it: types, units in the last place, formulas, best constants of a type.

From the ground up: ``types`` (the four floating-point types and their orders), ``texts`` (a float
in each spelling), ``ulp`` (errors in units in the last place), ``formulas`` (how programs compute
the forms) over an ``arithmetic``, ``accuracy`` and ``measuring`` (how accurate that is),
``thresholds`` (where a formula loses its digits), ``agreement`` (where two forms are the same
number), ``rounded_constants`` and ``best_rounded`` (what is left of a constant in a type),
``grids``, ``cases`` and ``best_constants`` (the best constants for a case of one's own),
``integer_gelu`` (GELU without exponentials). Then kernels in float32: ``programs`` (a kernel, line
by line), ``gates`` (what is allowed at each input), ``kernel_forms`` (forms with a free
polynomial), ``kernels`` (cheap ones), ``exact_kernels`` (the same without rounding),
``refutations`` (proofs that none is cheaper), ``kernel_texts`` (in other languages), ``shipped``
(what others ship).
"""
