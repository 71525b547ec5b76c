import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
logits = torch.randn(4, 3, requires_grad=True)
target = torch.tensor([0, 2, 1, 2])
print(logits.softmax(dim=1), logits.softmax(1).sum(1))
loss = F.cross_entropy(logits, target)
print(loss)
by_hand = -torch.log_softmax(logits, 1)[torch.arange(4), target].mean()
print(by_hand, F.nll_loss(F.log_softmax(logits, dim=1), target))
loss.backward()
print(logits.grad, (logits.softmax(1) - F.one_hot(target, 3)).div(4))
print(F.cross_entropy(logits, target, reduction="none"), F.cross_entropy(logits, target, label_smoothing=0.1))
print(F.cross_entropy(logits, target, weight=torch.tensor([1.0, 2.0, 0.5])), F.cross_entropy(logits, target, ignore_index=2))
print(nn.CrossEntropyLoss()(logits, logits.detach().softmax(1)))
for wrong in (
    lambda: F.cross_entropy(logits, target[:2]),
    lambda: F.cross_entropy(logits, torch.tensor([0, 1, 3, 1])),
    lambda: F.cross_entropy(logits, target.float()),
    lambda: F.nll_loss(logits, target.int()),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)

X = torch.randn(60, 2)
y = (X[:, 0] > 0).long() + (X[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 3), nn.LogSoftmax(dim=1))
print(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(30):
    model.train()
    total, correct = 0.0, 0
    for i in range(0, 60, 20):
        out = model(X[i : i + 20])
        loss = nn.NLLLoss()(out, y[i : i + 20])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * 20
        _, predicted = torch.max(out.data, 1)
        correct += (predicted == y[i : i + 20]).sum().item()
    if epoch % 10 == 0:
        print(f"Epoch [{epoch + 1}/30], loss {total / 60:.4f}, accuracy {100 * correct / 60:.1f} %")
model.eval()
with torch.no_grad():
    print(model(X[:5]).exp().round(decimals=3), model(X[:5]).argmax(1), torch.topk(model(X[:2]), 2))
