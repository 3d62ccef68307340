"""What is a number that stands in a program: which constant, and how it was written down.

``literal`` reads it exactly, ``bit_words`` a word of bits that is no float, ``formula_input`` a
formula to many digits, ``catalogue`` has the
constants and where they were seen, with their ``formulas`` and the ``products`` that lead to them,
``origin`` says how a literal comes from a constant, ``slips`` which one a wrong literal may have
meant, ``values`` which functions have it as a value, ``chance`` how much a match proves, and
``lookup`` looks up.
"""
