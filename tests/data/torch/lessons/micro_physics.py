import math

import torch

# Velocity and acceleration from a trajectory
t = torch.linspace(0, 2, 5, requires_grad=True)
s = 4.9 * t**2 + torch.sin(3 * t)
(v,) = torch.autograd.grad(s, t, torch.ones_like(s), create_graph=True)
(acc,) = torch.autograd.grad(v, t, torch.ones_like(v))
print(v, acc)

# A tiny physics-informed network: u'' + u = 0
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
xs = torch.linspace(0, math.pi, 10).view(-1, 1).requires_grad_()
for step in range(5):
    u = net(xs)
    (du,) = torch.autograd.grad(u, xs, torch.ones_like(u), create_graph=True)
    (ddu,) = torch.autograd.grad(du, xs, torch.ones_like(du), create_graph=True)
    loss = ((ddu + u) ** 2).mean() + (net(torch.zeros(1, 1)) - 0).pow(2).sum() + (du[0] - 1).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}", ddu.grad_fn.name())

# Laplacian, divergence, curl
p = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
field = torch.stack([p[0] * p[1], p[1] * p[2], p[2] * p[0]])
J = torch.stack([torch.autograd.grad(c, p, retain_graph=True)[0] for c in field])
print(J, J.trace(), torch.stack([J[2, 1] - J[1, 2], J[0, 2] - J[2, 0], J[1, 0] - J[0, 1]]))
phi = (p**3).sum()
(g,) = torch.autograd.grad(phi, p, create_graph=True)
print(sum(torch.autograd.grad(g[i], p, retain_graph=True)[0][i] for i in range(3)))

# Minimising a function, inputs as parameters
z = torch.tensor([3.0, -2.0], requires_grad=True)
himmelblau = lambda q: (q[0] ** 2 + q[1] - 11) ** 2 + (q[0] + q[1] ** 2 - 7) ** 2
optimizer = torch.optim.Adam([z], lr=0.1)
for step in range(60):
    loss = himmelblau(z)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(f"step {step}: x = {[round(c, 2) for c in z.tolist()]}, f(x) = {loss.item():.3f}")
