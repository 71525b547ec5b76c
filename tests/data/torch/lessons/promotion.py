import torch

kinds = (torch.bool, torch.uint8, torch.int32, torch.int64, torch.float32, torch.float64)
for a in kinds:
    print([str((torch.ones(1, dtype=a) + torch.ones(1, dtype=b)).dtype) for b in kinds], [(torch.ones(1, dtype=a) * s).dtype for s in (True, 2, 2.5)])
print((torch.ones(1, dtype=torch.int) / 2).dtype, (torch.tensor([5]) // 2), torch.tensor([5]) ** 2, torch.tensor([7]) / torch.tensor([2]))
print((torch.ones(2) + torch.tensor(1.0, dtype=torch.double)).dtype, (torch.ones(2, dtype=torch.int) + torch.tensor(1.5)).dtype)
print(torch.result_type(torch.tensor([1]), 1.0), torch.promote_types(torch.int, torch.float), torch.can_cast(torch.float, torch.int))
print(torch.tensor([True, True]).sum(), torch.tensor([1, 2], dtype=torch.uint8).sum().dtype, torch.tensor([1, 2]).exp(), torch.tensor([1, 2]).float().mean())
print(torch.tensor([300]).to(torch.uint8), torch.tensor([2.7, -2.7]).int(), torch.tensor([0.0, 2.0]).bool(), torch.tensor(250, dtype=torch.uint8) + 10)
print(torch.arange(3) > 1.5, torch.sqrt(torch.tensor(4)), torch.tensor(3) == 3.0, torch.cat([torch.ones(1), torch.ones(1, dtype=torch.long)]))
for wrong in (
    lambda: torch.tensor([1, 2]).mean(),
    lambda: torch.tensor([1, 2]).add_(1.5),
    lambda: torch.ones(2, 2) @ torch.ones(2, 2, dtype=torch.double),
    lambda: torch.tensor([1, 2], dtype=torch.long).fill_(1.5).div_(2),
    lambda: torch.tensor(["a"]),
    lambda: torch.tensor([1, None]),
    lambda: torch.tensor([[1, 2], [3]]),
    lambda: torch.ones(2) + "a",
    lambda: -torch.tensor([True]),
    lambda: torch.tensor([True]) - torch.tensor([True]),
    lambda: torch.tensor([2]) ** -1,
    lambda: torch.ones(2) + None,
    lambda: torch.nn.functional.linear(torch.ones(1, 2, dtype=torch.long), torch.ones(1, 2)),
    lambda: torch.dot(torch.ones(2), torch.ones(2).long()),
    lambda: torch.softmax(torch.tensor([1, 2]), 0),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
torch.set_default_dtype(torch.float64)
print(torch.tensor([1.0]).dtype, torch.zeros(1), torch.tensor([1, 2]) / 2, torch.ones(1).float())
torch.set_default_dtype(torch.float32)
x = torch.tensor([1.0], requires_grad=True)
y = (x.double() * 2).sum()
y.backward()
print(y, x.grad, x.grad.dtype)
