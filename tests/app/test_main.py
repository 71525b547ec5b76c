"""Starting from the command line or the desktop: what can't be opened is told in both places."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from chalkgrad_app import main
from chalkgrad_app.main_window import MainWindow


def started(paths):
    """Start with ``paths``; close the message box that comes, then the windows; what the box said, and the windows."""
    said, windows = [], []

    def look():
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            said.append(box.text())
            box.accept()
            return
        windows.extend(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
        QApplication.quit()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(100)
    status = main.run([str(path) for path in paths])
    timer.stop()
    return status, said, windows


def test_a_bad_file_opens_an_empty_window_that_says_why(qapp, capsys, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("import torch\nfor i in range(3):\n    print(i)\n")
    status, said, windows = started([bad])
    try:
        assert status == 0
        assert len(said) == 1
        assert "bad.py:2:1: " in said[0]
        assert capsys.readouterr().err.startswith(f"chalkgrad: {bad}:2:1: ")
        assert [window.document.is_empty for window in windows] == [True]
    finally:
        for window in windows:
            window.hide()
            window.deleteLater()
