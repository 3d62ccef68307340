"""What every proof is made of: balls, enclosures, solutions, pieces, roots, tails."""

from gelu_lib._extras import need

need("flint")
