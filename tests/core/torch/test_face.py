"""The face: what it offers, what it refuses, and that modules and optimisers compute as PyTorch's."""

from __future__ import annotations

import importlib
import traceback

import numpy as np
import pytest

from chalkgrad import torch
from chalkgrad.engine.record import OPS
from chalkgrad.torch.functions import LEFT_OUT


@pytest.mark.parametrize("name", ["", "nn", "nn.functional", "optim", "autograd"])
def test_what_is_not_offered_raises_as_in_pytorch(name):
    module = importlib.import_module(".".join(filter(None, ["chalkgrad.torch", name])))
    called = ".".join(filter(None, ["torch", name]))
    with pytest.raises(AttributeError, match=f"^module '{called}' has no attribute 'no_such_thing'$"):
        _ = module.no_such_thing


@pytest.mark.parametrize("name", [name for names in LEFT_OUT.values() for name in names.split()])
def test_what_is_left_out_on_purpose_says_so(name):
    *path, last = name.split(".")
    module = importlib.import_module(".".join(["chalkgrad", *path]))
    with pytest.raises(AttributeError, match=rf"^module '\S+' has no attribute '{last}': Chalkgrad leaves out"):
        getattr(module, last)


def test_saved_tensors_are_of_a_class_that_nobody_makes():
    y = torch.ones(1, requires_grad=True).exp()
    assert isinstance(y.grad_fn._raw_saved_result, torch.autograd.SavedTensor)
    with pytest.raises(RuntimeError, match=r"^Trying to create a SavedTensor object from Python is forbidden\.$"):
        torch.autograd.SavedTensor()


def test_every_function_of_the_table_is_there():
    for record in OPS.values():
        if record.function is not None:
            found = torch
            for part in record.function.split(".")[1:]:
                found = getattr(found, part)
            assert callable(found)
        if record.method is not None:
            assert callable(getattr(torch.Tensor, record.method))


def test_inputs_may_be_named():
    a = torch.ones(2)
    assert torch.add(input=a, other=a, alpha=3).tolist() == [4, 4]
    assert torch.sum(a, dim=0).item() == 2
    assert torch.softmax(input=a, dim=0).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: torch.add(1, "a"), "add(): argument 'other' (position 2) must be Tensor, not str"),
        (lambda: torch.exp(2.0), "exp(): argument 'input' (position 1) must be Tensor, not float"),
        (lambda: torch.add(torch.ones(1), torch.ones(1), alfa=1), "add() got an unexpected keyword argument 'alfa'"),
        (lambda: torch.matmul(torch.ones(1)), 'matmul() missing 1 required positional arguments: "other"'),
        (lambda: torch.zeros(2.0), "zeros(): argument 'size' (position 1) must be tuple of ints, not float"),
        (lambda: torch.from_numpy([1]), "expected np.ndarray (got list)"),
    ],
)
def test_wrong_arguments(call, text):
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == text


def test_wrong_arguments_are_told_as_pythons_own_type_error():
    with pytest.raises(TypeError) as raised:
        torch.ones(2).sum(0, True, 3)
    assert traceback.format_exception_only(raised.value)[0].startswith("TypeError: sum() takes from 1 to 2 ")


def test_out():
    a, out = torch.ones(2), torch.zeros(2)
    assert torch.add(a, 1, out=out) is out
    assert (out.tolist(), out._version) == ([2, 2], 1)
    with pytest.raises(RuntimeError, match="arguments don't support automatic differentiation"):
        torch.add(a, 1, out=torch.zeros(2, requires_grad=True))


CREATED = [
    "torch.tensor([1, 2.5])",
    "torch.tensor([1, True])",
    "torch.tensor([])",
    "torch.tensor([[]])",
    "torch.tensor([1.7], dtype=torch.int64)",
    "torch.tensor(2**40)",
    "torch.tensor(range(3))",
    "torch.tensor([torch.tensor(1.0), torch.tensor(2.0)])",
    "torch.tensor(np.ones(2))",
    "torch.tensor(np.float32(2))",
    "torch.tensor([np.float64(2), 3])",
    "torch.Tensor([1, 2])",
    "torch.zeros(2, 3)",
    "torch.ones((2, 1), dtype=torch.uint8)",
    "torch.full((2,), 3)",
    "torch.full((), 3.5)",
    "torch.eye(2, 3)",
    "torch.arange(3)",
    "torch.arange(1, 3.0)",
    "torch.arange(0, 1, 0.25)",
    "torch.arange(3, 0, -1)",
    "torch.linspace(0, 1, 5)",
    "torch.linspace(0.5, 1.5, 1)",
    "torch.linspace(-3, 10, 7, dtype=torch.float64)",
    "torch.linspace(0, 3, 4, dtype=torch.int64)",
    "torch.rand(3, generator=torch.Generator().manual_seed(7))",
    "torch.randn(20, generator=torch.Generator().manual_seed(7))",
    "torch.ones_like(torch.arange(2), dtype=torch.float64)",
    "torch.full_like(torch.ones(2), 2)",
    "torch.tensor([[1.0, 2], [3]])",
    "torch.tensor('a')",
    "torch.tensor(['a'])",
    "torch.tensor(None)",
    "torch.tensor({})",
    "torch.tensor(300, dtype=torch.uint8)",
    "torch.tensor(2**70)",
    "torch.full(2, 3.0)",
    "torch.arange(3, 0)",
    "torch.zeros(-1)",
    "torch.rand(2, dtype=torch.int64)",
    "torch.arange(5, requires_grad=True)",
    "torch.ones(2, 2).mT",
    "torch.zeros(2, dtype=torch.float64).double() is None",
]


@pytest.mark.parametrize("text", CREATED)
def test_created_as_in_pytorch(text):
    theirs = pytest.importorskip("torch")

    def result(module):
        try:
            return repr(eval(text, {"torch": module, "np": np}))
        except Exception as error:
            return type(error).__name__, str(error)

    assert result(torch) == result(theirs)


TRAINING = """
torch.manual_seed(3)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
x = torch.randn(8, 3)
target = x.sum(1, keepdim=True)
loss_of = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum={momentum}, nesterov={nesterov}, weight_decay=0.01)
losses = []
for step in range(10):
    optimizer.zero_grad()
    loss = loss_of(model(x), target)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
facts = [(name, p.tolist(), p._version, p.grad.tolist()) for name, p in model.named_parameters()]
names = [type(edge).__name__ for edge, _ in model(x).grad_fn.next_functions]
text = repr(model)
"""


@pytest.mark.parametrize(("momentum", "nesterov"), [(0, False), (0.9, False), (0.9, True)])
def test_training_as_in_pytorch(momentum, nesterov):
    theirs = pytest.importorskip("torch")
    code = TRAINING.format(momentum=momentum, nesterov=nesterov)
    mine, other = {"torch": torch}, {"torch": theirs}
    exec(code, mine)
    exec(code, other)
    assert np.allclose(mine["losses"], other["losses"], rtol=1e-4)
    assert (mine["names"], mine["text"]) == (other["names"], other["text"])
    for (name, values, version, gradient), (other_name, other_values, other_version, other_gradient) in zip(
        mine["facts"], other["facts"], strict=True
    ):
        assert (name, version) == (other_name, other_version)
        assert np.allclose(values, other_values, rtol=1e-4, atol=1e-6)
        assert np.allclose(gradient, other_gradient, rtol=1e-3, atol=1e-6)


def test_optimisers_refuse_what_they_cannot_optimise():
    w = torch.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match="can't optimize a non-leaf Tensor"):
        torch.optim.SGD([w * 2], lr=0.1)
    with pytest.raises(TypeError, match=r"an iterable of Tensors or dicts, but got torch\.FloatTensor"):
        torch.optim.SGD(w, lr=0.1)
    with pytest.raises(ValueError, match="optimizer got an empty parameter list"):
        torch.optim.SGD([], lr=0.1)


def test_modules():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.ones(2))
            self.inner = torch.nn.Linear(2, 2, bias=False)

        def forward(self, x):
            return self.inner(x) * self.scale

    net = Net()
    assert [name for name, _ in net.named_parameters()] == ["scale", "inner.weight"]
    assert net(torch.ones(3, 2)).shape == (3, 2)
    net(torch.ones(1, 2)).sum().backward()
    assert net.scale.grad is not None
    net.zero_grad(set_to_none=False)
    assert net.scale.grad.tolist() == [0, 0]
    net.zero_grad()
    assert net.scale.grad is None
    assert not net.eval().training
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'missing'"):
        _ = net.missing


def test_gradcheck_finds_a_wrong_derivative():
    x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: t.exp() * t, (x,))

    def wrong(t):
        return t.exp() + t.detach()

    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input 0"):
        torch.autograd.gradcheck(wrong, (x,))
    assert not torch.autograd.gradcheck(wrong, (x,), raise_exception=False)


def test_what_is_imported_late_is_listed_all_the_same():
    assert set(torch.__all__) <= set(dir(torch))
