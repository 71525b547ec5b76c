"""Starting from the command line or the desktop: what can't be opened is told in both places."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

STARTED = """
    import json, sys
    from PySide6.QtCore import QMimeData, QTimer
    from PySide6.QtWidgets import QApplication, QMessageBox
    from chalkgrad_app import main
    from chalkgrad_app.application import application
    from chalkgrad_app.main_window import MainWindow

    said, windows = [], []

    def copied():
        data = QMimeData()
        data.setText("x = torch.tensor(1.)")
        return data

    def look():
        QApplication.clipboard().setMimeData(copied())
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            said.append(box.text())
            box.accept()
            return
        windows.extend(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
        QApplication.quit()

    application()
    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(200)
    status = main.run(sys.argv[1:])
    names = [str(window.document.path or "") for window in windows]
    print(json.dumps({"status": status, "said": said, "paths": names}))
"""


def started(*paths):
    """Start with ``paths``, close the message boxes that come, quit: what was seen, and what stands on stderr."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("core", "app", "resources")),
    }
    command = [sys.executable, "-c", textwrap.dedent(STARTED), *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout), done.stderr


def test_a_bad_file_opens_an_empty_window_that_says_why(fresh_home, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("import torch\nwhile True:\n    print(1)\n")
    seen, errors = started(bad)
    assert (seen["status"], seen["paths"]) == (0, [""])
    assert len(seen["said"]) == 1
    assert "bad.py:2:" in seen["said"][0]
    assert f"chalkgrad: {bad}:2:" in errors


def test_a_good_file_beside_a_bad_one_opens(fresh_home, tmp_path):
    good, gone = tmp_path / "good.py", tmp_path / "gone.py"
    good.write_text("import torch\nx = torch.tensor([1.])\n")
    seen, errors = started(gone, good)
    assert seen["paths"] == [str(good)]
    assert len(seen["said"]) == 1
    assert f"chalkgrad: {gone}: " in errors
