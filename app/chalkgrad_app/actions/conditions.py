"""When an action can be done, and the words where it can't."""

from __future__ import annotations

from collections.abc import Callable

from chalkgrad.program.board import AUTOGRAD, CARDS, DATA
from chalkgrad.program.statement import Kind
from chalkgrad.session.hook_calls import hooks_on
from chalkgrad_app.covering import Cover
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP

Enabled = Callable[[Document], bool]


def shows_cards(document: Document) -> bool:
    """The drawing with cards is shown."""
    return document.drawing == CARDS


def shows_data(document: Document) -> bool:
    """The drawing of data and edges is shown."""
    return document.drawing == DATA


def shows_autograd(document: Document) -> bool:
    """The autograd drawing is shown."""
    return document.drawing == AUTOGRAD


def is_covering(document: Document) -> bool:
    """Gradients are covered."""
    return document.is_covering


def asks_gradients(document: Document) -> bool:
    """Gradients are to be predicted."""
    return Cover.GRADIENTS in document.covers.asked


def asks_flags(document: Document) -> bool:
    """``is_leaf`` and ``requires_grad`` are to be predicted."""
    return Cover.FLAGS in document.covers.asked


def asks_outcomes(document: Document) -> bool:
    """Whether a line will fail is to be predicted."""
    return Cover.OUTCOMES in document.covers.asked


def hides_something(document: Document) -> bool:
    """Something is hidden until it is answered."""
    return bool(document.covers.hidden)


def has_lines(document: Document) -> bool:
    """There is a line."""
    return bool(document.program.order)


def has_selection(document: Document) -> bool:
    """Something is selected."""
    return bool(document.selection)


def has_value(document: Document) -> bool:
    """A card or a node is selected."""
    return bool(document.selected_statements) or document.node is not None


def has_backward(document: Document) -> bool:
    """A backward has run."""
    return bool(document.session.trace.plans)


def has_node(document: Document) -> bool:
    """A node beside the cards is selected."""
    return document.node is not None


def has_graph(document: Document) -> bool:
    """A backward has left a graph of its gradient."""
    return bool(document.session.trace.gradient_graphs)


def has_nodes(document: Document) -> bool:
    """There are nodes beside the cards."""
    return document.drawing == "autograd" or has_graph(document)


def has_statements(document: Document) -> bool:
    """A card is selected."""
    return bool(document.selected_statements)


def one_or_fold(document: Document) -> bool:
    """One thing is selected, or one node into which cards are folded."""
    return one_selected(document) or bool(document.selection and document.board.folds)


def several_selected(document: Document) -> bool:
    """Two or more things are selected."""
    return len(document.selection) > 1


def has_frame(document: Document) -> bool:
    """A frame is selected."""
    return any(id_ in document.board.frames for id_ in document.selection)


def one_selected(document: Document) -> bool:
    """One thing is selected."""
    return len(document.selection) == 1


def in_block(document: Document) -> bool:
    """A selected card stands in a block."""
    return any(document.program[id_].block is not None for id_ in document.selected_statements)


def has_loop(document: Document) -> bool:
    """There is a loop."""
    return any(block.is_loop for block in document.program.blocks.values())


def has_leaf(document: Document) -> bool:
    """A selected card is a leaf."""
    return any(document.program[id_].kind is Kind.LEAF for id_ in document.selected_statements)


def has_gradient(document: Document) -> bool:
    """What was selected last has a gradient, or is one."""
    tensors = (document.state.tensor(ref.statement, ref.output) for ref in document.selected_tensors[-1:])
    chosen = document.selected_statements[-1:]
    is_result = any(document.program[id_].kind is Kind.GRAD for id_ in chosen)
    return is_result or any(tensor is not None and tensor.grad is not None for tensor in tensors)


def has_hook(document: Document) -> bool:
    """What was selected last has a hook."""
    return any(hooks_on(document.program, document.state, ref) for ref in document.selected_tensors[-1:])


def lacks_gradient(document: Document) -> bool:
    """The ``.grad`` of what was selected last is None."""
    tensors = (document.state.tensor(ref.statement, ref.output) for ref in document.selected_tensors[-1:])
    return any(tensor is not None and tensor.grad is None for tensor in tensors)


def is_past(document: Document) -> bool:
    """The cursor stands before the end."""
    return document.is_past


def has_problems(document: Document) -> bool:
    """Something went wrong up to the cursor."""
    return bool(document.state.problems)


WHY_NOT: dict[Enabled, str] = {
    hides_something: QT_TRANSLATE_NOOP("Actions", "Nothing is hidden: choose what to predict in the menu Show"),
    has_lines: QT_TRANSLATE_NOOP("Actions", "There are no cards yet"),
    has_selection: QT_TRANSLATE_NOOP("Actions", "Select something first"),
    has_statements: QT_TRANSLATE_NOOP("Actions", "Select a card first"),
    has_value: QT_TRANSLATE_NOOP("Actions", "Select a card or a node first"),
    has_backward: QT_TRANSLATE_NOOP("Actions", "There is no backward in the program yet"),
    has_node: QT_TRANSLATE_NOOP("Actions", "Select a node beside the cards first"),
    has_graph: QT_TRANSLATE_NOOP("Actions", "No backward with create_graph=True has run yet"),
    one_selected: QT_TRANSLATE_NOOP("Actions", "Select one card, note or frame first"),
    one_or_fold: QT_TRANSLATE_NOOP("Actions", "Select one card, note or frame first"),
    several_selected: QT_TRANSLATE_NOOP("Actions", "Select two or more cards, notes or frames first"),
    has_frame: QT_TRANSLATE_NOOP("Actions", "Select a frame first"),
    has_loop: QT_TRANSLATE_NOOP("Actions", "Make a loop first: select lines and repeat them"),
    in_block: QT_TRANSLATE_NOOP("Actions", "Select a card in a frame of no_grad or its kin first"),
    has_leaf: QT_TRANSLATE_NOOP("Actions", "Select a leaf tensor first"),
    has_gradient: QT_TRANSLATE_NOOP("Actions", "Select a tensor that has a gradient first"),
    has_hook: QT_TRANSLATE_NOOP("Actions", "Select a tensor that has a hook first"),
    lacks_gradient: QT_TRANSLATE_NOOP("Actions", "Select a tensor whose grad is None first"),
    is_past: QT_TRANSLATE_NOOP("Actions", "You are looking at now already"),
    has_problems: QT_TRANSLATE_NOOP("Actions", "Nothing went wrong up to here"),
}
NOTHING_TO_DO = QT_TRANSLATE_NOOP("Actions", "There is nothing to do that to now")
