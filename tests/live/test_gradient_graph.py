"""The graph that a backward with create_graph=True records is PyTorch's, node by node: names and next_functions."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from chalkgrad.session import Session
from chalkgrad.source.read import read_source

torch = pytest.importorskip("torch")

PROGRAMS = {
    "cube": ("x = torch.tensor([2., 3.], requires_grad=True)\ny = (x ** 3).sum()\n", "y", "x"),
    "broadcast": (
        (
            "x = torch.tensor([2., 3.], requires_grad=True)\nw = torch.tensor([2.], requires_grad=True)\n"
            "y = ((x * w) ** 3).sum()\n"
        ),
        "y",
        "x, w",
    ),
    "two paths": ("w = torch.tensor([1.], requires_grad=True)\na = w + 2\ny = a * w * w\n", "y", "w"),
    "chain": ("x = torch.tensor([0.5], requires_grad=True)\ny = torch.exp(torch.sin(x)) * x\n", "y", "x"),
    "gates": (
        (
            "x = torch.tensor([0.5, -1.], requires_grad=True)\n"
            "y = (torch.sigmoid(x) * torch.tanh(x) + torch.relu(x) * x).sum()\n"
        ),
        "y",
        "x",
    ),
    "matrices": (
        (
            "a = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\n"
            "v = torch.tensor([[1.], [2.]], requires_grad=True)\ny = ((a @ v) ** 2).sum()\n"
        ),
        "y",
        "a, v",
    ),
    "division": (
        (
            "x = torch.tensor([4.], requires_grad=True)\nw = torch.tensor([2.], requires_grad=True)\n"
            "y = torch.log(x / w) - x * w\n"
        ),
        "y",
        "x, w",
    ),
    "shapes": (
        "x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\ny = (x.reshape(4)[1:3] ** 2).mean()\n",
        "y",
        "x",
    ),
}
BACKWARD = "{root}.backward(create_graph=True)\n"
GRAD = "g, = torch.autograd.grad({root}, {first}, create_graph=True)\n"
TWICE = GRAD + "h, = torch.autograd.grad(g.sum(), {first}, create_graph=True)\n"


def theirs(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"torch": torch}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(text, names)
    return names


def ours(text: str) -> Session:
    session = Session(read_source("import torch\n" + text))
    session.finish()
    assert not [problem for problem in session.trace.state().problems if not problem.warning]
    return session


def shape_of(node: Any) -> Any:
    """A PyTorch node as its name and those of all that it leads to."""
    if node is None:
        return None
    return type(node).__name__, tuple((shape_of(edge), port) for edge, port in node.next_functions)


def shape_in_trace(session: Session, number: int | None) -> Any:
    if number is None:
        return None
    record = session.trace.nodes[number]
    ports = record.ports or (0,) * len(record.edges)
    pairs = zip(record.edges, ports, strict=True)
    return record.name, tuple((shape_in_trace(session, edge), port) for edge, port in pairs)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("way", [GRAD, TWICE], ids=["first derivative", "second derivative"])
def test_the_graph_of_a_result_of_grad(name: str, way: str) -> None:
    program, root, leaves = PROGRAMS[name]
    text = program + way.format(root=root, first=leaves.split(", ")[0])
    expected, session = theirs(text), ours(text)
    result = "h" if "h," in way else "g"
    tensor = session.trace.state().names[result]
    assert shape_in_trace(session, tensor.node) == shape_of(expected[result].grad_fn)
    if tensor.node is not None:
        graph = session.trace.graph_of(tensor.node)
        assert graph is not None
        assert graph.order == (2 if result == "h" else 1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_graphs_of_all_grads_of_a_backward(name: str) -> None:
    program, root, leaves = PROGRAMS[name]
    text = program + BACKWARD.format(root=root)
    expected, session = theirs(text), ours(text)
    for leaf in leaves.split(", "):
        grad = session.trace.state().names[leaf].grad
        assert grad is not None
        assert shape_in_trace(session, grad.node) == shape_of(expected[leaf].grad.grad_fn)
