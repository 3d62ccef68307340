"""Single facts that chapters state: Mills' ratio, singularities, merging scales, a sign."""

from gelu_lib._extras import need

need("flint")
