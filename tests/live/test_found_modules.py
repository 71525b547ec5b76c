"""Modules, and parts of PyTorch beside autograd, as PyTorch's own tests and lessons reach for them."""

from __future__ import annotations

import pytest
from support.shown import outcome

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

SNIPPETS = {
    "gradients of a convolution by name": """
x, w = torch.ones(1, 2, 4, 4), torch.arange(16.0).reshape(2, 2, 2, 2)
g = torch.ones(1, 2, 3, 3)
of = torch.nn.grad
show(of.conv2d_input(x.shape, w, g), of.conv2d_weight(x, w.shape, g))
show(of.conv1d_weight(x[0], (2, 4, 2), torch.ones(2, 2, 3)))
attempt(of.conv2d_input, (1, 1, 3), torch.ones(1, 1, 1, 1, 1), g)
show(torch.nn.init._calculate_fan_in_and_fan_out(w), torch.nn.init._calculate_correct_fan(w, "fan_out"))
""",
    "resize of PyTorch's early days": """
x = torch.arange(6.0, requires_grad=True)
y = x.resize(2, 3)
show(y, y._is_view(), y.data_ptr() == x.data_ptr())
attempt(y.add_, 1)
attempt(x.resize, 7)
attempt(x.resize, 2, -1)
show((x * 2).reshape(2, 3).t().resize(6), x.resize_as(torch.ones(3, 2)))
(x.resize(3, 2) * 3).sum().backward()
show(x.grad, torch.autograd._functions.Resize.apply(x, (3, 2)))
""",
    "accelerators that are not there": """
show(torch.accelerator.is_available(), torch.accelerator.device_count(), torch.accelerator.current_accelerator())
attempt(torch.accelerator.synchronize)
attempt(torch.accelerator.current_device_index)
show(torch.mps.is_available(), torch.mps.device_count(), torch.xpu.is_available(), torch.xpu.device_count())
attempt(torch.mps.empty_cache)
attempt(torch.mps.synchronize)
attempt(torch.xpu.current_device)
show(torch.xpu.memory_allocated(), torch.xpu.empty_cache(), torch.mps.manual_seed(3), torch.xpu.manual_seed(3))
with torch.backends.cudnn.flags(enabled=False):
    show(torch.backends.cudnn.enabled)
show(torch.backends.cudnn.enabled)
""",
    "a convolution without a bias": """
x, w = torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2, requires_grad=True)
show(torch.nn.functional.conv2d(x, w).grad_fn._saved_bias_sym_sizes_opt)
show(torch.nn.Conv2d(1, 4, 2)(x).grad_fn._saved_bias_sym_sizes_opt)
""",
    "parameters that have no shape yet are not computed with": """
nn = torch.nn
p = nn.UninitializedParameter()
for attempted in (lambda: p + p, lambda: 2 * p, lambda: p.sum(), lambda: p.numel(), lambda: p.dim(), lambda: p == p,
                  lambda: bool(p), lambda: p.clone(), lambda: p.detach(), lambda: p.tolist()):
    attempt(lambda: attempted() and 0)
attempt(lambda: sum(q.numel() for q in nn.LazyLinear(3).parameters()))
for function in (torch.add, torch.zeros_like, torch.relu):
    try:
        function(*(p,) * (1 + (function is torch.add)))
    except ValueError as error:
        show(str(error)[:44], str(error)[-60:])
show(p.dtype, p.requires_grad, p.is_leaf, p.grad, p.data, p.size(), p.double().dtype, p.float() is p, p in [p])
attempt(lambda: p.shape)
for shape in (10, (2, 3), torch.Size([4])):
    q = nn.UninitializedParameter()
    q.materialize(shape, dtype=torch.float64)
    show(type(q).__name__, q.shape, q.dtype)
b = nn.UninitializedBuffer()
b.materialize(3)
show(type(b).__name__, b.shape)
attempt(nn.utils.weight_norm, nn.LazyLinear(7))
attempt(nn.utils.spectral_norm, nn.LazyLinear(7))
model = nn.Sequential(nn.LazyLinear(3), nn.LazyBatchNorm1d()).double()
show(model.state_dict()["0.weight"], model[0].weight.dtype)
model(torch.ones(2, 4, dtype=torch.float64)).sum().backward()
show(sum(q.numel() for q in model.parameters()), model[0].weight.grad.shape)
""",
    "modules by their places": """
m = torch.nn.modules
show(isinstance(torch.nn.BatchNorm2d(2), m.batchnorm._BatchNorm), isinstance(torch.nn.Linear(1, 1), m.conv._ConvNd))
show(m.utils._pair(3), m.utils._triple([1, 2, 3]), m.utils._single("ab"), issubclass(torch.nn.L1Loss, m.loss._Loss))
state = {"module.a": 1, "b": 2, "module.c.d": 3}
m.utils.consume_prefix_in_state_dict_if_present(state, "module.")
show(state)
hook = lambda *_: None
module = torch.nn.Linear(1, 1)
module.register_state_dict_post_hook(hook)
attempt(module._register_state_dict_hook, hook)
show(isinstance(torch.ones(1, requires_grad=True).register_hook(print), torch.utils.hooks.RemovableHandle))
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet_shows_what_it_shows_in_pytorch(name):
    expected = outcome(theirs, SNIPPETS[name])
    assert expected
    assert outcome(ours, SNIPPETS[name]) == expected
