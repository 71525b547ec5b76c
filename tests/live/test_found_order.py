"""Calls that are wrong in more than one way, or nearly so: what PyTorch looks at first, and what it computes then."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

SET = "torch.set_default_dtype(torch.float64)\n"


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["prod", "mean", "amax", "amin", "sum"])
@pytest.mark.parametrize("index", ["[1, 0, 1]", "[7]", "[-1]", "[0, 9]", "[]", "[0.0]"])
def test_slices_combined_at_wrong_indices(index, reduce, include_self):
    for self in ("torch.ones(1)", "torch.ones(1, 3)", "torch.ones(0, 3)", "torch.tensor(1.0)", "torch.ones(2) > 0"):
        count = len(index.strip("[]").split(",")) if index != "[]" else 0
        lines = [f"v0 = {self}", f"v1 = torch.tensor({index})" + (".long()" if index == "[]" else "")]
        source = f"v0.new_ones(({count},) + tuple(v0.shape[1:])[:1]) if v0.dim() else v0"
        options = f"{reduce!r}, include_self={include_self}"
        check_alike([*lines, f"v2 = {source}", f"v3 = v0.index_reduce(0, v1, v2, {options})"], accidents=True)


PROGRAMS = {
    **{
        f"split by {size}": (
            f"v0 = torch.ones(2, 3)\nv1 = one(v0.split({size}, 1))\nv2 = one(torch.split(v0, {size}, 1))"
        )
        for size in ("torch.tensor(float('nan'))", "torch.tensor(float('inf'))", "torch.tensor(1.5)", "torch.ones(2)")
    },
    "scattered by what are no indices, in a way that there isn't": (
        "v0 = torch.ones(3, 3)\nv1 = v0.scatter(0, torch.tensor([[0.5]]), torch.ones(1, 1), reduce='max')\n"
        "v2 = v0.scatter(0, torch.tensor([[7]]), torch.ones(1, 1), reduce='max')"
    ),
    "samples in a way that is a list": (
        "v0 = torch.ones(1, 1, 2, 2)\nv1 = torch.zeros(1, 2, 2, 2)\n"
        "v2 = torch.nn.functional.grid_sample(v0, v1, [1, 2], align_corners=False)\n"
        "v2 = torch.nn.functional.grid_sample(v0, v1, 'nearest', [1, 2], align_corners=False)\n"
        "v3 = torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), torch.ones(2, 2), mode=[1, 2])"
    ),
    **{
        f"put at {index}, {values}": f"v0 = {target}\nv0[{index}] = {values}\nv1 = v0.index_put(({index},), {values})"
        for target, index, values in (
            ("torch.tensor([True])", "torch.tensor([0, 0, 1])", "torch.ones(3)"),
            ("torch.tensor([True])", "torch.tensor([0, 0, 0])", "torch.tensor(1.5)"),
            ("torch.ones(1)", "torch.tensor([0, 0, 7])", "torch.ones(2)"),
            ("torch.ones(1, 2)", "torch.tensor([0, 7])", "torch.ones(1, 2).double()"),
            ("torch.ones(1, 2)", "torch.tensor([0, 7])", "torch.ones(2, 2)"),
            ("torch.ones(1, 2)", "torch.tensor([7, 0])", "v0.expand(2, 2)"),
        )
    },
    **{
        f"repeated {repeats} along {dim}": f"v0 = {self}\nv1 = v0.repeat_interleave({repeats}, {dim})"
        for self in ("torch.tensor(2.0)", "torch.ones(2)")
        for repeats in ("-1", "2", "torch.tensor(-1)", "torch.tensor([[1]])", "torch.tensor([1.0])", "torch.ones(2)")
        for dim in (0, 1)
    },
    "places of what are no counts": (
        "v0 = torch.ones(2, 2)\nv1 = torch.repeat_interleave(v0)\nv2 = torch.repeat_interleave(v0.long())"
    ),
    "the norm of a matrix into what it is of": (
        "v0 = torch.ones(2, 1, 3)\nv1 = v0.detach()\nv2 = torch.linalg.matrix_norm(v0, 1, out=v1)"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike((SET + PROGRAMS[name]).splitlines())


NUMBERS = ("0.0", "-0.0", "1.0", "-1.0", "0.3", "-0.7")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_signs_of_zeros_in_cross_products(dtype):
    rows = [f"[{a}, {b}, {c}]" for a in NUMBERS for b in NUMBERS for c in NUMBERS]
    start = f"v0 = torch.tensor([{', '.join(rows)}], dtype=torch.{dtype})"
    check_alike([start, "v1 = torch.linalg.cross(v0, v0.flip(0))", "v2 = v1.reciprocal()"])


@pytest.mark.parametrize("number", ["float('nan')", "float('inf')", "-0.0"])
@pytest.mark.parametrize(
    "shapes", ["(1, 1), (1, 3)", "(3, 1), (1, 1)", "(1,), (1, 2)", "(2, 1), (1, 2)", "(1, 1), (1, 1)"]
)
def test_nothing_times_what_is_no_number(shapes, number):
    for left, right in ((0.0, number), (number, 0.0), (number, -0.0)):
        lines = [f"v0, v1 = [torch.full(s, n) for s, n in zip(({shapes},), ({left}, {right}))]", "v2 = v0 @ v1"]
        check_alike([*lines, "v3 = v2.reciprocal()"])


EDGES = ("float('nan')", "float('inf')", "0.0", "-0.0", "1.0", "-1.0", "0.3", "20.0")


@pytest.mark.parametrize("name", ["igamma", "igammac"])
def test_the_incomplete_gamma_function_at_its_edges(name):
    pairs = [(one, two) for one in EDGES for two in EDGES]
    lines = [f"v{n} = torch.tensor([{', '.join(pair[n] for pair in pairs)}])" for n in (0, 1)]
    check_alike([SET.strip(), *lines, f"v2 = torch.{name}(v0, v1)"])


@pytest.mark.parametrize("first", ["torch.tensor([0.5, 2.0])", "torch.tensor([True, True])"])
@pytest.mark.parametrize("name", ["igamma", "igammac"])
def test_the_gradient_of_the_incomplete_gamma_function(name, first):
    lines = [f"v0 = {first}", "v1 = torch.tensor([0.5, 3.0], requires_grad=True)", f"v2 = torch.{name}(v0, v1)"]
    check_alike([SET.strip(), *lines, "v3, = torch.autograd.grad(v2.sum(), [v1], create_graph=True)"])


@pytest.mark.parametrize("training", [True, False])
def test_how_gradients_of_a_random_leak_lie(training):
    lines = ["v0 = torch.tensor([[0.9, 0.61, -0.72], [1.0, -2.0, 3.0]], requires_grad=True)", "torch.manual_seed(3)"]
    lines += [f"v1 = torch.rrelu(v0, training={training})", "v1.t().mean().backward()", "v2 = torch.poisson(v0.abs())"]
    check_alike([*lines, "v2.sum().backward()", "v3 = v0.grad"])


@pytest.mark.parametrize("name", ["median", "nanmedian"])
@pytest.mark.parametrize("values", ["torch.zeros(0, 2) > 0", "torch.zeros(2, 0).long()", "torch.zeros(2) > 0"])
def test_the_median_of_nothing(name, values):
    check_alike([f"v0 = {values}", f"v1 = v0.{name}()"])


@pytest.mark.parametrize("dim", ["(0, -1)", "5", "(0, 0)", "(0,)"])
@pytest.mark.parametrize("dtype", ["float32", "int64", "float64"])
def test_a_norm_of_wrong_dimensions_in_a_wrong_dtype(dim, dtype):
    for call in ("torch.norm(v0, 3, {}", "torch.linalg.vector_norm(v0, 3, {}", "v0.norm(dim={}"):
        check_alike(["v0 = torch.ones(3).double()", f"v1 = {call.format(dim)}, dtype=torch.{dtype})"])


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("into", ["torch.ones(2)", "torch.ones(2, requires_grad=True)", "torch.ones(()) * v0[0]"])
def test_a_quantile_is_copied_with_its_history(name, into):
    check_alike(
        ["v0 = torch.tensor([1.0, 2.0, 3.5], requires_grad=True)", f"v1 = {into}", f"torch.{name}(v0, 0.4, out=v1)"]
    )


@pytest.mark.parametrize("shape", ["(0, 2)", "(0, 2, 3)", "(2, 0, 3)", "(0, 0)", "(0, 2, 2)"])
@pytest.mark.parametrize("mode", ["replicate", "reflect", "circular"])
def test_a_frame_around_nothing(mode, shape):
    check_alike([f"v0 = torch.ones{shape}", f"v1 = torch.nn.functional.pad(v0, (1, 1), mode={mode!r})"])


@pytest.mark.parametrize("arguments", ["(1,), -7", "1, 5", "(1, 2), (0, 5)", "(1, 2), (0,)", "1", "(), ()"])
@pytest.mark.parametrize("values", ["torch.zeros(0, 2)", "torch.ones(2, 2)", "torch.tensor(1.0)"])
def test_nothing_is_turned_along_any_dimension(values, arguments):
    check_alike([f"v0 = {values}", f"v1 = v0.roll({arguments})"])


@pytest.mark.parametrize(
    "groups", ["torch.tensor([2])", "torch.tensor(2)", "torch.tensor([2, 2])", "torch.tensor(2.0)"]
)
def test_a_tensor_for_the_number_of_groups(groups):
    for values in ("torch.ones(1, 4, 2)", "torch.ones(3)"):
        check_alike([f"v0 = {values}", f"v1 = torch.channel_shuffle(v0, {groups})"])


@pytest.mark.parametrize("indices", ["None", "1", "[1]", "(None,)"])
@pytest.mark.parametrize("name", ["index_put", "index_put_"])
def test_no_indices(name, indices):
    check_alike(["v0 = torch.ones(2)", f"v1 = v0.{name}({indices}, v0, True)"])


@pytest.mark.parametrize("name", ["any", "all", "sum", "amax", "mean", "logsumexp", "std", "nansum"])
@pytest.mark.parametrize("arguments", ["None", "dim=None", "None, True", "()"])
def test_no_dimensions(name, arguments):
    check_alike(["v0 = torch.tensor([[1.0, 0.0], [1.0, 2.0]])", f"v1 = v0.{name}({arguments})"])
