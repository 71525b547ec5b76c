import torch

x = torch.arange(24.0).view(2, 3, 4)
print(x[0, 1, 2], x[1], x[:, 0], x[..., -1], x[0, :, 1:3], x[:, None].shape, x[-1, -1, -1])
print(x[[0, 1], [1, 2]], x[torch.tensor([1, 0])].shape, x[:, [0, 2]].shape, x[x > 20])
print(x[0][x[0].sum(1) > 10], x[torch.tensor([True, False])].shape)
x[0, 0] = torch.tensor([9.0, 8.0, 7.0, 6.0])
x[:, 1, ::2] = 0
x[x > 22] = -1
print(x)
for index in (5, (0, 3), (0, 0, 0, 0), "a", (slice(None), 1.5), torch.tensor([2]), slice(None, None, -1)):
    try:
        x[index]
    except Exception as error:
        print(type(error).__name__, error)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
for out in (m[0], m[:, 1], m[[1, 0]], m[m > 1.5], m[0, 0], m[..., None], m[torch.tensor([0, 1]), torch.tensor([1, 1])], m[None, 0]):
    m.grad = None
    out.sum().backward()
    print(out, m.grad)
print(torch.gather(m, 1, torch.tensor([[0, 0], [1, 0]])), m.gather(0, torch.tensor([[1, 0]])))
print(torch.zeros(3, 3).scatter_(1, torch.tensor([[0], [2], [1]]), 1.0))
print(torch.zeros(3).scatter_add(0, torch.tensor([0, 2, 0]), torch.tensor([1.0, 2.0, 3.0])))
print(torch.zeros(3).index_add_(0, torch.tensor([0, 0, 1]), torch.ones(3)), m.index_select(1, torch.tensor([1])))
print(torch.masked_select(m, m > 2), m.masked_fill(m > 2, 0.0), torch.take(m, torch.tensor([0, 3])))
print(torch.nonzero(torch.tensor([0, 1, 2])), torch.where(m > 2), torch.argwhere(m > 2))
print(torch.where(m > 2, m, torch.zeros(())), torch.where(m > 2, 1.0, 0.0), m.diag(), torch.diag(torch.arange(3)))
print(m.sort(descending=True), m.argsort(1), m.topk(1), m.max(1), m.min(0).values, m.median(), m.kthvalue(1))
print(torch.sort(torch.tensor([3, 1, 2])), m.unbind(), m.flip(0), m.roll(1, 0), torch.triu(m), m.cummax(0))
v, i = m.max(dim=1)
print(v, i, v.grad_fn)
m.grad = None
m.max().backward()
print(m.grad, m.max())
t = torch.ones(2, 2, requires_grad=True)
t.max().backward()
print(t.grad)
t.grad = None
t.max(0).values.sum().backward()
print(t.grad)
a, b = torch.tensor([[1, 2], [3, 4]])
print(a, b, *a)
for row in torch.eye(2):
    print(row)
try:
    for _ in torch.tensor(1):
        pass
except TypeError as error:
    print(error)
