"""The precision of a proof, for the files whose tests use it."""

import pytest
from flint import ctx


@pytest.fixture
def proof_precision():
    with ctx.workprec(128):
        yield
