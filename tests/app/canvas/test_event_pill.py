"""Inside a backward the canvas says what has just happened, at the card where it happened."""

from __future__ import annotations

import pytest
from support.desk import choose, lines, settle

from chalkgrad.session.events import EventKind
from chalkgrad_app.picture.card import face

TWICE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
a.retain_grad()
y.backward(retain_graph=True)
y.backward()
g, = torch.autograd.grad(a * w, w)
"""


@pytest.fixture
def opened(window, open_text):
    open_text(TWICE)
    return window


def said_at(window, kind, number=0):
    """What is said after an event, and at which name's card."""
    document = window.document
    at = [index + 1 for index, event in enumerate(document.session.trace.events) if event.kind is kind]
    document.look_at(at[number])
    settle(window)
    said = window.canvas.event_pill.said()
    return None if said is None else (document.program[said.card].name, said.text)


def pixels(window):
    return window.canvas.grab().toImage()


def test_the_first_gradient_is_written_and_later_ones_are_added(opened):
    assert said_at(opened, EventKind.ACCUMULATED, 0) == ("w", "grad = [5.]")
    assert opened.canvas.gradient_pills.lit == opened.document.program.named("w").statement
    assert said_at(opened, EventKind.ACCUMULATED, 1) == ("w", "grad += [5.]")


def test_retain_grad_catches_with_its_pin(opened):
    assert said_at(opened, EventKind.RETAINED, 0) == ("a", "grad = [2.]")
    assert opened.canvas.event_pill.said().pinned
    assert said_at(opened, EventKind.RETAINED, 1) == ("a", "grad += [2.]")


def test_paths_that_join(opened):
    assert said_at(opened, EventKind.SUMMED) == ("w", "+ [2.] = [5.]")


def test_saved_values_are_freed_at_their_own_event(opened):
    assert said_at(opened, EventKind.FREED) == ("y", "frees other, self")
    assert opened.canvas.event_pill.said().frees
    y = opened.document.program.named("y").statement
    assert opened.document.state.tensor(y).saved == "freed"
    opened.document.step_event(-1)
    assert opened.document.state.tensor(y).saved == "kept"


def test_what_autograd_grad_takes(opened):
    name, text = said_at(opened, EventKind.CAPTURED)
    assert (name, text) == ("w", "autograd.grad: [4.]")


def test_it_is_painted_under_the_card_and_gone_afterwards(opened):
    document = opened.document
    opened.canvas.fit_all()
    settle(opened)
    said_at(opened, EventKind.ACCUMULATED, 0)
    rect = opened.canvas.view_rect_of(document.program.named("w").statement)
    place = (rect.center().x(), rect.bottom() + 20)
    pill = pixels(opened).pixelColor(*place)
    document.back_to_now()
    settle(opened)
    assert opened.canvas.event_pill.said() is None
    assert pixels(opened).pixelColor(*place) != pill


def test_covered_gradients_stay_covered(opened):
    opened.document.cover(True)
    assert said_at(opened, EventKind.ACCUMULATED, 0) == ("w", "grad = ?")
    assert said_at(opened, EventKind.SUMMED) == ("w", "+ ? = ?")


HOOKED = """import torch
w = torch.tensor([1.], requires_grad=True)
a = w * 3
a.register_hook(lambda g: g * 2)
a.register_hook(print)
a.backward()
"""


def test_a_hook_fires_at_its_card_which_bears_its_mark(window, open_text):
    document = open_text(HOOKED)
    assert said_at(window, EventKind.HOOK_RAN) == ("a", "λ [1.] → [2.]")
    a = document.program.named("a").statement
    assert face(document.program, document.state, a).rows[0].grad.hooks == 2
    document.look_at_line(document.program.order[2])
    settle(window)
    assert face(document.program, document.state, a).rows[0].grad.hooks == 1
    document.look_at_line(a)
    settle(window)
    assert face(document.program, document.state, a).rows[0].grad.hooks == 0
    document.back_to_now()
    assert "tensor([2.])" in window.docks.output.text()


def test_the_mark_is_painted(window, open_text):
    document = open_text(HOOKED)
    a = document.program.named("a").statement
    window.canvas.fit_all()
    settle(window)
    document.look_at_line(a)
    settle(window)
    without = pixels(window).copy(window.canvas.view_rect_of(a))
    document.look_at_line(document.program.order[2])
    settle(window)
    assert pixels(window).copy(window.canvas.view_rect_of(a)) != without


def test_a_hook_by_the_menu(window, open_text):
    open_text(HOOKED.replace("a.register_hook(lambda g: g * 2)\n", ""))
    window.document.look_at_line(window.document.program.named("a").statement)
    window.document.select([window.document.program.named("w").statement])
    settle(window)
    choose(window, "steps", "otherLines", "registerHook")
    settle(window)
    assert "h = w.register_hook(print)" in lines(window)
    window.document.back_to_now()
    assert window.docks.output.text() == "tensor([1.])\ntensor([3.])"
    window.document.undo_stack.undo()
    settle(window)
    assert "h = w.register_hook(print)" not in lines(window)
