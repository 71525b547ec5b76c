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
