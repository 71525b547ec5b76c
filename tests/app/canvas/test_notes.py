"""Notes and frames made, moved, resized and written in on the canvas."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from support.hands import ALT, CTRL, PLAIN

from chalkgrad.program import edits
from chalkgrad.program.board import Frame, Note
from chalkgrad_app.canvas.hit import GRIP_INSET, GRIP_LINES
from chalkgrad_app.style import theme

ESC = Qt.Key.Key_Escape


class TestFramesAndNotes:
    def test_a_frame_around_the_selection_takes_its_cards_along(self, course):
        course.document.select([1, 2])
        frame = course.canvas.placing.place_frame()
        course.canvas.grab()
        shape = course.document.board.frames[frame]
        grip = course.at_scene(shape.x + shape.width - 30, shape.y + 8)
        course.drag(grip, grip + QPoint(-80, 0))
        assert (course.place("w"), course.place("x")) == ((-80.0, 0.0), (-80.0, 160.0))
        assert course.place("a") == (256.0, 160.0)
        assert course.document.board.frames[frame].x == shape.x - 80
        assert course.document.undo_stack.count() == 2

    def test_a_double_click_edits_title_and_note(self, course):
        course.document.select([1])
        frame = course.canvas.placing.place_frame()
        shape = course.document.board.frames[frame]
        course.double_click(course.at_scene(shape.x + shape.width - 30, shape.y + 8))
        course.canvas.editor.line.clear()
        course.type("inputs")
        course.key(Qt.Key.Key_Return)
        assert course.document.board.frames[frame].title == "inputs"

    def test_notes_never_share_an_id_with_a_line(self, course):
        note = course.canvas.placing.place_note(QPointF(0, 400))
        card = course.canvas.place_operator("exp")
        assert note != card
        course.click(course.free(5, 5))
        course.document.select([note])
        course.key(Qt.Key.Key_Delete)
        assert card in course.document.program
        assert not course.document.board.notes


class TestNotes:
    @pytest.fixture
    def note(self, course):
        note = Note(50, (("", "look"),), 0.0, 320.0, 200.0, 80.0)
        course.document.do(edits.put_note(course.document.board, note), "note")
        course.document.undo_stack.clear()
        course.canvas.fit_all()
        course.canvas.zoom_100()
        course.canvas.grab()
        return note

    @pytest.mark.parametrize(("end", "keys"), [(ESC, PLAIN), (Qt.Key.Key_Return, CTRL)])
    def test_what_was_written_stays_however_one_leaves_it(self, course, note, end, keys):
        course.double_click(course.at_scene(100, 350))
        course.canvas.editor.lines.selectAll()
        course.type("a long thought")
        course.key(end, keys)
        assert not course.canvas.editor.isVisible()
        assert self.shown(course).texts[0][1] == "a long thought"
        course.document.undo_stack.undo()
        assert self.shown(course).texts == note.texts

    def shown(self, course, id_=50):
        return course.document.board.notes[id_]

    def test_the_corner_resizes_in_one_undo_step(self, course, note):
        corner = course.at_scene(195, 395)
        course.move(corner, PLAIN, Qt.MouseButton.NoButton)
        assert course.canvas.cursor().shape() == Qt.CursorShape.SizeFDiagCursor
        course.drag(corner, corner + QPoint(83, 38))
        assert (self.shown(course).width, self.shown(course).height) == (280.0, 120.0)
        assert course.undo_all() == 1
        assert self.shown(course) == note

    @pytest.mark.parametrize("zoom", [0.5, 0.75, 1.0, 1.5, 2.5])
    def test_all_of_the_grip_that_is_drawn_resizes(self, course, note, zoom):
        canvas = course.canvas
        canvas.set_zoom_percent(100 * zoom)
        canvas.viewport.center_on(QPointF(100, 360), canvas.size().toSizeF())
        canvas.repaint_still()
        rect = canvas.picture.rect_of(note.id)
        for size in GRIP_LINES:
            for part in (0.0, 0.5, 1.0):
                away = QPointF(GRIP_INSET + size * part, GRIP_INSET + size * (1 - part))
                at = canvas.to_view(rect.bottomRight() - away).toPoint()
                course.move(at, PLAIN, Qt.MouseButton.NoButton)
                assert canvas.cursor().shape() == Qt.CursorShape.SizeFDiagCursor, (size, part)
        inner = rect.bottomRight() - QPointF(GRIP_INSET + GRIP_LINES[-1] / 2, GRIP_INSET + GRIP_LINES[-1] / 2)
        start = canvas.to_view(inner).toPoint()
        course.drag(start, start + QPoint(round(80 * zoom), round(40 * zoom)))
        shown = self.shown(course)
        assert (shown.x, shown.y) == (note.x, note.y)
        assert shown.width > note.width

    def test_escape_leaves_the_size(self, course, note):
        corner = course.at_scene(195, 395)
        course.press(corner)
        course.move(corner + QPoint(60, 60))
        course.key(ESC)
        course.release(corner + QPoint(60, 60))
        assert self.shown(course) == note

    def test_no_note_gets_smaller_than_one_can_take_hold_of(self, course, note):
        corner = course.at_scene(195, 395)
        course.drag(corner, course.at_scene(10, 330))
        assert (self.shown(course).width, self.shown(course).height) == (96.0, 48.0)

    def test_alt_drag_copies_it(self, course, note):
        at = course.at_scene(60, 350)
        course.drag(at, at + QPoint(40, 80), ALT)
        (copy,) = course.document.selection
        assert copy != 50
        assert self.shown(course) == note
        assert (self.shown(course, copy).texts, self.shown(course, copy).x) == (note.texts, 40.0)
        assert course.undo_all() == 1

    def test_a_plain_frame_is_resized_too(self, course):
        frame = Frame(51, "part", -24.0, 320.0, 200.0, 120.0)
        course.document.do(edits.put_frame(course.document.board, frame), "frame")
        course.canvas.fit_all()
        course.canvas.zoom_100()
        corner = course.at_scene(171, 435)
        course.drag(corner, corner + QPoint(80, 40))
        assert (course.document.board.frames[51].width, course.document.board.frames[51].height) == (280.0, 160.0)


def test_a_note_that_grows_goes_where_it_covers_nothing_in_the_same_undo_step(course):
    course.canvas.add_note_at(course.canvas.to_view(course.rect("b").topLeft() - QPointF(0, 120)))
    lines = course.focused()
    lines.insertPlainText("# Chain rule\n\n" + "$$\\frac{\\partial y}{\\partial w}=\\sum_i a_i$$\n\n" * 4)
    course.key(ESC)
    QTest.qWait(50)
    (note,) = course.canvas.picture.notes
    rect = QRectF(note.x, note.y, note.width, note.height)
    assert rect.height() > 200
    assert not [name for name in "wxaby" if rect.intersects(course.rect(name))]
    assert course.document.undo_stack.count() == 1
    before = course.document.board.notes[note.id]
    course.document.undo_stack.undo()
    assert not course.document.board.notes
    course.document.undo_stack.redo()
    QTest.qWait(50)
    assert course.document.board.notes[note.id] == before
    course.document.undo_stack.undo()
    assert course.document.undo_stack.count() == 1


def begin_note(hands, view):
    hands.canvas.add_note_at(view)
    return hands.focused()


@pytest.mark.parametrize("share", [(0.02, 0.1), (0.97, 0.1), (0.5, 0.97), (0.5, 0.02)])
def test_the_preview_of_a_note_is_all_in_view_and_beside_its_field(course, share):
    canvas = course.canvas
    lines = begin_note(course, QPointF(share[0] * canvas.width(), share[1] * canvas.height()))
    lines.insertPlainText(
        "# Chain rule\n\n- a point of a list with $\\frac{a}{b}$ in it\n- another\n\n$$\\sum_i a_i$$\n"
    )
    course.canvas.grab()
    preview, field = canvas.note_preview.rect(), canvas.editor.geometry()
    assert canvas.rect().contains(preview)
    assert canvas.rect().contains(field)
    assert not preview.intersects(field)


def test_a_preview_too_high_for_the_canvas_shows_where_one_writes(course):
    lines = begin_note(course, QPointF(60, 60))
    lines.insertPlainText("first line\n\n" + "a line of the text\n\n" * 80 + "$$\\int_0^1 x\\,dx$$")
    course.canvas.grab()
    rect = course.canvas.note_preview.rect()
    assert course.canvas.rect().contains(rect)
    at_the_end = course.canvas.grab(rect).toImage()
    cursor = lines.textCursor()
    cursor.setPosition(0)
    lines.setTextCursor(cursor)
    assert course.canvas.grab(rect).toImage() != at_the_end


def test_a_note_that_is_written_is_not_seen_a_second_time_below_its_field(course):
    lines = begin_note(course, QPointF(60, 60))
    note = next(iter(course.board.notes))
    assert course.canvas.look().lifted == {note}
    assert course.canvas.editor.rect().contains(lines.geometry())
    lines.insertPlainText("words")
    course.key(ESC)
    assert course.canvas.look().lifted == frozenset()


def test_the_field_of_a_note_grows_with_its_lines(course):
    lines = begin_note(course, QPointF(60, 60))
    before = course.canvas.editor.height()
    for _ in range(9):
        course.type("word")
        course.key(Qt.Key.Key_Return)
    assert course.canvas.editor.height() > before
    assert not lines.verticalScrollBar().isVisible()


def test_enter_goes_on_with_a_list_and_ends_it(course):
    lines = begin_note(course, QPointF(60, 60))
    course.type("- one")
    course.key(Qt.Key.Key_Return)
    course.type("two")
    course.key(Qt.Key.Key_Return)
    course.key(Qt.Key.Key_Tab)
    course.type("inner")
    course.key(Qt.Key.Key_Return)
    course.key(Qt.Key.Key_Backtab)
    course.type("three")
    course.key(Qt.Key.Key_Return)
    course.key(Qt.Key.Key_Return)
    course.type("9. nine")
    course.key(Qt.Key.Key_Return)
    course.type("ten")
    assert lines.toPlainText() == "- one\n- two\n  - inner\n- three\n9. nine\n10. ten"


def test_ctrl_b_i_and_e_mark_words_and_take_the_marks_off(course):
    before = course.document.sheet.program
    lines = begin_note(course, QPointF(60, 60))
    course.type("grad")
    course.key(Qt.Key.Key_A, CTRL)
    course.key(Qt.Key.Key_B, CTRL)
    assert lines.toPlainText() == "**grad**"
    assert lines.textCursor().selectedText() == "grad"
    course.key(Qt.Key.Key_B, CTRL)
    assert lines.toPlainText() == "grad"
    course.key(Qt.Key.Key_E, CTRL)
    assert lines.toPlainText() == "`grad`"
    course.key(Qt.Key.Key_Z, CTRL)
    assert lines.toPlainText() == "grad"
    course.key(Qt.Key.Key_End)
    course.key(Qt.Key.Key_I, CTRL)
    course.type("x")
    assert lines.toPlainText() == "grad*x*"
    assert course.document.sheet.program == before, "no shortcut of the window was meant"


def test_field_and_preview_of_a_note_share_a_canvas_that_is_small_for_its_text(course, qapp):
    try:
        theme.apply(qapp, theme.load("contrast"), 200)
        course.canvas.window().resize(680, 420)
        QTest.qWait(20)
        lines = begin_note(course, QPointF(course.canvas.width() / 2, 100))
        lines.insertPlainText("# Chain rule\n\n- a point of a list that goes on and on\n- another\n\n$$\\sum_i a_i$$\n")
        course.canvas.grab()
        preview, field = course.canvas.note_preview.rect(), course.canvas.editor.geometry()
        assert course.canvas.rect().contains(preview)
        assert not preview.intersects(field)
        assert preview.width() > 0.3 * course.canvas.width()
        cursor = lines.cursorRect()
        assert lines.viewport().rect().contains(cursor.center())
    finally:
        theme.apply(qapp, theme.load("light"), 100)
