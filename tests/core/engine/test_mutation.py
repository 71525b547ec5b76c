"""``torch.autograd.graph.allow_mutation_on_saved_tensors``."""

from __future__ import annotations

import pytest

from chalkgrad import torch
from chalkgrad.torch.autograd.graph import allow_mutation_on_saved_tensors


def test_what_is_written_was_copied_before():
    with allow_mutation_on_saved_tensors():
        x = torch.ones(2, 3, requires_grad=True)
        y = x.clone()
        total = (y**2).sum()
        y.sin_()
        total.backward()
    assert x.grad.tolist() == [[2.0] * 3] * 2


def test_writes_through_views_and_by_itself():
    with allow_mutation_on_saved_tensors():
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        square = y * y
        y.view(2, 1).add_(1)
        y.mul_(y)
        (square + y).sum().backward()
    assert x.grad.tolist() == [20.0, 20.0]


def test_without_it_writing_is_an_error():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    square = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        square.sum().backward()


def test_only_inside_and_not_nested():
    with allow_mutation_on_saved_tensors():
        x = torch.ones(2, requires_grad=True)
        total = (x * x).sum()
        with pytest.raises(RuntimeError, match="cannot be nested"), allow_mutation_on_saved_tensors():
            pass
    with pytest.raises(AssertionError, match="Trying to backward outside"):
        total.backward()


def test_the_block_tells_what_it_keeps_and_what_it_copied():
    with allow_mutation_on_saved_tensors() as context:
        x = torch.ones(2, requires_grad=True)
        y = x.clone()
        total = (y * y).sum() + (y**2).sum()
        assert (len(context.tid_to_weakhandle), len(context.original), len(context.cloned)) == (1, 1, 0)
        y.sin_()
        y.cos_()
        assert [copy.tolist() for copy in context.cloned.values()] == [[1.0, 1.0]]
        total.backward()
        assert len(context.cloned) == 0, "what no graph needs any more is let go"
    assert x.grad.tolist() == [4.0, 4.0]
