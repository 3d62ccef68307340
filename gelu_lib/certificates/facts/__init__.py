"""Single facts that chapters state: Mills’ ratio, singularities, merging scales, signs, gates."""
