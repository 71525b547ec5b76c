"""Edits of the board alone: shifting what lies on it, folding frames, labelling cards. None of them runs anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.change import Change, Key, entry
from chalkgrad.program.sheet import Draft

Offset = tuple[float, float]


def shift(board: Board, offsets: Mapping[int, Offset], lying: Mapping[int, Offset] | None = None) -> Change:
    """Move cards, notes and plain frames in the drawing shown, each by its own offset.

    ``lying`` says where cards lie that the board has no place for: they get one.
    """
    entries: dict[Key, tuple[object, object]] = {}
    for id_, (dx, dy) in offsets.items():
        if not dx and not dy:
            continue
        place = board.place(id_)
        if place is not None:
            after = replace(place, x=place.x + dx, y=place.y + dy)
            entries["places", (board.drawing, id_)] = (place, after)
        elif lying is not None and id_ in lying:
            x, y = lying[id_]
            entries["places", (board.drawing, id_)] = (None, Place(x + dx, y + dy))
        for table, things in (("notes", board.notes), ("frames", board.frames)):
            thing = things.get(id_)
            if isinstance(thing, Note | Frame):
                entries[table, id_] = (thing, replace(thing, x=thing.x + dx, y=thing.y + dy))
    return Change(entries)


def give_back(board: Board, ids: Iterable[int]) -> Change:
    """Have the drawing shown place these cards again, but for those that are kept in place."""
    placed = {id_: board.place(id_) for id_ in ids}
    return Change(
        {
            ("places", (board.drawing, id_)): (place, None)
            for id_, place in placed.items()
            if place is not None and not place.pinned
        }
    )


def fold(board: Board, id_: int, members: Collection[int] = ()) -> Change:
    """Show a frame or block as one node; a plain frame takes ``members``, what lies on it, along."""
    return entry("folds", id_, board.folds.get(id_), tuple(sorted(members)))


def unfold(board: Board, ids: Iterable[int]) -> Change:
    """Show frames and blocks with all that is in them again."""
    return Change({("folds", id_): (board.folds[id_], None) for id_ in ids if id_ in board.folds})


def show_graph(board: Board, id_: int, shown: bool) -> Change:
    """Show the graph of the gradient that a backward made, or fold it."""
    return entry("graphs", id_, board.graphs.get(id_), shown)


def label(board: Board, id_: int, text: str) -> Change:
    """Write a label under a card; an empty text takes it away."""
    return entry("labels", id_, board.labels.get(id_), text or None)


def forget(board: Board, ids: Collection[int]) -> Change:
    """Drop the labels and folds of what is gone."""
    tables = (("labels", board.labels), ("folds", board.folds), ("graphs", board.graphs))
    return Change({(name, id_): (table[id_], None) for name, table in tables for id_ in ids if id_ in table})


def copy_things(draft: Draft, board: Board, copied: Mapping[int, int], ids: Collection[int], by: Offset) -> list[int]:
    """Add to ``draft`` copies of the notes and frames ``ids`` of a board, and of what it says of the cards copied.

    ``copied`` are the cards by the ids of their originals. Returns the ids of the new notes and frames.
    """
    new = dict(copied)
    for table, things in (("notes", board.notes), ("frames", board.frames)):
        for id_, thing in things.items():
            if id_ in ids:
                new[id_] = draft.new_id()
                made = replace(thing, id=new[id_], x=thing.x + by[0], y=thing.y + by[1])
                draft.apply(entry(table, made.id, None, made))
    for id_, text in board.labels.items():
        if id_ in copied:
            draft.apply(label(draft.board, new[id_], text))
    for id_, members in board.folds.items():
        if id_ in new:
            draft.apply(fold(draft.board, new[id_], [new[member] for member in members if member in new]))
    return [made for original, made in new.items() if original not in copied]


def outermost(board: Board, blocks: Mapping[int, Collection[int]]) -> dict[int, frozenset[int]]:
    """The folds that are seen, each with all that it hides; ``blocks`` are the statements in each block.

    A fold within another is not seen; what a plain frame hides includes what the frames and blocks on it hide.
    """
    hidden = {id_: _hidden(board, id_, blocks) for id_ in board.folds if id_ in board.frames or id_ in blocks}
    inner = {id_ for id_ in hidden for other in hidden if other != id_ and _lies_in(id_, other, hidden)}
    return {id_: inside for id_, inside in hidden.items() if id_ not in inner}


def _lies_in(id_: int, other: int, hidden: Mapping[int, frozenset[int]]) -> bool:
    """True when one fold hides another: itself, or all that is in it (a block whose cards lie on a frame)."""
    mine, theirs = hidden[id_], hidden[other]
    if id_ in theirs or not mine:
        return id_ in theirs
    return mine < theirs or (mine == theirs and id_ > other)


def _hidden(board: Board, id_: int, blocks: Mapping[int, Collection[int]]) -> frozenset[int]:
    """Ids of all that a fold hides, itself not among them."""
    found: set[int] = set()
    stack = [id_]
    while stack:
        here = stack.pop()
        for member in (*board.folds.get(here, ()), *blocks.get(here, ())):
            if member not in found:
                found.add(member)
                stack.append(member)
    return frozenset(found - {id_})
