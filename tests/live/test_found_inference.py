"""Calls on nothing but what inference mode made: autograd hears of them, or doesn't, as in PyTorch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

MADE = (
    "with torch.inference_mode(): "
    "v0 = torch.tensor([[0.25, 0.5], [0.75, 0.125]], dtype=torch.float64).requires_grad_()\n"
)

CALLS = {
    "not of one": "v0.exp()",
    "not of what would be saved": "v0.square()",
    "not of one with an option": "v0.softmax(0)",
    "not of a sum": "v0.sum(1)",
    "not of a product with itself": "v0 * v0",
    "not of a difference": "torch.sub(v0, v0, alpha=2)",
    "not of products": "v0 @ v0",
    "not of several": "torch.cat([v0, v0])",
    "not of what makes several": "v0.max(0)[0]",
    "not of a loss": "torch.nn.functional.mse_loss(v0, v0)",
    "not of a power": "v0 ** 2",
    "not between numbers": "v0.clamp(0.25, 0.5)",
    "not of a way between": "torch.lerp(v0, v0, 0.5)",
    "times a number": "v0 * 2",
    "less a number": "v0 - 1",
    "by a tensor": "v0 / torch.ones(2, 2, dtype=torch.float64)",
    "beside a tensor": "torch.stack([v0, torch.ones(2, 2, dtype=torch.float64)])",
    "of a view outside": "v0[0].exp()",
    "of what comes of a view": "(v0.view(4) * 2).exp()",
}


@pytest.mark.parametrize("name", CALLS)
def test_what_autograd_hears_of(name):
    check_alike((MADE + f"v1 = {CALLS[name]}\nv2 = v1.requires_grad").splitlines())


def test_an_ordinary_tensor_beside_it_is_refused():
    check_alike((MADE + "v1 = torch.ones(2, 2, dtype=torch.float64, requires_grad=True) * v0").splitlines())


@pytest.mark.parametrize("one", ["v0", "v0[:0]", "v0.long()", "v0[0]"])
@pytest.mark.parametrize("mode", ["", "with torch.no_grad(): "])
@pytest.mark.parametrize("grad", [True, False])
def test_factors_from_inference_mode(grad, mode, one):
    lines = ["with torch.inference_mode(): v0 = torch.ones(2, 2)", f"v1 = torch.ones(2, requires_grad={grad})"]
    check_alike([*lines, f"with torch.inference_mode(): v2 = {one}", f"{mode}v3 = v2.kron(v1)"])
    check_alike([*lines, f"with torch.inference_mode(): v2 = {one}", f"{mode}v3 = v1.kron(v2)"])


@pytest.mark.parametrize("way", ["data", "detach()", "view(-1)", "[:]"])
@pytest.mark.parametrize("source", ["v0", "v0.data", "v0.detach()", "v0.data[:]", "torch.ones(2)"])
def test_what_shows_such_memory_in_inference_mode_may_not_be_written_outside(source, way):
    member = way if way.startswith("[") else f".{way}"
    lines = ["with torch.inference_mode(): v0 = torch.ones(2)", f"v1 = {source}"]
    lines += [f"with torch.inference_mode(): v2 = v1{member}", "v2.neg_()", "v1.mul_(2)", f"v3 = v2{member}"]
    check_alike([*lines, "v3.mul_(3)", "with torch.inference_mode(): v3.mul_(3)"])


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("mode", ["", "with torch.no_grad(): "])
@pytest.mark.parametrize("options", ["atol=v1", "rtol=v1", "tol=v1", "atol=v1, hermitian=True", "atol=v1.clone()"])
def test_tolerances_of_a_rank(options, mode, grad):
    lines = ["with torch.inference_mode(): v1 = torch.tensor(0.125, dtype=torch.float64)"]
    lines += [f"v2 = torch.eye(2, dtype=torch.float64).requires_grad_({grad})"]
    check_alike([*lines, f"{mode}v3 = torch.linalg.matrix_rank(v2, {options})"])
    check_alike([*lines, f"{mode}v3 = torch.linalg.matrix_rank(v2[:0, :0], {options})"])


INTO_OUT = {
    "magnitudes": "v0.abs()",
    "what is made of them": "torch.nn.functional.softsign(v0)",
    "a mean": "v0.mean()",
    "means": "v0.mean(-1)",
    "means in another dtype": "v0.mean(0, dtype=torch.float32)",
    "a logarithm of exponentials": "v0.logsumexp(0)",
    "running extremes": "v0.cummax(0)[0]",
    "a value by its rank": "v0.kthvalue(1)[0]",
    "angles": "v0.deg2rad()",
    "numbers for nan": "v0.nan_to_num()",
    "limits": "torch.nn.functional.hardtanh(v0)",
    "limits of a layer": "torch.nn.functional.relu6(v0)",
    "an inverse by a factor": "v0.cholesky_inverse()",
}


@pytest.mark.parametrize("name", INTO_OUT)
def test_what_is_computed_by_out_is_refused(name):
    check_alike([*MADE.splitlines(), f"v1 = {INTO_OUT[name]}"])
    check_alike(["v0 = torch.ones(2, 2, requires_grad=True)", f"with torch.inference_mode(): v1 = {INTO_OUT[name]}"])


OUTSIDE = {
    "of numbers": "isinf() isfinite() clone() sort() var() std() std(0) renorm(2,0,1.0) bernoulli() "
    "multinomial(1) msort()",
    "with a number": "__rsub__(2) __mod__(2) fmod(2) __rmod__(2) __rpow__(2) __rpow__(1) __rfloordiv__(2) float()",
    "written by numbers": "pow_(2) fmod_(2) remainder_(2) clamp_min_(0.3) clamp_max_(0.3) clamp_(0.3) xlogy_(2) "
    "square_() copysign_(2) floor_divide_(2)",
    "laid anew": "t_() transpose_(0,1) unsqueeze_(0) squeeze_() as_strided_((2,),(1,)) swapaxes_(0,1) resize_(3) "
    "resize_(2,2) set_() detach_() resize_as_(torch.ones(3))",
    "parts": "unsafe_split(1)[0] unsafe_chunk(2)[1] index_fill(0,v1,1.) index_add(0,v1,v0) index_copy(0,v1,v0) "
    "put(v1,v0[0]) scatter(0,v2,v0) scatter_reduce(0,v2,v0,'sum') scatter_reduce(0,v2,v0,'mean') index_put((v1,),v0) "
    "index_reduce(0,v1,v0,'mean') __getitem__(v1) __getitem__((v1,torch.tensor([0,1]))) masked_fill(v0>0.3,0)",
    "matrices": "addmm(v0,v0) addmm(v0,v0,beta=0) mv(v0[0]) matmul(v0[0]) kron(v0) inverse() qr()[0] median(0)[0] "
    "pinverse() addbmm(v0[None],v0[None]) diag_embed() flip(0) flip(()) rot90() rot90(2) roll(1,0)",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_kernels_do_within(name):
    indices = "with torch.inference_mode(): v1, v2 = torch.tensor([1, 0]), torch.tensor([[1, 0], [0, 1]])"
    indices += "; torch.manual_seed(1)"
    for call in OUTSIDE[name].replace(") ", ")\n").splitlines():
        check_alike([*MADE.splitlines(), indices, f"v3 = v0.{call}"])
        check_alike([*MADE.splitlines(), indices, f"with torch.inference_mode(): v3 = v0.{call}"])


FUNCTIONS = """
linalg.solve(v0, v0)
linalg.solve(v0.data, v0)
linalg.lu_factor(v0)[0]
linalg.eigh(v0)[1].abs()
linalg.cholesky(v0)
linalg.pinv(v0, hermitian=True)
linalg.pinv(v0, rtol=0.1)
linalg.vector_norm(v0[:1].clone(), dim=0, keepdim=True)
linalg.solve_triangular(v0, v0, upper=True)
nn.functional.pad(v0, (1, 1))
nn.functional.pad(v0, (-1, 0))
nn.functional.soft_margin_loss(v0, v0)
nn.functional.binary_cross_entropy_with_logits(v0, v0.data)
nn.functional.binary_cross_entropy_with_logits(v0, v0)
nn.functional.cross_entropy(v0, v0)
nn.functional.group_norm(v0, 2)
nn.functional.batch_norm(v0, None, None, training=True)
nn.functional.embedding_bag(torch.tensor([[0, 1]]), v0)
nn.functional.conv1d(v0.clone()[None], v0[None])
block_diag(v0, v0)
slice_scatter(v0, v0)
select_scatter(v0, v0[0].clone(), 0, 1)
normal(v0, v0).detach()
ldexp(v0, v0)
ldexp(v0, v0.data)
special.xlog1py(2, v0)
mul(torch.ones(2, 2, dtype=torch.float64), v0)
mul(v0.data, v0)
"""


@pytest.mark.parametrize("call", FUNCTIONS.strip().splitlines())
def test_what_kernels_of_functions_do_within(call):
    check_alike([*MADE.splitlines(), f"v1 = torch.{call}"])


def test_gradients_of_what_was_copied_within():
    check_alike([*MADE.splitlines(), "v1 = v0.clone()", "v1.sum().backward()", "v2 = v0.grad"])
    check_alike([*MADE.splitlines(), "v1 = (2 - v0).sum()", "v1.backward()", "v2 = v0.grad"])


INDEXED = "v1[v0] v1.clone().index_put_((v0,),v1[:2]) v1.index_put((v0,),v1[:2]) v1.clone()[v0>0]"


@pytest.mark.parametrize("call", INDEXED.split())
def test_indices_from_inference_mode_are_not_kept(call):
    lines = ["with torch.inference_mode(): v0 = torch.tensor([1, 0])", "v1 = torch.ones(2, requires_grad=True)"]
    check_alike([*lines, f"v2 = {call}"])
    check_alike([*lines, f"with torch.no_grad(): v2 = {call}"])
    check_alike([*lines, "v2 = v1.clone()", "v2[v0] = 3.0"])


def test_running_statistics_from_inference_mode_are_not_written():
    lines = ["with torch.inference_mode(): v0, v1 = torch.zeros(2), torch.ones(2)", "v2 = torch.rand(2, 2, 3)"]
    check_alike([*lines, "v3 = torch.nn.functional.instance_norm(v2, v0, v1)"])
    check_alike([*lines, "v3 = torch.nn.functional.instance_norm(v2, v0, v1, use_input_stats=False)"])


WRITES = "exp_() mul_(v0) add_(v0) zero_() eq_(0.5) mul_(2) clamp_(0.3)"


@pytest.mark.parametrize("write", WRITES.split())
def test_a_leaf_from_inference_mode_is_refused_as_such(write):
    check_alike([*MADE.splitlines(), f"v0.{write}"])
    check_alike([*MADE.splitlines(), f"with torch.inference_mode(): v0.{write}"])


def test_gradients_of_what_was_not_used_made_in_inference_mode():
    slopes = "torch.autograd.grad(v1.sum(), [v0], materialize_grads=True, create_graph=True)"
    check_alike(
        [
            "v0 = torch.tensor([[-0.9, 0.82, 0.07]], requires_grad=True)",
            "v1 = torch.ones(3, requires_grad=True).exp()",
            f"with torch.inference_mode(): v2, = {slopes}",
            "v3 = v2.mean(-1)",
        ]
    )


SOURCES = {
    "made there": "with torch.inference_mode(): v0 = torch.ones(2, 2)",
    "the memory of that": "with torch.inference_mode(): v0 = torch.ones(2, 2)\nv0 = v0.data",
    "ordinary": "v0 = torch.ones(2, 2)\nv0.mul_(2)",
    "a leaf": "v0 = torch.ones(2, 2, requires_grad=True)",
    "with a history": "v0 = torch.ones(2, 2, requires_grad=True) * 2",
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("mode", ["", "with torch.no_grad(): ", "with torch.inference_mode(): "])
@pytest.mark.parametrize("call", ["unsafe_chunk(2)", "unsafe_split(1)", "unsafe_split_with_sizes((1, 1), 1)"])
@pytest.mark.parametrize(
    "then",
    ["v1.mul_(2)", "v0.mul_(2)", "v1[0].add_(1)", "v1.requires_grad_()", "v2 = v1 * torch.ones(2).requires_grad_()"],
)
def test_pieces_that_are_no_views_to_autograd(source, mode, call, then):
    lines = [*SOURCES[source].splitlines(), f"{mode}v1 = one(v0.{call}, 0)", "v3 = v1.is_inference(), v1._is_view()"]
    check_alike([*lines, then])


@pytest.mark.parametrize("call", ["unsafe_chunk(2)", "unsafe_split(2)", "unsafe_split_with_sizes([2, 2])"])
@pytest.mark.parametrize("mode", ["with torch.inference_mode(): ", ""])
@pytest.mark.parametrize("born", ["", "with torch.inference_mode(): "])
@pytest.mark.parametrize("use", ["v2.mul_(2)", "with torch.inference_mode(): v2.mul_(2)", "v3 = v2 * 2", "v3 = v2[0]"])
def test_unsafe_parts(use, born, mode, call):
    check_alike([f"{born}v0 = torch.ones(4, requires_grad=True)", f"{mode}v1 = v0.{call}", "v2 = v1[0]", use])
