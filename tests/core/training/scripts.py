"""Scripts that train something, each in what Chalkgrad reads; PyTorch's output of them is recorded."""

from __future__ import annotations

DATA = """import torch
x = torch.tensor([1., 2., 3.])
y = torch.tensor([2., 4., 6.])
w = torch.tensor([0.], requires_grad=True)
b = torch.zeros(1, requires_grad=True)
"""
SHOWN = "print(step, loss.item(), w, b, w.grad, b.grad, w._version, b._version)"

UPDATES = (
    "SGD([w, b], lr=0.05)",
    "SGD([w, b], lr=0.02, momentum=0.9)",
    "SGD([w, b], 0.02, 0.9, nesterov=True, weight_decay=0.01)",
    "Adam([w, b], lr=0.1)",
    "Adam([w, b], lr=0.1, betas=(0.8, 0.9), amsgrad=True)",
    "AdamW([w, b], lr=0.1)",
    "RMSprop([w, b], lr=0.05, momentum=0.5)",
    "Adagrad([w, b], lr=0.5)",
    "Adadelta([w, b], lr=1.)",
    "Adamax([w, b], lr=0.1)",
    "NAdam([w, b], lr=0.1)",
    "RAdam([w, b], lr=0.1)",
    "Rprop([w, b], lr=0.1)",
    "ASGD([w, b], lr=0.05)",
)


def _with(update: str, zero: str = "optimizer.zero_grad()") -> str:
    return f"""{DATA}optimizer = torch.optim.{update}
for step in range(6):
    loss = ((x * w + b - y) ** 2).mean()
    {zero}
    loss.backward()
    optimizer.step()
    {SHOWN}
"""


BY_HAND = f"""{DATA}for step in range(6):
    loss = ((x * w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        b -= 0.05 * b.grad
    {SHOWN}
    w.grad = None
    b.grad.zero_()
"""

CARRIED = """import torch
h = torch.zeros(2)
u = torch.tensor([[0.5, -0.3], [0.2, 0.8]], requires_grad=True)
for step in range(4):
    h = torch.tanh(u @ h + 1.)
    print(step, h)
h.sum().backward()
print(u.grad)
"""

NESTED = """import torch
w = torch.tensor([1.], requires_grad=True)
for epoch in range(2):
    for step in range(3):
        loss = (w * 2. - step).pow(2).sum()
        loss.backward()
        print(epoch, step, w.grad, loss.item())
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w, epoch, step)
"""

FAILING = """import torch
w = torch.tensor([1.], requires_grad=True)
z = w * 2.
for step in range(3):
    loss = (z * z).sum()
    try:
        loss.backward()
    except RuntimeError as e:
        print(e)
    print(step, w.grad)
"""

VALUES = """import torch
w = torch.tensor([1.], requires_grad=True)
for lr in [0.1, 0.01]:
    loss = (w * 3.).sum()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
    print(lr, w, w.grad)
for i in range(3):
    y = w * i
    print(i, y)
"""

SCRIPTS = (
    *(_with(update) for update in UPDATES),
    _with("SGD([w, b], lr=0.02)", "# nothing zeroes the gradients"),
    _with("SGD([w, b], lr=0.02)", "optimizer.zero_grad(set_to_none=False)"),
    _with("Adam([w, b], lr=0.1, maximize=True)", "optimizer.zero_grad(False)"),
    BY_HAND,
    CARRIED,
    NESTED,
    FAILING,
    VALUES,
)
