import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_, parameters_to_vector, vector_to_parameters

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
x, y = torch.randn(10, 3), torch.randn(10, 1)
l1 = sum(p.abs().sum() for p in model.parameters())
l2 = sum((p**2).sum() for p in model.parameters())
print(l1, l2)
loss = nn.functional.mse_loss(model(x), y) + 0.01 * l1 + 0.1 * l2
print(loss)
loss.backward()
total = clip_grad_norm_(model.parameters(), 0.5)
print(total, torch.sqrt(sum((p.grad**2).sum() for p in model.parameters())))
print(clip_grad_norm_(model.parameters(), 1.0, norm_type=float("inf")))
clip_grad_value_(model.parameters(), 0.01)
print([p.grad.abs().max().item() <= 0.010001 for p in model.parameters()])
vec = parameters_to_vector(model.parameters())
print(vec.shape, vec)
vector_to_parameters(torch.zeros_like(vec), model.parameters())
print(model(x[:2]))
# Weight decay equals an L2 penalty for plain SGD
a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
decay = torch.optim.SGD([a], lr=0.1, weight_decay=0.2)
plain = torch.optim.SGD([b], lr=0.1)
(a * 3).sum().backward()
((b * 3).sum() + 0.1 * (b**2).sum()).backward()
decay.step()
plain.step()
print(a, b, torch.allclose(a, b))
print(nn.utils.clip_grad_norm_([], 1.0))

# Gradient penalty
x = torch.randn(5, 2, requires_grad=True)
critic = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
out = critic(x)
(grads,) = torch.autograd.grad(out, x, grad_outputs=torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)
penalty = ((grads.norm(2, dim=1) - 1) ** 2).mean()
print(penalty)
penalty.backward()
print(critic[0].weight.grad[:2], critic[2].bias.grad)
