import torch


def attempt(what):
    try:
        what()
    except RuntimeError as error:
        print("RuntimeError:", error)


w = torch.ones(2, requires_grad=True)
attempt(lambda: w.add_(1))
attempt(lambda: w.zero_())
attempt(lambda: w[0].mul_(3))


def assign():
    w[0] = 5.0


attempt(assign)
with torch.no_grad():
    w += 1
print(w, w._version)
w.data.mul_(2)
print(w, w._version)

# A saved value is overwritten
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.exp(x)
y += 1
attempt(lambda: y.sum().backward())
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.sigmoid(x)
z = y * 2
y.mul_(2)
attempt(lambda: z.sum().backward())

# Harmless ones
x = torch.tensor([1.0, -2.0], requires_grad=True)
y = x * 3
y += 1
y.relu_()
print(y, y._version)
y.sum().backward()
print(x.grad)
x = torch.zeros(4, requires_grad=True)
y = x.clone()
y[1:3] = torch.tensor([5.0, 6.0])
y[0] *= 2
print(y, y.grad_fn, y.grad_fn.next_functions)
y.sum().backward()
print(x.grad)

# A view is written, and its base with it
a = torch.zeros(2, 3, requires_grad=True)
b = a * 1
row = b[0]
print(row.grad_fn, row._is_view(), row._base is b)
row.fill_(7)
print(b, row.grad_fn, b._version)
b.sum().backward()
print(a.grad)
x = torch.ones(3)
y = x.view(3, 1)
y.add_(1)
print(x, x._version, y._version)

# Detached values share memory and version
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
d = y.detach()
d.zero_()
print(y)
attempt(lambda: y.sum().backward())
y = x.exp()
y.data.zero_()
y.sum().backward()
print(x.grad, "wrong, and nobody noticed")
