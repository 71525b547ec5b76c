"""What a typed guess at a gradient is worth, and that hints never tell the result."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from chalkgrad.explain import why
from chalkgrad.explain.guessing import Verdict, hints, judge, judge_flags
from chalkgrad.explain.writing import together
from chalkgrad.session.session import Session
from chalkgrad.source import read
from chalkgrad.text import LANGUAGES, render

RIGHT, NEARLY, WRONG, UNREADABLE = Verdict.RIGHT, Verdict.NEARLY, Verdict.WRONG, Verdict.UNREADABLE


@pytest.mark.parametrize(
    "typed, truth, verdict, said",
    [
        ("[5.]", [5.0], RIGHT, "Right."),
        ("5", [5.0], RIGHT, "has the shape of its tensor, (1,)"),
        ("[5]", 5.0, RIGHT, "has the shape of its tensor, ()"),
        ("torch.tensor([5.])", [5.0], RIGHT, "Right."),
        ("tensor([5.])", [5.0], RIGHT, "Right."),
        ("［５］", [5.0], RIGHT, "Right."),
        ("2 * 3", [6.0], RIGHT, "Right"),
        ("[1 2; 3 4]", [[1.0, 2.0], [3.0, 4.0]], RIGHT, "Right."),
        ("3", [[3.0, 3.0], [3.0, 3.0]], RIGHT, "each of its 4 elements"),
        ("[1, 2]", [[1.0, 2.0], [1.0, 2.0]], RIGHT, "spread over its shape"),
        ("0.43", [0.4323], RIGHT, "Right"),
        ("0.4", [0.4323], NEARLY, "close"),
        ("5.1", [5.0], NEARLY, "close"),
        ("-5", [5.0], NEARLY, "sign"),
        ("[1, 3]", [1.0, 2.0], NEARLY, "1 of 2"),
        ("[3, 4]", [[3.0], [4.0]], NEARLY, "wrong shape"),
        ("[3, 4, 5]", [3.0, 4.0], WRONG, "you typed (3,)"),
        ("7", [5.0], WRONG, "not that"),
        ("None", [5.0], WRONG, "was kept"),
        ("none", None, RIGHT, "None"),
        ("无", None, RIGHT, "None"),
        ("0", None, NEARLY, "tells that from a gradient of 0"),
        ("3", None, WRONG, "not that"),
        ("nan", [np.nan], RIGHT, "Right"),
        ("inf", [np.inf], RIGHT, "Right"),
        ("", [1.0], UNREADABLE, "Type a number"),
        ("w", [1.0], UNREADABLE, "Type a number"),
        ("[1, [2]]", [1.0], UNREADABLE, "Type a number"),
        ("'5'", [5.0], UNREADABLE, "Type a number"),
    ],
)
def test_what_a_guess_is_worth(typed, truth, verdict, said):
    found = judge(typed, None if truth is None else np.array(truth, np.float32))
    assert found.verdict is verdict
    assert said in render(found.said, "en")
    assert render(found.said, LANGUAGES[1])


@given(arrays.arrays(np.float32, arrays.array_shapes(max_dims=3, max_side=3), elements=st.floats(-99, 99, width=32)))
def test_what_is_written_out_is_right_and_anything_else_is_not(truth):
    assert judge(str(truth.tolist()), truth).verdict is RIGHT
    assert judge(str((truth + 1 + abs(truth)).tolist()), truth).verdict is not RIGHT


def test_one_of_two_backwards_is_not_all():
    truth, last = np.array([5.0]), np.array([2.0])
    assert "last of 2 backwards" in render(judge("2", truth, [truth - last, last]).said, "en")


def test_flags():
    truth = {"is_leaf": True, "requires_grad": False}
    assert judge_flags(truth, truth).verdict is RIGHT
    assert judge_flags({"is_leaf": True, "requires_grad": True}, truth).verdict is NEARLY
    assert judge_flags({"is_leaf": False, "requires_grad": True}, truth).verdict is WRONG


PROGRAMS = {
    "two paths": (
        (
            "w = torch.tensor([1.], requires_grad=True)\nx = torch.tensor([2.])\na = w + x\nb = w + 1\ny = a * b\n"
            "y.backward()"
        ),
        "w",
        "5",
    ),
    "a matrix": (
        (
            "w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\nx = torch.tensor([7., 9.])\n"
            "y = (w @ x).sum()\ny.backward()"
        ),
        "w",
        "[[7., 9.], [7., 9.]]",
    ),
    "twice": (
        "w = torch.tensor([3.], requires_grad=True)\ny = w * w\ny.backward(retain_graph=True)\ny.backward()",
        "w",
        "12",
    ),
    "with weights": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w ** 2\ny.backward(torch.tensor([5., 7.]))",
        "w",
        "[10., 28.]",
    ),
}


def explained(text, name):
    program = read.read_source(f"import torch\n{text}\n", "guess.py")
    session = Session(program)
    session.finish()
    tensor = session.trace.state().names[name]
    return tensor, why(program, session.trace, tensor).finish()


@pytest.mark.parametrize("name", PROGRAMS)
def test_hints_lead_to_the_gradient_and_leave_it_out(name):
    text, target, answer = PROGRAMS[name]
    tensor, account = explained(text, target)
    assert judge(answer, tensor.grad.value).verdict is RIGHT
    found = hints(account)
    assert len(found) >= 3
    assert any(hint.trail.cards for hint in found)
    for hint in found:
        assert all(render(hint.said, language) for language in LANGUAGES)
        for row in hint.rows:
            assert together(row).plain.split("=")[-1].strip() != answer


def test_a_single_path_is_told_from_the_sum():
    tensor, account = explained(*PROGRAMS["two paths"][:2])
    assert "one of 2 paths" in render(judge("2", tensor.grad.value, (), account).said, "en")
