import numpy as np
import torch

# Step 1: numpy alone
X = np.array([1, 2, 3, 4], dtype=np.float32)
Y = np.array([2, 4, 6, 8], dtype=np.float32)
w = 0.0
for epoch in range(10):
    pred = w * X
    loss = ((pred - Y) ** 2).mean()
    dw = np.mean(2 * X * (pred - Y))
    w -= 0.01 * dw
print(f"numpy: w = {w:.3f}, loss = {loss:.8f}")

# Step 2: autograd
X, Y = torch.from_numpy(X), torch.from_numpy(Y)
w = torch.tensor(0.0, dtype=torch.float32, requires_grad=True)
for epoch in range(40):
    pred = w * X
    l = ((pred - Y) ** 2).mean()
    l.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad.zero_()
    if epoch % 10 == 0:
        print(f"epoch {epoch + 1}: w = {w:.3f}, loss = {l:.8f}")
print(w, w.grad)

# Step 3: loss and optimizer
w = torch.tensor(0.0, requires_grad=True)
loss = torch.nn.MSELoss()
optimizer = torch.optim.SGD([w], lr=0.01)
print(loss, optimizer)
for epoch in range(40):
    l = loss(w * X, Y)
    l.backward()
    optimizer.step()
    optimizer.zero_grad()
    if epoch % 10 == 9:
        print("epoch", epoch + 1, "w =", w, "loss =", l)

# Step 4: model
torch.manual_seed(0)
X, Y = X.view(-1, 1), Y.unsqueeze(1)
n_samples, n_features = X.shape
model = torch.nn.Linear(n_features, n_features)
print(model, model.weight, model.bias)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(100):
    pred = model(X)
    l = loss(pred, Y)
    l.backward()
    optimizer.step()
    optimizer.zero_grad()
    if epoch % 20 == 0:
        [w, b] = model.parameters()
        print("epoch", epoch + 1, ": w =", w[0], "loss =", round(l.item(), 4))
print(f"after training: f(5) = {model(torch.tensor([5.0])).item():.3f}")


class LinearRegression(torch.nn.Module):
    def __init__(self, input_dim, output_dim):
        super(LinearRegression, self).__init__()
        self.lin = torch.nn.Linear(input_dim, output_dim)

    def forward(self, x):
        return self.lin(x)


model = LinearRegression(1, 1)
print(model)
print(list(model.state_dict()))
