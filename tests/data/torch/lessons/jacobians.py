import torch
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp


def f(x):
    return torch.stack([x[0] ** 2 + x[1], x[0] * x[1], torch.sin(x[1])])


x = torch.tensor([1.0, 2.0])
print(jacobian(f, x))
print(vjp(f, x, torch.tensor([1.0, 0.0, 2.0])))
print(jvp(f, x, torch.tensor([1.0, -1.0])))
print(jacobian(lambda a, b: a * b + b.exp(), (x, x + 1)))
g = lambda x: (x**3).sum() + x[0] * x[1]
print(hessian(g, x))
print(hvp(g, x, torch.ones(2)), vhp(g, x, torch.ones(2)))
print(hessian(lambda a, b: (a * b).sum() ** 2, (x, x)))
print(jacobian(f, x, create_graph=True))
print(jacobian(f, x, vectorize=True))
try:
    hessian(f, x)
except RuntimeError as error:
    print(error)
try:
    vjp(f, x)
except RuntimeError as error:
    print(error)

# By hand, row after row
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = f(x)
rows = []
for i in range(3):
    v = torch.zeros(3)
    v[i] = 1
    rows.append(torch.autograd.grad(y, x, v, retain_graph=True)[0])
print(torch.stack(rows))
print(torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True, retain_graph=True))
print(torch.autograd.grad(y, x, torch.tensor([1.0, 1.0, 1.0]))[0])

# Hessian by hand
x = torch.tensor([1.0, 2.0], requires_grad=True)
(grad,) = torch.autograd.grad(g(x), x, create_graph=True)
H = torch.stack([torch.autograd.grad(part, x, retain_graph=True)[0] for part in grad])
print(H)
v = torch.tensor([1.0, 0.5])
print(torch.autograd.grad(grad @ v, x))
for wrong in (
    lambda: torch.autograd.grad(f(x), x),
    lambda: torch.autograd.grad(g(x), torch.ones(2)),
    lambda: torch.autograd.grad(g(x), x, torch.ones(2)),
    lambda: torch.autograd.grad(g(x), (x, torch.ones(2, requires_grad=True))),
):
    try:
        wrong()
    except RuntimeError as error:
        print(error)
unused = torch.ones(1, requires_grad=True)
print(torch.autograd.grad(g(x), (x, unused), allow_unused=True))
print(torch.autograd.grad(g(x), (x, unused), materialize_grads=True))
