import torch
from torch import nn

torch.manual_seed(0)
# Detach in the middle
x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = y.detach() * x
z.backward()
print(x.grad)
# Target network
online, target = nn.Linear(2, 1), nn.Linear(2, 1)
target.load_state_dict(online.state_dict())
s = torch.randn(3, 2)
loss = nn.functional.mse_loss(online(s), 1 + 0.9 * target(s).detach())
loss.backward()
print(online.weight.grad, target.weight.grad)
with torch.no_grad():
    for p, q in zip(target.parameters(), online.parameters()):
        p.mul_(0.9).add_(q, alpha=0.1)
        p.data.lerp_(q.data, 0.5)
print(target.weight, target.weight.requires_grad)
# Freezing
backbone, head = nn.Linear(2, 2), nn.Linear(2, 1)
for p in backbone.parameters():
    p.requires_grad = False
out = head(backbone(s)).sum()
out.backward()
print([p.grad is None for p in backbone.parameters()], head.bias.grad)
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, nn.Sequential(backbone, head).parameters()), lr=0.1)
print(len(optimizer.param_groups[0]["params"]))
# Straight-through by detach
w = torch.tensor([0.3, -0.7], requires_grad=True)
q = w + (w.sign() - w).detach()
q.sum().backward()
print(q, w.grad)


# Gradient reversal
class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g, None


w = torch.ones(2, requires_grad=True)
out = Reverse.apply(w, 0.5)
print(out, out is w)
out.sum().backward()
print(w.grad)
# GAN-like alternation
G, D = nn.Linear(1, 1), nn.Linear(1, 1)
fake = G(torch.ones(2, 1))
d_loss = D(fake.detach()).mean()
d_loss.backward()
print(G.weight.grad, D.weight.grad)
D.zero_grad()
(-D(fake).mean()).backward()
print(G.weight.grad, D.weight.grad)
# Checkpoint by hand
with torch.no_grad():
    h = torch.tanh(G(torch.ones(1, 1)))
h.requires_grad_()
D(h).sum().backward()
print(h.grad, h.is_leaf)
