"""Accidents that random search tells from differences: what is one, and what looks like it and is not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from support.accidents import correlates_equals, gelu_of_infinity, memory_at, turns_far, zero_instead_of_nan
from support.known_differences import explained
from support.live import check_alike
from support.outcomes import first_difference
from support.values import zeros_signed_apart

from chalkgrad import torch as ours

INF, NAN = np.inf, np.nan


def test_correlations_of_equal_numbers():
    equal, others = np.array([[1.3, 1.3, 1.3], [1.0, 2.0, 4.0]]), np.array([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0]])
    assert correlates_equals("v1 = v0.corrcoef()", [equal])
    assert not correlates_equals("v1 = v0.corrcoef()", [others])
    assert not correlates_equals("v1 = v0.cov()", [equal])
    assert explained("value of equals of # | corrcoef")
    assert not explained("value of # | corrcoef")


def test_what_gelu_makes_of_infinity():
    line, values = "v1 = torch.nn.functional.gelu(v0)", [np.array([INF, 1.0])]
    assert gelu_of_infinity(line, values, np.array([INF, 0.8413]), np.array([NAN, 0.8413]))
    assert not gelu_of_infinity(line, values, np.array([INF, 0.7]), np.array([NAN, 0.8413]))
    assert not gelu_of_infinity(line, [np.array([2.0, 1.0])], np.array([1.9, 0.8413]), np.array([NAN, 0.8413]))
    assert not gelu_of_infinity("v1 = v0.exp()", values, np.array([INF, 0.8413]), np.array([NAN, 0.8413]))


def test_zeros_without_memory_share_it_with_nothing():
    zeros, others = torch._efficientzerotensor(2), torch._efficientzerotensor(2)
    assert memory_at(zeros) != memory_at(others)
    whole = torch.ones(2)
    assert memory_at(whole) == memory_at(whole[1:])


def test_the_sign_of_a_zero_to_which_a_product_was_added():
    plus, minus = torch.tensor([0.0, -1.0]), torch.tensor([-0.0, -1.0])
    assert zeros_signed_apart("v1 = torch.addmm(v0, v2, v3)", {"v1": plus}, {"v1": minus})
    assert not zeros_signed_apart("v1 = torch.addr(v0, v2, v3)", {"v1": plus}, {"v1": minus})


def test_histograms_of_rounded_numbers():
    assert explained("value of rounded of # | histogram")
    assert not explained("value of # | histogram")
    text = "RuntimeError: torch.histogramdd: dimension #'s range [{}] is not finite"
    assert explained(f"error | histogram | {text.format('nan, nan')} | {text.format('-nan, -nan')}")
    assert not explained(f"error | histogram | {text.format('nan, nan')} | {text.format('inf, inf')}")


def test_a_quotient_of_what_cancelled_written_over_it():
    lines = ["v0 = torch.tensor([1.0, 2.0]) * (1e-8 if torch.__name__ == 'torch' else 0)", "v0.div_(v0)"]
    found = first_difference(ours, torch, lines)
    assert found is not None
    assert explained(found.signature)
    wrong = ["v0 = torch.tensor([1.0, 2.0])", "v0.div_(2 if torch.__name__ == 'torch' else 3)"]
    found = first_difference(ours, torch, wrong)
    assert found is not None
    assert not explained(found.signature)


def test_what_was_written_before_an_index_for_which_there_is_nothing():
    beyond = "IndexError: out of range: tried to access index # on a tensor of # elements."
    assert explained(f"value of rounded of # | put_ tensor int# | {beyond}")
    assert not explained("value of rounded of # | put_ tensor int#")


def test_zeros_without_memory_that_are_multiplied_by_nan():
    assert zero_instead_of_nan(np.array([NAN, 2.0]), np.array([0.0, 2.0]))
    assert not zero_instead_of_nan(np.array([NAN, 2.0]), np.array([1.0, 2.0]))
    assert not zero_instead_of_nan(np.array([NAN, 2.0]), np.array([0.0, 3.0]))
    assert not zero_instead_of_nan(np.array([0.0, 2.0]), np.array([NAN, 2.0]))
    lines = ["v0 = torch.tensor([-1.0, 4.0], requires_grad=True)", "v1 = v0 ** 0.5", "v1.sgn_()", "v1.sum().backward()"]
    check_alike(lines, accidents=True)
    with pytest.raises(AssertionError, match="grad beside zeros of v0 is"):
        check_alike(lines)


def test_a_sine_of_a_large_number():
    large, small = np.array([6000.0], np.float32), np.array([6.0], np.float32)
    assert turns_far("v1 = v0.sin()", [large])
    assert not turns_far("v1 = v0.sin()", [small])
    assert not turns_far("v1 = v0.sin()", [large.astype(np.float64)])
    assert not turns_far("v1 = v0.tanh()", [large])
    assert explained("value of far turns of # | sin")
    assert not explained("value of rounded of # | sin")
