"""Gradcheck finds derivatives that are wrong, each in its own way, and passes those that are right."""

from __future__ import annotations

import pytest

from chalkgrad import torch


def cube(formula):
    """``x**3`` as a custom function with a backward of one's own."""

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            return formula(ctx.saved_tensors[0], g)

    return Cube.apply


def product(formula):
    """``a @ b`` as a custom function with a backward of one's own."""

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a @ b

        @staticmethod
        def backward(ctx, g):
            return formula(*ctx.saved_tensors, g)

    return Product.apply


@pytest.fixture
def x():
    return torch.tensor([[0.5, 2.0], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)


def test_what_is_right_passes(x):
    y = (x.detach() + 1).requires_grad_()
    assert torch.autograd.gradcheck(cube(lambda x, g: 3 * x * x * g), x)
    assert torch.autograd.gradgradcheck(cube(lambda x, g: 3 * x * x * g), x)
    assert torch.autograd.gradcheck(product(lambda a, b, g: (g @ b.t(), a.t() @ g)), (x, y))
    assert torch.autograd.gradgradcheck(product(lambda a, b, g: (g @ b.t(), a.t() @ g)), (x, y))


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.parametrize(
    "formula",
    [
        lambda x, g: -3 * x * x * g,
        lambda x, g: 2 * x * x * g,
        lambda x, g: 3 * x * g,
        lambda x, g: (3 * x * x * g).t(),
        lambda x, g: 3 * x * x * g + 1e-3,
        lambda x, g: None,
    ],
    ids=["sign", "factor", "power", "transposed", "shifted", "missing"],
)
def test_a_wrong_derivative_is_found(x, formula, fast_mode):
    with pytest.raises(RuntimeError, match=r"Jacobian mismatch for output 0 with respect to input 0|not multiplied"):
        torch.autograd.gradcheck(cube(formula), x, fast_mode=fast_mode)
    assert not torch.autograd.gradcheck(cube(formula), x, raise_exception=False)


@pytest.mark.parametrize(
    "formula",
    [lambda a, b, g: (g @ b.t(), None), lambda a, b, g: (g @ b, a.t() @ g), lambda a, b, g: (g @ b.t(), g @ a.t())],
    ids=["one missing", "not transposed", "wrong order"],
)
def test_a_wrong_derivative_of_two_inputs_is_found(x, formula):
    y = (x.detach() * 2 + 1).requires_grad_()
    assert not torch.autograd.gradcheck(product(formula), (x, y), raise_exception=False)


@pytest.mark.parametrize(
    "formula",
    [lambda x, g: 3 * x.detach() * x * g, lambda x, g: 3 * (x * x).detach() * g, lambda x, g: 3 * x * x * g.detach()],
    ids=["half of it", "by the input", "by the gradient"],
)
def test_what_is_wrong_at_second_order_only_is_found(x, formula):
    assert torch.autograd.gradcheck(cube(formula), x)
    assert not torch.autograd.gradgradcheck(cube(formula), x, raise_exception=False)


def test_a_backward_that_ignores_its_gradient_is_found(x):
    with pytest.raises(RuntimeError, match=r"backward not multiplied by grad_output|Jacobian mismatch"):
        torch.autograd.gradcheck(cube(lambda x, g: 3 * x * x), x)


def test_a_backward_that_changes_from_run_to_run_is_found(x):
    runs = []

    def formula(x, g):
        runs.append(1)
        return 3 * x * x * g + 1e-8 * len(runs) * g

    with pytest.raises(RuntimeError, match="Backward is not reentrant"):
        torch.autograd.gradcheck(cube(formula), x)
    assert torch.autograd.gradcheck(cube(formula), x, nondet_tol=1e-5)


def test_the_inputs_are_put_back(x):
    before = x.tolist()
    torch.autograd.gradcheck(lambda t: t.exp(), x)
    torch.autograd.gradcheck(lambda t: t.exp(), x, fast_mode=True)
    assert (x.tolist(), x._version, x.grad) == (before, 0, None)
