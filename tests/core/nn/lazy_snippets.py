"""Snippets about layers that learn the size of their input from the first one."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

LAZY = """
# in float32
torch.manual_seed(6)
module = nn.{module}
log.append([repr(module), [(name, repr(value), type(value).__name__, value.requires_grad) for name, value in module.state_dict().items()], module.has_uninitialized_params(), type(module).__module__])
log.append([repr(next(iter(module.parameters()), None)), module.cls_to_become.__name__])
note(lambda: next(module.parameters()).shape)
other = nn.{module}
x = randn({shape}).float().detach()
out = module(x)
log.append([repr(module), type(module).__name__, out, [(name, value, value._version, type(value).__name__) for name, value in module.state_dict().items()], torch.rand(1)])
note(lambda: out.sum().backward())
log.append([value.grad for value in module.parameters()])
def load():
    other.load_state_dict(module.state_dict())
    return [repr(other), [(name, value) for name, value in other.state_dict().items()], other(x), type(other).__name__]
note(load)
"""

MODULES = [
    ("LazyLinear(3)", "2, 4"),
    ("LazyLinear(3, bias=False)", "5, 2, 4"),
    ("LazyConv1d(4, 3)", "2, 2, 6"),
    ("LazyConv2d(4, 3, 2, 1, 1, 2)", "1, 2, 5, 5"),
    ("LazyConv2d(4, 3, bias=False, padding='same')", "2, 5, 5"),
    ("LazyConv3d(2, 2)", "1, 2, 3, 3, 3"),
    ("LazyConvTranspose1d(4, 3)", "2, 2, 6"),
    ("LazyConvTranspose2d(4, 3, 2, 1, 1, 2, False)", "1, 2, 5, 5"),
    ("LazyConvTranspose3d(2, 2)", "1, 2, 3, 3, 3"),
    ("LazyBatchNorm1d()", "4, 3"),
    ("LazyBatchNorm2d(affine=False)", "2, 3, 4, 4"),
    ("LazyBatchNorm3d(track_running_stats=False)", "2, 3, 2, 2, 2"),
    ("LazyInstanceNorm1d()", "2, 3, 4"),
    ("LazyInstanceNorm2d(affine=False, track_running_stats=False, momentum=0.2)", "2, 3, 1, 2"),
    ("LazyInstanceNorm3d(track_running_stats=False)", "2, 3, 2, 2, 2"),
]

NETWORK = """
# in float32
torch.manual_seed(1)
net = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
log.append(repr(net))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(50.0).reshape(2, 1, 5, 5).sin()
for _ in range(2):
    optimizer.zero_grad()
    net(x).pow(2).sum().backward()
    optimizer.step()
log.append([repr(net), [(name, value) for name, value in net.state_dict().items()]])
fresh = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
log.append([str(fresh.load_state_dict(net.state_dict())), repr(fresh), fresh.eval()(x)])
for call in [
    lambda: nn.LazyConv2d(4, 3)(torch.ones(2, 2)), lambda: nn.LazyConv2d(4, 2, groups=2)(torch.ones(1, 3, 4, 4)), lambda: nn.LazyLinear(), lambda: nn.LazyConv2d(3),
    lambda: nn.Linear(2, 2).load_state_dict(nn.LazyLinear(2).state_dict()), lambda: repr(nn.UninitializedParameter()), lambda: nn.parameter.is_lazy(nn.LazyLinear(2).weight),
    lambda: nn.parameter.is_lazy(torch.ones(2)), lambda: nn.LazyLinear(2).double().weight.dtype, lambda: nn.LazyLinear(2, dtype=torch.float64)(torch.ones(1, 3).double()).dtype,
]:
    note(call)
"""

ARGUMENTS = """
for name in ("LazyLinear", "LazyConv1d", "LazyConv2d", "LazyConvTranspose3d", "LazyBatchNorm1d", "LazyInstanceNorm2d"):
    made = getattr(nn, name)
    for args, kwargs in [((), {}), ((2,), {}), ((2, 3), {"foo": 1}), (range(1, 14), {}), ((2, 3), {"in_channels": 2}), ((), {"bias": False})]:
        note(lambda: repr(made(*args, **kwargs)))
for module in (nn.LazyConv1d(2, 3, 1, 2, 1, 1, False, "circular"), nn.LazyConvTranspose1d(2, 3, 2, 1, 1, 1, False, 2), nn.LazyConvTranspose2d(4, 2, groups=2, dilation=2)):
    module(torch.ones(1, 2, *(6,) * len(module.kernel_size)))
    log.append([repr(module), [list(value.shape) for value in module.parameters()]])
"""

SNIPPETS = [*(LAZY.format(module=module, shape=shape) for module, shape in MODULES), NETWORK, ARGUMENTS]
