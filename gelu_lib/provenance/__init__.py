"""What is this code: which GELU a callable computes, which constant a number is, who ships what.

Three folders, one for each question: ``callables`` (which form a callable computes, and whether it
keeps its promise), ``literals`` (what is a number that stands in a program), ``atlas`` (who ships,
needs, prints or says what). ``place`` says where a statement was read.

Nothing but NumPy is needed to identify a callable, to test a kernel or to look up a number.
"""
