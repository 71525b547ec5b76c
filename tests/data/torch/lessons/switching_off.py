import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():
    y = x * 2
    print(y.requires_grad, y.grad_fn, torch.is_grad_enabled())
    with torch.enable_grad():
        z = x * 2
        print(z.requires_grad, torch.is_grad_enabled())
print(torch.is_grad_enabled())


@torch.no_grad()
def double(t):
    return t * 2


print(double(x).requires_grad)
for mode in (True, False):
    with torch.set_grad_enabled(mode):
        print((x * 2).requires_grad)
torch.set_grad_enabled(False)
print((x + 1).requires_grad)
torch.set_grad_enabled(True)
print((x + 1).requires_grad)

with torch.inference_mode():
    i = x * 2
    print(i.requires_grad, i.is_inference(), torch.is_inference_mode_enabled())
    try:
        i._version
    except RuntimeError as error:
        print(error)
print(i)
try:
    i.mul_(2)
except RuntimeError as error:
    print(error)
try:
    print((i * x).requires_grad)
except RuntimeError as error:
    print(error)
try:
    i.requires_grad_()
except RuntimeError as error:
    print(error)
c = i.clone()
print(c.is_inference(), c.mul_(2))

# detach against data
y = x * 3
d = y.detach()
e = y.data
print(d.requires_grad, e.requires_grad, d.is_leaf, d.data_ptr() == y.data_ptr() == e.data_ptr())
d += 1
print(y, y._version, d._version, e._version)
e += 1
print(y, y._version, e._version)
with torch.no_grad():
    p = torch.zeros(2, requires_grad=True)
    q = p.view(2)
print(p.requires_grad, q.requires_grad)
n = torch.no_grad()
print(type(n).__name__, repr(torch.no_grad)[:40])
model = torch.nn.Linear(2, 1)
for p in model.parameters():
    p.requires_grad = False
print(model(x).requires_grad, [p.requires_grad for p in model.parameters()])
model.requires_grad_(True)
print([(n, p.requires_grad) for n, p in model.named_parameters()])
