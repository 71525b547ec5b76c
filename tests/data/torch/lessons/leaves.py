import warnings

import torch

w = torch.tensor([1.0], requires_grad=True)
x = torch.tensor([2.0], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
y.backward()
print("is_leaf:", w.is_leaf, x.is_leaf, a.is_leaf, b.is_leaf, y.is_leaf)
print("gradient:", w.grad, x.grad, a.grad, b.grad, y.grad)
print("grad_fn:", w.grad_fn, x.grad_fn, type(a.grad_fn).__name__, y.grad_fn.name())

# retain_grad
w.grad = None
a = w + x
a.retain_grad()
print(a.retains_grad, w.retains_grad)
y = a * (w + 1)
y.retain_grad()
y.backward()
print(a.grad, y.grad, w.grad)

plain = torch.ones(2)
print(plain.is_leaf, (plain * 2).is_leaf, (plain * 2).requires_grad)
try:
    plain.retain_grad()
except RuntimeError as error:
    print(type(error).__name__, error)
print(torch.rand(3, requires_grad=True).double().is_leaf)
print(torch.rand(3).double().requires_grad_().is_leaf)
print((torch.rand(3, requires_grad=True) + 0).is_leaf, torch.rand(3, requires_grad=True).detach().is_leaf)

c = w * 2
try:
    c.requires_grad = False
except RuntimeError as error:
    print(error)
for how in (lambda: torch.tensor([1, 2], requires_grad=True), lambda: torch.arange(3).requires_grad_()):
    try:
        how()
    except RuntimeError as error:
        print(error)
try:
    w.grad_fn = None
except AttributeError as error:
    print(error)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(c.grad)
c.detach_()
print(c, c.is_leaf, c.requires_grad)

# A leaf in a graph is its AccumulateGrad
d = w * 3
node = d.grad_fn.next_functions[0][0]
print(node.name(), node.variable is w, d.grad_fn.next_functions[1])
print(d.output_nr, d._version, w._version)
