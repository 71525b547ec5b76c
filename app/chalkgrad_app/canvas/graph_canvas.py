"""The canvas one works with: the view joined with gestures, editor, quick-add, drops, keys, menus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QPainter,
)
from PySide6.QtWidgets import QToolTip, QWidget

from chalkgrad.program import edits
from chalkgrad.program.change import Change
from chalkgrad.program.statement import Kind
from chalkgrad_app.canvas import accessible, fields, hovering, overlay, targets
from chalkgrad_app.canvas.adding import Adding
from chalkgrad_app.canvas.asking import Asking
from chalkgrad_app.canvas.draw_as import caption
from chalkgrad_app.canvas.drop import Drops
from chalkgrad_app.canvas.editing import Editing
from chalkgrad_app.canvas.event_pill import EventPill
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.fold_motion import FoldMotion
from chalkgrad_app.canvas.gestures import Gestures
from chalkgrad_app.canvas.gestures.base import Pointer
from chalkgrad_app.canvas.gestures.menus import ContextMenus
from chalkgrad_app.canvas.gestures.scrub import paint_handle, scrubs_at
from chalkgrad_app.canvas.gradient_pills import GradientPills
from chalkgrad_app.canvas.growing import Growing
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.canvas.in_view import InView
from chalkgrad_app.canvas.inline_editor import InlineEditor
from chalkgrad_app.canvas.keyboard import Keyboard
from chalkgrad_app.canvas.leading import Leading
from chalkgrad_app.canvas.locks import Locks
from chalkgrad_app.canvas.loop_counters import LoopCounters
from chalkgrad_app.canvas.nodes import Nodes
from chalkgrad_app.canvas.note_preview import NotePreview
from chalkgrad_app.canvas.order import Order
from chalkgrad_app.canvas.part_marks import PartMarks
from chalkgrad_app.canvas.path_marks import PathMarks
from chalkgrad_app.canvas.placing import NOTE_ROOM, Placing
from chalkgrad_app.canvas.redrawing import Redrawing
from chalkgrad_app.canvas.rewiring import Rewiring
from chalkgrad_app.canvas.room import free_corner
from chalkgrad_app.canvas.settling import Settling
from chalkgrad_app.canvas.staying import Staying
from chalkgrad_app.canvas.ticking import Ticking
from chalkgrad_app.canvas.tidying import Tidying
from chalkgrad_app.canvas.views import Views
from chalkgrad_app.canvas.wire_choice import WireChoice
from chalkgrad_app.document import Document, new_gesture
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import changing
from chalkgrad_app.widgets.slices import Slices


class GraphCanvas(WireChoice):
    """Shows a document and edits it. Methods named as actions are what the window's actions call."""

    file_dropped = Signal(object)  # a Path

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hovered = Hit()
        self.slices: list[Slices] = []  # what goes on in slices, and Escape gives up
        self.placing = Placing(self)
        self.keyboard = Keyboard(self)
        self.dispatcher = Gestures(self)
        self.gestures = self.dispatcher
        self.menus = ContextMenus(self)
        self.drops = Drops(self)
        self.tidying = Tidying(self)
        self.growing = Growing(self)
        self.staying = Staying(self)
        self.leading = Leading(self)
        self.locks = Locks(self)
        self.path_marks = PathMarks(self)
        self.part_marks = PartMarks(self)
        self.ticking = Ticking(self)
        self.nodes = Nodes(self)
        self.order = Order(self)
        self.folding = FoldMotion(self)
        self.views = Views(self)
        self.redrawing = Redrawing(self)
        self.settling = Settling(self)
        self.in_view = InView(self)
        self.editor = InlineEditor(self, self.field_rect)
        self.editing = Editing(self)
        self.asking = Asking(self)
        self.adding = Adding(self)
        self.quick = self.adding.quick
        self.rewiring = Rewiring(self)
        self.gradient_pills = GradientPills(self)
        self.event_pill = EventPill(self, self.gradient_pills)
        self.loop_counters = LoopCounters(self)
        self.note_preview = NotePreview(self)
        self.overlay_painters.append(self._paint_overlay)
        self.setAcceptDrops(True)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setAccessibleName(translate("Canvas", "Graph canvas"))
        accessible.install()
        self.set_document(document)

    # ------------------------------------------------------------ read

    def set_document(self, document: Document) -> None:
        """Show and edit ``document``."""
        if self._document is not None:
            self._document.changed.disconnect(self._on_document_changed)
            self._document.selected.disconnect(self._on_selected)
            self.nodes.leave(self._document)
            self._document.drawn.disconnect(self._on_drawn)
            self._document.covers.asking.disconnect(self.asking.ask)
        self._leave_editors()
        self.redrawing.slices.give_up()
        self.settling.slices.drop()
        self.views.forget()
        super().set_document(document)
        self.ticking.watch(document)
        self.growing.watch(document)
        self.staying.watch(document)
        self.in_view.watch(document)
        document.changed.connect(self._on_document_changed)
        document.selected.connect(self._on_selected)
        self.nodes.follow(document)
        document.drawn.connect(self._on_drawn)
        document.covers.asking.connect(self.asking.ask)

    def action(self, id_: str) -> QAction | None:
        """The window's action with this id, or None."""
        found = self.window().findChild(QAction, f"action.{id_}")
        return found if isinstance(found, QAction) else None

    def is_card(self, hit: Hit) -> bool:
        """True when a card, or a port of one, was hit."""
        return hit.kind in targets.ON_CARD

    def view_centre(self) -> QPointF:
        """The point of the canvas in the middle of what is seen."""
        return self.scene_rect().center()

    def view_rect_of(self, id_: int) -> QRect:
        """Where a card, note or frame lies on the widget."""
        return self.viewport.rect_to_view(self.picture.rect_of(id_) or QRectF()).toRect()

    def field_rect(self, field: Field) -> QRect:
        """Where a field lies on the widget."""
        return self.viewport.rect_to_view(targets.field_rect(self.picture, field)).toRect()

    def fixed_point(self) -> QPointF:
        """Keys zoom to the pointer; where it is elsewhere, to what one works at, as far as that is in view."""
        pointer = self.adding.pointer()
        if pointer is not None and self.childAt(pointer.toPoint()) is None:
            return pointer
        seen = QRectF(self.rect() & self.keyboard.at_work())
        return super().fixed_point() if seen.isEmpty() else seen.center()

    # ------------------------------------------------------------ actions

    def show_all(self, glide: bool = False) -> None:
        """Show everything, of a drawing that is being made, too."""
        self.redrawing.look_then(self.fit_all)
        self.fit_all(glide)

    def fit_selection(self) -> None:
        """Show the selection, or everything."""
        self.redrawing.look_then(self.fit_selection)
        if not self.nodes.fit():
            self.fit(glide=True)

    def delete_selected(self) -> None:
        """Delete the wire chosen, else what is selected."""
        if self.selected_wire is not None:
            self.remove_wire(self.selected_wire)
        elif self.document.selection:
            self.document.delete(self.document.selection)
        else:
            self.nodes.refuse_deletion()

    def rename_selected(self) -> None:
        """Edit the name of the card selected, of several the one with the focus; a frame's title, a note's text."""
        document, board = self.document, self.document.board
        id_ = next(iter(document.selection & {self.focus_id}), self._only_selected())
        if id_ is None:
            document.told.emit(translate("Actions", "Select one card, note or frame first"))
            return
        part = Part.NOTE if id_ in board.notes else Part.TITLE if id_ in board.frames else Part.NAME
        if part is not Part.NAME or document.program[id_].targets:
            self.edit_field(Field(part, id_))
        else:
            document.told.emit(translate("Canvas", "This line gives nothing a name"))

    def toggle_requires_grad(self) -> None:
        """Switch ``requires_grad`` in the lines of the selected leaves."""
        program = self.document.program
        leaves = [program[id_] for id_ in self.document.selected_statements if program[id_].kind is Kind.LEAF]
        gesture, label = new_gesture(), changing(self.document.sheet, [leaf.id for leaf in leaves], "requires_grad")
        for leaf in leaves:
            statement = fields.toggled_requires_grad(leaf)
            self.document.do(edits.put(self.document.program, statement), label, gesture)

    def place_operator(self, name: str) -> int:
        """Place an operator, wired to what is selected; returns its id."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return self.placing.place_operator(name)

    def place_tensor(self, requires_grad: bool) -> int:
        """Place a leaf with its name ready to be typed; returns its id."""
        return self.placing.place_tensor(requires_grad, typing=True)

    def build_expression(self, typed: str) -> None:
        """Build the graph of an expression in the middle of what is seen. SourceError when it can't be read."""
        self.placing.place_expression(typed, self.view_centre())

    def add_note(self) -> None:
        """A new note where there is room near the pointer, else near the middle of what is seen, ready to be typed."""
        width, height = NOTE_ROOM
        pointer = self.adding.pointer()
        corner = self.view_centre() - QPointF(width / 2, height / 2) if pointer is None else self.to_scene(pointer)
        self.add_note_at(self.to_view(free_corner(self.picture, corner, NOTE_ROOM)))

    def tidy(self) -> None:
        """Lay out the selection, or everything when less than two cards are selected."""
        self.tidying.tidy()

    def unwrap_selected(self) -> None:
        """Take away the innermost blocks around the selected lines."""
        program = self.document.program
        for block in dict.fromkeys(program[id_].block for id_ in self.document.selected_statements):
            if block is not None and block in self.document.program.blocks:
                self.unwrap_block(block)

    # ------------------------------------------------------------ what gestures and menus call

    def edit_field(self, field: Field, gesture: int = 0) -> None:
        """Open the floating editor over a field; the window with the numbers for a value too large for one."""
        if not gesture and self.editing.takes(field):
            return
        self.quick.dismiss()
        self.ensure_visible([field.id])
        self.editor.edit(self.document, field, gesture)

    def quick_add_at(self, view: QPointF) -> None:
        """Open quick-add at a point of the widget."""
        self.adding.at(view)

    def add_note_at(self, view: QPointF) -> None:
        """A new note at a point of the widget, ready to be typed."""
        gesture = new_gesture()
        note = self.placing.place_note(self.to_scene(view), gesture)
        self.edit_field(Field(Part.NOTE, note), gesture)

    def add_text(self, text: str, view: QPointF | None = None) -> None:
        """Read PyTorch text dropped at a point of the widget, or pasted into it."""
        self.drops.take_text(text, view)

    def unwrap_block(self, block: int) -> None:
        """Take a ``with`` block away; its lines stay."""
        self.document.do(lambda sheet: edits.unwrap(sheet.program, block), translate("Canvas", "Unwrap"))

    def focus_moved(self, id_: int | None, ring: bool = True) -> None:
        """Show the focus at a card and tell screen readers."""
        self.set_focus_id(id_ if ring else None)
        accessible.focus_moved(self, id_)

    def open_menu(self, hit: Hit, at: QPoint) -> None:
        """Open the menu for what was hit at a point of the widget."""
        menu = self.menus.menu(hit, QPointF(at))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(at))

    def hover_at(self, view: QPointF) -> None:
        """Light up what lies under the pointer, and give the pointer its shape."""
        hit = self.hit(view)
        if self.dispatcher.active is None and not self.is_panning:
            at = Pointer(view, self.to_scene(view))
            drags = scrubs_at(self.picture, hit, at) and hit.kind is HitKind.VALUE
            self.setCursor(Qt.CursorShape.SizeHorCursor if drags else hovering.cursor_for(hit))
        if hit != self.hovered:
            self.hovered = hit
            self.update()

    # ------------------------------------------------------------ Qt events

    def event(self, event: QEvent) -> bool:
        """Tooltips tell what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = hovering.tooltip(self.picture, self.hit(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), hovering.plain(words), self)
            return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from card to card, and on to the next widget after the last."""
        if self.hasFocus() and self.keyboard.tab(1 if forward else -1):
            return True
        return super().focusNextPrevChild(forward)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A gesture does not go on in a window that is no longer active."""
        if isinstance(event, QFocusEvent) and event.reason() == Qt.FocusReason.ActiveWindowFocusReason:
            self.dispatcher.cancel()
        super().focusOutEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of what is under the pointer; with the Menu key, of the card with the focus."""
        event.accept()
        if not self.dispatcher.menu.keeps(event):
            self.open_menu(*self._menu_target(event))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """See :class:`Drops`."""
        self.drops.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """See :class:`Drops`."""
        self.drops.enter(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """See :class:`Drops`."""
        self.drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """See :class:`Drops`."""
        self.drops.drop(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(translate("Canvas", "Graph canvas"))

    # ------------------------------------------------------------ inside

    def _paint_overlay(self, painter: QPainter) -> None:
        """What moves: the hovered wire or port, the wire chosen, the gesture, the card dragged in."""
        if self.editor.is_open:
            self.editor.follow()
        self.editing.follow()
        self.asking.follow()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.note_preview.paint(painter)
        origin = self.to_view(QPointF(0, 0))
        painter.translate(origin)
        painter.scale(self.viewport.scale, self.viewport.scale)
        if self.dispatcher.active is None:
            overlay.paint_hovered(painter, self.picture, self.hovered, self.document.selection, self.viewport.level)
            paint_handle(painter, self.picture, self.hovered)
        overlay.paint_wire_marks(painter, self.picture, self.selected_wire, self.hovered, self.palette())
        self.folding.paint(painter)
        self.dispatcher.paint(painter)
        self.drops.paint(painter)

    def _on_document_changed(self, change: Change) -> None:
        self.dispatcher.on_edit(change)
        self.forget_lost_wire()
        if self.keyboard.card is None:
            self.set_focus_id(None)
        self.tidying.stop(change)
        self.redrawing.follow()
        self.editor.follow()
        self.adding.follow_edit()

    def _on_drawn(self, _before: str) -> None:
        self._leave_editors()
        self.redrawing.go()
        self.document.told.emit(caption(self.document.drawing))

    def _leave_editors(self) -> None:
        """Nothing of what was under way goes on in another document, or another drawing."""
        self.dispatcher.cancel()
        self.editor.close_editor()
        self.editing.close()
        self.asking.close()
        self.quick.dismiss()

    def _on_selected(self) -> None:
        if self.document.selection:
            self.selected_wire = None
        accessible.selection_changed(self)

    def _only_selected(self) -> int | None:
        return next(iter(self.document.selection)) if len(self.document.selection) == 1 else None

    def _menu_target(self, event: QContextMenuEvent) -> tuple[Hit, QPoint]:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            hit, key = self.keyboard.hit(), self.nodes.chosen()
            rect = self.rect() if hit.id is None else self.view_rect_of(hit.id)
            return hit, (rect if key is None else self.nodes.view_rect(key)).center()
        return self.hit(QPointF(event.pos())), event.pos()
