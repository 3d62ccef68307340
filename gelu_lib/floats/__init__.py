"""What does rounding do to it: types, units in the last place, formulas, best constants of a type.

From the ground up: ``types`` (the four floating-point types and their orders), ``texts`` (a float
in each spelling), ``ulp`` (errors in units in the last place), ``formulas`` (how programs compute
the forms) over an ``arithmetic``, ``accuracy`` and ``measuring`` (how accurate that is),
``thresholds`` (where a formula loses its digits), ``agreement`` (where two forms are the same
number), ``rounded_constants`` and ``best_rounded`` (what is left of a constant in a type),
``grids``, ``cases`` and ``best_constants`` (the best constants for a case of one's own), ``laws``,
``mean_squares`` and ``rounded_means`` (the same under a law of the inputs), ``coded_types`` and
``tables`` (integers with a scale, float8, and what is right in them), ``integer_gelu`` (GELU
without exponentials), ``gates`` (what is allowed at each input), and a room of their own for
``kernels``.
"""
