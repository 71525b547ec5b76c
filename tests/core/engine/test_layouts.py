"""Where results lie in memory, which output of its node a written tensor is, and how often a ``.grad`` was written."""

from __future__ import annotations

import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

PROGRAMS = (
    "found = (a.t() + b).stride()",
    "found = (b + a.t()).stride()",
    "found = (a.t() * b.to(torch.float64)).stride()",
    "found = torch.where(a.t() > 0, b, 1.0).stride()",
    "found = (a.expand(2, 2, 3) - c).stride()",
    "found = (a.expand(2, 2, 3).exp().stride(), (a.expand(2, 2, 3) * 2).stride())",
    "found = (c[3:].storage_offset(), c[2:][1:].storage_offset(), a[:, 3:].storage_offset())",
    "m = torch.std_mean(a, 0)[1]; m.mul_(m); found = [number for _, number in m.grad_fn.next_functions]",
    "m = torch.std_mean(a, 0)[1]; m[0] = 2; found = [number for _, number in m.grad_fn.next_functions]",
    "m = torch.std_mean(a, 0)[1]; m.fill_(3); found = [number for _, number in m.grad_fn.next_functions]",
    "a.register_hook(lambda g: g * 2); a.backward(torch.ones(2, 3)); found = a.grad._version",
    "a.register_hook(lambda g: None); a.backward(torch.ones(2, 3)); found = a.grad._version",
    "a.register_hook(lambda g: g.mul_(2)); (a * 3).sum().backward(); found = (a.grad._version, a.grad.tolist())",
    "kept = []; y = a + 2; y.register_hook(kept.append); (y * 3).sum().backward(); found = a.grad._version",
    "y = a.t(); y.register_hook(lambda g: None); y.backward(torch.ones_like(y)); found = a.grad._version",
    "y = a * 2; y.grad_fn.register_hook(lambda i, o: note(i[0].mul_(2))); y.sum().backward(); found = a.grad.tolist()",
    "d = torch.ones(1, requires_grad=True); d.sum(0).backward(); found = d.grad._version",
    "d = torch.ones(1, requires_grad=True); d.sum().backward(); found = d.grad._version",
    "i = torch.zeros(1, 1, dtype=torch.int64); i[0] = c.sum(); found = (i.requires_grad, i.grad_fn.name())",
)


def outcome(torch, program):
    """What ``program`` finds, or its error."""
    names = {"torch": torch, "note": lambda value: None}
    names["a"] = torch.tensor([[0.5, 1.0, 2.0], [-1.0, 3.0, 0.25]], requires_grad=True)
    names["b"] = torch.ones(3, 2)
    names["c"] = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    try:
        exec(program, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return names["found"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_like_pytorch(program):
    assert outcome(ours, program) == outcome(theirs, program)
