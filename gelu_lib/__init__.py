"""The library of the GELU book: where 0.044715 and 1.702 come from, checked step by step.

Importing the package loads NumPy at most. The symbolic and plotting modules are imported by
name: ``from gelu_lib import fits``.
"""

from importlib.metadata import version

from gelu_lib.magic_numbers.search import lookup
from gelu_lib.variants.identification import identify

__version__ = version("gelu_lib")
__all__ = ["__version__", "identify", "lookup"]
