"""Operators of one or two tensors are called in a shorter way than others; nothing may tell which one was taken."""

from __future__ import annotations

import numpy as np
import pytest
from support.sampling import tensor_of

import chalkgrad.ops  # noqa: F401
from chalkgrad import torch
from chalkgrad.engine.gradients import fitted
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.shapes import sum_to


class Named(torch.Tensor):
    """A tensor of a class of its own, which takes the general way."""


SAMPLES = [
    pytest.param(record, args, kwargs, id=f"{record.name}-{number}")
    for record in OPS.values()
    for number, (args, kwargs) in enumerate(record.samples)
    if record.vjps and record.writes is None and not record.variadic and 1 <= len(record.inputs) <= 2
]


def called(record, args, kwargs, cls):
    """The result on leaves of the class ``cls``, which require grad where they can, and these leaves."""
    values = [tensor_of(torch, value, grad=True) for value in args]
    for value in values:
        if isinstance(value, torch.Tensor):
            value.__class__ = cls
    made = getattr(TENSORS, record.name)(*values, **kwargs)
    leaves = [value for value in values if isinstance(value, torch.Tensor) and value.requires_grad]
    return made[0] if isinstance(made, tuple | list) else made, leaves


def facts(made, leaves):
    """All there is to see of a result and of its gradients, but for the class of its inputs."""
    node = made.grad_fn
    saved = None
    if node is not None:
        names = [name for name in dir(node) if name.startswith("_saved_")]
        kept = {name: getattr(node, name) for name in names}
        saved = {name: value.tolist() if isinstance(value, torch.Tensor) else value for name, value in kept.items()}
    edges = None if node is None else [None if edge is None else edge.name() for edge, _ in node.next_functions]
    if node is not None and made.dtype.is_floating_point:
        made.sum().backward()
    gradients = [None if leaf.grad is None else (leaf.grad.tolist(), leaf.grad._version) for leaf in leaves]
    result = made.tolist(), made.dtype, made.stride(), made._version, made._is_view()
    return *result, type(node).__name__, edges, saved, gradients


@pytest.mark.parametrize(("record", "args", "kwargs"), SAMPLES)
def test_both_ways_give_the_same(record, args, kwargs):
    quick, general = (called(record, args, kwargs, cls) for cls in (torch.Tensor, Named))
    assert repr(facts(*quick)) == repr(facts(*general))  # repr, so that nan is nan


WRONG = {
    "sum_dim": (np.ones((2, 3)), {"dim": (2,)}),
    "view": (np.ones((2, 3)), {"size": (4,)}),
    "unsafe_view": (np.ones((2, 3)), {"shape": (-1, 4)}),
    "reshape_alias": (np.ones((2, 3)), {"shape": (-1, -1)}),
    "t": (np.ones((2, 3, 4)), {}),
    "expand": (np.ones((2, 3)), {"size": (2, 4)}),
    **{name: (np.ones((2, 3)), {"dim": (2,)}) for name in ("linalg_vector_norm", "amax", "amin")},
    "mm": ((np.ones((2, 3)), np.ones((2, 4))), {}),
    "addmm": ((np.ones(3), np.ones((2, 3)), np.ones((3, 4))), {}),
}
TAKE_ALL = {"sum_all", "mean_all"}


def test_all_that_check_shapes_are_tried():
    assert {record.name for record in OPS.values() if record.checks_shapes} == WRONG.keys() | TAKE_ALL


@pytest.mark.parametrize("name", sorted(WRONG))
def test_the_forward_refuses_what_the_shape_rule_refuses(name):
    record = OPS[name]
    given, attributes = WRONG[name]
    values = given if isinstance(given, tuple) else (given,)
    with pytest.raises((RuntimeError, IndexError)) as by_rule:
        record.shape(*[value.shape for value in values], **attributes)
    with pytest.raises(by_rule.type) as by_forward:
        record.forward(*values, **attributes)
    assert str(by_forward.value) == str(by_rule.value)


@pytest.mark.parametrize("shapes", [((2,), (2, 3)), ((2, 3), (3,)), ((2, 3, 1), (1, 3)), ((), ()), ((0, 2), (3, 0))])
@pytest.mark.parametrize("bias", [(), (2,), (4, 1), (3, 3), (1, 1, 1)])
def test_products_refuse_what_their_shape_rules_refuse(shapes, bias):
    for name, sizes in (("mm", shapes), ("addmm", (bias, *shapes)), ("addmm", (bias, (2, 3), (3, 4)))):
        by_rule = shape_or_refusal(OPS[name].shape, sizes)
        by_forward = shape_or_refusal(OPS[name].forward, [np.ones(size) for size in sizes])
        if name == "mm" or len(bias) <= 2:  # of more dimensions the forward speaks with the dtype
            assert by_forward == by_rule


def shape_or_refusal(call, values):
    """The shape that ``call`` comes to, or what it says against it."""
    try:
        found = call(*values)
    except RuntimeError as error:
        return str(error)
    return found.shape if isinstance(found, np.ndarray) else found


@pytest.mark.parametrize("turned", [False, True])
def test_a_large_product_is_that_of_its_parts(turned):
    left, right = np.arange(300.0 * 3).reshape(300, 3), np.arange(3 * 300.0).reshape(3, 300)
    if turned:
        left, right = right.T, left.T
    whole = OPS["mm"].forward(left, right)
    assert whole.flags.c_contiguous
    assert np.array_equal(whole[:10], OPS["mm"].forward(left[:10], right))


def test_nodes_of_each_operator_run_code_of_their_own():
    x = torch.ones(2, requires_grad=True)
    mul, add = type((x * x).grad_fn), type((x + x).grad_fn)
    assert mul.__init__.__code__ is not add.__init__.__code__
    assert mul.run.__code__ is not add.run.__code__
    assert mul.__init__.__code__ == add.__init__.__code__


@pytest.mark.parametrize("leaf", [(3,), (1,), (2, 3), (4, 2, 3), ()])
def test_the_gradient_of_what_was_broadcast_is_summed_up(leaf):
    g = np.arange(24.0).reshape(3, 2, 4).T
    have = g if len(leaf) > 1 or not leaf else g[:, :, : max(leaf)]
    found, expected = fitted(have, leaf, have.dtype, None, 0), sum_to(ARRAYS, have, leaf)
    assert found.shape == leaf
    assert np.array_equal(found, expected)
    assert found.strides == expected.strides
    assert (found.base is None) == (expected.base is None)  # a view counts as one of another gradient


def test_one_element_repeated_has_no_say_in_the_layout():
    repeated, plain = np.broadcast_to(np.ones(()), (3, 2)), np.ones((3, 2))
    turned = np.ones((2, 3)).T
    result = np.multiply(repeated, plain)
    assert ordered(result, (repeated, plain)) is result
    assert ordered(np.ones((3, 2)), (repeated, turned)).strides == turned.strides


def matrices(cls):
    """Tensors to be transposed, of each kind that autograd tells apart, all of the class ``cls``."""
    leaf = torch.arange(6.0).reshape(2, 3).requires_grad_()
    with torch.inference_mode():
        unrecorded = torch.ones(2, 3)
    with torch.no_grad():
        unknown = leaf[:1]
    found = {
        "leaf": leaf,
        "result": leaf * 2,
        "view": (leaf * 2)[:, 1:],
        "second of several": torch.stack([leaf, leaf]).unbind()[1],
        "no gradient": torch.ones(2, 3),
        "view without grad": unknown,
        "of inference mode": unrecorded,
        "whole numbers": torch.ones(2, 3, dtype=torch.int64),
    }
    for tensor in found.values():
        tensor.__class__ = cls
    return found


def transposed(tensor, mode):
    """What can be seen of the transposed ``tensor``, or how it is refused later."""
    with mode():
        made = tensor.t()
    node = made.grad_fn
    edges = None if node is None else [(edge.name(), port) for edge, port in node.next_functions]
    seen = made.tolist(), made.requires_grad, made.is_inference(), made._is_view(), edges, made.stride()
    base = None if made._base is None else made._base is (tensor if tensor._base is None else tensor._base)
    try:
        made.mul_(2)
    except RuntimeError as error:
        return *seen, base, str(error)
    return *seen, base, tensor._version, tensor.tolist(), made.grad_fn and made.grad_fn.name()


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("kind", matrices(torch.Tensor))
def test_what_is_transposed_is_the_same_view_either_way(kind, mode):
    quick, general = (transposed(matrices(cls)[kind], mode) for cls in (torch.Tensor, Named))
    assert quick == general
