"""A formula in one line of text."""

import pytest
from formula_text import formula_text


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\hat\Phi(x) = \sigma(c\,x)", "Φ̂(x) = σ(c x)"),
        (r"\frac{1}{1 + e^{-cx}}", "1/(1 + e^(−cx))"),
        (r"\sqrt{2/\pi}", "√(2/π)"),
        (r"\operatorname{GELU}''(x) = -x^2", "GELU′′(x) = −x²"),
        (r"\sup_{x\in\mathbb{R}}\ |x|", "sup_(x∈ℝ) ∣x∣"),
        (r"\int_0^x e^{-t^2}\,\mathrm{d}t", "∫_0^x e^(−t²) dt"),
        (r"a_1 x + a_{2n+1} x^{2n+1}", "a₁x + a_(2n+1)x²ⁿ⁺¹"),
        (r"x \cdot 0.044715\,x^3 \le \pm1", "x ⋅ 0.044715 x³ ≤ ±1"),
        (r"\begin{aligned}a &= b \\ &= c\end{aligned}", "a = b; = c;"),
        (r"\half", r"\half"),  # what cannot be read stays
    ],
)
def test_a_formula_as_text(tex, text):
    assert formula_text(tex) == text
