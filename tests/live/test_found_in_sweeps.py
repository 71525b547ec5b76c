"""What calls of every operator found: on odd layouts, shapes, dtypes and tensors for the result."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("torch")

import torch as pytorch
from support.live import check_alike

from chalkgrad import torch as chalkgrad

TURNED = "v0 = torch.tensor([[1.0, 4.0], [2.0, 5.0], [3.0, 7.0]]).t().requires_grad_()\n"
APART = "v0 = torch.arange(12.0).reshape(2, 6)[:, ::2].detach().requires_grad_()\n"
ONE = "v0 = torch.ones(1, requires_grad=True)\n"
BOOLS = "v0 = torch.tensor([[True, False], [True, True]])\nv1 = torch.tensor([[0, 1], [1, 0]])\n"
IMAGE = "v0 = torch.arange(24.0).reshape(4, 3, 2).permute(2, 1, 0).detach().requires_grad_()\n"
LINE = "v0 = torch.tensor([0.15, 1.73], requires_grad=True)\n"
SCORE = (
    "v0 = torch.tensor(0.04, requires_grad=True)\nv1 = torch.tensor([[0.25, 0.5, 0.75]], requires_grad=True)\n"
    "v2 = torch.binary_cross_entropy_with_logits(v0, v1, {weight}, None, {reduction})\n"
)

PROGRAMS = {
    "a view that was made larger than its base, written": (
        "v0 = torch.ones(2, 2, requires_grad=True)\nv1 = v0.sum_to_size((1, 1)).reshape((1,))\n"
        "torch.less(torch.zeros(1), torch.ones(3), out=v1)\nv1.view(-1).mul_(1)\nv1.sum().backward()"
    ),
    "a piece of a leaf that begins within its memory": (
        "v0 = torch.arange(6.0)[2:].requires_grad_()\n"
        "v1, = torch.autograd.grad(v0.as_strided((2,), (1,), 3).sum(), [v0])\n"
        "v2, = torch.autograd.grad(v0.as_strided((2,), (1,), 1).sum(), [v0])"
    ),
    "a second gradient on a leaf with a stride of 0": (
        "v0 = torch.ones(2, 3)\nv1 = v0.expand(2, 2, 3)[0:1]\nv1.requires_grad = True\nv1.sum().backward()\n"
        "(v1 * v0).sum().backward()"
    ),
    "a leaf with gaps and a gradient with the same": APART + "v0.as_strided((2, 2), (1, 2)).sum().backward()",
    "a factor of integers that was spread": (
        ONE + "v1 = torch.tensor([[[1, 2, 3]], [[2, 3, 1]]])\n((v0 - v0) / v1).sum().backward()"
    ),
    "factors of integers that lie turned": (
        "v0 = torch.ones(2, 2, requires_grad=True)\nv1 = torch.tensor([[1, 2], [3, 4]]).t()\n"
        "v2, = torch.autograd.grad((v0 * v1).sum(), [v0])\nv3, = torch.autograd.grad((v0 / v1).sum(), [v0])"
    ),
    "elements of what comes turned": TURNED + "v1, = torch.autograd.grad(v0[[0, -1]].t().neg().sum(), [v0])",
    "the sign of what is spread": (
        TURNED + "v1 = torch.tensor([1.0, -1.0, 3.0], requires_grad=True)\n"
        "v2, = torch.autograd.grad(torch.copysign(v0, v1).sum(), [v0])\n"
        "v3, = torch.autograd.grad(torch.copysign(v0, -1).sum(), [v0], create_graph=True)"
    ),
    "the larger of two that lie turned": (
        TURNED + "v1, = torch.autograd.grad(v0.maximum(v0 * 2).sum(), [v0], create_graph=True)"
    ),
    "a copy over what lay turned": (
        TURNED + "v1 = v0.clone().copy_(torch.ones(3))\nv2, = torch.autograd.grad(v1, [v0], torch.ones(3, 2).t())"
    ),
    "the logarithm of a sigmoid of one element": ONE + "torch.nn.functional.logsigmoid(v0).sum().backward()",
    "the logarithm of a sigmoid of what lies turned": (
        TURNED + "v1, = torch.autograd.grad(torch.nn.functional.logsigmoid(v0).sum(), [v0])"
    ),
    "groups of what lies otherwise": (
        IMAGE + "v1 = torch.ones(6, requires_grad=True)\nv2 = torch.group_norm(v0, 3, v1[:3], v1[::2])\n"
        "v3 = torch.group_norm(v0, 1)\nv2.sum().backward()"
    ),
    "elements of another tensor put, and that overwritten": (
        "v0 = torch.ones(2, 3, requires_grad=True)\nv1 = torch.tensor([1.0, 2.0])\n"
        "v2 = v0.put(torch.tensor([0, 4]), v1)\nv1.add_(1)\nv2.sum().backward()"
    ),
    "covariances of nothing": "v0 = torch.zeros(0, requires_grad=True)\ntorch.cov(v0, correction=0).sum().backward()",
    "what is counted for a mean": TURNED
    + "v1 = torch.nanmean(v0, 0)\nnote(v1.grad_fn._saved_other.dtype.is_floating_point)",
    "the dimension along which differences are taken": (
        TURNED + "v1 = torch.diff(v0)\nnote(v1.grad_fn.next_functions[0][0]._saved_dim)"
    ),
    "the dimensions of an inner product": (
        TURNED + "v1 = torch.inner(torch.ones(2, 3), v0)\n"
        "note(v1.grad_fn.next_functions[0][0].next_functions[1][0].next_functions[0][0]._saved_dims)"
    ),
    "a view without a history that a node refuses": (
        LINE + "with torch.no_grad(): v1 = v0.unbind()[0]\nv2 = torch.floor_divide(v1, torch.tensor([2, 2]))"
    ),
    "a score for several wishes, recorded": (
        SCORE.format(weight=None, reduction=1) + "v3, = torch.autograd.grad(v2, [v0], create_graph=True)"
    ),
    "several wishes for a score, weighed": (
        SCORE.format(weight="torch.ones(1, 3)", reduction=1) + "v3, = torch.autograd.grad(v2.sum(), [v1])"
    ),
    "factors of nothing without exchanges": (
        "v0 = torch.zeros(2, 0, requires_grad=True)\nv1 = torch.linalg.lu_factor(v0, pivot=False)[0]\n"
        "v2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)"
    ),
    "a slope that is learned of what it is multiplied with": (
        LINE + "v1 = v0 * 2\nv2, = torch.autograd.grad(v1.prelu(v1[0]).sum(), [v1], create_graph=True)\n"
        "v3, = torch.autograd.grad((v1 * 3).prelu(v1.mean()).sum(), [v1], create_graph=True)"
    ),
    "a slope by bytes": (
        "v0 = torch.ones(2, requires_grad=True)\n"
        "torch.xlogy(v0, torch.tensor([2, 3], dtype=torch.uint8)).sum().backward()"
    ),
    "mixed by a bool": (
        "v0 = torch.ones(2, requires_grad=True)\n"
        "v1 = torch.lerp(v0, torch.ones(2), torch.tensor(True))\nv1.sum().backward()"
    ),
    "the smallest of one bool": (
        "v0 = torch.kthvalue(torch.tensor(True), 1)[0]\nv1 = torch.kthvalue(torch.tensor([True]), 1)"
    ),
    "means of bools": BOOLS + "v2 = v0.scatter_reduce(0, v1, v0, 'mean')",
    "means of bools nowhere": BOOLS + "v2 = v0.scatter_reduce(0, v1[:0], v0, 'mean')",
    "one value among a hundred": "v0 = torch.histogram(torch.tensor([-0.03]), weight=torch.tensor([2.0]))[0]",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


@pytest.mark.parametrize(
    "bounds", ["1.0, 1.5, True", "1.0, 1.5", "1.0, 0.5, True", "-float('inf'), float('nan')", "1, float('inf')"]
)
@pytest.mark.parametrize("dtype", ["int64", "bool", "float32"])
@pytest.mark.parametrize("name", ["rrelu", "rrelu_"])
def test_random_slopes_that_are_refused(name, dtype, bounds):
    check_alike(["torch.manual_seed(3)", f"v0 = torch.{name}(torch.ones(2, dtype=torch.{dtype}), {bounds})"])


@pytest.mark.parametrize("tolerance", ["", ", atol=2", ", rtol=2", ", atol=torch.tensor(2.0)", ", 2"])
@pytest.mark.parametrize("symmetric", ["", ", hermitian=True"])
@pytest.mark.parametrize("matrix", ["v0", "v0[0]", "v0[0, 0]", "v0[:0]", "v0.long()", "v0[0].long()"])
def test_pseudoinverses_that_are_refused(matrix, symmetric, tolerance):
    check_alike(["v0 = torch.arange(6.0).reshape(2, 3)", f"v1 = torch.linalg.pinv({matrix}{tolerance}{symmetric})"])


@pytest.mark.parametrize("ends", ["", ", min=-1", ", min=0, max=300", ", min=2.5, max=1e30", ", min=5, max=3"])
@pytest.mark.parametrize("values", ["0", "255", "[3, 4]", "[]"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32", "bool"])
def test_counts_between_ends_beyond_the_dtype(dtype, values, ends):
    check_alike([f"v0 = torch.tensor({values}, dtype=torch.{dtype})", f"v1 = torch.histc(v0{ends})"])


@pytest.mark.parametrize(
    "how", ["3", "3, range=(2, 3)", "3, range=(-1, 3)", "3, range=(0, 1e40)", "v0", "torch.tensor(2.0)", "v0.float()"]
)
@pytest.mark.parametrize("weight", ["", ", weight=torch.ones(3)"])
@pytest.mark.parametrize("values", ["[1, 2, 3]", "[]"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "bool", "float32"])
def test_counts_that_are_refused(dtype, values, weight, how):
    check_alike([f"v0 = torch.tensor({values}, dtype=torch.{dtype})", f"v1 = torch.histogram(v0, {how}{weight})[1]"])


@pytest.mark.parametrize("mask", ["None", "torch.zeros(3, 3, requires_grad=True)"])
@pytest.mark.parametrize("value", ["v0", "v0[:, :2]", "v0[:, :1]", "v0[:, :3]"])
@pytest.mark.parametrize("key", ["v0", "v0[:, :2]", "v0[:, :3]", "v0[:, :1].expand(2, 4, 3, 2)"])
def test_attention_of_heads_in_groups(key, value, mask):
    call = f"torch.nn.functional.scaled_dot_product_attention(v0, {key}, {value}, {mask}, enable_gqa=True)"
    check_alike(["v0 = torch.ones(2, 4, 3, 2, requires_grad=True)", f"v1 = {call}"])


LARGE = (
    *(f"torch.nn.functional.{name}(v0, 1e300)" for name in ("leaky_relu", "leaky_relu_", "elu", "elu_", "softplus")),
    *("torch.logit(v0, 1e300)", "torch.lerp(v0, v0, 1e300)", "v0.lerp_(v0, 1e300)", "torch.rrelu(v0, 0, 1e300)"),
    *("torch.hardshrink(v0, 1e300)", "torch.celu(v0, 1e300)", "torch.celu(v0, 1e-300)", "torch.linspace(0, 1e300, 3)"),
    *(f"torch.addmm(v0[None], v0[None], torch.ones(3, 3), {name}=1e300)" for name in ("alpha", "beta")),
    *("torch.addmv(v0, torch.ones(3, 3), v0, alpha=1e300)", "torch.addr(v0, v0, v0, beta=1e300)"),
    "torch.baddbmm(v0[None, None], v0[None, None], torch.ones(1, 3, 3), alpha=1e300)",
    *("torch.nn.functional.multi_margin_loss(v0, torch.tensor(1), margin=1e300)", "torch.pow(1e300, v0)"),
    *("torch.rrelu(v0, 0, 1e300, True)", "torch.nn.functional.softplus(v0, 1, 1e300)"),
)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("call", LARGE)
def test_numbers_beyond_single_precision(call, dtype):
    check_alike([f"torch.manual_seed(3)\nv0 = torch.tensor([0.5, -1.5, 2.0], dtype=torch.{dtype})", f"v1 = {call}"])


@pytest.mark.parametrize(
    "call", ["isclose(v0, v0, {})", "allclose(v0, v0, atol={})", "linalg.matrix_norm(v0[None], {})"]
)
@pytest.mark.parametrize("number", ["float('nan')", "-1", "10**12", "2.5"])
def test_numbers_that_are_refused(call, number):
    check_alike(["v0 = torch.ones(3)", f"v1 = torch.{call.format(number)}"])


@pytest.mark.parametrize("deviations", [-3, -1, 0, 0.01, 3])
@pytest.mark.parametrize("size", [1e5, 1e8, 1e10])
@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_parts_of_the_integral_of_the_gamma_function_of_large_numbers(name, size, deviations):
    values = [size, size + deviations * size**0.5]
    ours, theirs = (
        getattr(side.special, name)(*side.tensor(values, dtype=side.float64)).item() for side in (chalkgrad, pytorch)
    )
    assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("dim", [0, 1])
def test_slices_beside_nan(dim, seed):
    chosen = random.Random(seed)
    rows = [[chosen.choice(["0.0", "1.0", "float('nan')"]) for _ in range(3)] for _ in range(chosen.randint(2, 16))]
    call = f"torch.unique(v0, return_inverse=True, return_counts=True, dim={dim})"
    matrix = ", ".join(f"[{', '.join(row)}]" for row in rows)
    check_alike([f"v0 = torch.tensor([{matrix}])", f"v1, v2, v3 = {call}"])


SHARING = (
    *(f"torch.{name}(v0, 1, v1, v2{how}, out={{}})" for name, how in (("scatter", ""), ("scatter_add", ""))),
    *(f"torch.{name}(v0, 0, v3, v2, out={{}})" for name in ("index_add", "index_copy")),
    *("torch.scatter_reduce(v0, 1, v1, v2, 'sum', out={})", "torch.index_reduce(v0, 0, v3, v2, 'prod', out={})"),
    *("torch.gather(v0, 0, v1, out={})", "torch.take_along_dim(v0, v1, 0, out={})"),
    *("torch.linalg.cross(v0, v2, out={})", "torch.cross(v0, v2, out={})", "torch.outer(v3.float(), v2[0], out={})"),
    *("torch.addr(v2, v3.float(), v0[1], out={})", "torch.threshold(v0, 1, 2, out={})", "torch.any(v0, out={})"),
    *("torch.mvlgamma(v0 + 3, 2, out={})", "torch.all(v0 > 1, 0, out={})"),
)
PLACES = ("v0", "v0[:]", "v2", "torch.zeros(1).expand(2, 1, 3)", "torch.zeros(2, 3, dtype=torch.uint8)")


def test_differences_into_what_is_repeated():
    check_alike(["v0 = torch.arange(6.0).reshape(2, 3)", "v1 = torch.diff(v0, out=torch.zeros(1).expand(2, 1, 3))"])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("call", SHARING)
def test_results_into_memory_that_is_read_or_repeated(call, place):
    lines = ["v0 = torch.arange(6.0).reshape(2, 3)", "v1 = torch.tensor([[0, 1, 0], [1, 1, 0]])", "v2 = v0 + 1"]
    check_alike([*lines, "v3 = torch.tensor([0, 1])", f"v4 = {place}", f"v5 = {call.format('v4')}"])


@pytest.mark.parametrize("shape", ["2, -1", "2, 3"])
def test_a_piece_that_is_out_of_date_is_refused_before_a_shape_that_does_not_fit(shape):
    lines = ["v0 = torch.ones(2, 3, requires_grad=True)", "v1 = v0 * v0", "v2 = v1.unbind()[0]"]
    check_alike([*lines, "v1.unsqueeze(-1).div_(0.5)", f"v3 = v2.reshape({shape})"])


@pytest.mark.parametrize("training", [False, True])
def test_batch_norm_of_nothing(training):
    check_alike([f"torch.nn.functional.batch_norm(None, torch.ones(2), torch.ones(2), training={training})"])
