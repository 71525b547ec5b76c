"""Graphs and backwards that are deeper than Python's calls may be."""

from __future__ import annotations

import sys

import pytest

from chalkgrad import torch

DEEP = 200_000


@pytest.mark.parametrize("step", [lambda y: y * 1.0, lambda y: y.neg()])
def test_a_long_chain(step):
    assert sys.getrecursionlimit() < 10_000
    x = torch.tensor([2.0], requires_grad=True)
    y = x
    for _ in range(DEEP):
        y = step(y)
    assert "grad_fn=<" in repr(y)
    y.backward(retain_graph=True)
    assert x.grad.tolist() == [1.0]
    (g,) = torch.autograd.grad(y, x)
    assert g.tolist() == [1.0]
    del y


class Nested(torch.autograd.Function):
    """Starts another backward in its own, ``depth`` times."""

    @staticmethod
    def forward(ctx, x, depth):
        ctx.depth = depth
        return x * 1

    @staticmethod
    def backward(ctx, g):
        if ctx.depth == 0:
            return g, None
        with torch.enable_grad():
            inner = torch.ones(2, requires_grad=True)
            Nested.apply(inner, ctx.depth - 1).sum().backward()
        return g + inner.grad, None


def test_backwards_within_backwards():
    x = torch.ones(2, requires_grad=True)
    Nested.apply(x, 1000).sum().backward()
    assert x.grad.tolist() == [1001.0, 1001.0]


class Fails(torch.autograd.Function):
    """Fails in a backward ``depth`` levels down."""

    @staticmethod
    def forward(ctx, x, depth):
        ctx.depth = depth
        return x * 1

    @staticmethod
    def backward(ctx, g):
        if ctx.depth == 0:
            raise KeyError("down here")
        with torch.enable_grad():
            Fails.apply(torch.ones(2, requires_grad=True), ctx.depth - 1).sum().backward()
        return g, None


def test_what_fails_deep_down_comes_up():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(KeyError, match="down here"):
        Fails.apply(x, 100).sum().backward()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]
