"""Programs in which random search once found a difference: they behave as on the PyTorch that is installed."""

from __future__ import annotations

import warnings

import pytest

theirs = pytest.importorskip("torch")

from support.outcomes import first_difference  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402

ROW = "v0 = torch.tensor([0.5, -1.5, 2.0], requires_grad=True)\n"
SQUARE = "v0 = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], requires_grad=True)\n"
COPY = SQUARE + "v1 = v0.clone()\n"

PROGRAMS = {
    "zeros for the sign's giver": ROW + "v1 = torch.ones(1, requires_grad=True)\nv0.copysign(v1).sum().backward()",
    "zeros for the direction": ROW + "v1 = torch.ones(3, requires_grad=True)\nv0.nextafter(v1).sum().backward()",
    "zeros for what is compared": ROW + "v1 = torch.ones(1, requires_grad=True)\n(v0 * 2).gt_(v1).sum().backward()",
    "a part written": COPY + "v1[:, 1].mul_(2)\n(v1 * 3 + v1 * 2).sum().backward()",
    "two parts written": COPY + "v1[:, 1].mul_(2)\nv1[0].mul_(2)\n(v1[0] * v1).sum().backward()",
    "a written part read": COPY + "v2 = v1[:, 1]\nv2.mul_(2)\nv2.mul_(2)\nv2.sum().backward()",
    "the gradient of a part is a view": COPY + "v2 = v1.t()\nv1.mul_(2)\nv3, = torch.autograd.grad(v2.sum(), [v1])",
    "the gradient of rows is none": SQUARE + "v1, = torch.autograd.grad(v0.unbind()[0].sum(), [v0])",
    "the gradient of what was rolled is none": ROW + "v1, = torch.autograd.grad(v0.roll(1).sum(), [v0])",
    "overlapping windows": COPY + "v2 = v1.as_strided((2, 2), (1, 1))\nv2.backward(torch.ones(2, 2))",
    "a leaf with gaps": "v0 = torch.ones(3, 2)[:, 1].detach().requires_grad_()\nv0.backward(torch.ones(3))",
    "its gradient with a graph": (
        "v0 = torch.ones(3, 2)[:, 1].detach().requires_grad_()\nv0.exp().sum().backward(create_graph=True)"
    ),
    "a transposed leaf": (
        "v0 = torch.ones(3, 2).t().detach().requires_grad_()\nv0.backward(torch.ones(2, 3), create_graph=True)\n"
        "v1 = v0.grad"
    ),
    "a result and an input written": (
        ROW + "v1 = torch.tensor(True)\nv2 = v1 ** v0\nv1.fill_(0.5)\nv2.mul_(1)\n(v2 * 2).sum().backward()"
    ),
    "a bool written": ROW + "v1 = torch.tensor([True])\nv2 = v1 * v0\nv1.fill_(0)\nv2.sum().backward()",
    "a graph in inference mode": (
        ROW + "v1 = (v0.exp() * v0).sum()\nwith torch.inference_mode(): v1.backward(create_graph=True)\nv2 = v0.grad"
    ),
    "a view of inference mode": (
        ROW + "with torch.inference_mode(): v1 = v0[None]\nv2 = v1.tanh()\n"
        "v2.grad_fn.register_hook(lambda i, o: note(i, o))\nv2.sum().backward()"
    ),
    "a weight of another dtype": (
        ROW + "v1 = torch.tensor(0.25, dtype=torch.float64, requires_grad=True)\nv2 = v0.lerp(v0 * 2, v1)\n"
        "v2.sum().backward()"
    ),
    "a fraction of integers": ROW + "v1 = torch.tensor([1, 2, 3])\nv0.addcmul(v0, v1, value=2.5).sum().backward()",
    "huber of two dtypes": (
        ROW + "v1 = torch.nn.functional.huber_loss(v0, torch.zeros(3, dtype=torch.float64))\nv1.backward()"
    ),
    "soft margin of two dtypes": (
        ROW + "v1 = torch.nn.functional.soft_margin_loss(v0, torch.ones(3, dtype=torch.float64), reduction='none')"
    ),
    "soft margin of two shapes": "v0 = torch.nn.functional.soft_margin_loss(torch.ones(1), torch.ones(2))",
    "soft margin of bools": "v0 = torch.nn.functional.soft_margin_loss(torch.ones(1).bool(), torch.ones(2))",
    "a difference of bools": ROW + "torch.logaddexp(v0, torch.tensor([True])).sum().backward()",
    "batches of two dtypes": "v0 = torch.addbmm(torch.ones(2, 2), torch.ones(1, 2, 2).long(), torch.ones(1, 2, 2))",
    "a mask of bytes": ROW + "v1 = v0.masked_scatter(torch.tensor([1, 0, 1], dtype=torch.uint8), torch.zeros(3))",
    "an exponent of bools": "v0 = torch.ones(3)\nv0.ldexp_(torch.tensor([True, False]))",
    "an exponent of bools for one number": "v0 = torch.ldexp(torch.tensor(1.0), torch.tensor([True, False]))",
    "a pseudoinverse": SQUARE + "v0.pinverse().sum().backward()",
    "polygamma far out": "v0 = torch.tensor([1.0, torch.inf]).polygamma(2)",
    "negative zeros": (
        "v0 = torch.tensor([-0.0, 1.0])\nv1 = 1 / v0.relu()\nv2 = 1 / v0.clamp(0, 1)\nv3 = 1 / v0.maximum(-v0)\n"
        "v4 = 1 / v0.cumsum(0)\nv5 = 1 / v0[:1].dot(v0[:1])"
    ),
    "gradients of what was joined": (
        ROW + "v1 = torch.cat([v0, torch.zeros(2)])\nv1.grad_fn.register_hook(lambda i, o: note(i, o))\n"
        "v1.sum().backward()"
    ),
    "written over itself": SQUARE + "v0.copysign(v0).sum().backward()",
    "layer norm": SQUARE + "v1 = torch.nn.functional.layer_norm(v0, (3,))\nv1.exp().sum().backward()",
    "group norm": SQUARE
    + "v1 = torch.nn.functional.group_norm(v0, 1, torch.ones(3, requires_grad=True))\nv1.exp().sum().backward()",
    "batch norm": SQUARE + "v1 = torch.nn.functional.batch_norm(v0, None, None, v0[0], training=True)",
    "a written gradient with a graph": (
        ROW + "v1 = v0.minimum(torch.tensor(1.5))\nv2, = torch.autograd.grad(v1.exp().sum(), [v0], create_graph=True)"
    ),
    "a part written, with a graph": (
        ROW + "v1 = v0 * 1\nv1[0].mul_(2)\nv2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)"
    ),
    "the smaller of two that lie otherwise in memory": (
        SQUARE + "v1 = torch.tensor([[1, 2], [3, 4], [5, 6]]).t()\nv1.minimum(v0 * 1).sum().backward()"
    ),
    "zeros for a direction of another dtype": (
        ROW + "v1 = torch.ones(2, 3, dtype=torch.float64).nextafter(v0)\nv1.sum().backward()"
    ),
    "zeros for a sign of another dtype": (
        ROW + "v1 = torch.ones(2, 3, dtype=torch.float64).copysign(v0)\nv1.sum().backward()"
    ),
    "zeros for one element": "v0 = torch.ones(1, requires_grad=True)\nv0.view(-1).floor().sum().backward()",
    "softmax of a number, and infinity": (
        "v0 = torch.tensor(2.0, requires_grad=True)\nv1 = v0.softmax(0)\nv1.backward(torch.tensor(torch.inf))"
    ),
    "trace and infinity": SQUARE + "v0.trace().backward(torch.tensor(torch.inf))",
    "a part of nothing, with a graph": (
        SQUARE + "v1 = v0.as_strided((0, 1), (2, 3))\n(v1 * v1).sum().backward(create_graph=True)"
    ),
    "a number times a number taken away": ROW + "v1 = v0.subtract(1, -7)\nv2 = v0 * 1\nv2.subtract_(1, 1.5)",
    "bools framed": "v0 = torch.nn.functional.pad(torch.ones(2, 3).bool(), (1, 1), mode='replicate')",
    "a bool for a width": "v0 = torch.cumulative_trapezoid(torch.tensor(1.0), dx=True)",
    "a bool where ints are read": (
        "v0 = torch.arange(3)\nv1 = v0.roll(torch.tensor(True))\nv2 = v0.roll((torch.tensor(True),))"
    ),
    "rolled along nothing": "v0 = torch.arange(3).roll((1,), None)",
    "bools sorted in": "v0 = torch.bucketize(torch.tensor([True]), torch.tensor([True]))",
    "a number to write into": "v0 = torch.floor_divide(torch.tensor([7, -7]), 2, out=-7)",
    "a product written": "v0 = torch.ones(2, 2)\nv1 = torch.nn.functional.linear(v0, v0, out=torch.zeros(2, 2))",
    "what is too small to be written": "v0 = torch.ones(1)\nv1 = torch.add(v0, torch.ones(3), out=v0)",
    "running extremes of nothing": "v0 = torch.zeros(0, requires_grad=True)\nv1 = one(v0.cummin(1))",
    "factors of no ints": "v0 = one(torch.linalg.lu(torch.zeros(0, 2).long()), 1)",
    "ones in rows that lie in columns": "v0 = torch.nn.functional.one_hot(torch.ones(2, 3).long().t())",
    "no bounds, in place": "v0 = torch.ones(2, requires_grad=True)\nv0.clamp_()",
    "an int that is too big, the old way": "v0 = torch.add(torch.ones(2), 1, 2**70)",
    "a product of columns": SQUARE + "v1 = v0[:, 0].inner(torch.tensor([0.5, 2.0]))",
    "one number among a hundred": "v0 = torch.tensor(0.43).histc()",
    "least squares of ints": "v0 = torch.linalg.lstsq(torch.ones(3, 2).long(), torch.ones(3, 1).long(), rcond=1)",
    "least squares of too few": (
        "v0 = torch.linalg.lstsq(torch.tensor([[0.0, 0.0], [0.25, -1.0]]), torch.ones(2, 1), driver='gels')"
    ),
    "a sum of columns": "v0 = torch.mvlgamma(torch.tensor([[2.0, 3.0], [4.0, 5.0]]).t(), 2)",
    "the gradient of a triangle": (
        "v0 = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)\nv1 = one(torch.linalg.qr(v0), 1)\n"
        "v2, = torch.autograd.grad(v1.sum(), [v0])"
    ),
    "turned and spread": SQUARE + "v1, = torch.autograd.grad(v0.rot90().sum(), [v0])",
}


@pytest.fixture(autouse=True)
def every_warning():
    """PyTorch's once-only warnings come every time."""
    before = theirs.is_warn_always_enabled()
    theirs.set_warn_always(True)
    yield
    theirs.set_warn_always(before)


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        difference = first_difference(ours, theirs, PROGRAMS[name].splitlines())
    assert difference is None, str(difference)
