"""The menu File: documents, pictures and code."""

from __future__ import annotations

from chalkgrad_app.actions.conditions import has_lines
from chalkgrad_app.actions.record import Action
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP

FILE: tuple[Action, ...] = (
    Action("new", QT_TRANSLATE_NOOP("Actions", "New"), "new", ("Ctrl+N",), target="filing", method="new_document"),
    Action(
        "open", QT_TRANSLATE_NOOP("Actions", "Open..."), "open", ("Ctrl+O",), target="filing", method="open_document"
    ),
    Action("save", QT_TRANSLATE_NOOP("Actions", "Save"), "save", ("Ctrl+S",), target="filing", method="save"),
    Action(
        "saveAs", QT_TRANSLATE_NOOP("Actions", "Save as..."), "", ("Ctrl+Shift+S",), target="filing", method="save_as"
    ),
    Action(
        "duplicateDocument",
        QT_TRANSLATE_NOOP("Actions", "Duplicate"),
        "duplicate",
        ("Ctrl+Shift+D",),
        target="filing",
        method="duplicate_document",
        hint=QT_TRANSLATE_NOOP("Actions", "Open a copy in a second window, for comparing"),
    ),
    Action(
        "exportImage",
        QT_TRANSLATE_NOOP("Actions", "Export picture..."),
        "export",
        ("Ctrl+E",),
        target="filing",
        method="export_image",
        enabled=has_lines,
        hint=QT_TRANSLATE_NOOP("Actions", "Write the graph as PNG, SVG or PDF"),
    ),
    Action(
        "exportCode",
        QT_TRANSLATE_NOOP("Actions", "Export PyTorch code..."),
        target="filing",
        method="export_code",
        enabled=has_lines,
    ),
    Action(
        "copyImage",
        QT_TRANSLATE_NOOP("Actions", "Copy picture"),
        "",
        ("Ctrl+Shift+C",),
        target="filing",
        method="copy_image",
        enabled=has_lines,
    ),
    Action("close", QT_TRANSLATE_NOOP("Actions", "Close window"), "", ("Ctrl+W",), method="close"),
    Action("quit", QT_TRANSLATE_NOOP("Actions", "Quit"), "", ("Ctrl+Q",), target="filing", method="quit"),
)
