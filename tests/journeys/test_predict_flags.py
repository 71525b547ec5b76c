"""Somebody says first which tensors are leaves and require grad, and whether a backward fails."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton
from support.desk import choose, key, settle
from support.panels import click, id_of
from support.predicting import form_of, says, shown_gradient
from support.sheets import COURSE


def test_leaf_and_requires_grad_are_said_first(opened):
    window = opened()
    document = window.document
    choose(window, "show", "predictFlags")
    a = id_of(document, "a")
    face = window.canvas.picture.face(a)
    assert face.asks
    assert not face.leaf
    assert face.foot is None
    assert face.rows[0].grad is None
    document.select([a])
    settle(window)
    assert "grad_fn  ?" in window.docks.inspector.text()
    assert "MulBackward0" not in window.docks.inspector.text()
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    form = form_of(window)
    is_leaf, requires_grad = (
        form.findChild(QComboBox, "guess.is_leaf"),
        form.findChild(QComboBox, "guess.requires_grad"),
    )
    QTest.keyClick(is_leaf, Qt.Key.Key_Down)
    QTest.keyClick(requires_grad, Qt.Key.Key_Down)
    click(form.findChild(QPushButton, "guess.check"))
    assert says(form, "feedback") == "≈ Nearly: is_leaf is the other way round."
    QTest.keyClick(is_leaf, Qt.Key.Key_Down)
    click(form.findChild(QPushButton, "guess.check"))
    assert says(form, "feedback") == "✓ Right."
    assert "AddBackward0" in says(form, "why")
    assert not window.canvas.picture.face(a).asks
    assert window.canvas.picture.face(id_of(document, "b")).asks
    choose(window, "show", "predictFlags")
    assert not window.canvas.picture.face(id_of(document, "b")).asks


def test_the_cover_in_a_header_is_clicked(opened):
    window = opened()
    choose(window, "show", "predictFlags")
    canvas = window.canvas
    corner = canvas.picture.rect(id_of(window.document, "b")).topRight()
    corner.setX(corner.x() - 20)
    corner.setY(corner.y() + 14)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.to_view(corner).toPoint())
    settle()
    assert says(form_of(window), "title") == "What kind of tensor is b?"
    key(window, Qt.Key.Key_Escape)
    assert canvas.asking.form is None
    assert canvas.picture.face(id_of(window.document, "b")).asks


def test_a_backward_asks_before_it_is_seen_to_fail(opened):
    window = opened()
    document = window.document
    choose(window, "show", "predictOutcomes")
    document.select([id_of(document, "y")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    settle(window)
    assert says(form_of(window), "title") == "Will line 7 fail?"
    assert document.is_past
    assert not document.state.problems
    which = form_of(window).findChild(QComboBox, "guess.which")
    which.setFocus()
    which.setCurrentIndex(which.findData("second_backward"))
    which.activated.emit(which.currentIndex())
    settle(window)
    assert says(form_of(window), "feedback") == "✓ Right, and with just that error."
    assert "Line 6 ran backward through it" in says(form_of(window), "why")
    assert not document.is_past
    assert document.state.problems
    assert window.score.text() == "Right at once: 1 of 1"


def test_a_wrong_guess_at_an_outcome_is_over(opened):
    window = opened(COURSE.removesuffix("y.backward()\n"))
    choose(window, "show", "predictOutcomes")
    window.document.select([id_of(window.document, "y")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    settle(window)
    click(form_of(window).findChild(QPushButton, "guess.fails"))
    assert says(form_of(window), "feedback") == "✗ No: it ran."
    assert shown_gradient(window, "w").value is not None
    window.document.undo_stack.undo()
    settle(window)
    assert shown_gradient(window, "w").value is None


def test_stepping_on_asks_too(opened):
    window = opened(COURSE + "y.backward()\n")
    document = window.document
    document.look_at_line(id_of(document, "y"))
    choose(window, "show", "predictOutcomes")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_PageDown)
    assert says(form_of(window), "title") == "Will line 6 fail?"
    click(form_of(window).findChild(QPushButton, "guess.runs"))
    assert says(form_of(window), "feedback") == "✓ Right: it ran."
    assert document.cursor_line == document.program.order[-2]
    key(window, Qt.Key.Key_Escape)
    key(window, Qt.Key.Key_PageDown)
    assert says(form_of(window), "title") == "Will line 7 fail?"


def test_a_clicker_shows_one_thing_after_another_in_a_lecture(opened):
    window = opened(COURSE + "print(1)\n")
    document = window.document
    document.look_at_line(document.program.order[-2])
    choose(window, "show", "predictGradients")
    window.presenting.lecture(True)
    settle(window)
    window.canvas.setFocus()
    hidden = [name for name in "wab y".replace(" ", "") if shown_gradient(window, name).covered]
    assert hidden == ["w", "a", "b", "y"]
    for left in (3, 2, 1, 0):
        key(window, Qt.Key.Key_PageDown)
        settle(window)
        assert sum(shown_gradient(window, name).covered for name in hidden) == left
    assert document.is_past
    key(window, Qt.Key.Key_PageDown)
    assert not document.is_past
    window.presenting.lecture(False)
