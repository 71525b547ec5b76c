"""Tidying seen on the canvas: one edit, after which the cards glide to their new places.

What is large is worked out in the background; meanwhile one can look around. An edit, or Esc, gives it up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QObject, QPointF, Qt, QVariantAnimation, Signal, Slot

from chalkgrad.layout import Drawing, Group, Task, tidied
from chalkgrad.program import arranging, edits
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.sheet import Sheet
from chalkgrad.stepwise import Stepwise
from chalkgrad_app import settings
from chalkgrad_app.canvas import laying_out
from chalkgrad_app.i18n import translate
from chalkgrad_app.widgets.later import Later

if TYPE_CHECKING:
    from chalkgrad_app.canvas.background import Background
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

GLIDE_MS = 200
MOST = 300
"""With more cards than this nothing glides."""
AT_ONCE = 150
"""With more cards than this another process does the work."""


class Tidying(QObject):
    """Lays out a canvas."""

    worked = Signal(int)  # per cent of what goes on in the background
    ended = Signal()  # nothing goes on any more
    settled = Signal()  # cards that lay roughly lie well, and are seen from their beginning

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._background: Background | None = None
        self._opened = False
        self._gesture = 0
        self._said = ""
        self._framed: Collection[Group] | None = None
        self._from: dict[int, QPointF] = {}
        self._to: dict[int, QPointF] = {}
        self._fitting = Later(self, self._tidy_if_crowded)
        self._glide = QVariantAnimation(self)
        self._glide.setDuration(GLIDE_MS)
        self._glide.setStartValue(0.0)
        self._glide.setEndValue(1.0)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._glide.valueChanged.connect(self._on_step)
        self._glide.finished.connect(self._on_finished)

    @property
    def is_working(self) -> bool:
        """True while a drawing is worked out in the background."""
        return self._background is not None

    @property
    def will_make_room(self) -> bool:
        """True while a run is waited for that may leave the cards no room."""
        return self._gesture != 0

    def tidy(self) -> None:
        """Lay out the selected cards and those between them, or all when less than two are selected; one undo step."""
        self.drop()
        self._withdraw()
        picture = self.canvas.picture
        chosen = [id_ for id_ in self.canvas.document.selection if self._can_move(id_)]
        ids = laying_out.with_between(picture, chosen) if len(chosen) > 1 else set[int]()
        if picture.drawing.lays_out:
            self._give_back(ids or picture.ids)
            return
        if (len(ids) or len(picture.ids)) <= AT_ONCE:
            task = laying_out.task_of(picture, ids)
            self._apply(task, tidied(task))
            return
        self._begin(laying_out.gathered(picture, ids), opened=False)

    def make_room(self, gesture: int) -> None:
        """Tidy within the undo step of ``gesture`` once its run has ended, where the cards have no room then."""
        self._gesture, document = gesture, self.canvas.document
        if document.is_running:
            document.finished.connect(self._on_run_ended, Qt.ConnectionType.SingleShotConnection)
        else:
            self._on_run_ended()

    def glide(self, edit: Callable[[], object]) -> None:
        """Make an edit that moves cards, and let them glide."""
        self._arrive()
        before = self._lying()
        edit()
        self._glide_from(before)

    def bound_for(self, id_: int) -> QPointF | None:
        """Where the corner of a card will be that is on its way."""
        return self._to.get(id_) if self._from else None

    def bring_together(self, ids: Collection[int]) -> None:
        """Have cards of a new block that lie in several rows lie in one, as part of the edit that made the block.

        Else its frame would be mostly empty, and wires in it would leave it on their way back to the left.
        """
        picture = self.canvas.picture
        if picture.drawing.lays_out or len(ids) > AT_ONCE or not laying_out.leads_back(picture, ids):
            return
        task = laying_out.task_of(picture, ids)
        change = laying_out.laid_out(picture, task, tidied(task))
        self.glide(lambda: self.canvas.document.extend(change))
        self.canvas.ensure_visible(ids, glide=True)

    def settle(self, framed: Collection[Group] | None = None) -> None:
        """Lay out all cards where they have rough places, in the background: no undo step.

        ``framed`` says what lies on which frame; as it is seen when None.
        """
        self._end()
        self._withdraw()
        self._framed = framed
        self._begin(laying_out.gathered_afresh(self.canvas.picture, framed), opened=True)

    def keep_in_place(self) -> None:
        """Have tidying leave the selected cards where they are, or no longer when all of them stay already."""
        document = self.canvas.document
        places = {id_: document.board.place(id_) for id_ in document.selected_statements}
        on = not all(place is not None and place.pinned for place in places.values())
        label = translate("Tidying", "Keep in place") if on else translate("Tidying", "Let tidying move it")
        lying = self.canvas.picture.lying(places)

        def keep(sheet: Sheet) -> Change:
            placed = edits.place(sheet.board, {id_: at for id_, at in lying.items() if places[id_] is None})
            return placed.then(edits.keep_in_place(sheet.board.apply(placed), places, on))

        document.do(keep, label)

    def cancel(self) -> bool:
        """Give up what goes on: cards on their way are there at once. False when there was nothing."""
        if self.is_working:
            self._end()
            self._tell(translate("Tidying", "Tidying was cancelled."))
            return True
        gliding = bool(self._from)
        self._arrive()
        return gliding

    def drop(self) -> None:
        """What goes on has no use any more: another drawing is shown, or the window closes."""
        self._end()
        self._arrive()

    def stop(self, change: Change = NOTHING) -> None:
        """The document is another: have the cards there at once, and give up what is worked out for the old one.

        Cards that only lie roughly are laid out anew, unless somebody moved some.
        """
        self._arrive()
        if not self.is_working:
            return
        self._end()
        if self._opened and change.touches_program:
            self.settle(self._framed)
            return
        self._tell(translate("Tidying", "Tidying was given up: the document was edited meanwhile."))

    # ------------------------------------------------------------ inside

    def _tell(self, words: str) -> None:
        self._said = words
        self.canvas.document.told.emit(words)

    def _withdraw(self) -> None:
        """How tidying ended before is of no interest once it begins again."""
        if self._said:
            self.canvas.document.withdrawn.emit(self._said)
            self._said = ""

    @Slot()
    def _on_run_ended(self) -> None:
        self._fitting.schedule()  # once the picture shows how large the cards are

    @Slot()
    def _tidy_if_crowded(self) -> None:
        gesture, self._gesture = self._gesture, 0
        picture, stack = self.canvas.picture, self.canvas.document.undo_stack
        is_newest = stack.index() > 0 and stack.command(stack.index() - 1).id() == gesture
        fits = len(picture.ids) <= AT_ONCE and not picture.drawing.lays_out
        if is_newest and fits and laying_out.is_crowded(picture):
            task = laying_out.task_of(picture)
            self._apply(task, tidied(task), gesture)

    def _give_back(self, ids: Collection[int]) -> None:
        """Have the drawing place these cards, as it does what nobody has moved."""
        before, label = self._lying(), translate("Tidying", "Tidy")
        if self.canvas.document.do(lambda sheet: arranging.give_back(sheet.board, ids), label):
            self._glide_from(before)

    def _can_move(self, id_: int) -> bool:
        picture = self.canvas.picture
        card = id_ in picture.index and not picture.hidden[picture.index[id_]]
        return card or any(fold.id == id_ for fold in picture.folds)

    def _begin(self, gathering: Stepwise[Task], opened: bool) -> None:
        self._opened = opened
        from chalkgrad_app.canvas.background import Background  # what starts processes is needed only now

        self._background = Background(gathering, self)
        self._background.progressed.connect(self.worked)
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self.worked.emit(0)

    def _end(self) -> None:
        background, self._background = self._background, None
        if background is not None:
            background.cancel()
            self.ended.emit()

    def _on_done(self, task: Task, drawing: Drawing) -> None:
        self._background = None
        self.ended.emit()
        if self._opened:
            before = self._lying()
            self.canvas.document.amend(laying_out.laid_out(self.canvas.picture, task, drawing))
            self.canvas.fit_beginning(glide=True)
            self._glide_from(before)
            self.settled.emit()
        else:
            self._apply(task, drawing)

    def _on_failed(self) -> None:
        self._background = None
        self.ended.emit()
        self._tell(translate("Tidying", "Tidying failed: no layout was found in time."))

    def _apply(self, task: Task, drawing: Drawing, gesture: int = 0) -> None:
        canvas, picture = self.canvas, self.canvas.picture
        before = self._lying()
        everything = len(task.nodes) >= len(picture.ids)
        change: Change = laying_out.laid_out(picture, task, drawing)
        change = canvas.document.do(change, translate("Tidying", "Tidy"), gesture)
        if change and everything:
            board = canvas.document.board
            folds = (fold.id for fold in picture.folds)
            canvas.ensure_visible({*picture.ids, *board.notes, *board.frames, *folds}, glide=True)
        if change:
            self._glide_from(before)

    def _lying(self) -> dict[int, QPointF]:
        """Where the cards lie that will glide; nothing where there are too many."""
        picture = self.canvas.picture
        return {id_: picture.rect(id_).topLeft() for id_ in picture.ids} if len(picture.ids) <= MOST else {}

    def _glide_from(self, before: dict[int, QPointF]) -> None:
        if before and settings.MOTION.get() and self.canvas.isVisible():
            self._start(before)

    def _arrive(self) -> None:
        self._glide.stop()
        if self._from:
            self._on_finished()

    def _start(self, before: dict[int, QPointF]) -> None:
        picture = self.canvas.picture
        self._to = {id_: picture.rect(id_).topLeft() for id_ in picture.ids}
        self._from = {
            id_: start for id_, start in before.items() if id_ in picture.index and picture.rect(id_).topLeft() != start
        }
        if self._from:
            self._glide.start()

    def _on_step(self, value: float) -> None:
        """Show the cards ``value`` (0 to 1) of their way along."""
        picture = self.canvas.picture
        places = {}
        for id_, start in self._from.items():
            end = self._to.get(id_)
            if end is not None:
                at = start + (end - start) * value
                places[id_] = (at.x(), at.y())
        picture.show_at(places)
        self.canvas.repaint_still()

    def _on_finished(self) -> None:
        self._from = {}
        self.canvas.picture.show_at({})
        self.canvas.repaint_still()
