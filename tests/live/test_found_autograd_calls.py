"""``autograd.grad`` called in ways that sweeps found otherwise than in PyTorch."""

from __future__ import annotations

import itertools
import types

import pytest

pytest.importorskip("torch")

import torch as theirs

from chalkgrad import torch as ours

OUTPUTS = ("x * 2", "(x * 2).sum()", "(x * 3)[:1]", "torch.autograd.graph.get_gradient_edge(x * 2)")
ROWS = (
    "None",
    "torch.ones(2)",
    "torch.eye(2)",
    "torch.ones(3, 2)",
    "torch.ones(3, 1)",
    "torch.ones(())",
    "torch.zeros(0, 2)",
    "torch.ones(2, 2, 2)",
)


def said(module, call: str) -> str:
    """The numbers that a call gives, or what it raises."""
    names = {"torch": module, "x": module.tensor([1.0, 2.0], requires_grad=True), "types": types}
    names["z"] = module.tensor([3.0, 4.0], requires_grad=True)
    try:
        found = eval(call, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    found = tuple(found.items()) if isinstance(found, dict) else found
    return str([gradient.tolist() if isinstance(gradient, module.Tensor) else gradient for gradient in found])


@pytest.mark.parametrize("output", OUTPUTS)
def test_rows_of_gradients(output):
    for rows, unused in itertools.product(ROWS, ("allow_unused=True", "materialize_grads=True")):
        if rows == "None" and output not in ("(x * 2).sum()", "x * 2"):
            continue
        call = f"torch.autograd.grad({output}, [x, z], {rows}, is_grads_batched=True, {unused})"
        assert said(ours, call) == said(theirs, call), call


@pytest.mark.parametrize("inputs", ["iter([x])", "(one for one in [x, x])", "types.MappingProxyType({'a': x})"])
@pytest.mark.parametrize("batched", [False, True])
def test_what_holds_the_inputs(inputs, batched):
    call = f"torch.autograd.grad(x * 2, {inputs}, torch.eye(2){'' if batched else '[0]'}, is_grads_batched={batched})"
    assert said(ours, call) == said(theirs, call)


def test_inputs_by_name_and_row():
    call = "{name: row.tolist() for name, row in torch.autograd.grad(x * 2, {'a': x}, torch.eye(2), "
    call += "is_grads_batched=True).items()}"
    assert said(ours, call) == said(theirs, call)
