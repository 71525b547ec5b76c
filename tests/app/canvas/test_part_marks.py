"""The cards in a conflict of versions have words beside them, which hide no other card's name or value."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from support.desk import SHIFT, key, settle

from chalkgrad_app.canvas.clearance import Written, said_beside, written
from chalkgrad_app.picture.anatomy import FOOT, Box
from chalkgrad_app.picture.autograd_shape import operator_box
from chalkgrad_app.pointing import PointedOut

CONFLICT = """import torch
w = torch.tensor([2.], requires_grad=True)
x = torch.tensor([3.])
a = w * x
b = (a * w) * (a * x) + a * a
c = b.exp()
a.add_(1)
c.backward()
"""
ROOM_OF_A_LETTER = 90.0


def test_words_of_parts_hide_no_name_and_no_value(window, open_text):
    document = open_text(CONFLICT)
    document.select([document.program.named("a").statement])
    key(window, Qt.Key.Key_V, SHIFT)
    settle(window)
    canvas = window.canvas
    canvas.fit_all()
    canvas.grab()
    placed = canvas.part_marks.placed
    assert len(placed) == 2  # saver and reader are one card
    boxes = np.array([(rect.left(), rect.top(), rect.right(), rect.bottom()) for rect in placed])
    texts = written(canvas)
    whole = texts.weights == 1.0
    assert (Written(texts.boxes[whole], texts.weights[whole]).hidden_by(boxes) < ROOM_OF_A_LETTER).all()
    assert all(canvas.rect().contains(rect.toAlignedRect()) for rect in placed)


OPERATORS_BELOW = """import torch
w = torch.tensor([1., 2.], requires_grad=True)
v = w * 2
r = v[0:1]
s = v * v
r.mul_(3)
s.sum().backward()
q = w.detach()
q.backward()
with torch.no_grad():
    z = w * 2
z.sum().backward()
u = w.exp()
u.backward()
m = u.sum()
m.backward()
m.backward()
"""


def test_words_of_parts_hide_no_operator_of_the_autograd_drawing(qtbot, window, open_text):
    window.resize(1600, 1000)
    document = open_text(OPERATORS_BELOW)
    canvas = window.canvas
    key(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: document.drawing == "autograd" and not canvas.redrawing.is_active)
    document.select([document.program.named("v").statement])
    key(window, Qt.Key.Key_V, SHIFT)
    canvas.setFocus()
    key(canvas, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    picture = canvas.picture
    boxes = {id_: operator_box(picture.anatomy(id_)) for id_ in picture.ids}
    operators = [
        canvas.viewport.rect_to_view(QRectF(*box).translated(picture.rect(id_).topLeft()))
        for id_, box in boxes.items()
        if box is not None
    ]
    canvas.grab()
    assert len(canvas.part_marks.placed) == 2
    assert not [rect for rect in canvas.part_marks.placed if any(rect.intersects(operator) for operator in operators)]


SAVED_TWICE = """import torch
p = torch.tensor([2.], requires_grad=True)
q = p * 3
q.add_(0)
r = (q * q).sum()
q.add_(1)
r.backward()
"""


def test_lines_and_words_hide_no_error_no_number_and_no_foot(window, open_text):
    window.resize(1600, 1000)
    document = open_text(SAVED_TWICE)
    canvas, picture = window.canvas, window.canvas.picture
    document.select([document.program.named("q").statement])
    key(window, Qt.Key.Key_V, SHIFT)
    settle(window)
    canvas.zoom_100()
    canvas.ensure_visible(picture.ids)
    settle(window)
    parts = document.pointed_out
    document.point_out(PointedOut())
    settle(window)
    before = canvas.grab().toImage()
    document.point_out(parts)
    settle(window)
    after = canvas.grab().toImage()
    assert before != after
    said = []
    for row, id_ in enumerate(picture.ids):
        corner, shape = picture.rect(id_).topLeft(), picture.anatomy(id_)
        boxes = [*said_beside(picture, row), Box(4.0, shape.foot, shape.width - 8.0, FOOT)]
        said += [canvas.viewport.rect_to_view(QRectF(*box).translated(corner)).toRect() for box in boxes]
    assert len(said) > len(picture.ids)
    assert [rect for rect in said if before.copy(rect) != after.copy(rect)] == []


def test_what_saved_and_what_reads_are_one_card_with_one_label(window, open_text):
    document = open_text(SAVED_TWICE)
    document.select([document.program.named("q").statement])
    key(window, Qt.Key.Key_V, SHIFT)
    settle(window)
    lines = document.program.lines
    parts = document.pointed_out.parts
    assert [(played.words, lines[played.card]) for played in parts] == [
        ("Saver: v1", 4),
        ("Writer: v2", 5),
        ("Reader: v1 ≠ v2", 4),
    ]
    said = [label.text() for label in window.docks.versions.findChildren(QLabel)]
    assert "Reader: MulBackward0 needs v1, finds v2" in said
    window.canvas.grab()
    assert len(window.canvas.part_marks.placed) == 2


def test_the_error_below_a_card_is_the_cards_and_is_whole_in_its_tooltip(window, open_text):
    document, canvas = open_text(CONFLICT), window.canvas
    canvas.set_zoom_percent(100)
    root = document.program.named("c").statement
    below = canvas.view_rect_of(root).bottomLeft() + QPoint(30, 18)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=below)
    assert set(document.selection) == {root}
    QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, below, canvas.mapToGlobal(below)))
    lines = QToolTip.text().split("\n")
    assert " ".join(lines) == document.state.problems[0].printed
    assert len(lines) > 3
    assert max(map(len, lines)) <= 80
    QToolTip.hideText()
