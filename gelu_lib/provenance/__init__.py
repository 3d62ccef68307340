"""What is this code: which GELU a callable computes, which constant a number is, who ships what.

A callable: ``identify`` asks it for its values and compares them with the three forms. Each form
has a tolerance at each input (``tolerances``), wide enough for the usual ways to evaluate it. Where
the tolerances of two forms do not meet, no value is within both. ``inputs`` says where it is asked,
``callables`` how (arrays of NumPy, PyTorch and JAX, and callables that misbehave), ``others`` what
else it may be, ``verdicts`` what is told. ``witnesses`` proves by interval arithmetic that one
input is enough to tell the forms apart.

A kernel: ``conformance`` holds it against the correctly rounded ``vectors`` of the form that it
claims to compute, and says which float fails first; ``pytest_plugin`` does that in a test.

A number: ``literals`` reads it exactly, ``typed`` a formula to many digits, ``catalogue`` has the
constants and where they were seen, with their ``formulas`` and the ``products`` that lead to them,
``making`` says how a literal comes from a constant, ``slips`` which one a wrong literal may have
meant, ``chance`` how much a match proves, and ``lookup`` looks up.

A program: ``frameworks`` has who computes which form with which literals, ``measured`` what came
out when the frameworks were run, ``checkpoints`` which form the weights of a model were trained
with, ``models`` which form each part of a model needs, and ``model_names`` which model a name
means: ``form_of``. ``swaps`` has where a program computes another form than it is asked for.

A formula: ``classical`` has the approximations of Φ that the literature prints, proves how far each
is off, counts what it costs, and judges the error that its source states.

A statement: ``claims`` has what is said of GELU and its constants, with verdicts.

Nothing but NumPy is needed to identify a callable, to test a kernel or to look up a number.
"""
