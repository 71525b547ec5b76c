"""Snippets about the functions of pooling: settings that are left out, what is saved of them, and who speaks in errors."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

SETTINGS = """
F = nn.functional
line, image, volume = (torch.arange(1., 1 + 4 ** dims).reshape(1, 1, *(4,) * dims).sin().double().requires_grad_() for dims in (1, 2, 3))
def saved(node):
    return {name: getattr(node, name) for name in dir(node) if name.startswith("_saved_") and not isinstance(getattr(node, name), torch.Tensor)}
def all_of(x, out, *, squeezed=False):
    node = out.grad_fn.next_functions[0][0] if squeezed else out.grad_fn
    settings = saved(node)
    first, = torch.autograd.grad((out * out).sum(), x, create_graph=True)
    second, = torch.autograd.grad((first ** 3).sum(), x)
    return [out, type(node).__name__, settings, type(first.grad_fn).__name__, first, second]
for stride in (None, (), 1):
    for kind in ("max", "avg"):
        note(lambda: all_of(line, getattr(F, f"{kind}_pool1d")(line, 2, stride), squeezed=True))
        note(lambda: all_of(image, getattr(F, f"{kind}_pool2d")(image, 2, stride)))
        note(lambda: all_of(volume, getattr(F, f"{kind}_pool3d")(volume, 2, stride)))
    note(lambda: all_of(line, torch.max_pool1d(line, 2, stride), squeezed=True))
    note(lambda: all_of(image, torch.max_pool2d(image, 2, stride)))
    note(lambda: all_of(volume, torch.max_pool3d(volume, 2, stride)))
    note(lambda: F.max_pool1d(line, 2, stride, return_indices=True)[1])
    note(lambda: F.lp_pool2d(image.abs(), 2, 2, stride))
note(lambda: all_of(image, torch.max_pool2d(image, 2)))
note(lambda: all_of(volume, torch.max_pool3d(volume, 2)))
note(lambda: saved(torch.roll(line, 1, None).grad_fn))
"""

NAMES = """
F = nn.functional
x = torch.ones(1, 1, 4, 4)
for dims in (1, 2, 3):
    for name in (f"max_pool{dims}d", f"adaptive_max_pool{dims}d"):
        for function in (getattr(F, name), getattr(F, name + "_with_indices")):
            log.append(function.__name__)
            for args, kwargs in [
                ((), {}), ((x,), {}), ((x, 2), {"foo": 1}), ((x, 2), {"return_indices": True, "foo": 1}), ((x, 2, None, 0, 1, False, True, 4), {}),
                ((x, 2, True), {"foo": 1}), ((x, 2, None, 0, 1, False, True), {"return_indices": False}), ((x, 2, True), {"return_indices": False}),
            ]:
                note(lambda: function(*args, **kwargs))
"""

REFUSED = """
F = nn.functional
calls = {
    "adaptive_max_pool2d": [((1, 2, 3, 4, 4), 2), ((3, 4), 2), ((0, 3, 4), 2), ((1, 3, 4, 4), (2,)), ((1, 0, 2, 4, 4), 2), ((3, 4, 4), (1, 2, 3)), ((1, 2, 4, 4), "x")],
    "adaptive_max_pool3d": [((4, 4, 4), (1, 2, 3)), ((4, 4), 2), ((1, 4, 4, 0), 2), ((1, 4, 4, 4), (2, 2)), ((1, 0, 4, 4, 4), 2)],
    "adaptive_max_pool1d": [((2, 4), (None,)), ((4,), 2), ((2, 0), 2), ((2, 4), (1, 2))],
    "adaptive_avg_pool2d": [((2, 3, 2, 4, 4), 1), ((2, 3, 2, 4, 4), 2), ((2, 0, 4, 4), 2), ((2, 3, 0, 4), 2), ((2, 4), 1), ((2, 4), (2, -1)), ((2, 4), (2, 1, 1))],
    "adaptive_avg_pool3d": [((0, 0, 2, 5, 4, 4), 2), ((1, 0, 2, 4, 4), 2), ((4, 4, 4), 2), ((4, 4, 4), (1, 1, 1)), ((2, 4), (2, -1, 3))],
    "avg_pool2d": [((2, 3, 4, 4), (1, 2, 3)), ((2, 3, 4, 4), 0), ((4, 4), 2), ((2, 0, 4, 4), 2), ((2, 3, 1, 1), 2), ((2, 3, 4, 4), 2, 0)],
    "avg_pool3d": [((2, 3, 4, 4), (1, 2)), ((2, 3, 4, 4), 0), ((3, 4, 4), 2), ((2, 0, 4, 4), 2), ((2, 3, 1, 1), 2), ((2, 3, 4, 4), 2, -1), ((2, 3, 4, 4), 2, 1, 2)],
    "max_pool2d": [((2, 3, 4, 4), (1, 2, 3)), ((2, 3, 4, 4), 0), ((4, 4), 2), ((2, 0, 4, 4), 2), ((2, 3, 1, 1), 2), ((2, 3, 4, 4), 2, 1, 0, 0)],
    "max_pool3d": [((2, 3, 4, 4), (1, 2)), ((2, 3, 4, 4), 0), ((3, 4, 4), 2), ((2, 0, 4, 4), 2), ((2, 3, 1, 1), 2), ((2, 3, 4, 4), 2, 1, 0, 0)],
}
for name, given in calls.items():
    for shape, *rest in given:
        note(lambda: list(getattr(F, name)(torch.ones(shape, dtype=torch.float64), *rest).shape))
note(lambda: F.avg_pool2d(torch.ones(1, 2, 2), 1, divisor_override=0))
line = torch.ones(1, 2, 5)
for settings in [((1, 2),), (2, (1, 2)), (2, 1, (1, 1)), (2, 1, 0, ())]:
    note(lambda: F.max_pool1d(line, *settings, return_indices=True))
    note(lambda: F.max_pool1d(line, *settings))
for shape, size in [((2, 0, 1, 4), 4), ((2, 3, 4), (0, 2)), ((2, 3, 4, 4), (1, 1)), ((2, 3, 4, 4), 2)]:
    note(lambda: F.adaptive_avg_pool2d(torch.ones(shape).long(), size))
note(lambda: F.adaptive_avg_pool3d(torch.ones(3, 1, 4, 6, 1).long(), 0))
note(lambda: F.adaptive_max_pool3d(torch.ones(0, 7, 4, 4).long(), (3, 3, -1)))
for dims, kind in [(2, "max"), (3, "max"), (2, "adaptive_max"), (3, "adaptive_max")]:
    none = torch.ones(0, 2, *(4,) * dims, dtype=torch.float64, requires_grad=True)
    first, = torch.autograd.grad(getattr(F, f"{kind}_pool{dims}d")(none, 2).sum(), none, create_graph=True)
    log.append([list(first.shape), type(first.grad_fn).__name__])
    whole = torch.ones(1, 2, *(4,) * dims, dtype=torch.float64, requires_grad=True)
    note(lambda: torch.autograd.grad(F.adaptive_max_pool3d(whole, 0).sum(), whole) if dims == 3 else torch.autograd.grad(F.adaptive_max_pool2d(whole, 0).sum(), whole))
    for form in (torch.contiguous_format, torch.channels_last if dims == 2 else torch.channels_last_3d):
        x = torch.arange(2. * 2 * 4 ** dims).reshape(2, 2, *(4,) * dims).sin().contiguous(memory_format=form).requires_grad_()
        y = getattr(F, f"{kind}_pool{dims}d")(x, 2)
        weights = (y * 2).detach().requires_grad_()
        first, = torch.autograd.grad(y, x, weights, create_graph=True)
        second, = torch.autograd.grad(first.pow(2).sum(), weights, create_graph=True)
        zeros, = torch.autograd.grad(first.pow(2).sum(), x, retain_graph=True)
        log.append([zeros.stride(), list(torch.autograd.grad((F.avg_pool2d if dims == 2 else F.avg_pool3d)(x, 2).pow(2).sum(), x, create_graph=True)[0].stride())])
        log.append([first, list(first.stride()), second, list(second.stride()), type(second.grad_fn).__name__, type(second.grad_fn.next_functions[0][0]).__name__])
"""

SNIPPETS = [SETTINGS, NAMES, REFUSED]
