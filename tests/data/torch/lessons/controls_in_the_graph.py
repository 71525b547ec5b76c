import torch


def f(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c


a = torch.tensor(0.7, requires_grad=True)
d = f(a)
d.backward()
print(a.grad == d / a, a.grad, d)
a = torch.tensor(-0.7, requires_grad=True)
f(a).backward()
print(a.grad)

# Recursion and lists
x = torch.tensor(1.5, requires_grad=True)


def power(x, n):
    return x if n == 1 else x * power(x, n - 1)


power(x, 5).backward()
print(x.grad, 5 * 1.5**4)
terms, total = [], 0
for k in range(6):
    terms.append(x.detach().requires_grad_() ** k)
    total = total + terms[-1] / (k + 1)
print(total, sum(terms), torch.stack(terms))
x = torch.arange(4.0, requires_grad=True)
y = 2 * torch.dot(x, x)
y.backward()
print(x.grad, x.grad == 4 * x)
x.grad.zero_()
y = x.sum()
y.backward()
print(x.grad)
x.grad.zero_()
y = x * x
y.sum().backward()
print(x.grad)
x.grad.zero_()
u = (x * x).detach()
(u * x).sum().backward()
print(x.grad == u)
# Piecewise
x = torch.linspace(-2, 2, 9, requires_grad=True)
y = torch.where(x < 0, x**2, torch.sqrt(x + 1))
y.sum().backward()
print(y, x.grad)
# Fixed point and bisection
c = torch.tensor(2.0, requires_grad=True)
s = torch.tensor(1.0)
for _ in range(6):
    s = (s + c / s) / 2
print(s)
s.backward()
print(c.grad, 0.5 / 2**0.5)
# Long chain
x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(3000):
    y = y * 1.001
y.backward()
print(x.grad, y)
# Sum over python numbers and scalars of all kinds
x = torch.tensor([1.0, 2.0], requires_grad=True)
for out in (x + 1, 1 + x, x - 1, 1 - x, x * 3, 3 * x, x / 2, 2 / x, x**2, 2**x, -x, +x, abs(x), x % 2, x // 2, x + True, round(x[0], 1) if False else x.round()):
    print(out)
try:
    (x > 0 and x < 2)
except RuntimeError as error:
    print(error)
print((x > 0) & (x < 2), ~(x > 1), x.eq(1) | x.eq(2), (x > 1) ^ True)
