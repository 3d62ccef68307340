"""What the tests of the chapters share."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    """No test leaves its figures to the next one."""
    yield
    plt.close("all")
