"""In-place operators: what PyTorch refuses, what it counts, and what becomes of views and their bases."""

from __future__ import annotations

import pytest

from chalkgrad import torch


def leaf(*values):
    return torch.tensor(list(values), requires_grad=True)


def test_a_leaf_that_requires_grad_is_not_written():
    w = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"^a leaf Variable that requires grad") as raised:
        w.add_(1)
    assert raised.value.tensor is w
    with pytest.raises(RuntimeError, match=r"^a view of a leaf Variable that requires grad"):
        w.view(2).mul_(2)
    assert (w.tolist(), w._version) == ([1, 2], 0)
    with torch.no_grad():
        w -= 1
    assert (w.tolist(), w._version, w.requires_grad) == ([0, 1], 1, True)


def test_overwriting_what_was_saved_is_noticed():
    x = leaf(1.0, 2.0)
    a = x * 2
    b = a.sin()
    a.add_(1)
    with pytest.raises(RuntimeError) as raised:
        b.sum().backward()
    assert str(raised.value) == (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [2]], which is output 0 of Add, is at version 1; expected version 0 instead. Hint: enable "
        "anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    assert (raised.value.node, raised.value.tensor, raised.value.name) == (b.grad_fn, a, "self")


def test_a_saved_result_counts_too():
    x = leaf(1.0, 2.0)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="output 0 of Exp, is at version 1; expected version 0"):
        y.sum().backward()


def test_saved_indices_count_though_they_have_no_grad_fn():
    values, indices = leaf(1.0, 3.0, 2.0).sort()
    assert values.grad_fn._saved_indices is indices
    indices[0] = 2
    with pytest.raises(RuntimeError, match=r"\[torch.LongTensor \[3\]\] is at version 1; expected version 0") as raised:
        values.sum().backward()
    assert (raised.value.node, raised.value.tensor, raised.value.name) == (values.grad_fn, indices, "indices")


def test_detach_shares_the_counter_and_data_does_not():
    x = leaf(1.0, 2.0)
    y = x.sigmoid()
    y.detach().zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    z = x.sigmoid()
    z.data.zero_()
    z.sum().backward()
    assert x.grad.tolist() == [0, 0], "PyTorch computes this wrong gradient silently, and so do we"
    assert (y._version, z._version) == (1, 0)


def test_a_result_looked_at_still_notices_writes():
    x = leaf(1.0, 2.0)
    y = x.exp()
    assert y.grad_fn._saved_result.tolist() == y.tolist()
    y.mul_(2)
    assert y.grad_fn.next_functions[0][0].name() == "ExpBackward0"
    with pytest.raises(RuntimeError, match="output 0 of Exp, is at version 1"):
        y.sum().backward()


def test_an_in_place_operator_saves_the_old_value():
    x = leaf(1.0, 2.0)
    y = x * 1
    y.sin_()
    assert repr(y.grad_fn._saved_self) == "tensor([1., 2.], grad_fn=<CloneBackward0>)"
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([0.5403023, -0.4161468])


def test_writing_makes_a_leaf_a_non_leaf():
    p, w = torch.zeros(2), leaf(1.0, 1.0)
    p.add_(w)
    assert (p.is_leaf, p.requires_grad, p.grad_fn.name()) == (False, True, "AddBackward0")
    p.sum().backward()
    assert w.grad.tolist() == [1, 1]


def test_retained_gradients_follow_the_newest_value():
    x = leaf(1.0, 1.0)
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    y.sum().backward()
    assert (y.grad.tolist(), x.grad.tolist()) == ([1, 1], [6, 6])


def test_writing_a_view_changes_the_base_and_its_grad_fn():
    x = leaf(1.0, 1.0, 1.0)
    y = x * 2
    v = y[0]
    v.mul_(5)
    assert repr(y) == "tensor([10.,  2.,  2.], grad_fn=<CopySlices>)"
    assert repr(v) == "tensor(10., grad_fn=<AsStridedBackward0>)"
    assert (y._version, v._version, v._base is y) == (1, 1, True)
    y.sum().backward()
    assert x.grad.tolist() == [10, 2, 2]


def test_writing_the_base_renews_the_views():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    y = x * 1
    v = y.view(2, 2).t()
    y.mul_(3)
    assert v.grad_fn.name() == "AsStridedBackward0"
    (v * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum().backward()
    assert x.grad.tolist() == [3, 300, 30, 3000]


def test_the_backward_of_an_overwritten_view_can_be_differentiated_again():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)

    def f(x):
        y = x * x
        y[0] = x[1] * x[0]
        return (y * y).sum()

    assert torch.autograd.gradcheck(f, (x,))
    assert torch.autograd.gradgradcheck(f, (x,))


def test_a_second_backward_through_an_overwritten_view_fails_always():
    x = leaf(1.0, 1.0)
    y = x + 1
    y[0] = 3.0
    s = y.sum()
    s.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        s.backward()


def test_views_made_under_no_grad_are_not_written_in_grad_mode():
    y = leaf(1.0, 1.0, 1.0) * 2
    with torch.no_grad():
        v = y[0]
    with pytest.raises(RuntimeError, match=r"^A view was created in no_grad mode and is being modified inplace"):
        v.mul_(2)


def test_detach_in_place():
    x = leaf(1.0, 2.0)
    y = x * 2
    assert y.detach_() is y
    assert (y.is_leaf, y.requires_grad, y.grad_fn, y._version) == (True, False, None, 0)
    with pytest.raises(RuntimeError, match=r"^Can't detach views in-place"):
        (x * 2).view(2, 1).detach_()


def test_what_was_recorded_before_detach_stays_recorded():
    x = torch.tensor(1.0, requires_grad=True)
    y = torch.exp(x)
    added = y + y
    squared = y * y
    y.detach_()
    added.backward(retain_graph=True)
    assert x.grad.item() == pytest.approx(2 * 2.7182817)
    assert squared.grad_fn._saved_self is y
    with pytest.raises(RuntimeError, match="detached in-place") as raised:
        squared.backward()
    assert raised.value.tensor is y


def test_saving_after_detach_is_no_error():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.detach_()
    z = y * x
    z.backward()
    assert x.grad.item() == 6


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda: torch.ones(2).add_(torch.ones(3, 2)), r"output with shape \[2\] doesn't match the broadcast shape"),
        (lambda: torch.zeros(2, dtype=torch.int64).add_(torch.ones(2)), "result type Float can't be cast"),
        (lambda: torch.zeros(1).expand(3).add_(1), "more than one element of the written-to tensor refers"),
        (lambda: torch.ones(2, 2).fill_(torch.ones(2)), "fill_ only supports 0-dimension value tensor"),
        (lambda: (lambda t: t[1:].add_(t[:-1]))(torch.ones(3)), "some elements of the input tensor and the written-to"),
    ],
)
def test_refused_writes(write, text):
    with pytest.raises(RuntimeError, match=text):
        write()
