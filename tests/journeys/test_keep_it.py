"""Made, saved, opened again, its picture written: through menus, dialogs and keys."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from support.desk import CTRL, answering, choose, key, lines, settle, tensor, type_into, with_path


def test_typed_run_saved_opened_and_exported(window, qtbot, tmp_path):
    field = window.area.start.field
    type_into(field, "y = (x + w) * (w + 1)")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(window)
    key(window, Qt.Key.Key_B, CTRL)
    settle(window)
    made = window.document.sheet
    with answering(with_path(tmp_path / "mine.chalk")):
        key(window, Qt.Key.Key_S, CTRL)

    from chalkgrad_app.main import create_window

    other = create_window(tmp_path / "mine.chalk")
    settle(other)
    assert other.document.sheet == made
    assert lines(other)[-1] == "y.backward()"
    assert tensor(other, "w").grad.text == tensor(window, "w").grad.text
    with answering(lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Return), with_path(tmp_path / "graph.png")):
        choose(other, "file", "exportImage")
    qtbot.waitUntil((tmp_path / "graph.png").exists)
    assert QImage(str(tmp_path / "graph.png")).width() > 600
    other.close()
