"""The fixture ``gelu_conformance`` for pytest, which finds it wherever the library is installed.

    def test_kernel(gelu_conformance):
        gelu_conformance(kernel, "tanh", "float32")

The arguments are those of ``gelu_lib.provenance.callables.conformance.conforms``; a kernel that
is refused fails the test with the text of the report.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gelu_lib.provenance.callables.conformance import Report


@pytest.fixture(scope="session")
def gelu_conformance() -> Callable[..., Report]:
    """Fail unless a kernel of GELU conforms; the arguments are those of ``conforms``."""
    # when asked: pytest loads this module at once
    from gelu_lib.provenance.callables.conformance import conforms

    def check(*arguments: Any, **options: Any) -> Report:
        report = conforms(*arguments, **options)
        if not report.passed:
            pytest.fail(str(report), pytrace=False)
        return report

    return check
