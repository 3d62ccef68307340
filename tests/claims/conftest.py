"""What the data say of a claim, to the test that is named by its ID."""

import pytest

from gelu_lib.provenance.atlas.claims import RIGHT, ROUNDED, claims, myths

TESTED = {claim.checked: claim for claim in [*claims().values(), *myths().values()]}


@pytest.fixture
def holds(request) -> bool:
    """Whether the claim is said to be right. One that holds for rounded numbers asks ``rounds``."""
    verdict = TESTED[request.node.name].verdict
    assert verdict != ROUNDED
    return verdict == RIGHT


@pytest.fixture
def rounds(request) -> bool:
    """Whether the claim is said to be right to the digits given."""
    verdict = TESTED[request.node.name].verdict
    assert verdict != RIGHT
    return verdict == ROUNDED
