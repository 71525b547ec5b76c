from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton
from support.monkey_checks import Complaints

from chalkgrad_app import assets
from chalkgrad_app.style.icons import has_icon, icon
from chalkgrad_app.style.theme import load


def inked(name: str, side: int = 24, theme_name: str = "light") -> QImage:
    return icon(name, load(theme_name)).pixmap(QSize(side, side)).toImage()


def ink_colours(image: QImage) -> set[str]:
    """Colours of the pixels that are fully covered."""
    spots = [(x, y) for x in range(image.width()) for y in range(image.height())]
    return {image.pixelColor(x, y).name().upper() for x, y in spots if image.pixelColor(x, y).alpha() > 250}


def test_a_name_without_a_drawing_gives_its_letter(qapp) -> None:
    assert not has_icon("zzz")
    assert ink_colours(inked("zzz", 48)) == {load("light").text}


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_icons_are_drawn_in_the_colour_of_the_theme(qapp, theme_name: str) -> None:
    drawn = [name for name in assets.names("icons", ".svg") if name != "app"]
    assert drawn
    for name in drawn[:6]:
        assert ink_colours(inked(name, 96, theme_name)) <= {load(theme_name).text}
        assert ink_colours(inked(name, 96, theme_name))


def test_a_button_squeezed_to_a_line_has_no_room_for_its_icon(qtbot) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    button.setIcon(icon("undo"))
    button.setFixedSize(24, 2)
    button.show()
    with Complaints() as complaints:
        button.grab()
    assert not complaints.found
    assert icon("undo").pixmap(QSize(0, 20)).isNull()
