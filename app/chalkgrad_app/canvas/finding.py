"""Finding cards and nodes: by name, expression, operator, line number or shape. Functions of what they say."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.fuzzy import match
from chalkgrad_app.picture.node_arrays import Key
from chalkgrad_app.picture.node_face import node_words
from chalkgrad_app.picture.picture import Picture

Rank = tuple[int, int]
Found = int | Key
"""A card, note or frame by its id, or a node beside the cards."""
MODULE = "torch."
LINE_WORDS = re.compile(r"(?:line|行|第)\s*(\d+)\s*行?")
"""How somebody writes the number of a line."""
WHOLE, LINE, INSIDE = 0, 1, 2
"""Kinds of what was found, best first: a name, a line number, something in its line or shape; fuzzy ones come after."""


class Entry(NamedTuple):
    """What can be found of one card, note, frame or node, in lower case."""

    id: Found
    name: str
    line: str
    words: str


def entry_of(document: Document, picture: Picture, id_: Found) -> Entry:
    """The entry of a card, a note, a frame or a node."""
    if isinstance(id_, tuple):
        parts = node_words(picture, id_).casefold().split("   ")
        said = "   ".join(part for part in parts if not part.startswith("next_functions"))  # those are others
        return Entry(id_, picture.state.nodes[id_[1]].name.casefold(), "", said)
    board = document.board
    if id_ in board.notes:
        return Entry(id_, "", "", board.notes[id_].text(picture.language).casefold())
    if id_ in board.frames:
        return Entry(id_, board.frames[id_].title.casefold(), "", "")
    program = document.program
    statement = program[id_]
    tensor = document.state.tensor(id_)
    shape = str(tensor.shape) if tensor is not None else ""
    shown = f"{statement.name} = {emit.expression(program, id_, short=True)}"
    line = emit.shown_line(program, id_).replace(MODULE, "")  # who looks for `h` doesn't mean every torch.tensor
    operator = statement.call.replace(MODULE, "")  # that of ``a @ b``, too, which stands in no line
    words = " ".join((line, shown, operator, shape, board.labels.get(id_, "")))
    return Entry(id_, statement.name.casefold(), str(program.lines[id_]), words.casefold())


def rank(typed: str, entry: Entry) -> Rank | None:
    """How well what was typed (see :func:`folded`) names a card or node; None where it doesn't. Smaller is better.

    What is a part of the name of a node says more of the card that it came from.
    """
    if typed == entry.name:
        return WHOLE, 0
    if typed == entry.line:
        return LINE, 0
    at = entry.name.find(typed)
    if at >= 0:
        return (INSIDE, at) if isinstance(entry.id, int) else (INSIDE + 1, 1 + at)
    at = entry.words.find(typed)
    if at >= 0:
        return INSIDE + 1, 0
    found = match(typed, entry.name) if len(typed) > 1 else None
    return (INSIDE + 2 + found[0], found[1]) if found is not None else None


def folded(typed: str) -> str:
    """What was typed, as it is compared: lower case, full-width signs as plain ones, without the module's name.

    Of ``line 8`` the number alone.
    """
    plain = unicodedata.normalize("NFKC", typed).strip().casefold().replace(MODULE, "")
    line = LINE_WORDS.fullmatch(plain)
    return line[1] if line else plain
