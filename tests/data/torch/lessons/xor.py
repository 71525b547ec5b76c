import torch
from torch import nn, optim

torch.manual_seed(2)
X = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])


class XOR(nn.Module):
    def __init__(self, hidden=4):
        super().__init__()
        self.fc1 = nn.Linear(2, hidden)
        self.fc2 = nn.Linear(hidden, 1)
        self.act = nn.Tanh()

    def forward(self, x):
        return torch.sigmoid(self.fc2(self.act(self.fc1(x))))


model = XOR()
print(model)
for name, p in model.named_parameters():
    print(name, p.shape, p.requires_grad, p)
optimizer = optim.Adam(model.parameters(), lr=0.05)
print(optimizer)
for step in range(300):
    optimizer.zero_grad()
    out = model(X)
    loss = nn.functional.binary_cross_entropy(out, Y)
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(step, f"{loss.item():.4f}")
print((model(X) > 0.5).int().tolist(), sum(p.numel() for p in model.parameters()))
for p in model.parameters():
    print(p.grad.shape, p.grad.abs().max() < 1)
state = optimizer.state_dict()
print(state["param_groups"], list(state["state"]), state["state"][0]["step"], sorted(state["state"][0]))
