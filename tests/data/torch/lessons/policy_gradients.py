# REINFORCE, an actor with squashed actions, and Bayes' rule by gradients.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Bernoulli, Beta, Categorical, Dirichlet, Independent, Normal
from torch.distributions.kl import kl_divergence
from torch.distributions.transformed_distribution import TransformedDistribution
from torch.distributions.transforms import AffineTransform, TanhTransform

torch.manual_seed(1)
policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
value = nn.Linear(4, 1)
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for episode in range(4):
    state, log_probs, rewards, values, entropies = torch.randn(4), [], [], [], []
    for _ in range(10):
        choice = Categorical(logits=policy(state))
        action = choice.sample()
        log_probs.append(choice.log_prob(action))
        entropies.append(choice.entropy())
        values.append(value(state).squeeze())
        rewards.append(1.0 if action.item() == int(state[0] > 0) else 0.0)
        state = 0.9 * state + 0.1 * torch.randn(4)
    gain, returns = 0.0, []
    for reward in reversed(rewards):
        gain = reward + 0.9 * gain
        returns.insert(0, gain)
    returns = torch.tensor(returns)
    advantage = returns - torch.stack(values).detach()
    loss = -(torch.stack(log_probs) * advantage).sum() + F.smooth_l1_loss(torch.stack(values), returns)
    loss = loss - 0.01 * torch.stack(entropies).sum()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
    optimizer.step()
    print(f"{episode}: {sum(rewards):.0f} of 10, loss {loss:.2f}")
print(log_probs[0].grad_fn, entropies[0].grad_fn, action)

mean, log_std = torch.zeros(3, 2, requires_grad=True), torch.zeros(3, 2, requires_grad=True)
actor = TransformedDistribution(
    Independent(Normal(mean, log_std.exp()), 1), [TanhTransform(cache_size=1), AffineTransform(0.0, 2.0)]
)
action = actor.rsample()
log_prob = actor.log_prob(action)
(log_prob.mean() - action.sum()).backward()
print(action.abs().max() <= 2, log_prob.shape, log_prob.grad_fn)
print(mean.grad.shape, [f"{one:.2f}" for one in log_std.grad.flatten().tolist()])

old, new = Normal(torch.zeros(3), torch.ones(3)), Normal(torch.full((3,), 0.1), torch.ones(3) * 1.1)
print(kl_divergence(old, new))

alpha, beta = torch.tensor(1.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.Adam([alpha, beta], lr=0.05)
tosses = torch.tensor([1.0, 1.0, 0.0, 1.0])
for step in range(20):
    belief = Beta(F.softplus(alpha), F.softplus(beta))
    chance = belief.rsample((8,)).clamp(1e-4, 1 - 1e-4)
    elbo = Bernoulli(chance[:, None]).log_prob(tosses).sum(1).mean() - kl_divergence(belief, Beta(2.0, 2.0))
    optimizer.zero_grad()
    (-elbo).backward()
    optimizer.step()
print(f"{alpha:.1f} {beta:.1f}, the mean is {belief.mean:.2f}")

shares = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
drawn = Dirichlet(shares).rsample((100,))
print(drawn.grad_fn, drawn.sum(-1).allclose(torch.ones(100)))
drawn[:, 0].mean().backward()
print(shares.grad[0] > 0, shares.grad[1] < 0)
