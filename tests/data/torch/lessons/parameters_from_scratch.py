import torch

# Two layers without nn, all by hand and then by autograd
torch.manual_seed(0)
N, D_in, H, D_out = 8, 5, 6, 2
x, y = torch.randn(N, D_in), torch.randn(N, D_out)
w1, w2 = torch.randn(D_in, H), torch.randn(H, D_out)
for t in range(3):
    h = x.mm(w1)
    h_relu = h.clamp(min=0)
    y_pred = h_relu.mm(w2)
    loss = (y_pred - y).pow(2).sum()
    grad_y_pred = 2.0 * (y_pred - y)
    grad_w2 = h_relu.t().mm(grad_y_pred)
    grad_h = grad_y_pred.mm(w2.t())
    grad_h[h < 0] = 0
    grad_w1 = x.t().mm(grad_h)
    a1, a2 = w1.clone().requires_grad_(), w2.clone().requires_grad_()
    auto = (x.mm(a1).clamp(min=0).mm(a2) - y).pow(2).sum()
    auto.backward()
    print(t, f"{loss.item():.3f}", torch.allclose(grad_w1, a1.grad, atol=1e-3), torch.allclose(grad_w2, a2.grad, atol=1e-3), auto.grad_fn)
    w1 -= 1e-3 * grad_w1
    w2 -= 1e-3 * grad_w2
print(w1[0], w2[0])

w1 = torch.randn(D_in, H, requires_grad=True)
try:
    for t in range(2):
        loss = (x @ w1).pow(2).sum()
        loss.backward()
        w1 = w1 - 1e-3 * w1.grad
except TypeError as error:
    print("forgot no_grad:", error)
w1 = torch.randn(D_in, H, requires_grad=True)
try:
    loss = (x @ w1).pow(2).sum()
    loss.backward()
    w1 -= 1e-3 * w1.grad
except RuntimeError as error:
    print("in place:", error)

# Micro neuron, as in the well-known lecture
x1 = torch.Tensor([2.0]).double()
x1.requires_grad = True
x2 = torch.Tensor([0.0]).double()
x2.requires_grad = True
w1 = torch.Tensor([-3.0]).double()
w1.requires_grad = True
w2 = torch.Tensor([1.0]).double()
w2.requires_grad = True
b = torch.Tensor([6.8813735870195432]).double()
b.requires_grad = True
n = x1 * w1 + x2 * w2 + b
o = torch.tanh(n)
print(o.data.item())
o.backward()
print("x2", x2.grad.item(), "w2", w2.grad.item(), "x1", x1.grad.item(), "w1", w1.grad.item())
print(o, n, b.grad)
