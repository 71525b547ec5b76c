"""Quick-add finds what menus put on the canvas: frames and blocks of all kinds, notes, and lines of the program."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from support.desk import settle
from support.hands import Hands

from chalkgrad.engine.record import OPS
from chalkgrad_app import i18n
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.canvas.acts import ACTS
from chalkgrad_app.style.icons import has_icon

ENTER, ESC = Qt.Key.Key_Return, Qt.Key.Key_Escape


def choose(hands, typed):
    hands.canvas.quick_add_at(QPointF(420, 300))
    hands.type(typed)
    hands.key(ENTER)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("loop", "for"),
        ("for", "for"),
        ("循环", "for"),
        ("frame", "frame"),
        ("group", "frame"),
        ("分组", "frame"),
        ("no_grad", "no_grad"),
        ("torch.no_grad", "no_grad"),
        ("no grad", "no_grad"),
        ("no-grad", "no_grad"),
        ("zero grad", "zero_grad"),
        ("enable_grad", "enable_grad"),
        ("inference_mode", "inference_mode"),
        ("note", "note"),
        ("comment", "note"),
        ("注释", "note"),
        ("backward", "backward"),
        ("反向传播", "backward"),
        ("autograd.grad", "grad"),
        ("retain_grad", "retain_grad"),
        ("optimizer", "optimizer"),
        ("step", "optimizer"),
        ("sgd", "optimizer"),
        ("优化器", "optimizer"),
        ("zero_grad", "zero_grad"),
        ("清零", "zero_grad"),
        ("register_hook", "register_hook"),
        ("requires_grad_", "requires_grad_"),
        ("detach_", "detach_"),
        ("print", "print"),
    ],
)
def test_it_is_found_by_the_words_of_code_and_of_both_languages(hands, typed, first):
    hands.canvas.quick_add_at(QPointF(400, 420))
    hands.type(typed)
    assert hands.offered()[0] == first


def test_rows_have_the_icon_and_the_words_of_the_menu_in_the_language_in_use(hands):
    for language, called in (("en", "Repeat in a loop"), ("zh_CN", "放进循环")):
        i18n.set_language(language)
        try:
            hands.canvas.quick_add_at(QPointF(400, 420))
            hands.type("loop")
            shown = hands.canvas.quick.rows.model().entries[0]
            assert (shown.label, shown.icon) == ("for", "run-again")
            assert shown.called == called == BY_ID["wrapLoop"].title()
        finally:
            i18n.set_language("en")


def test_no_operator_is_called_like_one_of_them_and_each_has_an_icon():
    assert not ACTS.keys() & OPS.keys()
    assert all(has_icon(act.icon) for act in ACTS.values())


def test_a_loop_is_put_around_what_is_selected(course):
    course.click(course.header("a"))
    choose(course, "loop")
    assert [block.is_loop for block in course.document.program.blocks.values()] == [True]


@pytest.mark.parametrize("mode", ["no_grad", "enable_grad", "inference_mode"])
def test_a_block_is_put_around_what_is_selected(course, mode):
    course.click(course.header("a"))
    choose(course, mode)
    assert [block.mode for block in course.document.program.blocks.values()] == [mode]


def test_lines_are_appended_as_by_the_menu(course):
    for typed, line in (
        ("backward", "y.backward()"),
        ("zero_grad", "w.grad = None"),
        ("grad", "torch.autograd.grad(y"),
    ):
        choose(course, typed)
        assert line in course.lines()[-1]
        assert course.canvas.hasFocus()


def test_the_title_of_a_frame_is_ready_to_be_typed(course):
    course.click(course.header("a"))
    choose(course, "frame")
    course.type("part")
    course.key(ENTER)
    assert [frame.title for frame in course.document.board.frames.values()] == ["part"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [("frame", "Select something first"), ("for", "Select a card first"), ("register_hook", "There are no cards yet")],
)
def test_what_it_takes_is_said(hands, typed, said):
    told = []
    hands.document.told.connect(told.append)
    choose(hands, typed)
    assert told == [said]
    assert hands.document.is_empty


def test_where_there_is_nothing_to_do_that_is_said(hands):
    told = []
    hands.document.told.connect(told.append)
    choose(hands, "backward")
    assert told
    assert hands.document.is_empty


def test_an_optimizer_opens_the_form_of_the_training_loop(course_window):
    hands = Hands(course_window.canvas)
    choose(hands, "optimizer")
    settle(course_window)
    assert hands.focused() is course_window.docks.training.form.loss
