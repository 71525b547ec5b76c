import torch

# Gradient of a gradient norm
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x**3).sum()
(g,) = torch.autograd.grad(y, x, create_graph=True)
penalty = g.pow(2).sum()
penalty.backward()
print(x.grad, 2 * 3 * x.detach() ** 2 * 6 * x.detach())

# Hessian-vector products, two ways
f = lambda v: (v[0] ** 2 * v[1] + v[2].exp() * v[0]).sin()
v = torch.tensor([0.1, -0.2, 0.3])
x = torch.tensor([0.5, 0.7, -0.1], requires_grad=True)
(g,) = torch.autograd.grad(f(x), x, create_graph=True)
(reverse,) = torch.autograd.grad(g, x, v, retain_graph=True)
(inner,) = torch.autograd.grad(g @ v, x)
print(reverse, torch.allclose(reverse, inner))

# The double-backward trick gives a Jacobian-vector product
w = torch.zeros(3, requires_grad=True)
out = torch.stack([x[0] * x[1], x[2] ** 2, x.sum()])
(vjp,) = torch.autograd.grad(out, x, w, create_graph=True)
(jvp,) = torch.autograd.grad(vjp, w, v)
print(jvp)

# Power iteration for the largest eigenvalue of a Hessian
torch.manual_seed(0)
q = torch.tensor([[3.0, 1.0], [1.0, 2.0]])
p = torch.tensor([1.0, 1.0], requires_grad=True)
u = torch.tensor([1.0, 0.0])
for _ in range(30):
    (g,) = torch.autograd.grad(0.5 * p @ q @ p, p, create_graph=True)
    (hv,) = torch.autograd.grad(g, p, u)
    u = hv / hv.norm()
print(f"{hv.norm():.4f}", torch.linalg.eigvalsh(q)[-1].item().__round__(4))

# Names of the nodes that create_graph makes
a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
for out in (a * b, a / b, a**2, a.exp(), a.sin(), a.log(), a.sqrt(), a.tanh(), a.sigmoid(), a.relu(), torch.stack([a, b]).sum(), torch.stack([a, b]).mean(), torch.stack([a, b]).prod(), torch.stack([a, b]).norm(), torch.stack([a, b]).softmax(0)[0], a.abs(), a.clamp(0, 5), torch.where(a > 0, a, b) * a, torch.stack([a, b]).max() * b):
    grads = torch.autograd.grad(out, (a, b), create_graph=True, allow_unused=True)
    print(out.grad_fn.name(), [None if g is None else (round(g.item(), 4), g.grad_fn.name() if g.grad_fn else None) for g in grads])
