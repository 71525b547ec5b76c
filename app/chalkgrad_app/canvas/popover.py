"""The popover at a card: how a leaf is made, the attributes of an operator, each in an editor of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from chalkgrad.program.statement import Kind, Statement
from chalkgrad.source import emit
from chalkgrad_app.canvas.beside import beside
from chalkgrad_app.canvas.floating import Floating
from chalkgrad_app.canvas.moored import Mooring, moored
from chalkgrad_app.document import Document
from chalkgrad_app.editors import leaves
from chalkgrad_app.editors.attributes import missing
from chalkgrad_app.editors.number_slider import NumberSlider
from chalkgrad_app.editors.options import PREFIX, OptionsEditor
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.tab_focus import takes_tab

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

WIDTH, MOST_MORE = 250, 120
"""The usual width in pixels at 100% text size, and how much wider it may get for a long text in a field."""
FIELD, FRAME = 122, 22
"""How wide a field is then, and what of that its text has not."""
EDGE = 4
"""Pixels that stay free between the popover and the edge of the window."""
LONGEST_CODE = 200


class Popover(Floating):
    """Floats beside a card and follows it; closes with Esc, or when the focus goes elsewhere.

    Enter takes what is in a field and closes it as soon as the run has come through with that; else it stays, with what
    is wrong. Tab takes it and goes on to the next field.

    It lies in the window rather than on the canvas, which may be too small for the card and the popover.
    """

    closed = Signal()
    grid_wanted = Signal(int)

    def __init__(self, canvas: GraphCanvas, document: Document) -> None:
        super().__init__(canvas.window(), "canvas.popover")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._canvas = canvas
        self._document = document
        self._id: int | None = None
        self._shown: Statement | None = None
        self._mooring: Mooring | None = None  # how it lies beside the card, once it has a place
        self._options: OptionsEditor | None = None
        inner = QWidget(self)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(scaled(10), scaled(8), scaled(10), scaled(8))
        self._column.setSpacing(scaled(6))
        self._code = QLabel(inner)
        self._code.setObjectName("canvas.popover.code")
        self._code.setTextFormat(Qt.TextFormat.PlainText)
        self._code.setWordWrap(True)
        self._column.addWidget(self._code)
        self.slider = NumberSlider(document, inner)
        self.slider.settled.connect(self._on_settled)
        self._column.addWidget(self.slider)
        self._grid = QPushButton(inner)
        self._grid.setObjectName("canvas.popover.grid")
        self._grid.clicked.connect(self._want_grid)
        self._column.addWidget(self._grid)
        self._area.setWidget(inner)
        for layer in (self._area.viewport(), inner):  # the sheet below is seen
            layer.setAutoFillBackground(False)
        inner.installEventFilter(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._renew)
        self._entered = ""  # the field in which Enter was pressed
        self._ending = QTimer(self)
        self._ending.setSingleShot(True)
        self._ending.timeout.connect(self._end)
        document.changed.connect(self._on_changed)
        document.finished.connect(self._on_finished)

    @property
    def is_open(self) -> bool:
        """True while it shows."""
        return self._id is not None

    def open_at(self, id_: int, name: str = "") -> bool:
        """Show the editors of a statement, the focus at that called ``name``; False where it has none."""
        self.dismiss()
        self._id = id_
        self._renew()
        if self._options is None or self._options.is_empty():
            self._id = None
            return False
        self.show()
        self.raise_()
        self._mooring = None
        self._lie()
        first = (self._options.findChild(QWidget, PREFIX + name) if name else None) or self._first()
        first.setFocus(Qt.FocusReason.PopupFocusReason)
        if isinstance(first, QLineEdit):  # what is typed takes the place of what is there
            first.selectAll()
        self._application().focusChanged.connect(self._on_focus)
        return True

    def dismiss(self) -> None:
        """Close; what was edited stays, what can't be read is said and given up."""
        if self._id is None:
            return
        unread = "" if self._options is None else self._options.unread()
        if unread:
            self._document.told.emit(unread)
        if self.isVisible():
            self._application().focusChanged.disconnect(self._on_focus)
        self.slider.settle()
        had_focus = self.isAncestorOf(self.window().focusWidget() or self._canvas)
        self._id, self._entered = None, ""
        self.hide()
        if had_focus:
            self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def follow(self) -> None:
        """Lie beside the card as it is now."""
        if self._id is not None:
            self._lie()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with what is said at a field, and shrink again."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.follow()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round through all that can be edited here, from the top down, also as its rows change."""
        around = [child for child in self._area.findChildren(QWidget) if takes_tab(child, self.window())]
        around.sort(key=lambda child: child.mapTo(self, QPoint(0, 0)).y())
        focused = self.focusWidget()
        if focused not in around:
            return super().focusNextPrevChild(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        if len(around) == 1:
            focused.clearFocus()  # what stands in it is taken, as when one goes on
        around[(around.index(focused) + (1 if forward else -1)) % len(around)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives up what was typed and not entered, and closes; Enter presses a button, elsewhere it closes."""
        if event.key() == Qt.Key.Key_Escape and self._options is not None:
            self._options.give_up()
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            button = self.focusWidget()
            if isinstance(button, QPushButton | QToolButton):
                button.click()
            elif not isinstance(button, QLineEdit):  # whose own Enter tells of itself
                self.dismiss()

    # ------------------------------------------------------------ inside

    def _renew(self) -> None:
        """Make the editors for the statement as it is now; the focus stays where it was."""
        if self._id is None or self._id not in self._document.program:
            self.dismiss()
            return
        statement = self._document.program[self._id]
        old, self._shown = self._options, statement
        focused = old.focusWidget() if old is not None else None
        name = focused.objectName() if focused is not None and focused.hasFocus() else ""
        number = [field.objectName() for field in self._fields()].index(name) if name else 0
        self._say(statement)
        self._options = OptionsEditor(self._document, self._id, self._area.widget(), before=old)
        self._options.entered.connect(self._on_entered)
        self._column.insertWidget(2, self._options)
        self._options.show()
        again = self._options.findChild(QWidget, name) if name else None
        if again is None and name:  # other fields came in its place
            there = self._fields()[min(number, len(self._fields()) - 1)]
            again = there if there.isEnabled() else self._first()
        if again is not None:  # before the old one goes, which would hand the focus to the canvas
            again.setFocus()
            if isinstance(again, QLineEdit):
                again.selectAll()
        if old is not None:
            old.hide()
            self._column.removeWidget(old)
            old.deleteLater()
        self._lie()

    def _say(self, statement: Statement) -> None:
        self._say_code(statement)
        self._code.setFont(code_font(ratio=SMALL))
        self.slider.show_number(statement.id)
        self._grid.setText(self.tr("Numbers in a grid..."))
        self._grid.setVisible(statement.kind is Kind.LEAF)
        self.setAccessibleName(self.tr("Options of {name}").format(name=statement.name or statement.call))

    def _say_code(self, statement: Statement) -> None:
        code = emit.shown_line(self._document.program, statement.id)
        self._code.setText(code if len(code) <= LONGEST_CODE else f"{code[:LONGEST_CODE]} ...")

    def _first(self) -> QWidget:
        """The first editor that takes the focus: that of what the line lacks, where it lacks something."""
        assert self._options is not None
        usable = [field for field in self._fields() if field.isEnabled() and field.isVisibleTo(self)]
        lacking = self._lacking()
        return next((field for field in usable if field.objectName() in lacking), (usable or [self._options])[0])

    def _lacking(self) -> tuple[str, ...]:
        """The editors of what PyTorch insists on and the line does not say."""
        statement = self._document.program.statements.get(self._id if self._id is not None else -1)
        return () if statement is None else tuple(PREFIX + name for name in missing(statement))

    def _fields(self) -> list[QWidget]:
        assert self._options is not None
        inside = [child for child in self._options.findChildren(QWidget) if child.window() is self.window()]
        return [child for child in inside if child.focusPolicy() & Qt.FocusPolicy.TabFocus]

    def _lie(self) -> None:
        if self._id is None:
            return
        window = self._canvas.window()
        room = QRect(self._canvas.mapFrom(window, QPoint(0, 0)), window.size())
        card = self._canvas.view_rect_of(self._id)
        size = self._fitting(room.height() - 2 * EDGE, room.width() - 2 * EDGE)
        if self._mooring is not None and self.slider.is_active:  # never away under the mouse
            place = _within(QRect(self._canvas.mapFrom(window, self.pos()), size), room)
        elif self._mooring is not None:
            place = _within(self._mooring.place(card, size), room)
        if self._mooring is None or (place.intersects(card) and not self.slider.is_active):
            place = QRect(beside(self._canvas, self._id, size, room), size)
            self._mooring = moored(card, place)
        self.setGeometry(QRect(self._canvas.mapTo(window, place.topLeft()), size))
        self.raise_()  # a panel that comes to the front brings the canvas along

    def _fitting(self, most: int, widest: int) -> QSize:
        """As large as what is in it, with room for a scroll bar where that is higher than ``most``."""
        edge = 2 * self.frameWidth()
        width = max(self._width_for_texts(), min(self._column.totalMinimumSize().width() + edge, widest))
        by_width = self._column.totalHeightForWidth(width - edge) if self._column.hasHeightForWidth() else 0
        height = max(self._column.totalSizeHint().height(), by_width) + edge
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff  # one that was shown makes all narrower, and higher, and stays
        if height > most:
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded
            width += self._area.verticalScrollBar().sizeHint().width()
        self._area.setVerticalScrollBarPolicy(policy)
        return QSize(width, min(height, most))

    def _width_for_texts(self) -> int:
        """The usual width; larger where what stands in a field is longer, up to a limit."""
        fields = [field for field in self._fields() if isinstance(field, QLineEdit)]
        texts = (field.fontMetrics().horizontalAdvance(field.text()) for field in fields)
        more = max(texts, default=0) + scaled(FRAME) - scaled(FIELD)
        return scaled(WIDTH) + min(max(0, more), scaled(MOST_MORE))

    def _application(self) -> QApplication:
        return cast("QApplication", QApplication.instance())

    def _want_grid(self) -> None:
        id_ = self._id
        self.dismiss()
        if id_ is not None:
            self.grid_wanted.emit(id_)

    def _on_changed(self, _change: object) -> None:
        if self._id is None:
            return
        if self._id not in self._document.program:
            self.dismiss()
        elif self.slider.is_active:
            self._follow_slider(self._document.program[self._id])
        elif self._document.program[self._id] != self._shown:
            self._later.start(0)

    def _follow_slider(self, statement: Statement) -> None:
        """Say the number while it moves; the editors are made anew when it has come to rest."""
        self._say_code(statement)
        field = self.findChild(QLineEdit, "option.data")
        if field is not None and statement.call == "tensor":
            field.setText(leaves.argument_text(statement, "data"))

    def _on_settled(self) -> None:
        if self._id is not None:
            self._later.start(0)

    @Slot()
    def _on_entered(self) -> None:
        """What is in the field was taken: whether it will do says the run."""
        focused = self.focusWidget()
        self._entered = focused.objectName() if focused is not None else ""
        self._on_finished()

    @Slot()
    def _on_finished(self) -> None:
        if self._entered and not self._document.is_running:
            self._ending.start(0)

    @Slot()
    def _end(self) -> None:
        """Close, unless something is wrong, or somebody has gone on in another field by now."""
        if self._later.isActive():  # the fields are still those of before
            self._ending.start(0)
            return
        focused, entered = self.focusWidget(), self._entered
        if self._options is None or not entered or self._document.is_running:
            return
        self._entered = ""
        is_there = isinstance(focused, QLineEdit) and focused.objectName() == entered and not focused.isModified()
        if is_there and self._lacking():
            self._first().setFocus()
        elif is_there and not self._options.says_wrong():
            self.dismiss()

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Close when the focus went to something that is neither in here nor a list that opened from here."""
        if self._id is None or new is None or new is self or self.isAncestorOf(new) or self._later.isActive():
            return
        if new.window() is self.window():
            self.dismiss()


def _within(place: QRect, room: QRect) -> QRect:
    """``place``, moved as little as it takes to lie within ``room``."""
    left = max(room.left() + EDGE, min(place.left(), room.right() - place.width() - EDGE))
    top = max(room.top() + EDGE, min(place.top(), room.bottom() - place.height() - EDGE))
    return QRect(QPoint(left, top), place.size())
