import torch
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, random_split


class Squares(Dataset):
    def __init__(self, n, transform=None):
        self.x = torch.arange(float(n)).unsqueeze(1)
        self.transform = transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        sample = self.x[i], self.x[i] ** 2
        return self.transform(sample) if self.transform else sample


data = Squares(7)
print(len(data), data[3])
for xb, yb in DataLoader(data, batch_size=3):
    print(xb, yb)
torch.manual_seed(0)
for epoch in range(2):
    for i, (xb, yb) in enumerate(DataLoader(dataset=data, batch_size=4, shuffle=True, drop_last=False)):
        print(epoch, i, xb.flatten().tolist(), yb.shape)
loader = DataLoader(TensorDataset(torch.arange(6), torch.arange(6) * 2), batch_size=4, drop_last=True)
print(len(loader), next(iter(loader)), loader.batch_size)
train, val = random_split(data, [5, 2], generator=torch.Generator().manual_seed(1))
print(len(train), len(val), [x.item() for x, _ in val], train.indices)
print(list(DataLoader(Subset(data, [0, 2]), batch_size=1)))
print(list(DataLoader([1, 2.5, 3], batch_size=2)), next(iter(DataLoader([{"a": 1, "b": torch.ones(2)}] * 2, batch_size=2))))
print(list(DataLoader(["x", "y"], batch_size=2)), list(DataLoader(data, batch_size=None))[0])
print([len(b) for b in DataLoader(range(10), batch_size=4, collate_fn=lambda items: items)])
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    running = 0.0
    for xb, yb in DataLoader(data, batch_size=2, shuffle=True):
        loss = torch.nn.functional.mse_loss(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(epoch, f"{running:.2f}")
try:
    TensorDataset(torch.ones(2), torch.ones(3))
except AssertionError as error:
    print(error)
try:
    DataLoader(data, batch_size=0)
except ValueError as error:
    print(error)
