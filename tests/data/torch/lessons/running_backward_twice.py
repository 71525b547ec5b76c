import torch

x = torch.tensor([2.0], requires_grad=True)
y = x**2 * 3
y.backward(retain_graph=True)
print(x.grad)
y.backward()
print(x.grad)
try:
    y.backward()
except RuntimeError as error:
    print("RuntimeError:", error)

# Shared part of two losses
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = torch.exp(x)
one, two = h.sum(), (h * h).sum()
one.backward()
print(x.grad)
try:
    two.backward()
except RuntimeError as error:
    print(str(error)[:60])

# No saved values: as often as one likes
x = torch.tensor([1.0, 2.0], requires_grad=True)
s = (x + 1).sum()
for _ in range(3):
    s.backward()
    print(x.grad)

# Sum of the losses in one go
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = torch.exp(x)
(h.sum() + (h * h).sum()).backward()
print([round(c, 2) for c in x.grad.tolist()])

# Several roots at once
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = torch.exp(x)
torch.autograd.backward([h.sum(), h], [None, torch.tensor([1.0, 0.0])])
print(x.grad)

# inputs=
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
(x * w).backward(inputs=[w])
print(x.grad, w.grad)
for wrong in (
    lambda: torch.autograd.backward([x * w], [torch.ones(2)]),
    lambda: torch.autograd.backward([x * w], []),
    lambda: (x * w).backward(inputs=[]),
    lambda: torch.ones(1).backward(),
    lambda: (x * w).backward(1.0),
    lambda: (x * torch.ones(3)).sum(0, True).expand(2).backward(),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
