"""New cards lie on nothing: placed one by one, typed as an expression, pasted, duplicated."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.hands import CTRL

from chalkgrad.program import edits
from chalkgrad.program.board import Note
from chalkgrad.source import emit
from chalkgrad_app.canvas.placing import NOTE_SIZE
from chalkgrad_app.catalogue import TENSOR


def overlapping(canvas):
    picture = canvas.picture
    rects = {id_: picture.rect(id_) for id_ in picture.ids}
    rects |= {note.id: picture.rect_of(note.id) for note in picture.notes}
    return [(one, other) for one, other in combinations(rects, 2) if rects[one].intersects(rects[other])]


def test_what_is_dropped_on_a_card_goes_beside_it_and_with_ctrl_onto_it(course):
    for name in ("exp", "matmul", TENSOR):
        course.drop(name, course.centre("a"))
        course.key(Qt.Key.Key_Escape)
        assert overlapping(course.canvas) == []
    course.drop("exp", course.centre("a"), CTRL)
    assert overlapping(course.canvas) == [(course.id("a"), course.document.program.order[-1])]


def test_pasted_and_duplicated_cards_lie_on_nothing(window, qtbot):
    def do(id_):
        action = window.actions_by_id[id_]
        qtbot.waitUntil(action.isEnabled)
        action.trigger()

    canvas, document = window.canvas, window.document
    canvas.build_expression("y = (x + w) * (w + 1)")
    document.do(edits.put_note(document.board, Note(900, (("", "here"),), 0.0, -600.0)), "note")
    document.select_all()
    do("copy")
    for _ in range(9):
        do("paste")
    document.select([document.program.order[0]])
    for _ in range(5):
        do("duplicate")
    assert len(canvas.picture.ids) >= 50
    assert overlapping(canvas) == []


def test_an_expression_goes_right_of_what_it_reads(window):
    canvas = window.canvas
    canvas.build_expression("a = x + w")
    (last,) = canvas.placing.place_expression("b = a * 2", QPointF(-3000.0, -3000.0))[-1:]
    picture = canvas.picture
    source = picture.rect(picture.program.named("a").statement)
    assert source.right() < picture.rect(last).left() < source.right() + 400
    assert overlapping(canvas) == []


def test_operators_placed_one_after_the_other_lie_on_nothing(window):
    canvas = window.canvas
    canvas.build_expression("a = x + w")
    chosen = window.document.selection
    for _ in range(12):
        window.document.select(chosen)
        canvas.place_operator("exp")
    assert overlapping(canvas) == []


def test_a_note_that_grows_while_it_is_typed_covers_no_card_and_no_title(window):
    canvas, document = window.canvas, window.document
    canvas.build_expression("y = (x + w) * (w + 1)")
    document.select_all()
    frame = canvas.placing.place_frame()
    canvas.add_note()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QApplication.clipboard().setText("# Chain rule\n\n$$\\frac{\\partial y}{\\partial w}$$\n\nand so on")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    (note,) = canvas.picture.notes
    assert note.height > NOTE_SIZE[1]
    assert overlapping(canvas) == []
    title = QRectF(canvas.picture.rect_of(frame).topLeft(), QSizeF(canvas.picture.rect_of(frame).width(), 24))
    assert not title.intersects(canvas.picture.rect_of(note.id))


def test_what_is_pasted_is_seen(window):
    canvas = window.canvas
    canvas.build_expression("y = (x + w) * (w + 1)")
    QApplication.clipboard().setText("q = torch.randn(3, requires_grad=True)\nr = q.sum()")
    window.actions_by_id["paste"].trigger()
    for name in ("q", "r"):
        assert canvas.rect().contains(canvas.node_rect(name))


def test_a_pasted_table_is_a_leaf(window):
    QApplication.clipboard().setText("1\t2\n3\t4")
    window.actions_by_id["paste"].trigger()
    program = window.document.program
    assert [emit.line(program, id_) for id_ in program.order] == ["x = torch.tensor([[1., 2.], [3., 4.]])"]
