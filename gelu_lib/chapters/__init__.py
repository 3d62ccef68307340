"""One room for each notebook: its figures, its tables, its numbers. Promises nothing to others.

A room has the name of its notebook. ``claims`` is a folder: each source has a module with its
statements. What the rooms share: ``style`` (what a figure looks like), ``curves`` (figures of error
curves), ``tables`` (numbers and tables as a page shows them), ``results`` (results as it shows
them), ``links`` (what both link to), ``marks`` (numbers in the text), ``recipes`` (how a number of
the register is proved). For the tools, ``numbers`` collects the registered numbers of all rooms,
and ``stored`` says whether the outputs of a notebook are those of its code.
"""
