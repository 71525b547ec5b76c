"""Signs of zeros, extremes of numbers and layouts that sweeps found otherwise than in PyTorch."""

from __future__ import annotations

import itertools

import pytest

pytest.importorskip("torch")

import torch as theirs
from support.live import check_alike

from chalkgrad import torch as ours

MATRICES = ((0.0, -0.0), (-0.0, 0.0)), ((-0.0, -0.0), (-0.0, -0.0)), ((0.0, 0.0), (0.0, 0.0))


def signs(tensor) -> list[bool]:
    return tensor.signbit().reshape(-1).tolist()


@pytest.mark.parametrize("beta", [0, 1, -1, 0.5])
@pytest.mark.parametrize("first", MATRICES)
def test_zeros_to_which_nothing_is_added(first, beta):
    found = []
    for torch in (ours, theirs):
        a, b = torch.tensor(first), torch.tensor(MATRICES[0])
        scaled = {"beta": beta, "alpha": 0}
        found.append(
            [
                signs(torch.addmm(a, b, b, **scaled)),
                signs(torch.addmv(a[0], b, b[0], **scaled)),
                signs(torch.addbmm(a, b[None], b[None], **scaled)),
                signs(torch.addmm(a, b / 0, b, **scaled)),
            ]
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["amax", "amin"])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 7])
def test_which_zero_is_the_extreme(name, count):
    """PyTorch takes the first; of more elements than fit into four vectors of the processor it may be another."""
    for zeros in itertools.product((0.0, -0.0), repeat=count):
        found = []
        for torch in (ours, theirs):
            line = torch.tensor(zeros)
            both = torch.stack([line, line - 1, line + 1])
            all_of_it = [getattr(both, name)(dim) for dim in (0, 1, (0, 1), -1)]
            turned = [getattr(both.t(), name)(dim) for dim in (0, 1, (0, 1))]
            found.append([signs(part) for part in (getattr(line, name)(), *all_of_it, *turned)])
        assert found[0] == found[1]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norms_of_extreme_order(dtype):
    for order in ("1e300", "-1e300", "1e40", "200", "-200", "1e-40", "float('nan')"):
        check_alike(
            [
                f"v0 = torch.tensor([1.0, 2.0, -3.0, 0.0], dtype=torch.{dtype}, requires_grad=True)",
                f"v1 = torch.linalg.vector_norm(v0, {order})",
                f"v2 = v0[:2].norm({order})",
                f"v3 = torch.linalg.vector_norm(v0[:0], abs({order}))",
                "(v1 + v2).backward()",
            ]
        )


def test_a_variance_with_a_correction_that_is_no_number():
    for call in ("var", "std", "var_mean", "std_mean"):
        check_alike(["v0 = torch.tensor([1.0, 2.0, 4.0])", f"v1 = torch.{call}(v0, correction=float('nan'))"])


@pytest.mark.parametrize("create", [False, True])
def test_how_a_retained_gradient_lies(create):
    lines = [
        "v0 = torch.ones(2, 3, requires_grad=True)",
        "v1 = v0.t()",
        "v1.retain_grad()",
        f"v1.backward(torch.ones_like(v1), create_graph={create})",
        "v2 = v1.grad",
    ]
    check_alike(lines)


def test_saved_ends_of_slices():
    """Those of ``gradient`` count from the end, or have none."""
    found = []
    for torch in (ours, theirs):
        x = torch.arange(6.0).reshape(2, 3).requires_grad_()
        calls = ({}, {"dim": 1, "edge_order": 2}, {"dim": 1, "spacing": (torch.tensor([0.0, 1.0, 3.0]),)})
        results = [slope for given in calls for slope in torch.gradient(x, **given)]
        found.append([slices(result.grad_fn) for result in results])
    assert found[0] == found[1]
    assert any(end is None for ends in found[0] for _, end in ends)


def slices(node) -> list[tuple[int, int]]:
    """What the nodes for slices behind ``node`` saved."""
    inner = [entry for target, _ in node.next_functions if target is not None for entry in slices(target)]
    return [(node._saved_start, node._saved_end), *inner] if node.name() == "SliceBackward0" else inner


def test_poisson_numbers_of_rates_beyond_what_can_be_counted():
    for rate, dtype in itertools.product(
        ("float('inf')", "1e19", "1e20", "1e30", "1e300", "1e18"), ("float32", "float64")
    ):
        check_alike(
            [
                f"v0 = torch.tensor([{rate}, {rate}, 2.0], dtype=torch.{dtype})",
                "torch.manual_seed(3); v1 = torch.poisson(v0)",
                "v2 = torch.poisson(v0)",
            ]
        )


ZEROS = ["fmax(v0, -v0)", "fmin(v0, -v0)", "fmax(-v0, v0)", "logcumsumexp(v0, 0)", "nn.functional.gelu(v0)"]


@pytest.mark.parametrize("call", ZEROS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [1, 3, 9, 40])
def test_signs_of_zeros(count, dtype, call):
    check_alike([f"v0 = -torch.zeros({count}, dtype=torch.{dtype})", f"v1 = 1 / torch.{call}"])


def test_gelu_of_what_is_far_below_zero():
    check_alike(["v0 = torch.tensor([-100.0, -50.0, 1.0])", "v1 = 1 / torch.nn.functional.gelu(v0)[:2]"])
