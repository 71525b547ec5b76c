import torch
from torch.autograd.function import Function, once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


x = torch.tensor([2.0], requires_grad=True)
y = Cube.apply(x)
(g,) = torch.autograd.grad(y, x, create_graph=True)
print(g)
(gg,) = torch.autograd.grad(g, x)
print(gg)
print(torch.autograd.gradcheck(Cube.apply, torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)))
print(torch.autograd.gradgradcheck(Cube.apply, torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)))


class Once(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


y = Once.apply(x)
(g,) = torch.autograd.grad(y, x, create_graph=True)
print(g.requires_grad, g.grad_fn)
try:
    g.backward()
except RuntimeError as error:
    print(error)


class Inplace(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.clone()
z = Inplace.apply(y)
print(z is y, z, y.grad_fn.name(), y._version)
z.sum().backward()
print(x.grad)


class Sort(Function):
    @staticmethod
    def forward(ctx, x):
        values, order = x.sort()
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return values, order

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        out = torch.zeros_like(g)
        out[order] = g
        return out


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
values, order = Sort.apply(x)
print(values, order, order.requires_grad)
(values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad)
