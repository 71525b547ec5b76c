"""Programs whose autograd drawing is compared with what PyTorch has, and what is asked of each tensor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "torch" / "figures.json"

PROGRAMS = {
    "figure": """
a = torch.tensor(2.0)
b = torch.tensor(2.0)
c = a * b
c.requires_grad = True
d = torch.tensor(2.0)
e = c * d
f = torch.tensor(2.0)
g = e * f
""",
    "figure, backward": """
c = torch.tensor(4.0, requires_grad=True)
d = torch.tensor(2.0)
e = c * d
e.retain_grad()
f = torch.tensor(2.0)
g = e * f
g.backward()
""",
    "course": """
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = w + x
b = w + 1
y = a * b
y.backward(retain_graph=True)
""",
    "in place": """
w = torch.tensor([2.], requires_grad=True)
a = w + 1
y = a.exp()
a.add_(1)
""",
    "several outputs": """
W = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
p, q = torch.split(W, 1, dim=1)
m, i = torch.max(W, dim=1)
s = p * q
""",
}


def tensors_of(torch: Any, program: str) -> dict[str, Any]:
    """The tensors of a program, by name, after it ran in PyTorch."""
    names: dict[str, Any] = {"torch": torch}
    for line in program.strip().splitlines():
        exec(line, names)
    return {name: value for name, value in names.items() if isinstance(value, torch.Tensor)}


def asked(torch: Any, program: str) -> dict[str, Any]:
    """What PyTorch says of each tensor: the rows of its card, and what its grad_fn has."""
    found = tensors_of(torch, program)
    return {name: _rows(torch, tensor, found) for name, tensor in found.items()}


def _rows(torch: Any, tensor: Any, others: dict[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "data": tensor.tolist(),
        "grad": None if tensor.grad is None else tensor.grad.tolist(),
        "grad_fn": None if tensor.grad_fn is None else type(tensor.grad_fn).__name__,
        "is_leaf": tensor.is_leaf,
        "requires_grad": tensor.requires_grad,
        "retains_grad": tensor.retains_grad,
        "_version": tensor._version,
    }
    if tensor.grad_fn is not None:
        said["next_functions"] = [
            [None if node is None else type(node).__name__, port] for node, port in tensor.grad_fn.next_functions
        ]
        said["saved"] = _saved(torch, tensor.grad_fn, others)
    return said


def _saved(torch: Any, node: Any, others: dict[str, Any]) -> list[str] | None:
    """The names of the tensors that a node saved; None where they were freed."""
    names = []
    for attribute in (each for each in dir(node) if each.startswith("_saved_")):
        try:
            value = getattr(node, attribute)
        except RuntimeError:
            return None
        if isinstance(value, torch.Tensor):
            names.append(next(name for name, other in others.items() if _is_same(value, other)))
    return sorted(names)


def _is_same(one: Any, other: Any) -> bool:
    return one.data_ptr() == other.data_ptr() and one.shape == other.shape and one.dtype == other.dtype
