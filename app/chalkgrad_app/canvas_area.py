"""The middle of the window: the canvas, the strip above it, the band of the past, and what an empty canvas offers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.errors import ChalkgradError
from chalkgrad_app import settings
from chalkgrad_app.canvas.announcing import Announcer
from chalkgrad_app.canvas.asking_band import AskingBand
from chalkgrad_app.canvas.astray import Astray
from chalkgrad_app.canvas.at_work import AtWork
from chalkgrad_app.canvas.draw_as import DrawAs, caption
from chalkgrad_app.canvas.find_bar import FindBar
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.minimap import Minimap
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import sentence
from chalkgrad_app.training import round_number
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.elided_label import ElidedLabel
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.message_edit import FieldMessage, mark_wrong

CAPTIONED, LEAST = 520, 280
"""Widths in pixels at 100% text size: the strip has room for a caption, and for where one is (so says the list)."""
SPACE = 12
"""Pixels between what stands in the strip, and at its ends."""

FIELD = 340
"""Pixels across that an expression is typed in, where there is room."""
EXPRESSION = "y = (x + w) * (w + 1)"


class Start(QFrame):
    """What an empty canvas offers: type an expression, open the course example, open a file."""

    expression_entered = Signal(str)
    example_asked = Signal()
    open_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start")
        self.field = QLineEdit(self)
        self.field.setObjectName("start.expression")
        self.field.setPlaceholderText(EXPRESSION)
        self.field.returnPressed.connect(self._enter)
        self.field.textEdited.connect(self._clear_message)
        self.title = QLabel(self)
        self.hint = QLabel(self)
        self.message = FieldMessage(self)
        self.message.setObjectName("start.message")
        self.example = QPushButton(self)
        self.example.setObjectName("start.example")
        self.example.clicked.connect(self._ask_example)
        self.open = QPushButton(self)
        self.open.setObjectName("start.open")
        self.open.clicked.connect(self._ask_open)
        self._arrange()
        self.retranslate()

    def takes(self, event: QKeyEvent) -> bool:
        """True for a key with which an expression begins; A opens quick-add here as everywhere, which reads it too."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.NoModifier
        begins = event.text().isalpha() or event.text() in ("_", "(")
        return plain and begins and event.key() != Qt.Key.Key_A

    def type(self, event: QKeyEvent) -> None:
        """Go on in the field with what was typed on the canvas."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.insert(event.text())
        self._clear_message(event.text())

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.title.setText(self.tr("Type an expression"))
        self.field.setAccessibleName(self.tr("Expression"))
        self.hint.setText(self.tr("or drag a tensor here from the left"))
        self.example.setText(self.tr("Open the course example"))
        self.open.setText(self.tr("Open a .py or .chalk"))

    def fit(self, room: QSize) -> None:
        """As large as it likes to be; on a narrow or low canvas the buttons lie below each other, with less air."""
        for is_tight in (False, True):
            margin = 12 if is_tight else 28
            self._column.setContentsMargins(margin, margin - 4, margin, margin - 4)
            self._column.setSpacing(4 if is_tight else 12)
            self._buttons.setDirection(
                QBoxLayout.Direction.TopToBottom if is_tight else QBoxLayout.Direction.LeftToRight
            )
            self.hint.setWordWrap(is_tight)
            self.field.setMinimumWidth(min(FIELD, room.width() - 2 * margin - 2))
            self._column.activate()
            wanted = self.sizeHint()
            if wanted.width() <= room.width() and wanted.height() <= room.height():
                break
        width = min(wanted.width(), room.width())
        self.resize(width, max(self._column.heightForWidth(width), 0) or wanted.height())

    def show_message(self, text: str) -> None:
        """Say under the field what is wrong with the expression."""
        self.message.say(text)
        mark_wrong(self.field, text)
        if (canvas := self.parentWidget()) is not None:
            self.fit(canvas.size())

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _arrange(self) -> None:
        self._column = column = QVBoxLayout(self)
        self.title.setObjectName("start.title")
        self.title.setProperty("heading", True)
        self.title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.hint.setObjectName("start.hint")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.addWidget(self.example)
        self._buttons.addWidget(self.open)
        column.addWidget(self.title)
        column.addWidget(self.field)
        column.addWidget(self.message)
        column.addWidget(self.hint)
        column.addLayout(self._buttons)

    def _enter(self) -> None:
        self.expression_entered.emit(self.field.text())

    def _clear_message(self, _text: str) -> None:
        self.show_message("")

    def _ask_example(self) -> None:
        self.example_asked.emit()

    def _ask_open(self) -> None:
        self.open_asked.emit()


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
            self.words.setText((words if self.width() >= scaled(CAPTIONED) else brief).format(line=line))
            self.words.setToolTip(words.format(line=line))
            self.mend.setText(self.tr("Mend..."))
            self.go_on.setText(self.tr("Go on past it"))


def last_line(document: Document) -> int:
    """Number of the last line; 0 where there is none."""
    program = document.program
    return program.lines[program.order[-1]] if program.order else 0


class CanvasArea(QWidget):
    """Canvas with its strip and band; offers a start while the document is empty."""

    def __init__(self, document: Document, canvas: GraphCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.canvas = canvas
        self.draw_as = DrawAs(document, self)
        self.draw_as.chosen.connect(canvas.redrawing.show)
        canvas.redrawing.slices.left.connect(self.draw_as.refresh)
        self.where = ElidedLabel(self)
        self.where.setObjectName("canvas.where")
        self.caption = ElidedLabel(self, lines=2)
        self.caption.setObjectName("canvas.caption")
        self.caption.setProperty("small", True)
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.band = PastBand(document, self)
        self.stop_band = StopBand(document, self)
        self.asking_band = AskingBand(document, self)
        self.astray = Astray(canvas)
        self.at_work = AtWork(canvas)
        self.minimap = Minimap(canvas)
        self.find_bar = FindBar(canvas)
        self.announcer = Announcer(canvas, self)
        self.start = Start(canvas)
        self.start.expression_entered.connect(self._build_expression)
        self._arrange()
        self._later = Later(self, self.refresh)
        for signal in (document.moved, document.traced, document.changed, document.finished, document.drawn):
            signal.connect(self._later.schedule)
        document.covers.changed.connect(self._later.schedule)
        document.returned.connect(self._show_returned)
        canvas.resized.connect(self._centre_start)
        canvas.installEventFilter(self)
        self.minimap.show_map(settings.MINIMAP.get())
        self.refresh()

    # ------------------------------------------------------------ what actions call

    def show_find(self) -> None:
        """Open the find bar."""
        self.find_bar.open_bar()

    def step_found(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) card found."""
        self.find_bar.step(by)

    def show_minimap(self, on: bool) -> None:
        """Switch the minimap on or off, and remember it."""
        settings.MINIMAP.set(on)
        self.minimap.show_map(on)

    def let_wheel_pan(self, on: bool) -> None:
        """Have the mouse's wheel pan, or zoom as it does at first."""
        settings.WHEEL_PANS.set(on)

    # ------------------------------------------------------------ follow

    def refresh(self) -> None:
        """Follow the document."""
        document = self._document
        self._say_where()
        self.caption.setText(caption(document.drawing))
        self.draw_as.refresh()
        focused = self.window().focusWidget()
        for band in (self.band, self.stop_band, self.asking_band):
            band.refresh()
            self._take_focus_of(band, focused)
        self._offer_start()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the strip has no room for all its words."""
        super().resizeEvent(event)
        self.draw_as.fit(self.width())
        self.caption.setVisible(self.width() >= scaled(CAPTIONED))
        self.where.setVisible(self.width() >= scaled(LEAST))
        self._say_where()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is typed on an empty canvas is the start's."""
        if isinstance(event, QKeyEvent) and self.start.isVisible() and self.start.takes(event):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # a letter is no shortcut here
            elif event.type() == QEvent.Type.KeyPress:
                self.start.type(event)
                return True
        return False

    def _arrange(self) -> None:
        strip = QHBoxLayout()
        strip.setContentsMargins(SPACE, 3, SPACE, 3)
        strip.setSpacing(SPACE)
        strip.addWidget(self.draw_as, 0, Qt.AlignmentFlag.AlignLeft)
        strip.addWidget(self.caption, 1)
        strip.addWidget(self.where)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(strip)
        column.addWidget(self.band)
        column.addWidget(self.stop_band)
        column.addWidget(self.asking_band)
        column.addWidget(self.canvas, 1)

    def _say_where(self) -> None:
        """Say the line of the cursor; that it is the last one only where there is room for all the words."""
        document, total = self._document, last_line(self._document)
        line = document.cursor_line if document.is_past else document.waits_at
        now = total if line is None else document.program.lines.get(line, total)
        words = self.tr("line {line} of {lines}").format(line=now, lines=total)
        if line is None:
            whole = self.tr("line {line} of {lines} · now").format(line=now, lines=total)
            room = self.width() - self.draw_as.sizeHint().width() - 3 * SPACE
            words = whole if self.where.fontMetrics().horizontalAdvance(whole) <= room else words
        self.where.setText(words if total else "")

    def _offer_start(self) -> None:
        """Show the start while the document is empty; when it goes, its focus goes to the canvas."""
        focused = self.window().focusWidget()
        self.start.setVisible(self._document.is_empty)
        self._take_focus_of(self.start, focused)
        self._centre_start()

    def _take_focus_of(self, gone: QWidget, focused: QWidget | None) -> None:
        """The focus goes to the canvas from what was hidden: Qt would give it to whatever comes next."""
        if focused is not None and gone.isHidden() and gone.isAncestorOf(focused):
            self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _centre_start(self) -> None:
        if self.start.isHidden():
            return
        self.start.fit(self.canvas.size())
        spare = self.canvas.size() - self.start.size()
        self.start.move(max(0, spare.width() // 2), max(0, spare.height() // 2))

    def _show_returned(self, ids: frozenset[int]) -> None:
        """What an undo or a redo has changed is brought into view where none of it is seen."""
        seen = self.canvas.scene_rect()
        shown = [id_ for id_ in ids if (rect := self.canvas.picture.rect_of(id_)) is not None and not rect.isEmpty()]
        if shown and not any(seen.intersects(self.canvas.picture.rect_of(id_) or seen) for id_ in shown):
            self.canvas.ensure_visible(shown, glide=True)

    def _build_expression(self, text: str) -> None:
        try:
            self.canvas.build_expression(text)
        except ChalkgradError as error:
            self.start.show_message(sentence(error))
        else:
            self.start.field.clear()
            self.canvas.setFocus()
