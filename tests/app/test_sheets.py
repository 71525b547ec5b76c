"""What floats over the canvas has one look: a sheet in the colour of panels with one quiet edge, in every theme."""

import pytest
from PySide6.QtCore import Qt
from support.desk import CTRL, SHIFT, key, settle
from support.hands import Hands

from chalkgrad_app.canvas.find_bar import FindBar
from chalkgrad_app.canvas.popover import Popover
from chalkgrad_app.canvas.quick_add import QuickAdd
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.command_palette import CommandPalette

SHEETS = [
    (Popover, Qt.Key.Key_E, None),
    (QuickAdd, Qt.Key.Key_A, None),
    (FindBar, Qt.Key.Key_F, CTRL),
    (CommandPalette, Qt.Key.Key_P, CTRL | SHIFT),
]


@pytest.mark.parametrize("name", theme.NAMES)
@pytest.mark.parametrize(("kind", "code", "keys"), SHEETS)
def test_each_is_a_sheet_with_the_same_edge(course_window, looks, kind, code, keys, name):
    course_window.presenting.set_theme(name)
    settle(course_window)
    hands = Hands(course_window.canvas)
    hands.click(hands.header("w"))
    settle(course_window)
    key(course_window, code, *([] if keys is None else [keys]))
    settle(course_window)
    sheet = course_window.findChild(kind)
    assert sheet.isVisible()
    shown = sheet.grab().toImage()
    middle, right = shown.height() // 2, shown.width() - 1
    edge, panel = (theme.current().color(role).name() for role in ("field_edge", "panel"))
    assert [shown.pixelColor(x, middle).name() for x in (0, right)] == [edge, edge]
    assert [shown.pixelColor(x, middle).name() for x in (3, right - 3)] == [panel, panel]
    sheet.close()
