"""Questions on the canvas: a form beside the card whose gradient or flags are covered, or of the line to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea

from chalkgrad.program.building import is_gradient
from chalkgrad.program.cards import has_card
from chalkgrad.program.statement import Ref
from chalkgrad_app.canvas.clearance import written
from chalkgrad_app.canvas.floating import Floating
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.anatomy import GRAD_LABEL, PAD
from chalkgrad_app.picture.paint import visible_cards
from chalkgrad_app.predicting import go_back_and_ask, reveal, uncover
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas
    from chalkgrad_app.editors.guess import GuessForm

WIDTH, GAP, MARGIN = 280, 8, 10
WIDER = 2
NARROWEST = 112
"""In pixels at 100% text size: the field of a gradient."""
COVERED = 0.2
"""The field may reach so far into the row of a value: its digits stand lower."""


class PillField(Floating):
    """The field in which a gradient is typed, lying where it will be seen."""

    def __init__(self, canvas: GraphCanvas, form: GuessForm, field: QLineEdit, question: QuestionFrame) -> None:
        super().__init__(canvas, "canvas.question.pill")
        self._canvas = canvas
        self._question = question
        self._form, self._field = form, field
        self._ref = form.question.ref
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def dismiss(self) -> None:
        """Esc closes the question."""
        self._question.dismiss()

    def lie(self) -> bool:
        """On the gradient's row; False where it would hide what is written or not be seen: it stands in the form."""
        box = self._place()
        if box is None or self._form.is_settled or self._hides(box):
            self._give_back()
            return False
        self._borrow()
        canvas, scale = self._canvas, self._canvas.viewport.scale
        size = QSize(round(box.width() * scale), round(box.height() * scale))
        self.setGeometry(QRect(canvas.to_view(box.topLeft()).toPoint(), size))
        return True

    def _place(self) -> QRectF | None:
        """Where it would lie, as places of cards: as wide as the card leaves room for, but wide enough to type in."""
        id_, picture, scale = self._ref.statement, self._canvas.picture, self._canvas.viewport.scale
        if id_ not in picture.index:
            return None
        card, row = picture.rect(id_), picture.anatomy(id_).rows[self._ref.output]
        box = row.grad or row.value
        left = card.left() + box.left + (GRAD_LABEL + 4 if row.grad else 0.0)
        height = max(self._field.sizeHint().height() / scale, box.height)
        width = max(scaled(NARROWEST) / scale, card.right() - left - PAD)
        return QRectF(left, card.top() + box.top + box.height / 2 - height / 2, width, height)

    def _hides(self, place: QRectF) -> bool:
        """Whether it would lie over another card, over a good part of a value of its own, or out of sight."""
        picture, id_ = self._canvas.picture, self._ref.statement
        if not self._canvas.scene_rect().contains(place):
            return True
        near = (picture.ids[row] for row in visible_cards(picture, place).tolist())
        if any(other != id_ and picture.rect(other).intersects(place) for other in near):
            return True
        top, rows = picture.rect(id_).top(), picture.anatomy(id_).rows
        values = (row.value for row in rows if row.grad is not None)
        return any(
            min(place.bottom(), top + box.top + box.height) - max(place.top(), top + box.top) > COVERED * box.height
            for box in values
        )

    def _borrow(self) -> None:
        if self._area.widget() is None:
            is_typed_in = self._field.hasFocus()
            self._form.lend_field(self)
            self._area.setWidget(self._field)
            self.show()
            self.raise_()
            if is_typed_in:
                self._field.setFocus()

    def _give_back(self) -> None:
        is_typed_in = self._field.hasFocus()
        if self._area.widget() is not None and not self._form.is_settled:  # what was asked for is seen there then
            self._area.takeWidget()
            self._form.take_field_back()
            if is_typed_in:
                self._field.setFocus()
        self.hide()


class QuestionFrame(Floating):
    """Floats over the canvas with one form; Esc closes it, what is hidden stays hidden."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas, "canvas.question")
        self.setFrameShape(QFrame.Shape.Box)
        self.setLineWidth(1)
        self.form: GuessForm | None = None
        self.pill: PillField | None = None
        self._side = ""
        self._size = QSize(0, 0)
        self._moved_to: QPoint | None = None
        self._held_at: QPoint | None = None
        self._canvas = canvas
        self._said: QScrollArea | None = None

    def open(self, question: Question) -> None:
        """Ask."""
        from chalkgrad_app.editors.guess import GuessForm

        self.dismiss()
        self._side, self._size, self._moved_to = "", QSize(0, 0), None
        form = self.form = GuessForm(self._canvas.document, question, self)
        margin = scaled(MARGIN)
        layout = form.layout()
        if layout is not None:
            layout.setContentsMargins(margin, margin, margin, margin)
        self._said = form.scroll_said()
        self._said.verticalScrollBar().rangeChanged.connect(self._show_newest)
        self.setFocusProxy(form)  # a click on a button or between them leaves the focus in the field
        form.ended.connect(self.dismiss)
        self._canvas.document.moved.connect(self._on_moved)
        self._canvas.document.changed.connect(self._on_moved)
        form.grown.connect(self._on_grown)
        self._area.setWidget(form)
        if form.field is not None and question.ref.statement in self._canvas.picture.index:
            self.pill = PillField(self._canvas, form, form.field, self)
            form.settled.connect(self.pill.hide)  # what was asked for is seen there now
        self.setAccessibleName(form.answer.title())
        self.show()
        self.raise_()
        self.lie()
        form.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def dismiss(self) -> None:
        """Close it."""
        if self.form is None:
            return
        self._canvas.document.moved.disconnect(self._on_moved)
        self._canvas.document.changed.disconnect(self._on_moved)
        if self._has_focus():  # somebody may type elsewhere by now
            self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setFocusProxy(self._canvas)  # the form goes
        form, self.form, self._said = self._area.takeWidget(), None, None
        pill, self.pill = self.pill, None
        self.hide()
        for widget in (pill, form):
            if widget is not None:
                widget.hide()
                widget.deleteLater()  # it may hold the button whose signal brought us here

    @Slot()
    def _on_grown(self) -> None:
        """Show what the form has just said."""
        self.lie()
        self._show_newest()

    @Slot()
    def _show_newest(self) -> None:
        """Scroll to it; again when the form, which is laid out later, has got its room."""
        if self.form is None or self._said is None or self.form.begun is None or self.form.newest is None:
            return
        bar, height = self._said.verticalScrollBar(), self._said.viewport().height()
        end = self.form.newest.geometry().bottom() + 1
        bar.setValue(min(self.form.begun.y(), max(bar.value(), end - height)))  # what is too high from its beginning

    @Slot(object)
    def _on_moved(self, _what: object) -> None:
        """At another moment other things are hidden; the question of a line leads to another moment by itself."""
        if self.form is not None and self.form.question.about is not Cover.OUTCOMES:
            self.dismiss()

    @Slot()
    def lie(self) -> None:
        """On the side of what is asked about where it hides the least; it stays there while it has room."""
        if self.form is None:
            return
        room, about = self._canvas.rect(), self._about()
        if self.pill is not None and self.pill.lie():
            about.setBottom(max(about.bottom(), self.pill.geometry().bottom()))
            about.setRight(max(about.right(), self.pill.geometry().right()))
        edge = 2 * self.frameWidth()
        width = min(scaled(WIDTH), room.width() - 2 * GAP)
        size = QSize(width, min(self.form.height_at(width - edge) + edge, room.height() - 2 * GAP))
        if self._moved_to is not None:
            self.setGeometry(self._within(self._moved_to.x(), self._moved_to.y(), size))
            return
        spots = self._spots(about, size)
        if spots and (self._side not in spots or self._has_grown(size)):
            self._side = self._clearest(spots)
        self._size = size
        self.setGeometry(spots.get(self._side) or self._within(about.left(), about.bottom() + GAP, size))

    def _has_grown(self, size: QSize) -> bool:
        return size.width() > self._size.width() or size.height() > self._size.height()

    def _spots(self, about: QRect, size: QSize) -> dict[str, QRect]:
        """Where there is room beside what is asked about, by the side."""
        width, height = size.width() + GAP, size.height() + GAP
        corners = {
            "below": (about.left(), about.bottom() + GAP),
            "above": (about.left(), about.top() - height),
            "right": (about.right() + GAP, about.top()),
            "left": (about.left() - width, about.top()),
        }
        spots = {side: self._within(x, y, size) for side, (x, y) in corners.items()}
        spots |= self._bands(about, size)
        return {side: spot for side, spot in spots.items() if not spot.intersects(about)}

    def _bands(self, about: QRect, size: QSize) -> dict[str, QRect]:
        """Below and above all cards: where the form is lower there than it likes to be, it is wider, and scrolls."""
        assert self.form is not None
        canvas, room = self._canvas, self._canvas.rect().adjusted(GAP, GAP, -GAP, -GAP)
        lowest = self.form.lowest_at(size.width())
        bounds = canvas.picture.bounds()
        cards = QRectF(canvas.to_view(bounds.topLeft()), canvas.to_view(bounds.bottomRight())).toAlignedRect()
        heights = {"under all": room.bottom() - cards.bottom() - GAP, "over all": cards.top() - GAP - room.top()}
        found = {}
        for side, free in heights.items():
            height = min(size.height(), max(free, lowest))
            width = size.width() if height == size.height() else min(WIDER * size.width(), room.width())
            top = max(cards.top() - GAP - height, room.top()) if side == "over all" else cards.bottom() + GAP
            found[side] = self._within(about.left(), top, QSize(width, height))
        return found

    def _clearest(self, spots: dict[str, QRect]) -> str:
        """The side where it hides the fewest of the values that an answer is worked out from."""
        boxes = np.array([(r.left(), r.top(), r.right(), r.bottom()) for r in spots.values()], float)
        hidden = written(self._canvas).hidden_by(boxes)
        return list(spots)[int(np.argmin(hidden))]

    def _within(self, x: int, y: int, size: QSize) -> QRect:
        """A rectangle there, or as near as the canvas has room for it."""
        room = self._canvas.rect().adjusted(GAP, GAP, -GAP, -GAP)
        left = max(room.left(), min(x, room.right() - size.width()))
        top = max(room.top(), min(y, room.bottom() - size.height()))
        return QRect(QPoint(left, top), size)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the form by its ground."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held_at = event.globalPosition().toPoint() - self.pos()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Where it is dragged it stays."""
        if self._held_at is not None:
            self._moved_to = event.globalPosition().toPoint() - self._held_at
            self.lie()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of it."""
        self._held_at = None
        super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """An edge that is seen on every ground."""
        super().paintEvent(event)
        painter = QPainter(self)
        try:
            painter.setPen(theme.current().color("muted"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        finally:
            painter.end()

    def _has_focus(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and any(
            around is focused or around.isAncestorOf(focused) for around in (self, self.pill) if around is not None
        )

    def _about(self) -> QRect:
        """Where on the canvas the thing asked about is: a card's row, a card; nothing: the middle."""
        assert self.form is not None
        canvas, question = self._canvas, self.form.question
        id_ = question.ref.statement
        if id_ not in canvas.picture.index:
            statement = canvas.document.program.statements.get(id_)
            roots = [] if statement is None else [ref.statement for ref in statement.refs()]
            id_ = next((root for root in roots if root in canvas.picture.index), -1)
        if id_ not in canvas.picture.index:
            return QRect(canvas.rect().center(), QSize(0, 0))
        rect = canvas.view_rect_of(id_)
        places = canvas.picture.anatomy(id_).rows
        if question.about is Cover.GRADIENTS and question.ref.output < len(places):
            box = places[question.ref.output].grad or places[question.ref.output].value
            rect.setBottom(rect.top() + round((box.top + box.height) * canvas.viewport.scale))
        return rect


class Asking(QObject):
    """Opens the questions of one canvas, and says which comes next."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._frame: QuestionFrame | None = None

    @property
    def form(self) -> GuessForm | None:
        """The form that is open."""
        return None if self._frame is None else self._frame.form

    @Slot(object)
    def ask(self, question: Question) -> None:
        """Open a question."""
        if self._frame is None:
            self._frame = QuestionFrame(self._canvas)
        self._frame.open(question)

    def follow(self) -> None:
        """Lie where the card lies now."""
        if self._frame is not None:
            self._frame.lie()

    def close(self) -> None:
        """Close the question that is open."""
        if self._frame is not None:
            self._frame.dismiss()

    def ask_next(self) -> None:
        """Ask what the selected card hides, else the first card that hides something, else a line that has run."""
        question = self.next_question()
        if question is None:
            if not go_back_and_ask(self._canvas.document):
                self._canvas.document.told.emit(translate("Asking", "Nothing is hidden here"))
            return
        self._canvas.ensure_visible([question.ref.statement])
        uncover(self._canvas.document, question)

    def show_next(self) -> bool:
        """Show what the question that is open asks, else the next thing hidden; False where nothing is."""
        if self.form is not None:
            self.form.give_up()
            return True
        question = self.next_question() if self._canvas.document.covers.hidden else None
        if question is None:
            return False
        self._canvas.ensure_visible([question.ref.statement])
        reveal(self._canvas.document, question)
        return True

    def next_question(self) -> Question | None:
        """The first thing hidden in the selected cards, else of all."""
        document = self._canvas.document
        cards = [id_ for id_ in document.program.order if has_card(document.program, document.program[id_])]
        chosen = [id_ for id_ in cards if id_ in document.selection]
        found = (question for id_ in (*chosen, *cards) for question in self._hidden_at(id_))
        return next(found, None)

    def _hidden_at(self, id_: int) -> list[Question]:
        document = self._canvas.document
        state, found = document.state, []
        for output, tensor in enumerate(state.statement(id_).outputs):
            if tensor is None:
                continue
            if not tensor.has_flags:
                found.append(Question(Cover.FLAGS, Ref(id_, output)))
            may_have = tensor.requires_grad or tensor.grad is not None or is_gradient(document.program[id_])
            if may_have and state.is_covered(tensor):
                found.append(Question(Cover.GRADIENTS, Ref(id_, output)))
        return found
