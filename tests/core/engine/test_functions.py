"""Operators that a learner writes, hooks on saved tensors, inference mode and anomaly mode."""

from __future__ import annotations

import warnings

import pytest

from chalkgrad import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by=2):
        ctx.save_for_backward(x)
        ctx.by = by
        ctx.shape = x.shape
        return x * by

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        assert ctx.shape == x.shape
        return g * ctx.by, None


def ones():
    return torch.ones(2, requires_grad=True)


def test_a_function_is_a_node():
    x = ones()
    y = Double.apply(x, 3)
    assert isinstance(y.grad_fn, torch.autograd.graph.Node)
    assert (y.grad_fn.name(), y.grad_fn.by, y.grad_fn.needs_input_grad) == ("DoubleBackward", 3, (True, False))
    assert y.grad_fn.saved_tensors[0] is x
    y.sum().backward()
    assert repr(x.grad) == "tensor([3., 3.])"
    with pytest.raises(RuntimeError, match="a second time"):
        _ = y.grad_fn.saved_tensors


@pytest.mark.parametrize("name", ["mark", "kept", "record", "recorded", "save", "seq", "begin"])
def test_attributes_of_the_learner_may_be_called_as_they_like(name):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            setattr(ctx, name, factor)
            ctx.save_for_backward(x)
            return x * factor

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * getattr(ctx, name) * x, None

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    Scaled.apply(x, 3.0).sum().backward()
    assert x.grad.tolist() == [3.0, 6.0]


def test_a_function_can_be_differentiated_twice():
    x = ones()
    (g,) = torch.autograd.grad(Double.apply(x * x).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert repr(h) == "tensor([4., 4.])"


def test_several_outputs_and_those_that_are_inputs():
    class Three(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, "a", x

        @staticmethod
        def backward(ctx, g, nothing, h):
            assert (nothing, repr(h)) == (None, "tensor([0., 0.])")
            return g

    x = ones()
    doubled, letter, same = Three.apply(x)
    assert (letter, same is x, same._is_view(), same.output_nr) == ("a", False, True, 2)
    with pytest.raises(RuntimeError, match="Output 2 of Three is a view and is being modified inplace"):
        same.add_(1)
    doubled.sum().backward()
    assert repr(x.grad) == "tensor([1., 1.])"


def test_a_dirty_input_gets_the_node():
    class Write(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = ones()
    y = x * 1
    z = Write.apply(y)
    assert (z is y, y.grad_fn.name(), y._version) == (True, "WriteBackward", 2)
    base = x * 1
    Write.apply(base[0])
    assert repr(base) == "tensor([2., 1.], grad_fn=<CopySlices>)"
    base.sum().backward()
    assert repr(x.grad) == "tensor([2., 1.])"


def test_hooks_on_saved_tensors():
    x, seen = ones(), []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or t.detach() * 2, lambda t: t * 10):
        y = x * x
    assert [t is x for t in seen] == [True, True]
    y.sum().backward()
    assert repr(x.grad) == "tensor([40., 40.])"
    z = x * x
    z.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
    with pytest.raises(RuntimeError, match="whose hooks have already been set"):
        z.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)


def test_inference_mode():
    x = ones()
    with torch.inference_mode():
        plain = torch.ones(2)
        assert (torch.is_grad_enabled(), (x * 2).requires_grad, x.view(2).is_inference()) == (False, False, False)
    assert (plain.is_inference(), plain.view(2).is_inference(), (plain + 1).is_inference()) == (True, True, False)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        x * plain
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        plain.add_(1)


def test_anomaly_mode_says_where_the_failing_node_was_made():
    x = torch.zeros(1, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.sqrt() * 0
        with (
            pytest.warns(UserWarning, match=r"Error detected in SqrtBackward0\. Traceback of forward call"),
            pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output"),
        ):
            y.backward()
    assert not torch.is_anomaly_enabled()


def test_where_warnings_are_errors_the_error_that_was_on_its_way_is_raised(capsys):
    x = torch.zeros(1, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.sqrt() * 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeError, match="returned nan values in its 0th output"):
                y.backward()
    assert "Error detected in SqrtBackward0" in capsys.readouterr().err


def test_edges_stand_for_tensors():
    x = ones()
    y = x * 4
    edge = torch.autograd.graph.get_gradient_edge(y)
    assert repr(torch.autograd.grad((y * 2).sum(), edge)) == "(tensor([2., 2.]),)"
    assert repr(torch.autograd.grad(edge, x, torch.ones(2))) == "(tensor([4., 4.]),)"


def test_a_batch_of_gradients():
    x = ones()
    (jacobian,) = torch.autograd.grad(x * x, x, torch.eye(2), is_grads_batched=True)
    assert repr(jacobian) == "tensor([[2., 0.],\n        [0., 2.]])"
