import torch

x = torch.arange(12).view(3, 4)
print(x.stride(), x.storage_offset(), x.is_contiguous(), x.data_ptr() == x.view(-1).data_ptr())
for y in (x.t(), x[1], x[:, 1], x[::2], x.view(2, 6), x.unsqueeze(1), x.expand(2, 3, 4), x.permute(1, 0), x[1:, 1:], x.flatten(), x.T.flatten(), x.diagonal(), x.unfold(1, 2, 1), x.as_strided((2, 2), (1, 4), 1)):
    print(tuple(y.shape), y.stride(), y.storage_offset(), y.is_contiguous(), y._is_view(), y.tolist())
try:
    x.t().view(-1)
except RuntimeError as error:
    print(error)
print(x.t().reshape(-1), x.t().contiguous().view(-1))
for shape in ((5, 3), (-1, 5), (-1, -1)):
    try:
        x.view(*shape)
    except RuntimeError as error:
        print(error)
y = x.view(-1)
y[0] = 100
print(x[0, 0], x._version, y._version)
z = x.reshape(4, 3)
z[0, 1] = -1
print(x)
c = x.clone()
c[0, 0] = 0
print(x[0, 0])
print(torch.ones(2, 3).storage().size(), x.untyped_storage().nbytes(), x.element_size(), x.nelement())

# In the graph
a = torch.arange(6.0, requires_grad=True)
b = a.view(2, 3)
for out in (b, b.t(), b[0], b[:, 1:], b.unsqueeze(0), b.reshape(3, 2), b.t().reshape(-1), b.flatten(), b.squeeze(), b.expand(2, 2, 3), b.permute(1, 0), b.transpose(0, 1), b.contiguous(), b.t().contiguous(), b.narrow(1, 0, 2), b.select(0, 1), b.movedim(0, 1), b.diagonal(), b.chunk(2)[0], b.split(1)[1], b.unbind()[0], b.repeat(2, 1), b.flip(0), b.roll(1), b.tile(2)):
    print(out.grad_fn.name(), tuple(out.shape), out._is_view(), out.is_contiguous())
print(b.contiguous() is b, b.reshape(2, 3) is b, b.view_as(a.view(2, 3)).grad_fn)
w = torch.zeros(2, 3)
w.t()[0] = 1
print(w)
w.resize_(3, 2)
print(w, w.t_())
