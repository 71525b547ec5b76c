"""Text that can't all be read, when it is pasted or dropped: which line it is, and the offer to take the rest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from chalkgrad.source.problem import SourceError
from chalkgrad.source.rest import LeftOut, Rest, rest_of
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language, sentence, translate
from chalkgrad_app.naming import cut_short

MOST_SAID = 6
"""So many lines that are left out are said one by one."""
LONGEST = 60
"""So many characters of a line are said."""


def told(text: str, error: SourceError) -> str:
    """Why a text can't be read: the line, what is written there, and what of it is not known."""
    rows = text.splitlines()
    written = rows[error.line - 1].strip() if 0 < error.line <= len(rows) else ""
    words = translate("Rest", "Can't paste line {line}, {text}: {why}")
    return words.format(line=error.line, text=cut_short(written, LONGEST), why=sentence(error))


def offer_rest(
    window: QWidget,
    document: Document,
    text: str,
    error: SourceError,
    read: Callable[[str], object],
    take: Callable[[str], object],
) -> None:
    """Say why ``text`` was refused; ask whether to ``take`` what of it can be ``read``, where there is such."""
    rest = rest_of(text, read)
    if rest is None:
        document.told.emit(told(text, error))
        return
    box = QMessageBox(
        QMessageBox.Icon.Question, translate("Rest", "Not all of it can be read"), _question(rest), parent=window
    )
    box.setObjectName("pasteRest")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    taking = box.addButton(translate("Rest", "Take the rest"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(taking)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.accepted.connect(lambda: take(rest.text))
    box.rejected.connect(lambda: document.told.emit(told(text, error)))
    box.open()


def _question(rest: Rest) -> str:
    lines = [_line(left) for left in rest.left_out[:MOST_SAID]]
    if len(rest.left_out) > MOST_SAID:
        more = translate("Rest", "... and {count} more lines")
        lines.append(more.format(count=len(rest.left_out) - MOST_SAID))
    ask = translate("Rest", "Take in the rest, which does not depend on it?")
    return "\n\n".join((*lines, ask))


def _line(left: LeftOut) -> str:
    why = translate("Rest", "depends on a line that is left out") if left.why is None else render(left.why, language())
    place = translate("Rest", "Line {line}: {text}").format(line=left.row, text=cut_short(left.text, LONGEST))
    return f"{place}\n{why}"
