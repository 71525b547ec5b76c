"""Drops: cards from the palette, operators into wires, files, text."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from support.hands import CTRL, LEFT, process

from chalkgrad.program.statement import EMPTY, Ref
from chalkgrad_app.catalogue import MIME

ENTER, TAB, ESC = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape


def test_a_dropped_tensor_is_in_typing_mode(hands):
    hands.drop("tensor", QPoint(300, 200))
    assert hands.canvas.editor.is_open
    hands.type("inp")
    hands.key(TAB)
    hands.canvas.editor.line.clear()
    hands.type("2")
    hands.key(TAB)
    hands.key(Qt.Key.Key_Space)
    hands.key(ENTER)
    assert hands.lines() == ["inp = torch.tensor([2.], requires_grad=True)"]
    assert hands.document.undo_stack.count() == 1
    hands.document.undo_stack.undo()
    assert hands.document.is_empty
    hands.document.undo_stack.redo()
    assert hands.lines() == ["inp = torch.tensor([2.], requires_grad=True)"]


def test_escape_keeps_the_card_as_it_is(hands):
    hands.drop("tensor-grad", QPoint(300, 200))
    hands.key(ESC)
    assert hands.lines() == ["w = torch.tensor([1.], requires_grad=True)"]
    assert hands.document.selected_statements == (hands.id("w"),)


def test_the_card_lies_on_the_grid_with_its_header_under_the_pointer(hands):
    hands.drop("exp", QPoint(303, 207))
    rect = hands.canvas.node_rect("a")
    assert abs(rect.center().x() - 303) <= 5
    assert 0 <= 207 - rect.top() <= 24
    place = hands.document.board.place(hands.id("a"))
    assert (place.x % 8, place.y % 8) == (0, 0)


def test_an_operator_without_inputs_is_waiting_and_a_remark_in_the_code(hands):
    hands.drop("add", QPoint(300, 200))
    assert hands.document.program[hands.id("a")].operands == (EMPTY, EMPTY)
    assert hands.lines()[0].startswith("#")
    assert hands.document.state.statement(hands.id("a")).status == "waiting"


@pytest.mark.parametrize("off", [-6, 0, 6])
def test_dropped_on_a_straight_wire_it_is_level_with_it(course, off):
    """A little above it or below, too: the wire goes on straight through the new card."""
    start, end = course.port("w", "value"), course.port("b", 0)
    assert start.y() == end.y()
    course.drop("exp", (start + end) / 2 + QPoint(0, off))
    assert "c = torch.exp(w)" in course.lines()
    assert course.port("c", 0).y() == course.port("w", "value").y()


def test_dropped_on_a_wire_it_is_put_in(course):
    at = (course.port("b", "value") + course.port("y", 1)) / 2
    course.drop("exp", at)
    assert course.lines()[-2:] == ["c = torch.exp(b)", "y = torch.mul(a, c)"]
    assert course.document.undo_stack.count() == 1


@pytest.mark.parametrize("part", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("wire", range(5))
def test_dropped_on_any_wire_it_covers_no_card(course, wire, part):
    picture = course.canvas.picture
    ((x, y),) = picture.points_at(np.array([wire]), part).tolist()
    course.drop("exp", course.canvas.to_view(QPointF(x, y)).toPoint())
    assert len(course.document.program) == 6
    rects = [picture.rect(id_) for id_ in course.canvas.picture.ids]
    assert not [pair for pair in combinations(rects, 2) if pair[0].intersects(pair[1])]


@pytest.mark.parametrize("away", [-20, 0, 10, 30, 60, 90, 100, 110])
def test_an_operator_dropped_on_an_output_or_right_of_it_reads_that(course, away):
    course.drop("exp", course.port("y", "value") + QPoint(away, 0))
    assert course.lines()[-1].endswith("torch.exp(y)")
    assert course.rect("c").left() - course.rect("y").right() >= 24, "the wire is seen"


@pytest.mark.parametrize("away", [-100, -60, -20, 0, 20])
def test_what_is_dropped_on_an_open_port_or_left_of_it_is_read_there(hands, away):
    hands.drop("exp", QPoint(600, 300))
    hands.drop("sin", hands.port("a", 0) + QPoint(away, 0))
    assert hands.lines()[-1] == "# a = torch.exp(b)"
    assert not hands.rect("b").intersects(hands.rect("a"))


def test_the_outline_stands_where_the_card_that_is_joined_will_lie(course):
    data = QMimeData()
    data.setData(MIME, b"exp")
    at = course.port("y", "value") + QPoint(20, 0)
    moved = QDragEnterEvent(at, Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(course.canvas, moved)
    shown = course.canvas.drops._shown_corner()
    course.canvas.grab()
    course.drop("exp", at)
    corner = course.rect("c").topLeft()
    assert (shown - corner).manhattanLength() <= 8


def test_selected_cards_are_wired_in_program_order(course):
    course.document.select([2, 1])
    id_ = course.canvas.place_operator("mul")
    assert course.document.program[id_].operands == (Ref(1), Ref(2))
    assert course.document.selected_statements == (id_,)
    taken = [course.canvas.picture.rect(other) for other in course.canvas.picture.ids if other != id_]
    assert not any(course.canvas.picture.rect(id_).intersects(rect) for rect in taken)


def test_unknown_names_are_not_accepted(hands):
    data = QMimeData()
    data.setData("application/x-chalkgrad-operator", b"nonsense")
    assert not hands.drop_data(data, QPoint(300, 200))
    assert hands.document.is_empty


def test_files_are_handed_on(hands, tmp_path):
    got = []
    hands.canvas.file_dropped.connect(got.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.chalk")), QUrl.fromLocalFile(str(tmp_path / "b.png"))])
    assert hands.drop_data(data, QPoint(300, 200))
    assert got == [Path(tmp_path / "a.chalk")]
    pictures = QMimeData()
    pictures.setUrls([QUrl.fromLocalFile(str(tmp_path / "b.png"))])
    assert not hands.drop_data(pictures, QPoint(300, 200))


def test_dropped_text_is_read_as_pytorch(hands):
    data = QMimeData()
    data.setText("w = torch.tensor([1.], requires_grad=True)\ny = w * 3\n")
    assert hands.drop_data(data, QPoint(300, 200))
    assert hands.lines() == ["w = torch.tensor([1.], requires_grad=True)", "y = w * 3"]
    told = []
    hands.document.told.connect(told.append)
    bad = QMimeData()
    bad.setText("for i in range(3):\n    pass\n")
    hands.drop_data(bad, QPoint(300, 200))
    assert len(told) == 1
    assert len(hands.document.program) == 2


@pytest.mark.parametrize("name", ["tensor", "tensor-grad"])
@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_the_outline_of_a_dragged_tensor_is_as_large_as_its_card(hands, name, drawing):
    hands.document.draw_as(drawing)
    hands.canvas.zoom_100()
    process()
    at, data = QPoint(400, 200), QMimeData()
    ground = hands.canvas.grab().toImage()
    data.setData(MIME, name.encode())
    actions = Qt.DropAction.CopyAction
    QApplication.sendEvent(hands.canvas, QDragEnterEvent(at, actions, data, LEFT, CTRL))
    outlined = hands.canvas.grab().toImage()
    rows = [
        y for y in range(outlined.height()) if any(outlined.pixel(x, y) != ground.pixel(x, y) for x in range(360, 460))
    ]
    QApplication.sendEvent(hands.canvas, QDropEvent(QPointF(at), actions, data, LEFT, CTRL))
    hands.key(ESC)
    card = hands.canvas.picture.rect(hands.document.program.order[0])
    assert abs(rows[-1] - rows[0] - card.height()) <= 3
