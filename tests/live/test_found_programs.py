"""Programs in which random search once found a difference: they behave as on the PyTorch that is installed."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

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
    "distances of many rows": (
        "v0 = (torch.arange(90.0) * 7 % 11).view(30, 3).requires_grad_()\nv1 = torch.cdist(v0, v0[:2])\n"
        "v2, = torch.autograd.grad(v1.pow(2).sum(), [v0], create_graph=True)\nv2.pow(2).sum().backward()"
    ),
    "distances of many rows in batches": (
        "v0 = (torch.arange(180.0) * 7 % 11).view(2, 30, 3).requires_grad_()\nv1 = torch.cdist(v0, v0[:1, :4])\n"
        "v1.sum().backward()"
    ),
    "distances of few rows by a product": (
        SQUARE + "v1 = torch.cdist(v0, v0 + 1, compute_mode='use_mm_for_euclid_dist')\nv1.sum().backward()"
    ),
    "distances of many rows of two dtypes": "v0 = torch.cdist(torch.ones(30, 2), torch.ones(2, 2).double())",
    "a bilinear layer": (
        SQUARE + "v1 = torch.arange(24.0).view(2, 3, 4).requires_grad_()\nv2 = torch.ones(2, 4, requires_grad=True)\n"
        "v3 = torch.nn.functional.bilinear(v0, v2, v1)\n"
        "v4, v5, v6 = torch.autograd.grad(v3.pow(2).sum(), [v0, v1, v2], create_graph=True)\n"
        "(v4.sum() + v5.sum() + v6.sum()).backward()"
    ),
    "a bilinear layer of two dtypes": (
        "v0 = torch.nn.functional.bilinear(torch.ones(2, 3), torch.ones(2, 4), torch.ones(5, 3, 4).double())"
    ),
    "a bilinear layer too wide": (
        "v0 = torch.nn.functional.bilinear(torch.ones(2, 4), torch.ones(2, 4), torch.ones(5, 3, 4))"
    ),
    "whole numbers on a curve": (
        "v0 = torch.logspace(0, 3.7, 6, dtype=torch.int64)\nv1 = torch.logspace(-1.9, 7, 6, 2.5, dtype=torch.int32)"
    ),
    "a chance below zero, drawn again": "v0 = torch.multinomial(torch.tensor([1.0, -1.0, 1.0]), 2, True)",
    "an infinite chance, drawn again": "v0 = torch.multinomial(torch.tensor([torch.inf, 1.0]), 2, True)",
    "small ints contracted": (
        "v0 = torch.ones(2, 2, 1, dtype=torch.int32)\nv1 = torch.tensordot(v0, v0.permute(2, 0, 1), ([0, 1], [2, 1]))"
    ),
    "views of what inference mode made": (
        "with torch.inference_mode(): v0 = torch.ones(2, 3, requires_grad=True)\nv1 = v0.view(-1)\nv2 = v0[0]\n"
        "v3 = v0 * 2.5\nv4 = v0 + 1"
    ),
    "another size with channels last": (
        "v0 = torch.arange(120.0).resize_((2, 3, 4, 5), memory_format=torch.channels_last)\n"
        "v1 = torch.arange(120.0).resize_as_(v0, memory_format=torch.preserve_format)\n"
        "v2 = torch.arange(120.0).view(2, 3, 4, 5).contiguous(memory_format=torch.channels_last).resize_(3, 5)"
    ),
    "a size that no memory has": "v0 = torch.ones(1).resize_([2, 4, 2**29, 2**29])",
    "more elements than can be counted": "v0 = torch.ones(1).resize_([8, 8, 2**29, 2**29])",
    "steps that can't be counted": "v0 = torch.ones(1).resize_([0, 4, 2**61])",
    "a part written, then its gradient's graph": (
        COPY + "v1[0].mul_(2)\nv2, = torch.autograd.grad(v1.exp().sum(), [v0], create_graph=True)\nv2.sum().backward()"
    ),
    "one number written, then its gradient's graph": (
        COPY + "v2 = torch.tensor(2.0, requires_grad=True)\nv1[0] = v2\n"
        "v3, = torch.autograd.grad(v1.exp().sum(), [v2], create_graph=True)"
    ),
    "a part of what lies in columns": SQUARE + "v1 = v0.t().clone()\nv1[0].mul_(0.5)\nv1.sum().backward()",
    "a part of an expanded tensor": (
        ROW + "v1 = torch.ones(3, requires_grad=True)\nv2, = torch.autograd.grad(v1.sum(), [v1])\n"
        "v2[0].mul_(v0[1])\nv2.sum().backward()"
    ),
    "zeros for what was expanded": (
        ROW + "v1 = v0 * 2\nv2 = v1.expand(2, 3)\nv2.sum().backward()\nv2.zero_()\nv2.sum().backward()"
    ),
    "the graph of strided pieces": (
        SQUARE + "v1 = v0.as_strided((2, 1, 3), (1, 2, 0))\n"
        "v2, = torch.autograd.grad((v1 * v1).sum(), [v0], create_graph=True)"
    ),
    "the graph of overlapping windows": (
        SQUARE + "v1 = v0.as_strided((2, 2), (1, 1))\n(v1 * v1).sum().backward(create_graph=True)\nv2 = v0.grad"
    ),
    "the graph of windows of what was expanded": (
        SQUARE + "v1 = v0[0].expand(2, 3).as_strided((2, 2), (1, 1))\n"
        "v2, = torch.autograd.grad((v1 * v1).sum(), [v0], create_graph=True)"
    ),
    "the graph of a trace": SQUARE + "v1, = torch.autograd.grad(v0.trace() ** 2, [v0], create_graph=True)",
    "the graph of a spread": ROW + "v1, = torch.autograd.grad(v0.std((0,)), [v0], create_graph=True)",
    "the spread along no dimension": ROW + "v0.var(dim=()).backward()",
    "the graph of the second derivative of softmax": (
        SQUARE + "v1, = torch.autograd.grad(v0.softmax(1)[0].sum(), [v0], create_graph=True)\n"
        "v2, = torch.autograd.grad(v1.exp().sum(), [v0], create_graph=True)"
    ),
    "the graph of many gammas": ROW + "v1, = torch.autograd.grad((v0 + 5).mvlgamma(2).sum(), [v0], create_graph=True)",
    "smoothed classes": SQUARE
    + "v1 = torch.nn.functional.cross_entropy(v0, torch.tensor([1, 0]), label_smoothing=0.5)",
    "smoothed probabilities": SQUARE + "v1 = torch.nn.functional.cross_entropy(v0, v0, label_smoothing=0.5)",
    "what refuses comes as early as leaves": (
        ROW + "v1 = torch.tensor(2.0, requires_grad=True)\nv2 = v0.floor_divide(torch.ones(2, 3))\n"
        "(v2 * v1).sum().backward()\n(v1 * v2).sum().backward()"
    ),
    "a product into what was expanded": (
        "v0 = torch.zeros(2)[0].expand(2)\nv0.addmm_(torch.ones(2, 2), torch.ones(2, 2))\n"
        "v1 = torch.zeros(2).expand(2, 2)\nv1.addmm_(v1, torch.ones(2, 2))"
    ),
    "a batch of products into what was expanded": (
        "v0 = torch.zeros(2).expand(1, 2, 2)\nv0.baddbmm_(torch.ones(3, 2, 3), torch.ones(3, 3, 2))"
    ),
    "products of bools": "v0 = torch.ones(1, 2, 2).bool() @ torch.ones(1, 2, 3)",
    "running sums of one bool": "v0 = torch.tensor(True)\nv0.cumsum_(0)\nv1 = torch.zeros(0).bool()\nv1.cumprod_(0)",
    "inverted from an infinite factor": (
        "v0 = torch.tensor([[torch.inf, 0.0], [torch.inf, 2.0]])\nv1 = v0.cholesky_inverse()\n"
        "v2 = v0.cholesky_inverse(True)"
    ),
    "factors with a nan beside them": (
        "v0 = torch.tensor([[0.5, 2.0, -1.0], [3.0, 1.0, 2.0]], requires_grad=True)\n"
        "v1 = one(torch.linalg.lu_factor_ex(v0.log()), 0)\nv1.sum().backward()"
    ),
    "a result of another shape, in the same memory": (
        "v0 = torch.zeros(3, 2)\nv1 = v0.T[None]\nv2 = torch.logical_not(torch.tensor([True, False, True]), out=v1)"
    ),
    "born in inference mode and written": (
        ROW + "v1 = v0.exp()\nwith torch.inference_mode(): v2 = v1.roll(1)\nv2.ldexp_(v1)"
    ),
    "the area over nothing": "v0 = torch.trapezoid(torch.zeros(2, 0), torch.zeros(0))",
    "what was expanded in columns, copied": (
        "v0 = torch.ones(2, 3).t().contiguous().t().expand(2, 2, 3)\nv1 = v0.clone()\nv2 = torch.ones_like(v0.mT)"
    ),
    "a hook on an expanded gradient": (
        SQUARE + "v0.register_hook(lambda g: g * 2)\nv1 = v0.sum(0)\nv1.backward(torch.ones(3))"
    ),
    "summed to another shape": (
        SQUARE + "v1 = v0.sum_to_size(2, 1)\nv2 = v0.sum_to_size((3,))\nv3 = v0.sum_to_size(())\n"
        "(v1.exp().sum() + v2.pow(2).sum() + v3).backward()"
    ),
    "summed to a shape it wasn't spread from": SQUARE + "v1 = v0.sum_to_size(2, 2)",
    "covariances": (
        SQUARE + "v1 = torch.cov(v0)\nv2 = torch.cov(v0, correction=0, aweights=torch.tensor([0.5, 1.0, 2.0]))\n"
        "v3, = torch.autograd.grad((v1 * v2).sum(), [v0], create_graph=True)\nv3.pow(2).sum().backward()"
    ),
    "correlations": SQUARE + "v1 = torch.corrcoef(v0)\nv1.exp().sum().backward()\nv2 = v0[0].corrcoef()",
    "covariances of too few": "v0 = torch.cov(torch.ones(2, 3), correction=3)\nv1 = torch.cov(torch.ones(2, 0))",
    "covariances with weights that can't be": "v0 = torch.cov(torch.ones(2, 3), fweights=torch.ones(3))",
    "a loss over no classes": (
        "v0 = torch.ones(5, 0, requires_grad=True)\nv1 = torch.nn.functional.cross_entropy(v0, torch.ones(5, 0))\n"
        "v1.backward()\nv2 = torch.nn.functional.cross_entropy(v0, torch.ones(5, 0), label_smoothing=0.1)"
    ),
    "a loss over no rows": (
        "v0 = torch.ones(0, 3, requires_grad=True)\nv1 = torch.nn.functional.cross_entropy(v0, torch.ones(0, 3))\n"
        "v1.backward()"
    ),
    "a cosine of two matrices for one target": (
        "v0 = torch.nn.functional.cosine_embedding_loss(torch.ones(2, 5), torch.ones(2, 5), torch.tensor(1.0))"
    ),
    "cosines of two vectors for many targets": (
        "v0 = torch.nn.functional.cosine_embedding_loss(torch.ones(5), torch.ones(5), torch.ones(5))"
    ),
    "blocks that slide nowhere": ("v0 = torch.nn.functional.fold(torch.ones(1, 12, 12), (4, 5), (2, 2), dilation=8)"),
    "half an element": "v0 = torch.nn.functional.interpolate(torch.ones(1, 1, 4), size=(2.5,))",
    "a layer told to copy": "torch.nn.Linear(2, 2).to('cpu', copy=True)",
    "a layer with channels last": (
        "v0 = torch.nn.Conv2d(2, 3, 2).to(memory_format=torch.channels_last).weight.detach() * 0\n"
        "v1 = torch.nn.Conv3d(2, 3, 2).to(memory_format=torch.channels_last_3d).weight.detach() * 0"
    ),
    "a layer with channels last of too many dimensions": (
        "torch.nn.Conv3d(2, 3, 2).to(memory_format=torch.channels_last)"
    ),
    "gradients of nothing, checked": (
        "v0 = torch.ones(2, 0, 3, dtype=torch.float64, requires_grad=True)\n"
        "note(torch.autograd.gradcheck(lambda x: x * 2, [v0]))"
    ),
    "a buffer where an attribute is": (
        "m = torch.nn.Module()\nm.q = 5\nm.q = torch.nn.Buffer(torch.ones(1))\nnote(list(m._buffers))"
    ),
    "a buffer of a module that knows of no persistence": (
        "class Own(torch.nn.Module): register_buffer = lambda m, name, one: super(Own, m).register_buffer(name, one)\n"
        "m = Own()\nm.a = torch.nn.Buffer(torch.ones(1))\nm.b = torch.nn.Buffer(torch.ones(1), persistent=False)\n"
        "note(list(m._buffers))"
    ),
    "bases after Module": (
        "class Base: __init__ = lambda self, x: setattr(self, 'x', x)\n"
        "class Both(torch.nn.Module, Base): call_super_init = True\nnote(Both(3).x)"
    ),
    "turned and spread": SQUARE + "v1, = torch.autograd.grad(v0.rot90().sum(), [v0])",
    "a gradient along a diagonal": (
        SQUARE + "v1 = v0.sigmoid()\nv2 = torch.diag_embed(v1, -2, 0, 2)\n(v2 * v2).sum().backward()\nv3 = v0.grad"
    ),
    "activations of gradients that lie in columns": (
        SQUARE
        + "v1 = torch.arange(6.0).view(3, 2).t()\n"
        + "".join(
            f"v{number}, = torch.autograd.grad(torch.nn.functional.{name}(v0), [v0], v1)\n"
            for number, name in enumerate(("tanh", "relu", "elu", "gelu", "softplus", "hardswish", "logsigmoid"), 2)
        )
    ),
    "one number framed": (
        "v0 = torch.tensor([0.5], requires_grad=True)\nv1 = torch.nn.functional.pad(v0, (1, 2))\nv1.sum().backward()"
    ),
    "a part of the frame": (
        SQUARE + "v1, = torch.autograd.grad(torch.nn.functional.pad(v0, (1, 0)), [v0], torch.ones(4, 2).t())"
    ),
    "a wrong order, into what was expanded": "v0 = torch.ones(2).expand(2, 2)\nv0.polygamma_(-3)",
    "a mask of numbers from the same memory": "v0 = torch.ones(3, 2)\nv1 = v0[:1]\nv0.masked_scatter_(v1, v0)",
    "the versions of a target's gradient": (
        "v0 = torch.tensor([0.25, 0.5])\nv1 = torch.tensor([0.5, 1.0], requires_grad=True)\n"
        "v2 = torch.nn.functional.binary_cross_entropy(v0, v1)\n"
        "v3, = torch.autograd.grad(v2, [v1], create_graph=True)"
    ),
    "the order in which an old value is kept": (
        SQUARE + "v1 = v0.clone()\nv1.cumprod_(0)\nv2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)\n"
        "v3, = torch.autograd.grad(v2.sum(), [v0], create_graph=True)"
    ),
    "groups convolved, their second derivatives": (
        "v0 = torch.arange(24.0).view(1, 4, 6).requires_grad_()\nv1 = torch.ones(2, 2, 3, requires_grad=True)\n"
        "v2 = torch.nn.functional.conv1d(v0, v1, stride=2, padding=1, groups=2)\n"
        "v3, v4 = torch.autograd.grad((v2 * v2).sum(), [v0, v1], create_graph=True)\n"
        "v5, v6 = torch.autograd.grad((v3 * v4.sum()).sum(), [v0, v1])"
    ),
    "turned convolutions, their second derivatives": (
        "v0 = torch.arange(12.0).view(1, 2, 6).requires_grad_()\nv1 = torch.ones(2, 3, 3, requires_grad=True)\n"
        "v2 = torch.nn.functional.conv_transpose1d(v0, v1, stride=2, padding=1, output_padding=1)\n"
        "v3, v4 = torch.autograd.grad((v2 * v2).sum(), [v0, v1], create_graph=True)\n"
        "v5, v6 = torch.autograd.grad((v3 * v4.sum()).sum(), [v0, v1])"
    ),
    "a second result written by what has no derivative": (
        SQUARE + "v1 = one(torch.std_mean(v0, (0,)), 1)\nv1.heaviside_(torch.zeros(1))\nv2 = v1 * 2"
    ),
    "the condition of no matrix": (
        "v0 = torch.linalg.cond(torch.ones(2), 'x')\nv1 = torch.linalg.cond(torch.ones(2), 1.5)"
    ),
    "gradients that lie differently, added": (
        SQUARE + "v1 = v0.log()\nv2 = v1.t()\nv3 = v1.diagonal()\n(v2 * v3).sum().backward()\nv4 = v0.grad"
    ),
    "the zeros of one sign": "v0 = torch.tensor([0.5], requires_grad=True)\nv0.sgn().sum().backward()",
    "turned, of what was expanded": (
        SQUARE
        + "v1 = v0.expand(2, 2, 3)\n"
        + "".join(f"v{k + 2} = v1.rot90({k})\nv{k + 6} = v1.rot90({k}, (1, 2))\n" for k in range(4))
    ),
    "repeated once": SQUARE + "v1 = v0.t().tile(dims=())\nv2 = v0.t().repeat(1, 1)",
    "the slopes of one number": "v0 = torch.gradient(torch.tensor(1), spacing=0.5, dim=0, edge_order=2)",
    "a norm in single precision, limited": (
        SQUARE + "v1, = torch.autograd.grad(v0.renorm(2, 0, 1.0).sum(), [v0], create_graph=True)"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())
