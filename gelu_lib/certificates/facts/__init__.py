"""Single facts that chapters state: Mills’ ratio, singularities, merging scales, signs, gates."""

from gelu_lib._extras import need

need("flint")
