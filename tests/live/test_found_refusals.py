"""Programs in which random search once found a call that was refused or warned of otherwise than by PyTorch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

ONES = "v0 = torch.ones(2, 3)\n"
ATTENTION = "v0 = torch.ones(2, 2)\n"
WRONG = "torch.ones(3, dtype=torch.float64)"

PROGRAMS = {
    "a tensor for the index of a number": "v0 = torch.tensor(2.0)\nv1 = v0[torch.tensor(0)]\nv0[torch.tensor(0)] = 2",
    "a volume that windows fit with its frame only": (
        "v0 = torch.nn.functional.avg_pool3d(torch.ones(1, 1, 2, 6), 2, 1, 1)"
    ),
    **{
        f"the condition of {sizes} by {order}": f"v0 = torch.linalg.cond(torch.ones({sizes}), {order})"
        for sizes in ("2", "1, 2", "0, 2", "0, 0", "2, 2")
        for order in ("'x'", "'fro'", "7", "1")
    },
    "one number from itself": "v0 = torch.tensor(2.0)\nv0[True] = v0\nv1 = torch.ones(2)\nv1.fill_(v1[0])",
    "an index that is too large, not the first": ONES + "v1 = v0[:, [1, 7]]",
    "an index that is too large, written": ONES + "v0[:, [7]] = 2.0",
    "an index that is too large, of two": ONES + "v1 = v0[[0], [7]]",
    "a mask fills what was expanded": "v0 = torch.ones(2, 2).expand(2, 2, 2)\nv0[v0 != v0] = 3.0",
    "a layer with a weight of another dtype": ONES + f"v1 = torch.nn.functional.layer_norm(v0, (3,), {WRONG})",
    "a layer with a bias of another dtype": (
        ONES + f"v1 = torch.nn.functional.layer_norm(v0, (3,), torch.ones(3), {WRONG})"
    ),
    "a layer of doubles": ONES + "v1 = torch.nn.functional.layer_norm(v0.double(), (3,), torch.ones(3))",
    "a layer of integers": ONES + "v1 = torch.nn.functional.layer_norm(v0.long(), (3,), torch.ones(3))",
    "a layer wrong in two ways": ONES + f"v1 = torch.layer_norm(v0, (2, 3), {WRONG})",
    "groups with a weight of another dtype": ONES + f"v1 = torch.nn.functional.group_norm(v0, 1, {WRONG})",
    "groups of a row": "v0 = torch.group_norm(torch.ones(3), 1)",
    "groups with a bias of another shape": (
        "v0 = torch.group_norm(torch.ones(2, 4, 3), 2, torch.ones(4), torch.ones(2, 3))"
    ),
    "a batch with a weight of another dtype": (
        ONES + f"v1 = torch.nn.functional.batch_norm(v0, None, None, {WRONG}, training=True)"
    ),
    "a batch with a spread of another dtype": (
        ONES + f"v1 = torch.nn.functional.batch_norm(v0, torch.zeros(3), {WRONG}, None, None, True)"
    ),
    "integers drawn for nothing": "torch.manual_seed(3); v0 = torch.randn(0, 2, dtype=torch.int64)",
    "nothing drawn from integers": "torch.manual_seed(3); v0 = torch.zeros(0, dtype=torch.int64).bernoulli()",
    "a backward from an integer": (
        "v0 = torch.tensor(1)\nv0.not_equal_(torch.tensor(1.5, requires_grad=True))\nv0.backward()"
    ),
    "integers that wait": "torch.manual_seed(3); torch.ones(2).long().exponential_()",
    "put by what is no index": "v0 = torch.ones(2, 2)\nv0.put_(v0, torch.ones(2, 2))",
    "put as many as there are not": "v0 = torch.ones(2, 2)\nv0.put_(torch.ones(2).long(), v0)",
    "put by itself": "v0 = torch.ones(2, 2).long()\nv0.put_(v0, torch.ones(2, 2).long())",
    "products of batches added to too many dimensions": (
        "v0 = torch.ones(1, 2, 3)\nv1 = v0.addbmm(torch.ones(1, 2, 3), torch.ones(2, 2, 3))"
    ),
    "products of batches added in place to too many dimensions": (
        "v0 = torch.ones(1, 2, 3)\nv0.addbmm_(torch.ones(1, 2, 3), torch.ones(2, 2, 3))"
    ),
    **{
        f"{call} with out=None": f"v0 = torch.tensor([[2.0, 0.5], [0.5, 1.0]])\nv1 = torch.{call}, out=None)"
        for call in ("sort(v0", "max(v0, 0", "topk(v0, 1", "linalg.eigh(v0", "linalg.slogdet(v0")
    },
    **{
        f"rows of nothing, {rows} by {columns}, at {place}": (
            f"v0 = torch.embedding(torch.zeros({rows}, {columns}), torch.tensor([[{place}]]))"
        )
        for rows, columns, place in ((0, 2, 0), (2, 0, 7), (2, 0, -1), (0, 0, 0), (2, 2, 2))
    },
    "a row copied to where it is": (
        "v0 = torch.ones(1, 1).expand(1, 3)\nv0[0] = v0\nv1 = v0[0]\nv1[:2] = v1[1:]\nv1.copy_(v1[:1])"
    ),
    **{
        f"the rank by tolerances for {counts}": (
            f"v0 = torch.eye(2).expand(3, 2, 2)\nv1 = torch.linalg.matrix_rank(v0, {counts})"
        )
        for counts in (
            "torch.ones(2)",
            "atol=torch.ones(2)",
            "rtol=torch.ones(2)",
            "atol=torch.ones(3), rtol=torch.ones(2)",
            "atol=torch.ones(2, 1), rtol=torch.ones(3, 1)",
        )
    },
    **{
        f"the rank into another shape, {into}": (
            f"v0 = torch.tensor([[1.0, 2.0], [3.0, 7.0]])\nv1 = {into}\n"
            "v2 = torch.linalg.matrix_rank(v0, torch.tensor([0.5, 5.0]), out=v1)"
        )
        for into in ("torch.ones(2)", "torch.ones(3).long()", "torch.ones(()).long()", "torch.ones(2, 3).bool()")
    },
    "the rank of integers": "v0 = torch.linalg.matrix_rank(torch.ones(2, 2).long(), 0.5)",
    "the rank of symmetric integers": (
        "v0 = torch.linalg.matrix_rank(torch.ones(2, 2).long(), torch.tensor([0.5]), hermitian=True)"
    ),
    "one size for the means of a volume": "v0 = torch.nn.functional.adaptive_avg_pool3d(torch.ones(1, 2, 2, 2), (1,))",
    "a weight that is no number": "v0 = torch.cov(torch.ones(2, 3), aweights=torch.tensor([1.0, float('nan'), 1.0]))",
    "factors of nothing without pivots": (
        "v0 = torch.ones(0, 2, requires_grad=True)\nv1 = torch.linalg.lu(v0, pivot=False)[1]\n"
        "v2 = torch.linalg.lu_factor(v0, pivot=False)[1]"
    ),
    "a determinant of floats where doubles are usual": (
        "torch.set_default_dtype(torch.float64)\nv0 = torch.tensor([[1.0, 2.0], [3.0, 5.0]]).float().requires_grad_()\n"
        "v0.det().backward()"
    ),
    "no tensor to drop from": "v0 = torch.nn.functional.dropout(2, training=False)",
    "no bool for training": ONES + "v1 = torch.nn.functional.dropout(v0, 0.0, -7)",
    "a tolerance with a gradient": (
        "v0 = torch.ones(2, requires_grad=True)\nv1 = torch.linalg.pinv(torch.ones(2, 2), rtol=v0)\n"
        "v2 = torch.linalg.pinv(torch.ones(2, 2), v0)"
    ),
    "more tolerances than matrices": "v0 = torch.linalg.matrix_rank(torch.eye(2), torch.tensor([0.1, 2.0]), True)",
    "the rank of what is not square": (
        "v0 = torch.linalg.matrix_rank(torch.ones(4, 3), atol=torch.tensor(2), hermitian=True)"
    ),
    "what is copied into itself along nothing": "v0 = torch.tensor([1])\nv0.index_copy_(1, v0, torch.tensor([1.0]))",
    "what is scattered into itself": "v0 = torch.ones(0)\nv0.scatter_(-1, v0, v0)",
    "what is added into itself along nothing": (
        "v0 = torch.ones(3)\nv0.narrow(0, 0, 1).scatter_add_(-3, torch.zeros(1).long(), v0)"
    ),
    "a number for several indices": "v0 = torch.ones(1).index_add(0, torch.tensor([1, 0, 1]), torch.tensor(1.0))",
    "an index beyond a row": "v0 = torch.ones(3).index_add(0, torch.tensor([3]), torch.ones(1))",
    "an index beyond a matrix": "v0 = torch.ones(2, 2).index_add(0, torch.tensor([2]), torch.ones(1, 2))",
    "indices that are no integers, along nothing": "v0 = torch.tensor(1.0)\nv0.index_fill_(1, torch.ones(1), 2.0)",
    "fewer dimensions than indices": (
        ONES
        + "v0.scatter_(0, torch.tensor([[0, 1, 0]]), torch.ones(1))\n"
        + "v0.scatter_(0, torch.tensor([[0]]), torch.tensor(1.0))"
    ),
    **{
        f"a number repeated along {dim}": f"v0 = torch.tensor(2.0).repeat_interleave({dim})"
        for dim in ("2, -1", "2, 0", "2, 0, output_size=3", "2, 1", "-1, 0", "2")
    },
    "repeated into less than nothing": "v0 = torch.ones(2, 2).repeat_interleave(torch.tensor(2), output_size=-1)",
    "places that are no integers": ONES + "v1 = torch.searchsorted(v0, torch.tensor(1.5), sorter=v0)",
    "split at what are no integers": ONES + "v1 = one(v0.view(-1).tensor_split(v0))",
    "counts by place": (
        "v0 = torch.tensor([[1.0, 2.0], [1.0, 2.0], [3.0, 4.0]])\n"
        "v1 = one(torch.unique_consecutive(v0, True, False, 0), 1)\n"
        "v2 = one(torch.unique_consecutive(v0, True), 1)"
    ),
    "the mean of what is infinite": "v0 = one(torch.std_mean(torch.full((2, 3), -torch.inf), (0,)), 1)",
    "drawn by one chance, which has no derivative": (
        "torch.manual_seed(3); v0 = torch.full((2, 3), 0.5, requires_grad=True)\n"
        "v1 = torch.bernoulli(v0, 0.3)\nv2 = v0.bernoulli(0.3)\nv1.sum().backward()"
    ),
    "samples of a list": "v0 = torch.nn.functional.grid_sample([1.0], torch.ones(1, 2, 2, 2), align_corners=False)",
    "samples at a number": "v0 = torch.nn.functional.grid_sample(torch.ones(1, 1, 2, 2), 3, align_corners=False)",
    "samples with a word for a flag": (
        "v0 = torch.nn.functional.grid_sample(torch.ones(1, 1, 2, 2), torch.ones(1, 2, 2, 2), align_corners='yes')"
    ),
    "samples in a way that is no number": "v0 = torch.grid_sampler(torch.ones(1, 1, 2, 2), None, 'nearest', 0, False)",
    "attention to a list": "v0 = torch.nn.functional.scaled_dot_product_attention([1.0], torch.ones(2, 2), 3)",
    "attention to nothing": ATTENTION + "torch.nn.functional.scaled_dot_product_attention(v0, None, v0)",
    "attention without values": ATTENTION + "torch.nn.functional.scaled_dot_product_attention(v0, v0)",
    "attention under a number": ATTENTION + "torch.nn.functional.scaled_dot_product_attention(v0, v0, v0, 3)",
    "attention with a place for the scale": (
        ATTENTION + "torch.nn.functional.scaled_dot_product_attention(v0, v0, v0, None, 0.0, False, 0.5)"
    ),
    "attention with a word for the scale": (
        ATTENTION + "torch.nn.functional.scaled_dot_product_attention(v0, v0, v0, scale='small')"
    ),
    "a product of Kronecker that is recorded, into what is too large": (
        "v0 = torch.ones(2, requires_grad=True)\nv1 = torch.ones(9)\ntorch.kron(v0, v0, out=v1)"
    ),
    "a product of Kronecker that is recorded, into what is too small": (
        "v0 = torch.ones(2, requires_grad=True)\nv1 = torch.ones(9)[:3]\ntorch.kron(v0, v0, out=v1)"
    ),
    "the old name of a product": (
        "v0 = torch.ones(2, requires_grad=True)\nv1 = torch.ger(v0, v0)\nv2 = torch.ones(9)\n"
        "torch.ger(v0.detach(), v0.detach(), out=v2)\ntorch.ger(v0, v0, out=v2)"
    ),
    "shares of a result that hooks gave back as a row": (
        "v0 = torch.tensor([0.5, -1.5], requires_grad=True)\n"
        "with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t): v1 = v0.log_softmax(0)\n"
        "v1.unsqueeze_(0)\nv2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)"
    ),
    "shares of a result that hooks gave back turned": (
        "v0 = torch.tensor([[0.5, -1.5, 0.25], [2.0, 1.0, 0.0]], requires_grad=True)\n"
        "with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t): v1 = v0.log_softmax(1)\n"
        "v1.t_()\nv1[0].sum().backward()"
    ),
    "scores of another shape than targets": (
        "v0 = torch.ones(2, 1, requires_grad=True)\n"
        "torch.binary_cross_entropy_with_logits(v0, torch.ones(2, 2), None, None, 1).backward()"
    ),
    "an index into a dimension of nothing": "v0 = torch.zeros(2, 0)\nv1 = v0.index_select(1, torch.tensor([0]))",
    "an index that is too large, where no element is": (
        "v0 = torch.zeros(0, 2)\nv1 = v0.index_select(0, torch.tensor([], dtype=torch.int64))\n"
        "v2 = v0.index_select(1, torch.tensor([5]))"
    ),
    "factors of nothing without a permutation": (
        "v0, v1, v2 = torch.linalg.lu(torch.zeros(2, 0), pivot=False)\n"
        "v3, v4, v5 = torch.linalg.lu(torch.zeros(0, 2, 2), pivot=False)"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


SAMPLE = "torch.tensor([0.5, 0.25, 0.75], dtype=torch.float64)"
WRITING = (
    *(f"torch.{name}({SAMPLE}, {SAMPLE}, out=v0)" for name in ("eq", "lt", "add", "outer", "kron", "fmod")),
    *(f"torch.{name}({SAMPLE}, 0.5, out=v0)" for name in ("ge", "clamp_min", "floor_divide", "logit", "pow", "lerp")),
    *(f"torch.{name}({SAMPLE}, out=v0)" for name in ("diff", "nansum", "nanmean", "max", "mvlgamma", "diag", "sort")),
    f"torch.clamp_max({SAMPLE}, {SAMPLE}, out=v0)",
    f"torch.lerp({SAMPLE}, {SAMPLE}, 0.5, out=v0)",
    f"torch.lerp({SAMPLE}, {SAMPLE}, {SAMPLE}, out=v0)",
    f"torch.threshold({SAMPLE}, 0.5, 2.0, out=v0)",
    f"torch.narrow_copy({SAMPLE}, 0, 0, 2, out=v0)",
    f"torch.nn.functional.logsigmoid({SAMPLE}, out=v0)",
    "torch.matrix_power(torch.eye(2, dtype=torch.float64), 2, out=v0)",
    "torch.linalg.pinv(torch.eye(2, dtype=torch.float64), out=v0)",
    "torch.addbmm(*[torch.ones(shape, dtype=torch.float64) for shape in ((2, 2), (1, 2, 2), (1, 2, 2))], out=v0)",
)
"""Calls that write into a tensor of another shape or dtype."""


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
@pytest.mark.parametrize("call", WRITING)
def test_results_into_other_tensors(call, dtype):
    check_alike([f"v0 = torch.ones(9, dtype=torch.{dtype})", call])


@pytest.mark.parametrize("call", WRITING)
def test_results_into_tensors_without_elements(call):
    check_alike(["v0 = torch.zeros(0, dtype=torch.float64)", call])


RETURNED_BY_HOOKS = (
    "v1.grad_fn.register_hook(lambda gi, go: (gi[0],))",
    "v1.grad_fn.register_hook(lambda gi, go: 3)",
    "v1.grad_fn.register_hook(lambda gi, go: [gi[0], None])",
    "v1.grad_fn.register_hook(lambda gi, go: (gi[0], gi[0]))",
    "v1.grad_fn.register_hook(lambda gi, go: (gi[0].double(), None))",
    "v1.grad_fn.register_hook(lambda gi, go: (gi[0][:1], None))",
    "v1.grad_fn.register_hook(lambda gi, go: (3, None))",
    "import functools; v1.grad_fn.register_hook(functools.partial(lambda k, gi, go: (gi[0],), 3))",
    "v1.grad_fn.register_prehook(lambda go: (go[0], go[0]))",
    "v1.grad_fn.register_prehook(lambda go: go[0])",
    "v1.grad_fn.register_prehook(lambda go: (go[0].double(),))",
    "v1.grad_fn.register_prehook(lambda go: (None,))",
    "v1.grad_fn.register_prehook(lambda go: (3,))",
    "v1.register_hook(lambda g: g.double())",
    "v1.register_hook(lambda g: g.long()[:1])",
    "v1.register_hook(lambda g: (g,))",
    "import functools; v0.register_hook(functools.partial(lambda k, g: g[:1], 3))",
)


@pytest.mark.parametrize("hook", RETURNED_BY_HOOKS)
@pytest.mark.parametrize("options", ["", "create_graph=True"])
def test_what_hooks_may_not_return(hook, options):
    lines = ["v0 = torch.ones(2, requires_grad=True)", "v1 = v0 * 2", hook]
    check_alike([*lines, f"v1.sum().backward({options})"])


@pytest.mark.parametrize("index", ["torch.ones(2, 2)", "torch.ones(2).long()", "torch.ones(2, 9).long()"])
@pytest.mark.parametrize("dim", [1, 5])
def test_an_unknown_way_to_combine_is_said_last(index, dim):
    for call in ("scatter_reduce", "scatter_reduce_"):
        check_alike(["v0 = torch.ones(2, 2)", f"v1 = v0.{call}({dim}, {index}, torch.ones(2, 2), 'x')"])


@pytest.mark.parametrize("values", ["2.0", "v1", "torch.tensor(2.0)"])
def test_gradients_where_bytes_are_a_mask(values):
    mask = "torch.tensor([1, 1, 0]).byte()"
    lines = ["v0 = torch.ones(3, 3, requires_grad=True)", "v1 = torch.ones(3, requires_grad=True)", "v2 = v0.clone()"]
    check_alike([*lines, f"v2[{mask}] = {values}", "v2.sum().backward()"])


@pytest.mark.parametrize("first", ["float32", "float64", "int64"])
@pytest.mark.parametrize("second", ["float32", "float64", "int64"])
def test_a_weight_of_another_dtype_than_what_is_weighed(first, second):
    check_alike(
        [
            f"v0 = torch.arange(6).reshape(2, 3).to(torch.{first})",
            f"v1 = torch.nn.functional.rms_norm(v0, (3,), torch.ones(3).to(torch.{second}))",
            f"v2 = torch.nn.functional.nll_loss(v0, torch.tensor([0, 1]), torch.ones(3).to(torch.{second}))",
        ]
    )


def test_classes_of_planes_in_bytes():
    check_alike(["v0 = torch.nn.functional.nll_loss(torch.ones(2, 3, 1, 1), torch.zeros(2, 1, 1).byte())"])


@pytest.mark.parametrize("out", ["torch.ones(3)", "torch.ones(2)", "torch.ones(3).double()", "torch.ones(3).long()"])
@pytest.mark.parametrize("grad", [True, False])
def test_the_inner_product_with_a_number_is_a_product(out, grad):
    lines = [f"v0 = torch.tensor(2.0, requires_grad={grad})", f"v1 = {out}"]
    check_alike([*lines, "v2 = torch.inner(v0, torch.ones(3), out=v1)"])


@pytest.mark.parametrize("chance", ["2.0", "1.5", "-1.0", "float('nan')"])
@pytest.mark.parametrize("sizes", ["2, 2", "1, 1, 2, 2"])
def test_attention_that_drops_more_than_all_or_less_than_nothing(chance, sizes):
    attention = f"torch.nn.functional.scaled_dot_product_attention(v0, v0, v0, None, {chance})"
    check_alike([f"v0 = torch.ones({sizes})", f"v1 = {attention}"])


@pytest.mark.parametrize("chances", ["torch.ones(4)", "torch.ones(2, 2, 2)", "torch.ones(4).long()", "torch.ones(2)"])
def test_chances_that_do_not_fit(chances):
    check_alike([f"torch.manual_seed(3); v0 = torch.zeros(2, 2).bernoulli_({chances})"])


@pytest.mark.parametrize("value", ["float('inf')", "float('nan')", "1e30", "1e300", "-1.0", "300", "2.5"])
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool", "float32"])
@pytest.mark.parametrize("form", ["v2 = v0.index_fill", "v0.index_fill_"])
def test_fillings_that_do_not_fit(form, dtype, value):
    lines = [f"v0 = torch.ones(2, dtype=torch.{dtype})", f"v1 = torch.tensor({value}, dtype=torch.float64)"]
    check_alike([*lines, f"{form}(0, torch.tensor([0]), v1)"])
