"""A file on its way into a window: read, and drawn on a picture of its own, before any document is changed for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from chalkgrad.layout import Node, rough
from chalkgrad.program import edits
from chalkgrad.program.program import STRUCTURE
from chalkgrad.program.sheet import Sheet
from chalkgrad.stepwise import Stepwise, beside, share
from chalkgrad_app import i18n, keeping
from chalkgrad_app.canvas import arrange, laying_out, tidying
from chalkgrad_app.picture.anatomy import HEIGHT
from chalkgrad_app.picture.card_arrays import EMPTY_STATE
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.widgets import highlight


@dataclass(frozen=True)
class Opened:
    """The sheet of a file and its picture before it has run; ``is_rough`` where all cards are still to be laid out."""

    sheet: Sheet
    picture: Picture
    is_rough: bool


def opening(path: Path) -> Stepwise[Opened]:
    """What is in a file, in steps. Raises FileError for a bad document, SourceError for bad code, OSError."""
    sheet = yield from share(keeping.reading_sheet(path), 0.0, 0.4)
    return (yield from share(drawn(sheet), 0.4, 1.0))


def drawn(sheet: Sheet) -> Stepwise[Opened]:
    """A sheet with its picture, in steps."""
    picture = Picture(i18n.language())
    if len(sheet.program) > tidying.AT_ONCE:
        yield from beside(highlight.make_ready)
    for fact in STRUCTURE:  # whoever shows the document asks for them, all in the turn in which it is there
        getattr(sheet.program, fact)
        yield 0.0
    yield from share(picture.updating(sheet.program, sheet.board, EMPTY_STATE), 0.0, 0.8)
    if not lies_roughly(sheet):
        return Opened(sheet, picture, is_rough=False)
    task = yield from share(laying_out.gathered_afresh(picture), 0.8, 0.9)
    nodes: list[Node] = []
    for node in task.nodes:
        if node.id in picture.index:
            nodes.append(replace(node, height=max(node.height, HEIGHT)))
            yield 0.9
    places = yield from share(rough(nodes, task.edges), 0.9, 1.0)
    sheet = sheet.apply(edits.place(sheet.board, places))
    yield 1.0
    picture.set_board(sheet.board)
    return Opened(sheet, picture, is_rough=True)


def lies_roughly(sheet: Sheet) -> bool:
    """True where no card has a place and there are many, or some stand in blocks: these are laid out together."""
    if any(drawing == sheet.board.drawing for drawing, _ in sheet.board.places):
        return False
    new = arrange.unplaced(sheet)
    return bool(new) and (len(new) > tidying.AT_ONCE or bool(sheet.program.blocks))
