"""Places for new cards, worked out by the layout, made as one edit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from chalkgrad.layout import Edge, Node, free_place, rough, tidy
from chalkgrad.layout.tidying import bounds
from chalkgrad.program import edits
from chalkgrad.program.building import has_card
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref
from chalkgrad.session.state import State
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.anatomy import HEADER, HEIGHT, ROW, WIDTH, Anatomy
from chalkgrad_app.picture.card import card_anatomy
from chalkgrad_app.picture.notes import fitted
from chalkgrad_app.picture.paint import tag_width
from chalkgrad_app.picture.wires import wires

GRID = 8
COLUMN_GAP = 64.0
TAG_ROOM = 36.0
"""Room left and right of a tag."""
Point = tuple[float, float]
Rect = tuple[float, float, float, float]


def snapped(x: float, y: float) -> Point:
    """The nearest point of the grid."""
    return round(x / GRID) * float(GRID), round(y / GRID) * float(GRID)


def place_missing(sheet: Sheet, state: State) -> Change:
    """Places for all cards that have none: after PyTorch code was opened."""
    missing = unplaced(sheet)
    return with_places(sheet, state, missing, (0.0, 0.0)) if missing else NOTHING


def place_roughly(sheet: Sheet, state: State) -> Change:
    """Quick places for all cards, until they are laid out."""
    return edits.place(sheet.board, rough(_nodes(sheet, state), _edges(sheet, state)))


def unplaced(sheet: Sheet) -> list[int]:
    """The cards that have no place."""
    return [id_ for id_ in _cards(sheet) if sheet.board.place(id_) is None]


def place_again(sheet: Sheet, state: State, ids: Collection[int]) -> Change:
    """Other places for cards that were placed before anybody knew how large they are."""
    others = {key: place for key, place in sheet.board.places.items() if key[1] not in ids}
    bare = replace(sheet, board=replace(sheet.board, places=others))
    board = bare.board.apply(with_places(bare, state, ids, (0.0, 0.0)))
    found = {id_: (place.x, place.y) for id_ in ids if (place := board.place(id_)) is not None}
    return edits.place(sheet.board, found)


def sizes(sheet: Sheet, state: State, ids: Iterable[int]) -> dict[int, Point]:
    """How large cards are drawn."""
    shapes = {id_: _anatomy(sheet, state, id_) for id_ in ids}
    return {id_: (shape.width, shape.height) for id_, shape in shapes.items()}


def with_places(sheet: Sheet, state: State, new: Iterable[int], near: Point) -> Change:
    """Places for cards that have none yet: laid out by themselves, beside what they are wired to, where there is room.

    What is wired to nothing goes around the point ``near``. All others stay.
    """
    fresh = {id_ for id_ in new if id_ in sheet.program and has_card(sheet.program, sheet.program[id_])}
    nodes = [node for node in _nodes(sheet, state) if node.id in fresh]
    edges = [edge for edge in _edges(sheet, state) if edge.source in fresh and edge.target in fresh]
    found = tidy(nodes, edges)
    if not found:
        return NOTHING
    left, top, width, height = bounds(nodes, found)
    others = rects(sheet, state)
    wanted = _beside(sheet, state, fresh, (width, height)) or (near[0] - width / 2, near[1] - height / 2)
    x, y = free_place(others, wanted, (width, height))
    return edits.place(sheet.board, {id_: (at[0] - left + x, at[1] - top + y) for id_, at in found.items()})


def way_clear(sheet: Sheet, state: State, boxes: Sequence[Rect], way: Point) -> Point:
    """How far copies of what lies in ``boxes`` go, about ``way``, so that they lie on nothing."""
    if not boxes:
        return way
    left, top = min(x for x, _, _, _ in boxes), min(y for _, y, _, _ in boxes)
    size = max(x + w for x, _, w, _ in boxes) - left, max(y + h for _, y, _, h in boxes) - top
    x, y = free_place(rects(sheet, state), (left + way[0], top + way[1]), size)
    return x - left, y - top


def place_for(sheet: Sheet, state: State, inputs: Iterable[Ref], centre: Point, size: Point = (WIDTH, HEIGHT)) -> Point:
    """A free place for one new card: right of its inputs, else in the middle of what is seen."""
    taken = rects(sheet, state)
    sources = [taken_rect for ref in inputs if (taken_rect := _rect(sheet, state, ref.statement)) is not None]
    wanted = (centre[0] - size[0] / 2, centre[1] - size[1] / 2)
    if sources:
        right = max(x + w for x, _, w, _ in sources)
        middle = sum(y + h / 2 for _, y, _, h in sources) / len(sources)
        wanted = (right + COLUMN_GAP, middle - size[1] / 2)
    return free_place(taken, wanted, size)


def rects(sheet: Sheet, state: State) -> list[Rect]:
    """What lies on the canvas: cards and notes."""
    shown = [fitted(note, language()) for note in sheet.board.notes.values()]
    cards = [rect for id_ in _cards(sheet) if (rect := _rect(sheet, state, id_)) is not None]
    return cards + [(n.x, n.y, n.width, n.height) for n in shown]


def _cards(sheet: Sheet) -> list[int]:
    return [statement.id for statement in sheet.program if has_card(sheet.program, statement)]


def _anatomy(sheet: Sheet, state: State, id_: int) -> Anatomy:
    return card_anatomy(sheet.program[id_], state.statement(id_))


def _rect(sheet: Sheet, state: State, id_: int) -> Rect | None:
    place = sheet.board.place(id_)
    if place is None or id_ not in sheet.program:
        return None
    shape = _anatomy(sheet, state, id_)
    return place.x, place.y, shape.width, shape.height


def _beside(sheet: Sheet, state: State, fresh: Collection[int], size: Point) -> Point | None:
    """The corner of a rectangle right of what ``fresh`` cards read, else left of what reads them; None for neither."""
    joined = [wire for wire in wires(sheet.program) if (wire.source in fresh) != (wire.target in fresh)]
    read = [rect for wire in joined if (rect := _rect(sheet, state, wire.source)) and wire.target in fresh]
    readers = [rect for wire in joined if (rect := _rect(sheet, state, wire.target)) and wire.source in fresh]
    if read:
        left = max(x + w for x, _, w, _ in read) + COLUMN_GAP
    elif readers:
        left = min(x for x, _, _, _ in readers) - COLUMN_GAP - size[0]
    else:
        return None
    beside = read or readers
    return left, sum(y + h / 2 for _, y, _, h in beside) / len(beside) - size[1] / 2


def _nodes(sheet: Sheet, state: State) -> list[Node]:
    nodes = []
    tagged = {wire.source: tag_width(wire.tags) for wire in wires(sheet.program) if wire.tags}
    for id_ in _cards(sheet):
        shape = _anatomy(sheet, state, id_)
        place = sheet.board.place(id_)
        at = (place.x, place.y) if place is not None else None
        output = shape.rows[0].value_port if shape.rows else HEADER + ROW / 2
        # Tags that are wider than the gap between columns need room right of the card.
        width = shape.width + max(0.0, tagged.get(id_, 0.0) + TAG_ROOM - COLUMN_GAP)
        nodes.append(Node(id_, width, shape.height, shape.inputs, output, None, at))
    return nodes


def _edges(sheet: Sheet, state: State) -> list[Edge]:
    edges = []
    for wire in wires(sheet.program):
        shape = _anatomy(sheet, state, wire.source)
        start = None
        if wire.output < len(shape.rows):
            row = shape.rows[wire.output]
            start = row.grad_port if wire.from_grad else row.value_port
        edges.append(Edge(wire.source, wire.target, wire.port, start))
    return edges
