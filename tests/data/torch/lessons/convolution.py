import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.conv2 = nn.Conv2d(4, 8, 3, padding=1, bias=False)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(8 * 3 * 3, 10)
        self.drop = nn.Dropout2d(p=0.2)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = F.max_pool2d(F.relu(self.drop(self.conv2(x))), (2, 2))
        x = torch.flatten(x, 1)
        return self.fc1(x)


torch.manual_seed(3)
net = Net()
print(net)
params = list(net.parameters())
print(len(params), [tuple(p.size()) for p in params])
input = torch.randn(2, 1, 14, 14)
out = net(input)
print(out.shape, out)
net.zero_grad()
out.backward(torch.randn(2, 10))
print(net.conv1.bias.grad)
print(net.conv2.weight.grad.shape, net.fc1.weight.grad.norm())
target = torch.tensor([3, 7])
loss = nn.CrossEntropyLoss()(net(input), target)
print(loss, loss.grad_fn, loss.grad_fn.next_functions[0][0], loss.grad_fn.next_functions[0][0].next_functions)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
net.train()
for step in range(5):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(input), target)
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.3f}")

x = torch.arange(16.0).view(1, 1, 4, 4).requires_grad_()
k = torch.tensor([[[[1.0, 0.0], [0.0, -1.0]]]], requires_grad=True)
y = F.conv2d(x, k)
print(y)
y.sum().backward()
print(x.grad, k.grad)
print(F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 1), F.interpolate(x, scale_factor=0.5))
print(F.pad(x, (1, 1, 0, 0)).shape, F.unfold(x, 2).shape, nn.ConvTranspose2d(1, 1, 2)(x).shape)
print(nn.Conv1d(2, 3, 3)(torch.ones(1, 2, 5)).shape, nn.Conv2d(3, 6, 5, stride=2, padding=2, groups=3))
for wrong in (lambda: net.conv1(torch.ones(2, 3, 8, 8)), lambda: net.conv1(torch.ones(1, 1, 2, 2)), lambda: net(torch.ones(1, 1, 20, 20))):
    try:
        wrong()
    except RuntimeError as error:
        print(error)
