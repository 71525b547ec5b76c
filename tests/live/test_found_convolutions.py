"""Convolutions and attention that random search once found refused, or made of nothing, otherwise than by PyTorch."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("torch")

from support.live import check_alike

IMAGE, DOUBLE = "torch.ones(1, 1, 4, 4)", "torch.ones(1, 1, 4, 4, dtype=torch.float64)"
BATCH = "torch.ones(2, 1, 4, 4)"
VOLUME = "torch.ones(1, 1, 3, 3, 3)"
SAVED = ("stride", "padding", "dilation", "output_padding")
INFERENCE = "with torch.inference_mode(): v0 = torch.ones(1, 2, 4, 4)"

CALLS = {
    "no step between": f"conv2d({IMAGE}, torch.ones(1, 1, 2, 2), dilation=0)",
    "no step between, transposed": f"conv_transpose2d({IMAGE}, torch.ones(1, 1, 2, 2), dilation=0)",
    "no step between, in a batch": f"conv2d({BATCH}, torch.ones(1, 1, 2, 2), dilation=0)",
    "no step between, and too many channels": f"conv2d({IMAGE}, torch.ones(1, 3, 2, 2), dilation=0)",
    "a step back": f"conv2d({IMAGE}, torch.ones(1, 1, 2, 2), dilation=-1)",
    "a window of no size": f"conv2d({IMAGE}, torch.ones(1, 1, 2, 0))",
    "a window of no size on a line": "conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 0))",
    "a window of no size in a volume": f"conv3d({VOLUME}, torch.ones(1, 1, 2, 2, 0))",
    "a window of no size, spread": f"conv2d({IMAGE}, torch.ones(1, 1, 2, 0), dilation=2)",
    "a window of no size, transposed": f"conv_transpose2d({IMAGE}, torch.ones(1, 1, 2, 0))",
    "a window of no size in a volume, transposed": f"conv_transpose3d({VOLUME}, torch.ones(1, 1, 2, 2, 0))",
    "a window of no size in a batch": f"conv2d({BATCH}, torch.ones(1, 1, 2, 0))",
    "a window of no size in a frame": f"conv2d({IMAGE}, torch.ones(1, 1, 2, 0), padding='same')",
    "a window of no size in a frame of nothing": "conv2d(torch.ones(1, 0, 0), torch.ones(2, 3, 4, 0), padding='same')",
    "nothing comes out": "conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 0, 2, 2))",
    "nothing comes out in groups": (
        "conv_transpose2d(torch.ones(1, 2, 2, 2).double(), torch.ones(2, 0, 2, 2), groups=2)"
    ),
    "too little comes out": f"conv_transpose2d({IMAGE}, torch.ones(1, 1, 2, 2), padding=4)",
    "too little comes out of a line": "conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2), padding=4)",
    "too little comes out of a batch": f"conv_transpose2d({BATCH}, torch.ones(1, 1, 2, 2), padding=4)",
    "too much is added": f"conv_transpose2d({IMAGE}, torch.ones(1, 1, 2, 2), output_padding=2)",
    "too much is added to a line": "conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2), output_padding=1)",
    "too much is added to a volume": f"conv_transpose3d({VOLUME}, torch.ones(1, 1, 2, 2, 2), output_padding=2)",
    "as much is added as gaps are wide": (
        f"conv_transpose2d({IMAGE}, torch.ones(1, 1, 2, 2), dilation=3, output_padding=2)"
    ),
    "lines without elements": "conv_transpose1d(torch.ones(1, 1, 0), torch.ones(1, 1, 2))",
    "no weight for no batch": "conv_transpose2d(torch.ones(0, 1, 2, 2), torch.ones(1, 0, 2, 2))",
    "no batch and another dtype": "conv2d(torch.ones(0, 1, 4, 4), torch.ones(1, 1, 2, 2).double())",
    "no channels and another dtype": "conv2d(torch.ones(1, 0, 4, 4), torch.ones(3, 0, 2, 2).double())",
    "integers of no batch": "conv2d(torch.ones(0, 1, 4, 4).long(), torch.ones(1, 1, 2, 2))",
    "a weight of another dtype": f"conv2d({DOUBLE}, torch.ones(1, 1, 2, 2))",
    "a weight of another dtype in a batch": f"conv2d({BATCH}, torch.ones(1, 1, 2, 2).double())",
    "a weight of bools in a batch": f"conv2d({BATCH}, torch.ones(1, 1, 2, 2).bool())",
    "a bias of another dtype, transposed": (
        f"conv_transpose2d({DOUBLE}, torch.ones(1, 1, 2, 2).double(), torch.full((1,), 0.5))"
    ),
    "a bias of another dtype in a batch": f"conv_transpose2d({BATCH}, torch.ones(1, 1, 2, 2), torch.ones(1).double())",
    "a bias of another dtype in a volume": (
        f"conv_transpose3d({VOLUME}, torch.ones(1, 1, 2, 2, 2), torch.ones(1).double())"
    ),
    "a bias that integers can't be added": (
        f"conv_transpose2d({IMAGE}.long(), torch.ones(1, 1, 2, 2).long(), torch.ones(1))"
    ),
    "a bias of another dtype where the frame has a name": (
        f"conv2d({IMAGE}, torch.ones(1, 3, 2, 2), torch.ones(1).long(), padding='valid')"
    ),
    "a name of no frame, and an image of too few dimensions": (
        "conv2d(torch.ones(3, 1), torch.ones(1, 1, 2, 2), padding='x')"
    ),
    "steps of another number in a frame": (
        "conv1d(torch.ones(1, 4), torch.ones(3, 1, 1), stride=(2, 1), padding='same')"
    ),
    "settings for too many dimensions": "conv3d(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 2))",
    "a tuple of one for too many dimensions": "conv2d(torch.ones(1, 2, 3), torch.ones(1, 2, 3), dilation=(1,))",
}


@pytest.mark.parametrize("name", CALLS)
def test_convolutions(name):
    check_alike([f"v0 = torch.nn.functional.{CALLS[name]}"])


@pytest.mark.parametrize(
    "call",
    [
        "conv2d(v0, v1, groups=3)",
        "conv2d(v0, v1, stride=(1, 2, 3))",
        "conv3d(v0, v1)",
        "conv2d(v0, v1[0])",
        "conv_transpose2d(v0, v1, groups=0)",
    ],
)
def test_what_inference_made_is_refused_before_anything_else(call):
    check_alike([INFERENCE, "v1 = torch.ones(3, 2, 2, 2, requires_grad=True)", f"v2 = torch.nn.functional.{call}"])


@pytest.mark.parametrize(
    "settings", ["", "padding='valid'", "padding='same'", "stride=(2,)", "dilation=(1,), padding=(1,)"]
)
def test_settings_are_kept_as_they_were_given(settings):
    check_alike(
        [
            "v0 = torch.arange(50.0).reshape(1, 2, 5, 5).requires_grad_()",
            "v1 = torch.arange(54.0).reshape(3, 2, 3, 3).requires_grad_()",
            f"v2 = torch.nn.functional.conv2d(v0, v1, {settings})",
            f"note(*(getattr(v2.grad_fn, '_saved_' + name) for name in {SAVED}))",
            "v3, = torch.autograd.grad((v2 * v2).sum(), [v0], create_graph=True)",
            "(v3 * v3).sum().backward()",
        ]
    )


SHAPES = ("(0, 2)", "(2, 0)", "(2, 3)", "(1, 0, 2)", "(1, 2, 0)", "(1, 1, 0, 2)")


@pytest.mark.parametrize(("query", "key"), list(itertools.product(SHAPES, repeat=2)))
def test_attention_to_nothing(query, key):
    lines = [f"v0 = torch.ones({query}, requires_grad=True)", f"v1 = torch.ones({key}, requires_grad=True)"]
    attention = "torch.nn.functional.scaled_dot_product_attention"
    check_alike([*lines, f"v2 = {attention}(v0, v1, v1)", "v2.sum().backward()"])
    check_alike([*lines, f"with torch.no_grad(): v2 = {attention}(v0, v1, v1)"])
    check_alike([*lines, f"v2 = {attention}(v0, v0, v1, is_causal=True)"])


def test_attention_of_one_head_to_what_asks():
    check_alike(
        [
            "v0 = torch.ones(1, 1, 2, 3, requires_grad=True)",
            "v1 = torch.nn.functional.scaled_dot_product_attention(v0, v0, torch.ones(1, 1, 2, 3))",
            "v1.sum().backward()",
        ]
    )


def test_groups_of_heads_in_a_matrix():
    check_alike(
        [
            "v0 = torch.ones(2, 2)",
            "v1 = torch.nn.functional.scaled_dot_product_attention(v0, v0, v0, enable_gqa=True)",
        ]
    )


@pytest.mark.parametrize("number", ["float('nan')", "float('inf')", "-float('inf')"])
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_what_is_not_finite_stays_where_it_is(dims, number):
    sizes, reach = (3, 4, 3)[:dims], (2,) * dims
    lines = [f"v0 = torch.arange({2 * np.prod(sizes)}.0).reshape(1, 2, *{sizes})"]
    lines += [
        f"v1 = torch.arange({2 * np.prod(reach)}.0).reshape(2, 1, *{reach}) - 1",
        "v1[0, 0].view(-1)[-1] = " + number,
    ]
    lines += ["v0.requires_grad_()", "v1.requires_grad_()", f"v2 = torch.nn.functional.conv_transpose{dims}d(v0, v1)"]
    check_alike([*lines, "v2.nansum().backward()"])
    lines = [f"v0 = torch.arange({2 * np.prod(sizes)}.0).reshape(1, 2, *{sizes})", f"v0.view(-1)[0] = {number}"]
    lines += [f"v1 = torch.ones(3, 2, *{reach}, requires_grad=True)", f"v2 = torch.nn.functional.conv{dims}d(v0, v1)"]
    check_alike([*lines, "v2.view(-1)[1:].sum().backward()"])
