"""Gradients that share memory: who has which, and what writing one of them does, as on the PyTorch installed."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

PAIR = (
    "v0 = torch.tensor([[0.5, -1.5, 2.0], [1.0, 3.0, -0.5]], requires_grad=True)\n"
    "v1 = torch.tensor([[2.0, 0.5, 1.0], [4.0, -1.0, 0.25]], requires_grad=True)\n"
)
ASK = (
    "v2, v3 = torch.autograd.grad({}, [v0, v1])\nnote(v2 is v3, v2.data_ptr() == v3.data_ptr(), v2._base is v3._base)\n"
)
LOOK = (
    "note(v0.grad.data_ptr() == v1.grad.data_ptr(), v0.grad.storage_offset(), v1.grad.storage_offset())\n"
    "note(v0.grad.untyped_storage().nbytes(), v1.grad.untyped_storage().nbytes(), v1.grad._is_view())\n"
)
TWICE = "v5 = {}\nv5.backward(retain_graph=True)\n" + LOOK + "v5.backward()\n"

PROGRAMS = {
    "one gradient asked for twice": PAIR + ASK.format("((v0 + v1) * 2).sum()") + "v2.zero_()",
    "one gradient and its view": (
        PAIR + "v2, v3 = torch.autograd.grad((v0 + v1.view(6).view(2, 3)).exp().sum(), [v0, v1])\n"
        "note(v3._base is v2, v3._is_view())\nv3.mul_(3)"
    ),
    "two parts of one gradient": PAIR + ASK.format("(torch.cat([v0, v1]) * 2).sum()") + "v3.mul_(3)",
    "rows of one gradient": PAIR + ASK.format("(torch.stack([v0, v1]) * 2).sum()") + "v3.mul_(3)",
    "what was given comes back": (
        PAIR + "v4 = torch.ones(2, 3)\nv2, = torch.autograd.grad(v0 + 1, [v0], v4)\nnote(v2 is v4)\nv2.mul_(3)"
    ),
    "what was given comes back as a view": (
        PAIR + "v4 = torch.ones(6)\nv2, = torch.autograd.grad(v0.view(6), [v0], v4)\nnote(v2._base is v4)\nv2.mul_(3)"
    ),
    "a part of what was given comes back": (
        PAIR + "v4 = torch.ones(4, 3, requires_grad=True)\n"
        "v2, = torch.autograd.grad(torch.cat([v0, v1]), [v1], v4)\nnote(v2.requires_grad, v2._base is v4)"
    ),
    "one gradient for two leaves is copied": PAIR + TWICE.format("((v0 + v1) * 2).sum()") + "v0.grad.zero_()",
    "two views of one gradient": PAIR + TWICE.format("((v0.view(6) + v1.view(6)) * 2).sum()") + "v0.grad.zero_()",
    "parts of one gradient": PAIR + TWICE.format("(torch.cat([v0, v1]) * 2).sum()") + "v0.grad.zero_()",
    "columns of one gradient are copied": PAIR + TWICE.format("(torch.cat([v0, v1], 1) * 2).sum()") + "v0.grad.zero_()",
    "rows": PAIR + TWICE.format("(torch.stack([v0, v1]) * 2).sum()") + "v0.grad.zero_()",
    "with a graph nothing is shared": (
        PAIR + "(torch.cat([v0, v1]) * 2).sum().backward(create_graph=True)\n" + LOOK + "v0.grad.detach().zero_()"
    ),
    "a gradient in the memory of what was given": (
        PAIR + "v4 = torch.ones(6)\nv0.view(6).backward(v4)\nnote(v0.grad.data_ptr() == v4.data_ptr())\n"
        "v0.view(6).backward(v4)\nv0.view(6).backward(v4)"
    ),
    "what was given is copied": (
        PAIR + "v4 = torch.ones(2, 3)\n(v0 + v1).backward(v4)\nnote(v0.grad.data_ptr() == v4.data_ptr())\n" + LOOK
    ),
    "a leaf of no dimensions, expanded to that": (
        "v0 = torch.tensor(2.0, requires_grad=True)\nv4 = torch.tensor(3.0)\n"
        "v2, = torch.autograd.grad(v0.expand(()), [v0], v4)\nnote(v2 is v4)\nv0.expand(()).backward(v4)"
    ),
    "added to what a view of it goes with": PAIR + "(v0.t().t() + v0).mul(2).sum().backward()",
    "added to what one number of it goes with": (
        "v0 = torch.tensor(2.0, requires_grad=True)\nv1 = v0.sum() + v0\n(v1 - torch.ones(2)).sum().backward()"
    ),
    "summed for one of several results": (
        "v0 = torch.tensor([0.5, 2.0], requires_grad=True)\nv1 = v0.unbind()[0]\nv2 = v0 + v0 + v1\n"
        "v3, = torch.autograd.grad(v2 * v2, [v1], torch.ones(2))"
    ),
    "of a leaf without elements that got a dimension": (
        "v0 = torch.zeros(0, 2).requires_grad_()\nv1 = v0.abs()\nwith torch.no_grad(): v0.unsqueeze_(0)\n"
        "v0.double().sum().backward()"
    ),
    "bias of one row": (
        "v0 = torch.ones(1, 3, requires_grad=True)\nv1 = torch.zeros(3, requires_grad=True)\nv4 = torch.ones(1, 3)\n"
        "torch.nn.functional.layer_norm(v0, (1, 3), None, v1[None]).backward(v4)\nv1.grad.mul_(2)"
    ),
    "of a product with two zeros": (
        "v0 = torch.tensor([[0.0, 0.0], [3.0, torch.nan]], requires_grad=True)\n"
        "v1, = torch.autograd.grad(v0.prod(), [v0])"
    ),
    "of a product with two zeros and a graph": (
        "v0 = torch.tensor([[0.0, 0.0], [3.0, 2.0]], requires_grad=True)\n"
        "v1, = torch.autograd.grad(v0.prod(), [v0], create_graph=True)"
    ),
    "second derivatives of a mean of losses": (
        PAIR + "v2, = torch.autograd.grad(torch.nn.functional.smooth_l1_loss(v0, v1), [v0], create_graph=True)\n"
        "v3, v4 = torch.autograd.grad(v2.sum(), [v0, v1])"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


FRESH = "v0 = torch.tensor([0.5, -1.5], requires_grad=True)\nv1 = v0.view(2)\n"
WAYS = {"in place": "g.mul_(2)", "anew": "g * 2", "anew and in place": "g.clone().mul_(2)", "not at all": "None"}


def hooked(place, way):
    """The line that registers a hook."""
    given = WAYS[way]
    if place == "on the tensor":
        return f"v1.register_hook(lambda g: {given})"
    back = "None" if given == "None" else f"({given},)"
    node = "v1.grad_fn.next_functions[0][0]" if place == "before the leaf" else "v1.grad_fn"
    if place == "after its node":
        return f"{node}.register_hook(lambda i, o: (lambda g: {back})(i[0]))"
    return f"{node}.register_prehook(lambda i: (lambda g: {back})(i[0]))"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", ["on the tensor", "before its node", "after its node", "before the leaf"])
@pytest.mark.parametrize("use", ["(v1 * 2).sum()", "(v1 * 2 + v1 * 3).sum()", "v1[:1].sum()"])
def test_what_hooks_write_counts(use, place, way):
    check_alike([*FRESH.splitlines(), hooked(place, way), f"{use}.backward()"])


def test_one_gradient_that_goes_two_ways_is_one_tensor_in_a_hook():
    check_alike(
        [
            *PAIR.splitlines(),
            "v4 = v0 + v1",
            "v4.grad_fn.register_hook(lambda i, o: note(i[0] is i[1], i[0].mul_(2)))",
            "(v4 * 3).sum().backward()",
        ]
    )
