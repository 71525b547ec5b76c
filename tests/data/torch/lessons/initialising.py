import torch
from torch import nn

torch.manual_seed(0)
w = torch.empty(3, 5)
for name in ("uniform_", "normal_", "ones_", "zeros_", "eye_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "trunc_normal_"):
    print(name, getattr(nn.init, name)(w))
print(nn.init.constant_(w, 0.3), nn.init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"))
print(nn.init.calculate_gain("relu"), nn.init.calculate_gain("tanh"), nn.init.calculate_gain("leaky_relu", 0.2))
print(torch.allclose(nn.init.orthogonal_(w).mm(w.t()), torch.eye(3), atol=1e-6))


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        m.bias.data.fill_(0.01)


net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
print(net.apply(init_weights))
for p in net.parameters():
    print(p)
layer = nn.Linear(3, 2)
with torch.no_grad():
    layer.weight.copy_(torch.arange(6.0).view(2, 3))
    layer.bias.zero_()
print(layer(torch.ones(3)), layer.weight.requires_grad, layer.weight._version)
layer.weight.data = torch.ones(2, 3)
print(layer.weight)
layer.weight.data.normal_(0, 0.1)
print(layer.weight)
try:
    nn.init.xavier_uniform_(torch.empty(3))
except ValueError as error:
    print(error)
try:
    layer.weight = torch.ones(2, 3)
except TypeError as error:
    print(error)
try:
    layer.weight.fill_(1)
except RuntimeError as error:
    print(error)
x = torch.randn(200, 64)
for depth in range(4):
    x = torch.tanh(x @ nn.init.xavier_normal_(torch.empty(64, 64)))
    print(depth, f"{x.std():.3f}")
