# A variational autoencoder on little pictures of stripes, with torch.distributions.
import torch
from torch import nn, optim
from torch import distributions as dist
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
columns = (torch.rand(64, 1, 4) > 0.5).float()
pictures = columns.expand(64, 3, 4).reshape(64, 12)


class VAE(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(12, 16), nn.ReLU())
        self.mean, self.spread = nn.Linear(16, size), nn.Linear(16, size)
        self.decoder = nn.Sequential(nn.Linear(size, 16), nn.ReLU(), nn.Linear(16, 12))

    def forward(self, x):
        hidden = self.encoder(x)
        q = dist.Independent(dist.Normal(self.mean(hidden), F.softplus(self.spread(hidden))), 1)
        z = q.rsample()  # the gradient goes through the sample
        return q, z, dist.Independent(dist.Bernoulli(logits=self.decoder(z)), 1)


model = VAE()
prior = dist.Independent(dist.Normal(torch.zeros(3), torch.ones(3)), 1)
optimizer = optim.AdamW(model.parameters(), lr=1e-2)
print(prior)
print(prior.batch_shape, prior.event_shape)
for epoch in range(5):
    total = 0.0
    for (batch,) in DataLoader(TensorDataset(pictures), 16, shuffle=True):
        q, z, p = model(batch)
        reconstruction = p.log_prob(batch)
        divergence = dist.kl_divergence(q, prior)
        loss = (divergence - reconstruction).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total:.2f}")
print(loss.grad_fn, divergence.grad_fn, z.grad_fn)
print(q)
with torch.no_grad():
    drawn = prior.sample((2,))
    print(drawn, q.sample().requires_grad, p.mean.shape)

# the two gradients of an expectation: through the sample, and through its probability
mu = torch.tensor(0.5, requires_grad=True)
normal = dist.Normal(mu, 1.0)
x = normal.rsample((1000,))
(x**2).mean().backward()
print(f"{mu.grad:.2f}, about 1")
mu.grad = None
x = normal.sample((1000,))
(normal.log_prob(x) * (x**2)).mean().backward()
print(f"{mu.grad:.2f}, about 1, but noisier")
print(x.requires_grad, normal.log_prob(x).grad_fn)

for wrong in (lambda: dist.Normal(0.0, -1.0), lambda: dist.Bernoulli(logits=torch.zeros(2)).log_prob(torch.tensor([0.5, 1.0]))):
    try:
        wrong()
    except ValueError as error:
        print(error)
try:
    dist.Bernoulli(0.5).rsample()
except NotImplementedError as error:
    print("a toss has no rsample", repr(error))
