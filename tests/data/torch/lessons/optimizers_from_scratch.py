import math

import torch


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def adam(steps, lr=0.01, b1=0.9, b2=0.999, eps=1e-8):
    p = torch.tensor([-1.0, 1.5], requires_grad=True)
    m, v = torch.zeros(2), torch.zeros(2)
    for t in range(1, steps + 1):
        (g,) = torch.autograd.grad(rosenbrock(p), p)
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        with torch.no_grad():
            p -= lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)
    return p


mine = adam(50)
theirs = torch.tensor([-1.0, 1.5], requires_grad=True)
optimizer = torch.optim.Adam([theirs], lr=0.01)
for _ in range(50):
    optimizer.zero_grad()
    rosenbrock(theirs).backward()
    optimizer.step()
print(mine, theirs, torch.allclose(mine, theirs, atol=1e-5))

for make in (
    lambda p: torch.optim.SGD(p, lr=1e-3),
    lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9),
    lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9, nesterov=True, weight_decay=0.01),
    lambda p: torch.optim.Adam(p, lr=0.05),
    lambda p: torch.optim.AdamW(p, lr=0.05),
    lambda p: torch.optim.RMSprop(p, lr=0.01),
    lambda p: torch.optim.Adagrad(p, lr=0.1),
    lambda p: torch.optim.Adadelta(p),
    lambda p: torch.optim.Adamax(p),
):
    p = torch.tensor([-1.0, 1.5], requires_grad=True)
    optimizer = make([p])
    for _ in range(20):
        optimizer.zero_grad()
        loss = rosenbrock(p)
        loss.backward()
        optimizer.step()
    print(type(optimizer).__name__, p, f"{loss.item():.4f}")
p = torch.tensor([-1.0, 1.5], requires_grad=True)
lbfgs = torch.optim.LBFGS([p], max_iter=10, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = rosenbrock(p)
    loss.backward()
    return loss


print(lbfgs.step(closure), p)

for wrong in (
    lambda: torch.optim.SGD([], lr=0.1),
    lambda: torch.optim.SGD([p * 2], lr=0.1),
    lambda: torch.optim.SGD(p, lr=0.1),
    lambda: torch.optim.Adam([p], lr=-1),
    lambda: torch.optim.SGD([p, p], lr=0.1),
    lambda: torch.optim.SGD([3.0], lr=0.1),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
groups = torch.optim.SGD([{"params": [p]}, {"params": [torch.ones(1, requires_grad=True)], "lr": 1.0}], lr=0.1)
print(groups)
print(len(groups.param_groups), groups.param_groups[1]["lr"], math.isclose(groups.defaults["lr"], 0.1))
