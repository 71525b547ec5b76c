"""A node whose gradients don't fit keeps what it saved, as in PyTorch: again it is refused for the same reason."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")

import torch as theirs

from chalkgrad import torch as ours

RETURNS: dict[str, Any] = {
    "too little": lambda g: g[:2],
    "too many": lambda g: (g, g),
    "what can be summed": lambda g: g.expand(4, 3),
    "what fits": lambda g: g,
}
TAKEN: dict[str, Any] = {
    "a leaf": lambda x: x,
    "a result": lambda x: x * 1,
}
ASKED: dict[str, Any] = {
    "backward": lambda torch, out, x: out.backward(),
    "backward with a graph": lambda torch, out, x: out.backward(create_graph=True),
    "grad": lambda torch, out, x: torch.autograd.grad(out, x),
}


def told(call: Any) -> str:
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return ""


def texts(torch: Any, returns: str, taken: str, asked: str) -> list[str]:
    """What a first and a second time are refused for."""

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return RETURNS[returns](g * x)

    x = TAKEN[taken](torch.ones(3, requires_grad=True))
    out = Doubled.apply(x).sum()
    return [told(lambda: ASKED[asked](torch, out, x)) for _ in range(2)]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize("returns", RETURNS)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_a_learner(returns, taken, asked):
    found = texts(ours, returns, taken, asked)
    assert found == texts(theirs, returns, taken, asked)
    assert bool(found[0]) is (returns.startswith("too"))


def of_changed_data(torch: Any, hooked: bool) -> list[str]:
    """The same of an operator whose input got other data."""
    x = torch.ones(3, requires_grad=True)
    y = x * x
    z = y.tanh()
    if hooked:
        z.grad_fn.register_hook(lambda *_: None)
    out = z.sum()
    with torch.no_grad():
        torch.mul(torch.ones(2), torch.ones(2), out=y)
    z.grad_fn._saved_result  # noqa: B018  is there
    found = [told(lambda: z.backward(torch.ones(3))) for _ in range(2)]
    return [*found, told(lambda: z.grad_fn._saved_result), told(out.backward)]


@pytest.mark.parametrize("hooked", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_operators_whose_input_got_other_data(hooked):
    assert of_changed_data(ours, hooked) == of_changed_data(theirs, hooked)
