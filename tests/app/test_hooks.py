"""Hooks as a person sets and removes them: from the menus, on the card, in the program, with one undo each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from support.desk import choose, key, settle
from support.hands import Hands

from chalkgrad.source.emit import line

CTRL = Qt.KeyboardModifier.ControlModifier
SOURCE = """import torch
w = torch.tensor([1.], requires_grad=True)
a = w * 3
y = a * a
"""


@pytest.fixture
def hooked(window, tmp_path):
    """A window in which ``a`` is selected."""
    path = tmp_path / "hooked.py"
    path.write_text(SOURCE, encoding="utf-8")
    window.filing.load(path)
    settle(window)
    window.canvas.fit_all()
    Hands(window.canvas).click(Hands(window.canvas).header("a"))
    settle(window)
    return window


def lines(window):
    return [line(window.document.program, id_) for id_ in window.document.program.order]


def face(window):
    canvas = window.canvas
    return canvas.picture.face(Hands(canvas).id("a")).rows[0].grad


def test_a_hook_is_set_with_a_handle_and_removed_by_it(hooked):
    assert not hooked.findChild(QAction, "action.removeHook").isEnabled()
    choose(hooked, "steps", "otherLines", "registerHook")
    settle(hooked)
    assert lines(hooked)[-1] == "h = a.register_hook(print)"
    assert face(hooked).hooks == 1
    choose(hooked, "steps", "otherLines", "removeHook")
    settle(hooked)
    assert lines(hooked)[-1] == "h.remove()"
    assert face(hooked).hooks == 0
    assert not hooked.findChild(QAction, "action.removeHook").isEnabled()
    hooked.canvas.setFocus()
    key(hooked, Qt.Key.Key_Z, CTRL)
    settle(hooked)
    assert face(hooked).hooks == 1


def test_a_hook_without_a_name_gets_one_in_the_same_step(hooked, tmp_path):
    path = tmp_path / "nameless.py"
    path.write_text(SOURCE + "a.register_hook(lambda g: g * 2)\n", encoding="utf-8")
    hooked.filing.load(path)
    settle(hooked)
    hooked.canvas.fit_all()
    Hands(hooked.canvas).click(Hands(hooked.canvas).header("a"))
    settle(hooked)
    choose(hooked, "steps", "otherLines", "removeHook")
    settle(hooked)
    assert lines(hooked)[-2:] == ["h = a.register_hook(lambda g: g * 2)", "h.remove()"]
    hooked.canvas.setFocus()
    key(hooked, Qt.Key.Key_Z, CTRL)
    settle(hooked)
    assert lines(hooked)[-1] == "a.register_hook(lambda g: g * 2)"


def test_deleting_the_line_of_a_hook_takes_its_removal_along(hooked):
    choose(hooked, "steps", "otherLines", "registerHook")
    choose(hooked, "steps", "otherLines", "removeHook")
    settle(hooked)
    document = hooked.document
    document.delete([document.program.order[-2]])
    settle(hooked)
    assert len(lines(hooked)) == 3
