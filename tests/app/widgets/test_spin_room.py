"""Numbers in spin boxes stand where words stand in the fields beside them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget
from support.desk import CTRL, calm, key


def ink_begins(field: QWidget) -> int:
    """How far right of the left edge of a field something is written in it."""
    image = field.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    middle, ground = range(image.height() // 3, 2 * image.height() // 3), image.pixelColor(image.width() // 2, 6)
    columns = range(2, image.width())
    return next(x for x in columns if any(image.pixelColor(x, y).value() < ground.value() - 60 for y in middle))


@pytest.mark.parametrize("name", ["training.rounds", "training.lr"])
def test_a_number_has_as_much_room_left_of_it_as_a_word(window, name):
    window.canvas.drops.take_text("w = torch.tensor([1.], requires_grad=True)\nloss = (w * 2).sum()", None)
    calm(window)
    key(window, Qt.Key.Key_L, CTRL)
    calm(window)
    number = window.findChild(QWidget, name)
    word = window.findChild(QComboBox, "training.update")
    if isinstance(number, QSpinBox):
        number.setValue(50)
    window.canvas.setFocus()
    assert abs(ink_begins(number) - ink_begins(word)) <= 1


@pytest.mark.parametrize("percent", [150, 200, 300])
def test_the_room_grows_with_the_text(window, looks, percent):
    window.canvas.drops.take_text("w = torch.tensor([1.], requires_grad=True)\nloss = (w * 2).sum()", None)
    calm(window)
    key(window, Qt.Key.Key_L, CTRL)
    calm(window)
    window.presenting.set_text_size(percent)
    calm(window)
    window.canvas.setFocus()
    number, word = window.findChild(QSpinBox, "training.rounds"), window.findChild(QComboBox, "training.update")
    number.setValue(50)
    room, wanted = ink_begins(number), ink_begins(word)
    assert abs(room - wanted) <= percent / 100
