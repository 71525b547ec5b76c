import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(6, 3) * 2 + 1
bn = nn.BatchNorm1d(3)
print(bn)
print(bn.weight, bn.bias, bn.running_mean, bn.running_var, bn.num_batches_tracked)
y = bn(x)
print(y, y.mean(0).abs() < 1e-5, y.std(0, unbiased=False))
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)
by_hand = (x - x.mean(0)) / torch.sqrt(x.var(0, unbiased=False) + bn.eps)
print(torch.allclose(y, by_hand, atol=1e-5))
bn.eval()
print(bn.training, bn(x)[0])
print(bn.state_dict())
print([n for n, _ in bn.named_parameters()], [n for n, _ in bn.named_buffers()])
bn.train()
(bn(x) ** 3).sum().backward()
print(bn.weight.grad, bn.bias.grad.round(decimals=2))
try:
    bn(torch.ones(1, 3))
except ValueError as error:
    print(error)
try:
    bn(torch.ones(2, 3, 4, 5))
except ValueError as error:
    print(error)
conv_bn = nn.BatchNorm2d(2, affine=False)
z = torch.randn(2, 2, 3, 3, requires_grad=True)
out = conv_bn(z)
print(out.mean((0, 2, 3)).abs() < 1e-5, conv_bn.running_var, out.grad_fn)
(out * torch.arange(36.0).view(2, 2, 3, 3)).sum().backward()
print(z.grad[0, 0].round(decimals=2))
ln = nn.LayerNorm(3)
print(ln, ln(x)[:2])
print(nn.GroupNorm(1, 3)(x[:2]), nn.InstanceNorm1d(3)(torch.randn(1, 3, 4)).shape)
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU())
model.eval()
print([m.training for m in model.modules()])
