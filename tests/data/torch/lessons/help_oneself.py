import torch

x = torch.ones(2, 3, requires_grad=True)
for attr in ("data", "grad", "grad_fn", "requires_grad", "is_leaf", "shape", "dtype", "device", "layout", "ndim", "T", "mT", "H", "retains_grad", "_version", "output_nr", "names", "itemsize", "nbytes", "is_cuda", "is_sparse", "is_quantized", "name", "_base", "is_meta", "is_mkldnn", "_backward_hooks"):
    try:
        print(attr, getattr(x, attr))
    except Exception as error:
        print(attr, type(error).__name__, error)
for call in ("x.foo", "torch.foo", "torch.nn.foo", "torch.nn.functional.foo", "x.retains_gard", "x.requires_gd", "torch.autograd.foo", "torch.optim.foo", "x.grad.foo", "torch.float32.foo", "x.sum(5)", "x.sum(dims=1)", "x.view()", "x.backward(1, 2, 3, 4, 5)", "torch.add(x)", "torch.add(x, 'a')", "torch.ones(-1)", "torch.ones('a')", "torch.zeros(2, dtype='float')", "x.to('gpu')", "torch.device('moon')", "torch.cat(x)", "torch.cat([])", "torch.stack([x, x[0]])", "torch.rand(2.5)", "torch.arange()", "x.reshape(7)", "x + [1, 2, 3]", "x[0] = 'a'" if False else "x.t().t().foo()", "x.transpose(0)", "x.transpose(0, 5)", "torch.linspace(0, 1)", "torch.eye(-1)", "torch.tensor()", "torch.tensor(1, 2)", "torch.randn(2, requires_grad='yes')", "x.item()", "x.expand(5, 5)", "x.squeeze(4)", "x.permute(0)", "x.repeat(2)", "torch.matmul(x, x)", "x.mean(dim='a')", "torch.relu()", "torch.relu(1)", "torch.exp(2.0)", "torch.where(x)", "x.float(1)", "torch.full((2,))", "torch.ones(2)(1)", "x.is_leaf()", "len(torch.tensor(1))", "x.T()", "torch.sum([1, 2])", "torch.max(x, x, x)", "torch.manual_seed('a')", "torch.nn.Linear(2)", "torch.nn.Linear('a', 2)", "x.cuda()", "torch.ones(2, device='cuda')"):
    try:
        print(call, "->", eval(call))
    except Exception as error:
        print(call, "->", type(error).__name__, error)
print(torch.cuda.is_available(), torch.cuda.device_count(), "cuda" if torch.cuda.is_available() else "cpu", torch.backends.mps.is_available(), torch.__version__[:4])
print(callable(torch.relu), torch.relu.__name__, torch.Tensor.__name__, torch.Tensor.__module__, torch.nn.Linear.__module__, torch.nn.Module.__name__, torch.float32.__class__)
print(hasattr(x, "backward"), hasattr(torch, "vmap_not"), isinstance(torch.float, torch.dtype), torch.float == torch.float32, torch.typename(x), x.type())
