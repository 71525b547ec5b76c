"""A file's board: where cards lie, notes, frames and folds."""

from __future__ import annotations

from collections.abc import Callable

from chalkgrad.program.board import CARDS, DRAWINGS, Board, Frame, Note, Spot
from chalkgrad.program.board import Place as Corner
from chalkgrad.program.json_values import (
    LARGEST_ID,
    FileError,
    Place,
    T,
    as_choice,
    as_coordinate,
    as_flag,
    as_id,
    as_integer,
    as_list,
    as_object,
    as_table,
    as_text,
)
from chalkgrad.stepwise import Stepwise
from chalkgrad.text import Text

BOARD_KEYS = frozenset({"drawing", "places", "notes", "frames", "spots", "folds", "labels", "graphs"})


def decode_board(value: dict[str, object], place: Place) -> Stepwise[Board]:
    """The board that a document's ``board`` is, a card's place at each step; FileError where it is none."""
    places = yield from _by_drawing(value.get("places", []), place["places"], _corner)
    notes = as_table(value.get("notes", []), place["notes"], _note)
    frames = as_table(value.get("frames", []), place["frames"], _frame)
    folds = as_table(value.get("folds", []), place["folds"], _fold)
    labels = as_table(value.get("labels", []), place["labels"], _label)
    spots = yield from _by_drawing(value.get("spots", []), place["spots"], _spot)
    drawing = as_choice(value.get("drawing", CARDS), place["drawing"], DRAWINGS)
    graphs = as_table(value.get("graphs", []), place["graphs"], _graph)
    return Board(places, notes, frames, folds, labels, spots, graphs=graphs).drawn_as(drawing)


def _by_drawing(
    value: object, place: Place, make: Callable[[dict[str, object], Place], T]
) -> Stepwise[dict[tuple[str, int], T]]:
    """A list of objects as a table by drawing and id; one without a drawing belongs to the cards."""
    table: dict[tuple[str, int], T] = {}
    members = as_list(value, place)
    for index, member in enumerate(members):
        here = place[index]
        entry = as_object(member, here)
        key = (as_text(entry.get("drawing", CARDS), here["drawing"]), as_id(entry, here))
        if key in table:
            raise FileError(Text("file.twice", id=key[1]), here["id"])
        table[key] = make(entry, here)
        yield index / len(members)
    return table


def _corner(value: dict[str, object], place: Place) -> Corner:
    x, y = (as_coordinate(value.get(axis), place[axis]) for axis in ("x", "y"))
    return Corner(x, y, value.get("pinned") is True)


def _spot(value: dict[str, object], place: Place) -> Spot:
    return Spot(*_rectangle(value, place))


def _graph(value: dict[str, object], place: Place) -> bool:
    return as_flag(value.get("open"), place["open"])


def _fold(value: dict[str, object], place: Place) -> tuple[int, ...]:
    members = as_list(value.get("members", []), place["members"])
    return tuple(as_integer(id_, place["members"][index], 1, LARGEST_ID) for index, id_ in enumerate(members))


def _label(value: dict[str, object], place: Place) -> str:
    return as_text(value.get("text"), place["text"])


def _note(value: dict[str, object], place: Place) -> Note:
    texts = []
    for index, pair in enumerate(as_list(value.get("texts", []), place["texts"])):
        here = place["texts"][index]
        members = as_list(pair, here)
        if len(members) != 2:
            raise FileError(Text("file.note_text"), here)
        texts.append((as_text(members[0], here[0]), as_text(members[1], here[1])))
    return Note(as_id(value, place), tuple(texts), *_rectangle(value, place))


def _frame(value: dict[str, object], place: Place) -> Frame:
    title = as_text(value.get("title", ""), place["title"])
    hue = as_text(value.get("hue", ""), place["hue"])
    return Frame(as_id(value, place), title, *_rectangle(value, place), hue)


def _rectangle(value: dict[str, object], place: Place) -> tuple[float, float, float, float]:
    x, y = (as_coordinate(value.get(key), place[key]) for key in ("x", "y"))
    width, height = (as_coordinate(value.get(key), place[key]) for key in ("width", "height"))
    return x, y, width, height
