import torch

torch.manual_seed(0)
# Reparametrisation
mu = torch.tensor(1.0, requires_grad=True)
log_sigma = torch.tensor(0.0, requires_grad=True)
eps = torch.randn(1000)
z = mu + log_sigma.exp() * eps
loss = (z**2).mean()
loss.backward()
print(loss, mu.grad, log_sigma.grad)
# A score-function estimator
logits = torch.zeros(3, requires_grad=True)
rewards = torch.tensor([0.0, 1.0, 2.0])
for _ in range(50):
    probs = logits.softmax(0)
    a = torch.multinomial(probs, 1)
    (-(probs[a].log()) * rewards[a]).sum().backward()
    with torch.no_grad():
        logits -= 0.1 * logits.grad
    logits.grad.zero_()
print(logits)
# KL of two Gaussians, entropy
kl = -0.5 * torch.sum(1 + 2 * log_sigma - mu.pow(2) - (2 * log_sigma).exp())
print(kl, -(torch.tensor([0.5, 0.5]).log() * 0.5).sum())
print(torch.bernoulli(torch.full((5,), 0.3)), torch.normal(torch.zeros(2), torch.tensor([1.0, 10.0])), torch.rand(2, 2).uniform_(-1, 1), torch.empty(3).exponential_(), torch.empty(2).normal_(5, 0.1))
x = torch.randn(100)
print(x.mean(), x.std(), x.var(unbiased=False), x.median(), x.quantile(0.9), torch.histc(x, 5), x.abs().max())
print(torch.randn(3).clamp(-1, 1), torch.rand(1) < 0.5, torch.randperm(5), torch.randint(5, (3,)), torch.randint_like(torch.ones(2), 9), torch.rand_like(torch.ones(2)))
# VAE loss
recon, target = torch.sigmoid(torch.randn(2, 4)), torch.rand(2, 4)
print(torch.nn.functional.binary_cross_entropy(recon, target, reduction="sum"))
# Gumbel
y = torch.nn.functional.gumbel_softmax(torch.zeros(2, 3, requires_grad=True), tau=1, hard=True)
print(y, y.grad_fn)
g1, g2 = torch.Generator(), torch.Generator()
g1.manual_seed(7), g2.manual_seed(7)
print(torch.equal(torch.rand(5, generator=g1), torch.rand(5, generator=g2)), g1.initial_seed(), torch.seed() > 0)
with torch.random.fork_rng():
    torch.manual_seed(99)
    print(torch.rand(2))
