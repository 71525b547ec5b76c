"""What of a picture is tidied, as a task for the layout, and its drawing as an edit of the board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.layout import Drawing, Edge, Group, Node, Point, Task, free_place, tidied
from chalkgrad.layout.free import Rect, is_free
from chalkgrad.layout.graph import ROW_GAP
from chalkgrad.program import arranging, edits
from chalkgrad.program.board import Frame, Note
from chalkgrad.program.change import Change, together
from chalkgrad.stepwise import Stepwise, beside, finished, share
from chalkgrad_app.canvas.arrange import BLOCK_MARGIN, BLOCK_TITLE, COLUMN_GAP, TAG_ROOM
from chalkgrad_app.picture.folding import block_members
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.tags import tag_width

FRAME_MARGIN, FRAME_TITLE = 24.0, 32.0
CLEAR = 16.0
"""Room between a note and the cards that are laid out around it."""


def task_of(picture: Picture, ids: Collection[int] = ()) -> Task:
    """Everything that is shown, or ``ids`` alone, to be laid out: cards, folded nodes, notes that lie on frames."""
    return finished(gathered(picture, ids))


def with_between(picture: Picture, ids: Collection[int]) -> set[int]:
    """``ids`` and the cards that stand between them: what reads one of them and is needed by another.

    Laid out without those, cards that their tensors lead to could come to stand before them.
    """
    program, found = picture.program, set(ids)
    after = program.dependents(*(id_ for id_ in ids if id_ in program))
    stack = [id_ for id_ in ids if id_ in program]
    while stack:
        for ref in program[stack.pop()].refs():
            if ref.statement in after and ref.statement not in found:
                found.add(ref.statement)
                stack.append(ref.statement)
    return found


def gathered(picture: Picture, ids: Collection[int] = (), framed: Collection[Group] | None = None) -> Stepwise[Task]:
    """The same in steps, for pictures that are too large to be looked at in one go.

    ``framed`` says what lies on which frame; as it is seen in the picture when None.
    """
    nodes: list[Node] = []
    for node in _nodes(picture, ids):
        nodes.append(node)
        yield 0.4 * len(nodes) / len(picture.ids)
    found = groups_of(picture) if framed is None else framed
    groups = [group for group in found if not ids or group.members <= set(ids)]
    notes = {note.id: note for note in picture.notes}
    on_frames = {id_ for group in groups for id_ in group.members} & notes.keys()
    nodes += [_note_node(notes[id_]) for id_ in sorted(on_frames)]
    inputs: dict[int, list[float]] = {node.id: [] for node in nodes}
    edges: list[Edge] = []
    for edge in _edges(picture, inputs):
        edges.append(edge)
        yield 0.4 + 0.4 * len(edges) / len(picture.wires)
    for at, node in enumerate(nodes):
        nodes[at] = replace(node, inputs=tuple(inputs[node.id]))
        yield 0.8 + 0.2 * at / len(nodes)
    return Task(tuple(nodes), tuple(edges), tuple(groups))


def gathered_afresh(picture: Picture, framed: Collection[Group] | None = None) -> Stepwise[Task]:
    """Everything, in steps, to be laid out as if it lay nowhere yet."""
    task = yield from share(gathered(picture, framed=framed), 0.0, 0.8)
    nodes: list[Node] = []
    for node in task.nodes:
        nodes.append(replace(node, previous=None))
        yield 0.8 + 0.2 * len(nodes) / len(task.nodes)
    return task._replace(nodes=tuple(nodes))


def laying_out_anew(picture: Picture, framed: Collection[Group] | None = None) -> Stepwise[Change]:
    """The edit that lays everything out as if it lay nowhere yet."""
    task = yield from share(gathered_afresh(picture, framed), 0.0, 0.3)
    drawing = yield from beside(partial(tidied, task))
    return laid_out(picture, task, drawing)


def laid_out(picture: Picture, task: Task, drawing: Drawing) -> Change:
    """The edit that puts everything where the drawing has it.

    A part keeps clear of what it is not part of; what is in the way of a drawing of everything, notes and empty
    frames, moves to the nearest free place.
    """
    sizes = {node.id: (node.width, node.height) for node in task.nodes}
    cards = sum(1 for id_ in sizes if id_ in picture.index or id_ in picture.folding.unseen)
    whole = cards >= _shown_count(picture)
    places, rects = dict(drawing.places), dict(drawing.rects)
    if not whole and not any(node.pinned_at for node in task.nodes):
        across, down = _way_clear(picture, task, drawing)
        places = {id_: (x + across, y + down) for id_, (x, y) in places.items()}
        rects = {id_: (x + across, y + down, w, h) for id_, (x, y, w, h) in rects.items()}
    change = _placed(picture, places, rects)
    if whole:
        taken = [(*places[id_], *size) for id_, size in sizes.items()] + list(rects.values())
        change = change.then(_moved_aside(picture, {*places, *rects}, taken))
    return change


def leads_back(picture: Picture, ids: Collection[int]) -> bool:
    """True where a wire between two of these cards leads back to the left."""
    rows = picture.among(ids)
    source, target = picture.wire_source, picture.wire_target
    back = picture.x[target] < (picture.x + picture.w)[source]
    return bool(np.any(back & rows[source] & rows[target] & ~picture.wire_hidden))


def is_crowded(picture: Picture) -> bool:
    """True where cards lie on one another, or on the frame of a block in which they don't stand."""
    shown = np.flatnonzero(~picture.hidden)
    left, top = picture.x[shown], picture.y[shown]
    right, bottom = left + picture.w[shown], top + picture.h[shown]
    meets = (left[:, None] < right) & (left < right[:, None]) & (top[:, None] < bottom) & (top < bottom[:, None])
    if np.count_nonzero(meets) > len(shown):
        return True
    members = block_members(picture.program, picture.ids)
    for frame in picture.frames:
        rect, inside = frame.rect, members.get(frame.id, ())
        over = (left < rect.right()) & (rect.left() < right) & (top < rect.bottom()) & (rect.top() < bottom)
        if frame.block and any(picture.ids[row] not in inside for row in shown[over].tolist()):
            return True
    return False


# ---------------------------------------------------------------- the task


def _nodes(picture: Picture, ids: Collection[int]) -> Iterator[Node]:
    chosen = np.ones(len(picture.ids), bool) if not ids else picture.among(ids)
    chosen &= ~picture.hidden
    width = picture.w.copy()
    for row in picture.tagged.tolist():
        source = picture.wire_source[row]
        tags = tag_width(picture.wires[row].tags)
        width[source] = max(width[source], picture.w[source] + tags + TAG_ROOM - COLUMN_GAP)
    for row in np.flatnonzero(chosen).tolist():
        id_ = picture.ids[row]
        at = (float(picture.x[row]), float(picture.y[row]))
        place = picture.board.place(id_)
        stays = at if place is not None and place.pinned else None
        yield Node(id_, float(width[row]), float(picture.h[row]), (), 0.0, stays, at)
    for fold in picture.folds:
        if not ids or fold.id in ids:
            at = (fold.rect.x(), fold.rect.y())
            yield Node(fold.id, fold.rect.width(), fold.rect.height(), (), 0.0, None, at)


def _note_node(note: Note) -> Node:
    return Node(note.id, note.width, note.height, (), 0.0, None, (note.x, note.y))


def _edges(picture: Picture, inputs: dict[int, list[float]]) -> Iterator[Edge]:
    """The wires between nodes, each into a port of its own; ``inputs`` gets the heights of these."""
    shown_as = {card: fold.id for fold in picture.folds for card in fold.cards}
    starts = (picture.ends[:, 1] - picture.y[picture.wire_source]).tolist()
    ends = (picture.ends[:, 3] - picture.y[picture.wire_target]).tolist()
    for wire, start, end in zip(picture.wires, starts, ends, strict=True):
        source, target = shown_as.get(wire.source, wire.source), shown_as.get(wire.target, wire.target)
        if source != target and source in inputs and target in inputs:
            inputs[target].append(end)
            yield Edge(source, target, len(inputs[target]) - 1, start)


def groups_of(picture: Picture) -> list[Group]:
    """Blocks with their cards, and plain frames with what lies on them, larger ones first."""
    hidden = {card: fold.id for fold in picture.folds for card in fold.cards}
    found = []
    for block, cards in block_members(picture.program, picture.ids).items():
        if block not in picture.folding.unseen:
            members = frozenset(hidden.get(card, card) for card in cards)
            found.append(Group(block, members, BLOCK_MARGIN, BLOCK_TITLE))
    frames = [frame for frame in picture.board.frames.values() if frame.id not in picture.folding.unseen]
    for frame in sorted(frames, key=lambda frame: -frame.width * frame.height):
        members = frozenset(_lying_on(picture, frame))
        if members:
            found.append(Group(frame.id, members, FRAME_MARGIN, FRAME_TITLE))
    return found


def _lying_on(picture: Picture, frame: Frame) -> Iterator[int]:
    right, bottom = frame.x + frame.width, frame.y + frame.height
    inside = (picture.x >= frame.x) & (picture.x + picture.w <= right) & ~picture.hidden
    inside &= (picture.y >= frame.y) & (picture.y + picture.h <= bottom)
    for row in np.flatnonzero(inside).tolist():
        yield picture.ids[row]
    others = [(note.id, note.x, note.y, note.width, note.height) for note in picture.notes]
    others += [(fold.id, *_rect(fold.rect)) for fold in picture.folds]
    for id_, x, y, width, height in others:
        if x >= frame.x and x + width <= right and y >= frame.y and y + height <= bottom:
            yield id_


def _shown_count(picture: Picture) -> int:
    return int(np.count_nonzero(~picture.hidden)) + len(picture.folds)


# ---------------------------------------------------------------- the edit


def _placed(picture: Picture, places: Mapping[int, Point], rects: Mapping[int, Rect]) -> Change:
    board, folds = picture.board, {fold.id: fold for fold in picture.folds}
    change = edits.place(board, {id_: at for id_, at in places.items() if id_ in picture.index})
    for id_, (x, y) in places.items():
        if id_ in board.notes:
            change = change.then(edits.put_note(board, replace(board.notes[id_], x=x, y=y)))
        elif id_ in folds:
            way = (x - folds[id_].rect.x(), y - folds[id_].rect.y())
            change = change.then(arranging.shift(board, dict.fromkeys((id_, *folds[id_].hides), way)))
    framed = (
        edits.put_frame(board, replace(board.frames[id_], x=x, y=y, width=w, height=h))
        for id_, (x, y, w, h) in rects.items()
        if id_ in board.frames
    )
    return change.then(together(framed))


def _way_clear(picture: Picture, task: Task, drawing: Drawing) -> Point:
    """How far a part has to move so that it lies on nothing else."""
    own = {node.id for node in task.nodes}
    others = [rect for id_, rect in _rects(picture) if id_ not in own]
    boxes = [(*drawing.places[node.id], node.width, node.height) for node in task.nodes]
    boxes += list(drawing.rects.values())
    left, top, width, height = _around(boxes)
    if all(is_free(others, (x, y), (w, h), CLEAR) for x, y, w, h in boxes):
        return 0.0, 0.0
    x, y = free_place(others, (left, top), (width, height), ROW_GAP)
    return x - left, y - top


def _moved_aside(picture: Picture, moved: Collection[int], taken: list[Rect]) -> Change:
    """Notes and empty frames that the drawing lies on, moved to the nearest free places."""
    things = [(note.id, note.x, note.y, note.width, note.height) for note in picture.notes if note.id not in moved]
    frames = (frame for id_, frame in picture.board.frames.items() if id_ not in picture.folding.unseen)
    things += [(f.id, f.x, f.y, f.width, f.height) for f in frames if f.id not in moved]
    offsets = {}
    for id_, x, y, width, height in things:
        at = (x, y)
        if not is_free(taken, at, (width, height), 0.0):
            at = free_place(taken, at, (width, height), CLEAR)
            offsets[id_] = (at[0] - x, at[1] - y)
        taken.append((*at, width, height))
    return arranging.shift(picture.board, offsets)


def _rects(picture: Picture) -> Iterator[tuple[int, Rect]]:
    """What lies on the canvas, each with its id."""
    shown = np.flatnonzero(~picture.hidden)
    boxes = np.stack([picture.x, picture.y, picture.w, picture.h], axis=1)[shown].tolist()
    for row, (x, y, width, height) in zip(shown.tolist(), boxes, strict=True):
        yield picture.ids[row], (x, y, width, height)
    for note in picture.notes:
        yield note.id, (note.x, note.y, note.width, note.height)
    for fold in picture.folds:
        yield fold.id, _rect(fold.rect)


def _rect(rect: QRectF) -> Rect:
    return rect.x(), rect.y(), rect.width(), rect.height()


def _around(boxes: Iterable[Rect]) -> Rect:
    lefts, tops, widths, heights = np.array(list(boxes)).T
    left, top = float(lefts.min()), float(tops.min())
    return left, top, float((lefts + widths).max()) - left, float((tops + heights).max()) - top
