"""Snippets about parameters that are worked out of others: values, states, gradients, random numbers, errors."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

NORMED = """
import copy
P, U = nn.utils.parametrize, nn.utils
torch.manual_seed(3)
torch.set_default_dtype(torch.float64)
try:
    module = {module}
    plain_repr = repr(module)
    x = randn(*{shape})
    module = {change}
    log.append([plain_repr, repr(module), type(module).__name__, P.is_parametrized(module)])
    def state():
        return [(name, value, value._version) for name, value in module.state_dict().items()]
    def run(second=False):
        out = module(x)
        leaves = [x, *module.parameters()]
        gradients = torch.autograd.grad((out * out).sum(), leaves, create_graph=second)
        if second:
            gradients = torch.autograd.grad(sum((one ** 2).sum() for one in gradients), leaves)
        return [out, module.weight, type(module.weight.grad_fn).__name__, list(gradients)]
    log.append(state())
    note(run)
    if "weight_norm" not in {change!r}:  # of whose second derivative PyTorch forgets a part
        note(lambda: run(True))
    log.append(state())
    def copied():
        other = copy.deepcopy(module)
        return [repr(other), other.weight]
    note(copied)
    kept = {{name: value.clone() for name, value in module.state_dict().items()}}
    module.eval()
    note(run)
    def write():
        with torch.no_grad():
            module.weight = torch.linalg.qr(torch.arange(float(module.weight.numel())).reshape(module.weight.shape).cos())[0] if module.weight.dim() == 2 and module.weight.size(0) >= module.weight.size(1) else module.weight
        return [module.weight, state()]
    note(write)
    note(lambda: module.load_state_dict(kept))
    log.append(torch.rand(2))
    module = {back}
    log.append([repr(module), type(module).__name__, state(), module.weight.is_leaf])
finally:
    torch.set_default_dtype(torch.float32)
"""

_ALL = "P.remove_parametrizations(module, 'weight')"

CHANGES = [
    ("nn.Linear(4, 3)", (5, 4), "U.parametrizations.weight_norm(module)", _ALL),
    ("nn.Linear(4, 3)", (5, 4), "U.parametrizations.weight_norm(module, dim=1)", _ALL),
    ("nn.Linear(4, 3)", (5, 4), "U.parametrizations.weight_norm(module, dim=None)", _ALL),
    ("nn.Linear(4, 3)", (5, 4), "U.parametrizations.spectral_norm(module)", _ALL),
    ("nn.Conv2d(2, 3, 2)", (1, 2, 3, 3), "U.parametrizations.spectral_norm(module, n_power_iterations=2)", _ALL),
    ("nn.Conv2d(2, 3, 2)", (1, 2, 3, 3), "U.parametrizations.weight_norm(module)", _ALL),
    ("nn.ConvTranspose2d(2, 3, 2)", (1, 2, 3, 3), "U.parametrizations.spectral_norm(module)", _ALL),
    ("nn.Linear(3, 3)", (5, 3), "U.parametrizations.orthogonal(module)", _ALL),
    ("nn.Linear(2, 4)", (5, 2), "U.parametrizations.orthogonal(module, orthogonal_map='matrix_exp')", _ALL),
    ("nn.Linear(4, 2)", (5, 4), "U.parametrizations.orthogonal(module, orthogonal_map='cayley')", _ALL),
    ("nn.Linear(2, 4)", (5, 2), "U.parametrizations.orthogonal(module)", _ALL),
    ("nn.Linear(2, 4)", (5, 2), "U.parametrizations.orthogonal(module, orthogonal_map='householder', use_trivialization=False)", _ALL),
    ("nn.Linear(4, 2)", (5, 4), "U.parametrizations.orthogonal(module, orthogonal_map='householder', use_trivialization=False)", _ALL),
    ("nn.Linear(3, 3)", (5, 3), "U.parametrizations.orthogonal(module, orthogonal_map='cayley', use_trivialization=False)", _ALL),
    ("nn.Linear(4, 3)", (5, 4), "U.spectral_norm(module)", "U.remove_spectral_norm(module)"),
    ("nn.ConvTranspose2d(2, 3, 2)", (1, 2, 3, 3), "U.spectral_norm(module, n_power_iterations=3)", "U.remove_spectral_norm(module)"),
    ("nn.Linear(4, 3)", (5, 4), "U.weight_norm(module)", "U.remove_weight_norm(module)"),
    ("nn.Conv1d(2, 3, 2)", (1, 2, 3), "U.weight_norm(module, dim=None)", "U.remove_weight_norm(module)"),
]  # fmt: skip
"""A module, the shape of its input, what changes its weight, and what changes it back."""

OWN = """
P = nn.utils.parametrize
class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)
    def right_inverse(self, a):
        return a.triu()
class Double(nn.Module):
    def forward(self, x):
        return 2 * x
class Pair(nn.Module):
    def forward(self, a, b):
        return a @ b
    def right_inverse(self, w):
        return w[:, :1].clone(), w[:1].clone()
class Bad(nn.Module):
    def __init__(self, made): super().__init__(); self.made = made
    def forward(self, *x): return self.made
torch.manual_seed(0)
layer = nn.Linear(3, 3)
P.register_parametrization(layer, "weight", Symmetric())
log.append([repr(layer), list(layer.state_dict()), layer.weight, layer.weight == layer.weight.T, [n for n, _ in layer.named_parameters()]])
layer.weight = torch.arange(9.0).reshape(3, 3)
log.append([layer.weight, layer.parametrizations.weight.original, layer.parametrizations.weight[0]])
P.register_parametrization(layer, "weight", Double())
log.append([layer.weight, repr(layer)])
def write(): layer.weight = torch.ones(3, 3)
note(write)
with P.cached():
    log.append(layer.weight is layer.weight)
log.append(layer.weight is layer.weight)
layer(torch.ones(1, 3)).sum().backward()
log.append([layer.parametrizations.weight.original.grad, layer.bias.grad])
log.append([P.type_before_parametrizations(layer).__name__, P.is_parametrized(layer, "bias"), P.is_parametrized(layer, "weight"), isinstance(layer, nn.Linear)])
P.register_parametrization(layer, "bias", Double())
other = nn.Linear(3, 3)
P.transfer_parametrizations_and_params(layer, other)
log.append([repr(other), other.weight, other.bias, list(other.state_dict())])
P.remove_parametrizations(layer, "weight", leave_parametrized=False)
log.append([repr(layer), layer.weight])
P.remove_parametrizations(layer, "bias")
log.append([repr(layer), layer.bias, layer.bias._version])
pair = nn.Linear(2, 3, bias=False)
P.register_parametrization(pair, "weight", Pair())
log.append([repr(pair), pair.state_dict(), pair.weight])
note(lambda: P.remove_parametrizations(pair, "weight", leave_parametrized=False))
P.remove_parametrizations(pair, "weight")
log.append([repr(pair), pair.weight])
for call in [
    lambda: P.register_parametrization(nn.Linear(2, 2), "w", Double()), lambda: P.remove_parametrizations(nn.Linear(2, 2), "weight"),
    lambda: P.register_parametrization(nn.Linear(2, 2), "weight", Bad(3)), lambda: P.register_parametrization(nn.Linear(2, 2), "weight", Bad(torch.ones(2))),
    lambda: P.register_parametrization(nn.Linear(2, 2), "weight", Bad(torch.ones(2, 2).double())), lambda: P.ParametrizationList([], torch.ones(2)),
    lambda: P.register_parametrization(P.register_parametrization(nn.Linear(2, 2), "weight", Double()), "weight", Bad(3)),
    lambda: P.register_parametrization(P.register_parametrization(nn.Linear(2, 2), "weight", Double()), "weight", Bad(torch.ones(2))),
    lambda: P.register_parametrization(nn.Linear(2, 2), "weight", Bad(torch.ones(2)), unsafe=True).weight,
    lambda: nn.utils.parametrizations.orthogonal(nn.Linear(2, 2), "bias"), lambda: nn.utils.parametrizations.orthogonal(nn.Linear(2, 2), "b"),
    lambda: nn.utils.parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="x"), lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2), dim=2),
    lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2), n_power_iterations=0), lambda: nn.utils.remove_weight_norm(nn.Linear(2, 2)),
    lambda: nn.utils.remove_spectral_norm(nn.Linear(2, 2)), lambda: nn.utils.spectral_norm(nn.utils.spectral_norm(nn.Linear(2, 2))),
    lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2), "bias").bias, lambda: nn.utils.spectral_norm(nn.Linear(2, 2, bias=False), "bias"),
    lambda: [list(nn.utils.spectral_norm(nn.Linear(2, 2)).state_dict()._metadata[""].items())], lambda: P.register_parametrization(nn.Linear(2, 2), "weight", nn.Linear(2, 2)).weight,
]:
    torch.manual_seed(1)
    note(call)
"""

SNIPPETS = [
    *(NORMED.format(module=module, shape=shape, change=change, back=back) for module, shape, change, back in CHANGES),
    OWN,
]
