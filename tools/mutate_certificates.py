"""Weaken the proofs one edit at a time, and see that the tests notice each.

    .venv/bin/python tools/mutate_certificates.py            every mutant
    .venv/bin/python tools/mutate_certificates.py tails      those of one module, by name

A mutant is one edit of ``gelu_lib/certificates`` after which a proof would accept what is false, or
report a number that was not proved. It is applied to a copy of the library, on which the tests of
its module are run until one fails. The status is 1 if a mutant survives, or if its text is no
longer found exactly once. It takes about half an hour; continuous integration does not run it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/certificates/test_certificate_steps.py", "tests/certificates/test_certificates.py")
OWN_TESTS = {
    "zeros": ("tests/certificates/test_zeros.py", "tests/certificates/test_singularities.py"),
    "suprema": ("tests/certificates/test_suprema.py",),
    "signs": ("tests/certificates/test_least_integrals.py",),
    "integrals": ("tests/certificates/test_least_integrals.py",),
    "least_integrals": ("tests/certificates/test_least_integrals.py",),
    "certificate": (*TESTS, "tests/certificates/test_tanh_optima.py"),
    "tanh_errors": ("tests/certificates/test_tanh_optima.py",),
    "tanh_optima": ("tests/certificates/test_tanh_optima.py",),
    "merging": ("tests/certificates/test_tanh_optima.py",),
    "increasing": ("tests/certificates/test_increasing.py",),
}
"""The tests of the modules that have tests of their own; ``TESTS`` are those of the others."""

LONGEST = 900
"""The seconds after which a mutant that does not end counts as noticed."""


@dataclass(frozen=True)
class Mutant:
    """One edit, and why it weakens the proof."""

    module: str
    old: str
    new: str
    why: str

    @property
    def path(self) -> Path:
        return Path("gelu_lib", "certificates", f"{self.module}.py")

    @property
    def tests(self) -> tuple[str, ...]:
        return OWN_TESTS.get(self.module, TESTS)

    def applied(self, source: str) -> str:
        """The source with the edit.

        Raises:
            ValueError: if its text does not stand there exactly once.
        """
        if source.count(self.old) != 1:
            raise ValueError(f"{self.path} has {source.count(self.old)} times: {self.old}")
        return source.replace(self.old, self.new)


MUTANTS = (
    # --- enclosures
    Mutant(
        "enclosures",
        "comb(j, order) * terms[j]",
        "terms[j]",
        "the coefficients of a derivative lack their binomials",
    ),
    Mutant(
        "enclosures",
        "reversed(range(order, last + 1))",
        "reversed(range(order, last))",
        "the remainder of the Taylor polynomial is dropped",
    ),
    Mutant(
        "enclosures",
        "terms.append(self.taylor(piece, parameters, last + 1)[last])",
        "terms.append(self.taylor(middle, parameters, last + 1)[last])",
        "the remainder is taken in the middle alone",
    ),
    Mutant(
        "enclosures",
        "step = piece - middle",
        "step = (piece - middle) / 2",
        "half of the piece is looked at",
    ),
    Mutant(
        "enclosures",
        "terms = self.taylor(middle, parameters, last)",
        "terms = self.taylor(middle, [p.mid() for p in parameters], last)",
        "the parameters are taken for exact",
    ),
    Mutant(
        "balls",
        "return arb(left).union(arb(right))",
        "return arb(left) + (arb(right) - arb(left)) * arb(0.25, 0.25)",
        "an interval lacks its right half",
    ),
    Mutant(
        "enclosures",
        "_decimal(middle - radius, digits, ROUND_FLOOR)",
        "_decimal(middle - radius, digits, ROUND_HALF_EVEN)",
        "the lower end may be rounded up",
    ),
    Mutant(
        "enclosures",
        "_decimal(middle + radius, digits, ROUND_CEILING)",
        "_decimal(middle + radius, digits, ROUND_FLOOR)",
        "the upper end is rounded down",
    ),
    Mutant(
        "enclosures",
        "_decimal(middle + radius, digits",
        "_decimal(middle, digits",
        "the upper end is the middle",
    ),
    Mutant(
        "enclosures",
        "if value != self.upper.normalize(context):",
        "if False:",
        "a number is rounded though its digits are not decided",
    ),
    Mutant(
        "enclosures",
        "lower = self.lower / other.upper",
        "lower = self.lower / other.lower",
        "a quotient is not enclosed",
    ),
    Mutant(
        "enclosures",
        "Context(prec=digits, rounding=ROUND_CEILING)",
        "Context(prec=digits, rounding=ROUND_FLOOR)",
        "the upper end of a quotient is rounded down",
    ),
    Mutant(
        "enclosures",
        "return Enclosure(self.lower * factor, self.upper * factor)",
        "return Enclosure(self.lower * factor, self.upper)",
        "a multiple is not enclosed",
    ),
    Mutant(
        "enclosures",
        "return interval(arb(str(self.lower)), arb(str(self.upper)))",
        "return arb(str(self.lower))",
        "an interval of decimals becomes its lower end",
    ),
    Mutant(
        "enclosures",
        "return self.lower <= Decimal(value) <= self.upper",
        "return Decimal(value) <= self.upper",
        "numbers below an enclosure are said to be in it",
    ),
    Mutant(
        "enclosures",
        "if series.prec < length:",
        "if False:",
        "coefficients that were cut off are taken for 0",
    ),
    Mutant(
        "enclosures",
        "return [[arb.nan()] * length for _ in derivatives]",
        "return [[arb(0)] * length for _ in derivatives]",
        "an error that Arb does not enclose counts as 0",
    ),
    Mutant(
        "balls",
        'return f"fmpq({expr.p}, {expr.q})"',
        'return f"arb({expr.p / expr.q!r})"',
        "rational numbers are rounded to floats",
    ),
    Mutant(
        "balls",
        "sp.NumberSymbol, sp.Float, Symbol)",
        "sp.NumberSymbol, Symbol)",
        "floats of SymPy are let through to be rounded",
    ),
    Mutant(
        "balls",
        'return "arb.pi()"',
        'return "arb(3.141592653589793)"',
        "π is rounded to a float",
    ),
    # --- solutions
    Mutant(
        "solutions",
        "if all(ball.contains_interior(new)",
        "if all(ball.overlaps(new)",
        "an image that leaves the box is taken for a proof",
    ),
    Mutant(
        "solutions",
        "_, derivatives = system(box)",
        "_, derivatives = system(middle)",
        "the derivatives are taken in the middle alone",
    ),
    Mutant(
        "solutions",
        "residuals += [sign * error - level, slope]",
        "residuals += [sign * error - level, 0 * slope]",
        "a point need not be an extremum",
    ),
    Mutant(
        "solutions",
        "residuals += [sign * error - level, slope]",
        "residuals += [0 * level, slope]",
        "the error at a point need not be the claimed one",
    ),
    Mutant(
        "solutions",
        "residuals.append(gradients[0][0])",
        "residuals.append(0 * gradients[0][0])",
        "a single peak need not be stationary in the parameter",
    ),
    Mutant(
        "solutions",
        "*(2 * half_curvature * h for h in here)",
        "*(half_curvature * h for h in here)",
        "a derivative of the equations is wrong",
    ),
    Mutant(
        "solutions",
        "*(g[1] for g in gradients)",
        "*(0 * g[1] for g in gradients)",
        "another derivative of the equations is wrong",
    ),
    Mutant(
        "solutions",
        "rows.append([jets[2][0], arb(0), gradients[0][1]])",
        "rows.append([jets[2][0], arb(0), 2 * gradients[0][1]])",
        "a derivative of the equation of a single peak is wrong",
    ),
    Mutant(
        "solutions",
        "box = [ball.intersection(new) for ball, new in zip(box, image, strict=True)]",
        "box = [arb(new.mid(), new.rad() / 2**20) for ball, new in zip(box, image, strict=True)]",
        "the refined box is narrower than what was proved",
    ),
    # --- pieces
    Mutant(
        "pieces",
        "return bool(abs(curve.enclose(piece, parameters)) < level)",
        "return bool(abs(curve.enclose(piece.mid(), parameters)) < level)",
        "the error is bounded in the middle of a piece alone",
    ),
    Mutant(
        "pieces",
        "return bool(abs(curve.enclose(piece, parameters)) < level)",
        "return not abs(curve.enclose(piece, parameters)) > level",
        "what is undecided counts as shown",
    ),
    Mutant(
        "pieces",
        "return bool(abs(curve.enclose(piece, parameters)) < level)",
        "return bool(curve.enclose(piece, parameters) < level)",
        "a large negative error counts as small",
    ),
    Mutant(
        "pieces",
        "waiting += [(middle, right), (left, middle)]",
        "waiting += [(left, middle)]",
        "the right half of a piece is forgotten",
    ),
    Mutant(
        "pieces",
        "            return pieces, piece\n",
        "            pieces.append((left, right))\n",
        "the smallest pieces count as shown",
    ),
    Mutant(
        "pieces",
        "gaps = list(pairwise(ends))[::2]",
        "gaps = list(pairwise(ends))[::2][:-1]",
        "nothing is shown between the last peak and the tail",
    ),
    Mutant(
        "pieces",
        "gaps = list(pairwise(ends))[::2]",
        "gaps = list(pairwise(ends))[2::2]",
        "nothing is shown between 0 and the first peak",
    ),
    Mutant(
        "pieces",
        "piece.contains_interior(place)",
        "True",
        "a neighbourhood need not hold its peak",
    ),
    Mutant(
        "pieces",
        "and sign * curve.enclose(piece, parameters, 2) < 0",
        "and True",
        "the error need not curve like a peak",
    ),
    Mutant(
        "pieces",
        "and sign * curve.enclose(piece, parameters, 2) < 0",
        "and sign * curve.enclose(place, parameters, 2) < 0",
        "the curvature is looked at in the peak alone",
    ),
    Mutant(
        "pieces",
        "and sign * curve.enclose(piece, parameters, 2) < 0",
        "and curve.enclose(piece, parameters, 2) != 0",
        "the sign of the curvature does not count",
    ),
    Mutant(
        "pieces",
        "and -sign * curve.enclose(piece, parameters) < level",
        "and True",
        "near a peak the error may be large on the other side",
    ),
    Mutant(
        "pieces",
        "lambda piece: bool(sign * curve.enclose(piece, parameters, order) > 0)",
        "lambda piece: not sign * curve.enclose(piece, parameters, order) < 0",
        "a piece counts on which the sign is not known",
    ),
    Mutant(
        "pieces",
        "        near = interval(left, left + width)\n",
        "        near = arb(left)\n",
        "the sign near a zero is that of the first coefficient in the zero alone",
    ),
    # --- tails
    Mutant(
        "tails",
        '    _require_not_negative(slope, x, "P′")\n',
        "",
        "P may fall beyond the end",
    ),
    Mutant(
        "tails",
        "if not all(coefficient >= 0 for coefficient in shifted.coeffs()):",
        "if any(coefficient < 0 for coefficient in shifted.coeffs()):",
        "a coefficient of unknown sign counts as positive",
    ),
    Mutant(
        "tails",
        "if not all(coefficient >= 0 for coefficient in shifted.coeffs()):",
        "if not polynomial(x) >= 0:",
        "the polynomial is looked at in the end alone",
    ),
    Mutant(
        "tails",
        "if not x >= 1:",
        "if False:",
        "xφ(x) and xΦ(−x) may rise",
    ),
    Mutant(
        "tails",
        "_require_not_negative(share * run - 1, x",
        "_require_not_negative(run - 1, x",
        "the factor σ(P) is dropped",
    ),
    Mutant(
        "tails",
        '    _require_not_negative(share * run - 1, x, "x·P′·σ(P) − 1")\n',
        "",
        "xσ(−P) may rise",
    ),
    Mutant(
        "tails",
        '    _require_not_negative(steady, x, "x·P′²·σ(P) − P′ − x·P″")\n',
        "",
        "xP′σ(−P) may rise",
    ),
    Mutant(
        "tails",
        "steady = share * run * slope - run.derivative()",
        "steady = run * slope - run.derivative()",
        "the factor σ(P) is dropped in the last hypothesis",
    ),
    Mutant(
        "tails",
        "steady = share * run * slope - run.derivative()",
        "steady = share * run * slope - slope",
        "xP″ is dropped in the last hypothesis",
    ),
    Mutant(
        "tails",
        "return weight_at(curve, x) * normal(-x).max(logistic(-p(x)))",
        "return weight_at(curve, x) * normal(-x).min(logistic(-p(x)))",
        "the smaller of the two terms bounds the error of Φ",
    ),
    Mutant(
        "tails",
        "return weight_at(curve, x) * x * normal(-x).max(logistic(-p(x)))",
        "return weight_at(curve, x) * normal(-x).max(logistic(-p(x)))",
        "the bound for GELU lacks its factor x",
    ),
    Mutant(
        "tails",
        "(x * density(x)).max(run(x) * logistic(-p(x)))",
        "run(x) * logistic(-p(x))",
        "the bound for GELU′ lacks the term of Φ",
    ),
    Mutant(
        "tails",
        "return weight_at(curve, x) * (x * density(x)).max(",
        "return (x * density(x)).max(",
        "the bound for GELU′ lacks the weight, which may be above 1",
    ),
    Mutant(
        "tails",
        "if not sp.diff(curve.weight.xreplace({X: x}), x).is_nonpositive:",
        "if sp.diff(curve.weight.xreplace({X: x}), x).is_positive:",
        "a weight that is not known to fall counts as one that falls",
    ),
    Mutant(
        "tails",
        "        if bound < level:\n",
        "        if bound > 0:\n",
        "the tail may exceed the level",
    ),
    # --- optimality
    Mutant(
        "optimality",
        "if len(factors) != 1 or not factors.pop().is_positive:",
        "if False:",
        "every error counts as comparable",
    ),
    Mutant(
        "optimality",
        "if len(factors) != 1 or not factors.pop().is_positive:",
        "if len(factors) != 1:",
        "the factor g may be negative",
    ),
    Mutant(
        "optimality",
        "if len(signs) != len(equations.problem.free) + 1:",
        "if False:",
        "the error need not alternate often enough",
    ),
    Mutant(
        "optimality",
        "if any(a != -b for a, b in pairwise(signs)):",
        "if False:",
        "the signs need not alternate",
    ),
    Mutant(
        "optimality",
        "if not all(a < b for a, b in pairwise([arb(0), *places])):",
        "if False:",
        "the points need not follow one another",
    ),
    Mutant(
        "optimality",
        "if not all(wide.contains(p) for wide, p in zip(band, box, strict=False)):",
        "if False:",
        "the band need not hold the solution",
    ),
    Mutant(
        "optimality",
        "        if balances(equations, box, band):\n",
        "        if True:\n",
        "the peaks need not balance",
    ),
    Mutant(
        "optimality",
        "return bool(bend(equations, box, band[0]) > 0)",
        "return bool(bend(equations, box, box[0]) > 0)",
        "a single peak is looked at near the solution alone",
    ),
    Mutant(
        "optimality",
        "return bool(bend(equations, box, band[0]) > 0)",
        "return bool(bend(equations, box, band[0]) != 0)",
        "a single peak may be highest at the solution",
    ),
    Mutant(
        "optimality",
        "for g in gradient(equations, x, band)]",
        "for g in gradient(equations, x, box[: len(band)])]",
        "the gradients are taken near the solution alone",
    ),
    Mutant(
        "optimality",
        "rows = [[sign * g for g in",
        "rows = [[g for g in",
        "the gradients lack the signs of their peaks",
    ),
    Mutant(
        "optimality",
        "return all(m > 0 for m in multipliers) or all(m < 0 for m in multipliers)",
        "return not any(m < 0 for m in multipliers) or not any(m > 0 for m in multipliers)",
        "multipliers of unknown sign count as positive",
    ),
    Mutant(
        "optimality",
        "return [(-1) ** i * arb_mat(",
        "return [arb_mat(",
        "the cofactors lack their signs",
    ),
    Mutant(
        "optimality",
        "if not height(equations, box, list(part)) > level:",
        "if height(equations, box, list(part)) < level:",
        "a part is left out if its errors are not shown to be small",
    ),
    Mutant(
        "optimality",
        "hull = [a.union(b) for a, b in zip(hull, part, strict=True)]",
        "hull = list(part)",
        "only the last part is kept",
    ),
    Mutant(
        "optimality",
        "for j in range(PARTS + 1)]",
        "for j in range(PARTS)]",
        "the last part of a band is forgotten",
    ),
    Mutant(
        "optimality",
        "return [a.union(b) for a, b in pairwise(ends)]",
        "return [(a + b) / 2 for a, b in pairwise(ends)]",
        "the parts of a band are points",
    ),
    Mutant(
        "optimality",
        "return abs(value + sum((g * (p - m) for g, p, m in steps), arb(0)))",
        "return abs(value)",
        "the error is that in the middle of a part",
    ),
    Mutant(
        "optimality",
        "changes = gradient(equations, place, part)",
        "changes = gradient(equations, place, middle)",
        "the mean value theorem is used with the gradient in the middle",
    ),
    Mutant(
        "optimality",
        "+ 2 * change[1] * path +",
        "+",
        "the mixed term of the second derivative is dropped",
    ),
    # --- bounds
    Mutant(
        "bounds",
        "arb(0, slack.abs_upper())",
        "arb(0, slack.abs_upper() / 2)",
        "the box of the parameters belongs to half the error",
    ),
    Mutant(
        "bounds",
        "slack = error / weight_at(bounds.curve, x) /",
        "slack = error /",
        "the box of the parameters lacks the weight",
    ),
    # --- certificate
    Mutant(
        "certificate",
        "    box = prove_solution(equations, box)\n",
        "    box = list(box)\n",
        "the equations need not have a solution",
    ),
    Mutant(
        "certificate",
        "level = equations.level(box).lower()",
        "level = equations.level(box).upper()",
        "the error may exceed the level by what is not known of it",
    ),
    Mutant(
        "certificate",
        "end, tail = prove_tail(curve, parameters, level, after)",
        "end, tail = 6.0, level",
        "nothing is shown of the tail",
    ),
    Mutant(
        "certificate",
        "end, tail = prove_form_tail(equations, box, level, after)",
        "end, tail = 8.0, level",
        "nothing is shown of the tail of a form of tanh",
    ),
    Mutant(
        "certificate",
        "    prove_coefficients(equations, box)\n",
        "",
        "a form of tanh with other coefficients may be better",
    ),
    Mutant(
        "certificate",
        "        prove_scale(equations, box)\n",
        "        pass\n",
        "a form of tanh with another scale may be better",
    ),
    Mutant(
        "certificate",
        "return peaks, prove_bound(curve, parameters, peaks, level, end), end, tail",
        "return peaks, [], end, tail",
        "nothing is shown between the peaks",
    ),
    Mutant(
        "certificate",
        "peaks = [prove_peak(curve, parameters, x, sign, level) for x, sign in pairs]",
        "peaks = [Peak(x, s, (float(x.mid()) * 0.9, float(x.mid()) * 1.1)) for x, s in pairs]",
        "nothing is shown near the peaks",
    ),
    Mutant(
        "certificate",
        "return prove_optimality(equations, box)",
        'return "alternation-any-degree"',
        "other parameters may be better",
    ),
    Mutant(
        "certificate",
        'if best.criterion.norm != "sup":',
        "if False:",
        "a best approximation in the mean is said to be proved",
    ),
    Mutant(
        "certificate",
        "if not _claimed(best.parameters[symbol.name], best.digits).overlaps(number(exact)):",
        "if False:",
        "a claim with another value of a fixed parameter is accepted",
    ),
    Mutant(
        "certificate",
        "error=ends[count],",
        "error=ends[0],",
        "a parameter is reported as the error",
    ),
    # --- sup_errors
    Mutant(
        "sup_errors",
        "end, tail = prove_tail(curve, numbers, level, peaks[-1].neighbourhood[1])",
        "end, tail = max(6.0, peaks[-1].neighbourhood[1]), level",
        "nothing is shown of the tail",
    ),
    Mutant(
        "sup_errors",
        "pieces = prove_bound(curve, numbers, peaks, level, end)",
        "pieces = [(0.0, end)]",
        "a higher peak that was missed is not found",
    ),
    Mutant(
        "sup_errors",
        "abs(height).lower() for height in heights",
        "abs(height).upper() + 1 for height in heights",
        "the level lies above the highest peak",
    ),
    Mutant(
        "sup_errors",
        "end, _ = prove_tail(curve, numbers, ball)",
        "end = 6.0",
        "a bound need not hold in the tail",
    ),
    Mutant(
        "sup_errors",
        "return tuple(prove_bound(curve, numbers, [], ball, end))",
        "return ((0.0, end),)",
        "a bound need not hold at all",
    ),
    Mutant(
        "sup_errors",
        "numbers, ball = [number(value) for value in values.values()], number(level)",
        "numbers, ball = [number(value) for value in values.values()], number(level) * 1.001",
        "a bound is shown that is larger than the given one",
    ),
    Mutant(
        "sup_errors",
        "        numbers = [number(value) for value in values.values()]\n",
        "        numbers = [arb(float(value)) for value in values.values()]\n",
        "the parameters are rounded to floats",
    ),
    Mutant(
        "sup_errors",
        "    curve = ErrorCurve(form.family, of, weight)\n    with",
        "    curve = ErrorCurve(form.family, of)\n    with",
        "a bound is shown without the weight",
    ),
    # --- zeros
    Mutant(
        "zeros",
        "if not quotient.real > 0:",
        "if quotient.real < 0:",
        "an arc counts on which the quotient may leave the half-plane",
    ),
    Mutant(
        "zeros",
        "quotient = function(_on_circle(radius, interval(arb(left), arb(right)))) / start",
        "quotient = function(_on_circle(radius, arb(right))) / start",
        "an arc is known by its ends alone",
    ),
    Mutant(
        "zeros",
        "if not box.contains_interior(image):",
        "if not box.overlaps(image):",
        "a zero is shown where it only may be",
    ),
    Mutant(
        "zeros",
        "return middle - function(middle) / derivative(box)",
        "return middle - function(middle) / derivative(middle)",
        "the derivative is taken at one point",
    ),
    # --- suprema
    Mutant(
        "suprema",
        "        prove_below(curve, (), abs(height).lower(), start, near)\n    return size",
        "    return size",
        "a function may be larger before its end",
    ),
    Mutant(
        "suprema",
        "        prove_sign(curve, (), 1 if height > 0 else -1, near, end, order=1)\n",
        "",
        "a function may fall towards its end",
    ),
    Mutant(
        "suprema",
        "pieces += prove_below(curve, (), level, right, end)",
        "pieces += [(right, end)]",
        "a function may be larger right of its peak",
    ),
    # --- signs
    Mutant(
        "signs",
        "+ (2 if kept else 0)",
        "+ 2",
        "the first coefficient at 0 is passed over",
    ),
    Mutant(
        "signs",
        "piece.contains_interior(zero) and -before",
        "-before",
        "the error need not cross where it is said to",
    ),
    Mutant(
        "signs",
        "and distance > 0 and rises and steep",
        "and rises and steep",
        "the two tails are not compared at the end",
    ),
    Mutant(
        "signs",
        "and distance > 0 and rises and steep",
        "and distance > 0 and steep",
        "the tails are compared at the end alone",
    ),
    # --- integrals
    Mutant(
        "integrals",
        "p.derivative()(x).min(x)",
        "p.derivative()(x).max(x)",
        "the faster of two rates is taken",
    ),
    Mutant(
        "integrals",
        "(-p(x)).exp().max(density(x))",
        "(-p(x)).exp().min(density(x))",
        "the smaller of two tails is taken",
    ),
    Mutant(
        "integrals",
        "if not end.is_exact():",
        "if False:",
        "an integral ends in the middle of its end",
    ),
    Mutant(
        "integrals",
        "if not all(coefficient >= 0 for coefficient in p(arb_poly([x, 1])).coeffs()):",
        "if False:",
        "the polynomial may fall",
    ),
    Mutant(
        "integrals",
        "return (n + 1) * power + x * power * p.derivative() + (x if first else 0)",
        "return (n + 1) * power",
        "the bound of GELU′ lacks the slope",
    ),
    Mutant(
        "integrals",
        "if bound < negligible:",
        "if True:",
        "the rest of an integral is left out whatever its size",
    ),
    # --- least_integrals
    Mutant(
        "least_integrals",
        "*(2 * (-1) ** i * at.weight * at.tilts[j] for i, at in enumerate(crossings)),",
        "*((-1) ** i * at.weight * at.tilts[j] for i, at in enumerate(crossings)),",
        "the equations are differentiated wrongly by the zeros",
    ),
    Mutant(
        "least_integrals",
        "        prove_signs(self.problem, parameters, places, first)\n",
        "",
        "the error may change its sign elsewhere",
    ),
    Mutant(
        "least_integrals",
        "        norm.prove_convex(around)\n",
        "",
        "a stationary point need be no minimum",
    ),
    Mutant(
        "least_integrals",
        ".det() > 0:",
        ".det() != 0:",
        "a saddle passes for a minimum",
    ),
    Mutant(
        "least_integrals",
        "if ball.contains_interior(image):",
        "if ball.overlaps(image):",
        "a ball need not hold the zeros for all parameters",
    ),
    Mutant(
        "least_integrals",
        "return 2 * abs(self._signed(unknowns, ()))",
        "return abs(self._signed(unknowns, ()))",
        "half of the line is forgotten",
    ),
    # --- tanh_errors
    Mutant(
        "tanh_errors",
        "if not away < level:",
        "if False:",
        "the error may be larger far out",
    ),
    Mutant(
        "tanh_errors",
        "kept = all(c <= 0 for c in beyond)",
        "kept = True",
        "the limit may be passed from below",
    ),
    Mutant(
        "tanh_errors",
        "least > 2 * density(end) and end >= 2 * s",
        "end >= 2 * s",
        "the limit may be passed where Φ is the larger",
    ),
    Mutant(
        "tanh_errors",
        "if not (all(m > 0 for m in signed) or all(m < 0 for m in signed)):",
        "if not signed:",
        "other coefficients may be as good",
    ),
    Mutant(
        "tanh_errors",
        "for first in range(len(places) - count + 1):",
        "for first in range(1):",
        "the last run of points may not alternate with the multipliers",
    ),
    # --- tanh_optima
    Mutant(
        "tanh_optima",
        "if sorted(trends) != [-1, 1]:",
        "if 0 in trends:",
        "both bounds may rise",
    ),
    Mutant(
        "tanh_optima",
        "    _prove_close(equations, box, ends[1], ends[2])\n",
        "",
        "the scales close by are left out",
    ),
    Mutant(
        "tanh_optima",
        "    _prove_middle(equations, box, ends[0], ends[1])\n",
        "",
        "the smaller scales are left out",
    ),
    Mutant(
        "tanh_optima",
        "    _prove_middle(equations, box, ends[2], ends[3])\n",
        "",
        "the greater scales are left out",
    ),
    Mutant(
        "tanh_optima",
        "arb(value) + slope * (scale - middle) for",
        "arb(value) + 0 * slope for",
        "the bound is that of the middle of a piece",
    ),
    Mutant(
        "tanh_optima",
        "sum((w.abs_upper() for w in weights), arb(0))",
        "sum((w.abs_lower() for w in weights), arb(0))",
        "the multipliers are taken too small",
    ),
    Mutant(
        "tanh_optima",
        "extreme = arb(0) if below else arb(0.5)",
        "extreme = normal(-arb(x))",
        "the scales beyond an end are taken for the end",
    ),
    Mutant(
        "tanh_optima",
        "t = interval((lowest * x).tanh(), 1)",
        "t = (lowest * x).tanh()",
        "tanh is taken at the highest scale alone",
    ),
    Mutant(
        "tanh_optima",
        "if not abs(rows[-1][-1]) - rest > equations.level(box) * (1 + sum(shares)):",
        "if not abs(rows[-1][-1]) > equations.level(box):",
        "the other multipliers are forgotten",
    ),
    # --- merging
    Mutant(
        "merging",
        "if not all(weight > 0 for weight in weights):",
        "if False:",
        "the weights may be negative",
    ),
    Mutant(
        "merging",
        "-last * drop / (2 * count * (count + 1))",
        "-last * drop / (count * (count + 1))",
        "the rate is doubled",
    ),
    # --- increasing
    Mutant(
        "increasing",
        "if not (all(m > 0 for m in found) or all(m < 0 for m in found)):",
        "if not found:",
        "other polynomials may be as good",
    ),
    Mutant(
        "increasing",
        "    prove_bound(CURVE, parameters, peaks, level, end)\n",
        "",
        "the error may be larger between its peaks",
    ),
    Mutant(
        "increasing",
        "if not all(value > 0 for value in box[:4]):",
        "if False:",
        "the polynomial may fall",
    ),
)


def main(names: list[str]) -> int:
    chosen = [mutant for mutant in MUTANTS if not names or mutant.module in names]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copied(copy)
        if not all(tests_pass(copy, tests) for tests in {mutant.tests for mutant in chosen}):
            print("the tests fail without a mutant")
            return 1
        outcomes = [outcome(copy, mutant) for mutant in chosen]
    print({kind: outcomes.count(kind) for kind in sorted(set(outcomes))})
    return int(set(outcomes) != {"caught"})


def copied(folder: Path) -> None:
    """Copy the library and its tests of certificates to a folder."""
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "gelu_lib", folder / "gelu_lib", ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tests" / "certificates").mkdir(parents=True)
    shutil.copytree(ROOT / "tests" / "shared", folder / "tests" / "shared", ignore=left_out)
    for test in {test for mutant in MUTANTS for test in mutant.tests}:
        shutil.copy(ROOT / test, folder / test)


def outcome(folder: Path, mutant: Mutant) -> str:
    """Whether the tests notice a mutant: ``caught``, ``survived`` or ``not applied``."""
    path = folder / mutant.path
    source = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.applied(source), encoding="utf-8")
        found = "survived" if tests_pass(folder, mutant.tests) else "caught"
    except ValueError as problem:
        found = "not applied"
        print(problem)
    finally:
        path.write_text(source, encoding="utf-8")
    print(f"{found:11} {mutant.module:12} {mutant.why}", flush=True)
    return found


def tests_pass(folder: Path, tests: tuple[str, ...]) -> bool:
    """Whether the tests of the ordinary run pass in a folder; they stop at the first that fails."""
    ordinary = ["-o", "addopts=", "-m", "not slow"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *ordinary, *tests]
    # without bytecode, which is not renewed for two edits within a second
    settings = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            [*command, "-p", "no:cacheprovider"],
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if run.returncode not in (0, 1):  # interrupted, or no test was found
        raise RuntimeError(run.stdout.decode() + run.stderr.decode())
    return run.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
