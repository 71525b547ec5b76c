"""Everything a person can do, as one table: what it is called, its key, where it is found, what it calls.

The main window makes a QAction of each record; menus, toolbar, context menus and the command palette list them by id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chalkgrad.program.statement import Kind
from chalkgrad_app import settings
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate

Enabled = Callable[[Document], bool]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    ``target`` is the window's part that does it (``"document"``, ``"canvas"``, ``"filing"``, ``"clipboard"``,
    ``"presenting"``, ``"window"`` itself) or ``"steps"``: a function of :mod:`chalkgrad_app.steps`, whose lines are
    appended. ``method`` is its name there. ``on_canvas``: the key works while the canvas has the focus
    only. ``argument`` is passed to the method where it is not None. ``checked`` tells whether a checkable one is on.
    """

    id: str
    text: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    target: str = "window"
    method: str = ""
    argument: object = None
    on_canvas: bool = False
    checkable: bool = False
    checked: Callable[[], bool] | None = None
    enabled: Enabled | None = None
    hint: str = ""

    @property
    def object_name(self) -> str:
        """The name for automation and screen readers."""
        return f"action.{self.id}"

    def title(self) -> str:
        """The text in the language in use."""
        return translate("Actions", self.text)

    def why_not(self) -> str:
        """Why it can't be done now, where ``enabled`` says so, in the language in use."""
        return translate("Actions", WHY_NOT.get(self.enabled, NOTHING_TO_DO) if self.enabled else NOTHING_TO_DO)

    def tip(self) -> str:
        """The sentence of the tooltip in the language in use."""
        return translate("Actions", self.hint or self.text)


def _has_lines(document: Document) -> bool:
    return bool(document.program.order)


def _has_selection(document: Document) -> bool:
    return bool(document.selection)


def _has_statements(document: Document) -> bool:
    return bool(document.selected_statements)


def _one_or_fold(document: Document) -> bool:
    return _one_selected(document) or bool(document.selection and document.board.folds)


def _several_selected(document: Document) -> bool:
    return len(document.selection) > 1


def _has_frame(document: Document) -> bool:
    return any(id_ in document.board.frames for id_ in document.selection)


def _one_selected(document: Document) -> bool:
    return len(document.selection) == 1


def _in_block(document: Document) -> bool:
    return any(document.program[id_].block is not None for id_ in document.selected_statements)


def _has_leaf(document: Document) -> bool:
    return any(document.program[id_].kind is Kind.LEAF for id_ in document.selected_statements)


def _is_past(document: Document) -> bool:
    return document.is_past


def _has_problems(document: Document) -> bool:
    return bool(document.state.problems)


WHY_NOT: dict[Enabled, str] = {
    _has_lines: QT_TRANSLATE_NOOP("Actions", "There are no cards yet"),
    _has_selection: QT_TRANSLATE_NOOP("Actions", "Select something first"),
    _has_statements: QT_TRANSLATE_NOOP("Actions", "Select a card first"),
    _one_selected: QT_TRANSLATE_NOOP("Actions", "Select one card, note or frame first"),
    _one_or_fold: QT_TRANSLATE_NOOP("Actions", "Select one card, note or frame first"),
    _several_selected: QT_TRANSLATE_NOOP("Actions", "Select two or more cards, notes or frames first"),
    _has_frame: QT_TRANSLATE_NOOP("Actions", "Select a frame first"),
    _in_block: QT_TRANSLATE_NOOP("Actions", "Select a card in a frame of no_grad or its kin first"),
    _has_leaf: QT_TRANSLATE_NOOP("Actions", "Select a leaf tensor first"),
    _is_past: QT_TRANSLATE_NOOP("Actions", "You are looking at now already"),
    _has_problems: QT_TRANSLATE_NOOP("Actions", "Nothing went wrong up to here"),
}
NOTHING_TO_DO = QT_TRANSLATE_NOOP("Actions", "There is nothing to do that to now")

ACTIONS: tuple[Action, ...] = (
    # ------------------------------------------------------------ file
    Action("new", QT_TRANSLATE_NOOP("Actions", "New"), "new", ("Ctrl+N",), target="filing", method="new_document"),
    Action(
        "open", QT_TRANSLATE_NOOP("Actions", "Open..."), "open", ("Ctrl+O",), target="filing", method="open_document"
    ),
    Action("save", QT_TRANSLATE_NOOP("Actions", "Save"), "save", ("Ctrl+S",), target="filing", method="save"),
    Action(
        "saveAs", QT_TRANSLATE_NOOP("Actions", "Save as..."), "", ("Ctrl+Shift+S",), target="filing", method="save_as"
    ),
    Action(
        "duplicateDocument",
        QT_TRANSLATE_NOOP("Actions", "Duplicate"),
        "duplicate",
        ("Ctrl+Shift+D",),
        target="filing",
        method="duplicate_document",
        hint=QT_TRANSLATE_NOOP("Actions", "Open a copy in a second window, for comparing"),
    ),
    Action(
        "exportImage",
        QT_TRANSLATE_NOOP("Actions", "Export picture..."),
        "export",
        ("Ctrl+E",),
        target="filing",
        method="export_image",
        enabled=_has_lines,
        hint=QT_TRANSLATE_NOOP("Actions", "Write the graph as PNG, SVG or PDF"),
    ),
    Action(
        "exportCode",
        QT_TRANSLATE_NOOP("Actions", "Export PyTorch code..."),
        target="filing",
        method="export_code",
        enabled=_has_lines,
    ),
    Action(
        "copyImage",
        QT_TRANSLATE_NOOP("Actions", "Copy picture"),
        "",
        ("Ctrl+Shift+C",),
        target="filing",
        method="copy_image",
        enabled=_has_lines,
    ),
    Action("close", QT_TRANSLATE_NOOP("Actions", "Close window"), "", ("Ctrl+W",), method="close"),
    Action("quit", QT_TRANSLATE_NOOP("Actions", "Quit"), "", ("Ctrl+Q",), target="filing", method="quit"),
    # ------------------------------------------------------------ edit
    Action("undo", QT_TRANSLATE_NOOP("Actions", "Undo"), "undo", ("Ctrl+Z",), method="undo"),
    Action("redo", QT_TRANSLATE_NOOP("Actions", "Redo"), "redo", ("Ctrl+Y", "Ctrl+Shift+Z"), method="redo"),
    Action(
        "cut",
        QT_TRANSLATE_NOOP("Actions", "Cut"),
        "cut",
        ("Ctrl+X",),
        target="clipboard",
        method="cut",
        enabled=_has_selection,
    ),
    Action(
        "copy",
        QT_TRANSLATE_NOOP("Actions", "Copy"),
        "copy",
        ("Ctrl+C",),
        target="clipboard",
        method="copy",
        enabled=_has_selection,
    ),
    Action("paste", QT_TRANSLATE_NOOP("Actions", "Paste"), "paste", ("Ctrl+V",), target="clipboard", method="paste"),
    Action(
        "copyValue",
        QT_TRANSLATE_NOOP("Actions", "Copy value as text"),
        target="clipboard",
        method="copy_value",
        enabled=_has_statements,
    ),
    Action(
        "duplicate",
        QT_TRANSLATE_NOOP("Actions", "Duplicate cards"),
        "duplicate",
        ("Ctrl+D",),
        target="clipboard",
        method="duplicate_selection",
        enabled=_has_selection,
    ),
    Action(
        "delete",
        QT_TRANSLATE_NOOP("Actions", "Delete"),
        "delete",
        ("Delete", "Backspace"),
        "canvas",
        "delete_selected",
        on_canvas=True,
    ),
    Action("selectAll", QT_TRANSLATE_NOOP("Actions", "Select all"), "", ("Ctrl+A",), "document", "select_all"),
    Action(
        "selectUpstream",
        QT_TRANSLATE_NOOP("Actions", "Select what it needs"),
        "",
        ("I",),
        "keyboard",
        "select_upstream",
        on_canvas=True,
        enabled=_has_statements,
    ),
    Action(
        "selectDownstream",
        QT_TRANSLATE_NOOP("Actions", "Select what needs it"),
        "",
        ("O",),
        "keyboard",
        "select_downstream",
        on_canvas=True,
        enabled=_has_statements,
    ),
    Action(
        "growSelection",
        QT_TRANSLATE_NOOP("Actions", "Select its neighbours"),
        "",
        ("K",),
        "keyboard",
        "grow_selection",
        on_canvas=True,
        enabled=_has_statements,
    ),
    Action(
        "rename",
        QT_TRANSLATE_NOOP("Actions", "Rename"),
        "",
        ("F2",),
        "canvas",
        "rename_selected",
        on_canvas=True,
        enabled=_one_selected,
    ),
    Action(
        "editValue",
        QT_TRANSLATE_NOOP("Actions", "Edit value"),
        "",
        ("Return", "Enter"),
        "editing",
        "edit_selected",
        on_canvas=True,
        enabled=_one_or_fold,
    ),
    Action(
        "editOptions",
        QT_TRANSLATE_NOOP("Actions", "Edit attributes..."),
        "settings",
        ("E",),
        "editing",
        "options_of_selected",
        on_canvas=True,
        enabled=_has_statements,
        hint=QT_TRANSLATE_NOOP("Actions", "How a leaf is made; the attributes of an operator: dim, keepdim ..."),
    ),
    Action(
        "showNumbers",
        QT_TRANSLATE_NOOP("Actions", "Numbers in a grid..."),
        "",
        ("V",),
        "editing",
        "look_at_selected",
        on_canvas=True,
        enabled=_has_statements,
        hint=QT_TRANSLATE_NOOP("Actions", "Edit a leaf's numbers as in a spreadsheet, look at a result's"),
    ),
    # ------------------------------------------------------------ show
    Action("zoomIn", QT_TRANSLATE_NOOP("Actions", "Zoom in"), "zoom-in", ("Ctrl++", "Ctrl+="), "canvas", "zoom_in"),
    Action("zoomOut", QT_TRANSLATE_NOOP("Actions", "Zoom out"), "zoom-out", ("Ctrl+-",), "canvas", "zoom_out"),
    Action(
        "zoom100",
        QT_TRANSLATE_NOOP("Actions", "100%"),
        "",
        ("1", "Ctrl+0"),
        "canvas",
        "zoom_100",
        True,
        on_canvas=True,
    ),
    Action(
        "fitAll",
        QT_TRANSLATE_NOOP("Actions", "Fit all"),
        "fit",
        ("Home", "0"),
        "canvas",
        "fit_all",
        True,
        on_canvas=True,
    ),
    Action(
        "fitSelection",
        QT_TRANSLATE_NOOP("Actions", "Fit selection"),
        "",
        ("F",),
        "canvas",
        "fit_selection",
        on_canvas=True,
    ),
    Action(
        "find", QT_TRANSLATE_NOOP("Actions", "Find..."), "search", ("Ctrl+F",), "area", "show_find", enabled=_has_lines
    ),
    Action(
        "findNext",
        QT_TRANSLATE_NOOP("Actions", "Find next"),
        "",
        ("F3",),
        "area",
        "step_found",
        1,
        enabled=_has_lines,
    ),
    Action(
        "findPrevious",
        QT_TRANSLATE_NOOP("Actions", "Find previous"),
        "",
        ("Shift+F3",),
        "area",
        "step_found",
        -1,
        enabled=_has_lines,
    ),
    Action(
        "minimap",
        QT_TRANSLATE_NOOP("Actions", "Minimap"),
        "",
        ("M",),
        "area",
        "show_minimap",
        on_canvas=True,
        checkable=True,
        checked=settings.MINIMAP.get,
    ),
    Action(
        "motion",
        QT_TRANSLATE_NOOP("Actions", "Motion"),
        "",
        (),
        "presenting",
        "let_move",
        checkable=True,
        checked=settings.MOTION.get,
        hint=QT_TRANSLATE_NOOP("Actions", "Views glide and cards move to their places; off: they jump"),
    ),
    Action(
        "wheelPans",
        QT_TRANSLATE_NOOP("Actions", "The wheel pans"),
        "",
        (),
        "area",
        "let_wheel_pan",
        checkable=True,
        checked=settings.WHEEL_PANS.get,
        hint=QT_TRANSLATE_NOOP("Actions", "The mouse's wheel pans; with Ctrl it zooms"),
    ),
    Action(
        "nextRegion",
        QT_TRANSLATE_NOOP("Actions", "Next part of the window"),
        "",
        ("F6",),
        "regions",
        "go",
        1,
        hint=QT_TRANSLATE_NOOP("Actions", "Operators, canvas, panels, program"),
    ),
    Action(
        "previousRegion",
        QT_TRANSLATE_NOOP("Actions", "Previous part of the window"),
        "",
        ("Shift+F6",),
        "regions",
        "go",
        -1,
    ),
    Action(
        "cover",
        QT_TRANSLATE_NOOP("Actions", "Cover gradients"),
        "cover",
        ("H",),
        "document",
        "cover",
        on_canvas=True,
        checkable=True,
        hint=QT_TRANSLATE_NOOP("Actions", "Cover gradients until they are clicked: predict first"),
    ),
    Action(
        "lecture",
        QT_TRANSLATE_NOOP("Actions", "Lecture"),
        "lecture",
        ("F11",),
        target="presenting",
        method="lecture",
        checkable=True,
    ),
    Action(
        "textLarger",
        QT_TRANSLATE_NOOP("Actions", "Larger text"),
        "text-larger",
        ("Ctrl+Shift++",),
        target="presenting",
        method="text_larger",
    ),
    Action(
        "textSmaller",
        QT_TRANSLATE_NOOP("Actions", "Smaller text"),
        "text-smaller",
        ("Ctrl+Shift+-",),
        target="presenting",
        method="text_smaller",
    ),
    Action(
        "commands",
        QT_TRANSLATE_NOOP("Actions", "Every command..."),
        "search",
        ("Ctrl+Shift+P",),
        method="show_commands",
    ),
    # ------------------------------------------------------------ graph
    Action(
        "quickAdd",
        QT_TRANSLATE_NOOP("Actions", "Quick add..."),
        "search",
        ("A",),
        "adding",
        "anywhere",
        on_canvas=True,
    ),
    Action(
        "insertOperator",
        QT_TRANSLATE_NOOP("Actions", "Insert operator..."),
        "operator",
        ("Shift+A",),
        "adding",
        "insert_selected",
        on_canvas=True,
        enabled=_has_lines,
        hint=QT_TRANSLATE_NOOP("Actions", "Put an operator into the wire chosen, or behind the card selected"),
    ),
    Action(
        "changeOperator",
        QT_TRANSLATE_NOOP("Actions", "Change to..."),
        "",
        ("C",),
        "adding",
        "change_selected",
        on_canvas=True,
        enabled=_has_statements,
        hint=QT_TRANSLATE_NOOP("Actions", "Make another operator of a card: wires, numbers, name and place stay"),
    ),
    Action(
        "swapInputs",
        QT_TRANSLATE_NOOP("Actions", "Swap inputs"),
        "swap",
        ("S",),
        "rewiring",
        "swap_inputs",
        on_canvas=True,
        enabled=_has_statements,
    ),
    Action(
        "pullOut",
        QT_TRANSLATE_NOOP("Actions", "Pull out of its wires"),
        "",
        ("Alt+X",),
        "rewiring",
        "pull_out",
        on_canvas=True,
        enabled=_has_statements,
        hint=QT_TRANSLATE_NOOP(
            "Actions", "Take cards out of their wires and join these (Alt while dragging does so too)"
        ),
    ),
    Action(
        "disconnect",
        QT_TRANSLATE_NOOP("Actions", "Disconnect"),
        "",
        ("X",),
        "rewiring",
        "disconnect_selected",
        on_canvas=True,
        hint=QT_TRANSLATE_NOOP("Actions", "Take the wires off the selected cards, or the one chosen off its port"),
    ),
    Action(
        "deleteReconnect",
        QT_TRANSLATE_NOOP("Actions", "Delete and reconnect"),
        "",
        ("Alt+Delete", "Alt+Backspace"),
        "rewiring",
        "delete_and_reconnect",
        on_canvas=True,
        enabled=_has_selection,
        hint=QT_TRANSLATE_NOOP("Actions", "Delete cards; what read them reads their first input"),
    ),
    Action("addTensor", QT_TRANSLATE_NOOP("Actions", "Add tensor"), "tensor", (), "canvas", "place_tensor", False),
    Action(
        "addTensorGrad",
        QT_TRANSLATE_NOOP("Actions", "Add tensor that requires grad"),
        "tensor-grad",
        (),
        "canvas",
        "place_tensor",
        True,
    ),
    Action("addNote", QT_TRANSLATE_NOOP("Actions", "Add note"), "note", ("N",), "canvas", "add_note", on_canvas=True),
    Action(
        "toggleRequiresGrad",
        QT_TRANSLATE_NOOP("Actions", "requires_grad on the leaf"),
        "",
        ("G",),
        "canvas",
        "toggle_requires_grad",
        on_canvas=True,
        enabled=_has_leaf,
    ),
    Action(
        "tidy",
        QT_TRANSLATE_NOOP("Actions", "Tidy"),
        "tidy",
        ("L",),
        "canvas",
        "tidy",
        on_canvas=True,
        enabled=_has_lines,
        hint=QT_TRANSLATE_NOOP("Actions", "Lay the graph out from left to right (the selection, where there is one)"),
    ),
    Action(
        "keepInPlace",
        QT_TRANSLATE_NOOP("Actions", "Keep in place"),
        "lock",
        ("Shift+L",),
        "tidying",
        "keep_in_place",
        on_canvas=True,
        enabled=_has_statements,
        hint=QT_TRANSLATE_NOOP(
            "Actions", "Tidying leaves the selected cards where they are; a second time lets it move them"
        ),
    ),
    Action(
        "alignLeft",
        QT_TRANSLATE_NOOP("Actions", "Align left"),
        "align-left",
        ("Shift+Alt+Left",),
        "order",
        "align",
        "left",
        on_canvas=True,
        enabled=_several_selected,
    ),
    Action(
        "alignRight",
        QT_TRANSLATE_NOOP("Actions", "Align right"),
        "align-right",
        ("Shift+Alt+Right",),
        "order",
        "align",
        "right",
        on_canvas=True,
        enabled=_several_selected,
    ),
    Action(
        "alignTop",
        QT_TRANSLATE_NOOP("Actions", "Align top"),
        "align-top",
        ("Shift+Alt+Up",),
        "order",
        "align",
        "top",
        on_canvas=True,
        enabled=_several_selected,
    ),
    Action(
        "alignBottom",
        QT_TRANSLATE_NOOP("Actions", "Align bottom"),
        "align-bottom",
        ("Shift+Alt+Down",),
        "order",
        "align",
        "bottom",
        on_canvas=True,
        enabled=_several_selected,
    ),
    Action(
        "alignColumn",
        QT_TRANSLATE_NOOP("Actions", "Align centres in a column"),
        "align-column",
        ("Shift+Alt+C",),
        "order",
        "align",
        "across",
        on_canvas=True,
        enabled=_several_selected,
    ),
    Action(
        "alignRow",
        QT_TRANSLATE_NOOP("Actions", "Align centres in a row"),
        "align-row",
        ("Shift+Alt+R",),
        "order",
        "align",
        "down",
        on_canvas=True,
        enabled=_several_selected,
    ),
    Action(
        "distributeHorizontally",
        QT_TRANSLATE_NOOP("Actions", "Distribute horizontally"),
        "distribute-horizontally",
        ("Shift+Alt+H",),
        "order",
        "distribute",
        True,
        on_canvas=True,
        enabled=_several_selected,
        hint=QT_TRANSLATE_NOOP("Actions", "Make the gaps between three or more equal"),
    ),
    Action(
        "distributeVertically",
        QT_TRANSLATE_NOOP("Actions", "Distribute vertically"),
        "distribute-vertically",
        ("Shift+Alt+V",),
        "order",
        "distribute",
        False,
        on_canvas=True,
        enabled=_several_selected,
        hint=QT_TRANSLATE_NOOP("Actions", "Make the gaps between three or more equal"),
    ),
    Action(
        "frame",
        QT_TRANSLATE_NOOP("Actions", "Frame the selection"),
        "frame",
        ("Ctrl+G",),
        "order",
        "frame",
        on_canvas=True,
        enabled=_has_selection,
        hint=QT_TRANSLATE_NOOP("Actions", "Put a titled frame around what is selected"),
    ),
    Action(
        "frameColour",
        QT_TRANSLATE_NOOP("Actions", "Next colour of the frame"),
        "",
        ("Shift+F",),
        "order",
        "next_hue",
        on_canvas=True,
        enabled=_has_frame,
    ),
    Action(
        "fold",
        QT_TRANSLATE_NOOP("Actions", "Fold or open"),
        "fold",
        ("Shift+C",),
        "order",
        "toggle_fold",
        on_canvas=True,
        enabled=_has_selection,
        hint=QT_TRANSLATE_NOOP("Actions", "Show a frame, or what is selected, as one node; open one that is folded"),
    ),
    Action(
        "label",
        QT_TRANSLATE_NOOP("Actions", "Label..."),
        "",
        ("T",),
        "order",
        "label",
        on_canvas=True,
        enabled=_one_selected,
        hint=QT_TRANSLATE_NOOP("Actions", "Write a short text under the card"),
    ),
    Action(
        "snapToGrid",
        QT_TRANSLATE_NOOP("Actions", "Snap to the grid"),
        target="order",
        method="snap_to_grid",
        checkable=True,
        checked=settings.SNAP_GRID.get,
    ),
    Action(
        "snapToGuides",
        QT_TRANSLATE_NOOP("Actions", "Snap to neighbours"),
        target="order",
        method="snap_to_guides",
        checkable=True,
        checked=settings.SNAP_GUIDES.get,
        hint=QT_TRANSLATE_NOOP(
            "Actions", "Edges, centres, level wires and equal gaps attract while dragging; not with Ctrl"
        ),
    ),
    Action(
        "wrapNoGrad",
        QT_TRANSLATE_NOOP("Actions", "Wrap in no_grad"),
        "frame",
        (),
        "order",
        "wrap",
        "no_grad",
        enabled=_has_statements,
    ),
    Action(
        "wrapEnableGrad",
        QT_TRANSLATE_NOOP("Actions", "Wrap in enable_grad"),
        "",
        (),
        "order",
        "wrap",
        "enable_grad",
        enabled=_has_statements,
    ),
    Action(
        "wrapInferenceMode",
        QT_TRANSLATE_NOOP("Actions", "Wrap in inference_mode"),
        "",
        (),
        "order",
        "wrap",
        "inference_mode",
        enabled=_has_statements,
    ),
    Action("unwrap", QT_TRANSLATE_NOOP("Actions", "Unwrap"), "", (), "canvas", "unwrap_selected", enabled=_in_block),
    Action(
        "wire",
        QT_TRANSLATE_NOOP("Actions", "Wire..."),
        "",
        ("W",),
        "keyboard",
        "wire",
        on_canvas=True,
        hint=QT_TRANSLATE_NOOP("Actions", "Wire by keys: arrows or letters choose the port, Enter connects"),
    ),
    Action(
        "nextWire",
        QT_TRANSLATE_NOOP("Actions", "Choose its next wire"),
        "",
        ("Shift+W",),
        "keyboard",
        "next_wire",
        on_canvas=True,
        enabled=_has_lines,
    ),
    # ------------------------------------------------------------ steps
    Action(
        "backward",
        QT_TRANSLATE_NOOP("Actions", "Backward"),
        "backward",
        ("Ctrl+B",),
        "steps",
        "backward",
        hint=QT_TRANSLATE_NOOP("Actions", "Backward from the selection, else from the last result that nothing uses"),
    ),
    Action(
        "backwardOptions",
        QT_TRANSLATE_NOOP("Actions", "Backward with options..."),
        "",
        ("Ctrl+Shift+B",),
        method="show_backward_options",
    ),
    Action("grad", QT_TRANSLATE_NOOP("Actions", "autograd.grad"), "", (), "steps", "grad"),
    Action(
        "retainGrad",
        QT_TRANSLATE_NOOP("Actions", "Keep its grad"),
        "pin",
        ("R",),
        "steps",
        "retain_grad",
        on_canvas=True,
        hint=QT_TRANSLATE_NOOP("Actions", "Keep the grad of an intermediate at the next backward"),
    ),
    Action(
        "zeroGrad",
        QT_TRANSLATE_NOOP("Actions", "Zero grads: to None"),
        "zero-grads",
        (),
        "steps",
        "zero_to_none",
        hint=QT_TRANSLATE_NOOP("Actions", "Zero the gradients by setting them to None"),
    ),
    Action(
        "zeroGradZeros",
        QT_TRANSLATE_NOOP("Actions", "Zero grads: to zeros"),
        "",
        (),
        "steps",
        "zero_to_zeros",
        hint=QT_TRANSLATE_NOOP("Actions", "Zero the gradients by writing zeros into them"),
    ),
    Action("detach", QT_TRANSLATE_NOOP("Actions", "Detach"), "detach", (), "steps", "detach"),
    Action("detachInPlace", QT_TRANSLATE_NOOP("Actions", "Detach in place"), "", (), "steps", "detach_in_place"),
    Action("requiresGrad", QT_TRANSLATE_NOOP("Actions", "Require grad"), "", (), "steps", "requires_grad"),
    Action("printGrad", QT_TRANSLATE_NOOP("Actions", "Print the grad"), "print", (), "steps", "print_grad"),
    Action(
        "mend",
        QT_TRANSLATE_NOOP("Actions", "Mend..."),
        "problem",
        ("Ctrl+.",),
        method="show_remedies",
        enabled=_has_problems,
        hint=QT_TRANSLATE_NOOP("Actions", "Say what went wrong here, and offer the ways to mend it"),
    ),
    Action(
        "why",
        QT_TRANSLATE_NOOP("Actions", "Why this gradient?"),
        "",
        ("Y",),
        method="show_why",
        on_canvas=True,
        enabled=_has_statements,
        hint=QT_TRANSLATE_NOOP("Actions", "The chain rule of the selected tensor, in symbols and with its numbers"),
    ),
    Action(
        "runForward",
        QT_TRANSLATE_NOOP("Actions", "Run forward again"),
        "run-again",
        ("Ctrl+R",),
        "document",
        "run_forward_again",
        hint=QT_TRANSLATE_NOOP("Actions", "Execute the operators once more: new tensors, new grad_fns, fresh buffers"),
    ),
    Action(
        "startOver",
        QT_TRANSLATE_NOOP("Actions", "Start over (keep the graph)"),
        "start-over",
        (),
        "document",
        "start_over",
        enabled=_has_lines,
    ),
    Action(
        "nextLine", QT_TRANSLATE_NOOP("Actions", "Next line"), "step-forward", ("PgDown",), "document", "step_line", 1
    ),
    Action(
        "previousLine",
        QT_TRANSLATE_NOOP("Actions", "Previous line"),
        "step-back",
        ("PgUp",),
        "document",
        "step_line",
        -1,
    ),
    Action(
        "nextEvent", QT_TRANSLATE_NOOP("Actions", "Next event"), "event-forward", ("Alt+Right",), "playing", "step", 1
    ),
    Action(
        "previousEvent",
        QT_TRANSLATE_NOOP("Actions", "Previous event"),
        "event-back",
        ("Alt+Left",),
        "playing",
        "step",
        -1,
    ),
    Action(
        "play",
        QT_TRANSLATE_NOOP("Actions", "Play or pause"),
        "play",
        ("F5",),
        "playing",
        "toggle",
        enabled=_has_lines,
        hint=QT_TRANSLATE_NOOP("Actions", "Go from event to event by itself, at the speed chosen under the program"),
    ),
    Action(
        "nextAccumulation",
        QT_TRANSLATE_NOOP("Actions", "Next accumulation"),
        "",
        ("F7",),
        "playing",
        "find_next",
        "accumulation",
        enabled=_has_lines,
    ),
    Action(
        "previousAccumulation",
        QT_TRANSLATE_NOOP("Actions", "Previous accumulation"),
        "",
        ("Shift+F7",),
        "playing",
        "find_previous",
        "accumulation",
        enabled=_has_lines,
    ),
    Action(
        "nextError",
        QT_TRANSLATE_NOOP("Actions", "Next error"),
        "",
        ("F8",),
        "playing",
        "find_next",
        "error",
        enabled=_has_lines,
    ),
    Action(
        "previousError",
        QT_TRANSLATE_NOOP("Actions", "Previous error"),
        "",
        ("Shift+F8",),
        "playing",
        "find_previous",
        "error",
        enabled=_has_lines,
    ),
    Action(
        "nextRelease",
        QT_TRANSLATE_NOOP("Actions", "Next release"),
        "",
        ("F9",),
        "playing",
        "find_next",
        "release",
        enabled=_has_lines,
    ),
    Action(
        "previousRelease",
        QT_TRANSLATE_NOOP("Actions", "Previous release"),
        "",
        ("Shift+F9",),
        "playing",
        "find_previous",
        "release",
        enabled=_has_lines,
    ),
    Action(
        "backToNow",
        QT_TRANSLATE_NOOP("Actions", "Back to now"),
        "to-now",
        ("End",),
        "document",
        "back_to_now",
        enabled=_is_past,
    ),
    # ------------------------------------------------------------ help
    Action("keys", QT_TRANSLATE_NOOP("Actions", "Keys"), "", ("F1",), method="show_keys"),
    Action("about", QT_TRANSLATE_NOOP("Actions", "About Chalkgrad"), method="show_about"),
)
BY_ID = {action.id: action for action in ACTIONS}

SEPARATOR = "-"
"""A line between the groups of a menu."""

CARD_MENU: tuple[str, ...] = (
    "rename",
    "editValue",
    "editOptions",
    "showNumbers",
    "toggleRequiresGrad",
    "-",
    "backward",
    "retainGrad",
    "zeroGrad",
    "zeroGradZeros",
    "detach",
    "detachInPlace",
    "requiresGrad",
    "printGrad",
    "-",
    "mend",
    "-",
    "copy",
    "copyValue",
    "duplicate",
    "wrapNoGrad",
    "unwrap",
    "-",
    "delete",
)
CANVAS_MENU: tuple[str, ...] = (
    "quickAdd",
    "addTensor",
    "addTensorGrad",
    "addNote",
    "-",
    "paste",
    "-",
    "tidy",
    "fitAll",
)
