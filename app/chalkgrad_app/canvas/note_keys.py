"""Keys that help to write Markdown: Enter goes on with a list, Tab moves a point in, Ctrl+B, Ctrl+I, Ctrl+E mark."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

MARKS = {Qt.Key.Key_B: "**", Qt.Key.Key_I: "*", Qt.Key.Key_E: "`"}
"""What Ctrl and a key put round the words selected."""
_POINT = re.compile(r"(?P<indent>\s*)(?:(?P<bullet>[-*+]|>)|(?P<number>\d+)(?P<dot>[.)]))(?P<box> \[[ xX]\])?\s+")
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def is_mark(event: QKeyEvent) -> bool:
    """True for a key that marks words."""
    return event.modifiers() == _CTRL and event.key() in MARKS


def handle(field: QPlainTextEdit, event: QKeyEvent) -> bool:
    """Do what a key does in a note; False where it does what it does in any text."""
    if is_mark(event):
        _mark(field, MARKS[Qt.Key(event.key())])
        return True
    if event.key() in _ENTERS and not event.modifiers() & (_CTRL | _SHIFT):
        return _go_on(field)
    if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        _indent(field, event.key() == Qt.Key.Key_Backtab)
        return True
    return False


def _mark(field: QPlainTextEdit, sign: str) -> None:
    """Put a sign round the words selected, or take it off; with nothing selected the cursor goes between two."""
    cursor = field.textCursor()
    words, length = cursor.selectedText(), len(sign)
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    around = QTextCursor(cursor)
    around.setPosition(max(0, start - length))
    around.setPosition(min(end + length, field.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
    is_marked = around.selectedText() == f"{sign}{words}{sign}"
    if is_marked:
        around.insertText(words)
    else:
        cursor.insertText(f"{sign}{words}{sign}")
    first = start - length if is_marked else start + length
    cursor.setPosition(first)
    cursor.setPosition(first + len(words), QTextCursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)


def _go_on(field: QPlainTextEdit) -> bool:
    """Begin the next point of a list; an empty point ends the list. False outside of lists."""
    cursor = field.textCursor()
    line, at = cursor.block().text(), cursor.positionInBlock()
    point = _POINT.match(line)
    if point is None or at < point.end():
        return False
    if line.strip() == point[0].strip():
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
    else:
        sign = point["bullet"] or f"{int(point['number']) + 1}{point['dot']}"
        cursor.insertText(f"\n{point['indent']}{sign}{' [ ]' if point['box'] else ''} ")
    field.setTextCursor(cursor)
    field.ensureCursorVisible()
    return True


def _indent(field: QPlainTextEdit, out: bool) -> None:
    """Move the lines selected in, or out, by as much as makes a point one of an inner list."""
    cursor = field.textCursor()
    last = field.document().findBlock(max(cursor.selectionStart(), cursor.selectionEnd() - cursor.hasSelection()))
    block = field.document().findBlock(cursor.selectionStart())
    cursor.beginEditBlock()
    while block.isValid() and block.blockNumber() <= last.blockNumber():
        start = QTextCursor(block)
        point = _POINT.match(block.text())
        by = 3 if point is not None and point["number"] else 2
        if out:
            by = min(by, len(block.text()) - len(block.text().lstrip(" ")))
            start.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor, by)
            start.removeSelectedText()
        else:
            start.insertText(" " * by)
        block = block.next()
    cursor.endEditBlock()
