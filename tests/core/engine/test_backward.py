"""What a backward does to the graph: order, freeing, accumulation, advancing, reachability, hooks."""

from __future__ import annotations

import gc
import sys
import weakref

import numpy as np
import pytest

from chalkgrad import torch
from chalkgrad.engine import messages
from chalkgrad.engine.autograd import start_backward
from chalkgrad.engine.graph import state

SECOND = "Trying to backward through the graph a second time"


@pytest.fixture(autouse=True)
def warned_already():
    state.warned.add(messages.CREATE_GRAPH)


def leaf(*values):
    return torch.tensor(values if len(values) > 1 else values[0], requires_grad=True)


def test_the_course_example():
    w, x = torch.tensor([1.0], requires_grad=True), torch.tensor([2.0], requires_grad=True)
    a = torch.add(w, x)
    b = torch.add(w, 1)
    y = torch.mul(a, b)
    y.backward()
    assert (repr(w.grad), repr(x.grad), a.peek_grad()) == ("tensor([5.])", "tensor([2.])", None)
    assert [t.is_leaf for t in (w, x, a, b, y)] == [True, True, False, False, False]


def test_a_second_backward_fails_when_something_saved_was_freed():
    x = leaf(3.0)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match=SECOND) as raised:
        y.backward()
    assert raised.value.node is y.grad_fn


def test_additions_may_run_twice():
    x = leaf(3.0)
    y = x + 1 + x
    y.backward()
    y.backward()
    assert x.grad.item() == 4


def test_nodes_are_freed_one_by_one():
    i = leaf(1.0)
    x = 2 * i
    y = 3 + x
    z = torch.exp(y)
    y.backward()
    assert x.grad_fn.saved is None
    assert z.grad_fn.saved is not None
    with pytest.raises(RuntimeError, match=SECOND) as raised:
        z.backward()
    assert raised.value.node is x.grad_fn
    assert z.grad_fn.saved is None, "exp ran before mul failed, so it is freed too"
    assert i.grad.item() == 2


def test_what_is_saved_is_gone_after_the_backward():
    x = leaf(2.0)
    y = x * x
    assert y.grad_fn._saved_self is x
    y.backward()
    with pytest.raises(RuntimeError, match=SECOND):
        _ = y.grad_fn._saved_self
    z = 2 * x
    z.backward()
    assert z.grad_fn._saved_self is None, "what was never saved is not freed"


def test_retain_graph_frees_nothing():
    x = leaf(3.0)
    y = x * x
    for expected in (6, 12, 18):
        y.backward(retain_graph=True)
        assert x.grad.item() == expected


def test_accumulation_keeps_the_object_and_counts_the_write():
    x = leaf(3.0)
    (x * 2).backward()
    first, version = x.grad, x.grad._version
    (x * 2).backward()
    assert x.grad is first
    assert x.grad._version == version + 1
    (x * x).backward(create_graph=True)
    assert x.grad is not first
    assert x.grad.requires_grad
    assert first.item() == 4


def test_no_gradient_shares_memory_with_another():
    a, b, g = leaf(1.0, 1.0), leaf(1.0, 1.0), torch.tensor([1.0, 2.0])
    (a + b).backward(g)
    assert len({a.grad.data_ptr(), b.grad.data_ptr(), g.data_ptr()}) == 3
    x = leaf(1.0, 1.0)
    x.backward(g)
    assert x.grad.data_ptr() != g.data_ptr()


def test_the_youngest_ready_node_runs_first():
    x = leaf(2.0)
    a = x * 1
    b = a.exp()
    c = a.sin()
    d = b + c
    order = []
    for name, tensor in {"a": a, "b": b, "c": c, "d": d}.items():
        tensor.grad_fn.register_hook(lambda inputs, outputs, name=name: order.append(name))
    d.backward()
    assert order == ["d", "c", "b", "a"]


def test_leaves_get_their_gradient_as_soon_as_it_is_there():
    x, w = leaf(2.0), leaf(3.0)
    early = x * 2
    late = w * 5
    seen = []
    early.grad_fn.register_hook(lambda inputs, outputs: seen.append(w.grad is not None))
    (early + late).backward()
    assert seen == [True]


def test_advancing_node_by_node():
    x = leaf(3.0)
    y = (x * x).exp().sin()
    run = start_backward(y, retain_graph=True)
    states = []
    while not run.advance(1):
        states.append(x.grad is None)
    assert states == [True, True, True]
    expected = x.grad.item()
    x.grad = None
    y.backward()
    assert x.grad.item() == expected


def test_what_an_advance_leaves_when_it_is_given_up():
    x = leaf(3.0)
    a = x * x
    y = a * a
    start_backward(y).advance(1)
    assert y.grad_fn.saved is None
    assert a.grad_fn.saved is not None
    assert state.grad


def test_backward_inside_no_grad():
    x = leaf(3.0)
    y = x * x
    with torch.no_grad():
        y.backward()
        assert not torch.is_grad_enabled()
    assert x.grad.item() == 6


def test_inputs_limits_what_gets_gradients():
    x, w = leaf(2.0), leaf(3.0)
    h = x * w
    z = h * h
    z.backward(inputs=[h], retain_graph=True)
    assert (h.grad.item(), x.grad, w.grad) == (12, None, None)
    z.backward(inputs=[x])
    assert (x.grad.item(), w.grad) == (36, None)


def test_grad_touches_no_grad_attribute():
    x = leaf(3.0)
    y = x**3
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    (third,) = torch.autograd.grad(second, x)
    assert (first.item(), second.item(), third.item(), x.grad) == (27, 18, 6, None)


def test_unused_inputs():
    x, u = leaf(1.0), leaf(1.0)
    with pytest.raises(RuntimeError, match="at index 1 appears to not have been used") as raised:
        torch.autograd.grad(x * 2, [x, u])
    assert raised.value.tensor is u
    assert torch.autograd.grad(x * 2, [x, u], allow_unused=True)[1] is None
    assert torch.autograd.grad(x * 2, [x, u], materialize_grads=True)[1].item() == 0


def test_a_chain_of_a_hundred_thousand_does_not_recurse():
    x = leaf(0.5)
    y = x
    for _ in range(100_000):
        y = y * 1.0
    assert sys.getrecursionlimit() < 100_000
    y.backward()
    assert x.grad.item() == 1
    del y


def test_graphs_have_no_reference_cycles():
    gc.collect()
    gc.disable()
    try:
        x = leaf(0.5, 1.0)
        y = ((x * 2).tanh() + x.exp()).view(2, 1).t().sum()
        y.backward()
        node = weakref.ref(x.exp())
        alive = weakref.ref(y)
        del y
        assert alive() is None
        assert node() is None
        found = weakref.ref(x)
        del x
        assert found() is None
    finally:
        gc.enable()


def test_a_leaf_keeps_its_accumulate_node_while_the_graph_lives():
    x = leaf(1.0)
    y = x * x
    first, second = (edge for edge, _ in y.grad_fn.next_functions)
    assert first is second
    assert first.variable is x
    assert first.name() == "torch::autograd::AccumulateGrad"


def test_hooks_on_tensors_run_before_the_gradient_is_kept():
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    seen = []
    handle = y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: seen.append(g.item()))
    y.backward()
    assert (seen, y.grad.item(), x.grad.item()) == ([10], 10, 20)
    handle.remove()
    handle.remove()


def test_hooks_on_leaves():
    x = leaf(1.0)
    seen = []
    x.register_hook(lambda g: g + 1)
    x.register_post_accumulate_grad_hook(lambda p: seen.append((p is x, p.grad.item())))
    x.grad = torch.tensor(10.0)
    (x * 3).backward()
    assert seen == [(True, 14)]


@pytest.mark.parametrize(
    ("hook", "kind", "text"),
    [
        (lambda g: "a", TypeError, "expected Variable, but hook returned 'str'"),
        (lambda g: torch.ones(3), RuntimeError, "hook '<lambda>' has changed the size of value"),
    ],
)
def test_hooks_that_return_nonsense(hook, kind, text):
    x = leaf(1.0, 2.0)
    x.register_hook(hook)
    with pytest.raises(kind, match=text):
        (x * 2).sum().backward()


def test_an_error_in_a_hook_leaves_grad_mode_alone():
    x = leaf(1.0)

    def broken(g):
        raise ValueError("in hook")

    x.register_hook(broken)
    with pytest.raises(ValueError, match="in hook"):
        (x * 2).backward()
    assert state.grad


def test_gradients_of_another_dtype_are_cast():
    x = leaf(1.0, 2.0)
    (x * 2).backward(torch.ones(2, dtype=torch.int64))
    assert x.grad.dtype is torch.float32
    a = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    (a * x).sum().backward()
    assert (a.grad.dtype, x.grad.dtype) == (torch.float64, torch.float32)


def test_broadcasting_is_undone():
    column, row, number = leaf(1.0, 2.0, 3.0), torch.ones(4, requires_grad=True), leaf(2.0)
    (column.view(3, 1) * row * number).sum().backward()
    assert column.grad.tolist() == [8, 8, 8]
    assert row.grad.tolist() == [12, 12, 12, 12]
    assert number.grad.item() == 24


def test_a_node_can_be_called():
    x = leaf(3.0)
    y = x * x
    left, right = y.grad_fn(torch.tensor(1.0))
    assert (left.item(), right.item()) == (3, 3)


def test_backward_of_large_fan_out():
    x = leaf(1.0)
    total = sum((x * float(i) for i in range(1, 2000)), torch.tensor(0.0))
    total.backward()
    assert np.isclose(x.grad.item(), 1999 * 1000)


def test_what_leads_to_no_leaf_is_left_out():
    base, w = torch.zeros(2), leaf(1.0, 2.0)
    with torch.no_grad():
        view = base.view(2)
    base.requires_grad_()
    doubled, seen = view * 2, []
    doubled.grad_fn.register_hook(lambda *gradients: seen.append(gradients))
    (found,) = torch.autograd.grad(doubled.sum() + (w * 3).sum(), w)
    assert doubled.requires_grad
    assert doubled.grad_fn.next_functions == ((None, 0), (None, 0))
    assert found.tolist() == [3, 3]
    assert not seen


def test_grad_returns_what_it_was_asked_for_before_the_first_hook_ran():
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    y = w * w

    def forget(gradient):
        w.requires_grad_(False)

    y.register_hook(forget)
    assert torch.autograd.grad(y.sum(), w)[0].tolist() == [4.0, 6.0]
    assert not w.requires_grad
