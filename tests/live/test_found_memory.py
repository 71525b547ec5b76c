"""Views and memory changed under a graph: what their nodes are called, and where the graph of a gradient leads then."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

WRITTEN = "v0 = torch.tensor([[0.5, 1.0, 1.5]], requires_grad=True)\nv1 = torch.sinc(v0)\nv2 = v1.view(-1)\n"

AFTERWARDS = {
    "written again": "v2.abs_()",
    "written again, the view gone": "v2.mul_(2)\ndel v2",
    "its base written": "v1.abs_()",
    "read, then written": "v3 = v2 + 1\nv2.abs_()",
    "written behind the back of autograd": "with torch.no_grad(): v2.zero_()",
    "left alone": "v3 = v2 * 2",
}


@pytest.mark.parametrize("options", ["", "retain_graph=True", "create_graph=True"])
@pytest.mark.parametrize("afterwards", AFTERWARDS)
@pytest.mark.parametrize("writes", ["tanh_", "exp_", "relu_"])
def test_a_result_written_into_a_view_belongs_to_the_views_grad_fn_while_that_lives(writes, afterwards, options):
    lines = [*WRITTEN.splitlines(), f"v2.{writes}()", *AFTERWARDS[afterwards].splitlines()]
    check_alike([*lines, f"v1.sum().backward({options})"])


@pytest.mark.parametrize("operator", ["relu_", "softmax(-1)", "exp", "sigmoid_"])
def test_the_graph_of_a_gradient_goes_on_at_the_views_grad_fn(operator):
    call = operator if "(" in operator else f"{operator}()"
    lines = ["v0 = torch.tensor([[0.5, 1.0]], requires_grad=True)", "v1 = (v0 * 2).flatten()", "v1.relu_()"]
    graph = "v3, = torch.autograd.grad((v2 * v2).sum(), [v0], create_graph=True)"
    check_alike([*lines, f"v2 = v1.{call}", graph])


TARGETS = {
    "a result": "v1 = v0 * 2",
    "a leaf": "v1 = v0",
    "a plain tensor": "v1 = torch.ones(2)",
    "integers": "v1 = torch.ones(2).long()",
    "a view": "v2 = torch.ones(4, requires_grad=True) * 3\nv1 = v2[:2]",
    "what a view shows": "v1 = torch.ones(4, requires_grad=True) * 3\nv2 = v1[:2]",
    "a view of a leaf": "v2 = torch.ones(4, requires_grad=True)\nv1 = v2[:2]",
    "what is saved as a result": "v1 = v0.exp()",
    "what is saved": "v1 = v0 * 2\nv2 = v1.sin()",
    "what was born in inference mode": "with torch.inference_mode(): v1 = torch.ones(2)",
}
SOURCES = (
    "torch.ones(3)",
    "torch.ones(3, requires_grad=True) * 3",
    "torch.ones(3).untyped_storage(), 1, (2,), (1,)",
    "",
)


@pytest.mark.parametrize("mode", ["", "with torch.no_grad(): "])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("target", TARGETS)
def test_other_memory(target, source, mode):
    start = ["v0 = torch.ones(2, requires_grad=True)", *TARGETS[target].splitlines()]
    lines = [*start, f"{mode}v1.set_({source})", "v1.sum().backward()"]
    check_alike([*lines, "v2.sum().backward()"] if "v2" in TARGETS[target] else lines)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (2, 3), (3, 3), (3, 2)])
@pytest.mark.parametrize("loss", ["(v1 * v1).sum()", "(v2 * v2).sum()", "(v1 * v1).sum() + (v2 * v2).sum()"])
def test_the_graph_of_the_gradient_of_qr(shape, loss):
    check_alike(
        [
            "torch.set_default_dtype(torch.float64)",
            f"v0 = torch.arange({float(shape[0] * shape[1])}).reshape({shape}).sin().requires_grad_()",
            "v1, v2 = torch.linalg.qr(v0)",
            f"v3, = torch.autograd.grad({loss}, [v0], create_graph=True)",
        ]
    )


@pytest.mark.parametrize(
    ("base", "exponent"),
    [
        ("torch.tensor([0.5, 1.5])", "torch.tensor([2.0, 3.0]).double()"),
        ("torch.tensor([0.5, 1.5]).double()", "torch.tensor([2.0, 3.0])"),
        ("torch.tensor([0.5, 1.5])", "torch.tensor(2.0).double()"),
        ("torch.tensor(0.5).double()", "torch.tensor([2.0, 3.0])"),
    ],
)
def test_the_graph_of_the_gradient_of_a_power_of_two_dtypes(base, exponent):
    check_alike(
        [
            f"v0 = {base}.requires_grad_()",
            f"v1 = {exponent}.requires_grad_()",
            "v2 = v0 ** v1",
            "v3, v4 = torch.autograd.grad(v2.sum(), [v0, v1], create_graph=True)",
            "v5, v6 = torch.autograd.grad(v3.sum() + v4.sum(), [v0, v1])",
        ]
    )


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("name", ["unique", "unique_consecutive"])
def test_pieces_of_what_was_told_apart_by_rows(name, dim):
    lines = ["v0 = torch.tensor([[1.0, 2.0, 1.0], [3.0, 4.0, 3.0]])", f"v1 = torch.{name}(v0, dim={dim})"]
    check_alike([*lines, "v2 = v1.as_strided((2,), (2,), 1)", "v2.mul_(2)", "v2.resize_(3)", "v3 = v1 * 1"])


def test_pieces_of_memory_that_was_another_dtypes_first():
    lines = ["v0 = torch.ones(2).double()", "v1 = torch.ones(4)", "v0.set_(v1.untyped_storage())"]
    check_alike([*lines, "v2 = v0.as_strided((1,), (1,), 1)", "v2.mul_(3)"])


@pytest.mark.parametrize("size", ["2, 2", "3, 3", "1, 3", "2, 1"])
def test_a_kept_gradient_of_another_shape_than_before(size):
    lines = ["v0 = torch.ones(2, 3, requires_grad=True)", "v1 = v0 * 2", "v1.retain_grad()"]
    lines += ["v1.sum().backward(retain_graph=True)", f"with torch.no_grad(): torch.mul(torch.ones({size}), 3, out=v1)"]
    check_alike([*lines, "v1.relu_()", "v1.sum().backward()"])


@pytest.mark.parametrize("unpack", ["t", "t.clone()"])
@pytest.mark.parametrize("pack", ["t", "t.clone()", "t.detach().clone()"])
@pytest.mark.parametrize("view", ["v1[1:]", "v2", "v2.view(-1)"])
def test_what_hooks_keep_of_a_view_that_was_written(view, pack, unpack):
    """They do not keep the view's grad_fn: the graph of the gradient leads through it only while the view lives."""
    lines = ["v0 = torch.tensor([1.75, 1.25, 1.5], requires_grad=True)", "v1 = v0 * 1", "v2 = v1[:2]"]
    hooks = f"torch.autograd.graph.saved_tensors_hooks(lambda t: {pack}, lambda t: {unpack})"
    lines.append(f"with {hooks}: {view}.sqrt_()")
    check_alike([*lines, "v3, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)", "v3.sum().backward()"])


LARGE = """
ones(2).repeat(10**12)
ones(2).repeat(10**12, 0)
ones(2).tile((10**6, 10**6))
eye(10**12)
randperm(10**12)
tril_indices(10**12, 1)
triu_indices(1, 10**12, 5)
nn.functional.one_hot(torch.tensor([0]), 10**12)
bincount(torch.tensor([10**12]))
bincount(torch.tensor([1]), minlength=10**12)
nn.functional.pad(torch.ones(2), (0, 10**12))
ones(2).diag(10**12)
ones(2).diag_embed(10**12)
multinomial(torch.ones(2), 10**12, replacement=True)
histc(torch.ones(2), 10**12)
vander(torch.ones(2), 10**12)
nn.functional.interpolate(torch.ones(1, 1, 2), 10**12)
nn.functional.interpolate(torch.ones(1, 1, 2), scale_factor=10**12)
ones(1).expand(10**10, 10**9)
zeros(10**12, 10**12, 0)
zeros(0, 10**12, 10**12)
ones(4).as_strided((2,), (2**62,))
ones(4).as_strided((10**10, 10**9), (0, 0))
arange(10**12)
"""


@pytest.mark.parametrize("call", LARGE.strip().splitlines())
def test_what_no_memory_holds(call):
    check_alike([f"v0 = torch.{call}"])
