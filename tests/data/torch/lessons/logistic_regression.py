import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
X = torch.cat([torch.randn(20, 2) + 2, torch.randn(20, 2) - 2])
y = torch.cat([torch.ones(20), torch.zeros(20)])


class Logistic(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.linear = nn.Linear(n, 1)

    def forward(self, x):
        return torch.sigmoid(self.linear(x)).squeeze(1)


model = Logistic(2)
criterion = nn.BCELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(20):
    p = model(X)
    loss = criterion(p, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 5 == 0:
        print(f"{epoch:3d} {loss.item():.5f}")
with torch.no_grad():
    predicted = model(X).round()
    accuracy = predicted.eq(y).sum() / float(y.shape[0])
    print(f"accuracy = {accuracy:.4f}")
print(model.linear.weight, model.linear.bias, loss)

logits = model.linear(X).squeeze()
print(F.binary_cross_entropy_with_logits(logits, y), nn.BCEWithLogitsLoss()(logits, y), F.binary_cross_entropy(torch.sigmoid(logits), y))
print(F.logsigmoid(logits[:3]), F.softplus(-logits[:3]))
print(nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0]), reduction="none")(logits, y)[:3])
for wrong in (
    lambda: criterion(model(X).unsqueeze(1), y),
    lambda: criterion(logits, y),
    lambda: F.binary_cross_entropy_with_logits(logits, y[:3]),
    lambda: model(torch.ones(3, 4)),
    lambda: model(torch.ones(3, 2, dtype=torch.double)),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
