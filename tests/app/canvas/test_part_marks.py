"""The cards in a conflict of versions have words beside them, which hide no other card's name or value."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from support.desk import SHIFT, key, settle

from chalkgrad_app.canvas.clearance import Written, written

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
