"""Write docs/automation.md from the tables of the application: ``python packaging/write_automation.py``."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / part) for part in ("core", "app", "resources")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

HEAD = """# Names for automation and screen readers

Every action is a `QAction` of the window with the object name `action.<id>`, every panel a widget `panel.<id>`, and
every input has an object name and an accessible name. `chalkgrad_app.main.create_window(path=None)` returns the shown
main window; `window.canvas.node_rect(name)` and `window.canvas.port_pos(name, port)` tell, in coordinates of the
canvas, where a card and a port are (`port`: the number of an input, `"value"` or `"grad"`). Every operator has a tile
`palette.<operator>` once its section has been opened or a search has found it; those listed are there from the start.
This file is written by `packaging/write_automation.py`; a test compares it with the application.
"""


def main() -> int:
    """Write the file, from a window that nobody has used yet; the exit status."""
    from PySide6.QtCore import QSettings

    with tempfile.TemporaryDirectory() as folder:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, folder)
        written = text()
    (ROOT / "docs" / "automation.md").write_text(written, encoding="utf-8")
    return 0


def text() -> str:
    """The whole file, from the tables and from a window."""
    from chalkgrad_app.actions import ACTIONS

    actions = [
        (f"`{action.object_name}`", action.text, ", ".join(f"`{key}`" for key in action.keys)) for action in ACTIONS
    ]
    panels, inputs = _names()
    parts = [HEAD, "\n## Actions\n\n", _table(("name", "what it is called", "keys"), actions)]
    parts += ["\n## Panels\n\n", *(f"- `{name}`\n" for name in panels)]
    parts += ["\n## Inputs and buttons\n\n", _table(("name", "kind"), [(f"`{name}`", kind) for name, kind in inputs])]
    return "".join(parts)


def _names() -> tuple[list[str], list[tuple[str, str]]]:
    """The object names of panels, and of inputs and buttons with their Qt class, in a window on an empty document."""
    from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QWidget

    from chalkgrad_app.main import create_window
    from chalkgrad_app.widgets.working import Working

    window = create_window()
    for part, names in ((window.docks, window.docks.by_name), (window.showing, ("compare",))):
        for name in names:
            getattr(part, name)  # made when asked for
    for working in window.findChildren(Working):
        working.make()
    widgets = window.findChildren(QWidget)
    panels = sorted(name for widget in widgets if (name := widget.objectName()).startswith("panel."))
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QPlainTextEdit)
    inputs = {
        (name, next(kind.__name__ for kind in kinds if isinstance(widget, kind)))
        for widget in widgets
        if isinstance(widget, kinds) and "." in (name := widget.objectName())
    }
    window.hide()
    window.deleteLater()
    return panels, sorted(inputs)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    raise SystemExit(main())
