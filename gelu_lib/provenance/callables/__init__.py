"""Which form does a callable compute, and does a kernel keep the promise of its name.

``identify`` asks a callable for its values and compares them with the three forms. Each form has a
tolerance at each input (``tolerances``), wide enough for the usual ways to evaluate it. Where the
tolerances of two forms do not meet, no value is within both. ``inputs`` says where it is asked,
``asking`` how (arrays of NumPy, PyTorch and JAX, and callables that misbehave), ``lookalikes`` what
else it may be, ``inside`` what stands inside a form, ``verdicts`` what is told. ``witnesses``
proves by interval arithmetic that one input is enough to tell the forms apart.

``conformance`` holds a kernel against the correctly rounded ``vectors`` of the form that it claims
to compute, and ``reports`` which float fails first. ``caller`` runs one of a shared library.
``coded`` does both for integers, fixed point and float8, of which every code can be asked.
"""
