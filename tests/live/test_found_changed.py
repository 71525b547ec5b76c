"""Programs that change a saved input behind autograd's back: what a backward reads again it finds as it is by then."""

from __future__ import annotations

import numpy as np
import pytest

theirs = pytest.importorskip("torch")

from support.live import check_alike  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402

IMAGE = (
    "torch.set_default_dtype(torch.float64)\n"
    "v0 = torch.linspace(-1, 1.3, 24).reshape(2, 4, 3).pow(3).requires_grad_()\n"
    "v1 = torch.tensor([0.5, 1.5, -1.0, 2.0], requires_grad=True)\n"
    "v2 = torch.linspace(0.1, 2, 24).reshape(2, 4, 3)\n"
)
NORMS = {
    "batch": "torch.nn.functional.batch_norm(v0, None, None, v1, v1, True)",
    "batch without weight": "torch.nn.functional.batch_norm(v0, None, None, training=True)",
    "batch by what was seen": "torch.nn.functional.batch_norm(v0, torch.ones(4) / 3, torch.ones(4) / 2, v1, v1)",
    "instance": "torch.nn.functional.instance_norm(v0, None, None, v1, v1)",
    "group": "torch.nn.functional.group_norm(v0, 2, v1, v1)",
    "group without weight": "torch.nn.functional.group_norm(v0, 2)",
    "layer": "torch.nn.functional.layer_norm(v0, (4, 3), v2[0].clone().requires_grad_())",
    "layer without weight": "torch.nn.functional.layer_norm(v0, (3,))",
}
CHANGE = "v0.data.mul_(1.25)\nv0.data.sub_(0.1)\n"


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("change", [CHANGE, "v1.data.mul_(2)\n"])
def test_a_normalisation_has_the_statistics_of_its_forward(norm, change):
    check_alike((IMAGE + f"v3 = {NORMS[norm]}\n{change}(v3 * v2).sum().backward()").splitlines())


@pytest.mark.parametrize("norm", NORMS)
def test_and_so_has_its_second_derivative(norm):
    first = "v4, = torch.autograd.grad((v3 * v2).sum(), [v0], create_graph=True)\n"
    check_alike((IMAGE + f"v3 = {NORMS[norm]}\n{CHANGE}{first}(v4 * v2).sum().backward()").splitlines())


WITH_WEIGHT = {name: norm.replace("v1, v1", "v1, v4") for name, norm in NORMS.items() if "v1" in norm}


@pytest.mark.parametrize("norm", WITH_WEIGHT)
@pytest.mark.parametrize("inputs", ["v0", "v1", "v0, v1", "v0, v1, v4", "v4", "v0, v4"])
def test_how_often_second_derivatives_are_written(norm, inputs):
    places = range(len(inputs.split(", ")))
    lines = [*IMAGE.splitlines(), "v4 = torch.ones(4, requires_grad=True)", f"v3 = {WITH_WEIGHT[norm]}"]
    first = f"torch.autograd.grad((v3 * v2).sum(), [{inputs}], create_graph=True, allow_unused=True)"
    loss = " + ".join(f"(g[{place}] * g[{place}]).sum()" for place in places)
    check_alike([*lines, f"g = {first}", f"({loss}).backward()"])


@pytest.mark.parametrize("norm", sorted(NORMS.keys() - {"batch by what was seen"}))
def test_to_a_third_derivative_these_are_numbers(norm):
    twice = "".join(f"v{n}, = torch.autograd.grad((v{n - 1} * v2).sum(), [v0], create_graph=True)\n" for n in (4, 5))
    found = []
    for module in (ours, theirs):
        names = {"torch": module}
        exec(IMAGE + f"v3 = {NORMS[norm]}\n{twice}(v5 * v2).sum().backward()", names)
        module.set_default_dtype(module.float32)
        found.append(np.array(names["v0"].grad.tolist()))
    assert np.allclose(*found, 1e-9, 1e-9)


def test_a_probability_that_became_0():
    for number in ("0.0", "1.0", "-0.5"):
        check_alike(
            [
                "v0 = torch.tensor([0.25, 0.5], dtype=torch.float64, requires_grad=True)",
                "v1 = torch.nn.functional.binary_cross_entropy(v0, torch.tensor([0.5, 1.0], dtype=torch.float64))",
                f"v0.data.fill_({number})",
                "v1.backward()",
            ]
        )


@pytest.mark.parametrize("options", ["", "create_graph=True"])
@pytest.mark.parametrize("shape", ["2", "5", "0", "3, 3", "1, 3", ""])
@pytest.mark.parametrize("call", ["v0 * v0", "v0.exp() / v0", "v1 / v0", "torch.maximum(v0, v1)", "v0 * 2"])
def test_data_of_another_shape(call, shape, options):
    lines = ["v0 = torch.ones(3, requires_grad=True)", "v1 = torch.ones(2, 1)"]
    check_alike([*lines, f"v3 = {call}", f"v0.data = torch.ones(({shape}))", f"v3.sum().backward({options})"])


@pytest.mark.parametrize("shape", ["2", "3, 3", "1, 3", "2, 5", ""])
def test_a_matrix_of_another_shape(shape):
    lines = ["v0 = torch.ones(2, 3, requires_grad=True)", "v1 = torch.ones(3, requires_grad=True)", "v2 = v0 @ v1"]
    check_alike([*lines, f"v0.data = torch.ones(({shape}))", "v2.sum().backward()"])


def test_what_numpy_refuses_in_a_hook_stays_what_it_is():
    x = ours.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: ours.from_numpy(np.ones(3) + np.ones(2)))
    with pytest.raises(ValueError, match="operands could not be broadcast"):
        y.sum().backward()


@pytest.mark.parametrize("other", [(3,), (1, 3), (1, 1, 3)])
@pytest.mark.parametrize("shape", [(1, 3), (2, 3), (3,), (1, 1, 3), (2, 1)])
def test_a_grad_of_a_leaf_that_has_another_shape_by_now(shape, other):
    check_alike(
        [
            f"v0 = torch.ones({shape}, requires_grad=True)",
            "v0.sum().backward()",
            f"v1 = torch.eq(torch.ones({other}), 0.5, out=v0)",
            "v0.sum().backward()",
        ]
    )


@pytest.mark.parametrize("shape", ["2, 3", "2, 1", "1, 3", "2, 2, 2"])
@pytest.mark.parametrize("turned", ["", ".transpose(0, 1)"])
def test_no_warning_of_a_grad_that_lies_as_the_leaf_did(turned, shape):
    check_alike(
        [
            f"v0 = torch.ones({shape}){turned}.requires_grad_()",
            "v0.square().sum().backward()",
            "with torch.no_grad(): torch.add(torch.tensor(1.0), 1, out=v0)",
            "v0.square().backward()",
            "v1 = v0.grad",
        ]
    )
