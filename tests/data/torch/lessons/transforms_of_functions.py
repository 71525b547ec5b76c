# torch.func: gradients as functions, Jacobians, and the same for many inputs.
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, stack_module_state, vjp, vmap

warnings.filterwarnings("ignore", category=DeprecationWarning)  # of what PyTorch loads for vmap
torch.manual_seed(0)
print(grad(torch.sin)(torch.tensor(0.0)), grad(grad(torch.sin))(torch.tensor(1.0)))
square = grad_and_value(lambda p: (p["w"] ** 2).sum() + p["b"])
print(square({"w": torch.tensor([1.0, -2.0]), "b": torch.tensor(3.0)}))


def predict(weight, bias, x):
    return F.linear(x, weight, bias).tanh()


weight, bias, x = torch.randn(3, 3), torch.randn(3), torch.randn(3)
by_rows = jacrev(predict, argnums=2)(weight, bias, x)
by_columns = jacfwd(predict, argnums=2)(weight, bias, x)
print(by_rows.shape, torch.allclose(by_rows, by_columns))
output, pull = vjp(lambda x: predict(weight, bias, x), x)
print(torch.allclose(torch.stack([pull(row)[0] for row in torch.eye(3)]), by_rows))
print(torch.allclose(vmap(lambda row: pull(row)[0])(torch.eye(3)), by_rows))
_, change = jvp(lambda x: predict(weight, bias, x), (x,), (torch.ones(3),))
print(torch.allclose(change, by_rows @ torch.ones(3)))


def rosenbrock(z):
    return (1 - z[0]) ** 2 + 100 * (z[1] - z[0] ** 2) ** 2


z = torch.tensor([-1.0, 2.0])
for _ in range(6):
    z = z - torch.linalg.solve(hessian(rosenbrock)(z), grad(rosenbrock)(z))
print(z)
print(jvp(grad(rosenbrock), (z,), (torch.tensor([1.0, 0.0]),))[1])

net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
params = {name: value.detach() for name, value in net.named_parameters()}
inputs, targets = torch.randn(5, 2), torch.randn(5, 1)


def loss(params, x, y):
    return F.mse_loss(functional_call(net, params, (x,)), y)


each = vmap(grad(loss), in_dims=(None, 0, 0))(params, inputs, targets)
print({name: value.shape for name, value in each.items()})
F.mse_loss(net(inputs[:1]), targets[:1]).backward()
print(torch.allclose(each["0.weight"][0], net[0].weight.grad, atol=1e-6))
together = grad(loss)(params, inputs, targets)
print(all(torch.allclose(each[name].mean(0), together[name], atol=1e-6) for name in params))


def adapted(params, x, y):
    return {name: params[name] - 0.1 * slope for name, slope in grad(loss)(params, x, y).items()}


meta = grad(lambda params: loss(adapted(params, inputs, targets), inputs, targets))(params)
print({name: value.requires_grad for name, value in meta.items()})
models = [nn.Linear(2, 1) for _ in range(3)]
stacked, _ = stack_module_state(models)
found = vmap(lambda params, x: functional_call(models[0], params, (x,)), in_dims=(0, None))(stacked, inputs)
print(found.shape, found.requires_grad, torch.allclose(found[1], models[1](inputs)))
print(vmap(torch.dot)(torch.eye(2), torch.ones(2, 2)), vmap(lambda a: a * 2, out_dims=1)(torch.ones(2, 3)).shape)

outside = torch.tensor(2.0, requires_grad=True)
slope = grad(lambda a: a**2 * outside)(torch.tensor(3.0))
print(slope)
slope.backward()
print(outside.grad)
for wrong in (
    lambda: grad(lambda a: a * 2)(torch.ones(2)),
    lambda: grad(lambda a: a.sum().backward())(torch.ones(2)),
    lambda: vmap(lambda a: a + torch.rand(1))(torch.ones(2)),
    lambda: vmap(lambda a: 1.0)(torch.ones(2)),
    lambda: vmap(torch.dot)(torch.ones(2, 3), torch.ones(3, 3)),
    lambda: vjp(torch.sin, torch.ones(2))[1]((torch.ones(2),)),
):
    try:
        wrong()
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)
