"""Places for new cards, worked out by the layout, made as one edit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from chalkgrad.layout import Edge, Group, Node, Task, free_place, rough, tidied
from chalkgrad.layout.free import is_free
from chalkgrad.layout.graph import ROW_GAP
from chalkgrad.layout.tidying import bounds
from chalkgrad.program import edits
from chalkgrad.program.cards import has_card
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref
from chalkgrad.session.state import State
from chalkgrad.stepwise import finished
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.anatomy import HEIGHT, WIDTH, Anatomy
from chalkgrad_app.picture.drawings import drawing_of
from chalkgrad_app.picture.folding import MARGIN, TITLE, block_members
from chalkgrad_app.picture.notes import fitted
from chalkgrad_app.picture.tags import tag_width
from chalkgrad_app.picture.wires import start_of, wires

GRID = 8
NEAR = 1200.0
"""So far from where a place is looked for cards are measured, in pixels."""
FAR = 1e6
"""As large as all that is above a place where nothing shall go."""
COLUMN_GAP = 64.0
TAG_ROOM = 36.0
"""Room left and right of a tag."""
BLOCK_MARGIN = MARGIN + 4
"""Each block inside another leaves this much more room, see ``picture.frames``."""
BLOCK_TITLE = TITLE
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
    found = finished(rough(_nodes(sheet, state), _edges(sheet, state)))
    return edits.place(sheet.board, {id_: _turned(sheet, at) for id_, at in found.items()})


def unplaced(sheet: Sheet) -> list[int]:
    """The cards that have no place and need one."""
    if drawing_of(sheet.board.drawing).lays_out:
        return []
    program, board = sheet.program, sheet.board
    return [made.id for made in program if board.place(made.id) is None and has_card(program, made)]


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


def with_places(sheet: Sheet, state: State, new: Iterable[int], near: Point, pointed: bool = False) -> Change:
    """Places for cards that have none yet: laid out by themselves, beside what they are wired to, where there is room.

    What is wired to nothing goes around the point ``near``, or on below what lies there, and all where somebody
    ``pointed`` at it. All others stay.
    A drawing that lays out itself needs none.
    """
    if drawing_of(sheet.board.drawing).lays_out:
        return NOTHING
    fresh = {id_ for id_ in new if id_ in sheet.program and has_card(sheet.program, sheet.program[id_])}
    nodes = _nodes(sheet, state, fresh)
    blocks = block_members(sheet.program, [node.id for node in nodes]).items()
    groups = (Group(block, frozenset(cards), BLOCK_MARGIN, BLOCK_TITLE) for block, cards in blocks)
    found = tidied(Task(tuple(nodes), tuple(_edges(sheet, state, fresh)), tuple(groups))).places
    if not found:
        return NOTHING
    left, top, width, height = _turned_rect(sheet, bounds(nodes, found))
    around = near[0] - width / 2, near[1] - height / 2
    beside = None if pointed else _beside(sheet, state, fresh, (width, height))
    wanted = beside or around
    taken = rects(sheet, state, wanted)
    gap = ROW_GAP
    if not pointed and beside is None:
        gap += _framed(sheet)
        taken.append((wanted[0] - FAR, wanted[1] - gap - 2 * FAR, 2 * FAR, 2 * FAR))
    x, y = free_place(taken, wanted, (width, height), gap)
    at = {id_: _turned(sheet, place) for id_, place in found.items()}
    return edits.place(sheet.board, {id_: (across - left + x, down - top + y) for id_, (across, down) in at.items()})


def _framed(sheet: Sheet) -> float:
    """How far the frames of blocks reach at most beyond the cards in them, below one and above the next."""
    deepest = max((len(sheet.program.chain(block)) for block in sheet.program.blocks), default=0)
    return deepest * (2 * BLOCK_MARGIN + BLOCK_TITLE)


def way_clear(sheet: Sheet, state: State, boxes: Sequence[Rect], way: Point) -> Point:
    """How far copies of what lies in ``boxes`` go, about ``way``, so that they lie on nothing."""
    if not boxes:
        return way
    left, top = min(x for x, _, _, _ in boxes), min(y for _, y, _, _ in boxes)
    size = max(x + w for x, _, w, _ in boxes) - left, max(y + h for _, y, _, h in boxes) - top
    wanted = left + way[0], top + way[1]
    x, y = free_place(rects(sheet, state, wanted), wanted, size)
    return x - left, y - top


def free_of_others(sheet: Sheet, state: State, places: Mapping[int, Point]) -> dict[int, Point]:
    """Those of these places of cards at which cards so large would lie on nothing that is there."""
    found = {}
    for id_, at in places.items():
        shape = _anatomy(sheet, state, id_)
        if is_free(rects(sheet, state, at), at, (shape.width, shape.height), 0.0):
            found[id_] = at
    return found


def place_for(sheet: Sheet, state: State, inputs: Iterable[Ref], centre: Point, size: Point = (WIDTH, HEIGHT)) -> Point:
    """A free place for one new card: after its inputs, else in the middle of what is seen."""
    sources = [taken_rect for ref in inputs if (taken_rect := _rect(sheet, state, ref.statement)) is not None]
    wanted = (centre[0] - size[0] / 2, centre[1] - size[1] / 2)
    if sources:
        wanted = _turned(sheet, _after([_turned_rect(sheet, rect) for rect in sources], _turned(sheet, size)))
    return free_place(rects(sheet, state, wanted), wanted, size)


def rects(sheet: Sheet, state: State, near: Point) -> list[Rect]:
    """What lies on the canvas: cards and notes.

    Cards that lie far from ``near`` are taken to be of the usual size: to measure thousands takes longer than a key
    press may, and what is placed here lies among the near ones.
    """
    shown = [fitted(note, language()) for note in sheet.board.notes.values()]
    cards: list[Rect] = []
    program, drawing = sheet.program, sheet.board.drawing
    for (drawn, id_), place in sheet.board.places.items():
        if drawn != drawing or id_ not in program.statements or not has_card(program, program.statements[id_]):
            continue
        if abs(place.x - near[0]) > NEAR or abs(place.y - near[1]) > NEAR:
            cards.append((place.x, place.y, WIDTH, HEIGHT))
        elif (rect := _rect(sheet, state, id_)) is not None:
            cards.append(rect)
    return cards + [(n.x, n.y, n.width, n.height) for n in shown]


def _cards(sheet: Sheet) -> list[int]:
    return [statement.id for statement in sheet.program if has_card(sheet.program, statement)]


def _anatomy(sheet: Sheet, state: State, id_: int) -> Anatomy:
    return drawing_of(sheet.board.drawing).anatomy(sheet.program[id_], state.statement(id_))


def _rect(sheet: Sheet, state: State, id_: int) -> Rect | None:
    place = sheet.board.place(id_)
    if place is None or id_ not in sheet.program:
        return None
    shape = _anatomy(sheet, state, id_)
    return place.x, place.y, shape.width, shape.height


def _beside(sheet: Sheet, state: State, fresh: Collection[int], size: Point) -> Point | None:
    """The corner of a rectangle after what ``fresh`` cards read, else before what reads them; None for neither."""
    joined = [wire for wire in wires(sheet.program) if (wire.source in fresh) != (wire.target in fresh)]
    read = [rect for wire in joined if (rect := _rect(sheet, state, wire.source)) and wire.target in fresh]
    readers = [rect for wire in joined if (rect := _rect(sheet, state, wire.target)) and wire.source in fresh]
    size = _turned(sheet, size)
    if read:
        return _turned(sheet, _after([_turned_rect(sheet, rect) for rect in read], size))
    if not readers:
        return None
    before = [_turned_rect(sheet, rect) for rect in readers]
    return _turned(sheet, (min(x for x, _, _, _ in before) - COLUMN_GAP - size[0], _middle(before, size)))


def _after(rects: Collection[Rect], size: Point) -> Point:
    """The corner of a rectangle right of others, at their middle."""
    return max(x + w for x, _, w, _ in rects) + COLUMN_GAP, _middle(rects, size)


def _middle(rects: Collection[Rect], size: Point) -> float:
    return sum(y + h / 2 for _, y, _, h in rects) / len(rects) - size[1] / 2


def _turned(sheet: Sheet, point: Point) -> Point:
    """A point or size with x and y exchanged where wires run down: the layout has them run right."""
    return (point[1], point[0]) if drawing_of(sheet.board.drawing).down else point


def _turned_rect(sheet: Sheet, rect: Rect) -> Rect:
    x, y, width, height = rect
    return *_turned(sheet, (x, y)), *_turned(sheet, (width, height))


def _nodes(sheet: Sheet, state: State, ids: Collection[int] | None = None) -> list[Node]:
    """The cards, or some of them, as the layout knows them."""
    nodes = []
    tagged = {wire.source: tag_width(wire.tags) for wire in wires(sheet.program) if wire.tags}
    for id_ in _cards(sheet):
        if ids is not None and id_ not in ids:
            continue
        shape = _anatomy(sheet, state, id_)
        place = sheet.board.place(id_)
        at = _turned(sheet, (place.x, place.y)) if place is not None else None
        # Tags that are wider than the gap between columns need room right of the card.
        width = shape.width + (0.0 if shape.down else max(0.0, tagged.get(id_, 0.0) + TAG_ROOM - COLUMN_GAP))
        inputs = tuple(_turned(sheet, port)[1] for port in shape.inputs)
        output = _turned(sheet, shape.row(0).value_port)[1]
        across, along = _turned(sheet, (width, shape.height))
        nodes.append(Node(id_, across, along, inputs, output, None, at))
    return nodes


def _edges(sheet: Sheet, state: State, ids: Collection[int] | None = None) -> list[Edge]:
    """The wires, or those between some cards."""
    edges = []
    for wire in wires(sheet.program):
        if ids is not None and not (wire.source in ids and wire.target in ids):
            continue
        shape = _anatomy(sheet, state, wire.source)
        start = _turned(sheet, start_of(shape, wire))[1] if wire.output < len(shape.rows) else None
        edges.append(Edge(wire.source, wire.target, wire.port, start))
    return edges
