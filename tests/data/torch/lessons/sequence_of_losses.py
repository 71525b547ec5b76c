import torch
from torch import nn

torch.manual_seed(0)
# Multi-task: two heads, two losses, one body
body, first, second = nn.Linear(4, 3), nn.Linear(3, 1), nn.Linear(3, 2)
x = torch.randn(6, 4)
h = torch.relu(body(x))
one = first(h).pow(2).mean()
two = nn.functional.cross_entropy(second(h), torch.tensor([0, 1, 0, 1, 1, 0]))
g1 = torch.autograd.grad(one, body.weight, retain_graph=True)[0]
g2 = torch.autograd.grad(two, body.weight, retain_graph=True)[0]
(one + 0.5 * two).backward()
print(torch.allclose(body.weight.grad, g1 + 0.5 * g2), nn.functional.cosine_similarity(g1.flatten(), g2.flatten(), dim=0))
# Early stopping and the best model
model = nn.Linear(1, 1)
data = torch.linspace(-1, 1, 12).view(-1, 1)
target = 3 * data - 0.5
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
best, patience, best_state = float("inf"), 0, None
for epoch in range(50):
    model.train()
    optimizer.zero_grad()
    loss = nn.MSELoss()(model(data[:8]), target[:8])
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        val = nn.MSELoss()(model(data[8:]), target[8:]).item()
    if val < best - 1e-4:
        best, patience = val, 0
        best_state = {k: v.clone() for k, v in model.state_dict().items()}
    else:
        patience += 1
        if patience == 3:
            print("stopped at", epoch)
            break
model.load_state_dict(best_state)
print({k: [round(c, 2) for c in v.flatten().tolist()] for k, v in model.state_dict().items()})
# A list of losses that keeps its graphs, and one that doesn't
history = []
for _ in range(3):
    history.append(nn.MSELoss()(model(data), target))
print([h.requires_grad for h in history], [type(h.item()).__name__ for h in history], sum(history).grad_fn)
total = torch.stack(history).mean()
total.backward()
print(total.grad_fn, model.weight.grad.shape)
# Confusion matrix and metrics
pred, true = torch.tensor([0, 1, 1, 2, 2, 2]), torch.tensor([0, 1, 2, 2, 2, 0])
confusion = torch.zeros(3, 3, dtype=torch.long)
for p, t in zip(pred, true):
    confusion[t, p] += 1
print(confusion, confusion.diag() / confusion.sum(1), (pred == true).float().mean())
