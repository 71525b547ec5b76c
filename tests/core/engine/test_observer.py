"""What an observer is told, and that being observed changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from support.outcomes import Run, flags, same
from support.random_programs import Maker

from chalkgrad import torch
from chalkgrad.engine.autograd import observe
from chalkgrad.engine.base import version_of
from chalkgrad.engine.observer import Observer


def plain(gradient):
    """A copy of a gradient as an array."""
    return (gradient.array if isinstance(gradient, torch.Tensor) else gradient).copy()


def story(lines):
    """After each line: the line, its error and warnings, and all that is seen of the tensors."""
    torch.set_default_dtype(torch.float32)
    run, told = Run(torch), []
    for line in lines:
        problems = run.line(line)
        tensors = {name: value for name, value in run.variables.items() if isinstance(value, torch.Tensor)}
        told.append((line, problems, {name: flags(tensor) for name, tensor in tensors.items()}))
    torch.set_default_dtype(torch.float32)
    return told


class Log(Observer):
    """Writes down every notice."""

    def __init__(self):
        self.events = []
        self.kept = []

    def note(self, name, *facts):
        self.events.append((name, *facts))

    def tensor_made(self, tensor):
        self.note("tensor_made", id(tensor))
        self.kept.append(tensor)

    def node_made(self, node, inputs, outputs):
        self.note("node_made", node.name(), len(inputs), len(outputs))

    def saved(self, node, names):
        self.note("saved", node.name(), names)

    def about_to_write(self, tensor):
        self.note("about_to_write", tensor.tolist(), version_of(tensor))

    def wrote(self, tensor):
        self.note("wrote", tensor.tolist(), version_of(tensor))

    def flags_changed(self, tensor):
        self.note("flags_changed", tensor.requires_grad, tensor.is_leaf, tensor.peek_grad() is not None)

    def backward_began(self, roots, gradients):
        self.note("backward_began", len(roots), [plain(g).tolist() for g in gradients])

    def node_ready(self, node):
        self.note("node_ready", node.name())

    def node_ran(self, node, incoming, outgoing):
        self.kept.append((incoming, outgoing, [None if g is None else plain(g) for g in (*incoming, *outgoing)]))
        self.note("node_ran", node.name(), *(None if g is None else plain(g).tolist() for g in outgoing))

    def accumulated(self, node, tensor, gradient, first):
        self.note("accumulated", plain(gradient).tolist(), first)

    def retained(self, tensor, gradient):
        self.note("retained", gradient.tolist())

    def freed(self, node):
        self.note("freed", node.name())

    def backward_ended(self):
        self.note("backward_ended")

    def names(self):
        return [event[0] for event in self.events]


@pytest.fixture
def log():
    found = Log()
    observe(found)
    return found


def test_the_story_of_a_small_backward(log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.retain_grad()
    y.backward()
    names = [name for name in log.names() if name not in ("tensor_made", "flags_changed")]
    assert names == [
        "node_made",
        "saved",
        "backward_began",
        "node_ready",
        "retained",
        "node_ran",
        "freed",
        "node_ready",
        "accumulated",
        "backward_ended",
    ]
    assert ("saved", "MulBackward0", ("other", "self")) in log.events
    assert ("node_ran", "MulBackward0", 3.0, 3.0) in log.events
    assert ("accumulated", 6.0, True) in log.events


def test_the_nodes_of_a_written_view_are_told_once_each(log):
    x = torch.ones(2, requires_grad=True)
    base = x * 1
    view = base[0]
    view.mul_(3)
    told = [event for event in log.events if event[0] == "node_made"]
    assert told == [
        ("node_made", "MulBackward0", 2, 1),
        ("node_made", "SelectBackward0", 1, 1),
        ("node_made", "torch::autograd::CopySlices", 2, 1),
        ("node_made", "AsStridedBackward0", 1, 1),
        ("node_made", "MulBackward0", 2, 1),
    ]
    base.sum().backward()
    assert ("freed", "torch::autograd::CopySlices") in log.events
    assert len([event for event in log.events if event[0] == "node_made"]) == len(told) + 1


def test_every_write_is_told_before_and_after(log):
    x = torch.tensor([1.0, 2.0])
    x.add_(1)
    x.data.mul_(2)
    x[0] = 9.0
    x.zero_()
    w = torch.tensor([1.0], requires_grad=True)
    (w * 2).backward()
    (w * 2).backward()
    writes = [event for event in log.events if event[0] in ("about_to_write", "wrote")]
    assert [event[1] for event in writes] == [
        [1, 2], [2, 3], [2, 3], [4, 6], 4, 9, [9, 6], [0, 0], [2], [4],
    ]  # fmt: skip
    assert [event[0] for event in writes] == ["about_to_write", "wrote"] * 5


def test_gradients_are_tensors_too(log):
    w = torch.tensor([1.0], requires_grad=True)
    (w * 2).backward()
    assert ("tensor_made", id(w.grad)) in log.events
    (g,) = torch.autograd.grad(w * 3, w)
    assert ("tensor_made", id(g)) in log.events


def test_flags_are_told(log):
    a = torch.ones(2)
    a.requires_grad_()
    a.requires_grad_()
    b = a * 2
    b.detach_()
    a.grad = torch.ones(2)
    assert log.names().count("flags_changed") == 3


def test_a_failed_backward_ends_as_well(log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError):
        y.backward()
    assert log.names()[-1] == "backward_ended"
    assert log.names().count("backward_ended") == 2


def test_a_graph_of_its_own_is_told_with_tensors(log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x * x
    torch.autograd.grad(y, x, create_graph=True)
    ran = [entry for entry in log.kept if isinstance(entry, tuple)]
    assert all(isinstance(g, torch.Tensor) for incoming, *_ in ran for g in incoming)


@pytest.mark.parametrize("seed", range(60))
def test_being_observed_changes_nothing(seed):
    lines = Maker(seed).program(14)
    alone = story(lines)
    log = Log()
    observe(log)
    watched = story(lines)
    observe(None)
    for (line, problems, facts), (_, other_problems, other_facts) in zip(alone, watched, strict=True):
        assert problems == other_problems, line
        for name, values in facts.items():
            assert same(list(values.items()), list(other_facts[name].items())), (line, name, values, other_facts[name])
    for entry in log.kept:
        if isinstance(entry, tuple):
            incoming, outgoing, copies = entry
            for handed, copy in zip((*incoming, *outgoing), copies, strict=True):
                if isinstance(handed, np.ndarray):
                    assert np.array_equal(handed, copy, equal_nan=True), "a gradient that was handed out was written"
