"""The snippets about ``torch.func`` whose facts are compared with those recorded from PyTorch."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

SETUP = """
import warnings
warnings.simplefilter('ignore')  # of what linearize does in PyTorch
F = torch.func
x, y = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.5, 0.25, -0.75])
m = torch.tensor([[1.0, 2.0, -1.0], [0.5, -0.25, 3.0]])
w = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
def told(value):
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    return [value, list(value.shape), str(value.dtype), value.requires_grad] if isinstance(value, torch.Tensor) else value
def tell(call):
    note(lambda: told(call()))
"""

GRAD = """
cube = lambda a: (a ** 3).sum()
tell(lambda: F.grad(cube)(x))
tell(lambda: F.grad(lambda a: F.grad(lambda b: b.sin())(a) ** 2)(torch.tensor(0.7)))
tell(lambda: F.grad(F.grad(F.grad(torch.sin)))(torch.tensor(0.7)))
tell(lambda: F.grad(lambda a, b: (a * b).sum(), argnums=1)(x, y))
tell(lambda: F.grad(lambda a, b: (a * b ** 2).sum(), argnums=(0, 1))(x, y))
tell(lambda: F.grad(lambda a, b: (a * b ** 2).sum(), argnums=(-1,))(x, y))
tell(lambda: F.grad(lambda a, scale=1.0: (a * scale).sum())(x, scale=3.0))
tell(lambda: F.grad(lambda tree: (tree['a'] * tree['b'][0]).sum())({'a': x, 'b': (y, x)}))
tell(lambda: F.grad_and_value(cube)(x))
tell(lambda: F.grad_and_value(lambda a: (cube(a), a * 2), has_aux=True)(x))
tell(lambda: F.grad(lambda a: (cube(a), {'out': a * 2}), has_aux=True)(x))
tell(lambda: F.grad(lambda a: (a * w).sum())(x))
tell(lambda: F.grad(lambda a: (a * 2).sum())(w))
tell(lambda: F.grad(cube)(w))
tell(lambda: torch.autograd.grad(F.grad(cube)(w).sum(), w))
tell(lambda: F.grad(lambda a: cube(y))(x))
tell(lambda: F.grad(lambda a: a.detach().sum())(x))
def unrecorded():
    with torch.no_grad():
        return F.grad(cube)(w)
tell(unrecorded)
def inside(a):
    with torch.no_grad():
        factor = a * 2
    return (factor * a).sum()
tell(lambda: F.grad(inside)(x))
def own(a):
    a = a * 1
    a[0] = 3.0
    a.mul_(2)
    return (a ** 2).sum()
tell(lambda: F.grad(own)(x))
tell(lambda: F.grad(F.grad(own))(torch.tensor(1.0)))
tell(lambda: F.grad(cube).__name__)
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a
    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g
class Parts(torch.autograd.Function):
    @staticmethod
    def forward(a):
        return a * a
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g
tell(lambda: F.grad(lambda a: Square.apply(a).sum())(x))
tell(lambda: F.grad(lambda a: Parts.apply(a).sum())(x))
tell(lambda: F.grad(F.grad(lambda a: Parts.apply(a) * a))(torch.tensor(3.0)))
tell(lambda: torch.vmap(Square.apply)(x))
tell(lambda: Square.apply(w))
tell(lambda: F.grad(lambda a: torch.utils.checkpoint.checkpoint(cube, a, use_reentrant=False))(x))
tell(lambda: F.grad(lambda a: torch.autograd.grad(cube(a), a, create_graph=True)[0].sum())(x))
with torch.inference_mode():
    tell(lambda: F.grad(cube)(x))
    tell(lambda: F.jacrev(torch.sin)(x))
log.append([x, w.grad])
def trained(a):
    loss = cube(a)
    loss.backward()
    return loss
for call in [
    lambda: F.grad(lambda a: a)(x), lambda: F.grad(lambda a: 1.0)(x), lambda: F.grad(cube)(1.0), lambda: F.grad(cube, argnums=2)(x), lambda: F.grad(cube, argnums=(0, 3))(x), lambda: F.grad(cube, argnums='a')(x), lambda: F.grad(cube, argnums=())(x),
    lambda: F.grad(lambda a, b: a.sum(), argnums=(0, 0))(x, x), lambda: F.grad(cube, has_aux=True)(x), lambda: F.grad(lambda a: (cube(a), 3), has_aux=True)(x), lambda: F.grad(lambda a: a.sum())(torch.arange(3)), lambda: F.grad(trained)(x), lambda: F.grad(lambda a: a.requires_grad_().sum())(x), lambda: F.grad()(x),
]:
    tell(call)
"""

JACOBIANS = """
both = lambda a, b: (a * b, {'s': (a ** 2).sum()})
for make in (F.jacrev, F.jacfwd):
    tell(lambda: make(torch.sin)(x))
    tell(lambda: make(lambda a: m @ a)(x))
    tell(lambda: make(both)(x, y))
    tell(lambda: make(both, argnums=1)(x, y))
    tell(lambda: make(both, argnums=(0, 1))(x, y))
    tell(lambda: make(lambda a: a.sum())(m))
    tell(lambda: make(lambda a: (a * 2, a * 3), has_aux=True)(x))
    tell(lambda: make(lambda tree: tree['a'] * tree['b'])({'a': x, 'b': y}))
    tell(lambda: make(lambda a: y * 2)(x))
    tell(lambda: make(torch.exp)(w))
    tell(lambda: make(make(torch.exp))(x))
    tell(lambda: make(lambda a: (a @ a.T).T)(m))
    for again in (F.jacrev, F.jacfwd):
        tell(lambda: again(make(lambda a: torch.stack([a[0] * a[1], a[2].exp()])))(x))
    tell(lambda: make(lambda a: 3)(x))
tell(lambda: F.jacrev(torch.sin, chunk_size=1)(x))
tell(lambda: F.hessian(lambda a: (a ** 3).sum())(x))
tell(lambda: F.hessian(lambda a, b: (a ** 2 * b).sum(), argnums=(0, 1))(x, y))
tell(lambda: F.hessian(lambda a: a.prod())(x))
tell(lambda: F.vjp(torch.sin, x)[0])
tell(lambda: F.vjp(torch.sin, x)[1](y))
tell(lambda: F.vjp(lambda a, b: (a * b, a.sum()), x, y)[1]((y, torch.tensor(2.0))))
tell(lambda: F.vjp(lambda a: {'p': a * 2, 'q': [a]}, x)[1]({'p': y, 'q': [x]}))
tell(lambda: [F.vjp(lambda a: (a * 2, a * 3), x, has_aux=True)[place] for place in (0, 2)])
tell(lambda: F.vjp(torch.sin, w)[1](y))
tell(lambda: F.vjp(lambda a: a * w, x)[1](y))
tell(lambda: F.jvp(torch.sin, (x,), (y,)))
tell(lambda: F.jvp(lambda a, b: (a * b, b.exp()), (x, y), (y, x)))
tell(lambda: F.jvp(lambda a: (a * 2, a * 3), (x,), (y,), has_aux=True))
tell(lambda: F.jvp(lambda a: F.jvp(torch.sin, (a,), (y,))[1], (x,), (x,)))
tell(lambda: F.grad(lambda a: F.jvp(torch.sin, (a,), (y,))[1].sum())(x))
tell(lambda: F.jvp(F.grad(lambda a: (a ** 3).sum()), (x,), (y,)))
tell(lambda: F.jvp(lambda a: (a > 0, a * 2), (x,), (y,)))
tell(lambda: F.jvp(lambda a: y * 2, (x,), (y,)))
tell(lambda: F.jvp(torch.exp, (w,), (y,)))
linear = F.linearize(lambda a: (a ** 2, a.sum()), x)
tell(lambda: [linear[0], linear[1](y), linear[1](x)])
for call in [
    lambda: F.jacrev(lambda a: a, chunk_size=0), lambda: F.jacrev(lambda a: a > 0)(x), lambda: F.vjp(lambda a: (a, a.sum()), x)[1]((x,)), lambda: F.vjp(lambda a: 3, x), lambda: F.vjp(lambda a: (), x), lambda: F.vjp(lambda a: a > 0, x), lambda: F.vjp(lambda a: a * 2, 3.0), lambda: F.vjp(lambda a: a * 2, x)[1](torch.ones(2)), lambda: F.vjp(lambda a: a, x, has_aux=True),
    lambda: F.jvp(torch.sin, x, x), lambda: F.jvp(torch.sin, (x,), (x, x)), lambda: F.jvp(lambda a: 3, (x,), (x,)), lambda: F.jvp(lambda a: y, (x,), (x,), strict=True), lambda: F.jvp(torch.sin, (x,), (torch.ones(2),)), lambda: F.jvp(torch.sin, (), ()), lambda: F.jvp(torch.sin, (3.0,), (x,)), lambda: F.jvp(torch.sin, (x,), (x,), has_aux=True),
    lambda: linear[1](torch.ones(2)), lambda: linear[1](x, x), lambda: linear[1](x.double()),
]:
    tell(call)
"""

VMAP = """
tell(lambda: F.vmap(torch.dot)(m, m * 2))
tell(lambda: torch.vmap(lambda a: a * 2)(m))
tell(lambda: F.vmap(lambda a, b: a @ b, in_dims=(0, None))(m, x))
tell(lambda: F.vmap(lambda a: a.sum(), in_dims=1)(m))
tell(lambda: F.vmap(lambda a: a * 2, in_dims=-1, out_dims=1)(m))
tell(lambda: F.vmap(lambda a: (a * 2, a.sum()), out_dims=(1, 0))(m))
tell(lambda: F.vmap(lambda tree: tree['a'] + tree['b'], in_dims=({'a': 0, 'b': None},))({'a': m, 'b': x}))
tell(lambda: F.vmap(lambda tree: {'out': tree['a'] * 2})({'a': m}))
tell(lambda: F.vmap(F.vmap(torch.mul))(m, m))
tell(lambda: F.vmap(F.vmap(torch.mul, in_dims=(0, None)), in_dims=(None, 0))(x, y))
tell(lambda: F.vmap(F.grad(lambda a: (a ** 3).sum()))(m))
tell(lambda: F.vmap(F.grad(lambda p, a: (p * a).sum().tanh()), in_dims=(None, 0))(w.detach(), m))
tell(lambda: F.vmap(F.jacrev(torch.sin))(m))
tell(lambda: F.vmap(F.hessian(lambda a: a.prod()))(m))
tell(lambda: F.vmap(lambda a: a * w)(m))
tell(lambda: torch.autograd.grad(F.vmap(lambda a: (a * w).sum())(m).sum(), w))
tell(lambda: F.grad(lambda a: F.vmap(torch.dot)(a, m).sum())(m))
tell(lambda: F.vmap(lambda a: a * 2, chunk_size=1)(m))
tell(lambda: F.vmap(lambda a, scale=1: a * scale)(m, scale=3))
tell(lambda: F.vmap(lambda a: y)(m))
tell(lambda: F.vmap(lambda a: y, out_dims=None)(m))
tell(lambda: F.vmap(lambda a: (a, 3), out_dims=(0, None))(m))
tell(lambda: F.vmap(lambda a: torch.where(a > 0, a, -a))(m))
tell(lambda: F.vmap(lambda a: a.argmax())(m))
tell(lambda: F.vmap(lambda a: a * 2)(torch.zeros(0, 2)))
tell(lambda: F.vmap(lambda a: a.sum(), out_dims=-1)(torch.zeros(0, 2)))
def summed(a):
    total = torch.zeros_like(a)
    for _ in range(3):
        total += a
    return total
tell(lambda: F.vmap(summed)(m))
for randomness in ('same', 'different'):
    torch.manual_seed(3)
    tell(lambda: F.vmap(lambda a: a + torch.rand(3), randomness=randomness)(m))
    tell(lambda: torch.rand(2))
torch.manual_seed(3)
for call in [
    lambda: F.vmap(lambda a, b: a, in_dims=(0,))(x, x), lambda: F.vmap(lambda a, b: a, in_dims=(0, [0, 1]))(x, x), lambda: F.vmap(lambda a: (a, a), out_dims=(0, 1, 2))(x), lambda: F.vmap(lambda a: a, out_dims=(0, 1))(x), lambda: F.vmap(lambda a: 1.0)(x), lambda: F.vmap(lambda a: a + torch.randn(1))(x), lambda: F.vmap(lambda a: torch.dropout(a, 0.5, True))(x), lambda: F.vmap(lambda a: a, out_dims=None)(x), lambda: F.vmap(lambda a: a, out_dims='x')(x), lambda: F.vmap(lambda a: a, out_dims=3)(x), lambda: F.vmap(lambda a: a, in_dims=1)(x),
    lambda: F.vmap(lambda a: a, in_dims='x')(x), lambda: F.vmap(lambda a: a, in_dims=None)(x), lambda: F.vmap(lambda a: a, in_dims=(None,))(x), lambda: F.vmap(lambda a: a, in_dims=('x',))(x), lambda: F.vmap(lambda a: a)(3), lambda: F.vmap(lambda: 3)(), lambda: F.vmap(lambda a: a, randomness='x'), lambda: F.vmap(lambda a: a, chunk_size=0), lambda: F.vmap(lambda a, b: a)(x, torch.ones(2)), lambda: torch.rand(2),
    lambda: F.vmap(lambda a, b: b.mul_(a), in_dims=(0, None))(m, x), lambda: F.vmap(lambda a: x.__setitem__(0, a[0]))(m), lambda: x, lambda: F.vmap(lambda a: a.mul_(2))(m), lambda: m,
]:
    tell(call)
"""

MODULES = """
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
params = {name: value.detach() for name, value in net.named_parameters()}
def loss(params, inputs, targets):
    return nn.functional.mse_loss(F.functional_call(net, params, (inputs,)), targets)
tell(lambda: F.functional_call(net, params, m))
tell(lambda: F.functional_call(net, {'0.weight': torch.zeros(4, 3)}, (m,)))
tell(lambda: F.grad(loss)(params, m, torch.ones(2, 1)))
tell(lambda: F.vmap(F.grad(loss), in_dims=(None, 0, 0))(params, m, torch.ones(2, 1)))
tell(lambda: F.jacrev(F.functional_call, argnums=1)(net, params, (m,)))
models = [nn.Linear(3, 2) for _ in range(3)]
stacked, buffers = F.stack_module_state(models)
tell(lambda: [stacked, buffers])
tell(lambda: F.vmap(lambda p, a: F.functional_call(models[0], p, (a,)), in_dims=(0, None))(stacked, m))
norm = nn.BatchNorm1d(3)
state = {'running_mean': torch.zeros(3), 'running_var': torch.ones(3)}
tell(lambda: F.functional_call(norm, state, (m,)))
tell(lambda: [state, norm.running_mean])
F.replace_all_batch_norm_modules_(net_with := nn.Sequential(norm))
tell(lambda: [net_with(m), norm.running_mean, str(norm)])
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2, bias=False)
        self.second = nn.Linear(2, 2, bias=False)
        self.second.weight = self.first.weight
    def forward(self, value, scale=1):
        return self.second(self.first(value)) * scale
tied = Tied()
for tie in (True, False):
    tell(lambda: F.functional_call(tied, {'first.weight': torch.eye(2) * 2}, (torch.ones(2),), {'scale': 3}, tie_weights=tie))
tell(lambda: F.functional_call(tied, {'first.weight': torch.eye(2) * 2, 'second.weight': torch.eye(2)}, (torch.ones(2),)))
for call in [
    lambda: F.functional_call(models[0], {'nope': torch.ones(1, 3)}, m, strict=True), lambda: F.functional_call(models[0], {'weight': torch.ones(2, 3)}, (m,), strict=True), lambda: F.functional_call(models[0], [{'weight': m}, {'weight': x}], (m,)), lambda: F.functional_call(models[0], 3, (m,)), lambda: F.functional_call(models[0], [3], (m,)),
    lambda: F.functional_call(models[0], {'nope': torch.ones(1, 3)}, m), lambda: F.stack_module_state([]), lambda: F.stack_module_state([models[0], nn.ReLU()]), lambda: F.stack_module_state([models[0], nn.Linear(3, 2).eval()]), lambda: F.stack_module_state([models[0], nn.Linear(3, 2).requires_grad_(False)]),
]:
    tell(call)
tell(lambda: list(models[0].parameters()))
"""

SNIPPETS = [SETUP + code for code in (GRAD, JACOBIANS, VMAP, MODULES)]
