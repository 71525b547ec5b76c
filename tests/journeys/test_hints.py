"""Hints to a hidden gradient unfold under a question that stays, and what it is worked out from is seen beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from support.desk import calm, choose, key, settle
from support.panels import CTRL, click

from chalkgrad_app.widgets.formula_row import FormulaRow

CHAIN = """import torch
w = torch.tensor(0.5, requires_grad=True)
x = torch.tensor(2.0)
h1 = torch.tanh(w * x)
h2 = torch.tanh(w * h1)
h3 = torch.tanh(w * h2)
loss = (h3 - 1) ** 2
loss.backward()
"""
SMALL = 27
"""The zoom at which cards say their names and values alone, in per cent."""


@pytest.fixture
def asked(window):
    """Pastes the chain, covers gradients and asks for that of w: the question's form, at a size of the window.

    Everything is fitted, or seen so small (``percent``).
    """

    def make(size=(1600, 1000), percent=0):
        window.resize(*size)
        settle(window)
        QApplication.clipboard().setText(CHAIN)
        window.canvas.setFocus()
        key(window, Qt.Key.Key_V, CTRL)
        settle(window)
        key(window, Qt.Key.Key_Escape)
        choose(window, "show", "predictGradients")
        window.canvas.fit_all()
        if percent:
            window.canvas.set_zoom_percent(percent)
        settle(window)
        window.canvas.setFocus()
        key(window, Qt.Key.Key_P)
        settle(window)
        return window.canvas.asking.form

    return make


def button(form, name):
    return form.findChild(QPushButton, f"guess.{name}")


def unfolded(form, press):
    """Press for one hint after another while there is a further one, each time until it is set."""
    while button(form, "hint").isEnabled():
        press(button(form, "hint"))
        QTest.qWait(150)
        yield


def is_seen_whole(widget):
    return widget.visibleRegion().boundingRect() == widget.rect()


def turn_wheel(canvas, point):
    """Come nearer to a point by one notch."""
    at, everywhere = QPointF(point), canvas.mapToGlobal(QPointF(point))
    ctrl, none = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.NoButton
    begin = Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(canvas, QWheelEvent(at, everywhere, QPoint(), QPoint(0, 120), none, ctrl, begin, False))


def on(canvas, widget):
    return QRect(widget.mapTo(canvas, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800)])
def test_question_field_and_buttons_stay_while_hints_unfold(asked, size):
    form = asked(size)
    stay = [form.findChild(QLabel, "guess.title"), form.field, *(button(form, n) for n in ("check", "hint", "show"))]
    for _ in unfolded(form, click):
        assert all(is_seen_whole(widget) for widget in stay)
        begun = form.findChildren(QLabel, "guess.hintText")[-1]
        assert is_seen_whole(begun), "the newest hint is read from its beginning"
    assert len(form.findChildren(QLabel, "guess.hintText")) >= 4


def test_there_are_no_gaps_between_hints(asked):
    form = asked()
    for _ in unfolded(form, click):
        pass
    said = [*form.findChildren(QLabel, "guess.hintText"), *form.findChildren(FormulaRow)]
    assert all(label.height() <= label.heightForWidth(label.width()) + 2 for label in said)


def test_whoever_clicks_hint_types_on_and_enter_checks(asked, window):
    form = asked()
    QTest.keyClicks(QApplication.focusWidget(), "-1.3")
    for _ in unfolded(form, click):
        assert form.field.hasFocus()
    QTest.keyClicks(QApplication.focusWidget(), "91")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(window)
    assert form.findChild(QLabel, "guess.feedback").text().startswith("✓ Right")


def test_by_keys_the_last_hint_leads_back_to_the_field(asked, window):
    form = asked()
    while not button(form, "hint").hasFocus():
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    for _ in unfolded(form, lambda hint: QTest.keyClick(hint, Qt.Key.Key_Return)):
        assert (button(form, "hint") if button(form, "hint").isEnabled() else form.field).hasFocus()
    QTest.keyClicks(QApplication.focusWidget(), "7")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(window)
    assert not form.is_settled
    assert form.findChild(QLabel, "guess.feedback").text() == "✗ No, not that."


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800)])
def test_small_cards_keep_their_names_and_values_while_one_answers(asked, window, size):
    form = asked(size, percent=SMALL)
    canvas = window.canvas
    frame = canvas.findChild(QWidget, "canvas.question")
    cards = [canvas.view_rect_of(id_) for id_ in canvas.picture.ids]

    def hidden():
        over = (form.field, frame)
        return [rect for rect in cards if any(on(canvas, widget).intersects(rect) for widget in over)]

    assert not hidden()
    for _ in unfolded(form, click):
        assert not hidden()


def test_as_one_comes_near_the_field_goes_onto_its_card_with_what_was_typed(asked, window):
    form = asked(percent=SMALL)
    canvas, pill = window.canvas, window.canvas.findChild(QWidget, "canvas.question.pill")
    assert not pill.isVisible()
    QTest.keyClicks(QApplication.focusWidget(), "-1.")
    for _ in range(7):
        turn_wheel(canvas, canvas.node_rect("w").center())
    calm(window)
    assert pill.isVisible()
    assert pill.isAncestorOf(form.field)
    assert form.field.hasFocus()
    QTest.keyClicks(QApplication.focusWidget(), "391")
    assert form.field.text() == "-1.391"
    assert on(canvas, pill).intersects(canvas.node_rect("w"))
    window.canvas.set_zoom_percent(SMALL)
    settle(window)
    assert not pill.isVisible()
    assert form.field.hasFocus()
    assert is_seen_whole(form.field)
