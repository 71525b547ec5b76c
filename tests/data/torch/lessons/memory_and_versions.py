import gc
import weakref

import torch

x = torch.ones(3, requires_grad=True)
print(x._version)
y = x * 2
v0 = y._version
y.add_(1).mul_(2)
y[0] = 5
print(v0, y._version)
view = y[1:]
view.zero_()
print(y._version, view._version)
with torch.no_grad():
    x.add_(1)
print(x._version, x)
x.data.add_(1)
print(x._version, x)
x.detach().add_(1)
print(x._version, x)
x.data = torch.zeros(3)
print(x._version, x)
with torch.autograd._unsafe_preserve_version_counter(x) if hasattr(torch.autograd, "_unsafe_preserve_version_counter") else torch.no_grad():
    pass

# Who is alive
a = torch.ones(2, requires_grad=True)
b = a.exp()
node = weakref.ref(b.grad_fn) if False else None
r = weakref.ref(b)
c = b.sum()
del b
gc.collect()
print(r() is None)
c.backward()
print(a.grad)
t = torch.ones(2)
alive = weakref.ref(t)
del t
print(alive() is None)
# The same storage
p = torch.zeros(2, 2)
q = p.view(4)
print(p.storage().data_ptr() == q.storage().data_ptr() if False else p.untyped_storage().data_ptr() == q.untyped_storage().data_ptr())
p.set_(torch.ones(3))
print(p)
s = torch.zeros(2)
s.copy_(torch.tensor([1, 2]))
print(s, s._version)
s.swap_ if hasattr(s, "swap_") else None
x = torch.tensor([1.0], requires_grad=True)
x.grad = torch.tensor([5.0])
g = x.grad
g.zero_()
print(x.grad, x.grad is g)
x.backward()
print(x.grad, g)
# Equality and hashing
d = {x: "x"}
print(d[x], x in d, x.clone() in d, x == x, x is x, x.equal(x.clone()), torch.equal(x, x), len({x, x}))
print(x != 1, [1.0] == x.tolist(), x.eq(1), (x == 1).all().item(), torch.allclose(x, x + 1e-9), torch.isclose(x, x + 1).item())
print(id(x.grad_fn) == id(None), (x * 1).grad_fn is (x * 1).grad_fn)
