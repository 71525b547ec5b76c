import torch

x = torch.randn(3, requires_grad=True, generator=torch.Generator().manual_seed(0))
y = x.pow(2)
print(x.equal(y.grad_fn._saved_self), x is y.grad_fn._saved_self, y.grad_fn._saved_exponent)
y = x.exp()
print(y.equal(y.grad_fn._saved_result), y is y.grad_fn._saved_result)
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0])
c = a * b
print(c.grad_fn._saved_self, c.grad_fn._saved_other)
for out in (
    a / b,
    a.sum(),
    a.mean(),
    a.sin(),
    a.sum(0, keepdim=True),
    a.clamp(0, 1),
    a.view(2, 1),
    a[0],
    a[1:],
    a.max(dim=0)[0],
    torch.cat([a, b]),
    a.softmax(0),
    a.unsqueeze(0) @ b.unsqueeze(1),
    torch.where(a > 1, a, b),
    a.norm(),
    a.log_softmax(0),
    torch.stack([a, a]),
    a.expand(3, 2),
    a.relu(),
    a.tanh(),
):
    node = out.grad_fn
    saved = [name for name in dir(node) if name.startswith("_saved_")]
    print(node.name(), [(name, getattr(node, name)) for name in saved])
y.sum().backward()
try:
    y.grad_fn._saved_result
except RuntimeError as error:
    print(error)

with torch.autograd.graph.saved_tensors_hooks(lambda t: (print("pack", t), t.numpy().copy())[1] if not t.requires_grad else t, lambda v: (print("unpack"), torch.as_tensor(v))[1]):
    out = a * b
out.sum().backward()
print(a.grad)


class SaveToList:
    def __init__(self):
        self.kept = []

    def pack(self, t):
        self.kept.append(t)
        return len(self.kept) - 1

    def unpack(self, i):
        return self.kept[i]


box = SaveToList()
with torch.autograd.graph.saved_tensors_hooks(box.pack, box.unpack):
    out = (a.sin() * b).exp().sum()
print(len(box.kept))
a.grad = None
out.backward()
print(a.grad)
with torch.autograd.graph.save_on_cpu():
    z = (a * a).sum()
z.backward()
print(a.grad)
with torch.autograd.graph.disable_saved_tensors_hooks("no hooks here"):
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            a.exp()
    except RuntimeError as error:
        print(error)
s = a.exp()
s.grad_fn._raw_saved_result.register_hooks(lambda t: (print("packing"), t)[1], lambda t: (print("unpacking"), t)[1])
s.sum().backward()
