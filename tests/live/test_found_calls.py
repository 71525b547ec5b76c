"""Single calls on odd tensors in which random search once found something else than PyTorch does."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support.live import check_alike

BOOLS = [
    *("v0 = torch.ones(2).bool()", "v1 = torch.ones(0).bool()", "v2 = torch.ones(2, 2).bool()"),
    *("v3 = torch.ones(2, 0).bool()", "v4 = torch.ones(0, 2).bool()", "v5 = v2[None]", "v6 = torch.stack([v3, v3])"),
    "v7 = torch.stack([v4, v4])",
]
"""A vector, one of nothing, matrices, and batches of them."""


@pytest.mark.parametrize(
    "call",
    [
        *("mm(v3, v4)", "mm(v4, v2)", "mm(v4, v3)", "mm(v2, v2)", "inner(v3, v3)", "inner(v4, v0)", "mv(v3, v1)"),
        *("mv(v4, v0)", "mv(v2, v0)", "bmm(v6, v7)", "matmul(v3, v4)", "linalg.multi_dot([v3, v4])"),
        *("nn.functional.linear(v3, v3)", "nn.functional.linear(v4, v2, v0)", "tensordot(v3, v4, 1)"),
        *(
            "bucketize(v1, v1)",
            "bucketize(v1, v0)",
            "bucketize(v0, v1)",
            "searchsorted(v0, v1)",
            "searchsorted(v4, v4)",
        ),
    ],
)
def test_products_of_bools_that_have_no_elements(call):
    check_alike([*BOOLS, f"v8 = torch.{call}"])


@pytest.mark.parametrize("beta", ["1", "0", "True", "0.5", "300", "-1"])
@pytest.mark.parametrize(
    "call",
    [
        *("addmm(v2, v3, v4", "addmm(v4, v4, v2", "addmm(v2, v2, v2", "addmv(v0, v3, v1", "addmv(v1, v4, v0"),
        *("baddbmm(v2, v6, v7", "addbmm(v2, v6, v7", "addbmm(v2, v6[:1], v7[:1]", "addbmm(v2, v5[:0], v5[:0]"),
        "addbmm(v2[:0], v5[:, :0], v5",
    ],
)
def test_nothing_is_added_to_what_is_scaled(call, beta):
    for dtype in ("bool", "uint8", "int64"):
        lines = [line if "v" in line[5:] else f"{line}.to(torch.{dtype})" for line in BOOLS]
        check_alike([*lines, f"v8 = torch.{call}, beta={beta})"])


@pytest.mark.parametrize("number", [300, -1, 255, -255, -256])
def test_bytes_scaled_by_more_than_a_byte(number):
    ones = "v0 = torch.ones(2, 2).byte()"
    check_alike([ones, f"v1 = torch.addmm(v0, v0, v0, beta={number})"])
    check_alike([ones, f"v1 = torch.addmm(v0, v0, v0, beta=2, alpha={number})"])


@pytest.mark.parametrize("order", ["-1.5", "-1", "0", "2", "float('inf')", "-float('inf')"])
@pytest.mark.parametrize("one, other", [("0, 2", "0, 2"), ("", "0, 2"), ("0, 2", "1, 2")])
def test_the_distance_of_nothing(one, other, order):
    check_alike([f"v0 = torch.ones(({one}))", f"v1 = torch.ones(({other}))", f"v2 = v0.dist(v1, {order})"])


WEIGHTS = ("torch.ones(2, requires_grad=True)", "torch.ones(3, requires_grad=True)")


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("sizes", ["(2,)", "(3,)", "()"])
def test_a_layer_keeps_its_input_before_it_looks_at_the_sizes(sizes, weight):
    lines = ["with torch.inference_mode(): v0 = torch.ones(2, 2)", f"v1 = {weight}"]
    check_alike([*lines, f"v2 = torch.layer_norm(v0, {sizes}, v1)", "v3 = torch.group_norm(v0, 3, v1)"])


@pytest.mark.parametrize("weight", ["None", "torch.ones(3).long()", "torch.ones(2).long()", "torch.ones(2).double()"])
@pytest.mark.parametrize("bias", ["None", "torch.ones(2)"])
@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_which_of_two_wrong_dtypes_is_named(dtype, bias, weight):
    for rows in ("", "[:0]"):
        lines = [f"v0 = torch.ones(2, 2).to(torch.{dtype}){rows}", f"v1 = {weight}", f"v2 = {bias}"]
        check_alike([*lines, "v3 = torch.native_layer_norm(v0, (2,), v1, v2, 1e-5)"])
        check_alike([*lines, "v3 = torch.group_norm(v0, 1, v1, v2)"])


@pytest.mark.parametrize("target", ["True", "1", "1.0"])
@pytest.mark.parametrize("loss", ["nll_loss", "cross_entropy"])
def test_one_class_for_a_batch(loss, target):
    for sizes in ("0, 2", "1, 2", "2", "2, 2", "0, 2, 2", "0, 2, 2, 2", "0, 2, 2, 2, 2"):
        lines = [f"v0 = torch.ones({sizes})", f"v1 = torch.tensor({target})"]
        check_alike([*lines, f"v2 = torch.nn.functional.{loss}(v0, v1)"])


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("rows", ["", "[:0]", ".detach()"])
def test_statistics_that_require_grad(rows, training):
    lines = ["v0 = torch.rand(2, 3).exp_().requires_grad_()", "v1 = torch.ones(3)", "v2 = v1 * 1"]
    for which in (1, 2):
        asks = f"v{which}.requires_grad_()"
        call = f"torch.nn.functional.batch_norm(v0{rows}, v1, v2, training={training})"
        check_alike(["torch.manual_seed(3); " + lines[0], *lines[1:], asks, f"v3 = {call}"])
        check_alike(["torch.manual_seed(3); " + lines[0], *lines[1:], asks, f"with torch.no_grad(): v3 = {call}"])


@pytest.mark.parametrize("most", ["-1", "-0.941251776342316", "-1e10", "-1234567", "torch.tensor(-0.123456789)"])
def test_a_norm_below_nothing(most):
    check_alike(["v0 = torch.ones(2, 2)", f"v1 = v0.renorm(2, 0, {most})"])


@pytest.mark.parametrize("options", ["", "create_graph=True"])
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("sizes", ["0", "0, 2", "0, 2, 2"])
def test_the_factor_of_what_is_no_matrix(sizes, upper, options):
    check_alike(
        [
            f"v0 = torch.ones({sizes}, requires_grad=True, dtype=torch.float64)",
            f"v1 = v0.cholesky(upper={upper})",
            f"v1.sum().backward({options})",
        ],
        accidents=True,
    )


@pytest.mark.parametrize("sizes", ["2, 2", "1, 2", "3, 2"])
@pytest.mark.parametrize("result", ["v2[1].sum()", "v2[2].sum()", "(v2[1].sum() + v2[2].sum())"])
def test_the_gradient_of_triangles_that_were_not_asked_for(result, sizes):
    lines = [f"v0 = torch.ones({sizes}, requires_grad=True)", f"v1 = torch.ones(min({sizes})).int()"]
    check_alike([*lines, "v2 = torch.lu_unpack(v0, v1, False, False)", f"{result}.backward()"])


@pytest.mark.parametrize("default", ["float32", "float64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("call", ["std()", "var()", "var(correction=2)", "var(0)"])
def test_the_spread_of_one_number_has_a_gradient_of_the_default_dtype(call, dtype, default):
    for values in ("torch.ones(1)", "torch.ones(2, 0)", "torch.ones(())", "torch.tensor([1.0, 2.0])"):
        lines = [f"torch.set_default_dtype(torch.{default})", f"v0 = {values}.to(torch.{dtype}).requires_grad_()"]
        check_alike([*lines, f"v1 = v0.{call}", "v2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)"])
        check_alike([*lines, "v1 = torch.std_mean(v0)[0]", "v1.sum().backward()"])


@pytest.mark.parametrize("sizes", ["2, 0", "0, 2", "2, 0, 3", "1, 3, 0"])
def test_how_the_gradient_of_nothing_is_copied(sizes):
    lines = [f"v0 = torch.tensor([1.0, 2.0])[:0].reshape({sizes}).requires_grad_()"]
    check_alike([*lines, "(v0 * v0).sum().backward(create_graph=True)"])


@pytest.mark.parametrize("pos_weight", ["None", "float32", "float64"])
@pytest.mark.parametrize("weight", ["None", "float32", "float64"])
@pytest.mark.parametrize("reduction", ["mean", "none"])
@pytest.mark.parametrize("target", ["float32", "float64"])
@pytest.mark.parametrize("scores", ["float32", "float64"])
def test_scores_and_targets_of_two_dtypes(scores, target, reduction, weight, pos_weight):
    """In which dtype the gradients are computed in place, their versions tell."""
    lines = [f"v0 = torch.tensor([[0.5, 1.0, 2.0]], dtype=torch.{scores}).requires_grad_()"]
    lines.append(f"v1 = torch.tensor([[0.25, 0.5, 0.75]], dtype=torch.{target}).requires_grad_()")
    for name, values, dtype in (("v2", "[0.3, 0.1, 1.0]", weight), ("v3", "[0.7, 2.0, 1.1]", pos_weight)):
        lines.append(f"{name} = None" if dtype == "None" else f"{name} = torch.tensor({values}, dtype=torch.{dtype})")
    lines.append(
        f"v4 = torch.nn.functional.binary_cross_entropy_with_logits(v0, v1, v2, None, None, {reduction!r}, v3)"
    )
    for options in ("", "create_graph=True"):
        check_alike([*lines, f"v4.sum().backward({options})"])


@pytest.mark.parametrize("sizes", ["0", "0, 2", "2, 0", "0, 0"])
@pytest.mark.parametrize("options", ["1", "1, True", "2, True", "3"])
def test_drawn_from_nothing(options, sizes):
    check_alike([f"v0 = torch.multinomial(torch.ones({sizes}), {options})"])


@pytest.mark.parametrize("call", ["std", "var"])
@pytest.mark.parametrize("arguments", ["1, 2", "1, -7", "1, 1, 1", "(1,), 2", "1, True", "1, True, 2"])
def test_only_lists_of_any_length_are_written_without_brackets(arguments, call):
    check_alike(["v0 = torch.ones(1, 2, 3)", f"v1 = v0.{call}({arguments})"])


@pytest.mark.parametrize("size", ["-1", "0", "3"])
@pytest.mark.parametrize("repeats", ["torch.tensor(2)", "torch.ones(0).long()"])
def test_nothing_repeated_is_of_any_size(repeats, size):
    for sizes in ("0", "2, 0"):
        check_alike([f"v0 = torch.ones({sizes}).repeat_interleave({repeats}, output_size={size})"])
    check_alike([f"v0 = torch.repeat_interleave(torch.ones(0).long(), output_size={size})"])


@pytest.mark.parametrize("write", ["fill_(v0.sum())", "lt_(v0)"])
@pytest.mark.parametrize("call", ["requires_grad_()", "requires_grad_(False)", "view(2, 1).requires_grad_()"])
def test_integers_with_a_history_are_asked_for_a_gradient(call, write):
    lines = ["v0 = torch.ones(2, requires_grad=True)", f"v1 = torch.tensor([3, 1])\nv1.{write}", f"v1.{call}"]
    check_alike([*lines, "v1.requires_grad = True"])


@pytest.mark.parametrize("dim", ["None", "0", "-1"])
@pytest.mark.parametrize("flags", ["False, False", "True, False", "False, True", "True, True"])
@pytest.mark.parametrize("values", ["[1.0, 1.0, 2.0]", "[[1.0, 1.0], [1.0, 1.0], [2.0, 1.0]]", "[]"])
def test_which_of_the_results_of_unique_are_made(values, flags, dim):
    lines = [f"v0 = torch.tensor({values})", f"v1 = torch.unique_consecutive(v0, {flags}, {dim})"]
    for number in range(3):
        check_alike([*lines, f"v2 = one(v1, {number})"])
        check_alike([lines[0], f"v1 = torch.unique(v0, True, {flags}, {dim})", f"v2 = one(v1, {number})"])


@pytest.mark.parametrize("call", ["pinv(v0, rtol=v1)", "pinv(v0, atol=v1.mT)", "matrix_exp(v0.expand(2, 2, 2))"])
def test_how_a_batch_of_matrices_lies(call):
    lines = ["v0 = torch.tensor([[2.0, 0.5], [0.25, 1.0]], dtype=torch.float64)"]
    check_alike([*lines, "v1 = torch.full((2, 3), 0.125, dtype=torch.float64).t()", f"v2 = torch.linalg.{call}"])


def test_the_exponential_of_matrices_that_do_not_lie_one_after_the_other():
    lines = ["v0 = torch.arange(24.0).reshape(2, 3, 2, 2)"]
    check_alike([*lines, "v1 = torch.matrix_exp(v0.transpose(0, 1))", "v2 = torch.matrix_exp(v0[:, ::2])"])
    check_alike([*lines, "v1 = torch.matrix_exp(v0[:, :, :1, :1].transpose(0, 1))", "v2 = torch.matrix_exp(v0[:0])"])


@pytest.mark.parametrize("create", [True, False])
def test_the_gradient_by_integers_with_a_history_made_of_nothing(create):
    lines = ["v0 = torch.ones(2, requires_grad=True)", "v1 = torch.tensor([3, 1])", "v1.lt_(v0)", "v2 = v0 * v0"]
    check_alike([*lines, f"v3, = torch.autograd.grad(v2.sum(), [v1], materialize_grads=True, create_graph={create})"])


@pytest.mark.parametrize("sizes", ["0, 4, 2, 2", "1, 0, 2, 2", "1, 4, 0, 2", "1, 4, 2, 0", "0, 2, 2", "0, 0, 0"])
@pytest.mark.parametrize("call", ["pixel_unshuffle(v0, 2)", "pixel_shuffle(v0, 2)", "pixel_shuffle(v0, 10**12)"])
def test_pixels_of_nothing(call, sizes):
    lines = [f"v0 = torch.ones({sizes}, requires_grad=True)", f"v1 = torch.nn.functional.{call}"]
    check_alike([*lines, "v2, = torch.autograd.grad(v1.sum(), [v0], create_graph=True)", "v2.sum().backward()"], True)


@pytest.mark.parametrize("size", ["10**12", "-(10**12)", "2**31", "2**31 - 1"])
@pytest.mark.parametrize("call", ["avg_pool2d(v0, {})", "avg_pool2d(v0, 2, {})", "max_pool2d(v0, 2, 1, {})"])
def test_windows_beyond_32_bits(call, size):
    check_alike(["v0 = torch.ones(1, 4, 4)", f"v1 = torch.nn.functional.{call.format(size)}"])


@pytest.mark.parametrize("target", ["v1", "v2", "v1.view(-1)"])
@pytest.mark.parametrize("source", ["torch.ones(4)", "v0.view(-1) * 1"])
def test_a_mask_that_requires_grad_follows_nothing(source, target):
    lines = ["v0 = torch.ones(2, 2, requires_grad=True)", "v1, = torch.autograd.grad(v0.sum(), [v0])"]
    lines += ["with torch.no_grad(): v2 = torch.ones(2, 2)[:]", f"v3 = {source}"]
    mask = "v0.view(-1)" if target.endswith("view(-1)") else "v0[:1]"
    check_alike([*lines, f"{target}.masked_scatter_({mask}, v3)"])
