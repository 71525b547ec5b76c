import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for epoch in range(3):
    loss = (w * 3).sum()
    loss.backward()
    print(epoch, w.grad, w.grad._version)
w.grad.zero_()
print(w.grad, w.grad.requires_grad)
w.grad = None
print(w.grad)
try:
    w.grad.zero_()
except AttributeError as error:
    print(error)
for bad in (torch.zeros(3), torch.zeros(2, dtype=torch.double), 1.0, w):
    try:
        w.grad = bad
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
w.grad = torch.tensor([10.0, 20.0])
(w * 2).sum().backward()
print(w.grad)

# The same tensor is written
g = w.grad
(w * 2).sum().backward()
print(g is w.grad, g)

# Accumulating small batches equals one big batch
torch.manual_seed(1)
data, target = torch.randn(8, 3), torch.randn(8, 1)
model = torch.nn.Linear(3, 1)
loss_fn = torch.nn.MSELoss()
loss_fn(model(data), target).backward()
whole = model.weight.grad.clone()
model.zero_grad()
print(model.weight.grad)
for xb, yb in zip(data.split(2), target.split(2)):
    (loss_fn(model(xb), yb) / 4).backward()
print(torch.allclose(whole, model.weight.grad), whole)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer.zero_grad(set_to_none=False)
print(model.weight.grad, model.bias.grad)
optimizer.zero_grad()
print(model.weight.grad, model.bias.grad)
