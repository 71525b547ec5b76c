"""The list of keys: those of the actions, and those that the canvas and the panels have a use for themselves."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from chalkgrad_app.actions import ACTIONS
from chalkgrad_app.i18n import translate


def listed_keys() -> list[tuple[str, str]]:
    """Each key, as this system writes it, and what it does."""
    keys = [(" / ".join(_native(key) for key in action.keys), action.title()) for action in ACTIONS if action.keys]
    return [
        *keys,
        ("Tab / Shift+Tab", translate("MainWindow", "Next or previous card")),
        (translate("MainWindow", "Arrows"), translate("MainWindow", "Move the focus along wires")),
        (translate("MainWindow", "Shift+arrows"), translate("MainWindow", "Select along wires")),
        (translate("MainWindow", "Ctrl+arrows"), translate("MainWindow", "Move the selected cards")),
        (translate("MainWindow", "Ctrl+Shift+arrows"), translate("MainWindow", "Move them by one unit")),
        ("+ / -", translate("MainWindow", "Zoom in or out")),
        ("Shift+F10", translate("MainWindow", "Menu of the card")),
        ("Alt+↑ / ↓", translate("MainWindow", "Move lines in the program")),
        ("→ / ←", translate("MainWindow", "Unfold a backward in the program, or fold it")),
        (translate("MainWindow", "Space+drag"), translate("MainWindow", "Pan")),
        (translate("MainWindow", "Alt+drag"), translate("MainWindow", "Copy cards with their wires")),
        (translate("MainWindow", "Drag, then Alt"), translate("MainWindow", "Pull cards out of their wires")),
        (
            translate("MainWindow", "Ctrl+Alt+drag"),
            translate("MainWindow", "Cut wires with a stroke (the right button does so too)"),
        ),
        (
            translate("MainWindow", "Drag with Ctrl"),
            translate("MainWindow", "Nothing attracts: no snapping, no joining"),
        ),
        ("/", translate("MainWindow", "Search the operators")),
    ]


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
