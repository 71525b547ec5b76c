"""A tensor's flags, properties and conversions, and what PyTorch says where they are misused."""

from __future__ import annotations

import copy
import io
import pickle
import warnings

import numpy as np
import pytest

from chalkgrad import torch
from chalkgrad.engine import storage
from chalkgrad.engine.dtype import can_cast, promote_types, result_type


def leaf(*values):
    return torch.tensor(list(values), requires_grad=True)


@pytest.mark.parametrize("name", ["is_leaf", "grad_fn", "retains_grad", "_version", "shape", "T"])
def test_attributes_that_are_not_writable(name):
    with pytest.raises(AttributeError, match=f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable"):
        setattr(torch.ones(1), name, None)


def test_misspelled_attributes():
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'requires_gd'"):
        _ = torch.ones(1).requires_gd


def test_looking_at_a_non_leaf_gradient_warns_each_time():
    y = leaf(1.0) * 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert y.grad is None
        assert y.grad is None
    assert [w.category for w in caught] == [UserWarning] * 2
    assert caught[0].filename == __file__
    assert "The .grad attribute of a Tensor that is not a leaf Tensor" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.peek_grad() is None
        assert y.detach().grad is None
        y.retain_grad()
        assert y.grad is None


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (torch.ones(3), RuntimeError, "attempting to assign a gradient of size '[3]' to a tensor of size '[2]'"),
        (torch.ones(2, dtype=torch.float64), RuntimeError, "with dtype 'double' to a tensor with grad_dtype 'Float'"),
        (1.0, TypeError, "assigned grad expected to be a Tensor or None but got grad of type float"),
    ],
)
def test_gradients_that_cannot_be_assigned(value, kind, text):
    x = leaf(1.0, 2.0)
    with pytest.raises(kind) as raised:
        x.grad = value
    assert text in str(raised.value)
    with pytest.raises(RuntimeError, match="can't assign Variable as its own grad"):
        x.grad = x


def test_assigned_gradients_are_accumulated_onto():
    x = leaf(1.0, 2.0)
    x.grad = torch.ones(2)
    (x * 3).sum().backward()
    assert x.grad.tolist() == [4, 4]
    del x.grad
    assert x.grad is None


def test_requires_grad_rules():
    y = leaf(1.0) * 2
    with pytest.raises(RuntimeError, match=r"you can only change requires_grad flags of leaf variables. If you want"):
        y.requires_grad = False
    with pytest.raises(RuntimeError, match=r"requires_grad must be a bool"):
        torch.ones(1).requires_grad = 1
    with pytest.raises(RuntimeError, match=r"^only Tensors of floating point dtype can require"):
        torch.tensor([1]).requires_grad_()
    with pytest.raises(RuntimeError, match=r"^Only Tensors of floating point and complex dtype can require"):
        torch.ones(2, dtype=torch.int64, requires_grad=True)
    p, w = torch.ones(1), leaf(1.0)
    product = p * w
    p.requires_grad_()
    product.backward()
    assert (p.grad, w.grad.tolist()) == (None, [1])


def test_data_has_a_counter_of_its_own_and_detach_has_not():
    x = leaf(1.0, 2.0)
    assert x.data.data_ptr() == x.data_ptr() == x.detach().data_ptr()
    x.data.add_(1)
    assert x._version == 0
    x.detach().add_(1)
    assert (x._version, x.tolist()) == (1, [3, 4])
    assert storage.storage_id(x.array) == storage.storage_id(x.data.array) == storage.storage_id(x.view(1, 2).array)
    x.data = torch.ones(3)
    assert (x.shape, x._version, x.requires_grad) == ((3,), 1, True)


def test_storage_is_known_through_expanded_views():
    x = torch.ones(1)
    assert storage.storage_id(x.expand(3).array) == storage.storage_id(x.array)
    assert storage.owner(x.expand(3).t()[1:].array) is x.array


def test_conversions():
    w = leaf(2.0)
    with pytest.raises(RuntimeError, match="Can't call numpy\\(\\) on Tensor that requires grad"):
        w.numpy()
    assert w.detach().numpy() is not None
    assert (w * 2).tolist() == [4.0]
    assert w.item() == 2.0
    assert int(w) == 2
    assert bool(w)
    assert [10, 20][torch.tensor(1)] == 20
    assert 2.0 in w
    assert list(torch.arange(3)) == [0, 1, 2]
    with pytest.warns(UserWarning, match="Converting a tensor with requires_grad=True to a scalar"):
        float(w)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        float(w)
    for bad, kind, text in [
        (lambda: torch.ones(2).item(), RuntimeError, "a Tensor with 2 elements cannot be converted to Scalar"),
        (lambda: bool(torch.ones(2)), RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"),
        (lambda: len(torch.tensor(1.0)), TypeError, r"len\(\) of a 0-d tensor"),
        (lambda: list(torch.tensor(1.0)), TypeError, "iteration over a 0-d tensor"),
        (lambda: range(torch.tensor(1.0)), TypeError, "only integer tensors of a single element"),
    ]:
        with pytest.raises(kind, match=text):
            bad()


def test_copies():
    w = leaf(1.0)
    (w * 2).backward()
    other = copy.deepcopy(w)
    assert (other.tolist(), other.grad.tolist(), other.is_leaf, other.requires_grad) == ([1], [2], True, True)
    assert other.grad is not w.grad
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(w * 2)
    assert pickle.loads(pickle.dumps(torch.float64)) is torch.float64


def test_versions_of_copies():
    x = torch.zeros(2)
    same = copy.copy(x)
    same.add_(1)
    assert (x.tolist(), x._version, same._version) == ([1, 1], 0, 2)
    x.add_(1)
    assert [copy.deepcopy(x)._version, pickle.loads(pickle.dumps(x))._version] == [1, 1]
    assert [made(torch.nn.Parameter(x.data))._version for made in (copy.copy, copy.deepcopy)] == [0, 0]
    file = io.BytesIO()
    torch.save([x, torch.nn.Parameter(x)], file)
    file.seek(0)
    assert [one._version for one in torch.load(file)] == [1, 1]


def test_printing_says_where_it_came_from():
    w = leaf(1.0)
    assert repr(w) == "tensor([1.], requires_grad=True)"
    assert repr(w * 2) == "tensor([2.], grad_fn=<MulBackward0>)"
    assert f"{torch.tensor(1.5):.2f}" == "1.50"
    assert repr(torch.nn.Parameter(torch.ones(1))) == "Parameter containing:\ntensor([1.], requires_grad=True)"
    assert repr(torch.ones(2, 3).shape) == "torch.Size([2, 3])"
    node = repr((w * 2).grad_fn)
    assert node.startswith("<MulBackward0 object at 0x")


def test_promotion():
    f32, f64, i32, i64, u8 = torch.float32, torch.float64, torch.int32, torch.int64, torch.uint8
    bool_ = torch.ones(1).bool().dtype
    assert promote_types(i64, f32) is f32
    assert promote_types(i32, i64) is i64
    assert promote_types(u8, torch.int8) is torch.int16
    assert promote_types(bool_, u8) is u8
    one, many = np.ones((), np.float64), np.ones(2, np.float32)
    assert result_type((one, many)) is f32
    assert result_type((np.ones(2, np.int64), 2.5)) is f32
    assert result_type((np.ones(2, np.int64), one)) is f64
    assert result_type((np.ones(2, bool), 2)) is i64
    assert can_cast(i64, f32)
    assert not can_cast(f32, i64)


def test_number_operands():
    x = leaf(1.0, 2.0)
    assert (2 * x).grad_fn._saved_other.dtype is torch.int64
    assert (x * 2.5).grad_fn._saved_other.dtype is torch.float64
    assert (1 - x).grad_fn.name() == "RsubBackward1"
    assert (1 / x).grad_fn.next_functions[0][0].name() == "ReciprocalBackward0"
    assert [(x**2).grad_fn.name(), (2**x).grad_fn.name(), (x**x).grad_fn.name()] == [
        "PowBackward0",
        "PowBackward2",
        "PowBackward1",
    ]
    assert (torch.ones(2, dtype=torch.uint8) + 300).tolist() == [45, 45]
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Tensor' and 'str'"):
        _ = x + "a"
    assert (x == None) is False  # noqa: E711
    assert x != "a"


def test_minus_zero_is_kept():
    x = torch.ones(1)
    assert np.signbit((x * -0.0).array).all()
    assert not np.signbit((x * 0.0).array).any()


def test_grad_modes():
    x = leaf(1.0)
    assert not torch.set_grad_enabled(False).mode
    assert not (x * 2).requires_grad
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        with torch.enable_grad():
            assert (x * 2).requires_grad
        assert not (x * 2).requires_grad
    assert torch.is_grad_enabled()
    with pytest.raises(ValueError, match="inside"), torch.no_grad():
        raise ValueError("inside")
    assert torch.is_grad_enabled()

    @torch.no_grad()
    def plain(x):
        return x * 2

    @torch.no_grad
    def bare(x):
        return x * 2

    @torch.no_grad()
    def stream(x):
        for _ in range(2):
            yield x * 2

    assert not plain(x).requires_grad
    assert not bare(x).requires_grad
    for result in stream(x):
        assert not result.requires_grad
        assert torch.is_grad_enabled()
    assert repr(torch.no_grad()).startswith("<torch.autograd.grad_mode.no_grad object")
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):
        torch.no_grad()(type("A", (), {}))


def test_indexing():
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    assert x[1].tolist() == [3, 4, 5]
    assert x[:, 1].tolist() == [1, 4]
    assert x[..., -1].tolist() == [2, 5]
    assert x[0, 1:].tolist() == [1, 2]
    assert x[None].shape == (1, 2, 3)
    assert x[0].grad_fn.name() == "SelectBackward0"
    assert x[0:1].grad_fn._saved_end == 1
    for bad, kind, text in [
        (lambda: x[5], IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
        (lambda: x[0, 0, 0], IndexError, "too many indices for tensor of dimension 2"),
        (lambda: x[::-1], ValueError, "step must be greater than zero"),
        (lambda: torch.tensor(1.0)[0], IndexError, "invalid index of a 0-dim tensor"),
    ]:
        with pytest.raises(kind, match=text):
            bad()
