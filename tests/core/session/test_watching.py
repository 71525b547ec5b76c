"""Recorders that come and go while graphs live, and what is read off a backward only when somebody asks."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from chalkgrad import torch
from chalkgrad.engine.base import state
from chalkgrad.session.events import EventKind
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.tables import Tables


@contextmanager
def watching():
    """The tables of a recorder that watches meanwhile."""
    outer, tables = state.observer, Tables()
    state.observer = Recorder(tables)
    state.look_again()
    try:
        yield tables
    finally:
        state.observer = outer
        state.look_again()


def graph():
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    y = (w * w).tanh() + w
    return w, (y * w).sum()


NAMES = ["SumBackward0", "MulBackward0", "AddBackward0", "AccumulateGrad", "TanhBackward0", "MulBackward0"]


@pytest.mark.parametrize("watched_before", [0, 1, 2])
def test_a_backward_is_told_of_nodes_that_nobody_or_others_saw_being_recorded(watched_before):
    if watched_before:
        with watching():
            if watched_before == 2:
                _rest = [graph() for _ in range(9)]
            w, root = graph()
    else:
        w, root = graph()
    with watching() as tables:
        if watched_before == 2:
            _more = graph()
        root.backward()
    plan = next(iter(tables.plans.values()))
    assert sorted(tables.nodes[node].name for node in plan.nodes) == sorted(NAMES)
    assert len(set(plan.nodes)) == len(NAMES)
    ran = [event.node for event in tables.events if event.kind is EventKind.NODE_RAN]
    assert [tables.nodes[node].name for node in ran] == [name for name in NAMES if name != "AccumulateGrad"]
    assert w.grad is not None


def test_since_when_a_node_has_nothing_more_is_read_from_what_was_told():
    with watching() as tables:
        _w, root = graph()
        root.backward(retain_graph=True)
        assert all(tables.freed.get(node) is None for node in range(len(tables.nodes)))
        root.backward()
        _v, other = graph()
        other.backward()
    told = {}
    for position, event in enumerate(tables.events, 1):
        if event.kind is EventKind.FREED:
            told.setdefault(event.node, position)
    assert len(told) == 6
    assert {node: tables.freed.get(node) for node in range(len(tables.nodes)) if tables.freed.get(node)} == told


def test_results_are_told_in_short_only_where_nothing_else_wants_to_see_them():
    w = torch.tensor([2.0], requires_grad=True)
    with watching():
        assert state.tell is not None
        with torch.inference_mode():
            assert state.tell is None
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            assert state.tell is None
        with torch.autograd.set_detect_anomaly(True):
            assert state.tell is None
        assert state.tell is not None
    assert state.tell is None
    with watching() as tables:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            _hooked = w * w
        _plain = w * w
    kinds = [event.kind for event in tables.events]
    assert kinds.count(EventKind.NODE_MADE) == 2
    assert [tables.nodes[node].name for node in range(len(tables.nodes))].count("MulBackward0") == 2


def test_a_node_whose_gradient_does_not_fit_is_not_said_to_have_freed_anything():
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with watching() as tables:
        y = x * x
        with torch.no_grad(), pytest.warns(UserWarning, match="resized"):
            torch.mul(torch.ones(2), 1, out=y)
        z = y.tanh()
        with pytest.raises(RuntimeError, match="invalid gradient"):
            z.sum().backward()
    told = [(tables.nodes[event.node].name, event.kind) for event in tables.events if event.node is not None]
    assert ("TanhBackward0", EventKind.NODE_RAN) in told
    assert ("TanhBackward0", EventKind.FREED) not in told
    assert z.grad_fn._saved_result is not None
