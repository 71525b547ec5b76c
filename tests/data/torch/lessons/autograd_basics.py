import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2 + 2 * x + 1
print(y)
print(y.grad_fn)
y.backward()
print(x.grad)

# Two variables
a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([6.0, 4.0], requires_grad=True)
Q = 3 * a**3 - b**2
print(Q)
try:
    Q.backward()
except RuntimeError as error:
    print("RuntimeError:", error)
Q.backward(gradient=torch.tensor([1.0, 1.0]))
print(a.grad, b.grad)
print(9 * a**2 == a.grad)
print(-2 * b == b.grad)

# Chain
x = torch.ones(2, 2, requires_grad=True)
print(x)
y = x + 2
print(y, y.grad_fn)
z = y * y * 3
out = z.mean()
print(z, out)
out.backward()
print(x.grad)
a = torch.randn(2, 2, generator=torch.Generator().manual_seed(4))
a = (a * 3) / (a - 1)
print(a.requires_grad)
a.requires_grad_(True)
print(a.requires_grad)
b = (a * a).sum()
print(b.grad_fn)

x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
y = x * 2
n = 0
while y.data.norm() < 1000:
    y = y * 2
    n += 1
print(y, n)
y.backward(torch.tensor([0.1, 1.0, 0.0001], dtype=torch.float))
print(x.grad)
print(x.requires_grad, (x**2).requires_grad)
with torch.no_grad():
    print((x**2).requires_grad)
y = x.detach()
print(y.requires_grad, x.eq(y).all())

# The functions everybody differentiates first
for f in (torch.sin, torch.cos, torch.exp, torch.log, torch.sqrt, torch.tanh, torch.sigmoid, torch.relu, torch.abs):
    t = torch.tensor([0.5, 1.5], requires_grad=True)
    out = f(t)
    out.sum().backward()
    print(f.__name__, out, t.grad)
