import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.fill_(0.1 * (i + 1))
shapes, norms = [], {}
for name, module in net.named_modules():
    module.register_forward_hook(lambda m, i, o, name=name: shapes.append((name, type(m).__name__, tuple(o.shape))))
net(torch.ones(3, 2))
print(shapes)
for name, p in net.named_parameters():
    p.register_hook(lambda g, name=name: norms.__setitem__(name, round(g.norm().item(), 4)))
net(torch.ones(3, 2)).sum().backward()
print(norms)


# Grad-CAM: activations and their gradients
store = {}


def forward_hook(module, inputs, output):
    store["activation"] = output
    output.register_hook(lambda g: store.__setitem__("gradient", g))


handle = net[0].register_forward_hook(forward_hook)
net(torch.ones(1, 2)).backward()
print(store["activation"], store["gradient"])
handle.remove()
# Kinds of hooks, in the order in which they run
m = nn.Linear(1, 1, bias=False)
m.register_forward_pre_hook(lambda mod, a: print("pre", a))
m.register_forward_hook(lambda mod, a, o: print("post", o))
m.register_full_backward_pre_hook(lambda mod, g: print("backward pre", g))
m.register_full_backward_hook(lambda mod, gi, go: print("backward", gi, go))
nn.init.constant_(m.weight, 2.0)
x = torch.ones(1, 1, requires_grad=True)
y = m(x)
print(y.grad_fn)
y.sum().backward()
print(x.grad, m.weight.grad)
m2 = nn.Linear(1, 1)
m2.register_forward_hook(lambda mod, a, kw, o: print(kw), with_kwargs=True)
m2(input=torch.ones(1, 1))
bad = nn.ReLU()
bad.register_full_backward_hook(lambda mod, gi, go: (torch.zeros(1), torch.zeros(1)))
try:
    bad(torch.ones(2, requires_grad=True) * 1).sum().backward()
except RuntimeError as error:
    print(error)
inplace = nn.ReLU(inplace=True)
inplace.register_full_backward_hook(lambda mod, gi, go: None)
try:
    inplace(torch.ones(2, requires_grad=True) * 1)
    print("no error")
except RuntimeError as error:
    print(error)
m.register_state_dict_post_hook(lambda mod, state, prefix, meta: print("state", list(state)))
m.state_dict()
print(len(m._forward_hooks), len(m._backward_hooks), m._forward_pre_hooks.keys())
