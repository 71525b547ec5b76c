import numpy as np
import torch

# Making tensors
a = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(a, a.dtype, a.shape, a.size(), a.ndim, a.numel(), a.device, a.layout)
print(torch.tensor([1.5, 2]).dtype, torch.tensor(True).dtype, torch.tensor(3).dtype)
print(torch.zeros(2, 3))
print(torch.ones((2, 2), dtype=torch.int32))
print(torch.full((2, 3), 7))
print(torch.full((2,), 1.5))
print(torch.eye(3))
print(torch.arange(10), torch.arange(0, 1, 0.25), torch.arange(5.0))
print(torch.linspace(0, 1, 5), torch.linspace(-3, 3, steps=4))
print(torch.zeros_like(a), torch.ones_like(a, dtype=torch.float))
torch.manual_seed(0)
print(torch.rand(2, 3))
print(torch.randn(2, 3))
print(torch.randint(0, 10, (3, 3)))
print(torch.randperm(6))
print(torch.normal(0.0, 1.0, size=(2, 2)))
print(torch.empty(0), torch.empty(2, 0).shape)
print(torch.Tensor([1, 2, 3]), torch.FloatTensor(2, 3).shape, torch.LongTensor([1, 2]))

# Reading them
print(a[0], a[:, 1], a[0, 2], a[-1, -1].item(), a.tolist())
print(a[a > 2], a[[0, 1], [2, 0]], a[..., 0], a[:, ::2], a[None].shape)
b = a.clone()
b[0] = 0
b[:, 1] += 10
print(b, a)
print(len(a), [row.sum().item() for row in a], 3 in a, bool(a[0, 0]))

# Shapes
print(a.view(3, 2), a.reshape(-1), a.t(), a.T.shape, a.unsqueeze(0).shape, a.flatten())
print(torch.cat([a, a]), torch.cat([a, a], dim=1), torch.stack([a, a]).shape)
print(a.transpose(0, 1).is_contiguous(), a.permute(1, 0).stride(), a.stride())
for piece in torch.chunk(torch.arange(7), 3):
    print(piece)
print(torch.split(torch.arange(6), [1, 2, 3]))
print(torch.squeeze(torch.ones(1, 3, 1)).shape, torch.ones(3).expand(2, 3))

# Arithmetic
x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([4.0, 5.0, 6.0])
print(x + y, x - y, x * y, x / y, x**2, x @ y, -x, y // x, y % 2)
print(torch.dot(x, y), torch.add(x, y, alpha=2), x.add(1), 1 / x, 2**x)
print(x.sum(), x.mean(), x.std(), x.var(), x.max(), x.argmin(), x.prod(), x.cumsum(0))
print(a.sum(dim=0), a.sum(1, keepdim=True), a.float().mean(0), a.max(dim=1))
print(x > 2, x == torch.tensor([1.0, 0.0, 3.0]), torch.where(x > 1, x, -x), (x > 0).all(), (x < 0).any())
print(torch.matmul(a.float(), x), a.float().mm(torch.ones(3, 2)))
x.add_(1)
print(x)
print(np.allclose(x.numpy(), [2, 3, 4]), torch.from_numpy(np.array([1, 2])), torch.as_tensor(np.eye(2)))
print(x.type(), x.double().type(), x.int(), x.to(torch.float64), x.short().dtype, x.bool(), x.long())
print(f"{x[0]:.2f} {x.mean():6.3f} {x}")
print(type(x), isinstance(x, torch.Tensor), torch.is_tensor(x))
