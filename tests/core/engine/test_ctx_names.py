"""What a learner may call the attributes of ``ctx``: whatever they like, but for a few names."""

from __future__ import annotations

import pytest

from chalkgrad import torch
from chalkgrad.engine.custom import _ENGINE

OWN = frozenset(
    {"accumulates", "constant_names", "cxx_name", "edges", "expects", "many", "mark", "ports", "rare", "record"}
    | {"release", "run", "run_recorded", "saved_names", "seq"}
)
"""Names that the engine reads of every node, which PyTorch's have not: they are no learner's yet. Add none."""
FREE = (
    *("alpha", "axis", "begin", "clears_saved", "constants", "count", "dim", "dtype", "input", "keep_saved", "keeps"),
    *("kept", "kept_outside", "leaves_a_node", "mask", "mode", "note_results", "runs_without", "saved", "scale"),
    *("shape", "short_name", "size", "state", "step", "unpacked", "weight", "writes", "x", "values", "saved_for_later"),
)


def keeping(names):
    """A Function that multiplies by 3, and keeps each of these names on its ctx until its backward."""

    class Keeping(torch.autograd.Function):
        found = ()

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            for place, name in enumerate(names):
                setattr(ctx, name, place)
            return x * 3

        @staticmethod
        def backward(ctx, g):
            Keeping.found = [getattr(ctx, name) for name in names]
            assert ctx.saved_tensors[0].shape == g.shape
            return g * 3

    return Keeping


@pytest.mark.parametrize("names", [*((name,) for name in FREE), FREE], ids=lambda names: names[0] + str(len(names)))
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_name_is_the_learners(names, create_graph):
    function, x = keeping(names), torch.tensor([1.0, 2.0], requires_grad=True)
    y = function.apply(x)
    assert [getattr(y.grad_fn, name) for name in names] == list(range(len(names)))
    assert y.grad_fn.saved_tensors[0] is x
    assert len(y.grad_fn._raw_saved_tensors) == 1
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=create_graph)
    assert g.tolist() == [3.0, 3.0]
    assert function.found == list(range(len(names)))
    x.requires_grad_(True)
    function.apply(x * 2).sum().backward(inputs=[x])
    assert x.grad.tolist() == [6.0, 6.0]


def test_the_engine_has_no_other_names():
    freed = {"constants", "dtype", "saved", "shape"}  # of a node, and of no ctx
    assert {name for name in _ENGINE if not name.startswith("_")} - freed == OWN
