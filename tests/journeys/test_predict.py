"""Somebody says first what is hidden: a gradient, flags, whether a backward fails; by keys, in a lecture, in time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from support.desk import calm, choose, key, settle
from support.panels import click, id_of
from support.predicting import form_of, says, shown_gradient
from support.sheets import COURSE

from chalkgrad_app import i18n
from chalkgrad_app.editors.guess import GuessForm


def grad_pill(window, name):
    """Where the gradient of a tensor stands on its card."""
    canvas, id_ = window.canvas, id_of(window.document, name)
    box = canvas.picture.anatomy(id_).rows[0].grad
    corner = canvas.picture.rect(id_).topLeft()
    corner.setX(corner.x() + box.left + 70)
    corner.setY(corner.y() + box.top + box.height / 2)
    return canvas.to_view(corner).toPoint()


def answer(text):
    QTest.keyClicks(QApplication.focusWidget(), text)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle()


def test_a_gradient_is_typed_on_its_card(opened):
    window = opened()
    choose(window, "show", "predictGradients")
    assert shown_gradient(window, "w").covered
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=grad_pill(window, "w"))
    settle()
    form = form_of(window)
    assert says(form, "title") == "What is w.grad?"
    pill = window.canvas.findChild(QWidget, "canvas.question.pill")
    assert pill.isAncestorOf(QApplication.focusWidget())
    assert pill.geometry().contains(grad_pill(window, "w"))
    assert not pill.geometry().intersects(window.canvas.findChild(QWidget, "canvas.question").geometry())
    answer("3")
    assert says(form, "feedback").startswith("≈ Nearly: that comes along one of 2 paths")
    assert shown_gradient(window, "w").covered
    type_again(form, "5")
    assert says(form, "feedback").startswith("✓ Right. A gradient has the shape of its tensor, (1,)")
    assert not shown_gradient(window, "w").covered
    assert not pill.isVisible()  # the gradient is seen there
    assert window.score.text() == "Right at once: 0 of 1"
    key(window, Qt.Key.Key_Return)
    assert window.canvas.asking.form is None
    assert window.canvas.hasFocus()


def type_again(form, text):
    form.answer.field.selectAll()
    answer(text)


def test_by_keys_alone_and_none_is_an_answer(opened):
    window = opened()
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "y")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    assert says(form_of(window), "title") == "What is y.grad?"
    answer("1")
    assert says(form_of(window), "feedback") == "✗ No, not that."
    type_again(form_of(window), "None")
    assert says(form_of(window), "feedback") == "✓ Right: None."
    assert "only leaves keep theirs" in says(form_of(window), "why")
    key(window, Qt.Key.Key_Escape)
    window.document.clear_selection()
    key(window, Qt.Key.Key_P)
    assert says(form_of(window), "title") == "What is w.grad?"
    key(window, Qt.Key.Key_Escape)
    assert shown_gradient(window, "w").covered


def test_the_newest_hint_is_seen_whole_and_the_answer_beside_it(opened):
    window = opened()
    window.resize(1000, 700)
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "w")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    form = form_of(window)
    pill = window.canvas.findChild(QWidget, "canvas.question.pill")
    assert form.answer.field.placeholderText() == "[1.] / None"
    hint = form.findChild(QPushButton, "guess.hint")
    while hint.isEnabled():
        click(hint)
        QTest.qWait(150)
    QTest.qWait(300)
    frame = window.canvas.findChild(QWidget, "canvas.question")
    newest = form.newest
    corner = newest.mapTo(frame, newest.rect().bottomLeft())
    assert frame.rect().contains(corner)
    assert not (pill.isVisible() and frame.geometry().intersects(pill.geometry()))
    assert not form.field.visibleRegion().isEmpty()


def test_hints_unfold_the_chain_rule_and_do_not_tell_the_result(opened):
    window = opened()
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "w")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    form, seen = form_of(window), []
    hint = form.findChild(QPushButton, "guess.hint")
    while hint.isEnabled():
        click(hint)
        for _ in range(100):
            if form.findChildren(QLabel, "guess.hintText")[len(seen) :]:
                break
            QTest.qWait(10)
        seen.append(form.findChildren(QLabel, "guess.hintText")[-1].text())
    formulas = [label.accessibleName() for label in form.findChildren(QLabel, "formula")]
    assert seen[0].startswith("2 paths lead back to w")
    assert formulas[:3] == ["y -> a -> w", "y -> b -> w", "dy/dw = dy/da * da/dw + dy/db * db/dw"]
    assert "dy/da = b" in formulas[3]
    assert "dy/da = 2" in formulas[4]
    assert not any("5" in formula for formula in formulas)
    assert window.document.pointed_out.cards
    click(form.findChild(QPushButton, "guess.show"))
    assert not shown_gradient(window, "w").covered
    assert window.score.text() == "Right at once: 0 of 1"
    key(window, Qt.Key.Key_Escape)
    assert not window.document.pointed_out.cards


def test_every_backward_covers_anew_and_the_past_is_remembered(opened):
    window = opened(COURSE.replace("backward()", "backward(retain_graph=True)") + "y.backward()\n")
    document = window.document
    choose(window, "show", "predictGradients")
    document.look_at_line(document.program.order[-2])
    settle(window)
    window.canvas.setFocus()
    document.select([id_of(document, "w")])
    key(window, Qt.Key.Key_P)
    answer("5.")
    key(window, Qt.Key.Key_Escape)
    assert not shown_gradient(window, "w").covered
    document.back_to_now()
    settle(window)
    assert shown_gradient(window, "w").covered
    key(window, Qt.Key.Key_P)
    answer("5")
    assert "last of 2 backwards" in says(form_of(window), "feedback")
    type_again(form_of(window), "10")
    assert not shown_gradient(window, "w").covered
    key(window, Qt.Key.Key_Escape)
    document.look_at_line(document.program.order[-2])
    settle(window)
    assert not shown_gradient(window, "w").covered
    document.look_at_line(id_of(document, "y"))
    settle(window)
    assert not shown_gradient(window, "w").covered, "before the first backward there is nothing to guess"


def test_in_the_inspector(opened):
    window = opened()
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "w")])
    settle(window)
    field = window.docks.inspector.findChild(GuessForm).answer.field
    field.setFocus()
    answer("[5.]")
    settle(window)
    assert window.docks.inspector.findChild(QLabel, "inspector.grad").text() == "tensor([5.])"
    assert window.score.text() == "Right at once: 1 of 1"


def test_what_was_printed_is_hidden_with_it(opened):
    window = opened(COURSE + "print(w.grad)\nprint(w)\n")
    choose(window, "show", "predictGradients")
    settle(window)
    assert window.docks.output.text() == "?\ntensor([1.], requires_grad=True)"
    window.document.select([id_of(window.document, "w")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    answer("5")
    settle(window)
    assert window.docks.output.text().startswith("tensor([5.])")


def test_the_band_does_not_tell_that_a_script_stops(opened):
    window = opened(COURSE + "y.backward()\n")
    window.document.undo_stack.undo()  # it stops at its error again
    settle(window)
    assert window.document.stopped_at() is not None
    window.document.look_at_line(id_of(window.document, "y"))
    choose(window, "show", "predictOutcomes")
    settle(window)
    assert window.document.stopped_at() is None


def test_a_question_closes_when_time_goes_on(opened):
    window = opened()
    choose(window, "show", "predictGradients")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    assert form_of(window).answer.field.hasFocus()
    window.document.look_at_line(id_of(window.document, "y"))
    settle(window)
    assert window.canvas.asking.form is None
    key(window, Qt.Key.Key_P)
    assert window.canvas.asking.form is None
    assert window.status_words.text() == "Nothing is hidden here"


def test_a_question_leaves_to_be_seen_what_its_answer_is_worked_out_from(opened):
    source = "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nx = torch.tensor([3., -1.])\na = w * x\n"
    window = opened(source + "b = a ** 2\ny = b.sum()\ny.backward()\ng, = torch.autograd.grad((w ** 3).sum(), w)\n")
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "w")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    form_of(window)
    frame = window.canvas.findChild(QWidget, "canvas.question").geometry()
    assert not [name for name in "wxaby" if frame.intersects(window.canvas.node_rect(name))]


def test_hints_do_not_grow_over_the_cards_whose_path_they_tell_of(opened):
    window = opened()
    window.resize(1600, 1000)
    settle(window)
    window.canvas.fit_all()
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "w")])
    window.canvas.setFocus()
    calm(window)
    key(window, Qt.Key.Key_P)
    form = form_of(window)
    frame = window.canvas.findChild(QWidget, "canvas.question")
    hint = form.findChild(QPushButton, "guess.hint")
    while hint.isEnabled():
        click(hint)
        QTest.qWait(150)
        over = {name: window.canvas.node_rect(name) for name in "wxaby"}
        assert not [name for name, rect in over.items() if frame.geometry().intersects(rect)], (frame.geometry(), over)


def test_a_question_is_dragged_away_and_stays_there(opened):
    window = opened()
    choose(window, "show", "predictGradients")
    window.document.select([id_of(window.document, "w")])
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    frame = window.canvas.findChild(QWidget, "canvas.question")
    title = form_of(window).findChild(QLabel, "guess.title")
    there = frame.pos() + QPoint(60, -40)
    QTest.mousePress(title, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    QTest.mouseMove(title, QPoint(4, 4) + (there - frame.pos()))
    QTest.mouseRelease(title, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert frame.pos() == there
    click(form_of(window).findChild(QPushButton, "guess.hint"))
    assert frame.pos().x() == there.x()
    key(window, Qt.Key.Key_Escape)
    key(window, Qt.Key.Key_P)
    assert frame.pos() != there, "the next question looks for its own place"


@pytest.mark.parametrize("by_key", [False, True])
def test_switched_on_at_the_end_it_offers_to_go_back_to_the_first_question(opened, by_key, qtbot):
    window = opened(COURSE + "y.backward()\n")
    band = window.area.asking_band
    assert not band.isVisible()
    choose(window, "show", "predictOutcomes")
    qtbot.waitUntil(band.isVisible)
    assert "Line 6" in band.words.text()
    window.canvas.setFocus()
    if by_key:
        key(window, Qt.Key.Key_P)
    else:
        click(band.ask)
    settle(window)
    assert says(form_of(window), "title") == "Will line 6 fail?"
    assert window.document.is_past
    assert not window.document.state.problems
    assert not band.isVisible()
    click(form_of(window).findChild(QPushButton, "guess.runs"))
    key(window, Qt.Key.Key_Escape)
    window.document.back_to_now()
    settle(window)
    assert "Line 7" in band.words.text()


def test_where_nothing_is_left_to_predict_that_is_said(opened):
    window = opened(COURSE.removesuffix("y.backward()\n"))
    choose(window, "show", "predictOutcomes")
    QTest.qWait(50)
    assert not window.area.asking_band.isVisible()
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    assert window.canvas.asking.form is None
    assert window.status_words.text() == "Nothing is hidden here"


def test_covering_alone_asks_nothing(opened):
    window = opened()
    window.canvas.setFocus()
    key(window, Qt.Key.Key_H)
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=grad_pill(window, "w"))
    settle(window)
    assert window.canvas.asking.form is None
    assert not shown_gradient(window, "w").covered
    assert window.score.isHidden()


def test_in_chinese(opened):
    window = opened()
    i18n.set_language("zh_CN")
    try:
        choose(window, "show", "predictGradients")
        window.document.select([id_of(window.document, "w")])
        window.canvas.setFocus()
        key(window, Qt.Key.Key_P)
        form = form_of(window)
        form.answer.field.setText("［５．］")
        key(window, Qt.Key.Key_Return)
        words = [label.text() for label in form.findChildren(QLabel) if label.text()]
        assert says(form, "feedback").startswith("✓ 答对了")
        assert all(any("\u4e00" <= letter <= "\u9fff" for letter in text) for text in words)
    finally:
        i18n.set_language("en")
