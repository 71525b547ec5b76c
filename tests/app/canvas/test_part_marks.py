"""The cards in a conflict of versions have words beside them, which hide no other card's name or value."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from support.desk import SHIFT, key, settle

from chalkgrad_app.canvas.clearance import Written, written
from chalkgrad_app.picture.autograd_shape import operator_box

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
    assert len(placed) == 3
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
    key(window, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not canvas.glide.is_active)
    picture = canvas.picture
    boxes = {id_: operator_box(picture.anatomy(id_)) for id_ in picture.ids}
    operators = [
        canvas.viewport.rect_to_view(QRectF(*box).translated(picture.rect(id_).topLeft()))
        for id_, box in boxes.items()
        if box is not None
    ]
    canvas.grab()
    assert len(canvas.part_marks.placed) == 3
    assert not [rect for rect in canvas.part_marks.placed if any(rect.intersects(operator) for operator in operators)]
