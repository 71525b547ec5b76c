"""Programs in which random search once found that hooks, kept gradients or memory went other ways than in PyTorch."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch as theirs
from support.known_differences import explained
from support.live import check_alike
from support.outcomes import first_difference

from chalkgrad import torch as ours

SQUARE = "v0 = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], requires_grad=True)\n"
DOUBLE = SQUARE + "v1 = v0 * 2\n"
HOOK = "v1.register_hook(lambda g: note('{}', g))\n"
LAID_ANEW = (
    "t_()",
    "transpose_(0, 1)",
    "swapaxes_(0, 1)",
    "swapdims_(0, 1)",
    "unsqueeze_(1)",
    "as_strided_((2,), (3,))",
)
CUBED = "(v1 * v1 * v1).sum().backward()"

PROGRAMS = {
    **{
        f"a gradient kept before {call}": f"{DOUBLE}v1.retain_grad()\nv1.{call}\nv1.squeeze_()\n{CUBED}"
        for call in LAID_ANEW
    },
    "asked for once more": DOUBLE + "v1.retain_grad()\nv1.t_()\nv1.retain_grad()\n" + CUBED,
    "with a graph": (
        DOUBLE + "v1.retain_grad()\nv1.t_()\n(v1 * v1 * v1).sum().backward(create_graph=True)\nv1.grad.sum().backward()"
    ),
    "kept after": DOUBLE + "v1.t_()\nv1.retain_grad()\nv1.mul_(3)\n" + CUBED,
    "of one of two results": (SQUARE + "v1 = v0.sort(0, descending=True)[0]\nv1.retain_grad()\nv1.t_()\n" + CUBED),
    "of what only leads on": DOUBLE + "v1.retain_grad()\nv1.t_()\n(v1 * v1).sum().backward(inputs=[v1])",
    "of a view": SQUARE + "v2 = v0 * 2\nv1 = v2[:, 1:]\nv1.retain_grad()\nv1.unsqueeze_(0)\n" + CUBED,
    "of an overwritten view": (
        SQUARE + "v2 = v0 * 2\nv1 = v2[1]\nv1.retain_grad()\nv2.mul_(2)\nv1.unsqueeze_(0)\n" + CUBED
    ),
    "hooks before and after": DOUBLE + HOOK.format("a") + "v1.t_()\n" + HOOK.format("b") + CUBED,
    "hooks before and after a write": (
        DOUBLE + HOOK.format("a") + "v1.t_()\n" + HOOK.format("b") + "v1.mul_(3)\n" + HOOK.format("c") + CUBED
    ),
    "hooks of what was cut off": (
        DOUBLE
        + HOOK.format("a")
        + "v2 = v1 * 5\nv1.detach_()\nv1.requires_grad_()\n"
        + HOOK.format("b")
        + CUBED
        + "\nv2.sum().backward()"
    ),
    "hooks of an overwritten view that nobody has looked at": (
        SQUARE + "v2 = v0 * 2; v1 = v2[1]; v1.register_hook(lambda g: note('a', g)); v2.mul_(2); "
        "v1.register_hook(lambda g: note('b', g)); (v1 * v1).sum().backward()"
    ),
    "hooks of a leaf that gets a history": (
        SQUARE
        + "v1 = torch.ones(2, 3, requires_grad=True)\n"
        + HOOK.format("a")
        + "v2 = v1 * 5\nv1.requires_grad_(False)\nv1.mul_(v0)\n"
        + HOOK.format("b")
        + CUBED
        + "\nv2.sum().backward()"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_pytorch(name):
    check_alike(PROGRAMS[name].splitlines())


BESIDE_A_WRITE = "v1 = {} + v0\nv1[0] = 3.0\n"
PARTS = (
    "v0.unbind()[0]",
    "v0.unbind()[1]",
    "v0.chunk(2)[0]",
    "v0.split(1)[1]",
    "v0[0]",
    "v0.max(0)[0]",
    "v0.sort(0)[0]",
)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("loss", ["v1.sum()", "(v1.sum() + v2.sum())", "(v1 * v1).sum()"])
def test_how_often_a_gradient_was_written_beside_one_of_several_results(part, loss):
    check_alike([*SQUARE.splitlines(), f"v2 = {part}", *BESIDE_A_WRITE.format("v2").splitlines(), f"{loss}.backward()"])


STRIDELESS = "v0 = torch.ones({sizes}, requires_grad=True)\nv1 = v0 - 1\nv1{write}\nv1.sum().backward()"
WRITES = (
    "[v1 != v1] = 3.0",
    "[v1 == v1] = 3.0",
    "[torch.tensor([0])] = 3.0",
    "[0] = 3.0",
    ".masked_fill_(v1 == v1, 3)",
    ".index_fill_(0, torch.tensor([0]), 3)",
    ".put_(torch.tensor([0]), torch.tensor([3.0]))",
    ".index_put_((torch.tensor([0]),), torch.tensor(3.0), accumulate=True)",
)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("sizes", ["1", "3", "1, 1", "3, 1"])
def test_a_gradient_without_a_stride_is_copied(sizes, write):
    check_alike(STRIDELESS.format(sizes=sizes, write=write).splitlines())


@pytest.mark.parametrize("leaf", ["torch.ones(()).expand(1)", "torch.ones(3).expand(1, 3)", "torch.ones(3, 1).mT[:1]"])
@pytest.mark.parametrize("loss", ["v0.sum()", "(v0 * v0).sum()", "v0.clone().sum()", "(2 - v0).sum()"])
def test_a_gradient_without_a_stride_for_a_leaf_without_one(leaf, loss):
    check_alike([f"v0 = {leaf}.requires_grad_()", f"{loss}.backward()"])


@pytest.mark.parametrize(
    "call",
    [
        "index_put((torch.tensor([0]),), torch.tensor(2.0))",
        "index_put((torch.tensor([0]),), torch.tensor(2.0), accumulate=True)",
        "put(torch.tensor([0]), torch.tensor([2.0]))",
        "select_scatter(torch.tensor(2.0), 0, 0)",
        "slice_scatter(torch.tensor([2.0]), 0, 0)",
    ],
)
def test_copies_keep_a_stride_of_0(call):
    check_alike(["v0 = torch.ones(()).expand(1)", f"v1 = v0.{call}"])


@pytest.mark.parametrize("inputs", ["v1", "v1, v0", "v0, v1", "v0"])
@pytest.mark.parametrize(
    "hook",
    [
        "v1.register_hook(lambda g: g * 3)",
        "v0.register_hook(lambda g: g * 3)",
        "v1.retain_grad()",
        "v1.grad_fn.register_prehook(lambda gs: (gs[0] * 3,))",
        "v1.grad_fn.register_hook(lambda gi, go: (gi[0] * 3,))",
    ],
)
@pytest.mark.parametrize("loss", ["(v1 * v1).sum()", "v1.sum()"])
def test_whether_hooks_come_before_what_grad_returns(inputs, hook, loss):
    lines = [*SQUARE.splitlines(), "v1 = v0 * 2", hook]
    check_alike([*lines, f"v2 = one(torch.autograd.grad({loss}, [{inputs}]), 0)", "v3 = v1.grad"])
    check_alike([*lines, f"v2 = one(torch.autograd.grad({loss}, [{inputs}], create_graph=True), 1)"])


def test_a_root_whose_gradient_grad_returns():
    lines = [*SQUARE.splitlines(), "v1 = v0 * 2", "v1.register_hook(lambda g: g * 3)"]
    check_alike([*lines, "v2 = one(torch.autograd.grad(v1, [v1, v0], torch.ones_like(v1)), 0)"])


@pytest.mark.parametrize("before", ["1", "3", "1, 3", "3, 1"])
@pytest.mark.parametrize("roots", ["[v0]", "[v0, v0]"])
def test_a_root_is_kept_as_it_was_made_to_fit(before, roots):
    sizes = "3, 3" if before == "3, 1" else f"2, {before}"
    grads = ", ".join([f"torch.ones({sizes})"] * roots.count("v0"))
    check_alike([f"v0 = torch.ones({before}, requires_grad=True)", f"torch.autograd.backward({roots}, [{grads}])"])


@pytest.mark.parametrize("roots", ["v2.sum()", "v2.sum(), v0.sum()", "(v2 * 3).sum(), v0.sum()", "v0.sum(), v2.sum()"])
@pytest.mark.parametrize("alpha", [1, 2])
def test_what_was_added_is_held_until_its_node_is_done(roots, alpha):
    leaves = [f"v{number} = torch.ones(1, 3, requires_grad=True)" for number in (0, 1)]
    check_alike([*leaves, f"v2 = torch.add(v0, v1, alpha={alpha}) + v1", f"torch.autograd.backward([{roots}])"])


@pytest.mark.parametrize("sizes", ["0, 2", "2, 0"])
def test_a_leaf_without_elements_turned_behind_autograds_back(sizes):
    lines = [f"v0 = torch.zeros({sizes}, requires_grad=True)", "v1 = v0.exp()", "with torch.no_grad(): v0.t_()"]
    check_alike([*lines, "v1.sum().backward()"])


@pytest.mark.parametrize("roots", ["v0", "v0, v0"])
def test_a_root_that_got_a_dimension_behind_autograds_back(roots):
    lines = ["v0 = torch.tensor(2.0, requires_grad=True)", "v1 = v0.cos()", "with torch.no_grad(): v0.unsqueeze_(0)"]
    check_alike([*lines, f"torch.autograd.backward([{roots}])"])


ASSERTING = {
    "written": DOUBLE + "v1.retain_grad()\nv1.t_()\nv1.mul_(3)",
    "written through its base": SQUARE + "v2 = v0 * 2\nv1 = v2[1]\nv1.retain_grad()\nv1.unsqueeze_(0)\nv2.mul_(2)",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ASSERTING)
def test_where_pytorch_looks_for_the_kept_gradient_in_vain_ours_keeps_it_where_it_was(name):
    lines = ASSERTING[name].splitlines()
    difference = first_difference(ours, theirs, lines)
    assert difference is not None
    assert explained(difference.signature)
    names = {"torch": ours}
    exec("\n".join(lines), names)
    names["v1"].sum().backward()
    grad = names["v1"].grad
    assert (None if grad is None else tuple(grad.shape)) == ((2, 3) if name == "written" else None)
