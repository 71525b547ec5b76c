import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**4
(first,) = torch.autograd.grad(y, x, create_graph=True)
print(first)
(second,) = torch.autograd.grad(first, x, create_graph=True)
print(second)
(third,) = torch.autograd.grad(second, x, create_graph=True)
print(third)
(fourth,) = torch.autograd.grad(third, x)
print(fourth)

# All derivatives of sin at some points
t = torch.linspace(0.0, 1.5, 4, requires_grad=True)
f = torch.sin(t)
for order in range(1, 5):
    (f,) = torch.autograd.grad(f.sum(), t, create_graph=True)
    print(order, f)

# Through backward
x = torch.tensor([3.0], requires_grad=True)
y = x**3
y.backward(create_graph=True)
print(x.grad)
g = x.grad.clone()
x.grad.data.zero_()
g.backward()
print(x.grad)

# A constant derivative
x = torch.tensor(1.0, requires_grad=True)
(g,) = torch.autograd.grad(3 * x, x, create_graph=True)
print(g, g.requires_grad)
try:
    torch.autograd.grad(g, x)
except RuntimeError as error:
    print(error)

# Mixed
a, b = torch.tensor(1.5, requires_grad=True), torch.tensor(0.5, requires_grad=True)
f = torch.exp(a * b) + a * a * b
fa, fb = torch.autograd.grad(f, (a, b), create_graph=True)
print(fa, fb)
print(torch.autograd.grad(fa, b, retain_graph=True), torch.autograd.grad(fb, a, retain_graph=True))
print(torch.autograd.grad(fa, (a, b), retain_graph=True), torch.autograd.grad(fb, (a, b), allow_unused=True))
for function in (torch.tanh, torch.sigmoid, torch.log, torch.sqrt, lambda t: t.relu(), lambda t: 1 / t, torch.atan, lambda t: t**t):
    t = torch.tensor([0.3, 1.2], dtype=torch.double, requires_grad=True)
    (g,) = torch.autograd.grad(function(t).sum(), t, create_graph=True)
    try:
        (gg,) = torch.autograd.grad(g.sum(), t)
    except RuntimeError as error:
        gg = str(error)
    print(g, gg)
