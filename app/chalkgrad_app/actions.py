"""Everything a person can do, as one table: what it is called, its key, where it is found, what it calls.

The main window makes a QAction of each record; menus, toolbar, context menus and the command palette list them by id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chalkgrad.program.statement import Kind
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate

Enabled = Callable[[Document], bool]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    ``target`` is the window's part that does it (``"document"``, ``"canvas"``, ``"filing"``, ``"clipboard"``,
    ``"presenting"``, ``"window"`` itself) or ``"steps"``: a function of :mod:`chalkgrad_app.steps`, whose lines are
    appended. ``method`` is its name there. ``on_canvas``: the key works while the canvas has the focus
    only. ``argument`` is passed to the method where it is not None.
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
    enabled: Enabled | None = None
    hint: str = ""

    @property
    def object_name(self) -> str:
        """The name for automation and screen readers."""
        return f"action.{self.id}"

    def title(self) -> str:
        """The text in the language in use."""
        return translate("Actions", self.text)

    def tip(self) -> str:
        """The sentence of the tooltip in the language in use."""
        return translate("Actions", self.hint or self.text)


def _has_lines(document: Document) -> bool:
    return bool(document.program.order)


def _has_selection(document: Document) -> bool:
    return bool(document.selection)


def _has_statements(document: Document) -> bool:
    return bool(document.selected_statements)


def _one_selected(document: Document) -> bool:
    return len(document.selection) == 1


def _in_block(document: Document) -> bool:
    return any(document.program[id_].block is not None for id_ in document.selected_statements)


def _has_leaf(document: Document) -> bool:
    return any(document.program[id_].kind is Kind.LEAF for id_ in document.selected_statements)


def _is_past(document: Document) -> bool:
    return document.is_past


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
        enabled=_has_statements,
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
        "canvas",
        "edit_selected",
        on_canvas=True,
        enabled=_one_selected,
    ),
    # ------------------------------------------------------------ show
    Action("zoomIn", QT_TRANSLATE_NOOP("Actions", "Zoom in"), "zoom-in", ("Ctrl++", "Ctrl+="), "canvas", "zoom_in"),
    Action("zoomOut", QT_TRANSLATE_NOOP("Actions", "Zoom out"), "zoom-out", ("Ctrl+-",), "canvas", "zoom_out"),
    Action("zoom100", QT_TRANSLATE_NOOP("Actions", "100%"), "", ("1",), "canvas", "zoom_100", on_canvas=True),
    Action("fitAll", QT_TRANSLATE_NOOP("Actions", "Fit all"), "fit", ("Home",), "canvas", "fit_all", on_canvas=True),
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
        "canvas",
        "quick_add",
        on_canvas=True,
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
        "wrapNoGrad",
        QT_TRANSLATE_NOOP("Actions", "Wrap in no_grad"),
        "frame",
        (),
        "canvas",
        "wrap_selected",
        enabled=_has_statements,
    ),
    Action("unwrap", QT_TRANSLATE_NOOP("Actions", "Unwrap"), "", (), "canvas", "unwrap_selected", enabled=_in_block),
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
        "",
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
    Action("nextEvent", QT_TRANSLATE_NOOP("Actions", "Next event"), "", ("Alt+Right",), "document", "step_event", 1),
    Action(
        "previousEvent", QT_TRANSLATE_NOOP("Actions", "Previous event"), "", ("Alt+Left",), "document", "step_event", -1
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
