"""The book's derivations: all build, all are read by KaTeX, and no perturbed one passes."""

import dataclasses
import json
import re
from inspect import getsource, unwrap
from pathlib import Path

import pytest
from katex_at_build import TexError, render_tex
from kinds import slow_but
from sympy import Basic, Expr, Integer, Integral, Interval, Pow, Rational, S, Sum, Symbol, oo

from gelu_lib.derivations.chain import Derivation, DerivationError
from gelu_lib.derivations.deciding import NotProven, are_equal
from gelu_lib.derivations.existence import prove_defined
from gelu_lib.derivations.identities import identity
from gelu_lib.derivations.identities.catalogue import IDENTITIES, derivation
from gelu_lib.derivations.identities.phi_erf import erf_probability
from gelu_lib.derivations.rules import Limits, Rule
from gelu_lib.functions.expressions import X
from gelu_lib.register import results

ROOT = Path(__file__).parents[2]


SOME = slow_but(set(list(IDENTITIES)[::6]).__contains__, IDENTITIES)
"""Every derivation, of which one in six is looked at in every run."""


@pytest.mark.parametrize("id", IDENTITIES)
def test_a_derivation_carries_its_id_and_is_built_once(id):
    assert derivation(id).id == id
    assert derivation(id) is derivation(id)
    assert all(part.steps for part in derivation(id).parts)


@pytest.mark.parametrize("id", SOME)
def test_what_is_shown_of_a_derivation_is_read_by_katex_and_is_its_source(id):
    for tex in (derivation(id).tex, derivation(id).claim):
        assert 'class="katex' in render_tex(tex, True)
    built = derivation(id)
    assert built.builder is unwrap(IDENTITIES[id])
    assert built.source.startswith(f"@identity\ndef {id.replace('-', '_')}(")
    assert f"```python\n{built.source}```" in built._repr_markdown_()


@pytest.mark.parametrize("id", ["phi_erf", "", None])
def test_an_unknown_id_is_named_with_those_that_exist(id):
    with pytest.raises(KeyError, match=f"{id!r}.*gelu-tangent"):
        derivation(id)


def test_unknown_and_close_ids_are_told_and_katex_refuses():
    with pytest.raises(KeyError, match="did you mean 'phi-erf'"):
        derivation("phi-erff")

    def phi_erf():
        return derivation("phi-reflection")

    with pytest.raises(ValueError, match="two functions build the derivation 'phi-erf'"):
        identity(phi_erf)
    assert derivation("phi-erf").id == "phi-erf"
    with pytest.raises(TexError):
        render_tex(derivation("phi-erf").tex + "}", True)


def test_two_routes_have_the_same_ends_and_claims_for_some_values_say_so():
    one, other = derivation("phi-erf"), derivation("phi-erf-split-first")
    assert (one.start, one.end) == (other.start, other.end)
    assert one.steps != other.steps
    names = str([derivation("gaussian-half-line").all_steps]) + str(derivation("phi-erf").steps[3])
    assert "erf" not in names
    assert derivation("erf-probability").conditions == (r"x \ge 0",)
    assert derivation("family-monotone").conditions == (r"j \in \mathbb{N}", "x > 0")
    assert "q < p" in derivation("logistic-order").conditions
    assert derivation("phi-erf").conditions == ()
    every = [step for id in IDENTITIES for step in derivation(id).all_steps]
    limits = [step.reason for step in every if isinstance(step.rule, Limits)]
    assert limits and Limits().reason not in limits


# ---------------------------------------------------------------------------- what opens its source

CALL = re.compile(r'^derivation\("([a-z0-9-]+)"\)\Z', re.M)
ADDRESS = re.compile(r'<a id="equation-([a-z0-9-]+)"></a>\n\n\$\$\n\\begin\{aligned\}')


def cells():
    """The cells of code of all notebooks, each as its source and the Markdown that it shows."""
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            data = [output.get("data", {}) for output in cell.get("outputs", ())]
            shown = "".join("".join(part.get("text/markdown", "")) for part in data)
            yield "".join(cell["source"]), shown


def without_source(code: str, shown: str) -> list[str]:
    """The derivations that a cell shows, and of which no reader sees the steps that were run."""
    asked, found = CALL.findall(code), ADDRESS.findall(shown)
    opened = [id for id in found if id in IDENTITIES and getsource(IDENTITIES[id]) in shown]
    written = [id for id in found if re.search(rf'Derivation\(\s*"{id}"', code)]
    return [id for id in {*asked, *found} if id not in opened + written]


def test_a_derivation_without_its_source_is_found_and_nothing_takes_its_place():
    code, known = 'derivation("phi-erf")', derivation("phi-erf")
    alone = dataclasses.replace(known, builder=None)
    assert alone == known and alone.source == ""
    assert without_source(code, known._repr_markdown_()) == []
    assert without_source(code, alone._repr_markdown_()) == ["phi-erf"]
    assert without_source(code, "") == ["phi-erf"]
    other = dataclasses.replace(known, builder=derivation("erf-odd").builder)
    assert without_source(code, other._repr_markdown_()) == ["phi-erf"]
    written = 'phi_erf = Derivation("phi-erf", Phi(x))'
    assert without_source(written, alone._repr_markdown_()) == []
    code = compile("def of_nothing():\n    pass", "<no file>", "exec")
    exec(code, names := {})
    with pytest.raises(OSError):
        dataclasses.replace(derivation("phi-erf"), builder=names["of_nothing"])._repr_markdown_()


@pytest.mark.parametrize("variance", [Rational(1, 4), Rational(1, 3), 1, Symbol("v", real=True)])
def test_erf_is_the_probability_for_variance_one_half_alone(variance):
    # one source prints σ = 1/2, which is the variance 1/4
    with pytest.raises(DerivationError, match=r"'erf-probability', step [01]"):
        erf_probability(variance)


def perturbed(node: Basic):
    """All expressions that differ from this one in one constant: √2 → 2, ½ → 1/3, 0 → 1, …"""
    if isinstance(node, Pow) and node.args == (2, S.Half):
        yield Integer(2)
    if node in (oo, -oo):
        yield S.Zero
    elif isinstance(node, Rational):
        yield Rational(1, 3) if node == S.Half else node + 1
    for place, arg in enumerate(node.args):
        for other in perturbed(arg):
            args = [*node.args[:place], other, *node.args[place + 1 :]]
            try:
                yield node.func(*args)
            except (TypeError, ValueError):
                continue  # no expression, such as a derivative of order 1 + 1/3


def holds(rule: Rule, before: Expr, after: Expr) -> bool:
    try:
        prove_defined(after)
        rule.prove(before, after)
    except NotProven:
        return False
    return True


def steps(id):
    for part in derivation(id).parts:
        before = part.start
        for step in part.steps:
            yield step.rule, before, step.expression
            before = step.expression


def require_constants_to_matter(some):
    """Require that no step holds with another constant in what it leads to; how many were tried."""
    count = 0
    for rule, before, after in some:
        if rule.relation != "=":
            continue
        for wrong in perturbed(after):
            if not are_equal(wrong, after):
                count += 1
                assert not holds(rule, before, wrong), (rule, before, wrong)
    return count


def require_hints_to_matter(some):
    """Require that no step holds with another constant in its hint; how many were tried."""
    count = 0
    for rule, before, after in some:
        assert holds(rule, before, after)
        for field in dataclasses.fields(rule):
            value = getattr(rule, field.name)
            if not isinstance(value, Expr) or isinstance(value, Interval):
                continue
            for wrong in perturbed(value):
                count += 1
                changed = dataclasses.replace(rule, **{field.name: wrong})
                assert not holds(changed, before, after), (changed, before, after)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("id", IDENTITIES)
def test_no_step_survives_a_changed_constant(id):
    assert require_constants_to_matter(steps(id))


@pytest.mark.slow
@pytest.mark.parametrize("id", IDENTITIES)
def test_no_step_survives_a_changed_hint(id):
    require_hints_to_matter(steps(id))  # some chains have no hint


def test_symbolic_results_have_a_derivation_whose_steps_every_cell_opens():
    symbolic = {entry.id for entry in results().values() if entry.status == "symbolic"}
    assert symbolic == set(IDENTITIES)
    for id in IDENTITIES:
        assert results()[id].claim == derivation(id).claim
    asked = [id for code, _ in cells() for id in CALL.findall(code)]
    assert len(asked) > 45
    assert [id for code, shown in cells() for id in without_source(code, shown)] == []


@pytest.mark.parametrize("id", SOME)
def test_a_false_end_raises_the_error_that_names_it(id):
    whole = derivation(id)
    last = dataclasses.replace(whole.steps[-1], expression=whole.end + 1)
    with pytest.raises(DerivationError) as caught:
        Derivation(id, whole.start, (*whole.steps[:-1], last), whole.previous)
    assert caught.value.id == id
    assert caught.value.number == len(whole.all_steps)


def test_the_perturbations_reach_what_they_should_and_no_simple_step_survives_one():
    whole = derivation("phi-erf").end
    assert are_equal(whole, derivation("phi-erf").end)
    values = {round(float(e.subs(X, 1)), 6) for e in perturbed(whole)}
    exact = float(whole.subs(X, 1))
    assert len(values) >= 4 and round(exact, 6) not in values
    assert any(e.has(Sum) for e in perturbed(derivation("logistic-variance").steps[-2].expression))
    assert any(e.has(Integral) for e in perturbed(derivation("phi-erf").steps[0].expression))
    by_rule = {}
    for step in sorted(
        (step for id in IDENTITIES for step in steps(id)),
        key=lambda step: step[1].count_ops() + step[2].count_ops(),
    ):
        by_rule.setdefault(type(step[0]), []).append(step)
    simplest = [step for found in by_rule.values() for step in found[:2]]
    assert require_constants_to_matter(simplest)
    assert require_hints_to_matter(simplest)
