"""Programs in which random search once found memory, versions or gradients that were not laid out as in PyTorch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

ROW = "v0 = torch.tensor([0.5, -1.5, 2.0], requires_grad=True)\n"
SQUARE = "v0 = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], requires_grad=True)\n"
NOTHING = "v0 = torch.zeros(0, 2, requires_grad=True)\n"
ONE = "v0 = torch.ones(2, 1).as_strided((2, 1), (1, 2))\n"
PAIR = "v0 = torch.tensor([0.5, 0.25], requires_grad=True)\nv1 = torch.tensor([0.25, 0.75], requires_grad=True)\n"

PROGRAMS = {
    "repeated no times": SQUARE + "v1 = v0.tile((0, 2))\nv2, = torch.autograd.grad(v1.sum(), [v0])",
    "repeated no times, with a graph": (
        SQUARE + "v1 = v0.repeat((0, 2))\nv2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)"
    ),
    **{
        f"{call} by places that require grad": f"{NOTHING}v1 = torch.zeros(0, 2).long()\nv1.{call}"
        for call in ("scatter_(-1, v0, torch.ones(2, 2).long())", "scatter_(-1, v0, 1)")
    },
    "a power into another shape": "v0 = torch.eye(2)\nv1 = torch.ones(3)\ntorch.linalg.matrix_power(v0, -1, out=v1)",
    **{
        f"windows of {kernel} that lie as the image does": (
            f"v0 = torch.arange(16.0).reshape(1, 1, 4, 4)\nv1 = torch.nn.functional.unfold(v0, {kernel})\n"
            "v1.mul_(2)\nv0.sub_(1)"
        )
        for kernel in ("4", "1", "(1, 4)", "2")
    },
    "windows of nothing": "v0 = torch.nn.functional.unfold(torch.ones(0, 1, 4, 4), 2)\nv0.mul_(2)",
    **{
        f"{name} of matrices that lie otherwise": (
            "v0 = torch.arange(24.0).reshape(2, 3, 2, 2).neg().exp().add(torch.eye(2)).transpose(0, 1)\n"
            f"v1 = one(torch.linalg.{name}(v0 + v0.mT), {place})"
        )
        for name, place in (("eigh", 0), ("eigvalsh", 0), ("svd", 1), ("svdvals", 0), ("cond", 0), ("pinv", 0))
    },
    **{
        f"a gradient of {pieces} of repeated elements": (
            f"v0 = torch.ones(3, requires_grad=True).expand(2, 3)\nv1 = v0.as_strided({pieces})\n"
            "v2, = torch.autograd.grad(v1.sum(), [v0])"
        )
        for pieces in ("(2,), (1,)", "(2, 2), (1, 1)", "(2, 2), (0, 1)", "(0,), (1,)")
    },
    **{
        f"solutions of {vectors} for {matrices} matrices": (
            f"v0 = torch.eye(3).mul(2).expand({matrices}, 3, 3)\nv1 = torch.linalg.solve(v0, torch.ones({vectors}))"
        )
        for vectors, matrices in (("3", "2"), ("3", "1, 2"), ("2, 3", "2"), ("4, 2, 3", "4, 2"), ("2, 0", "2"))
    },
    "results without elements where a part begins": (
        "v0 = torch.ones(3)\nv1 = v0[1:]\ntorch.add(torch.ones(0, 2), 1, out=v1)\nv2 = v0[2:]\nv2.resize_(0)"
    ),
    **{
        f"as {form}, in a format that it has already": f"v0 = {values}\nv1 = v0.to(memory_format=torch.{form})"
        for form, values in (
            ("contiguous_format", "torch.ones(2, 3).t()"),
            ("contiguous_format", "torch.ones(3).expand(2, 3)"),
            ("contiguous_format", "torch.ones(1, 3, 2, 2).to(memory_format=torch.channels_last)"),
            ("channels_last", "torch.ones(2, 3, 2, 2).permute(0, 3, 1, 2)"),
        )
    },
    **{
        f"a written view, {how}": (
            "v0 = torch.ones(3, 2, requires_grad=True)\nv1 = torch.ones(2, 3, requires_grad=True)\nv2 = (v0 * 2).t()\n"
            f"v2.mul_(v1)\nv3, = torch.autograd.grad(v2.sum(), [v1], create_graph={how == 'with a graph'})"
        )
        for how in ("with a graph", "without")
    },
    "a normalised line that lies otherwise": (
        "v0 = torch.arange(6.0).reshape(3, 2).t().requires_grad_()\nv1 = torch.nn.functional.rms_norm(v0, (3,))\n"
        "(v1 * v1).sum().backward()"
    ),
    "drawn by weights that lie otherwise": (
        "torch.manual_seed(3); v0 = torch.multinomial(torch.arange(1.0, 7).reshape(3, 2).t(), 2)"
    ),
    **{
        f"a response normalised among {size} channels of {shape}": (
            f"v0 = torch.arange({2 * 2 * 3}.0).reshape({shape}).transpose(-1, -2).requires_grad_()\n"
            f"v1 = torch.nn.functional.local_response_norm(v0, {size})\nv1.sum().backward()"
        )
        for size in (1, 2, 3)
        for shape in ("1, 1, 4, 3", "2, 2, 1, 3", "2, 2, 3", "1, 2, 2, 1, 3")
    },
    **{
        f"a line of {what}": (
            f"v0 = torch.ones(2, 1).as_strided((2, 1), {steps})\nv1 = torch.ones(2, 3, 2)\n"
            "v2 = torch.nn.functional.conv_transpose1d(v0, v1, stride=2)\n"
            "v3 = torch.nn.functional.conv1d(v0[None], torch.ones(3, 1, 2).permute(0, 2, 1))"
        )
        for what, steps in (("columns", "(1, 2)"), ("rows", "(1, 1)"))
    },
    "vectors that nobody wants of a turned matrix": (
        "v0 = torch.arange(4.0).reshape(2, 2).t()\nv1 = one(v0.svd(compute_uv=False), 0)"
    ),
    "turned by no quarter": "v0 = torch.ones(3, 2).t()\nv1 = v0.rot90(0)\nv2 = v0.rot90(4)\nv3 = v0.rot90(2)",
    "a rank by tolerances that lie in columns": (
        "v0 = torch.eye(3)[:, :2]\nv1 = torch.ones(2, 3).t()\n"
        "v2 = torch.linalg.matrix_rank(v0, atol=v1, rtol=torch.tensor([1, 2, 3]))"
    ),
    "nothing repeated": "v0 = torch.ones(2, 3)[2:]\nv1 = v0.repeat(1, 2)\nv2 = v0.tile((2, 1))",
    "laid anew over nothing": SQUARE + "v1 = v0.clone()\nv1.as_strided_((0, 2), (1, 2))\nv1.sum().backward()",
    "laid anew": SQUARE + "v1 = v0.clone()\nv1.as_strided_((2, 2), (1, 1))\nv1.sum().backward()",
    "a part from another part": SQUARE + "v1 = v0.clone()\nv1[0] = v1[1] * 2\nv1.sum().backward()",
    "one element from itself": "v0 = torch.tensor([1.0], requires_grad=True)\nv1 = v0.clone()\nv1[0] = v1\n"
    "v1.sum().backward()",
    "one row from the whole": "v0 = torch.tensor([[1.0]])\nv0[0] = v0",
    "a part written beside another use": (
        SQUARE + "v1 = v0.clone()\nv2 = v1 * 3\nv1[0] = 1\n(v1 * v2).sum().backward()"
    ),
    "a part by what has a gradient of its own": (
        "v0 = torch.ones(3, 2, dtype=torch.float64)\nv1 = torch.tensor(0.5, requires_grad=True)\n"
        "v0.view(1, 2, 3).nextafter_(v1)\nv0.sum().backward()"
    ),
    "nothing summed": NOTHING + "v0.sum().backward()",
    "nothing doubled": NOTHING + "(v0 * 2).sum().backward()",
    "nothing twice": NOTHING + "torch.autograd.backward([v0.sum(), v0.sum()])",
    "nothing beside something": (
        NOTHING + "v1 = torch.ones(3, 2, requires_grad=True)\ntorch.cat([v0, v1]).log().sum().backward()"
    ),
    "one number in another dtype": (
        "v0 = torch.ones(1, dtype=torch.float64, requires_grad=True)\nv0.to(torch.float32).sum().backward()"
    ),
    "a leaf squeezed behind the graph's back": (
        "v0 = torch.ones(1, requires_grad=True)\nv1 = v0 - 0.5\nwith torch.no_grad(): v0.squeeze_()\n"
        "v1.sum().backward()"
    ),
    "a leaf with other data": SQUARE + "v1 = v0 / 1\nv0.data = torch.ones(1, 2)\nv1.sum().backward()",
    "a root with other data": SQUARE + "v1 = v0.sum()\nv0.data = v1.data\nv0.backward()",
    "a root with other data that leads nowhere": (
        ROW + "v1 = v0 @ v0\nv0.data = v1.data\nv2 = v0.mean(-1)\n"
        "v3, = torch.autograd.grad(v0, [v2], torch.full_like(v0, 0.5), allow_unused=True)"
    ),
    "added to a gradient of another shape": (
        ROW + "v0.sum().backward()\nv0.data = torch.zeros(2, 2)\nv0.backward(torch.ones(2, 2))"
    ),
    "a gradient that lies in columns": (
        "v0 = torch.ones(2, 2, requires_grad=True)\nv0.grad = torch.ones(2, 2).t().clone()\nv0.sum().backward()"
    ),
    "a gradient that lies in columns, with a graph": (
        "v0 = torch.ones(2, 2, requires_grad=True)\nv0.grad = torch.ones(2, 2).t().clone()\n"
        "v0.sum().backward(create_graph=True)"
    ),
    "what came to the middle, which goes on": (
        ROW + "v1 = v0.exp()\nv2, v3 = torch.autograd.grad((v1 * 2 + v1 * 3).sum(), [v1, v0])"
    ),
    "what came to one of several outputs": (
        SQUARE + "v1, v2 = v0.unbind()\nv3, = torch.autograd.grad((v1 * v1).sum(), [v1])"
    ),
    "one of several roots that leads nowhere": (
        PAIR + "v2 = 2 / v0\nv2.retain_grad()\nv2.register_hook(lambda g: note(g))\n"
        "v3, = torch.autograd.grad([v1.sum(), v2.sum()], [v1])"
    ),
    "a root that leads nowhere": (
        PAIR + "v2 = (2 / v0).sum()\nv2.retain_grad()\nv2.register_hook(lambda g: note(g))\n"
        "v3, = torch.autograd.grad(v2, [v1], allow_unused=True)"
    ),
    "zeros for what lies in columns": (
        "v0 = torch.ones(2, 3, 1, requires_grad=True)\nv1 = v0.transpose(0, -1)[..., 0]\n"
        "v2 = torch.ones(3, requires_grad=True)\n"
        "v3, = torch.autograd.grad(v2.sum(), [v1], materialize_grads=True)"
    ),
    "scores and targets": PAIR + "torch.nn.functional.binary_cross_entropy_with_logits(v0, v1).backward()",
    "scores and targets with weights": (
        PAIR + "torch.binary_cross_entropy_with_logits(v0, v1, torch.ones(2), torch.ones(2), 1).backward()"
    ),
    "scores and targets with weights, added up": (
        PAIR + "torch.binary_cross_entropy_with_logits(v0, v1, torch.ones(2), None, 2).backward()"
    ),
    "the graph of scores and targets": (
        PAIR + "v2 = torch.binary_cross_entropy_with_logits(v0, v1, torch.ones(2), torch.ones(2), 1)\n"
        "v3, v4 = torch.autograd.grad(v2, [v0, v1], create_graph=True)"
    ),
    "mean squares of two dtypes": (
        "v0 = torch.ones(1, requires_grad=True)\nv1 = torch.nn.functional.mse_loss(v0, v0.double())\n"
        "v2, = torch.autograd.grad([v1, v0.sum()], [v0], create_graph=True)"
    ),
    "smooth distances of two dtypes": (
        "v0 = torch.ones(2, requires_grad=True)\nv1 = torch.zeros(2, dtype=torch.float64, requires_grad=True)\n"
        "v2 = torch.nn.functional.smooth_l1_loss(v0, v1)\n"
        "v3, v4 = torch.autograd.grad(v2, [v0, v1], create_graph=True)"
    ),
    "weights without a correction": (
        "v0 = torch.tensor([0.5, 2.0, 1.0], requires_grad=True)\n"
        "v1 = torch.cov(torch.tensor([[0.5, -1.5, 2.0], [1.25, 0.75, -0.5]]), aweights=v0)"
    ),
    "hooks on what indices are kept": (
        ROW + "v1 = v0.exp()\nwith torch.autograd.graph.saved_tensors_hooks(lambda t: (note(t), t)[1], lambda t: t): "
        "v2 = v1[torch.tensor([1, 0])]\nv2.sum().backward()"
    ),
    "a mask that hooks make numbers": (
        ROW + "v1 = v0.exp()\nwith torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t * 1): "
        "v2 = v1[v1 > 9]\nv2.sum().backward()"
    ),
    "a row with a view around it": ROW + "v1 = (v0 * 2).repeat(2).view(1, 2, 3).digamma()\nv1[0] = v0 * 2",
    "sizes of one, kept": ONE
    + "v1 = v0.clone()\nv2 = v0.sum(0, keepdim=True)\nv3 = v0.neg()\nv4 = 2 - v0\nv5 = v0 * 3",
    "sizes of one, turned": ONE + "v1 = v0.flip(0)\nv2 = v0.sort(0)[0]\nv3 = v0.unsqueeze(-1)\nv4 = v0[None]",
    "sizes of one, bent": (
        ONE + "v1 = torch.nn.functional.relu6(v0)\nv2 = v0.deg2rad()\nv3 = v0.nan_to_num()\nv4 = torch.celu(v0[None])"
    ),
    "sizes of one, spread": (
        "v0 = torch.tensor([1.0, 2.0, 3.0])\nv1 = v0.expand(2, 1, 3)\nv2 = v0.expand(1, 1, 3)\nv3 = v0[:1][0].expand(1)"
    ),
    "sizes of one, viewed": (
        "v0 = torch.ones(8).as_strided((1, 2, 1), (4, 2, 1))\nv1 = v0.reshape(2, -1)\nv2 = v0.view(2)"
    ),
    "elements that begin behind": "v0 = torch.ones(2, 3, 1).rot90(-1, (0, 2))\nv1 = v0[1:]",
    "a part put into a part": (
        "v0 = torch.arange(6.0).view(3, 2)[1:]\nv1 = v0.view(-1)[:3].slice_scatter(torch.zeros(3), start=-3)\n"
        "v2 = v0.select_scatter(torch.zeros(2), 0, 1)\nv3 = v0.diagonal_scatter(torch.zeros(2))"
    ),
    "filled, of what was expanded": "v0 = torch.ones(3).expand(2, 3)\nv1 = v0.index_fill(1, torch.tensor([1]), 2.0)",
    "a result of another shape in columns": "v0 = torch.ones(3)\nv1 = torch.ones(2, 2).t()\ntorch.add(v1, v1, out=v0)",
    "an inverse of another shape": (
        "v0 = torch.ones(3)\ntorch.linalg.inv(torch.tensor([[1.0, 2.0], [3.0, 5.0]]), out=v0)"
    ),
    "what was expanded, in another dtype": (
        "v0 = torch.tensor([True, False]).expand(2, 2)\nv1 = v0.sin()\nv2 = v0 / 2\nv3 = v0.t().sin()\n"
        "v4 = v0 * torch.ones(2, 2).t()\nv5 = torch.ones(2).expand(2, 2) + torch.ones(2, 2, dtype=torch.float64).t()"
    ),
    "differences of two dtypes": (
        "v0 = torch.ones(3)\nv1 = torch.ones(3, 3, dtype=torch.float64).t()\n"
        "v2 = torch.nn.functional.mse_loss(v0, v1, reduction='none')\nv3 = torch.ones(3, 3).t()\n"
        "v4 = torch.nn.functional.huber_loss(v0, v3, reduction='none')\n"
        "v5 = torch.nn.functional.huber_loss(v3, v0, reduction='none')"
    ),
    "random slopes in columns": (
        "v0 = -torch.ones(3, 2).t().requires_grad_()\nv1 = torch.rrelu(v0)\ntorch.manual_seed(3)\n"
        "v2 = torch.rrelu(v0, training=True)\nv3, = torch.autograd.grad((v1 * v2).sum(), [v0])"
    ),
    "a slope between two bools": ROW + "v1 = torch.rrelu(v0, True, True)\nv1.sum().backward()",
    "a result in the keeping of hooks, turned": (
        SQUARE + "with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t): v1 = v0[:, :2].exp()\n"
        "v1.t_()\nv1[0].sum().backward()"
    ),
    "a result in the keeping of hooks, of another shape": (
        ROW + "with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t): v1 = v0[0].softmax(0)\n"
        "v1.unsqueeze_(0)\nv1.sum().backward()"
    ),
    "indexed beside a dimension of one element": (
        "v0 = torch.rot90(torch.ones(2, 3, 1), -1, (0, 2))\nv1 = v0[:, [1, 0]]\n"
        "v2 = torch.ones(1, 1, 1, 3).permute(0, 3, 2, 1)\nv3 = v2[:, :, [0, 0]]\nv4 = v0[:, :, [[0, 1], [1, 0]]]"
    ),
    "factors given to what has another shape": (
        "v0 = torch.tensor([[2.0, 1.0], [1.0, 4.0]])\nv1 = torch.ones(9)\ntorch.cholesky_inverse(v0, out=v1)\n"
        "v2 = torch.ones(9)\ntorch.cholesky_solve(v0, v0, out=v2)\nv3 = torch.ones(9)\n"
        "torch.matrix_power(v0, -1, out=v3)"
    ),
    "given to what was expanded": (
        "v0 = torch.tensor([[2.0, 1.0], [1.0, 4.0]])\nv1 = torch.ones(1).expand(2, 3)\ntorch.diag(v0, out=v1)\n"
        "v2 = torch.ones(1).expand(2, 3)\ntorch.linalg.pinv(v0, out=v2)\nv3 = torch.ones(1).expand(2, 3)\n"
        "torch.add(v0, v0, out=v3)\nv4 = torch.ones(1).expand(2, 3)\ntorch.take(v0, torch.tensor([0]), out=v4)"
    ),
    "drawn by chances in columns": (
        "v0 = torch.full((2, 3), 0.5).t()\ntorch.manual_seed(3); v1 = v0.bernoulli()\n"
        "torch.manual_seed(3); v2 = v0.bernoulli(0.5)\nv3 = torch.zeros_like(v0)\n"
        "torch.manual_seed(3); v3.bernoulli_(v0)"
    ),
    "given with its history": (
        "v0 = torch.tensor([[2.0, 1.0], [1.0, 4.0]], requires_grad=True)\nv1 = torch.ones(9)\n"
        "torch.linalg.norm(v0, out=v1)\nv2 = torch.ones(2, 2)\ntorch.inner(v0, v0, out=v2)\n"
        "v3 = torch.ones((), dtype=torch.int64)\ntorch.linalg.matrix_rank(v0, out=v3)\n"
        "v4 = torch.ones(2, 2, dtype=torch.int64)\ntorch.nonzero(v0, out=v4)\n(v1 + v2).sum().backward()"
    ),
    "a logit cut off below nothing, with a graph": (
        ROW + "v1, = torch.autograd.grad(torch.logit(v0, -1.0).sum(), [v0], create_graph=True)\n"
        "v2, = torch.autograd.grad(torch.logit(v0, -1.0).sum(), [v0])"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


@pytest.mark.parametrize("call", ["exp()", "mul(2)", "clone()", "neg()", "double()", "flip(0)", "add(v0.contiguous())"])
@pytest.mark.parametrize("sizes, steps", [((2, 3), (1, 1)), ((2, 3, 2), (2, 2, 1)), ((3, 2), (2, 2)), ((2, 3), (0, 2))])
def test_of_equal_steps_the_smaller_size_comes_last(sizes, steps, call):
    check_alike(
        [f"v0 = torch.arange(9.0).as_strided({sizes}, {steps})", f"v1 = v0.{call}", "v2 = torch.zeros_like(v0)"]
    )


@pytest.mark.parametrize("sizes, steps", [((2, 3), (1, 1)), ((2, 2), (1, 2)), ((4,), (1,)), ((2, 3), (1, 0))])
@pytest.mark.parametrize("window", [((2, 3), (1, 1)), ((2, 3), (0, 1)), ((1, 3), (1, 1)), ((2, 2, 2), (1, 2, 1))])
def test_a_gradient_is_shared_out_among_elements_that_are_the_same_memory(window, sizes, steps):
    lines = [f"v0 = torch.arange(8.0).as_strided(*{window}).detach().requires_grad_()"]
    lines += [f"v1 = v0.as_strided({sizes}, {steps})", "v2 = torch.arange(1.0, 1 + v1.numel()).reshape(v1.shape)"]
    for options in ("", "create_graph=True"):
        check_alike([*lines, f"(v1 * v2).sum().backward({options})"])
