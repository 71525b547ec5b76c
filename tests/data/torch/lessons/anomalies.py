import torch

x = torch.tensor([1.0, 0.0], requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    y = (x * 0) / x.detach()
    try:
        torch.sqrt(y * x).sum().backward()
    except RuntimeError as error:
        print("RuntimeError:", error)
x = torch.tensor([0.0], requires_grad=True)
torch.sqrt(x).backward()
print(x.grad)
x.grad = None
(x / x).backward()
print(x.grad)
x.grad = None
torch.where(x > 0, torch.log(x), torch.zeros_like(x)).sum().backward()
print("where and nan:", x.grad)
x.grad = None
x.norm().backward()
print("norm at 0:", x.grad)
x.grad = None
x.abs().sum().backward()
print(x.grad)
for f in (torch.relu, torch.sign, lambda t: t.clamp(0, 1), lambda t: torch.max(t, torch.zeros(1)), lambda t: t**0.5, lambda t: t**2, lambda t: t.prod(), torch.round, lambda t: t.pow(0), torch.nn.functional.leaky_relu, lambda t: torch.atan2(t, t)):
    x.grad = None
    f(x).sum().backward()
    print(x.grad)
print(torch.isnan(torch.tensor([float("nan"), 1.0])), torch.isinf(torch.tensor([1.0, float("inf")])), torch.nan_to_num(torch.tensor([float("nan"), float("inf")])), torch.isfinite(torch.tensor([1.0])))
with torch.autograd.detect_anomaly(check_nan=False):
    z = torch.log(x)
    z.backward()
print(x.grad, torch.is_anomaly_enabled())
print(torch.tensor(float("nan")) == torch.tensor(float("nan")), torch.tensor([1.0]) / 0, torch.tensor([0.0]).log(), torch.tensor([-1.0]).sqrt())
try:
    torch.tensor([1]) // 0
except RuntimeError as error:
    print(error)
print(torch.logsumexp(torch.tensor([1000.0, 1000.0]), 0), torch.log(torch.exp(torch.tensor([1000.0])).sum()), torch.softmax(torch.tensor([1000.0, 0.0]), 0))
