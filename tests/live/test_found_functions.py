"""Functions of a learner's own over views of every kind, written in place or not, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")

import torch as theirs

from chalkgrad import torch as ours

VIEWS: dict[str, Any] = {
    "the result itself": lambda torch, result: result,
    "a part": lambda torch, result: result[1:],
    "one of several parts": lambda torch, result: result.unbind()[0],
    "a part of a part": lambda torch, result: result[:2][1:],
    "a part taken without grad": lambda torch, result: torch.no_grad()(lambda: result[1:])(),
    "without history": lambda torch, result: result.detach(),
}
WAYS: dict[str, Any] = {
    "written": lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1],
    "written and copied": lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2), x.clone())[1:],
    "written and saved": lambda ctx, x: (ctx.save_for_backward(x), ctx.mark_dirty(x), x.mul_(2))[2],
    "handed on": lambda ctx, x: x,
    "viewed": lambda ctx, x: x.view_as(x),
    "another": lambda ctx, x: x * 2,
    "written unsaid": lambda ctx, x: x.mul_(2),
}


def seen(torch: Any, view: str, way: str) -> list[Any]:
    """All that can be told of a call: flags of the results, gradients, or what was raised."""

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return WAYS[way](ctx, x)

        @staticmethod
        def backward(ctx, *gradients):
            return gradients[0] * 2

    found: list[Any] = []
    try:
        leaf = torch.arange(4.0, requires_grad=True)
        base = leaf * 1
        given = VIEWS[view](torch, base)
        results = Doubled.apply(given)
        results = results if isinstance(results, tuple) else (results,)
        for one in results:
            edges = None if one.grad_fn is None else [node and node.name() for node, _ in one.grad_fn.next_functions]
            found.append((one.tolist(), one.requires_grad, one.is_leaf, one._version, one._is_view(), edges))
        roots = [one.sum() for one in results if one.requires_grad] + [base.sum()]
        found.append((base.grad_fn.name(), torch.autograd.grad(roots, leaf)[0].tolist()))
    except Exception as error:
        found.append(f"{type(error).__name__}: {error}")
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_function_over_views(view, way):
    assert seen(ours, view, way) == seen(theirs, view, way)
