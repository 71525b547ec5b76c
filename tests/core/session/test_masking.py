"""A state in which leaf, requires_grad and what goes with them are hidden tells nothing of them anywhere."""

from chalkgrad.session import Session
from chalkgrad.session.masking import without_flags
from chalkgrad.session.state import Saved
from chalkgrad.source import read

TEXT = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w * x
a.retain_grad()
y = a.sum()
y.backward()
"""


def state():
    session = Session(read.read_source(TEXT))
    session.finish()
    return session.trace.state()


def told(tensor):
    return (
        tensor.is_leaf,
        tensor.requires_grad,
        tensor.retains_grad,
        tensor.grad_fn,
        tensor.grad,
        tensor.saved,
        tensor.saved_values,
        tensor.sum_of,
        tensor.node,
    )


def test_all_tensors_tell_the_same():
    bare = state()
    hidden = without_flags(bare, lambda _tensor: True)
    tensors = [tensor for at in hidden.statements.values() for tensor in at.outputs if tensor is not None]
    assert len(tensors) == 4
    assert len({told(tensor) for tensor in (*tensors, *hidden.names.values())}) == 1
    assert tensors[0].saved is Saved.NONE
    assert not any(tensor.has_flags for tensor in tensors)
    assert [tensor.short for tensor in tensors] == [bare.names[name].short for name in "wxay"]
    assert "grad_fn" not in hidden.names["a"].text


def test_what_is_shown_is_as_it_was_and_one_object_is_one_value():
    bare = state()
    number = bare.names["a"].number
    hidden = without_flags(bare, lambda tensor: tensor.number != number)
    assert hidden.names["a"] is bare.names["a"]
    assert hidden.names["w"] is hidden.object(bare.names["w"].number)
    assert list(hidden.names) == list(bare.names)
    assert len(hidden.statements) == len(bare.statements)
    assert hidden.object(number) is bare.names["a"]
