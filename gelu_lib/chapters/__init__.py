"""One room for each notebook: its figures, its tables, its numbers. Promises nothing to others.

A room has the name of its notebook. What the rooms share: ``curves`` (figures of error curves) and
``recipes`` (how a number of the register is proved). For the tools, ``numbers`` collects the
registered numbers of all rooms.
"""
