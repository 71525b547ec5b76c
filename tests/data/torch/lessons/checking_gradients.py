import torch
from torch.autograd import gradcheck, gradgradcheck


def numerical(f, x, eps=1e-3):
    out = torch.zeros_like(x)
    for i in range(x.numel()):
        step = torch.zeros_like(x)
        step[i] = eps
        out[i] = (f(x + step) - f(x - step)) / (2 * eps)
    return out


x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
f = lambda t: (torch.sin(t) * t**2).sum()
(g,) = torch.autograd.grad(f(x), x)
print(g, numerical(f, x.detach()))
print(torch.allclose(g, numerical(f, x.detach()), atol=1e-4))
print(gradcheck(f, (x,)), gradgradcheck(f, (x,)))
linear = torch.nn.Linear(3, 2).double()
print(gradcheck(linear, (x,), eps=1e-6, atol=1e-4))


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x  # forgot the 2


try:
    gradcheck(Wrong.apply, (torch.tensor([1.0, 3.0], dtype=torch.float64, requires_grad=True),))
except Exception as error:
    print(type(error).__name__, error)
print(gradcheck(Wrong.apply, (torch.tensor([1.0], dtype=torch.float64, requires_grad=True),), raise_exception=False))
try:
    gradcheck(f, (torch.ones(2),))
except ValueError as error:
    print(error)
