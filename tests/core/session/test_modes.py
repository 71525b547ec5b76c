"""``with`` blocks of grad modes in programs: what is recorded inside them, and that they are read and written alike."""

import pytest

from chalkgrad.program.vocabulary import is_recording
from chalkgrad.session.session import Session
from chalkgrad.source import emit, read

PROGRAM = """import torch

w = torch.tensor([1.], requires_grad=True)
with torch.inference_mode():
    a = w * 2
    with torch.enable_grad():
        b = w * 3
c = w * 4
d = a * w
"""


def state_of(program):
    session = Session(program)
    session.finish()
    return session.trace.state()


def test_inference_mode_is_read_run_and_written():
    program = read.read_source(PROGRAM, "modes.py")
    assert emit.program_text(program).split() == PROGRAM.split()
    state = state_of(program)
    tensors = {program[id_].name: state.tensor(id_) for id_ in program.order}
    assert [name for name, tensor in tensors.items() if tensor is not None and tensor.requires_grad] == ["w", "c"]
    (problem,) = state.problems
    assert problem.message == (
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
        "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
    )


def test_the_process_is_left_as_it_was():
    from chalkgrad.engine.base import state

    session = Session(read.read_source(PROGRAM.partition("c =")[0], "modes.py"))
    session.finish()
    assert state.grad
    assert not state.inference


@pytest.mark.parametrize(
    ("modes", "recording"),
    [
        ((), True),
        (("no_grad",), False),
        (("no_grad", "enable_grad"), True),
        (("enable_grad", "no_grad"), False),
        (("inference_mode", "enable_grad"), False),
    ],
)
def test_the_innermost_mode_decides(modes, recording):
    assert is_recording(modes) is recording
