import copy
import io
import pickle

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
print(model.state_dict())
for name in model.state_dict():
    print(name, "\t", model.state_dict()[name].size())
buffer = io.BytesIO()
torch.save(model.state_dict(), buffer)
buffer.seek(0)
other = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
print(other.load_state_dict(torch.load(buffer)))
print(all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters())))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
(model(torch.randn(4, 2)) - 1).pow(4).sum().backward()
optimizer.step()
checkpoint = {"epoch": 5, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "loss": 0.4}
buffer = io.BytesIO()
torch.save(checkpoint, buffer)
buffer.seek(0)
back = torch.load(buffer, weights_only=True)
print(back["epoch"], back["loss"], type(back["model"]).__name__, list(back["optimizer"]), back["optimizer"]["param_groups"])
optimizer.load_state_dict(back["optimizer"])
for wrong in (
    lambda: nn.Linear(2, 2).load_state_dict({"weight": torch.ones(2, 2)}),
    lambda: nn.Linear(2, 2).load_state_dict({"weight": torch.ones(2, 3), "bias": torch.ones(2), "extra": torch.ones(1)}),
    lambda: nn.Linear(2, 2).load_state_dict([]),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
print(nn.Linear(2, 2).load_state_dict({"weight": torch.ones(2, 2)}, strict=False))
b = io.BytesIO()
torch.save({"t": torch.arange(3), "g": torch.ones(2, requires_grad=True)}, b)
b.seek(0)
print(torch.load(b))
x = torch.ones(2, requires_grad=True)
y = copy.deepcopy(x)
print(y, y is x, y.is_leaf, copy.copy(x))
try:
    copy.deepcopy(x * 2)
except RuntimeError as error:
    print(error)
m2 = copy.deepcopy(model)
m2[0].weight.data.zero_()
print(model[0].weight, m2[0].weight)
p = pickle.loads(pickle.dumps(torch.arange(4).view(2, 2)))
print(p, pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(torch.float32)), pickle.loads(pickle.dumps(torch.Size([1, 2]))))
print(pickle.loads(pickle.dumps(nn.Linear(1, 1))), pickle.loads(pickle.dumps(x.detach())).requires_grad)
t = torch.arange(4.0)
shared = pickle.loads(pickle.dumps([t, t[1:]]))
shared[0].zero_()
print(shared)
