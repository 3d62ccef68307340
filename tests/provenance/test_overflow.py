"""A kernel that overflows within float16 is noticed with the inputs that are asked by default."""

import numpy as np
import pytest

from gelu_lib import identify

SLOPE, CUBIC = np.float16(np.sqrt(2 / np.pi)), np.float16(0.044715)


def argument(x):
    return SLOPE * (x + CUBIC * (x * x * x))


def cube_first(x):
    return x / 2 * (1 + np.tanh(argument(x)))


def by_a_quotient(x):
    e = np.exp(2 * argument(x))
    return x / 2 * (1 + (e - 1) / (e + 1))


def cube_and_back(x):
    u = argument(x)
    return x / 2 * (1 + np.tanh(u)) + (u - u)


def test_a_cube_that_overflows_inside_tanh_does_no_harm():
    assert identify(cube_first, "float16").candidates != ()


@pytest.mark.parametrize(("kernel", "least"), [(by_a_quotient, 4.03), (cube_and_back, 40.3)])
def test_a_kernel_that_overflows_is_none_of_the_forms(kernel, least):
    verdict = identify(kernel, "float16")
    assert verdict.outcome == "none" and np.isinf(verdict.farthest["tanh"])
    assert identify(kernel, "float16", low=-least, high=least).candidates != ()
