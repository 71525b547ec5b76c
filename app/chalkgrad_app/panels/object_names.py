"""What panels call the tensors and nodes of a trace, with the line numbers of the program as it is."""

from __future__ import annotations

from chalkgrad.program.statement import Kind
from chalkgrad.session.trace import Trace
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate


def object_name(document: Document, number: int, position: int, trace: Trace | None = None) -> str:
    """The name that means an object at ``position``; ``y@3`` where it means another by now; else what made it.

    ``trace`` is that of the object, where it may be an older one than the document's.
    """
    trace, program = trace or document.session.trace, document.program
    name, is_now = trace.calling.name(number, position)
    if is_now:
        return name
    made_by = trace.made_by(number)
    line = program.lines.get(made_by, 0)
    if name:
        return f"{name}@{line}"
    made = program.statements.get(made_by)
    return f"{made.call}()" if made is not None and made.kind is Kind.OP else line_text(document, made_by)


def line_number(document: Document, statement: int, pass_: int = 0) -> str:
    """The number of a line, from its second pass on with which one it is: ``5``, ``5 (2)``."""
    number = str(document.program.lines.get(statement, "?"))
    return f"{number} ({pass_ + 1})" if pass_ else number


def line_text(document: Document, statement: int, pass_: int = 0) -> str:
    """``line 5`` in the language in use."""
    return translate("Objects", "line {line}").format(line=line_number(document, statement, pass_))
