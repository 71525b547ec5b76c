"""Showing what is covered: at once, or after somebody has said what it is."""

from __future__ import annotations

from chalkgrad_app.covering import Cover, Question, gradient_key
from chalkgrad_app.document import Document


def reveal(document: Document, question: Question) -> None:
    """Show what a question is about, as it is at the cursor."""
    id_ = question.ref.statement
    if question.about is Cover.OUTCOMES:
        document.covers.show(question.about, id_)
        document.look_at_line(id_)
        return
    state = document.bare_state
    tensor = state.tensor(id_, question.ref.output)
    if tensor is not None:
        is_gradient = question.about is Cover.GRADIENTS
        document.covers.show(question.about, gradient_key(state, tensor.number) if is_gradient else tensor.number)


def uncover(document: Document, question: Question) -> None:
    """Show what was clicked, unless it is to be said first what it is."""
    if question.about in document.covers.asked:
        document.covers.asking.emit(question)
    else:
        reveal(document, question)


def first_outcome(document: Document) -> int | None:
    """The first line that has run at the cursor though it is still to be said whether it fails."""
    if Cover.OUTCOMES not in document.covers.asked:
        return None
    program, trace = document.program, document.session.trace
    asked = (id_ for id_ in program.order if document.covers.asks_outcome(program, id_))
    return next((id_ for id_ in asked if 0 < trace.events_of_pass(id_, 0).stop <= document.position), None)


def go_back_and_ask(document: Document) -> bool:
    """Look at the moment before that line, and ask; False where there is none."""
    line = first_outcome(document)
    if line is None:
        return False
    document.look_at(document.session.trace.events_of_pass(line, 0).start)
    return document.covers.asks_first(document.program, line)
