"""Snippets about pooling over windows that lie at random."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

POOLED = """
F = nn.functional
torch.manual_seed(0)
def all_of(call, *inputs):
    found = call()
    out = found[0] if isinstance(found, tuple) else found
    first = torch.autograd.grad((out ** 2).sum(), inputs, create_graph=True)
    second = torch.autograd.grad(sum((one ** 2).sum() for one in first), inputs, allow_unused=True)
    return [found, type(out.grad_fn).__name__, [name for name in dir(out.grad_fn) if name.startswith('_saved')], [type(one.grad_fn).__name__ for one in first], first, second]
x, z = randn(2, 3, 7, 6), randn(2, 2, 4, 5, 6)
note(lambda: all_of(lambda: F.fractional_max_pool2d(x, 2, (3, 2)), x))
note(lambda: all_of(lambda: F.fractional_max_pool2d(x, (3, 2), 3, return_indices=True), x))
note(lambda: all_of(lambda: F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.7)), x))
note(lambda: all_of(lambda: F.fractional_max_pool2d(x[0], 2, 3, None, True), x))
note(lambda: all_of(lambda: F.fractional_max_pool2d(x, 2, 4, _random_samples=torch.full((2, 3, 2), 0.3).double()), x))
note(lambda: all_of(lambda: F.fractional_max_pool2d(x.float(), 2, 4), x))
note(lambda: all_of(lambda: F.fractional_max_pool3d(z, 2, (2, 3, 2)), z))
note(lambda: all_of(lambda: F.fractional_max_pool3d(z, (1, 2, 3), 2, return_indices=True), z))
note(lambda: all_of(lambda: F.fractional_max_pool3d(z[0], 2, output_ratio=(0.5, 0.5, 0.5)), z))
note(lambda: F.fractional_max_pool2d(x, 1, (1, 1)))
note(lambda: torch.rand(2))
for code in ('FractionalMaxPool2d(2, 3)', 'FractionalMaxPool2d((2, 1), output_ratio=0.5)', 'FractionalMaxPool2d(2, 3, return_indices=True)', 'FractionalMaxPool2d(2)', 'FractionalMaxPool2d(2, 3, 0.5)', 'FractionalMaxPool2d(2, output_ratio=1.5)', 'FractionalMaxPool2d(2, output_ratio=(0.5, 2))'):
    note(lambda: [repr(eval('nn.' + code)), eval('nn.' + code)(x)])
for code in ('FractionalMaxPool3d(2, 2)', 'FractionalMaxPool3d(2, output_ratio=0.6)', 'FractionalMaxPool3d(2)', 'FractionalMaxPool3d(2, 2, 0.5)', 'FractionalMaxPool3d(2, output_ratio=2)'):
    note(lambda: [repr(eval('nn.' + code)), eval('nn.' + code)(z)])
log.append([list(nn.FractionalMaxPool2d(2, 3, _random_samples=torch.rand(2, 3, 2).double()).state_dict()), nn.FractionalMaxPool2d(2, 3).kernel_size, nn.FractionalMaxPool2d(2, 3).output_size])
for call in [
    lambda: F.fractional_max_pool2d(x, 2), lambda: F.fractional_max_pool2d(x, 8, 3), lambda: F.fractional_max_pool2d(x, 2, 7), lambda: F.fractional_max_pool2d(x[0, 0], 2, 3), lambda: F.fractional_max_pool2d(x.long(), 2, 3), lambda: F.fractional_max_pool2d(x, 2, 3, _random_samples=torch.rand(2, 3, 1).double()), lambda: F.fractional_max_pool2d(x, 2, (3, 3, 3)), lambda: F.fractional_max_pool2d(x, (2,), 3),
    lambda: F.fractional_max_pool2d(x, 2, 3, _random_samples=torch.rand(1, 3, 2).double()), lambda: F.fractional_max_pool2d(x, 2, 3, _random_samples=torch.rand(2, 2, 2).double()), lambda: F.fractional_max_pool2d(x, 2, 3, _random_samples=torch.rand(2, 3, 2)), lambda: F.fractional_max_pool2d(x, 2, 3, _random_samples=torch.rand(3, 2).double()), lambda: F.fractional_max_pool2d(x, 2, output_ratio=0.5), lambda: F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5, 0.5)),
    lambda: F.fractional_max_pool2d(torch.ones(1, 0, 3, 3), 2, 1), lambda: F.fractional_max_pool2d(x[:0], 2, 3).shape, lambda: F.fractional_max_pool3d(z, 2), lambda: F.fractional_max_pool3d(z, 5, 2), lambda: F.fractional_max_pool3d(z[0, 0], 2, 2), lambda: F.fractional_max_pool3d(z, 2, 2, _random_samples=torch.rand(2, 2, 2).double()), lambda: F.fractional_max_pool3d(z.long(), 2, 2), lambda: F.fractional_max_pool3d(torch.ones(1, 0, 3, 3, 3), 2, 1), lambda: F.fractional_max_pool3d(z, 2, (2, 2)),
]:
    note(call)
"""

SNIPPETS = [POOLED]
