"""Nodes are born in the order in which PyTorch's compiler works out operands, which backwards and versions show."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from support import outcomes
from support.live import check_alike

SET = "torch.set_default_dtype(torch.float64)"
LEAVES = "v{place} = torch.arange(1.0, {end}).sin().add(0.1).reshape({shape}).requires_grad_()"


@pytest.fixture(autouse=True)
def whole_graphs(monkeypatch):
    """Graphs are looked at to their ends."""
    monkeypatch.setattr(outcomes, "NODES", 1000)


def leaves(*shapes):
    """Lines that make leaves of these shapes."""
    made = []
    for place, shape in enumerate(shapes):
        count = 1
        for size in shape:
            count *= size
        made.append(LEAVES.format(place=place, end=count + 1, shape=shape))
    return [SET, *made]


CALLS = {
    "poisson_nll_loss(v0, v1, full=True, reduction='none')": ((4,), (4,)),
    "poisson_nll_loss(v0, v1, log_input=False, full=True)": ((4,), (4,)),
    "cosine_similarity(v0, v1)": ((2, 4), (2, 4)),
    "cosine_similarity(v0, v1, 0)": ((2, 4), (4,)),
    "cosine_embedding_loss(v0, v1, torch.ones(2))": ((2, 4), (2, 4)),
    "cross_entropy(v0, torch.tensor([1, 0]), label_smoothing=0.5)": ((2, 3),),
    "instance_norm(v0, torch.zeros(3), torch.ones(3), v1, v1, False)": ((2, 3, 4), (3,)),
}
FUNCTIONS = {
    "cdist(v0, v1)": ((3, 2), (4, 2)),
    "cdist(v0, v1, compute_mode='use_mm_for_euclid_dist')": ((3, 2), (4, 2)),
    "cov(v0, aweights=v1 * v1)": ((2, 4), (4,)),
    "group_norm(v0, 2, v1)": ((2, 4, 3), (4,)),
    "igammac(v0.detach() + 1, v1)": ((2,), (2,)),
    "index_reduce(v0, 0, torch.tensor([0, 1]), v1, 'prod')": ((2,), (2,)),
    "linalg.eigvalsh(v0)": ((3, 3),),
    "linalg.lstsq(v0, v1)": ((3, 2), (3, 1)),
    "linalg.lstsq(v0, v1)[0]": ((2, 3), (2, 1)),
    "linalg.lstsq(v0, v1, driver='gels')[1]": ((4, 3), (4, 3)),
    "linalg.lu_solve(v0, torch.tensor([2, 3, 3], dtype=torch.int32), v1)": ((3, 3), (3, 1)),
    "linalg.lu_solve(v0, torch.tensor([2, 3, 3], dtype=torch.int32), v1, adjoint=True)": ((3, 3), (3, 1)),
    "linalg.multi_dot([v0, v1, v2, v3, v4])": ((2, 4), (4, 3), (3, 5), (5, 3), (3, 2)),
    "linalg.pinv(v0)": ((3, 3),),
    "linalg.pinv(v0 )": ((3, 2),),
    "linalg.svd(v0)": ((3, 2),),
    "linalg.svd(v0, full_matrices=False)": ((3, 2),),
    "linalg.svd(v0, full_matrices=False)[0]": ((2, 2),),
    "linalg.svd(v0, full_matrices=False)[2]": ((2, 2),),
    "pca_lowrank(v0, 2)": ((3, 2),),
    "scatter_reduce(v0, 0, torch.tensor([0, 1]), v1, 'prod')": ((2,), (2,)),
    "special.log_ndtr(v0)": ((3,),),
    "special.ndtri(v0.sigmoid())": ((3,),),
    "special.xlog1py(v0, v1)": ((2,), (2,)),
    "tensordot(v0, v1, [[0, 1], [1, 2]])": ((2, 3, 1), (1, 2, 3)),
    "tensordot(v0, v1, [[1, 0], [0, 1]])": ((2, 2, 1), (2, 2, 1)),
}


@pytest.mark.parametrize("call", [*(f"nn.functional.{name}" for name in CALLS), *FUNCTIONS])
def test_births_on_the_way_there_and_back(call):
    shapes = {**{f"nn.functional.{name}": shapes for name, shapes in CALLS.items()}, **FUNCTIONS}[call]
    lines = [*leaves(*shapes), f"torch.manual_seed(3); w = torch.{call}"]
    names = ", ".join(f"v{place}" for place in range(len(shapes)))
    # The results are looked at by number, and each gradient with the graph behind it.
    lines += [
        "ys = [y for y in (w if isinstance(w, (tuple, list)) else [w]) if y.requires_grad]",
        *[f"v{20 + place} = ys[min({place}, len(ys) - 1)]" for place in range(3)],
        f"gs = torch.autograd.grad([(y * y).sum() for y in ys], [{names}], allow_unused=True, create_graph=True)",
        *[f"v{30 + place} = gs[{place}]" for place in range(len(shapes))],
    ]
    check_alike(lines)


def test_what_was_spread_is_summed_before_anything_is_added():
    check_alike(
        [
            *leaves((2, 4), (4,)),
            "v2 = v0 * v1 + v0.exp() * v1",
            "v3, v4 = torch.autograd.grad(v2.sum(), [v0, v1], create_graph=True)",
            "v5, = torch.autograd.grad((v4 * v4).sum(), [v0], create_graph=True)",
        ]
    )


def test_births_are_compared():
    from chalkgrad import torch as ours

    x = ours.ones(2, requires_grad=True)
    first, second = x.exp(), x.sin()
    names = [name for _, name in outcomes.births(second + first)]
    assert names == ["ExpBackward0", "SinBackward0", "AddBackward0"]


@pytest.mark.parametrize("name", ["multi_margin_loss", "multilabel_margin_loss"])
def test_edges_of_what_refuses_to_be_differentiated_again(name):
    labels = "torch.tensor([1, 2])" if name == "multi_margin_loss" else "torch.ones(2, 4, dtype=torch.int64)"
    lines = [
        *leaves((2, 4), ()),
        f"v2 = torch.nn.functional.{name}(v0, {labels}) * v1",
        "v3, = torch.autograd.grad(v2, [v0], create_graph=True)",
    ]
    check_alike([*lines, "v3.sum().backward()"])


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.0])
def test_a_third_derivative_of_distances_is_refused(p):
    lines = [*leaves((3, 2), (4, 2)), f"v2 = torch.cdist(v0, v1, {p})"]
    check_alike([*lines, "v3, = torch.autograd.grad(v2.sum(), [v1], create_graph=True)", "v3.sum().backward()"])


def test_gradients_of_a_target_that_is_a_root_too():
    check_alike(
        [
            "v0 = torch.tensor([-1.99, -1.31, -1.24], requires_grad=True)",
            "v1 = v0.exp()",
            "v2 = v1 * v1[-1]",
            "v3, = torch.autograd.grad([v2.sum(), v1.sum()], [v1], create_graph=True)",
        ]
    )


@pytest.mark.parametrize("more", ["", ", label_smoothing=0.1", ", reduction='sum'"])
def test_cross_entropy_of_probabilities_with_weights_that_are_learnt(more):
    lines = [
        "v0 = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()",
        "v1 = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)",
        "v2 = torch.full((2, 3), 0.25, requires_grad=True)",
    ]
    check_alike([*lines, f"v3 = torch.nn.functional.cross_entropy(v0, v2, v1{more})", "v3.sum().backward()"])


TWICE = {
    "halves of a gate": "torch.nn.functional.glu(v0, 0)",
    "the greatest of all": "v0.amax()",
    "the least of all, which keeps its dimensions": "v0.amin(keepdim=True)",
    "both extremes": "v0.aminmax()[0]",
    "means of what goes to a place": (
        "v0.scatter_reduce(1, torch.tensor([[0, 1, 0], [1, 1, 0]]), v0, 'mean', include_self=False)"
    ),
    "the greatest of what goes to a place": "v0.scatter_reduce(1, torch.tensor([[0, 1, 0], [1, 1, 0]]), v0, 'amax')",
    "rows that go to a place": "v0.index_reduce(1, torch.tensor([2, 0]), v0[:, :2], 'amax')",
    "means of rows": "v0.index_reduce(1, torch.tensor([2, 0]), v0[:, :2], 'mean', include_self=False)",
}


@pytest.mark.parametrize("name", TWICE)
def test_second_derivatives_by_all_that_was_read(name):
    lines = [*leaves((2, 3))[:2], f"v1 = {TWICE[name]}"]
    slopes = [f"v{n + 1}, = torch.autograd.grad((v{n} * v{n}).sum(), [v0], create_graph=True)" for n in (1, 2)]
    check_alike([*lines, *slopes])


@pytest.mark.parametrize("shapes", [((2, 2), (1,)), ((2, 2), (2,)), ((3,), (1,)), ((1,), (1,))])
def test_third_derivatives_of_prelu(shapes):
    lines = [*leaves(*shapes), "v2 = torch.nn.functional.prelu(v0, v1)", "v3 = (v2 * v2).sum()"]
    for place in (4, 7, 10):
        lines.append(f"v{place}, v{place + 1} = torch.autograd.grad(v{place - 1}, [v0, v1], create_graph=True)")
        lines.append(f"v{place + 2} = (v{place} * v{place}).sum() + (v{place + 1} * v{place + 1}).sum()")
    check_alike(lines)


AGAIN = {
    "torch.nn.functional.conv1d(v0, v1, v2)": ((2, 2, 4), (2, 2, 3), (2,)),
    "torch.nn.functional.conv1d(v0, v1, v2, groups=2)": ((2, 2, 4), (2, 1, 3), (2,)),
    "torch.nn.functional.conv_transpose1d(v0, v1, v2, groups=2)": ((2, 2, 4), (2, 1, 3), (2,)),
    "torch.nn.functional.conv_transpose1d(v0, v1, v2, stride=2, output_padding=1)": ((2, 2, 4), (2, 2, 3), (2,)),
    "torch.clamp(v0, v1, v2)": ((4,), (4,), (4,)),
    "torch.block_diag(v0, v1, v2)": ((3,), (2, 2), ()),
    "torch.norm(v0 + v1 + v2, -float('inf'))": ((2, 2), (2,), (1,)),
}


@pytest.mark.parametrize("call", AGAIN)
def test_derivatives_of_derivatives(call):
    lines = [*leaves(*AGAIN[call]), f"v3 = {call}", "v4 = (v3 * v3).sum()"]
    for place in (5, 9, 13):
        names = [f"v{place + number}" for number in range(3)]
        lines.append(f"{', '.join(names)} = torch.autograd.grad(v{place - 1}, [v0, v1, v2], create_graph=True)")
        lines.append(f"v{place + 3} = " + " + ".join(f"({name} * {name}).sum()" for name in names))
    check_alike(lines)


def test_a_convolution_that_was_given_what_only_turned_ones_take():
    settings = "(1,), (0,), (1,), False, (1,), 1"
    lines = [f"v1 = torch.convolution(v0, torch.ones(1, 1, 2), None, {settings})", "v1.sum().backward()"]
    check_alike(["v0 = torch.ones(1, 1, 4, requires_grad=True)", *lines])
