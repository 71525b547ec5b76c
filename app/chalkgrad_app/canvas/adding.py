"""Quick-add on a canvas: where it opens, what it offers there, and what becomes of the thing chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.engine.record import OPS
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.program.vocabulary import LIKE
from chalkgrad.source import emit
from chalkgrad.source.line_writer import INDENT, opening
from chalkgrad_app import settings
from chalkgrad_app.canvas import acts, known_names, targets
from chalkgrad_app.canvas.offers import NOTE, Purpose, Request, offered
from chalkgrad_app.canvas.overlay import curve
from chalkgrad_app.canvas.placing import corner_under, typed_program
from chalkgrad_app.canvas.quick_add import Explained, QuickAdd
from chalkgrad_app.canvas.refusals import refusal
from chalkgrad_app.canvas.room import free_corner
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.catalogue import TENSOR, TENSOR_GRAD
from chalkgrad_app.editors import leaves
from chalkgrad_app.editors.attributes import missing
from chalkgrad_app.editors.unfinished import is_unfinished
from chalkgrad_app.i18n import language, sentence, translate
from chalkgrad_app.naming import cut_short
from chalkgrad_app.picture.anatomy import HEADER, PORT_PITCH, ROW, WIDTH

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

FIRST_PORT = HEADER + PORT_PITCH / 2
"""How far down a card its first port is."""
WIRE = 2.0
BESIDE = 24
"""How far right of a card the list opens that was asked for by key, in pixels."""
MOST, WIDEST = 6, 100
"""So many lines are shown of what an expression builds, and so many characters of each."""


class Adding(QObject):
    """Opens quick-add for a canvas and places what is chosen."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._pointed = True
        self._aims = True
        self._placed_at: QPoint | None = None
        """Where on the screen the pointer was when something was placed last."""
        self.quick = QuickAdd(canvas, self._explained)
        self.quick.chosen.connect(self._on_chosen)
        self.quick.expression.connect(self._on_expression)
        self.quick.closed.connect(canvas.update)
        canvas.overlay_painters.append(self._paint_wire)

    # ------------------------------------------------------------ open

    def anywhere(self) -> None:
        """At the pointer; where that is elsewhere, beside the card selected or in the middle."""
        canvas, pointer = self.canvas, self.pointer()
        if pointer is not None:
            self.at(pointer)
            self._aims = canvas.cursor().pos() != self._placed_at and not canvas.hit(pointer)
        else:
            beside = self._beside_selection() or QPointF(canvas.rect().center())
            self._open(beside, Request(Purpose.PLACE, canvas.placing.selected()), pointed=False)

    def pointer(self) -> QPointF | None:
        """Where on the widget the pointer is; None where it is elsewhere."""
        canvas = self.canvas
        pointer = QPointF(canvas.mapFromGlobal(canvas.cursor().pos()))
        return pointer if canvas.rect().contains(pointer.toPoint()) and canvas.underMouse() else None

    def at(self, view: QPointF) -> None:
        """At a point of the widget; what is chosen reads the selected cards."""
        self._open(view, Request(Purpose.PLACE, self.canvas.placing.selected()))

    def follow(self, source: Ref, view: QPointF, pointed: bool = True) -> None:
        """What can read a tensor, at the point where its wire was let go."""
        self._open(view, Request(Purpose.FOLLOW, (source,)), pointed)

    def feed(self, plug: Plug, view: QPointF) -> None:
        """What can make the tensor that an input port shall read, at the point where its wire was let go."""
        self._open(view, Request(Purpose.FEED, plug=plug))

    def insert(self, plug: Plug, view: QPointF | None = None) -> None:
        """What can stand in the wire that ends in a port."""
        source = self.canvas.document.program[plug.consumer].ports()[plug.port]
        if not isinstance(source, Ref):
            return
        middle = self.canvas.to_view(self._middle(plug))
        self._open(view if view is not None else middle, Request(Purpose.INSERT, (source,), plug))

    def insert_selected(self) -> None:
        """What can stand in the wire chosen, else behind the card selected."""
        canvas, document = self.canvas, self.canvas.document
        if canvas.selected_wire is not None:
            self.insert(canvas.selected_wire)
            return
        chosen = canvas.placing.selected()
        if len(chosen) != 1:
            document.told.emit(translate("Adding", "Select one card or one wire to put an operator behind it."))
            return
        where = self._beside_selection() or QPointF(canvas.rect().center())
        self._open(where, Request(Purpose.INSERT, chosen, ids=(chosen[0].statement,)))

    def change_selected(self) -> None:
        """What the operators of the selected cards can be changed to."""
        ids = self.canvas.rewiring.changeable()
        if not ids:
            words = translate("Adding", "Select an operator that makes a tensor of its own to change it.")
            self.canvas.document.told.emit(words)
            return
        where = self._beside_selection() or QPointF(self.canvas.view_rect_of(ids[0]).bottomLeft())
        self._open(where, Request(Purpose.CHANGE, ids=ids))

    def follow_edit(self) -> None:
        """Close where what it was opened for is gone."""
        request, program = self.quick.request, self.canvas.document.program
        plug = request.plug
        ids = {*request.ids, *(ref.statement for ref in request.sources)}
        lost_port = plug is not None and (
            plug.consumer not in program or plug.port >= len(program[plug.consumer].ports())
        )
        if lost_port or not ids <= program.statements.keys():
            self.quick.dismiss()

    # ------------------------------------------------------------ place

    def _open(self, view: QPointF, request: Request, pointed: bool = True) -> None:
        """Open the list; where nobody pointed at a place, what is chosen gets a free one."""
        self._pointed, self._aims = pointed, True
        self.canvas.editor.finish()
        document = self.canvas.document
        offers = offered(request, document.program, document.state, language())
        self.quick.open_at(view.toPoint(), request, offers, self._cards_of(request))
        self.quick.typed_before = "a" if document.is_empty else ""  # the key, where letters begin an expression

    def _cards_of(self, request: Request) -> list[QRect]:
        """Where the cards lie, on the widget, that a wire comes from or goes to, or that are to be changed."""
        ids = [*request.ids[:1], *(ref.statement for ref in request.sources[-1:])]
        ids += [request.plug.consumer] if request.plug is not None else []
        return [self.canvas.view_rect_of(id_) for id_ in ids if id_ in self.canvas.picture.index]

    def _on_chosen(self, name: str, go_on: bool) -> None:
        """Place what was chosen; with ``go_on`` ask at once what shall follow it."""
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        try:
            made = self._place(name, self.quick.request)
            self._placed_at = self.canvas.cursor().pos()
        except ProgramError as error:
            self.canvas.document.told.emit(sentence(error))
            return
        if name in OPS:
            settings.remember_operator(name)
        if go_on and made is not None and self._is_complete(made):
            self.canvas.editor.finish()
            beside = self._beside_selection() or QPointF(self.canvas.rect().center())
            self.follow(Ref(made), beside, pointed=False)

    def _is_complete(self, id_: int) -> bool:
        """False for a line that lacks something, which is asked first."""
        statement = self.canvas.document.program.statements.get(id_)
        return statement is not None and not missing(statement)

    def _place(self, name: str, request: Request) -> int | None:
        """The edit for what was chosen; returns the id of the new card."""
        canvas, placing, plug = self.canvas, self.canvas.placing, request.plug
        at = canvas.to_scene(QPointF(self.quick.at))
        if name == NOTE:
            canvas.add_note_at(QPointF(self.quick.at))
            return None
        known = known_names.ref_of(canvas.document.program, name)
        if known is not None:
            known_names.choose(canvas, known, plug)
            return None
        if name in acts.ACTS:
            acts.do(canvas, name)
            return None
        if request.purpose is Purpose.CHANGE:
            canvas.rewiring.change_to(name, request.ids)
            return None
        if request.purpose is Purpose.INSERT:
            return placing.insert_operator(name, plug) if plug else placing.insert_after(name, request.ids[0])
        corner = self._corner(at, request)
        if name in (TENSOR, TENSOR_GRAD):
            if corner is None:
                corner = self._below_leaves()
            return placing.place_tensor(name == TENSOR_GRAD, corner, typing=True, plug=plug)
        if name in leaves.CONSTRUCTORS:
            return placing.place_constructed(name, corner, plug)
        inputs = () if request.purpose is Purpose.FEED else request.sources
        if name in LIKE:
            return placing.place_like(name, corner, next(iter(inputs), None), plug)
        return placing.place_operator(name, corner, inputs, plug)

    def _corner(self, at: QPointF, request: Request) -> QPointF | None:
        """Where the new card goes: with its port at the end of the wire let go, else under the pointer.

        None for the place that its inputs ask for.
        """
        if request.purpose is Purpose.FOLLOW and self._pointed:
            corner = at - QPointF(0, FIRST_PORT)
        elif request.purpose is Purpose.FEED:
            corner = at - QPointF(WIDTH, FIRST_PORT)
        elif request.sources or not self._pointed:
            return None
        else:
            corner = corner_under(at)
        return free_corner(self.canvas.picture, corner)

    def _below_leaves(self) -> QPointF | None:
        """Below the last leaf that is in view: tensors placed by key stand in a column."""
        canvas = self.canvas
        leaves = [statement.id for statement in canvas.document.program if statement.kind is Kind.LEAF]
        for rect in map(canvas.picture.rect_of, reversed(leaves)):
            if rect is not None and canvas.scene_rect().intersects(rect):
                return free_corner(canvas.picture, rect.bottomLeft() + QPointF(0, ROW))
        return None

    def _on_expression(self, typed: str) -> None:
        """Build the graph of an expression; the list stays open with a message when it can't be read.

        It goes beside what it reads, unless somebody pointed at free room since something was placed last.
        """
        at = self.canvas.to_scene(QPointF(self.quick.at))
        try:
            pointed = self._pointed and self._aims
            self.canvas.placing.place_expression(typed, at, self.quick.request.plug, pointed)
        except ValueError as error:
            self.quick.show_message(refusal(error, typed))
            return
        self._placed_at = self.canvas.cursor().pos()
        self.quick.dismiss()

    def _explained(self, typed: str) -> Explained:
        """The lines that an expression would make, or why it can't be read; nothing while it is unfinished."""
        program = self.canvas.document.program
        try:
            made = typed_program(typed, program)
        except ValueError as error:
            return Explained(why="" if is_unfinished(error, typed) else refusal(error, typed))
        lines = [cut_short(line, WIDEST) for line in _lines(program, made)]
        more = len(lines) - MOST
        if more > 0:
            lines[MOST:] = [translate("Adding", "and {count} more").format(count=more)]
        built = translate("Adding", "Enter builds:") + "\n" + "\n".join(lines)
        return Explained(built, note=_of_powers(typed, list(made)))

    # ------------------------------------------------------------ inside

    def _paint_wire(self, painter: QPainter) -> None:
        """The wire that was let go still hangs at the list."""
        request, canvas = self.quick.request, self.canvas
        if not self.quick.isVisible() or request.purpose not in (Purpose.FOLLOW, Purpose.FEED):
            return
        loose, down = QPointF(self.quick.at), canvas.picture.drawing.down
        if request.plug is not None:
            path = curve(loose, canvas.to_view(targets.input_point(canvas.picture, request.plug)), down)
        else:
            path = curve(canvas.to_view(targets.output_point(canvas.picture, request.sources[0])), loose, down)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(canvas.palette().highlight().color(), WIRE * canvas.viewport.scale, Qt.PenStyle.DashLine))
        painter.drawPath(path)

    def _beside_selection(self) -> QPointF | None:
        """A point of the widget right of the card selected, where one is in view."""
        chosen = self.canvas.document.selected_statements
        rect = self.canvas.view_rect_of(chosen[-1]) if chosen else None
        if rect is None or not self.canvas.rect().intersects(rect):
            return None
        return QPointF(rect.right() + BESIDE, rect.top())

    def _middle(self, plug: Plug) -> QPointF:
        picture, program = self.canvas.picture, self.canvas.document.program
        source = program[plug.consumer].ports()[plug.port]
        end = targets.input_point(picture, plug)
        return (targets.output_point(picture, source) + end) / 2 if isinstance(source, Ref) else end


def _of_powers(typed: str, statements: Sequence[Statement]) -> str:
    """That ``^`` is no power, where it was typed for an operator."""
    if "^" not in typed or not any(OPS[made.call].name == "bitwise_xor" for made in statements if made.call in OPS):
        return ""
    return translate("Adding", "^ is exclusive or of bits; the power is **: x ** 2")


def _lines(program: Program, made: Program) -> list[str]:
    """What is written down for new statements, below the lines that open their blocks."""
    near = excerpt(program, list(made))
    lines: list[str] = []
    open_: tuple[int, ...] = ()
    for statement in made:
        if not near.is_inline(statement.id):
            chain = made.chain(statement.block)
            lines += [heading for heading, _ in opening(made, open_, chain)]
            lines.append(INDENT * len(chain) + emit.shown_line(near, statement.id))
            open_ = chain
    return lines


def excerpt(program: Program, statements: Sequence[Statement]) -> Program:
    """New statements with those of a program that they refer to: all that writing them down needs."""
    wanted = [ref.statement for statement in statements for ref in statement.refs() if ref.statement in program]
    known = {id_: program[id_] for id_ in sorted(set(wanted), key=program.positions.__getitem__)}
    known.update((statement.id, statement) for statement in statements)
    return Program(known, tuple(known))
