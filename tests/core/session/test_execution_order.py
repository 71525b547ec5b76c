"""The order in which a trace says that nodes ran, and what came to each, is PyTorch's."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest

from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.source.read import read_source

theirs = pytest.importorskip("torch")

COURSE = """w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
y.backward()
"""
SCRIPTS = {
    "course": COURSE,
    "retained": COURSE.replace("y.backward()", "a.retain_grad()\ny.backward()"),
    "twice": COURSE.replace("y.backward()", "y.backward(retain_graph=True)\ny.backward()"),
    "second derivative": "x = torch.tensor(2., requires_grad=True)\ny = x * x * x\n"
    "y.backward(create_graph=True)\nz = x.grad * x\nz.backward()\n",
    "one leaf by two ways of different length": "w = torch.tensor([2., 3.], requires_grad=True)\n"
    "a = w.exp()\nb = a.sin()\nc = b * w\nd = c + a\ny = d.sum()\ny.backward()\n",
    "several roots": "w = torch.tensor([2.], requires_grad=True)\nv = torch.tensor([3.], requires_grad=True)\n"
    "a = w * v\nb = w + v\ntorch.autograd.backward([a, b])\n",
    "only some inputs": "w = torch.tensor([2.], requires_grad=True)\nv = torch.tensor([3.], requires_grad=True)\n"
    "a = w * v\nb = a * w\nb.backward(inputs=[v])\n",
    "written in place": "w = torch.tensor([2., 1.], requires_grad=True)\na = w * 3\na.add_(w)\nb = a.exp()\n"
    "y = b.sum()\ny.backward()\n",
    "matrix": "w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\nx = torch.tensor([[1.], [2.]])\n"
    "h = w @ x\nr = torch.relu(h)\ny = r.mean()\ny.backward()\n",
}
UNARY = ("exp", "sin", "tanh", "sigmoid", "relu", "neg")
BINARY = ("+", "-", "*")


def random_script(seed: int) -> str:
    """Leaves, operators that read any of what is there, and backwards from some of it."""
    chosen = random.Random(seed)
    names = [f"w{n}" for n in range(chosen.randint(1, 3))]
    lines = [f"{name} = torch.tensor([{n + 1}., -0.5], requires_grad=True)" for n, name in enumerate(names)]
    for number in range(chosen.randint(3, 14)):
        name, one, other = f"a{number}", chosen.choice(names), chosen.choice(names)
        unary = f"{one}.{chosen.choice(UNARY)}()"
        lines.append(f"{name} = {chosen.choice([unary, f'{one} {chosen.choice(BINARY)} {other}'])}")
        if chosen.random() < 0.2:
            lines.append(f"{name}.retain_grad()")
        names.append(name)
    for _ in range(chosen.randint(1, 2)):
        lines += [f"y = {chosen.choice(names[3:] or names)}.sum()", "y.backward(retain_graph=True)"]
    return "\n".join(lines) + "\n"


def ours_ran(source: str) -> list[tuple[str, list[Any]]]:
    """The name of every node that ran, in order, and the gradients that came to it."""
    session = Session(read_source("import torch\n" + source))
    session.finish()
    kinds = (EventKind.NODE_RAN, EventKind.ACCUMULATED)
    return [
        (session.trace.nodes[event.node].name, [None if g is None else g.tolist() for g in event.incoming])
        for event in session.trace.events
        if event.kind in kinds and event.node is not None
    ]


def theirs_ran(source: str) -> list[tuple[str, list[Any]]]:
    """The same on PyTorch: told by a hook on every node of the graph, hung there right before each backward."""
    told: list[tuple[str, list[Any]]] = []
    hung: dict[Any, Any] = {}

    def hang(*roots: Any) -> None:
        stack = [root.grad_fn for root in roots if root.grad_fn is not None]
        while stack:
            node = stack.pop()
            if node in hung:
                continue
            hung[node] = node.register_prehook(lambda came, node=node: note(node, came))
            stack += [edge for edge, _ in node.next_functions if edge is not None]

    def note(node: Any, came: tuple[Any, ...]) -> None:
        told.append((node.name().rpartition("::")[2], [None if g is None else g.tolist() for g in came]))

    names: dict[str, Any] = {"torch": theirs}
    for line in source.splitlines():
        if "backward(" in line:
            root = line.split(".backward(", 1)[0]
            hang(*([names["a"], names["b"]] if root == "torch.autograd" else [names[root]]))
        exec(line, names)
    return told


def assert_alike(source: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, wanted = ours_ran(source), theirs_ran(source)
    assert [name for name, _ in ours] == [name for name, _ in wanted], source
    for (name, came), (_, expected) in zip(ours, wanted, strict=True):
        for mine, his in zip(came, expected, strict=True):
            assert (mine is None) == (his is None), (name, source)
            if mine is not None:
                np.testing.assert_allclose(mine, his, rtol=1e-5, err_msg=source)


@pytest.mark.parametrize("script", SCRIPTS, ids=SCRIPTS)
def test_scripts_run_their_nodes_in_pytorchs_order(script: str) -> None:
    assert ours_ran(SCRIPTS[script])
    assert_alike(SCRIPTS[script])


@pytest.mark.parametrize("chunk", range(5))
def test_random_programs_run_their_nodes_in_pytorchs_order(chunk: int) -> None:
    for seed in range(chunk * 20, chunk * 20 + 20):
        assert_alike(random_script(seed))
