import torch
from torch import nn


class Forgetful(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)


class NoForward(nn.Module):
    pass


for wrong in (Forgetful, lambda: NoForward()(1), lambda: nn.Linear(2, 2).nothing, lambda: nn.Sequential(1), lambda: nn.Linear(2, 2)(), lambda: nn.Linear(2, 2).register_parameter("weight", torch.ones(2))):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)


class Hidden(nn.Module):
    def __init__(self):
        super().__init__()
        self.lost = [nn.Linear(1, 1)]
        self.kept = nn.ModuleList([nn.Linear(1, 1)])
        self.tensor = torch.ones(1)
        self.parameter = nn.Parameter(torch.ones(1), requires_grad=False)


hidden = Hidden()
print([name for name, _ in hidden.named_parameters()], hidden)
hidden.kept.append(nn.ReLU())
print(len(hidden.kept), hidden.kept[-1], [type(m).__name__ for m in hidden.modules()])

# Hooks
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.5)
features = {}


def keep(name):
    def hook(module, inputs, output):
        features[name] = output.detach()

    return hook


handles = [m.register_forward_hook(keep(n)) for n, m in net.named_children()]
pre = net[0].register_forward_pre_hook(lambda module, inputs: (inputs[0] * 2,))
out = net(torch.ones(1, 2))
print(features, out)
for h in handles:
    h.remove()
pre.remove()
net[0].register_full_backward_hook(lambda module, grad_input, grad_output: print(type(module).__name__, grad_input, grad_output))
net[1].register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 0,))
out = net(torch.ones(1, 2, requires_grad=True))
print(out)
out.backward()
print(net[0].weight.grad, net[2].weight.grad)
net[2].register_forward_hook(lambda m, i, o: o * 100)
print(net(torch.ones(1, 2)))

# Parameters
p = nn.Parameter(torch.ones(2))
print(p, p.requires_grad, p.is_leaf, isinstance(p, torch.Tensor), type(p), type(p * 2), type(p.data))
linear = nn.Linear(2, 1)
linear.weight.requires_grad_(False)
print([n for n, q in linear.named_parameters() if q.requires_grad])
shared = nn.Linear(1, 1)
both = nn.Sequential(shared, shared)
print(len(list(both.parameters())), len(both), len(list(both.modules())))
print(net.training, net.eval().training, net[0].training, net.train().training)
print(net.double()[0].weight.dtype, net.float()[0].weight.dtype, net.to("cpu") is net, next(net.parameters()).device)
del both[1]
print(both, hasattr(net, "0"), getattr(net, "0"), net.get_submodule("2"), net.get_parameter("0.bias"))
net.register_buffer("mean", torch.zeros(1))
print(net.mean, list(net.state_dict()), net.zero_grad(), net[0].weight.grad)
tied = nn.Linear(2, 2)
tied.bias = None
print(tied, list(tied.state_dict()), tied(torch.ones(1, 2)).shape)
