"""What the program printed, line by line of the program."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from chalkgrad.session.state import OutputLine
from chalkgrad_app.document import Document
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import code_font, scaled


class OutputText(QPlainTextEdit):
    """Text that can be selected but not changed; a click or Enter on a row tells its number."""

    row_chosen = Signal(int)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell the row, unless text was selected."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.row_chosen.emit(self.cursorForPosition(event.position().toPoint()).blockNumber())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell the row of the text cursor."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.row_chosen.emit(self.textCursor().blockNumber())
            return
        super().keyPressEvent(event)


class OutputPanel(Mirror):
    """The printed texts up to the cursor; clicking one selects the line that printed it."""

    STANDARD_KEYS = (QKeySequence.StandardKey.Copy,)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "output", parent)
        self._shown: tuple[OutputLine, ...] = ()
        self._statements: list[int] = []
        self.view = OutputText(self)
        self.view.setObjectName("output.text")
        self.view.setReadOnly(True)
        self.view.setUndoRedoEnabled(False)
        self.view.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.view.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.view.row_chosen.connect(self._on_row_chosen)
        self.take_keys_of(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.restyle()
        self.begin(document.traced, document.moved, document.changed, document.selected, document.covering)

    def follow(self) -> None:
        """Show what was printed up to the cursor, and which of it the selected lines printed."""
        lines = self.document.state.output
        if lines != self._shown:
            self._shown = lines
            text, self._statements = laid_out(lines)
            self.view.setPlainText(text)
            self.view.moveCursor(QTextCursor.MoveOperation.End)
        self._mark_selected()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.view.setAccessibleName(self.tr("Output"))
        self.view.setPlaceholderText(self.tr("What print() writes appears here."))

    def restyle(self) -> None:
        """The font of the text size in use."""
        self.view.setFont(code_font())
        self.view.viewport().setFont(code_font())  # the placeholder's
        self.view.document().setDocumentMargin(scaled(8))

    def text(self) -> str:
        """All that is shown."""
        self.catch_up()
        return self.view.toPlainText()

    def copied(self) -> str:
        """The chosen text, all of it when none is chosen."""
        return self.view.textCursor().selection().toPlainText() or self.text()

    def _on_row_chosen(self, row: int) -> None:
        if row < len(self._statements):
            self.document.select([self._statements[row]])

    def _mark_selected(self) -> None:
        marks = []
        chosen = self.document.selection
        for row, statement in enumerate(self._statements) if chosen else ():
            if statement in chosen:
                mark = QTextEdit.ExtraSelection()
                mark.cursor = QTextCursor(self.view.document().findBlockByNumber(row))
                look = mark.format
                look.setBackground(theme.current().color("code_current"))
                look.setProperty(look.Property.FullWidthSelection, True)
                mark.format = look
                marks.append(mark)
        self.view.setExtraSelections(marks)


def laid_out(lines: tuple[OutputLine, ...]) -> tuple[str, list[int]]:
    """The printed texts under each other, and for each row the statement that printed it."""
    rows = [(row, line.statement) for line in lines for row in line.text.removesuffix("\n").split("\n")]
    return "\n".join(row for row, _ in rows), [statement for _, statement in rows]
