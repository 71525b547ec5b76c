"""How results lie in memory, and how often gradients were written, as PyTorch 2.13 has it."""

from __future__ import annotations

import pytest

from chalkgrad import torch


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.sum(0),
        lambda x: x.amax(0),
        lambda x: x.std(0),
        lambda x: x.cumsum(1),
        lambda x: x.roll(1, 0),
        lambda x: 2**x,
        lambda x: x.masked_fill(x > 0, 0.0),
    ],
)
def test_reductions_and_the_like_lie_in_order(call):
    assert call(torch.rand(2, 4, 3).transpose(1, 2)).is_contiguous()


@pytest.mark.parametrize("call", [lambda x: x.sort(0)[1], lambda x: x.argsort(1), lambda x: x.msort(), lambda x: 2 - x])
def test_what_is_sorted_lies_as_it_did(call):
    assert call(torch.rand(3, 2).t()).stride() == (1, 2)


@pytest.mark.parametrize(
    ("call", "writes"),
    [
        (lambda x: x.sort()[0], 2),
        (lambda x: x.max(0)[0], 2),
        (lambda x: x.gather(0, torch.tensor([[1, 0]])), 1),
        (lambda x: x.maximum(torch.ones(2, 2)), 1),
        (lambda x: x.exp(), 0),
    ],
)
def test_a_gradient_remembers_how_it_was_filled(call, writes):
    x = torch.rand(2, 2, requires_grad=True)
    result = call(x)
    result.backward(torch.ones_like(result))
    assert x.grad._version == writes


def test_the_outputs_without_a_gradient_do_not_count():
    outputs = torch.linalg.lu(torch.eye(2, requires_grad=True))
    assert [output.output_nr for output in outputs] == [0, 0, 1]
    (outputs[1].sum() + outputs[2].sum()).backward()


def test_inference_mode_leaves_flags_alone():
    x = torch.ones(2, requires_grad=True) * 2
    with torch.inference_mode():
        x.detach_()
    assert x.requires_grad
