"""Who ships, needs, prints or says what: an atlas of frameworks, models, formulas and claims.

``frameworks`` has who computes which form with which literals, ``records`` what came out when the
frameworks were run, ``checkpoints`` which form the weights of a model were trained with, ``models``
which form each part of a model needs, and ``model_names`` which model a name means: ``form_of``.
``swaps`` has where a program computes another form than it is asked for. ``classical`` has the
approximations of Φ that the literature prints, proves how far each is off, counts what it costs,
and judges the error that its source states. ``claims`` has what is said of GELU and its constants,
with verdicts.
"""
