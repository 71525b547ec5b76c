import numpy as np
import torch

a = torch.ones(5)
b = a.numpy()
a.add_(1)
print(a, b, type(b), b.dtype)
n = np.ones(3)
t = torch.from_numpy(n)
np.add(n, 1, out=n)
print(n, t)
print(torch.tensor(n), torch.as_tensor(n), torch.Tensor(n), torch.tensor(np.float32(1.5)), torch.tensor(np.int64(3)))
print(t.data_ptr() == torch.as_tensor(n).data_ptr(), torch.tensor([np.ones(2), np.zeros(2)]))
w = torch.ones(2, requires_grad=True)
try:
    w.numpy()
except RuntimeError as error:
    print(error)
try:
    np.array(w)
except RuntimeError as error:
    print(error)
print(w.detach().numpy(), w.detach().cpu().numpy(), np.asarray(w.detach()), w.data.numpy(), (w * 2).detach().numpy())
print(np.sum(t.numpy()), np.mean(np.array(t)), np.sin(t), t + torch.from_numpy(np.arange(3)), t.numpy() + 1, np.ones(3) + t.numpy())
print(type(t * np.ones(3)), type(torch.ones(2) * 2.5), torch.ones(3).double() * n)
print(torch.tensor([1, 2]).tolist(), torch.tensor(2.5).item(), float(torch.tensor(2.5)), int(torch.tensor(3.7)), bool(torch.tensor(0)))
for wrong in (lambda: torch.ones(2).item(), lambda: bool(torch.ones(2)), lambda: float(torch.ones(3)), lambda: torch.from_numpy([1]), lambda: torch.from_numpy(np.array(["a"]))):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
m = np.arange(6, dtype=np.float32).reshape(2, 3)
print(torch.from_numpy(m.T).stride(), torch.from_numpy(m[:, ::2]), torch.from_numpy(m).sum(0).numpy().dtype)
s = torch.from_numpy(m)[0]
s[0] = 50
print(m, torch.tensor(np.array([True, False])), torch.from_numpy(np.array(3)))
print([x.item() for x in torch.arange(3)], list(torch.arange(3)), sum(torch.arange(4)), max(torch.tensor([1, 5, 2])), sorted(torch.tensor([3, 1])))
print(range(10)[torch.tensor(3)], [10, 20, 30][torch.tensor(1)], np.arange(5)[torch.tensor([1, 3])], torch.tensor(3).__index__())
