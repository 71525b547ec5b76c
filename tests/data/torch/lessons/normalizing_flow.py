# A flow of two coupling layers, and a mixture fitted by gradients.
import torch
import torch.distributions as D
import torch.nn as nn

torch.manual_seed(0)


class Coupling(nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.register_buffer("mask", torch.tensor(mask))
        self.net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 4))

    def parts(self, x):
        scale, shift = self.net(x * self.mask).chunk(2, dim=-1)
        return torch.tanh(scale) * (1 - self.mask), shift * (1 - self.mask)

    def forward(self, x):
        scale, shift = self.parts(x)
        return x * scale.exp() + shift, scale.sum(-1)

    def inverse(self, y):
        scale, shift = self.parts(y)
        return (y - shift) * (-scale).exp(), -scale.sum(-1)


flow = nn.ModuleList([Coupling([1.0, 0.0]), Coupling([0.0, 1.0])])
base = D.MultivariateNormal(torch.zeros(2), torch.eye(2))
components = D.Independent(D.Normal(torch.randn(3, 2) * 2, torch.full((3, 2), 0.3)), 1)
target = D.MixtureSameFamily(D.Categorical(torch.ones(3)), components)
print(base)
print(target)
optimizer = torch.optim.Adam(flow.parameters(), lr=1e-2)
for step in range(41):
    x, log_det = target.sample((64,)), 0
    for layer in reversed(flow):
        x, change = layer.inverse(x)
        log_det = log_det + change
    loss = -(base.log_prob(x) + log_det).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(f"{step}: {loss:.2f}")
with torch.no_grad():
    y = base.sample((3,))
    back = flow[0].inverse(flow[0](y)[0])[0]
    print(torch.allclose(back, y, atol=1e-6))


class Shift(D.Transform):
    domain = D.constraints.real_vector
    codomain = D.constraints.real_vector
    bijective = True

    def __init__(self, by):
        super().__init__()
        self.by = by

    def _call(self, x):
        return x + self.by

    def _inverse(self, y):
        return y - self.by

    def log_abs_det_jacobian(self, x, y):
        return torch.zeros(x.shape[:-1])


by = torch.ones(2, requires_grad=True)
moved = D.TransformedDistribution(base, [Shift(by)])
log_prob = moved.log_prob(torch.zeros(2))
log_prob.backward()
print(log_prob, by.grad, moved.event_shape, moved.support)

data = torch.cat([torch.randn(30) * 0.5 - 2, torch.randn(30) + 2])
weights, means = torch.zeros(2, requires_grad=True), torch.tensor([-1.0, 1.0], requires_grad=True)
scales = torch.zeros(2, requires_grad=True)
optimizer = torch.optim.Adam([weights, means, scales], lr=0.1)
for _ in range(60):
    mixture = D.MixtureSameFamily(D.Categorical(logits=weights), D.Normal(means, scales.exp()))
    loss = -mixture.log_prob(data).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss:.2f}, means {means[0]:.1f} and {means[1]:.1f}")
to_positive = D.transform_to(D.constraints.positive)
print(to_positive, to_positive(torch.tensor(0.5)), D.biject_to(D.constraints.simplex)(torch.zeros(2)))
