import torch

# Newton's method on one variable
x = torch.tensor(2.0, requires_grad=True)
for i in range(5):
    f = x**3 - 2 * x - 5
    (g,) = torch.autograd.grad(f, x)
    with torch.no_grad():
        x -= f / g
    print(i, f"{x.item():.6f}", f"{f.item():.4f}")

# On two, with the Hessian
p = torch.tensor([0.5, -0.5], dtype=torch.float64, requires_grad=True)
f = lambda p: torch.exp(p[0] + 3 * p[1] - 0.1) + torch.exp(p[0] - 3 * p[1] - 0.1) + torch.exp(-p[0] - 0.1)
for i in range(5):
    (g,) = torch.autograd.grad(f(p), p)
    H = torch.autograd.functional.hessian(f, p)
    step = torch.linalg.solve(H, g)
    with torch.no_grad():
        p -= step
    print(i, p, f"{g.norm():.3e}")
print(torch.allclose(torch.inverse(H) @ H, torch.eye(2, dtype=torch.float64)), torch.det(H), torch.linalg.norm(g) < 1e-6)

# Inner loop: differentiate through an update
torch.manual_seed(0)
theta = torch.tensor([1.0, -1.0], requires_grad=True)
meta = torch.optim.SGD([theta], lr=0.1)
for episode in range(3):
    loss = 0
    for task in (torch.tensor([2.0, 0.0]), torch.tensor([0.0, 3.0])):
        inner = ((theta - task) ** 2).sum()
        (g,) = torch.autograd.grad(inner, theta, create_graph=True)
        adapted = theta - 0.1 * g
        loss = loss + ((adapted - task) ** 4).sum()
    meta.zero_grad()
    loss.backward()
    print(loss, theta.grad)
    meta.step()
print(theta)

# Unrolled gradient descent: learn the step size
lr = torch.tensor(0.1, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
for _ in range(3):
    (g,) = torch.autograd.grad(w**2, w, create_graph=True)
    w = w - lr * g
print(w)
(w**2).backward()
print(lr.grad)
