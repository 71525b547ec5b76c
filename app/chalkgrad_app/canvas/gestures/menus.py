"""The context menus of card, wire, canvas, note and frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QAction, QColor, QIcon, QPixmap
from PySide6.QtWidgets import QMenu

from chalkgrad_app import steps
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.actions.steps import REASONS
from chalkgrad_app.canvas import targets, wiring
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.canvas.order import HUE_LABELS
from chalkgrad_app.canvas.things import things_at
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import as_title
from chalkgrad_app.picture import node_arrays
from chalkgrad_app.picture.frames import hue_role
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import code_font

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

TAGS = ("detach", "data", "T", "clone")
TAG_TEXTS = {"detach": ".detach()", "data": ".data", "T": ".T", "clone": ".clone()"}

SEPARATOR = "-"
CARD = (
    "rename",
    "editValue",
    "editOptions",
    "showNumbers",
    "toggleRequiresGrad",
    SEPARATOR,
    "@steps",
    "registerHook",
    "removeHook",
    SEPARATOR,
    "@reasons",
    "copy",
    "copyValue",
    "duplicate",
    "goToNodes",
)
CARD_WIRES = ("changeOperator", "insertOperator", "swapInputs", "pullOut", "disconnect", "deleteReconnect")
CARD_PLACE = ("label", "keepInPlace", "frame", "fold", "wrapNoGrad", "unwrap")
CARD_END = (SEPARATOR, "delete")
CANVAS = ("quickAdd", "addTensor", "addTensorGrad", "@note", SEPARATOR, "paste", SEPARATOR, "tidy", "fitAll")
NODE = ("goToCard", "lookAtNode", "why", "copyValue", SEPARATOR)
GRAPH = ("foldGraphs", "showGraphs", SEPARATOR, "compareGraphs")
ALIGN = ("alignLeft", "alignTop", "distributeHorizontally", "distributeVertically")
STEPS = (steps.backward, steps.retain_grad, steps.zero_to_none, steps.zero_to_zeros, steps.detach, steps.requires_grad)
"""What a card's menu appends, each shown as the exact line."""


class Command(QObject):
    """A slot that calls one function; owned by its menu."""

    def __init__(self, parent: QObject, call: Callable[[], object]) -> None:
        super().__init__(parent)
        self._call = call

    def run(self) -> None:
        """Call it."""
        self._call()


class ContextMenus:
    """Makes the menu for what is under the pointer. Actions of the window are shown with their shortcuts."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas

    def menu(self, hit: Hit, at: QPointF) -> QMenu:
        """The menu for a hit; what is under the pointer is selected first."""
        menu = QMenu(self.canvas)
        menu.setObjectName("canvas.menu")
        canvas = self.canvas
        wire = targets.wire_at(hit)
        if wire is not None:
            canvas.select_wire(wire)
            self._fill_wire(menu, wire)
        elif hit.kind in (HitKind.NODE, HitKind.BAND):
            self._fill_node(menu, hit)
        elif hit.id is None:
            self._fill_canvas(menu, at)
        elif hit.kind is HitKind.BLOCK:
            self._fill_block(menu, hit)
        else:
            ids = things_at(canvas.picture, hit) if hit.kind is HitKind.FOLD else frozenset({hit.id})
            if not ids <= canvas.document.selection:
                canvas.document.select(ids)
            if hit.kind is HitKind.LINE and hit.id not in canvas.picture.index:
                self._add_actions(menu, ("delete",))
            else:
                self._fill_thing(menu, hit)
        return menu

    # ------------------------------------------------------------ kinds of menus

    def _fill_thing(self, menu: QMenu, hit: Hit) -> None:
        """The menu of a card, a note or a plain frame."""
        if hit.kind is HitKind.NOTE and hit.id is not None:
            self._add(menu, translate("Menus", "Edit note"), partial(self.canvas.edit_field, Field(Part.NOTE, hit.id)))
            self._add_actions(menu, ("copy", "delete"))
        elif hit.kind is HitKind.FRAME and hit.id is not None:
            title = translate("Menus", "Edit title")
            self._add(menu, title, partial(self.canvas.edit_field, Field(Part.TITLE, hit.id)))
            self._add_actions(menu, (*ALIGN, SEPARATOR, "@colours", "fold", SEPARATOR, "delete"))
        elif hit.kind is HitKind.FOLD and hit.id is not None:
            if hit.id in self.canvas.document.board.frames:
                title = translate("Menus", "Edit title")
                self._add(menu, title, partial(self.canvas.edit_field, Field(Part.TITLE, hit.id)))
            self._add_actions(menu, ("fold", *ALIGN, SEPARATOR, "copy", "delete"))
        else:
            self._fill_card(menu)

    def _fill_card(self, menu: QMenu) -> None:
        """What can be done with the cards selected; all that ever can would be higher than many a screen."""
        self._add_actions(menu, (*self._usable(CARD), SEPARATOR))
        self._add_submenu(menu, translate("Menus", "Operator and wires"), CARD_WIRES)
        self._add_submenu(menu, translate("Menus", "Place and frame"), CARD_PLACE)
        self._add_actions(menu, self._usable(CARD_END))

    def _fill_node(self, menu: QMenu, hit: Hit) -> None:
        """The menu of a node beside the board, or of the title of a graph of them."""
        if hit.kind is HitKind.NODE:
            self.canvas.nodes.choose((node_arrays.NODE, hit.node), show=False)
            self._add_actions(menu, NODE)
        elif hit.id is not None:
            self.canvas.document.select([hit.id])
        self._add_actions(menu, GRAPH)

    def _fill_canvas(self, menu: QMenu, at: QPointF) -> None:
        canvas = self.canvas
        for id_ in CANVAS:
            if id_ == "@note":
                self._add(menu, translate("Menus", "Add note"), partial(canvas.add_note_at, at))
            elif id_ == "quickAdd" and canvas.action(id_) is None:
                self._add(menu, translate("Menus", "Quick add..."), partial(canvas.quick_add_at, at))
            else:
                self._add_actions(menu, (id_,))

    def _fill_wire(self, menu: QMenu, plug: Plug) -> None:
        canvas, document = self.canvas, self.canvas.document
        source = wiring.source(document.program, plug)
        ends = ((source.statement, True), (plug.consumer, False)) if source is not None else ()
        for id_, start in ends:
            name = document.program[id_].name or translate("Menus", "line {n}").format(n=document.program.lines[id_])
            words = translate("Menus", "Go to {name}").format(name=name)
            self._add(menu, words, partial(canvas.keyboard.go_to_end, plug, start))
        menu.addSeparator()
        insert = self._add(menu, translate("Menus", "Insert operator..."), partial(canvas.adding.insert, plug))
        self._show_key(insert, "insertOperator")
        menu.addSeparator()
        for call in TAGS:
            text = translate("Menus", "Insert {tag}").format(tag=TAG_TEXTS[call])
            if call in wiring.PATH_TAGS or wiring.has_operator(call):
                self._add(menu, text, partial(canvas.add_tag, plug, call))
        for number, text in enumerate(wiring.tag_texts(document.program, plug)):
            words = translate("Menus", "Remove {tag}").format(tag=text)
            self._add(menu, words, partial(canvas.remove_tag, plug, number))
        menu.addSeparator()
        remove = self._add(menu, translate("Menus", "Delete wire"), partial(canvas.remove_wire, plug))
        self._show_key(remove, "delete")

    def _show_key(self, entry: QAction, id_: str) -> None:
        """Show beside an entry the key that does the same to the wire chosen."""
        if (action := self.canvas.action(id_)) is not None:
            entry.setShortcut(action.shortcut())

    def _fill_block(self, menu: QMenu, hit: Hit) -> None:
        if hit.id is not None:
            self.canvas.document.select(things_at(self.canvas.picture, hit))
            if hit.id in self.canvas.document.program.bodies:
                rounds = partial(self.canvas.edit_field, Field(Part.ROUNDS, hit.id))
                self._add(menu, translate("Menus", "Rounds of the loop..."), rounds)
                self._add_actions(menu, ("nextRound", "previousRound", "playRounds", SEPARATOR))
            self._add(menu, translate("Menus", "Unwrap"), partial(self.canvas.unwrap_block, hit.id))
            self._add_actions(menu, ("fold",))

    # ------------------------------------------------------------ inside

    def _add_actions(self, menu: QMenu, ids: Sequence[str]) -> None:
        for id_ in ids:
            action = self.canvas.action(id_)
            if id_ == SEPARATOR:
                menu.addSeparator()
            elif id_ == "@steps":
                self._add_steps(menu)
            elif id_ == "@reasons":
                self._add_submenu(menu, translate("Bars", "Why?"), REASONS)
            elif id_ == "@colours":
                self._add_colours(menu)
            elif action is not None:
                menu.addAction(action)

    def _add_submenu(self, menu: QMenu, title: str, ids: Sequence[str]) -> None:
        """A menu of those that can be done now; without one where there is none."""
        if usable := self._usable(ids):
            self._add_actions(menu.addMenu(title), usable)

    def _usable(self, ids: Sequence[str]) -> list[str]:
        """Those of ``ids`` that can do something with what is selected now; the actions themselves follow later."""
        document = self.canvas.document
        conditions = {id_: BY_ID[id_].enabled for id_ in ids if id_ in BY_ID}
        return [id_ for id_ in ids if (enabled := conditions.get(id_)) is None or enabled(document)]

    def _add_colours(self, menu: QMenu) -> None:
        """The colours that a frame may have, the one it has checked."""
        document = self.canvas.document
        chosen = {frame.hue for id_, frame in document.board.frames.items() if id_ in document.selection}
        colours = menu.addMenu(translate("Menus", "Colour"))
        for hue, text in HUE_LABELS.items():
            action = self._add(colours, translate("Order", text), partial(self.canvas.order.paint_frames, hue))
            action.setCheckable(True)
            action.setChecked(hue in chosen)
            if hue:
                action.setIcon(_swatch(theme.current().color(hue_role(hue))))

    def _add_steps(self, menu: QMenu) -> None:
        """The lines that can be appended for what is selected, as they will be written."""
        document = self.canvas.document
        for make in STEPS:
            lines = make(document)
            if lines:
                shown = self._add(menu, steps.text(document, lines), partial(steps.run, document, make))
                shown.setObjectName(f"canvas.menu.{make.__name__}")
                shown.setFont(code_font())

    def _add(self, menu: QMenu, text: str, call: Callable[[], object]) -> QAction:
        action = menu.addAction(as_title(text))
        action.triggered.connect(Command(menu, call).run)
        return action


def _swatch(color: QColor) -> QIcon:
    pixmap = QPixmap(12, 12)
    pixmap.fill(color)
    return QIcon(pixmap)
