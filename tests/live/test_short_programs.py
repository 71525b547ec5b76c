"""Short programs about memory, writes and refusals, which find here what they find in PyTorch."""

from __future__ import annotations

import warnings

import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

CHANNELS_LAST = (
    "F.max_pool2d(x, 2)",
    "F.max_pool2d(x, 2, return_indices=True)[1]",
    "F.avg_pool2d(x, 2)",
    "F.adaptive_avg_pool2d(x, 2)",
    "F.adaptive_max_pool2d(x, 2)",
    "F.conv2d(x, torch.ones(3, 4, 2, 2))",
    "F.conv2d(x, torch.ones(4, 1, 2, 2), groups=4)",
    "F.conv_transpose2d(x, torch.ones(4, 3, 2, 2))",
    "F.batch_norm(x, None, None, training=True)",
    "F.group_norm(x, 2)",
    "F.layer_norm(x, (5,))",
    "F.interpolate(x, scale_factor=2)",
    "F.interpolate(x, scale_factor=2, mode='bilinear')",
    "F.interpolate(x, scale_factor=2, mode='bicubic')",
    "F.pad(x, (1, 2))",
    "F.pad(x, (1, 2, 1, 1), mode='reflect')",
    "F.pixel_unshuffle(x[:, :, :, :4], 2)",
    "F.channel_shuffle(x, 2)",
    "F.glu(x, 1)",
    "x.roll(1, 1)",
    "x.tril()",
    "torch.cdist(x, x)",
    "x.index_add(0, i, x)",
    "x.index_copy(0, i, x)",
    "x.index_fill(0, i, 2.0)",
    "x.scatter(1, torch.zeros(2, 1, 6, 5, dtype=torch.int64), 0.0)",
)

OVERLAPPING = (
    *("normal_()", "uniform_()", "bernoulli_()", "bernoulli_(0.5)", "exponential_()", "random_()", "geometric_(0.5)"),
    *("index_add_(0, i, v)", "index_copy_(0, i, v)", "index_fill_(0, i[:1], 7.0)", "index_put_((i[:1],), v[:1] * 5)"),
    *("index_put_((i,), v, accumulate=True)", "scatter_(0, i[None], v)", "put_(i, v[0])", "masked_fill_(m, 9.0)"),
    *("__setitem__(i[1:], 2.0)", "__setitem__((slice(None), i[:1]), 4.0)", "__setitem__((i, i), v[0])", "add_(1)"),
    *("__setitem__(m, v[m] * 3)", "fill_diagonal_(2.0)"),
)

SHARING = (
    *("index_add_(0, z, z)", "index_copy_(0, z, z)", "index_fill_(0, z, 0)", "index_put_((z,), z)", "put_(z, z)"),
    *("scatter_(0, z, z)", "scatter_(0, z, 1)", "scatter_add_(0, z, z)"),
)

INDICES_WRITTEN = (
    *("x.max(1)", "x.min(1)", "x.sort(1)", "x.topk(2, 1)", "x.kthvalue(1, 1)", "x.median(1)", "x.mode(1)"),
    *("x.cummax(1)", "F.max_pool2d(x, 2, return_indices=True)", "F.adaptive_max_pool2d(x, 2, return_indices=True)"),
)

OTHERS = (
    "torch.diff(a, prepend=torch.ones(2, 2))",
    "torch.diff(a, dim=0, append=torch.ones(1, 2))",
    "a.apply_(lambda k: 'text')",
    "a.long().apply_(lambda k: None)",
    "a.map_(a.int(), lambda x, y: x)",
    "a.map2_(a, torch.ones(2), lambda x, y, z: x)",
    "a.map2_(a * 2, a * 3, lambda x, y, z: x + y + z)",
    "torch.normal(a, 1.0, out=torch.empty(0)).shape",
    "torch.normal(a, a, out=torch.empty(0)).shape",
    "torch.zeros(7, 3).fill_diagonal_(1, wrap=True)",
    "torch.zeros(2, 2, 2).fill_diagonal_(True)",
    "torch.zeros(2, 3, 2).fill_diagonal_(1)",
    "torch.zeros(3).fill_diagonal_(1)",
    "torch.ones(3, 3, requires_grad=True).fill_diagonal_(1)",
    "torch.autograd.grad((w * 1).fill_diagonal_(5.0).sum(), w)[0]",
    "(w * 1).fill_diagonal_(5.0).grad_fn.next_functions[0][0].name()",
    "a.volatile",
    "issubclass(torch.linalg.LinAlgError, RuntimeError)",
    "F.adaptive_max_pool2d(torch.ones(1, 2, 4, 4).int(), 2)",
    "F.adaptive_max_pool2d(torch.ones(2, 0, 4, 4), 2)",
    "F.adaptive_max_pool1d(torch.ones(2, 3, 0), 2)",
    "F.adaptive_avg_pool2d(torch.ones(2, 3, 0, 4), 2)",
    "F.max_pool2d(torch.ones(0, 2, 4, 4, requires_grad=True), 2).sum().backward()",
    "F.adaptive_max_pool2d(torch.ones(0, 2, 4, 4, requires_grad=True), 2).sum().backward()",
    "torch.index_reduce(a, 0, i[:2], a[1:].double(), 'prod')",
    "torch.index_reduce(a, 0, i[:2] + 2, a[1:], 'prod')",
    "torch.index_reduce(a, 0, i[:2], a[1:], 'sum')",
    "torch.index_reduce(a.bool(), 0, i[:2], a[1:].bool(), 'mean')",
    "a[0].index_add(0, i[0], torch.tensor(1.0))",
    "torch.gradient(w, spacing=[torch.tensor([0.0, 1, 3]), torch.tensor([0.0, 2, 3])], edge_order=2)",
    "torch.gradient(w, spacing=(2.0, 3), dim=(0, 1))",
    "torch.gradient(w, spacing=[2.0])",
    "torch.gradient(w, spacing=[2.0], dim=(0, 1))",
    "torch.gradient(a.to(torch.uint8))",
    "torch.gradient(w, edge_order=3)",
    "torch.gradient(w[:2], edge_order=2, dim=0)",
    "torch.gradient(w, dim=(0, 0))",
    "torch.gradient(w, spacing='x')",
)


HOOKED = (
    "l: (l[0] * 2, l[1] * 2)",
    "l: [l[0] * 2, l[1] * 2]",
    "l: (l[0] * 2).exp()",
    "l: l[0] * l[1]",
    "l: {'x': l[0] * 2}",
)


def outcome(torch, lines):
    """What the last of ``lines`` comes to, as text, or its error; and the warnings on the way."""
    names = {"torch": torch, "F": torch.nn.functional}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        torch.manual_seed(0)
        before = torch.is_warn_always_enabled()
        torch.set_warn_always(True)  # else what other tests have heard already is not said again
        try:
            for line in lines[:-1]:
                exec(line, names)
            found = str(eval(lines[-1], names))
        except Exception as error:
            found = f"{type(error).__name__}: {error}".partition(" (Triggered")[0]
        finally:
            torch.set_warn_always(before)
    return found, {str(warning.message).partition(" (Triggered")[0] for warning in seen}


def same(*lines):
    """Both sides come to the same."""
    assert outcome(ours, lines) == outcome(theirs, lines)


@pytest.mark.parametrize("layout", ["x.contiguous(memory_format=torch.channels_last)", "x.transpose(2, 3)"])
@pytest.mark.parametrize("call", CHANNELS_LAST)
def test_results_and_gradients_lie_in_memory_as_in_pytorch(call, layout):
    shape = "2, 4, 5, 6" if "transpose" in layout else "2, 4, 6, 5"
    same(
        f"x = torch.randn({shape})",
        f"x = {layout}.clone().requires_grad_()",
        "i = torch.tensor([1, 0])",
        f"y = {call}",
        "y.stride(), y.requires_grad and torch.autograd.grad(y, x, torch.ones_like(y))[0].stride()",
    )


@pytest.mark.parametrize("call", OVERLAPPING)
def test_writing_elements_that_are_the_same_memory(call):
    same(
        "x = torch.tensor([1.0, 2.0, 3.0]).expand(3, 3)",
        "i, v, m = torch.arange(3), torch.ones(3, 3), x > 1",
        f"x.{call}",
        "x",
    )


@pytest.mark.parametrize("call", SHARING)
def test_writing_what_is_read(call):
    same("z = torch.arange(3)", f"z.{call}")


@pytest.mark.parametrize("call", INDICES_WRITTEN)
def test_writing_indices_that_a_backward_needs(call):
    same(
        "x = torch.arange(48.0).view(1, 3, 4, 4).cos().requires_grad_()",
        f"values, indices = {call}",
        "indices.zero_()",
        "values.sum().backward()",
    )


@pytest.mark.parametrize("call", OTHERS)
def test_small_things(call):
    same(
        "a, i = torch.arange(9.0).view(3, 3), torch.arange(3)",
        "w = a.pow(2).requires_grad_()",
        call,
    )


@pytest.mark.parametrize("given", ["[a, b]", "a, b"])
@pytest.mark.parametrize("forward", HOOKED)
def test_hooks_of_the_old_kind_warn_of_what_they_miss(forward, given):
    same(
        "a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)",
        "m = torch.nn.Module()",
        f"m.forward = lambda {forward if given == '[a, b]' else forward.replace('l:', '*l:')}",
        "m.register_backward_hook(print)",
        f"m({given})",
        "0",
    )


def test_schedulers_are_saved_and_loaded():
    same(
        "import io",
        "o = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=1.0)",
        "s = torch.optim.lr_scheduler.MultiStepLR(o, [2, 5, 5])",
        "b = io.BytesIO()",
        "torch.save(s.state_dict(), b)",
        "b.seek(0)",
        "torch.load(b)['milestones']",
    )


def test_joined_dictionaries_of_parameters_keep_their_order():
    same(
        "p = torch.nn.ParameterDict({name: torch.nn.Parameter(torch.ones(1)) for name in ('b10', 'b2', 'a')})",
        "list(p.copy()), list(p | torch.nn.ParameterDict({'z': 1, 'y': 2}))",
    )


@pytest.mark.parametrize("name", ["scatter_reduce", "index_reduce"])
@pytest.mark.parametrize("zeros", ["0.0, 2.0, 3.0", "0.0, 0.0, 3.0"])
def test_products_with_several_zeros_are_derived_once_only(name, zeros):
    same(
        "x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)",
        f"s = torch.tensor([{zeros}], dtype=torch.float64, requires_grad=True)",
        f"y = torch.{name}(x, 0, torch.tensor([0, 0, 1]), s, 'prod')",
        "g = torch.autograd.grad(y.sum(), [x, s], create_graph=True)",
        "g[1].grad_fn.name(), torch.autograd.grad(g[1].sum(), [x, s])",
    )
