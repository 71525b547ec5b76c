"""Bands under the strip of the canvas: that one looks at the past, and that a script has stopped."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.training import round_number
from chalkgrad_app.widgets.code_font import scaled

ROOMY = 520
"""From this width on, in pixels at 100% text size, the band of a stopped script says all."""


class PastBand(QFrame):
    """``Looking at line 4 of 7. New lines go here. [Back to now]``: shown while the cursor is in the past."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pastBand")
        self._document = document
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.back = QPushButton(self)
        self.back.setObjectName("pastBand.back")
        self.back.clicked.connect(document.back_to_now)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.back)
        self.refresh()

    def refresh(self) -> None:
        """Show where the cursor stands, or hide."""
        document = self._document
        line = document.cursor_line
        past = document.is_past and line is not None
        self.setVisible(past)
        if line is None or not past:
            return
        words = self.tr("Looking at line {line} of {lines}. New lines go here.")
        if document.is_inside:
            words = self.tr("Looking inside line {line} of {lines}. New lines go after it.")
        said = words.format(line=document.program.lines[line], lines=last_line(document))
        loops = document.program.loops(document.program[line].block)
        if loops:
            total = document.program.blocks[loops[0]].rounds
            said = self.tr("Round {n} of {total}.").format(n=round_number(document, loops[0]), total=total) + " " + said
        self.words.setText(said)
        self.back.setText(self.tr("Back to now"))


class StopBand(QFrame):
    """``The script stops at line 2, as Python does. [Mend...] [Go on past it]``: while a script has stopped."""

    mend_asked = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stopBand")
        self._document = document
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.mend = QPushButton(self)
        self.mend.setObjectName("stopBand.mend")
        self.mend.clicked.connect(self.mend_asked)
        self.go_on = QPushButton(self)
        self.go_on.setObjectName("stopBand.goOn")
        self.go_on.clicked.connect(document.go_on)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.mend)
        row.addWidget(self.go_on)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Say at which line the script stopped, in a narrow window no more than that; hide where it has not yet."""
        document, failed = self._document, self._document.stopped_at()
        has_failed = not document.is_past or failed in {problem.statement for problem in document.state.problems}
        self.setVisible(failed is not None and has_failed)
        if failed is not None:
            line = self._document.program.lines.get(failed, 0)
            words = self.tr("The script stops at line {line}, as Python does. What comes after it was not reached.")
            brief = self.tr("Stopped at line {line}")
            self.words.setText((words if self.width() >= scaled(ROOMY) else brief).format(line=line))
            self.words.setToolTip(words.format(line=line))
            self.mend.setText(self.tr("Mend..."))
            self.go_on.setText(self.tr("Go on past it"))


def last_line(document: Document) -> int:
    """Number of the last line; 0 where there is none."""
    program = document.program
    return program.lines[program.order[-1]] if program.order else 0
