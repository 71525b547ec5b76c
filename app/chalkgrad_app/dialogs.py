"""Boxes that tell and ask, and the question where a file is to be written."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from chalkgrad_app.i18n import translate

Button = QMessageBox.StandardButton
Icon = QMessageBox.Icon


def ask(window: QWidget, name: str, icon: Icon, title: str, words: str, buttons: Button = Button.Ok) -> Button:
    """Show a box called ``name`` and wait; the button that was pressed. What looks like HTML in ``words`` is text."""
    box = QMessageBox(icon, title, "", buttons, window)
    box.setObjectName(name)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)  # else the window keeps one that was found among its children
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(words)
    return Button(box.exec())


def ask_where(window: QWidget, title: str, suggested: str, kinds: str, suffixes: Collection[str]) -> Path | None:
    """Ask where to write a file; None where that was given up.

    A name that ends in none of ``suffixes`` gets the first of them, and what is there under that name is asked for:
    the file dialog asked for the one that was typed.
    """
    name, _ = QFileDialog.getSaveFileName(window, title, suggested, kinds)
    path = Path(name)
    if not name or path.suffix.lower() in suffixes:
        return path if name else None
    path = Path(f"{name}{next(iter(suffixes))}")
    question = translate("Dialogs", "{name} is there already. Replace it?").format(name=path.name)
    if path.exists() and ask(window, "replace", Icon.Warning, title, question, Button.Yes | Button.No) != Button.Yes:
        return None
    return path
