import torch
from torch.autograd import Variable

x = Variable(torch.ones(2, 2), requires_grad=True)
print(x)
print(x.data)
print(x.grad, type(x), isinstance(x, Variable), isinstance(x, torch.Tensor))
y = x + 2
print(y.grad_fn)
z = y * y * 3
out = z.mean()
print(z, out)
out.backward()
print(x.grad, x.grad.data)
v = Variable(torch.FloatTensor([1, 2, 3]))
print(v.requires_grad, v.data[0], v.type(), Variable(torch.Tensor(2, 3).fill_(1)))
x = torch.randn(3)
x = Variable(torch.FloatTensor([0.5, 1.0, 1.5]), requires_grad=True)
y = x * 2
while y.data.norm() < 1000:
    y = y * 2
print(y)
y.backward(torch.FloatTensor([0.1, 1.0, 0.0001]))
print(x.grad)

x_data = [1.0, 2.0, 3.0]
y_data = [2.0, 4.0, 6.0]
w = Variable(torch.Tensor([1.0]), requires_grad=True)


def forward(x):
    return x * w


def loss(x, y):
    return (forward(x) - y) * (forward(x) - y)


print("predict (before training)", 4, forward(4).data[0])
for epoch in range(3):
    for x_val, y_val in zip(x_data, y_data):
        l = loss(x_val, y_val)
        l.backward()
        print("\tgrad: ", x_val, y_val, w.grad.data[0])
        w.data = w.data - 0.01 * w.grad.data
        w.grad.data.zero_()
    print("progress:", epoch, l.data[0])
print("predict (after training)", 4, forward(4).data[0], l.item())
try:
    Variable(torch.ones(2), volatile=True)
except TypeError as error:
    print(error)
try:
    torch.ones(2, 2).sum().data[0]
except IndexError as error:
    print(error)
