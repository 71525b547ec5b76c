"""Gradients of a backward that are memory of the engine's: what a trace says of them stays what they were."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad import torch
from chalkgrad.engine.autograd import observe
from chalkgrad.session.events import EventKind
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.session import Session
from chalkgrad.session.tables import Tables
from chalkgrad.source.read import read_source

WRITES = [
    "w.grad.mul_(10)",
    "w.grad.zero_()",
    "w.grad[0] = 9.0",
    "w.grad.data.add_(1)",
    "(w * 4).sum().backward()",
]


def told(trace, stop):
    """What is told of the gradients of all events up to index ``stop``, as numbers."""
    return [
        (
            event.kind,
            [None if gradient is None else gradient.tolist() for gradient in (*event.incoming, *event.outgoing)],
        )
        for event in trace.events[:stop]
    ]


def ran(code):
    """A session that ran lines to their end."""
    session = Session(read_source("import torch\n" + code))
    session.finish()
    assert not [problem for problem in session.trace.state().problems if not problem.warning]
    return session


@pytest.mark.parametrize("write", WRITES)
def test_what_a_backward_did_is_told_the_same_when_its_grad_is_written(write):
    code = "w = torch.tensor([1., 2.], requires_grad=True)\ny = (w * 3).sum()\ny.backward()\n"
    before, after = ran(code), ran(code + write + "\n")
    count = len(before.trace)
    assert told(after.trace, count) == told(before.trace, count)
    assert ran(code + write).trace.state().names["w"].grad.value.tolist() != [3.0, 3.0]


def test_gradients_that_were_asked_for_may_be_written():
    code = "w = torch.tensor([1., 2.], requires_grad=True)\n(g,) = torch.autograd.grad((w * w).sum(), w)\n"
    before, after = ran(code), ran(code + "g.mul_(5)\n")
    assert told(after.trace, len(before.trace)) == told(before.trace, len(before.trace))


_LEAVES = "w = torch.tensor([1., 2.], requires_grad=True)\nv = torch.tensor([3., 4.], requires_grad=True)\n"
SHARED = {
    "the weights of a backward": (_LEAVES + "u = torch.ones(2)\n(w + v).backward(u)\n", "u.mul_(5)"),
    "the weights of which a gradient is a view": (
        _LEAVES + "u = torch.ones(2, 1)\nw.view(2, 1).backward(u)\n",
        "w.view(2, 1).backward(u)",
    ),
    "the weights that come back as they are": (
        _LEAVES + "u = torch.ones(2)\n(g,) = torch.autograd.grad(w + v, w, u)\n",
        "g.mul_(5)",
    ),
    "one gradient for two": (
        _LEAVES + "g, h = torch.autograd.grad(((w + v) * 2).sum(), (w, v))\n",
        "g.mul_(5)",
    ),
    "parts of one gradient": (_LEAVES + "(torch.cat((w, v)) * 2).sum().backward()\n", "w.grad.mul_(5)"),
    "views of one gradient": (
        _LEAVES + "z = ((w.view(1, 2) + v.view(1, 2)) * 2).sum()\nz.backward(retain_graph=True)\n",
        "z.backward()",
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_what_a_backward_did_is_told_the_same_when_memory_that_gradients_share_is_written(name):
    code, write = SHARED[name]
    before, after = ran(code), ran(code + write + "\n")
    count = len(before.trace)
    assert told(after.trace, count) == told(before.trace, count)
    for place in range(count):
        then, now = (run.trace.state(place) for run in (before, after))
        assert seen(then) == seen(now)


def seen(state):
    """The values and gradients of all names."""
    return {
        name: (tensor.value.tolist(), None if tensor.grad is None else tensor.grad.value.tolist())
        for name, tensor in state.names.items()
        if tensor is not None
    }


def test_two_names_of_one_gradient_are_one_object():
    trace = ran(SHARED["one gradient for two"][0] + "g.mul_(5)\n").trace
    names = trace.state().names
    assert names["g"].number == names["h"].number
    assert names["h"].value.tolist() == [10.0, 10.0]


def test_a_tensor_known_to_one_recorder_is_new_to_another():
    w = torch.tensor([1.0], requires_grad=True)
    names = []
    for _ in range(2):
        tables = Tables()
        observe(Recorder(tables))
        (w * 2).tanh().sum().backward()
        observe(None)
        names.append([(event.kind, event.tensors, event.node) for event in tables.events])
    first, second = ([entry for entry in found if entry[0] is EventKind.NODE_RAN] for found in names)
    assert first == second
    assert [record.name for record in tables.nodes] == [
        *("AccumulateGrad", "MulBackward0", "TanhBackward0", "SumBackward0"),
    ]


def test_what_a_graph_held_in_two_recordings_is_told_by_each():
    w = torch.tensor([1.0], requires_grad=True)
    held = w * 2
    for _ in range(2):
        tables = Tables()
        observe(Recorder(tables))
        (held + w).sum().backward(retain_graph=True)
        observe(None)
        sent = {tables.nodes[event.node].name for event in tables.events if event.kind is EventKind.NODE_RAN}
        assert sent == {"SumBackward0", "AddBackward0", "MulBackward0"}
        assert all(tables.nodes[event.node].name for event in tables.events if event.node is not None)
    assert np.array_equal(w.grad.numpy(), [6.0])


def test_a_leaf_that_has_a_gradient_already_may_be_new_to_a_recorder():
    w = torch.tensor([1.0], requires_grad=True)
    for _ in range(2):
        (w * 2).sum().backward()
    assert w.grad._version == 1
    tables = Tables()
    observe(Recorder(tables))
    (w * 3).sum().backward()
    observe(None)
    grads = [facts.grad for _, facts in tables.facts[0] if facts.grad is not None]
    assert grads
    assert w.grad.tolist() == [7.0]
    assert tables.memory.value(tables.facts[grads[-1]][-1][1].array, len(tables.events)).tolist() == [7.0]
